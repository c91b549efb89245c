"""`abviz check`: run each hand-in in a process of its own, judge its answers and give points."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextvars import copy_context
from functools import partial

from abviz.errors import AbvizError, one_line, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import progress
from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import Job, Observation
from abviz.exercises.practice import PRACTICE
from abviz.exercises.verdict import NOT_YET, Verdict
from abviz.exercises.worker import USES, Problem, in_python
from abviz.grading.assignment import EARNS_NOTHING, Assignment
from abviz.grading.behavior import behavior_of
from abviz.grading.hand_in import HandIn
from abviz.grading.hand_ins import Student
from abviz.grading.report import ERROR, NOT_GRADED, Report, Row, better, full_name, row
from abviz.grading.roster import Entry
from abviz.grading.stored_results import Result, StoredResults, key_of
from abviz.recording.messages import run_from
from abviz.tracing.algorithms import Rules
from abviz.tree.model import Tree

SECONDS_TO_RECORD = 15.0  # for a run, which has a limit of its own


class UsesAbviz(Problem):
    """An answer runs a search of abviz."""


def grade(
    students: Sequence[Student],
    exercises: Iterable[str] = (),
    points: dict[str, float] | None = None,
    *,
    rules: Rules = Rules(),
    assignment: Assignment | None = None,
    entries: Mapping[str, Entry] | None = None,
    seconds: float = 10.0,
    megabytes: int = 1024,
    jobs: int = 1,
    stored: StoredResults | None = None,
    when_interrupted: Callable[[], None] = lambda: None,
) -> Report:
    """Grade the students on these exercises, or on all that they answer, under these rules.

    With an assignment, practice counts only on the tree that a student was given; `entries` says by
    label who is known to be whom.

    The seconds are for each cell, and each time that an answer is asked for its runs. An interrupt
    ends with what is done, and `when_interrupted` is called at once. Results that are stored are
    not made again, and new ones are stored.
    """
    names = [full_name(name) for name in exercises]
    if assignment and PRACTICE not in names:
        names.append(PRACTICE)
    weights = {full_name(name): each for name, each in (points or {}).items()}
    hand_ins = [hand_in for student in students for hand_in in student.hand_ins]
    for hand_in in hand_ins:
        hand_in.seconds, hand_in.megabytes = seconds, megabytes
        hand_in.rules = rules
    if assignment:
        for student in students:
            id = assignment.id_of((entries or {}).get(student.label))
            for hand_in in student.hand_ins:
                hand_in.judge_practice = partial(assignment.verify, student=id)

    def verdicts(hand_in: HandIn) -> list[Verdict]:
        is_practice = hand_in.path.suffix.lower() == ".json"
        if stored is None or is_practice:  # which takes no time
            return _verdicts(hand_in, names)
        return _stored_verdicts(hand_in, names, stored)

    report = Report()
    done = _all_verdicts(hand_ins, verdicts, jobs, report, when_interrupted)
    if stored is not None:
        report.remarks += stored.remarks()
    for student in students:
        if any(hand_in not in done for hand_in in student.hand_ins):
            report.missing.append(student.label)
            report.without_points[student.label] = student
            continue

        report.students[student.label] = student
        report.hand_ins[student.label] = _rows(student, done, names, weights, rules)
        notes = [note for hand_in in student.hand_ins for note in hand_in.notes]
        report.notes[student.label] = student.notes + notes
    _note_copies(report)
    return report


def _note_copies(report: Report) -> None:
    """Note where several hand-ins have a result of one student, and where one is another's.

    No student is to read that: it names others.
    """
    owners: dict[str, list[str]] = {}
    for label, rows in report.hand_ins.items():
        if PRACTICE in rows and (student := rows[PRACTICE]["verdict"].student):
            owners.setdefault(student, []).append(label)

    for student, labels in owners.items():
        if len(labels) > 1:
            times = f"The practice of {visible(student)} was handed in {len(labels)} times"
            report.remarks.append(f"{times}: {', '.join(labels)}")

    for label, rows in report.hand_ins.items():
        if PRACTICE in rows and (message := rows[PRACTICE]["message"]).endswith(EARNS_NOTHING):
            private = rows[PRACTICE]["verdict"].private
            report.remarks.append(
                f"Practice that doesn't count: {label}. {message} {private}".rstrip()
            )


def _rows(
    student: Student,
    done: dict[HandIn, list[Verdict]],
    names: Sequence[str],
    weights: dict[str, float],
    rules: Rules,
) -> dict[str, Row]:
    """Return the verdicts on a student's answers, and on those that are missing."""
    rows: dict[str, Row] = {}
    for hand_in in student.hand_ins:
        for verdict in done[hand_in]:
            name = verdict.exercise
            new = row(verdict, weights.get(name, 1.0), hand_in)
            # Of answers in two files the better one counts
            rows[name] = better(rows.get(name, new), new)

    missing = [_missing(name, student, rules) for name in names if name not in rows]
    rows |= {each.exercise: row(each, weights.get(each.exercise, 1.0)) for each in missing}
    in_order = [*names, *(name for name in rows if name not in names)]
    return {name: rows[name] for name in in_order}


def _missing(name: str, student: Student, rules: Rules) -> Verdict:
    """Return the verdict on an answer that is in no file."""
    if name == PRACTICE:
        return Verdict(name, NOT_YET, "No result of practice was handed in.")
    words = f"Nothing of its own is named {in_python(name)}."
    if student.is_of_course:
        words = "No cell of the notebooks checks it."
    elif not student.hand_ins:
        words = "There is no file with answers."
    return Verdict(name, NOT_YET, words, hints=find(name, rules).hints)


def _all_verdicts(
    hand_ins: Sequence[HandIn],
    verdicts: Callable[[HandIn], list[Verdict]],
    jobs: int,
    report: Report,
    when_interrupted: Callable[[], None],
) -> dict[HandIn, list[Verdict]]:
    """Return the verdicts by hand-in: of all, or of those that were done before an interrupt."""
    with ThreadPoolExecutor(jobs) as pool:
        # Each thread writes in the letters of this one
        futures = {
            pool.submit(copy_context().run, verdicts, hand_in): hand_in for hand_in in hand_ins
        }
        try:
            for _ in progress(as_completed(futures), "Checking", len(futures)):
                pass
        except KeyboardInterrupt:
            when_interrupted()
            report.interrupted = True

        done = {hand_in: future.result() for future, hand_in in futures.items() if future.done()}
        if report.interrupted:
            pool.shutdown(wait=False, cancel_futures=True)
            for hand_in in hand_ins:
                hand_in.interrupt()
    return done


def _stored_verdicts(hand_in: HandIn, names: Sequence[str], stored: StoredResults) -> list[Verdict]:
    """Return the verdicts on a file that were stored; if there are none, new ones."""
    try:
        key = key_of(hand_in, names)
    except OSError:  # a file that can't be read: the verdict says so
        return _verdicts(hand_in, names)

    if result := stored.find(key):
        hand_in.notes, hand_in.behaviors = result.notes, result.behaviors
        return result.verdicts

    verdicts = _verdicts(hand_in, names)
    if not hand_in.interrupted:
        stored.keep(key, Result(verdicts, hand_in.notes, hand_in.behaviors))
    return verdicts


def _verdicts(hand_in: HandIn, names: Sequence[str]) -> list[Verdict]:
    """Return the verdicts on those of these exercises, or of all, that the file answers."""
    try:
        if hand_in.path.suffix.lower() == ".json":
            return [hand_in.judge_practice(practice.text_of(hand_in.path.read_bytes()))]

        if not hand_in.path.read_bytes().strip():
            return _of_empty_file(hand_in, names)

        hand_in.start()
        answered = hand_in.answers.keys() | hand_in.lost.keys()
        return [_verdict(hand_in, name) for name in names or EXERCISES if name in answered]
    except Exception as error:
        file = f"{visible(hand_in.shown)} (file)".lstrip()
        return [_failure(name, error) for name in names or [file]]
    finally:
        hand_in.close()


def _of_empty_file(hand_in: HandIn, names: Sequence[str]) -> list[Verdict]:
    """Return that every answer is missing, and why."""
    hand_in.notes.append(f"{visible(hand_in.path.name)}: the file is empty")
    return [
        Verdict(name, NOT_YET, "The file is empty.", hints=find(name, hand_in.rules).hints)
        for name in names
        if name != PRACTICE
    ]


def _verdict(hand_in: HandIn, name: str) -> Verdict:
    """Return the verdict on an answer, or on one whose cell failed."""
    exercise = find(name, hand_in.rules)
    try:
        if name not in hand_in.answers:
            raise AbvizError(hand_in.lost[name])
        if isinstance(exercise, FunctionExercise):
            verdict = _judged(hand_in, exercise)
        else:
            verdict = exercise.check(hand_in.answers[name])

        # Perhaps a stub stands above the cell with the answer
        if verdict.status == NOT_YET and name in hand_in.lost:
            raise AbvizError(hand_in.lost[name])
    except Exception as error:
        return _failure(name, error)
    return verdict


def _judged(hand_in: HandIn, exercise: FunctionExercise) -> Verdict:
    """Return the verdict on an answer that runs in the process of its hand-in."""
    name = exercise.name
    observed: dict[Job, Observation] = {}

    def ask(jobs: Sequence[Job]) -> Iterator[Observation]:
        replies = hand_in.receive(len(jobs), hand_in.seconds, (name, jobs))
        for job, (value, leaves, problem, details) in zip(jobs, replies, strict=True):
            if problem.startswith(USES):
                raise UsesAbviz(problem)
            observed[job] = Observation(value, tuple(leaves), problem, details)
            yield observed[job]

    if not hand_in.running:
        hand_in.start()
    judgement = Judgement(exercise, ask)
    try:
        verdict = _with_own_run(hand_in, exercise, judgement, judgement.verdict())
        if behavior := behavior_of(exercise, judgement, observed):
            hand_in.behaviors[name] = behavior
        return verdict
    except UsesAbviz as problem:  # which outweighs whatever else is wrong
        judgement.wrong = None
        return judgement.stopped(str(problem))
    except Problem as problem:
        return judgement.stopped(str(problem))


def _with_own_run(
    hand_in: HandIn, exercise: FunctionExercise, judgement: Judgement, verdict: Verdict
) -> Verdict:
    """Return the verdict with the answer's run on its tree, recorded where the answer runs."""
    recording = exercise.recording(verdict, judgement.wrong)
    if recording is None or judgement.wrong is None or not hand_in.running:
        return verdict

    try:
        seconds = SECONDS_TO_RECORD + hand_in.seconds
        [message] = hand_in.receive(1, seconds, (exercise.name, recording))
        run = run_from(message, recording.tree)

        # A program may do something else when it is recorded
        _, judged = judgement.wrong
        if _leaves(run.leaves, recording.tree) == _leaves(judged.leaves, recording.tree):
            return exercise.with_run(verdict, run)
    except Exception:  # it can't be followed, or the process has ended or sends what no run has
        return verdict
    return verdict


def _leaves(read: Iterable[str], tree: Tree) -> list[str]:
    """Return the leaves that were read, each once."""
    return [name for name in dict.fromkeys(read) if tree[name].is_leaf]


def _failure(name: str, error: Exception) -> Verdict:
    reason = str(error) if isinstance(error, AbvizError) else one_line(error)
    is_of_computer = isinstance(error, OSError | MemoryError)
    words = NOT_GRADED if is_of_computer else "It cannot be graded"
    return Verdict(name, ERROR, f"{words}: {reason}")
