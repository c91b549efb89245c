"""The rules of checkers once more, slow and simple.

They work on pieces by square, in lines that the known mistakes edit.
"""

from collections.abc import Collection
from typing import NamedTuple

from abviz.games.checkers import BITS, NUMBERS, Checkers, Path, mask, shift
from abviz.games.notation import CROWNED_ON

# How far a step shifts the bit of a square, to the left and to the right
DOWN, UP = (4, 5), (-5, -4)


class Move(NamedTuple):
    """A legal move, and the position after it.

    `path` has the squares on which the piece stands, `taken` those of what it takes.
    """

    path: Path
    taken: Path
    after: Checkers


def squares(bits: int) -> list[int]:
    return [square for bit, square in NUMBERS.items() if bits & bit]


def neighbor(square: int, way: int) -> int:
    """Return the next square that way, 0 beyond the edge."""
    return NUMBERS.get(shift(BITS.get(square, 0), way), 0)


def ways_of(turn: int, is_king: bool) -> tuple[int, ...]:
    return DOWN + UP if is_king else (DOWN, UP)[turn]


def legal_moves(position: Checkers) -> list[Move]:
    """Return the legal moves. A mistake without an end raises RecursionError."""
    pieces, turn = position.pieces, position.turn
    mover = turn
    targets = squares(position[1 - turn])
    steps: list[Move] = []
    jumps: list[Move] = []

    def jump(path: Path, taken: Path, all_ways: bool, in_the_way: Collection[int]) -> None:
        before = len(jumps)
        for way in ways_of(mover, all_ways):
            over = neighbor(path[-1], way)
            to = neighbor(over, way) if over in targets else 0
            if to and to not in in_the_way and over not in taken:
                jump((*path, to), (*taken, over), all_ways, in_the_way)
        if taken and len(jumps) == before:
            jumps.append(Move(path, taken, position_after(position, path, taken)))

    for square in squares(position[turn]):
        is_king = pieces[square].isupper()
        jump((square,), (), is_king, pieces.keys() - {square})
        for way in ways_of(mover, is_king):
            to = neighbor(square, way)
            if to and to not in pieces:
                steps.append(Move((square, to), (), position_after(position, (square, to), ())))
    return jumps or steps


def position_after(position: Checkers, path: Path, taken: Path) -> Checkers:
    """Return the position after a move along this path."""
    turn, kings, last_row = position.turn, position.kings, CROWNED_ON["BW"[position.turn]]
    start, end, captured = BITS[path[0]], BITS[path[-1]], mask(taken)
    own, other = position[turn] & ~start | end, position[1 - turn] & ~captured
    is_king = bool(kings & start) or path[-1] in last_row
    kings = kings & ~start & ~captured | (end if is_king else 0)
    after = 1 - turn
    return Checkers(own, other, kings, after) if turn == 0 else Checkers(other, own, kings, after)


def children(position: Checkers) -> list[Checkers]:
    return [move.after for move in legal_moves(position)]


def end(position: Checkers) -> str:
    """Return whether the game is over, and if so its value, in words."""
    turn, moves = position.turn, legal_moves(position)
    over = not moves
    value = 2 * turn - 1
    return f"over returns {over}" + f" and value returns {value}" * over
