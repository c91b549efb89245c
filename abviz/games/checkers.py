"""English checkers on bitboards: the rules, for people and for the engine.

Square 1 is bit 0, and one bit is left out after every two rows (bits 8, 17, 26). So a step is
always a shift by 4 or by 5: at the edge of the board it ends on a bit that is left out, or beyond
all, and BOARD masks it.

       . 0 . 1 . 2 . 3        squares 1 to 4: Black begins here and moves to higher bits
       4 . 5 . 6 . 7 .        5 to 8
       . 9 .10 .11 .12        9 to 12
      13 .14 .15 .16 .        and so on, to bit 34
"""

from collections.abc import Iterable
from typing import NamedTuple

from abviz.errors import AbvizError
from abviz.games.boards import board_svg, board_text
from abviz.games.definition import game
from abviz.games.notation import Pieces, read_fen, read_move, write_fen
from abviz.games.rules import MoveList, check_possible, flaw_of, generated_moves, popcount

NUMBERS = {1 << (i + i // 8): i + 1 for i in range(32)}  # the number of each square by its bit
BITS = {number: bit for bit, number in NUMBERS.items()}


def mask(squares: Iterable[int]) -> int:
    return sum(BITS[square] for square in squares)


BOARD = mask(range(1, 33))
BLACK_CROWNS, WHITE_CROWNS = mask((29, 30, 31, 32)), mask((1, 2, 3, 4))
# The row of a square, 0 to 7, in binary: three masks add up the advance of all men.
ROW_1 = mask(square for square in range(1, 33) if (square - 1) // 4 & 1)
ROW_2 = mask(square for square in range(1, 33) if (square - 1) // 4 & 2)
ROW_4 = mask(square for square in range(1, 33) if (square - 1) // 4 & 4)
CENTER = mask((10, 11, 14, 15, 18, 19, 22, 23))
# Two men at home that keep the other side from crowning
BLACK_BRIDGE, WHITE_BRIDGE = mask((1, 3)), mask((30, 32))
WEIGHTS = {"men": 100, "kings": 130, "advance": 1, "center": 3, "bridge": 6}

Path = tuple[int, ...]  # the squares where a piece stands: first, on its way, last


@game(weights=WEIGHTS, players=("Black", "White"), patience=80)
class Checkers(NamedTuple):
    """A position of English checkers. MAX is Black and moves first.

    A move is a mask: the square the piece leaves, the one where it ends, and all that it captures.
    A jump that ends where it began has the captured men and, from bit 36 on, the number of its
    square's bit.
    """

    black: int = mask(range(1, 13))
    white: int = mask(range(21, 33))
    kings: int = 0  # of both colors
    turn: int = 0  # 0 black, 1 white

    def is_max(self) -> bool:
        return self.turn == 0

    def sides(self) -> tuple[int, int, int, int]:
        """Return the own pieces, the opponent's, the own that step up the bits, and down."""
        if self.turn == 0:
            return self.black, self.white, self.black, self.black & self.kings
        return self.white, self.black, self.white & self.kings, self.white

    def jumpers(self) -> int:
        """Return the pieces that can capture."""
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other
        return (up & (other >> 4 & empty >> 8 | other >> 5 & empty >> 10)) | (
            down & (other << 4 & empty << 8 | other << 5 & empty << 10)
        )

    def steppers(self) -> int:
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other
        return up & (empty >> 4 | empty >> 5) | down & (empty << 4 | empty << 5)

    def hot(self) -> bool:
        return self.jumpers() != 0

    def over(self) -> bool:
        return self.steppers() == 0 and self.jumpers() == 0

    def value(self) -> int:
        return -1 if self.turn == 0 else 1  # a player without a move has lost

    def moves(self, legal: MoveList) -> None:
        jumpers = self.jumpers()
        if jumpers:  # captures are compulsory
            while jumpers:
                start = jumpers & -jumpers
                jumpers ^= start
                self.jumps(start, legal)
            return

        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other
        add_steps(legal, up & empty >> 4, 4)
        add_steps(legal, up & empty >> 5, 5)
        add_steps(legal, down & empty << 4, -4)
        add_steps(legal, down & empty << 5, -5)

    def jumps(self, start: int, legal: MoveList) -> None:
        """Add all jumps of one piece.

        Each partial jump is continued in place; further branches are appended.
        """
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other | start  # the piece has left its square and may return to it

        i = legal.size()
        legal.add(0)
        while i < legal.size():
            jump = legal.at(i)
            taken = jump & other
            piece = start ^ jump ^ taken

            # No man is captured twice, but each stays on the board, in the way, until the end
            left = other ^ taken
            ways = 0
            for by in (4, 5, -4, -5):
                over = shift(piece, by) & left
                to = shift(over, by) & empty
                if to and start & (up if by > 0 else down):
                    ways += 1
                    if ways == 1:
                        legal.change(i, start ^ to | taken | over)
                    else:
                        legal.add(start ^ to | taken | over)

            if ways == 0:
                if piece == start:
                    legal.change(i, taken | popcount(start - 1) << 36)
                i += 1

    def count(self, legal: MoveList) -> int:
        """Count by popcounts, unless there are kings or a jump continues."""
        own, other, _, _ = self.sides()
        number = -1

        if own & self.kings == 0 and self.turn == 0:
            number = count_men(own, other, BOARD ^ own ^ other, 4, 5)
        elif own & self.kings == 0:
            number = count_men(own, other, BOARD ^ own ^ other, -4, -5)

        if number < 0:
            self.moves(legal)
            number = legal.size()
        return number

    def play(self, move: int) -> "Checkers":
        own, other, _, _ = self.sides()
        taken = move & other
        path = (move ^ taken) & BOARD

        kings = self.kings & ~taken
        crowned = path & (BLACK_CROWNS if self.turn == 0 else WHITE_CROWNS)
        kings = kings ^ path if kings & path else kings | crowned

        if self.turn == 0:
            return Checkers(own ^ path, other ^ taken, kings, 1)
        return Checkers(other ^ taken, own ^ path, kings, 0)

    def gain(self, move: int) -> int:
        return popcount(move & (self.white if self.turn == 0 else self.black))

    def features(self) -> tuple[int, int, int, int, int]:
        """Return Black's less White's men, kings, rows advanced, central pieces, and bridges."""
        black = self.black
        white = self.white
        kings = self.kings
        black_men = black & ~kings
        white_men = white & ~kings
        men = black_men | white_men

        return (
            popcount(black_men) - popcount(white_men),
            popcount(black & kings) - popcount(white & kings),
            # Black's men have advanced by the number of their row, White's by 7 less that number.
            popcount(men & ROW_1)
            + 2 * popcount(men & ROW_2)
            + 4 * popcount(men & ROW_4)
            - 7 * popcount(white_men),
            popcount(black & CENTER) - popcount(white & CENTER),
            popcount(black_men & BLACK_BRIDGE) - popcount(white_men & WHITE_BRIDGE),
        )

    # for people

    @classmethod
    def start(cls) -> "Checkers":
        return Checkers()

    @classmethod
    def from_fen(cls, fen: str) -> "Checkers":
        """Return the position of a FEN, such as "B:W18,24,K10:B12,K22".

        Raises AbvizError for an impossible one.
        """
        turn, pieces = read_fen(fen)

        def squares_of(letters: str) -> int:
            return mask(square for square, piece in pieces.items() if piece in letters)

        return Checkers(
            black=squares_of("bB"),
            white=squares_of("wW"),
            kings=squares_of("BW"),
            turn="BW".index(turn),
        )

    @property
    def flaw(self) -> str:
        """What makes the position impossible, in words; "" where it is one."""
        flaw = flaw_of(self, BOARD)
        if not flaw and self.kings & ~(self.black | self.white):
            return "kings has a square without a piece; expected kings among the pieces"
        return flaw

    @property
    def fen(self) -> str:
        if self.turn not in (0, 1):
            check_possible(self)
        return write_fen("BW"[self.turn], self.pieces)

    @property
    def pieces(self) -> Pieces:
        """The pieces by square, in rising order: b and w are men, B and W kings."""
        pieces = {}
        for bit, square in NUMBERS.items():
            if bit & (self.black | self.white):
                letter = "b" if bit & self.black else "w"
                pieces[square] = letter.upper() if bit & self.kings else letter
        return pieces

    def move_name(self, move: int) -> str:
        """Return 9-14 or 9x18; all squares (2x11x18x27) where another jump has the same ends."""
        paths = self.move_paths()
        path = paths[move][0]
        if not self.jumpers():
            return f"{path[0]}-{path[1]}"

        ends = (path[0], path[-1])
        twins = [ways for ways in paths.values() if (ways[0][0], ways[0][-1]) == ends]
        return "x".join(map(str, path if len(twins) > 1 else ends))

    def move_paths(self) -> dict[int, list[Path]]:
        """Return every legal move with its paths: a jump may reach the same result by several."""
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other
        if not self.jumpers():
            return {
                move: [(NUMBERS[move & own], NUMBERS[move & empty])]
                for move in generated_moves(self)
            }

        paths: dict[int, list[Path]] = {}

        def jump(start: int, piece: int, taken: int, path: Path) -> None:
            ended = True
            for by in (4, 5, -4, -5):
                over = shift(piece, by) & other & ~taken
                to = shift(over, by) & (empty | start)
                if to and start & (up if by > 0 else down):
                    ended = False
                    jump(start, to, taken | over, (*path, NUMBERS[to]))

            if ended:
                around = (start.bit_length() - 1) << 36 if piece == start else 0
                paths.setdefault(start ^ piece | taken | around, []).append(path)

        for bit, square in NUMBERS.items():
            if bit & self.jumpers():
                jump(bit, bit, 0, (square,))
        return paths

    def find_move(self, text: str) -> int:
        """Return the legal move of a text that names its ends or all its squares."""
        squares = read_move(text)
        paths = self.move_paths()

        # All squares first: 15x6 is the single jump from 15 to 6, although a longer one may have
        # the same ends.
        matching = [move for move, ways in paths.items() if squares in ways]
        if not matching:
            matching = [
                move for move, ways in paths.items() if squares == ways[0][:1] + ways[0][-1:]
            ]
        if len(matching) == 1:
            return matching[0]

        problem = "ambiguous" if matching else "not a legal move"
        names = [self.move_name(move) for move in matching or paths]
        expected = f"one of {', '.join(names)}" if names else "none: the game is over"
        raise AbvizError(f"{text.strip()} is {problem}; expected {expected}")

    def progress(self, move: int) -> bool:
        """Return whether the move captures or moves a man."""
        men = (self.black | self.white) & ~self.kings
        return bool(move & men) or self.gain(move) > 0

    def ending(self) -> str:
        return f"{('Black', 'White')[self.turn]} has no legal move"

    def __str__(self) -> str:
        return board_text("BW"[self.turn], self.pieces)

    def svg(self) -> str:
        return board_svg("BW"[self.turn], self.pieces)


def shift(bits: int, by: int) -> int:
    return bits << by if by > 0 else bits >> -by


def add_steps(legal: MoveList, pieces: int, by: int) -> None:
    while pieces:
        piece = pieces & -pieces
        pieces ^= piece
        legal.add(piece | shift(piece, by))


def count_men(own: int, other: int, empty: int, a: int, b: int) -> int:
    """Return the number of moves of a side without kings; −1 where a jump continues.

    Its men step by a or b.
    """
    over_a = shift(other, -a) & shift(empty, -2 * a)
    over_b = shift(other, -b) & shift(empty, -2 * b)
    jumps_a = own & over_a
    jumps_b = own & over_b
    if jumps_a | jumps_b == 0:
        return popcount(own & shift(empty, -a)) + popcount(own & shift(empty, -b))
    if (shift(jumps_a, 2 * a) | shift(jumps_b, 2 * b)) & (over_a | over_b):
        return -1
    return popcount(jumps_a) + popcount(jumps_b)
