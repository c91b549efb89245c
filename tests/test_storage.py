"""Runs as files: JSON brings every field back, a spreadsheet computes nothing."""

import csv
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings

from abviz import AbvizError
from abviz.parallel import Run
from abviz.timing import read_runs, save_runs
from tests.runs import make_run, runs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@settings(max_examples=50)
@given(run=runs())
def test_every_field_comes_back(folder: Path, run: Run) -> None:
    save_runs([run, run], folder / "r.json")
    assert read_runs(folder / "r.json", str(folder / "r.json")) == [run] * 4


@pytest.mark.parametrize(
    "title",
    ["checkers", "=1+1", "+x", "-3", "@a", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1"],
)
def test_a_spreadsheet_has_a_row_for_each_run_and_no_name_becomes_a_formula(
    tmp_path: Path, title: str
) -> None:
    path = tmp_path / "r.csv"
    save_runs(make_run(game=title, move=title, cpu=(1.0, 2.5)), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, row = csv.reader(file)
    assert head == [field.name for field in fields(Run) if field.name != "tasks"]
    cells = dict(zip(head, row, strict=True))
    assert cells["game"] == cells["move"] == (title if title == "checkers" else f"'{title}")
    assert (cells["depth"], cells["cpu"], cells["finished"]) == ("9", "(1.0, 2.5)", "True")


@pytest.mark.parametrize("text", ["", "{", "[3]", '[{"tasks": []}]', "run,game"])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(
        AbvizError, match=r"r\.json.* cannot be read; expected JSON that save_runs has written"
    ):
        read_runs(tmp_path / "r.json")
