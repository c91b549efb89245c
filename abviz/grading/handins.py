"""What is handed in: files, and the Python in them, read without being run."""

import ast
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError
from abviz.text import brief, visible

KINDS = (".ipynb", ".py")
MOST_BYTES = 20_000_000
BESIDE_BYTES = 100_000_000  # of what stands in a student's own folder
TIMING = ("time", "timeit", "capture", "prun")  # cell magics that run the rest of the cell
DEFINED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]*)?=(?!=)", re.MULTILINE)
CHECKED = re.compile(r"""\bcheck\(\s*["']([\w-]+)["']""")


@dataclass(frozen=True)
class HandIn:
    """One file. A student's own folder is copied with it; from a folder of many students' files, only the file."""

    label: str  # as it is told in reports
    path: Path
    cells: list[str]
    problem: str = ""  # why it cannot be read
    own_folder: bool = False

    @property
    def module(self) -> str:
        return "__main__" if self.path.suffix == ".ipynb" else "hand_in"

    @property
    def beside(self) -> Path:
        """The folder that the process may not look into: it has a copy of what is its own."""
        return self.path.resolve().parent

    def copy_to(self, folder: Path) -> None:
        if self.own_folder and sum(each.stat().st_size for each in self.beside.rglob("*")) <= BESIDE_BYTES:
            shutil.copytree(self.beside, folder, dirs_exist_ok=True, ignore_dangling_symlinks=True)
        else:
            shutil.copy(self.path, folder)

    def names(self) -> set[str]:
        """What it defines, and the exercises that it calls `check` for, as far as can be seen without running it."""
        return {name for cell in self.cells for name in (*_defined(cell), *CHECKED.findall(cell))}


def hand_ins(paths: Iterable[str]) -> list[HandIn]:
    """The files told, and those in the folders told and all below, in the order of their names."""
    found = [each for path in paths for each in _below(Path(path))]
    if not found:
        raise AbvizError(f"no hand-in is there; expected files that end in {' or '.join(KINDS)}")
    return found


def _below(path: Path) -> Iterator[HandIn]:
    if not path.is_dir():
        if path.suffix not in KINDS:
            raise AbvizError(f"{visible(str(path))} is no hand-in; expected {', '.join(KINDS)} or a folder")
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        yield _read(path, path, own_folder=False)
        return
    for each in sorted(path.rglob("*")):
        hidden = any(part.startswith((".", "__")) for part in each.relative_to(path).parts)
        if each.suffix in KINDS and each.is_file() and not hidden:
            yield _read(each, path, own_folder=each.parent != path)


def _read(path: Path, folder: Path, own_folder: bool) -> HandIn:
    label = str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
        return HandIn(label, path, _cells(text) if path.suffix == ".ipynb" else [text], own_folder=own_folder)
    except (OSError, ValueError, RecursionError) as problem:
        told = visible(" ".join(str(problem).split()))[:160]
        return HandIn(label, path, [], f"it cannot be read: {told}", own_folder)


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
    except (SyntaxError, ValueError):
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
    except (SyntaxError, ValueError, RecursionError, MemoryError):
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
