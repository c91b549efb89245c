"""A real JupyterLab, and Notebook 7, in a real browser: the widget with its kernel."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from abviz import Checkers, Rules, Tree, load, trace
from abviz.tracing.narration import sentence
from tests.browser.driving import Shown, new_context
from tests.browser.jupyter import Notebook, Server

pytestmark = pytest.mark.browser

HOUSE = Path(__file__).resolve().parents[2]
WORKED, FIGURE = trace(load("worked-example")), trace(load("figure-4.24"))
WORKED_CUTS = [("F", "beta", "7", "6", "7"), ("C", "alpha", "6", "2", "2"), ("J", "beta", "9", "8", "9")]
FIGURE_CUTS = [("I", "alpha", "3", "0", "0"), ("G", "beta", "7", "5", "7")]


@pytest.fixture(scope="module")
def opened(server: Server, lab_page: Page) -> Notebook:
    server.write("lab.ipynb", "from abviz import *", "import ipywidgets")
    notebook = Notebook(lab_page, server, "lab.ipynb")
    notebook.run_all()
    return notebook


@pytest.fixture
def lab(opened: Notebook) -> Iterator[Notebook]:
    """The notebook, open in JupyterLab with `from abviz import *` run; afterwards nothing may have gone wrong."""
    with opened.watched():
        yield opened


def eventually(is_so: Callable[[], Any], wanted: Any) -> None:
    """What crosses between browser and kernel takes a moment."""
    end = time.monotonic() + 120
    while (found := is_so()) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert found == wanted


def cut_here(shown: Shown) -> tuple[str | None, ...]:
    """The node that cuts, by what, and its α, β and bv."""
    at = shown.root.locator(".abviz-current").get_attribute("data-node") or ""
    node = shown.node(at)
    kinds = {kind for name, kind in shown.look()["cuts"] if FIGURE_OR_WORKED_PARENT.get(name) == at}
    return (at, *kinds, node["alpha"], node["beta"], node["bv"])


FIGURE_OR_WORKED_PARENT = {
    node.name: above.name
    for found in (WORKED, FIGURE)
    for node in found.tree.nodes
    if (above := found.tree.parent(node))
}


# the course


def test_the_notebook_on_alpha_beta_runs_and_is_stepped(server: Server, opened: Notebook) -> None:
    """Run All; then by clicks and by keys to each cut, with the α, β and bv of the sources."""
    shutil.copy(HOUSE / "notebooks" / "02-alpha-beta.ipynb", server.folder)
    with opened.beside("02-alpha-beta.ipynb") as notebook:
        run_and_stepped(notebook)


def run_and_stepped(notebook: Notebook) -> None:
    notebook.run_all()
    assert [output for output in notebook.page.evaluate(ERRORS) if output] == []

    worked = first_of(notebook, WORKED.tree)
    worked.press("Home")
    clicked = []
    for _ in WORKED.cuts:
        worked.click("Next cut")
        clicked.append(cut_here(worked))
    assert clicked == WORKED_CUTS
    worked.click("Last")
    assert worked.node("A")["bv"] == "8"

    figure = first_of(notebook, FIGURE.tree)
    figure.press("Home")
    pressed = []
    for at, skipped in [("I", "N"), ("G", "L")]:
        figure.press("c")
        pressed.append(cut_here(figure))
        assert [at, figure.node(skipped)["state"]] == [pressed[-1][0], "skipped"]
    assert pressed == FIGURE_CUTS
    figure.press("Shift+C")
    assert figure.says == sentence(FIGURE, figure.step)
    assert figure.says.startswith("Deep") and "MAX already has 3 at A" in figure.says
    lit = [name for kind, name, _ in figure.look()["lit"] if kind == "node"]
    assert sorted(lit) == sorted(["A", "B", "C", "D", "F", "I"])
    figure.press("End")
    assert figure.node("A")["bv"] == "4"

    notebook.page.evaluate("panel.sessionContext.shutdown()")
    figure.press("Home", "c", "ArrowLeft")
    assert (figure.step, figure.says) == (16, sentence(FIGURE, 16)), "stepping needs no kernel"


ERRORS = """panel.content.model.sharedModel.cells.flatMap((cell) =>
  (cell.toJSON().outputs ?? []).filter(({ output_type }) => output_type === "error").map(({ evalue }) => evalue))"""


def first_of(notebook: Notebook, tree: Tree) -> Shown:
    title = notebook.page.locator(".abviz-title strong").get_by_text(tree.title, exact=True)
    root = notebook.root.locator(".abviz-stepper", has=title).first
    root.scroll_into_view_if_needed()
    return Shown(root)


# state goes both ways


def test_the_step_is_the_same_in_the_kernel_and_in_the_browser(lab: Notebook) -> None:
    shown = lab.stepper('s = Stepper(load("worked-example")); s')
    assert (shown.step, lab.ask("s.step")) == (0, "0")
    shown.click("Next cut")
    eventually(lambda: lab.ask("s.step"), "17")
    shown.press("ArrowRight", "ArrowRight")
    eventually(lambda: lab.ask("s.step"), "19")
    lab.do("s.step = 32")
    eventually(lambda: shown.step, 32)
    assert shown.says == sentence(WORKED, 32)
    lab.do("s.speed = 4")
    eventually(lambda: shown.root.get_by_label("Speed").input_value(), "4")
    lab.do("s.form = 'aima'")
    eventually(lambda: shown.root.get_by_label("Form of the pseudocode").input_value(), "aima")
    with pytest.raises(AssertionError, match=r"expected 0 .* to 55"):
        lab.do("s.step = 99")
    assert (shown.step, lab.ask("s.step")) == (32, "32")


def test_a_busy_kernel_holds_up_no_step_and_no_echo_sets_one_back(lab: Notebook) -> None:
    shown = lab.stepper("import time; s = Stepper(load('worked-example')); s")
    shown.ask(
        """root => {
          window.steps = [];
          new MutationObserver(() => window.steps.push(Number(root.dataset.step)))
            .observe(root, { attributeFilter: ["data-step"] });
        }"""
    )
    lab.page.evaluate("void panel.sessionContext.session.kernel.requestExecute({ code: 'time.sleep(2)' })")
    for _ in range(len(WORKED)):
        shown.press("ArrowRight")
    eventually(lambda: lab.ask("s.step"), str(len(WORKED)))
    lab.page.wait_for_timeout(300)  # for an echo that comes late
    assert lab.page.evaluate("steps") == list(range(1, len(WORKED) + 1))


def test_full_screen_in_jupyterlab(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(load('figure-4.24'), step=17); s")
    shown.press("f")
    lab.page.wait_for_function("document.fullscreenElement !== null")
    box = shown.root.bounding_box()
    assert box and [box["width"], box["height"]] == lab.page.evaluate("[innerWidth, innerHeight]")
    try_value(shown, "M", "1")
    eventually(lambda: leaf_text(shown, "M"), ["1", "was 0"])
    shown.press("f")
    lab.page.wait_for_function("document.fullscreenElement === null")


@pytest.mark.parametrize("link", ["link", "jslink"])
def test_it_links_with_a_slider_of_ipywidgets(lab: Notebook, link: str) -> None:
    outputs = lab.cell(
        f"slider = ipywidgets.IntSlider(max={len(FIGURE)}); s = Stepper(load('figure-4.24')); "
        f"kept = ipywidgets.{link}((slider, 'value'), (s, 'step')); ipywidgets.VBox([slider, s])"
    )
    shown = Shown(outputs.locator(".abviz-stepper"))
    shown.root.wait_for()
    handle = outputs.locator(".noUi-handle")
    handle.focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    eventually(lambda: shown.step, 3)
    shown.click("Next cut")
    eventually(lambda: handle.get_attribute("aria-valuetext") or outputs.locator(".widget-readout").inner_text(), "17")
    eventually(lambda: lab.ask("(slider.value, s.step)"), "(17, 17)")


def test_two_views_of_one_stepper_go_together(lab: Notebook) -> None:
    outputs = lab.cell("s = Stepper(load('deep-cut')); display(s, s)")
    expect(outputs.locator(".abviz-stepper")).to_have_count(2)
    first, second = map(Shown, outputs.locator(".abviz-stepper").all())
    first.click("Next cut")
    eventually(lambda: second.step, first.step)
    assert first.step == 11
    second.click("Last")
    eventually(lambda: first.dom(), second.dom())


def test_a_cell_run_again_leaves_nothing_behind(lab: Notebook) -> None:
    """The stepper that was there no longer plays, nor does it hear keys."""
    shown = lab.stepper("s = Stepper(load('deep-cut')); s")
    shown.root.get_by_label("Speed").select_option("4")
    shown.click("Play")
    eventually(lambda: lab.ask("s.step > 0"), "True")
    lab.do("old = s")
    lab.page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
    again = Shown(lab.root.locator(".jp-Notebook-cell.jp-CodeCell").last.locator(".abviz-stepper"))
    eventually(lambda: again.root.count() and again.step, 0)
    before = lab.ask("old.step")
    lab.page.wait_for_timeout(700)
    assert lab.ask("old.step") == before
    again.press("ArrowRight")
    assert (again.step, again.root.count()) == (1, 1)


# asking Python


def test_a_leaf_that_was_skipped_can_be_anything(lab: Notebook) -> None:
    """A what-if on a skipped leaf changes neither the root's value nor a cut; on one that was read it may."""
    shown = lab.stepper("s = Stepper(load('worked-example')); s")
    shown.press("End")
    cuts = shown.look()["cuts"]
    try_value(shown, "f2", "-100")
    eventually(lambda: leaf_text(shown, "f2"), ["−100", "was 9"])
    assert (shown.node("A")["bv"], shown.look()["cuts"]) == ("8", cuts)
    assert shown.step == shown.steps == len(WORKED)
    assert lab.ask("s.trace.value, len(s.trace.cuts)") == "(8, 3)"

    try_value(shown, "i1", "5")
    changed = trace(WORKED.tree.with_value("f2", -100).with_value("i1", 5))
    eventually(lambda: shown.node("A")["bv"], as_text(changed.value))
    assert changed.value != 8
    skipped = {name: cut.kind for cut in changed.cuts for name in cut.skipped}
    assert dict(shown.look()["cuts"]) == skipped != dict(cuts)
    assert shown.says == sentence(changed, len(changed))
    assert leaf_text(shown, "f2") == ["−100", "was 9"], "what was tried before stays"

    shown.root.get_by_role("button", name="Undo what-ifs").click()
    eventually(lambda: leaf_text(shown, "i1"), ["8", "i1"])
    shown.press("End")
    assert (shown.node("A")["bv"], shown.look()["cuts"]) == ("8", cuts)
    expect(shown.root.get_by_role("button", name="Undo what-ifs")).to_be_hidden()


def test_a_leaf_is_changed_by_keys_too_and_esc_takes_it_back(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(load('deep-cut')); s")
    leaf = shown.root.get_by_role("button", name="leaf F")
    leaf.focus()
    lab.page.keyboard.press("Enter")
    field = shown.root.get_by_label("New value of F")
    expect(field).to_be_focused()
    field.fill("17")
    lab.page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    assert shown.ask("root => root.contains(document.activeElement)"), "the keyboard stays with the stepper"
    leaf.focus()
    lab.page.keyboard.press("Enter")
    field.fill("7")
    lab.page.keyboard.press("Enter")
    eventually(lambda: lab.ask("s.trace.tree['F'].value"), "7")
    eventually(lambda: leaf_text(shown, "F"), ["7", "was 3"])
    before = lab.ask("s.asked")
    lab.page.keyboard.press("Home")
    assert shown.step == 0, "the keyboard is the stepper's again"
    assert lab.ask("s.asked") == before


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\"q\" 'q'", "back\\slash\\N", "two\nlines", "__proto__"]
)
def test_a_leaf_of_any_name_can_be_changed(lab: Notebook, name: str) -> None:
    shown = lab.stepper(f"s = Stepper(Tree({{{name!r}: 1, 'B': 2}}, title={name!r})); s")
    shown.root.evaluate_handle("(root, name) => probe.node(root, name)", name).as_element().click()  # type: ignore[union-attr]
    lab.page.keyboard.type("3")
    lab.page.keyboard.press("Enter")
    eventually(lambda: leaf_text(shown, name), ["3", "was 1"])
    assert lab.ask("s.trace.value, s.trace.best") == repr((3, name))


def test_a_position_of_checkers_is_stepped_with_its_boards(lab: Notebook) -> None:
    """In a notebook too: a cut, a board, other rules, and a what-if that lets the search into what was folded."""
    fen = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    found = trace(Checkers.from_fen(fen), depth=2)
    shown = lab.stepper(f"s = Stepper(Checkers.from_fen({fen!r}), depth=2); s")
    shown.press("Home", "c")
    assert shown.says == sentence(found, found.cuts[0].step)
    name = found.cuts[0].skipped[0]
    skipped = shown.root.locator(f'[data-node="{name}"]')
    assert "✂ 2 nodes" in (skipped.text_content() or "")
    skipped.click()
    expect(shown.root.locator(".abviz-whose strong")).to_have_text(name)
    expect(shown.root.locator(".abviz-edit")).to_have_count(0)

    leaf = "16-19 15-11 22x8 24x15"
    changed = trace(found.tree.with_value(leaf, -500))
    assert changed.tree.folded(changed.tree[name]) is None, "the search comes there now"
    try_value(shown, leaf, "-500")
    eventually(lambda: shown.steps, len(changed))
    assert shown.says == sentence(changed, len(changed))
    shown.root.get_by_role("button", name="Undo what-ifs").click()
    eventually(lambda: shown.steps, len(found))
    shown.root.get_by_text("Rules", exact=True).click()
    shown.root.get_by_label("Equal bounds").select_option("cut only beyond (>, <)")
    strict = trace(Checkers.from_fen(fen), depth=2, rules=Rules(strict=True))
    eventually(lambda: lab.ask("s.trace.rules.strict, len(s.trace.tree)"), repr((True, len(strict.tree))))


@pytest.mark.parametrize("typed", ["six", "nan", "1; import os", "<b>", "--1", "٣٣x"])
def test_what_is_no_value_is_refused_in_one_line(lab: Notebook, typed: str) -> None:
    shown = lab.stepper("s = Stepper(load('deep-cut')); s")
    try_value(shown, "F", typed)
    problem = shown.root.get_by_role("alert")
    expect(problem).to_be_visible()
    text = problem.inner_text()
    assert "\n" not in text and "expected a number" in text
    assert lab.ask("s.trace.tree['F'].value") == "3"
    try_value(shown, "F", "4")
    eventually(lambda: leaf_text(shown, "F"), ["4", "was 3"])
    expect(problem).to_be_hidden()


def test_wins_and_unknown_values_can_be_tried(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(load('deep-cut')); s")
    for typed, text in [("inf", "∞"), ("−∞", "−∞"), ("2.5", "2.5")]:
        try_value(shown, "F", typed)
        eventually(lambda text=text: leaf_text(shown, "F"), [text, "was 3"])
    try_value(shown, "B", "?")
    expect(shown.root.get_by_role("alert")).to_contain_text("not known")
    assert leaf_text(shown, "B")[0] == "5"


def test_tree_search_and_rules_are_chosen_from_dropdowns(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(Tree([[3, 5], [2, 9]], title='My own')); s")
    tree = shown.root.get_by_label("Tree", exact=True)
    assert tree.locator("option").first.inner_text() == "My own"
    shown.press("End")
    tree.select_option("worked-example")
    eventually(lambda: (shown.step, shown.steps), (0, len(WORKED)))
    assert shown.root.locator(".abviz-title strong").inner_text() == WORKED.tree.title
    shown.press("c")
    assert cut_here(shown) == WORKED_CUTS[0]

    shown.root.get_by_label("Search", exact=True).select_option("minimax")
    eventually(lambda: shown.look()["cuts"], [])
    assert lab.ask("s.trace.search, s.trace.value") == "('minimax', 8)"
    assert "12 leaves read" in walk_to_the_end(shown)
    shown.root.get_by_label("Search", exact=True).select_option("alphabeta")
    eventually(lambda: lab.ask("s.trace.search"), "'alphabeta'")

    shown.root.get_by_text("Rules", exact=True).click()
    for label, option, attribute in [
        ("Equal bounds", "cut only beyond (>, <)", "strict"),
        ("Update and test", "test, then update", "test_first"),
        ("What a node returns", "fail-hard: bv within the window", "fail_hard"),
        ("Children", "right to left", "right_to_left"),
        ("Name of a cut", "named by the node", "name_by_node"),
    ]:
        shown.root.get_by_label(label, exact=True).select_option(label=option)
        eventually(lambda attribute=attribute: lab.ask(f"s.trace.rules.{attribute}"), "True")
        expect(shown.root.get_by_label(label, exact=True)).to_have_value("on")
    expected = (
        "cut only beyond the bound (>, <) · test, then update · fail-hard · right to left · cuts named by the node"
    )
    assert shown.root.locator(".abviz-rules").inner_text() == expected
    tree.select_option("this")
    eventually(lambda: shown.root.locator(".abviz-title strong").inner_text(), "My own")
    assert shown.root.locator(".abviz-rules").inner_text() == expected, "the rules stay when the tree changes"


def walk_to_the_end(shown: Shown) -> str:
    shown.press("End")
    return shown.root.locator(".abviz-counts").inner_text()


def try_value(shown: Shown, name: str, value: str) -> None:
    shown.root.evaluate_handle("(root, name) => probe.node(root, name)", name).as_element().click()  # type: ignore[union-attr]
    field = shown.root.get_by_label(f"New value of {name}")
    field.fill(value)
    field.press("Enter")


def leaf_text(shown: Shown, name: str) -> list[str]:
    node = "[...probe.node(root, name).querySelectorAll('text')].map(text => text.textContent)"
    return list(shown.ask(f"(root, name) => {node}", name))


def as_text(value: float) -> str:
    return f"{value:g}"


# keys, in both houses

LEAKY = ["d", "d", "a", "b", "x", "z", "m", "y", "r", "1", "0", "0", "l", "o", "j", "k", "h", "i", "i"]
OTHERS = [
    "Enter",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "Shift+Enter",
    "Shift+L",
    "Shift+J",
    "Delete",
    "Backspace",
    "c",
    "v",
    " ",
    " ",
]


@pytest.fixture(scope="module", params=["JupyterLab", "Notebook 7"])
def opened_in(request: pytest.FixtureRequest, server: Server, browser: Browser, opened: Notebook) -> Iterator[Notebook]:
    if request.param == "JupyterLab":
        yield opened
        return
    server.write("seven.ipynb", "from abviz import *", "import ipywidgets")
    context = new_context(browser)
    notebook = Notebook(context.new_page(), server, "seven.ipynb", "notebooks")
    notebook.run_all()
    yield notebook
    context.close()


@pytest.fixture
def house(opened_in: Notebook) -> Iterator[Notebook]:
    with opened_in.watched():
        yield opened_in


def test_no_key_leaks_into_the_notebook(house: Notebook) -> None:
    """In command mode d d would delete the cell, a and b make new ones, x cut it, Enter edit it."""
    shown = house.stepper("s = Stepper(load('worked-example')); s")
    house.command_mode()
    shown.focus()
    before = house.state()
    for key in [*LEAKY, *OTHERS]:
        house.page.keyboard.press(key)
    assert house.state()["cells"] == before["cells"]
    assert {key: house.state()[key] for key in ("active", "mode")} == {key: before[key] for key in ("active", "mode")}
    assert shown.ask("root => root.contains(document.activeElement)")
    assert shown.step == 17, "c was heard where it belongs"


@pytest.mark.parametrize("part", ["button[aria-label=Next]", "input[type=range]", "[data-node=N]", ".abviz-choice"])
def test_no_key_leaks_from_a_part_of_the_stepper(house: Notebook, part: str) -> None:
    """Some shortcuts are for whatever has the focus within the notebook."""
    shown = house.stepper("s = Stepper(load('figure-4.24'), step=16, predict=['kind']); s")
    house.command_mode()
    shown.press("ArrowRight")
    shown.root.locator(part).first.evaluate("part => part.focus()")
    before = house.state()
    for key in LEAKY[:-1]:
        house.page.keyboard.press(key)
    assert house.state()["cells"] == before["cells"]
    assert shown.ask("root => root.contains(document.activeElement)")


def a_cell_is_added_and_deleted_by_keys(house: Notebook) -> None:
    before = house.cells()
    house.page.keyboard.press("b")
    eventually(lambda: len(house.cells()), len(before) + 1)
    house.page.keyboard.press("d")
    house.page.keyboard.press("d")
    eventually(house.cells, before)


def test_the_same_keys_do_work_outside(house: Notebook) -> None:
    """Else the test above would prove nothing."""
    house.stepper("s = Stepper(load('deep-cut')); s")
    house.command_mode()
    a_cell_is_added_and_deleted_by_keys(house)


def test_esc_hands_the_keyboard_back_to_the_notebook(house: Notebook) -> None:
    shown = house.stepper("s = Stepper(load('deep-cut')); s")
    house.command_mode()
    shown.press("ArrowRight")
    house.page.keyboard.press("Escape")
    a_cell_is_added_and_deleted_by_keys(house)
    assert shown.step == 1


@pytest.mark.parametrize("modifier", ["Control"])
def test_ctrl_s_saves_from_within_the_stepper(house: Notebook, modifier: str) -> None:
    shown = house.stepper("s = Stepper(load('deep-cut')); s")
    shown.press("ArrowRight")
    assert house.page.evaluate("panel.context.model.dirty")
    house.page.keyboard.press(f"{modifier}+s")
    eventually(lambda: house.page.evaluate("panel.context.model.dirty"), False)
    saved = nbformat.read(house.server.folder / house.name, as_version=4)
    assert [cell.source for cell in saved.cells] == house.cells()
    assert shown.step == 1


def test_typing_a_value_is_not_heard_by_the_notebook(house: Notebook) -> None:
    shown = house.stepper("s = Stepper(load('deep-cut')); s")
    house.command_mode()
    before = house.state()
    shown.root.evaluate_handle("root => probe.node(root, 'F')").as_element().click()  # type: ignore[union-attr]
    house.page.keyboard.type("ddabx")
    expect(shown.root.get_by_label("New value of F")).to_have_value("ddabx")
    house.page.keyboard.press("Escape")
    assert house.state()["cells"] == before["cells"]


def test_a_question_is_answered_and_not_heard_by_the_notebook(house: Notebook) -> None:
    """By keys that mean something else there, and by a click that would otherwise change the leaf."""
    shown = house.stepper("s = Stepper(load('figure-4.24'), step=16, predict=['skipped', 'returned']); s")
    house.command_mode()
    before = house.state()
    shown.press("ArrowRight")
    eventually(lambda: shown.root.get_attribute("data-question"), "skipped")
    shown.root.evaluate_handle("root => probe.node(root, 'N')").as_element().click()  # type: ignore[union-attr]
    expect(shown.root.locator(".abviz-edit")).to_have_count(0)
    expect(shown.root.locator(".abviz-picked")).to_have_attribute("data-node", "N")
    for key in ["d", "d", "x", "1", "1", "Enter"]:
        house.page.keyboard.press(key)
    assert shown.says.startswith("✓ Right. Deep α-cut at I")
    for key in ["Enter", "ArrowRight"]:
        house.page.keyboard.press(key)
    field = shown.root.get_by_role("textbox")
    expect(field).to_be_focused()
    house.page.keyboard.type("ddabx0")
    expect(field).to_have_value("ddabx0")
    field.fill("0")
    house.page.keyboard.press("Enter")
    assert shown.says.startswith("✓ Right. I returns 0")
    assert house.state()["cells"] == before["cells"] and shown.step == 17
    house.page.keyboard.press("Enter")
    eventually(lambda: house.ask("s.step, s.predict"), "(18, ['skipped', 'returned'])")
    shown.press("p")
    eventually(lambda: house.ask("s.predict"), "[]")
    house.do("s.predict = True")
    expect(shown.button("Predict")).to_have_attribute("aria-pressed", "true")


# looks


def test_the_theme_of_jupyterlab(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(load('worked-example')); s")
    papers = []
    for theme in ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"]:
        lab.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        lab.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        lab.page.wait_for_timeout(300)  # its stylesheet
        for step in [0, 5, *(cut.step for cut in WORKED.cuts), len(WORKED)]:
            shown.slide(step)
            assert shown.ask("root => probe.faint(root, 4.5)") == [], f"{theme} at step {step}"
        papers.append(shown.ask("root => getComputedStyle(root).backgroundColor"))
    lab.page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
    assert papers[0] != papers[1]


def test_in_the_notebook_too_nothing_moves(lab: Notebook) -> None:
    shown = lab.stepper("s = Stepper(load('figure-4.24')); s")
    assert len(set(shown.walk("Next", len(FIGURE), "places"))) == 1


# without a kernel


@pytest.fixture(scope="module")
def saved(server: Server, opened: Notebook) -> Path:
    """A notebook as JupyterLab saves it, with a stepper at step 17 and a second picture."""
    server.write("saved.ipynb", "from abviz import *", "Stepper(load('figure-4.24'), step=17)")
    with opened.beside("saved.ipynb") as notebook:
        notebook.run_all()
        outputs = notebook.root.locator(".jp-OutputArea-child")
        expect(outputs).to_have_count(2)
        notebook.root.locator(".abviz-stepper").wait_for()
        expect(outputs.last).to_be_hidden()  # beside a widget that lives the picture would say all twice
        notebook.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        eventually(lambda: notebook.page.evaluate("panel.context.model.dirty"), False)
        notebook.page.evaluate("jupyterapp.commands.execute('kernelmenu:shutdown')")
    assert "widgets" not in nbformat.read(server.folder / "saved.ipynb", as_version=4).metadata
    return server.folder / "saved.ipynb"


@pytest.fixture(scope="module")
def again(server: Server, browser: Browser, saved: Path) -> Iterator[Notebook]:
    """The saved notebook in a JupyterLab in which it has not been run."""
    context = new_context(browser)
    yield Notebook(context.new_page(), server, saved.name)
    context.close()


def expect_the_picture(notebook: Notebook) -> None:
    picture = notebook.root.locator(".jp-OutputArea-child img")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box and box["width"] > 200 and box["height"] > 200
    assert notebook.root.locator(".abviz-stepper").count() == 0


def test_a_saved_notebook_shows_the_picture_when_opened_again(again: Notebook) -> None:
    expect_the_picture(again)


def test_so_does_somebody_elses_which_jupyterlab_does_not_trust(server: Server, saved: Path, again: Notebook) -> None:
    other = nbformat.read(saved, as_version=4)
    other.cells.append(nbformat.v4.new_markdown_cell("From somebody else."))
    nbformat.write(other, server.folder / "others.ipynb")
    with again.beside("others.ipynb") as notebook:
        assert not notebook.page.evaluate("panel.content.model.cells.get(1).trusted")
        expect_the_picture(notebook)


@pytest.mark.parametrize("way", ["as saved", "executed by nbconvert"])
def test_a_converted_notebook_shows_the_picture_offline(
    browser: Browser, saved: Path, tmp_path: Path, way: str
) -> None:
    """nbconvert's own page fetches what it needs for widgets from the network; there is none here."""
    options = ["--execute"] if way != "as saved" else []
    command = [sys.executable, "-m", "nbconvert", "--to", "html", *options, "--output-dir", str(tmp_path), str(saved)]
    environment = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1", "IPYTHONDIR": str(tmp_path / "ipython")}
    converted = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert converted.returncode == 0, converted.stderr
    context = new_context(browser, offline=True)
    page = context.new_page()
    page.goto((tmp_path / "saved.html").as_uri(), wait_until="domcontentloaded")
    picture = page.locator(".jp-OutputArea-output img")
    expect(picture).to_have_count(1)
    box = picture.bounding_box()
    assert box and box["width"] > 200 and box["height"] > 200
    context.close()
