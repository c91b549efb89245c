"""The Python in a hand-in: its cells, what comes of running them, and the names that it seems to define.

All of this is done in the hand-in's own process, since even reading can take all memory, or end the process.
"""

import __future__

import ast
import inspect
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Any

from abviz.errors import brief, visible
from abviz.exercises.grading import standins
from abviz.exercises.grading.wire import text_of

TIMING = ("time", "timeit", "capture", "prun")  # cell magics that run the rest of the cell
DEFINED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
CHECKED = re.compile(r"""\bcheck\(\s*["']([\w-]+)["']""")
# What only IPython understands, at the beginning of a line: %magic, !command and ?question, or a name that is to hold
# what comes of it.
MAGIC = re.compile(r"\s*(?P<name>\w[\w., ]*=\s*)?(?:%{1,2}\w|!|\?)")
AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as a notebook does
FUTURE = reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


def cells(path: Path) -> tuple[list[str], str]:
    """The cells, and why they cannot be read."""
    try:
        if path.suffix.lower() == ".ipynb":
            return _cells(path.read_text(encoding="utf-8-sig")), ""
        with tokenize.open(path) as file:  # in the encoding that its first lines tell
            return [file.read()], ""
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        said = str(problem).replace(str(path), path.name)
        told = visible(" ".join(said.split()))[:160] or type(problem).__name__
        return [], f"it cannot be read: {told}"


def run(cells: list[str], file: str, module: str) -> tuple[dict[str, Any], str]:
    """What the cells define, and what went wrong first. A cell that fails does not keep the next from running."""
    hand_in = ModuleType(module)
    hand_in.__file__ = file
    sys.modules[module] = hand_in
    problem, flags = "", 0
    if module == "__main__":  # a notebook: each cell may await, and goes by the __future__ that an earlier one imports
        flags = AWAIT
        hand_in.__dict__.update(standins.OF_NOTEBOOKS)
    for cell in cells:
        try:
            code = compile(cell, file, "exec", flags, dont_inherit=True)
            flags |= code.co_flags & FUTURE if flags else 0
            awaited = eval(code, hand_in.__dict__)
            if inspect.iscoroutine(awaited):
                import asyncio

                asyncio.run(awaited)
        except BaseException as error:
            where = _line(error, file) + (_cell(cell) if module == "__main__" else "")
            problem = problem or ": ".join(filter(None, (type(error).__name__, text_of(error).strip()))) + where
    return hand_in.__dict__, problem


def _line(error: BaseException, file: str) -> str:
    """Where in the file it came to that; what Python cannot read says so itself."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return f" ({file}, line {lines[-1]})" if lines and not isinstance(error, SyntaxError) else ""


def _cell(cell: str) -> str:
    first = next((line for line in cell.split("\n") if line.strip()), "")
    return f" of the cell that begins with {brief(first.strip())}"


def names(told: list[str]) -> set[str]:
    """What the cells define, and the exercises that they call `check` for, as far as it shows without running them."""
    return {name for cell in told for name in (*_defined(cell), *CHECKED.findall(cell))}


def _cells(text: str) -> list[str]:
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as problem:
        raise ValueError(f"it is no notebook: {problem}") from None
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
    """The cell without what only IPython understands. What Python takes is left as it is: it may be within a string."""
    lines = cell.split("\n")
    while not lines[0].strip():
        del lines[0]
    first = lines[0].strip()
    if first.startswith("%%"):
        lines = lines[1:] if first[2:].split()[:1] and first[2:].split()[0] in TIMING else []
    for _ in range(len(lines)):
        place = _first_wrong(lines)
        if place is None:
            return "\n".join(lines)
        if not _only_ipython(lines[place]):
            break
        _leave_out(lines, place)
    for place, line in enumerate(lines):
        if _only_ipython(line):
            _leave_out(lines, place)
    return "\n".join(lines)


def _first_wrong(lines: list[str]) -> int | None:
    """The place of the line that Python stumbles over."""
    try:
        compile("\n".join(lines), "cell", "exec", AWAIT, dont_inherit=True)
    except SyntaxError as problem:
        return min(max(problem.lineno or 1, 1), len(lines)) - 1
    except NOT_PYTHON:
        pass
    return None


def _only_ipython(line: str) -> bool:
    return MAGIC.match(line) is not None or (line.rstrip().endswith("?") and "#" not in line)


def _leave_out(lines: list[str], place: int) -> None:
    line, found = lines[place], MAGIC.match(lines[place])
    indent = line[: len(line) - len(line.lstrip())]
    lines[place] = f"{indent}{found['name']}[]" if found and found["name"] else f"{indent}pass"
    while line.endswith("\\") and place + 1 < len(lines):
        place, line = place + 1, lines[place + 1]
        lines[place] = ""


def _defined(cell: str) -> Iterator[str]:
    try:
        body = ast.parse(cell).body
    except NOT_PYTHON:
        yield from (one or other for one, other in DEFINED.findall(cell))
        return
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.ImportFrom) and str(statement.module).partition(".")[0] == "abviz":
            continue  # of others, and not the hand-in's own
        elif isinstance(statement, ast.ImportFrom | ast.Import):
            yield from (alias.asname or alias.name for alias in statement.names)
        else:
            names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (node.id for node in names if isinstance(node.ctx, ast.Store))
