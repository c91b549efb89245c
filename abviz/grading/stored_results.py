"""Results of earlier gradings, so that a run that was interrupted goes on where it stopped.

The result of each file is JSON, under a key made of everything that it depends on. It is written as
soon as it is there, into the user's cache folder, which a hand-in can neither read nor write where
its process is limited to its own folder.
"""

import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

from abviz.errors import AbvizError, count, visible
from abviz.exercises.observation import STOPPED
from abviz.exercises.sandbox import PACKAGE
from abviz.exercises.verdict import Verdict
from abviz.exercises.worker import ENDED
from abviz.grading.behavior import Behavior
from abviz.grading.hand_in import HandIn
from abviz.grading.handed_out import handouts
from abviz.grading.records import is_same, record_of, verdict_from
from abviz.grading.report import ERROR
from abviz.tracing.templates import lettered
from abviz.tree.files import write_whole

DAYS_KEPT = 60
HIDDEN = re.compile(
    r"^(\.|__(pycache__|MACOSX)$)"
)  # names of files and folders that don't go with a hand-in


@dataclass(frozen=True)
class Result:
    """What came of one file."""

    verdicts: list[Verdict]
    notes: list[str]
    behaviors: dict[str, Behavior]


class StoredResults:
    """The results of files that were graded in the same way before."""

    def __init__(self, folder: Path, *, is_fresh: bool = False):
        self.folder = folder
        self.is_fresh = is_fresh  # nothing is read

        # The keys of the results that were read, and of those that could not be
        self.used: list[str] = []
        self.damaged: list[str] = []

        # Why nothing can be written
        self.problem = ""

    def find(self, key: str) -> Result | None:
        """Return the result under that key; None where there is none that can be read."""
        if self.is_fresh:
            return None
        try:
            content = self._path(key).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError):
            self.damaged.append(key)
            return None

        try:
            record = json.loads(content)
            if record["key"] != key:
                raise ValueError
            result = _result_from(record)
        except Exception:  # whatever a damaged file may lead to
            self.damaged.append(key)
            return None

        self.used.append(key)
        return result

    def keep(self, key: str, result: Result) -> None:
        """Write the result, unless it may be another one next time."""
        if self.problem or not is_lasting(result):
            return

        content = _as_json(key, result)
        if content is None:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path(key), content.encode())
        except OSError as error:
            self.problem = f"Results are not kept in {visible(str(self.folder))}: {error.strerror}."
        except AbvizError as error:
            self.problem = f"Results are not kept: {error}."

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def remove_old(self) -> None:
        """Remove what was written long ago, so that no student's results stay for years."""
        oldest = time() - DAYS_KEPT * 86_400
        for path in self.folder.glob("*.json"):
            try:
                if path.stat().st_mtime < oldest:
                    path.unlink()
            except OSError:  # of another user, or removed meanwhile
                continue

    def remarks(self) -> list[str]:
        """Return what a report says of it, one line each."""
        remarks = []
        if self.used:
            of = count(len(self.used), "file")
            remarks.append(f"Of {of} the result is that of an earlier run; --fresh grades again.")
        if self.damaged:
            of = count(len(self.damaged), "stored result")
            remarks.append(f"Damaged, and graded again: {of}.")
        if self.problem:
            remarks.append(self.problem)
        return remarks


def cache_folder() -> Path:
    """Return where results are stored: in the user's cache, or the folder ABVIZ_CACHE."""
    if own := os.environ.get("ABVIZ_CACHE"):
        return Path(own)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "abviz" / "results"


def key_of(hand_in: HandIn, exercises: Sequence[str]) -> str:
    """Return the key of a file's result.

    It is made of all files that the hand-in may read, and of what is asked of it how.
    """
    terms = {
        "program": _program(),
        "exercises": list(exercises),
        "rules": asdict(hand_in.rules),
        "letters": lettered("bv"),
        "limits": [hand_in.seconds, hand_in.megabytes],
        "file": [hand_in.path.name, hand_in.notebook, hand_in.own_folder],
    }
    digest = sha256(json.dumps(terms).encode())

    files = [hand_in.path]
    if hand_in.own_folder:
        files = _files_below(hand_in.path.parent)
    for file in files:
        relative = file.relative_to(hand_in.path.parent)
        content = _content(file)
        digest.update(json.dumps([os.fsdecode(relative), len(content)]).encode())
        digest.update(content)
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    """Return what a file holds, or where a link leads; a folder holds nothing of its own."""
    if path.is_symlink():
        return os.fsencode(os.readlink(path))
    return b"" if path.is_dir() else path.read_bytes()


def _files_below(folder: Path) -> list[Path]:
    """Return the files and folders that go with a hand-in, in order."""
    found: list[Path] = []
    for each in sorted(folder.iterdir()):
        if HIDDEN.match(each.name):
            continue
        if each.is_dir() and not each.is_symlink():
            found += [each, *_files_below(each)]
        elif each.is_file() or each.is_symlink():
            found.append(each)
    return found


@cache
def _program() -> str:
    """Return a digest of abviz itself, of the course's notebooks, and of this Python."""
    digest = sha256(sys.version.encode())
    for handout in handouts():
        digest.update(json.dumps([*map(sorted, handout)]).encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".yaml", ".json"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def is_lasting(result: Result) -> bool:
    """Return whether the result is the same next time.

    On a busy machine an answer may be stopped that has the time on another day; and whatever ended
    a process may have been the machine.
    """
    texts = [*result.notes, *(verdict.message for verdict in result.verdicts)]
    is_by_chance = any(words in text for text in texts for words in (STOPPED, ENDED))
    return not is_by_chance and all(verdict.status != ERROR for verdict in result.verdicts)


# as JSON


def _record_of(result: Result) -> dict[str, Any]:
    return {
        "verdicts": [*map(record_of, result.verdicts)],
        "notes": result.notes,
        "behaviors": {name: asdict(each) for name, each in result.behaviors.items()},
    }


def _result_from(record: dict[str, Any]) -> Result:
    return Result(
        verdicts=[*map(verdict_from, record["verdicts"])],
        notes=[*map(str, record["notes"])],
        behaviors={name: Behavior(**each) for name, each in record["behaviors"].items()},
    )


def _as_json(key: str, result: Result) -> str | None:
    """Return the record of a result; None where it would not give the same result back."""
    try:
        content = json.dumps({"key": key, **_record_of(result)})
        copy = _result_from(json.loads(content))
    except Exception:  # of a run that is too long, or a verdict that no record holds
        return None

    is_whole = all(map(is_same, copy.verdicts, result.verdicts))
    rest = copy.notes, copy.behaviors
    return content if is_whole and rest == (result.notes, result.behaviors) else None
