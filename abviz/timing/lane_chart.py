"""Lanes: a picture of which worker searched what and when, as SVG. `lanes` and the widget show the
same one.
"""

from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from matplotlib.ticker import EngFormatter, MaxNLocator

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
.abviz-lanes { background: var(--jp-layout-color0, #fff); font: 11px sans-serif; max-width: 100%; height: auto; }
.abviz-lanes text { fill: var(--jp-content-font-color1, #222); }
.abviz-lanes line { stroke: var(--jp-content-font-color1, #222); }
.abviz-lanes .heading { font-weight: bold; }
.abviz-lanes .bar rect { stroke: var(--jp-content-font-color1, #222); stroke-width: 0.7; fill-opacity: 0.4; }
.abviz-lanes .running rect { stroke-width: 2; stroke-dasharray: 6 4; }
.abviz-lanes .cancelled rect { fill: var(--jp-layout-color0, #fff); }
.abviz-lanes .idle { stroke-width: 0.4; }
.abviz-lanes .end { stroke-dasharray: 1 3; }
"""
LEGEND = (
    "Bar: a task, in the colour of its root move, with its value (≤ ≥: only a bound) and the bound at its start. "
    "★ the best move.",
    "Grey, × 3: three short tasks. ▼ a better bound was read. Uncoloured, ✕: cancelled. Dashed: running. Empty: idle. "
    "Dotted line: end.",
)


class LaneChart:
    """A picture of runs, which a notebook shows; `caption` describes it for screen readers and
    `print`.
    """

    def __init__(self, runs: Sequence[Run]):
        self.caption = " Below: ".join(f"{_title(run)} · {run_costs(run)}." for run in runs)
        self.svg = draw_lanes(runs)

    def __str__(self) -> str:
        return self.caption

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return image_bundle(self.svg, self.caption)


def lanes(run: Run, other: Run | None = None) -> LaneChart:
    """Draw a lane for each worker, with its tasks as bars: the root's move, the bound at the start,
    better bounds read.

    Two runs stand one above the other, on one time axis.
    """
    runs = flat([run] if other is None else [run, other])
    if len({each.clock for each in runs}) > 1:
        raise AbvizError(
            "one run is timed in seconds and the other in nodes; expected the same clock"
        )
    return LaneChart(runs)


def image_bundle(svg: str, caption: str) -> dict[str, str]:
    """Return what a notebook shows of a picture. In an img element its ids and styles cannot clash
    with the page's.
    """
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml,{quote(svg)}">'
    return {"text/plain": caption, "image/svg+xml": svg, "text/html": image}


def _title(run: Run) -> str:
    return f"{run_name(run)} · {quoted(run.game)}, depth {run.depth} · {run_answer(run)}"


def draw_lanes(runs: Sequence[Run]) -> str:
    """Return SVG of runs one above the other, each with a title, on one time axis."""
    longest = max(run.time for run in runs) or 1.0
    scale, grain = (RIGHT - LEFT) / longest, longest / GRAIN
    parts, top = [], 2.0
    for run in runs:
        parts += [_text(0, top + 12, _title(run), "heading"), _text(0, top + 28, run_costs(run))]
        top += 36
        end = LEFT + run.time * scale
        for worker in range(run.workers):
            low = top + (worker + 1) * LANE
            parts += [
                _text(0, low - 4, f"worker {worker + 1}"),
                _line(LEFT, low - 1, end, low - 1, "idle"),
            ]
        # Tasks too short to be seen share a bar with their neighbours
        groups: dict[Any, list[TaskRecord]] = {}
        for task in run.tasks:
            is_short = task.end is not None and task.end - task.start < grain
            groups.setdefault(
                (task.worker, task.start // grain) if is_short else id(task), []
            ).append(task)
        parts += [_bar(tasks, run, top, scale) for tasks in groups.values()]
        learnt = {
            (task.worker, round(time * scale)) for task in run.tasks for time, _, _ in task.learnt
        }
        parts += [_text(LEFT + x - 5, top + worker * LANE + 8, "▼") for worker, x in sorted(learnt)]
        parts.append(_line(end, top, end, top + run.workers * LANE, "end"))
        top += run.workers * LANE + 10
    parts.append(_line(LEFT, top, RIGHT, top))
    form = format_count if runs[0].clock == NODES else EngFormatter("s")
    for time in MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(0, longest):
        if time <= longest:
            x = LEFT + time * scale
            parts += [
                _line(x, top, x, top + 5),
                _text(x, top + 18, form(time) if time else f"0 {runs[0].clock}"),
            ]
    parts += [_text(0, top + 42 + 15 * row, text) for row, text in enumerate(LEGEND)]
    size = f'width="{WIDTH}" height="{top + 64:.0f}" viewBox="0 0 {WIDTH} {top + 64:.0f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="abviz-lanes" {size}><style>{STYLE}</style>'
    )
    return f"{head}{''.join(parts)}</svg>"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _bar(tasks: list[TaskRecord], run: Run, top: float, scale: float) -> str:
    """Return one bar for a task, or for neighbours too short to be seen."""
    task = tasks[0]
    value, path = _task_value(task), " ".join(map(quoted, task.path))
    # The bound that the workers share
    side, start = ("α", task.alpha) if run.is_max else ("β", task.beta)
    bound = f"{side} {worth(start) if abs(start) < WIN else '∞' if start > 0 else '−∞'}"
    state = value if value in ("running", "cancelled") else ""
    title = f"{path}: {bound}, {value}, {format_count(task.nodes)} nodes"
    star = "★ " * (run.finished and task.move == run.move)
    # The value is that of the whole path
    texts = [f"{star}{path}  {'' if state else value}", star + quoted(task.move)]
    colour = COLOURS[run.moves.index(task.move) % len(COLOURS)]
    if len(tasks) > 1:
        state, bound, title, texts, colour = (
            "",
            "",
            f"{len(tasks)} tasks",
            [f"× {len(tasks)}"],
            GREY,
        )
    end = run.time if tasks[-1].end is None else tasks[-1].end
    x, y, width, high = (
        LEFT + task.start * scale,
        top + task.worker * LANE + 9,
        (end - task.start) * scale,
        LANE - 11,
    )
    parts = [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{high}" fill="{colour}"/>'
    ]
    if state == "cancelled":
        parts.append(_text(x + width - 5, y + high - 1, "✕"))
    for lines, baseline in ((texts, 11), ([bound], 23)):
        fitting = [text for text in lines if columns(text) * LETTER + 10 <= width]
        parts += [_text(x + 4, y + baseline, text) for text in fitting[:1]]
    return f'<g class="bar {state}"><title>{escape(title)}</title>{"".join(parts)}</g>'


def _task_value(task: TaskRecord) -> str:
    """Return the value with ≤ or ≥ where it is only a bound, "cancelled" or "running"."""
    if task.end is None or task.value is None:
        return "running" if task.end is None else "cancelled"
    alpha, beta = task.learnt[-1][1:] if task.learnt else (task.alpha, task.beta)
    sign = "≤ " if task.value <= alpha else "≥ " if task.value >= beta else ""
    return f"{sign}{worth(task.value)}"
