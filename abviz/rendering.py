"""Graphviz itself: DOT in, pictures out, with no `dot` on the machine or with only that."""

import os
import tempfile
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import graphviz

from abviz.errors import AbvizError
from abviz.files import write_whole


class Picture(graphviz.Digraph):  # type: ignore[misc]
    """A graphviz.Digraph that needs no `dot`: the pygraphviz wheel has Graphviz inside."""

    def pipe(self, format: str | None = None, *args: Any, encoding: str | None = None, **kwargs: Any) -> Any:
        """The picture as bytes, or as text if an encoding is given."""
        data = rendered(self.source, format or self.format)
        return data.decode(encoding) if encoding else data

    def render(
        self,
        filename: Any = None,
        directory: Any = None,
        view: bool = False,
        cleanup: bool = False,
        format: str | None = None,
        *,
        outfile: Any = None,
        **kwargs: Any,
    ) -> str:
        """Write the DOT source and the picture beside it, and return the picture's path; or write just `outfile`."""
        if outfile is not None:
            path = Path(outfile)
            write_whole(path, self.pipe(format or path.suffix.removeprefix(".")))
        else:
            format = format or self.format
            data = self.pipe(format)
            source = Path(self.save(filename, directory))
            path = source.with_name(f"{source.name}.{format}")
            write_whole(path, data)
            if cleanup:
                source.unlink()
        if view:
            graphviz.view(str(path))
        return str(path)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": self.pipe("svg", encoding="utf-8"), "text/plain": repr(self)}


def rendered(source: str, format: str) -> bytes:
    """The picture of a DOT source in one of Graphviz's formats (svg, png, pdf, plain, ...)."""
    if find_spec("pygraphviz"):
        return bytes(_wheel().AGraph(string=source).draw(format=format, prog="dot"))
    try:
        return bytes(graphviz.pipe("dot", format, source.encode()))
    except graphviz.ExecutableNotFound:
        need = "the package pygraphviz, 2.0 or later, or the program dot"
        raise AbvizError(f"there is no Graphviz to draw with; expected {need}") from None


@cache
def _wheel() -> Any:
    """pygraphviz with its fonts loaded.

    Two things are done while its fontconfig wakes up. It is shown where matplotlib keeps fonts, since on a machine
    that has none at all it would draw boxes; and its complaints of words in the system's settings that it is too old
    for are kept out of the notebook.
    """
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "fonts.conf")
        settings.write_text(_font_settings())
        ours = "FONTCONFIG_FILE" not in os.environ
        if ours:
            os.environ["FONTCONFIG_FILE"] = str(settings)
        stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        try:
            import pygraphviz

            pygraphviz.AGraph(string="digraph { a }").draw(format="png", prog="dot")
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            os.close(nowhere)
            if ours:
                del os.environ["FONTCONFIG_FILE"]
    return pygraphviz


def _font_settings() -> str:
    folders = ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", "~/.fonts"]
    matplotlib = find_spec("matplotlib")
    if matplotlib and matplotlib.origin:
        folders.append(str(Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf"))
    places = "".join(f"<dir>{escape(folder)}</dir>" for folder in folders)
    settings = '<dir prefix="xdg">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir>'
    never_read_again = "<config><rescan><int>0</int></rescan></config>"
    return f"<fontconfig>{places}{settings}{never_read_again}</fontconfig>"
