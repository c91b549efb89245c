"""The process in which one hand-in runs: first its cells, then its answers, on the trees that the grader sends.

It judges nothing, and holds no reference answer and no other hand-in. The grader sends pickles; the replies are JSON
lines, since nothing that runs here is trusted.
"""

import __future__

import ast
import json
import linecache
import re
import sys
import tokenize
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from abviz import exercises
from abviz.errors import RAISED, brief, one_line
from abviz.exercises import game_runs, generator, rehearsal  # noqa: F401  they cannot be imported later
from abviz.exercises.observation import UNAVAILABLE, Job, Observation, made_plain, observe
from abviz.exercises.processes import PACKAGE, connect, limit_process
from abviz.tracing import algorithms
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists

MISSING = ("engine", "parallel", "timing", "play", "play.board")  # they search, and take long to compile
MOST_DATA = 40_000  # characters of an answer that is not a function
CHECKS = r"\bcheck\(\s*[\"']{1}[\"']"
DEFINES = r"^(async )?(def|class)\s+{0}\b|^(from .*)?import\s.*\b{0}\b|^{0}\s*(:.*)?=(?!=)|" + CHECKS
MAGIC = r"^([ \t]*(?:\w+ = )?)(?:[%!?]|[\w.]+\?)(?:.*\\\n)*.*"  # with the lines that continue it

used: list[str] = []  # of abviz, by the cell or the answer that runs: parts that are missing here, and searches
handed: dict[str, Any] = {}  # the answers that a cell hands to `check`, by exercise


def main() -> None:
    requests, reply = connect()
    file, names, is_of_course, left_out, megabytes = requests.load()
    leave_out(MISSING)
    exercises.check = _hand_over  # type: ignore[assignment]
    limit_process(megabytes)
    try:
        cells = read_cells(Path(file))
    except Exception as error:
        return reply(f"it cannot be read: {one_line(error)}")
    reply(len(cells))
    if is_of_course:  # it may use such a name for something else, too
        names = [name for name in names if any(cell.defines(name, CHECKS) for cell in cells)]
    shell = Shell("__main__" if file.endswith(".ipynb") else "hand_in")
    named, answers, lost, notes = dict[str, Any](), dict[str, Any](), dict[str, str](), list[str]()
    for i, cell in enumerate(cells):
        used.clear()
        handed.clear()
        if problem := left_out.get(i) or shell.run(cell):
            problem += f"; {used[0]}{UNAVAILABLE}" if used else ""
            notes.append(f"{cell.title} was left out: {problem}")
            lost = {name: notes[-1] for name in names if cell.defines(name) and name not in handed} | lost
        before, named = named, _named(vars(shell.module), names)
        new = {name: value for name, value in named.items() if name not in before or value is not before[name]}
        # the last answer counts, and a number is none where a function was
        answers |= {name: each for name, each in new.items() if callable(each) is callable(answers.get(name, each))}
        answers |= handed
        reply(i)
    notes = [] if is_of_course else notes  # its own cells use what is left out here
    homonyms = [each.name for each in Path().glob("*.py") if each.stem in sys.stdlib_module_names]
    notes += [f"{each} is not imported: Python has a module of that name" for each in homonyms]
    reply([{name: as_data(answer) for name, answer in answers.items() if name in names}, lost, notes])
    algorithms._run = _Missing("a search of abviz")  # from now on; the cells may show one
    while True:
        name, jobs = requests.load()
        for job in jobs:
            run = _run(answers[name], job)
            reply([run.value, run.leaves, run.problem, run.details])


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
            body = ast.parse(file.read(), path.name).body
        return [Cell(f"line {each.lineno}", ast.unparse(each), ast.Module([each], []), path.name) for each in body]
    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{brief(notebook)} is not a notebook; expected one of format 4")
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cells = [Cell(f"cell {i}", text, python(text), f"cell {i}") for i, text in enumerate(filter(str.strip, texts), 1)]
    for cell in cells:  # for errors, which quote the line
        linecache.cache[cell.file] = len(cell.text), None, cell.text.splitlines(True), cell.file
    return cells


def python(text: str) -> str:
    """Return a cell as Python, with an empty list in place of IPython's magics, of commands and questions."""
    with suppress(SyntaxError):
        ast.parse(text)
        return text
    return re.sub(MAGIC, r"\1[]", text, flags=re.MULTILINE)


class Shell:
    """Runs the cells in one namespace."""

    def __init__(self, name: str):
        self.module = sys.modules[name] = ModuleType(name)
        vars(self.module)["display"] = lambda *_, **__: None
        self.flags = 0

    def run(self, cell: Cell) -> str:
        """Run the cell and return its problem, if any."""
        try:
            code = compile(cell.code, cell.file, "exec", self.flags, True)
            self.flags |= code.co_flags & __future__.annotations.compiler_flag  # for later cells, too
            exec(code, vars(self.module))
        except BaseException as error:
            return one_line(error)
        return ""


# substitutes for parts of abviz


class _Missing(ModuleType):
    """A part of abviz that a worker does not have, or what that part would return. It can be imported, called and
    stored, so that a cell that only shows something does no harm; what needs its value fails."""

    __iter__ = None  # which would call `__getitem__` without end

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Missing(f"{self.__name__}.{name}")()

    def __call__(self, *_: Any, **__: Any) -> Any:
        used.append(self.__name__)
        return self

    __getitem__ = __call__


def leave_out(rooms: Iterable[str]) -> None:
    """Put substitutes in the place of these rooms, and of all exercises, since they hold reference answers."""
    modules = {f"abviz.exercises.{path.stem}" for path in PACKAGE.glob("exercises/*.py")} - sys.modules.keys()
    for name in (*modules, *(f"abviz.{room}" for room in rooms)):
        sys.modules[name] = _Missing(name)
    exercises.EXERCISES = _Missing("abviz.exercises.EXERCISES")


# answers


def _hand_over(name: Any, answer: Any = None) -> bool:
    handed[str(name).replace("_", "-")] = answer
    return True


def _named(namespace: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return the objects with these names of exercises, without those of abviz."""
    named = {name: namespace[name.replace("-", "_")] for name in names if name.replace("-", "_") in namespace}
    homes = {name: str(getattr(value, "__module__", "")) for name, value in named.items() if callable(value)}
    return {name: value for name, value in named.items() if not homes.get(name, "").startswith("abviz.")}


def _run(answer: Any, job: Job) -> Observation:
    used.clear()
    try:
        run = observe(answer, job)
    except BaseException as error:
        run = Observation(None, problem=f"{RAISED}{one_line(error)}")
    return Observation(None, problem=f"it uses {used[0]}; expected a search of its own") if used else run


def as_data(value: Any) -> Any:
    """Return an answer as plain data, a tree as nested lists in the long form, and "a function" for any function."""
    if callable(value):
        return "a function"
    try:
        text = json.dumps(value, default=_plain)
    except Exception:  # an object without data, a list that holds itself, a dictionary with pairs for keys
        return brief(value)
    return json.loads(text) if len(text) <= MOST_DATA else "too large a value"


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that it does not know."""
    if isinstance(value, Tree):
        return {"children": as_lists(value, named=True), "to_move": "max" if value.root.is_max else "min"}
    return list(value) if isinstance(value, set | frozenset) else made_plain(value)
