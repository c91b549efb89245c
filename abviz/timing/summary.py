"""Runs in numbers: medians of repeated runs, comparison with the sequential search, and the table."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
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

    A run is compared with the sequential search by its own method, minimax with sequential alpha-beta. Where a run has
    not finished or has no baseline, the answer is None.
    """

    def __init__(self, runs: Iterable[Run]):
        self._runs = grouped((run for run in runs if run.strategy == "sequential"), self._key)

    def _key(self, run: Run) -> Hashable:
        return run.finished, problem(run), "alphabeta" if run.method == "minimax" else run.method

    def _ratio(self, run: Run, field: str) -> float | None:
        """Return run / baseline."""
        equal = self._runs.get(self._key(run), []) if run.finished else []
        base = median(getattr(each, field) for each in equal) if equal else 0
        return getattr(run, field) / base if base else None

    def speed_up(self, run: Run, by: str = "time") -> float | None:
        """Return baseline time / run time ("makespan": CPU time of the busiest worker)."""
        ratio = self._ratio(run, by)
        return 1 / ratio if ratio else None

    def overhead(self, run: Run) -> float | None:
        """Return the fraction of nodes searched beyond the baseline's."""
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
    return run.game, run.position, run.depth, run.weights, run.clock


# numbers as text


def format_time(time: float, clock: str = SECONDS) -> str:
    """Return 1.23 s, 45.60 ms or 1,234 nodes."""
    return f"{format_count(time)} nodes" if clock == NODES else SECONDS_FORMAT(time)


def format_count(number: float) -> str:
    """Return 12,345 or 4.56 M."""
    return f"{number / 1e6:,.2f} M" if number >= 1e6 else f"{number:,.0f}"


def format_percent(part: float) -> str:
    return f"{round(part * 100):,} %".replace("-", "−")


def format_spread(values: Iterable[float | None], form: Callable[[float], str]) -> str:
    """Return the median and, if they differ, minimum and maximum: "1.20 s (1.10…1.40)"; a dash for no values."""
    known = [value for value in values if value is not None]
    if not known:
        return NOTHING
    middle, low, high = map(form, (median(known), min(known), max(known)))
    unit = "".join(middle.rpartition(" ")[1:]) if " " in middle else ""
    return middle if low == high else f"{middle} ({low.removesuffix(unit)}…{high.removesuffix(unit)})"


# runs as text


def series_name(run: Run) -> str:
    """Return "root", or "root, improved, upper 4" where the method is not plain alpha-beta or there are settings."""
    method = "" if run.method in ("alphabeta", run.strategy) else run.method
    return ", ".join(quoted(each) for each in (run.strategy, method, run.settings) if each)


def run_name(run: Run) -> str:
    """Return "root, 2 workers"."""
    return f"{series_name(run)}, {count(run.workers, 'worker')}"


def run_state(run: Run) -> str:
    """Return "" for a finished run."""
    if run.finished:
        return ""
    return "running" if any(task.end is None for task in run.tasks) else "stopped"


def run_answer(run: Run) -> str:
    """Return "11-15, value 3"."""
    if run.move is None or run.value is None:
        return "no move yet"
    value = worth(run.value)
    return f"{quoted(run.move)}, {value if ' ' in value else f'value {value}'}"


def run_costs(run: Run) -> str:
    """Return "1.23 s · 4.56 M nodes · 3.71 M nodes/s · idle 3 %"."""
    costs = [run_state(run), format_time(run.time, run.clock), f"{format_count(run.nodes)} nodes"]
    if run.nodes_per_second:
        costs.append(f"{format_count(run.nodes_per_second)} nodes/s")
    return " · ".join(filter(None, [*costs, f"idle {format_percent(run.idle)}"]))


# the table

FIELDS = ("game", "position", "strategy", "method", "settings", "weights", "executor", "depth", "workers")
ALIGNED_LEFT = (*FIELDS[:7], "move")
IN_TITLE = {"game": "", "method": "", "depth": "depth ", "move": "move ", "value": "value "}  # where all rows agree


def table(*runs: Run | Iterable[Run], without: Iterable[str] = (), numbered: bool = False) -> "Table":
    """Return the cost of runs, next to the sequential search of the same position, depth and method.

    Repeated runs share a row with their median and, in brackets, the minimum and maximum, unless the rows are
    numbered. Columns that are equal in all rows move to the title. `without` names columns to leave out.
    """
    listed = flat(runs)
    baselines = Baselines(listed)
    groups = list(grouped(listed, lambda run: (*problem(run), run_name(run), run.executor, run_state(run))).values())
    rows = [_row(group, baselines) for group in groups]
    if numbered:
        rows = [{"run": str(number)} | _row([run], baselines) for number, run in enumerate(listed, 1)]
    if not rows:
        return Table("no runs", (), ())
    for name in without:
        if name not in rows[0]:
            raise unknown("column", name, rows[0])
    values = {name: {row[name] for row in rows} for name in rows[0]}
    equal = [name for name in (*IN_TITLE, "position", "executor", "runs") if len(values[name]) == 1]
    head = tuple(name for name in values if values[name] != {NOTHING} and name not in (*equal, *without))
    title = ", ".join(
        [*(IN_TITLE[name] + rows[0][name] for name in equal if name in IN_TITLE), count(len(listed), "run")]
    )
    return Table(title, head, tuple(tuple(row[name] for name in head) for row in rows))


def _row(group: Sequence[Run], baselines: Baselines) -> dict[str, str]:
    """Return the row of equal runs, by column."""
    moves = (", ".join(filter(None, [visible(run.move or NOTHING), run_state(run)])) for run in group)
    values = (NOTHING if run.value is None else worth(run.value) for run in group)
    clock = group[0].clock
    by_cpu = (baselines.speed_up(run, "makespan") for run in group if clock == SECONDS)
    return {
        **{name: visible(str(getattr(group[0], name))) or NOTHING for name in FIELDS},
        "move": " / ".join(dict.fromkeys(moves)),
        "value": " / ".join(dict.fromkeys(values)),
        "runs": str(len(group)),
        "time": format_spread([run.time for run in group], partial(format_time, clock=clock)),
        "nodes": format_spread([run.nodes for run in group], format_count),
        "nodes/s": format_spread([run.nodes_per_second or None for run in group], format_count),
        "speed-up": format_spread(map(baselines.speed_up, group), format_ratio),
        "by CPU time": format_spread(by_cpu, format_ratio),
        "overhead": format_spread(map(baselines.overhead, group), format_percent),
        "idle": format_spread([run.idle for run in group], format_percent),
    }


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of text; a notebook shows a table, `print` prints text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[str, ...] = ALIGNED_LEFT  # the columns of words

    def __str__(self) -> str:
        lines = [""] * (len(self.rows) + 1)
        for name, column in zip(self.head, zip(self.head, *self.rows, strict=True), strict=True):
            width = max(map(columns, column))
            for n, cell in enumerate(column):
                space = " " * (width - columns(cell))
                lines[n] += f"{cell}{space}  " if name in self.left else f"{space}{cell}  "
        return "\n".join([self.title, *map(str.rstrip, lines)]).rstrip()

    __repr__ = __str__

    def html(self) -> str:
        """Return a table element, inside a region that scrolls sideways."""
        head, body = self._html_row("th", self.head), "".join(self._html_row("td", row) for row in self.rows)
        caption = f'<caption style="text-align: left">{escape(self.title)}</caption>'
        table = f"<table>{caption}<thead>{head}</thead><tbody>{body}</tbody></table>"
        return f'<div style="overflow-x: auto">{table}</div>'

    def _html_row(self, tag: str, row: Sequence[str]) -> str:
        cells = ""
        for name, text in zip(self.head, row, strict=True):
            align = "left" if name in self.left else "right"
            text = escape(text.replace(" (", "\n("))  # minimum and maximum stand below the median
            cells += f'<{tag} style="padding: .3em .5em; text-align: {align}; white-space: pre">{text}</{tag}>'
        return f"<tr>{cells}</tr>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}
