"""Runs as files: every field comes back, other files are refused in one line, spreadsheets compute nothing."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from abviz import AbvizError
from abviz.games.tic_tac_toe import TicTacToe
from abviz.parallel import Run, simulate
from abviz.timing import read_runs, save_runs
from tests.runs import make_run, runs

ENDINGS = ["csv", "json"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


def as_kept(run: Run, ending: str) -> Run:
    """Return what a file keeps of a run: CSV has no tasks, and no empty move."""
    return run if ending == "json" else replace(run, tasks=(), move=run.move or None)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=50)
@given(run=runs())
def test_every_field_comes_back(folder: Path, ending: str, run: Run) -> None:
    save_runs([run, run], folder / f"r.{ending}")
    assert read_runs(folder / f"r.{ending}") == [as_kept(run, ending)] * 2


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_a_class_are_pooled(tmp_path: Path, ending: str) -> None:
    real = [simulate(TicTacToe.start(), 4, strategy=name, workers=n) for name, n in (("sequential", 1), ("root", 2))]
    for name, kept in (("ada", real), ("bob", real[0]), ("eve", [])):
        save_runs(kept, tmp_path / f"{name}.{ending}")
    expected = [as_kept(run, ending) for run in real]
    assert read_runs(sorted(tmp_path.iterdir())) == [*expected, expected[0]]
    assert read_runs(tmp_path / f"bob.{ending}", str(tmp_path / f"eve.{ending}")) == expected[:1]
    assert [run.idle for run in expected] == [run.idle for run in real]


@pytest.mark.parametrize("title", ["=1+1", "+x", "-3", "@a", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1"])
def test_no_name_becomes_a_formula(tmp_path: Path, title: str) -> None:
    path = tmp_path / "r.csv"
    save_runs(make_run(game=title, move=title), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, row = csv.reader(file)
    cells = dict(zip(head, row, strict=True))
    assert cells["game"] == cells["move"] == f"'{title}"
    assert read_runs(path)[0].game == title


def test_a_file_that_a_spreadsheet_has_rewritten_is_read(tmp_path: Path) -> None:
    """Semicolons, TRUE, no byte order mark, rows sorted, and an empty row."""
    kept = [make_run(), make_run("shared", 1), make_run(tasks=())]
    path = tmp_path / "r.csv"
    save_runs(kept, path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    rows = [[{"true": "TRUE"}.get(cell, cell) for cell in row] for row in reversed(rows)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([head, [""] * len(head), *rows])
    assert read_runs(path) == [as_kept(run, "csv") for run in reversed(kept)]


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("time", "NaN", ", time: 'NaN'; expected what save_runs writes"),
        ("depth", "9" * 5000, ", depth: "),
        ("finished", "yes", ", finished: 'yes'; expected what save_runs writes"),
        ("moves", "9-13", ", moves: '9-13'; expected what save_runs writes"),
        ("clock", "hours", ", clock: 'hours'; expected seconds or nodes"),
        ("workers", "0", ", workers: 0; expected 1 to 256, among them those of its tasks"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, field: str, value: str, problem: str) -> None:
    path = tmp_path / "r.csv"
    save_runs(make_run(), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, row = csv.reader(file)
    row[head.index(field)] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, row])
    assert f", run 1{problem}" in refused(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [("learnt", [[1, 2]]), ("nodes", None), ("worker", 2), ("worker", -1), ("move", 3), ("alpha", True)],
)
def test_a_wrong_task_is_refused(tmp_path: Path, field: str, value: Any) -> None:
    record = make_run().to_dict()
    record["tasks"][0][field] = value
    (tmp_path / "r.json").write_text(json.dumps([record]))
    assert "run 1" in refused(tmp_path / "r.json")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("r.txt", b"", "r.txt is not a file of runs; expected a name ending in .csv or .json"),
        ("no.csv", None, "no.csv: No such file or directory; expected a file of runs"),
        ("r.csv", b"name\nada", "r.csv, run 1: no strategy; expected the fields that save_runs writes"),
        ("r.csv", b'run\n"', "r.csv: unexpected end of data; expected a file of runs"),
        ("r.csv", b"\xff", "r.csv: 'utf-8' codec can't decode byte 0xff"),
        ("r.json", b"[1,\n}", "r.json: Expecting value: line 2 column 1 (char 4); expected a file of runs"),
        ("r.json", b"{}", "r.json: {}; expected a list of runs"),
        ("r.json", b"[" * 99999, "; expected a file of runs"),
        ("r.json", b"[1]", "r.json: [1]; expected a list of runs"),
        ("r.json", b"[{}]", "r.json, run 1: no strategy; expected the fields"),
        ("r.json", b'[{"tasks": [3]}]', "r.json, run 1, tasks: [3]; expected what save_runs writes"),
        ("r.json", b'[{"depth": true}]', "r.json, run 1, depth: True; expected what save_runs writes"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, name: str, data: bytes | None, problem: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert problem in refused(tmp_path / name)


def refused(path: Path) -> str:
    with pytest.raises(AbvizError) as problem:
        read_runs(path)
    assert "\n" not in str(problem.value)
    return str(problem.value)
