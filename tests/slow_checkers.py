"""English checkers by the book, on a plain board of squares: slow, short, and sharing no code with
what it judges.

Squares are numbered 1 to 32 as in PDN. Inside, a square is a spot (row, column): row 0 is black's
side with the squares 1 to 4, row 7 white's side with 29 to 32. A piece is one of b (a black man), B
(a black king), w and W.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

Spot = tuple[int, int]
Board = dict[Spot, str]


def spot_of(square: int) -> Spot:
    row, place = divmod(square - 1, 4)
    return row, 2 * place + 1 if row % 2 == 0 else 2 * place


SPOT = {square: spot_of(square) for square in range(1, 33)}
SQUARE = {spot: square for square, spot in SPOT.items()}

DOWN = [(1, -1), (1, 1)]
UP = [(-1, -1), (-1, 1)]
DIRECTIONS = {"b": DOWN, "w": UP, "B": DOWN + UP, "W": DOWN + UP}
KING_ROW = {"b": 7, "w": 0}
OTHER = {"B": "W", "W": "B"}


class Move(NamedTuple):
    """The squares visited, first to last, and the squares of the pieces captured on the way."""

    path: tuple[int, ...]
    captured: frozenset[int] = frozenset()

    @property
    def outcome(self) -> tuple[int, int, frozenset[int]]:
        """What the move changes on the board: two ways of jumping with the same outcome lead to the
        same position.
        """
        return self.path[0], self.path[-1], self.captured


def colour(kind: str) -> str:
    return kind.upper()


@dataclass(frozen=True)
class SlowCheckers:
    """A position: who is to move ("B" or "W"), and the pieces as (square, kind), also given as
    {square: kind}.
    """

    turn: str
    pieces: tuple[tuple[int, str], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(sorted(dict(self.pieces).items())))

    @classmethod
    def start(cls) -> "SlowCheckers":
        black = {square: "b" for square in range(1, 13)}
        white = {square: "w" for square in range(21, 33)}
        return cls("B", black | white)

    @classmethod
    def from_fen(cls, text: str) -> "SlowCheckers":
        """The plain form of a PDN FEN: W:W30,K22:B7,8 (either colour first, no ranges of squares)."""
        squares = r"(?:K?\d+(?:,K?\d+)*)?"
        match = re.fullmatch(
            rf"([BW]):(?:W({squares}):B({squares})|B({squares}):W({squares}))\.?", text
        )
        if not match:
            raise ValueError(f"not a plain FEN: {text}")
        turn, white, black, black_first, white_second = match.groups()
        pieces: dict[int, str] = {}
        for man, listed in [("b", black or black_first), ("w", white or white_second)]:
            for item in listed.split(",") if listed else []:
                square = int(item.lstrip("K"))
                if square not in SPOT or square in pieces:
                    raise ValueError(f"square {square} in {text}")
                pieces[square] = man.upper() if item.startswith("K") else man
        return cls(turn, pieces)

    def fen(self) -> str:
        """White first, as PDN does, and each side's squares in rising order."""
        sides = {"W": [], "B": []}
        for square, kind in self.pieces:
            sides[colour(kind)].append(f"K{square}" if kind.isupper() else str(square))
        return f"{self.turn}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"

    def board(self) -> Board:
        return {SPOT[square]: kind for square, kind in self.pieces}

    def own(self) -> list[tuple[int, str]]:
        return [(square, kind) for square, kind in self.pieces if colour(kind) == self.turn]

    def moves(self) -> list[Move]:
        """Whoever can capture must; otherwise any step will do."""
        return self.jumps() or self.steps()

    def steps(self) -> list[Move]:
        board = self.board()
        moves = []
        for square, kind in self.own():
            row, column = SPOT[square]
            for down, right in DIRECTIONS[kind]:
                to = row + down, column + right
                if to in SQUARE and to not in board:
                    moves.append(Move((square, SQUARE[to])))
        return moves

    def jumps(self) -> list[Move]:
        board = self.board()
        moves = []
        for square, kind in self.own():
            # The piece is in the air: it may come back to where it stood.
            del board[SPOT[square]]
            moves += jumps_from([SPOT[square]], [], kind, board)
            board[SPOT[square]] = kind
        return moves

    def play(self, move: Move) -> "SlowCheckers":
        """The position after one of moves(); captured pieces leave the board, and a man is crowned,
        only now.
        """
        pieces = dict(self.pieces)
        kind = pieces.pop(move.path[0])
        for square in move.captured:
            del pieces[square]
        last_row, _ = SPOT[move.path[-1]]
        pieces[move.path[-1]] = kind.upper() if KING_ROW.get(kind) == last_row else kind
        return SlowCheckers(OTHER[self.turn], pieces)

    def winner(self) -> str | None:
        """The other side, where the side to move has no move; nobody as long as there is one."""
        return None if self.moves() else OTHER[self.turn]

    def perft(self, depth: int) -> int:
        """Return the number of ways to play `depth` moves; each path of a jump counts separately."""
        if depth == 0:
            return 1
        moves = self.moves()
        return len(moves) if depth == 1 else sum(self.play(move).perft(depth - 1) for move in moves)

    def perft_unique(self, depth: int) -> int:
        """The same, where jumps of one start, one end and one set of captured pieces are one way."""
        if depth == 0:
            return 1
        moves = {move.outcome: move for move in self.moves()}.values()
        return (
            len(moves)
            if depth == 1
            else sum(self.play(move).perft_unique(depth - 1) for move in moves)
        )


def jumps_from(path: list[Spot], captured: list[Spot], kind: str, board: Board) -> list[Move]:
    """Every complete jump that begins as the path does; the board still holds the pieces captured
    so far.

    A man who lands on his king row stops there: he is a man until the move is over, and no row lies
    ahead.
    """
    row, column = path[-1]
    moves = []
    for down, right in DIRECTIONS[kind]:
        over = row + down, column + right
        if over not in board or colour(board[over]) == colour(kind) or over in captured:
            continue
        landing = row + 2 * down, column + 2 * right
        if landing in SQUARE and landing not in board:
            moves += jumps_from([*path, landing], [*captured, over], kind, board)
    if not moves and captured:
        return [
            Move(tuple(SQUARE[spot] for spot in path), frozenset(SQUARE[spot] for spot in captured))
        ]
    return moves


# Positions to compare others' rules on.


def random_game(rng: Random, plies: int) -> Iterator[SlowCheckers]:
    """The start and the positions after each of so many random moves, fewer where the game ends
    before.
    """
    position = SlowCheckers.start()
    yield position
    for _ in range(plies):
        moves = position.moves()
        if not moves:
            return
        position = position.play(rng.choice(moves))
        yield position


def random_placement(rng: Random) -> SlowCheckers:
    """1 to 12 pieces a side anywhere, few kings or many; never a man on his king row."""
    black, white = rng.randint(1, 12), rng.randint(1, 12)
    squares = rng.sample(range(1, 33), black + white)
    return set_up("b" * black + "w" * white, squares, rng.random(), rng)


def random_tangle(rng: Random) -> SlowCheckers:
    """One to three pieces among enemies that stand a row and a column apart: many jumps, long ones
    and round ones.
    """
    own, enemy = rng.choice(["bw", "wb"])
    rows = rng.choice([(1, 3, 5), (2, 4, 6)])
    posts = [square for square, (row, column) in SPOT.items() if row in rows and 0 < column < 7]
    enemies = rng.sample(posts, rng.randint(3, len(posts)))
    movers = rng.sample([square for square in SPOT if square not in posts], rng.randint(1, 3))
    placed = set_up(own * len(movers) + enemy * len(enemies), movers + enemies, 0.7, rng)
    return SlowCheckers(colour(own), placed.pieces)


def set_up(men: str, squares: list[int], share_of_kings: float, rng: Random) -> SlowCheckers:
    pieces = {}
    for man, square in zip(men, squares, strict=True):
        row, _ = SPOT[square]
        king = row == KING_ROW[man] or rng.random() < share_of_kings
        pieces[square] = man.upper() if king else man
    return SlowCheckers(rng.choice("BW"), pieces)
