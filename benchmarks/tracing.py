"""How fast a search is recorded and its steps are read: against the number of events, against
depth, and against the same search written with `yield from`, measured in turn in the same run.
"""

import sys
from collections.abc import Callable, Iterator
from math import inf
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from abviz import Rules, Tree, trace
from abviz.tracing.algorithms import Event
from abviz.tracing.traces import Trace

ROUNDS = 9
AIM = 500_000  # events a second
DEEP_AIM = 10  # times the cost of an event in a shallow tree
DEEP = 500


def main() -> None:
    sys.setrecursionlimit(10_000)  # the other way needs it
    print(
        f"Recording alpha-beta, medians of {ROUNDS} rounds in turn; events/s, and the time of `yield from` over ours"
    )
    print(f"{'tree':24}{'events':>8}{'recorded/s':>12}{'yield from':>12}{'ratio':>7}{'read/s':>10}")
    costs = {name: measured(name, tree) for name, tree in trees().items()}
    shallow, large = costs["4^3"], costs["3·4^6"]
    deep = costs[f"{DEEP} levels"]
    slowest = max(cost for name, cost in costs.items() if "levels" not in name)
    print(f"slowest of the uniform trees: {1 / slowest:,.0f} events/s (aim {AIM:,})")
    print(
        f"an event of the largest uniform tree costs {large / shallow:.2f} times one of the smallest (linear: 1)"
    )
    print(
        f"an event {DEEP} levels deep costs {deep / shallow:.2f} times a shallow one (aim ≤ {DEEP_AIM})"
    )


def trees() -> dict[str, Tree]:
    chance = Random(424)

    def uniform(breadth: int, depth: int) -> Any:
        return (
            [uniform(breadth, depth - 1) for _ in range(breadth)]
            if depth
            else chance.randint(0, 999)
        )

    found = {f"4^{depth}": Tree(uniform(4, depth)) for depth in range(3, 7)}
    # 4^7 has more nodes than a tree may have
    found["3·4^6"] = Tree([uniform(4, 6) for _ in range(3)])
    found |= {"10^4": Tree(uniform(10, 4)), "2^13": Tree(uniform(2, 13))}
    nested: Any = 0
    for level in range(DEEP - 1):
        nested = [nested, (-1) ** level * level]  # nothing is cut
    return found | {f"{DEEP} levels": Tree(nested)}


def measured(name: str, tree: Tree) -> float:
    """One row of the table; the seconds that an event takes to be recorded."""
    events = len(trace(tree).events)
    assert tuple(by_delegation(tree)) == trace(tree).events
    rounds = max(1, 20_000 // events)  # so that short ones can be timed
    ways: tuple[Callable[[], object], ...] = (
        lambda: trace(tree),
        lambda: Trace(tree, by_delegation(tree), search="alphabeta", rules=Rules()),
        lambda: len(trace(tree)),
    )
    times: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        for way, spent in zip(ways, times, strict=True):
            start = perf_counter()
            for _ in range(rounds):
                way()
            spent.append((perf_counter() - start) / rounds / events)
    ours, theirs, both = map(median, times)
    reading = 1 / max(both - ours, 1e-12)
    print(
        f"{name:24}{events:8,}{1 / ours:12,.0f}{1 / theirs:12,.0f}{theirs / ours:7.2f}{reading:10,.0f}"
    )
    return ours


def by_delegation(tree: Tree) -> Iterator[Event]:
    """Alpha-beta under the default rules, each call handing on the events of the calls below it."""

    def search(node: Any, alpha: float, beta: float) -> Any:
        if not node.children:
            yield Event("leaf", node, alpha, beta, None, node.value)
            return node.value
        is_max = node.is_max
        bv = -inf if is_max else inf
        yield Event("enter", node, alpha, beta, bv)
        for done, child in enumerate(node.children, 1):
            value = yield from search(child, alpha, beta)
            bv = max(bv, value) if is_max else min(bv, value)
            yield Event("bv", node, alpha, beta, bv, value)
            if is_max and bv > alpha:
                alpha = bv
                yield Event("alpha", node, alpha, beta, bv)
            elif not is_max and bv < beta:
                beta = bv
                yield Event("beta", node, alpha, beta, bv)
            if alpha >= beta:
                for skipped in node.children[done:]:
                    yield Event("cut", skipped, alpha, beta, bv)
                break
        yield Event("exit", node, alpha, beta, bv, bv)
        return bv

    return search(tree.root, -inf, inf)


if __name__ == "__main__":
    main()
