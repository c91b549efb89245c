"""Bad input that once ended in a traceback, a lost minute or a wrong answer: each is one line that
says what to do.
"""

import json
import os
import subprocess
import sys
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abviz import AbvizError, Board, Checkers, Switches, TicTacToe, compare, perft, search, trace
from abviz.cli import main
from abviz.engine.api import MOST_MEGABYTES, Search
from abviz.exercises import practice
from abviz.games import Abalone
from abviz.play import Match
from abviz.tree.files import load, parse

START = Checkers.start()


def refusal(call: Any) -> str:
    with pytest.raises(AbvizError) as raised:
        call()
    message = str(raised.value)
    assert "\n" not in message and len(message) < 300
    return message


@pytest.mark.parametrize("value", [inf, nan, 0, -1, "3", None, True, 10**400, MOST_MEGABYTES + 1])
def test_megabytes(value: Any) -> None:
    assert "; expected a number above 0, 1,000,000 at most" in refusal(
        lambda: Search(START, 3, megabytes=value)
    )


def test_more_megabytes_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(size: int, for_python: bool) -> Any:
        raise MemoryError

    monkeypatch.setattr("abviz.engine.api.new_table", no_memory)
    message = refusal(lambda: Search(START, 3, megabytes=5000))
    assert message == "megabytes is 5000; expected less than the free memory"


@pytest.mark.parametrize("limit", ["nodes", "seconds"])
@pytest.mark.parametrize("value", [nan, 0, -1, "3", True])
def test_limits(limit: str, value: Any) -> None:
    assert refusal(lambda: Search(START, **{limit: value})).endswith("; expected a number above 0")


@pytest.mark.parametrize("name", [name for name in vars(Switches()) if name != "beam"])
@pytest.mark.parametrize("value", ["no", None, 2, 0.5, [], -1])
def test_switches(name: str, value: Any) -> None:
    assert refusal(lambda: Search(START, 3, **{name: value})).endswith("; expected True or False")
    for allowed in (True, False, 0, 1):
        Switches(**{name: allowed})


@pytest.mark.parametrize("weights", [[1, 2], "men", 3, ("men", 5), {1, 2}])
def test_weights(weights: Any) -> None:
    message = refusal(lambda: search(START, 3, weights=weights))
    assert message.endswith("; expected numbers by name, such as {'men': 100, 'kings': 130}")


def test_variants() -> None:
    message = refusal(lambda: compare(START, 3, weights=[1, 2]))
    assert message.startswith(
        "the variant weights is [1, 2]; expected Switches, a method, or a dict of options"
    )


@pytest.mark.parametrize("position", [START, TicTacToe.start(), Abalone.start()])
@pytest.mark.parametrize("move", [None, 3.5, b"11-15", [], {}, object])
def test_moves(position: Any, move: Any) -> None:
    assert refusal(lambda: position.play(move)).endswith("; expected its name or its number")


def test_moves_may_be_numbers_of_numpy() -> None:
    cell = 1
    assert TicTacToe.start().play(np.int64(cell)) == TicTacToe.start().play(cell)


IMPOSSIBLE = {
    Checkers(
        1, 1, 0, 0
    ): "black and white have pieces on the same square; expected one piece on a square",
    Checkers(-1, 2, 0, 0): "black is -1; expected bits of the board alone",
    Checkers(1, 2**70, 0, 0): "white is 1180591620717411303424; expected bits of the board alone",
    Checkers(1 << 8, 2, 0, 0): "black is 256; expected bits of the board alone",
    Checkers(1, 2, 4, 0): "kings has a square without a piece; expected kings among the pieces",
    Checkers(1, 2, 0, 2): "turn is 2; expected 0 or 1",
    Checkers(1, 2, 0, -1): "turn is -1; expected 0 or 1",
    Checkers(1.5, 2, 0, 0): "black is 1.5; expected a whole number",  # type: ignore[arg-type]
    Checkers("a", 2, 0, 0): "black is 'a'; expected a whole number",  # type: ignore[arg-type]
    TicTacToe(1, 1): "x and o have pieces on the same square; expected one piece on a square",
    TicTacToe(1, 1 << 11): "o is 2048; expected bits of the board alone",
    TicTacToe(1, 22): "it has 1 x and 3 o; expected as many, or one more x",
    Abalone(
        1, 1, 0
    ): "black and white have pieces on the same square; expected one piece on a square",
    Abalone(1, 2, 5): "turn is 5; expected 0 or 1",
}


@pytest.mark.parametrize(("position", "flaw"), IMPOSSIBLE.items(), ids=repr)
def test_impossible_positions(position: Any, flaw: str) -> None:
    assert position.flaw == flaw
    ways = (
        lambda: search(position, 2),
        lambda: perft(position, 1),
        lambda: position.moves(),
        lambda: position.to_tree(1),
        lambda: Match(position),
        lambda: Board(position),
        lambda: trace(position),
    )
    for way in ways:
        message = refusal(way)
        assert flaw in message or "expected a whole number from 0 to" in message


def test_positions_of_games_have_no_flaw() -> None:
    for game in (Checkers, TicTacToe, Abalone):
        position: Any = game.start()
        while not position.over():
            assert position.flaw == ""
            position = position.play(position.moves()[-1])
            if game is Abalone:
                break


# the command and files


@pytest.mark.parametrize(
    "steps", ["0-999999999", "5-3", "999999999-999999999", "0-99", "cut", "1", "-1-2", ""]
)
def test_steps_are_refused_before_they_are_made(
    steps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "picture.svg"
    assert main(["draw", "worked-example", f"--steps={steps}", "-o", str(file)]) == 2
    error = capsys.readouterr().err
    assert (
        error.startswith("abviz: --steps is ")
        and "a range within 0-" in error
        and error.count("\n") == 1
    )
    assert not list(tmp_path.iterdir())


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = "standard input is closed; expected a tree there, or a file's name"
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal(lambda: load("-")) == expected
    command = f"exec {sys.executable} -m abviz trace - <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"abviz: {expected}\n")


@pytest.mark.parametrize("name", ["title", "source", "note"])
@pytest.mark.parametrize("value", ["{a: b}", "[1, 2]"])
def test_texts_of_a_tree_are_texts(name: str, value: str) -> None:
    message = refusal(lambda: parse(f"{name}: {value}\ntree: [1, 2]", file="a.yaml"))
    assert message.startswith(f"a.yaml, line 1: {name} is ") and message.endswith(
        "expected text, in quotes if it has a colon"
    )


@pytest.mark.parametrize(
    "answer", ["sNaN", "nan", "-sNaN123", "NaN5", "1e999999999", "", "x", "Infinity"]
)
def test_strange_answers_in_practice_are_wrong(answer: str) -> None:
    tree = {"tree": [[3, 5], [2, 9]]}
    right = practice.right_marks(trace(parse(json.dumps(tree))))
    asked = sorted(right)
    result = {
        "abviz": "practice",
        "tree": json.dumps(tree),
        "rules": {},
        "search": "alphabeta",
        "score": [0, 0],
    }
    result |= {"asked": asked, "answers": {"bv A": answer}, "cuts": []}
    verdict = practice.verify(json.dumps(result))
    assert verdict.status == "wrong" and verdict.points is not None and verdict.points[0] == 0
