"""Runs in numbers: how they compare with the sequential search, numbers as text, and the table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Any

from abviz.errors import AbvizError, brief, columns, count, quoted, visible
from abviz.games.rules import PROVEN, worth
from abviz.parallel.records import NODES, SECONDS, Run

NOTHING = "–"
UNITS = {"ks": 1e3, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}  # seconds


def flat(runs: Iterable[Run | Iterable[Run]]) -> list[Run]:
    """Return runs and lists of runs as one list."""
    listed: list[Run] = []
    for each in runs:
        if isinstance(each, Run) or not isinstance(each, Iterable):
            listed.append(each)
        else:
            listed += each

    for run in listed:
        if not isinstance(run, Run):
            raise AbvizError(
                f"{brief(run)} is not a run; expected the result of parallel_search or simulate"
            )
    return listed


@dataclass(frozen=True)
class Ratios:
    """How a run compares with its baseline; all None where it has none, or has not finished."""

    speed_up: float | None = None
    overhead: float | None = None
    by_cpu_time: float | None = None  # the speed-up by the CPU time of the busiest worker


def compared(runs: Sequence[Run]) -> list[Ratios]:
    """Return the ratios of each run to its baseline, the sequential search.

    The search is by the same method (of minimax, by alpha-beta), and the median of several.
    """
    baselines: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        if run.finished and run.strategy == "sequential":
            baselines.setdefault(_terms(run), []).append(run)

    return [_against(baselines.get(_terms(run), []), run) for run in runs]


def _terms(run: Run) -> tuple[object, ...]:
    """Return what two runs have in common that can be compared."""
    method = "alphabeta" if run.method == "minimax" else run.method
    return *run.problem, method


def _against(baseline: Sequence[Run], run: Run) -> Ratios:
    if not baseline or not run.finished:
        return Ratios()

    by_cpu_time = None
    if run.clock == SECONDS and run.makespan:
        by_cpu_time = median(each.makespan for each in baseline) / run.makespan
    return Ratios(
        speed_up=median(each.time for each in baseline) / run.time,
        overhead=run.nodes / median(each.nodes for each in baseline) - 1,
        by_cpu_time=by_cpu_time,
    )


# numbers and runs as text


def format_time(time: float, clock: str = SECONDS) -> str:
    """Return 1.23 s, 45.60 ms or 1,234 nodes."""
    if clock == NODES:
        return f"{format_count(time)} nodes"

    for unit, size in UNITS.items():
        # 0.999999 s is 1.00 s, not 1000.00 ms
        if round(time / size, 5) >= 1:
            return f"{time / size:.2f} {unit}"
    return f"{time:.2f} s"


def format_count(number: float) -> str:
    """Return 12,345 or 4.56 M."""
    return f"{number / 1e6:,.2f} M" if number >= 1e6 else f"{number:,.0f}"


def format_ratio(ratio: float) -> str:
    return f"{ratio:,.2f}"


def format_percent(part: float) -> str:
    return f"{round(part * 100):,} %".replace("-", "−")


def series_name(run: Run) -> str:
    """Return "root", or "root, improved, upper 4": with what is not usual about it."""
    method = "" if run.method in ("alphabeta", run.strategy) else run.method
    return ", ".join(quoted(each) for each in (run.strategy, method, run.settings) if each)


def run_name(run: Run) -> str:
    """Return "root, 2 workers"."""
    return f"{series_name(run)}, {count(run.workers, 'worker')}"


def run_answer(run: Run) -> str:
    """Return "11-15, value 3" or "11-15, MAX wins in 3 plies"."""
    if run.move is None or run.value is None:
        return "no move yet"

    is_win = abs(run.value) > PROVEN
    value = worth(run.value) if is_win else f"value {worth(run.value)}"
    return f"{quoted(run.move)}, {value}"


def run_costs(run: Run) -> str:
    """Return "1.23 s · 4.56 M nodes · 3.71 M nodes/s · idle 3 %"."""
    costs = [format_time(run.time, run.clock), f"{format_count(run.nodes)} nodes"]
    if run.nodes_per_second:
        costs.append(f"{format_count(run.nodes_per_second)} nodes/s")
    costs.append(f"idle {format_percent(run.idle)}")
    return " · ".join(costs)


# the table

WORDS = ("game", "position", "strategy", "method", "settings", "weights", "executor")
FIELDS = (*WORDS, "depth", "workers")  # of a run
ALIGNED_LEFT = (*WORDS, "move")
IN_TITLE = {"game": "", "method": "", "depth": "depth "}  # where they are equal in all rows
LEFT_OUT = ("position", "executor")  # where they are equal in all rows


def table(*runs: Run | Iterable[Run]) -> "Table":
    """Return the cost of runs, a row each, next to the sequential search of the same position."""
    listed = flat(runs)
    cells = _cells(listed)

    equal = [name for name in (*IN_TITLE, *LEFT_OUT) if len(set(cells[name])) == 1]
    title = [IN_TITLE[name] + cells[name][0] for name in equal if name in IN_TITLE]
    title.append(count(len(listed), "run"))

    head = [
        name for name, column in cells.items() if name not in equal and set(column) != {NOTHING}
    ]
    rows = zip(*(cells[name] for name in head), strict=True)
    return Table(", ".join(title), tuple(head), tuple(rows))


def _cells(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Return the text of every cell, by column."""
    ratios = compared(runs)

    cells = {"run": [str(number) for number in range(1, len(runs) + 1)]}
    for name in FIELDS:
        cells[name] = [visible(str(getattr(run, name))) or NOTHING for run in runs]

    cells["move"] = list(map(_move, runs))
    cells["value"] = [NOTHING if run.value is None else worth(run.value) for run in runs]
    cells["time"] = [format_time(run.time, run.clock) for run in runs]
    cells["nodes"] = [format_count(run.nodes) for run in runs]
    cells["nodes/s"] = [_or_nothing(run.nodes_per_second or None, format_count) for run in runs]
    cells["speed-up"] = [_or_nothing(each.speed_up, format_ratio) for each in ratios]
    cells["by CPU time"] = [_or_nothing(each.by_cpu_time, format_ratio) for each in ratios]
    cells["overhead"] = [_or_nothing(each.overhead, format_percent) for each in ratios]
    cells["idle"] = [format_percent(run.idle) for run in runs]
    return cells


def _move(run: Run) -> str:
    move = visible(run.move or NOTHING)
    return move if run.finished else f"{move}, not finished"


def _or_nothing(number: float | None, form: Callable[[float], str]) -> str:
    return NOTHING if number is None else form(number)


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of text; a notebook shows a table, `print` prints text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[str, ...] = ALIGNED_LEFT  # the columns of words

    def __str__(self) -> str:
        all_rows = (self.head, *self.rows)
        lines = [""] * len(all_rows)
        for name, column in zip(self.head, zip(*all_rows, strict=True), strict=True):
            width = max(map(columns, column))
            for n, cell in enumerate(column):
                space = " " * (width - columns(cell))
                lines[n] += f"{cell}{space}  " if name in self.left else f"{space}{cell}  "

        return "\n".join([self.title, *map(str.rstrip, lines)]).rstrip()

    __repr__ = __str__

    def html(self) -> str:
        """Return a table element, inside a region that scrolls sideways."""
        caption = f'<caption style="text-align: left">{escape(self.title)}</caption>'
        head = f"<thead>{self._html_row('th', self.head)}</thead>"
        body = f"<tbody>{''.join(self._html_row('td', row) for row in self.rows)}</tbody>"
        table = f"<table>{caption}{head}{body}</table>"
        return f'<div style="overflow-x: auto; line-height: normal">{table}</div>'

    def _html_row(self, tag: str, texts: Sequence[str]) -> str:
        cells = ""
        for name, text in zip(self.head, texts, strict=True):
            side = "left" if name in self.left else "right"
            style = f"padding: .3em .5em; white-space: nowrap; text-align: {side}"
            cells += f'<{tag} style="{style}">{escape(text)}</{tag}>'
        return f"<tr>{cells}</tr>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}
