"""What the web edition costs a reader: bytes on the wire from a server that compresses nothing, and
the seconds until something can be done, with a slow line (1.6 Mbit/s, 150 ms) and without; and how
long a verdict takes in the browser's Python, beside the same in Python itself, in turn.
"""

import sys
import tempfile
import threading
from inspect import getsource
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

# The browser, the server and the right answer are those of the tests
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from abviz import check
from tests.browser.driving import launch
from tests.browser.site import Quiet, built, served, tool
from tests.solutions.writing import alphabeta

FRONT_AIM, CHECK_AIM, SITE_AIM = 0.1, 10, 60  # MB: a usable front page, a first Check, all
RIGHT_AIM, WRONG_AIM = 1.5, 2.5  # times as long as in Python itself
TURNS = 7

# A slow line; a browser's own tools would leave the worker's requests at full speed
LATENCY = 0.15  # seconds
RATE = 1.6e6 / 8  # bytes a second, of all requests together

RIGHT = f"from math import inf\n\n{getsource(alphabeta)}"
WRONG = RIGHT.replace("beta = min(beta, bv)", "beta = bv")
CHECK = "check('alphabeta', alphabeta)"
CELL = "equation-run"  # any box takes any program

BYTES = """() => ["resource", "navigation"].flatMap((type) => performance.getEntriesByType(type))
  .reduce((sum, {transferSize}) => sum + transferSize, 0)"""


class Line:
    """What the requests share."""

    sent = 0
    is_slow = False
    turn = threading.Lock()


class Counting(Quiet):
    """It counts the bytes that it sends, and may send them slowly."""

    protocol_version = "HTTP/1.1"  # the connection stays

    def do_GET(self) -> None:
        if Line.is_slow:
            sleep(LATENCY)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        while piece := source.read(8192):
            with Line.turn:
                Line.sent += len(piece)
                if Line.is_slow:
                    sleep(len(piece) / RATE)
            outputfile.write(piece)


def opened(browser: Browser) -> Page:
    """A page of a browser that has visited nothing yet."""
    return browser.new_context(reduced_motion="reduce").new_page()


def first_step(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds and the megabytes from a click on the link to a first step."""
    page = opened(browser)
    start = perf_counter()
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    loaded = page.evaluate(BYTES)
    page.get_by_role("button", name="Next", exact=True).first.click()
    page.wait_for_selector(".abviz-where:has-text('1 of')")
    seconds = perf_counter() - start
    page.context.close()
    return seconds, loaded / 1e6


def run(page: Page, source: str) -> float:
    """Return the seconds that it takes to run the program in a box."""
    cell = page.locator(f"#{CELL}")
    cell.locator(".box textarea").fill(source)
    cell.evaluate("(section) => delete section.dataset.state")
    start = perf_counter()
    cell.locator("button.run").click()
    page.wait_for_selector(f"#{CELL}:is([data-state=done], [data-state=failed])", timeout=600_000)
    assert cell.get_attribute("data-state") == "done", cell.inner_text()
    return perf_counter() - start


def first_check(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds and the megabytes from a click on the link to a first verdict."""
    page = opened(browser)
    before = Line.sent
    start = perf_counter()
    page.goto(f"{address}01-minimax/")
    page.wait_for_selector("html[data-ready]")
    run(page, RIGHT + CHECK)
    seconds = perf_counter() - start
    page.context.close()
    return seconds, (Line.sent - before) / 1e6


def later_checks(browser: Browser, address: str) -> dict[str, tuple[float, float]]:
    """Return the seconds of a right and of a wrong verdict: in the browser, and in Python."""
    page = opened(browser)
    page.goto(f"{address}01-minimax/")
    page.wait_for_selector("html[data-ready]")
    times: dict[str, list[tuple[float, float]]] = {"right": [], "wrong": []}
    for turn in range(TURNS + 1):
        for name, source in (("right", RIGHT), ("wrong", WRONG)):
            # Another text each time, or an answer could be remembered
            program = f"{source}\n# {turn}\n"
            in_browser = run(page, f"{program}{CHECK}")
            names: dict[str, Any] = {}
            exec(program, names)
            start = perf_counter()
            verdict = check("alphabeta", names["alphabeta"])
            verdict._repr_mimebundle_()
            native = perf_counter() - start
            assert bool(verdict) == (name == "right")
            if turn:  # the first loads what is needed
                times[name].append((in_browser, native))
    page.context.close()
    return {
        name: (median(each for each, _ in both), median(each for _, each in both))
        for name, both in times.items()
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        built(site, [])
        size = tool("build").size_of(site) / 1e6
        print(f"the whole site: {size:.1f} MB (aim {SITE_AIM})")
        with served(Path(folder), Counting) as root, sync_playwright() as playwright:
            browser = launch(playwright)
            report(browser, f"{root}site/")
            browser.close()


def report(browser: Browser, address: str) -> None:
    for is_slow in (False, True):
        Line.is_slow = is_slow
        line = "slow line" if is_slow else "no limit"
        seconds, megabytes = first_step(browser, address)
        aim = f"aim {FRONT_AIM * 1000:.0f} kB"
        print(
            f"front page, {line}: {megabytes * 1000:.0f} kB ({aim}), stepped after {seconds:.1f} s"
        )
        seconds, megabytes = first_check(browser, address)
        print(f"first Check, {line}: {megabytes:.1f} MB (aim {CHECK_AIM}), after {seconds:.1f} s")

    Line.is_slow = False
    aims = {"right": RIGHT_AIM, "wrong": WRONG_AIM}
    for name, (in_browser, native) in later_checks(browser, address).items():
        ratio = in_browser / native
        times = f"{in_browser:.2f} s, in Python itself {native:.2f} s"
        print(f"{name}, later: {times}: {ratio:.1f} times (aim {aims[name]})")


if __name__ == "__main__":
    main()
