"""A whole class from its download to the gradebook that the system takes back."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from abviz.cli import main
from abviz.errors import AbvizError
from abviz.exercises import searches
from abviz.exercises.verdict import Verdict
from abviz.grading import report as reports
from abviz.grading.course_class import Class, comment_on
from abviz.grading.gradebook import read_gradebook
from abviz.grading.grader import grade
from abviz.grading.hand_in import HandIn
from abviz.grading.hand_ins import Student, collect
from abviz.grading.roster import read_roster
from abviz.grading.unpacking import unpack
from tests.a_class import DEADLINE, KINDS, Member, System, members, write_class
from tests.gradebooks import import_into_canvas, import_into_moodle

OPTIONS = [
    "--exercises",
    "minimax,alphabeta",
    "--gradebook",
    "gradebook.csv",
    "--deadline",
    DEADLINE,
]
OUTPUT = ["--gradebook-out", "out.csv", "--csv", "all.csv", "--json"]


def graded(
    folder: Path, system: System, number: int, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[list[Member], dict]:
    """Grade a class in one command, and return its members and the report."""
    the_class = members(number)
    write_class(folder, system, the_class)
    assignment = ["--assignment", "HW 3"] if system == "canvas" else []
    status = main(["check", "hand-ins.zip", *OPTIONS, *assignment, *OUTPUT, *more])
    assert status == 1, "some answers are wrong"
    return the_class, json.loads(capsys.readouterr().out)


def check_class(
    folder: Path, system: System, the_class: list[Member], report: dict, *, strict: bool = False
) -> None:
    """Check a report and its gradebook against what each student did."""
    points = {member.person: member.points(strict=strict) for member in the_class}
    data = (folder / "out.csv").read_bytes()
    exported = (folder / "gradebook.csv").read_text(encoding="utf-8")

    if system == "moodle":
        grades = import_into_moodle(data, exported)
        assert {each: grades[each.participant][0] for each in points} == {
            each: 10 * value for each, value in points.items()
        }
        comments = [text for _, text in grades.values()]
        assert all(text.startswith("abviz: ") and "\n" not in text for text in comments)
        lateness = "Moodle's time"
    else:
        scores = import_into_canvas(data)
        assert {each: scores[each.number]["HW 3 (42)"] for each in points} == {
            each: 5 * value for each, value in points.items()
        }
        assert scores[999] == {"Warm-up (41)": None, "HW 3 (42)": None}
        lateness = "Canvas's mark"

    # One row a student, in the gradebook's order, with the same points
    rows = list(csv.DictReader((folder / "all.csv").read_text(encoding="utf-8").splitlines()))
    assert [float(row["points"]) for row in rows] == list(points.values())
    assert {row["of"] for row in rows} == {"2.0"}
    for member, row in zip(the_class, rows, strict=True):
        number = member.person.participant if system == "moodle" else member.person.number
        assert row["id"] == str(number)
        expected = ("", "")
        if member.files:
            expected = "yes" if member.kind == "late" else "no", lateness
        assert (row["late"], row["late_by"]) == expected, member

    assert (report["unmatched"], report["unclear"], report["not_read"]) == ({}, {}, [])
    notes = Counter("nothing was handed in" in "".join(each) for each in report["notes"].values())
    assert notes[True] == sum(not member.files for member in the_class)


@pytest.mark.parametrize(
    ("system", "rule"), [("moodle", ""), ("canvas", ""), ("canvas", "--strict")]
)
def test_a_class_is_graded_by_one_command(tmp_path, monkeypatch, capsys, system, rule) -> None:
    """Also under another rule."""
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)
    monkeypatch.chdir(tmp_path)
    options = ["--seconds", "3", *filter(None, [rule])]
    the_class, report = graded(tmp_path, system, len(KINDS), capsys, *options)
    check_class(tmp_path, system, the_class, report, strict=bool(rule))

    found = {
        member.kind: list(report[label].values())
        for member, label in zip(the_class, report["students"], strict=True)
    }
    mistakes = {kind: row["mistake"] for kind, (_, row) in found.items() if row["mistake"]}
    assert "fail-hard" in mistakes and ("strict" in mistakes) == (not rule)
    assert [row["status"] for row in found["empty"]] == ["not written yet"] * 2


NIGHTLY = pytest.mark.nightly


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "rule"),
    [
        ("moodle", ""),
        pytest.param("canvas", "--strict", marks=NIGHTLY),
        pytest.param("moodle", "--strict", marks=NIGHTLY),
        pytest.param("canvas", "", marks=NIGHTLY),
    ],
)
def test_a_class_of_120_is_graded_by_one_command(tmp_path, monkeypatch, capsys, system, rule):
    """With all trees, and the same class under another rule."""
    monkeypatch.chdir(tmp_path)
    the_class, report = graded(tmp_path, system, 120, capsys, *filter(None, [rule]))
    check_class(tmp_path, system, the_class, report, strict=bool(rule))


def test_an_interrupted_run_fills_in_what_is_done(tmp_path: Path) -> None:
    """The cells of the others stay, also of those of whom nothing is there."""
    the_class = members(4)
    write_class(tmp_path, "moodle", the_class)
    whole = Class(gradebook=read_gradebook(tmp_path / "gradebook.csv"), exercises=["minimax"])
    first, second, *_ = (member.person for member in the_class)
    found = [
        Student(person.name, id=str(person.participant), system="moodle", files=[Path("a.py")])
        for person in (first, second)
    ]
    students, _ = whole.attended(found, [])

    verdict = Verdict("minimax", "right", "")
    done = students[0]
    report = reports.Report(interrupted=True, missing=[students[1].label])
    report.students = {done.label: done}
    report.hand_ins = {done.label: {"minimax": reports.row(verdict, 1.0)}}
    grades = import_into_moodle(
        whole.graded(report), (tmp_path / "gradebook.csv").read_text("utf-8")
    )
    assert [value for value, _ in grades.values()] == [20, None, None, None]
    assert report.gradebook[0] == "Gradebook: Grade for 1 of 4 students, scaled to 20"
    assert report.gradebook[1].startswith("  The other cells stay as they are")


def test_a_download_of_one_group_gives_no_zeros_to_others(tmp_path: Path) -> None:
    """Moodle's worksheet knows that they have handed in; who has not gets 0."""
    the_class = members(13)
    the_class = [the_class[0], the_class[1], the_class[10]]  # who has handed in nothing
    write_class(tmp_path, "moodle", the_class)
    exported = (tmp_path / "gradebook.csv").read_text("utf-8")
    whole = Class(gradebook=read_gradebook(tmp_path / "gradebook.csv"), exercises=["minimax"])
    person = the_class[0].person
    here = Student(
        person.name,
        name=person.name,
        id=str(person.participant),
        system="moodle",
        files=[Path("a")],
    )
    students, _ = whole.attended([here], [])

    report = reports.Report(students={each.label: each for each in students})
    verdict = Verdict("minimax", "not written yet", "")
    report.hand_ins = {each.label: {"minimax": reports.row(verdict, 1.0)} for each in students}
    grades = import_into_moodle(whole.graded(report), exported)
    assert [value for value, _ in grades.values()] == [0, None, 0]
    assert [text for _, text in grades.values()][1] == ""
    assert report.gradebook[0].startswith("Gradebook: Grade for 2 of 3 students")
    missing = students[1].label
    assert f"  Moodle says submitted, but not in this download: {missing}" in report.gradebook
    assert students[1].notes == ["Moodle says submitted, but not in this download"]


def test_a_student_without_points_has_an_id_and_a_name_in_the_table(tmp_path: Path) -> None:
    """After an interrupt, and where it isn't known whose a hand-in is."""
    (tmp_path / "roster.csv").write_text("1,Ada\n2,=Bo\n3,Kim\n4,Kim\n", "utf-8")
    whole = Class(roster=read_roster(tmp_path / "roster.csv"))
    students, _ = whole.attended([Student("kim", name="Kim"), Student("2", name="2")], [])
    report = reports.Report(interrupted=True, missing=[each.label for each in students])
    report.without_points = {each.label: each for each in students}
    whole.complete(report)
    rows = list(csv.DictReader(reports.as_csv(report).decode().splitlines()))
    assert [(row["id"], row["name"]) for row in rows] == [
        ("1", "Ada"),
        ("2", "'=Bo"),
        ("", "Kim"),
        ("3", "Kim"),
        ("4", "Kim"),
    ]


def test_the_comment_names_the_mistake_or_says_what_is_wrong() -> None:
    student = Student("Ada", files=[Path("a.py")])
    student.hand_ins = [HandIn(Path("a.py"), own_folder=False, is_of_course=False)]
    verdicts = {
        "minimax": Verdict("minimax", "wrong", "It returns 3.5 on [1, 2]. Expected 4."),
        "alphabeta": Verdict("alphabeta", "wrong", "It differs. More.", mistake="strict"),
        "best-move": Verdict("best-move", "not written yet", "Nothing is named best_move."),
    }
    rows = {name: reports.row(verdict, 1.0) for name, verdict in verdicts.items()}
    assert comment_on(rows, student) == (
        "0 of 3 points; not right: minimax (It returns 3.5 on [1, 2]), alphabeta (strict), "
        "best-move (not written yet)"
    )


@pytest.mark.parametrize("name", ["a.py", "a.ipynb"])
def test_an_empty_file_is_called_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(" \n", "utf-8")
    students, _ = collect([str(tmp_path)])
    for exercises in (["minimax"], []):
        report = grade(students, exercises)
        [label] = report.hand_ins
        rows = report.hand_ins[label]
        assert [row["status"] for row in rows.values()] == ["not written yet"] * len(exercises)
        assert f"{name}: the file is empty" in reports.as_text(report)


def test_a_file_that_is_no_zip_file_is_refused_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("no zip", "utf-8")
    with pytest.raises(AbvizError) as refused:
        unpack(tmp_path / "a.zip", tmp_path)
    assert str(refused.value) == "a.zip can't be unpacked: it is not a zip file, or is damaged"
