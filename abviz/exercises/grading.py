"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and give points."""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, one_line, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import FIRST_PAGE
from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import STOPPED, Observation
from abviz.exercises.processes import SECONDS_TO_START, Problem, WorkerProcess
from abviz.exercises.reports import ERROR, TIMEOUT, Report, row
from abviz.exercises.verdict import NOT_YET, Verdict

ENDINGS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
COURSE = re.compile(r"\d\d(-[a-z]+)+\.ipynb")  # in a folder with the first page of the course; copies have other names
HIDDEN = re.compile(r"(^|[/\\])(\.|__)")  # files and folders that are passed over
MOST_RESTARTS = 8  # for cells that do not end; after that, later cells are left out


class HandIn(WorkerProcess):
    """One file, or one of the course's notebooks, which together are a hand-in; if it is in a folder of its own below
    the given path, with that folder. Its cells and its answers run in a process, and where that ends, in a new one."""

    seconds: float  # both are set by `grade`
    megabytes: int

    def __init__(self, path: Path, own_folder: bool, is_of_course: bool):
        super().__init__(path, "abviz.exercises.worker", own_folder=own_folder)
        self.label = visible(str((path.parent if path.parent.name else Path.cwd()) if is_of_course else path))
        self.notebook = path.stem if is_of_course else ""
        self.left_out: dict[int, str] = {}  # cells that ended a process, and how
        self.answers: dict[str, Any] = {}  # by exercise; those that are no functions as plain data
        self.lost: dict[str, str] = {}  # by exercise: the note on the cell that defines it
        self.notes: list[str] = []  # on all cells that were left out

    def start(self) -> None:
        """Run the cells, without those that end the process."""
        self.start_process()
        request = self.path.name, list(EXERCISES), bool(self.notebook), self.left_out, self.megabytes
        [cells] = self.receive(1, max(SECONDS_TO_START, self.seconds), request)
        if isinstance(cells, str):
            raise AbvizError(cells)
        for running in range(cells):
            try:
                [_] = self.receive(1, self.seconds)
            except Problem as problem:
                self.left_out[running] = str(problem)
                if len(self.left_out) == MOST_RESTARTS:
                    self.left_out |= dict.fromkeys(range(running + 1, cells), "too many cells before it did not end")
                return self.start()
        [(self.answers, self.lost, notes)] = self.receive(1, self.seconds)
        self.notes = [visible(str(note)) for note in notes]

    def run(self, name: str, jobs: Sequence[Any]) -> Iterator[Observation]:
        """Yield what the answer does in each of these runs."""
        for value, leaves, problem, details in self.receive(len(jobs), self.seconds, (name, jobs)):
            yield Observation(value, tuple(leaves), problem, details)


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    hand_ins, not_read = dict[Path, HandIn](), list[str]()
    for path in map(Path, paths):
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        below = [each for each in sorted(path.rglob("*")) if not HIDDEN.search(str(each.relative_to(path)))]
        files = list(filter(_is_hand_in, [path, *below]))
        courses = {each.parent for each in files if each.name == FIRST_PAGE}
        for file in files:
            is_of_course = file.parent in courses and COURSE.fullmatch(file.name) is not None
            if is_of_course or file.parent not in courses or file.suffix == ".json":
                own_folder = is_of_course or path not in (file, file.parent)
                hand_ins[file.absolute()] = HandIn(file, own_folder, is_of_course)
        read = {each for file in hand_ins for each in (file, *file.parents)}
        for each in [path, *below]:
            is_listed = each.suffix == ".ipynb" if each.parent in courses else path in (each, each.parent)
            if is_listed and each.absolute() not in read:
                not_read.append(visible(str(each)))
    if not hand_ins:
        raise AbvizError(f"there is no hand-in; expected files that end in {', '.join(ENDINGS)}, or folders of them")
    return list(hand_ins.values()), not_read


def _is_hand_in(path: Path) -> bool:
    """Return whether a file is one. A link may lead to the work of another student."""
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
    from rich.progress import track

    names = [find(name).name for name in exercises]
    weights = {find(name).name: each for name, each in (points or {}).items()}
    for hand_in in hand_ins:
        hand_in.seconds, hand_in.megabytes = seconds, megabytes
    report, done = Report(), dict[HandIn, list[Verdict]]()
    options: Any = {"console": Console(stderr=True), "transient": True, "disable": not show_progress}
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(_verdicts, hand_in, names): hand_in for hand_in in hand_ins}
        try:
            for future in track(as_completed(futures), "Checking", len(futures), **options):
                done[futures[future]] = future.result()
        except KeyboardInterrupt:
            report.interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for hand_in in hand_ins:
                hand_in.interrupt()
    for hand_in in filter(done.__contains__, hand_ins):
        rows, notes = report.hand_ins.setdefault(hand_in.label, {}), report.notes.setdefault(hand_in.label, [])
        notes += [note for note in hand_in.notes if note not in notes]
        for verdict in done[hand_in]:
            name = verdict.exercise
            new = row(verdict, weights.get(name, 1.0), hand_in.notebook)
            # of answers in two notebooks the better one counts
            rows[name] = max(rows.get(name, new), new, key=lambda row: (row["points"], row["status"] != NOT_YET))
    return report


def _verdicts(hand_in: HandIn, names: Sequence[str]) -> list[Verdict]:
    """Return the verdicts on these exercises, or on all that are answered."""
    try:
        if hand_in.path.suffix.lower() == ".json":
            return [practice.verify(hand_in.path.read_text(encoding="utf-8-sig"))]
        hand_in.start()
        answered = hand_in.answers.keys() | hand_in.lost.keys()
        is_helper = hand_in.own_folder and answered.isdisjoint(names or EXERCISES)
        asked = names or [name for name in EXERCISES if name in answered]
        return [_verdict(hand_in, name) for name in asked if not is_helper]
    except Exception as error:
        return [_failure(name, error) for name in names or [f"{hand_in.notebook} (file)".lstrip()]]
    finally:
        hand_in.close()


def _verdict(hand_in: HandIn, name: str) -> Verdict:
    """Return the verdict on an answer, or on none."""
    exercise = find(name)
    verdict = Verdict(name, NOT_YET, f"Nothing of its own is named {name.replace('-', '_')}.", hints=exercise.hints)
    try:
        if name in hand_in.answers and isinstance(exercise, FunctionExercise):
            verdict = _judged(hand_in, exercise)
        elif name in hand_in.answers:
            verdict = exercise.check(hand_in.answers[name])
        if verdict.status == NOT_YET and name in hand_in.lost:  # perhaps a stub stands above the cell with the answer
            raise AbvizError(hand_in.lost[name])
    except Exception as error:
        return _failure(name, error)
    return verdict


def _judged(hand_in: HandIn, exercise: FunctionExercise) -> Verdict:
    if not hand_in.running:
        hand_in.start()
    judgement = Judgement(exercise, partial(hand_in.run, exercise.name))
    try:
        return judgement.verdict()
    except Problem as problem:
        verdict = judgement.stopped(str(problem))
        return replace(verdict, status=_status(problem)) if str(problem) in verdict.message else verdict


def _failure(name: str, error: Exception) -> Verdict:
    reason = str(error) if isinstance(error, AbvizError) else one_line(error)
    return Verdict(name, _status(error), f"It cannot be graded: {reason}")


def _status(error: Exception) -> str:
    return TIMEOUT if STOPPED in str(error) else ERROR
