"""Exercises that check themselves: `check`, the table `EXERCISES`, `make_tree`, and the `Verdict` on an answer."""

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from importlib import import_module
from typing import Any

from abviz.errors import AbvizError, count, unknown
from abviz.exercises.exercise import SECONDS, Exercise, texts
from abviz.exercises.verdict import Verdict

HOMES = {"make_tree": "generator", "root_counts": "rehearsal", "hurried_split_root": "threads", "in_order": "threads"}
MODULES = "papers", "searches", "programs", "threads", "positions"  # modules, each with a table of its name
__all__ = ["EXERCISES", "Verdict", "check", "hurried_split_root", "in_order", "make_tree", "root_counts"]


def __getattr__(name: str) -> Any:
    if name == "EXERCISES":
        kinds = [getattr(import_module(f"{__name__}.{kind}"), kind.upper()) for kind in MODULES]
        globals()[name] = {each.name: each for kind in kinds for each in kind}
        return globals()[name]
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def check(name: str, answer: Any) -> Verdict:
    """Return the verdict on an answer to the exercise of that name: a function, or whatever the exercise asks for.

    Raises AbvizError where there is no such exercise; never for a wrong answer.
    """
    exercise, output = find(name), io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):  # of hundreds of runs, which would flood a notebook
        verdict = exercise.check(answer, SECONDS)
    if not (lines := output.getvalue().count("\n")):
        return verdict
    return replace(verdict, message=f"{verdict.message} ({count(lines, 'printed line')} held back.)")


def find(name: str) -> Exercise:
    """Return the exercise of that name; underscores stand for hyphens."""
    exercises: dict[str, Exercise] = __getattr__("EXERCISES")
    hyphened = str(name).replace("_", "-")
    if successor := texts()["withdrawn"].get(hyphened):
        raise AbvizError(f"exercise {hyphened!r} was withdrawn; expected {successor!r}, which replaces it")
    if hyphened not in exercises:
        raise unknown("exercise", name, exercises)
    return exercises[hyphened]
