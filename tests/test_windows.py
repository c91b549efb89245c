"""A search with a window returns a value or a bound: what is claimed of the result is true, by
plain minimax.
"""

import re
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import Rules, Tree, draw, load, minimax, record, trace
from abviz.tracing.narration import sentence, summary
from abviz.tracing.traces import RECORDED, Trace
from tests import strategies
from tests.oracle import levels, minimax_value
from tests.solutions import writing
from tests.strategies import chooser, some_rules, some_tree, some_window

PROGRAMS_FOR_ANY_TURN = (writing.alphabeta, writing.fail_hard)
PROGRAMS = (*PROGRAMS_FOR_ANY_TURN, writing.negamax)


@st.composite
def windowed(draw: st.DrawFn) -> Trace:
    """A search with a window of any kind, under any rules; here and there a student's own, or down
    to a depth.
    """
    choose = chooser(draw)
    low, high = some_window(choose)
    depth = choose([None, None, None, 1, 2, 3])
    is_recorded = depth is None and choose(range(4)) == 1
    tree = some_tree(choose, wins=not is_recorded, unknown=False, static=depth is not None, most=40)
    if is_recorded:
        in_turn = all(child.is_max != node.is_max for node in tree.nodes for child in node.children)
        program = choose(PROGRAMS if in_turn else PROGRAMS_FOR_ANY_TURN)
        return record(program, tree, window=(low, high), negamax=program is writing.negamax)
    return trace(tree, rules=some_rules(choose), depth=depth, alpha=low, beta=high)


def worth(searched: Trace, name: str) -> float:
    """Return the minimax value of the node, down to the depth of the search."""
    depth = inf if searched.depth is None else searched.depth - levels(searched.tree)[name]
    return minimax_value(searched.tree[name], depth)


def is_value(searched: Trace) -> bool:
    """Return whether what was returned is strictly inside the window that the search was given."""
    options = searched.options
    low, high = (
        options["window"] if searched.search == RECORDED else (options["alpha"], options["beta"])
    )
    return (low == -inf or searched.value > low) and (high == inf or searched.value < high)


def read_number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


CLAIM = re.compile(r"(at most|at least|is worth|: value|^value) ([−∞\d.]+\d|[−]?∞|\d)")


def claims(text: str) -> list[tuple[str, float]]:
    """Return what the text says of the root: [("at most", 1)]."""
    return [(words.strip(": "), read_number(value)) for words, value in CLAIM.findall(text)]


@given(windowed())
def test_a_result_is_claimed_only_inside_the_window_and_is_true(searched):
    root = searched.tree.root.name
    value = worth(searched, root)
    record = searched.to_dict()
    assert (record["best"], record["line"]) == (searched.best, list(searched.line))
    if not is_value(searched):
        assert (searched.best, searched.line, record["best"], record["line"]) == (
            None,
            (),
            None,
            [],
        )
    else:
        assert searched.value == value
        assert searched.line[0] == root and searched.best == (
            searched.line[1] if len(searched.line) > 1 else None
        )
        assert [worth(searched, name) for name in searched.line] == [value] * len(searched.line)
        for above, below in pairwise(searched.line):
            assert searched.tree[below] in searched.tree[above].children
        assert searched.line[-1] in searched.leaves


@given(windowed())
def test_what_is_said_of_the_result_is_true(searched):
    value = worth(searched, searched.tree.root.name)
    texts = [
        sentence(searched, len(searched)),
        summary(searched),
        str(searched).splitlines()[-1],
        repr(searched),
    ]
    for text in texts:
        for words, number in claims(text):
            if words == "at most":
                assert value <= number
            elif words == "at least":
                assert value >= number
            else:
                assert value == number and is_value(searched)
    if not is_value(searched):
        assert not any(word in text for text in texts for word in ("→", "best", "Best", "value ="))
        if searched.search != RECORDED:
            said = [claims(text) for text in texts if "is read" not in text]
            assert all(said) and all(words.startswith("at ") for each in said for words, _ in each)


@given(windowed())
def test_the_line_so_far_is_that_of_a_move_whose_value_is_known(searched):
    """At every step its nodes are worth the same, no move that was searched is better, and the
    picture shows it.
    """
    root = searched.tree.root
    choose = max if root.is_max else min
    for step in range(len(searched) + 1):
        line = searched.line_at(step)
        assert searched[step].line == line
        if len(line) < 2:
            continue
        value = worth(searched, line[1])
        assert {worth(searched, name) for name in line[1:]} == {value}
        returned = [
            child.name for child in root.children if searched.node_at(child, step).value is not None
        ]
        known = [
            worth(searched, name)
            for name in returned
            if searched.node_at(searched.tree[name], step).state == "done"
        ]
        is_before_bv = searched.where(step) is not root and searched.where(step).name in returned
        assert is_before_bv or value == choose(known)
    picture = draw(searched).source
    thick = len(re.findall(r"penwidth=3\.4", picture))
    assert thick == max(0, len(searched.line_at(len(searched))) - 1)


@given(strategies.traces(plain=True))
def test_an_open_window_leaves_nothing_out(searched):
    """Without a window, every search of an inner node ends with a best move and its line."""
    assert searched.value == worth(searched, searched.tree.root.name)
    assert searched.bound is None and searched.line
    assert (searched.best is None) == (searched.tree.root.is_leaf or searched.depth == 0)


def test_the_move_that_looked_best_below_the_window():
    """B is worth −1, and returned 1 because nothing below 2 mattered."""
    searched = trace(Tree([[1, -1], 1]), alpha=2)
    assert (searched.value, searched.best, searched.line) == (1, None, ())
    says = (
        "The search is over: A returns 1 (a bound: its value is at most 1, because the search "
        "started with α = 2). It read 2 of 3 leaves."
    )
    assert sentence(searched, len(searched)).startswith(says)
    assert summary(searched).startswith("returned 1 (a bound: its value is at most 1, because")
    assert repr(searched) == "<Trace of alphabeta: returned 1 (at most 1), 11 steps, 1 cut>"


WINDOWS: list[tuple[Any, dict[str, Any], tuple[float, str | None]]] = [
    ([[3, 5], [2, 9]], {"alpha": 2}, (3, "B")),
    ([[3, 5], [2, 9]], {"alpha": 3}, (3, None)),
    ([[3, 5], [2, 9]], {"beta": 3}, (3, None)),
    ([[3, 5], [2, 9]], {"beta": 4}, (3, "B")),
    ([[3, 5], [2, 9]], {"alpha": 7, "rules": Rules(fail_hard=True)}, (7, None)),
    ([[-inf, 5], [2, -inf]], {"beta": 0}, (-inf, "B")),
    ([[inf, inf], [2, 9]], {"alpha": 0}, (inf, "B")),
    ([[inf, inf], [2, 9]], {"beta": 8}, (inf, None)),
]


@pytest.mark.parametrize(("leaves", "options", "expected"), WINDOWS)
def test_the_ends_of_a_window_are_outside_unless_they_are_infinite(leaves, options, expected):
    searched = trace(Tree(leaves), **options)
    assert (searched.value, searched.best) == expected
    assert bool(searched.line) == (expected[1] is not None)


def test_a_leaf_alone_and_minimax_have_their_value():
    assert trace(Tree(5)).line == ("A",) and trace(Tree(5), alpha=7).line == ()
    assert trace(load("figure-4.24"), search=minimax).best == "C"


def test_a_recorded_run_with_a_window_has_a_best_move_only_inside_it():
    tree = Tree([[3, 5], [2, 9]])
    inside, outside = (
        record(writing.alphabeta, tree, window=window) for window in ((2, 7), (4, 7))
    )
    assert (inside.value, inside.best) == (3, "B")
    assert (outside.value, outside.best, outside.line) == (3, None, ())
    assert repr(outside).startswith("<Trace of recorded: returned 3,")
