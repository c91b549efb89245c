"""Exercises that ask for a search: what an answer is run on, and what is said of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from abviz.errors import brief, number
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.counterexamples import TRIED, far_trees, random_trees, small_trees, smallest, smallest_trees
from abviz.exercises.mistakes import Mistake
from abviz.exercises.own_runs import parted, watching
from abviz.exercises.recognising import mistake_of
from abviz.exercises.trying import (
    Case,
    Tried,
    is_open,
    is_unwritten,
    part_written,
    recorded,
    start_words,
    stopped,
    with_window,
)
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict
from abviz.exercises.wording import did, difference, reads
from abviz.recording.watchdog import OutOfTime, within
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

__all__ = ["Case", "Exercise", "with_window"]

KEEPS = "something kept between calls"
KEEPS_HOW = "it keeps something from one call to the next, or leaves something to chance"
KEEPS_HINT = (
    "What does it use that is neither handed to it nor made anew in it: a global name, a cache, a default list?"
)
REMEMBERED = 30_000  # runs of references


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

    def counterexample(self, tried: Tried) -> tuple[Tree, Case] | None:
        """The smallest tree on which it goes wrong, if possible in the first case, and the case."""

        def differs(case: Case, plain: Tree) -> bool:
            return self.fits(plain) and tried(case, plain) != _right(self, case, plain)

        for case in self.cases:
            small = self.small() if case is self.cases[0] else smallest_trees()
            if tree := smallest(partial(differs, case), TRIED, small):
                return case.dressed(tree), case
        first = self.cases[0]
        far = () if first.arguments and not first.window else far_trees()  # far from what was guessed, say
        tree = next(filter(partial(differs, first), far), None)
        return (first.dressed(tree), first) if tree else None

    def check(self, answer: Any, seconds: float) -> Verdict:
        function = self.function(answer)
        if function is None:
            told = f"The answer is {brief(answer)}; expected {self.expected}."
            return Verdict(self.name, NOT_YET if is_open(answer) else WRONG, told, hints=self.hints)
        tried = Tried(function, self.run)
        try:
            return within(seconds, lambda: _verdict(self, tried))
        except NotImplementedError:
            return Verdict(self.name, NOT_YET, part_written(tried), hints=self.hints)
        except OutOfTime as end:
            told, tree = stopped(tried, seconds, end.late)
            return Verdict(self.name, WRONG, told, tree=tree, hints=self.hints)


@lru_cache(REMEMBERED)
def _right(exercise: Exercise, case: Case, plain: Tree) -> Behaviour:
    return exercise.run(exercise.reference, case.dressed(plain), *case.arguments)


def _verdict(exercise: Exercise, tried: Tried) -> Verdict:
    name, function = exercise.name, tried.function
    if is_unwritten(tried, exercise.cases):
        return Verdict(name, NOT_YET, start_words(tried, exercise.cases[0]), hints=exercise.hints)
    found = exercise.counterexample(tried)
    if found is None:
        trees = sum(map(exercise.fits, (*exercise.small(), *random_trees(TRIED))))
        return Verdict(name, RIGHT, f"On {trees:,} trees it returns and reads what it should.")
    if otherwise := tried.otherwise():
        return _keeps_something(exercise, *otherwise)
    tree, case = found
    if exercise.run(function, tree, *case.arguments) == exercise.run(exercise.reference, tree, *case.arguments):
        return _keeps(
            exercise, tree, f"On {case.written(tree)}{case.told} it goes wrong once, and not when called again"
        )
    run = recorded(function, tree, case) if exercise.right_run else None
    if tried.keeps_in_a_global(case, tree):
        said = difference(exercise, function, tree, case, run)
        return _keeps(exercise, tree, f"{said} What it does depends on what a global name held before")
    mistake = mistake_of(exercise, function, tree, case)
    said, hints = difference(exercise, function, tree, case, run), exercise.hints
    if mistake:
        said, hints = f"{said} It looks as if {mistake.says}. {mistake.hint}", (mistake.hint, *hints)
    shown = parted(exercise, run, case)
    step, call = (shown.options["parting"], watching(exercise, function, tree, case, shown)) if shown else (None, "")
    return Verdict(name, WRONG, said, mistake.name if mistake else None, tree, hints, shown, step, to_watch=call)


def _keeps_something(exercise: Exercise, case: Case, tree: Tree, before: Behaviour, again: Behaviour) -> Verdict:
    both = (did(exercise, tree, run, same_value=before.value == again.value) for run in (before, again))
    told = f"On {case.written(tree)}{case.told} it {', and called again after other trees it '.join(both)}"
    return _keeps(exercise, tree, told)


def _keeps(exercise: Exercise, tree: Tree, told: str) -> Verdict:
    said = f"{told}: {KEEPS_HOW}. {KEEPS_HINT}"
    return Verdict(exercise.name, WRONG, said, KEEPS, tree, (KEEPS_HINT, *exercise.hints))
