"""Every mark in a picture is true: the SVG is read back and held against second opinions of the
same search.
"""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Any

import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import Tree, draw, load, shipped, trace
from abviz.errors import AbvizError, short, visible
from abviz.tracing.narration import sentence
from abviz.tracing.traces import Trace
from abviz.views.drawing import CAPTION, COLORS, layout
from abviz.views.rendering import Picture, rendered
from tests import oracle, strategies
from tests.hostile import HALF_A_PAIR, NAMES, SVG, assert_inert

FIGURE = trace(load("figure-4.24"))
STEP = r"^step is .*; expected 0 \(before the search\) to 39"

# Reading a picture: what stands in it, whatever the places.


@dataclass
class Mark:
    """A node or an edge."""

    texts: list[str]
    title: str
    stroke: str
    thickness: float
    dashed: bool
    shape: str = ""  # of a node: "leaf", or "up" or "down", where the narrow side is
    fill: str = ""
    inks: set[str] = field(default_factory=set)
    bars: int = 0  # of an edge


@dataclass
class Seen:
    nodes: dict[int, Mark]
    edges: dict[tuple[int, int], Mark]
    caption: list[str]
    title: str
    description: str


def seen(picture: Picture) -> Seen:
    svg = picture.pipe("svg", encoding="utf-8")
    assert_inert(svg)
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    found = Seen({}, {}, [], root[0].text, root[1].text)
    for part in root.iter(f"{SVG}g"):
        if part.get("class") == "node":
            (index,) = map(int, re.fullmatch(r"n(\d+)", part.get("id")).groups())
            found.nodes[index] = _node(part)
        elif part.get("class") == "edge":
            tail, head = map(int, re.fullmatch(r"n(\d+)_n(\d+)", part.get("id")).groups())
            found.edges[tail, head] = _edge(part)
        elif part.get("class") == "graph":
            above = [each for each in part if each.get("class") not in ("node", "edge")]
            found.caption = [line for each in above for line in _texts(each) if line.strip()]
    return found


def spaced(text: str) -> str:
    """Of spaces in a row, Graphviz writes all but the first as those that do not break."""
    return text.replace("\xa0", " ")


def _texts(part: ElementTree.Element) -> list[str]:
    return [spaced("".join(text.itertext())) for text in part.iter(f"{SVG}text")]


def _mark(part: ElementTree.Element, frame: ElementTree.Element, **more: Any) -> Mark:
    stroke, thickness = frame.get("stroke"), float(frame.get("stroke-width", 1))
    is_dashed = "stroke-dasharray" in frame.attrib
    return Mark(_texts(part), part.findtext(f"{SVG}title"), stroke, thickness, is_dashed, **more)


def _node(part: ElementTree.Element) -> Mark:
    frame = next(each for each in part.iter() if each.tag in (f"{SVG}polygon", f"{SVG}path"))
    shape = "leaf"
    if frame.tag == f"{SVG}polygon":
        points = [tuple(map(float, point.split(","))) for point in frame.get("points").split()]
        ends = min(y for _, y in points), max(y for _, y in points)
        across = [[x for x, y in points if abs(y - end) < 1] for end in ends]
        top, bottom = (max(side) - min(side) for side in across)
        shape = "up" if top < bottom else "down"
    inks = {
        text.get("fill") for text in part.iter(f"{SVG}text") if "".join(text.itertext()).strip()
    }
    return _mark(part, frame, shape=shape, fill=frame.get("fill"), inks=inks)


def _edge(part: ElementTree.Element) -> Mark:
    path = part.find(f"{SVG}path")
    bars = [
        shape for shape in part.iter(f"{SVG}polygon") if shape.get("stroke") == path.get("stroke")
    ]
    return _mark(part, path, bars=len(bars))


def read_number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def read_interval(mark: str) -> tuple[float, float]:
    """What a mark says of a value."""
    if not mark:
        return -inf, inf
    if "…" in mark:
        low, high = map(read_number, mark.split(" … "))
        assert -inf < low < high < inf
        return low, high
    sign, value = mark[0], read_number(mark[2:])
    assert mark[1] == " " and sign in "=≥≤"
    assert sign == "=" or abs(value) < inf, "a bound of ∞ would say nothing, or all"
    return (-inf if sign == "≤" else value), (inf if sign == "≥" else value)


# What must stand there.


def check_node(
    tree: Tree, index: int, found: Mark, standing: oracle.Standing, letters: list[str]
) -> None:
    node = tree.nodes[index]
    gone = standing.state in ("waiting", "skipped")
    assert found.inks == {COLORS["faded" if gone else "ink"]}
    assert found.dashed == (standing.state == "skipped")
    assert (found.fill == COLORS["active"]) == (standing.state == "active")
    assert found.thickness > 2 or standing.state != "active"
    assert (
        found.title
        == f"{'MAX' if node.is_max else 'MIN'} node {visible(node.name)}, {standing.state}"
    )
    if node.is_leaf:
        value, name = found.texts
        assert found.shape == "leaf" and name == spaced(short(node.name))
        assert value == "?" if node.value is None else read_number(value) == node.value
        return
    assert found.shape == ("up" if node.is_max else "down")
    head, mark, *rows = (text.strip() for text in found.texts)
    assert head == f"{'▲' if node.is_max else '▼'} {spaced(short(node.name))}".strip()
    assert read_interval(mark) == (standing.low, standing.high)
    assert rows[::2] == letters
    values = {"α": standing.alpha, "β": standing.beta, "bv": standing.bv}
    for letter, shown in zip(rows[::2], rows[1::2], strict=True):
        assert (read_number(shown) if shown else None) == (None if gone else values[letter])


def expected_cuts(searched: Trace, step: int) -> dict[int, tuple[str, str]]:
    """The nodes that their parents have cut off: the letter that people read, and the words on the
    edge.
    """
    cuts = {}
    for events in oracle.groups(searched.events)[:step]:
        if events[0].kind != "cut":
            continue
        for event in events:
            bound = "β" if oracle.ancestors(searched.tree, event.node.name)[0].is_max else "α"
            is_last = event is events[-1] and searched.search == "alphabeta"
            read = {"α": "β", "β": "α"}[bound] if searched.rules.name_by_node else bound
            cuts[event.node.index] = bound, f"✂ {read}-cut" if is_last else "✂"
    return cuts


def expected_lit(searched: Trace, step: int) -> list[list[str]]:
    """At a cut, two paths down from the witness: to the node that cuts, and to the leaf that set
    the bound.
    """
    events = oracle.groups(searched.events)[step - 1] if step else []
    if not events or events[0].kind != "cut":
        return []
    found, via, _ = oracle.witness(searched, step)
    if found is None:
        return []
    above = [node.name for node in oracle.ancestors(searched.tree, events[0].node.name)]
    to_cut = above[: above.index(found) + 1]
    handed, to_leaf = oracle.handed_up(searched, step), [found, via]
    while handed[to_leaf[-1]]:
        choose = max if searched.tree[to_leaf[-1]].is_max else min
        to_leaf.append(choose(handed[to_leaf[-1]], key=lambda child: child[1])[0])
    return [to_cut, to_leaf]


def check(searched: Trace, step: int, found: Seen, part: list[int] | None = None) -> None:
    tree = searched.tree
    words = f"Step {step} of {len(searched)}. {sentence(searched, step)}"
    assert (found.title, found.description) == (visible(tree.title) or "A game tree", words)
    caption = f"{short(tree.title, CAPTION)} {words}"
    assert " ".join(found.caption).split() == caption.split(), "but for spaces and line breaks"
    standings = oracle.replay(searched, step)
    for name, (low, high) in oracle.come_up(searched, step).items():
        standings[name].low, standings[name].high = low, high
    letters = ["α", "β", "bv"] if searched.search == "alphabeta" else ["bv"]
    inside = range(len(tree)) if part is None else part
    assert sorted(found.nodes) == list(inside)
    for index in inside:
        check_node(tree, index, found.nodes[index], standings[tree.nodes[index].name], letters)

    index = {node.name: node.index for node in tree.nodes}
    assert set(found.edges) == {
        (n.index, c.index) for n in tree.nodes if n.index in inside for c in n.children
    }
    cuts, paths = expected_cuts(searched, step), expected_lit(searched, step)
    lit_edges = {tuple(sorted((index[a], index[b]))) for path in paths for a, b in pairwise(path)}
    thick = {(index[a], index[b]) for a, b in pairwise(oracle.line(searched, step))} | lit_edges
    for (tail, head), edge in found.edges.items():
        state = standings[tree.nodes[head].name].state
        assert edge.title == f"{visible(tree.nodes[tail].name)} to {visible(tree.nodes[head].name)}"
        assert edge.dashed == (state == "skipped")
        assert edge.texts == ([cuts[head][1]] if head in cuts else [])
        assert edge.bars == (2 if head in cuts else 0)
        assert (edge.thickness > 2) == ((tail, head) in thick)
        if head in cuts:
            assert edge.stroke == COLORS["alpha" if cuts[head][0] == "α" else "beta"]
        elif (tail, head) not in lit_edges:
            assert edge.stroke == COLORS["faded" if state in ("waiting", "skipped") else "ink"]

    lit = {index[name] for path in paths for name in path}
    bound = COLORS["beta" if tree[paths[0][0]].is_max else "alpha"] if paths else None
    for number in inside:
        state = standings[tree.nodes[number].name].state
        usual = COLORS["faded" if state in ("waiting", "skipped") else "ink"]
        assert found.nodes[number].stroke == (bound if number in lit else usual)
    for edge in lit_edges & set(found.edges):
        assert found.edges[edge].stroke == bound


@settings(max_examples=strategies.FEWER)
@given(
    strategies.traces(narrow=True, plain=True) | strategies.traces(tree=strategies.named_trees()),
    st.data(),
)
def test_every_mark_is_true(searched: Trace, data: st.DataObject) -> None:
    cuts = [cut.step for cut in searched.cuts]
    for step in {
        data.draw(st.integers(0, len(searched))),
        data.draw(st.sampled_from([len(searched), *cuts])),
    }:
        check(searched, step, seen(draw(searched, step)))


def test_a_bare_tree_shows_its_names_and_values_and_nothing_of_a_search() -> None:
    tree = Tree({"B": [3, None], "C": {"D": -inf, "<E>": 2}}, root="A", title="Bare & simple")
    picture = seen(draw(tree))
    assert (
        picture.caption == [picture.title] == ["Bare & simple"] and picture.description == "7 nodes"
    )
    assert (picture.nodes[6].title, picture.edges[4, 6].title) == ("MAX node <E>", "C to <E>")
    assert [picture.nodes[i].texts[0].strip() for i in range(7)] == [
        "▲ A",
        "▼ B",
        "3",
        "?",
        "▼ C",
        "−∞",
        "2",
    ]
    assert [text.strip() for i in (0, 1, 4) for text in picture.nodes[i].texts[1:]] == [""] * 3
    assert [picture.nodes[i].texts[1] for i in (2, 3, 5, 6)] == ["b1", "b2", "D", "<E>"]
    assert {edge.bars for edge in picture.edges.values()} == {0}
    assert {node.fill for node in picture.nodes.values()} == {
        COLORS[kind] for kind in ("max", "min", "leaf")
    }


# The places.


@pytest.mark.parametrize(
    "tree",
    [
        *map(load, ["deep-cut", "figure-4.24", "two-min", "worked-example"]),
        Tree({"宽" * 60: [3, 5], "W" * 60: [2, 9]}, title="long names " * 20),
    ],
    ids=lambda tree: tree.title,
)
def test_no_node_moves_from_step_to_step(tree: Tree) -> None:
    searched = trace(tree)
    (width, _), at_first = layout(draw(searched, 0))
    for step in range(1, len(searched) + 1):
        (now_width, _), now = layout(draw(searched, step))
        assert now_width == width and now.keys() == at_first.keys()
        for node, place in now.items():
            assert place == pytest.approx(at_first[node], abs=1.5), f"{node} at step {step}"


@given(strategies.trees())
@settings(max_examples=strategies.FEWER)
def test_children_stand_below_their_parent_from_left_to_right(tree: Tree) -> None:
    _, centres = layout(draw(tree))
    assert centres.keys() == {node.index for node in tree.nodes}
    levels = oracle.levels(tree)
    for one in tree.nodes:
        for left, right in pairwise(one.children):
            assert centres[left.index][0] < centres[right.index][0]
        for other in tree.nodes:
            if levels[one.name] < levels[other.name]:
                assert centres[one.index][1] < centres[other.index][1]


@pytest.mark.parametrize(
    "tree",
    [
        *map(load, shipped()),
        Tree([[1000, -2000], [0.3333333333, 12345678]]),
        Tree([[[-12, -15], [-17, -11, [-13, -19]]], [[-999.25]]]),
        Tree(
            {
                "W" * 24: [3, [12345, -444444]],
                "a" * 200: [[-1e300]],
                "The Opening": {"Queen's Gambit": 7, "i": [0]},
            }
        ),
        Tree([[10**40, -(10**40)], [-inf, None]]),
    ],
    ids=lambda tree: tree.title or "wide",
)
def test_every_node_has_room_for_its_texts(tree: Tree, capfd: pytest.CaptureFixture[str]) -> None:
    """Graphviz itself says where a label is larger than its node."""
    rendered("digraph { a }", "svg")  # with its fonts loaded, in silence
    searched = trace(tree)
    for step in range(0, len(searched) + 1, 9):
        pygraphviz.AGraph(string=draw(searched, step).source).draw(format="svg", prog="dot")
    assert capfd.readouterr().err == ""
    pygraphviz.AGraph(string='digraph { a [width=.2, fixedsize=true, label="too wide"] }').draw(
        format="svg", prog="dot"
    )
    assert "too small" in capfd.readouterr().err, "else this would prove nothing"


# Parts, and what is too much.


@given(strategies.traces(plain=True), st.data())
@settings(max_examples=strategies.FEWER)
def test_a_part_is_drawn_as_in_the_whole(searched: Trace, data: st.DataObject) -> None:
    top = data.draw(st.sampled_from(searched.tree.nodes))
    step = data.draw(st.integers(0, len(searched)))
    part = [top.index, *(node.index for node in oracle.descendants(top))]
    check(searched, step, seen(draw(searched, step, node=top.name)), sorted(part))
    assert sorted(seen(draw(searched.tree, node=top.name)).nodes) == sorted(part)


def test_a_picture_that_nobody_could_read_says_so_and_offers_the_words_or_a_part() -> None:
    for tree, has in [
        (strategies.comb(80), "161 nodes on 81 levels"),
        (Tree([[1] * 1000, [2] * 1000]), "2,003 nodes on 3 levels"),
    ]:
        searched = trace(tree)
        with pytest.raises(AbvizError) as caught:
            draw(searched)
        assert (
            has in str(caught.value)
            and "print(trace)" in str(caught.value)
            and "node=NAME" in str(caught.value)
        )
        assert len(str(caught.value).splitlines()) == 1
        for shown in (tree, searched):
            with pytest.raises(AbvizError, match=has):
                shown._repr_svg_()
        draw(searched, node=tree.root.children[-1].name)


# Names may hold anything.


@pytest.mark.parametrize("name", [*NAMES, HALF_A_PAIR, "x" * 200, "宽" * 100], ids=ascii)
def test_a_name_shows_as_typed(name: str) -> None:
    tree = Tree({name: [3, 5], "C": {name + "!": 2, "E": [9]}}, root=name + "?", title=name)
    searched = trace(tree)
    for step in (0, len(searched)):
        picture = draw(searched, step)
        found = seen(picture)
        check(searched, step, found)
        head = found.nodes[1].texts[0]
        if len(visible(name)) <= 24:
            assert head == f"▼ {spaced(visible(name))}"
            assert not name.strip() or found.caption[0] == spaced(visible(name))
        else:
            start, end = head.removeprefix("▼ ").split("…")
            assert visible(name).startswith(start) and visible(name).endswith(end)
            assert 18 <= len(start) + 1 + len(end) <= 24
        graph = pygraphviz.AGraph(string=picture.source)
        # m3 is there to centre n3
        assert len([each for each in graph.nodes() if each[0] == "n"]) == len(tree)


# What is refused.


@pytest.mark.parametrize(
    ("shown", "options", "message"),
    [
        *[(FIGURE, {"step": step}, STEP) for step in (-1, 40, 10**30, 1.0, "3", "x" * 500)],
        (FIGURE, {"node": "Z"}, r"^unknown node 'Z'"),
        (
            FIGURE.tree,
            {"step": 0},
            r"expected a trace, as trace\(tree\) makes it, or a tree and no step$",
        ),
        *[
            (thing, {}, r"^asked to draw .*; expected a trace, .* or a tree")
            for thing in (3, [[1, 2]], "figure-4.24")
        ],
    ],
    ids=repr,
)
def test_a_request_that_makes_no_sense_is_refused_in_one_line(
    shown: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(AbvizError, match=message) as caught:
        draw(shown, **options)
    assert len(str(caught.value)) < 200 and "\n" not in str(caught.value)


# Dark on white.


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted(luminance(COLORS[name]) for name in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("is_searched", [True, False])
def test_every_color_has_another_where_the_notebook_is_dark(is_searched: bool) -> None:
    tree = load("figure-4.24")
    for shown in [draw(trace(tree), 20) if is_searched else draw(tree)]:
        svg = shown.pipe("svg", encoding="utf-8")
        used = set(re.findall(r' (?:fill|stroke)="([^"]+)"', svg)) - {"none", "transparent"}
        assert "#1f2328" in used and used <= set(shown.dark)


def test_it_is_dark_on_white() -> None:
    root = ElementTree.fromstring(draw(trace(load("figure-4.24"))).pipe("svg", encoding="utf-8"))
    paper = next(root.iter(f"{SVG}polygon"))
    assert paper.get("fill") == COLORS["paper"] == "#ffffff"
    assert all(contrast("ink", ground) > 7 for ground in ("paper", "max", "min", "leaf", "active"))
    assert contrast("alpha", "paper") > 4.5 and contrast("beta", "paper") > 4.5
    used = {shape.get(what) for shape in root.iter() for what in ("fill", "stroke")} - {
        None,
        "none",
    }
    assert used <= set(COLORS.values())
