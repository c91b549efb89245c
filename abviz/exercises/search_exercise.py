"""Exercises that ask for a search of a tree."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, isinf
from typing import Any, NamedTuple

from abviz.errors import AbvizError, brief, number, plain, quoted
from abviz.exercises import counterexamples
from abviz.exercises.counterexamples import far_trees, is_far, random_trees, revalued, small_trees, smaller
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.judgement import Ask, Difference, FunctionExercise, Runs, same
from abviz.exercises.mistakes import BOUNDS_FIRST, Faults, edited, mistake
from abviz.exercises.observation import RETURNED, STOPPED, Job, Observation
from abviz.exercises.verdict import Verdict, in_python, written
from abviz.recording.differences import describe, first_difference
from abviz.recording.recorder import FULL, record
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

FEW_TREES = 600  # small trees in each case but the first; in all cases of a search that takes long (`few_trees`)
SAMPLE = 250  # trees of each kind on which an answer is compared with the known mistakes

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


@dataclass(frozen=True, eq=False, repr=False)
class SearchExercise(FunctionExercise):
    """An exercise that asks for a search. Its texts may have: `words` for the arguments of a case, and what is
    `expected` of the answer (`expected`) and of the value that it returns (`form_words`)."""

    name: str
    mistakes: tuple[Mistake, ...]
    build: Callable[..., Callable[..., Any]]
    cases: tuple[Case, ...] = (Case(),)
    bases: tuple[Faults, ...] = ({}, BOUNDS_FIRST)
    named: Callable[[Tree], Tree] = lambda tree: tree  # names the nodes, where a name has a meaning
    fits: Callable[[Tree], bool] = lambda tree: True  # whether an answer has to be right on the tree
    how: str = "search"
    form: Callable[[Any], Any] = plain  # what is compared, made from a plain value; None if it has another form
    settle: Callable[[Tree, Observation], Observation] = first_readings  # drops from a run what answers may choose
    show: Callable[[Any], str] = number  # the value in words
    describe: Callable[[Tree, Observation], tuple[str, str]] = reads
    right_run: Callable[..., Trace] | None = None  # right_run(tree, **window): what an own run is compared with

    def trials(self) -> Sequence[Sequence[Job]]:
        return [self.jobs(case) for case in self.cases]

    def jobs(self, case: Case) -> tuple[Job, ...]:
        few = "few_trees" in self.texts or case is not self.cases[0]
        return _jobs(self, case, FEW_TREES if few else counterexamples.SMALL_TREES, counterexamples.RANDOM_TREES)

    def sample(self) -> Sequence[Job]:
        return [job for case in self.cases for job in _jobs(self, case, SAMPLE, SAMPLE)]

    def smaller(self, job: Job) -> Iterable[Job]:
        return self.jobs_on(smaller(job.tree), job.arguments)

    def jobs_on(self, trees: Iterable[Tree], arguments: tuple[Any, ...]) -> tuple[Job, ...]:
        return tuple(Job(self.named(tree), arguments, self.how) for tree in trees if self.fits(tree))

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with what is compared for its value."""
        value = None if run.problem else self.form(run.value)
        problem = run.problem or (f"{RETURNED}{brief(run.value)}" if value is None and run.value is not None else "")
        if problem.startswith(RETURNED):
            problem += f"; expected {self.texts.get('form_words', 'a number')}"
        run = replace(run, value=value, problem=problem)
        return run if problem else self.settle(job.tree, run)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if same(run, right):
            return None
        if run.value != right.value:
            value = "None" if run.value is None else self.show(run.value)
            return Difference(f"{RETURNED}{value}; expected {self.show(right.value)}.")
        verb, what = self.describe(job.tree, run)
        return Difference(f"it {verb} {what}; expected {self.describe(job.tree, right)[1]}.")

    def named_at_once(self, job: Job, run: Observation, ask: Ask | None) -> Sequence[Mistake] | None:
        if not ask or not is_far(job.tree):
            return super().named_at_once(job, run, ask)
        # the same value on a tree of larger numbers is a number of the answer's own
        tree = revalued(job.tree, lambda node: node.value and 10 * node.value)
        (further,) = ask([replace(job, tree=tree)])
        return (FINITE,) if run.value is not None and run.value == further.value else ()

    def where(self, job: Job, run: Observation) -> str:
        return f"On {written(job.tree)}{self.texts.get('words', '').format(*map(number, job.arguments))}"

    def praise(self, runs: Runs) -> str:
        return f"On {max(map(len, self.trials())):,} trees it returns and reads what it should."

    def points(self, runs: Runs) -> tuple[int, int] | None:
        """Return half of the points where all values are right, and the leaves are wrong."""
        first = [(job, run) for job, run in runs.items() if job.arguments == self.cases[0].arguments]
        return (1, 2) if all(not run.problem and run.value == self.right(job).value for job, run in first) else None

    def with_own_run(self, verdict: Verdict, wrong: tuple[Job, Observation] | None, answer: Any) -> Verdict:
        """Return the verdict with the answer's own run, drawn at the step where it parts from the reference."""
        if not wrong or verdict.tree is None or not self.right_run:
            return verdict
        job, _ = wrong
        if any(isinf(leaf.value or 0) for leaf in job.tree.leaves()):  # where a win may end the search, or not
            return verdict
        function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
        window = job.arguments or FULL
        try:
            run = record(function, job.tree, seconds=1, window=window)
        except AbvizError:
            return verdict
        bounds = {} if window == FULL else dict(zip(("alpha", "beta"), window, strict=True))
        difference = first_difference(run, reference := self.right_run(run.tree, **bounds))
        is_cut_short = run.problem.startswith(STOPPED)
        if difference is None or not difference.step or (is_cut_short and difference.step == len(run)):
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


@lru_cache
def _jobs(exercise: SearchExercise, case: Case, small: int, random: int) -> tuple[Job, ...]:
    """Return the same jobs each time, so that the right run is made once, and grading sends a tree once."""
    trees = (*small_trees()[:small], *random_trees(random), *far_trees())
    return exercise.jobs_on(map(case.dress, trees), case.arguments)


def exercise(name: str, **options: Any) -> SearchExercise:
    """Return an exercise with its reference and its mistakes from searches.yaml."""
    names, edits = texts()[name]["mistakes"], texts()[name].get("edits", {})
    mistakes = tuple(mistake(each, edits.get(each, ())) for each in names)
    return SearchExercise(name, mistakes, edited(name), **options)
