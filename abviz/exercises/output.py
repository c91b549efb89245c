"""What an answer prints while it is checked: held back, since hundreds of runs would flood a notebook."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace

from abviz.errors import count, visible
from abviz.exercises.verdict import Verdict

MOST_SHOWN = 2_000  # characters of what one run prints


class HeldOutput(io.TextIOBase):
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

    def added_to(self, verdict: Verdict) -> Verdict:
        if not self.lines:
            return verdict
        message = f"{verdict.message} ({count(self.lines, 'printed line')} held back.)"
        shown = "\n".join(map(visible, self.kept[:MOST_SHOWN].split("\n"))).rstrip()
        return replace(verdict, message=message, printed=f"{shown} …" if len(self.kept) > MOST_SHOWN else shown)


@contextmanager
def held_output() -> Iterator[HeldOutput]:
    """Hold back everything that is printed inside."""
    held = HeldOutput()
    with redirect_stdout(held), redirect_stderr(held):
        yield held


@contextmanager
def keep_output() -> Iterator[None]:
    """Keep what is printed inside, to be shown with the verdict."""
    out = sys.stdout
    if isinstance(out, HeldOutput):
        out.keeps = True
    try:
        yield
    finally:
        if isinstance(out, HeldOutput):
            out.keeps = False
