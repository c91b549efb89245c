"""Mistakes as they are mostly written: told by the same names as the shortest way to make them."""

from math import inf

import pytest

from abviz import check
from abviz.exercises import window_mistakes as windows
from abviz.exercises.mistakes import never, searching


def bounds_only(node, alpha, beta):
    """Fail-hard without a best value: right below α at MAX, but a value that cuts is returned as it is."""
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = bounds_only(child, alpha, beta)
        if node.is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def bound_at_the_cut(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = bound_at_the_cut(child, alpha, beta)
        if node.is_max:
            if value >= beta:
                return beta
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return alpha
            best = min(best, value)
            beta = min(beta, value)
    return best


def only_max_breaks(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = only_max_breaks(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        else:
            best = min(best, value)
            beta = min(beta, best)
    return best


def max_alone_begins_with_0(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = 0 if node.is_max else inf
    for child in node.children:
        value = max_alone_begins_with_0(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def max_on_both_sides(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        best = max(best, max_on_both_sides(child, alpha, beta))
        if node.is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def alpha_returned(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = alpha_returned(child, alpha, beta)
        if node.is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha


def crosswise(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = crosswise(child, beta, alpha)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def begins_with_minus_infinity(node):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        value = begins_with_minus_infinity(child)
        best = max(best, value) if node.is_max else min(best, value)
    return best


def largest_of_all(node):
    return node.value if node.is_leaf else max(map(largest_of_all, node.children))


def the_last_one(node):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = the_last_one(child)
    return value


def turned(node):
    return node.value if node.is_leaf else max(-turned(child) for child in node.children)


@pytest.mark.parametrize(
    ("exercise", "answer", "name"),
    [
        ("fail-hard", bounds_only, "clamped where it cannot cut"),
        ("fail-hard", searching(returned=windows.own_bound), "clamped where it cannot cut"),
        ("fail-hard", bound_at_the_cut, "clamped where it cuts"),
        ("fail-hard", searching(returned=windows.others_bound), "clamped where it cuts"),
        ("alphabeta", bounds_only, "its own bound returned"),
        ("alphabeta", bound_at_the_cut, "the bound returned at a cut"),
        ("alphabeta", only_max_breaks, "only MAX cuts"),
        ("alphabeta", searching(cuts=never, meets=windows.met_at_min), "only MIN cuts"),
        ("alphabeta", max_alone_begins_with_0, "0 to begin with"),
        ("alphabeta", max_on_both_sides, "MAX at every node"),
        ("alphabeta", alpha_returned, "one bound returned by both players"),
        ("alphabeta", crosswise, "α and β change places in the call"),
        ("alphabeta", searching(cuts=never, meets=lambda alpha, beta, is_max: alpha <= beta), "the test turned round"),
        ("minimax", begins_with_minus_infinity, "one start for both players"),
        ("minimax", largest_of_all, "MAX at every node"),
        ("minimax", the_last_one, "the last child's value"),
        ("minimax", turned, "negamax"),
    ],
)
def test_a_mistake_as_it_is_mostly_written_has_its_name(exercise, answer, name):
    said = check(exercise, answer)
    assert (said.status, said.mistake) == ("wrong", name)


def value_of(node):
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(map(value_of, node.children))


def searched_to_be_sorted(node, alpha, beta):
    """It does cut, but has read all leaves before."""
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in sorted(node.children, key=value_of, reverse=node.is_max):
        value = searched_to_be_sorted(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def test_who_reads_all_leaves_before_cutting_is_not_said_never_to_cut():
    said = check("alphabeta", searched_to_be_sorted)
    assert (said.status, said.mistake) == ("wrong", None)
    assert "reads 0, −1, 1 (some of them more than once); expected 0, −1." in said.message


# what is kept in a global name


ALPHA = 9
CALLS = 0


def with_a_global(node, alpha, beta):
    """An α that all calls share, and that has reached its end before the answer is checked."""
    global ALPHA
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        found = with_a_global(child, ALPHA, beta)
        if node.is_max:
            best = max(best, found)
            ALPHA = max(ALPHA, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if beta <= ALPHA:
            break
    return best


def counting_calls(node, alpha, beta):
    """Wrong in another way: its global does not change what it does."""
    global CALLS
    CALLS += 1
    if node.is_leaf:
        return node.value
    values = [counting_calls(child, alpha, beta) for child in node.children]
    return max(values) if node.is_max else min(values)


def test_a_global_that_has_reached_its_end_is_something_kept():
    said = check("alphabeta", with_a_global)
    assert said.mistake == "something kept between calls" and ALPHA == 9
    assert "a global name" in said.message and "ALPHA" not in said.message


def test_a_global_that_changes_nothing_is_not_what_is_wrong():
    before = CALLS
    assert check("alphabeta", counting_calls).mistake == "minimax"
    assert before < CALLS
