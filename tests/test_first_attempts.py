"""Wrong searches as they are written at the first attempt: what they do wrong has a name, and what is said is clear."""

from math import inf

import pytest

from abviz import check


def two_tests(node, alpha, beta):
    """≥ in one of the two tests, and < in the other."""
    if not node.children:
        return node.value
    if node.is_max:
        v = -inf
        for child in node.children:
            v = max(v, two_tests(child, alpha, beta))
            if beta <= v:
                return v
            alpha = max(alpha, v)
        return v
    v = inf
    for child in node.children:
        v = min(v, two_tests(child, alpha, beta))
        if alpha > v:
            return v
        beta = min(beta, v)
    return v


def crosswise(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = crosswise(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            beta = min(beta, best)
        else:
            best = min(best, value)
            alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def first_all_then_test(node, alpha, beta):
    if node.is_leaf:
        return node.value
    scores = [first_all_then_test(child, alpha, beta) for child in node.children]
    best = -inf if node.is_max else inf
    for score in scores:
        if node.is_max:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def best_for_bound(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        if node.is_max:
            best = max(best, best_for_bound(child, best, beta))
            if best >= beta:
                break
        else:
            best = min(best, best_for_bound(child, alpha, best))
            if best <= alpha:
                break
    return best


def in_two(at_max, at_min):
    """max_value and min_value, each with one line of their own: (alpha, beta, v) → (whether to return, alpha, beta)."""

    def max_value(node, alpha, beta):
        if node.is_leaf:
            return node.value
        v = -inf
        for child in node.children:
            v = max(v, min_value(child, alpha, beta))
            done, alpha, beta = at_max(alpha, beta, v)
            if done:
                return v
        return v

    def min_value(node, alpha, beta):
        if node.is_leaf:
            return node.value
        v = inf
        for child in node.children:
            v = min(v, max_value(child, alpha, beta))
            done, alpha, beta = at_min(alpha, beta, v)
            if done:
                return v
        return v

    return max_value, min_value


def right_at_max(alpha, beta, v):
    return v >= beta, max(alpha, v), beta


LOWERS_ALPHA = in_two(right_at_max, lambda alpha, beta, v: (v <= alpha, min(alpha, v), beta))
OTHERS_BOUND = in_two(
    lambda alpha, beta, v: (v >= beta, alpha, min(beta, v)), lambda alpha, beta, v: (v <= alpha, max(alpha, v), beta)
)
STRICT_AT_MIN = in_two(right_at_max, lambda alpha, beta, v: (v < alpha, alpha, min(beta, v)))


def max_alpha(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        alpha = max(alpha, min_beta(child, alpha, beta))
        if alpha >= beta:
            return alpha
    return alpha


def min_beta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        beta = min(beta, max_alpha(child, alpha, beta))
        if beta <= alpha:
            return beta
    return beta


def negamax_of_alpha(node, a, b):
    if not node.children:
        return node.value if node.is_max else -node.value
    for child in node.children:
        a = max(a, -negamax_of_alpha(child, -b, -a))
        if a >= b:
            break
    return a


def search(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = search(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def max_of_pairs(root):
    return (max if root.is_max else min)((search(child, -inf, inf), child.name) for child in root.children)


def name_from_below(node, alpha=-inf, beta=inf):
    if node.is_leaf:
        return node.value, node.name
    best = (-inf, None) if node.is_max else (inf, None)
    for child in node.children:
        found = name_from_below(child, alpha, beta)
        if node.is_max:
            best = found if found[0] > best[0] else best
            alpha = max(alpha, best[0])
        else:
            best = found if found[0] < best[0] else best
            beta = min(beta, best[0])
        if alpha >= beta:
            break
    return best


@pytest.mark.parametrize(
    ("exercise", "answer", "name"),
    [
        ("alphabeta", two_tests, "strict for one player"),
        ("alphabeta", crosswise, "the other's bound moved"),
        ("alphabeta", first_all_then_test, "cuts too late"),
        ("alphabeta", best_for_bound, "bv handed down for a bound"),
        ("two-functions", LOWERS_ALPHA, "β never falls"),
        ("two-functions", OTHERS_BOUND, "the other's bound moved"),
        ("two-functions", STRICT_AT_MIN, "strict for one player"),
        ("two-functions", (max_alpha, min_beta), "its own bound returned"),
        ("negamax", negamax_of_alpha, "its own bound returned"),
        ("best-move", max_of_pairs, "the name decides"),
        ("best-move", name_from_below, "the leaf's name"),
    ],
)
def test_a_first_attempt_has_the_name_of_its_mistake(exercise, answer, name):
    said = check(exercise, answer)
    assert (said.status, said.mistake) == ("wrong", name)
