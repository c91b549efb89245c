"""Searches on two threads beside the sequential search of the same engine: CPU makespan (what the
busiest thread computed), nodes, idle time; what it costs to hand a task out, to watch and to stop.
Ratios are of one run, in which the ways take turns; each is the median of its rounds, and then of
the positions.
"""

import gc
import random
import threading
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from statistics import median
from time import perf_counter, sleep, thread_time
from typing import Any

import psutil

from abviz import Checkers, search
from abviz.games import GAMES
from abviz.parallel import STRATEGIES, Run, parallel_search, simulate, start

ROUNDS = 5
POSITIONS = 12
DEPTH, SIMULATED_DEPTH, IMPROVED_DEPTH = 13, 12, 16
ALPHABETA = [name for name in STRATEGIES if name not in ("sequential", "minimax")]
# Seconds of a sequential search: where the default may not lose, and where the table ends
LEAST, MOST = 0.01, 0.25
DEFAULT_AIM = 0.95
BEST_AIM, NODES_AIM, IMPROVED_AIM = 1.7, 1.12, 1.6
HANDING_AIM, WATCHING_AIM, STOP_AIM = 20, 0.03, 50  # µs, of the time, ms
SEARCHES = 1000


def main() -> None:
    positions = drawn(POSITIONS)
    (
        parallel_search(positions[0], 6),
        parallel_search(positions[0], 6, method="improved"),
        search(positions[0], 6),
    )
    every_game()
    on_two_threads(positions)
    on_more(positions)
    improved(positions)
    handing()
    watching()
    stopping()
    keeping()


def every_game() -> None:
    """The default strategy on every game, at every depth that takes from LEAST to MOST seconds, and
    below.
    """
    print(
        "The default strategy on two threads, beside the sequential search on one: CPU makespan, medians"
    )
    print(
        f"{'game':12}{'depth':>6}{'sequential':>13}{'by CPU':>9}{'before':>8}{'nodes':>8}{'tasks':>7}   split"
    )
    lowest: list[float] = []

    for title, cls in GAMES.items():
        position = cls.start()
        parallel_search(position, 2)

        for depth in range(3, 15):
            ways = {
                "sequential": partial(
                    parallel_search, position, depth, strategy="sequential", workers=1
                ),
                "default": partial(parallel_search, position, depth),
                "before": partial(parallel_search, position, depth, strategy="young-brothers"),
            }
            if title == "abalone" and depth != 4:
                del ways["before"]  # seconds for each run
            runs = in_turn(ways)
            base = middle(runs["sequential"], lambda run: run.makespan)

            ratios = {
                name: base / middle(each, lambda run: run.makespan)
                for name, each in runs.items()
                if name != "sequential"
            }
            if base >= LEAST:
                lowest.append(ratios["default"])
            print_row(title, depth, base, ratios, runs)
            if base > MOST or (title == "tic-tac-toe" and depth == 9):
                break

    print(f"lowest from {LEAST} s up: {min(lowest):.2f} (at least {DEFAULT_AIM})\n")


def print_row(
    title: str, depth: int, base: float, ratios: dict[str, float], runs: dict[str, list[Run]]
) -> None:
    before = f"{ratios['before']:.2f}" if "before" in ratios else "–"
    nodes = middle(runs["default"], lambda run: run.nodes) / runs["sequential"][0].nodes
    tasks = middle(runs["default"], lambda run: len(run.tasks))
    print(
        f"{title:12}{depth:6}{base * 1000:10.2f} ms{ratios['default']:8.2f}x{before:>8}{nodes:7.2f}x{tasks:7.0f}"
        f"   {runs['default'][0].split}",
        flush=True,
    )


def drawn(number: int, seed: int = 1) -> list[Checkers]:
    """What random games come to: positions with more than one move."""
    rng, positions = random.Random(seed), []
    while len(positions) < number:
        position = Checkers.start()
        for _ in range(rng.randrange(4, 24)):
            if not (names := position.moves()):
                break
            position = position.play(rng.choice(names))
        if len(position.moves()) > 1:
            positions.append(position)
    return positions


def in_turn(ways: dict[str, partial[Run]]) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            runs[name].append(way())
    return runs


def middle(runs: list[Run], amount: Callable[[Run], float]) -> float:
    return median(map(amount, runs))


def on_two_threads(positions: list[Checkers]) -> None:
    """Plain alpha-beta: the same value and move, each time."""
    told: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in ALPHABETA}
    for position in positions:
        ways = {
            name: partial(parallel_search, position, DEPTH, strategy=name) for name in ALPHABETA
        }
        ways["sequential"] = partial(
            parallel_search, position, DEPTH, strategy="sequential", workers=1
        )
        runs = in_turn(ways)
        alone = runs.pop("sequential")
        assert {(run.value, run.move) for each in (alone, *runs.values()) for run in each} == {
            (alone[0].value, alone[0].move)
        }
        for name, each in runs.items():
            told[name].append(
                (
                    middle(alone, lambda run: run.makespan)
                    / middle(each, lambda run: run.makespan),
                    middle(each, lambda run: run.nodes) / alone[0].nodes,
                    middle(alone, lambda run: run.time) / middle(each, lambda run: run.time),
                    middle(each, lambda run: run.idle),
                )
            )
    print(
        f"Alpha-beta to depth {DEPTH} on two threads, beside one: medians of {ROUNDS} rounds and {POSITIONS} positions"
    )
    print(f"{'':16}{'by CPU':>8}{'by clock':>10}{'nodes':>8}{'idle':>7}   of the positions by CPU")
    for name, rows in told.items():
        cpu, nodes, clock, idle = (median(column) for column in zip(*rows, strict=True))
        each = " ".join(f"{row[0]:.2f}" for row in rows)
        print(f"{name:16}{cpu:7.2f}x{clock:9.2f}x{nodes:7.2f}x{idle:7.0%}   {each}")
    best = max(told, key=lambda name: median(row[0] for row in told[name]))
    cpu, nodes = (median(row[i] for row in told[best]) for i in (0, 1))
    print(
        f"best: {best} {cpu:.2f}x (at least {BEST_AIM}), {nodes:.2f}x the nodes (at most {NODES_AIM})\n"
    )


def on_more(positions: list[Checkers]) -> None:
    """Simulated, by a clock of nodes."""
    print(
        f"Simulated to depth {SIMULATED_DEPTH}, 800 nodes to hand a task out: median speed-up by the number of workers"
    )
    numbers = (1, 2, 4, 8, 16, 32, 64)
    print(f"{'':16}" + "".join(f"{number:7}" for number in numbers))
    alone = [
        simulate(position, SIMULATED_DEPTH, strategy="sequential", workers=1)
        for position in positions
    ]
    for name in ALPHABETA:
        row = []
        for workers in numbers:
            runs = [
                simulate(each, SIMULATED_DEPTH, strategy=name, workers=workers, handing=800)
                for each in positions
            ]
            row.append(median(base.time / run.time for base, run in zip(alone, runs, strict=True)))
        print(f"{name:16}" + "".join(f"{ratio:7.2f}" for ratio in row))
    print()


def improved(positions: list[Checkers]) -> None:
    """With everything switched on, and one table that both threads share, beside `search`."""
    told: dict[str, list[tuple[float, float, float]]] = {
        name: [] for name in ("first-move", "pv-split", "young-brothers")
    }
    for position in positions:
        spent: dict[str, list[tuple[float, float, float]]] = {
            name: [] for name in ("search", *told)
        }
        for _ in range(ROUNDS):
            begin, result = process_seconds(), search(position, IMPROVED_DEPTH)
            spent["search"].append((process_seconds() - begin, result.nodes, result.seconds))
            for name in told:
                run = parallel_search(position, IMPROVED_DEPTH, strategy=name, method="improved")
                assert run.value == result.value
                spent[name].append((run.makespan, run.nodes, run.time))
        middles = {
            name: [median(column) for column in zip(*rows, strict=True)]
            for name, rows in spent.items()
        }
        for name in told:
            cpu, nodes, clock = middles[name]
            base = middles["search"]
            told[name].append((base[0] / cpu, nodes / base[1], base[2] / clock))
    print(
        f"All improvements to depth {IMPROVED_DEPTH}, a table that two threads share, beside one thread"
    )
    print(f"{'':16}{'by CPU':>8}{'by clock':>10}{'nodes':>8}   of the positions by CPU")
    for name, rows in told.items():
        cpu, nodes, clock = (median(column) for column in zip(*rows, strict=True))
        print(
            f"{name:16}{cpu:7.2f}x{clock:9.2f}x{nodes:7.2f}x   {' '.join(f'{row[0]:.2f}' for row in rows)}"
        )
    print(f"(at least {IMPROVED_AIM} by CPU)\n")


def process_seconds() -> float:
    times = psutil.Process().cpu_times()
    return float(times.user + times.system)


def handing() -> None:
    """From the end of one task to the start of the next of the same worker, where there is always
    one.
    """
    for workers in (1, 2):
        gaps = []
        for _ in range(30):
            run = parallel_search(
                Checkers.start(), 7, strategy="young-brothers", workers=workers, upper=4
            )
            for worker in range(workers):
                own = [task for task in run.tasks if task.worker == worker]
                gaps += [after.start - (before.end or 0) for before, after in pairwise(own)]
        print(
            f"handing a task out, {workers} thread(s): {median(gaps) * 1e6:.1f} µs (at most {HANDING_AIM})"
        )


def watching() -> None:
    """A record read ten times a second, as the widget does, beside the same search that nobody
    watches.
    """
    quiet, watched = [], []
    position = Checkers.start()
    for _ in range(ROUNDS * 3):
        quiet.append(rate(parallel_search(position, 15, strategy="polling")))
        running = start(position, 15, strategy="polling")
        while not running.done:
            sleep(0.1)
            running.record()
        watched.append(rate(running.result()))
    print(
        f"watched: {1 - median(watched) / median(quiet):+.1%} of the nodes a CPU second (at most {WATCHING_AIM:.0%})"
    )


def rate(run: Run) -> float:
    return run.nodes / sum(run.cpu)


def stopping() -> None:
    for method in ("alphabeta", "improved"):
        spent = []
        for _ in range(50):
            running = start(Checkers.start(), 60, strategy="young-brothers", method=method)
            sleep(0.05)
            begin = perf_counter()
            running.stop()
            running.result()
            spent.append((perf_counter() - begin) * 1000)
        print(
            f"{method} stopped after {median(spent):.1f} ms, at most {max(spent):.1f} (at most {STOP_AIM})"
        )


def keeping() -> None:
    def some(number: int) -> None:
        for _ in range(number):
            parallel_search(Checkers.start(), 5)

    some(100)
    gc.collect()
    process: Any = psutil.Process()
    memory, threads = process.memory_info().rss, threading.active_count()
    begin = thread_time()
    some(SEARCHES)
    gc.collect()
    more = (process.memory_info().rss - memory) / 1e6
    left = threading.active_count() - threads
    print(
        f"after {SEARCHES} runs: {left} threads and {more:.1f} MB more ({(thread_time() - begin):.1f} s)"
    )


if __name__ == "__main__":
    main()
