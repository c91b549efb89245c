"""`parallel_search(position, depth, strategy="young-brothers", workers=2)`: one search on several workers.

Searches are compiled and run without Python's lock. Between two tasks a thread holds it for some microseconds.
"""

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter, thread_time
from typing import Any

from abviz.engine.api import completed_line, move_names
from abviz.engine.background import BackgroundSearch
from abviz.engine.compiler import prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import Switches, field, new_work
from abviz.errors import AbvizError, brief, unknown
from abviz.games.rules import WIN, checked_weights, generated_moves
from abviz.parallel.executors import RemoteWorker, remote_workers, submit, worker_count
from abviz.parallel.records import SECONDS, THREADS, Recorder, Run
from abviz.parallel.split_tree import Task, Window, null_window
from abviz.parallel.strategies import Deepening, Plan, checked_count, plan_for

OPTIONS = ("strategy", "workers", "executor", "method", "upper", "weights")
METHODS = ("alphabeta", "improved", "minimax")
TABLE = 1 << 20  # entries of the transposition table: 25 megabytes
DEPTH = 12
NO_LIMIT = 1 << 62


def parallel_search(position: Any, depth: int = DEPTH, **options: Any) -> Run:
    """Search for the best move of a position with several workers; return the record of the run.

    parallel_search(position, 12, strategy="root", workers=4)      see STRATEGIES; "sequential" has one worker
    parallel_search(position, 16, method="improved")               sorted moves, and a table that all workers share
    parallel_search(position, 12, executor=ProcessPoolExecutor())  any executor of concurrent.futures; else threads
    parallel_search(position, 12, upper=4)                         plies of the tree that are split into tasks
    parallel_search(position, 12, weights={"men": 120})            of the features of the game's evaluation

    The value and the move are those of the sequential search, ties included. An interrupt ends the search. To watch it
    while it runs, use `start`, which takes the same options.
    """
    return start(position, depth, **options).result()


def start(position: Any, depth: int = DEPTH, **options: Any) -> "ParallelSearch":
    """Begin the same search in the background, and return it at once."""
    for name in options:
        if name not in OPTIONS:
            raise unknown("option", name, OPTIONS)
    return ParallelSearch(position, depth, **options).start()


def line_of(position: Any, run: Run, weights: dict[str, int] | None = None) -> tuple[str, ...]:
    """Return the moves that both sides choose, from the run's move on."""
    if run.move is None or run.value is None:
        return ()
    work = new_work(None, checked_weights(position, weights))
    engine = prepared(position, "alphabeta", work, new_table(2))
    first = [position.find_move(run.move)]
    return move_names(position, completed_line(engine, position, first, run.depth, run.value, work))


class ParallelSearch(BackgroundSearch[Run]):
    """One search on several workers: read its `record()` at any time, `stop()` it, take the `result()`.

    By default there are as many `workers` as the executor has, or two threads. `upper` is the number of plies that are
    split into tasks, by strategies that split more than the root.
    """

    def __init__(
        self,
        position: Any,
        depth: int = DEPTH,
        *,
        strategy: str = "young-brothers",
        workers: int | None = None,
        executor: Executor | None = None,
        method: str = "alphabeta",
        upper: int | None = None,
        weights: dict[str, int] | None = None,
    ):
        super().__init__()
        if executor is not None and not isinstance(executor, Executor):
            raise AbvizError(f"executor is {brief(executor)}; expected an executor of concurrent.futures")
        self.plan = plan_for(position, depth, strategy, upper)
        self.position, self.executor = position, executor
        self.in_threads = executor is None or isinstance(executor, ThreadPoolExecutor)
        default = 1 if self.plan.strategy.alone else worker_count(executor)
        self.workers = checked_count("workers", default if workers is None else workers)
        _check_method(method, strategy, self.in_threads)
        improved = method == "improved"
        self.weights = checked_weights(position, weights)
        self.works = [new_work(Switches() if improved else None, self.weights) for _ in range(self.workers)]
        self.table = new_table(TABLE if improved else 2)
        if improved:
            self.plan = Deepening(self.plan.strategy, position, depth, upper, self.table, self.works[0])
        kind = THREADS if self.in_threads else type(executor).__name__
        self.recorder = Recorder(position, depth, self.workers, self.plan, SECONDS, kind)
        self._scheduler: Scheduler | None = None

    def record(self) -> Run:
        """Return the record as it stands now."""
        with self._lock:
            if self.done and not self._future.exception():
                return self._future.result()
            return self.recorder.run(self._scheduler.time() if self._scheduler else 0.0)

    def _search(self) -> Run:
        begin = perf_counter()
        engine = prepared(self.position, self.plan.method, self.works[0], self.table)
        workers: list[Worker] | list[RemoteWorker]
        if self.executor is None or self.in_threads:
            workers = [Worker(number, engine, work, self.table) for number, work in enumerate(self.works)]
        else:
            terms = type(self.position), self.plan.method, self.weights
            workers = remote_workers(self.executor, self.workers, terms, self.position)
        self.recorder.compiled = perf_counter() - begin
        with self._lock:
            if self._stopped:
                return self.record()
            self._scheduler = Scheduler(self.plan, self.recorder, workers, self._lock)
        if self.executor and self.in_threads:
            self._scheduler.run(self.executor)
        else:
            with ThreadPoolExecutor(self.workers, "abviz worker") as threads:
                self._scheduler.run(threads)
        return self.record()

    def _interrupt(self) -> None:
        if self._scheduler:
            self._scheduler.stop()
        else:  # not begun, or still compiling, which need not be waited for
            self._finish(self.record())

    def _summary(self) -> str:
        move = self.record().move
        return f"{move}, the best of the moves that were finished" if move else ""


def _check_method(method: str, strategy: str, in_threads: bool) -> None:
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    if method != "alphabeta" and (method == "minimax") != (strategy == "minimax"):
        raise AbvizError(f"method {method} with strategy {strategy}; expected minimax for both, or for neither")
    if method == "improved" and not in_threads:
        raise AbvizError("method improved needs a table that all workers share; expected threads, or method alphabeta")


class Scheduler:
    """A thread for each worker, which takes the worker's tasks itself and waits for no other thread.

    The plan and the recorder are touched only under the lock.
    """

    def __init__(self, plan: Plan, recorder: Recorder, workers: "list[Worker] | list[RemoteWorker]", lock: Any):
        self.plan, self.recorder, self.workers, self.lock = plan, recorder, workers, lock
        self.changed = threading.Condition(lock)  # workers without a task wait for it
        self.tasks: dict[int, Task] = {}  # what each worker searches
        self.stopped = False
        self.problem: BaseException | None = None
        self.begin = perf_counter()

    def time(self) -> float:
        return perf_counter() - self.begin

    def run(self, threads: Executor) -> None:
        """Return when the plan is finished or stopped. An exception in one task ends all and is raised here."""
        self.begin = perf_counter()
        for future in [submit(threads, self._serve, worker) for worker in self.workers]:
            future.result()
        if self.problem:
            raise self.problem

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            for worker in self.workers:
                worker.leave()
            self.changed.notify_all()

    def _serve(self, worker: "Worker | RemoteWorker") -> None:
        cpu = worker.cpu()
        while task := self._take(worker):
            log = self.recorder.begin(task, worker.number, self.time(), worker.nodes)
            try:
                value = worker.run(task, lambda: log.learn(self.time()))  # noqa: B023 – not called after this turn
            except BaseException as problem:
                self.problem = self.problem or task.explained(problem)
                self.stop()
                return
            with self.lock:
                self.recorder.cpu[worker.number] = worker.cpu() - cpu
                task.cancelled |= self.stopped
                log.start += worker.delay
                log.close(self.time(), log.nodes, value)
                del self.tasks[worker.number]
                self.plan.done(task, value)
                for number, other in self.tasks.items():
                    if other.cancelled:
                        self.workers[number].stop()
                self.changed.notify_all()
        self.recorder.cpu[worker.number] = worker.cpu() - cpu

    def _take(self, worker: "Worker | RemoteWorker") -> Task | None:
        with self.lock:
            while not (self.stopped or self.plan.finished):
                if task := self.plan.take():
                    self.tasks[worker.number] = task
                    worker.resume()
                    return task
                self.changed.wait()
        return None


class Worker:
    """Searches tasks with compiled code and a work record that nothing else writes to."""

    delay = 0.0  # between taking a task and searching it

    def __init__(self, number: int, engine: Any, work: Any, table: Any):
        self.number, self.engine, self.work, self.table = number, engine, work, table
        self._nodes, self._limit = field(work, "nodes"), field(work, "limit")

    def nodes(self) -> int:
        """Return all that it has searched so far; may be called at any time."""
        return int(self._nodes[0])

    def stop(self) -> None:
        """End what it searches now; the value is of no use. Called from another thread."""
        self._limit[0] = 0

    leave = stop  # at the end of the whole search

    def cpu(self) -> float:
        """Return the CPU seconds of the calling thread, which is the worker's own."""
        return thread_time()

    def resume(self) -> None:
        self._limit[0] = NO_LIMIT

    def run(self, task: Task, on_poll: Callable[[], None]) -> int:
        """Return the value of the task. `on_poll` is called each time its window has been read again."""
        pieces = self.pieces(task, on_poll)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return int(end.value)

    def pieces(self, task: Task, on_poll: Callable[[], None]) -> Generator[None, None, int]:
        """Search in pieces, between which other workers may find better bounds (in the simulator: do find them)."""
        moves = generated_moves(task.position) if task.polls and task.depth > 0 else []
        if not moves:
            yield
            return self._whole(task)
        self._nodes[0] += 1
        is_max = task.position.is_max()
        bv = -WIN if is_max else WIN
        for move in moves:
            yield
            on_poll()
            alpha, beta = task.window
            window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
            if window[0] >= window[1]:
                break
            value = self.search(task.method, task.position.play(move), task.depth - 1, window, task.ply + 1)
            bv = max(bv, value) if is_max else min(bv, value)
        return bv

    def _whole(self, task: Task) -> int:
        alpha, beta = task.window
        if task.method == "improved" and not task.is_first:
            narrow = null_window((alpha, beta), task.parent.is_max)
            value = self.search(task.method, task.position, task.depth, narrow, task.ply)
            if not alpha < value < beta:
                return value
        return self.search(task.method, task.position, task.depth, task.window, task.ply)

    def search(self, method: str, position: Any, depth: int, window: Window, ply: int) -> int:
        if method == "minimax":
            return int(self.engine.minimax(position, depth, self.work, ply))
        if method == "alphabeta":
            return int(self.engine.alphabeta(position, depth, *window, self.work, ply))
        return int(self.engine.improved(position, depth, *window, self.work, self.table, ply))
