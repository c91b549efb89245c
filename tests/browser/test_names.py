"""Each control can be named by the words it shows, as people do who control a page by speech."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page

from abviz import Board, TicTacToe, load, trace
from abviz.exercises.predictions import HERE as EXERCISES
from abviz.exercises.predictions import check_ups
from abviz.play.board import HERE as GAMES
from abviz.views.modules import join
from tests.browser.driving import Show

pytestmark = pytest.mark.browser

ROLES = {"button", "combobox", "slider", "checkbox", "textbox", "spinbutton", "DisclosureTriangle"}

# The button that says "Back" has a public name, by which programs find it.
PUBLIC = "Previous"

# What a control shows: its own words, without the key that presses it, and those of its label.
WORDS = """function () {
  if (!(this instanceof HTMLElement) || !this.checkVisibility()) return ""; // a node is described
  const wordsOf = (element) => {
    const shown = element.cloneNode(true);
    for (const part of shown.querySelectorAll("kbd, select, svg, .abviz-unseen")) part.remove();
    return shown.textContent;
  };
  const own = this.matches("select, input, textarea") ? "" : wordsOf(this);
  return [own, ...[...this.labels ?? []].map(wordsOf)].join(" ");
}"""

NOTEBOOK = """<!doctype html><meta charset="utf-8"><body><script type="module">
{module}
const traits = {traits};
const model = {{
  get: (name) => traits[name],
  set: (name, value) => {{ traits[name] = value; }},
  on: () => {{}},
  off: () => {{}},
  send: () => {{}},
  save_changes: () => {{}},
}};
render({{ model, el: document.body }});
</script>"""


def letters(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


def words_of(session: CDPSession, node: dict[str, Any]) -> list[str]:
    """Return the words that the control of an accessible node shows."""
    found = session.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})
    shown = session.send(
        "Runtime.callFunctionOn",
        {
            "objectId": found["object"]["objectId"],
            "functionDeclaration": WORDS,
            "returnByValue": True,
        },
    )
    return letters(shown["result"]["value"])


def misnamed(page: Page, least: int) -> list[tuple[str, str]]:
    """Return the names of the controls that lack a word which is seen, each with these words."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    wrong = []
    count = 0
    for node in nodes:
        if node["ignored"] or node["role"]["value"] not in ROLES:
            continue
        name = node.get("name", {}).get("value", "")
        shown = words_of(session, node)
        count += bool(shown)
        if name != PUBLIC and " ".join(shown) not in " ".join(letters(name)):
            wrong.append((name, " ".join(shown)))
    session.detach()
    assert count >= least, "controls with words"
    return wrong


def open_widget(page: Page, folder: Path, module: Path, traits: dict[str, Any]) -> None:
    """Open a widget as a notebook does: its module, with a model that holds its traits."""
    code = join(module).replace("export default { render };", "")
    path = folder / "widget.html"
    path.write_text(NOTEBOOK.format(module=code, traits=json.dumps(traits)), "utf-8")
    page.goto(path.as_uri())


MODES = {"usual": "", "predict": "q", "practice": "w", "edit": "e", "compare": "m", "share": "s"}


@pytest.mark.parametrize("mode", MODES)
def test_the_name_of_every_control_of_the_page_has_the_words_it_shows(
    page: Page, show: Show, mode: str
) -> None:
    (shown,) = show(trace(load("worked-example")), show="all")
    shown.open_more()
    shown.root.locator("summary", has_text="Rules").click()
    if MODES[mode]:
        shown.press(MODES[mode])
    assert misnamed(page, least=15) == []
    if mode == "practice":
        for name in ("Check", "Result", "Show the solution"):
            shown.click(name)
    elif mode != "predict":
        shown.click("Play")
    else:
        shown.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert misnamed(page, least=15) == []


@pytest.mark.parametrize("kind", ["cut", "skipped", "bv", "bound", "returned"])
def test_the_name_of_every_answer_has_the_words_it_shows(page: Page, show: Show, kind: str) -> None:
    (shown,) = show(trace(load("worked-example")), predict=[kind])
    shown.press(*["ArrowRight"] * 20)  # a question that is open holds them up
    assert shown.root.get_attribute("data-question") == kind
    assert misnamed(page, least=9) == []


def test_the_name_of_every_control_of_a_question_has_the_words_it_shows(
    page: Page, tmp_path: Path
) -> None:
    number = {"asks": "How many?", "choices": [], "between": [0, 9], "step": 1}
    questions = [{"key": "many", **number}]
    questions += [{"key": each["asks"], **each} for each in check_ups()["alpha-beta"]]
    traits = {"questions": questions, "answers": {}}
    open_widget(page, tmp_path, EXERCISES / "predictions.js", traits)
    assert misnamed(page, least=5) == []


def test_the_name_of_every_control_of_the_board_has_the_words_it_shows(
    page: Page, tmp_path: Path
) -> None:
    board = Board(TicTacToe.start()).view
    traits = {name: getattr(board, name) for name in ("state", "thinking", "problem", "decision")}
    open_widget(page, tmp_path, GAMES / "board.js", traits)
    page.locator("summary").click()
    assert misnamed(page, least=8) == []
    page.get_by_role("button", name="Set up").click()
    assert misnamed(page, least=3) == []
