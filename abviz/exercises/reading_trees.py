"""Reading exercises: what their questions share, and the tree that most of them are about."""

from collections.abc import Iterator
from functools import partial

from abviz.errors import AbvizError, Number, quoted
from abviz.exercises.misreading import followed, own_bound_only
from abviz.tree.model import Node, Tree

HOW = "Alpha-beta from left to right; it cuts when bv = bound, too (≥, ≤), and returns bv (fail-soft)."
THE_TREE = {
    "B": {"D": 5, "E": {"I": 9, "J": {"O": 9, "P": 10}}, "F": {"K": {"Q": 7, "R": 5}, "L": {"S": 11, "T": 12}}},
    "C": {"G": 8, "H": {"M": {"U": 11, "V": 3}, "N": {"W": 5, "X": 8}}},
}

# Alpha-beta as two misunderstandings have it: followed(tree, rules) -> Trace
NO_DEEP_CUTS = partial(followed, hand_down=own_bound_only)
KEPT = partial(followed, keeps=True)


def reading_tree() -> Tree:
    """Every kind of cut is in it, a tie, and a cutoff on a last child."""
    return Tree(THE_TREE, root="A", title="A tree to read")


def inner(tree: Tree) -> list[Node]:
    """The inner nodes, children before their parents."""
    return [node for node in _bottom_up(tree.root) if node.children]


def _bottom_up(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield from _bottom_up(child)
    yield node


def known(node: Node) -> Number:
    if node.value is None:
        raise AbvizError(f"the value of leaf {quoted(node.name)} is not known; expected a number there")
    return node.value
