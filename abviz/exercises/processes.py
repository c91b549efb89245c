"""A student's file in a process of its own: a copy of its folder, a clean environment, and a time limit on each reply.

The process runs `main()` of a module of abviz, which limits itself before it reads the file (see `sandbox`). Requests
are pickles; replies are JSON lines, since nothing that runs there is trusted.
"""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from abviz.errors import AbvizError
from abviz.exercises.observation import STOPPED

SECONDS_TO_START = 60.0  # for a process, even on a busy machine
LONGEST_MESSAGE = 1_000_000  # from a process, in bytes
BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); from importlib import import_module; "
    "module = import_module(sys.argv[2]); del sys.path[0]; module.main()"
)
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


class Problem(AbvizError):
    """The reason why a process ended, or was stopped."""


class WorkerProcess:
    """Runs one file, and its folder if that is its own, in a process that executes a module of abviz."""

    process: subprocess.Popen[bytes]
    folder: TemporaryDirectory[str]

    def __init__(self, path: Path, module: str, *, own_folder: bool = False):
        self.path, self.module, self.own_folder = path, module, own_folder
        self.running = self.interrupted = False
        self.stopped = ""  # the reason, if the process was stopped

    def interrupt(self) -> None:
        """Stop the process now, and start no other."""
        self.interrupted = True
        if self.running:
            self._kill()

    def close(self) -> None:
        """End the process, if it runs, and remove its folder."""
        if self.running:
            self.running = False
            self._kill()
            with suppress(OSError), self.process:
                pass  # which closes its pipes, and waits for it
            del self.pickler  # and with it all that it remembers
            self.folder.cleanup()

    def start_process(self) -> None:
        """Start a process that has received nothing yet."""
        self.folder = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        path, folder = self.path, self.folder.name
        if self.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(path.parent, folder, symlinks=True, ignore=hidden, dirs_exist_ok=True)
        else:
            shutil.copy(path, folder)
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ") if name in os.environ}
        own = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), folder)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", BEGIN, str(PACKAGE_PARENT), self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=kept | own | {"MPLBACKEND": "Agg"},
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin, self.process.stdout
        self.pickler = pickle.Pickler(self.requests)  # what it has sent before, such as a tree, is not sent again
        self.running, self.stopped = True, ""
        if self.interrupted:
            raise AbvizError("it was interrupted")

    def receive(self, number: int, seconds: float, request: Any = None) -> Iterator[Any]:
        """Send the request, if there is one, and yield the next replies; raise Problem where the process ends instead.

        It is stopped if they take longer, and closed if they are not all read: the next ones would be out of step.
        """
        timer = Timer(seconds, self._stop, [seconds])
        timer.start()
        try:
            if request:
                with suppress(OSError):  # `_reply` finds out why the process has ended
                    self.pickler.dump(request)
                    self.requests.flush()
            for _ in range(number):
                yield self._reply()
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()

    def _reply(self) -> Any:
        line = self.replies.readline(LONGEST_MESSAGE)
        with suppress(ValueError, RecursionError):
            return json.loads(line)
        if line.endswith(b"\n") or len(line) == LONGEST_MESSAGE:
            raise Problem("it returned too large a value, or sent no result")
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            raise Problem("it closed its connection") from None
        names = {-each: each.name for each in signal.Signals}
        raise Problem(self.stopped or f"its process ended ({names.get(status, f'exit status {status}')})")

    def _stop(self, seconds: float) -> None:
        self.stopped = f"{STOPPED}{seconds:g} second{'s' * (seconds != 1)}"
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if os.name == "posix" else self.process.kill()
