"""The text of the functions that search, as their author wrote it, and where in it each thing happened."""

import inspect
import linecache
from collections.abc import Iterable
from functools import cached_property, lru_cache
from textwrap import dedent
from types import CodeType
from typing import Any

Place = tuple[CodeType, int]  # a function's code, and how far it was: `f_lasti` of its frame


class Source:
    """The functions' lines one after the other, in the order of the file; none where Python has not kept the text."""

    def __init__(self, codes: Iterable[CodeType], places: list[Place | None]):
        self.places = places  # where the search was at each event
        self.lines: list[str] = []
        self.starts: dict[CodeType, int] = {}  # what is to be taken from the number of a line in the file
        file, end, offset = "", 0, 0
        for code in sorted(codes, key=lambda each: (each.co_filename, each.co_firstlineno)):
            filename, first = code.co_filename, code.co_firstlineno
            if filename != file or first >= end:  # else it lies within the function before
                text = _text(filename, code)
                if text is None:
                    continue
                self.lines += ["", *text] if self.lines else text
                file, end = filename, first + len(text)
                offset = first - (len(self.lines) - len(text))
            self.starts[code] = offset

    @cached_property
    def running(self) -> list[int | None]:
        """The index of the line that was running at each event; worked out only when somebody looks."""
        return [self._line(place) for place in self.places]

    def _line(self, place: Place | None) -> int | None:
        if place is None or place[0] not in self.starts:
            return None
        code, instruction = place
        number = _numbers(code)[instruction // 2]
        return None if number is None else number - self.starts[code]

    def __getstate__(self) -> dict[str, Any]:
        return {"lines": self.lines, "running": self.running}  # code cannot be pickled


@lru_cache(maxsize=64)
def _text(filename: str, code: CodeType) -> list[str] | None:
    """The lines, without what they share in front. Two files may hold the same code: the name tells them apart."""
    linecache.checkcache(filename)
    try:  # not getsourcelines: it asks every module that was ever imported, and some raise what they like
        lines = inspect.getblock(linecache.getlines(filename)[code.co_firstlineno - 1 :])
    except Exception:  # there is no file, or what stands in it is no Python any more
        return None
    return dedent("".join(lines).expandtabs(4)).rstrip().split("\n") if lines else None


@lru_cache(maxsize=64)
def _numbers(code: CodeType) -> list[int | None]:
    """The number of the line of each instruction."""
    return [line for line, *_ in code.co_positions()]
