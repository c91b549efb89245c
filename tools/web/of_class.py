"""The class for which the site is built: what its course file says, if there is one."""

import re
from functools import cache
from pathlib import Path
from textwrap import wrap

import nbformat

from abviz.course import Course
from abviz.exercises import EXERCISES

LINE = 88  # the longest in a stub

_course = Course()


def follow(course: Course) -> None:
    """Build the site for this class from now on."""
    global _course
    _course = course
    stubs.cache_clear()


def course() -> Course:
    return _course


def rules() -> str:
    """Return the names of the rules that are on, which another edition of the site may change."""
    switches = vars(_course.rules)
    return " ".join(name for name, is_on in switches.items() if is_on)


def content() -> bytes:
    """Return the course file; nothing where there is none."""
    return _course.file.read_bytes() if _course.file else b""


@cache
def stubs() -> dict[str, str]:
    """Return the stubs that the rules of the class change, and what they become."""
    changed = {}
    for exercise in EXERCISES.values():
        stub = exercise.stub.strip()
        own = exercise.under(_course.rules).stub.strip()
        if own != stub:
            changed[stub] = _in_short_lines(own)
    return changed


def source(cell: str) -> str:
    """Return the source of a cell, where a stub says the rules of the class."""
    for stub, own in stubs().items():
        # The lines of a notebook may be shorter
        words = r"\s+".join(map(re.escape, stub.split()))
        cell = re.sub(words, lambda _, own=own: own, cell)
    return cell


def notebook(path: Path) -> str:
    """Return the notebook, whose stubs say the rules of the class."""
    if not stubs():
        return path.read_text("utf-8")
    content = nbformat.read(path, as_version=4)
    for cell in content.cells:
        if cell.cell_type == "code":
            cell.source = source(cell.source)
    return nbformat.writes(content)


def _in_short_lines(stub: str) -> str:
    """Return the stub with lines as long as those of the notebooks."""
    lines = []
    for line in stub.split("\n"):
        start = re.match(r" *(# )?", line)
        assert start
        lines += wrap(line, LINE, subsequent_indent=start[0], break_long_words=False) or [""]
    return "\n".join(lines)
