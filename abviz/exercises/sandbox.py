"""The limits that a worker puts on itself before it reads a hand-in. They cannot be taken back.

Linux limits memory, processor time, files and processes (setrlimit), and keeps the process from files outside its
folder, from the network and from signals to other processes (Landlock, from 5.13, 6.7 and 6.12 on). macOS limits
processor time and the size of files, Windows nothing. They protect against accidents: code written to do harm belongs
in a container.
"""

import ctypes
import os
import signal
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


def apply(folder: Path, readable: Iterable[Path], megabytes: int, cpu_seconds: int = CPU_SECONDS) -> None:
    """Apply all limits that this system can keep."""
    if sys.platform == "win32":
        return
    import resource

    limits = {"CORE": 0, "CPU": cpu_seconds, "FSIZE": FILE_BYTES, "NOFILE": OPEN_FILES, "AS": megabytes << 20}
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
OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE  # the rights that a file can have
TCP = 0x3  # binding and connecting
SIGNALS = 0x2  # to processes other than its own children


def landlock_version() -> int:
    """Return the version of Landlock in this kernel: 6 and later keep signals in; below 1 there is none."""
    if sys.platform != "linux":
        return 0
    version: int = ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    return version


def _landlock(libc: Any, folder: Path, readable: Iterable[Path]) -> None:
    """Keep this process from writing outside the folder, from reading what it does not need, and from programs."""
    version = landlock_version()
    if version < 1:
        return
    writing = WRITING | (TRUNCATE if version >= 3 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    handled = struct.pack("=QQQ", EXECUTE | READING | writing, TCP, SIGNALS)[:size]
    rules = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    rights = dict.fromkeys(readable, READING) | dict.fromkeys((folder, Path(os.devnull)), READING | writing)
    for path, allowed in rights.items():
        with suppress(OSError):
            place = os.open(path, os.O_PATH)
            allowed &= allowed if path.is_dir() else OF_FILES
            libc.syscall(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, place), 0)
            os.close(place)
    libc.prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    libc.syscall(RESTRICT_SELF, rules, 0)
