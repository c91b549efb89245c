"""What is shown where a helper, an object, an exception or another name stands between a node and its search."""

import threading
from concurrent.futures import ThreadPoolExecutor
from math import inf

import pytest

from abviz import Tree, minimax, record, trace
from abviz.exercises.counterexamples import random_trees
from abviz.recording.parting import first_difference
from tests.solutions.writing import max_value, min_value

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


# a negamax that something stands round or before


def negamax(node, a, b):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        best = max(best, -negamax(child, -b, -a))
        a = max(a, best)
        if a >= b:
            break
    return best


def from_the_side_of_max(node, a, b):
    return negamax(node, a, b) if node.is_max else -negamax(node, -b, -a)


def root_of_its_own(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, from_the_side_of_max(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


def turned_by_a_helper(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        best = max(best, of_the_other(child, alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def of_the_other(child, alpha, beta):
    return -turned_by_a_helper(child, -beta, -alpha)


def alternates(tree):
    return all(child.is_leaf or child.is_max != node.is_max for node in tree.nodes for child in node.children)


DEEP = Tree([[[3, -5], [1, 2]], [[-4, 6], [7, -8]]], to_move="min")
ALTERNATING = (DEEP, *(tree for tree in TREES if alternates(tree)))


def told(run):
    return [(event.kind, event.node.name, *event[2:]) for event in run.events]


@pytest.mark.parametrize("function", [from_the_side_of_max, root_of_its_own, turned_by_a_helper])
@pytest.mark.parametrize("tree", ALTERNATING)
def test_who_speaks_for_whom_is_told_of_each_function(function, tree):
    assert told(record(function, tree)) == told(trace(tree))


def test_the_window_of_one_round_a_negamax_is_that_of_max():
    run = record(from_the_side_of_max, DEEP, window=(-1, 4))
    assert told(run) == told(trace(DEEP, alpha=-1, beta=4))
    assert run.options["window"] == (-1, 4)


def with_a_record(node, alpha, beta):
    """What it returns is no number, and so no sign that it speaks for the mover."""
    if node.is_leaf:
        return {"value": node.value}
    best = -inf
    for child in node.children:
        best = better(node, best, with_a_record(child, alpha, beta)["value"])
    return {"value": best}


def test_what_is_no_number_speaks_for_nobody():
    assert {event.bv for event in record(with_a_record, SMALL).events if event.kind == "enter"} == {-inf}


# bounds and values that are kept under another name than it seems


class Attributes:
    def search(self, node, alpha, beta):
        self.alpha, self.beta = alpha, beta
        if node.is_leaf:
            return node.value
        best = -inf if node.is_max else inf
        for child in node.children:
            mine = self.alpha, self.beta
            best = better(node, best, self.search(child, *mine))
            self.alpha, self.beta = narrowed(node, *mine, best)
            if self.alpha >= self.beta:
                break
        return best


def in_other_variables(node, alpha, beta):
    lower, upper = alpha, beta
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, in_other_variables(child, lower, upper))
        lower, upper = narrowed(node, lower, upper, best)
        if lower >= upper:
            break
    return best


@pytest.mark.parametrize("function", [Attributes().search, in_other_variables])
@pytest.mark.parametrize("tree", TREES)
def test_parameters_that_stay_while_the_window_moves_elsewhere_are_not_shown_as_it(function, tree):
    run, real = record(function, tree), trace(tree)
    assert first_difference(run, real) is None
    assert {(event.alpha, event.beta) for event in run.events} == {(None, None)}
    kinds = ("bv", "exit")
    assert [event.bv for event in run.events if event.kind in kinds] == [
        event.bv for event in real.events if event.kind in kinds
    ]


def remembers_its_window(node, alpha, beta):
    """The copies are for a table; the parameters are the window all the same."""
    before = alpha, beta
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, remembers_its_window(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    assert before
    return best


def narrows_what_it_hands_down(node, alpha, beta):
    """Its α and β never move, and are shown so."""
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, narrows_what_it_hands_down(child, *narrowed(node, alpha, beta, best)))
        if best >= beta if node.is_max else best <= alpha:
            break
    return best


def test_parameters_that_are_the_window_are_shown():
    assert told(record(remembers_its_window, WIDE)) == told(trace(WIDE))
    entered = [event[3:4] for event in record(narrows_what_it_hands_down, WIDE).events if event.kind == "enter"]
    assert None not in {bound for bounds in entered for bound in bounds}


def guesses(node):
    guess, low, high = 0, -inf, inf
    while low < high:
        beta = guess + 1 if guess == low else guess
        guess = asks_nobody(node, beta - 1, beta)
        low, high = (low, guess) if guess < beta else (guess, high)
    return guess


def asks_nobody(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = better(node, best, asks_nobody(child, alpha, beta))
        alpha, beta = narrowed(node, alpha, beta, best)
        if alpha >= beta:
            break
    return best


def test_a_guess_is_no_best_value():
    assert {event.bv for event in record(guesses, WIDE).events if event.kind == "enter"} == {inf, -inf}


# threads


def one_thread(node, alpha, beta):
    found = []
    thread = threading.Thread(target=lambda: found.append(asks_nobody(node, alpha, beta)))
    thread.start()
    thread.join()
    return found[0]


def a_thread_a_move(node, alpha, beta):
    with ThreadPoolExecutor(2) as threads:
        return max(threads.map(lambda child: asks_nobody(child, alpha, beta), node.children))


@pytest.mark.parametrize("function", [one_thread, a_thread_a_move])
def test_what_is_done_in_threads_has_no_variables_and_all_its_leaves(function):
    run = record(function, WIDE)
    assert run.value == 2 and set(run.leaves) >= set(trace(WIDE).leaves)
    assert all((event.alpha, event.beta, event.bv) == (None, None, None) for event in run.events)


@pytest.mark.parametrize("function", [max_value, min_value])
def test_two_functions_that_take_turns_where_the_players_do_not_speak_for_nobody_else(function):
    """max_value at a node of MIN's begins with −∞, as a negamax would."""
    uneven = [tree for tree in random_trees(60) if not alternates(tree)]
    assert len(uneven) > 10
    for tree in uneven:
        leaves = [event for event in record(function, tree).events if event.kind == "leaf"]
        assert leaves and all(event.value == event.node.value for event in leaves)


def greatest(node):
    best = -inf
    for child in node.children:
        best = max(best, child.value if child.is_leaf else greatest(child))
    return best


def greatest_of_text(node):
    best = -float("inf")
    for child in node.children:
        best = max(best, child.value if child.is_leaf else greatest_of_text(child))
    return best


@pytest.mark.parametrize("function", [greatest, greatest_of_text])
def test_who_turns_no_number_round_speaks_for_max(function):
    """At MIN nodes it looks like a negamax: its best value begins with −∞, and what it returns is more than that."""

    def worth(node):
        return max(map(worth, node.children)) if node.children else node.value

    for tree in (Tree([[[3, 5], [2, 9]], [[0, 1], [7, 4]]]), *random_trees(30)):
        for event in record(function, tree).events:
            if event.kind == "exit":
                assert event.value == worth(event.node)


def opposite(value):
    return -value


def in_other_words(node):
    if node.is_leaf:
        return node.value if node.is_max else opposite(node.value)
    return max(opposite(in_other_words(child)) for child in node.children)


def test_a_sign_that_a_helper_turns_is_turned_all_the_same():
    for tree in ALTERNATING:
        run = record(in_other_words, tree)
        assert run.events and first_difference(run, trace(tree, search=minimax)) is None
