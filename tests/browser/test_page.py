"""The exported page, stepped from file://: every step shows what the trace says, whichever way
leads to it.
"""

from math import inf
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, minimax, record, shipped, trace
from abviz.errors import short
from abviz.recording.differences import compare_with_reference
from abviz.tracing.narration import counts, narrate, proven_beside
from abviz.tracing.traces import RECORDED, NodeState, Trace
from abviz.tree.model import Node
from tests.browser.driving import Show, Shown, as_data, as_read, eventually, sized
from tests.pseudocode import forms, line_at, write_down
from tests.strategies import RULES, random_tree

pytestmark = pytest.mark.browser

SEARCHES: dict[str, dict[str, Any]] = {
    "usual": {},
    "all switched": {"rules": Rules(**dict.fromkeys(RULES, True))},
    "tested first": {"rules": Rules(test_first=True, name_by_node=True)},
    "minimax": {"search": minimax, "early_stop": True},
}
BUTTONS = ("First", "Previous cut", "Previous", "Play", "Next", "Next cut", "Last")
RANDOM_TREES = 3  # each under every search; a tree costs about half a second


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


def zero_for_min(node: Any) -> Any:
    if node.is_leaf:
        return node.value
    values = [zero_for_min(child) for child in node.children]
    return max(values) if node.is_max else 0


def maximin(node: Any) -> Any:
    """A student's minimax without bounds, and without a variable for the best value below."""
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)([maximin(child) for child in node.children])


def truth(trace: Trace, step: int) -> dict[str, Any]:
    """Return what a page has to show at the step, in the form of probe.look."""
    state = trace[step]
    lines = write_down(trace, forms(trace)[0]) if forms(trace) else []
    line = line_at(trace, step, lines) if lines else None
    lit = lit_at(trace, step)
    cut = trace.cut_at(step)
    calls = [of_call(trace, node, state.nodes[node.name]) for node in calls_at(trace, step)]
    edges = [
        name for name in lit if (above := trace.tree.parent(trace.tree[name])) and above.name in lit
    ]
    return {
        "step": str(step),
        "steps": str(len(trace)),
        "says": narrate(trace, step),
        "counts": counts(trace, step),
        "nodes": [of_node(trace, node, step) for node in trace.tree.nodes],
        "cuts": sorted(
            [name, cut.kind] for cut in trace.cuts if cut.step <= step for name in cut.skipped
        ),
        "stack": calls,
        "code": None if line is None else lines[line].text,
        "lit": sorted(
            [kind, name, cut.kind]
            for kind, names in (("node", lit), ("edge", edges))
            for name in names
            if cut
        ),
    }


def of_node(trace: Trace, node: Node, step: int) -> list[Any]:
    state = trace.node_at(node, step)
    bounds = (state.alpha, state.beta, state.bv)
    numbers = [as_read(bound) for bound in bounds]
    if trace.search == RECORDED and state.state not in ("waiting", "skipped"):
        numbers = [text or "—" for text in numbers]
    says = [[], ""]
    if not node.is_leaf:
        says = [numbers[-len(letters(trace)) :], proven_beside(trace, node, step)]
    return [node.name, *map(as_data, bounds), state.state, *says]


def letters(trace: Trace) -> list[str]:
    return ["α", "β", "bv"] if trace.has_bounds else ["bv"]


def calls_at(trace: Trace, step: int) -> list[Node]:
    return trace.tree.path(trace.where(step)) if step else []


def of_call(trace: Trace, node: Node, state: NodeState) -> list[str]:
    last = as_read(state.bv) if state.value is None else f"returns {as_read(state.value)}"
    numbers = [as_read(state.alpha), as_read(state.beta), last]
    return [f"{'▲' if node.is_max else '▼'} {short(node.name)}", *numbers[-len(letters(trace)) :]]


def lit_at(trace: Trace, step: int) -> list[str]:
    """At a cut the way from the witness to the node that cuts, and the way from the witness down to
    the leaf whose value the bound is.
    """
    cut = trace.cut_at(step)
    if cut is None or cut.witness is None or cut.via is None:
        return []
    down = [node.name for node in trace.tree.path(trace.tree[cut.at])]
    return [*down[down.index(cut.witness) :], *trace.line_at(step, start=cut.via)]


def seen(look: dict[str, Any]) -> dict[str, Any]:
    return look | {"cuts": sorted(look["cuts"]), "lit": sorted(look["lit"])}


def check(searched: Trace, stepper: Shown) -> None:
    """Step forwards through the whole trace: each look is what the trace says."""
    for step, look in enumerate(stepper.walk("Next", len(searched))):
        assert seen(look) == truth(searched, step)
    assert stepper.step == len(searched)


@pytest.mark.parametrize(
    "turn", [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in (1, 2, 3))]
)
def test_every_step_of_every_shipped_tree_shows_what_the_trace_says(show: Show, turn: int) -> None:
    """The searches take turns: in four of them every tree is under every search."""
    searches = [*SEARCHES.values()]
    traces = [
        trace(load(name), **searches[(turn + place) % 4]) for place, name in enumerate(shipped())
    ]
    for searched, stepper in zip(traces, show(*traces), strict=True):
        check(searched, stepper)


def chain(levels: int) -> Tree:
    """Return a tree with a leaf beside every inner node."""
    below: Any = 1
    for level in range(levels - 1):
        below = [level % 7, below]
    return Tree(below)


def numbers_of_every_kind() -> list[Tree]:
    rows = [[inf, -inf], [0.5, -0.25], [1e14, -1e14, 123456789.0], [0.0, -0.0]]
    return [Tree([row, [1, 2], [row[0], 3]]) for row in rows]


def test_unusual_trees_and_recorded_runs_show_what_the_trace_says(show: Show) -> None:
    inner = {"children": [1, 2], "value": 3}
    limited = trace(Tree([[inner, 5], [{"children": [[9], 8], "value": -1}, inner]]), depth=2)
    assert len(limited.leaves) == 3, "two at the limit, and the leaf 5"
    trees = [Tree(5), chain(60), *numbers_of_every_kind()]
    figures = [load("figure-4.24"), load("worked-example")]
    runs = [
        record(function, tree)
        for function in (maximin, read_by_the_parent, zero_for_min)
        for tree in figures
    ]
    chance = [
        trace(random_tree(seed), **SEARCHES[name])
        for seed in range(RANDOM_TREES)
        for name in SEARCHES
    ]
    traces = [limited, *map(trace, trees), *runs, *chance]
    for searched, stepper in zip(traces, show(*traces), strict=True):
        check(searched, stepper)


# ways to a step


@pytest.mark.parametrize(
    "name",
    [
        "worked-example",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("figure-4.24", "two-min")),
    ],
)
def test_steps_back_and_jumps_show_the_same_page_as_single_steps(show: Show, name: str) -> None:
    searched = trace(load(name))
    (stepper,) = show(searched)
    stepper.open_more()
    end = len(searched)
    single = stepper.walk("Next", end, "probe.dom")
    assert len(set(single)) == end + 1
    assert stepper.walk("Previous", end, "probe.dom") == single[::-1]
    cuts = [cut.step for cut in searched.cuts]
    for keys, step, off in [
        (["End", "ArrowRight", "c"], end, {"Next", "Last", "Next cut"}),
        (["Home", "ArrowLeft", "Shift+C"], 0, {"First", "Previous", "Previous cut"}),
    ]:
        stepper.press(*keys)  # beyond either end nothing changes
        assert stepper.dom() == single[step]
        off |= set() if searched.cuts else {"Next cut", "Previous cut"}
        assert {
            name
            for name in BUTTONS
            if stepper.button(name).get_attribute("aria-disabled") == "true"
        } == off
    for step in [1, end, 5, 0, *(step - 1 for step in cuts)]:
        stepper.slide(step)
        assert stepper.dom() == single[step]
    for button, key, order, start in [
        ("Next cut", "c", cuts, 0),
        ("Previous cut", "Shift+C", cuts[::-1], end),
    ]:
        stepper.slide(start)
        for step in order:
            stepper.click(button)
            assert stepper.dom() == single[step]
        stepper.slide(start)
        for step in [*order, *order[-1:]]:  # beyond the last there is none
            stepper.press(key)
            assert stepper.dom() == single[step if order else start]
    for button, step in [("First", 0), ("Next", 1), ("Next", 2), ("Previous", 1), ("Last", end)]:
        stepper.click(button)
        assert stepper.dom() == single[step]
    (stepper,) = show(searched, step=5)
    stepper.open_more()
    stepper.press("ArrowRight")
    assert stepper.dom() == single[6]


@pytest.mark.usefixtures("alone")
def test_play_pauses_ends_begins_again_and_changes_its_speed(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    (stepper,) = show(trace(load("deep-cut")))

    def step_after(milliseconds: int) -> int:
        page.clock.run_for(milliseconds)
        return stepper.step

    assert step_after(10_000) == 0, "it plays only when asked"
    stepper.click("Play")
    assert stepper.button("Play").count() == 0
    assert [step_after(1_150), step_after(100), step_after(1_200)] == [0, 1, 2]
    stepper.click("Pause")
    assert step_after(10_000) == 2
    stepper.press(" ")
    assert step_after(1_200 * stepper.steps) == stepper.steps
    expect(stepper.button("Play")).to_be_visible()
    assert stepper.button("Pause").count() == 0
    stepper.press(" ")
    assert stepper.step == 0, "at the end it begins again"
    stepper.open_more()
    stepper.root.get_by_label("Speed").select_option("4")
    assert step_after(1_200) == 4
    stepper.open_more()
    stepper.root.get_by_label("Speed").select_option("0.5")
    assert [step_after(2_300), step_after(200)] == [4, 5]


# the parts of the page


def test_every_form_of_the_pseudocode_follows_the_steps(show: Show) -> None:
    searched = trace(load("figure-4.24"), rules=Rules(fail_hard=True))
    (stepper,) = show(searched, show="all")
    choice = stepper.root.get_by_label("Form of the pseudocode")
    titles = choice.locator("option").all_text_contents()
    assert titles == [form.title for form in forms(searched)] and len(titles) == 5
    for form in forms(searched):
        choice.select_option(form.name)
        lines = write_down(searched, form)
        assert stepper.root.locator(".abviz-code li").all_text_contents() == [
            line.text for line in lines
        ]
        stepper.press("Home")
        lit = [look["code"] for look in stepper.walk("Next", len(searched))]
        places = [line_at(searched, step, lines) for step in range(len(searched) + 1)]
        assert lit == [None if place is None else lines[place].text for place in places]


def test_steppers_on_one_page_do_not_disturb_each_other(page: Page, show: Show) -> None:
    searched = trace(load("figure-4.24"))
    first, second, third = show(searched, searched, trace(load("worked-example")))
    rest = second.dom(), third.dom()
    for step in range(1, len(searched) + 1):
        first.press("ArrowRight")
        assert seen(first.look()) == truth(searched, step)
    assert (second.dom(), third.dom()) == rest
    third.press("c")
    second.click("Next")
    page.keyboard.press("ArrowRight")
    assert (first.step, second.step, third.step) == (len(searched), 2, 17)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("options", [sized(480, 500)])
@pytest.mark.parametrize(
    "name", ["order-best", pytest.param("order-worst", marks=pytest.mark.slow), "two-min"]
)
def test_the_current_node_is_in_view(show: Show, name: str) -> None:
    (stepper,) = show(searched := trace(load(name)))
    for button in ("Next", "Previous"):
        assert in_view(stepper, button, len(searched)) == [True] * len(searched)


def in_view(stepper: Shown, button: str, times: int) -> list[bool]:
    """Click the button several times: is the whole current node within the pane that scrolls, each
    time?
    """
    return list(
        stepper.button(button).evaluate("(button, times) => probe.inView(button, times)", times)
    )


def test_a_tree_of_1000_nodes(page: Page, show: Show) -> None:
    searched = trace(random_tree(53, depth=7, breadth=5))
    assert 950 < len(searched.tree) < 1050
    (stepper,) = show(searched)
    end = len(searched)
    for step in [0, 1, end // 2, *(cut.step for cut in searched.cuts[:3]), end]:
        stepper.slide(step)
        assert seen(stepper.look()) == truth(searched, step)
    stepper.slide(searched.cuts[5].step)
    assert in_view(stepper, "Next", 20) == [True] * 20
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_earlier_values_are_those_of_the_tree_that_is_shown(page: Page, show: Show) -> None:
    (shown,) = show(trace(Tree([[5, 3], [2, 9]])))
    shown.press("h", "End")
    shown.root.locator("[data-node=b1]").focus()
    for key in ("Enter", "7", "Enter"):
        page.keyboard.press(key)
    expect(shown.root.locator("[data-node=B]")).to_contain_text("∞ → 7 → 3")


def test_with_ctrl_the_wheel_zooms_around_the_pointer(page: Page, show: Show) -> None:
    [shown] = show(trace(load("order-worst")))
    node = shown.root.locator("[data-node]").nth(20)

    def place() -> Any:
        box = node.bounding_box() or {}
        return [box["x"] + box["width"] / 2, box["width"]]

    x, width = place()
    page.mouse.move(x, 400)
    page.keyboard.down("Control")
    for turn, scale in ((-100, 1.25), (-100, 1.25**2), (100, 1.25)):
        page.mouse.wheel(0, turn)
        eventually(place, pytest.approx([x, width * scale], abs=2))
    page.keyboard.up("Control")


ON_LINE = """root => {
  const line = root.querySelector(".abviz-line");
  return [
    line.querySelector(".abviz-tick").getBoundingClientRect().right - line.getBoundingClientRect().x,
    line.querySelectorAll(".abviz-zone").length,
    [...line.children].every((e) => {
      const [at, wide] = [parseFloat(e.style.left || 0), parseFloat(e.style.width || 0)];
      return at >= 0 && at + wide <= 100.01;
    }),
  ];
}"""


def test_the_number_line_has_zones_only_where_bv_is_tested_and_keeps_to_its_width(
    show: Show,
) -> None:
    worked = load("worked-example")
    traces = [trace(worked), trace(worked, alpha=5, beta=7), trace(Tree([[1e308, -1e308], [3, 2]]))]
    for searched, stepper in zip(traces, show(*traces), strict=True):
        for step, (left, zones, is_inside) in enumerate(
            stepper.walk("Next", len(searched), ON_LINE)
        ):
            assert left <= 1, "−∞ stands at the left end of the line"
            kind = searched.events_at(step)[0].kind if step else ""
            if kind != "exit":  # by then the window may have closed
                assert zones == (0 if kind in ("", "leaf") else 3)
            assert is_inside


def test_the_first_difference_is_announced_and_marked(show: Show, page: Page) -> None:
    tree = load("figure-4.24")
    wrong, right = (
        compare_with_reference(record(each, tree), Rules())
        for each in (cut_too_early, read_by_the_parent)
    )
    step = wrong.options["parting"]
    show(wrong, step=step)
    mark = page.locator(".abviz-parting")
    expect(mark).to_have_attribute("title", f"step {step}: the first difference")
    expect(page.locator(".abviz-says")).to_contain_text("where ours reads leaf E (5)")
    at, ends = mark.bounding_box(), page.locator(".abviz-marks").bounding_box()
    assert at and ends
    assert abs(at["x"] + at["width"] / 2 - ends["x"] - ends["width"] * step / len(wrong)) < 2
    show(right)
    expect(page.locator(".abviz-parting")).to_have_count(0)


@pytest.mark.parametrize("name", ["worked-example", "figure-4.24", "deep-cut"])
def test_windows_handed_down_and_earlier_values_can_be_shown(show: Show, name: str) -> None:
    """H writes on each edge the window with which its child was called, and in each node the values
    it has had.
    """
    searched = trace(load(name))
    shown = show(searched)[0]
    shown.focus()
    shown.press("h", "End")
    windows, values = {}, {}
    for event in searched.events:
        if event.kind == "enter":
            windows[event.node.name] = f"({as_read(event.alpha)}, {as_read(event.beta)})"
            values[event.node.name] = {"alpha": [], "beta": [], "bv": []}
        if event.node.name in values:
            for letter, seen in values[event.node.name].items():
                value = getattr(event, letter)
                if value is not None and event.kind != "cut" and [as_read(value)] != seen[-1:]:
                    seen.append(as_read(value))
    edges = shown.ask(
        "root => [...root.querySelectorAll('.abviz-window')].map((each) =>"
        " [each.parentNode.dataset.edge, each.textContent])"
    )
    assert dict(edges) == {
        name: window for name, window in windows.items() if name != searched.tree.root.name
    }
    numbers = shown.ask(
        "root => [...root.querySelectorAll('[data-node]')].map((node) =>"
        " [node.dataset.node, [...node.querySelectorAll('.abviz-number')].map((text) => text.textContent)])"
    )
    expected = {
        name: [" → ".join(seen) for seen in letters.values()] for name, letters in values.items()
    }
    assert {name: texts for name, texts in numbers if name in values} == expected
    shown.press("h")
    assert shown.ask("root => root.querySelectorAll('.abviz-window').length") == 0


WINDOWED = {
    "inside": trace(Tree([[3, 5], [2, 9], [4, 6]]), alpha=2, beta=9),
    "below": trace(Tree([[1, -1], 1]), alpha=2),
    "above": trace(Tree([[3, 5], [8, 9], [4, 6]]), beta=4, rules=Rules(fail_hard=True)),
    "recorded, inside": record(read_by_the_parent, Tree([[3, 5], [2, 9], [4, 6]]), window=(2, 9)),
    "recorded, below": record(read_by_the_parent, Tree([[1, -1], [1, 0]]), window=(2, 9)),
    "recorded without bv": record(cut_too_early, Tree([[1, -1], [1, 0]]), window=(1, 9)),
}
THICK = "root => [...root.querySelectorAll('.abviz-on-line')].map(({ dataset }) => dataset.edge)"


@pytest.mark.parametrize("name", WINDOWED)
def test_only_a_line_inside_the_window_is_thick(show: Show, name: str) -> None:
    searched = WINDOWED[name]
    (shown,) = show(searched)
    seen = shown.walk("Next", len(searched), THICK)
    assert seen == [list(searched.line_at(step)[1:]) for step in range(len(searched) + 1)]
    assert bool(seen[-1]) == ("inside" in name)
    assert shown.says == narrate(searched, len(searched))
    expect(shown.root).to_have_attribute("data-value", as_data(searched.value))


def test_a_run_with_a_window_is_compared_with_the_same_window(show: Show) -> None:
    (shown,) = show(WINDOWED["recorded, below"])
    shown.click("Compare with alpha-beta")
    shown.press("End")
    searched = trace(Tree([[1, -1], [1, 0]]), alpha=2, beta=9)
    assert (shown.steps, shown.says) == (len(searched), narrate(searched, len(searched)))
