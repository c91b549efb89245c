"""An exam sheet and its key: trees to be searched on paper, as SVG, PDF or LaTeX."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from abviz.errors import AbvizError, brief, visible
from abviz.exercises.joining import joined
from abviz.exercises.paging import Pages
from abviz.exercises.typesetting import latex
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.files import write_whole
from abviz.tree.model import Tree

FORMATS = ("svg", "pdf", "tex")
MOST_EXERCISES = 40


class Sheet:
    """Several trees on one sheet: Sheet([make_tree(7), make_tree(8)]).write("sheet.pdf").

    Every exercise states the rules under which it is marked. With `key` the same sheet is filled in.
    """

    def __init__(self, trees: Sequence[Tree], *, rules: Rules = Rules(), title: str = "Alpha-beta by hand"):
        trees = list(trees)
        if not trees or not all(isinstance(tree, Tree) for tree in trees) or len(trees) > MOST_EXERCISES:
            raise AbvizError(f"a sheet of {brief(trees)}; expected 1 to {MOST_EXERCISES} trees")
        leaf = next((tree for tree in trees if tree.root.is_leaf), None)
        if leaf is not None:
            raise AbvizError(f"a sheet of {brief(leaf)}; expected a tree with a move to make")
        self.title = title
        self.traces = tuple(trace(tree, rules=rules) for tree in trees)

    def svg(self, *, key: bool = False) -> bytes:
        """A4 pages, one below the other."""
        return self._pages(key).svg()

    def pdf(self, *, key: bool = False) -> bytes:
        return joined(self._pages(key).pdf())

    def latex(self, *, key: bool = False) -> str:
        return latex(self._titled(key), self.traces, key=key)

    def write(self, path: str | PathLike[str], *, key: bool = False) -> None:
        """The format is the name's ending: .svg, .pdf or .tex."""
        format = check_format(path)
        data = {"svg": self.svg, "pdf": self.pdf}.get(format)
        write_whole(path, data(key=key) if data else self.latex(key=key).encode())

    def _pages(self, key: bool) -> Pages:
        return Pages(self._titled(key), self.traces, key=key)

    def _titled(self, key: bool) -> str:
        return " – ".join(filter(None, (self.title.strip(), "key"))) if key else self.title

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"image/svg+xml": self.svg().decode(), "text/plain": f"<Sheet of {len(self.traces)} exercises>"}


def check_format(path: str | PathLike[str]) -> str:
    format = Path(path).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        expected = "expected .svg, .pdf or .tex, or .yaml for one tree itself"
        raise AbvizError(f"{visible(str(path))} is no name for a sheet; {expected}")
    return format
