"""Cells that a browser can't run: their pages show the run that was recorded."""

import re
import sys
from datetime import date
from pathlib import Path

import nbformat
import pytest

from tests.test_course import NOTEBOOKS

HOUSE = Path(__file__).resolve().parents[1]
sys.path.append(str(HOUSE / "tools" / "web"))

import course  # noqa: E402
import recorded  # noqa: E402
import runs  # noqa: E402

COMPILER, THREADS = "needs-compiler", "needs-threads"


def needs(*cells: tuple[str, str]) -> str:
    """Return what each of these cells needs, as a letter; "-" where it needs nothing.

    A cell is its source and its tag, if any.
    """
    notebook = [
        nbformat.v4.new_code_cell(source, id=f"c{n}") for n, (source, _) in enumerate(cells)
    ]
    for cell, (_, tag) in zip(notebook, cells, strict=True):
        cell.metadata["tags"] = [tag] if tag else []
    found = recorded.needs(notebook)
    return "".join(found.get(cell.id, "-")[0] for cell in notebook)


@pytest.mark.parametrize(
    "later, expected",
    [
        ("print(deep)", "c"),
        ("deep = 1", "-"),
        ("deep = 1\nprint(deep)", "-"),
        ("deep += 1", "c"),
        ("def show():\n    return deep", "c"),
        ("def show(deep):\n    return deep", "-"),
        ("def show():\n    deep = 1\n    return deep", "-"),
        ("class Game:\n    limit = deep", "c"),
        ("[deep for _ in range(3)]", "c"),
        ("[deep for deep in range(3)]", "-"),
        ("for deep in range(3):\n    print(deep)", "-"),
        ("position.deep", "-"),
        ("f'{deep} plies'", "c"),
    ],
)
def test_a_cell_needs_what_the_cells_need_whose_names_it_uses(later: str, expected: str) -> None:
    cells = [("start = 1", ""), ("deep = search(start)", COMPILER), (later, ""), ("start", "")]
    assert needs(*cells) == f"-c{expected}-"


def test_a_need_goes_on_from_cell_to_cell_until_its_names_have_other_values() -> None:
    cells = [("a = 1", THREADS), ("b = a", ""), ("c = b", ""), ("b = 2", ""), ("b", ""), ("c", "")]
    assert needs(*cells) == "ttt--t"


def test_the_first_of_a_page_says_all_and_the_others_are_short() -> None:
    run = recorded.Run(date(2026, 11, 8), "an x86_64 machine with 2 cores", "3.11")
    assert run.sentence("threads", is_first=True) == (
        "Recorded on 8 November 2026 on an x86_64 machine with 2 cores, Python 3.11: this needs "
        "threads, which a browser hasn't. It runs on your own computer: the front page of the "
        "course says how."
    )
    short = "Recorded on 8 November 2026, since it needs threads."
    assert run.sentence("threads", is_first=False) == short

    # A cell that shows nothing has no record to tell of
    assert run.sentence("threads", is_first=True, shows=False) == (
        "Not run here: this needs threads, which a browser hasn't. It runs on your own computer: "
        "the front page of the course says how."
    )
    check = run.sentence("threads", is_first=False, checks=True)
    assert check == (
        "This check needs threads, which a browser hasn't: download this page as a notebook, and "
        "check your answer on your own computer."
    )
    quiet = "Not run here, since it needs threads."
    assert run.sentence("threads", is_first=False, shows=False) == quiet


def test_its_page_has_the_run_and_its_code_to_read_but_no_box_to_run_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cell(id: str, source: str, output: str, tags: list[str]) -> nbformat.NotebookNode:
        shown = nbformat.v4.new_output("stream", text=output)
        metadata = {"tags": tags}
        return nbformat.v4.new_code_cell(source, id=id, outputs=[shown], metadata=metadata)

    cells = [
        nbformat.v4.new_markdown_cell("# Threads\n\nTwo at once.", id="title"),
        cell("here", "print(1)", "one", []),
        cell("there", "seconds = 2", "two", [THREADS]),
        cell("below", "print(seconds)", "three", []),
    ]
    for at, id in ((1, "live"), (2, "box")):
        view = {course.WIDGET: {"model_id": id}}
        cells[at].outputs.append(nbformat.v4.new_output("display_data", data=view))
    about = {"day": "2026-11-28", "machine": "an x86_64 machine with 2 cores", "python": "3.11"}
    models = {
        id: {"state": {"_model_name": "BoxModel", "children": children}}
        for id, children in (("live", []), ("box", ["IPY_MODEL_inside"]), ("inside", []))
    }
    shown = {"application/vnd.jupyter.widget-state+json": {"state": models}}
    ran = nbformat.v4.new_notebook(cells=cells, metadata={runs.RUN: about, "widgets": shown})
    monkeypatch.setattr(runs, "run", lambda path: ran)

    chapter = course.Chapter(Path("08-threads.ipynb"), course.Files(tmp_path))
    sections = re.split(
        r'<(?:section|div) class="(?:prose|code)"',
        chapter.html([chapter], "files", has_notebooks=False),
    )[1:]
    assert ["data-recorded" in each for each in sections] == [False, False, True, True]
    assert ["28 November 2026" in each for each in sections] == [False, False, True, True]
    assert "an x86_64 machine with 2 cores" in sections[2]
    assert all(text in sections[3] for text in ("print(seconds)", "three", "needs threads"))
    recorded_models = [id for id, state in chapter.states().items() if "isRecorded" in state]
    assert sorted(recorded_models) == ["box", "inside"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_first_chapters_run_in_a_browser_and_most_of_the_next(name: str) -> None:
    code = [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "code"]
    share = len(recorded.needs(code)) / len(code)
    number = int(name[:2])
    # The deep searches of 05 are what its text is about
    most = 0 if number <= 4 or number == 11 else 0.25 if number == 5 else 0.1
    assert share <= (most if number <= 7 or number == 11 else 0.75)
    tags = {tag for cell in code for tag in cell.metadata.get("tags", [])}
    assert not {tag for tag in tags if tag.startswith("needs-")} - recorded.NEEDS.keys()
