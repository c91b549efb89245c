"""An exported page remembers what its reader has changed, whatever ends it: a reload, a crash, or a
kill.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from abviz import Tree, load, record, trace
from abviz.exercises import practice
from abviz.views.bundle import export
from tests.browser.driving import (
    FLAGS,
    PROBE,
    Show,
    Shown,
    eventually,
    fill_in,
    new_context,
    node,
    steppers,
)
from tests.browser.find_browser import HOW_TO_GET_ONE, find_browser
from tests.browser.test_changes import choose
from tests.browser.test_editing import type_value

pytestmark = pytest.mark.browser
WORKED = load("worked-example")

# A transaction waits for those before it: this one ends once everything the page has written is on
# disk.
WRITTEN = """() => new Promise((done) => {
  const opening = indexedDB.open("abviz", 1);
  opening.onsuccess = () => {
    opening.result.transaction("pages", "readwrite", { durability: "strict" }).oncomplete = () => {
      opening.result.close();
      done();
    };
  };
})"""
STORED = "Object.entries(localStorage).find(([name]) => name.includes(location.pathname))"
STORE = "([name, record]) => localStorage.setItem(name, record)"


def start_drag(shown: Shown, name: str, up: int) -> None:
    box = node(shown, name).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    shown.page.mouse.move(x, y)
    shown.page.mouse.down()
    shown.page.mouse.move(x, y - up, steps=up // 2)


def drag_value(shown: Shown) -> None:
    start_drag(shown, "e1", 60)
    shown.page.mouse.up()


def paste(shown: Shown) -> None:
    shown.press("e")
    shown.click("Paste")
    shown.root.get_by_label("A tree as JSON or a nested list").fill("[[3, 5], [2, 9]]")
    shown.click("Paste")


def undo(shown: Shown) -> None:
    type_value(shown, "e1", "9")
    type_value(shown, "e2", "8")
    shown.press("Control+z")


def practice_all(shown: Shown) -> None:
    shown.press("w")
    fill_in(shown, practice.right_marks(trace(WORKED)))


def practice_few(shown: Shown) -> None:
    shown.press("w")
    shown.root.get_by_label("Asked", exact=True).select_option("few")
    marks = practice.right_marks(trace(WORKED))
    asked = shown.ask(
        "root => [...root.querySelectorAll('.abviz-field:not([readonly])')].map((f) => f.dataset.key)"
    )
    for key in asked:
        shown.root.locator(f'[data-key="{key}"]').fill(str(marks[key]))


def practice_another_tree(shown: Shown) -> None:
    shown.press("w")
    shown.click("New tree")
    shown.root.locator(".abviz-field").first.fill("7")


CHANGES: dict[str, Callable[[Shown], None]] = {
    "search": lambda shown: choose(shown, "Search", "minimax"),
    "rule": lambda shown: choose(shown, "Children", "on"),
    "leaf": lambda shown: type_value(shown, "e1", "9"),
    "dragged leaf": drag_value,
    "other tree": paste,
    "random tree": lambda shown: shown.press("e", "r"),
    "new node": lambda shown: shown.press("e", "Insert"),
    "undo": undo,
    "practice": practice_all,
    "few marks": practice_few,
    "practice on another tree": practice_another_tree,
}

FIELDS = "root => [...root.querySelectorAll('.abviz-field')].map((field) => [field.dataset.key, field.value])"


def seen(shown: Shown) -> dict[str, Any]:
    """Return what the page shows, with the fields of practice, without changing anything."""
    choices = (
        "root => [...root.querySelectorAll('.abviz-choices select')].map((select) => select.value)"
    )
    return shown.look() | {"fields": shown.ask(FIELDS), "choices": shown.ask(choices)}


def seen_again(shown: Shown, step: int) -> dict[str, Any]:
    """Return what a page that has been opened again shows at that step."""
    expect(shown.root.get_by_role("alert")).to_contain_text("as you left")
    shown.press("Escape")
    if shown.step != step:
        shown.slide(step)
    return seen(shown)


def opened(context: BrowserContext, url: str) -> Shown:
    page = context.new_page()
    page.goto(url)
    (shown,) = steppers(page)
    return shown


# A crash of the tab


def crash(page: Page) -> None:
    """Crash the process of the page."""
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = new_context(browser)
    yield context
    context.close()


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_outlives_a_crash_of_the_tab(
    context: BrowserContext, tmp_path: Path, name: str
) -> None:
    url = export([trace(WORKED)], tmp_path / "page.html").as_uri()
    shown = opened(context, url)
    CHANGES[name](shown)
    left = seen(shown)
    crash(shown.page)

    again = opened(context, url)
    assert seen_again(again, int(left["step"])) == left


def test_marks_outlive_a_crash_also_where_practice_was_left(
    context: BrowserContext, tmp_path: Path
) -> None:
    url = export([trace(WORKED)], tmp_path / "page.html").as_uri()
    shown = opened(context, url)
    practice_all(shown)
    filled = shown.ask(FIELDS)
    shown.press("w")
    crash(shown.page)

    again = opened(context, url)
    assert again.ask(FIELDS) == []
    again.press("Escape", "w")
    assert again.ask(FIELDS) == filled
    again.click("Check")
    expect(again.root.locator(".abviz-worksheet strong")).to_have_text("30 of 30 marks right.")


def test_marks_of_another_search_are_dropped(context: BrowserContext, tmp_path: Path) -> None:
    """The file has been exported again, of another tree of the same title."""
    path = tmp_path / "page.html"
    shown = opened(context, export([trace(WORKED)], path).as_uri())
    practice_all(shown)
    crash(shown.page)

    other = Tree([[3, 5], [2, 9]], title=WORKED.title)
    again = opened(context, export([trace(other)], path).as_uri())
    if again.ask(FIELDS) == []:
        again.press("w")
    names = {key for key, _ in again.ask(FIELDS)}
    assert names == {f"{letter} {name}" for letter in ("alpha", "beta", "bv") for name in "ABC"}


def first_leaf(node: Any) -> float:
    return float(node.value if node.is_leaf else first_leaf(node.children[0]))


def test_the_comparison_with_a_recorded_run_outlives_a_crash(
    context: BrowserContext, tmp_path: Path
) -> None:
    url = export([record(first_leaf, WORKED)], tmp_path / "page.html").as_uri()
    shown = opened(context, url)
    shown.click("Compare with minimax")
    left = seen(shown)
    crash(shown.page)
    assert seen_again(opened(context, url), int(left["step"])) == left


def test_nothing_is_kept_of_a_change_that_was_undone(
    context: BrowserContext, tmp_path: Path
) -> None:
    url = export([trace(WORKED)], tmp_path / "page.html").as_uri()
    shown = opened(context, url)
    own = seen(shown)
    type_value(shown, "e1", "9")
    shown.press("Control+z")
    crash(shown.page)

    again = opened(context, url)
    expect(again.root.get_by_role("alert")).to_be_hidden()
    assert seen(again) == own


# A kill of the browser


@contextmanager
def browser_of(folder: Path, driver: Browser) -> Iterator[tuple[BrowserContext, psutil.Process]]:
    """Start a browser of its own on the user's folder, and end it where the test has not."""
    path = find_browser()
    assert path, HOW_TO_GET_ONE
    context = driver.browser_type.launch_persistent_context(
        folder, executable_path=path, args=list(FLAGS), timeout=120_000
    )
    context.add_init_script(PROBE)
    context.set_default_timeout(120_000)
    process = process_on(folder)
    try:
        yield context, process
    finally:
        with suppress(psutil.NoSuchProcess):
            process.kill()
            process.wait()


def process_on(folder: Path) -> psutil.Process:
    """Return the browser's main process; those of its pages have a type."""
    option = f"--user-data-dir={folder}"
    for each in psutil.process_iter(["cmdline"]):
        command = each.info["cmdline"] or []
        if option in command and not any(part.startswith("--type=") for part in command):
            return each
    raise AssertionError(f"no browser on {folder}")


@pytest.mark.parametrize("name", ["leaf", "practice"])
def test_a_change_outlives_a_kill_of_the_browser(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    url = export([trace(WORKED)], tmp_path / "page.html").as_uri()
    folder = tmp_path / "user"
    folder.mkdir()
    with browser_of(folder, browser) as (context, process):
        shown = opened(context, url)
        CHANGES[name](shown)
        left = seen(shown)
        shown.page.evaluate(WRITTEN)
        process.kill()
        process.wait()

    with browser_of(folder, browser) as (context, _):
        again = opened(context, url)
        assert seen_again(again, int(left["step"])) == left


# What is written, and where that is not possible


def test_a_dragged_value_is_written_when_the_drag_begins_and_when_it_ends(show: Show) -> None:
    (shown,) = show(trace(WORKED))
    shown.ask("""() => {
      window.written = [];
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (name, record) {
        written.push(record);
        setItem.call(this, name, record);
      };
    }""")
    start_drag(shown, "e1", 140)
    assert len(shown.ask("() => written")) == 1
    shown.page.mouse.up()
    written = shown.ask("() => written")
    assert len(written) == 2
    value = next(leaf.value for leaf in WORKED.leaves() if leaf.name == "e1") + 20
    assert f'"e1": {value}' in unquote(written[-1])


FULL = """() => {
  Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...record) {
    const request = put.apply(this, record);
    request.onerror = (event) => event.stopPropagation();
    this.transaction.abort();
    return request;
  };
}"""
FORBIDDEN = """() => {
  const forbid = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  Object.defineProperty(window, "localStorage", { get: forbid });
  IDBFactory.prototype.open = forbid;
}"""


@pytest.mark.parametrize("broken", [FULL, FORBIDDEN], ids=["full", "forbidden"])
def test_a_page_that_cannot_write_works_and_remembers_nothing(
    page: Page, show: Show, alone: None, broken: str
) -> None:
    page.add_init_script(f"({broken})()")
    (shown,) = show(trace(WORKED))
    own = seen(shown)
    type_value(shown, "e1", "9")
    choose(shown, "Children", "on")
    practice_all(shown)
    page.reload()
    (shown,) = steppers(page)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert seen(shown) == own


def test_where_storage_is_full_an_older_change_does_not_pass_for_the_latest(
    page: Page, show: Show
) -> None:
    (shown,) = show(trace(WORKED))
    own = seen(shown)
    type_value(shown, "e1", "9")
    page.evaluate(WRITTEN)
    page.evaluate(FULL)
    type_value(shown, "e1", "8")
    page.evaluate(WRITTEN)
    page.reload()
    (shown,) = steppers(page)
    expect(page.get_by_role("alert")).to_be_hidden()
    assert seen(shown) == own


ONE_STORE = {
    "localStorage": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    "IndexedDB": "IDBFactory.prototype.open = () => { throw new DOMException('forbidden', 'SecurityError'); }",
}


@pytest.mark.parametrize("broken", ONE_STORE)
def test_one_store_is_enough(page: Page, show: Show, alone: None, broken: str) -> None:
    page.add_init_script(ONE_STORE[broken])
    (shown,) = show(trace(WORKED))
    type_value(shown, "e1", "9")
    left = seen(shown)
    if broken == "localStorage":
        page.evaluate(WRITTEN)
    page.reload()
    (shown,) = steppers(page)
    assert seen_again(shown, int(left["step"])) == left


def reload_with(page: Page, record: list[str]) -> None:
    """Reload the page with an older record in localStorage; IndexedDB keeps the latest."""
    page.evaluate(WRITTEN)
    page.evaluate(STORE, record)
    page.reload()


def test_of_two_records_the_newer_is_shown(page: Page, show: Show) -> None:
    """A tab that crashes may lose the last change in one store, a browser that is killed in the
    other.
    """
    (shown,) = show(trace(WORKED))
    type_value(shown, "e1", "9")
    old = page.evaluate(STORED)
    page.evaluate(WRITTEN)
    type_value(shown, "e1", "8")
    left = seen(shown)
    reload_with(page, old)
    (shown,) = steppers(page)
    expect(shown.root.locator(".abviz-what-if")).to_contain_text("e1 = 8")
    assert seen_again(shown, int(left["step"])) == left

    type_value(shown, "e1", "7")
    left = seen(shown)
    page.reload()
    (shown,) = steppers(page)
    assert seen_again(shown, int(left["step"])) == left


def test_what_was_undone_does_not_come_back_with_an_older_record(page: Page, show: Show) -> None:
    (shown,) = show(trace(WORKED))
    own = seen(shown)
    type_value(shown, "e1", "9")
    old = page.evaluate(STORED)
    shown.press("Control+z")
    reload_with(page, old)
    (shown,) = steppers(page)
    eventually(lambda: seen(shown), own)
    expect(shown.root.get_by_role("alert")).to_be_hidden()


def test_a_comparison_that_was_left_does_not_come_back(page: Page, show: Show) -> None:
    (shown,) = show(record(first_leaf, WORKED))
    shown.click("Compare with minimax")
    old = page.evaluate(STORED)
    shown.click("Back to the recorded run")
    reload_with(page, old)
    (shown,) = steppers(page)
    expect(shown.root.get_by_role("button", name="Compare with minimax")).to_be_visible()


def test_marks_that_were_cleared_do_not_come_back(page: Page, show: Show) -> None:
    (shown,) = show(trace(WORKED))
    shown.press("w")
    field = shown.root.locator(".abviz-field").first
    field.fill("7")
    old = page.evaluate(STORED)
    field.fill("")
    reload_with(page, old)
    expect(field).to_have_value("")


def test_the_notice_of_one_tree_never_covers_the_next(page: Page, show: Show) -> None:
    """Scrolled away, it stays within its own stepper."""
    page.set_viewport_size({"width": 360, "height": 700})  # where the notice has many lines
    first, _ = show(trace(WORKED), trace(load("figure-4.24")))
    type_value(first, "f1", "5")
    page.reload()
    first, _ = steppers(page)

    notice = first.root.get_by_role("alert")
    expect(notice).to_contain_text("as you left it")
    overlap = page.evaluate(
        """() => {
          const [first, second] = document.querySelectorAll(".abviz-stepper");
          const { top } = second.getBoundingClientRect();
          window.scrollBy(0, top);
          const notice = first.querySelector(".abviz-problem").getBoundingClientRect();
          const end = first.getBoundingClientRect().bottom;
          const isClipped = getComputedStyle(first).overflowY === "clip";
          const seen = isClipped ? Math.min(notice.bottom, end) : notice.bottom;
          return seen - second.getBoundingClientRect().top;
        }"""
    )
    assert overlap <= 0
