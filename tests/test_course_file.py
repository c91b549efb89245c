"""The course file: what it says, and what is said of one that is wrong."""

import os
import sys
import zoneinfo
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from abviz import AbvizError
from abviz.cli import main
from abviz.course import EXERCISES, FORMS, RENAMED, Course, has_time_zones, load_course
from abviz.exercises import EXERCISES as TABLE
from abviz.tracing.algorithms import Rules

FULL = """\
# CS 101
rules:
  strict: true
  fail-hard: yes
  name_by_node: false
letters: v
pseudocode: aima
players: [No, Bob]
exercises: [minimax, mend_minimax, alphabeta]
points:
  alphabeta: 3
  fix-minimax: 0.5
seeds: [7, 100-102]
time zone: Europe/Berlin
deadline: 2026-10-31 12:00
"""


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "abviz.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_file_says_all_of_a_course(tmp_path: Path) -> None:
    file = written(tmp_path, FULL)
    course = load_course(file)
    assert course == Course(
        rules=Rules(strict=True, fail_hard=True),
        letters="v",
        pseudocode="aima",
        players=("No", "Bob"),
        exercises=("minimax", "fix-minimax", "alphabeta"),
        points={"alphabeta": 3, "fix-minimax": 0.5},
        seeds=(7, 100, 101, 102),
        time_zone="Europe/Berlin",
        deadline=datetime(2026, 10, 31, 12, tzinfo=ZoneInfo("Europe/Berlin")),
    )
    assert course.file == file
    assert course.deadline and course.deadline.utcoffset() == timedelta(hours=1)


def test_the_file_of_the_current_folder_is_read_unless_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_course() == Course()
    assert load_course().file is None

    written(tmp_path, "rules: strict")
    assert load_course().rules == Rules(strict=True)

    other = tmp_path / "other.yaml"
    other.write_text("letters: v")
    assert load_course("other.yaml") == Course(letters="v")
    assert load_course("other.yaml").file == other


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "---\n", "{}", b"\xef\xbb\xbf"])
def test_an_empty_file_is_the_default(tmp_path: Path, text: str | bytes) -> None:
    assert load_course(written(tmp_path, text)) == Course()


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("rules: [test-first, right_to_left]", Course(rules=Rules(test_first=1, right_to_left=1))),
        ("rules: []", Course()),
        ("rules: {strict: off}", Course()),
        ("seeds: 2026", Course(seeds=(2026,))),
        ("seeds: 5-6", Course(seeds=(5, 6))),
        ("exercises: alphabeta", Course(exercises=("alphabeta",))),
        (
            "pseudocode: slides\nrules: fail-hard",
            Course(pseudocode="slides", rules=Rules(fail_hard=1)),
        ),
        ('{"letters": "v"}', Course(letters="v")),
    ],
)
def test_a_value_may_be_written_in_several_ways(tmp_path: Path, text: str, course: Course) -> None:
    assert load_course(written(tmp_path, text)) == course


def test_a_day_lasts_to_its_end(tmp_path: Path) -> None:
    text = "deadline: 2026-10-31\ntime_zone: America/New_York"
    end = load_course(written(tmp_path, text)).deadline
    assert end == datetime(2026, 10, 31, 23, 59, 59, tzinfo=ZoneInfo("America/New_York"))

    # Without a zone it is in the computer's; one that is given with the time is kept
    own = load_course(written(tmp_path, "deadline: 2026-10-31")).deadline
    assert own == datetime(2026, 10, 31, 23, 59, 59).astimezone()
    text = "deadline: 2026-10-31T12:00+02:00\ntime_zone: America/New_York"
    given = load_course(written(tmp_path, text)).deadline
    assert given and given.isoformat() == "2026-10-31T06:00:00-04:00"


@pytest.fixture
def no_time_zones(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Python know no time zones, as in a browser."""
    monkeypatch.setitem(sys.modules, "tzdata", None)
    zoneinfo.reset_tzpath([])
    ZoneInfo.clear_cache()
    has_time_zones.cache_clear()
    yield
    zoneinfo.reset_tzpath()
    has_time_zones.cache_clear()


def test_a_course_file_is_read_where_there_are_no_time_zones(
    no_time_zones: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A student's `check` needs none; grading says that it does."""
    file = written(tmp_path, FULL)
    course = load_course(file)
    assert (course.rules.strict, course.time_zone) == (True, "Europe/Berlin")

    (tmp_path / "hw.py").write_text("def minimax(node):\n    pass\n")
    assert main(["check", str(tmp_path / "hw.py"), "--course", str(file)]) == 2
    assert "this Python knows no time zones" in capsys.readouterr().err


WRONG: list[tuple[str | bytes, int, str]] = [
    # what, the line, what was found and expected
    ("letters: v\nrule: strict", 2, "unknown setting 'rule': did you mean rules?"),
    ("- strict", 1, "this is a list; expected settings such as letters: v"),
    ("strict", 1, "this is 'strict'; expected settings such as letters: v"),
    ("3", 1, "this is '3'; expected settings"),
    ("rules: 3", 1, "unknown rule '3'"),
    ("rules:", 1, "rules is empty; expected rules that are on"),
    ("rules:\n  strict: 1", 2, "strict is '1'; expected true or false"),
    ("rules:\n  strict: [true]", 2, "strict is a list; expected true or false"),
    ("rules:\n  strikt: true", 2, "unknown rule 'strikt': did you mean strict?"),
    ("rules: [[strict]]", 1, "an entry of rules is a list; expected rules that are on"),
    ("letters: bw", 1, "letters is 'bw'; expected bv or v"),
    ("letters: {v: 1}", 1, "letters is a mapping; expected bv or v"),
    ("letters: v\nletters: bv", 2, "'letters' is there twice; expected it once"),
    ("pseudocode: norvig", 1, "pseudocode is 'norvig'; expected assignment, aima"),
    ("\npseudocode: slides", 2, "expected rules with fail_hard: true, or another form"),
    ("pseudocode: csc384\nrules: test-first", 1, "expected rules with test_first: false"),
    ("players: Ann", 1, "expected two names"),
    ("players: [Ann, Ann]", 1, "expected two names"),
    ("players: {Ann: Bob}", 1, "players is a mapping; expected two names"),
    (
        "exercises: [minimax,\n  alfabeta]",
        2,
        "unknown exercise 'alfabeta': did you mean alphabeta or",
    ),
    ("exercises: [fix-prune, mend-prune]", 1, "'mend-prune' is there twice; expected it once"),
    ("points: 3", 1, "points is '3'; expected exercises with their points"),
    ("points: {minimax: many}", 1, "points of minimax is 'many'; expected a number"),
    ("points: {minimax: -1}", 1, "points of minimax is '-1'; expected a number"),
    ("points: {minimax: .inf}", 1, "points of minimax is '.inf'; expected a number"),
    ("points: {minimax: .nan}", 1, "points of minimax is '.nan'; expected a number"),
    ("points: {minimax: '3'}", 1, "points of minimax is '3'; expected a number"),
    ("points:\n  fix-prune: 1\n  mend-prune: 2", 3, "'mend-prune' is there twice"),
    ("seeds: many", 1, "seeds is 'many'; expected whole numbers"),
    ("seeds: 7-3", 1, "seeds is '7-3'; expected whole numbers"),
    ("seeds: 1-999999999", 1, "at most 10,000 in all"),
    ("time_zone: Berlin", 1, "time_zone is 'Berlin'; expected a name such as Europe/Berlin"),
    ("time_zone: ../../etc/passwd", 1, "expected a name such as Europe/Berlin"),
    ("time_zone: ''", 1, "expected a name such as Europe/Berlin"),
    ("time_zone:", 1, "time_zone is empty; expected a name"),
    ("deadline: soon", 1, "deadline is 'soon'; expected a day, such as 2026-10-31"),
    ("deadline: [2026]", 1, "deadline is a list; expected a day"),
    ("letters: v\n[1]: 2", 2, "a key of this is no name; expected settings"),
    ("? [1]\n: 2", 1, "a key of this is no name; expected settings"),
    ("a: &a [*a]", 1, "unknown setting 'a'"),
    ("rules: &a [*a]", 1, "an entry of rules is a list"),
    ("letters: v\nexercises: [minimax\npoints:\n  minimax: 2", 2, "this does not parse"),
    ('letters: v\nseeds: "1\npoints:\n  minimax: 2', 2, "this does not parse"),
    ("exercises: [minimax]\npoints:\n  alphabeta: 2", 3, "not among the exercises"),
    ("points:\n  alphabeta: 2\nexercises: minimax", 2, "not among the exercises"),
    ("letters: v\n\tx", 2, "this does not parse"),
    ("letters: v\n---\nletters: v", 2, "this does not parse"),
    (b"letters: \xff", 0, "this does not parse"),
    (b"\x7fELF\x00\x01", 0, "this does not parse"),
    ("#" * 100_001, 0, "larger than 100 kB; expected a course file in YAML"),
]


@pytest.mark.parametrize(("text", "line", "problem"), WRONG)
def test_one_line_says_what_is_wrong_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes, line: int, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, text)
    with pytest.raises(AbvizError) as error:
        load_course()

    message = str(error.value)
    place = f"abviz.yaml, line {line}: " if line else "abviz.yaml: "
    assert message.startswith(place), message
    assert problem in message
    assert "\n" not in message


@pytest.mark.parametrize("opening", ["[", "{a: "])
def test_no_depth_of_nesting_ends_in_a_traceback(tmp_path: Path, opening: str) -> None:
    file = written(tmp_path, "rules: " + opening * 20_000)
    with pytest.raises(AbvizError, match=r"nested too deeply|does not parse"):
        load_course(file)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AbvizError, match=r"cannot read .*course\.yaml: No such file"):
        load_course(tmp_path / "course.yaml")
    with pytest.raises(AbvizError, match=r"cannot read .*: Is a directory; expected a course file"):
        load_course(tmp_path)


def test_a_broken_link_is_no_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.symlink("nowhere", "abviz.yaml")
    with pytest.raises(AbvizError, match=r"cannot read abviz\.yaml"):
        load_course()


def test_the_exercises_of_a_course_are_those_that_there_are() -> None:
    assert tuple(TABLE) == EXERCISES
    assert set(RENAMED.values()) <= set(EXERCISES)


def test_the_default_is_a_course_that_a_file_can_say(tmp_path: Path) -> None:
    default = Course()
    text = f"letters: {default.letters}\npseudocode: {default.pseudocode}\nrules: []\n"
    assert load_course(written(tmp_path, text)) == default
    assert default.pseudocode in FORMS
