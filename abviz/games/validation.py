"""The rules of a game tried out in plain Python before they are compiled, and the functions and values that they use.

A mistake that shows here has a name and a place; in compiled code it may have neither.
"""

import dis
import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from abviz.errors import AbvizError, brief
from abviz.games.rules import LARGEST, MOST_FEATURES, PROVEN, is_game, new_move_list, ships

GAMES, PLIES = 20, 60  # random games that are tried, and the moves of each

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
        return
    for function in functions_reached(cls.rules.values()):
        if any(name == "print" and value is None for name, value in globals_of(function)):
            raise AbvizError(f"{function.__name__} of {cls.title} calls print; expected no output from rules")
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
    _tried[cls] = list(seen)


def tried_positions(cls: Any) -> list[Any]:
    """Return the positions on which the rules of the game have been tried."""
    return _tried.get(cls, [])


def without_addresses(text: str) -> str:
    """Return the text without the memory addresses that Python writes for functions and objects."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _check_rules(state: Any) -> list[int]:
    """Return the moves of the position, after calling all of its rules."""
    _check_fields(state)
    _ask(state, "moves", legal := new_move_list())
    moves = list(dict.fromkeys(legal.listed()))
    for move in moves:
        if not _is_63_bits(move, state):
            raise AbvizError(f"moves of {state!r} added {brief(move)}; expected {BITS_63}")
    over = [_ask(state, rule) for rule in ("is_max", "hot", "key", "over")][-1]
    if over == bool(moves):
        raise AbvizError(f"over of {state!r} is {over}; expected True where there is no move, and False elsewhere")
    for rule in ("value",) if over else ("evaluate", "features"):
        _ask(state, rule)
    if len({_ask(state, "move_name", move) for move in moves}) < len(moves):
        raise AbvizError(f"move_name of {state!r} gives two moves one name; expected another name for each")
    for move in moves:
        _ask(state, "gain", move)
        _check_fields(_ask(state, "play", move))
    return moves


def _check_fields(position: Any) -> None:
    for name, value in zip(position._fields, position, strict=True):
        if not _is_63_bits(value, position):
            raise AbvizError(f"{name} of a {position.title} is {brief(value)}; expected {BITS_63}")


def _ask(state: Any, rule: str, *arguments: Any) -> Any:
    """Return what the rule returns. Raises AbvizError where it raises, or where that is not as EXPECTED."""
    try:
        answer = state.rules[rule](state, *arguments)
    except Exception as problem:
        message = without_addresses(str(problem).replace(type(state).__name__, state.title))
        raise AbvizError(f"{rule} of {state!r} raised {type(problem).__name__}: {message}") from problem
    fits, expected = EXPECTED[rule]
    if not fits(answer, state):
        raise AbvizError(f"{rule} of {state!r} is {brief(answer)}; expected {expected}")
    return answer


Check = Callable[[Any, Any], bool]  # of an answer and the position


def _within(low: int, high: int) -> Check:
    return lambda answer, state: isinstance(answer, int) and not isinstance(answer, bool) and low <= answer <= high


def _are_features(values: Any, state: Any) -> bool:
    fits = isinstance(values, tuple) and len(values) == max(len(state.weights), 1) <= MOST_FEATURES
    return fits and all(_is_estimate(value, state) for value in values)


_is_63_bits, _is_estimate = _within(0, LARGEST), _within(1 - PROVEN, PROVEN - 1)
BITS_63, ESTIMATE = "a whole number from 0 to 2⁶³ − 1", f"a whole number within ±{PROVEN:,}"
TRUE_OR_FALSE: tuple[Check, str] = (lambda answer, state: isinstance(answer, bool), "True or False")
EXPECTED: dict[str, tuple[Check, str]] = {
    "moves": (lambda answer, state: answer is None, "no result, and legal.add(move) for each move"),
    "play": (lambda child, state: type(child) is type(state), "a position of the same game, by the last @game"),
    "is_max": TRUE_OR_FALSE,
    "over": TRUE_OR_FALSE,
    "hot": TRUE_OR_FALSE,
    "key": (_is_63_bits, BITS_63),
    "value": (_within(-1, 1), "1, 0 or −1"),
    "evaluate": (_is_estimate, ESTIMATE),
    "features": (_are_features, f"{ESTIMATE} for each weight, at most {MOST_FEATURES}"),
    "move_name": (lambda name, state: isinstance(name, str) and name != "", "text"),
    "gain": (_within(0, 2**15 - 1), "a small whole number, 0 or more"),
}


# the functions that rules call, and the global values that they use by name


def globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names outside it that a function uses, with their values; None for a built-in."""
    for name in _global_names(function.__code__):
        yield name, function.__globals__.get(name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # the cell is still empty
            yield name, None


def functions_reached(rules: Iterable[Any]) -> list[FunctionType]:
    """Return the rules, the functions that they call, the functions that those call, and so on."""
    reached = [rule for rule in rules if isinstance(rule, FunctionType)]
    for function in reached:
        called = dict.fromkeys(value for _, value in globals_of(function) if isinstance(value, FunctionType))
        reached += [each for each in called if each not in reached]
    return reached


def fingerprint(rules: Iterable[Any]) -> dict[str, Any]:
    """Return everything the rules use by name, in a form that compares unequal after a change."""
    return {name: _snapshot(value) for function in functions_reached(rules) for name, value in globals_of(function)}


@cache  # every search of a student's game asks again
def _global_names(code: CodeType) -> tuple[str, ...]:
    names = [each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"]
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return tuple(dict.fromkeys([*names, *(name for inner in nested for name in _global_names(inner))]))


def _snapshot(value: Any) -> Any:
    if isinstance(value, FunctionType):
        return value.__code__
    if hasattr(value, "tobytes"):  # an array
        return value.dtype.str, value.shape, value.tobytes()
    return value if isinstance(value, int | float | str | tuple | bool | None) else type(value)
