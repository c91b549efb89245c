"""A hand-in's process, from outside: it is started, spoken to a line at a time, kept to its time, and ended."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NoReturn

from abviz.grading.handins import HandIn
from abviz.grading.wire import MOST_LETTERS
from abviz.watching import OutOfTime

PACKAGE = Path(__file__).resolve().parents[1]
HOUSE = PACKAGE.parent
IS_CHECKOUT = (HOUSE / "pyproject.toml").is_file()
BEGIN = "import sys; sys.path.append(sys.argv[1]); from abviz.grading.inside import main; main()"
KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ")  # of the environment
OWN_FOLDER = ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
LOOK = 0.05  # seconds between two looks at the clock
MOST_WAIT = 3  # times its own time, for which a busy machine may keep a process waiting


class Gone(OutOfTime):
    """The process has ended, or was ended. Not an Exception: no exercise takes it for something the answer raised."""


class Process:
    """A process with a hand-in read in it. `gone` says why there is none any more, and `late` that its time was up.

    The clock runs while it is the process's turn: what the grader does meanwhile costs a hand-in nothing.
    """

    def __init__(self, hand_in: HandIn, names: list[str], seconds: float, megabytes: int, rehearses: bool = False):
        self.hand_in, self.names, self.rehearses = hand_in, names, rehearses
        self.seconds, self.megabytes = seconds, megabytes
        self.found: list[str] = []  # exercises that it answers
        self.holds: list[str] = []  # limits that its system keeps
        self.problem = ""  # what went wrong while the hand-in was read, and did not end the process
        self.start()

    def start(self) -> None:
        self.gone, self.late = "", False
        self.used, self._since = 0.0, float("inf")
        self._waited_before = 0.0
        self._buffer = b""
        self._over = threading.Event()
        self._folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name).resolve()
        self.hand_in.copy_to(folder)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(HOUSE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(str(folder)),
            start_new_session=True,
            bufsize=0,
        )
        threading.Thread(target=self._watch, daemon=True).start()
        with suppress(Gone):
            self._begin(folder)

    def _begin(self, folder: Path) -> None:
        self.say(
            folder=str(folder),
            house=str(HOUSE) if IS_CHECKOUT else "",
            closed=[str(path) for path in (*_closed(), self.hand_in.beside)],
            megabytes=self.megabytes,
            cells=self.hand_in.cells,
            file=self.hand_in.path.name,
            module=self.hand_in.module,
            names=self.names,
            rehearses=self.rehearses,
        )
        _, self.holds, _ = self.hear()
        self.wind_up()
        _, self.found, self.problem, _ = self.hear()

    def end(self) -> None:
        self._kill()
        self._folder.cleanup()

    def wind_up(self) -> None:
        """All its time is before it again."""
        self.used, self._waited_before = 0.0, _waited(self._process.pid)

    def say(self, *message: Any, **named: Any) -> None:
        self.send(json.dumps(named or message).encode() + b"\n")

    def send(self, lines: bytes) -> None:
        if self.gone:
            raise Gone
        try:
            assert self._process.stdin is not None
            waiting = memoryview(lines)
            while waiting:
                waiting = waiting[self._process.stdin.write(waiting) :]
        except OSError:
            self.give_up("")

    def hear(self, patience: float = float("inf")) -> list[Any]:
        """The next message; its last part is what was looked at before. Nothing, if none comes for so many seconds."""
        if self.gone:
            raise Gone
        self._since = perf_counter()
        line = self._line(patience)
        self.used += perf_counter() - self._since
        self._since = float("inf")
        if line == b"":
            return []
        if line is None:
            self.give_up("")
        try:
            heard = json.loads(line)
        except (ValueError, RecursionError):
            heard = None
        if not isinstance(heard, list) or len(heard) < 2 or not isinstance(heard[-1], list):
            self.give_up("it said what nobody had asked")
        return heard

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

    def _watch(self) -> None:
        process, over = self._process, self._over
        while not over.wait(LOOK):
            used = self.used + perf_counter() - self._since
            if used > self.seconds:
                waited = _waited(process.pid) - self._waited_before
                if used - min(waited, MOST_WAIT * self.seconds) > self.seconds:
                    self.late = True
                    _kill(process)
                    return

    def give_up(self, why: str) -> NoReturn:
        """Nothing more is to be had of it."""
        if not why and not self.late:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            status = self._process.poll()
            why = "it closed the connection" if status is None else f"its process ended ({_status(status)})"
        self.gone = f"it was stopped after {self.seconds:g} seconds" if self.late else why
        self._kill()
        raise Gone

    def _kill(self) -> None:
        self._over.set()
        _kill(self._process)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


def _environment(folder: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | dict.fromkeys(OWN_FOLDER, folder) | {"MPLBACKEND": "Agg"} | ONE_THREAD


def _closed() -> list[Path]:
    """What a hand-in may not read: the sources of abviz, and in a checkout the tests, where the solutions are."""
    free = (PACKAGE, PACKAGE / "trees", HOUSE / "trees")
    folders = (PACKAGE, HOUSE) if IS_CHECKOUT else (PACKAGE,)
    return [path for folder in folders for path in folder.iterdir() if path.name[0] != "." and path not in free]


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # its group is its own, since it was started with a session
    process.kill()


def _waited(pid: int) -> float:
    """Seconds for which the processes of others kept it and the grader from running. Only Linux tells."""
    try:
        delays = [Path(f"/proc/{each}/schedstat").read_text().split()[1] for each in (pid, "self")]
        return sum(map(int, delays)) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _status(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
