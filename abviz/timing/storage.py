"""Files of runs: JSON holds a list of them, CSV has a row for each task, for spreadsheets."""

import csv
import io
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from abviz.errors import AbvizError, brief, visible
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord
from abviz.timing.summary import flat, grouped
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]
hints = cache(get_type_hints)
RUN_COLUMNS = {name: kind for name, kind in hints(Run).items() if name != "tasks"}
COLUMNS = ["run", "task", "tasks", *RUN_COLUMNS, *(f"task_{name}" for name in hints(TaskRecord))]  # run, task: from 1
EXPECTED = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # what a spreadsheet would compute
LARGEST = 1 << 63
GUARD = "'"  # before such a text, and for an empty one, since an empty cell is None


def save_runs(runs: Run | Iterable[Run], path: FileName) -> None:
    """Write runs to a file that ends in .csv or .json; `read_runs` gives back equal ones."""
    plain = [asdict(run) for run in flat([runs])]
    text = _to_csv(plain) if _suffix(path) == ".csv" else json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode())


def read_runs(*paths: FileName | Iterable[FileName]) -> list[Run]:
    """Return the runs of one file, or of several one after the other: `read_runs(Path("class").glob("*.csv"))`."""
    runs = []
    for each in paths:
        for path in [each] if isinstance(each, str | os.PathLike) else each:
            read = {".csv": _from_csv, ".json": _from_json}[_suffix(path)]
            name = visible(str(path))
            try:
                text = Path(path).read_bytes().decode("utf-8-sig")
            except (OSError, ValueError) as problem:
                why = getattr(problem, "strerror", None) or problem
                raise AbvizError(f"cannot read {name}: {why}; expected a file of runs") from None
            runs += [_run(values, place) for place, values in read(text, name)]
    return runs


def _suffix(path: FileName) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise AbvizError(f"{visible(str(path))} is not a file of runs; expected a name ending in .csv or .json")
    return suffix


def _from_json(text: str, name: str) -> list[tuple[str, Any]]:
    try:
        runs = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise AbvizError(f"{name}: {problem}; expected JSON, a list of runs") from None
    if not isinstance(runs, list):
        raise _unexpected(name, runs, "a list of runs")
    return [(f"{name}, run {number}", run) for number, run in enumerate(runs, 1)]


def _to_csv(runs: list[dict[str, Any]]) -> str:
    file = io.StringIO()
    rows = csv.DictWriter(file, COLUMNS)
    rows.writeheader()
    for number, run in enumerate(runs, 1):
        tasks = run.pop("tasks")
        shared = {"run": number, "tasks": len(tasks)} | run
        for place, task in enumerate(tasks or [{}], 1 if tasks else 0):
            row = shared | {"task": place} | {f"task_{name}": value for name, value in task.items()}
            rows.writerow({name: _to_cell(value) for name, value in row.items()})
    return "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8


def _from_csv(text: str, name: str) -> list[tuple[str, dict[str, Any]]]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets write what their country uses
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as problem:
        raise AbvizError(f"{name}: {problem}; expected CSV") from None
    for number, row in enumerate(rows, 2):
        row["place"] = f"{name}, row {number}"
        for column in COLUMNS:
            if row.get(column) is None:
                raise AbvizError(f"{row['place']}: no {column}; expected the columns that save_runs writes")
    # All of a run's cells identify it: numbers begin again where one file was pasted below another.
    runs = grouped(rows, lambda row: tuple(row[column] for column in ("run", "tasks", *RUN_COLUMNS)))
    return [(group[0]["place"], _from_rows(group)) for cells, group in runs.items() if any(cells)]


def _from_rows(rows: list[dict[str, str]]) -> dict[str, Any]:
    first, by_number = rows[0], {row["task"]: row for row in rows}
    numbers = [] if first["tasks"] == "0" else [str(number) for number in range(1, len(rows) + 1)]
    if by_number.keys() != set(numbers or ["0"]) or first["tasks"] != str(len(numbers)):
        raise _unexpected(f"{first['place']}, tasks", first["tasks"], f"a row for each task, not {len(rows)} in all")
    run: dict[str, Any] = {name: _from_cell(first[name], kind) for name, kind in RUN_COLUMNS.items()}
    tasks = [by_number[number] for number in numbers]
    return run | {
        "tasks": [{n: _from_cell(task[f"task_{n}"], kind) for n, kind in hints(TaskRecord).items()} for task in tasks]
    }


def _to_cell(value: Any) -> str:
    if not isinstance(value, str):
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    return GUARD + value if not value or value.startswith((*FORMULA, GUARD)) else value


def _from_cell(cell: str, kind: Any) -> Any:
    if kind in (str, str | None):
        return cell.removeprefix(GUARD) if cell or kind is str else None
    with suppress(ValueError, RecursionError):  # `_fit` refuses the text
        return json.loads(cell.lower() if kind is bool else cell) if cell else None
    return cell


# what was read, checked against the types of the records


def _unexpected(place: str, value: Any, expected: str) -> AbvizError:
    return AbvizError(f"{place}: {brief(value)}; expected {expected}")


def _fit(value: Any, kind: Any, place: str) -> Any:
    """Return the value as a field of this type holds it: a list becomes a tuple, a mapping a record."""
    if isinstance(kind, UnionType):
        return None if value is None else _fit(value, get_args(kind)[0], place)
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        if not isinstance(value, list | tuple):
            raise _unexpected(place, value, "a list")
        if kinds[-1] is ...:
            kinds = kinds[:1] * len(value)
        if len(value) != len(kinds):
            raise _unexpected(place, value, f"a list of {len(kinds)}")
        return tuple(_fit(each, kinds[n], f"{place} {n + 1}") for n, each in enumerate(value))
    if kind in (Run, TaskRecord):
        if not isinstance(value, dict):
            raise _unexpected(place, value, f"the fields of a {kind.__name__}")
        known = {name: each for name, each in hints(kind).items() if name in value}
        read = {name: _fit(value[name], each, f"{place}, {name}") for name, each in known.items()}
        try:
            return kind(**read)
        except TypeError as problem:  # a field is missing
            raise AbvizError(f"{place}: {problem}; expected all fields") from None
    right = type(value) is kind or (kind is float and type(value) is int)
    if not right or (kind in (int, float) and not -LARGEST < value < LARGEST):
        raise _unexpected(place, value, EXPECTED[kind])
    return kind(value)


def _run(values: Any, place: str) -> Run:
    """Return a run whose numbers agree with each other: charts rely on it."""
    run: Run = _fit(values, Run, place)
    limits = [
        ("clock", run.clock, run.clock in (SECONDS, NODES), f"{SECONDS} or {NODES}"),
        ("workers", run.workers, 1 <= run.workers <= 256, "1 to 256"),
        ("time", run.time, run.time >= 0, "0 or more"),
    ]
    for number, task in enumerate(run.tasks, 1):
        end = task.start if task.end is None else task.end
        limits.append((f"tasks {number}, worker", task.worker, 0 <= task.worker < run.workers, "one of the workers"))
        limits.append((f"tasks {number}, end", end, 0 <= task.start <= end, "a time after the start"))
    for field, value, right, expected in limits:
        if not right:
            raise _unexpected(f"{place}, {field}", value, expected)
    return run
