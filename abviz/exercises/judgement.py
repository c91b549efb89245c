"""Exercises that ask for a function: an answer has to do in every run what the reference does.

A `Judgement` compares runs, which are plain data, so that grading can make them elsewhere. Where an
answer is wrong, the tree or the position is made as small as possible, and it is compared with the
known mistakes, which are edits of the reference: with each that its exercise names, then with each
pair of them. It has the name of a mistake only where it does the same in the whole sample of runs.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, combinations, islice, product
from math import inf
from time import monotonic, process_time
from typing import Any, ClassVar, NamedTuple

from abviz.errors import NOT_WRITTEN, RAISED
from abviz.exercises.exercise import SECONDS, Exercise, Mistake, texts
from abviz.exercises.observation import NO_FUNCTION, STOPPED, Job, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.recording.time_limit import BUSY_MACHINE, TimeLimit, run_with_timeout

Ask = Callable[[Sequence[Job]], Iterable[Observation]]
Runs = Mapping[Job, Observation]
Faults = dict[str, Any]  # keyword arguments of the function that builds the reference

SAMPLE = 200  # runs in which an answer is compared with the known mistakes

# For the smallest counterexample:
PATIENCE = 3.0  # seconds of the processor
SHRINKING = 16  # jobs asked for at once

# For a known mistake beside one that is not known:
COMPARED = 80  # wrong runs that are compared
LIKELY = 0.2  # of them are the same with a mistake that is looked at more closely
FEWEST_SHOWN = 12  # runs in which the known mistake shows
ALIKE = 0.75  # of these are the same


def mistake(name: str, forms: Sequence[Faults] = ()) -> Mistake:
    """Return the mistake of that name, where no forms are given with those of the data files."""
    text = texts()["mistakes"][name]
    return Mistake(name, text["says"], text["hint"], tuple(forms or text.get("faults", ())))


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[tuple[Mistake, Mistake], list[Faults]]]:
    """Yield all pairs of mistakes that edit different parts, the usual ones first, and the ways to
    make both.
    """
    plain = [[form for form in each.forms if not has_numbers(form)] for each in mistakes]
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        if forms := [a | b for a in plain[i] for b in plain[j] if not a.keys() & b.keys()]:
            yield (mistakes[i], mistakes[j]), forms


# Some edits hold numbers of the student's own: LOW in place of −∞, HIGH in place of ∞.
NUMBERS = {"LOW": -1000, "HIGH": 1000}  # where nobody has chosen others
MOST_NUMBERS = 4  # of an answer's own that are tried in their place


def has_numbers(form: Faults) -> bool:
    return any(name in str(edit) for edit in form.values() for name in NUMBERS)


def with_numbers(form: Faults, numbers: Sequence[Any]) -> Iterator[Faults]:
    """Yield the form with each choice of numbers for LOW and HIGH; itself where it has none."""
    if not has_numbers(form):
        yield form
        return

    for low, high in product([-inf, *numbers], [inf, *numbers]):
        if (low, high) != (-inf, inf):
            yield {
                part: str(edit).replace("LOW", repr(low)).replace("HIGH", repr(high))
                for part, edit in form.items()
            }


@cache
def edited(exercise: str, /, **edits: str) -> Callable[..., Any]:
    """Return the reference of that exercise, with edits: a part of its text, and what stands in its
    place.
    """
    row = texts()[exercise]
    names = run_edited(row["reference"], row.get("edited", {}) | edits, {"inf": inf, **NUMBERS})
    return list(names.values())[-1]  # type: ignore[no-any-return]


def run_edited(text: str, edits: Mapping[str, str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the program after it has run with these edits, and with these names at
    the beginning.
    """
    for old, new in edits.items():
        text = text.replace(old, new)
    namespace = dict(names)
    exec(text, namespace)
    return namespace


class Difference(NamedTuple):
    """What is wrong with a run."""

    message: str  # continues "On this tree"


def same(one: Observation, other: Observation) -> bool:
    """Return whether two runs did the same. The words of a problem may differ."""
    return (one.value, one.leaves, not one.problem) == (
        other.value,
        other.leaves,
        not other.problem,
    )


class FunctionExercise(Exercise):
    """An exercise whose answer is a function or a class. Its texts may have what is `expected` of
    the answer.
    """

    mistakes: Sequence[Mistake]
    build: Callable[..., Any]  # build(): the reference; build(**faults): a known mistake
    earned: ClassVar[str] = ""  # what a wrong answer has its points for
    bases: Sequence[Faults] = ({},)  # ways to write the reference, in which mistakes may differ
    names_in_part: ClassVar[bool] = False  # whether a known mistake is named beside one that isn't
    batch: ClassVar[int] = 256  # jobs asked for at once
    repeated: ClassVar[int] = 250  # runs, to see whether an answer keeps something

    @abstractmethod
    def trials(self) -> Sequence[Sequence[Job]]:
        """Return the runs in which an answer is tried, by case. In each case they are in order of
        size.
        """

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

    def explains(self, log: Sequence[tuple[Job, Observation]], faults: Faults) -> bool:
        """Return whether the known mistake with these faults does the same in all these runs."""
        return all(self.behaves(*each, **faults) for each in reversed(log))

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        """Return the mistakes that a single run shows; None where the sample has to tell."""
        return () if run.problem.startswith(RAISED) else None

    def gravity(self, job: Job, run: Observation) -> int:
        """Return how wrong a wrong run is: a smaller tree is taken only if it is as wrong there."""
        return 0

    def decisive(self, runs: Runs) -> Sequence[Job]:
        """Return the runs that are still to be made before the points of a wrong answer are known."""
        return ()

    def probes(self, job: Job, run: Observation) -> Sequence[Job]:
        """Return more runs that may name the mistake of this one, before it is compared with the
        known ones.
        """
        return ()

    def named_by_probes(self, job: Job, run: Observation, runs: Runs) -> Sequence[Mistake]:
        """Return the mistakes that these runs show."""
        return ()

    def numbers(self, runs: Runs) -> Sequence[Any]:
        """Return numbers that the answer brings along, the most frequent first."""
        return ()

    def named_by_size(self, runs: Runs) -> Sequence[Mistake]:
        """Return the mistake that shows only where values are large."""
        return ()

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
        """Return the fields of a verdict that show the tree or the position, and its points, if it
        has some.
        """
        return {"tree": job.tree}

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        judgement = Judgement(self, lambda jobs: (observe(answer, job) for job in jobs))
        try:
            verdict = run_with_timeout(judgement.verdict, seconds)
        except TimeLimit:
            return judgement.stopped(f"{STOPPED}{seconds:g} seconds")
        return self.with_own_run(verdict, judgement.wrong, answer)

    def with_own_run(
        self, verdict: Verdict, wrong: tuple[Job, Observation] | None, answer: Any
    ) -> Verdict:
        """Return the verdict with what takes the answer itself to show."""
        return verdict


class Judgement:
    """The runs of one answer, in their order, and what they show."""

    def __init__(self, exercise: FunctionExercise, ask: Ask):
        self.exercise, self.ask = exercise, ask
        self.asked: list[Job] = []
        # Of these; the first without a run is the one that does not end
        self.log: list[tuple[Job, Observation]] = []
        self.wrong: tuple[Job, Observation] | None = None  # the smallest so far
        self.is_cut_short = False  # whether there may be a smaller one
        self.is_stopped = False  # the answer; then what was right as far as it came earns nothing

    def verdict(self) -> Verdict:
        exercise = self.exercise
        # A counterexample in the first case is preferred to a smaller one in another
        for jobs in exercise.trials():
            if self._first_wrong(jobs, exercise.batch):
                break
        else:
            return exercise.verdict(RIGHT, exercise.praise(dict(self.log)))
        assert self.wrong
        self._make_smaller()
        self._run_once(exercise.decisive(dict(self.log)))
        expected = f"expected {exercise.texts.get('expected', 'a function')}."
        _, first = self.log[0]
        if first.problem.startswith(NO_FUNCTION):
            return exercise.verdict(
                WRONG, f"The answer is {first.problem.removeprefix(NO_FUNCTION)}; {expected}"
            )
        if first.value is None and not first.leaves and first.problem in ("", NOT_WRITTEN):
            return exercise.verdict(NOT_YET, f"It is not written yet; {expected}")
        changed = self._changed(self.wrong)
        return (
            self._verdict_on(*self.wrong, self._mistakes(*self.wrong))
            if changed is None
            else changed
        )

    def stopped(self, problem: str) -> Verdict:
        """Return the verdict on an answer that was stopped: on a run that was wrong before, if
        there is one.
        """
        if not self.asked:
            return self.exercise.verdict(WRONG, f"No run was made: {problem}.")

        last = self.asked[min(len(self.log), len(self.asked) - 1)]
        endless = last, self.exercise.read(last, Observation(None, problem=problem))
        self.is_cut_short = self.wrong is not None
        self.is_stopped = True
        return self._verdict_on(*(self.wrong or endless))

    def _run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Observation]]:
        """Run the answer on these jobs, and yield each with what is compared of its run."""
        self.asked += jobs
        for run, job in zip(self.ask(jobs), jobs, strict=True):
            self.log.append((job, self.exercise.read(job, run)))
            yield self.log[-1]

    def _first_wrong(
        self, jobs: Iterable[Job], size: int, gravity: int = 0
    ) -> tuple[Job, Observation] | None:
        """Run the jobs, `size` at once, and return the first that is as wrong as that."""
        wrong = None
        waiting = iter(jobs)
        while not wrong and (batch := list(islice(waiting, size))):
            for job, run in self._run(batch):
                if wrong or not self.exercise.difference(job, run):
                    continue
                if self.exercise.gravity(job, run) >= gravity:
                    wrong = self.wrong = job, run
        return wrong

    def _make_smaller(self) -> None:
        """Look for the smallest wrong run, for as long as that may take."""
        start, used = monotonic(), process_time()
        wrong = self.wrong
        while wrong:
            if process_time() - used > PATIENCE or monotonic() - start > BUSY_MACHINE * PATIENCE:
                self.is_cut_short = True
                return
            gravity = self.exercise.gravity(*wrong)
            wrong = self._first_wrong(self.exercise.smaller(wrong[0]), SHRINKING, gravity)

    def _verdict_on(
        self,
        job: Job,
        run: Observation,
        mistakes: Sequence[Mistake] = (),
        difference: Difference | None = None,
    ) -> Verdict:
        difference = difference or self.exercise.difference(job, run) or Difference("")
        fields = self.exercise.shown(job, difference, dict(self.log))
        message = f"{self.exercise.where(job, run)} {difference.message}"
        if self.is_cut_short:
            kind = "position" if fields.get("position") else "tree"
            message = f"{message} (Stopped while looking for a smaller {kind}; there may be one.)"
        if self.is_stopped:
            fields["points"] = None
        if fields.get("points"):
            message = f"{message} {self.exercise.earned}"
        status = NOT_YET if run.problem == NOT_WRITTEN else WRONG
        return self.exercise.verdict(status, message, mistakes, **fields)

    def _changed(self, wrong: tuple[Job, Observation]) -> Verdict | None:
        """Repeat some runs, after others than before; return the verdict where one has another
        outcome.
        """
        before = [wrong, *self.log][: self.exercise.repeated][::-1]
        for (job, run), (_, again) in zip(
            before, list(self._run([job for job, _ in before])), strict=True
        ):
            if not same(run, again):
                self.wrong = None  # one more run may do anything
                does = "it does one thing at first, and called again after others it does another."
                return self._verdict_on(
                    job, run, [mistake("something kept between calls")], Difference(does)
                )
        return None

    def _mistakes(self, job: Job, run: Observation) -> Sequence[Mistake]:
        """Return the known mistake, or the pair of them, that does the same in every run of the
        sample.
        """
        exercise = self.exercise
        self._run_once(exercise.probes(job, run))
        if mistakes := exercise.named_by_probes(job, run, dict(self.log)):
            return mistakes
        at_once = exercise.named_at_once(job, run)
        if at_once is not None:
            return at_once

        if run.problem and not any(
            exercise.behaves(job, run, **form) for _, form in self._ways(())
        ):
            return ()  # many runs that fail, say by endless recursion, would take long

        self._run_once(exercise.sample())
        ways = list(self._ways(exercise.numbers(dict(self.log))))
        for mistakes, form in ways:
            if exercise.behaves(job, run, **form) and exercise.explains(self.log, form):
                return mistakes

        if mistakes := exercise.named_by_size(dict(self.log)):
            return mistakes
        return self._at_least(ways) if exercise.names_in_part else ()

    def _run_once(self, jobs: Sequence[Job]) -> None:
        known = dict(self.log)
        list(self._run([job for job in jobs if job not in known]))

    def _ways(self, numbers: Sequence[Any]) -> Iterator[tuple[Sequence[Mistake], Faults]]:
        """Yield each known mistake, then each pair of them, with the edits that make it."""
        exercise = self.exercise
        single = (((each,), each.forms) for each in exercise.mistakes)
        for mistakes, forms in chain(single, pairs(exercise.mistakes)):
            for form in forms:
                for each in with_numbers(form, numbers):
                    yield from ((mistakes, base | each) for base in exercise.bases)

    def _at_least(self, ways: Sequence[tuple[Sequence[Mistake], Faults]]) -> Sequence[Mistake]:
        """Return the known mistake that an answer has beside one that is not known.

        Wherever that mistake shows, the answer is wrong too, and nearly always in the same way.
        """
        exercise = self.exercise
        wrong = [each for each in self.log if exercise.difference(*each)]
        wrong = wrong[:: max(1, len(wrong) // COMPARED)][:COMPARED]
        sample = self.log[:: max(1, len(self.log) // SAMPLE)]

        most = ALIKE
        found: Sequence[Mistake] = ()
        for mistakes, form in ways:
            if (
                len(mistakes) > 1
                or not self._share(wrong[::8], form)
                or self._share(wrong, form) < LIKELY
            ):
                continue
            shown = [
                (job, run)
                for job, run in sample
                if not same(exercise.imitate(job, **form), exercise.right(job))
            ]
            is_wrong = all(exercise.difference(*each) for each in shown)
            if (
                is_wrong
                and len(shown) >= FEWEST_SHOWN
                and (share := self._share(shown, form)) >= most
            ):
                most, found = share, mistakes

        return [
            replace(each, name=f"at least {each.name}", says=f"at least this is so: {each.says}")
            for each in found
        ]

    def _share(self, runs: Sequence[tuple[Job, Observation]], form: Faults) -> float:
        """Return in which share of the runs the answer does what the known mistake does."""
        return sum(self.exercise.behaves(*each, **form) for each in runs) / max(1, len(runs))
