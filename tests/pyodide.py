"""Pyodide, the Python of a browser, in Node, with abviz and what it needs there.

What is mounted is this checkout and packages of Python alone; a browser has no others.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.node import Node, running_node

HOUSE = Path(__file__).resolve().parents[1]
DRIVER = Path(__file__).with_name("pyodide.js")
PACKAGES = ("graphviz", "traitlets", "yaml")
HOW_TO_GET_IT = "Pyodide is missing: `make test` installs it, as `npm ci` does."


class Pyodide:
    """Python of a browser."""

    def __init__(self, node: Node) -> None:
        self.node = node
        folders = {name: HOUSE / name for name in ("abviz", "tests", "trees")}
        folders |= {name: _folder(name) for name in PACKAGES}
        self.version = node.call("openPython", {name: str(each) for name, each in folders.items()})

    def run(self, code: str) -> Any:
        """Run the code and return the value of its last expression: a text, a number or None."""
        return self.node.call("runPython", code)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, package
    return Path(spec.origin).parent


@contextmanager
def running_pyodide() -> Iterator[Pyodide]:
    assert (HOUSE / "node_modules" / "pyodide").is_dir(), HOW_TO_GET_IT
    with running_node() as node:
        node.load(DRIVER)
        yield Pyodide(node)
