"""Games of English checkers as text: PDN (Portable Draughts Notation 3.0).

No rules here: a match decides which moves are legal.
"""

import re
from collections.abc import Mapping
from textwrap import fill
from typing import NamedTuple

from abviz.errors import AbvizError, brief
from abviz.games.notation import MOVE, START, read_fen, read_move, write_fen

LINE = 79  # letters
# PDN gives the first player's score first, which is Black's in English checkers; in chess "1-0" is White's win.
OPEN, DRAW = "*", "1/2-1/2"
RESULTS = ("1-0", "0-1", DRAW, "0-0", OPEN)


class PdnGame(NamedTuple):
    """A game as written, without comments."""

    tags: Mapping[str, str]  # in their order; of a repeated tag, the first
    moves: tuple[str, ...]  # 11-15, 26x17x10x1
    result: str  # one of RESULTS
    start: str = START  # as FEN


# Each alternative begins differently or fails at once, so the time grows with the length of a hostile text.
_TOKEN = re.compile(
    r'\s+|\{[^}]*\}|;[^\n]*|\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]'
    r"|(?P<result>1/2-1/2|(?:1-0|0-1|0-0)(?![0-9])|\*)"
    rf"|[0-9]+\.+|[!?]+|\.\.+|(?P<move>{MOVE})|(?P<wrong>[^\s]{{1,40}})",
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


def write_pdn(game: PdnGame) -> str:
    """Return the game as PDN, in lines of at most 79 letters, with a FEN tag where it does not begin at the start."""
    tags = {**game.tags} | ({} if game.start == START else {"SetUp": "1", "FEN": game.start})
    escaped = ((name, re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))) for name, value in tags.items())
    header = "".join(f'[{name} "{value}"]\n' for name, value in escaped)
    words: list[str] = []
    for ply, move in enumerate(game.moves, game.start.startswith("W")):
        if ply % 2 == 0 or not words:
            words.append(f"{ply // 2 + 1}.{'..' * (ply % 2)}")
        words.append(move)
    moves = fill(" ".join([*words, game.result]), LINE, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n{moves}\n".lstrip("\n")
