"""The first screen: what a newcomer meets, and what comes when it is asked for."""

import pytest
from playwright.sync_api import Page, expect

from abviz import load, minimax, trace
from tests.browser.driving import UNDER_MORE, Show, Shown, revisit, sized

pytestmark = pytest.mark.browser

WORDS = {
    "Previous": "Back",
    "Next": "Next",
    "Play": "Play",
    "Next cut": "Next cut",
    "Edit": "Edit",
    "Practice": "Practice",
    "Full screen": "Full screen",
    "More": "More",
}


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(load("worked-example")))
    return shown


def controls(shown: Shown) -> list[str]:
    """Return the accessible names of the buttons, menus and sliders that are seen, but for those of
    the picture and of the panels beside it.
    """
    return list(
        shown.ask("""root => [...root.querySelectorAll("button, select, summary, input")]
          .filter((part) => part.checkVisibility() && !part.closest(".abviz-body"))
          .map((part) => part.getAttribute("aria-label") ?? part.textContent)""")
    )


def test_the_first_screen_has_words_and_no_menu(shown: Shown) -> None:
    assert controls(shown) == [*list(WORDS)[:4], "Step", *list(WORDS)[4:]]
    for name, words in WORDS.items():
        expect(shown.button(name)).to_have_text(words)
    shown.click("Play")
    expect(shown.button("Pause")).to_have_text("Pause")


def test_all_the_rest_is_under_more_which_stays_as_it_was_left(page: Page, shown: Shown) -> None:
    more = shown.button("More")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    rest = [*UNDER_MORE[:3], "Speed", *UNDER_MORE[3:], "Tree", "Search", "Rules", "Show"]
    assert controls(shown) == [*list(WORDS)[:4], "Step", *list(WORDS)[4:], *rest]

    again = revisit(page, page.url)
    expect(again.button("More")).to_have_attribute("aria-expanded", "true")
    again.press("o")
    expect(again.button("More")).to_have_attribute("aria-expanded", "false")
    again = revisit(page, page.url)
    expect(again.button("More")).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize(
    ("key", "selector"), [("q", ".abviz-score"), ("m", ".abviz-split"), ("s", ".abviz-share")]
)
def test_the_keys_of_what_is_under_more_work_while_it_is_closed(
    shown: Shown, key: str, selector: str
) -> None:
    part = shown.root.locator(selector)
    expect(part).to_be_hidden()
    shown.press(key)
    expect(part).to_be_visible()
    shown.press(key, "End")
    assert shown.step == shown.steps
    shown.press("Shift+C", "Home")
    assert shown.step == 0


@pytest.mark.parametrize(
    "options",
    [sized(390, 844), sized(390, 844) | {"has_touch": True}, sized(360, 780)],
    ids=["narrow", "touch", "small"],
)
def test_on_a_phone_the_tree_begins_in_the_top_third(page: Page, shown: Shown) -> None:
    box = shown.root.locator(".abviz-tree > svg").bounding_box()
    height = page.evaluate("innerHeight")
    assert box and box["y"] <= height / 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", ["Next cut", "Previous cut"])
def test_a_search_without_cuts_says_why_there_is_no_next_one(show: Show, name: str) -> None:
    shown, cuts = show(trace(load("worked-example"), search=minimax), trace(load("worked-example")))
    for stepper, why in [(shown, ": minimax makes no cuts"), (cuts, "")]:
        title = stepper.button(name).get_attribute("title") or ""
        assert title.startswith(f"{name} (") and title.endswith(why or ")")
    expect(shown.button(name)).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("options", [sized(390, 844) | {"has_touch": True}], ids=["phone"])
def test_what_is_under_more_comes_into_sight_when_it_opens(page: Page, shown: Shown) -> None:
    page.evaluate("scrollTo(0, 0)")
    shown.press("o")
    more = shown.root.locator(".abviz-more")
    expect(more).to_be_visible()
    expect(more).to_be_in_viewport(ratio=0.99)
