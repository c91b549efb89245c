"""Runs as files: JSON holds a list of them, CSV a row for each task, which spreadsheets read; a class can pool them."""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from abviz.errors import AbvizError, brief, count, visible
from abviz.parallel.records import Run, TaskRecord
from abviz.timing.fitting import Misfit, expected, fitted, fitted_record, sound
from abviz.tree.files import write_whole

FileName = str | os.PathLike[str]

RUN = {name: kind for name, kind in get_type_hints(Run).items() if name != "tasks"}
TASK = {f"task_{name}": kind for name, kind in get_type_hints(TaskRecord).items()}
COUNTED = {"run": int, "task": int, "tasks": int}  # of the file from 1, of the run from 1, and how many the run has
COLUMNS = COUNTED | RUN | TASK
NOT_NEEDED = {f"task_{field.name}" for field in fields(TaskRecord) if field.default == ()}

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # what a spreadsheet would compute
GUARD = "'"  # before such a text, and before an empty one, since an empty cell is None
LONGEST = 131_072  # letters of a cell that Python's reader of CSV takes


def save_runs(runs: Run | Iterable[Run], path: FileName) -> None:
    """Write runs to a file that ends in .csv or .json; `read_runs` gives back equal ones."""
    kept = [runs] if isinstance(runs, Run) else list(runs)
    write = {".csv": _as_csv, ".json": _as_json}[_ending(path, "save runs in")]
    name, checked = visible(str(path)), []
    for number, run in enumerate(kept, 1):
        if not isinstance(run, Run):
            raise AbvizError(f"cannot save {brief(run)} in {name}: expected runs")
        try:
            checked.append(sound(fitted_record(_fields(run), Run)))
        except Misfit as misfit:
            raise AbvizError(f"cannot save run {number} in {name}: {misfit}") from None
    try:
        data = write(checked).encode()
    except UnicodeEncodeError as problem:
        letter = brief(problem.object[problem.start])
        raise AbvizError(f"cannot save runs in {name}: {letter} is half a letter; expected text") from None
    except Misfit as misfit:
        raise AbvizError(f"cannot save runs in {name}: {misfit}") from None
    write_whole(path, data)


def read_runs(*paths: FileName | Iterable[FileName]) -> list[Run]:
    """The runs of one file, or of several one after the other: `read_runs(Path("class").glob("*.csv"))`."""
    runs = []
    for path in _each(paths):
        read = {".csv": _from_csv, ".json": _from_json}[_ending(path, "read runs from")]
        try:
            runs += read(_text(path))
        except Misfit as misfit:
            raise AbvizError(f"{visible(str(path))}, {misfit}") from None
    return runs


def _each(paths: Iterable[FileName | Iterable[FileName]]) -> Iterator[FileName]:
    for path in paths:
        if isinstance(path, str | os.PathLike):
            yield path
        else:
            yield from path


def _ending(path: FileName, what: str) -> str:
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".json"):
        raise AbvizError(f"cannot {what} {visible(str(path))}: expected a name that ends in .csv or .json")
    return ending


def _text(path: FileName) -> str:
    name = visible(str(path))
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise AbvizError(f"{name}, byte {problem.start}: no UTF-8; expected a text file") from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise AbvizError(f"cannot read {name}: {why}; expected a file of runs") from None


def _fields(run: Run) -> dict[str, Any]:
    """As `asdict`, which would copy each of a hundred thousand numbers."""
    return vars(run) | {"tasks": [vars(task) for task in run.tasks]}


# JSON


def _as_json(runs: list[Run]) -> str:
    return json.dumps([_fields(run) for run in runs], ensure_ascii=False, indent=1) + "\n"


def _from_json(text: str) -> list[Run]:
    try:
        told = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Misfit(f"{problem.msg}; expected JSON, a list of runs", f"line {problem.lineno}") from None
    except (ValueError, RecursionError):
        raise Misfit("a number or a nesting beyond all bounds; expected JSON, a list of runs", "line 1") from None
    if not isinstance(told, list):
        raise expected(told, "a list of runs").within("line 1")
    runs = []
    for number, each in enumerate(told, 1):
        try:
            runs.append(sound(fitted_record(each, Run)))
        except Misfit as misfit:
            raise misfit.within(f"run {number}") from None
    return runs


# CSV


def _as_csv(runs: list[Run]) -> str:
    file = io.StringIO()
    rows = csv.writer(file)
    rows.writerow(COLUMNS)
    for number, run in enumerate(runs, 1):
        of_run = [_cell(getattr(run, name)) for name in RUN]
        for task_number, task in enumerate(run.tasks or [None], 1):
            values = [None] * len(TASK) if task is None else [getattr(task, field.name) for field in fields(task)]
            of_task = [_cell(value) for value in values]
            rows.writerow([number, task_number if task else 0, len(run.tasks), *of_run, *of_task])
    return "\ufeff" + file.getvalue()  # the mark by which Excel knows UTF-8


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        cell = json.dumps(value, ensure_ascii=False)
    else:
        cell = GUARD + value if not value or value.startswith((*FORMULA, GUARD)) else value
    if len(cell) > LONGEST:
        raise Misfit(f"a cell of {count(len(cell), 'letter')}; expected at most {LONGEST:,}, or a name ending in .json")
    return cell


def _read_cell(cell: str, kind: Any) -> Any:
    if kind in (str, str | None):
        return cell.removeprefix(GUARD) if cell or kind is str else None
    if not cell:
        return fitted(None, kind)
    try:
        value = json.loads(cell.lower() if kind is bool else cell)
    except (ValueError, RecursionError):
        value = cell
    return fitted(value, kind)


def _from_csv(text: str) -> list[Run]:
    rows = _rows(text)
    head = next(rows, (1, []))[1]
    missing = [name for name in COLUMNS if name not in head and name not in NOT_NEEDED]
    if missing:
        raise Misfit(f"there is no column {missing[0]}; expected the columns that save_runs writes", "row 1")
    twice = [name for name in COLUMNS if head.count(name) > 1]
    if twice:
        raise Misfit(f"there are two columns {twice[0]}; expected one", "row 1")
    places = {name: head.index(name) for name in COLUMNS if name in head}
    known: dict[tuple[str, str], Any] = {}
    pooled: dict[tuple[str, ...], list[tuple[int, dict[str, Any]]]] = {}
    for number, row in rows:
        if len(row) != len(head):
            raise Misfit(f"there are {count(len(row), 'cell')}; expected {len(head)}", f"row {number}")
        # A run is known by all that is told of it: the numbers begin again where one file was pasted below another.
        same = tuple(row[places[name]] for name in ("run", "tasks", *RUN))
        pooled.setdefault(same, []).append((number, _told(number, row, places, known)))
    return [_run(rows) for rows in pooled.values()]


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with its number in a spreadsheet."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)  # spreadsheets write what their country uses
    number = 0
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1):
            if any(row):
                yield number, row
    except csv.Error as problem:
        raise Misfit(f"{problem}; expected CSV", f"row {number + 1}") from None


def _told(number: int, row: list[str], places: dict[str, int], known: dict[tuple[str, str], Any]) -> dict[str, Any]:
    """The values of a row by the names of their columns. What is told of a run, in each of its rows, is read once."""
    is_task = row[places["task"]] != "0"
    told = {}
    for name, place in places.items():
        if name in TASK and not is_task:
            continue
        cell = name, row[place]
        if cell in known:
            told[name] = known[cell]
            continue
        try:
            told[name] = _read_cell(row[place], COLUMNS[name])
        except Misfit as misfit:
            raise misfit.within(name).within(f"row {number}") from None
        if name in RUN:
            known[cell] = told[name]
    return told


def _run(rows: list[tuple[int, dict[str, Any]]]) -> Run:
    """The run of its rows, in whatever order a spreadsheet has left them."""
    first, told = rows[0]
    found = {values["task"]: values for _, values in rows}
    wanted = list(range(1, len(rows) + 1)) if told["tasks"] else [0]
    if sorted(values["task"] for _, values in rows) != wanted or told["tasks"] != len(rows) * (wanted != [0]):
        problem = f"{count(len(rows), 'row')} of run {told['run']}, which has {count(told['tasks'], 'task')}"
        raise Misfit(f"{problem}; expected one for each task, with the same words of the run", f"row {first}")
    tasks = [_record(TASK, found[number]) for number in wanted if number]
    try:
        return sound(fitted_record(_record(RUN, told) | {"tasks": tasks}, Run))
    except Misfit as misfit:
        raise misfit.within(f"run of row {first}") from None


def _record(names: Iterable[str], told: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix("task_"): told[name] for name in names if name in told}
