"""A Jupyter server of its own, JupyterLab and Notebook 7 on it, and a notebook that is open in the
browser.
"""

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import nbformat
import psutil
from playwright.sync_api import Locator, Page

from tests.browser.driving import Shown

SECONDS = 300  # at most, until a server answers, a notebook is open, a cell has run


class Server:
    def __init__(
        self, process: "subprocess.Popen[bytes]", url: str, token: str, folder: Path
    ) -> None:
        self.process, self.url, self.token, self.folder = process, url, token, folder

    def write(self, name: str, *cells: str) -> Path:
        """A notebook with these cells of code."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells]
        )
        notebook.metadata.kernelspec = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        path = self.folder / name
        nbformat.write(notebook, path)
        return path

    def address(self, name: str, app: str = "lab/tree") -> str:
        # And none of the tabs of another test
        return f"{self.url}{app}/{name}?token={self.token}&reset"


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """A server whose settings, data and notebooks are all in this folder, until the block ends."""
    folder = home / "notebooks"
    folder.mkdir()
    token = secrets.token_hex(16)
    own = {
        name: str(home / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
        )
    }
    environment = {**os.environ, **own, "JUPYTER_TOKEN": token, "JUPYTER_PREFER_ENV_PATH": "1"}
    settings = Path(own["JUPYTER_CONFIG_DIR"]) / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        json.dumps({"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}})
    )
    command = [
        *(sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser"),
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.log_level=ERROR",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    log = (home / "server.log").open("wb")
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
    )
    try:
        yield Server(
            process,
            _wait_for(process, Path(own["JUPYTER_RUNTIME_DIR"]), home / "server.log"),
            token,
            folder,
        )
    finally:
        started = (
            psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        )
        process.terminate()
        process.wait(30)
        for left in psutil.wait_procs(started, timeout=5)[1]:
            left.kill()
        log.close()


def _wait_for(process: "subprocess.Popen[bytes]", runtime: Path, log: Path) -> str:
    """The address of the server, once it has written it down."""
    end = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < end:
        for file in runtime.glob("jpserver-*.json"):
            try:
                return str(json.loads(file.read_text())["url"])
            except ValueError:
                pass  # it is still being written
        time.sleep(0.05)
    raise AssertionError(f"the Jupyter server did not start:\n{log.read_text(errors='replace')}")


READY = """async (name) => {
  const app = window.jupyterapp;
  await app.restored;
  let panel = null;
  while (!panel?.context) {
    panel = [...app.shell.widgets("main")].find((widget) => widget.context?.path === name);
    await new Promise((done) => setTimeout(done, 20));
  }
  window.panel = panel;
  await panel.context.ready;
}"""
KERNEL = """async () => {
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""
# The last cell that runs is the last whose count is written; the promise of "run all" comes too
# early for outputs.
RUN = """async (command) => {
  const end = performance.now() + SECONDS * 1000; // behind a cell with an error none is run
  await jupyterapp.commands.execute(command);
  const cells = panel.content.model.sharedModel.cells.filter((cell) => cell.cell_type === "code" && cell.source);
  while (!cells.every((cell) => cell.execution_count && cell.executionState !== "running")) {
    if (performance.now() > end) throw new Error("not every cell has run");
    await new Promise((done) => setTimeout(done, 20));
  }
}""".replace("SECONDS", str(SECONDS))
BESIDE = """async (name) => {
  (window.panels ??= []).push(panel);
  window.panel = await jupyterapp.commands.execute("docmanager:open", { path: name, factory: "Notebook" });
  await panel.context.ready;
}"""
BACK = """async () => {
  await panel.sessionContext.shutdown();
  panel.dispose();
  window.panel = panels.pop();
  jupyterapp.shell.activateById(panel.id);
}"""
ADD = """(source) => {
  const { content } = panel;
  content.model.sharedModel.addCell({ cell_type: "code", source });
  content.activeCellIndex = content.widgets.length - 1;
  content.deselectAll();
}"""
CLEAR = """(first) => {
  const { sharedModel } = panel.content.model;
  sharedModel.deleteCellRange(first, sharedModel.cells.length);
}"""
ASK = """async (expression) => {
  const content = { code: "", silent: true, user_expressions: { it: expression } };
  const reply = await panel.sessionContext.session.kernel.requestExecute(content).done;
  return reply.content.user_expressions.it;
}"""


class Notebook:
    """A notebook that is open in JupyterLab or in Notebook 7, with a kernel."""

    def __init__(
        self, page: Page, server: Server, name: str, app: str = "lab/tree", *, kernel: bool = True
    ) -> None:
        self.page, self.server, self.name = page, server, name
        self.root = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        page.set_default_timeout(1000 * SECONDS)
        page.goto(server.address(name, app))
        page.wait_for_function("window.jupyterapp")
        page.evaluate(READY, name)
        if kernel:
            page.evaluate(KERNEL)
        self.first = len(self.cells())

    @contextmanager
    def beside(self, name: str) -> Iterator["Notebook"]:
        """Another notebook, with a kernel, in the same JupyterLab, which takes long to load; none
        after the block.
        """
        other = copy(self)
        self.page.evaluate(BESIDE, name)
        self.page.evaluate(KERNEL)
        other.name, other.first = name, len(other.cells())
        try:
            yield other
        finally:
            self.page.evaluate(BACK)

    def run_all(self) -> None:
        self.page.evaluate(RUN, "notebook:run-all-cells")

    def cell(self, source: str) -> Locator:
        """Add a cell at the end, run it, and wait for its end: its outputs."""
        self.page.evaluate(ADD, source)
        self.page.evaluate(RUN, "notebook:run-cell")
        cell = self.root.locator(".jp-Notebook-cell").nth(len(self.cells()) - 1)
        return cell.locator(".jp-Cell-outputArea")

    def stepper(self, source: str) -> Shown:
        """The stepper that a new cell shows."""
        root = self.cell(source).locator(".abviz-stepper")
        root.wait_for()
        return Shown(root)

    def ask(self, expression: str) -> str:
        """What the expression is worth in the kernel, as Python writes it."""
        reply = self.page.evaluate(ASK, expression)
        assert reply["status"] == "ok", reply
        return str(reply["data"]["text/plain"])

    def do(self, statement: str) -> None:
        self.ask(f"exec({statement!r})")

    def cells(self) -> list[str]:
        return list(
            self.page.evaluate("panel.content.model.sharedModel.cells.map((cell) => cell.source)")
        )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Until the block ends nothing may go wrong on the page; cells that were added in it go.

        What JupyterLab cancels with a kernel that ends, it reports late, perhaps in the next test.
        """
        wrong: list[str] = []

        def hear(error: Any) -> None:
            if "Canceled future" not in str(error):
                wrong.append(str(error))

        self.page.on("pageerror", hear)
        yield
        self.page.evaluate(CLEAR, self.first)
        self.page.remove_listener("pageerror", hear)
        assert wrong == [], wrong

    def command_mode(self) -> None:
        self.page.evaluate("() => { panel.content.mode = 'command'; panel.content.activate(); }")

    def state(self) -> dict[str, Any]:
        return dict(
            self.page.evaluate(
                """() => ({
                  cells: panel.content.model.sharedModel.cells.map((cell) => cell.toJSON()),
                  active: panel.content.activeCellIndex,
                  mode: panel.content.mode,
                })"""
            )
        )
