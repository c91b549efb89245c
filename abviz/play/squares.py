"""By which clicks each legal move is made: what the board in the browser needs to know. Squares count from 0."""

from functools import lru_cache
from typing import Any

from abviz.games.abalone import is_along_row, moved_cells
from abviz.games.boards import CELLS, board_data
from abviz.games.notation import SQUARES
from abviz.games.rules import legal_moves

Clicks = dict[str, Any]  # the squares chosen first (`from`, in any order), and then `to`, in order


def text_of(cells: str, turn: int) -> str:
    """Return the text of a position of which a board shows these cells, as `board_data` has them."""
    if len(cells) == 9:
        return cells
    names = CELLS if len(cells) == len(CELLS) else [str(square) for square in range(1, SQUARES + 1)]
    standing = [("K" * cell.isupper() + name, cell.lower()) for name, cell in zip(names, cells, strict=True)]
    white, black = (",".join(name for name, cell in standing if cell == side) for side in "wb")
    return f"{'BW'[turn]}:W{white}:B{black}"


def clicks(position: Any) -> list[Clicks]:
    """Return the ways of clicking the legal moves, each with the move's `name` and the cells `after` it.

    A move may have several ways. Where its squares are not known, there is neither `from` nor `to`: the board offers
    its name.
    """
    ways: list[Clicks] = []
    for move in legal_moves(position):
        name, (_, after) = position.move_name(move), board_data(position.play(move))
        ways += [{"name": name, "after": after, **squares} for squares in _squares(position, move, after)]
    # Two sideways moves of a row of marbles may share a cell, which then says nothing.
    chosen = [(frozenset(way["from"]), *way["to"]) for way in ways]
    return [way for way, squares in zip(ways, chosen, strict=True) if not way["to"] or chosen.count(squares) == 1]


def _squares(position: Any, move: int, after: str) -> list[Clicks]:
    kind, before = board_data(position)
    if kind == "cells":
        return [{"from": [], "to": [i for i in range(9) if before[i] != after[i]]}]
    if kind == "marbles":  # choose them, then where the first or the last goes; or drag the last along its row
        row, targets = moved_cells(move)
        if is_along_row(move):
            return [{"from": row, "to": targets[-1:], "drag": [row[0], targets[0]]}]
        return [{"from": row, "to": [target]} for target in (targets[0], targets[-1])]
    paths = position.move_paths()[move] if hasattr(position, "move_paths") else [()]
    ways = [[square - 1 for square in path] for path in paths]
    return [{"from": way[:1], "to": way[1:]} for way in ways]


@lru_cache(maxsize=1)  # a line stays for many reports
def arrows(position: Any, line: tuple[str, ...]) -> list[list[int]]:
    """Return the first and the last square of each move of the line, as far as they are known."""
    ends = []
    for name in line:
        way = next(way for way in clicks(position) if way["name"] == name)
        squares = [*way["from"][:1], *way["to"]]
        ends += [[squares[0], squares[-1]]] if squares else []
        position = position.play(name)
    return ends
