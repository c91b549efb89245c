"""A thread that looks at one run from time to time, for whoever shows it."""

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from abviz.errors import AbvizError, visible
from abviz.parallel.records import Run

# Seconds. A page that is drawn anew takes time from the search if every core is busy, and a long run changes slowly.
PAUSE, LONG_PAUSE = 0.25, 0.4  # from one message to the next
OFTEN, GLANCE = 0.001, 0.05  # from one look whether it is done to the next
LONGEST = 400  # letters of a problem

Told = Callable[[Run], None]


class Watch:
    """`tell` is called with the record as it grows, and at the end `finish` with the last, or `fail` with a problem."""

    def __init__(self, running: Any = None):
        self.running = running  # None when it has ended: a search keeps megabytes
        self.fault: BaseException | None = None
        self.over = threading.Event()
        self._wake = threading.Event()
        if running is None:
            self.over.set()

    def begin(self, tell: Told, finish: Told, fail: Callable[[BaseException], None]) -> None:
        told = (self.running, tell, finish, fail)
        threading.Thread(target=self._look, args=told, name="abviz timing", daemon=True).start()

    def stop(self) -> None:
        """End the run, if it has not ended."""
        running = self.running
        if running is not None:
            running.stop()
            self._wake.set()

    def give_up(self) -> None:
        """Of a run that was not begun to be watched."""
        self.stop()
        self._end()

    def _look(self, running: Any, tell: Told, finish: Told, fail: Callable[[BaseException], None]) -> None:
        begin = told = now = monotonic()
        try:
            while not (self._wake.wait(between(OFTEN, (now - begin) / 4, GLANCE)) or running.done):
                now = monotonic()
                if now - told >= between(PAUSE, (now - begin) / 12, LONG_PAUSE):
                    told = now
                    tell(running.record())
            finish(running.result())
        except BaseException as problem:
            running.stop()  # it may be the telling that failed, and not the search
            self.fault = problem
            fail(problem)
        finally:
            self._end()

    def _end(self) -> None:
        self.running = None
        self.over.set()


def in_words(problem: BaseException) -> str:
    """A problem as one line, which has an end."""
    notes = "".join(f" ({note})" for note in getattr(problem, "__notes__", ()))
    kind = "" if isinstance(problem, AbvizError) else f"{type(problem).__name__}: "
    text = f"{kind}{problem}{notes}"
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def between(least: float, value: float, most: float) -> float:
    return max(least, min(value, most))
