"""A strategy on more workers than there are processors: its schedule, played through by a clock that counts nodes.

The subtrees are really searched, one after another; only that they are searched at the same time is simulated.
"""

import heapq
from collections.abc import Generator
from functools import partial
from typing import Any

from abviz.engine.background import run_interruptible
from abviz.engine.compiler import prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import Switches, new_work
from abviz.errors import AbvizError, brief
from abviz.games.rules import checked_weights
from abviz.parallel.records import NODES, Recorder, Run, TaskLog
from abviz.parallel.scheduler import DEPTH, Worker
from abviz.parallel.split_tree import Window
from abviz.parallel.strategies import Plan, checked_count, plan_for

Pieces = Generator[None, None, int]
Subtree = tuple[Any, str, Any, int, Window, int]  # engine, method, position, depth, window, ply

MOST_HANDING = 10**9
MOST_CACHED = 1 << 16
_cache: dict[Subtree, tuple[int, int]] = {}  # value and nodes of subtrees: strategies share many


def simulate(
    position: Any,
    depth: int = DEPTH,
    *,
    strategy: str = "young-brothers",
    workers: int = 2,
    upper: int | None = None,
    handing: int = 0,
) -> Run:
    """Return the run of that strategy on `workers` workers, with times counted in nodes. It is the same each time.

    `handing` is the cost of handing a task out, in nodes: an engine that searches 40 million nodes a second searches
    800 in 20 µs. An interrupt ends the simulation.
    """
    if isinstance(handing, bool) or not isinstance(handing, int) or not 0 <= handing <= MOST_HANDING:
        raise AbvizError(f"handing is {brief(handing)}; expected a number of nodes, 0 to {MOST_HANDING:,}")
    plan = plan_for(position, depth, strategy, upper)
    simulator = Simulator(position, plan, checked_count("workers", workers), handing)
    return run_interruptible(simulator.run, simulator.stop)


class Simulator:
    """Events in the order of their time: a worker begins a piece of its task, or has finished the task."""

    def __init__(self, position: Any, plan: Plan, workers: int, handing: int):
        self.plan, self.handing, self.time, self.count = plan, handing, 0, 0
        self.worker = CachingWorker(position, plan.method)
        self.recorder = Recorder(position, plan.root.depth, workers, plan, NODES)
        self.idle = list(range(workers))
        self.busy: dict[int, TaskLog] = {}
        self.events: list[tuple[int, int, int, TaskLog, Pieces, int | None]] = []  # the last is the value, at the end

    def stop(self) -> None:
        """End at once, in the middle of a subtree too. Called from another thread."""
        self.worker.stop()

    def run(self) -> Run:
        self._hand_out()
        while self.events and not self.worker.stopped and not self.plan.finished:
            self.time, number, _, log, pieces, value = heapq.heappop(self.events)
            if self.busy.get(number) is not log:
                continue  # the task has been cancelled
            if value is None:
                self._schedule(0, log, pieces)
            else:
                self._end(log, value)
                self.plan.done(log.task, value)
                for other in [other for other in self.busy.values() if other.task.cancelled]:
                    self._end(other, None)
                self._hand_out()
        return self.recorder.run(self.time)

    def _hand_out(self) -> None:
        while self.idle and (task := self.plan.take()):
            number = self.idle.pop(0)
            log = self.busy[number] = self.recorder.begin(task, number, self.time)
            pieces = self.worker.pieces(task, partial(self._learn, log))
            self._schedule(self.handing, log, pieces)  # up to its first search

    def _learn(self, log: TaskLog) -> None:
        log.learn(self.time)

    def _schedule(self, cost: int, log: TaskLog, pieces: Pieces) -> None:
        """Search one piece; its end is an event. At equal times the lowest worker comes first, then the older event."""
        before, value = self.worker.nodes(), None
        try:
            next(pieces)
        except StopIteration as end:
            value = int(end.value)
        except Exception as problem:
            raise log.task.explained(problem) from None
        self.count += 1
        time = self.time + cost + self.worker.nodes() - before
        heapq.heappush(self.events, (time, log.worker, self.count, log, pieces, value))

    def _end(self, log: TaskLog, value: int | None) -> None:
        nodes = max(0, self.time - int(log.start) - self.handing)
        log.close(self.time, nodes, value)
        self.recorder.cpu[log.worker] += nodes
        del self.busy[log.worker]
        self.idle = sorted([*self.idle, log.worker])


class CachingWorker(Worker):
    """The one worker that really searches, and remembers what it has searched."""

    def __init__(self, position: Any, method: str):
        work, own = (new_work(Switches.none(), checked_weights(position, None)) for _ in range(2))
        super().__init__(0, prepared(position, method, work, new_table(2)), work, None)
        self.inner = Worker(0, self.engine, own, None)
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True
        self.inner.stop()

    def search(self, method: str, position: Any, depth: int, window: Window, ply: int) -> int:
        subtree = self.engine, method, position, depth, window, ply
        if subtree not in _cache:
            before = self.inner.nodes()
            value = self.inner.search(*subtree[1:])
            if self.stopped:  # in the middle of it
                return value
            if len(_cache) >= MOST_CACHED:
                _cache.clear()
            _cache[subtree] = value, self.inner.nodes() - before
        value, nodes = _cache[subtree]
        self.work.nodes += nodes
        return value
