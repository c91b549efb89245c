"""What the browser shows at step k, by a small twin of its module in Python: the latest entry up to k, and no more."""

import json
import re
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import Rules, Tree, load, minimax, shipped, trace
from abviz.errors import short, visible
from abviz.tracing.narration import sentence
from abviz.tracing.traces import Trace
from abviz.views.drawing import HEAD_HEIGHT, LEAF_HEIGHT, ROW, layout, letters, node_sizes
from abviz.views.frames import all_frames
from tests import oracle, strategies
from tests.test_drawing import expected_cuts, expected_lit, read_interval

Frames = dict[str, Any]
NAME, SHOWN, PLAYER, PARENT, X, Y, WIDTH, HEIGHT, VALUE, WAS = range(10)


def sent(frames: Frames) -> Frames:
    """The frames as they reach the browser: as JSON, which has neither infinities nor numbers as keys."""
    return json.loads(json.dumps(frames, allow_nan=False))


def latest(series: list[list[Any]], k: int) -> list[Any] | None:
    found = None
    for entry in series:
        if entry[0] <= k:
            found = entry
    return found


def shown_at(frames: Frames, index: int, k: int) -> dict[str, str]:
    _, *row = latest(frames["history"][index], k)
    fields = ("state", "alpha", "beta", "bv", "value", "mark", "cut")
    return dict(zip(fields, [*row, *[""] * (len(fields) - len(row))], strict=True))


def value_of(text: str) -> float | None:
    """Of a number in `data-*`: "-inf", "3", "" for none."""
    assert text == text.strip() and "−" not in text and "∞" not in text
    return float(text) if text else None


def check_step(searched: Trace, frames: Frames, k: int, part: list[int]) -> None:
    tree = searched.tree
    standings, cuts = oracle.replay(searched, k), expected_cuts(searched, k)
    for place, index in enumerate(part):
        standing, shown = standings[tree.nodes[index].name], shown_at(frames, place, k)
        assert shown["state"] == standing.state
        for field in ("alpha", "beta", "bv", "value"):
            assert value_of(shown[field]) == getattr(standing, field)
        assert read_interval(shown["mark"]) == (standing.low, standing.high)
        kind, *letter = shown["cut"].split(" ")
        bound, words = cuts.get(index, ("", ""))
        assert kind == {"α": "alpha", "β": "beta", "": ""}[bound]
        assert [f"✂ {each}-cut" for each in letter] == ([words] if "cut" in words else [])
    place_of = {tree.nodes[index].name: place for place, index in enumerate(part)}

    def places(names: Any) -> list[int]:
        return [place_of[name] for name in names if name in place_of]

    happened = oracle.groups(searched.events)[k - 1] if k else None
    at = happened[0].node.name if happened else tree.root.name
    if happened and happened[0].kind == "cut":
        at = oracle.ancestors(tree, at)[0].name
    assert frames["at"][k] == place_of.get(at, -1)
    assert frames["says"][k] == sentence(searched, k)
    assert latest(frames["line"], k)[1] == places(oracle.line(searched, k))
    before = oracle.events_to(searched, k)
    seen = sum(event.kind == "leaf" for event in before)
    levels, depth = oracle.levels(tree), inf if searched.depth is None else searched.depth
    skipped = [event.node for event in before if event.kind == "cut"]
    saved = sum(len(oracle.searched_leaves(node, depth - levels[node.name])) for node in skipped)
    assert [*map(int, re.findall(r"\d+", latest(frames["counts"], k)[1]))][:2] == [seen, saved]
    paths = expected_lit(searched, k)
    is_cut = bool(happened) and happened[0].kind == "cut"
    assert (str(k) in frames["lit"]) == is_cut
    if is_cut:
        kind, nodes = frames["lit"][str(k)]
        assert kind == ("beta" if tree[at].is_max else "alpha")
        assert set(nodes) == set(places(name for path in paths for name in path)) and len(nodes) == len(set(nodes))


@settings(max_examples=strategies.FEWER)
@given(strategies.traces(narrow=True, plain=True))
def test_every_step_is_what_the_search_did(searched: Trace) -> None:
    frames = sent(all_frames(searched))
    steps = len(searched)
    assert len(frames["says"]) == len(frames["at"]) == steps + 1
    for k in {*range(0, steps, 1 + steps // 12), steps, *(cut.step for cut in searched.cuts)}:
        check_step(searched, frames, k, [*range(len(searched.tree))])


@settings(max_examples=strategies.FEWER)
@given(strategies.traces(plain=True), st.data())
def test_a_part_shows_what_the_whole_shows_there(searched: Trace, data: st.DataObject) -> None:
    top = data.draw(st.sampled_from(searched.tree.nodes))
    part = sorted(node.index for node in [top, *oracle.descendants(top)])
    frames = sent(all_frames(searched, node=top.name))
    assert [node[NAME] for node in frames["nodes"]] == [searched.tree.nodes[index].name for index in part]
    parents = [searched.tree.parent(searched.tree.nodes[index]) for index in part[1:]]
    assert [node[PARENT] for node in frames["nodes"]] == [-1, *(part.index(parent.index) for parent in parents)]
    for k in data.draw(st.lists(st.integers(0, len(searched)), min_size=1, max_size=4)):
        check_step(searched, frames, k, part)


@settings(max_examples=strategies.FEWER)
@given(strategies.traces(plain=True, tree=st.one_of(strategies.trees(), strategies.named_trees())))
def test_the_nodes_are_those_of_the_tree(searched: Trace) -> None:
    tree, frames = searched.tree, sent(all_frames(searched))
    (width, height), centres = layout(tree.nodes, node_sizes(tree, tree.nodes, rows := len(letters(searched))))
    assert frames["size"] == [width, height]
    for index, (node, row) in enumerate(zip(tree.nodes, frames["nodes"], strict=True)):
        assert row[NAME] == node.name and row[SHOWN] == short(node.name)
        assert row[10:] == ([] if row[SHOWN] == visible(node.name) else [visible(node.name)])
        assert row[PLAYER] == ("MAX" if node.is_max else "MIN")
        assert row[PARENT] == next((n.index for n in tree.nodes if node in n.children), -1)
        assert [row[X], row[Y]] == list(centres[index])
        assert row[HEIGHT] == (LEAF_HEIGHT if node.is_leaf else HEAD_HEIGHT + ROW * rows)
        assert row[X] - row[WIDTH] / 2 >= -0.5 and row[X] + row[WIDTH] / 2 <= width + 0.5
        assert row[Y] - row[HEIGHT] / 2 >= -0.5 and row[Y] + row[HEIGHT] / 2 <= height + 0.5
        value = row[VALUE] and float(row[VALUE].replace("−", "-").replace("∞", "inf"))
        assert value == (node.value if node.is_leaf else None) and row[WAS] is None
    for left in frames["nodes"]:
        for right in frames["nodes"]:
            if left[X] < right[X] and left[Y] == right[Y]:
                assert left[X] + left[WIDTH] / 2 < right[X] - right[WIDTH] / 2, "neighbours touch"


@settings(max_examples=strategies.FEWER)
@given(strategies.traces(narrow=True))
def test_what_came_up_falls_where_the_rules_say(searched: Trace) -> None:
    drops = sent(all_frames(searched))["drops"]
    steps = oracle.groups(searched.events)
    for k, (event, *_) in enumerate(steps, 1):
        if event.kind != "bv":
            stands = event.kind in ("alpha", "beta", "cut")
            assert drops.get(str(k)) == (drops[str(k - 1)] if stands else None)
            continue
        value, bv, zone, alpha, beta = drops[str(k)]
        assert [*map(value_of, (value, bv, alpha, beta))] == [event.value, event.bv, event.alpha, event.beta]
        node = event.node
        after = [e for events in steps[k:] for e in events]
        # what the node does next: the events up to the next child's, or to its own end
        own = []
        for later in after:
            if later.node is not node and not (later.kind == "cut" and later.node in node.children):
                break
            own.append(later)
        kinds = {later.kind for later in own}
        is_last = "exit" in kinds and "cut" not in kinds
        bound = event.beta if node.is_max else event.alpha
        beyond = event.bv > bound if node.is_max else event.bv < bound
        is_cut = beyond or (event.bv == bound and not searched.rules.strict)
        assert (zone == "cut") == is_cut
        if not is_last:
            assert ("cut" in kinds) == (zone == "cut")
        if zone == "update":
            assert own[0].kind == ("alpha" if node.is_max else "beta")
        if zone == "ignore":
            assert not kinds & {"alpha", "beta", "cut"}


def test_the_rules_are_told_in_one_line() -> None:
    tree = load("worked-example")
    told = [
        all_frames(searched)["rules"]
        for searched in (
            trace(tree),
            trace(Tree([[1, 2], 3]), rules=Rules(strict=True, test_first=True, fail_hard=True), depth=2),
            trace(tree, search=minimax, rules=Rules(right_to_left=True)),
            trace(tree, search=minimax, early_stop=True),
        )
    ]
    assert told == [
        "cut when bv = bound (≥, ≤) · update, then test · fail-soft · left to right · cuts named by the bound",
        "cut only beyond the bound (>, <) · test, then update · fail-hard · left to right · cuts named by the bound"
        " · depth 2",
        "minimax · right to left",
        "minimax · left to right · stops at ±∞",
    ]


def test_a_what_if_shows_what_the_value_was() -> None:
    tree = load("figure-4.24")
    edited = tree.with_value("N", -3).with_value("H", 4)
    rows = all_frames(trace(edited), original=trace(tree))["nodes"]
    assert {row[NAME]: (row[VALUE], row[WAS]) for row in rows if row[WAS] is not None} == {"N": ("−3", "7")}
    unknown = Tree([[1, 2], [0, None]])
    rows = all_frames(trace(unknown.with_value("1.1", inf)), original=trace(unknown))["nodes"]
    assert rows[-1][VALUE : WAS + 1] == ["∞", "?"]


@pytest.mark.parametrize("name", shipped())
def test_every_form_of_the_pseudocode_has_a_line_for_every_step(name: str) -> None:
    for rules in (Rules(), Rules(fail_hard=True), Rules(test_first=True)):
        searched = trace(load(name), rules=rules)
        for form in sent(all_frames(searched))["forms"]:
            assert len(form["at"]) == len(searched) + 1 and form["at"][0] == -1
            assert all(0 <= line < len(form["lines"]) for line in form["at"][1:])


@pytest.mark.parametrize(
    ("searched", "expected"),
    [
        (trace(Tree([[inf, -2], [-inf, 9.5]])), [-2, 9.5]),
        (trace(Tree([[inf], [-inf]])), [0, 0]),
        (trace(Tree([[1, 2], [0, None]])), [0, 2]),
        (trace(Tree([[3, 9], [0, 2]]), alpha=-1000, beta=1000), [-1000, 1000]),
    ],
)
def test_the_number_line_is_finite_and_holds_the_window(searched: Trace, expected: list[float]) -> None:
    assert all_frames(searched)["range"] == expected


def test_the_cuts_on_the_slider_are_named_by_the_rules() -> None:
    tree = load("worked-example")
    stopped = trace(Tree([[[inf, 3], 5], 4]), search=minimax, early_stop=True)
    for searched, names in [
        (trace(tree), ["β-cut at F", "α-cut at C", "β-cut at J"]),
        (trace(tree, rules=Rules(name_by_node=True)), ["α-cut at F", "β-cut at C", "α-cut at J"]),
        (stopped, ["stop at C"]),
    ]:
        assert all_frames(searched)["cuts"] == [
            [cut.step, cut.kind, name] for cut, name in zip(searched.cuts, names, strict=True)
        ]
