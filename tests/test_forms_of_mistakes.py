"""Mistakes as they are mostly written: told by the same names as the shortest way to make them."""

from math import inf

import pytest

from abviz import check
from abviz.exercises import window_mistakes as windows
from abviz.exercises.mistakes import narrow, searching


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
        ("alphabeta", windows.testing_bounds(narrow, where=lambda is_max: not is_max), "only MIN cuts"),
    ],
)
def test_a_mistake_as_it_is_mostly_written_has_its_name(exercise, answer, name):
    said = check(exercise, answer)
    assert (said.status, said.mistake) == ("wrong", name)
