"""A strategy on more workers than there are processors: its schedule, played through by a clock that counts nodes.

The subtrees are really searched, one after another; only that they are searched at the same time is simulated.
"""

import heapq
from collections.abc import Generator
from typing import Any

from abviz.engine.api import USUAL_DEPTH
from abviz.engine.background import run_interruptible
from abviz.engine.compiler import explained, prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import new_work
from abviz.games.rules import checked_weights
from abviz.parallel.records import NODES, Run, in_words
from abviz.parallel.scheduler import Worker
from abviz.parallel.split_tree import Task
from abviz.parallel.strategies import Plan, checked_count, plan_for

Pieces = Generator[None, None, int]
MOST_HANDING = 10**9
MOST_CACHED = 1 << 16
_cache: dict[Any, tuple[int, int]] = {}  # value and nodes of subtrees: strategies share many


def simulate(
    position: Any,
    depth: int = USUAL_DEPTH,
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
    checked_count("handing", handing, 0, MOST_HANDING)
    plan = plan_for(position, depth, strategy, upper)
    simulator = Simulator(position, plan, checked_count("workers", workers), handing, upper)
    return run_interruptible(simulator.run, simulator.worker.stop)


class Simulator:
    """Events in the order of their time: a worker begins a piece of its task, or has finished the task."""

    def __init__(self, position: Any, plan: Plan, workers: int, handing: int, upper: int | None):
        self.plan, self.handing, self.upper, self.time, self.count = plan, handing, upper, 0, 0
        self.worker, self.workers = CachingWorker(position, plan.method), workers
        self.begun: list[Task] = []
        self.busy: dict[int, Task] = {}  # by worker
        self.events: list[tuple[int, int, int, Task, Pieces, int | None]] = []  # the last is the value, at the end

    def run(self) -> Run:
        self._hand_out()
        while self.events and not self.worker.stopped and not self.plan.finished:
            self.time, _, _, task, pieces, value = heapq.heappop(self.events)
            if task.end is not None:
                continue  # it has been cancelled
            if value is None:
                self._schedule(0, task, pieces)
            else:
                self._end(task, value)
                self.plan.done(task, value)
                for other in [other for other in self.busy.values() if other.cancelled]:
                    self._end(other, None)
                self._hand_out()
        settings = in_words({"upper": self.upper, "handing": self.handing})
        depth = self.plan.root.depth
        return self.plan.record(self.begun, self.workers, self.time, depth=depth, clock=NODES, settings=settings)

    def _hand_out(self) -> None:
        while len(self.busy) < self.workers and (task := self.plan.take()):
            worker = next(number for number in range(self.workers) if number not in self.busy)
            task.begin(worker, self.time)
            self.busy[worker] = task
            self.begun.append(task)
            self._schedule(self.handing, task, self.worker.pieces(task, lambda: self.time))  # up to its first search

    def _schedule(self, cost: int, task: Task, pieces: Pieces) -> None:
        """Search one piece; its end is an event. At equal times the lowest worker comes first, then the older event."""
        before, value = self.worker.nodes(), None
        try:
            next(pieces)
        except StopIteration as end:
            value = int(end.value)
        except Exception as problem:
            raise explained(problem, task.position) from None
        self.count += 1
        time = self.time + cost + self.worker.nodes() - before
        heapq.heappush(self.events, (time, task.worker, self.count, task, pieces, value))

    def _end(self, task: Task, value: int | None) -> None:
        nodes = max(0, self.time - int(task.start) - self.handing)
        task.close(self.time, nodes, value, nodes)
        del self.busy[task.worker]


class CachingWorker(Worker):
    """The one worker that really searches, and remembers what it has searched."""

    def __init__(self, position: Any, method: str):
        work, self.stopped = new_work(None, checked_weights(position, None)), False
        super().__init__(0, prepared(position, method, work, new_table(2)), method, work, None)

    def stop(self) -> None:
        """End at once, in the middle of a subtree too. Called from another thread."""
        self.stopped = True
        super().stop()

    def search(self, *subtree: Any) -> int:
        key = self.engine, self.method, *subtree
        if key in _cache:
            value, nodes = _cache[key]
            self.work.nodes += nodes
            return value
        before, value = self.nodes(), super().search(*subtree)
        if not self.stopped:  # in the middle of it
            if len(_cache) >= MOST_CACHED:
                _cache.clear()
            _cache[key] = value, self.nodes() - before
        return value
