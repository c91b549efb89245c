"""The evaluation to write: the stub is not written yet, the solution right, and each mistake has its name."""

import pytest

from abviz import TicTacToe, check
from abviz.exercises import EXERCISES
from abviz.exercises.position_exercises import OPEN_LINES_MISTAKES as MISTAKES
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


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_its_name_and_the_smallest_position(name):
    verdict = check("open-lines", lambda position: MISTAKES[name](position.cells))
    assert (verdict.status, verdict.mistake) == ("wrong", name)
    text = EXERCISE.texts["mistakes"][name]
    assert verdict.hints == (text["hint"], *EXERCISE.hints) and text["says"] in verdict.message
    cells = verdict.position.replace(" ", "")
    tried = [job.arguments[0] for job in EXERCISE.trials()[0]]
    fewer = [each for each in tried if each.count(".") > cells.count(".")]
    assert all(MISTAKES[name](each) == TicTacToe.from_cells(each).evaluate() for each in fewer)
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
