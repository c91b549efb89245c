"""Checkers as the student's own work: from stubs to a game on the board, and every known mistake by its name."""

from typing import NamedTuple

import pytest

from abviz import check
from abviz.exercises import EXERCISES
from abviz.exercises.checkers_rules import STEPS, legal_moves, positions
from abviz.games import checkers_game
from abviz.games.student_checkers import fen_of
from tests.slow_checkers import SlowCheckers
from tests.solutions import checkers as solutions

MISTAKES = [
    pytest.param(name, mistake, form["fault"], id=f"{name}: {form['fault']}")
    for name in STEPS
    for mistake in EXERCISES[name].mistakes[: len(EXERCISES[name].texts["mistakes"])]
    for form in mistake.forms
]


def game_with(fault):
    """Return a class whose rules have the fault; its moves are numbers of a list."""

    def moves(self, legal):
        for i in range(len(legal_moves(tuple(self), fault))):
            legal.add(i)

    def play(self, move):
        return MyCheckers(*legal_moves(tuple(self), fault)[move].after)

    fields = [(name, int) for name in ("black", "white", "kings", "turn")]
    MyCheckers = NamedTuple("MyCheckers", fields)
    MyCheckers.moves, MyCheckers.play = moves, play
    MyCheckers.is_max = lambda self: self.turn == 0
    MyCheckers.over = lambda self: not legal_moves(tuple(self), fault)
    MyCheckers.value = lambda self: -1 if self.turn == 0 else 1
    return checkers_game(MyCheckers)


def as_slow(fields):
    return SlowCheckers.from_fen(fen_of(fields))


def test_the_rules_are_those_of_the_slow_version():
    for position, _ in positions():
        slow = as_slow(position)
        expected = {(move.path, move.captured, slow.play(move)) for move in slow.moves()}
        moves = legal_moves(position)
        assert {(move.path, frozenset(move.taken), as_slow(move.after)) for move in moves} == expected
        assert all(move.after[2] & ~(move.after[0] | move.after[1]) == 0 for move in moves)


@pytest.mark.parametrize("name", STEPS)
def test_stub_and_solution(name):
    names = {}
    exec(EXERCISES[name].stub, names)
    for answer in (names["MyCheckers"], None, ...):
        verdict = check(name, answer)
        assert verdict.status == "not written yet" and verdict.hints == EXERCISES[name].hints and not verdict.board
    verdict = check(name, solutions.MyCheckers)
    assert verdict and " positions it has the moves " in verdict.message
    assert name != STEPS[-1] or verdict.message.endswith("perft from the start: 7, 49, 302, 1469, 7361.")


@pytest.mark.parametrize(("name", "mistake", "fault"), MISTAKES)
def test_each_mistake_has_its_name_and_its_picture(name, mistake, fault):
    verdict = check(name, game_with(fault))
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name), verdict
    assert mistake.says in verdict.message and mistake.hint in verdict.message and "\n" not in verdict.message
    shown = verdict._repr_mimebundle_()["text/html"]
    assert verdict.position in shown and "data:image/svg+xml" in shown
