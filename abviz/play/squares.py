"""What stands on a board, and by which clicks each legal move is made: what the board in the browser needs to know."""

from functools import lru_cache
from typing import Any

from abviz.errors import AbvizError, visible
from abviz.games.abalone import NAMES
from abviz.games.boards import board_kind
from abviz.games.checkers import Checkers, move_paths
from abviz.games.notation import read_move
from abviz.games.rules import legal_moves

PLACES = [complex(ord(name[0]), int(name[1])) for name in NAMES]
Clicks = dict[str, Any]  # the move's `name`, the squares chosen first (`from`, in any order), and then `to`, in order


def board_data(position: Any) -> dict[str, str]:
    """Return the kind of the board and what stands on it, as `views/page/boards.js` draws it."""
    kind = board_kind(position)
    if kind == "checkers":
        return {"kind": kind, "cells": "".join(position.pieces.get(square, ".") for square in range(1, 33))}
    if kind != "text":
        return {"kind": kind, "cells": getattr(position, kind)}
    return {"kind": kind, "cells": visible(str(position))}


def text_of(cells: str, turn: int) -> str:
    """Return the text of a position of which a board shows these cells, as `board_data` has them."""
    if len(cells) == 9:
        return cells
    names = NAMES if len(cells) == len(NAMES) else [str(square) for square in range(1, 33)]
    standing = [("K" * cell.isupper() + name, cell.lower()) for name, cell in zip(names, cells, strict=True)]
    white, black = (",".join(name for name, cell in standing if cell == side) for side in "wb")
    return f"{'BW'[turn]}:W{white}:B{black}"


def clicks(position: Any) -> list[Clicks]:
    """Return the ways of clicking the legal moves; squares are counted from 0. A move may have several ways.

    A move whose squares are not known has neither `from` nor `to`: the board offers its name.
    """
    kind = board_kind(position)
    if kind == "marbles":
        return _of_marbles(position)
    if isinstance(position, Checkers):
        paths = move_paths(position)
        return [_along(position.move_name(move), path) for move, ways in paths.items() for path in ways]
    ways = []
    for move in legal_moves(position):
        name = position.move_name(move)
        try:
            squares = read_move(name) if kind == "checkers" else ()
        except AbvizError:
            squares = ()
        ways.append(_along(name, squares))
    if kind == "cells":
        for way in ways:
            changed = zip(position.cells, position.play(way["name"]).cells, strict=True)
            way["to"] = [i for i, (before, after) in enumerate(changed) if before != after]
    return ways


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


def _along(name: str, squares: tuple[int, ...]) -> Clicks:
    return {"name": name, "from": [each - 1 for each in squares[:1]], "to": [each - 1 for each in squares[1:]]}


def _of_marbles(position: Any) -> list[Clicks]:
    """Choose the marbles that move, then where the first or the last of them goes; or drag the last along its row."""
    ways: list[Clicks] = []
    for name in position.moves():
        first, *others, target = (PLACES[NAMES.index(cell)] for cell in name.split("-"))
        row = [first]
        if others:  # sideways
            length = max(abs(others[0].real - first.real), abs(others[0].imag - first.imag))
            row = [first + i * (others[0] - first) / length for i in range(int(length) + 1)]
            targets = [target, target - first + others[0]]
        else:
            while position.marbles[PLACES.index(row[-1])] == position.marbles[PLACES.index(first)]:
                row.append(row[-1] + target - first)
            row, targets = row[:-1], row[-1:]
        way = {"name": name, "from": [PLACES.index(each) for each in row]}
        ways += [{**way, "to": [PLACES.index(each)]} for each in targets]
        if not others:
            ways[-1]["drag"] = [PLACES.index(first), PLACES.index(target)]
    # Two sideways moves of a row may share a cell, which then says nothing.
    chosen = [(frozenset(way["from"]), way["to"][0]) for way in ways]
    return [way for way, place in zip(ways, chosen, strict=True) if chosen.count(place) == 1]
