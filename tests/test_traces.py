"""The record of a search, held to oracles that do its events one by one."""

import json
from dataclasses import asdict, replace
from functools import partial
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, alphabeta, load, minimax
from abviz.tracing.traces import trace
from tests import oracle, strategies
from tests.strategies import comb, mirrored

FIGURE = load("figure-4.24")

any_trace = strategies.traces(narrow=True, plain=True)


# Steps


@given(any_trace)
def test_a_step_is_one_event_or_all_the_cuts_of_one_cutoff(trace):
    groups = oracle.groups(trace.events)
    assert len(trace) == len(groups)
    assert (
        trace.events_at(0) == () and trace[0].event is None and trace[0].at == trace.tree.root.name
    )
    for step, events in enumerate(groups, 1):
        assert trace.events_at(step) == tuple(events)
        assert trace[step].event is events[0]
        cuts = events[0].kind == "cut"
        place = oracle.ancestors(trace.tree, events[0].node.name)[0] if cuts else events[0].node
        assert (
            trace.where(step) is place and trace[step].at == place.name and trace[step].step == step
        )


@given(any_trace, st.data())
def test_a_state_is_that_of_all_events_done_one_by_one_whatever_was_asked_before(trace, data):
    """In whatever order the steps are asked for, forwards, backwards or in jumps."""
    for step in data.draw(st.lists(st.integers(0, len(trace)), min_size=1, max_size=6)):
        expected = oracle.replay(trace, step)
        assert list(trace[step].nodes) == [node.name for node in trace.tree.nodes]
        for name, node in trace[step].nodes.items():
            assert node._asdict() == vars(expected[name]), (step, name)
            assert trace.node_at(trace.tree[name], step) is node
    forwards = [trace[step] for step in range(len(trace) + 1)]
    assert forwards == list(trace) == [trace[step] for step in range(len(trace), -1, -1)][::-1]


@given(any_trace)
def test_what_is_proven_at_a_nodes_last_visit_has_come_up_to_it(trace):
    for step in range(len(trace) + 1):
        expected = oracle.come_up(trace, step)
        for node in trace.tree.nodes:
            visit = trace.last_visit(node, step)
            assert (visit.low, visit.high) == expected[node.name], (step, node.name)


@given(any_trace)
def test_leaves_read_and_skipped(trace):
    depth = inf if trace.depth is None else trace.depth
    levels = oracle.levels(trace.tree)
    seen = skipped = 0
    assert trace.leaves_at(0) == (0, 0)
    for step, events in enumerate(oracle.groups(trace.events), 1):
        for event in events:
            seen += event.kind == "leaf"
            if event.kind == "cut":
                skipped += len(oracle.searched_leaves(event.node, depth - levels[event.node.name]))
        assert trace.leaves_at(step) == (trace[step].seen, trace[step].skipped) == (seen, skipped)
    assert (
        seen + skipped
        == trace.frontier(trace.tree.root)
        == len(oracle.searched_leaves(trace.tree.root, depth))
    )
    for node in trace.tree.nodes:
        left = depth - levels[node.name]
        assert left < 0 or trace.frontier(node) == len(oracle.searched_leaves(node, left))


# Results


@given(strategies.traces(plain=True))
def test_value_leaves_best_and_line(trace):
    depth = inf if trace.depth is None else trace.depth
    read = [(e.node.name, e.value) for e in trace.events if e.kind == "leaf"]
    assert trace.value == oracle.minimax_value(trace.tree.root, depth)
    assert list(zip(trace.leaves, trace.leaf_values, strict=True)) == read
    for step in range(len(trace) + 1):
        assert trace.line_at(step) == trace[step].line == oracle.line(trace, step)
    assert trace.line == (oracle.line(trace, len(trace)) or (trace.tree.root.name,))
    assert trace.best == (trace.line[1] if len(trace.line) > 1 else None)
    for above, below in zip(trace.line, trace.line[1:], strict=False):
        assert trace.tree[below] in trace.tree[above].children
    assert trace.line[-1] in trace.leaves
    assert trace.tree[trace.line[-1]].value == trace.value  # the line explains the value


def test_where_no_move_improves_the_first_one_searched_is_best():
    assert trace(Tree([-inf, [-inf, 3]])).line == ("A", "a1")
    assert trace(Tree([-inf, [-inf, 3]]), rules=Rules(right_to_left=True)).line == ("A", "B", "b1")
    assert trace(Tree([inf, inf], to_move="min")).best == "a1"
    assert trace(Tree([4, 4])).best == "a1"


@given(any_trace)
def test_cuts(trace):
    depth = inf if trace.depth is None else trace.depth
    levels = oracle.levels(trace.tree)
    made = [
        (step, e) for step, e in enumerate(oracle.groups(trace.events), 1) if e[0].kind == "cut"
    ]
    assert [cut.step for cut in trace.cuts] == [step for step, _ in made]
    for cut, (step, events) in zip(trace.cuts, made, strict=True):
        node = oracle.ancestors(trace.tree, events[0].node.name)[0]
        assert cut is trace.cut_at(step)
        assert (cut.kind, cut.at) == ("beta" if node.is_max else "alpha", node.name)
        assert (cut.alpha, cut.beta, cut.bv) == (events[0].alpha, events[0].beta, events[0].bv)
        assert cut.skipped == tuple(event.node.name for event in events)
        assert cut.saved == sum(
            len(oracle.searched_leaves(e.node, depth - levels[e.node.name])) for e in events
        )
        if trace.search == "minimax":
            assert (cut.witness, cut.via, cut.deep) == (None, None, False)
            assert cut.bv == (inf if node.is_max else -inf)
        else:
            assert (cut.witness, cut.via, cut.deep) == oracle.witness(trace, step)
    for step in {*range(len(trace) + 1)} - {cut.step for cut in trace.cuts}:
        assert trace.cut_at(step) is None


# What is proven


@given(strategies.traces(narrow=True, plain=True))
def test_the_proven_interval_holds_the_value_and_never_widens(trace):
    level = oracle.levels(trace.tree)
    depth = inf if trace.depth is None else trace.depth
    truth = {
        n.name: oracle.minimax_value(n, depth - level[n.name])
        for n in trace.tree.nodes
        if level[n.name] <= depth
    }
    last = {name: (-inf, inf) for name in truth}
    for step in range(len(trace) + 1):
        for name, node in trace[step].nodes.items():
            if level[name] > depth:
                assert (node.low, node.high) == (-inf, inf)
                continue
            assert last[name][0] <= node.low <= truth[name] <= node.high <= last[name][1]
            last[name] = node.low, node.high


# Other trees


@given(strategies.trees(), strategies.rules(), st.data())
def test_an_edited_tree_is_traced_like_one_built_fresh(tree, rules, data):
    leaf = data.draw(st.sampled_from(list(tree.leaves())))
    new = data.draw(strategies.WINS)
    edited = tree.with_value(leaf.name, new)

    def nested(node):
        value = new if node is leaf else node.value
        children = [nested(child) for child in node.children]
        return (
            {"children": children, "to_move": "max" if node.is_max else "min"}
            if children
            else value
        )

    fresh = Tree(nested(tree.root), to_move="max" if tree.root.is_max else "min")
    assert edited == fresh and (leaf.value == new or edited != tree)
    t, u = trace(edited, rules=rules), trace(fresh, rules=rules)
    assert t.to_dict() == u.to_dict() and t.cuts == u.cuts
    assert [state.nodes for state in t] == [state.nodes for state in u]


@given(strategies.trees(), strategies.rules())
def test_right_to_left_is_the_trace_of_the_mirrored_tree(tree, rules):
    there = trace(tree, rules=replace(rules, right_to_left=True))
    mirror = trace(mirrored(tree), rules=replace(rules, right_to_left=False))
    assert there.cuts == mirror.cuts and there.line == mirror.line and there.leaves == mirror.leaves
    record, expected = there.to_dict(), mirror.to_dict()
    assert record == expected  # the nodes' order apart, which a mapping does not count


# The record for machines


def strict_json(record: object) -> object:
    return json.loads(json.dumps(record, allow_nan=False))


@given(any_trace)
def test_the_record_survives_json_and_says_what_the_trace_says(trace):
    record = trace.to_dict()
    assert strict_json(record) == record

    def plain(part):
        return (
            {inf: "inf", -inf: "-inf"}.get(part, part)
            if not isinstance(part, tuple)
            else list(map(plain, part))
        )

    for key in ("value", "best", "line", "leaves", "leaf_values"):
        assert record[key] == plain(getattr(trace, key))
    end = oracle.proven(trace, len(trace))
    assert record["nodes"] == {
        name: {"low": plain(low), "high": plain(high)} for name, (low, high) in end.items()
    }
    events = [event._asdict() | {"node": event.node.name} for event in trace.events]
    cuts = [asdict(cut) for cut in trace.cuts]
    for rows, expected in ((record["events"], events), (record["cuts"], cuts)):
        assert rows == [{name: plain(part) for name, part in row.items()} for row in expected]


# Bad input


def my_search(node):
    return node.value


BAD_SEARCHES = [
    ({"search": "minimax"}, r"search is 'minimax'; expected alphabeta or minimax"),
    (
        {"search": my_search},
        r"search is <function my_.*; expected .*; watch\(function, tree\) shows a search",
    ),
    ({"strict": True}, r"alphabeta has no option strict; expected alpha, beta, or rules=Rules"),
    ({"early_stop": True}, r"alphabeta has no option early_stop; expected alpha, beta"),
    (
        {"search": minimax, "alpha": 1, "beta": 2},
        r"minimax has no option alpha; expected early_stop",
    ),
    ({"depth": 1}, r"the search ends at B, which has no static value"),
]
BAD = [(partial(trace, FIGURE, **options), message) for options, message in BAD_SEARCHES]
BAD += [
    (partial(trace, "figure-4.24"), r"asked to trace 'figure-4.24'; expected a Tree: load\(name\)"),
    (partial(trace, Tree([[1, None]])), r"the value of leaf b2 is not known"),
    (lambda: trace(FIGURE)[-1], r"step is -1; expected 0 \(before the search\) to 39 \(its end\)"),
]
BAD += [
    (lambda step=step: trace(FIGURE)[step], r"step is .*; expected 0")
    for step in (40, slice(1, 3), "C")
]


@pytest.mark.parametrize("ask, message", BAD)
def test_bad_input_gets_one_line(ask, message):
    with pytest.raises(AbvizError, match=f"^{message}") as error:
        ask()
    assert "\n" not in str(error.value) and len(str(error.value)) < 250


@pytest.mark.parametrize("search", [alphabeta, minimax])
def test_a_deep_tree_does_not_meet_the_recursion_limit(search):
    t = trace(comb(999), search=search)
    assert t.value == trace(comb(999), search=minimax).value
    assert len(str(t).splitlines()) == len(t) + 3  # a head, step 0, the result
    strict_json(t.to_dict())


def test_the_record_of_figure_4_24_is_the_one_of_the_contract():
    record = strict_json(trace(FIGURE).to_dict())
    cuts = [{key: cut[key] for key in CONTRACT["cuts"][0]} for cut in record["cuts"]]
    nodes = {name: record["nodes"][name] for name in CONTRACT["nodes"]}
    assert {**record, "cuts": cuts, "nodes": nodes, "events": record["events"][:1]} == CONTRACT
    assert len(record["nodes"]) == 14 and len(record["events"]) == 39


CONTRACT = json.loads("""
{"value": 4, "best": "C", "line": ["A", "C", "H"],
 "leaves": ["D", "E", "M", "J", "K", "H"], "leaf_values": [3, 5, 0, 5, 7, 4],
 "cuts": [{"kind": "alpha", "at": "I", "alpha": 3, "beta": 0, "bv": 0, "skipped": ["N"], "witness": "A", "deep": true},
          {"kind": "beta", "at": "G", "alpha": 7, "beta": 5, "bv": 7, "skipped": ["L"], "witness": "C", "deep": false}],
 "nodes": {"I": {"low": "-inf", "high": 0}, "M": {"low": 0, "high": 0}, "N": {"low": "-inf", "high": "inf"}},
 "events": [{"kind": "enter", "node": "A", "alpha": "-inf", "beta": "inf", "bv": "-inf", "value": null}]}
""")
