"""The report on a class: as text, JSON, CSV and JUnit XML."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypedDict
from xml.etree import ElementTree

from abviz.errors import count, spreadsheet_cell, visible
from abviz.exercises import find
from abviz.exercises.practice import PRACTICE
from abviz.exercises.verdict import NOT_YET, RIGHT, SIGNS, WRONG, Verdict, written
from abviz.grading.hand_in import HandIn
from abviz.grading.hand_ins import Student

# The status of an answer that cannot be graded
ERROR = "error"

# How the message begins where a full disk, say, is the reason, and nothing in the hand-in
NOT_GRADED = "The computer could not grade it"

JUNIT_TAGS = {WRONG: "failure", NOT_YET: "skipped", ERROR: "error"}
CONTAINER = (
    "Limits protect this computer against accidents. "
    "Code that may be written to do harm belongs in a container: "
    'docker run --rm --network none -v "$PWD":/work:ro -w /work IMAGE abviz check PATH, '
    "with an IMAGE that has abviz."
)
GIVE_TO_STUDENT = (
    "  To give a hand-in to its student, name its file or folder by the student's id (1001.py); "
    "if it is nobody's, move it elsewhere."
)


class Row(TypedDict):
    """The verdict on an answer in a report, and what is said of it."""

    status: str
    mistake: str | None
    tree: str | None  # as nested lists
    message: str
    points: float
    of: float  # the points that were possible
    notebook: str  # of the course; "" for another file
    file: str  # the name of the file with the answer; "" where there is none
    verdict: Verdict


class Score(TypedDict):
    """Points, and how many were possible."""

    points: float
    of: float


@dataclass
class Report:
    """What came of all hand-ins."""

    # By label: the students that are graded
    students: dict[str, Student] = field(default_factory=dict)

    # By label and exercise
    hand_ins: dict[str, dict[str, Row]] = field(default_factory=dict)

    # By label, on what was left out
    notes: dict[str, list[str]] = field(default_factory=dict)

    # By label, the reason why a hand-in is nobody's of the roster, or why the hand-in of a student
    # of the roster is not known
    unmatched: dict[str, str] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)

    # On the gradebook that is written
    gradebook: list[str] = field(default_factory=list)

    # Files and folders that hold no hand-in
    not_read: list[str] = field(default_factory=list)

    # On the grading as a whole
    remarks: list[str] = field(default_factory=list)

    # The groups whose wrong answers do the same; None where nobody has asked
    similar: list[dict[str, object]] | None = None

    # Whether it was interrupted, and the hand-ins that are not graded then
    interrupted: bool = False
    missing: list[str] = field(default_factory=list)

    # The labels of students who get no grade yet: an answer of theirs may be elsewhere, or the
    # computer could not grade it
    waiting: set[str] = field(default_factory=set)

    # By label: the students without points, as far as they are known
    without_points: dict[str, Student] = field(default_factory=dict)

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.hand_ins.values() for row in rows.values()]

    @property
    def exercises(self) -> list[str]:
        return list(dict.fromkeys(name for rows in self.hand_ins.values() for name in rows))


def is_of_computer(row: Row) -> bool:
    """Return whether an answer has no points for a reason that is none of its own."""
    return row["status"] == ERROR and row["message"].startswith(NOT_GRADED)


def full_name(name: str) -> str:
    """Return the name under which an exercise is in reports, practice among them."""
    return name if name == PRACTICE else find(name).name


def row(verdict: Verdict, of: float, hand_in: HandIn | None = None) -> Row:
    """Return the verdict on an answer with its points, and the file in which it is."""
    right, cells = verdict.points or (int(bool(verdict)), 1)
    return Row(
        status=verdict.status,
        mistake=verdict.mistake,
        tree=written(verdict.tree) if verdict.tree else None,
        message=visible(" ".join(verdict.message.split())),
        points=round(of * right / cells, 2),
        of=of,
        notebook=hand_in.notebook if hand_in else "",
        file=visible(hand_in.path.name) if hand_in else "",
        verdict=verdict,
    )


def better(one: Row, other: Row) -> Row:
    """Return the better of two answers to one exercise, the first where they are alike."""

    def merit(row: Row) -> tuple[float, bool, bool]:
        return row["points"], row["status"] not in (NOT_YET, ERROR), row["status"] != NOT_YET

    return max(one, other, key=merit)


def total(rows: Iterable[Row]) -> Score:
    every = list(rows)
    return Score(
        points=round(sum(row["points"] for row in every), 2),
        of=round(sum(row["of"] for row in every), 2),
    )


def in_points(rows: Iterable[Row]) -> str:
    """Return the sum of the points in words, as "3 of 4 points"."""
    score = total(rows)
    unit = "point" if score["of"] == 1 else "points"
    return f"{score['points']:.12g} of {score['of']:.12g} {unit}"


def _tally(outcomes: Iterable[str]) -> str:
    return ", ".join(f"{times} {outcome}" for outcome, times in Counter(outcomes).most_common())


def notes_to_add(report: Report, label: str) -> list[str]:
    """Return the notes on a hand-in that no verdict repeats."""
    messages = " ".join(row["message"] for row in report.hand_ins[label].values())
    return [note for note in report.notes[label] if note not in messages]


def as_text(report: Report) -> str:
    """Return each hand-in with its points and what is wrong; the outcomes; and the sum."""
    lines = []
    for label in report.hand_ins:
        lines += _hand_in_as_text(report, label)

    if len(report.hand_ins) > 1:
        for name in report.exercises:
            given = [rows[name] for rows in report.hand_ins.values() if name in rows]
            lines.append(f"{name}: {_tally(map(_outcome, given))}")

    lines.append(f"{_number_of_hand_ins(report)}, {in_points(report.rows)}")
    if report.interrupted:
        number = count(len(report.missing), "hand-in")
        lines.append(f"Interrupted; not graded: {', '.join(report.missing) or number}")
    lines += _class_as_text(report)
    lines += [f"Not read: {name}" for name in report.not_read]
    lines += [*report.remarks, CONTAINER]
    return "\n".join(lines)


def _number_of_hand_ins(report: Report) -> str:
    """Return how many students have handed in, and of how many where some have not."""
    absent = [label for label, student in report.students.items() if not student.files]
    number = count(len(report.hand_ins) - len(absent), "hand-in")
    return f"{number} of {count(len(report.hand_ins), 'student')}" if absent else number


def _class_as_text(report: Report) -> list[str]:
    """Return by which marks hand-ins were late, and what is not known of the roster."""
    lines: list[str] = []
    known = [each for each in report.students.values() if each.late is not None]
    if known:
        late = sum(bool(each.late) for each in known)
        by_mark = Counter(each.late_by for each in known)
        marks = ", ".join(f"{mark} ({times})" for mark, times in by_mark.most_common())
        lines.append(f"Late: {late} of {len(known)}, by {marks}")

    lines += [f"Not in the roster: {label} ({why})" for label, why in report.unmatched.items()]
    if report.unmatched:
        lines.append(GIVE_TO_STUDENT)
    lines += [f"Not known: the hand-in of {each}, {why}" for each, why in report.unclear.items()]
    return lines + report.gradebook


def _hand_in_as_text(report: Report, label: str) -> list[str]:
    """Return the points of a hand-in, its exercises by notebook, and what is wrong with them."""
    rows = report.hand_ins[label]
    statuses = _tally(row["status"] for row in rows.values()) or "no answer"
    student = report.students.get(label)
    late = f", late by {student.late_by}" if student and student.late else ""
    lines = [f"{label}: {in_points(rows.values())} ({statuses}){late}"]

    signs = {name: f"{SIGNS.get(row['status'], '!')} {name}" for name, row in rows.items()}
    for notebook in dict.fromkeys(row["notebook"] for row in rows.values()):
        overview = [signs[name] for name, row in rows.items() if row["notebook"] == notebook]
        if notebook:
            overview.insert(0, notebook)
        lines.append("  " + "  ".join(overview))

    for name, row in rows.items():
        is_counted = name == PRACTICE and row["status"] != NOT_YET
        if row["status"] not in (RIGHT, NOT_YET) or is_counted:
            # How many marks are right says more than that not all are
            kind = "" if row["verdict"].marks else f"{row['mistake'] or row['status']}: "
            lines.append(f"  {signs[name]}: {in_points([row])}. {kind}{row['message']}")
    lines += [f"  {note}" for note in notes_to_add(report, label)]
    return lines


def _outcome(row: Row) -> str:
    """Return the status of an answer, with its mistake."""
    return f"{row['status']} ({row['mistake']})" if row["mistake"] else row["status"]


def _facts(student: Student | None) -> dict[str, object]:
    """Return what is known of a student, for a table."""
    if student is None:
        return {}
    return {
        "id": student.id,
        "name": student.name,
        "late": student.late,
        "late_by": student.late_by,
    }


def _cells(student: Student | None) -> dict[str, object]:
    """Return what is known of a student, as cells that no spreadsheet computes."""
    known = _facts(student)
    if known.get("late") is not None:
        known["late"] = "yes" if known["late"] else "no"
    return {name: spreadsheet_cell(value) for name, value in known.items()}


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then the sums, and remarks on all hand-ins."""
    sums = {label: total(rows.values()) for label, rows in report.hand_ins.items()}
    totals = {"hand_ins": sums, **total(report.rows)}
    more = {
        "totals": totals,
        "notes": report.notes,
        "students": {
            label: _facts(student) | {"files": [visible(each.name) for each in student.files]}
            for label, student in report.students.items()
        },
        "unmatched": report.unmatched,
        "unclear": report.unclear,
        "gradebook": report.gradebook,
        "not_read": report.not_read,
        "interrupted": report.interrupted,
        "missing": report.missing,
        "remarks": [*report.remarks, CONTAINER],
    }
    if report.similar is not None:
        more["similar"] = report.similar

    # A folder may be called notes
    rows = {
        f"./{label}" if label in more else label: each for label, each in report.hand_ins.items()
    }
    return json.dumps(rows | more, ensure_ascii=False, indent=2, default=str)


def as_junit(report: Report) -> bytes:
    """Return a test case for each answer. One that is not written yet is skipped."""
    suite = ElementTree.Element("testsuite", name="abviz check", tests=str(len(report.rows)))
    for label, rows in report.hand_ins.items():
        for name, row in rows.items():
            case = ElementTree.SubElement(suite, "testcase", classname=label, name=name)
            if tag := JUNIT_TAGS.get(row["status"]):
                ElementTree.SubElement(
                    case, tag, message=row["message"], type=row["mistake"] or row["status"]
                )
    return bytes(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))


def as_csv(report: Report) -> bytes:
    """Return a row for each hand-in: its points by exercise, the sum, and the most possible.

    A student who gets no grade yet has a row without points.
    """
    file = io.StringIO()
    facts = ["id", "name", "late", "late_by"]
    columns = ["hand-in", *report.exercises, "points", "of", *facts]
    table = csv.DictWriter(file, columns, lineterminator="\n")
    table.writeheader()
    for label, rows in report.hand_ins.items():
        cells: dict[str, object] = {"hand-in": spreadsheet_cell(label)}
        cells |= _cells(report.students.get(label))
        if label not in report.waiting and not any(map(is_of_computer, rows.values())):
            cells |= {name: row["points"] for name, row in rows.items()} | total(rows.values())
        table.writerow(cells)
    for label in [*report.missing, *report.unclear]:  # without points
        table.writerow(
            {"hand-in": spreadsheet_cell(label)} | _cells(report.without_points.get(label))
        )
    return file.getvalue().encode()
