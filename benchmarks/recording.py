"""What it costs to record a student's function, against the plain call: the profiled run alone, and
record(function, tree), which also turns its log into events. In processor time, in turn in the same
run. Run it with each Python.
"""

import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the functions are those of the tests

from abviz import Tree, record
from abviz.recording.recorder import Recorder
from tests.test_recording import assignment, value_of

ROUNDS = 15
SHORTEST = 0.02  # seconds: plain calls are repeated until they take that long
AIM = 50  # times the plain call
SHAPES = (3, 6), (2, 9), (4, 4)


def main() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    print(
        f"Recording on Python {version}, medians of {ROUNDS} rounds in turn; processor time of one run, ms"
    )
    print(f"{'function':14}{'tree':8}{'plain':>9}{'run':>9}{'times':>8}{'record':>9}{'times':>8}")
    chance = Random(424)
    trees = {
        f"{breadth}^{depth}": Tree(uniform(chance, breadth, depth)) for breadth, depth in SHAPES
    }
    ratios = [
        measure(function, name, tree)
        for function in (assignment, value_of)
        for name, tree in trees.items()
    ]
    runs, records = (median(column) for column in zip(*ratios, strict=True))
    print(
        f"median: {runs:.0f} times the plain call (aim ≤ {AIM}), with the events {records:.0f} times"
    )
    smallest = Tree([1, 2])
    print(
        f"Of every recording, {spent(lambda: record(assignment, smallest), 100) * 1000:.2f} ms do not grow"
    )


def uniform(chance: Random, breadth: int, depth: int) -> Any:
    return (
        [uniform(chance, breadth, depth - 1) for _ in range(breadth)]
        if depth
        else chance.randint(0, 999)
    )


def measure(function: Callable[..., Any], name: str, tree: Tree) -> tuple[float, float]:
    """Return how many times the plain call the run and the record take."""
    ways = [
        lambda: function(tree.root, -inf, inf),
        lambda: Recorder(tree, (None, None, None)).run(
            lambda root: function(root, -inf, inf), seconds=5
        ),
        lambda: record(function, tree),
    ]
    assert record(function, tree).value == ways[0]()
    repeats = max(1, round(SHORTEST / spent(ways[0], 1)))
    few = max(1, repeats // AIM)
    rounds = [
        [spent(way, count) for way, count in zip(ways, (repeats, few, few), strict=True)]
        for _ in range(ROUNDS)
    ]
    run, recorded = (median(times[way] / times[0] for times in rounds) for way in (1, 2))
    plain_ms, run_ms, record_ms = (median(times) * 1000 for times in zip(*rounds, strict=True))
    print(
        f"{function.__name__:14}{name:8}{plain_ms:9.3f}{run_ms:9.2f}{run:8.0f}{record_ms:9.2f}{recorded:8.0f}"
    )
    return run, recorded


def spent(work: Callable[[], object], repeats: int) -> float:
    start = process_time()
    for _ in range(repeats):
        work()
    return (process_time() - start) / repeats


if __name__ == "__main__":
    main()
