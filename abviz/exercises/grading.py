"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and add up the points."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic
from typing import Any

from abviz.errors import AbvizError, visible
from abviz.exercises.catalogue import EXERCISES, find
from abviz.exercises.observation import STOPPED, Job, Observation
from abviz.exercises.reports import ERROR, TIMEOUT, Graded, Report, Result
from abviz.exercises.search_exercise import SearchExercise
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, written
from abviz.exercises.worker import MOST_CHARACTERS, python_name
from abviz.tree.model import Tree

FILE = "(file)"  # stands for the exercise where a file cannot be read
KINDS = (".ipynb", ".py")
MOST_BYTES = 50_000_000  # of a hand-in and what is beside it in its own folder
MOST_RESTARTS = 8  # for cells that do not end
LENIENT = 3  # times its own time, that a busy machine may keep a worker waiting
PACKAGE_PARENT = Path(__file__).resolve().parents[2]
BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from abviz.exercises.worker import main; del sys.path[0]; main()"


@dataclass(frozen=True)
class HandIn:
    """One file. Where it is in a folder of its own below the given path, that folder is copied with it."""

    label: str
    path: Path
    own_folder: bool = False


@dataclass(frozen=True)
class Limits:
    seconds: float = 10.0  # for each cell, and each time that an answer is asked for its runs
    megabytes: int = 1024


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be one."""
    files: dict[Path, HandIn] = {}
    not_read: list[str] = []
    for path in map(Path, paths):
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        if not path.is_dir() and path.suffix.lower() not in KINDS:
            raise AbvizError(f"{visible(str(path))} is not a hand-in; expected {', '.join(KINDS)} or a folder")
        below = list(_below(path)) if path.is_dir() else [path]
        # a link in a folder of hand-ins may lead to the work of another student
        inside = [each for each in below if each.suffix.lower() in KINDS and (each == path or not each.is_symlink())]
        files |= {each.absolute(): HandIn(visible(str(each)), each, each.parent != path != each) for each in inside}
        for entry in sorted(path.iterdir()) if path.is_dir() else ():
            if not _is_hidden(entry.name) and not any(each.is_relative_to(entry) for each in inside):
                not_read.append(visible(f"{entry}{os.sep * entry.is_dir()}"))
    if not files:
        raise AbvizError(f"there is no hand-in; expected files that end in {' or '.join(KINDS)}")
    return list(files.values()), not_read


def _below(folder: Path) -> Iterator[Path]:
    """Yield the files in it and below, links too, in the order of their names."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        yield from (Path(place, name) for name in sorted(files) if not _is_hidden(name))


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__"))


def _copy(hand_in: HandIn, to: Path) -> None:
    """Copy the file and the other files of its own folder. Raise OSError if that cannot be done."""
    if not hand_in.path.is_file():
        raise OSError(0, "not a regular file")
    source, left = hand_in.path.parent, MOST_BYTES
    for path in (hand_in.path, *(_below(source) if hand_in.own_folder else ())):
        if path == hand_in.path or (path.is_file() and not path.is_symlink()):
            left -= path.stat().st_size
            if left < 0:
                raise OSError(0, f"more than {MOST_BYTES:,} bytes")
            target = to / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


# the worker


class Gone(Exception):
    """The worker has ended, or was stopped because it was late."""

    def __init__(self, why: str, late: bool = False):
        super().__init__(why)
        self.late = late


class OwnSearch(Exception):
    """The answer calls abviz's own search."""


class _Worker:
    """A process that runs one hand-in."""

    def __init__(self, hand_in: HandIn, skipped: Iterable[int], limits: Limits, stop: Event):
        self.seconds, self.stop = limits.seconds, stop
        self.lines, self.rest = deque[bytes](), b""
        self.trees: dict[int, Tree] = {}  # by id: those that it has, which are sent once
        self.chunks: Queue[bytes] = Queue(maxsize=64)
        self.folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        _copy(hand_in, Path(self.folder.name))
        kept = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ")
        own = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "IPYTHONDIR"), self.folder.name)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(PACKAGE_PARENT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env={name: os.environ[name] for name in kept if name in os.environ} | own | {"MPLBACKEND": "Agg"},
            start_new_session=True,
        )
        Thread(target=self._read, daemon=True).start()
        self.send((hand_in.path.name, list(EXERCISES), set(skipped), limits.megabytes))

    def _read(self) -> None:
        assert self.process.stdout
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            self.chunks.put(chunk)
        self.chunks.put(b"")

    def send(self, request: Any) -> None:
        """Send the request, in a thread: a worker that does not read it leaves the pipe full."""
        self.restart_clock()
        data = pickle.dumps(request)
        Thread(target=self._write, args=(data,), daemon=True).start()

    def _write(self, data: bytes) -> None:
        assert self.process.stdin
        with suppress(OSError, ValueError):
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def restart_clock(self) -> None:
        self.begin, self.delay = monotonic(), self._delay()

    def hear(self, *kinds: str) -> list[Any]:
        """Return the next message, which has to be of one of these kinds; raise Gone if none comes in time."""
        while not self.lines:
            if self.stop.is_set():
                raise KeyboardInterrupt
            late = monotonic() - self.begin - self.seconds
            if late > 0 and late > min(LENIENT * self.seconds, self._delay() - self.delay):
                raise self._gone(f"{STOPPED}{self.seconds:g} second{'s' * (self.seconds != 1)}", late=True)
            with suppress(Empty):
                chunk = self.chunks.get(timeout=0.1)
                *lines, self.rest = (self.rest + chunk).split(b"\n")
                self.lines.extend(lines)
                if not chunk or len(self.rest) > MOST_CHARACTERS:
                    raise self._gone("")
        try:
            message = json.loads(self.lines.popleft())
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, list) or not message or message[0] not in kinds:
            raise self._gone("it sent something that is not a result")
        return message

    def _delay(self) -> float:
        """Return the seconds for which the process was kept waiting for a processor. Only Linux knows."""
        try:
            return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0

    def _gone(self, why: str, late: bool = False) -> Gone:
        if not why:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
            code = self.process.poll()
            why = "its process closed the connection"
            if code is not None:
                known = {-number.value: number.name for number in signal.Signals}
                why = f"its process ended ({known.get(code, f'exit status {code}')})"
        self.close()
        return Gone(why, late)

    def close(self) -> None:
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        with suppress(OSError, RecursionError):  # folders a thousand levels deep
            self.folder.cleanup()


# grading


def grade(
    hand_ins: Sequence[HandIn],
    exercises: Iterable[str] = (),
    *,
    points: dict[str, float] | None = None,
    limits: Limits = Limits(),
    jobs: int = 1,
    not_read: Sequence[str] = (),
    show_progress: bool = False,
) -> Report:
    """Grade the hand-ins on these exercises, or on all that they answer. An interrupt ends with what is done."""
    from rich.console import Console
    from rich.progress import Progress

    wanted = [find(name).name for name in exercises]
    worth = {find(name).name: each for name, each in (points or {}).items()}
    stop, done = Event(), dict[str, Graded]()
    with (
        ThreadPoolExecutor(jobs) as pool,
        Progress(console=Console(stderr=True), disable=not show_progress, transient=True) as progress,
    ):
        task = progress.add_task("Checking", total=len(hand_ins))
        graders = {pool.submit(_Grader(each, wanted, worth, limits, stop).grade): each for each in hand_ins}
        try:
            for future in as_completed(graders):
                done[graders[future].label] = future.result()
                progress.advance(task)
        except KeyboardInterrupt:
            stop.set()
            pool.shutdown(cancel_futures=True)
    ordered = {each.label: done[each.label] for each in hand_ins if each.label in done}
    own = [each for each in hand_ins if each.own_folder and each.label in done]
    answered = {each.path.parent for each in own if done[each.label].answers}
    for each in own:  # a file that answers nothing beside one that does is its helper
        if each.path.parent in answered and not done[each.label].answers:
            ordered[each.label].results.clear()
    return Report(ordered, list(not_read), interrupted=stop.is_set())


class _Grader:
    """Grades one hand-in, with one worker at a time."""

    def __init__(self, hand_in: HandIn, wanted: list[str], points: dict[str, float], limits: Limits, stop: Event):
        self.hand_in, self.wanted, self.points, self.limits, self.stop = hand_in, wanted, points, limits, stop
        self.graded = Graded()
        self.worker: _Worker | None = None
        self.cells: list[tuple[str, list[str]]] = []  # place and first line, exercises that it defines
        self.problems: dict[int, Gone | str] = {}  # of cells; one that ended the worker is not run again
        self.found: list[str] = []
        self.names: list[str] = []
        self.seen: list[tuple[Job, Observation]] = []  # of the exercise that is being graded
        self.late: Gone | None = None  # why its answer was stopped

    def grade(self) -> Graded:
        try:
            self._grade()
        except Exception as problem:  # a worker that sends nonsense costs only its own hand-in
            self._add(FILE, Verdict(FILE, ERROR, f"It could not be graded: {type(problem).__name__}: {problem}"))
        finally:
            if self.worker:
                self.worker.close()
        return self.graded

    def _grade(self) -> None:
        if problem := self._start():
            for name in self.wanted or [FILE]:
                self._add(name, Verdict(name, ERROR, problem))
            return
        answered = {*self.found, *(name for i in self.problems for name in self.cells[i][1])}
        self.graded.answers = not answered.isdisjoint(self.wanted or EXERCISES)
        for name in self.wanted or [name for name in EXERCISES if name in answered]:
            begin = monotonic()
            self._add(name, self._verdict(name), monotonic() - begin)
        self.graded.notes += [f"{self.cells[i][0]} was left out: {why}" for i, why in sorted(self.problems.items())]
        for path in self.hand_in.path.parent.glob("*.py") if self.hand_in.own_folder else ():
            if path.stem in sys.stdlib_module_names:
                self.graded.notes.append(f"{path.name} is not imported: Python has a module of that name")

    def _start(self) -> str:
        """Start a worker and let it run the cells, without those that do not end. Return why that cannot be done."""
        while True:
            if self.worker:
                self.worker.close()
            running, skipped = -1, [i for i, why in self.problems.items() if isinstance(why, Gone)]
            try:
                self.worker = worker = _Worker(self.hand_in, skipped, self.limits, self.stop)
                while True:
                    match worker.hear("unreadable", "cells", "cell", "failed", "ready"):
                        case "unreadable", problem:
                            return f"It cannot be read: {problem}"
                        case "cells", cells:
                            self.cells = cells
                        case "cell", running:
                            worker.restart_clock()
                        case "failed", i, problem:
                            self.problems[i] = problem
                        case "ready", found, names, unlimited:
                            self.found, self.names = found, names
                            self.graded.unlimited |= set(unlimited)
                            return ""
            except OSError as problem:
                return f"It cannot be read: {problem.strerror or problem}"
            except Gone as gone:
                if running < 0:
                    return f"While it was read, {gone}"
                self.problems[running] = gone
                if len(skipped) >= MOST_RESTARTS:
                    later = range(running + 1, len(self.cells))
                    self.problems |= dict.fromkeys(later, Gone(f"{MOST_RESTARTS + 1} cells before it did not end"))

    def _verdict(self, name: str) -> Verdict:
        exercise, self.seen, self.late = EXERCISES[name], [], None
        if name not in self.found:
            return self._missing(name)
        assert self.worker
        try:
            if not getattr(exercise, "is_data", False):
                verdict = exercise.judge(lambda jobs: self._ask(name, jobs))
                return self._stopped(verdict) if self.late else verdict
            self.worker.send(("data", name))
            kind, *answer = self.worker.hear("data", "function", "too large")
            if kind == "function":  # race takes its function, mended, as well
                judge = getattr(exercise, "judge_function", None)
                return judge(lambda jobs: self._ask(name, jobs)) if judge else exercise.judge("a function")
            if kind == "data":
                return exercise.judge(answer[0])
            return Verdict(name, WRONG, "The answer is too large to be read.", hints=exercise.hints)
        except OwnSearch as search:
            return Verdict(name, WRONG, f"It calls {search}, abviz's own search; expected one of your own.")
        except Gone as gone:
            tree = self.seen[-1][0].tree if self.seen else None
            message = f"On {written(tree)} {gone}." if tree else f"When its answer was read, {gone}."
            return self._stopped(Verdict(name, ERROR, message, tree=tree, hints=exercise.hints), gone.late)
        except Exception as problem:
            return Verdict(name, ERROR, f"It could not be checked: {type(problem).__name__}: {problem}")

    def _stopped(self, verdict: Verdict, late: bool = True) -> Verdict:
        """Start a new worker for the other answers, and return the verdict."""
        self._start()
        return replace(verdict, status=TIMEOUT if late else ERROR)

    def _ask(self, name: str, jobs: Sequence[Job]) -> list[Observation]:
        """Return what the answer does in these runs, or in fewer if it is stopped: that is the problem of the last."""
        assert self.worker
        if self.late:
            raise self.late
        trees = {id(job.tree): job.tree for job in jobs if id(job.tree) not in self.worker.trees}
        self.worker.trees |= trees
        self.worker.send(("run", name, trees, [(id(job.tree), job.arguments, job.how) for job in jobs]))
        first, searches = len(self.seen), list[str]()
        for job in jobs:
            self.seen.append((job, Observation(None)))  # its tree is named if the worker ends here
            try:
                _, *message = self.worker.hear("ran", "too large")
            except Gone as gone:
                if not gone.late:
                    raise
                self.late = gone
                self.seen[-1] = job, Observation(None, problem=str(gone))
                break
            value, leaves, problem, details, own = message or [None, [], "it returns too large a value", None, []]
            self.seen[-1] = job, Observation(value, tuple(leaves), problem, details)
            searches += own
        if searches:
            raise OwnSearch(searches[0])
        return [seen for _, seen in self.seen[first:]]

    def _missing(self, name: str) -> Verdict:
        """Return the verdict on an exercise without an answer: its cell failed, or nothing has its name."""
        for i, why in self.problems.items():
            place, defines = self.cells[i]
            if name in defines:
                status = TIMEOUT if isinstance(why, Gone) and why.late else ERROR
                return Verdict(name, status, f"{place[:1].upper()}{place[1:]}, which defines it, was left out: {why}")
        alike = {each.replace("_", "").casefold(): each for each in self.names}
        near = get_close_matches(python_name(name).replace("_", "").casefold(), alike, 1, 0.85)
        but = f", but {alike[near[0]]} is there" if near else ""
        return Verdict(name, NOT_YET, f"Nothing in it is named {python_name(name)}{but}.", hints=EXERCISES[name].hints)

    def _add(self, name: str, verdict: Verdict, seconds: float = 0.0) -> None:
        part = float(verdict.status == RIGHT)
        if verdict.status == WRONG and verdict.points:
            part = min(1.0, verdict.points[0] / verdict.points[1])
        elif verdict.status == WRONG and self._values_are_right(name):
            part = 0.5
        of = self.points.get(name, 1.0)
        self.graded.results[name] = Result(verdict, part * of, of, seconds)

    def _values_are_right(self, name: str) -> bool:
        """Return whether a search returned the right value in every run, so that only the leaves it reads are wrong."""
        exercise = EXERCISES[name]
        if not isinstance(exercise, SearchExercise):
            return False
        runs = [(job, seen) for job, seen in self.seen if job.arguments == exercise.cases[0].arguments]
        values = [(exercise.read(job, seen), exercise.right(job)) for job, seen in runs]
        return all(not seen.problem and seen.value == right.value for seen, right in values)
