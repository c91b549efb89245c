"""The strokes of a Graphviz picture (its xdot output) as plain data, and as a TikZ picture."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from abviz.errors import visible
from abviz.views.rendering import Picture, rendered

Point = tuple[float, float]

# The characters that TeX would act on, or that its usual fonts lack outside mathematics.
TEX = {
    **{letter: f"\\{letter}" for letter in "&#_%$"},
    **{letter: f"${letter}$" for letter in "<>|"},
    **{"{": r"$\{$", "}": r"$\}$", "\\": r"$\backslash$", "~": r"$\sim$", "^": r"$\hat{\;}$"},
    **{"α": r"$\alpha$", "β": r"$\beta$", "∞": r"$\infty$", "−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$"},
    **{"·": r"$\cdot$", "…": r"\ldots{}", "▲": r"$\blacktriangle$", "▼": r"$\blacktriangledown$", "✂": r"$\times$"},
}
PREAMBLE = "% \\usepackage{tikz,amssymb}; LuaLaTeX or XeLaTeX where names have letters beyond Latin and Greek\n"


@dataclass(frozen=True)
class Stroke:
    """One polygon, line, curve (Bézier) or text; points in 1/72 inch, y upwards."""

    kind: str  # "polygon", "line", "curve" or "text"
    points: list[Point]  # of a text: where its base line starts
    pen: str  # colours as #rrggbb; "" for none
    fill: str = ""
    width: float = 1.0
    dashed: bool = False
    text: str = ""
    size: float = 12.0
    bold: bool = False


def strokes(picture: Picture) -> tuple[Point, list[Stroke]]:
    """Return the width and height of the picture, and all that Graphviz draws in it, from the back to the front."""
    drawn: dict[str, Any] = json.loads(rendered(picture.source, "json"))
    _, _, width, height = (float(side) for side in drawn["bb"].split(","))
    things = [drawn, *drawn.get("edges", ()), *drawn["objects"]]
    lists = [operations for thing in things for name, operations in thing.items() if name.endswith("draw_")]
    return (width, height), [stroke for operations in lists for stroke in _strokes(operations)]


def _strokes(operations: list[dict[str, Any]]) -> Iterator[Stroke]:
    """Yield the strokes of one list of operations, of the kinds that our pictures have."""
    pen, fill, width, dashed, size, bold = "#000000", "", 1.0, False, 12.0, False
    for each in operations:
        match each["op"]:
            case "c":
                pen = _colour(each["color"])
            case "C":
                fill = _colour(each["color"])
            case "S" if each["style"].startswith("setlinewidth"):
                width = float(each["style"][13:-1])
            case "S":
                dashed = each["style"] == "dashed"
            case "F":
                size = each["size"]
            case "t":
                bold = bool(each["fontchar"] & 1)
            case "T":
                text = each["text"].replace("\\\\", "\\")  # as `drawing` has escaped it
                yield Stroke("text", [each["pt"]], pen, text=text, size=size, bold=bold)
            case "P" | "L" | "b" | "B" as kind:
                shape = {"P": "polygon", "L": "line"}.get(kind, "curve")
                yield Stroke(shape, each["points"], pen, fill if kind in "PB" else "", width, dashed)


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
        font = rf"\fontsize{{{stroke.size}}}{{{stroke.size}}}\selectfont\sffamily" + r"\bfseries" * stroke.bold
        look = f"anchor=base west,inner sep=0pt,text={_rgb(stroke.pen)},font={{{font}}}"
        return f"\\node[{look}] at {at[0]} {{{escaped(stroke.text)}}};"
    look = f"line width={stroke.width:.2f}bp" + ",dashed" * stroke.dashed
    look += f",draw={_rgb(stroke.pen)}" if stroke.pen else ""
    look += f",fill={_rgb(stroke.fill)}" if stroke.fill else ""
    if stroke.kind == "curve":
        curves = zip(at[1::3], at[2::3], at[3::3], strict=True)
        path = at[0] + "".join(f" .. controls {a} and {b} .. {c}" for a, b, c in curves)
    else:
        path = " -- ".join(at) + " -- cycle" * (stroke.kind == "polygon")
    return f"\\path[{look}] {path};"


def _rgb(code: str) -> str:
    red, green, blue = bytes.fromhex(code[1:])
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def escaped(text: str) -> str:
    """Return text that TeX prints as it is."""
    return "".join(TEX.get(letter, letter) for letter in visible(text))
