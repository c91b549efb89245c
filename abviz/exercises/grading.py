"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and give points."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from abviz.errors import AbvizError, count, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import FIRST_PAGE, Exercise
from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import STOPPED, UNAVAILABLE, Observation
from abviz.exercises.processes import SECONDS_TO_START, Problem, WorkerProcess
from abviz.exercises.reports import ERROR, TIMEOUT, Graded, Report, Result
from abviz.exercises.verdict import NOT_YET, Verdict

ENDINGS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
COURSE = re.compile(r"\d\d(-[a-z]+)+\.ipynb")  # in a folder with the first page of the course; copies have other names
HIDDEN = re.compile(r"(^|[/\\])(\.|__)")  # files and folders that are passed over
FILE = "(file)"  # stands for the exercise where a file cannot be read
MOST_RESTARTS = 8  # for cells that do not end; after that, later cells are left out


class HandIn(WorkerProcess):
    """One file, or one of the course's notebooks, which together are a hand-in; if it is in a folder of its own below
    the given path, with that folder. Its cells and its answers run in a process, and where that ends, in a new one."""

    seconds: float  # both are set by `grade`
    megabytes: int

    def __init__(self, path: Path, own_folder: bool, is_of_course: bool):
        super().__init__(path, "abviz.exercises.worker", own_folder=own_folder)
        self.is_of_course = is_of_course
        self.left_out: dict[int, str] = {}  # cells that ended a process, and how
        self.answers: dict[str, Any] = {}  # by exercise; those that are no functions as plain data
        self.lost: dict[str, tuple[str, str]] = {}  # by exercise: the title and the problem of the cell that defines it
        self.notes: list[str] = []  # on all cells that were left out

    @property
    def label(self) -> str:
        folder = self.path.parent
        return visible(str((folder if folder.name else folder.absolute()) if self.is_of_course else self.path))

    def start(self) -> None:
        """Run the cells, without those that end the process."""
        self.start_process()
        request = self.path.name, list(EXERCISES), self.is_of_course, self.left_out, self.megabytes
        [(problem, cells)] = self.receive(1, max(SECONDS_TO_START, self.seconds), request)
        if problem:
            raise AbvizError(problem)
        for running in range(cells):
            try:
                [_] = self.receive(1, self.seconds)
            except Problem as problem:
                self.left_out[running] = str(problem)
                if len(self.left_out) == MOST_RESTARTS:
                    self.left_out |= dict.fromkeys(range(running + 1, cells), "too many cells before it did not end")
                return self.start()
        [(self.answers, self.lost, self.notes)] = self.receive(1, self.seconds)

    def run(self, name: str, jobs: Sequence[Any]) -> Iterator[Observation]:
        """Yield what the answer does in each of these runs."""
        for value, leaves, problem, details in self.receive(len(jobs), self.seconds, (name, jobs)):
            yield Observation(value, tuple(leaves), problem, details)


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    hand_ins, not_read = dict[Path, HandIn](), list[str]()
    for given in paths:
        path = Path(given)
        if not given or not path.exists():
            raise AbvizError(f"{visible(given) or 'a path'} does not exist; expected a hand-in or a folder of them")
        if not path.is_dir() and path.suffix.lower() not in ENDINGS:
            raise AbvizError(f"{visible(given)} is not a hand-in; expected {', '.join(ENDINGS)} or a folder")
        below = [] if path.is_dir() else [path]
        below += [each for each in sorted(path.rglob("*")) if not HIDDEN.search(str(each.relative_to(path)))]
        files = [each for each in below if each == path or _is_hand_in(each)]
        courses = {each.parent for each in files if each.name == FIRST_PAGE and each != path}
        for file in files:
            is_of_course = file.parent in courses and COURSE.fullmatch(file.name) is not None
            if is_of_course or file.parent not in courses or file.suffix == ".json":
                own_folder = is_of_course or file.parent != path != file
                hand_ins[file.absolute()] = HandIn(file, own_folder, is_of_course)
        for each in below:
            is_listed = each.suffix == ".ipynb" if each.parent in courses else each.parent == path
            if is_listed and not any(file.is_relative_to(each.absolute()) for file in hand_ins):
                not_read.append(visible(str(each)))
    if not hand_ins:
        raise AbvizError(f"there is no hand-in; expected files that end in {' or '.join(ENDINGS)}")
    return list(hand_ins.values()), not_read


def _is_hand_in(path: Path) -> bool:
    """Return whether a file in a folder is one. A link may lead to the work of another student."""
    if path.suffix.lower() not in ENDINGS or not path.is_file() or path.is_symlink():
        return False
    return path.suffix.lower() != ".json" or path.read_bytes().startswith(practice.BEGINS.encode())


def grade(
    hand_ins: Sequence[HandIn],
    exercises: Iterable[str] = (),
    points: dict[str, float] | None = None,
    *,
    seconds: float = 10.0,
    megabytes: int = 1024,
    jobs: int = 1,
    show_progress: bool = False,
) -> Report:
    """Grade the hand-ins on these exercises, or on all that they answer. An interrupt ends with what is done.

    The seconds are for each cell, and each time that an answer is asked for its runs.
    """
    from rich.console import Console
    from rich.progress import Progress

    names = [find(name).name for name in exercises]
    weights = {find(name).name: each for name, each in (points or {}).items()}
    for hand_in in hand_ins:
        hand_in.seconds, hand_in.megabytes = seconds, megabytes
    report = Report()
    progress = Progress(console=Console(stderr=True), disable=not show_progress, transient=True)
    with ThreadPoolExecutor(jobs) as pool, progress:
        futures = [pool.submit(_grade, hand_in, names, weights) for hand_in in hand_ins]
        try:
            for _ in progress.track(as_completed(futures), len(futures), description="Checking"):
                pass
        except KeyboardInterrupt:
            report.interrupted = True
        done = [(each, future.result()) for each, future in zip(hand_ins, futures, strict=True) if future.done()]
        if report.interrupted:
            pool.shutdown(wait=False, cancel_futures=True)
            for hand_in in hand_ins:
                hand_in.interrupt()
    for hand_in, graded in done:
        report.hand_ins.setdefault(hand_in.label, Graded()).add(graded)
    return report


def _grade(hand_in: HandIn, names: list[str], points: dict[str, float]) -> Graded:
    """Grade one hand-in on these exercises, or on all that it answers."""
    graded, path, is_of_course = Graded(), hand_in.path, hand_in.is_of_course

    def add(verdict: Verdict, seconds: float = 0.0, notebook: str = "") -> None:
        graded.results[verdict.exercise] = Result(verdict, points.get(verdict.exercise, 1.0), seconds, notebook)

    try:
        if path.suffix.lower() == ".json":
            add(practice.verify(path.read_text(encoding="utf-8-sig")))
            return graded
        hand_in.start()
        answered = hand_in.answers.keys() | hand_in.lost.keys()
        files = [each for each in path.parent.iterdir() if hand_in.own_folder and each.suffix.lower() in ENDINGS]
        if len(files) > 1 and answered.isdisjoint(names or EXERCISES):
            return graded  # it may be a helper
        for name in names or [name for name in EXERCISES if name in answered]:
            begin = monotonic()
            verdict = _verdict(hand_in, name)
            add(verdict, monotonic() - begin, path.stem if is_of_course and name in answered else "")
        if not is_of_course:  # its own cells use what is left out here
            unavailable = [note for note in hand_in.notes if UNAVAILABLE in note]
            graded.notes += [note for note in hand_in.notes if note not in unavailable] + unavailable[:1]
            if others := unavailable[1:]:
                graded.notes[-1] += f"; left out for the same reason: {count(len(others), 'other cell')}"
        for each in files:
            if each.stem in sys.stdlib_module_names:
                graded.notes.append(f"{each.name} is not imported: Python has a module of that name")
    except Exception as error:  # a process that sends nonsense costs only its own hand-in
        problem = str(error) if isinstance(error, AbvizError) else f"{type(error).__name__}: {error}"
        for name in names or [f"{path.stem} {FILE}" if is_of_course else FILE]:
            add(Verdict(name, ERROR, f"It cannot be graded: {problem}"))
    finally:
        hand_in.close()
    return graded


def _verdict(hand_in: HandIn, name: str) -> Verdict:
    """Return the verdict on an answer, or on none."""
    exercise = find(name)
    verdict = Verdict(name, NOT_YET, f"Nothing of its own is named {name.replace('-', '_')}.", hints=exercise.hints)
    try:
        if name in hand_in.answers:
            verdict = _judged(hand_in, exercise)
    except Problem as problem:
        return replace(verdict, status=_status(problem), message=f"When its answer was read, {problem}.")
    except Exception as error:
        return Verdict(name, ERROR, f"It cannot be checked: {type(error).__name__}: {error}")
    if verdict.status != NOT_YET or name not in hand_in.lost:
        return verdict
    title, reason = hand_in.lost[name]  # perhaps a stub stands above the cell with the answer
    message = f"{title[:1].upper()}{title[1:]}, which defines it, was left out: {reason}"
    return Verdict(name, _status(reason), message)


def _judged(hand_in: HandIn, exercise: Exercise) -> Verdict:
    if not isinstance(exercise, FunctionExercise):
        return exercise.check(hand_in.answers[exercise.name])
    if not hand_in.running:
        hand_in.start()
    judgement = Judgement(exercise, partial(hand_in.run, exercise.name))
    try:
        return judgement.verdict()
    except Problem as problem:
        verdict = judgement.stopped(str(problem))
        return replace(verdict, status=_status(problem)) if str(problem) in verdict.message else verdict


def _status(problem: Problem | str) -> str:
    return TIMEOUT if str(problem).startswith(STOPPED) else ERROR
