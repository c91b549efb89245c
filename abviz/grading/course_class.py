"""A whole class: its roster, its gradebook, and its deadline."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from abviz.errors import count, short
from abviz.exercises.verdict import NOT_YET, RIGHT
from abviz.grading.gradebook import Grade, Gradebook
from abviz.grading.hand_ins import Student
from abviz.grading.lateness import mark_late
from abviz.grading.report import (
    NOT_GRADED,
    Report,
    Row,
    full_name,
    in_points,
    is_of_computer,
    total,
)
from abviz.grading.roster import Attendance, Roster, attend

NOT_IN_DOWNLOAD = "Moodle says submitted, but not in this download"


@dataclass
class Class:
    """Who should have handed in, until when, and where the grades go."""

    roster: Roster | None = None
    gradebook: Gradebook | None = None
    exercises: Sequence[str] = ()  # that make the grade
    deadline: datetime | None = None
    time_zone: str = ""

    attendance: Attendance = field(default_factory=Attendance)

    @property
    def has_roster(self) -> bool:
        return self.roster is not None or self.gradebook is not None

    def attended(
        self, students: list[Student], others: list[Student]
    ) -> tuple[list[Student], list[Student]]:
        """Return the students of the roster, or else those who handed in, with who was late.

        The others, in whose files there is no answer, are returned without those of the roster.
        """
        roster = self.gradebook.roster if self.gradebook else self.roster
        if roster:
            self.attendance = attend(students, roster, others)
            students = self.attendance.students
            others = [each for each in others if each not in self.attendance.found]

        times = self.gradebook.submitted if self.gradebook else {}
        mark_late(students, self.deadline, self.time_zone, times)
        for student in self._not_in_download():
            student.notes = [NOT_IN_DOWNLOAD]
        return students, others

    def _not_in_download(self) -> list[Student]:
        """Return the students of whom Moodle has a hand-in that isn't here."""
        known = self.gradebook.has_hand_in if self.gradebook else set()
        return [
            student
            for student in self.attendance.students
            if student.label in self.attendance.entries
            and student.id in known
            and not student.files
        ]

    def complete(self, report: Report) -> None:
        """Add to a report what is known of the class."""
        report.unmatched = self.attendance.unmatched
        report.unclear = self.attendance.unclear

        roster = self.gradebook.roster if self.gradebook else self.roster
        for entry in roster.entries if roster else []:
            if entry.label in report.unclear:
                student = Student(entry.label, id=entry.id, name=entry.name)
                report.without_points[entry.label] = student

        labels = self.attendance.entries
        report.waiting = {label for label in labels if self._waits(label, report)}

    def _waits(self, label: str, report: Report) -> bool:
        """Return whether the student gets no grade yet."""
        student = report.students.get(label)
        if student is None or student in self._not_in_download():
            return True  # it was interrupted, or isn't here
        if not student.hand_ins and label in self.attendance.doubtful:
            return True  # a hand-in that is nobody's may be theirs
        return any(map(is_of_computer, report.hand_ins[label].values()))

    def graded(self, report: Report) -> bytes:
        """Return the gradebook with the grades of a report, which gets remarks on it."""
        assert self.gradebook
        self.complete(report)
        grades = self._grades(report)
        content = self.gradebook.filled(grades)
        report.gradebook = [*self._remarks(report), *self.gradebook.notes]
        return content

    def _grades(self, report: Report) -> dict[str, Grade]:
        """Return the grades of the students of the roster, by id."""
        names = [full_name(name) for name in self.exercises]
        grades: dict[str, Grade] = {}
        for label, entry in self.attendance.entries.items():
            if label in report.waiting:
                continue

            student = report.students[label]
            rows = {name: report.hand_ins[label][name] for name in names}
            score = total(rows.values())
            grades[entry.id] = Grade(
                points=score["points"],
                of=score["of"],
                comment=comment_on(rows, student),
                is_handed_in=bool(student.hand_ins),
            )
        return grades

    def _remarks(self, report: Report) -> list[str]:
        assert self.gradebook
        book = self.gradebook
        number = book.written
        entries = count(len(book.roster.entries), "student")
        of = "in points, since it doesn't say of how many"
        if book.maximum is not None:
            of = f"scaled to {book.maximum:g}"
        remarks = [f"Gradebook: {book.column} for {number} of {entries}, {of}"]
        if number < len(book.roster.entries):
            remarks.append("  The other cells stay as they are; this report says why")
        if self.attendance.doubtful:
            in_order = [
                each for each in self.attendance.entries if each in self.attendance.doubtful
            ]
            strays = ", ".join(self.attendance.strays)
            remarks.append(f"  No 0 for {', '.join(in_order)}: {strays} may be theirs")
        not_graded = [
            label
            for label in self.attendance.entries
            if any(map(is_of_computer, report.hand_ins.get(label, {}).values()))
        ]
        if not_graded:
            remarks.append(f"  {NOT_GRADED}: {', '.join(not_graded)}")
        if elsewhere := self._not_in_download():
            labels = ", ".join(student.label for student in elsewhere)
            remarks.append(f"  {NOT_IN_DOWNLOAD}: {labels}")
        return remarks


def _reason(row: Row) -> str:
    """Return why an answer is not right: its mistake, or the first sentence on it."""
    if row["mistake"] or row["status"] == NOT_YET:
        return row["mistake"] or row["status"]
    first, *_ = re.split(r"(?<=[.!?]) ", row["message"], maxsplit=1)
    return short(first.removesuffix("."), 160) or row["status"]


def comment_on(rows: dict[str, Row], student: Student) -> str:
    """Return in one line what is not right."""
    parts = [in_points(rows.values())]
    if not student.files:
        parts.append("nothing was handed in")
    elif not student.hand_ins:
        parts.append("no file that can be graded was handed in")
    else:
        wrong = {name: row for name, row in rows.items() if row["status"] != RIGHT}
        reasons = [f"{name} ({_reason(row)})" for name, row in wrong.items()]
        if reasons:
            parts.append(f"not right: {', '.join(reasons)}")
    if student.late:
        parts.append(f"late (by {student.late_by})")
    return "; ".join(parts)
