"""The evaluations to write: the stub is not written yet, the solution right, and each mistake has
its name.
"""

import pytest

from abviz import Checkers, TicTacToe, check
from abviz.exercises import EXERCISES
from tests.solutions.writing import advance, open_lines
from tests.test_checkers import random_positions

ANSWERS = {"open-lines": open_lines, "advance": advance}
MISTAKES = [(name, mistake) for name in ANSWERS for mistake in EXERCISES[name].mistakes]


@pytest.mark.parametrize("name", ANSWERS)
def test_stub_and_solution(name):
    exercise, namespace = EXERCISES[name], {}
    exec(exercise.stub, namespace)
    for answer in (list(namespace.values())[-1], None, ..., lambda position: None):
        verdict = check(name, answer)
        assert verdict.status == "not written yet" and verdict.hints == exercise.hints
    tried = exercise.trials()[0]
    assert (
        check(name, ANSWERS[name]).message == f"It is right on {len(tried):,} positions."
        and len(tried) > 1000
    )


def test_the_features_are_those_of_the_games():
    start = TicTacToe.start()
    assert start.to_tree(2, evaluate=open_lines) == start.to_tree(2, evaluate=TicTacToe.evaluate)
    place = list(Checkers.weights).index("advance")
    for _, position in random_positions(7, 200):
        assert (
            EXERCISES["advance"].build()(position)
            == advance(position)
            == position.features()[place]
        )


@pytest.mark.parametrize(
    ("name", "mistake"), MISTAKES, ids=[mistake.name for _, mistake in MISTAKES]
)
def test_each_mistake_has_its_name_and_the_smallest_position(name, mistake):
    exercise = EXERCISES[name]
    assert all(old in exercise.texts["reference"] for form in mistake.forms for old in form)
    wrong, right = exercise.build(**mistake.forms[0]), exercise.build()
    verdict = check(name, wrong)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)
    assert verdict.hints == (mistake.hint, *exercise.hints) and mistake.says in verdict.message
    tried = [job.arguments[0] for job in exercise.trials()[0]]
    assert verdict.position == next(each.fen for each in tried if wrong(each) != right(each))
    assert (
        verdict.board.startswith("<svg") and f"On {verdict.position} it returns " in verdict.message
    )


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (7, "The answer is 7; expected a function that returns a number."),
        (
            lambda position: position.evaluate(),
            "'types.SimpleNamespace' object has no attribute 'evaluate' (line ",
        ),
        (lambda position: "x", "it returns 'x'; expected 0."),
    ],
)
def test_messages(answer, message):
    verdict = check("open-lines", answer)
    assert verdict.status == "wrong" and message in verdict.message and verdict.mistake is None
