"""Positions and games of English checkers as text: FEN and PDN (Portable Draughts Notation 3.0).

Squares are numbered 1 to 32 from Black's side: 1 to 4 is Black's home row, where White's men are crowned. No rules
here: the game itself decides which moves are legal.
"""

import re
from collections.abc import Iterable, Mapping
from textwrap import fill
from typing import NamedTuple

from abviz.errors import AbvizError, brief

Pieces = dict[int, str]  # by square: b and w are men, B and W kings

SQUARES, MOST_PIECES, LINE = 32, 12, 79
COLOURS = {"B": "Black", "W": "White"}
CROWNED_ON = {"B": range(29, 33), "W": range(1, 5)}
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
# PDN gives the first player's score first, which is Black's in English checkers; in chess "1-0" is White's win.
OPEN, DRAW = "*", "1/2-1/2"
RESULTS = ("1-0", "0-1", DRAW, "0-0", OPEN)


def read_fen(text: str, place: str = "the FEN") -> tuple[str, Pieces]:
    """Return who moves ("B" or "W") and the pieces: `B:W18,24,K10:B12,K22` is Black to move, K before a king.

    The colours may come in either order, in small letters, with spaces. Raises AbvizError, which names the place, for
    anything else and for an impossible position.
    """
    fields = "".join(text.upper().split()).removesuffix(".").split(":") if isinstance(text, str) else []
    pieces = [(side[0], item) for side in fields[1:] for item in side[1:].split(",") if side and item]
    legal = [colour in COLOURS and re.fullmatch("K?[0-9]{1,3}", item, re.ASCII) for colour, item in pieces]
    if not all(legal) or sorted(side[:1] for side in fields[1:]) != ["B", "W"] or fields[0] not in COLOURS:
        raise AbvizError(f"{place} is {brief(text)}; expected a position such as B:W18,24,K10:B12,K22")
    placed: Pieces = {}
    for colour, item in pieces:
        square, is_king, name = int(item.removeprefix("K")), item.startswith("K"), COLOURS[colour]
        if not 1 <= square <= SQUARES or square in placed:
            raise AbvizError(f"{place}: {name} is on square {square}; expected an empty square from 1 to 32")
        if not is_king and square in CROWNED_ON[colour]:
            raise AbvizError(f"{place}: {name} has a man on its crowning square {square}; expected a king, K{square}")
        placed[square] = colour if is_king else colour.lower()
    for colour, name in COLOURS.items():
        number = sum(piece.upper() == colour for piece in placed.values())
        if number > MOST_PIECES:
            raise AbvizError(f"{place}: {name} has {number} pieces; expected 12 at most")
    return fields[0], placed


def write_fen(turn: str, pieces: Pieces) -> str:
    """Return the canonical FEN: White first, men before kings, each in the order of the squares."""
    sides = []
    for colour in "WB":
        men = [str(square) for square in sorted(pieces) if pieces[square] == colour.lower()]
        kings = [f"K{square}" for square in sorted(pieces) if pieces[square] == colour]
        sides.append(colour + ",".join(men + kings))
    return ":".join([turn, *sides])


class PdnGame(NamedTuple):
    """A game as written, without comments."""

    tags: Mapping[str, str]  # in their order; of a repeated tag, the first
    moves: tuple[str, ...]  # 11-15, 26x17x10x1
    result: str  # one of RESULTS
    start: str = START  # as FEN


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
    the source and the number of the game, for text that is not PDN, and where there is no game at all.
    """
    games: list[PdnGame] = []
    tags: dict[str, str] = {}
    moves: list[str] = []

    def end(result: str) -> None:
        nonlocal tags, moves
        by_name = {name.upper(): value for name, value in reversed(tags.items())}
        result = by_name.get("RESULT", OPEN) if result == OPEN else result
        if result not in RESULTS:
            raise AbvizError(f"{place}: the result is {brief(result)}; expected {', '.join(RESULTS)}")
        start = write_fen(*read_fen(by_name.get("FEN", START), f"{place}, FEN tag"))
        games.append(PdnGame(tags, tuple(moves), result, start))
        tags, moves = {}, []

    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    for token in _TOKEN.finditer(text.removeprefix("\ufeff")):
        place = f"{source}, game {len(games) + 1}"
        if token["wrong"]:
            raise AbvizError(f"{place}: {brief(token['wrong'])} is not PDN; expected a move such as 11-15 or 11x18")
        if token["result"] and (tags or moves or not games):  # "1-0 *" ends one game only
            end(token["result"])
        elif token["move"]:
            sign = "x" if "x" in token["move"].lower() else "-"
            moves.append(sign.join(map(str, read_move(token["move"], f"{place}: the move"))))
        elif token["name"]:
            if moves:
                end(OPEN)
            tags.setdefault(token["name"], re.sub(r'\\(["\\])', r"\1", token["value"]))
    if tags or moves:
        end(OPEN)
    if not games:
        raise AbvizError(f"{source} holds no game; expected moves such as 1. 11-15 23-19")
    return games


def read_move(text: str, place: str = "the move") -> tuple[int, ...]:
    """Return the squares of a move such as 11-15, 11x18 or 2x11x18."""
    digits = re.findall("[0-9]+", text) if re.fullmatch(_MOVE, str(text).strip(), re.IGNORECASE) else []
    if not digits or not all(len(each) < 4 and 1 <= int(each) <= SQUARES for each in digits):
        raise AbvizError(f"{place} is {brief(text)}; expected squares from 1 to 32, such as 11-15 or 11x18")
    return tuple(map(int, digits))


def write_pdn(game: PdnGame) -> str:
    """Return the game as PDN, in lines of at most 79 letters, with a FEN tag where it does not begin at the start."""
    tags = {**game.tags} | ({} if game.start == START else {"SetUp": "1", "FEN": game.start})
    escaped = ((name, re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))) for name, value in tags.items())
    header = "".join(f'[{name} "{value}"]\n' for name, value in escaped)
    is_black = [(ply % 2 == 0) == game.start.startswith("B") for ply in range(len(game.moves))]
    return f"{header}\n{move_text(zip(is_black, game.moves, strict=True), game.result)}\n".lstrip("\n")


def move_text(moves: Iterable[tuple[bool, str]], end: str = "") -> str:
    """Return the moves in lines of at most 79 letters, with a number before each move of the first player (True)."""
    words: list[str] = []
    number = 0
    for is_first, name in moves:
        if is_first or not words:
            number += 1
            words.append(f"{number}." if is_first else f"{number}...")
        words.append(name)
    return fill(" ".join([*words, end]).strip(), LINE, break_long_words=False, break_on_hyphens=False)
