"""A sheet as a LaTeX document: its text as text, its trees as TikZ pictures of the strokes that Graphviz draws.

It needs no package but tikz, amssymb and iftex, and pdfLaTeX, XeLaTeX and LuaLaTeX all take it.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from abviz.errors import visible
from abviz.exercises.asking import Blank, questions, rules_lines
from abviz.exercises.paging import SMALLEST, check_scale
from abviz.tracing.traces import Trace
from abviz.views.drawing import draw, form

UPRIGHT, TURNED = (483, 740), (730, 493)  # of what stands on a page, in big points
TEXT = 230  # of its height, at the most, for what stands above and below a tree
GAIN = 1.2  # times as large at least, or the page is not turned: upright it holds two exercises

HEAD = r"""\documentclass[a4paper%s]{article}
\usepackage{iftex}
\usepackage{amssymb,tikz}
\ifluatex\pagewidth=\paperwidth\pageheight=\paperheight\else\pdfpagewidth=\paperwidth\pdfpageheight=\paperheight\fi
\setlength{\textwidth}{%dbp}\setlength{\oddsidemargin}{-16bp}
\setlength{\topmargin}{-50bp}\setlength{\textheight}{%dbp}
\setlength{\parindent}{0pt}\raggedright
%% A letter by its number: one that pdfLaTeX may have no font for.
\newcommand{\letter}[1]{\ifpdftex{\tiny U+#1}\else\char"#1\relax\fi}
\newcommand{\blank}[2]{\underline{\hbox to #1{\strut\textbf{#2}\hfil}}}
\newcommand{\rest}[1]{\underline{\parbox[t]{\linewidth}{\raggedright\strut\textbf{#1}\strut}}}
\begin{document}
"""

SIGNS = {
    **{letter: f"\\{letter}" for letter in "&#_%"},
    **{"{": r"$\{$", "}": r"$\}$", "\\": r"$\backslash$", "~": r"$\sim$", "^": r"$\hat{\;}$", "<": "$<$", ">": "$>$"},
    **{'"': r"{\char34}", "$": r"{\char36}", "|": "$|$", "`": r"{\char96}", "'": "{'}", "-": "{-}"},
    **{"α": r"$\alpha$", "β": r"$\beta$", "∞": r"$\infty$", "−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$"},
    **{"·": r"$\cdot$", "…": r"\ldots{}", "▲": r"$\blacktriangle$", "▼": r"$\blacktriangledown$"},
    **{"Ł": r"\L{}", "ł": r"\l{}", "Ø": r"\O{}", "ø": r"\o{}", "Æ": r"\AE{}", "æ": r"\ae{}"},
    **{"Œ": r"\OE{}", "œ": r"\oe{}", "—": "---", "–": "--", "ß": r"\ss{}", "✂": r"$\times$", "\u00a0": "~"},
}


ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v"},
    **{"\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030b": "H", "\u0327": "c"},
}


def latex(title: str, traces: tuple[Trace, ...], *, key: bool) -> str:
    drawn = [_drawn(trace, key) for trace in traces]
    upright, turned = (min(_scale(each, *page) for each in drawn) for page in (UPRIGHT, TURNED))
    page = TURNED if upright < SMALLEST and turned > GAIN * upright else UPRIGHT
    check_scale(turned if page is TURNED else upright, traces)
    head = HEAD % (",landscape" if page is TURNED else "", *page)
    name = r"Name: \blank{250bp}{}\quad Date: \blank{100bp}{}"
    pictures = (_tikz(each, _scale(each, *page)) for each in drawn)
    blocks = "".join(map(_block, range(1, len(traces) + 1), traces, pictures, [key] * len(traces)))
    return f"{head}\\section*{{{escaped(title)}}}\n{name}\n{blocks}\\end{{document}}\n"


def escaped(text: str) -> str:
    """Text that TeX prints and never obeys."""
    return "".join(SIGNS.get(letter) or _plain(letter) for letter in visible(text))


def _plain(letter: str) -> str:
    if letter.isascii():
        return letter
    base, *mark = list(unicodedata.normalize("NFD", letter))
    accent = ACCENTS.get("".join(mark))
    return f"\\{accent}{{{base}}}" if accent and base.isascii() else f"\\letter{{{ord(letter):04X}}}"


def _block(number: int, trace: Trace, picture: str, key: bool) -> str:
    source = f" ({escaped(trace.tree.title)})" if key and trace.tree.title else ""
    above = "\\\\\n".join(map(escaped, rules_lines(trace)))
    asked = "\n".join(f"\\item {''.join(_part(part, key) for part in question)}" for question in questions(trace))
    return (
        f"\\par\\medskip\\begin{{minipage}}{{\\textwidth}}\\raggedright\n"
        f"\\subsection*{{Exercise {number}{source}}}\n{{\\small {above}\\par}}\n\\medskip\n"
        f"{picture}\n\\begin{{enumerate}}\n\\renewcommand{{\\labelenumi}}{{\\alph{{enumi}})}}\n{asked}\n"
        "\\end{enumerate}\n\\end{minipage}\n"
    )


def _part(part: str | Blank, key: bool) -> str:
    if isinstance(part, str):
        return escaped(part).replace("  ", r"\quad ")
    answer = escaped(part.answer) if key else ""
    return f"\\blank{{{part.width}bp}}{{{answer}}}" if part.width else f"\\\\\\rest{{{answer}}}"


# the strokes of a picture


def _drawn(trace: Trace, key: bool) -> dict[str, Any]:
    picture = draw(trace) if key else form(trace.tree)
    picture.body[:] = [line for line in picture.body if "label=" not in line[:8]]  # the caption, which comes last
    drawn: dict[str, Any] = json.loads(picture.pipe("json"))
    return drawn


def _scale(drawn: dict[str, Any], width: float, height: float) -> float:
    """At which the tree, and what is asked of it, fit on the page."""
    wide, high = (float(side) for side in drawn["bb"].split(",")[2:])
    return min(1.0, width / wide, (height - TEXT) / high)


def _tikz(drawn: dict[str, Any], scale: float) -> str:
    strokes = "\n".join(_strokes(drawn, scale))
    return f"\\begin{{tikzpicture}}[x={scale:.4f}bp,y={scale:.4f}bp]\n{strokes}\n\\end{{tikzpicture}}"


def _strokes(drawn: dict[str, Any], scale: float) -> Iterator[str]:
    for thing in (*drawn.get("edges", ()), *drawn["objects"]):
        for name, operations in thing.items():
            if re.fullmatch(r"_\w*draw_", name):
                yield from _operations(operations, scale)


def _operations(operations: list[dict[str, Any]], scale: float) -> Iterator[str]:
    pen, fill, style, width, size, bold = "#000000", "#ffffff", "", 1.0, 12.0, 0
    for each in operations:
        kind = each["op"]
        if kind == "c":
            pen = each["color"]
        elif kind == "C":
            fill = each["color"]
        elif kind == "S" and (wide := re.match(r"setlinewidth\((.*)\)", each["style"])):
            width = float(wide[1])
        elif kind == "S" and each["style"] in ("solid", "dashed"):
            style = each["style"]
        elif kind == "F":
            size = each["size"]
        elif kind == "t":
            bold = each["fontchar"] & 1
        elif kind == "T":
            yield _text(each, pen, size * scale, bold)
        elif kind in "PpLbB" and not pen.startswith("#fffffe"):
            look = f"line width={width * scale:.2f}bp,{style or 'solid'},draw={_colour(pen)}"
            look += f",fill={_colour(fill)}" * (kind in "Pb" and kind == "P")
            yield f"\\path[{look}] {_path(kind, each['points'])};"
        elif kind == "P":  # the ground behind a word, with no line around it
            yield f"\\path[fill={_colour(fill)}] {_path(kind, each['points'])};"


def _colour(code: str) -> str:
    red, green, blue = (int(code[place : place + 2], 16) for place in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _path(kind: str, points: list[list[float]]) -> str:
    at = [f"({x:.2f},{y:.2f})" for x, y in points]
    if kind in "bB":
        curves = (at[place : place + 3] for place in range(1, len(at), 3))
        return at[0] + "".join(f" .. controls {a} and {b} .. {c}" for a, b, c in curves)
    return " -- ".join(at) + (" -- cycle" if kind in "Pp" else "")


def _text(each: dict[str, Any], pen: str, size: float, bold: int) -> str:
    anchor = {"l": "base west", "c": "base", "r": "base east"}[each["align"]]
    x, y = each["pt"]
    text = each["text"].replace("\\\\", "\\")  # as `drawing` wrote it
    font = f"\\fontsize{{{size:.1f}}}{{{size:.1f}}}\\selectfont\\sffamily" + "\\bfseries" * bold
    look = f"anchor={anchor},inner sep=0pt,text={_colour(pen)},font={{{font}}}"
    return f"\\node[{look}] at ({x:.2f},{y:.2f}) {{{escaped(text)}}};"
