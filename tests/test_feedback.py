"""A student's page: points, the line, both runs, and hints; nothing in it is executed or fetched."""

import json
import re
from contextlib import suppress
from html.parser import HTMLParser
from math import inf
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree
from abviz.course import Course
from abviz.exercises import find, searches
from abviz.exercises.verdict import Verdict
from abviz.grading import feedback
from abviz.grading.feedback import write_feedback
from abviz.grading.grader import grade
from abviz.grading.hand_ins import Student, collect
from abviz.grading.report import Report, row
from abviz.recording.messages import FLAGS, run_from
from tests.test_partings import ALPHABETA, MINIMAX

STRICT = ALPHABETA.replace("alpha >= beta", "alpha > beta")
LARGEST_PAGE = 250_000  # bytes
EVIL = """
</script><script>alert(1)</script><img src=x onerror="alert(2)"><!--
"""


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)


def report_on(folder: Path, files: dict[str, str], **options):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text, encoding="utf-8")
    students, _ = collect([str(folder)])
    return grade(students, seconds=60.0, **options)


def page_of(folder: Path, text: str, name: str = "a.py", **options) -> str:
    write_feedback(report_on(folder / "in", {name: text}, **options), folder / "out")
    (page,) = (folder / "out").iterdir()
    return page.read_text(encoding="utf-8")


class Reader(HTMLParser):
    """What a reader without scripts sees, and the addresses in a page."""

    def __init__(self, page: str):
        super().__init__()
        self.words = ""
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self._hidden = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._hidden = self._hidden or tag in ("script", "style")
        self.addresses += [value for name, value in attrs if name in ("src", "href", "srcset")]
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._hidden = False

    def handle_data(self, data):
        if not self._hidden:
            self.words += data


def steppers(page: str) -> list[dict]:
    data = re.search('<script type="application/json" id="abviz-data">(.*?)</script>', page)
    return json.loads(data[1]) if data else []


def test_a_wrong_search_has_its_line_both_runs_and_its_hints(tmp_path):
    page = page_of(tmp_path, f"x = 1\n{STRICT}", points={"alphabeta": 4})
    words = Reader(page).words
    assert "alphabeta: 2 of 4 points" in words
    assert (
        "    for child in node.children:\n"
        "        value = alphabeta(child, alpha, beta)\n"
        "        ↑ here it first differs\n"
        "        if node.is_max:"
    ) in words
    assert "your alphabeta reads leaf b2 (0), where ours cuts at B: bv = −1 ≤ α = −1." in words
    assert "cut on ties (≥, ≤); update α/β before testing; fail-soft; left to right" in words
    assert "Hint 1" in words and "put this in a new cell" not in words

    mine, ours = steppers(page)
    assert (mine["spec"]["title"], ours["spec"]["title"]) == (
        "alphabeta: your run",
        "alphabeta: ours",
    )
    assert mine["step"] == mine["spec"]["search"]["parting"]
    assert ours["spec"]["search"]["search"] == "alphabeta"
    assert mine["spec"]["rows"] == ours["spec"]["rows"]

    # For a reader without scripts: a picture of each, and the sentence of its step
    assert Reader(page).tags.count("img") == 2
    assert "Leaf b2 is read: its value is 0." in words and "α-cut at B" in words


def test_the_rules_of_the_course_are_stated(tmp_path):
    report = report_on(tmp_path / "in", {"a.py": MINIMAX})
    write_feedback(report, tmp_path / "out", Course(rules=Rules(strict=True)))
    (page,) = (tmp_path / "out").iterdir()
    assert f"The rules: {Rules(strict=True)}." in Reader(page.read_text("utf-8")).words


def test_a_page_is_in_the_letters_and_the_pseudocode_of_the_course(tmp_path):
    """But not the student's own code, and no message that quotes it."""
    raises = MINIMAX.replace("    values", "    bv = [][0]\n    values")
    report = report_on(tmp_path / "in", {"a.py": STRICT + raises})
    write_feedback(report, tmp_path / "out", Course(letters="v", pseudocode="aima"))
    (page,) = (tmp_path / "out").iterdir()
    text = page.read_text("utf-8")
    words = Reader(text).words
    assert "where ours cuts at B: v = −1 ≤ α = −1." in words
    assert "It looks as if it cuts only where v is beyond the bound" in words
    assert "            bv = max(bv, value)\n" in words
    assert "(line 21: bv = [][0])" in words

    mine, ours = [each for each in steppers(text) if "alphabeta" in each["spec"]["title"]]
    assert mine["letters"] == ours["letters"] == "v"
    assert ours["form"] == "aima"


def test_under_strict_a_search_that_cuts_on_ties_is_beside_a_strict_one(tmp_path):
    page = page_of(tmp_path, ALPHABETA, rules=Rules(strict=True))
    _, ours = steppers(page)
    assert ours["spec"]["search"]["rules"]["strict"]
    words = Reader(page).words
    assert "where ours reads leaf" in words and "(Ours: alpha-beta, no cut on ties" in words


def test_a_page_asks_for_nothing_and_is_small(tmp_path):
    """Also one with several wrong searches, which share one program."""
    wrong = [
        MINIMAX.replace("max(values)", "sum(values)"),
        STRICT,
        *(STRICT.replace("alphabeta", name) for name in ("negamax", "fail_hard", "best_line")),
        "def best_move(node): return 3\ntree_values = {}\nadvance = open_lines = 3\n",
    ]
    page = page_of(tmp_path, "\n".join(wrong))
    assert len(page.encode()) < LARGEST_PAGE
    assert len(steppers(page)) >= 8 and page.count("openProgram(") == 2
    assert not [each for each in Reader(page).addresses if not each.startswith("data:")]


def test_a_page_without_a_stepper_has_no_script(tmp_path):
    page = page_of(tmp_path, MINIMAX + ALPHABETA + "tree_values = 3\n")
    reader = Reader(page)
    assert "script" not in reader.tags and len(page) < 20_000
    assert "✓ minimax: 1 of 1 point" in reader.words
    assert "default-src 'none'" in page


def test_what_students_write_is_text(tmp_path):
    evil = EVIL.strip()
    code = STRICT.replace("    bv =", f"    note = {evil!r}\n    bv =", 1)
    page = page_of(tmp_path, code, name="<img src=x>.py")
    reader = Reader(page)
    assert reader.tags.count("script") == 2 and reader.tags.count("img") == 2
    assert f"note = {evil!r}" in reader.words
    assert "<img src=x>" in reader.words


def test_where_the_run_is_not_known_there_are_the_tree_and_the_words(tmp_path):
    text = "import os\n" + STRICT.replace("    bv =", "    os._exit(3)\n    bv =", 1)
    page = page_of(tmp_path, text)
    assert "its process ended (exit status 3)" in Reader(page).words
    assert not steppers(page) and "<pre>" not in page and "<img" in page


@pytest.mark.parametrize("part", ["parting_of", "place_for", "state_at"])
def test_a_run_that_cannot_be_shown_costs_no_page(tmp_path, monkeypatch, part):
    def fails(*_, **__):
        raise IndexError

    monkeypatch.setattr(feedback, part, fails)
    page = page_of(tmp_path, STRICT)
    assert "On [−1, [−1, 0]] with the window" in Reader(page).words and "<img" in page
    assert not steppers(page) and "Hint 1" in page


EVENTS = st.tuples(
    st.sampled_from(["enter", "leaf", "bv", "alpha", "beta", "cut", "exit"]),
    st.integers(0, 4),
    *[st.sampled_from([None, -1, 0, 3]) for _ in range(4)],
)


@given(st.lists(EVENTS, max_size=12))
def test_whatever_a_process_sends_as_a_run_there_is_a_page(events):
    """It is refused, or it is shown, or the page is without it."""
    tree = Tree([-1, [-1, 0]])
    sent = {
        "events": [list(event) for event in events],
        "options": {
            **dict.fromkeys(FLAGS, False),
            **{"name": "f", "window": [-inf, inf], "problem": "", "returned": 3, "nothing": ""},
        },
        "lines": ["def f(node):"],
        "running": [0 for _ in events],
        "calling": [None for _ in events],
        "functions": ["f" for _ in events],
    }
    try:
        run = run_from(sent, tree)
    except AbvizError:
        return

    verdict = Verdict("alphabeta", "wrong", "It is wrong.", tree=tree)
    with suppress(Exception):  # then a verdict is without it
        verdict = find("alphabeta").with_run(verdict, run)
    report = Report({"a": Student("a")}, {"a": {"alphabeta": row(verdict, 1.0)}}, {"a": []})
    assert "It is wrong." in feedback.feedback_page(report, "a", Course())


# for whom the pages are


def student(system: str, downloaded_as: str, label: str) -> Student:
    return Student(label, system=system, downloaded_as=[downloaded_as] if downloaded_as else [])


@pytest.mark.parametrize(
    ("system", "downloaded_as", "name"),
    [
        (
            "moodle",
            "Zoë Groß_1001_assignsubmission_file_",
            "Zoë Groß_1001_assignsubmission_file_/feedback.html",
        ),
        ("canvas", "bytead_LATE_4711_8899_hw3-1.ipynb", "bytead_LATE_4711_8899_hw3-1.ipynb.html"),
    ],
)
def test_pages_are_named_as_the_system_takes_them_back(tmp_path, system, downloaded_as, name):
    """Moodle reads the number from the second part of a path at its underscores, and the kind from
    the two after it; Canvas the first two parts that are numbers, of the student and of the file.
    """
    report = report_on(tmp_path / "in", {"a.py": MINIMAX, "b.py": MINIMAX})
    first, _ = report.hand_ins
    report.students[first] = student(system, downloaded_as, first)
    out = tmp_path / "out"
    write_feedback(report, out)

    page = (out / name).read_bytes()
    with ZipFile(out / f"upload-to-{system}.zip") as archive:
        assert archive.namelist() == [name]
        assert archive.read(name) == page

    parts = name.split("_", 4)
    if system == "moodle":
        assert parts[1:4] == ["1001", "assignsubmission", "file"]
        assert parts[4].lstrip("/") == "feedback.html"
    else:
        assert [each for each in parts if each.isdigit()][:2] == ["4711", "8899"]

    # The other one has only a file
    others = [each.name for each in out.iterdir() if each.suffix == ".html" and each != out / name]
    assert len(others) == 1 and others[0].endswith("b.py.html")


def test_the_same_pages_make_the_same_zip(tmp_path):
    report = report_on(tmp_path / "in", {"a.py": MINIMAX})
    (label,) = report.hand_ins
    report.students[label] = student("moodle", "A_1_assignsubmission_file_", label)
    for out in ("one", "two"):
        write_feedback(report, tmp_path / out)
    one, two = (tmp_path / out / "upload-to-moodle.zip" for out in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_the_name_of_a_page_is_the_same_in_an_interrupted_run(tmp_path: Path) -> None:
    """No two are alike, even where files may be written in any case."""
    labels = ["Ing, Miss (1011)", "Ada (1)", "ada:1", "李雷 (2)", "?!", ""]
    verdict = row(Verdict("minimax", "right", ""), 1.0)

    def names(number: int) -> set[str]:
        done = labels[:number]
        report = Report(
            students={label: Student(label) for label in done},
            hand_ins={label: {"minimax": verdict} for label in done},
            notes={label: [] for label in done},
            missing=labels[number:],
        )
        folder = tmp_path / str(number)
        folder.mkdir()
        write_feedback(report, folder)
        return {path.name for path in folder.iterdir()}

    whole = names(len(labels))
    assert len({name.casefold() for name in whole}) == len(labels)
    assert {"Ing-Miss-1011.html", "李雷-2.html"} < whole
    for number in range(len(labels)):
        assert names(number) < whole and len(names_of(tmp_path / str(number))) == number


def names_of(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_page_says_who_was_late_and_by_which_mark(tmp_path: Path) -> None:
    for late, late_by in ((True, "Moodle's time"), (False, "Moodle's time"), (None, "")):
        student = Student("Ada", late=late, late_by=late_by)
        report = Report(students={"Ada": student}, hand_ins={"Ada": {}}, notes={"Ada": []})
        words = Reader(feedback.feedback_page(report, "Ada", Course())).words
        assert ("Late, by Moodle's time." in words) == bool(late)
