"""The rules of a student's game, tried out in plain Python before they are compiled.

A mistake that shows here has a name and a place; in compiled code it may have neither.
"""

import random
from typing import Any, NamedTuple

from abviz.errors import AbvizError, brief, count, one_line
from abviz.games.rules import (
    LARGEST,
    PROVEN,
    AnyPosition,
    Position,
    check_possible,
    is_game,
    new_move_list,
    ships,
)

GAMES = 20  # random games that are tried
PLIES = 60  # moves of each

YES_OR_NO = (0, 1)
RANGES = dict.fromkeys(("is_max", "hot", "over"), YES_OR_NO)
RANGES |= {
    "key": (0, LARGEST),
    "value": (-1, 1),
    "gain": (0, 2**15 - 1),
    "evaluate": (1 - PROVEN, PROVEN - 1),
}

_tried: set[type] = set()  # the games whose rules have been tried


def check_game(position: AnyPosition) -> None:
    """Raise AbvizError where a game breaks the contract of its rules.

    It names the rule and the position.
    """
    cls = type(position)
    if not is_game(cls):
        raise AbvizError(
            f"{brief(position)} is not a position of a game; expected one, such as Checkers.start()"
        )
    _check_fields(position)
    check_possible(position)
    if ships(cls) or cls in _tried:
        return

    for name, rule in cls.rules.items():
        if "print" in rule.__code__.co_names:  # it would print at every node of a search
            raise AbvizError(f"{name} of {cls.title} calls print; expected no output from rules")

    rng = random.Random(0)
    by_key: dict[int, _Seen] = {}
    for _ in range(GAMES):
        _check_random_game(position, rng, by_key)
    _tried.add(cls)


class _Seen(NamedTuple):
    """A position that was tried, and what two positions with one key have in common."""

    position: Position
    is_max: bool
    moves: list[int]


def _check_random_game(position: Position, rng: random.Random, by_key: dict[int, _Seen]) -> None:
    """Try the rules at each position of a game of random moves. Its keys are added."""
    for _ in range(PLIES):
        moves = _check_rules(position)
        seen = _Seen(position, position.is_max(), moves)
        key = position.key()
        other = by_key.setdefault(key, seen)
        if other[1:] != seen[1:]:
            raise AbvizError(
                f"key of {other.position!r} and of {position!r} is {key}; "
                "expected two keys, for two positions"
            )

        if not moves:
            break
        position = position.rules["play"](position, rng.choice(moves))


def _check_rules(state: Position) -> list[int]:
    """Return the moves of the position, after calling all of its rules."""
    legal = new_move_list()
    _call(state, "moves", legal)
    moves = legal.listed()

    for move in moves:
        _check_number(f"a move of {state!r}", move, 0, LARGEST)
        _call(state, "gain", move)
        child = _call(state, "play", move)
        if type(child) is not type(state):
            raise AbvizError(
                f"play of {state!r} is {brief(child)}; expected a position of the same game"
            )
        _check_fields(child)

    for rule in ("is_max", "hot", "key"):
        _call(state, rule)
    over = _call(state, "over")
    if over == bool(moves):
        adds = f"adds {count(len(moves), 'move')}" if moves else "adds no move"
        raise AbvizError(
            f"moves of {state!r} {adds} although over() is {over}; "
            "expected moves until the game is over, and none after"
        )

    counted = _call(state, "count", new_move_list())
    if counted != legal.size():
        raise AbvizError(
            f"count of {state!r} is {counted}; expected {legal.size()}, as many as moves adds"
        )

    names = {_call(state, "move_name", move) for move in moves}
    if len(names) < len(set(moves)):
        raise AbvizError(
            f"move_name of {state!r} gives two moves one name; expected another name for each"
        )

    if over:
        _call(state, "value")
    else:
        _call(state, "evaluate")
        _check_features(state)
    return moves


def _check_features(state: Position) -> None:
    features = _call(state, "features")
    for value in features:
        _check_number(f"a feature of {state!r}", value, *RANGES["evaluate"])

    if features and len(features) != max(len(state.weights), 1):
        raise AbvizError(f"features of {state!r} is {features}; expected a number for each weight")


def _check_fields(position: Position) -> None:
    for name, value in zip(position._fields, position, strict=True):
        _check_number(f"{name} of a {position.title}", value, 0, LARGEST)


def _check_number(what: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or not low <= value <= high:
        expected = f"a whole number from {low:,} to {high:,}"
        if (low, high) == YES_OR_NO:
            expected = "True or False"
        raise AbvizError(f"{what} is {brief(value)}; expected {expected}")


def _call(state: Position, rule: str, *arguments: object) -> Any:
    """Return the result of the rule.

    Raises AbvizError where the rule raises, or its result is a number out of range.
    """
    try:
        result = state.rules[rule](state, *arguments)
    except Exception as problem:
        raise AbvizError(f"{rule} of {state!r} raised {one_line(problem)}") from problem
    if rule in RANGES:
        _check_number(f"{rule} of {state!r}", result, *RANGES[rule])
    return result
