"""One file of a hand-in, in a process of its own."""

import sys
from collections.abc import Callable
from pathlib import Path

from abviz.errors import AbvizError, visible
from abviz.exercises import EXERCISES, practice, supervisor
from abviz.exercises.observation import Plain
from abviz.exercises.verdict import Verdict
from abviz.exercises.worker import SECONDS_TO_START, Problem, Start, WorkerProcess
from abviz.grading.behavior import Behavior
from abviz.grading.handed_out import handouts
from abviz.recording.time_limit import Limit
from abviz.tracing.algorithms import Rules

MOST_LEFT_OUT = 12  # statements of one hand-in that end its process; each costs a new one


class HandIn(WorkerProcess):
    """One file of a student: a notebook, a Python file, or a result of practice.

    If the student has a folder, the file's folder goes with it. Its cells and its answers run in a
    process, and where that ends, in a new one.
    """

    # The limits of a cell or an answer, and of all
    seconds = 10.0
    megabytes = 1024

    # The rules of the course
    rules = Rules()

    # Of a result of practice
    judge_practice: Callable[[str], Verdict] = staticmethod(practice.verify)

    def __init__(self, path: Path, own_folder: bool, is_of_course: bool):
        super().__init__(path, "abviz.exercises.worker", own_folder=own_folder)
        self.notebook = path.stem if is_of_course else ""

        # Cells that ended a process, and how
        self.left_out: dict[int, str] = {}

        # By exercise: its answer as plain data, or the note on the cell that would define it
        self.answers: dict[str, Plain] = {}
        self.lost: dict[str, str] = {}

        # On cells that could not run
        self.notes: list[str] = []

        # By exercise: what a wrong answer did, to be compared with others
        self.behaviors: dict[str, Behavior] = {}

    @property
    def shown(self) -> str:
        """Return the file's name as reports show it: "" if the student has no other."""
        return self.notebook or (self.path.name if self.own_folder else "")

    def start(self) -> None:
        """Run the cells, without those that end the process."""
        while not self._start_once():
            pass

    def _start_once(self) -> bool:
        """Run the cells, and return whether all of them left the process running."""
        self.start_process()
        start = Start(
            file=self.path.name,
            names=list(EXERCISES),
            is_of_course=bool(self.notebook),
            handouts=handouts(),
            left_out=self.left_out,
            megabytes=self.megabytes,
        )
        try:
            [titles] = self.receive(1, SECONDS_TO_START, start)
        except Problem as problem:
            raise OSError(f"its process did not start: {problem}") from None
        if isinstance(titles, str):
            raise AbvizError(titles)

        for i, title in enumerate(titles):
            try:
                [_] = self.receive(1, self.seconds)
            except Problem as problem:
                self._leave_out(i, title, problem)
                return False

        [(self.answers, lost, notes)] = self.receive(1, self.seconds)
        self.lost = {name: self._placed(note) for name, note in lost.items()}
        self.notes = list(map(self._placed, notes))
        return True

    def limit(self, seconds: float) -> Limit:
        """Return a limit that begins now; on a busy machine, the seconds that the process gets."""
        if sys.platform != "linux":
            return super().limit(seconds)
        return Limit(seconds, used=lambda: supervisor.seconds_used(self.process.pid))

    def _leave_out(self, cell: int, title: str, problem: Problem) -> None:
        """Leave out the cell that ended the process; raise AbvizError where that is no use."""
        if cell in self.left_out:
            found = f"its process ends at {title}, because of a statement before it"
            raise AbvizError(found) from None

        self.left_out[cell] = str(problem)
        number = len(self.left_out)
        if number > MOST_LEFT_OUT:
            found = f"{number} statements end its process, the last of them {title}"
            raise AbvizError(found) from None

    def _placed(self, note: str) -> str:
        return visible(f"{self.shown} {note}".lstrip())
