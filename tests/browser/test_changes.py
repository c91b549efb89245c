"""What the page says stays true when its tree, its search or its rules change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from abviz import Checkers, Tree, load, minimax, trace
from abviz.exercises import practice
from tests.browser.driving import Show, Shown, eventually, fill_in, forget, steppers
from tests.browser.test_editing import type_value

pytestmark = pytest.mark.browser
WORKED = load("worked-example")


def link_of(shown: Shown) -> str:
    shown.press("s")
    shown.click("Copy link")
    return shown.root.get_by_label("Copied text").input_value()


def reopen(page: Page, url: str) -> list[Shown]:
    """Open the address in a browser that remembers nothing of the page."""
    forget(page)
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


# The page hears of it by an event that comes later, and until then shows the bounds.
OPEN_RULES = """root => {
  const rules = root.querySelector("details");
  rules.addEventListener("toggle", () => (rules.heard = rules.open ? "open" : "closed"));
  rules.heard = "";
  rules.open = true;
}"""
RULES = "root => root.querySelector('details').heard"


def choose(shown: Shown, label: str, option: str) -> None:
    shown.open_more()
    shown.ask(OPEN_RULES)
    shown.root.get_by_label(label, exact=True).select_option(option)
    shown.press("Escape")  # the open rules lie over other buttons
    eventually(lambda: shown.ask(RULES), "closed")


def test_a_change_of_rules_or_tree_begins_practice_anew(show: Show) -> None:
    (shown,) = show(trace(WORKED))
    shown.press("w")
    score = shown.root.locator(".abviz-worksheet strong")
    filled = (
        "root => [...root.querySelectorAll('.abviz-field')].filter((field) => field.value).length"
    )

    def all_right() -> None:
        fill_in(shown, practice.right_marks(trace(WORKED)))
        shown.click("Check")
        expect(score).to_contain_text("30 of 30 marks right.")

    all_right()
    shown.open_more()
    shown.root.get_by_label("Search", exact=True).select_option("minimax")
    expect(shown.root.get_by_role("alert")).to_contain_text("Your answers belong to this search")
    assert shown.ask(filled) == 27, "and the three cuts"
    shown.press("w")
    choose(shown, "Children", "on")
    shown.press("w")
    assert (score.text_content(), shown.ask(filled), shown.look()["cuts"]) == ("", 0, [])
    shown.press("Control+z")
    all_right()
    paste(shown, "[[3, 5], [2, 9]]")
    shown.press("w")  # to paste, it was left
    assert (score.text_content(), shown.ask(filled), shown.look()["cuts"]) == ("", 0, [])


@pytest.mark.parametrize(("part", "folded", "below"), [(None, "C", "G"), ("B", "B", "F")])
def test_practice_unfolds_the_whole_tree(
    show: Show, part: str | None, folded: str, below: str
) -> None:
    (shown,) = show(trace(WORKED), node=part)
    edge = shown.root.locator(f'[data-edge="{below}"]')
    shown.root.locator(f'[data-node="{folded}"]').focus()
    shown.page.keyboard.press("Enter")
    expect(edge).to_have_count(0)
    shown.press("w")
    expect(edge).to_have_count(1)
    fill_in(shown, practice.right_marks(trace(WORKED)))
    for button, says in [("Check", "30 of 30 marks right."), ("Hint", "Everything is right.")]:
        shown.click(button)
        expect(shown.root.locator(".abviz-worksheet strong")).to_have_text(says)


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
    noted = Tree([[3, 5], [2, 9]], note="Three leaves are read.", notes={2: "Look <here>."})
    (shown,) = show(trace(noted))
    note = shown.root.locator(".abviz-note")

    def expect_notes(at_2: str, at_end: str) -> None:
        shown.slide(2)
        expect(note).to_have_text(at_2)
        shown.press("End")
        expect(note).to_have_text(at_end)

    expect_notes("Look <here>.", "Three leaves are read.")
    changes: list[Callable[[], None]] = [
        lambda: type_value(shown, "b1", "1"),
        lambda: choose(shown, "Search", "minimax"),
        lambda: choose(shown, "Equal bounds", "on"),
    ]
    for change in changes:
        change()
        expect_notes("", "")
        shown.press("Control+z")
        expect_notes("Look <here>.", "Three leaves are read.")
    choose(shown, "Search", "minimax")
    choose(shown, "Search", "alphabeta")
    expect_notes("Look <here>.", "Three leaves are read.")


def test_the_notes_of_a_chosen_tree_are_shown_for_plain_alphabeta_alone(show: Show) -> None:
    own, chosen = Tree([[1, 2], [3, 4]]), load("last-child")  # of the same shape
    windowed, minimaxed = show(trace(own, alpha=0, beta=3), trace(own, search=minimax))
    for shown in (windowed, minimaxed):
        shown.open_more()
        shown.root.get_by_label("Tree", exact=True).select_option(label=chosen.title)
        shown.press("End")
        expect(shown.root.locator(".abviz-note p")).to_have_text("")
    choose(minimaxed, "Search", "alphabeta")
    type_value(minimaxed, "b1", "5")
    choose(minimaxed, "Equal bounds", "on")
    choose(minimaxed, "Equal bounds", "off")
    minimaxed.press("Control+z", "Control+z", "Control+z", "End")
    expect(minimaxed.root.locator(".abviz-note p")).to_have_text(chosen.note)
    expect(minimaxed.root.locator(".abviz-note")).to_be_visible()


def test_a_chosen_tree_is_kept_by_a_page_that_looks_two_moves_ahead(show: Show, page: Page) -> None:
    deep, static = load("deep-cut"), {"children": [3, 5], "value": 4}
    (shown,) = show(trace(Tree([[static, static], [static, static]]), depth=2))
    shown.open_more()
    shown.root.get_by_label("Tree", exact=True).select_option(label=deep.title)
    page.reload()
    expect(shown.root).to_have_attribute("data-steps", str(len(trace(deep))))


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


def test_the_page_remembers_the_search_with_the_tree_until_they_are_undone(
    show: Show, page: Page
) -> None:
    (shown,) = show(trace(WORKED))
    own = shown.look()
    choose(shown, "Search", "minimax")
    type_value(shown, "e1", "9")
    shown.press("End")
    changed = shown.look()
    page.reload()
    (shown,) = steppers(page)
    expect(shown.root.get_by_role("alert")).to_contain_text("the tree as you left it")
    shown.press("End")
    assert shown.look() == changed
    shown.press("Control+z", "Home")
    assert shown.look() == own
    page.reload()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_reloaded_game_keeps_what_no_text_says_of_it(show: Show, page: Page) -> None:
    """A leaf is edited; labels, folds and ends of games are in no text."""
    game = trace(Checkers.start(), depth=3)
    (shown,) = show(game)
    type_value(shown, game.leaves[-1], "-6")
    shown.press("End")
    changed = shown.look()
    page.reload()
    (shown,) = steppers(page)
    shown.press("End")
    assert shown.look() == changed
    forget(page)


def test_another_search_and_back_keeps_the_window(show: Show, page: Page) -> None:
    windowed = trace(WORKED, alpha=5, beta=7)
    (shown,) = show(windowed)
    for search, steps in (
        ("minimax", len(trace(WORKED, search=minimax))),
        ("alphabeta", len(windowed)),
    ):
        choose(shown, "Search", search)
        assert shown.steps == steps
    (shown,) = reopen(page, link_of(shown))
    assert shown.steps == len(windowed)


def test_an_address_opens_a_step_or_a_tree_and_a_wrong_one_says_what_is_shown(
    show: Show, page: Page
) -> None:
    show(trace(WORKED))
    url, last = page.url, len(trace(Tree([[1, 2], [3, 4]])))
    own = "This is the page’s own tree."
    for address, step, value, problem in [
        ("step=17", 17, "8", ""),
        ("tree=[[3,5],[2,9]]&step=2", 2, "3", ""),
        ("tree=[[3,5", 0, "8", "found the end of the text; expected a comma or ]"),
        ("tree=%E0%A4%A", 0, "8", own),
        ("tree=<img src=x onerror=alert(1)>", 0, "8", own),
        (
            "tree=[[1,2],[3,4]]&step=9999",
            0,
            "3",
            f"expected 0 to {last}. This is the tree of the address.",
        ),
        ("tree=[[3,5],[2,null],[1,1]]&search=minimax", 0, "8", own),
        ("step=x", 0, "8", f"there is no step NaN; expected 0 to {len(trace(WORKED))}. {own}"),
        ("on=2&step=3", 0, "8", f"there is no tree 2 on this page. {own}"),
        ("search=recorded", 0, "8", f"there is no search or rule recorded. {own}"),
        ("rules=strict,loose", 0, "8", f"there is no search or rule loose. {own}"),
    ]:
        (shown,) = reopen(page, f"{url}#{address}")
        alert = shown.root.get_by_role("alert")
        expect(alert).to_contain_text(problem) if problem else expect(alert).to_be_hidden()
        assert (shown.step, shown.root.get_attribute("data-value")) == (step, value)
    page.evaluate("location.hash = 'step=3'")
    expect(shown.root).to_have_attribute("data-step", "3")
