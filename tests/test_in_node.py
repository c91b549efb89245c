"""The page's modules that need no browser, tested in JavaScript by Node's own runner."""

import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

FILES = sorted((Path(__file__).parent / "page").glob("*.test.js"))


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_in_node(path: Path) -> None:
    node = compute_driver_executable()[0]
    run = subprocess.run([node, "--test", path], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout + run.stderr
