"""A plan carried out by threads. Each takes its tasks itself: nothing is sent, and nobody waits for an answer.

The searches are compiled and run without Python's lock; between two tasks a thread holds it for some microseconds.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter, thread_time

from abviz.errors import AbvizError
from abviz.parallel.logbook import Logbook
from abviz.parallel.plans import AnyPlan
from abviz.parallel.upper import Task
from abviz.parallel.workers import Worker

PATIENCE = 0.2  # seconds, after which a pool that has not begun is not waited for

Explained = Callable[[Task, BaseException], BaseException]


class Threads:
    """The workers and what they share: the plan and the logbook, each to be touched under the lock alone."""

    def __init__(self, plan: AnyPlan, log: Logbook, workers: list[Worker], explained: Explained):
        self.plan, self.log, self.workers, self.explained = plan, log, workers, explained
        self.lock = threading.RLock()  # a signal's handler may stop what its own thread is just reading
        self.changed = threading.Condition(self.lock)  # what workers wait for that have no task
        self.over = threading.Condition(self.lock)  # what the caller waits for, who is not to be woken at each task
        self.free = list(workers)  # without a thread that serves them
        self.tasks: dict[int, Task] = {}  # what each worker is busy with
        self.stopped = False
        self.problem: BaseException | None = None
        self.begin = perf_counter()

    def carry_out(self, executor: ThreadPoolExecutor) -> None:
        """Until the plan is finished or stopped. An exception in one task ends all, and is raised here."""
        if self.stopped:
            return
        self.begin = perf_counter()
        futures: list[Future[None]] = []
        try:
            for _ in self.workers:
                futures.append(executor.submit(self._serve))
        except RuntimeError as problem:
            if not futures:  # one that is shut down after it took a worker costs no answer
                self.stop()
                raise AbvizError(f"the executor takes no tasks ({problem}); expected one that is at work") from None
        self._wait(futures)
        if self.problem:
            raise self.problem

    def _wait(self, futures: "list[Future[None]]") -> None:
        """Not for the futures: of a pool that has other things to do, some may not have begun when all is done."""
        while True:
            with self.lock:
                self.over.wait_for(self._is_over, PATIENCE)
                if self._is_over():
                    break
                nobody = len(self.free) == len(self.workers) or all(future.done() for future in futures)
            if nobody:  # the pool is busy, or has been shut down
                self._serve()
        for future in futures:
            future.cancel()

    def _is_over(self) -> bool:
        return (self.stopped or self.plan.finished) and not self.tasks

    def stop(self) -> None:
        with self.lock:
            self._stop()

    def _stop(self) -> None:
        self.stopped = True
        for worker in self.workers:
            worker.stop()
        self.changed.notify_all()
        self.over.notify_all()

    def _serve(self) -> None:
        """What one thread does."""
        with self.lock:
            if not self.free:
                return
            worker = self.free.pop(0)
        self._work(worker)
        with self.lock:
            self.free.insert(0, worker)
            self.over.notify_all()

    def _work(self, worker: Worker) -> None:
        before = thread_time()
        while task := self._take(worker):
            entry = self.log.begin(task, worker.number, self.time(), worker)
            try:
                value = worker.run(task, lambda: entry.learn(self.time()))  # noqa: B023 – called before the next turn
            except BaseException as problem:
                with self.lock:
                    self.problem = self.problem or self.explained(task, problem)
                    del self.tasks[worker.number]
                    self._stop()
                return
            with self.lock:
                self.log.cpu[worker.number] = thread_time() - before
                task.cancelled |= self.stopped
                entry.close(self.time(), entry.nodes, value)
                del self.tasks[worker.number]
                self._hand_in(task, value)
        self.log.cpu[worker.number] = thread_time() - before

    def _take(self, worker: Worker) -> Task | None:
        with self.lock:
            while not (self.stopped or self.plan.finished):
                if task := self.plan.take():
                    self.tasks[worker.number] = task
                    worker.go_on()
                    return task
                self.changed.wait()
        return None

    def _hand_in(self, task: Task, value: int) -> None:
        self.plan.done(task, value)
        for number, other in self.tasks.items():
            if other.cancelled:
                self.workers[number].stop()
        self.changed.notify_all()

    def time(self) -> float:
        return perf_counter() - self.begin
