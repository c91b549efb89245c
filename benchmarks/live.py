"""What a watched timing widget costs its search, in a real JupyterLab: the page is drawn on the cores that search.

The cost is what kernel, server and browser use of two cores, the searching threads excluded.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import psutil
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # browser and server are those of the tests

from tests.browser.driving import launch, new_context
from tests.browser.jupyter import Notebook, serving

SECONDS = 10  # of each search whose CPU time is taken
ROUNDS = 3
CORES = 2
AIM = 0.03

CELL = """
import os
from abviz import Checkers
from abviz.parallel import start
from abviz.timing import Timing

t = Timing()
"""
WATCHED = "t.run(depth=60, strategy='polling')", "t.stop()"
UNWATCHED = "search = start(Checkers.start(), 60, strategy='polling')", "search.stop()"


def main() -> None:
    home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with home as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        server.write("live.ipynb", CELL)
        notebook = Notebook(new_context(browser).new_page(), server, "live.ipynb")
        notebook.run_all()
        notebook.cell("t").locator(".abviz-timing").first.wait_for()
        by_cpu_time(notebook)
        browser.close()


def by_cpu_time(notebook: Notebook) -> None:
    kernel = psutil.Process(int(notebook.ask("os.getpid()")))
    shares: dict[tuple[str, str], list[float]] = {WATCHED: [], UNWATCHED: []}
    for _ in range(ROUNDS):
        for way, measured in shares.items():
            measured.append(share_of_cores(notebook, kernel, *way))
    watched, unwatched = map(median, shares.values())
    print(f"CPU time of all but the search, of {CORES} cores: {watched - unwatched:+.1%} if watched (aim ≤ {AIM:.0%})")


def share_of_cores(notebook: Notebook, kernel: psutil.Process, start: str, stop: str) -> float:
    idle = {thread.id for thread in kernel.threads()}
    before, begin = cpu_seconds(kernel, idle), perf_counter()
    notebook.do(start)
    sleep(SECONDS)
    spent, elapsed = cpu_seconds(kernel, idle) - before, perf_counter() - begin
    notebook.do(stop)
    sleep(0.5)
    return spent / (CORES * elapsed)


def cpu_seconds(kernel: psutil.Process, idle: set[int]) -> float:
    """Return the CPU time of server, browser and kernel, without the two busiest new threads: they search."""
    threads = {thread.id: thread.user_time + thread.system_time for thread in kernel.threads()}
    new = sorted(time for number, time in threads.items() if number not in idle)
    total = sum(threads.values()) - sum(new[-CORES:])
    for process in psutil.Process().children(recursive=True):
        if process != kernel:
            times = process.cpu_times()
            total += times.user + times.system
    return total


if __name__ == "__main__":
    main()
