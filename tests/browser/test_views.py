"""Two views of one model, as of a stepper that two cells of a notebook show: a change in one shows
in the other, and an answer of Python is used once.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Checkers, Stepper, load, trace
from abviz.tree.files import parse
from abviz.views.bundle import module, stylesheet, tree_data
from abviz.views.modules import as_script, join
from tests.browser.driving import Shown, steppers, wait_until
from tests.browser.test_changes import choose
from tests.browser.test_editing import type_value

pytestmark = pytest.mark.browser

VIEWS = Path(__file__).parents[1] / "page/views.js"
WORKED = load("worked-example")
TRAITS = ("spec", "step", "show", "form", "speed", "predict", "show_of_hands", "problem", "edited")
DOCUMENT = """<!doctype html>
<meta charset="utf-8">
<style>{style}</style>
<div></div>
<div></div>
<script type="module">{views}</script>
<script type="module">
{module}
Object.assign(globalThis, showViews(render, document.querySelectorAll("div"), {traits}));
</script>
"""
MOST_MESSAGES = 3  # of a change: the tree, its step, and what a request needs


@pytest.fixture
def show_twice(page: Page, tmp_path: Path) -> Callable[[Stepper], list[Shown]]:
    """Show a stepper twice on one page, without a kernel: its model is `model` there."""

    def show_twice(stepper: Stepper) -> list[Shown]:
        text = DOCUMENT.format(
            style=stylesheet(),
            views=join(VIEWS),
            module=module(),
            traits=as_script({name: getattr(stepper, name) for name in TRAITS}),
        )
        path = tmp_path / "views.html"
        path.write_text(text, encoding="utf-8")
        page.goto(path.as_uri())
        wait_until(page, "!!globalThis.model")
        return steppers(page)

    return show_twice


def news(page: Page) -> list[list[Any]]:
    """Return what the views have set and sent since the last time, as [name, value]."""
    return list(json.loads(page.evaluate("JSON.stringify(model.news())")))


def receive(page: Page, **traits: Any) -> None:
    """Let the views hear what Python has set."""
    page.evaluate("traits => model.receive(traits)", json.loads(json.dumps(traits)))


def paste(shown: Shown, text: str) -> None:
    shown.click("Edit")
    shown.click("Paste")
    shown.root.get_by_label("A tree as JSON or a nested list").fill(text)
    shown.click("Paste")


CHANGES: dict[str, Callable[[Shown], None]] = {
    "step": lambda shown: shown.press("ArrowRight", "c"),
    "form": lambda shown: choose(shown, "Form of the pseudocode", "aima"),
    "leaf": lambda shown: type_value(shown, "e1", "9"),
    "search": lambda shown: choose(shown, "Search", "minimax"),
    "rule": lambda shown: choose(shown, "Children", "on"),
    "tree": lambda shown: choose(shown, "Tree", "2"),
    "undo": lambda shown: shown.press("Control+z"),
    "level": lambda shown: choose(shown, "Show", "bv"),
    "speed": lambda shown: choose(shown, "Speed", "2"),
    "questions": lambda shown: shown.press("q"),
}


def seen(shown: Shown) -> dict[str, Any]:
    choices = "root => [...root.querySelectorAll('select')].map((select) => select.value)"
    pressed = "root => [...root.querySelectorAll('[aria-pressed=true]')].map((e) => e.ariaLabel)"
    return shown.look() | {"choices": shown.ask(choices), "on": shown.ask(pressed)}


def test_what_is_changed_in_one_view_shows_in_the_other(
    show_twice: Callable[[Stepper], list[Shown]], page: Page
) -> None:
    views = show_twice(Stepper(WORKED, show="all"))
    for turn, (name, change) in enumerate(CHANGES.items()):
        before = seen(views[0])
        change(views[turn % 2])
        one, other = map(seen, views)
        assert one == other, name
        assert one != before, name
        messages = news(page)
        assert 1 <= len(messages) <= MOST_MESSAGES, (name, messages)


def test_a_reply_is_used_once_and_the_other_view_follows(
    show_twice: Callable[[Stepper], list[Shown]], page: Page
) -> None:
    """A text that only Python reads, as YAML with an anchor is."""
    one, other = show_twice(Stepper(WORKED))
    own = one.look()
    text = "tree: {B: &x [3, 5], C: *x}"
    paste(one, text)
    ((_, asked),) = news(page)
    assert asked["text"] == text

    answer = {"id": asked["id"], "tree": tree_data(parse("tree: {B: [3, 5], C: [2, 9]}"))}
    for _ in range(2):
        page.evaluate("answer => model.say('msg:custom', answer)", answer)
        expect(one.root).to_have_attribute("data-value", "3")
    assert one.look() == other.look() != own
    assert len(news(page)) <= MOST_MESSAGES
    one.press("Control+z")
    assert one.look() == other.look() == own


def test_a_part_of_a_game_is_searched_by_python_and_opened_in_both_views(
    show_twice: Callable[[Stepper], list[Shown]], page: Page
) -> None:
    stepper = Stepper(Checkers.from_fen("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"), depth=2)
    one, other = show_twice(stepper)
    own, leaf = one.look(), "16-19 15-11 22x8 24x15"
    type_value(one, leaf, "-500")
    ((name, edited),) = news(page)
    assert name == "edited" and edited["asks"]
    assert one.look() == other.look() == own, "the old trace stays until Python answers"

    stepper.set_state({"edited": edited})
    receive(page, edited={}, step=0, spec=stepper.spec)
    changed = trace(stepper.tree)
    assert one.steps == other.steps == len(changed) != own["steps"]
    assert news(page) == []


def test_without_a_kernel_one_line_says_that_nobody_answers(
    show_twice: Callable[[Stepper], list[Shown]], page: Page
) -> None:
    stepper = Stepper(Checkers.from_fen("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"), depth=2)
    one, other = show_twice(stepper)
    own, leaf = one.look(), "16-19 15-11 22x8 24x15"
    type_value(one, leaf, "-500")
    alerts = [view.root.get_by_role("alert") for view in (one, other)]
    for alert in alerts:
        expect(alert).to_be_hidden()
    page.evaluate("clock.goOn()")
    expect(alerts[0]).to_have_text("Python does not answer: its kernel is busy, or gone.")
    expect(alerts[1]).to_be_hidden()
    assert one.look() == own

    one.press("Escape", "End")
    assert one.step == one.steps, "the page goes on without Python"
