"""Runs as a table: a row for those that are alike, with their median and spread."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from abviz.errors import columns, count, unknown, visible
from abviz.games.scale import worth
from abviz.parallel.records import SECONDS, Run
from abviz.timing.pooling import (
    CPU_TIME,
    Baselines,
    Spread,
    amount,
    digits,
    flat,
    grouped,
    percent,
    problem_of,
    rate,
    unit_for,
)
from abviz.timing.values import in_sentence, state_of

NOTHING = "–"
WORDS = ("game", "position", "strategy", "method", "executor", "move")  # columns that begin at the left
# What all rows share tells nothing in each of them.
ONLY_IF_VARIED = ("game", "position", "method", "executor", "depth", "move", "value")
ONLY_IF_KNOWN = ("nodes/s", "CPU time")  # what simulated runs do not have


def table(*runs: Run | Iterable[Run], without: Iterable[str] = ()) -> "Table":
    """What runs have cost, beside the sequential run of the same position, depth and method where there is one.

    Runs that are alike share a row, with their median and, in brackets, the least and the most. What all rows share
    is in the title. CPU time: CPU time of the busiest worker; waiting not counted, as if each had a core of its own.
    `without` names columns that are not to be shown.
    """
    return Table(flat(runs), tuple(without))


class Table:
    """Rows of text (`.head`, `.rows`). Shown in a notebook as a table, printed as text."""

    def __init__(self, runs: Sequence[Run], without: Sequence[str] = ()):
        self._baselines = Baselines(runs)
        self._unit = unit_for(max((run.time for run in runs if run.clock == SECONDS), default=0))
        told = [self._told(same) for same in grouped(runs, _alike).values()]
        shared = [name for name in ONLY_IF_VARIED if len({row[name] for row in told}) == 1]
        if all(row["runs"] == "1" for row in told):
            shared.append("runs")
        shared += [name for name in ONLY_IF_KNOWN if all(row[name] == NOTHING for row in told)]
        known = told[0] if told else {}
        for name in without:
            if told and name not in known:
                raise unknown("column", name, known)
        self.head = tuple(name for name in known if name not in (*shared, *without))
        self.rows = tuple(tuple(row[name] for name in self.head) for row in told)
        self.title = ", ".join([*_in_title(known, shared), count(len(runs), "run")])

    def _told(self, same: list[Run]) -> dict[str, str]:
        first, ended = same[0], [run for run in same if run.finished]
        timed, computed = first.clock == SECONDS, [run for run in same if any(run.cpu)]
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
            "value": " / ".join(dict.fromkeys(map(_value, same))),
            "time": self._times(same, lambda run: run.time),
            "nodes": Spread.of(run.nodes for run in same).told(rate),
            "nodes/s": _known((run.nodes_per_second or None for run in same), rate),
            "speed-up": _known(map(self._baselines.speed_up, ended), digits),
            "overhead": _known(map(self._baselines.overhead, ended), percent),
            "idle": Spread.of(run.idle for run in same).told(percent),
            "CPU time": self._times(computed, lambda run: run.makespan) if computed and timed else NOTHING,
        }

    def _times(self, same: list[Run], measure: Callable[[Run], float]) -> str:
        timed = same[0].clock == SECONDS
        shown = (lambda time: amount(time, SECONDS, self._unit)) if timed else (lambda time: f"{rate(time)} nodes")
        return Spread.of(map(measure, same)).told(shown)

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
        head = "".join(f'<th scope="col"{_help(name)} style="{_align(name)}">{escape(name)}</th>' for name in self.head)
        rows = "".join(f"<tr>{self._html_row(row)}</tr>" for row in self.rows)
        caption = f'<caption style="text-align: left">{escape(self.title if self.rows else "no runs")}</caption>'
        body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>" if self.rows else ""
        return f'<div style="overflow-x: auto" tabindex="0"><table>{caption}{body}</table></div>'

    def _html_row(self, row: Sequence[str]) -> str:
        return "".join(
            f'<td style="{_align(n)}">{_folded(n, cell)}</td>' for n, cell in zip(self.head, row, strict=True)
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}


def _alike(run: Run) -> tuple[Any, ...]:
    return *problem_of(run), run.strategy, run.method, run.executor, run.workers, state_of(run)


def _in_title(row: dict[str, str], shared: Sequence[str]) -> list[str]:
    """What all rows share, as far as it says something of each."""
    told = {name: row[name] for name in shared if name in row}
    found = [told[name] for name in ("game", "method") if name in told]
    if "depth" in told:
        found.append(f"depth {told['depth']}")
    if "move" in told:
        found.append(told["move"])
    return [*found, in_sentence(told["value"])] if "value" in told else found


def _move(run: Run) -> str:
    move = NOTHING if run.move is None else visible(run.move)
    return move if run.finished else f"{move} ({state_of(run)})"


def _value(run: Run) -> str:
    return NOTHING if run.value is None else worth(run.value)


def _known(amounts: Iterable[float | None], shown: Callable[[float], str]) -> str:
    known = [each for each in amounts if each is not None]
    return Spread.of(known).told(shown) if known else NOTHING


def _padded(name: str, cell: str, width: int) -> str:
    room = " " * (width - columns(cell))
    return cell + room if name in WORDS else room + cell


def _help(name: str) -> str:
    return f' title="{CPU_TIME}"' if name == "CPU time" else ""


def _folded(name: str, cell: str) -> str:
    """The least and the most stand below the median: side by side they would make the table wider than a page."""
    return escape(cell) if name in WORDS else escape(cell).replace(" (", " <br/>(")


def _align(name: str) -> str:
    return f"text-align: {'left' if name in WORDS else 'right'}; white-space: nowrap; padding: .3em .4em"
