"""Graphviz itself: DOT in, pictures out, with no `dot` on the machine."""

import os
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import graphviz

HIGHEST = 470  # points of a picture in a notebook
# Where fonts are: first those of matplotlib, for machines without any. "rescan 0": the file is read only once.
FONTS = """<fontconfig>
<dir>{}/mpl-data/fonts/ttf</dir><dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir>~/.fonts</dir>
<dir>/System/Library/Fonts</dir><dir>/Library/Fonts</dir><dir>WINDOWSFONTDIR</dir><dir prefix="xdg">fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir><config><rescan><int>0</int></rescan></config>
</fontconfig>"""

_lock = threading.Lock()


class Picture(graphviz.Digraph):  # type: ignore[misc]
    """A graphviz.Digraph that needs no `dot`: the pygraphviz wheel has Graphviz inside.

    An SVG has the title and description for screen readers, and `titles` by the ids of nodes and edges.
    """

    title = description = ""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.titles: dict[str, str] = {}

    def pipe(self, format: str | None = None, *, engine: str | None = None, encoding: str | None = None) -> Any:
        """Return the picture as bytes, or as text if an encoding is given."""
        format = format or self.format
        data = rendered(self.source, format, engine or self.engine)
        if format == "svg" and self.title:
            data = self._entitled(data.decode()).encode()
        return data.decode(encoding) if encoding else data

    def _entitled(self, svg: str) -> str:
        """Return the SVG with its title and description, and with our titles of nodes and edges, by their ids."""

        def own(group: re.Match[str]) -> str:
            return f"{group[1]}<title>{escape(self.titles[group[2]])}</title>"

        svg = re.sub(r'(<g id="(n[\dn_]+)"[^>]*>\s*)<title>.*?</title>', own, svg)
        head, rest = svg.split("<svg ")
        texts = f"<title>{escape(self.title)}</title>\n<desc>{escape(self.description)}</desc>\n"
        return f'{head}<svg role="img" {rest.replace(">", f">{texts}", 1)}'

    def _repr_image_svg_xml(self) -> str:
        """What a notebook shows: the picture, no higher than a laptop's screen."""

        def fitted(size: re.Match[str]) -> str:
            width, height = map(int, size.groups())
            scale = min(1, HIGHEST / height)
            return f'width="{scale * width:.0f}pt" height="{scale * height:.0f}pt"'

        svg = str(self.pipe("svg", encoding="utf-8"))
        return re.sub(r'width="(\d+)pt" height="(\d+)pt"', fitted, svg, count=1)

    def _render(self, engine: str, format: str, filepath: str, *, outfile: Any = None, **_: Any) -> str:
        """Write the picture and return its path, where `render` would run `dot`."""
        path = Path(outfile or f"{filepath}.{format}")
        path.write_bytes(self.pipe(format, engine=engine))
        return str(path)


def rendered(source: str, format: str, engine: str = "dot") -> bytes:
    """Return the picture of a DOT source in one of Graphviz's formats (svg, png, pdf, plain, …)."""
    with _lock:  # one picture at a time, as Graphviz wants it
        graph = _pygraphviz().AGraph(string=source)
        graph.number_of_nodes = lambda: 0  # of a thousand it would say on sys.stderr that they take long
        return bytes(graph.draw(format=format, prog=engine))


@cache
def _pygraphviz() -> Any:
    """Return pygraphviz with its fonts loaded."""
    import pygraphviz

    matplotlib: Any = find_spec("matplotlib")
    with tempfile.TemporaryDirectory() as folder, _silence():
        settings = Path(folder, "fonts.conf")
        settings.write_text(FONTS.format(matplotlib.submodule_search_locations[0]), "utf-8")
        is_ours = os.environ.setdefault("FONTCONFIG_FILE", str(settings)) == str(settings)
        pygraphviz.AGraph(string="digraph { a }").draw(format="png", prog="dot")
        if is_ours:
            del os.environ["FONTCONFIG_FILE"]
    return pygraphviz


@contextmanager
def _silence() -> Iterator[None]:
    """Keep stderr from a library, which warns of words in the system's font settings that are new to it."""
    with open(os.devnull, "w") as nowhere:
        stderr = os.dup(2)
        os.dup2(nowhere.fileno(), 2)
        yield
        os.dup2(stderr, 2)
        os.close(stderr)
