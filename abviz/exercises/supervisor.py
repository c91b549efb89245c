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
from functools import partial
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
    status = _status(pid)
    return int(status[1]) if status else 0


def _status(pid: int) -> list[str]:
    """Return what Linux knows of a process, from its state on; nothing of one that has ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return []
    return status.rpartition(")")[2].split()  # after the name, which may hold anything


def seconds_used(pid: int) -> float:
    """Return the seconds of a processor that a process, and all below it, have used."""
    ticks = sum(map(_ticks_used, (pid, *descendants(pid))))
    return ticks / os.sysconf("SC_CLK_TCK")


def _ticks_used(pid: int) -> int:
    """Return what a process has used, with its children that have ended; 0 for one that has."""
    return sum(map(int, _status(pid)[11:15]))


def send(name: str, pids: Iterable[int]) -> None:
    """Send a signal to all these processes that still run."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, getattr(signal, name))


def stop_descendants(pid: int) -> list[int]:
    """Stop all processes below this one, also those that are started meanwhile, and return them."""
    deadline = monotonic() + LONGEST_END
    stopped: list[int] = []
    while new := [each for each in descendants(pid) if each not in stopped]:
        send("SIGSTOP", new)
        stopped += new
        if monotonic() > deadline:
            break
    return stopped


def end_group(leader: int) -> None:
    """End the process and all of its group at one moment, in which none can start another.

    Those that start others all the time could outrun whoever ends them one by one.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


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
    while (ended := _next_ended()) != worker:
        os.waitpid(ended, 0)

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_group(worker)  # before its number can be that of another
    _, status = os.waitpid(worker, 0)
    end_descendants()

    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with suppress(OSError):  # SIGKILL has no other handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _next_ended() -> int:
    """Wait until a child has ended, and return it; it can still be waited for."""
    ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    assert ended  # with these options, it waits
    return ended.si_pid


def _end_all(workers: list[int], *_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for worker in workers:
        end_group(worker)
    end_descendants()
    os._exit(128 + signal.SIGTERM)


def _fork_worker() -> None:
    """Return in a new process, the worker; this one becomes its supervisor."""
    prctl = ctypes.CDLL(None).prctl
    prctl(ADOPTS_ORPHANS, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    prctl(ENDS_WITH_PARENT, *map(ctypes.c_ulong, (signal.SIGTERM, 0, 0, 0)))
    workers: list[int] = []
    signal.signal(signal.SIGTERM, partial(_end_all, workers))

    worker = os.fork()
    if not worker:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setsid()  # a worker that ends its group does not end the supervisor
        return

    workers.append(worker)
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
