"""The lanes of a run: what each worker searched when, and with what bound."""

from math import ceil
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import CARETDOWN
from matplotlib.patches import Patch

from abviz.errors import AbvizError, columns, count, quoted
from abviz.games.scale import worth
from abviz.parallel.records import NODES, Run, TaskRecord
from abviz.timing.pooling import amount, flat, percent
from abviz.timing.showing import INK, PALE, Chart, checked_width, time_axis, title_letters
from abviz.timing.values import in_sentence, state_of, told_bound, told_value, unusual_method

SEARCHED, CANCELLED, RUNNING = "a task", "cancelled", "still running"
LEARNT, ENDED = "a better bound read", "the end of the run"
FILLS: dict[str, dict[str, Any]] = {
    SEARCHED: {"facecolor": "#cfe0f2", "edgecolor": "#1f4e79"},
    CANCELLED: {"facecolor": "#ffffff", "edgecolor": "#7a2e3a", "hatch": "////"},
    RUNNING: {"facecolor": "#fff0c2", "edgecolor": "#6b5200", "linestyle": "--"},
}
READ: dict[str, Any] = {"marker": CARETDOWN, "color": INK, "linestyle": "none"}
CROSS: dict[str, Any] = {"marker": "x", "color": "#7a2e3a", "markeredgewidth": 1.4, "linestyle": "none"}
END: dict[str, Any] = {"color": INK, "linewidth": 0.8, "linestyle": ":"}
BAR = 0.72  # of the height of a lane
TALL, LOW = 0.5, 0.15  # inches of a lane: where there are few, and where there are many
HEIGHT = 9.0  # inches that many lanes share
MARK = 5.0
SIZES = (8.0, 6.5)  # of letters, in points
NARROWEST = 0.25  # the width of a letter by its size, at least
LINE = 1.05  # letters, from one line to the next
MANY = 1000  # bars, beyond which they are drawn as dots: so many shapes of their own are slow to draw and to look at
HATCHED = 150  # and of the hatched ones those that are wider than such a part of the time keep their hatching
TOLD = 24  # tasks, beyond which the words count them


def lanes(run: Run, other: Run | None = None, *, width: float = 8) -> Chart:
    """A lane for each worker with its tasks as bars: the root's move, the bound that it started with, where it read a
    better one. Two runs stand one over the other on one axis of time."""
    runs = flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError("one run is timed in seconds and the other in nodes; expected two of one clock")
    checked_width(width)
    words = " Below it: ".join(_in_words(each) for each in runs)
    return Chart(words, lambda: _figure(runs, width))


def kind_of(task: TaskRecord) -> str:
    return RUNNING if task.end is None else CANCELLED if task.value is None else SEARCHED


def _figure(runs: list[Run], width: float) -> Figure:
    lane = min(TALL, max(LOW, HEIGHT / sum(run.workers for run in runs)))
    heights = [run.workers * lane for run in runs]
    titles = [_title(run, title_letters(width)) for run in runs]
    keys = _keys(runs)
    beside = 1 if width < 4.5 else 2 if width < 6.5 else 3
    below = 0.63 + 0.17 * ceil(len(keys) / beside)
    around = sum(0.25 + 0.15 * (title.count("\n") + 1) for title in titles) + below
    figure = Figure(figsize=(width, sum(heights) + around), facecolor="white", layout="constrained")
    rows = figure.subplots(len(runs), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    longest = max(each.time for each in runs)
    for axes, run, title in zip(rows, runs, titles, strict=True):
        _draw(axes, run, MARK * (0.2 + 0.8 * lane / TALL))
        axes.set_title(title, loc="left", fontsize=9)
    rows[0].set_xlim(0, longest * 1.005 or 1)
    time_axis(rows[-1], longest, runs[0].clock)
    place: Any = "outside lower left"
    figure.legend(list(keys.values()), list(keys), loc=place, ncols=beside, frameon=False, fontsize=8)
    # Where the bars stand is known when all else has been laid out; what is written into them must not move them.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    unnamed = sum(_label(axes, run) for axes, run in zip(rows, runs, strict=True))
    if unnamed:
        told = f"{count(unnamed, 'bar is', 'bars are')} too short for a name"
        label = rows[-1].get_xlabel()
        rows[-1].set_xlabel(f"{label}   ({told})")
    return figure


def _draw(axes: Axes, run: Run, mark: float) -> None:
    for worker in range(run.workers):
        axes.axhline(worker, color=PALE, linewidth=0.6, zorder=0)
    many = len(run.tasks) > MANY
    (_draw_many if many else _draw_few)(axes, run)
    read = [(min(time, run.time), task.worker - BAR / 2) for task in run.tasks for time, _, _ in task.learnt]
    if read:
        axes.plot(*zip(*read, strict=True), zorder=4, clip_on=False, markersize=mark, rasterized=many, **READ)
    cancelled = [(_end(task, run), task.worker + BAR / 2) for task in run.tasks if kind_of(task) == CANCELLED]
    if cancelled:
        axes.plot(*zip(*cancelled, strict=True), zorder=4, clip_on=False, markersize=mark, rasterized=many, **CROSS)
    axes.axvline(run.time, zorder=1, **END)
    axes.set_ylim(run.workers - 0.5, -0.5)
    crowded = run.workers > 16
    names = [f"{'' if crowded else 'worker '}{worker + 1}" for worker in range(run.workers)]
    axes.set_yticks(range(run.workers), names)
    axes.tick_params(axis="y", length=0, labelsize=7 if crowded else 9)
    if crowded:
        axes.set_ylabel("worker")
    axes.spines["left"].set_visible(False)


def _draw_few(axes: Axes, run: Run) -> None:
    for task in run.tasks:
        axes.barh(
            task.worker, _span(task, run), BAR, left=_start(task, run), zorder=2, linewidth=0.7, **FILLS[kind_of(task)]
        )


def _draw_many(axes: Axes, run: Run) -> None:
    for kind, look in FILLS.items():
        of_kind = [task for task in run.tasks if kind_of(task) == kind]
        for is_wide, hatch in ((True, look.get("hatch")), (False, None)):  # in a narrow bar no hatching is seen
            boxes = [_corners(task, run) for task in of_kind if (_span(task, run) > run.time / HATCHED) == is_wide]
            if boxes:
                drawn = look | {"zorder": 2, "linewidth": 0.3, "hatch": hatch, "rasterized": True}
                axes.add_collection(PolyCollection(boxes, **drawn), autolim=False)


def _corners(task: TaskRecord, run: Run) -> list[tuple[float, float]]:
    left, right = _start(task, run), _end(task, run)
    top, bottom = task.worker - BAR / 2, task.worker + BAR / 2
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _span(task: TaskRecord, run: Run) -> float:
    return _end(task, run) - _start(task, run)


# A record may tell of moments after its own, by a hair or, where somebody has written it, by far: they are at its end.


def _start(task: TaskRecord, run: Run) -> float:
    return min(task.start, run.time)


def _end(task: TaskRecord, run: Run) -> float:
    return run.time if task.end is None else min(task.end, run.time)


def _title(run: Run, letters: int) -> str:
    """Two lines, more where the figure is narrow."""
    what = [
        quoted(run.strategy),
        *unusual_method(run),
        count(run.workers, "worker"),
        quoted(run.game),
        f"depth {run.depth}",
    ]
    found = "no move yet" if run.move is None else f"{quoted(run.move)}, {_value(run)}"
    ended = state_of(run)
    costs = [found, *[ended] * bool(ended), *_costs(run)]
    return "\n".join(line for parts in (what, costs) for line in _wrapped(parts, letters))


def _value(run: Run) -> str:
    return "value not known" if run.value is None else in_sentence(worth(run.value))


def _costs(run: Run) -> list[str]:
    nodes = [] if run.clock == NODES and run.workers == 1 else [count(run.nodes, "node")]
    return [
        f"{'time ' if run.clock == NODES else ''}{amount(run.time, run.clock)}",
        *nodes,
        f"idle {percent(run.idle)}",
    ]


def _wrapped(parts: list[str], letters: int) -> list[str]:
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 3 <= letters:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines


def bound(task: TaskRecord, is_max: bool) -> str:
    """What the workers share, as the task found it: α below a MAX root, β below a MIN one."""
    return f"α {told_bound(task.alpha)}" if is_max else f"β {told_bound(task.beta)}"


def _texts(task: TaskRecord, run: Run) -> list[tuple[str, int]]:
    """What could be written into a bar and turned how, the most telling first."""
    move = quoted(task.move) or "the root"
    path = " ".join(map(quoted, task.path)) or move
    at_start = bound(task, run.is_max)
    folded = [fill(move, len(move) // lines + 3, break_long_words=False, break_on_hyphens=False) for lines in (2, 3)]
    level = [f"{path}\n{at_start}", f"{move}\n{at_start}", f"{path}  {at_start}", path, move, *folded]
    return [*((text, 0) for text in dict.fromkeys(level)), (move, 90)]


def _label(axes: Axes, run: Run) -> int:
    """Write into each bar as much as it can hold; how many hold nothing."""
    (left, bottom), (right, top) = axes.transData.transform([(0, BAR), (1, 0)])
    unit, height = right - left, top - bottom
    written, ruler = 0, _Ruler(axes)
    for task in run.tasks:
        span, kind = _span(task, run), kind_of(task)
        found = ruler.first_that_fits(task, run, span * unit - 4, height - 1)
        if not found:
            continue
        written += 1
        choice, angle, size = found
        text = axes.text(
            _start(task, run) + span / 2, task.worker, choice, ha="center", va=_upright(choice, angle), color=INK
        )
        text.set(zorder=3, linespacing=LINE, clip_on=True, rotation=angle, fontsize=size)
        if kind != SEARCHED:
            text.set_bbox({"facecolor": FILLS[kind]["facecolor"], "edgecolor": "none", "pad": 0.6})
    ruler.text.remove()
    return len(run.tasks) - written


def _upright(choice: str, angle: int) -> str:
    return "center" if angle or "\n" in choice else "center_baseline"


class _Ruler:
    """It measures texts, each once."""

    def __init__(self, axes: Axes):
        self.text = axes.text(0, 0, "", linespacing=LINE)
        self.sizes: dict[tuple[str, int, float], tuple[float, float]] = {}

    def first_that_fits(self, task: TaskRecord, run: Run, width: float, height: float) -> tuple[str, int, float] | None:
        """What is written into a bar of that size, turned how, and how large its letters are: large if they can be."""
        if min(width, height) < SIZES[-1]:
            return None
        for choice, angle in _texts(task, run):
            across, lines = (width if angle else height), choice.count("\n") + 1
            letters = max(map(columns, choice.split("\n")))
            for size in SIZES:
                # A line is higher than its letters, and they are not that narrow: no need to measure.
                if lines * size > across or NARROWEST * letters * size > (height if angle else width):
                    continue
                wide, high = self.size(choice, angle, size)
                if wide <= width and high <= height:
                    return choice, angle, size
        return None

    def size(self, choice: str, angle: int, size: float) -> tuple[float, float]:
        key = (choice, angle, size)
        if key not in self.sizes:
            self.text.set(text=choice, rotation=angle, fontsize=size, va=_upright(choice, angle))
            box = self.text.get_window_extent()
            self.sizes[key] = (box.width, box.height)
        return self.sizes[key]


def _keys(runs: list[Run]) -> dict[str, Any]:
    """The signs of a picture, by what they say; the same as in the timing widget. Two stand in one place."""
    tasks = [task for run in runs for task in run.tasks]
    kinds = {kind_of(task) for task in tasks}
    keys: dict[str, Any] = {}
    if SEARCHED in kinds:
        keys[f"{SEARCHED}: its move, the bound at its start"] = Patch(linewidth=0.7, **FILLS[SEARCHED])
    if CANCELLED in kinds:
        keys[CANCELLED] = (Patch(linewidth=0.7, **FILLS[CANCELLED]), Line2D([], [], markersize=MARK, **CROSS))
    if RUNNING in kinds:
        keys[RUNNING] = Patch(linewidth=0.7, **FILLS[RUNNING])
    if any(task.learnt for task in tasks):
        keys[LEARNT] = Line2D([], [], markersize=MARK, **READ)
    return keys | {"empty: idle": Line2D([], [], color=PALE, linewidth=0.6), ENDED: Line2D([], [], **END)}


def _in_words(run: Run) -> str:
    told = f"{_title(run, 100)}.".replace("\n", ". ").replace(" · ", ", ")
    return " ".join([told, *(_worker_in_words(worker, run) for worker in range(run.workers))])


def _worker_in_words(worker: int, run: Run) -> str:
    own = [task for task in run.tasks if task.worker == worker]
    busy = f"Worker {worker + 1}, busy {percent(run.busy[worker] / run.time if run.time else 0)}:"
    if len(run.tasks) > TOLD or not own:
        stopped = sum(kind_of(task) == CANCELLED for task in own)
        return f"{busy} {count(len(own), 'task')}{f', {stopped} cancelled' if stopped else ''}."
    return f"{busy} {'; '.join(_task_in_words(task, run) for task in own)}."


def _task_in_words(task: TaskRecord, run: Run) -> str:
    end = run.time if task.end is None else task.end
    path = " ".join(map(quoted, task.path)) or quoted(task.move) or "the root"
    told = [
        f"{path} from {amount(task.start, run.clock)} for {amount(end - task.start, run.clock)}",
        bound(task, run.is_max),
    ]
    if task.learnt:
        told.append(f"a better bound read {count(len(task.learnt), 'time')}")
    told.append(in_sentence(told_value(task)) if kind_of(task) == SEARCHED else kind_of(task))
    return ", ".join(told)
