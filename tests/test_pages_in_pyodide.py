"""The code of every chapter in the Python of a browser, by the session that its page has."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell

from tests.pyodide import Pyodide, running_pyodide
from tests.test_course import FEWER_TREES, NOTEBOOKS, with_solutions

HOUSE = Path(__file__).resolve().parents[1]
sys.path.append(str(HOUSE / "tools" / "web"))

import recorded  # noqa: E402

JUPYTER_ONLY = "jupyter-only"
NO_HURRY = """
from abviz import exercises
exercises.SECONDS = 300
"""
QUICK = ("00", "01", "02", "03")


@pytest.fixture(scope="module")
def pyodide() -> Iterator[Pyodide]:
    with running_pyodide() as python:
        session = (HOUSE / "tools" / "web" / "session.py").read_text("utf-8")
        python.run(f"import json\nexec({session!r})\n{FEWER_TREES}{NO_HURRY}")
        yield python


def run(pyodide: Pyodide, cell: Any) -> list[dict[str, Any]]:
    """Run the cell as it stands, and return what it posts."""
    return list(
        json.loads(
            pyodide.run(
                "posted.clear()\n"
                f"session.run({cell.id!r}, {cell.source!r})\n"
                "json.dumps([json.loads(each) for each in posted])"
            )
        )
    )


def runs_on_page(name: str) -> list[Any]:
    """Return the cells that have Run on the chapter's page."""
    cells = NOTEBOOKS[name].cells
    needs = recorded.needs(cells)
    return [
        cell
        for cell in cells
        if cell.cell_type == "code"
        and cell.id not in needs
        and JUPYTER_ONLY not in cell.metadata.get("tags", [])
    ]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name.startswith(QUICK) else pytest.mark.nightly)
        for name in NOTEBOOKS
    ],
)
def test_every_cell_with_run_runs_as_it_stands_and_then_solved(pyodide: Pyodide, name: str) -> None:
    pyodide.run("posted = []; session = Session(posted.append)")
    cells = runs_on_page(name)
    ids = {cell.id for cell in cells}
    solved = [cell for cell in with_solutions(name) if cell.id.removesuffix("-solved") in ids]

    for cell in [*cells, *solved]:
        posted = run(pyodide, cell)
        errors = [each["text"] for each in posted if each["type"] == "error"]
        assert errors == [], cell.id
        if cell.id.endswith("-check-solved"):
            (verdict,) = [each for each in posted if "data" in each][:1]
            assert ": right." in verdict["data"]["text/plain"], cell.id


def test_the_tree_of_a_wrong_answer_is_there_before_its_mistake_has_a_name(
    pyodide: Pyodide,
) -> None:
    pyodide.run("posted = []; session = Session(posted.append)")
    source = """
from abviz import check

def minimax(node):
    if node.is_leaf:
        return node.value
    return max(minimax(child) for child in node.children)

check("minimax", minimax)
"""
    early, verdict, *_ = run(pyodide, new_code_cell(source, id="wrong"))
    assert early["early"] and "early" not in verdict
    before, after = (each["data"]["text/html"] for each in (early, verdict))
    assert "<img" in before and "It looks as if" not in before
    assert "<img" in after and "It looks as if" in after

    # No tree where nothing is written
    for answer in ("None", "3", "lambda node: None"):
        cell = new_code_cell(f"check('minimax', {answer})", id="other")
        *others, verdict = [each for each in run(pyodide, cell) if "text/html" in each["data"]]
        assert others == [], answer
