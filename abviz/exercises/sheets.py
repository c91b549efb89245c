"""A sheet of trees to be searched on paper, and its key: as PDF, or as an HTML page that prints well."""

import io
import warnings
from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

from abviz.errors import AbvizError, brief, columns, number, short, visible
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import cut_name, player
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import write_whole
from abviz.tree.model import Tree
from abviz.views.drawing import COLOURS, draw, draw_unsearched, letters
from abviz.views.rendering import Picture, Stroke, strokes

FORMATS = ("pdf", "html")
MAX_EXERCISES = 40
A4 = 595.28, 841.89  # points
MARGIN, GAP, LINE = 42, 26, 17
TITLE_HEIGHT, NAME_HEIGHT, HEADING_HEIGHT = 26, 30, 56  # of the title, the name line, the heading of an exercise
LARGEST_SCALE, LEAST_SCALE = 0.8, 0.25  # at most so large that two trees fit on a page; below, nothing can be read

INK = COLOURS["ink"]


class Blank(str):
    """A part that the key fills in and the student writes."""


Line = tuple[str | Blank, ...]


class Sheet:
    """Several trees on one sheet: Sheet([make_tree(7), make_tree(8)]).write("sheet.pdf").

    Every exercise states the rules under which it is marked. `write(path, key=True)` writes the same sheet filled in.
    """

    def __init__(self, trees: Sequence[Tree], *, rules: Rules = Rules(), title: str = "Alpha-beta by hand"):
        trees = list(trees)
        are_trees = all(isinstance(tree, Tree) and tree.root.children for tree in trees)
        if not are_trees or not 1 <= len(trees) <= MAX_EXERCISES:
            raise AbvizError(f"a sheet of {brief(trees)}; expected 1 to {MAX_EXERCISES} trees with a move to make")
        self.title = visible(title)
        self.traces = tuple(trace(tree, rules=rules) for tree in trees)

    def write(self, path: str | PathLike[str], *, key: bool = False) -> None:
        """Write a .pdf or .html file, whole or not at all."""
        write_whole(path, self.pdf(key=key) if check_format(path) == "pdf" else self.html(key=key).encode())

    def html(self, *, key: bool = False) -> str:
        title = escape(self._title(key))
        exercises = "\n".join(_html_exercise(place, each, key) for place, each in enumerate(self.traces, 1))
        name = '<p class="fill">Name: <span class="blank rest"></span> Date: <span class="blank"></span></p>'
        meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        head = f"{meta}<title>{title}</title><style>{CSS}</style>"
        body = f"<h1>{title}</h1>{'' if key else name}\n{exercises}"
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'

    def pdf(self, *, key: bool = False) -> bytes:
        """Return A4 pages; wide trees are drawn smaller. Raises AbvizError where one would be too small to read, and
        for letters that the font does not have."""
        from matplotlib.backends.backend_pdf import PdfPages

        file = io.BytesIO()
        with PdfPages(file, metadata={"Title": self.title, "Creator": "abviz", "CreationDate": None}) as pages:
            paper = _Paper(pages, key)
            with warnings.catch_warnings():
                warnings.filterwarnings("error", "Glyph", UserWarning)
                try:
                    paper.write_title(self._title(key))
                    for place, each in enumerate(self.traces, 1):
                        paper.write_exercise(place, each)
                    pages.savefig(paper.figure)
                except UserWarning as warning:
                    raise AbvizError(f"the font of PDF sheets lacks a letter ({warning}); expected .html") from None
        return file.getvalue()

    def _title(self, key: bool) -> str:
        return f"{self.title} – key" if key else self.title

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": f"<Sheet of {len(self.traces)} exercises>"}


def check_format(path: str | PathLike[str]) -> str:
    """Return the file's format; raise AbvizError for one that a sheet cannot have."""
    format = FilePath(path).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        raise AbvizError(f"cannot write a sheet as {visible(str(path))}; expected a name that ends in .pdf or .html")
    return format


# the questions


def _lines(trace: Trace) -> list[Line]:
    tree, read = trace.tree, set(trace.leaves)
    unread = [short(leaf.name) for leaf in tree.leaves() if leaf.name not in read]
    cuts = []
    for cut in trace.cuts:
        witness = f" by {short(cut.witness)}" if cut.witness else ""
        cuts.append(f"{cut_name(trace, cut.kind)}-cut at {short(cut.at)}{witness}{' (deep)' if cut.deep else ''}")
    return [
        ("a) Write α, β and bv into each node that the search enters, as they are when it leaves the node.",),
        ("b) Cross the edge to each child that is skipped, and write the kind of the cut next to it.",),
        (
            *(f"c) Value of {short(tree.root.name)}: ", Blank(number(trace.value))),
            *("  Best move: ", Blank(short(trace.best or "none"))),
            *("  Leaves read: ", Blank(len(trace.leaves)), f" of {len(read) + len(unread)}"),
        ),
        ("d) Leaves never read: ", Blank(", ".join(unread) or "none")),
        ("e) Each cut: its kind, where, and whose bound made it:",),
        ("    ", Blank("; ".join(cuts) or "none")),
    ]


def _heading(place: int, trace: Trace, key: bool) -> tuple[str, ...]:
    source = f" ({short(trace.tree.title, 60)})" if key and trace.tree.title else ""
    search = f"Alpha-beta, {player(trace.tree.root)} to move, the full window at the root."
    return f"Exercise {place}{source}", search, f"Rules: {trace.rules}."


def _picture(trace: Trace, key: bool) -> Picture:
    picture = draw(trace) if key else draw_unsearched(trace.tree, letters(trace))
    picture.title = picture.title if key else "A game tree"  # its own may give the answer away
    picture.body[:] = [line for line in picture.body if not line.startswith("\tlabel=")]  # the caption tells too much
    return picture


# HTML

CSS = """
body { font: 15px/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-bottom: 0; } .rules { margin-top: 0; font-size: .9em; }
section { break-inside: avoid; margin-bottom: 2rem; } svg { max-width: 100%; height: auto; }
.blank { display: inline-block; min-width: 6em; border-bottom: 1px solid; font-weight: bold; }
.fill { display: flex; flex-flow: wrap; align-items: baseline; gap: .5em; } .rest { flex: 1; } /* to the end */
@page { size: A4; margin: 15mm; } @media print { body { margin: 0; padding: 0; max-width: none; } }
"""


def _html_exercise(place: int, trace: Trace, key: bool) -> str:
    heading, *rules = map(escape, _heading(place, trace, key))
    svg = _picture(trace, key).pipe("svg", encoding="utf-8")
    lines = "".join(_html_line(line, key) for line in _lines(trace))
    head = f'<h2>{heading}</h2><p class="rules">{"<br>".join(rules)}</p>'
    return f"<section>{head}{svg[svg.index('<svg') :]}{lines}</section>"


def _html_line(line: Line, key: bool) -> str:
    parts = ""
    for part in line:
        kind = "" if not isinstance(part, Blank) else "blank rest" if part is line[-1] else "blank"
        parts += f'<span class="{kind}">{escape(part) if key or not kind else ""}</span>'
    return f'<p class="fill">{parts}</p>'


# PDF


class _Paper:
    """A4 pages of matplotlib's, filled from the top; one unit is a point."""

    def __init__(self, pages: Any, key: bool):
        self.pages, self.key = pages, key
        self.begin_page()

    def begin_page(self) -> None:
        from matplotlib.figure import Figure

        self.figure = Figure(figsize=(A4[0] / 72, A4[1] / 72))
        self.axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, A4[0]), ylim=(0, A4[1]))
        self.axes.axis("off")
        self.y = A4[1] - MARGIN

    def write_title(self, title: str) -> None:
        self._text(MARGIN, self.y - 14, short(title, 60), 14, bold=True)
        self.y -= TITLE_HEIGHT
        if not self.key:
            self._write(("Name: ", Blank(" " * 40), "  Date: ", Blank(" " * 12)))
            self.y -= NAME_HEIGHT - LINE

    def write_exercise(self, place: int, trace: Trace) -> None:
        """Write the exercise, on a new page where this one has no room left for it."""
        (width, height), items = strokes(_picture(trace, self.key))
        lines = _lines(trace)
        texts = HEADING_HEIGHT + LINE * len(lines) + GAP
        room = A4[1] - 2 * MARGIN - TITLE_HEIGHT - NAME_HEIGHT - texts  # for the picture, on the first page
        scale = min(LARGEST_SCALE, (A4[0] - 2 * MARGIN) / width, room / height)
        if scale < LEAST_SCALE:
            leaves = trace.frontier(trace.tree.root)
            raise AbvizError(
                f"a tree of {leaves} leaves is too large for a page of A4; expected a smaller one, or an .html file"
            )
        if self.y - texts - height * scale < MARGIN - 1:  # 1: what rounding may take of a page that is just full
            self.pages.savefig(self.figure)
            self.begin_page()
        heading, *rules = _heading(place, trace, self.key)
        self._text(MARGIN, self.y - 12, heading, 12, bold=True)
        for row, text in enumerate(rules):
            self._text(MARGIN, self.y - 28 - 13 * row, text, 8.5)
        self.y -= HEADING_HEIGHT + height * scale
        for item in items:
            self._draw(item, (A4[0] - width * scale) / 2, scale)
        self.y -= GAP / 2
        for line in lines:
            self._write(line)
        self.y -= GAP / 2

    def _write(self, line: Line) -> None:
        """Write one line of text; the last blank takes the room that is left."""
        self.y -= LINE
        x = float(MARGIN)
        for part in line:
            if not isinstance(part, Blank):
                x += self._text(x, self.y, part, 9.5).get_window_extent().width * 72 / self.figure.dpi
                continue
            room = A4[0] - MARGIN - x if part is line[-1] else max(44, 8 * columns(part))
            if self.key:
                size = min(9.5, 9.5 * room / (6.2 * max(1, columns(part))))
                self._text(x + 2, self.y, part, size, bold=True, colour=COLOURS["alpha"])
            self.axes.plot((x, x + room), (self.y - 2, self.y - 2), lw=0.6, color=COLOURS["faded"])
            x += room

    def _text(self, x: float, y: float, text: str, size: float, bold: bool = False, colour: str = INK) -> Any:
        look = {"size": size, "weight": "bold" if bold else "normal", "color": colour}
        # parse_math=False: between two dollar signs matplotlib would read mathematics
        return self.axes.text(x, y, text, family="DejaVu Sans", parse_math=False, **look)

    def _draw(self, stroke: Stroke, left: float, scale: float) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        points = [(left + x * scale, self.y + y * scale) for x, y in stroke.points]
        if stroke.kind == "text":
            self._text(*points[0], stroke.text, stroke.size * scale, stroke.bold, stroke.pen)
            return
        codes = [Path.MOVETO] + [Path.CURVE4 if stroke.kind == "curve" else Path.LINETO] * (len(points) - 1)
        if stroke.kind == "polygon":
            points, codes = [*points, points[0]], [*codes, Path.CLOSEPOLY]
        look = {"edgecolor": stroke.pen or "none", "facecolor": stroke.fill or "none", "lw": stroke.width * scale}
        self.axes.add_artist(PathPatch(Path(points, codes), ls="--" if stroke.dashed else "-", **look))
