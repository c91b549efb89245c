"""Boards as text and as SVG. They are told what stands where and know no rules.

A checkers board is shown as in print: Black above, squares 1–4 the top row, a dark square in the corner at the lower
left. `flip` turns it around.
"""

from collections.abc import Iterable, Iterator
from html import escape
from math import hypot

from abviz.errors import AbvizError, brief, visible
from abviz.games.placement import COLOURS, SQUARES, Placement, checked

# The boards bring their own ground, and so look the same on light and on dark pages. Black and white pieces differ in
# lightness, and in shape: black men have a ring. Kings wear a crown.
PAINT = {
    "frame": "#33302c",
    "caption": "#f4efe6",
    "light": "#efe4cf",
    "dark": "#87674a",
    "number": "#ffffff",
    "last": "#ffd54a",
    "last edge": "#33302c",
    "B": "#1b1b1d",
    "on B": "#e9e4da",
    "W": "#fdfbf6",
    "on W": "#1b1b1d",
}
TIC_TAC_TOE = {"paper": "#ffffff", "last": "#fff1b8", "grid": "#57606a", "x": "#0b5cad", "o": "#b3430b"}
LETTERS = f'font-family="DejaVu Sans,Helvetica,Arial,sans-serif" font-size="8.5" fill="{PAINT["number"]}"'

SIZE, COMPACT_SIZE, TIC_TAC_TOE_SIZE = 320, 104, 96  # pixels
SIDE, FRAME, COMPACT_FRAME = 40, 18, 1  # of a square, and around the board, in the picture's own units
RADIUS, COMPACT_RADIUS = 14.5, 18.0  # of a piece: a large board leaves the corner of the square to its number
CROWN = "M-9 6.5V-4.5L-4.5 0L0 -7L4.5 0L9 -4.5V6.5Z"  # for a piece of the smaller radius

PIECES = {("B", False): "(b)", ("B", True): "[B]", ("W", False): "(w)", ("W", True): "[W]"}
LIGHT = "░░░"

Point = tuple[int, int]


def board_text(placement: Placement, *, turn: bool = True, flip: bool = False) -> str:
    """The board in letters, for any font in which all are equally wide: (b) and (w) are men, [B] and [W] kings.

    Empty squares have their numbers. A last line says who moves, unless `turn` is False.
    Raises AbvizError for a placement that cannot be.
    """
    stands = {0: LIGHT} | {square: PIECES[colour, king] for colour, king, square in _pieces(placement)}
    rows = ("".join(stands.get(square, f"{square:>2} ") for square in row) for row in _rows(flip))
    edge = "─" * 24
    lines = [f"┌{edge}┐", *(f"│{row}│" for row in rows), f"└{edge}┘"]
    return "\n".join([*lines, f"{_to_move(placement)} ({placement.turn.lower()})"] if turn else lines)


def board_svg(
    placement: Placement,
    *,
    size: int | None = None,
    last: Iterable[int] = (),
    numbers: bool = True,
    title: str | None = None,
    compact: bool = False,
    flip: bool = False,
) -> str:
    """The board as an SVG element, `size` pixels wide (320, or 104 if compact), for light and for dark pages.

    `last` are the squares of the last move, in order: they are outlined, and an arrow runs along them. A compact
    board, for a node of a tree, has no frame and no numbers. Without a title, it says whose move it is.
    The pieces are also listed in words, for those who hear the picture. No ids: many stand on one page.
    Raises AbvizError for a square that is none, and for a placement that cannot be.
    """
    path = [_centre(square, flip) for square in _squares(last)]
    radius, frame = (COMPACT_RADIUS, COMPACT_FRAME) if compact else (RADIUS, FRAME)
    shapes = [
        *_ground(frame, flip),
        *_last_move(path, radius),
        *_all_pieces(placement, radius, flip),
        *([] if compact else [_caption(placement, flip)]),
        *(_numbers(flip) if numbers and not compact else []),
    ]
    words = f"Checkers, {_to_move(placement)}" if title is None else title
    width = size or (COMPACT_SIZE if compact else SIZE)
    return _svg(width, -frame, 8 * SIDE + 2 * frame, words, _in_words(placement), shapes)


def tic_tac_toe_text(cells: str) -> str:
    """The board in letters. `cells` are the nine cells, row by row: "x", "o" or "." for an empty one.

    Raises AbvizError for anything else.
    """
    rows = (" │ ".join(row).replace(".", " ") for row in _three_rows(cells))
    return "\n───┼───┼───\n".join(f" {row} " for row in rows)


def tic_tac_toe_svg(
    cells: str, *, size: int = TIC_TAC_TOE_SIZE, title: str | None = None, last: int | None = None
) -> str:
    """The board as an SVG element, `size` pixels wide. `cells` as for `tic_tac_toe_text`.

    `last` is the cell, 0 to 8, of the last move, which is tinted.
    """
    rows = _three_rows(cells)
    paper, grid = TIC_TAC_TOE["paper"], TIC_TAC_TOE["grid"]
    marks = {"x": '<path d="M{0} {1}m-11 -11l22 22m0 -22l-22 22"', "o": '<circle cx="{0}" cy="{1}" r="12"'}
    shapes = [
        f'<rect x="1" y="1" width="118" height="118" rx="6" fill="{paper}" stroke="{grid}"/>',
        *_last_cell(last),
        f'<path d="M40 8V112M80 8V112M8 40H112M8 80H112" stroke="{grid}" stroke-width="2"/>',
    ]
    for index, cell in enumerate(cells):
        if cell in marks:
            mark = marks[cell].format(20 + 40 * (index % 3), 20 + 40 * (index // 3))
            shapes.append(f'{mark} fill="none" stroke="{TIC_TAC_TOE[cell]}" stroke-width="5" stroke-linecap="round"/>')
    spoken = "; ".join(" ".join("empty" if cell == "." else cell for cell in row) for row in rows)
    return _svg(size, 0, 120, "Tic-tac-toe" if title is None else title, f"Row by row: {spoken}.", shapes)


# What stands where


def _rows(flip: bool) -> list[list[int]]:
    """The numbers of the squares as they lie on the board, 0 for a light one."""
    order = -1 if flip else 1
    rows = []
    for row in range(8):
        numbers = range(4 * row + 1, 4 * row + 5)
        rows.append([each for number in numbers for each in ([number, 0] if row % 2 else [0, number])][::order])
    return rows[::order]


def _centre(square: int, flip: bool) -> Point:
    row, place = divmod(square - 1, 4)
    column = 2 * place + (row + 1) % 2
    if flip:
        row, column = 7 - row, 7 - column
    return SIDE * column + SIDE // 2, SIDE * row + SIDE // 2


def _corners(flip: bool) -> list[Point]:
    return [(x - SIDE // 2, y - SIDE // 2) for x, y in (_centre(square, flip) for square in range(1, SQUARES + 1))]


def _pieces(placement: Placement) -> Iterator[tuple[str, bool, int]]:
    """The colour of each piece, whether it is a king, and its square."""
    checked(placement, "the placement")
    for colour in COLOURS:
        for king, squares in ((False, placement.men(colour)), (True, placement.kings(colour))):
            yield from ((colour, king, square) for square in sorted(squares))


def _squares(last: Iterable[int]) -> Iterator[int]:
    for square in last:
        if square not in range(1, SQUARES + 1):
            raise AbvizError(f"the last move names square {brief(square)}; expected 1 to {SQUARES}")
        yield square


def _last_cell(last: int | None) -> Iterator[str]:
    if last is not None:
        if last not in range(9):
            raise AbvizError(f"the last move names cell {brief(last)}; expected 0 to 8")
        x, y = 40 * (last % 3) + 3, 40 * (last // 3) + 3
        yield f'<rect x="{x}" y="{y}" width="34" height="34" fill="{TIC_TAC_TOE["last"]}"/>'


def _three_rows(cells: str) -> list[str]:
    if not isinstance(cells, str) or len(cells) != 9 or set(cells) - set("xo."):
        raise AbvizError(f'the board is {brief(cells)}; expected nine letters, each "x", "o" or "."')
    return [cells[:3], cells[3:6], cells[6:]]


def _to_move(placement: Placement) -> str:
    return f"{COLOURS[placement.turn]} to move"


def _in_words(placement: Placement) -> str:
    told = []
    for colour, name in COLOURS.items():
        for one, many, squares in (
            ("man", "men", placement.men(colour)),
            ("king", "kings", placement.kings(colour)),
        ):
            if squares:
                told.append(f"{name} {one if len(squares) == 1 else many} on {', '.join(map(str, sorted(squares)))}")
    return f"{'; '.join(told) or 'No pieces'}. {_to_move(placement)}."


# Shapes


def _svg(width: int, corner: int, side: int, title: str, words: str, shapes: Iterable[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{width}"'
    told = f"<title>{escape(visible(title))}</title><desc>{escape(words)}</desc>"
    return f'{head} viewBox="{corner} {corner} {side} {side}" {LETTERS}>{told}{"".join(shapes)}</svg>'


def _ground(frame: int, flip: bool) -> Iterator[str]:
    side = 8 * SIDE
    place = f'x="{-frame}" y="{-frame}" width="{side + 2 * frame}" height="{side + 2 * frame}"'
    yield f'<rect {place} fill="{PAINT["frame"]}"/><rect width="{side}" height="{side}" fill="{PAINT["light"]}"/>'
    dark = "".join(f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in _corners(flip))
    yield f'<path d="{dark}" fill="{PAINT["dark"]}"/>'


def _caption(placement: Placement, flip: bool) -> str:
    """Who moves, written in the frame on that player's side."""
    y = -5 if (placement.turn == "B") != flip else 8 * SIDE + 13
    place = f'x="{4 * SIDE}" y="{y}" text-anchor="middle" font-size="12"'
    return f'<text {place} fill="{PAINT["caption"]}">{_to_move(placement)}</text>'


def _numbers(flip: bool) -> Iterator[str]:
    # The stroke around each keeps it readable where it lies on an arrow or touches a white piece.
    yield f'<g stroke="{PAINT["dark"]}" stroke-width="2.5" stroke-linejoin="round" paint-order="stroke">'
    yield from (f'<text x="{x + 1.5}" y="{y + 8}">{square}</text>' for square, (x, y) in enumerate(_corners(flip), 1))
    yield "</g>"


def _last_move(path: list[Point], radius: float) -> Iterator[str]:
    """An outline around each square of the move, and an arrow along them up to the piece."""
    if path:
        outlines = "".join(f"M{x - 19.5} {y - 19.5}h39v39h-39z" for x, y in path)
        yield f'<path d="{outlines}" fill="none" stroke="{PAINT["last"]}" stroke-width="3"/>'
    if len(path) < 2 or path[-2] == path[-1]:
        return
    (x0, y0), (x1, y1) = path[-2:]
    length = hypot(x1 - x0, y1 - y0)
    along_x, along_y = (x1 - x0) / length, (y1 - y0) / length

    def point(back: float, aside: float = 0) -> str:
        """So far before the centre of the last square, and so far beside the line that leads there."""
        return f"{x1 - back * along_x + aside * along_y:.1f} {y1 - back * along_y - aside * along_x:.1f}"

    tip, base = radius + 2, radius + 11
    line = "M" + "L".join([*(f"{x} {y}" for x, y in path[:-1]), point(base)])
    for paint, width in (("last edge", 7), ("last", 4)):
        yield f'<path d="{line}" fill="none" stroke="{PAINT[paint]}" stroke-width="{width}" stroke-linejoin="round"/>'
    head = f"M{point(tip)}L{point(base, 6)}L{point(base, -6)}Z"
    yield f'<path d="{head}" fill="{PAINT["last"]}" stroke="{PAINT["last edge"]}" stroke-width="1.5"/>'


def _all_pieces(placement: Placement, radius: float, flip: bool) -> Iterator[str]:
    for colour, king, square in _pieces(placement):
        x, y = _centre(square, flip)
        mark = PAINT[f"on {colour}"]
        yield f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{PAINT[colour]}" stroke="{mark}" stroke-width="1.5"/>'
        if king:
            place = f"translate({x} {y}) scale({radius / RADIUS:.2g})"
            yield f'<path transform="{place}" d="{CROWN}" fill="{mark}"/>'
        elif colour == "B":
            yield f'<circle cx="{x}" cy="{y}" r="{0.62 * radius:.1f}" fill="none" stroke="{mark}" stroke-width="1.5"/>'
