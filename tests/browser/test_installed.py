"""The wheel in an empty environment, outside the checkout: `abviz lab` opens 00 and runs it."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driving import new_context
from tests.browser.jupyter import Notebook, Server
from tests.test_doors import run
from tests.test_lab import FIRST_PAGE, Lab

HOUSE = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The folder with the programs of an environment that has the wheel and what it asks for."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist")
    (wheel,) = (tmp_path / "dist").iterdir()
    folder = tmp_path / "environment"
    run(sys.executable, "-m", "virtualenv", "--quiet", folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (programs / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "--constraint", HOUSE / "constraints.txt", wheel)
    return programs


@pytest.fixture
def lab(environment: Path, tmp_path: Path) -> Iterator[Lab]:
    """`abviz lab` of that environment, in an empty folder, with an empty home."""
    home = tmp_path / "home"
    settings = home / ".jupyter" / "jupyter_lab_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"LabApp": {"expose_app_in_browser": True}}), "utf-8")
    folder = tmp_path / "anywhere"
    folder.mkdir()
    program = [str(environment / "abviz")]
    with Lab(home, "--port", "0", folder=folder, program=program) as lab:
        yield lab


def test_the_installed_course_opens_and_its_first_chapter_runs(lab: Lab, browser: Browser) -> None:
    folder = Path(lab.process.args[0]).parents[2] / "anywhere" / "abviz-course"
    server = Server(lab.process, f"http://127.0.0.1:{lab.port}/", lab.token, folder)
    context = new_context(browser)
    notebook = Notebook(context.new_page(), server, FIRST_PAGE)
    notebook.run_all()
    expect(notebook.root.get_by_text("Everything is installed.", exact=True)).to_be_visible()
    expect(notebook.root.locator(".abviz-stepper").first).to_be_visible()
    where = notebook.ask("__import__('abviz').__file__")
    assert "environment" in where and str(HOUSE) not in where
    context.close()
