"""What a game is: `@game` on a NamedTuple of whole numbers, with its rules as methods.

A position is a tuple of ints from 0 to 2⁶³ − 1. Its rules are short methods that run as Python and,
compiled, in the engine. They may call each other and plain functions of the same module, but not
themselves. Compiled numbers have 64 bits: no result on the way may leave ±2⁶³, and no shift may be
by 64 or more. Global values are compiled in: after changing one, run the cell with the game again.

| rule              | returns                                                                     | default        |
|-------------------|-----------------------------------------------------------------------------|----------------|
| `moves(legal)`    | nothing; calls `legal.add(move)` with an int for each legal move            |                |
| `play(move)`      | the position after the move                                                 |                |
| `is_max()`        | whether MAX is to move                                                      |                |
| `over()`          | whether the game is over; then there are no moves                           |                |
| `value()`         | at the end of the game: 1 if MAX has won, −1 if MIN has, 0 for a draw       |                |
| `evaluate()`      | elsewhere: an estimate, larger where it is better for MAX                   | 0              |
| `features()`      | ints, to be multiplied by the weights and added to evaluate                 | (0,)           |
| `hot()`           | whether a capture is pending, so that an estimate here would mislead: it is | False          |
|                   | played out, and the estimate stands where other moves than captures exist   |                |
| `gain(move)`      | how much the move captures; the engine may search large gains first         | 0              |
| `key()`           | a hash of the position, for the transposition table                         | of the fields  |
| `count(legal)`    | the number of moves; may write on `legal`                                   | by moves       |
| `move_name(move)` | the move as people write it (this and the next three run in Python only)    | the number     |
| `find_move(text)` | the legal move that the text names                                          | by its name    |
| `progress(move)`  | whether the move is irreversible; see `patience`                            | True           |
| `ending()`        | how the game ended, in words                                                | the winner     |
"""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from numbers import Integral
from operator import index
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

from abviz.errors import AbvizError, brief, number, unknown
from abviz.errors import count as counted

# The most moves of a position; no power of two, whose rows would share their cache lines
WIDTH = 1000
LARGEST = 2**63 - 1
DEEPEST = 99  # the largest depth of a search
LAST = 255  # plies from the root, beyond which no capture is played out
WIN = 1_000_000  # the value of a win at the root; 1 less for each ply that it takes
PROVEN = WIN - 1000  # values beyond ±PROVEN are wins and losses, not estimates
MOST_FEATURES = 16
HEAVIEST = 10_000  # the largest weight of a feature

# Never compiled
FOR_PYTHON = ("move_name", "find_move", "progress", "ending", "_replace", "_asdict")


class MoveList(NamedTuple):
    """The moves of a position: what `moves(legal)` writes on, in Python and, with the same source,
    compiled.
    """

    w: Any  # the workspace of a search
    ply: int

    def add(self, move: int) -> None:
        n = self.w.count[self.ply]
        if n >= WIDTH:
            raise IndexError("too many moves")
        if move < 0:
            raise ValueError("moves() added a number below 0")
        self.w.moves[self.ply, n] = move
        self.w.count[self.ply] = n + 1

    def size(self) -> int:
        return self.w.count[self.ply]  # type: ignore[no-any-return]

    def at(self, i: int) -> int:
        return self.w.moves[self.ply, i]  # type: ignore[no-any-return]

    def change(self, i: int, move: int) -> None:
        self.w.moves[self.ply, i] = move

    def listed(self) -> list[int]:
        """Return the moves added so far, in Python."""
        return [self.at(i) for i in range(self.size())]


def new_move_list() -> MoveList:
    """Return an empty list for use in Python."""
    return MoveList(SimpleNamespace(count=[0], moves={}), 0)


def generated_moves(position: Any) -> list[int]:
    """Return the moves as the rules generate them: a move reached in two ways is there twice."""
    position.moves(legal := new_move_list())
    return legal.listed()


def captures(position: Any, moves: list[int]) -> list[int]:
    """Return the moves that capture; all of them where none does. Beyond the depth of a search only
    these are made.
    """
    return [move for move in moves if position.gain(move) > 0] or moves


def legal_moves(position: Any) -> list[int]:
    """Return the moves as numbers, in the order of the rules, each once."""
    return list(dict.fromkeys(generated_moves(position)))


class Defaults:
    """The rules that a game may leave out."""

    def evaluate(self: Any) -> int:
        return 0

    def features(self: Any) -> tuple[int, ...]:
        return (0,)

    def hot(self: Any) -> bool:
        return False

    def gain(self: Any, move: int) -> int:
        return 0

    def key(self: Any) -> int:
        mixed = 0
        for field in self:
            # Multiplied by a large odd number and folded: every bit of every field reaches the low
            # bits of the key.
            mixed = ((mixed ^ field) * 0x1E3779B97F4A7C15) & LARGEST
            mixed ^= mixed >> 32
        return mixed

    def count(self: Any, legal: Any) -> int:
        self.moves(legal)
        return int(legal.size())

    def move_name(self: Any, move: int) -> str:
        return str(move)

    def find_move(self: Any, text: str) -> int:
        names = {self.move_name(move): move for move in legal_moves(self)}
        if text not in names:
            raise unknown("move", text, names)
        return names[text]

    def progress(self: Any, move: int) -> bool:
        return True

    def ending(self: Any) -> str:
        value = self.value()
        return f"{self.players[value < 0]} has won" if value else "a draw"


DEFAULTS: dict[str, Any] = {
    name: rule for name, rule in vars(Defaults).items() if isinstance(rule, FunctionType)
}
NEEDED = ("moves", "play", "is_max", "over", "value")

_generations: dict[str, int] = {}  # how many games of each name have been defined


def game(
    cls: Any = None,
    *,
    weights: dict[str, int] | None = None,
    players: tuple[str, str] = ("MAX", "MIN"),
    patience: int | None = None,
) -> Any:
    """Turn a NamedTuple with rules into a game: `@game`, or `@game(weights={...})` for one with
    features.

    `players` are the names of MAX and MIN. After `patience` plies without progress a match is a
    draw. Positions also get what people ask for: `.moves()` returns the names of the legal moves,
    `.play(name)` makes one, and `.to_tree(depth)` returns the game tree. (Called as rules, `moves`
    and `play` are as the class defines them.)
    """
    if cls is None:
        return partial(game, weights=weights, players=players, patience=patience)
    title, methods = cls.__name__, vars(cls)
    if not hasattr(cls, "_fields"):
        raise AbvizError(f"@game decorates {title}; expected a class {title}(NamedTuple)")
    for rule in NEEDED:
        if not isinstance(methods.get(rule), FunctionType):
            raise AbvizError(
                f"{title} has no method {rule}; expected the rules {', '.join(NEEDED)}"
            )
    if ("features" in methods) != bool(weights):
        raise AbvizError(
            f"{title} needs features and @game(weights={{name: number}}); expected both or neither"
        )
    _generations[title] = _generations.get(title, 0) + 1
    own = {
        name: rule
        for name, rule in methods.items()
        if isinstance(rule, FunctionType) and name[:2] != "__"
    }
    rules = DEFAULTS | own
    for name, rule in rules.items():
        setattr(cls, name, rule)
    cls.title, cls.rules, cls.weights, cls.players, cls.patience = (
        title,
        rules,
        weights or {},
        players,
        patience,
    )
    cls.moves, cls.play, cls.to_tree, cls.__repr__ = _moves, _play, _to_tree, _repr
    cls._repr_mimebundle_ = _mimebundle
    # The compiler tells classes apart by name alone: a cell that runs again must not keep the rules
    # of its first run.
    if _generations[title] > 1:
        # With a space, so that no other class has this name
        cls.__name__ = f"{title} {_generations[title]}"
    return cls


def is_game(cls: Any) -> bool:
    """Return whether it is a class under @game. (A subclass of one is not: its rules return the
    other's positions.)
    """
    return isinstance(cls, type) and isinstance(vars(cls).get("rules"), dict)


def check_possible(position: Any) -> None:
    """Raise AbvizError where the game says that its position is none: it has a `flaw`, in words."""
    flaw = getattr(type(position), "flaw", None)
    if isinstance(flaw, property) and position.flaw:
        raise AbvizError(f"{brief(position)} is not a position: {position.flaw}")


def flaw_of(position: Any, board: int) -> str:
    """Return what makes a position impossible. Its first two fields are the pieces of both sides,
    bits of a board.
    """
    first, second, *_ = position._fields
    for name, bits in zip(position._fields, position, strict=True):
        most = 1 if name == "turn" else board
        if not isinstance(bits, Integral):
            return f"{name} is {brief(bits)}; expected a whole number"
        if bits < 0 or bits & ~most:
            expected = "expected 0 or 1" if name == "turn" else "expected bits of the board alone"
            return f"{name} is {brief(bits)}; {expected}"
    if position[0] & position[1]:
        return (
            f"{first} and {second} have pieces on the same square; expected one piece on a square"
        )
    return ""


def ships(cls: Any) -> bool:
    """Return whether abviz ships the game, so that it is tested and its compiled code is kept on
    disk.
    """
    return str(cls.__module__).startswith("abviz.games.")


def popcount(bits: int) -> int:
    """Return how many bits are set: pairs, fours, eights are added side by side. (Compilers know
    this by sight.)
    """
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) & LARGEST) >> 56


def _moves(self: Any, legal: Any = None) -> list[str] | None:
    """Return the names of the legal moves. (As a rule, with `legal`: add the moves to it.)"""
    if legal is None:
        check_possible(self)
        return [self.move_name(move) for move in legal_moves(self)]
    return self.rules["moves"](self, legal)  # type: ignore[no-any-return]


def _play(self: Any, move: Any) -> Any:
    """Return the position after a legal move, given by name. (As a rule: given by number.)"""
    if isinstance(move, str):
        move = self.find_move(move)
    elif not isinstance(move, int):
        try:
            move = index(move)  # a number of numpy
        except TypeError:
            raise AbvizError(
                f"the move is {brief(move)}; expected its name or its number"
            ) from None
    return self.rules["play"](self, move)


def _to_tree(self: Any, depth: int, **options: Any) -> Any:
    """Return the tree of the game from this position on: see `abviz.games.position_tree.game_tree`."""
    check_possible(self)
    return import_module("abviz.games.position_tree").game_tree(self, depth, **options)


def _repr(self: Any) -> str:
    fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{self.title}({', '.join(fields)})"


def _mimebundle(self: Any, **_: Any) -> dict[str, str]:
    """Return what a notebook shows: the picture of a position, where it has one, and its text."""
    svg = self.svg() if hasattr(self, "svg") else None
    return {"text/plain": str(self)} | ({"image/svg+xml": svg} if svg else {})


# depths, weights and values of searches


def checked_depth(depth: Any) -> int:
    """Return the depth, or raise AbvizError where it is not a number of moves from 1 to DEEPEST."""
    if type(depth) is not int or not 1 <= depth <= DEEPEST:
        raise AbvizError(
            f"depth is {brief(depth)}; expected a whole number of moves, 1 to {DEEPEST}"
        )
    return depth


def checked_weights(position: Any, weights: Any) -> list[int]:
    """Return the weights of the game's features in their order: these, and the game's own for the
    others.
    """
    usual = dict(position.weights)
    if weights is not None and not isinstance(weights, Mapping):
        example = ", ".join(f"{name!r}: {weight}" for name, weight in list(usual.items())[:2])
        raise AbvizError(
            f"weights is {brief(weights)}; expected numbers by name, such as {{{example}}}"
        )
    for name, weight in (usual | dict(weights or {})).items():
        if name not in usual:
            raise unknown("feature", name, usual)
        if type(weight) is not int or abs(weight) > HEAVIEST:
            raise AbvizError(
                f"the weight of {name} is {brief(weight)}; expected a whole number within ±{HEAVIEST:,}"
            )
        usual[name] = weight
    return list(usual.values())


def static_value(position: Any, weights: Sequence[int]) -> int:
    """Return the estimate of a position by `evaluate` and by its features with these weights,
    within ±PROVEN.
    """
    weighted = sum(
        weight * value for weight, value in zip(weights, position.features(), strict=False)
    )
    return min(max(int(position.evaluate() + weighted), -PROVEN), PROVEN)


def said(value: int, depth: int, proven: bool, players: tuple[str, str] = ("MAX", "MIN")) -> str:
    """Return a value in words, and how far it can be trusted: "0, proven", "0 at depth 12", "MAX
    wins in 3 plies".
    """
    if abs(value) > PROVEN:
        return worth(value, players)
    return (
        f"{worth(value, players)}, proven"
        if proven
        else f"{worth(value, players)} at depth {depth}"
    )


def worth(value: int, players: tuple[str, str] = ("MAX", "MIN")) -> str:
    """Return a value in words: a number, or the winner and the number of plies."""
    if abs(value) <= PROVEN:
        return number(value)
    return f"{players[value < 0]} wins in {counted(WIN - abs(value), 'ply', 'plies')}"
