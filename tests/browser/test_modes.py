"""Predict mode, practice and editing: one at a time, by keyboard too, and none gives an answer
away.
"""

import pytest
from playwright.sync_api import expect

from abviz import Tree, load, minimax, record, trace
from abviz.exercises import practice
from abviz.tracing.traces import Trace
from abviz.tree.model import Node
from tests.browser.driving import Show, Shown, fill_in, node, sized
from tests.browser.test_editing import type_value
from tests.browser.test_page import read_by_the_parent

pytestmark = pytest.mark.browser
STATIC = {  # B, C and D have static values, at which a search of depth 1 or 2 ends
    "B": {"E": {"value": 3, "children": [3, 5]}, "F": {"value": 4, "children": [2, 9]}},
    "C": {"G": {"value": 1, "children": [1, 4]}, "H": {"value": 7, "children": [8, 6]}},
}


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(load("worked-example")))
    return shown


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
        assert (
            shown.root.locator(".abviz-cutmark:visible, .abviz-note > p:not(:empty)").count() == 0
        )
        expect(what_if).to_be_hidden()
        shown.click("Practice")


def test_one_of_predict_practice_and_edit_is_on(shown: Shown) -> None:
    modes = {"q": "Predict", "w": "Practice", "e": "Edit"}
    for key in "qweqewq":
        shown.press(key)
        pressed = [
            name
            for name in modes.values()
            if shown.button(name).get_attribute("aria-pressed") == "true"
        ]
        assert pressed == [modes[key]]
    shown.press("w")
    node(shown, "e1").focus()
    shown.page.keyboard.press("Enter")
    expect(shown.root.locator(".abviz-edit")).to_have_count(0)
    expect(node(shown, "e1")).to_have_attribute("role", "img")


def test_the_result_of_practice_says_what_it_is_for_and_is_never_of_earlier_answers(
    shown: Shown,
) -> None:
    shown.click("Practice")
    result = shown.root.get_by_label("Result to hand in")
    shown.click("Result")
    expect(shown.root.get_by_text("hand it in; abviz check")).to_be_visible()
    assert (
        result.evaluate(
            "field => field.clientHeight / parseFloat(getComputedStyle(field).lineHeight)"
        )
        >= 3
    )
    shown.root.get_by_label("bv of A").fill("8")
    expect(result).to_be_hidden()
    shown.click("Result")
    assert '"bv A":"8"' in result.input_value()
    node(shown, "e1").focus()
    shown.page.keyboard.press("x")
    expect(result).to_be_hidden()


def test_the_result_offers_the_solution_first_and_gives_the_answers_back(shown: Shown) -> None:
    shown.click("Practice")
    task = shown.root.locator(".abviz-worksheet .abviz-hint").first
    expect(task).to_contain_text("Fill in α, β and bv as the search leaves each node")
    field = shown.root.get_by_label("bv of A")
    field.fill("7")
    shown.click("Result")
    press = shown.page.keyboard.press
    expect(shown.button("Show the solution")).to_be_focused()
    press("Enter")
    card = shown.root.locator(".abviz-card")
    expect(card).to_have_text("This is the solution, as the search fills it in.")
    assert field.input_value() == "8" and field.get_attribute("data-verdict") is None
    expect(shown.root.locator("[data-edge=f2]")).to_have_attribute("data-cut", "beta")
    expect(shown.button("Back to your answers")).to_be_focused()
    press("Tab")
    expect(shown.root.get_by_label("Result to hand in")).to_be_focused()

    press("Shift+Tab")
    press("Enter")
    assert field.input_value() == "7" and field.get_attribute("data-verdict") == "wrong"
    assert shown.root.locator("[data-edge=f2]").get_attribute("data-cut") is None
    expect(card).to_have_attribute("data-verdict", "wrong")


def test_enter_goes_from_field_to_field_and_checks_at_the_last(shown: Shown) -> None:
    shown.click("Practice")
    fields = shown.root.locator(".abviz-field")
    fields.first.focus()
    card = shown.root.locator(".abviz-card")
    for _ in range(fields.count() - 1):
        shown.page.keyboard.press("Enter")
    expect(fields.last).to_be_focused()
    expect(card).to_have_text("")
    shown.page.keyboard.press("Enter")
    expect(card).to_contain_text("0 of 30 marks right")
    assert card.get_attribute("data-verdict") is None, "nothing is wrong yet"


def test_a_mark_that_is_taken_back_is_no_longer_judged(shown: Shown) -> None:
    shown.click("Practice")
    edge = shown.root.locator("[data-edge=e1]")
    for verdict in ("wrong", None):
        node(shown, "e1").focus()
        shown.page.keyboard.press("x")
        if verdict:
            shown.click("Check")
        assert edge.get_attribute("data-verdict") == verdict


def test_what_is_proven_stays_veiled_through_another_search(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), predict=["cut"])
    shown.slide(18)
    for search in ("minimax", "alphabeta"):
        shown.open_more()
        shown.root.get_by_label("Search", exact=True).select_option(search)
    expect(node(shown, "A").locator(".abviz-mark")).to_have_text("")


def plain_minimax(node: Node) -> float:
    if node.is_leaf:
        return node.value or 0
    return (max if node.is_max else min)(plain_minimax(child) for child in node.children)


def test_practice_is_refused_for_a_recorded_run_and_offered_for_our_search_of_its_tree(
    show: Show,
) -> None:
    runs = [record(each, load("worked-example")) for each in (plain_minimax, read_by_the_parent)]
    for run, shown in zip(runs, show(*runs), strict=True):
        problem = shown.root.get_by_role("alert")
        shown.press("w")
        expect(problem).to_contain_text("A recorded run has no practice")
        expect(shown.root.locator(".abviz-worksheet")).to_be_hidden()
        has_bounds = any(event.alpha is not None for event in run.events)
        own = "alpha-beta" if has_bounds else "minimax"
        shown.click(f"Compare with {own}")
        expect(shown.root).to_contain_text(f"This is abviz’s own {own}.")
        expect(problem).to_be_hidden()
        shown.press("w")
        expect(shown.root.locator(".abviz-worksheet")).to_be_visible()
        shown.click("Back to the recorded run")
        expect(shown.root.locator(".abviz-worksheet")).to_be_hidden()
        expect(shown.button("Practice")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(
    "searched",
    [
        trace(load("worked-example"), alpha=5, beta=7),
        trace(Tree([[float("-inf"), 5], [2, 9]]), search=minimax, early_stop=True),
        trace(Tree(STATIC), depth=2),
    ],
    ids=["window", "early stop", "depth"],
)
def test_a_result_names_the_window_of_its_search_its_early_stop_and_its_depth(
    show: Show, searched: Trace
) -> None:
    (shown,) = show(searched)
    shown.click("Practice")
    marks = practice.right_marks(searched)
    keys = shown.ask(
        "root => [...root.querySelectorAll('.abviz-field')].map((field) => field.dataset.key)"
    )
    assert sorted(keys) == sorted(key for key in marks if not key.startswith("cut"))
    fill_in(shown, marks)
    shown.click("Result")
    verdict = practice.verify(shown.root.get_by_label("Result to hand in").input_value())
    total = sum(mark not in ("", False) for mark in marks.values())
    assert verdict and verdict.points == (total, total) and "another score" not in verdict.message


# editing


def test_a_tree_is_grown_and_pruned_by_keyboard(shown: Shown) -> None:
    shown.press("e")
    press = shown.page.keyboard.press
    node(shown, "B").focus()
    for key in ["Shift+ArrowRight", "Insert", "9", "Enter", "Insert", "1", "2", "Enter"]:
        press(key)
    for name, value in [("c3", "9"), ("c4", "12")]:
        expect(node(shown, name).locator("text").first).to_have_text(value)
    selected = shown.root.locator(".abviz-selected")
    for undone in ("c4", "c3"):
        press("Control+z")
        press("Control+z")
        expect(node(shown, undone)).to_have_count(0)
        expect(selected).to_have_attribute("data-node", "C")
    node(shown, "G").focus()
    press("Shift+ArrowRight")
    press("Alt+ArrowLeft")
    expect(node(shown, "H")).to_be_focused()
    press("Delete")
    press("Control+z")
    expect(node(shown, "H")).to_have_count(1)
    press("End")
    assert shown.step == shown.steps > 0
    shown.click("Add child")
    expect(shown.root.locator(".abviz-edit")).to_be_focused()


@pytest.mark.parametrize("options", [sized(390, 844) | {"has_touch": True}])
def test_on_a_phone_the_tree_stays_on_the_screen_while_it_is_edited(shown: Shown) -> None:
    shown.click("Edit")
    box = shown.root.locator(".abviz-tree").bounding_box()
    assert box and box["y"] + box["height"] <= 844
    expect(shown.button("Add child")).to_be_visible()


@pytest.mark.parametrize("options", [sized(390, 844) | {"has_touch": True}])
def test_on_a_phone_a_finger_reaches_the_fields_of_practice(shown: Shown) -> None:
    shown.click("Practice")
    box = shown.root.locator(".abviz-field").first.bounding_box()
    assert box and box["height"] >= 24 and box["width"] >= 44
    shown.click("Fit")
    assert (
        shown.ask("root => root.querySelector('.abviz-tree > svg').getBoundingClientRect().width")
        <= 390
    )


@pytest.mark.parametrize("options", [{}, sized(390, 844) | {"has_touch": True}], ids=["", "phone"])
def test_infinity_is_filled_in_by_a_key_or_as_it_is_typed(shown: Shown) -> None:
    shown.click("Practice")
    expect(shown.root.get_by_text("Type ∞ as inf")).to_be_visible()
    alpha, beta = (shown.root.get_by_label(f"{letter} of A") for letter in "αβ")
    expect(shown.button("Fill in ∞")).to_be_visible()
    shown.click("Fill in ∞")
    expect(alpha).to_have_value("")

    beta.focus()
    shown.click("Fill in −∞")
    expect(beta).to_have_value("−∞")
    expect(beta).to_be_focused()
    for text, verdict in [
        ("∞", "right"),
        ("inf", "right"),
        ("Infinity", "right"),
        ("+inf", "right"),
        ("-inf", "wrong"),
        ("−∞", "wrong"),
    ]:
        beta.fill(text)
        shown.click("Check")
        expect(beta).to_have_attribute("data-verdict", verdict)
    shown.click("Fill in ∞")
    expect(beta).to_have_value("∞")
    expect(beta).not_to_have_attribute("data-verdict", "wrong")
