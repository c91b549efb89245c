"""A click on a skipped node, or Enter, says why it was skipped; another changes it, as ever."""

import pytest
from playwright.sync_api import Locator, Page, expect

from abviz import load, record, trace
from abviz.tracing.narration import narrate
from abviz.tracing.shows import SHOWS
from tests.browser.driving import Show, Shown, node, sized
from tests.browser.test_page import read_by_the_parent

pytestmark = pytest.mark.browser

WORKED = trace(load("worked-example"))
FIRST, SECOND, _ = WORKED.cuts  # which skip f2, and H with h1 and h2


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(WORKED)
    shown.press("End")
    return shown


def why(shown: Shown) -> Locator:
    return shown.root.locator(".abviz-why")


def said(shown: Shown) -> str:
    return why(shown).get_by_role("status").text_content() or ""


def field(shown: Shown) -> Locator:
    return shown.root.locator(".abviz-edit")


@pytest.mark.parametrize("show_", SHOWS)
def test_a_click_says_why_a_node_was_skipped_with_the_words_of_the_level(
    show: Show, show_: str
) -> None:
    (shown,) = show(WORKED, show=show_)
    shown.press("End")
    for name, begins, cut in (
        ("f2", "f2 was skipped. ", FIRST),
        ("H", "H was skipped. ", SECOND),
        ("h2", "h2 was skipped with H. ", SECOND),
    ):
        node(shown, name).click()
        assert said(shown) == begins + narrate(WORKED, cut.step, show_)
        expect(field(shown)).to_have_count(0)
    shown.click("Go to that step")
    assert (shown.step, said(shown)) == (SECOND.step, "")
    expect(shown.root).to_be_focused()
    node(shown, "H").click()
    assert said(shown)
    expect(why(shown).get_by_role("button", name="Go to that step")).to_be_hidden()


def test_it_is_said_at_the_place_of_the_sentence_and_moves_nothing(
    page: Page, shown: Shown
) -> None:
    before = shown.places()
    node(shown, "f2").click()
    assert shown.places() == before
    over, under = (
        shown.root.locator(each).bounding_box() for each in (".abviz-why", ".abviz-sentence")
    )
    assert over and under
    assert [over[side] for side in ("x", "y", "width")] == [
        under[side] for side in ("x", "y", "width")
    ]
    shown.press("Escape")
    assert said(shown) == ""
    node(shown, "f2").click()
    shown.press("ArrowLeft")
    assert said(shown) == ""
    node(shown, "f2").click()
    page.emulate_media(media="print")
    expect(why(shown)).to_be_hidden()
    page.emulate_media(media="screen")


@pytest.mark.parametrize("options", [sized(1366, 625), sized(390, 844), sized(360, 780)])
def test_all_of_it_can_be_read_on_any_screen(page: Page, shown: Shown) -> None:
    node(shown, "h1").click()
    box = why(shown).bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= page.evaluate("innerWidth")
    for part in why(shown).locator("p, button").all():
        inner = part.bounding_box()
        assert inner and inner["y"] + inner["height"] <= box["y"] + box["height"] + 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_enter_says_why_and_another_enter_changes_the_leaf(page: Page, shown: Shown) -> None:
    node(shown, "f2").focus()
    page.keyboard.press("Enter")
    assert said(shown).startswith("f2 was skipped. ")
    expect(node(shown, "f2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(field(shown)).to_be_focused()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(node(shown, "f2").locator(".abviz-value")).to_have_text("8")
    expect(node(shown, "f2")).to_be_focused()

    node(shown, "H").focus()
    page.keyboard.press("Enter")
    expect(node(shown, "H")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(node(shown, "H")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press(" ")
    expect(node(shown, "H")).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize("way", ["click twice", "double-click", "button", "type"])
def test_a_skipped_leaf_gets_another_value_in_every_way(page: Page, shown: Shown, way: str) -> None:
    leaf = node(shown, "f2")
    if way == "double-click":
        leaf.dblclick()
    else:
        leaf.click()
    if way == "click twice":
        leaf.click()
    if way == "button":
        shown.click("Change its value")
    if way != "type":
        expect(field(shown)).to_be_focused()
    page.keyboard.type("-5")
    page.keyboard.press("Enter")
    expect(leaf.locator(".abviz-value")).to_have_text("−5")
    assert said(shown) == ""
    expect(shown.root.get_by_text("With f2 = −5")).to_be_visible()


def test_a_leaf_that_was_read_and_any_leaf_in_edit_open_their_field_at_once(shown: Shown) -> None:
    node(shown, "f1").click()
    expect(field(shown)).to_be_focused()
    shown.page.keyboard.press("Escape")
    shown.click("Edit")
    node(shown, "f2").click()
    expect(field(shown)).to_be_focused()
    assert said(shown) == ""


def test_in_a_recorded_run_it_is_what_the_run_says(show: Show) -> None:
    run = record(read_by_the_parent, load("figure-4.24"))
    (shown,) = show(run)
    shown.press("End")
    (cut, *_) = run.cuts
    node(shown, cut.skipped[0]).click()
    assert said(shown).endswith(narrate(run, cut.step))
    expect(why(shown).get_by_role("button", name="Change its value")).to_be_hidden()
    shown.page.keyboard.press("7")
    expect(field(shown)).to_have_count(0)


def test_play_stops_for_it(show: Show) -> None:
    (shown,) = show(WORKED)
    shown.slide(FIRST.step)
    shown.click("Play")
    node(shown, "f2").click()
    expect(shown.button("Play")).to_be_visible()
