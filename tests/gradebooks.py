"""Gradebooks as Moodle and Canvas export them, and what each takes back.

The importers are written from the two systems' documentation. They know nothing of abviz.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

MOODLE = (
    "Identifier",
    "Full name",
    "ID number",
    "Email address",
    "Status",
    "Grade",
    "Maximum grade",
    "Grade can be changed",
    "Last modified (submission)",
    "Last modified (grade)",
    "Feedback comments",
)
MOODLE_IN_GERMAN = (
    "ID",
    "Vollständiger Name",
    "Matrikelnummer",
    "E-Mail-Adresse",
    "Status",
    "Bewertung",
    "Bestwertung",
    "Bewertung kann geändert werden",
    "Zuletzt geändert (Abgabe)",
    "Zuletzt geändert (Bewertung)",
    "Feedback als Kommentar",
)
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Section")
TOTALS = ("Assignments Current Score", "Assignments Final Score", "Current Score", "Final Score")


@dataclass(frozen=True)
class Person:
    """A student of the class, as the systems know him or her."""

    first: str
    last: str
    number: int  # Canvas's id; Moodle's is another one

    @property
    def participant(self) -> int:
        return self.number + 5000

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}".strip()

    @property
    def sortable(self) -> str:
        return f"{self.last}, {self.first}" if self.last else self.first

    @property
    def login(self) -> str:
        return f"u{self.number}@example.edu"


def moodle(
    people: Sequence[Person],
    *,
    header: Sequence[str] = MOODLE,
    maximum: str = "100.00",
    times: Sequence[str] = (),
    ends: str = "\n",
) -> str:
    """Return a grading worksheet as it is downloaded before anything is graded."""
    word = "Participant " if header is MOODLE else "Teilnehmer/in"
    rows: list[Sequence[str]] = [header]
    for place, person in enumerate(people):
        time = times[place] if times else "-"
        rows.append(
            [
                f"{word}{person.participant}",
                person.name,
                f"s{person.number}",
                person.login,
                "Submitted for grading - ",
                "",
                maximum,
                "Yes",
                time,
                "-",
                "",
            ]
        )
    file = io.StringIO()
    csv.writer(file, lineterminator=ends).writerows(rows)
    return file.getvalue()


def canvas(
    people: Sequence[Person],
    *,
    assignments: Sequence[str] = ("Warm-up (41)", "HW 3 (42)"),
    possible: Sequence[str] = ("5.0", "10.0"),
    ends: str = "\n",
) -> str:
    """Return an exported gradebook, with the row of posting policies and the Test Student."""
    width = len(assignments)
    before = len(CANVAS)
    rows: list[Sequence[str]] = [
        [*CANVAS, *assignments, *TOTALS],
        [""] * before + ["Manual Posting"] + [""] * (width - 1 + len(TOTALS)),
        ["    Points Possible", *[""] * (before - 1), *possible, *["(read only)"] * len(TOTALS)],
    ]
    for person in people:
        known = [person.sortable, str(person.number), f"s{person.number}", person.login, ""]
        rows.append([*known, "Section 1 and Section 2", *["5"] + [""] * (width - 1), *["50.0"] * 4])
    rows.append(
        ["Student, Test", "999", "", "0c5d", "", "Section 1", *[""] * (width + len(TOTALS))]
    )
    file = io.StringIO()
    csv.writer(file, lineterminator=ends).writerows(rows)
    return file.getvalue()


class RefusedImport(Exception):
    """Why a system takes no grade from a file."""


def import_into_moodle(
    data: bytes,
    exported: str,
    *,
    header: Sequence[str] = MOODLE,
    delimiter: str = ",",
    decimal: str = ".",
) -> dict[int, tuple[float | None, str]]:
    """Return the grade and the comment that Moodle sets, by participant.

    Needed are the headers Identifier, Grade and Last modified (grade), in the teacher's language.
    A grade that was given after the download is not replaced. A grade above the maximum, or no
    number, is refused.
    """
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter))
    before = list(csv.reader(io.StringIO(exported), delimiter=delimiter))
    names = rows[0]
    needed = [header[0], header[5], header[9]]
    if any(names.count(name) != 1 for name in needed):
        raise RefusedImport("a column is missing")
    identifier, grade, modified = map(names.index, needed)
    comments = names.index(header[10]) if header[10] in names else None

    known = {row[identifier]: row for row in before[1:]}
    grades: dict[int, tuple[float | None, str]] = {}
    for row in rows[1:]:
        match = re.search(r"(\d+)$", row[identifier])
        if not match or row[identifier] not in known:
            raise RefusedImport(f"unknown participant {row[identifier]}")
        if row[modified] != known[row[identifier]][modified]:
            continue  # it was graded since

        text = row[grade]
        value = None
        if text not in ("", "-"):
            if not re.fullmatch(rf"\d+({re.escape(decimal)}\d+)?", text):
                raise RefusedImport(f"{text} is no grade")
            value = float(text.replace(decimal, "."))
            if value > float(row[names.index(header[6])].replace(decimal, ".")):
                raise RefusedImport(f"{text} is above the maximum")
        grades[int(match[1])] = value, row[comments] if comments is not None else ""
    return grades


def import_into_canvas(
    data: bytes, assignments: Sequence[str] = ("Warm-up (41)", "HW 3 (42)"), delimiter: str = ","
) -> dict[int, dict[str, float | None]]:
    """Return the scores that Canvas sets, by student and assignment.

    The first columns have fixed names. A column with a title and no known id would create an
    assignment. Columns that are read only are passed over. A student is matched by ID.
    """
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter))
    names = rows[0]
    if names[:2] != ["Student", "ID"] or "Section" not in names:
        raise RefusedImport("these are not Canvas's columns")

    start = names.index("Section") + 1
    first = next(i for i, row in enumerate(rows) if row[0].strip() == "Points Possible")
    scores: dict[int, dict[str, float | None]] = {}
    for column in range(start, len(names)):
        if rows[first][column].strip() == "(read only)":
            continue
        if names[column] not in assignments:
            raise RefusedImport(f"{names[column]} would be a new assignment")
        for row in rows[first + 1 :]:
            if not row[1].isdigit():
                raise RefusedImport(f"{row[0]} is not known")
            text = row[column]
            if text and not re.fullmatch(r"\d+(\.\d+)?", text):
                raise RefusedImport(f"{text} is no score")
            scores.setdefault(int(row[1]), {})[names[column]] = float(text) if text else None
    return scores
