"""Checkers, on bitboards of 32 bits."""

from math import inf
from typing import NamedTuple

from abviz.games import checkers_game
from abviz.games.rules import popcount

BOARD = 0xFFFFFFFF
# Rows whose squares have their lower neighbours 4 and 5 away, or 3 and 4
EVEN, ODD = 0x0F0F0F0F, 0xF0F0F0F0
LEFT, RIGHT = 0x10101010, 0x08080808  # squares at the edges
BLACK_CROWNS, WHITE_CROWNS = 0xF0000000, 0x0000000F
MAN, KING = 100, 130


def step(bits, way):
    """Return the squares next to these: below to the left (0) and to the right (1), above to the
    left and right.
    """
    if way == 0:
        return ((bits & EVEN) << 4 | (bits & ODD & ~LEFT) << 3) & BOARD
    if way == 1:
        return ((bits & EVEN & ~RIGHT) << 5 | (bits & ODD) << 4) & BOARD
    if way == 2:
        return (bits & EVEN) >> 4 | (bits & ODD & ~LEFT) >> 5
    return (bits & EVEN & ~RIGHT) >> 3 | (bits & ODD) >> 4


@checkers_game
class MyCheckers(NamedTuple):
    """Bit n - 1 of black, white and kings is square n. MAX is Black.

    A move is the squares that it changes; one that ends where it began has the number of that
    square's bit on top.
    """

    black: int
    white: int
    kings: int
    turn: int

    def is_max(self):
        return self.turn == 0

    def own(self):
        return self.black if self.turn == 0 else self.white

    def other(self):
        return self.white if self.turn == 0 else self.black

    def movers(self, way):
        """Return the pieces that may go this way."""
        forwards = (way < 2) == (self.turn == 0)
        return self.own() if forwards else self.own() & self.kings

    def jumpers(self):
        empty, found = BOARD ^ self.black ^ self.white, 0
        for way in range(4):
            found |= self.movers(way) & step(step(empty, 3 - way) & self.other(), 3 - way)
        return found

    def moves(self, legal):
        empty, jumpers = BOARD ^ self.black ^ self.white, self.jumpers()
        if jumpers:
            while jumpers:
                self.jumps(jumpers & -jumpers, legal)
                jumpers &= jumpers - 1
            return
        for way in range(4):
            pieces = self.movers(way) & step(empty, 3 - way)
            while pieces:
                piece = pieces & -pieces
                legal.add(piece | step(piece, way))
                pieces ^= piece

    def jumps(self, start, legal):
        other, empty = self.other(), BOARD ^ self.black ^ self.white | start
        i = legal.size()
        legal.add(0)
        while i < legal.size():
            jump = legal.at(i)
            taken = jump & other
            piece = jump ^ taken ^ start
            ways = 0
            for way in range(4):
                over = step(piece, way) & other & ~taken
                to = step(over, way) & empty
                if to and start & self.movers(way):
                    longer = start ^ to | taken | over
                    if ways == 0:
                        legal.change(i, longer)
                    else:
                        legal.add(longer)
                    ways += 1
            if ways == 0:
                if piece == start:
                    legal.change(i, taken | popcount(start - 1) << 32)
                i += 1

    def play(self, move):
        own, other = self.own(), self.other()
        taken, path = move & other, move & BOARD & ~other
        own, other, kings = own ^ path, other ^ taken, self.kings & ~taken
        if kings & path:
            kings ^= path
        kings |= path & own & (BLACK_CROWNS if self.turn == 0 else WHITE_CROWNS)
        if self.turn == 0:
            return MyCheckers(own, other, kings, 1)
        return MyCheckers(other, own, kings, 0)

    def over(self):
        empty, steppers = BOARD ^ self.black ^ self.white, 0
        for way in range(4):
            steppers |= self.movers(way) & step(empty, 3 - way)
        return steppers == 0 and self.jumpers() == 0

    def value(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        men = popcount(self.black & ~self.kings) - popcount(self.white & ~self.kings)
        kings = popcount(self.black & self.kings) - popcount(self.white & self.kings)
        return MAN * men + KING * kings

    def hot(self):
        return self.jumpers() != 0

    def gain(self, move):
        return popcount(move & self.other())


def checkers_alphabeta(position, depth, alpha=-inf, beta=inf):
    if position.over():
        return 1_000_000 * position.value()
    if depth == 0:
        return position.evaluate()
    bv = -inf if position.is_max() else inf
    for move in position.moves():
        value = checkers_alphabeta(position.play(move), depth - 1, alpha, beta)
        if position.is_max():
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv
