"""Alpha-beta as it goes wrong on paper: searches whose marks stand at the nodes, as in any trace."""

from collections.abc import Callable
from math import inf

from abviz.errors import Number
from abviz.tracing.algorithms import Event, Rules
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree

Marks = tuple[Number, Number, Number]  # α, β and bv of a node


def begun(node: Node, alpha: Number, beta: Number) -> Marks:
    """A node has the window that it was handed, and bv at its worst."""
    return alpha, beta, -inf if node.is_max else inf


def begun_at_bound(node: Node, alpha: Number, beta: Number) -> Marks:
    """bv begins with what the mover has elsewhere."""
    return alpha, beta, alpha if node.is_max else beta


def handed(node: Node, alpha: Number, beta: Number, bv: Number) -> tuple[Number, Number]:
    return alpha, beta


def own_bound_only(node: Node, alpha: Number, beta: Number, bv: Number) -> tuple[Number, Number]:
    """What the parent itself has found, and nothing from further up."""
    return (bv, inf) if node.is_max else (-inf, bv)


def followed(
    tree: Tree,
    rules: Rules = Rules(),
    *,
    begin: Callable[[Node, Number, Number], Marks] = begun,
    hand_down: Callable[[Node, Number, Number, Number], tuple[Number, Number]] = handed,
    keeps: bool = False,  # a child's bounds are taken over by its parent
) -> Trace:
    """Alpha-beta (update, then test; fail-soft), but for what is told."""
    events: list[Event] = []

    def search(node: Node, alpha: Number, beta: Number) -> Marks:
        if node.value is not None and node.is_leaf:
            events.append(Event("leaf", node, alpha, beta, None, node.value))
            return alpha, beta, node.value
        alpha, beta, bv = begin(node, alpha, beta)
        events.append(Event("enter", node, alpha, beta, bv))
        children = rules.order(node.children)
        for done, child in enumerate(children, 1):
            below = search(child, *hand_down(node, alpha, beta, bv))
            if keeps:
                alpha, beta = below[:2]
            bv = max(bv, below[2]) if node.is_max else min(bv, below[2])
            events.append(Event("bv", node, alpha, beta, bv, below[2]))
            if node.is_max and bv > alpha:
                alpha = bv
                events.append(Event("alpha", node, alpha, beta, bv))
            elif not node.is_max and bv < beta:
                beta = bv
                events.append(Event("beta", node, alpha, beta, bv))
            if rules.reaches(bv, beta if node.is_max else alpha, node.is_max):
                events.extend(Event("cut", skipped, alpha, beta, bv) for skipped in children[done:])
                break
        events.append(Event("exit", node, alpha, beta, bv, bv))
        return alpha, beta, bv

    search(tree.root, -inf, inf)
    return Trace(tree, events, search="alphabeta", rules=rules)
