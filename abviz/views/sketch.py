"""A picture without Graphviz: the tree laid out as the page lays it out, and drawn as SVG.

It reads the same attributes as Graphviz, as far as our pictures have them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from math import atan2, cos, radians, sin

from abviz.views.looks import GAP, RANK_GAP, text_width

Look = dict[str, str]  # attributes of Graphviz
Point = tuple[float, float]  # in points, y downwards
Size = tuple[float, float]

PAD = 4.0  # around the picture
BASELINE = 0.36  # below the middle of a line, in units of the font's size
LINE = 1.2  # the height of a line, in the same units
ROUNDED = 9.0  # the corners of a leaf
BAR = 6.0  # half the length of the bars across a cut edge, and how far they are from its end
FONT_SIZE = 12.0


@dataclass
class Parts:
    """The attributes of a picture: of the whole, of its nodes, and of its edges."""

    whole: Look = field(default_factory=dict)
    nodes: dict[str, Look] = field(default_factory=dict)
    edges: dict[tuple[str, str], Look] = field(default_factory=dict)

    def shown(self) -> list[str]:
        """Return the names of the nodes that can be seen, each after the one above it."""
        return [name for name, look in self.nodes.items() if look.get("style") != "invis"]

    def placed(self) -> tuple[Size, dict[str, Point]]:
        """Return the size of the tree, and the center of each node."""
        names = self.shown()
        numbers = {name: number for number, name in enumerate(names)}
        below: list[list[int]] = [[] for _ in names]
        for parent, child in self.edges:
            if child in numbers:
                below[numbers[parent]].append(numbers[child])

        gap = 72 * float(self.whole["nodesep"]) if "nodesep" in self.whole else GAP
        size, centers = layout(below, [self.size_of(name) for name in names], gap)
        return size, dict(zip(names, centers, strict=True))

    def size_of(self, name: str) -> Size:
        look = self.nodes[name]
        return 72 * float(look["width"]), 72 * float(look["height"])


def layout(
    below: Sequence[Sequence[int]], sizes: Sequence[Size], gap: float = GAP
) -> tuple[Size, list[Point]]:
    """Return the size of a tree, and the center of each node.

    `below` holds the children of each node; node 0 is the root, and every other node has a higher
    number than the one above it. Rows go from top to bottom, siblings from left to right, and each
    parent is in the middle above all that is below it. The page does the same: core/layout.js.
    """
    widths = [0.0] * len(sizes)  # of a node with all below it
    spans = [0.0] * len(sizes)  # of its children alone
    for node in reversed(range(len(sizes))):
        spans[node] = sum(widths[child] + gap for child in below[node]) - gap
        widths[node] = max(sizes[node][0], spans[node])

    lefts = [0.0] * len(sizes)
    levels = [0] * len(sizes)
    heights: list[float] = []  # of the rows: each is as high as its highest node
    for node, children in enumerate(below):
        level = levels[node]
        if level == len(heights):
            heights.append(0.0)
        heights[level] = max(heights[level], sizes[node][1])

        left = lefts[node] + (widths[node] - spans[node]) / 2
        for child in children:
            lefts[child] = left
            levels[child] = level + 1
            left += widths[child] + gap

    tops = [0.0]
    for height in heights:
        tops.append(tops[-1] + height + RANK_GAP)

    centers = [
        (lefts[node] + widths[node] / 2, tops[levels[node]] + sizes[node][1] / 2)
        for node in range(len(sizes))
    ]
    return (widths[0], tops[-1] - RANK_GAP), centers


def svg(parts: Parts) -> str:
    """Return the picture as an SVG document."""
    (tree_width, tree_height), centers = parts.placed()
    caption = _lines(parts.whole.get("label", ""), FONT_SIZE)
    width = max(tree_width, *(line.width for line in caption), 0.0) + 2 * PAD
    height = tree_height + sum(line.height for line in caption) + 2 * PAD

    # The tree stands in the middle above its caption
    left = (width - tree_width) / 2
    places = {name: (left + x, PAD + y) for name, (x, y) in centers.items()}

    paper = parts.whole.get("bgcolor", "#ffffff")
    drawn = [f'<polygon fill="{paper}" stroke="none" points="{_corners(0, 0, width, height)}"/>']
    drawn += _texts(caption, (width / 2, PAD + tree_height), ink="")
    for name, place in places.items():
        drawn.append(_node(name, parts.nodes[name], parts.size_of(name), place))
    for (parent, child), look in parts.edges.items():
        if child in places:
            (x1, y1), (x2, y2) = places[parent], places[child]
            start = x1, y1 + parts.size_of(parent)[1] / 2
            end = x2, y2 - parts.size_of(child)[1] / 2
            drawn.append(_edge(look, start, end, paper))

    wide, high = round(width), round(height)
    body = "\n".join(drawn)
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        f'<svg width="{wide}pt" height="{high}pt" viewBox="0 0 {width:.2f} {height:.2f}" '
        f'xmlns="http://www.w3.org/2000/svg">\n<g class="graph">\n{body}\n</g>\n</svg>\n'
    )


# nodes and edges


def _node(name: str, look: Look, size: Size, center: Point) -> str:
    x, y = center
    left, right = x - size[0] / 2, x + size[0] / 2
    top, bottom = y - size[1] / 2, y + size[1] / 2
    pen = f'fill="{look.get("fillcolor", "none")}" {_stroke(look)}'

    if look.get("shape") == "polygon":
        lean = float(look["distortion"]) * size[0] / 2
        up, down = max(-lean, 0), max(lean, 0)
        corners = [(left + up, top), (right - up, top), (right - down, bottom)]
        corners.append((left + down, bottom))
        frame = f'<polygon {pen} points="{" ".join(map(_at, corners))}"/>'
    else:
        frame = f'<path {pen} d="{_rounded(left, top, right, bottom)}"/>'

    lines = _lines(look.get("label", ""), FONT_SIZE)
    start = x, y - sum(line.height for line in lines) / 2
    texts = _texts(lines, start, ink=look.get("fontcolor", "black"))
    return _group(name, "node", [frame, *texts])


def _rounded(left: float, top: float, right: float, bottom: float) -> str:
    """Return the path of a box with round corners."""
    r = ROUNDED
    across, down = right - left - 2 * r, bottom - top - 2 * r
    return (
        f"M{left + r:.2f},{top:.2f}h{across:.2f}q{r},0 {r},{r}v{down:.2f}q0,{r} {-r},{r}"
        f"h{-across:.2f}q{-r},0 {-r},{-r}v{-down:.2f}q0,{-r} {r},{-r}z"
    )


def _edge(look: Look, start: Point, end: Point, paper: str) -> str:
    drawn = [f'<path fill="none" {_stroke(look)} d="M{_at(start)}L{_at(end)}"/>']
    back = atan2(start[1] - end[1], start[0] - end[0])  # the direction from the child to its parent

    if look.get("arrowhead") == "teetee":
        drawn += [_bar(look, _beyond(end, back, BAR * far), back) for far in (0.5, 1)]

    if "headlabel" in look:
        far = 10 * float(look["labeldistance"])
        place = _beyond(end, back - radians(float(look["labelangle"])), far)
        drawn += _pill(look, place, paper)
    return _group(look["id"], "edge", drawn)


def _bar(look: Look, place: Point, direction: float) -> str:
    """Return a bar across the edge."""
    ends = [_beyond(place, direction + radians(turn), BAR) for turn in (90, -90)]
    color = look["color"]
    return f'<polygon fill="{color}" stroke="{color}" points="{" ".join(map(_at, ends))}"/>'


def _pill(look: Look, place: Point, paper: str) -> Iterator[str]:
    """Yield the label of an edge, and the paper below it."""
    lines = _lines(look["headlabel"], 11.0)
    width = max(line.width for line in lines) + 2
    height = sum(line.height for line in lines) + 2
    left, top = place[0] - width / 2, place[1] - height / 2
    corners = _corners(left, top, left + width, top + height)
    yield f'<polygon fill="{paper}" stroke="none" points="{corners}"/>'
    yield from _texts(lines, (place[0], top + 1), ink=look.get("fontcolor", "black"))


def _stroke(look: Look) -> str:
    stroke = f'stroke="{look.get("color", "black")}" stroke-width="{look.get("penwidth", "1")}"'
    if "dashed" in look.get("style", "").split(","):
        stroke += ' stroke-dasharray="5,2"'
    return stroke


def _group(name: str, kind: str, drawn: Sequence[str]) -> str:
    body = "\n".join(drawn)
    return f'<g id="{name}" class="{kind}">\n<title>{name}</title>\n{body}\n</g>'


def _beyond(place: Point, direction: float, far: float) -> Point:
    return place[0] + far * cos(direction), place[1] + far * sin(direction)


def _corners(left: float, top: float, right: float, bottom: float) -> str:
    return " ".join(map(_at, [(left, top), (right, top), (right, bottom), (left, bottom)]))


def _at(place: Point) -> str:
    return f"{place[0]:.2f},{place[1]:.2f}"


# texts


@dataclass
class Cell:
    text: str = ""
    size: float = FONT_SIZE
    is_bold: bool = False
    align: str = "center"
    room: float = 0.0  # how wide the cell is

    @property
    def width(self) -> float:
        return self.room or self.size * text_width(self.text)


@dataclass
class Line:
    """Cells side by side."""

    cells: list[Cell]
    room: float = 0.0  # how high the line is

    @property
    def width(self) -> float:
        return sum(cell.width for cell in self.cells)

    @property
    def height(self) -> float:
        return self.room or LINE * max(cell.size for cell in self.cells)


class _Label(HTMLParser):
    """Reads the lines of a label: rows of a table, or what stands between breaks."""

    def __init__(self, size: float) -> None:
        super().__init__(convert_charrefs=True)
        self.size = size
        self.is_bold = False
        self.lines: list[Line] = []
        self.cell = Cell(size=size)
        self.begin_line()

    def begin_line(self) -> None:
        self.lines.append(Line([]))
        self.begin_cell({})

    def begin_cell(self, attributes: Mapping[str, str | None]) -> None:
        self.cell = Cell(
            size=self.size,
            align=attributes.get("align") or "center",
            room=float(attributes.get("width") or 0),
        )
        self.lines[-1].cells.append(self.cell)
        self.lines[-1].room = float(attributes.get("height") or 0)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "br":
            self.begin_line()
        elif tag == "tr":
            self.begin_line()
            self.lines[-1].cells.clear()
        elif tag == "td":
            self.begin_cell(attributes)
        elif tag == "b":
            self.is_bold = True
        elif tag == "font":
            self.size = float(attributes["point-size"] or FONT_SIZE)
        self.cell.size = self.size

    def handle_endtag(self, tag: str) -> None:
        if tag == "b":
            self.is_bold = False

    def handle_data(self, data: str) -> None:
        self.cell.text += data
        self.cell.size = self.size
        self.cell.is_bold = self.is_bold


def _lines(label: str, size: float) -> list[Line]:
    r"""Return the lines of one of our labels, in which \\ is a backslash."""
    if not label.startswith("<"):
        return []

    reader = _Label(size)
    reader.feed(label[1:-1].replace("\\\\", "\\"))
    reader.close()
    return [line for line in reader.lines if any(cell.text for cell in line.cells)]


def _texts(lines: Sequence[Line], start: Point, ink: str) -> list[str]:
    """Return the lines, each in the middle below the one before; `start` is where the first is."""
    drawn: list[str] = []
    top = start[1]
    for line in lines:
        left = start[0] - line.width / 2
        for cell in line.cells:
            drawn.append(_text(cell, left, top + line.height / 2, ink))
            left += cell.width
        top += line.height
    return drawn


_ANCHORS = {"left": ("start", 0.0), "center": ("middle", 0.5), "right": ("end", 1.0)}


def _text(cell: Cell, left: float, middle: float, ink: str) -> str:
    anchor, share = _ANCHORS[cell.align]
    x = left + share * cell.width
    y = middle + BASELINE * cell.size
    look = f'font-size="{cell.size:g}"'
    if cell.is_bold:
        look += ' font-weight="bold"'
    if ink:
        look += f' fill="{ink}"'
    return (
        f'<text xml:space="preserve" text-anchor="{anchor}" x="{x:.2f}" y="{y:.2f}" '
        f'font-family="DejaVu Sans,Helvetica,Arial,sans-serif" {look}>{escape(cell.text)}</text>'
    )
