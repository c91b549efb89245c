"""Charts of measured runs, drawn by matplotlib: speed-up, overhead, time per move, beams."""

import io
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from textwrap import fill
from typing import Any

from cycler import cycler
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
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
Series = dict[str, dict[int, list[float]]]  # name -> number of workers, or of the move -> measurements

_styled = style.context(["default", STYLE])  # whatever style the notebook has set


class Chart(Figure):
    """A matplotlib figure with a caption, for screen readers and `print`. `savefig` writes it to a file."""

    def __init__(self, caption: str, height: float):
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


# by the number of workers


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
    return _worker_chart(listed, lambda run: baselines.speed_up(run, by), title, "times as fast", format_ratio)


@_styled
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search, by the number of workers."""
    listed = flat(runs)
    title = "Nodes beyond those of the sequential search"
    return _worker_chart(listed, Baselines(listed).overhead, title, "extra nodes", format_percent)


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


def _worker_chart(
    runs: Sequence[Run], measure: Callable[[Run], float | None], title: str, label: str, form: Callable[[float], str]
) -> Chart:
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
    points = [(name, workers, values) for name, by in series.items() for workers, values in by.items()]
    names = [f"{name}, {count(workers, 'worker')}" for name, workers, _ in points]
    texts = [format_spread(values, form) for _, _, values in points]
    captions = [f"{name}: {text}" for name, text in zip(names, texts, strict=True)]
    in_rows = len(points) == len(series)  # each has one number of workers
    chart = Chart(f"{title}, {label}. {'; '.join(captions)}.", 0.9 + 0.34 * len(points) if in_rows else 3.6)
    axes = chart.subplots()
    axes.set_title(fill(title, 90))
    base = 1 if form is format_ratio else 0
    if in_rows:
        _bars(axes, names, [values for _, _, values in points], texts)
        axes.axvline(base, color="black", linewidth=0.9)
        if base:
            ideal = [workers for _, workers, _ in points]
            axes.plot(ideal, range(len(ideal)), "|", color="#777777", markersize=14, markeredgewidth=3)
    else:
        _lines(axes, series)
        most = max(workers for _, workers, _ in points)
        axes.axhline(base, color="black", linewidth=0.8, label="sequential")
        if base:
            axes.plot([1, most], [1, most], color="#bbbbbb", linewidth=2.5, marker="", zorder=1, label="ideal")
        chart.legend(loc="outside right upper")
        logarithmic = most > 8
        axes.set_xlabel(f"workers{', logarithmic scale' * logarithmic}")
        if logarithmic:
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_formatter("{x:.0f}")
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if logarithmic and base:
            axes.set_yscale("log", base=2)
            axes.yaxis.set_major_formatter("{x:g}")
            label += ", logarithmic scale"
        else:
            axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    axis = axes.xaxis if in_rows else axes.yaxis
    axis.set_label_text(f"{label} (grey: ideal)" if in_rows and base else label)
    if not base:
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    return chart


def _lines(axes: Axes, series: Series) -> None:
    for name, points in series.items():
        middles = list(map(median, points.values()))
        axes.errorbar(list(points), middles, _whiskers(points.values()), label=name, linewidth=1.3, elinewidth=0.8)


def _bars(
    axes: Axes, names: Sequence[str], measured: Sequence[Sequence[float]], texts: Sequence[str], room: float = 0.3
) -> BarContainer:
    """Draw a horizontal bar for each name, the first on top, with its text at the end."""
    rows = range(len(names))
    look: dict[str, Any] = {"color": "#9dbbdb", "edgecolor": "#1f4e79", "capsize": 2.5}
    bars = axes.barh(rows, list(map(median, measured)), 0.64, xerr=_whiskers(measured), **look)
    axes.bar_label(bars, texts, padding=4, fontsize=8)
    axes.margins(x=room)
    if min(map(min, measured)) >= 0:
        axes.set_xlim(left=0)
    axes.set_yticks(rows, [fill(name, 28) for name in names])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    return bars


def _whiskers(measured: Iterable[Sequence[float]]) -> list[list[float]] | None:
    below, above = zip(*((median(each) - min(each), max(each) - median(each)) for each in measured), strict=True)
    return [list(below), list(above)] if any(below + above) else None


# the moves of a game, and beams


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
    captions = []
    for name, points in series.items():
        times = list(map(median, points.values()))
        longest = format_time(max(times), clock)
        captions.append(f"{name}: {format_time(sum(times), clock)} in all, at most {longest} for a move")
    chart = Chart(f"{title}. {'; '.join(captions)}.", 3.6)
    axes = chart.subplots()
    axes.set_title(title)
    _lines(axes, series)
    axes.set_xlabel("move of the game")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.set_ylabel("time" if clock == SECONDS else "time (nodes searched by one worker)")
    axes.yaxis.set_major_formatter(EngFormatter("s" if clock == SECONDS else ""))
    chart.legend(loc="outside right upper")
    return chart


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
    for axes, (label, lengths, form, formatter) in zip(chart.subplots(1, 3, sharey=True), panels, strict=True):
        bars = _bars(axes, names, [[length] for length in lengths], list(map(form, lengths)), room=0.5)
        for bar, variant in zip(bars, variants, strict=True):
            bar.set_hatch("////" if variant.kind == "may be wrong" else "")
        axes.xaxis.set_major_locator(MaxNLocator(3, prune="upper"))
        axes.xaxis.set_major_formatter(formatter)
        axes.set_xlabel(label)
    chart.suptitle(fill(comparison.title, 90), x=0.01, ha="left", fontsize=9)
    return chart
