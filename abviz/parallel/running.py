"""`parallel_search(position, depth, strategy="young-brothers", workers=2)`: one search on several workers."""

import os
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from time import perf_counter
from typing import Any
from weakref import WeakSet

from abviz.engine.lines import completed, named
from abviz.engine.preparing import new_work_for, prepared, told_simply
from abviz.engine.switches import Switches
from abviz.engine.table import new_table
from abviz.errors import AbvizError, Stopped, unknown
from abviz.games.scale import checked_weights
from abviz.parallel.checks import checked_count, checked_executor, checked_method, checked_plan, usual_workers
from abviz.parallel.deepening import Deepening
from abviz.parallel.errands import Terms
from abviz.parallel.logbook import Logbook
from abviz.parallel.plans import AnyPlan, Plan
from abviz.parallel.records import SECONDS, Run
from abviz.parallel.strategies.sequential import Sequential
from abviz.parallel.threads import Threads
from abviz.parallel.travelling import Travelling
from abviz.parallel.upper import Task
from abviz.parallel.workers import Worker

OPTIONS = ("strategy", "workers", "executor", "method", "upper", "weights")
TABLE = 1 << 20  # entries of the transposition table: 25 megabytes
USUAL = 12  # moves to look ahead


def parallel_search(position: Any, depth: int = USUAL, **told: Any) -> Run:
    """The best move of a position, searched by several workers at a time; the answer is the record of the run.

    parallel_search(position, 12, strategy="root", workers=4)      see STRATEGIES; "sequential" has one worker
    parallel_search(position, 16, method="improved")               moves sorted, and a table that all workers share
    parallel_search(position, 12, executor=ProcessPoolExecutor())  any executor of concurrent.futures; threads otherwise
    parallel_search(position, 12, upper=4)                         plies of the tree that are divided into tasks
    parallel_search(position, 12, weights={"men": 120})            of the features of the game's evaluation

    The value and the move are those of the sequential search, ties included. An interrupt ends it. To watch it while it
    runs: `start`, which takes the same.
    """
    return checked_running(position, depth, told).result()


def start(position: Any, depth: int = USUAL, **told: Any) -> "Running":
    """The same search, begun in the background."""
    return checked_running(position, depth, told).start()


def checked_running(position: Any, depth: int, told: dict[str, Any]) -> "Running":
    for name in told:
        if name not in OPTIONS:
            raise unknown("option", name, OPTIONS)
    return Running(position, depth, **told)


def line_of(position: Any, run: Run, weights: dict[str, int] | None = None) -> tuple[str, ...]:
    """The moves that both sides choose, from the run's move on: worked out after the run, in a moment."""
    if run.move is None or run.value is None:
        return ()
    work = new_work_for(Switches.none(), checked_weights(position, weights))
    engine = prepared(position, "alphabeta", work, new_table(2))
    return named(position, completed(engine, position, [position.find_move(run.move)], run.depth, run.value, work))


class Running:
    """One search on several workers: `start()` it, read its `record()` at any time, `stop()` it, take the `result()`.

    There are as many `workers` as the executor has, or two threads, unless told otherwise.
    `upper` is how many plies of the tree are divided into tasks, by strategies that divide more than the root.
    """

    def __init__(
        self,
        position: Any,
        depth: int = USUAL,
        *,
        strategy: str = "young-brothers",
        workers: int | None = None,
        executor: Executor | None = None,
        method: str = "alphabeta",
        upper: int | None = None,
        weights: dict[str, int] | None = None,
    ):
        plan = checked_plan(position, depth, strategy, upper)
        self.position, self.executor = position, checked_executor(executor)
        usual = 1 if isinstance(plan, Sequential) else usual_workers(executor)
        self.workers = checked_count("workers", usual if workers is None else workers)
        self.in_threads = executor is None or isinstance(executor, ThreadPoolExecutor)
        improved = checked_method(method, plan, self.in_threads) == "improved"
        self.switches = Switches() if improved else Switches.none()
        self.weights = checked_weights(position, weights)
        self.works = [new_work_for(self.switches, self.weights) for _ in range(self.workers)]
        self.table = new_table(TABLE if improved else 2)
        self.plan: AnyPlan = plan
        if improved:
            self.plan = Deepening(type(plan), position, depth, upper, self.table, self.works[0])
        self.log = Logbook(position, depth, self.workers, self.plan, SECONDS)
        if executor is not None and not self.in_threads:
            self.log.executor = type(executor).__name__
        self._carrier: Threads | Travelling | None = None
        self._lock = threading.RLock()
        self._started = self._stopped = False
        self._ended: Run | None = None
        self._problem: BaseException | None = None
        self._over = threading.Event()

    # for whoever waits

    def start(self) -> "Running":
        with self._lock:
            if self._started:
                return self
            self._started = True
        _under_way.add(self)
        threading.Thread(target=self._run, name="abviz parallel search", daemon=True).start()
        return self

    @property
    def done(self) -> bool:
        return self._over.is_set()

    def record(self) -> Run:
        """How it stands."""
        carrier = self._carrier
        if self._ended or carrier is None:
            return self._ended or self.log.run(0.0, self.plan)
        with carrier.lock:
            return self.log.run(carrier.time(), self.plan)

    def stop(self) -> None:
        """End it now; the result is a record that is not finished."""
        with self._lock:
            self._stopped = True
            if self._carrier:
                self._carrier.stop()
            elif self._started:  # what it needs is compiled still, and nobody has to wait for that
                self._end()

    def _end(self) -> None:
        with self._lock:
            time = self._carrier.time() if self._carrier else 0.0
            self._ended = self._ended or self.log.run(time, self.plan)
            self._over.set()

    def result(self) -> Run:
        """Wait for the end. An interrupt stops the search."""
        try:
            self.start()
            while not self._over.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
                pass
        except KeyboardInterrupt:
            self.stop()
            self._over.wait(1)
            raise Stopped(found_so_far(self.record())) from None
        except BaseException:
            self.stop()
            raise
        if self._problem is not None:
            raise self._problem
        assert self._ended is not None
        return self._ended

    # in its thread

    def _run(self) -> None:
        try:
            carrier = self._prepare()
            with self._lock:
                self._carrier = carrier
                if self._stopped:
                    carrier.stop()
            self._carry_out(carrier)
            self._end()
        except BaseException as problem:
            self._problem = None if self._ended else problem
            self._over.set()

    def _prepare(self) -> Threads | Travelling:
        """All that is done before the clock starts."""
        begin = perf_counter()
        engine = prepared(self.position, self.plan.method, self.works[0], self.table)
        self.log.compiled = perf_counter() - begin
        told = partial(explained, self.position)
        if self.in_threads:
            workers = [Worker(number, engine, work, self.table) for number, work in enumerate(self.works)]
            return Threads(self.plan, self.log, workers, told)
        polls = isinstance(self.plan, Plan) and self.plan.polls
        terms = Terms(type(self.position), self.plan.method, polls, self.switches, tuple(self.weights))
        return Travelling(self.plan, self.log, terms, self.workers, told)

    def _carry_out(self, carrier: Threads | Travelling) -> None:
        if isinstance(carrier, Travelling):
            assert self.executor is not None
            carrier.carry_out(self.executor)
        elif isinstance(self.executor, ThreadPoolExecutor):
            carrier.carry_out(self.executor)
        else:
            with ThreadPoolExecutor(self.workers, "abviz worker") as executor:
                carrier.carry_out(executor)


_under_way: WeakSet[Running] = WeakSet()


def _stop_all() -> None:
    for running in list(_under_way):
        running.stop()


# At its end Python waits for the threads of every pool before it calls what is registered with atexit: too late for a
# search that would go on for hours. This is called before it waits, as concurrent.futures has it for itself.
threading._register_atexit(_stop_all)  # type: ignore[attr-defined]
if hasattr(os, "register_at_fork"):  # a process that is forked has no threads but its own, and nothing under way
    os.register_at_fork(after_in_child=_under_way.clear)


def explained(position: Any, task: Task, problem: BaseException) -> BaseException:
    """What came of a task, with the move that it belongs to."""
    told = told_simply(problem, position)
    where = f"in the search of {position.move_name(task.path()[0])}" if task.path() else "in the search of the root"
    if isinstance(told, AbvizError):
        return AbvizError(f"{where}: {told}")
    told.add_note(where)
    return told


def found_so_far(run: Run) -> str:
    return f"{run.move}, the best of the moves that were finished" if run.move else ""
