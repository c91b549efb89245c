"""The squares of a checkers board, 1 to 32, as bits.

Square 1 is bit 0, and one bit is left out after every two rows (bits 8, 17, 26). So a step is always a shift by 4 or
by 5: at the edge of the board it ends on a bit that is left out, or beyond all, and BOARD masks it.

       . 0 . 1 . 2 . 3        squares 1 to 4: black begins here and moves to higher bits
       4 . 5 . 6 . 7 .        5 to 8
       . 9 .10 .11 .12        9 to 12
      13 .14 .15 .16 .        and so on, to bit 34
"""

from collections.abc import Iterable

NUMBERS = {1 << (i + i // 8): i + 1 for i in range(32)}  # the number of each square by its bit
BITS = {number: bit for bit, number in NUMBERS.items()}


def mask(squares: Iterable[int]) -> int:
    return sum(BITS[square] for square in squares)


def squares_of(bits: int) -> list[int]:
    """The numbers of the squares whose bits are set, rising."""
    found = []
    while bits:
        found.append(NUMBERS[bits & -bits])
        bits &= bits - 1
    return found


BOARD = mask(range(1, 33))
