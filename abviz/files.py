"""Files that appear whole or not at all."""

import os
import tempfile
from pathlib import Path

from abviz.errors import AbvizError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside the file and move into place, so that a failure leaves what was there before, and nothing else."""
    path = Path(path)
    if path.is_dir():
        raise AbvizError(f"cannot write {path}: it is a folder; expected the name of a file")
    if not path.parent.is_dir():
        raise AbvizError(f"cannot write {path}: there is no folder {path.parent}; expected one that is there")
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".abviz-")
    except OSError as problem:
        raise AbvizError(f"cannot write {path}: {problem.strerror}; expected a folder open to writing") from None
    try:
        with open(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)  # mkstemp makes a private file; this one is as any other
        os.replace(beside, path)
    except OSError as problem:
        os.unlink(beside)
        raise AbvizError(f"cannot write {path}: {problem.strerror}; expected a file open to writing") from None
