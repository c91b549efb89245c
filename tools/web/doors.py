"""The doors to the course: what of a notebook belongs to its page, and where else it opens.

A cell tagged `jupyter-only` is left out of the page, and of the notebook in the site's JupyterLite.
Sentences that would be wrong there have others for it in the cell's metadata, where Jupyter shows
nothing of them; those for JupyterLite are under "lite":

    "abviz": {"page": {"Run the cell and click a square.": "Press **Run** and click a square."}}
"""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

HOUSE = Path(__file__).resolve().parents[2]
JUPYTER_ONLY = "jupyter-only"
FIRST = "00-start-here"


def has_page(cell: Any) -> bool:
    """Return whether the cell is on its chapter's page."""
    return JUPYTER_ONLY not in cell.metadata.get("tags", [])


def page_text(cell: Any) -> str:
    """Return the source of a cell as its page has it."""
    return _text(cell, "page")


def lite_text(cell: Any) -> str:
    """Return the source of a cell as the site's JupyterLite has it."""
    return _text(cell, "lite")


def _text(cell: Any, door: str) -> str:
    text = str(cell.source)
    for sentence, there in cell.metadata.get("abviz", {}).get(door, {}).items():
        if text.count(sentence) != 1:
            raise ValueError(f"cell {cell.id}: expected once in its source: {sentence!r}")
        text = text.replace(sentence, there)
    return text


def repository() -> str:
    """Return the address of the source, from the one place that has it."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["urls"]["Repository"])


def colab(notebook: str = FIRST) -> str:
    """Return the address at which Colab opens a notebook of the repository."""
    return f"https://colab.research.google.com/github/{_name()}/blob/main/{_file(notebook)}"


def binder(notebook: str = FIRST) -> str:
    """Return the address at which Binder sets up the repository and opens a notebook."""
    return f"https://mybinder.org/v2/gh/{_name()}/main?urlpath=lab/tree/{_file(notebook)}"


def lite(notebook: str) -> str:
    """Return the address of a notebook in the site's JupyterLite, from a chapter's page."""
    return f"../lite/notebooks/?path={notebook}.ipynb"


def pages() -> str:
    """Return the address of the site that the repository's workflow publishes."""
    owner, _, project = _name().partition("/")
    return f"https://{owner}.github.io/{project}/"


def _name() -> str:
    """Return the repository's name, as OWNER/PROJECT."""
    return urlsplit(repository()).path.strip("/")


def _file(notebook: str) -> str:
    return f"notebooks/{notebook}.ipynb"
