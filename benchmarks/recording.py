"""What it costs to record a student's function: record(function, tree) against the plain call, in processor time, in
turn in the same run. Run it with each Python."""

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
from tests.test_recording import assignment, value_of

ROUNDS = 15
SHORTEST = 0.02  # seconds: plain calls are repeated until they take that long
AIM = 50  # times the plain call
SHAPES = (3, 6), (2, 9), (4, 4)


def main() -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    print(f"Recording on Python {version}, medians of {ROUNDS} rounds in turn; processor time of one run, ms")
    print(f"{'function':14}{'tree':8}{'plain':>9}{'recorded':>10}{'times':>8}")
    chance = Random(424)
    trees = {f"{breadth}^{depth}": Tree(uniform(chance, breadth, depth)) for breadth, depth in SHAPES}
    ratios = [measure(function, name, tree) for function in (assignment, value_of) for name, tree in trees.items()]
    print(f"median: {median(ratios):.0f} times the plain call (aim ≤ {AIM})")
    smallest = Tree([1, 2])
    print(f"Of every recording, {spent(lambda: record(assignment, smallest), 100) * 1000:.2f} ms do not grow")


def uniform(chance: Random, breadth: int, depth: int) -> Any:
    return [uniform(chance, breadth, depth - 1) for _ in range(breadth)] if depth else chance.randint(0, 999)


def measure(function: Callable[..., Any], name: str, tree: Tree) -> float:
    assert record(function, tree).value == function(tree.root, -inf, inf)
    repeats = max(1, round(SHORTEST / spent(lambda: function(tree.root, -inf, inf), 1)))
    few = max(1, repeats // AIM)
    plain, recorded = [], []
    for _ in range(ROUNDS):
        plain.append(spent(lambda: function(tree.root, -inf, inf), repeats))
        recorded.append(spent(lambda: record(function, tree), few))
    ratio = median(ours / theirs for ours, theirs in zip(recorded, plain, strict=True))
    theirs, ours = median(plain) * 1000, median(recorded) * 1000
    print(f"{function.__name__:14}{name:8}{theirs:9.3f}{ours:10.2f}{ratio:8.0f}")
    return ratio


def spent(work: Callable[[], object], repeats: int) -> float:
    start = process_time()
    for _ in range(repeats):
        work()
    return (process_time() - start) / repeats


if __name__ == "__main__":
    main()
