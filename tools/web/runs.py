"""Runs of notebooks: what each cell shows when the notebook runs from top to bottom.

A run is kept in build/runs, by what went into it: the notebook, the package and this module. So a
site that is built again runs only what has changed.
"""

import hashlib
import os
import platform
import tempfile
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import of_class
from abviz.course import FILE
from abviz.tree.files import write_whole
from recorded import Run

HOUSE = Path(__file__).resolve().parents[2]
KEPT = HOUSE / "build" / "runs"
RUN = "abviz_run"  # in the metadata of a notebook that was run: when and where
TIME_LIMIT = 600  # seconds that a cell may take on a busy machine


class Client(NotebookClient):
    """Forgets each widget that is closed, such as a progress bar: a notebook shows it no longer."""

    def handle_comm_msg(self, outs: Any, msg: dict[str, Any], cell_index: int) -> None:
        super().handle_comm_msg(outs, msg, cell_index)
        if msg["msg_type"] == "comm_close":
            self.widget_state.pop(msg["content"]["comm_id"], None)


def run(path: Path) -> Any:
    """Return the notebook with its outputs and the states of its widgets.

    Ends the program where a cell fails, with one line that names it.
    """
    kept = KEPT / f"{path.stem}-{_digest(path)}.ipynb"
    if kept.is_file():
        return nbformat.read(kept, as_version=4)

    print(f"Running {path.name} ...", flush=True)
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:  # for what it writes, such as predictions
        resources = {"metadata": {"path": folder}}
        if content := of_class.content():
            Path(folder, FILE).write_bytes(content)
        client = Client(
            notebook,
            timeout=TIME_LIMIT,
            kernel_name="python3",
            # A kernel of one's own machine needs no warning that its traffic isn't encrypted
            extra_arguments=["--log-level=ERROR"],
            resources=resources,
            store_widget_state=True,
        )
        try:
            client.execute()
        except CellExecutionError as error:
            raise SystemExit(_failure(path, notebook, error)) from None

    notebook.metadata[RUN] = {
        "day": date.today().isoformat(),
        "machine": f"an {platform.machine()} machine with {os.cpu_count()} cores",
        "python": ".".join(platform.python_version_tuple()[:2]),
    }
    KEPT.mkdir(parents=True, exist_ok=True)
    write_whole(kept, nbformat.writes(notebook).encode())
    return notebook


def _failure(path: Path, notebook: Any, error: CellExecutionError) -> str:
    failed = next(
        cell.id
        for cell in notebook.cells
        if any(output.output_type == "error" for output in cell.get("outputs", []))
    )
    problem = f"{error.ename}: {error.evalue}"
    return f"{path.name}, cell {failed}: {problem}; expected a notebook that runs to its end"


def when_and_where(notebook: Any) -> Run:
    about = notebook.metadata[RUN]
    return Run(date.fromisoformat(about["day"]), about["machine"], about["python"])


def widgets(notebook: Any) -> dict[str, dict[str, Any]]:
    """Return the state of each widget of a run, by the ids that its outputs name."""
    stored = notebook.metadata.get("widgets", {})
    models = stored.get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    return {id: model["state"] for id, model in models.items()}


def _digest(path: Path) -> str:
    runner = Path(__file__).read_bytes()
    made_from = runner + path.read_bytes() + _of_package() + of_class.content()
    return hashlib.sha256(made_from).hexdigest()[:16]


@cache
def _of_package() -> bytes:
    """Return a digest of everything that a notebook's outputs come from."""
    digest = hashlib.sha256()
    for folder in ("abviz", "trees"):
        for path in sorted((HOUSE / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.digest()
