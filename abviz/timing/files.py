"""Runs as files: JSON holds a list of them, CSV a row for each task, which spreadsheets read; a class can pool them."""

import csv
import io
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from itertools import repeat
from numbers import Integral, Real
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from abviz.errors import AbvizError, brief, count, visible
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord
from abviz.timing.summary import flat
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]
RUN = {name: kind for name, kind in get_type_hints(Run).items() if name != "tasks"}
TASK = {f"task_{name}": kind for name, kind in get_type_hints(TaskRecord).items()}
COLUMNS = {"run": int, "task": int, "tasks": int} | RUN | TASK  # run and task are numbers from 1; tasks is how many
EXPECTED = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
LARGEST = 1 << 63
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # what a spreadsheet would compute
GUARD = "'"  # before such a text, and for an empty one, since an empty cell is None


def save_runs(runs: Run | Iterable[Run], path: FileName) -> None:
    """Write runs to a file that ends in .csv or .json; `read_runs` gives back equal ones."""
    write = {".csv": _to_csv, ".json": _to_json}[_suffix(path)]
    place = f"cannot save runs in {visible(str(path))}"
    kept = [_run(_as_dict(run), f"{place}: run {number}") for number, run in enumerate(flat([runs]), 1)]
    try:
        data = write(kept).encode()
    except UnicodeEncodeError as problem:
        letter = brief(problem.object[problem.start])
        raise AbvizError(f"{place}: {letter} is half a character; expected text") from None
    write_whole(path, data)


def read_runs(*paths: FileName | Iterable[FileName]) -> list[Run]:
    """Return the runs of one file, or of several one after the other: `read_runs(Path("class").glob("*.csv"))`."""
    runs = []
    for each in paths:
        for path in [each] if isinstance(each, str | os.PathLike) else each:
            read = {".csv": _from_csv, ".json": _from_json}[_suffix(path)]
            runs += read(_text(path), visible(str(path)))
    return runs


def _suffix(path: FileName) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise AbvizError(f"{visible(str(path))} is not a file of runs; expected a name ending in .csv or .json")
    return suffix


def _text(path: FileName) -> str:
    name = visible(str(path))
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise AbvizError(f"{name}, byte {problem.start}: not UTF-8; expected a text file") from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise AbvizError(f"cannot read {name}: {why}; expected a file of runs") from None


def _as_dict(run: Run) -> dict[str, Any]:
    return vars(run) | {"tasks": [vars(task) for task in run.tasks]}


# JSON


def _to_json(runs: list[Run]) -> str:
    return json.dumps([_as_dict(run) for run in runs], ensure_ascii=False, indent=1) + "\n"


def _from_json(text: str, name: str) -> list[Run]:
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError as problem:
        place = f"{name}, line {problem.lineno}, column {problem.colno}"
        raise AbvizError(f"{place}: {problem.msg}; expected JSON, a list of runs") from None
    except (ValueError, RecursionError):
        raise AbvizError(f"{name}: a number or nesting without end; expected JSON, a list of runs") from None
    if not isinstance(loaded, list):
        raise _unexpected(loaded, "a list of runs", name)
    return [_run(each, f"{name}, run {number}") for number, each in enumerate(loaded, 1)]


# CSV


def _to_csv(runs: list[Run]) -> str:
    file = io.StringIO()
    rows = csv.writer(file)
    rows.writerow(COLUMNS)
    for number, run in enumerate(runs, 1):
        shared = [_cell(getattr(run, name)) for name in RUN]
        for place, task in enumerate(run.tasks or [None], 1):
            cells = ["" if task is None else _cell(getattr(task, name.removeprefix("task_"))) for name in TASK]
            rows.writerow([number, place if task else 0, len(run.tasks), *shared, *cells])
    return "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return GUARD + value if not value or value.startswith((*FORMULA, GUARD)) else value


def _from_csv(text: str, name: str) -> list[Run]:
    rows = _csv_rows(text, name)
    head = rows[0][1] if rows else []
    for column in COLUMNS:
        if head.count(column) != 1:
            problem = "more than one column" if column in head else "no column"
            raise AbvizError(f"{name}, row 1: {problem} {column}; expected the columns that save_runs writes")
    groups: dict[tuple[str, ...], list[tuple[int, dict[str, str]]]] = {}
    for number, row in rows[1:]:
        if len(row) != len(head):
            raise AbvizError(f"{name}, row {number}: {count(len(row), 'cell')}; expected {len(head)}")
        cells = dict(zip(head, row, strict=True))
        # All of a run's cells identify it: numbers begin again where one file was pasted below another.
        groups.setdefault(tuple(cells[column] for column in ("run", "tasks", *RUN)), []).append((number, cells))
    return [_csv_run(rows, name) for rows in groups.values()]


def _csv_rows(text: str, name: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with its number in a spreadsheet."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets write what their country uses
    rows = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            rows.append(row)
    except csv.Error as problem:
        raise AbvizError(f"{name}, row {len(rows) + 1}: {problem}; expected CSV") from None
    return [(number, row) for number, row in enumerate(rows, 1) if any(row)]


def _csv_run(rows: list[tuple[int, dict[str, str]]], name: str) -> Run:
    first, cells = rows[0]
    place = f"{name}, row {first}"
    tasks = _from_cell("tasks", cells, place)
    by_number = {_from_cell("task", row, f"{name}, row {number}"): (number, row) for number, row in rows}
    expected = range(1, tasks + 1) if tasks else [0]
    if len(rows) != len(expected) or any(number not in by_number for number in expected):
        found = f"{count(len(rows), 'row')} of run {brief(cells['run'])}, which has {count(tasks, 'task')}"
        raise AbvizError(f"{place}: {found}; expected a row for each task")
    run = {column: _from_cell(column, cells, place) for column in RUN}
    run["tasks"] = []
    for number, row in (by_number[task] for task in expected if task):
        run["tasks"].append({c.removeprefix("task_"): _from_cell(c, row, f"{name}, row {number}") for c in TASK})
    return _run(run, place)


def _from_cell(column: str, cells: dict[str, str], place: str) -> Any:
    cell, kind = cells[column], COLUMNS[column]
    if kind in (str, str | None):
        return cell.removeprefix(GUARD) if cell or kind is str else None
    value: Any = cell or None
    with suppress(ValueError, RecursionError):  # `_fit` refuses the text
        value = json.loads(cell.lower() if kind is bool else cell) if cell else None
    return _fit(value, kind, f"{place}, column {column}")


# what was read, checked against the types of the records


def _unexpected(value: Any, expected: str, place: str) -> AbvizError:
    return AbvizError(f"{place}: {brief(value)}; expected {expected}")


def _fit(value: Any, kind: Any, place: str) -> Any:
    """Return the value as a field of this type holds it: a list becomes a tuple, a mapping a record."""
    if isinstance(kind, UnionType):
        return None if value is None else _fit(value, get_args(kind)[0], place)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        if not isinstance(value, list | tuple):
            raise _unexpected(value, "a list", place)
        if kinds[-1] is ...:
            kinds = kinds[:1] * len(value)
        if len(value) != len(kinds):
            raise _unexpected(value, f"a list of {len(kinds)}", place)
        return tuple(map(_fit, value, kinds, repeat(place)))
    if is_dataclass(kind):
        return _record(value, kind, place)
    if kind in (str, bool) and isinstance(value, kind):
        return value
    is_number = isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    if kind in (int, float) and is_number and -LARGEST < value < LARGEST:
        return kind(value)
    raise _unexpected(value, EXPECTED[kind], place)


_hints = cache(get_type_hints)


def _record(values: Any, kind: Any, place: str) -> Any:
    if not isinstance(values, dict):
        raise _unexpected(values, f"the fields of a {kind.__name__}", place)
    found = {}
    for field in fields(kind):
        if field.name in values:
            found[field.name] = _fit(values[field.name], _hints(kind)[field.name], f"{place}, {field.name}")
        elif field.default is MISSING:
            raise AbvizError(f"{place}: no {field.name}; expected one")
    return kind(**found)


def _run(values: Any, place: str) -> Run:
    """Return a run whose numbers agree with each other: charts rely on it."""
    run: Run = _record(values, Run, place)
    latest = 10**9 if run.clock == SECONDS else LARGEST
    _check(run.clock in (SECONDS, NODES), run.clock, f"{SECONDS} or {NODES}", f"{place}, clock")
    _check(1 <= run.workers <= 256, run.workers, "1 to 256", f"{place}, workers")
    _check(len(run.cpu) in (0, run.workers), run.cpu, "a number for each worker", f"{place}, cpu")
    for name, amount in (
        ("time", run.time),
        ("nodes", run.nodes),
        ("compiled", run.compiled),
        *zip(repeat("cpu"), run.cpu),
    ):
        _check(0 <= amount <= latest, amount, f"0 to {latest:,}", f"{place}, {name}")
    for number, task in enumerate(run.tasks, 1):
        where = f"{place}, task {number}"
        times = [0, task.start, latest if task.end is None else task.end, latest]
        _check(times == sorted(times), times[1:3], "a start and a later end", f"{where}, start and end")
        _check(0 <= task.worker < run.workers, task.worker, f"less than {run.workers}", f"{where}, worker")
        _check(task.move in ("", *run.moves), task.move, "one of the run's moves", f"{where}, move")
        _check(task.nodes >= 0, task.nodes, "0 or more", f"{where}, nodes")
        _check(all(0 <= time <= latest for time, _, _ in task.learnt), task.learnt, "times", f"{where}, learnt")
    return run


def _check(right: bool, value: Any, expected: str, place: str) -> None:
    if not right:
        raise _unexpected(value, expected, place)
