"""What keeps a hand-in from harming anything but itself: limits that its process puts on itself before it reads the
hand-in, and that cannot be taken back.

| | Linux | macOS | Windows |
|---|---|---|---|
| memory, processor time, size of a file | kernel (setrlimit) | processor time and files | no |
| writing and deleting outside its folder | kernel (Landlock, 5.13 on) and Python | Python | Python |
| other processes: starting, signals; network | kernel (seccomp; x86-64, arm64) and Python | Python | Python |
| reading abviz's sources and other hand-ins | Python | Python | Python |

"Python" is an audit hook: Python code cannot remove it, machine code (ctypes) can go round it. What holds is told by
`put_up`. A limit that the system refuses is not put up, and is not among them.
"""

import ctypes
import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE_BYTES = 100_000_000
MORE_SECONDS = 600  # of processor time for all answers together; the grader's clock is the one that counts

PROCESSES = ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile")
OTHERS = ("subprocess.Popen", "os.kill", "os.killpg", "socket.connect", "socket.bind", "pty.spawn")
CHANGES = ("os.remove", "os.rmdir", "os.rename", "os.truncate", "os.mkdir", "os.chmod", "os.link", "os.symlink")


def put_up(folder: Path, closed: Iterable[Path], megabytes: int) -> list[str]:
    """Which of the kernel's limits hold: of "memory", "files", "processes"."""
    held = {"memory": _memory(megabytes), "files": _landlock(folder), "processes": _seccomp()}
    sys.addaudithook(_hook(str(folder), tuple(map(str, closed))))
    return [name for name, holds in held.items() if holds]


def _memory(megabytes: int) -> bool:
    if sys.platform == "win32":
        return False
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (MORE_SECONDS, MORE_SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        return sys.platform == "linux"  # macOS takes the number and does not keep to it
    return False


def _hook(folder: str, closed: tuple[str, ...]) -> Callable[[str, tuple[Any, ...]], None]:
    own = tuple({folder, os.path.realpath(folder)})
    closed = tuple({*closed, *map(os.path.realpath, closed)})
    real, free = os.path.realpath, (os.devnull, *(() if os.name == "nt" else ("/dev/",)))

    def inside(path: Any, folders: tuple[str, ...]) -> bool:
        if isinstance(path, int):
            return False
        where = real(os.fsdecode(path))
        return any(where == each or where.startswith(each.rstrip(os.sep) + os.sep) for each in folders)

    def may_write(path: Any) -> bool:
        return isinstance(path, int) or inside(path, own) or os.fsdecode(path).startswith(free)

    def hook(event: str, told: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = told
            if path is None or isinstance(path, int):
                return
            writing = any(letter in str(mode or "") for letter in "wax+") or bool((flags or 0) & _WRITING)
            if inside(path, closed) or (writing and not may_write(path)):
                raise PermissionError(f"{os.fsdecode(path)} is not open to a hand-in")
        elif event in PROCESSES or event in OTHERS:
            raise PermissionError(f"{event} is not open to a hand-in")
        elif event in CHANGES or event == "shutil.rmtree":
            paths = [each for each in told[: 2 if event in ("os.rename", "os.link") else 1] if each is not None]
            if not all(may_write(each) for each in paths):
                raise PermissionError(f"{paths[0]} is not open to a hand-in")

    return hook


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# Landlock: three system calls, of the same numbers on every processor.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_RIGHTS = 0x1FF2  # writing, removing, making of every kind (not executing, reading: bits 0, 2, 3)
_WRITE_FILE, _TRUNCATE = 0x2, 0x4000


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _landlock(folder: Path) -> bool:
    """From now on writing is possible only in that folder and to /dev/null."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    every = _WRITE_RIGHTS | (_TRUNCATE if version >= 3 else 0)
    handled = ctypes.c_uint64(every)
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    for path, rights in ((str(folder), every), (os.devnull, every & (_WRITE_FILE | _TRUNCATE))):
        parent = os.open(path, os.O_PATH)
        libc.syscall(_ADD_RULE, rules, 1, ctypes.byref(_Beneath(rights, parent)), 0)
        os.close(parent)
    _no_new_privileges(libc)
    done = bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    os.close(rules)
    return done


def _no_new_privileges(libc: Any) -> None:
    libc.prctl(38, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


# seccomp: a small program that the kernel runs before every system call.

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3, _CLONE_THREAD = 435, 0x10000
# fork, vfork, execve(at), kill, tkill, tgkill, rt_(tg)sigqueueinfo, ptrace, process_vm_(readv, writev), socket,
# unshare, setns, pidfd_open, pidfd_send_signal, io_uring_setup
_REFUSED = {
    "x86_64": (57, 58, 59, 322, 62, 200, 234, 129, 297, 101, 310, 311, 41, 272, 308, 434, 424, 425),
    "aarch64": (221, 281, 129, 130, 131, 138, 240, 117, 270, 271, 198, 97, 268, 434, 424, 425),
}
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _NOT_THERE = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38  # errors EPERM and ENOSYS


class _Line(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.POINTER(_Line)))


def _seccomp() -> bool:
    """From now on there are new threads, but no new processes, no signals to others and no sockets."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _ARCHITECTURES or sys.maxsize < 2**32:
        return False
    lines = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _ARCHITECTURES[machine]), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, 0)]
    lines += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _REFUSE)]
    lines += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _NOT_THERE)]  # its flags cannot be seen: glibc then takes clone
    for call in _REFUSED[machine]:
        lines += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _REFUSE)]
    lines += [
        (_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, 16),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _REFUSE),
    ]
    lines += [(_RETURN, 0, 0, _ALLOW)]
    held = (_Line * len(lines))(*(_Line(*line) for line in lines))
    libc = ctypes.CDLL(None)
    _no_new_privileges(libc)
    zero = ctypes.c_ulong(0)
    return bool(libc.prctl(22, ctypes.c_ulong(2), ctypes.byref(_Program(len(lines), held)), zero, zero) == 0)
