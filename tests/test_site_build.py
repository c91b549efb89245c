"""Building the web edition: what is wrong with a notebook, and what becomes of an earlier site."""

from pathlib import Path

import nbformat
import pytest

from tests.browser.site import tool


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
