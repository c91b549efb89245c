"""The strategies: how each splits the tree into tasks, and what a task knows when it starts.

A plan knows nothing of threads, processes or clocks. A scheduler calls `take()` when a worker is free and
`done(task, value)` when a task has ended, one call at a time. In whatever order tasks end, the plan ends with the value
and the move of the sequential search.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from abviz.engine.api import ASPIRATION
from abviz.engine.improvements import remember, score
from abviz.engine.transposition_table import AT_LEAST, AT_MOST, EXACT, recall, store
from abviz.engine.workspace import NO_MOVE
from abviz.errors import AbvizError, brief, unknown
from abviz.games.rules import PROVEN, WIN, checked_depth, generated_moves
from abviz.games.validation import check_game
from abviz.parallel.split_tree import FULL, Node, Task, Window

Offer = tuple[Node, Window]  # a node that has a child to hand out, and the node's window


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """Which nodes are split into tasks, which tasks may run at the same time, and which bounds they start with."""

    name: str
    method: str = "alphabeta"  # what searches a task
    shares: bool = True  # a task starts with the bounds found before it
    polls: bool = False  # and reads them again while it runs
    alone: bool = False  # one task at a time
    first_alone: bool = False  # at every split node, the first child is searched before its siblings begin
    upper: int = 1  # plies from the root whose moves become tasks
    upper_improved: int = 1  # fewer for the improved search, whose later moves are too small to split
    on_line_only: bool = False  # below the root, split only nodes on the line of first moves
    deeper_on_line: int = 0  # more plies on that line: at the beginning there is nothing else to do
    avoids_waste: bool = False  # prefer a node where a cut, which wastes the tasks under way, is unlikely


_ALL = (
    # One root move after the other, as one worker does it: the baseline of all others.
    Strategy(name="sequential", alone=True),
    # Minimax with a task for each root move: without bounds, splitting loses nothing.
    Strategy(name="minimax", method="minimax", shares=False),
    # A task for each root move, each with the full window. A bad move is searched to its end although a good one has
    # been found already.
    Strategy(name="root", shares=False),
    # A task for each root move, which starts with the best value so far as its α.
    Strategy(name="shared"),
    # As shared; a task also reads α again each time it is back at its first ply.
    Strategy(name="polling", polls=True),
    # The first move alone, then the others at the same time: none of them starts without an α.
    Strategy(name="first-move", first_alone=True),
    # First-move at every node on the line of first moves: below the first move, its replies are tasks as well.
    Strategy(name="pv-split", first_alone=True, upper=4, upper_improved=3, on_line_only=True),
    # Young brothers wait: at every split node the first child alone, then its brothers at the same time. If a brother
    # cuts, the others are no longer needed: they are cancelled.
    Strategy(name="young-brothers", first_alone=True, polls=True, upper=3, deeper_on_line=2, avoids_waste=True),
)
STRATEGIES = {strategy.name: strategy for strategy in _ALL}
UNLIKELY = 2  # children that have not cut; after these, the next will hardly cut either
MOST = 256  # workers, and plies of the upper tree


def plan_for(position: Any, depth: int, strategy: str, upper: int | None) -> "Plan":
    """Return the plan of a search; bad input raises an AbvizError."""
    check_game(position)
    if position.over():
        raise AbvizError("the game is over in this position; expected one with a move to search for")
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        raise unknown("strategy", strategy, STRATEGIES)
    upper = None if upper is None else checked_count("upper", upper)
    return Plan(STRATEGIES[strategy], position, checked_depth(depth), upper)


def checked_count(name: str, value: Any, least: int = 1, most: int = MOST) -> int:
    if type(value) is not int or not least <= value <= most:
        raise AbvizError(f"{name} is {brief(value)}; expected a whole number, {least} to {most:,}")
    return value


class Plan:
    """The tree above the tasks, split by a strategy."""

    def __init__(
        self,
        strategy: Strategy,
        position: Any,
        depth: int,
        upper: int | None = None,
        window: Window = FULL,
        memory: "Memory | None" = None,
    ):
        self.strategy, self.window, self.memory = strategy, window, memory
        self.upper = upper or (strategy.upper_improved if memory else strategy.upper)
        self.method = "improved" if memory else strategy.method
        self.polls = strategy.polls and not memory
        self.nodes = 0  # of the upper tree
        self.play = position.rules["play"]
        self.root = self._node(position, generated_moves(position), depth)
        self.finished = False
        self._improved = False  # some bv has improved: windows have narrowed, and perhaps closed

    # what a scheduler calls

    @property
    def move(self) -> int | None:
        """The best move so far."""
        return None if self.root.best is None else self.root.moves[self.root.best]

    @property
    def progress(self) -> float:
        return 1.0 if self.finished else self.root.progress

    def take(self) -> Task | None:
        """Return the next task; None while there is none to hand out."""
        offer = None if self.finished else self._choose(self._offers(self.root, self.window))
        return self._begin(*offer) if offer else None

    def done(self, task: Task, value: int) -> None:
        if task.cancelled:
            return
        self._improved = False
        self._return(task, value)
        while self._improved and (node := self._narrow(self.root, self.window)):
            self._cut(node)
            self._return(node, node.bv)
        self.finished = self.root.ended == len(self.root.moves) or self.root.is_cut(self.window)
        if self.finished:
            self._cut(self.root)

    # how it works

    def _choose(self, offers: Iterator[Offer]) -> Offer | None:
        """Return the node whose next child becomes a task. Offers come from the left and from below."""
        if not self.strategy.avoids_waste:
            return next(offers, None)
        return max(offers, key=lambda offer: (not offer[0].open, min(offer[0].ended, UNLIKELY)), default=None)

    def _splits(self, parent: Node, place: int) -> bool:
        """Return whether that child is split in its turn, and not one task."""
        ply = parent.ply + 1
        if parent.is_leftmost(place):
            return ply < self.upper + self.strategy.deeper_on_line
        return ply < self.upper and not self.strategy.on_line_only

    def _node(self, position: Any, moves: list[int], depth: int, parent: Node | None = None, place: int = 0) -> Node:
        self.nodes += 1
        node = Node(position, moves, depth, parent, place)
        if self.memory:
            self.memory.sort(node)
        return node

    def _offers(self, node: Node, window: Window) -> Iterator[Offer]:
        for child in node.open:
            if isinstance(child, Node):
                yield from self._offers(child, self._inside(node, window, child.place))
        waits = (self.strategy.alone and node.open) or (self.strategy.first_alone and node.begun and not node.ended)
        if node.begun < len(node.order) and not waits:
            yield node, window

    def _inside(self, node: Node, window: Window, place: int) -> Window:
        return node.narrowed(window, place) if self.strategy.shares else window

    def _begin(self, node: Node, window: Window) -> Task:
        place = node.order[node.begun]
        node.begun += 1
        position = self.play(node.position, node.moves[place])
        inside = self._inside(node, window, place)
        moves = generated_moves(position) if node.depth > 1 and self._splits(node, place) else []
        if moves:
            child = self._node(position, moves, node.depth - 1, node, place)
            node.open.append(child)
            return self._begin(child, inside)
        task = Task(position, node.depth - 1, node, place, inside, self)
        node.open.append(task)
        return task

    def _return(self, child: Node | Task, value: int) -> None:
        node = child.parent
        assert node is not None and child.place is not None
        if self.memory and isinstance(child, Node):
            self.memory.remember(child, self._window_of(child))
        node.open.remove(child)
        node.ended += 1
        if node.is_better(value, child.place):
            node.bv, node.best = value, child.place
            self._improved = True
        if node.parent and node.ended == len(node.moves):
            self._return(node, node.bv)

    def _window_of(self, node: Node) -> Window:
        if node.parent is None:
            return self.window
        return self._inside(node.parent, self._window_of(node.parent), node.place)

    def _narrow(self, node: Node, window: Window) -> Node | None:
        """Narrow the windows of the tasks under way; return a node that is cut by a bound found here or elsewhere."""
        for child in node.open:
            inside = self._inside(node, window, child.place or 0)
            if isinstance(child, Task):
                child.window = inside
            elif child.is_cut(inside):
                return child
            elif below := self._narrow(child, inside):
                return below
        return None

    def _cut(self, node: Node) -> None:
        for task in node.tasks():
            task.cancelled = True


# The improved search: iterative deepening, one plan a depth, over one transposition table. All workers read and write
# the table without a lock: an entry that two have written at once fails its check and is ignored.


class Deepening(Plan):
    """To depth 1, 2, 3 …, each depth a plan of its own; a scheduler sees one plan."""

    SPLIT = 6  # the last depths are split: one worker is quicker at those before
    SHALLOWEST = 6  # and no depth below this one is
    GROWTH = 1.8  # each depth takes about so many times as long as the one before

    def __init__(self, strategy: Strategy, position: Any, depth: int, upper: int | None, table: Any, work: Any):
        self.strategy, self.position, self.depth, self.upper = strategy, position, depth, upper or 0
        self.method, self.finished, self.nodes = "improved", False, 0
        self.memory: Memory = Memory(table, work)
        self.plan = self._plan_to(1, FULL, split=False)
        self.root = self.plan.root  # of the deepest that has finished

    @property
    def progress(self) -> float:
        before, after = (self.GROWTH ** (self.plan.root.depth - i - self.depth) for i in (1, 0))
        return 1.0 if self.finished else before + (after - before) * self.plan.progress

    def take(self) -> Task | None:
        return None if self.finished else self.plan.take()

    def done(self, task: Task, value: int) -> None:
        if task.cancelled:  # perhaps one of an earlier plan
            return
        self.plan.done(task, value)
        if not self.plan.finished:
            return
        root = self.plan.root
        self.nodes += self.plan.nodes
        alpha, beta = self.plan.window
        if not alpha < root.bv < beta:
            self.plan = self._plan_to(root.depth, FULL, not isinstance(self.plan, Unsplit))
            return
        if root.best is None:  # the table did not have it
            root.best = self.root.best
        self.root = root
        self.memory.remember(root, FULL)
        last = root.depth == self.depth or WIN - abs(root.bv) <= root.depth
        if last and root.first_wins and not isinstance(self.plan, Unsplit):
            self.finished = True
        elif last:
            self.plan = self._plan_to(root.depth, FULL, split=True, first_wins=True)
        else:
            window = (root.bv - ASPIRATION, root.bv + ASPIRATION) if abs(root.bv) < PROVEN else FULL
            split = root.depth >= max(self.SHALLOWEST, self.depth - self.SPLIT)
            self.plan = self._plan_to(root.depth + 1, window, split)

    def _plan_to(self, depth: int, window: Window, split: bool, first_wins: bool = False) -> Plan:
        """Finding the first of equal moves costs something, and matters only at the last depth."""
        kind = Plan if split else Unsplit
        plan = kind(self.strategy, self.position, depth, self.upper or None, window, self.memory)
        plan.root.first_wins = first_wins or depth == self.depth
        return plan


class Unsplit(Plan):
    """A depth that is one task: the root itself."""

    def take(self) -> Task | None:
        if self.root.open:
            return None
        task = Task(self.root.position, self.root.depth, self.root, None, self.window, self)
        self.root.open.append(task)
        return task

    def done(self, task: Task, value: int) -> None:
        move = self.memory.best_move(self.root) if self.memory else NO_MOVE
        self.root.bv, self.root.ended, self.finished = value, len(self.root.moves), True
        self.root.best = self.root.moves.index(move) if move in self.root.moves else None


class Memory:
    """The transposition table and one worker's killers and history, as the upper tree uses them."""

    def __init__(self, table: Any, work: Any):
        self.table, self.work = table.view(np.recarray), work

    def best_move(self, node: Node) -> int:
        return int(recall(self.table, node.position.key(), 0, 0, 0, node.ply)[2])

    def sort(self, node: Node) -> None:
        """Put the table's move first, the others as the search sorts them; ties stay in their order."""
        best = self.best_move(node)

        def priority(place: int) -> tuple[bool, int]:
            move = node.moves[place]
            return move == best, int(score(node.position, self.work, node.ply, move, node.is_max))

        node.order = sorted(range(len(node.moves)), key=priority, reverse=True)

    def remember(self, node: Node, window: Window) -> None:
        """Store a node that has been searched, or cut."""
        if node.best is None:
            return
        move = node.moves[node.best]
        if node.is_cut(window):
            remember(self.work, node.ply, node.depth, move, node.is_max)
        kind = AT_MOST if node.bv <= window[0] else AT_LEAST if node.bv >= window[1] else EXACT
        store(self.table, node.position.key(), node.depth, node.bv, kind, move, node.ply)
