"""The browser, the page and the exported file that the browser tests drive.

A browser is opened for each file of tests, not for the whole run: as long as it is open Playwright's event loop
runs, and what else needs one in the same process, a notebook's test for example, would find it taken.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from abviz.tracing.traces import Trace
from abviz.views.html_export import export
from tests.browser.driving import Shown, launch, leave, new_context, steppers
from tests.browser.find_browser import HOW_TO_GET_ONE, find_browser
from tests.browser.jupyter import Server, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if find_browser() is None:
        pytest.fail(HOW_TO_GET_ONE, pytrace=False)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def options() -> dict[str, Any]:
    """What a test wants of its page: `@pytest.mark.parametrize("options", [{"color_scheme": "dark"}])`."""
    return {}


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Iterator[Callable[[dict[str, Any]], Page]]:
    """A page for each set of options, which the tests of a file have one after the other: to open one takes longer
    than most of them."""
    opened: dict[str, Page] = {}

    def page_with(options: dict[str, Any]) -> Page:
        if (key := repr(options)) not in opened:
            opened[key] = new_context(browser, **options).new_page()
        return opened[key]

    yield page_with
    for page in opened.values():
        page.context.close()


@pytest.fixture
def alone() -> None:
    """For a test that leaves its page as no other can use it: with a clock of its own, say, or another size."""


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, options: dict[str, Any]) -> Iterator[Page]:
    """A page on which, whatever a test does, nothing goes wrong and nothing is asked of any server."""
    is_alone = "alone" in request.fixturenames
    page = new_context(browser, **options).new_page() if is_alone else request.getfixturevalue("pages")(options)
    wrong: list[str] = []
    hear: dict[Any, Callable[[Any], Any]] = {
        "pageerror": lambda error: wrong.append(f"error: {error}"),
        "console": lambda message: wrong.append(f"{message.type}: {message.text}"),
        "dialog": lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()),
        "request": lambda request: request.url.startswith("file:") or wrong.append(f"request: {request.url}"),
    }
    for event, heard in hear.items():
        page.on(event, heard)
    yield page
    if is_alone:
        page.context.close()
    else:
        leave(page)
    for event, heard in hear.items():
        page.remove_listener(event, heard)
    assert wrong == []


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Callable[..., list[Shown]]:
    """Export traces as one page and open it."""

    def show(*traces: Trace, **told: Any) -> list[Shown]:
        page.goto(export(traces, tmp_path / "page.html", **told).as_uri())
        return steppers(page)

    return show


# notebooks


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture(scope="module")
def lab_page(browser: Browser) -> Iterator[Page]:
    context = new_context(browser)
    yield context.new_page()
    context.close()
