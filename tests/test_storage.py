"""Runs as files: every field comes back, other files are refused in one line, spreadsheets compute nothing."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from abviz import AbvizError
from abviz.games.tic_tac_toe import TicTacToe
from abviz.parallel import Run, simulate
from abviz.timing import read_runs, save_runs
from tests.runs import make_run, make_task, runs

ENDINGS = ["csv", "json"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.mark.parametrize("ending", ENDINGS)
@given(run=runs())
def test_every_field_comes_back(folder: Path, ending: str, run: Run) -> None:
    save_runs([run, run], folder / f"r.{ending}")
    assert read_runs(folder / f"r.{ending}") == [run, run]


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_a_class_are_pooled(tmp_path: Path, ending: str) -> None:
    real = [simulate(TicTacToe.start(), 4, strategy=name, workers=n) for name, n in (("sequential", 1), ("root", 2))]
    for name, kept in (("ada", real), ("bob", real[0]), ("eve", [])):
        save_runs(kept, tmp_path / f"{name}.{ending}")
    assert read_runs(sorted(tmp_path.iterdir())) == [*real, real[0]]
    assert read_runs(tmp_path / f"bob.{ending}", str(tmp_path / f"eve.{ending}")) == [real[0]]


@pytest.mark.parametrize("title", ["=1+1", "+x", "-3", "@a", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1", "'=1", ""])
def test_no_name_becomes_a_formula(tmp_path: Path, title: str) -> None:
    path = tmp_path / "r.csv"
    save_runs(make_run(game=title, tasks=(make_task(move=title),), moves=(title,)), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, row = csv.reader(file)
    cells = dict(zip(head, row, strict=True))
    assert cells["game"] == cells["task_move"] == f"'{title}"
    assert read_runs(path)[0].game == title


def test_a_file_that_a_spreadsheet_has_rewritten_is_read(tmp_path: Path) -> None:
    """Semicolons, TRUE, no byte order mark, rows sorted, an empty row, and a second file pasted below the first."""
    kept = [make_run(), make_run("shared", 1), make_run(tasks=())]
    path = tmp_path / "r.csv"
    save_runs(kept, path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    other = [[*row[:3], "polling", *row[4:]] for row in rows]
    rows = [[{"true": "TRUE"}.get(cell, cell) for cell in row] for row in (*reversed(rows), *other)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([head, [""] * len(head), *rows])
    pasted = [replace(run, strategy="polling") for run in kept]
    assert sorted(read_runs(path), key=repr) == sorted(kept + pasted, key=repr)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("time", "NaN", ", time: nan; expected a number"),
        ("depth", "9" * 5000, ", depth: "),
        ("finished", "yes", ", finished: 'yes'; expected true or false"),
        ("moves", "9-13", ", moves: '9-13'; expected a list"),
        ("clock", "hours", ", clock: 'hours'; expected seconds or nodes"),
        ("workers", "0", ", workers: 0; expected 1 to 256"),
        ("task", "7", ", tasks: '2'; expected a row for each task, not 2 in all"),
        ("task_learnt", "[[1, 2]]", ", tasks 1, learnt 1: [1, 2]; expected a list of 3"),
        ("task_nodes", "", ", tasks 1, nodes: None; expected a whole number"),
        ("task_worker", "2", ", tasks 1, worker: 2; expected one of the workers"),
        ("task_start", "5", ", tasks 1, end: 1.0; expected a time after the start"),
    ],
)
def test_a_wrong_cell_is_named(tmp_path: Path, field: str, value: str, problem: str) -> None:
    path = tmp_path / "r.csv"
    save_runs(make_run(), path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    for row in rows if field in vars(make_run()) else rows[:1]:
        row[head.index(field)] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    assert f", row 2{problem}" in refused(path)


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("r.txt", b"", "r.txt is not a file of runs; expected a name ending in .csv or .json"),
        ("no.csv", None, "no.csv: No such file or directory; expected a file of runs"),
        ("r.csv", b"name\nada", "r.csv, row 2: no run; expected the columns that save_runs writes"),
        ("r.csv", b'run\n"', "r.csv: unexpected end of data; expected CSV"),
        ("r.csv", b"\xff", "r.csv: 'utf-8' codec can't decode byte 0xff"),
        ("r.json", b"[1,\n}", "r.json: Expecting value: line 2 column 1 (char 4); expected JSON, a list of runs"),
        ("r.json", b"{}", "r.json: {}; expected a list of runs"),
        ("r.json", b"[" * 99999, "; expected JSON, a list of runs"),
        ("r.json", b"[1]", "r.json, run 1: 1; expected the fields of a Run"),
        ("r.json", b"[{}]", "missing 17 required keyword-only arguments: "),
        ("r.json", b'[{"tasks": [3]}]', "r.json, run 1, tasks 1: 3; expected the fields of a TaskRecord"),
        ("r.json", b'[{"depth": true}]', "r.json, run 1, depth: True; expected a whole number"),
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
