"""docs/sources.md lists what the sources have: each place is there, and each test."""

import ast
import json
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
DOCUMENT = HOUSE / "docs" / "sources.md"
ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<places>(?:`[^`|]+` ?)+) \| (?P<test>text|`[^`|]+`) \|$"
)
SOURCES = 5


def section() -> list[str]:
    _, text = DOCUMENT.read_text("utf-8").split("## What each of them has, and where it is here")
    return text.splitlines()


def rows() -> list[tuple[str, list[str], str]]:
    """Return what the source has, its places in the course, and the test, "text" for none."""
    found = []
    for line in section():
        if line.startswith("|") and not line.startswith(("|---", "| the source has")):
            match = ROW.fullmatch(line)
            assert match, f"not a row: {line}"
            places = re.findall(r"`([^`]+)`", match["places"])
            found.append((match["what"], places, match["test"].strip("`")))
    return found


def cells(number: str) -> dict[str, str]:
    """Return the kinds of a notebook's cells, by id."""
    (path,) = (HOUSE / "notebooks").glob(f"{number}-*.ipynb")
    notebook = json.loads(path.read_text("utf-8"))
    return {cell["id"]: cell["cell_type"] for cell in notebook["cells"]}


def functions_in(name: str) -> set[str]:
    """Return the names of the tests of a file, wherever it is below tests/."""
    (path,) = (HOUSE / "tests").rglob(name)
    tree = ast.parse(path.read_text("utf-8"))
    return {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_there_is_a_table_for_each_source() -> None:
    headings = [line for line in section() if line.startswith("### ")]
    assert len(headings) == SOURCES
    assert len(rows()) > 90
    assert len({(what, tuple(places)) for what, places, _ in rows()}) == len(rows())


@pytest.mark.parametrize(("what", "places", "test"), rows())
def test_a_row_leads_to_what_it_names(what: str, places: list[str], test: str) -> None:
    for place in places:
        number, is_cell, cell = place.partition("#")
        if is_cell:
            assert cell in cells(number), f"{place} is not there"
        else:
            assert (HOUSE / place).is_file(), f"{place} is not there"

    if test == "text":
        numbers = [place.split("#") for place in places]
        assert any(cells(number)[cell] == "markdown" for number, cell in numbers), (
            "mentioned nowhere"
        )
    else:
        name, _, function = test.partition("::")
        assert function in functions_in(name), f"{test} is not there"


def test_a_place_that_disappears_is_noticed() -> None:
    """The test above can fail: with a cell, a file or a test that is not there."""
    for places, test in (
        (["01#no-such-cell"], "text"),
        (["abviz/no_such_file.py"], "test_course.py::test_links_lead_somewhere"),
        (["01#title"], "test_course.py::test_no_such_test"),
        (["01#imports"], "text"),
    ):
        with pytest.raises(AssertionError):
            test_a_row_leads_to_what_it_names("x", places, test)
