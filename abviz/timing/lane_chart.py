"""Lanes: a picture of which worker searched what and when, as SVG. `lanes` and the widget show the same one."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Any
from urllib.parse import quote

from abviz.errors import AbvizError, columns, quoted
from abviz.parallel.records import NODES, Run, TaskRecord
from abviz.timing import summary
from abviz.timing.summary import format_count, format_percent

WIDTH, LEFT, RIGHT = 800, 64, 784  # pixels: of the picture, and where its time axis begins and ends
LANE, LOW_LANE, CROWD = 38, 14, 16  # pixels of a lane; more workers than the last have low lanes, without texts
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
    runs = summary.flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError("one run is timed in seconds and the other in nodes; expected the same clock")
    return LaneChart(runs)


def image_bundle(svg: str, caption: str) -> dict[str, str]:
    """Return what a notebook shows of a picture. In an img element its ids and styles cannot clash with the page's."""
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml,{quote(svg)}">'
    return {"text/plain": caption, "image/svg+xml": svg, "text/html": image}


def lane_title(run: Run) -> str:
    return f"{summary.run_name(run)} · {quoted(run.game)}, depth {run.depth} · {summary.run_answer(run)}"


def _caption(run: Run) -> str:
    caption = f"{lane_title(run)} · {summary.run_costs(run)}".replace(" · ", ", ")
    shares = [format_percent(busy / run.time if run.time else 0) for busy in run.busy]
    return f"{caption}. {'; '.join(f'Worker {n}: busy {share}' for n, share in enumerate(shares, 1))}."


def draw_lanes(runs: Sequence[Run], titles: Sequence[str], ink: str = "#222222", paper: str = "#ffffff") -> str:
    """Return SVG of runs one above the other, each with its title, on one time axis."""
    longest = max((run.time for run in runs), default=0) or 1.0
    scale = (RIGHT - LEFT) / longest
    parts, top = [], 2.0
    for run, title in zip(runs, titles, strict=True):
        height = LANE if run.workers <= CROWD else LOW_LANE
        parts += [_text(0, top + 12, title, "heading"), _text(0, top + 28, summary.run_costs(run))]
        top += 36
        for worker in range(run.workers):
            low = top + (worker + 1) * height
            parts.append(_text(0, low - 4, f"worker {worker + 1}"))
            parts.append(_line(LEFT, low - 1, LEFT + run.time * scale, low - 1, "idle"))
        for bar in _bars(run, longest / GRAIN):
            parts.append(bar.draw(LEFT + bar.start * scale, (bar.end - bar.start) * scale, top, height))
        for worker, x in sorted({(t.worker, _pixel(time, run, scale)) for t in run.tasks for time, _, _ in t.learnt}):
            parts.append(_text(x - 5, top + worker * height + 8, "▼"))
        end = LEFT + run.time * scale
        parts.append(_line(end, top, end, top + run.workers * height, "end"))
        top += run.workers * height + 10
    if runs:
        parts += _axis(top, longest, scale, runs[0].clock)
        parts += [_text(0, top + 42 + 15 * row, text) for row, text in enumerate(LEGEND)]
        top += 64
    style = STYLE.replace("INK", ink).replace("PAPER", paper)
    size = f'width="{WIDTH}" height="{top:.0f}" viewBox="0 0 {WIDTH} {top:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="abviz-lanes" {size}><style>{style}</style>'
    return f"{head}{''.join(parts)}</svg>"


def _pixel(time: float, run: Run, scale: float) -> int:
    return round(LEFT + min(time, run.time) * scale)


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "", width: float = 1) -> str:
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line class="{kind}" {place} stroke-width="{width}"/>'


def _axis(top: float, longest: float, scale: float, clock: str) -> list[str]:
    step = 10 ** floor(log10(longest / 4))
    step *= next(times for times in (1, 2, 5, 10) if longest / (step * times) <= 6)
    unit = "nodes" if clock == NODES else summary.unit_for(longest)
    parts = [_line(LEFT, top, RIGHT, top)]
    for tick in range(floor(longest / step) + 1):
        time, x = tick * step, LEFT + tick * step * scale
        text = format_count(time) if clock == NODES else f"{time * summary.UNITS[unit]:.6g}"
        parts += [_line(x, top, x, top + 5), _text(x, top + 18, text if tick else f"0 {unit}")]
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

    def draw(self, x: float, width: float, top: float, height: float) -> str:
        y, high = top + self.worker * height + 9, height - 11
        if height < LANE:
            y, high = y - 7, height - 4
        parts = [f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{high}" fill="{self.colour}"/>']
        if self.state == "cancelled":  # stripes: a thick line with short dashes
            parts.append(_line(x, y + high / 2, x + width, y + high / 2, "", high))
            parts.append(_text(x + width - 5, y + high - 1, "✕"))
        texts = [text for text in self.texts if columns(text) * LETTER + 6 <= width and height == LANE]
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
    move, bound, value = quoted(task.move) or "root", summary.start_bound(task, run), summary.task_value(task)
    path = " ".join(map(quoted, task.path)) or move
    star = "★ " if run.finished and task.move and task.move == run.move else ""
    start, end = (run.time if time is None else min(time, run.time) for time in (task.start, task.end))
    state = "running" if task.end is None else "cancelled" if task.value is None else ""
    shown = "" if state else value
    texts = (f"{star}{path}  {shown}", f"{star}{move}  {shown}", star + move, move)
    title = f"{path}: {bound}, {value}, {format_count(task.nodes)} nodes"
    return _Bar(task.worker, start, end, state, colour, texts, bound, title)
