"""The numbers in the prose of notebook 05-games, measured again."""

from pathlib import Path

import pytest

from abviz import Checkers, search
from abviz.play import Match, Player, contest

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "05-games.ipynb"
BARE = dict.fromkeys(["advance", "centre", "bridge"], 0)


@pytest.fixture(scope="module")
def fight() -> Checkers:
    return Checkers.start().play("12-16").play("24-20")


def test_fifteen_moves_deep() -> None:
    result = search(Checkers.start(), 15)
    assert 2_000_000 < result.nodes < 2_500_000 and 15_000 < 36_263_167_175 / result.nodes < 17_500
    assert abs(result.value or 0) < 20  # "level"
    nodes = [each.nodes for each in result.iterations]
    last, before = nodes[-1] - nodes[-2], nodes[-2]
    assert 0.7 < before / last < 1.4  # "all the shallower searches together cost about as much as the last one"
    growth = (last / (nodes[8] - nodes[7])) ** (1 / 6)
    assert 1.8 < growth < 3


def test_the_evaluation_is_worth_more_than_two_moves() -> None:
    openings = [Checkers.start().play(move) for move in ("9-14", "10-15", "11-15", "12-16")]
    full = Player(depth=4, name="all features")
    duel = contest(full, Player(depth=4, name="bare", weights=BARE), openings)
    assert duel.score == (6.5, 1.5)
    again = Match.from_pdn(duel.matches[0].pdn())
    assert (again.result, again.moves) == ("1-0", duel.matches[0].moves)
    assert contest(full, Player(depth=6, name="bare", weights=BARE), openings).score == (5, 3)


def test_the_man_behind_the_horizon(fight: Checkers) -> None:
    hasty, patient = search(fight, 2, hot=False), search(fight, 2)
    assert (hasty.move, hasty.value, patient.move, patient.value) == ("9-14", 3, "11-15", 3)
    assert hasty.nodes < patient.nodes < 1.2 * hasty.nodes  # "costs hardly more"
    assert abs(search(fight.play("11-15"), 10).value or 0) < 5  # "level"
    after = search(fight.play("9-14"), 10)
    assert -115 < (after.value or 0) < -90 and after.line[:3] == ("23-18", "14x23", "26x12")
