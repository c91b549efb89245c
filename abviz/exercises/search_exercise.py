"""Exercises that ask for a search: an answer has to do on every tree what the reference does.

`judge` compares runs, which are plain data, so that grading can make them elsewhere. `check` runs the answer here, and
adds what needs the function itself: its own run, as it is drawn and watched.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import signature
from itertools import chain, islice, product
from math import inf, isinf
from time import perf_counter
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, number, plain, quoted
from abviz.exercises import counterexamples
from abviz.exercises.counterexamples import (
    far_trees,
    is_far,
    min_roots,
    random_trees,
    shrunk,
    small_trees,
    smallest_trees,
)
from abviz.exercises.mistakes import Faults, Mistake, mistake, pairs
from abviz.exercises.observation import AGAIN, NO_FUNCTION, NOT_WRITTEN, RETURNED, STOPPED, Job, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, held_output, in_python, mover, nested, written
from abviz.recording.differences import describe, first_difference
from abviz.recording.recorder import FULL, record
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree

Ask = Callable[[Sequence[Job]], list[Observation]]

SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes
FIRST_BATCH, LARGEST_BATCH = 16, 1024  # jobs asked for at once
FIRST_AGAIN, LAST_AGAIN, FEWEST_AGAIN = 250, 50, 20  # runs repeated, to see whether an answer keeps something
LEAF, MIN_MOVES = Tree(7), Tree([0, 1], to_move="min")

KEPT = mistake("something kept between calls")
FINITE = mistake("a number for ∞")  # right on trees of small numbers: recognised by the tree on which it fails
READS_ONCE = "minimax"  # no name for an answer that reads a leaf again: one that reads all leaves to sort them may cut
BACKWARDS = "α and β swapped"


class Case(NamedTuple):
    """One way to call an answer."""

    arguments: tuple[Any, ...] = ()  # beside the root
    dress: Callable[[Tree], Tree] | None = None  # makes the tree it is called on from a plain one


WINDOWS = Case((-inf, inf)), Case((0, 1)), Case((-2, 3))


def reads(tree: Tree, run: Observation) -> tuple[str, str]:
    """Return a verb and its object: what the run did, apart from returning its value."""
    again = " (some of them more than once)" if run.details == AGAIN else ""
    return "reads", (", ".join(number(tree[name].value) for name in run.leaves) or "no leaf") + again


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
    job: Job | None = None  # the run on the counterexample


@dataclass(frozen=True, eq=False)
class SearchExercise:
    """An exercise that asks for a search."""

    name: str
    stub: str
    hints: tuple[str, ...]
    mistakes: tuple[Mistake, ...]
    build: Callable[..., Callable[..., Any]]  # build(): the reference; build(**faults): a known mistake
    cases: tuple[Case, ...] = (
        Case(),
    )  # the first is tried on `trees`, the others on the smallest; all on random trees
    words: str = ""  # names the arguments of a case, as in " with depth = {}"
    bases: tuple[Faults, ...] = ({}, {"asks_bounds": True})  # ways to write the reference, in which mistakes may differ
    trees: Callable[[], tuple[Tree, ...]] = small_trees
    far: bool = True  # whether trees with leaves far from 0 are tried
    fits: Callable[[Tree], bool] = lambda tree: True  # whether an answer has to be right on the tree
    how: str = "search"
    form: Callable[[Any], Any] = plain  # what is compared, made from a plain value; None if it has another form
    form_words: str = "a number"
    settle: Callable[[Tree, Observation], Observation] = lambda tree, run: (
        run
    )  # drops from a run what answers may choose
    show: Callable[[Any], str] = number  # the value in words
    written: Callable[[Tree], str] = written
    describe: Callable[[Tree, Observation], tuple[str, str]] = reads
    expected: str = "a function"
    right_run: Callable[..., Trace] | None = None  # right_run(tree, **window): what an own run is compared with

    is_data = False

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        """Run the answer here, and show its own run where it goes wrong."""
        ask = _LocalRuns(answer)
        try:
            finding = run_with_timeout(lambda: _Judgement(self, ask).finding(), seconds)
        except TimeLimit:
            return self.verdict(ask.stopped(self, seconds))
        try:
            return run_with_timeout(lambda: _explained(self, finding, answer), seconds)
        except TimeLimit:
            return self.verdict(finding)

    def judge(self, ask: Ask) -> Verdict:
        """Return the verdict on the answer whose runs `ask` returns. It may return fewer runs than it was asked for
        where the last one was stopped."""
        return self.verdict(_Judgement(self, ask).finding())

    def verdict(self, finding: Finding) -> Verdict:
        message, hints = finding.message, self.hints if finding.status != RIGHT else ()
        if finding.mistakes:
            says = ", and ".join(each.says for each in finding.mistakes)
            hints = (*(each.hint for each in finding.mistakes), *hints)
            message = f"{message} It looks as if {says}. {hints[0]}"
        name = ", and ".join(each.name for each in finding.mistakes) or None
        tree = finding.job.tree if finding.job and finding.status == WRONG else None
        return Verdict(self.name, finding.status, message, name, tree, hints)

    def job(self, case: Case, tree: Tree) -> Job:
        return _job(self.how, case, tree)

    def right(self, job: Job) -> Observation:
        return _right(self, job)

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with what is compared for its value."""
        if run.problem:
            words = f"; expected {self.form_words}" if run.problem.startswith(RETURNED) else ""
            return replace(run, value=None, problem=f"{run.problem}{words}")
        value = self.form(run.value)
        if value is None and run.value is not None:
            run = replace(run, problem=f"{RETURNED}{brief(run.value)}; expected {self.form_words}")
        return self.settle(job.tree, run if value is run.value else replace(run, value=value))

    def sweep(self, case: Case) -> tuple[Tree, ...]:
        """Return the trees that the answer is tried on in this case, in order of size."""
        return _sweep(self, case is self.cases[0], counterexamples.SMALL_TREES, counterexamples.RANDOM_TREES)

    def sample(self) -> tuple[Job, ...]:
        """Return the runs in which an answer is compared with the known mistakes."""
        return _sample(self, SAMPLE)

    def variants(self, forms: Sequence[Faults]) -> Iterator[Callable[..., Any]]:
        """Yield a mistake in every way to write it."""
        return (self.build(**base | form) for form in forms for base in self.bases)

    def where(self, job: Job) -> str:
        return f"On {self.written(job.tree)}{self.words.format(*map(number, job.arguments))}"

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


@lru_cache(100_000)
def _job(how: str, case: Case, tree: Tree) -> Job:
    """Return the same job each time, so that the right run is made once, and grading sends its tree once."""
    return Job(case.dress(tree) if case.dress else tree, case.arguments, how)


@lru_cache(200_000)
def _right(exercise: SearchExercise, job: Job) -> Observation:
    return exercise.read(job, observe(exercise.build(), job))


@lru_cache
def _sweep(exercise: SearchExercise, is_first: bool, most_small: int, most_random: int) -> tuple[Tree, ...]:
    small = exercise.trees() if is_first else smallest_trees()
    far = far_trees() if is_first and exercise.far else ()
    return tuple(filter(exercise.fits, (*small[:most_small], *random_trees(most_random), *far)))


@lru_cache
def _sample(exercise: SearchExercise, trees_each: int) -> tuple[Job, ...]:
    trees = (*random_trees(trees_each), *small_trees()[:trees_each], *min_roots(trees_each // 4))
    return tuple(exercise.job(case, tree) for tree in filter(exercise.fits, trees) for case in exercise.cases)


class _Ended(Exception):
    """Ends the judgement early."""

    def __init__(self, finding: Finding):
        self.finding = finding


class _Judgement:
    """The runs of one answer, in their order, and what they show."""

    def __init__(self, exercise: SearchExercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.log: list[tuple[Job, Observation]] = []

    def finding(self) -> Finding:
        exercise = self.exercise
        try:
            if unwritten := self._unwritten():
                return unwritten
            job = self._counterexample()
            if job is None:
                trees = max(len(exercise.sweep(case)) for case in exercise.cases)
                return Finding(RIGHT, f"On {trees:,} trees it returns and reads what it should.")
            if changed := self._changed():
                return changed
            (run,) = self._run([job])
            if same(run, exercise.right(job)):
                message = f"{exercise.where(job)} it goes wrong once, but not when called again."
                return Finding(WRONG, message, (KEPT,), job)
            return Finding(WRONG, exercise.difference(job, run), self._mistakes(job, run), job)
        except _Ended as end:
            return end.finding

    def _run(self, jobs: Sequence[Job]) -> list[Observation]:
        runs = [self.exercise.read(job, run) for job, run in zip(jobs, self.ask(jobs), strict=False)]
        self.log += zip(jobs, runs, strict=False)
        if runs and runs[-1].problem.startswith(STOPPED):
            job = jobs[len(runs) - 1]
            raise _Ended(Finding(WRONG, self.exercise.difference(job, runs[-1]), (), job))
        return runs

    def _unwritten(self) -> Finding | None:
        exercise = self.exercise
        start = [exercise.job(case, tree) for case in exercise.cases for tree in (*exercise.trees()[:3], MIN_MOVES)]
        first = self._run(start)
        if first[0].problem.startswith(NO_FUNCTION):
            return Finding(
                WRONG, f"The answer is {first[0].problem[len(NO_FUNCTION) :]}; expected {exercise.expected}."
            )
        if any(run.value is not None or run.leaves or run.problem not in ("", NOT_WRITTEN) for run in first):
            return None
        (run,) = self._run([exercise.job(exercise.cases[0], LEAF)])
        if run.value == LEAF.root.value:
            return Finding(NOT_YET, "It returns the value of a leaf so far, and nothing for a node that has children.")
        return Finding(NOT_YET, f"It is not written yet; expected {exercise.expected}.")

    def _counterexample(self) -> Job | None:
        """Return the run on the smallest tree on which the answer goes wrong, if possible in the first case."""
        for case in self.exercise.cases:

            def first_wrong(trees: Sequence[Tree], case: Case = case) -> Tree | None:
                return self._first_wrong(case, trees)

            tree = first_wrong(self.exercise.sweep(case))
            if tree in random_trees(counterexamples.RANDOM_TREES):
                tree = shrunk(tree, first_wrong)
            if tree:
                return self.exercise.job(case, tree)
        return None

    def _first_wrong(self, case: Case, trees: Sequence[Tree]) -> Tree | None:
        exercise = self.exercise
        for batch in _batches(filter(exercise.fits, trees)):
            jobs = [exercise.job(case, tree) for tree in batch]
            for tree, job, run in zip(batch, jobs, self._run(jobs), strict=False):
                if run.problem == NOT_WRITTEN:
                    raise _Ended(Finding(NOT_YET, f"{exercise.where(job)} it is not written yet.", (), job))
                if not same(run, exercise.right(job)):
                    return tree
        return None

    def _changed(self) -> Finding | None:
        """Repeat runs; return a finding where one has another outcome than before."""
        log = [*self.log[:FIRST_AGAIN], *self.log[FIRST_AGAIN:][-LAST_AGAIN:]]
        log *= max(1, -(-FEWEST_AGAIN // len(log)))
        for (job, before), raw in zip(log, self.ask([job for job, _ in log]), strict=False):
            again = self.exercise.read(job, raw)
            if not same(before, again):
                did = (self._did(job, run, before.value == again.value) for run in (before, again))
                message = ", and called again after other trees it ".join(did)
                return Finding(WRONG, f"{self.exercise.where(job)} it {message}.", (KEPT,), job)
        return None

    def _did(self, job: Job, run: Observation, same_value: bool) -> str:
        if run.problem:
            return run.problem.removeprefix("it ")
        return " ".join(self.exercise.describe(job.tree, run)) if same_value else self.exercise.returns(run)

    def _mistakes(self, job: Job, run: Observation) -> tuple[Mistake, ...]:
        """Return the known mistake, or the pair of them, that does the same on every tree of the sample."""
        exercise = self.exercise
        if is_far(job.tree):
            return (FINITE,) if self._stops_at_a_number(job) else ()
        singles = (((each,), each.forms) for each in exercise.mistakes)
        both = (((one, other), forms) for one, other, forms in pairs(exercise.mistakes))
        candidates = [
            (mistakes, variant)
            for mistakes, forms in chain(singles, both)
            for variant in exercise.variants(forms)
            if same(run, exercise.read(job, observe(variant, job)))
        ]
        if not candidates:
            return ()
        jobs = exercise.sample()
        runs = self._run(jobs)
        again = any(each.details == AGAIN for each in runs)
        for mistakes, variant in candidates:
            if all(same(each, exercise.read(job, observe(variant, job))) for job, each in zip(jobs, runs, strict=True)):
                return () if again and READS_ONCE in [each.name for each in mistakes] else mistakes
        return ()

    def _stops_at_a_number(self, job: Job) -> bool:
        """Return whether the value is the same on the tree and on those of its shape with leaves furthest from 0."""
        tree = job.tree
        alike = [far for far in far_trees() if (len(far), far.root.is_max) == (len(tree), tree.root.is_max)]
        values = {run.value for run in self._run([job, *(replace(job, tree=far) for far in alike[-2:])])}
        return len(values) == 1 and None not in values


def _batches(trees: Iterator[Tree]) -> Iterator[list[Tree]]:
    size = FIRST_BATCH
    while batch := list(islice(trees, size)):
        yield batch
        size = min(4 * size, LARGEST_BATCH)


class _LocalRuns:
    """Runs an answer in this process."""

    def __init__(self, answer: Any):
        self.answer, self.runs = answer, 0
        self.job: Job | None = None  # under way
        self.start = self.since = perf_counter()

    def __call__(self, jobs: Sequence[Job]) -> list[Observation]:
        runs = []
        for self.job in jobs:
            self.since = perf_counter()
            runs.append(observe(self.answer, self.job))
            self.runs += 1
        self.job = None
        return runs

    def stopped(self, exercise: SearchExercise, seconds: float) -> Finding:
        """Return the finding where the time is up, with the job that took most of it, if one did."""
        now = perf_counter()
        if self.job and (not self.runs or now - self.since > (now - self.start) / 2):
            return Finding(WRONG, f"{exercise.where(self.job)} {STOPPED}{seconds:g} seconds.", (), self.job)
        return Finding(WRONG, f"It was stopped after {seconds:g} seconds and {self.runs:,} runs: why is it so slow?")


# the answer's own run


def _explained(exercise: SearchExercise, finding: Finding, answer: Any) -> Verdict:
    """Return the verdict with the answer's own run, drawn at the step where it parts from the reference."""
    job = finding.job
    if job is None or KEPT in finding.mistakes:
        return exercise.verdict(finding)
    function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
    window = job.arguments if exercise.cases == WINDOWS else FULL
    run = _recorded(function, job.tree, window) if exercise.right_run else None
    if finding.status == NOT_YET:
        where = f": it raises NotImplementedError for {_at(run.where(len(run)))}" if run and run.events else ""
        return exercise.verdict(replace(finding, message=f"{finding.message[:-1]}{where}."))
    with held_output() as output:
        seen = exercise.read(job, observe(answer, job))
    if _depends_on_a_global(exercise, answer, function, job):
        message = f"{finding.message} What it does depends on what a global name held before."
        return exercise.verdict(replace(finding, message=message, mistakes=(KEPT,)))
    if exercise.cases == WINDOWS and _takes_bounds_backwards(function):
        backwards = tuple(each for each in exercise.mistakes if each.name == BACKWARDS)
        finding = replace(finding, mistakes=backwards or finding.mistakes)
    message = f"{finding.message}{_called_as(exercise, function, seen) or _where_none(run, seen)}"
    verdict = replace(exercise.verdict(replace(finding, message=message)), printed=output.shown())
    return _drawn(exercise, verdict, function, run) if run else verdict


def _recorded(function: Any, tree: Tree, window: tuple[Number, Number]) -> Trace | None:
    try:
        return record(function, tree, seconds=1, window=window)
    except AbvizError:
        return None


def _drawn(exercise: SearchExercise, verdict: Verdict, function: Any, run: Trace) -> Verdict:
    """Return the verdict with the run, unless all that it does is right as far as it is known."""
    assert exercise.right_run is not None
    if any(isinf(leaf.value or 0) for leaf in run.tree.leaves()):  # where a win may end the search, or not
        return verdict
    alpha, beta = window = run.options["window"]
    reference = exercise.right_run(run.tree, **({} if window == FULL else {"alpha": alpha, "beta": beta}))
    difference = first_difference(run, reference)
    broken_off = run.problem.startswith("it was stopped after")
    if difference is None or not difference.step or (difference.step == len(run) and broken_off):
        return verdict
    name = quoted(run.options["name"])
    remark = f"The first difference: {name} {difference.sentence} (The reference: {describe(reference)}.)"
    shown = run.with_options(remark=(difference.step, remark), parting=difference.step)
    return replace(verdict, trace=shown, step=difference.step, to_watch=_call(exercise, function, run))


def _call(exercise: SearchExercise, function: Any, run: Trace) -> str:
    """Return the call that shows the run; "" for a function that a student does not know by that name."""
    name, module = (str(getattr(function, which, "")) for which in ("__qualname__", "__module__"))
    if not name.isidentifier() or module.partition(".")[0] == "abviz":
        return ""
    window = "" if run.options["window"] == FULL else f", window={run.options['window']}"
    hard = "rules" in getattr(exercise.right_run, "keywords", {})
    rules = ", rules=Rules(fail_hard=True)" if hard else ", rules=Rules()" if exercise.cases == WINDOWS else ""
    return f"watch({name}, {in_python(run.tree)}{window}{rules})"


def _where_none(run: Trace | None, seen: Observation) -> str:
    """Name the first node for which the function returns None, where that is what goes wrong."""
    if not run or not ("NoneType" in seen.problem if seen.problem else seen.value is None):
        return ""
    node = run.options.get("nothing")
    return f" It returns None for {_at(run.tree[node])}." if node is not None else ""


def _at(node: Node) -> str:
    return f"the leaf {number(node.value)}" if node.is_leaf else f"{nested(node)}, where {mover(node)} is to move"


def _called_as(exercise: SearchExercise, function: Any, seen: Observation) -> str:
    """Say how the function is called, where it cannot be called so."""
    definition = exercise.stub.partition("def ")[2].partition(":")[0]
    call, _, parameters = definition.rstrip(")").partition("(")
    names = [name for name in parameters.split(", ") if "=" not in name]
    try:
        signature(function).bind(*names)
    except TypeError:
        return f" It is called as {call}({', '.join(names)}), by place." if seen.problem else ""
    except ValueError:  # a builtin without a signature
        pass
    return ""


def _takes_bounds_backwards(function: Any) -> bool:
    """Return whether the function is f(node, beta, alpha)."""
    try:
        return [name[:1].lower() for name in signature(function).parameters][1:3] == ["b", "a"]
    except (TypeError, ValueError):
        return False


def _depends_on_a_global(exercise: SearchExercise, answer: Any, function: Any, job: Job) -> bool:
    """Return whether the run depends on what a global number, which the function assigns itself, held before."""
    place, code = getattr(function, "__globals__", {}), getattr(function, "__code__", None)
    numbers = {name: place[name] for name in (code.co_names if code else ()) if plain(place.get(name)) is not None}
    before = exercise.read(job, observe(answer, job))
    for name, other in product(numbers, (-inf, inf)):
        try:
            place[name] = other
            run = exercise.read(job, observe(answer, job))
            if place[name] != other and not same(before, run):
                return True
        finally:
            place.update(numbers)
    return False
