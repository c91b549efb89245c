"""Tic-tac-toe: a game small enough to be solved.

The nine cells are bits of a board that is four wide, of which the fourth column stays empty:

      0  1  2 (3)
      4  5  6 (7)
      8  9 10

Cells in a row are 1 apart, in a column 4, on the diagonals 5 and 3, and no line wraps around an
edge.
"""

from typing import NamedTuple

from abviz.errors import AbvizError, brief
from abviz.games.boards import tic_tac_toe_svg
from abviz.games.definition import game
from abviz.games.rules import MoveList, flaw_of, popcount

CELLS = (0, 1, 2, 4, 5, 6, 8, 9, 10)
FULL = sum(1 << cell for cell in CELLS)
# a1 is at the bottom on the left
NAMES = [f"{column}{row}" for row in (3, 2, 1) for column in "abc"]


@game(players=("x", "o"))
class TicTacToe(NamedTuple):
    """A position. MAX is x and moves first; a move is the bit of a cell."""

    x: int = 0
    o: int = 0

    def is_max(self) -> bool:
        return popcount(self.x | self.o) & 1 == 0

    def over(self) -> bool:
        return self.x | self.o == FULL or three(self.o if self.is_max() else self.x) > 0

    def value(self) -> int:
        if self.is_max():
            return -1 if three(self.o) else 0
        return 1 if three(self.x) else 0

    def moves(self, legal: MoveList) -> None:
        # Only the last player to move can have a line
        if three(self.o if self.is_max() else self.x):
            return
        empty = FULL ^ self.x ^ self.o
        while empty:
            cell = empty & -empty
            empty ^= cell
            legal.add(cell)

    def play(self, move: int) -> "TicTacToe":
        if self.is_max():
            return TicTacToe(self.x | move, self.o)
        return TicTacToe(self.x, self.o | move)

    def evaluate(self) -> int:
        """Return the lines still open for x, less those open for o (CSC384)."""
        return lines(FULL ^ self.o) - lines(FULL ^ self.x)

    # for people

    @classmethod
    def start(cls) -> "TicTacToe":
        return TicTacToe()

    @classmethod
    def from_cells(cls, cells: str) -> "TicTacToe":
        """Return the position of nine letters, row by row: x, o, or a dot for an empty square.

        Spaces are ignored.
        """
        letters = "".join(str(cells).split()).lower()
        x = 0
        o = 0
        for cell, letter in zip(CELLS, letters, strict=False):
            if letter == "x":
                x |= 1 << cell
            elif letter == "o":
                o |= 1 << cell
        position = TicTacToe(x, o)

        has_letters = len(letters) == 9 and set(letters) <= set("xo.")
        # The game ends when the last player to move has a line
        is_reached = popcount(x) - popcount(o) in (0, 1) and not three(
            x if position.is_max() else o
        )
        if not (has_letters and is_reached):
            expected = "nine of x, o and a dot, row by row, as a game that x began can reach them"
            raise AbvizError(f"the cells are {brief(cells)}; expected {expected}")
        return position

    @classmethod
    def from_fen(cls, fen: str) -> "TicTacToe":
        return cls.from_cells(fen)

    @property
    def flaw(self) -> str:
        """What makes the position impossible, in words; "" where it is one."""
        flaw = flaw_of(self, FULL)
        if flaw:
            return flaw

        crosses = popcount(self.x)
        noughts = popcount(self.o)
        if crosses - noughts not in (0, 1):
            return f"it has {crosses} x and {noughts} o; expected as many, or one more x"
        return ""

    @property
    def cells(self) -> str:
        letters = ""
        for cell in CELLS:
            if self.x >> cell & 1:
                letters += "x"
            elif self.o >> cell & 1:
                letters += "o"
            else:
                letters += "."
        return letters

    @property
    def fen(self) -> str:
        return self.cells

    def move_name(self, move: int) -> str:
        return NAMES[CELLS.index(move.bit_length() - 1)]

    def __str__(self) -> str:
        """Return the board in letters, with the names of empty squares."""
        shown = [
            name if cell == "." else cell for cell, name in zip(self.cells, NAMES, strict=True)
        ]
        rows = ["│".join(f"{each:^4}" for each in shown[at : at + 3]) for at in (0, 3, 6)]
        return "\n────┼────┼────\n".join(rows)

    def svg(self) -> str:
        return tic_tac_toe_svg(self.cells)


def three(cells: int) -> int:
    """Return the bits where full lines begin: 0 if there is none."""
    straight = cells & cells >> 1 & cells >> 2 | cells & cells >> 4 & cells >> 8
    return straight | cells & cells >> 5 & cells >> 10 | cells & cells >> 3 & cells >> 6


def lines(cells: int) -> int:
    """Return the number of full lines."""
    straight = popcount(cells & cells >> 1 & cells >> 2) + popcount(cells & cells >> 4 & cells >> 8)
    return (
        straight
        + popcount(cells & cells >> 5 & cells >> 10)
        + popcount(cells & cells >> 3 & cells >> 6)
    )
