"""The web edition in a browser, from a folder below a server's root, with no request to elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from abviz import TicTacToe
from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import trace
from abviz.tree.files import load
from tests.browser.site import built, faults_of, served, tool

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
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, with one chapter, in a folder below the server's root."""
    root = tmp_path_factory.mktemp("server")
    built(root / "some" / "course", [CHAPTER])
    with served(root) as address:
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
    field.press("Enter")
    expect(waits).to_be_visible()
    expect(chapter.locator("#own-reveal")).to_contain_text("You said 7; it's 6.")

    open_chapter(chapter, site)
    expect(chapter.locator("#own-because")).to_be_visible()
    expect(chapter.locator("#own-reveal")).to_contain_text("You said 7; it's 6.")


def test_what_waits_for_an_answer_can_be_shown_without_one(chapter: Page) -> None:
    chapter.locator("[data-until=minimax-root] button").click()
    expect(chapter.locator("#own-because")).to_be_visible()
    expect(chapter.locator("#own-reveal")).to_contain_text("The answer is 6.")


def test_a_students_work(chapter: Page, site: str) -> None:
    write(chapter, "minimax-yours", WRONG)
    shown = run(chapter, "minimax-check")
    expect(shown).to_contain_text("minimax: wrong")
    expect(shown).not_to_contain_text("new cell")  # a page has none: the run is shown
    expect(shown.locator(".abviz-stepper")).to_be_visible()
    expect(shown).to_contain_text("MIN")  # the mistake, by its name
    expect(shown.locator("svg, img").first).to_be_visible()

    write(chapter, "minimax-yours", RIGHT)
    expect(run(chapter, "minimax-check")).to_contain_text("minimax: right")

    stepper = run(chapter, "minimax-show").locator(".abviz-stepper")
    steps = len(trace(load("two-min"), search=minimax))
    expect(stepper.locator(".abviz-where")).to_contain_text(f"of {steps}")
    before = stepper.locator(".abviz-says").inner_text()
    stepper.get_by_role("button", name="Previous", exact=True).click()
    assert stepper.locator(".abviz-says").inner_text() != before

    open_chapter(chapter, site)
    assert chapter.locator("#minimax-yours textarea").input_value() == RIGHT
    expect(run(chapter, "minimax-check")).to_contain_text("minimax: right")


def test_an_exception_shows_where_it_was_raised_in_the_readers_code(chapter: Page) -> None:
    write(chapter, "equation-run", "def half(n):\n    return n / 0\n\nhalf(1)\n")
    shown = run(chapter, "equation-run", ends="failed")
    text = shown.inner_text()
    assert "line 4, in <module>" in text and "return n / 0" in text
    assert "ZeroDivisionError" in text and "session.py" not in text


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


def test_a_cell_that_the_course_has_changed_is_offered_and_nothing_is_lost(
    chapter: Page, site: str
) -> None:
    kept = {"source": "mine", "of": "what the page had last year"}
    chapter.evaluate(
        "(kept) => localStorage.setItem('abviz 01-minimax equation-run', JSON.stringify(kept))",
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

    loaded = page.evaluate(
        """() => {
            const ready = performance.getEntriesByName("ready")[0].startTime;
            return ["resource", "navigation"]
                .flatMap((type) => performance.getEntriesByType(type))
                .filter(({ startTime }) => startTime <= ready)
                .reduce((sum, { transferSize }) => sum + transferSize, 0);
        }"""
    )
    page.close()
    assert 50_000 < loaded <= 100_000


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
    assert run(page, "equation-run").inner_text().strip() == "3"
