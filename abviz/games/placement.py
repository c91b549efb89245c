"""What stands where on a checkers board, and the same as text: the FEN of Portable Draughts Notation.

Squares are numbered 1–32 from Black's side: 1–4 is the row that Black starts on, and where White's men are crowned.
The source is the PDN 3.0 standard, section "FEN tag".
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from abviz.errors import AbvizError, brief, count

Squares = frozenset[int]

SQUARES = 32
MOST_PIECES = 12
COLOURS = {"B": "Black", "W": "White"}
CROWNED_ON = {"B": frozenset(range(29, 33)), "W": frozenset(range(1, 5))}  # no man stays there: it is a king
NO_SQUARES: Squares = frozenset()


class Placement(NamedTuple):
    """A position as a diagram shows it: whose turn it is and the squares (1–32) of each kind of piece."""

    turn: str  # "B" or "W"
    black_men: Squares = NO_SQUARES
    black_kings: Squares = NO_SQUARES
    white_men: Squares = NO_SQUARES
    white_kings: Squares = NO_SQUARES

    def men(self, colour: str) -> Squares:
        return self.black_men if colour == "B" else self.white_men

    def kings(self, colour: str) -> Squares:
        return self.black_kings if colour == "B" else self.white_kings


START = Placement("B", black_men=frozenset(range(1, 13)), white_men=frozenset(range(21, 33)))

_WRAPPED = re.compile(r'\s*\[\s*FEN\s*"([^"]*)"\s*\]\s*', re.IGNORECASE)
_COUNTER = re.compile(r"[HF][0-9]+", re.IGNORECASE)  # ":H0:F1" at the end: plies and moves played, as some sites add
_PIECE = re.compile(r"(K?)\s*([0-9]+)(?:\s*-\s*([0-9]+))?", re.IGNORECASE)
_FORM = "expected a position such as B:W18,24,K10:B12,K22"


def read_fen(text: str, place: str = "the FEN") -> Placement:
    """The position that a FEN describes: `B:W18,24,K10:B12,K22` is Black to move, White's first, K before a king.

    Read as well: colours in either order or left out, small letters, spaces, ranges (`1-12`), a full stop at the end,
    the counters `:H0:F1` that some sites add, and the whole tag (`[FEN "…"]`).
    Raises AbvizError, which names the place, for anything else and for a position that cannot be: a square that is
    none of 1–32 or holds two pieces, a man where he would have been crowned, more than 12 pieces of a colour.
    """
    if not isinstance(text, str):
        raise AbvizError(f"{place} is {brief(text)}; expected text such as B:W18,24,K10:B12,K22")
    wrapped = _WRAPPED.fullmatch(text)
    inside = (wrapped[1] if wrapped else text).strip().removesuffix(".").strip()
    if not inside:
        raise AbvizError(f"{place} is empty; {_FORM}")
    turn, *parts = (part.strip() for part in inside.split(":"))
    if turn.upper() not in COLOURS:
        raise AbvizError(f"{place}: the side to move is {brief(turn)}; expected B or W")
    while parts and _COUNTER.fullmatch(parts[-1]):
        parts.pop()
    if not parts:
        raise AbvizError(f"{place} says who moves, and no piece; {_FORM}")
    return checked(_gather(turn.upper(), parts, place), place)


def write_fen(placement: Placement) -> str:
    """The one canonical FEN of a position, as the standard wants it: White's pieces first, no spaces, no ranges; men
    before kings, each in the order of the squares. `read_fen` gives the same placement back."""
    checked(placement, "the placement")
    sides = (_pieces(colour, placement.men(colour), placement.kings(colour)) for colour in "WB")
    return ":".join([placement.turn, *sides])


def checked(placement: Placement, place: str) -> Placement:
    """The same placement. Raises AbvizError if no such position can be."""
    if placement.turn not in COLOURS:
        raise AbvizError(f"{place}: the side to move is {brief(placement.turn)}; expected B or W")
    taken: set[int] = set()
    for colour, name in COLOURS.items():
        men, kings = placement.men(colour), placement.kings(colour)
        for square in [*sorted(men), *sorted(kings)]:
            if not 1 <= square <= SQUARES:
                raise AbvizError(f"{place}: {name} has a piece on square {square}; expected squares 1 to 32")
            if square in taken:
                raise AbvizError(f"{place}: two pieces stand on square {square}; expected one")
            taken.add(square)
        if len(men) + len(kings) > MOST_PIECES:
            raise AbvizError(f"{place}: {name} has {count(len(men) + len(kings), 'piece')}; expected 12 at most")
        for square in sorted(men & CROWNED_ON[colour]):
            raise AbvizError(
                f"{place}: {name} has a man on square {square}, where men are crowned; expected a king, K{square}"
            )
    return placement


def _gather(turn: str, parts: Iterable[str], place: str) -> Placement:
    squares: dict[tuple[str, bool], set[int]] = {(colour, king): set() for colour in COLOURS for king in (False, True)}
    taken: set[int] = set()
    for part in parts:
        colour = part[:1].upper()
        if colour not in COLOURS:
            raise AbvizError(f"{place}: {brief(part)} follows a colon; expected B or W and the squares of its pieces")
        for is_king, square in _piece_squares(part[1:], place):
            if square in taken:
                raise AbvizError(f"{place}: square {square} is named twice; expected one piece on it")
            taken.add(square)
            squares[colour, is_king].add(square)
    black_men, black_kings, white_men, white_kings = map(frozenset, squares.values())
    return Placement(turn, black_men, black_kings, white_men, white_kings)


def _piece_squares(listed: str, place: str) -> Iterator[tuple[bool, int]]:
    """Whether a king, and the square, for each piece of a list such as `1-3,K7`."""
    if not listed.strip():
        return
    for item in listed.split(","):
        piece = _PIECE.fullmatch(item.strip())
        if piece is None:
            raise AbvizError(
                f"{place}: {brief(item.strip())} stands among the pieces; expected a square, 1 to 32, or K and one"
            )
        first = square_number(piece[2], place)
        last = square_number(piece[3], place) if piece[3] else first
        if last < first:
            raise AbvizError(f"{place}: the range {first}-{last} falls; expected {last}-{first}")
        yield from ((bool(piece[1]), square) for square in range(first, last + 1))


def square_number(digits: str, place: str) -> int:
    """The square that the digits name, 1–32; zeros may stand before it. Raises AbvizError otherwise."""
    short = digits.lstrip("0")
    if len(short) > 2 or not 1 <= int(short or "0") <= SQUARES:
        raise AbvizError(f"{place}: {brief(digits).strip(chr(39))} is no square; expected 1 to 32")
    return int(short)


def _pieces(colour: str, men: Squares, kings: Squares) -> str:
    return colour + ",".join([*map(str, sorted(men)), *(f"K{square}" for square in sorted(kings))])
