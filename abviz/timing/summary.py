"""Runs in numbers: medians of repeated runs, comparison with a baseline, and the table."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Any, TypeVar

from abviz.errors import AbvizError, brief, columns, count, quoted, unknown, visible
from abviz.games.rules import WIN, worth
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord

T = TypeVar("T")
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}
NOTHING = "–"


@dataclass(frozen=True)
class Spread:
    """The median, minimum and maximum of repeated measurements."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        values = list(values)
        return cls(median(values), min(values), max(values))

    def text(self, form: Callable[[float], str]) -> str:
        """Return "1.2 s (1.1…1.4)", or the median alone where all values look the same."""
        middle, low, high = map(form, (self.median, self.low, self.high))
        if low == high == middle:
            return middle
        unit = "".join(middle.rpartition(" ")[1:]) if " " in middle else ""
        return f"{middle} ({low.removesuffix(unit)}…{high.removesuffix(unit)})"


class Baselines:
    """The sequential runs that others are measured against; of several alike, the median counts.

    A run is compared with the sequential search by its own method, minimax with sequential alpha-beta.
    """

    def __init__(self, runs: Iterable[Run]):
        self._runs = grouped((run for run in runs if is_baseline(run) and run.finished), self._key)

    def _key(self, run: Run) -> Hashable:
        return problem(run), "alphabeta" if run.method == "minimax" else run.method

    def speed_up(self, run: Run, by: str = "time") -> float | None:
        """Return baseline time / run time ("makespan": CPU time of the busiest worker); None without a baseline."""
        if by not in ("time", "makespan"):
            raise unknown("measure", by, ("time", "makespan"))
        whole, own = self._median(run, by), getattr(run, by)
        return whole / own if whole and own else None

    def overhead(self, run: Run) -> float | None:
        """Return the fraction of nodes searched beyond the baseline's; None without a baseline."""
        nodes = self._median(run, "nodes")
        return run.nodes / nodes - 1 if nodes else None

    def _median(self, run: Run, field: str) -> float | None:
        alike = self._runs.get(self._key(run))
        return median(getattr(each, field) for each in alike) if alike else None


def is_baseline(run: Run) -> bool:
    return run.strategy == "sequential"


def flat(runs: Iterable[Run | Iterable[Run]]) -> list[Run]:
    """Return runs and lists of runs as one list."""
    listed: list[Run] = []
    for each in runs:
        listed += [each] if isinstance(each, Run) or not isinstance(each, Iterable) else each
    for run in listed:
        if not isinstance(run, Run):
            raise AbvizError(
                f"{brief(run)} is not a run; expected the result of parallel_search, simulate or read_runs"
            )
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


def unit_for(longest: float) -> str:
    return "s" if longest >= 1 or not longest else "ms" if longest >= 1e-3 else "µs"


def format_time(time: float, clock: str = SECONDS, unit: str = "") -> str:
    """Return 1.23 s, 45.6 ms or 1,234 nodes."""
    if clock == NODES:
        return f"{format_count(time)} nodes"
    unit = unit or unit_for(time)
    return f"{format_ratio(time * UNITS[unit])} {unit}"


def format_ratio(number: float) -> str:
    """Return three digits, or all before the point."""
    size = abs(number)
    return f"{number:,.{0 if size >= 99.95 else 1 if size >= 9.995 else 2}f}"


def format_count(number: float) -> str:
    """Return 999, 12,345, 123 k or 4.56 M."""
    if number >= 999_500:
        return f"{format_ratio(number / 1e6)} M"
    return f"{number / 1e3:.0f} k" if number >= 1e5 else f"{number:,.0f}"


def format_percent(part: float) -> str:
    shown = f"{abs(part) * 100:,.{1 if abs(part) < 0.0995 else 0}f}".removesuffix(".0")
    return f"{'−' if part < 0 and shown != '0' else ''}{shown} %"


def format_bound(value: int) -> str:
    return worth(value) if abs(value) < WIN else "∞" if value > 0 else "−∞"


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
    return " · ".join([*filter(None, costs), f"idle {format_percent(run.idle)}"])


def start_bound(task: TaskRecord, run: Run) -> str:
    """Return the bound that the workers share as the task found it: α below a MAX root, β below a MIN root."""
    return f"α {format_bound(task.alpha)}" if run.is_max else f"β {format_bound(task.beta)}"


def task_value(task: TaskRecord) -> str:
    """Return the value with ≤ or ≥ where it is only a bound, "cancelled" or "running"."""
    if task.value is None:
        return "running" if task.end is None else "cancelled"
    alpha, beta = task.learnt[-1][1:] if task.learnt else (task.alpha, task.beta)
    sign = "≤ " if task.value <= alpha else "≥ " if task.value >= beta else ""
    return f"{sign}{worth(task.value)}"


# the table

TEXT_COLUMNS = ("game", "position", "strategy", "method", "executor", "move")  # aligned left
ONLY_IF_VARIED = ("game", "position", "method", "executor", "depth", "move", "value", "runs")
ONLY_IF_KNOWN = ("nodes/s", "by CPU time")  # simulated runs have neither
HELP = {
    "speed-up": "time of the sequential search / time of the run",
    "by CPU time": "speed-up by the CPU time of the busiest worker, as if each worker had a core of its own",
    "overhead": "nodes searched beyond those of the sequential search",
    "idle": "part of the workers' time without a task",
}


def table(*runs: Run | Iterable[Run], without: Iterable[str] = ()) -> "Table":
    """Return the cost of runs, next to the sequential search of the same position, depth and method.

    Runs alike share a row with their median and, in brackets, the minimum and maximum. What all rows share is in the
    title. "by CPU time" is the speed-up by the CPU time of the busiest worker. `without` names columns to leave out.
    """
    groups = grouped(flat(runs), lambda run: (*problem(run), run_name(run), run.executor, run_state(run)))
    return Table(list(groups.values()), without=tuple(without))


class Table:
    """Rows of text (`.head`, `.rows`, `.title`); a notebook shows a table, `print` prints text.

    Each of the `groups` of runs makes a row, numbered if `numbered`; `names` maps positions to their names.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[Run]],
        *,
        without: Sequence[str] = (),
        numbered: bool = False,
        names: Mapping[str, str] | None = None,
    ):
        runs = [run for group in groups for run in group]
        self._baselines, self._names = Baselines(runs), names or {}
        self._unit = unit_for(max((run.time for run in runs if run.clock == SECONDS), default=0))
        rows = [({"run": str(n)} if numbered else {}) | self._row(group) for n, group in enumerate(groups, 1)]
        known = rows[0] if rows else {}
        for name in without:
            if rows and name not in known:
                raise unknown("column", name, known)
        shared = {name for name in ONLY_IF_VARIED if len({row[name] for row in rows}) == 1}
        if known.get("runs", "1") != "1":
            shared.discard("runs")
        empty = {name for name in ONLY_IF_KNOWN if all(row[name] == NOTHING for row in rows)}
        self.head = tuple(name for name in known if name not in shared | empty and name not in without)
        self.rows = tuple(tuple(row[name] for name in self.head) for row in rows)
        facts = [known[name] for name in ("game", "method") if name in shared]
        facts += [f"{name} {known[name]}" for name in ("depth", "move", "value") if name in shared]
        self.title = ", ".join([*facts, count(len(runs), "run")])

    def _row(self, group: Sequence[Run]) -> dict[str, str]:
        first, finished = group[0], [run for run in group if run.finished]
        by_cpu = (self._baselines.speed_up(run, "makespan") for run in finished if run.clock == SECONDS)
        return {
            "game": visible(first.game),
            "position": visible(self._names.get(first.position, first.position)),
            "strategy": visible(first.strategy),
            "method": visible(first.method),
            "executor": visible(first.executor),
            "depth": str(first.depth),
            "workers": str(first.workers),
            "runs": str(len(group)),
            "move": " / ".join(dict.fromkeys(_move(run) for run in group)),
            "value": " / ".join(dict.fromkeys(NOTHING if run.value is None else worth(run.value) for run in group)),
            "time": _spread((run.time for run in group), lambda time: format_time(time, first.clock, self._unit)),
            "nodes": _spread((run.nodes for run in group), format_count),
            "nodes/s": _spread((run.nodes_per_second or None for run in group), format_count),
            "speed-up": _spread(map(self._baselines.speed_up, finished), format_ratio),
            "by CPU time": _spread(by_cpu, format_ratio),
            "overhead": _spread(map(self._baselines.overhead, finished), format_percent),
            "idle": _spread((run.idle for run in group), format_percent),
        }

    def __str__(self) -> str:
        if not self.rows:
            return "no runs"
        widths = [max(map(columns, column)) for column in zip(self.head, *self.rows, strict=True)]
        lines = [self.title]
        for row in (self.head, *self.rows):
            cells = []
            for name, cell, width in zip(self.head, row, widths, strict=True):
                space = " " * (width - columns(cell))
                cells.append(cell + space if name in TEXT_COLUMNS else space + cell)
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    __repr__ = __str__

    def html(self) -> str:
        """Return a table element, inside a region that scrolls sideways."""
        if not self.rows:
            return "No runs yet."
        align = [f"text-align: {'left' if name in TEXT_COLUMNS else 'right'}; padding: .3em .4em" for name in self.head]
        head = "".join(
            f'<th scope="col" title="{escape(HELP.get(name, ""))}" style="{style}">{name}</th>'
            for name, style in zip(self.head, align, strict=True)
        )
        rows = ""
        for row in self.rows:
            cells = (escape(cell).replace(" (", "\n(") for cell in row)  # minimum and maximum stand below the median
            tds = (f'<td style="{s}; white-space: pre">{cell}</td>' for cell, s in zip(cells, align, strict=True))
            rows += f"<tr>{''.join(tds)}</tr>"
        caption = f'<caption style="text-align: left">{escape(self.title)}</caption>'
        region = '<div style="overflow-x: auto" tabindex="0" role="region" aria-label="Runs">'
        return f"{region}<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}


def _move(run: Run) -> str:
    move = NOTHING if run.move is None else visible(run.move)
    return move if run.finished else f"{move}, {run_state(run)}"


def _spread(values: Iterable[float | None], form: Callable[[float], str]) -> str:
    known = [value for value in values if value is not None]
    return Spread.of(known).text(form) if known else NOTHING
