"""The engine beside a C program that searches the identical tree, beside itself without its
improvements and as plain Python, and what it costs to start, to stop and to keep. Ratios are of one
run, in which the ways take turns. Times are CPU times where nothing else is said, so that others
who work on the machine do not count.
"""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from types import SimpleNamespace
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent))

from in_c import InC, NoCompiler

from abviz import Abalone, Checkers, Switches, TicTacToe, search
from abviz.engine import Search, plain
from abviz.engine.compiler import engine
from abviz.engine.storage import new_table, new_work
from abviz.games.rules import LAST, WIN

ROUNDS = 9
DEPTHS_BESIDE_C = {"perft": 11, "alphabeta": 13, "Abalone": 4}
# Marbles can be pushed off at once
EXCHANGE = "B:WE7,E8,E9,D8,F9,G5,H6,I7,G9,H9:BE4,E5,E6,D5,D6,D7,C4,F5,F6,B3"
# The most of the table's time, and GuiCheckers' seconds
DEPTHS = {12: (0.9, 0.036), 14: (0.5, 0.11), 16: (0.4, 0.5)}
SOLVED_AIM = 0.15  # ms
COLD_AIM, WARM_AIM, FLOOR_AIM = 6, 0.25, 1.25  # s, s, and times the floor
STOP_AIM = 1  # ms
SEARCHES = 1000
POSITIONS = (
    "W:B1,2,3,26,18,17,25:WK30,28",
    "W:B10,11,18,19:WK7,32",
    "W:B7,8:W10,32",
    "B:BK1,K3,K6,K10,K14,K9:WK32,K30,K27,K23,K19,K24",
    "B:B5,6,K22,14,12,K31:W20,21,K9,28,K10,23",
    "W:W20,K15:B12,K28",
    "W:W30,29,22,21,9,6:B24,20,16,13,8,7",
)

Way = Callable[[], object]


def main() -> None:
    with ExitStack() as stack:
        try:
            rival = stack.enter_context(InC())
        except NoCompiler as problem:
            print(f"{problem}: nothing is measured beside C\n")
        else:
            same_trees(rival)
            beside_c(rival)
    solved()
    to_depth()
    over_plain_python()
    starting()
    stopping()
    keeping()


def in_turn(rounds: int, *ways: Way, times: int = 1) -> list[float]:
    """The median seconds of each way, which take turns; a way may be so short that it is called
    several times.
    """
    spent: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, seconds in zip(ways, spent, strict=True):
            start = process_time()
            for _ in range(times):
                way()
            seconds.append((process_time() - start) / times)
    return [median(seconds) for seconds in spent]


def perft(position: Any, depth: int, work: Any) -> int:
    return int(engine(type(position)).perft(position, depth, work, 0))


def alphabeta(position: Any, depth: int, work: Any) -> tuple[int, int]:
    """Value and nodes, with the whole window."""
    work.nodes = 0
    value = int(engine(type(position)).alphabeta(position, depth, -WIN, WIN, work, 0))
    return value, int(work.nodes)


def weighing(game: Any = Checkers) -> Any:
    return new_work(weights=list(game.weights.values()))


def same_trees(rival: InC) -> None:
    """C finds the same counts, values and nodes, or nothing is compared."""
    work = weighing()
    trees = 0
    for position in (Checkers.start(), *map(Checkers.from_fen, POSITIONS)):
        for depth in range(1, 9):
            assert rival.perft(position, depth) == perft(position, depth, work), (position, depth)
            assert rival.alphabeta(position, depth) == alphabeta(position, depth, work), (
                position,
                depth,
            )
            trees += 1
    games = [TicTacToe()]
    for position in games[:10]:
        games += [position.play(name) for name in position.moves()]
    for position in games:
        for ported in (False, True):
            assert rival.alphabeta(position, 9, ported=ported) == alphabeta(position, 9, work), (
                position
            )
    work, marbles = (
        weighing(Abalone),
        (Abalone.start(), Abalone.belgian_daisy(), Abalone.from_fen(EXCHANGE)),
    )
    for position in marbles:
        for depth in range(1, 5):
            assert rival.perft(position, depth) == perft(position, depth, work), (position, depth)
            assert rival.alphabeta(position, depth) == alphabeta(position, depth, work), (
                position,
                depth,
            )
    counts = (
        f"{trees} trees of checkers, {len(games)} of tic-tac-toe and {4 * len(marbles)} of Abalone"
    )
    print(f"C and compiled Python agree in {counts}, node for node")


def beside_c(rival: InC) -> None:
    print(f"Medians of {ROUNDS} rounds in turn ({rival.version})")
    print(f"{'':36}{'nodes':>12}{'C ms':>9}{'ours ms':>9}{'ours/s':>14}{'of C':>7}")
    work, start, empty = weighing(), Checkers.start(), TicTacToe()
    depth = DEPTHS_BESIDE_C["perft"]
    times = in_turn(ROUNDS, lambda: rival.perft(start, depth), lambda: perft(start, depth, work))
    print_row(f"checkers perft({depth})", perft(start, depth, work), times, "  (≥ 0.7, aim 0.9)")
    depth = DEPTHS_BESIDE_C["alphabeta"]
    times = in_turn(
        ROUNDS, lambda: rival.alphabeta(start, depth), lambda: alphabeta(start, depth, work)
    )
    print_row(f"checkers alphabeta({depth})", alphabeta(start, depth, work)[1], times, "  (≥ 0.75)")
    work, daisy = weighing(Abalone), Abalone.belgian_daisy()
    depth = DEPTHS_BESIDE_C["Abalone"]
    times = in_turn(ROUNDS, lambda: rival.perft(daisy, depth), lambda: perft(daisy, depth, work))
    print_row(f"Abalone perft({depth})", perft(daisy, depth, work), times, "  (aim 0.6)")
    times = in_turn(
        ROUNDS, lambda: rival.alphabeta(daisy, depth + 1), lambda: alphabeta(daisy, depth + 1, work)
    )
    print_row(
        f"Abalone alphabeta({depth + 1})",
        alphabeta(daisy, depth + 1, work)[1],
        times,
        "  (aim 0.6)",
    )
    nodes = alphabeta(empty, 9, work)[1]
    for ported, name in (True, "the same program"), (False, "C for this game alone"):
        c = partial(rival.alphabeta, empty, 9, ported=ported)
        times = in_turn(51, c, lambda: alphabeta(empty, 9, work), times=20)
        print_row(f"tic-tac-toe, {name}", nodes, times, "  (aim 0.75)")


def print_row(name: str, nodes: int, times: list[float], aims: str) -> None:
    c, ours = times
    print(
        f"{name:36}{nodes:12,}{1e3 * c:9.3f}{1e3 * ours:9.3f}{nodes / ours:14,.0f}{c / ours:7.2f}{aims}"
    )


def solved() -> None:
    """Plain alpha-beta once more, since there may be no C to measure it with, and what the
    improvements make of it.
    """
    empty, spent, nodes = TicTacToe(), ([], []), [0, 0]
    for _ in range(101):
        # A record and a table of their own each time: what one search has learnt must not help the
        # next.
        work, table = improved_work(), new_table(1 << 12)
        start = perf_counter()
        assert engine(TicTacToe).improved(empty, 9, -WIN, WIN, work, table, 0) == 0
        between = perf_counter()
        nodes[1] = int(work.nodes)
        _, nodes[0] = alphabeta(empty, 9, work)
        spent[1].append(between - start)
        spent[0].append(perf_counter() - between)
    plain_ms, improved_ms = (1e3 * median(seconds) for seconds in spent)
    print(f"\ntic-tac-toe solved from the empty board (aim ≤ {SOLVED_AIM} ms)")
    print(f"  plain alpha-beta                       {nodes[0]:7,} nodes {plain_ms:7.3f} ms")
    print(f"  with killers, history, pvs and a table {nodes[1]:7,} nodes {improved_ms:7.3f} ms\n")


def improved_work() -> Any:
    work = new_work()
    work.killers = work.history = work.pvs = work.table = 1
    return work


def to_depth() -> None:
    """All that leaves the value as it is, against iterative deepening with the table alone."""
    print(
        f"Time to depth from the start, captures played out; whole calls of search(), medians of {ROUNDS} in turn"
    )
    print(
        f"{'depth':>5}{'all on, s':>11}{'nodes':>11}{'nodes/s':>12}{'table alone, s':>16}{'nodes':>11}{'ratio':>7}",
        end="",
    )
    print(f"{'aim':>8}{'GuiCheckers, s':>16}")
    start, alone = Checkers.start(), Switches.none(deepening=True, table=True)
    for depth, (aim, gui) in DEPTHS.items():
        every, table = partial(search, start, depth), partial(search, start, depth, **vars(alone))
        found, expected = every(), table()
        assert found.value == expected.value
        ours, theirs = in_turn(ROUNDS, every, table)
        print(
            f"{depth:5}{ours:11.3f}{found.nodes:11,}{found.nodes / ours:12,.0f}{theirs:16.3f}",
            end="",
        )
        print(f"{expected.nodes:11,}{ours / theirs:7.2f}{f'≤ {aim}':>8}{gui:16.3f}")
    print(
        "(GuiCheckers: on the machine of an earlier measurement, with pruning that may change the value)\n"
    )


def over_plain_python() -> None:
    """The same source, run as it stands on a record of Python's own numbers, and compiled."""
    print("The same source as plain Python and compiled")
    work, start, empty = weighing(), Checkers.start(), TicTacToe()
    compare("perft", start, 6, plain.perft, lambda: perft(start, 6, work))
    searched = partial(plain.alphabeta, alpha=-WIN, beta=WIN)
    compare("alphabeta", start, 6, searched, lambda: alphabeta(start, 6, work)[0])
    compare("alphabeta", empty, 9, searched, lambda: alphabeta(empty, 9, work)[0])
    print()


def compare(
    name: str, position: Any, depth: int, function: Callable[..., int], compiled: Way
) -> None:
    as_it_stands = partial(function, position, depth, w=python_record(), ply=0)
    assert as_it_stands() == compiled()
    (slow,), (fast,) = in_turn(3, as_it_stands), in_turn(21, compiled, times=50)
    print(
        f"{f'{position.title} {name}({depth})':28}{1e3 * slow:10.1f} ms{1e3 * fast:10.3f} ms",
        end="",
    )
    print(f"{slow / fast:8.0f} times as fast")


def python_record() -> Any:
    """What the searches need of a record. (Reading numbers out of a numpy record takes Python three
    times as long.)
    """
    counters = dict.fromkeys(("nodes", "evaluations", "cutoffs"), 0)
    rows = {"count": [0] * (LAST + 2), "moves": {}, "weights": list(Checkers.weights.values())}
    return SimpleNamespace(limit=1 << 62, last=LAST, **counters, **rows)


def starting() -> None:
    """Whole processes: with an empty cache, with a filled one, with numba alone, and with its
    floor: one function that it has cached.
    """
    print(
        f"The first search in a process, start to end, CPU and (by the clock); medians of {ROUNDS} in turn, s"
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        (home / "floor.py").write_text(
            "import numba\n\n\n@numba.njit(cache=True)\ndef f(x):\n    return x\n"
        )
        floor = f"import sys; sys.path.insert(0, {folder!r}); import floor; floor.f(1)"
        process(floor, home)
        for game in ("Checkers", "TicTacToe"):
            code = f"from abviz import {game}, search; search({game}.start(), 1)"
            cold = process(code, home)
            codes = (code, "import numba", floor)
            times = [[process(each, home) for each in codes] for _ in range(ROUNDS)]
            warm, numba, least = (medians(column) for column in zip(*times, strict=True))
            parts = {
                f"cold: it is compiled (aim ≤ {COLD_AIM})": difference(cold, warm),
                "from a filled cache": warm,
                "import numba": numba,
                f"beyond importing numba (aim ≤ {WARM_AIM})": difference(warm, numba),
            }
            print(
                f"{game:12}"
                + "; ".join(
                    f"{name} {cpu:.2f} ({clock:.2f})" for name, (cpu, clock) in parts.items()
                )
            )
            print(
                f"{'':12}{warm[0] / least[0]:.2f} times the floor, {least[0]:.2f} (aim ≤ {FLOOR_AIM})"
            )
    print()


Times = tuple[float, float]  # CPU, and by the clock


def process(code: str, home: Path) -> Times:
    """What a Python takes from start to end that has its caches under `home`."""
    environment = os.environ | dict.fromkeys(("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"), str(home))
    before = os.times()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)
    after = os.times()
    cpu = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    return cpu, after.elapsed - before.elapsed


def medians(times: Sequence[Times]) -> Times:
    return median(cpu for cpu, _ in times), median(clock for _, clock in times)


def difference(a: Times, b: Times) -> Times:
    return a[0] - b[0], a[1] - b[1]


def stopping() -> None:
    """From stop() until the compiled code is back, and until the result is there."""
    back, there = [], []
    for _ in range(31):
        back.append(stopped_engine())
        running = Search(Checkers.start(), 40).start()
        sleep(0.01)
        start = perf_counter()
        running.stop()
        running.result()
        there.append(perf_counter() - start)
    print(
        f"stop(): the compiled search is back after {1e3 * median(back):.2f} ms (most {1e3 * max(back):.2f};",
        end=" ",
    )
    print(
        f"aim ≤ {STOP_AIM}), the result is there after {1e3 * median(there):.2f} ms (most {1e3 * max(there):.2f})"
    )


def stopped_engine() -> float:
    work, ended = weighing(), []

    def run() -> None:
        engine(Checkers).alphabeta(Checkers.start(), 40, -WIN, WIN, work, 0)
        ended.append(perf_counter())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    sleep(0.01)
    start = perf_counter()
    work.limit = 0
    thread.join()
    return ended[0] - start


def keeping() -> None:
    """What a process holds before and after many searches, and how large a table is."""
    me, start = psutil.Process(), Checkers.start()
    for _ in range(50):
        search(start, 6)
    before = me.memory_info().rss
    for _ in range(SEARCHES):
        search(start, 6)
    grown = me.memory_info().rss - before
    print(
        f"memory: {before / 1e6:.0f} MB before {SEARCHES:,} searches, {grown / 1e6:+.1f} MB after (aim: no growth)"
    )
    tables = ", ".join(
        f"{asked} MB: {Search(start, megabytes=asked).table.nbytes / 1e6:.1f}"
        for asked in (1, 32, 100)
    )
    print(f"the table as it was asked for, and as it is: {tables} MB (a power of two of entries)")


if __name__ == "__main__":
    main()
