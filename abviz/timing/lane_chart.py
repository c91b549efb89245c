"""Lanes: a picture of which worker searched what and when, as SVG. `lanes` and the widget show the same one."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

from matplotlib.ticker import EngFormatter, MaxNLocator

from abviz.errors import AbvizError, columns, quoted
from abviz.games.rules import WIN, worth
from abviz.parallel.records import NODES, Run, TaskRecord
from abviz.timing.summary import flat, format_count, format_percent, run_answer, run_costs, run_name

WIDTH, LEFT, RIGHT = 800, 64, 764  # pixels: of the picture, and where its time axis begins and ends
LANE = 38  # pixels, the height
LETTER = 6.4  # pixels, wider than most letters of 11 pixels
GRAIN = 300  # a task shorter than 1/300 of the axis is drawn together with its neighbours
COLOURS = ("#4477aa", "#ee8866", "#44bb99", "#cc6699", "#bbaa33", "#7766cc", "#88aa55", "#aa6644", "#55aacc", "#dd7777")
GREY = "#888888"  # of tasks that search the root, or several moves
STYLE = """
.abviz-lanes { background: PAPER; font: 11px sans-serif; }
.abviz-lanes text { fill: INK; }
.abviz-lanes line { stroke: INK; }
.abviz-lanes .heading { font-weight: bold; }
.abviz-lanes .bar rect { stroke: INK; stroke-width: 0.7; fill-opacity: 0.4; }
.abviz-lanes .running rect { stroke-width: 2; stroke-dasharray: 6 4; }
.abviz-lanes .cancelled rect { fill: PAPER; }
.abviz-lanes .cancelled line { stroke-dasharray: 1 4; }
.abviz-lanes .cancelled text { paint-order: stroke; stroke: PAPER; stroke-width: 4px; }
.abviz-lanes .idle { stroke-width: 0.4; }
.abviz-lanes .end { stroke-dasharray: 1 3; }
"""
LEGEND = (
    "Bar: a task, in the colour of its root move, with its value (≤ ≥: only a bound) and the bound at its start. "
    "★ the best move.",
    "× 3: three short tasks. ▼ a better bound was read. Striped, ✕: cancelled. Dashed: running. Empty: idle. "
    "Dotted line: end.",
)


class LaneChart:
    """A picture of runs, which a notebook shows; `caption` says it in words, for screen readers and `print`."""

    def __init__(self, runs: Sequence[Run]):
        self.caption = " Below: ".join(map(_caption, runs))
        self.svg = draw_lanes(runs, [lane_title(run) for run in runs])

    def __str__(self) -> str:
        return self.caption

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return image_bundle(self.svg, self.caption)


def lanes(run: Run, other: Run | None = None) -> LaneChart:
    """Draw a lane for each worker, with its tasks as bars: the root's move, the bound at the start, better bounds read.

    Two runs stand one above the other, on one time axis.
    """
    runs = flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError("one run is timed in seconds and the other in nodes; expected the same clock")
    return LaneChart(runs)


def image_bundle(svg: str, caption: str) -> dict[str, str]:
    """Return what a notebook shows of a picture. In an img element its ids and styles cannot clash with the page's."""
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml,{quote(svg)}">'
    return {"text/plain": caption, "image/svg+xml": svg, "text/html": image}


def lane_title(run: Run) -> str:
    return f"{run_name(run)} · {quoted(run.game)}, depth {run.depth} · {run_answer(run)}"


def _caption(run: Run) -> str:
    caption = f"{lane_title(run)} · {run_costs(run)}".replace(" · ", ", ")
    shares = [format_percent(busy / run.time if run.time else 0) for busy in run.busy]
    return f"{caption}. {'; '.join(f'Worker {n}: busy {share}' for n, share in enumerate(shares, 1))}."


def draw_lanes(runs: Sequence[Run], titles: Sequence[str], ink: str = "#222222", paper: str = "#ffffff") -> str:
    """Return SVG of runs one above the other, each with its title, on one time axis."""
    longest = max((run.time for run in runs), default=0) or 1.0
    scale = (RIGHT - LEFT) / longest
    parts, top = [], 2.0
    for run, title in zip(runs, titles, strict=True):
        parts += [_text(0, top + 12, title, "heading"), _text(0, top + 28, run_costs(run))]
        top += 36
        for worker in range(run.workers):
            low = top + (worker + 1) * LANE
            parts.append(_text(0, low - 4, f"worker {worker + 1}"))
            parts.append(_line(LEFT, low - 1, LEFT + run.time * scale, low - 1, "idle"))
        for bar in _bars(run, longest / GRAIN):
            parts.append(bar.draw(LEFT + bar.start * scale, (bar.end - bar.start) * scale, top))
        learnt = {(task.worker, round(min(time, run.time) * scale)) for task in run.tasks for time, _, _ in task.learnt}
        for worker, x in sorted(learnt):
            parts.append(_text(LEFT + x - 5, top + worker * LANE + 8, "▼"))
        end = LEFT + run.time * scale
        parts.append(_line(end, top, end, top + run.workers * LANE, "end"))
        top += run.workers * LANE + 10
    if runs:
        parts += _axis(top, longest, scale, runs[0].clock)
        parts += [_text(0, top + 42 + 15 * row, text) for row, text in enumerate(LEGEND)]
        top += 64
    style = STYLE.replace("INK", ink).replace("PAPER", paper)
    size = f'width="{WIDTH}" height="{top:.0f}" viewBox="0 0 {WIDTH} {top:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="abviz-lanes" {size}><style>{style}</style>'
    return f"{head}{''.join(parts)}</svg>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "", width: float = 1) -> str:
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line class="{kind}" {place} stroke-width="{width}"/>'


def _axis(top: float, longest: float, scale: float, clock: str) -> list[str]:
    form = format_count if clock == NODES else EngFormatter("s")
    parts = [_line(LEFT, top, RIGHT, top)]
    for time in MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, longest):
        if time <= longest:
            x = LEFT + time * scale
            parts += [_line(x, top, x, top + 5), _text(x, top + 18, form(time) if time else f"0 {clock}")]
    return parts


@dataclass
class _Bar:
    """One task, or neighbours too short to be seen."""

    worker: int
    start: float
    end: float
    state: str  # "", "running" or "cancelled"
    colour: str
    texts: tuple[str, ...]  # from the longest to the shortest
    bound: str
    title: str
    tasks: int = 1

    def draw(self, x: float, width: float, top: float) -> str:
        y, high = top + self.worker * LANE + 9, LANE - 11
        parts = [f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{high}" fill="{self.colour}"/>']
        if self.state == "cancelled":  # stripes: a thick line with short dashes
            parts.append(_line(x, y + high / 2, x + width, y + high / 2, "", high))
            parts.append(_text(x + width - 5, y + high - 1, "✕"))
        texts = [text for text in self.texts if columns(text) * LETTER + 6 <= width]
        if texts:
            parts += [_text(x + 4, y + 11, texts[0]), _text(x + 4, y + 23, self.bound)]
        return f'<g class="bar {self.state}"><title>{escape(self.title)}</title>{"".join(parts)}</g>'


def _bars(run: Run, grain: float) -> list[_Bar]:
    """Return a bar for each task; of one worker, tasks shorter together than the grain share one."""
    bars: list[_Bar] = []
    last: dict[int, _Bar] = {}
    colours = {move: COLOURS[place % len(COLOURS)] for place, move in enumerate(run.moves)}
    for task in run.tasks:
        bar, before = _bar(task, run, colours.get(task.move, GREY)), last.get(task.worker)
        if before and bar.end - before.start < grain and "running" not in (bar.state, before.state):
            before.tasks, before.end = before.tasks + 1, bar.end
            before.colour = before.colour if before.colour == bar.colour else GREY
            before.state = before.state if before.state == bar.state else ""
            before.texts, before.bound, before.title = (f"× {before.tasks}",), "", f"{before.tasks} tasks"
        else:
            last[task.worker] = bar
            bars.append(bar)
    return bars


def _bar(task: TaskRecord, run: Run, colour: str) -> _Bar:
    move, bound, value = quoted(task.move) or "root", _start_bound(task, run), _task_value(task)
    path = " ".join(map(quoted, task.path)) or move
    star = "★ " if run.finished and task.move and task.move == run.move else ""
    start, end = (run.time if time is None else min(time, run.time) for time in (task.start, task.end))
    state = "running" if task.end is None else "cancelled" if task.value is None else ""
    shown = "" if state else value
    texts = (f"{star}{path}  {shown}", f"{star}{move}  {shown}", star + move, move)
    title = f"{path}: {bound}, {value}, {format_count(task.nodes)} nodes"
    return _Bar(task.worker, start, end, state, colour, texts, bound, title)


def _start_bound(task: TaskRecord, run: Run) -> str:
    """Return the bound that the workers share as the task found it: α below a MAX root, β below a MIN root."""
    bound = task.alpha if run.is_max else task.beta
    return f"{'α' if run.is_max else 'β'} {worth(bound) if abs(bound) < WIN else '∞' if bound > 0 else '−∞'}"


def _task_value(task: TaskRecord) -> str:
    """Return the value with ≤ or ≥ where it is only a bound, "cancelled" or "running"."""
    if task.value is None:
        return "running" if task.end is None else "cancelled"
    alpha, beta = task.learnt[-1][1:] if task.learnt else (task.alpha, task.beta)
    sign = "≤ " if task.value <= alpha else "≥ " if task.value >= beta else ""
    return f"{sign}{worth(task.value)}"
