"""Runs in numbers: how they compare with the sequential search, numbers as text, and the table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Any

from matplotlib.ticker import EngFormatter

from abviz.errors import AbvizError, brief, columns, count, quoted, visible
from abviz.games.rules import PROVEN, worth
from abviz.parallel.records import NODES, SECONDS, Run

SECONDS_FORMAT = EngFormatter("s", places=2)
NOTHING = "–"
format_ratio = "{:,.2f}".format


def flat(runs: Iterable[Run | Iterable[Run]]) -> list[Run]:
    """Return runs and lists of runs as one list."""
    listed: list[Run] = []
    for each in runs:
        listed += [each] if isinstance(each, Run) or not isinstance(each, Iterable) else each
    for run in listed:
        if not isinstance(run, Run):
            raise AbvizError(
                f"{brief(run)} is not a run; expected the result of parallel_search or simulate"
            )
    return listed


def compared(runs: Sequence[Run]) -> list[dict[str, float]]:
    """Return the "speed-up", the same "by CPU time" of the busiest worker, and the "overhead" of
    each run.

    The baseline is the sequential search by the same method (of minimax, by alpha-beta), the median
    of several. A run that has not finished or has no baseline has none of them.
    """

    def terms(run: Run) -> tuple[Any, ...]:
        return *run.problem, "alphabeta" if run.method == "minimax" else run.method

    baselines: dict[Any, list[Run]] = {}
    for run in runs:
        if run.finished and run.strategy == "sequential":
            baselines.setdefault(terms(run), []).append(run)
    rows: list[dict[str, float]] = [{} for _ in runs]
    for run, row in zip(runs, rows, strict=True):
        if run.finished and (equal := baselines.get(terms(run))):
            row["speed-up"] = median(each.time for each in equal) / run.time
            row["overhead"] = run.nodes / median(each.nodes for each in equal) - 1
            if run.clock == SECONDS and run.makespan:
                row["by CPU time"] = median(each.makespan for each in equal) / run.makespan
    return rows


# numbers and runs as text


def format_time(time: float, clock: str = SECONDS) -> str:
    """Return 1.23 s, 45.60 ms or 1,234 nodes."""
    return f"{format_count(time)} nodes" if clock == NODES else SECONDS_FORMAT(time)


def format_count(number: float) -> str:
    """Return 12,345 or 4.56 M."""
    return f"{number / 1e6:,.2f} M" if number >= 1e6 else f"{number:,.0f}"


def format_percent(part: float) -> str:
    return f"{round(part * 100):,} %".replace("-", "−")


def series_name(run: Run) -> str:
    """Return "root", or "root, improved, upper 4" where the method is not plain alpha-beta or there
    are settings.
    """
    method = "" if run.method in ("alphabeta", run.strategy) else run.method
    return ", ".join(quoted(each) for each in (run.strategy, method, run.settings) if each)


def run_name(run: Run) -> str:
    """Return "root, 2 workers"."""
    return f"{series_name(run)}, {count(run.workers, 'worker')}"


def run_answer(run: Run) -> str:
    """Return "11-15, value 3" or "11-15, MAX wins in 3 plies"."""
    if run.move is None or run.value is None:
        return "no move yet"
    return f"{quoted(run.move)}, {'value ' * (abs(run.value) <= PROVEN)}{worth(run.value)}"


def run_costs(run: Run) -> str:
    """Return "1.23 s · 4.56 M nodes · 3.71 M nodes/s · idle 3 %"."""
    costs = [format_time(run.time, run.clock), f"{format_count(run.nodes)} nodes"]
    if run.nodes_per_second:
        costs.append(f"{format_count(run.nodes_per_second)} nodes/s")
    return " · ".join([*costs, f"idle {format_percent(run.idle)}"])


# the table

FIELDS = (
    "game",
    "position",
    "strategy",
    "method",
    "settings",
    "weights",
    "executor",
    "depth",
    "workers",
)
ALIGNED_LEFT = (*FIELDS[:7], "move")
IN_TITLE = {"game": "", "method": "", "depth": "depth "}  # where they are equal in all rows


def table(*runs: Run | Iterable[Run]) -> "Table":
    """Return the cost of runs, a row for each, next to the sequential search of the same position
    and depth.
    """
    listed = flat(runs)
    rows = compared(listed)

    def ratios(name: str, form: Callable[[float], str]) -> list[str]:
        return [form(row[name]) if name in row else NOTHING for row in rows]

    cells = {"run": [str(number) for number in range(1, len(listed) + 1)]}
    cells |= {
        name: [visible(str(getattr(run, name))) or NOTHING for run in listed] for name in FIELDS
    }
    cells |= {
        "move": [
            visible(run.move or NOTHING) + ("" if run.finished else ", not finished")
            for run in listed
        ],
        "value": [NOTHING if run.value is None else worth(run.value) for run in listed],
        "time": [format_time(run.time, run.clock) for run in listed],
        "nodes": [format_count(run.nodes) for run in listed],
        "nodes/s": [
            format_count(run.nodes_per_second) if run.nodes_per_second else NOTHING
            for run in listed
        ],
        "speed-up": ratios("speed-up", format_ratio),
        "by CPU time": ratios("by CPU time", format_ratio),
        "overhead": ratios("overhead", format_percent),
        "idle": [format_percent(run.idle) for run in listed],
    }
    equal = [name for name in (*IN_TITLE, "position", "executor") if len(set(cells[name])) == 1]
    head = tuple(
        name for name, column in cells.items() if set(column) != {NOTHING} and name not in equal
    )
    title = [IN_TITLE[name] + cells[name][0] for name in equal if name in IN_TITLE]
    texts = zip(*(cells[name] for name in head), strict=True)
    return Table(", ".join([*title, count(len(listed), "run")]), head, tuple(texts))


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

        def row(tag: str, texts: Sequence[str]) -> str:
            cells = ""
            for name, text in zip(self.head, texts, strict=True):
                side = "left" if name in self.left else "right"
                style = f"padding: .3em .5em; white-space: nowrap; text-align: {side}"
                cells += f'<{tag} style="{style}">{escape(text)}</{tag}>'
            return f"<tr>{cells}</tr>"

        caption = f'<caption style="text-align: left">{escape(self.title)}</caption>'
        body = "".join(row("td", each) for each in self.rows)
        table = (
            f"<table>{caption}<thead>{row('th', self.head)}</thead><tbody>{body}</tbody></table>"
        )
        return f'<div style="overflow-x: auto; line-height: normal">{table}</div>'

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}
