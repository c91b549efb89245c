"""The exercises on threads: to split the root, and to share α.

An answer is rehearsed on small trees, its threads let go in every order (see `rehearsing`), so what is said of it is
the same every time. Beside the answers themselves `check` looks at what a student is asked to do: a thread for each
move, each searched once, all of them waited for, and α handed on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from abviz.errors import brief
from abviz.exercises.interleaving import SEARCH, Case, sharing, splitting
from abviz.exercises.rehearsing import rehearse
from abviz.exercises.steps import Rehearsal
from abviz.exercises.thread_mistakes import CHOICE, FORGOTTEN, FORM, LOST, SHARING, STRUCTURE, Fault
from abviz.exercises.trials import Tried, complaint, where
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict

FEW = 12  # rehearsals, after which one has to have seen two searches at once


@dataclass(frozen=True)
class ThreadExercise:
    """One that asks for a function of (root, search), or of (root, search, workers)."""

    name: str
    cases: Callable[[], list[Case]]
    faults: tuple[Fault, ...]
    hints: tuple[str, ...]
    windows: bool = False  # whether its search is search(child, alpha, beta)

    def check(self, answer: Any, seconds: float) -> Verdict:
        if not callable(answer):
            told = f"The answer is {brief(answer)}; expected a function. {self.hints[0]}"
            return Verdict(self.name, NOT_YET, told, hints=self.hints)
        deadline = monotonic() + seconds
        tried = self._rehearsed(answer, deadline)
        run = tried[-1].run
        if run.unwritten or (len(tried) == 1 and run.answer is None and not run.calls and not run.problem):
            told = f"It returns nothing so far. {self.hints[0]}"
            return Verdict(self.name, NOT_YET, told, hints=self.hints)
        verdict = self._verdict(tried)
        if verdict.status == RIGHT or verdict.mistake or run.given_up:
            return verdict
        # It has a name only if all rehearsals agree, and on a busy machine one may have gone another way.
        again = self._verdict(self._rehearsed(answer, deadline))
        return again if again.mistake else verdict

    def _rehearsed(self, answer: Callable[..., Any], deadline: float) -> list[Tried]:
        """What it did in each case, as far as that could be gone on with."""
        tried: list[Tried] = []
        for case in self.cases():
            run = self.run(answer, case, deadline - monotonic())
            tried.append(Tried(case, run))
            nothing = len(tried) == 1 and run.answer is None and not run.calls
            if nothing or run.unwritten or run.problem:
                break
            if len(tried) == FEW and not any(each.run.at_once > 1 for each in tried):
                break
        return tried

    def run(self, answer: Callable[..., Any], case: Case, seconds: float) -> Rehearsal:
        root, more = case.tree.root, (case.workers,) if case.workers else ()
        search = SEARCH if self.windows else (lambda node: SEARCH(node, -inf, inf))
        return rehearse(answer, root, case.steps, *more, search=search, windows=self.windows, seconds=seconds)

    def _verdict(self, tried: list[Tried]) -> Verdict:
        wrong = next((each for each in tried if complaint(each)), None)
        if wrong is None and any(each.run.at_once > 1 for each in tried):
            return Verdict(self.name, RIGHT, f"It answers rightly in {len(tried)} rehearsals, whoever ends first.")
        known = () if tried[-1].run.given_up else self.faults
        fault = next((fault for fault in known if fault.seen(tried)), None)
        if wrong is None:
            wrong, told = (
                tried[0],
                "In every rehearsal its searches come one after the other; expected several at once.",
            )
        else:
            told = f"{where(wrong)} {complaint(wrong)}."
        if fault is None:
            return Verdict(self.name, WRONG, told, None, wrong.case.tree, self.hints)
        told = f"{told} It looks as if {fault.says}. {fault.hint}"
        return Verdict(self.name, WRONG, told, fault.name, wrong.case.tree, (fault.hint, *self.hints))


SPLIT_ROOT = ThreadExercise(
    "split-root",
    splitting,
    (*STRUCTURE, *FORM, *CHOICE, LOST),
    (
        "A thread for each child of the root: what does it have to know, and where does it leave what it finds?",
        "A list as long as the root has children, in which every thread has a place of its own, needs no lock.",
        "Start all threads in one loop, wait for each in a second one, and only then look at the list.",
    ),
)
SHARE_ALPHA = ThreadExercise(
    "share-alpha",
    sharing,
    (*STRUCTURE, *FORM, *SHARING, *CHOICE, FORGOTTEN, LOST),
    (
        "Begin with your split root and as many workers as you are told: a pool hands each the next move.",
        "What all tasks share is the best value so far: read when a task begins, made better when one ends.",
        "Who is to move at the root says which of the two bounds is shared, and what better means.",
        "Think of a move that begins late and is as good as the best one after it: how low must α be to see that?",
    ),
    windows=True,
)
