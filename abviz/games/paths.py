"""Moves of checkers as people write them: squares, and for a jump all that lie on its way."""

from collections.abc import Iterator
from typing import Any

from abviz.errors import AbvizError
from abviz.games.placement import Placement
from abviz.games.squares import BITS, BOARD, squares_of

Path = tuple[int, ...]  # the squares (1–32) where a piece stands: first, on its way, last


def all_paths(position: Any) -> dict[int, list[Path]]:
    """Every legal move, as the rules number it, with its paths: a jump may come to the same by several."""
    found: dict[int, list[Path]] = {}
    for move, path in _steps_and_jumps(position):
        found.setdefault(move, []).append(path)
    return found


def move_name(position: Any, move: int) -> str:
    """9-14, or 9x18; with all its squares (2x11x18x27) where another jump has the same ends."""
    paths = all_paths(position)
    path = paths[move][0]
    same_ends = [other for other, ways in paths.items() if (ways[0][0], ways[0][-1]) == (path[0], path[-1])]
    if not _is_jump(position, move):
        return f"{path[0]}-{path[1]}"
    return "x".join(map(str, path if len(same_ends) > 1 else (path[0], path[-1])))


def find_move(position: Any, text: str) -> int:
    """The legal move that the text means: ends alone, or the whole way."""
    from abviz.games.reading import read_move  # only now: no search needs to read what people write

    asked = read_move(text).squares
    paths = all_paths(position)
    # The whole way first: 15x6 is the one jump from 15 to 6, although a longer one may have the same ends.
    meant = [move for move, ways in paths.items() if asked in ways] or [
        move for move, ways in paths.items() if asked == (ways[0][0], ways[0][-1])
    ]
    names = [move_name(position, move) for move in meant or paths]
    if len(meant) > 1:
        raise AbvizError(f"{text.strip()} may be {' or '.join(names)}; expected one of them")
    if not meant:
        if not names:
            raise AbvizError(f"{text.strip()} is no legal move: the game is over")
        must = " (who can capture must)" if any(_is_jump(position, move) for move in paths) else ""
        raise AbvizError(f"{text.strip()} is no legal move; expected one of {', '.join(names)}{must}")
    return meant[0]


def placement(position: Any) -> Placement:
    kings = position.kings
    sides = (position.black & ~kings, position.black & kings, position.white & ~kings, position.white & kings)
    return Placement("BW"[position.turn], *(frozenset(squares_of(bits)) for bits in sides))


def _is_jump(position: Any, move: int) -> bool:
    return bool(move & (position.white if position.turn == 0 else position.black))


def _steps_and_jumps(position: Any) -> Iterator[tuple[int, Path]]:
    own, other, up, down = position.sides()
    empty = BOARD & ~(own | other)
    for square in squares_of(position.jumpers() or position.steppers()):
        start = BITS[square]
        ways = [by for by in (4, 5) if start & up] + [-by for by in (4, 5) if start & down]
        if position.jumpers():
            yield from _jumps(start, start, 0, (square,), ways, other, empty | start)
        else:
            for by in ways:
                if to := _shift(start, by) & empty:
                    yield start | to, (square, *squares_of(to))


def _jumps(
    start: int, piece: int, taken: int, path: Path, ways: list[int], other: int, empty: int
) -> Iterator[tuple[int, Path]]:
    on = False
    for by in ways:
        over = _shift(piece, by) & other & ~taken
        to = _shift(over, by) & empty
        if to:
            on = True
            yield from _jumps(start, to, taken | over, (*path, *squares_of(to)), ways, other, empty)
    if not on:
        around = (start.bit_length() - 1) << 36 if piece == start else 0
        yield start ^ piece | taken | around, path


def _shift(bits: int, by: int) -> int:
    return bits << by if by > 0 else bits >> -by
