"""Abalone against published counts and against slow rules of its own."""

import random

import pytest

from abviz import AbvizError, perft, search
from abviz.games import Abalone
from abviz.games.rules import legal_moves
from tests import slow_abalone

IN_ORDER = sorted(slow_abalone.CELLS)


def cells(bits: int) -> set[tuple[int, int]]:
    return {cell for i, cell in enumerate(IN_ORDER) if bits >> i & 1}


def random_positions(number: int, seed: int):
    """Positions of random games, and marbles scattered over a part of the board, where pushes are
    frequent.
    """
    rng = random.Random(seed)
    state = Abalone.start()
    for i in range(number):
        if i % 4:
            chosen = rng.sample(range(61), rng.randint(4, 28))
            half = len(chosen) // 2
            black, white = (
                sum(1 << cell for cell in part) for part in (chosen[:half], chosen[half:])
            )
            yield Abalone(black, white, i % 2)
        else:
            state = Abalone.belgian_daisy() if state.over() else state
            for _ in range(5):
                if not state.over():
                    state = state.rules["play"](state, rng.choice(legal_moves(state)))
            yield state


def test_the_published_counts_of_the_first_moves():
    assert [perft(Abalone.start(), depth) for depth in (1, 2, 3)] == [44, 1936, 98912]


@pytest.mark.parametrize(
    ("positions", "seed"),
    [
        pytest.param(800, 1, marks=pytest.mark.quick),
        pytest.param(5_000, 2, marks=pytest.mark.slow),
    ],
    ids=["few", "many"],
)
def test_the_moves_are_those_of_the_slow_rules(positions, seed):
    pushes = falls = 0
    for state in random_positions(positions, seed):
        if state.decided():
            continue
        own, other = cells(state.own()), cells(state.other())
        expected = slow_abalone.moves(own, other)
        found = {}
        for move in legal_moves(state):
            child = state.rules["play"](state, move)
            assert child.turn == 1 - state.turn
            mine, theirs = cells(child.other()), cells(child.own())
            found[state.move_name(move)] = mine, theirs
            pushes += theirs != other
            assert state.gain(move) == len(other) - len(theirs)
            falls += state.gain(move)
        assert found == {
            name: (set(mine), set(theirs)) for name, (mine, theirs) in expected.items()
        }, state.fen
        assert state.over() == (not expected)
        assert state.hot() == any(len(theirs) < len(other) for _, theirs in expected.values())
    assert pushes > positions / 2 and falls > positions / 8


@pytest.mark.slow
def test_six_marbles_off_win():
    nearly = Abalone.from_fen("B:WA1,B1,B2,C1,C2,C3,D1,D2,D3:BA2,A3,E5,F5,F6,G5,G6,H5,I9")
    assert search(nearly, 1).move == "A3-A2"
    assert nearly.play("A3-A2").ending() == "Black has won"
    assert nearly.play("A3-A2").value() == 1


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("B:WG5", "expected a position such as"),
        ("X:WG5:BA1", "expected a position such as"),
        ("B:WG5,A6:BA1", "'A6'; expected an empty cell from A1 to I9"),
        ("B:WG5:BG5", "'G5'; expected an empty cell"),
        (
            f"B:W{','.join(['I5,I6,I7,I8,I9,H4,H5,H6,H7,H8,H9,G3,G4,G5,G6'])}:BA1",
            "16 marbles; expected at most 14 on each side",
        ),
        (None, "expected a position such as"),
    ],
)
def test_a_wrong_position_is_refused(fen, expected):
    with pytest.raises(AbvizError, match=expected):
        Abalone.from_fen(fen)


def test_text_and_position_are_one():
    for state in random_positions(50, seed=2):
        assert state.decided() or Abalone.from_fen(state.fen) == state
    assert Abalone.from_fen("b : ba1 : w g5") == Abalone.from_fen("B:WG5:BA1")


def test_a_wrong_move_is_refused():
    with pytest.raises(AbvizError, match="unknown move 'A1-A2': did you mean"):
        Abalone.start().play("A1-A2")
    with pytest.raises(AbvizError, match="unknown move 'HELLO': there are C3-C4, "):
        Abalone.start().play("hello")
