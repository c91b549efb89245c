"""`parallel_search(position, depth, strategy="young-brothers", workers=2)`: one search on several workers.

Searches are compiled and run without Python's lock. Between two tasks a thread holds it for some microseconds.
"""

import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor
from threading import Thread
from time import perf_counter, thread_time
from typing import Any

from abviz.engine.api import COMPLETION, METHODS, USUAL_DEPTH, completed_line, move_names
from abviz.engine.background import BackgroundSearch
from abviz.engine.compiler import explained, prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import NO_LIMIT, Switches, new_work
from abviz.errors import AbvizError, unknown
from abviz.games.rules import WIN, checked_weights, generated_moves
from abviz.parallel.executors import RemoteWorker, search_task
from abviz.parallel.records import SECONDS, Run, in_words
from abviz.parallel.split_tree import FULL, Task, Window
from abviz.parallel.strategies import Memory, Plan, checked_count, deepening, plan_for

TABLE = 1 << 20  # entries of the transposition table: 25 megabytes


def parallel_search(position: Any, depth: int = USUAL_DEPTH, **options: Any) -> Run:
    """Search for the best move of a position with several workers; return the record of the run.

    parallel_search(position, 12, strategy="root", workers=4)      see STRATEGIES; "sequential" has one worker
    parallel_search(position, 16, method="improved")               sorted moves, and a table that all workers share
    parallel_search(position, 12, executor=ProcessPoolExecutor())  any executor of concurrent.futures
    parallel_search(position, 12, upper=4)                         plies of the tree that are split into tasks
    parallel_search(position, 12, weights={"men": 120})            of the features of the game's evaluation

    The value and the move are those of the strategy "sequential", ties included. An interrupt ends the search. To watch
    it while it runs, use `start`, which takes the same options.
    """
    return start(position, depth, **options).result()


def start(position: Any, depth: int = USUAL_DEPTH, **options: Any) -> "ParallelSearch":
    """Begin the same search in the background, and return it at once."""
    return ParallelSearch(position, depth, **options).start()


def line_of(position: Any, run: Run, weights: dict[str, int] | None = None) -> tuple[str, ...]:
    """Return the moves that both sides choose, from the run's move on."""
    if run.move is None or run.value is None:
        return ()
    work = new_work(None, checked_weights(position, weights))
    work.limit = COMPLETION
    engine = prepared(position, "alphabeta", work, new_table(2))
    line = completed_line(
        engine, position, [position.find_move(run.move)], run.depth, run.value, work
    )
    return move_names(position, line)


class ParallelSearch(BackgroundSearch[Run]):
    """One search on several workers: read its `record()` at any time, `stop()` it, take the `result()`.

    By default there are two `workers`. `upper` is the number of plies that are split into tasks, by strategies that
    split more than the root.

    Each worker has a thread, which takes the worker's tasks itself and waits for no other thread. The plan and the
    tasks are touched only under the lock.
    """

    def __init__(
        self,
        position: Any,
        depth: int = USUAL_DEPTH,
        *,
        strategy: str = "young-brothers",
        workers: int | None = None,
        executor: Executor | None = None,
        method: str = "alphabeta",
        upper: int | None = None,
        weights: dict[str, int] | None = None,
    ):
        super().__init__(self._search, self._leave)
        if method not in METHODS:
            raise unknown("method", method, METHODS)
        if method == "improved" and executor:
            raise AbvizError(
                "method improved needs a table that all workers share; expected no executor"
            )
        self.plan = plan_for(position, depth, strategy, upper)
        if method != "alphabeta" and (method == "minimax") != (strategy == "minimax"):
            raise AbvizError(
                f"method {method} with strategy {strategy}; expected minimax for both, or for neither"
            )
        self.position, self.executor = position, executor
        default = 1 if self.plan.strategy.alone else 2
        number = checked_count("workers", default if workers is None else workers)
        improved = method == "improved"
        self.weights = checked_weights(position, weights)
        self._fields: dict[str, Any] = {
            "depth": depth,
            "clock": SECONDS,
            "settings": in_words({"upper": upper}),
        }
        self._fields |= {
            "weights": in_words(weights),
            "executor": type(executor).__name__ if executor else "threads",
        }
        self.works = [
            new_work(Switches() if improved else None, self.weights) for _ in range(number)
        ]
        self.table = new_table(TABLE if improved else 2)
        self._plans: Iterator[Plan] = iter([self.plan])
        if improved:
            memory = Memory(self.table, self.works[0])
            self._plans = deepening(self.plan.strategy, position, depth, upper, memory)
        self.plan = next(self._plans)
        self._begun: list[Task] = []
        self._changed = threading.Condition(self._lock)  # workers without a task wait for it
        self._workers: list[Any] = []  # until they are ready, none
        self._begin = 0.0

    def record(self) -> Run:
        """Return the record as it stands now."""
        with self._lock:
            if self.done and not self._future.exception():
                return self._future.result()
            return self.plan.record(self._begun, len(self.works), self._time(), **self._fields)

    def _time(self) -> float:
        return perf_counter() - self._begin if self._workers else 0.0

    def _search(self) -> Run:
        """Return when the plan is finished or stopped."""
        method, works = self.plan.method, enumerate(self.works)
        engine = prepared(self.position, method, self.works[0], self.table)
        workers: list[Any] = [
            Worker(number, engine, method, work, self.table) for number, work in works
        ]
        if self.executor:
            terms = type(self.position), method, self.weights
            root = tuple(map(int, self.position))
            # Each worker is busy loading what is compiled, so the next call goes to another.
            for future in [
                self.executor.submit(search_task, terms, root, 1, FULL, 0) for _ in workers
            ]:
                future.result()
            workers = [RemoteWorker(number, self.executor, terms) for number in range(len(workers))]
        with self._lock:
            self._workers, self._begin = workers, perf_counter()
        # Python waits at its end for the threads of a pool, but not for these.
        threads = [
            Thread(target=self._serve, args=(each,), name="abviz worker", daemon=True)
            for each in workers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.record()

    def _serve(self, worker: "Worker | RemoteWorker") -> None:
        """Search tasks until none is left. An exception ends the work of all."""
        try:
            while task := self._take(worker):
                value, cpu = worker.run(task, self._time)
                with self._lock:
                    task.cancelled |= self._stopped
                    task.close(self._time(), task.nodes, value, cpu)
                    self.plan.done(task, value)
                    if self.plan.finished:
                        self.plan = next(self._plans, self.plan)
                    self._changed.notify_all()
        except BaseException as problem:
            with self._lock:
                if not self.done:
                    self._future.set_exception(explained(problem, self.position))
                self._stopped = True
                self._leave()

    def _take(self, worker: "Worker | RemoteWorker") -> Task | None:
        with self._lock:
            while not (self._stopped or self.plan.finished):
                if task := self.plan.take():
                    worker.resume()
                    task.counter, task.stop = worker.nodes, worker.stop
                    task.begin(worker.number, self._time())
                    self._begun.append(task)
                    return task
                self._changed.wait()
        return None

    def _leave(self) -> None:
        for worker in self._workers:
            worker.stop()
        self._changed.notify_all()
        if (
            self.executor or not self._workers
        ):  # a compiler, or another process, need not be waited for
            self._finish(self.record())


class Worker:
    """Searches tasks with compiled code and a work record that nothing else writes to."""

    def __init__(self, number: int, engine: Any, method: str, work: Any, table: Any):
        self.number, self.engine, self.method, self.work, self.table = (
            number,
            engine,
            method,
            work,
            table,
        )
        # arrays of one number, which are read 30 times as fast as `work.nodes`
        self._nodes, self._limit = work.base["nodes"], work.base["limit"]

    def nodes(self) -> int:
        """Return all that it has searched so far; may be called at any time."""
        return int(self._nodes[0])

    def stop(self) -> None:
        """End what it searches now; the value is of no use. Called from another thread."""
        self._limit[0] = 0

    def resume(self) -> None:
        self._limit[0] = NO_LIMIT

    def run(self, task: Task, clock: Callable[[], float]) -> tuple[int, float]:
        """Return the value of the task, and the CPU seconds that it took."""
        begin, pieces = thread_time(), self.pieces(task, clock)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return int(end.value), thread_time() - begin

    def pieces(self, task: Task, clock: Callable[[], float]) -> Generator[None, None, int]:
        """Search in pieces, between which other workers may find better bounds (in the simulator: do find them)."""
        moves = generated_moves(task.position) if task.polls and task.depth > 0 else []
        if not moves:
            yield
            if (
                self.method == "improved" and not task.is_first
            ):  # a null window asks whether it beats the best so far
                alpha, beta = task.window
                narrow = (alpha, alpha + 1) if task.parent.is_max else (beta - 1, beta)
                value = self.search(task.position, task.depth, narrow, task.ply)
                if not alpha < value < beta:
                    return value
            return self.search(task.position, task.depth, task.window, task.ply)
        self._nodes[0] += 1
        is_max = task.position.is_max()
        bv = -WIN if is_max else WIN
        for move in moves:
            yield
            alpha, beta = task.poll(clock())
            window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
            if window[0] >= window[1]:
                break
            value = self.search(task.position.play(move), task.depth - 1, window, task.ply + 1)
            bv = max(bv, value) if is_max else min(bv, value)
        return bv

    def search(self, position: Any, depth: int, window: Window, ply: int) -> int:
        if self.method == "minimax":
            return int(self.engine.minimax(position, depth, self.work, ply))
        table = (self.table,) if self.method == "improved" else ()
        return int(
            getattr(self.engine, self.method)(position, depth, *window, self.work, *table, ply)
        )
