"""`parallel_search(position, depth, strategy="adaptive")`: one search on several workers.

Searches are compiled and run without Python's lock. Between two tasks a thread holds it for some
microseconds.
"""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from threading import Thread
from time import perf_counter
from typing import Any, TypeAlias, TypedDict, Unpack

from abviz.capabilities import thread_time
from abviz.engine.api import COMPLETION, METHODS, USUAL_DEPTH, completed_line, move_names
from abviz.engine.backend import Searches, explained, prepared
from abviz.engine.background import BackgroundSearch
from abviz.engine.storage import is_compiled, new_table, new_work
from abviz.engine.workspace import NO_LIMIT, Switches, Table, Workspace
from abviz.errors import AbvizError, unknown
from abviz.games.rules import WIN, AnyPosition, Position, Weights, checked_weights, generated_moves
from abviz.parallel.executors import RemoteWorker, search_task
from abviz.parallel.granularity import HANDING, HANDING_TO_PROCESS, Sizes, counted_sizes
from abviz.parallel.records import SECONDS, Run, RunFields, in_words
from abviz.parallel.split_tree import FULL, Task, Window
from abviz.parallel.strategies import USUAL, Memory, Plan, checked_count, deepening, plan_for

TABLE = 1 << 20  # entries of the transposition table: 25 megabytes


class ParallelOptions(TypedDict, total=False):
    """The options of `parallel_search`, `start` and `ParallelSearch`."""

    strategy: str
    workers: int | None
    executor: Executor | None
    method: str
    upper: int | None
    weights: Weights | None


def parallel_search(
    position: AnyPosition, depth: int = USUAL_DEPTH, **options: Unpack[ParallelOptions]
) -> Run:
    """Search for the best move of a position with several workers; return the record of the run.

        parallel_search(position, 12)                           tasks worth their price ("adaptive")
        parallel_search(position, 12, strategy="root")          another strategy: see STRATEGIES
        parallel_search(position, 12, workers=4)                where two are the default
        parallel_search(position, 16, method="improved")        sorted moves, and a shared table
        parallel_search(position, 12, executor=pool)          any executor of concurrent.futures
        parallel_search(position, 12, upper=4)                  plies that are split into tasks
        parallel_search(position, 12, weights={"men": 120})     features of the game's evaluation

    The value and the move are those of the strategy "sequential", ties included. An interrupt ends
    the search. To watch it while it runs, use `start`, which takes the same options.
    """
    return start(position, depth, **options).result()


def start(
    position: AnyPosition, depth: int = USUAL_DEPTH, **options: Unpack[ParallelOptions]
) -> "ParallelSearch":
    """Begin the same search in the background, and return it at once."""
    return ParallelSearch(position, depth, **options).start()


def line_of(position: AnyPosition, run: Run, weights: Weights | None = None) -> tuple[str, ...]:
    """Return the moves that both sides choose, from the run's move on."""
    if run.move is None or run.value is None:
        return ()

    work = new_work(None, checked_weights(position, weights))
    work.limit = COMPLETION
    engine = prepared(position, "alphabeta", work, new_table(2))

    begin = [position.find_move(run.move)]
    line = completed_line(engine, position, begin, run.depth, run.value, work)
    return move_names(position, line)


AnyWorker: TypeAlias = "Worker | RemoteWorker"


class ParallelSearch(BackgroundSearch[Run]):
    """One search on several workers, in the background.

    Read its `record()` at any time, `stop()` it, or take the `result()`.

    By default there are two `workers`. `upper` is the number of plies that are split into tasks, by
    strategies that split more than the root.

    Each worker has a thread, which takes the worker's tasks itself and waits for no other thread.
    The plan and the tasks are touched only under the lock.
    """

    def __init__(
        self,
        position: AnyPosition,
        depth: int = USUAL_DEPTH,
        *,
        strategy: str = USUAL,
        workers: int | None = None,
        executor: Executor | None = None,
        method: str = "alphabeta",
        upper: int | None = None,
        weights: Weights | None = None,
    ):
        super().__init__(self._search, self._leave)
        self.plan = plan_for(position, depth, strategy, upper)
        _check_method(method, strategy, executor)
        self.position = position
        self.executor = executor
        self.weights = checked_weights(position, weights)

        default = 1 if self.plan.strategy.alone else 2
        number = checked_count("workers", default if workers is None else workers)
        self._fields: RunFields = {
            "depth": depth,
            "clock": SECONDS,
            "settings": in_words({"upper": upper}),
            "weights": in_words(weights),
            "executor": type(executor).__name__ if executor else "threads",
        }

        self._plans: Iterator[Plan]
        if method == "improved":
            self.works = [new_work(Switches(), self.weights) for _ in range(number)]
            self.table = new_table(TABLE)
            memory = Memory(self.table, self.works[0])
            self._plans = deepening(self.plan.strategy, position, depth, upper, memory)
        else:
            self.works = [new_work(None, self.weights) for _ in range(number)]
            self.table = new_table(2)
            self._plans = iter([self.plan])
        self.plan = next(self._plans)

        # How large the tasks are
        self.handing = HANDING_TO_PROCESS if executor else HANDING
        self._sizes = Sizes()  # of the iterations of a deepening search
        self._counted = 0  # nodes, up to the last iteration

        # What happens while it runs
        self._begin = 0.0
        self._preparation = 0.0  # CPU seconds
        self._begun: list[Task] = []
        self._changed = threading.Condition(self._lock)  # workers without a task wait for it
        self._workers: Sequence[AnyWorker] = []  # until they are ready, none

    def record(self) -> Run:
        """Return the record as it stands now."""
        with self._lock:
            if self.done and not self._future.exception():
                return self._future.result()

            run = self.plan.record(self._begun, len(self.works), self._time(), **self._fields)
            first, *others = run.cpu
            return replace(run, cpu=(first + self._preparation, *others))

    def _time(self) -> float:
        return perf_counter() - self._begin if self._workers else 0.0

    def _search(self) -> Run:
        """Return when the plan is finished or stopped."""
        method = self.plan.method
        engine = prepared(self.position, method, self.works[0], self.table)
        workers: Sequence[AnyWorker]
        if self.executor:
            workers = self._remote_workers(self.executor)
        else:
            workers = [
                Worker(number, engine, method, work, self.table)
                for number, work in enumerate(self.works)
            ]

        begin = perf_counter()
        cpu = thread_time()
        self._fit(Worker(0, engine, method, self.works[0], self.table))
        with self._lock:
            self._workers = workers
            self._begin = begin
            self._preparation = thread_time() - cpu

        # Python waits at its end for the threads of a pool, but not for these.
        needed = workers[:1] if self.plan.alone and not self.plan.memory else workers
        threads = [
            Thread(target=self._serve, args=(each,), name="abviz worker", daemon=True)
            for each in needed
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.record()

    def _remote_workers(self, executor: Executor) -> list[RemoteWorker]:
        """Return workers that send their tasks to the executor, once its processes are ready."""
        terms = type(self.position), self.plan.method, self.weights
        root = tuple(map(int, self.position))
        numbers = range(len(self.works))

        # Each process is busy loading what is compiled, so the next call goes to another.
        calls = [executor.submit(search_task, terms, root, 1, FULL, 0) for _ in numbers]
        for call in calls:
            call.result()
        return [RemoteWorker(number, executor, terms) for number in numbers]

    def _fit(self, counter: "Worker") -> None:
        """Let a plan that splits by size know the sizes; the counter searches to small depths."""
        if not self.plan.needs_sizes:
            return

        workers = len(self.works)
        if self.plan.memory:
            self.plan.fit(self._sizes, workers, self.handing)  # of the iterations before
        elif workers == 1:
            self.plan.fit(Sizes(), workers, self.handing)
        else:
            sizes = counted_sizes(counter.nodes_to(self.position), self.plan.root.depth)
            self.plan.fit(sizes, workers, self.handing)
            self.plan.nodes += counter.nodes()

    def _next_plan(self) -> None:
        """Go on to the next iteration, if there is one."""
        nodes = sum(int(work.nodes) for work in self.works)
        self._sizes.note(self.plan.root.depth, nodes - self._counted)
        self._counted = nodes

        following = next(self._plans, None)
        if following:
            self.plan = following
            if following.needs_sizes:
                following.fit(self._sizes, len(self.works), self.handing)

    def _serve(self, worker: "Worker | RemoteWorker") -> None:
        """Search tasks until none is left. An exception ends the work of all."""
        begin = thread_time()
        try:
            while task := self._take(worker):
                value, cpu = worker.run(task, self._time)
                if not self.executor:
                    # What the thread has computed since its last task, the planning too
                    now = thread_time()
                    cpu = now - begin
                    begin = now

                self._close(task, value, cpu)
        except BaseException as problem:
            with self._lock:
                if not self.done:
                    self._future.set_exception(explained(problem, self.position))
                self._stopped = True
                self._leave()

    def _close(self, task: Task, value: int, cpu: float) -> None:
        """Note the end of a task, and go on with the plan."""
        with self._lock:
            task.cancelled |= self._stopped
            task.close(self._time(), task.nodes, value, cpu)
            self.plan.done(task, value)

            is_end = self.plan.finished
            if is_end:
                self._next_plan()
            # To wake a worker for nothing costs time, too
            if is_end or not self.plan.alone:
                self._changed.notify_all()

    def _take(self, worker: "Worker | RemoteWorker") -> Task | None:
        with self._lock:
            while not (self._stopped or self.plan.finished):
                is_idle = self.plan.alone and worker.number > 0
                if not is_idle and (task := self.plan.take()):
                    worker.resume()
                    task.counter = worker.nodes
                    task.stop = worker.stop
                    task.begin(worker.number, self._time())
                    self._begun.append(task)
                    return task
                self._changed.wait()
        return None

    def _leave(self) -> None:
        for worker in self._workers:
            worker.stop()
        self._changed.notify_all()

        # A compiler, or another process, need not be waited for
        if self.executor or not self._workers:
            self._finish(self.record())


def _check_method(method: str, strategy: str, executor: Executor | None) -> None:
    """Raise AbvizError where the method is unknown, or does not go with the others."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)

    if method == "improved" and executor:
        raise AbvizError(
            "method improved needs a table that all workers share; expected no executor"
        )

    if method != "alphabeta" and (method == "minimax") != (strategy == "minimax"):
        raise AbvizError(
            f"method {method} with strategy {strategy}; expected minimax for both, or for neither"
        )


class Worker:
    """Searches tasks with compiled code and a work record that nothing else writes to."""

    def __init__(
        self,
        number: int,
        engine: Searches,
        method: str,
        work: Workspace,
        table: Table | None,
    ):
        if not is_compiled():
            raise AbvizError(
                "workers run compiled searches, and numba is not installed; "
                "expected it: pip install numba"
            )

        self.number = number
        self.engine = engine
        self.method = method
        self.work = work
        self.table = table

        # Arrays of one number, which are read 30 times as fast as `work.nodes`
        record: Any = work
        array: Any = record.base
        self._nodes = array["nodes"]
        self._limit = array["limit"]

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
        begin = thread_time()
        pieces = self.pieces(task, clock)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return int(end.value), thread_time() - begin

    def pieces(self, task: Task, clock: Callable[[], float]) -> Generator[None, None, int]:
        """Search in pieces, between which other workers may find better bounds.

        In the simulator they do.
        """
        moves = generated_moves(task.position) if task.polls and task.depth > 0 else []
        if not moves:
            yield
            return self._in_one_piece(task)

        self._nodes[0] += 1
        is_max = task.position.is_max()
        bv = -WIN if is_max else WIN
        for move in moves:
            yield
            alpha, beta = task.poll(clock())
            if is_max:
                alpha = max(alpha, bv)
            else:
                beta = min(beta, bv)
            if alpha >= beta:
                break

            after = task.position.play(move)
            value = self.search(after, task.depth - 1, (alpha, beta), task.ply + 1)
            bv = max(bv, value) if is_max else min(bv, value)
        return bv

    def _in_one_piece(self, task: Task) -> int:
        alpha, beta = task.window

        if self.method == "improved" and not task.is_first:
            # A null window asks whether it beats the best so far
            narrow = (alpha, alpha + 1) if task.parent.is_max else (beta - 1, beta)
            value = self.search(task.position, task.depth, narrow, task.ply)
            if not alpha < value < beta:
                return value

        return self.search(task.position, task.depth, (alpha, beta), task.ply)

    def nodes_to(self, position: Position) -> Callable[[int], int]:
        """Return a function that searches the position to a depth and counts the nodes."""

        def nodes(depth: int) -> int:
            before = self.nodes()
            self.search(position, depth, FULL, 0)
            return self.nodes() - before

        return nodes

    def search(self, position: Position, depth: int, window: Window, ply: int) -> int:
        if self.method == "minimax":
            return int(self.engine.minimax(position, depth, self.work, ply))

        alpha, beta = window
        if self.method == "improved":
            return int(
                self.engine.improved(position, depth, alpha, beta, self.work, self.table, ply)
            )
        return int(self.engine.alphabeta(position, depth, alpha, beta, self.work, ply))
