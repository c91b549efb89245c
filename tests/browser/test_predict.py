"""Predict mode: Next waits for an answer, which is judged, reasoned and counted once; and nothing tells it before."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from abviz import Checkers, Rules, Tree, load, minimax, record, trace
from abviz.tracing.narration import sentence
from abviz.tracing.questions import KINDS, Question, questions_before
from abviz.tracing.traces import Trace
from tests.browser.driving import Shown, wait_until
from tests.browser.test_page import read_by_the_parent, seen, truth

pytestmark = pytest.mark.browser
Show = Callable[..., list[Shown]]

ALL = list(KINDS)
SIGNS = {"right": "✓", "wrong": "✗"}


def asked_of(found: Trace, kinds: list[str] = ALL) -> list[Question]:
    return [q for step in range(len(found) + 1) for q in questions_before(found, step) if q.kind in kinds]


def of_kind(found: Trace, kind: str) -> list[Question]:
    return asked_of(found, [kind])


class Now(NamedTuple):
    """What a stepper says of itself, asked for all at once."""

    step: int
    says: str
    verdict: str | None
    question: str | None


NOW = """root => [Number(root.dataset.step), root.querySelector(".abviz-says").textContent,
  root.querySelector(".abviz-told")?.dataset.verdict ?? null, root.dataset.question ?? null]"""


def now(shown: Shown) -> Now:
    return Now(*shown.ask(NOW))


def verdict(shown: Shown) -> str | None:
    return now(shown).verdict


def expect_asked(shown: Shown, question: Question) -> None:
    found = now(shown)
    assert found.verdict == "asks"
    assert found.question == question.kind
    assert found.step == question.step - 1, "the picture stays at the step before"
    assert found.says.startswith(f"? {question.text}")
    for choice in question.choices:
        assert choice in found.says, "who listens hears what there is to choose"


def expect_judged(shown: Shown, question: Question, how: str) -> None:
    found = now(shown)
    assert found.verdict == how
    assert found.says.startswith(f"{SIGNS[how]} {how.capitalize()}")
    assert found.says.endswith(question.reason)
    assert found.step == question.step - 1


def keys_for(question: Question, *, wrong: bool = False) -> list[str]:
    """What somebody presses who knows the answer, or does not."""
    if isinstance(question.right, str):
        number = "−77" if wrong else question.right
        return [*number.replace("−", "-").replace("∞", "inf"), "Enter"]
    if question.kind == "skipped":
        right = {node.name for node in question.right if not isinstance(node, int)}
        chosen = [str(i) for i, node in enumerate(question.nodes, 1) if (node.name in right) != (wrong and i == 1)]
        return [*chosen, "Enter"]
    choices = range(len(question.choices))
    return [str(1 + next(choice for choice in choices if (choice in question.right) != wrong))]


def answer(shown: Shown, question: Question, *, wrong: bool = False) -> None:
    for key in keys_for(question, wrong=wrong):
        shown.page.keyboard.press(key)


def to(shown: Shown, question: Question) -> None:
    """Jump to the step before, and ask for the next."""
    shown.slide(question.step - 1)
    shown.press("ArrowRight")


def score(shown: Shown) -> dict[str, str]:
    texts = shown.ask("root => [...root.querySelectorAll('.abviz-tally')].map(e => [e.dataset.kind, e.textContent])")
    return {kind: text for kind, text in texts if text}


# the way through it


@pytest.mark.parametrize(
    "found",
    [
        trace(load("figure-4.24")),
        trace(load("worked-example"), rules=Rules(strict=True, test_first=True, fail_hard=True, name_by_node=True)),
        trace(load("uneven"), rules=Rules(right_to_left=True)),
        trace(load("worked-example"), search=minimax),
        record(read_by_the_parent, load("figure-4.24")),
    ],
    ids=["figure", "switched", "right to left", "minimax", "recorded"],
)
def test_who_knows_everything_goes_through_by_keys_alone(show: Show, found: Trace) -> None:
    (shown,) = show(found, predict=True)
    asked = asked_of(found)
    shown.focus()
    press = shown.page.keyboard.press
    for step in range(1, len(found) + 1):
        press("ArrowRight")
        for question in questions_before(found, step):
            expect_asked(shown, question)
            answer(shown, question)
            expect_judged(shown, question, "right")
            press("ArrowRight")
        assert now(shown)[:3] == (step, sentence(found, step), None)
    kinds = {question.kind for question in asked}
    totals = {kind: sum(question.kind == kind for question in asked) for kind in kinds}
    assert score(shown) == {kind: f"{total}/{total}" for kind, total in totals.items()}


def test_what_to_do_is_told_until_the_first_question(show: Show) -> None:
    (shown,) = show(trace(load("figure-4.24")), predict=True)
    hint = shown.root.locator(".abviz-answers > .abviz-answer .abviz-hint")
    to_do = "Go on with › or →. Before a step is shown you are asked what it brings: answer with a click or a key."
    assert hint.all_text_contents() == [to_do]
    for _ in range(4):
        shown.press("ArrowRight")
    assert verdict(shown) == "asks" and hint.count() == 0
    shown.press("ArrowLeft")
    assert hint.count() == 0
    shown.click("Start again")
    assert hint.all_text_contents() == [to_do]
    shown.root.get_by_label("show of hands").check()
    assert "the class is asked" in str(hint.text_content())
    shown.click("Predict")
    expect(hint).to_be_hidden()


def test_every_wrong_answer_is_told_so_and_what_would_be_right(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=True)
    wrong = {kind: 0 for kind in ALL}
    for question in [q for q in asked_of(found) if q.step in (4, 5, 6, 8, 17, 18, 20)]:
        at = now(shown)
        if at.step != question.step - 1:
            to(shown, question)
        elif at.verdict != "asks":
            shown.press("ArrowRight")
        expect_asked(shown, question)
        answer(shown, question, wrong=True)
        expect_judged(shown, question, "wrong")
        wrong[question.kind] += 1
        parts = [question.right] if isinstance(question.right, str) else []
        parts += [question.choices[question.right[0]]] if question.kind in ("bound", "cut", "kind") else []  # type: ignore[index]
        assert all(f"right is “{part}”" in now(shown).says for part in parts)
    assert score(shown) == {kind: f"0/{number}" for kind, number in wrong.items()}


@pytest.mark.parametrize("way", ["ArrowRight", "Next", "Play"])
def test_what_is_locked_stays_locked_until_it_is_answered(show: Show, page: Page, way: str) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut"], step=15)
    question = of_kind(found, "cut")[2]
    assert question.step == 17
    if way == "Play":
        shown.root.get_by_label("Speed").select_option("4")
        shown.click("Play")
        expect(shown.root).to_have_attribute("data-question", "cut")
        expect(shown.button("Play")).to_be_visible()  # and it plays no longer
    elif way == "Next":
        shown.click("Next")
        shown.click("Next")
    else:
        shown.press("ArrowRight", "ArrowRight")
    expect_asked(shown, question)
    before = shown.dom()
    shown.press("ArrowRight", " ", "ArrowRight", "Enter", "0", "4", "9")
    shown.button("Next").click(force=True)
    shown.button("Play").click(force=True)
    page.wait_for_timeout(400)
    assert shown.dom() == before
    expect(shown.button("Next")).to_have_attribute("aria-disabled", "true")
    shown.press("1")
    expect(shown.button("Next")).to_have_attribute("aria-disabled", "false")
    shown.press("Enter")
    assert shown.step == 17 and verdict(shown) is None


@pytest.mark.usefixtures("alone")
def test_play_goes_on_after_the_answer(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    found = trace(load("deep-cut"))
    (shown,) = show(found, predict=["kind"])
    (question,) = of_kind(found, "kind")
    shown.root.get_by_label("Speed").select_option("4")
    shown.press(" ")
    page.clock.run_for(300 * len(found))
    expect_asked(shown, question)
    answer(shown, question)
    shown.press(" ")
    page.clock.run_for(300 * len(found))
    assert shown.step == len(found)


def test_off_it_is_as_if_there_were_no_questions(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found)
    expect(shown.root.locator(".abviz-predict")).to_be_hidden()
    expect(shown.button("Predict")).to_have_attribute("aria-pressed", "false")
    for step, look in enumerate(shown.walk("Next", len(found))):
        assert seen(look) == truth(found, step)


def test_it_is_turned_on_and_off_in_the_bar_and_by_its_key(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found)
    shown.press("p")
    expect(shown.button("Predict")).to_have_attribute("aria-pressed", "true")
    to(shown, asked_of(found)[0])
    expect_asked(shown, asked_of(found)[0])
    shown.press("Escape")
    shown.press("p")
    assert now(shown)[1:3] == (sentence(found, 3), None)
    expect(shown.root.locator(".abviz-predict")).to_be_hidden()
    shown.press("ArrowRight")
    assert seen(shown.look()) == truth(found, 4)
    shown.click("Predict")
    shown.press("ArrowRight")
    assert verdict(shown) == "asks"


def test_a_tree_without_questions_has_nothing_to_turn_on(show: Show) -> None:
    (shown,) = show(trace(Tree(3)), predict=True)
    expect(shown.button("Predict")).to_have_attribute("aria-disabled", "true")
    shown.press("p", "ArrowRight")
    assert shown.step == 1 and verdict(shown) is None


# the kinds


def test_only_the_kinds_that_are_chosen_are_asked(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=("returned", "kind"))
    boxes = {str(box.get_attribute("aria-label")): box for box in shown.root.get_by_role("checkbox").all()}
    assert list(boxes) == [*KINDS.values(), "show of hands"]
    assert [name for name, box in boxes.items() if box.is_checked()] == ["kind of cut", "returned"]
    boxes["returned"].uncheck()
    steps = []
    shown.focus()
    for _ in range(100):
        shown.page.keyboard.press("ArrowRight")
        at = now(shown)
        if at.verdict == "asks":
            steps.append(at.step + 1)
            shown.page.keyboard.press("1")
    assert steps == [question.step for question in of_kind(found, "kind")]
    assert shown.step == len(found)


def test_each_search_offers_the_kinds_that_it_has(show: Show) -> None:
    tree = load("worked-example")
    for found in (trace(tree, search=minimax), record(read_by_the_parent, tree)):
        (shown,) = show(found, predict=True)
        names = [box.get_attribute("aria-label") for box in shown.root.get_by_role("checkbox").all()]
        assert names == [*(KINDS[kind] for kind in KINDS if of_kind(found, kind)), "show of hands"]


def test_without_any_kind_it_is_off_and_next_time_all_are_back(show: Show) -> None:
    (shown,) = show(trace(load("figure-4.24")), predict=["bv"])
    shown.root.get_by_role("checkbox", name="bv").click()
    expect(shown.root.locator(".abviz-predict")).to_be_hidden()
    assert shown.ask("root => root === document.activeElement")
    shown.press("p")
    assert all(box.is_checked() for box in shown.root.get_by_role("checkbox").all()[:-1])


def test_a_question_goes_when_its_kind_is_no_longer_asked(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut", "kind"], step=16)
    shown.press("ArrowRight")
    shown.root.get_by_role("checkbox", name="cut or go on").uncheck()
    assert verdict(shown) is None and shown.says == sentence(found, 16)
    shown.press("ArrowRight")
    expect_asked(shown, of_kind(found, "kind")[0])


# the score


def test_an_answer_counts_once_and_is_kept(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["bv"])
    first, second, *_ = of_kind(found, "bv")
    to(shown, first)
    answer(shown, first, wrong=True)
    assert score(shown) == {"bv": "0/1"}
    shown.press("ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight")
    assert (shown.step, verdict(shown)) == (first.step + 1, None), "what has been answered is not asked again"
    to(shown, second)
    answer(shown, second)
    assert score(shown) == {"bv": "1/2"}
    shown.press("End", "Home", "p", "p", "f")
    assert score(shown) == {"bv": "1/2"}


def test_what_was_jumped_past_does_not_count_and_neither_does_what_has_been_seen(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["bv"])
    shown.press("End", "Home")
    assert score(shown) == {}
    first = of_kind(found, "bv")[0]
    to(shown, first)
    expect_asked(shown, first)
    answer(shown, first)
    expect_judged(shown, first, "right")
    answers = shown.root.get_by_role("group", name="Answer", exact=True)
    expect(answers).to_contain_text("Not counted")
    assert score(shown) == {}
    shown.click("Start again")
    assert shown.step == 0
    to(shown, first)
    answer(shown, first)
    assert score(shown) == {"bv": "1/1"}
    expect(answers).to_have_text("3 ✓")


def test_who_looks_with_the_mode_off_has_seen_it_too(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["bv"])
    first, second, *_ = of_kind(found, "bv")
    to(shown, first)
    answer(shown, first)
    shown.press("p", "End", "p")
    to(shown, second)
    answer(shown, second)
    assert score(shown) == {"bv": "1/1"}


def test_a_question_left_open_is_neither_right_nor_wrong(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut"])
    question = of_kind(found, "cut")[0]
    for leave in ("ArrowLeft", "Home"):
        to(shown, question)
        shown.press(leave)
        assert verdict(shown) is None and score(shown) == {}
        assert shown.says == sentence(found, shown.step)
    to(shown, question)
    shown.click("Last")
    assert shown.step == len(found) and score(shown) == {}


# answers


@pytest.mark.parametrize(
    ("tree", "text", "how"),
    [
        (Tree([3, 5]), "3.0", "right"),
        (Tree([3, 5]), " +3 ", "right"),
        (Tree([3, 5]), "−3", "wrong"),
        (Tree([-3, 5]), "−3", "right"),
        (Tree([-3, 5]), "-3", "right"),
        (Tree([0.5, 5]), "0,5", "right"),
        (Tree([0.5, 5]), ".5", "right"),
        (Tree([float("inf"), 5]), "∞", "right"),
        (Tree([float("inf"), 5]), "+inf", "right"),
        (Tree([float("-inf"), 5]), "−∞", "right"),
        (Tree([float("-inf"), 5]), "-Infinity", "right"),
        (Tree([float("-inf"), 5]), "inf", "wrong"),
    ],
)
def test_a_number_may_be_written_in_many_ways(show: Show, tree: Tree, text: str, how: str) -> None:
    found = trace(tree)
    (shown,) = show(found, predict=["bv"])
    question = of_kind(found, "bv")[0]
    to(shown, question)
    shown.root.get_by_role("textbox").fill(text)
    shown.click("Answer")
    expect_judged(shown, question, how)


@pytest.mark.parametrize("text", ["", "abc", "1_0", "3 5", "0x3", "--3", "e", "<b>3</b>"])
def test_what_is_no_number_is_no_answer(show: Show, text: str) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["bv"])
    question = of_kind(found, "bv")[0]
    to(shown, question)
    shown.root.get_by_role("textbox").fill(text)
    shown.page.keyboard.press("Enter")
    assert verdict(shown) == "asks" and score(shown) == {}
    assert "is no number" in shown.says and question.text in shown.says
    shown.root.get_by_role("textbox").fill("")
    answer(shown, question)
    expect_judged(shown, question, "right")


def test_of_a_tie_either_answer_is_right(show: Show) -> None:
    found = trace(Tree([[3, 3], 4]))
    (tie,) = [question for question in of_kind(found, "bound") if len(question.right) == 2]
    for choice in tie.right:
        (shown,) = show(found, predict=["bound"])
        to(shown, tie)
        shown.button(tie.choices[choice]).click()  # type: ignore[index]
        expect_judged(shown, tie, "right")
        marks = shown.root.locator(".abviz-answers > .abviz-answer b").all_text_contents()
        assert marks == [" ✓", " ✓"], "both are marked, whichever was chosen"


def pick(shown: Shown, name: str) -> None:
    shown.root.locator(f'[data-node="{name}"]').click()


def test_nodes_are_clicked_in_the_picture_or_chosen_beside_it(show: Show) -> None:
    found = trace(load("figure-4.24"))
    question = of_kind(found, "skipped")[1]
    assert [node.name for node in question.nodes] == ["K", "L", "H"]
    (shown,) = show(found, predict=["skipped"])
    picked = shown.root.locator(".abviz-picked")
    to(shown, question)
    for name in ("L", "H", "K"):
        pick(shown, name)
    expect(picked).to_have_count(3)
    for name in ("A", "M", "G"):  # of these it is not asked
        pick(shown, name)
    expect(picked).to_have_count(3)
    pick(shown, "H")
    shown.button("K").click()
    expect(picked).to_have_count(1)
    expect(shown.button("L")).to_have_attribute("aria-pressed", "true")
    shown.click("Answer")
    expect_judged(shown, question, "right")
    expect(picked).to_have_count(0)


def test_a_click_below_a_node_means_that_node(show: Show) -> None:
    found = trace(load("worked-example"))
    question = of_kind(found, "skipped")[1]
    assert [node.name for node in question.right if not isinstance(node, int)] == ["H"]
    (shown,) = show(found, predict=["skipped"])
    to(shown, question)
    pick(shown, "h2")
    expect(shown.root.locator(".abviz-picked")).to_have_attribute("data-node", "H")
    shown.press("Enter")
    expect_judged(shown, question, "right")


def test_in_a_game_a_click_chooses_and_keeps_no_board(show: Show) -> None:
    found = trace(Checkers.start(), depth=3)
    question = of_kind(found, "skipped")[0]
    (shown,) = show(found, predict=["skipped"])
    to(shown, question)
    right = [node for node in question.right if not isinstance(node, int)]
    for node in right:
        pick(shown, node.name)
    expect(shown.root.locator(".abviz-picked")).to_have_count(len(right))
    expect(shown.root.locator(".abviz-kept")).to_have_count(0)
    shown.press("Enter")
    expect_judged(shown, question, "right")
    pick(shown, right[0].name)
    expect(shown.root.locator(".abviz-kept")).to_have_count(1)


# nothing is told before


BESIDE = """root => {
  const isSeen = (mark) => mark.checkVisibility({ visibilityProperty: true }) && mark.getBoundingClientRect().width > 0;
  return [probe.look(root), {
    line: root.querySelector(".abviz-line").getAttribute("aria-label"),
    zones: root.querySelectorAll(".abviz-zone").length,
    names: [...root.querySelectorAll("[data-node]")].map((node) => node.getAttribute("aria-label") ?? ""),
    cutmarks: [...root.querySelectorAll(".abviz-cutmark")].filter(isSeen).length,
  }];
}"""


def test_while_it_is_asked_all_is_as_it_was_a_step_before(show: Show) -> None:
    """And less: what is proven of the nodes under way, and where bv falls, would tell."""
    found = trace(load("worked-example"))
    (shown,) = show(found, predict=True)
    shown.focus()
    for step in range(1, len(found) + 1):
        shown.page.keyboard.press("ArrowRight")
        for question in questions_before(found, step):
            look, beside = shown.ask(BESIDE)
            look, before = seen(look), truth(found, step - 1)
            for each in before["nodes"]:
                each[6] = each[6] if each[4] == "done" else ""
            assert {**look, "says": ""} == {**before, "says": ""}
            if question.kind in ("bound", "cut", "kind", "skipped"):
                assert "falls" not in beside["line"] and beside["zones"] == 0
            assert len(beside["names"]) == len(found.tree)
            assert not [name for name in beside["names"] if "its value" in name and not name.endswith("done")]
            assert beside["cutmarks"] == sum(cut.step < step for cut in found.cuts)
            answer(shown, question)
            shown.page.keyboard.press("ArrowRight")


def test_bv_on_the_number_line_does_not_tell_what_is_asked_two_steps_later(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut"], step=14)
    shown.press("ArrowRight")
    assert found.events_at(15)[0].kind == "bv" and found.cut_at(17)
    zones = shown.root.locator(".abviz-zone")
    expect(zones).to_have_count(0)
    shown.press("ArrowRight", "ArrowRight", "1", "ArrowRight")
    assert shown.step == 17
    expect(zones).to_have_count(3)


def test_in_a_game_what_is_folded_does_not_tell_what_will_be_cut(show: Show) -> None:
    found = trace(Checkers.start(), depth=3)
    (shown,) = show(found, predict=["skipped"])
    to(shown, of_kind(found, "skipped")[0])
    texts = shown.ask(
        "root => [...root.querySelectorAll('[data-node][data-state=waiting] > rect')]"
        ".map(({parentElement: g}) => [g.querySelector('text').textContent, g.getAttribute('aria-label')])"
    )
    assert len(texts) > 50
    assert {text for text, _ in texts} == {"…"} and not [label for _, label in texts if "folded" in label]


# how it looks


def sized(width: int, height: int = 900) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": height}}


@pytest.mark.parametrize("options", [sized(1200), sized(700), sized(360)], ids=["wide", "middling", "narrow"])
@pytest.mark.parametrize("hands", [False, True], ids=["alone", "hands"])
def test_nothing_moves_when_a_question_comes_or_is_answered(show: Show, hands: bool) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=True, show_of_hands=hands)
    width = shown.page.viewport_size["width"]  # type: ignore[index]
    places = [shown.places()]

    def looked() -> Now:
        said, place, wide = shown.ask(
            f"root => [({NOW})(root), probe.places(root), document.documentElement.scrollWidth]"
        )
        places.append(place)
        assert wide <= width
        return Now(*said)

    shown.focus()
    for _ in range(3 * len(asked_of(found)) + len(found)):
        shown.page.keyboard.press("ArrowRight")
        at = looked()
        if at.verdict == "asks" and not hands:
            question = next(q for q in questions_before(found, at.step + 1) if at.says.startswith(f"? {q.text}"))
            answer(shown, question, wrong=len(places) % 2 == 0)
            looked()
        if at.step == len(found):
            break
    assert shown.step == len(found)
    assert [step for step, (one, other) in enumerate(pairwise(places)) if one != other] == []


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=["light", "dark"])
def test_every_text_of_it_can_be_read(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=True, step=15)
    shown.focus()
    press = shown.page.keyboard.press
    for keys in (["ArrowRight"], ["1"], ["ArrowRight", "ArrowRight"], ["1"], ["ArrowRight"], ["ArrowRight"], ["2"]):
        for key in keys:
            press(key)
        assert shown.ask("root => probe.faint(root, 4.5)") == []


def test_right_and_wrong_are_told_by_words_and_signs(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut"], step=16)
    shown.press("ArrowRight", "2")
    choices = shown.root.locator(".abviz-answers > .abviz-answer .abviz-choice")
    assert [text.strip()[-1] for text in choices.all_text_contents()] == ["✓", "✗", "t"]
    assert shown.says.startswith("✗ Wrong; right is “cut”. ")


# keys and readers


def test_one_live_region_tells_the_question_and_then_the_verdict(show: Show, page: Page) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut"], step=16)
    assert [region.get_attribute("class") for region in shown.live_regions()] == ["abviz-says"]
    page.evaluate(
        """() => {
          window.told = [];
          const says = document.querySelector(".abviz-says");
          const tell = () => window.told.push(says.textContent);
          new MutationObserver(tell).observe(says, { childList: true, subtree: true });
        }"""
    )
    shown.press("ArrowRight", "1", "ArrowRight")
    question = next(q for q in of_kind(found, "cut") if q.step == 17)
    listed = "1: cut; 2: go on with the next child; 3: return: no child is left."
    assert page.evaluate("told") == [f"? {question.text} {listed}", f"✓ Right. {question.reason}", sentence(found, 17)]


def test_every_answer_is_a_button_with_a_name_or_a_labelled_place_to_type(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut", "skipped", "bv"], step=16)
    shown.press("ArrowRight")
    answers = shown.root.get_by_role("group", name="Answer", exact=True)
    names = ["cut", "go on with the next child", "return: no child is left"]
    for name in names:
        expect(answers.get_by_role("button", name=name, exact=True)).to_be_visible()
    shown.button(names[1]).focus()
    shown.page.keyboard.press("Enter")
    assert verdict(shown) == "wrong"
    assert shown.ask("root => document.activeElement.textContent.includes('go on')"), "the focus stays"
    shown.page.keyboard.press("Enter")
    assert verdict(shown) == "asks" and shown.root.get_attribute("data-question") == "skipped"
    assert shown.ask("root => root === document.activeElement"), "the button is gone, the keys are ours"
    shown.press("2", "Enter", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(shown.root.get_by_role("textbox", name="Your answer, a number; ∞ is inf")).to_be_focused()


def test_escape_leaves_the_number_then_the_stepper(show: Show, page: Page) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["bv"])
    to(shown, of_kind(found, "bv")[0])
    expect(shown.root.get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    assert shown.ask("root => root === document.activeElement")
    page.keyboard.press("3")
    expect(shown.root.get_by_role("textbox")).to_have_value("3")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    assert shown.step == 2
    page.keyboard.press("Escape")
    assert not shown.ask("root => root.contains(document.activeElement)")


def test_no_key_of_a_question_leaks_to_the_page(show: Show, page: Page) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=True, step=16)
    page.evaluate("window.heard = []; window.addEventListener('keydown', (event) => heard.push(event.key)); 0")
    shown.press("ArrowRight")
    for key in ["d", "d", "x", "0", "5", "1", "Enter", "1", "ArrowRight", "2", " ", "Enter", "ArrowRight"]:
        page.keyboard.press(key)
    shown.slide(18)
    shown.press("ArrowRight")
    expect(shown.root.get_by_role("textbox")).to_be_focused()
    for key in ["0", "d", "ArrowLeft", "Home", "Delete", "Enter"]:
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    page.keyboard.press("Control+s")
    assert page.evaluate("heard").count("s") == 1


def test_the_focus_is_not_taken_from_elsewhere(show: Show, page: Page) -> None:
    found = trace(load("figure-4.24"))
    first, second = show(found, trace(load("deep-cut")), predict=["bv"], step=2)
    first.root.get_by_label("Speed").select_option("4")
    first.click("Play")
    second.root.focus()
    expect(first.root).to_have_attribute("data-question", "bv")
    assert second.root.evaluate("root => root === document.activeElement")


# a show of hands


def test_a_show_of_hands_shows_the_answer_at_a_key_and_counts_nothing(show: Show) -> None:
    found = trace(load("figure-4.24"))
    (shown,) = show(found, predict=["cut", "returned"], show_of_hands=True, step=16)
    cut = next(q for q in of_kind(found, "cut") if q.step == 17)
    returned = next(q for q in of_kind(found, "returned") if q.step == 18)
    for key in ("ArrowRight", "Enter", " "):  # what a presenter's remote sends, or a hand on the keyboard
        shown.slide(16)
        shown.press("ArrowRight")
        expect_asked(shown, cut)
        shown.press("1", "2")
        expect_asked(shown, cut)  # nobody answers for the class
        assert not [button for button in ("cut", *cut.choices[1:]) if shown.button(button).count()]
        shown.press(key)
        assert verdict(shown) == "right" and shown.says == f"✓ Answer: cut. {cut.reason}"
        shown.press("ArrowRight")
        assert shown.step == 17
    shown.press("ArrowRight")
    expect_asked(shown, returned)
    expect(shown.root.get_by_role("textbox")).to_have_count(0)
    shown.click("Show the answer")
    assert shown.says == f"✓ Answer: 0. {returned.reason}"
    shown.click("Next")
    assert shown.step == 18 and score(shown) == {}


@pytest.mark.parametrize("options", [sized(1280, 720), sized(1920, 1080)], ids=["720", "1080"])
def test_a_show_of_hands_is_large_and_leaves_the_tree_in_sight(show: Show, page: Page) -> None:
    found = trace(load("figure-4.24"))
    size = "parseFloat(getComputedStyle(document.querySelector('.abviz-says')).fontSize)"
    (shown,) = show(found, predict=["cut"], step=16)
    small = page.evaluate(size)
    shown.root.get_by_role("checkbox", name="show of hands").check()
    assert page.evaluate(size) >= 1.35 * small
    shown.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    shown.press("ArrowRight")
    assert page.evaluate(size) >= 22
    assert shown.ask("root => probe.offScreen(root)") == []
