"""The notebooks of the site's JupyterLite: those of the course, without what is for other doors."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.browser.site import tool

HOUSE = Path(__file__).resolve().parents[1]
PATHS = sorted((HOUSE / "notebooks").glob("[0-9]*.ipynb"))
RAN = tool("recorded").Run(date(2026, 1, 31), "a machine", "3.13")
WIDGET = "application/vnd.jupyter.widget-view+json"
TAGS = set(tool("recorded").NEEDS)

OUTPUTS = [
    nbformat.v4.new_output("stream", text="seen"),
    nbformat.v4.new_output("display_data", {WIDGET: {"model_id": "1"}, "text/plain": "a widget"}),
    nbformat.v4.new_output("display_data", {WIDGET: {"model_id": "2"}, "text/plain": "a frame"}),
    nbformat.v4.new_output("execute_result", {"text/plain": "3"}, execution_count=7),
]
MODELS = {
    "1": {"_model_name": "AnyModel"},
    "2": {"outputs": [{"output_type": "stream", "name": "stdout", "text": "framed"}]},
}


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def pair(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """A notebook each of whose cells has shown the same, and the one made of it."""
    own = nbformat.read(request.param, as_version=4)

    def run(path: Path) -> Any:
        ran = nbformat.read(path, as_version=4)
        for cell in ran.cells:
            if cell.cell_type == "code":
                cell.outputs = nbformat.from_dict(OUTPUTS)
        return ran

    runs = tool("runs")
    monkeypatch.setattr(runs, "run", run)
    monkeypatch.setattr(runs, "when_and_where", lambda notebook: RAN)
    monkeypatch.setattr(runs, "widgets", lambda notebook: MODELS)
    made = tool("lite").notebook(request.param)
    nbformat.validate(made)
    return own, made


def test_it_has_every_cell_but_those_for_other_doors(pair: tuple[Any, Any]) -> None:
    own, made = pair
    kept = [cell for cell in made.cells if not cell.id.endswith("-note")]
    assert [cell.id for cell in kept] == [
        cell.id for cell in own.cells if "jupyter-only" not in cell.metadata.get("tags", [])
    ]
    sources = {cell.id: cell.source for cell in own.cells}
    assert {cell.id for cell in kept if cell.source != sources[cell.id]} <= {"title"}
    text = "\n".join(cell.source for cell in kept)
    assert not re.search(r"make lab|find_spec|installs abviz", text)


def test_what_a_browser_cannot_run_says_so_and_shows_what_it_has_shown(
    pair: tuple[Any, Any],
) -> None:
    own, made = pair
    needy = {cell.id for cell in own.cells if TAGS & set(cell.metadata.get("tags", []))}
    places = {cell.id: place for place, cell in enumerate(made.cells)}
    for id in needy - {cell.id for cell in own.cells if "predict(" in cell.source}:
        note, cell = made.cells[places[id] - 1], made.cells[places[id]]
        assert note.id == f"{id}-note" and "Recorded on 31 January 2026" in note.source
        shown = [output.get("text") or output.data["text/plain"] for output in cell.outputs]
        assert shown == ["seen", "framed", "3"] and cell.outputs[-1].execution_count is None

    notes = [cell.source for cell in made.cells if cell.id.endswith("-note")]
    assert all("browser hasn't" in note for note in notes[:1])
    assert bool(notes) == bool(needy)
    assert all(
        bool(cell.outputs) <= (f"{cell.id}-note" in places or "predict(" in cell.source)
        for cell in made.cells
        if cell.cell_type == "code"
    )


def test_what_was_recorded_is_written_so_that_jupyter_shows_it(
    tmp_path: Path, pair: tuple[Any, Any]
) -> None:
    path = next(path for path in PATHS if path.stem == "08-threads")
    editions = tool("lite").write_notebooks(tmp_path, [path])
    written = json.loads((tmp_path / "files" / path.name).read_text("utf-8"))
    assert editions.keys() == {path.name}
    codes = [cell for cell in written["cells"] if cell["cell_type"] == "code"]
    assert codes and all(cell["metadata"]["trusted"] for cell in codes)


def test_pip_says_that_nothing_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    code = tool("no_pip").get_transformed_code(["install", "numpy"])
    with pytest.raises(StopIteration) as ended:
        code.send(None)
    assert ended.value.value == ""
    assert capsys.readouterr().err == (
        "Nothing can be installed here: what the course needs is there already.\n"
    )
