"""The trees that an answer is tried on, in order of size, and how a tree on which it is wrong is made smaller."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

from abviz.errors import Number
from abviz.tree.model import Node, Tree

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 800.
SMALL_TREES, RANDOM_TREES = 1_400, 200

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (1, 2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 4  # of a small tree


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first. MIN moves first in few."""
    trees = []
    for leaves, to_move in [*product(range(2, MOST_LEAVES + 1), ["max"]), (2, "min"), (3, "min")]:
        orders = permutations(range(-(leaves // 2), leaves - leaves // 2))
        for values in dict.fromkeys([*orders, *product((-1, 0, 1), repeat=leaves)]):
            ties = leaves - len(set(values))
            trees += [(ties, Tree(shape, to_move=to_move)) for shape in _shapes(values)]
    return tuple(tree for _, tree in sorted(trees, key=lambda each: (len(each[1]), each[0])))


def _shapes(values: Sequence[int]) -> Iterator[Any]:
    """Yield all trees with these leaves, from left to right."""
    if len(values) == 1:
        yield values[0]
    for cuts in range(1, min(MOST_CHILDREN, len(values))):
        for places in combinations(range(1, len(values)), cuts):
            parts = [values[start:end] for start, end in pairwise((0, *places, len(values)))]
            yield from map(list, product(*map(_shapes, parts)))


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random_tree(random.Random(seed)) for seed in range(trees))


def _random_tree(chance: random.Random) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    plies = chance.choice(DEPTHS)
    widths = (2,) if plies == max(DEPTHS) else WIDTHS
    again = chance.choice((0, 0.1))  # how often a player moves again

    def grow(depth: int, is_max: bool) -> Any:
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-LARGEST, LARGEST)
        children = [grow(depth - 1, is_max == (chance.random() < again)) for _ in range(chance.choice(widths))]
        return {"children": children, "to_move": "max" if is_max else "min"}

    return Tree(grow(plies, chance.choice((True, False))))


@cache
def far_trees() -> list[Tree]:
    """Return trees with leaves beyond 10, 100 and so on, below up to two forced moves: they show a finite number that
    stands for infinity."""
    trees = []
    for digits, sign, to_move in product(range(1, MOST_DIGITS + 1), (-1, 1), ("max", "min")):
        leaves = [sign * (10**digits + 2), sign * (10**digits + 1)]
        trees += [Tree(form, to_move=to_move) for form in (leaves, [leaves], [[leaves]])]
    return sorted(trees, key=len)


def smaller(tree: Tree) -> list[Tree]:
    """Return the tree with a child in its parent's place, or without a child, for every child."""
    return [Tree(form) for form in _smaller(tree.root) if isinstance(form, dict)]


def _smaller(node: Node) -> Iterator[Any]:
    children = list(map(long_form, node.children))
    for i, child in enumerate(node.children):
        yield children[i]
        if len(children) > 2:
            yield long_form(node, children[:i] + children[i + 1 :])
        for form in _smaller(child):
            yield long_form(node, [*children[:i], form, *children[i + 1 :]])


def long_form(node: Node, children: Sequence[Any] = ()) -> Any:
    """Return the node as a tree file has it, with these children or its own."""
    if node.is_leaf:
        return node.value
    children = list(children or map(long_form, node.children))
    return {"children": children, "to_move": "max" if node.is_max else "min", "value": node.value}


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    rows = zip(tree.nodes, tree.rows(), strict=True)
    return Tree.from_rows([row._replace(value=value(node)) for node, row in rows])
