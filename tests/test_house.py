"""The house in order: the direction of imports, what importing costs, notebooks without outputs."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
MODULES = sorted((HOUSE / "abviz").rglob("*.py"))
ROOMS = [
    "errors",
    "tree",
    "tracing",
    "recording",
    "games",
    "engine",
    "parallel",
    "timing",
    "views",
    "exercises",
    "play",
    "lab",
    "cli",
    "__main__",
]
HEAVY = {"IPython", "anywidget", "graphviz", "ipywidgets", "matplotlib", "numba", "numpy", "pygraphviz", "yaml"}


def room(module: str) -> str:
    return module.split(".")[1]


def name(path: Path) -> str:
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of abviz that a module imports, inside functions too."""
    tree = ast.parse(path.read_text("utf-8"))
    # An object that shows itself may import a view.
    shows = [
        each
        for each in ast.walk(tree)
        if isinstance(each, ast.FunctionDef) and (each.name.startswith("_repr_") or each.name == "__str__")
    ]
    exempt = {id(inner) for each in shows for inner in ast.walk(each)}
    for node in ast.walk(tree):
        if id(node) in exempt:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("abviz."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            if node.module and node.module.startswith("abviz."):
                yield node.module


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    if path.parent.name == "abviz" and path.name == "__init__.py":
        return  # the front door names rooms as text
    here = ROOMS.index(room(name(path)))
    for module in imported(path):
        assert ROOMS.index(room(module)) <= here, f"{name(path)} imports {module}"


def test_no_module_has_the_name_of_a_function_that_it_defines() -> None:
    for path in MODULES:
        defined = {each.name for each in ast.parse(path.read_text("utf-8")).body if isinstance(each, ast.FunctionDef)}
        assert name(path).rpartition(".")[2] not in defined, path


def loaded_by(code: str) -> set[str]:
    report = f"import sys; {code}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", report], cwd=HOUSE, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_abviz_loads_nothing_heavy() -> None:
    assert not HEAVY & loaded_by("import abviz")
    light = "from abviz import Rules, Tree, trace; str(trace(Tree([[3, 5], [2, 9]])))"
    assert not (HEAVY - {"yaml"}) & loaded_by(light)


def test_notebooks_are_committed_without_outputs() -> None:
    notebooks = sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
    assert notebooks
    for path in notebooks:
        staged = subprocess.run(["git", "show", f":notebooks/{path.name}"], cwd=HOUSE, capture_output=True)
        notebook = json.loads(staged.stdout or path.read_bytes())  # a reader's own copy may have been run
        assert "widgets" not in notebook["metadata"], path
        for cell in notebook["cells"]:
            assert cell["cell_type"] != "code" or (cell["outputs"] == [] and cell["execution_count"] is None), path
