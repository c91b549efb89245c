"""Positions and moves of English checkers as text.

Squares are numbered 1 to 32 from Black's side: 1 to 4 is Black's home row, where White's men are
crowned. No rules here: the game itself decides which moves are legal.
"""

import re

from abviz.errors import AbvizError, brief

Pieces = dict[int, str]  # by square: b and w are men, B and W kings

SQUARES = 32
MOST_PIECES = 12  # of each side
COLORS = {"B": "Black", "W": "White"}
CROWNED_ON = {"B": range(29, 33), "W": range(1, 5)}
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
DASHES = "-\u2010-\u2015\u2212"  # for a class of letters: hyphens, dashes and the minus sign
MOVE = rf"[0-9]+(?:\s*[{DASHES}x\u00d7]\s*[0-9]+)+"


def read_sides(text: object, place: str, example: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the side to move ("B" or "W") and what stands where: its color and the rest.

    The colors may come in either order, in small letters, with spaces. Raises AbvizError, which
    names the place and shows the example, for a text without both sides.
    """
    fields: list[str] = []
    if isinstance(text, str):
        fields = "".join(text.upper().split()).removesuffix(".").split(":")

    turn, *sides = fields or [""]
    if turn not in COLORS or sorted(side[:1] for side in sides) != ["B", "W"]:
        raise AbvizError(f"{place} is {brief(text)}; expected a position such as {example}")

    items = []
    for side in sides:
        color = side[0]
        items += [(color, item) for item in side[1:].split(",") if item]
    return turn, items


def read_fen(text: str, place: str = "the FEN") -> tuple[str, Pieces]:
    """Return the side to move ("B" or "W") and the pieces.

    In `B:W18,24,K10:B12,K22` Black moves, and K marks a king. `W1-12` is a range of squares. Passed
    over are the counters that some programs add (`:H0:F1`), and with them pieces that are captured
    already, in a jump that has not ended yet (`G20`, and `P20` for a king). Raises AbvizError,
    which names the place, for anything else and for an impossible position.
    """
    turn, items = read_sides(_without_counters(text), place, "B:W18,24,K10:B12,K22")

    placed: Pieces = {}
    taken: set[int] = set()
    for color, item in items:
        kind, squares = _standing(item)
        for square in squares or [0]:
            is_free = 1 <= square <= SQUARES and square not in placed and square not in taken
            is_uncrowned = kind == "" and square in CROWNED_ON[color]
            if not is_free:
                raise AbvizError(
                    f"{place} has {COLORS[color]} on {brief(item)}; "
                    "expected an empty square from 1 to 32"
                )
            if is_uncrowned:
                side = COLORS[color]
                raise AbvizError(
                    f"{place} has {side} on {brief(item)}: a man on {side}'s last row "
                    f"must be a king; expected K{square}"
                )
            if kind in ("G", "P"):
                taken.add(square)
            else:
                placed[square] = color if kind == "K" else color.lower()

    colors = [piece.upper() for piece in placed.values()]
    if any(colors.count(color) > MOST_PIECES for color in COLORS):
        raise AbvizError(f"{place} has {len(placed)} pieces; expected at most 12 on each side")
    return turn, placed


def _without_counters(text: object) -> object:
    """Return the FEN without `:H0:F1`, two counters, at its end."""
    if not isinstance(text, str):
        return text
    return re.sub(r"(:[HF][0-9]+)+\.?$", "", "".join(text.split()), flags=re.IGNORECASE)


def _standing(item: str) -> tuple[str, range]:
    """Return the letter and the squares of an item of a FEN, such as K10 or 1-12.

    There are no squares where it is no item.
    """
    found = re.fullmatch(rf"([KGP]?)([0-9]{{1,2}})(?:[{DASHES}]\1?([0-9]{{1,2}}))?", item, re.ASCII)
    if not found:
        return "", range(0)
    first = int(found[2])
    last = int(found[3] or first)
    return found[1], range(first, last + 1)


def write_fen(turn: str, pieces: Pieces) -> str:
    """Return the canonical FEN: White first, men before kings, each in the order of the squares."""
    sides = []
    for color in "WB":
        men = [str(square) for square in sorted(pieces) if pieces[square] == color.lower()]
        kings = [f"K{square}" for square in sorted(pieces) if pieces[square] == color]
        sides.append(color + ",".join(men + kings))
    return ":".join([turn, *sides])


def read_move(text: str, place: str = "the move") -> tuple[int, ...]:
    """Return the squares of a move such as 11-15, 11x18 or 2x11x18."""
    is_move = re.fullmatch(MOVE, str(text).strip(), re.IGNORECASE)
    digits = re.findall("[0-9]+", text) if is_move else []
    if not digits or not all(len(each) < 4 and 1 <= int(each) <= SQUARES for each in digits):
        raise AbvizError(
            f"{place} is {brief(text)}; expected squares from 1 to 32, such as 11-15 or 11x18"
        )
    return tuple(map(int, digits))
