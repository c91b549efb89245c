"""What a game says of itself, so that the engine can search it: `@game` on a NamedTuple of whole numbers.

A position is a tuple of ints from 0 to 2⁶³ − 1. Its rules are short methods, which run as Python and, compiled, in the
engine. They may call each other, and plain functions that stand beside the class, but not themselves.

| rule              | what it says                                                                | unless written |
|-------------------|-----------------------------------------------------------------------------|----------------|
| `moves(found)`    | `found.add(move)` for each legal move, an int; none where the game is over  |                |
| `play(move)`      | the position after it                                                       |                |
| `is_max()`        | whether MAX is to move                                                      |                |
| `over()`          | whether the game is over                                                    |                |
| `value()`         | of a game that is over: 1 if MAX has won, −1 if MIN has, 0 for a draw       |                |
| `evaluate()`      | of any other position: an estimate, larger where it is better for MAX       | 0              |
| `features()`      | instead of evaluate: ints, which are multiplied by the weights and added   |                |
| `hot()`           | whether evaluating here would be hasty, since a capture hangs               | False          |
| `gain(move)`      | how much the move takes; moves that take most may be searched first         | 0              |
| `key()`           | an int that tells positions apart                                           | of the fields  |
| `count(found)`    | how many moves there are; `found` may be written on                         | by moves       |
| `move_name(move)` | the move as people write it (this and the next three are for Python alone)  | the number     |
| `find_move(text)` | the legal move that a person means                                          | by its name    |
| `progress(move)`  | whether the move leads on, as no move back and forth does                   | True           |
| `ending()`        | how the game ended, in words                                                | who has won    |
"""

import inspect
from collections.abc import Callable
from functools import partial
from numbers import Integral
from types import FunctionType
from typing import Any

from abviz.errors import AbvizError, brief, unknown

WIDTH = 64  # the most moves that a position may have
LARGEST = 2**63 - 1
NEEDED = ("moves", "play", "is_max", "over", "value")


class Found(list[int]):
    """The moves of a position, as `moves(found)` writes them down. The engine has its like in compiled code."""

    def add(self, move: int) -> None:
        if len(self) >= WIDTH:
            raise AbvizError(f"moves() found more than {WIDTH} moves; expected it to end with fewer")
        super().append(move)

    def append(self, move: int) -> None:
        raise AbvizError("moves() uses found.append; expected found.add(move), which the compiled search has too")

    def size(self) -> int:
        return len(self)

    def at(self, i: int) -> int:
        return self[i]

    def change(self, i: int, move: int) -> None:
        self[i] = move


def evaluate(self: Any) -> int:
    return 0


def hot(self: Any) -> bool:
    return False


def gain(self: Any, move: int) -> int:
    return 0


def key(self: Any) -> int:
    mixed = 0
    for field in self:
        # Multiplied by a large odd number and folded: every bit of every field reaches the low bits of the key.
        mixed = ((mixed ^ field) * 0x1E3779B97F4A7C15) & LARGEST
        mixed ^= mixed >> 32
    return mixed


def count(self: Any, found: Any) -> int:
    self.moves(found)
    return int(found.size())


def move_name(self: Any, move: int) -> str:
    return str(move)


def find_move(self: Any, text: str) -> int:
    names = {move: self.move_name(move) for move in legal_moves(self)}
    meant = [move for move, name in names.items() if name == text]
    if not names:
        raise AbvizError(f"{brief(text)} is no move: the game is over")
    if len(meant) > 1:
        raise AbvizError(f"{brief(text)} is the name of {len(meant)} moves; expected another name for each")
    if not meant:
        raise unknown("move", text, names.values())
    return meant[0]


def progress(self: Any, move: int) -> bool:
    return True


def ending(self: Any) -> str:
    value = self.value()
    return f"{self.players[value < 0]} has won" if value else "nobody has won"


DEFAULTS: dict[str, Callable[..., Any]] = {
    rule.__name__: rule for rule in (evaluate, hot, gain, key, count, move_name, find_move, progress, ending)
}
PARAMETERS = {
    "moves": ("found",),
    "play": ("move",),
    "gain": ("move",),
    "count": ("found",),
    "move_name": ("move",),
    "find_move": ("text",),
    "progress": ("move",),
}
RULES = (*NEEDED, "features", *DEFAULTS)
ADDED = ("title", "rules", "weights", "players", "patience")  # what a class is given beside the rules
FOR_PYTHON = ("move_name", "find_move", "progress", "ending")

_names: dict[str, int] = {}  # how many games there have been of each name


def popcount(bits: int) -> int:
    """How many bits are set: pairs, then fours, then eights are added up side by side. (Compilers know it by sight.)"""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) & LARGEST) >> 56


def game(
    cls: Any = None,
    *,
    weights: dict[str, int] | None = None,
    players: tuple[str, str] = ("MAX", "MIN"),
    patience: int | None = None,
) -> Any:
    """Make a NamedTuple with rules into a game that `search` takes: `@game`, or `@game(weights={...})` with features.
    `players` are the names of MAX and MIN. After `patience` plies without progress a match is a draw.

    What a person asks of a position is added: `.moves()` tells the names of the legal moves and `.play(name)` makes
    one. (Called as the rules above, with `found` or an int, both are as they were written.)
    """
    if cls is None:
        return partial(game, weights=weights, players=players, patience=patience)
    _check(cls, weights)
    title = cls.__name__
    _names[title] = _names.get(title, 0) + 1
    own = {name: rule for name, rule in vars(cls).items() if isinstance(rule, FunctionType) and name[:2] != "__"}
    rules = DEFAULTS | own
    for name, rule in rules.items():
        setattr(cls, name, rule)
    cls.title, cls.rules, cls.weights, cls.players, cls.patience = title, rules, weights or {}, players, patience
    cls.moves, cls.play, cls.__repr__ = _moves, _play, _repr
    # The compiler tells classes apart by their names alone: a cell run again must not get the rules of its first run.
    cls.__name__ = title if _names[title] == 1 else f"{title} {_names[title]}"  # a space: no other class is called so
    return cls


def is_game(cls: Any) -> bool:
    """Whether it is a class under @game. (One that is derived from such a class is not: its rules make the other's.)"""
    return isinstance(cls, type) and isinstance(vars(cls).get("rules"), dict)


def ships(cls: Any) -> bool:
    """Whether the game is one of abviz's own, which are tested and whose compiled code is kept on disk."""
    return str(cls.__module__).startswith("abviz.games.")


def legal_moves(position: Any) -> list[int]:
    """The moves as numbers, in the order of the rules, each once."""
    found = Found()
    position.moves(found)
    return list(dict.fromkeys(found))


def _moves(self: Any, found: Any = None) -> list[str] | None:
    """The names of the legal moves. (As a rule, with `found`: writes the moves down as ints.)"""
    if found is not None:
        self.rules["moves"](self, found)
        return None
    return [self.move_name(move) for move in legal_moves(self)]


def _play(self: Any, move: Any) -> Any:
    """The position after a legal move, told as people write it. (As a rule, with an int: as it is written.)"""
    if isinstance(move, str):
        move = self.find_move(move)
    elif isinstance(move, bool) or not isinstance(move, Integral):
        raise AbvizError(f"{brief(move)} is no move; expected the name of one")
    return self.rules["play"](self, move)


def _repr(self: Any) -> str:
    fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{self.title}({fields})"


def _check(cls: Any, weights: Any) -> None:
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise AbvizError(f"@game stands before {brief(cls)}; expected a class Name(NamedTuple)")
    name = cls.__name__
    if len(cls._fields) > WIDTH:
        raise AbvizError(f"{name} has {len(cls._fields)} fields; expected {WIDTH} or fewer")
    for field in cls._fields:
        if field in (*RULES, *ADDED):
            raise AbvizError(f"{name} has a field {field}, a name that the rules need; expected another name")
    for rule in NEEDED:
        if not isinstance(vars(cls).get(rule), FunctionType):
            raise AbvizError(f"{name} has no method {rule}; expected the rules {', '.join(NEEDED)}")
    if ("features" in vars(cls)) != bool(weights):
        has, lacks = ("weights", "features") if weights else ("features", "weights")
        raise AbvizError(f"{name} has {has} but no {lacks}; expected @game(weights={{name: number}}) and features")
    for rule in RULES:
        method = vars(cls).get(rule)
        expected = ("self", *PARAMETERS.get(rule, ()))
        if method and len(inspect.signature(method).parameters) != len(expected):
            given = f"{rule}({', '.join(inspect.signature(method).parameters)})"
            raise AbvizError(f"{name} has {given}; expected {rule}({', '.join(expected)})")
