"""Cells of a notebook run without Jupyter, as a page does that runs Python by itself."""

import ast
import json
import linecache
import sys
from time import perf_counter
from typing import Any


class Session:
    """Cells that share their names; each shows what it displays and its last expression."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "display": self.display}
        self.count = 0
        self.shown: list[object] = []

    def display(self, *things: object) -> None:
        self.shown += things

    def run(self, source: str) -> list[dict[str, Any]]:
        """Return what the cell shows: of each thing its texts by their type."""
        self.count += 1
        self.shown = []
        file = f"<cell {self.count}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)

        cell = ast.parse(source, file)
        last = None
        if cell.body and isinstance(cell.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
            last = ast.Expression(cell.body.pop().value)  # type: ignore[attr-defined]
        exec(compile(cell, file, "exec"), self.names)
        if last is not None:
            value = eval(compile(last, file, "eval"), self.names)
            if value is not None:
                self.display(value)
        return [bundle(each) for each in self.shown]


def bundle(thing: object) -> dict[str, Any]:
    """Return a thing's texts by their type, as a notebook asks for them."""
    texts: dict[str, Any] = {"text/plain": repr(thing)}
    if hasattr(thing, "_repr_mimebundle_"):
        texts |= thing._repr_mimebundle_() or {}
    if hasattr(thing, "_repr_html_"):
        texts["text/html"] = thing._repr_html_()
    return texts


def main() -> None:
    """Run the cells that come in, and print of each its id, its seconds and what it shows."""
    session = Session()
    for cell, source in json.load(sys.stdin):
        begin = perf_counter()
        shown = session.run(source)
        print("\0" + json.dumps([cell, perf_counter() - begin, shown]))


if __name__ == "__main__":
    main()
