"""Exercises that ask for a search: what an answer is run on, and what is said of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from abviz.calling import FULL, Window
from abviz.errors import AbvizError
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.counterexamples import random_trees, small_trees, smallest, smallest_trees
from abviz.exercises.mistakes import Mistake
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, in_python, written
from abviz.game import Number
from abviz.parting import beside, compared
from abviz.recording import record
from abviz.text import brief, number
from abviz.tracing import Trace
from abviz.tree import Tree
from abviz.watching import OutOfTime, within

TRIED = 300  # random trees, after all the small ones
SAMPLE = 250  # trees of each kind on which an answer is compared with a known mistake
REMEMBERED = 30_000  # runs of references


def as_it_is(tree: Tree) -> Tree:
    return tree


@dataclass(frozen=True)
class Case:
    """One way to run an answer on a tree."""

    arguments: tuple[Any, ...] = ()  # what it is called with beside the root
    told: str = ""  # the same in words: " with the window (0, 1)"
    dressed: Callable[[Tree], Tree] = as_it_is  # the tree that it is called on, made from a plain one
    written: Callable[[Tree], str] = written  # that tree in words
    window: Window | None = None  # if that is what it is called with


def with_window(alpha: Number, beta: Number) -> Case:
    told = f" with the window ({number(alpha)}, {number(beta)})"
    return Case((alpha, beta), told, window=(alpha, beta))


def reads(tree: Tree, run: Behaviour) -> str:
    return "reads " + (", ".join(number(tree[name].value) for name in run.leaves) or "no leaf")


def any_function(answer: Any) -> Callable[..., Any] | None:
    return answer if callable(answer) else None


def every_tree(tree: Tree) -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Exercise:
    """One that asks for a function, which is run on trees and has to do there what the reference does."""

    name: str
    reference: Callable[..., Any]
    cases: tuple[Case, ...]  # the first is tried on `small`, the others on the smallest trees; all on random ones
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, ...] = ()
    stub: str = ""  # what a student begins with
    small: Callable[[], tuple[Tree, ...]] = small_trees
    run: Callable[..., Behaviour] = observe  # run(function, tree, *arguments): what the function does
    fits: Callable[[Tree], bool] = every_tree  # whether an answer has to be right on such a tree
    function: Callable[[Any], Callable[..., Any] | None] = any_function  # made of an answer; None if it is none
    expected: str = "a function"
    shown: Callable[[Any], str] = number  # what it returned, in words
    done: Callable[[Tree, Behaviour], str] = reads  # what else it did, in words
    right_run: Callable[[Tree], Trace] | None = None  # the search that an answer's own run is compared with in pictures

    def runs(self, function: Callable[..., Any], tree: Tree) -> list[Behaviour]:
        """What it does in each case, on a plain tree."""
        return [self.run(function, case.dressed(tree), *case.arguments) for case in self.cases]

    def counterexample(self, function: Callable[..., Any], latest: list[Tree]) -> tuple[Tree, Case] | None:
        """The smallest tree on which it goes wrong, if possible in the first case, and the case. In `latest` stands
        the tree that it was last run on."""

        def differs(case: Case, plain: Tree) -> bool:
            if not self.fits(plain):
                return False
            latest[:] = [case.dressed(plain)]
            return self.run(function, latest[0], *case.arguments) != _right(self, case, plain)

        for case in self.cases:
            small = self.small() if case is self.cases[0] else smallest_trees()
            if tree := smallest(partial(differs, case), TRIED, small):
                return case.dressed(tree), case
        return None

    def check(self, answer: Any, seconds: float) -> Verdict:
        function = self.function(answer)
        if function is None:
            told = f"The answer is {brief(answer)}; expected {self.expected}."
            return Verdict(self.name, NOT_YET, told, hints=self.hints)
        latest: list[Tree] = []
        try:
            return within(seconds, lambda: _verdict(self, function, latest))
        except NotImplementedError:
            return _not_yet(self)
        except OutOfTime:
            where = f"On {written(latest[0])} it" if latest else "It"
            told = f"{where} was stopped after {seconds:g} seconds."
            return Verdict(self.name, WRONG, told, None, latest[0] if latest else None, self.hints)


@lru_cache(REMEMBERED)
def _right(exercise: Exercise, case: Case, plain: Tree) -> Behaviour:
    return exercise.run(exercise.reference, case.dressed(plain), *case.arguments)


def _not_yet(exercise: Exercise) -> Verdict:
    return Verdict(exercise.name, NOT_YET, "It returns nothing so far, and looks at no leaf.", hints=exercise.hints)


def _verdict(exercise: Exercise, function: Callable[..., Any], latest: list[Tree]) -> Verdict:
    name = exercise.name
    if _is_stub(exercise, function, latest):
        return _not_yet(exercise)
    found = exercise.counterexample(function, latest)
    if found is None:
        tried = sum(map(exercise.fits, (*exercise.small(), *random_trees(TRIED))))
        return Verdict(name, RIGHT, f"On {tried:,} trees it returns and reads what it should.")
    tree, case = found
    mistake = _known(exercise, function)
    said, hints = _difference(exercise, function, tree, case), exercise.hints
    if mistake:
        said, hints = f"{said} It looks as if {mistake.says}. {mistake.hint}", (mistake.hint, *hints)
    run = parted(exercise, function, tree, case)
    step, call = (run.options["parting"], watching(function, tree, case)) if run else (None, "")
    return Verdict(name, WRONG, said, mistake.name if mistake else None, tree, hints, run, step, to_watch=call)


def parted(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case) -> Trace | None:
    """The answer's own run, with a remark where it first parts from the right one; None where it cannot be recorded,
    or where all that it does on the way is right."""
    if exercise.right_run is None or not (case is exercise.cases[0] or case.window):
        return None
    try:
        run = record(function, tree, seconds=1, window=case.window or FULL)
    except AbvizError:
        return None
    run = compared(run, beside(run, exercise.right_run))
    return run if run.events and "parting" in run.options else None


def watching(function: Callable[..., Any], tree: Tree, case: Case) -> str:
    """The call that shows the run; "" for a function that a student does not know by that name."""
    name, module = (str(getattr(function, told, "")) for told in ("__name__", "__module__"))
    if not name.isidentifier() or module.partition(".")[0] == "abviz":
        return ""
    window = "" if case.window in (None, FULL) else f", window={case.window}"
    return f"watch({name}, {in_python(tree)}{window})"


def _is_stub(exercise: Exercise, function: Callable[..., Any], latest: list[Tree]) -> bool:
    latest[:] = small_trees()[:1]
    runs = [run for tree in small_trees()[:3] for run in exercise.runs(function, tree)]
    return all(run.value is None and not run.leaves and not run.problem for run in runs)


def _known(exercise: Exercise, function: Callable[..., Any]) -> Mistake | None:
    """The known mistake that does the same as the answer on every tree tried."""
    for mistake in exercise.mistakes:
        if all(exercise.runs(function, tree) == exercise.runs(mistake.function, tree) for tree in sample(exercise)):
            return mistake
    return None


def sample(exercise: Exercise) -> list[Tree]:
    """The trees on which an answer is compared with known mistakes."""
    trees = (*small_trees()[:SAMPLE], *random_trees(TRIED)[:SAMPLE])
    return [tree for tree in trees if exercise.fits(tree)]


def _difference(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case) -> str:
    """What the answer does on the tree, and what it should."""
    got, expected = (exercise.run(each, tree, *case.arguments) for each in (function, exercise.reference))
    where = f"On {case.written(tree)}{case.told}"
    if got.problem:
        return f"{where} {got.problem}."
    if got.value != expected.value:
        return f"{where} it returns {exercise.shown(got.value)}; expected {exercise.shown(expected.value)}."
    done = exercise.done(tree, expected).partition(" ")[2]
    return f"{where} it {exercise.done(tree, got)}; expected {done}."
