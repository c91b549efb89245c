"""The source of a student's functions, and the line of it that runs at each event."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from textwrap import dedent
from types import CodeType

Place = tuple[CodeType, int]  # a function, and how far it was (its f_lasti)


class Source:
    """The lines of the functions that search, in the order of the file.

    It also knows which of them runs at each event, and from which of them a node was called.
    """

    def __init__(
        self,
        codes: Iterable[CodeType],
        places: list[Place | None],
        callers: Mapping[int, Place] = {},
        *,
        raised_at: Sequence[Place] = (),
    ):
        self.codes = list(codes)
        self.places = places
        self.callers = callers

        # The places that the exception went through that ended the run; none where it wasn't one
        self.raised_at = raised_at

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
        lines = self._lines_at(self.places)
        if self.raised_at and lines:
            # Not the line of the last event, after which the exception was raised
            own = [place for place in self.raised_at if place[0] in set(self.codes)]
            lines[-1] = self._lines_at([own[-1]])[0] if own else None
        return lines

    @cached_property
    def calling(self) -> list[int | None]:
        """The index of the line that called the node of an event; None where that isn't known."""
        return self._lines_at([self.callers.get(event) for event in range(len(self.places))])

    def _lines_at(self, places: list[Place | None]) -> list[int | None]:
        index = {line: i for i, line in enumerate(self._text)}

        lines = {}
        for code, lasti in filter(None, set(places)):
            instruction = lasti // 2  # each takes two bytes
            line, *_ = next(islice(code.co_positions(), instruction, None))
            lines[code, lasti] = index.get((code.co_filename, line or code.co_firstlineno))

        return [lines[place] if place else None for place in places]


def places_of(error: BaseException) -> list[Place]:
    """Return the places that an exception went through, the innermost last."""
    places = []
    step = error.__traceback__
    while step:
        places.append((step.tb_frame.f_code, step.tb_lasti))
        step = step.tb_next
    return places
