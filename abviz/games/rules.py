"""What a game is: `@game` on a NamedTuple of whole numbers, with its rules as methods.

A position is a tuple of ints from 0 to 2⁶³ − 1. Its rules are short methods that run as Python and,
compiled, in the engine. They may call each other and plain functions of the same module, but not
themselves. Compiled numbers have 64 bits: no result on the way may leave ±2⁶³, and no shift may be
by 64 or more. Global values are compiled in: after changing one, run the cell with the game again.

| rule              | returns                                                      | default       |
|-------------------|--------------------------------------------------------------|---------------|
| `moves(legal)`    | nothing; calls `legal.add(move)` for each legal move, an int |               |
| `play(move)`      | the position after the move                                  |               |
| `is_max()`        | whether MAX is to move                                       |               |
| `over()`          | whether the game is over; then there are no moves            |               |
| `value()`         | at the end: 1 if MAX has won, −1 if MIN has, 0 for a draw    |               |
| `evaluate()`      | elsewhere: an estimate, larger where it is better for MAX    | 0             |
| `features()`      | ints, to be multiplied by the weights and added to evaluate  | (0,)          |
| `hot()`           | whether a capture is pending, which would mislead evaluate:  | False         |
|                   | it is played out; with other moves, the estimate may stand   |               |
| `gain(move)`      | what the move captures; large gains may be searched first    | 0             |
| `key()`           | a hash of the position, for the transposition table          | of the fields |
| `count(legal)`    | the number of moves; may write on `legal`                    | by moves      |
| `move_name(move)` | the move as people write it (from here on, Python only)      | the number    |
| `find_move(text)` | the legal move that the text names                           | by its name   |
| `progress(move)`  | whether the move is irreversible; see `patience`             | True          |
| `ending()`        | how the game ended, in words                                 | the winner    |
| `svg()`           | a picture: SVG as text or a PNG as bytes, shown as an image  | none          |
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from types import FunctionType
from typing import (
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
    TypeGuard,
    TypeVar,
    overload,
)

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

Players = tuple[str, str]  # the names of MAX and MIN
Weights = Mapping[str, int]  # of the features, by name

# lists of moves

Place = TypeVar("Place", contravariant=True)


class Numbers(Protocol[Place]):
    """An array of whole numbers, be it numpy's or Python's own."""

    def __getitem__(self, place: Place, /) -> int: ...

    def __setitem__(self, place: Place, number: int, /) -> None: ...


class MoveStore(Protocol):
    """Where lists of moves are kept: the workspace of a search, or `PlainMoves`."""

    @property
    def count(self) -> Numbers[int]:
        """The number of moves at each ply."""
        ...

    @property
    def moves(self) -> Numbers[tuple[int, int]]:
        """The moves, by ply and place."""
        ...


@dataclass
class PlainMoves:
    """A store for one list of moves, at ply 0."""

    count: list[int] = field(default_factory=lambda: [0])
    moves: dict[tuple[int, int], int] = field(default_factory=dict)


class MoveList(NamedTuple):
    """The moves of a position: what `moves(legal)` writes on.

    It runs in Python and, with the same source, compiled.
    """

    w: MoveStore
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
        return self.w.count[self.ply]

    def at(self, i: int) -> int:
        return self.w.moves[self.ply, i]

    def change(self, i: int, move: int) -> None:
        self.w.moves[self.ply, i] = move

    def listed(self) -> list[int]:
        """Return the moves added so far, in Python."""
        return [self.at(i) for i in range(self.size())]


def new_move_list() -> MoveList:
    """Return an empty list for use in Python."""
    return MoveList(PlainMoves(), 0)


# games and their positions


class NeededRules(Protocol):
    """The rules that every game has."""

    def moves(self, legal: MoveList, /) -> None: ...

    def play(self, move: int, /) -> Self: ...

    def is_max(self) -> bool: ...

    def over(self) -> bool: ...

    def value(self) -> int: ...


class Position(NeededRules, Protocol):
    """A position of a game under `@game`, with all rules, its own and the defaults."""

    _fields: ClassVar[tuple[str, ...]]
    title: ClassVar[str]
    rules: ClassVar[dict[str, FunctionType]]  # as the class defines them
    weights: ClassVar[dict[str, int]]
    players: ClassVar[Players]
    patience: ClassVar[int | None]

    @classmethod
    def _make(cls, fields: Iterable[int], /) -> Self: ...

    def __iter__(self) -> Iterator[int]: ...

    def __hash__(self) -> int: ...

    @overload
    def moves(self) -> list[str]: ...
    @overload
    def moves(self, legal: MoveList, /) -> None: ...

    def play(self, move: int | str, /) -> Self: ...

    def evaluate(self) -> int: ...

    def features(self) -> tuple[int, ...]: ...

    def hot(self) -> bool: ...

    def gain(self, move: int, /) -> int: ...

    def key(self) -> int: ...

    def count(self, legal: MoveList, /) -> int: ...

    def move_name(self, move: int, /) -> str: ...

    def find_move(self, text: str, /) -> int: ...

    def progress(self, move: int, /) -> bool: ...

    def ending(self) -> str: ...


NEEDED = ("moves", "play", "is_max", "over", "value")


class Defaults:
    """The rules that a game may leave out."""

    def evaluate(self: Position) -> int:
        return 0

    def features(self: Position) -> tuple[int, ...]:
        return (0,)

    def hot(self: Position) -> bool:
        return False

    def gain(self: Position, move: int) -> int:
        return 0

    def key(self: Position) -> int:
        mixed = 0
        for bits in self:
            # Multiplied by a large odd number and folded: every bit of every field reaches the low
            # bits of the key.
            mixed = ((mixed ^ bits) * 0x1E3779B97F4A7C15) & LARGEST
            mixed ^= mixed >> 32
        return mixed

    def count(self: Position, legal: MoveList) -> int:
        self.moves(legal)
        return int(legal.size())

    def move_name(self: Position, move: int) -> str:
        return str(move)

    def find_move(self: Position, text: str) -> int:
        names = {self.move_name(move): move for move in legal_moves(self)}
        if text not in names:
            raise unknown("move", text, names)
        return names[text]

    def progress(self: Position, move: int) -> bool:
        return True

    def ending(self: Position) -> str:
        value = self.value()
        if value == 0:
            return "a draw"
        return f"{self.players[value < 0]} has won"


DEFAULTS: dict[str, FunctionType] = {
    name: rule for name, rule in vars(Defaults).items() if isinstance(rule, FunctionType)
}


def generated_moves(position: NeededRules) -> list[int]:
    """Return the moves as the rules generate them: a move reached in two ways is there twice."""
    legal = new_move_list()
    position.moves(legal)
    return legal.listed()


def legal_moves(position: NeededRules) -> list[int]:
    """Return the moves as numbers, in the order of the rules, each once."""
    return list(dict.fromkeys(generated_moves(position)))


def captures(position: Position, moves: list[int]) -> list[int]:
    """Return the moves that capture; all of them where none does.

    Beyond the depth of a search only these are made.
    """
    return [move for move in moves if position.gain(move) > 0] or moves


# A class under `@game`.
GameClass = type[Position]

# A position as a user hands it over: type checkers don't see what `@game` adds to a class.
AnyPosition: TypeAlias = Any


def is_game(cls: object) -> TypeGuard[GameClass]:
    """Return whether it is a class under `@game`.

    A subclass of one is not: its rules return the other's positions.
    """
    return isinstance(cls, type) and isinstance(vars(cls).get("rules"), dict)


def ships(cls: type) -> bool:
    """Return whether abviz ships the game: it is tested, and its compiled code is kept on disk."""
    return str(cls.__module__).startswith("abviz.games.")


def check_possible(position: object) -> None:
    """Raise AbvizError where the game says that its position is none: it has a `flaw`, in words."""
    flaw = getattr(type(position), "flaw", None)
    if not isinstance(flaw, property):
        return

    if words := flaw.__get__(position):
        raise AbvizError(f"{brief(position)} is not a position: {words}")


def flaw_of(position: NamedTuple, board: int) -> str:
    """Return what makes a position impossible; "" where it is possible.

    Its first two fields are the pieces of both sides, bits of a board.
    """
    for name, bits in zip(position._fields, position, strict=True):
        if not isinstance(bits, Integral):
            return f"{name} is {brief(bits)}; expected a whole number"
        if name == "turn" and bits not in (0, 1):
            return f"{name} is {brief(bits)}; expected 0 or 1"
        if bits < 0 or bits & ~board:
            return f"{name} is {brief(bits)}; expected bits of the board alone"

    if position[0] & position[1]:
        first, second, *_ = position._fields
        return (
            f"{first} and {second} have pieces on the same square; expected one piece on a square"
        )
    return ""


def popcount(bits: int) -> int:
    """Return how many bits are set: pairs, fours, eights are added side by side."""
    # Compilers know these lines by sight, and make one instruction of them.
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) & LARGEST) >> 56


# depths, weights and values of searches


def checked_depth(depth: object) -> int:
    """Return the depth, or raise AbvizError where it is not a number of moves from 1 to DEEPEST."""
    if type(depth) is not int or not 1 <= depth <= DEEPEST:
        raise AbvizError(
            f"depth is {brief(depth)}; expected a whole number of moves, 1 to {DEEPEST}"
        )
    return depth


# Of features: the names that they had once, which are still accepted
EARLIER_NAMES = {"centre": "center"}


def checked_weights(position: Position, weights: object) -> list[int]:
    """Return the weights of the game's features in their order.

    They are those given, and the game's own for the others.
    """
    usual = dict(position.weights)
    if weights is not None and not isinstance(weights, Mapping):
        example = ", ".join(f"{name!r}: {weight}" for name, weight in list(usual.items())[:2])
        raise AbvizError(
            f"weights is {brief(weights)}; expected numbers by name, such as {{{example}}}"
        )

    given: dict[str, object] = {}
    for name, weight in dict(weights or {}).items():
        is_earlier = name not in usual and EARLIER_NAMES.get(name) in usual
        given[EARLIER_NAMES[name] if is_earlier else name] = weight

    for name, weight in (usual | given).items():
        if name not in usual:
            raise unknown("feature", name, usual)
        if type(weight) is not int or abs(weight) > HEAVIEST:
            expected = f"expected a whole number within ±{HEAVIEST:,}"
            raise AbvizError(f"the weight of {name} is {brief(weight)}; {expected}")
        usual[name] = weight
    return list(usual.values())


def static_value(position: AnyPosition, weights: Sequence[int]) -> int:
    """Return the estimate of a position, within ±PROVEN.

    It is the game's `evaluate`, with its features by these weights.
    """
    weighted = sum(
        weight * value for weight, value in zip(weights, position.features(), strict=False)
    )
    return min(max(int(position.evaluate() + weighted), -PROVEN), PROVEN)


def said(value: int, depth: int, proven: bool, players: Players = ("MAX", "MIN")) -> str:
    """Return a value in words, and how far it can be trusted.

    It is "0, proven", "0 at depth 12" or "MAX wins in 3 plies".
    """
    words = worth(value, players)
    if abs(value) > PROVEN:
        return words
    return f"{words}, proven" if proven else f"{words} at depth {depth}"


def worth(value: int, players: Players = ("MAX", "MIN")) -> str:
    """Return a value in words: a number, or the winner and the number of plies."""
    if abs(value) <= PROVEN:
        return number(value)
    return f"{players[value < 0]} wins in {counted(WIN - abs(value), 'ply', 'plies')}"
