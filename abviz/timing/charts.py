"""Many runs as charts: speed-up and extra nodes by the number of workers, and the time of each move of a game."""

from collections.abc import Callable, Iterable, Sequence
from math import log2

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from abviz.errors import AbvizError, count, quoted
from abviz.parallel.records import Run
from abviz.timing.pooling import Baselines, Spread, amount, digits, flat, grouped, percent, series_names
from abviz.timing.series import (
    BARS,
    Series,
    all_amounts,
    draw_bars,
    draw_lines,
    draw_rows,
    in_words,
    legend,
    one_each,
    started,
)
from abviz.timing.showing import INK, PALE, Chart, checked_width, scaled, time_axis

STRAIGHT = 8  # workers, beyond which the axes are logarithmic


def speed_up(*runs: Run | Iterable[Run], against: str = "sequential", by: str = "time", width: float = 6.5) -> Chart:
    """How many times as fast as the sequential search each strategy is, by the number of workers.

    `against` names another baseline, such as "minimax"; by="makespan" takes the CPU time of the busiest worker; waiting
    not counted, as if each had a core of its own. Of runs that are alike, and of several positions, the median stands
    with a whisker from the least to the most.
    """
    checked_width(width)
    listed = flat(runs)
    baselines = Baselines(listed, against)
    lines, left_out = _by_workers(listed, against, lambda run: baselines.speed_up(run, by))
    what = f"Speed-up against {_baseline(against)}{', by CPU time' if by == 'makespan' else ''}{left_out}"
    most = max(max(line.points) for line in lines)
    ideal = against == "sequential"  # another baseline has nothing to do with the number of workers

    def draw() -> Figure:
        if one_each(lines):
            figure, axes = _rows(what, lines, width, digits, 1)
            axes.set_xlabel("times as fast")
            if ideal:
                _mark_ideal(axes, lines)
            return figure
        figure, axes = started(what, width)
        axes.axhline(1, color=INK, linewidth=0.8, zorder=1, label=against)
        if ideal:
            axes.plot([1, most], [1, most], color=PALE, linewidth=2.5, zorder=0, label="ideal")
        shown = [1.0, *[most] * ideal, *all_amounts(lines)]
        if most > STRAIGHT:
            axes.set_yscale("log", base=2)
            axes.set_ylim(2 ** (log2(min(shown)) - 0.3), 2 ** (log2(max(shown)) + 0.3))
            axes.yaxis.set_major_formatter(lambda times, _: f"{times:g}")
        else:
            axes.set_ylim(0, max(shown) * 1.06)
        axes.set_ylabel("times as fast")
        draw_lines(axes, lines)
        _worker_axis(axes, lines)
        legend(figure, axes, width)
        return figure

    return Chart(in_words(what, lines, digits, " times"), draw)


def overhead(*runs: Run | Iterable[Run], against: str = "sequential", width: float = 6.5) -> Chart:
    """The nodes that each strategy searches beyond those of the sequential search, by the number of workers."""
    checked_width(width)
    listed = flat(runs)
    lines, left_out = _by_workers(listed, against, Baselines(listed, against).overhead)
    what = f"Nodes beyond those of {_baseline(against)}{left_out}"

    def draw() -> Figure:
        if one_each(lines):
            figure, axes = _rows(what, lines, width, percent, 0)
            axes.set_xlabel("extra nodes")
            axes.xaxis.set_major_formatter(lambda part, _: percent(part))
            return figure
        figure, axes = started(what, width)
        axes.axhline(0, color=INK, linewidth=0.8, zorder=1, label=against)
        axes.set_ylabel("extra nodes")
        axes.yaxis.set_major_formatter(lambda part, _: percent(part))
        draw_lines(axes, lines)
        axes.set_ylim(*_room([0.0, *all_amounts(lines)]))
        _worker_axis(axes, lines)
        legend(figure, axes, width)
        return figure

    return Chart(in_words(what, lines, percent), draw)


def time_per_move(*runs: Run | Iterable[Run], width: float = 7.5) -> Chart:
    """How long each move of a game took: a series for each strategy and number of workers, beside one another.

    The positions are the moves, in the order in which the runs first come to them; of runs that are alike the median
    stands, with a whisker from the least to the most.
    """
    checked_width(width)
    listed = [run for run in flat(runs) if run.finished]
    if len({(run.game, run.clock) for run in listed}) != 1:
        raise AbvizError(f"{count(len(listed), 'finished run')}; expected those of all moves of one game, by one clock")
    moves = {position: number for number, position in enumerate(dict.fromkeys(run.position for run in listed), 1)}
    lines = []
    for name, group in grouped(listed, series_names(listed, workers=True)).items():
        by_move = sorted(grouped(group, lambda run: moves[run.position]).items())
        lines.append(Series(name, {move: Spread.of(run.time for run in same) for move, same in by_move}))
    few, clock, amounts = len(moves) <= BARS, listed[0].clock, all_amounts(lines)
    what = f"{quoted(listed[0].game)}: the time of {'the move' if len(moves) == 1 else f'each of {len(moves)} moves'}"

    def draw() -> Figure:
        figure, axes = started(what, width)
        (draw_bars if few else draw_lines)(axes, lines)
        logarithmic = not few and scaled(axes, amounts, which="y")  # a bar's length says nothing on such a scale
        time_axis(axes, max(amounts), clock, which="y")
        if logarithmic:
            axes.set_ylabel(f"{axes.get_ylabel()}, logarithmic scale")
        else:
            axes.set_ylim(0, max(amounts) * 1.06 or 1)
        axes.set_xlim(0.4, len(moves) + 0.6)
        axes.xaxis.set_major_locator(
            FixedLocator(list(moves.values())) if few else MaxNLocator(integer=True, steps=[1, 2, 5, 10])
        )
        axes.set_xlabel("move of the game")
        legend(figure, axes, width)
        return figure

    return Chart(_moves_in_words(what, lines, clock), draw)


def _baseline(against: str) -> str:
    return "the sequential search" if against == "sequential" else f"{quoted(against)} on 1 worker"


def _by_workers(runs: list[Run], against: str, measure: Callable[[Run], float | None]) -> tuple[list[Series], str]:
    """Of each strategy but the baseline the spread, by number of workers; and in words how many runs say nothing."""
    others = [run for run in runs if (run.strategy, run.workers) != (against, 1)]
    compared = [run for run in others if run.finished and measure(run) is not None]
    if not compared:
        raise AbvizError(
            f"nothing can be compared in {count(len(runs), 'run')}; expected finished ones by {_baseline(against)} "
            f"and others of the same position and depth{' and method' * (against == 'sequential')}, by the same clock"
        )
    lines = []
    for name, group in grouped(compared, series_names(compared)).items():
        by_workers = sorted(grouped(group, lambda run: run.workers).items())
        lines.append(
            Series(name, {n: Spread.of(x for x in map(measure, same) if x is not None) for n, same in by_workers})
        )
    left = len(others) - len(compared)
    return lines, f" ({count(left, 'run')} left out: stopped, or without one to compare with)" if left else ""


def _rows(
    what: str, lines: Sequence[Series], width: float, shown: Callable[[float], str], baseline: float
) -> tuple[Figure, Axes]:
    """A bar for each series, and a line at the baseline."""
    figure, axes = started(what, width, len(lines))
    axes.axvline(baseline, color=INK, linewidth=0.9, zorder=4)
    draw_rows(axes, lines, shown)
    low, high = _room([0.0, baseline, *all_amounts(lines)])
    axes.set_xlim(low if min(all_amounts(lines)) < 0 else 0, high)
    return figure, axes


def _mark_ideal(axes: Axes, lines: Sequence[Series]) -> None:
    for row, line in enumerate(lines):
        workers = max(line.points)
        axes.plot([workers, workers], [row - 0.4, row + 0.4], color=PALE, linewidth=2.5, zorder=1)
    axes.set_xlim(0, max(axes.get_xlim()[1], max(max(line.points) for line in lines) * 1.06))
    axes.set_xlabel("times as fast (grey: ideal)")


def _room(amounts: list[float]) -> tuple[float, float]:
    """The least and the most with some room around them."""
    room = (max(amounts) - min(amounts)) * 0.06 or 0.05
    return min(amounts) - room, max(amounts) + room


def _worker_axis(axes: Axes, lines: Sequence[Series]) -> None:
    seen = sorted({workers for line in lines for workers in line.points} | {1})
    logarithmic = seen[-1] > STRAIGHT
    if logarithmic:
        axes.set_xscale("log", base=2)
    axes.set_xlim(*((0.88, seen[-1] * 1.14) if logarithmic else (0.8, seen[-1] + 0.2)))
    axes.xaxis.set_major_locator(FixedLocator([n for n in seen if n & (n - 1) == 0] if len(seen) > 10 else seen))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda workers, _: f"{workers:.0f}")
    axes.set_xlabel(f"workers{', logarithmic scale' if logarithmic else ''}")


def _moves_in_words(what: str, lines: Sequence[Series], clock: str) -> str:
    told = []
    for line in lines:
        middles = {point.median: move for move, point in reversed(line.points.items())}
        total = amount(sum(point.median for point in line.points.values()), clock)
        told.append(
            f"{line.name}: {total} in all, at most {amount(max(middles), clock)}, for move {middles[max(middles)]}"
        )
    return f"{what}. {'; '.join(told)}."
