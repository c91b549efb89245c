"""Tic-tac-toe counted out: published numbers, and every position against rules read off a board of nine letters."""

from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from abviz import AbvizError, TicTacToe
from abviz.engine.compiler import engine
from abviz.engine.workspace import Row, new_work
from abviz.games.rules import Found
from abviz.tracing.algorithms import alphabeta

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


# The same game, slowly: a position is nine letters


def to_move(cells: str) -> str:
    return "o" if cells.count("x") > cells.count("o") else "x"


def has_line(cells: str, who: str) -> bool:
    return any(all(cells[i] == who for i in line) for line in LINES)


def is_over(cells: str) -> bool:
    return has_line(cells, "x") or has_line(cells, "o") or "." not in cells


def children(cells: str) -> dict[int, str]:
    if is_over(cells):
        return {}
    return {i: cells[:i] + to_move(cells) + cells[i + 1 :] for i in range(9) if cells[i] == "."}


def value(cells: str) -> int:
    return has_line(cells, "x") - has_line(cells, "o")


def open_lines(cells: str, who: str) -> int:
    return sum(all(cells[i] in (who, ".") for i in line) for line in LINES)


@cache
def positions() -> list[str]:
    found = {"." * 9: None}
    for cells in found.copy():
        waiting = [cells]
        while waiting:
            for child in children(waiting.pop()).values():
                if child not in found:
                    found[child] = None
                    waiting.append(child)
    return list(found)


# Counts


def found_by_the_rules() -> set[TicTacToe]:
    found, waiting = {TicTacToe.start()}, [TicTacToe.start()]
    while waiting:
        position = waiting.pop()
        later = {position.play(name) for name in position.moves()} - found
        found |= later
        waiting += later
    return found


def mirrored(cells: str) -> str:
    return "".join(cells[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6))


def quarter_turned(cells: str) -> str:
    return "".join(cells[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))


def symmetric(cells: str) -> set[str]:
    found = set()
    for _ in range(4):
        found |= {cells, mirrored(cells)}
        cells = quarter_turned(cells)
    return found


def test_there_are_5478_positions_and_765_up_to_symmetry():
    found = found_by_the_rules()
    assert len(found) == 5_478
    assert {position.cells for position in found} == set(positions())
    assert len({min(symmetric(position.cells)) for position in found}) == 765


def test_there_are_255168_games_and_549946_nodes():
    @cache
    def games(position: TicTacToe) -> int:
        return 1 if position.over() else sum(games(position.play(name)) for name in position.moves())

    @cache
    def nodes(position: TicTacToe) -> int:
        return 1 + sum(nodes(position.play(name)) for name in position.moves())

    assert (games(TicTacToe.start()), nodes(TicTacToe.start())) == (255_168, 549_946)


def test_the_compiled_rules_count_the_same():
    ways = [engine(TicTacToe).perft(TicTacToe.start(), depth, new_work(), 0) for depth in range(1, 10)]
    assert ways == [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
    assert 1 + sum(ways) == 549_946
    work = new_work()
    assert engine(TicTacToe).minimax(TicTacToe.start(), 9, work, 0) == 0
    assert work.nodes == 549_946
    assert engine(TicTacToe).perft_unique(TicTacToe.start(), 9, new_work(), 0) == 127_872


class AsGame:
    """The rules as the teaching searches ask for them."""

    root = TicTacToe.start()

    def children(self, position: TicTacToe) -> list[TicTacToe]:
        return [position.play(name) for name in position.moves()]

    def value(self, position: TicTacToe) -> int | None:
        return position.value() if position.over() else None

    def is_max(self, position: TicTacToe) -> bool:
        return position.is_max()


def test_the_teaching_alphabeta_needs_18297_nodes():
    events = list(alphabeta(AsGame()))
    assert sum(event.kind in ("enter", "leaf") for event in events) == 18_297
    assert events[-1].value == 0


# Every position


@cache
def compiled() -> Any:
    engine(TicTacToe)  # from now on compiled code can call the rules

    @numba.njit
    def answer(position: Any, w: Any, told: Any) -> int:
        w.count[0] = 0
        told[0] = position.count(Row(w, 0))
        told[1], told[2] = position.over(), position.is_max()
        told[3] = position.value()
        told[4] = position.evaluate()
        told[5], told[6] = position.hot(), position.key()
        w.count[0] = 0
        position.moves(Row(w, 0))
        for i in range(w.count[0]):
            child = position.play(w.moves[0, i])
            told[7 + 3 * i], told[8 + 3 * i], told[9 + 3 * i] = w.moves[0, i], child.x, child.o
        return w.count[0]

    return answer


def ask_compiled(position: TicTacToe) -> list[int]:
    told = np.zeros(7 + 3 * 9, np.int64)
    n = compiled()(position, new_work(), told)
    return told[: 7 + 3 * n].tolist()


def ask_in_python(position: TicTacToe) -> list[int]:
    found = Found()
    position.moves(found)
    after = [number for move in found for number in (move, *position.play(move))]
    told = [position.count(Found()), position.over(), position.is_max(), position.value(), position.evaluate()]
    return [*told, position.hot(), position.key(), *after]


def test_every_position_is_what_it_looks_like():
    for cells in positions():
        position = TicTacToe.from_cells(cells)
        assert position.cells == cells
        assert position.is_max() == (to_move(cells) == "x")
        assert position.over() == is_over(cells)
        assert not position.over() or position.value() == value(cells)
        assert position.evaluate() == open_lines(cells, "x") - open_lines(cells, "o"), cells
        assert {name: position.play(name).cells for name in position.moves()} == {
            NAMES[i]: child for i, child in children(cells).items()
        }


def test_python_and_compiled_code_answer_alike():
    for cells in positions():
        position = TicTacToe.from_cells(cells)
        assert ask_in_python(position) == ask_compiled(position), cells


def test_positions_have_keys_of_their_own():
    assert len({TicTacToe.from_cells(cells).key() for cells in positions()}) == 5_478


# As people see it


def test_cells_are_named_like_the_squares_of_a_chessboard():
    assert TicTacToe.start().moves() == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert TicTacToe.start().play("a1").cells == "......x.."
    assert TicTacToe.start().play("c3").play("b2").cells == "..x.o...."


def test_cells_are_read_as_they_are_drawn():
    position = TicTacToe.from_cells("x o .\n. X .\n. . o")
    assert position.cells == "xo..x...o"
    assert str(position).splitlines()[0] == " x │ o │   "
    shown = position._repr_mimebundle_()
    assert shown["text/plain"] == str(position)
    assert "Row by row: x o empty; empty x empty; empty empty o." in shown["image/svg+xml"]
    assert repr(TicTacToe.start()) == "TicTacToe(x=0, o=0)"


@pytest.mark.parametrize(
    "cells, problem",
    [
        ("xo", "the cells are 'xo'; expected nine of x, o and a dot, row by row"),
        ("xo......z", "the cells are 'xo......z'; expected nine of x, o and a dot, row by row"),
        (["x"], "the cells are ['x']; expected nine of x, o and a dot, row by row"),
        ("xxx......", "the cells hold 3 x and 0 o; expected as many, or one x more"),
        ("o........", "the cells hold 0 x and 1 o; expected as many, or one x more"),
        ("xxxooo...", "the cells hold a line of x, who is to move; expected a game to end with the first line"),
        ("xxxoo.o..", "the cells hold a line of x, who is to move; expected a game to end with the first line"),
        ("oooxx.x.x", "the cells hold a line of o, who is to move; expected a game to end with the first line"),
    ],
)
def test_cells_that_cannot_be_are_refused(cells, problem):
    with pytest.raises(AbvizError) as refused:
        TicTacToe.from_cells(cells)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    "cells, text, problem",
    [
        ("x........", "a3", "unknown move 'a3': did you mean"),
        ("x........", "zz", "unknown move 'zz': there are b3, c3, a2, b2, c2, a1, b1, c1"),
        ("xxxoo....", "c1", "'c1' is no move: the game is over"),
    ],
)
def test_what_is_no_move_is_refused_with_what_is(cells, text, problem):
    with pytest.raises(AbvizError) as refused:
        TicTacToe.from_cells(cells).play(text)
    assert str(refused.value).startswith(problem)
