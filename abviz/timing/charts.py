"""Charts of measured runs, drawn by matplotlib: speed-up, overhead, time per move, beams."""

import io
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from textwrap import fill
from typing import Any

from cycler import cycler
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, Formatter, MaxNLocator, PercentFormatter

from abviz.errors import AbvizError, count, quoted, unknown
from abviz.parallel.records import NODES, SECONDS, Run
from abviz.timing.lane_chart import image_bundle
from abviz.timing.summary import Baselines, flat, format_percent, format_ratio, format_spread, format_time, grouped

COLOURS = ["#4477aa", "#bb5566", "#228833", "#aa7700", "#aa3377", "#3399bb", "#555555", "#000000"]
STYLE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=COLOURS) + cycler(marker="os^DvPX*") + cycler(linestyle=["-", "--", "-.", ":"] * 2),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "errorbar.capsize": 3,
    "font.size": 9,
    "grid.color": "#cccccc",
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "abviz",
    "text.parse_math": False,
}
MOST_LABELLED = 12  # bars that have room for their number
Series = dict[str, dict[int, list[float]]]  # name -> number of workers, or of the move -> measurements

_styled = style.context(["default", STYLE])  # whatever style the notebook has set


class Chart(Figure):
    """A matplotlib figure with a caption, for screen readers and `print`. `savefig` writes it to a file."""

    def __init__(self, caption: str, height: float = 3.6):
        super().__init__(figsize=(7.5, height), layout="constrained")
        self.caption = caption

    def __str__(self) -> str:
        return self.caption

    __repr__ = __str__

    @_styled
    def savefig(self, *args: Any, **options: Any) -> None:
        super().savefig(*args, **options)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        file = io.StringIO()
        self.savefig(file, format="svg", metadata={"Date": None, "Title": self.caption})
        svg = file.getvalue()
        return image_bundle(svg[svg.index("<svg ") :], self.caption)


@_styled
def speed_up(*runs: Run | Iterable[Run], by: str = "time") -> Chart:
    """Draw how many times as fast as the sequential search each strategy is, by the number of workers.

    by="makespan" compares the CPU time of the busiest worker, as if each worker had a core of its own. Of repeated runs
    the median is drawn, with a whisker from minimum to maximum.
    """
    if by not in ("time", "makespan"):
        raise unknown("measure", by, ("time", "makespan"))
    listed = flat(runs)
    baselines = Baselines(listed)
    title = f"Speed-up against the sequential search{', by CPU time' if by == 'makespan' else ''}"
    chart = _worker_chart(listed, lambda run: baselines.speed_up(run, by), title, "times as fast", format_ratio)
    (axes,) = chart.axes
    groups = [int(label.get_text()) for label in axes.get_xticklabels()]
    top = axes.get_ylim()[1]
    for place, workers in enumerate(groups):
        axes.hlines(workers, place - 0.45, place + 0.45, "#999999", label="" if place else "ideal")
    axes.set_ylim(top=max(top, min(1.05 * groups[-1], 1.5 * top)))  # the ideal may lie far above
    axes.axhline(1, color="black", linewidth=0.8, label="sequential")
    return _with_legend(chart)


@_styled
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search, by the number of workers."""
    listed = flat(runs)
    title = "Nodes beyond those of the sequential search"
    chart = _worker_chart(listed, Baselines(listed).overhead, title, "extra nodes", format_percent)
    chart.axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    chart.axes[0].axhline(0, color="black", linewidth=0.8, label="sequential")
    return _with_legend(chart)


def _worker_chart(
    runs: Sequence[Run], measure: Callable[[Run], float | None], title: str, label: str, form: Callable[[float], str]
) -> Chart:
    """Draw a group of bars for each number of workers: a bar for each strategy, with a whisker for repeated runs."""
    others = [run for run in runs if run.strategy != "sequential"]
    compared = [run for run in others if measure(run) is not None]
    if not compared:
        raise AbvizError(
            f"nothing to compare in {count(len(runs), 'run')}; expected finished runs of the sequential search and of "
            f"other strategies, of the same position, depth, method and clock"
        )
    left = len(others) - len(compared)
    title += f" ({count(left, 'run')} left out: stopped, or without a baseline)" if left else ""
    series = _series(compared, lambda run: run.workers, lambda run: measure(run) or 0.0)
    texts = [
        f"{name}, {count(workers, 'worker')}: {format_spread(values, form)}"
        for name, points in series.items()
        for workers, values in points.items()
    ]
    chart, groups = Chart(f"{title}, {label}. {'; '.join(texts)}."), sorted({run.workers for run in compared})
    axes, width = chart.subplots(), 0.84 / len(series)
    for number, (name, points) in enumerate(series.items()):
        shift = (number - (len(series) - 1) / 2) * width
        middles = list(map(median, points.values()))
        whiskers = [[median(each) - min(each), max(each) - median(each)] for each in points.values()]
        whisker = list(zip(*whiskers, strict=True)) if any(map(any, whiskers)) else None
        bars = axes.bar([groups.index(n) + shift for n in points], middles, 0.9 * width, yerr=whisker, label=name)
        if len(texts) <= MOST_LABELLED:
            axes.bar_label(bars, list(map(form, middles)), padding=3, fontsize=8)
    axes.margins(y=0.1)
    axes.set_xticks(range(len(groups)), list(map(str, groups)))
    axes.grid(visible=False, axis="x")
    axes.set(title=fill(title, 90), xlabel="workers", ylabel=label)
    return chart


def _series(
    runs: Sequence[Run], key: Callable[[Run], int], measure: Callable[[Run], float], by_move: bool = False
) -> Series:
    """Group runs by strategy, also by method and clock where those differ, and then by the key."""
    methods = {run.method for run in runs if run.strategy != "minimax"}
    clocks = {run.clock for run in runs}

    def name(run: Run) -> str:
        method = [quoted(run.method)] if len(methods) > 1 and run.strategy != "minimax" else []
        clock = ["simulated"] if len(clocks) > 1 and run.clock == NODES else []
        workers = [count(run.workers, "worker")] if by_move else []
        return ", ".join([quoted(run.strategy), *method, *workers, *clock])

    return {
        series: {n: list(map(measure, equal)) for n, equal in sorted(grouped(group, key).items())}
        for series, group in grouped(runs, name).items()
    }


def _with_legend(chart: Chart) -> Chart:
    chart.legend(loc="outside right upper")
    return chart


@_styled
def time_per_move(*runs: Run | Iterable[Run]) -> Chart:
    """Draw how long each move of a game took: a series for each strategy and number of workers.

    The positions are the moves of the game, in the order of the runs. Of repeated runs the median is drawn.
    """
    listed = [run for run in flat(runs) if run.finished]
    if len({(run.game, run.clock) for run in listed}) != 1:
        raise AbvizError(f"{count(len(listed), 'finished run')}; expected those of the moves of one game, by one clock")
    moves = {position: number for number, position in enumerate(dict.fromkeys(run.position for run in listed), 1)}
    series = _series(listed, lambda run: moves[run.position], lambda run: run.time, by_move=True)
    clock, title = listed[0].clock, f"{quoted(listed[0].game)}: time of each of {count(len(moves), 'move')}"
    times = {name: list(map(median, points.values())) for name, points in series.items()}
    totals = (
        f"{name}: {format_time(sum(each), clock)} in all, at most {format_time(max(each), clock)} for a move"
        for name, each in times.items()
    )
    chart = Chart(f"{title}. {'; '.join(totals)}.")
    axes = chart.subplots()
    for name, points in series.items():
        axes.plot(list(points), times[name], label=name)
    axes.set(title=title, xlabel="move of the game")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.set_ylabel("time" if clock == SECONDS else "time (nodes searched by one worker)")
    axes.yaxis.set_major_formatter(EngFormatter("s" if clock == SECONDS else ""))
    return _with_legend(chart)


@_styled
def beam_against_reordering(comparison: Any) -> Chart:
    """Draw nodes, time, and how often the move differs from that of the first variant, the full search.

    `comparison` is a result of `compare(positions, depth, reordering=Switches(), beam_4=Switches(beam=4), ...)`.
    """
    variants = comparison.variants
    positions, full = len(variants[0].values), variants[0].nodes
    names = [quoted(variant.name) for variant in variants]
    captions = (
        f"{name}: {count(variant.nodes, 'node')}, {format_time(variant.seconds)}, another move in "
        f"{variant.other_moves} of {count(positions, 'position')}"
        for name, variant in zip(names, variants, strict=True)
    )
    chart = Chart(f"{comparison.title}. {'; '.join(captions)}.", 0.9 + 0.34 * len(variants))
    panels: list[tuple[str, list[float], Callable[[float], str], Formatter]] = [
        ("nodes", [each.nodes for each in variants], lambda nodes: f"× {nodes / full:.2g}", EngFormatter()),
        ("time", [each.seconds for each in variants], format_time, EngFormatter("s")),
        ("another move", [each.other_moves / positions for each in variants], format_percent, PercentFormatter(1)),
    ]
    hatches = ["////" if variant.kind == "may be wrong" else "" for variant in variants]
    for axes, (label, lengths, form, formatter) in zip(chart.subplots(1, 3, sharey=True), panels, strict=True):
        bars = axes.barh([fill(name, 28) for name in names], lengths, 0.64, color="#9dbbdb", hatch=hatches)
        axes.bar_label(bars, list(map(form, lengths)), padding=4, fontsize=8)
        axes.margins(x=0.5)
        axes.grid(visible=False, axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(3, prune="upper"))
        axes.xaxis.set_major_formatter(formatter)
        axes.set_xlabel(label)
    chart.axes[0].invert_yaxis()  # the full search on top
    chart.suptitle(fill(comparison.title, 90), x=0.01, ha="left", fontsize=9)
    return chart
