"""Files of runs: JSON, which is read again, and CSV for spreadsheets, with a row for each run and
without its tasks.
"""

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
    """Write runs to a file: CSV where its name ends in .csv, otherwise JSON, which `read_runs`
    reads.
    """
    records = [run.to_dict() for run in flat([runs])]
    text = json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    if Path(path).suffix.lower() == ".csv":
        file, names = io.StringIO(), [field.name for field in fields(Run) if field.name != "tasks"]
        csv.writer(file).writerows(
            [names, *([spreadsheet_cell(record[name]) for name in names] for record in records)]
        )
        text = "\ufeff" + file.getvalue()  # the mark by which Excel recognizes UTF-8
    write_whole(path, text.encode())


def read_runs(*paths: str | Path) -> list[Run]:
    """Return the runs of one JSON file, or of several one after the other."""
    try:
        return [
            _run(record) for path in paths for record in json.loads(Path(path).read_text("utf-8"))
        ]
    except (ValueError, KeyError, TypeError):
        found = ", ".join(map(brief, paths))
        raise AbvizError(
            f"{found} cannot be read; expected JSON that save_runs has written"
        ) from None


def _run(record: dict[str, Any]) -> Run:
    tasks = []
    for task in record["tasks"]:
        learnt = tuple(map(tuple, task["learnt"]))
        tasks.append(TaskRecord(**task | {"path": tuple(task["path"]), "learnt": learnt}))
    lists = {"moves": tuple(record["moves"]), "cpu": tuple(record["cpu"])}
    return Run(**record | lists | {"tasks": tuple(tasks)})
