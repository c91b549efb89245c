"""Cells that need what a browser has not: their page shows the run of the site's builder.

A cell of a notebook says so by a tag in its metadata, such as `"tags": ["needs-threads"]`. What
uses the names of such a cell needs the same, and has no tag of its own.
"""

import dis
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from types import CodeType
from typing import Any

NEEDS = {
    "needs-compiler": "compiled code",
    "needs-matplotlib": "Matplotlib",
    "needs-threads": "threads",
    "needs-processes": "processes",
}
AT_HOME = "It runs on your own computer: the front page of the course says how."


@dataclass
class Run:
    """When and where a notebook ran."""

    day: date
    machine: str
    python: str

    def sentence(
        self, need: str, *, is_first: bool, shows: bool = True, checks: bool = False
    ) -> str:
        """Return what a page says below a cell that it can't run, as HTML.

        It is in full the first time, and tells of the recorded run where the cell shows something.
        Of an exercise that run says nothing: the reader's own answer is checked elsewhere.
        """
        if checks:
            return (
                f"This check needs {need}, which a browser hasn't: download this page as a "
                "notebook, and check your answer on your own computer."
            )

        day = f"{self.day.day} {self.day:%B %Y}"
        if not is_first:
            does = f"Recorded on {day}" if shows else "Not run here"
            return f"{does}, since it needs {need}."

        where = f"on {self.machine}, Python {self.python}"
        does = f"Recorded on {day} {where}" if shows else "Not run here"
        return f"{does}: this needs {need}, which a browser hasn't. {AT_HOME}"


def needs(cells: list[Any]) -> dict[str, str]:
    """Return what each cell needs that a browser has not, by its id; others are left out."""
    found = {}
    missing: dict[str, str] = {}  # names that have no value in a browser
    for cell in cells:
        if cell.cell_type != "code":
            continue

        reads, writes = _names(cell.source)
        tags = cell.metadata.get("tags", [])
        reasons = [NEEDS[tag] for tag in tags if tag in NEEDS]
        reasons += [missing[name] for name in sorted(reads & missing.keys())]
        if reasons:
            found[cell.id] = reasons[0]
            missing |= dict.fromkeys(writes, reasons[0])
        else:
            missing = {name: need for name, need in missing.items() if name not in writes}
    return found


def _names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell reads from cells above it, and those that it gives a value."""
    code = compile(source, "<cell>", "exec")
    reads, writes = set(), set()
    for step in dis.get_instructions(code):
        if step.opname == "STORE_NAME":
            writes.add(step.argval)
        elif step.opname == "LOAD_NAME" and step.argval not in writes:
            reads.add(step.argval)
    return reads | (set(_read_inside(code)) - writes), writes


def _read_inside(code: CodeType) -> Iterator[str]:
    """Yield the names that functions and classes of this code read from outside them."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            for step in dis.get_instructions(inner):
                if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    yield step.argval
            yield from _read_inside(inner)
