"""A plan carried out by any other executor of concurrent.futures: tasks travel to processes, and answers come back.

α travels with the tasks. What a lost process searched is searched again, so the answer stays the same.
"""

import threading
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from pickle import PicklingError
from queue import SimpleQueue
from time import perf_counter
from typing import Any

from abviz.engine.preparing import tell
from abviz.errors import AbvizError, brief
from abviz.parallel.errands import Answer, Errand, Terms, get_ready, run
from abviz.parallel.logbook import Entry, Logbook
from abviz.parallel.notices import Notices
from abviz.parallel.plans import AnyPlan
from abviz.parallel.threads import Explained
from abviz.parallel.upper import Task

# What an executor raises when it has lost a process, or its way to them. Dask's own are known by name, as it may not be
# installed.
LOST = ("KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError")
LONG = 15  # seconds after which somebody who waits for the workers is told so
NOT_SENT = (PicklingError, AttributeError, ImportError, TypeError)


class Travelling:
    """One task under way for each worker. The thread that calls `carry_out` does it all; others read, or stop it."""

    def __init__(self, plan: AnyPlan, log: Logbook, terms: Terms, workers: int, explained: Explained):
        self.plan, self.log, self.explained = plan, log, explained
        self.lock = threading.RLock()  # as in threads.py
        self.notices = Notices(workers)
        self.terms = terms._replace(notices=self.notices.path)
        self.workers, self.free = workers, set(range(workers))
        self.under_way: dict[Future[Answer], Entry] = {}
        self.ended: SimpleQueue[Future[Answer] | None] = SimpleQueue()
        self.sent = 0
        self.here: ThreadPoolExecutor | None = None  # what takes the place of an executor that is lost
        self.stopped = False
        self.begin = perf_counter()

    def carry_out(self, executor: Executor) -> None:
        """Until the plan is finished or stopped. An exception in one task ends all, and is raised here."""
        self.executor = executor
        try:
            if not self.stopped:
                self._get_ready()
            self.begin = perf_counter()
            while not (self.stopped or self.plan.finished):
                self._hand_out()
                if (future := self.ended.get()) and not self.stopped:
                    self._receive(future)
        finally:
            self._end()

    def stop(self) -> None:
        self.stopped = True
        self.notices.take_all_down()
        self.ended.put(None)

    def time(self) -> float:
        return perf_counter() - self.begin

    # before the clock starts

    def _get_ready(self) -> None:
        """Each process loads what is compiled. It is busy with that for a while, so the next call goes to another."""
        begin = perf_counter()
        root = tuple(self.plan.root.position)
        futures = [self._submit(get_ready, self.terms, root, worker) for worker in range(self.workers)]
        told = False
        while not self.stopped and wait(futures, 0.1).not_done:
            if not told and perf_counter() - begin > LONG:
                tell(f"no answer from the executor's workers for {LONG} s; still waiting")
                told = True
        for future in futures:
            if not future.done():  # stopped
                future.cancel()
            elif problem := _problem(future):
                self._not_ready(problem)
        self.log.compiled += perf_counter() - begin

    def _not_ready(self, problem: BaseException) -> None:
        if is_lost(problem):
            self._go_on_here()
        elif isinstance(problem, NOT_SENT):
            game = self.terms.game.__qualname__
            expected = "expected a game, and abviz, that they can import"
            raise AbvizError(f"the workers cannot be handed {game} ({problem}); {expected}") from problem
        else:
            raise problem

    # while it runs

    def _hand_out(self) -> None:
        while not self.stopped and (task := self._next()):
            self._send(task, min(self.free))

    def _next(self) -> Task | None:
        with self.lock:
            return self.plan.take() if self.free else None

    def _send(self, task: Task, worker: int) -> None:
        """The lock is not held while it is submitted: some executors carry out at once what they are given."""
        with self.lock:
            self.sent += 1
            self.free.discard(worker)
            shown = self.notices.put_up(worker, self.sent, task.window)
            if self.stopped:
                self.notices.take_down(worker)
            entry = self.log.begin(task, worker, self.time(), shown)
        place = tuple(map(int, task.position))
        errand = Errand(self.terms, place, task.depth, task.window, task.ply, worker, self.sent)
        future = self._submit(run, errand)
        with self.lock:
            self.under_way[future] = entry
        future.add_done_callback(self.ended.put)

    def _submit(self, function: Any, *arguments: Any) -> "Future[Any]":
        try:
            future = self.executor.submit(function, *arguments)
        except Exception as problem:
            if not is_lost(problem):
                raise self._refused(problem) from None
            self._go_on_here()
            future = self.executor.submit(function, *arguments)
        if not isinstance(future, Future):
            raise AbvizError(f"the executor's submit() returned {brief(future)}; expected a Future")
        return future

    def _refused(self, problem: Exception) -> Exception:
        if not isinstance(problem, RuntimeError | ValueError):
            return problem
        return AbvizError(f"the executor takes no tasks ({problem}); expected one that is at work")

    def _receive(self, future: "Future[Answer]") -> None:
        with self.lock:
            entry = self.under_way.pop(future, None)
            if entry is None:  # it was under way to an executor that has been lost since
                return
            self.free.add(entry.worker)
            problem = _problem(future)
            if problem is None and not isinstance(future.result(), Answer):
                self._close(entry)
                told = brief(future.result())
                raise AbvizError(f"the executor answered {told}; expected what the function that it was given returned")
            if problem is None and (future.result().whole or entry.task.cancelled):
                self._hand_in(entry, future.result())
            elif entry.task.cancelled:
                self._close(entry)
            elif problem is None or is_lost(problem):
                self._search_again(entry, problem)
            else:
                self._close(entry)
                raise self.explained(entry.task, problem)

    def _hand_in(self, entry: Entry, answer: Answer) -> None:
        task, now = entry.task, self.time()
        # When it came back, less the time that it took there: so the clock of another machine does not matter.
        entry.start = max(entry.start, now - answer.seconds)
        entry.learnt = [(entry.start + time, alpha, beta) for time, alpha, beta in answer.learnt]
        self.log.cpu[entry.worker] += answer.cpu
        task.cancelled |= self.stopped
        entry.close(now, answer.nodes, answer.value)
        self.plan.done(task, answer.value)
        for future, other in self.under_way.items():
            if other.task.cancelled:
                self.notices.take_down(other.worker)
                future.cancel()
            else:
                self.notices.narrow(other.worker, other.task.window)

    def _close(self, entry: Entry) -> None:
        """It has no answer."""
        entry.close(self.time(), entry.nodes, 0)
        entry.value = None

    # when something is lost, and at the end

    def _search_again(self, entry: Entry, problem: BaseException | None) -> None:
        self._close(entry)
        if problem:
            self._go_on_here()
        self._send(entry.task, entry.worker)

    def _go_on_here(self) -> None:
        """With threads, in this process; also what others were busy with."""
        if self.here:
            return
        tell("a worker has been lost; the search goes on in this process")
        self.here = self.executor = ThreadPoolExecutor(self.workers, "abviz worker")
        with self.lock:
            lost, self.under_way = self.under_way, {}
            for future, entry in lost.items():
                future.cancel()
                self._close(entry)
                self.free.add(entry.worker)
                if not entry.task.cancelled:
                    self._send(entry.task, entry.worker)

    def _end(self) -> None:
        self.notices.close([future for future in self.under_way if not future.cancel()])
        for entry in self.under_way.values():
            self._close(entry)
        if self.here:
            self.here.shutdown(wait=False, cancel_futures=True)


def is_lost(problem: BaseException) -> bool:
    return isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ in LOST


def _problem(future: "Future[Any]") -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()
