"""Where only Python, PyYAML, traitlets and the graphviz package are installed, as in a browser."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.test_course import FEWER_TREES, HOUSE, shortened, with_solutions

MISSING = (
    "IPython",
    "PIL",
    "anywidget",
    "ipywidgets",
    "llvmlite",
    "matplotlib",
    "numba",
    "numpy",
    "pygraphviz",
    "rich",
)

# Any import of these fails, and so does starting a thread. In Python 3.11 a time limit needs one.
BLOCK = f"""
import sys, threading

for name in {MISSING!r}:
    sys.modules[name] = None

def refuse(thread):
    raise RuntimeError("can't start new thread")

if sys.version_info >= (3, 12):
    threading.Thread.start = refuse
"""

# 05 to 07 have searches that take long without compiled code
NOTEBOOKS = (
    "00-start-here",
    "01-minimax",
    "02-alpha-beta",
    "03-write-it-yourself",
    "04-move-ordering",
)


def run(code: str, cells: Any = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCK + code],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=HOUSE,
        timeout=600,
    )


def output(code: str) -> str:
    ended = run(code)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_as_it_stands_and_then_solved(name: str) -> None:
    cells = [(cell.id, cell.source) for cell in shortened(name).cells if cell.cell_type == "code"]
    solved = [(cell.id, cell.source) for cell in with_solutions(name)]
    ended = run(f"{FEWER_TREES}\nfrom tests.plain_session import main\nmain()", cells + solved)
    lines = [line[1:] for line in ended.stdout.split("\n") if line.startswith("\0")]
    shown = {cell: texts for cell, _, texts in map(json.loads, lines)}
    assert ended.returncode == 0, ended.stderr
    assert shown.keys() == {cell for cell, _ in cells + solved}

    for cell, _ in solved:
        for texts in shown[cell] if "-check" in cell else ():
            assert ": right." in texts["text/plain"], cell
    kinds = [kind for texts in shown.values() for each in texts for kind in each]
    assert "application/vnd.abviz.widget+json" in kinds


def test_a_stepper_has_its_state_and_hears_a_page() -> None:
    code = """
from abviz import Stepper, load, trace
from abviz.plain_widgets import MIME, Widget

posted = []
Widget.post = lambda widget, state, content: posted.append((state, content))
stepper = Stepper(load("figure-4.24"), predict=True)
state = stepper._repr_mimebundle_()[MIME]["state"]
assert len(state["spec"]["rows"]) == len(stepper.tree) and state["predict"]

stepper.step = 3
assert posted == [({"step": 3}, None)], posted
stepper.receive_state({"step": 5})
assert stepper.step == 5 and len(posted) == 1, posted

stepper.receive({"id": "1", "text": "[3, [4, 5]]"})
assert posted[1][1]["id"] == "1" and len(posted[1][1]["tree"]["rows"]) == 5, posted
stepper.receive({"id": "2", "text": "[3, [4"})
assert "expected" in posted[2][1]["problem"], posted

rows = [[name, is_max, (value or 0) + 1 if place else value, above, *more]
        for place, (name, is_max, value, above, *more) in enumerate(state["spec"]["rows"])]
edited = {"rows": rows, "title": "mine", "source": "", "search": "alphabeta", "rules": {},
          "depth": None, "asks": False}
stepper.receive_state({"edited": edited})
print(stepper.tree.title, stepper.problem)
"""
    assert output(code) == "mine"


def test_the_answer_to_a_prediction_is_kept(tmp_path: Any) -> None:
    code = f"""
import os
os.chdir({str(tmp_path)!r})
sys.path.insert(0, {str(HOUSE)!r})
from abviz import predict
asked = predict("How many leaves?", name="leaves", between=(0, 12))
asked.receive_state({{"answers": {{"leaves": 4}}}})
print(predict.answer("leaves"), predict("How many leaves?", name="leaves", between=(0, 12)).answers)
print(predict.reveal("leaves", 5)._repr_html_()[:5])
"""
    assert output(code).splitlines() == ["4 {'leaves': 4}", "<div>"]


def test_a_board_plays_without_threads() -> None:
    code = """
def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
from abviz import Board, TicTacToe
from abviz.play import Player

board = Board(TicTacToe.start(), players=("you", Player(depth=9)))
board.play("b2")
assert len(board.match.plies) == 2, board.match.plies
board.view.receive({"do": "why"})
assert board.view.decision["rows"] and not board.view.problem, board.view.problem
assert len(board.children) == 2

alone = Board(TicTacToe.start(), players=(Player(depth=3), Player(depth=3)))
alone.wait()
assert alone.match.over and not alone.view.problem

import asyncio

async def play():
    board = Board(TicTacToe.start(), players=("you", Player(depth=3)))
    board.play("a1")
    assert len(board.match.plies) == 1 and board.view.state["thinks"]
    await asyncio.sleep(0)
    assert len(board.match.plies) == 2
    board.play(str(board.view.state["moves"][0]["name"]))
    board.wait()
    assert len(board.match.plies) == 4
    await asyncio.sleep(0)

asyncio.run(play())
print("played")
"""
    assert output(code) == "played"


def test_an_exercise_on_threads_says_that_it_needs_them() -> None:
    code = """
def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
from abviz import check
from tests.solutions.threads import race, split_root

for name, answer in (("split-root", split_root), ("race", race)):
    verdict = check(name, answer)
    assert verdict.status == "not checked" and not verdict
    print(verdict.message)
"""
    says = (
        "It starts threads, which can't be started here (as in a browser). "
        "Check it with Python on your own computer."
    )
    assert output(code).splitlines() == [says, says]


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (
            "from abviz import *; draw(load('figure-4.24')).pipe('png')",
            "a picture as png needs pyg",
        ),
        (
            "from abviz.exercises.sheets import Sheet; from abviz import *\n"
            "sheet = Sheet([load('figure-4.24')]); sheet.html(); sheet.pdf()",
            "a sheet as PDF needs matplotlib, which is not installed here",
        ),
        ("from abviz.timing import Timing", "the timing widget needs ipywidgets, which is not"),
        (
            "from abviz.parallel import *; from abviz import *; parallel_search(Checkers(), 3)",
            "numba is not installed",
        ),
        ("from abviz.play import League", "League needs numpy, which is not installed here"),
        ("from abviz.play import tune", "tune needs numpy, which is not installed here"),
    ],
)
def test_what_cannot_be_done_here_is_said_in_one_line(work: str, message: str) -> None:
    code = f"""
from abviz.errors import AbvizError
try:
    exec({work!r})
except AbvizError as problem:
    print(problem)
"""
    said = output(code)
    assert message in said and "; expected " in said and "\n" not in said


def test_a_chart_is_its_table() -> None:
    code = """
from abviz import Checkers
from abviz.timing import by_move, curve, histogram, lanes
print(histogram([1, 2, 2, 9], "leaves", best=1, guess=None))
print(curve({"a": 1, "b": 2.5}, "letter", "how many"))
print(by_move(one=[10, 20], two=[5]))
"""
    lines = output(code).splitlines()
    assert lines[0] == "leaves, 4 values: 1 to 9, median 2; best: 1."
    assert lines[2].split() == ["1", "to", "1.8", "1"] and lines[11].split()[-1] == "1"
    assert lines[12:16] == [
        "how many, by letter",
        "letter  how many",
        "     a         1",
        "     b       2.5",
    ]
    assert [line.split() for line in lines[17:]] == [
        ["move", "one", "two"],
        ["1", "10", "5"],
        ["2", "20", "–"],
    ]
