"""The process in which one hand-in runs: first its cells, then its answers, on the trees that the grader sends.

It judges nothing: it holds no reference answer and no other hand-in. The grader sends pickles; what comes back are JSON
lines, since nothing that runs here is trusted. Of abviz it loads trees, traces and what runs an answer; in place of
pictures, games and the engine stand mock objects, so that the cells around an answer run in no time.
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
from collections.abc import Callable, Generator, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, NamedTuple
from unittest.mock import MagicMock

from abviz.errors import brief, one_line
from abviz.exercises import sandbox
from abviz.exercises.observation import Job, Observation, made_plain, observe
from abviz.tree.model import Node, Tree

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("errors", "tree", "tracing")  # that a hand-in can import, and of the exercises these modules
EXERCISES = ("observation", "rehearsal", "worker", "sandbox", "generator")
SEARCHING = ("engine", "parallel", "games")  # rooms whose searches are no answer
MOST_LEVELS = 60  # of an answer that is data
FUTURE = functools.reduce(int.__or__, [getattr(__future__, n).compiler_flag for n in __future__.all_feature_names])
TIMING = re.compile(r"\A%%(time|timeit|capture|prun)\b.*\n")
DEFINES = (
    r"^(async )?(def|class)\s+{0}\b|^(from .*)?import\s.*\b{0}\b|^{0}\s*(:[^=\n]*)?=(?!=)|\bcheck\(\s*[\"']{1}[\"']"
)

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
    try:
        cells = read_cells(Path(file))
    except Exception as error:
        _say(replies, "unreadable", str(error).replace(str(Path(file).absolute()), file)[:200])
        return
    answers = _run_cells(replies, Path(file), cells, names, skipped)
    _say(replies, "ready", list(answers), unlimited)
    trees: dict[int, Tree] = {}
    while True:
        match pickle.load(requests):
            case "run", name, new, jobs:
                trees |= new
                for tree, arguments, how in jobs:
                    run = _run(answers[name], Job(trees[tree], arguments, how))
                    _say(replies, "ran", run.value, run.leaves, run.problem, run.details)
            case "data", name:
                is_function = callable(answers[name])
                _say(replies, "function" if is_function else "data", None if is_function else as_data(answers[name]))


def _say(replies: BinaryIO, *message: Any) -> None:
    replies.write(json.dumps(message).encode() + b"\n")
    replies.flush()


# the cells


class Cell(NamedTuple):
    """A cell of a notebook, or a statement of a Python file."""

    place: str
    source: str
    code: str | ast.Module

    @property
    def title(self) -> str:
        return f"{self.place} ({brief(self.source.strip().partition(chr(10))[0])})"


def read_cells(path: Path) -> list[Cell]:
    if path.suffix.lower() != ".ipynb":
        with tokenize.open(path) as file:  # in the encoding that it declares
            text = file.read()
        linecache.cache[path.name] = len(text), None, text.splitlines(True), path.name
        body, lines = ast.parse(text, path.name).body, text.splitlines()
        sources = ["\n".join(lines[each.lineno - 1 : each.end_lineno]) for each in body]
        modules = [ast.Module([each], []) for each in body]
        return [Cell(f"line {m.body[0].lineno}", source, m) for source, m in zip(sources, modules, strict=True)]
    from IPython.core.inputtransformer2 import TransformerManager

    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{brief(notebook)} is not a notebook; expected one of format 4")
    code = [cell for cell in notebook["cells"] if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    texts = ["".join(map(str, cell.get("source", ""))) for cell in code]
    transform = TransformerManager().transform_cell  # type: ignore[no-untyped-call]
    texts = [transform(TIMING.sub("", text)) for text in texts if text.strip()]
    return [Cell(f"cell {i}", text, text) for i, text in enumerate(texts, 1)]


def _run_cells(replies: BinaryIO, path: Path, cells: list[Cell], names: list[str], skipped: set[int]) -> dict[str, Any]:
    """Run the cells, report on them, and return the answers by exercise."""
    patterns = {name: re.compile(DEFINES.format(python_name(name), name), re.MULTILINE) for name in names}
    defines = [[name for name in names if patterns[name].search(cell.source)] for cell in cells]
    _say(replies, "cells", [[cell.title, each] for cell, each in zip(cells, defines, strict=True)])
    is_notebook = path.suffix.lower() == ".ipynb"
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_notebook else 0
    module = ModuleType("__main__" if is_notebook else "hand_in")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    if is_notebook:
        module.__dict__.update(display=_Ignored(), get_ipython=_Ignored())
    for i, cell in enumerate(cells):
        if i in skipped:
            continue
        _say(replies, "cell", i)
        file = cell.place if is_notebook else path.name
        if isinstance(cell.code, str):
            linecache.cache[file] = len(cell.code), None, cell.code.splitlines(True), file
        try:
            code = compile(cell.code, file, "exec", flags, dont_inherit=True)
            flags |= code.co_flags & FUTURE
            result = eval(code, module.__dict__)
            if inspect.iscoroutine(result):
                import asyncio

                asyncio.run(result)
        except BaseException as error:
            _say(replies, "failed", i, one_line(error))
    answers = dict(checked)
    for name in names:
        value = module.__dict__.get(python_name(name), module)
        is_imported = isinstance(value, _Ignored) or str(getattr(value, "__module__", "")).startswith("abviz.")
        is_defined = name not in checked and any(name in each for each in defines)
        if value is not module and (is_defined or not is_imported):
            answers[name] = value
    return answers


# what stands for the rest of abviz


class _Ignored(MagicMock):
    """A picture, a widget, the shell: nothing that is done with it has an effect."""

    def __await__(self) -> Generator[None, None, Any]:
        yield from ()
        return self

    def __format__(self, _: str) -> str:
        return ""


class _Search(_Ignored):
    """A game or a search by the engine, which notes that it is called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        searches_called.append("abviz.search")
        return super().__call__(*args, **kwargs)


class _LeftOut:
    """Imports mock objects for modules that a hand-in cannot have; minimax and alphabeta note their calls."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if name == "abviz.tracing.algorithms" and (spec := PathFinder.find_spec(name, path)):
            assert spec.loader
            spec.loader.exec_module = functools.partial(_note_searches, spec.loader.exec_module)  # type: ignore[method-assign]
            return spec
        package, room, module, *_ = *name.split("."), "", "", ""
        is_there = room in ("", *ROOMS) or (room == "exercises" and module in ("", *EXERCISES))
        return None if package != "abviz" or is_there else ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None: ...

    def exec_module(self, module: ModuleType) -> None:
        kind = _Search if module.__name__.split(".")[1] in SEARCHING else _Ignored

        def look_up(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return _note_answer if name == "check" else kind()

        module.__getattr__ = look_up  # type: ignore[method-assign]


def _note_answer(name: Any, answer: Any = None) -> Any:
    """Stand for `check`: the grader checks the answer later."""
    checked[str(name).replace("_", "-")] = answer
    return _Ignored()


def _note_searches(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    """Execute the module, and replace its searches before other modules import them."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def search(*args: Any, **kwargs: Any) -> Any:
            searches_called.append(f"abviz.{function.__name__}")
            return function(*args, **kwargs)

        return search

    execute(module)
    for name in ("minimax", "alphabeta"):
        setattr(module, name, noted(getattr(module, name)))


# answers


def python_name(exercise: str) -> str:
    """Return the name of an answer in Python: share_alpha for share-alpha."""
    return exercise.replace("-", "_")


def _run(answer: Any, job: Job) -> Observation:
    searches_called.clear()
    try:
        run = observe(answer, job)
    except BaseException as error:
        return Observation(None, problem=f"it raised {one_line(error)}")
    if searches_called:
        problem = f"it calls {searches_called[0]}, abviz's own search; expected one of your own"
        return Observation(None, problem=problem)
    return run


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
