"""Predict mode: Next waits for an answer, which is judged, explained and counted once; nothing
reveals it before.
"""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from abviz import Checkers, Rules, Tree, load, minimax, record, trace
from abviz.tracing.narration import narrate
from abviz.tracing.templates import KINDS
from abviz.tracing.traces import Trace
from tests.browser.driving import Show, Shown, sized, wait_until
from tests.browser.test_page import read_by_the_parent, seen, truth
from tests.questions import Question, questions_before

pytestmark = pytest.mark.browser

FIGURE = trace(load("figure-4.24"))


def questions(searched: Trace, *kinds: str) -> list[Question]:
    every = [
        question
        for step in range(len(searched) + 1)
        for question in questions_before(searched, step)
    ]
    return [question for question in every if question.kind in kinds or not kinds]


class Now(NamedTuple):
    """What a stepper says of itself, read in one call."""

    step: int
    says: str
    verdict: str | None
    question: str | None


NOW = """root => [Number(root.dataset.step), root.querySelector(".abviz-says").textContent,
  root.querySelector(".abviz-sentence")?.dataset.verdict ?? null, root.dataset.question ?? null]"""


def now(stepper: Shown) -> Now:
    return Now(*stepper.ask(NOW))


def verdict(stepper: Shown) -> str | None:
    return now(stepper).verdict


def expect_asked(stepper: Shown, question: Question) -> None:
    at = now(stepper)
    assert (at.verdict, at.question) == ("asks", question.kind)
    assert at.step == question.step - 1, "the picture stays at the step before"
    assert at.says.startswith(f"? {question.text}")
    assert all(choice in at.says for choice in question.choices), "a listener hears the choices"


def expect_judged(stepper: Shown, question: Question, how: str, chosen: int | None = None) -> None:
    at = now(stepper)
    assert at.verdict == how
    assert at.says.startswith({"right": "✓ Right.", "wrong": "✗ Not right: it’s “"}[how])
    assert at.says.endswith(question.reason(chosen))
    assert at.step == question.step - 1


def answer(stepper: Shown, question: Question, *, wrong: bool = False) -> int | None:
    """Type the right answer, or a wrong one, and return the choice if it is one."""
    choice = None
    if isinstance(question.right, str):
        keys = [
            *("−77" if wrong else question.right).replace("−", "-").replace("∞", "inf"),
            "Enter",
        ]
    elif question.kind == "skipped":
        right = {node.name for node in question.right if not isinstance(node, int)}
        chosen = [
            str(i)
            for i, node in enumerate(question.nodes, 1)
            if (node.name in right) != (wrong and i == 1)
        ]
        keys = [*chosen, "Enter"]
    else:
        choice = next(i for i in range(len(question.choices)) if (i in question.right) != wrong)
        keys = [str(choice + 1)]
    for key in keys:
        stepper.page.keyboard.press(key)
    return choice


def to(stepper: Shown, question: Question) -> None:
    """Jump to the step before the question, and ask for the next step."""
    stepper.slide(question.step - 1)
    stepper.press("ArrowRight")


def score(stepper: Shown) -> dict[str, str]:
    texts = stepper.ask(
        "root => [...root.querySelectorAll('.abviz-tally')].map(e => [e.dataset.kind, e.textContent])"
    )
    return {kind: text for kind, text in texts if text}


def pick(stepper: Shown, name: str) -> None:
    stepper.root.locator(f'[data-node="{name}"]').click()


DETAILS = """root => {
  const isSeen = (mark) => mark.checkVisibility({ visibilityProperty: true }) && mark.getBoundingClientRect().width > 0;
  return [probe.look(root), {
    line: root.querySelector(".abviz-line").getAttribute("aria-label"),
    zones: root.querySelectorAll(".abviz-zone").length,
    names: [...root.querySelectorAll("[data-node]")].map((node) => node.getAttribute("aria-label") ?? ""),
    cutmarks: [...root.querySelectorAll(".abviz-cutmark")].filter(isSeen).length,
  }];
}"""


def expect_nothing_revealed(stepper: Shown, searched: Trace, question: Question) -> None:
    """All is as it was a step before, less what is proven of nodes under way and where bv falls:
    these would tell.
    """
    look, details = stepper.ask(DETAILS)
    before = truth(searched, question.step - 1)
    for node in before["nodes"]:
        node[6] = node[6] if node[4] == "done" else ""
    assert {**seen(look), "says": ""} == {**before, "says": ""}
    if question.kind in ("bound", "cut", "kind", "skipped"):
        assert "falls" not in details["line"] and details["zones"] == 0
    assert len(details["names"]) == len(searched.tree)
    assert not [
        name for name in details["names"] if "its value" in name and not name.endswith("done")
    ]
    assert details["cutmarks"] == sum(cut.step < question.step for cut in searched.cuts)


# questions and answers


@pytest.mark.parametrize(
    "searched",
    [
        FIGURE,
        pytest.param(
            trace(
                load("worked-example"),
                rules=Rules(strict=True, test_first=True, fail_hard=True, name_by_node=True),
            ),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            trace(load("uneven"), rules=Rules(right_to_left=True)), marks=pytest.mark.slow
        ),
        pytest.param(trace(load("worked-example"), search=minimax), marks=pytest.mark.slow),
        record(read_by_the_parent, load("figure-4.24")),
    ],
    ids=["figure", "switched", "right to left", "minimax", "recorded"],
)
def test_every_question_is_answered_by_keys_and_nothing_reveals_the_answer(
    show: Show, searched: Trace
) -> None:
    (stepper,) = show(searched, predict=True)
    stepper.focus()
    press = stepper.page.keyboard.press
    for step in range(1, len(searched) + 1):
        press("ArrowRight")
        for question in questions_before(searched, step):
            expect_asked(stepper, question)
            expect_nothing_revealed(stepper, searched, question)
            chosen = answer(stepper, question)
            expect_judged(stepper, question, "right", chosen)
            press("ArrowRight")
        assert now(stepper)[:3] == (step, narrate(searched, step), None)
    totals = Counter(question.kind for question in questions(searched))
    assert score(stepper) == {kind: f"{total}/{total}" for kind, total in totals.items()}
    stepper.open_more()
    boxes = [box.get_attribute("aria-label") for box in stepper.root.get_by_role("checkbox").all()]
    assert {*(KINDS[kind] for kind in totals), "show of hands"} <= {*boxes}, (
        "all that is asked can be switched"
    )


def test_a_wrong_answer_is_marked_in_words_and_signs_with_the_right_one(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=True)
    asked = [
        question for question in questions(FIGURE) if question.step in (4, 5, 6, 8, 17, 18, 20)
    ]
    for question in asked:
        at = now(stepper)
        if at.step != question.step - 1:
            to(stepper, question)
        elif at.verdict != "asks":
            stepper.press("ArrowRight")
        expect_asked(stepper, question)
        chosen = answer(stepper, question, wrong=True)
        expect_judged(stepper, question, "wrong", chosen)
        if isinstance(question.right, str):
            assert f"it’s “{question.right}”" in now(stepper).says
        elif question.kind != "skipped":
            assert f"it’s “{question.choices[int(str(question.right[0]))]}”" in now(stepper).says
    wrong = Counter(question.kind for question in asked)
    assert set(wrong) == set(KINDS)
    assert score(stepper) == {kind: f"0/{number}" for kind, number in wrong.items()}


TYPED = [
    *[(3, text, "right") for text in ("3.0", " +3 ")],
    (3, "−3", "wrong"),
    *[(-3, text, "right") for text in ("−3", "-3")],
    *[(0.5, text, "right") for text in ("0,5", ".5")],
    *[(inf, text, "right") for text in ("∞", "+inf")],
    *[(-inf, text, "right") for text in ("−∞", "-Infinity")],
    (-inf, "inf", "wrong"),
]


def test_a_number_may_be_written_in_several_ways(show: Show) -> None:
    traces = [trace(Tree([leaf, 5])) for leaf, *_ in TYPED]
    for stepper, searched, (_, text, how) in zip(
        show(*traces, predict=["bv"]), traces, TYPED, strict=True
    ):
        question = questions(searched, "bv")[0]
        to(stepper, question)
        stepper.root.get_by_role("textbox").fill(text)
        stepper.click("Answer")
        expect_judged(stepper, question, how)


def test_text_that_is_no_number_is_no_answer(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=["bv"])
    question = questions(FIGURE, "bv")[0]
    to(stepper, question)
    field = stepper.root.get_by_role("textbox")
    for text in ("", "abc", "1_0", "3 5", "0x3", "--3", "e", "1,000", "<b>3</b>"):
        field.fill(text)
        stepper.page.keyboard.press("Enter")
        assert verdict(stepper) == "asks" and score(stepper) == {}
        assert "is not a number" in now(stepper).says and question.text in now(stepper).says
    field.fill("")
    answer(stepper, question)
    expect_judged(stepper, question, "right")


def test_nodes_are_chosen_in_the_picture_or_by_their_buttons(show: Show) -> None:
    question = questions(FIGURE, "skipped")[1]
    assert [node.name for node in question.nodes] == ["K", "L", "H"]
    (stepper,) = show(FIGURE, predict=["skipped"])
    picked = stepper.root.locator(".abviz-picked")
    to(stepper, question)
    for name in ("L", "H", "K", "A", "M", "G"):  # the last three are no choices
        pick(stepper, name)
    expect(picked).to_have_count(3)
    pick(stepper, "H")
    stepper.button("K").click()
    expect(picked).to_have_count(1)
    expect(stepper.button("L")).to_have_attribute("aria-pressed", "true")
    stepper.click("Answer")
    expect_judged(stepper, question, "right")
    expect(picked).to_have_count(0)

    searched = trace(load("worked-example"))
    question = questions(searched, "skipped")[1]
    (stepper,) = show(searched, predict=["skipped"])
    to(stepper, question)
    pick(stepper, "h2")  # a click below a node means that node
    expect(stepper.root.locator(".abviz-picked")).to_have_attribute("data-node", "H")
    stepper.press("Enter")
    expect_judged(stepper, question, "right")


def test_in_a_game_folded_parts_reveal_no_cut(show: Show) -> None:
    searched = trace(Checkers.start(), depth=3)
    question = questions(searched, "skipped")[0]
    (stepper,) = show(searched, predict=["skipped"])
    to(stepper, question)
    texts = stepper.ask(
        "root => [...root.querySelectorAll('[data-node][data-state=waiting] > .abviz-folded')]"
        ".map((text) => [text.textContent, text.parentElement.getAttribute('aria-label')])"
    )
    assert len(texts) > 50
    assert {text for text, _ in texts} == {""} and not [
        label for _, label in texts if "folded" in label
    ]
    right = [node.name for node in question.right if not isinstance(node, int)]
    for name in right:
        pick(stepper, name)
    expect(stepper.root.locator(".abviz-picked")).to_have_count(len(right))
    stepper.press("Enter")
    expect_judged(stepper, question, "right")


def test_the_number_line_does_not_reveal_a_question_two_steps_ahead(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=["cut"], step=14)
    stepper.press("ArrowRight")
    assert FIGURE.events_at(15)[0].kind == "bv" and FIGURE.cut_at(17)
    zones = stepper.root.locator(".abviz-zone")
    expect(zones).to_have_count(0)
    stepper.press("ArrowRight", "ArrowRight", "1", "ArrowRight")
    assert stepper.step == 17
    expect(zones).to_have_count(3)


# the mode, its kinds and its score


@pytest.mark.usefixtures("alone")
def test_play_stops_at_a_question_and_only_an_answer_goes_on(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    (stepper,) = show(FIGURE, predict=["cut"], step=15)
    first, second = [question for question in questions(FIGURE, "cut") if question.step > 16][:2]
    stepper.open_more()
    stepper.root.get_by_label("Speed").select_option("4")
    stepper.click("Play")
    page.clock.run_for(300 * len(FIGURE))
    expect_asked(stepper, first)
    expect(stepper.button("Play")).to_be_visible()
    before = stepper.dom()
    stepper.press("ArrowRight", " ", "ArrowRight", "Enter", "0", "4", "9")
    stepper.button("Next").click(force=True)
    stepper.button("Play").click(force=True)
    page.clock.run_for(300 * len(FIGURE))
    assert stepper.dom() == before
    expect(stepper.button("Next")).to_have_attribute("aria-disabled", "true")
    answer(stepper, first)
    expect(stepper.button("Next")).to_have_attribute("aria-disabled", "false")
    stepper.click("Next")
    assert stepper.step == first.step and verdict(stepper) is None
    stepper.press(" ")
    page.clock.run_for(300 * len(FIGURE))
    expect_asked(stepper, second)


def test_the_mode_and_its_kinds_are_switched_by_mouse_and_key(show: Show) -> None:
    (stepper,) = show(FIGURE)
    panel = stepper.root.locator(".abviz-predict")
    hint = stepper.root.locator(".abviz-predict .abviz-hint")
    expect(panel).to_be_hidden()
    stepper.press("q")
    expect(stepper.button("Predict")).to_have_attribute("aria-pressed", "true")
    expect(hint).to_contain_text("Before some steps you’ll be asked what happens next.")
    to(stepper, questions(FIGURE)[0])
    expect_asked(stepper, questions(FIGURE)[0])
    expect(hint).to_have_count(0)
    stepper.press("Escape")
    stepper.press("q")
    assert now(stepper)[1:3] == (narrate(FIGURE, 3), None)
    expect(panel).to_be_hidden()
    stepper.press("ArrowRight")
    assert seen(stepper.look()) == truth(FIGURE, 4)

    stepper.click("Predict")
    boxes = {
        str(box.get_attribute("aria-label")): box
        for box in stepper.root.get_by_role("checkbox").all()
    }
    for name in [*KINDS.values()][:-2]:
        boxes[name].uncheck()
    kept = [*KINDS][-2:]
    to(stepper, question := questions(FIGURE, *kept)[1])
    expect_asked(stepper, question)
    boxes[KINDS[question.kind]].uncheck()  # its question goes
    assert verdict(stepper) is None and now(stepper).says == narrate(FIGURE, question.step - 1)
    (other,) = {*kept} - {question.kind}
    boxes[KINDS[other]].click()  # without any kind the mode is off, and next time all are on
    expect(panel).to_be_hidden()
    assert stepper.ask("root => root === document.activeElement")
    stepper.press("q")
    assert all(box.is_checked() for box in stepper.root.get_by_role("checkbox").all()[:-1])


def test_an_answer_counts_once(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=["bv"])
    first, second, third, *_ = questions(FIGURE, "bv")
    to(stepper, first)
    answer(stepper, first, wrong=True)
    assert score(stepper) == {"bv": "0/1"}
    stepper.press("ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight")
    assert (stepper.step, verdict(stepper)) == (first.step + 1, None), (
        "an answered question is not asked again"
    )
    to(stepper, second)
    answer(stepper, second)
    assert score(stepper) == {"bv": "1/2"}
    for leave in ("ArrowLeft", "Home", "End"):  # a question left open is neither right nor wrong
        to(stepper, third)
        expect_asked(stepper, third)
        stepper.root.focus()
        stepper.press(leave)
        assert now(stepper)[1:3] == (narrate(FIGURE, stepper.step), None)
    to(stepper, third)
    answer(stepper, third)
    expect_judged(stepper, third, "right")
    assert score(stepper) == {"bv": "2/3"}

    stepper.click("Start again")
    assert (stepper.step, score(stepper)) == (0, {})
    to(stepper, first)
    answer(stepper, first)
    assert score(stepper) == {"bv": "1/1"}


# looks


@pytest.mark.parametrize(
    "options",
    [sized(1200), pytest.param(sized(360), marks=pytest.mark.slow)],
    ids=["wide", "narrow"],
)
@pytest.mark.parametrize(
    "hands", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["alone", "hands"]
)
def test_nothing_moves_when_a_question_comes_or_is_answered(show: Show, hands: bool) -> None:
    (stepper,) = show(FIGURE, predict=True, show_of_hands=hands)
    places = [stepper.places()]

    def look() -> Now:
        said, place, is_inside = stepper.ask(
            f"root => [({NOW})(root), probe.places(root), document.documentElement.scrollWidth <= innerWidth]"
        )
        places.append(place)
        assert is_inside
        return Now(*said)

    stepper.focus()
    while (at := look()).step < len(FIGURE):
        if at.verdict == "asks" and not hands:
            asked = questions_before(FIGURE, at.step + 1)
            question = next(
                question for question in asked if at.says.startswith(f"? {question.text}")
            )
            answer(stepper, question, wrong=len(places) % 2 == 0)
            look()
        stepper.page.keyboard.press("ArrowRight")
    assert [place for place, (one, other) in enumerate(pairwise(places)) if one != other] == []


@pytest.mark.parametrize(
    "options",
    [pytest.param({"color_scheme": "light"}, marks=pytest.mark.slow), {"color_scheme": "dark"}],
    ids=["light", "dark"],
)
def test_every_text_has_enough_contrast(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=True, step=15)
    for keys in (
        ["ArrowRight"],
        ["1"],
        ["ArrowRight", "ArrowRight"],
        ["1"],
        ["ArrowRight"],
        ["ArrowRight"],
        ["2"],
    ):
        stepper.press(*keys)
        assert stepper.ask("root => probe.faint(root, 4.5)") == []


# keys and screen readers


def test_question_and_verdict_are_read_out_once_and_every_answer_is_a_named_control(
    show: Show,
) -> None:
    (stepper,) = show(FIGURE, predict=["cut", "skipped", "bv"], step=16)
    assert [region.get_attribute("class") for region in stepper.live_regions()] == ["abviz-says"]
    speech = stepper.record_speech()
    stepper.press("ArrowRight")
    answers = stepper.root.get_by_role("group", name="Answer", exact=True)
    names = ["cut", "go on with the next child", "return: no child is left"]
    for name in names:
        expect(answers.get_by_role("button", name=name, exact=True)).to_be_visible()
    stepper.button(names[0]).focus()
    stepper.page.keyboard.press("Enter")
    question = next(question for question in questions(FIGURE, "cut") if question.step == 17)
    listed = "1: cut; 2: go on with the next child; 3: return: no child is left."
    assert speech() == [f"? {question.text} {listed}", f"✓ Right. {question.reason()}"]
    assert stepper.ask("root => root === document.activeElement"), (
        "the button is gone: the stepper has the focus"
    )
    stepper.page.keyboard.press("Enter")
    assert now(stepper)[2:] == ("asks", "skipped")
    before = len(speech())
    stepper.press("1", "1")
    assert len(speech()) == before, "a node that is picked asks nothing anew"
    stepper.press("2", "Enter", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(
        stepper.root.get_by_role("textbox", name="Your answer, a number; ∞ is inf")
    ).to_be_focused()


def test_no_key_of_a_question_leaks_to_the_page(
    show: Show, page: Page, keys_heard: Callable[[], list[Any]]
) -> None:
    (stepper,) = show(FIGURE, predict=True, step=16)
    stepper.press("ArrowRight")
    for key in [
        "d",
        "d",
        "x",
        "0",
        "5",
        "1",
        "Enter",
        "1",
        "ArrowRight",
        "2",
        " ",
        "Enter",
        "ArrowRight",
    ]:
        page.keyboard.press(key)
    stepper.slide(18)
    stepper.press("ArrowRight")
    expect(stepper.root.get_by_role("textbox")).to_be_focused()
    for key in ["0", "d", "ArrowLeft", "Home", "Delete", "Enter"]:
        page.keyboard.press(key)
    assert keys_heard() == []
    page.keyboard.press("Control+s")
    assert [key for key, _ in keys_heard()] == ["Control", "s"]


def test_what_is_typed_into_a_leaf_answers_no_question(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), predict=["cut"])
    while not shown.root.get_attribute("data-question"):
        shown.press("ArrowRight")
    shown.root.locator('[data-node="j1"]').click()
    shown.page.keyboard.type("12")
    expect(shown.root.get_by_label("New value of j1")).to_have_value("12")
    assert shown.root.get_attribute("data-question") == "cut"


def test_a_question_does_not_take_the_focus_from_elsewhere(show: Show) -> None:
    first, second = show(FIGURE, trace(load("deep-cut")), predict=["bv"], step=2)
    first.open_more()
    first.root.get_by_label("Speed").select_option("4")
    first.click("Play")
    second.root.focus()
    expect(first.root).to_have_attribute("data-question", "bv")
    assert second.root.evaluate("root => root === document.activeElement")


# a show of hands


def test_in_a_show_of_hands_a_key_shows_the_answer_and_nothing_counts(show: Show) -> None:
    (stepper,) = show(FIGURE, predict=["cut", "returned"], show_of_hands=True, step=16)
    cut = next(question for question in questions(FIGURE, "cut") if question.step == 17)
    returned = next(question for question in questions(FIGURE, "returned") if question.step == 18)
    # What a presenter's remote sends, or a hand on the keyboard
    for key in ("ArrowRight", "Enter", " "):
        stepper.slide(16)
        stepper.press("ArrowRight", "1", "2")
        expect_asked(stepper, cut)  # nobody answers for the class
        assert not [choice for choice in cut.choices if stepper.button(choice).count()]
        stepper.press(key)
        assert verdict(stepper) == "right" and now(stepper).says == f"✓ Answer: cut. {cut.reason()}"
        stepper.press("ArrowRight")
        assert stepper.step == 17
    stepper.press("ArrowRight")
    expect_asked(stepper, returned)
    expect(stepper.root.get_by_role("textbox")).to_have_count(0)
    stepper.click("Next")
    assert now(stepper).says == f"✓ Answer: 0. {returned.reason()}"
    stepper.click("Next")
    assert stepper.step == 18 and score(stepper) == {}


@pytest.mark.parametrize("options", [sized(1280, 720)])
def test_a_show_of_hands_is_large_and_leaves_the_tree_in_sight(show: Show, page: Page) -> None:
    size = "parseFloat(getComputedStyle(document.querySelector('.abviz-says')).fontSize)"
    (stepper,) = show(FIGURE, predict=["cut"], step=16)
    small = page.evaluate(size)
    stepper.open_more()
    stepper.root.get_by_role("checkbox", name="show of hands").check()
    assert page.evaluate(size) >= 1.35 * small
    stepper.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    stepper.press("ArrowRight")
    assert page.evaluate(size) >= 22
    assert stepper.ask("root => probe.offScreen(root)") == []
