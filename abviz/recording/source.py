"""The source of a student's functions, and the line of it that runs at each event."""

import inspect
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from textwrap import dedent
from types import CodeType

Place = tuple[CodeType, int]  # a function, and how far it was (its f_lasti)


class Source:
    """The lines of the functions that search, in the order of the file.

    It also knows which of them runs at each event.
    """

    def __init__(self, codes: Iterable[CodeType], places: list[Place | None]):
        self.codes = codes
        self.places = places

    @cached_property
    def _text(self) -> dict[tuple[str, int], str]:
        """Each line by its file and number; none where Python has not kept it."""
        text: dict[tuple[str, int], str] = {}
        codes = sorted(self.codes, key=lambda code: (code.co_filename, code.co_firstlineno))
        for code in codes:
            file = code.co_filename
            first = code.co_firstlineno
            if (file, first) in text:  # it lies within the function before
                continue
            try:
                lines, _ = inspect.getsourcelines(code)
            except Exception:  # there is no file, or no Python in it
                continue

            if text:
                text[file, -first] = ""
            block = dedent("".join(lines).expandtabs(4)).rstrip().split("\n")
            text |= {(file, number): line for number, line in enumerate(block, first)}
        return text

    def function(self, event: int) -> str:
        """Return the name of the function that runs at that event; "" for one without a name."""
        place = self.places[event]
        name = place[0].co_name if place else ""
        return name if name.isidentifier() and name[:2] != "__" else ""

    @property
    def lines(self) -> list[str]:
        return list(self._text.values())

    @cached_property
    def running(self) -> list[int | None]:
        """The index of a line for each event."""
        index = {line: i for i, line in enumerate(self._text)}

        lines = {}
        for code, lasti in filter(None, set(self.places)):
            instruction = lasti // 2  # each takes two bytes
            line, *_ = next(islice(code.co_positions(), instruction, None))
            lines[code, lasti] = index.get((code.co_filename, line or code.co_firstlineno))

        return [lines[place] if place else None for place in self.places]
