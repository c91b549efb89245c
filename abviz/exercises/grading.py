"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and give points."""

import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from typing import Any

from abviz.errors import AbvizError, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import DataExercise
from abviz.exercises.observation import STOPPED, Job, Observation
from abviz.exercises.reports import ERROR, TIMEOUT, Graded, Report, Result
from abviz.exercises.search_exercise import SearchExercise
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, written

KINDS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
FILE = "(file)"  # stands for the exercise where a file cannot be read
SECONDS_TO_START = 60.0  # for a worker, even on a busy machine
MOST_RESTARTS = 8  # for cells that do not end; after that, later cells are left out
LONGEST_MESSAGE = 1_000_000  # from a worker, in bytes
BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from abviz.exercises.worker import main; del sys.path[0]; main()"
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class HandIn:
    """One file. If it is in a folder of its own below the given path, that folder is copied with it."""

    path: Path
    own_folder: bool = False


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    hand_ins, not_read = dict[Path, HandIn](), list[str]()
    for given in paths:
        path = Path(given)
        if not given or not path.exists():
            raise AbvizError(f"{visible(given) or 'a path'} does not exist; expected a hand-in or a folder of them")
        files = [path]
        if path.is_dir():
            hidden = re.compile(r"(^|[/\\])(\.|__)")
            below = [each for each in sorted(path.rglob("*")) if not hidden.search(str(each.relative_to(path)))]
            files = [each for each in below if _is_hand_in(each)]
            entries = [each for each in below if each.parent == path]
            not_read += [str(each) for each in entries if not any(file.is_relative_to(each) for file in files)]
        elif path.suffix.lower() not in KINDS:
            raise AbvizError(f"{visible(given)} is not a hand-in; expected {', '.join(KINDS)} or a folder")
        hand_ins |= {file.absolute(): HandIn(file, file.parent != path != file) for file in files}
    if not hand_ins:
        raise AbvizError(f"there is no hand-in; expected files that end in {' or '.join(KINDS)}")
    return list(hand_ins.values()), list(map(visible, not_read))


def _is_hand_in(path: Path) -> bool:
    """Return whether a file in a folder is one. A link may lead to the work of another student."""
    if path.suffix.lower() not in KINDS or not path.is_file() or path.is_symlink():
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
    graders = [_Grader(each, names, weights, seconds, megabytes) for each in hand_ins]
    report = Report()
    progress = Progress(console=Console(stderr=True), disable=not show_progress, transient=True)
    with ThreadPoolExecutor(jobs) as pool, progress:
        futures = [pool.submit(grader.grade) for grader in graders]
        try:
            for _ in progress.track(as_completed(futures), len(futures), description="Checking"):
                pass
        except KeyboardInterrupt:
            report.interrupted = True
        done = [(grader, future.result()) for grader, future in zip(graders, futures, strict=True) if future.done()]
        pool.shutdown(wait=False, cancel_futures=True)
        for grader in graders:
            grader.interrupt()
    report.hand_ins = {visible(str(grader.hand_in.path)): graded for grader, graded in done}
    return report


class Problem(AbvizError):
    """The reason why a worker ended, or was stopped."""


class _Worker:
    """A process that runs one hand-in in a copy of its folder."""

    def __init__(self, hand_in: HandIn):
        self.stopped = ""  # the reason, if it was
        self.folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        if hand_in.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(hand_in.path.parent, self.folder.name, symlinks=True, ignore=hidden, dirs_exist_ok=True)
        else:
            shutil.copy(hand_in.path, self.folder.name)
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ") if name in os.environ}
        own = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self.folder.name)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(PACKAGE_PARENT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env=kept | own | {"MPLBACKEND": "Agg"},
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin, self.process.stdout
        self.pickler = pickle.Pickler(self.requests)  # what it has sent before, such as a tree, is not sent again

    def receive(self, number: int, seconds: float, request: Any = None) -> Iterator[Any]:
        """Send the request, if there is one, and yield the next replies. Stop the worker if they take longer.

        Raises Problem where the worker ends instead.
        """
        timer = Timer(seconds, self._stop, [seconds])
        timer.start()
        try:
            if request:
                with suppress(OSError):  # `_reply` finds out why the worker has ended
                    self.pickler.dump(request)
                    self.requests.flush()
            for _ in range(number):
                yield self._reply()
        finally:
            timer.cancel()

    def _reply(self) -> Any:
        line = self.replies.readline(LONGEST_MESSAGE)
        with suppress(ValueError, RecursionError):
            return json.loads(line)
        if line.endswith(b"\n") or len(line) == LONGEST_MESSAGE:
            raise Problem("it returned too large a value, or sent no result")
        status = self.process.wait(10)
        name = f"exit status {status}" if status >= 0 else signal.Signals(-status).name
        raise Problem(self.stopped or f"its process ended ({name})")

    def _stop(self, seconds: float) -> None:
        self.stopped = f"{STOPPED}{seconds:g} second{'s' * (seconds != 1)}"
        self.kill()

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if os.name == "posix" else self.process.kill()

    def close(self) -> None:
        self.kill()
        self.process.wait()
        self.folder.cleanup()


class _Grader:
    """Grades one hand-in, with one worker at a time."""

    def __init__(self, hand_in: HandIn, names: list[str], points: dict[str, float], seconds: float, megabytes: int):
        self.hand_in, self.names, self.points = hand_in, names, points
        self.seconds, self.megabytes = seconds, megabytes
        self.graded = Graded()
        self.worker: _Worker | None = None
        self.interrupted = False
        self.left_out: dict[int, str] = {}  # cells that ended a worker, and how
        self.problems: list[tuple[str, list[str], str]] = []  # of cells: title, the exercises defined, the problem
        self.answers: dict[str, Any] = {}  # by exercise; those that are no functions as plain data
        self.jobs: list[Job] = []  # of the answer that is being graded
        self.runs: list[Observation] = []  # of these jobs, as far as they are done

    def interrupt(self) -> None:
        self.interrupted = True
        if self.worker:
            self.worker.kill()

    def grade(self) -> Graded:
        try:
            if self.hand_in.path.suffix.lower() == ".json":
                self._add(practice.verify(self.hand_in.path.read_text(encoding="utf-8-sig")))
            else:
                self._start()
                self._grade_answers()
        except Exception as error:  # a worker that sends nonsense costs only its own hand-in
            problem = str(error) if isinstance(error, AbvizError) else f"{type(error).__name__}: {error}"
            for name in self.names or [FILE]:
                self._add(Verdict(name, ERROR, f"It cannot be graded: {problem}"))
        finally:
            self._close()
        return self.graded

    def _close(self) -> None:
        if self.worker:
            self.worker.close()
        self.worker = None

    def _start(self) -> _Worker:
        """Return a worker that has run the cells, without those that end it."""
        self.worker = worker = _Worker(self.hand_in)
        if self.interrupted:
            raise AbvizError("it was interrupted")
        request = self.hand_in.path.name, list(EXERCISES), self.left_out, self.megabytes
        [(problem, cells)] = worker.receive(1, max(SECONDS_TO_START, self.seconds), request)
        if problem:
            raise AbvizError(problem)
        for running in range(cells):
            try:
                [_] = worker.receive(1, self.seconds)
            except Problem as problem:
                self._close()
                self.left_out[running] = str(problem)
                if len(self.left_out) == MOST_RESTARTS:
                    self.left_out |= dict.fromkeys(range(running + 1, cells), "too many cells before it did not end")
                return self._start()
        [(self.answers, self.problems)] = worker.receive(1, self.seconds)
        return worker

    def _grade_answers(self) -> None:
        answered = {*self.answers, *(name for _, defined, _ in self.problems for name in defined)}
        folder = self.hand_in.path.parent
        files = [each for each in folder.iterdir() if self.hand_in.own_folder and each.suffix.lower() in KINDS]
        if len(files) > 1 and answered.isdisjoint(self.names or EXERCISES):
            return  # it may be a helper
        for name in self.names or [name for name in EXERCISES if name in answered]:
            begin = monotonic()
            self.jobs, self.runs = [], []
            self._add(self._verdict(name) if name in self.answers else self._missing(name), monotonic() - begin)
        self.graded.notes += [f"{title} was left out: {problem}" for title, _, problem in self.problems]
        for path in files:
            if path.stem in sys.stdlib_module_names:
                self.graded.notes.append(f"{path.name} is not imported: Python has a module of that name")

    def _missing(self, name: str) -> Verdict:
        """Return the verdict on an exercise without an answer: its cell was left out, or nothing has its name."""
        for title, defined, problem in self.problems:
            if name in defined:
                message = f"{title[:1].upper()}{title[1:]}, which defines it, was left out: {problem}"
                return Verdict(name, _status(problem), message)
        own_name = name.replace("-", "_")
        return Verdict(name, NOT_YET, f"Nothing of its own is named {own_name}.", hints=find(name).hints)

    def _verdict(self, name: str) -> Verdict:
        exercise = find(name)
        try:
            if isinstance(exercise, DataExercise):
                return exercise.judge(self.answers[name])
            worker = self.worker or self._start()
            return exercise.judge(lambda jobs: self._ask(worker, name, jobs))
        except Problem as problem:
            self._close()
            tree = self.jobs[len(self.runs)].tree if self.jobs else None
            where = f"On {written(tree)}" if tree else "When its answer was read,"
            return Verdict(name, _status(str(problem)), f"{where} {problem}.", tree=tree, hints=exercise.hints)
        except Exception as error:
            return Verdict(name, ERROR, f"It cannot be checked: {type(error).__name__}: {error}")

    def _ask(self, worker: _Worker, name: str, jobs: Sequence[Job]) -> list[Observation]:
        """Return what the answer does in these runs."""
        first = len(self.runs)
        self.jobs += jobs
        for value, leaves, problem, details in worker.receive(len(jobs), self.seconds, (name, jobs)):
            self.runs.append(Observation(value, tuple(leaves), problem, details))
        return self.runs[first:]

    def _add(self, verdict: Verdict, seconds: float = 0.0) -> None:
        part = float(verdict.status == RIGHT)
        if verdict.status == WRONG and verdict.points:
            part = min(1.0, verdict.points[0] / verdict.points[1])
        elif verdict.status == WRONG and self._values_are_right(verdict.exercise):
            part = 0.5
        of = self.points.get(verdict.exercise, 1.0)
        self.graded.results[verdict.exercise] = Result(verdict, part * of, of, seconds)

    def _values_are_right(self, name: str) -> bool:
        """Return whether a search returned the right value in every run, so that only the leaves it reads are wrong."""
        exercise = EXERCISES[name]
        if not isinstance(exercise, SearchExercise):
            return False
        for job, run in zip(self.jobs, self.runs, strict=True):
            read = exercise.read(job, run)
            is_first_case = job.arguments == exercise.cases[0].arguments
            if is_first_case and (read.problem or read.value != exercise.right(job).value):
                return False
        return True


def _status(problem: str) -> str:
    return TIMEOUT if problem.startswith(STOPPED) else ERROR
