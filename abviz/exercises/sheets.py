"""A sheet of trees to be searched on paper, and its key: as PDF, or as HTML that prints well."""

import io
import textwrap
from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from abviz.capabilities import require
from abviz.errors import AbvizError, brief, number, short, visible
from abviz.exercises.exercise import progress
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import cut_name, player
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import write_whole
from abviz.tree.model import Tree
from abviz.views.drawing import draw, draw_unsearched, letters
from abviz.views.rendering import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "html")
MAX_EXERCISES = 40
A4 = 595.28, 841.89  # points
MARGIN = 42  # points
WIDTH = 511  # points
TEXT_WIDTH = 98  # letters of a line
LEADING = 1.8  # from line to line, in sizes of the letters
DPI = 200  # of a picture
LEAST_SCALE = 0.25  # of a picture; if it is smaller, nothing can be read


class Sheet:
    """Several trees on one sheet: Sheet([make_tree(7), make_tree(8)]).write("sheet.pdf").

    Every exercise states the rules under which it is marked. `write(path, key=True)` writes the
    same sheet filled in.
    """

    def __init__(
        self, trees: Sequence[Tree], *, rules: Rules = Rules(), title: str = "Alpha-beta by hand"
    ):
        trees = list(trees)
        are_trees = all(isinstance(tree, Tree) and tree.root.children for tree in trees)
        if not are_trees or not 1 <= len(trees) <= MAX_EXERCISES:
            expected = f"1 to {MAX_EXERCISES} trees with a move to make"
            raise AbvizError(f"a sheet of {brief(trees)}; expected {expected}")
        self.title = visible(title)
        self.traces = tuple(trace(tree, rules=rules) for tree in trees)

    def write(self, path: str | PathLike[str], *, key: bool = False) -> None:
        """Write a .pdf or .html file, whole or not at all."""
        is_pdf = check_format(path) == "pdf"
        write_whole(path, self.pdf(key=key) if is_pdf else self.html(key=key).encode())

    def html(self, *, key: bool = False) -> str:
        """Return a page that prints well."""
        parts = [HEAD.replace("TITLE", escape(self._title(key)))]
        if not key:
            parts.append(f"<p>{NAME}</p>")

        for place, each in enumerate(self.traces, 1):
            heading, *rules = map(escape, _heading(place, each, key))
            svg = _picture(each, key).pipe("svg", encoding="utf-8")
            lines = [f"<p>{escape(line)}</p>" for line in _lines(each, key)]
            head = f"<section><h2>{heading}</h2><p>{'<br>'.join(rules)}</p>"
            parts += [head, svg[svg.index("<svg") :], *lines, "</section>"]
        return "\n".join(parts)

    def pdf(self, *, key: bool = False) -> bytes:
        """Return A4 pages, one for each exercise; wide trees are drawn smaller.

        Raises AbvizError where one would be too small to read.
        """
        require("matplotlib", "a sheet as PDF", "a name that ends in .html")
        from matplotlib.backends.backend_pdf import PdfPages

        file = io.BytesIO()
        title = [short(self._title(key), 60), "" if key else NAME]
        metadata = {"Title": self.title, "Creator": "abviz", "CreationDate": None}
        with PdfPages(file, metadata=metadata) as pages:
            for place, each in enumerate(progress(self.traces, "Drawing", len(self.traces)), 1):
                pages.savefig(_page(title, place, each, key))
        return file.getvalue()

    def _title(self, key: bool) -> str:
        return f"{self.title} – key" if key else self.title

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": f"<Sheet of {len(self.traces)} exercises>"}


def check_format(path: str | PathLike[str]) -> str:
    """Return the file's format; raise AbvizError for one that a sheet cannot have."""
    format = FilePath(path).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        found = f"cannot write a sheet as {visible(str(path))}"
        raise AbvizError(f"{found}; expected a name that ends in .pdf or .html")
    return format


# what stands on it

NAME = f"Name: {'_' * 30}  Date: {'_' * 12}"
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>TITLE</title><style>
body { font: 15px/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; }
p { margin: .4em 0; overflow-wrap: anywhere; white-space: pre-wrap; }
section { break-inside: avoid; margin-bottom: 2rem; } svg { max-width: 100%; height: auto; }
@page { size: A4; margin: 15mm; } @media print { body { margin: 0; padding: 0; max-width: none; } }
</style>
<h1>TITLE</h1>"""


def _heading(place: int, trace: Trace, key: bool) -> tuple[str, str, str]:
    source = f" ({short(trace.tree.title, 60)})" if key and trace.tree.title else ""
    search = f"Alpha-beta, {player(trace.tree.root)} to move, the full window at the root."
    return f"Exercise {place}{source}", search, f"Rules: {trace.rules}."


def _picture(trace: Trace, key: bool) -> Picture:
    picture = draw(trace) if key else draw_unsearched(trace.tree, letters(trace))
    picture.title = picture.title if key else "A game tree"  # its own may give the answer away
    # The caption tells too much
    picture.body[:] = [line for line in picture.body if not line.startswith("\tlabel=")]
    return picture


def _lines(trace: Trace, key: bool) -> list[str]:
    """Return the questions, with the answers or blanks to fill in."""
    tree = trace.tree
    unread = [short(leaf.name) for leaf in tree.leaves() if leaf.name not in trace.leaves]
    cuts = []
    for cut in trace.cuts:
        witness = f" by {short(cut.witness)}" if cut.witness else ""
        deep = " (deep)" if cut.deep else ""
        cuts.append(f"{cut_name(trace, cut.kind)}-cut at {short(cut.at)}{witness}{deep}")

    def blank(length: int, answer: str) -> str:
        return answer if key else "_" * length

    root = f"c) Value of {short(tree.root.name)}: {blank(8, number(trace.value))}"
    best = f"Best move: {blank(8, short(trace.best or 'none'))}"
    read = f"Leaves read: {blank(6, str(len(trace.leaves)))} of {len(list(tree.leaves()))}"
    unread_leaves = blank(50, ", ".join(unread) or "none")
    each_cut = blank(90, "; ".join(cuts) or "none")
    return [
        "a) Write α, β and bv into each node that the search enters, "
        "as they are when it leaves the node.",
        "b) Cross the edge to each child that is skipped, "
        "and write the kind of the cut next to it.",
        f"{root}   {best}   {read}",
        f"d) Leaves never read: {unread_leaves}",
        f"e) Each cut: its kind, where, and whose bound made it: {each_cut}",
    ]


def _page(title: list[str], place: int, trace: Trace, key: bool) -> "Figure":
    """Return the exercise as a page of matplotlib's, from its top to its foot."""
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    heading, *rules = _heading(place, trace, key)
    lines = [row for line in _lines(trace, key) for row in textwrap.wrap(line, TEXT_WIDTH)]
    page_width, page_height = A4

    figure = Figure(figsize=(page_width / 72, page_height / 72))
    y = _write(figure, page_height - MARGIN, [*title, heading], 11)
    y = _write(figure, y, [*rules, ""], 8.5)

    picture = _picture(trace, key)
    picture.attr(dpi=str(DPI))
    image = imread(io.BytesIO(picture.pipe("png")))
    height, width = (72 * size / DPI for size in image.shape[:2])

    left = y - MARGIN - LEADING * 9.5 * len(lines)
    scale = min(1.0, WIDTH / width, left / height)
    if scale < LEAST_SCALE:
        leaves = trace.frontier(trace.tree.root)
        found = f"a tree of {leaves} leaves is too large for a page of A4"
        raise AbvizError(f"{found}; expected a smaller one, or an .html file")

    # In shares of the page: left, bottom, width, height
    width = width * scale / page_width
    y -= height * scale
    axes = figure.add_axes((0.5 - width / 2, y / page_height, width, height * scale / page_height))
    axes.imshow(image, interpolation="none")
    axes.axis("off")
    _write(figure, y, lines, 9.5)
    return figure


def _write(figure: "Figure", y: float, lines: list[str], size: float) -> float:
    """Write the lines below y, and return where the last one stands.

    Heights are in points from the foot of the page.
    """
    page_width, page_height = A4
    for line in lines:
        y -= LEADING * size
        figure.text(
            MARGIN / page_width,
            y / page_height,
            line,
            size=size,
            family="DejaVu Sans",
            # Between two dollar signs matplotlib would read mathematics
            parse_math=False,
        )
    return y
