"""What a page shows of a run: bars, bounds and rows as texts and small numbers, made from its record alone."""

from collections.abc import Callable
from statistics import median
from typing import Any

from abviz.errors import count, quoted
from abviz.games.scale import worth
from abviz.parallel.records import SECONDS, Run, TaskRecord
from abviz.timing.pooling import Baselines, problem_of
from abviz.timing.pooling import rate as short
from abviz.timing.values import in_sentence, told_bound, told_value, unusual_method

FINE = 400  # a bar shorter than this part of the axis is not drawn on its own, but with those beside it
FEW = 20  # bounds that are drawn of one task
HEADS: tuple[str, ...] = ("strategy", "threads", "position", "depth", "move", "value", "time", "nodes")
HEADS += ("nodes/s", "speed-up", "by CPU time", "overhead", "idle")
NONE = "—"
CANCELLED = "cancelled"
CROWD = 2000  # bars, beyond which short ones are drawn together of whatever moves they are: a page would stall
COARSE = 100  # and short is then what is shorter than this part of the axis
ROOT = -1  # the place of a task that belongs to no move of the root: it searches the root itself
SEVERAL = -2  # that of tasks of several moves in one bar


class Bars:
    """The bars of a run as it grows: `changes` tells those that are new or different since it was last asked.

    A bar is [number, worker, move, start, end, path, nodes, value, state, bounds]: `move` is the place among the root's
    moves, or ROOT, or SEVERAL, `end` None while it runs, `state` "cancelled", "2 of 13 cancelled" or
    "", `bounds` a list of [time, text].
    """

    def __init__(self, *, crowded: bool = False) -> None:
        self.crowded = crowded  # from the beginning, and not from a certain number of bars on
        self.all: list[list[Any]] = []
        self._seen = 0  # tasks
        self._open: dict[int, int] = {}  # of the tasks that run, their bars
        self._last: dict[int, int] = {}  # of each worker, its last bar
        self._many: dict[int, int] = {}  # of a bar, how many tasks it stands for, where they are several
        self._cancelled: dict[int, int] = {}  # and how many of them were cancelled
        self._places: dict[str, int] = {}  # of the root's moves

    def changes(self, run: Run) -> list[list[Any]]:
        if not self._places:
            self._places = {run.moves[place]: place for place in reversed(range(len(run.moves)))} | {"": ROOT}
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
            many = self._many[at] = self._many.get(at, 1) + 1
            bar = self.all[at]
            before = self._cancelled.get(at, int(bar[8] == CANCELLED))
            cancelled = self._cancelled[at] = before + (task.value is None)
            state = f"{cancelled} of {many} {CANCELLED}" if cancelled else ""
            if bar[2] != self._places[task.move]:
                bar[2] = SEVERAL
            together = [_short(task.end or 0), f"× {many}", bar[6] + task.nodes, "", state, bar[9][:1]]
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
        if task.end is None or bar[4] is None:
            return False
        length = task.end - bar[3]
        if bar[2] == self._places[task.move] and length < run.time / FINE:
            return True
        return (self.crowded or len(self.all) > CROWD) and bool(length < run.time / COARSE)

    def _bar(self, run: Run, task: TaskRecord, at: int) -> list[Any]:
        return [
            at,
            task.worker,
            self._places[task.move],
            _short(task.start),
            None if task.end is None else _short(task.end),
            " ".join(task.path[1:]),
            task.nodes,
            told_value(task),
            CANCELLED if task.end is not None and task.value is None else "",
            _bounds(run, task),
        ]


def _bounds(run: Run, task: TaskRecord) -> list[list[Any]]:
    """What the task started with, of the bound that the root's side shares; and what it learnt, of either."""
    alpha, beta = task.alpha, task.beta
    told: list[list[Any]] = [[_short(task.start), f"α {told_bound(alpha)}" if run.is_max else f"β {told_bound(beta)}"]]
    for time, new_alpha, new_beta in task.learnt[:FEW]:
        news = [("α", new_alpha, alpha), ("β", new_beta, beta)]
        words = (f"{letter} {told_bound(new)}" for letter, new, old in news if new != old)
        told.append([_short(time), " ".join(words)])
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
        "guessed": run.method == "improved",  # how far it is: its last depth takes most of the time
    }


def live(run: Run, number: int, bars: Bars, *, anew: bool) -> dict[str, Any]:
    """A run that grows: what is new, or all of its bars."""
    changes = bars.changes(run)
    told = {"do": "live", "number": number, "time": round(run.time, 4), "progress": round(run.progress, 3)}
    return told | {"tiles": [text for _, text in tiles(run, number)], "bars": bars.all if anew else changes}


def picture(run: Run, number: int) -> dict[str, Any]:
    """All of a run that has ended."""
    ended = {"best": run.move, "time": _short(run.time), "took": duration(run.time, run.clock)}
    bars = Bars().changes(run)
    if len(bars) > CROWD:
        bars = Bars(crowded=True).changes(run)
    return heading(run, number) | ended | {"finished": run.finished, "bars": bars}


def title(run: Run) -> str:
    return f"{how(run)}, {count(run.workers, 'thread')}, depth {run.depth}"


def how(run: Run) -> str:
    """The strategy, and the method where it is not the usual one."""
    return ", ".join([quoted(run.strategy), *unusual_method(run)])


def row(run: Run, place: str, baselines: Baselines) -> list[str]:
    """The run in the table, in the order of HEADS. `place` is what the position is called."""
    what = [how(run), str(run.workers), quoted(place), str(run.depth)]
    if not run.finished:
        what += [_move(run) or NONE, "stopped"]
    else:
        what += [_move(run) or NONE, _value(run)]
    return [*what, duration(run.time, run.clock), short(run.nodes), rate(run), *compared(run, baselines)]


def compared(run: Run, baselines: Baselines) -> list[str]:
    """Speed-up, the same by the CPU time of the busiest thread, overhead and idle time.

    All but the last only where the sequential search has been measured: the median of its runs.
    """
    if not run.finished:
        return [NONE] * 4
    return [
        _told(baselines.speed_up(run), times),
        _told(baselines.speed_up(run, "makespan"), times),
        _told(baselines.overhead(run), signed),
        f"{run.idle:.0%}",
    ]


def tiles(run: Run, number: int, baselines: Baselines | None = None) -> list[list[str]]:
    """The numbers above the table: while it runs, and, with what it is compared with, its result."""
    told = compared(run, baselines) if baselines else [NONE, NONE, NONE, f"{run.idle:.0%}"]
    return [
        ["run", str(number)],
        ["move" if run.finished else "best so far", _move(run) or NONE],
        ["value", _value(run) or NONE],
        ["time", duration(run.time, run.clock)],
        ["nodes", f"{run.nodes:,}"],
        ["nodes/s", rate(run)],
        ["speed-up", told[0]],
        ["by CPU time", told[1]],
        ["overhead", told[2]],
        ["idle", told[3]],
    ]


def ending(run: Run) -> str:
    """The end of a run as one sentence."""
    spent = f"{duration(run.time, run.clock)}, {count(run.nodes, 'node')}"
    if not run.finished:
        return f"Stopped after {spent}. Best so far: {_move(run) or 'none'}."
    compiled = f" (Before that {duration(run.compiled)} of compiling.)" if run.compiled > 0.05 else ""
    return f"Finished: {_move(run)}, {in_sentence(_value(run))}, in {spent}.{compiled}"


def comparison(numbers: list[int], runs: list[Run], baselines: Baselines) -> str:
    """Two runs, of which the quicker is told by how much if they searched the same: what is divided by what."""
    (slow, first), (fast, second) = sorted(zip(numbers, runs, strict=True), key=lambda each: -each[1].time)
    same = problem_of(first) == problem_of(second)
    if not (same and second.time and first.finished and second.finished):
        took = (f"run {number} took {duration(run.time, run.clock)}" for number, run in zip(numbers, runs, strict=True))
        return f"They cannot be compared: {', '.join(took)}."
    ratio = f"{duration(first.time, first.clock)} / {duration(second.time, second.clock)}"
    told = f"Run {fast} is {first.time / second.time:.2f} times as fast as run {slow}: {ratio}."
    several = baselines.times(second)
    if len(several) < 2:
        return told
    middle = duration(median(several), second.clock)
    return f"{told} (The speed-up is against the median of {len(several)} sequential runs, {middle}.)"


def _move(run: Run) -> str:
    return quoted(run.move or "")


def _value(run: Run) -> str:
    return "" if run.value is None else worth(run.value)


def duration(time: float, clock: str = SECONDS) -> str:
    if clock != SECONDS:
        return f"{time:,.0f} {clock}"
    if time < 0.1:
        return f"{1000 * time:.1f} ms"
    return f"{time:.2f} s" if time < 100 else f"{time:,.0f} s"


def rate(run: Run) -> str:
    return short(run.nodes_per_second) if run.nodes_per_second else NONE


def times(ratio: float) -> str:
    return f"{ratio:.2f}×"


def _told(amount: float | None, shown: Callable[[float], str]) -> str:
    return NONE if amount is None else shown(amount)


def signed(part: float) -> str:
    """+12%, −3%."""
    return f"{round(100 * part):+,}%".replace("-", "−")


def _short(time: float) -> float:
    """Ten microseconds are finer than a screen."""
    return round(time, 5)
