"""The browser, the page and the exported file that the browser tests drive.

A browser is opened for each file of tests, not for the whole run: as long as it is open Playwright's event loop
runs, and what else needs one in the same process, a notebook's test for example, would find it taken.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from abviz.stepper.pages import export
from abviz.tracing import Trace
from tests.browser.driving import Shown, launch, new_context, steppers
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


@pytest.fixture
def page(browser: Browser, options: dict[str, Any]) -> Iterator[Page]:
    """A page on which, whatever a test does, nothing goes wrong and nothing is asked of any server."""
    context = new_context(browser, **options)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith("file:") or wrong.append(f"request: {request.url}"))
    yield page
    context.close()
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
