"""A process, as the operating system knows it: what it is started with, how it is ended, and what is told of it."""

import os
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ")  # of the environment
OWN_FOLDER = ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def environment(folder: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | dict.fromkeys(OWN_FOLDER, folder) | {"MPLBACKEND": "Agg"} | ONE_THREAD


def kill(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # its group is its own, since it was started with a session
    process.kill()


def delay(thread: str) -> float:
    """Seconds for which a thread, told by its path in /proc, was kept waiting for a processor. Only Linux tells."""
    try:
        return int(Path("/proc", thread, "schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def threads_of(pid: int) -> int:
    """How many threads a process has. Only Linux tells."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def without_a_name(pid: int) -> int:
    """Bytes in files that a process holds open, and that are in no folder any more. Only Linux tells."""
    total = 0
    with suppress(OSError):
        for entry in os.scandir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                about = entry.stat()
                total += about.st_blocks * 512 if stat.S_ISREG(about.st_mode) and about.st_nlink == 0 else 0
    return total


def status_of(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
