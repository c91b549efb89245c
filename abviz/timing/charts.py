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
from abviz.timing.summary import compared, flat, format_percent, format_ratio, series_name

MOST_LABELLED = 12  # bars that have room for their number

# Charts look the same whatever style the notebook has set.
styled = partial(style.context, ["default", Path(__file__).with_name("charts.mplstyle")])


class Chart(Figure):
    """A matplotlib figure with a caption, for screen readers and `print`. `savefig` writes it to a
    file.
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

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        file = io.StringIO()
        self.savefig(file, format="svg", metadata={"Date": None, "Title": self.caption})
        svg = file.getvalue()
        return image_bundle(svg[svg.index("<svg ") :], self.caption)


@styled()
def speed_up(*runs: Run | Iterable[Run]) -> Chart:
    """Draw how many times as fast as the sequential search each strategy is, by the number of
    workers.

    Of repeated runs the median is drawn, with a whisker from minimum to maximum.
    """
    title = "Speed-up against the sequential search"
    return _worker_chart(flat(runs), "speed-up", title, "times as fast", format_ratio)


@styled()
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search, by the
    number of workers.
    """
    title = "Nodes beyond those of the sequential search"
    chart = _worker_chart(flat(runs), "overhead", title, "extra nodes", format_percent)
    chart.axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    return chart


def _worker_chart(
    runs: list[Run], ratio: str, title: str, label: str, form: Callable[[float], str]
) -> Chart:
    """Draw a group of bars for each number of workers, a bar for each strategy."""
    simulated = "" if len({run.clock for run in runs}) == 1 else ", simulated"
    series: dict[str, dict[int, list[float]]] = {}  # by name and number of workers
    left_out = 0
    for run, row in sorted(
        zip(runs, compared(runs), strict=True), key=lambda pair: pair[0].workers
    ):
        if run.strategy != "sequential" and row:
            name = series_name(run) + simulated * (run.clock == NODES)
            series.setdefault(name, {}).setdefault(run.workers, []).append(row[ratio])
        left_out += run.strategy != "sequential" and not row
    if not series:
        expected = "finished runs of the sequential search and of others, of the same position, depth, method and clock"
        raise AbvizError(f"nothing to compare in {count(len(runs), 'run')}; expected {expected}")
    title += (
        f" ({count(left_out, 'run')} left out: stopped, or without a baseline)" if left_out else ""
    )
    texts = []
    for name, points in series.items():
        for workers, values in points.items():
            spread = f" ({form(min(values))}…{form(max(values))})" if len(values) > 1 else ""
            texts.append(f"{name}, {count(workers, 'worker')}: {form(median(values))}{spread}")
    chart, groups = (
        Chart(f"{title}, {label}. {'; '.join(texts)}."),
        sorted(set().union(*series.values())),
    )
    axes, width = chart.subplots(), 0.84 / len(series)
    for number, (name, points) in enumerate(series.items()):
        shift = (number - (len(series) - 1) / 2) * width
        middles = list(map(median, points.values()))
        whiskers = [
            [median(each) - min(each), max(each) - median(each)] for each in points.values()
        ]
        whisker = list(zip(*whiskers, strict=True)) if any(map(any, whiskers)) else None
        bars = axes.bar(
            [groups.index(n) + shift for n in points],
            middles,
            0.9 * width,
            yerr=whisker,
            label=name,
        )
        if len(texts) <= MOST_LABELLED:
            axes.bar_label(bars, list(map(form, middles)), padding=3, fontsize=8)
    axes.margins(y=0.1)
    axes.set_xticks(range(len(groups)), list(map(str, groups)))
    axes.grid(visible=False, axis="x")
    axes.set(title=fill(title, 60), xlabel="workers", ylabel=label)
    if ratio == "speed-up":
        top, places = axes.get_ylim()[1], range(len(groups))
        axes.hlines(
            groups, [n - 0.45 for n in places], [n + 0.45 for n in places], "#999999", label="ideal"
        )
        # The ideal may lie far above
        axes.set_ylim(top=max(top, min(1.05 * groups[-1], 1.5 * top)))
    axes.axhline(int(ratio == "speed-up"), color="black", linewidth=0.8, label="sequential")
    chart.legend(loc="outside right upper")
    return chart


# costs along a game

MARKERS = "osD^vP"
LOGARITHMIC = 20  # the scale is logarithmic where the largest cost is so many times the smallest


@styled()
def by_move(title: str = "Nodes at each move", **series: Iterable[Run | float]) -> Chart:
    """Draw what a search costs before each move of a game: a line for each series.

    A series is a list with an entry for each move: a run, which counts with its time, or a number
    of nodes. Keywords name the series; an underscore stands for a space.
    """
    costs = {name.replace("_", " "): _costs(name, each) for name, each in series.items()}
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

    label = "nodes"
    if max(everything) > LOGARITHMIC * min(everything):
        axes.set_yscale("log")
        label = "nodes, logarithmic"
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(title=fill(title, 60), xlabel="move", ylabel=label)
    chart.legend(loc="outside right upper")
    return chart


def _costs(name: str, series: Iterable[Run | float]) -> list[float]:
    """Return the costs, checked: each a positive number."""
    if not isinstance(series, Iterable):
        raise AbvizError(f"{name} is {brief(series)}; expected a list of runs or of numbers")

    costs = [each.time if isinstance(each, Run) else plain(each) for each in series]
    if not costs:
        raise AbvizError(f"{name} is empty; expected a run or a number for each move")
    for move, cost in enumerate(costs, 1):
        if cost is None or not 0 < cost < inf:
            raise AbvizError(f"{name} has {brief(cost)} at move {move}; expected a number above 0")
    return [float(cost) for cost in costs if cost is not None]
