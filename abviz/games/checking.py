"""A game is tried out in plain Python before it is compiled: there a mistake has a name and a place."""

import random
from typing import Any

from abviz.errors import AbvizError, brief, count
from abviz.games.rules import LARGEST, Found, is_game, ships
from abviz.games.scale import PROVEN, WEIGHTS

GAMES, PLIES = 20, 60  # what is tried: so many games at random, so many moves of each

_tried: dict[Any, list[Any]] = {}  # of each game the positions that were


def check_game(position: Any) -> None:
    """Raise an AbvizError that names the rule and the position where the game breaks the promises of its rules."""
    cls: Any = type(position)
    if not is_game(cls):
        raise AbvizError(f"{brief(position)} is no position of a game; expected one, such as Checkers.start()")
    check_position(position)
    if ships(cls):  # those are tested
        return
    if cls in _tried:
        _check_rules(position)
    else:
        _tried[cls] = _try(position)


def tried(cls: Any) -> list[Any]:
    """The positions on which the rules of the game have been tried."""
    return _tried.get(cls, [])


def check_position(position: Any) -> None:
    for name, value in zip(position._fields, position, strict=True):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
            place = f"{name} of a {position.title} is {brief(value)}"
            raise AbvizError(f"{place}; expected a whole number from 0 to 2⁶³ − 1")


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
            state = _ask(state, "play", rng.choice(moves))
    return list(seen)


def _check_rules(state: Any) -> list[int]:
    """The moves of a position, all of whose rules were asked."""
    check_position(state)
    found = Found()
    answer = _ask(state, "moves", found)
    _expect(state, "moves", answer, answer is None, "nothing: each move is written down by found.add(move)")
    for move in found:
        _expect(state, "moves", move, _is_whole(move) and 0 <= move <= LARGEST, "whole numbers from 0 to 2⁶³ − 1")
    over = _ask(state, "over")
    _expect(state, "over", over, isinstance(over, bool), "True or False")
    if over == bool(found):
        has = f"is over and has {count(len(found), 'move')}; expected none" if over else "has no move and is not over"
        raise AbvizError(f"{state!r} {has}" + ("" if over else "; expected over() to say True"))
    for rule in ("is_max", "hot"):
        answer = _ask(state, rule)
        _expect(state, rule, answer, isinstance(answer, bool), "True or False")
    if over:
        value = _ask(state, "value")
        _expect(state, "value", value, _is_whole(value) and value in (-1, 0, 1), "1, 0 or −1")
    elif "features" in state.rules:
        values = _ask(state, "features")
        right = isinstance(values, tuple) and all(map(_is_whole, values)) and len(values) == len(state.weights)
        _expect(state, "features", values, right, f"{len(state.weights)} whole numbers, one for each weight")
        _expect(state, "features", values, len(values) <= WEIGHTS, f"at most {WEIGHTS} whole numbers")
        _expect(state, "features", values, all(abs(value) < PROVEN for value in values), f"numbers within ±{PROVEN:,}")
    else:
        value = _ask(state, "evaluate")
        right = _is_whole(value) and abs(value) < PROVEN
        _expect(state, "evaluate", value, right, f"a whole number within ±{PROVEN:,}")
    key = _ask(state, "key")
    _expect(state, "key", key, _is_whole(key) and 0 <= key <= LARGEST, "a whole number from 0 to 2⁶³ − 1")
    names: dict[str, int] = {}
    for move in dict.fromkeys(found):
        name = _ask(state, "move_name", move)
        _expect(state, "move_name", name, isinstance(name, str) and bool(name), "text")
        if names.setdefault(name, move) != move:
            raise AbvizError(f"move_name of {state!r} is {brief(name)} for two moves; expected another name for each")
        child = _ask(state, "play", move)
        if type(child) is not type(state) and getattr(child, "title", None) == state.title:
            raise AbvizError(f"{state!r} is of a {state.title} from before; expected one made anew, by the last @game")
        _expect(state, "play", child, type(child) is type(state), f"another {state.title}")
        check_position(child)
        gain = _ask(state, "gain", move)
        _expect(state, "gain", gain, _is_whole(gain) and 0 <= gain < 2**15, "a small whole number, 0 or more")
    return list(found)


def _ask(state: Any, rule: str, *arguments: Any) -> Any:
    try:
        return state.rules[rule](state, *arguments)
    except AbvizError as problem:
        raise AbvizError(f"{rule} of {state!r}: {problem}") from None
    except Exception as problem:
        said = str(problem).replace(type(state).__name__, state.title)
        raise AbvizError(f"{rule} of {state!r} raised {type(problem).__name__}: {said}") from problem


def _expect(state: Any, rule: str, answer: Any, right: bool, expected: str) -> None:
    if not right:
        raise AbvizError(f"{rule} of {state!r} is {brief(answer)}; expected {expected}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
