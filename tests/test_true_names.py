"""What `check` says is true of code that nobody foresaw: names, and that the tree shown is a small one."""

from math import inf

import pytest

from abviz import check


def begins_at_its_bound(node, alpha, beta):
    """A MAX node keeps to the window; a MIN node returns β where all children are above it, and else what it finds."""
    if node.is_leaf:
        return node.value
    best = alpha if node.is_max else beta
    for child in node.children:
        value = begins_at_its_bound(child, alpha, beta)
        if node.is_max:
            best = alpha = max(alpha, best, value)
        else:
            best = beta = min(beta, best, value)
        if alpha >= beta:
            return beta if node.is_max else best
    return best


def clamped_below(node, alpha, beta):
    """It keeps to the window, but for a MIN node all of whose children are above it."""
    if node.is_leaf:
        return node.value
    low, high, best = alpha, beta, -inf if node.is_max else inf
    for child in node.children:
        value = clamped_below(child, alpha, beta)
        best = max(best, value) if node.is_max else min(best, value)
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if alpha >= beta:
            return high if node.is_max else low
    return max(best, low)


@pytest.mark.parametrize("answer", [begins_at_its_bound, clamped_below])
def test_what_a_min_root_returns_has_its_part_in_the_name(answer):
    said = check("alphabeta", answer)
    assert (said.status, said.mistake) == ("wrong", None)


def leaves_first(node):
    if node.is_leaf:
        return node.value
    values = map(leaves_first, sorted(node.children, key=lambda child: not child.is_leaf))
    return (max if node.is_max else min)(values)


def by_value(node):
    if node.is_leaf:
        return node.value
    values = map(by_value, sorted(node.children, key=lambda child: child.value if child.is_leaf else inf))
    return (max if node.is_max else min)(values)


@pytest.mark.parametrize("answer", [leaves_first, by_value])
def test_of_a_minimax_nobody_can_see_in_which_order_it_searches_leaves(answer):
    said = check("minimax", answer)
    assert said.mistake == "leaves first" and "order of their values" not in said.message


def returns_the_last(node):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = returns_the_last(child)
        best = max(best, value) if node.is_max else min(best, value)
    return value


def test_who_keeps_the_best_value_and_returns_the_last_is_not_said_to_lose_it():
    said = check("minimax", returns_the_last)
    assert said.mistake == "the last child's value" and "a node returns what" in said.message


def max_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -1
    for child in node.children:
        bv = max(bv, min_value(child, alpha, beta))
        if bv >= beta:
            break
        alpha = max(alpha, bv)
    return bv


def min_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = inf
    for child in node.children:
        bv = min(bv, max_value(child, alpha, beta))
        if bv <= alpha:
            break
        beta = min(beta, bv)
    return bv


def test_nothing_can_be_left_out_of_a_small_tree_either():
    assert "On [−3, −2] with the window (−∞, ∞) it returns −1" in check("two-functions", (max_value, min_value)).message
