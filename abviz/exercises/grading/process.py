"""A hand-in's process, from outside: it is started, spoken to a line at a time, kept to its time, and ended."""

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NoReturn

from abviz.exercises.grading import folders
from abviz.exercises.grading.handins import HandIn
from abviz.exercises.grading.systems import delay, environment, kill, status_of, threads_of, without_a_name
from abviz.exercises.grading.wire import MOST_LETTERS
from abviz.recording.watchdog import OutOfTime

PACKAGE = Path(__file__).resolve().parents[1]
HOUSE = PACKAGE.parent
IS_CHECKOUT = (HOUSE / "pyproject.toml").is_file()
# What a hand-in may not read: abviz, and in a checkout all else in it, such as the solutions. And what of it it may.
CLOSED = (PACKAGE, HOUSE) if IS_CHECKOUT else (PACKAGE,)
DATA = (PACKAGE / "trees", HOUSE / "trees") if IS_CHECKOUT else (PACKAGE / "trees",)
BEGIN = "import sys; sys.path.append(sys.argv[1]); from abviz.exercises.grading.inside import main; main()"
LOOK = 0.05  # seconds between two looks at the clock
MEASURE = 0.5  # and between two at its folder
MOST_WAIT = 3  # times its own time, for which a busy machine may keep a process waiting
MOST_LOOKS = 200_000  # told with one message
MOST_THREADS = 500
# Linux ends these processes together with the thread that has started them: one that lasts as long as the grader.
STARTER = ThreadPoolExecutor(1, thread_name_prefix="starts hand-ins")
UNASKED = "it said what nobody had asked"


class Gone(OutOfTime):
    """The process has ended, or was ended. Not an Exception: no exercise takes it for something the answer raised."""

    def __init__(self, late: bool):
        self.late = late


class Process:
    """A process with a hand-in read in it. `gone` says why there is none any more, and `late` that its time was up.

    The clock runs while it is the process's turn, to say something or to listen: what the grader does meanwhile costs a
    hand-in nothing. But at `ends` all is over, whosever turn it is.
    """

    def __init__(self, hand_in: HandIn, names: list[str], seconds: float, megabytes: int, rehearses: bool = False):
        self.hand_in, self.names, self.rehearses = hand_in, names, rehearses
        self.seconds, self.megabytes = seconds, megabytes
        self.found: list[str] = []  # exercises that it answers
        self.holds: list[str] = []  # limits that its system keeps
        self.seen: list[str] = []  # names of exercises that it seems to define
        self.others: list[str] = []  # and other names
        self.problem = ""  # what went wrong while the hand-in was read, and did not end the process
        self.at_most = self.ends = float("inf")
        self._changing, self._closed = threading.RLock(), False
        self.start()

    def start(self) -> None:
        with self._changing:
            if self._closed:
                raise Gone(self.late)
            folder = self._started()
        threading.Thread(target=self._watch, args=(folder,), daemon=True).start()
        with suppress(Gone):
            self._begin(folder)

    def _started(self) -> Path:
        """The folder in which it runs."""
        self.gone, self.late, self._stopped = "", False, ""
        self.used, self._since = 0.0, float("inf")
        self._waiting, self._delays = 0.0, dict[str, float]()
        self._speaker = threading.get_native_id()
        self._buffer = b""
        self._over = threading.Event()
        self._folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name).resolve()
        self.hand_in.copy_to(folder)
        self._held = folders.size(folder)
        self._process = STARTER.submit(
            subprocess.Popen,
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(HOUSE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment(str(folder)),
            start_new_session=True,
            bufsize=0,
        ).result()
        return folder

    def _begin(self, folder: Path) -> None:
        self.say(
            folder=str(folder),
            house=str(HOUSE) if IS_CHECKOUT else "",
            closed=[str(path) for path in (*CLOSED, *self.hand_in.closed)],
            data=[str(path) for path in DATA],
            megabytes=self.megabytes,
            file=self.hand_in.path.name,
            module=self.hand_in.module,
            names=self.names,
            rehearses=self.rehearses,
        )
        (holds,) = self.expect("ready", 1)
        self.holds = [str(each) for each in holds]
        self.wind_up()
        seen = self.expect("seen", 2)
        self.seen, self.others = ([name for name in names if isinstance(name, str)] for names in seen)
        found, problem = self.expect("read", 2)
        if not isinstance(found, list) or not isinstance(problem, str):
            self.give_up(UNASKED)
        self.found, self.problem = [name for name in self.names if name in found], problem

    def end(self) -> None:
        with self._changing:
            self._kill()
            if Path(self._folder.name).exists():
                folders.empty(Path(self._folder.name))
            self._folder.cleanup()

    def close(self) -> None:
        """End it for good: a thread that still speaks to it hears that it is gone, and cannot start it again."""
        with self._changing:
            self._closed, self.gone = True, self.gone or "nobody asks it any more"
            self.end()

    def wind_up(self) -> None:
        """All its time is before it again."""
        self.used = self._waiting = 0.0

    def until(self, seconds: float) -> None:
        """In so many seconds all is over."""
        self.at_most, self.ends = seconds, perf_counter() + seconds

    def say(self, *message: Any, **named: Any) -> None:
        self.send(json.dumps(named or message).encode() + b"\n")

    def send(self, lines: bytes) -> None:
        if self.gone:
            raise Gone(self.late)
        try:
            assert self._process.stdin is not None
            waiting = memoryview(lines)
            with self._its_turn():
                while waiting:
                    waiting = waiting[self._process.stdin.write(waiting) :]
        except OSError:
            self.give_up("")

    def hear(self, patience: float = float("inf")) -> list[Any]:
        """The next message; its last part is what was looked at before. Nothing, if none comes for so many seconds."""
        if self.gone:
            raise Gone(self.late)
        if b"\n" in self._buffer:  # it has come already, and waiting for it was counted then
            line = self._line(patience)
        else:
            with self._its_turn():
                line = self._line(patience)
        if line == b"":
            return []
        if line is None:
            self.give_up("")
        try:
            heard = json.loads(line)
        except (ValueError, RecursionError):
            heard = None
        if not isinstance(heard, list) or len(heard) < 2 or not isinstance(heard[0], str):
            self.give_up(UNASKED)
        if not isinstance(heard[-1], list) or len(heard[-1]) > MOST_LOOKS:
            self.give_up(UNASKED)
        return heard

    def expect(self, kind: str, parts: int) -> list[Any]:
        """The next message, which has to be of that kind, without its first and its last part."""
        told, *rest, _ = self.hear()
        if told != kind or len(rest) != parts:
            self.give_up(UNASKED)
        return rest

    @contextmanager
    def _its_turn(self) -> Iterator[None]:
        self._speaker = threading.get_native_id()
        begin = self._since = perf_counter()
        try:
            yield
        finally:
            self._since = float("inf")
            self.used += perf_counter() - begin

    def _line(self, patience: float) -> bytes | None:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            if os.name == "posix":  # the other end may be held open by a process that it has left behind
                while not select.select([pipe], [], [], min(patience, 1.0))[0]:
                    if self._process.poll() is not None:
                        return None
                    if patience < 1:
                        return b""
            part = os.read(pipe, 1 << 16)
            self._buffer += part
            if not part or len(self._buffer) > 2 * MOST_LETTERS:
                return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _watch(self, folder: Path) -> None:
        process, over, measured = self._process, self._over, perf_counter()
        while not over.wait(LOOK):
            now = perf_counter()
            self._waiting += self._delayed(process.pid)
            if self._is_late(now):
                self.late = True
                return kill(process)
            if threads_of(process.pid) > MOST_THREADS:
                self._stopped = "it was stopped with too many threads"
            elif now - measured > MEASURE:
                measured = now
                self._stopped = "it was stopped with too much in its folder" if self._has_outgrown(folder) else ""
            if self._stopped:
                return kill(process)

    def _delayed(self, pid: int) -> float:
        """Seconds for which other processes have kept it, or the thread that speaks to it, waiting since last asked."""
        told = 0.0
        for thread in (f"{pid}/task/{pid}", f"self/task/{self._speaker}"):
            now = delay(thread)
            told += max(0.0, now - self._delays.get(thread, now))
            self._delays[thread] = now
        return told

    def _is_late(self, now: float) -> bool:
        used = self.used + now - self._since - min(self._waiting, MOST_WAIT * self.seconds)
        return now > self.ends or used > self.seconds

    def _has_outgrown(self, folder: Path) -> bool:
        number, size = (now - before for now, before in zip(folders.size(folder), self._held, strict=True))
        size += without_a_name(self._process.pid)
        return number > folders.MOST_FILES or size > folders.MOST_BYTES

    def give_up(self, why: str) -> NoReturn:
        """Nothing more is to be had of it."""
        why = self._stopped or why
        if not why and not self.late:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            status = self._process.poll()
            why = "it closed the connection" if status is None else f"its process ended ({status_of(status)})"
        why = self._stopped or why  # it may have been ended while it was waited for
        seconds = self.at_most if perf_counter() > self.ends else self.seconds
        self.gone = f"it was stopped after {seconds:g} seconds" if self.late else why
        self._kill()
        raise Gone(self.late)

    def _kill(self) -> None:
        self._over.set()
        kill(self._process)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
