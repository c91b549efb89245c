"""Exercises that ask for a search, with all that needs the function itself: its own run, as it is drawn and watched."""

import dis
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from math import inf
from time import perf_counter
from types import CodeType
from typing import Any

from abviz.errors import AbvizError, number, plain, quoted
from abviz.exercises.function_exercise import KEPT, Case, Finding, FunctionExercise, same
from abviz.exercises.mistakes import Table, known_mistakes, texts
from abviz.exercises.observation import STOPPED, Job, Observation, observe
from abviz.exercises.output import keep_output
from abviz.exercises.verdict import NOT_YET, WRONG, Verdict, in_python, mover, nested
from abviz.recording.differences import describe, first_difference
from abviz.recording.recorder import FULL, record
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree

BACKWARDS = "α and β swapped"
ALPHAS, BETAS = ("alpha", "a", "low", "lower"), ("beta", "b", "high", "upper")


@dataclass(frozen=True, eq=False)
class SearchExercise(FunctionExercise):
    """An exercise that asks for a search."""

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        """Run the answer here, and show its own run where it goes wrong."""
        ask = LocalRuns(answer)
        try:
            finding = run_with_timeout(lambda: self.find(ask), seconds)
        except TimeLimit:
            message, job = ask.stopped(self, seconds)
            return Verdict(self.name, WRONG, message, tree=job.tree if job else None, hints=self.hints)
        try:
            return run_with_timeout(lambda: explain(self, finding, answer), seconds)
        except TimeLimit:
            return self.verdict(finding)


def exercise(name: str, *, table: Table, **options: Any) -> SearchExercise:
    """Return an exercise with its texts and its table of known mistakes."""
    own = texts()[name]
    return SearchExercise(name, own["stub"], tuple(own["hints"]), mistakes=known_mistakes(name, table), **options)


class LocalRuns:
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

    def stopped(self, exercise: FunctionExercise, seconds: float) -> tuple[str, Job | None]:
        """Return what is to be said where the time is up, and the job that took most of it, if one did."""
        now = perf_counter()
        if self.job and (not self.runs or now - self.since > (now - self.start) / 2):
            case = exercise.case_of(self.job)
            return f"On {case.written(self.job.tree)}{case.text} {STOPPED}{seconds:g} seconds.", self.job
        return f"It was stopped after {seconds:g} seconds and {self.runs:,} runs: why is it so slow?", None


def explain(exercise: FunctionExercise, finding: Finding, answer: Any) -> Verdict:
    """Return the verdict with the answer's own run, drawn at the step where it parts from the reference."""
    case, job = finding.case, finding.job
    if case is None or job is None or KEPT in finding.mistakes:
        return exercise.verdict(finding)
    function = answer if callable(answer) else answer[0 if job.tree.root.is_max else 1]
    run = _recorded(function, job.tree, case) if exercise.right_run else None
    if finding.status == NOT_YET:
        where = f": it raises NotImplementedError for {_at(run.where(len(run)))}" if run and run.events else ""
        return exercise.verdict(replace(finding, message=f"{finding.message[:-1]}{where}."))
    with keep_output():
        seen = exercise.read(job, observe(answer, job))
    if _keeps_in_a_global(exercise, answer, function, job):
        message = f"{finding.message} What it does depends on what a global name held before."
        return exercise.verdict(replace(finding, message=message, mistakes=(KEPT,)))
    backwards = tuple(row for row in exercise.mistakes if row.name == BACKWARDS)
    if case.window and backwards and _names_bounds_backwards(function):
        finding = replace(finding, mistakes=backwards)
    message = f"{finding.message}{_called_as(exercise, function, seen) or _where_none(run, seen)}"
    verdict = exercise.verdict(replace(finding, message=message))
    return _drawn(exercise, case, verdict, function, run) if run else verdict


def _recorded(function: Any, tree: Tree, case: Case) -> Trace | None:
    try:
        return record(function, tree, seconds=1, window=case.window or FULL)
    except AbvizError:
        return None


def _drawn(exercise: FunctionExercise, case: Case, verdict: Verdict, function: Any, run: Trace) -> Verdict:
    """Return the verdict with the run, unless all that it does is right as far as it is known."""
    assert exercise.right_run is not None
    if case is not exercise.cases[0] and not case.window:
        return verdict
    alpha, beta = run.options["window"]
    bounds = {} if (alpha, beta) == (-inf, inf) else {"alpha": alpha, "beta": beta}
    reference = exercise.right_run(run.tree, **bounds)
    difference = first_difference(run, reference)
    broken_off = run.problem.startswith("it was stopped after")
    if difference is None or not difference.step or (difference.step == len(run) and broken_off):
        return verdict
    name = quoted(run.options["name"])
    remark = f"The first difference: {name} {difference.sentence} (The reference: {describe(reference)}.)"
    shown = run.with_options(remark=(difference.step, remark), parting=difference.step)
    call = _call(exercise, function, run.tree, case)
    return replace(verdict, trace=shown, step=difference.step, to_watch=call)


def _call(exercise: FunctionExercise, function: Any, tree: Tree, case: Case) -> str:
    """Return the call that shows the run; "" for a function that a student does not know by that name."""
    name, module = (str(getattr(function, which, "")) for which in ("__qualname__", "__module__"))
    if not name.isidentifier() or module.partition(".")[0] == "abviz":
        return ""
    window = f", window={case.window}" if case.window not in (None, FULL) else ""
    hard = "rules" in getattr(exercise.right_run, "keywords", {})
    rules = ", rules=Rules(fail_hard=True)" if hard else ", rules=Rules()" if case.window else ""
    return f"watch({name}, {in_python(tree)}{window}{rules})"


def _where_none(run: Trace | None, seen: Observation) -> str:
    """Name the first node for which the function returns None, where that is what goes wrong."""
    if not run or not ("NoneType" in seen.problem if seen.problem else seen.value is None):
        return ""
    node = run.options.get("nothing")
    return f" It returns None for {_at(run.tree[node])}." if node is not None else ""


def _at(node: Node) -> str:
    return f"the leaf {number(node.value)}" if node.is_leaf else f"{nested(node)}, where {mover(node)} is to move"


def _called_as(exercise: FunctionExercise, function: Any, seen: Observation) -> str:
    """Say how the function is called, where it cannot be called so."""
    defined = re.search(r"def (\w+)\((.*)\):", exercise.stub)
    if not seen.problem or defined is None:
        return ""
    parameters = [name for name in defined[2].split(", ") if "=" not in name]
    try:
        signature(function).bind(*parameters)
    except TypeError:
        return f" It is called as {defined[1]}({', '.join(parameters)}), by place."
    except ValueError:  # a builtin without a signature
        pass
    return ""


def _names_bounds_backwards(function: Any) -> bool:
    """Return whether the function is f(node, beta, alpha)."""
    try:
        _, second, third, *_ = [name.lower() for name in signature(function).parameters]
    except (TypeError, ValueError):
        return False
    return second in BETAS and third in ALPHAS


def _keeps_in_a_global(exercise: FunctionExercise, answer: Any, function: Any, job: Job) -> bool:
    """Return whether the run depends on a number that the function has left in a global variable itself."""
    before = exercise.read(job, observe(answer, job))
    for place, name in _assigned_globals(function):
        value = place[name]
        try:
            for other in (-inf, inf):
                place[name] = other
                if not same(before, exercise.read(job, observe(answer, job))):
                    return True
        finally:
            place[name] = value
    return False


def _assigned_globals(function: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the global names to which the function, or one inside it, assigns a number."""
    code, place = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    waiting = [code] if isinstance(code, CodeType) else []
    while waiting:
        code = waiting.pop()
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        names = {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_GLOBAL"}
        yield from ((place, name) for name in sorted(names) if plain(place.get(name)) is not None)
