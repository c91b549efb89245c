"""Refuse what Landlock lets a hand-in do to any file of its owner, and to leave its group.

It could make a file unreadable, or change when it was handed in. A filter of the kernel (seccomp)
sees the number of a system call, but no path. So these calls fail in a hand-in's own folder, too.

Processes of one group are ended at one moment. One by one, those that start others all the time
could outrun whoever ends them.
"""

import ctypes
import os
import shutil
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

# of prctl
SET_FILTER = 22
NO_NEW_PRIVILEGES = 38
OF_PROGRAM = 2  # the kind of filter that is a program

# With the same numbers on every processor
NEWER = {
    "io_uring_setup": 425,  # through its queue, other calls would pass unseen
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "file_setattr": 469,
}


class Processor(NamedTuple):
    """How the kernel names a processor and its system calls."""

    architecture: int
    calls: dict[str, int]
    ioctl: int


PROCESSORS = {
    "x86_64": Processor(
        architecture=0xC000003E,
        calls={
            "chmod": 90,
            "fchmod": 91,
            "chown": 92,
            "fchown": 93,
            "lchown": 94,
            "setpgid": 109,
            "setsid": 112,
            "utime": 132,
            "setxattr": 188,
            "lsetxattr": 189,
            "fsetxattr": 190,
            "removexattr": 197,
            "lremovexattr": 198,
            "fremovexattr": 199,
            "utimes": 235,
            "fchownat": 260,
            "futimesat": 261,
            "fchmodat": 268,
            "utimensat": 280,
        },
        ioctl=16,
    ),
    "aarch64": Processor(
        architecture=0xC00000B7,
        calls={
            "setxattr": 5,
            "lsetxattr": 6,
            "fsetxattr": 7,
            "removexattr": 14,
            "lremovexattr": 15,
            "fremovexattr": 16,
            "fchmod": 52,
            "fchmodat": 53,
            "fchownat": 54,
            "fchown": 55,
            "utimensat": 88,
            "setpgid": 154,
            "setsid": 157,
        },
        ioctl=29,
    ),
}

# From this number on, x86_64 has the calls of its second, 32-bit interface (x32)
OTHER_INTERFACE = 0x40000000

# The kinds of ioctl that set attributes of a file, such as "immutable"
OF_FILE_SYSTEMS = ord("f") << 8, ord("X") << 8
KIND = 0xFF00

# Where a call's description has these, in bytes
NUMBER = 0
ARCHITECTURE = 4
REQUEST = 24  # the second argument; of an ioctl, what it asks for

# Instructions of the filter
LOAD = 0x20
AND = 0x54
IF_EQUAL = 0x15
IF_AT_LEAST = 0x35
RETURN = 0x06

ALLOWED = 0x7FFF0000
NOT_PERMITTED = 0x00050001  # the call does nothing, and fails with EPERM


def can_filter_calls() -> bool:
    """Return whether this kernel takes a filter, and its system calls are known here."""
    if _processor() is None:
        return False

    # A kernel with filters looks for this one, which is nowhere
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(SET_FILTER, *map(ctypes.c_ulong, (OF_PROGRAM, 0, 0, 0)))
    return ctypes.get_errno() == 14  # EFAULT


def refuse_calls() -> None:
    """Refuse from now on to change permissions, owners, times and attributes of files, and groups.

    Where the kernel takes no filter, nothing is refused.
    """
    processor = _processor()
    if processor is None:
        return

    program = _program(processor)
    instructions = ctypes.create_string_buffer(program, len(program))
    count = len(program) // 8
    described = struct.pack("@HP", count, ctypes.addressof(instructions))

    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    refused = libc.prctl(
        SET_FILTER,
        ctypes.c_ulong(OF_PROGRAM),
        described,
        *map(ctypes.c_ulong, (0, 0)),
    )
    if refused == 0:
        _copy_without_permissions()


def _processor() -> Processor | None:
    """Return the processor that this process runs on, where its system calls are known.

    A 32-bit Python has others than those of the system that it runs on.
    """
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return None
    return PROCESSORS.get(os.uname().machine)


def _program(processor: Processor) -> bytes:
    """Return the filter's instructions, 8 bytes each. The last one refuses."""
    numbers = [*processor.calls.values(), *NEWER.values()]

    # Each with what it compares or loads, and where it goes if a comparison holds or fails: to the
    # last instruction (True), or to the next one (False).
    steps = [
        (LOAD, ARCHITECTURE, False, False),
        (IF_EQUAL, processor.architecture, False, True),
        (LOAD, NUMBER, False, False),
        (IF_AT_LEAST, OTHER_INTERFACE, True, False),
    ]
    steps += [(IF_EQUAL, number, True, False) for number in numbers]

    of_ioctl = [
        (LOAD, REQUEST, False, False),
        (AND, KIND, False, False),
        *((IF_EQUAL, kind, True, False) for kind in OF_FILE_SYSTEMS),
    ]
    last = len(steps) + 1 + len(of_ioctl) + 1

    def packed(place: int, step: tuple[int, int, bool, bool]) -> bytes:
        code, value, refuses_if, refuses_else = step
        to_last = last - place - 1
        return struct.pack("=HBBI", code, to_last * refuses_if, to_last * refuses_else, value)

    program = [packed(place, step) for place, step in enumerate(steps)]
    program.append(struct.pack("=HBBI", IF_EQUAL, 0, len(of_ioctl), processor.ioctl))
    program += [packed(place, step) for place, step in enumerate(of_ioctl, len(program))]
    program.append(struct.pack("=HBBI", RETURN, 0, 0, ALLOWED))
    program.append(struct.pack("=HBBI", RETURN, 0, 0, NOT_PERMITTED))
    return b"".join(program)


def _copy_without_permissions() -> None:
    """Have `shutil` copy files although it can't set their permissions and times."""
    shutil.copymode = _as_permitted(shutil.copymode)
    shutil.copystat = _as_permitted(shutil.copystat)


def _as_permitted(copy: Callable[..., None]) -> Callable[..., None]:
    def copy_as_permitted(*arguments: Any, **options: Any) -> None:
        with suppress(PermissionError):
            copy(*arguments, **options)

    return copy_as_permitted
