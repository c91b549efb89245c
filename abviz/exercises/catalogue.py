"""`check("alphabeta", my_alphabeta)`, and the table of all exercises."""

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown
from abviz.exercises.forms import TextExercise
from abviz.exercises.papers import PAPERS, WITHDRAWN
from abviz.exercises.programs import PROGRAMS
from abviz.exercises.search_exercise import SearchExercise
from abviz.exercises.searches import SEARCHES
from abviz.exercises.threads import THREADS
from abviz.exercises.verdict import Verdict

SECONDS = 10.0  # that an answer may take

ALL: tuple[SearchExercise | TextExercise, ...] = (*PAPERS, *SEARCHES, *PROGRAMS, *THREADS)
EXERCISES = {each.name: each for each in ALL}


def check(name: str, answer: Any) -> Verdict:
    """Return the verdict on an answer to the exercise of that name: a function, or whatever the exercise asks for.

    Raises AbvizError where there is no such exercise; never for a wrong answer.
    """
    if not isinstance(name, str):
        raise AbvizError(f'the first argument is {brief(name)}; expected a name, as in check("alphabeta", alphabeta)')
    exercise, output = find(name), io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):  # of hundreds of runs, which would flood a notebook
        verdict = exercise.check(answer, SECONDS)
    if not (lines := output.getvalue().count("\n")):
        return verdict
    return replace(verdict, message=f"{verdict.message} ({count(lines, 'printed line')} held back.)")


def find(name: str) -> SearchExercise | TextExercise:
    """Return the exercise of that name; underscores stand for hyphens."""
    name = name if name in EXERCISES else name.replace("_", "-")
    if name in WITHDRAWN:
        raise AbvizError(f"exercise {name!r} was withdrawn; expected {WITHDRAWN[name]!r}, which replaces it")
    if name not in EXERCISES:
        raise unknown("exercise", name, EXERCISES)
    return EXERCISES[name]
