"""What the compiler complains of, in one line: the rule, its line, and what is wrong there."""

import re
from collections.abc import Iterable
from linecache import getline
from pathlib import PurePath
from types import FunctionType

from abviz.errors import visible

PLACE = re.compile(r'File "([^"]*)", line (\d+)| Raised from (.*) \((\d+)\)')
# What numba says of its own way to a mistake, and not of the mistake.
BESIDE = re.compile(
    r"Failed in|- |There are|Overload|With arg|Rejected|TypingError|Unsupp|No match|None$|During|raised|<source|\^"
)
WIDE = 120


def complaint(problem: Exception, title: str, functions: Iterable[FunctionType]) -> str:
    """`functions` are the rules and what they call: the mistake is in the first of them that the message comes to."""
    text = re.sub(r".\[\d+m", "", str(problem))
    functions = list(functions)
    for place in PLACE.finditer(text):
        file, line = place[1] or place[3], int(place[2] or place[4])
        for function in functions:
            if _stands_at(function, file, line):
                source = getline(function.__code__.co_filename, line).strip()
                at = f"line {line} ({_cut(source)})" if source else f"line {line}"
                rule, why = function.__code__.co_name, _why(text[: place.start()], problem)
                return f"{rule} of {title} does not compile, {at}: {why}"
    return f"the rules of {title} do not compile: {_why(text, problem)}"


def _stands_at(function: FunctionType, file: str, line: int) -> bool:
    """Whether that line is one of the function's. numba tells a file by its way from some folder: the names must do."""
    code = function.__code__
    lines = [number for _, _, number in code.co_lines() if number]
    return PurePath(file).name == PurePath(code.co_filename).name and min(lines) <= line <= max(lines)


def _why(text: str, problem: Exception) -> str:
    said = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in said if not BESIDE.match(line)] or said[:1]
    why = said[-1] if said else type(problem).__name__
    return _cut(f"numba knows no {why[4:]}" if why.startswith(">>> ") else why)


def _cut(text: str) -> str:
    return visible(text if len(text) <= WIDE else f"{text[: WIDE - 1]}…")
