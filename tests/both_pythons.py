"""What runs both here and in Pyodide, and must come to the same."""

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from abviz import Abalone, Checkers, TicTacToe, check, exercises, perft, search
from abviz.exercises import EXERCISES, judgement, searches
from abviz.exercises.exercise import Exercise
from abviz.games.rules import generated_moves
from tests.solutions import checkers

FILES = ("writing", "papers", "programs", "checkers")
SMALL_TREES, RANDOM_TREES, SECONDS = 400, 20, 300.0
WRONG_RULES = {
    "for way in range(4):\n            pieces": "for way in range(3):\n            pieces",
    "for way in range(4):\n                over": "for way in range(3):\n                over",
    "KING = 100, 130": "KING = 100, 100",
    "return -1 if self.turn": "return 1 if self.turn",
}
ON_LARGE_TREES = "a bound kept as the value"  # looking for a smaller one takes long
SEARCHES = ((TicTacToe, 9), (TicTacToe, 5), (Checkers, 6), (Abalone, 2))


def set_up() -> None:
    """Let a check take a part of its trees, and as long as a busy machine needs."""
    searches.SMALL_TREES = SMALL_TREES
    searches.RANDOM_TREES = RANDOM_TREES
    exercises.SECONDS = judgement.PATIENCE = SECONDS


def right_answer(exercise: Exercise) -> Any:
    """Return the solution of an exercise."""
    name = exercise.name.replace("-", "_")
    if exercise.name.startswith("checkers-") and exercise.name != "checkers-alphabeta":
        name = "MyCheckers"
    for file in FILES:
        found = getattr(import_module(f"tests.solutions.{file}"), name, None)
        if found is not None:
            return found
    if exercise.name == "predict-speed-up":
        return import_module("tests.solutions.threads").speed_ups()
    raise LookupError(name)


def wrong_answers(exercise: Exercise) -> list[Any]:
    """Return an answer for each known mistake, or where there is none something that is wrong."""
    if right_answer(exercise) is checkers.MyCheckers:
        return [wrong_checkers()]
    build: Callable[..., Any] | None = getattr(exercise, "build", None)
    if build is None:
        return ["?"]
    mistakes = getattr(exercise, "mistakes", ())
    return [build(**each.forms[0]) for each in mistakes if each.name != ON_LARGE_TREES]


@cache
def wrong_checkers() -> Any:
    """Return a class of checkers that leaves out a direction of moves and of jumps."""
    source = Path(checkers.__file__).read_text("utf-8")
    for right, wrong in WRONG_RULES.items():
        assert right in source, right
        source = source.replace(right, wrong)
    names: dict[str, Any] = {"__name__": "wrong"}
    exec(source, names)
    return names["MyCheckers"]


def verdicts(name: str, mistakes: int) -> list[list[str]]:
    """Return the verdicts on the right answer, and on that many of the known mistakes."""
    exercise: Exercise = EXERCISES[name]
    answers = [right_answer(exercise), *wrong_answers(exercise)[:mistakes]]
    found = []
    for answer in answers:
        verdict = check(name, answer)
        found.append([verdict.status, verdict.message, verdict.mistake or "", verdict.position])
    return found


def engine_results(number: int) -> list[Any]:
    """Return what searches find, and how many nodes they take, after random moves of a game."""
    dice = random.Random(5)
    found: list[Any] = []
    for _ in range(number):
        for game, depth in SEARCHES:
            position = game.start()
            for _ in range(dice.randrange(5)):
                position = position.play(dice.choice(generated_moves(position)))
            result = search(position, depth).to_dict()
            del result["seconds"], result["nodes_per_second"]
            found.append([result, perft(position, 2)])
    return found
