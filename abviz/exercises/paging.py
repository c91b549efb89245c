"""A sheet of exercises as A4 pages: the pictures of `drawing` and the lines of text around them, in one graph.

Graphviz draws all of it, at the scale at which the widest tree fits. Lengths here are points on the paper.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from abviz.errors import AbvizError, columns, count, visible
from abviz.exercises.asking import Blank, Question, questions, rules_lines
from abviz.tracing.traces import Trace
from abviz.views.drawing import COLOURS, FONT, WIDTHS, draw, form, layout, node_sizes, readable
from abviz.views.rendering import Picture, rendered

SHORT_SIDE, LONG_SIDE = 595.28, 841.89  # A4
MARGIN, GAP = 42, 26  # around a page; between exercises
SMALLEST = 0.8  # a scale below which a page is turned
MOST_LEAVES = 60  # with values of two digits
LEAST = 0.2  # a scale below which nobody can read what stands in a tree
LINE, WRITING = 16, 22  # heights of a line to read and of one to write on
TITLE_HEIGHT, TITLE_SIZES = 24, range(16, 7, -1)  # from its usual letters to its smallest

STATEMENT = re.compile(r"^\t(n\d+)(?: -> (n\d+))?")


@dataclass(frozen=True)
class Line:
    parts: Question
    height: int = LINE
    size: float = 10
    bold: bool = False


NAME = Line(("Name: ", Blank("", 250), "   Date: ", Blank("")), 26)


@dataclass(frozen=True)
class Block:
    """One exercise, which stays on one page."""

    trace: Trace
    lines_above: tuple[Line, ...]
    size: tuple[float, float]  # of the tree, before it is scaled
    places: dict[int, tuple[float, float]]
    lines_below: tuple[Line, ...]

    def height(self, scale: float) -> float:
        return self.size[1] * scale + sum(line.height for line in self.lines_above + self.lines_below) + LINE


class Pages:
    """All that stands on the pages of a sheet, and where."""

    def __init__(self, title: str, traces: tuple[Trace, ...], *, key: bool):
        self.key = key
        self.blocks = [_block(number, trace, key) for number, trace in enumerate(traces, 1)]
        upright = self._scale(SHORT_SIDE, LONG_SIDE)
        turned = self._scale(LONG_SIDE, SHORT_SIDE)
        is_turned = upright < SMALLEST and turned > upright
        self.width, self.height = (LONG_SIDE, SHORT_SIDE) if is_turned else (SHORT_SIDE, LONG_SIDE)
        self.scale = turned if is_turned else upright
        check_scale(self.scale, traces)
        self.head = _title(visible(title), self.width - 2 * MARGIN), NAME
        self.picture = Picture()
        self.picture.attr(layout="nop", notranslate="true", splines="line", margin="0", pad="0", fontname=FONT)
        self.picture.attr(bgcolor=COLOURS["paper"], tooltip=" ")
        self.count = self._fill()

    def _scale(self, width: float, height: float) -> float:
        """At which every exercise fits on a page."""
        text = TITLE_HEIGHT + NAME.height + GAP + max(block.height(0) for block in self.blocks)
        widest, highest = (max(block.size[side] for block in self.blocks) for side in (0, 1))
        return min(1.0, (width - 2 * MARGIN) / widest, (height - 2 * MARGIN - text) / highest)

    def svg(self) -> bytes:
        """All pages in one picture, one below the other."""
        return self._shown("svg", self.count, 0)

    def pdf(self) -> list[bytes]:
        return [self._shown("pdf", 1, page) for page in range(self.count)]

    def _shown(self, format: str, pages: int, first: int) -> bytes:
        wide, high = self.width, self.height * pages
        x, y = wide / 2 / self.scale, -(self.height * first + high / 2) / self.scale
        view = f'\tviewport="{wide:.2f},{high:.2f},{self.scale:.5f},{x:.2f},{y:.2f}"\n'
        return rendered(self.picture.source.replace("{\n", "{\n" + view, 1), format)

    def _fill(self) -> int:
        """Write it all, and say on how many pages."""
        page, y = 0, float(MARGIN)
        for line in self.head:
            y = self._write(line, y)
        y += GAP
        for number, block in enumerate(self.blocks):
            if number and y + GAP + block.height(self.scale) > (page + 1) * self.height - MARGIN:
                page += 1
                y = page * self.height + MARGIN
            elif number:
                y += GAP
            y = self._place(number, block, y)
        return page + 1

    def _place(self, number: int, block: Block, y: float) -> float:
        for line in block.lines_above:
            y = self._write(line, y)
        y += LINE / 2
        left = (self.width - block.size[0] * self.scale) / 2
        picture = draw(block.trace) if self.key else form(block.trace.tree)
        for statement in picture.body:
            if statement.startswith(("\tnode [", "\tedge [")):
                self.picture.body.append(statement)
            elif STATEMENT.match(statement):
                self.picture.body.append(STATEMENT.sub(lambda found: _renamed(found, number), statement))
        for index, (node_x, node_y) in block.places.items():
            self._pin(f"e{number}n{index}", left / self.scale + node_x, -y / self.scale - node_y)
        y += block.size[1] * self.scale + LINE / 2
        for line in block.lines_below:
            y = self._write(line, y)
        return y

    def _pin(self, name: str, x: float, y: float, **look: str) -> None:
        self.picture.node(name, pos=f"{x:.2f},{y:.2f}", **look)

    def _write(self, line: Line, y: float) -> float:
        wide, high = self.width - 2 * MARGIN, line.height
        cells = "".join(self._cells(line, wide))
        label = f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>>'
        look = {"shape": "plain", "label": label, "style": "", "fixedsize": "false", "tooltip": " ", "fontname": FONT}
        self._pin(f"t{len(self.picture.body)}", self.width / 2 / self.scale, -(y + high / 2) / self.scale, **look)
        return y + high

    def _cells(self, line: Line, wide: float) -> Iterator[str]:
        """Together as wide as the page: the last cell of a line, a blank or an empty one, takes what is left."""
        left = wide
        for part in line.parts:
            last = part is line.parts[-1]
            if isinstance(part, Blank):
                left -= part.width
                room = part.width or left
                size = min(line.size, line.size * room / max(1, _estimate(part.answer, 1.15 * line.size)))
                yield self._cell(part.answer if self.key else "", room, line, size, written=True)
            else:
                room = left if last else _estimate(part, line.size)
                left -= room
                yield self._cell(part, room, line, line.size)
        if isinstance(line.parts[-1], Blank) and line.parts[-1].width:
            yield self._cell("", left, line, line.size)

    def _cell(self, text: str, room: float, line: Line, size: float, written: bool = False) -> str:
        ink = COLOURS["alpha" if written else "ink"]
        shown = f'<font point-size="{size / self.scale:.1f}" color="{ink}">{_html(text)}</font>' if text else " "
        shown = f"<b>{shown}</b>" if text and (line.bold or written) else shown
        under = f'border="1" sides="b" color="{COLOURS["faded"]}"' if written else 'border="0"'
        measures = f'width="{room / self.scale:.0f}" height="{line.height / self.scale:.0f}"'
        return f'<td align="left" valign="bottom" {under} {measures}>{shown}</td>'


def check_scale(scale: float, traces: tuple[Trace, ...]) -> None:
    """Whether the trees can be read where they are drawn so small that the widest of them fits."""
    if scale < LEAST:
        leaves = max(len(list(trace.tree.leaves())) for trace in traces)
        told = f"a tree with {count(leaves, 'leaf', 'leaves')} is too large for a sheet: on A4 nobody could read it"
        expected = "some 60 leaves or fewer" if leaves > MOST_LEAVES else "shorter values and names"
        raise AbvizError(f"{told}; expected {expected}")


def _title(title: str, wide: float) -> Line:
    """In letters so small that it fits; what is still too long ends in …"""
    size = next((size for size in TITLE_SIZES if _estimate(title, 1.15 * size) <= wide), TITLE_SIZES[-1])
    while _estimate(title, 1.15 * size) > wide:
        title = title.removesuffix("…")[:-1] + "…"
    return Line((title,), TITLE_HEIGHT, size, bold=True)


def _estimate(text: str, size: float) -> float:
    """How wide the text is, about."""
    return size * sum(1.2 if columns(letter) == 2 else WIDTHS.get(letter, 0.62) for letter in text)


def _html(text: str) -> str:
    """Spaces at its ends count."""
    inner = escape(text).replace("\\", "\\\\")
    lead, trail = len(text) - len(text.lstrip(" ")), len(text) - len(text.rstrip(" "))
    return "&#160;" * lead + inner.strip(" ") + "&#160;" * trail


def _renamed(statement: re.Match[str], number: int) -> str:
    first, second = statement.groups()
    return f"\te{number}{first}" + (f" -> e{number}{second}" if second else "")


def _block(number: int, trace: Trace, key: bool) -> Block:
    tree = trace.tree
    part = readable(tree, None)
    size, places = layout(part, node_sizes(tree, part, 3))
    asked = [
        Line((f"{chr(ord('a') + place)})  ", *question), WRITING if len(question) > 1 else LINE)
        for place, question in enumerate(questions(trace))
    ]
    source = f" ({visible(tree.title)})" if key and tree.title else ""
    heading = Line((f"Exercise {number}{source}",), 20, 12, bold=True)
    above = heading, *(Line((text,), 14, 9) for text in rules_lines(trace))
    return Block(trace, above, size, places, tuple(asked))
