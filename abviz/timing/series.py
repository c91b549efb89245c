"""What charts show, in numbers: ratios by strategy and workers, costs by move, values in bins.

Charts draw them; where matplotlib is not installed, tables show them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isfinite
from statistics import median

from abviz.errors import AbvizError, brief, count, number, plain
from abviz.parallel.records import NODES, Run
from abviz.timing.summary import Ratios, compared, series_name

Points = dict[int, list[float]]  # the ratios of repeated runs, by number of workers

SPEED_UP = "Speed-up against the sequential search"
OVERHEAD = "Nodes beyond those of the sequential search"
BINS = 20  # of a histogram


def ratios_of(
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


def groups_of(series: dict[str, Points]) -> list[int]:
    """Return the numbers of workers, in rising order."""
    return sorted({workers for points in series.values() for workers in points})


def texts_of(series: dict[str, Points], form: Callable[[float], str]) -> list[str]:
    """Return what each bar says, in words."""
    texts = []
    for name, points in series.items():
        for workers, values in points.items():
            texts.append(f"{name}, {count(workers, 'worker')}: {spread(values, form)}")
    return texts


def spread(values: Sequence[float], form: Callable[[float], str]) -> str:
    """Return the median, and of repeated runs also the minimum and the maximum."""
    text = form(median(values))
    if len(values) > 1:
        text += f" ({form(min(values))}…{form(max(values))})"
    return text


# costs along a game


def entries_of(name: str, series: Iterable[Run | float]) -> list[Run | float]:
    if not isinstance(series, Iterable):
        raise AbvizError(f"{name} is {brief(series)}; expected a list of runs or of numbers")
    entries = list(series)
    if not entries:
        raise AbvizError(f"{name} is empty; expected a run or a number for each move")
    return entries


def costs_of(name: str, entries: list[Run | float]) -> list[float]:
    """Return the costs, checked: each a positive number."""
    costs = [each.time if isinstance(each, Run) else plain(each) for each in entries]
    for move, cost in enumerate(costs, 1):
        if cost is None or not 0 < cost < inf:
            raise AbvizError(f"{name} has {brief(cost)} at move {move}; expected a number above 0")
    return [float(cost) for cost in costs if cost is not None]


def with_left_out(title: str, left_out: int) -> str:
    """Return the title, with how many runs are not in the chart."""
    if not left_out:
        return title
    return f"{title} ({count(left_out, 'run')} left out: stopped, or without a baseline)"


def costs_by_name(series: Mapping[str, Iterable[Run | float]]) -> dict[str, list[float]]:
    """Return the costs of each series, by its name."""
    if not series:
        raise AbvizError("nothing to draw; expected series: by_move(sequential=runs, root=others)")
    return {
        name.replace("_", " "): costs_of(name, entries_of(name, each))
        for name, each in series.items()
    }


# values in bins


def values_of(values: Iterable[float]) -> list[float]:
    """Return the values, checked: finite numbers, and at least one."""
    listed = [plain(value) for value in values] if isinstance(values, Iterable) else []
    numbers = [float(value) for value in listed if value is not None and isfinite(value)]
    if not numbers or len(numbers) < len(listed):
        raise AbvizError(f"asked to draw {brief(values)}; expected a list of finite numbers")
    return numbers


def marks_of(marks: Mapping[str, object]) -> dict[str, float]:
    """Return the marks that have a number, by their name; None is no mark."""
    named = {name.replace("_", " "): value for name, value in marks.items() if value is not None}
    return {name: values_of([value])[0] for name, value in named.items()}  # type: ignore[list-item]


def in_words(values: Sequence[float], label: str, marks: Mapping[str, float]) -> str:
    """Return what a histogram shows."""
    middle = number(round(median(values), 2))
    ends = f"{number(min(values))} to {number(max(values))}, median {middle}"
    parts = [f"{label}, {count(len(values), 'value')}: {ends}"]
    parts += [f"{name}: {number(value)}" for name, value in marks.items()]
    return f"{'; '.join(parts)}."


def bins_of(values: Sequence[float], bins: int) -> list[tuple[float, float, int]]:
    """Return bins of equal width, each with its ends and how many values are in it."""
    low, high = min(values), max(values)
    width = (high - low) / bins or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / width), bins - 1)] += 1
    return [(low + i * width, low + (i + 1) * width, counts[i]) for i in range(bins)]
