"""What widgets that watch a search cost it, and how soon the board answers a click, in a real
JupyterLab.

The page is drawn on the cores that search. The cost is what kernel, server and browser use of the
cores of the search, the searching threads excluded; beside it, how much of its cores the search
itself loses.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import psutil
from playwright.sync_api import Locator, sync_playwright

# Browser and server are those of the tests
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from abviz import Checkers
from abviz.play.board import clicks
from tests.browser.driving import launch, new_context
from tests.browser.jupyter import Notebook, serving

SECONDS = 10  # of each search whose CPU time is taken
ROUNDS = 3
COST_AIM, CLICK_AIM, UPDATES_AIM = 0.03, 50, 5  # of the cores, milliseconds, and a second
PLIES = 40  # of the game that is clicked

CELL = """
import os
from abviz import Board, Checkers
from abviz.engine import Search
from abviz.parallel import start
from abviz.play import Player
from abviz.timing import Timing

t = Timing()
b = Board(players=("you", Player(seconds=600)))
"""
# Each watched search, the same search without a widget, and the number of its threads.
SEARCHES = {
    "timing widget": (
        ("t.run(depth=60, strategy='polling')", "t.stop()"),
        ("search = start(Checkers.start(), 60, strategy='polling')", "search.stop()"),
        2,
    ),
    "board": (
        ("b.start()", "b.stop()"),
        ("search = Search(Checkers.start(), seconds=600).start()", "search.stop()"),
        1,
    ),
}
Way = tuple[str, str]  # what starts a search, and what stops it

CLICK = """async (root, squares) => {
  const square = (name) => root.querySelector(`[data-square='${name}']`);
  const click = (name) => square(name).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  squares.slice(0, -1).forEach(click);
  const begin = performance.now();
  const shown = new Promise((done) => new MutationObserver((_, observer) => (observer.disconnect(), done()))
    .observe(root.querySelector(".abviz-board-status"), { childList: true }));
  click(squares.at(-1));
  await shown;
  await new Promise(requestAnimationFrame);
  const seen = performance.now();
  while (root.ariaBusy) await new Promise(requestAnimationFrame);
  return [seen - begin, performance.now() - begin];
}"""
UPDATES = """(root, seconds) => new Promise((done) => {
  let updates = 0;
  const observer = new MutationObserver(() => updates++);
  observer.observe(root.querySelector(".abviz-board-thought"), { childList: true });
  setTimeout(() => (observer.disconnect(), done(updates / seconds)), 1000 * seconds);
})"""


def main() -> None:
    home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with home as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = launch(playwright)
        server.write("live.ipynb", CELL)
        notebook = Notebook(new_context(browser).new_page(), server, "live.ipynb")
        notebook.run_all()
        notebook.cell("t").locator(".abviz-timing").first.wait_for()
        by_clicks(
            notebook.cell("game = Board(players=('you', 'you'))\ngame").locator(".abviz-board")
        )
        updates(notebook, notebook.cell("b").locator(".abviz-board"))
        for name, (watched, unwatched, threads) in SEARCHES.items():
            by_cpu_time(notebook, name, watched, unwatched, threads)
        browser.close()


def by_clicks(board: Locator) -> None:
    """From the click that completes a move until the next frame shows it, and until Python offers
    the next moves.
    """
    board.wait_for()
    position, times = Checkers.start(), []
    for _ in range(PLIES):
        way = clicks(position)[0]
        times.append(board.evaluate(CLICK, [square + 1 for square in (*way["from"], *way["to"])]))
        position = position.play(way["name"])
    shown, answered = zip(*times, strict=True)
    print(
        f"a move is shown after {median(shown):.0f} ms (most {max(shown):.0f}; aim ≤ {CLICK_AIM}), {PLIES} clicks;"
    )
    print(f"the next can be clicked after {median(answered):.0f} ms")


def updates(notebook: Notebook, board: Locator) -> None:
    board.wait_for()
    notebook.do("Search(Checkers.start(), 4).result()")  # compiles
    notebook.do("b.start()")
    sleep(1)
    print(
        f"the engine's line is shown {board.evaluate(UPDATES, SECONDS):.1f} times a second (aim ≥ {UPDATES_AIM})"
    )
    notebook.do("b.stop()")


def by_cpu_time(notebook: Notebook, name: str, watched: Way, unwatched: Way, threads: int) -> None:
    kernel = psutil.Process(int(notebook.ask("os.getpid()")))
    shares: dict[Way, list[tuple[float, float]]] = {watched: [], unwatched: []}
    for _ in range(ROUNDS):
        for way, measured in shares.items():
            measured.append(share_of_cores(notebook, kernel, way, threads))
    medians = {
        way: [median(column) for column in zip(*measured, strict=True)]
        for way, measured in shares.items()
    }
    others, search = (
        more - less for more, less in zip(medians[watched], medians[unwatched], strict=True)
    )
    print(
        f"CPU time of all but the search, of its {threads} cores: {others:+.1%} for the {name} (aim ≤ {COST_AIM:.0%});"
    )
    print(f"of the search itself: {search:+.1%}")


def share_of_cores(
    notebook: Notebook, kernel: psutil.Process, way: Way, threads: int
) -> tuple[float, float]:
    """Return what is used of the cores of the search: by all else, and by the search."""
    start, stop = way
    idle = {thread.id for thread in kernel.threads()}
    (others, _), begin = cpu_seconds(kernel, idle, threads), perf_counter()
    notebook.do(start)
    sleep(SECONDS)
    (all_others, search), elapsed = cpu_seconds(kernel, idle, threads), perf_counter() - begin
    notebook.do(stop)
    sleep(0.5)
    return (all_others - others) / (threads * elapsed), search / (threads * elapsed)


def cpu_seconds(kernel: psutil.Process, idle: set[int], searching: int) -> tuple[float, float]:
    """Return the CPU time of server, browser and kernel without the busiest new threads, and of
    these: they search.
    """
    threads = {thread.id: thread.user_time + thread.system_time for thread in kernel.threads()}
    new = sorted(time for number, time in threads.items() if number not in idle)
    search = sum(new[-searching:])
    total = sum(threads.values()) - search
    for process in psutil.Process().children(recursive=True):
        if process != kernel and process.name() != "node":  # Playwright's own
            times = process.cpu_times()
            total += times.user + times.system
    return total, search


if __name__ == "__main__":
    main()
