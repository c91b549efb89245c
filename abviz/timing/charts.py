"""Charts of measured runs, drawn by matplotlib: lanes, speed-up, overhead, time per move, beams."""

import html
import io
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any
from urllib.parse import quote

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import CARETDOWN
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from abviz.errors import AbvizError, brief, columns, count, quoted, visible
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord
from abviz.timing import summary
from abviz.timing.summary import Baselines, Spread, format_percent, format_ratio, format_time, grouped
from abviz.tree.files import write_whole

STYLE = {
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "abviz",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#cccccc",
    "grid.linewidth": 0.5,
}
INK, PALE, FILL, EDGE = "#222222", "#bbbbbb", "#9dbbdb", "#1f4e79"
LOOKS: tuple[tuple[str, str, Any], ...] = (  # colour, marker, line style: distinct in grey too
    ("#4477aa", "o", "-"),
    ("#bb5566", "s", "--"),
    ("#228833", "^", "-."),
    ("#aa7700", "D", (0, (1, 1))),
    ("#aa3377", "v", (0, (5, 1, 1, 1, 1, 1))),
    ("#3399bb", "P", (0, (7, 2))),
    ("#555555", "X", (0, (3, 1, 1, 1))),
    ("#000000", "*", (0, (2, 2))),
)
Series = dict[str, dict[int, Spread]]  # name -> number of workers, or of the move -> measurements
_styling = threading.RLock()  # matplotlib's style is one for all threads


class Chart:
    """A matplotlib figure (`.figure`) with a description in words, for screen readers and `print`."""

    def __init__(self, words: str, draw: Callable[[], Figure]):
        self.words = words
        with _styling, style.context(["default", STYLE]):  # whatever style the notebook has set
            self.figure = draw()

    def __str__(self) -> str:
        return self.words

    __repr__ = __str__

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file that ends in .svg, .pdf or .png."""
        kind = Path(path).suffix.lower().removeprefix(".")
        if kind not in ("svg", "pdf", "png"):
            raise AbvizError(f"cannot save a chart in {visible(str(path))}: expected a name in .svg, .pdf or .png")
        write_whole(path, self._render(kind))

    def _render(self, kind: str) -> bytes:
        file = io.BytesIO()
        metadata = {"Title": self.words} | ({"Date": None} if kind == "svg" else {})
        with _styling, style.context(["default", STYLE]):
            self.figure.savefig(file, format=kind, dpi=200, bbox_inches="tight", metadata=metadata)
        return file.getvalue()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        svg = self._render("svg").decode()
        svg = svg[svg.index("<svg ") :]
        # in an img element ids and styles cannot clash with the page's
        image = f'<img alt="{html.escape(self.words)}" src="data:image/svg+xml,{quote(svg)}">'
        return {"text/plain": self.words, "image/svg+xml": svg, "text/html": image}


def _figure(title: str, width: float, height: float, grid: Any = "both") -> tuple[Figure, Axes]:
    if isinstance(width, bool) or not isinstance(width, int | float) or not 5 <= width <= 40:
        raise AbvizError(f"width is {brief(width)}; expected inches, 5 to 40")
    figure = Figure(figsize=(width, height), facecolor="white", layout="constrained")
    axes = figure.subplots()
    axes.set_title(_wrapped(title, width), loc="left", fontsize=9)
    axes.grid(axis=grid)
    return figure, axes


def _wrapped(text: str, width: float) -> str:
    return "\n".join(fill(line, int((width - 0.9) * 13)) for line in text.split("\n"))


def _legend(figure: Figure, axes: Axes) -> None:
    place: Any = "outside right upper"
    figure.legend(*axes.get_legend_handles_labels(), loc=place, frameon=False, fontsize=8, handlelength=3.2)


def _time_axis(axis: Any, longest: float, clock: str) -> None:
    unit = summary.unit_for(longest) if clock == SECONDS else "nodes"
    factor = summary.UNITS.get(unit, 1)
    axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(lambda time, _: f"{time * factor:,.10g}")
    axis.set_label_text(f"time ({unit})" if clock == SECONDS else "time (nodes searched by one worker)")


# lanes

SEARCHED, CANCELLED, RUNNING = "searched", "cancelled", "still running"
FILLS: dict[str, dict[str, Any]] = {
    SEARCHED: {"facecolor": "#cfe0f2", "edgecolor": "#1f4e79"},
    CANCELLED: {"facecolor": "#ffffff", "edgecolor": "#7a2e3a", "hatch": "////"},
    RUNNING: {"facecolor": "#fff0c2", "edgecolor": "#6b5200", "linestyle": "--"},
}
CROSS: dict[str, Any] = {"marker": "x", "color": "#7a2e3a", "markeredgewidth": 1.4, "linestyle": "none"}
TRIANGLE: dict[str, Any] = {"marker": CARETDOWN, "color": INK, "linestyle": "none"}
BAR = 0.72  # of the height of a lane
LETTER = 7.5  # points
DENSE = 1000  # tasks, beyond which a vector picture has its bars as pixels


def lanes(run: Run, other: Run | None = None, *, width: float = 8) -> Chart:
    """Draw a lane for each worker, with its tasks as bars: the root's move, the bound at the start, better bounds read.

    Two runs stand one above the other, on one time axis.
    """
    runs = summary.flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError("one run is timed in seconds and the other in nodes; expected the same clock")
    return Chart(" Below: ".join(map(_lanes_in_words, runs)), lambda: _draw_lanes(runs, width))


def _kind(task: TaskRecord) -> str:
    return RUNNING if task.end is None else CANCELLED if task.value is None else SEARCHED


def _draw_lanes(runs: Sequence[Run], width: float) -> Figure:
    lane = min(0.5, max(0.15, 9 / sum(run.workers for run in runs)))  # inches
    titles = [_wrapped(_lanes_title(run), width) for run in runs]
    legend = _lanes_legend(runs)
    legend_columns = 2 if width < 6.5 else 3
    height = 0.63 + 0.17 * -(-len(legend) // legend_columns)
    for run, title in zip(runs, titles, strict=True):
        height += run.workers * lane + 0.25 + 0.15 * (title.count("\n") + 1)
    figure, axes = _figure("", width, height)
    axes.remove()
    rows = figure.subplots(len(runs), sharex=True, squeeze=False, height_ratios=[run.workers for run in runs])[:, 0]
    longest = max(run.time for run in runs)
    for axes, run, title in zip(rows, runs, titles, strict=True):
        _draw_run(axes, run, 1 + 8 * lane)
        axes.set_title(title, loc="left", fontsize=9)
    rows[0].set_xlim(0, longest * 1.005 or 1)
    _time_axis(rows[-1].xaxis, longest, runs[0].clock)
    place: Any = "outside lower left"
    figure.legend(legend.values(), legend.keys(), loc=place, ncols=legend_columns, frameon=False, fontsize=8)
    # What fits into a bar depends on its width, which is known after the layout, and must not change it.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes, run in zip(rows, runs, strict=True):
        _label_tasks(axes, run)
    return figure


def _draw_run(axes: Axes, run: Run, marker_size: float) -> None:
    dense = len(run.tasks) > DENSE
    axes.hlines(range(run.workers), 0, run.time, color=PALE, linewidth=0.6, zorder=0)
    for (worker, kind), tasks in grouped(run.tasks, lambda task: (task.worker, _kind(task))).items():
        spans = [(start, end - start) for start, end in (_span(task, run) for task in tasks)]
        look = FILLS[kind] | {"linewidth": 0.3 if dense else 0.7, "rasterized": dense, "zorder": 2}
        axes.broken_barh(spans, (worker - BAR / 2, BAR), **look)
    ends = [(_span(task, run)[1], task.worker + BAR / 2) for task in run.tasks if _kind(task) == CANCELLED]
    reads = [(min(time, run.time), task.worker - BAR / 2) for task in run.tasks for time, _, _ in task.learnt]
    for places, look in ((ends, CROSS), (reads, TRIANGLE)):
        if places:
            x, y = zip(*places, strict=True)
            axes.plot(x, y, markersize=marker_size, rasterized=dense, zorder=4, clip_on=False, **look)
    axes.axvline(run.time, zorder=1, color=INK, linewidth=0.8, linestyle=":")
    axes.set_ylim(run.workers - 0.5, -0.5)
    crowded = run.workers > 16
    axes.set_yticks(range(run.workers), [f"{'' if crowded else 'worker '}{n + 1}" for n in range(run.workers)])
    axes.tick_params(axis="y", length=0, labelsize=7 if crowded else 9)
    axes.set_ylabel("worker" if crowded else "")
    axes.spines["left"].set_visible(False)


def _span(task: TaskRecord, run: Run) -> tuple[float, float]:
    return min(task.start, run.time), run.time if task.end is None else min(task.end, run.time)


def _label_tasks(axes: Axes, run: Run) -> None:
    """Write into each bar as much as fits."""
    (left, bottom), (right, top) = axes.transData.transform([(0, BAR), (1, 0)]) * 72 / axes.figure.dpi  # points
    for task in run.tasks:
        start, end = _span(task, run)
        label = _label(task, run, (end - start) * (right - left) - 3, abs(top - bottom))
        if label:
            drawn = axes.text((start + end) / 2, task.worker, label[0], ha="center", va="center", color=INK, zorder=3)
            drawn.set(rotation=label[1], fontsize=LETTER, clip_on=True, linespacing=1.05)
            if _kind(task) != SEARCHED:  # readable on hatching
                drawn.set_bbox({"facecolor": FILLS[_kind(task)]["facecolor"], "edgecolor": "none", "pad": 0.6})


def _label(task: TaskRecord, run: Run, width: float, height: float) -> tuple[str, int] | None:
    """Return text and rotation; None where the bar is too narrow."""
    move, bound = quoted(task.move) or "root", summary.start_bound(task, run)
    path = " ".join(map(quoted, task.path)) or move
    for text, rotation in ((f"{path}\n{bound}", 0), (f"{move}\n{bound}", 0), (path, 0), (move, 0), (move, 90)):
        lines = text.split("\n")
        along, across = (height, width) if rotation else (width, height)
        if 0.67 * LETTER * max(map(columns, lines)) <= along and 1.15 * LETTER * len(lines) <= across:
            return text, rotation
    return None


def _lanes_legend(runs: Sequence[Run]) -> dict[str, Any]:
    kinds = {_kind(task) for run in runs for task in run.tasks}
    patches = {kind: Patch(linewidth=0.7, **look) for kind, look in FILLS.items()}
    return {
        "task: its move, the bound at its start": patches[SEARCHED],
        CANCELLED: (patches[CANCELLED], Line2D([], [], markersize=5, **CROSS)),
        **({RUNNING: patches[RUNNING]} if RUNNING in kinds else {}),
        "better bound read": Line2D([], [], markersize=5, **TRIANGLE),
        "empty: idle": Line2D([], [], color=PALE, linewidth=0.6),
        "end of the run": Line2D([], [], color=INK, linewidth=0.8, linestyle=":"),
    }


def _lanes_title(run: Run) -> str:
    what = f"{summary.run_name(run)} · {quoted(run.game)} · depth {run.depth}"
    return f"{what}\n{summary.run_answer(run)} · {summary.run_costs(run)}"


def _lanes_in_words(run: Run) -> str:
    words = _lanes_title(run).replace("\n", ", ").replace(" · ", ", ")
    for worker, busy in enumerate(run.busy):
        tasks = count(sum(task.worker == worker for task in run.tasks), "task")
        words += f". Worker {worker + 1}: {tasks}, busy {format_percent(busy / run.time if run.time else 0)}"
    return f"{words}."


# many runs, by the number of workers


def speed_up(*runs: Run | Iterable[Run], by: str = "time", width: float = 6.5) -> Chart:
    """Draw how many times as fast as the sequential search each strategy is, by the number of workers.

    by="makespan" compares the CPU time of the busiest worker, as if each worker had a core of its own. Of repeated runs
    the median is drawn, with a whisker from minimum to maximum.
    """
    listed = summary.flat(runs)
    baselines = Baselines(listed)
    title = f"Speed-up against the sequential search{', by CPU time' if by == 'makespan' else ''}"
    return _worker_chart(
        listed, lambda run: baselines.speed_up(run, by), title, "times as fast", format_ratio, base=1, width=width
    )


def overhead(*runs: Run | Iterable[Run], width: float = 6.5) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search, by the number of workers."""
    listed = summary.flat(runs)
    title = "Nodes beyond those of the sequential search"
    return _worker_chart(listed, Baselines(listed).overhead, title, "extra nodes", format_percent, base=0, width=width)


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
        series: {n: Spread.of(map(measure, alike)) for n, alike in sorted(grouped(group, key).items())}
        for series, group in grouped(runs, name).items()
    }


def _worker_chart(
    runs: Sequence[Run],
    measure: Callable[[Run], float | None],
    title: str,
    label: str,
    form: Callable[[float], str],
    *,
    base: int,
    width: float,
) -> Chart:
    others = [run for run in runs if not summary.is_baseline(run)]
    compared = [run for run in others if run.finished and measure(run) is not None]
    if not compared:
        raise AbvizError(
            f"nothing to compare in {count(len(runs), 'run')}; expected finished runs of the sequential search and of "
            f"other strategies, of the same position, depth, method and clock"
        )
    left = len(others) - len(compared)
    title += f" ({count(left, 'run')} left out: stopped, or without a baseline)" if left else ""
    series = _series(compared, lambda run: run.workers, lambda run: measure(run) or 0.0)
    words = "; ".join(
        f"{name}, {count(workers, 'worker')}: {spread.text(form)}"
        for name, points in series.items()
        for workers, spread in points.items()
    )
    one_each = all(len(points) == 1 for points in series.values())

    def draw() -> Figure:
        height, grid = (0.9 + 0.34 * len(series), "x") if one_each else (3.6, "y")
        figure, axes = _figure(title, width, height, grid)
        (_draw_rows if one_each else _draw_lines)(axes, series, label, form, base)
        if not one_each:
            _legend(figure, axes)
        return figure

    return Chart(f"{title}, {label}. {words}.", draw)


def _range(series: Series, base: int) -> tuple[float, float]:
    values = [0.0, base, *(max(points) for points in series.values() if base == 1)]
    values += [value for points in series.values() for spread in points.values() for value in (spread.low, spread.high)]
    room = (max(values) - min(values)) * 0.06 or 0.05
    return min(values) - room * (min(values) < 0), max(values) + room


def _draw_rows(axes: Axes, series: Series, label: str, form: Callable[[float], str], base: int) -> None:
    """Draw a bar for each series, which has a single number of workers."""
    rows = [(name, *point) for name, points in series.items() for point in points.items()]
    medians = [spread.median for _, _, spread in rows]
    _bars(axes, [fill(f"{name}, {count(n, 'worker')}", 28) for name, n, _ in rows], medians, [""] * len(rows))
    if whiskers := _whiskers([spread for _, _, spread in rows]):
        axes.errorbar(medians, range(len(rows)), xerr=whiskers, fmt="none", ecolor=INK, capsize=2.5, elinewidth=0.8)
    for row, (_, workers, spread) in enumerate(rows):
        axes.text(1.01, row, spread.text(form), transform=axes.get_yaxis_transform(), va="center", fontsize=8)
        if base == 1:
            axes.plot([workers, workers], [row - 0.4, row + 0.4], color=PALE, linewidth=2.5, zorder=1)
    axes.axvline(base, color=INK, linewidth=0.9, zorder=4)
    axes.set_xlim(*_range(series, base))
    axes.set_xlabel(f"{label}{' (grey: ideal)' if base == 1 else ''}")
    axes.xaxis.set_major_formatter(lambda value, _: form(value) if base == 0 else f"{value:g}")


def _draw_lines(axes: Axes, series: Series, label: str, form: Callable[[float], str], base: int) -> None:
    numbers = sorted({workers for points in series.values() for workers in points} | {1})
    _plot(axes, series)
    axes.axhline(base, color=INK, linewidth=0.8, zorder=1, label="sequential")
    if base == 1:
        axes.plot([1, numbers[-1]], [1, numbers[-1]], color=PALE, linewidth=2.5, zorder=0, label="ideal")
    axes.set_xlabel("workers")
    axes.set_ylabel(label)
    axes.set_ylim(*_range(series, base))
    if numbers[-1] > 8:
        axes.set_xscale("log", base=2)
        axes.set_xlabel("workers, logarithmic scale")
        if base == 1:
            axes.set_yscale("log", base=2)
            axes.autoscale(axis="y")
            axes.set_ylabel(f"{label}, logarithmic scale")
        numbers = [n for n in numbers if n.bit_count() == 1]  # powers of two
    axes.yaxis.set_major_formatter(lambda value, _: form(value) if base == 0 else f"{value:g}")
    axes.xaxis.set_major_locator(FixedLocator(numbers))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda workers, _: f"{workers:.0f}")


def _plot(axes: Axes, series: Series) -> None:
    for number, (name, points) in enumerate(series.items()):
        colour, marker, dashes = LOOKS[number % len(LOOKS)]
        look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": dashes, "markersize": 5}
        if number >= len(LOOKS):
            look["markerfacecolor"] = "white"
        spreads = list(points.values())
        medians, whiskers = [spread.median for spread in spreads], _whiskers(spreads)
        axes.errorbar(list(points), medians, whiskers, label=name, capsize=3, linewidth=1.3, elinewidth=0.8, **look)


def _whiskers(spreads: Sequence[Spread]) -> list[list[float]] | None:
    below, above = [s.median - s.low for s in spreads], [s.high - s.median for s in spreads]
    return [below, above] if any(below + above) else None


def _bars(axes: Axes, names: Sequence[str], lengths: Sequence[float], hatches: Sequence[str]) -> None:
    """Draw a horizontal bar for each name, the first on top."""
    rows = range(len(names))
    axes.barh(rows, lengths, 0.64, color=FILL, hatch=list(hatches), edgecolor=EDGE, linewidth=0.6, zorder=2)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


# the moves of a game, and beams


def time_per_move(*runs: Run | Iterable[Run], width: float = 7.5) -> Chart:
    """Draw how long each move of a game took: a series for each strategy and number of workers.

    The positions are the moves of the game, in the order of the runs. Of repeated runs the median is drawn.
    """
    listed = [run for run in summary.flat(runs) if run.finished]
    if len({(run.game, run.clock) for run in listed}) != 1:
        raise AbvizError(f"{count(len(listed), 'finished run')}; expected those of the moves of one game, by one clock")
    moves = {position: number for number, position in enumerate(dict.fromkeys(run.position for run in listed), 1)}
    series = _series(listed, lambda run: moves[run.position], lambda run: run.time, by_move=True)
    clock, title = listed[0].clock, f"{quoted(listed[0].game)}: time of each of {count(len(moves), 'move')}"
    medians = {name: [spread.median for spread in points.values()] for name, points in series.items()}
    words = (
        f"{name}: {format_time(sum(times), clock)} in all, at most {format_time(max(times), clock)} for a move"
        for name, times in medians.items()
    )

    def draw() -> Figure:
        figure, axes = _figure(title, width, 3.6, "y")
        _plot(axes, series)
        top = _range(series, 0)[1]
        _time_axis(axes.yaxis, top, clock)
        axes.set_ylim(0, top)
        axes.set_xlim(0.5, len(moves) + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("move of the game")
        _legend(figure, axes)
        return figure

    return Chart(f"{title}. {'; '.join(words)}.", draw)


def beam_against_reordering(comparison: Any, *, width: float = 8.5) -> Chart:
    """Draw nodes, time, and how often the move differs from that of the first variant, the full search.

    `comparison` is a result of `compare(positions, depth, reordering=Switches(), beam_4=Switches(beam=4), ...)`.
    """
    variants = getattr(comparison, "variants", None)
    if not variants:
        raise AbvizError(f"{brief(comparison)} is not a comparison; expected the result of compare")
    positions, full = len(variants[0].values), variants[0].nodes
    names = [quoted(variant.name) for variant in variants]
    hatches = ["////" if variant.kind == "may be wrong" else "" for variant in variants]
    nodes = [float(variant.nodes) for variant in variants]
    seconds = [variant.seconds for variant in variants]
    others = [variant.other_moves / positions for variant in variants]
    labels = [f"× {each / full:.2g}" for each in nodes], map(format_time, seconds), map(format_percent, others)

    def draw() -> Figure:
        figure, axes = _figure("", width, 0.9 + 0.34 * len(variants))
        axes.remove()
        panels = figure.subplots(1, 3, sharey=True)
        for axes, lengths, texts in zip(panels, (nodes, seconds, others), labels, strict=True):
            _bars(axes, names, lengths, hatches)
            for row, (length, text) in enumerate(zip(lengths, texts, strict=True)):
                axes.annotate(text, (length, row), (3, 0), textcoords="offset points", va="center", fontsize=7.5)
            axes.set_xlim(0, (max(lengths) or 0.1) * 1.4)
            axes.grid(axis="x")
        _time_axis(panels[1].xaxis, max(seconds), SECONDS)
        panels[0].xaxis.set_major_formatter(lambda nodes, _: summary.format_count(nodes))
        panels[0].set_xlabel("nodes")
        panels[2].xaxis.set_major_formatter(lambda part, _: format_percent(part))
        panels[2].set_xlabel("another move")
        for axes in panels:
            axes.xaxis.set_major_locator(MaxNLocator(3, prune="upper"))
        panels[0].set_title(comparison.title, loc="left", fontsize=9)
        return figure

    words = (
        f"{name}: {count(variant.nodes, 'node')}, {format_time(variant.seconds)}, another move in "
        f"{variant.other_moves} of {count(positions, 'position')}"
        for name, variant in zip(names, variants, strict=True)
    )
    return Chart(f"{comparison.title}. {'; '.join(words)}.", draw)
