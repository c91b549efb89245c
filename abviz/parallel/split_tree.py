"""The upper part of the game tree, which is split.

It has nodes, whose children are tasks, and the workers' tasks.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Optional

from abviz.games.rules import WIN, Position
from abviz.parallel.records import TaskRecord

Window = tuple[int, int]  # (α, β)
FULL: Window = (-WIN, WIN)


class Part:
    """A position below the root, or the root itself, and the window in which it is searched."""

    parent: Optional["Node"]

    def __init__(
        self,
        position: Position,
        depth: int,
        window: Window,
        parent: Optional["Node"] = None,
        place: int = 0,
    ):
        self.position = position
        self.depth = depth
        self.window = window  # which may narrow meanwhile
        self.parent = parent
        self.place = place  # of its move, among the parent's
        self.ply: int = parent.ply + 1 if parent else 0
        self.size = 0.0  # the nodes to expect below it, where tasks are split by size
        self.searched = 0  # nodes, by the tasks below it that have ended

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The moves from the root to this position, in words."""
        above = self.parent
        if above is None:
            return ()
        return (*above.names, above.position.move_name(above.moves[self.place]))


class Node(Part):
    """A position of the upper tree, whose children are searched one by one or at the same time."""

    def __init__(
        self,
        moves: list[int],
        position: Position,
        depth: int,
        window: Window,
        parent: Optional["Node"] = None,
        place: int = 0,
    ):
        super().__init__(position, depth, window, parent, place)
        self.moves = moves
        self.is_max = bool(self.position.is_max())
        self.bv = -WIN if self.is_max else WIN
        self.best: int | None = None  # the place, among the moves, of the child that bv is from
        self.first_wins = self.parent is None  # of equal root moves, as in the sequential search

        self.order = list(range(len(moves)))  # places, in the order in which they are searched
        self.begun = 0  # children handed out, in that order
        self.ended = 0
        self.open: list[Node | Task] = []  # children under way

    def is_better(self, value: int, place: int) -> bool:
        """Return whether a child's value beats the best so far.

        Among equal root moves the first wins, whichever ended first. Below the root only the value
        counts.
        """
        if self.best is None:
            return True
        if value == self.bv:
            return self.first_wins and place < self.best
        return value > self.bv if self.is_max else value < self.bv

    def narrowed(self, place: int) -> Window:
        """Return the window of the child at that place, which bv bounds until it has ended."""
        alpha, beta = self.window
        if self.best is None:
            return self.window

        # A root move that comes before the best so far wins if it equals it, so α must stay below
        # bv: with α = bv a fail-soft search may return bv for a move that is worse.
        room = int(self.first_wins and place < self.best)
        if self.is_max:
            return max(alpha, self.bv - room), beta
        return alpha, min(beta, self.bv + room)

    def is_leftmost(self, place: int) -> bool:
        """Return whether that child is on the line of first moves from the root."""
        if place != self.order[0]:
            return False
        return self.parent is None or self.parent.is_leftmost(self.place)

    @property
    def is_cut(self) -> bool:
        alpha, beta = self.window
        return self.bv >= beta if self.is_max else self.bv <= alpha


class Task(Part):
    """A subtree that one worker searches, and its times.

    Workers that poll its window see it narrow.
    """

    parent: Node

    def __init__(
        self,
        polls: bool,
        position: Position,
        depth: int,
        window: Window,
        parent: Node,
        place: int,
    ):
        super().__init__(position, depth, window, parent, place)
        self.polls = polls
        self.is_first = self.parent.ended == 0  # no sibling has been searched before
        self.cancelled = False

        # What its worker measures
        self.worker = 0
        self.start = 0.0
        self.end: float | None = None
        self.cpu = 0.0
        self.value: int | None = None
        self._nodes = 0

        # The worker's own: what it has searched so far, before this task and now; and how to end it
        self._before = 0
        self.counter: Callable[[], int] = int
        self.stop: Callable[[], object] = int

    def begin(self, worker: int, time: float) -> None:
        self.worker = worker
        self.start = time
        self._before = self.counter()
        self._windows = [(time, *self.window)]  # each that the worker has read

    def poll(self, time: float) -> Window:
        """Return the window as it is now, and note it if it has changed."""
        window = self.window
        if window != self._windows[-1][1:]:
            self._windows.append((time, *window))
        return window

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.counter() - self._before if self.end is None else self._nodes

    def close(self, time: float, nodes: int, value: int | None, cpu: float) -> None:
        self._nodes = nodes
        self.value = None if self.cancelled else value
        self.end = time
        self.cpu = cpu

    def record(self) -> TaskRecord:
        """Return what is known of the task now."""
        (_, alpha, beta), *learnt = self._windows
        return TaskRecord(
            move=self.names[0],
            path=self.names,
            worker=self.worker,
            start=self.start,
            end=self.end,
            nodes=self.nodes,
            alpha=alpha,
            beta=beta,
            value=self.value,
            learnt=tuple(learnt),
        )
