"""Abalone on bitboards: the rules, for people and for the engine.

A1 is bit 0; the 61 cells follow row by row. Letters name the rows from Black's side,
numbers the diagonals:

          I5 I6 I7 I8 I9            ways:  2 . . 1
        H4 H5 H6 H7 H8 H9                 . \\ / .
      G3 G4 G5 G6 G7 G8 G9               3 . o . 0
    F2 F3 F4 F5 F6 F7 F8 F9               . / \\ .
  E1 E2 E3 E4 E5 E6 E7 E8 E9               4 . . 5
    D1 D2 D3 D4 D5 D6 D7 D8
      C1 C2 C3 C4 C5 C6 C7
        B1 B2 B3 B4 B5 B6
          A1 A2 A3 A4 A5

A player moves one, two or three marbles of a row by one cell, along the row or sideways. Along the
row they push a shorter row of the opponent, whose last marble may fall off. A player who has lost
six marbles has lost.
"""

from itertools import groupby
from typing import NamedTuple

from abviz.errors import AbvizError, brief
from abviz.games.boards import CELLS
from abviz.games.definition import game
from abviz.games.notation import COLORS, read_sides
from abviz.games.rules import DEFAULTS, MoveList, flaw_of, popcount

BITS = {name: 1 << i for i, name in enumerate(CELLS)}
MARBLES, LOST = 14, 6  # of each side at the start, and how many of them lose the game


def steppers(row_change: int, number_change: int, distance: int) -> int:
    """Return the cells from which this step stays on the board and goes `distance` bits up."""
    cells = 0
    for name, bit in BITS.items():
        row = chr(ord(name[0]) + row_change)
        number = int(name[1]) + number_change
        if BITS.get(f"{row}{number}") == bit << distance:
            cells |= bit
    return cells


BOARD = (1 << len(CELLS)) - 1
EAST = steppers(0, 1, 1)
# Rows differ in length, so a step to the next row goes up by 6 to 9 bits (north-east, way 1) or by
# 5 to 8 (north-west).
NE_6, NE_7, NE_8, NE_9 = (steppers(1, 1, distance) for distance in (6, 7, 8, 9))
NW_5, NW_6, NW_7, NW_8 = (steppers(1, 0, distance) for distance in (5, 6, 7, 8))


def nearness(name: str) -> int:
    """Return 4 minus the distance from the center, E5: 4 there, 0 on the edge."""
    row = ord(name[0]) - ord("E")
    number = int(name[1]) - 5
    return 4 - max(abs(row), abs(number), abs(row - number))


# The nearness of a cell in binary: three masks add up that of all marbles.
NEAR_1 = sum(BITS[name] for name in CELLS if nearness(name) & 1)
NEAR_2 = sum(BITS[name] for name in CELLS if nearness(name) & 2)
NEAR_4 = sum(BITS[name] for name in CELLS if nearness(name) & 4)

STANDARD = "B:WG5,G6,G7,H4,H5,H6,H7,H8,H9,I5,I6,I7,I8,I9:BA1,A2,A3,A4,A5,B1,B2,B3,B4,B5,B6,C3,C4,C5"
BELGIAN_DAISY = (
    "B:WA4,A5,B4,B5,B6,C5,C6,G4,G5,H4,H5,H6,I5,I6:BA1,A2,B1,B2,B3,C2,C3,G7,G8,H7,H8,H9,I8,I9"
)
WEIGHTS = {"marbles": 100, "center": 10, "liberty": -1}  # learned by self-play: abviz.play.tune

# A move is a number: the bit of its last marble, and above it the way, how many marbles move and
# how many are pushed, whether one falls off, and 1 + the way along the row if it moves sideways.
WAY, OWN, PUSHED, OFF, SIDEWAYS = 6, 9, 11, 13, 14


@game(weights=WEIGHTS, players=("Black", "White"), patience=100)
class Abalone(NamedTuple):
    """A position of Abalone. MAX is Black and moves first."""

    black: int
    white: int
    turn: int  # 0 black, 1 white

    def is_max(self) -> bool:
        return self.turn == 0

    def own(self) -> int:
        return self.black if self.turn == 0 else self.white

    def other(self) -> int:
        return self.white if self.turn == 0 else self.black

    def decided(self) -> bool:
        return min(popcount(self.black), popcount(self.white)) <= MARBLES - LOST

    def over(self) -> bool:
        return self.decided() or not self.can_move()

    def value(self) -> int:
        if self.decided():
            return -1 if popcount(self.black) <= MARBLES - LOST else 1
        return -1 if self.turn == 0 else 1  # a player without a move has lost

    def can_move(self) -> bool:
        own, other = self.own(), self.other()
        for way in range(6):
            if own & behind(BOARD ^ own ^ other, way):
                return True
        return can_push(own, other, own | other)

    def hot(self) -> bool:
        return can_push(self.own(), self.other(), BOARD)

    def moves(self, legal: MoveList) -> None:
        """Add the moves: first those that push a marble off, then other pushes, then the rest."""
        if self.decided():
            return

        own = self.own()
        other = self.other()
        empty = BOARD ^ own ^ other
        for way in range(6):
            add_pushes(legal, own, other, other & ~behind(BOARD, way), way | 1 << (OFF - WAY))
        for way in range(6):
            add_pushes(legal, own, other, other & behind(empty, way), way)

        for way in range(6):
            one = own & behind(empty, way)
            two = own & behind(one, way)
            add_each(legal, own & behind(two, way), way << WAY | 3 << OWN)
            add_each(legal, two, way << WAY | 2 << OWN)
            add_each(legal, one, way << WAY | 1 << OWN)

            for along in range(3):
                if along != way % 3:
                    two = one & behind(one, along)
                    sideways = way << WAY | (along + 1) << SIDEWAYS
                    add_each(legal, one & behind(two, along), sideways | 3 << OWN)
                    add_each(legal, two, sideways | 2 << OWN)

    def play(self, move: int) -> "Abalone":
        own = self.own()
        other = self.other()
        first = 1 << (move & 63)
        way = move >> WAY & 7
        along = (move >> SIDEWAYS) - 1

        if along >= 0:
            row = first | ahead(first, along)
            if move >> OWN & 3 == 3:
                row |= ahead(row, along)
            own ^= row | ahead(row, way)
        else:
            to = ahead_by(first, way, move >> OWN & 3)
            own ^= first | to
            # Which leaves the board with the marble that falls
            other ^= to ^ ahead_by(to, way, move >> PUSHED & 3)

        if self.turn == 0:
            return Abalone(own, other, 1)
        return Abalone(other, own, 0)

    def gain(self, move: int) -> int:
        return move >> OFF & 1

    def features(self) -> tuple[int, int, int]:
        """Return Black's less White's marbles, nearness to the center, and empty cells nearby."""
        black = self.black
        white = self.white
        liberty = 0
        for way in range(6):
            free = behind(BOARD ^ black ^ white, way)
            liberty += popcount(black & free) - popcount(white & free)
        return popcount(black) - popcount(white), near(black) - near(white), liberty

    # for people

    @property
    def flaw(self) -> str:
        """What makes the position impossible, in words; "" where it is one."""
        return flaw_of(self, BOARD)

    @classmethod
    def start(cls) -> "Abalone":
        return Abalone.from_fen(STANDARD)

    @classmethod
    def belgian_daisy(cls) -> "Abalone":
        return Abalone.from_fen(BELGIAN_DAISY)

    @classmethod
    def from_fen(cls, fen: str) -> "Abalone":
        """Return the position of a text such as "B:WG5,G6:BA1,A2".

        It says who moves, and where White's marbles and Black's are.
        """
        turn, items = read_sides(fen, "the position", "B:WG5,G6:BA1,A2")
        marbles: dict[str, str] = {}
        for color, cell in items:
            if cell not in BITS or cell in marbles:
                raise AbvizError(
                    f"the position has a marble on {brief(cell)}; "
                    "expected an empty cell from A1 to I9"
                )
            marbles[cell] = color

        colors = list(marbles.values())
        if any(colors.count(color) > MARBLES for color in COLORS):
            raise AbvizError(
                f"the position has {len(marbles)} marbles; expected at most {MARBLES} on each side"
            )
        return Abalone(
            black=sum(BITS[cell] for cell, color in marbles.items() if color == "B"),
            white=sum(BITS[cell] for cell, color in marbles.items() if color == "W"),
            turn="BW".index(turn),
        )

    @property
    def fen(self) -> str:
        white = ",".join(cell for cell in CELLS if BITS[cell] & self.white)
        black = ",".join(cell for cell in CELLS if BITS[cell] & self.black)
        return f"{'BW'[self.turn]}:W{white}:B{black}"

    @property
    def marbles(self) -> str:
        """The 61 cells from A1 to I9: "b", "w", or "." where a cell is empty."""
        letters = ""
        for bit in BITS.values():
            if self.black & bit:
                letters += "b"
            elif self.white & bit:
                letters += "w"
            else:
                letters += "."
        return letters

    def move_name(self, move: int) -> str:
        """Return A5-B5, the step of the last marble; sideways A1-A3-B1.

        A sideways move has both ends of the row, and where the first of them goes.
        """
        row, targets = moved_cells(move)
        ends = [row[0]] if is_along_row(move) else [row[0], row[-1]]
        return "-".join(CELLS[cell] for cell in (*ends, targets[0]))

    def find_move(self, text: str) -> int:
        return int(DEFAULTS["find_move"](self, "".join(text.upper().split())))

    def progress(self, move: int) -> bool:
        """Return whether the move pushes a marble off."""
        return self.gain(move) > 0

    def __str__(self) -> str:
        """Return the board in letters, row I above."""
        rows = []
        for name, cells in groupby(zip(CELLS, self.marbles, strict=True), lambda cell: cell[0][0]):
            indent = " " * abs("ABCDEFGHI".index(name) - 4)
            rows.append(f"{indent}{name} {' '.join(marble for _, marble in cells)}")

        caption = f"{COLORS['BW'[self.turn]]} to move ({'bw'[self.turn]})"
        return "\n".join([*reversed(rows), caption])


def ahead(cells: int, way: int) -> int:
    """Return the cells one step further; what leaves the board is dropped."""
    if way == 0:
        return (cells & EAST) << 1
    if way == 1:
        return (cells & NE_6) << 6 | (cells & NE_7) << 7 | (cells & NE_8) << 8 | (cells & NE_9) << 9
    if way == 2:
        return (cells & NW_5) << 5 | (cells & NW_6) << 6 | (cells & NW_7) << 7 | (cells & NW_8) << 8
    if way == 3:
        return cells >> 1 & EAST
    if way == 4:
        return cells >> 6 & NE_6 | cells >> 7 & NE_7 | cells >> 8 & NE_8 | cells >> 9 & NE_9
    return cells >> 5 & NW_5 | cells >> 6 & NW_6 | cells >> 7 & NW_7 | cells >> 8 & NW_8


def ahead_by(cells: int, way: int, steps: int) -> int:
    for _ in range(steps):
        cells = ahead(cells, way)
    return cells


def is_along_row(move: int) -> bool:
    return move >> SIDEWAYS == 0


def moved_cells(move: int) -> tuple[list[int], list[int]]:
    """Return the cells of the marbles that move, from the last one on, and where they arrive.

    Cells are numbers, 0 to 60.
    """
    way = move >> WAY & 7
    along = way if is_along_row(move) else (move >> SIDEWAYS) - 1
    row = [1 << (move & 63)]
    for _ in range(1, move >> OWN & 3):
        row.append(ahead(row[-1], along))

    left = [marble.bit_length() - 1 for marble in row]
    reached = [ahead(marble, way).bit_length() - 1 for marble in row]
    return left, reached


def behind(cells: int, way: int) -> int:
    """Return the cells whose next cell is one of these."""
    return ahead(cells, way + 3 if way < 3 else way - 3)


def can_push(own: int, other: int, stopping: int) -> bool:
    """Return whether a row can push.

    A cell of `stopping` in front of the pushed marbles holds them up.
    """
    for way in range(6):
        last = other & ~behind(stopping, way)
        second = other & behind(last, way)
        if own & behind(own & behind(last | own & behind(second, way), way), way):
            return True
    return False


def add_pushes(legal: MoveList, own: int, other: int, last: int, way: int) -> None:
    step = way & 7
    two_one = own & behind(own & behind(last, step), step)
    first_of_two = other & behind(last, step)
    three_two = own & behind(own & behind(own & behind(first_of_two, step), step), step)

    add_each(legal, three_two, way << WAY | 3 << OWN | 2 << PUSHED)
    add_each(legal, own & behind(two_one, step), way << WAY | 3 << OWN | 1 << PUSHED)
    add_each(legal, two_one, way << WAY | 2 << OWN | 1 << PUSHED)


def add_each(legal: MoveList, marbles: int, move: int) -> None:
    while marbles:
        marble = marbles & -marbles
        marbles ^= marble
        legal.add(popcount(marble - 1) | move)


def near(cells: int) -> int:
    return popcount(cells & NEAR_1) + 2 * popcount(cells & NEAR_2) + 4 * popcount(cells & NEAR_4)
