"""What the page says stays true when its tree, its search or its rules change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from abviz import Tree, load, trace
from abviz.exercises import practice
from abviz.tracing.narration import sentence
from tests.browser.driving import Shown
from tests.browser.test_editing import type_value

pytestmark = pytest.mark.browser
Show = Callable[..., list[Shown]]
WORKED = load("worked-example")

FILL = """(root, marks) => {
  for (const field of root.querySelectorAll(".abviz-field")) {
    field.value = marks[field.dataset.key];
    field.dispatchEvent(new Event("input"));
  }
  for (const key in marks) {
    if (marks[key] !== true) continue;
    const edge = root.querySelector(`[data-edge="${key.slice(4)}"] > line`);
    edge.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}"""


def paste(shown: Shown, text: str) -> None:
    if shown.root.locator(".abviz-editor").is_hidden():
        shown.press("e")
    field = shown.root.get_by_label("A tree as JSON or a nested list")
    if field.is_hidden():
        shown.click("Paste")
    field.fill(text)
    shown.click("Paste")


def choose(shown: Shown, label: str, option: str) -> None:
    shown.ask("root => (root.querySelector('details').open = true)")
    shown.root.get_by_label(label, exact=True).select_option(option)
    shown.press("Escape")  # the open rules lie over other buttons


def test_a_change_of_rules_or_tree_begins_practice_anew(show: Show) -> None:
    (shown,) = show(trace(WORKED))
    shown.press("w")
    score = shown.root.locator(".abviz-worksheet strong")
    filled = "root => [...root.querySelectorAll('.abviz-field')].filter((field) => field.value).length"

    def all_right() -> None:
        shown.ask(FILL, practice.right_marks(trace(WORKED)))
        shown.click("Check")
        expect(score).to_contain_text("30 of 30 marks right.")

    all_right()
    choose(shown, "Children", "on")
    assert (score.text_content(), shown.ask(filled), shown.look()["cuts"]) == ("", 0, [])
    shown.press("Control+z")
    all_right()
    paste(shown, "[[3, 5], [2, 9]]")
    assert (score.text_content(), shown.ask(filled), shown.look()["cuts"]) == ("", 0, [])


def test_a_leaf_that_only_minimax_needs_ends_the_split_view(show: Show) -> None:
    (shown,) = show(trace(WORKED))
    problem = shown.root.get_by_role("alert")
    shown.press("End", "m")
    paste(shown, "[[3, 5], [2, null]]")
    searched = trace(Tree([[3, 5], [2, None]]))
    for _ in range(2):
        expect(problem).to_have_text("Minimax needs a value that is not known in this tree, so the split view is off.")
        expect(shown.root.locator(".abviz-split")).to_be_hidden()
        expect(shown.button("Split view")).to_have_attribute("aria-pressed", "false")
        shown.press("End")
        assert (shown.step, shown.steps) == (len(searched), len(searched))
        assert shown.says == sentence(searched, len(searched))
        shown.press("m")
    shown.click("Undo")
    expect(problem).to_be_hidden()
    shown.press("m")
    expect(shown.root.locator(".abviz-split")).to_be_visible()


def test_notes_are_those_of_the_pages_own_search(show: Show) -> None:
    noted = Tree([[3, 5], [2, 9]], note="Three leaves are read.", notes={2: "Look."})
    (shown,) = show(trace(noted))
    note = shown.root.locator(".abviz-note")

    def expect_notes(at_2: str, at_end: str) -> None:
        shown.slide(2)
        expect(note).to_have_text(at_2)
        shown.press("End")
        expect(note).to_have_text(at_end)

    expect_notes("Look.", "Three leaves are read.")
    changes: list[Callable[[], None]] = [
        lambda: type_value(shown, "b1", "1"),
        lambda: choose(shown, "Search", "minimax"),
        lambda: choose(shown, "Equal bounds", "on"),
    ]
    for change in changes:
        change()
        expect_notes("", "")
        shown.press("Control+z")
        expect_notes("Look.", "Three leaves are read.")
    choose(shown, "Search", "minimax")
    choose(shown, "Search", "alphabeta")
    expect_notes("Look.", "Three leaves are read.")
