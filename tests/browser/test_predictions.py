"""Predictions and check-ups in a real JupyterLab: answered by clicks and by keys, revealed, and
kept.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from abviz.exercises.predictions import FILE, check_ups
from tests.browser.driving import eventually
from tests.browser.jupyter import KERNEL, RUN, Notebook, Server

pytestmark = pytest.mark.browser

CELLS = (
    "from abviz import check_up, predict",
    "predict('How many leaves?', name='leaves', between=(0, 12))",
    "predict('How much faster?', name='speed', between=(0.5, 2.5))",
    "predict('Which move is best?', name='move', choices=['B', 'C', 'D'])",
    "predict.reveal('leaves', 8)",
    "predict.reveal('move', 'C')",
)
QUESTIONS = check_ups()["alpha-beta"]


@pytest.fixture
def asked(opened: Notebook) -> Iterator[Notebook]:
    opened.server.write("questions.ipynb", *CELLS)
    size = opened.page.viewport_size
    # Every cell is in view, and so is drawn
    opened.page.set_viewport_size({"width": 1200, "height": 1800})
    with opened.beside("questions.ipynb") as notebook:
        notebook.run_all()
        with notebook.watched():
            yield notebook
    opened.page.set_viewport_size(size)


@pytest.fixture(autouse=True)
def forget(server: Server) -> Iterator[None]:
    yield
    (server.folder / FILE).unlink()


def kept(lab: Notebook) -> dict[str, object]:
    path: Path = lab.server.folder / FILE
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def group(lab: Notebook, name: str) -> Locator:
    return lab.root.locator(".abviz-questions", has=lab.page.get_by_role("group", name=name))


def test_answers_by_click_and_by_key_are_revealed_and_survive_a_restart(asked: Notebook) -> None:
    lab = asked
    leaves, speed, move = (
        group(lab, name) for name in ("How many leaves?", "How much faster?", "Which move is best?")
    )
    press, before = lab.page.keyboard.press, lab.cells()
    for question in (leaves, speed):
        expect(question.get_by_role("status")).to_have_text("Type a number.")
    expect(move.get_by_role("status")).to_have_text("Pick an answer.")
    expect(lab.root.get_by_text("The answer is 8.")).to_be_visible()

    leaves.get_by_role("slider").click()  # in the middle, where the slider stands unseen
    eventually(lambda: kept(lab), {"leaves": 6})
    expect(leaves.get_by_role("spinbutton")).to_have_value("6")
    leaves.get_by_role("spinbutton").fill("13")
    expect(leaves.get_by_role("status")).to_have_text("Your prediction: 6.")
    leaves.get_by_role("spinbutton").fill("5")
    speed.get_by_role("slider").focus()
    press("ArrowRight")
    eventually(lambda: kept(lab), {"leaves": 5, "speed": 1.51})
    speed.get_by_role("spinbutton").fill("0.875")

    move.get_by_role("button", name="B", exact=True).focus()
    press("Tab")
    press("d")  # JupyterLab would delete the cell
    press("d")
    press("Tab")
    expect(move.get_by_role("button", name="D", exact=True)).to_be_focused()
    expect(move.get_by_role("status")).to_have_text("Pick an answer.")
    press("Space")
    eventually(lambda: kept(lab), {"leaves": 5, "speed": 0.875, "move": "D"})
    expect(move.get_by_role("status")).to_have_text("Your prediction: D.")
    assert lab.cells() == before
    press("Shift+Enter")
    assert lab.state()["active"] == 4, "it runs the cell and goes to the next"

    lab.page.evaluate("panel.sessionContext.session.kernel.restart()")
    lab.page.evaluate(KERNEL)
    lab.run_all()
    expect(leaves.get_by_role("slider")).to_have_value("5")
    expect(speed.get_by_role("status")).to_have_text("Your prediction: 0.875.")
    expect(move.get_by_role("button", name="D", pressed=True)).to_be_visible()
    expect(lab.root.get_by_text("you: 5")).to_be_visible()
    expect(lab.root.get_by_text("You said D")).to_be_visible()
    assert lab.ask("predict.answer('leaves'), predict.answer('speed')") == "(5, 0.875)"


def test_the_page_checks_a_check_up_at_once(lab: Notebook) -> None:
    lab.cell("check_up('alpha-beta')")
    root = group(lab, QUESTIONS[0]["asks"])
    sets = root.get_by_role("group")
    record = """verdict => {
      window.judged = 0;
      new MutationObserver(() => (judged += 1)).observe(verdict, { childList: true });
    }"""
    sets.first.get_by_role("status").evaluate(record)
    for place, question in enumerate(QUESTIONS):
        expect(sets.nth(place).get_by_role("status")).to_have_text("Pick an answer.")
        answer = (
            question["answer"]
            if place
            else next(each for each in question["choices"] if each != question["answer"])
        )
        reason = question["because"][question["choices"].index(answer)]
        sets.nth(place).get_by_role("button", name=answer, exact=True).click()
        expect(sets.nth(place)).to_contain_text(
            ("✓ Right. " if place else "✗ Not right. ") + reason
        )
    assert lab.page.evaluate("judged") == 1, "no verdict is read out again"
    eventually(lambda: len(kept(lab)), 5)
    lab.page.evaluate(RUN, "notebook:run-cell")
    expect(root.get_by_text("✓ Right. ")).to_have_count(4)
    expect(root.get_by_text("✗ Not right. ")).to_have_count(1)

    last, question = sets.last, QUESTIONS[-1]
    for choice, reason in zip(question["choices"], question["because"], strict=True):
        last.get_by_role("button", name=choice, exact=True).click()
        verdict = "✓ Right. " if choice == question["answer"] else "✗ Not right. "
        expect(last.get_by_role("status")).to_have_text(verdict + reason)
