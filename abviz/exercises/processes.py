"""A student's file in a process of its own, and both ends of the connection with it.

The process runs `main()` of a module of abviz in a copy of the file's folder, with a clean environment. Requests are
pickles; replies are JSON lines, since nothing that runs there is trusted, with a time limit on each. The process limits
itself before it reads the file, and cannot take that back: Linux limits memory, processor time, files and processes
(setrlimit), and keeps the process from files outside its folder, from the network and from signals to other processes
(Landlock, from 5.13, 6.7 and 6.12 on). macOS limits processor time and the size of files, Windows nothing. All this
protects against accidents: code written to do harm belongs in a container.
"""

import ctypes
import json
import os
import pickle
import shutil
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from typing import Any

from abviz.errors import AbvizError
from abviz.exercises.observation import STOPPED

SECONDS_TO_START = 60.0  # for a process, even on a busy machine
LONGEST_MESSAGE = 1_000_000  # from a process, in bytes
BEGIN = "import sys; sys.path.insert(0, {!r}); from {} import main; del sys.path[0]; main()"
KEPT = "PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ"  # of the environment
PACKAGE = Path(__file__).resolve().parents[1]


class Problem(AbvizError):
    """The reason why a process ended, or was stopped."""


class WorkerProcess:
    """Runs one file, and its folder if that is its own, in a process that executes a module of abviz."""

    def __init__(self, path: Path, module: str, *, own_folder: bool = False):
        self.path, self.module, self.own_folder = path, module, own_folder
        self.running = self.interrupted = False
        self.resources = ExitStack()

    def start_process(self) -> None:
        """Start a process that has received nothing yet."""
        enter = self.resources.enter_context
        self.folder = enter(TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True))
        if self.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(self.path.parent, self.folder, symlinks=True, ignore=hidden, dirs_exist_ok=True)
        else:
            shutil.copy(self.path, self.folder)
        command = [sys.executable, "-I", "-X", "utf8", "-c", BEGIN.format(str(PACKAGE.parent), self.module)]
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        env = kept | dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self.folder) | {"MPLBACKEND": "Agg"}
        enter(suppress(OSError))  # of a pipe that is closed with something in it that nobody has read
        self.process = enter(
            Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=self.folder, env=env, start_new_session=True)
        )
        self.resources.callback(self.signal, "SIGKILL")
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin, self.process.stdout
        self.pickler = pickle.Pickler(self.requests)  # what it has sent before, such as a tree, is not sent again
        self.resources.callback(self.pickler.clear_memo)
        self.running = True
        if self.interrupted:
            raise AbvizError("it was interrupted")

    def signal(self, name: str) -> None:
        """Send a signal to the process and all that it has started. Windows has none but the one that ends it."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, getattr(signal, name))
            elif name == "SIGKILL":
                self.process.kill()

    def receive(self, number: int, seconds: float, request: Any = None) -> Iterator[Any]:
        """Send the request, if there is one, and yield the next replies; raise Problem where the process ends instead.

        It is stopped if they take longer, and closed if they are not all read: the next ones would be out of step.
        """
        deadline, timer = monotonic() + seconds, Timer(seconds, self.signal, ["SIGKILL"])
        timer.start()
        try:
            if request:
                with suppress(OSError):  # of a process that has ended: there is no reply
                    self.pickler.dump(request)
                    self.requests.flush()
            for _ in range(number):
                line = self.replies.readline(LONGEST_MESSAGE)
                if not line.endswith(b"\n") and len(line) < LONGEST_MESSAGE:
                    status = self.process.wait()  # for the timer, where it has only closed the connection
                    name = {-each: each.name for each in signal.Signals}.get(status, f"exit status {status}")
                    stopped = f"{STOPPED}{seconds:g} second{'s' * (seconds != 1)}"
                    raise Problem(f"its process ended ({name})" if monotonic() < deadline else stopped)
                try:
                    reply = json.loads(line)
                except (ValueError, RecursionError):
                    raise Problem("it returned too large a value, or sent no result") from None
                yield reply
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()

    def interrupt(self) -> None:
        """Stop the process now, and start no other."""
        self.interrupted = True
        if self.running:
            self.signal("SIGKILL")

    def close(self) -> None:
        """End the process, if it runs, and remove its folder."""
        self.running = False
        self.resources.close()


# in the process


def connect() -> tuple[pickle.Unpickler, Callable[[Any], None]]:
    """Return where requests are read and how replies are sent. Nothing else is read or printed from now on."""
    requests, replies = pickle.Unpickler(os.fdopen(os.dup(0), "rb")), os.fdopen(os.dup(1), "wb")
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)

    def reply(message: Any) -> None:
        replies.write(json.dumps(message).encode() + b"\n")
        replies.flush()  # each, so that the grader knows which run ended the process

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=replies.close)  # a child would reply a second time, or hold the pipe open
    return requests, reply


SYSTEM = (  # what Python and its packages read outside their own folders
    *("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/os-release"),
    *("/dev/random", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
MORE_TASKS = 200
ENDS_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38  # of prctl
# Landlock: three system calls, of the same numbers on every processor
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, READING, TRUNCATE = 0x1, 0xC, 0x4000
WRITING = 0x1FF2  # writing, removing, making files of every kind
OF_FILES = 0x6 | TRUNCATE  # the rights that a file can have: writing and reading, too
TCP = 0x3  # binding and connecting
SIGNALS = 0x2  # to processes other than its own children


def limit_process(megabytes: int, cpu_seconds: int = 600) -> None:
    """Apply all limits that this system can keep, and let the file import from its own folder. From then on a process
    cannot read abviz.exercises, which holds reference answers."""
    # a checkout holds the solutions, too
    sys.path[:] = [path for path in sys.path if not Path(path, "tests/solutions").is_dir()]
    readable = [
        *map(Path, (sys.prefix, sys.exec_prefix, sys.base_prefix, *sys.path, *SYSTEM)),
        PACKAGE.parent / "trees",
    ]
    readable += [path for path in PACKAGE.iterdir() if path.name != "exercises"]
    if sys.platform != "win32":
        import resource

        limits = {"CORE": 0, "CPU": cpu_seconds, "FSIZE": 20_000_000, "NOFILE": 128, "AS": megabytes << 20}
        with suppress(OSError, ValueError):  # threads count, and so does whatever else the user runs
            limits["NPROC"] = int(Path("/proc/loadavg").read_text().split()[3].split("/")[1]) + MORE_TASKS
        for name, limit in limits.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ENDS_WITH_PARENT, *map(ctypes.c_ulong, (signal.SIGKILL, 0, 0, 0)))
        if (version := landlock_version()) > 0:
            _landlock(version, readable)
    # before other packages, so that a student's helper is found; after Python's own, which a file called ast.py breaks
    place = next((i for i, path in enumerate(sys.path) if "-packages" in path), len(sys.path))
    sys.path.insert(place, str(Path.cwd()))


def landlock_version() -> int:
    """Return the version of Landlock in this kernel: 6 and later keep signals in; below 1 there is none."""
    return ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1) if sys.platform == "linux" else 0


def _landlock(version: int, readable: list[Path]) -> None:
    """Keep this process from writing outside the folder, from reading what it does not need, and from programs."""
    libc, writing = ctypes.CDLL(None), WRITING | TRUNCATE * (version >= 3)
    handled = struct.pack("=QQQ", EXECUTE | READING | writing, TCP * (version >= 4), SIGNALS * (version >= 6))
    rules = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    rights = dict.fromkeys(readable, READING) | dict.fromkeys((Path.cwd(), Path(os.devnull)), READING | writing)
    for path, allowed in rights.items():
        with suppress(OSError):
            place = os.open(path, os.O_PATH)
            allowed &= allowed if path.is_dir() else OF_FILES
            libc.syscall(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, place), 0)
            os.close(place)
    libc.prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    libc.syscall(RESTRICT_SELF, rules, 0)
