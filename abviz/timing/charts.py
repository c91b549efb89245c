"""Charts of measured runs, drawn by matplotlib: speed-up and overhead by the number of workers."""

import io
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from abviz.errors import AbvizError, count, unknown
from abviz.parallel.records import NODES, Run
from abviz.timing.lane_chart import image_bundle
from abviz.timing.summary import Baselines, flat, format_percent, format_ratio, format_spread, series_name

MOST_LABELLED = 12  # bars that have room for their number

# Charts look the same whatever style the notebook has set.
styled = partial(style.context, ["default", Path(__file__).with_name("charts.mplstyle")])


class Chart(Figure):
    """A matplotlib figure with a caption, for screen readers and `print`. `savefig` writes it to a file."""

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
    chart.legend(loc="outside right upper")
    return chart


@styled()
def overhead(*runs: Run | Iterable[Run]) -> Chart:
    """Draw the nodes that each strategy searches beyond those of the sequential search, by the number of workers."""
    listed = flat(runs)
    title = "Nodes beyond those of the sequential search"
    chart = _worker_chart(listed, Baselines(listed).overhead, title, "extra nodes", format_percent)
    chart.axes[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    chart.axes[0].axhline(0, color="black", linewidth=0.8, label="sequential")
    chart.legend(loc="outside right upper")
    return chart


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
    clocks = {run.clock for run in compared}
    series: dict[str, dict[int, list[float]]] = {}  # by name and number of workers
    for run in sorted(compared, key=lambda run: run.workers):
        name = series_name(run) + (", simulated" if len(clocks) > 1 and run.clock == NODES else "")
        series.setdefault(name, {}).setdefault(run.workers, []).append(measure(run) or 0.0)
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
    axes.set(title=fill(title, 60), xlabel="workers", ylabel=label)
    return chart
