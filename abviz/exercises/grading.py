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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
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


@dataclass(frozen=True)
class Limits:
    seconds: float = 10.0  # for each cell, and each time that an answer is asked for its runs
    megabytes: int = 1024


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    hand_ins: dict[Path, HandIn] = {}
    not_read: list[str] = []
    for path in map(Path, paths):
        if path == Path() and "" in paths:
            raise AbvizError("one of the paths is empty; expected a hand-in or a folder of them")
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        if not path.is_dir() and path.suffix.lower() not in KINDS:
            raise AbvizError(f"{visible(str(path))} is not a hand-in; expected {', '.join(KINDS)} or a folder")
        below = [
            each for each in sorted(path.rglob("*")) if not re.search(r"(^|[/\\])(\.|__)", str(each.relative_to(path)))
        ]
        files = [each for each in below if _is_hand_in(each)]
        for file in files if path.is_dir() else [path]:
            hand_ins[file.absolute()] = HandIn(file, file.parent != path != file)
        entries = [each for each in below if each.parent == path]
        not_read += [str(each) for each in entries if not any(file.is_relative_to(each) for file in files)]
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
    limits: Limits = Limits(),
    jobs: int = 1,
    not_read: Sequence[str] = (),
    show_progress: bool = False,
) -> Report:
    """Grade the hand-ins on these exercises, or on all that they answer. An interrupt ends with what is done."""
    from rich.console import Console
    from rich.progress import Progress

    names = [find(name).name for name in exercises]
    weights = {find(name).name: each for name, each in (points or {}).items()}
    graders = {visible(str(each.path)): _Grader(each, names, weights, limits) for each in hand_ins}
    interrupted = False
    progress = Progress(console=Console(stderr=True), disable=not show_progress, transient=True)
    with ThreadPoolExecutor(jobs) as pool, progress:
        futures = {label: pool.submit(grader.grade) for label, grader in graders.items()}
        try:
            for _ in progress.track(as_completed(futures.values()), len(futures), description="Checking"):
                pass
        except KeyboardInterrupt:
            interrupted = True
        done = {label: future.result() for label, future in futures.items() if future.done()}
        pool.shutdown(wait=False, cancel_futures=True)
        for grader in graders.values():
            grader.interrupt()
    return Report(done, list(not_read), interrupted)


class Problem(Exception):
    """Why a cell was left out, or why an answer has no verdict."""

    status = ERROR


class Late(Problem):
    status = TIMEOUT


class _Worker:
    """A process that runs one hand-in in a copy of its folder."""

    def __init__(self, hand_in: HandIn, left_out: list[int], limits: Limits):
        self.folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        self.late = ""  # why it was stopped
        shutil.copyfile(hand_in.path, Path(self.folder.name, hand_in.path.name))
        if hand_in.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(hand_in.path.parent, self.folder.name, symlinks=True, ignore=hidden, dirs_exist_ok=True)
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
        self.send((hand_in.path.name, list(EXERCISES), left_out, limits.megabytes))

    @contextmanager
    def clock(self, seconds: float) -> Iterator[None]:
        """Stop the worker if the block takes longer."""

        def stop() -> None:
            self.late = f"{STOPPED}{seconds:g} second{'s' * (seconds != 1)}"
            self.kill()

        timer = Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def send(self, request: Any) -> None:
        assert self.process.stdin
        with suppress(OSError):  # `receive` finds out why it has ended
            pickle.dump(request, self.process.stdin)
            self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline(LONGEST_MESSAGE)
        with suppress(ValueError, RecursionError):
            return json.loads(line)
        if line.endswith(b"\n") or len(line) == LONGEST_MESSAGE:
            raise Problem("it returned too large a value, or sent no result")
        status = self.process.wait(10)
        if self.late:
            raise Late(self.late)
        raise Problem(f"its process ended ({f'exit status {status}' if status >= 0 else signal.Signals(-status).name})")

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if os.name == "posix" else self.process.kill()

    def close(self) -> None:
        self.kill()
        self.process.wait()
        self.folder.cleanup()


class _Grader:
    """Grades one hand-in, with one worker at a time."""

    def __init__(self, hand_in: HandIn, names: list[str], points: dict[str, float], limits: Limits):
        self.hand_in, self.names, self.points, self.limits = hand_in, names, points, limits
        self.graded = Graded()
        self.worker: _Worker | None = None
        self.interrupted = False
        self.cells: list[tuple[str, list[str]]] = []  # place and first line, exercises that it defines
        self.problems: dict[int, Problem] = {}  # of cells
        self.left_out: list[int] = []  # cells that ended a worker
        self.answers: list[str] = []  # exercises with an answer
        self.runs: list[tuple[Job, Observation]] = []  # of the answer that is being graded
        self.running: Job | None = None

    def interrupt(self) -> None:
        self.interrupted = True
        if self.worker:
            self.worker.kill()

    def grade(self) -> Graded:
        try:
            if self.hand_in.path.suffix.lower() == ".json":
                self._add(practice.verify(self.hand_in.path.read_text(encoding="utf-8-sig")))
                return self.graded
            self._start()
            self._grade()
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
        """Return a worker that has run the cells, without those that do not end."""
        while True:
            self.worker = worker = _Worker(self.hand_in, self.left_out, self.limits)
            if self.interrupted:
                raise AbvizError("it was interrupted")
            with worker.clock(max(SECONDS_TO_START, self.limits.seconds)):
                problem, self.cells = worker.receive()
            if problem:
                raise AbvizError(problem)
            try:
                for running in [i for i in range(len(self.cells)) if i not in self.left_out]:
                    with worker.clock(self.limits.seconds):
                        if message := worker.receive():
                            self.problems[running] = Problem(message)
            except Problem as problem:
                self._close()
                self.problems[running] = problem
                self.left_out.append(running)
                if len(self.left_out) == MOST_RESTARTS:
                    later = range(running + 1, len(self.cells))
                    self.problems |= dict.fromkeys(later, Problem("too many cells before it did not end"))
                    self.left_out += later
                continue
            with worker.clock(self.limits.seconds):
                self.answers = worker.receive()
            return worker

    def _grade(self) -> None:
        answered = {*self.answers, *(name for i in self.problems for name in self.cells[i][1])}
        folder = self.hand_in.path.parent
        files = [each for each in folder.iterdir() if each.suffix.lower() in KINDS]
        if self.hand_in.own_folder and len(files) > 1 and answered.isdisjoint(self.names or EXERCISES):
            return  # it may be a helper
        for name in self.names or [name for name in EXERCISES if name in answered]:
            begin = monotonic()
            self._add(self._verdict(name) if name in self.answers else self._missing(name), monotonic() - begin)
        for i, problem in sorted(self.problems.items()):
            self.graded.notes.append(f"{self.cells[i][0]} was left out: {problem}")
        for path in files if self.hand_in.own_folder else ():
            if path.stem in sys.stdlib_module_names:
                self.graded.notes.append(f"{path.name} is not imported: Python has a module of that name")

    def _missing(self, name: str) -> Verdict:
        """Return the verdict on an exercise without an answer: its cell was left out, or nothing has its name."""
        for i, problem in self.problems.items():
            title, defines = self.cells[i]
            if name in defines:
                message = f"{title[:1].upper()}{title[1:]}, which defines it, was left out: {problem}"
                return Verdict(name, problem.status, message)
        own_name = name.replace("-", "_")
        return Verdict(name, NOT_YET, f"Nothing of its own is named {own_name}.", hints=EXERCISES[name].hints)

    def _verdict(self, name: str) -> Verdict:
        exercise, self.runs, self.running = find(name), [], None
        try:
            worker = self.worker or self._start()
            if isinstance(exercise, DataExercise):
                with worker.clock(self.limits.seconds):
                    worker.send((name, None))
                    data = worker.receive()
                return exercise.judge(data[0] if data else "a function")
            return exercise.judge(lambda jobs: self._ask(worker, name, jobs))
        except Problem as problem:
            self._close()
            tree = self.running.tree if self.running else None
            where = f"On {written(tree)}" if tree else "When its answer was read,"
            return Verdict(name, problem.status, f"{where} {problem}.", tree=tree, hints=exercise.hints)
        except Exception as error:
            return Verdict(name, ERROR, f"It cannot be checked: {type(error).__name__}: {error}")

    def _ask(self, worker: _Worker, name: str, jobs: Sequence[Job]) -> list[Observation]:
        """Return what the answer does in these runs."""
        first = len(self.runs)
        with worker.clock(self.limits.seconds):
            worker.send((name, list(map(_request, jobs))))
            for self.running in jobs:
                value, leaves, problem, details = worker.receive()
                self.runs.append((self.running, Observation(value, tuple(leaves), problem, details)))
        return [run for _, run in self.runs[first:]]

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
        runs = [(job, run) for job, run in self.runs if job.arguments == exercise.cases[0].arguments]
        values = [(exercise.read(job, run), exercise.right(job)) for job, run in runs]
        return all(not run.problem and run.value == right.value for run, right in values)


@lru_cache(100_000)
def _request(job: Job) -> tuple[bytes, tuple[Any, ...], str]:
    """Return the job as it is sent; the same jobs come again in each hand-in."""
    return pickle.dumps(job.tree), job.arguments, job.how
