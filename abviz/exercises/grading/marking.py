"""What is said of hand-ins: each answer's verdict and its points, formed here from what its process did."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from abviz.errors import unknown, visible
from abviz.exercises.checking import EXERCISES
from abviz.exercises.grading.calling import Answers
from abviz.exercises.grading.handins import HandIn, helpers, missing
from abviz.exercises.grading.process import Gone, Process
from abviz.exercises.grading.results import ERROR, TIMEOUT, USUAL, Limits, Report, Result
from abviz.exercises.grading.wire import Strange
from abviz.exercises.grading.witnessing import needs_threads, witnessed
from abviz.exercises.recognising import sample
from abviz.exercises.searches import Exercise
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.recording.watchdog import OutOfTime, within
from abviz.tree.model import Tree

FILE = "(file)"  # stands for the exercise where a file cannot be read, or ends before an answer is seen
PART = 0.5  # of the points, for right values found in the wrong way
PATIENCE = 6  # times the answer's own time, for which the checking may last, whosever time it takes
AFTER = 2.0  # seconds more, after which even an exercise that asks the answer for nothing is stopped
MOST_LATE = 3  # answers of one hand-in that run out of time, after which the others are not tried
EVERY = 4  # of the trees on which an answer is compared with known mistakes, one in so many is looked at again
LONGEST = 2_000  # letters of a message


def grade(
    hand_ins: Iterable[HandIn],
    exercises: Iterable[str] = (),
    *,
    points: dict[str, float] | None = None,
    limits: Limits = USUAL,
    say: Callable[[str], None] = lambda told: None,
) -> Report:
    """Grade the hand-ins one after the other, on all exercises that they answer, or on those told."""
    wanted = [exercise_name(name) for name in exercises]
    worth = {exercise_name(name): each for name, each in (points or {}).items()}
    results: dict[str, dict[str, Result]] = {}
    lacking: set[str] = set()
    hand_ins, answering = list(hand_ins), set()
    for hand_in in hand_ins:
        say(hand_in.label)
        marker = _Marker(hand_in, wanted, worth, limits)
        try:
            results[hand_in.label] = marker.results()
        except Exception as problem:  # the other hand-ins are graded all the same
            told = f"It could not be graded: {type(problem).__name__}: {problem}"
            results[hand_in.label] = {name: marker.result(name, ERROR, told) for name in wanted or [FILE]}
        lacking |= marker.lacking
        answering |= {hand_in} if marker.answers_some else set()
    for helper in helpers(hand_ins, answering):
        results[helper.label] = {}
    return Report(results, tuple(sorted(lacking)))


class _Marker:
    """Grades one hand-in."""

    def __init__(self, hand_in: HandIn, wanted: list[str], points: dict[str, float], limits: Limits):
        self.hand_in, self.wanted, self.points, self.limits = hand_in, wanted, points, limits
        self.lacking: set[str] = set()
        self.answers_some = True  # as long as nothing else is known

    def results(self) -> dict[str, Result]:
        if self.hand_in.problem:
            return {name: self.result(name, ERROR, self.hand_in.problem) for name in self.wanted or [FILE]}
        process = self._started()
        try:
            if process.holds or not process.gone:
                self.lacking = {"memory", "files", "processes"} - set(process.holds)
            return self._of(process)
        finally:
            self.answers.process.close()

    def _started(self) -> Process:
        process = Process(self.hand_in, list(EXERCISES), self.limits.seconds, self.limits.megabytes)
        self.answers = Answers(process)
        return process

    def _of(self, process: Process) -> dict[str, Result]:
        seen = process.seen
        there = [name for name in EXERCISES if name in process.found or name in seen or python_name(name) in seen]
        self.answers_some = any(name in there for name in self.wanted or there)
        if process.gone:
            status = TIMEOUT if process.late else ERROR
            told = f"While the file was read, {process.gone}."
            return {name: self.result(name, status, told) for name in self.wanted or there or [FILE]}
        if not there and process.problem:
            return {name: self.result(name, ERROR, process.problem) for name in self.wanted or [FILE]}
        results: dict[str, Result] = {}
        for name in self.wanted or there:
            late = sum(each.status == TIMEOUT for each in results.values())
            told = f"It was not tried: {late} answers before it ran out of time."
            results[name] = self._graded(name, name in there) if late < MOST_LATE else self.result(name, TIMEOUT, told)
        return results

    def _graded(self, name: str, seen: bool) -> Result:
        process = self.answers.process
        if name not in process.found:
            if seen and process.problem:
                return self.result(name, ERROR, self._not_reached())
            return self.result(name, NOT_YET, missing(python_name(name), process.others))
        begin, most = perf_counter(), PATIENCE * self.limits.seconds
        process.until(most)
        try:
            verdict, part = within(most + AFTER, lambda: self._judged(name))
        except Gone:
            verdict, part = _ended(Verdict(name, WRONG, ""), process), 0.0
        except OutOfTime:
            verdict, part = Verdict(name, TIMEOUT, f"Checking it was stopped after {most + AFTER:g} seconds."), 0.0
            process.close()
            self._started()
        except Exception as problem:  # an exercise that cannot take what it was handed
            told = f"It could not be checked: {type(problem).__name__}: {problem}"
            verdict, part = Verdict(name, ERROR, told), 0.0
        seconds = perf_counter() - begin
        told, tree = verdict.message, verdict.tree
        return self.result(name, verdict.status, told, verdict.mistake, tree, points=part, seconds=seconds)

    def _not_reached(self) -> str:
        problem = self.answers.process.problem
        return ". ".join(filter(None, (f"The file does not come to it: {problem}", self.hand_in.left_behind(problem))))

    def _judged(self, name: str) -> tuple[Verdict, float]:
        """What is said of the answer, and what part of the points it has."""
        answers, process = self.answers, self.answers.process
        answer = answers[name]
        if isinstance(answer, Strange) and "while a hand-in is graded" in answer.text:
            written = process.problem and {name, python_name(name)} & set(process.seen)
            told = self._not_reached() if written else f"It is {answer.text.strip('<>')}."
            return Verdict(name, ERROR, told), 0.0
        if needs_threads(EXERCISES[name], answer):
            verdict = self._witnessed(name)
        else:
            most = PATIENCE * self.limits.seconds + AFTER if callable(answer) else self.limits.seconds
            verdict = _checked(name, answer, answers, most)
        verdict = _ended(verdict, process)
        return verdict, 0.0 if process.gone else self._part(name, answer, verdict)

    def _witnessed(self, name: str) -> Verdict:
        process = Process(self.hand_in, [name], self.limits.seconds, self.limits.megabytes, rehearses=True)
        process.until(PATIENCE * self.limits.seconds)
        try:
            return _ended(witnessed(EXERCISES[name], process, self.limits.seconds), process)
        except Gone:
            return _ended(Verdict(name, WRONG, ""), process)
        finally:
            process.close()

    def _part(self, name: str, answer: Any, verdict: Verdict) -> float:
        """Of the points: all for what is right, a part for a paper that is right in some cells, and for a search whose
        values are right, and only its way is not."""
        exercise = EXERCISES[name]
        if verdict.status == RIGHT:
            return 1.0
        if verdict.status == WRONG and verdict.points:
            right, of = verdict.points
            return min(1.0, right / of)
        if verdict.status != WRONG or not isinstance(exercise, Exercise):
            return 0.0
        return PART if _does_as_the_reference(exercise, answer, cases=1, only_values=True) else 0.0

    def result(
        self,
        name: str,
        status: str,
        message: str,
        mistake: str | None = None,
        tree: Tree | None = None,
        *,
        points: float = 0.0,
        seconds: float = 0.0,
    ) -> Result:
        of = self.points.get(name, 1.0)
        told = visible(" ".join(message.split()))
        told = told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
        return Result(status, told, mistake, tree, points * of, of, seconds)


def exercise_name(told: str) -> str:
    """The exercise's name, told like that or as its answer is called in Python."""
    name = told if told in EXERCISES else told.replace("_", "-")
    if name not in EXERCISES:
        raise unknown("exercise", told, EXERCISES)
    return name


def python_name(exercise: str) -> str:
    """The name of an answer in Python: share_alpha for the exercise share-alpha."""
    return exercise.replace("-", "_")


def _ended(verdict: Verdict, process: Process) -> Verdict:
    """What is said where the process has ended before the answer could be judged."""
    if not process.gone:
        return verdict
    where = f"On {written(verdict.tree)} " if verdict.tree else ""
    told = f"{where}{process.gone}."
    status = TIMEOUT if process.late else ERROR
    return Verdict(verdict.exercise, status, told[0].upper() + told[1:], None, verdict.tree)


def _checked(name: str, answer: Any, answers: Answers, seconds: float) -> Verdict:
    """What the exercise says. A search is first taken at its word, and then, if it seems right, looked at again."""
    exercise = EXERCISES[name]
    try:
        if isinstance(exercise, Exercise):
            answers.trust(exercise)
        verdict = exercise.check(answer, seconds)
    finally:
        answers.trusting = False
    if not isinstance(exercise, Exercise) or not verdict or _does_as_the_reference(exercise, answer):
        return verdict
    return Verdict(name, WRONG, "It does something else as soon as the values of leaves have to be asked for.")


def _does_as_the_reference(
    exercise: Exercise, answer: Any, cases: int | None = None, only_values: bool = False
) -> bool:
    """Whether on a sample of trees it does what the reference does."""
    function = exercise.function(answer)
    for tree in sample(exercise)[::EVERY]:
        for case in exercise.cases[:cases]:
            got, expected = (
                exercise.run(each, case.dressed(tree), *case.arguments) for each in (function, exercise.reference)
            )
            if got.value != expected.value or (got != expected and not only_values):
                return False
    return function is not None
