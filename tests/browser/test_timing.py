"""The timing widget in a real JupyterLab: run, watched, stopped, compared, in light and dark, with
its keys kept.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from abviz.timing.lane_chart import LEFT
from tests.browser.jupyter import Notebook

pytestmark = pytest.mark.browser


@pytest.fixture
def lab(lab: Notebook) -> Iterator[Notebook]:
    lab.do("from abviz.timing import Timing")
    yield lab
    lab.do("t.close()")


def widget(lab: Notebook, source: str) -> Locator:
    root = lab.cell(f"t = {source}\nt").locator(".abviz-timing")
    root.get_by_role("button", name="Run").wait_for()
    root.scroll_into_view_if_needed()
    return root


def test_run_watch_stop_and_compare(lab: Notebook) -> None:
    root = widget(lab, "Timing(depth=40, workers=2, strategy='shared')")
    bars, status = root.locator(".bar"), root.get_by_role("alert")
    root.get_by_role("button", name="Run").click()
    expect(status).to_contain_text("Running shared, depth 40.")
    expect(bars).to_have_count(2)
    expect(bars.first).to_contain_text("9-13")
    costs = root.locator("svg > text", has_text=" nodes/s · idle ")
    expect(costs).not_to_have_text(costs.text_content() or "")  # it goes on
    assert lab.ask("6 * 7") == "42", "the kernel is free"
    root.get_by_role("button", name="Stop").click()
    expect(status).to_contain_text("Stopped: no move yet.")
    expect(bars.first).to_have_class("bar cancelled")

    depth = root.get_by_role("spinbutton", name="Depth")
    depth.fill("11")
    depth.press("Enter")
    rows = root.locator("tbody tr")
    for number, strategy in ((2, "sequential"), (3, "young-brothers")):
        root.get_by_role("combobox", name="Strategy").select_option(strategy)
        root.get_by_role("button", name="Run").click()
        expect(rows).to_have_count(number)
    expect(root.locator("th").filter(has_text="speed-up")).to_be_visible()
    root.get_by_role("combobox", name="Compare with").select_option("2: sequential, 1 worker")
    expect(root.locator(".end")).to_have_count(2)
    assert lab.ask("[run.finished for run in t.runs]") == "[False, True, True]"
    # both on one time axis
    ends = root.locator(".end").evaluate_all(
        "ends => ends.map((end) => parseFloat(end.getAttribute('x1')))"
    )
    times = [float(lab.ask(f"t.runs[{number}].time")) for number in (2, 1)]
    assert (ends[0] - LEFT) / (ends[1] - LEFT) == pytest.approx(times[0] / times[1], rel=0.02)


def test_stop_gives_the_keyboard_to_run_before_it_is_off(lab: Notebook) -> None:
    root = widget(lab, "Timing(depth=40, workers=2, strategy='shared')")
    run, stop = (root.get_by_role("button", name=name) for name in ("Run", "Stop"))
    expect(stop).to_be_disabled()
    run.focus()
    lab.page.keyboard.press("Enter")
    expect(stop).to_be_enabled()
    stop.focus()
    lab.page.keyboard.press("Enter")
    expect(stop).to_be_disabled()
    expect(run).to_be_focused()


def test_its_controls_look_like_those_of_the_board(lab: Notebook) -> None:
    look = """part => {
      const { height, borderRadius, borderTopWidth, borderTopColor, backgroundColor, color, fontSize } =
        getComputedStyle(part);
      return { height, borderRadius, borderTopWidth, borderTopColor, backgroundColor, color, fontSize };
    }"""
    other = lab.cell("b = Board(players=('you', 'you'))\nb").locator(".abviz-board")
    other.wait_for()
    root = widget(lab, "Timing(depth=9)")
    for ours, theirs in (("button", "button"), ("select", "select"), ("input", "input")):
        mine = root.locator(ours).first.evaluate(look)
        assert mine == other.locator(theirs).first.evaluate(look), ours
    lab.do("b.close()")


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_all_text_can_be_read(lab: Notebook, theme: str) -> None:
    lab.page.evaluate(
        "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
    )
    root = widget(lab, "Timing(depth=9, strategy='polling')")
    lab.do("t.run(); t.wait(); t.run(strategy='sequential'); t.wait(); t._compared.value = 1")
    expect(root.locator(".end")).to_have_count(2)
    light = "part => getComputedStyle(part).{}.match(/[0-9]+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0)"
    paper = root.locator("svg").evaluate(light.format("backgroundColor"))
    inks = [text.evaluate(light.format("fill")) for text in root.locator("svg text").all()]
    assert min(abs(ink - paper) for ink in inks) > 400, "of 765, from black to white"
    for text in root.locator(".bar text").all():
        assert text.evaluate(
            "t => t.getBBox().width + 4 <= t.parentElement.querySelector('rect').getBBox().width"
        )


def test_no_key_on_a_control_reaches_the_notebook(lab: Notebook) -> None:
    """Where B adds a cell and D D deletes one. Ctrl+S still saves, and Escape gives the keyboard
    back.
    """
    root = widget(lab, "Timing(depth=2)")
    lab.command_mode()
    cells = lab.cells()
    controls = [root.get_by_role("button", name=name) for name in ("Run", "Stop")]
    controls += [
        root.get_by_role("combobox", name=name) for name in ("Strategy", "Method", "Compare with")
    ]
    for control in (*controls, root.get_by_role("spinbutton", name="Depth")):
        control.focus()
        lab.page.keyboard.type("bdd")
    assert lab.cells() == cells
    controls[0].focus()
    lab.page.keyboard.press("Control+s")
    lab.page.wait_for_function("!panel.context.model.dirty")
    lab.page.keyboard.press("Enter")
    expect(root.locator("tbody tr")).to_have_count(1)
