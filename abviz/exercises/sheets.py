"""A sheet of trees to be searched on paper, and its key: as PDF, or as HTML that prints well."""

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple

from abviz.capabilities import require
from abviz.errors import AbvizError, brief, number, short, unknown, visible
from abviz.exercises.exercise import progress
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import cut_name, player
from abviz.tracing.templates import lettered
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import write_whole
from abviz.tree.model import Tree
from abviz.views.drawing import draw_solved, draw_unsearched
from abviz.views.rendering import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "html")
MAX_EXERCISES = 40

# What a sheet can ask for, in the order of its questions
QUESTIONS = ("bounds", "values", "leaves", "cuts")


def too_many(number: int) -> str:
    """Return what is said of more trees than a sheet has room for."""
    return (
        f"at most {MAX_EXERCISES} trees on a sheet, and not {number:,}; "
        f"expected 1 to {MAX_EXERCISES} trees with a move to make"
    )


class Paper(NamedTuple):
    """A sheet of paper. Lengths are in points."""

    name: str
    width: float
    height: float

    def turned(self) -> "Paper":
        return Paper(f"{self.name} landscape", self.height, self.width)


PAPERS = {"a4": Paper("A4", 595.28, 841.89), "letter": Paper("letter", 612, 792)}
MARGIN = 36  # points

# In points
TITLE_SIZE = 13
HEADING_SIZE = 11.5
TEXT_SIZE = 9.5
MOST_BELOW = 2_000  # letters below a tree; with more an exercise has several pages, in HTML
LEADING = 1.5  # from line to line, in sizes of the letters
GAP = 8  # above and below the picture

# Of a picture: smaller it cannot be read, and larger is no use
MANY_LEAVES = 16  # more stand close together
LEAST_SCALE = 0.25
MOST_SCALE = 2.0


class Sheet:
    """Several trees on one sheet: Sheet([make_tree(7), make_tree(8)]).write("sheet.pdf").

    Every exercise states the rules under which it is marked. `write(path, key=True)` writes the
    same sheet filled in. `ask` chooses among its questions, and `student` is whose sheet it is.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        *,
        rules: Rules = Rules(),
        title: str = "Alpha-beta by hand",
        paper: str = "a4",
        landscape: bool = False,
        ask: Collection[str] = QUESTIONS,
        student: str = "",
    ):
        trees = list(trees)
        are_trees = all(isinstance(tree, Tree) and tree.root.children for tree in trees)
        if len(trees) > MAX_EXERCISES:
            raise AbvizError(too_many(len(trees)))
        if not are_trees or not 1 <= len(trees) <= MAX_EXERCISES:
            expected = f"1 to {MAX_EXERCISES} trees with a move to make"
            raise AbvizError(f"a sheet of {brief(trees)}; expected {expected}")

        self.paper = paper_of(paper, landscape)
        self.asked = questions_of(ask)
        self.title = visible(title)
        self.student = visible(student)
        self.traces = tuple(trace(tree, rules=rules) for tree in trees)

    def write(self, path: str | PathLike[str], *, key: bool = False) -> None:
        """Write a .pdf or .html file, whole or not at all."""
        is_pdf = check_format(path) == "pdf"
        write_whole(path, self.pdf(key=key) if is_pdf else self.html(key=key).encode())

    def html(self, *, key: bool = False) -> str:
        """Return a document that prints as the PDF does: one page for each exercise."""
        title = escape(self._title(key))
        width, height = (f"{length - 2 * MARGIN:.2f}pt" for length in self.paper[1:])
        head = HEAD.replace("TITLE", title)
        parts = [head.replace("PAPER", self.paper.name).replace("HIGH", height)]
        parts[0] = parts[0].replace("WIDE", width)

        for exercise in self._exercises(key):
            svg = exercise.picture.pipe("svg", encoding="utf-8")
            above = [f"<p>{escape(line)}</p>" for line in exercise.above]
            below = [f"<p>{escape(line)}</p>" for line in exercise.below]
            is_long = sum(map(len, exercise.below)) > MOST_BELOW
            parts += [
                f"<section{' class=long' if is_long else ''}>",
                f"<header><h1>{title}</h1><p>{escape(self._name(key))}</p></header>",
                f"<h2>{escape(exercise.heading)}</h2>",
                *above,
                _as_large_as_fits(svg[svg.index("<svg") :]),
                *below,
                "</section>",
            ]
        return "\n".join(parts)

    def pdf(self, *, key: bool = False) -> bytes:
        """Return a page for each exercise, its tree as large as there is room for.

        Raises AbvizError where one would be too small to read.
        """
        require("matplotlib", "a sheet as PDF", "a name that ends in .html")
        from matplotlib.backends.backend_pdf import PdfPages

        from abviz.views.vectors import selectable

        file = io.BytesIO()
        metadata = {"Title": self.title, "Creator": "abviz", "CreationDate": None}
        every = self._exercises(key)
        with selectable(), PdfPages(file, metadata=metadata) as pages:
            for exercise in progress(every, "Drawing", len(every)):
                pages.savefig(self._page(exercise, key))
        return file.getvalue()

    def missing_letters(self) -> str:
        """Return the letters that are boxes in the PDF, since no font of this computer has them."""
        from abviz.views.vectors import missing

        names = (node.name for run in self.traces for node in run.tree.nodes)
        return missing("".join([self.title, self.student, *names]))

    def _title(self, key: bool) -> str:
        return f"{self.title} – key" if key else self.title

    def _name(self, key: bool) -> str:
        """Return whose sheet it is, or room for that."""
        if self.student:
            return self.student
        return "" if key else NAME

    def _exercises(self, key: bool) -> "list[Exercise]":
        return [
            Exercise.of(place, each, self.asked, key) for place, each in enumerate(self.traces, 1)
        ]

    def _page(self, exercise: "Exercise", key: bool) -> "Figure":
        """Return the exercise as a page of matplotlib's, from its top to its foot."""
        from matplotlib.figure import Figure

        from abviz.views.vectors import Drawing

        _, width, height = self.paper
        figure = Figure(figsize=(width / 72, height / 72))
        page = Page(figure, width - 2 * MARGIN, height - MARGIN)

        page.write_title(short(self._title(key), 60), self._name(key))
        page.write([exercise.heading], HEADING_SIZE, weight="bold")
        page.write(exercise.above, TEXT_SIZE)

        rows = page.wrapped(exercise.below, TEXT_SIZE)
        foot = LEADING * TEXT_SIZE * len(rows)
        room = page.y - MARGIN - foot - 2 * GAP
        drawing = Drawing.of(exercise.picture.pipe("svg", encoding="utf-8"))
        scale = min(MOST_SCALE, page.width / drawing.width, room / drawing.height)
        if scale < LEAST_SCALE:
            leaves = len(list(exercise.tree.leaves()))
            found = f"a tree of {leaves} leaves is too large for a page of {self.paper.name}"
            raise AbvizError(f"{found}; expected a smaller one, or an .html file")

        left = (width - scale * drawing.width) / 2
        drawing.draw(figure, left, page.y - GAP, scale)
        page.y -= scale * drawing.height + 2 * GAP
        page.write_rows(rows, TEXT_SIZE)
        return figure

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": f"<Sheet of {len(self.traces)} exercises>"}


def check_format(path: str | PathLike[str]) -> str:
    """Return the file's format; raise AbvizError for one that a sheet cannot have."""
    format = FilePath(path).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        found = f"cannot write a sheet as {visible(str(path))}"
        raise AbvizError(f"{found}; expected a name that ends in .pdf or .html")
    return format


def paper_of(name: str, landscape: bool = False) -> Paper:
    """Return the paper of that name; raise AbvizError where there is none."""
    if name.lower() not in PAPERS:
        raise unknown("paper", name, PAPERS)
    paper = PAPERS[name.lower()]
    return paper.turned() if landscape else paper


def questions_of(names: Collection[str]) -> tuple[str, ...]:
    """Return the questions of these names, in their order; raise AbvizError for others."""
    for name in names:
        if name not in QUESTIONS:
            raise unknown("question of a sheet", name, QUESTIONS)
    if not names:
        raise AbvizError(f"a sheet asks nothing; expected some of {', '.join(QUESTIONS)}")
    return tuple(name for name in QUESTIONS if name in names)


# what stands on it

NAME = f"Name: {'_' * 30}  Date: {'_' * 12}"
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>TITLE</title><style>
body { font: 9.5pt/1.5 "DejaVu Sans", Helvetica, Arial, sans-serif; margin: 0 auto; }
body { max-width: WIDE; padding: 0 1rem; color: #1f2328; background: #fff; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; }
h1 { font-size: 13pt; margin: 0 1em 0 0; } h2 { font-size: 11.5pt; margin: .4em 0 .2em; }
p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
section { margin: 2rem 0; }
svg { display: block; width: 100%; height: auto; margin: 8pt auto; }
@page { size: PAPER; margin: 36pt; }
@media print {
  body { padding: 0; max-width: none; }
  section { margin: 0; }
  section:not(.long) { box-sizing: border-box; height: calc(HIGH - 1px); break-inside: avoid; }
  section:not(.long) { display: flex; flex-direction: column; }
  section + section { break-before: page; }
  svg { flex: 0 1 auto; min-height: 0; }
}
</style>"""
BV = (
    "bv, the best value below, is the best value that a child has returned so far; "
    "before the first one it is −∞ at a MAX node, and ∞ at a MIN node."
)


@dataclass(frozen=True)
class Exercise:
    """A tree on a sheet, with what stands above and below it; as text, filled in on a key."""

    tree: Tree
    picture: Picture
    heading: str
    above: list[str]
    below: list[str]

    @classmethod
    def of(cls, place: int, trace: Trace, asked: Sequence[str], key: bool) -> "Exercise":
        """Return the exercise with that number."""
        source = f" ({short(trace.tree.title, 60)})" if key and trace.tree.title else ""
        search = f"Alpha-beta, {player(trace.tree.root)} to move, the full window at the root."
        explained = [lettered(BV)] if "values" in asked else []
        return cls(
            trace.tree,
            _picture(trace, asked, key),
            f"Exercise {place}{source}",
            [search, f"Rules: {trace.rules}.", *explained],
            _questions(trace, asked, key),
        )


def _letters(asked: Sequence[str]) -> list[str]:
    """Return the letters that are written into the nodes."""
    letters = ["α", "β"] if "bounds" in asked else []
    if "values" in asked:
        letters.append("bv")
    return letters


def _picture(trace: Trace, asked: Sequence[str], key: bool) -> Picture:
    letters = dict.fromkeys(_letters(asked), "")
    is_tight = len(list(trace.tree.leaves())) > MANY_LEAVES
    if key:
        picture = draw_solved(trace, letters, is_tight=is_tight)
    else:
        picture = draw_unsearched(trace.tree, letters, is_tight=is_tight)
    picture.title = picture.title if key else "A game tree"  # its own may give the answer away
    return picture


def _as_large_as_fits(svg: str) -> str:
    """Return the SVG with its most width, in place of a width and a height."""
    width, height = map(float, svg.split('viewBox="')[1].split('"')[0].split()[2:])
    start, rest = svg.split(">", 1)
    words = [word for word in start.split() if not word.startswith(("width=", "height="))]
    most = f"max-width: {MOST_SCALE * width:.0f}pt; max-height: {MOST_SCALE * height:.0f}pt"
    return f'{" ".join(words)} style="{most}">{rest}'


def _questions(trace: Trace, asked: Sequence[str], key: bool) -> list[str]:
    """Return the questions, with the answers or blanks to fill in."""
    tree = trace.tree
    root = short(tree.root.name)

    def blank(length: int, answer: str) -> str:
        return answer if key else "_" * length

    questions = []
    if letters := _letters(asked):
        *others, last = map(lettered, letters)
        named = f"{', '.join(others)} and {last}" if others else last
        questions.append(
            f"Write {named} into each node that the search enters, as "
            f"{'it is' if not others else 'they are'} when it leaves the node."
        )
    if "cuts" in asked:
        questions.append(
            "Cross the edge to each child that is skipped, "
            "and write the kind of the cut next to it."
        )

    sums = []
    if "values" in asked:
        sums.append(f"Value of {root}: {blank(8, number(trace.value))}")
        sums.append(f"Best move: {blank(8, short(trace.best or 'none'))}")
    if "leaves" in asked:
        leaves = len(list(tree.leaves()))
        sums.append(f"Leaves read: {blank(6, str(len(trace.leaves)))} of {leaves}")
    if sums:
        questions.append("   ".join(sums))

    if "leaves" in asked:
        unread = [short(leaf.name) for leaf in tree.leaves() if leaf.name not in trace.leaves]
        questions.append(f"Leaves never read: {blank(50, ', '.join(unread) or 'none')}")
    if "cuts" in asked:
        each_cut = blank(90, "; ".join(_cuts(trace)) or "none")
        questions.append(f"Each cut: its kind, where, and whose bound made it: {each_cut}")

    return [f"{letter}) {question}" for letter, question in zip("abcde", questions, strict=False)]


def _cuts(trace: Trace) -> list[str]:
    cuts = []
    for cut in trace.cuts:
        witness = f" by {short(cut.witness)}" if cut.witness else ""
        deep = " (deep)" if cut.deep else ""
        cuts.append(f"{cut_name(trace, cut.kind)}-cut at {short(cut.at)}{witness}{deep}")
    return cuts


# a page of the PDF


@dataclass
class Page:
    """A page that is written from its top to its foot. Lengths are in points."""

    figure: "Figure"
    width: float  # of the text
    y: float  # where the next line begins, from the foot of the page

    def write_title(self, title: str, name: str) -> None:
        """Write both on one line, where there is room for them."""
        from abviz.views.vectors import text_width

        if text_width(f"{title}   ", TITLE_SIZE) * 1.1 + text_width(name, TEXT_SIZE) > self.width:
            self.write([title], TITLE_SIZE, weight="bold")
            self.write([name] if name else [], TEXT_SIZE)
            return

        y = self.y
        self.write([title], TITLE_SIZE, weight="bold")
        self._put(name, MARGIN + self.width, y - TITLE_SIZE, TEXT_SIZE, ha="right")

    def write(self, lines: Sequence[str], size: float, **look: object) -> None:
        self.write_rows(self.wrapped(lines, size), size, **look)

    def write_rows(self, rows: Sequence[str], size: float, **look: object) -> None:
        """Write lines that are known to fit."""
        for row in rows:
            self._put(row, MARGIN, self.y - size, size, **look)
            self.y -= LEADING * size

    def _put(self, text: str, x: float, y: float, size: float, **look: object) -> None:
        from abviz.views.vectors import write

        width, height = (72 * inches for inches in self.figure.get_size_inches())
        write(self.figure, (x / width, y / height), text, size, **look)

    def wrapped(self, lines: Sequence[str], size: float) -> list[str]:
        """Return the lines, broken where they are too long."""
        return [row for line in lines for row in _wrapped(line, self.width, size)]


def _wrapped(line: str, width: float, size: float) -> list[str]:
    """Return the line in rows of at most that width.

    It is broken between words, or within one that is too long by itself.
    """
    from abviz.views.vectors import text_width

    rows = []
    row = ""
    for word in line.split(" "):
        longer = f"{row} {word}" if row else word
        if text_width(longer, size) <= width:
            row = longer
            continue

        if row:
            rows.append(row)
        row = word
        while text_width(row, size) > width:
            most = next(
                end for end in range(len(row), 0, -1) if text_width(row[:end], size) <= width
            )
            rows.append(row[:most])
            row = row[most:]
    return [*rows, row]
