"""The web edition for tests and benchmarks: built into a folder, and served from there."""

import functools
import http.server
import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from playwright.sync_api import Page

WEB = Path(__file__).resolve().parents[2] / "tools" / "web"

# What was asked for until the page was ready, as the page itself has marked it
BYTES = """() => {
  const ready = performance.getEntriesByName("ready")[0].startTime;
  return ["resource", "navigation"]
    .flatMap((type) => performance.getEntriesByType(type))
    .filter(({startTime}) => startTime <= ready)
    .reduce((sum, {transferSize}) => sum + transferSize, 0);
}"""


def tool(name: str) -> ModuleType:
    """Return a module of tools/web, which is no package."""
    sys.path.insert(0, str(WEB))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(WEB))


def built(folder: Path, names: list[str], has_notebooks: bool | None = None) -> None:
    """Build the site with the pages of these notebooks, or of all; see tools/web/build.py."""
    tool("build").build(folder, names, has_notebooks)


def faults_of(page: Page, site: str) -> list[str]:
    """Return what goes wrong on the page from now on, and what it asks of elsewhere."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            request.url.startswith((site, "blob:", "data:")) or faults.append(request.url)
        ),
    )
    return faults


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A plain server, which compresses nothing."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(root: Path, kind: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve the folder, and return its address."""
    handler = functools.partial(kind, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
