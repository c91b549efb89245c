"""Trying out the rules of a game in plain Python before they are compiled: here a mistake has a name and a place."""

import random
import re
from collections.abc import Callable
from typing import Any

from abviz.errors import AbvizError, brief, count
from abviz.games.dependencies import functions_reached, globals_of
from abviz.games.rules import LARGEST, MOST_FEATURES, PROVEN, is_game, new_move_list, ships

GAMES, PLIES = 20, 60  # random games that are tried, and the moves of each
BITS_63 = "a whole number from 0 to 2⁶³ − 1"

_tried: dict[Any, list[Any]] = {}  # the positions on which each game was tried


def check_game(position: Any) -> None:
    """Raise an AbvizError that names the rule and the position where a game breaks the contract of its rules."""
    cls: Any = type(position)
    if not is_game(cls):
        raise AbvizError(f"{brief(position)} is not a position of a game; expected one, such as Checkers.start()")
    _check_fields(position)
    if ships(cls):  # tested already
        return
    if cls in _tried:
        _check_rules(position)
    else:
        _check_no_print(cls)
        _tried[cls] = _try(position)


def tried_positions(cls: Any) -> list[Any]:
    """Return the positions on which the rules of the game have been tried."""
    return _tried.get(cls, [])


def without_addresses(text: str) -> str:
    """Return the text without the memory addresses that Python writes for functions and objects."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _check_no_print(cls: Any) -> None:
    for function in functions_reached(cls.rules.values()):
        if any(name == "print" and value is None for name, value in globals_of(function)):
            place = f"{function.__name__} of {cls.title} calls print"
            raise AbvizError(f"{place}; expected no output, since rules run compiled, a million times a second")


def _try(position: Any) -> list[Any]:
    rng = random.Random(0)
    seen: dict[Any, None] = {}
    for _ in range(GAMES):
        state = position
        for _ in range(PLIES):
            seen[state] = None
            moves = _check_rules(state)
            if not moves:
                break
            state = state.rules["play"](state, rng.choice(moves))
    return list(seen)


def _check_rules(state: Any) -> list[int]:
    """Return the moves of the position, after calling all of its rules."""
    _check_fields(state)
    legal = new_move_list()
    _ask(state, "moves", legal)
    moves = list(dict.fromkeys(legal.listed()))
    for move in moves:
        if not _is_63_bits(move):
            raise AbvizError(f"moves of {state!r} added {brief(move)}; expected {BITS_63}")
    over = [_ask(state, rule) for rule in ("is_max", "hot", "key", "over")][-1]
    if over and moves:
        raise AbvizError(f"{state!r} is over and has {count(len(moves), 'move')}; expected none")
    if not over and not moves:
        raise AbvizError(f"{state!r} has no move and is not over; expected over() to return True")
    _ask(state, "value" if over else "features" if "features" in state.rules else "evaluate")
    names = [_ask(state, "move_name", move) for move in moves]
    for name in names:
        if names.count(name) > 1:
            raise AbvizError(f"move_name of {state!r} is {brief(name)} for two moves; expected another name for each")
    for move in moves:
        _ask(state, "gain", move)
        _check_fields(_ask(state, "play", move))
    return moves


def _check_fields(position: Any) -> None:
    for name, value in zip(position._fields, position, strict=True):
        if not _is_63_bits(value):
            raise AbvizError(f"{name} of a {position.title} is {brief(value)}; expected {BITS_63}")


def _ask(state: Any, rule: str, *arguments: Any) -> Any:
    """Return what the rule returns. Raises AbvizError where it raises, or where that is not as EXPECTED."""
    try:
        answer = state.rules[rule](state, *arguments)
    except AbvizError as problem:
        raise AbvizError(f"{rule} of {state!r}: {problem}") from None
    except Exception as problem:
        message = without_addresses(str(problem).replace(type(state).__name__, state.title))
        raise AbvizError(f"{rule} of {state!r} raised {type(problem).__name__}: {message}") from problem
    fits, expected = EXPECTED[rule]
    if not fits(answer, state):
        raise AbvizError(f"{rule} of {state!r} is {brief(answer)}; expected {expected}")
    return answer


def _is_bool(value: Any, state: Any) -> bool:
    return isinstance(value, bool)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_63_bits(value: Any, state: Any = None) -> bool:
    return _is_int(value) and 0 <= value <= LARGEST


def _is_estimate(value: Any, state: Any = None) -> bool:
    return _is_int(value) and abs(value) < PROVEN


def _are_features(values: Any, state: Any) -> bool:
    fits = isinstance(values, tuple) and len(values) == len(state.weights) <= MOST_FEATURES
    return fits and all(map(_is_estimate, values))


EXPECTED: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "moves": (lambda answer, state: answer is None, "no result, and legal.add(move) for each move"),
    "play": (lambda child, state: type(child) is type(state), "a position of the same game, by the last @game"),
    "is_max": (_is_bool, "True or False"),
    "over": (_is_bool, "True or False"),
    "hot": (_is_bool, "True or False"),
    "key": (_is_63_bits, BITS_63),
    "value": (lambda value, state: _is_int(value) and value in (-1, 0, 1), "1, 0 or −1"),
    "evaluate": (_is_estimate, f"a whole number within ±{PROVEN:,}"),
    "features": (_are_features, f"a whole number within ±{PROVEN:,} for each weight, at most {MOST_FEATURES}"),
    "move_name": (lambda name, state: isinstance(name, str) and name, "text"),
    "gain": (lambda gain, state: _is_int(gain) and 0 <= gain < 2**15, "a small whole number, 0 or more"),
}
