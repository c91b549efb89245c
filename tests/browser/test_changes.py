"""What the page says stays true when its tree, its search or its rules change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, trace
from abviz.exercises import practice
from abviz.tracing.narration import sentence
from tests.browser.driving import Show, Shown, steppers
from tests.browser.test_editing import type_value

pytestmark = pytest.mark.browser
WORKED = load("worked-example")
STATIC = {  # B, C and D have static values, at which a search of depth 1 or 2 ends
    "B": {"E": {"value": 3, "children": [3, 5]}, "F": {"value": 4, "children": [2, 9]}},
    "C": {"G": {"value": 1, "children": [1, 4]}, "H": {"value": 7, "children": [8, 6]}},
}

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


def link_of(shown: Shown) -> str:
    shown.press("s")
    shown.click("Copy link")
    return shown.root.get_by_label("Copied text").input_value()


def reopen(page: Page, url: str) -> list[Shown]:
    """Open the address in a browser that remembers nothing of the page."""
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(url)
    return steppers(page)


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
    shown.press("w")  # to paste, it was left
    assert (score.text_content(), shown.ask(filled), shown.look()["cuts"]) == ("", 0, [])


@pytest.mark.parametrize(("part", "folded", "below"), [(None, "C", "G"), ("B", "B", "F")])
def test_practice_unfolds_the_whole_tree(show: Show, part: str | None, folded: str, below: str) -> None:
    (shown,) = show(trace(WORKED), node=part)
    edge = shown.root.locator(f'[data-edge="{below}"]')
    shown.root.locator(f'[data-node="{folded}"]').focus()
    shown.page.keyboard.press("Enter")
    expect(edge).to_have_count(0)
    shown.press("w")
    expect(edge).to_have_count(1)
    shown.ask(FILL, practice.right_marks(trace(WORKED)))
    for button, says in [("Check", "30 of 30 marks right."), ("Hint", "Everything is right.")]:
        shown.click(button)
        expect(shown.root.locator(".abviz-worksheet strong")).to_have_text(says)


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


def test_a_tree_has_its_own_title_wherever_it_comes_from(show: Show) -> None:
    shown, _ = show(trace(WORKED), trace(load("figure-4.24")))
    pasted = '{"title": "Mine <b>", "source": "me", "tree": [[3, 5], [2, 9]]}'
    changes: list[tuple[Callable[[], None], str, str]] = [
        (lambda: type_value(shown, "i1", "5"), WORKED.title, WORKED.source),
        (lambda: paste(shown, pasted), "Mine <b>", "me"),
        (lambda: shown.click("Add level"), "Mine <b>", "me"),
        (lambda: paste(shown, "[[3, 5], [2, 9]]"), "A game tree", ""),
        (lambda: shown.click("Undo"), "Mine <b>", "me"),
        (lambda: shown.click("Random tree"), "A game tree", ""),
        (lambda: shown.press(*["Control+z"] * 4), WORKED.title, WORKED.source),
        (lambda: (shown.press("w"), shown.click("New tree"))[1], "A game tree", ""),
    ]
    for change, title, source in changes:
        change()
        assert [*shown.root.locator(".abviz-title > *").all_text_contents()] == [title, source]
        expect(shown.root).to_have_attribute("aria-label", f"Stepper: {title}")


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


def test_a_link_opens_its_own_tree_search_and_step(show: Show, page: Page) -> None:
    first, second = show(trace(WORKED), trace(load("figure-4.24")))
    untouched = first.look()
    second.slide(39)
    at_39 = second.look()
    first, second = reopen(page, link_of(second))
    assert (first.look(), second.look()) == (untouched, at_39)
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Stepper: Figure 4.24")

    type_value(second, next(load("figure-4.24").leaves()).name, "77")
    choose(second, "Children", "on")
    second.press("End")
    changed = second.look()
    first, second = reopen(page, link_of(second))
    assert (first.look(), second.look()) == (untouched, changed)

    choose(first, "Search", "minimax")
    type_value(first, "e1", "9")
    first.press("End")
    changed = first.look()
    first, _ = reopen(page, link_of(first))
    assert first.look() == changed


def test_the_page_remembers_the_search_with_the_tree(show: Show, page: Page) -> None:
    (shown,) = show(trace(WORKED))
    choose(shown, "Search", "minimax")
    type_value(shown, "e1", "9")
    shown.press("End")
    changed = shown.look()
    page.reload()
    (shown,) = steppers(page)
    expect(shown.root.get_by_role("alert")).to_contain_text("the tree as you left it")
    shown.press("End")
    assert shown.look() == changed
    page.evaluate("localStorage.clear()")


def test_a_wrong_address_says_what_is_shown(show: Show, page: Page) -> None:
    show(trace(WORKED))
    url, last = page.url, len(trace(Tree([[1, 2], [3, 4]])))
    own = "This is the page’s own tree."
    for address, value, problem in [
        ("tree=[[1,2],[3,4]]&step=9999", "3", f"no step 9999; expected 0 to {last}. This is the tree of the address."),
        ("tree=[[3,5],[2,null],[1,1]]&search=minimax", "8", own),
        ("step=x", "8", f"there is no step NaN; expected 0 to {len(trace(WORKED))}. {own}"),
        ("on=2&step=3", "8", f"there is no tree 2 on this page. {own}"),
        ("search=recorded", "8", f"there is no search or rule recorded. {own}"),
        ("rules=strict,loose", "8", f"there is no search or rule loose. {own}"),
    ]:
        (shown,) = reopen(page, f"{url}#{address}")
        expect(shown.root.get_by_role("alert")).to_contain_text(problem)
        assert (shown.step, shown.root.get_attribute("data-value")) == (0, value)


def test_what_a_leaf_changes_is_told_by_the_same_search(show: Show) -> None:
    (shown,) = show(trace(WORKED, alpha=5, beta=7, rules=Rules(fail_hard=True)))
    what_if = shown.root.locator(".abviz-what-if")
    type_value(shown, "h2", "3")
    expect(what_if).to_have_text("With h2 = 3 the search still returns 7.")
    choose(shown, "What a node returns", "off")
    expect(what_if).to_have_text("")  # by other rules

    (shown,) = show(trace(Tree([[3, 5], [2, None]])))
    type_value(shown, "c2", "9")
    expect(what_if).to_have_text("With c2 = 9 the search still returns 3.")


def test_practice_asks_only_above_the_depth_of_the_search(show: Show) -> None:
    tree = Tree(STATIC)
    searched = trace(tree, depth=2)
    (shown,) = show(searched)
    shown.press("w")
    marks = practice.right_marks(searched)
    keys = shown.ask("root => [...root.querySelectorAll('.abviz-field')].map((field) => field.dataset.key)")
    assert sorted(keys) == sorted(key for key in marks if not key.startswith("cut"))
    shown.ask(FILL, marks)
    shown.click("Check")
    total = sum(mark not in ("", False) for mark in marks.values())
    expect(shown.root.locator(".abviz-worksheet strong")).to_have_text(f"{total} of {total} marks right.")
    shown.click("Result")
    verdict = practice.verify(shown.root.get_by_label("Result to hand in").input_value())
    assert verdict and verdict.points == (total, total)
