"""The result of practice in the page: marks judged again, whatever score it states."""

import json
from typing import Any

import pytest

from abviz import AbvizError, Rules, load, minimax, trace
from abviz.cli import main
from abviz.exercises import practice
from tests.oracle import minimax_value

FEW = ["cut f2", "cut H", "bv A", "alpha A", "beta C"]


def result(**changes: Any) -> str:
    """Return a result in which every mark is right, with changes."""
    tree = load("worked-example")
    marks = practice.right_marks(trace(tree))
    answers = {key: text for key, text in marks.items() if isinstance(text, str) and text}
    cuts = [key for key, mark in marks.items() if mark is True]
    total = len(answers) + len(cuts)
    content = {
        "abviz": "practice",
        "tree": tree.to_yaml(),
        "search": "alphabeta",
        "rules": {},
        "asked": list(marks),
    }
    content |= {"answers": answers, "cuts": cuts, "score": [total, total]} | changes
    return json.dumps(content, separators=(",", ":"))


def test_right_marks_are_those_of_the_search() -> None:
    tree = load("worked-example")
    marks = practice.right_marks(trace(tree))
    assert (marks["alpha A"], marks["beta A"], marks["bv A"]) == ("8", "∞", "8")
    assert {key for key, mark in marks.items() if mark is True} == {"cut f2", "cut H", "cut j2"}
    assert marks["bv H"] == "" and marks["cut h1"] is False
    full = practice.right_marks(trace(tree, search=minimax, rules=Rules()))
    assert full["bv A"] == str(minimax_value(tree.root)) and "alpha A" not in full
    verdict = practice.verify(result())
    assert verdict and verdict.points is not None and verdict.points[0] == verdict.points[1]


@pytest.mark.parametrize(
    ("changes", "points", "message"),
    [
        (
            {"answers": {"bv A": "8", "bv B": " 6.0 ", "beta A": "inf"}, "cuts": []},
            3,
            "states another score",
        ),
        (
            {"answers": {"bv A": "9"}, "cuts": ["cut f2", "cut G"]},
            0,
            "The first wrong one is bv of A.",
        ),
        (
            {"answers": {"bv A": "8"}, "cuts": ["cut f2"], "asked": FEW},
            2,
            "2 of 5 marks are right.",
        ),
        (
            {"answers": {"bv A": "8", "bv H": "3"}, "cuts": ["cut f2", "cut G"]},
            0,
            "2 of 30 marks are right, 2 too many.",
        ),
        ({"answers": {"beta A": "1e400"}, "cuts": []}, 0, "The first wrong one is β of A."),
    ],
)
def test_only_right_marks_count(changes: dict[str, Any], points: int, message: str) -> None:
    verdict = practice.verify(result(**changes))
    assert not verdict and verdict.points is not None and verdict.points[0] == points
    assert verdict.points[1] == (5 if "asked" in changes else 30), "whatever is filled in"
    assert message in verdict.message


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "3",
            "{}",
            '{"tree": 3}',
            result(search="mine"),
            result(rules={"x": 1}),
            "[" * 99_999,
        ),
        # The page asks for more
        *(result(asked=asked) for asked in ([], ["bv A"], ["bv A"] * 5, "bv A", None)),
        *(result(tree="[5]", asked=[]), result(answers=["8"]), result(cuts=3), result(tree=[1, 2])),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(AbvizError, match="this is not a practice result") as error:
        practice.verify(text)
    assert "\n" not in str(error.value)


def test_results_are_graded_with_other_hand_ins(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ann.json").write_text(result(), "utf-8")
    (tmp_path / "bob.json").write_text(result(answers={"bv A": "9"}), "utf-8")
    (tmp_path / "data.json").write_text("{}")
    assert main(["check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert (
        "ann.json: 1 of 1 point " in out
        and "practice" in out
        and "Not read" in out
        and "data.json" in out
    )
    assert "bob.json: 0.1 of 1 point " in out


def test_the_window_and_the_depth_are_part_of_the_search() -> None:
    tree = load("worked-example")
    for options in ({"alpha": 5, "beta": 7}, {"depth": 2}):
        try:
            marks = practice.right_marks(trace(tree, **options))
        except AbvizError:
            continue  # no static values to look at
        answers = {key: text for key, text in marks.items() if isinstance(text, str) and text}
        cuts = [key for key, mark in marks.items() if mark is True]
        score = [len(answers) + len(cuts)] * 2
        content = {
            "asked": list(marks),
            "answers": answers,
            "cuts": cuts,
            "score": score,
            **options,
        }
        assert practice.verify(result(**content)), options
