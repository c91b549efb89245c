"""The Python in a hand-in: its cells, and the names that it seems to define.

All of this is done in the hand-in's own process, since even reading can take all memory, or end the process.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abviz.text import brief, visible

TIMING = ("time", "timeit", "capture", "prun")  # cell magics that run the rest of the cell
DEFINED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
CHECKED = re.compile(r"""\bcheck\(\s*["']([\w-]+)["']""")
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


def cells(path: Path) -> tuple[list[str], str]:
    """The cells, and why they cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        return (_cells(text) if path.suffix == ".ipynb" else [text]), ""
    except (OSError, ValueError, RecursionError, MemoryError) as problem:
        told = visible(" ".join(str(problem).split()))[:160] or type(problem).__name__
        return [], f"it cannot be read: {told}"


def names(told: list[str]) -> set[str]:
    """What the cells define, and the exercises that they call `check` for, as far as it shows without running them."""
    return {name for cell in told for name in (*_defined(cell), *CHECKED.findall(cell))}


def _cells(text: str) -> list[str]:
    notebook = json.loads(text)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{brief(notebook)} is no notebook; expected one of format 4")
    sources = [_source(cell) for cell in notebook["cells"]]
    return [_python(source) for source in sources if source.strip()]


def _source(cell: Any) -> str:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _python(cell: str) -> str:
    """The cell without what only IPython understands: %magics, !commands and ?questions."""
    try:
        compile(cell, "cell", "exec", dont_inherit=True)
        return cell
    except NOT_PYTHON:
        pass
    lines = cell.splitlines()
    first = lines[0].strip()
    if first.startswith("%%"):
        lines = lines[1:] if first[2:].split()[:1] and first[2:].split()[0] in TIMING else []
    return "\n".join(_line(line) for line in lines)


def _line(line: str) -> str:
    bare = line.lstrip()
    only_ipython = bare.startswith(("%", "!", "?")) or (line.rstrip().endswith("?") and "#" not in line)
    return f"{line[: len(line) - len(bare)]}pass" if only_ipython else line


def _defined(cell: str) -> Iterator[str]:
    try:
        body = ast.parse(cell).body
    except NOT_PYTHON:
        yield from (one or other for one, other in DEFINED.findall(cell))
        return
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.ImportFrom | ast.Import):
            yield from (alias.asname or alias.name for alias in statement.names)
        else:
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (node.id for node in names if isinstance(node.ctx, ast.Store))
