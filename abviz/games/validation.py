"""The rules of a student's game, tried out in plain Python before they are compiled.

A mistake that shows here has a name and a place; in compiled code it may have neither.
"""

import random
from collections.abc import Callable
from typing import Any

from abviz.errors import ADDRESS, AbvizError, brief
from abviz.games.rules import LARGEST, MOST_FEATURES, PROVEN, is_game, new_move_list, ships

GAMES, PLIES = 20, 60  # random games that are tried, and the moves of each

_tried: set[Any] = set()  # the games whose rules have been tried


def check_game(position: Any) -> None:
    """Raise an AbvizError that names the rule and the position where a game breaks the contract of its rules."""
    cls: Any = type(position)
    if not is_game(cls):
        raise AbvizError(f"{brief(position)} is not a position of a game; expected one, such as Checkers.start()")
    _check_fields(position)
    if ships(cls):  # tested already
        return
    for name, rule in cls.rules.items():
        if "print" in rule.__code__.co_names:  # it would print at every node of a search
            raise AbvizError(f"{name} of {cls.title} calls print; expected no output from rules")
    _check_rules(position)
    rng = random.Random(0)
    by_key: dict[int, tuple[Any, ...]] = {}
    for _ in range(0 if cls in _tried else GAMES):
        state = position
        for _ in range(PLIES):
            moves = _check_rules(state)
            key = state.key()
            other, *facts = by_key.setdefault(key, (state, state.is_max(), moves))
            if facts != [state.is_max(), moves]:
                raise AbvizError(f"key of {other!r} and of {state!r} is {key}; expected two keys, for two positions")
            if not moves:
                break
            state = state.rules["play"](state, rng.choice(moves))
    _tried.add(cls)


def _check_rules(state: Any) -> list[int]:
    """Return the moves of the position, after calling all of its rules."""
    _call(state, "moves", legal := new_move_list())
    moves = list(dict.fromkeys(legal.listed()))
    for move in moves:
        if not _is_63_bits(move, state):
            raise AbvizError(f"moves of {state!r} added {brief(move)}; expected {BITS_63}")
    over = [_call(state, rule) for rule in ("is_max", "hot", "key", "over")][-1]
    if over == bool(moves):
        raise AbvizError(
            f"over of {state!r} is {over}, and moves adds {len(moves)}; expected moves only before the end"
        )
    if (counted := _call(state, "count", new_move_list())) != legal.size():
        raise AbvizError(f"count of {state!r} is {counted}; expected {legal.size()}, as many as moves adds")
    for rule in ("value",) if over else ("evaluate", "features"):
        _call(state, rule)
    if len({_call(state, "move_name", move) for move in moves}) < len(moves):
        raise AbvizError(f"move_name of {state!r} gives two moves one name; expected another name for each")
    for move in moves:
        _call(state, "gain", move)
        _check_fields(_call(state, "play", move))
    return moves


def _check_fields(position: Any) -> None:
    for name, value in zip(position._fields, position, strict=True):
        if not _is_63_bits(value, position):
            raise AbvizError(f"{name} of a {position.title} is {brief(value)}; expected {BITS_63}")


def _call(state: Any, rule: str, *arguments: Any) -> Any:
    """Return the result of the rule. Raises AbvizError where it raises, or where its result is not as EXPECTED."""
    try:
        result = state.rules[rule](state, *arguments)
    except Exception as problem:
        message = ADDRESS.sub(">", str(problem).replace(type(state).__name__, state.title))
        raise AbvizError(f"{rule} of {state!r} raised {type(problem).__name__}: {message}") from problem
    fits, expected = EXPECTED[rule]
    if not fits(result, state):
        raise AbvizError(f"{rule} of {state!r} is {brief(result)}; expected {expected}")
    return result


Check = Callable[[Any, Any], bool]  # of a result and the position


def _within(low: int, high: int) -> Check:
    return lambda result, state: isinstance(result, int) and not isinstance(result, bool) and low <= result <= high


def _are_features(values: Any, state: Any) -> bool:
    fits = isinstance(values, tuple) and len(values) == max(len(state.weights), 1) <= MOST_FEATURES
    return fits and all(_is_estimate(value, state) for value in values)


_is_63_bits, _is_estimate = _within(0, LARGEST), _within(1 - PROVEN, PROVEN - 1)
BITS_63, ESTIMATE = "a whole number from 0 to 2⁶³ − 1", f"a whole number within ±{PROVEN:,}"
TRUE_OR_FALSE: tuple[Check, str] = (lambda result, state: isinstance(result, bool), "True or False")
EXPECTED: dict[str, tuple[Check, str]] = {
    "moves": (lambda result, state: result is None, "no result, and legal.add(move) for each move"),
    "play": (lambda child, state: type(child) is type(state), "a position of the same game, by the last @game"),
    "is_max": TRUE_OR_FALSE,
    "over": TRUE_OR_FALSE,
    "hot": TRUE_OR_FALSE,
    "key": (_is_63_bits, BITS_63),
    "count": (_is_63_bits, BITS_63),
    "value": (_within(-1, 1), "1, 0 or −1"),
    "evaluate": (_is_estimate, ESTIMATE),
    "features": (_are_features, f"a tuple of {ESTIMATE} for each weight, at most {MOST_FEATURES}"),
    "move_name": (lambda name, state: isinstance(name, str) and name != "", "text"),
    "gain": (_within(0, 2**15 - 1), "a small whole number, 0 or more"),
}
