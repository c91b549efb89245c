"""A student's file in a process of its own: both ends of the connection, and what runs there.

The process of a hand-in runs its cells, and then its answers on the trees that the grader sends. It judges nothing, and
holds no other hand-in, and of the reference answers only the alpha-beta that some exercises hand out. Requests are
pickles; replies are JSON lines, since nothing that runs there is trusted. Limits on memory, time, files and processes
(setrlimit; not on Windows), and on Linux on files outside its folder, network and signals (Landlock, from 5.13, 6.7 and
6.12 on) protect against accidents.
"""

from __future__ import annotations  # holds in the cells too, so that no annotation of a student's is evaluated

import ast
import ctypes
import json
import linecache
import os
import pickle
import re
import shutil
import signal
import struct
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import Mock

from abviz import exercises
from abviz.errors import AbvizError, brief, one_line
from abviz.exercises import game_runs, generator, rehearsal  # noqa: F401  they cannot be imported later
from abviz.exercises.observation import STOPPED, made_plain, observe
from abviz.tracing import algorithms
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists

SECONDS_TO_START = 60.0  # for a process, even on a busy machine
LONGEST_MESSAGE = 1_000_000  # from a process, in bytes
BEGIN = "import sys; sys.path.insert(0, {!r}); from {} import main; del sys.path[0]; main()"
KEPT = "PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ"  # of the environment
PACKAGE = Path(__file__).resolve().parents[1]


class Problem(AbvizError):
    """The reason why a process ended, or was stopped."""


class WorkerProcess:
    """Runs one file, and its folder if that is its own, in a process that executes a module of abviz."""

    def __init__(self, path: Path, module: str, *, own_folder: bool = False):
        self.path, self.module, self.own_folder = path, module, own_folder
        self.running = self.interrupted = False

    def start_process(self) -> None:
        """Start a process that has received nothing yet."""
        self.copy = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        self.folder = self.copy.name
        if self.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(self.path.parent, self.folder, symlinks=True, ignore=hidden, dirs_exist_ok=True)
        else:
            shutil.copy(self.path, self.folder)
        command = [sys.executable, "-I", "-X", "utf8", "-c", BEGIN.format(str(PACKAGE.parent), self.module)]
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        env = kept | dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self.folder) | {"MPLBACKEND": "Agg"}
        pipes: Any = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "start_new_session": True}
        self.process = Popen(command, cwd=self.folder, env=env, **pipes)
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin, self.process.stdout
        self.pickler = pickle.Pickler(self.requests)  # what it has sent before, such as a tree, is not sent again
        self.running = True
        if self.interrupted:
            raise AbvizError("it was interrupted")

    def signal(self, name: str) -> None:
        """Send a signal to the process and all that it has started. Windows has none but the one that ends it."""
        with suppress(ProcessLookupError, PermissionError):
            if self.running and os.name == "posix":
                os.killpg(self.process.pid, getattr(signal, name))
            elif self.running and name == "SIGKILL":
                self.process.kill()

    def receive(self, number: int, seconds: float, request: Any = None) -> Iterator[Any]:
        """Send the request, if there is one, and yield the next replies; raise Problem where the process ends instead.
        It is stopped if they take longer, and closed if they are not all read: the next ones would be out of step."""
        deadline, timer = monotonic() + seconds, Timer(seconds, self.signal, ["SIGKILL"])
        timer.start()
        try:
            if request:
                with suppress(OSError):  # of a process that has ended: there is no reply
                    self.pickler.dump(request)
                    self.requests.flush()
            for _ in range(number):
                line = self.replies.readline(LONGEST_MESSAGE)
                try:
                    reply = json.loads(line)
                except ValueError:
                    status = None if line else self.process.wait()  # for the timer, where it has closed its end only
                    is_late, too_large = monotonic() >= deadline, "it returned too large a value, or sent no result"
                    ended = too_large if line else f"its process ended (exit status {status})"
                    raise Problem(f"{STOPPED}{seconds:g} seconds" if is_late else ended) from None
                yield reply
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()

    def interrupt(self) -> None:
        """Stop the process now, and start no other."""
        self.interrupted = True
        self.signal("SIGKILL")

    def close(self) -> None:
        """End the process, if it runs, and remove its folder."""
        if self.running:
            self.signal("SIGKILL")
            with suppress(OSError), self.process:  # closing a pipe that still holds unread data
                self.pickler.clear_memo()
            self.copy.cleanup()
            self.running = False


# in the process

CHECKS = r"\bcheck\(\s*[\"']{1}[\"']"
DEFINES = r"^((def|class|from .*) {0}\b|{0} *=[^=])|" + CHECKS
MAGIC = r"^([ \t]*(?:\w+[ \t]*=[ \t]*)?)(?:[%!?]|[\w.]+\?)(?:.*\\\n)*.*"  # with the lines that continue it

missing = Mock()  # the parts of abviz that are not there; a cell that only shows something does no harm
handed: dict[str, Any] = {}  # the answers that a cell hands to `check`, by exercise


def main() -> None:
    requests, reply = connect()
    file, names, is_of_course, left_out, megabytes = requests.load()
    leave_out(("engine", "parallel", "timing", "play", "play.board"))  # they search, and take long to compile
    exercises.check = _hand_over  # type: ignore[assignment]
    limit_process(megabytes)
    try:
        cells = read_cells(Path(file))
    except Exception as error:
        return reply(f"it cannot be read as {'a notebook' if file.endswith('.ipynb') else 'Python'}: {one_line(error)}")
    reply(len(cells))
    if is_of_course:  # it may use such a name for something else, too
        names = [name for name in names if any(cell.defines(name, CHECKS) for cell in cells)]
    namespace = new_namespace("__main__" if file.endswith(".ipynb") else "hand_in")
    named, answers, lost, notes = dict[str, Any](), dict[str, Any](), dict[str, str](), list[str]()
    for i, cell in enumerate(cells):
        handed.clear()
        problem, part = left_out.get(i) or cell.run(namespace), used()
        if problem:
            problem += f"; {part} is not available while a hand-in is graded" if part else ""
            note = f"{cell.title} was left out: {problem}"
            lost = {name: note for name in names if cell.defines(name) and name not in handed} | lost
            # The course's own cells may use parts that are missing here, but they parse and they end.
            if not is_of_course or i in left_out or problem.startswith("SyntaxError"):
                notes.append(note)
        before, named = named, _named(namespace, names)
        answers |= {name: value for name, value in named.items() if value is not before.get(name)} | handed
        reply(i)
    reply([{name: as_data(answer) for name, answer in answers.items() if name in names}, lost, notes])
    algorithms._run = getattr(missing, "a search of abviz")  # from now on; the cells may show one
    while True:
        name, jobs = requests.load()
        for job in jobs:
            run, part = observe(answers[name], job), used()
            problem = f"it uses {part}; expected a search of its own" if part else run.problem
            reply([run.value, run.leaves, problem, run.details])


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


SYSTEM = "/usr", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys", "/nix/store", "/gnu/store"  # what Python may read
ENDS_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38  # of prctl
# Landlock: three system calls, of the same numbers on every processor, and the rights that it handles
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, READING, WRITING, TRUNCATE = 0x1, 0xC, 0x1FF2, 0x4000  # writing: removing and making files, too
OF_FILES = 0x6 | TRUNCATE  # what a file can have: writing, reading
TCP, SIGNALS = 0x3, 0x2  # both ways; to processes other than its own children


def limit_process(megabytes: int, cpu_seconds: int = 600) -> None:
    """Apply all limits that this system can keep, and let the file import from its own folder."""
    if sys.platform != "win32":
        import resource

        limits = {"CORE": 0, "CPU": cpu_seconds, "FSIZE": 20_000_000, "NOFILE": 128, "AS": megabytes << 20}
        limits["NPROC"] = 4_000  # threads count, and so does whatever else the user runs
        for name, limit in limits.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ENDS_WITH_PARENT, *map(ctypes.c_ulong, (signal.SIGKILL, 0, 0, 0)))
        _landlock()
    sys.path.append(str(Path.cwd()))  # for helpers; last, since a file called ast.py would break Python's own


def landlock_version() -> int:
    """Return the version of Landlock in this kernel: 6 and later keep signals in; below 1 there is none."""
    return ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1) if sys.platform == "linux" else 0


def _landlock() -> None:
    """Keep this process, if the kernel can, from writing outside its folder, from reading much, and from programs."""
    libc, version = ctypes.CDLL(None), landlock_version()
    writing = WRITING | TRUNCATE * (version >= 3)
    handled = struct.pack("=QQQ", EXECUTE | READING | writing, TCP * (version >= 4), SIGNALS * (version >= 6))
    rules = libc.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    readable = sys.prefix, sys.exec_prefix, sys.base_prefix, *sys.path, PACKAGE, PACKAGE.parent / "trees", *SYSTEM
    rights: dict[Any, int] = dict.fromkeys(readable, READING) | dict.fromkeys(
        (os.getcwd(), os.devnull), READING | writing
    )
    for path, allowed in rights.items():
        with suppress(OSError):
            place = os.open(path, os.O_PATH)
            allowed &= allowed if os.path.isdir(path) else OF_FILES
            libc.syscall(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, place), 0)
            os.close(place)
    libc.prctl(NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0)))
    libc.syscall(RESTRICT_SELF, rules, 0)


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

    def run(self, namespace: dict[str, Any]) -> str:
        """Run the cell and return its problem, if any."""
        try:
            exec(compile(self.code, self.file, "exec"), namespace)
        except BaseException as error:
            return one_line(error)
        return ""


def read_cells(path: Path) -> list[Cell]:
    """Return the cells; raise an error of any kind if the file cannot be read."""
    if path.suffix.lower() != ".ipynb":
        with tokenize.open(path) as file:  # in the encoding that it declares
            body = ast.parse(file.read(), path.name).body
        return [Cell(f"line {each.lineno}", ast.unparse(each), ast.Module([each], []), path.name) for each in body]
    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
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


def new_namespace(name: str) -> dict[str, Any]:
    """Return the namespace of a new module, in which cells run."""
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(display=lambda *_, **__: None, get_ipython=Mock())
    return vars(module)


# what stands in for parts of abviz


def leave_out(rooms: Iterable[str]) -> None:
    """Put substitutes in the place of these rooms, and of all exercises, since they hold reference answers."""
    modules = {f"abviz.exercises.{path.stem}" for path in PACKAGE.glob("exercises/*.py")} - sys.modules.keys()
    for name in (*modules, *(f"abviz.{room}" for room in rooms)):
        sys.modules[name] = getattr(missing, name)
    exercises.EXERCISES = getattr(missing, "abviz.exercises.EXERCISES")


def used() -> str:
    """Return the first substitute that was called since the last time, if any."""
    calls = [name for name, _, _ in missing.mock_calls]
    if calls:
        missing.reset_mock()
    return calls[0] if calls else ""


def _hand_over(name: Any, given: Any = None, *, answer: Any = None) -> bool:
    """Take what is checked as an answer, unless it is named `answer`, as the wrong examples of the course are."""
    if answer is None:
        handed[str(name).replace("_", "-")] = given
    return True


def _named(namespace: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """Return the objects with these names of exercises, without those of abviz."""
    named = {name: namespace[name.replace("-", "_")] for name in names if name.replace("-", "_") in namespace}
    homes = {name: str(getattr(value, "__module__", "")) for name, value in named.items() if callable(value)}
    return {name: value for name, value in named.items() if not homes.get(name, "").startswith("abviz.")}


def as_data(value: Any) -> Any:
    """Return an answer as plain data, a tree as nested lists in the long form, and "a function" for any function."""
    if callable(value):
        return "a function"
    try:
        return json.loads(json.dumps(value, default=_plain))
    except Exception:  # an object without data, a list that holds itself, a dictionary with pairs for keys
        return brief(value)


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that it does not know."""
    if isinstance(value, Tree):
        return {"children": as_lists(value, named=True), "to_move": "max" if value.root.is_max else "min"}
    return list(value) if isinstance(value, set | frozenset) else made_plain(value)
