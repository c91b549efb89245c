"""Lanes: a picture of which worker searched what and when, as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

from abviz.errors import AbvizError, columns, quoted
from abviz.games.rules import WIN, worth
from abviz.parallel.records import NODES, Run, TaskRecord
from abviz.timing.summary import flat, format_count, run_answer, run_costs, run_name

WIDTH, LEFT, RIGHT = 800, 64, 764  # pixels: of the picture, and where its time axis begins and ends
LANE = 38  # pixels, the height
# Pixels: a digit of 11 pixels in DejaVu Sans, the widest of the usual fonts; − and ∞ are wider by 2
LETTER = 7
GRAIN = 300  # a task shorter than 1/300 of the axis is drawn together with its neighbours
COLOURS = (
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
GREY = "#888888"  # of tasks that search the root, or several moves
# In a notebook with the colours of its theme.
STYLE = """
.abviz-lanes { background: var(--jp-layout-color0, #fff); font: 11px sans-serif; }
.abviz-lanes { max-width: 100%; height: auto; }
.abviz-lanes text { fill: var(--jp-content-font-color1, #222); }
.abviz-lanes line { stroke: var(--jp-content-font-color1, #222); }
.abviz-lanes .heading { font-weight: bold; }
.abviz-lanes .bar rect { stroke: var(--jp-content-font-color1, #222); stroke-width: 0.7; }
.abviz-lanes .bar rect { fill-opacity: 0.4; }
.abviz-lanes .running rect { stroke-width: 2; stroke-dasharray: 6 4; }
.abviz-lanes .cancelled rect { fill: var(--jp-layout-color0, #fff); }
.abviz-lanes .idle { stroke-width: 0.4; }
.abviz-lanes .end { stroke-dasharray: 1 3; }
"""
LEGEND = (
    "Bar: a task, in the colour of its root move, with its value (≤ ≥: only a bound) "
    "and the bound at its start. ★ the best move.",
    "Grey, × 3: three short tasks. ▼ a better bound was read. Uncoloured, ✕: cancelled. "
    "Dashed: running. Empty: idle. Dotted line: end.",
)


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
    """Return what a notebook shows of a picture."""
    # In an img element its ids and styles cannot clash with the page's.
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml,{quote(svg)}">'
    return {"text/plain": caption, "image/svg+xml": svg, "text/html": image}


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
    """Return SVG of runs one above the other, each with a title, on one time axis."""
    axis = _Axis(max(run.time for run in runs) or 1.0)
    parts: list[str] = []
    top = 2.0
    for run in runs:
        parts += [
            _text(0, top + 12, _title(run), "heading"),
            _text(0, top + 28, run_costs(run)),
        ]
        top += 36
        parts += _lanes_of(run, top, axis)
        top += run.workers * LANE + 10

    parts += _ticks(runs[0].clock, top, axis)
    parts += [_text(0, top + 42 + 15 * row, text) for row, text in enumerate(LEGEND)]

    height = f"{top + 64:.0f}"
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="abviz-lanes" {size}>'
    return f"{head}<style>{STYLE}</style>{''.join(parts)}</svg>"


def _lanes_of(run: Run, top: float, axis: _Axis) -> list[str]:
    """Return the lanes of one run, with the bars of its tasks."""
    end = axis.x(run.time)
    parts: list[str] = []
    for worker in range(run.workers):
        low = top + (worker + 1) * LANE
        parts += [
            _text(0, low - 4, f"worker {worker + 1}"),
            _line(LEFT, low - 1, end, low - 1, "idle"),
        ]

    parts += [_bar(tasks, run, top, axis) for tasks in _grouped(run.tasks, axis.grain)]

    # Marks at one place are drawn once
    learnt = {
        (task.worker, round(axis.x(time) - LEFT))
        for task in run.tasks
        for time, _, _ in task.learnt
    }
    for worker, x in sorted(learnt):
        parts.append(_text(LEFT + x - 5, top + worker * LANE + 8, "▼"))

    parts.append(_line(end, top, end, top + run.workers * LANE, "end"))
    return parts


def _grouped(tasks: Iterable[TaskRecord], grain: float) -> list[list[TaskRecord]]:
    """Return the tasks of each bar: those too short to be seen share one with their neighbors."""
    groups: dict[Any, list[TaskRecord]] = {}
    for task in tasks:
        is_short = task.end is not None and task.end - task.start < grain
        bar = (task.worker, task.start // grain) if is_short else id(task)
        groups.setdefault(bar, []).append(task)
    return list(groups.values())


def _ticks(clock: str, top: float, axis: _Axis) -> list[str]:
    """Return the axis with its times."""
    from matplotlib.ticker import EngFormatter, MaxNLocator  # here, since it takes a while

    form = format_count if clock == NODES else EngFormatter("s")
    parts = [_line(LEFT, top, RIGHT, top)]
    for time in MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, axis.longest):
        if time <= axis.longest:
            x = axis.x(time)
            text = form(time) if time else f"0 {clock}"
            parts += [_line(x, top, x, top + 5), _text(x, top + 18, text)]
    return parts


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _bar(tasks: list[TaskRecord], run: Run, top: float, axis: _Axis) -> str:
    """Return one bar for a task, or for neighbors too short to be seen."""
    look = _look(tasks[0], run)
    if len(tasks) > 1:
        look = _Look(
            title=f"{len(tasks)} tasks",
            texts=[f"× {len(tasks)}"],
            bound="",
            colour=GREY,
            state="",
        )

    end = run.time if tasks[-1].end is None else tasks[-1].end
    x = axis.x(tasks[0].start)
    y = top + tasks[0].worker * LANE + 9
    width = axis.x(end) - x
    height = LANE - 11

    size = f'width="{max(width, 0.5):.1f}" height="{height}"'
    parts = [f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{look.colour}"/>']
    if look.state == "cancelled":
        parts.append(_text(x + width - 5, y + height - 1, "✕"))

    for texts, baseline in ((look.texts, 11), ([look.bound], 23)):
        fitting = [text for text in texts if columns(text) * LETTER + 10 <= width]
        if fitting:
            parts.append(_text(x + 4, y + baseline, fitting[0]))

    title = f"<title>{escape(look.title)}</title>"
    return f'<g class="bar {look.state}">{title}{"".join(parts)}</g>'


class _Look(NamedTuple):
    """What a bar shows."""

    title: str
    texts: list[str]  # the longest first: the one that fits is shown
    bound: str  # at the start
    colour: str
    state: str  # "running", "cancelled" or ""


def _look(task: TaskRecord, run: Run) -> _Look:
    """Return what the bar of one task shows."""
    value = _task_value(task)
    path = " ".join(map(quoted, task.path))
    bound = _shared_bound(task, run)
    is_done = value not in ("running", "cancelled")
    star = "★ " if run.finished and task.move == run.move else ""

    return _Look(
        title=f"{path}: {bound}, {value}, {format_count(task.nodes)} nodes",
        # The value is that of the whole path
        texts=[f"{star}{path}  {value if is_done else ''}", star + quoted(task.move)],
        bound=bound,
        colour=COLOURS[run.moves.index(task.move) % len(COLOURS)],
        state="" if is_done else value,
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
