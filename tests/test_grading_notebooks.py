"""Notebooks and files as students hand them in: with what only IPython understands, and with whatever else is usual."""

import pytest

from abviz.exercises.grading.handins import hand_ins
from abviz.exercises.grading.marking import grade
from abviz.exercises.grading.results import Limits
from tests.test_grading import MINIMAX, few_trees, graded, notebook  # noqa: F401

pytestmark = pytest.mark.usefixtures("few_trees")


@pytest.mark.parametrize(
    "cells",
    [
        [f"%matplotlib inline\n{MINIMAX}"],
        [f"files = !ls\nrun = %timeit -o 3\nfiles[:1]\n{MINIMAX}"],
        [f"!pip install \\\n    abviz\n{MINIMAX}"],
        [f"\n%%time\n{MINIMAX}"],
        [f"check?\n?check\n{MINIMAX}"],
        # within strings and brackets these letters mean what they mean in Python
        [f'%matplotlib inline\ndef f():\n    """Is it cut?\n    !no"""\n    return (3\n      %2)\n{MINIMAX}'],
        [f"!echo it's\n{MINIMAX}"],
        [f"if True:\n    %load_ext autoreload\n{MINIMAX}"],
        ["from abviz import *\ntree = Tree([1, 2])\ndisplay(draw(tree), clear=True)\n" + MINIMAX],
        ["get_ipython().run_line_magic('matplotlib', 'inline')\n" + MINIMAX],
        ["import asyncio\nawait asyncio.sleep(0)\n" + MINIMAX],
        ["from __future__ import annotations", MINIMAX.replace("(node)", "(node: Whatever)", 1)],
        [MINIMAX.replace("    if", "    display(node)\n    if", 1)],
    ],
)
def test_a_notebook_runs_as_it_does_for_its_student(tmp_path, cells):
    results = graded(tmp_path, notebook(*cells), "hand_in.ipynb")
    assert results["minimax"].status == "right", results


def test_a_file_is_read_in_the_encoding_that_it_tells(tmp_path):
    (tmp_path / "hand_in.py").write_bytes(f"# -*- coding: latin-1 -*-\n# größer\n{MINIMAX}".encode("latin-1"))
    (results,) = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0)).results.values()
    assert results["minimax"].status == "right", results
    results = graded(tmp_path, f"# -*- coding: klingon -*-\n{MINIMAX}")
    assert results["(file)"].status == "error" and "klingon" in results["(file)"].message


def test_a_file_in_no_encoding_that_it_tells_is_named_without_the_place_where_it_was_read(tmp_path):
    (tmp_path / "hand_in.py").write_bytes(f"# größer\n{MINIMAX}".encode("latin-1"))
    (results,) = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0)).results.values()
    said = "it cannot be read: invalid or missing encoding declaration for 'hand_in.py'"
    assert (results["(file)"].status, results["(file)"].message) == ("error", said)


@pytest.mark.parametrize("name", ["HAND_IN.PY", "hand_in.Ipynb"])
def test_names_in_capitals_are_hand_ins_too(tmp_path, name):
    text = MINIMAX if name.endswith("PY") else notebook(MINIMAX)
    assert graded(tmp_path, text, name)["minimax"].status == "right"


def test_what_only_comes_along_with_abviz_is_no_answer(tmp_path):
    cells = "from abviz import *", "from abviz import alphabeta", MINIMAX
    assert list(graded(tmp_path, notebook(*cells), "hand_in.ipynb")) == ["minimax"]
    results = graded(tmp_path, "from abviz import *\nmine = alphabeta\nalphabeta = mine\n")
    assert results["alphabeta"].status == "error" and "of your own" in results["alphabeta"].message


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ("def alphabeta(node, alpha, beta)\n    return 3", "SyntaxError: expected ':' (hand_in.ipynb, line 1)"),
        (
            "\nx = 1\nnobody\ndef alphabeta(node):\n    pass",
            "NameError: name 'nobody' is not defined (hand_in.ipynb, line 2)",
        ),
        (
            "def f():\n    return 1 / 0\nf()\nalphabeta = f",
            "ZeroDivisionError: division by zero (hand_in.ipynb, line 2)",
        ),
    ],
)
def test_where_a_cell_cannot_be_run_is_told(tmp_path, broken, problem):
    text = notebook("from abviz import *", broken, MINIMAX)
    results = graded(tmp_path, text, "hand_in.ipynb")
    assert (results["minimax"].status, results["alphabeta"].status) == ("right", "error")
    first = broken.split("\n")[0] or "x = 1"
    told = f"The file does not come to it: {problem} of the cell that begins with '{first}'"
    assert results["alphabeta"].message == told


@pytest.mark.parametrize("missed", ["from helper import minimax", "minimax = open('data.txt').read()"])
def test_why_a_file_that_stands_beside_is_not_there_is_told(tmp_path, missed):
    (tmp_path / "helper.py").write_text(MINIMAX)
    (tmp_path / "data.txt").write_text("3")
    message = graded(tmp_path, missed)["minimax"].message
    assert "stands beside it; only what is in a student's own folder" in message
    assert (
        "stands beside"
        not in graded(tmp_path, missed.replace("helper", "elsewhere").replace("data", "other"))["minimax"].message
    )
