"""A student's own checkers as a game: `@checkers_game` on a class with the student's rules.

Its fields are four numbers: bit n − 1 of `black`, `white` and `kings` is square n, and `turn` is 0
if Black is to move and 1 if White is. A move may be any number that the student's `play`
understands. The decorator adds what people need, from `start` to pictures; it names a move by the
position that it leads to.
"""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, Protocol, Self

from abviz.errors import AbvizError, brief
from abviz.games.checkers import NUMBERS, Checkers, Path
from abviz.games.definition import game
from abviz.games.notation import START, Pieces
from abviz.games.rules import Position, legal_moves

FIELDS = ("black", "white", "kings", "turn")
SHARED = ("fen", "find_move", "ending", "svg", "__str__")  # members of Checkers


def checkers_game(cls: Any = None, *, weights: dict[str, int] | None = None) -> Any:
    """Turn a NamedTuple with the fields black, white, kings and turn into a game of checkers.

    It does what `@game` does, and adds what people need.
    """
    if cls is None:
        return partial(checkers_game, weights=weights)
    if getattr(cls, "_fields", None) != FIELDS:
        raise AbvizError(
            f"@checkers_game decorates {brief(cls)}; expected a NamedTuple with {', '.join(FIELDS)}"
        )

    members = {
        name: member for name, member in vars(_ForPeople).items() if not name.startswith("__")
    }
    members |= {name: vars(Checkers)[name] for name in SHARED}
    for name, member in members.items():
        if name not in vars(cls):
            setattr(cls, name, member)
    return game(cls, weights=weights, players=("Black", "White"))


class StudentCheckers(Position, Protocol):
    """A position of such a game, with the members below."""

    @classmethod
    def from_fen(cls, fen: str) -> Self: ...

    def move_paths(self) -> dict[int, list[Path]]: ...


class _ForPeople:
    """The members that every such game gets, besides those of Checkers, unless it has its own."""

    @classmethod
    def start(cls: type[StudentCheckers]) -> StudentCheckers:
        return cls.from_fen(START)

    @classmethod
    def from_fen(cls: type[StudentCheckers], fen: str) -> StudentCheckers:
        """Return the position of a FEN, such as "B:W18,24,K10:B12,K22".

        Raises AbvizError for an impossible one.
        """
        return cls._make(fields_of(Checkers.from_fen(fen)))

    @property
    def pieces(self: Position) -> Pieces:
        """The pieces by square, in rising order: b and w are men, B and W kings."""
        return as_checkers(self).pieces

    @lru_cache(256, typed=True)  # noqa: B019  # typed: positions of two games may be equal
    def move_paths(self: Position) -> dict[int, list[Path]]:
        """Return the squares of each move.

        They follow the rules; of a move that the rules do not have, they are its two ends, or none.
        """
        before = as_checkers(self)
        known = {before.play(move): paths[0] for move, paths in before.move_paths().items()}
        results = {move: as_checkers(self.rules["play"](self, move)) for move in legal_moves(self)}
        return {
            move: [known.get(after) or ends_of(before, after)] for move, after in results.items()
        }

    def move_name(self: StudentCheckers, move: int) -> str:
        """Return 9-14, or all squares of a jump: 9x18x27."""
        after = as_checkers(self.rules["play"](self, move))
        return name_of(as_checkers(self), after, self.move_paths()[move][0]) or str(move)


def as_checkers(fields: Iterable[int]) -> Checkers:
    """Return the position of Checkers, which leaves a bit out after every eight squares."""
    black, white, kings, turn = fields
    return Checkers(_spread(black), _spread(white), _spread(kings), turn)


def _spread(bits: int) -> int:
    return sum((bits >> 8 * i & 0xFF) << 9 * i for i in range(4))


def fields_of(position: Checkers) -> tuple[int, int, int, int]:
    black, white, kings, turn = position
    return _packed(black), _packed(white), _packed(kings), turn


def _packed(bits: int) -> int:
    return sum((bits >> 9 * i & 0xFF) << 8 * i for i in range(4))


def ends_of(before: Checkers, after: Checkers) -> Path:
    """Return the square that a piece of the side to move has left, and where it has arrived."""
    own = before[before.turn]
    moved = after[before.turn]
    left = NUMBERS.get(own & ~moved)
    reached = NUMBERS.get(moved & ~own)
    return (left, reached) if left and reached else ()


def name_of(before: Checkers, after: Checkers, path: Path) -> str:
    """Return the name of the move along this path: 9x18x27 if it takes something, else 9-14."""
    other = 1 - before.turn
    is_capture = before[other] & ~after[other] != 0
    return ("x" if is_capture else "-").join(map(str, path))
