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
from itertools import combinations, islice, product
from math import inf
from time import monotonic, process_time
from typing import Any, ClassVar, NamedTuple, TypeAlias

from abviz.errors import NOT_WRITTEN, RAISED, Number
from abviz.exercises.exercise import SECONDS, Exercise, Mistake, listeners, texts
from abviz.exercises.observation import NO_FUNCTION, STOPPED, Job, Observation, observe
from abviz.exercises.own_run import Recording
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.recording.time_limit import BUSY_MACHINE, TimeLimit, run_with_timeout
from abviz.tracing.traces import Trace

# Runs an answer on jobs
Ask = Callable[[Sequence[Job]], Iterable[Observation]]

Run = tuple[Job, Observation]
Runs = Mapping[Job, Observation]

# Edits of the reference that make a known mistake: a part of its text, and what stands there
# instead. Or other arguments of the function that imitates the mistake
Faults = dict[str, str]

SAMPLE = 200  # runs in which an answer is compared with the known mistakes

# For the smallest counterexample:
PATIENCE = 3.0  # seconds of the processor
SHRINKING = 16  # jobs asked for at once

# For a known mistake beside one that is not known:
COMPARED = 80  # wrong runs to look at, at most
LIKELY = 0.2  # share of these in which a mistake does the same, to be looked at more closely
FEWEST_SHOWN = 12  # runs in which the known mistake shows
ALIKE = 0.75  # share of these in which the answer does the same


def mistake(name: str, forms: Sequence[Faults] = ()) -> Mistake:
    """Return the mistake of that name, where no forms are given with those of the data files."""
    text = texts()["mistakes"][name]
    return Mistake(name, text["says"], text["hint"], tuple(forms or text.get("faults", ())))


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[tuple[Mistake, Mistake], list[Faults]]]:
    """Yield all pairs of mistakes that edit different parts, and the ways to make both.

    The usual ones come first.
    """
    plain = [[form for form in each.forms if not has_numbers(form)] for each in mistakes]
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        forms = []
        for one, other in product(plain[i], plain[j]):
            if one.keys().isdisjoint(other):
                forms.append(one | other)
        if forms:
            yield (mistakes[i], mistakes[j]), forms


# Some edits hold numbers of the student's own: LOW in place of −∞, HIGH in place of ∞.
NUMBERS = {"LOW": -1000, "HIGH": 1000}  # where nobody has chosen others
MOST_NUMBERS = 4  # of an answer's own that are tried in their place


def has_numbers(form: Faults) -> bool:
    """Return whether an edit has a place for a number of the student's own."""
    edits = " ".join(form.values())
    return any(name in edits for name in NUMBERS)


def with_numbers(form: Faults, numbers: Sequence[Number]) -> Iterator[Faults]:
    """Yield the form with each choice of numbers for LOW and HIGH; itself where it has none."""
    if not has_numbers(form):
        yield form
        return

    for low, high in product([-inf, *numbers], [inf, *numbers]):
        if (low, high) == (-inf, inf):
            continue
        yield {
            part: edit.replace("LOW", repr(low)).replace("HIGH", repr(high))
            for part, edit in form.items()
        }


class UnmatchedEdit(LookupError):
    """An edit of a part that the program does not have."""


def with_edits(text: str, edits: Mapping[str, str]) -> str:
    """Return the text after these edits: of each a part, and what stands there instead.

    Raises UnmatchedEdit where a part is not there: the edit would change nothing, and the known
    mistake would be right.
    """
    for old, new in edits.items():
        if old not in text:
            raise UnmatchedEdit(f"there is no {old!r} to be edited in the program:\n{text}")
        text = text.replace(old, new)
    return text


# The names of a module, after its code has run.
Names: TypeAlias = dict[str, Any]


def run_edited(text: str, edits: Mapping[str, str]) -> Names:
    """Return the names of the program after it has run with these edits."""
    names: Names = {"inf": inf, **NUMBERS}
    exec(with_edits(text, edits), names)
    return names


@cache
def edited(exercise: str, /, **edits: str) -> Callable[..., object]:
    """Return the reference of that exercise, after these edits."""
    row = texts()[exercise]
    names = run_edited(row["reference"], row.get("edited", {}) | edits)
    return last_of(names)


def last_of(names: Names) -> Callable[..., object]:
    """Return the function that a program defines last."""
    function: Callable[..., object] = list(names.values())[-1]
    return function


class Difference(NamedTuple):
    """What is wrong with a run."""

    message: str  # continues "On this tree"


def same(one: Observation, other: Observation) -> bool:
    """Return whether two runs did the same. The words of a problem may differ."""
    fail_alike = bool(one.problem) == bool(other.problem)
    return fail_alike and one.value == other.value and one.leaves == other.leaves


class FunctionExercise(Exercise):
    """An exercise whose answer is a function or a class.

    Its texts may have what is `expected` of the answer.
    """

    mistakes: Sequence[Mistake]

    # build(): the reference; build(**faults): a known mistake
    build: Callable[..., object]

    # Ways to write the reference, in which mistakes may differ
    bases: Sequence[Faults] = ({},)

    # What a wrong answer has its points for
    earned: ClassVar[str] = ""

    # Whether a known mistake is named next to one that is not known
    names_in_part: ClassVar[bool] = False

    batch: ClassVar[int] = 256  # jobs asked for at once
    repeated: ClassVar[int] = 250  # runs, to see whether an answer keeps something

    @abstractmethod
    def trials(self) -> Sequence[Sequence[Job]]:
        """Return the runs in which an answer is tried, by case; in each, in order of size."""

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

    def can_make(self, faults: Faults) -> bool:
        """Return whether two mistakes, whose edits these are, can be made in one program."""
        try:
            self.build(**faults)
        except UnmatchedEdit:  # one of them has removed what the other edits
            return False
        return True

    # Each wrong answer is compared with the same mistakes in the same runs
    @lru_cache(20_000)  # noqa: B019
    def imitate(self, job: Job, /, **faults: str) -> Observation:
        """Return what the reference does, or with faults a known mistake."""
        return self.read(job, observe(self.build(**faults), job))

    @lru_cache(100_000)  # noqa: B019
    def right(self, job: Job) -> Observation:
        return self.imitate(job)

    def behaves(self, job: Job, run: Observation, /, **faults: str) -> bool:
        """Return whether the known mistake with these faults does the same."""
        return same(run, self.imitate(job, **faults))

    def explains(self, log: Sequence[Run], faults: Faults) -> bool:
        """Return whether the known mistake with these faults does the same in all these runs."""
        # The latest runs are on the largest trees, and show most
        return all(self.behaves(*each, **faults) for each in reversed(log))

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        """Return the mistakes that a single run shows; None where the sample has to tell."""
        return () if run.problem.startswith(RAISED) else None

    def gravity(self, job: Job, run: Observation) -> int:
        """Return how wrong a wrong run is: a smaller tree is taken only if it is as wrong there."""
        return 0

    def decisive(self, runs: Runs) -> Sequence[Job]:
        """Return the runs that the points of a wrong answer still depend on."""
        return ()

    def probes(self, job: Job, run: Observation) -> Sequence[Job]:
        """Return more runs that may name the mistake of this one.

        They are made before the answer is compared with the known mistakes.
        """
        return ()

    def named_by_probes(self, job: Job, run: Observation, runs: Runs) -> Sequence[Mistake]:
        """Return the mistakes that these runs show."""
        return ()

    def numbers(self, runs: Runs) -> Sequence[Number]:
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

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, object]:
        """Return the fields of a verdict that show the tree or the position, and its points."""
        return {"tree": job.tree}

    def check(self, answer: object, seconds: float = SECONDS) -> Verdict:
        judgement = Judgement(self, lambda jobs: (observe(answer, job) for job in jobs))
        try:
            verdict = run_with_timeout(judgement.verdict, seconds)
        except TimeLimit:
            return judgement.stopped(f"{STOPPED}{seconds:g} seconds")
        return self.with_own_run(verdict, judgement.wrong, answer)

    def with_own_run(self, verdict: Verdict, wrong: Run | None, answer: object) -> Verdict:
        """Return the verdict with what takes the answer itself to show."""
        return verdict

    def recording(self, verdict: Verdict, wrong: Run | None) -> Recording | None:
        """Return how to record the answer on the tree of the verdict; None where it is no help."""
        return None

    def with_run(self, verdict: Verdict, run: Trace) -> Verdict:
        """Return the verdict with that run, marked where it first differs from the reference."""
        return verdict


class Judgement:
    """The runs of one answer, in their order, and what they show."""

    def __init__(self, exercise: FunctionExercise, ask: Ask):
        self.exercise = exercise
        self.ask = ask

        # The jobs, and the runs that there are of them: where an answer is stopped, the first job
        # without a run is the one that does not end
        self.asked: list[Job] = []
        self.log: list[Run] = []

        # When the latest runs were asked for, and when the latest of them ended
        self.began = self.latest = monotonic()

        # The smallest wrong run so far, and whether there may be a smaller one
        self.wrong: Run | None = None
        self.is_cut_short = False

        # Whether the answer was stopped: then what was right as far as it came earns nothing
        self.is_stopped = False

    def verdict(self) -> Verdict:
        """Return the verdict, after all the runs that it takes."""
        exercise = self.exercise

        # A counterexample in the first case is preferred to a smaller one in another
        for jobs in exercise.trials():
            if self._first_wrong(jobs, exercise.batch):
                break
        if self.wrong is None:
            return exercise.verdict(RIGHT, exercise.praise(dict(self.log)))

        self._make_smaller()
        if self._not_an_answer() is None:
            for listener in listeners:
                listener(self._verdict_on(*self.wrong))
        self._run_once(exercise.decisive(dict(self.log)))

        # A verdict is true only if the answer is right, hence `is None`
        verdict = self._not_an_answer()
        if verdict is None:
            verdict = self._changed(self.wrong)
        if verdict is not None:
            return verdict
        return self._verdict_on(*self.wrong, self._mistakes(*self.wrong))

    def _not_an_answer(self) -> Verdict | None:
        """Return the verdict where the first run shows no function, or one not written yet."""
        _, first = self.log[0]
        expected = self.exercise.texts.get("expected", "")

        if first.problem.startswith(NO_FUNCTION):
            found = first.problem.removeprefix(NO_FUNCTION)
            message = f"The answer is {found}; expected {expected or 'a function'}."
            return self.exercise.verdict(WRONG, message)

        has_done_nothing = first.value is None and not first.leaves
        if has_done_nothing and first.problem in ("", NOT_WRITTEN):
            return self.exercise.verdict(NOT_YET, f"Write {expected}." if expected else "")
        return None

    def stopped(self, problem: str) -> Verdict:
        """Return the verdict on an answer that was stopped.

        It is on a run that was wrong before, if there is one.
        """
        if not self.asked:
            return self.exercise.verdict(WRONG, f"No run was made: {problem}.")

        last = self.asked[min(len(self.log), len(self.asked) - 1)]
        if self.wrong is None and self._was_slow_before():
            problem += ", most of which went to runs before this one, and those found no mistake"
        endless = last, self.exercise.read(last, Observation(None, problem=problem))
        self.is_cut_short = self.wrong is not None
        self.is_stopped = True
        return self._verdict_on(*(self.wrong or endless))

    def _was_slow_before(self) -> bool:
        """Return whether an answer that was stopped spent its time on the runs before the last."""
        return self.latest - self.began > monotonic() - self.latest

    def _run(self, jobs: Sequence[Job]) -> Iterator[Run]:
        """Run the answer on these jobs, and yield each with what is compared of its run."""
        self.asked += jobs
        self.began = self.latest = monotonic()
        for run, job in zip(self.ask(jobs), jobs, strict=True):
            self.log.append((job, self.exercise.read(job, run)))
            self.latest = monotonic()
            yield self.log[-1]

    def _first_wrong(self, jobs: Iterable[Job], size: int, gravity: int = 0) -> Run | None:
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

    def _changed(self, wrong: Run) -> Verdict | None:
        """Repeat some runs, after others than before.

        Return the verdict where one has another outcome.
        """
        before = [wrong, *self.log][: self.exercise.repeated]
        before.reverse()
        after = list(self._run([job for job, _ in before]))

        for (job, run), (_, again) in zip(before, after, strict=True):
            if same(run, again):
                continue
            self.wrong = None  # one more run may do anything
            does = "it does one thing at first, and called again after others it does another."
            kept = mistake("something kept between calls")
            return self._verdict_on(job, run, [kept], Difference(does))
        return None

    def _mistakes(self, job: Job, run: Observation) -> Sequence[Mistake]:
        """Return the known mistake, or the pair of them, that does the same in every run."""
        exercise = self.exercise

        self._run_once(exercise.probes(job, run))
        if mistakes := exercise.named_by_probes(job, run, dict(self.log)):
            return mistakes

        at_once = exercise.named_at_once(job, run)
        if at_once is not None:
            return at_once

        # Many runs that fail, say by endless recursion, would take long
        if run.problem and not self._may_be_known(job, run):
            return ()

        self._run_once(exercise.sample())
        numbers = exercise.numbers(dict(self.log))
        for mistakes, form in self._ways(numbers):
            if exercise.behaves(job, run, **form) and exercise.explains(self.log, form):
                return mistakes

        if mistakes := exercise.named_by_size(dict(self.log)):
            return mistakes
        return self._at_least(numbers) if exercise.names_in_part else ()

    def _may_be_known(self, job: Job, run: Observation) -> bool:
        """Return whether a known mistake, or a pair of them, does the same in this run."""
        return any(self.exercise.behaves(job, run, **form) for _, form in self._ways(()))

    def _run_once(self, jobs: Sequence[Job]) -> None:
        """Make these runs, except those that have been made."""
        known = dict(self.log)
        for _ in self._run([job for job in jobs if job not in known]):
            pass

    def _ways(self, numbers: Sequence[Number]) -> Iterator[tuple[Sequence[Mistake], Faults]]:
        """Yield each known mistake, then each pair of them, with the edits that make it."""
        for each, form in self._single_ways(numbers):
            yield (each,), form

        for both, forms in pairs(self.exercise.mistakes):
            for form, base in product(forms, self.exercise.bases):
                if self.exercise.can_make(base | form):
                    yield both, base | form

    def _single_ways(self, numbers: Sequence[Number]) -> Iterator[tuple[Mistake, Faults]]:
        """Yield each known mistake with the edits that make it."""
        for each in self.exercise.mistakes:
            for general in each.forms:
                for form, base in product(with_numbers(general, numbers), self.exercise.bases):
                    yield each, base | form

    def _at_least(self, numbers: Sequence[Number]) -> Sequence[Mistake]:
        """Return the known mistake that an answer has next to one that is not known.

        Wherever that mistake shows, the answer is wrong too, and nearly always in the same way.
        """
        exercise = self.exercise
        wrong = [each for each in self.log if exercise.difference(*each)]
        wrong = wrong[:: max(1, len(wrong) // COMPARED)][:COMPARED]
        sample = self.log[:: max(1, len(self.log) // SAMPLE)]

        most = ALIKE
        found: Mistake | None = None
        for each, form in self._single_ways(numbers):
            # A few runs rule out most mistakes
            if not self._share(wrong[::8], form) or self._share(wrong, form) < LIKELY:
                continue

            shown = [run for run in sample if self._shows(form, run[0])]
            if len(shown) < FEWEST_SHOWN or not all(exercise.difference(*run) for run in shown):
                continue

            share = self._share(shown, form)
            if share >= most:
                most, found = share, each

        if not found:
            return ()
        name = f"at least {found.name}"
        says = f"at least this is so: {found.says}"
        return [replace(found, name=name, says=says)]

    def _shows(self, form: Faults, job: Job) -> bool:
        """Return whether the known mistake does something else there than the reference."""
        return not same(self.exercise.imitate(job, **form), self.exercise.right(job))

    def _share(self, runs: Sequence[Run], form: Faults) -> float:
        """Return in which share of the runs the answer does what the known mistake does."""
        alike = sum(self.exercise.behaves(*each, **form) for each in runs)
        return alike / max(1, len(runs))
