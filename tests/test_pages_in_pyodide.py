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
        place = "__file__ = '/session/abviz_session.py'"
        python.run(f"import json\n{place}\nexec({session!r})\n{FEWER_TREES}{NO_HURRY}")
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


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("%pip install chess", "no commands with % or !"),
        ("import math\n!ls", "no commands with % or !"),
        ("files = !ls", "no commands with % or !"),
        ("await fetch()", "inside an async function only"),
        ("def f(:\n    pass", ""),
        ("import ast\nast.parse('%d')", ""),
        ("def f():\n    return 1 / 0\nf()", ""),
    ],
)
def test_what_a_notebook_can_do_and_a_page_cannot_is_said(
    pyodide: Pyodide, source: str, advice: str
) -> None:
    pyodide.run("posted = []; session = Session(posted.append)")
    (error,) = run(pyodide, new_code_cell(source, id="one"))
    assert error["type"] == "error" and "Error: " in error["text"]
    last = error["text"].splitlines()[-1]
    assert advice in last and ("age" in last) == (advice != "")


def test_a_widget_lives_until_its_cell_runs_again(pyodide: Pyodide) -> None:
    pyodide.run("posted = []; session = Session(posted.append)")

    def known() -> int:
        return int(pyodide.run("import gc\ngc.collect()\nlen(session._widgets)"))

    def shown(source: str, id: str = "one") -> list[str]:
        posted = run(pyodide, new_code_cell(source, id=id))
        return [each["type"] for each in posted]

    one = "from abviz import Stepper, load\nStepper(load('two-min'))"
    for _ in range(3):
        assert shown(one) == ["display"]
        assert known() == 1
    shown(f"{one}; 3", id="other")
    shown(one, id="another")
    assert known() == 2

    # What runs quietly, for its names, leaves on the page what is there
    pyodide.run("session.run('one', '3', True)")
    assert known() == 2
    shown("3")
    assert known() == 1
    shown("from IPython.display import clear_output\ndisplay(Stepper(load('two-min')))", "another")
    assert known() == 1
    shown("display(Stepper(load('two-min')))\nclear_output()\n_ = None", "another")
    assert known() == 0


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        pytest.param("from abviz import Tree\nTree", "<class 'abviz.", id="a class"),
        pytest.param("input('How many? ')", "write the value into the code", id="input"),
        pytest.param("import sys\nsys.stdout = None", "", id="no stdout"),
        pytest.param("import json\njson.dumps = None\nprint('on')", "on", id="another dumps"),
        pytest.param("for n in range(100_000): print(n)", "more: a page shows", id="a flood"),
        pytest.param("print('x' * 10**7)", "more: a page shows", id="a long line"),
        pytest.param("list(range(10**6))", "more: a page shows", id="a long list"),
        pytest.param("raise ValueError('x' * 10**7)", "more: a page shows", id="a long error"),
    ],
)
def test_whatever_a_cell_does_its_run_ends_and_says_so(
    pyodide: Pyodide, source: str, shown: str
) -> None:
    pyodide.run("posted = []; session = Session(posted.append)\nkept = json.dumps")
    pyodide.run(f"status = session.run('odd', {source!r})\njson.dumps = kept")
    status, posted = json.loads(
        pyodide.run("json.dumps([status, [json.loads(each) for each in posted]])")
    )
    assert status in ("done", "failed")
    texts = [each.get("text") or each["data"]["text/plain"] for each in posted]
    assert shown in "".join(texts)
    assert sum(map(len, texts)) < 101_000 and len(posted) < 1_000

    after = run(pyodide, new_code_cell("print('alive')", id="after"))
    assert [each["text"] for each in after] == ["alive\n"]
