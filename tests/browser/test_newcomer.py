"""The question before the first cut, which each browser asks its reader once."""

import pytest
from playwright.sync_api import Page, expect

from abviz import load, minimax, trace
from abviz.tracing.narration import narrate
from abviz.tracing.shows import SHOWS
from tests.browser.driving import Show, Shown, sized, steppers

WORKED = trace(load("worked-example"))
CUT = WORKED.cuts[0]
SKIPPED = CUT.skipped[0]
QUESTION = f"Will the search read {SKIPPED}?"
WHY_YES = (
    "f2 could only make F larger than 7. MIN does better with E, which is worth 6. Press Next."
)
WHY_NO = "F is 7 or more, whatever f2 is. MIN does better with E, which is worth 6. Press Next."
ANSWERS = ("Yes", "No", "Just show me")
FORBIDDEN = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("forbidden", "SecurityError"); },
})"""
HEIGHTS = """root => [".abviz-sentence", ".abviz-tree"].map((part) =>
  root.querySelector(part).getBoundingClientRect().height)"""

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("newcomer")]


def go_on(shown: Shown, until: int = CUT.step) -> bool:
    """Press Next up to the step; return whether the page asks on the way, and stop there."""
    shown.focus()
    while shown.step < until:
        shown.page.keyboard.press("ArrowRight")
        if shown.root.get_attribute("data-question"):
            return True
    return False


def answers(shown: Shown) -> list[str]:
    """Return the answers that are seen, by their accessible names."""
    return [name for name in ANSWERS if shown.button(name).is_visible()]


@pytest.mark.parametrize("show_", SHOWS)
def test_the_page_asks_once_at_every_level(page: Page, show: Show, show_: str) -> None:
    (shown, other) = show(WORKED, WORKED, show=show_)
    assert answers(shown) == []
    assert go_on(shown)
    assert shown.says.startswith(f"? {QUESTION}") and all(each in shown.says for each in ANSWERS)
    assert answers(shown) == list(ANSWERS)
    assert shown.step == CUT.step - 1

    page.keyboard.press("1")
    expect(shown.root.locator(".abviz-sentence")).to_have_attribute("data-verdict", "wrong")
    assert answers(shown) == []
    page.keyboard.press("ArrowRight")
    assert (shown.step, shown.says) == (CUT.step, narrate(WORKED, CUT.step, show_))

    assert not go_on(other), "nor does another tree ask"
    page.reload()
    assert not any(go_on(each) for each in steppers(page))


@pytest.mark.parametrize("show_", SHOWS)
def test_next_cut_asks_before_the_first_cut_and_then_goes_on(show: Show, show_: str) -> None:
    (shown,) = show(WORKED, show=show_)
    assert shown.says.endswith("Press Next. Or press Next cut to answer a question.")
    shown.click("Next cut")
    assert shown.step == CUT.step - 1 and shown.says.startswith(f"? {QUESTION}")
    assert answers(shown) == list(ANSWERS)
    shown.press("1")
    assert shown.says == f"✗ Not right: it’s “No”. {WHY_YES}"
    shown.press("c")
    assert (shown.step, shown.says) == (CUT.step, narrate(WORKED, CUT.step, show_))
    shown.press("c")
    assert shown.step == WORKED.cuts[1].step
    shown.press("Home")
    assert shown.says == narrate(WORKED, 0, show_), "who has been asked is not invited again"
    shown.press("c")
    assert shown.step == CUT.step


@pytest.mark.parametrize("key", ["ArrowRight", "3", "c"])
def test_a_key_goes_on_without_an_answer(page: Page, show: Show, key: str) -> None:
    (shown,) = show(WORKED)
    assert go_on(shown)
    page.keyboard.press(key)
    assert (shown.step, shown.says) == (CUT.step, narrate(WORKED, CUT.step))


def test_the_answers_are_buttons_which_hand_the_keyboard_back(page: Page, show: Show) -> None:
    (shown,) = show(WORKED)
    assert go_on(shown)
    shown.button("No").focus()
    page.keyboard.press("Enter")
    expect(shown.root.locator(".abviz-sentence")).to_have_attribute("data-verdict", "right")
    expect(shown.root).to_be_focused()
    page.keyboard.press("Enter")
    assert (shown.step, shown.says) == (CUT.step, narrate(WORKED, CUT.step))


def test_a_click_answers_and_play_stops_to_ask(page: Page, show: Show) -> None:
    (shown,) = show(WORKED, step=0)
    page.clock.install()
    shown.click("Play")
    page.clock.run_for(60_000)
    assert shown.step == CUT.step - 1 and shown.says.startswith(f"? {QUESTION}")
    expect(shown.button("Play")).to_be_visible()
    shown.click("Just show me")
    assert shown.step == CUT.step


@pytest.mark.parametrize("options", [{"reduced_motion": "no-preference"}])
def test_just_show_me_moves_the_picture_as_next_does(show: Show) -> None:
    (shown,) = show(WORKED)
    assert go_on(shown)
    moves = "root => (root.getAnimations({ subtree: true }).length > 0)"
    click = """(root, name) => {
      const buttons = [...root.querySelectorAll(".abviz-choice")];
      buttons.find((button) => button.textContent.includes(name)).click();
    }"""
    shown.ask(click, "Just show me")
    assert shown.ask(moves)


def test_a_screen_reader_hears_the_question_once(show: Show) -> None:
    (shown,) = show(WORKED)
    shown.slide(CUT.step - 1)
    spoken = shown.record_speech()
    assert go_on(shown)
    shown.page.keyboard.press("2")
    heard = spoken()
    assert sum(QUESTION in text for text in heard) == 1
    assert heard[-1] == f"✓ Right. {WHY_NO}"


@pytest.mark.parametrize("options", [sized(1366, 625), sized(390, 844), sized(360, 780)])
@pytest.mark.parametrize("show_", ["values", "bounds"])
def test_the_question_moves_nothing(page: Page, show: Show, show_: str) -> None:
    (shown,) = show(WORKED, show=show_)
    before = shown.ask(HEIGHTS)
    assert go_on(shown)
    assert shown.ask(HEIGHTS) == before
    for key in ("1", "ArrowRight"):
        page.keyboard.press(key)
        assert shown.ask(HEIGHTS) == before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


IN_SIGHT = """async (root, names) => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const pane = root.querySelector(".abviz-tree").getBoundingClientRect();
  return names.filter((name) => {
    const box = root.querySelector(`[data-node="${name}"]`).getBoundingClientRect();
    return box.left >= pane.left - 2 && box.right <= pane.right + 2;
  });
}"""


@pytest.mark.parametrize("options", [sized(390, 844)], ids=["phone"])
@pytest.mark.parametrize("is_full", [False, True])
def test_what_the_question_compares_is_in_sight(show: Show, is_full: bool) -> None:
    (shown,) = show(WORKED)
    if is_full:
        shown.press("f")
    compared = [CUT.at, CUT.via, SKIPPED]
    go_on(shown, CUT.step - 1)
    shown.ask("root => { root.querySelector('.abviz-tree').scrollLeft = 40; }")
    assert go_on(shown)
    assert shown.ask(IN_SIGHT, compared) == compared
    shown.press("1")
    assert shown.ask(IN_SIGHT, compared) == compared


@pytest.mark.parametrize("key", ["q", "w", "e"])
def test_in_a_mode_nothing_is_asked_but_by_predict_mode(show: Show, key: str) -> None:
    (shown,) = show(WORKED)
    shown.slide(CUT.step - 1)
    shown.press(key, "ArrowRight")
    assert QUESTION not in shown.says


def test_a_link_to_a_later_step_another_search_and_paper_do_not_ask(page: Page, show: Show) -> None:
    (shown, all_) = show(WORKED, trace(load("worked-example"), search=minimax))
    assert not go_on(all_, all_.steps)
    assert go_on(shown)
    page.emulate_media(media="print")
    expect(shown.root.get_by_role("group", name="Answer", exact=True)).to_be_hidden()
    page.emulate_media(media="screen")

    url = page.url
    page.evaluate("localStorage.removeItem('abviz habits')")
    page.goto("about:blank")
    page.goto(f"{url}#step=4")
    assert not go_on(steppers(page)[0])
    page.goto("about:blank")
    page.goto(url)
    assert go_on(steppers(page)[0]), "who has not been asked yet"


def test_where_nothing_can_be_stored_a_page_asks_once(page: Page, show: Show) -> None:
    page.add_init_script(FORBIDDEN)
    for _ in range(2):
        (shown, other) = show(WORKED, WORKED)
        assert go_on(shown)
        shown.press("Home")
        assert not go_on(shown) and not go_on(other)
