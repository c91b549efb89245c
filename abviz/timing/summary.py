"""Runs in numbers: medians of repeated runs, comparison with the sequential search, and the table."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import repeat
from statistics import median
from typing import Any, TypeVar

from matplotlib.ticker import EngFormatter

from abviz.errors import AbvizError, brief, columns, count, quoted, unknown, visible
from abviz.games.rules import worth
from abviz.parallel.records import NODES, SECONDS, Run

T = TypeVar("T")
SECONDS_FORMAT = EngFormatter("s", places=2)
NOTHING = "–"
format_ratio = "{:,.2f}".format


class Baselines:
    """The sequential runs that others are measured against; the median of several equal ones counts.

    A run is compared with the sequential search by its own method, minimax with sequential alpha-beta.
    """

    def __init__(self, runs: Iterable[Run]):
        self._runs = grouped((run for run in runs if run.strategy == "sequential" and run.finished), self._key)

    def _key(self, run: Run) -> Hashable:
        return problem(run), "alphabeta" if run.method == "minimax" else run.method

    def _ratio(self, run: Run, field: str) -> float | None:
        """Return run / baseline; None for a run that has not finished or has no baseline."""
        equal = self._runs.get(self._key(run), []) if run.finished else []
        base = median(getattr(each, field) for each in equal) if equal else 0
        return getattr(run, field) / base if base else None

    def speed_up(self, run: Run, by: str = "time") -> float | None:
        """Return baseline time / run time ("makespan": CPU time of the busiest worker); None where there is none."""
        ratio = self._ratio(run, by)
        return 1 / ratio if ratio else None

    def overhead(self, run: Run) -> float | None:
        """Return the fraction of nodes searched beyond the baseline's; None where there is no baseline."""
        ratio = self._ratio(run, "nodes")
        return None if ratio is None else ratio - 1


def flat(runs: Iterable[Run | Iterable[Run]]) -> list[Run]:
    """Return runs and lists of runs as one list."""
    listed: list[Run] = []
    for each in runs:
        listed += [each] if isinstance(each, Run) or not isinstance(each, Iterable) else each
    for run in listed:
        if not isinstance(run, Run):
            raise AbvizError(f"{brief(run)} is not a run; expected the result of parallel_search or simulate")
    return listed


def grouped(items: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    groups: dict[Any, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def problem(run: Run) -> tuple[Hashable, ...]:
    """Return what was searched and by which clock: only runs that agree in this can be compared."""
    return run.game, run.position, run.depth, run.clock


# numbers as text


def format_time(time: float, clock: str = SECONDS) -> str:
    """Return 1.23 s, 45.60 ms or 1,234 nodes."""
    return f"{format_count(time)} nodes" if clock == NODES else SECONDS_FORMAT(time)


def format_count(number: float) -> str:
    """Return 12,345 or 4.56 M."""
    return f"{number / 1e6:,.2f} M" if number >= 1e6 else f"{number:,.0f}"


def format_percent(part: float) -> str:
    return f"{round(part * 100):,} %".replace("-", "−")


def format_spread(values: Sequence[float], form: Callable[[float], str]) -> str:
    """Return median and, in brackets, minimum and maximum: "1.20 s (1.10…1.40)"; the median alone if all look equal."""
    middle, low, high = map(form, (median(values), min(values), max(values)))
    unit = "".join(middle.rpartition(" ")[1:]) if " " in middle else ""
    return middle if low == high else f"{middle} ({low.removesuffix(unit)}…{high.removesuffix(unit)})"


# runs and tasks as text


def run_name(run: Run) -> str:
    """Return "root, 2 workers", with the method where it is not plain alpha-beta."""
    method = [] if run.method in ("alphabeta", run.strategy) else [quoted(run.method)]
    return ", ".join([quoted(run.strategy), *method, count(run.workers, "worker")])


def run_state(run: Run) -> str:
    """Return "" for a finished run."""
    if run.finished:
        return ""
    return "running" if any(task.end is None for task in run.tasks) else "stopped"


def run_answer(run: Run) -> str:
    """Return "11-15, value 3"."""
    if run.move is None:
        return "no move yet"
    value = "value unknown" if run.value is None else worth(run.value)
    return f"{quoted(run.move)}, {value if ' ' in value else f'value {value}'}"


def run_costs(run: Run) -> str:
    """Return "1.23 s · 4.56 M nodes · 3.71 M nodes/s · idle 3 %"."""
    costs = [run_state(run), format_time(run.time, run.clock)]
    if run.clock == SECONDS or run.workers > 1:
        costs.append(f"{format_count(run.nodes)} nodes")
    if run.nodes_per_second:
        costs.append(f"{format_count(run.nodes_per_second)} nodes/s")
    costs.append(f"idle {format_percent(run.idle)}")
    return " · ".join(filter(None, costs))


# the table

Measure = Callable[[Run, Baselines], Any]
FIELDS = ("game", "position", "strategy", "method", "executor", "depth", "workers")
TEXT_COLUMNS: dict[str, Measure] = {
    **{name: lambda run, _, name=name: visible(str(getattr(run, name))) for name in FIELDS},  # type: ignore[misc]
    "move": lambda run, _: ", ".join(filter(None, [visible(run.move or NOTHING), run_state(run)])),
    "value": lambda run, _: NOTHING if run.value is None else worth(run.value),
}
NUMBER_COLUMNS: dict[str, tuple[Measure, Callable[[float], str]]] = {
    "time": (lambda run, _: run.time, format_time),
    "nodes": (lambda run, _: run.nodes, format_count),
    "nodes/s": (lambda run, _: run.nodes_per_second or None, format_count),
    "speed-up": (lambda run, base: base.speed_up(run), format_ratio),
    "by CPU time": (lambda run, base: base.speed_up(run, "makespan") if run.clock == SECONDS else None, format_ratio),
    "overhead": (lambda run, base: base.overhead(run), format_percent),
    "idle": (lambda run, _: run.idle, format_percent),
}
ALIGNED_LEFT = ("game", "position", "strategy", "method", "executor", "move")
IN_TITLE = {"game": "", "method": "", "depth": "depth ", "move": "move ", "value": "value "}  # where all rows agree


def table(*runs: Run | Iterable[Run], without: Iterable[str] = (), numbered: bool = False) -> "Table":
    """Return the cost of runs, next to the sequential search of the same position, depth and method.

    Repeated runs share a row with their median and, in brackets, the minimum and maximum, unless the rows are
    numbered. Columns that are equal in all rows move to the title. `without` names columns to leave out.
    """
    listed = flat(runs)
    baselines = Baselines(listed)
    groups = list(grouped(listed, lambda run: (*problem(run), run_name(run), run.executor, run_state(run))).values())
    cells: dict[str, list[str]] = {}
    if numbered:
        groups = [[run] for run in listed]
        cells["run"] = [f"{number}" for number in range(1, len(listed) + 1)]
    for name, text in TEXT_COLUMNS.items():
        cells[name] = [" / ".join(dict.fromkeys(text(run, baselines) for run in group)) for group in groups]
    cells["runs"] = [str(len(group)) for group in groups]
    for name, (measure, form) in NUMBER_COLUMNS.items():
        cells[name] = []
        for group in groups:
            values = [value for run in group if (value := measure(run, baselines)) is not None]
            clocked = partial(format_time, clock=group[0].clock) if name == "time" else form
            cells[name].append(format_spread(values, clocked) if values else NOTHING)
    for name in without:
        if name not in cells:
            raise unknown("column", name, cells)
    equal = [name for name in (*IN_TITLE, "position", "executor", "runs") if len(set(cells[name])) == 1]
    empty = [name for name, column in cells.items() if set(column) == {NOTHING}]
    head = tuple(name for name in cells if name not in (*equal, *empty, *without))
    facts = [IN_TITLE[name] + cells[name][0] for name in equal if name in IN_TITLE]
    title = ", ".join([*facts, count(len(listed), "run")])
    return Table(title, head, tuple(zip(*(cells[name] for name in head), strict=True)))


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of text; a notebook shows a table, `print` prints text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        if not self.rows:
            return "no runs"
        lines = [""] * (len(self.rows) + 1)
        for name, column in zip(self.head, zip(self.head, *self.rows, strict=True), strict=True):
            width = max(map(columns, column))
            for n, cell in enumerate(column):
                space = " " * (width - columns(cell))
                lines[n] += f"{cell}{space}  " if name in ALIGNED_LEFT else f"{space}{cell}  "
        return "\n".join([self.title, *map(str.rstrip, lines)])

    __repr__ = __str__

    def html(self) -> str:
        """Return a table element, inside a region that scrolls sideways."""
        if not self.rows:
            return "No runs yet."
        head, *rows = (
            "".join(map(_cell, repeat(tag), self.head, row))
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        )
        caption = f'<caption style="text-align: left">{escape(self.title)}</caption>'
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div style="overflow-x: auto">{table}</div>'

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}


def _cell(tag: str, name: str, text: str) -> str:
    align = "left" if name in ALIGNED_LEFT else "right"
    text = escape(text.replace(" (", "\n("))  # minimum and maximum stand below the median
    return f'<{tag} style="padding: .3em .5em; text-align: {align}; white-space: pre">{text}</{tag}>'
