"""Files that appear whole or not at all."""

import os
import secrets
import shutil
from pathlib import Path

from abviz.errors import AbvizError, visible

OPEN = "expected a file and a folder open to writing"


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse what could not be written, before there is anything to write: for what takes long to work out."""
    _check_name(path)
    there = Path(os.path.realpath(path))
    needed = [there] if there.exists() else [there.parent]
    if there.is_file():
        needed.append(there.parent)
    effective = os.access in os.supports_effective_ids
    if not all(os.access(each, os.W_OK, effective_ids=effective) for each in needed):
        raise AbvizError(f"cannot write {visible(str(path))}: it is closed to writing; {OPEN}")


def _check_name(path: str | os.PathLike[str]) -> None:
    name, folder = visible(str(path)) or "''", Path(path).parent
    if os.path.isdir(str(path) or "."):
        raise AbvizError(f"cannot write {name}: it is a folder; expected the name of a file")
    if not os.path.isdir(folder):
        there_is_no = f"there is no folder {visible(str(folder))}"
        raise AbvizError(f"cannot write {name}: {there_is_no}; expected one that is there")


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside the file and move into place, so that a failure leaves what was there before, and nothing else."""
    _check_name(path)
    path = Path(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            path.write_bytes(data)  # /dev/stdout, a pipe: nothing there can be replaced
        else:
            _replace(Path(os.path.realpath(path)), data)  # where it is a link, it stays one
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise AbvizError(f"cannot write {visible(str(path))}: {why}; {OPEN}") from None


def _replace(path: Path, data: bytes) -> None:
    is_there = path.exists()
    if is_there:
        path.open("r+b").close()  # a read-only file could be replaced all the same, but somebody wants to keep it
    beside = path.with_name(f".abviz-{secrets.token_hex(8)}")
    try:
        with open(beside, "xb") as file:
            file.write(data)
        if is_there:
            shutil.copymode(path, beside)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
