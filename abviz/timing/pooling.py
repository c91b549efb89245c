"""Runs that are alike, taken together: their median and spread, and how they compare with a baseline."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from abviz.errors import AbvizError, brief, quoted, unknown
from abviz.parallel.records import NODES, SECONDS, Run

MEASURES = ("time", "makespan")  # the clock's, or what the busiest worker computed
SIMULATED = ", simulated"
CPU_TIME = "CPU time of the busiest worker; waiting not counted, as if each had a core of its own"
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}


@dataclass(frozen=True)
class Spread:
    """What was measured several times."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, amounts: Iterable[float]) -> "Spread":
        measured = list(amounts)
        return cls(median(measured), min(measured), max(measured))

    def told(self, shown: Callable[[float], str]) -> str:
        """The median, and the least and the most where they are seen to differ from it: 1.2 s (1.1…1.4)."""
        middle, least, most = map(shown, (self.median, self.least, self.most))
        if least == most == middle:
            return middle
        unit = "".join(middle.rpartition(" ")[1:]) if " " in middle else ""
        return f"{middle} ({least.removesuffix(unit)}…{most.removesuffix(unit)})"


def flat(runs: Sequence[Run | Iterable[Run]]) -> list[Run]:
    """Runs and lists of them as one list."""
    listed: list[Run] = []
    for each in runs:
        listed += [each] if isinstance(each, Run) or not isinstance(each, Iterable) else each
    for run in listed:
        if not isinstance(run, Run):
            raise AbvizError(f"{brief(run)} is no run; expected what parallel_search, simulate or read_runs has given")
    return listed


def grouped(runs: Iterable[Run], key: Callable[[Run], Any]) -> dict[Any, list[Run]]:
    groups: dict[Any, list[Run]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def problem_of(run: Run) -> tuple[Any, ...]:
    """What was searched, and how it was timed: only runs that have this in common can be compared."""
    return run.game, run.position, run.depth, run.clock


def measured(run: Run, by: str) -> float:
    if by not in MEASURES:
        raise unknown("measure", by, MEASURES)
    return run.time if by == "time" else run.makespan


class Baselines:
    """The runs of one worker that others are compared with; the sequential search by the same method, if not told.

    Minimax is measured by sequential alpha-beta, too. Of several the median counts.
    """

    def __init__(self, runs: Iterable[Run], against: str = "sequential"):
        self.against = against
        kept = (run for run in runs if run.strategy == against and run.workers == 1 and run.finished)
        self._runs = grouped(kept, self._key)

    def _key(self, run: Run) -> tuple[Any, ...]:
        method = "alphabeta" if run.method == "minimax" else run.method
        return *problem_of(run), method if self.against == "sequential" else None

    def __contains__(self, run: Run) -> bool:
        return self._key(run) in self._runs

    def speed_up(self, run: Run, by: str = "time") -> float | None:
        """How many times as fast as the median of its baselines; None where there is none, or nothing to measure."""
        whole, own = self._median(run, lambda each: measured(each, by)), measured(run, by)
        return whole / own if whole and own else None

    def overhead(self, run: Run) -> float | None:
        """The part of nodes beyond the baseline's."""
        nodes = self._median(run, lambda each: each.nodes)
        return run.nodes / nodes - 1 if nodes else None

    def times(self, run: Run) -> list[float]:
        """Of all that it is compared with."""
        return [each.time for each in self._runs.get(self._key(run), [])]

    def _median(self, run: Run, amount: Callable[[Run], float]) -> float | None:
        found = self._runs.get(self._key(run))
        return median(map(amount, found)) if found else None


def series_names(runs: Sequence[Run], *, workers: bool = False) -> Callable[[Run], str]:
    """How to call the series that a run belongs to: by its strategy, and by what else tells the runs apart."""
    methods, clocks = {run.method for run in runs if run.strategy != "minimax"}, {run.clock for run in runs}

    def name(run: Run) -> str:
        parts = [quoted(run.strategy)]
        if len(methods) > 1 and run.strategy != "minimax":
            parts.append(quoted(run.method))
        if workers and run.workers > 1:
            parts.append(f"{run.workers} workers")
        if len(clocks) > 1 and run.clock == NODES:
            return ", ".join(parts) + SIMULATED
        return ", ".join(parts)

    return name


def unit_for(longest: float) -> str:
    return "s" if longest >= 1 or not longest else "ms" if longest >= 1e-3 else "µs"


def amount(time: float, clock: str, unit: str = "") -> str:
    """A time in words: 1.23 s, 45.6 ms, 1,234 nodes."""
    if clock != SECONDS:
        return f"{time:,.0f} nodes"
    unit = unit or unit_for(time)
    return f"{digits(time * UNITS[unit])} {unit}"


def digits(number: float) -> str:
    """Three digits, or all before the point."""
    size = abs(number)
    return f"{number:,.{0 if size >= 99.95 else 1 if size >= 9.995 else 2}f}"


def rate(number: float) -> str:
    """Short enough for a table: large numbers in three digits."""
    if number >= 999_500:
        return f"{digits(number / 1e6)} M"
    return f"{number / 1e3:.0f} k" if number >= 1e5 else f"{number:,.0f}"


def percent(part: float) -> str:
    shown = f"{abs(part) * 100:,.{1 if abs(part) < 0.0995 else 0}f}".removesuffix(".0")
    return f"{'−' if part < 0 and shown != '0' else ''}{shown} %"
