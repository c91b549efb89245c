"""The textbook's searches, compiled: against the same source as Python, and against the searches of the course."""

import random
from typing import Any

import pytest

from abviz import Checkers, TicTacToe, search
from abviz.engine.compiling import engine
from abviz.engine.work import new_work
from abviz.games.scale import LAST, WIN
from tests import slow_search
from tests.slow_search import PlainWork, Stairs, Teaching, as_python, brute, mazes, moves_of, static, tic_tac_toes

METHODS = ["minimax", "alphabeta"]


def cases() -> list[tuple[Any, int]]:
    """Positions of three games, each with a depth that Python can search."""
    return [
        *((position, 3) for position in slow_search.checkers(8, seed=1)),
        *((position, 4) for position in tic_tac_toes(6, seed=3)),
        (TicTacToe.start(), 4),
        *((position, 5) for position in mazes(20, seed=4)),
    ]


def compiled(method: str, position: Any, depth: int, hot: bool) -> tuple[int, Any]:
    work = new_work()
    work.last = LAST if hot else 0
    work.weights[: len(position.weights)] = list(position.weights.values())
    window = (-WIN, WIN) if method == "alphabeta" else ()
    return getattr(engine(type(position)), method)(position, depth, *window, work, 0), work


@pytest.mark.parametrize("hot", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_it_searches_the_nodes_of_the_course_s_search_and_no_others(method: str, hot: bool) -> None:
    """Compiled, and the same source as Python: the same value and counts, and the same leaves in the same order."""
    for position, depth in cases():
        value, nodes, leaves = Teaching(position, depth, hot).searched(method)
        assert value == brute(position, depth, hot=hot), position

        python = as_python(type(position))
        work = PlainWork(position, last=LAST if hot else 0)
        window = (-WIN, WIN) if method == "alphabeta" else ()
        assert getattr(python, method)(position, depth, *window, work, 0) == value, position
        assert python.leaves == leaves, position
        assert work.nodes == nodes, position

        found, counted = compiled(method, position, depth, hot)
        assert found == value, position
        for count in ("nodes", "evaluations", "cutoffs"):
            assert int(counted[count]) == getattr(work, count), (position, count)

        result = search(position, depth, method=method, hot=hot)
        assert (result.value, result.nodes) == (value, nodes), position
        assert result.evaluations == work.evaluations == sum(not leaf.over() for leaf in leaves)


def test_a_window_bounds_what_alphabeta_tells() -> None:
    """Fail-soft: at most α means that the value is no more, at least β that it is no less, between them it is exact."""
    rng = random.Random(5)
    inside = 0
    for position in [*mazes(60, seed=5), *slow_search.checkers(20, seed=5)]:
        value = brute(position, 3)
        for _ in range(5):
            alpha = value + rng.randrange(-300, 300)
            beta = alpha + rng.randrange(1, 300)
            work = new_work()
            work.weights[: len(position.weights)] = list(position.weights.values())
            found = engine(type(position)).alphabeta(position, 3, alpha, beta, work, 0)
            if found <= alpha:
                assert value <= found
            elif found >= beta:
                assert value >= found
            else:
                assert found == value
                inside += 1
    assert inside > 20


def test_weights_are_those_of_the_search() -> None:
    changed = {"men": 7, "centre": 31, "advance": -4}
    for position in slow_search.checkers(10, seed=6):
        value = brute(position, 3, weights=changed)
        for method in ("improved", *METHODS):
            assert search(position, 3, method=method, weights=changed).value == value
    assert static(Checkers.start(), {"bridge": 5}) == 0


def test_a_side_that_moves_three_times_in_a_row_is_searched_as_such() -> None:
    """In a maze the mover is as it falls: a search that takes turns for granted is wrong in nearly all of them."""
    rows = 0
    for position in mazes(30, seed=7):
        rows += any(position.is_max() == position.play(move).is_max() for move in moves_of(position))
        value = brute(position, 4)
        for method in ("improved", *METHODS):
            assert search(position, 4, method=method).value == value
    assert rows > 15


def test_a_long_game_is_searched_to_its_end_where_it_was_asked_for() -> None:
    """By one, two or three steps: who is to move on a multiple of four has lost. Captures have no part in it."""
    for steps, plies in [(3, 1), (4, -2), (16, -8), (19, 9), (21, 11)]:
        result = search(Stairs(steps), 40)
        assert result.wins_in == plies, steps
        assert len(result.line) == abs(plies) and result.finished
    assert search(Stairs(150), 99, nodes=300_000).value == 0


@pytest.mark.parametrize("depth", [1, 2, 5, 6])
def test_ways_are_counted_as_by_playing_them(depth: int) -> None:
    def count(position: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(count(position.play(move), depth - 1) for move in moves_of(position))

    for position in [*mazes(10, seed=8), *tic_tac_toes(2, seed=8)]:
        ways = count(position, depth)
        made = engine(type(position))
        assert made.perft(position, depth, new_work(), 0) == made.perft_unique(position, depth, new_work(), 0) == ways


def test_a_move_found_twice_is_one_way_among_the_unique_ones() -> None:
    around = Checkers.from_fen("W:WK7,32:B10,11,18,19")  # a king goes round, this way or that
    made = engine(Checkers)
    assert [made.perft(around, depth, new_work(), 0) for depth in (1, 2)] == [2, 0]
    assert [made.perft_unique(around, depth, new_work(), 0) for depth in (1, 2)] == [1, 0]
