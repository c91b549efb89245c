"""The trees that an answer is tried on, in order of size, and the smallest of them that shows its fault."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises.verdict import as_lists
from abviz.tree.model import Node, Tree

Nested = Any  # a number, a list of these, or the long form {"children": […], "to_move": …}
FirstWrong = Callable[[Sequence[Tree]], Tree | None]  # returns the first of the trees that shows a fault

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 1,500.
SMALL_TREES, RANDOM_TREES = 9_000, 300

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 5  # of a small tree; every order of so many distinct values is tried
MOST_TIED_LEAVES = 4  # up to here equal leaves are tried too


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return all small trees by number of nodes, those with the fewest equal leaves first. MAX moves at the root."""
    nested = [
        (_nodes(shape), leaves - len(set(values)), i, _filled(shape, iter(values)))
        for leaves in range(2, MOST_LEAVES + 1)
        for shape in _shapes(leaves)
        for i, values in enumerate(_values(leaves))
    ]
    return tuple(Tree(tree) for *_, tree in sorted(nested, key=lambda each: each[:3]))


@cache
def smallest_trees() -> tuple[Tree, ...]:
    """Return the small trees with at most MOST_TIED_LEAVES leaves."""
    return tuple(tree for tree in small_trees() if sum(1 for _ in tree.leaves()) <= MOST_TIED_LEAVES)


@cache
def min_roots(trees: int) -> tuple[Tree, ...]:
    """Return trees whose root is a MIN node: all pairs of −3 … 3, and that many of the small trees."""
    pairs = [Tree(list(pair), to_move="min") for pair in permutations(range(-3, 4), 2)]
    return *pairs, *(Tree(as_lists(tree), to_move="min") for tree in small_trees()[:trees])


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random(random.Random(seed)) for seed in range(trees))


@cache
def far_trees() -> tuple[Tree, ...]:
    """Return trees with leaves beyond 10, 100 and so on, which show a finite number in place of infinity."""
    return tuple(
        tree
        for far in (10**digits for digits in range(1, MOST_DIGITS + 1))
        for tree in (
            Tree([-far - 2, -far - 1]),
            Tree([far + 1, far + 2], to_move="min"),
            Tree([[far + 1, far + 2], [far + 3, far + 4]]),
        )
    )


def is_far(tree: Tree) -> bool:
    return any(LARGEST < abs(leaf.value or 0) < inf for leaf in tree.leaves())


def shrunk(tree: Tree, first_wrong: FirstWrong) -> Tree:
    """Return a random tree with parts left out, values closer to 0, and leaves that differ where the fault allows."""
    while smaller := first_wrong([_tree(each) for each in _smaller(_long_form(tree.root)) if isinstance(each, dict)]):
        tree = smaller
    return _distinct(tree, first_wrong)


def _smaller(nested: Nested) -> Iterator[Nested]:
    """Yield everything that is one change smaller."""
    if not isinstance(nested, dict):
        if nested:
            yield nested - 1 if nested > 0 else nested + 1
        return
    children = nested["children"]
    yield from children  # one of them in its parent's place
    for i, child in enumerate(children):
        if len(children) > 2:
            yield nested | {"children": [*children[:i], *children[i + 1 :]]}
        for less in _smaller(child):
            yield nested | {"children": [*children[:i], less, *children[i + 1 :]]}


def _distinct(tree: Tree, first_wrong: FirstWrong) -> Tree:
    """Return the tree with distinct leaves near 0 in the same order (equal ones in either order), if it can be."""
    leaves = list(tree.leaves())
    values = [leaf.value or 0 for leaf in leaves]
    if len(set(values)) == len(values):
        return tree
    candidates = []
    for direction in (1, -1):
        order = sorted(range(len(values)), key=lambda place: (values[place], direction * place))
        for below in sorted(range(len(values) + 1), key=lambda below: abs(2 * below - len(values))):
            ranks = {leaves[place].name: rank - below for rank, place in enumerate(order)}
            candidates.append(revalued(tree, lambda node: ranks.get(node.name)))  # noqa: B023
    return first_wrong(candidates) or tree


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    return _tree(_long_form(tree.root, value))


def _tree(nested: Nested) -> Tree:
    return Tree(nested, to_move=nested["to_move"]) if isinstance(nested, dict) else Tree(nested)


def _long_form(node: Node, value: Callable[[Node], Number | None] = lambda node: node.value) -> Nested:
    if node.is_leaf:
        return value(node)
    children = [_long_form(child, value) for child in node.children]
    return {"children": children, "to_move": "max" if node.is_max else "min", "value": value(node)}


def _filled(shape: Nested, values: Iterator[Any]) -> Nested:
    """Return the nested lists with other leaves."""
    return [_filled(part, values) for part in shape] if isinstance(shape, list) else next(values)


def _random(chance: random.Random) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    plies = chance.choice(DEPTHS)
    widths = (2,) if plies == max(DEPTHS) else WIDTHS

    def grown(depth: int, to_move: str) -> Nested:
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-LARGEST, LARGEST)
        other = {"max": "min", "min": "max"}[to_move]
        again = to_move if chance.random() < 0.1 else other
        below = [grown(depth - 1, again) for _ in range(chance.choice(widths))]
        return {"children": below, "to_move": to_move}

    return _tree(grown(plies, chance.choice(["max", "min"])))


def _values(leaves: int) -> list[tuple[int, ...]]:
    """Return all orders of so many distinct values: around 0, above and below it; of few leaves also with ties."""
    middle, above, below = range(-(leaves // 2), leaves - leaves // 2), range(1, leaves + 1), range(-leaves, 0)
    ranges = (middle, above, below) if leaves < MOST_LEAVES else (middle,)
    distinct = [order for values in ranges for order in permutations(values)]
    if leaves > MOST_TIED_LEAVES:
        return distinct
    return distinct + [tied for tied in product(range(-1, leaves - 1), repeat=leaves) if len(set(tied)) < leaves]


def _shapes(leaves: int) -> Iterator[Nested]:
    """Yield all trees with so many leaves, each leaf 0."""
    if leaves == 1:
        yield 0
    for children in range(2, min(MOST_CHILDREN, leaves) + 1):
        for parts in product(range(1, leaves), repeat=children):
            if sum(parts) == leaves:
                yield from map(list, product(*(list(_shapes(part)) for part in parts)))


def _nodes(shape: Nested) -> int:
    return 1 + sum(map(_nodes, shape)) if isinstance(shape, list) else 1
