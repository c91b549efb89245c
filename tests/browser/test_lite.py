"""The web edition's notebooks in JupyterLite, from a folder below a server's root, with no request
to elsewhere.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import trace
from abviz.tree.files import load
from tests.browser.lite import PANEL, READY, Notebook
from tests.browser.site import Quiet, built, served
from tests.browser.test_site import RIGHT, WRONG

CHAPTER = "01-minimax"
SECONDS = 300_000  # milliseconds that Python may take to load on a busy machine
MOST = 15_000_000  # bytes until the first stepper

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Counting(Quiet):
    """It counts the bytes that it sends."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content = source.read()
        Counting.sent += len(content)
        outputfile.write(content)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's root, with the site of one chapter in a folder below it."""
    root = tmp_path_factory.mktemp("server")
    built(root / "some" / "course", [CHAPTER], has_notebooks=True)
    return root


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder, Counting) as address:
        yield f"{address}some/course/"


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser that asks nothing of elsewhere, neither its pages nor their workers."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(SECONDS)
    root = re.match(r"http://[^/]+/", site)
    assert root
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    # Its worker answers what its page asks of it, at the server's root
    ours = (site, f"blob:{root[0]}", "data:", f"{root[0]}api/service-worker-heartbeat")
    assert [url for url in asked if not url.startswith(ours)] == []


@pytest.fixture
def notebook(context: BrowserContext) -> Notebook:
    return Notebook(context.new_page())


def test_interrupt_says_what_ends_a_loop_and_there_is_a_way_back(
    notebook: Notebook, site: str
) -> None:
    page = notebook.open(f"{site}lite/notebooks/index.html?path={CHAPTER}.ipynb").page
    page.locator(".lm-MenuBar-itemLabel", has_text="Kernel").click()
    page.get_by_text("Interrupt Kernel").click()
    note = page.locator("#abviz-note")
    expect(note).to_contain_text("Python in a browser can't be interrupted.")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)

    page.get_by_role("link", name="The course").click()
    page.wait_for_url(site)
    expect(page.locator("#course")).to_be_visible()


def test_menus_offer_nothing_that_is_not_there(notebook: Notebook, site: str) -> None:
    page = notebook.open(f"{site}lite/notebooks/index.html?path={CHAPTER}.ipynb").page
    for menu in ("File", "Run"):
        page.locator(".lm-MenuBar-itemLabel", has_text=menu).first.click()
        entries = page.locator(".lm-Menu-item[data-type=command]:visible")
        expect(entries.first).to_be_visible()
        names = [entry.locator(".lm-Menu-itemLabel").inner_text() for entry in entries.all()]
        assert len(names) > 5 and "" not in names
        assert [name for name in names if re.search("Console|URL", name)] == []
        page.keyboard.press("Escape")


def test_tab_completes_a_name(notebook: Notebook, site: str) -> None:
    page = notebook.open(f"{site}lite/notebooks/index.html?path={CHAPTER}.ipynb").page
    notebook.write("imports", "import math\nmath.fac")
    notebook.run("imports")
    page.evaluate(f"{PANEL}.content.activeCell.editor.focus()")
    page.keyboard.press("Control+End")
    page.keyboard.press("Tab")
    expect(page.locator(".jp-Completer")).to_contain_text("factorial")


def test_a_students_work(notebook: Notebook, site: str) -> None:
    page = notebook.page
    page.goto(f"{site}{CHAPTER}/")
    before = Counting.sent
    page.get_by_role("link", name="Open as a notebook").click()
    page.wait_for_url("**/lite/**")
    page.evaluate(READY, True)

    notebook.run("imports")
    notebook.run("two-plies-tree")
    stepper = notebook.run("flow-stepper").locator(".abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    expect(stepper.locator(".abviz-where")).to_have_text("1 of 16")
    assert 10_000_000 < Counting.sent - before <= MOST

    notebook.run("own-tree")
    question = notebook.run("own-predict").locator("input[type=number]")
    question.fill("7")
    question.press("Enter")
    expect(notebook.run("own-reveal")).to_contain_text("You said 7; it's 6.")

    notebook.write("minimax-yours", WRONG)
    notebook.run("minimax-yours")
    shown = notebook.run("minimax-check")
    expect(shown).to_contain_text("minimax: wrong")
    expect(shown).to_contain_text("MIN")  # the mistake, by its name
    expect(shown.locator("svg, img").first).to_be_visible()

    notebook.write("minimax-yours", RIGHT)
    notebook.run("minimax-yours")
    expect(notebook.run("minimax-check")).to_contain_text("minimax: right")
    stepper = notebook.run("minimax-show").locator(".abviz-stepper")
    steps = len(trace(load("two-min"), search=minimax))
    expect(stepper.locator(".abviz-where")).to_contain_text(f"of {steps}")
    before = stepper.locator(".abviz-says").inner_text()
    stepper.get_by_role("button", name="Previous", exact=True).click()
    assert stepper.locator(".abviz-says").inner_text() != before

    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    notebook.open(page.url)
    assert notebook.read("minimax-yours") == RIGHT
    for cell in ("imports", "own-tree", "own-predict"):
        notebook.run(cell)
    expect(notebook.run("own-reveal")).to_contain_text("You said 7; it's 6.")
    notebook.run("minimax-yours")
    expect(notebook.run("minimax-check")).to_contain_text("minimax: right")


def test_each_worker_serves_its_own_folder_and_keeps_no_file_of_the_other(
    notebook: Notebook, site: str
) -> None:
    page = notebook.page
    page.goto(f"{site}{CHAPTER}/")
    page.wait_for_selector("html[data-kept]")
    notebook.open(f"{site}lite/notebooks/?path={CHAPTER}.ipynb")
    page.goto(f"{site}{CHAPTER}/")
    scopes = page.evaluate(
        "async () => (await navigator.serviceWorker.getRegistrations()).map(({scope}) => scope)"
    )
    assert sorted(scopes) == [site, f"{site}lite/"]
    kept = page.evaluate(
        """async () => {
            const found = {};
            for (const name of await caches.keys()) {
                const requests = await (await caches.open(name)).keys();
                found[name] = requests.map(({url}) => url);
            }
            return found;
        }"""
    )
    pages = kept.pop("abviz pages /some/course/")
    assert pages and not any("/lite/" in url for url in pages)
    assert not any(kept.values())


def test_no_address_runs_anything(notebook: Notebook, site: str) -> None:
    """Of JupyterLite's applications, the one whose address can hold code is not there."""
    page = notebook.page
    for app in ("repl", "consoles", "lab", "tree", "edit"):
        answer = page.goto(f"{site}lite/{app}/index.html?code=print(1)&execute=1")
        assert answer is not None and answer.status == 404
    notebook.open(
        f"{site}lite/notebooks/?path={CHAPTER}.ipynb&code=print(1)&execute=1", has_kernel=False
    )
    counts = page.evaluate(f"() => {PANEL}.content.widgets.map((cell) => cell.prompt ?? '')")
    assert not any(re.search(r"\d|\*", each) for each in counts)


def test_what_the_site_keeps_for_offline_is_without_the_notebooks(
    site: str, context: BrowserContext
) -> None:
    files = context.request.get(f"{site}files.json").json()
    assert f"{CHAPTER}/" in files and not any(name.startswith("lite/") for name in files)


def test_a_copy_is_kept_when_the_course_changes_and_the_newer_notebook_is_offered(
    notebook: Notebook, site: str, folder: Path
) -> None:
    page = notebook.page
    visits = itertools.count()
    note, title = page.locator("#abviz-note"), page.locator(".jp-Notebook h1").first

    def save(source: str) -> None:
        notebook.write("minimax-yours", source)
        page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")

    def change_course(title: str) -> None:
        lite = folder / "some" / "course" / "lite"
        path = lite / "files" / f"{CHAPTER}.ipynb"
        text = path.read_text("utf-8")
        path.write_text(re.sub(r'"# Minimax[^\\"]*', f'"# {title}', text, count=1), "utf-8")
        index = lite / "notebooks" / "index.html"
        edition = re.compile(rf'("{CHAPTER}.ipynb":")[^"]*')
        index.write_text(edition.sub(rf"\g<1>{title}", index.read_text("utf-8")), "utf-8")

    def open_newest() -> None:
        # Each at an address of its own: a browser may keep a page for a while
        address = f"{site}lite/notebooks/?path={CHAPTER}.ipynb&visit={next(visits)}"
        notebook.open(address, has_kernel=False)

    open_newest()
    save(WRONG)
    open_newest()
    assert note.count() == 0 and notebook.read("minimax-yours") == WRONG

    for count, source in enumerate((RIGHT, WRONG), start=1):
        change_course(f"Minimax {count}")
        open_newest()
        expect(note).to_contain_text("the course has a newer one. Yours is kept.")
        save(source)

        with page.expect_navigation():
            note.get_by_role("button", name="Open the newer one").click()
        page.evaluate(READY, False)
        expect(title).to_contain_text(f"Minimax {count}")
        assert "not written yet" in notebook.read("minimax-yours")
        copies = note.get_by_role("link")
        expect(copies).to_have_count(count)

        save(WRONG)  # of this edition
        copies.first.click()  # of a day, those with a number come first
        page.wait_for_url("**mine%20until**")
        page.evaluate(READY, False)
        assert notebook.read("minimax-yours") == source
