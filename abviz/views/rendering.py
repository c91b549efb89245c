"""Graphviz itself: DOT in, pictures out, with no `dot` on the machine; and TikZ."""

import json
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import graphviz

from abviz.capabilities import is_installed, require
from abviz.errors import unknown, visible
from abviz.images import image
from abviz.views import sketch
from abviz.views.sketch import Parts

HIGHEST = 470  # points of a picture in a notebook
# Where fonts are: first those of matplotlib, for machines without any. With "rescan 0" the file is
# read only once.
FONTS = """<fontconfig>
<dir>{}/mpl-data/fonts/ttf</dir><dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir>~/.fonts</dir>
<dir>/System/Library/Fonts</dir><dir>/Library/Fonts</dir><dir>WINDOWSFONTDIR</dir>
<dir prefix="xdg">fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir><config><rescan><int>0</int></rescan></config>
</fontconfig>"""
_lock = threading.Lock()


class Picture(graphviz.Digraph):  # type: ignore[misc]
    """A graphviz.Digraph that needs no `dot`: the pygraphviz wheel has Graphviz inside.

    An SVG has the title and description for screen readers, and `titles` by the ids of nodes and
    edges. `dark` holds for each color another, for a notebook with a dark theme.
    """

    title = description = ""
    parts: Parts
    titles: Mapping[str, str] = {}
    dark: Mapping[str, str] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        self.parts = Parts()
        super().__init__(*args, **options)

    def copy(self) -> "Picture":
        copied: Picture = super().copy()
        copied.parts = deepcopy(self.parts)
        return copied

    # What is drawn is also kept as it is, for where Graphviz is not installed

    def attr(self, kw: str | None = None, *args: Any, **look: str) -> None:
        super().attr(kw, *args, **look)
        if kw is None:
            self.parts.whole |= look

    def node(self, name: str, label: str | None = None, *args: Any, **look: str) -> None:
        super().node(name, label, *args, **look)
        if label is not None:
            look["label"] = label
        self.parts.nodes.setdefault(name, {}).update(look)

    def edge(self, tail_name: str, head_name: str, *args: Any, **look: str) -> None:
        super().edge(tail_name, head_name, *args, **look)
        self.parts.edges.setdefault((tail_name, head_name), {}).update(look)

    def pipe(
        self, format: str | None = None, *, engine: str | None = None, encoding: str | None = None
    ) -> Any:
        """Return the picture as bytes, or as text if an encoding is given."""
        format = format or self.format
        if format == "svg" and not is_installed("pygraphviz"):
            data = sketch.svg(self.parts).encode()
        else:
            data = rendered(self.source, format, engine or self.engine)
        if format == "svg" and self.title:
            data = self._entitled(data.decode()).encode()
        return data.decode(encoding) if encoding else data

    def _entitled(self, svg: str) -> str:
        """Return the SVG with its title and description, and our titles of nodes and edges."""

        def own_title(found: re.Match[str]) -> str:
            element, name = found.groups()
            return f"{element}{escape(self.titles[name])}<"

        svg = re.sub(r'(<g id="(n[\dn_]+)"[^>]*>\s*<title>).*?<', own_title, svg)
        head, rest = svg.split("<svg ")
        texts = f"<title>{escape(self.title)}</title>\n<desc>{escape(self.description)}</desc>\n"
        return f'{head}<svg role="img" {rest.replace(">", f">{texts}", 1)}'

    def _repr_image_svg_xml(self) -> str:
        """Return what a notebook shows: the picture, no higher than a laptop's screen."""
        svg = str(self.pipe("svg", encoding="utf-8"))

        width, height = map(int, re.findall(r'="(\d+)pt"', svg)[:2])
        scale = min(1, HIGHEST / height)
        size = f'width="{scale * width:.0f}pt" height="{scale * height:.0f}pt"'
        return svg.replace(f'width="{width}pt" height="{height}pt"', size, 1)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: the picture, in its cell's width and its theme's colors."""
        if not self.dark:
            return None
        svg = self.themed(self._repr_image_svg_xml())
        return image(svg, f"{self.title}. {self.description}")

    def themed(self, svg: str) -> str:
        """Return the SVG element of the picture, in its other colors where the page is dark."""
        element = svg[svg.index("<svg ") :]
        return element.replace("</desc>", f"</desc><style>{self._in_dark()}</style>", 1)

    def _in_dark(self) -> str:
        """Return the style that gives each color its dark one, where the image is dark."""
        rules = [f"text {{ fill: {next(iter(self.dark.values()))}; }}"]
        for light, dark in self.dark.items():
            rules.append(f'[fill="{light}"] {{ fill: {dark}; }}')
            rules.append(f'[stroke="{light}"] {{ stroke: {dark}; }}')
        return f"@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}"

    def _render(
        self, engine: str, format: str, filepath: str, *, outfile: Any = None, **_: object
    ) -> str:
        """Write the picture and return its path, where `render` would run `dot`."""
        path = Path(outfile or f"{filepath}.{format}")
        path.write_bytes(self.pipe(format, engine=engine))
        return str(path)


def rendered(source: str, format: str, engine: str = "dot") -> bytes:
    """Return the picture of a DOT source in one of Graphviz's formats (svg, png, pdf, plain, …)."""
    if format not in graphviz.FORMATS:
        raise unknown("format", format, sorted(graphviz.FORMATS))
    require("pygraphviz", f"a picture as {format}", "the format svg, which needs no Graphviz")
    with _lock, _silence():  # one picture at a time, as Graphviz wants it
        graph = _pygraphviz().AGraph(string=source)
        # Otherwise it says on sys.stderr that a thousand nodes take long.
        graph.number_of_nodes = lambda: 0
        return bytes(graph.draw(format=format, prog=engine))


@cache
def _pygraphviz() -> Any:
    """Return pygraphviz with its fonts loaded."""
    import pygraphviz

    matplotlib: Any = find_spec("matplotlib")
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "fonts.conf")
        settings.write_text(FONTS.format(matplotlib.submodule_search_locations[0]), "utf-8")
        is_ours = os.environ.setdefault("FONTCONFIG_FILE", str(settings)) == str(settings)
        pygraphviz.AGraph(string="digraph { a }").draw(format="png", prog="dot")
        if is_ours:
            del os.environ["FONTCONFIG_FILE"]
    return pygraphviz


@contextmanager
def _silence() -> Iterator[None]:
    """Keep stderr from Graphviz.

    It warns of words in the system's font settings, and of texts that are too wide.
    """
    try:
        stderr = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


# TikZ

# The characters that TeX would act on, or that its usual fonts lack outside mathematics.
TEX = {
    **{letter: f"\\{letter}" for letter in "&#_%$"},
    **{letter: f"${letter}$" for letter in "<>|"},
    "{": r"$\{$",
    "}": r"$\}$",
    "\\": r"$\backslash$",
    "~": r"$\sim$",
    "^": r"$\hat{\;}$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "∞": r"$\infty$",
    "−": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
    "✂": r"$\times$",
}
PREAMBLE = (
    "% \\usepackage{tikz,amssymb}; "
    "LuaLaTeX or XeLaTeX where names have letters beyond Latin and Greek\n"
)

# What Graphviz's JSON says of one thing that is drawn: {"op": "S", "style": "dashed"}.
Operation = dict[str, Any]


def tikz(picture: Picture) -> str:
    """Return the picture as a tikzpicture, in which names are text and never commands."""
    drawn: dict[str, Any] = json.loads(rendered(picture.source, "json"))
    things = [drawn, *drawn.get("edges", ()), *drawn["objects"]]  # from the back to the front

    lines: list[str] = []
    for thing in things:
        for name, operations in thing.items():
            if name.endswith("draw_"):
                lines += _commands(operations)

    body = "\n".join(lines)
    return f"{PREAMBLE}\\begin{{tikzpicture}}[x=1bp,y=1bp]\n{body}\n\\end{{tikzpicture}}\n"


@dataclass
class _Pen:
    """How the next text or shape is drawn."""

    color: str = "#000000"
    fill: str = ""
    width: float = 1.0  # of lines, in points
    is_dashed: bool = False
    size: float = 12.0  # of text, in points
    is_bold: bool = False

    def take(self, operation: Operation) -> None:
        """Change as the operation says, where it draws nothing."""
        match operation["op"]:
            case "c":
                self.color = operation["color"]
            case "C":
                self.fill = operation["color"]
            case "S" if operation["style"].startswith("setlinewidth"):
                self.width = float(operation["style"].removeprefix("setlinewidth(")[:-1])
            case "S":
                self.is_dashed = operation["style"] == "dashed"
            case "F":
                self.size = operation["size"]
            case "t":
                self.is_bold = bool(operation["fontchar"] & 1)


def _commands(operations: list[Operation]) -> Iterator[str]:
    """Yield the texts and shapes of Graphviz's operations, of the kinds that our pictures have."""
    pen = _Pen()
    for operation in operations:
        pen.take(operation)
        if operation["op"] == "T":
            yield _text(operation, pen)
        elif operation["op"] in ("P", "L", "b", "B"):
            yield _shape(operation, pen)


def _text(operation: Operation, pen: _Pen) -> str:
    name = visible(operation["text"].replace("\\\\", "\\"))  # as `drawing` has escaped it
    text = "".join(TEX.get(letter, letter) for letter in name)

    font = rf"\fontsize{{{pen.size}}}{{{pen.size}}}\selectfont\sffamily"
    if pen.is_bold:
        font += r"\bfseries"
    look = f"anchor=base west,inner sep=0pt{_color('text', pen.color)},font={{{font}}}"
    return f"\\node[{look}] at {_at(operation['pt'])} {{{text}}};"


def _shape(operation: Operation, pen: _Pen) -> str:
    """Return a polygon (P), a line (L), or a curve (b, or filled B)."""
    kind = operation["op"]
    look = f"line width={pen.width:.2f}bp"
    if pen.is_dashed:
        look += ",dashed"
    look += _color("draw", pen.color)
    if kind in ("P", "B"):
        look += _color("fill", pen.fill)

    start, *others = map(_at, operation["points"])
    if kind in ("P", "L"):
        path = " -- ".join([start, *others])
        if kind == "P":
            path += " -- cycle"
    else:
        path = start
        for one, two, end in zip(others[::3], others[1::3], others[2::3], strict=True):
            path += f" .. controls {one} and {two} .. {end}"
    return f"\\path[{look}] {path};"


def _at(point: list[float]) -> str:
    return f"({point[0]:.2f},{point[1]:.2f})"


def _color(use: str, code: str) -> str:
    """Return the option for a color #rrggbb or #rrggbbaa.

    Return "" where there is none, or a wholly transparent one.
    """
    if not code or (len(code) == 9 and code.endswith("00")):
        return ""
    red, green, blue = bytes.fromhex(code[1:7])
    return f",{use}={{rgb,255:red,{red};green,{green};blue,{blue}}}"
