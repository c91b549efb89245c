"""What a timing widget that is watched in a real JupyterLab takes from its search, since the page is drawn on the cores
that search. By the clock: nodes a second, beside searches that nobody watches, in turn, in the same kernel. By CPU
time, which a busy machine falsifies less: what all that is not the search (kernel, server, browser) uses of two
cores in the first seconds and in later ones."""

import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import psutil
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the browser and the server are those of the tests

from tests.browser.driving import launch, new_context
from tests.browser.jupyter import Notebook, serving

DEPTHS = {15: 10, 16: 6, 17: 4}  # and the rounds of each
MOMENTS = (0, 1, 2, 5, 10)  # seconds
ROUNDS = 5
CORES = 2
AIM = 0.03

CELL = """
import json, os
from abviz import Checkers
from abviz.parallel import parallel_search, start
from abviz.timing import Timing

def quiet(depth):
    return told(parallel_search(Checkers.start(), depth, strategy="polling"))

def live(depth):
    t.run(depth=depth, strategy="polling")
    return told(t.wait())

def told(run):
    return json.dumps([run.nodes / run.time, run.time])

t = Timing()
"""
WATCHED = "t.run(depth=60, strategy='polling')", "t.stop()"
UNWATCHED = "running = start(Checkers.start(), 60, strategy='polling')", "running.stop()"


def main() -> None:
    home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with home as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        server.write("live.ipynb", CELL)
        notebook = Notebook(new_context(browser).new_page(), server, "live.ipynb")
        notebook.run_all()
        notebook.cell("t").locator(".abviz-timing").wait_for()
        by_cpu(notebook)
        by_the_clock(notebook)
        browser.close()


def by_the_clock(notebook: Notebook) -> None:
    print("A search on two threads in a widget that is watched, beside the same without one; medians")
    for depth, rounds in DEPTHS.items():
        pairs = [[rate(notebook, way, depth) for way in ("quiet", "live")] for _ in range(rounds)]
        (quiet, seconds), (live, _) = (
            [median(column) for column in zip(*runs, strict=True)] for runs in zip(*pairs, strict=True)
        )
        print(f"depth {depth}, {seconds:.1f} s: {1 - live / quiet:+.1%} of the nodes a second (aim ≤ {AIM:.0%})")


def rate(notebook: Notebook, way: str, depth: int) -> Any:
    return json.loads(notebook.ask(f"{way}({depth})").strip("'"))


def by_cpu(notebook: Notebook) -> None:
    kernel = psutil.Process(int(notebook.ask("os.getpid()")))
    shares: dict[tuple[str, str], list[list[float]]] = {WATCHED: [], UNWATCHED: []}
    for _ in range(ROUNDS):
        for way, rows in shares.items():
            rows.append(shares_of_cores(notebook, kernel, *way))
    watched, unwatched = ([median(column) for column in zip(*rows, strict=True)] for rows in shares.values())
    print(f"CPU time of all that does not search, of {CORES} cores: watched less unwatched (aim ≤ {AIM:.0%})")
    for (since, until), more, less in zip(pairwise(MOMENTS), watched, unwatched, strict=True):
        print(f"second {since} to {until}: {more - less:.1%}   ({more:.1%} and {less:.1%})")


def shares_of_cores(notebook: Notebook, kernel: psutil.Process, start: str, stop: str) -> list[float]:
    """Between the moments of one run."""
    searching = {thread.id for thread in kernel.threads()}
    begin = perf_counter()
    notebook.do(start)
    marks = []
    for moment in MOMENTS:
        sleep(max(0.0, begin + moment - perf_counter()))
        marks.append((perf_counter(), cpu_seconds(kernel, searching)))
    notebook.do(stop)
    sleep(0.5)
    return [(now - before) / (CORES * (end - start)) for (start, before), (end, now) in pairwise(marks)]


def cpu_seconds(kernel: psutil.Process, known: set[int]) -> float:
    """Of the server, the browser and the kernel's threads, without the two that are new and busiest: they search."""
    threads = {thread.id: thread.user_time + thread.system_time for thread in kernel.threads()}
    new = sorted(time for number, time in threads.items() if number not in known)
    total = sum(threads.values()) - sum(new[-CORES:])
    for process in psutil.Process().children(recursive=True):
        if process != kernel:
            times = process.cpu_times()
            total += times.user + times.system
    return total


if __name__ == "__main__":
    main()
