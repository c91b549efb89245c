"""The doors to the course: notebooks in services without abviz, the pages' own sentences, and the
addresses under which all of it is found.
"""

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from packaging.requirements import Requirement

HOUSE = Path(__file__).resolve().parents[1]
NOTEBOOKS = {
    path.stem: nbformat.read(path, as_version=4)
    for path in sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
}
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = {each.name: each for each in map(Requirement, PROJECT["dependencies"])}
INSTALL = next(cell for cell in NOTEBOOKS["00-start-here"].cells if cell.id == "install")

# What a page has no place for: cells, keys and menus of JupyterLab, a terminal, this notebook's
# kernel; and keys in the place of the buttons that a phone has, too
ONLY_IN_JUPYTER = re.compile(
    r"Shift \+ Enter|\*Run →|Run All|make lab|terminal|[Kk]ernel|\bcells?\b|toolbar"
    r"|(?<!break a rule of )\bnotebook\b(?!\]|\.)"
    r"|Ctrl \+|[Pp]ress\s(`\w`|\*\*\w\*\*)"
)


def tool(name: str) -> ModuleType:
    """Return a module of tools/web, which is no package."""
    web = str(HOUSE / "tools" / "web")
    sys.path.insert(0, web)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(web)


doors = tool("doors")

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)


# the first cell


@every_notebook
def test_the_first_cell_with_code_installs_what_is_missing(name: str) -> None:
    first = next(cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "code")
    assert (first.id, first.source) == ("install", INSTALL.source)
    assert not doors.has_page(first)


def lines_for_pip(monkeypatch: pytest.MonkeyPatch, *, is_there: bool) -> list[str]:
    """Run the cell, and return what it asks pip for."""
    asked: list[str] = []

    class Shell:
        def find_line_magic(self, name: str) -> Callable[[str], None]:
            assert name == "pip"
            return asked.append

    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: object() if is_there and name == "abviz" else None
    )
    exec(INSTALL.source, {"get_ipython": Shell})
    return asked


def test_it_asks_for_nothing_where_abviz_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines_for_pip(monkeypatch, is_there=True) == []


def test_it_asks_for_what_abviz_needs_but_no_jupyterlab(monkeypatch: pytest.MonkeyPatch) -> None:
    *lines, itself = map(shlex.split, lines_for_pip(monkeypatch, is_there=False))
    assert itself == ["install", "--quiet", "--no-deps", "abviz"]  # which would bring it along

    assert all(line[:2] == ["install", "--quiet"] for line in lines)
    packages = [package for line in lines for package in line[2:]]
    asked = {each.name: each for each in map(Requirement, packages)}
    assert asked.keys() == NEEDED.keys() - {"jupyterlab"}
    assert asked["numba"].specifier == NEEDED["numba"].specifier  # a newer one can't be used


@pytest.mark.slow
def test_it_installs_them_where_there_is_only_a_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder in the place of an index, with a JupyterLab in it that nothing may take."""
    index = tmp_path / "index"
    wanted = [f"{each.name}{each.specifier}" for each in NEEDED.values()]
    wanted.remove(f"jupyterlab{NEEDED['jupyterlab'].specifier}")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    constraints = ("--constraint", HOUSE / "constraints.txt")
    run(*pip, "download", "--dest", index, *constraints, "ipykernel", *wanted)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", index)
    put_empty_wheel(index, "jupyterlab", "4.4.1")

    folder = tmp_path / "environment"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("JUPYTER_PATH", str(folder / "share" / "jupyter"))
    run(sys.executable, "-m", "virtualenv", "--quiet", folder)
    run(python, "-m", "pip", "install", "--quiet", "ipykernel")
    run(python, "-m", "ipykernel", "install", "--prefix", folder, "--name", "fresh")

    notebook = nbformat.from_dict(NOTEBOOKS["00-start-here"])
    places = {cell.id: place for place, cell in enumerate(notebook.cells)}
    again = nbformat.v4.new_code_cell(INSTALL.source)
    notebook.cells = [*notebook.cells[: places["first-stepper"] + 1], again]
    elsewhere = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="fresh", timeout=600, resources=elsewhere).execute()

    shown = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert [each.text for each in shown["check-installed"]] == ["Everything is installed.\n"]
    assert any("Stepper(" in each.data["text/plain"] for each in shown["first-stepper"])
    assert again.outputs == []
    names = json.loads(run(python, "-m", "pip", "list", "--format", "json"))
    installed = {each["name"].lower() for each in names}
    assert installed >= {"abviz", "numba"} and "jupyterlab" not in installed


def run(*command: object) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(each) for each in command],
        cwd=HOUSE,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def put_empty_wheel(folder: Path, name: str, version: str) -> None:
    """Write a wheel without a file of its own."""
    information = f"{name}-{version}.dist-info"
    texts = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as file:
        for part, text in texts.items():
            file.writestr(f"{information}/{part}", text)


# sentences for a page


@every_notebook
def test_a_page_says_nothing_that_is_so_only_in_jupyter(name: str) -> None:
    cells = [cell for cell in NOTEBOOKS[name].cells if doors.has_page(cell)]
    text = "\n\n".join(doors.page_text(cell) for cell in cells if cell.cell_type == "markdown")
    found = ONLY_IN_JUPYTER.findall(re.sub(r"\]\([^)]*\)|```.*?```", "]", text, flags=re.DOTALL))
    assert not found


def cell_with(source: str, **metadata: Any) -> Any:
    return nbformat.v4.new_markdown_cell(source, metadata=metadata)


def test_a_sentence_for_a_page_takes_the_place_of_one() -> None:
    page = {"page": {"Run it.": "Press **Run**."}}
    assert doors.page_text(cell_with("Run it. Look.", abviz=page)) == "Press **Run**. Look."
    assert doors.page_text(cell_with("Run it.")) == "Run it."
    for source in ("Look.", "Run it. Run it."):
        with pytest.raises(ValueError, match=r"expected once in its source: 'Run it\.'"):
            doors.page_text(cell_with(source, abviz=page))


def test_a_chapter_is_made_of_the_cells_that_its_page_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, runs = tool("course"), tool("runs")
    ran = tool("recorded").Run(date(2026, 1, 31), "a machine", "3.13")
    monkeypatch.setattr(runs, "run", lambda path: nbformat.read(path, as_version=4))
    monkeypatch.setattr(runs, "when_and_where", lambda notebook: ran)

    def chapter(name: str) -> Any:
        return course.Chapter(HOUSE / "notebooks" / f"{name}.ipynb", course.Files(tmp_path))

    texts = {cell.id: cell.html for cell in chapter("00-start-here").cells}
    left_out = {cell.id for cell in NOTEBOOKS["00-start-here"].cells} - texts.keys()
    assert left_out == {"install", "check-installed", "not-installed"}
    assert "Press <strong>Run</strong> and click a square" in texts["your-move"]
    assert "this page checks your code" in chapter("03-write-it-yourself").about


# addresses


def test_every_address_comes_from_that_of_the_repository() -> None:
    repository = doors.repository()
    owner, project = repository.removeprefix("https://github.com/").split("/")
    assert all(address.startswith(repository) for address in PROJECT["urls"].values())
    citation = yaml.safe_load((HOUSE / "CITATION.cff").read_text("utf-8"))
    assert citation["repository-code"] == repository

    first = "notebooks/00-start-here.ipynb"
    assert doors.colab() == (
        f"https://colab.research.google.com/github/{owner}/{project}/blob/main/{first}"
    )
    assert doors.binder() == (
        f"https://mybinder.org/v2/gh/{owner}/{project}/main?urlpath=lab/tree/{first}"
    )
    assert doors.pages() == f"https://{owner}.github.io/{project}/"
    assert (HOUSE / first).is_file()


def test_the_readme_opens_the_link_first_and_then_the_other_doors() -> None:
    readme = (HOUSE / "README.md").read_text("utf-8")
    first_screen, _, rest = readme.partition("\n![")
    others, _, rest = rest.partition("\n## Three other doors\n")[2].partition("\n## ")
    assert "make site && python3 -m http.server -d site" in first_screen
    assert "Three other doors are below." in first_screen
    for command in ("uvx ", "pip install", "make lab"):
        assert command in others

    services = re.compile(r"https://[^)>\s]*(?:colab\.research|mybinder|github\.io)[^)>\s]*")
    assert services.findall(first_screen) == [doors.pages()]
    opened = [each for each in services.findall(others) if not each.endswith(".svg")]
    assert opened == [doors.colab(), doors.binder()]
    assert services.findall(rest) == []


def test_the_guide_names_every_file_of_the_web_edition() -> None:
    guide = (HOUSE / "CONTRIBUTING.md").read_text("utf-8").partition("\n## The web edition")[2]
    web = HOUSE / "tools" / "web"
    for path in [*web.glob("[a-z]*.*"), *(web / "page").glob("*.js")]:
        assert re.search(rf"`(page/)?{re.escape(path.name)}`", guide.partition("\n## ")[0]), path


@every_notebook
def test_every_page_opens_its_notebook_elsewhere(name: str) -> None:
    """The templates are given these addresses, and name no other site."""
    assert doors.colab(name).endswith(f"/blob/main/notebooks/{name}.ipynb")
    assert doors.binder(name).endswith(f"/main?urlpath=lab/tree/notebooks/{name}.ipynb")
    for path in (HOUSE / "tools" / "web" / "page").glob("*.html"):
        text = path.read_text("utf-8")
        assert "://" not in text
        if path.stem != "lite":  # JupyterLite's own page
            assert "{{ colab }}" in text and "{{ binder }}" in text


# the workflow that publishes the site


def test_the_site_is_published_with_no_more_rights_than_that_needs() -> None:
    path = HOUSE / ".github" / "workflows" / "site.yml"
    workflow = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)  # or `on` would be True
    assert workflow["on"]["push"]["branches"] == ["main"]
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]["group"] == "site"

    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    commands = [step["run"] for step in build["steps"] if "run" in step]
    assert commands == ["make site PYTHON=python3"]
    assert "permissions" not in build
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert publish["needs"] == "build"
    uploads = [step["with"]["path"] for step in build["steps"] if "upload" in step.get("uses", "")]
    assert uploads == ["site"]


def test_workflows_name_the_version_of_each_action_and_the_same_one() -> None:
    versions: dict[str, set[str]] = {}
    for path in (HOUSE / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        for job in workflow["jobs"].values():
            assert int(job["timeout-minutes"]) <= (150 if path.stem == "nightly" else 60)
            for step in job["steps"]:
                if "uses" in step:
                    action, _, version = step["uses"].partition("@")
                    versions.setdefault(action, set()).add(version)
    assert versions and all(each and len(each) == 1 and all(each) for each in versions.values())
