"""Notebook 03-your-turn: each exercise as a student gets it; and with the solutions put in, every check is right."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from abviz import check
from abviz.exercises import EXERCISES

HOUSE = Path(__file__).resolve().parents[1]
NOTEBOOK = HOUSE / "notebooks" / "03-your-turn.ipynb"
SOLUTIONS = sorted((HOUSE / "tests" / "solutions").glob("[a-z]*.py"))
ELSEWHERE = {"split-root", "share-alpha", "race", "predict-speed-up"}  # these are in 06-threads
ELSEWHERE |= {"order", "killer", "table", "open-lines"}
NAMES = [name for name in EXERCISES if name not in ELSEWHERE and not name.startswith("checkers-")]
FEWER_TREES = """
from abviz.exercises import counterexamples
counterexamples.SMALL_TREES, counterexamples.RANDOM_TREES = 500, 30
"""
TIME_LIMIT = 600  # seconds a cell may take on a busy machine


@pytest.fixture(scope="module")
def cells() -> dict[str, Any]:
    """Return the cells by their ids, in their order."""
    return {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]}


def source(cell: Any) -> str:
    return "".join(cell["source"])


def variable(name: str) -> str:
    return name.replace("-", "_")


def solution(name: str) -> str:
    """Return what a student would type: the answer, and the functions of its file that it calls."""
    needed, answers = [variable(name)], set(map(variable, EXERCISES))
    for path in SOLUTIONS:
        text = path.read_text(encoding="utf-8")
        defined = {each: statement for statement in ast.parse(text).body for each in defines(statement)}
        if needed[0] not in defined:
            continue
        for each in needed:  # it grows
            used = {node.id for node in ast.walk(defined[each]) if isinstance(node, ast.Name)}
            needed += sorted(used & defined.keys() - answers - set(needed))
        return "\n\n".join(ast.get_source_segment(text, defined[each]) or "" for each in reversed(needed))
    raise LookupError(name)


def defines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_every_exercise_stands_there_once(cells: dict[str, Any]) -> None:
    checked = re.findall(r'check\("([\w-]+)", (\w+)\)', "\n".join(map(source, cells.values())))
    assert sorted(checked) == sorted((name, variable(name)) for name in NAMES)
    listed = re.findall(r"^\| \d.*$", source(cells["how"]), re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", "\n".join(listed)) == [name for name, _ in checked]


@pytest.mark.parametrize("name", NAMES)
def test_an_exercise_has_rules_a_stub_a_picture_and_a_check(name: str, cells: dict[str, Any]) -> None:
    assert source(cells[f"{name}-yours"]).split() == EXERCISES[name].stub.split()  # its lines may be shorter
    ids = list(cells)
    answer, end = ids.index(f"{name}-yours"), ids.index(f"{name}-check")
    part = max(i for i in range(answer) if re.search(r"^## \d", source(cells[ids[i]]), re.MULTILINE))
    assert any("*Rules" in source(cells[each]) for each in ids[part:answer])
    assert f"{name}-show" in ids[answer:end]
    statuses: list[tuple[str, str]] = []
    names = {"check": lambda asked, answer: statuses.append((asked, check(asked, answer).status))}
    exec(source(cells[f"{name}-yours"]), names)
    exec(source(cells[f"{name}-check"]), names)
    assert statuses == [(name, "not written yet")]


def shown(cell: Any) -> str:
    return "\n".join(each.get("text") or each.get("data", {}).get("text/plain", "") for each in cell.outputs)


def test_with_the_solutions_every_check_is_right() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        name = cell.id.removesuffix("-yours")
        if name != cell.id and name in EXERCISES:
            cell.source = solution(name)
        if name == "imports":
            cell.source += FEWER_TREES
    NotebookClient(notebook, timeout=TIME_LIMIT, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    answered = {cell.id: shown(cell) for cell in notebook.cells if cell.cell_type == "code"}
    wrong = [name for name in NAMES if not answered[f"{name}-check"].startswith(f"{name}: right.")]
    assert not wrong, [answered[f"{name}-check"] for name in wrong]
    # what the notebook says of numbers
    assert answered["listed-minimax-run"] == "3"
    assert "without end" in answered["listed-alphabeta-run"]
    assert answered["minmax-source"].endswith("4") and "8 leaves" in answered["prune-show"]
    assert answered["best-order-show"] == "18 leaves become 11\n"
    assert "value 8, " in answered["alphabeta-show"] and "3 cuts" in answered["alphabeta-show"]
    assert answered["aspiration-show"].count("window (") == 1 + 2 + 2
    assert answered["deepening-show"] == "(5, ['A'])\n(3, ['B', 'E'])\n"
