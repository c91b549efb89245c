"""The file that Moodle or Canvas exported: roster and template at once.

It is written back with the grades filled in, and everything else as it was.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from abviz.errors import AbvizError, brief, count, visible
from abviz.grading.downloads import folded
from abviz.grading.roster import Entry, Roster, check_ids
from abviz.grading.tables import Row, Table, check_widths, read_table

NUMBER = re.compile(r"\d+(?:[.,]\d+)?")

# With thousands apart, as in 1,234.50 or 1.234,50; 1,000 may be a thousand, or one
GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3})+,\d+")
UNCLEAR = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
EMPTY = ("", "-")  # of a cell without a grade, or without a time

# Ours begins with it, so that it can be replaced; any other comment stays
OUR_COMMENT = "abviz: "

# Canvas
TEST_STUDENTS = {"student, test", "test student"}
OPTIONAL = ("SIS User ID", "SIS Login ID", "Integration ID", "Root Account")
ASSIGNMENT = re.compile(r"(?P<title>.*) \((?P<id>\d+)\)", re.DOTALL)

# Moodle, in English; in other languages a column is recognized by what is in it
IDENTIFIER = re.compile(r"\D+(\d+)")
GRADE, MAXIMUM = "Grade", "Maximum grade"
SUBMITTED, GRADED = "Last modified (submission)", "Last modified (grade)"
COMMENTS = "Feedback comments"
STATUS, NO_HAND_IN, HANDED_IN = "Status", "No submission", "Submitted"


class Grade(NamedTuple):
    """What a student gets."""

    points: float
    of: float
    comment: str
    is_handed_in: bool


@dataclass
class Gradebook:
    """A gradebook, and which of its columns are which."""

    table: Table
    roster: Roster
    grade: int  # the column
    maximum: float | None  # None: not known, or 0
    comma: bool = False  # whether decimals have one
    comments: int | None = None  # the column, if there is one
    submitted: dict[str, str] = field(default_factory=dict)  # by id: Moodle's time, as text

    # The ids of those of whom Moodle has a hand-in
    has_hand_in: set[str] = field(default_factory=set)

    # On what was changed, or left as it was; and how many cells have a grade of ours
    notes: list[str] = field(default_factory=list)
    written: int = 0

    @property
    def column(self) -> str:
        return visible(self.table.header[self.grade])

    def scaled(self, points: float, of: float) -> str:
        """Return the grade as it is written: in the gradebook's points, if it says how many."""
        if not of:
            raise AbvizError("the exercises have no points; expected --points above 0")
        value = points if self.maximum is None else points / of * self.maximum
        text = f"{round(value + 1e-9, 2):.2f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if self.comma else text

    def filled(self, grades: Mapping[str, Grade]) -> bytes:
        """Return the file with these grades, by the id of the student.

        A grade that is there is changed only where the student has handed in, and each change is
        noted. A cell that holds no number stays.
        """
        self.notes = []
        self.written = 0
        cells: dict[tuple[int, int], str] = {}
        for entry in self.roster.entries:
            if entry.id not in grades:
                continue
            grade = grades[entry.id]
            row = self.table.rows[entry.row]
            before = row.value(self.grade).strip()

            is_empty = before in EMPTY
            if not is_empty and (not grade.is_handed_in or _number(before) is None):
                self.notes.append(f"{entry.label}: {visible(before)} stays")
                continue

            new = self.scaled(grade.points, grade.of)
            self.written += 1
            if is_empty or _number(before) != _number(new):
                cells[entry.row, self.grade] = new
                if not is_empty:
                    self.notes.append(f"{entry.label}: {visible(before)} -> {new}")

            if self.comments is None:
                continue
            comment = row.value(self.comments).strip()
            if comment in EMPTY or comment.startswith(OUR_COMMENT):
                cells[entry.row, self.comments] = f"{OUR_COMMENT}{grade.comment}"
            else:
                self.notes.append(f"{entry.label}: the comment in the gradebook stays")
        return self.table.replaced(cells)


def read_gradebook(path: str | os.PathLike[str], assignment: str | None = None) -> Gradebook:
    """Return the gradebook in a file that Moodle or Canvas exported.

    The title of the assignment chooses the column in Canvas's file.
    """
    table = read_table(path)
    if is_of_canvas(table):
        return _of_canvas(table, assignment)

    if assignment is not None:
        found = f"{table.name} has no columns of assignments"
        raise AbvizError(f"{found}; expected Canvas's export with --assignment")
    return _of_moodle(table)


# Canvas


def is_of_canvas(table: Table) -> bool:
    return table.header[:2] == ["Student", "ID"] and "Section" in table.header


def read_canvas_roster(table: Table) -> Roster:
    """Return the students in Canvas's export."""
    header = table.header
    others = [header.index(name) for name in OPTIONAL[:3] if name in header]
    points_row = _row_of_points(table)

    entries: list[Entry] = []
    test_students: list[Entry] = []
    for place, row in enumerate(table.rows[points_row + 1 :], points_row + 1):
        name = row.value(0).strip()
        if folded(name) in TEST_STUDENTS:
            test_students.append(Entry(row.value(1).strip(), name, (), place))
            continue
        if not row.value(1).strip():
            raise AbvizError(f"{table.place(row)} has no ID; expected Canvas's export")
        other_ids = tuple(row.value(column).strip() for column in others)
        entries.append(Entry(row.value(1).strip(), name, other_ids, place))
    check_ids(table, entries)
    return Roster(entries, system="canvas", test_students=test_students)


def _of_canvas(table: Table, assignment: str | None) -> Gradebook:
    check_widths(table)
    points_row = _row_of_points(table)
    possible = table.rows[points_row]
    grade = _column_of(table, possible, assignment)
    roster = read_canvas_roster(table)

    text = possible.value(grade).strip()
    numbers = [text, *(row.value(grade).strip() for row in table.rows[points_row + 1 :])]
    return Gradebook(
        table=table,
        roster=roster,
        grade=grade,
        maximum=_maximum(table, possible, grade),
        comma=any(re.fullmatch(r"\d+,\d+", each) for each in numbers),
    )


def _row_of_points(table: Table) -> int:
    """Return the place of the row that says how many points there are; students stand below it."""
    for place, row in enumerate(table.rows):
        if _has_points(row):
            return place
    raise AbvizError(f"{table.name} has no row Points Possible; expected Canvas's export")


def _has_points(row: Row) -> bool:
    return row.value(0).strip() == "Points Possible"


def _column_of(table: Table, possible: Row, assignment: str | None) -> int:
    """Return the column of the assignment: by its title, its id, or both, as in the header."""
    header = table.header
    first = header.index("Section") + 1
    columns: dict[int, tuple[str, ...]] = {}
    for column in range(first, len(header)):
        match = ASSIGNMENT.fullmatch(header[column])
        if match and possible.value(column).strip() != "(read only)":
            columns[column] = (header[column], match["title"], match["id"])

    titles = ", ".join(brief(header[column]) for column in columns) or "no assignment"
    if assignment is None:
        if len(columns) == 1:
            return next(iter(columns))
        expected = "expected --assignment with the title of one"
        raise AbvizError(f"{table.name} has {titles}; {expected}")

    for form in range(3):
        found = [column for column, names in columns.items() if names[form] == assignment.strip()]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(brief(header[column]) for column in found)
            expected = "expected a title with its id"
            raise AbvizError(f"--assignment {brief(assignment)} is {several}; {expected}")

    found_none = f"{table.name} has no assignment {brief(assignment)}, which would make a new one"
    raise AbvizError(f"{found_none}; expected {titles}")


# Moodle


def _of_moodle(table: Table) -> Gradebook:
    check_widths(table)
    rows = table.rows[1:]
    ids = [IDENTIFIER.fullmatch(row.value(0).strip()) for row in rows]
    if not rows or not all(ids):
        expected = "Moodle's grading worksheet (Identifier: Participant 1001) or Canvas's export"
        raise AbvizError(f"{table.name} is no gradebook; expected {expected}, as downloaded")

    maximum = _column_of_maximum(table)
    grade = maximum - 1
    submitted, graded = _columns_of_times(table, maximum)
    has_names = grade > 2 and _has_names(table)
    entries: list[Entry] = []
    for place, (row, match) in enumerate(zip(rows, ids, strict=True), 1):
        assert match
        name = row.value(1).strip() if has_names else ""
        others = [row.value(0), *(row.value(column) for column in range(2, grade))]
        other_ids = tuple(each.strip() for each in others)
        entries.append(Entry(match[1], name, other_ids, place))
    check_ids(table, entries)

    of = rows[0].value(maximum).strip()
    numbers = [of, *(row.value(grade).strip() for row in rows)]
    times: dict[str, str] = {}
    if submitted is not None:
        times = {entry.id: table.rows[entry.row].value(submitted).strip() for entry in entries}
    return Gradebook(
        table=table,
        roster=Roster(entries, system="moodle"),
        grade=grade,
        maximum=_maximum(table, rows[0], maximum),
        comma=any(re.fullmatch(r"\d+,\d+", each) for each in numbers),
        comments=_column_of_comments(table, graded),
        submitted=times,
        has_hand_in=_with_hand_in(table, entries, times),
    )


def _with_hand_in(table: Table, entries: Iterable[Entry], times: Mapping[str, str]) -> set[str]:
    """Return the ids of those who have a time, or else a status that says so."""
    status = table.header.index(STATUS) if STATUS in table.header else None
    found: set[str] = set()
    for entry in entries:
        state = "" if status is None else table.rows[entry.row].value(status).strip()
        if state.startswith(NO_HAND_IN):
            continue
        has_time = times.get(entry.id, "") not in EMPTY
        if has_time or (not times and state.startswith(HANDED_IN)):
            found.add(entry.id)
    return found


def _has_names(table: Table) -> bool:
    """Return whether names are in the second column, where else a few states of work are."""
    values = [row.value(1) for row in table.rows[1:]]
    return 2 * len(set(values)) > len(values)


def _column_of_maximum(table: Table) -> int:
    """Return the column with the most points: one number in all rows, right of the grades."""
    header = table.header
    if GRADE in header and MAXIMUM in header and header.index(MAXIMUM) == header.index(GRADE) + 1:
        return header.index(MAXIMUM)

    found = [column for column in range(2, len(header)) if _may_be_maximum(table, column)]
    if len(found) != 1:
        where = f"{table.name} has {count(len(found), 'column')} that may be the maximum grade"
        raise AbvizError(f"{where}; expected Moodle's grading worksheet, as downloaded")
    return found[0]


def _may_be_maximum(table: Table, column: int) -> bool:
    rows = table.rows[1:]
    values = {row.value(column).strip() for row in rows}
    grades = {row.value(column - 1).strip() for row in rows}
    is_number = len(values) == 1 and all(_number(each) is not None for each in values)
    return is_number and all(each in EMPTY or _number(each) is not None for each in grades)


def _columns_of_times(table: Table, maximum: int) -> tuple[int | None, int]:
    """Return the columns of the times of the hand-in, if there is one, and of the grade."""
    header = table.header
    if GRADED in header:
        submitted = header.index(SUBMITTED) if SUBMITTED in header else None
        return submitted, header.index(GRADED)

    times = [column for column in range(maximum + 1, len(header)) if _has_times(table, column)]
    if not times:
        expected = "expected Last modified (grade), without which Moodle takes no grades"
        raise AbvizError(f"{table.name} has no column of times; {expected}")
    return times[0] if len(times) > 1 else None, times[-1]


def _has_times(table: Table, column: int) -> bool:
    """Return whether each cell is a time, with the year in four digits, or "-"."""
    values = [row.value(column).strip() for row in table.rows[1:]]
    return all(each == "-" or _is_time(each) for each in values)


def _is_time(text: str) -> bool:
    return re.search(r"\b\d{4}\b", text) is not None and ":" in text


def _column_of_comments(table: Table, graded: int) -> int | None:
    """Return the column of comments: the next one after the time of the grade."""
    header = table.header
    if COMMENTS in header:
        return header.index(COMMENTS)
    is_last = graded + 1 == len(header) - 1
    return graded + 1 if is_last else None


def _maximum(table: Table, row: Row, column: int) -> float | None:
    """Return the most points there are; None where the file doesn't say, or says 0."""
    text = row.value(column).strip()
    if text in EMPTY:
        return None

    if GROUPED.fullmatch(text):
        whole, _, decimals = text.replace(".", ",").rpartition(",")
        return float(f"{whole.replace(',', '')}.{decimals}")

    number = None if UNCLEAR.fullmatch(text) else _number(text)
    if number is None:
        found = f"{table.place(row)} has {brief(text)} as the most points"
        raise AbvizError(f"{found}; expected a number such as 100 or 7.5")
    return number or None


def _number(text: str) -> float | None:
    """Return the number that a cell holds, with a point or a comma for decimals."""
    return float(text.replace(",", ".")) if NUMBER.fullmatch(text) else None
