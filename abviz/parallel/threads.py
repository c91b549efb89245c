"""A plan carried out by threads. Each takes its tasks itself: nothing is sent, and nobody waits for an answer.

The searches are compiled and run without Python's lock; between two tasks a thread holds it for some microseconds.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, thread_time

from abviz.errors import AbvizError
from abviz.parallel.logbook import Logbook
from abviz.parallel.plans import AnyPlan
from abviz.parallel.upper import Task
from abviz.parallel.workers import Worker

Explained = Callable[[Task, BaseException], BaseException]


class Threads:
    """The workers and what they share: the plan and the logbook, each to be touched under the lock alone."""

    def __init__(self, plan: AnyPlan, log: Logbook, workers: list[Worker], explained: Explained):
        self.plan, self.log, self.workers, self.explained = plan, log, workers, explained
        self.lock = threading.Lock()
        self.changed = threading.Condition(self.lock)
        self.tasks: dict[int, Task] = {}  # what each worker is busy with
        self.stopped = False
        self.problem: BaseException | None = None
        self.begin = perf_counter()

    def carry_out(self, executor: ThreadPoolExecutor) -> None:
        """Until the plan is finished or stopped. An exception in one task ends all, and is raised here."""
        self.begin = perf_counter()
        try:
            futures = [executor.submit(self._serve, worker) for worker in self.workers]
        except RuntimeError as problem:
            self.stop()
            raise AbvizError(f"the executor takes no tasks ({problem}); expected one that is at work") from None
        for future in futures:
            future.result()
        if self.problem:
            raise self.problem

    def stop(self) -> None:
        with self.lock:
            self._stop()

    def _stop(self) -> None:
        self.stopped = True
        for worker in self.workers:
            worker.stop()
        self.changed.notify_all()

    def _serve(self, worker: Worker) -> None:
        """What one thread does."""
        before = thread_time()
        while task := self._take(worker):
            entry = self.log.begin(task, worker.number, self.time(), worker.work)
            try:
                value = worker.run(task, lambda: entry.learn(self.time()))  # noqa: B023 – called before the next turn
            except BaseException as problem:
                with self.lock:
                    self.problem = self.problem or self.explained(task, problem)
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
