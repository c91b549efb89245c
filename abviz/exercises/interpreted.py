"""Alpha-beta on the positions of a game, in Python.

It is for trying threads on a search that holds Python's lock.
"""

from abviz.errors import Number
from abviz.games.rules import WIN, Position


def python_search(position: Position, depth: int, alpha: Number, beta: Number) -> Number:
    """Return the value of the position, `depth` moves deep (fail-soft).

    A position that is over is worth ±1,000,000, or 0 for a draw. At depth 0 it is worth its
    `evaluate()`.
    """
    if position.over():
        return WIN * int(position.value())
    if depth == 0:
        return int(position.evaluate())

    is_max = position.is_max()
    bv: Number = -WIN - 1 if is_max else WIN + 1
    for move in position.moves():
        value = python_search(position.play(move), depth - 1, alpha, beta)
        if is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv
