"""What a strategy would be like on more workers than there are processors: its schedule, played through by a clock that
counts nodes. The subtrees are really searched, one after another; only their being at the same time is pretended.
"""

import heapq
from collections.abc import Generator
from typing import Any

from abviz.engine.preparing import new_work_for, prepared
from abviz.engine.switches import Switches
from abviz.engine.table import new_table
from abviz.engine.waiting import aside
from abviz.errors import AbvizError, Stopped, brief
from abviz.games.scale import checked_weights
from abviz.parallel.checks import checked_count, checked_plan
from abviz.parallel.logbook import Entry, Logbook
from abviz.parallel.plans import Plan
from abviz.parallel.records import NODES, Run
from abviz.parallel.running import USUAL, explained
from abviz.parallel.upper import Window
from abviz.parallel.workers import Worker

Pieces = Generator[None, None, int]
Subtree = tuple[Any, str, Any, int, Window, int]  # engine, method, position, depth, window, ply

DEAREST = 10**9  # nodes that it may cost to hand a task out
MOST_KNOWN = 1 << 16
_known: dict[Subtree, tuple[int, int]] = {}  # of subtrees that were searched, their value and nodes


def simulate(
    position: Any,
    depth: int = USUAL,
    *,
    strategy: str = "young-brothers",
    workers: int = 2,
    upper: int | None = None,
    handing: int = 0,
) -> Run:
    """The run of that strategy on so many workers, all its times counted in nodes. It is the same each time.

    `handing` is what it costs to hand a task out, in nodes: an engine that searches 40 million nodes a second searches
    800 in 20 µs. An interrupt ends it.
    """
    if isinstance(handing, bool) or not isinstance(handing, int) or not 0 <= handing <= DEAREST:
        raise AbvizError(f"handing is {brief(handing)}; expected a number of nodes, 0 or more, {DEAREST:,} at most")
    plan = checked_plan(position, depth, strategy, upper)
    simulator = Simulator(position, plan, checked_count("workers", workers), handing)
    try:
        return aside(simulator.run, simulator.stop)
    except KeyboardInterrupt:
        raise Stopped from None


class Simulator:
    """Events in the order of their time: a worker begins a piece of its task, or has finished the task."""

    def __init__(self, position: Any, plan: Plan, workers: int, handing: int):
        self.plan, self.handing, self.time, self.count = plan, handing, 0, 0
        self.worker = Remembering(position, plan.method)
        self.log = Logbook(position, plan.root.depth, workers, plan, NODES)
        self.idle = list(range(workers))
        self.busy: dict[int, Entry] = {}
        self.events: list[tuple[int, int, int, Entry, Pieces, int | None]] = []  # the last is the value, at the end

    def stop(self) -> None:
        """Called from elsewhere: it ends at once, in the middle of a subtree too."""
        self.worker.stop()

    def run(self) -> Run:
        self._hand_out()
        while self.events and not self.worker.stopped:
            self.time, number, _, entry, pieces, value = heapq.heappop(self.events)
            if self.busy.get(number) is not entry:
                continue  # the task has been cancelled
            if value is None:
                self._search(number, entry, pieces)
            else:
                self._end(entry, value)
                self.plan.done(entry.task, value)
                for other in [other for other in self.busy.values() if other.task.cancelled]:
                    self._end(other, 0)
                self._hand_out()
            if self.plan.finished:
                break
        return self.log.run(self.time, self.plan)

    def _hand_out(self) -> None:
        """To each worker that has nothing to do a task, while there are any."""
        while self.idle and (task := self.plan.take()):
            number = self.idle.pop(0)
            entry = self.busy[number] = self.log.begin(task, number, self.time)
            pieces = self.worker.pieces(task, self._reading(entry))
            before = self.worker.nodes
            self._go_on(entry, pieces)  # up to its first search
            self._then(self.handing + self.worker.nodes - before, entry, pieces, None)

    def _reading(self, entry: Entry) -> Any:
        return lambda: entry.learn(self.time)

    def _search(self, number: int, entry: Entry, pieces: Pieces) -> None:
        before = self.worker.nodes
        value = self._go_on(entry, pieces)
        spent = self.worker.nodes - before
        self._then(spent, entry, pieces, value)

    def _go_on(self, entry: Entry, pieces: Pieces) -> int | None:
        """By one piece: the value, if it was the last."""
        try:
            next(pieces)
        except StopIteration as end:
            return int(end.value)
        except Exception as problem:
            raise explained(self.log.position, entry.task, problem) from None
        return None

    def _then(self, nodes: int, entry: Entry, pieces: Pieces, value: int | None) -> None:
        """Of events at the same time that of the lowest worker comes first, and of one worker the first that was."""
        self.count += 1
        heapq.heappush(self.events, (self.time + nodes, entry.worker, self.count, entry, pieces, value))

    def _end(self, entry: Entry, value: int) -> None:
        nodes = max(0, self.time - int(entry.start) - self.handing)
        entry.close(self.time, nodes, value)
        self.log.cpu[entry.worker] += nodes
        del self.busy[entry.worker]
        self.idle = sorted([*self.idle, entry.worker])


class Remembering(Worker):
    """The one worker that there really is. What it has searched once it knows: strategies share many subtrees."""

    def __init__(self, position: Any, method: str):
        work, own = (new_work_for(Switches.none(), checked_weights(position, None)) for _ in range(2))
        super().__init__(0, prepared(position, method, work, new_table(2)), work)
        self.searching = Worker(0, self.engine, own)
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True
        self.searching.stop()

    def search(self, method: str, position: Any, depth: int, window: Window, ply: int) -> int:
        subtree = self.engine, method, position, depth, window, ply
        value, nodes = _known.get(subtree) or self._searched(subtree)
        self.work.nodes += nodes
        return value

    def _searched(self, subtree: Subtree) -> tuple[int, int]:
        """Its value and its nodes."""
        before = int(self.searching.work.nodes)
        value = self.searching.search(*subtree[1:])
        found = value, int(self.searching.work.nodes) - before
        if self.stopped:  # in the middle of it
            return found
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[subtree] = found
        return found
