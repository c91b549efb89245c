"""The browser, the page, the exported file and the Jupyter server of the browser tests.

The browser is closed after the last test of this folder: while it is open, Playwright's event loop
runs in the process, and a notebook's test, which needs a loop of its own, would fail.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from abviz.tracing.traces import Trace
from abviz.views.bundle import export
from tests.browser.driving import SIZE, Shown, launch, leave, new_context, steppers
from tests.browser.find_browser import HOW_TO_GET_ONE, find_browser
from tests.browser.jupyter import Notebook, Server, serving

MEDIA: dict[str, Any] = {
    "color_scheme": "light",
    "forced_colors": "none",
    "reduced_motion": "reduce",  # a picture is looked at where nothing moves
}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if find_browser() is None:
        pytest.fail(HOW_TO_GET_ONE, pytrace=False)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def options() -> dict[str, Any]:
    """The page's options; a test sets them by `@pytest.mark.parametrize("options",
    [{"color_scheme": "dark"}])`.
    """
    return {}


@pytest.fixture(scope="package")
def pages(browser: Browser) -> Iterator[Callable[[bool], Page]]:
    """Return a page with or without touch, opened once: most tests are quicker than opening one."""
    opened: dict[bool, Page] = {}

    def page_with(has_touch: bool) -> Page:
        if has_touch not in opened:
            opened[has_touch] = new_context(browser, has_touch=has_touch).new_page()
        return opened[has_touch]

    yield page_with
    for page in opened.values():
        page.context.close()


@pytest.fixture
def alone() -> None:
    """Give the test a page of its own, because it leaves it unfit for others: with another clock."""


@pytest.fixture
def newcomer(alone: None) -> None:
    """Give the test a page whose reader has not been asked yet what the search reads."""


@pytest.fixture
def page(
    request: pytest.FixtureRequest, browser: Browser, options: dict[str, Any]
) -> Iterator[Page]:
    """A page on which nothing may go wrong during the test, and which may send no request."""
    is_alone = "alone" in request.fixturenames
    page = (
        new_context(browser, is_newcomer="newcomer" in request.fixturenames).new_page()
        if is_alone
        else request.getfixturevalue("pages")("has_touch" in options)
    )
    page.set_viewport_size(options.get("viewport", SIZE))
    page.emulate_media(
        media="null", **(MEDIA | {name: options[name] for name in MEDIA.keys() & options})
    )
    wrong: list[str] = []
    listeners: dict[Any, Callable[[Any], Any]] = {
        "pageerror": lambda error: wrong.append(f"error: {error}"),
        "console": lambda message: wrong.append(f"{message.type}: {message.text}"),
        "dialog": lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()),
        "request": lambda request: (
            request.url.startswith("file:") or wrong.append(f"request: {request.url}")
        ),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    yield page
    if is_alone:
        page.context.close()
    else:
        leave(page)
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    assert wrong == []


@pytest.fixture
def show(page: Page, tmp_path: Path) -> Callable[..., list[Shown]]:
    """Export traces as one page, open it, and return its steppers."""

    def show(*traces: Trace, **options: Any) -> list[Shown]:
        page.goto(export(traces, tmp_path / "page.html", **options).as_uri())
        return steppers(page)

    return show


@pytest.fixture
def keys_heard(page: Page) -> Callable[[], list[list[Any]]]:
    """Return the keys that the page heard since the last call, as [key, whether its default was
    prevented].
    """
    return lambda: list(page.evaluate("probe.heard.splice(0)"))


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture(scope="package")
def opened(browser: Browser, server: Server) -> Iterator[Notebook]:
    """A notebook open in JupyterLab, opened once for all tests: it takes long to load."""
    server.write("lab.ipynb", "from abviz import *", "import ipywidgets")
    context = new_context(browser)
    notebook = Notebook(context.new_page(), server, "lab.ipynb")
    notebook.run_all()
    yield notebook
    context.close()


@pytest.fixture
def lab(opened: Notebook) -> Iterator[Notebook]:
    """The notebook, with `from abviz import *` run; no error may appear on the page."""
    with opened.watched():
        yield opened
