"""Lines of play: the moves of a position, a line in words, and the rest of one that a search has left out."""

from typing import Any

from abviz.games.rules import Found
from abviz.games.scale import LAST

COMPLETION = 200_000  # nodes that may be spent on the end of a line


def found(position: Any) -> list[int]:
    """The moves as the rules write them down."""
    moves = Found()
    position.moves(moves)
    return moves


def named(position: Any, line: list[int]) -> tuple[str, ...]:
    names = []
    for move in line:
        names.append(position.move_name(move))
        position = position.play(move)
    return tuple(names)


def completed(engine: Any, position: Any, line: list[int], depth: int, value: int, work: Any) -> list[int]:
    """The line down to the position whose value came up: what the table or a plain search has left out, added.

    `work` is a record that no search has used; where its `last` is not 0 captures are played out.
    """
    work.limit = COMPLETION
    for move in line:
        position = position.play(move)
    line = list(line)
    while len(line) < LAST and not position.over() and (len(line) < depth or (int(work.last) and position.hot())):
        for move in found(position):
            child = position.play(move)
            rest, ply = depth - len(line) - 1, len(line) + 1
            reached = engine.alphabeta(child, rest, value - 1, value + 1, work, ply)
            if reached == value and int(work.nodes) < COMPLETION:
                line.append(move)
                position = child
                break
        else:
            break
    return line
