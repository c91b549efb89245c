"""The searches, compiled for a game by numba.

Compiled code calls the rules of a game as methods of its positions. What is compiled for the games that ship is kept
on disk, in a folder named by a digest of this package's source: rules that have changed never meet an old cache.
"""

import hashlib
import inspect
import os
import shutil
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import overload

from abviz.engine import improving, plain, table, work
from abviz.engine.complaints import complaint
from abviz.engine.reaching import fingerprint, reached, used
from abviz.errors import AbvizError
from abviz.games.rules import FOR_PYTHON, ships

PACKAGE = Path(__file__).parents[1]
SEARCHES: tuple[ModuleType, ...] = (work, table, plain, improving)
OF_TUPLES = ("_replace", "_asdict")  # what every NamedTuple has, and no compiler knows
FROM_PYTHON = ("perft", "perft_unique", "minimax", "alphabeta", "improved", "answers", "successor")
# The way in from Python takes a quarter of the time of compiling, and most functions are called by others alone.
WITHIN: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
KEPT = 4  # caches of other versions of the package that are left on disk

config: Any = numba.core.config
types: Any = numba.core.types
lower: Any = numba.core.imputils.lower_builtin
_told: set[Any] = set()  # the methods and functions that numba has been told of


class Engine:
    """The functions of `plain`, `improving` and `table`, compiled for one game when they are first called."""

    def __init__(self, cls: Any):
        if config.DISABLE_JIT:
            raise AbvizError("NUMBA_DISABLE_JIT is set; expected it unset, since the engine is compiled code")
        self.cls, self.agrees = cls, False
        named = {name: rule for name, rule in cls.rules.items() if name not in (*FOR_PYTHON, *OF_TUPLES)}
        self.rules = list(named.values())
        self.uses = {} if ships(cls) else self._used()
        for name, rule in named.items():
            _tell_method(name, rule)
        for method in ("add", "size", "at", "change"):
            _tell_method(method, vars(work.Row)[method])
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
            names[name] = _compiler(function, self.folder, checked=not ships(cls))
        self.names = names

    def __getattr__(self, name: str) -> Any:
        if name not in FROM_PYTHON:
            raise AttributeError(name)
        return self.names[name]

    def is_ready(self, name: str) -> bool:
        """Whether the function is compiled, here or on disk."""
        if self.names[name].signatures:
            return True
        return self.folder is not None and any(self.folder.rglob(f"*.{name}-*.nbi"))

    def prepare(self, name: str, *arguments: Any) -> None:
        """Compile the function for such arguments, or load it, without running it."""
        self._check_uses()
        types = tuple(map(numba.typeof, arguments))
        try:
            self.names[name].compile(types)
        except Exception as problem:  # numba has many kinds
            if not self.folder:
                raise AbvizError(complaint(problem, self.cls.title, reached(self.rules))) from problem
            shutil.rmtree(self.folder, ignore_errors=True)  # a file there is damaged: compile what it should have held
            self._compile_at_least(name, types)

    def _compile_at_least(self, name: str, types: tuple[Any, ...]) -> None:
        try:
            self.names[name].compile(types)
        except OSError:  # the disk is full
            self.folder = None
            for each in self.functions:
                self.names[each]._cache = NullCache()
            self.names[name].compile(types)

    def _used(self) -> dict[str, Any]:
        for function in reached(self.rules):
            if any(name == "print" and value is None for name, value in used(function)):
                where = f"{function.__name__} of {self.cls.title} calls print"
                raise AbvizError(f"{where}; expected none, since rules run compiled, a million times a second")
        return fingerprint(self.rules)

    def _check_uses(self) -> None:
        """Compiled code keeps what it was compiled with."""
        now = {} if ships(self.cls) else fingerprint(self.rules)
        for name in self.uses:
            if now.get(name) != self.uses[name]:
                which = f"{name}, which the rules of {self.cls.title} use, has changed since they were compiled"
                raise AbvizError(f"{which}; run the cell with {self.cls.title} again")


@cache
def engine(cls: Any) -> Engine:
    return Engine(cls)


def cache_folder(cls: Any) -> Path | None:
    """Where the compiled code of a game that ships is kept; None for other games, and where no file can be written."""
    if not ships(cls):
        return None
    try:
        caches = user_caches() / "abviz"
        folder = caches / _digest() / str(cls.title)
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        others = sorted((f for f in caches.iterdir() if f != folder.parent), key=lambda f: f.stat().st_mtime)
    except (OSError, RuntimeError):  # no place to write, or no home at all
        return None
    for other in others[:-KEPT]:
        shutil.rmtree(other, ignore_errors=True)
    return folder


def user_caches() -> Path:
    """The folder in which a user's programs keep what they can make again. (platformdirs knows it too, in 20 ms.)"""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def _digest() -> str:
    """Of all that compiled code depends on: the rules, the searches, numba and whether it checks bounds."""
    told = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for path in sorted((*(PACKAGE / "games").glob("*.py"), *(PACKAGE / "engine").glob("*.py"))):
        told.update(path.name.encode() + b"\0" + path.read_bytes())
    return told.hexdigest()[:16]


def _compiler(function: FunctionType, folder: Path | None, *, checked: bool) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        # A student's rules may look beyond the end of an array. (None: as NUMBA_BOUNDSCHECK says.)
        bounds = True if checked else None
        told: Any = {"nogil": True, "boundscheck": bounds, "forceinline": _inlined(function), **WITHIN}
        told["no_cpython_wrapper"] = function.__name__ not in FROM_PYTHON
        return numba.njit(function, cache=folder is not None, **told)
    finally:
        config.CACHE_DIR = before


def _is_of_searches(value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__module__ in {module.__name__ for module in SEARCHES[1:]}


def _tell_method(name: str, rule: FunctionType) -> None:
    """Let compiled code call the method, whatever game it is of."""
    for function in reached([rule])[1:]:
        _tell_function(function)
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
    return numba.njit(rule, forceinline=_inlined(rule), **WITHIN)


def _tell_function(function: FunctionType) -> None:
    if function in _told:
        return
    _told.add(function)

    def find(*arguments: Any) -> Any:
        return function

    find.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    options: Any = {"forceinline": _inlined(function), **WITHIN}
    overload(function, strict=False, jit_options=options)(find)
