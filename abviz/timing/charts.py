"""Charts of measured runs, drawn by matplotlib: speed-up and overhead by the number of workers."""

import io
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator, PercentFormatter

from abviz.parallel.records import Run
from abviz.timing.lane_chart import image_bundle
from abviz.timing.series import (
    BINS,
    OVERHEAD,
    SPEED_UP,
    Points,
    costs_by_name,
    entries_of,
    groups_of,
    in_words,
    marks_of,
    ratios_of,
    texts_of,
    values_of,
    with_left_out,
)
from abviz.timing.summary import flat, format_percent, format_ratio

MOST_LABELLED = 12  # bars that have room for their number
REFERENCES = ("ideal", "sequential")  # what the series are compared with
GRAY = "#777777"  # of the ideal
HATCHES = ("", "//", "..", "xx", "\\\\", "++")  # of bars, which color alone would not tell apart
MANY_WORKERS = 16  # from which on the scales of a speed-up are logarithmic
MARKERS = "osD^vP"
LINES = ("-", "--", ":", "-.")

# What makes a chart dark on a dark page: the colors turn around, but keep their hues.
DARK = """<style>
@media (prefers-color-scheme: dark) { svg { filter: invert(0.93) hue-rotate(180deg); } }
</style>"""

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
        about = {"Date": None, "Title": self.caption}
        self.savefig(file, format="svg", metadata=about, transparent=True)
        svg = file.getvalue()
        svg = svg[svg.index("<svg ") :].replace("<metadata>", f"{DARK}<metadata>", 1)
        return image_bundle(svg, self.caption)


# ratios by the number of workers


@styled()
def speed_up(*runs: Run | Iterable[Run]) -> Chart:
    """Draw how many times as fast as the sequential search each strategy is.

    There is a line for each strategy over the numbers of workers; if there is only one number, a
    bar. Of repeated runs the median is drawn, with a whisker from minimum to maximum. With many
    workers the scales are logarithmic.
    """
    title = SPEED_UP
    series, left_out = ratios_of(flat(runs), lambda ratios: ratios.speed_up)
    chart = _worker_chart(series, left_out, title, "times as fast", format_ratio)
    axes = chart.axes[0]
    groups = groups_of(series)

    if len(groups) == 1:
        axes.axhline(groups[0], color=GRAY, linestyle="--", label="ideal")
        axes.set_ylim(top=max(axes.get_ylim()[1], 1.05 * groups[0]))
    elif axes.get_xscale() == "log":
        _make_logarithmic(axes, series)
        axes.set_ylabel("times as fast, logarithmic")
        _add_ideal(axes)
    else:
        axes.set_ylim(bottom=0, top=max(axes.get_ylim()[1], 1.05 * groups[-1]))
        _add_ideal(axes)
    _add_baseline(chart, 1)
    return chart


def _make_logarithmic(axes: Axes, series: dict[str, Points]) -> None:
    """Let each doubling of the speed take the same room, as each doubling of workers does."""
    groups = groups_of(series)
    slowest = min(min(values) for points in series.values() for values in points.values())
    fastest = max(max(values) for points in series.values() for values in points.values())

    axes.set_yscale("log", base=2)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlim(groups[0] / 1.2, groups[-1] * 1.2)
    axes.set_ylim(min(slowest, groups[0], 1) / 1.2, max(fastest, groups[-1]) * 1.2)


def _add_ideal(axes: Axes) -> None:
    """Draw a speed-up equal to the number of workers, to the end of the axis."""
    limits = axes.get_xlim()
    ends = axes.get_ylim()
    axes.plot(limits, limits, color=GRAY, linestyle="--", label="ideal", scalex=False)
    axes.set(xlim=limits, ylim=ends)


@styled()
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search."""
    title = OVERHEAD
    series, left_out = ratios_of(flat(runs), lambda ratios: ratios.overhead)
    chart = _worker_chart(series, left_out, title, "extra nodes", format_percent)
    axes = chart.axes[0]
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0), max(high, 0))
    _add_baseline(chart, 0)
    return chart


def _worker_chart(
    series: dict[str, Points],
    left_out: int,
    title: str,
    label: str,
    form: Callable[[float], str],
) -> Chart:
    """Draw a line for each series over the numbers of workers, or bars if there is only one."""
    title = with_left_out(title, left_out)
    texts = texts_of(series, form)
    groups = groups_of(series)

    chart = Chart(f"{title}, {label}. {'; '.join(texts)}.")
    axes = chart.subplots()
    if len(groups) == 1:
        _draw_bars(axes, series, form)
        axes.set_xticks([0], [str(groups[0])])
    else:
        _draw_lines(axes, series)
        if groups[-1] >= MANY_WORKERS:
            axes.set_xscale("log", base=2)
            axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(groups, list(map(str, groups)))

    axes.margins(y=0.1)
    axes.set(title=fill(title, 60), xlabel="workers", ylabel=label)
    return chart


def _draw_lines(axes: Axes, series: dict[str, Points]) -> None:
    for (name, points), marker in zip(series.items(), cycle(MARKERS)):
        axes.errorbar(
            list(points),
            list(map(median, points.values())),
            yerr=_whiskers(points),
            marker=marker,
            markersize=5,
            label=name,
        )


def _draw_bars(axes: Axes, series: dict[str, Points], form: Callable[[float], str]) -> None:
    width = 0.84 / len(series)
    for (number, (name, points)), hatch in zip(enumerate(series.items()), cycle(HATCHES)):
        shift = (number - (len(series) - 1) / 2) * width
        middles = list(map(median, points.values()))
        bars = axes.bar(
            [shift],
            middles,
            0.9 * width,
            yerr=_whiskers(points),
            label=name,
            hatch=hatch,
            edgecolor="white",
            linewidth=0,
        )
        if len(series) <= MOST_LABELLED:
            labels = axes.bar_label(bars, list(map(form, middles)), padding=4, fontsize=9)
            for label in labels:  # so that the line of the ideal does not cross it
                label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    axes.grid(visible=False, axis="x")


def _whiskers(points: Points) -> list[list[float]] | None:
    """Return how far they reach below and above the median; None where no run was repeated."""
    below = [median(values) - min(values) for values in points.values()]
    above = [max(values) - median(values) for values in points.values()]
    return [below, above] if any(below) or any(above) else None


def _add_baseline(chart: Chart, ratio: float) -> None:
    """Draw the sequential search's own ratio, and the legend: the series first."""
    axes = chart.axes[0]
    axes.axhline(ratio, color="black", linewidth=0.8, label="sequential")
    handles, labels = axes.get_legend_handles_labels()
    entries = sorted(zip(handles, labels, strict=True), key=lambda entry: entry[1] in REFERENCES)
    chart.legend(
        [handle for handle, _ in entries],
        [label for _, label in entries],
        loc="outside right upper",
    )


# costs along a game

LOGARITHMIC = 20  # largest cost over smallest, from which the scale is logarithmic


@styled()
def by_move(title: str = "Nodes at each move", **series: Iterable[Run | float]) -> Chart:
    """Draw what a search costs before each move of a game: a line for each series.

    A series is a list with an entry for each move: a run, which counts with its time, or a number
    of nodes. Keywords name the series; an underscore stands for a space.
    """
    entries = {name: entries_of(name, each) for name, each in series.items()}
    costs = costs_by_name(entries)
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


# measurements of any kind


@styled()
def histogram(
    values: Iterable[float], label: str = "value", *, bins: int = BINS, **marks: float | None
) -> Chart:
    """Draw how often each value occurs, with a line for each mark, such as best_order=41.

    Keywords name the marks; an underscore stands for a space. A mark of None is left out.
    """
    listed = values_of(values)
    named = marks_of(marks)
    chart = Chart(in_words(listed, label, named), height=2.8)
    axes = chart.subplots()
    axes.hist(listed, bins=bins, edgecolor="white")

    for number, (name, value) in enumerate(named.items()):
        color = "black" if number == 0 else f"C{number}"
        axes.axvline(value, color=color, linestyle=LINES[number % len(LINES)], label=name)
    if named:
        chart.legend(loc="outside right upper")
    axes.set(xlabel=label, ylabel="how often")
    return chart


@styled()
def curve(points: Mapping[Any, float], xlabel: str, ylabel: str) -> Chart:
    """Draw a value for each key, from left to right."""
    values = values_of(points.values())
    texts = [f"{key}: {value:,g}" for key, value in points.items()]
    chart = Chart(f"{ylabel}, by {xlabel}. {'; '.join(texts)}.", height=2.8)
    axes = chart.subplots()
    axes.plot([str(key) for key in points], values, marker="o")
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.set_ylim(bottom=min(0, *values))
    return chart
