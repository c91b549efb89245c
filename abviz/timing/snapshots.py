"""What a page shows of a run: bars, bounds and rows as texts and small numbers, made from its record alone."""

from typing import Any

from abviz.games.scale import PROVEN, WIN
from abviz.parallel.records import SECONDS, Run, TaskRecord
from abviz.text import count, number

FINE = 400  # a bar shorter than this part of the axis is not drawn on its own, but with those beside it
FEW = 20  # bounds that are drawn of one task
HEADS: tuple[str, ...] = ("strategy", "threads", "position", "depth", "move", "value", "time", "nodes")
HEADS += ("nodes/s", "speed-up", "by CPU time", "overhead", "idle")
NONE = "—"


class Bars:
    """The bars of a run as it grows: `changes` tells those that are new or different since it was last asked.

    A bar is [number, worker, move, start, end, path, nodes, value, state, bounds]: `move` is the place among the root's
    moves, `end` None while it runs, `state` "cancelled" or "", `bounds` a list of [time, text].
    """

    def __init__(self) -> None:
        self.all: list[list[Any]] = []
        self._seen = 0  # tasks
        self._open: dict[int, int] = {}  # of the tasks that run, their bars
        self._last: dict[int, int] = {}  # of each worker, its last bar
        self._many: dict[int, int] = {}  # of a bar, how many tasks it stands for, where they are several

    def changes(self, run: Run) -> list[list[Any]]:
        fresh = range(self._seen, len(run.tasks))
        changed = [self._grown(run, place) for place in list(self._open)]
        changed += [self._added(run, place) for place in fresh]
        self._seen = len(run.tasks)
        return [self.all[at] for at in dict.fromkeys(changed) if at is not None]

    def _grown(self, run: Run, place: int) -> int | None:
        """A task that ran when it was last looked at: its bar, if there is news of it."""
        at, task = self._open[place], run.tasks[place]
        if task.end is not None:
            del self._open[place]
        before, self.all[at] = self.all[at], self._bar(run, task, at)
        is_news = task.end is not None or before[9] != self.all[at][9]
        return at if is_news else None

    def _added(self, run: Run, place: int) -> int:
        task = run.tasks[place]
        at = self._last.get(task.worker)
        if at is not None and self._joins(run, task, self.all[at]):
            self._many[at] = self._many.get(at, 1) + 1
            bar = self.all[at]
            together = [_short(task.end or 0), f"× {self._many[at]}", bar[6] + task.nodes, "", "", bar[9][:1]]
            self.all[at] = [*bar[:4], *together]
            return at
        at = len(self.all)
        self.all.append(self._bar(run, task, at))
        self._last[task.worker] = at
        if task.end is None:
            self._open[place] = at
        return at

    def _joins(self, run: Run, task: TaskRecord, bar: list[Any]) -> bool:
        """Whether a task is so short, and so near the one before it, that nobody could see the two apart."""
        if task.end is None or bar[4] is None or run.moves[bar[2]] != task.move:
            return False
        return bool(task.end - bar[3] < run.time / FINE)

    def _bar(self, run: Run, task: TaskRecord, at: int) -> list[Any]:
        return [
            at,
            task.worker,
            run.moves.index(task.move),
            _short(task.start),
            None if task.end is None else _short(task.end),
            " ".join(task.path[1:]),
            task.nodes,
            worth(task.value),
            "cancelled" if task.end is not None and task.value is None else "",
            _bounds(run, task),
        ]


def _bounds(run: Run, task: TaskRecord) -> list[list[Any]]:
    """What the task started with, of the bound that the root's side shares; and what it learnt, of either."""
    alpha, beta = task.alpha, task.beta
    told: list[list[Any]] = [[_short(task.start), f"α {bound(alpha)}" if run.is_max else f"β {bound(beta)}"]]
    for time, new_alpha, new_beta in task.learnt[:FEW]:
        news = [f"α {bound(new_alpha)}"] * (new_alpha != alpha) + [f"β {bound(new_beta)}"] * (new_beta != beta)
        told.append([_short(time), " ".join(news)])
        alpha, beta = new_alpha, new_beta
    return told


def heading(run: Run, number: int) -> dict[str, Any]:
    """What is known of a run before its first task."""
    return {
        "number": number,
        "title": title(run),
        "workers": run.workers,
        "moves": list(run.moves),
        "letter": "α" if run.is_max else "β",
        "clock": run.clock,
    }


def picture(run: Run, number: int) -> dict[str, Any]:
    """All of a run that has ended."""
    ended = {"best": run.move, "time": _short(run.time), "took": duration(run.time, run.clock)}
    return heading(run, number) | ended | {"finished": run.finished, "bars": Bars().changes(run)}


def title(run: Run) -> str:
    return f"{run.strategy}, {count(run.workers, 'thread')}, depth {run.depth}"


def row(run: Run, place: str, baseline: Run | None) -> list[str]:
    """The run in the table, in the order of HEADS. `place` is what the position is called."""
    what = [run.strategy, str(run.workers), place, str(run.depth)]
    if not run.finished:
        what += [run.move or NONE, "stopped"]
    else:
        what += [run.move or NONE, worth(run.value)]
    return [*what, duration(run.time, run.clock), f"{run.nodes:,}", rate(run), *compared(run, baseline)]


def compared(run: Run, baseline: Run | None) -> list[str]:
    """Speed-up, the same by the CPU time of the busiest thread, search overhead and idle time.

    All but the last only where the sequential search has been measured. On a busy computer the clock hides it.
    """
    idle = f"{run.idle:.0%}" if run.finished else NONE
    if baseline is None or not run.finished:
        return [NONE, NONE, NONE, idle]
    return [
        _ratio(baseline.time, run.time),
        _ratio(baseline.makespan, run.makespan),
        signed(run.overhead(baseline)),
        idle,
    ]


def tiles(run: Run, number: int, baseline: Run | None = None, *, ended: bool = False) -> list[list[str]]:
    """The numbers above the table: while it runs, and then its result."""
    told = compared(run, baseline) if ended else [NONE, NONE, NONE, f"{run.idle:.0%}"]
    return [
        ["run", str(number)],
        ["move" if run.finished else "best so far", run.move or NONE],
        ["value", worth(run.value) or NONE],
        ["time", duration(run.time, run.clock)],
        ["nodes", f"{run.nodes:,}"],
        ["nodes/s", rate(run)],
        ["speed-up", told[0]],
        ["by CPU time", told[1]],
        ["search overhead", told[2]],
        ["idle", told[3]],
    ]


def baselines(runs: list[Run]) -> dict[Any, Run]:
    """The newest sequential search of each position and depth, by what `measured_by` answers."""
    return {measured_by(run): run for run in runs if run.finished and run.strategy == "sequential"}


def measured_by(run: Run) -> Any:
    """What a run and its baseline have in common; minimax, too, is measured by alpha-beta."""
    method = "alphabeta" if run.method == "minimax" else run.method
    return *_what(run), method


def _what(run: Run) -> tuple[Any, ...]:
    """What two runs must have in common, so that their times can be compared."""
    return run.game, run.position, run.depth, run.clock


def ending(run: Run) -> str:
    """The end of a run as one sentence."""
    spent = f"{duration(run.time, run.clock)}, {count(run.nodes, 'node')}"
    if not run.finished:
        return f"Stopped after {spent}. Best so far: {run.move or 'none'}."
    compiled = f" (Before that {duration(run.compiled)} of compiling.)" if run.compiled > 0.05 else ""
    value = worth(run.value)
    return f"Finished: {run.move}, {'' if 'wins' in value else 'value '}{value}, in {spent}.{compiled}"


def comparison(numbers: list[int], runs: list[Run]) -> str:
    """Two runs, of which the quicker is told by how much if they searched the same."""
    (slow, first), (fast, second) = sorted(zip(numbers, runs, strict=True), key=lambda each: -each[1].time)
    same = _what(first) == _what(second)
    if not (same and second.time and first.finished and second.finished):
        return f"Runs {numbers[0]} and {numbers[1]}: {_times(*runs)}."
    return f"Run {fast} is {second.speed_up(first):.2f} times as fast as run {slow}: {_times(second, first)}."


def _times(run: Run, other: Run) -> str:
    return f"{duration(run.time, run.clock)} against {duration(other.time, other.clock)}"


def worth(value: int | None) -> str:
    """A value as people read it; a win as the plies that it takes."""
    if value is None:
        return ""
    if abs(value) <= PROVEN:
        return number(value)
    return f"{'MAX' if value > 0 else 'MIN'} wins in {WIN - abs(value)}"


def bound(value: int) -> str:
    return worth(value) if abs(value) < WIN else "∞" if value > 0 else "−∞"


def duration(time: float, clock: str = SECONDS) -> str:
    if clock != SECONDS:
        return f"{time:,.0f} {clock}"
    if time < 0.1:
        return f"{1000 * time:.1f} ms"
    return f"{time:.2f} s" if time < 100 else f"{time:,.0f} s"


def rate(run: Run) -> str:
    if not run.nodes_per_second:
        return NONE
    millions = run.nodes_per_second / 1e6
    return f"{millions:.1f} million" if millions >= 0.1 else f"{run.nodes_per_second:,.0f}"


def _ratio(baseline: float, time: float) -> str:
    return f"{baseline / time:.2f}×" if baseline and time else NONE


def signed(part: float) -> str:
    """+12%, −3%."""
    return f"{round(100 * part):+,}%".replace("-", "−")


def _short(time: float) -> float:
    """Ten microseconds are finer than a screen."""
    return round(time, 5)
