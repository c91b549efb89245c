"""The house in order: style, types, the direction of imports, what importing costs, what notebooks carry."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
PACKAGE = HOUSE / "abviz"

# A module may import, at module level, from what stands before it.
ORDER = (
    *("game", "text", "errors", "files"),
    *("nested", "tree", "marks", "reading", "writing", "loading"),
    *("algorithms", "history", "tracing"),
    *("watchdog", "naming", "held", "watched", "watching", "calling", "source", "own_stacks"),
    *("turning", "seeming", "retelling", "recording"),
    *("parting", "narration", "pseudocode"),
    *("rendering", "drawing", "questions", "frames", "stepper"),
    *("games", "engine", "parallel", "timing", "exercises", "grading"),
    *("lab", "cli_games", "cli_making", "cli_check", "cli", "__main__"),
)

HEAVY = {"IPython", "anywidget", "graphviz", "ipywidgets", "matplotlib", "numba", "numpy", "pygraphviz", "yaml"}

# Written in halves, so that this file does not hold what it looks for.
REGISTRIES = tuple(
    name + end
    for name, end in [
        ("pypi", ".org"),
        ("pythonhosted", ".org"),
        ("npmjs", ".org"),
        ("npmjs", ".com"),
        ("unpkg", ".com"),
        ("jsdelivr", ".net"),
        ("anaconda", ".org"),
        ("conda", ".io"),
        ("crates", ".io"),
    ]
)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, encoding="utf-8")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def dotted(module: Path) -> str:
    return ".".join(module.relative_to(HOUSE).with_suffix("").parts)


def room(module: Path) -> str:
    """The name of the module, or package, directly under abviz that a file belongs to."""
    return dotted(module).split(".")[1]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def statements_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What runs when the module is imported: not what is inside functions or only for the type checker."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            yield from statements_at_import(statement.orelse)
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody"):
                yield from statements_at_import(getattr(statement, part, []))
            for handler in getattr(statement, "handlers", []):
                yield from statements_at_import(handler.body)


def imported_modules(text: str, module: str) -> Iterator[str]:
    """The modules of abviz that the text of a module imports at module level, in full."""
    for statement in statements_at_import(ast.parse(text).body):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if alias.name.startswith("abviz."))
        elif isinstance(statement, ast.ImportFrom):
            start = module.split(".")[: -statement.level] if statement.level else []
            source = ".".join([*start, *([statement.module] if statement.module else [])])
            if source == "abviz":
                yield from (f"abviz.{alias.name}" for alias in statement.names)
            elif source.startswith("abviz."):
                yield source


# The project's own code, and not what a reader has written in the checkout or changed in a notebook.
CODE = ("abviz", "benchmarks", "notebooks", "tests")


def test_ruff_finds_nothing() -> None:
    found = run(sys.executable, "-m", "ruff", "check", *CODE)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_file_is_formatted() -> None:
    found = run(sys.executable, "-m", "ruff", "format", "--check", *CODE)
    assert found.returncode == 0, found.stdout + found.stderr + "\nmend with: .venv/bin/ruff format"


def test_types_hold_strictly() -> None:
    found = run(sys.executable, "-m", "mypy")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("module", modules(), ids=dotted)
def test_imports_run_one_way(module: Path) -> None:
    here = room(module)
    imported = list(imported_modules(text_of(module), dotted(module)))
    if here == "__init__":
        assert imported == [], "the front door enters a room only when it is asked for"
        return
    assert here in ORDER, f"give {here} its place in ORDER"
    for name in imported:
        there = name.split(".")[1]
        assert there in ORDER, f"{dotted(module)} imports {name}, which is no module of abviz"
        assert there == here or ORDER.index(there) < ORDER.index(here), f"{dotted(module)} imports {name}"


def test_every_import_that_counts_is_seen() -> None:
    text = """
import abviz.one
from abviz import two
from abviz.three.inside import x
try:
    from abviz.four import x
except ImportError:
    import abviz.five
if TYPE_CHECKING:
    from abviz.never import x
def function():
    from abviz.never import x
class Class:
    from .six import x
from . import seven
from .eight.inside import x
"""
    rooms = [name.split(".")[1] for name in imported_modules(text, "abviz.module")]
    assert rooms == ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert list(imported_modules("from . import frames", "abviz.views.stepper.page")) == ["abviz.views.stepper"]
    assert list(imported_modules("from ..frames import x", "abviz.views.stepper.page")) == ["abviz.views.frames"]


def test_no_module_shares_its_name_with_what_it_exports() -> None:
    front_door = run(sys.executable, "-c", "import abviz; print(*abviz.__all__)").stdout.split()
    assert "trace" in front_door
    assert not {room(module) for module in modules()} & set(front_door)
    for module in modules():
        own_name = module.parent.name if module.name == "__init__.py" else module.stem
        definitions = (ast.FunctionDef, ast.ClassDef)
        defined = {node.name for node in ast.parse(text_of(module)).body if isinstance(node, definitions)}
        assert own_name not in defined, f"{dotted(module)} defines {own_name}"


def test_importing_abviz_loads_nothing_heavy() -> None:
    loaded = run(sys.executable, "-c", "import sys, abviz; print(*{name.partition('.')[0] for name in sys.modules})")
    assert "abviz" in loaded.stdout.split(), loaded.stderr
    assert not HEAVY & set(loaded.stdout.split())


@pytest.mark.parametrize("folder", ["abviz", "trees", "notebooks"])
def test_nothing_that_users_get_names_a_package_registry(folder: str) -> None:
    kinds = {".py", ".js", ".css", ".yaml", ".ipynb"}
    files = [
        path for path in (HOUSE / folder).rglob("*") if path.suffix in kinds and ".ipynb_checkpoints" not in path.parts
    ]
    assert files
    for path in files:
        assert not [host for host in REGISTRIES if host in text_of(path)], path


def as_committed(path: Path) -> str:
    """The file as git holds it, since a reader's own copy may have been run; in a copy without git, as it is."""
    staged = run("git", "show", f":{path.relative_to(HOUSE).as_posix()}")
    return staged.stdout if staged.returncode == 0 else text_of(path)


def test_notebooks_are_kept_without_outputs() -> None:
    notebooks = sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
    assert notebooks
    for path in notebooks:
        notebook = json.loads(as_committed(path))
        assert "widgets" not in notebook["metadata"], path
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None, f"nbstripout {path}"
