"""Zip files, unpacked with care: whatever one holds, nothing is written outside its folder."""

import os
import re
import stat
import zipfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from abviz.errors import AbvizError, count, one_line, visible

MOST_FILES = 20_000
MOST_BYTES = 2_000_000_000  # of all files of a class, unpacked
MOST_BYTES_OF_ONE = 100_000_000  # of a student's
MOST_FOLDERS_DEEP = 30
LONGEST_NAME = 240  # of a file or folder, in bytes

CHUNK = 1 << 20
IS_UTF_8 = 1 << 11  # of an entry's flags
IS_ENCRYPTED = 1

# What programs make beside the work of a student: copies of it, caches, packages
OF_PROGRAMS = re.compile(
    r"""(^|[/\\])(
        __pycache__ | __MACOSX | \._[^/\\]* | \.DS_Store | \.Trash[^/\\]*
        | \.git[^/\\]* | \.svn | \.hg
        | \.[^/\\]*checkpoints | \.[^/\\]*cache | \.[^/\\]*history | \.virtual_documents
        | \.v?env | \.tox | \.nox | \.eggs | \.conda | \.local | \.config | \.idea | \.vs | \.vscode
        | \.ipython | \.jupyter | \.spyder[^/\\]* | \.spyproject | \.nbgrader
    )($|[/\\])""",
    re.VERBOSE,
)


def is_zip(path: Path) -> bool:
    return path.suffix.lower() == ".zip" and path.is_file()


def unpack(path: Path, folder: Path, most: int = MOST_BYTES) -> int:
    """Unpack a zip file into an empty folder, without what is of programs, and return its size.

    Raises AbvizError, in one line, where it is damaged, or not a plain archive of files.
    """
    name = visible(path.name)
    try:
        with zipfile.ZipFile(path) as archive:
            return _unpack(archive, folder, most)
    except _Refused as problem:
        raise AbvizError(f"{name} can't be unpacked: {problem}") from None
    except (zipfile.BadZipFile, EOFError):
        raise AbvizError(f"{name} can't be unpacked: it is not a zip file, or is damaged") from None
    except Exception as error:  # zipfile raises errors of many kinds for damaged files
        reason = one_line(error)
        raise AbvizError(f"{name} can't be unpacked: {reason}; expected a zip file") from None


class _Refused(Exception):
    """Why an archive is not unpacked."""


def _unpack(archive: zipfile.ZipFile, folder: Path, most: int) -> int:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        found = f"it holds {count(len(entries), 'file')}"
        raise _Refused(f"{found}; expected at most {MOST_FILES:,}")

    size = 0
    for entry in entries:
        name = _name(entry)
        _check(entry, name)
        if entry.is_dir() or OF_PROGRAMS.search(name):
            continue

        target = folder.joinpath(*PurePosixPath(name).parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        size += _write(archive, entry, target, most - size)
        _set_time(entry, target)
    return size


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry. Some programs write UTF-8 and don't say so."""
    name = entry.filename
    if not entry.flag_bits & IS_UTF_8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return name


def _check(entry: zipfile.ZipInfo, name: str) -> None:
    """Refuse an entry that is not a plain file or folder inside the archive's folder."""
    parts = PurePosixPath(name).parts
    shown = visible(name)
    is_inside = bool(parts) and not name.startswith("/") and ".." not in parts
    is_odd = re.search(r"[\\\0]|^[A-Za-z]:", entry.orig_filename) or re.search(r"[\\\0]", name)
    if not is_inside or is_odd:
        raise _Refused(f"{shown} would be outside of its folder; expected names of files in it")

    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _Refused(f"{shown} is a link or a device; expected files")
    if entry.flag_bits & IS_ENCRYPTED:
        raise _Refused(f"{shown} needs a password; expected files without one")
    if len(parts) > MOST_FOLDERS_DEEP or any(len(os.fsencode(p)) > LONGEST_NAME for p in parts):
        raise _Refused(f"{shown[:40]}… is too long a name; expected shorter ones")


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Write the file, and return its size, which is at most that."""
    try:
        file = target.open("xb")
    except FileExistsError:
        raise _Refused(f"it holds {visible(entry.filename)} twice; expected it once") from None

    # The size that the archive states may be another one
    size = 0
    with archive.open(entry) as source, file:
        while data := source.read(CHUNK):
            size += len(data)
            if size > most:
                limit = f"{MOST_BYTES_OF_ONE // 1_000_000:,} MB"
                whole = f"{MOST_BYTES // 1_000_000:,} MB"
                expected = f"expected at most {limit} of a student, and {whole} of a class"
                raise _Refused(f"its files are too large; {expected}")
            file.write(data)
    return size


def _set_time(entry: zipfile.ZipInfo, target: Path) -> None:
    """Give the file its time in the archive, which is a local one."""
    with suppress(ValueError, OverflowError, OSError):  # of a month 0, or before 1970
        seconds = datetime(*entry.date_time).timestamp()
        os.utime(target, (seconds, seconds))
