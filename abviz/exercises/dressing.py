"""Plain trees with other values: those of a game that is won or lost, or static values at inner nodes."""

from collections.abc import Callable
from functools import lru_cache
from math import inf

from abviz.errors import Number
from abviz.tree.model import Node, Tree
from abviz.tree.nested import Row

KEPT = 4_000  # dressed trees: as many as an exercise tries, in every case and with every answer
ODD = 7, 11, 5  # of no meaning: they scatter the static values


@lru_cache(KEPT)
def with_wins(tree: Tree) -> Tree:
    """Of values only what they mean in a game: won by MAX (∞), won by MIN (−∞), drawn (0)."""

    def meaning(node: Node) -> Number | None:
        return inf if node.value and node.value > 0 else -inf if node.value else node.value

    return _revalued(tree, meaning)


@lru_cache(KEPT)
def with_static_values(tree: Tree) -> Tree:
    """With a value at every inner node: always the same ones, although they look like chance."""
    step, size, middle = ODD

    def scattered(node: Node) -> Number | None:
        return node.value if node.is_leaf else (step * (node.index + len(tree))) % size - middle

    return _revalued(tree, scattered)


def _revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    above = {child.index: node.index for node in tree.nodes for child in node.children}
    rows = [Row(node.name, node.is_max, value(node), above.get(node.index, -1)) for node in tree.nodes]
    return Tree.from_rows(rows)
