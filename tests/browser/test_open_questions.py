"""While a question is open, nothing on the page reads its answer: where one search cuts and another
goes on, and both are alike so far, their pages are alike, too.
"""

from itertools import count
from random import Random

import pytest
from playwright.sync_api import Page

from abviz import Rules, Tree, load, trace
from abviz.tracing.shows import SHOWS
from abviz.tracing.traces import Trace
from tests.browser.driving import Show, Shown, forget
from tests.questions import questions_before

pytestmark = pytest.mark.browser

# All that can be seen, heard or pointed at, but for how many steps there are, which nobody can
# count, and for the rules and the listing of the code, which write another test.
PERCEIVED = """root => {
  const unlike = ["data-longest", "data-usual", "data-steps", "data-value", "max", "aria-valuetext", "id"];
  const parts = [];
  const walk = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return;
    if (element.matches(".abviz-where, .abviz-code, .abviz-rules")) return;
    const isPlaced = element.matches(".abviz-cutmark, .abviz-counts"); // by the whole search
    const attributes = [...element.attributes].filter(({ name }) =>
      !unlike.includes(name) && !(isPlaced && name === "style"));
    const said = attributes.map(({ name, value }) => `${name}=${value.trim()}`).sort();
    parts.push(`${element.localName} ${said.join(" ")}`);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) parts.push(child.data);
      if (child.nodeType === Node.ELEMENT_NODE) walk(child);
    }
  };
  walk(root);
  const lines = [...root.querySelectorAll(".abviz-code [aria-current], .abviz-code li")];
  return [...parts, lines.findIndex((line) => line.hasAttribute("aria-current"))];
}"""


def grow(random: Random, depth: int) -> object:
    if not depth:
        return random.randint(0, 4)
    return [grow(random, depth - 1) for _ in range(random.choice((2, 2, 3)))]


def worlds(seed: int) -> tuple[Trace, Trace, int]:
    """Return two searches of one tree, of which one cuts at the step where they part."""
    for again in count():
        tree = Tree(grow(Random(100 * seed + again), 3), title="Two worlds")
        one, other = trace(tree), trace(tree, rules=Rules(strict=True))
        steps = range(1, min(len(one), len(other)) + 1)
        parted = next((k for k in steps if one.events_at(k) != other.events_at(k)), 0)
        kinds = [[q.kind for q in questions_before(each, parted)] for each in (one, other)]
        if parted and all("cut" in each for each in kinds):
            assert [one.cut_at(parted) is None, other.cut_at(parted) is None] == [False, True]
            return one, other, parted
    raise AssertionError


def perceived(shown: Shown, step: int) -> list[str]:
    """Ask for the step, and return what can be perceived while the question is open."""
    shown.slide(step - 1)
    shown.press("h", "ArrowRight")
    assert shown.root.get_attribute("data-question") == "cut"
    assert shown.root.locator(".abviz-sentence[data-verdict=asks]").count() == 1
    return list(shown.ask(PERCEIVED))


@pytest.mark.parametrize("seed", range(6))
def test_a_page_where_the_search_cuts_is_like_one_where_it_goes_on(
    page: Page, show: Show, seed: int
) -> None:
    one, other, step = worlds(seed)
    (cuts,) = show(one, predict=["cut"], show="all")
    seen = perceived(cuts, step)
    forget(page)
    (goes_on,) = show(other, predict=["cut"], show="all")
    assert perceived(goes_on, step) == seen
    assert any("its value" in part for part in seen), "of nodes that are done"


@pytest.mark.usefixtures("newcomer")
@pytest.mark.parametrize("show_", SHOWS)
def test_the_newcomers_question_is_answered_neither_by_a_sign_nor_on_paper(
    page: Page, show: Show, show_: str
) -> None:
    (shown,) = show(trace(load("worked-example")), show=show_)
    shown.click("Next cut")
    signs = """root => [...root.querySelectorAll("[data-node]:not([data-state=done])")].map((node) =>
      `${node.querySelector(".abviz-mark")?.textContent ?? ""} ${node.getAttribute("aria-label")}`)"""
    assert not [sign for sign in shown.ask(signs) if sign[0] in "=≤≥" or "its value" in sign]
    assert shown.root.locator(".abviz-zone").count() == 0

    page.emulate_media(media="print")
    says = shown.root.locator(".abviz-says")
    assert says.inner_text().split() == ["?", "Will", "the", "search", "read", "f2?"]
    page.emulate_media(media="screen")


@pytest.mark.parametrize("show_", SHOWS)
def test_a_printed_step_has_the_sentence_of_the_level(page: Page, show: Show, show_: str) -> None:
    (shown,) = show(trace(load("worked-example")), show=show_)
    shown.slide(17)
    said = shown.says
    page.evaluate("""() => { window.print = () => {
      window.printed = document.querySelector(".abviz-paper figcaption").textContent; } }""")
    shown.click("Share")
    shown.root.get_by_role("button", name="Print step").click()
    assert page.evaluate("printed") == f"17. {said}"
