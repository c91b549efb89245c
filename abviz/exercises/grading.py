"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and add up the points."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from typing import Any

from abviz.errors import AbvizError, count, visible
from abviz.exercises.catalogue import EXERCISES, find
from abviz.exercises.observation import STOPPED, Job, Observation
from abviz.exercises.reports import ERROR, TIMEOUT, Graded, Report, Result
from abviz.exercises.search_exercise import SearchExercise
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.exercises.worker import python_name
from abviz.tree.model import Tree

FILE = "(file)"  # stands for the exercise where a file cannot be read
KINDS = (".ipynb", ".py")
SECONDS_TO_START = 60.0  # for a worker, even on a busy machine
MOST_RESTARTS = 8  # for cells that do not end
LONGEST_MESSAGE = 1_000_000  # from a worker, in bytes
BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from abviz.exercises.worker import main; del sys.path[0]; main()"
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class HandIn:
    """One file. If it is in a folder of its own below the given path, that folder is copied with it."""

    path: Path
    own_folder: bool = False

    @property
    def label(self) -> str:
        return visible(str(self.path))


@dataclass(frozen=True)
class Limits:
    seconds: float = 10.0  # for each cell, and each time that an answer is asked for its runs
    megabytes: int = 1024


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    hand_ins: dict[Path, HandIn] = {}
    not_read: list[str] = []
    for path in map(Path, paths):
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        if not path.is_dir() and path.suffix.lower() not in KINDS:
            raise AbvizError(f"{visible(str(path))} is not a hand-in; expected {', '.join(KINDS)} or a folder")
        below = [each for each in sorted(path.rglob("*")) if not _is_hidden(each.relative_to(path))]
        # a link in a folder of hand-ins may lead to the work of another student
        files = [each for each in below if each.suffix.lower() in KINDS and each.is_file() and not each.is_symlink()]
        for file in files if path.is_dir() else [path]:
            hand_ins[file.absolute()] = HandIn(file, file.parent != path != file)
        entries = [each for each in below if each.parent == path]
        not_read += [str(each) for each in entries if not any(file.is_relative_to(each) for file in files)]
    if not hand_ins:
        raise AbvizError(f"there is no hand-in; expected files that end in {' or '.join(KINDS)}")
    return list(hand_ins.values()), list(map(visible, not_read))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "__")) for part in path.parts)


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
    report = Report({}, list(not_read))
    graders = [_Grader(each, names, weights, limits) for each in hand_ins]
    with (
        ThreadPoolExecutor(jobs) as pool,
        Progress(console=Console(stderr=True), disable=not show_progress, transient=True) as progress,
    ):
        task = progress.add_task("Checking", total=len(hand_ins))
        futures = {pool.submit(grader.grade): grader for grader in graders}
        try:
            for future in as_completed(futures):
                report.hand_ins[futures[future].hand_in.label] = future.result()
                progress.advance(task)
        except KeyboardInterrupt:
            report.interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for grader in graders:
                grader.interrupt()
    labels = [each.label for each in hand_ins if each.label in report.hand_ins]
    report.hand_ins = {label: report.hand_ins[label] for label in labels}
    own = [
        (each.path.parent, report.hand_ins[each.label]) for each in hand_ins if each.own_folder and each.label in labels
    ]
    answered = {folder for folder, graded in own if graded.answers}
    for folder, graded in own:  # a file that answers nothing, next to one that does, is its helper
        if folder in answered and not graded.answers:
            graded.results.clear()
    return report


# the worker


class Gone(Exception):
    """The worker has ended, or was stopped because it was late."""

    def __init__(self, why: str, late: bool = False):
        super().__init__(why)
        self.late = late


class _Worker:
    """A process that runs one hand-in in a copy of its folder."""

    def __init__(self, hand_in: HandIn, skipped: Iterable[int], limits: Limits):
        self.folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        self.trees: dict[int, Tree] = {}  # by id: those that it has, which are sent once
        self.late = ""  # why it was stopped
        shutil.copyfile(hand_in.path, Path(self.folder.name, hand_in.path.name))
        if hand_in.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(hand_in.path.parent, self.folder.name, symlinks=True, ignore=hidden, dirs_exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ") if name in os.environ}
        own = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR"), self.folder.name)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(PACKAGE_PARENT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env=kept | own | {"MPLBACKEND": "Agg"},
            start_new_session=True,
        )
        self.send((hand_in.path.name, list(EXERCISES), set(skipped), limits.megabytes))

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

    def receive(self, *kinds: str) -> list[Any]:
        """Return the next message, which has to be of one of these kinds."""
        assert self.process.stdout
        line = self.process.stdout.readline(LONGEST_MESSAGE)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, list) and message and message[0] in kinds:
            return message
        why = self.late or ("it returned too large a value, or sent no result" if line else self._end())
        self.close()
        raise Gone(why, late=bool(self.late))

    def _end(self) -> str:
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "its process closed the connection"
        return f"its process ended ({f'exit status {status}' if status >= 0 else signal.Signals(-status).name})"

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if os.name == "posix" else self.process.kill()

    def close(self) -> None:
        self.kill()
        self.process.wait()
        self.folder.cleanup()


# the grader


class _Grader:
    """Grades one hand-in, with one worker at a time."""

    def __init__(self, hand_in: HandIn, names: list[str], points: dict[str, float], limits: Limits):
        self.hand_in, self.names, self.points, self.limits = hand_in, names, points, limits
        self.graded = Graded()
        self.worker: _Worker | None = None
        self.interrupted = False
        self.cells: list[tuple[str, list[str]]] = []  # place and first line, exercises that it defines
        self.problems: dict[int, Gone | str] = {}  # of cells; one that ended the worker is not run again
        self.answers: list[str] = []  # exercises with an answer
        self.runs: list[tuple[Job, Observation]] = []  # of the answer that is being graded
        self.late: Gone | None = None  # why it was stopped

    def interrupt(self) -> None:
        self.interrupted = True
        if self.worker:
            self.worker.kill()

    def grade(self) -> Graded:
        try:
            self._grade()
        except Exception as error:  # a worker that sends nonsense costs only its own hand-in
            problem = str(error) if isinstance(error, AbvizError) else f"{type(error).__name__}: {error}"
            for name in self.names or [FILE]:
                self._add(Verdict(name, ERROR, f"It cannot be graded: {problem}"))
        finally:
            if self.worker:
                self.worker.close()
        return self.graded

    def _grade(self) -> None:
        self._start()
        answered = {*self.answers, *(name for i in self.problems for name in self.cells[i][1])}
        self.graded.answers = not answered.isdisjoint(self.names or EXERCISES)
        for name in self.names or [name for name in EXERCISES if name in answered]:
            begin = monotonic()
            self._add(self._verdict(name), monotonic() - begin)
        self.graded.notes += [f"{self.cells[i][0]} was left out: {why}" for i, why in sorted(self.problems.items())]
        for path in self.hand_in.path.parent.glob("*.py") if self.hand_in.own_folder else ():
            if path.stem in sys.stdlib_module_names:
                self.graded.notes.append(f"{path.name} is not imported: Python has a module of that name")

    def _start(self) -> None:
        """Start a worker and let it run the cells, without those that do not end."""
        while True:
            skipped = [i for i, why in self.problems.items() if isinstance(why, Gone)]
            try:
                self.worker = _Worker(self.hand_in, skipped, self.limits)
            except OSError as error:
                raise AbvizError(f"it cannot be read: {error.strerror or error}") from None
            if self.interrupted:
                raise AbvizError("it was interrupted")
            running = -1
            try:
                while (running := self._next_message(self.worker, running)) < len(self.cells):
                    pass
                return
            except Gone as gone:
                if running < 0:
                    raise AbvizError(f"while it was read, {gone}") from None
                self.problems[running] = gone
            if len(skipped) == MOST_RESTARTS:
                later = range(running + 1, len(self.cells))
                self.problems |= dict.fromkeys(later, Gone(f"{count(MOST_RESTARTS + 1, 'cell')} before it did not end"))

    def _next_message(self, worker: _Worker, running: int) -> int:
        """Return the number of the cell that runs after the next message; their count once all have run."""
        with worker.clock(self.limits.seconds if running >= 0 else max(SECONDS_TO_START, self.limits.seconds)):
            match worker.receive("unreadable", "cells", "cell", "failed", "ready"):
                case "unreadable", problem:
                    raise AbvizError(f"it cannot be read: {problem}")
                case "cells", cells:
                    self.cells = cells
                case "cell", i:
                    return int(i)
                case "failed", i, problem:
                    self.problems[i] = problem
                case "ready", answers, unlimited:
                    self.answers = answers
                    self.graded.unlimited |= set(unlimited)
                    return len(self.cells)
        return running

    def _verdict(self, name: str) -> Verdict:
        exercise, self.runs, self.late = EXERCISES[name], [], None
        if name not in self.answers:
            return self._missing(name)
        try:
            if self.worker is None:
                self._start()
            if not getattr(exercise, "is_data", False):
                verdict = exercise.judge(lambda jobs: self._ask(name, jobs))
                return replace(verdict, status=TIMEOUT) if self.late else verdict
            assert self.worker
            with self.worker.clock(self.limits.seconds):
                self.worker.send(("data", name))
                kind, data = self.worker.receive("data", "function")
            if kind == "function":  # race takes its function, mended, as well
                judge = getattr(exercise, "judge_function", None)
                return judge(lambda jobs: self._ask(name, jobs)) if judge else exercise.judge("a function")
            return exercise.judge(data)
        except Gone as gone:
            self.worker = None
            tree = self.runs[-1][0].tree if self.runs else None
            message = f"On {written(tree)} {gone}." if tree else f"When its answer was read, {gone}."
            return Verdict(name, TIMEOUT if gone.late else ERROR, message, tree=tree, hints=exercise.hints)
        except Exception as error:
            return Verdict(name, ERROR, f"It cannot be checked: {type(error).__name__}: {error}")

    def _ask(self, name: str, jobs: Sequence[Job]) -> list[Observation]:
        """Return what the answer does in these runs, or in fewer if it is stopped: that is the problem of the last."""
        if self.late:
            raise self.late
        assert self.worker
        new = {id(job.tree): job.tree for job in jobs if id(job.tree) not in self.worker.trees}
        self.worker.trees |= new
        first = len(self.runs)
        with self.worker.clock(self.limits.seconds):
            self.worker.send(("run", name, new, [(id(job.tree), job.arguments, job.how) for job in jobs]))
            for job in jobs:
                self.runs.append((job, Observation(None)))  # its tree is named if the worker ends here
                try:
                    _, value, leaves, problem, details = self.worker.receive("ran")
                except Gone as gone:
                    if not gone.late:
                        raise
                    self.late, self.worker = gone, None
                    self.runs[-1] = job, Observation(None, problem=str(gone))
                    break
                self.runs[-1] = job, Observation(value, tuple(leaves), problem, details)
        return [run for _, run in self.runs[first:]]

    def _missing(self, name: str) -> Verdict:
        """Return the verdict on an exercise without an answer: its cell failed, or nothing has its name."""
        for i, why in self.problems.items():
            place, defines = self.cells[i]
            if name in defines:
                status = TIMEOUT if isinstance(why, Gone) and why.late else ERROR
                return Verdict(name, status, f"{place[:1].upper()}{place[1:]}, which defines it, was left out: {why}")
        return Verdict(name, NOT_YET, f"Nothing in it is named {python_name(name)}.", hints=EXERCISES[name].hints)

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
