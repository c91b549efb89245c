"""Folders that somebody else has filled: gone through, copied, measured and emptied, whatever is in them."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

MOST_FILES, MOST_BYTES = 10_000, 100_000_000
DEEPEST = 5_000
HIDDEN = (".",)  # names that begin so


def entries(folder: Path, left_out: tuple[str, ...] = ()) -> Iterator["os.DirEntry[str]"]:
    """All that is in it and below, links not followed; without what has a name that begins so."""
    waiting = [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for entry in found:
                if left_out and entry.name.startswith(left_out):
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def is_file(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a regular file: no link, and nothing that has to be waited for."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def size(folder: Path, left_out: tuple[str, ...] = ()) -> tuple[int, int]:
    """How many entries it has, and how many bytes; no more is counted than it may have at the most."""
    number = total = 0
    for entry in entries(folder, left_out):
        number += 1
        with suppress(OSError):
            total += entry.stat(follow_symlinks=False).st_size
        if number > 2 * MOST_FILES or total > 2 * MOST_BYTES:
            break
    return number, total


def copy(folder: Path, to: Path) -> None:
    """Copy its regular files that can be read and are not hidden."""
    for entry in list(entries(folder, HIDDEN)):
        if is_file(entry):
            place = to / os.path.relpath(entry.path, folder)
            with suppress(OSError):
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(entry.path, place)


def empty(folder: Path) -> None:
    """Remove all that is in it. Folders that stand in each other deeper than a path can say are moved up."""
    with suppress(RecursionError):
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with suppress(OSError):
                    os.unlink(entry.path)
    numbers = count()
    for _ in range(DEEPEST):
        left = [entry.path for entry in os.scandir(folder)]
        if not left:
            return
        for path in left:
            with suppress(OSError):
                _open_up(path, folder, numbers)


def _open_up(path: str, folder: Path, numbers: Iterator[int]) -> None:
    """What is in the folder at that path is moved to the one where it stands, and it is removed."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        return os.unlink(path)
    os.chmod(path, 0o700)
    for entry in os.scandir(path):
        os.rename(entry.path, folder / f"moved up {next(numbers)}")
    os.rmdir(path)
