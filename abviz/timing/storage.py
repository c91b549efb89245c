"""Files of runs: JSON holds a list of them; CSV, for spreadsheets, has a row for each, without its tasks."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from abviz.errors import AbvizError, brief, visible
from abviz.parallel.records import MOST, NODES, SECONDS, Run, TaskRecord
from abviz.timing.summary import flat
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]
HINTS = {cls: get_type_hints(cls) for cls in (Run, TaskRecord)}
NEEDED = [field.name for field in fields(Run) if field.default is MISSING]
COLUMNS = [name for name in HINTS[Run] if name != "tasks"]
FORMULA = tuple("=+-@\t\r＝＋－＠'")  # how a text begins that a spreadsheet would compute, or takes a quote from


def save_runs(runs: Run | Iterable[Run], path: FileName) -> None:
    """Write runs to a file that ends in .csv or .json. `read_runs` returns equal ones, from CSV without tasks."""
    records = [run.to_dict() for run in flat([runs])]
    text = json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    if _suffix(path) == ".csv":
        file = io.StringIO()
        csv.writer(file).writerows([COLUMNS, *([_to_cell(record[name]) for name in COLUMNS] for record in records)])
        text = "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8
    write_whole(path, text.encode())


def read_runs(*paths: FileName | Iterable[FileName]) -> list[Run]:
    """Return the runs of one file, or of several one after the other: `read_runs(Path("class").glob("*.csv"))`."""
    runs = []
    for path in (file for each in paths for file in ([each] if isinstance(each, str | os.PathLike) else each)):
        is_csv, name = _suffix(path) == ".csv", visible(str(path))
        try:
            text = Path(path).read_bytes().decode("utf-8-sig")
            records = _rows(text) if is_csv else json.loads(text)
        except (OSError, ValueError, RecursionError, csv.Error) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise AbvizError(f"cannot read {name}: {why}; expected a file of runs") from None
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise AbvizError(f"{name}: {brief(records)}; expected a list of runs")
        decode = _from_cell if is_csv else lambda value, _: value
        runs += [_run(record, decode, f"{name}, run {number}") for number, record in enumerate(records, 1)]
    return runs


def _suffix(path: FileName) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".json"):
        raise AbvizError(f"{visible(str(path))} is not a file of runs; expected a name ending in .csv or .json")
    return suffix


def _rows(text: str) -> list[dict[str, Any]]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets write what their country uses
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return [row | {"tasks": "[]"} for row in rows if any(row.values())]


def _to_cell(value: Any) -> str:
    if not isinstance(value, str):
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    return f"'{value}" if value.startswith(FORMULA) else value


def _from_cell(cell: str, kind: Any) -> Any:
    if kind in (str, str | None):
        return cell.removeprefix("'") if cell or kind is str else None
    return json.loads(cell.lower() if kind is bool else cell) if cell else None


def _run(record: dict[str, Any], decode: Callable[[Any, Any], Any], place: str) -> Run:
    """Return the run of a record. Charts rely on the types of its fields, on its clock and on its workers."""
    values: dict[str, Any] = {}
    for name, kind in HINTS[Run].items():
        if name in record:
            try:
                values[name] = _fit(decode(record[name], kind), kind)
            except (TypeError, ValueError, KeyError, RecursionError, AttributeError):
                raise AbvizError(f"{place}, {name}: {brief(record[name])}; expected what save_runs writes") from None
    for name in (name for name in NEEDED if name not in values):
        raise AbvizError(f"{place}: no {name}; expected the fields that save_runs writes")
    if values["clock"] not in (SECONDS, NODES):
        raise AbvizError(f"{place}, clock: {brief(values['clock'])}; expected {SECONDS} or {NODES}")
    workers = values["workers"]
    if not 1 <= workers <= MOST or not all(0 <= task.worker < workers for task in values["tasks"]):
        raise AbvizError(f"{place}, workers: {workers}; expected 1 to {MOST}, among them those of its tasks")
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
        return TaskRecord(**{name: _fit(value[name], its) for name, its in HINTS[TaskRecord].items()})
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise TypeError
    if kind in (int, float) and not abs(value) < 1 << 63:  # NaN too
        raise ValueError
    return kind(value)
