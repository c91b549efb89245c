"""A picture's SVG drawn again by matplotlib, whose PDF keeps lines as lines and text as text."""

import re
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path
    from matplotlib.transforms import Transform

FONT = "DejaVu Sans"  # matplotlib brings it

Point = tuple[float, float]
Element = ElementTree.Element


@contextmanager
def selectable() -> Iterator[None]:
    """Let matplotlib write PDFs in which each letter can be selected, if perhaps as a box."""
    from matplotlib import __version_info__, rc_context

    # Its fonts of type 3 are quicker to make; before 3.11 they had only the letters of Latin
    font_type = 3 if __version_info__[:2] >= (3, 11) else 42
    with rc_context({"pdf.fonttype": font_type}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        yield


@dataclass
class Drawing:
    """A picture of ours, as its SVG has it. Lengths are in points, y goes down."""

    width: float
    height: float
    elements: list[Element]  # from the back to the front
    shift: Point  # of all elements

    @classmethod
    def of(cls, svg: str) -> "Drawing":
        """Read the SVG of a picture, from Graphviz or from `sketch`."""
        root = ElementTree.fromstring(svg[svg.index("<svg") :])
        _, _, width, height = map(float, root.attrib["viewBox"].split())

        elements = [each for each in root.iter() if _kind(each) in DRAWN]
        moved = [each.attrib["transform"] for each in root.iter() if "transform" in each.attrib]
        shift = re.findall(r"translate\((\S+) (\S+)\)", " ".join(moved))
        x, y = shift[0] if shift else (0, 0)
        return cls(width, height, elements, (float(x), float(y)))

    def texts(self) -> list[str]:
        """Return what is written, in the order in which it is drawn."""
        return [each.text or "" for each in self.elements if _kind(each) == "text"]

    def draw(self, figure: "Figure", left: float, top: float, scale: float) -> None:
        """Draw it on the figure, whose corner (0, 0) is at the bottom left."""
        from matplotlib.transforms import Affine2D

        to_points = Affine2D().translate(*self.shift).scale(scale, -scale).translate(left, top)
        place = to_points + Affine2D().scale(1 / 72) + figure.dpi_scale_trans
        for element in self.elements:
            if _kind(element) == "text":
                _write(figure, element, place, scale)
            else:
                _paint(figure, element, place, scale)


DRAWN = ("polygon", "polyline", "path", "text")


def _kind(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


# texts

ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def _write(figure: "Figure", element: Element, place: "Transform", scale: float) -> None:
    look = element.attrib
    write(
        figure,
        (float(look["x"]), float(look["y"])),
        element.text or "",
        scale * float(look["font-size"]),
        transform=place,
        color=look.get("fill", "black"),
        weight=look.get("font-weight", "normal"),
        ha=ANCHORS[look["text-anchor"]],
    )


def write(figure: "Figure", at: Point, text: str, size: float, **look: Any) -> None:
    """Write the text with its baseline at this point, in letters of that size."""
    figure.text(
        *at,
        text,
        size=size,
        family=families(text),
        va="baseline",
        # Between two dollar signs matplotlib would read mathematics
        parse_math=False,
        **look,
    )


def text_width(text: str, size: float) -> float:
    """Return how wide the text is in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=families(text), size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def families(text: str) -> list[str]:
    """Return the families of fonts in which all letters of the text are, as far as there are any.

    The first is the usual one.
    """
    others = {_family_with(letter) for letter in text if not _is_usual(letter)}
    return [FONT, *sorted(filter(None, others))]


def missing(text: str) -> str:
    """Return the letters of the text that no font of this computer has."""
    without = (each for each in text if not _is_usual(each) and not _family_with(each))
    return "".join(dict.fromkeys(without))


@cache
def _is_usual(letter: str) -> bool:
    from matplotlib.font_manager import findfont, get_font

    if letter.isspace() or unicodedata.category(letter) in ("Cf", "Cc"):
        return True
    return bool(get_font(findfont(FONT)).get_char_index(ord(letter)))


@cache
def _family_with(letter: str) -> str:
    """Return the first family of this computer that has the letter, or ""."""
    from matplotlib.font_manager import fontManager, get_font

    entries = sorted(fontManager.ttflist, key=lambda entry: (entry.weight != 400, entry.name))
    for entry in entries:
        # Those of Unicode's last resort have a box for each letter
        if "Last" in entry.name:
            continue
        try:
            if get_font(entry.fname).get_char_index(ord(letter)):
                return str(entry.name)
        except (OSError, RuntimeError):  # a font that has gone, or cannot be read
            continue
    return ""


# shapes


def _paint(figure: "Figure", element: Element, place: "Transform", scale: float) -> None:
    from matplotlib.patches import PathPatch

    look = element.attrib
    is_dashed = "stroke-dasharray" in look
    figure.add_artist(
        PathPatch(
            _outline(element),
            transform=place,
            facecolor=look.get("fill", "none"),
            edgecolor=look.get("stroke", "none"),
            linewidth=scale * float(look.get("stroke-width", 1)),
            # In units of the line's own width
            linestyle=(0, (5, 2)) if is_dashed else "solid",
            # A mark may stand over the edge of the figure's first axes: there are none
            clip_on=False,
        )
    )


def _outline(element: Element) -> "Path":
    from matplotlib.path import Path

    if _kind(element) == "path":
        corners, codes = zip(*_path(element.attrib["d"]), strict=True)
        return Path(corners, codes)

    pairs = (pair.split(",") for pair in element.attrib["points"].split())
    points = [(float(x), float(y)) for x, y in pairs]
    if _kind(element) == "polygon":
        return Path([*points, points[0]], closed=True)
    return Path(points)


def _path(commands: str) -> Iterator[tuple[Point, int]]:
    """Yield the corners of a path with matplotlib's codes; of the commands, those that we have."""
    x = y = 0.0
    start = x, y
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", commands):
        values = list(map(float, re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", numbers)))
        pairs = list(zip(values[::2], values[1::2], strict=False))

        match command:
            case "M" | "L":
                ends = pairs
                code = MOVE if command == "M" else LINE
            case "C":
                ends, code = pairs, CURVE
            case "q":
                ends = [(x + dx, y + dy) for dx, dy in pairs]
                code = ARC
            case "h":
                ends, code = [(x + values[0], y)], LINE
            case "v":
                ends, code = [(x, y + values[0])], LINE
            case "z" | "Z":
                ends, code = [start], CLOSE
            case _:
                raise ValueError(f"{command} is not a command of our paths")

        for x, y in ends:
            yield (x, y), code
        if command == "M":
            start = x, y


MOVE, LINE, ARC, CURVE, CLOSE = 1, 2, 3, 4, 79  # matplotlib.path.Path's
