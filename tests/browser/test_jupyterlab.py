"""The widget with its kernel, in a real JupyterLab and in Notebook 7."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from abviz import Checkers, Rules, load, trace
from abviz.tracing.narration import narrate
from abviz.tree.annotations import annotations_of
from tests.browser.driving import SIZE, Shown, eventually, new_context, wait_until
from tests.browser.jupyter import KERNEL, RUN, Notebook, Server
from tests.strategies import RULES
from tests.test_course import (
    NOTEBOOKS,
    SOLVED,
    as_it_stands,
    asked,
    given_away,
    with_solutions,
)

pytestmark = pytest.mark.browser

HOUSE = Path(__file__).resolve().parents[2]
WORKED, FIGURE = trace(load("worked-example")), trace(load("figure-4.24"))
WORKED_CUTS = [("F", "7", "6", "7"), ("C", "6", "2", "2"), ("J", "9", "8", "9")]
FIGURE_CUTS = [("I", "3", "0", "0"), ("G", "7", "5", "7")]
# As text: Playwright's own way with large answers is slow
CELLS = "JSON.stringify(panel.content.model.sharedModel.cells.map((cell) => cell.toJSON()))"
HOSTILE = ["<script>alert(1)</script>", "\"q\" 'q'", "back\\slash\\N", "two\nlines", "__proto__"]


def node(stepper: Shown, name: str) -> Locator:
    nodes = stepper.root.locator("[data-node]")
    return nodes.nth(
        nodes.evaluate_all("(nodes, name) => nodes.findIndex((e) => e.dataset.node === name)", name)
    )


def try_value(stepper: Shown, name: str, value: str) -> None:
    node(stepper, name).dblclick()  # the first click on a skipped leaf says why it was skipped
    expect(stepper.root.locator(".abviz-edit")).to_be_focused()
    stepper.page.keyboard.type(value)
    stepper.page.keyboard.press("Enter")


def leaf_text(stepper: Shown, name: str) -> list[str]:
    return node(stepper, name).locator("text").all_text_contents()


# the course


def check_steps_without_a_kernel(notebook: Notebook) -> None:
    notebook.page.evaluate("panel.sessionContext.shutdown()")
    for searched, cuts, value in [(WORKED, WORKED_CUTS, "8"), (FIGURE, FIGURE_CUTS, "4")]:
        title = notebook.page.locator(".abviz-title strong").get_by_text(
            searched.tree.title, exact=True
        )
        stepper = Shown(notebook.root.locator(".abviz-stepper", has=title).first)
        stepper.root.scroll_into_view_if_needed()
        stepper.press("Home")
        for cut, expected in zip(searched.cuts, cuts, strict=True):
            stepper.click("Next cut")
            assert stepper.bounds_at_current() == expected
            assert stepper.says == narrate(searched, cut.step)
            assert stepper.node(cut.skipped[0])["state"] == "skipped"
        stepper.press("End")
        assert stepper.node("A")["bv"] == value


HEIGHTS = """async () => {
  const seen = [];
  for (const [place, cell] of panel.content.widgets.entries()) {
    if (!cell.model.outputs?.length) continue;
    await panel.content.scrollToItem(place); // an output out of sight is not laid out
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const { offsetHeight } = cell.node.querySelector(".jp-Cell-outputWrapper");
    seen.push([cell.model.id, offsetHeight - panel.content.outerNode.clientHeight]);
  }
  return seen.filter(([, over]) => over > 0);
}"""


# A laptop of 768 pixels, inside its browser
LOW_LAPTOP: ViewportSize = {"width": 1366, "height": 625}
NEWCOMERS = ("00-start-here", "01-minimax", "02-alpha-beta")
CLIPPED = """async () => {
  const seen = [];
  for (const [place, cell] of panel.content.widgets.entries()) {
    if (!cell.model.outputs?.length) continue;
    await panel.content.scrollToItem(place);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (const tree of cell.node.querySelectorAll(".abviz-tree")) {
      if (!tree.checkVisibility()) continue;
      const [across, down] = [tree.scrollWidth - tree.clientWidth, tree.scrollHeight - tree.clientHeight];
      if (across > 0 || down > 0) seen.push([cell.model.id, across, down]);
    }
  }
  return seen;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_as_it_stands_and_with_the_solutions(
    server: Server, opened: Notebook, name: str
) -> None:
    """What its prose says is so, and no answer is given away. With the solutions every check is
    right. No output is taller than a laptop shows, and no tree of the first notebooks is clipped.
    The one on alpha-beta is then stepped without its kernel.
    """
    both = as_it_stands(name)
    both.cells += with_solutions(name)
    nbformat.write(both, server.folder / f"{name}.ipynb")
    opened.page.set_viewport_size({"width": 1366, "height": 768})
    with opened.beside(f"{name}.ipynb") as notebook:
        notebook.run_all()
        data = {"cells": json.loads(notebook.page.evaluate(CELLS)), "metadata": {}}
        cells = nbformat.v4.to_notebook(data).cells
        outputs = [output for cell in cells for output in cell.get("outputs", ())]
        assert outputs and not [output for output in outputs if output["output_type"] == "error"]

        before = [cell for cell in cells if not cell.id.endswith(SOLVED)]
        assert len(before) == len(cells) - len(with_solutions(name))
        assert given_away(before) == []

        verdicts = {cell.id: verdict(cell) for cell in cells}
        wrong = [
            verdicts[f"{each}-check{SOLVED}"]
            for each in asked(name)
            if not verdicts[f"{each}-check{SOLVED}"].startswith(f"{each}: right.")
        ]
        assert not wrong
        eventually(lambda: notebook.page.evaluate(HEIGHTS), [])
        if name in NEWCOMERS:
            opened.page.set_viewport_size(LOW_LAPTOP)
            eventually(lambda: notebook.page.evaluate(CLIPPED), [])
        if name == "02-alpha-beta":
            check_steps_without_a_kernel(notebook)
    opened.page.set_viewport_size(SIZE)


def verdict(cell: Any) -> str:
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", ())
    ]
    return "\n".join("".join(text) for text in texts)


# how much of a tree a laptop shows

FITS = {
    "the worked example": ("Stepper(load('worked-example'))", ""),
    "a question about the worked example": (
        "Stepper(load('worked-example'), step=11, predict=('cut',))",
        "",
    ),
    "questions about a small tree": (
        "Stepper(Tree([[3, 5], [2, 9]]), step=9, predict=('bound', 'cut'))",
        "",
    ),
    "an uneven tree": (
        "Stepper(load('uneven'), search=abviz.minimax, show='bv', predict=('bv', 'returned'))",
        "",
    ),
    "two small trees": ("Stepper(Tree([[3, 5], [2, 9]]), step=16)", "m"),
    "the figure": ("Stepper(load('figure-4.24'), step=13)", ""),
}

# How many pixels of the trees are out of sight, and how large the smallest of their numbers are:
# of the leaves, and of α, β and bv.
OUT_OF_SIGHT = """root => {
  const panes = [...root.querySelectorAll(".abviz-tree")].filter((pane) => pane.checkVisibility());
  const sizeOf = (text) => text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize);
  const sizes = (kind) => panes.flatMap((pane) => [...pane.querySelectorAll(kind)]).map(sizeOf);
  return {
    across: Math.max(...panes.map((pane) => pane.scrollWidth - pane.clientWidth)),
    down: Math.max(...panes.map((pane) => pane.scrollHeight - pane.clientHeight)),
    smallest: Math.min(...sizes(".abviz-value")),
    letters: Math.min(...sizes(".abviz-letter")),
  };
}"""


def test_on_a_laptop_the_trees_of_the_course_are_whole_and_can_be_read(lab: Notebook) -> None:
    lab.page.set_viewport_size(LOW_LAPTOP)
    lab.cell("import abviz")
    found = {}
    for name, (source, key) in FITS.items():
        stepper = lab.stepper(source)
        if key:
            stepper.press(key)
        stepper.ask(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        found[name] = stepper.ask(OUT_OF_SIGHT)
    lab.page.set_viewport_size(SIZE)

    clipped = {
        name: sizes for name, sizes in found.items() if sizes["across"] > 0 or sizes["down"] > 0
    }
    assert clipped == {}
    assert all(sizes["smallest"] >= 10 for sizes in found.values()), found
    assert found["the worked example"]["smallest"] >= 12
    assert found["the worked example"]["letters"] >= 11.9


# state goes both ways


def test_the_step_is_the_same_in_the_kernel_and_in_the_browser(lab: Notebook) -> None:
    stepper = lab.stepper('s = Stepper(load("worked-example")); s')
    assert (stepper.step, lab.ask("s.step")) == (0, "0")
    stepper.click("Next cut")
    eventually(lambda: lab.ask("s.step"), "17")
    stepper.press("ArrowRight", "ArrowRight")
    eventually(lambda: lab.ask("s.step"), "19")
    lab.do("s.step, s.speed, s.form = 32, 4, 'aima'")
    eventually(lambda: stepper.step, 32)
    assert stepper.says == narrate(WORKED, 32)
    eventually(lambda: stepper.root.get_by_label("Speed").input_value(), "4")
    eventually(lambda: stepper.root.get_by_label("Form of the pseudocode").input_value(), "aima")
    with pytest.raises(AssertionError, match=r"expected 0 .* to 55"):
        lab.do("s.step = 99")
    assert (stepper.step, lab.ask("s.step")) == (32, "32")
    stepper.press("w")  # practice hides the answers
    eventually(lambda: lab.ask("s.step"), "0")
    lab.do("s.step, s.form = 20, 'assignment'")
    eventually(
        lambda: stepper.root.get_by_label("Form of the pseudocode").input_value(), "assignment"
    )
    assert (stepper.step, stepper.says) == (0, narrate(WORKED, 0))
    stepper.press("w")
    eventually(lambda: stepper.step, 20)
    lab.do("s.predict = ['cut']")
    eventually(lambda: stepper.button("Predict").get_attribute("aria-pressed"), "true")
    stepper.press("q")
    eventually(lambda: lab.ask("s.predict"), "[]")


def test_a_busy_kernel_delays_no_step_and_no_echo_takes_one_back(lab: Notebook) -> None:
    free = lab.server.folder / "free"
    stepper = lab.stepper("import pathlib, time; s = Stepper(load('worked-example')); s")
    stepper.ask(
        """root => {
          window.steps = [];
          new MutationObserver(() => window.steps.push(Number(root.dataset.step)))
            .observe(root, { attributeFilter: ["data-step"] });
        }"""
    )
    busy = f"while not pathlib.Path({str(free)!r}).exists(): time.sleep(0.01)"
    lab.page.evaluate(
        "code => void panel.sessionContext.session.kernel.requestExecute({ code })", busy
    )
    stepper.press(*["ArrowRight"] * len(WORKED))
    free.touch()
    eventually(lambda: lab.ask("s.step"), str(len(WORKED)))
    lab.do("s.speed = 4")  # in the browser it arrives after all echoes
    eventually(lambda: stepper.root.get_by_label("Speed").input_value(), "4")
    assert lab.page.evaluate("steps") == list(range(1, len(WORKED) + 1))


@pytest.mark.parametrize("link", ["link", "jslink"])
def test_it_links_with_a_slider_of_ipywidgets(lab: Notebook, link: str) -> None:
    outputs = lab.cell(
        f"slider = ipywidgets.IntSlider(max={len(FIGURE)}); s = Stepper(load('figure-4.24')); "
        f"kept = ipywidgets.{link}((slider, 'value'), (s, 'step')); ipywidgets.VBox([slider, s])"
    )
    stepper = Shown(outputs.locator(".abviz-stepper"))
    stepper.root.wait_for()
    outputs.locator(".noUi-handle").focus()
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    eventually(lambda: stepper.step, 3)
    stepper.click("Next cut")
    expect(outputs.locator(".widget-readout")).to_have_text("17")
    eventually(lambda: lab.ask("(slider.value, s.step)"), "(17, 17)")


def test_runs_of_one_cell_leave_one_stepper_in_the_browser(lab: Notebook) -> None:
    lab.stepper("Stepper(load('deep-cut'))")
    models = "panel.sessionContext.session.kernel._comms.size"
    before = lab.page.evaluate(models)
    for _ in range(8):
        lab.page.evaluate(RUN, "notebook:run-cell")
    eventually(lambda: lab.page.evaluate(models), before)
    cell = lab.root.locator(".jp-Notebook-cell").last
    expect(cell.locator(".abviz-stepper")).to_have_count(1)


def test_a_stepper_works_after_its_kernel_has_been_restarted(
    server: Server, opened: Notebook
) -> None:
    server.write(
        "restart.ipynb", "from abviz import *", *["Stepper(load('figure-4.24'), step=17)"] * 2
    )
    with opened.beside("restart.ipynb") as notebook:
        notebook.run_all()
        steppers = notebook.root.locator(".abviz-stepper")
        expect(steppers).to_have_count(2)
        notebook.page.evaluate("panel.sessionContext.session.kernel.restart()")
        notebook.page.evaluate(KERNEL)
        Shown(steppers.first).click("Next")
        assert Shown(steppers.first).says == narrate(FIGURE, 18)
        for cell in (0, 1):
            notebook.page.evaluate(f"panel.content.activeCellIndex = {cell}")
            notebook.page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
        eventually(lambda: Shown(steppers.first).step, 17)
        Shown(steppers.last).click("Next")
        assert Shown(steppers.last).says == narrate(FIGURE, 18)


# asking Python


def test_a_what_if_changes_what_it_should_and_is_undone(lab: Notebook) -> None:
    """The value of a skipped leaf changes neither the root's value nor a cut; that of a leaf that
    was read may.
    """
    stepper = lab.stepper("s = Stepper(load('worked-example')); s")
    stepper.press("End")
    cuts = stepper.look()["cuts"]
    try_value(stepper, "f2", "-100")
    eventually(lambda: leaf_text(stepper, "f2"), ["−100", "was 9"])
    assert (stepper.node("A")["bv"], stepper.look()["cuts"]) == ("8", cuts)
    assert stepper.step == stepper.steps == len(WORKED)
    eventually(lambda: lab.ask("s.trace.value, len(s.trace.cuts)"), "(8, 3)")

    try_value(stepper, "i1", "5")
    changed = trace(WORKED.tree.with_value("f2", -100).with_value("i1", 5))
    eventually(lambda: stepper.node("A")["bv"], f"{changed.value:g}")
    assert changed.value != 8
    skipped = {name: cut.kind for cut in changed.cuts for name in cut.skipped}
    assert dict(stepper.look()["cuts"]) == skipped != dict(cuts)
    assert stepper.says == narrate(changed, len(changed))
    assert leaf_text(stepper, "f2") == ["−100", "was 9"], "the change before stays"
    again = lab.stepper("s")  # as after the page has been loaded again
    assert leaf_text(again, "i1") == ["5", "was 8"] and again.says == stepper.says

    stepper.press("Control+z", "Control+z")
    eventually(lambda: leaf_text(stepper, "i1"), ["8", "i1"])
    stepper.press("End")
    assert (stepper.node("A")["bv"], stepper.look()["cuts"]) == ("8", cuts)
    eventually(lambda: lab.ask("s.tree == load('worked-example')"), "True")


def test_two_cells_that_show_one_stepper_show_the_same(lab: Notebook) -> None:
    one = lab.stepper("s = Stepper(load('worked-example')); s")
    other = lab.stepper("s")
    own = one.look()

    try_value(one, "i1", "5")
    one.press("c")
    changed = trace(WORKED.tree.with_value("i1", 5))
    eventually(other.look, one.look())
    assert other.steps == len(changed) and other.step == changed.cuts[0].step

    other.press("Control+z", "Home")
    eventually(one.look, other.look())
    assert one.look() == own
    eventually(lambda: lab.ask("s.tree == load('worked-example'), s.step"), "(True, 0)")


def test_a_widget_asks_a_newcomer_once_in_a_browser(lab: Notebook) -> None:
    lab.page.evaluate("localStorage.removeItem('abviz habits')")
    cut = WORKED.cuts[0]
    for is_asked in (True, False):
        stepper = lab.stepper("s = Stepper(load('worked-example')); s")
        stepper.press(*["ArrowRight"] * cut.step)
        assert stepper.says.startswith("? Will the search read") == is_asked
        stepper.press("ArrowRight")
        eventually(lambda: lab.ask("s.step"), str(cut.step + (not is_asked)))


def test_a_leaf_is_changed_by_keys_and_in_full_screen_and_escape_takes_it_back(
    lab: Notebook,
) -> None:
    stepper = lab.stepper("s = Stepper(load('deep-cut')); s")
    stepper.press("f")
    wait_until(lab.page, "document.fullscreenElement !== null")
    box = stepper.root.bounding_box()
    assert box and [box["width"], box["height"]] == lab.page.evaluate("[innerWidth, innerHeight]")
    leaf = stepper.root.get_by_role("button", name="leaf F")
    field = stepper.root.get_by_label("New value of F")
    leaf.focus()
    lab.page.keyboard.press("Enter")
    expect(field).to_be_focused()
    field.fill("17")
    lab.page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    assert stepper.ask("root => root.contains(document.activeElement)"), (
        "the stepper keeps the keyboard"
    )
    leaf.focus()
    lab.page.keyboard.press("Enter")
    field.fill("7")
    lab.page.keyboard.press("Enter")
    eventually(lambda: lab.ask("s.trace.tree['F'].value"), "7")
    eventually(lambda: leaf_text(stepper, "F"), ["7", "was 3"])
    lab.page.keyboard.press("Home")
    assert stepper.step == 0, "the stepper has the keyboard again"
    stepper.press("f")
    wait_until(lab.page, "document.fullscreenElement === null")


def test_what_was_typed_for_a_tree_that_python_has_replaced_is_not_used(lab: Notebook) -> None:
    stepper = lab.stepper(
        "from abviz.views.bundle import tree_data; s = Stepper(load('deep-cut')); s"
    )
    not_used, same = "The tree has changed; your entry was not used.", "s.tree.with_value('F', 8)"
    for key, message, other in (
        ("Escape", "", same),
        ("Enter", not_used, same),
        ("Enter", not_used, "load('worked-example')"),
    ):
        stepper.root.get_by_role("button", name="leaf F").focus()
        lab.page.keyboard.press("Enter")
        lab.page.keyboard.type("77")
        lab.do(
            f"tree = s.tree; s.send({{'tree': tree_data(Tree.from_rows({other}.rows(), title='other'))}})"
        )
        expect(stepper.root.locator(".abviz-title strong")).to_have_text("other")
        lab.page.keyboard.press(key)
        expect(stepper.root.get_by_role("alert", include_hidden=True)).to_have_text(message)
        assert "77" not in lab.ask("[node.value for node in s.tree.nodes]")
        lab.do("s.send({'tree': tree_data(tree)})")


@pytest.mark.slow
def test_leaves_of_any_name_take_numbers(lab: Notebook) -> None:
    stepper = lab.stepper(
        f"s = Stepper(Tree({dict.fromkeys(HOSTILE, 1)!r}, title={''.join(HOSTILE)!r})); s"
    )
    for name in HOSTILE:
        try_value(stepper, name, "3")
        eventually(lambda name=name: leaf_text(stepper, name), ["3", "was 1"])
    eventually(lambda: lab.ask("s.trace.value, s.trace.best"), repr((3, HOSTILE[0])))


def test_a_position_of_checkers_is_stepped_with_its_boards(lab: Notebook) -> None:
    fen = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    searched = trace(Checkers.from_fen(fen), depth=2)
    stepper = lab.stepper(f"s = Stepper(Checkers.from_fen({fen!r}), depth=2); s")
    stepper.press("Home", "c")
    assert stepper.says == narrate(searched, searched.cuts[0].step)
    name = searched.cuts[0].skipped[0]
    assert "✂ 2 nodes" in leaf_text(stepper, name)
    node(stepper, name).click()
    expect(stepper.root.locator(".abviz-whose strong")).to_have_text(name)
    expect(stepper.root.locator(".abviz-edit")).to_have_count(0)

    leaf = "16-19 15-11 22x8 24x15"
    changed = trace(searched.tree.with_value(leaf, -500))
    assert annotations_of(changed.tree).folded(changed.tree[name]) is None, (
        "the search comes there now"
    )
    node(stepper, leaf).dblclick()
    stepper.page.keyboard.type("-500")
    stepper.page.keyboard.press("Enter")
    eventually(lambda: stepper.steps, len(changed))
    stepper.press("End")
    assert stepper.says == narrate(changed, len(changed))
    stepper.press("e")
    stepper.click("Undo")
    eventually(lambda: stepper.steps, len(searched))
    stepper.press("e")
    stepper.open_more()
    stepper.root.get_by_text("Rules", exact=True).click()
    stepper.root.get_by_label("Equal bounds").select_option("no cut on ties (>, <)")
    strict = trace(Checkers.from_fen(fen), depth=2, rules=Rules(strict=True))
    eventually(
        lambda: lab.ask("s.trace.rules.strict, len(s.trace.tree)"), repr((True, len(strict.tree)))
    )


def test_tree_search_and_rules_are_chosen_from_dropdowns(lab: Notebook) -> None:
    stepper = lab.stepper("s = Stepper(Tree([[3, 5], [2, 9]], title='My own'), show='all'); s")
    title = stepper.root.locator(".abviz-title strong")
    stepper.open_more()

    def choose(label: str, option: str) -> None:
        stepper.root.get_by_label(label, exact=True).select_option(option)

    choose("Tree", "1")
    eventually(lambda: stepper.steps, len(WORKED))
    eventually(lambda: lab.ask("s.tree.rows() == load('worked-example').rows()"), "True")
    expect(title).to_have_text(WORKED.tree.title)
    stepper.press("c")
    assert stepper.bounds_at_current() == WORKED_CUTS[0]
    choose("Search", "minimax")
    eventually(lambda: stepper.look()["cuts"], [])
    eventually(lambda: lab.ask("s.trace.search, s.trace.value"), "('minimax', 8)")
    stepper.press("End")
    expect(stepper.root.locator(".abviz-counts")).to_contain_text("12 leaves read")
    choose("Search", "alphabeta")
    eventually(lambda: lab.ask("s.trace.search"), "'alphabeta'")

    stepper.open_more()
    stepper.root.get_by_text("Rules", exact=True).click()
    labels = ("Equal bounds", "Update and test", "What a node returns", "Children", "Name of a cut")
    for rule, label in zip(RULES, labels, strict=True):
        choose(label, "on")
        eventually(lambda rule=rule: lab.ask(f"s.trace.rules.{rule}"), "True")
        expect(stepper.root.get_by_label(label, exact=True)).to_have_value("on")
    rules = f"Rules: {Rules(**dict.fromkeys(RULES, True))}"
    expect(stepper.root.locator(".abviz-rules")).to_have_text(rules)
    choose("Tree", "0")
    expect(title).to_have_text("My own")
    expect(stepper.root.locator(".abviz-rules")).to_have_text(rules)
    stepper.press("e")
    for button, name, chosen in [("Clear", "", "-1"), ("Undo", "My own", "0")]:
        stepper.click(button)
        expect(stepper.root.get_by_label("Tree", exact=True)).to_have_value(chosen)
        eventually(lambda name=name: lab.ask("s.tree.title"), repr(name))


# keys, in JupyterLab and in Notebook 7

LEAKY = [
    "d",
    "d",
    "a",
    "b",
    "x",
    "z",
    "m",
    "y",
    "r",
    "1",
    "0",
    "0",
    "l",
    "o",
    "j",
    "k",
    "h",
    "i",
    "i",
]
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
]


@pytest.fixture(
    scope="module", params=["JupyterLab", pytest.param("Notebook 7", marks=pytest.mark.slow)]
)
def opened_in(
    request: pytest.FixtureRequest, server: Server, browser: Browser, opened: Notebook
) -> Iterator[Notebook]:
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
def notebook(opened_in: Notebook) -> Iterator[Notebook]:
    with opened_in.watched():
        yield opened_in


def test_no_key_leaks_into_the_notebook(notebook: Notebook) -> None:
    """In command mode d d would delete the cell, a and b make new ones, x cut it, Enter edit it."""
    stepper = notebook.stepper("s = Stepper(load('worked-example')); s")
    notebook.command_mode()
    stepper.focus()
    before = notebook.state()
    for key in [*LEAKY, *OTHERS, "c", "v", " ", " "]:
        notebook.page.keyboard.press(key)
    after = notebook.state()
    assert after["cells"] == before["cells"]
    assert (after["active"], after["mode"]) == (before["active"], before["mode"])
    assert stepper.ask("root => root.contains(document.activeElement)")
    assert stepper.step == 17, "c was heard by the stepper"


def test_a_typed_value_is_not_heard_and_escape_hands_the_keyboard_back(notebook: Notebook) -> None:
    stepper = notebook.stepper("s = Stepper(load('deep-cut')); s")
    notebook.command_mode()
    before = notebook.state()
    node(stepper, "F").click()
    notebook.page.keyboard.type("ddabx")
    expect(stepper.root.get_by_label("New value of F")).to_have_value("ddabx")
    notebook.page.keyboard.press("Escape")
    assert notebook.state()["cells"] == before["cells"]
    notebook.command_mode()
    stepper.press("ArrowRight")
    notebook.page.keyboard.press("Escape")
    cells = notebook.cells()
    # Now keys make and delete a cell: else all this would prove nothing
    notebook.page.keyboard.press("b")
    eventually(lambda: len(notebook.cells()), len(cells) + 1)
    notebook.page.keyboard.press("d")
    notebook.page.keyboard.press("d")
    eventually(notebook.cells, cells)
    assert stepper.step == 1


def test_no_key_leaks_from_a_part_of_the_stepper_and_ctrl_s_saves(notebook: Notebook) -> None:
    """Some shortcuts are for whichever element has the focus within the notebook."""
    stepper = notebook.stepper("s = Stepper(load('figure-4.24'), step=16, predict=['kind']); s")
    for part in [".abviz-choice", "button[aria-label=Next]", "input[type=range]", "[data-node=N]"]:
        notebook.command_mode()
        stepper.slide(16)
        stepper.press("ArrowRight")
        stepper.root.locator(part).first.evaluate("part => part.focus()")
        before = notebook.state()
        for key in LEAKY[:-1]:
            notebook.page.keyboard.press(key)
        assert notebook.state()["cells"] == before["cells"], part
        assert stepper.ask("root => root.contains(document.activeElement)"), part
    step = stepper.step
    assert notebook.page.evaluate("panel.context.model.dirty")
    notebook.page.keyboard.press("Control+s")
    eventually(lambda: notebook.page.evaluate("panel.context.model.dirty"), False)
    saved = nbformat.read(notebook.server.folder / notebook.name, as_version=4)
    assert [cell.source for cell in saved.cells] == notebook.cells()
    assert stepper.step == step


# looks


@pytest.mark.slow
def test_in_every_theme_of_jupyterlab_text_has_contrast_and_nothing_moves(lab: Notebook) -> None:
    stepper = lab.stepper("s = Stepper(load('figure-4.24')); s")
    papers = []
    for theme in ["JupyterLab Dark", "JupyterLab Dark High Contrast", "JupyterLab Light"]:
        lab.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        wait_until(lab.page, f"document.body.dataset.jpThemeName === '{theme}'")
        for step in [0, 5, *(cut.step for cut in FIGURE.cuts), len(FIGURE)]:
            stepper.slide(step)
            # The theme's styles come later
            eventually(lambda: stepper.ask("root => probe.faint(root, 4.5)"), [])
        papers.append(stepper.ask("root => getComputedStyle(root).backgroundColor"))
    assert papers[0] != papers[2]
    stepper.press("Home")
    assert len(set(stepper.walk("Next", len(FIGURE), "probe.places"))) == 1


# without a kernel


@pytest.fixture(scope="module")
def saved(server: Server, opened: Notebook) -> Path:
    """A notebook as JupyterLab saves it, with a stepper at step 17 and a picture."""
    server.write("saved.ipynb", "from abviz import *", "Stepper(load('figure-4.24'), step=17)")
    with opened.beside("saved.ipynb") as notebook:
        notebook.run_all()
        outputs = notebook.root.locator(".jp-OutputArea-child")
        expect(outputs).to_have_count(2)
        notebook.root.locator(".abviz-stepper").wait_for()
        # Next to a live widget the picture would say everything twice
        expect(outputs.last).to_be_hidden()
        notebook.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        eventually(lambda: notebook.page.evaluate("panel.context.model.dirty"), False)
    assert "widgets" not in nbformat.read(server.folder / "saved.ipynb", as_version=4).metadata
    return server.folder / "saved.ipynb"


def expect_picture(picture: Locator) -> None:
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box and box["width"] > 200 and box["height"] > 200


def test_a_saved_notebook_shows_the_picture_when_opened_again_trusted_or_not(
    server: Server, opened: Notebook, saved: Path
) -> None:
    other = nbformat.read(saved, as_version=4)
    other.cells.append(nbformat.v4.new_markdown_cell("From somebody else."))
    nbformat.write(other, server.folder / "others.ipynb")
    for name, is_trusted in [("saved.ipynb", True), ("others.ipynb", False)]:
        with opened.beside(name) as notebook:
            assert notebook.page.evaluate("panel.content.model.cells.get(1).trusted") is is_trusted
            expect_picture(notebook.root.locator(".jp-OutputArea-child img"))
            assert notebook.root.locator(".abviz-stepper").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("execute", [False, True], ids=["as saved", "executed"])
def test_a_notebook_converted_to_html_shows_the_picture_offline(
    browser: Browser, saved: Path, tmp_path: Path, execute: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """nbconvert's own page fetches what it needs for widgets from the network; there is none here."""
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    settings: Any = {"ExecutePreprocessor": {"enabled": execute}}
    # To execute it needs an event loop; Playwright's runs in this thread
    with ThreadPoolExecutor() as pool:
        text, _ = pool.submit(
            lambda: HTMLExporter(config=settings).from_filename(str(saved))
        ).result()
    (tmp_path / "saved.html").write_text(text, encoding="utf-8")
    context = new_context(browser, offline=True)
    page = context.new_page()
    page.goto((tmp_path / "saved.html").as_uri(), wait_until="domcontentloaded")
    expect_picture(page.locator(".jp-OutputArea-output img"))
    context.close()
