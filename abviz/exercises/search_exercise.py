"""Exercises that ask for a search: an answer has to do on every tree what the reference does.

`judge` compares runs, which are plain data, so that grading can make them elsewhere. `check` runs the answer here, and
adds what needs the function itself: its own run, as it is drawn and watched.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import inf, isinf
from typing import Any, NamedTuple

from abviz.errors import AbvizError, brief, count, number, plain, quoted
from abviz.exercises import counterexamples
from abviz.exercises.counterexamples import far_trees, is_far, random_trees, revalued, small_trees, smaller
from abviz.exercises.exercise import SECONDS, Exercise, Mistake, texts
from abviz.exercises.mistakes import Faults, mistake, pairs
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, RETURNED, STOPPED, Job, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, in_python, written
from abviz.recording.differences import describe, first_difference
from abviz.recording.recorder import FULL, record
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

Ask = Callable[[Sequence[Job]], Iterable[Observation]]

FEW_TREES = 600  # small trees in each case but the first; in all cases of a search that takes long (`few_trees`)
SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes
FIRST_BATCH, LARGEST_BATCH = 16, 1024  # jobs asked for at once
REPEATED = 250  # runs, to see whether an answer keeps something

KEPT = mistake("something kept between calls")
FINITE = mistake("a number for ∞")  # right on trees of small numbers: recognised by the tree on which it fails


class Case(NamedTuple):
    """One way to call an answer."""

    arguments: tuple[Any, ...] = ()  # after the root
    dress: Callable[[Tree], Tree] = lambda tree: tree  # makes the tree it is called on from a plain one


WINDOWS = Case((-inf, inf)), Case((0, 1)), Case((-2, 3))


def first_readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with the leaves that were read, each where it was first read."""
    return replace(run, leaves=tuple(dict.fromkeys(name for name in run.leaves if tree[name].is_leaf)))


def reads(tree: Tree, run: Observation) -> tuple[str, str]:
    """Return a verb and its object: what the run did, apart from returning its value."""
    return "reads", ", ".join(number(tree[name].value) for name in run.leaves) or "no leaf"


def takes_turns(tree: Tree) -> bool:
    return all(child.is_max != node.is_max for node in tree.nodes for child in node.children)


def same(one: Observation, other: Observation) -> bool:
    """Return whether two runs did the same. The words of a problem may differ."""
    return (one.value, one.leaves, not one.problem) == (other.value, other.leaves, not other.problem)


class Concluded(Exception):
    """Raised with the verdict as soon as it is certain, so that no further runs are asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchExercise(Exercise):
    """An exercise that asks for a search. Its texts may have: `words` for the arguments of a case, and what is
    `expected` of the answer (`expected`) and of the value that it returns (`form_words`)."""

    name: str
    mistakes: tuple[Mistake, ...]
    build: Callable[..., Callable[..., Any]]  # build(): the reference; build(**faults): a known mistake
    cases: tuple[Case, ...] = (Case(),)
    bases: tuple[Faults, ...] = ({}, {"asks_bounds": True})  # ways to write the reference, in which mistakes may differ
    named: Callable[[Tree], Tree] = lambda tree: tree  # names the nodes, where a name has a meaning
    fits: Callable[[Tree], bool] = lambda tree: True  # whether an answer has to be right on the tree
    how: str = "search"
    form: Callable[[Any], Any] = plain  # what is compared, made from a plain value; None if it has another form
    settle: Callable[[Tree, Observation], Observation] = first_readings  # drops from a run what answers may choose
    show: Callable[[Any], str] = number  # the value in words
    describe: Callable[[Tree, Observation], tuple[str, str]] = reads
    right_run: Callable[..., Trace] | None = None  # right_run(tree, **window): what an own run is compared with

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        """Run the answer here, and show its own run where it goes wrong."""
        tried: list[Job] = []

        def ask(jobs: Sequence[Job]) -> Iterator[Observation]:
            for job in jobs:
                tried.append(job)
                yield observe(answer, job)

        judgement = _Judgement(self, ask)
        try:
            verdict = run_with_timeout(judgement.verdict, seconds)
        except TimeLimit:
            last = f", the last o{self.where(tried[-1])[1:]}" if tried else ""
            message = f"It was stopped after {seconds:g} seconds and {count(len(tried), 'run')}{last}."
            return self.verdict(WRONG, message)
        if not judgement.wrong or verdict.status != WRONG:
            return verdict
        return _with_own_run(verdict, self, judgement.wrong[0], answer)

    def judge(self, answer: Ask) -> Verdict:
        """Return the verdict on the answer whose runs are returned. They may be fewer than asked for, where the last
        one was stopped."""
        return _Judgement(self, answer).verdict()

    def jobs(self, case: Case) -> tuple[Job, ...]:
        """Return the runs in which the answer is tried in this case, in order of size."""
        few = "few_trees" in self.texts or case is not self.cases[0]
        return _jobs(self, case, FEW_TREES if few else counterexamples.SMALL_TREES, counterexamples.RANDOM_TREES)

    def jobs_on(self, trees: Iterable[Tree], case: Case) -> tuple[Job, ...]:
        return tuple(Job(self.named(tree), case.arguments, self.how) for tree in trees if self.fits(tree))

    def sample(self) -> tuple[Job, ...]:
        """Return the runs in which an answer is compared with the known mistakes."""
        return tuple(job for case in self.cases for job in _jobs(self, case, SAMPLE, SAMPLE))

    @lru_cache(100_000)  # noqa: B019
    def right(self, job: Job) -> Observation:
        """Return what the reference does."""
        return self.read(job, observe(self.build(), job))

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with what is compared for its value."""
        value = None if run.problem else self.form(run.value)
        problem = run.problem or (f"{RETURNED}{brief(run.value)}" if value is None and run.value is not None else "")
        if problem.startswith(RETURNED):
            problem += f"; expected {self.texts.get('form_words', 'a number')}"
        run = replace(run, value=value, problem=problem)
        return run if problem else self.settle(job.tree, run)

    def variants(self, forms: Sequence[Faults]) -> Iterator[Callable[..., Any]]:
        """Yield a mistake in every way to write it."""
        return (self.build(**base | form) for form in forms for base in self.bases)

    def where(self, job: Job) -> str:
        return f"On {written(job.tree)}{self.texts.get('words', '').format(*map(number, job.arguments))}"

    def returns(self, run: Observation) -> str:
        return "returns None" if run.value is None else f"returns {self.show(run.value)}"

    def difference(self, job: Job, run: Observation) -> str:
        """Return what the run does on the tree, and what is expected."""
        right = self.right(job)
        if run.problem:
            return f"{self.where(job)} {run.problem}."
        if run.value != right.value:
            return f"{self.where(job)} it {self.returns(run)}; expected {self.show(right.value)}."
        verb, what = self.describe(job.tree, run)
        return f"{self.where(job)} it {verb} {what}; expected {self.describe(job.tree, right)[1]}."


@lru_cache
def _jobs(exercise: SearchExercise, case: Case, small: int, random: int) -> tuple[Job, ...]:
    """Return the same jobs each time, so that the right run is made once, and grading sends a tree once."""
    trees = (*small_trees()[:small], *random_trees(random), *far_trees())
    return exercise.jobs_on(map(case.dress, trees), case)


def exercise(name: str, faults: Mapping[str, list[Faults]] | None = None, **options: Any) -> SearchExercise:
    """Return an exercise with its mistakes from searches.yaml. Faults are keyword arguments to `build`."""
    names, faults = texts()[name]["mistakes"], faults or {}
    return SearchExercise(name, tuple(mistake(each, faults.get(each, ())) for each in names), **options)


class _Judgement:
    """The runs of one answer, in their order, and what they show."""

    def __init__(self, exercise: SearchExercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.log: list[tuple[Job, Observation]] = []
        self.wrong: tuple[Job, Observation] | None = None  # on the smallest tree so far

    def verdict(self) -> Verdict:
        exercise = self.exercise
        try:
            self._raise_if_unwritten()
            for case in exercise.cases:  # a counterexample in the first case is preferred to a smaller one in another
                tree = self._first_wrong(exercise.jobs(case))
                while tree:
                    tree = self._first_wrong(exercise.jobs_on(smaller(tree), case))
                if self.wrong:
                    self._raise_if_changed([self.wrong, *self.log[REPEATED - 1 :: -1]])
                    return self._verdict_on(*self.wrong, self._mistakes(*self.wrong))
            trees = max(len(exercise.jobs(case)) for case in exercise.cases)
            return exercise.verdict(RIGHT, f"On {trees:,} trees it returns and reads what it should.")
        except Concluded as end:
            return end.args[0]  # type: ignore[no-any-return]

    def _verdict_on(self, job: Job, run: Observation, mistakes: Sequence[Mistake] = ()) -> Verdict:
        return self.exercise.verdict(WRONG, self.exercise.difference(job, run), mistakes, tree=job.tree)

    def _run(self, jobs: Sequence[Job]) -> list[Observation]:
        runs = [self.exercise.read(job, run) for job, run in zip(jobs, self.ask(jobs), strict=False)]
        self.log += zip(jobs, runs, strict=False)
        if runs and runs[-1].problem.startswith(STOPPED):
            raise Concluded(self._verdict_on(jobs[len(runs) - 1], runs[-1]))
        return runs

    def _raise_if_unwritten(self) -> None:
        exercise = self.exercise
        runs = self._run([job for case in exercise.cases for job in exercise.jobs(case)[:3]])
        expected = f"expected {exercise.texts.get('expected', 'a function')}."
        if runs[0].problem.startswith(NO_FUNCTION):
            message = f"The answer is {runs[0].problem[len(NO_FUNCTION) :]}; {expected}"
            raise Concluded(exercise.verdict(WRONG, message))
        if all(run.value is None and not run.leaves and run.problem in ("", NOT_WRITTEN) for run in runs):
            raise Concluded(exercise.verdict(NOT_YET, f"It is not written yet; {expected}"))

    def _first_wrong(self, jobs: Sequence[Job]) -> Tree | None:
        size = FIRST_BATCH
        while jobs:
            for job, run in zip(jobs, self._run(jobs[:size]), strict=False):
                if run.problem == NOT_WRITTEN:
                    message = f"{self.exercise.where(job)} it is not written yet."
                    raise Concluded(self.exercise.verdict(NOT_YET, message))
                if not same(run, self.exercise.right(job)):
                    self.wrong = job, run
                    return job.tree
            jobs, size = jobs[size:], min(4 * size, LARGEST_BATCH)
        return None

    def _raise_if_changed(self, log: Sequence[tuple[Job, Observation]]) -> None:
        """Repeat these runs, after others than before; raise the verdict where one has another outcome."""
        exercise = self.exercise
        for (job, before), again in zip(log, self._run([job for job, _ in log]), strict=False):
            if not same(before, again):
                did = [run.problem.removeprefix("it ") or exercise.returns(run) for run in (before, again)]
                if did[0] == did[1]:
                    did = [" ".join(exercise.describe(job.tree, run)) for run in (before, again)]
                message = f"{exercise.where(job)} it {did[0]}, and called again after other trees it {did[1]}."
                self.wrong = None  # one more run may do anything
                raise Concluded(exercise.verdict(WRONG, message, (KEPT,), tree=job.tree))

    def _mistakes(self, job: Job, run: Observation) -> tuple[Mistake, ...]:
        """Return the known mistake, or the pair of them, that does the same on every tree of the sample."""
        exercise = self.exercise
        if is_far(job.tree):  # the same value on a tree of larger numbers is a number of the answer's own
            tree = revalued(job.tree, lambda node: node.value and 10 * node.value)
            (further,) = self._run([replace(job, tree=tree)])
            return (FINITE,) if run.value is not None and run.value == further.value else ()
        singles = (((each,), each.forms) for each in exercise.mistakes)
        both = (((one, other), forms) for one, other, forms in pairs(exercise.mistakes))

        def agrees(variant: Callable[..., Any], jobs: Sequence[Job], runs: Sequence[Observation]) -> bool:
            others = (exercise.read(job, observe(variant, job)) for job in jobs)
            return all(map(same, runs, others))

        ways = ((mistakes, each) for mistakes, forms in chain(singles, both) for each in exercise.variants(forms))
        candidates = [(mistakes, variant) for mistakes, variant in ways if agrees(variant, [job], [run])]
        if not candidates:  # the sample takes long for an answer that does not end
            return ()
        jobs = exercise.sample()
        runs = self._run(jobs)
        return next((mistakes for mistakes, variant in candidates if agrees(variant, jobs, runs)), ())


def _with_own_run(verdict: Verdict, exercise: SearchExercise, job: Job, answer: Any) -> Verdict:
    """Return the verdict with the answer's own run, drawn at the step where it parts from the reference."""
    has_wins = any(isinf(leaf.value or 0) for leaf in job.tree.leaves())  # where a win may end the search, or not
    if not exercise.right_run or has_wins:
        return verdict
    function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
    window = job.arguments or FULL
    try:
        run = record(function, job.tree, seconds=1, window=window)
    except AbvizError:
        return verdict
    bounds = {} if window == FULL else dict(zip(("alpha", "beta"), window, strict=True))
    difference = first_difference(run, reference := exercise.right_run(run.tree, **bounds))
    if difference is None or not difference.step or (difference.step == len(run) and run.problem.startswith(STOPPED)):
        return verdict
    remark = f"The first difference: {quoted(run.options['name'])} {difference.sentence}"
    remark = f"{remark} (The reference: {describe(reference)}.)"
    shown = run.with_options(remark=(difference.step, remark), parting=difference.step)
    name, module = (str(getattr(function, which, "")) for which in ("__qualname__", "__module__"))
    to_watch = ""
    if name.isidentifier() and module.partition(".")[0] != "abviz":  # a student knows it by that name
        rules = f", rules=Rules({'fail_hard=True' if reference.rules.fail_hard else ''})" if job.arguments else ""
        to_watch = f"watch({name}, {in_python(run.tree)}{f', window={window}' if bounds else ''}{rules})"
    return replace(verdict, trace=shown, step=difference.step, to_watch=to_watch)
