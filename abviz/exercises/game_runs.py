"""Run a student's rules, a search or an evaluation on one position: a job goes in, an `Observation` comes out.

Grading runs this part in another process, so it holds no reference answer.
"""

from collections.abc import Callable
from functools import lru_cache
from operator import mul
from types import SimpleNamespace
from typing import Any

from abviz.errors import brief
from abviz.exercises.observation import Job, Observation, not_a_function, outcome
from abviz.games.checkers import WEIGHTS, Checkers
from abviz.games.rules import is_game, legal_moves, new_move_list, static_value
from abviz.games.student_checkers import FIELDS, as_checkers, fields_of


def run(answer: Any, job: Job) -> Observation:
    """Run the answer on the position that the job's arguments begin with.

    After it come, to evaluate, other positions that are evaluated too, and for a "game" the depth, alpha and beta.
    """
    position, *more = job.arguments
    if job.how in ASKS:
        if not is_game(answer) or answer._fields != FIELDS:
            return not_a_function(answer)
        value, problem = outcome(ASKS[job.how], *(answer(*fields_of(each)) for each in job.arguments))
        return Observation(value, problem=problem)
    if not callable(answer) or isinstance(answer, type):
        return not_a_function(answer)
    log: dict[str, None] = {}
    if job.how == "game":
        seen: Any = SeenPosition(position, log)
    else:  # its "cells" or its "pieces"
        seen = SimpleNamespace(**{job.how: getattr(position, job.how)})
    value, problem = outcome(answer, seen, *more)
    return Observation(value, tuple(log), problem)


def _children(position: Any) -> list[Checkers]:
    """Return the position after each move that the rules add."""
    position.rules["moves"](position, legal := new_move_list())
    children = [position.rules["play"](position, move) for move in legal.listed()]
    for child in children:
        if not isinstance(child, type(position)) or not all(0 <= each < 1 << 32 for each in child) or child.turn > 1:
            raise TypeError(f"play returned {brief(child)}; expected a position, with 32 bits a field and turn 0 or 1")
    return [as_checkers(child) for child in children]


def _end(position: Any) -> str:
    """Return whether the game is over, and if so its value, in words."""
    over = position.rules["over"](position)
    value = f" and value returns {brief(position.rules['value'](position))}" if over else ""
    return f"over returns {brief(over)}{value}"


def _estimates(*positions: Any) -> list[int]:
    estimates = []
    for position in positions:
        value = position.rules["evaluate"](position)
        if type(value) is not int:
            raise TypeError(f"evaluate returned {brief(value)}; expected a whole number")
        features = position.rules["features"](position)
        estimates.append(value + sum(map(mul, position.weights.values(), features)))
    return estimates


ASKS: dict[str, Callable[..., Any]] = {"children": _children, "end": _end, "evaluate": _estimates}


@lru_cache(20_000)
def _played(position: Checkers) -> dict[str, Checkers]:
    """Return the position after each move, by its name."""
    return {position.move_name(move): position.play(move) for move in legal_moves(position)}


class SeenPosition:
    """A position of checkers as a search sees it, with the rules of `@game`; it writes down which are evaluated."""

    __slots__ = ("_log", "_position")

    def __init__(self, position: Checkers, log: dict[str, None]):
        self._position, self._log = position, log

    def is_max(self) -> bool:
        return self._position.is_max()

    def over(self) -> bool:
        return self._position.over()

    def value(self) -> int:
        self._log[self._position.fen] = None
        return self._position.value()

    def evaluate(self) -> int:
        self._log[self._position.fen] = None
        return static_value(self._position, list(WEIGHTS.values()))

    def moves(self) -> list[str]:
        return list(_played(self._position))

    def play(self, move: str) -> "SeenPosition":
        return SeenPosition(_played(self._position)[move], self._log)
