"""Exercises that ask for a search: what an answer is run on, and what is said of it."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, partial
from inspect import signature
from typing import Any

from abviz.algorithms import Rules
from abviz.calling import FULL, names_them_backwards, takes_bounds
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.choice_mistakes import FINITE
from abviz.exercises.counterexamples import (
    far_trees,
    is_far,
    min_begins,
    random_trees,
    small_trees,
    smallest,
    smallest_trees,
)
from abviz.exercises.mistakes import Mistake
from abviz.exercises.printing import kept
from abviz.exercises.trying import (
    Case,
    Tried,
    at,
    is_broken_off,
    is_open,
    is_unwritten,
    part_written,
    recorded,
    start_words,
    stopped,
    where_nothing,
    with_window,
)
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, in_python
from abviz.exercises.window_mistakes import BACKWARDS
from abviz.parting import beside, compared, nearest_reference
from abviz.text import brief, number
from abviz.tracing import Trace
from abviz.tree import Tree
from abviz.watchdog import OutOfTime, within

__all__ = ["TRIED", "Case", "Exercise", "reads", "sample", "with_window"]

TRIED = 300  # random trees, after all the small ones
SAMPLE = 250  # trees of each kind on which an answer is compared with a known mistake
MIN_BEGINS = 60  # small ones at whose root MIN moves, beside these: what the root returns is hidden further down
KEEPS = "something kept between calls"
KEEPS_HOW = "it keeps something from one call to the next, or leaves something to chance"
KEEPS_HINT = (
    "What does it use that is neither handed to it nor made anew in it: a global name, a cache, a default list?"
)
REMEMBERED = 30_000  # runs of references


def reads(tree: Tree, run: Behaviour) -> str:
    told = ", ".join(number(tree[name].value) for name in run.leaves) or "no leaf"
    return f"reads {told}" + (" (some of them more than once)" if run.again else "")


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
        said = _difference(exercise, function, tree, case, run)
        return _keeps(exercise, tree, f"{said} What it does depends on what a global name held before")
    mistake = _mistake(exercise, function, tree, case)
    said, hints = _difference(exercise, function, tree, case, run), exercise.hints
    if mistake:
        said, hints = f"{said} It looks as if {mistake.says}. {mistake.hint}", (mistake.hint, *hints)
    shown = parted(exercise, run, case)
    step, call = (shown.options["parting"], watching(exercise, function, tree, case, shown)) if shown else (None, "")
    return Verdict(name, WRONG, said, mistake.name if mistake else None, tree, hints, shown, step, to_watch=call)


def _keeps_something(exercise: Exercise, case: Case, tree: Tree, before: Behaviour, again: Behaviour) -> Verdict:
    did = (_did(exercise, tree, run, same_value=before.value == again.value) for run in (before, again))
    told = f"On {case.written(tree)}{case.told} it {', and called again after other trees it '.join(did)}"
    return _keeps(exercise, tree, told)


def _keeps(exercise: Exercise, tree: Tree, told: str) -> Verdict:
    said = f"{told}: {KEEPS_HOW}. {KEEPS_HINT}"
    return Verdict(exercise.name, WRONG, said, KEEPS, tree, (KEEPS_HINT, *exercise.hints))


def parted(exercise: Exercise, run: Trace | None, case: Case) -> Trace | None:
    """The answer's own run, with a remark where it first parts from the right one; None where it cannot be recorded,
    or where all that it does on the way is right, as far as it is known."""
    if run is None or exercise.right_run is None or not (case is exercise.cases[0] or case.window):
        return None
    run = compared(run, beside(run, exercise.right_run))
    step = run.options.get("parting")
    return run if run.events and step and not (step == len(run) and is_broken_off(run)) else None


def watching(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case, run: Trace) -> str:
    """The call that shows the run; "" for a function that a student does not know by that name."""
    function = getattr(function, "begins_with", lambda root: function)(tree.root)
    name, module = (str(getattr(function, told, "")) for told in ("__qualname__", "__module__"))
    if not name.isidentifier() or module.partition(".")[0] == "abviz":  # a method, one without a name, one of ours
        return ""
    window = "" if case.window in (None, FULL) else f", window={case.window}"
    return f"watch({name}, {in_python(tree)}{window}{_with_rules(exercise, function, run)})"


def _with_rules(exercise: Exercise, function: Callable[..., Any], run: Trace) -> str:
    """The rules by which the exercise is marked, where `watch` would compare the run with other ones: a mistake may be
    right under those."""
    rules: Rules = getattr(exercise.right_run, "keywords", {}).get("rules", Rules())
    if nearest_reference(run, takes_bounds(function)).rules == rules:
        return ""
    other = ", ".join(f"{rule}={value}" for rule, value in asdict(rules).items() if value != getattr(Rules(), rule))
    return f", rules=Rules({other})"


def _mistake(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case) -> Mistake | None:
    """The mistake that it makes, if there is a name for it."""
    if case.window and names_them_backwards(function):
        return BACKWARDS
    if is_far(tree):  # on all others it is right
        return FINITE if _stops_at_a_number(exercise, function, tree, case) else None
    return _known(exercise, function)


def _known(exercise: Exercise, function: Callable[..., Any]) -> Mistake | None:
    """The known mistake that does the same as the answer on every tree tried."""
    trees = sample(exercise)
    mine = cache(lambda place: exercise.runs(function, trees[place]))
    for mistake in exercise.mistakes:
        for form in mistake.forms:
            if all(mine(place) == exercise.runs(form, tree) for place, tree in enumerate(trees)):
                again = mistake.reads_once and any(run.again for place in range(len(trees)) for run in mine(place))
                return None if again else mistake
    return None


def _stops_at_a_number(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case) -> bool:
    """Whether it returns the same on the tree and on the two of its shape whose leaves are furthest away."""
    like = [far for far in far_trees() if (len(far), far.root.is_max) == (len(tree), tree.root.is_max)]
    first, *others = (
        exercise.run(function, each, *case.arguments).value for each in (tree, *map(case.dressed, like[-2:]))
    )
    return first is not None and others == [first, first]


def sample(exercise: Exercise) -> list[Tree]:
    """The trees on which an answer is compared with known mistakes."""
    trees = (*small_trees()[:SAMPLE], *random_trees(TRIED)[:SAMPLE], *min_begins(MIN_BEGINS))
    return [tree for tree in trees if exercise.fits(tree)]


def _difference(exercise: Exercise, function: Callable[..., Any], tree: Tree, case: Case, run: Trace | None) -> str:
    """What the answer does on the tree, and what it should."""
    with kept():
        got = exercise.run(function, tree, *case.arguments)
    expected = exercise.run(exercise.reference, tree, *case.arguments)
    where = f"On {case.written(tree)}{case.told}"
    nothing = "NoneType" in got.problem if got.problem else got.value is None
    node = where_nothing(run) if nothing else None
    below = f" It returns None for {at(node)}." if node and (got.problem or node is not tree.root) else ""
    if got.problem:
        return f"{where} {got.problem}.{_called_as(exercise, function) or below}"
    if got.value != expected.value:
        at_root = f" for {at(node)}" if node and not below else ""
        return f"{where} it {_returns(exercise, got)}{at_root}; expected {exercise.shown(expected.value)}.{below}"
    done = exercise.done(tree, expected).partition(" ")[2]
    return f"{where} it {exercise.done(tree, got)}; expected {done}."


def _called_as(exercise: Exercise, function: Callable[..., Any]) -> str:
    """How it is called, where it cannot be called so."""
    defined = re.search(r"def (\w+)\((.*)\):", exercise.stub)
    if defined is None:
        return ""
    handed = [name for name in defined[2].split(", ") if "=" not in name]
    try:
        signature(function).bind(*handed)
    except TypeError:
        return f" It is called as {defined[1]}({', '.join(handed)}), by place."
    except ValueError:  # one that tells nothing of its parameters
        pass
    return ""


def _returns(exercise: Exercise, run: Behaviour) -> str:
    return "returns None" if run.value is None else f"returns {exercise.shown(run.value)}"


def _did(exercise: Exercise, tree: Tree, run: Behaviour, same_value: bool) -> str:
    if run.problem:
        return run.problem.removeprefix("it ")
    return exercise.done(tree, run) if same_value else _returns(exercise, run)
