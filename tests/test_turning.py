"""Whether a function speaks for the mover or for MAX is found from its run, whatever mistakes it makes."""

from math import inf

import pytest

from abviz import Tree, load, record, watch
from abviz.exercises.counterexamples import random_trees, small_trees
from tests.oracle import minimax_value
from tests.test_recording import assignment

TREES = (*small_trees()[::25], *random_trees(40), load("figure-4.24"), load("worked-example"))
ALTERNATING = [
    tree
    for tree in TREES
    if all(child.is_leaf or child.is_max != node.is_max for node in tree.nodes for child in node.children)
]

# they speak for MAX


def least_at_min_too(node, depth=20):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        score = least_at_min_too(child, depth - 1)
        if node.is_max:
            best = max(best, score)
        elif score < best or best == -inf:
            best = score
    return best


def swapped(node, depth=20):
    if node.is_leaf:
        return node.value
    best = inf if node.is_max else -inf
    for child in node.children:
        score = swapped(child, depth - 1)
        best = min(best, score) if node.is_max else max(best, score)
    return best


def largest_everywhere(node, depth=20):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        best = max(best, largest_everywhere(child, depth - 1))
    return best


def largest_by_number(node):
    last = len(node.children) - 1
    if last < 0:
        return node.value
    best = -inf
    for i in range(last + 1):
        best = max(best, largest_by_number(node.children[i]))
    return best


def turns_only_the_window(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        score = turns_only_the_window(child, -beta, -alpha)
        if node.is_max:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def turns_what_it_gets(node):
    """A minus sign too many: where MIN begins with ∞, MAX and MIN have sides of their own."""
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        score = -turns_what_it_gets(child)
        best = max(best, score) if node.is_max else min(best, score)
    return best


# they speak for the mover


def window_not_turned(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        score = -window_not_turned(child, alpha, beta)
        best = max(best, score)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return best


def window_not_turned_by_colour(node, alpha, beta, colour=None):
    colour = colour or (1 if node.is_max else -1)
    if node.is_leaf:
        return colour * node.value
    best = -inf
    for child in node.children:
        best = max(best, -window_not_turned_by_colour(child, alpha, beta, -colour))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def leaf_not_turned(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        best = max(best, -leaf_not_turned(child, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def plain_negamax(node, depth=9):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    return max(-plain_negamax(child, depth - 1) for child in node.children)


def with_a_list(node):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    values = []
    for child in node.children:
        v = with_a_list(child)
        values.append(-v)
    return max(values)


def the_least_and_turned(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = inf
    for child in node.children:
        best = min(best, the_least_and_turned(child, -beta, -alpha))
        alpha = max(alpha, -best)
        if alpha >= beta:
            break
    return -best


def by_one_for_max(node, alpha, beta):
    return assignment(node, alpha, beta) if node.is_max else -assignment(node, -beta, -alpha)


def the_least_first(node):
    """Its minus sign turns no value."""
    if node.is_leaf:
        return node.value
    below = sorted(node.children, key=lambda child: -len(child.children))
    return (max if node.is_max else min)(map(the_least_first, below))


FOR_MAX = [least_at_min_too, swapped, largest_everywhere, largest_by_number, turns_only_the_window, the_least_first]
FOR_THE_MOVER = [
    window_not_turned,
    window_not_turned_by_colour,
    leaf_not_turned,
    plain_negamax,
    with_a_list,
    the_least_and_turned,
]


def returns(function, tree, of_mover):
    """What the function truly returns for each inner node, from MAX's side, in their order."""
    told = []

    class Told:
        def __init__(self, node):
            self.node = node
            self.name, self.is_leaf, self.is_max, self.value = node.name, node.is_leaf, node.is_max, node.value
            self.children = tuple(map(Told, node.children))

    def logged(node, *rest):
        value = inner(node, *rest)
        if not node.is_leaf:
            told.append((node.name, -value if of_mover and not node.is_max else value))
        return value

    inner = function
    place = function.__globals__
    place[function.__name__] = logged
    try:
        logged(Told(tree.root), *((-inf, inf) if "alpha" in inner.__code__.co_varnames[:2] else ()))
    finally:
        place[function.__name__] = inner
    return told


def told_by(run):
    return [(event.node.name, event.value) for event in run.events if event.kind == "exit" and not event.node.is_leaf]


@pytest.mark.parametrize("function", FOR_MAX)
def test_what_always_speaks_for_max_is_shown_as_it_is(function):
    for tree in TREES:
        assert told_by(record(function, tree)) == returns(function, tree, of_mover=False), tree


@pytest.mark.parametrize("function", FOR_THE_MOVER)
def test_what_speaks_for_the_mover_is_turned_whatever_else_it_does_wrong(function):
    for tree in ALTERNATING:
        assert told_by(record(function, tree)) == returns(function, tree, of_mover=True), tree


@pytest.mark.parametrize("tree", ["figure-4.24", "worked-example", "uneven"])
def test_a_minus_sign_alone_makes_no_negamax(tree):
    tree = load(tree)
    assert told_by(record(turns_what_it_gets, tree)) == returns(turns_what_it_gets, tree, of_mover=False)


def test_a_negamax_of_two_functions_may_have_one_that_speaks_for_max():
    for tree in ALTERNATING:
        assert record(by_one_for_max, tree).events[-1].value == minimax_value(tree.root), tree


@pytest.mark.parametrize(
    ("function", "window", "tree", "where"),
    [
        (swapped, {}, Tree([[-1, 1], 0]), "swapped returns 1 from 0, where the reference returns −1."),
        (largest_everywhere, {}, Tree([[-1, 1], 0]), "returns 1 from 0, where the reference returns −1."),
        (least_at_min_too, {}, Tree([[-1, 1], 0]), "No difference from the reference"),
        (window_not_turned, {"window": (0, 1)}, Tree([3, 1], to_move="min"), "No difference from the reference"),
        (by_one_for_max, {}, Tree([-3, 3], to_move="min"), "No difference from the reference"),
    ],
)
def test_the_first_difference_stands_where_it_is(function, window, tree, where):
    _, said = watch(function, tree, **window).trace.options["remark"]
    assert where in said, said
