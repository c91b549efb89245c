"""The pages of the course, made from the runs of its notebooks."""

import ast
import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from nbformat import NotebookNode

import doors
import of_class
import prose
import recorded
import runs
from abviz.exercises.predictions import REVEAL
from abviz.tracing.traces import trace
from abviz.tree.files import load
from abviz.views.bundle import page_data
from abviz.views.modules import as_script
from python_files import packed, smaller

HERE = Path(__file__).parent
HOUSE = HERE.parents[1]
NOTEBOOKS = HOUSE / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"

# What a cell calls that only shows something: nothing that comes after it depends on it.
SHOWS = {
    "Board",
    "Stepper",
    "check",
    "check_up",
    "display",
    "draw",
    "predict",
    "predict.reveal",
    "print",
    "watch",
}
# What asks the reader, or answers; its code says nothing to them.
ASKS = {"check_up", "predict", "predict.reveal"}

# The name of the exercise in a call of `check`
CHECKED = re.compile(r"""\bcheck\(["']([\w-]+)["']""")

# What a verdict of the run says of watching a run: on a page, Check shows it
IN_A_NEW_CELL = re.compile(r"put this in a new cell: <code>.*?</code>", re.DOTALL)

# What stays of a widget's state: the rest is for a notebook's layout.
LEFT_OUT = re.compile(r"^(_.*|layout|tabbable|tooltip)$")

# A row of the table in which the first notebook says what each one is about
ABOUT_ROW = re.compile(r"^\| \[[^]]*\]\(([\w-]+)\.ipynb\) \| (.+?) \|$", re.MULTILINE)

_templates = Environment(
    loader=FileSystemLoader(HERE / "page"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters["line"] = lambda text: Markup(prose.line(text))


@dataclass
class Output:
    """What a cell shows: HTML, a picture, or a widget, with a picture for where no script runs."""

    html: str = ""
    model: str = ""
    questions: list[dict[str, Any]] = field(default_factory=list)  # if the widget asks any
    picture: str = ""  # its name in `static`
    still: str = ""  # the same, of a picture of the widget before
    alt: str = ""
    reveals: str = ""  # what is said of a prediction, as JSON


@dataclass
class Cell:
    """A cell as its page shows it."""

    id: str
    kind: str  # "prose" or "code"
    html: str = ""  # of prose

    # Of code
    source: str = ""
    is_folded: bool = False
    only_shows: bool = False
    checks: bool = False
    asks: str = ""  # the name of the prediction that it asks for
    outputs: list[Output] = field(default_factory=list)

    # Of code that a browser can't run: it has no Run; and what is said of that, as HTML
    is_recorded: bool = False
    note: str = ""

    # The prediction on which it waits, if any
    after: str = ""

    @property
    def rows(self) -> int:
        return self.source.count("\n") + 1


class Chapter:
    """A page of the course."""

    def __init__(self, path: Path, files: "Files"):
        self.name = path.stem
        self.files = files
        notebook = runs.run(path)
        self.models = runs.widgets(notebook)
        first = doors.page_text(notebook.cells[0])
        self.title = prose.title(first)
        self.about = prose.first_sentence(first)
        self.cells = [self._cell(cell) for cell in notebook.cells if doors.has_page(cell)]
        self._record(notebook)
        _let_wait(self.cells)

    @property
    def number(self) -> str:
        return self.name.split("-")[0]

    @property
    def exercises(self) -> list[str]:
        """The names of the exercises that a browser can check."""
        sources = [cell.source for cell in self.cells if cell.checks and not cell.is_recorded]
        names = [name for source in sources for name in CHECKED.findall(source)]
        return list(dict.fromkeys(names))

    @property
    def line(self) -> str:
        """What the chapter is about, in one line."""
        line = lines_of_course().get(self.name)
        return line or re.split(r"(?<=[.!?]) ", self.about)[0].rstrip(".")

    def _cell(self, cell: Any) -> Cell:
        if cell.cell_type == "markdown":
            return Cell(cell.id, "prose", html=prose.html(doors.page_text(cell)))

        calls, only_calls = _calls(cell.source)
        asked = re.search(r"""predict\([^)]*\bname=["']([\w-]+)""", cell.source)
        return Cell(
            cell.id,
            "code",
            source=of_class.source(cell.source),
            is_folded=_only_imports(cell.source) or bool(calls and calls[-1] in ASKS),
            only_shows=only_calls and all(each in SHOWS for each in calls),
            checks="check" in calls,
            asks=asked[1] if asked else "",
            outputs=list(self._outputs(cell)),
        )

    def _record(self, notebook: Any) -> None:
        """Let the cells that a browser can't run show when and where they were run."""
        run = runs.when_and_where(notebook)
        needs = recorded.needs(notebook.cells)
        said: set[str] = set()
        for cell in self.cells:
            if cell.id not in needs:
                continue
            cell.is_recorded = True
            if not cell.asks:  # which works without Python
                need = needs[cell.id]
                shows = bool(cell.outputs)
                cell.note = run.sentence(
                    need, is_first=need not in said, shows=shows, checks=cell.checks
                )
                if shows and not cell.checks:
                    said.add(need)

    def _outputs(self, cell: Any) -> Iterator[Output]:
        yield from self._shown(cell.outputs)

    def _widget(self, id: str) -> Iterator[Output]:
        model = self.models.get(id)
        if model is None:  # it was closed
            return
        if model["_model_name"] == "OutputModel":  # outputs that a program has written over
            yield from self._shown([NotebookNode(each) for each in model["outputs"]])
        else:
            yield Output(model=id, questions=model.get("questions", []))

    def _shown(self, outputs: list[Any]) -> Iterator[Output]:
        follows_widget = False
        for output in outputs:
            if output.output_type == "stream":
                yield Output(html=f"<pre>{_escaped(output.text)}</pre>")
                follows_widget = False
                continue

            data = output.data
            if data.get("text/plain") == "":  # what a progress bar leaves
                continue
            if WIDGET in data:
                yield from self._widget(data[WIDGET]["model_id"])
            elif "image/png" in data:
                name = self.files.add(base64.b64decode(data["image/png"]), ".png")
                if follows_widget:
                    yield Output(still=name, alt=data["text/plain"])
                else:
                    yield Output(picture=name)
            elif "text/html" in data:
                about = json.dumps(data[REVEAL]) if REVEAL in data else ""
                shown = IN_A_NEW_CELL.sub("press <strong>Check</strong>.", data["text/html"])
                yield Output(html=shown, reveals=about)
            elif "image/svg+xml" in data:
                yield Output(html=data["image/svg+xml"])
            else:
                yield Output(html=f"<pre>{_escaped(data['text/plain'])}</pre>")
            follows_widget = WIDGET in data

    def states(self) -> dict[str, dict[str, Any]]:
        """Return the states of the widgets that the page shows, and of those inside them."""
        wanted = [
            (output.model, cell.is_recorded)
            for cell in self.cells
            for output in cell.outputs
            if output.model
        ]
        states: dict[str, dict[str, Any]] = {}
        while wanted:
            id, is_recorded = wanted.pop()
            if id in states or id not in self.models:
                continue
            states[id] = self._state(self.models[id])
            if is_recorded:
                states[id]["isRecorded"] = True
            inside = re.findall(r'"IPY_MODEL_(\w+)"', json.dumps(states[id]))
            wanted += [(each, is_recorded) for each in inside]
        return states

    def _state(self, model: dict[str, Any]) -> dict[str, Any]:
        """Return a widget as its page has it: its kind and its traits.

        The kind is its class, or for one of ipywidgets the name of its model.
        """
        kind = model.get("_anywidget_id", "").split(".")[-1] or model["_model_name"]
        state = {name: value for name, value in model.items() if not LEFT_OUT.match(name)}
        if kind == "Stepper":
            state["address"] = True  # no Python, until its cell is run
        return {"kind": kind, "state": state}

    def data(self) -> str:
        """Return what the page's script reads, as JSON that no HTML ends."""
        cells = {
            cell.id: {
                "source": cell.source,
                "onlyShows": cell.only_shows,
                "asks": cell.asks,
            }
            for cell in self.cells
            if cell.kind == "code"
        }
        return as_script({"cells": cells, "models": self.states(), "kinds": self.files.kinds})

    def html(self, course: list["Chapter"], static: str, has_notebooks: bool) -> str:
        """Return the page; `static` is the folder with the files that pages share."""
        place = course.index(self)
        return _templates.get_template("chapter.html").render(
            chapter=self,
            course=course,
            before=course[place - 1] if place else None,
            after=course[place + 1] if place + 1 < len(course) else None,
            colab=doors.colab(self.name),
            binder=doors.binder(self.name),
            notebook=doors.lite(self.name) if has_notebooks else "",
            static=static,
            rules=of_class.rules(),
        )


@cache
def lines_of_course() -> dict[str, str]:
    """Return what each notebook is about, as the first one says it."""
    first = min(NOTEBOOKS.glob("[0-9]*.ipynb"))
    cells = json.loads(first.read_text("utf-8"))["cells"]
    rows = ABOUT_ROW.findall("\n\n".join("".join(cell["source"]) for cell in cells))
    return {name: about[0].upper() + about[1:] for name, about in rows}


def front_state() -> dict[str, Any]:
    """Return the stepper of the front page: the worked example, as the class has it."""
    own = of_class.course()
    shown = trace(own.named(load("worked-example")), rules=own.rules)
    return {
        "spec": page_data(shown),
        "step": 0,
        "speed": 1,
        "form": own.pseudocode,
        "letters": own.letters,
        "address": True,
    }


def front_page(
    chapters: list[Chapter],
    files: "Files",
    static: str,
    megabytes: int,
    wheel: str,
    has_notebooks: bool,
) -> str:
    """Return the front page, with the worked example.

    `megabytes` is the size of all pages, and `wheel` the name of the package beside it.
    """
    state = front_state()
    kind = files.kinds["Stepper"]
    return _templates.get_template("home.html").render(
        course=chapters,
        kind=kind,
        data=as_script({"state": state, "kind": kind}),
        repository=doors.repository(),
        colab=doors.colab(),
        binder=doors.binder(),
        static=static,
        rules=of_class.rules(),
        megabytes=megabytes,
        wheel=wheel,
        has_notebooks=has_notebooks,
    )


def lite_page(config: dict[str, Any], static: str) -> str:
    """Return the page of JupyterLite."""
    return _templates.get_template("lite.html").render(config=as_script(config), static=static)


class Files:
    """The files that several pages share, named by their contents."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        # The script and the style of each kind of widget
        self.kinds: dict[str, dict[str, str]] = {}

    def add_kind(self, name: str, script: str, style: str) -> None:
        """Write the script and the style of a kind of widget."""
        self.kinds[name] = {
            "script": self.add(packed(smaller(script, "js").encode()), ".js.packed"),
            "style": self.add(packed(smaller(style, "css").encode()), ".css.packed"),
        }

    def add(self, content: bytes, ending: str) -> str:
        """Write the file where it is not there yet; return its name in `static`."""
        name = f"{hashlib.sha256(content).hexdigest()[:12]}{ending}"
        (self.folder / name).write_bytes(content)
        return name


def _let_wait(cells: list[Cell]) -> None:
    """Let what follows a prediction wait for it, up to the next heading.

    That may be another question, which can give away the answer; what follows waits for that one.
    """
    waits_for = ""
    for cell in cells:
        if cell.kind == "prose" and re.match(r"\s*<h[1-6]", cell.html):
            waits_for = ""
        cell.after = waits_for
        waits_for = cell.asks or waits_for


def _calls(source: str) -> tuple[list[str], bool]:
    """Return what the cell's statements call, and whether it has no other statements."""
    statements = ast.parse(source).body
    values = [each.value for each in statements if isinstance(each, ast.Expr)]
    calls = [ast.unparse(each.func) for each in values if isinstance(each, ast.Call)]
    names = [each for each in values if isinstance(each, ast.Name | ast.Subscript)]
    return calls, len(calls) + len(names) == len(statements)


def _only_imports(source: str) -> bool:
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in ast.parse(source).body)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
