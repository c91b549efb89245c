"""Runs as files: every field comes back, other files are refused in one line, spreadsheets compute nothing."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from time import thread_time
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from abviz import Checkers
from abviz.errors import AbvizError
from abviz.parallel.records import Run, TaskRecord
from abviz.timing import Timing, lanes, overhead, read_runs, save_runs, speed_up, table, time_per_move
from abviz.timing.still import svg

ENDINGS = ["csv", "json"]
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # what a spreadsheet would compute, or step over

names = st.text(max_size=12) | st.sampled_from(
    ["11-15", "=1+1", "+x", "-3", "@a", "'", "'=x", "", '"', "a,b;c\td\r\n", "α"]
)
BEYOND = 2**63
whole = st.integers(1 - BEYOND, BEYOND - 1)
amounts = st.floats(0, 1e9) | st.integers(0, 10**9)
times = st.floats(0, 1e9) | st.integers(0, 10**9)


@st.composite
def tasks(draw: st.DrawFn, workers: int) -> TaskRecord:
    start = draw(st.floats(0, 1e9))
    return TaskRecord(
        move=draw(names),
        path=tuple(draw(st.lists(names, max_size=3))),
        worker=draw(st.integers(0, workers - 1)),
        start=start,
        end=draw(st.none() | st.floats(start, 1e9)),
        nodes=draw(st.integers(0, BEYOND - 1)),
        alpha=draw(whole),
        beta=draw(whole),
        value=draw(st.none() | whole),
        learnt=tuple(draw(st.lists(st.tuples(times, whole, whole), max_size=2))),
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    workers = draw(st.integers(1, 4))
    searched = draw(st.lists(tasks(workers), max_size=3))
    return Run(
        strategy=draw(names),
        game=draw(names),
        position=draw(names),
        depth=draw(whole),
        workers=workers,
        method=draw(names),
        is_max=draw(st.booleans()),
        moves=tuple(
            {task.move: None for task in searched if task.move} | dict.fromkeys(draw(st.lists(names, max_size=3)))
        ),
        clock=draw(st.sampled_from(["seconds", "nodes"])),
        move=draw(st.none() | names),
        value=draw(st.none() | whole),
        nodes=draw(st.integers(0, BEYOND - 1)),
        time=draw(amounts),
        cpu=tuple(draw(st.just([]) | st.lists(amounts, min_size=workers, max_size=workers))),
        compiled=draw(amounts),
        finished=draw(st.booleans()),
        tasks=tuple(searched),
    )


def task(number: int = 0, **told: object) -> TaskRecord:
    usual = TaskRecord(
        move="11-15",
        path=("11-15",),
        worker=number % 2,
        start=0.1 + number,
        end=0.9 + number,
        nodes=1000 + number,
        alpha=-1_000_000,
        beta=1_000_000,
        value=-3,
        learnt=((0.2 + number, -3, 1_000_000),),
    )
    return replace(usual, **told)


def run(**told: object) -> Run:
    usual = Run(
        strategy="shared",
        game="Checkers",
        position="B:W21-32:B1-12",
        depth=8,
        workers=2,
        method="alphabeta",
        is_max=True,
        moves=("11-15", "12-16"),
        clock="seconds",
        move="11-15",
        value=-3,
        nodes=2010,
        time=2.0,
        cpu=(0.8, 0.7),
        compiled=0.25,
        finished=True,
        tasks=(task(0), task(1)),
    )
    return replace(usual, **told)


def same_types(one: object, other: object) -> bool:
    """Equal and of the same types, all the way down: 1 is not 1.0, nor True."""
    return repr(one) == repr(other)


# there and back


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(kept=st.lists(runs(), max_size=3))
def test_every_field_comes_back(tmp_path: Path, ending: str, kept: list[Run]):
    path = tmp_path / f"runs.{ending}"
    save_runs(kept, path)
    found = read_runs(path)
    assert found == kept
    assert same_types(found, kept)


@pytest.mark.parametrize("ending", ENDINGS)
def test_one_run_alike_runs_and_no_runs(tmp_path, ending):
    path = tmp_path / f"runs.{ending.upper()}"
    for kept in ([run()], [run(), run()], [run(tasks=())] * 2, []):
        save_runs(kept[0] if len(kept) == 1 else iter(kept), path)
        assert read_runs(path) == kept


@pytest.mark.parametrize("ending", ENDINGS)
def test_numbers_of_numpy_become_plain_ones(tmp_path, ending):
    path = tmp_path / f"runs.{ending}"
    save_runs(run(nodes=np.int64(7), time=np.float64(0.5), tasks=(task(value=np.int64(-3)),)), path)
    assert same_types(read_runs(path), [run(nodes=7, time=0.5, tasks=(task(),))])


def test_files_of_several_students_are_pooled(tmp_path):
    one, two, three = run(time=1.0), run(time=2.0), run(strategy="root", tasks=())
    save_runs([one, two], tmp_path / "a.csv")
    save_runs(three, tmp_path / "b.json")
    a, b = tmp_path / "a.csv", tmp_path / "b.json"
    assert read_runs(a, str(b)) == read_runs([a, b]) == read_runs(sorted(tmp_path.glob("*.*"))) == [one, two, three]
    assert read_runs([]) == []


# spreadsheets


def cells(path: Path) -> list[list[str]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def write(path: Path, rows: list[list[str]], delimiter: str = ",") -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


def test_a_row_is_a_task(tmp_path):
    save_runs([run(), run(tasks=())], tmp_path / "runs.csv")
    head, *rows = cells(tmp_path / "runs.csv")
    told = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["run"], row["task"], row["tasks"]) for row in told] == [
        ("1", "1", "2"),
        ("1", "2", "2"),
        ("2", "0", "0"),
    ]
    first = told[0]
    assert (first["strategy"], first["move"], first["value"], first["time"]) == ("shared", "11-15", "-3", "2.0")
    assert (first["task_move"], first["task_nodes"], first["task_learnt"]) == ("11-15", "1000", "[[0.2, -3, 1000000]]")
    assert (tmp_path / "runs.csv").read_bytes().startswith(b"\xef\xbb\xbf"), "by which Excel knows UTF-8"


@given(title=st.builds("".join, st.tuples(st.sampled_from(FORMULA), st.text(max_size=10))))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_title_becomes_a_formula(tmp_path: Path, title: str):
    odd = run(game=title, position=title, move=title, moves=(title,), tasks=(task(move=title, path=(title,)),))
    save_runs(odd, tmp_path / "runs.csv")
    numbers = {"value", "task_alpha", "task_beta", "task_value"}
    head, row = cells(tmp_path / "runs.csv")
    for name, cell in zip(head, row, strict=True):
        assert name in numbers or not cell.startswith(FORMULA), name
    assert read_runs(tmp_path / "runs.csv") == [odd]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_what_a_spreadsheet_has_done_to_a_file_is_no_harm(tmp_path, delimiter):
    kept = [run(), run(finished=False, time=1.5), run(tasks=())]
    save_runs(kept, tmp_path / "runs.csv")
    head, *rows = cells(tmp_path / "runs.csv")
    turned = [["student", *reversed(head)], [""] * (len(head) + 1)]
    for row in [*sorted(rows[2:], reverse=True), *reversed(rows[:2])]:
        turned.append(["Ada", *reversed([{"true": "TRUE", "false": "FALSE"}.get(cell, cell) for cell in row])])
    write(tmp_path / "turned.csv", turned, delimiter)
    assert sorted(read_runs(tmp_path / "turned.csv"), key=kept.index) == kept


def test_files_pasted_below_one_another_keep_their_runs_apart(tmp_path):
    one, two = run(time=1.0), run(time=2.0)
    save_runs(one, tmp_path / "one.csv")
    save_runs(two, tmp_path / "two.csv")
    write(tmp_path / "both.csv", cells(tmp_path / "one.csv") + cells(tmp_path / "two.csv")[1:])
    assert read_runs(tmp_path / "both.csv") == [one, two]


@pytest.mark.parametrize("ending", ENDINGS)
def test_twenty_thousand_tasks_are_saved_and_read_in_seconds(tmp_path, ending):
    many = run(tasks=tuple(task(n) for n in range(20_000)), moves=(*(f"{n}-{n + 4}" for n in range(9, 60)), "11-15"))
    begin = thread_time()
    save_runs(many, tmp_path / f"runs.{ending}")
    assert read_runs(tmp_path / f"runs.{ending}") == [many]
    assert thread_time() - begin < 12


# nothing that a file can hold stops a chart


texts = st.sampled_from(["", "a", "11-15", "$x$", "\x00\n\x1b", "x" * 5000, "\u202eabc", "<b>", "👩‍💻", "שלום"])
extremes = st.sampled_from([0, 1, -1, 999_999, 2**62, 2**63 - 1, 1 - 2**63])
moments = st.sampled_from([0, 0.0, 5e-324, 1e-300, 1e-9, 0.3, 1, 1e6, 1e9])


@st.composite
def odd_runs(draw: st.DrawFn, clock: str) -> Run:
    workers, moves = draw(st.sampled_from([1, 2, 3, 20])), tuple(draw(st.lists(texts, max_size=3)))
    searched = []
    for _ in range(draw(st.integers(0, 4))):
        start, end = sorted([draw(moments), draw(moments)])
        learnt = draw(st.lists(st.tuples(moments, extremes, extremes), max_size=2))
        searched.append(
            task(
                worker=draw(st.integers(0, workers - 1)),
                move=draw(st.sampled_from(["", *moves])),
                path=tuple(draw(st.lists(texts, max_size=2))),
                start=start,
                end=draw(st.sampled_from([end, None])),
                nodes=abs(draw(extremes)),
                alpha=draw(extremes),
                beta=draw(extremes),
                value=draw(st.none() | extremes),
                learnt=tuple(learnt),
            )
        )
    return Run(
        **{name: draw(texts) for name in ("strategy", "game", "position", "method", "executor")},
        clock=clock,
        workers=workers,
        moves=moves,
        tasks=tuple(searched),
        depth=draw(extremes),
        is_max=draw(st.booleans()),
        finished=draw(st.booleans()),
        move=draw(st.none() | texts),
        value=draw(st.none() | extremes),
        nodes=abs(draw(extremes)),
        time=draw(moments),
        compiled=draw(moments),
        cpu=(draw(moments),) * workers,
    )


@pytest.mark.filterwarnings("ignore:Glyph", "ignore:Matplotlib currently does not")  # letters that the font has not
@pytest.mark.filterwarnings("error")
@settings(
    max_examples=40,
    phases=[Phase.generate],  # each takes a second: to look for the smallest would take minutes
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
@given(st.data())
def test_whatever_can_be_read_can_be_shown(tmp_path: Path, data: st.DataObject):
    clock = data.draw(st.sampled_from(["seconds", "nodes"]))
    path = tmp_path / "odd.csv"
    save_runs([data.draw(odd_runs(clock)) for _ in range(2)], path)
    one, other = read_runs(path)
    ElementTree.fromstring(lanes(one, other).svg())
    assert str(table(one, other)).count("\n") <= 3
    told = Timing({"start": Checkers.start()}, runs=[one, other])
    told.show(1, 2)
    json.dumps(told.get_state(["shown", "rows", "tiles", "says"]), allow_nan=False)
    ElementTree.fromstring(svg(told.shown))
    told.close()
    for draw in (speed_up, overhead, time_per_move):
        baseline = replace(one, strategy="sequential", workers=1, cpu=one.cpu[:1], tasks=(), finished=True)
        try:
            draw(baseline, replace(one, finished=True), replace(other, finished=True)).svg()
        except AbvizError as problem:
            assert "expected" in str(problem)


# what is refused


def edited(folder: Path, column: str, cell: str, row: int = 1) -> Path:
    save_runs([run(), run()], folder / "runs.csv")
    table = cells(folder / "runs.csv")
    table[row][table[0].index(column)] = cell
    write(folder / "edited.csv", table)
    return folder / "edited.csv"


@pytest.mark.parametrize(
    "column, cell, problem",
    [
        ("depth", "deep", "row 3: depth: 'deep' stands there; expected a whole number"),
        ("depth", "8.5", "row 3: depth: 8.5 stands there; expected a whole number"),
        ("depth", "", "row 3: depth: None stands there; expected a whole number"),
        ("depth", "true", "row 3: depth: True stands there; expected a whole number"),
        ("time", "NaN", "row 3: time: nan stands there; expected a number"),
        ("time", "1e999", "row 3: time: inf stands there; expected a number"),
        ("is_max", "1", "row 3: is_max: 1 stands there; expected true or false"),
        ("moves", '["11-15", 7]', "row 3: moves: number 2: 7 stands there; expected text"),
        ("cpu", "0.5", "row 3: cpu: 0.5 stands there; expected a list"),
        ("task_learnt", "[[0.5, 3]]", "row 3: task_learnt: number 1: [0.5, 3] stands there; expected a list of 3"),
        ("task_value", "[" * 100_000, "row 3: task_value: '[[["),
        (
            "task_move",
            "1-5",
            "run of row 2: task 2: move: '1-5' stands there; expected one of the run's moves, or nothing for the root",
        ),
        ("task_worker", "2", "run of row 2: task 2: worker: 2 stands there; expected 0 to 1"),
        (
            "task_end",
            "0.5",
            "run of row 2: task 2: end: 0.5 stands there; expected the time when it started, 1.1, or later",
        ),
        ("task", "1", "row 2: 2 rows of run 1, which has 2 tasks; expected one for each task"),
        ("task", "0", "row 2: 2 rows of run 1, which has 2 tasks; expected one for each task"),
        ("tasks", "9", "row 2: 1 row of run 1, which has 2 tasks; expected one for each task"),
        ("strategy", "root", "row 2: 1 row of run 1, which has 2 tasks; expected one for each task"),
    ],
)
def test_a_cell_that_does_not_fit(tmp_path, column, cell, problem):
    path = edited(tmp_path, column, cell, row=2)
    with pytest.raises(AbvizError) as refused:
        read_runs(path)
    told = str(refused.value)
    assert told.startswith(f"{path}, {problem}")
    assert "\n" not in told and len(told) < len(str(path)) + 200


@pytest.mark.parametrize(
    "column, cell, problem",
    [
        ("workers", "0", "run of row 2: workers: 0 stands there; expected 1 to 256"),
        ("workers", "257", "run of row 2: workers: 257 stands there; expected 1 to 256"),
        ("time", "1e9", None),
        ("time", "1000000001", "run of row 2: time: 1000000001 stands there; expected 1,000,000,000 at most"),
        ("compiled", "2e9", "run of row 2: compiled: 2000000000.0 stands there; expected 1,000,000,000 at most"),
        ("cpu", "[0, 1e10]", "run of row 2: cpu: 10000000000.0 stands there; expected 1,000,000,000 at most"),
        ("task_end", "1e10", "run of row 2: task 1: end: 10000000000.0 stands there; expected 1,000,000,000 at most"),
        ("task_learnt", "[[-1, 2, 3]]", "run of row 2: task 1: learnt: -1 stands there; expected 0 or more"),
        ("nodes", str(BEYOND - 1), None),
        ("nodes", str(BEYOND), f"row 2: nodes: {BEYOND} stands there; expected a number between −2^63 and 2^63"),
        ("value", str(-BEYOND), f"row 2: value: {-BEYOND} stands there; expected a number between −2^63 and 2^63"),
        (
            "time",
            "1" + "0" * 400,
            "row 2: time: 100000000000000000...0000000000000000000 stands there; expected a number b",
        ),
        (
            "task_learnt",
            "[[1e300, 1, 2]]",
            "row 2: task_learnt: number 1: 1e+300 stands there; expected a number betw",
        ),
        ("clock", "hours", "run of row 2: clock: 'hours' stands there; expected seconds or nodes"),
        ("cpu", "[1]", "run of row 2: cpu: [1] stands there; expected a number for each of the 2 workers"),
        ("time", "-1", "run of row 2: time: -1 stands there; expected 0 or more"),
        ("task_start", "-1", "run of row 2: task 1: start: -1 stands there; expected 0 or more"),
        ("task_nodes", "-1", "run of row 2: task 1: nodes: -1 stands there; expected 0 or more"),
    ],
)
def test_a_run_that_contradicts_itself(tmp_path, column, cell, problem):
    save_runs(run(tasks=(task(0),)), tmp_path / "runs.csv")
    table = cells(tmp_path / "runs.csv")
    table[1][table[0].index(column)] = cell
    write(tmp_path / "runs.csv", table)
    if problem is None:
        (found,) = read_runs(tmp_path / "runs.csv")
        assert getattr(found, column) == json.loads(cell)
        return
    with pytest.raises(AbvizError) as refused:
        read_runs(tmp_path / "runs.csv")
    assert str(refused.value).startswith(f"{tmp_path / 'runs.csv'}, {problem}") and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("a.csv", "", ", row 1: there is no column run; expected the columns that save_runs writes"),
        ("a.csv", "name,points\nAda,3\n", ", row 1: there is no column run; expected the columns"),
        ("a.csv", 'run,"task\n', ", row 1: unexpected end of data; expected CSV"),
        ("a.json", "", ", line 1: Expecting value; expected JSON, a list of runs"),
        ("a.json", '[\n{"strategy": }]', ", line 2: Expecting value; expected JSON, a list of runs"),
        ("a.json", "[" * 1_000_000, ", line 1: a number or a nesting beyond all bounds; expected JSON"),
        ("a.json", "[" + "1" * 5000 + "]", ", line 1: a number or a nesting beyond all bounds; expected JSON"),
        ("a.json", '{"value": 4}', ", line 1: {'value': 4} stands there; expected a list of runs"),
        ("a.json", "[7]", ", run 1: 7 stands there; expected the fields of a Run"),
        ("a.json", "[{}]", ", run 1: there is no strategy; expected one"),
        ("a.json", b"\xff\xfe", ", byte 0: no UTF-8; expected a text file"),
        ("a.csv", b"PK\x03\x04\xff", ", byte 4: no UTF-8; expected a text file"),
    ],
)
def test_another_file(tmp_path, name, text, problem):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(AbvizError) as refused:
        read_runs(tmp_path / name)
    assert str(refused.value).startswith(str(tmp_path / name) + problem)


def test_a_run_in_json_that_does_not_fit(tmp_path):
    save_runs([run(), run()], tmp_path / "runs.json")
    told = json.loads((tmp_path / "runs.json").read_text())
    told[1]["tasks"][1]["nodes"] = "many"
    (tmp_path / "runs.json").write_text(json.dumps(told))
    with pytest.raises(
        AbvizError, match=r"runs\.json, run 2: tasks: number 2: nodes: 'many' stands there; expected a whole"
    ):
        read_runs(tmp_path / "runs.json")


def test_a_row_is_missing_or_short(tmp_path):
    save_runs(run(), tmp_path / "runs.csv")
    table = cells(tmp_path / "runs.csv")
    write(tmp_path / "short.csv", [*table[:2], table[2][:-1]])
    with pytest.raises(
        AbvizError, match=rf"short\.csv, row 3: there are {len(table[0]) - 1} cells; expected {len(table[0])}$"
    ):
        read_runs(tmp_path / "short.csv")
    write(tmp_path / "half.csv", table[:2])
    with pytest.raises(AbvizError, match=r"half\.csv, row 2: 1 row of run 1, which has 2 tasks; expected one for each"):
        read_runs(tmp_path / "half.csv")
    write(tmp_path / "twice.csv", [*table, table[2]])
    with pytest.raises(AbvizError, match=r"twice\.csv, row 2: 3 rows of run 1, which has 2 tasks"):
        read_runs(tmp_path / "twice.csv")
    write(tmp_path / "columns.csv", [[*row, row[0]] for row in table])
    with pytest.raises(AbvizError, match=r"columns\.csv, row 1: there are two columns run; expected one"):
        read_runs(tmp_path / "columns.csv")


@pytest.mark.parametrize(
    "said, problem",
    [
        (
            lambda folder: save_runs(run(), folder / "runs.txt"),
            r"cannot save runs in .*runs\.txt: expected a name that ends",
        ),
        (
            lambda folder: read_runs(folder / "runs"),
            r"cannot read runs from .*runs: expected a name that ends in \.csv",
        ),
        (
            lambda folder: read_runs(folder / "none.csv"),
            r"cannot read .*none\.csv: No such file or directory; expected",
        ),
        (lambda folder: save_runs([run(), 7], folder / "a.csv"), r"cannot save 7 in .*a\.csv: expected runs"),
        (
            lambda folder: save_runs(run(nodes="7"), folder / "a.csv"),
            r"cannot save run 1 in .*: nodes: '7' stands there",
        ),
        (
            lambda folder: save_runs(run(time=float("nan")), folder / "a.json"),
            r"run 1 in .*: time: nan stands there; expected",
        ),
        (
            lambda folder: save_runs(run(game="\ud800"), folder / "a.json"),
            r"a\.json: '\\ud800' is half a letter; expected",
        ),
        (
            lambda folder: save_runs(run(game="x" * 200_000), folder / "a.csv"),
            r"a cell of 200,000 letters; expected at most",
        ),
    ],
)
def test_one_clear_line(tmp_path, said, problem):
    with pytest.raises(AbvizError, match=problem):
        said(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_cannot_be_written_leaves_what_was_there(tmp_path, ending, monkeypatch):
    path = tmp_path / f"runs.{ending}"
    save_runs(run(), path)
    with pytest.raises(AbvizError):
        save_runs([run(), run(workers=0)], path)
    assert read_runs(path) == [run()]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(AbvizError, match="No space left"):
        save_runs([run(), run()], path)
    assert read_runs(path) == [run()] and list(tmp_path.iterdir()) == [path]
