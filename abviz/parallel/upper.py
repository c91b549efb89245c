"""The upper part of the tree, as a search on several workers goes through it: nodes that are divided, and tasks."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from abviz.games.scale import WIN

if TYPE_CHECKING:
    from abviz.parallel.plans import Plan

Window = tuple[int, int]  # (α, β)
FULL: Window = (-WIN, WIN)


class Node:
    """A position of the upper tree, whose children are searched one by one or side by side."""

    def __init__(self, position: Any, moves: list[int], depth: int, parent: "Node | None" = None, place: int = 0):
        self.position, self.moves, self.depth, self.parent, self.place = position, moves, depth, parent, place
        self.ply: int = parent.ply + 1 if parent else 0
        self.is_max = bool(position.is_max())
        self.bv = -WIN if self.is_max else WIN
        self.first_wins = parent is None  # of equal moves, as in the sequential search
        self.best: int | None = None  # the place, among the moves, of the child that bv is from
        self.order = list(range(len(moves)))  # places, in the order in which they are searched
        self.begun = 0  # children that have been handed out, in that order
        self.ended = 0
        self.open: list[Node | Task] = []  # children that are being searched
        self.asked: Window | None = (
            None  # a closed window, where it is only asked whether it is better than its brothers
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The moves from the root to this position, in words."""
        return self.parent.names_to(self.place) if self.parent else ()

    def names_to(self, place: int) -> tuple[str, ...]:
        return (*self.names, self.position.move_name(self.moves[place]))

    def begin_again(self) -> None:
        """It is better: with its whole window."""
        self.bv, self.best, self.begun, self.ended, self.asked = (-WIN if self.is_max else WIN), None, 0, 0, None

    @property
    def progress(self) -> float:
        """The part of the children that have been searched, 0 to 1; those that are divided count in part."""
        return (self.ended + sum(child.progress for child in self.open if isinstance(child, Node))) / len(self.moves)

    def is_better(self, value: int, place: int) -> bool:
        """Of equal moves of the root the first wins, whoever was finished first. (Of others only the value counts.)"""
        if self.best is None:
            return True
        if value == self.bv:
            return self.first_wins and place < self.best
        return value > self.bv if self.is_max else value < self.bv

    def narrowed(self, window: Window, place: int) -> Window:
        """The window of the child at that place: what this node has found is a bound for its brothers."""
        alpha, beta = window
        if self.best is None:
            return window
        # A root move that stands before the best so far wins if it is equal to it. Below `bv` it must be told from it:
        # with α = bv a search may answer bv for a move that is worse. (Inside the tree only the value counts.)
        less = int(self.first_wins and place < self.best)
        return (max(alpha, self.bv - less), beta) if self.is_max else (alpha, min(beta, self.bv + less))

    def leads(self, place: int) -> bool:
        """Whether that child is on the line of first moves from the root."""
        return place == self.order[0] and (self.parent is None or self.parent.leads(self.place))

    def is_closed(self, window: Window) -> bool:
        """Whether bv has met the other side's bound, so that the children left need no search."""
        alpha, beta = window
        return self.bv >= beta if self.is_max else self.bv <= alpha


class Task:
    """A subtree that one worker searches. `window` may narrow while it runs, for those who look."""

    def __init__(self, position: Any, depth: int, parent: Node, place: int | None, window: Window, plan: "Plan"):
        self.position, self.depth, self.parent, self.place, self.window = position, depth, parent, place, window
        self.ply = parent.ply if place is None else parent.ply + 1  # None: the parent itself
        self.method, self.polls = plan.method, plan.polls
        self.eldest = parent.ended == 0  # no brother has been searched before
        self.cancelled = False

    @property
    def names(self) -> tuple[str, ...]:
        """The moves from the root to the position, in words."""
        return self.parent.names if self.place is None else self.parent.names_to(self.place)

    def path(self) -> list[int]:
        """The moves from the root to the position."""
        if self.place is None:
            return []
        moves = [self.parent.moves[self.place]]
        node = self.parent
        while node.parent:
            moves.append(node.parent.moves[node.place])
            node = node.parent
        return moves[::-1]


def closed(window: Window, is_max: bool) -> Window:
    """Nothing fits between these bounds: they only ask whether a child is better than its brothers, as most are not."""
    alpha, beta = window
    return (alpha, alpha + 1) if is_max else (beta - 1, beta)


def under_way(node: Node) -> Iterator[Task]:
    """The tasks below a node that workers are busy with."""
    for child in node.open:
        if isinstance(child, Task):
            yield child
        else:
            yield from under_way(child)
