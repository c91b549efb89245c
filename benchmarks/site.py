"""What the web edition costs a reader: bytes on the wire from a server that compresses nothing, and
the seconds until something can be done, with a slow line (1.6 Mbit/s, 150 ms) and without; and how
long a verdict takes in the browser's Python, beside the same in Python itself, in turn.

Beside the front page stand other visualizers of the same search, where build/peers has them: each in
a folder of its name, as its own build leaves it, with what it loads from other servers beside it.
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
from tests.browser.lite import Notebook
from tests.browser.site import BYTES, Quiet, built, served, tool
from tests.solutions.writing import alphabeta

PEERS_FOLDER = Path(__file__).resolve().parents[1] / "build" / "peers"

# What a newcomer sees first on the page of a peer, then clicks, and then sees
PEERS = {
    "abTreePractice": ("g.node", "text=Start Animation", "text=Stop Animation"),
    "minimax-visualizer": ("button.cell", "button.cell", "button.cell:has-text('O')"),
    "webflik": (
        ".subtree__node-utility",
        "[action=step-forward]",
        ".text-box:not(.wbfk-invisible)",
    ),
}

FRONT_AIM, CHECK_AIM, SITE_AIM = 0.1, 10, 60  # MB: a usable front page, a first Check, all
NOTEBOOK_AIM = 15  # MB: the first stepper in JupyterLite
RIGHT_AIM, WRONG_AIM = 1.5, 2.5  # times as long as in Python itself
TURNS = 7

# A slow line; a browser's own tools would leave the worker's requests at full speed
LATENCY = 0.15  # seconds
RATE = 1.6e6 / 8  # bytes a second, of all requests together

RIGHT = f"from math import inf\n\n{getsource(alphabeta)}"
WRONG = RIGHT.replace("beta = min(beta, bv)", "beta = bv")
CHECK = "check('alphabeta', alphabeta)"
CELL = "equation-run"  # any box takes any program


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


def first_step_of_peer(browser: Browser, address: str, begins: str, click: str, shows: str) -> str:
    """Return the bytes and the seconds from a click on the link to a first step."""
    page = opened(browser)
    before = Line.sent
    start = perf_counter()
    page.goto(address)
    page.locator(begins).first.wait_for(state="attached")
    page.locator(click).first.click()
    page.locator(shows).first.wait_for()
    seconds = perf_counter() - start
    page.context.close()
    return f"{(Line.sent - before) / 1000:.0f} kB, stepped after {seconds:.1f} s"


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


def first_stepper_of_notebook(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds and the megabytes from a click on the link to a step, in JupyterLite."""
    page = opened(browser)
    page.set_default_timeout(600_000)
    before = Line.sent
    start = perf_counter()
    notebook = Notebook(page).open(f"{address}lite/notebooks/?path=01-minimax.ipynb")
    notebook.run("imports")
    notebook.run("two-plies-tree")
    stepper = notebook.run("flow-stepper").locator(".abviz-stepper")
    stepper.get_by_role("button", name="Next", exact=True).click()
    stepper.locator(".abviz-where:has-text('1 of')").wait_for()
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
            report_peers(browser)
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
        seconds, megabytes = first_stepper_of_notebook(browser, address)
        aim = f"aim {NOTEBOOK_AIM}"
        print(f"as a notebook, {line}: {megabytes:.1f} MB ({aim}), stepped after {seconds:.1f} s")

    Line.is_slow = False
    aims = {"right": RIGHT_AIM, "wrong": WRONG_AIM}
    for name, (in_browser, native) in later_checks(browser, address).items():
        ratio = in_browser / native
        times = f"{in_browser:.2f} s, in Python itself {native:.2f} s"
        print(f"{name}, later: {times}: {ratio:.1f} times (aim {aims[name]})")


def report_peers(browser: Browser) -> None:
    if not PEERS_FOLDER.is_dir():
        print("no other visualizers in build/peers")
        return

    with served(PEERS_FOLDER, Counting) as root:
        for name in PEERS:
            for is_slow in (False, True):
                Line.is_slow = is_slow
                line = "slow line" if is_slow else "no limit"
                is_here = (PEERS_FOLDER / name).is_dir()
                result = (
                    first_step_of_peer(browser, f"{root}{name}/", *PEERS[name])
                    if is_here
                    else "not here"
                )
                print(f"{name}, {line}: {result}")
    Line.is_slow = False


if __name__ == "__main__":
    main()
