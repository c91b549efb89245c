"""The process in which one hand-in runs: first its cells, then its answers, on the trees that the grader sends.

It judges nothing: it holds no reference answer and no other hand-in. The grader sends pickles; what comes back are JSON
lines, since nothing that runs here is trusted. Of abviz it loads trees, traces and what runs an answer; in place of
pictures, games and the engine an object ignores whatever is done with it.
"""

import __future__

import ast
import functools
import inspect
import json
import linecache
import os
import pickle
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, NamedTuple, Self

from abviz.errors import brief
from abviz.exercises import sandbox
from abviz.exercises.observation import Job, Observation, made_plain, observe, one_line
from abviz.tree.model import Node, Tree

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("errors", "tree", "tracing")  # that a hand-in can import, and of the exercises these modules
EXERCISES = ("observation", "rehearsal", "worker", "sandbox", "generator")
SEARCHING = ("engine", "parallel", "games")  # rooms whose searches are no answer
MOST_CHARACTERS = 1_000_000  # of one message
MOST_LEVELS, MOST_NAMES = 60, 200  # of an answer that is data; of names that are reported
FUTURE = functools.reduce(int.__or__, [getattr(__future__, n).compiler_flag for n in __future__.all_feature_names])
TIMING = ("time", "timeit", "capture", "prun")  # cell magics that run the rest of the cell
DEFINES = (
    r"^(async\s+)?(def|class)\s+{0}\b|^(from\s+(?!abviz)\S+\s+)?import\s.*\b{0}\b|^{0}\s*(:[^=\n]*)?=(?!=)"
    r"|\bcheck\(\s*[\"']{1}[\"']"
)
BLOCK = re.compile(r"^(?=(?:@|def |class |async |import |from |[\w.]+ *=[^=]|# ?%%))", re.MULTILINE)

searches_called: list[str] = []  # of abviz's own, by the answer that runs
checked: dict[str, Any] = {}  # answers that the cells hand to `check`


def main() -> None:
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    file, names, skipped, megabytes = pickle.load(requests)
    sys.meta_path.insert(0, _LeftOut())
    # a checkout holds the solutions, too
    sys.path[:] = [path for path in sys.path if not Path(path, "tests/solutions").is_dir()]
    readable = [Path(path) for path in (sys.prefix, sys.exec_prefix, sys.base_prefix, *sys.path)]
    readable += [path for path in PACKAGE.iterdir() if path.stem in (*ROOMS, "__init__", "trees")]
    readable += [PACKAGE.parent / "trees", *(PACKAGE / f"exercises/{name}.py" for name in ("__init__", *EXERCISES))]
    unlimited = sandbox.apply(Path.cwd(), readable, megabytes)
    # before other packages, so that a student's helper is found; after Python's own, which a file called ast.py breaks
    place = next((i for i, path in enumerate(sys.path) if "-packages" in path), len(sys.path))
    sys.path.insert(place, str(Path.cwd()))
    _Session(requests, replies).serve(Path(file), names, skipped, unlimited)


class Cell(NamedTuple):
    """A cell of a notebook, or a statement of a Python file."""

    place: str
    source: str
    line: int = 1

    @property
    def title(self) -> str:
        """Its place and its first line."""
        return f"{self.place} ({brief(self.source.strip().partition(chr(10))[0])})"


class _Session:
    """The conversation with the grader."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO):
        self.requests, self.replies = requests, replies

    def say(self, *message: Any) -> None:
        try:
            line = json.dumps(message)
        except (ValueError, TypeError, RecursionError):
            line = ""
        if not 0 < len(line) < MOST_CHARACTERS:
            line = '["too large"]'
        self.replies.write(line.encode() + b"\n")
        self.replies.flush()

    def serve(self, path: Path, names: list[str], skipped: set[int], unlimited: list[str]) -> None:
        try:
            cells = read_cells(path)
        except (OSError, SyntaxError, LookupError, ValueError, RecursionError, MemoryError) as error:
            self.say("unreadable", str(error).replace(str(path), path.name)[:200])
            return
        patterns = {name: re.compile(DEFINES.format(python_name(name), name), re.MULTILINE) for name in names}
        defines = [[name for name in names if patterns[name].search(cell.source)] for cell in cells]
        self.say("cells", [[cell.title, each] for cell, each in zip(cells, defines, strict=True)])
        module = _Module(path)
        for i, cell in enumerate(cells):
            if i not in skipped:
                self.say("cell", i)
                problem, is_excused = module.run(cell)
                if problem and (defines[i] or not is_excused):
                    self.say("failed", i, problem)
        answers = dict(checked)
        for name in names:
            value = module.names.get(python_name(name), self)
            ours = isinstance(value, _Ignored) or str(getattr(value, "__module__", "")).startswith("abviz.")
            if value is not self and (not ours or any(name in each for each in defines)):
                answers[name] = value
        self.say(
            "ready",
            list(answers),
            [name for name in module.names if name[0] != "_" and len(name) < 60][:MOST_NAMES],
            unlimited,
        )
        trees: dict[int, Tree] = {}
        while True:
            match pickle.load(self.requests):
                case "run", name, new, jobs:
                    trees |= new
                    for tree, arguments, how in jobs:
                        self.run(answers[name], Job(trees[tree], arguments, how))
                case "data", name:
                    function = callable(answers[name])
                    self.say("function" if function else "data", None if function else as_data(answers[name]))

    def run(self, answer: Any, job: Job) -> None:
        searches_called.clear()
        try:
            seen = observe(answer, job)
        except BaseException as error:
            seen = Observation(None, problem=f"it raised {one_line(error)}")
        self.say("ran", seen.value, seen.leaves, seen.problem, seen.details, searches_called[:1])


# the cells


def read_cells(path: Path) -> list[Cell]:
    if path.suffix.lower() != ".ipynb":
        with tokenize.open(path) as file:  # in the encoding that it declares
            return list(_statements(file.read()))
    from IPython.core.inputtransformer2 import TransformerManager

    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{brief(notebook)} is not a notebook; expected one of format 4")
    code = [cell for cell in notebook["cells"] if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    texts = ["".join(map(str, cell.get("source", ""))) for cell in code]
    transform = TransformerManager().transform_cell  # type: ignore[no-untyped-call]
    texts = [transform(text) for text in texts if text.strip()]
    return [Cell(f"cell {i}", text) for i, text in enumerate(texts, 1)]


def _statements(text: str) -> Iterator[Cell]:
    """Yield the statements of a Python file, or what looks like them where the file has a syntax error."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        line = 1
        for block in BLOCK.split(text):
            if block.strip():
                yield Cell(f"line {line}", block, line)
            line += block.count("\n")
        return
    lines, spans = text.splitlines(keepends=True), list[list[int]]()
    for each in body:
        first = min([each.lineno, *(decorator.lineno for decorator in getattr(each, "decorator_list", ()))])
        if spans and first <= spans[-1][1]:  # two statements in one line
            first = spans.pop()[0]
        spans.append([first, each.end_lineno or first])
    for first, last in spans:
        yield Cell(f"line {first}", "".join(lines[first - 1 : last]), first)


class _Module:
    """The namespace in which the cells run."""

    def __init__(self, path: Path):
        is_notebook = path.suffix.lower() == ".ipynb"
        module = ModuleType("__main__" if is_notebook else "hand_in")
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        self.names = module.__dict__
        self.file = "" if is_notebook else path.name
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_notebook else 0
        self.left_out: set[str] = set()  # names that depend on what is replaced here
        if is_notebook:
            shell = _Shell()
            shell.run = lambda source: exec(compile(source, "cell", "exec", self.flags), self.names)
            self.names |= {"display": _Ignored(), "get_ipython": lambda: shell}

    def run(self, cell: Cell) -> tuple[str, bool]:
        """Run the cell. Return what went wrong, and whether it needs something of abviz that is replaced here."""
        before, problem = dict(self.names), ""
        file, source = self.file or cell.place, "\n" * (cell.line - 1) + cell.source
        linecache.cache[file] = len(source), None, source.splitlines(True), file
        try:
            code = compile(source, file, "exec", self.flags, dont_inherit=True)
            self.flags |= code.co_flags & FUTURE
            result = eval(code, self.names)
            if inspect.iscoroutine(result):
                import asyncio

                asyncio.run(result)
        except BaseException as error:
            problem = one_line(error)
        words = set(re.findall(r"\w+", cell.source))
        changed = {name for name, value in self.names.items() if name not in before or before[name] is not value}
        ignored = {name for name in changed if _is_replaced(self.names[name])}
        depends = bool(words & (self.left_out | ignored))
        self.left_out |= changed if words & self.left_out else ignored
        if problem and depends:  # no fault of the student's, nor is what follows from it
            with suppress(SyntaxError):
                names = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)]
                self.left_out |= {name.id for name in names if isinstance(name.ctx, ast.Store)} - self.names.keys()
            problem = f"it needs a part of abviz that is not there while it is graded ({problem})"
        return problem, depends


# what stands for the rest of abviz


class _Ignored(str):
    """A picture, a game, a search by the engine: nothing that is done with it has an effect."""

    room = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Self:
        if self.room in SEARCHING:
            searches_called.append(f"abviz.{self.room}")
        return self

    def __getitem__(self, _: Any) -> Self:
        return self

    def __bool__(self) -> bool:
        return True


class _Shell(_Ignored):
    """What `get_ipython()` returns: it runs timed cells."""

    run: Callable[[str], None]

    def run_cell_magic(self, name: str, _: str, source: str) -> None:
        if name in TIMING:
            self.run(source)


class _LeftOut:
    """Imports the modules of abviz that a hand-in cannot have, and the searches so that they note their calls."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if name == "abviz.tracing.algorithms" and (spec := PathFinder.find_spec(name, path)):
            assert spec.loader
            spec.loader.exec_module = functools.partial(_note_searches, spec.loader.exec_module)  # type: ignore[method-assign]
            return spec
        house, room, module, *_ = *name.split("."), "", "", ""
        is_there = room in ("", *ROOMS) or (room == "exercises" and module in ("", *EXERCISES))
        return None if house != "abviz" or is_there else ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None: ...

    def exec_module(self, module: ModuleType) -> None:
        def look_up(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            value = _Ignored()
            value.room = module.__name__.split(".")[1]
            return _note_answer if name == "check" else value

        module.__getattr__ = look_up  # type: ignore[method-assign]


def _is_replaced(value: Any) -> bool:
    is_module = isinstance(value, ModuleType) and value.__spec__ is not None
    return isinstance(value.__spec__.loader if is_module else value, _Ignored | _LeftOut)


def _note_answer(name: Any, answer: Any = None) -> Any:
    """Stand for `check`: the grader checks the answer later."""
    checked[str(name).replace("_", "-")] = answer
    return _Ignored()


def _note_searches(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    """Execute the module, and replace its searches before other modules import them."""
    execute(module)
    for name in ("minimax", "alphabeta"):
        setattr(module, name, _noted(getattr(module, name)))


def _noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the search, which notes that it is called."""

    @functools.wraps(function)
    def search(*args: Any, **kwargs: Any) -> Any:
        searches_called.append(f"abviz.{function.__name__}")
        return function(*args, **kwargs)

    return search


# answers


def python_name(exercise: str) -> str:
    """Return the name of an answer in Python: share_alpha for share-alpha."""
    return exercise.replace("-", "_")


def as_data(value: Any, levels: int = MOST_LEVELS) -> Any:
    """Return an answer that is not a function as plain data, a tree as nested lists in the long form."""
    if isinstance(value, Tree):
        return _nested(value.root)
    if isinstance(value, list | tuple | set | frozenset) and levels:
        return [as_data(each, levels - 1) for each in value]
    if isinstance(value, Mapping) and levels:
        return {str(key): as_data(each, levels - 1) for key, each in value.items()}
    try:
        return value if isinstance(value, bool) else made_plain(value)
    except Exception:
        return brief(value)


def _nested(node: Node) -> Any:
    if node.is_leaf:
        return node.value
    children = {child.name: _nested(child) for child in node.children}
    return {"children": children, "to_move": "max" if node.is_max else "min", "value": node.value}
