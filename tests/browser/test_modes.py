"""Predict mode, practice and editing: one at a time, by keyboard too, and none gives an answer away."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from abviz import load, trace
from tests.browser.driving import Shown

pytestmark = pytest.mark.browser
Show = Callable[..., list[Shown]]


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(load("worked-example")))
    return shown


def node(shown: Shown, name: str) -> Locator:
    return shown.root.locator(f'[data-node="{name}"]')


def type_value(shown: Shown, name: str, text: str) -> None:
    node(shown, name).focus()
    for key in ["Enter", *text, "Enter"]:
        shown.page.keyboard.press(key)


# practice


def test_practice_gives_no_answer_away(shown: Shown) -> None:
    type_value(shown, "i1", "5")
    shown.click("Practice")
    before = shown.look()
    shown.click("Practice")
    what_if = shown.root.locator(".abviz-what-if")
    expect(what_if).to_be_visible()
    for key in ("c", "End"):
        shown.press(key)
        shown.click("Practice")
        assert shown.look() == before, "no sentence, no call stack, no skipped leaves"
        assert shown.root.locator(".abviz-cutmark:visible, .abviz-note > p:not(:empty)").count() == 0
        expect(what_if).to_be_hidden()
        shown.click("Practice")


def test_one_of_predict_practice_and_edit_is_on(shown: Shown) -> None:
    modes = {"q": "Predict", "w": "Practice", "e": "Edit"}
    for key in "qweqewq":
        shown.press(key)
        pressed = [name for name in modes.values() if shown.button(name).get_attribute("aria-pressed") == "true"]
        assert pressed == [modes[key]]
    shown.press("w")
    node(shown, "e1").focus()
    shown.page.keyboard.press("Enter")
    expect(shown.root.locator(".abviz-edit")).to_have_count(0)
    expect(node(shown, "e1")).to_have_attribute("role", "img")


def test_every_cut_is_marked_by_keyboard(show: Show) -> None:
    searched = trace(load("figure-4.24"))
    (shown,) = show(searched)
    shown.click("Practice")
    cuts = [name for cut in searched.cuts for name in cut.skipped]
    assert "N" in cuts, "a leaf, which has no field"
    for name in cuts:
        node(shown, name).focus()
        shown.page.keyboard.press("x")
    assert [name for name, _ in shown.look()["cuts"]] == cuts


def test_the_result_of_practice_says_what_it_is_for_and_is_never_of_earlier_answers(shown: Shown) -> None:
    shown.click("Practice")
    result = shown.root.get_by_label("Result to hand in")
    shown.click("Result")
    expect(shown.root.get_by_text("hand it in; abviz check")).to_be_visible()
    assert result.evaluate("field => field.clientHeight / parseFloat(getComputedStyle(field).lineHeight)") >= 3
    shown.root.get_by_label("bv of A").fill("8")
    expect(result).to_be_hidden()
    shown.click("Result")
    assert '"bv A":"8"' in result.input_value()
    node(shown, "e1").focus()
    shown.page.keyboard.press("x")
    expect(result).to_be_hidden()
