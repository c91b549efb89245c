"""Mistakes as they are mostly written: told by the same names as the shortest way to make them.

Most are the right search below, as a student writes it, with a few of its lines changed.
"""

from math import inf

import pytest

from abviz import check
from abviz.exercises import window_mistakes as windows
from abviz.exercises.mistakes import never, searching

RIGHT = """
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
"""
IN_BOUNDS = (  # bounds that are moved by the value itself need no best value
    ("    best = -inf if node.is_max else inf\n", ""),
    (
        "            best = max(best, value)\n            alpha = max(alpha, best)",
        "            alpha = max(alpha, value)",
    ),
    ("            best = min(best, value)\n            beta = min(beta, best)", "            beta = min(beta, value)"),
)


def written(*changes, **known):
    text = RIGHT
    for lines, instead in changes:
        assert text.count(lines) == 1, lines
        text = text.replace(lines, instead)
    there = {"inf": inf, **known}
    exec(text, there)
    return there["search"]


def test_unchanged_it_is_right():
    assert check("alphabeta", written())


BOUNDS_ONLY = written(*IN_BOUNDS, ("return best", "return alpha if node.is_max else beta"))
RETURNED_AT_THE_CUT = written(
    ("            best = max(", "            if value >= beta:\n                return beta\n            best = max("),
    (
        "            best = min(",
        "            if value <= alpha:\n                return alpha\n            best = min(",
    ),
    ("        if alpha >= beta:\n            break\n", ""),
)


MIRRORED = """
def search(node, alpha, beta, colour=1):
    if node.is_leaf:
        return WORTH
    best = -inf
    for child in node.children:
        best = max(best, -search(child, HANDED))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
"""


def mirrored(handed, worth="node.value if node.is_max else -node.value"):
    there = {"inf": inf}
    exec(MIRRORED.replace("HANDED", handed).replace("WORTH", worth), there)
    return there["search"]


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
        ("fail-hard", BOUNDS_ONLY, "clamped where it cannot cut"),
        ("fail-hard", searching(returned=windows.own_bound), "clamped where it cannot cut"),
        ("fail-hard", RETURNED_AT_THE_CUT, "clamped where it cuts"),
        ("fail-hard", searching(returned=windows.others_bound), "clamped where it cuts"),
        ("alphabeta", BOUNDS_ONLY, "its own bound returned"),
        ("alphabeta", RETURNED_AT_THE_CUT, "the bound returned at a cut"),
        ("alphabeta", written(*IN_BOUNDS, ("return best", "return alpha")), "one bound returned by both players"),
        ("alphabeta", written(("if alpha >= beta", "if node.is_max and beta <= alpha")), "only MAX cuts"),
        ("alphabeta", searching(cuts=never, meets=windows.met_at_min), "only MIN cuts"),
        ("alphabeta", written(("if alpha >= beta", "if alpha <= beta")), "the test turned round"),
        ("alphabeta", written(("best = -inf if", "best = 0 if")), "0 to begin with"),
        ("alphabeta", written(("best = min(", "best = max(")), "MAX at every node"),
        ("alphabeta", written(("(child, alpha, beta)", "(child, beta, alpha)")), "α and β change places in the call"),
        ("negamax", mirrored("-alpha, -beta"), "window turned or swapped, and not both"),
        ("negamax", mirrored("beta, alpha"), "window turned or swapped, and not both"),
        ("negamax", mirrored("-beta, -alpha, -colour", "colour * node.value"), "always from MAX"),
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
    return node.value if node.is_leaf else (max if node.is_max else min)(map(value_of, node.children))


def test_a_negamax_whose_test_asks_alpha_is_right():
    assert check("negamax", mirrored("-beta, -alpha"))


def test_whose_parameters_stand_right_is_asked_what_its_test_compares():
    tests = ("best >= alpha", "best <= beta")
    said = check("alphabeta", written(("alpha >= beta", " if node.is_max else ".join(tests))))
    assert said.mistake == "α and β change places" and "with which does a MAX node compare bv?" in said.message


@pytest.mark.parametrize("player", ["max", "min"])
def test_who_finds_the_best_and_does_not_keep_it_is_asked_where_it_goes(player):
    said = check("alphabeta", written((f"best = {player}(", f"{player}(")))
    assert said.status == "wrong" and "does your variable get it?" in said.hints[0]


def test_who_reads_all_leaves_before_cutting_is_not_said_never_to_cut():
    sorting = "sorted(node.children, key=value_of, reverse=node.is_max)"
    said = check("alphabeta", written(("in node.children", f"in {sorting}"), value_of=value_of))
    assert (said.status, said.mistake) == ("wrong", None)
    assert "reads 0, −1, 1 (some of them more than once); expected 0, −1." in said.message


# what is kept in a global name


def test_a_global_that_has_reached_its_end_is_something_kept():
    changes = (
        ("(child, alpha, beta)", "(child, ALPHA, beta)"),
        ("            alpha = max(alpha, best)", "            ALPHA = max(ALPHA, best)"),
        ("if alpha >=", "if ALPHA >="),
        ("    if node.is_leaf", "    global ALPHA\n    if node.is_leaf"),
    )
    answer = written(*changes, ALPHA=9)
    said = check("alphabeta", answer)
    assert said.mistake == "something kept between calls" and answer.__globals__["ALPHA"] == 9
    assert "a global name" in said.message and "ALPHA" not in said.message


def test_a_global_that_changes_nothing_is_not_what_is_wrong():
    counting = ("    if node.is_leaf", "    global CALLS\n    CALLS += 1\n    if node.is_leaf")
    answer = written(counting, ("        if alpha >= beta:\n            break\n", ""), CALLS=0)
    assert check("alphabeta", answer).mistake == "minimax"
    assert answer.__globals__["CALLS"] > 0
