"""The improved search on several workers: to depth 1, 2, 3 …, each depth a plan of its own, over one table.

All workers read and write the transposition table, without a lock: an entry that two have written at once is known by
its key, and passed over. The upper tree uses what they have learnt.
"""

from typing import Any

import numpy as np

from abviz.engine.improving import remember, score
from abviz.engine.searching import ASPIRATION
from abviz.engine.table import AT_LEAST, AT_MOST, EXACT, recall, store
from abviz.engine.work import NO_MOVE
from abviz.games.scale import PROVEN, WIN
from abviz.parallel.plans import Plan
from abviz.parallel.upper import FULL, Node, Task, Window

DIVIDED = 6  # how many of the last depths are divided: those before are done sooner by one worker
GROWTH = 1.8
LEAST = 6  # and no depth less than this


class Deepening:
    """One plan after another, deeper each time. Whoever carries it out takes it for one plan."""

    method = "improved"

    def __init__(self, kind: type[Plan], position: Any, depth: int, upper: int | None, table: Any, work: Any):
        self.kind, self.name, self.position, self.depth, self.upper = kind, kind.name, position, depth, upper
        self.memory = Memory(table, work)
        self.finished = False
        self.nodes = self.cutoffs = 0
        self.plan = self._plan(1, FULL, divided=False)
        self.best = self.plan  # the last that was finished

    @property
    def root(self) -> Node:
        """With the best move and the value of the depth that was finished last."""
        return self.best.root

    @property
    def move(self) -> int | None:
        return self.best.move

    @property
    def progress(self) -> float:
        """Each depth takes about GROWTH times as long as the one before."""
        before, now = (GROWTH ** (self.plan.root.depth - i - self.depth) for i in (1, 0))
        return 1.0 if self.finished else before + (now - before) * self.plan.progress

    def take(self) -> Task | None:
        return None if self.finished else self.plan.take()

    def done(self, task: Task, value: int) -> None:
        if task.cancelled:  # perhaps one of a plan before
            return
        self.plan.done(task, value)
        if not self.plan.finished:
            return
        depth, bv = self.plan.root.depth, self.plan.root.bv
        self.nodes += self.plan.nodes
        self.cutoffs += self.plan.cutoffs
        alpha, beta = self.plan.window
        if not alpha < bv < beta:
            self.plan = self._plan(depth, FULL, not isinstance(self.plan, Whole))
            return
        if self.plan.root.best is None:  # the table did not know
            self.plan.root.best = self.best.root.best
        self.best = self.plan
        self.memory.remember(self.plan.root, FULL)
        last = depth == self.depth or WIN - abs(bv) <= depth
        if last and self.plan.root.first_wins and not isinstance(self.plan, Whole):
            self.finished = True
        elif last:
            self.plan = self._plan(depth, FULL, divided=True, first_wins=True)
        else:
            window = (bv - ASPIRATION, bv + ASPIRATION) if abs(bv) < PROVEN else FULL
            self.plan = self._plan(depth + 1, window, divided=depth >= max(LEAST, self.depth - DIVIDED))

    def _plan(self, depth: int, window: Window, divided: bool, first_wins: bool = False) -> Plan:
        """To find the first of equal moves costs something, and only at the last depth it matters."""
        plan = (self.kind if divided else Whole)(self.position, depth, self.upper, window, self.memory)
        plan.root.first_wins = first_wins or depth == self.depth
        return plan


class Whole(Plan):
    """A depth that is not divided: one task, which is the root."""

    def take(self) -> Task | None:
        if self.root.open:
            return None
        self.root.open.append(Task(self.root.position, self.root.depth, self.root, None, self.window, self))
        return self.root.open[0]  # type: ignore[return-value]

    def done(self, task: Task, value: int) -> None:
        known = self.memory.known(self.root) if self.memory else NO_MOVE
        self.root.bv, self.root.ended, self._finished = value, len(self.root.moves), True
        self.root.best = self.root.moves.index(known) if known in self.root.moves else None


class Memory:
    """The transposition table and one worker's killers and history, as the upper tree uses them."""

    def __init__(self, table: Any, work: Any):
        self.table, self.work = table.view(np.recarray), work

    def known(self, node: Node) -> int:
        """The best move that the table knows of."""
        return int(recall(self.table, node.position.key(), 0, 0, 0, node.ply)[2])

    def sort(self, node: Node) -> None:
        """First the move that the table knows, then as the search sorts them; ties stay in their order."""
        known = self.known(node)

        def worth(place: int) -> tuple[bool, int]:
            move = node.moves[place]
            return move == known, int(score(node.position, self.work, node.ply, move, node.is_max))

        node.order = sorted(range(len(node.moves)), key=worth, reverse=True)

    def remember(self, node: Node, window: Window) -> None:
        """A node that has been searched, or cut."""
        if node.best is None:
            return
        move = node.moves[node.best]
        if node.is_closed(window):
            remember(self.work, node.ply, node.depth, move, node.is_max)
        kind = AT_MOST if node.bv <= window[0] else AT_LEAST if node.bv >= window[1] else EXACT
        store(self.table, node.position.key(), node.depth, node.bv, kind, move, node.ply)
