"""The rules of checkers, once more: on pieces by square, slow, in lines that the known mistakes edit.

Also the positions on which a student's checkers are tried, in order of size.
"""

import random
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from abviz.exercises.exercise import texts
from abviz.games.checkers import Checkers, Path
from abviz.games.notation import CROWNED_ON, Pieces, write_fen
from abviz.games.student_checkers import Fields, as_checkers, fields_of, squares

Way = tuple[int, int]  # rows towards White's side (or back), columns to the right (or left)
DOWN, UP = ((1, -1), (1, 1)), ((-1, -1), (-1, 1))
LONGEST = 40  # squares of one jump, which nothing but a mistake without an end reaches
SAMPLES = 3000  # random positions


class Move(NamedTuple):
    """A legal move: the squares where the piece stands, those of what it takes, and the position after it."""

    path: Path
    taken: Path
    after: Fields

    @property
    def name(self) -> str:
        return ("x" if self.taken else "-").join(map(str, self.path))


def neighbour(square: int, way: Way) -> int:
    """Return the next square that way, 0 beyond the edge."""
    (row, place), (down, right) = divmod(square - 1, 4), way
    # The squares below are 4 and 5 away from those of rows 0, 2, 4 and 6, and 3 and 4 away from those of the others.
    to = square + 4 * down + (min(right, 0) if row % 2 else max(right, 0))
    column = 2 * place + 1 - row % 2
    return to if 0 <= column + right < 8 and 1 <= to <= 32 else 0


def ways_of(turn: int, is_king: bool) -> tuple[Way, ...]:
    return DOWN + UP if is_king else (DOWN, UP)[turn]


def legal_moves(position: Fields) -> list[Move]:
    """Return the legal moves. A mistake may have no end, and raise RecursionError."""
    pieces, turn = as_checkers(position).pieces, position[3]
    mover = turn
    targets = squares(position[1 - turn])
    steps: list[Move] = []
    jumps: list[Move] = []

    def jump(path: Path, taken: Path, all_ways: bool, in_the_way: Collection[int]) -> None:
        if len(path) > LONGEST:
            raise RecursionError
        before = len(jumps)
        for way in ways_of(mover, all_ways):
            over = neighbour(path[-1], way)
            to = neighbour(over, way) if over in targets else 0
            if to and to not in in_the_way and over not in taken:
                jump((*path, to), (*taken, over), all_ways, in_the_way)
        if taken and len(jumps) == before:
            jumps.append(Move(path, taken, position_after(position, path, taken)))

    for square in squares(position[turn]):
        is_king = pieces[square].isupper()
        jump((square,), (), is_king, pieces.keys() - {square})
        for way in ways_of(mover, is_king):
            to = neighbour(square, way)
            if to and to not in pieces:
                steps.append(Move((square, to), (), position_after(position, (square, to), ())))
    return jumps or steps


def position_after(position: Fields, path: Path, taken: Path) -> Fields:
    """Return the position after a move along this path."""
    turn, kings, last_row = position[3], position[2], CROWNED_ON["BW"[position[3]]]
    start, end, captured = bit(path[0]), bit(path[-1]), sum(map(bit, set(taken)))
    own, other = position[turn] & ~start | end, position[1 - turn] & ~captured
    is_king = bool(kings & start) or path[-1] in last_row
    kings = kings & ~start & ~captured | (end if is_king else 0)
    after = 1 - turn
    return (own, other, kings, after) if turn == 0 else (other, own, kings, after)


def ending(position: Fields) -> list[int | None]:
    """Return whether the game is over, 0 or 1, and if so its value."""
    turn, moves = position[3], legal_moves(position)
    over = not moves
    value = 2 * turn - 1
    return [int(over), value if over else None]


def bit(square: int) -> int:
    return 1 << square - 1


# the positions on which an answer is tried


right_moves = lru_cache(10_000)(legal_moves)


def level(position: Fields) -> int:
    """Return what the position asks of the rules: 0 men that step, 1 kings, 2 a jump, 3 a longer one, 4 crowning."""
    last_row, moves = CROWNED_ON["BW"[position[3]]], right_moves(position)
    if any(path[-1] in last_row and not position[2] & bit(path[0]) for path, *_ in moves):
        return 4
    most = max((len(move.taken) for move in moves), default=0)
    return 3 if most > 1 else 2 if most else 1 if position[2] else 0


@cache
def positions() -> dict[Fields, int]:
    """Return positions with their levels, those of the fewest pieces first."""
    found = {*_samples()}
    for row in texts()["positions"]:
        layer = {fields_of(Checkers.from_fen(row["fen"]))}
        for _ in range(row["plies"] + 1):
            found |= layer
            layer = {move.after for each in layer for move in right_moves(each)}
    ordered = sorted(found, key=lambda each: ((each[0] | each[1]).bit_count(), each[2].bit_count(), each))
    return {each: level(each) for each in ordered}


def _samples() -> Iterator[Fields]:
    """Yield each piece alone, and pieces at random: the opponent's anywhere, or a row and a column apart for long
    captures."""
    yield from (_set_up({square: piece}, turn) for square, piece, turn in product(range(1, 33), "bwBW", "BW"))
    chance = random.Random(1)
    inside = [square for square in range(5, 29) if square % 8 not in (4, 5)]
    posts = [[square for square in inside if (square - 1) // 4 % 2 == odd] for odd in (0, 1)]
    for _ in range(SAMPLES):
        own, other = chance.choice(("bw", "wb"))
        places = chance.choice([[*range(1, 33)], *posts])
        others = chance.sample(places, chance.randint(1, min(len(places), 9)))
        movers = chance.sample(sorted({*range(1, 33)} - {*others}), chance.randint(1, 4))
        share = chance.choice((0, 0.3, 0.6))  # of kings
        pieces = dict.fromkeys(movers, own) | dict.fromkeys(others, other)
        kings = {square: piece.upper() for square, piece in pieces.items() if chance.random() < share}
        yield _set_up(pieces | kings, own.upper())


def _set_up(pieces: Pieces, turn: str) -> Fields:
    """Return the position. A man on his last row has been crowned."""
    crowned = {square: piece.upper() for square, piece in pieces.items() if square in CROWNED_ON[piece.upper()]}
    return fields_of(Checkers.from_fen(write_fen(turn, pieces | crowned)))
