"""Notebook 03-your-turn: every exercise as a student is to get it; and with the solutions put in, all is right."""

import ast
import json
import re
import time
from math import inf
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from abviz import Tree, check, record
from abviz.exercises.checking import EXERCISES
from abviz.exercises.evidence import Evidence
from abviz.exercises.grading.marking import python_name
from abviz.tracing.pseudocode import forms, write_down

HOUSE = Path(__file__).resolve().parents[1]
NOTEBOOK = HOUSE / "notebooks" / "03-your-turn.ipynb"
SOLUTIONS = sorted((HOUSE / "tests" / "solutions").glob("[a-z]*.py"))
ON_THREADS = {"split-root", "share-alpha", "race", "predict-speed-up"}  # these are in 06-threads
NAMES = [name for name in EXERCISES if name not in ON_THREADS]
MOST_LINES = 6  # of a cell that is not for an answer
MOST_SECONDS = 90.0


@pytest.fixture(scope="module")
def cells() -> dict[str, Any]:
    """The cells by their ids, in their order."""
    return {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]}


def source(cell: Any) -> str:
    return "".join(cell["source"])


def solution(name: str) -> str:
    """What a student would have to type: the answer, and the functions of its file that it calls and has to bring."""
    wanted, answers = [python_name(name)], set(map(python_name, EXERCISES))
    for path in SOLUTIONS:
        text = path.read_text(encoding="utf-8")
        defined = {each: statement for statement in ast.parse(text).body for each in defines(statement)}
        if wanted[0] not in defined:
            continue
        for each in wanted:  # it grows
            named = {node.id for node in ast.walk(defined[each]) if isinstance(node, ast.Name)}
            wanted += sorted(named & defined.keys() - answers - set(wanted))
        return "\n\n".join(ast.get_source_segment(text, defined[each]) or "" for each in reversed(wanted))
    raise LookupError(name)


def words(stub: str) -> list[str]:
    """Its words: the lines of a notebook are shorter than those of a file."""
    return stub.replace("#", " ").split()


def defines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_every_exercise_stands_there_once(cells: dict[str, Any]) -> None:
    checked = re.findall(r'check\("([\w-]+)", (\w+)\)', "\n".join(map(source, cells.values())))
    assert sorted(checked) == sorted((name, python_name(name)) for name in NAMES)
    listed = re.findall(r"^\| \d.*$", source(cells["how"]), re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", "\n".join(listed)) == [name for name, _ in checked]
    assert f"{len(NAMES)} exercises" in (HOUSE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_is_told_answered_shown_and_checked(name: str, cells: dict[str, Any]) -> None:
    assert words(source(cells[f"{name}-yours"])) == words(EXERCISES[name].stub)  # type: ignore[attr-defined]
    ids = list(cells)
    answer, end = ids.index(f"{name}-yours"), ids.index(f"{name}-check")
    part = max(i for i in range(answer) if re.search(r"^## \d", source(cells[ids[i]]), re.MULTILINE))
    assert any("*Rules" in source(cells[each]) for each in ids[part:answer])
    assert answer < end
    if not isinstance(EXERCISES[name], Evidence):  # these share what shows their program
        assert f"{name}-show" in ids[answer:end]


@pytest.mark.parametrize("name", NAMES)
def test_without_an_answer_it_is_not_written_yet(name: str, cells: dict[str, Any]) -> None:
    said: list[tuple[str, str]] = []
    names = {"check": lambda asked, answer: said.append((asked, check(asked, answer).status))}
    exec(source(cells[f"{name}-yours"]), names)
    exec(source(cells[f"{name}-check"]), names)
    assert said == [(name, "not written yet")]


def test_the_prose_speaks_of_the_cells_as_they_are(cells: dict[str, Any]) -> None:
    before = list(cells)[list(cells).index("practice-then") - 1]
    (first,) = re.findall(r"make_tree\((\d+),", source(cells[before]))
    assert f"a {int(first) + 1} as its first number" in source(cells["practice-then"])
    (fresh,) = (cell for cell in cells.values() if "my_witness = None" in source(cell))
    assert "what the cell above shows" in source(fresh)
    shown = list(cells)[list(cells).index(fresh["id"]) - 1]
    assert source(cells[shown]).endswith("fresh"), "the exercise, with the dictionary to be filled in"


def test_the_cells_are_short(cells: dict[str, Any]) -> None:
    long = [i for i, cell in cells.items() if cell["cell_type"] == "code" and len(cell["source"]) > MOST_LINES]
    assert [name for name in long if not name.endswith("-yours")] == []


@pytest.mark.parametrize("cell", ["listed-minimax-source", "listed-alphabeta-source", "faulty-source"])
def test_a_program_with_faults_is_shown_beside_its_run(cell: str, cells: dict[str, Any]) -> None:
    names: dict[str, Any] = {"inf": inf, "minimax": lambda node: 0}
    exec(source(cells["listed-minimax-source"]), names)
    exec(source(cells[cell]), names)
    (name,) = re.findall(r"^exec\(typed\((\w+)\)\)", source(cells[cell]), re.MULTILINE)
    run = record(names[name], Tree([[3, 5], [2, 9]]))
    (form,) = forms(run)
    lines = [line.text for line in write_down(run, form)]
    assert lines[0].startswith(f"def {name}(")
    assert len(lines) == len(names["source"](names[name]).splitlines())


@pytest.fixture(scope="module")
def answered() -> dict[str, str]:
    """What the cells show, by id, when the notebook is run with the solutions in the place of the stubs."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        name = cell.id.removesuffix("-yours")
        if name != cell.id and name in EXERCISES:
            cell.source = solution(name)
    begin = time.monotonic()
    NotebookClient(notebook, timeout=MOST_SECONDS, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    assert time.monotonic() - begin < MOST_SECONDS
    return {cell.id: shown(cell) for cell in notebook.cells if cell.cell_type == "code"}


def test_a_report_lists_the_exercises_in_the_order_in_which_they_are_asked() -> None:
    asked: list[str] = []
    for path in sorted((HOUSE / "notebooks").glob("*.ipynb")):
        found = (cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
        asked += (name for cell in found for name in re.findall(r'check\("([\w-]+)"', cell.source))
    assert list(dict.fromkeys(asked)) == list(EXERCISES)


def test_functions_that_return_nothing_yet_give_no_traceback() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = cell.source.replace('raise NotImplementedError("not written yet")', "pass")
    NotebookClient(notebook, timeout=MOST_SECONDS, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    checked = [shown(cell) for cell in notebook.cells if cell.id in {f"{name}-check" for name in NAMES}]
    assert len(checked) == len(NAMES) and all(": not written yet." in said for said in checked)


def shown(cell: Any) -> str:
    return "\n".join(each.get("text") or each.get("data", {}).get("text/plain", "") for each in cell.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_with_the_solutions_every_check_is_right(name: str, answered: dict[str, str]) -> None:
    assert answered[f"{name}-check"].startswith(f"{name}: right.")


def test_what_the_notebook_says_of_numbers_is_so(answered: dict[str, str]) -> None:
    assert answered["listed-minimax-run"] == "3"
    assert answered["best-order-show"] == "18 leaves become 11\n"
    assert "value 8, 55 steps, 3 cuts" in answered["alphabeta-show"]
    assert "value 4, " in answered["listed-alphabeta-show"] and "value 4, " in answered["faulty-show"]
    assert answered["aspiration-show"].count("window (") == 1 + 2 + 2
    assert answered["deepening-show"] == "(5, ['A'])\n(3, ['B', 'E'])\n"
