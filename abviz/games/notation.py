"""Positions and games of English checkers as text: FEN and PDN (Portable Draughts Notation 3.0).

Squares are numbered 1 to 32 from Black's side: 1 to 4 is Black's home row, where White's men are crowned. No rules
here: the game itself decides which moves are legal.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import NamedTuple

from abviz.errors import AbvizError, brief

Squares = frozenset[int]

SQUARES, MOST_PIECES, LINE = 32, 12, 79
COLOURS = {"B": "Black", "W": "White"}
CROWNED_ON = {"B": frozenset(range(29, 33)), "W": frozenset(range(1, 5))}
# PDN gives the first player's score first, which is Black's in English checkers; in chess "1-0" is White's win.
RESULTS = {"1-0": "Black won", "0-1": "White won", "1/2-1/2": "a draw", "0-0": "lost by both", "*": "unfinished"}
OPEN, DRAW = "*", "1/2-1/2"


class Placement(NamedTuple):
    """A position as a diagram shows it: the side to move, and the squares of each kind of piece."""

    turn: str  # "B" or "W"
    black_men: Squares = frozenset()
    black_kings: Squares = frozenset()
    white_men: Squares = frozenset()
    white_kings: Squares = frozenset()

    def men(self, colour: str) -> Squares:
        return self.black_men if colour == "B" else self.white_men

    def kings(self, colour: str) -> Squares:
        return self.black_kings if colour == "B" else self.white_kings


START = Placement("B", black_men=frozenset(range(1, 13)), white_men=frozenset(range(21, 33)))


# FEN


def read_fen(text: str, place: str = "the FEN") -> Placement:
    """Return the position of a FEN: `B:W18,24,K10:B12,K22` is Black to move, White's pieces first, K before a king.

    The colours may come in either order, in small letters, with spaces. Raises AbvizError, which names the place, for
    anything else and for an impossible position.
    """
    sides = "".join(text.upper().split()).removesuffix(".").split(":") if isinstance(text, str) else []
    pieces = [(side[0], item) for side in sides[1:] for item in side[1:].split(",") if side and item]
    legal = [colour in COLOURS and re.fullmatch("K?[0-9]{1,3}", item, re.ASCII) for colour, item in pieces]
    if not all(legal) or sorted(side[:1] for side in sides[1:]) != ["B", "W"]:
        raise AbvizError(f"{place} is {brief(text)}; expected a position such as B:W18,24,K10:B12,K22")

    def squares(colour: str, king: bool) -> Squares:
        items = [item for side, item in pieces if side == colour and item.startswith("K") == king]
        return frozenset(int(item.removeprefix("K")) for item in items)

    return checked_placement(Placement(sides[0], *(squares(c, king) for c in "BW" for king in (False, True))), place)


def write_fen(placement: Placement) -> str:
    """Return the canonical FEN: White first, men before kings, each in the order of the squares."""
    sides = []
    for colour in "WB":
        men, kings = sorted(placement.men(colour)), sorted(placement.kings(colour))
        sides.append(colour + ",".join([*map(str, men), *(f"K{square}" for square in kings)]))
    return ":".join([placement.turn, *sides])


def checked_placement(placement: Placement, place: str) -> Placement:
    """Return the placement, or raise AbvizError where no such position is possible."""
    if placement.turn not in COLOURS:
        raise AbvizError(f"{place}: the side to move is {brief(placement.turn)}; expected B or W")
    taken: set[int] = set()
    for colour, name in COLOURS.items():
        men, kings = placement.men(colour), placement.kings(colour)
        for square in [*sorted(men), *sorted(kings)]:
            if not 1 <= square <= SQUARES or square in taken:
                raise AbvizError(f"{place}: {name} is on square {square}; expected an empty square from 1 to 32")
            taken.add(square)
        if len(men | kings) > MOST_PIECES:
            raise AbvizError(f"{place}: {name} has {len(men | kings)} pieces; expected 12 at most")
        for square in sorted(men & CROWNED_ON[colour]):
            raise AbvizError(f"{place}: {name} has a man on its crowning square {square}; expected a king, K{square}")
    return placement


# PDN


@dataclass(frozen=True, slots=True)
class PdnMove:
    """A move as written."""

    squares: tuple[int, ...]  # (11, 15), (26, 1) or (26, 17, 10, 1)
    is_jump: bool  # by its sign, or because no step joins the squares

    def __str__(self) -> str:
        return ("x" if self.is_jump else "-").join(map(str, self.squares))


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as written, without comments."""

    tags: Mapping[str, str] = field(default_factory=dict)  # in their order; of a repeated tag, the first
    moves: tuple[PdnMove, ...] = ()
    result: str = OPEN  # one of RESULTS
    start: Placement = START


_MOVE = r"[0-9]+(?:\s*[-x]\s*[0-9]+)+"
# Each alternative begins differently or fails at once, so the time grows with the length of a hostile text.
_TOKEN = re.compile(
    r'\s+|\{[^}]*\}|;[^\n]*|\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]'
    r"|(?P<result>1/2-1/2|(?:1-0|0-1|0-0)(?![0-9])|\*)"
    rf"|[0-9]+\.+|[!?]+|\.\.+|(?P<move>{_MOVE})|(?P<wrong>[^\s]{{1,40}})",
    re.IGNORECASE,
)


def read_pdn(text: str | bytes, source: str = "the PDN") -> list[PdnGame]:
    """Return the games of the text, in their order.

    The result is the one after the moves; `*` or nothing there leaves it to the tag. Raises AbvizError, which names
    the source and the number of the game, for whatever is no PDN, and where there is no game at all.
    """
    games: list[PdnGame] = []
    tags: dict[str, str] = {}
    moves: list[PdnMove] = []

    def end(result: str) -> None:
        nonlocal tags, moves
        by_name = {name.upper(): value for name, value in reversed(tags.items())}
        result = by_name.get("RESULT", OPEN) if result == OPEN else result
        if result not in RESULTS:
            raise AbvizError(f"{place}: the result is {brief(result)}; expected {', '.join(RESULTS)}")
        start = read_fen(by_name["FEN"], f"{place}, FEN tag") if "FEN" in by_name else START
        games.append(PdnGame(tags, tuple(moves), result, start))
        tags, moves = {}, []

    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    for token in _TOKEN.finditer(text.removeprefix("\ufeff")):
        place = f"{source}, game {len(games) + 1}"
        if token["wrong"]:
            raise AbvizError(f"{place}: {brief(token['wrong'])} is no PDN; expected a move such as 11-15 or 11x18")
        if token["result"] and (tags or moves or not games):  # "1-0 *" ends one game only
            end(token["result"])
        elif token["move"]:
            moves.append(read_move(token["move"], f"{place}: the move"))
        elif token["name"]:
            if moves:
                end(OPEN)
            tags.setdefault(token["name"], re.sub(r'\\(["\\])', r"\1", token["value"]))
    if tags or moves:
        end(OPEN)
    if not games:
        raise AbvizError(f"{source} holds no game; expected moves such as 1. 11-15 23-19")
    return games


def read_move(text: str, place: str = "the move") -> PdnMove:
    """Return the move of a text such as 11-15, 11x18 or 2x11x18."""
    digits = re.findall("[0-9]+", text) if re.fullmatch(_MOVE, str(text).strip(), re.IGNORECASE) else []
    if not digits or not all(len(each) < 4 and 1 <= int(each) <= SQUARES for each in digits):
        raise AbvizError(f"{place} is {brief(text)}; expected squares from 1 to 32, such as 11-15 or 11x18")
    squares = tuple(map(int, digits))
    # A step leads to the next row, a jump two rows on: after any number of jumps, an even number of rows.
    rows = [(square - 1) // 4 for square in squares]
    return PdnMove(squares, len(squares) > 2 or (rows[0] - rows[1]) % 2 == 0 or "x" in text.lower())


def write_pdn(game: PdnGame) -> str:
    """Return the game as PDN, in lines of at most 79 letters, with a FEN tag where it does not begin at the start."""
    tags = dict(game.tags)
    if game.start != START:
        tags |= {"SetUp": "1", "FEN": write_fen(game.start)}
    escaped = ((name, re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))) for name, value in tags.items())
    header = "".join(f'[{name} "{value}"]\n' for name, value in escaped)
    moves = " ".join([*_numbered(game), game.result])
    return f"{header}\n{fill(moves, LINE, break_long_words=False, break_on_hyphens=False)}\n".lstrip("\n")


def _numbered(game: PdnGame) -> Iterator[str]:
    for ply, move in enumerate(game.moves, int(game.start.turn == "W")):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif ply == 1 and move is game.moves[0]:
            yield "1..."
        yield str(move)
