"""What is shown of functions in which a helper, an object, an exception or another name stands between node and search."""

from math import inf

import pytest

from abviz import Tree, record, trace
from abviz.exercises.counterexamples import random_trees
from abviz.parting import first_difference

SMALL, WIDE = Tree([3, 1], to_move="min"), Tree([[5, 2, 7], [1, 9, 4]])
TREES = (SMALL, WIDE, *random_trees(20))


def better(node, one, other):
    return max(one, other) if node.is_max else min(one, other)


def narrowed(node, alpha, beta, value):
    return (max(alpha, value), beta) if node.is_max else (alpha, min(beta, value))


# helpers that are handed a leaf, and do not search it


def is_terminal(node):
    return node.is_leaf


def asks_a_helper(node, alpha, beta):
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, child.value if is_terminal(child) else asks_a_helper(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


def always_the_same(node):
    return 0 * len(node.name)


def sorts_by_a_key(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in sorted(node.children, key=always_the_same):
        best = better(node, best, sorts_by_a_key(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


class State:
    def __init__(self, node):
        self.node = node


def of_states(node, alpha, beta):
    return by_state(State(node), alpha, beta)


def by_state(state, alpha, beta):
    node = state.node
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, by_state(State(child), alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


def show(node):
    """As one that prints the node's name."""


def shows_nodes(node, alpha, beta):
    show(node)
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, shows_nodes(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize("function", [asks_a_helper, sorts_by_a_key, of_states, shows_nodes])
@pytest.mark.parametrize("tree", TREES)
def test_who_only_looks_at_a_leaf_does_not_search_it(function, tree):
    run = record(function, tree)
    assert first_difference(run, trace(tree)) is None
    assert "nothing" not in run.options


class Cutoff(Exception):
    pass


def cuts_by_an_exception(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        try:
            value = cuts_by_an_exception(child, alpha, beta)
        except Cutoff as cutoff:
            value = cutoff.args[0]
        best = better(node, best, value)
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            raise Cutoff(best)
    return best


def test_an_exception_that_is_caught_is_no_none_that_is_returned():
    run = record(cuts_by_an_exception, WIDE)
    assert run.value == 2 and "nothing" not in run.options
    assert [event.value for event in run.events if event.kind == "exit"] == [2, None, 2]
