"""Exercises that ask for a function: an answer has to do in every run what the reference does.

A `Judgement` compares runs, which are plain data, so that grading can make them elsewhere. Where an answer is wrong,
the tree or the position is made as small as possible, and it is compared with the known mistakes.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from abviz.errors import NOT_WRITTEN, RAISED, count
from abviz.exercises.exercise import SECONDS, Exercise, Mistake
from abviz.exercises.mistakes import Faults, mistake, pairs
from abviz.exercises.observation import NO_FUNCTION, STOPPED, Job, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.recording.time_limit import TimeLimit, run_with_timeout

Ask = Callable[[Sequence[Job]], Iterable[Observation]]
Runs = Mapping[Job, Observation]

SAMPLE = 200  # runs in which an answer is compared with the known mistakes
KEPT = mistake("something kept between calls")


class Difference(NamedTuple):
    """What is wrong with a run."""

    message: str  # continues "On this tree"


def same(one: Observation, other: Observation) -> bool:
    """Return whether two runs did the same. The words of a problem may differ."""
    return (one.value, one.leaves, not one.problem) == (other.value, other.leaves, not other.problem)


class FunctionExercise(Exercise):
    """An exercise whose answer is a function or a class. Its texts may have what is `expected` of the answer."""

    mistakes: Sequence[Mistake]
    build: Callable[..., Any]  # build(): the reference; build(**faults): a known mistake
    bases: Sequence[Faults] = ({},)  # ways to write the reference, in which mistakes may differ
    batches: ClassVar[tuple[int, int]] = 16, 1024  # jobs asked for at once: at first and at most
    repeated: ClassVar[int] = 250  # runs, to see whether an answer keeps something

    @abstractmethod
    def trials(self) -> Sequence[Sequence[Job]]:
        """Return the runs in which an answer is tried, by case. In each case they are in order of size."""

    def sample(self) -> Sequence[Job]:
        """Return the runs in which an answer is compared with the known mistakes."""
        jobs = [job for jobs in self.trials() for job in jobs]
        return jobs[:: max(1, len(jobs) // SAMPLE)]

    def smaller(self, job: Job) -> Iterable[Job]:
        """Return the same run on smaller trees or positions."""
        return ()

    def read(self, job: Job, run: Observation) -> Observation:
        """Return what is compared of a run."""
        return run

    def imitate(self, job: Job, **faults: Any) -> Observation:
        """Return what the reference does, or with faults a known mistake."""
        return self.read(job, observe(self.build(**faults), job))

    @lru_cache(100_000)  # noqa: B019
    def right(self, job: Job) -> Observation:
        return self.imitate(job)

    def behaves(self, job: Job, run: Observation, **faults: Any) -> bool:
        """Return whether the known mistake with these faults does the same."""
        return same(run, self.imitate(job, **faults))

    def named_at_once(self, job: Job, run: Observation, ask: Ask | None) -> Sequence[Mistake] | None:
        """Return the mistakes that a single run shows; None where the sample has to tell. Without `ask` all is over."""
        return () if run.problem.startswith(RAISED) else None

    def difference(self, job: Job, run: Observation) -> Difference | None:
        """Return what is wrong with a run, if anything."""
        return Difference(f"{run.problem}.") if run.problem else self.compare(job, run)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        """Return what is wrong with a run that has no problem, if anything."""
        raise NotImplementedError

    @abstractmethod
    def where(self, job: Job, run: Observation) -> str:
        """Return the beginning of a sentence about a run."""

    @abstractmethod
    def praise(self, runs: Runs) -> str:
        """Return the message on an answer that is right in these runs."""

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        """Return the fields of a verdict that show the tree or the position, and its points, if it has some."""
        return {"tree": job.tree}

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        judgement = Judgement(self, lambda jobs: (observe(answer, job) for job in jobs))
        try:
            verdict = run_with_timeout(judgement.verdict, seconds)
        except TimeLimit:
            runs = count(len(judgement.log) + 1, "run")
            return judgement.stopped(f"{STOPPED}{seconds:g} seconds and {runs}")
        return self.with_own_run(verdict, judgement.wrong, answer)

    def with_own_run(self, verdict: Verdict, wrong: tuple[Job, Observation] | None, answer: Any) -> Verdict:
        """Return the verdict with what takes the answer itself to show."""
        return verdict


def _is_blank(run: Observation) -> bool:
    """Return whether the answer did nothing, as a stub does."""
    return run.value is None and not run.leaves and run.problem in ("", NOT_WRITTEN)


class Judgement:
    """The runs of one answer, in their order, and what they show."""

    def __init__(self, exercise: FunctionExercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.trials = exercise.trials()
        self.asked: list[Job] = []
        self.log: list[tuple[Job, Observation]] = []  # of these; the first without a run is the one that does not end
        self.wrong: tuple[Job, Observation] | None = None  # the smallest so far

    def verdict(self) -> Verdict:
        exercise = self.exercise
        for jobs in self.trials:  # a counterexample in the first case is preferred to a smaller one in another
            while wrong := self._first_wrong(jobs):
                self.wrong = wrong
                jobs = tuple(exercise.smaller(wrong[0]))
            if self.wrong:
                break
        else:
            return exercise.verdict(RIGHT, exercise.praise(dict(self.log)))
        expected = f"expected {exercise.texts.get('expected', 'a function')}."
        _, first = self.log[0]
        if first.problem.startswith(NO_FUNCTION):
            return exercise.verdict(WRONG, f"The answer is {first.problem.removeprefix(NO_FUNCTION)}; {expected}")
        if _is_blank(first) and all(map(_is_blank, self._run([job for jobs in self.trials for job in jobs[:3]]))):
            return exercise.verdict(NOT_YET, f"It is not written yet; {expected}")
        changed = self._changed(self.wrong)
        return self._verdict_on(*self.wrong) if changed is None else changed

    def stopped(self, problem: str) -> Verdict:
        """Return the verdict on an answer that was stopped: on a run that was wrong before, if there is one."""
        runs = [self.wrong] if self.wrong else self.log
        wrong = next((each for each in runs if self.exercise.difference(*each)), None)
        last = self.asked[min(len(self.log), len(self.asked) - 1)]
        endless = last, self.exercise.read(last, Observation(None, problem=problem))
        verdict = self._verdict_on(*(wrong or endless), is_over=True)
        return replace(verdict, points=None)  # right as far as it came earns nothing

    def _run(self, jobs: Sequence[Job]) -> list[Observation]:
        before = len(self.log)
        self.asked += jobs
        for run in self.ask(jobs):
            job = self.asked[len(self.log)]
            self.log.append((job, self.exercise.read(job, run)))
        return [run for _, run in self.log[before:]]

    def _first_wrong(self, jobs: Sequence[Job]) -> tuple[Job, Observation] | None:
        size, most = self.exercise.batches
        while jobs:
            for job, run in zip(jobs, self._run(jobs[:size]), strict=False):
                if self.exercise.difference(job, run):
                    return job, run
            jobs, size = jobs[size:], min(4 * size, most)
        return None

    def _verdict_on(self, job: Job, run: Observation, is_over: bool = False) -> Verdict:
        difference = self.exercise.difference(job, run) or Difference("")
        message = f"{self.exercise.where(job, run)} {difference.message}"
        if run.problem == NOT_WRITTEN:
            return self.exercise.verdict(NOT_YET, message)
        return self._wrong_verdict(message, self._mistakes(job, run, is_over), job, difference)

    def _wrong_verdict(self, message: str, mistakes: Sequence[Mistake], job: Job, difference: Difference) -> Verdict:
        return self.exercise.verdict(WRONG, message, mistakes, **self.exercise.shown(job, difference, dict(self.log)))

    def _changed(self, wrong: tuple[Job, Observation]) -> Verdict | None:
        """Repeat some runs, after others than before; return the verdict where one has another outcome."""
        log = [wrong, *self.log][: self.exercise.repeated][::-1]
        for (job, before), again in zip(log, self._run([job for job, _ in log]), strict=True):
            if not same(before, again):
                self.wrong = None  # one more run may do anything
                differences = [self.exercise.difference(job, run) for run in (before, again)]
                did = [each.message.removesuffix(".") if each else "it is right" for each in differences]
                if did[0] == did[1]:
                    did[1] = "it does something else"
                message = f"{self.exercise.where(job, before)} {did[0]}, and called again after others {did[1]}."
                return self._wrong_verdict(message, (KEPT,), job, Difference(""))
        return None

    def _mistakes(self, job: Job, run: Observation, is_over: bool) -> Sequence[Mistake]:
        """Return the known mistake, or the pair of them, that does the same in every run of the sample. Where all is
        over there are only the runs up to now."""
        exercise = self.exercise
        at_once = exercise.named_at_once(job, run, None if is_over else self._run)
        if at_once is not None:
            return at_once
        named = chain((((each,), each.forms) for each in exercise.mistakes), pairs(exercise.mistakes))
        ways = ((mistakes, base | form) for mistakes, forms in named for form in forms for base in exercise.bases)
        candidates = [(mistakes, form) for mistakes, form in ways if exercise.behaves(job, run, **form)]
        if candidates and not is_over:  # the sample takes long for an answer that does not end
            known = dict(self.log)
            self._run([each for each in exercise.sample() if each not in known])

        def agrees(form: Faults) -> bool:
            return all(exercise.behaves(*each, **form) for each in reversed(self.log))

        return next((mistakes for mistakes, form in candidates if agrees(form)), ())
