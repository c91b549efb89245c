"""Levels of detail: what each shows, at which steps it stops, and what chooses it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, minimax, trace
from abviz.tracing.shows import SHOWS, letters_shown, shown_steps
from tests.browser.driving import Show, Shown, revisit, sized, steppers

pytestmark = pytest.mark.browser

WORKED = trace(load("worked-example"))
PARTS = {
    ".abviz-line": "bounds",
    ".abviz-code": "all",
    ".abviz-stack": "all",
    ".abviz-rules": "all",
}
STEP = "root => Number(root.dataset.step)"
COUNTER = "root => root.querySelector('.abviz-where').textContent"
LETTERS = """root => [...new Set([...root.querySelectorAll(".abviz-letter")]
  .map((letter) => letter.textContent))]"""
SIZES = """root => [...root.querySelectorAll("[data-node] > path")].map((path) => {
  const { y, height } = path.getBBox();
  return [y, height];
})"""
OVERLAPS = """root => {
  const boxes = [...root.querySelectorAll("[data-node] > :is(path, rect)")]
    .map((shape) => shape.getBoundingClientRect());
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length;
}"""


def level(shown: Shown) -> str:
    """Return the level that the picture shows, by its letters and the parts around it."""
    letters = shown.ask(LETTERS)
    if not letters:
        return "values"
    if letters == ["bv"]:
        return "bv"
    return "all" if shown.root.locator(".abviz-code").is_visible() else "bounds"


def choose(shown: Shown, show: str) -> None:
    shown.open_more()
    shown.root.get_by_label("Show", exact=True).select_option(show)


@pytest.mark.parametrize("show_", SHOWS)
def test_next_and_back_visit_the_steps_that_change_what_is_shown(show: Show, show_: str) -> None:
    searches: list[dict[str, Any]] = [
        {},
        {"search": minimax},
        {"rules": Rules(right_to_left=True, fail_hard=True)},
    ]
    traces = [trace(load("worked-example"), **search) for search in searches]
    for searched, shown in zip(traces, show(*traces, show=show_), strict=True):
        steps = shown_steps(searched, show_)
        last = len(steps) - 1
        assert shown.walk("Next", last, STEP) == steps
        assert shown.ask(COUNTER) == f"{last} of {last}"
        assert shown.walk("Previous", last, STEP) == steps[::-1]
        assert shown.steps == len(searched), "steps keep their numbers"


def test_the_counter_says_the_last_step_shown_and_any_step_can_be_landed_on(show: Show) -> None:
    (shown,) = show(WORKED, show="values")
    assert shown.ask(COUNTER) == "0 of 29"
    steps = shown_steps(WORKED, "values")
    for step in range(len(WORKED) + 1):
        shown.slide(step)
        assert shown.step == step
        before = [each for each in steps if each <= step]
        assert shown.ask(COUNTER) == f"{len(before) - 1} of 29"


@pytest.mark.parametrize("show_", SHOWS)
def test_a_level_shows_its_letters_and_parts_and_no_empty_rows(show: Show, show_: str) -> None:
    (shown,) = show(WORKED, show=show_)
    expect(shown.root.get_by_label("Show", exact=True)).to_have_value(show_)
    letters = letters_shown(WORKED, show_)
    look = shown.walk("Next", len(shown_steps(WORKED, show_)) - 1, LETTERS)
    assert {tuple(each) for each in look} == {tuple(letters)}
    for part, least in PARTS.items():
        is_shown = SHOWS.index(show_) >= SHOWS.index(least)
        assert shown.root.locator(part).is_visible() == is_shown, part
    heights = {round(height) for _, height in shown.ask(SIZES)}
    assert len(heights) == 1
    assert shown.ask(OVERLAPS) == 0
    assert shown.node("A")["alpha"] and shown.node("A")["bv"], "machines read them at every level"


def test_nodes_are_as_high_as_their_level_needs_and_no_step_lays_out_anew(show: Show) -> None:
    (shown,) = show(WORKED)
    heights = {}
    for show_ in SHOWS:
        choose(shown, show_)
        shown.press("Home")
        places = shown.walk("Next", 12, SIZES)
        assert all(each == places[0] for each in places)
        heights[show_] = places[0][0][1]
    assert heights["values"] < heights["bv"] < heights["bounds"] == heights["all"]


def test_at_the_first_level_a_node_shows_what_it_has_returned(show: Show) -> None:
    (shown,) = show(WORKED, show="values")
    shown.press("End")
    for node in WORKED.tree.nodes:
        state = WORKED[len(WORKED)].nodes[node.name]
        if node.is_leaf or state.state != "done":
            continue
        mark = shown.root.locator(f'[data-node="{node.name}"] .abviz-mark')
        expect(mark).to_have_text(str(state.value).replace("-", "−"))


def test_the_link_comes_before_the_choice_and_the_choice_before_the_author(
    page: Page, show: Show
) -> None:
    (shown,) = show(WORKED, show="bv")
    url = page.url
    assert level(shown) == "bv"
    choose(shown, "all")
    shown.press("c")
    shown.click("Share")
    page.reload()
    (shown,) = steppers(page)
    assert level(shown) == "all", "as the reader has chosen"
    expect(shown.root.get_by_role("alert")).to_be_hidden()

    for hash_, expected in (("#step=4", "all"), ("#step=4&show=values", "values")):
        page.goto("about:blank")
        page.goto(url + hash_)
        (shown,) = steppers(page)
        assert (shown.step, level(shown)) == (4, expected)


def test_a_link_to_no_level_says_which_there_are(page: Page, show: Show) -> None:
    show(WORKED)
    page.goto(f"{page.url}#step=3&show=most")
    (shown,) = steppers(page)
    expect(shown.root.get_by_role("alert")).to_contain_text("values, bv, bounds, all")
    assert level(shown) == "bounds"


def test_practice_rules_and_questions_about_bounds_raise_the_level(show: Show) -> None:
    (shown,) = show(WORKED, show="values")
    shown.press("w")
    assert level(shown) == "bounds"
    shown.press("w")
    assert level(shown) == "values"

    shown.open_more()
    rules = shown.root.get_by_text("Rules", exact=True)
    rules.click()
    expect(shown.root.locator(".abviz-line")).to_be_visible()
    shown.press("Escape")
    expect(shown.root.locator(".abviz-line")).to_be_hidden()

    shown.press("q")
    assert level(shown) == "bounds"
    shown.press("q")
    assert level(shown) == "values"


def test_questions_that_are_not_about_bounds_leave_the_level_and_are_all_asked(show: Show) -> None:
    (shown,) = show(WORKED, show="values", predict=["returned"])
    assert level(shown) == "values"
    asked = set()
    for _ in range(200):
        if shown.step == shown.steps:
            break
        shown.press("ArrowRight")
        kind = shown.root.get_attribute("data-question")
        if kind and not shown.root.locator(".abviz-sentence[data-verdict=asks]").count():
            continue
        if kind:
            asked.add(shown.step + 1)
            assert WORKED.events_at(shown.step + 1), "a question is of the next step"
            shown.root.locator(".abviz-typed").fill("0")
            shown.page.keyboard.press("Enter")
    assert shown.step == shown.steps and len(asked) >= 3


@pytest.mark.parametrize("show_", SHOWS)
def test_a_cut_has_a_letter_only_where_bounds_are_shown(show: Show, show_: str) -> None:
    (shown,) = show(WORKED, show=show_)
    shown.press("End")
    marks = shown.root.locator("[data-edge][data-cut] .abviz-badge")
    skipped = sum(len(cut.skipped) for cut in WORKED.cuts)
    expect(marks).to_have_count(skipped)
    expect(shown.root.locator(".abviz-cutmark:visible")).to_have_count(len(WORKED.cuts))

    letters = {"α" if cut.kind == "alpha" else "β" for cut in WORKED.cuts}
    has_letters = show_ in ("bounds", "all")
    names = {f"{letter}-cut" for letter in letters} if has_letters else set()
    assert {text for text in marks.all_text_contents() if text} == names
    on_slider = shown.root.locator(".abviz-cutmark").all_text_contents()
    assert {text for text in on_slider if text} == (letters if has_letters else set())

    choose(shown, "bounds" if show_ == "values" else "values")
    assert any(marks.all_text_contents()) == (show_ == "values")
    assert any(shown.root.locator(".abviz-cutmark").all_text_contents()) == (show_ == "values")


def test_what_is_opened_or_closed_by_hand_is_remembered(page: Page, show: Show) -> None:
    (shown,) = show(WORKED)
    opened = {".abviz-code": "k", ".abviz-stack": "t"}
    windows = shown.root.locator(".abviz-window")
    for part, key in opened.items():
        shown.press(key)
        expect(shown.root.locator(part)).to_be_visible()
    shown.press("l", "h")
    shown.slide(9)
    count = windows.count()
    assert count > 0

    for url in (page.url, f"{page.url}#step=9"):
        shown = revisit(page, url)
        for part in opened:
            expect(shown.root.locator(part)).to_be_visible()
        expect(shown.root.locator(".abviz-line")).to_be_hidden()
        shown.slide(9)
        expect(shown.root.locator(".abviz-window")).to_have_count(count)

    shown.press("k", "t", "l", "h")
    shown = revisit(page, url)
    expect(shown.root.locator(".abviz-code")).to_be_hidden()
    expect(shown.root.locator(".abviz-line")).to_be_visible()
    expect(shown.root.locator(".abviz-window")).to_have_count(0)


DRAWINGS = """root => {
  window.drawings = 0;
  const count = (changes) => changes.forEach((change) => (drawings += change.addedNodes.length));
  new MutationObserver(count).observe(root.querySelector(".abviz-tree"), { childList: true });
}"""


@pytest.mark.parametrize("show_", SHOWS)
def test_practice_draws_the_tree_once_at_any_level(show: Show, show_: str) -> None:
    (shown,) = show(WORKED, show=show_)
    shown.ask(DRAWINGS)
    for times in (1, 2):
        shown.press("w")
        assert shown.page.evaluate("drawings") == times


@pytest.mark.parametrize("options", [sized(1366, 625)])
def test_it_fits_on_a_laptop_at_a_size_that_can_be_read(show: Show) -> None:
    """In pixels: the values and bounds, and the names of leaves, of the worked example."""
    (shown,) = show(WORKED)
    shown.press("End")
    sizes = """(root, kind) => [...root.querySelectorAll(kind)].map((text) =>
      parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
    for kind, least in ((".abviz-number", 12), (".abviz-value", 12), (".abviz-name", 9)):
        assert min(shown.ask(sizes, kind)) >= least - 0.05, kind
    clipped = "root => (p => p.scrollHeight - p.clientHeight)(root.querySelector('.abviz-tree'))"
    assert shown.ask(clipped) <= 0
    assert shown.ask("root => root.getBoundingClientRect().bottom") <= 625


def test_the_foot_says_what_the_letters_mean_that_are_shown(show: Show) -> None:
    meanings = {
        "values": "",
        "bv": "bv: best so far here",
        "bounds": "α: MAX already has this · β: MIN already has this · bv: best so far here",
        "all": "",
    }
    (shown,) = show(WORKED)
    letters = shown.root.locator(".abviz-letters")
    for level_, text in meanings.items():
        choose(shown, level_)
        expect(letters).to_have_text(text)

    named = trace(Tree([[3, 5], [2, 9]], players=["you", "o"]))
    named, least = show(named, trace(WORKED.tree, search=minimax))
    expect(named.root.locator(".abviz-letters")).to_contain_text(
        "α: you already have this · β: o already has this"
    )
    expect(least.root.locator(".abviz-letters")).to_have_text("bv: best so far here")
