"""Run a student's rules, a search or an evaluation on one position: a job goes in, an `Observation` comes out.

Grading runs this part in another process, so it holds no reference answer.
"""

from collections import namedtuple
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from abviz.errors import brief, unknown
from abviz.exercises.observation import Job, Observation, TooLong, not_a_function, outcome
from abviz.games.rules import PROVEN, is_game, legal_moves, new_move_list, ships, static_value
from abviz.games.student_checkers import FIELDS, as_checkers

MOST_MOVES = 20_000  # played in one run of a search


Cells = namedtuple("Cells", "cells")  # a position as an evaluation sees it: of tic-tac-toe,
Pieces = namedtuple("Pieces", "pieces")  # and of checkers, by square


def run(answer: Any, job: Job) -> Observation:
    """Run the answer on the position that the job's arguments begin with.

    After it come, to evaluate, other positions that are evaluated too, and for a "game" the depth, alpha and beta.
    """
    position, *more = job.arguments
    if job.how in SEEN:
        if not callable(answer) or isinstance(answer, type):
            return not_a_function(answer)
        log: list[str] = []
        value, problem = outcome(answer, SEEN[job.how](position, log), *more)
        return Observation(value, tuple(log), problem)
    if not is_game(answer) or ships(answer) or answer._fields != FIELDS:
        return not_a_function(answer)
    ask = {"children": _children, "end": _end, "evaluate": _estimates}[job.how]
    value, problem = outcome(ask, *(answer(*fields) for fields in job.arguments))
    return Observation(value, problem=problem)


def _children(position: Any) -> list[Any]:
    """Return the position after each move that the rules add."""
    position.rules["moves"](position, legal := new_move_list())
    return [_fields(position.rules["play"](position, move)) for move in legal.listed()]


def _fields(child: Any) -> list[int]:
    if not isinstance(child, tuple) or len(child) != len(FIELDS) or not all(type(each) is int for each in child):
        raise TypeError(f"play returned {brief(child)}; expected a position")
    for name, bits in zip(FIELDS, child[:3], strict=False):
        if not 0 <= bits < 1 << 32:
            raise ValueError(f"play returned a position whose {name} is {bits}; expected 32 bits")
    if child[3] not in (0, 1):
        raise ValueError(f"play returned a position whose turn is {child[3]}; expected 0 or 1")
    return list(child)


def _end(position: Any) -> list[Any]:
    """Return whether the game is over, and if so its value."""
    over = position.rules["over"](position)
    if not isinstance(over, bool):
        raise TypeError(f"over returned {brief(over)}; expected True or False")
    return [int(over), position.rules["value"](position) if over else None]


def _estimates(*positions: Any) -> list[int]:
    estimates = []
    for position in positions:
        value = position.rules["evaluate"](position)
        for weight, each in zip(position.weights.values(), position.rules["features"](position), strict=False):
            value += weight * each
        if type(value) is not int or abs(value) >= PROVEN:
            raise TypeError(f"evaluate returned {brief(value)}; expected a whole number within ±{PROVEN:,}")
        estimates.append(value)
    return estimates


@lru_cache(20_000)
def _played(position: Any) -> dict[str, Any]:
    """Return the position after each move, by its name."""
    return {position.move_name(move): position.play(move) for move in legal_moves(position)}


class SeenPosition:
    """A position of checkers as a search sees it, with the rules of `@game`; it writes down which are evaluated."""

    __slots__ = ("_log", "_position")

    def __init__(self, position: Any, log: list[str]):
        self._position, self._log = position, log

    def is_max(self) -> bool:
        return bool(self._position.is_max())

    def over(self) -> bool:
        return bool(self._position.over())

    def value(self) -> int:
        self._read()
        return int(self._position.value())

    def evaluate(self) -> int:
        self._read()
        return static_value(self._position, list(self._position.weights.values()))

    def moves(self) -> list[str]:
        return list(_played(self._position))

    def play(self, move: str) -> "SeenPosition":
        children = _played(self._position)
        if move not in children:
            raise unknown("move", move, children)
        return SeenPosition(children[move], self._log)

    def _read(self) -> None:
        if len(self._log) >= MOST_MOVES:
            raise TooLong(f"it evaluated more than {MOST_MOVES:,} positions")
        if self._log[-1:] != [self._position.fen]:
            self._log.append(self._position.fen)


SEEN: dict[str, Callable[..., Any]] = {  # what a function is called with: how it sees the position
    "game": lambda fields, log: SeenPosition(as_checkers(fields), log),
    "cells": lambda cells, _: Cells(cells),
    "pieces": lambda fields, _: Pieces(as_checkers(fields).pieces),
}
