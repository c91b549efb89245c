"""`check("alphabeta", my_alphabeta)`, and the table of all exercises."""

from dataclasses import replace
from typing import Any, Protocol

from abviz.errors import AbvizError, brief, count, unknown
from abviz.exercises.papers import PAPERS, WITHDRAWN
from abviz.exercises.programs import PROGRAMS
from abviz.exercises.searches import SEARCHES
from abviz.exercises.threads import THREADS
from abviz.exercises.verdict import Verdict, held_output

SECONDS = 10.0  # that an answer may take


class Exercise(Protocol):
    """An exercise of any kind. Its `judge` takes the runs of an answer, or where `is_data` the answer itself."""

    @property
    def name(self) -> str: ...
    @property
    def stub(self) -> str: ...
    @property
    def hints(self) -> tuple[str, ...]: ...
    def check(self, answer: Any, seconds: float) -> Verdict: ...
    def judge(self, runs_or_answer: Any) -> Verdict: ...


ALL: tuple[Exercise, ...] = (*PAPERS, *SEARCHES, *PROGRAMS, *THREADS)
EXERCISES = {each.name: each for each in ALL}


def check(name: str, answer: Any) -> Verdict:
    """Return the verdict on an answer to the exercise of that name: a function, or whatever the exercise asks for.

    Raises AbvizError where there is no such exercise; never for a wrong answer.
    """
    if not isinstance(name, str):
        raise AbvizError(f'the first argument is {brief(name)}; expected a name, as in check("alphabeta", alphabeta)')
    exercise = find(name)
    with held_output() as held:
        verdict = exercise.check(answer, SECONDS)
    if not held.lines:
        return verdict
    return replace(verdict, message=f"{verdict.message} ({count(held.lines, 'printed line')} held back.)")


def find(name: str) -> Exercise:
    """Return the exercise of that name; underscores stand for hyphens."""
    name = name if name in EXERCISES else name.replace("_", "-")
    if name in WITHDRAWN:
        raise AbvizError(f"exercise {name!r} was withdrawn; expected {WITHDRAWN[name]!r}, which replaces it")
    if name not in EXERCISES:
        raise unknown("exercise", name, EXERCISES)
    return EXERCISES[name]
