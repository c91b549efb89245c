"""The course in a folder of the reader's own, kept up to date without losing their work.

The notebooks that come with the package are copied there. A notebook that the reader has changed
is never overwritten: if a later version of abviz brings a new one, it goes beside theirs.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from abviz.errors import AbvizError, visible
from abviz.tree.files import write_whole

# Which notebooks were put into the folder: each name with the digest of its contents then
RECORD = ".abviz-course.json"


@dataclass
class Changes:
    """What an update did, by names of notebooks."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)

    # The reader's own, which stayed, with the name under which the new one is beside it
    kept: dict[str, str] = field(default_factory=dict)

    def lines(self, is_first: bool = False) -> list[str]:
        """Say what is new; in a folder that has just been made, all of it is."""
        lines = []
        if self.added and not is_first:
            lines.append(f"Added: {', '.join(self.added)}")
        if self.updated:
            lines.append(f"Updated: {', '.join(self.updated)}")
        for name, beside in self.kept.items():
            lines.append(f"{name} has a new version, {beside}; yours stays as you left it")
        return lines


def update(folder: Path, shipped: Path, version: str) -> Changes:
    """Bring the notebooks of `shipped` into `folder`, which is made where there is none.

    Raises AbvizError where the folder can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _update(folder, shipped, version)
    except OSError as error:
        raise AbvizError(
            f"cannot copy the course to {visible(str(folder))}: {error.strerror}; "
            "expected a folder open to writing"
        ) from None


def _update(folder: Path, shipped: Path, version: str) -> Changes:
    delivered = _delivered(folder)
    changes = Changes()

    for notebook in sorted(shipped.glob("*.ipynb")):
        name = notebook.name
        latest = notebook.read_bytes()
        there = folder / name
        present = there.read_bytes() if there.exists() else None

        if present is None:
            write_whole(there, latest)
            changes.added.append(name)
        elif present == latest:
            pass
        elif _digest(present) == delivered.get(name):
            write_whole(there, latest)
            changes.updated.append(name)
        elif _digest(latest) != delivered.get(name):
            beside = _beside(there, latest, version)
            write_whole(beside, latest)
            changes.kept[name] = beside.name

        delivered[name] = _digest(latest)

    record = json.dumps(delivered, indent=1) + "\n"
    write_whole(folder / RECORD, record.encode())
    return changes


def _delivered(folder: Path) -> dict[str, str]:
    """Read the record; without one that can be read, no notebook counts as unchanged."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _beside(there: Path, latest: bytes, version: str) -> Path:
    """Find a name for the new version that no other file has."""
    number = 1
    while True:
        mark = f"abviz {version}" if number == 1 else f"abviz {version}, {number}"
        path = there.with_name(f"{there.stem} ({mark}){there.suffix}")
        if not path.exists() or path.read_bytes() == latest:
            return path
        number += 1


def _digest(contents: bytes) -> str:
    return hashlib.sha256(contents).hexdigest()
