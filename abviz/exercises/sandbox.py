"""The limits that a worker puts on itself before it reads a hand-in. They cannot be taken back.

Linux limits memory, processor time, files and processes (setrlimit), and keeps the process from files outside its
folder and from the network (Landlock, from 5.13 and 6.7 on). macOS limits processor time and the size of files, Windows
nothing. They protect against accidents: code written to do harm belongs in a container.
"""

import ctypes
import os
import signal
import stat
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE_BYTES, OPEN_FILES, CPU_SECONDS, MORE_TASKS = 20_000_000, 128, 600, 200
SYSTEM = (  # what Python and its packages read outside their own folders
    *("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/os-release"),
    *("/dev/random", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
ENDS_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38  # of prctl


def apply(folder: Path, readable: Iterable[Path], megabytes: int) -> None:
    """Apply all limits that this system can keep."""
    if sys.platform == "win32":
        return
    import resource

    limits = {"CORE": 0, "CPU": CPU_SECONDS, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES, "AS": megabytes << 20}
    with suppress(OSError, ValueError):  # threads count, and so does whatever else the user runs
        limits["NPROC"] = int(Path("/proc/loadavg").read_text().split()[3].split("/")[1]) + MORE_TASKS
    for name, limit in limits.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        libc.prctl(ENDS_WITH_PARENT, *map(ctypes.c_ulong, (signal.SIGKILL, 0, 0, 0)))
        _landlock(libc, folder, [*readable, *map(Path, SYSTEM)])


# Landlock: three system calls, of the same numbers on every processor

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 0x1, 0x2, 0x4, 0x8, 0x4000
READING = READ_FILE | READ_DIR
WRITING = 0x1FF2  # writing, removing, making files of every kind
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE  # the rights that a file can have
TCP = 0x3  # binding and connecting


def landlock_version(libc: Any) -> int:
    """Return the version of Landlock that the kernel has; below 1 it has none."""
    return int(libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def _landlock(libc: Any, folder: Path, readable: Iterable[Path]) -> None:
    """Keep this process from writing outside the folder and from reading what it does not need."""
    version = landlock_version(libc)
    if version < 1:
        return
    writing = WRITING | (TRUNCATE if version >= 3 else 0)
    rights = struct.pack("=QQ", EXECUTE | READING | writing, TCP)[: 16 if version >= 4 else 8]
    rules = libc.syscall(CREATE_RULESET, rights, ctypes.c_size_t(len(rights)), 0)
    for path in (folder, Path(os.devnull)):
        _allow(libc, rules, path, READING | writing)
    for path in readable:
        _allow(libc, rules, path, READING)
    libc.prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    libc.syscall(RESTRICT_SELF, rules, 0)


def _allow(libc: Any, rules: int, path: Path, rights: int) -> None:
    with suppress(OSError):
        parent = os.open(path, os.O_PATH)
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            rights &= OF_FILES
        libc.syscall(ADD_RULE, rules, 1, struct.pack("=Qi", rights, parent), 0)
        os.close(parent)
