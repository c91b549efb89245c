"""Notice an answer that runs a search or a solution of abviz, under whatever name it is handed in.

The file of the code that runs decides, not its name, its text or its bytecode: a `partial`, a
lambda that calls it, and a function made from its code with other globals all run code of that
file. Nodes and games are not among these files.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

from abviz.exercises import observation
from abviz.exercises.observation import ELSEWHERE, HANDED, Job
from abviz.exercises.sandbox import PACKAGE

ANSWERS = (
    "abviz/engine",
    "abviz/exercises/checkers_rules.py",
    "abviz/exercises/interpreted.py",
    "abviz/exercises/judgement.py",
    "abviz/exercises/papers.py",
    "abviz/exercises/positions.py",
    "abviz/exercises/programs.py",
    "abviz/exercises/searches.py",
    "abviz/exercises/threads.py",
    "abviz/exercises/trial_trees.py",
    "abviz/parallel",
    "abviz/play",
    "abviz/tracing/algorithms.py",
    "tests",  # of a checkout
)
NO_SEARCH = "Rules."  # begins the names of what is no search in these files
OF_EXERCISES = "fail_soft", "to_depth"  # of observation.py; some exercises hand them out

# Kinds of run in which they may be
HANDED_OUT = {*HANDED, *(how for how, home in ELSEWHERE.items() if home == "rehearsal")}

# Of sys.monitoring, where no debugger, profiler or coverage tool is expected
TOOL = 4

# Without sys.monitoring, one run in this number is watched, since that makes it slow
PROFILED = 8


@cache
def _place(file: str) -> str:
    """Return the name of a file below the folder of abviz; "" for a file elsewhere."""
    path = Path(os.path.realpath(file))
    if not path.is_relative_to(PACKAGE.parent):
        return ""
    return path.relative_to(PACKAGE.parent).as_posix()


@cache
def _holds_answers(file: str) -> bool:
    place = _place(file)
    return any(place == each or place.startswith(f"{each}/") for each in ANSWERS)


@cache
def _may_hold_searches(file: str) -> bool:
    return _holds_answers(file) or _place(file) == _place(observation.__file__)


def is_search(code: CodeType) -> bool:
    """Return whether the code is part of a search or a solution of abviz."""
    return _holds_answers(code.co_filename) and not code.co_qualname.startswith(NO_SEARCH)


def is_search_of_exercises(code: CodeType) -> bool:
    return code.co_name in OF_EXERCISES and _place(code.co_filename) == _place(observation.__file__)


class SearchWatch:
    """Watches the runs of answers, and holds what the latest one has used of abviz."""

    def __init__(self) -> None:
        self.used = ""  # a search of abviz, with its place; "" if the latest run has used none
        self._runs = 0
        self._is_handed_out = False
        self._is_monitoring = False
        if sys.version_info >= (3, 12):
            sys.monitoring.use_tool_id(TOOL, "abviz")  # before the hand-in can

    @contextmanager
    def watching(self, job: Job) -> Iterator[None]:
        """Watch this run."""
        self.used = ""
        self._is_handed_out = job.how in HANDED_OUT
        if sys.version_info >= (3, 12):
            self._start_monitoring()
            yield
            return

        is_watched = self._runs % PROFILED == 0
        self._runs += 1
        if is_watched:
            threading.setprofile(self._profile)
            sys.setprofile(self._profile)
        try:
            yield
        finally:
            if is_watched:
                sys.setprofile(None)
                threading.setprofile(None)

    def _note(self, code: CodeType) -> None:
        is_ours = is_search(code) or (not self._is_handed_out and is_search_of_exercises(code))
        if is_ours and not self.used:
            self.used = f"a search of abviz ({code.co_name} of {_place(code.co_filename)})"

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and _may_hold_searches(frame.f_code.co_filename):
            self._note(frame.f_code)

    if sys.version_info >= (3, 12):

        def _start_monitoring(self) -> None:
            """Have `_on_start` called when code starts to run, in any thread.

            It stays so after this run.
            """
            if self._is_monitoring:
                return

            self._is_monitoring = True
            start = sys.monitoring.events.PY_START
            sys.monitoring.register_callback(TOOL, start, self._on_start)
            sys.monitoring.set_events(TOOL, start)

        def _on_start(self, code: CodeType, offset: int) -> object:
            """Note a search.

            All other code need not be looked at a second time, and so costs no time.
            """
            if is_search(code) or is_search_of_exercises(code):
                self._note(code)
                return None
            return sys.monitoring.DISABLE
