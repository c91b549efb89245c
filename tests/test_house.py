"""The direction of imports, what importing costs, and notebooks without outputs."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
MODULES = sorted((HOUSE / "abviz").rglob("*.py"))
ROOMS = [
    "errors",
    "capabilities",
    "plain_widgets",
    "widgets",
    "cells",
    "images",
    "tree",
    "tracing",
    "course",
    "recording",
    "games",
    "engine",
    "parallel",
    "timing",
    "views",
]
ROOMS += ["exercises", "grading", "play", "course_folder", "lab", "cli", "__main__"]
HEAVY = {
    "IPython",
    "anywidget",
    "graphviz",
    "ipywidgets",
    "matplotlib",
    "numba",
    "numpy",
    "pygraphviz",
    "yaml",
}


def name(path: Path) -> str:
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")


NAMES = set(map(name, MODULES))


def imported(node: ast.AST) -> Iterator[str]:
    """Yield the modules of abviz that the code imports, except where an object shows itself: that
    may need a view.
    """
    if isinstance(node, ast.FunctionDef) and (
        node.name.startswith("_repr_") or node.name == "__str__"
    ):
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.startswith("abviz."))
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "a relative import"
        for module in (f"{node.module}.{alias.name}" for alias in node.names):
            if module.startswith("abviz.") and node.module != "abviz":
                yield module if module in NAMES else str(node.module)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        # A room's front door puts the name together at run time
        names = [each.value for each in node.args if isinstance(each, ast.Constant)]
        yield from (each for each in names if each.startswith("abviz."))
    for child in ast.iter_child_nodes(node):
        yield from imported(child)


@pytest.mark.parametrize("path", [path for path in MODULES if name(path) != "abviz"], ids=name)
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    code = ast.parse(path.read_text("utf-8"))
    for module in imported(code):
        assert ROOMS.index(module.split(".")[1]) <= ROOMS.index(name(path).split(".")[1]), (
            f"imports {module}"
        )
    defined = {each.name for each in code.body if isinstance(each, ast.FunctionDef)}
    assert name(path).rpartition(".")[2] not in defined, "a module has the name of its function"


def test_no_modules_import_each_other_in_a_circle() -> None:
    TopologicalSorter(
        {name(path): [*imported(ast.parse(path.read_text("utf-8")))] for path in MODULES}
    ).prepare()


def test_importing_abviz_loads_nothing_heavy() -> None:
    light = "from abviz import Rules, Tree, trace; str(trace(Tree([[3, 5], [2, 9]])))"
    a_table = "from abviz.timing import table; str(table())"
    rows = [
        ("import abviz", set()),
        (light, {"yaml"}),
        (a_table, HEAVY - {"matplotlib", "ipywidgets"}),
    ]
    for code, allowed in rows:
        report = f"import sys; {code}; print(*{{name.partition('.')[0] for name in sys.modules}})"
        done = subprocess.run(
            [sys.executable, "-c", report], cwd=HOUSE, capture_output=True, text=True, check=True
        )
        assert HEAVY & set(done.stdout.split()) <= allowed


def test_notebooks_are_committed_without_outputs() -> None:
    notebooks = sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
    assert notebooks
    for path in notebooks:
        staged = subprocess.run(
            ["git", "show", f":notebooks/{path.name}"], cwd=HOUSE, capture_output=True
        )
        # A reader's own copy may have been run
        notebook = json.loads(staged.stdout or path.read_bytes())
        assert "widgets" not in notebook["metadata"], path
        for cell in notebook["cells"]:
            assert cell["cell_type"] != "code" or (
                cell["outputs"] == [] and cell["execution_count"] is None
            ), path
