"""An nbgrader assignment of three exercises, made from their tasks and the solutions.

    python -m tests.nbgrader.assignment source/your-turn/your-turn.ipynb

writes the instructor's version; `nbgrader generate_assignment` makes the students' version from it.
"""

import ast
import inspect
import json
import sys
from pathlib import Path

from tests.solutions import hidden, threads, writing

NAME = "your-turn"
POINTS = 2
TASKS = {
    "minimax": "Write `minimax(node)`: the value of the tree below a node.",
    "alphabeta": "Write `alphabeta(node, alpha, beta)`: the same value, without reading more leaves than needed.",
    "race": "A tree and an order of ending on which the hurried function is wrong: `(tree, order)`.",
}
SOLUTIONS = {
    "minimax": inspect.getsource(writing.minimax),
    "alphabeta": inspect.getsource(writing.alphabeta),
    "race": f"race = {threads.race!r}\n",
}


def with_marks(solution: str) -> str:
    """Return the solution with the marks between which nbgrader puts a stub: the body of a
    function, or the line.
    """
    lines = solution.splitlines()
    first = ast.parse(solution).body[0]
    head, body = (lines[:1], lines[1:]) if isinstance(first, ast.FunctionDef) else ([], lines)
    indent = " " * 4 if head else ""
    return "\n".join([*head, f"{indent}### BEGIN SOLUTION", *body, f"{indent}### END SOLUTION"])


def tests_of(name: str) -> str:
    hidden_part = hidden.CHECKS[name].strip()
    return f'print(check("{name}", {name}))\n### BEGIN HIDDEN TESTS\n{hidden_part}\n### END HIDDEN TESTS'


def notebook() -> dict:
    cells = [
        cell("markdown", "# Your turn", "title"),
        cell("code", "from math import inf\n\nfrom abviz import check, load", "imports"),
    ]
    for name in TASKS:
        cells.append(cell("markdown", TASKS[name], f"{name}-task"))
        cells.append(cell("code", with_marks(SOLUTIONS[name]), name, solution=True))
        cells.append(
            cell("code", tests_of(name), f"{name}-tests", grade=True, locked=True, points=POINTS)
        )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def cell(kind: str, source: str, name: str, **marks: object) -> dict:
    made = {"id": name, "cell_type": kind, "source": source, "metadata": {}}
    if marks:
        shared = {
            "schema_version": 3,
            "task": False,
            "grade": False,
            "solution": False,
            "locked": False,
        }
        made["metadata"] = {"nbgrader": shared | {"grade_id": name} | marks}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(), indent=1), encoding="utf-8")
