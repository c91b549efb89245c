"""The searches, compiled for a game by numba.

Compiled code calls the rules of a game as methods of its positions. What is compiled for the games that ship is kept
on disk, in a folder named by a digest of this package's source: rules that have changed never meet an old cache.
"""

import hashlib
import inspect
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from linecache import getline
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import platformdirs
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import overload

from abviz.engine import improving, plain, table, work
from abviz.errors import AbvizError
from abviz.games.rules import FOR_PYTHON, ships
from abviz.text import visible

PACKAGE = Path(__file__).parents[1]
SEARCHES: tuple[ModuleType, ...] = (work, table, plain, improving)
OF_TUPLES = ("_replace", "_asdict")  # what every NamedTuple has, and no compiler knows
KEPT = 4  # caches of other versions of the package that are left on disk

config: Any = numba.core.config
types: Any = numba.core.types
lower: Any = numba.core.imputils.lower_builtin
_told: set[Any] = set()  # the methods and functions that numba has been told of


class Engine:
    """The functions of `plain`, `improving` and `table`, compiled for one game when they are first called."""

    def __init__(self, cls: Any):
        for name, rule in cls.rules.items():
            if name not in (*FOR_PYTHON, *OF_TUPLES):
                _tell_method(rule)
        for method in ("add", "size", "at", "change"):
            _tell_method(vars(work.Row)[method])
        self.folder = cache_folder(cls)
        names: dict[str, Any] = {}
        for module in SEARCHES:
            names |= vars(module)
        self.functions = [name for name, value in names.items() if _is_of_searches(value)]
        if "features" in cls.rules:
            names["estimate"] = names["weighted"]
        for name in self.functions:
            # Each game has functions of its own, whose globals are one another: one cache file serves one game alone.
            function = FunctionType(names[name].__code__, names, name)
            function.__module__, function.__qualname__ = names[name].__module__, name
            names[name] = _compiler(function, self.folder)
        self.names = names

    def __getattr__(self, name: str) -> Any:
        if name == "names" or name not in self.names:
            raise AttributeError(name)
        return self.names[name]

    def is_ready(self, name: str) -> bool:
        """Whether the function is compiled, here or on disk."""
        if self.names[name].signatures:
            return True
        return self.folder is not None and any(self.folder.rglob(f"*.{name}-*.nbi"))

    def prepare(self, name: str, *arguments: Any) -> None:
        """Compile the function for such arguments, or load it, without running it."""
        types = tuple(map(numba.typeof, arguments))
        try:
            self.names[name].compile(types)
        except Exception as problem:  # numba has many kinds
            if not self.folder:
                raise AbvizError(_mistake(problem, arguments[0].title)) from problem
            shutil.rmtree(self.folder, ignore_errors=True)  # a file there is damaged: compile what it should have held
            self.names[name].compile(types)


@cache
def engine(cls: Any) -> Engine:
    return Engine(cls)


def cache_folder(cls: Any) -> Path | None:
    """Where the compiled code of a game that ships is kept; None for other games, and where no file can be written."""
    if not ships(cls):
        return None
    caches: Path = Path(platformdirs.user_cache_dir("abviz", appauthor=False))
    folder = caches / _digest() / str(cls.title)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        others = sorted((f for f in caches.iterdir() if f != folder.parent), key=lambda f: f.stat().st_mtime)
    except OSError:
        return None
    for other in others[:-KEPT]:
        shutil.rmtree(other, ignore_errors=True)
    return folder


@cache
def _digest() -> str:
    """Of all that compiled code depends on: the rules, the searches, numba and whether it checks bounds."""
    told = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for path in sorted((*(PACKAGE / "games").glob("*.py"), *(PACKAGE / "engine").glob("*.py"))):
        told.update(path.name.encode() + b"\0" + path.read_bytes())
    return told.hexdigest()[:16]


def _compiler(function: FunctionType, folder: Path | None) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        return numba.njit(function, nogil=True, cache=folder is not None, forceinline=_inlined(function))
    finally:
        config.CACHE_DIR = before


def _is_of_searches(value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__module__ in {module.__name__ for module in SEARCHES[1:]}


def _tell_method(rule: FunctionType) -> None:
    """Let compiled code call the method, whatever game it is of."""
    for function in _helpers(rule):
        _tell_function(function)
    name = rule.__name__
    if name not in _told:
        _told.add(name)
        lower((Methods.key, name), Methods.key, types.VarArg(types.Any))(partial(_call, name))


@infer_getattr
class Methods(AttributeTemplate):
    """How the methods of a position are found in compiled code: by its class, and not by their names alone."""

    key = types.BaseNamedTuple

    def generic_resolve(self, position: Any, name: str) -> Any:  # type: ignore[override]
        if _method(position, name) is None:
            return None

        class Method(AbstractTemplate):
            key = (Methods.key, name)

            def generic(self, arguments: Any, named: Any) -> Any:
                return _method(position, name).get_call_type(self.context, (position, *arguments), named).as_method()

        return types.BoundFunction(Method, position)


def _call(name: str, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    call = context.get_function(_method(signature.args[0], name), signature)
    context.add_linking_libs(call.libs)
    return call(builder, arguments)


def _method(position: Any, name: str) -> Any:
    """The type of the compiled method of a position, None if its class has none."""
    cls = position.instance_class
    rule = getattr(cls, "rules", vars(cls)).get(name)
    return types.Dispatcher(_compiled(rule)) if isinstance(rule, FunctionType) and name in _told else None


def _inlined(function: FunctionType) -> bool:
    """Whether it goes into its callers, which saves calls at every node: all do but those that call themselves."""
    return function.__name__ not in function.__code__.co_names


@cache
def _compiled(rule: FunctionType) -> Any:
    return numba.njit(rule, forceinline=_inlined(rule))


def _tell_function(function: FunctionType) -> None:
    if function in _told:
        return
    _told.add(function)

    def find(*arguments: Any) -> Any:
        return function

    find.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    overload(function, strict=False, jit_options={"forceinline": _inlined(function)})(find)
    for helper in _helpers(function):
        _tell_function(helper)


def _helpers(function: FunctionType) -> Iterator[FunctionType]:
    """The plain functions beside a rule that it calls."""
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType):
            yield value


PLACE = re.compile(r'File "[^"]*", line (\d+):\n((?:.*\n)*?) *\^')
# What numba says of its own way to a mistake, and not of the mistake.
BESIDE = re.compile(
    r"Failed in|- |There are|Overload|With arg|Rejected|TypingError|Unsupp|No match|None$|During|raised"
)


def _mistake(problem: Exception, title: str) -> str:
    """One line from the many: the rule and its line that do not compile, and what the compiler says of it."""
    text = re.sub(r".\[\d+m", "", str(problem))
    place = PLACE.search(text)
    said = [line.strip() for line in text[: place.start() if place else None].splitlines() if line.strip()]
    said = [line for line in said if not BESIDE.match(line)] or said[:1]
    why = said[-1] if said else type(problem).__name__
    if why.startswith(">>> "):
        why = f"numba knows no {why[4:]}"
    lines = [line.strip() for line in place[2].splitlines()] if place else []
    rule = re.match(r"def (\w+)", lines[0]) if lines else None
    if not place or not rule:
        raised = re.search(r" Raised from (.*) \((\d+)\)$", why)
        at = f", line {raised[2]} ({_cut(getline(raised[1], int(raised[2])).strip())})" if raised else ""
        return f"the rules of {title} do not compile{at}: {_cut(why[: raised.start()] if raised else why)}"
    return f"{rule[1]} of {title} does not compile, line {place[1]} ({_cut(lines[-1])}): {_cut(why)}"


def _cut(text: str) -> str:
    return visible(text if len(text) <= 120 else f"{text[:119]}…")
