"""Files of runs: JSON, which is read again, and CSV for spreadsheets, without the tasks."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, spreadsheet_cell
from abviz.parallel.records import Run, TaskRecord
from abviz.timing.summary import flat
from abviz.tree.files import write_whole


def save_runs(runs: Run | Iterable[Run], path: str | Path) -> None:
    """Write runs to a file: CSV where its name ends in .csv, otherwise JSON for `read_runs`."""
    records = [run.to_dict() for run in flat([runs])]
    is_csv = Path(path).suffix.lower() == ".csv"
    text = _as_csv(records) if is_csv else json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode())


def _as_csv(records: Iterable[dict[str, Any]]) -> str:
    names = [field.name for field in fields(Run) if field.name != "tasks"]
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)
    for record in records:
        writer.writerow([spreadsheet_cell(record[name]) for name in names])
    return "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8


def read_runs(*paths: str | Path) -> list[Run]:
    """Return the runs of one JSON file, or of several one after the other."""
    runs: list[Run] = []
    try:
        for path in paths:
            runs += map(_run, json.loads(Path(path).read_text("utf-8")))
    except (ValueError, KeyError, TypeError):
        found = ", ".join(map(brief, paths))
        raise AbvizError(
            f"{found} cannot be read; expected JSON that save_runs has written"
        ) from None
    return runs


def _run(record: dict[str, Any]) -> Run:
    """Return the run of a record, whose lists become tuples again."""
    lists = {
        "moves": tuple(record["moves"]),
        "cpu": tuple(record["cpu"]),
        "tasks": tuple(map(_task, record["tasks"])),
    }
    return Run(**record | lists)


def _task(record: dict[str, Any]) -> TaskRecord:
    lists = {
        "path": tuple(record["path"]),
        "learnt": tuple(map(tuple, record["learnt"])),
    }
    return TaskRecord(**record | lists)
