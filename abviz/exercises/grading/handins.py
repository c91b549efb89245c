"""What is handed in: files, and what stands beside them. None is read here, but for what it is called."""

import os
import re
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from abviz.errors import AbvizError, visible
from abviz.exercises.grading import folders

KINDS = (".ipynb", ".py")
MOST_BYTES = 20_000_000
GOES_ALONG = "only what is in a student's own folder, below the one told, goes along"
NEAR = 0.85  # how much alike names are of which one may be meant for the other
LEFT_OUT = (".", "__")  # names of files and folders that are no hand-ins begin so


@dataclass(frozen=True)
class HandIn:
    """One file. A student's own folder is copied with it; from a folder of many students' files, only the file."""

    label: str  # as it is told in reports
    path: Path
    problem: str = ""  # why it cannot be read
    own_folder: bool = False
    closed: tuple[Path, ...] = ()  # where other hand-ins stand, which its process may not look at

    @property
    def module(self) -> str:
        return "__main__" if self.path.suffix.lower() == ".ipynb" else "hand_in"

    def left_behind(self, problem: str) -> str:
        """Where what it misses stands beside it: why it was not there."""
        for name in re.findall(r"'([^'/\\\\]+)'", "" if self.own_folder else problem):
            for beside in (name, f"{name}.py"):
                if os.path.isfile(self.path.parent / beside):
                    return f"{beside} stands beside it; {GOES_ALONG}"
        return ""

    def copy_to(self, folder: Path) -> None:
        beside = self.path.resolve().parent
        if self.own_folder:
            number, size = folders.size(beside, folders.HIDDEN)
            if number <= folders.MOST_FILES and size <= folders.MOST_BYTES:
                folders.copy(beside, folder)
        shutil.copyfile(self.path, folder / self.path.name)


def is_called_like_one(path: str | Path) -> bool:
    return Path(path).suffix.lower() in KINDS


def hand_ins(paths: Iterable[str]) -> list[HandIn]:
    """The files told, and those in the folders told and all below, in the order of their names."""
    told = [Path(path) for path in paths]
    found = list({each.path.absolute(): each for path in told for each in _below(path)}.values())
    if not found:
        raise AbvizError(f"no hand-in is there; expected files that end in {' or '.join(KINDS)}")
    closed = tuple({path if path.is_dir() else path.parent for path in (each.resolve() for each in told)})
    labels: dict[str, int] = {}
    for i, each in enumerate(found):
        times = labels[each.label] = labels.get(each.label, 0) + 1
        label = each.label if times == 1 else f"{each.label} ({times})"
        found[i] = replace(each, label=label, closed=closed)
    return found


def _below(path: Path) -> Iterator[HandIn]:
    if not path.is_dir():
        if not path.exists():
            raise AbvizError(f"{visible(str(path))} does not exist; expected a hand-in or a folder of them")
        if not is_called_like_one(path):
            raise AbvizError(f"{visible(str(path))} is no hand-in; expected {', '.join(KINDS)} or a folder")
        yield HandIn(visible(str(path)), path, _problem(path, follow=True))
        return
    for found in sorted(Path(entry.path) for entry in folders.entries(path, LEFT_OUT)):
        if is_called_like_one(found) and (found.is_symlink() or not found.is_dir()):
            yield HandIn(visible(str(found)), found, _problem(found, follow=False), own_folder=found.parent != path)
        elif found.parent == path and found.is_symlink() and found.is_dir():
            yield HandIn(visible(str(found)), found, "it cannot be read: it is a link; expected a folder")


def _problem(path: Path, follow: bool) -> str:
    """Why it cannot be read, as far as can be told without reading it. What a student calls a link may lead to the
    file of another; one that is told on the command line is followed."""
    try:
        about = os.stat(path, follow_symlinks=follow)
        if stat.S_ISLNK(about.st_mode):
            return "it cannot be read: it is a link; expected a file"
        if not stat.S_ISREG(about.st_mode):
            return "it cannot be read: it is no regular file"
        if about.st_size > MOST_BYTES:
            return f"it cannot be read: it is larger than {MOST_BYTES:,} bytes"
        path.open("rb").close()
    except OSError as problem:
        return f"it cannot be read: {visible(problem.strerror or type(problem).__name__)}"
    return ""


def helpers(hand_ins: Iterable[HandIn], answering: Collection[HandIn]) -> Iterator[HandIn]:
    """Of those that answer nothing: what stands in a student's own folder beside one that does."""
    beside = {each.path.parent for each in answering if each.own_folder}
    return (each for each in hand_ins if each.own_folder and each not in answering and each.path.parent in beside)


def missing(name: str, others: Iterable[str]) -> str:
    """That nothing has the name, and which other one may be meant for it."""
    meant = {_alike(each): each for each in others}
    near = get_close_matches(_alike(name), meant, 1, NEAR)
    return f"Nothing in it is named {name}{f', but {meant[near[0]]} is there' if near else ''}."


def _alike(name: str) -> str:
    return name.replace("_", "").casefold()[:60]
