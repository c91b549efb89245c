"""The exported page, stepped from file://: at every step it shows what the trace says, however one got there."""

from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, minimax, record, shipped, trace
from abviz.errors import AbvizError, short
from abviz.recording.differences import compare_with_reference
from abviz.tracing.narration import counts, proven, sentence
from abviz.tracing.pseudocode import forms, line_at, write_down
from abviz.tracing.traces import RECORDED, NodeState, Trace
from abviz.tree.model import Node
from abviz.views.html_export import page as page_of
from tests.browser.driving import Shown, as_data, as_read

pytestmark = pytest.mark.browser
Show = Callable[..., list[Shown]]

ALL_SWITCHED = Rules(strict=True, test_first=True, fail_hard=True, right_to_left=True, name_by_node=True)
SEARCHES: dict[str, dict[str, Any]] = {
    "all switched": {"rules": ALL_SWITCHED},
    "tested first": {"rules": Rules(test_first=True, name_by_node=True)},
    "minimax": {"search": minimax, "early_stop": True},
}
BUTTONS = ("First", "Previous cut", "Previous", "Play", "Next", "Next cut", "Last")


def cut_too_early(node, alpha, beta):
    if node.is_leaf:
        return node.value
    return cut_too_early(node.children[0], alpha, beta)


def read_by_the_parent(node, alpha, beta):
    best = -inf if node.is_max else inf
    for child in node.children:
        value = child.value if child.is_leaf else read_by_the_parent(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def truth(trace: Trace, step: int) -> dict[str, Any]:
    """What a page has to show at the step, in the words of probe.look."""
    state = trace[step]
    lines = write_down(trace, forms(trace)[0]) if forms(trace) else []
    line = line_at(trace, step, lines) if lines else None
    lit = lit_at(trace, step)
    cut = trace.cut_at(step)
    edges = [name for name in lit if (above := trace.tree.parent(trace.tree[name])) and above.name in lit]
    return {
        "step": str(step),
        "steps": str(len(trace)),
        "says": sentence(trace, step),
        "counts": counts(trace, step),
        "nodes": [of_node(trace, node, state.nodes[node.name]) for node in trace.tree.nodes],
        "cuts": sorted([name, cut.kind] for cut in trace.cuts if cut.step <= step for name in cut.skipped),
        "stack": [of_call(trace, node, state.nodes[node.name]) for node in calls_at(trace, step)],
        "code": None if line is None else lines[line].text,
        "lit": sorted(
            [kind, name, cut.kind] for kind, names in (("node", lit), ("edge", edges)) for name in names if cut
        ),
    }


def of_node(trace: Trace, node: Node, state: NodeState) -> list[Any]:
    bounds = (state.alpha, state.beta, state.bv)
    numbers = [as_read(bound) for bound in bounds]
    if trace.search == RECORDED and state.state not in ("waiting", "skipped"):
        numbers = [text or "—" for text in numbers]
    says = [[], ""] if node.is_leaf else [numbers[first(trace) :], proven(state)]
    return [node.name, *map(as_data, bounds), state.state, *says]


def first(trace: Trace) -> int:
    """Of α, β and bv minimax has only the last."""
    return 2 if trace.search == "minimax" else 0


def calls_at(trace: Trace, step: int) -> list[Node]:
    return trace.tree.path(trace.where(step)) if step else []


def of_call(trace: Trace, node: Node, state: NodeState) -> list[str]:
    last = as_read(state.bv) if state.value is None else f"returns {as_read(state.value)}"
    numbers = [as_read(state.alpha), as_read(state.beta), last]
    return [f"{'▲' if node.is_max else '▼'} {short(node.name)}", *numbers[first(trace) :]]


def lit_at(trace: Trace, step: int) -> list[str]:
    """At a cut the way from the witness to the node that cuts, and the way from the witness down to the leaf whose
    value the bound is."""
    cut = trace.cut_at(step)
    if cut is None or cut.witness is None or cut.via is None:
        return []
    down = [node.name for node in trace.tree.path(trace.tree[cut.at])]
    return [*down[down.index(cut.witness) :], *trace.line_at(step, start=cut.via)]


def seen(look: dict[str, Any]) -> dict[str, Any]:
    return look | {"cuts": sorted(look["cuts"]), "lit": sorted(look["lit"])}


@pytest.mark.parametrize("name", shipped())
def test_every_step_shows_what_the_trace_says(show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    check(found, shown.follow("ArrowRight", len(found)))


@pytest.mark.parametrize("search", SEARCHES)
def test_every_step_of_every_tree_under_other_rules(show: Show, search: str) -> None:
    traces = [trace(load(name), **SEARCHES[search]) for name in shipped()]
    for found, shown in zip(traces, show(*traces), strict=True):
        check(found, shown.walk("Next", len(found)))


def check(found: Trace, looks: list[dict[str, Any]]) -> None:
    """From step 0 on, each look is what the trace says."""
    assert len(looks) == len(found) + 1
    for step, look in enumerate(looks):
        assert seen(look) == truth(found, step)


def test_the_worked_example_as_the_assignment_tells_it(show: Show) -> None:
    """Its three cuts, by the α, β and bv of the source."""
    (shown,) = show(trace(load("worked-example")))
    cuts = []
    while shown.button("Next cut").get_attribute("aria-disabled") == "false":
        shown.click("Next cut")
        at = shown.root.locator(".abviz-current").get_attribute("data-node") or ""
        cuts.append((at, shown.node(at), shown.look()["cuts"]))
    assert [(at, node["alpha"], node["beta"], node["bv"]) for at, node, _ in cuts] == [
        ("F", "7", "6", "7"),
        ("C", "6", "2", "2"),
        ("J", "9", "8", "9"),
    ]
    assert sorted(cuts[-1][2]) == [["H", "alpha"], ["f2", "beta"], ["j2", "beta"]]
    shown.click("Last")
    assert shown.node("A")["bv"] == "8" and shown.node("A")["state"] == "done"
    assert "8 of 12 leaves" in shown.says


def test_figure_4_24_as_its_author_found_it(show: Show) -> None:
    (shown,) = show(trace(load("figure-4.24")))
    shown.press("c")
    assert shown.node("I") == {
        "node": "I",
        "player": "MIN",
        "alpha": "3",
        "beta": "0",
        "bv": "0",
        "state": "active",
    }
    assert shown.node("N")["state"] == "skipped"
    assert shown.says.startswith("Deep α-cut at I") and "MAX already has 3 at A" in shown.says
    shown.press("c")
    assert (shown.node("G")["beta"], shown.node("G")["bv"]) == ("5", "7")
    assert sorted(shown.look()["cuts"]) == [["L", "beta"], ["N", "alpha"]]
    shown.press("End")
    assert (shown.node("A")["bv"], shown.node("A")["state"]) == ("4", "done")


# the way there does not matter


@pytest.mark.parametrize("name", ["worked-example", "figure-4.24", "order-worst", "two-min"])
def test_forwards_and_back_is_the_identity_of_the_whole_page(show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    forwards = shown.walk("Next", len(found), "dom")
    backwards = shown.walk("Previous", len(found), "dom")
    assert len(set(forwards)) == len(found) + 1
    assert backwards[::-1] == forwards


@pytest.mark.parametrize("name", ["worked-example", "figure-4.24", "number-line"])
def test_a_jump_is_the_same_as_single_steps(show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    single = shown.walk("Next", len(found), "dom")
    cuts = [cut.step for cut in found.cuts]
    for key, step in [("Home", 0), ("End", len(found)), ("Home", 0)]:
        shown.press(key)
        assert shown.dom() == single[step]
    for step in [1, len(found), 5, cuts[0], 0, cuts[-1], cuts[-1] - 1]:
        shown.slide(step)
        assert shown.dom() == single[step]
    for button, key, order, start in [("Next cut", "c", cuts, 0), ("Previous cut", "Shift+C", cuts[::-1], len(found))]:
        shown.slide(start)
        for step in order:
            shown.click(button)
            assert shown.dom() == single[step]
        shown.slide(start)
        for step in [*order, order[-1]]:  # beyond the last there is none
            shown.press(key)
            assert shown.dom() == single[step]
    for button, step in [("First", 0), ("Next", 1), ("Next", 2), ("Previous", 1), ("Last", len(found))]:
        shown.click(button)
        assert shown.dom() == single[step]


def test_a_page_may_start_at_any_step(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found)
    shown.press("c")
    there = shown.dom()
    (shown,) = show(found, step=17)
    assert shown.step == 17 and shown.dom() == there


def test_the_ends_are_ends(show: Show) -> None:
    (shown,) = show(trace(load("deep-cut")))
    off = {name: shown.button(name).get_attribute("aria-disabled") for name in ("First", "Previous", "Next", "Last")}
    assert off == {"First": "true", "Previous": "true", "Next": "false", "Last": "false"}
    before = shown.dom()
    for name in ["First", "Previous", "Previous cut"]:
        shown.button(name).click(force=True)
        assert shown.dom() == before
    shown.press("ArrowLeft", "Home", "Shift+C")
    assert shown.dom() == before
    shown.press("End")
    after = shown.dom()
    for name in ["Next", "Last", "Next cut"]:
        shown.button(name).click(force=True)
        assert shown.dom() == after
    shown.press("ArrowRight", "End", "c")
    assert shown.dom() == after


# the surface


def test_the_buttons_and_the_classes_that_are_promised(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found)
    assert (shown.step, shown.steps) == (0, len(found))
    for name in BUTTONS:
        expect(shown.button(name)).to_be_visible()
    assert shown.button("Pause").count() == 0
    assert shown.says == sentence(found, 0)
    nodes = shown.root.locator("[data-node]").evaluate_all("nodes => nodes.map(node => node.dataset.node)")
    edges = shown.root.locator("[data-edge]").evaluate_all("edges => edges.map(edge => edge.dataset.edge)")
    assert sorted(nodes) == sorted(node.name for node in found.tree.nodes)
    assert sorted(edges) == sorted(node.name for node in found.tree.nodes[1:])
    states = {name: state for name, *_, state, _, _ in shown.look()["nodes"]}
    assert set(states.values()) == {"waiting"}
    assert [shown.button(name).is_enabled() for name in ("Play", "Next", "Last", "Next cut")] == [True] * 4


# play


@pytest.mark.usefixtures("alone")
def test_it_waits_at_step_0_and_plays_when_told(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    found = trace(load("deep-cut"))
    (shown,) = show(found)
    page.clock.run_for(10_000)
    assert shown.step == 0
    shown.click("Play")
    assert shown.button("Play").count() == 0
    page.clock.run_for(1_150)
    assert shown.step == 0
    page.clock.run_for(100)
    assert shown.step == 1
    page.clock.run_for(1_200)
    assert shown.step == 2
    shown.click("Pause")
    page.clock.run_for(10_000)
    assert shown.step == 2
    shown.press(" ")
    page.clock.run_for(1_200 * len(found))
    assert shown.step == len(found)
    expect(shown.button("Play")).to_be_visible()
    assert shown.button("Pause").count() == 0


@pytest.mark.usefixtures("alone")
def test_play_at_the_end_begins_again(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    (shown,) = show(trace(load("deep-cut")))
    shown.press("End", " ")
    assert shown.step == 0
    page.clock.run_for(1_200)
    assert shown.step == 1


@pytest.mark.usefixtures("alone")
def test_the_speed_can_be_changed_while_it_plays(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    (shown,) = show(trace(load("worked-example")))
    shown.click("Play")
    shown.root.get_by_label("Speed").select_option("4")
    page.clock.run_for(1_200)
    assert shown.step == 4
    shown.root.get_by_label("Speed").select_option("0.5")
    page.clock.run_for(2_300)
    assert shown.step == 4
    page.clock.run_for(200)
    assert shown.step == 5


# the pseudocode


def test_every_form_of_the_pseudocode_follows_the_steps(show: Show) -> None:
    found = trace(load("figure-4.24"), rules=Rules(fail_hard=True))
    (shown,) = show(found)
    choice = shown.root.get_by_label("Form of the pseudocode")
    titles = choice.locator("option").all_text_contents()
    assert titles == [form.title for form in forms(found)] and len(titles) == 4
    for form in forms(found):
        choice.select_option(form.name)
        lines = write_down(found, form)
        assert shown.root.locator(".abviz-code li").all_text_contents() == [line.text for line in lines]
        shown.press("Home")
        lit = [look["code"] for look in shown.walk("Next", len(found))]
        places = [line_at(found, step, lines) for step in range(len(found) + 1)]
        assert lit == [None if place is None else lines[place].text for place in places]


# several, large and odd ones


def test_several_trees_on_one_page_do_not_disturb_one_another(page: Page, show: Show) -> None:
    traces = [trace(load(name)) for name in ("figure-4.24", "figure-4.24", "worked-example")]
    first, second, third = show(*traces)
    rest = second.dom(), third.dom()
    looks = first.follow("ArrowRight", len(traces[0]))
    check(traces[0], looks)
    assert (second.dom(), third.dom()) == rest
    third.press("c")
    assert (first.step, second.step, third.step) == (len(traces[0]), 0, 17)
    second.click("Next")
    page.keyboard.press("ArrowRight")
    assert (first.step, second.step, third.step) == (len(traces[0]), 2, 17)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("options", [{"viewport": {"width": 480, "height": 500}}])
@pytest.mark.parametrize("name", ["order-worst", "number-line", "two-min"])
def test_the_current_node_is_in_view(show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    for button in ["Next", "Previous"]:
        assert in_view(shown, button, len(found)) == [True] * len(found)


def in_view(shown: Shown, button: str, times: int) -> list[bool]:
    """After each of so many clicks: is all of the current node within the pane that scrolls?"""
    return list(shown.button(button).evaluate("(button, times) => probe.inView(button, times)", times))


def test_a_search_to_a_limited_depth(show: Show) -> None:
    inner = {"children": [1, 2], "value": 3}
    found = trace(Tree([[inner, 5], [{"children": [[9], 8], "value": -1}, inner]]), depth=2)
    assert len(found.leaves) == 3, "two at the limit, and the leaf 5"
    (shown,) = show(found)
    check(found, shown.walk("Next", len(found)))


def large() -> Tree:
    """1,000 nodes, 7 levels of them."""
    tree = next(tree for seed in range(1000) if 950 < len(tree := Tree.random(seed, depth=7, breadth=5)) < 1050)
    return tree


def test_a_tree_of_1000_nodes(page: Page, show: Show) -> None:
    found = trace(large())
    (shown,) = show(found)
    for step in [0, 1, len(found) // 2, *(cut.step for cut in found.cuts[:8]), len(found) - 1, len(found)]:
        shown.slide(step)
        assert seen(shown.look()) == truth(found, step)
    shown.slide(found.cuts[5].step)
    assert in_view(shown, "Next", 60) == [True] * 60
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def chain(levels: int) -> Tree:
    """A tree of so many rows, in which every inner node has a leaf and the rest of the chain."""
    below: Any = 1
    for level in range(levels - 1):
        below = [level % 7, below]
    return Tree(below)


def test_a_tree_as_deep_as_can_be_shown(show: Show) -> None:
    found = trace(chain(60))
    (shown,) = show(found)
    look = shown.look()
    for step, look in enumerate(shown.walk("Next", len(found))):
        expected = truth(found, step)
        hidden = len(expected["stack"]) - 14
        if hidden > 0:
            expected["stack"][:hidden] = [[f"… {hidden} more calls above"]]
        assert seen(look) == expected


def test_a_tree_of_500_levels_is_refused_with_a_reason_and_shown_in_part(show: Show) -> None:
    found = trace(chain(500))
    with pytest.raises(AbvizError, match=r"500 levels would be unreadable .* node=NAME"):
        page_of([found])
    top = found.tree.nodes[-1 - 2 * 40].name
    (shown,) = show(found, node=top)
    part = {node.name for node in found.tree.below(found.tree[top])}
    assert {name for name, *_ in shown.look()["nodes"]} == part and len(part) == 81
    for step in [0, 1, len(found) // 2, len(found) // 2 + 1, len(found) - 1, len(found)]:
        shown.slide(step)
        look, expected = shown.look(), truth(found, step)
        assert look["nodes"] == [node for node in expected["nodes"] if node[0] in part]
        assert [look[key] for key in ("step", "says", "counts", "code")] == [
            expected[key] for key in ("step", "says", "counts", "code")
        ]


def maximin(node: Any) -> Any:
    """What a student may write: no bounds, and no variable for the best value below."""
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)([maximin(child) for child in node.children])


@pytest.mark.parametrize("function", [maximin, read_by_the_parent])
@pytest.mark.parametrize("name", ["figure-4.24", "worked-example"])
def test_somebodys_own_search(show: Show, name: str, function: Callable[..., Any]) -> None:
    found = record(function, load(name))
    (shown,) = show(found)
    check(found, shown.walk("Next", len(found)))


def told_in_long_words(node: Any) -> Any:
    if node.is_leaf:
        return node.value
    values_of_all_the_moves_that_there_are_in_their_order = list(map(told_in_long_words, node.children))
    return (max if node.is_max else min)(values_of_all_the_moves_that_there_are_in_their_order)


@pytest.mark.parametrize("options", [{"viewport": {"width": width, "height": 900}} for width in (1280, 500)])
def test_long_lines_of_somebodys_own_source_are_wrapped_and_not_cut_off(show: Show) -> None:
    (shown,) = show(record(told_in_long_words, load("uneven")))
    code = shown.root.locator(".abviz-panel:has(.abviz-code)")
    expect(code).to_contain_text("values_of_all_the_moves")
    assert code.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    lines = """panel => [...panel.querySelectorAll(".abviz-code li")].map(line => {
      const range = document.createRange();
      range.selectNodeContents(line);
      return [...range.getClientRects()].map(row => row.left);
    })"""
    wrapped = [(first, rest) for first, *rest in code.evaluate(lines) if rest]
    assert wrapped and all(left > first + 5 for first, rest in wrapped for left in rest), "what goes on is no new line"


def test_a_tree_that_is_one_leaf(show: Show) -> None:
    found = trace(Tree(5))
    (shown,) = show(found)
    assert len(found) == 1
    check(found, shown.walk("Next", 1))


@pytest.mark.parametrize("leaves", [["inf", "-inf"], [0.5, -0.25], [1e14, -1e14, 123456789], [0, -0.0]])
def test_numbers_of_every_kind(show: Show, leaves: list[Any]) -> None:
    found = trace(Tree([[float(leaf) for leaf in leaves], [1, 2], [float(leaves[0]), 3]]))
    (shown,) = show(found)
    check(found, shown.walk("Next", len(found)))


def test_a_page_without_a_tree_is_refused() -> None:
    with pytest.raises(AbvizError, match="nothing to export"):
        page_of([])


def test_the_number_line_has_zones_only_where_bv_is_tested_and_keeps_to_its_width(show: Show) -> None:
    narrow = trace(load("worked-example"), alpha=5, beta=7)
    for found in (trace(load("worked-example")), narrow, trace(Tree([[1e308, -1e308], [3, 2]]))):
        (shown,) = show(found)
        looks = f"root => ({ON_LINE})(root.querySelector('.abviz-line'))"
        least, *_ = shown.ask(looks)
        assert least <= 1, "−∞ stands left of the line, where nothing else does"
        shown.focus()
        for step in range(len(found) + 1):
            if step:
                shown.page.keyboard.press("ArrowRight")
            _, at, zones, inside = shown.ask(looks)
            assert at == step
            kind = found.events_at(step)[0].kind if step else ""
            if kind in ("", "leaf"):
                assert zones == 0
            elif kind != "exit":  # by then the window may have closed
                assert zones == 3
            assert inside


ON_LINE = """line => [
  line.querySelector(".abviz-tick").getBoundingClientRect().right - line.getBoundingClientRect().x,
  Number(line.closest(".abviz-stepper").dataset.step),
  line.querySelectorAll(".abviz-zone").length,
  [...line.children].every((e) => {
    const [at, wide] = [parseFloat(e.style.left || 0), parseFloat(e.style.width || 0)];
    return at >= 0 && at + wide <= 100.01;
  }),
]"""


def test_the_first_difference_is_told_and_marked(show: Show, page: Page) -> None:
    tree = load("figure-4.24")
    wrong, right = (compare_with_reference(record(each, tree), Rules()) for each in (cut_too_early, read_by_the_parent))
    step = wrong.options["parting"]
    show(wrong, step=step)
    mark = page.locator(".abviz-parting")
    expect(mark).to_have_attribute("title", f"step {step}: the first difference")
    expect(page.get_by_role("status").first).to_contain_text("where the reference reads leaf E (5)")
    at, ends = mark.bounding_box(), page.locator(".abviz-marks").bounding_box()
    assert at and ends
    assert abs(at["x"] + at["width"] / 2 - ends["x"] - ends["width"] * step / len(wrong)) < 2
    show(right)
    expect(page.locator(".abviz-parting")).to_have_count(0)
