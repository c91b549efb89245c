"""Files of runs: JSON holds a list of them; CSV, for spreadsheets, has a row for each, without its tasks."""

import csv
import io
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from abviz.errors import AbvizError, brief, visible
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord
from abviz.timing.summary import flat
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]
hints = cache(get_type_hints)
FIELDS = [field.name for field in fields(Run) if field.default is MISSING]  # without those that may be missing
COLUMNS = {name: kind for name, kind in hints(Run).items() if name != "tasks"}
EXPECTED = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # how a text begins that a spreadsheet would compute
GUARD = "'"  # before such a text, as spreadsheets have it themselves
LARGEST = 1 << 63


def save_runs(runs: Run | Iterable[Run], path: FileName) -> None:
    """Write runs to a file that ends in .csv or .json. `read_runs` gives back equal ones, from CSV without tasks."""
    records = [run.to_dict() for run in flat([runs])]
    text = json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    if _suffix(path) == ".csv":
        file = io.StringIO()
        rows = csv.writer(file)
        rows.writerows([COLUMNS, *([_to_cell(record[name]) for name in COLUMNS] for record in records)])
        text = "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8
    write_whole(path, text.encode())


def read_runs(*paths: FileName | Iterable[FileName]) -> list[Run]:
    """Return the runs of one file, or of several one after the other: `read_runs(Path("class").glob("*.csv"))`."""
    runs = []
    for each in paths:
        for path in [each] if isinstance(each, str | os.PathLike) else each:
            suffix, name = _suffix(path), visible(str(path))
            try:
                text = Path(path).read_bytes().decode("utf-8-sig")
                records = json.loads(text) if suffix == ".json" else _from_csv(text)
            except (OSError, ValueError, RecursionError, csv.Error) as problem:
                why = getattr(problem, "strerror", None) or problem
                raise AbvizError(f"cannot read {name}: {why}; expected a file of runs") from None
            if not isinstance(records, list):
                raise AbvizError(f"{name}: {brief(records)}; expected a list of runs")
            runs += [_run(record, f"{name}, run {number}") for number, record in enumerate(records, 1)]
    return runs


def _suffix(path: FileName) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise AbvizError(f"{visible(str(path))} is not a file of runs; expected a name ending in .csv or .json")
    return suffix


def _from_csv(text: str) -> list[dict[str, Any]]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets write what their country uses
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return [
        {name: _from_cell(row[name] or "", kind) for name, kind in COLUMNS.items() if name in row} | {"tasks": []}
        for row in rows
        if any(row.values())
    ]


def _to_cell(value: Any) -> str:
    if not isinstance(value, str):
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    return GUARD + value if value.startswith((*FORMULA, GUARD)) else value


def _from_cell(cell: str, kind: Any) -> Any:
    if kind in (str, str | None):
        return cell.removeprefix(GUARD) if cell or kind is str else None
    with suppress(ValueError, RecursionError):  # `_fit` refuses the text
        return json.loads(cell.lower() if kind is bool else cell) if cell else None
    return cell


def _run(record: Any, place: str) -> Run:
    """Return a run whose fields have the right types and agree with each other: charts rely on it."""
    if not isinstance(record, dict):
        raise AbvizError(f"{place}: {brief(record)}; expected the fields of a run")
    values: dict[str, Any] = {}
    for name, kind in hints(Run).items():
        if name in record:
            try:
                values[name] = _fit(record[name], kind)
            except (TypeError, ValueError, KeyError):
                expected = EXPECTED.get(kind, "what save_runs writes")
                raise AbvizError(f"{place}, {name}: {brief(record[name])}; expected {expected}") from None
    missing = [name for name in FIELDS if name not in values]
    if missing:
        raise AbvizError(f"{place}: no {missing[0]}; expected the fields that save_runs writes")
    workers, tasks = values["workers"], values["tasks"]
    right = values["clock"] in (SECONDS, NODES) and 1 <= workers <= 256 and values["time"] >= 0
    if not right or not all(0 <= task.worker < workers and 0 <= task.start <= (task.end or LARGEST) for task in tasks):
        raise AbvizError(f"{place}: its clock, workers, time and tasks do not agree; expected a run as it was saved")
    return Run(**values)


def _fit(value: Any, kind: Any) -> Any:
    """Return the value as a field of this type holds it: a list becomes a tuple, a mapping a record."""
    if isinstance(kind, UnionType):
        return None if value is None else _fit(value, get_args(kind)[0])
    if get_origin(kind) is tuple and isinstance(value, list):
        kinds = get_args(kind)
        kinds = kinds[:1] * len(value) if kinds[-1] is ... else kinds
        return tuple(_fit(each, its) for each, its in zip(value, kinds, strict=True))
    if kind is TaskRecord:
        return TaskRecord(**{name: _fit(value[name], its) for name, its in hints(TaskRecord).items()})
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TypeError
    if kind in (int, float) and not -LARGEST < value < LARGEST:  # NaN too
        raise ValueError
    return kind(value)
