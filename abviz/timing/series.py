"""Series of measurements as lines or bars of one chart, each told apart from the others in grey too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from abviz.errors import count
from abviz.timing.pooling import SIMULATED, Spread
from abviz.timing.showing import EDGE, FILL, INK, LOOKS, PALE, title_letters

BARS = 12  # of a series, beyond which it is a line
LETTERS = 28  # of a row's name, beyond which it is folded
NARROW = 5  # inches, below which the names of the series stand under the chart


@dataclass(frozen=True)
class Series:
    """A line of a chart: what was measured by number of workers, or by move."""

    name: str
    points: dict[int, Spread]


def all_amounts(lines: Sequence[Series]) -> list[float]:
    return [each for line in lines for point in line.points.values() for each in (point.least, point.most)]


def started(title: str, width: float, rows: int = 0) -> tuple[Figure, Axes]:
    """A figure with one chart: of lines or upright bars, or of so many rows."""
    figure = Figure(figsize=(width, 0.9 + 0.34 * rows if rows else 3.6), facecolor="white", layout="constrained")
    axes = figure.subplots()
    axes.set_title(fill(title, title_letters(width)), loc="left", fontsize=9)
    axes.grid(axis="x" if rows else "y", color=PALE, linewidth=0.4)
    axes.set_axisbelow(True)
    return figure, axes


def draw_lines(axes: Axes, lines: Sequence[Series]) -> None:
    many = max(len(line.points) for line in lines) > 2 * BARS
    names = list(dict.fromkeys(line.name.removesuffix(SIMULATED) for line in lines))
    for line in lines:
        number = names.index(line.name.removesuffix(SIMULATED))
        colour, marker, dashes, _ = LOOKS[number % len(LOOKS)]
        look: dict[str, Any] = {"color": colour, "marker": marker, "linestyle": dashes, "markersize": 4 if many else 6}
        if line.name.endswith(SIMULATED) or number >= len(LOOKS):
            look["markerfacecolor"] = "white"
        at, middle, whiskers = _columns(line)
        seen = whiskers if any(map(any, whiskers)) else None
        axes.errorbar(at, middle, seen, label=line.name, capsize=3, linewidth=1.3, elinewidth=0.8, **look)


def draw_rows(axes: Axes, lines: Sequence[Series], shown: Callable[[float], str]) -> None:
    """Where each series is one number of workers: a bar for each with its numbers, the first on top."""
    for row, line in enumerate(lines):
        (point,) = line.points.values()
        axes.barh(row, point.median, 0.62, color=FILL, edgecolor=EDGE, linewidth=0.6, zorder=2)
        if point.least < point.most:
            whisker = [[point.median - point.least], [point.most - point.median]]
            axes.errorbar(point.median, row, xerr=whisker, color=INK, capsize=2.5, elinewidth=0.8, zorder=3)
        axes.text(1.01, row, point.told(shown), transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    names = [f"{line.name}, {count(workers, 'worker')}" for line in lines for workers in line.points]
    axes.set_yticks(range(len(lines)), [fill(name, LETTERS) for name in names])
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def one_each(lines: Sequence[Series]) -> bool:
    return all(len(line.points) == 1 for line in lines)


def draw_bars(axes: Axes, lines: Sequence[Series]) -> None:
    """Beside one another, around the whole number that they belong to."""
    wide = 0.8 / len(lines)
    for number, line in enumerate(lines):
        colour, _, _, hatch = LOOKS[number % len(LOOKS)]
        at, middle, whiskers = _columns(line)
        places = [move + (number - (len(lines) - 1) / 2) * wide for move in at]
        axes.bar(places, middle, wide, color=colour, hatch=hatch, edgecolor="white", label=line.name)
        if any(map(any, whiskers)):
            axes.errorbar(places, middle, whiskers, linestyle="none", color=INK, capsize=2, elinewidth=0.8)


def _columns(line: Series) -> tuple[list[int], list[float], list[list[float]]]:
    points = list(line.points.values())
    below, above = [p.median - p.least for p in points], [p.most - p.median for p in points]
    return list(line.points), [p.median for p in points], [below, above]


def legend(figure: Figure, axes: Axes, width: float) -> None:
    keys, names = axes.get_legend_handles_labels()
    beside = width >= NARROW
    if not beside:
        figure.set_figheight(figure.get_figheight() + 0.18 * len(names))
    place: Any = "outside right upper" if beside else "outside lower left"
    figure.legend(keys, names, loc=place, frameon=False, fontsize=8, handlelength=3.2)


def in_words(what: str, lines: Sequence[Series], shown: Callable[[float], str], unit: str = "") -> str:
    told = []
    for line in lines:
        points = (f"{point.told(shown)}{unit} on {count(workers, 'worker')}" for workers, point in line.points.items())
        told.append(f"{line.name}: {', '.join(points)}")
    return f"{what}. {'; '.join(told)}."
