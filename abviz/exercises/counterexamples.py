"""The trees that an answer is tried on, in order of size, and how a tree on which it is wrong is made smaller."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.tree.model import Node, Tree
from abviz.tree.nested import Row, with_names

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 800.
SMALL_TREES, RANDOM_TREES = 4_000, 200

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 5  # of a small tree
MOST_TIED_LEAVES = 4  # up to here every order of distinct values is tried, and equal leaves too
ORDERS = 40  # of the values of more leaves, for each shape


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first. MIN moves first in few."""
    trees = [
        (len(tree), leaves - len(set(values)), to_move, tree)
        for to_move in ("max", "min")
        for leaves in range(2, MOST_LEAVES + 1 if to_move == "max" else MOST_TIED_LEAVES)
        for number, shape in enumerate(_shapes(leaves))
        for values, tree in _filled(Tree(shape, to_move=to_move), _leaf_values(leaves, number))
    ]
    return tuple(tree for *_, tree in sorted(trees, key=lambda each: each[:3]))


def _leaf_values(leaves: int, seed: int) -> list[tuple[int, ...]]:
    """Return orders of distinct values around 0; of few leaves also of values above and below 0, and with ties."""
    starts = [-(leaves // 2), 1, -leaves] if leaves < MOST_TIED_LEAVES else [-(leaves // 2)]
    distinct = [values for start in starts for values in permutations(range(start, start + leaves))]
    if leaves > MOST_TIED_LEAVES:
        return random.Random(seed).sample(distinct, ORDERS)
    return distinct + [values for values in product((-1, 0, 1), repeat=leaves) if len(set(values)) < leaves]


def _shapes(leaves: int) -> Iterator[int | list[Any]]:
    """Yield all trees with that many leaves, each of them 0."""
    if leaves == 1:
        yield 0
    for cuts in range(1, min(MOST_CHILDREN, leaves)):
        for places in combinations(range(1, leaves), cuts):
            sizes = [end - start for start, end in pairwise((0, *places, leaves))]
            yield from map(list, product(*map(_shapes, sizes)))


def _filled(shape: Tree, values: Iterable[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], Tree]]:
    """Yield the tree with each of these rows of leaves. Validating it again would take most of the time."""
    places = [leaf.index for leaf in shape.leaves()]
    for leaves in values:
        rows = shape.rows()
        for index, value in zip(places, leaves, strict=True):
            rows[index] = rows[index]._replace(value=value)
        yield leaves, Tree.from_rows(rows)


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random_tree(random.Random(seed)) for seed in range(trees))


def _random_tree(chance: random.Random) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    rows: list[Row] = []
    plies = chance.choice(DEPTHS)
    widths = (2,) if plies == max(DEPTHS) else WIDTHS

    def grow(depth: int, is_max: bool, parent: int) -> None:
        is_leaf = depth == 0 or (depth < 3 and chance.random() < 0.2)
        rows.append(Row("", is_max, chance.randint(-LARGEST, LARGEST) if is_leaf else None, parent))
        index = len(rows) - 1
        for _ in range(0 if is_leaf else chance.choice(widths)):
            grow(depth - 1, is_max if chance.random() < 0.1 else not is_max, index)

    grow(plies, chance.choice([True, False]), -1)
    return Tree.from_rows(with_names(rows))


@cache
def far_trees() -> list[Tree]:
    """Return trees with leaves beyond 10, 100 and so on, which show a finite number in place of infinity."""
    far = [10**digits for digits in range(1, MOST_DIGITS + 1)]
    return [Tree([-n - 2, -n - 1]) for n in far] + [Tree([n + 1, n + 2], to_move="min") for n in far]


def is_far(tree: Tree) -> bool:
    return any(LARGEST < abs(leaf.value or 0) < inf for leaf in tree.leaves())


def shrunk(tree: Tree, first_wrong: Callable[[list[Tree]], Tree | None]) -> Tree:
    """Return the tree without all parts that can go; first_wrong(trees) is the first of them that shows the fault."""
    while smaller := first_wrong([each for each in _smaller(tree) if len(each) > 1]):
        tree = smaller
    return tree


def _smaller(tree: Tree) -> Iterator[Tree]:
    """Yield the tree with a child in its parent's place, or without a child, for every child."""
    for child in tree.nodes[1:]:
        parent = tree.parent(child) or tree.root
        below = {node.index for node in tree.below(child)}
        yield _without(tree, {node.index for node in tree.below(parent)} - below)
        if len(parent.children) > 2:
            yield _without(tree, below)


def _without(tree: Tree, removed: set[int]) -> Tree:
    rows, place = list[Row](), {-1: -1}
    for index, row in enumerate(tree.rows()):
        place[index] = place[row.parent] if index in removed else len(rows)
        if index not in removed:
            rows.append(row._replace(name="", parent=place[row.parent]))
    return Tree.from_rows(with_names(rows))


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    rows = zip(tree.nodes, tree.rows(), strict=True)
    return Tree.from_rows([row._replace(value=value(node)) for node, row in rows])
