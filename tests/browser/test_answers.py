"""All that answers looks and works alike: the questions of a notebook, and those of the stepper."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from abviz import load, trace
from abviz.exercises.predictions import HERE, check_ups
from abviz.views.bundle import PAGE
from abviz.views.modules import join
from tests.browser.driving import Show, Shown

pytestmark = pytest.mark.browser

QUESTION = check_ups()["alpha-beta"][0]
RIGHT = QUESTION["choices"].index(QUESTION["answer"])
WRONG = (RIGHT + 1) % len(QUESTION["choices"])
NUMBER = {"asks": "How many?", "choices": [], "between": [0, 9], "step": 1}
QUESTIONS = [{"key": "which", **QUESTION}, {"key": "many", **NUMBER}]

# As anywidget renders a module: with a model that holds its traits
NOTEBOOK = """<!doctype html><meta charset="utf-8"><style>{style}</style><body><script type="module">
{module}
const traits = {{ questions: {questions}, answers: {{}} }};
const changed = [];
const model = {{
  get: (name) => traits[name],
  set: (name, value) => {{ traits[name] = value; changed.forEach((act) => act()); }},
  on: (_, act) => changed.push(act),
  off: () => {{}},
  save_changes: () => {{ document.body.dataset.answers = JSON.stringify(traits.answers); }},
}};
render({{ model, el: document.body }});
</script>"""
LOOK = """element => {
  const style = getComputedStyle(element);
  const names = ["color", "backgroundColor", "borderRadius", "borderTopColor", "borderTopWidth",
    "borderLeftColor", "borderLeftWidth", "paddingLeft", "cursor"];
  return Object.fromEntries(names.map((name) => [name, style[name]]));
}"""
both_themes = pytest.mark.parametrize(
    "options", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=["light", "dark"]
)


def look(element: Locator) -> dict[str, str]:
    return dict(element.evaluate(LOOK))


@pytest.fixture
def questions(page: Page, tmp_path: Path, options: dict[str, Any]) -> Callable[[], Locator]:
    """Open the questions of a notebook, on a page with its theme."""

    def opened() -> Locator:
        module = join(HERE / "predictions.js").replace("export default { render };", "")
        style = (PAGE / "answers.css").read_text("utf-8")
        style += (HERE / "predictions.css").read_text("utf-8")
        if options.get("color_scheme") == "dark":
            style += ":root { --jp-content-font-color1: #fff; --jp-layout-color0: #111; "
            style += "--jp-layout-color1: #222; color-scheme: dark; } body { background: #111; }"
        path = tmp_path / "questions.html"
        text = NOTEBOOK.format(style=style, module=module, questions=json.dumps(QUESTIONS))
        path.write_text(text, "utf-8")
        page.goto(path.as_uri())
        return page.locator(".abviz-questions")

    return opened


def ask(stepper: Shown) -> None:
    stepper.focus()
    while not stepper.root.get_attribute("data-question"):
        stepper.page.keyboard.press("ArrowRight")


def test_choices_and_what_is_said_of_them_look_alike(
    show: Show, questions: Callable[[], Locator]
) -> None:
    (stepper,) = show(trace(load("worked-example")), predict=["cut", "skipped"])
    ask(stepper)
    cards: dict[str, dict[str, str]] = {}
    offered = look(stepper.root.locator(".abviz-choice").first)
    while len(cards) < 2:  # "go on" is right until the first cut
        stepper.page.keyboard.press("2")
        sentence = stepper.root.locator(".abviz-sentence")
        cards[sentence.get_attribute("data-verdict") or ""] = look(sentence)
        stepper.page.keyboard.press("Enter")
        ask(stepper)
    assert stepper.root.get_attribute("data-question") == "skipped"
    stepper.page.keyboard.press("1")
    picked = look(stepper.root.locator(".abviz-choice").first)

    root = questions()
    choices = root.locator("fieldset").first.locator(".abviz-choice")
    assert look(choices.nth(WRONG)) == offered
    card = root.locator(".abviz-card").first
    for place, standing in ((WRONG, "wrong"), (RIGHT, "right")):
        choices.nth(place).click()
        assert look(choices.nth(place)) == picked
        assert {**look(card), "paddingLeft": ""} == {**cards[standing], "paddingLeft": ""}


@both_themes
def test_questions_are_legible_before_and_after_they_are_answered(
    questions: Callable[[], Locator],
) -> None:
    root = questions()
    for place in (WRONG, RIGHT):
        assert root.evaluate("root => probe.faint(root, 4.5)") == []
        root.locator(".abviz-choice").nth(place).click()
    assert root.evaluate("root => probe.faint(root, 4.5)") == []


def test_the_keyboard_reaches_and_answers_all_and_a_listener_hears_it_once(
    page: Page, questions: Callable[[], Locator]
) -> None:
    root = questions()
    press = page.keyboard.press
    first, second = (root.get_by_role("group").nth(place) for place in (0, 1))

    press("Tab")
    expect(first.get_by_role("button").first).to_be_focused()
    press(str(WRONG + 1))
    expect(first.get_by_role("status")).to_have_text(
        f"✗ Not right. {QUESTION['because'][WRONG].replace('`', '')}"
    )
    press(str(RIGHT + 1))
    expect(first.get_by_role("button", pressed=True)).to_have_text(
        f"{RIGHT + 1}{QUESTION['answer'].replace('`', '')}"
    )
    expect(first.get_by_role("button", name=QUESTION["answer"], exact=True)).to_be_visible()
    press("9")  # there is no such choice
    expect(first.get_by_role("status")).to_contain_text("✓ Right. ")

    second.get_by_role("spinbutton").focus()
    page.keyboard.type("7")
    press("Enter")
    expect(second.get_by_role("status")).to_have_text("Your prediction: 7.")
    second.get_by_role("spinbutton").fill("3")
    second.get_by_role("button", name="Answer", exact=True).click()
    assert json.loads(page.evaluate("document.body.dataset.answers"))["many"] == 3
    for status in root.get_by_role("status").all():
        assert status.locator("[aria-hidden=true]").all_inner_texts() in ([], ["✓"], ["✗"])
