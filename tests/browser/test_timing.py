"""The timing widget in a real JupyterLab: run, stopped, run again, compared, by mouse and by keyboard."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from abviz import Checkers
from abviz.parallel import parallel_search
from abviz.timing.pooling import rate
from abviz.timing.snapshots import HEADS
from tests.browser.driving import new_context
from tests.browser.jupyter import Notebook, Server

pytestmark = pytest.mark.browser

DEPTH, LONG = 13, 30  # a search of a moment, and one that would last for days


@pytest.fixture(scope="module")
def opened(server: Server, lab_page: Page) -> Notebook:
    server.write("timing.ipynb", "from abviz.timing import Timing")
    notebook = Notebook(lab_page, server, "timing.ipynb")
    notebook.run_all()
    return notebook


@pytest.fixture
def lab(opened: Notebook) -> Iterator[Notebook]:
    with opened.watched():
        yield opened
        opened.do("t.close()")


class Shown:
    """The widget on its page."""

    def __init__(self, lab: Notebook, source: str) -> None:
        self.lab, self.page = lab, lab.page
        self.root = lab.cell(source).locator(".abviz-timing")
        self.root.wait_for()
        self.root.scroll_into_view_if_needed()

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def field(self, name: str) -> Locator:
        return self.root.get_by_role("spinbutton", name=name)

    @property
    def says(self) -> Locator:
        return self.root.get_by_role("status")

    @property
    def rows(self) -> list[dict[str, str]]:
        lines = self.root.locator(".abviz-t-runs tbody tr:has(input)").all()
        cells = [line.locator("td").all_text_contents()[1:] for line in lines]
        return [dict(zip(HEADS, each, strict=True)) for each in cells]

    def begun(self) -> None:
        expect(self.root).to_have_attribute("data-running", "true")

    def ended(self) -> None:
        expect(self.root).to_have_attribute("data-running", "false")

    def bars(self) -> list[dict[str, Any]]:
        """Of every bar its move, its place and its width."""
        return list(
            self.root.evaluate(
                """root => [...root.querySelectorAll(".abviz-t-bar")].map((bar) => {
                  const { x, width } = bar.getBoundingClientRect();
                  return { move: bar.dataset.move, state: bar.dataset.state, x, width };
                })"""
            )
        )

    def height(self) -> float:
        return float(self.root.evaluate("root => root.getBoundingClientRect().height"))

    def faint(self) -> list[Any]:
        return list(self.root.evaluate("root => [...new Set(probe.faint(root, 4.5).map(String))]"))


def eventually(is_so: Callable[[], Any]) -> None:
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.02)
    assert is_so()


def test_a_run_is_watched_and_stopped_and_two_are_laid_one_over_the_other(lab: Notebook) -> None:
    shown = Shown(lab, f"t = Timing(depth={LONG}, workers=2, strategy='shared'); t")
    empty = shown.height()
    shown.button("Run").click()
    shown.begun()
    expect(shown.says).to_contain_text("Running: shared, 2 threads, depth 30.")
    moves = Checkers.start().moves()
    eventually(lambda: [bar["move"] for bar in shown.bars()] == moves[:2])  # at first they are too short for a name
    first = shown.bars()  # and then they grow
    eventually(lambda: all(late["width"] != early["width"] for early, late in zip(first, shown.bars(), strict=True)))
    assert shown.root.locator(".abviz-t-bound").all_text_contents() == ["α −∞", "α −∞"]
    assert lab.ask("6 * 7") == "42", "the kernel is free"
    assert shown.height() == empty
    shown.button("Stop").click()
    shown.ended()
    expect(shown.says).to_contain_text("Stopped after")
    assert [row["value"] for row in shown.rows] == ["stopped"]
    assert {bar["state"] for bar in shown.bars()} == {"cancelled"}
    assert shown.height() == empty

    shown.field("Depth").fill(str(DEPTH))
    shown.root.get_by_role("combobox", name="Strategy").select_option("young-brothers")
    shown.button("Run").click()
    eventually(lambda: len(shown.rows) == 2)
    shown.ended()
    assert shown.rows[1]["speed-up"] == "—"
    shown.button("Run the sequential search").click()
    eventually(lambda: len(shown.rows) == 3)
    wanted = parallel_search(Checkers.start(), DEPTH, strategy="sequential", workers=1)
    for row, strategy in zip(shown.rows[1:], ["young-brothers", "sequential"], strict=True):
        found = {name: row[name] for name in ("strategy", "position", "depth", "move", "value")}
        assert found == {
            "strategy": strategy,
            "position": "the start",
            "depth": str(DEPTH),
            "move": wanted.move,
            "value": str(wanted.value).replace("-", "−"),
        }
    assert shown.rows[2]["nodes"] == rate(wanted.nodes)
    assert [row["speed-up"] for row in shown.rows[1:]] == [
        lab.ask("f'{t.runs[1].speed_up(t.runs[2]):.2f}×'")[1:-1],
        "1.00×",
    ]
    assert lab.ask("[run.finished for run in t.runs]") == "[False, True, True]"

    # the two on one axis: what took longer reaches further
    assert shown.root.locator(".abviz-t-run").count() == 2
    ends = shown.root.locator(".abviz-t-run").evaluate_all(
        "runs => runs.map((run) => run.querySelector('.abviz-t-end').getBoundingClientRect().x)"
    )
    left = shown.root.locator(".abviz-t-track").first.evaluate("track => track.getBoundingClientRect().x")
    times = [float(each) for each in lab.ask("str([run['time'] for run in t.shown])").strip("'[]").split(",")]
    assert (ends[0] - left) / (ends[1] - left) == pytest.approx(times[0] / times[1], rel=0.02)
    # one of them is put away, and the stopped one taken in its place
    shown.root.get_by_role("checkbox", name="Show run 3").uncheck()
    eventually(lambda: shown.root.locator(".abviz-t-run").count() == 1)
    shown.root.get_by_role("checkbox", name="Show run 1").check()
    eventually(lambda: lab.ask("[run['number'] for run in t.shown]") == "[2, 1]")


def test_an_improved_search_shows_its_tasks_of_the_root_itself(lab: Notebook) -> None:
    shown = Shown(lab, f"t = Timing(depth={LONG}, workers=2, method='improved'); t")
    shown.button("Run").click()
    shown.begun()
    eventually(lambda: "the root" in [bar["move"] for bar in shown.bars()])
    expect(shown.says).to_contain_text("Running: young-brothers, improved, 2 threads, depth 30.")
    expect(shown.root.locator(".abviz-t-progress")).to_have_text(re.compile(r"about \d+ %"))
    shown.button("Stop").click()
    shown.ended()
    lab.do("t.run(depth=12); t.wait()")
    eventually(lambda: len(shown.rows) == 2)
    assert shown.rows[1]["strategy"] == "young-brothers, improved"
    bars = shown.bars()
    assert {"the root", *Checkers.start().moves()} >= {bar["move"].removeprefix("★ ") for bar in bars}
    assert bars[0]["move"] == "the root"
    shown.root.get_by_text("The tasks as a table").click()
    assert shown.root.get_by_role("region", name="Tasks").get_by_role("rowheader").first.text_content() == "the root"
    assert shown.faint() == []


def test_the_keyboard_reaches_all(lab: Notebook) -> None:
    """From the first field on with Tab alone; no key is heard by the notebook, where d d would delete the cell."""
    shown = Shown(lab, f"t = Timing(depth={DEPTH}, workers=2); t")
    lab.command_mode()
    cells = lab.cells()
    shown.root.get_by_role("combobox", name="Position").focus()
    reached = []
    for _ in range(5):
        shown.page.keyboard.press("Tab")
        reached.append(
            shown.page.evaluate(
                "document.activeElement.labels?.[0]?.firstChild.textContent ?? document.activeElement.textContent"
            )
        )
    assert reached == ["Depth", "Threads", "Strategy", "Run", "Stop"]
    shown.field("Depth").focus()
    shown.page.keyboard.press("Control+a")
    shown.page.keyboard.type("dd0")
    shown.page.keyboard.press("Enter")
    expect(shown.root.get_by_role("alert")).to_have_text("depth is 0; expected a whole number of moves, 1 to 99")
    shown.page.keyboard.press("Control+a")
    shown.page.keyboard.type("12")
    shown.page.keyboard.press("Enter")
    eventually(lambda: [row["depth"] for row in shown.rows] == ["12"])
    shown.button("Run").focus()
    shown.page.keyboard.type("dd")  # which a notebook leaves to a field by itself, and not to a button
    shown.page.keyboard.press("Enter")
    eventually(lambda: len(shown.rows) == 2)
    shown.root.get_by_role("checkbox", name="Show run 1").focus()
    shown.page.keyboard.press("Space")
    eventually(lambda: shown.root.locator(".abviz-t-run").count() == 2)
    assert shown.page.evaluate("document.activeElement.value") == "1", "the keyboard stays where it was"
    shown.root.get_by_text("The tasks as a table").focus()
    shown.page.keyboard.press("Enter")
    expect(shown.root.get_by_role("region", name="Tasks").get_by_role("row").first).to_contain_text(
        "bound at the start"
    )
    assert lab.cells() == cells


def test_two_widgets_on_a_page_know_nothing_of_each_other(lab: Notebook) -> None:
    one = Shown(lab, f"t = Timing(depth={LONG}); t")
    other = Shown(lab, f"u = Timing(depth={DEPTH}); u")
    one.button("Run").click()
    one.begun()
    other.button("Run").click()
    eventually(lambda: len(other.rows) == 1 and other.rows[0]["depth"] == str(DEPTH))
    one.begun()
    assert one.root.locator(".abviz-t-runs input").count() == 0
    # a second view, opened in the middle of the run, has the whole of it
    again = Shown(lab, "t")
    again.begun()
    eventually(lambda: len(again.bars()) == len(one.bars()) > 0)
    again.button("Stop").click()
    one.ended()
    lab.do("u.close()")


def test_letters_can_be_read_in_every_theme_and_width(lab: Notebook) -> None:
    shown = Shown(lab, f"t = Timing(depth={DEPTH}, workers=3); t.run(); t.wait(); t.measure(); t.wait(); t")
    shown.root.get_by_text("The tasks as a table").click()
    papers = []
    for theme in ["JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast"]:
        lab.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        lab.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        lab.page.wait_for_timeout(300)  # its stylesheet
        assert shown.faint() == [], theme
        papers.append(shown.root.evaluate("root => getComputedStyle(root).backgroundColor"))
    lab.page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
    assert papers[0] != papers[1]
    lab.page.evaluate("jupyterapp.shell.collapseLeft()")
    shown.root.get_by_text("The tasks as a table").click()
    for width in (700, 480):
        lab.page.set_viewport_size({"width": width, "height": 900})
        lab.page.wait_for_timeout(200)
        assert shown.root.evaluate("root => root.scrollWidth <= root.clientWidth"), f"nothing stands out at {width}"
        lab.do("t.show(1)")
        one = shown.height()
        lab.do("t.run()")
        shown.begun()
        running = shown.height()
        shown.ended()
        assert running == shown.height() == one, f"nothing moves at {width}"
    lab.page.set_viewport_size({"width": 1200, "height": 900})


def test_a_saved_notebook_shows_lanes_and_table_without_a_kernel(
    server: Server, browser: Browser, opened: Notebook
) -> None:
    source = f"t = Timing(depth={DEPTH}); t"
    server.write("saved.ipynb", "from abviz.timing import Timing", source, "t.run(); t.wait(); t.measure(); t.wait();")
    with opened.beside("saved.ipynb") as notebook:
        notebook.run_all()
        widget = notebook.root.locator(".abviz-timing")
        widget.wait_for()
        expect(notebook.root.locator(".abviz-timing-still")).to_be_hidden()  # beside the widget it would say all twice
        notebook.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        eventually(lambda: not notebook.page.evaluate("panel.context.model.dirty"))
        notebook.page.evaluate("panel.sessionContext.shutdown()")
        widget.get_by_role("button", name="Run", exact=True).click()
        expect(widget.get_by_role("status")).to_contain_text("The kernel has not answered yet")

    saved = nbformat.read(server.folder / "saved.ipynb", as_version=4)
    saved.cells.append(nbformat.v4.new_markdown_cell("From somebody else."))  # so that JupyterLab does not trust it
    nbformat.write(saved, server.folder / "others.ipynb")
    context = new_context(browser)
    notebook = Notebook(context.new_page(), server, "others.ipynb", kernel=False)
    image = notebook.page.locator(".jp-OutputArea-child img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    heads = notebook.page.locator(".jp-OutputArea-child th[scope=col]").all_text_contents()
    assert [head.replace("\u00a0", " ").replace("\u2011", "-") for head in heads] == ["run", *HEADS]
    assert notebook.page.locator(".jp-OutputArea-child tbody tr").count() == 2
    assert notebook.page.locator(".abviz-timing").count() == 0
    context.close()
