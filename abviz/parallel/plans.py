"""What is still to be searched: the upper part of the tree, and the tasks below it that workers take.

A plan knows nothing of threads, processes or clocks. Whoever carries it out calls `take()` when a worker is free and
`done(task, value)` when it has finished, one call at a time. The order in which tasks finish does not matter: the
plan ends with the value of the sequential search and with its move.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from abviz.engine.lines import found
from abviz.parallel.upper import FULL, Node, Task, Window, closed, under_way


class AnyPlan(Protocol):
    """What there is of a plan for those who carry it out."""

    name: str
    method: str
    nodes: int

    @property
    def root(self) -> Node: ...
    @property
    def finished(self) -> bool: ...
    @property
    def move(self) -> int | None: ...
    @property
    def progress(self) -> float: ...
    def take(self) -> Task | None: ...
    def done(self, task: Task, value: int) -> None: ...


class Plan:
    """A strategy is a plan that says how its tree is divided, and what is known when a task starts."""

    name: str
    method = "alphabeta"  # what searches a task
    shares = True  # a task starts with the bounds that have been found by then
    polls = False  # and reads them again while it runs
    alone = False  # one task at a time
    first_alone = False  # of every node that is divided, the first child is searched before the others begin
    upper = 1  # plies from the root whose moves are tasks of their own
    upper_improved = 1  # fewer for the improved search: it asks little of later moves, and tasks would be too small

    def __init__(self, position: Any, depth: int, upper: int | None = None, window: Window = FULL, memory: Any = None):
        self.upper = upper or (self.upper_improved if memory else self.upper)
        self.memory = memory  # of what has been found out about positions, for the improved search
        if memory:
            self.method, self.polls = "improved", False
        self.nodes = 0  # those of the upper tree
        self.cutoffs = 0
        self.window = window
        self.play = position.rules["play"]
        self._root = self.new_node(position, found(position), depth)
        self._finished = False
        self._better = False  # what is known of some node has changed: windows may have narrowed, and closed

    @property
    def root(self) -> Node:
        return self._root

    def divides(self, parent: Node, place: int) -> bool:
        """Whether that child is not one task, but is divided in its turn."""
        return parent.ply + 1 < self.upper

    def new_node(self, position: Any, moves: list[int], depth: int, parent: Node | None = None, place: int = 0) -> Node:
        self.nodes += 1
        node = Node(position, moves, depth, parent, place)
        if self.memory:
            self.memory.sort(node)
        return node

    @property
    def finished(self) -> bool:
        return self._finished

    @property
    def value(self) -> int | None:
        return self.root.bv if self.finished else None

    @property
    def move(self) -> int | None:
        """The best move so far."""
        return None if self.root.best is None else self.root.moves[self.root.best]

    @property
    def progress(self) -> float:
        return 1.0 if self.finished else self.root.progress

    def take(self) -> Task | None:
        """The next task; None while there is none to hand out."""
        chosen = None if self.finished else self.choose(self._offers(self.root, self.window))
        return self._begin(*chosen) if chosen else None

    def done(self, task: Task, value: int) -> None:
        if task.cancelled:
            return
        self._better = False
        self._hand_up(task, value)
        while self._better and (node := self._closed(self.root, self.window)):
            self._cut(node)
            self._hand_up(node, node.bv)
        self._finished = self.root.ended == len(self.root.moves) or self.root.is_closed(self.window)
        if self._finished:
            self._cut(self.root)

    def _offers(self, node: Node, window: Window) -> Iterator[tuple[Node, Window]]:
        """The nodes of which a child may be handed out. From the left and from below, as the sequential search goes."""
        for child in node.open:
            if isinstance(child, Node):
                yield from self._offers(child, child.asked or self.inside(node, window, child.place))
        if self._may_begin(node):
            yield node, window

    def choose(self, offers: Iterator[tuple[Node, Window]]) -> tuple[Node, Window] | None:
        return next(offers, None)

    def inside(self, node: Node, window: Window, place: int) -> Window:
        return node.narrowed(window, place) if self.shares else window

    def _may_begin(self, node: Node) -> bool:
        if node.begun == len(node.order) or (self.alone and node.open):
            return False
        return not self.first_alone or node.begun == 0 or node.ended > 0

    def _begin(self, node: Node, window: Window) -> Task:
        place = node.order[node.begun]
        node.begun += 1
        position = self.play(node.position, node.moves[place])
        inside = self.inside(node, window, place)
        moves = found(position) if node.depth > 1 and self.divides(node, place) else []
        if moves:
            child = self.new_node(position, moves, node.depth - 1, node, place)
            if self.memory and node.ended > 0:
                child.asked = closed(inside, node.is_max)
            node.open.append(child)
            return self._begin(child, child.asked or inside)
        task = Task(position, node.depth - 1, node, place, inside, self)
        node.open.append(task)
        return task

    def _hand_up(self, child: Node | Task, value: int) -> None:
        node = child.parent
        assert node is not None and child.place is not None
        if self.memory and isinstance(child, Node):
            self.memory.remember(child, self._window_of(child))
            alpha, beta = self.inside(node, self._window_of(node), child.place)
            if child.asked and (child.asked[1] <= value < beta if node.is_max else alpha < value <= child.asked[0]):
                child.begin_again()
                self._better = True
                self.memory.sort(child)
                return
        node.open.remove(child)
        node.ended += 1
        if node.is_better(value, child.place):
            node.bv, node.best = value, child.place
            self._better = True
        if node.parent and node.ended == len(node.moves):
            self._hand_up(node, node.bv)

    def _window_of(self, node: Node) -> Window:
        if node.parent is None:
            return self.window
        return node.asked or self.inside(node.parent, self._window_of(node.parent), node.place)

    def _closed(self, node: Node, window: Window) -> Node | None:
        """A node below whose window has closed, by what it has found or by what has been found elsewhere."""
        for child in node.open:
            inside = self.inside(node, window, child.place or 0)
            if isinstance(child, Task):
                child.window = inside
            elif child.is_closed(child.asked or inside):
                return child
            elif below := self._closed(child, child.asked or inside):
                return below
        return None

    def _cut(self, node: Node) -> None:
        self.cutoffs += node.ended < len(node.moves)
        for task in under_way(node):
            task.cancelled = True
