"""Lanes: a picture of which worker searched what and when, as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Any, NamedTuple

from abviz.errors import AbvizError, columns, quoted
from abviz.games.rules import WIN, worth
from abviz.images import image
from abviz.parallel.records import NODES, Run, TaskRecord
from abviz.timing.summary import (
    UNITS,
    flat,
    format_count,
    format_percent,
    run_answer,
    run_costs,
    run_name,
)

WIDTH, LEFT, RIGHT = 800, 64, 764  # pixels: of the picture, and where its time axis begins and ends
LANE = 38  # pixels, the height
# Pixels: a digit of 12 pixels in DejaVu Sans, the widest of the usual fonts; − and ∞ are wider by 2
LETTER = 7.7
AVERAGE = 7.1  # pixels: a letter of a text in that font
MOST_TIMES = 6  # on the axis, after 0
GRAIN = 300  # a task shorter than 1/300 of the axis is drawn together with its neighbors
COLORS = (
    "#4477aa",
    "#ee8866",
    "#44bb99",
    "#cc6699",
    "#bbaa33",
    "#7766cc",
    "#88aa55",
    "#aa6644",
    "#55aacc",
    "#dd7777",
)
GRAY = "#888888"  # of several tasks
# In a notebook with the colors of its theme; as an image with those of the page that shows it.
STYLE = """
.abviz-lanes { --ink: var(--jp-content-font-color1, #222); --paper: var(--jp-layout-color0, #fff); }
@media (prefers-color-scheme: dark) {
  .abviz-lanes {
    --ink: var(--jp-content-font-color1, #eee); --paper: var(--jp-layout-color0, #111); }
}
.abviz-lanes { max-width: 100%; height: auto; background: var(--paper); font: 12px sans-serif; }
.abviz-lanes text { fill: var(--ink); }
.abviz-lanes line { stroke: var(--ink); }
.abviz-lanes .heading { font-weight: bold; }
.abviz-lanes :is(.bar rect, .box) { stroke: var(--ink); stroke-width: 0.7; fill-opacity: 0.4; }
.abviz-lanes :is(.running rect, .running-key) { stroke-width: 2; stroke-dasharray: 6 4; }
.abviz-lanes :is(.cancelled rect, .cancelled-key) { fill: var(--paper); }
.abviz-lanes :is(.idle, .idle-key) { stroke-width: 0.4; }
.abviz-lanes :is(.end, .end-key) { stroke-dasharray: 1 3; }
"""

# The marks that a legend explains, in its order: a sign, and what it means. A mark without a sign
# looks as it does in the lanes.
LEGEND = {
    "task": ("", "task, in the color of its root move"),
    "short": ("× 3", "three short tasks"),
    "running": ("", "still running"),
    "cancelled": ("✕", "cancelled"),
    "value": ("9-13  3", "move and value (≤ ≥: only a bound)"),
    "bound": ("α 5", "the bound when it started"),
    "best": ("★", "the best move"),
    "learnt": ("▼", "a better bound was read"),
    "idle": ("", "empty: idle"),
    "end": ("", "the end of the run"),
}
KEY = 28  # pixels, the width of a box or line in the legend
BOXES = ("task", "short", "running", "cancelled")  # the marks that look like a bar


class LaneChart:
    """A picture of runs, which a notebook shows.

    `caption` describes it for screen readers and `print`.
    """

    def __init__(self, runs: Sequence[Run]):
        self.caption = " Below: ".join(f"{_title(run)} · {run_costs(run)}." for run in runs)
        self.svg = draw_lanes(runs)

    def __str__(self) -> str:
        return self.caption

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return image_bundle(self.svg, self.caption)


def lanes(run: Run, other: Run | None = None) -> LaneChart:
    """Draw a lane for each worker, with its tasks as bars.

    A bar has the root's move, the bound at the start, and marks where better bounds were read. Two
    runs stand one above the other, on one time axis.
    """
    runs = flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError(
            "one run is timed in seconds and the other in nodes; expected the same clock"
        )
    return LaneChart(runs)


def image_bundle(svg: str, caption: str) -> dict[str, str]:
    """Return what a notebook shows of a picture.

    It fits the cell, and a dark theme makes what is in it dark.
    """
    return {"text/plain": caption, "image/svg+xml": svg, "text/html": image(svg, caption)}


def _title(run: Run) -> str:
    return f"{run_name(run)} · {quoted(run.game)}, depth {run.depth} · {run_answer(run)}"


@dataclass(frozen=True)
class _Axis:
    """The time axis that the runs of a picture share."""

    longest: float  # time, at its right end

    def x(self, time: float) -> float:
        return LEFT + time * (RIGHT - LEFT) / self.longest

    @property
    def grain(self) -> float:
        """The time below which a task is too short to be seen."""
        return self.longest / GRAIN


def draw_lanes(runs: Sequence[Run]) -> str:
    """Return SVG of runs one above the other, each with a title, on one time axis.

    Below it is a legend of the marks that occur.
    """
    axis = _Axis(max(run.time for run in runs) or 1.0)
    drawing = _Drawing(axis)
    top = 2.0
    for run in runs:
        drawing.text(0, top + 12, _title(run), "heading")
        drawing.text(0, top + 28, run_costs(run))
        top += 36
        drawing.lanes(run, top)
        top += run.workers * LANE + 10

    drawing.ticks(runs[0].clock, top)
    height = drawing.legend(top + 42)

    size = f'width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="abviz-lanes" {size}>'
    return f"{head}<style>{STYLE}</style>{''.join(drawing.parts)}</svg>"


class _Drawing:
    """The parts of a picture as SVG, and which marks of the legend are in it."""

    def __init__(self, axis: _Axis):
        self.axis = axis
        self.parts: list[str] = []
        self.marks: set[str] = set()

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        self.parts.append(_text(x, y, text, kind))

    def lanes(self, run: Run, top: float) -> None:
        """Draw the lanes of one run, with the bars of its tasks."""
        end = self.axis.x(run.time)
        for worker in range(run.workers):
            low = top + (worker + 1) * LANE
            self.text(0, low - 4, f"worker {worker + 1}")
            self.parts.append(_line(LEFT, low - 1, end, low - 1, "idle"))
        if format_percent(run.idle) != format_percent(0):
            self.marks.add("idle")

        for tasks in _grouped(run.tasks, self.axis.grain):
            self.bar(tasks, run, top)

        # Marks at one place are drawn once
        learnt = {
            (task.worker, round(self.axis.x(time) - LEFT))
            for task in run.tasks
            for time, _, _ in task.learnt
        }
        for worker, x in sorted(learnt):
            self.text(LEFT + x - 5, top + worker * LANE + 8, "▼")
            self.marks.add("learnt")

        self.parts.append(_line(end, top, end, top + run.workers * LANE, "end"))
        self.marks.add("end")

    def bar(self, tasks: list[TaskRecord], run: Run, top: float) -> None:
        """Draw one bar for a task, or for neighbors too short to be seen."""
        look = _look(tasks[0], run) if len(tasks) == 1 else _look_of_several(tasks)
        end = run.time if tasks[-1].end is None else tasks[-1].end
        x = self.axis.x(tasks[0].start)
        y = top + tasks[0].worker * LANE + 9
        width = self.axis.x(end) - x
        height = LANE - 11
        self.marks.add(look.mark)

        size = f'width="{max(width, 0.5):.1f}" height="{height}"'
        parts = [f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{look.color}"/>']
        if look.mark == "cancelled":
            parts.append(_text(x + width - 5, y + height - 1, "✕"))

        for texts, baseline in ((look.texts, 12), ([look.bound], 24)):
            for text, marks in texts:
                if text and columns(text) * LETTER + 10 <= width:
                    parts.append(_text(x + 4, y + baseline, text))
                    self.marks.update(marks)
                    break

        state = look.mark if look.mark in ("running", "cancelled") else ""
        title = f"<title>{escape(look.title)}</title>"
        self.parts.append(f'<g class="bar {state}">{title}{"".join(parts)}</g>')

    def ticks(self, clock: str, top: float) -> None:
        """Draw the axis with its times."""
        form = format_count if clock == NODES else _seconds
        self.parts.append(_line(LEFT, top, RIGHT, top))
        for time in _round_times(self.axis.longest):
            x = self.axis.x(time)
            self.parts.append(_line(x, top, x, top + 5))
            self.text(x, top + 18, form(time) if time else f"0 {clock}")

    def legend(self, top: float) -> float:
        """Draw what the marks of the picture mean, in rows, and return where they end."""
        x = 0.0
        y = top
        for mark, (sign, words) in LEGEND.items():
            if mark not in self.marks:
                continue

            room = KEY if mark in BOXES or not sign else columns(sign) * LETTER
            width = room + 6 + columns(words) * AVERAGE
            if x and x + width > WIDTH:
                x = 0
                y += 20
            self.key(mark, sign, x, y)
            self.text(x + room + 6, y, words)
            x += width + 14
        return y + 12

    def key(self, mark: str, sign: str, x: float, y: float) -> None:
        """Draw the mark itself."""
        if mark in BOXES:
            color = GRAY if mark == "short" else COLORS[0]
            size = f'width="{KEY}" height="14" fill="{color}"'
            self.parts.append(f'<rect class="box {mark}-key" x="{x:.1f}" y="{y - 11:.1f}" {size}/>')
            x += 4
        if sign:
            self.text(x, y, sign, "key")
        elif mark not in BOXES:
            self.parts.append(_line(x, y - 4, x + KEY, y - 4, f"{mark}-key"))


def _round_times(longest: float) -> list[float]:
    """Return the times of an axis, which are 1, 2 or 5 times a power of ten apart."""
    power = 10.0 ** floor(log10(longest / MOST_TIMES))
    steps = (factor * power for factor in (1, 2, 5, 10))
    step = next(step for step in steps if longest / step <= MOST_TIMES * (1 + 1e-9))
    return [step * n for n in range(floor(longest / step * (1 + 1e-9)) + 1)]


def _seconds(time: float) -> str:
    """Return 1.5 s, 200 ms or 20 µs."""
    sizes = [(unit, size) for unit, size in UNITS.items() if time / size >= 1 - 1e-9]
    unit, size = sizes[0] if sizes else ("ns", UNITS["ns"])
    return f"{time / size:.6g} {unit}"


def _grouped(tasks: Iterable[TaskRecord], grain: float) -> list[list[TaskRecord]]:
    """Return the tasks of each bar: those too short to be seen share one with their neighbors."""
    groups: dict[Any, list[TaskRecord]] = {}
    for task in tasks:
        is_short = task.end is not None and task.end - task.start < grain
        bar = (task.worker, task.start // grain) if is_short else id(task)
        groups.setdefault(bar, []).append(task)
    return list(groups.values())


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


class _Look(NamedTuple):
    """What a bar shows."""

    mark: str  # of the legend: "task", "short", "running" or "cancelled"
    title: str
    color: str

    # Texts, each with the marks of the legend that it has; the first that fits is shown
    texts: "list[tuple[str, tuple[str, ...]]]"
    bound: "tuple[str, tuple[str, ...]]" = ("", ())  # at the start


def _look(task: TaskRecord, run: Run) -> _Look:
    """Return what the bar of one task shows."""
    value = _task_value(task)
    path = " ".join(map(quoted, task.path))
    bound = _shared_bound(task, run)
    mark = value if value in ("running", "cancelled") else "task"

    star = ""
    marks: tuple[str, ...] = ()
    if run.finished and task.move == run.move:
        star = "★ "
        marks = ("best",)

    # The value is that of the whole path
    whole = (f"{star}{path}  ", marks)
    if mark == "task":
        whole = (f"{star}{path}  {value}", (*marks, "value"))

    return _Look(
        mark=mark,
        title=f"{path}: {bound}, {value}, {format_count(task.nodes)} nodes",
        color=COLORS[run.moves.index(task.move) % len(COLORS)],
        texts=[whole, (star + quoted(task.move), marks)],
        bound=(bound, ("bound",)),
    )


def _look_of_several(tasks: list[TaskRecord]) -> _Look:
    """Return what the bar of tasks shows that are too short to be seen."""
    return _Look(
        mark="short",
        title=f"{len(tasks)} tasks",
        color=GRAY,
        texts=[(f"× {len(tasks)}", ())],
    )


def _shared_bound(task: TaskRecord, run: Run) -> str:
    """Return the bound that the workers share, as it was when the task started."""
    letter, bound = ("α", task.alpha) if run.is_max else ("β", task.beta)
    if abs(bound) < WIN:
        return f"{letter} {worth(bound)}"
    return f"{letter} ∞" if bound > 0 else f"{letter} −∞"


def _task_value(task: TaskRecord) -> str:
    """Return the value with ≤ or ≥ where it is only a bound, "cancelled" or "running"."""
    if task.end is None:
        return "running"
    if task.value is None:
        return "cancelled"

    alpha, beta = task.learnt[-1][1:] if task.learnt else (task.alpha, task.beta)
    value = worth(task.value)
    if task.value <= alpha:
        return f"≤ {value}"
    if task.value >= beta:
        return f"≥ {value}"
    return value
