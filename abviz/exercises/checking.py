"""`check("alphabeta", my_alphabeta)`: a student's answer, and what is to be said of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from abviz.algorithms import Rules
from abviz.errors import AbvizError, unknown
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.counterexamples import random_trees, small_trees, smallest
from abviz.exercises.mistakes import ALPHABETA, MINIMAX, Mistake, never, searching, without_bounds
from abviz.exercises.predicting import PREDICT_SPEED_UP
from abviz.exercises.races import RACE
from abviz.exercises.threads import SHARE_ALPHA, SPLIT_ROOT
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Checked, Verdict, written
from abviz.game import Number
from abviz.parting import compared, nearest_reference
from abviz.recording import record, takes_bounds
from abviz.text import brief, number
from abviz.tracing import Trace
from abviz.tree import Tree
from abviz.watching import OutOfTime, within

Window = tuple[Number, ...]  # (α, β), or () for a search without bounds

FULL: Window = (-inf, inf)
WINDOWS = (FULL, (0, 1), (-2, 3))  # what a search with bounds is called with
TRIED = 300  # random trees, after all the small ones
MOST_SECONDS = 10.0
SAMPLE = 250  # trees of each kind on which an answer is compared with a known mistake


@dataclass(frozen=True)
class Exercise:
    """One that asks for a search: f(node), or f(node, alpha, beta)."""

    name: str
    reference: Callable[..., Any]
    windows: tuple[Window, ...]  # what it is called with beside the root; () is nothing
    mistakes: tuple[Mistake, ...]

    def runs(self, function: Callable[..., Any], tree: Tree) -> list[Behaviour]:
        return [observe(function, tree, *window) for window in self.windows]

    def counterexample(self, function: Callable[..., Any], latest: list[Tree]) -> tuple[Tree, Window] | None:
        """The smallest tree on which it goes wrong, if possible with the first window, and the window. In `latest`
        stands the tree that it was last run on."""

        def differs(window: Window, tree: Tree) -> bool:
            latest[:] = [tree]
            return observe(function, tree, *window) != observe(self.reference, tree, *window)

        for window in self.windows:
            if tree := smallest(partial(differs, window), TRIED):
                return tree, window
        return None

    def check(self, answer: Any, seconds: float) -> Verdict:
        if not callable(answer):
            return Verdict(self.name, NOT_YET, f"The answer is {brief(answer)}; expected a function.")
        latest: list[Tree] = []
        try:
            return within(seconds, lambda: _verdict(self, answer, latest))
        except OutOfTime:
            where = f"On {written(latest[0])} it" if latest else "It"
            told = f"{where} was stopped after {seconds:g} seconds."
            return Verdict(self.name, WRONG, told, None, latest[0] if latest else None)


EXERCISES: dict[str, Checked] = {
    each.name: each
    for each in (
        Exercise("minimax", without_bounds(searching(cuts=never)), ((),), MINIMAX),
        Exercise("alphabeta", searching(), WINDOWS, ALPHABETA),
        SPLIT_ROOT,
        SHARE_ALPHA,
        RACE,
        PREDICT_SPEED_UP,
    )
}


def check(name: str, answer: Any) -> Verdict:
    """Check an answer to the exercise of that name: a function, or what else it asks for. A wrong answer is told, and
    never raised."""
    if name not in EXERCISES:
        raise unknown("exercise", name, EXERCISES)
    return EXERCISES[name].check(answer, MOST_SECONDS)


def _verdict(exercise: Exercise, answer: Callable[..., Any], latest: list[Tree]) -> Verdict:
    name = exercise.name
    if _is_stub(exercise, answer, latest):
        return Verdict(name, NOT_YET, "It returns nothing so far, and looks at no leaf.")
    found = exercise.counterexample(answer, latest)
    if found is None:
        tried = len(small_trees()) + TRIED
        return Verdict(name, RIGHT, f"On {tried:,} trees it returns and reads what it should.")
    tree, window = found
    mistake = _known(exercise, answer)
    said = _difference(exercise, answer, tree, window)
    if mistake:
        said = f"{said} It looks as if {mistake.says}. {mistake.hint}"
    run = parted(answer, tree) if window in ((), FULL) else None
    step = run.options["remark"][0] if run else None
    return Verdict(name, WRONG, said, mistake.name if mistake else None, tree, trace=run, step=step)


def parted(answer: Callable[..., Any], tree: Tree) -> Trace | None:
    """The answer's own run, with a remark where it first parts from the reference; None where it cannot be recorded."""
    try:
        run = record(answer, tree, seconds=1)
    except AbvizError:
        return None
    return compared(run, nearest_reference(run, takes_bounds(answer), [Rules()])) if run.events else None


def _is_stub(exercise: Exercise, answer: Callable[..., Any], latest: list[Tree]) -> bool:
    latest[:] = small_trees()[:1]
    try:
        runs = [run for tree in small_trees()[:3] for run in exercise.runs(answer, tree)]
    except NotImplementedError:
        return True
    return all(run.value is None and not run.leaves and not run.problem for run in runs)


def _known(exercise: Exercise, answer: Callable[..., Any]) -> Mistake | None:
    """The known mistake that does the same as the answer on every tree tried."""
    trees = (*small_trees()[:SAMPLE], *random_trees(TRIED)[:SAMPLE])
    for mistake in exercise.mistakes:
        if all(exercise.runs(answer, tree) == exercise.runs(mistake.function, tree) for tree in trees):
            return mistake
    return None


def _difference(exercise: Exercise, answer: Callable[..., Any], tree: Tree, window: Window) -> str:
    """What the answer does on the tree, and what it should."""
    got, expected = observe(answer, tree, *window), observe(exercise.reference, tree, *window)
    bounds = f" with the window ({number(window[0])}, {number(window[1])})" if window else ""
    where = f"On {written(tree)}{bounds}"
    if got.problem:
        return f"{where} {got.problem}."
    if got.value != expected.value:
        return f"{where} it returns {number(got.value)}; expected {number(expected.value)}."
    return f"{where} it reads {_read(tree, got)}; expected {_read(tree, expected)}."


def _read(tree: Tree, run: Behaviour) -> str:
    return ", ".join(number(tree[name].value) for name in run.leaves) or "no leaf"
