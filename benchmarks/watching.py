"""What it costs to record somebody's own function: record(function, tree) beside the plain call of the function, in
processor time, in turn in the same run; and what it costs when somebody then asks for its events."""

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

ROUNDS = 25
SHORTEST = 0.02  # seconds: plain calls are repeated until they take that long
AIM = 50  # times the plain call
SHAPES = (3, 6), (2, 9), (4, 4)


def main() -> None:
    print(f"Recording beside the plain call, medians of {ROUNDS} rounds in turn; processor time of one run, ms")
    print(f"{'function':14}{'tree':8}{'plain':>9}{'recorded':>10}{'times':>8}{'and read':>10}")
    chance = Random(424)
    trees = {f"{breadth}^{depth}": Tree(uniform(chance, breadth, depth)) for breadth, depth in SHAPES}
    for function in (assignment, value_of):
        ratios = [measured(function, name, tree) for name, tree in trees.items()]
        print(f"{function.__name__}: {median(ratios):.0f} times the plain call (aim ≤ {AIM})")
    smallest = Tree([1, 2])
    least = spent(lambda: record(assignment, smallest), 100)
    print(f"Whatever the tree, {least * 1000:.2f} ms: a thread that can be stopped, and the names of variables")


def uniform(chance: Random, breadth: int, depth: int) -> Any:
    return [uniform(chance, breadth, depth - 1) for _ in range(breadth)] if depth else chance.randint(0, 999)


def measured(function: Callable[..., Any], name: str, tree: Tree) -> float:
    assert record(function, tree).value == function(tree.root, -inf, inf)
    repeats = max(1, round(SHORTEST / spent(lambda: function(tree.root, -inf, inf), 1)))
    plain, recorded, read = [], [], []
    for _ in range(ROUNDS):
        plain.append(spent(lambda: function(tree.root, -inf, inf), repeats))
        recorded.append(spent(lambda: record(function, tree), max(1, repeats // AIM)))
        read.append(spent(lambda: record(function, tree).events, max(1, repeats // AIM)))
    times = median(ours / theirs for ours, theirs in zip(recorded, plain, strict=True))  # of the same moment
    theirs, ours, whole = (median(each) * 1000 for each in (plain, recorded, read))
    print(f"{function.__name__:14}{name:8}{theirs:9.3f}{ours:10.2f}{times:8.0f}{whole:10.2f}")
    return times


def spent(work: Callable[[], object], repeats: int) -> float:
    start = process_time()
    for _ in range(repeats):
        work()
    return (process_time() - start) / repeats


if __name__ == "__main__":
    main()
