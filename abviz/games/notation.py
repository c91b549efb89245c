"""Positions and games of English checkers as text, in and out: FEN and PDN (Portable Draughts Notation).

Squares are known here, rules are not. The parts: `placement` has positions, `reading` reads games, this writes them.
"""

import re
from collections.abc import Iterator
from textwrap import fill

from abviz.errors import AbvizError, brief
from abviz.games.placement import START, Placement, read_fen, write_fen
from abviz.games.reading import RESULTS, PdnGame, PdnMove, read_move, read_pdn, result_of, start_of, tag_value

__all__ = [
    "RESULTS",
    "START",
    "PdnGame",
    "PdnMove",
    "Placement",
    "read_fen",
    "read_move",
    "read_pdn",
    "write_fen",
    "write_pdn",
]

WIDTH = 79
_NAME = re.compile(r"\w+")


def write_pdn(game: PdnGame) -> str:
    """The game as PDN: its tags, an empty line, the moves in lines of 79 letters at most, the result.

    A FEN tag is added where the game needs one. `read_pdn` gives an equal game back.
    Raises AbvizError for what PDN cannot say, and for tags that contradict the game.
    """
    tags = dict(game.tags)
    if game.start != START and not tag_value(tags, "FEN"):
        tags |= {"SetUp": "1", "FEN": write_fen(game.start)}
    _check(game, tags)
    header = "".join(_tag(name, value) for name, value in tags.items())
    moves = fill(" ".join([*_numbered(game), game.result]), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n{moves}\n" if header else f"{moves}\n"


def _check(game: PdnGame, tags: dict[str, str]) -> None:
    if game.result not in RESULTS:
        raise AbvizError(f"the game's result is {brief(game.result)}; expected {', '.join(RESULTS)}")
    of_tag = result_of(tag_value(tags, "Result"), "the game's Result tag")
    if game.result == "*" and of_tag != "*":
        raise AbvizError(f"the game's result is *, and its Result tag says {of_tag}; expected one result")
    if game.start != start_of(tag_value(tags, "FEN"), "the game"):
        raise AbvizError(f"the game's FEN tag is not where it starts; expected {write_fen(game.start)}")


def _tag(name: str, value: str) -> str:
    if not _NAME.fullmatch(name) or "\n" in value or "\r" in value:
        raise AbvizError(f"the game's tag {brief(name)} is {brief(value)}; expected a word, and text on one line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'


def _numbered(game: PdnGame) -> Iterator[str]:
    """The moves, with a number before each of Black's (1.) and before White's if he begins (1...)."""
    white_begins = game.start.turn == "W"
    for ply, move in enumerate(game.moves, int(white_begins)):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif move is game.moves[0]:
            yield "1..."
        yield str(move)
