"""English checkers on bitboards: the rules, written once, for people and for the engine."""

from typing import Any, NamedTuple

from abviz.games.boards import board_svg, board_text
from abviz.games.paths import find_move, move_name, placement
from abviz.games.placement import Placement, checked, read_fen, write_fen
from abviz.games.rules import game, popcount
from abviz.games.squares import BOARD, mask

BLACK_CROWNS, WHITE_CROWNS = mask((29, 30, 31, 32)), mask((1, 2, 3, 4))
# The row of a square, 0 to 7, in binary digits: so the advance of all men is added up by three masks.
ROW_1, ROW_2, ROW_4 = (mask(square for square in range(1, 33) if (square - 1) // 4 & digit) for digit in (1, 2, 4))
CENTRE = mask((10, 11, 14, 15, 18, 19, 22, 23))
BLACK_BRIDGE, WHITE_BRIDGE = mask((1, 3)), mask((30, 32))  # two men at home who keep the other from making kings


WEIGHTS = {"men": 100, "kings": 130, "advance": 1, "centre": 3, "bridge": 6}


@game(weights=WEIGHTS, players=("Black", "White"), patience=80)
class Checkers(NamedTuple):
    """A position of English checkers. MAX is black, who begins.

    A move is a mask: the square where the piece stood, the one where it ends, and all that it takes. A jump that ends
    where it began is told by the men taken and, from bit 36 on, the number of its square's bit.
    """

    black: int = mask(range(1, 13))
    white: int = mask(range(21, 33))
    kings: int = 0  # of both colours
    turn: int = 0  # 0 black, 1 white

    def is_max(self) -> bool:
        return self.turn == 0

    def sides(self) -> tuple[int, int, int, int]:
        """The pieces of whose move it is, the other's, and of the first those that step up the bits and down."""
        if self.turn == 0:
            return self.black, self.white, self.black, self.black & self.kings
        return self.white, self.black, self.white & self.kings, self.white

    def jumpers(self) -> int:
        """The pieces that can take."""
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
        return -1 if self.turn == 0 else 1  # who cannot move has lost

    def moves(self, found: Any) -> None:
        jumpers = self.jumpers()
        if jumpers:  # then nothing else is legal
            while jumpers:
                start = jumpers & -jumpers
                jumpers ^= start
                self.jumps(start, found)
            return
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other
        pieces = up & empty >> 4
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            found.add(piece | piece << 4)
        pieces = up & empty >> 5
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            found.add(piece | piece << 5)
        pieces = down & empty << 4
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            found.add(piece | piece >> 4)
        pieces = down & empty << 5
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            found.add(piece | piece >> 5)

    def jumps(self, start: int, found: Any) -> None:
        """All jumps of one piece, each path on its own: what was found is gone through, and led on while it can be."""
        own, other, up, down = self.sides()
        empty = BOARD ^ own ^ other | start  # the piece has left its square and may pass it, or end there
        i = found.size()
        found.add(0)
        while i < found.size():
            jump = found.at(i)
            taken = jump & other
            piece = start ^ jump ^ taken
            left = other ^ taken  # no man is taken twice, but he stays on the board, and in the way, until the end
            ways = 0
            if start & up:
                over = piece << 4 & left
                ways = lead_on(found, i, ways, start, taken | over, over << 4 & empty)
                over = piece << 5 & left
                ways = lead_on(found, i, ways, start, taken | over, over << 5 & empty)
            if start & down:
                over = piece >> 4 & left
                ways = lead_on(found, i, ways, start, taken | over, over >> 4 & empty)
                over = piece >> 5 & left
                ways = lead_on(found, i, ways, start, taken | over, over >> 5 & empty)
            if ways == 0:
                if piece == start:
                    found.change(i, taken | popcount(start - 1) << 36)
                i += 1

    def count(self, found: Any) -> int:
        """All moves by popcounts, unless there are kings or a jump goes on."""
        own, other, _, _ = self.sides()
        empty = BOARD ^ own ^ other
        if own & self.kings == 0:
            if self.turn == 0:
                a, b = own & other >> 4 & empty >> 8, own & other >> 5 & empty >> 10
                if a | b == 0:
                    return popcount(own & empty >> 4) + popcount(own & empty >> 5)
                goes_on = (a << 8 | b << 10) & (other >> 4 & empty >> 8 | other >> 5 & empty >> 10)
            else:
                a, b = own & other << 4 & empty << 8, own & other << 5 & empty << 10
                if a | b == 0:
                    return popcount(own & empty << 4) + popcount(own & empty << 5)
                goes_on = (a >> 8 | b >> 10) & (other << 4 & empty << 8 | other << 5 & empty << 10)
            if goes_on == 0:
                return popcount(a) + popcount(b)
        self.moves(found)
        return int(found.size())

    def play(self, move: int) -> "Checkers":
        black, white, kings = self.black, self.white, self.kings
        if self.turn == 0:
            taken = move & white
            path = (move ^ taken) & BOARD
            kings &= ~taken
            kings = kings ^ path if kings & path else kings | path & BLACK_CROWNS
            return Checkers(black ^ path, white ^ taken, kings, 1)
        taken = move & black
        path = (move ^ taken) & BOARD
        kings &= ~taken
        kings = kings ^ path if kings & path else kings | path & WHITE_CROWNS
        return Checkers(black ^ taken, white ^ path, kings, 0)

    def gain(self, move: int) -> int:
        return popcount(move & (self.white if self.turn == 0 else self.black))

    def features(self) -> tuple[int, int, int, int, int]:
        """Black's less White's: men, kings, rows advanced, pieces in the centre, men of the bridge."""
        black, white, kings = self.black, self.white, self.kings
        black_men, white_men = black & ~kings, white & ~kings
        men = black_men | white_men
        return (
            popcount(black_men) - popcount(white_men),
            popcount(black & kings) - popcount(white & kings),
            # Black's men have come as far as their row says, White's as far as it says from 7 down.
            popcount(men & ROW_1) + 2 * popcount(men & ROW_2) + 4 * popcount(men & ROW_4) - 7 * popcount(white_men),
            popcount(black & CENTRE) - popcount(white & CENTRE),
            popcount(black_men & BLACK_BRIDGE) - popcount(white_men & WHITE_BRIDGE),
        )

    # for people

    @classmethod
    def start(cls) -> "Checkers":
        return Checkers()

    @classmethod
    def from_fen(cls, fen: str) -> "Checkers":
        """The position of a FEN, such as "B:W18,24,K10:B12,K22". Raises AbvizError for one that cannot be."""
        return cls.from_placement(read_fen(fen))

    @classmethod
    def from_placement(cls, placed: Placement) -> "Checkers":
        placed = checked(placed, "the position")
        kings = mask(placed.black_kings | placed.white_kings)
        black, white = (mask(placed.men(colour) | placed.kings(colour)) for colour in "BW")
        return Checkers(black, white, kings, "BW".index(placed.turn))

    @property
    def placement(self) -> Placement:
        return placement(self)

    @property
    def fen(self) -> str:
        return write_fen(self.placement)

    def move_name(self, move: int) -> str:
        return move_name(self, move)

    def find_move(self, text: str) -> int:
        return find_move(self, text)

    def progress(self, move: int) -> bool:
        """A capture, or a move of a man."""
        men = (self.black | self.white) & ~self.kings
        return bool(move & men) or self.gain(move) > 0

    def ending(self) -> str:
        return f"{('Black', 'White')[self.turn]} has no legal move"

    def __str__(self) -> str:
        return board_text(self.placement)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": board_svg(self.placement)}


def lead_on(found: Any, i: int, ways: int, start: int, taken: int, to: int) -> int:
    """Where a jump can go on, write it down: the first way in its place, any other at the end."""
    if to == 0:
        return ways
    if ways == 0:
        found.change(i, start ^ to | taken)
    else:
        found.add(start ^ to | taken)
    return ways + 1
