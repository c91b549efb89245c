"""Exercises that ask for a function: what it is run on, and what its behaviour says about it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from math import inf
from typing import Any

from abviz.errors import Number, brief, number, plain
from abviz.exercises import counterexamples
from abviz.exercises.counterexamples import far_trees, is_far, min_roots, random_trees, small_trees, smallest_trees
from abviz.exercises.mistakes import Faults, Mistake, known, pairs
from abviz.exercises.observation import (
    AGAIN,
    NO_FUNCTION,
    NOT_WRITTEN,
    RETURNED,
    STOPPED,
    Job,
    Observation,
    observe,
)
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

Ask = Callable[[Sequence[Job]], list[Observation]]
Window = tuple[Number, Number]

SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes
FIRST_BATCH, LARGEST_BATCH = 16, 1024  # jobs asked for at once
FIRST_AGAIN, LAST_AGAIN, FEWEST_AGAIN = 250, 50, 20  # runs repeated, to see whether an answer keeps something
LEAF, MIN_MOVES = Tree(7), Tree([0, 1], to_move="min")

KEPT = known("any", "something kept between calls")
FINITE = known("any", "a number for ∞")  # right on trees of small numbers: recognised by the tree on which it fails
READS_ONCE = "minimax"  # no name for an answer that reads a leaf again: one that reads all leaves to sort them may cut


@dataclass(frozen=True, eq=False)
class Case:
    """One way to call an answer."""

    arguments: tuple[Any, ...] = ()  # beside the root
    text: str = ""  # " with the window (0, 1)"
    dress: Callable[[Tree], Tree] = lambda tree: tree  # makes the tree it is called on from a plain one
    written: Callable[[Tree], str] = written
    window: Window | None = None


def with_window(alpha: Number, beta: Number) -> Case:
    text = f" with the window ({number(alpha)}, {number(beta)})"
    return Case((alpha, beta), text, window=(alpha, beta))


WINDOWS = (with_window(-inf, inf), with_window(0, 1), with_window(-2, 3))

# Trees and jobs are known by their identity, which is quick to look up; the tables keep them alive.
JOBS: dict[tuple[str, int, int], tuple[Tree, Job]] = {}
RIGHT_RUNS: dict[tuple["FunctionExercise", int], tuple[Job, Observation]] = {}


# what is compared


def as_number(value: Any) -> Number | None:
    return plain(value)


def reads(tree: Tree, run: Observation) -> tuple[str, str]:
    """Return a verb and its object: what the run did, beside its value."""
    again = " (some of them more than once)" if run.details == AGAIN else ""
    return "reads", (", ".join(number(tree[name].value) for name in run.leaves) or "no leaf") + again


def unchanged(tree: Tree, run: Observation) -> Observation:
    return run


def takes_turns(tree: Tree) -> bool:
    return all(child.is_max != node.is_max for node in tree.nodes for child in node.children)


def same(one: Observation, other: Observation) -> bool:
    """Return whether two runs did the same. The words of a problem may differ."""
    return (one.value, one.leaves, not one.problem) == (other.value, other.leaves, not other.problem)


@dataclass(frozen=True, eq=False)
class Finding:
    """What the runs of an answer show."""

    status: str
    message: str
    mistakes: tuple[Mistake, ...] = ()
    case: Case | None = None
    job: Job | None = None  # the run on the counterexample


@dataclass(frozen=True, eq=False)
class FunctionExercise:
    """An exercise that asks for a function, which has to do on every tree what the reference does."""

    name: str
    stub: str
    hints: tuple[str, ...]
    build: Callable[..., Callable[..., Any]]  # build(): the reference; build(**faults): a known mistake
    mistakes: tuple[Mistake, ...]
    cases: tuple[Case, ...] = WINDOWS  # the first is tried on `trees`, the others on the smallest; all on random trees
    bases: tuple[Faults, ...] = ({}, {"asks_bounds": True})  # ways to write the reference, in which mistakes may differ
    trees: Callable[[], tuple[Tree, ...]] = small_trees
    far: bool = True  # whether trees with leaves far from 0 are tried
    fits: Callable[[Tree], bool] = lambda tree: True  # whether an answer has to be right on the tree
    how: str = "search"
    form: Callable[[Any], Any] = as_number  # what is compared, made from a plain value; None if it has another form
    form_words: str = "a number"
    settle: Callable[[Tree, Observation], Observation] = unchanged  # drops from a run what answers may choose
    show: Callable[[Any], str] = number  # the value in words
    describe: Callable[[Tree, Observation], tuple[str, str]] = reads
    expected: str = "a function"
    right_run: Callable[..., Trace] | None = None  # right_run(tree, **window): what an own run is compared with

    is_data = False

    def judge(self, ask: Ask) -> Verdict:
        """Return the verdict on the answer whose runs `ask` returns. It may return fewer runs than it was asked for
        where the last one was stopped."""
        return self.verdict(self.find(ask))

    def verdict(self, finding: Finding) -> Verdict:
        message, hints = finding.message, self.hints
        if finding.mistakes:
            says = ", and ".join(each.says for each in finding.mistakes)
            hints = (*(each.hint for each in finding.mistakes), *hints)
            message = f"{message} It looks as if {says}. {hints[0]}"
        name = ", and ".join(each.name for each in finding.mistakes) or None
        tree = finding.job.tree if finding.job and finding.status == WRONG else None
        return Verdict(self.name, finding.status, message, name, tree, hints if finding.status != RIGHT else ())

    def find(self, ask: Ask) -> Finding:
        runs = _Runs(self, ask)
        try:
            return self._unwritten(runs) or self._found(runs)
        except _Ended as end:
            return end.finding

    def job(self, case: Case, tree: Tree) -> Job:
        """Return the same job each time, so that the right run is made once, and grading sends its tree once."""
        key = self.how, id(case), id(tree)
        if key not in JOBS:
            JOBS[key] = tree, Job(case.dress(tree), case.arguments, self.how)
        return JOBS[key][1]

    def case_of(self, job: Job) -> Case:
        return next(case for case in self.cases if case.arguments == job.arguments)

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with what is compared for its value."""
        if run.problem:
            words = f"; expected {self.form_words}" if run.problem.startswith(RETURNED) else ""
            return replace(run, value=None, problem=f"{run.problem}{words}")
        value = self.form(run.value)
        if value is None and run.value is not None:
            problem = f"{RETURNED}{brief(run.value)}; expected {self.form_words}"
            return self.settle(job.tree, replace(run, value=None, problem=problem))
        return self.settle(job.tree, replace(run, value=value) if value is not run.value else run)

    def right(self, job: Job) -> Observation:
        key = self, id(job)
        if key not in RIGHT_RUNS:
            RIGHT_RUNS[key] = job, self.read(job, observe(self.build(), job))
        return RIGHT_RUNS[key][1]

    def sweep(self, case: Case) -> tuple[Tree, ...]:
        """Return the trees that the answer is tried on in this case, in order of size."""
        return _sweep(self, case, counterexamples.SMALL_TREES, counterexamples.RANDOM_TREES)

    def _unwritten(self, runs: "_Runs") -> Finding | None:
        start = (*self.trees()[:3], MIN_MOVES)
        first = [run for case in self.cases for run in runs.run(case, start)]
        if first[0].problem.startswith(NO_FUNCTION):
            return Finding(
                WRONG, f"The answer is {first[0].problem.removeprefix(NO_FUNCTION)}; expected {self.expected}."
            )
        if any(run.value is not None or run.leaves or run.problem not in ("", NOT_WRITTEN) for run in first):
            return None
        (run,) = runs.run(self.cases[0], [LEAF])
        if run.value == LEAF.root.value:
            return Finding(NOT_YET, "It returns the value of a leaf so far, and nothing for a node that has children.")
        return Finding(NOT_YET, f"It is not written yet; expected {self.expected}.")

    def _found(self, runs: "_Runs") -> Finding:
        wrong = runs.counterexample()
        if wrong is None:
            return Finding(RIGHT, f"On {runs.trees:,} trees it returns and reads what it should.")
        if changed := runs.changed():
            return changed
        case, tree = wrong
        job = self.job(case, tree)
        (run,), right = runs.run(case, [tree]), self.right(job)
        if same(run, right):
            where = f"On {case.written(job.tree)}{case.text} it goes wrong once, but not when called again."
            return Finding(WRONG, where, (KEPT,), case, job)
        return Finding(WRONG, self.difference(case, job, run), runs.mistakes(case, job, run), case, job)

    def difference(self, case: Case, job: Job, run: Observation) -> str:
        """Return what the run does on the tree, and what is expected."""
        right = self.right(job)
        where = f"On {case.written(job.tree)}{case.text}"
        if run.problem:
            return f"{where} {run.problem}."
        if run.value != right.value:
            return f"{where} it {self.returns(run)}; expected {self.show(right.value)}."
        verb, what = self.describe(job.tree, run)
        return f"{where} it {verb} {what}; expected {self.describe(job.tree, right)[1]}."

    def returns(self, run: Observation) -> str:
        return "returns None" if run.value is None else f"returns {self.show(run.value)}"

    def variants(self, forms: Sequence[Faults]) -> Iterator[Callable[..., Any]]:
        """Yield a mistake in every way to write it."""
        for form in forms:
            for base in self.bases:
                yield self.build(**base | form)

    def sample(self) -> tuple[Job, ...]:
        """Return the runs in which an answer is compared with the known mistakes."""
        return _sample(self)


class _Ended(Exception):
    """Ends the judgement early."""

    def __init__(self, finding: Finding):
        self.finding = finding


class _Runs:
    """The runs of one answer, in their order."""

    def __init__(self, exercise: FunctionExercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.log: list[tuple[Case, Job, Observation]] = []
        self.trees = 0  # that the answer was tried on in the first case
        self.again = False  # whether any run came back to a leaf

    def run(self, case: Case, trees: Sequence[Tree]) -> list[Observation]:
        return self.runs(case, [self.exercise.job(case, tree) for tree in trees])

    def runs(self, case: Case, jobs: Sequence[Job]) -> list[Observation]:
        runs = [self.exercise.read(job, run) for job, run in zip(jobs, self.ask(jobs), strict=False)]
        self.log += [(case, job, run) for job, run in zip(jobs, runs, strict=False)]
        if runs and runs[-1].problem.startswith(STOPPED):
            job = jobs[len(runs) - 1]
            raise _Ended(Finding(WRONG, self.exercise.difference(case, job, runs[-1]), (), case, job))
        return runs

    def first_wrong(self, case: Case, trees: Sequence[Tree]) -> Tree | None:
        exercise, right = self.exercise, self.exercise.right
        for batch in _batches(trees):
            for tree, run in zip(batch, self.run(case, batch), strict=False):
                job = exercise.job(case, tree)
                if run.problem == NOT_WRITTEN:
                    where = f"On {case.written(job.tree)}{case.text} it is not written yet."
                    raise _Ended(Finding(NOT_YET, where, (), case, job))
                if not same(run, right(job)):
                    return tree
        return None

    def counterexample(self) -> tuple[Case, Tree] | None:
        """Return the smallest tree on which the answer goes wrong, if possible in the first case."""
        small = set(map(id, small_trees()))
        for case in self.exercise.cases:
            trees = self.exercise.sweep(case)
            self.trees = max(self.trees, len(trees))

            def first_wrong(trees: Sequence[Tree], case: Case = case) -> Tree | None:
                return self.first_wrong(case, list(filter(self.exercise.fits, trees)))

            tree = first_wrong(trees)
            if tree is None:
                continue
            if is_far(tree):
                return case, tree
            shrink = counterexamples.shrunk_small if id(tree) in small else counterexamples.shrunk
            return case, shrink(tree, first_wrong)
        return None

    def changed(self) -> Finding | None:
        """Repeat runs; return a finding where one has another outcome than before."""
        log = [*self.log[:FIRST_AGAIN], *self.log[FIRST_AGAIN:][-LAST_AGAIN:]]
        log *= max(1, -(-FEWEST_AGAIN // len(log)))
        runs = self.ask([job for _, job, _ in log])
        for (case, job, before), raw in zip(log, runs, strict=False):
            again = self.exercise.read(job, raw)
            if not same(before, again):
                did = (self._did(job, run, before.value == again.value) for run in (before, again))
                message = ", and called again after other trees it ".join(did)
                where = f"On {case.written(job.tree)}{case.text} it {message}."
                return Finding(WRONG, where, (KEPT,), case, job)
        return None

    def _did(self, job: Job, run: Observation, same_value: bool) -> str:
        if run.problem:
            return run.problem.removeprefix("it ")
        return " ".join(self.exercise.describe(job.tree, run)) if same_value else self.exercise.returns(run)

    def mistakes(self, case: Case, job: Job, run: Observation) -> tuple[Mistake, ...]:
        """Return the known mistake, or the pair of them, that does the same on every tree of the sample."""
        exercise = self.exercise
        if is_far(job.tree):
            return (FINITE,) if self._stops_at_a_number(case, job.tree) else ()
        jobs = exercise.sample()
        sample = [(job, run), *zip(jobs, self.runs(case, jobs), strict=True)]
        again = any(each.details == AGAIN for _, each in sample)

        def is_like(forms: Sequence[Faults]) -> bool:
            return any(
                all(same(each, exercise.read(job, observe(variant, job))) for job, each in sample)
                for variant in exercise.variants(forms)
            )

        singles = (((row,), row.forms) for row in exercise.mistakes)
        both = (((one, other), forms) for one, other, forms in pairs(exercise.mistakes))
        found = next((rows for rows, forms in chain(singles, both) if is_like(forms)), ())
        return () if again and READS_ONCE in [row.name for row in found] else found

    def _stops_at_a_number(self, case: Case, tree: Tree) -> bool:
        """Return whether the value is the same on the tree and on those of its shape with leaves furthest from 0."""
        alike = [far for far in far_trees() if (len(far), far.root.is_max) == (len(tree), tree.root.is_max)]
        values = {run.value for run in self.run(case, [tree, *alike[-2:]])}
        return len(values) == 1 and None not in values


@lru_cache
def _sweep(exercise: FunctionExercise, case: Case, most_small: int, most_random: int) -> tuple[Tree, ...]:
    is_first = case is exercise.cases[0]
    small = exercise.trees() if is_first else smallest_trees()
    far = far_trees() if is_first and exercise.far else ()
    return tuple(filter(exercise.fits, (*small[:most_small], *random_trees(most_random), *far)))


@lru_cache
def _sample(exercise: FunctionExercise) -> tuple[Job, ...]:
    trees = (*random_trees(SAMPLE), *small_trees()[:SAMPLE], *min_roots(SAMPLE // 4))
    fit = list(filter(exercise.fits, trees))
    return tuple(exercise.job(case, tree) for tree in fit for case in exercise.cases)


def _batches(trees: Sequence[Tree]) -> Iterator[list[Tree]]:
    rest, size = iter(trees), FIRST_BATCH
    while batch := list(islice(rest, size)):
        yield batch
        size = min(4 * size, LARGEST_BATCH)
