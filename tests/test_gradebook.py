"""The files that Moodle and Canvas export, as roster and as template."""

import codecs
import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz.errors import AbvizError
from abviz.grading.gradebook import Grade, Gradebook, read_gradebook
from abviz.grading.hand_ins import Student, collect_all
from abviz.grading.roster import Attendance, Entry, Roster, attend, read_roster
from abviz.grading.tables import read_table
from tests.gradebooks import (
    MOODLE,
    MOODLE_IN_GERMAN,
    Person,
    RefusedImport,
    canvas,
    import_into_canvas,
    import_into_moodle,
    moodle,
)

PEOPLE = [
    Person("Ada", "Lovelace", 11),
    Person('Béa, "B"', "O'Neil", 12),
    Person("雷", "李", 13),
    Person("Ada", "Lovelace", 14),
    Person("Мария", "Иванова", 15),
]
WRITINGS = {
    "UTF-8": (b"", "utf-8"),
    "UTF-8 with a BOM": (codecs.BOM_UTF8, "utf-8"),
    "UTF-16": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "UTF-16, big end first": (codecs.BOM_UTF16_BE, "utf-16-be"),
}


def saved(tmp_path: Path, text: str | bytes, name: str = "gradebook.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def grade(points: float, *, of: float = 4, is_handed_in: bool = True) -> Grade:
    return Grade(points, of, f"{points:g} of {of:g} points", is_handed_in)


def everyone(book: Gradebook, points: float = 3) -> dict[str, Grade]:
    return {entry.id: grade(points) for entry in book.roster.entries}


def with_delimiter(text: str, delimiter: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
        csv.reader(io.StringIO(text))
    )
    return file.getvalue()


# what is written back


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("system", ["moodle", "canvas"])
def test_only_the_cells_of_grades_change(
    tmp_path: Path, writing: str, ends: str, delimiter: str, system: str
) -> None:
    """Each other byte stays: marks of the encoding, quotes, ends of lines, the last one."""
    bom, encoding = WRITINGS[writing]
    text = moodle(PEOPLE) if system == "moodle" else canvas(PEOPLE)
    text = with_delimiter(text, delimiter).replace("\n", ends)
    data = bom + text.encode(encoding)
    book = read_gradebook(saved(tmp_path, data), None if system == "moodle" else "HW 3")
    assert book.filled({}) == data

    filled = book.filled(everyone(book))
    assert filled.startswith(bom)
    before = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    after_text = filled.removeprefix(bom).decode(encoding)
    after = list(csv.reader(io.StringIO(after_text), delimiter=delimiter))
    changed = {
        (before[0][column], value)
        for old, new in zip(before, after, strict=True)
        for column, value in enumerate(new)
        if value != old[column]
    }
    expected = {("Grade", "75"), ("Feedback comments", "abviz: 3 of 4 points")}
    assert changed == (expected if system == "moodle" else {("HW 3 (42)", "7.5")})
    lengths = [row.count(ends) for row in (text, after_text)]
    assert lengths[0] == lengths[1]
    # What is around the cells stays, too
    for _, value in sorted(changed, key=lambda each: -len(each[1])):
        after_text = after_text.replace(value, "")
    assert after_text == text.replace("7.5", "").replace("75", "")


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), min_size=1), st.data())
def test_any_table_stays_as_it_is(rows: list[list[str]], data: st.DataObject) -> None:
    """And reads as the csv module reads it."""
    file = io.StringIO()
    ends = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    quotes = data.draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    # csv leaves a line break without quotes that is not its own
    if any("\r" in cell or "\n" in cell for row in rows for cell in row):
        quotes = csv.QUOTE_ALL
    written = [[cell.replace("\0", "") for cell in row] for row in rows]
    written = [["a", "b"], *(row for row in written if any(row))]
    csv.writer(file, lineterminator=ends, quoting=quotes).writerows(written)
    try:
        content = file.getvalue().encode()
    except UnicodeEncodeError:
        return

    with TemporaryDirectory() as folder:
        table = read_table(saved(Path(folder), content))
    assert [[cell.value for cell in row.cells] for row in table.rows] == written
    assert table.replaced({}) == content
    new = data.draw(st.text().filter(lambda text: "\0" not in text and text.isprintable()))
    place = data.draw(st.integers(0, len(written) - 1))
    again = list(csv.reader(io.StringIO(table.replaced({(place, 1): new}).decode(), newline="")))
    again = [row for row in again if row]
    written[place][1] = new
    assert again == written


def test_the_two_systems_take_what_is_written(tmp_path: Path) -> None:
    text = moodle(PEOPLE)
    book = read_gradebook(saved(tmp_path, text))
    grades = import_into_moodle(book.filled(everyone(book)), text)
    assert grades == {each.participant: (75, "abviz: 3 of 4 points") for each in PEOPLE}

    book = read_gradebook(saved(tmp_path, canvas(PEOPLE)), "HW 3 (42)")
    scores = import_into_canvas(book.filled(everyone(book)))
    assert {number: each["HW 3 (42)"] for number, each in scores.items()} == {
        **{each.number: 7.5 for each in PEOPLE},
        999: None,
    }
    assert all(scores[each.number]["Warm-up (41)"] == 5 for each in PEOPLE)


def test_the_importers_of_these_tests_refuse() -> None:
    """As the systems do: a column that is missing, a grade that is none, a new assignment."""
    text = moodle(PEOPLE)
    for old, new in (
        ("Last modified (grade)", "Changed"),
        ("Participant 5012", "Participant 7"),
        (",,100.00", ",101,100.00"),
        (",,100.00", ',"7,5",100.00'),
    ):
        with pytest.raises(RefusedImport):
            import_into_moodle(text.replace(old, new).encode(), text)
    for old, new in (("HW 3 (42)", "HW 3"), ("Section,", "Group,"), ("11,s11", ",s11")):
        with pytest.raises(RefusedImport):
            import_into_canvas(canvas(PEOPLE).replace(old, new, 1).encode())


def test_moodles_headers_may_be_in_any_language(tmp_path: Path) -> None:
    """Also its decimals: as in the maximum grade."""
    times = ["Freitag, 14. November 2025, 23:59"] * len(PEOPLE)
    text = moodle(PEOPLE, header=MOODLE_IN_GERMAN, maximum="10,00", times=times)
    book = read_gradebook(saved(tmp_path, text))
    assert (book.grade, book.comments, book.maximum) == (5, 10, 10)
    assert set(book.submitted.values()) == set(times)
    assert [entry.id for entry in book.roster.entries] == [str(p.participant) for p in PEOPLE]
    grades = import_into_moodle(
        book.filled(everyone(book)), text, header=MOODLE_IN_GERMAN, decimal=","
    )
    assert {value for value, _ in grades.values()} == {7.5}


COLUMNS = [
    (),
    ("ID number",),
    ("ID number", "Email address"),
    ("Full name", "ID number", "Email address"),  # names are hidden
    ("Feedback comments",),
    ("Last modified (submission)",),
    ("Last modified (submission)", "Feedback comments"),
]


@pytest.mark.parametrize("without", COLUMNS)
@pytest.mark.parametrize("header", [MOODLE, MOODLE_IN_GERMAN])
def test_moodle_leaves_out_some_columns(
    tmp_path: Path, without: tuple[str, ...], header: tuple[str, ...]
) -> None:
    left_out = [MOODLE.index(name) for name in without]
    text = moodle(PEOPLE, header=header, times=["Friday, 14 November 2025, 11:59 PM"] * 5)
    rows = [
        [cell for column, cell in enumerate(row) if column not in left_out]
        for row in csv.reader(io.StringIO(text))
    ]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    book = read_gradebook(saved(tmp_path, file.getvalue()))
    assert book.column == header[5] and book.maximum == 100
    assert (book.comments is None) == ("Feedback comments" in without)
    assert bool(book.submitted) == ("Last modified (submission)" not in without)
    assert bool(book.roster.entries[0].name) == ("Full name" not in without)
    after = list(csv.reader(io.StringIO(book.filled(everyone(book)).decode())))
    assert {row[book.grade] for row in after[1:]} == {"75"}


def test_what_is_there_stays_where_nothing_was_handed_in(tmp_path: Path) -> None:
    """And an excuse, and another's comment, in any case."""
    text = moodle(PEOPLE).replace(",,100.00", ",8.5,100.00", 2)
    text = text.replace(",-,\n", ",-,Well done!\n", 1).replace(",-,\n", ",-,abviz: old\n", 1)
    book = read_gradebook(saved(tmp_path, text))
    first, second, third, *_ = (entry.id for entry in book.roster.entries)
    filled = book.filled(
        {
            first: grade(4),
            second: grade(0, is_handed_in=False),
            third: grade(0, is_handed_in=False),
        }
    )
    rows = list(csv.reader(io.StringIO(filled.decode())))
    assert [(row[5], row[10]) for row in rows[1:]] == [
        ("100", "Well done!"),
        ("8.5", "abviz: old"),
        ("0", "abviz: 0 of 4 points"),
        ("", ""),
        ("", ""),
    ]
    assert [note.partition(": ")[2] for note in book.notes] == [
        "8.5 -> 100",
        "the comment in the gradebook stays",
        "8.5 stays",
    ]
    assert book.written == 2

    excused = canvas(PEOPLE).replace("2,5,,", "2,5,EX,", 1)
    book = read_gradebook(saved(tmp_path, excused), "42")
    assert b"2,5,EX," in book.filled(everyone(book)) and len(book.notes) == 1
    assert book.written == len(PEOPLE) - 1


def test_a_grade_that_is_there_is_changed_only_in_the_open(tmp_path: Path) -> None:
    """One of the same value stays as it is written; what is no number stays."""
    for before, after, note in (
        ("88", "75", "88 -> 75"),
        ("75.00", "75.00", ""),
        ("Incomplete", "Incomplete", "Incomplete stays"),
    ):
        path = saved(tmp_path, moodle(PEOPLE).replace(",,100.00", f",{before},100.00", 1))
        book = read_gradebook(path)
        first = book.roster.entries[0]
        rows = list(csv.reader(io.StringIO(book.filled({first.id: grade(3)}).decode())))
        assert rows[1][5] == after
        assert book.notes == ([f"{first.label}: {note}"] if note else [])


@pytest.mark.parametrize("header", [MOODLE, MOODLE_IN_GERMAN])
def test_moodle_says_who_has_handed_in(tmp_path: Path, header: tuple[str, ...]) -> None:
    times = ["Friday, 14 November 2025, 11:59 PM", "-", "-", "-", "-"]
    book = read_gradebook(saved(tmp_path, moodle(PEOPLE, header=header, times=times)))
    assert book.has_hand_in == {"5011"}

    # Without a column of times the status says it
    text = moodle(PEOPLE).replace("Submitted for grading", "No submission", 1)
    column = MOODLE.index("Last modified (submission)")
    rows = csv.reader(io.StringIO(text))
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(r[:column] + r[column + 1 :] for r in rows)
    assert read_gradebook(saved(tmp_path, file.getvalue())).has_hand_in == {
        str(person.participant) for person in PEOPLE[1:]
    }


@pytest.mark.parametrize(
    ("possible", "expected"),
    [
        ("10.0", "7.5"),
        ("3", "2.25"),
        ("10,0", "7,5"),
        ("", "3"),
        ("0", "3"),
        ("0.1", "0.08"),
        ("1,000.00", "750"),
        ("1.000,0", "750"),
    ],
)
def test_points_are_scaled_to_those_of_the_gradebook(
    tmp_path: Path, possible: str, expected: str
) -> None:
    text = canvas(PEOPLE, possible=("5.0", possible))
    book = read_gradebook(saved(tmp_path, text), "HW 3")
    rows = list(csv.reader(io.StringIO(book.filled(everyone(book)).decode())))
    assert {row[7] for row in rows[3:-1]} == {expected}


def test_points_of_nothing_are_no_grade(tmp_path: Path) -> None:
    book = read_gradebook(saved(tmp_path, moodle(PEOPLE)))
    with pytest.raises(AbvizError, match="the exercises have no points; expected --points"):
        book.filled({"5011": grade(0, of=0)})


def test_a_grade_that_is_there_says_how_decimals_are_written(tmp_path: Path) -> None:
    text = moodle(PEOPLE, maximum="10").replace(",,10,", ',"8,5",10,', 1)
    book = read_gradebook(saved(tmp_path, text))
    assert book.scaled(3, 4) == "7,5"


TITLES = ("HW 3 (42)", "HW 3 (43)", "HW (4) (44)", "Bonus (45)")
CHOICES = {
    "HW 3 (43)": 7,
    "HW (4)": 8,
    "44": 8,
    "Bonus": 9,
    "HW 3": "'HW 3' is 'HW 3 (42)', 'HW 3 (43)'; expected a title with its id",
    "hw 3": "has no assignment 'hw 3', which would make a new one; expected 'HW 3 (42)', ",
    "Final Score": "has no assignment 'Final Score'",
    None: "has 'HW 3 (42)', 'HW 3 (43)', 'HW (4) (44)', 'Bonus (45)'; expected --assignment",
}


@pytest.mark.parametrize("title", CHOICES)
def test_the_assignment_in_canvas_is_chosen_by_its_title(tmp_path: Path, title: str | None) -> None:
    path = saved(tmp_path, canvas(PEOPLE, assignments=TITLES, possible=["10"] * 4))
    expected = CHOICES[title]
    if isinstance(expected, int):
        assert read_gradebook(path, title).grade == expected
        return
    with pytest.raises(AbvizError) as refused:
        read_gradebook(path, title)
    assert expected in str(refused.value)


REFUSED = {
    "": "is empty",
    "\xff": "is no gradebook; expected Moodle's grading worksheet",
    "a,b\n": "is no gradebook",
    'a,b\n1,"b\n': 'line 2: a quote (") is not closed',
    'a,b\n1,"x"y\n': "line 2: 'y\\n' after a quote; expected the next cell",
    "\0": "is not a text file",
    canvas(PEOPLE).replace("Points Possible", "Points"): "has no row Points Possible",
    canvas(PEOPLE).replace(",14,", ",11,"): "has 11 twice",
    canvas(PEOPLE).replace(",14,", ",,"): "line 7 has no ID",
    canvas(PEOPLE).replace(",14,", ","): "line 7 has 11 cells; expected 12",
    moodle(PEOPLE).replace("Participant 5012", "Participant"): "is no gradebook",
    moodle(PEOPLE).replace("Participant 5012", "Participant 5011"): "has 5011 twice",
    moodle(PEOPLE, header=MOODLE_IN_GERMAN).replace("100.00", "Good"): "0 columns that may be",
    moodle(PEOPLE).replace("100.00", "Scale"): "has 'Scale' as the most points",
    canvas(PEOPLE, possible=("5.0", "1,000")): "has '1,000' as the most points; expected a number",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_file_that_is_no_gradebook_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(AbvizError) as refused:
        read_gradebook(saved(tmp_path, text), "HW 3" if text.startswith("Student") else None)
    assert REFUSED[text] in str(refused.value) and "\n" not in str(refused.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AbvizError, match="is not UTF-8 or UTF-16"):
        read_gradebook(saved(tmp_path, "größer,b\n".encode("latin-1")))
    with pytest.raises(AbvizError, match=r"cannot read .*missing\.csv: No such file"):
        read_gradebook(tmp_path / "missing.csv")
    with pytest.raises(AbvizError, match="has no columns of assignments"):
        read_gradebook(saved(tmp_path, moodle(PEOPLE)), "HW 3")


# the roster


def handed_in(*names: str, system: str = "", id: str = "") -> list[Student]:
    return [Student(name, name=name, system=system, id=id) for name in names]


def roster(tmp_path: Path, text: str) -> Roster:
    return read_roster(saved(tmp_path, text, "roster.csv"))


def matches(attendance: Attendance, students: list[Student]) -> dict[str, str]:
    labels = attendance.entries
    return {each.name: labels[each.label].id for each in students if each.label in labels}


ROSTERS = {
    "id,name\n1,Ada\n2,Bea\n": [("1", "Ada"), ("2", "Bea")],
    "1,Ada\n2,Bea\n": [("1", "Ada"), ("2", "Bea")],
    "Name;e-mail;ID\r\nAda;x;1\r\nBea;y;2": [("1", "Ada"), ("2", "Bea")],
    '1,"Lovelace, Ada"\n\n2,\n': [("1", "Lovelace, Ada"), ("2", "")],
}


@pytest.mark.parametrize("text", ROSTERS)
def test_a_roster_has_ids_and_names(tmp_path: Path, text: str) -> None:
    assert [(each.id, each.name) for each in roster(tmp_path, text).entries] == ROSTERS[text]


REFUSED_ROSTERS = {
    "Ada\nBea\n": "line 1 has one column; expected columns id and name, such as",
    "id,name\n": "names no student",
    "id,name\n1,Ada\n,Bea\n": "line 3 has no id",
    "1,Ada\n1,Bea\n": "has 1 twice; expected an id of its own",
}


@pytest.mark.parametrize("text", REFUSED_ROSTERS)
def test_a_file_that_is_no_roster_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(AbvizError) as refused:
        roster(tmp_path, text)
    assert REFUSED_ROSTERS[text] in str(refused.value)


def test_each_student_of_a_roster_has_a_row_and_nothing_is_guessed(tmp_path: Path) -> None:
    text = (
        'id,name\n1,Ada Lovelace\n2,Bea O\'Neil\n3,Ada Lovelace\n4,"Noether, Emmy"\n5,Zoé\n6,Kim\n'
    )
    students = handed_in("ada lovelace", "emmy_noether", "2", "Zoe\u0301", "kim", "6", "nobody")
    attendance = attend(students, roster(tmp_path, text))
    assert [each.label for each in attendance.students] == [
        "Bea O'Neil (2)",
        "Noether, Emmy (4)",
        "Zoé (5)",
        "ada lovelace",
        "kim",
        "6",
        "nobody",
    ]
    assert attendance.unmatched == {
        "ada lovelace": "perhaps Ada Lovelace (1), Ada Lovelace (3)",
        "kim": "perhaps Kim (6)",
        "6": "perhaps Kim (6)",
        "nobody": "the roster has no such id or name",
    }
    assert attendance.unclear == {
        "Ada Lovelace (1)": "perhaps ada lovelace",
        "Ada Lovelace (3)": "perhaps ada lovelace",
        "Kim (6)": "perhaps kim, 6",
    }
    absent = attend([], roster(tmp_path, text)).students
    assert len(absent) == 6 and not any(each.files for each in absent)
    assert absent[0].notes == ["nothing was handed in under this name or id"]


def test_numbers_of_another_system_count_only_with_the_name(tmp_path: Path) -> None:
    book = read_gradebook(saved(tmp_path, canvas(PEOPLE)), "HW 3")
    (of_moodle,) = handed_in("Béa B O'Neil", system="moodle", id="11")
    (stranger,) = handed_in("Eve", system="moodle", id="13")
    of_canvas = Student("x", name="李雷", system="canvas", id="13")
    students = [of_moodle, stranger, of_canvas]
    attendance = attend(students, book.roster)
    assert of_moodle.id == "12" and of_canvas.id == "13"
    assert list(attendance.unmatched) == ["Eve"]


NAMED = {
    "Ada Lovelace": True,
    "lovelaceada": True,
    'Béa "B" O\'Neil': False,
    "Ada King": False,
    "Ada M. Lovelace": True,
    "Participant": True,  # names are hidden
}


@pytest.mark.parametrize("name", NAMED)
def test_a_number_with_the_name_of_another_is_listed(tmp_path: Path, name: str) -> None:
    """Nothing is written for either of the two; another who handed in nothing gets 0."""
    book = read_gradebook(saved(tmp_path, moodle(PEOPLE)))
    student = Student("the hand-in", name=name, system="moodle", id="5011", files=[Path("a.py")])
    attendance = attend([student], book.roster)
    if NAMED[name]:
        assert attendance.entries[student.label].id == "5011" and not attendance.unmatched
        return

    owner = "Ada Lovelace (5011)"
    assert attendance.unmatched == {"the hand-in": f"its number is that of {owner}"}
    assert attendance.unclear == {owner: "whose number the hand-in has"}
    assert owner not in attendance.entries
    is_of_another = name.startswith("Béa")
    assert attendance.doubtful == ({'Béa, "B" O\'Neil (5012)'} if is_of_another else set())


LEFT_OUT = {
    ".5011/hw3.py": {"Ada Lovelace (5011)"},
    "5011/.work/hw3.py": {"Ada Lovelace (5011)"},
    "Ada Lovelace_5011_assignsubmission_file_/.hw3.py": {"Ada Lovelace (5011)"},
    ".someone/hw3.py": {"Ada Lovelace (5011)", 'Béa, "B" O\'Neil (5012)'},
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_student_whose_answer_is_left_out_keeps_the_cell(tmp_path: Path, name: str) -> None:
    book = read_gradebook(saved(tmp_path, moodle(PEOPLE[:2])))
    path = tmp_path / "in" / name
    path.parent.mkdir(parents=True)
    path.write_text("x = 1\n")
    (tmp_path / "unpacked").mkdir()
    students, others = collect_all([str(tmp_path / "in")], tmp_path / "unpacked")
    attendance = attend(students, book.roster, others)
    assert attendance.doubtful == LEFT_OUT[name]
    (stray,) = attendance.strays
    assert "/." in stray


def test_canvas_test_student_is_no_student(tmp_path: Path) -> None:
    """Nor does a number that is not in the roster put the others in doubt; a mere name does."""
    book = read_gradebook(saved(tmp_path, canvas(PEOPLE)), "HW 3")
    test = Student("studenttest (999)", name="studenttest", system="canvas", id="999")
    gone = Student("goneeve (77)", name="goneeve", system="canvas", id="77")
    attendance = attend([test, gone], book.roster)
    assert attendance.unmatched == {gone.label: "the roster has no such id or name"}
    assert test in attendance.students and test.label not in attendance.entries
    assert test.notes == ["Canvas's test student, who gets no grade"]
    assert not attendance.doubtful

    attendance = attend(handed_in("hw3"), book.roster)
    assert attendance.doubtful == {entry.label for entry in book.roster.entries}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("12", "12"),
        ("s12", "12"),
        ("U12@example.edu", "12"),
        ('O\'Neil, Béa "B"', "12"),
        ("oneilbéab", "12"),
        ("李雷", "13"),
        ("Мария Иванова", "15"),
        ("иванова_мария", "15"),
        ("999", None),
        ("Test", None),
        ("Ada", None),
    ],
)
def test_a_folder_is_matched_by_id_sis_id_login_and_then_name(
    tmp_path: Path, name: str, number: str | None
) -> None:
    book = read_gradebook(saved(tmp_path, canvas(PEOPLE)), "HW 3")
    (student,) = handed_in(name)
    attendance = attend([student], book.roster)
    assert (student.id or None) == number
    assert (student.label in attendance.unmatched) == (number is None)


def test_an_id_of_one_student_that_is_another_id_of_another_is_listed(tmp_path: Path) -> None:
    both = [Entry("4711", "Bo"), Entry("4801", "Ann", other_ids=("4711",))]
    roster = Roster(both, "canvas")
    (student,) = handed_in("4711")
    attendance = attend([student], roster)
    assert attendance.unmatched == {"4711": "perhaps Bo (4711), Ann (4801)"}
    assert attendance.unclear.keys() == {"Bo (4711)", "Ann (4801)"}


def test_files_without_answers_say_why_an_answer_is_missing(tmp_path: Path) -> None:
    """They stand for no hand-in where there is one, and where it isn't clear whose they are."""
    for name in (
        "ada.docx",
        "bea/a.pdf",
        "bea/b.txt",
        "carl.docx",
        "carl.py",
        "kim.docx",
        "x.docx",
    ):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1")
    (tmp_path / "in" / "dora.zip").write_bytes(b"PK broken")
    text = "id,name\n1,Ada\n2,Bea\n3,Carl\n4,Dora\n5,Kim\n6,Kim\n7,Zoe\n"

    students, others = collect_all([str(tmp_path / "in")], tmp_path)
    attendance = attend(students, roster(tmp_path, text), others)
    notes = {each.name: " ".join(each.notes) for each in attendance.students}
    assert notes["Ada"].startswith("ada.docx: not graded; expected a file that ends in ")
    assert notes["Bea"].startswith("a.pdf, b.txt: not graded; expected")
    assert notes["Carl"] == ""
    assert notes["Dora"].startswith("dora.zip can't be unpacked")
    assert notes["Kim"] == notes["Zoe"] == "nothing was handed in under this name or id"
    left = {each.name for each in others if each not in attendance.found}
    assert left == {"carl", "kim", "x"} and not attendance.unmatched
