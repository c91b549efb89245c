"""The trees that an answer is tried on, in order of size, and how a tree on which it is wrong is made smaller."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.tree.model import Node, Tree

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 800.
SMALL_TREES, RANDOM_TREES = 4_000, 200

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (1, 2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 5  # of a small tree
MOST_TIED_LEAVES = 4  # up to here every order of distinct values is tried, and equal leaves too
ORDERS = 40  # of the values of more leaves, for each shape


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first. MIN moves first in few."""
    trees = []
    for to_move, most_leaves in (("max", MOST_LEAVES), ("min", MOST_TIED_LEAVES - 1)):
        for leaves in range(2, most_leaves + 1):
            for number, form in enumerate(_shapes(leaves)):
                shape = Tree(form, to_move=to_move)
                for values in _leaf_values(leaves, number):
                    by_leaf = dict(zip(shape.leaves(), values, strict=True))
                    trees.append((len(shape), leaves - len(set(values)), revalued(shape, by_leaf.get)))
    return tuple(tree for *_, tree in sorted(trees, key=lambda each: each[:2]))


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
    for digits, to_move, forced in product(range(1, MOST_DIGITS + 1), ("max", "min"), range(3)):
        sign = -1 if (to_move == "max") == (forced % 2 == 0) else 1  # whoever moves there has only bad moves
        nested: Any = [sign * (10**digits + 2), sign * (10**digits + 1)]
        for _ in range(forced):
            nested = [nested]
        trees.append(Tree(nested, to_move=to_move))
    return sorted(trees, key=len)


def is_far(tree: Tree) -> bool:
    return any(LARGEST < abs(leaf.value or 0) < inf for leaf in tree.leaves())


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
