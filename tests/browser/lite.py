"""A notebook of the web edition, in JupyterLite."""

from typing import Any

from playwright.sync_api import Locator, Page

PANEL = "[...jupyterapp.shell.widgets('main')].find((widget) => widget.sessionContext)"
READY = f"""async (kernel) => {{
  while (!window.jupyterapp) await new Promise((done) => setTimeout(done, 50));
  await jupyterapp.restored;
  while (!({PANEL})?.context) await new Promise((done) => setTimeout(done, 50));
  const panel = {PANEL};
  await panel.context.ready;
  if (!kernel) return;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}}"""
PLACE = f"(id) => {PANEL}.content.widgets.findIndex((cell) => cell.model.id === id)"
WRITE = f"""([place, source]) => {{
  {PANEL}.content.widgets[place].model.sharedModel.setSource(source);
}}"""
READ = f"(place) => {PANEL}.content.widgets[place].model.sharedModel.getSource()"
RUN = f"""async (place) => {{
  {PANEL}.content.deselectAll();
  {PANEL}.content.activeCellIndex = place;
  await jupyterapp.commands.execute("notebook:run-cell");
}}"""


class Notebook:
    """A chapter in JupyterLite."""

    def __init__(self, page: Page):
        self.page = page

    def open(self, address: str, has_kernel: bool = True) -> "Notebook":
        self.page.goto(address)
        self.page.evaluate(READY, has_kernel)
        return self

    def place(self, cell: str) -> int:
        place = self.page.evaluate(PLACE, cell)
        assert place >= 0, cell
        return int(place)

    def write(self, cell: str, source: str) -> None:
        self.page.evaluate(WRITE, [self.place(cell), source])

    def read(self, cell: str) -> Any:
        return self.page.evaluate(READ, self.place(cell))

    def run(self, cell: str) -> Locator:
        """Run the cell, and return what it shows."""
        place = self.place(cell)
        self.page.evaluate(RUN, place)
        shown = self.page.locator(".jp-Notebook .jp-Cell").nth(place)
        return shown.locator(".jp-Cell-outputArea")
