"""The searches against slow oracles, on random trees and under all rules."""

from math import ceil, floor, inf, nan
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, alphabeta, minimax
from abviz.tracing.algorithms import Event
from tests import oracle, strategies
from tests.strategies import ALL_RULES


def rows(events) -> list[tuple]:
    return [(e.kind, e.node.name, e.alpha, e.beta, e.bv, e.value) for e in events]


def value(events) -> float:
    return list(events)[-1].value


def read(events) -> list[str]:
    return [event.node.name for event in events if event.kind == "leaf"]


# The whole of what they do


@given(strategies.traces(narrow=True))
def test_alphabeta_does_what_a_naive_one_does(trace):
    options = {
        name: trace.options.get(name, default) for name, default in (("alpha", -inf), ("beta", inf))
    }
    log = oracle.alphabeta_log(trace.tree, trace.rules, trace.depth, **options)
    assert rows(trace.events) == log.rows
    assert trace.value == log.value


@given(strategies.trees(), strategies.rules(), st.booleans())
def test_minimax_does_what_a_naive_one_does(tree, rules, early_stop):
    log = oracle.minimax_log(tree, rules, early_stop=early_stop)
    assert rows(minimax(tree, rules=rules, early_stop=early_stop)) == log.rows
    assert log.value == oracle.minimax_value(tree.root)


CORNERS = {
    "a deep cut": lambda t: any(cut.deep for cut in t.cuts),
    "a cut by the first bound": lambda t: any(cut.witness is None for cut in t.cuts),
    "a cut on a tie": lambda t: any(
        cut.bv == (cut.alpha if cut.kind == "alpha" else cut.beta) for cut in t.cuts
    ),
    "a skipped inner node": lambda t: any(
        not t.tree[name].is_leaf for cut in t.cuts for name in cut.skipped
    ),
    "both kinds of cut": lambda t: {cut.kind for cut in t.cuts} == {"alpha", "beta"},
    "a closed window": lambda t: any(e.kind == "enter" and e.alpha >= e.beta for e in t.events),
    "a clamped value": lambda t: any(e.kind == "exit" and e.value != e.bv for e in t.events),
    "an infinite value": lambda t: any(e.kind == "exit" and abs(e.value) == inf for e in t.events),
    "a cut where players repeat": lambda t: (
        t.cuts and any(c.is_max == n.is_max for n in t.tree.nodes for c in n.children)
    ),
    "a node at the depth limit": lambda t: any(
        e.kind == "leaf" and not e.node.is_leaf for e in t.events
    ),
    "a cut tested first": lambda t: t.rules.test_first and t.cuts,
    "a cut from right to left": lambda t: t.rules.right_to_left and t.cuts,
    "an uneven tree": lambda t: (
        len({oracle.levels(t.tree)[leaf.name] for leaf in t.tree.leaves()}) > 1
    ),
}


def test_the_random_searches_hold_every_corner():
    """What the property tests are about does occur in what they are given."""
    not_met = set(CORNERS)

    @settings(max_examples=200)  # in 50, some corners are met once or twice
    @given(strategies.traces(narrow=True))
    def look(trace):
        not_met.difference_update([corner for corner, holds in CORNERS.items() if holds(trace)])

    look()
    assert not not_met


# What is true of every search (the root's value, the order, the windows, what is read)


@given(strategies.trees())
def test_the_value_of_the_root_is_minimax_under_all_rules(tree):
    expected = oracle.minimax_value(tree.root)
    for rules in ALL_RULES:
        assert value(alphabeta(tree, rules=rules)) == expected, rules
    assert value(minimax(tree)) == value(minimax(tree, early_stop=True)) == expected
    for node in tree.nodes[1:4]:
        assert (
            value(alphabeta(tree, node)) == value(minimax(tree, node)) == oracle.minimax_value(node)
        )


@given(strategies.traces(narrow=True, plain=True))
def test_every_node_is_reached_once_or_lies_below_one_cut(trace):
    reached = [e.node for e in trace.events if e.kind in ("enter", "leaf")]
    skipped = [
        below
        for e in trace.events
        if e.kind == "cut"
        for below in [e.node, *oracle.descendants(e.node)]
    ]
    beyond = [
        below for e in trace.events if e.kind == "leaf" for below in oracle.descendants(e.node)
    ]
    met = sorted(node.name for node in [*reached, *skipped, *beyond])
    assert met == sorted(node.name for node in trace.tree.nodes)
    for event in trace.events:
        assert not (event.kind == "leaf" and event.node.children and trace.depth is None)


@given(strategies.traces(narrow=True))
def test_alpha_never_falls_and_beta_never_rises_and_both_stand_again_on_return(trace):
    calls: list[Event] = []  # the latest event of each call under way
    for event in trace.events:
        if event.kind in ("enter", "leaf"):
            assert not calls or (event.alpha, event.beta) == (calls[-1].alpha, calls[-1].beta)
            calls += [event] if event.kind == "enter" else []
            continue
        before = calls[-1]
        assert before.alpha <= event.alpha and event.beta <= before.beta
        if event.kind == "alpha":
            assert (
                event.node.is_max
                and event.alpha == event.bv > before.alpha
                and event.beta == before.beta
            )
        elif event.kind == "beta":
            assert (
                not event.node.is_max
                and event.beta == event.bv < before.beta
                and event.alpha == before.alpha
            )
        else:
            assert (event.alpha, event.beta) == (before.alpha, before.beta)
        calls[-1] = event
        if event.kind == "exit":
            calls.pop()


@given(strategies.traces(narrow=True))
def test_what_a_returned_value_says(trace):
    """For a window α < β, fail-soft: r ≤ α is an upper bound, r ≥ β a lower one, and what lies
    between is exact.
    """
    level = oracle.levels(trace.tree)
    windows = {e.node.name: (e.alpha, e.beta) for e in trace.events if e.kind == "enter"}
    for event in trace.events:
        if event.kind != "exit":
            continue
        alpha, beta = windows[event.node.name]
        left = inf if trace.depth is None else trace.depth - level[event.node.name]
        truth, returned = oracle.minimax_value(event.node, left), event.value
        if alpha == beta:  # only the strict rules go on to search behind a closed window
            assert trace.rules.strict
        elif trace.rules.fail_hard:
            assert returned == min(max(truth, alpha), beta)
        elif returned <= alpha:
            assert truth <= returned
        elif returned >= beta:
            assert truth >= returned
        else:
            assert truth == returned


@given(strategies.traces(), st.booleans())
def test_leaves_read_are_among_those_of_minimax_and_in_its_order(trace, early_stop):
    everything = read(minimax(trace.tree, rules=trace.rules, depth=trace.depth))
    rest = iter(everything)
    assert all(leaf in rest for leaf in read(trace.events))
    assert set(read(minimax(trace.tree, depth=trace.depth, early_stop=early_stop))) <= set(
        everything
    )


# What is known of alpha-beta in numbers


def uniform(breadth: int, depth: int, leaves) -> list | int:
    return [uniform(breadth, depth - 1, leaves) for _ in range(breadth)] if depth else next(leaves)


def best_first(nested, is_max: bool):
    """The children of every node from best to worst for the one to move; and its value."""
    if not isinstance(nested, list):
        return nested, nested
    children = sorted(
        (best_first(child, not is_max) for child in nested),
        key=lambda child: child[1],
        reverse=is_max,
    )
    return [child for child, _ in children], children[0][1]


@pytest.mark.parametrize(
    "breadth, depth", [(1, 3), (2, 1), (2, 4), (2, 7), (3, 2), (3, 3), (3, 5), (4, 4), (7, 3)]
)
@pytest.mark.parametrize("to_move", ["max", "min"])
@pytest.mark.parametrize("rules", [Rules(), Rules(test_first=True), Rules(fail_hard=True)])
def test_the_least_number_of_leaves(breadth, depth, to_move, rules):
    """Knuth and Moore (1975): with the best child first everywhere, b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves."""
    leaves = list(range(breadth**depth))
    Random(breadth * depth).shuffle(leaves)
    nested, worth = best_first(uniform(breadth, depth, iter(leaves)), to_move == "max")
    events = list(alphabeta(Tree(nested, to_move=to_move), rules=rules))
    assert value(events) == worth
    assert len(read(events)) == breadth ** ceil(depth / 2) + breadth ** floor(depth / 2) - 1


# Values that are not known


@given(strategies.trees(unknown=True), strategies.rules())
def test_an_unknown_leaf_matters_only_where_it_is_read(tree, rules):
    """The search is that of any tree with numbers there, up to the first unknown leaf that it
    needs.
    """
    filled = tree
    for node in tree.nodes:
        if node.is_leaf and node.value is None:
            filled = filled.with_value(node.name, 1)
    unknown = {node.name for node in tree.nodes if node.is_leaf and node.value is None}
    needed = [name for name in read(alphabeta(filled, rules=rules)) if name in unknown]
    if not needed:
        assert rows(alphabeta(tree, rules=rules)) == rows(alphabeta(filled, rules=rules))
        return
    with pytest.raises(AbvizError) as error:
        list(alphabeta(tree, rules=rules))
    assert f"leaf {needed[0]} " in f"{error.value} " and "not known" in str(error.value)


# Bad arguments


BAD = [
    *[
        ((low, high), "the window is α = ")
        for low, high in ((3, 3), (4, 3), (inf, inf), (nan, 3), ("low", 3), (0, True))
    ],
    *[(depth, "depth is ") for depth in (-1, 1.5, "2", inf)],
]


@pytest.mark.parametrize("argument, message", BAD)
def test_bad_arguments_are_refused(argument, message):
    options = (
        {"depth": argument}
        if message == "depth is "
        else dict(zip(("alpha", "beta"), argument, strict=True))
    )
    with pytest.raises(AbvizError, match=f"^{message}.*; expected"):
        alphabeta(Tree([1, 2]), **options)


def test_the_words_for_the_rules_name_every_switch():
    assert len(set(map(str, ALL_RULES))) == len(ALL_RULES)
