"""Which files are whose: the students of a class, from what was handed in."""

import atexit
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from abviz.course import FILE
from abviz.errors import AbvizError, visible
from abviz.exercises import practice
from abviz.exercises.exercise import FIRST_PAGE
from abviz.grading.downloads import RESUBMITTED, Download, folded, read_name
from abviz.grading.hand_in import HandIn
from abviz.grading.unpacking import (
    MOST_BYTES,
    MOST_BYTES_OF_ONE,
    OF_PROGRAMS,
    is_zip,
    unpack,
)

ENDINGS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
HIDDEN = re.compile(
    r"(^|[/\\])(\.|__(pycache__|MACOSX)($|[/\\]))"
)  # files and folders that are passed over

PACKAGES = "a folder of installed packages, which isn't read"
OF_ENVIRONMENTS = ("bin", "include", "lib", "lib64", "scripts", "share")


@dataclass(eq=False)
class Student:
    """One row of the report: a student, and what the student handed in."""

    # As reports name the student; no two are alike
    label: str

    # All files, and those of them that are graded
    files: list[Path] = field(default_factory=list)
    hand_ins: list[HandIn] = field(default_factory=list)

    # As the course knows the student; "" where that isn't known
    id: str = ""
    name: str = ""

    # The system that the files come from ("moodle", "canvas" or ""), and the names that it gave
    # them: Moodle's folder, or Canvas's files
    system: str = ""
    downloaded_as: list[str] = field(default_factory=list)

    # Whether it was late (None: not known), and the mark that says so
    late: bool | None = None
    late_by: str = ""

    # On the files as a whole
    notes: list[str] = field(default_factory=list)

    # Files and folders with answers that are not read, since their names begin with a dot
    left_out: list[str] = field(default_factory=list)

    def add(self, files: Iterable[Path], *, has_folder: bool) -> None:
        """Add files, which are the student's alone if they are in a folder of the student."""
        for file in files:
            if file in self.files:  # it was given twice
                continue
            self.files.append(file)
            is_of_course = _is_of_course(file)
            is_helper = is_of_course and file.suffix == ".py"
            if _is_hand_in(file) and not is_helper:
                own_folder = has_folder or is_of_course
                self.hand_ins.append(HandIn(file, own_folder, is_of_course))

    @property
    def is_of_course(self) -> bool:
        """Return whether the course's own notebooks are among the files."""
        return any(hand_in.notebook for hand_in in self.hand_ins)


def collect(paths: Iterable[str], unpacked: Path | None = None) -> tuple[list[Student], list[str]]:
    """Return the students whose files are at these paths, and what is there but cannot be graded.

    A folder or zip file that is given is a class, in which a folder is one student, whatever is in
    it, and so is each file; the names that Moodle and Canvas give to files say whose they are. It
    is one student if it holds the course's first page. Zip files are unpacked into the folder.
    """
    if unpacked is None:
        unpacked = _temporary_folder()

    students, others = collect_all(paths, unpacked)
    if not students:
        raise no_hand_in(others)
    return students, not_read(others)


def no_hand_in(others: Iterable[Student]) -> AbvizError:
    for other in others:
        for note in [*_notes_on_json(other), *left_out(other)]:
            return AbvizError(f"there is no hand-in: {note}")
    expected = f"files that end in {', '.join(ENDINGS)}, or folders of them"
    return AbvizError(f"there is no hand-in; expected {expected}")


def not_read(others: Iterable[Student]) -> list[str]:
    """Return what is there but cannot be graded, with the reasons that are known."""
    lines: list[str] = []
    for each in others:
        is_file = [Path(each.label).name] == [visible(file.name) for file in each.files]
        known = [*each.notes, *left_out(each)]
        reasons = _notes_on_json(each) if is_file or known else not_graded(each)
        notes = dict.fromkeys([*known, *reasons])
        if each.label not in each.left_out:  # else the note begins with it
            notes = {each.label: None} | notes
        lines.append("; ".join(notes))
    return sorted(lines)


def collect_all(paths: Iterable[str], unpacked: Path) -> tuple[list[Student], list[Student]]:
    """Return the students, and the files and folders in which there is no answer.

    These may be students, too, for those who know a roster.
    """
    collection = _Collection(unpacked)
    for path in map(Path, paths):
        if not path.exists():
            found = f"{visible(str(path))} does not exist"
            raise AbvizError(f"{found}; expected a hand-in or a folder of them")
        collection.add_given(path)

    return collection.all_students()


def _temporary_folder() -> Path:
    """Return an empty folder that is removed when Python ends."""
    folder = tempfile.mkdtemp(prefix="abviz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


class _Collection:
    """The students of the paths so far."""

    def __init__(self, unpacked: Path):
        self.unpacked = unpacked
        self._not_read: list[Student] = []

        # Zip files and where they are unpacked, and how many bytes others may still have
        self._folders: dict[Path, Path] = {}
        self._left = MOST_BYTES

        # By the file or folder that is theirs, or by what a system knows them by
        self._students: dict[Hashable, Student] = {}

        # Files that lie beside those of others, by student, with their own names
        self._flat: dict[Hashable, list[tuple[Path, str]]] = {}

    def add_given(self, path: Path) -> None:
        """Add the class, or the student, at a path that is given."""
        if is_zip(path):
            folder = self._new_folder()
            self._left -= unpack(path, folder, self._left)
            self._add_class(*_without_wrapping(folder, path))
        elif path.is_dir() and not _is_one_student(path):
            self._add_class(path, path)
        else:
            self._add_entry(path, path)

    def _add_class(self, folder: Path, shown: Path, depth: int = 0) -> None:
        if _is_of_nbgrader(folder):
            folder, shown = folder / "submitted", shown / "submitted"

        entries: list[Path] = []
        for entry in sorted(folder.iterdir()):
            if entry.name == FILE.name:
                continue
            if _is_hidden(entry, folder):
                if _hidden_answers(folder, entry):
                    place = shown / entry.name
                    student = Student(_label(place), name=place.stem.lstrip("."))
                    student.left_out.append(student.label)
                    self._not_read.append(student)
            elif entry.is_symlink():  # it may lead to the work of another student
                self._not_read.append(Student(_label(shown / entry.name)))
            else:
                entries.append(entry)

        if classes := self._classes_in(entries, depth):
            for entry, inner in classes.items():
                self._add_class(inner, shown / entry.name, depth + 1)
            return

        for entry in entries:
            try:
                self._add_entry(entry, shown / entry.name)
            except OSError as error:  # a folder that can't be read
                student = self._student(entry.absolute(), shown / entry.name)
                student.notes.append(f"it can't be read: {error.strerror}")
        if len(entries) == 1:
            self._note_that_it_may_be_a_class(entries[0])

    def _classes_in(self, entries: Iterable[Path], depth: int) -> dict[Path, Path]:
        """Return the folders of the classes in a class, or nothing if it holds students, too.

        A student can't make others up by what is in a folder.
        """
        classes: dict[Path, Path] = {}
        for entry in entries:
            inner = entry
            if is_zip(entry) and depth == 0 and not read_name(entry.name, is_folder=False):
                try:
                    inner = self._unpacked(entry)
                except AbvizError:
                    return {}
            elif not entry.is_dir():
                if _is_hand_in(entry):
                    return {}
                continue
            if read_name(entry.name, is_folder=True) or not _is_class(inner):
                return {}
            classes[entry] = inner
        return classes

    def _add_entry(self, entry: Path, shown: Path) -> None:
        """Add a file or a folder, which is a student's."""
        if download := read_name(entry.name, is_folder=entry.is_dir()):
            self._add_download(entry, download)
        elif entry.is_dir():
            student = self._student(entry.absolute(), shown, name=shown.name)
            self._add_files(student, entry)
            student.notes += _remarks(entry, student)
        elif is_zip(entry) and not _is_of_course(entry):
            student = self._student(entry.absolute(), shown)
            self._add_zip(student, entry)
        elif _is_of_course(entry):  # it is a part of its folder
            self._student(entry.parent.absolute(), shown.parent).add([entry], has_folder=True)
        else:
            self._student(entry.absolute(), shown).add([entry], has_folder=False)

    def _add_zip(self, student: Student, path: Path) -> None:
        """Add the files in a student's zip file, but not those in the zip files there."""
        try:
            folder = self._unpacked(path)
        except AbvizError as problem:
            student.notes.append(str(problem))
        else:
            self._add_files(student, folder, unpacks=False)

    def _unpacked(self, path: Path) -> Path:
        """Return the folder with what is in a zip file."""
        if path not in self._folders:
            folder = self._new_folder()
            self._left -= unpack(path, folder, min(MOST_BYTES_OF_ONE, self._left))
            self._folders[path] = folder
        return self._folders[path]

    def _note_that_it_may_be_a_class(self, entry: Path) -> None:
        """Note that a class of one folder may be one more folder around a class."""
        student = self._students.get(entry.absolute())
        if not entry.is_dir() or not student or student.is_of_course or student.notes:
            return
        if len(student.hand_ins) > 1:
            name = visible(entry.name)
            student.notes.append(f"all files in {name} are read as one student's")

    def _add_download(self, entry: Path, download: Download) -> None:
        """Add what Moodle or Canvas names as a student's."""
        student = self._students.get(download.student)
        if student is None:
            label = f"{visible(download.name)} ({download.id})"
            student = Student(label, id=download.id, name=download.name, system=download.system)
            self._students[download.student] = student

        student.downloaded_as.append(entry.name)
        if download.is_late is not None:
            student.late = bool(student.late) or download.is_late
            student.late_by = "Canvas's mark"

        if entry.is_dir():
            self._add_files(student, entry)
        elif download.file:
            self._flat.setdefault(download.student, []).append((entry, download.file))
        else:
            student.files.append(entry)

    def _add_files(self, student: Student, folder: Path, *, unpacks: bool = True) -> None:
        """Add all files of a folder, and those in its zip files, but not in the zip files there."""
        files = _files(folder)
        student.add(files, has_folder=True)
        for packages in _folders_of_packages(folder):
            student.notes.append(f"{visible(str(packages))}: {PACKAGES}")
        for hidden in _hidden_answers(folder, folder):
            student.left_out.append(f"{student.label}/{visible(str(hidden))}")
        for path in filter(is_zip, files):
            if unpacks:
                self._add_zip(student, path)
            else:
                found = f"{visible(path.name)} is in another zip file and isn't read"
                student.notes.append(found)

    def _student(self, key: Hashable, shown: Path, name: str = "") -> Student:
        if key not in self._students:
            self._students[key] = Student(_label(shown), name=name or shown.stem)
        return self._students[key]

    def _new_folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.unpacked))

    def all_students(self) -> tuple[list[Student], list[Student]]:
        """Return the students who have handed in an answer, or whom a system names, and others."""
        for key, files in self._flat.items():
            folder = self._new_folder()
            _copy_flat(files, folder)
            self._add_files(self._students[key], folder)
        self._flat.clear()

        students: list[Student] = []
        others = self._not_read
        for student in self._students.values():
            is_known = student.hand_ins or student.system
            (students if is_known else others).append(student)

        _tell_apart(students)
        for student in students:
            student.notes += [*left_out(student), *not_graded(student)]
        return students, others


def left_out(student: Student) -> list[str]:
    """Return notes on what is not read of a student."""
    return [f"{name} is left out, since its name begins with a dot" for name in student.left_out]


def not_graded(student: Student) -> list[str]:
    """Return notes on the files of a student without an answer."""
    if student.hand_ins:
        return []
    others = [each for each in student.files if not _is_json(each)]
    names = ", ".join(visible(each.name) for each in others)
    expected = f"expected a file that ends in {', '.join(ENDINGS)}"
    notes = [f"{names}: not graded; {expected}"] if others else []
    return notes + _notes_on_json(student)


def _notes_on_json(student: Student) -> list[str]:
    """Return a note on the JSON files of a student without an answer, which are something else."""
    if student.hand_ins:
        return []
    names = ", ".join(visible(each.name) for each in student.files if _is_json(each))
    expected = "expected the file that Download saves in practice"
    return [f"{names}: not a practice result; {expected}"] if names else []


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _remarks(folder: Path, student: Student) -> list[str]:
    """Return a note on a folder that may be a class: it only holds folders with answers."""
    parts = [
        hand_in.path.relative_to(folder).parts
        for hand_in in student.hand_ins
        if hand_in.path.is_relative_to(folder)
    ]
    folders = sorted({each[0] for each in parts})
    if len(folders) < 2 or any(len(each) == 1 for each in parts):
        return []
    names = ", ".join(map(visible, folders))
    return [f"its folders are read as one student's: {names}"]


def _tell_apart(students: Iterable[Student]) -> None:
    """Number the labels that are alike."""
    seen: Counter[str] = Counter()
    for student in students:
        seen[student.label] += 1
        if seen[student.label] > 1:
            student.label += f" [{seen[student.label]}]"


def _copy_flat(files: Iterable[tuple[Path, str]], folder: Path) -> None:
    """Copy files under their own names, as the student had them.

    Canvas numbers a file that replaces an earlier one.
    """
    for path, name in files:
        own = Path(RESUBMITTED.sub("", name)).name
        targets = [own, Path(name).name]
        target = next((each for each in targets if not (folder / each).exists()), path.name)
        shutil.copy2(path, folder / target)


def _is_one_student(folder: Path) -> bool:
    """Return whether a folder is a student's by its own name, or by where it is."""
    absolute = folder.absolute()
    if read_name(absolute.name, is_folder=True):
        return True
    above = absolute.parent, absolute.parent.parent
    return any(each.name == "submitted" and _is_of_nbgrader(each.parent) for each in above)


def _is_of_nbgrader(folder: Path) -> bool:
    """Return whether it is the folder of a whole course of nbgrader's."""
    others = ("nbgrader_config.py", "gradebook.db", "source", "release")
    return (folder / "submitted").is_dir() and any((folder / name).exists() for name in others)


def _is_class(folder: Path) -> bool:
    """Return whether a folder in a class is a class of its own, and not one student."""
    if _is_of_nbgrader(folder):
        return True
    entries = [each for each in folder.iterdir() if not _is_hidden(each, folder)]
    names = [read_name(each.name, is_folder=each.is_dir()) for each in entries]
    students = {name.student for name in names if name}
    of_moodle = any(name.system == "moodle" for name in names if name)
    courses = [each for each in entries if (each / FIRST_PAGE).is_file()]
    return of_moodle or len(students) > 1 or len(courses) > 1


def _without_wrapping(folder: Path, path: Path) -> tuple[Path, Path]:
    """Return the folder of a class that was unpacked, and its path as reports show it.

    A zip file that holds nothing but a folder of its own name is that folder.
    """
    entries = [each for each in folder.iterdir() if not _is_hidden(each, folder)]
    is_wrapped = len(entries) == 1 and entries[0].is_dir()
    if is_wrapped and folded(entries[0].name) == folded(path.stem):
        return entries[0], path
    return folder, path


def _is_of_course(place: Path) -> bool:
    """Return whether it is a file beside the course's first page."""
    return place.is_file() and (place.parent / FIRST_PAGE).is_file()


def _label(place: Path) -> str:
    """Return the path as reports show it. Names that differ stay different."""
    shown = place if place.name else Path.cwd()
    return visible(os.fsencode(shown).decode(errors="backslashreplace"))


def _files(place: Path) -> list[Path]:
    """Return the file, or the files in the folder, without links and what is hidden."""
    if not place.is_dir():
        return [place]
    below = [each for each in sorted(place.rglob("*")) if not _is_hidden(each, place)]
    packages = {place / each for each in _folders_of_packages(place)}
    return [
        each
        for each in below
        if each.is_file() and not each.is_symlink() and packages.isdisjoint(each.parents)
    ]


def _folders_of_packages(folder: Path) -> list[Path]:
    """Return the folders below this one in which only installed packages are."""
    found: list[Path] = []
    for each in sorted(folder.rglob("*")):
        relative = each.relative_to(folder)
        is_new = not _is_hidden(each, folder) and not set(found) & set(relative.parents)
        if is_new and _holds_packages(each):
            found.append(relative)
    return found


def _holds_packages(folder: Path) -> bool:
    """Return whether a folder is a part of an environment of Python, or the like.

    The environment itself may be where a student works.
    """
    if not folder.is_dir() or folder.is_symlink():
        return False
    marks = (folder.parent / name for name in ("pyvenv.cfg", "conda-meta"))
    is_part = folder.name.lower() in OF_ENVIRONMENTS and any(mark.exists() for mark in marks)
    return is_part or folder.name in ("site-packages", "node_modules")


def _hidden_answers(folder: Path, place: Path) -> list[Path]:
    """Return the hidden files and folders in a place of the folder that hold answers."""
    found: dict[Path, None] = {}
    for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
        parts = file.relative_to(folder).parts
        hidden = [each for each in range(len(parts)) if HIDDEN.match(parts[each])]
        if hidden and not OF_PROGRAMS.search(str(Path(*parts))) and _is_hand_in(file):
            found[Path(*parts[: hidden[0] + 1])] = None
    return list(found)


def _is_hidden(file: Path, folder: Path) -> bool:
    return HIDDEN.search(str(file.relative_to(folder))) is not None


def _is_hand_in(path: Path) -> bool:
    """Return whether a file is one. A link may lead to the work of another student."""
    if path.suffix.lower() not in ENDINGS or not path.is_file() or path.is_symlink():
        return False
    if not _is_json(path):
        return True
    try:
        with path.open("rb") as file:
            return practice.is_result(file.read(practice.MOST_BYTES))
    except OSError:  # it is named where it would be graded
        return True
