"""The evaluation to write: the stub is not written yet, the solution right, and each mistake has its name."""

import pytest

from abviz import TicTacToe, check
from abviz.exercises import EXERCISES
from abviz.exercises.game_runs import Cells
from tests.solutions.writing import open_lines

EXERCISE = EXERCISES["open-lines"]


def test_stub_and_solution():
    namespace = {}
    exec(EXERCISE.stub, namespace)
    for answer in (namespace["open_lines"], None, ..., lambda position: None):
        verdict = check("open-lines", answer)
        assert verdict.status == "not written yet" and verdict.hints == EXERCISE.hints
    assert check("open-lines", open_lines).message == "It is right on 5,478 positions."
    start = TicTacToe.start()
    assert start.to_tree(2, evaluate=open_lines) == start.to_tree(2, evaluate=TicTacToe.evaluate)


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda each: each.name)
def test_each_mistake_has_its_name_and_the_smallest_position(mistake):
    wrong = EXERCISE.build(**mistake.forms[0])
    verdict = check("open-lines", wrong)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)
    assert verdict.hints == (mistake.hint, *EXERCISE.hints) and mistake.says in verdict.message
    cells = verdict.position.replace(" ", "")
    tried = [job.arguments[0] for job in EXERCISE.trials()[0]]
    fewer = [each for each in tried if each.count(".") > cells.count(".")]
    assert all(wrong(Cells(each)) == TicTacToe.from_cells(each).evaluate() for each in fewer)
    assert verdict.board.startswith("<svg") and f"On {verdict.position} it returns " in verdict.message


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (7, "The answer is 7; expected a function that returns a number."),
        (lambda position: position.evaluate(), "'Cells' object has no attribute 'evaluate' (line "),
        (lambda position: "x", "it returns 'x'; expected 0 (8 lines for x less 8 lines for o)."),
    ],
)
def test_messages(answer, message):
    verdict = check("open-lines", answer)
    assert verdict.status == "wrong" and message in verdict.message and verdict.mistake is None
