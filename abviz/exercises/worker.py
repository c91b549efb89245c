"""The process in which one hand-in runs: first its cells, then its answers, on the trees that the grader sends.

It judges nothing, and holds no reference answer and no other hand-in. The grader sends pickles; the replies are JSON
lines, since nothing that runs here is trusted.
"""

import __future__

import ast
import json
import linecache
import os
import pickle
import re
import sys
import tokenize
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from abviz import exercises
from abviz.errors import brief, one_line
from abviz.exercises import sandbox
from abviz.exercises.observation import UNAVAILABLE, Job, Observation, made_plain, observe
from abviz.tracing import algorithms
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists

PACKAGE = Path(__file__).resolve().parents[1]
# the modules of abviz.exercises that hold no reference answer
HARMLESS = (
    *("__init__", "exercise", "game_runs", "generator", "observation", "rehearsal", "sandbox", "verdict", "worker"),
)
MISSING = ("engine", "parallel", "timing", "play", "play.board")  # they search, and take long to compile
MOST_DATA = 40_000  # characters of an answer that is not a function
CHECKS = r"\bcheck\(\s*[\"']{1}[\"']"
DEFINES = r"^(async )?(def|class)\s+{0}\b|^(from .*)?import\s.*\b{0}\b|^{0}\s*(:.*)?=(?!=)|" + CHECKS

searches_used: list[str] = []  # of abviz, by the answer that runs, where its own work is expected
parts_missing: list[str] = []  # of abviz, used by the cell or the answer that runs
checked: dict[str, Any] = {}  # answers that the cells hand to `check`
handed: set[str] = set()  # the exercises of those that the cell that runs has handed over


def main() -> None:
    requests, reply = connect()
    file, names, is_of_course, left_out, megabytes = requests.load()
    leave_out(MISSING)
    _note_calls()
    limit_process(megabytes)
    try:
        cells = read_cells(Path(file))
    except Exception as error:
        problem = str(error).replace(str(Path(file).absolute()), file)[:200] or type(error).__name__
        return reply([f"it cannot be read: {problem}", 0])
    reply(["", len(cells)])
    if is_of_course:  # it may use such a name for something else, too
        names = [name for name in names if any(cell.defines(name, CHECKS) for cell in cells)]
    shell = Shell("__main__" if file.endswith(".ipynb") else "hand_in")
    lost, notes, bound = dict[str, tuple[str, str]](), list[str](), dict[str, Any]()
    for i, cell in enumerate(cells):
        handed.clear()
        parts_missing.clear()
        if problem := left_out.get(i) or shell.run(cell):
            problem += f"; {parts_missing[0]}{UNAVAILABLE}" if parts_missing else ""
            lost = {name: (cell.title, problem) for name in names if cell.defines(name) and name not in handed} | lost
            notes.append(f"{cell.title} was left out: {problem}")
        bound |= {name: vars(shell.module).get(name.replace("-", "_")) for name in handed}
        reply(i)
    answers = _answers(vars(shell.module), names, bound)
    reply([{name: as_data(answer) for name, answer in answers.items()}, lost, notes])
    while True:
        name, jobs = requests.load()
        for job in jobs:
            run = _run(answers[name], job)
            reply([run.value, run.leaves, run.problem, run.details])


def connect() -> tuple[pickle.Unpickler, Callable[[Any], None]]:
    """Return where requests are read and how replies are sent. Nothing else is read or printed from now on."""
    requests, replies = pickle.Unpickler(os.fdopen(os.dup(0), "rb")), os.fdopen(os.dup(1), "wb")
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)

    def reply(message: Any) -> None:
        replies.write(json.dumps(message).encode() + b"\n")
        replies.flush()  # each, so that the grader knows which run ended the process

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=replies.close)  # a child would reply a second time, or hold the pipe open
    return requests, reply


def limit_process(megabytes: int, cpu_seconds: int = sandbox.CPU_SECONDS) -> None:
    """Apply the limits, and let the hand-in import from its own folder."""
    # a checkout holds the solutions, too
    sys.path[:] = [path for path in sys.path if not Path(path, "tests/solutions").is_dir()]
    readable = [Path(path) for path in (sys.prefix, sys.exec_prefix, sys.base_prefix, *sys.path)]
    readable += [path for path in (*PACKAGE.iterdir(), PACKAGE.parent / "trees") if path.name != "exercises"]
    readable += [PACKAGE / f"exercises/{name}.py" for name in HARMLESS]
    sandbox.apply(Path.cwd(), readable, megabytes, cpu_seconds)
    # before other packages, so that a student's helper is found; after Python's own, which a file called ast.py breaks
    place = next((i for i, path in enumerate(sys.path) if "-packages" in path), len(sys.path))
    sys.path.insert(place, str(Path.cwd()))


# the cells


class Cell(NamedTuple):
    """A cell of a notebook, or a statement of a Python file."""

    place: str
    text: str
    code: str | ast.Module
    file: str  # as errors name it

    @property
    def title(self) -> str:
        return f"{self.place} ({brief(self.text.strip().splitlines()[0])})"

    def defines(self, exercise: str, pattern: str = DEFINES) -> bool:
        return bool(re.search(pattern.format(exercise.replace("-", "_"), exercise), self.text, re.MULTILINE))


def read_cells(path: Path) -> list[Cell]:
    """Return the cells; raise an error of any kind if the file cannot be read."""
    if path.suffix.lower() != ".ipynb":
        with tokenize.open(path) as file:  # in the encoding that it declares
            statements = ast.parse(file.read(), path.name).body
        return [
            Cell(f"line {each.lineno}", ast.unparse(each), ast.Module([each], []), path.name) for each in statements
        ]
    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{brief(notebook)} is not a notebook; expected one of format 4")
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [Cell(f"cell {i}", text, text, f"cell {i}") for i, text in enumerate(filter(str.strip, texts), 1)]


class Shell:
    """Runs the cells in one namespace. In place of IPython it runs the cell below a magic such as %%time, no more."""

    def __init__(self, name: str):
        self.module = sys.modules[name] = ModuleType(name)
        vars(self.module).update(get_ipython=lambda: self, display=self.display)
        self.file, self.flags = "", 0

    def run(self, cell: Cell) -> str:
        """Run the cell and return its problem, if any."""
        self.file = cell.file
        if isinstance(cell.code, str):
            linecache.cache[cell.file] = len(cell.code), None, cell.code.splitlines(True), cell.file  # for `one_line`
        try:
            self._execute(cell.code)
        except BaseException as error:
            return one_line(error)
        return ""

    def _execute(self, source: str | ast.Module) -> None:
        try:
            code = compile(source, self.file, "exec", self.flags, True)
        except SyntaxError:
            if not isinstance(source, str):
                raise
            from IPython.core.inputtransformer2 import TransformerManager  # slow, and seldom needed

            source = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
            code = compile(source, self.file, "exec", self.flags, True)
        self.flags |= code.co_flags & __future__.annotations.compiler_flag
        exec(code, vars(self.module))

    def run_cell_magic(self, name: str, line: str, body: str) -> None:
        self._execute(f"\n{body}")

    def __getattr__(self, name: str) -> Callable[..., list[str]]:
        return lambda *_, **__: []


# substitutes for the rest of abviz


class _Missing(ModuleType):
    """A part of abviz that a worker does not have, or what that part would return. It can be imported, called and
    stored, so that a cell that only shows something does no harm; what needs its value fails."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._use(f"{self.__name__}.{name}")

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self._use(self.__name__)

    __getitem__ = __call__

    def __iter__(self) -> Any:
        raise TypeError(f"{self._use(self.__name__).__name__} holds nothing")

    def _use(self, name: str) -> Any:
        parts_missing.append(name)
        return _Missing(name)


def leave_out(rooms: Iterable[str]) -> None:
    """Put substitutes in the place of these rooms, and of exercises that hold a reference answer."""
    modules = [f"abviz.exercises.{path.stem}" for path in PACKAGE.glob("exercises/*.py") if path.stem not in HARMLESS]
    for name in (*modules, *(f"abviz.{room}" for room in rooms)):
        sys.modules[name] = _Missing(name)
    exercises.EXERCISES = _Missing("abviz.exercises.EXERCISES")


def _note_calls() -> None:
    """Note each answer that is handed to `check`, and each search by minimax or alpha-beta of abviz's own."""

    def note_answer(name: Any, answer: Any = None) -> bool:
        handed.add(name := str(name).replace("_", "-"))
        checked[name] = answer
        return True

    def note_search(call: Any) -> Any:
        searches_used.append(f"abviz.{call.__qualname__.partition('.')[0]}")
        return run(call)

    run = algorithms._run
    algorithms._run, exercises.check = note_search, note_answer  # type: ignore[assignment]


# answers


def _answers(namespace: dict[str, Any], names: list[str], bound: dict[str, Any]) -> dict[str, Any]:
    """Return the objects with these names of exercises, without those of abviz, and what was handed to `check`.

    Where a name was bound again after its `check`, to another answer and not to something else, the last one counts.
    """
    named = {name: namespace[name.replace("-", "_")] for name in names if name.replace("-", "_") in namespace}
    homes = {name: str(getattr(value, "__module__", "")) for name, value in named.items() if callable(value)}
    own = {name: named[name] for name in named if not homes.get(name, "").startswith("abviz.")}
    again = {name: own[name] for name in bound.keys() & own.keys() if own[name] is not bound[name]}
    last = {name: value for name, value in again.items() if callable(value) == callable(checked[name])}
    return {name: answer for name, answer in (own | checked | last).items() if name in names}


def _run(answer: Any, job: Job) -> Observation:
    searches_used.clear()
    parts_missing.clear()
    try:
        run = observe(answer, job)
    except BaseException as error:
        run = Observation(None, problem=f"it raised {one_line(error)}")
    if used := searches_used + parts_missing:
        return Observation(None, problem=f"it uses {used[0]}; expected a search of its own")
    return run


def as_data(value: Any) -> Any:
    """Return an answer as plain data, a tree as nested lists in the long form, and "a function" for any function."""
    if callable(value):
        return "a function"
    try:
        text = json.dumps(value, default=_plain)
    except (ValueError, TypeError, RecursionError):  # a list that holds itself, a dictionary with pairs for keys
        return brief(value)
    return json.loads(text) if len(text) <= MOST_DATA else "too large a value"


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that it does not know."""
    if isinstance(value, Tree):
        return {"children": as_lists(value, named=True), "to_move": "max" if value.root.is_max else "min"}
    if isinstance(value, set | frozenset):
        return list(value)
    try:
        return made_plain(value)
    except Exception:
        return brief(value)
