"""Runs as a table: a row for those that are alike, with their median and spread."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from abviz.parallel.records import SECONDS, Run
from abviz.text import columns, count, number, visible
from abviz.timing.pooling import Baselines, Spread, amount, digits, flat, grouped, percent, problem_of, rate, unit_for

NOTHING = "–"
WORDS = ("game", "position", "strategy", "method", "executor", "move")  # columns that begin at the left
ONLY_IF_VARIED = ("game", "position", "method", "executor")  # what all rows share tells nothing in each of them
ONLY_IF_KNOWN = ("nodes/s", "CPU time")  # what simulated runs do not have


def table(*runs: Run | Iterable[Run]) -> "Table":
    """What runs have cost, beside the sequential run of the same position, depth and method where there is one.

    Runs that are alike share a row, with their median and, in brackets, the least and the most. CPU time is that of the
    busiest worker: what the clock would show if no other program ran.
    """
    return Table(flat(runs))


class Table:
    """Rows of text (`.head`, `.rows`). Shown in a notebook as a table, printed as text."""

    def __init__(self, runs: Sequence[Run]):
        self._baselines = Baselines(runs)
        self._unit = unit_for(max((run.time for run in runs if run.clock == SECONDS), default=0))
        told = [self._told(same) for same in grouped(runs, _alike).values()]
        shared = [name for name in ONLY_IF_VARIED if len({row[name] for row in told}) == 1]
        if all(row["runs"] == "1" for row in told):
            shared.append("runs")
        shared += [name for name in ONLY_IF_KNOWN if all(row[name] == NOTHING for row in told)]
        self.head = tuple(name for name in (told[0] if told else ()) if name not in shared)
        self.rows = tuple(tuple(row[name] for name in self.head) for row in told)
        self.title = ", ".join(
            [*(told[0][name] for name in ("game", "method") if name in shared), count(len(runs), "run")]
        )

    def _told(self, same: list[Run]) -> dict[str, str]:
        first, ended = same[0], [run for run in same if run.finished]
        timed = first.clock == SECONDS
        return {
            "game": visible(first.game),
            "position": visible(first.position),
            "strategy": visible(first.strategy),
            "method": visible(first.method),
            "executor": visible(first.executor),
            "depth": str(first.depth),
            "workers": str(first.workers),
            "runs": str(len(same)),
            "move": " / ".join(dict.fromkeys(map(_move, same))),
            "value": " / ".join(dict.fromkeys(number(run.value) for run in same)),
            "time": self._times(same, lambda run: run.time),
            "nodes": Spread.of(run.nodes for run in same).told(lambda nodes: f"{nodes:,.0f}"),
            "nodes/s": _known((run.nodes_per_second or None for run in same), rate),
            "speed-up": _known(map(self._baselines.speed_up, ended), digits),
            "overhead": _known(map(self._baselines.overhead, ended), percent),
            "idle": Spread.of(run.idle for run in same).told(percent),
            "CPU time": self._times(same, lambda run: run.makespan) if first.cpu and timed else NOTHING,
        }

    def _times(self, same: list[Run], measure: Callable[[Run], float]) -> str:
        clock = same[0].clock
        return Spread.of(map(measure, same)).told(lambda time: amount(time, clock, self._unit))

    def __str__(self) -> str:
        if not self.rows:
            return "no runs"
        widths = [max(map(columns, column)) for column in zip(self.head, *self.rows, strict=True)]
        lines = ("  ".join(map(_padded, self.head, row, widths)).rstrip() for row in (self.head, *self.rows))
        return "\n".join((self.title, *lines))

    __repr__ = __str__

    def in_words(self) -> str:
        """The table for those who hear it, a sentence for each row."""
        rows = ("; ".join(f"{name} {cell}" for name, cell in zip(self.head, row, strict=True)) for row in self.rows)
        return " ".join((f"{self.title}.", *(f"{row}." for row in rows)))

    def html(self) -> str:
        """A table element that scrolls sideways where the page is narrow."""
        head = "".join(f'<th scope="col" style="{_align(name)}">{escape(name)}</th>' for name in self.head)
        rows = "".join(f"<tr>{self._html_row(row)}</tr>" for row in self.rows)
        caption = f'<caption style="text-align: left">{escape(self.title if self.rows else "no runs")}</caption>'
        body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>" if self.rows else ""
        return f'<div style="overflow-x: auto" tabindex="0"><table>{caption}{body}</table></div>'

    def _html_row(self, row: Sequence[str]) -> str:
        return "".join(f'<td style="{_align(n)}">{escape(cell)}</td>' for n, cell in zip(self.head, row, strict=True))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}


def _alike(run: Run) -> tuple[Any, ...]:
    return *problem_of(run), run.strategy, run.method, run.executor, run.workers, run.finished


def _move(run: Run) -> str:
    move = NOTHING if run.move is None else visible(run.move)
    return move if run.finished else f"{move} (stopped)"


def _known(amounts: Iterable[float | None], shown: Callable[[float], str]) -> str:
    known = [each for each in amounts if each is not None]
    return Spread.of(known).told(shown) if known else NOTHING


def _padded(name: str, cell: str, width: int) -> str:
    room = " " * (width - columns(cell))
    return cell + room if name in WORDS else room + cell


def _align(name: str) -> str:
    return f"text-align: {'left' if name in WORDS else 'right'}; white-space: nowrap"
