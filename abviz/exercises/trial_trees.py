"""The trees on which a search is tried, and how one on which it is wrong is made smaller.

There are small trees (all of a kind), random trees, and trees whose leaves are far from 0. A
smaller tree is found on a `Shape`, which compares by what it holds.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import isinf
from typing import NamedTuple, TypeAlias, TypedDict

from abviz.errors import Number
from abviz.tree.model import Node, Tree

MOST_CHILDREN = 4
MOST_LEAVES = 4  # of a small tree
LARGEST = 9  # leaves are −9 … 9
MOST_DIGITS = 12  # of leaves far from 0

# Of random trees, each as often as it stands here
DEPTHS = 3, 3, 4, 4, 6
WIDTHS = 1, 2, 2, 3, 3, MOST_CHILDREN
WIDTHS_WITH_A_CHOICE = 2, 2, 2, 3
WIDTHS_OF_THE_DEEPEST = (2,)


class LongForm(TypedDict, total=False):
    """An inner node as a tree file has it."""

    children: Sequence["Form"]
    to_move: str  # "max" or "min"
    value: Number | None  # a static one


# A node as a tree file has it: the value of a leaf, or an inner node
Form: TypeAlias = "Number | Sequence[Form] | LongForm | None"


# small trees


@cache
def small_trees() -> tuple[Tree, ...]:
    """Return small trees by number of nodes, those with the fewest equal leaves first.

    MIN moves first in few.
    """
    sizes = range(2, MOST_LEAVES + 1)
    kinds = [*product(sizes, ["max"]), (2, "min"), (3, "min")]

    trees: list[tuple[int, Tree]] = []
    for leaves, to_move in kinds:
        for values in _values_of_leaves(leaves):
            ties = leaves - len(set(values))
            for form in _forms(values):
                trees.append((ties, Tree(form, to_move=to_move)))

    trees.sort(key=lambda each: (len(each[1]), each[0]))
    return tuple(tree for _, tree in trees)


def _values_of_leaves(leaves: int) -> Iterable[tuple[int, ...]]:
    """Return the values of that many leaves: distinct ones in every order, then −1, 0 and 1."""
    least = -(leaves // 2)
    distinct = permutations(range(least, least + leaves))
    with_ties = product((-1, 0, 1), repeat=leaves)
    return dict.fromkeys([*distinct, *with_ties])


def _forms(values: Sequence[int]) -> Iterator[Form]:
    """Yield all trees with these leaves, from left to right."""
    if len(values) == 1:
        yield values[0]

    for cuts in range(1, min(MOST_CHILDREN, len(values))):
        for places in combinations(range(1, len(values)), cuts):
            ends = pairwise((0, *places, len(values)))
            parts = [values[start:end] for start, end in ends]
            for children in product(*map(_forms, parts)):
                yield list(children)


# random trees


@cache
def random_trees(trees: int) -> tuple[Tree, ...]:
    """Return larger trees, also with MIN at the root.

    Every other one has single moves, and a player who moves twice in a row.
    """
    return tuple(_random_tree(random.Random(seed), is_plain=seed % 2 == 1) for seed in range(trees))


def _random_tree(chance: random.Random, is_plain: bool) -> Tree:
    """Return a tree three or four moves deep and up to four children wide, or deep and narrow."""
    plies = chance.choice(DEPTHS)

    widths: Sequence[int] = WIDTHS_WITH_A_CHOICE if is_plain else WIDTHS
    if plies == max(DEPTHS):
        widths = WIDTHS_OF_THE_DEEPEST

    # How often a player moves again
    again = 0 if is_plain else chance.choice((0, 0.1))

    def grow(depth: int, is_max: bool) -> Form:
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-LARGEST, LARGEST)

        children = []
        for _ in range(chance.choice(widths)):
            moves_again = chance.random() < again
            children.append(grow(depth - 1, is_max == moves_again))
        return {"children": children, "to_move": "max" if is_max else "min"}

    return Tree(grow(plies, chance.choice((True, False))))


# trees whose leaves are far from 0


@cache
def far_trees() -> list[Tree]:
    """Return trees with leaves beyond 10, 100 and so on, up to three moves deep.

    They show a finite number that stands for infinity.
    """
    trees = []
    for digits, sign, to_move in product(range(1, MOST_DIGITS + 1), (-1, 1), ("max", "min")):
        a, b, c, d, e, f, g, h = (sign * (10**digits + n) for n in (2, 1, 4, 3, 6, 5, 8, 7))
        forms = [a, b], [[a, b], [c, d]], [[[a, b], [c, d]], [[e, f], [g, h]]]
        for form in forms:
            trees.append(Tree(form, to_move=to_move))
    return sorted(trees, key=len)


# wide trees with fractions


@cache
def wide_trees() -> list[Tree]:
    """Return trees with nine moves at the root, the best one last, and leaves that are fractions.

    They show a search that takes only a few children, or whole numbers.
    """
    trees = []
    for sign, to_move in ((1, "max"), (-1, "min")):
        # Each move is better than the one before, by less than 1
        moves = [[sign * (n / 4 + 3.125), sign * (n / 4 + 1.625)] for n in range(9)]
        trees.append(Tree(moves, to_move=to_move))
    return trees


# a node and what is below it


class Shape(NamedTuple):
    """A node and what is below it, by which copies of it are found."""

    is_max: bool
    value: Number | None
    children: tuple["Shape", ...]


def shape_of(node: Node) -> Shape:
    return Shape(node.is_max, node.value, tuple(map(shape_of, node.children)))


def nodes_of(shape: Shape) -> list[Shape]:
    """Return the node and all below it, a parent before its children."""
    return [shape, *(node for child in shape.children for node in nodes_of(child))]


def is_plain(shape: Shape | Node) -> bool:
    """Return whether the players take turns, and have two moves or more wherever they move."""
    if not shape.children:
        return True
    if len(shape.children) == 1:
        return False

    takes_turns = all(
        child.is_max != shape.is_max or not child.children for child in shape.children
    )
    return takes_turns and all(map(is_plain, shape.children))


def worth(shape: Shape) -> Number:
    """Return the value by minimax."""
    if not shape.children:
        return shape.value or 0
    best = max if shape.is_max else min
    return best(map(worth, shape.children))


def form_of(shape: Shape) -> Form:
    """Return the shape as a tree file has it."""
    if not shape.children:
        return shape.value
    return {
        "children": list(map(form_of, shape.children)),
        "to_move": "max" if shape.is_max else "min",
        "value": shape.value,
    }


def long_form(node: Node, children: Sequence[Form] = ()) -> Form:
    """Return the node as a tree file has it, with these children or its own."""
    if node.is_leaf:
        return node.value
    return {
        "children": list(children or map(long_form, node.children)),
        "to_move": "max" if node.is_max else "min",
        "value": node.value,
    }


# smaller trees


def smaller_shapes(root: Shape) -> Iterator[Shape]:
    """Yield the tree with one part made smaller, or all copies of that part.

    Those that lose most come first; last comes the same tree with values nearer to 0. A tree whose
    players take turns, with two or more moves each, stays one.
    """
    every = nodes_of(root)
    copies = Counter(shape for shape in every if shape.children)
    stays_plain = is_plain(root)

    options: list[tuple[int, int, Shape]] = []
    for place, shape in enumerate(every):
        size = len(nodes_of(shape))
        for part in smaller_parts(shape, is_root=place == 0):
            options.append((size - len(nodes_of(part)), place, part))
    options.sort(key=lambda option: option[0], reverse=True)

    for _, place, part in options:
        trees = [with_part(root, place, part)]
        if copies[every[place]] > 1:
            trees.insert(0, with_all(root, every[place], part))
        yield from (tree for tree in trees if not stays_plain or is_plain(tree))

    if (calmer := with_near_values(root)) != root:
        yield calmer


def smaller_parts(shape: Shape, is_root: bool) -> Iterator[Shape]:
    """Yield what may stand in the place of a node.

    It is something below the node, or the node itself without one of its children.
    """
    if not shape.children:
        return
    if not is_root:
        yield Shape(shape.is_max, worth(shape), ())

    for child in shape.children:
        if child.children or not is_root:
            yield child
        if not is_root:
            yield from (below for below in child.children if below.children)

    if len(shape.children) > 2:
        for i in range(len(shape.children)):
            yield shape._replace(children=shape.children[:i] + shape.children[i + 1 :])


def with_part(shape: Shape, place: int, part: Shape) -> Shape:
    """Return the tree with this part in that place, counted from the root on."""
    if place == 0:
        return part

    children = []
    place -= 1
    for child in shape.children:
        size = len(nodes_of(child))
        children.append(with_part(child, place, part) if 0 <= place < size else child)
        place -= size
    return shape._replace(children=tuple(children))


def with_all(shape: Shape, old: Shape, new: Shape) -> Shape:
    """Return the tree with a new part wherever the old one is."""
    if shape == old:
        return new
    return shape._replace(children=tuple([with_all(child, old, new) for child in shape.children]))


def with_near_values(root: Shape) -> Shape:
    """Return the tree with leaves in the same order of size, as near to 0 as that allows."""
    leaves = [node for node in nodes_of(root) if not node.children]
    values = sorted({leaf.value for leaf in leaves if leaf.value is not None})
    finite = [value for value in values if not isinf(value)]

    near: dict[Number | None, Number] = {}
    for rank, value in enumerate(finite):
        near[value] = rank - len(finite) // 2
    if sum(map(abs, near.values())) >= sum(map(abs, finite)):
        return root

    def revalued(shape: Shape) -> Shape:
        if not shape.children:
            return shape._replace(value=near.get(shape.value, shape.value))
        return shape._replace(children=tuple(map(revalued, shape.children)))

    return revalued(root)
