"""The students of a course, and which hand-in is whose."""

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from abviz.errors import AbvizError, visible
from abviz.grading.downloads import folded, run_together
from abviz.grading.hand_ins import Student, left_out, not_graded
from abviz.grading.tables import Table, read_table

NAMES_OF_IDS = {"id", "student id", "student number", "number", "identifier", "user id"}
NAMES_OF_NAMES = {"name", "student", "full name", "student name"}


@dataclass(frozen=True)
class Entry:
    """A student as the course knows him or her."""

    id: str
    name: str = ""

    # As other systems know the student, in the order in which they are compared
    other_ids: tuple[str, ...] = ()

    # Of the gradebook
    row: int = 0

    @property
    def label(self) -> str:
        name = visible(self.name)
        return f"{name} ({visible(self.id)})" if name else visible(self.id)


@dataclass
class Roster:
    """The students of a course, in their order."""

    entries: list[Entry]

    # Whose numbers the ids are: "moodle", "canvas" or ""
    system: str = ""

    # In the file, but no students: Canvas's test student
    test_students: list[Entry] = field(default_factory=list)

    def find(self, student: Student) -> list[Entry]:
        """Return whose hand-in it may be: all those with an id that is equal, or else by name."""
        for comparisons in self._comparisons(student):
            found = [
                entry for entry in self.entries if any(is_equal(entry) for is_equal in comparisons)
            ]
            if found:
                return found
        return []

    def is_test(self, student: Student) -> bool:
        """Return whether it is the hand-in of Canvas's test student."""
        return any(
            student.system == self.system and folded(student.id) == folded(entry.id)
            for entry in self.test_students
        )

    def may_be(self, student: Student, entry: Entry) -> bool:
        """Return whether a hand-in that matches nobody may be this student's.

        A number of the same system is of someone else, unless the name is the student's.
        """
        return student.system != self.system or not student.system or _is_name(student.name, entry)

    def _comparisons(self, student: Student) -> "list[list[_Comparison]]":
        """Return what is compared: first this, and where nothing is equal that."""
        if student.system and student.system == self.system:
            return [[_Comparison(0, student.id)]]

        by_name = _Comparison(None, student.name)
        if student.system:
            # Numbers of another system: the same one may be of someone else
            return [[_Comparison(0, student.id, student.name)], [by_name]]

        most = max((len(entry.other_ids) for entry in self.entries), default=0)
        by_id = [_Comparison(place, student.name) for place in range(most + 1)]
        return [by_id, [by_name]]


@dataclass(frozen=True)
class _Comparison:
    """Whether an entry has a text as one of its ids, or as its name, or has both."""

    place: int | None  # of the id; None: compare the name
    text: str
    name: str | None = None

    def __call__(self, entry: Entry) -> bool:
        if self.name is not None and not _is_name(self.name, entry):
            return False
        if self.place is None:
            return _is_name(self.text, entry)
        ids = [entry.id, *entry.other_ids]
        return self.place < len(ids) and folded(ids[self.place]) == folded(self.text) != ""


def _is_name(text: str, entry: Entry) -> bool:
    """Return whether a text is the entry's name: with the last name first, or run together."""
    if not run_together(text):
        return False
    return run_together(text) in {run_together(name) for name in _spellings(entry.name)}


def _is_other_name(student: Student, entry: Entry) -> bool:
    """Return whether a system's name of a student is another one than the entry's.

    The order of its parts may be another one, and some may be missing. Where names are hidden,
    Moodle writes "Participant" instead.
    """
    name, known = _letters(student.name), _letters(entry.name)
    identifiers = [_letters(each) for each in entry.other_ids]
    is_hidden = any(not name - each for each in identifiers[:1])
    if not name or not known or is_hidden:
        return False

    fewer, more = sorted((name, known), key=Counter.total)
    is_part = not fewer - more and 2 * fewer.total() >= more.total()
    return not is_part


def _letters(name: str) -> Counter[str]:
    """Return how often each letter is in a name, without accents."""
    plain = unicodedata.normalize("NFD", run_together(name))
    return Counter(each for each in plain if unicodedata.category(each)[0] == "L")


def _spellings(name: str) -> list[str]:
    """Return a name, and the same with its last name at the other end."""
    last, comma, first = name.partition(",")
    if comma:
        return [name, f"{first} {last}"]
    first, _, last = name.rpartition(" ")
    return [name, f"{last}, {first}"]


def read_roster(path: str | os.PathLike[str]) -> Roster:
    """Return the roster in a table with a column of ids and one of names."""
    table = read_table(path)
    id_column, name_column, first = _columns(table)
    entries: list[Entry] = []
    for row in table.rows[first:]:
        entry = Entry(row.value(id_column).strip(), row.value(name_column).strip())
        if not entry.id:
            raise AbvizError(f"{table.place(row)} has no id; expected an id and a name")
        entries.append(entry)

    if not entries:
        raise AbvizError(f"{table.name} names no student; expected rows of an id and a name")
    check_ids(table, entries)
    return Roster(entries)


def _columns(table: Table) -> tuple[int, int, int]:
    """Return the columns of ids and of names, and the first row after the header, if any."""
    header = [folded(value) for value in table.header]
    if len(header) < 2:
        expected = "expected columns id and name, such as 1001,Ada Lovelace"
        raise AbvizError(f"{table.place(table.rows[0])} has one column; {expected}")

    ids = [column for column, value in enumerate(header) if value in NAMES_OF_IDS]
    names = [column for column, value in enumerate(header) if value in NAMES_OF_NAMES]
    if ids and names:
        return ids[0], names[0], 1
    return 0, 1, 0


def check_ids(table: Table, entries: Iterable[Entry]) -> None:
    """Refuse a table in which two students have one id."""
    seen = Counter(folded(entry.id) for entry in entries)
    for entry in entries:
        if seen[folded(entry.id)] > 1:
            found = f"{table.name} has {visible(entry.id)} twice"
            raise AbvizError(f"{found}; expected an id of its own for each student")


@dataclass
class Attendance:
    """Who has handed in what."""

    # Those of the roster, in its order, then those who are in no roster
    students: list[Student] = field(default_factory=list)

    # By label, the place of a student in the roster
    entries: dict[str, Entry] = field(default_factory=dict)

    # Those without answers who are in the roster
    found: list[Student] = field(default_factory=list)

    # By label, the reason why a hand-in is nobody's of the roster
    unmatched: dict[str, str] = field(default_factory=dict)

    # By label, the reason why the hand-in of a student of the roster is not known
    unclear: dict[str, str] = field(default_factory=dict)

    # The labels of students without a hand-in who may have one that matches nobody, or is left
    # out, and those hand-ins
    doubtful: set[str] = field(default_factory=set)
    strays: list[str] = field(default_factory=list)


def attend(
    students: Sequence[Student], roster: Roster, others: Sequence[Student] = ()
) -> Attendance:
    """Return the students of the roster with their hand-ins. Nothing is guessed.

    Where several students may be one of the roster, or one may be several, none of them is. The
    others have files without answers; whose they are only says why an answer is missing.
    """
    candidates = {student: roster.find(student) for student in students}
    claims: dict[Entry, list[Student]] = {entry: [] for entry in roster.entries}
    for student, entries in candidates.items():
        for entry in entries:
            claims[entry].append(student)

    # The number is the entry's, but the name is another one
    renamed = {
        student
        for student, entries in candidates.items()
        if student.system and len(entries) == 1 and _is_other_name(student, entries[0])
    }
    strangers = [
        student
        for student, entries in candidates.items()
        if student in renamed or (not entries and not roster.is_test(student))
    ]

    without_answers: dict[Entry, list[Student]] = {}
    for other in others:
        entries = roster.find(other)
        if len(entries) == 1:
            without_answers.setdefault(entries[0], []).append(other)
        elif other.left_out:
            strangers.append(other)

    attendance = Attendance()
    matched: set[Student] = set()
    for entry, claimants in claims.items():
        strays: list[Student] = []
        if not claimants:
            student = _absent(entry, without_answers.get(entry, []))
            attendance.found += without_answers.get(entry, [])
            strays = [each for each in strangers if roster.may_be(each, entry)]
        elif len(claimants) > 1 or len(candidates[claimants[0]]) > 1:
            labels = ", ".join(each.label for each in claimants)
            attendance.unclear[entry.label] = f"perhaps {labels}"
            continue
        elif claimants[0] in renamed:
            attendance.unclear[entry.label] = f"whose number {claimants[0].label} has"
            continue
        else:
            student = claimants[0]
            matched.add(student)

        if strays or (student.left_out and not student.hand_ins):
            attendance.doubtful.add(entry.label)
            names = [*student.left_out, *(each.label for each in strays)]
            attendance.strays += [each for each in names if each not in attendance.strays]

        student.label = entry.label
        student.id = entry.id
        student.name = entry.name or student.name
        attendance.students.append(student)
        attendance.entries[student.label] = entry

    for student, entries in candidates.items():
        if roster.is_test(student):
            student.notes.append("Canvas's test student, who gets no grade")
            attendance.students.append(student)
        elif student in renamed:
            _add_unmatched(attendance, student, entries, "its number is that of")
        elif student not in matched:
            _add_unmatched(attendance, student, entries)
    return attendance


def _absent(entry: Entry, others: Iterable[Student]) -> Student:
    """Return a student of whom there is no answer, with the files that were handed in instead."""
    student = Student(entry.label)
    for other in others:
        student.files += other.files
        student.left_out += other.left_out
        student.notes += other.notes
    student.notes += left_out(student)
    student.notes += not_graded(student)
    if not student.notes:
        student.notes.append("nothing was handed in under this name or id")
    return student


def _add_unmatched(
    attendance: Attendance, student: Student, entries: list[Entry], why: str = "perhaps"
) -> None:
    if student.label in attendance.entries.keys() | attendance.unclear.keys():
        student.label += " [unmatched]"

    reason = "the roster has no such id or name"
    if entries:
        reason = f"{why} {', '.join(entry.label for entry in entries)}"
    attendance.students.append(student)
    attendance.unmatched[student.label] = reason
