"""Charts of measured runs, drawn by matplotlib: speed-up and overhead by the number of workers."""

import io
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from math import inf
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from abviz.errors import AbvizError, brief, count, plain
from abviz.parallel.records import NODES, Run
from abviz.timing.lane_chart import image_bundle
from abviz.timing.summary import (
    Ratios,
    compared,
    flat,
    format_percent,
    format_ratio,
    series_name,
)

MOST_LABELLED = 12  # bars that have room for their number

# Charts look the same whatever style the notebook has set.
styled = partial(style.context, ["default", Path(__file__).with_name("charts.mplstyle")])


class Chart(Figure):
    """A matplotlib figure with a caption, for screen readers and `print`.

    `savefig` writes it to a file.
    """

    def __init__(self, caption: str, height: float = 3.6):
        super().__init__(figsize=(7.5, height), layout="constrained")
        self.caption = caption

    def __str__(self) -> str:
        return self.caption

    __repr__ = __str__

    @styled()
    def savefig(self, *args: Any, **options: Any) -> None:
        super().savefig(*args, **options)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        file = io.StringIO()
        self.savefig(file, format="svg", metadata={"Date": None, "Title": self.caption})
        svg = file.getvalue()
        return image_bundle(svg[svg.index("<svg ") :], self.caption)


# ratios by the number of workers

Points = dict[int, list[float]]  # the ratios of repeated runs, by number of workers


@styled()
def speed_up(*runs: Run | Iterable[Run]) -> Chart:
    """Draw how many times as fast as the sequential search each strategy is.

    There is a group of bars for each number of workers. Of repeated runs the median is drawn, with
    a whisker from minimum to maximum.
    """
    title = "Speed-up against the sequential search"
    series, left_out = _series(flat(runs), lambda ratios: ratios.speed_up)
    chart = _worker_chart(series, left_out, title, "times as fast", format_ratio)

    axes = chart.axes[0]
    groups = _groups(series)
    top = axes.get_ylim()[1]
    places = range(len(groups))
    axes.hlines(
        groups,
        [place - 0.45 for place in places],
        [place + 0.45 for place in places],
        "#999999",
        label="ideal",
    )
    # The ideal may lie far above
    axes.set_ylim(top=max(top, min(1.05 * groups[-1], 1.5 * top)))
    _add_baseline(chart, 1)
    return chart


@styled()
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search."""
    title = "Nodes beyond those of the sequential search"
    series, left_out = _series(flat(runs), lambda ratios: ratios.overhead)
    chart = _worker_chart(series, left_out, title, "extra nodes", format_percent)
    chart.axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    _add_baseline(chart, 0)
    return chart


def _series(
    runs: list[Run], ratio: Callable[[Ratios], float | None]
) -> tuple[dict[str, Points], int]:
    """Return the ratios by name of the series, and how many runs have none."""
    has_two_clocks = len({run.clock for run in runs}) > 1
    compared_runs = list(zip(runs, compared(runs), strict=True))
    series: dict[str, Points] = {}
    left_out = 0

    for run, ratios in sorted(compared_runs, key=lambda pair: pair[0].workers):
        if run.strategy == "sequential":
            continue
        value = ratio(ratios)
        if value is None:
            left_out += 1
            continue

        name = series_name(run)
        if has_two_clocks and run.clock == NODES:
            name += ", simulated"
        series.setdefault(name, {}).setdefault(run.workers, []).append(value)

    if not series:
        expected = (
            "expected finished runs of the sequential search and of others, "
            "of the same position, depth, method and clock"
        )
        raise AbvizError(f"nothing to compare in {count(len(runs), 'run')}; {expected}")
    return series, left_out


def _groups(series: dict[str, Points]) -> list[int]:
    """Return the numbers of workers, in rising order."""
    return sorted({workers for points in series.values() for workers in points})


def _worker_chart(
    series: dict[str, Points],
    left_out: int,
    title: str,
    label: str,
    form: Callable[[float], str],
) -> Chart:
    """Draw a group of bars for each number of workers, a bar for each series."""
    if left_out:
        title += f" ({count(left_out, 'run')} left out: stopped, or without a baseline)"
    texts = _texts(series, form)
    groups = _groups(series)

    chart = Chart(f"{title}, {label}. {'; '.join(texts)}.")
    axes = chart.subplots()
    width = 0.84 / len(series)
    for number, (name, points) in enumerate(series.items()):
        shift = (number - (len(series) - 1) / 2) * width
        middles = list(map(median, points.values()))
        bars = axes.bar(
            [groups.index(workers) + shift for workers in points],
            middles,
            0.9 * width,
            yerr=_whiskers(points),
            label=name,
        )
        if len(texts) <= MOST_LABELLED:
            axes.bar_label(bars, list(map(form, middles)), padding=3, fontsize=8)

    axes.margins(y=0.1)
    axes.set_xticks(range(len(groups)), list(map(str, groups)))
    axes.grid(visible=False, axis="x")
    axes.set(title=fill(title, 60), xlabel="workers", ylabel=label)
    return chart


def _texts(series: dict[str, Points], form: Callable[[float], str]) -> list[str]:
    """Return what each bar says, in words."""
    texts = []
    for name, points in series.items():
        for workers, values in points.items():
            text = f"{name}, {count(workers, 'worker')}: {form(median(values))}"
            if len(values) > 1:
                text += f" ({form(min(values))}…{form(max(values))})"
            texts.append(text)
    return texts


def _whiskers(points: Points) -> list[list[float]] | None:
    """Return how far they reach below and above the median; None where no run was repeated."""
    below = [median(values) - min(values) for values in points.values()]
    above = [max(values) - median(values) for values in points.values()]
    return [below, above] if any(below) or any(above) else None


def _add_baseline(chart: Chart, ratio: float) -> None:
    """Draw the sequential search's own ratio, and the legend."""
    chart.axes[0].axhline(ratio, color="black", linewidth=0.8, label="sequential")
    chart.legend(loc="outside right upper")


# costs along a game

MARKERS = "osD^vP"
LOGARITHMIC = 20  # largest cost over smallest, from which the scale is logarithmic


@styled()
def by_move(title: str = "Nodes at each move", **series: Iterable[Run | float]) -> Chart:
    """Draw what a search costs before each move of a game: a line for each series.

    A series is a list with an entry for each move: a run, which counts with its time, or a number
    of nodes. Keywords name the series; an underscore stands for a space.
    """
    entries = {name: _entries(name, each) for name, each in series.items()}
    costs = {name.replace("_", " "): _costs(name, each) for name, each in entries.items()}
    if not costs:
        raise AbvizError("nothing to draw; expected series: by_move(sequential=runs, root=others)")

    everything = [cost for line in costs.values() for cost in line]
    texts = [
        f"{name}: {', '.join(f'{cost:,.0f}' for cost in line)}" for name, line in costs.items()
    ]
    chart = Chart(f"{title}. {'; '.join(texts)}.")
    axes = chart.subplots()

    for (name, line), marker in zip(costs.items(), cycle(MARKERS)):
        moves = range(1, len(line) + 1)
        axes.plot(moves, line, marker=marker, markersize=4, label=name)

    has_runs = any(isinstance(each, Run) for line in entries.values() for each in line)
    label = "time, in nodes" if has_runs else "nodes"
    if max(everything) > LOGARITHMIC * min(everything):
        axes.set_yscale("log")
        label = f"{label}, logarithmic"
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(title=fill(title, 60), xlabel="move", ylabel=label)
    axes.set_xlim(0.5, max(map(len, costs.values())) + 0.5)
    chart.legend(loc="outside right upper")
    return chart


def _entries(name: str, series: Iterable[Run | float]) -> list[Run | float]:
    if not isinstance(series, Iterable):
        raise AbvizError(f"{name} is {brief(series)}; expected a list of runs or of numbers")
    entries = list(series)
    if not entries:
        raise AbvizError(f"{name} is empty; expected a run or a number for each move")
    return entries


def _costs(name: str, entries: list[Run | float]) -> list[float]:
    """Return the costs, checked: each a positive number."""
    costs = [each.time if isinstance(each, Run) else plain(each) for each in entries]
    for move, cost in enumerate(costs, 1):
        if cost is None or not 0 < cost < inf:
            raise AbvizError(f"{name} has {brief(cost)} at move {move}; expected a number above 0")
    return [float(cost) for cost in costs if cost is not None]
