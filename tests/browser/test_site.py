"""The web edition in a browser, from a folder below a server's root, with no request to elsewhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from abviz import TicTacToe
from abviz.exercises.predictions import check_ups
from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import trace
from abviz.tree.files import load
from tests.browser.site import BYTES, built, faults_of, served, tool

HOUSE = Path(__file__).resolve().parents[2]
CHAPTER = "01-minimax"
SECONDS = 120_000  # milliseconds that Python may take to load on a busy machine

RIGHT = """def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)
"""
WRONG = RIGHT.replace(" if node.is_max else min(values)", "")
ENDLESS = "while True:\n    pass\n"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with one chapter, in a folder below a server's root."""
    folder = tmp_path_factory.mktemp("server") / "some" / "course"
    built(folder, [CHAPTER])
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of that site."""
    with served(folder.parents[1]) as address:
        yield f"{address}some/course/"


@pytest.fixture
def chapter(browser: Browser, site: str) -> Iterator[Page]:
    """The chapter, opened for the first time, on which nothing may go wrong."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    faults = faults_of(page, site)
    open_chapter(page, site)
    yield page
    context.close()
    assert faults == []


def open_chapter(page: Page, site: str) -> None:
    page.goto(f"{site}{CHAPTER}/")
    page.wait_for_selector("html[data-ready]")


def write(page: Page, cell: str, source: str) -> None:
    page.locator(f"#{cell} .box textarea").fill(source)


def run(page: Page, cell: str, ends: str = "done") -> Any:
    """Run the cell, and return what it shows."""
    page.locator(f"#{cell} button.run").click()
    page.wait_for_selector(
        f"#{cell}:is([data-state=done], [data-state=failed], [data-state=ended])", timeout=SECONDS
    )
    assert page.locator(f"#{cell}").get_attribute("data-state") == ends
    return page.locator(f"#{cell} .outputs")


# All that the status of a cell says from now on
STATUSES = """(cell) => {
    const status = document.querySelector(`#${cell} .status`);
    window.statuses = [];
    new MutationObserver(() => statuses.push(status.textContent)).observe(status, {
        childList: true,
    });
}"""


def test_while_python_is_loaded_its_size_is_shown(chapter: Page) -> None:
    chapter.evaluate(STATUSES, "equation-run")
    run(chapter, "equation-run")
    loading = [text for text in chapter.evaluate("statuses") if text.startswith("Loading")]
    assert loading and all(
        re.fullmatch(r"Loading Python: \d+\.\d of \d+\.\d MB …", text) for text in loading
    )


def test_a_long_line_is_read_from_its_start_again_once_the_cell_runs(chapter: Page) -> None:
    chapter.set_viewport_size({"width": 390, "height": 844})
    field = chapter.locator("#equation-run textarea")
    field.fill("1 + 1  # " + "a long line " * 20)
    field.press("End")
    assert field.evaluate("(it) => it.scrollLeft") > 0
    assert run(chapter, "equation-run").inner_text().strip() == "2"
    assert field.evaluate("(it) => it.scrollLeft") == 0


def test_a_stepper_steps_before_any_python_is_loaded(chapter: Page) -> None:
    stepper = chapter.locator("#flow-stepper .abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".abviz-where")).to_have_text("1 of 16")
    assert not any("python" in worker.url for worker in chapter.workers)


def test_an_answer_unfolds_what_waits_for_it_and_is_kept(chapter: Page, site: str) -> None:
    waits = chapter.locator("#own-because")
    expect(waits).to_be_hidden()
    field = chapter.locator("#own-predict input[type=number]")
    field.fill("7")
    field.evaluate("(it) => scrollBy(0, it.getBoundingClientRect().bottom - innerHeight)")
    field.press("Enter")
    expect(waits).to_be_visible()
    expect(chapter.locator("#own-reveal .revealed")).to_be_in_viewport(ratio=1)
    expect(chapter.locator("#own-reveal")).to_contain_text("You said 7; it's 6.")

    before = chapter.evaluate("scrollY")
    field.hover()
    chapter.mouse.wheel(0, 40)
    chapter.wait_for_function("(before) => scrollY > before", arg=before)
    field.press("Tab")
    expect(field).to_have_value("7")
    expect(chapter.locator("#own-reveal")).to_contain_text("You said 7; it's 6.")

    open_chapter(chapter, site)
    expect(chapter.locator("#own-because")).to_be_visible()
    expect(chapter.locator("#own-reveal")).to_contain_text("You said 7; it's 6.")


def test_an_answer_is_known_to_the_cells_that_run(chapter: Page, site: str) -> None:
    field = chapter.locator("#own-predict input[type=number]")
    field.fill("7")
    field.press("Enter")
    open_chapter(chapter, site)
    for cell in ("own-predict", "own-reveal"):
        chapter.locator(f"#{cell} summary").click()
    expect(run(chapter, "own-reveal")).to_contain_text("You said 7; it's 6.")
    expect(run(chapter, "own-predict").locator("input[type=number]")).to_have_value("7")


def test_what_waits_for_an_answer_can_be_shown_without_one(chapter: Page) -> None:
    chapter.locator("[data-until=minimax-root] button").click()
    expect(chapter.locator("#own-because")).to_be_visible()
    expect(chapter.locator("#own-reveal")).to_contain_text("The answer is 6.")


def test_what_was_shown_stays_in_sight_where_the_reader_has_written(
    chapter: Page, site: str
) -> None:
    chapter.locator("[data-until=minimax-root] button").click()
    chapter.locator("#own-reveal summary").click()
    write(chapter, "own-reveal", "6")
    open_chapter(chapter, site)
    expect(chapter.locator("#own-because")).to_be_visible()
    assert chapter.locator("#own-reveal textarea").input_value() == "6"


def test_two_tabs_of_a_page_hold_the_same_answer(chapter: Page, site: str) -> None:
    other = chapter.context.new_page()
    open_chapter(other, site)
    write(chapter, "minimax-yours", RIGHT)
    expect(other.locator("#minimax-yours textarea")).to_have_value(RIGHT)

    other.locator("#minimax-yours textarea").press("Control+End")
    other.keyboard.type("# mine")
    expect(chapter.locator("#minimax-yours textarea")).to_have_value(f"{RIGHT}# mine")
    expect(chapter.locator("#minimax-yours button", has_text="Start over")).to_be_visible()


def test_a_students_work(chapter: Page, site: str) -> None:
    write(chapter, "minimax-yours", WRONG)
    shown = run(chapter, "minimax-check")
    expect(shown).to_contain_text("minimax: wrong")
    heard = chapter.locator("#minimax-check").get_by_role("status").filter(has_text=": ").first
    expect(heard).to_have_text("minimax: wrong")
    expect(shown).not_to_contain_text("new cell")  # a page has none: the run is shown
    expect(shown.locator(".abviz-stepper")).to_be_visible()
    expect(shown).to_contain_text("MIN")  # the mistake, by its name
    expect(shown.locator("svg, img").first).to_be_visible()

    stale = chapter.locator("#minimax-check .stale")
    expect(stale).to_be_hidden()
    write(chapter, "minimax-yours", RIGHT)
    expect(stale).to_have_text("From before your change: not checked since.")
    expect(chapter.locator("#minimax-show .stale")).to_have_text("From before your change.")
    expect(chapter.locator("#equation-run .stale")).to_be_hidden()  # it uses none of that
    run(chapter, "minimax-yours")
    expect(chapter.locator("#minimax-yours .status")).to_have_text("Done.")
    expect(run(chapter, "minimax-check")).to_contain_text("minimax: right")
    expect(heard).to_have_text("minimax: right")
    expect(stale).to_be_hidden()
    expect(chapter.locator("#minimax-check .outputs")).not_to_contain_text("wrong")

    stepper = run(chapter, "minimax-show").locator(".abviz-stepper")
    steps = len(trace(load("two-min"), search=minimax))
    expect(stepper.locator(".abviz-where")).to_contain_text(f"of {steps}")
    before = stepper.locator(".abviz-says").inner_text()
    stepper.get_by_role("button", name="Previous", exact=True).click()
    assert stepper.locator(".abviz-says").inner_text() != before

    chapter.locator("#minimax-check").evaluate("(cell) => cell.scrollIntoView()")
    chapter.reload()
    chapter.wait_for_selector("html[data-ready]")
    expect(chapter.locator("#minimax-check")).to_be_in_viewport(ratio=0.9)
    assert chapter.locator("#minimax-yours textarea").input_value() == RIGHT
    expect(chapter.locator("#minimax-check .outputs")).to_have_text(
        "✓ minimax: right, before the page was reloaded."
    )
    write(chapter, "minimax-yours", f"{RIGHT}more = 1\n")
    expect(stale).to_be_visible()
    write(chapter, "minimax-yours", RIGHT)
    expect(stale).to_be_hidden()
    chapter.goto(site)
    progress = chapter.locator(f"[data-chapter='{CHAPTER}'] .progress")
    expect(progress).to_have_text("1 of 4 exercises checked right")
    open_chapter(chapter, site)
    expect(run(chapter, "minimax-check")).to_contain_text("minimax: right")


# Of each frame from now on: what the outputs of the cell hold, and how high they are
FRAMES = """(cell) => {
    const outputs = document.querySelector(`#${cell} .outputs`);
    window.frames = [];
    const look = () => {
        const isEarly = !!outputs.querySelector("[data-early]");
        frames.push([isEarly, outputs.innerText, outputs.offsetHeight]);
        requestAnimationFrame(look);
    };
    look();
}"""


def test_a_wrong_answers_tree_is_there_first_and_nothing_jumps(chapter: Page) -> None:
    write(chapter, "minimax-yours", WRONG)
    run(chapter, "minimax-yours")  # so that Python is loaded
    chapter.evaluate(FRAMES, "minimax-check")
    shown = run(chapter, "minimax-check")
    expect(shown.locator(".abviz-stepper .abviz-where")).to_be_visible()
    expect(shown.locator("img")).to_have_count(1)

    frames = chapter.evaluate("window.frames")
    early = [text for is_early, text, _ in frames if is_early]
    assert early and all("minimax: wrong" in text and "looks as if" not in text for text in early)
    assert "looks as if" in frames[-1][1] and not frames[-1][0]
    begins = next(place for place, (is_early, *_) in enumerate(frames) if is_early)
    heights = [height for *_, height in frames[begins:]]
    assert heights == sorted(heights), "what is below has moved up"


# What a sheet of paper cuts off, by its text
CUT_OFF = """() => [...document.querySelectorAll("main :is(pre, textarea, table)")]
    .filter((it) => it.checkVisibility())
    .filter((it) => it.scrollWidth > it.clientWidth
      || it.getBoundingClientRect().right > document.querySelector("main").clientWidth)
    .map((it) => it.value ?? it.textContent)"""


def test_on_paper_nothing_is_cut_off_and_a_chart_has_its_bars(chapter: Page) -> None:
    chapter.set_viewport_size({"width": 718, "height": 1047})  # A4
    row = "".join(f"<td>{column} column</td>" for column in range(9))
    chapter.locator("#equation-run .outputs").evaluate(
        "(outputs, html) => { outputs.innerHTML = html; }",
        f'<div class="output"><table><tr>{row}</tr></table></div>'
        f'<div class="output"><pre>{"wide " * 24}</pre></div>'
        '<div class="output"><svg><g class="bar"><path d="M0 0h9v9z"/></g></svg></div>',
    )
    assert chapter.evaluate(CUT_OFF) != []
    chapter.emulate_media(media="print")
    assert chapter.evaluate(CUT_OFF) == []
    expect(chapter.locator("#equation-run svg .bar path")).to_be_visible()
    expect(chapter.locator("#equation-run .box > .bar")).to_be_hidden()


def test_an_exception_shows_where_it_was_raised_in_the_readers_code(chapter: Page) -> None:
    write(chapter, "equation-run", "def half(n):\n    return n / 0\n\nhalf(1)\n")
    shown = run(chapter, "equation-run", ends="failed")
    text = shown.inner_text()
    assert "line 4, in <module>" in text and "return n / 0" in text
    assert "ZeroDivisionError" in text and "session.py" not in text
    heard = chapter.locator("#equation-run").get_by_role("status")
    expect(heard.filter(has_text="Error")).to_have_text("ZeroDivisionError: division by zero")


def test_a_box_has_a_name_of_its_own_and_says_how_the_keyboard_leaves_it(chapter: Page) -> None:
    labels = chapter.locator(".box textarea").evaluate_all("all => all.map((it) => it.ariaLabel)")
    assert len(labels) > 10 and len(set(labels)) == len(labels)

    field = chapter.locator("#equation-run textarea")
    keys = chapter.locator("#equation-run .keys")
    expect(keys).to_be_hidden()
    field.focus()
    expect(keys).to_have_text("Shift + Enter runs it; Escape, then Tab leaves it")
    expect(keys).to_be_visible()
    expect(field).to_have_attribute("title", keys.inner_text())
    chapter.keyboard.press("Escape")
    chapter.keyboard.press("Tab")
    expect(field).not_to_be_focused()
    expect(keys).to_be_hidden()


def test_a_page_that_was_opened_as_a_file_says_what_it_needs(
    browser: Browser, folder: Path
) -> None:
    context = browser.new_context()
    page = context.new_page()
    for path in (folder / "index.html", folder / CHAPTER / "index.html"):
        page.goto(path.as_uri())
        expect(page.locator("main .warning")).to_contain_text("run “python3 -m http.server”")
        expect(page.locator("h2").first).to_be_visible()
    context.close()


def test_without_javascript_the_questions_and_the_answers_of_a_check_up_can_be_read(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}{CHAPTER}/")
    read = page.locator("main").inner_text()
    assert "Which move should MAX choose?" in read
    questions = check_ups()["minimax"]
    for question in questions:
        assert question["asks"].replace("`", "") in read

    answers = page.locator("noscript details")
    expect(answers).to_have_count(len(questions))
    expect(answers.first.locator("p").first).to_be_hidden()
    answers.first.locator("summary").click()
    expect(answers.first.locator("p").first).to_have_text(questions[0]["answer"])
    context.close()


def test_the_address_of_a_heading_asks_nothing_of_the_trees(chapter: Page, site: str) -> None:
    chapter.goto("about:blank")
    chapter.goto(f"{site}{CHAPTER}/#watch-values-flow-up")
    chapter.wait_for_selector(".abviz-where")
    chapter.wait_for_function("() => scrollY > 300")
    expect(chapter.locator(".abviz-problem:not([hidden])")).to_have_count(0)


def test_an_endless_loop_is_stopped_and_the_page_lives_on(chapter: Page) -> None:
    write(chapter, "equation-run", ENDLESS)
    chapter.locator("#equation-run button.run").click()
    chapter.locator("#equation-run", has_text="Running …").wait_for(timeout=SECONDS)
    chapter.locator("#equation-run").get_by_role("button", name="Stop").click()
    expect(chapter.locator("#equation-run .status")).to_contain_text("Stopped.")
    assert chapter.locator("#equation-run textarea").input_value() == ENDLESS

    chapter.locator("#equation-run").get_by_role("button", name="Start over").click()
    assert run(chapter, "equation-run").inner_text().strip() == "3"
    chapter.locator("#equation-run").get_by_role("button", name="Bring mine back").click()
    assert chapter.locator("#equation-run textarea").input_value() == ENDLESS


def test_python_that_is_stopped_while_it_loads_is_loaded_by_the_next_run(chapter: Page) -> None:
    cell = chapter.locator("#equation-run")
    cell.locator("button.run").click()
    expect(cell.locator(".status")).to_contain_text("Python")
    cell.get_by_role("button", name="Stop").click()
    expect(cell.locator(".status")).to_contain_text("Stopped. Python starts again")
    assert run(chapter, "equation-run").inner_text().strip() == "3"


def test_python_that_breaks_down_is_said_at_once_and_starts_again(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    open_chapter(page, site)
    write(page, "minimax-yours", RIGHT)
    run(page, "minimax-yours")
    write(page, "equation-run", "import os\nos._exit(0)\n")
    run(page, "equation-run", ends="ended")
    expect(page.locator("#equation-run .status")).to_contain_text("Python broke down.")

    # What the cells above define is defined anew
    page.locator("#equation-run").get_by_role("button", name="Start over").click()
    expect(run(page, "minimax-check")).to_contain_text("minimax: right")
    context.close()


def test_a_cell_waits_for_the_one_that_runs(chapter: Page) -> None:
    write(chapter, "minimax-yours", ENDLESS)
    chapter.locator("#imports summary").click()
    cells = [chapter.locator(f"#{name}") for name in ("minimax-yours", "equation-run", "imports")]
    running, waiting, other = cells
    for cell in cells:
        cell.locator("button.run").click()
    for cell in (waiting, other):
        expect(cell.locator(".status")).to_have_text("Waiting for the cell that runs …")

    other.get_by_role("button", name="Stop").click()
    expect(other.locator(".status")).to_have_text("")
    expect(running.locator(".status")).to_have_text("Running …", timeout=SECONDS)
    running.get_by_role("button", name="Stop").click()
    expect(running.locator(".status")).to_contain_text("Stopped.")
    expect(waiting.locator(".outputs")).to_have_text(re.compile(r"^\s*3\s*$"))
    expect(waiting).to_have_attribute("data-state", "done", timeout=SECONDS)
    assert other.get_attribute("data-state") == "ended"


def test_code_above_that_is_stopped_is_no_problem_of_its_own(chapter: Page) -> None:
    write(chapter, "minimax-yours", ENDLESS)
    check = chapter.locator("#minimax-check")
    check.locator("button.run").click()
    expect(check.locator(".status")).to_have_text("Running the code above …", timeout=SECONDS)
    check.get_by_role("button", name="Stop").click()
    expect(check.locator(".status")).to_have_text("The code above was stopped: see there.")
    expect(chapter.locator(".status", has_text="Stopped. Python starts again")).to_have_count(1)


def test_clear_output_can_wait_for_what_comes_next(chapter: Page) -> None:
    clear = "from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)\n"
    write(chapter, "equation-run", clear)
    assert run(chapter, "equation-run").inner_text().strip() == "1"
    write(chapter, "equation-run", f"{clear}print(2)\n")
    assert run(chapter, "equation-run").inner_text().strip() == "2"


def test_a_cell_that_the_course_has_changed_is_offered_and_nothing_is_lost(
    chapter: Page, site: str
) -> None:
    kept = {"source": "mine", "of": "what the page had last year"}
    chapter.evaluate(
        """(kept) => {
            const course = new URL("../", location.href).pathname;
            localStorage.setItem(`abviz ${course} 01-minimax equation-run`, JSON.stringify(kept));
        }""",
        kept,
    )
    open_chapter(chapter, site)
    cell = chapter.locator("#equation-run")
    assert cell.locator("textarea").input_value() == "mine"
    expect(cell.locator(".status")).to_contain_text("newer version")

    cell.get_by_role("button", name="Start over").click()
    assert "max(min(" in cell.locator("textarea").input_value()
    open_chapter(chapter, site)
    cell.get_by_role("button", name="Bring mine back").click()
    assert cell.locator("textarea").input_value() == "mine"


def test_what_was_written_can_be_taken_along_as_the_notebook(chapter: Page) -> None:
    write(chapter, "minimax-yours", RIGHT)
    with chapter.expect_download() as downloading:
        chapter.get_by_role("button", name="Download as a notebook").click()
    taken = nbformat.read(downloading.value.path(), as_version=4)
    own = nbformat.read(HOUSE / "notebooks" / f"{CHAPTER}.ipynb", as_version=4)
    assert downloading.value.suggested_filename == f"{CHAPTER}.ipynb"
    changed = {
        cell.id: cell.source
        for cell, before in zip(taken.cells, own.cells, strict=True)
        if cell.source != before.source
    }
    assert changed == {"minimax-yours": RIGHT}


def test_it_says_once_that_the_browser_keeps_nothing(chapter: Page) -> None:
    chapter.evaluate(
        """() => {
            Storage.prototype.setItem = () => {
                throw new DOMException("full", "QuotaExceededError");
            };
        }"""
    )
    write(chapter, "equation-run", "1")
    write(chapter, "minimax-yours", "2")
    expect(chapter.locator(".warning")).to_have_count(1)


def test_the_front_page_plays_with_at_most_100_kilobytes(browser: Browser, site: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(site)
    page.wait_for_selector("html[data-ready]")
    stepper = page.locator("#stepper .abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".abviz-where")).to_contain_text("1 of")

    loaded = page.evaluate(BYTES)
    page.close()
    assert 50_000 < loaded <= 100_000


def test_pip_installs_abviz_from_the_address_on_the_front_page(
    front: Page, site: str, folder: Path, tmp_path: Path
) -> None:
    (wheel,) = folder.glob("*.whl")
    address = front.locator("#wheel").inner_text()
    assert address == f"{site}{wheel.name}"
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install"]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    subprocess.run(
        [*pip, "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path), address],
        check=True,
        env=environment,
    )
    shown = subprocess.run(
        [sys.executable, "-c", "import abviz; print(abviz.__file__, len(abviz.load('two-min')))"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert shown.stdout.split() == [str(tmp_path / "abviz" / "__init__.py"), "16"]


def test_an_address_of_the_front_page_opens_its_step_and_tree(browser: Browser, site: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{site}#step=5&tree=[[1,2],[3,4]]")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#stepper .abviz-stepper [data-node]")).to_have_count(7)
    page.close()


@pytest.fixture
def front(browser: Browser, site: str) -> Iterator[Page]:
    """The front page with its ending, on which nothing may go wrong."""
    page = browser.new_page(reduced_motion="reduce", viewport={"width": 1366, "height": 768})
    faults = faults_of(page, site)
    open_front(page, site)
    yield page
    page.close()
    assert faults == []


def open_front(page: Page, address: str) -> None:
    page.goto("about:blank")  # or another address of the page would not load it anew
    page.goto(address)
    page.wait_for_selector("#ending .abviz-stepper")


def test_both_steppers_of_the_front_page_have_the_letters_of_the_class(
    browser: Browser, site: str
) -> None:
    page = browser.new_page(reduced_motion="reduce")

    def lettered(route: Route) -> None:
        response = route.fetch()
        text, number = re.subn(r'"letters": ?"bv"', '"letters": "v"', response.text())
        assert number == 1
        route.fulfill(response=response, body=text)

    page.route(site, lettered)
    open_front(page, site)
    for _ in range(6):
        page.locator("#stepper").get_by_role("button", name="Next", exact=True).click()
    expect(page.locator("#stepper .abviz-pin.abviz-bv")).to_have_text("v 4")
    page.close()


def play(page: Page, square: str) -> None:
    page.get_by_role("button", name=f"{square}, empty").click()


def nodes_of_ending(page: Page) -> list[str]:
    found = page.locator("#ending [data-node]").evaluate_all(
        "(nodes) => nodes.map((node) => node.dataset.node)"
    )
    assert isinstance(found, list)
    return found


def nodes_below(cells: str) -> list[str]:
    """Return the names of the nodes of the position's tree, as Python has it."""
    return [node.name for node in TicTacToe.from_cells(cells).to_tree(2, fold=False).nodes]


def test_an_ending_is_played_to_the_loss_and_its_tree_follows(front: Page, site: str) -> None:
    status = front.locator("#ending .says")
    expect(status).to_have_text("It’s your turn: x.")
    below = front.locator("#course").evaluate("(it) => it.offsetTop")
    assert nodes_of_ending(front) == nodes_below("o.o ..x ..x")
    tree = front.locator("#ending .abviz-tree")
    assert tree.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "the tree is cut"

    play(front, "b3")
    expect(status).to_have_text("You played b3, and o answered a1. It’s your turn: x.")
    assert nodes_of_ending(front) == nodes_below("oxo ..x o.x")
    stepper = front.locator("#ending .abviz-stepper")
    stepper.press("End")
    expect(stepper.locator(".abviz-says")).to_contain_text("−1")
    assert stepper.get_attribute("data-value") == "-1"

    play(front, "a2")
    expect(status).to_contain_text("you lost. No move could have saved you")
    assert nodes_of_ending(front) == nodes_below("oxo ..x o.x")
    expect(front.locator("#ending .caption")).to_contain_text("before your last move")
    expect(front.get_by_role("button", name="b1, empty")).to_be_disabled()
    assert front.locator("#course").evaluate("(it) => it.offsetTop") == below

    open_front(front, front.url)
    expect(status).to_contain_text("You played a2, and o answered b2.")
    undo = front.get_by_role("button", name="Undo", exact=True).last
    undo.click()
    expect(status).to_have_text("You played b3, and o answered a1. It’s your turn: x.")
    assert front.url == f"{site}#ending=o.o..x..x,b3"
    expect(undo).to_be_focused()

    front.get_by_role("button", name="Start over").click()
    expect(status).to_have_text("It’s your turn: x.")
    expect(undo).to_be_disabled()
    assert nodes_of_ending(front) == nodes_below("o.o ..x ..x")


def test_another_ending_has_five_empty_squares_and_its_own_tree(front: Page) -> None:
    front.get_by_role("button", name="Another ending").click()
    cells = front.url.split("#ending=")[1]
    assert cells.count(".") == 5 and cells != "o.o..x..x"
    assert nodes_of_ending(front) == nodes_below(cells)


def test_an_address_has_a_step_of_the_tree_and_a_moment_of_the_ending(
    front: Page, site: str
) -> None:
    open_front(front, f"{site}#step=5&ending=.o.xo...x")
    above = front.locator("#stepper .abviz-stepper")
    expect(above).to_have_attribute("data-step", "5")
    assert nodes_of_ending(front) == nodes_below(".o.xo...x")
    expect(front.locator("#ending .board")).to_be_in_viewport()

    play(front, "b1")
    assert front.url.endswith("#step=5&ending=.o.xo...x,b1")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "expected nine of x, o and a dot"),
        ("<img src=x onerror=alert(1)>", 'the cells are "<img src=x'),
        ("xxx......", "as a game that x began can reach them"),
        (".........", "it has 9 empty squares; expected at most 6"),
        ("xxxoo....", "the game is over there"),
        ("o.o..x..x,a3", 'x can’t play "a3"; expected b3, a2, b2, a1, b1'),
        ("o.o..x..x,b3,a2,b2", "expected no more moves"),
    ],
)
def test_an_address_with_a_bad_ending_says_so_in_one_line(
    front: Page, site: str, asked: str, said: str
) -> None:
    open_front(front, f"{site}#ending={quote(asked)}")
    warning = front.locator("#ending .warning")
    expect(warning).to_contain_text("The address does not fit: ")
    expect(warning).to_contain_text(said)
    assert nodes_of_ending(front) == nodes_below("o.o ..x ..x")
    expect(front.locator("#stepper .abviz-problem")).to_be_hidden()


def test_practice_is_in_sight_and_has_the_keyboard(front: Page) -> None:
    stepper = front.locator("#stepper .abviz-stepper")
    for _ in range(2):  # pressed again, it stays
        front.get_by_role("button", name="Practice on this tree").click()
        expect(stepper).to_have_class(re.compile("abviz-practicing"))
        expect(stepper).to_be_in_viewport(ratio=0.99)
        assert stepper.evaluate("(it) => it.contains(document.activeElement)")


@pytest.mark.parametrize("size", [(1366, 768), (1366, 625), (1920, 1080)])
def test_the_tree_is_whole_on_the_first_screen_and_nothing_jumps(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(
        """window.moved = 0;
        new PerformanceObserver((list) => {
            for (const shift of list.getEntries()) moved += shift.value;
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    open_front(page, site)
    expect(page.locator("#stepper .abviz-stepper")).to_be_in_viewport(ratio=1)
    leaves = page.locator("#stepper [data-node]").last
    expect(leaves).to_be_in_viewport(ratio=1)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("moved") < 0.01
    page.close()


def test_the_front_page_says_in_one_line_what_each_chapter_is_about() -> None:
    course = tool("course")
    names = sorted(path.stem for path in course.NOTEBOOKS.glob("[0-9]*.ipynb"))
    assert sorted(course.lines_of_course()) == names[1:]


@pytest.fixture
def server_that_can_stop(site: str, browser: Browser) -> Iterator[tuple[Page, Any]]:
    """A page, and what makes every request fail from then on, as without a network."""
    context = browser.new_context(reduced_motion="reduce", service_workers="allow")
    page = context.new_page()
    yield page, lambda: context.set_offline(True)
    context.close()


def test_a_visited_page_opens_without_a_network(
    server_that_can_stop: tuple[Page, Any], site: str
) -> None:
    page, stop = server_that_can_stop
    open_chapter(page, site)
    page.wait_for_selector("html[data-kept]")
    stop()
    open_chapter(page, site)
    stepper = page.locator("#flow-stepper .abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".abviz-where")).to_have_text("1 of 16")


def test_the_whole_site_can_be_kept_and_then_python_runs_without_a_network(
    server_that_can_stop: tuple[Page, Any], site: str
) -> None:
    page, stop = server_that_can_stop
    page.goto(site)
    keep = page.get_by_role("button", name=re.compile(r"^Keep offline \(\d+ MB\)$"))
    keep.click()
    expect(page.locator("#offline")).to_contain_text("opens without a network", timeout=SECONDS)
    stop()
    open_chapter(page, site)
    page.evaluate(STATUSES, "equation-run")
    assert run(page, "equation-run").inner_text().strip() == "3"
    assert page.evaluate("statuses")[0] == "Starting Python …"  # none of it has to be loaded


@pytest.fixture
def editions(tmp_path: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """A site that can change: its address and its folder."""
    course = tmp_path / "course"
    shutil.copytree(folder, course)
    with served(tmp_path) as address:
        yield f"{address}course/", course


def change_edition(course: Path) -> None:
    """Put another edition in the place of this one, as a build does when a file has changed."""
    (old,) = course.glob("files-*")
    new = f"files-{'0' * 10}"
    old.rename(course / new)
    for path in (*course.rglob("*.html"), course / "files.json"):
        text = path.read_text("utf-8").replace(old.name, new)
        path.write_text(text.replace("<main", '<main data-edition="2"'), "utf-8")
    notebook = course / CHAPTER / f"{CHAPTER}.ipynb"
    content = json.loads(notebook.read_text("utf-8"))
    content["cells"][0]["source"] = "# The second edition"
    notebook.write_text(json.dumps(content), "utf-8")


def keep_offline(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("button", name=re.compile("^Keep offline")).click()
    expect(page.locator("#offline")).to_contain_text("opens without a network", timeout=SECONDS)


def test_what_is_kept_is_of_one_edition_and_the_latest(
    server_that_can_stop: tuple[Page, Any], editions: tuple[str, Path]
) -> None:
    page, stop = server_that_can_stop
    site, course = editions
    open_chapter(page, site)
    page.wait_for_selector("html[data-kept]")
    keep_offline(page, site)
    change_edition(course)
    keep_offline(page, site)
    stop()
    open_chapter(page, site)
    expect(page.locator("main")).to_have_attribute("data-edition", "2")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download as a notebook").click()
    taken = nbformat.read(downloading.value.path(), as_version=4)
    assert taken.cells[0].source == "# The second edition"


def test_a_page_whose_edition_is_gone_says_what_to_do(
    browser: Browser, editions: tuple[str, Path]
) -> None:
    site, course = editions
    page = browser.new_page(reduced_motion="reduce")
    open_chapter(page, site)
    change_edition(course)
    run(page, "equation-run", ends="ended")
    expect(page.locator("#equation-run .status")).to_contain_text("reload the page")
    open_chapter(page, site)
    assert run(page, "equation-run").inner_text().strip() == "3"
    page.close()


@pytest.mark.parametrize(
    ("file", "whole", "said"),
    [
        ("packages.zip", b"", "packages.zip: 404"),
        ("pyodide.asm.wasm.packed", b"", "pyodide.asm.wasm: 404"),
        ("pyodide.asm.wasm.packed", slice(1_000_000), "pyodide.asm.wasm: incomplete"),
        ("packages.zip", slice(1_000_000), "not a zip file"),
    ],
)
def test_a_file_of_python_that_does_not_come_is_named_and_asked_for_again(
    browser: Browser, editions: tuple[str, Path], file: str, whole: bytes | slice, said: str
) -> None:
    site, course = editions
    (path,) = course.glob(f"python-*/{file}")
    content = path.read_bytes()
    path.unlink()
    if isinstance(whole, slice):
        path.write_bytes(content[whole])

    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    open_chapter(page, site)
    run(page, "equation-run", ends="ended")
    expect(page.locator("#equation-run .status")).to_contain_text(f"{said}). Press Run")
    path.write_bytes(content)
    page.close()

    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    open_chapter(page, site)
    assert run(page, "equation-run").inner_text().strip() == "3"
    page.close()


def test_a_tree_whose_script_does_not_come_says_so(
    browser: Browser, editions: tuple[str, Path]
) -> None:
    site, course = editions
    for path in course.glob("files-*/*.js.packed"):
        path.unlink()
    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    for address, place in ((site, ".waits"), (f"{site}{CHAPTER}/", "#flow-stepper .output")):
        page.goto(address)
        page.wait_for_function(
            """(place) => getComputedStyle(document.querySelector(place), "::before")
            .content.includes("reload the page")""",
            arg=place,
        )
    page.close()


def test_two_courses_of_one_server_keep_apart(
    browser: Browser, site: str, editions: tuple[str, Path]
) -> None:
    _, course = editions
    shutil.copytree(course, course.with_name("other"))
    here, there = editions[0], editions[0].replace("/course/", "/other/")
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    keep_offline(page, here)
    open_chapter(page, here)
    write(page, "minimax-yours", RIGHT)
    page.locator("#own-predict input[type=number]").fill("7")
    page.locator("#own-predict input[type=number]").press("Enter")

    keep_offline(page, there)
    open_chapter(page, there)
    assert "not written yet" in page.locator("#minimax-yours textarea").input_value()
    expect(page.locator("#own-because")).to_be_hidden()

    context.set_offline(True)
    open_chapter(page, here)
    assert page.locator("#minimax-yours textarea").input_value() == RIGHT
    expect(page.locator("#own-because")).to_be_visible()
    context.close()


def test_a_page_opens_where_the_browser_has_no_room_to_keep_it(browser: Browser, site: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    open_chapter(page, site)
    page.wait_for_selector("html[data-kept]")
    (worker,) = context.service_workers
    worker.evaluate(
        """() => {
            Cache.prototype.put = () => Promise.reject(new DOMException("", "QuotaExceededError"));
        }"""
    )
    page.evaluate(
        "async () => { for (const each of await caches.keys()) await caches.delete(each); }"
    )
    open_chapter(page, site)
    assert run(page, "equation-run").inner_text().strip() == "3"
    context.close()


def test_all_that_is_to_be_kept_can_be_asked_for(folder: Path) -> None:
    """Many servers keep hidden files to themselves."""
    names = json.loads((folder / "files.json").read_text("utf-8"))
    assert f"{CHAPTER}/" in names and not any(Path(name).name.startswith(".") for name in names)
