"""What notebook 05-games says of numbers, measured again: if the engine or its evaluation changes, the prose must."""

from typing import Any, NamedTuple

import pytest

from abviz import Checkers, TicTacToe, search, trace
from abviz.engine import Player, contest, perft
from abviz.games.rules import game

BARE = dict.fromkeys(["advance", "centre", "bridge"], 0)


@pytest.fixture(scope="module")
def fight() -> Checkers:
    return Checkers.start().play("12-16").play("24-20")


def test_tic_tac_toe_is_searched_as_told() -> None:
    start = TicTacToe.start()
    assert search(start, 9, method="minimax").nodes == 549_946
    assert search(start, 9, method="alphabeta").nodes == 20_866
    assert search(start, 9).value == 0
    open_lines = {move: start.play(move).evaluate() for move in start.moves()}
    assert [open_lines[cell] for cell in ("b2", "a1", "a2")] == [4, 3, 2]
    assert search(start, 1).move == "b2"


def test_nim_is_lost_with_a_multiple_of_four() -> None:
    @game
    class Nim(NamedTuple):
        stones: int
        turn: int = 0

        def moves(self, found: Any) -> None:
            for take in range(1, min(3, self.stones) + 1):
                found.add(take)

        def play(self, move: int) -> Any:
            return Nim(self.stones - move, 1 - self.turn)

        def is_max(self) -> bool:
            return self.turn == 0

        def over(self) -> bool:
            return self.stones == 0

        def value(self) -> int:
            return -1 if self.turn == 0 else 1

    won = [search(Nim(stones), 8).wins_in for stones in range(1, 9)]
    assert won == [1, 1, 1, -2, 3, 3, 3, -4]


def test_checkers_has_the_moves_told() -> None:
    assert Checkers.start().play("11-15").play("22-18").moves() == ["15x22"]
    assert Checkers.from_fen("B:W7,16,24:B2").moves() == ["2x27"]
    assert [perft(Checkers.start(), depth) for depth in (1, 2, 3)] == [7, 49, 302]


def test_fifteen_moves_deep() -> None:
    found = search(Checkers.start(), 15)
    assert 2_000_000 < found.nodes < 2_500_000 and 15_000 < 36_263_167_175 / found.nodes < 17_500
    assert abs(found.value or 0) < 20  # "level"
    nodes = [each.nodes for each in found.iterations]
    last, before = nodes[-1] - nodes[-2], nodes[-2]
    assert 0.7 < before / last < 1.4  # "all the shallower searches together cost about as much as the last one"
    growth = (last / (nodes[8] - nodes[7])) ** (1 / 6)
    assert 1.8 < growth < 3


def test_the_evaluation_is_worth_more_than_two_moves() -> None:
    openings = [Checkers.start().play(move) for move in ("9-14", "10-15", "11-15", "12-16")]
    full = Player(depth=4, name="all features")
    assert contest(full, Player(depth=4, name="bare", weights=BARE), openings).score == (6.5, 1.5)
    assert contest(full, Player(depth=6, name="bare", weights=BARE), openings).score == (5, 3)


def test_the_man_behind_the_horizon(fight: Checkers) -> None:
    assert search(fight, 2, hot=False).move == "9-14"
    assert search(fight, 2).move != "9-14"
    after = search(fight.play("9-14"), 10)
    assert -115 < (after.value or 0) < -90 and after.line[:3] == ("23-18", "14x23", "26x12")


def test_the_step_by_step_search_does_not_find_it(fight: Checkers) -> None:
    stepped = trace(fight, depth=2)
    assert (stepped.line[-3:-2] or stepped.line)[0].startswith("11-15")
    (cut,) = (cut for cut in stepped.cuts if cut.at == "9-14")
    assert "9-14 23-18" in cut.skipped and cut.alpha == cut.bv == 3
    assert len(stepped.tree["9-14"].children) - len(cut.skipped) == 2
