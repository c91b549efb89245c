"""A page's session: it runs the page's cells one by one and posts what they print and display.

It stands in for a notebook's kernel, in the Python of a browser (Pyodide), where there is neither
IPython nor a Jupyter server. Widgets are those of abviz/plain_widgets.py: what one displays names
its kind, and the page has the script for it (widgets.js).

What it posts are texts in JSON, each with a `type`:

    {"type": "stream", "cell": ..., "name": "stdout", "text": ...}
    {"type": "display", "cell": ..., "data": {mime type: content}}
        with "early": true where the next one takes its place, and of a verdict
        "verdict": {"exercise": ..., "status": ...}
    {"type": "error", "cell": ..., "text": ...}
    {"type": "clear", "cell": ...}
    {"type": "update", "id": ..., "state": {name: value}}   of a widget
    {"type": "message", "id": ..., "content": ...}           from a widget
"""

import ast
import builtins
import io
import json
import linecache
import pprint
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from abviz.course import FILE
from abviz.exercises.exercise import listeners
from abviz.plain_widgets import Widget

DONE, FAILED = "done", "failed"

# Of what a run prints: these lines come at once, the others together; and after that, no more
LINES_AT_ONCE = 200
MOST_LETTERS = 100_000
NO_MORE = f"\n… and more: a page shows at most {MOST_LETTERS:,} letters of it.\n"
COMMAND = re.compile(r"\s*(\w+\s*=\s*)?[%!]")  # of IPython
NO_COMMANDS = "A page has no commands with % or !; what the course needs is here already."
NO_AWAIT = "On a page, await works inside an async function only."
NO_INPUT = "a page can't ask while code runs; write the value into the code, in place of input()"

ANSWERS = ".abviz-answers.json"  # where abviz/exercises/predictions.py looks for them

Post = Callable[[str], object]


def _follow_class() -> None:
    """Put the course file that the site was built with, if any, into the current folder."""
    file = Path(__file__).with_name(FILE.name)
    if file.is_file():
        FILE.write_bytes(file.read_bytes())


class Session:
    """The names of a page's cells, and where what they show goes."""

    def __init__(self, post: Post):
        self._post = post
        self._dumps = json.dumps  # whatever a cell makes of the module
        self._runs = 0
        self.cell = ""  # the one that runs, or ran last
        self._is_quiet = False
        # The widgets that each cell shows: they live until it runs again
        self._shown: dict[str, list[Widget]] = {}
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self._widgets: WeakValueDictionary[str, Widget] = WeakValueDictionary()
        _stand_in_for_ipython(self)
        Widget.post = staticmethod(self._post_change)
        self.names["display"] = self.display
        _follow_class()
        builtins.input = _ask
        listeners[:] = [self._show_early]

    def post(self, type: str, **content: Any) -> None:
        if self._is_quiet and type in ("stream", "display", "clear"):
            return
        self._post(self._dumps({"type": type, **content}, default=str))

    def run(self, cell: str, source: str, is_quiet: bool = False) -> str:
        """Run a cell. It is DONE, or FAILED where it raised an exception.

        A quiet run is for its names: it shows nothing but an exception.
        """
        self._runs += 1
        self.cell = cell
        self._is_quiet = is_quiet
        if not is_quiet:
            self._shown.pop(cell, None)
        file = f"<cell {self._runs}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

        out, err = sys.stdout, sys.stderr
        streams = Stream(self, "stdout"), Stream(self, "stderr")
        sys.stdout, sys.stderr = streams
        try:
            statements, last = _compiled(source, file)
            exec(statements, self.names)
            if last is not None:
                shown = eval(last, self.names)
                if shown is not None:
                    self.names["_"] = shown
                    self.display(shown)
        except BaseException as error:
            text = _shortened(_traceback(error, file)) + _advice(error, source, file)
            self.post("error", cell=cell, text=text)
            return FAILED
        finally:
            for stream in streams:
                stream.flush()
            sys.stdout, sys.stderr = out, err
        return DONE

    def display(self, *shown: Any, raw: bool = False, **_: Any) -> None:
        """Show these as a notebook does; with `raw` they are contents by their mime types."""
        if self._is_quiet:
            return

        for each in shown:
            sys.stdout.flush()
            if raw:
                self.post("display", cell=self.cell, data=each)
            else:
                self._show(each)

    def _show(self, shown: Any) -> None:
        if isinstance(shown, Widget):
            self._know(shown)
        is_verdict = type(shown).__name__ == "Verdict"
        run = shown.trace if is_verdict else None
        if run is not None:
            shown = replace(shown, shows_run=True)
        more = {}
        if is_verdict:
            more["verdict"] = {"exercise": shown.exercise, "status": shown.status}
        self.post("display", cell=self.cell, data=_contents(shown), **more)
        if run is not None:
            self._show_run(run)

    def _show_run(self, run: Any) -> None:
        """Let the reader step through their own run on the tree that a verdict shows."""
        from abviz.views.stepper import Stepper  # a right answer needs none

        self._show(Stepper(run, step=run.options.get("parting", len(run))))

    def _show_early(self, verdict: Any) -> None:
        """Show what is known of a wrong answer, until the cell shows something else."""
        self.post("display", cell=self.cell, data=_contents(verdict), early=True)

    def clear(self, wait: bool = False) -> None:
        """Take away what the cell has shown; `wait` is until it shows something else."""
        self.post("clear", cell=self.cell, wait=wait)
        if not self._is_quiet:
            self._shown.pop(self.cell, None)

    def keep_answers(self, text: str) -> None:
        """Keep the answers given on the page, as JSON, where `predict` finds them."""
        Path(ANSWERS).write_text(text, "utf-8")

    def receive(self, text: str) -> None:
        """Hand a widget what its reader has done on the page: a new state, or a message."""
        told = json.loads(text)
        widget = self._widgets.get(told["id"])
        if widget is None:
            return
        if "state" in told:
            widget.receive_state(told["state"])
        else:
            widget.receive(told["content"])

    def _post_change(self, widget: Widget, state: dict[str, Any] | None, content: Any) -> None:
        if state is not None:
            self.post("update", id=widget.model_id, state=state)
        else:
            self.post("message", id=widget.model_id, content=content)

    def _know(self, widget: Widget) -> None:
        """Know the widget, and those inside it, by the ids that the page has."""
        self._widgets[widget.model_id] = widget
        self._shown.setdefault(self.cell, []).append(widget)
        for child in getattr(widget, "children", ()):
            self._know(child)


class Stream(io.TextIOBase):
    """What a cell prints, posted line by line."""

    def __init__(self, session: Session, name: str):
        self._session = session
        self._name = name
        self._kept = ""
        self._lines = 0
        self._letters = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._letters += len(text)
        if self._letters > MOST_LETTERS:
            self._end(text)
            return len(text)

        self._kept += text
        self._lines += text.count("\n")
        is_line = "\n" in text and self._lines <= LINES_AT_ONCE
        if is_line or len(self._kept) > 2_000:
            self.flush()
        return len(text)

    def _end(self, text: str) -> None:
        """Show what there is room for, and say once that there is more."""
        room = MOST_LETTERS - (self._letters - len(text))
        if room < 0:
            return
        self._kept += text[:room] + NO_MORE
        self._letters = MOST_LETTERS + 1
        self.flush()

    def flush(self) -> None:
        text, self._kept = self._kept, ""
        if text:
            self._session.post("stream", cell=self._session.cell, name=self._name, text=text)


def _compiled(source: str, file: str) -> tuple[CodeType, CodeType | None]:
    """Return the code of a cell, and that of the expression on its last line.

    There is none where the cell ends with a statement, or with a semicolon.
    """
    tree = ast.parse(source, file)
    last = None
    is_shown = not source.rstrip().endswith(";")
    if is_shown and tree.body and isinstance(tree.body[-1], ast.Expr):
        statement = tree.body.pop()
        assert isinstance(statement, ast.Expr)
        last = compile(ast.Expression(statement.value), file, "eval")
    return compile(tree, file, "exec"), last


def _advice(error: BaseException, source: str, file: str) -> str:
    """Return what to know of something that a notebook can do and a page can't, or ""."""
    if not (isinstance(error, SyntaxError) and error.filename == file and error.lineno):
        return ""
    if COMMAND.match(source.splitlines()[error.lineno - 1]):
        return NO_COMMANDS
    return NO_AWAIT if "'await' outside" in str(error) else ""


def _traceback(error: BaseException, file: str) -> str:
    """Return the traceback from the cell on, without the lines of this file."""
    shown = traceback.TracebackException.from_exception(error)
    while shown.stack and shown.stack[0].filename != file:
        shown.stack.pop(0)
    return "".join(shown.format())


def _contents(shown: Any) -> dict[str, str]:
    """Return what an object shows of itself, by mime type."""
    contents: dict[str, str] = {}
    if isinstance(shown, type):  # its methods are those of its objects
        return {"text/plain": _plainly(shown)}
    bundle = getattr(shown, "_repr_mimebundle_", None)
    if bundle is not None:
        made = bundle(include=None, exclude=None)
        contents |= made[0] if isinstance(made, tuple) else made or {}

    methods = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}
    for method, mime in methods.items():
        made = getattr(shown, method, None)
        if mime not in contents and made is not None and (content := made()) is not None:
            contents[mime] = content

    contents.setdefault("text/plain", _plainly(shown))
    return contents


def _plainly(shown: Any) -> str:
    """Return the object as a notebook writes it: what is long goes over several lines."""
    text = pprint.pformat(shown, width=79, sort_dicts=False)
    return _shortened(text)


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + NO_MORE


def _ask(prompt: object = "", /) -> str:
    raise RuntimeError(NO_INPUT)


def _stand_in_for_ipython(session: Session) -> None:
    """Let `from IPython.display import display` work, which programs from elsewhere may say."""
    written = {"HTML": "text/html", "SVG": "image/svg+xml"}
    contents = {
        "display": session.display,
        "clear_output": session.clear,
        **{name: _written_in(mime) for name, mime in written.items()},
    }
    for name in ("IPython", "IPython.display"):
        module = sys.modules[name] = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
    vars(sys.modules["IPython.display"]).update(contents)
    vars(sys.modules["IPython"])["display"] = sys.modules["IPython.display"]


def _written_in(mime: str) -> type:
    """Return a class whose objects show their text as of this mime type."""

    class Written:
        def __init__(self, data: str):
            self.data = data

        def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
            return {mime: self.data, "text/plain": self.data}

    return Written
