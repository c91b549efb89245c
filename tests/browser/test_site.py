"""The web edition in a browser, from a folder below a server's root, with no request to elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import trace
from abviz.tree.files import load
from tests.browser.site import built, served

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
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
    page.on(
        "request",
        lambda request: (
            request.url.startswith((site, "blob:", "data:")) or wrong.append(request.url)
        ),
    )
    open_chapter(page, site)
    yield page
    context.close()
    assert wrong == []


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
    expect(shown).to_contain_text("MIN")  # the mistake, by its name
    expect(shown.locator("svg, img").first).to_be_visible()

    write(chapter, "minimax-yours", RIGHT)
    expect(run(chapter, "minimax-check")).to_contain_text("minimax: right")

    stepper = run(chapter, "minimax-show").locator(".abviz-stepper")
    steps = len(trace(load("two-min"), search=minimax))
    expect(stepper.locator(".abviz-where")).to_contain_text(f"of {steps}")
    before = stepper.locator(".abviz-says").inner_text()
    stepper.get_by_role("button", name="Back").click()
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
    stepper = page.locator(".abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".abviz-where")).to_contain_text("1 of")

    loaded = page.evaluate(
        """() => ["resource", "navigation"].flatMap((type) => performance.getEntriesByType(type))
        .reduce((sum, {transferSize}) => sum + transferSize, 0)"""
    )
    page.close()
    assert 50_000 < loaded <= 100_000


def test_an_address_of_the_front_page_opens_its_step_and_tree(browser: Browser, site: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    page.goto(f"{site}#step=5&tree=[[1,2],[3,4]]")
    page.wait_for_selector("html[data-ready]")
    expect(page.locator(".abviz-stepper [data-node]")).to_have_count(7)
    page.close()


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
