"""What an answer prints while it is checked: held back, since hundreds of runs would flood a notebook."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

from abviz.errors import count, visible
from abviz.exercises.verdicts import Verdict
from abviz.recording.watchdog import OutOfTime

MOST_SHOWN = 2_000  # letters of what one run prints


class Held(io.TextIOBase):
    """Counts the lines that are printed, and keeps those of one run."""

    def __init__(self) -> None:
        self.lines, self.kept, self.keeps = 0, "", False

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        if self.keeps and len(self.kept) <= MOST_SHOWN:
            self.kept += text[: MOST_SHOWN + 1]
        return len(text)

    def told(self, verdict: Verdict) -> Verdict:
        """The verdict, with a word on what was printed."""
        if not self.lines:
            return verdict
        said = f"{verdict.message} ({count(self.lines, 'line')} that it printed meanwhile are held back.)"
        shown = "\n".join(map(visible, self.kept[:MOST_SHOWN].split("\n"))).rstrip()
        return replace(verdict, message=said, printed=f"{shown} …" if len(self.kept) > MOST_SHOWN else shown)


@contextmanager
def held_back() -> Iterator[Held]:
    """From here on nothing that is printed is seen."""
    held, hook = Held(), sys.unraisablehook

    def unraisable(told: Any) -> None:
        if told.exc_type is not OutOfTime:  # that ours came where nobody could catch it, the answer has not printed
            hook(told)

    sys.unraisablehook = unraisable
    try:
        with redirect_stdout(held), redirect_stderr(held):
            yield held
    finally:
        sys.unraisablehook = hook


@contextmanager
def kept() -> Iterator[None]:
    """What is printed here is shown afterwards, if it is held back."""
    out = sys.stdout
    if isinstance(out, Held):
        out.keeps = True
    try:
        yield
    finally:
        if isinstance(out, Held):
            out.keeps = False
