"""Landlock: what of the file system is still there for this process, kept by the Linux kernel (5.13 on).

Three system calls, of the same numbers on every processor.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from abviz.exercises.grading.seccomp import no_new_privileges

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 0x1, 0x2, 0x4, 0x8, 0x4000
_READING = _READ_FILE | _READ_DIR
_WRITING = 0x1FF2  # writing, removing, making of every kind
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE  # the rights that a file, and no folder, can have
_TCP = 0x3  # binding, connecting
_OTHERS = 0x3  # sockets without a file, and signals, of processes outside
_WRITTEN = (os.devnull, "/dev/zero")


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def put_up(folder: Path, readable: Iterable[Path], closed: Iterable[Path]) -> bool:
    """From now on writing is possible only in that folder, and reading there and in what is readable, but for what of
    it is closed."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    writing = _WRITING | (_TRUNCATE if version >= 3 else 0)
    handled = _Ruleset(_EXECUTE | _READING | writing, _TCP if version >= 4 else 0, _OTHERS if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(handled), ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    _allow(libc, rules, folder, _READING | writing)
    for device in _WRITTEN:
        _allow(libc, rules, Path(device), writing | _READING)
    apart = [Path(os.path.realpath(each)) for each in closed]
    for path in readable:
        for part, rights in _but_for(Path(os.path.realpath(path)), apart):
            _allow(libc, rules, part, rights)
    no_new_privileges(libc)
    done = bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    os.close(rules)
    return done


def _but_for(path: Path, closed: list[Path]) -> Iterator[tuple[Path, int]]:
    """The path, in as many parts as it takes to leave out what of it is closed. Names may be listed in all of it."""
    below = [each for each in closed if each.is_relative_to(path)]
    if not below:
        yield path, _READING
    elif path not in below:
        yield path, _READ_DIR
        with suppress(OSError):
            for child in path.iterdir():
                if not child.is_symlink():  # where it leads to has rights of its own
                    yield from _but_for(child, below)


def _allow(libc: Any, rules: int, path: Path, rights: int) -> None:
    with suppress(OSError):
        parent = os.open(path, os.O_PATH)
        try:
            if not stat.S_ISDIR(os.fstat(parent).st_mode):
                rights &= _OF_FILES
            libc.syscall(_ADD_RULE, rules, 1, ctypes.byref(_Beneath(rights, parent)), 0)
        finally:
            os.close(parent)
