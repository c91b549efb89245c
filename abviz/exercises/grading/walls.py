"""What keeps a hand-in from harming anything but itself: limits that its process puts on itself before it reads the
hand-in, and that cannot be taken back.

| | Linux | macOS | Windows |
|---|---|---|---|
| memory, processor time, size of a file | kernel (setrlimit) | processor time and files | no |
| writing and deleting outside its folder | kernel (Landlock, 5.13 on) and Python | Python | Python |
| reading what it does not need | kernel (Landlock) and Python | Python: abviz's sources and other hand-ins | the same |
| other processes: starting, signals; network | kernel (seccomp; x86-64, arm64) and Python | Python | Python |

"Python" is an audit hook: Python code cannot remove it, but it can be found and emptied (gc), and machine code (ctypes)
can go round it. What holds is told by `put_up`. A limit that the system refuses is not put up, and is not among them.
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from abviz.exercises.grading import landlock, seccomp

FILE_BYTES, OPEN_FILES = 20_000_000, 128
MORE_SECONDS = 600  # of processor time for all answers together; the grader's clock is the one that counts

PROCESSES = ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile")
OTHERS = ("subprocess.Popen", "os.kill", "os.killpg", "socket.connect", "socket.bind", "pty.spawn")
CHANGES = (
    *("os.remove", "os.rmdir", "os.rename", "os.truncate", "os.mkdir", "os.link", "os.symlink"),
    *("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "os.chflags"),
)
LISTS = ("os.listdir", "os.scandir")
NEEDED = (  # beside Python and its packages
    *("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/etc/fonts", "/etc/mime.types", "/etc/os-release", "/dev/random", "/dev/urandom"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)


def put_up(folder: Path, closed: Iterable[Path], megabytes: int, data: Iterable[Path] = ()) -> list[str]:
    """Which of the kernel's limits hold: of "memory", "files", "processes". `data` may be read, whatever is closed."""
    closed = list(closed)
    readable = [*_of_python(), *data]
    held = {
        "memory": _memory(megabytes),
        "files": landlock.put_up(folder, [*readable, *map(Path, NEEDED)], closed),
        "processes": seccomp.put_up(),
    }
    if held["processes"]:
        os.utime = _not_dated
    sys.addaudithook(_hook(_both([folder]), _both([folder, *readable]), _both(closed)))
    return [name for name, holds in held.items() if holds]


def _not_dated(path: Any, *_: Any, dir_fd: int | None = None, follow_symlinks: bool = True, **__: Any) -> None:
    """What the kernel takes without doing it. Only that a file is not there is told: Path.touch() makes it then."""
    os.stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)


def _of_python() -> list[Path]:
    """Where Python finds itself and its packages."""
    places = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *sys.path}
    return [Path(place) for place in sorted(places) if os.path.exists(place)]


def _both(paths: Iterable[Path]) -> tuple[str, ...]:
    """The paths as they are told, and as they are."""
    return tuple({str(each) for path in paths for each in (path, os.path.realpath(path))})


def _memory(megabytes: int) -> bool:
    if sys.platform == "win32":
        return False
    import resource

    limits = {"CORE": 0, "CPU": MORE_SECONDS, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES}
    for name, limit in limits.items():
        with suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        return sys.platform == "linux"  # macOS takes the number and does not keep to it
    return False


def _hook(own: tuple[str, ...], readable: tuple[str, ...], closed: tuple[str, ...]) -> Callable[[str, Any], None]:
    real, free = os.path.realpath, (os.devnull, *(() if os.name == "nt" else ("/dev/",)))

    def depth(path: Any, folders: tuple[str, ...]) -> int:
        """How long the name is of the innermost of these folders that the path is in; 0 if it is in none."""
        where = real(os.fsdecode(path))
        return max(
            (len(each) for each in folders if where == each or where.startswith(each.rstrip(os.sep) + os.sep)),
            default=0,
        )

    def may_read(path: Any) -> bool:
        shut = 0 if isinstance(path, int) else depth(path, closed)
        return shut == 0 or shut < depth(path, readable)

    def may_write(path: Any) -> bool:
        return isinstance(path, int) or depth(path, own) > 0 or os.fsdecode(path).startswith(free)

    def hook(event: str, told: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = told
            if path is None or isinstance(path, int):
                return
            writing = any(letter in str(mode or "") for letter in "wax+") or bool((flags or 0) & _WRITING)
            if not may_read(path) or (writing and not may_write(path)):
                raise PermissionError(f"{os.fsdecode(path)} is not open to a hand-in")
        elif event in LISTS:
            if told[0] is not None and not may_read(told[0]):
                raise PermissionError(f"{os.fsdecode(told[0])} is not open to a hand-in")
        elif event in PROCESSES or event in OTHERS:
            raise PermissionError(f"{event} is not open to a hand-in")
        elif event in CHANGES or event == "shutil.rmtree":
            paths = [each for each in told[: 2 if event in ("os.rename", "os.link") else 1] if each is not None]
            if not all(may_write(each) for each in paths):
                raise PermissionError(f"{paths[0]} is not open to a hand-in")

    return hook


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
