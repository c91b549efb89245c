"""Building the web edition: what is wrong with a notebook, and what becomes of an earlier site."""

import base64
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from abviz import Rules
from abviz.course import Course, load_course
from abviz.exercises import EXERCISES
from tests.browser.site import tool
from tests.node import running_node

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook whose last cell fails, which is all of the course."""
    cells = [
        nbformat.v4.new_markdown_cell("# Broken", id="title"),
        nbformat.v4.new_code_cell("fine = 1", id="fine"),
        nbformat.v4.new_code_cell("fine / 0", id="half"),
    ]
    path = tmp_path / "00-broken.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    monkeypatch.setattr(tool("course"), "NOTEBOOKS", tmp_path)
    return path


def test_a_notebook_that_fails_is_named_and_the_earlier_site_stays(
    broken: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("the earlier one", "utf-8")
    with pytest.raises(SystemExit) as ended:
        tool("build").build(site, [])
    assert str(ended.value) == (
        "00-broken.ipynb, cell half: ZeroDivisionError: division by zero; "
        "expected a notebook that runs to its end"
    )
    assert [path.name for path in site.iterdir()] == ["index.html"]


def test_a_notebook_that_is_not_there_is_named_with_those_that_are(
    broken: Path, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        tool("build").build(tmp_path / "site", ["01-minmax"])
    assert str(ended.value) == "no notebook 01-minmax; expected 00-broken"
    assert not (tmp_path / "site").exists()


def test_an_error_in_a_smaller_script_names_its_function(tmp_path: Path) -> None:
    source = """
const half = (number) => { throw new Error(`no half of ${number}`); };
globalThis.begin = (longNameOfANumber) => half(longNameOfANumber);
"""
    script = tmp_path / "script.mjs"
    small = tool("python_files").smaller(source, "js", keeps_names=True)
    script.write_text(small, "utf-8")
    assert "longName" not in small
    with running_node() as node:
        node.load(script)
        with pytest.raises(RuntimeError, match=r"no half of 3\s+at half "):
            node.call("begin", 3)


def test_what_was_compiled_before_is_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python_files = tool("python_files")
    compiled: list[bytes] = []
    monkeypatch.setattr(python_files, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(
        python_files, "_compile", lambda content: (compiled.append(content), content.upper())[1]
    )
    for content in (b"one", b"two", b"one"):
        assert python_files.compiled(content) == content.upper()
    assert compiled == [b"one", b"two"]


@pytest.fixture
def strict_class(tmp_path: Path) -> Iterator[ModuleType]:
    """The site's class, which has a course file, until the test is over."""
    file = tmp_path / "class.yaml"
    file.write_text("rules: strict\nletters: v\nplayers: [Ann, Bob]\npseudocode: aima\n")
    of_class = tool("of_class")
    of_class.follow(load_course(file))
    yield of_class
    of_class.follow(Course())


def test_the_front_page_is_that_of_the_class(strict_class: ModuleType) -> None:
    state = tool("course").front_state()
    assert (state["letters"], state["form"]) == ("v", "aima")
    assert state["spec"]["search"]["rules"]["strict"]
    assert state["spec"]["players"] == ["Ann", "Bob"]


def test_stubs_say_the_rules_of_the_class(strict_class: ModuleType) -> None:
    stub = EXERCISES["alphabeta"].stub
    assert "beyond the bound (>, <)" in strict_class.source(f"# mine\n{stub}")
    assert strict_class.source("x = 1") == "x = 1"
    strict_class.follow(Course())
    assert strict_class.source(stub) == stub


def test_each_stub_in_a_notebook_says_the_rules_of_the_class(strict_class: ModuleType) -> None:
    """In pages and in JupyterLite, where they are those of the notebooks."""
    sources = [
        cell.source
        for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.id.endswith("-yours")
    ]
    changed = {cell: strict_class.source(cell) for cell in sources}
    for exercise in EXERCISES.values():
        own = exercise.under(Rules(strict=True)).stub
        if own != exercise.stub:
            [found] = [cell for cell in sources if cell.split() == exercise.stub.split()]
            code = [line.removeprefix("# ") for line in changed[found].splitlines()]
            asked = [line.removeprefix("# ") for line in own.splitlines()]
            assert " ".join(code).split() == " ".join(asked).split()
            assert max(map(len, changed[found].splitlines())) <= 88
            compile(changed[found], exercise.name, "exec")
    others = [cell for cell in sources if cell.split() == changed[cell].split()]
    assert others, "rules change some stubs only"

    path = NOTEBOOKS / "03-write-it-yourself.ipynb"
    assert "cut only when bv is beyond the bound (>, <)" in strict_class.notebook(path)
    strict_class.follow(Course())
    assert strict_class.notebook(path) == path.read_text("utf-8")


def test_the_python_of_pages_has_the_course_file(
    strict_class: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = zipfile.ZipFile(io.BytesIO(tool("python_files").archive()))
    assert archive.read("abviz.yaml") == strict_class.content()

    # A session puts it where `check` looks
    monkeypatch.chdir(tmp_path)
    session = tool("session")
    monkeypatch.setattr(session, "__file__", str(tmp_path / "packages" / "abviz_session.py"))
    (tmp_path / "packages").mkdir()
    session._follow_class()
    assert load_course() == Course()
    (tmp_path / "packages" / "abviz.yaml").write_bytes(strict_class.content())
    session._follow_class()
    assert load_course().rules.strict


def test_without_a_course_file_the_site_is_as_before() -> None:
    archive = zipfile.ZipFile(io.BytesIO(tool("python_files").archive()))
    assert "abviz.yaml" not in archive.namelist()


def test_what_follows_a_question_waits_for_it_even_another_question() -> None:
    course = tool("course")
    cells = [
        course.Cell("ask", "code", asks="first"),
        course.Cell("why", "prose", html="<p>At C,"),
        course.Cell("ask-more", "code", asks="second"),
        course.Cell("more", "prose", html="<p>Again"),
        course.Cell("next", "prose", html="<h2>The rules"),
        course.Cell("table", "code"),
    ]
    course._let_wait(cells)
    assert [cell.after for cell in cells] == ["", "first", "first", "second", "", ""]


WRONG = """
from abviz import check
check("minimax", lambda node: 0)
"""


def test_a_verdict_on_a_page_names_its_button_and_no_new_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# Checked\n\nWhat it says.", id="title"),
        nbformat.v4.new_code_cell(WRONG, id="wrong"),
    ]
    path = tmp_path / "00-checked.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    monkeypatch.setattr(tool("runs"), "KEPT", tmp_path / "kept")

    course = tool("course")
    (output,) = course.Chapter(path, course.Files(tmp_path / "files")).cells[1].outputs
    assert "minimax: wrong." in output.html and "new cell" not in output.html
    assert "To watch your own run on this tree, press <strong>Check</strong>." in output.html


# A progress bar, as rich shows one, and a picture of Matplotlib's kind, which comes alone
BAR = """
from ipywidgets import HTML, Output
bar = Output()
display(bar)
with bar:
    print("working")
bar.close()
display({"text/plain": "", "text/html": "<pre></pre>"}, raw=True)
display(HTML("open"))
"""
PICTURE = f"""
display({{"image/png": "{base64.b64encode(b"png").decode()}", "text/plain": "a figure"}}, raw=True)
"""


def test_a_page_shows_what_its_notebook_shows_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [
        nbformat.v4.new_markdown_cell("# Shown\n\nWhat stays.", id="title"),
        nbformat.v4.new_code_cell(BAR, id="bar"),
        nbformat.v4.new_code_cell(PICTURE, id="picture"),
    ]
    path = tmp_path / "00-shown.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    course = tool("course")
    monkeypatch.setattr(tool("runs"), "KEPT", tmp_path / "kept")

    files = course.Files(tmp_path / "files")
    chapter = course.Chapter(path, files)
    _, bar, picture = chapter.cells
    assert [(output.html, bool(output.model)) for output in bar.outputs] == [("", True)]

    page = chapter.html([chapter], "files", has_notebooks=False)
    pictures = re.findall(r'<div class="output"><img src="../files/(\w+\.png)"', page)
    assert [output.picture for output in picture.outputs] == pictures
    assert [(files.folder / name).read_bytes() for name in pictures] == [b"png"]
