"""Limits on a process that runs a student's code: memory, time, files, network and signals.

They protect against accidents, and keep a hand-in from what it should not see: other processes,
other hand-ins, and the answers in a checkout of abviz. `setrlimit` is missing on Windows. Landlock
needs Linux: 5.13 for files, 6.7 for the network, and 6.12 for signals. What it does not cover is
refused by the filter of `system_calls`.
"""

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from abviz.exercises.system_calls import NO_NEW_PRIVILEGES, refuse_calls

PACKAGE = Path(__file__).resolve().parents[1]

# What Python and its packages read, apart from the folders in which they are installed.
LIBRARIES = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/nix/store",
    "/gnu/store",
)
SETTINGS = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
)
DEVICES = "/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"
FACTS = (
    "/proc/self",  # of this process alone: the rule is for the folder that the name leads to now
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm",
    "/sys/devices/system",
)

# What Python itself has, below the folder where it is installed
OF_PYTHON = "lib", "lib32", "lib64", "share", "etc", "pyvenv.cfg"

# of prctl
ENDS_WITH_PARENT = 1

# Landlock: three system calls, with the same numbers on every processor
CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446

# the rights that it handles
EXECUTE = 0x1
READ_FILE = 0x4
READ_FOLDER = 0x8
READING = READ_FILE | READ_FOLDER
WRITING = 0x1FF2  # removing and making files, too
MAKE_DEVICES = 0x840  # which would lead to a whole disk
TRUNCATE = 0x4000
OF_FILES = 0x2 | READ_FILE | TRUNCATE  # what can be allowed for a file: writing, reading
TCP = 0x3  # both ways
BEYOND_CHILDREN = 0x3  # abstract sockets of, and signals to, processes other than its own children


def limit_process(megabytes: int, cpu_seconds: int = 600, hidden: Iterable[str] = ()) -> None:
    """Apply all limits that this system can keep, and let the file import from its own folder.

    The hidden files and folders of the package, such as "engine", cannot be read from now on.
    """
    if sys.platform != "win32":
        _limit_resources(megabytes, cpu_seconds)
    if sys.platform == "linux":
        end_with_parent()
        _landlock(hidden)
        refuse_calls()

    # For helpers; last, since a file called ast.py would break Python's own
    sys.path.append(str(Path.cwd()))


def _limit_resources(megabytes: int, cpu_seconds: int) -> None:
    import resource

    limits = {
        "CORE": 0,
        "CPU": cpu_seconds,
        "FSIZE": 20_000_000,
        "NOFILE": 128,
        "NPROC": 4_000,  # threads count, and so does whatever else the user runs
        "AS": megabytes << 20,
    }
    for name, limit in limits.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))


def end_with_parent(name: str = "SIGKILL") -> None:
    """Have this process receive the signal when the thread that started it ends."""
    _prctl(ENDS_WITH_PARENT, getattr(signal, name))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0)))


def landlock_version() -> int:
    """Return the version of Landlock in this kernel.

    From 6 on, it keeps signals in; below 1 there is none.
    """
    if sys.platform != "linux":
        return 0

    version: int = ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    return version


def _landlock(hidden: Iterable[str]) -> None:
    """Limit this process, if the kernel can.

    It can't write outside its folder, reads only what it needs, and starts no programs.
    """
    version = landlock_version()
    if version < 1:
        return

    handled_files = EXECUTE | READING | WRITING
    handled_network = 0
    scope = 0
    if version >= 3:
        handled_files |= TRUNCATE
    if version >= 4:
        handled_network = TCP
    if version >= 6:
        scope = BEYOND_CHILDREN
    handled = struct.pack("=QQQ", handled_files, handled_network, scope)

    rights = _readable(hidden)
    own = handled_files & ~EXECUTE & ~MAKE_DEVICES
    rights |= dict.fromkeys((Path.cwd(), Path(os.devnull)), own)

    libc = ctypes.CDLL(None)
    rules = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)

    for path, allowed in rights.items():
        with suppress(OSError):
            place = os.open(path, os.O_PATH)
            if not os.path.isdir(path):
                allowed &= OF_FILES
            libc.syscall(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, place), 0)
            os.close(place)

    _prctl(NO_NEW_PRIVILEGES, 1)
    libc.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _readable(hidden: Iterable[str]) -> dict[Path, int]:
    """Return what Python and abviz read while a hand-in runs, with the rights to it."""
    not_readable = set(_with_compiled_files(PACKAGE / each for each in hidden))
    partly_hidden = {folder for each in not_readable for folder in each.parents}
    of_system = map(Path, (*LIBRARIES, *SETTINGS, *DEVICES, *FACTS))

    rights: dict[Path, int] = {}
    for root in (*of_system, *_folders_of_python()):
        _allow(root.resolve(), not_readable, partly_hidden, rights)
    return rights


def _with_compiled_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield path
        if path.suffix == ".py":
            yield from path.parent.glob(f"__pycache__/{path.stem}.*")


def _folders_of_python() -> Iterator[Path]:
    """Yield the folders of Python, abviz and other packages.

    Of a checkout of abviz, which may be on the path, these are only the package and the trees, and
    of other projects only their packages: hand-ins and solutions may stand next to them.
    """
    prefixes = sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix
    homes = set(map(Path, prefixes))
    for home in homes:
        yield from (home / part for part in OF_PYTHON)

    yield PACKAGE
    yield PACKAGE.parent / "trees"

    for entry in map(Path, sys.path):
        is_installed = any(home in entry.parents for home in homes)
        if not is_installed and not PACKAGE.is_relative_to(entry.resolve()):
            yield from (path.parent for path in entry.glob("*/__init__.py"))


def _allow(
    path: Path, hidden: set[Path], partly_hidden: set[Path], rights: dict[Path, int]
) -> None:
    """Allow reading all that is below the path.

    Where some of it is hidden, that goes file by file and folder by folder.
    """
    if path in hidden:
        return
    if path not in partly_hidden:
        rights[path] = READING
        return

    rights[path] = READ_FOLDER  # to find what may be imported
    for each in path.iterdir():
        if not each.is_symlink():
            _allow(each, hidden, partly_hidden, rights)
