"""The archive that pages import from: its modules are compiled, and what students read is there."""

import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from abviz.exercises.exercise import texts
from tests.node import running_node
from tests.pyodide import DRIVER

HOUSE = Path(__file__).resolve().parents[1]
sys.path.append(str(HOUSE / "tools" / "web"))

import python_files  # noqa: E402

Run = Callable[[str], Any]


@pytest.fixture(scope="module")
def archive() -> bytes:
    return python_files.compiled(python_files.archive())


@pytest.fixture(scope="module")
def run(archive: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """What runs code in Pyodide, with the archive unpacked as a page does."""
    folder = tmp_path_factory.mktemp("archive")
    zipfile.ZipFile(io.BytesIO(archive)).extractall(folder)
    with running_node() as node:
        node.load(DRIVER)
        node.call(
            "openPython", {each.name: str(each) for each in folder.iterdir() if each.is_dir()}
        )
        yield lambda code: node.call("runPython", code)


def names(content: bytes) -> set[str]:
    return set(zipfile.ZipFile(io.BytesIO(content)).namelist())


def test_each_module_is_there_with_its_code(archive: bytes) -> None:
    found = names(archive)
    for name in names(python_files.archive()):
        folder, _, file = name.rpartition("/")
        if name.startswith("abviz/") and file.endswith(".py"):
            module = file.removesuffix(".py")
            assert {name, f"{folder}/__pycache__/{module}.cpython-314.pyc"} <= found
        elif folder and file.endswith(".py"):
            assert f"{name}c" in found and name not in found


def test_a_check_compiles_no_module(run: Run) -> None:
    code = """
import importlib.machinery, json
compiled = []
loader = importlib.machinery.SourceFileLoader
plain_source = loader.source_to_code
def counted(self, data, path, **options):
    compiled.append(path)
    return plain_source(self, data, path, **options)
loader.source_to_code = counted
import abviz.exercises.programs
from abviz import check
verdict = check("minimax", min)
loader.source_to_code = plain_source
json.dumps([compiled, verdict.status])
"""
    assert json.loads(run(code)) == [[], "wrong"]


def test_the_source_of_programs_can_be_printed_and_named_in_tracebacks(run: Run) -> None:
    code = """
from inspect import getsource
from abviz.exercises import programs
getsource(programs.minmax)
"""
    assert run(code).startswith("def minmax(node):\n")


def test_the_texts_are_those_of_the_data_files(run: Run) -> None:
    code = "import json; from abviz.exercises.exercise import texts; json.dumps(texts())"
    assert json.loads(run(code)) == texts()
