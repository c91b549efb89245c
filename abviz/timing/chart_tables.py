"""Each chart as a table: what is shown where matplotlib is not installed."""

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from abviz.errors import count, number
from abviz.parallel.records import Run
from abviz.timing.series import (
    OVERHEAD,
    SPEED_UP,
    bins_of,
    costs_by_name,
    groups_of,
    in_words,
    marks_of,
    ratios_of,
    spread,
    values_of,
    with_left_out,
)
from abviz.timing.summary import NOTHING, Ratios, Table, flat, format_percent, format_ratio

ROWS = 10  # of a histogram


def speed_up(*runs: Run | Iterable[Run]) -> Table:
    """Return how many times as fast as the sequential search each strategy is."""
    return _by_workers(flat(runs), SPEED_UP, lambda ratios: ratios.speed_up, format_ratio)


def overhead(*runs: Run | Iterable[Run]) -> Table:
    """Return the nodes that each strategy searches beyond those of the sequential search."""
    return _by_workers(flat(runs), OVERHEAD, lambda ratios: ratios.overhead, format_percent)


def _by_workers(
    runs: list[Run],
    title: str,
    ratio: Callable[[Ratios], float | None],
    form: Callable[[float], str],
) -> Table:
    """Return a row for each strategy, with a column for each number of workers."""
    series, left_out = ratios_of(runs, ratio)
    groups = groups_of(series)
    rows = [
        (name, *(spread(points[n], form) if n in points else NOTHING for n in groups))
        for name, points in series.items()
    ]
    head = ("strategy", *(count(workers, "worker") for workers in groups))
    return Table(with_left_out(title, left_out), head, tuple(rows))


def by_move(title: str = "Nodes at each move", **series: Iterable[Run | float]) -> Table:
    """Return what a search costs before each move of a game: a column for each series."""
    costs = costs_by_name(series)
    lines = zip_longest(*costs.values())
    rows = [
        (str(move), *(NOTHING if cost is None else f"{cost:,.0f}" for cost in line))
        for move, line in enumerate(lines, 1)
    ]
    return Table(title, ("move", *costs), tuple(rows))


def histogram(
    values: Iterable[float], label: str = "value", *, bins: int = ROWS, **marks: float | None
) -> Table:
    """Return how often values of each size occur. The marks stand in the title."""
    listed = values_of(values)
    rows = [
        (f"{number(round(low, 2))} to {number(round(high, 2))}", f"{times:,}")
        for low, high, times in bins_of(listed, min(bins, ROWS))
    ]
    return Table(in_words(listed, label, marks_of(marks)), (label, "how often"), tuple(rows))


def curve(points: Mapping[Any, float], xlabel: str, ylabel: str) -> Table:
    """Return a value for each key."""
    values = values_of(points.values())
    rows = [(str(key), f"{value:,g}") for key, value in zip(points, values, strict=True)]
    return Table(f"{ylabel}, by {xlabel}", (xlabel, ylabel), tuple(rows))


Chart = Table
