"""The exercise on a race: a function that is right most of the time, and the evidence that it is not always."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

from abviz.errors import AbvizError, brief
from abviz.exercises.interleaving import SEARCH, Case, all_begin
from abviz.exercises.rehearsing import rehearse
from abviz.exercises.threads import SPLIT_ROOT
from abviz.exercises.trials import Tried, same, where
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict
from abviz.tree.model import Tree

NAME = "race"
EXPECTED = 'expected a tree and an order, such as ([3, 5], ["0", "1"]), or the function, mended'
BEST_LAST = "the best move ends last"
MOST_MOVES = 12  # of a tree that is to be evidence: with more, threads may not come to their end in time
MORE = 3  # times that evidence is replayed, should a thread have come too late for its step
HINTS = (
    "Read what a thread does before its search, and what after it. What may have changed in between?",
    "All threads begin before one of them ends: what does each hold for the best move so far?",
    "Follow two threads with a pencil, and write down the shared variable each time that one of them ends.",
)


def hurried_split_root(root: Any, search: Any) -> Any:
    """A thread for each move, and the best of what they find. It has passed every test so far."""
    best: Any = None

    def search_move(child: Any) -> None:
        nonlocal best
        before = best
        value = search(child)
        if before is None or (value > before[1] if root.is_max else value < before[1]):
            best = child.name, value

    threads = [Thread(target=search_move, args=(child,)) for child in root.children]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return best


def in_order(function: Any, tree: Any, order: Sequence[Any]) -> Any:
    """What a function of (root, search) returns if its threads all begin, and then end in this order.

    >>> in_order(hurried_split_root, [3, 5], ["0", "1"])
    ('1', 5)
    """
    return _replayed(function, _case(tree, order), 10.0).run.answer


def _replayed(function: Any, case: Case, seconds: float) -> Tried:
    run = rehearse(function, case.tree.root, case.steps, search=_value, seconds=seconds)
    return Tried(case, run)


def _as_told(tried: Tried) -> bool:
    return tried.run.steps == tried.case.steps


def _value(node: Any) -> Any:
    return SEARCH(node, float("-inf"), float("inf"))


def _case(tree: Any, order: Any) -> Case:
    tree = tree if isinstance(tree, Tree) else Tree(tree)
    names = [child.name for child in tree.root.children]
    if not names:
        raise AbvizError("the tree is a single leaf; expected one with moves at its root, such as [3, 5]")
    if len(names) > MOST_MOVES:
        raise AbvizError(f"the tree has {len(names)} moves at its root; expected at most {MOST_MOVES}")
    if any(leaf.value is None for leaf in tree.leaves()):
        raise AbvizError("the tree has a leaf without a value; expected a number at each")
    given = [str(name) for name in order] if isinstance(order, list | tuple) else []
    if sorted(given) != sorted(names):
        raise AbvizError(f"the order is {brief(order)}; expected each of {names} once, the first to end first")
    return Case(tree, all_begin([names.index(name) for name in given]))


class RaceExercise:
    """The answer is (tree, order of ending) on which `hurried_split_root` is wrong, or the function, mended."""

    name = NAME

    def check(self, answer: Any, seconds: float) -> Verdict:
        if answer is None or answer is ...:
            return Verdict(NAME, NOT_YET, f"The answer is {brief(answer)}; {EXPECTED}. {HINTS[0]}", hints=HINTS)
        if callable(answer):
            return self._mended(answer, seconds)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            return Verdict(NAME, WRONG, f"The answer is {brief(answer)}; {EXPECTED}.", hints=HINTS)
        if all(part is None or part is ... for part in answer):
            return Verdict(NAME, NOT_YET, f"Neither tree nor order is there. {HINTS[0]}", hints=HINTS)
        try:
            case = _case(*answer)
        except AbvizError as error:
            return Verdict(NAME, WRONG, f"{str(error)[0].upper()}{str(error)[1:]}.", hints=HINTS)
        tried = _replayed(hurried_split_root, case, seconds)
        for _ in range(MORE):
            if _as_told(tried) or tried.run.given_up:
                break
            tried = _replayed(hurried_split_root, case, seconds)
        return self._evidence(tried)

    def _mended(self, answer: Any, seconds: float) -> Verdict:
        verdict = SPLIT_ROOT.check(answer, seconds)
        if verdict.status == NOT_YET:
            return Verdict(NAME, NOT_YET, f"It returns nothing so far. {HINTS[0]}", hints=HINTS)
        of_the_mistake = [hint for hint in verdict.hints if hint not in SPLIT_ROOT.hints]
        return replace(verdict, exercise=NAME, hints=() if verdict else (*of_the_mistake, *HINTS))

    def _evidence(self, tried: Tried) -> Verdict:
        got, expected = tried.run.answer, tried.case.expected
        if tried.run.given_up:
            return Verdict(NAME, WRONG, f"{where(tried)} {tried.run.problem}.", None, tried.case.tree, HINTS)
        if not _as_told(tried):
            told = f"{where(tried)}: on this machine its threads could not be held to the order told. Try again."
            return Verdict(NAME, WRONG, told, None, tried.case.tree, HINTS)
        told = f"{where(tried)} it returns {got}"
        if not same(got, expected):
            says = f"{told}, and the best is {expected}. What {expected[0]} had found was overwritten."
            return Verdict(NAME, RIGHT, says, None, tried.case.tree)
        if len(tried.case.values) > 1 and tried.case.tree.root.children[tried.run.ended[-1]].name == expected[0]:
            hint = "Which thread has the last word, and what has it compared its value with?"
            says = f"{told}, which is right: {BEST_LAST}. {hint}"
            return Verdict(NAME, WRONG, says, BEST_LAST, tried.case.tree, (hint, *HINTS))
        return Verdict(NAME, WRONG, f"{told}, which is right. {HINTS[1]}", None, tried.case.tree, HINTS)


RACE = RaceExercise()
