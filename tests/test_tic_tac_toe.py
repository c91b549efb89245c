"""Tic-tac-toe counted out: published numbers, and every position against rules read off a board of
nine letters.
"""

from functools import cache
from typing import Any

import numba
import pytest

from abviz import AbvizError, TicTacToe, perft, search
from abviz.engine.compiler import engine
from abviz.games import legal_moves

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def has_line(cells: str, who: str) -> bool:
    return any(all(cells[i] == who for i in line) for line in LINES)


def children(cells: str) -> dict[str, str]:
    if has_line(cells, "x") or has_line(cells, "o"):
        return {}
    who = "o" if cells.count("x") > cells.count("o") else "x"
    return {NAMES[i]: cells[:i] + who + cells[i + 1 :] for i in range(9) if cells[i] == "."}


def open_lines(cells: str, who: str) -> int:
    return sum(all(cells[i] in (who, ".") for i in line) for line in LINES)


@cache
def positions() -> list[str]:
    reached, waiting = {"." * 9}, ["." * 9]
    while waiting:
        later = set(children(waiting.pop()).values()) - reached
        reached |= later
        waiting += later
    return sorted(reached)


def test_published_numbers() -> None:
    @cache
    def games(cells: str) -> int:
        return sum(map(games, children(cells).values())) or 1

    assert (len(positions()), games("." * 9)) == (5_478, 255_168)
    ways = [perft(TicTacToe.start(), depth) for depth in range(1, 10)]
    assert ways == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert search(TicTacToe.start(), 9, method="minimax").nodes == 1 + sum(ways) == 549_946


def test_every_position_follows_the_rules_in_python_and_compiled() -> None:
    engine(TicTacToe)

    @numba.njit
    def compiled(position: Any) -> tuple[bool, bool, int, int]:
        return (
            position.over(),
            position.is_max(),
            position.value() if position.over() else 0,
            position.evaluate(),
        )

    for cells in positions():
        position = TicTacToe.from_cells(cells)
        assert position.cells == cells
        assert {name: position.play(name).cells for name in position.moves()} == children(cells)
        value = has_line(cells, "x") - has_line(cells, "o")
        estimate = open_lines(cells, "x") - open_lines(cells, "o")
        expected = (not children(cells), cells.count("x") == cells.count("o"), value, estimate)
        assert compiled(position) == expected
        python = (
            position.over(),
            position.is_max(),
            position.value() if position.over() else 0,
            position.evaluate(),
        )
        assert python == expected and (not position.over() or not legal_moves(position))
    assert len({TicTacToe.from_cells(cells).key() for cells in positions()}) == 5_478


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("", "the cells are ''; expected nine of x, o and a dot, row by row"),
        ("xo..x...z", "expected nine of x, o and a dot"),
        (None, "the cells are None"),
        (
            "xx.......",
            "the cells are 'xx.......'; expected nine of x, o and a dot, row by row, as a game that x began can",
        ),
        ("o........", "expected nine of x"),
        ("xxx.oo.o.", "expected nine of x"),
    ],
)
def test_bad_cells_are_refused(cells: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message):
        TicTacToe.from_cells(cells)
    assert TicTacToe.from_cells(" xo. .X. ...\n").cells == "xo..x...."
