"""What a search answers with: how it reads, and that a high estimate is never taken for a win."""

import json
from typing import Any

from abviz import Checkers, TicTacToe, search
from abviz.engine import Search
from abviz.engine.workspace import NO_MOVE
from tests import slow_search
from tests.slow_search import PROVEN, Stairs, mazes, static
from tests.test_checking import with_rules


def test_a_result_is_told_in_four_lines() -> None:
    result = search(Checkers.start(), 6)
    first, second, third, fourth = str(result).splitlines()
    assert first.startswith(f"{result.move}  value ") and first.endswith("(depth 6)")
    assert second == f"line {' '.join(result.line)}"
    assert third.startswith(f"{result.nodes:,} nodes in ")
    assert fourth.startswith(f"{result.evaluations:,} evaluations (") and fourth.endswith("from the table")
    assert repr(result) == str(result)
    assert "table" not in str(search(Checkers.start(), 6, table=False))  # what there was none of is left out
    doubtful = search(Stairs(3), 9, beam=1)
    assert "may be wrong" in str(doubtful) and doubtful.wins_in is None and not doubtful.exact


def test_a_win_is_told_by_its_plies() -> None:
    players = Stairs(5).players
    assert f"value {players[0]} wins in 1 ply " in str(search(Stairs(3), 9))
    assert f"value {players[1]} wins in 4 plies " in str(search(Stairs(8), 9))
    assert f"value {TicTacToe.start().players[0]} wins in 5 plies" in str(
        search(TicTacToe.from_cells("x.. o.. ..."), 9)
    )


def test_a_result_goes_into_json() -> None:
    result = search(TicTacToe.from_cells("x.. o.. ..."), 9)
    told = json.loads(json.dumps(result.to_dict()))
    assert (told["move"], told["line"], told["wins_in"]) == (result.move, list(result.line), 5)
    assert told["nodes"] == result.nodes and told["finished"] is True
    assert result.nodes_per_second == result.nodes / result.seconds


def test_every_depth_on_the_way_is_told() -> None:
    result = search(Checkers.start(), 9)
    assert [each.depth for each in result.iterations] == list(range(1, 10))
    assert [each.nodes for each in result.iterations] == sorted({each.nodes for each in result.iterations})
    assert result.iterations[-1].nodes == result.nodes and result.iterations[-1].seconds <= result.seconds
    for each in result.iterations:
        assert search(Checkers.start(), each.depth).value == each.value


def test_a_high_estimate_is_not_a_win() -> None:
    """However much the features are worth: the value ends where the wins begin."""

    def features(self: Any) -> Any:
        return (self.left * 1000,)

    nim = with_rules(features=features, weights={"much": 10_000})
    for weight, value in [(10_000, PROVEN), (-10_000, -PROVEN), (10, 960_000)]:
        result = search(nim(100), 3, weights={"much": weight})
        assert result.value == value
        assert result.wins_in is None


def test_only_the_line_found_last_is_searched_first() -> None:
    """A line may be shorter than the one before, where the table answers: then nothing of that one is left."""
    shorter = 0
    for maze in mazes(60, seed=26):
        begun = Search(maze, 10).start()
        before = begun.result().iterations[:-1]
        line = begun._line
        assert begun.work.first.tolist() == line + [NO_MOVE] * (len(begun.work.first) - len(line))
        shorter += any(len(each.line) > len(line) for each in before)
    assert shorter > 2


def test_the_narrow_window_is_put_round_the_estimate() -> None:
    changed = {"men": 70, "advance": -3}
    for position in slow_search.checkers(10, seed=27):
        assert Search(position, 3, weights=changed)._guess() == static(position, changed)
    for maze in mazes(10, seed=27):
        assert Search(maze, 3)._guess() == maze.evaluate()
