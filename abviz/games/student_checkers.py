"""A student's own checkers as a game: `@checkers_game` on a class with the student's rules.

Its fields are four numbers: bit n − 1 of `black`, `white` and `kings` is square n, and `turn` is 0 if Black is to move
and 1 if White is. A move may be any number that the student's `play` understands. The decorator adds what people need,
from `start` to pictures; it names a move by the position that it leads to.
"""

from functools import lru_cache, partial
from typing import Any

from abviz.errors import AbvizError, brief
from abviz.games.checkers import Checkers, Path
from abviz.games.notation import START, Pieces
from abviz.games.rules import game, legal_moves

Fields = tuple[int, int, int, int]
FIELDS = ("black", "white", "kings", "turn")


def checkers_game(cls: Any = None, *, weights: dict[str, int] | None = None) -> Any:
    """Turn a NamedTuple with the fields black, white, kings and turn into a game of checkers, as `@game` does."""
    if cls is None:
        return partial(checkers_game, weights=weights)
    if getattr(cls, "_fields", None) != FIELDS:
        raise AbvizError(f"@checkers_game decorates {brief(cls)}; expected a NamedTuple with {', '.join(FIELDS)}")
    shared = {name: vars(Checkers)[name] for name in ("fen", "find_move", "ending", "svg", "__str__")}
    for name, member in (shared | vars(_ForPeople)).items():
        if name not in vars(cls) and (name in shared or not name.startswith("__")):
            setattr(cls, name, member)
    return game(cls, weights=weights, players=("Black", "White"))


class _ForPeople:
    """The members that every such game gets, with some of Checkers, unless it has its own."""

    @classmethod
    def start(cls: Any) -> Any:
        return cls.from_fen(START)

    @classmethod
    def from_fen(cls: Any, fen: str) -> Any:
        """Return the position of a FEN, such as "B:W18,24,K10:B12,K22". Raises AbvizError for an impossible one."""
        return cls(*fields_of(Checkers.from_fen(fen)))

    @property
    def pieces(self: Any) -> Pieces:
        """The pieces by square, in rising order: b and w are men, B and W kings."""
        return as_checkers(self).pieces

    @lru_cache(256, typed=True)  # noqa: B019  # typed: positions of two games may be equal
    def move_paths(self: Any) -> dict[int, list[Path]]:
        """Return the squares of each move: by the rules, or where they have no such move its two ends, or nothing."""
        checkers: Any = as_checkers(self)
        ways: dict[Fields, list[Path]] = {}
        for move, found in checkers.move_paths().items():
            ways.setdefault(fields_of(checkers.rules["play"](checkers, move)), []).extend(found)
        result = {}
        for move in legal_moves(self):
            after = self.rules["play"](self, move)
            known = ways.get(tuple(after))
            # One position may be reached in several ways: the moves that lead there get one way each.
            result[move] = [known.pop(0) if len(known) > 1 else known[0]] if known else [ends_of(self, after)]
        return result

    def move_name(self: Any, move: int) -> str:
        """Return 9-14, or all squares of a jump: 9x18x27."""
        return name_of(self, self.rules["play"](self, move), self.move_paths()[move][0]) or str(move)


def squares(bits: int) -> list[int]:
    return [square for square in range(1, 33) if bits >> square - 1 & 1]


def as_checkers(fields: Fields) -> Checkers:
    """Return the position of Checkers, which leaves a bit out after every eight squares."""
    black, white, kings = (sum((bits >> 8 * i & 0xFF) << 9 * i for i in range(4)) for bits in fields[:3])
    return Checkers(black, white, kings, fields[3])


def fields_of(position: Checkers) -> Fields:
    black, white, kings = (sum((bits >> 9 * i & 0xFF) << 8 * i for i in range(4)) for bits in position[:3])
    return black, white, kings, position.turn


def ends_of(before: Fields, after: Fields) -> Path:
    """Return the square that a piece of the side to move has left, and the one where it has arrived."""
    own = before[before[3]], after[before[3]]
    left, reached = squares(own[0] & ~own[1]), squares(own[1] & ~own[0])
    return (left[0], reached[0]) if len(left) == len(reached) == 1 else ()


def name_of(before: Fields, after: Fields, path: Path) -> str:
    """Return the name of the move along this path: 9x18x27 if it takes something from the board, else 9-14."""
    other = 1 - before[3]
    return ("x" if before[other] & ~after[other] else "-").join(map(str, path))
