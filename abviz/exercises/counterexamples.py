"""The trees that an answer is tried on, in order of size, and how a tree on which it is wrong is made smaller."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.tree.model import Node, Tree

Nested = Any  # a number, a list of these, or the long form {"children": […], "to_move": …}

# How many trees an answer is tried on. The small trees come in order of size, so tests can do with the first 800.
SMALL_TREES, RANDOM_TREES = 7_000, 300

MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
MOST_LEAVES = 5  # of a small tree; every order of that many distinct values is tried
MOST_TIED_LEAVES = 4  # up to here equal leaves are tried too


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return all small trees by number of nodes, those with the fewest equal leaves first. MIN moves first in few."""
    trees = [
        (Tree(nested, to_move=to_move), leaves - len(set(values)))
        for to_move in ("max", "min")
        for leaves in range(2, MOST_LEAVES + 1 if to_move == "max" else MOST_TIED_LEAVES)
        for values in _leaf_values(leaves)
        for nested in _nested_lists(values)
    ]
    return tuple(tree for tree, _ in sorted(trees, key=lambda each: (len(each[0]), each[1])))


def _leaf_values(leaves: int) -> list[tuple[int, ...]]:
    """Return all orders of distinct values around 0; of few leaves also of values above and below 0, and with ties."""
    starts = [-(leaves // 2), 1, -leaves] if leaves < MOST_TIED_LEAVES else [-(leaves // 2)]
    distinct = [values for start in starts for values in permutations(range(start, start + leaves))]
    if leaves > MOST_TIED_LEAVES:
        return distinct
    return distinct + [values for values in product((-1, 0, 1), repeat=leaves) if len(set(values)) < leaves]


def _nested_lists(values: Sequence[int]) -> Iterator[Nested]:
    """Yield all trees with these leaves, from left to right."""
    if len(values) == 1:
        yield values[0]
    for cuts in range(1, min(MOST_CHILDREN, len(values))):
        for places in combinations(range(1, len(values)), cuts):
            parts = [values[start:end] for start, end in pairwise((0, *places, len(values)))]
            yield from map(list, product(*map(_nested_lists, parts)))


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random_tree(random.Random(seed)) for seed in range(trees))


def _random_tree(chance: random.Random) -> Tree:
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


@cache
def far_trees() -> tuple[Tree, ...]:
    """Return trees with leaves beyond 10, 100 and so on, which show a finite number in place of infinity."""
    far = [10**digits for digits in range(1, MOST_DIGITS + 1)]
    max_roots = [Tree([-each - 2, -each - 1]) for each in far]
    return *max_roots, *(Tree([each + 1, each + 2], to_move="min") for each in far)


def is_far(tree: Tree) -> bool:
    return any(LARGEST < abs(leaf.value or 0) < inf for leaf in tree.leaves())


def shrunk(tree: Tree, first_wrong: Callable[[list[Tree]], Tree | None]) -> Tree:
    """Return the tree without all parts that can go; first_wrong(trees) is the first of them that shows the fault."""
    while smaller := first_wrong([_tree(each) for each in _smaller(_long_form(tree.root)) if isinstance(each, dict)]):
        tree = smaller
    return tree


def _smaller(nested: Nested) -> Iterator[Nested]:
    """Yield everything that is one change smaller."""
    if isinstance(nested, dict):
        children = nested["children"]
        yield from children  # one of them in its parent's place
        for i, child in enumerate(children):
            if len(children) > 2:
                yield nested | {"children": [*children[:i], *children[i + 1 :]]}
            for less in _smaller(child):
                yield nested | {"children": [*children[:i], less, *children[i + 1 :]]}


def _long_form(node: Node) -> Nested:
    if node.is_leaf:
        return node.value
    children = [_long_form(child) for child in node.children]
    return {"children": children, "to_move": "max" if node.is_max else "min", "value": node.value}


def _tree(nested: Nested) -> Tree:
    return Tree(nested, to_move=nested["to_move"])


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values; those of inner nodes are static values."""
    rows = zip(tree.nodes, tree.rows(), strict=True)
    return Tree.from_rows([row._replace(value=value(node)) for node, row in rows])
