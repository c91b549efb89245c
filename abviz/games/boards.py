"""Boards as text and as SVG, without any rules.

A checkers board is shown as in print: Black above, squares 1 to 4 in the top row, a dark square at
the lower left.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from html import escape

from abviz.errors import AbvizError, brief, visible
from abviz.games.notation import COLORS, SQUARES, Pieces, write_fen
from abviz.games.rules import Position

# The boards bring their own ground, so they look the same on light and on dark pages. Black and
# white pieces differ in lightness and in shape: black men have a ring. Kings wear a crown.
FRAME, CAPTION, LIGHT, DARK, NUMBER = "#33302c", "#f4efe6", "#efe4cf", "#87674a", "#ffffff"
PIECE = {"B": ("#1b1b1d", "#e9e4da"), "W": ("#fdfbf6", "#1b1b1d")}  # fill, and the marks on it
PAPER, GRID, CROSS, NOUGHT = "#ffffff", "#57606a", "#0b5cad", "#b3430b"  # of tic-tac-toe

SIDE = 40  # of a square
MARGIN = 18  # around the board
RADIUS = 14.5  # of a piece
# Abalone's
CELLS = [
    f"{row}{n}"
    for r, row in enumerate("ABCDEFGHI")
    for n in range(max(1, r - 3), min(9, r + 5) + 1)
]
SVG, PNG = "image/svg+xml", "image/png"
# Before its element an SVG may have a declaration and comments
_SVG_BEGINS = re.compile(r"(\s|<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>)*<svg[\s>]", re.DOTALL)
_PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
CROWN = "M-9 6.5V-4.5L-4.5 0L0 -7L4.5 0L9 -4.5V6.5Z"


def board_data(position: Position) -> tuple[str, str]:
    """Return how a position is drawn, and what stands there in few letters.

    "checkers" has 32 letters (b and w men, B and W kings, "." empty), "cells" nine, "marbles" 61;
    any other position is the "text" that the game prints. (A game of one's own may have fields of
    these names, which hold something else.)
    """
    pieces = getattr(position, "pieces", None)
    if isinstance(pieces, dict):
        return "checkers", "".join(pieces.get(square, ".") for square in range(1, SQUARES + 1))
    for kind, length, letters in (("cells", 9, ".xo"), ("marbles", 61, ".bw")):
        found = getattr(position, kind, None)
        if isinstance(found, str) and len(found) == length and set(found) <= set(letters):
            return kind, found
    return "text", "\n".join(map(visible, str(position).splitlines()))


def position_text(position: Position) -> str:
    """Return the text from which the position can be read again, or its fields."""
    return str(getattr(position, "fen", "") or repr(position))


def picture_of(position: Position) -> dict[str, str]:
    """Return the picture that a position's `svg()` gives, by its type, as a notebook takes it.

    That is SVG as text or a PNG as bytes; {} where the game has no such method. Raises AbvizError
    for anything else.
    """
    if not hasattr(position, "svg"):
        return {}

    picture = position.svg()
    if isinstance(picture, str) and _SVG_BEGINS.match(picture):
        return {SVG: picture}
    if isinstance(picture, bytes) and picture.startswith(_PNG_BEGINS):
        return {PNG: b64encode(picture).decode()}
    expected = "expected SVG as text, <svg …>, or a PNG as bytes"
    raise AbvizError(f"{position.title}.svg() returns {brief(picture)}; {expected}")


def board_text(turn: str, pieces: Pieces) -> str:
    """Return the board in letters: (b) and (w) are men, [B] and [W] kings.

    Empty squares have their numbers.
    """
    rows = []
    for row in range(8):
        cells = [_cell_text(square, pieces) for square in range(4 * row + 1, 4 * row + 5)]
        rows.append("".join(f"{cell}░░░" if row % 2 else f"░░░{cell}" for cell in cells))

    edge = "─" * 24
    caption = f"{COLORS[turn]} to move ({turn.lower()})"
    return "\n".join([f"┌{edge}┐", *(f"│{row}│" for row in rows), f"└{edge}┘", caption])


def _cell_text(square: int, pieces: Pieces) -> str:
    piece = pieces.get(square)
    if piece is None:
        return f"{square:>2} "
    return f"[{piece}]" if piece.isupper() else f"({piece})"


def board_svg(turn: str, pieces: Pieces) -> str:
    """Return the board as an SVG element without ids."""
    side = 8 * SIDE
    whole = side + 2 * MARGIN
    corners = [(x - SIDE // 2, y - SIDE // 2) for x, y in map(_center, range(1, SQUARES + 1))]
    dark = "".join(f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in corners)

    caption = f"{COLORS[turn]} to move"
    at = -5 if turn == "B" else side + 13  # on the side of the player to move
    style = f'text-anchor="middle" font-size="12" fill="{CAPTION}"'

    shapes = [
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{whole}" height="{whole}" fill="{FRAME}"/>',
        f'<rect width="{side}" height="{side}" fill="{LIGHT}"/>',
        f'<path d="{dark}" fill="{DARK}"/>',
    ]
    shapes += [_piece(piece, square) for square, piece in pieces.items()]
    shapes.append(f'<text x="{side // 2}" y="{at}" {style}>{caption}</text>')

    # In a corner that no piece reaches.
    shapes.append('<g font-weight="bold" font-size="7.5">')
    for square, (x, y) in enumerate(corners, 1):
        shapes.append(f'<text x="{x + 0.7:g}" y="{y + 6.4:g}">{square}</text>')
    shapes.append("</g>")

    return _svg(320, -MARGIN, whole, f"Checkers, {caption}", write_fen(turn, pieces), shapes)


def tic_tac_toe_svg(cells: str) -> str:
    """Return the board as an SVG element."""
    shapes = [
        f'<rect x="1" y="1" width="118" height="118" rx="6" fill="{PAPER}" stroke="{GRID}"/>',
        f'<path d="M40 8V112M80 8V112M8 40H112M8 80H112" stroke="{GRID}" stroke-width="2"/>',
    ]
    pen = 'fill="none" stroke-width="5" stroke-linecap="round"'
    for index, cell in enumerate(cells):
        x = 40 * (index % 3) + 20
        y = 40 * (index // 3) + 20
        if cell == "x":
            shapes.append(f'<path d="M{x} {y}m-11 -11l22 22m0 -22l-22 22" {pen} stroke="{CROSS}"/>')
        if cell == "o":
            shapes.append(f'<circle cx="{x}" cy="{y}" r="12" {pen} stroke="{NOUGHT}"/>')

    words = " ".join(cells).replace(".", "empty")
    return _svg(96, 0, 120, "Tic-tac-toe", f"Row by row: {words}.", shapes)


def _svg(width: int, corner: int, side: int, title: str, words: str, shapes: Iterable[str]) -> str:
    letters = (
        f'font-family="DejaVu Sans,Helvetica,Arial,sans-serif" font-size="8.5" fill="{NUMBER}"'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{width}"'
    described = f"<title>{escape(title)}</title><desc>{escape(words)}</desc>"
    box = f'viewBox="{corner} {corner} {side} {side}"'
    return f"{head} {box} {letters}>{described}{''.join(shapes)}</svg>"


def _center(square: int) -> tuple[int, int]:
    row, place = divmod(square - 1, 4)
    return SIDE * (2 * place + (row + 1) % 2) + SIDE // 2, SIDE * row + SIDE // 2


def _piece(piece: str, square: int) -> str:
    x, y = _center(square)
    fill, mark = PIECE[piece.upper()]
    disc = (
        f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{mark}" stroke-width="1.5"/>'
    )
    if piece.isupper():
        return f'{disc}<path transform="translate({x} {y})" d="{CROWN}" fill="{mark}"/>'
    ring = f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{mark}" stroke-width="1.5"/>'
    return disc + ring if piece == "b" else disc
