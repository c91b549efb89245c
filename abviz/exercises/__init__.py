"""Exercises that check themselves.

Here are `check`, the table `EXERCISES`, `make_tree`, and the `Verdict` on an answer.
"""

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from importlib import import_module
from types import FunctionType
from typing import Any

from abviz.capabilities import starts_threads
from abviz.course import RENAMED, load_course
from abviz.errors import INTERRUPTS, AbvizError, count, one_line, unknown
from abviz.exercises.exercise import SECONDS, Exercise, texts
from abviz.exercises.verdict import NOT_CHECKED, WRONG, Verdict
from abviz.tracing.algorithms import Rules
from abviz.tracing.templates import in_letters

HOMES = {
    "make_tree": "generator",
    "root_counts": "rehearsal",
    "hurried_split_root": "threads",
    "in_order": "threads",
    "python_search": "interpreted",
}

NEEDS_THREADS = (
    "It starts threads, which can't be started here (as in a browser). "
    "Check it with Python on your own computer."
)

# Modules, each with a table of its name
MODULES = "papers", "searches", "programs", "threads", "positions"
__all__ = [
    "EXERCISES",
    "Verdict",
    "check",
    "hurried_split_root",
    "in_order",
    "make_tree",
    "python_search",
    "root_counts",
]


def __getattr__(name: str) -> Any:
    if name == "EXERCISES":
        exercises: dict[str, Exercise] = {}
        for module in MODULES:
            table = getattr(import_module(f"{__name__}.{module}"), module.upper())
            exercises |= {each.name: each for each in table}
        globals()[name] = exercises
        return exercises

    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def check(name: str, answer: object, *, rules: Rules | None = None) -> Verdict:
    """Return the verdict on an answer to the exercise of that name.

    The answer is a function, or whatever the exercise asks for. The rules are those of the course:
    by default those of the course file in the current folder, if there is one. Raises AbvizError
    where there is no such exercise or the file is no course; never for an answer, whatever that is.
    """
    course = load_course()
    exercise = find(name, course.rules if rules is None else rules)
    with in_letters(course.letters):
        return _checked(exercise, answer)


def _checked(exercise: Exercise, answer: object) -> Verdict:
    if exercise.needs_threads and not starts_threads():
        return exercise.verdict(NOT_CHECKED, NEEDS_THREADS)

    printed = HeldBack()

    # Of hundreds of runs, which would flood a notebook
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            verdict = exercise.check(answer, SECONDS)
        except INTERRUPTS:
            raise
        except BaseException as error:
            verdict = exercise.verdict(WRONG, f"The answer can't be checked: {one_line(error)}.")

    verdict = replace(verdict, answer=_name_of(answer))
    if not printed.lines:
        return verdict
    held_back = count(printed.lines, "printed line")
    return replace(verdict, message=f"{verdict.message} ({held_back} held back.)".lstrip())


def _name_of(answer: object) -> str:
    """Return the name that a function was defined with; "" where there is none."""
    name = answer.__name__ if type(answer) is FunctionType else ""  # it may deny its class
    return name if name.isidentifier() else ""


class HeldBack(io.TextIOBase):
    """What an answer prints: its lines are counted and not kept. An answer can't close it."""

    lines = 0

    def write(self, text: str) -> int:
        self.lines += text.count("\n")
        return len(text)

    def close(self) -> None:
        pass


def find(name: str, rules: Rules = Rules()) -> Exercise:
    """Return the exercise of that name under these rules; underscores stand for hyphens."""
    exercises: dict[str, Exercise] = __getattr__("EXERCISES")
    hyphened = str(name).replace("_", "-")
    hyphened = RENAMED.get(hyphened, hyphened)

    if successor := texts()["withdrawn"].get(hyphened):
        raise AbvizError(
            f"exercise {hyphened!r} was withdrawn; expected {successor!r}, which replaces it"
        )
    if hyphened not in exercises:
        raise unknown("exercise", name, exercises)
    return exercises[hyphened].under(rules)
