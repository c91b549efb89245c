"""The parent of a worker.

It starts the worker, waits for it, and ends whatever the worker has started.

It runs as a script that imports nothing of abviz before it forks, so it is small and has no
threads. It adopts the processes below it whose parents have ended, also those in a session of their
own: none outlives it. It ends when the worker ends, with the same exit status; a SIGTERM ends it at
once, with all that runs below it.

This needs Linux. Elsewhere the script is the worker itself.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep

# of prctl
ENDS_WITH_PARENT = 1
ADOPTS_ORPHANS = 36

LONGEST_END = 10.0  # seconds until processes that do not end are left alone
PAUSE = 0.001  # seconds


def descendants(pid: int) -> list[int]:
    """Return the processes below this one, as Linux lists them."""
    found: list[int] = []
    ahead = [pid]
    while ahead:
        below = children(ahead.pop())
        found += below
        ahead += below
    return found


def children(pid: int) -> list[int]:
    """Return the processes that this one has started or adopted."""
    lists = list(Path("/proc").glob(f"{pid}/task/*/children"))
    if not lists and Path(f"/proc/{pid}").exists():  # a kernel without such lists
        running = map(int, filter(str.isdigit, os.listdir("/proc")))
        return [child for child in running if _parent(child) == pid]

    found: list[int] = []
    for path in lists:
        with suppress(OSError):  # of a thread that has ended
            found += map(int, path.read_text().split())
    return found


def _parent(pid: int) -> int:
    """Return the parent of a process; 0 for one that has ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])  # after the name, which may hold anything


def send(name: str, pids: Iterable[int]) -> None:
    """Send a signal to all these processes that still run."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, getattr(signal, name))


def stop_descendants(pid: int) -> list[int]:
    """Stop all processes below this one, also those that are started meanwhile, and return them."""
    stopped: list[int] = []
    while new := [each for each in descendants(pid) if each not in stopped]:
        send("SIGSTOP", new)
        stopped += new
    return stopped


def end_descendants() -> None:
    """End all processes below this one."""
    deadline = monotonic() + LONGEST_END
    while (below := stop_descendants(os.getpid())) and monotonic() < deadline:
        send("SIGKILL", below)
        sleep(PAUSE)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def supervise(worker: int) -> None:
    """Wait for the worker, end what it has started, and end as it did."""
    pid = status = 0
    while pid != worker:
        pid, status = os.wait()

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_descendants()

    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with suppress(OSError):  # SIGKILL has no other handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _end_all(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_descendants()
    os._exit(128 + signal.SIGTERM)


def _fork_worker() -> None:
    """Return in a new process, the worker; this one becomes its supervisor."""
    prctl = ctypes.CDLL(None).prctl
    prctl(ADOPTS_ORPHANS, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    prctl(ENDS_WITH_PARENT, *map(ctypes.c_ulong, (signal.SIGTERM, 0, 0, 0)))
    signal.signal(signal.SIGTERM, _end_all)

    worker = os.fork()
    if not worker:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()  # a worker that ends its group does not end the supervisor
        return

    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # so that the grader notices when the worker ends
        os.dup2(nothing, descriptor)
    supervise(worker)


def main() -> None:
    """Run main() of a module of abviz; the arguments are the package's folder and the module."""
    folder, module = sys.argv[1:]
    sys.argv[:] = ["-c"]
    if sys.platform == "linux":
        _fork_worker()

    sys.path.insert(0, folder)
    run = import_module(module).main
    del sys.path[0]
    run()


if __name__ == "__main__":
    main()
