"""Positions and games of English checkers as text: FEN and PDN (Portable Draughts Notation 3.0).

Squares are numbered 1 to 32 from Black's side: 1 to 4 is Black's home row, where White's men are crowned. No rules
here: the game itself decides which moves are legal.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import NamedTuple

from abviz.errors import AbvizError, brief, count

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

_COUNTERS = re.compile(r"(:[HF][0-9]+)*\.?\s*$")  # ":H0:F1", the plies and moves played, as some sites add
_PIECES = re.compile(r"(K?)\s*([0-9]{1,3})(?:\s*-\s*([0-9]{1,3}))?")


def read_fen(text: str, place: str = "the FEN") -> Placement:
    """Return the position of a FEN: `B:W18,24,K10:B12,K22` is Black to move, White's pieces first, K before a king.

    The colours may come in either order, in small letters, with spaces and ranges (`1-12`). Raises AbvizError, which
    names the place, for anything else and for an impossible position.
    """
    if not isinstance(text, str):
        raise AbvizError(f"{place} is {brief(text)}; expected text such as B:W18,24,K10:B12,K22")
    turn, *sides = (part.strip() for part in _COUNTERS.sub("", text.upper()).split(":"))
    if turn not in COLOURS:
        raise AbvizError(f"{place}: the side to move is {brief(turn)}; expected B or W")
    if not sides:
        raise AbvizError(f"{place} names no pieces; expected a position such as B:W18,24,K10:B12,K22")
    squares: dict[str, set[int]] = {"B": set(), "BK": set(), "W": set(), "WK": set()}
    for side in sides:
        colour = side[:1]
        if colour not in COLOURS:
            raise AbvizError(f"{place}: {brief(side)} follows a colon; expected B or W and the squares of its pieces")
        for item in side[1:].split(",") if side[1:].strip() else []:
            match = _PIECES.fullmatch(item.strip())
            first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
            if not match or not 1 <= first <= last <= SQUARES:
                raise AbvizError(f"{place}: {brief(item.strip())} is no piece; expected a square, 1 to 32, or K1")
            for square in range(first, last + 1):
                if any(square in taken for taken in squares.values()):
                    raise AbvizError(f"{place}: square {square} is named twice; expected one piece on it")
                squares[colour + match[1]].add(square)
    return checked_placement(Placement(turn, *map(frozenset, squares.values())), place)


def write_fen(placement: Placement) -> str:
    """Return the canonical FEN: White first, men before kings, each in the order of the squares."""
    checked_placement(placement, "the placement")
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
            if not 1 <= square <= SQUARES:
                raise AbvizError(f"{place}: {name} has a piece on square {square}; expected squares 1 to 32")
            if square in taken:
                raise AbvizError(f"{place}: two pieces are on square {square}; expected one")
            taken.add(square)
        if len(men) + len(kings) > MOST_PIECES:
            raise AbvizError(f"{place}: {name} has {count(len(men) + len(kings), 'piece')}; expected 12 at most")
        for square in sorted(men & CROWNED_ON[colour]):
            raise AbvizError(f"{place}: {name} has a man on its crowning square {square}; expected a king, K{square}")
    return placement


# PDN


@dataclass(frozen=True, slots=True)
class PdnMove:
    """A move as written. Two are equal if they name the same squares."""

    squares: tuple[int, ...]  # (11, 15), (26, 1) or (26, 17, 10, 1)
    is_jump: bool  # by its sign, or because no step joins the squares
    line: int = field(default=0, compare=False)  # of the text, from 1

    def __str__(self) -> str:
        return ("x" if self.is_jump else "-").join(map(str, self.squares))


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as written, without comments and variations."""

    tags: Mapping[str, str] = field(default_factory=dict)  # in their order; of a repeated tag, the first
    moves: tuple[PdnMove, ...] = ()
    result: str = OPEN  # one of RESULTS
    start: Placement = START
    line: int = field(default=0, compare=False)  # where it begins


_MOVE = r"[0-9]+(?:\s*[-x]\s*[0-9]+)+"
# Each alternative begins differently or fails at once, so the time grows with the length of a hostile text.
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\{[^}]*\}|;[^\n]*)"
    r'|(?P<tag>\[\s*\w+\s*"(?:[^"\\\n]|\\.|"(?!\s*\]))*"\s*\])'
    r"|(?P<opening>\()|(?P<closing>\))"
    r"|(?P<result>1/2-1/2|(?:1-0|0-1|0-0)(?![0-9])|\*)"
    rf"|(?P<number>[0-9]+\.+)|(?P<mark>\$[0-9]+|[!?]+|\.\.+)|(?P<move>{_MOVE})"
    r"|(?P<word>[^\s{}()\[\];]+)",
    re.IGNORECASE,
)
_TAG = re.compile(r'\[\s*(\w+)\s*"(.*)"\s*\]')


def read_pdn(text: str | bytes, source: str = "the PDN") -> list[PdnGame]:
    """Return the games of the text, in their order. Bytes are UTF-8 or, where they are not, Latin-1.

    The result is the one after the moves; `*` or nothing there leaves it to the tag. A jump written in pieces
    (`11x18 18x25`) is one move. A tag that is repeated after an empty line begins a new game. Raises AbvizError, which
    names the source and the line, for whatever is no PDN, and where there is no game at all.
    """
    if not isinstance(text, str | bytes):
        raise AbvizError(f"asked to read {brief(text)}; expected the text of PDN")
    reader = _Reader(source)
    for kind, token, line in _tokens(_decoded(text), source):
        reader.read(kind, token, line)
    if reader.tags or reader.moves:
        reader.end(OPEN, reader.line)
    if not reader.games:
        raise AbvizError(f"{source} holds no game; expected moves such as 1. 11-15 23-19")
    return reader.games


def read_move(text: str) -> PdnMove:
    """Return the move of a text such as 11-15, 11x18 or 2x11x18."""
    if not isinstance(text, str) or not re.fullmatch(_MOVE, text.strip(), re.IGNORECASE):
        raise AbvizError(f"the move is {brief(text)}; expected squares, such as 11-15 or 11x18")
    return _move(text, 0, "the move")


def write_pdn(game: PdnGame) -> str:
    """Return the game as PDN, in lines of at most 79 letters, with a FEN tag where it does not begin at the start."""
    tags = dict(game.tags)
    if game.start != START:
        tags |= {"SetUp": "1", "FEN": write_fen(game.start)}
    for name, value in tags.items():
        if not re.fullmatch(r"\w+", name) or "\n" in value or "\r" in value:
            raise AbvizError(f"the tag {brief(name)} is {brief(value)}; expected a word, and text on one line")
    escaped = ((name, value.replace("\\", "\\\\").replace('"', '\\"')) for name, value in tags.items())
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


def _decoded(data: str | bytes) -> str:
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
    except UnicodeDecodeError:
        text = bytes(data).decode("latin-1")  # type: ignore[arg-type]
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _tokens(text: str, source: str) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the text and the line of each token outside variations."""
    position, line = 0, 1
    variations: list[int] = []  # the lines on which the open ones begin
    while position < len(text):
        match = _TOKEN.match(text, position)
        kind, token = (str(match.lastgroup), match[0]) if match else ("", text[position])
        if token == "{":
            raise AbvizError(f"{source}, line {line}: a comment begins here and never ends; expected a }}")
        if not kind or (kind == "word" and not variations) or (kind == "closing" and not variations):
            expected = 'a tag such as [Event "…"]' if token == "[" else "a move such as 11-15 or 11x18"
            raise AbvizError(f"{source}, line {line}: {brief(token)} is no PDN; expected {expected}")
        if kind == "opening":
            variations.append(line)
        elif kind == "closing":
            variations.pop()
        elif not variations:
            yield kind, token, line
        position += len(token)
        line += token.count("\n")
    if variations:
        raise AbvizError(f"{source}, line {variations[-1]}: a variation begins here and never ends; expected a )")


def _move(token: str, line: int, place: str) -> PdnMove:
    digits = re.findall("[0-9]+", token)
    for each in digits:
        if len(each) > 3 or not 1 <= int(each) <= SQUARES:
            raise AbvizError(f"{place}, {brief(token.strip())}: there is no square {each[:9]}; expected 1 to 32")
    squares = tuple(map(int, digits))
    # A step leads to the next row, a jump two rows on: after any number of jumps, an even number of rows.
    rows = [(square - 1) // 4 for square in squares]
    return PdnMove(squares, len(squares) > 2 or (rows[0] - rows[1]) % 2 == 0 or "x" in token.lower(), line)


class _Reader:
    """Puts games together from tokens."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.games: list[PdnGame] = []
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[PdnMove] = []
        self.start, self.result, self.line = START, OPEN, 0
        self.gap = self.jumping = False  # an empty line since the last tag; the last jump may be continued

    def end(self, result: str, line: int) -> None:
        result = self.result if result == OPEN else result
        self.games.append(PdnGame(self.tags, tuple(self.moves), result, self.start, self.line or line))
        self.begin()

    def read(self, kind: str, token: str, line: int) -> None:
        place = f"{self.source}, line {line}"
        if kind == "space":
            self.gap |= token.count("\n") > 1
        elif kind == "number":
            self.jumping = False
        elif kind == "result" and (self.tags or self.moves or not self.games):  # "1-0 *" ends one game only
            self.end(token, line)
        elif kind == "tag":
            self.read_tag(token, line, place)
        elif kind == "move":
            move = _move(token, line, place)
            if self.jumping and move.is_jump and move.squares[0] == self.moves[-1].squares[-1]:
                last = self.moves.pop()
                move = PdnMove(last.squares + move.squares[1:], True, last.line)
            self.moves.append(move)
            self.line, self.jumping = self.line or line, move.is_jump

    def read_tag(self, token: str, line: int, place: str) -> None:
        name, value = _TAG.fullmatch(token).groups()  # type: ignore[union-attr]  # the token is a tag
        value = re.sub(r'\\(["\\])', r"\1", value)
        if self.moves or (name in self.tags and self.gap):
            self.end(OPEN, line)
        self.line, self.gap = self.line or line, False
        if name not in self.tags and name.upper() == "FEN":
            self.start = read_fen(value, f"{place}, FEN tag")
        if name not in self.tags and name.upper() == "RESULT":
            if value not in RESULTS:
                raise AbvizError(f"{place}: the result is {brief(value)}; expected {', '.join(RESULTS)}")
            self.result = value
        self.tags.setdefault(name, value)
