"""A browser, and the steppers on its pages."""

import json
import os
from collections.abc import Callable
from functools import cached_property
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ElementHandle,
    Locator,
    Page,
    Playwright,
    expect,
)

from tests.browser.find_browser import HOW_TO_GET_ONE, find_browser

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
expect.set_options(timeout=120_000)  # on a busy machine; on a quiet one nothing waits for it
UNDER_MORE = ("First", "Previous cut", "Last", "Predict", "Split view", "Share", "Help")
PROBE = Path(__file__).with_name("probe.js").read_text(encoding="utf-8")

# A reader who has been asked the newcomer's question: only its own tests meet it.
HABITS = """try {
  const habits = JSON.parse(localStorage.getItem("abviz habits"));
  localStorage.setItem("abviz habits", JSON.stringify({ asked: true, ...habits }));
} catch { /* forbidden */ }"""
SIZE: Any = {"width": 1200, "height": 900}


def launch(playwright: Playwright) -> Browser:
    path = find_browser()
    assert path, HOW_TO_GET_ONE
    without_proxy = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS), env=without_proxy)


def new_context(browser: Browser, is_newcomer: bool = False, **options: Any) -> BrowserContext:
    """Return a context for pages that may be looked into."""
    usual = {"viewport": SIZE, "reduced_motion": "reduce"}
    context = browser.new_context(**{**usual, **options})
    context.set_default_timeout(120_000)
    context.add_init_script(PROBE)
    if not is_newcomer:
        context.add_init_script(HABITS)
    return context


def leave(page: Page) -> None:
    """Leave the page to the next test: neither full screen nor under the mouse, its habits gone."""
    page.evaluate("document.fullscreenElement && document.exitFullscreen()")
    page.mouse.move(0, 0)
    page.evaluate("try { localStorage.removeItem('abviz habits') } catch { /* forbidden */ }")


def revisit(page: Page, url: str) -> "Shown":
    """Leave the page, open the address, and return its stepper, with the habits there were.

    On a busy machine Chromium opens some files with an empty localStorage, though what was stored
    is there at the next load. Then the habits are written again, and the address opened once more.
    """
    read_habits = "localStorage.getItem('abviz habits')"
    habits = page.evaluate(read_habits)
    for _ in range(2):
        page.goto("about:blank")
        page.goto(url)
        (shown,) = steppers(page)
        if page.evaluate(read_habits) == habits:
            break
        page.evaluate("habits => localStorage.setItem('abviz habits', habits)", habits)
    return shown


def forget(page: Page) -> None:
    """Let the browser forget what the pages of files have told it to remember."""
    page.evaluate("""async () => {
      localStorage.clear();
      await new Promise((done) => (indexedDB.deleteDatabase("abviz").onsuccess = done));
    }""")


def sized(width: int, height: int = 900) -> dict[str, Any]:
    """Return the options of a page with a window of this size."""
    return {"viewport": {"width": width, "height": height}}


def wait_until(page: Page, expression: str) -> None:
    """Wait until the expression holds. Playwright's own way needs `eval`, which our pages forbid."""
    eventually(lambda: bool(page.evaluate(expression)), True)


def eventually(value: Callable[[], Any], expected: Any) -> None:
    """Wait until the function returns the expected value: messages between browser and kernel take
    a moment.
    """
    end = monotonic() + 120
    while (last := value()) != expected and monotonic() < end:
        sleep(0.02)
    assert last == expected, f"{last!r}, and not {expected!r}"


class Shown:
    """A stepper on a page."""

    def __init__(self, root: Locator) -> None:
        self.root, self.page = root, root.page

    @cached_property
    def element(self) -> ElementHandle:
        return self.root.element_handle()

    def ask(self, function: str, argument: Any = None) -> Any:
        """Return what a JavaScript function makes of the stepper's root; five times as quick as by
        a locator.
        """
        here = "if (!root.isConnected) throw new Error('the stepper is gone');"
        return self.element.evaluate(
            f"(root, argument) => {{ {here} return ({function})(root, argument); }}", argument
        )

    def look(self) -> dict[str, Any]:
        return dict(json.loads(self.ask("root => JSON.stringify(probe.look(root))")))

    def dom(self) -> str:
        return str(self.ask("root => probe.dom(root)"))

    def places(self) -> str:
        return str(self.ask("root => probe.places(root)"))

    @property
    def step(self) -> int:
        return int(self.root.get_attribute("data-step") or "")

    @property
    def steps(self) -> int:
        return int(self.root.get_attribute("data-steps") or "")

    @property
    def says(self) -> str:
        return self.root.locator(".abviz-says").text_content() or ""

    def node(self, name: str) -> dict[str, str]:
        """Return the data-… attributes of a node."""
        return dict(self.ask("(root, name) => ({ ...probe.node(root, name).dataset })", name))

    def bounds_at_current(self) -> tuple[str, ...]:
        """Return the name of the current node with its α, β and bv."""
        name = self.root.locator(".abviz-current").get_attribute("data-node") or ""
        return (name, *(self.node(name)[bound] for bound in ("alpha", "beta", "bv")))

    def live_regions(self) -> list[Locator]:
        """Return the visible elements that a screen reader reads out when they change."""
        live = "[aria-live], [role=status], [role=alert], [role=log], output"
        return [region for region in self.root.locator(live).all() if region.is_visible()]

    def focus(self) -> None:
        self.ask("root => root.focus()")

    def open_more(self) -> None:
        """Show the buttons and menus under More; the keyboard stays where it is."""
        more = self.root.get_by_role("button", name="More", exact=True)
        more.evaluate("more => more.ariaExpanded === 'false' && more.click()")

    def button(self, name: str) -> Locator:
        if name in UNDER_MORE:
            self.open_more()
        return self.root.get_by_role("button", name=name, exact=True)

    def click(self, name: str) -> None:
        self.button(name).click()

    def press(self, *keys: str) -> None:
        self.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def slide(self, step: int) -> None:
        """Drag the slider to a step."""
        self.root.get_by_role("slider").fill(str(step))

    def record_speech(self) -> Callable[[], list[str]]:
        """Record from now on every sentence that the live region reads out."""
        self.ask("""root => {
          window.spoken = [];
          const says = root.querySelector(".abviz-says");
          const speak = () => window.spoken.push(says.textContent);
          new MutationObserver(speak).observe(says, { childList: true, subtree: true });
        }""")
        return lambda: list(self.page.evaluate("spoken"))

    def walk(self, button: str, times: int, what: str = "probe.look") -> list[Any]:
        """Click the button several times; return what a function sees before the first click and
        after each.
        """
        walk = """(button, times) => {
          const root = button.closest(".abviz-stepper");
          const seen = [(WHAT)(root)];
          while (times--) {
            button.click();
            seen.push((WHAT)(root));
          }
          return JSON.stringify(seen); // Playwright's own way with large answers is slow
        }"""
        return list(json.loads(self.button(button).evaluate(walk.replace("WHAT", what), times)))


Show = Callable[..., list[Shown]]


def node(shown: Shown, name: str) -> Locator:
    return shown.root.locator(f'[data-node="{name}"]')


FILL = """(root, marks) => {
  for (const field of root.querySelectorAll(".abviz-field")) {
    field.value = marks[field.dataset.key];
    field.dispatchEvent(new Event("input"));
  }
  for (const key in marks) {
    if (marks[key] !== true) continue;
    const edge = root.querySelector(`[data-edge="${key.slice(4)}"] > line`);
    edge.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}"""


def fill_in(shown: Shown, marks: dict[str, str | bool]) -> None:
    """Fill in the worksheet of practice, and mark its cuts by clicks."""
    shown.ask(FILL, marks)


def steppers(page: Page) -> list[Shown]:
    """Return the steppers of the page, once its program has been opened."""
    page.locator(".abviz-stepper").first.wait_for()
    return [Shown(root) for root in page.locator(".abviz-stepper").all()]


def as_data(value: float | None) -> str:
    """A number as `data-…` attributes write it."""
    if value is None:
        return ""
    is_whole = value not in (inf, -inf) and value == int(value)
    return str(int(value) if is_whole else value)


def as_read(value: float | None) -> str:
    return as_data(value).replace("-", "−").replace("inf", "∞")
