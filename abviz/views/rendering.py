"""Graphviz itself: DOT in, pictures out, with no `dot` on the machine."""

import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2s
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import graphviz

from abviz.errors import AbvizError, unknown, visible
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]
HIGHEST = 470  # points of a picture in a notebook


class Picture(graphviz.Digraph):  # type: ignore[misc]
    """A graphviz.Digraph that needs no `dot`: the pygraphviz wheel has Graphviz inside.

    An SVG has the title and description for screen readers, and `titles` by the ids of nodes and edges.
    """

    title = description = ""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.titles: dict[str, str] = {}

    def pipe(self, format: str | None = None, *, engine: str | None = None, encoding: str | None = None) -> Any:
        """The picture as bytes, or as text if an encoding is given."""
        format = format or self.format
        data = rendered(self.source, format, engine or self.engine)
        if format.lower() == "svg" and self.title:
            data = self._entitled(data.decode()).encode()
        return data.decode(encoding) if encoding else data

    def _entitled(self, svg: str) -> str:
        """Return the SVG with its title and description, and with our titles of nodes and edges, by their ids."""

        def own(group: re.Match[str]) -> str:
            start, name, title = group.groups()
            return f"{start}<title>{escape(self.titles[name]) if name in self.titles else title}</title>"

        svg = re.sub(r'(<g id="([^"]*)"[^>]*>\s*)<title>(.*?)</title>', own, svg)
        key = f"abviz-{blake2s(svg.encode(), digest_size=4).hexdigest()}"  # unique, also next to other pictures
        title, words = escape(self.title), escape(self.description)
        texts = f'<title id="{key}">{title}</title>\n<desc id="{key}-step">{words}</desc>\n'
        head, tag, rest = svg.partition("<svg ")
        named = f'role="img" aria-labelledby="{key} {key}-step" '
        return head + tag + named + rest.replace(">\n", ">\n" + texts, 1)

    def _repr_image_svg_xml(self) -> str:
        """What a notebook shows: the picture, no higher than a laptop's screen."""

        def fitted(size: re.Match[str]) -> str:
            width, height = map(int, size.groups())
            scale = min(1, HIGHEST / height)
            return f'width="{scale * width:.0f}pt" height="{scale * height:.0f}pt"'

        svg = str(self.pipe("svg", encoding="utf-8"))
        return re.sub(r'width="(\d+)pt" height="(\d+)pt"', fitted, svg, count=1)

    def render(
        self,
        filename: FileName | None = None,
        directory: FileName | None = None,
        view: bool = False,
        cleanup: bool = False,
        format: str | None = None,
        *,
        outfile: FileName | None = None,
        engine: str | None = None,
        quiet: bool = False,  # it always is
        quiet_view: bool = False,
    ) -> str:
        """Write the DOT source and, next to it or to `outfile`, the picture; return the path of the picture."""
        if outfile is None:
            path = Path(self.directory if directory is None else directory, filename or self.filename)
            path = path.with_name(f"{path.name}.{format or self.format}")
        else:
            path = Path(directory or "", outfile)
            format = format or path.suffix.removeprefix(".")
            filename = path.with_suffix(".gv") if filename is None else filename
            if not format or Path(filename) == path:
                raise AbvizError(f"outfile is {visible(str(path))}; expected a name that ends in .svg, .png or .pdf")
        data = self.pipe(format, engine=engine)  # nothing is written if this fails
        source = self.save(filename, directory=directory)
        write_whole(path, data)
        if cleanup:
            os.remove(source)
        if view or quiet_view:
            graphviz.view(str(path), quiet=quiet_view)
        return str(path)


def rendered(source: str, format: str, engine: str = "dot") -> bytes:
    """Return the picture of a DOT source in one of Graphviz's formats (svg, png, pdf, plain, …)."""
    for what, given, legal in (("format", format, graphviz.FORMATS), ("engine", engine, graphviz.ENGINES)):
        if not isinstance(given, str) or given.lower() not in legal:
            raise unknown(what, given, sorted(legal))
    with _one_in_silence():
        pygraphviz = _pygraphviz()
    with _one_in_silence() as errors:
        try:
            graph = pygraphviz.AGraph(string=source)
            graph.number_of_nodes = lambda: 0  # of a thousand it would say on sys.stderr that they take long
            picture = bytes(graph.draw(format=format.lower(), prog=engine))
        except TypeError:  # what an unknown format comes to
            raise AbvizError(f"Graphviz cannot write {format} here; expected svg, png or pdf") from None
        except ValueError as problem:
            raise AbvizError(f"Graphviz cannot draw this: {problem}; expected another graph or engine") from None
    if errors:  # and yet it draws: a node, say, with nothing in it
        raise AbvizError(f"Graphviz cannot draw this: {' '.join(errors)[:200]}; expected another graph or engine")
    return picture


_lock = threading.Lock()


@contextmanager
def _one_in_silence() -> Iterator[list[str]]:
    """One picture at a time, as Graphviz wants it, and what its libraries have to say of it kept out of the notebook.

    (That it is scaled down, say, or that a word in the system's font settings is new to them.) Their errors are in the
    list afterwards.
    """
    errors: list[str] = []
    with _lock:
        try:
            stderr = os.dup(2)
        except OSError:  # closed
            yield errors
            return
        with tempfile.TemporaryFile() as heard:
            os.dup2(heard.fileno(), 2)
            try:
                yield errors
            finally:
                os.dup2(stderr, 2)
                os.close(stderr)
                heard.seek(0)
                text = heard.read().decode(errors="replace")
                found = re.findall(r"^Error: .*(?:\n(?:in label of |\.\.\. ).*)*", text, re.MULTILINE)
                errors += [visible(" ".join(each.split())) for each in found]


@cache
def _pygraphviz() -> Any:
    """Return pygraphviz with its fonts loaded. While its fontconfig wakes up, it is shown where matplotlib keeps fonts,
    since on a machine that has none at all it would draw boxes."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "fonts.conf")
        settings.write_text(_font_settings(), encoding="utf-8")
        ours = "FONTCONFIG_FILE" not in os.environ
        if ours:
            os.environ["FONTCONFIG_FILE"] = str(settings)
        try:
            import pygraphviz

            pygraphviz.AGraph(string="digraph { a }").draw(format="png", prog="dot")
        finally:
            if ours:
                del os.environ["FONTCONFIG_FILE"]
    return pygraphviz


def _font_settings() -> str:
    folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", "~/.fonts"]
    if sys.platform == "win32":
        folders.append("WINDOWSFONTDIR")
    matplotlib = find_spec("matplotlib")
    folders += [
        f"{folder}/mpl-data/fonts/ttf" for folder in (matplotlib and matplotlib.submodule_search_locations) or ()
    ]
    places = "".join(f"<dir>{escape(folder)}</dir>" for folder in folders)
    settings = '<dir prefix="xdg">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir>'
    never_read_again = "<config><rescan><int>0</int></rescan></config>"
    return f"<fontconfig>{places}{settings}{never_read_again}</fontconfig>"
