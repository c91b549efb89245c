"""Every page of the web edition: nothing breaks, nothing is asked of elsewhere, and all can read it."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.site import BYTES, built, faults_of, served

HOUSE = Path(__file__).resolve().parents[2]
PAGES = ["", *(f"{path.stem}/" for path in sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb")))]
AXE = HOUSE / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = {"laptop": (1366, 768), "phone": (390, 844)}

# A node of a tree is no label: its name has the marks in words ("MAX node A, bv 3, in the line").
# The button that says "Back" is called "Previous", which is public: programs find it by that.
SERIOUS = """() => axe.run().then(({violations}) => violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .flatMap(({id, nodes}) => nodes.map(({html}) => [id, html.slice(0, 200)]))
    .filter(([id, html]) => id !== "label-content-name-mismatch"
      || !/data-node=|aria-label="Previous"/.test(html)))
"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's root, with the whole site in a folder below it."""
    root = tmp_path_factory.mktemp("server")
    built(root / "some" / "course", [])
    return root


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield f"{address}some/course/"


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page on which nothing may go wrong, and which may ask nothing of elsewhere."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    faults = faults_of(page, site)
    yield page
    context.close()
    assert faults == []


def opened(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    # Each widget stands where its notebook shows it
    page.wait_for_function(
        """() => [...document.querySelectorAll(".output[data-model]")]
        .every((place) => place.childElementCount)"""
    )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_and_fits(page: Page, site: str, name: str, view: str) -> None:
    width, height = VIEWS[view]
    page.set_viewport_size({"width": width, "height": height})
    opened(page, site + name)
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_front_page_with_all_chapters_plays_with_at_most_100_kilobytes(
    page: Page, site: str
) -> None:
    opened(page, site)
    assert 50_000 < page.evaluate(BYTES) <= 100_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault(page: Page, site: str, name: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, site + name)
    page.evaluate(f"{AXE.read_text('utf-8')}; 0")
    assert page.evaluate(SERIOUS) == []


class Links(HTMLParser):
    """The addresses that a page names, and the places that can be asked for on it."""

    def __init__(self, text: str):
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("href", "src") and value and not value.startswith(("data:", "http")):
                self.addresses.append(value)
            if name == "id" and value:
                self.places.add(value)


def test_every_link_leads_somewhere(folder: Path) -> None:
    root = folder / "some" / "course"
    pages = {name: Links((root / name / "index.html").read_text("utf-8")) for name in PAGES}
    for name, links in pages.items():
        for address in links.addresses:
            parts = urlsplit(urljoin(f"http://site/{name}", address))
            target = parts.path.removeprefix("/")
            assert (root / target).exists(), f"{name}: {address}"
            if parts.fragment and not re.search("=", parts.fragment):
                assert parts.fragment in pages[target].places, f"{name}: {address}"


def test_the_site_is_small_and_says_what_it_holds(folder: Path) -> None:
    root = folder / "some" / "course"
    sizes = [path.stat().st_size for path in root.rglob("*") if path.is_file()]
    assert 8_000_000 < sum(sizes) <= 60_000_000
    for path in root.rglob("*.html"):
        text = path.read_text("utf-8")
        assert re.search(r"<title>[^<]+</title>", text) and 'name="description"' in text
        assert not re.search(r"""(?:src|href)=["']/""", text), "an address from the server's root"
