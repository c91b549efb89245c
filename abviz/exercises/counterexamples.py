"""The smallest tree on which two searches do different things."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import permutations, product
from math import inf
from typing import Any

from abviz.exercises.verdicts import as_lists
from abviz.tree.model import Node, Tree

Nested = Any  # a number, or a list of these
Differs = Callable[[Tree], bool]

TRIED = 300  # random trees, after all the small ones
MOST_CHILDREN = 4
LARGEST = 9  # leaves are −9 … 9
FURTHEST = 12  # digits of those that are far from 0
DEPTHS, WIDTHS = (3, 3, 4, 4, 6), (2, 2, 3, 3, MOST_CHILDREN)  # of random trees, each as often as it stands here
EVERY_ORDER = 5  # leaves, up to which every order of them is tried
EVERY_TIE = 4  # leaves, up to which equal ones are tried too


def smallest(differs: Differs, seeds: int = TRIED, small: Sequence[Tree] = ()) -> Tree | None:
    """The first of the small trees on which `differs` says so; else a random one, made as small as it can be.

    Inner nodes have two to four children. Of trees of one size those with distinct leaves come first. `small` are the
    small trees tried, in their order, if not all.
    """
    for tree in small or small_trees():
        if differs(tree):
            return _without_more(tree, differs)
    for tree in random_trees(seeds):
        if differs(tree):
            return _distinct(shrunk(tree, differs), differs)
    return None


def _without_more(tree: Tree, differs: Differs) -> Tree:
    """The tree without what it needs not show: leaves that stay are not always those of a small tree of their number.

    The players take turns from MAX on in what is left, too."""
    fewer = (Tree(lists) for lists in _fewer(as_lists(tree)) if isinstance(lists, list))
    smaller = next(filter(differs, fewer), None)
    return _without_more(smaller, differs) if smaller else tree


def _fewer(lists: Nested) -> Iterator[Nested]:
    """All nested lists from which one thing is left out."""
    if not isinstance(lists, list):
        return
    yield from lists
    for i, child in enumerate(lists):
        if len(lists) > 2:
            yield lists[:i] + lists[i + 1 :]
        yield from ([*lists[:i], less, *lists[i + 1 :]] for less in _fewer(child))


def _distinct(tree: Tree, differs: Differs) -> Tree:
    """The tree with leaves that all differ, if it still shows the difference then: equal ones in either order."""
    values = [leaf.value or 0 for leaf in tree.leaves()]
    if len(set(values)) == len(values):
        return tree
    for direction in (1, -1):
        order = sorted(range(len(values)), key=lambda place: (values[place], direction * place))
        ranks = {place: rank for rank, place in enumerate(order)}
        for below in sorted(range(len(values) + 1), key=lambda below: abs(2 * below - len(values))):
            leaves = iter([ranks[place] - below for place in range(len(values))])
            other = _tree(_refilled(_spelled_out(tree.root), leaves))
            if differs(other):
                return other
    return tree


def _refilled(nested: Nested, values: Iterator[int]) -> Nested:
    if not isinstance(nested, dict):
        return next(values)
    return nested | {"children": [_refilled(child, values) for child in nested["children"]]}


@cache
def small_trees() -> tuple[Tree, ...]:
    """In order of their number of nodes, then those with the fewest equal leaves first; MAX moves at the root."""
    nested = [
        (_nodes(shape), leaves - len(set(values)), i, _filled(shape, iter(values)))
        for leaves in range(2, EVERY_ORDER + 1)
        for shape in _shapes(leaves)
        for i, values in enumerate(_values(leaves))
    ]
    nested.sort(key=lambda each: each[:3])
    return tuple(Tree(tree) for *_, tree in nested)


@cache
def min_begins(trees: int) -> tuple[Tree, ...]:
    """The first so many small trees, with MIN at the root; a tree of two leaves with each pair of −3 … 3, too."""
    pairs = [Tree(list(pair), to_move="min") for pair in permutations(range(-3, 4), 2)]
    return *pairs, *(Tree(as_lists(tree), to_move="min") for tree in small_trees()[:trees])


@cache
def smallest_trees() -> tuple[Tree, ...]:
    """Those of the small ones that have so few leaves that equal ones are tried too."""
    return tuple(tree for tree in small_trees() if sum(1 for _ in tree.leaves()) <= EVERY_TIE)


@cache
def random_trees(seeds: int) -> tuple[Tree, ...]:
    """Larger ones, also with MIN at the root and with a player who moves twice in a row."""
    return tuple(_random(random.Random(seed)) for seed in range(seeds))


@cache
def far_trees() -> tuple[Tree, ...]:
    """Leaves beyond 10, beyond 100 and so on, where a finite number does not do for ∞."""
    far = [10**digits for digits in range(1, FURTHEST + 1)]
    return tuple(
        tree
        for at in far
        for tree in (
            Tree([-at - 2, -at - 1]),
            Tree([at + 1, at + 2], to_move="min"),
            Tree([[at + 1, at + 2], [at + 3, at + 4]]),
        )
    )


def is_far(tree: Tree) -> bool:
    return any(LARGEST < abs(leaf.value or 0) < inf for leaf in tree.leaves())


def shrunk(tree: Tree, differs: Differs) -> Tree:
    """The tree with parts left out and values brought nearer to 0, until nothing more can be."""
    nested = _spelled_out(tree.root)
    smaller: Nested | None = nested
    while smaller is not None:
        nested = smaller
        smaller = next((each for each in _smaller(nested) if isinstance(each, dict) and differs(_tree(each))), None)
    return _tree(nested)


def _tree(nested: Nested) -> Tree:
    return Tree(nested, to_move=nested["to_move"])


def _spelled_out(node: Node) -> Nested:
    """The tree below a node, with who moves at every one."""
    if node.is_leaf:
        return node.value
    return {"children": list(map(_spelled_out, node.children)), "to_move": "max" if node.is_max else "min"}


def _smaller(nested: Nested) -> Iterator[Nested]:
    """All trees that are one change smaller."""
    if not isinstance(nested, dict):
        if nested:
            yield nested - 1 if nested > 0 else nested + 1
        return
    children = nested["children"]
    yield from children  # one of them in its place
    for i, child in enumerate(children):
        if len(children) > 2:
            yield nested | {"children": children[:i] + children[i + 1 :]}
        for less in _smaller(child):
            yield nested | {"children": [*children[:i], less, *children[i + 1 :]]}


def _random(chance: random.Random) -> Tree:
    """Three or four moves deep and up to four children wide, or deep and narrow."""
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
    """All orders of that many leaves, around 0, above it and below it; of few leaves also those with equal ones."""
    middle, above, below = range(-(leaves // 2), leaves - leaves // 2), range(1, leaves + 1), range(-leaves, 0)
    ranges = (middle, above, below) if leaves < EVERY_ORDER else (middle,)
    distinct = [order for values in ranges for order in permutations(values)]
    if leaves > EVERY_TIE:
        return distinct
    ties = [values for values in product(range(-1, leaves - 1), repeat=leaves) if len(set(values)) < leaves]
    return distinct + ties


def _shapes(leaves: int) -> Iterator[Nested]:
    """All trees with that many leaves, without their values; 0 stands for a leaf."""
    if leaves == 1:
        yield 0
    for parts in _parts(leaves):
        yield from map(list, product(*(list(_shapes(part)) for part in parts)))


def _parts(leaves: int) -> Iterator[tuple[int, ...]]:
    """The ways to deal so many leaves out to two, three or four children."""
    for children in range(2, min(MOST_CHILDREN, leaves) + 1):
        yield from (parts for parts in product(range(1, leaves), repeat=children) if sum(parts) == leaves)


def _nodes(shape: Nested) -> int:
    return 1 + sum(map(_nodes, shape)) if isinstance(shape, list) else 1


def _filled(shape: Nested, values: Iterator[int]) -> Nested:
    return [_filled(part, values) for part in shape] if isinstance(shape, list) else next(values)
