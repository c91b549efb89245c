"""How the stepper looks: nothing moves, everything can be read, on a narrow window, on paper and on a big screen."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, shipped, trace
from tests.browser.driving import Shown, wait_until

pytestmark = pytest.mark.browser
Show = Callable[..., list[Shown]]


def sized(width: int, height: int = 900) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("options", [sized(1200), sized(700), sized(360)], ids=["wide", "middling", "narrow"])
@pytest.mark.parametrize("name", ["figure-4.24", "order-worst", "number-line"])
def test_nothing_moves_from_step_to_step(show: Show, name: str) -> None:
    """Every node, edge and text stays where it is, and so does all below the stepper."""
    found = trace(load(name))
    (shown,) = show(found)
    places = shown.walk("Next", len(found), "places")
    moved = [step for step, (before, after) in enumerate(pairwise(places), 1) if before != after]
    assert moved == []


def test_no_text_leaves_its_node_or_meets_another(show: Show) -> None:
    """Room is reserved for the longest names, values and marks that come up."""
    long_names = {"a name that is too long to be shown in full": {"W" * 24: 1, "i": 2}, "🎲👑": [3, 4], "Übermaß": 5}
    odd = [Tree([[-123456789, 0.3333333333333333], [987654321, -0.1234567891234]]), Tree(long_names, root="漢字" * 12)]
    traces = [trace(tree) for tree in [*map(load, shipped()), *odd]]
    traces += [trace(tree, rules=Rules(right_to_left=True)) for tree in odd]
    for found, shown in zip(traces, show(*traces), strict=True):
        crowded = shown.walk("Next", len(found), "crowded")
        assert {step: texts for step, texts in enumerate(crowded) if texts} == {}, found.tree


@pytest.mark.parametrize("options", [sized(360, 740), sized(320, 640)], ids=["360", "320"])
@pytest.mark.parametrize("name", ["worked-example", "order-worst"])
def test_a_narrow_window_is_not_overflowed(page: Page, show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    for step in [0, *(cut.step for cut in found.cuts), len(found)]:
        shown.slide(step)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    shown.click("Help")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


@pytest.mark.parametrize("options", [sized(132, 740)])
def test_beside_an_open_sidebar_no_control_is_cut_off(page: Page, show: Show) -> None:
    (shown,) = show(trace(load("figure-4.24")))
    edge = shown.root.bounding_box()
    assert edge
    for control in [*shown.root.locator("select, button, summary, input").all()]:
        if box := control.bounding_box():
            assert box["x"] + box["width"] <= edge["x"] + edge["width"], control.evaluate("e => e.outerHTML")


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=["light", "dark"])
@pytest.mark.parametrize("rules", [Rules(), Rules(fail_hard=True, right_to_left=True)], ids=["soft", "hard"])
def test_every_text_stands_out_from_its_background(
    page: Page, show: Show, options: dict[str, Any], rules: Rules
) -> None:
    is_dark = options["color_scheme"] == "dark"
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is is_dark
    traces = [trace(load(name), rules=rules) for name in ("figure-4.24", "worked-example")]
    for shown, found in zip(show(*traces), traces, strict=True):
        shown.click("Help")
        for step in [0, 1, 5, *(cut.step for cut in found.cuts), *(cut.step + 1 for cut in found.cuts), len(found)]:
            shown.slide(step)
            assert shown.ask("root => probe.faint(root, 4.5)") == [], f"at step {step}"
    ink, paper = page.evaluate(
        "(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))"
    )
    assert (sum(map(int, ink[4:-1].split(", "))) > sum(map(int, paper[4:-1].split(", ")))) is is_dark


def test_nothing_is_told_by_colour_alone(show: Show) -> None:
    """MAX and MIN, the current node, skipped ones and both kinds of cut differ in words or shapes too."""
    (shown,) = show(trace(load("worked-example")))
    shown.press("End")
    words = [
        (node.get_attribute("data-player"), node.text_content()) for node in shown.root.locator("[data-node]").all()
    ]
    inner = [(player, text) for player, text in words if text and ("▲" in text or "▼" in text)]
    assert {player: text[text.index("▲" if "▲" in text else "▼")] for player, text in inner} == {"MAX": "▲", "MIN": "▼"}
    shapes = {
        player: shown.root.locator(f"[data-player={player}] > path").first.get_attribute("d")
        for player in ("MAX", "MIN")
    }
    assert shapes["MAX"] != shapes["MIN"]
    cuts = {
        edge.get_attribute("data-cut"): edge.text_content()
        for edge in shown.root.locator("[data-edge][data-cut]").all()
    }
    assert cuts == {"alpha": "α-cut", "beta": "β-cut"}
    dashes = "element => getComputedStyle(element).strokeDasharray"
    assert shown.root.locator("[data-state=skipped] > rect").first.evaluate(dashes) != "none"
    assert shown.root.locator("[data-state=done] > rect").first.evaluate(dashes) == "none"
    width = "element => parseFloat(getComputedStyle(element).strokeWidth)"
    line = shown.root.locator(".abviz-on-line > line").first.evaluate(width)
    assert line >= 2 * shown.root.locator("[data-edge]:not(.abviz-on-line) > line").first.evaluate(width)


# full screen


@pytest.mark.parametrize("options", [sized(1920, 1080), sized(1280, 720)], ids=["1080", "720"])
@pytest.mark.parametrize("name", ["figure-4.24", "worked-example", "order-shuffled"])
def test_full_screen_fills_the_screen_with_all_of_the_tree(page: Page, show: Show, name: str) -> None:
    found = trace(load(name))
    (shown,) = show(found)
    small = page.evaluate(FONT)
    shown.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    size = page.evaluate("[innerWidth, innerHeight]")
    box = shown.root.bounding_box()
    assert box and [box["x"], box["y"], box["width"], box["height"]] == [0, 0, *size]
    for step in [0, found.cuts[0].step, len(found)]:
        shown.slide(step)
        assert shown.ask("root => probe.offScreen(root)") == []
    assert page.evaluate(FONT) > small
    shown.press("f")
    wait_until(page, "document.fullscreenElement === null")
    shown.click("Full screen")
    wait_until(page, "document.fullscreenElement !== null")


FONT = "parseFloat(getComputedStyle(document.querySelector('.abviz-says')).fontSize)"


# paper


@pytest.mark.usefixtures("alone")
def test_printed_there_is_the_picture_and_no_controls(page: Page, show: Show) -> None:
    found = trace(load("order-worst"))
    (shown,) = show(found)
    shown.press("c")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})
    for selector in ["button", "input", "select", "summary"]:
        assert all(not control.is_visible() for control in shown.root.locator(selector).all())
    expect(shown.root.locator(".abviz-says")).to_be_visible()
    picture = shown.root.locator(".abviz-tree > svg").bounding_box()
    assert picture and picture["x"] >= 0 and picture["x"] + picture["width"] <= 720 and picture["height"] > 100
    pane = shown.root.locator(".abviz-tree").evaluate(
        "e => [e.scrollWidth > e.clientWidth, e.scrollHeight > e.clientHeight]"
    )
    assert pane == [False, False], "nothing is hidden below the edge of a pane"


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("options", [{"color_scheme": "dark"}])
def test_a_dark_page_is_printed_on_white(page: Page, show: Show) -> None:
    (shown,) = show(trace(load("figure-4.24")))
    page.emulate_media(media="print")
    assert shown.ask("root => getComputedStyle(root).backgroundColor") == "rgb(255, 255, 255)"
    shown.press("c")
    assert shown.ask("root => probe.faint(root, 4.5)") == []


def test_every_tree_of_a_page_is_printed(page: Page, show: Show, tmp_path: Path) -> None:
    show(*(trace(load(name)) for name in ("figure-4.24", "worked-example", "order-best")))
    printed = page.pdf()
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") >= 2
