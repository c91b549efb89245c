"""The searches, compiled for a game by numba.

Compiled code calls the rules of a game as methods of its positions. What is compiled for the games
of abviz is kept on disk, in a folder named by a digest of this package's source: changed rules
never meet an old cache.
"""

import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import numba

from abviz.engine import improvements, plain, transposition_table
from abviz.engine.numba_methods import (
    Dispatcher,
    compiled,
    config,
    method,
    teach_method,
    user_cache_folder,
)
from abviz.engine.storage import new_work
from abviz.engine.workspace import Table, Workspace
from abviz.errors import ADDRESS, AbvizError, visible
from abviz.games.obstacles import obstacle
from abviz.games.rules import FOR_PYTHON, WIN, GameClass, MoveList, Position, ships

PACKAGE = Path(__file__).parents[1]
MODULES: tuple[ModuleType, ...] = (transposition_table, plain, improvements)
FROM_PYTHON = ("perft", "perft_unique", "minimax", "alphabeta", "improved")


class Engine:
    """The functions of all three modules, compiled for one game on first use."""

    def __init__(self, cls: GameClass):
        self.cls = cls
        for name in ("add", "size", "at", "change"):
            teach_method(name, vars(MoveList)[name])
        for name, rule in cls.rules.items():
            if name not in FOR_PYTHON:
                teach_method(name, rule)
        self._make_functions(cache_folder(cls))

    def _make_functions(self, folder: Path | None) -> None:
        """Make the game's own copies of the searches, to be compiled on first use.

        They are kept in the folder. Their globals are one another, so that one cache file serves
        one game alone.
        """
        self.folder = folder
        names: dict[str, object] = {}
        for module in MODULES:
            names |= vars(module)

        modules = [module.__name__ for module in MODULES]
        sources = {
            name: value
            for name, value in names.items()
            if isinstance(value, FunctionType) and value.__module__ in modules
        }
        self.functions: dict[str, Dispatcher] = {}
        for name, source in sources.items():
            function = FunctionType(source.__code__, names, name)
            function.__module__ = source.__module__
            function.__qualname__ = name
            self.functions[name] = compiled(
                function,
                folder,
                from_python=name in FROM_PYTHON,
                # A student's rules may look beyond the end of an array
                checked=not ships(self.cls),
            )

        names |= self.functions

    def __getattr__(self, name: str) -> Dispatcher:
        return self.functions[name]

    def is_kept(self, name: str) -> bool:
        """Return whether the compiled function is on disk."""
        return self.folder is not None and any(self.folder.rglob(f"*.{name}-*.nbi"))

    def compile(self, name: str, arguments: tuple[object, ...]) -> None:
        """Compile a function for arguments of these types, or load it, without running it."""
        signature = tuple(map(numba.typeof, arguments))
        try:
            self.functions[name].compile(signature)
        except Exception as problem:  # numba has many kinds
            if not self.folder:
                raise AbvizError(_one_line(problem, self.cls.title)) from problem

            # A cache file is damaged, or the folder has vanished or is full: compile without the
            # disk.
            shutil.rmtree(self.folder, ignore_errors=True)
            self._make_functions(None)
            self.functions[name].compile(signature)

    def compile_rule(self, name: str, arguments: tuple[object, ...]) -> None:
        """Compile one rule of a student's game, as the searches will call it."""
        try:
            method(self.cls.rules[name]).compile(tuple(map(numba.typeof, arguments)))
        except Exception as problem:  # numba has many kinds
            raise AbvizError(_one_line(problem, self.cls.title, name)) from problem


@cache
def engine(cls: GameClass) -> Engine:
    """Return the engine of the game, the same for every search.

    Raises AbvizError where it cannot use the rules.
    """
    found = "" if ships(cls) else obstacle(cls)
    if found:
        raise AbvizError(f"{cls.title} cannot be compiled: {found}")
    return Engine(cls)


def problem_of(position: Position, rules: Iterable[str]) -> str:
    """Return why some rules of a game do not compile, in one line; "" where they do."""
    made = Engine(type(position))
    move = 1
    legal = MoveList(new_work(), 0)
    arguments: dict[str, tuple[object, ...]] = {
        "moves": (legal,),
        "play": (move,),
        "gain": (move,),
        "count": (legal,),
    }

    for rule in rules:
        try:
            made.compile_rule(rule, (position, *arguments.get(rule, ())))
        except AbvizError as problem:
            return str(problem)
    return ""


def needed_for(method: str) -> list[str]:
    """Return the functions that a method calls: alphabeta completes the lines."""
    return [method] if method.startswith("perft") else ["alphabeta", method]


def is_loaded(position: Position, method: str) -> bool:
    """Return whether all that the method needs is compiled in this process."""
    made = engine(type(position))
    return all(made.functions[name].signatures for name in needed_for(method))


def prepared(position: Position, method: str, work: Workspace, table: Table | None) -> Engine:
    """Return the engine of the game, with what the method needs compiled.

    The first time ever takes seconds.
    """
    window = (-WIN, WIN)
    arguments = {
        "perft": (position, 1, work, 0),
        "perft_unique": (position, 1, work, 0),
        "minimax": (position, 1, work, 1),
        "alphabeta": (position, 1, *window, work, 1),
        "improved": (position, 1, *window, work, table, 0),
    }

    made = engine(type(position))
    needed = needed_for(method)
    if not all(made.functions[name].signatures or made.is_kept(name) for name in needed):
        notify(f"compiling the search for {position.title} …")
    for name in needed:
        # Compiling once more would change nothing, and take longer than a small search
        if not made.functions[name].signatures:
            made.compile(name, arguments[name])
    return made


def notify(message: str) -> None:
    """Print progress on a terminal's stderr.

    In a notebook that would look like an error: there it goes to stdout.
    """
    is_notebook = type(sys.stdout).__module__.startswith("ipykernel")
    if is_notebook or (sys.stderr and sys.stderr.isatty()):
        print(message, file=sys.stdout if is_notebook else sys.stderr, flush=True)


def _one_line(problem: Exception, title: str, rule: str = "a rule") -> str:
    """Return the rule that numba names innermost, its line, and the last line of numba's reason."""
    text = ADDRESS.sub(">", re.sub(r".\[\d+m", "", str(problem)))
    rule, *_ = *re.findall(r", '(\w+)'\) for ", text), rule
    line, *_ = *re.findall(r'(?m)^ *File "[^"]*", line (\d+):', text), ""

    reason = re.split(r'(?m)^ *File "', text)[0]  # what follows are the calls that led there
    lines = [
        each.strip()
        for each in reason.splitlines()
        if not re.match(r"\s*(During|None|raised from|-|$)", each)
    ]
    last = lines[-1][:120] if lines else type(problem).__name__
    where = f" (line {line})" if line else ""
    expected = "expected numbers, tuples, loops and functions"
    return visible(f"{rule} of {title} does not compile; {expected}: {last}{where}")


# where compiled code is kept


def cache_folder(cls: GameClass) -> Path | None:
    """Return the folder for compiled code of a game of abviz.

    It is None for other games, and where no file can be written.
    """
    caches = user_cache_folder()
    # A relative folder would appear wherever the process happens to be
    if not ships(cls) or not caches.is_absolute():
        return None

    folder = caches / _digest() / str(cls.title)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return folder
    except OSError:
        return None


@cache
def _digest() -> str:
    """Return a digest of all that compiled code depends on.

    These are the rules, the searches, numba, and whether it checks bounds.
    """
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for path in sorted((*(PACKAGE / "games").glob("*.py"), *(PACKAGE / "engine").glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
