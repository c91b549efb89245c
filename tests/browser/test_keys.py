"""Keys: each does what the help says, none is taken from the browser, and the keyboard alone
reaches everything.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import load, trace
from tests.browser.driving import Show, Shown

pytestmark = pytest.mark.browser
Heard = Callable[[], list[list[Any]]]

OURS = ["ArrowLeft", "ArrowRight", "Home", "End", " ", "c", "Shift+C", "q", "f", "?"]
NOT_OURS = ["a", "d", "x", "z", "1", "Enter", "ArrowUp", "ArrowDown", "Delete", "F5", "PageDown"]


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(load("figure-4.24")), show="all")
    return shown


def test_what_is_closed_leaves_the_keyboard_with_the_page(shown: Shown) -> None:
    press = shown.page.keyboard.press
    for mode, inside in [
        ("e", "Add level"),
        ("s", "Copy SVG"),
        ("w", "Check"),
        ("q", "Start again"),
    ]:
        shown.press(mode)
        shown.root.get_by_role("button", name=inside).focus()
        press(mode)
        expect(shown.root).to_be_focused()


def test_tab_takes_what_was_typed_and_goes_on_from_the_leaf(page: Page, shown: Shown) -> None:
    leaf = shown.root.locator("[data-node=N]")
    leaf.focus()
    for key in ("Enter", "9", "Tab"):
        page.keyboard.press(key)
    expect(leaf).to_contain_text("9")
    expect(shown.root.locator(".abviz-edit")).to_have_count(0)
    assert shown.ask(
        "root => root !== document.activeElement && root.contains(document.activeElement)"
    )


def test_the_help_names_the_keys_and_escape_leaves_it_and_then_the_stepper(
    page: Page, shown: Shown
) -> None:
    dialog = shown.root.get_by_role("dialog", name="Keys and marks")
    expect(dialog).to_be_hidden()
    expect(shown.button("Share")).to_have_attribute("aria-pressed", "false")
    shown.press("?")
    expect(dialog).to_be_focused()
    text = dialog.inner_text()
    assert all(
        key in text
        for key in ["←", "→", "Home", "End", "Space", "C", "Shift+C", "F", "?", "Esc", "✂"]
    )
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert shown.ask("root => root.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert not shown.ask("root => root.contains(document.activeElement)")
    page.keyboard.press("ArrowRight")
    assert shown.step == 0, "the page has the keyboard again"
    shown.button("Help").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(shown.button("Help")).to_be_focused()
    shown.click("Help")
    expect(dialog).to_be_visible()
    shown.click("Help")
    expect(dialog).to_be_hidden()


def test_a_click_anywhere_in_the_stepper_gives_it_the_keyboard(page: Page, shown: Shown) -> None:
    for place in [".abviz-tree", ".abviz-says", ".abviz-title", ".abviz-foot"]:
        before = shown.step
        shown.root.locator(place).click(position={"x": 5, "y": 5})
        page.keyboard.press("ArrowRight")
        assert shown.step == before + 1, place


def test_no_key_leaks_to_the_page_and_foreign_keys_keep_their_default(
    keys_heard: Heard, shown: Shown
) -> None:
    shown.ask(
        """root => {
          window.prevented = [];
          root.addEventListener("keydown", (event) => event.defaultPrevented && window.prevented.push(event.key));
        }"""
    )
    shown.press(*OURS, *OURS[::-1])
    assert set(shown.page.evaluate("prevented.splice(0)")) == {*OURS, "C"} - {"Shift+C"}
    shown.press(*NOT_OURS)
    assert keys_heard() == []
    shown.press("Tab")
    assert shown.page.evaluate("prevented") == []


@pytest.mark.parametrize("modifier", ["Control", "Meta"])
def test_no_shortcut_of_the_browser_is_taken(
    page: Page, keys_heard: Heard, shown: Shown, modifier: str
) -> None:
    shown.focus()
    before = shown.dom()
    keys = ["c", "f", "s", "z", "End", "Home", "ArrowRight", " "]
    for combination in [*keys, "Shift+c", "Shift+f"]:
        page.keyboard.press(f"{modifier}+{combination}")
    prevented = {
        key: prevented for key, prevented in keys_heard() if key not in (modifier, "Shift")
    }
    assert set(prevented) >= {*keys} and not any(prevented.values())
    assert shown.dom() == before


def test_keys_in_a_control_belong_to_the_control(page: Page, shown: Shown) -> None:
    slider = shown.root.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert shown.step == 1, "one step, not two"
    page.keyboard.press("End")
    assert (shown.step, slider.input_value()) == (39, "39")
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    assert 1 < shown.step < 39, "the slider's own stride"
    page.keyboard.press("Home")
    shown.open_more()
    speed = shown.root.get_by_label("Speed")
    speed.focus()
    page.keyboard.press("ArrowDown")
    assert (speed.input_value(), shown.step) == ("2", 0)
    shown.button("Next").focus()
    for key in ["Enter", " ", "ArrowRight"]:
        page.keyboard.press(key)
    assert shown.step == 3
    expect(shown.button("Play")).to_be_visible()
    shown.button("Last").focus()
    page.keyboard.press("Enter")
    assert shown.step == 39
    assert page.evaluate(FOCUS)[0] == "Last", (
        "a button keeps the focus where it has nothing left to do"
    )
    page.keyboard.press("ArrowLeft")
    assert shown.step == 38


FOCUS = """() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [document.activeElement.getAttribute("aria-label"), outlineStyle, parseFloat(outlineWidth)];
}"""


def test_tab_reaches_every_control_in_order_and_goes_on(page: Page, show: Show) -> None:
    first, second = show(trace(load("figure-4.24")), trace(load("deep-cut")), show="all")
    first.open_more()
    stops = [page.evaluate(FOCUS)]  # the page gives the first stepper the keyboard at once
    for _ in range(29):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    names = [str(name) for name, *_ in stops]
    assert names[:26] == [
        *("Stepper: Figure 4.24", "Previous", "Next", "Play", "Next cut", "Step"),
        *("Edit", "Practice", "Full screen", "More"),
        *("First", "Previous cut", "Last", "Speed", "Predict", "Split view", "Share", "Help"),
        *("Tree", "Search", "None", "Show"),  # the third is a summary, named by its text: Rules
        *("Smaller", "Fit", "Larger", "MAX node A, waiting"),
    ]
    assert names[26:28] == ["Form of the pseudocode", "Pseudocode"]
    assert names[28].startswith("Stepper: ") and names[28] != names[0], (
        "from the one stepper to the next"
    )
    for name, style, width in stops:
        assert style != "none" and width >= 2, f"{name} has no ring when it has the focus"
    for _ in range(29):
        page.keyboard.press("Shift+Tab")
    assert (
        page.evaluate("document.activeElement.getAttribute('aria-label')") == "Stepper: Figure 4.24"
    )
    page.keyboard.press("ArrowRight")
    assert (first.step, second.step) == (1, 0)
