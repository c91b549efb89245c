"""The commands that show searches follow the course file, and their options override it."""

import json
from pathlib import Path

import pytest

from abviz import Stepper, Tree, load, trace
from abviz.cli import main
from abviz.course import load_course
from abviz.exercises.generator import make_tree
from abviz.exercises.sheets import Sheet
from abviz.tracing.algorithms import Rules
from abviz.tracing.templates import in_letters

COURSE = """
rules: [strict, fail-hard]
letters: v
players: [Ann, Bob]
pseudocode: slides
seeds: [7, 9]
"""
COURSE_RULES = Rules(strict=True, fail_hard=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, which has a course file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "abviz.yaml").write_text(COURSE)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ([], COURSE_RULES),
        (["--no-strict"], Rules(fail_hard=True)),
        (["--no-fail-hard", "--right-to-left"], Rules(strict=True, right_to_left=True)),
        (["--course", "other.yaml"], Rules(test_first=True)),
        (["--course", "other.yaml", "--no-test-first", "--strict"], Rules(strict=True)),
    ],
)
def test_options_override_the_course(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], rules: Rules
) -> None:
    (folder / "other.yaml").write_text("rules: test-first")
    record = json.loads(printed(capsys, "trace", "figure-4.24", "--json", *options))
    tree = load("figure-4.24")
    expected = trace(tree, rules=rules).to_dict()
    assert record == json.loads(json.dumps(expected))

    made = json.loads(printed(capsys, "make", "--json", "--seed", "3", *options))
    assert made["exercises"][0]["rules"] == vars(rules)


def test_text_and_pictures_have_the_letters_and_the_players(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "trace", "worked-example")
    assert "Ann" in text and "v = " in text
    assert "bv" not in text.split()

    printed(capsys, "draw", "worked-example", "-o", "picture.dot")
    picture = (folder / "picture.dot").read_text()
    assert ">v<" in picture and ">bv<" not in picture

    # The record is read by programs
    assert '"bv"' in printed(capsys, "trace", "worked-example", "--json")


def test_a_tree_keeps_its_own_players(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tree.yaml").write_text("players: [you, o]\ntree: [[3, 5], [2, 9]]")
    text = printed(capsys, "trace", "tree.yaml")
    assert "you" in text and "Ann" not in text


def test_an_exported_page_is_that_of_the_course(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "export", "worked-example", "-o", "page.html")
    page = (folder / "page.html").read_text()
    assert '"letters": "v"' in page or '"letters":"v"' in page
    assert '"form": "slides"' in page or '"form":"slides"' in page
    assert '["Ann", "Bob"]' in page or '["Ann","Bob"]' in page


def test_the_seeds_are_those_of_the_course(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json.loads(printed(capsys, "make", "--json", "--number", "4"))["exercises"]
    assert [each["seed"] for each in made] == [7, 9, 10, 11]
    other = json.loads(printed(capsys, "make", "--json", "--seed", "5"))["exercises"]
    assert [each["seed"] for each in other] == [5]


@pytest.mark.parametrize("is_key", [False, True])
def test_a_sheet_has_the_letters(is_key: bool) -> None:
    sheet = Sheet([make_tree(7)], rules=COURSE_RULES)
    with in_letters("v"):
        page = sheet.html(key=is_key)
    assert "v, the best value below" in page
    assert "α, β and v" in page
    assert ">bv<" not in page
    assert ">bv<" in sheet.html(key=is_key)


def test_a_stepper_has_the_letters_and_names_of_the_course(folder: Path) -> None:
    tree = load("worked-example")
    stepper = Stepper(tree)
    assert (stepper.letters, stepper.form) == ("v", "slides")
    assert stepper.tree.players == ("Ann", "Bob")
    assert Stepper(tree, form="aima").form == "aima"

    # Its rules are those of the call, as the text around it speaks of these
    assert stepper.trace.rules == Rules()
    assert Stepper(tree, rules=load_course().rules).trace.rules == COURSE_RULES

    (folder / "abviz.yaml").unlink()
    stepper = Stepper(tree)
    assert (stepper.letters, stepper.form) == ("bv", "assignment")
    assert stepper.tree is tree


def test_a_bad_course_file_ends_a_command_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "abviz.yaml").write_text("letters: w")
    assert main(["trace", "worked-example"]) == 2
    assert capsys.readouterr().err == (
        "abviz: abviz.yaml, line 1: letters is 'w'; expected bv or v\n"
    )
    assert main(["trace", "worked-example", "--course", "no.yaml"]) == 2
    assert "cannot read no.yaml" in capsys.readouterr().err
    assert isinstance(trace(Tree([1, 2])).value, int)
