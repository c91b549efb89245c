"""The searches, compiled for a game by numba.

Compiled code calls the rules of a game as methods of its positions. What is compiled for the games of abviz is kept on
disk, in a folder named by a digest of this package's source: changed rules never meet an old cache.
"""

import hashlib
import re
import shutil
import sys
import tempfile
import threading
from functools import cache
from linecache import getline
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba

from abviz.engine import improvements, plain, transposition_table
from abviz.engine.numba_methods import compiled, config, teach_method, user_cache_folder, without_cache
from abviz.engine.workspace import new_work
from abviz.errors import AbvizError, visible
from abviz.games.rules import FOR_PYTHON, LAST, WIDTH, WIN, MoveList, ships
from abviz.games.validation import fingerprint, functions_reached, tried_positions, without_addresses

PACKAGE = Path(__file__).parents[1]
SEARCHES: tuple[ModuleType, ...] = (transposition_table, plain, improvements)
FROM_PYTHON = ("perft", "perft_unique", "minimax", "alphabeta", "improved")
KEPT = 4  # caches of other versions of the package that are left on disk
SLOW = 1.0  # seconds, after which a message says why nothing happens
COMPARED, NODES = 100, 200  # positions, and nodes of each, on which compiled rules are compared with Python's
PLACE = re.compile(r'File "([^"]*)", line (\d+)| Raised from (.*) \((\d+)\)')
# Lines in which numba reports how it came to the error, and not the error.
NOISE = re.compile(
    r"Failed in|- |There are|Overload|With arg|Rejected|TypingError|Unsupp|No match|None$|During|raised|<source|\^"
)


class Engine:
    """The functions of `plain`, `improvements` and `transposition_table`, compiled for one game on first use."""

    def __init__(self, cls: Any):
        if config.DISABLE_JIT:
            raise AbvizError("NUMBA_DISABLE_JIT is set; expected it unset, since the engine is compiled code")
        self.cls, self.agrees = cls, ships(cls)
        rules = {name: rule for name, rule in cls.rules.items() if name not in FOR_PYTHON}
        self.rules = list(rules.values())
        self.uses = {} if ships(cls) else fingerprint(self.rules)
        for name in ("add", "size", "at", "change"):
            teach_method(name, vars(MoveList)[name])
        for name, rule in rules.items():
            teach_method(name, rule)
        self.folder = cache_folder(cls)
        self.names: dict[str, Any] = {}
        for module in SEARCHES:
            self.names |= vars(module)
        modules = [module.__name__ for module in SEARCHES]
        self.functions = [name for name, value in self.names.items() if callable(value) and value.__module__ in modules]
        for name in self.functions:
            # Each game has functions of its own, whose globals are one another: one cache file serves one game alone.
            source = self.names[name]
            function = FunctionType(source.__code__, self.names, name)
            function.__module__, function.__qualname__ = source.__module__, name
            # A student's rules may look beyond the end of an array.
            self.names[name] = compiled(function, self.folder, from_python=name in FROM_PYTHON, checked=not ships(cls))

    def __getattr__(self, name: str) -> Any:
        if name not in FROM_PYTHON:
            raise AttributeError(name)
        return self.names[name]

    def prepare(self, needed: dict[str, tuple[Any, ...]]) -> None:
        """Compile functions for such arguments, or load them, without running them."""
        now = {} if ships(self.cls) else fingerprint(self.rules)  # compiled code keeps the globals it was compiled with
        for name, value in self.uses.items():
            if now.get(name) != value:
                changed = f"{name}, which the rules of {self.cls.title} use, has changed since they were compiled"
                raise AbvizError(f"{changed}; run the cell with {self.cls.title} again")
        for name, arguments in needed.items():
            self._compile(name, tuple(map(numba.typeof, arguments)))
        if not self.agrees:
            _check_agreement(self, self.cls)
            self.agrees = True

    def _compile(self, name: str, signature: tuple[Any, ...]) -> None:
        try:
            self.names[name].compile(signature)
        except Exception as problem:  # numba has many kinds
            if not self.folder:
                raise AbvizError(_one_line(problem, self.cls.title, functions_reached(self.rules))) from problem
            # A cache file is damaged, or the folder has vanished or is full: compile without the disk.
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None
            for each in self.functions:
                without_cache(self.names[each])
            self.names[name].compile(signature)


_engines: dict[Any, Engine] = {}
_lock = threading.Lock()


def engine(cls: Any) -> Engine:
    """Return the engine of the game, the same for every search."""
    with _lock:
        if cls not in _engines:
            _engines[cls] = Engine(cls)
        return _engines[cls]


def prepared(position: Any, method: str, work: Any, table: Any) -> Engine:
    """Return the engine of the game, with what the method needs compiled. The first time ever takes seconds."""
    needed: dict[str, tuple[Any, ...]] = {"alphabeta": (position, 1, -WIN, WIN, work, 1)}
    if method == "minimax":
        needed["minimax"] = (position, 1, work, 1)
    elif method == "improved":
        needed["improved"] = (position, 1, -WIN, WIN, work, table, 0)
    elif method in ("perft", "perft_unique"):
        needed = {method: (position, 1, work, 0)}
    made = engine(type(position))
    timer = threading.Timer(SLOW, notify, [f"compiling the search for {position.title} …"])
    timer.daemon = True
    if not all(made.names[name].signatures for name in needed):
        timer.start()
    try:
        made.prepare(needed)
    finally:
        timer.cancel()
    return made


def notify(message: str) -> None:
    """Print progress on stderr, if that is a terminal or a notebook's output."""
    if sys.stderr is None or sys.stderr.closed:
        return
    if sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel"):
        print(message, file=sys.stderr, flush=True)


def explained(problem: BaseException, position: Any) -> BaseException:
    """Return an exception of compiled rules as an AbvizError of one line."""
    if isinstance(problem, IndexError) and str(problem) == "too many moves":
        return AbvizError(f"{position.title} has a position with more than {WIDTH} moves; expected fewer")
    if isinstance(problem, AbvizError) or not isinstance(problem, Exception) or ships(type(position)):
        return problem
    if isinstance(problem, OverflowError):
        return AbvizError(f"a position of {position.title} has a number beyond 2⁶³ − 1; expected smaller ones")
    return AbvizError(f"a rule of {position.title} raised {type(problem).__name__}: {problem}")


def _one_line(problem: Exception, title: str, functions: list[FunctionType]) -> str:
    """Return numba's error in one line, with the first of these functions that it mentions, and the line there."""
    text = without_addresses(re.sub(r".\[\d+m", "", str(problem)))
    for place in PLACE.finditer(text):
        line = int(place[2] or place[4])
        for code in (function.__code__ for function in functions):
            # numba abbreviates the path of a file: its name has to do.
            same_file = Path(place[1] or place[3]).name == Path(code.co_filename).name
            if same_file and line in [number for *_, number in code.co_lines()]:
                source = getline(code.co_filename, line).strip()[:80]
                reason = _reason(text[: place.start()], problem)
                return visible(f"{code.co_name} of {title} does not compile, line {line} ({source}): {reason}")
    return visible(f"the rules of {title} do not compile: {_reason(text, problem)}")


def _reason(text: str, problem: Exception) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not NOISE.match(line.strip())]
    return lines[-1][:120] if lines else type(problem).__name__


def _check_agreement(made: Engine, cls: Any) -> None:
    """Raise an AbvizError where compiled rules, in 64 bits, search differently than in Python, which has no limit."""
    weights = list(cls.weights.values()) or [0]
    for position in tried_positions(cls)[:COMPARED]:
        counts = dict.fromkeys(("nodes", "evaluations", "cutoffs"), 0)
        python = SimpleNamespace(**counts, limit=NODES, last=LAST, weights=weights, count=[0] * (LAST + 2), moves={})
        record = new_work(weights=weights)
        record.limit = NODES
        answers = []
        try:
            for alphabeta, work in ((plain.alphabeta, python), (made.alphabeta, record)):
                value = alphabeta(position, 2, -WIN, WIN, work, 0)
                first = [int(work.moves[0, i]) for i in range(work.count[0])]
                answers.append([int(value), *(int(getattr(work, name)) for name in counts), first])
        except Exception:
            continue  # a rule that raises is reported by the search that meets it, with its move
        if answers[0] != answers[1]:
            raise AbvizError(
                f"the rules of {cls.title} answer differently in Python and compiled, in 64 bits, at {position!r}; "
                "expected rules that stay below 2⁶³ and shift by less than 64"
            )


# where compiled code is kept


def cache_folder(cls: Any) -> Path | None:
    """Return the folder for compiled code of a game of abviz; None for others, and where no file can be written."""
    caches = user_cache_folder()
    if not ships(cls) or not caches.is_absolute():  # a relative folder would appear wherever the process happens to be
        return None
    folder = caches / _digest() / str(cls.title)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        others = sorted((each for each in caches.iterdir() if each != folder.parent), key=lambda f: f.stat().st_mtime)
    except OSError:
        return None
    for other in others[:-KEPT]:
        shutil.rmtree(other, ignore_errors=True)
    return folder


@cache
def _digest() -> str:
    """Return a digest of all that compiled code depends on: rules, searches, numba, and whether it checks bounds."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for path in sorted((*(PACKAGE / "games").glob("*.py"), *(PACKAGE / "engine").glob("*.py"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
