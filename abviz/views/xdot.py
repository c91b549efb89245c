"""The strokes of a Graphviz picture (its xdot output) as plain data, and as a TikZ picture."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from abviz.errors import visible
from abviz.views.rendering import Picture, rendered

Point = tuple[float, float]

# Every character that TeX would act on, or that its usual fonts lack outside mathematics.
TEX = {
    **{letter: f"\\{letter}" for letter in "&#_%"},
    **{"{": r"$\{$", "}": r"$\}$", "\\": r"$\backslash$", "~": r"$\sim$", "^": r"$\hat{\;}$", "<": "$<$", ">": "$>$"},
    **{'"': r"{\char34}", "$": r"{\char36}", "|": "$|$", "`": r"{\char96}", "'": "{'}", "-": "{-}"},
    **{"α": r"$\alpha$", "β": r"$\beta$", "∞": r"$\infty$", "−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$"},
    **{"·": r"$\cdot$", "…": r"\ldots{}", "▲": r"$\blacktriangle$", "▼": r"$\blacktriangledown$", "✂": r"$\times$"},
    **{"—": "---", "–": "--"},
}
PREAMBLE = "% \\usepackage{tikz,amssymb}; LuaLaTeX or XeLaTeX where names have letters beyond Latin and Greek\n"


@dataclass(frozen=True)
class Stroke:
    """One polygon, line, curve (Bézier) or text; points in 1/72 inch, y upwards."""

    kind: str  # "polygon", "line", "curve" or "text"
    points: tuple[Point, ...]  # of a text: where its base line starts, has its middle or ends
    pen: str  # colours as #rrggbb; "" for none
    fill: str = ""
    width: float = 1.0
    dashed: bool = False
    text: str = ""
    size: float = 12.0
    bold: bool = False
    align: str = "center"  # of a text: left, center, right


def strokes(picture: Picture) -> tuple[Point, list[Stroke]]:
    """Return the width and height of the picture, and all that Graphviz draws in it, from the back to the front."""
    drawn: dict[str, Any] = json.loads(rendered(picture.source, "json"))
    _, _, width, height = (float(side) for side in drawn["bb"].split(","))
    items: list[Stroke] = []
    for thing in (drawn, *drawn.get("edges", ()), *drawn.get("objects", ())):
        for name, operations in thing.items():
            if re.fullmatch(r"_\w*draw_", name):
                items += _strokes(operations)
    return (width, height), items


def _strokes(operations: list[dict[str, Any]]) -> Iterator[Stroke]:
    pen, fill, width, dashed, size, bold = "#000000", "", 1.0, False, 12.0, False
    for each in operations:
        kind = each["op"]
        if kind == "c":
            pen = _colour(each["color"])
        elif kind == "C":
            fill = _colour(each["color"])
        elif kind == "S" and each["style"].startswith("setlinewidth"):
            width = float(each["style"][13:-1])
        elif kind == "S" and each["style"] in ("solid", "dashed"):
            dashed = each["style"] == "dashed"
        elif kind == "F":
            size = each["size"]
        elif kind == "t":
            bold = bool(each["fontchar"] & 1)
        elif kind == "T":
            align = {"l": "left", "c": "center", "r": "right"}[each["align"]]
            text = each["text"].replace("\\\\", "\\")  # as `drawing` has escaped it
            yield Stroke("text", (tuple(each["pt"]),), pen, text=text, size=size, bold=bold, align=align)
        elif kind in "PpLbB":
            shape = "polygon" if kind in "Pp" else "line" if kind == "L" else "curve"
            points = tuple((x, y) for x, y in each["points"])
            yield Stroke(shape, points, pen, fill if kind in "PB" else "", width, dashed)  # capitals are filled


def _colour(code: str) -> str:
    return "" if len(code) == 9 and code.endswith("00") else code[:7]  # #rrggbbaa: wholly transparent


def tikz(picture: Picture) -> str:
    """Return the picture as a tikzpicture, in which names are text and never commands."""
    _, items = strokes(picture)
    lines = "\n".join(map(_tikz, items))
    return f"{PREAMBLE}\\begin{{tikzpicture}}[x=1bp,y=1bp]\n{lines}\n\\end{{tikzpicture}}\n"


def _tikz(stroke: Stroke) -> str:
    at = [f"({x:.2f},{y:.2f})" for x, y in stroke.points]
    if stroke.kind == "text":
        anchor = {"left": "base west", "center": "base", "right": "base east"}[stroke.align]
        font = (
            f"\\fontsize{{{stroke.size:.1f}}}{{{stroke.size:.1f}}}\\selectfont\\sffamily" + r"\bfseries" * stroke.bold
        )
        look = f"anchor={anchor},inner sep=0pt,text={_rgb(stroke.pen)},font={{{font}}}"
        return f"\\node[{look}] at {at[0]} {{{escaped(stroke.text)}}};"
    look = f"line width={stroke.width:.2f}bp" + ",dashed" * stroke.dashed
    look += f",draw={_rgb(stroke.pen)}" if stroke.pen else ""
    look += f",fill={_rgb(stroke.fill)}" if stroke.fill else ""
    if stroke.kind == "curve":
        curves = (at[place : place + 3] for place in range(1, len(at), 3))
        path = at[0] + "".join(f" .. controls {a} and {b} .. {c}" for a, b, c in curves)
    else:
        path = " -- ".join(at) + " -- cycle" * (stroke.kind == "polygon")
    return f"\\path[{look}] {path};"


def _rgb(code: str) -> str:
    red, green, blue = (int(code[place : place + 2], 16) for place in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def escaped(text: str) -> str:
    """Return text that TeX prints as it is."""
    return "".join(TEX.get(letter, letter) for letter in visible(text))
