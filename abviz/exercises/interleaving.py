"""What the threads of an answer are rehearsed on: small trees, and the orders in which tasks can begin and end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises.mistakes import searching
from abviz.exercises.steps import BEGIN, GO, PAUSE, Step
from abviz.tree.model import Tree

NAMES = "ABCD"
SEARCH = searching()
ORDERS_OF_THREE = ((0, 1, 2), (2, 1, 0))
ORDERS_OF_FOUR = ((3, 2, 1, 0), (2, 1, 3, 0), (1, 3, 0, 2))


@dataclass(frozen=True)
class Case:
    """A tree, what happens on it in which order, and how many workers there are (0: a thread for each move)."""

    tree: Tree
    steps: tuple[Step, ...]
    workers: int = 0

    @property
    def paused(self) -> bool:
        return any(step.what == PAUSE for step in self.steps)

    @cached_property
    def values(self) -> list[Number]:
        return [SEARCH(child, -inf, inf) for child in self.tree.root.children]

    @cached_property
    def expected(self) -> tuple[str, Number]:
        best = first_best(self.values, self.tree.root.is_max)
        return self.tree.root.children[best].name, self.values[best]


def first_best(values: Sequence[Number], is_max: bool) -> int:
    return values.index(max(values) if is_max else min(values))


def interleavings(moves: int, workers: int, story: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """All orders in which that many tasks can begin and end, if workers take them one after the other."""
    begun = [step.move for step in story if step.what == BEGIN]
    ended = [step.move for step in story if step.what == GO]
    if len(ended) == moves:
        yield story
    taken = range(min(moves, len(ended) + workers))
    for move in taken:
        if move not in begun:
            yield from interleavings(moves, workers, (*story, Step(BEGIN, move)))
        elif move not in ended:
            yield from interleavings(moves, workers, (*story, Step(GO, move)))


def all_begin(order: Sequence[int]) -> tuple[Step, ...]:
    """All begin before one ends, and they end in this order."""
    return (*(Step(BEGIN, move) for move in range(len(order))), *(Step(GO, move) for move in order))


def overtaken(move: int, other: int, write: int, moves: int) -> tuple[Step, ...]:
    """The other ends while the first is about to write; the rest comes after them."""
    begin = [Step(BEGIN, 0), Step(BEGIN, 1)]
    rest = [Step(what, i) for i in range(2, moves) for what in (BEGIN, GO)]
    return (*begin, Step(PAUSE, move, write), Step(GO, other), Step(GO, move), *rest)


def _tree(values: Sequence[Any], to_move: str = "max") -> Tree:
    return Tree(dict(zip(NAMES, values, strict=False)), to_move=to_move)


def _turned(values: Any) -> Any:
    return [_turned(value) for value in values] if isinstance(values, list) else -values


def _both_players(values: Sequence[Any]) -> Iterator[Tree]:
    yield _tree(values)
    yield _tree([_turned(value) for value in values], "min")


def splitting() -> list[Case]:
    pairs: list[list[Any]] = [[0, 1], [1, 0], [1, 1], [-2, -1]]
    threes = [[0, 1, 2], [2, 0, 1], [1, 2, 2], [2, 1, 2], [2, 2, 1]]
    trees = [tree for values in (*pairs, threes[2]) for tree in _both_players(values)]
    trees += [*map(_tree, threes[:2]), *map(_tree, threes[3:]), _tree([[3, 5], [4, 6], [4, 9], [2, 7]])]
    cases = [
        Case(tree, all_begin(order))
        for tree in trees
        for order in (ORDERS_OF_FOUR if len(tree.root.children) == 4 else permutations(range(len(tree.root.children))))
    ]
    return cases + [
        Case(tree, overtaken(move, 1 - move, write, 2))
        for move, values in ((0, [0, 1]), (1, [1, 0]))
        for tree in _both_players(values)
        for write in (1, 2, 3)
    ]


def sharing() -> list[Case]:
    pairs: list[list[Any]] = [[[1, 0], [1, 2]], [[1, 2], [1, 3]], [[1, 2], [0, 3]]]
    threes = [[0, 1, -1], [1, 0, 2]]
    cases = [
        Case(tree, story, workers=2)
        for tree in (*(tree for values in pairs for tree in _both_players(values)), *map(_tree, threes))
        for story in interleavings(len(tree.root.children), 2)
    ]
    # As if there were a worker for each: who has no more than two lets the third wait.
    cases += [Case(tree, all_begin(order), workers=2) for tree in _both_players([1, 2, 2]) for order in ORDERS_OF_THREE]
    return cases + [
        Case(tree, overtaken(move, 1 - move, write, 3), workers=2)
        for move, values in ((0, [0, 1, -1]), (1, [1, 0, -1]))
        for tree in _both_players(values)
        for write in (1, 2, 3)
    ]
