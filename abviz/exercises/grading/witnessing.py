"""Answers that start threads: rehearsed in the hand-in's process, and witnessed from outside.

Whose turn it is among threads can only be decided where they are, so the exercise's own rehearsals run there, and what
they find wrong is wrong. What they find right is tried again from here: the answer is handed a `search` that asks the
grader, who sees which moves are searched, how many at once and with which windows, lets them end in an order that he
chooses, and knows what the answer should be. He cannot see whether two threads write at the same moment: that a lock is
missing is told by the rehearsals only, and an answer that is made to deceive them there is not found out.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import Number, brief, visible
from abviz.exercises.checking import EXERCISES
from abviz.exercises.grading.calling import Answers
from abviz.exercises.grading.process import UNASKED, Process
from abviz.exercises.interleaving import NAMES, SEARCH, first_best
from abviz.exercises.races import RaceExercise
from abviz.exercises.threads import SPLIT_ROOT, ThreadExercise
from abviz.exercises.trials import same
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.tree.model import Node, Tree

TREES = 12
WORKERS = 2
PATIENCE = 0.05  # seconds of silence, after which no more searches are expected to begin
HEARS_SILENCE = os.name == "posix"  # elsewhere every search is answered at once
SEEN = (
    "It answers rightly on {} trees as seen from outside, whoever ends first; that no update is lost, its process says."
)
STATUSES = (RIGHT, WRONG, NOT_YET, "error")


def needs_threads(exercise: Any, answer: Any) -> bool:
    return isinstance(exercise, ThreadExercise | RaceExercise) and callable(answer)


def witnessed(exercise: Any, process: Process, seconds: float) -> Verdict:
    """What the rehearsals say, if it is not that the answer is right; else what is seen from here."""
    rehearsed = _rehearsed(exercise.name, process, seconds)
    if not rehearsed:
        return rehearsed
    answers = Answers(process)
    answers.trusting = True
    answer, shares = answers[exercise.name], getattr(exercise, "windows", False)
    if not callable(answer):
        process.give_up("it is no function when it is read again")
    seen = []
    for tree, latest_first in _trees():
        seen.append(_Run(answers, answer, tree, shares, latest_first))
        if complaint := seen[-1].complaint():
            return Verdict(exercise.name, WRONG, f"On {written(tree)} {complaint}.", None, tree)
    if HEARS_SILENCE and not any(run.at_once > 1 for run in seen):
        return Verdict(exercise.name, WRONG, "Its searches come one after the other; expected several at once.")
    if shares and not any(run.narrowed for run in seen):
        return Verdict(exercise.name, WRONG, "All moves are searched with the full window; expected one that narrows.")
    return Verdict(exercise.name, RIGHT, SEEN.format(len(seen)))


def _rehearsed(name: str, process: Process, seconds: float) -> Verdict:
    process.wind_up()
    process.say("rehearse", name, seconds)
    status, message, mistake, tree = process.expect("verdict", 4)
    if status not in STATUSES or not isinstance(message, str) or mistake not in (None, *_mistakes(name)):
        process.give_up(UNASKED)
    shown = Answers(process).made(tree)
    return Verdict(name, status, message, mistake, shown if isinstance(shown, Tree) else None)


def _mistakes(name: str) -> list[str]:
    """The names of mistakes that rehearsals may tell."""
    exercise = EXERCISES[name]
    faults = exercise.faults if isinstance(exercise, ThreadExercise) else SPLIT_ROOT.faults
    return [fault.name for fault in faults]


def _trees() -> Iterator[tuple[Tree, bool]]:
    """Trees whose moves differ, tie, and are trees themselves; and whether of moves searched at once the last ends
    first."""
    chance = random.Random(5)
    for i in range(TREES):
        moves = NAMES[: 2 + i % 3]
        values = {name: [chance.randint(-3, 3), chance.randint(-3, 3)] for name in moves}
        yield Tree(values, to_move=("max", "min")[i // 2 % 2]), bool(i % 2)


@dataclass
class _Search:
    ticket: int
    move: Node
    window: tuple[Number, Number]


class _Run:
    """One run of an answer: what it asked for, and what it returned."""

    def __init__(self, answers: Answers, answer: Any, tree: Tree, shares: bool, latest_first: bool):
        self.tree, self.latest_first = tree, latest_first
        self.answers, self.shares = answers, shares
        self.at_once, self.narrowed = 0, False
        self.searched: list[str] = []
        self.problem, self.returned = "", None
        try:
            self.returned = self._served(answer)
        except Exception as error:
            self.problem = f"it raised {type(error).__name__}: {error}"

    def _served(self, answer: Any) -> Any:
        process, under_way = self.answers.process, list[_Search]()
        self.answers.forget()
        more = [WORKERS] if self.shares else []
        self.answers.begin(answer.number, (self.tree.root, SEARCH, *more))
        while True:
            most = min(WORKERS if self.shares else len(NAMES), len(self.tree.root.children) - len(self.searched))
            most = max(most, 1) if HEARS_SILENCE else 1
            heard = process.hear(PATIENCE if under_way else inf) if len(under_way) < most else []
            self.answers.replay(heard[-1] if heard else [])
            match heard:
                case []:
                    self.at_once = max(self.at_once, len(under_way))
                    self._end(under_way.pop(-1 if self.latest_first else 0))
                case ["asked", int(ticket), "ask", int(), [child, *window], list()]:
                    under_way.append(self._begun(ticket, child, window))
                case ["returned", value, list()]:
                    return self.answers.made(value)
                case ["raised", str(kind), str(text), _, list()]:
                    raise type(visible(kind[:60]), (Exception,), {})(text)
                case _:
                    process.give_up(UNASKED)

    def _begun(self, ticket: int, child: Any, window: list[Any]) -> _Search:
        move = self.answers.made(child)
        alpha, beta = (self.answers.made(each) for each in window) if len(window) == 2 else (-inf, inf)
        numbers = all(isinstance(each, int | float) for each in (alpha, beta))
        if move not in self.tree.root.children or not numbers:
            raise ValueError(f"search was handed {brief(move)}; expected a child of the root")
        self.narrowed |= (alpha, beta) != (-inf, inf)
        return _Search(ticket, move, (alpha, beta))

    def _end(self, search: _Search) -> None:
        self.searched.append(search.move.name)
        self.answers.process.say("told", search.ticket, SEARCH(search.move, *search.window))

    def complaint(self) -> str:
        root = self.tree.root
        values = [SEARCH(child, -inf, inf) for child in root.children]
        best = first_best(values, root.is_max)
        expected = root.children[best].name, values[best]
        if self.problem:
            return self.problem
        if sorted(self.searched) != [child.name for child in root.children]:
            return f"it searches {', '.join(self.searched) or 'no move'}; expected each move once"
        if not same(self.returned, expected):
            return f"it returns {brief(self.returned)}; expected {expected}"
        return ""
