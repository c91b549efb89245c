"""The exercise on move order: children ordered so that alpha-beta reads as few leaves as it can.

To be sure of the value v of the root, a search needs one proof that it is v or more and one that it is v or less, and
these two have one leaf in common, the end of the line. In which leaves each proof is smallest can be told node by node.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from typing import Any

from abviz.errors import Number, brief, count
from abviz.exercises import stubs
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.counterexamples import smallest_trees
from abviz.exercises.mistakes import Mistake, never, searching, without_bounds
from abviz.exercises.searches import Case, Exercise
from abviz.tree.model import Tree

Order = dict[str, tuple[str, ...]]
SEARCH = searching()
VALUE = without_bounds(searching(cuts=never))


def fewest_leaves(tree: Tree) -> int:
    """What alpha-beta reads at the least, in whichever order the children stand. The leaves have finite values."""
    value = VALUE(tree.root)
    return _proof(tree.root, value, True) + _proof(tree.root, value, False) - 1


def _proof(node: Any, value: Number, or_more: bool) -> int:
    """In how many leaves it can be proven that the node, of which it is true, is worth so much or more (or less)."""
    if node.is_leaf:
        return 1
    if node.is_max != or_more:  # the other player chooses: it has to be proven of every child
        return sum(_proof(child, value, or_more) for child in node.children)
    holds = [child for child in node.children if (VALUE(child) >= value if or_more else VALUE(child) <= value)]
    return min(_proof(child, value, or_more) for child in holds)


def leaves_read(tree: Tree) -> int:
    return len(observe(SEARCH, tree, -inf, inf).leaves)


def names_by_node(returned: Any) -> Order | None:
    if not isinstance(returned, Mapping):
        return None
    if not all(isinstance(names, tuple | list) for names in returned.values()):
        return None
    return {name: tuple(names) for name, names in returned.items()}


def ordered(function: Callable[..., Any], tree: Tree) -> Behaviour:
    """How many leaves are read in the order that it returns."""
    run = observe(function, tree, form=names_by_node, expected="a dictionary {name: [names of its children]}")
    if run.value is None:
        return replace(run, leaves=())
    problem = _unfit(tree, run.value)
    if problem:
        return Behaviour(None, (), problem)
    arranged = tree.reordered(lambda node: [tree[name] for name in run.value.get(node.name, ())] or list(node.children))
    return Behaviour(leaves_read(arranged), ())


def _unfit(tree: Tree, order: Order) -> str:
    for name, names in order.items():
        if name not in tree or (tree[name].is_leaf and names):
            return f"it orders the children of {brief(name)}; expected the name of an inner node"
        children = [child.name for child in tree[name].children]
        if sorted(map(str, names)) != sorted(children):
            return f"it orders the children of {brief(name)} as {brief(list(names))}; expected each of {children} once"
    return ""


def orders(leaves: int) -> str:
    return f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}"


# orders


def by(key: Callable[[Any, bool], Any]) -> Callable[..., Any]:
    """The children of every node sorted by something, which may depend on who moves."""

    def names(node: Any) -> tuple[str, ...]:
        arranged = sorted(node.children, key=lambda child: key(child, node.is_max))
        return tuple(child.name for child in arranged)

    def best_order(root: Any) -> Order:
        return {node.name: names(node) for node in _inner(root)}

    return best_order


def _inner(node: Any) -> list[Any]:
    return [] if node.is_leaf else [node, *(each for child in node.children for each in _inner(child))]


def _size(node: Any) -> int:
    return 1 if node.is_leaf else sum(map(_size, node.children))


def best_first(child: Any, is_max: bool) -> Number:
    return -VALUE(child) if is_max else VALUE(child)  # type: ignore[no-any-return]


def best_leaf_first(child: Any, is_max: bool) -> Number:
    """Only of leaves the value is known."""
    return best_first(child, is_max) if child.is_leaf else inf


def smallest_proofs(root: Any) -> Order:
    """In front of the others the child by which the value of the root is proven with the fewest leaves."""
    value = VALUE(root)

    def cost(child: Any, is_max: bool) -> Number:
        enough = VALUE(child) >= value if is_max else VALUE(child) <= value
        return _proof(child, value, is_max) if enough else inf

    return by(cost)(root)  # type: ignore[no-any-return]


def only_the_root(root: Any) -> Order:
    order: Order = by(best_first)(root)
    return {root.name: order[root.name]}


BEST_ORDER = Exercise(
    "best-order",
    smallest_proofs,
    (Case(),),
    (
        Mistake(
            "as they stand",
            "the children keep the order that they have",
            "Which child should be searched first, if you could know all values?",
            lambda root: {},
        ),
        Mistake(
            "best first",
            "the best child comes first, also where another one would do and takes fewer leaves",
            "At a node that will be cut, does it take the best child, or one that is good enough? What does each cost?",
            by(best_first),
        ),
        Mistake(
            "worst first",
            "the child that is worst for the player to move comes first",
            "A good first child makes the window narrow. Good for whom?",
            by(lambda child, is_max: -best_first(child, is_max)),
        ),
        Mistake(
            "largest first",
            "the largest value comes first also where MIN is to move",
            "Which child does MIN want to find first?",
            by(lambda child, is_max: -VALUE(child)),
        ),
        Mistake(
            "smallest first",
            "the smallest value comes first also where MAX is to move",
            "Which child does MAX want to find first?",
            by(lambda child, is_max: VALUE(child)),
        ),
        Mistake(
            "fewest leaves first",
            "the child with the fewest leaves below it comes first, whatever it is worth",
            "A small child is soon searched. Does what it returns make the others quicker?",
            by(lambda child, is_max: _size(child)),
        ),
        Mistake(
            "best leaf first",
            "children are ordered by their values only where they are leaves",
            "An inner node has a value, too. Who can tell you?",
            by(best_leaf_first),
        ),
        Mistake(
            "only the root's children",
            "only the children of the root are ordered, and below it they stand as before",
            "Your order helps at the root. At which other nodes is there a choice?",
            only_the_root,
        ),
    ),
    (
        "Begin with the best child first at every node, and count the leaves that alpha-beta reads.",
        "Only the nodes on the line need their exact values. What has to be known of a node that is cut?",
        "Let v be the value of the root. At a node that will be cut, which of its children are good enough to cut it?",
        "Of several children that are good enough, some take fewer leaves to prove it. Count them from the leaves up.",
    ),
    stubs.BEST_ORDER,
    small=smallest_trees,
    run=ordered,
    shown=orders,
    expected="a function that returns a dictionary",
)
