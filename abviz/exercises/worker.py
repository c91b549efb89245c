"""A student's file in a process of its own: both ends of the connection, and what runs there.

The process of a hand-in runs its cells, and then its answers on the trees that the grader sends. It
judges nothing, and holds no other hand-in, and of the reference answers only the alpha-beta that
some exercises hand out. Requests are pickles; replies are JSON lines, since nothing that runs there
is trusted. Its limits are those of `sandbox`.
"""

# Holds in the cells too, so that no annotation of a student's is evaluated
from __future__ import annotations

import ast
import builtins
import json
import linecache
import os
import pickle
import re
import shutil
import signal
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import Mock

from abviz import exercises
from abviz.errors import AbvizError, brief, one_line
from abviz.exercises import game_runs, generator, rehearsal, supervisor  # noqa: F401  they cannot be imported later
from abviz.exercises.observation import STOPPED, Job, made_plain, observe
from abviz.exercises.reuse import SearchWatch
from abviz.exercises.sandbox import PACKAGE, limit_process
from abviz.tracing import algorithms
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists

USES = "it uses "  # begins the problem of an answer that runs a search of abviz
SECONDS_TO_START = 60.0  # for a process, even on a busy machine
LONGEST_MESSAGE = 1_000_000  # from a process, in bytes
SECONDS_TO_END = 15.0  # until a supervisor that does not end is killed
KEPT = "PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ"  # of the environment


class Problem(AbvizError):
    """The reason why a process ended, or was stopped."""


class WorkerProcess:
    """Runs one file, and its folder if that is its own, in a process that executes a module of
    abviz.
    """

    def __init__(self, path: Path, module: str, *, own_folder: bool = False):
        self.path, self.module, self.own_folder = path, module, own_folder
        self.running = self.interrupted = False

    def start_process(self) -> None:
        """Start a process that has received nothing yet."""
        self.copy = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        self.folder = self.copy.name
        if self.own_folder:
            hidden = shutil.ignore_patterns(".*", "__*")
            shutil.copytree(
                self.path.parent, self.folder, symlinks=True, ignore=hidden, dirs_exist_ok=True
            )
        else:
            shutil.copy(self.path, self.folder)
        command = [
            sys.executable,
            "-I",
            "-X",
            "utf8",
            supervisor.__file__,
            str(PACKAGE.parent),
            self.module,
        ]
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        env = (
            kept
            | dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self.folder)
            | {"MPLBACKEND": "Agg"}
        )
        pipes: Any = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "start_new_session": True}
        self.process = Popen(command, cwd=self.folder, env=env, **pipes)
        assert self.process.stdin and self.process.stdout
        self.requests, self.replies = self.process.stdin, self.process.stdout
        # What it has sent before, such as a tree, is not sent again
        self.pickler = pickle.Pickler(self.requests)
        self.running = True
        if self.interrupted:
            raise AbvizError("it was interrupted")

    def pause(self) -> None:
        """Stop the process for a while, with all that it has started. Windows cannot."""
        if self.running and sys.platform == "linux":
            supervisor.stop_descendants(self.process.pid)
        elif self.running:
            self._signal_group("SIGSTOP")

    def resume(self) -> None:
        """Let the process run again."""
        if self.running and sys.platform == "linux":
            supervisor.send("SIGCONT", supervisor.descendants(self.process.pid))
        elif self.running:
            self._signal_group("SIGCONT")

    def end(self) -> None:
        """End the process, with all that it has started."""
        self._begin_to_end()
        try:
            self.process.wait(SECONDS_TO_END)
        except TimeoutExpired:
            if sys.platform == "linux":
                supervisor.send("SIGKILL", supervisor.descendants(self.process.pid))
            self.process.kill()

    def _begin_to_end(self) -> None:
        if sys.platform == "linux":
            self.process.terminate()
        elif os.name == "posix":
            self._signal_group("SIGKILL")
        else:
            self.process.kill()

    def _signal_group(self, name: str) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, getattr(signal, name))

    def receive(self, number: int, seconds: float, request: Any = None) -> Iterator[Any]:
        """Send the request, if there is one, and yield the next replies; raise Problem where the
        process ends instead. It is stopped if they take longer, and closed if they are not all
        read: the next ones would be out of step.
        """
        deadline, timer = monotonic() + seconds, Timer(seconds, self.end)
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
                    # For the timer, where it has closed its end only
                    status = None if line else self.process.wait()
                    is_late, too_large = (
                        monotonic() >= deadline,
                        "it returned too large a value, or sent no result",
                    )
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
        if self.running:
            self._begin_to_end()

    def close(self) -> None:
        """End the process, if it runs, and remove its folder."""
        if self.running:
            self.end()
            with suppress(OSError), self.process:  # closing a pipe that still holds unread data
                self.pickler.clear_memo()
            self.copy.cleanup()
            self.running = False


# in the process

CHECKS = r"\bcheck\(\s*[\"']{1}[\"']"
DEFINES = r"^((def|class|from .*) {0}\b|{0} *=[^=])|" + CHECKS
# With the lines that continue it
MAGIC = r"^([ \t]*(?:\w+[ \t]*=[ \t]*)?)(?:[%!?]|[\w.]+\?)(?:.*\\\n)*.*"
# A cell
COMMENTED = (
    r"^# Commented out IPython magic to ensure Python compatibility\.\n# %%.*\n((?:#.*\n?)+)"
)

# Rooms that search, and take long to compile
LEFT_OUT = "engine", "parallel", "timing", "play", "play.board"
WITH_SEARCHES = (
    "engine",
    "parallel",
    "exercises",
    "tracing/algorithms.py",
)  # not to be read; they are loaded or left out

# The parts of abviz that are not there; a cell that only shows something does no harm
missing = Mock()
handed: dict[str, Any] = {}  # the answers that a cell hands to `check`, by exercise


class Start(NamedTuple):
    """What a worker receives first."""

    file: str
    names: list[str]  # of the exercises
    is_of_course: bool
    left_out: dict[int, str]  # statements that ended an earlier process, and how
    megabytes: int


def main() -> None:
    requests, reply = connect()
    start: Start = requests.load()
    leave_out(LEFT_OUT)
    exercises.check = _hand_over  # type: ignore[assignment]
    limit_process(start.megabytes, hidden=WITH_SEARCHES)
    watch = SearchWatch()

    try:
        cells = read_cells(Path(start.file))
    except Exception as error:
        kind = "a notebook" if start.file.endswith(".ipynb") else "Python"
        reply(f"it cannot be read as {kind}: {one_line(error)}")
        return
    reply([cell.title for cell in cells])

    session = Session(start, cells)
    for i, cell in enumerate(cells):
        session.run(cell, start.left_out.get(i, ""))
        reply(i)
    session.find_misspelled_names()
    reply([session.answers_as_data(), session.lost, session.notes])

    algorithms._run = getattr(missing, "a search of abviz")  # from now on; the cells may show one
    while True:
        name, jobs = requests.load()
        for job in jobs:
            reply(run_answer(session.answers[name], job, watch))


def run_answer(answer: Any, job: Job, watch: SearchWatch) -> list[Any]:
    """Return the reply on one run of an answer."""
    with watch.watching(job):
        run = observe(answer, job)
    used_here = used() or watch.used
    problem = run.problem
    if used_here:
        problem = f"{USES}{used_here}; expected a search of its own"
    return [run.value, run.leaves, problem, run.details]


class Session:
    """The cells of a hand-in as they run, and what they leave: answers, and notes on what could not
    run.
    """

    def __init__(self, start: Start, cells: list[Cell]):
        self.is_of_course = start.is_of_course
        self.names = start.names
        if start.is_of_course:  # it may use such a name for something else, too
            self.names = [
                name for name in start.names if any(cell.defines(name, CHECKS) for cell in cells)
            ]
        self.namespace = new_namespace("__main__" if start.file.endswith(".ipynb") else "hand_in")
        self.answers: dict[str, Any] = {}  # by exercise
        # By exercise: the note on the statement that would define its answer
        self.lost: dict[str, str] = {}
        self.notes: list[str] = []
        self._named: dict[str, Any] = {}
        self._used: dict[str, str] = {}  # by place: the part of abviz that is not there
        self._handed_under_other_names: dict[str, Any] = {}

    def run(self, cell: Cell, ended: str) -> None:
        """Run the cell, unless it has ended an earlier process, and take the answers that it
        defines.
        """
        handed.clear()
        problem = ended or cell.run(self.namespace)
        self._used[cell.place] = used() or self._used.get(cell.place, "")
        if problem and self._used[cell.place]:
            problem += f"; {self._used[cell.place]} is not available while a hand-in is graded"
        if problem:
            self._leave_out(cell, problem, has_ended=bool(ended))
        self._take_answers()

    def _leave_out(self, cell: Cell, problem: str, has_ended: bool) -> None:
        note = f"{cell.title} was left out: {problem}"
        for name in self.names:
            if cell.defines(name) and name not in handed:
                self.lost.setdefault(name, note)
        # The course's own cells may use parts that are missing here, but they parse and they end.
        if not self.is_of_course or has_ended or problem.startswith("SyntaxError"):
            self.notes.append(note)

    def _take_answers(self) -> None:
        before = self._named
        self._named = {
            name: self.namespace[in_python(name)]
            for name in self.names
            if in_python(name) in self.namespace
            and not is_of_abviz(self.namespace[in_python(name)])
        }
        for name, value in self._named.items():
            if value is not before.get(name):
                self.answers[name] = value
        for name, value in handed.items():
            if name in self.names:
                self.answers[name] = value
            else:
                self._handed_under_other_names[in_python(name)] = value

    def find_misspelled_names(self) -> None:
        """Take alpha_beta or alphaBeta as the answer to alphabeta, where there is no other, and
        note it.
        """
        own = {
            name: value
            for name, value in self.namespace.items()
            if not isinstance(value, type | ModuleType) and not is_of_abviz(value)
        }
        own |= self._handed_under_other_names
        for exercise in set(self.names) - self.answers.keys():
            expected = in_python(exercise)
            found = [
                name for name in own if _folded(name) == _folded(expected) and name != expected
            ]
            if len(found) == 1:
                self.answers[exercise] = own[found[0]]
                self.notes.append(
                    f"found {found[0]}; the exercise asks for {expected}. It is graded as {expected}."
                )
            elif found:
                note = f"found {' and '.join(sorted(found))}; the exercise asks for {expected}"
                self.lost.setdefault(exercise, note)

    def answers_as_data(self) -> dict[str, Any]:
        return {name: as_data(answer) for name, answer in self.answers.items()}


def in_python(exercise: str) -> str:
    """Return the name of an exercise as a name in Python."""
    return exercise.replace("-", "_")


def _folded(name: str) -> str:
    return name.replace("_", "").casefold()


def is_of_abviz(value: Any) -> bool:
    """Return whether it is a function or a class of abviz, under whatever name."""
    return callable(value) and str(getattr(value, "__module__", "")).startswith("abviz.")


def connect() -> tuple[pickle.Unpickler, Callable[[Any], None]]:
    """Return where requests are read and how replies are sent. Nothing else is read or printed from
    now on.
    """
    requests, replies = pickle.Unpickler(os.fdopen(os.dup(0), "rb")), os.fdopen(os.dup(1), "wb")
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)

    def reply(message: Any) -> None:
        replies.write(json.dumps(message).encode() + b"\n")
        replies.flush()  # each, so that the grader knows which run ended the process

    if hasattr(os, "register_at_fork"):
        # A child would reply a second time, or hold the pipe open
        os.register_at_fork(after_in_child=replies.close)
    return requests, reply


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
        return bool(
            re.search(pattern.format(exercise.replace("-", "_"), exercise), self.text, re.MULTILINE)
        )

    def run(self, namespace: dict[str, Any]) -> str:
        """Run the cell and return its problem, if any."""
        try:
            exec(compile(self.code, self.file, "exec"), namespace)
        except BaseException as error:
            return one_line(error)
        return ""


def read_cells(path: Path) -> list[Cell]:
    """Return the statements, one a cell; raise an error of any kind if the file cannot be read."""
    if path.suffix.lower() != ".ipynb":
        with tokenize.open(path) as file:  # in the encoding that it declares
            text = python(re.sub(COMMENTED, _uncommented, file.read(), flags=re.MULTILINE))
        return statements(text, path.name)

    notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cells: list[Cell] = []
    for number, text in enumerate(filter(str.strip, texts), 1):
        place = f"cell {number}"
        # For errors, which quote the line
        linecache.cache[place] = len(text), None, text.splitlines(True), place
        try:
            cells += statements(python(text), place, place)
        except (SyntaxError, ValueError):  # found again where it runs
            cells.append(Cell(place, text, python(text), place))
    return cells


def statements(text: str, file: str, place: str = "") -> list[Cell]:
    """Return each statement as a cell of its own, so that one that fails costs no other."""
    lines = re.split(r"\r\n|\r|\n", text)
    return [
        Cell(place or f"line {each.lineno}", _source(each, lines), ast.Module([each], []), file)
        for each in ast.parse(text, file).body
    ]


def _source(statement: ast.stmt, lines: list[str]) -> str:
    """Return the text of a statement, without its decorators. Python counts columns in bytes."""
    assert statement.end_lineno
    source = lines[statement.lineno - 1 : statement.end_lineno]
    source[-1] = source[-1].encode()[: statement.end_col_offset].decode()
    source[0] = source[0].encode()[statement.col_offset :].decode()
    return "\n".join(source)


def python(text: str) -> str:
    """Return a cell as Python, with an empty list in place of IPython's magics, of commands and
    questions.
    """
    with suppress(SyntaxError):
        ast.parse(text)
        return text
    return re.sub(MAGIC, r"\1[]", text, flags=re.MULTILINE)


def _uncommented(match: re.Match[str]) -> str:
    """Return the rest of a cell that begins with a magic, which Colab exports as comments."""
    return "\n\n" + re.sub(r"^# ?", "", match[1], flags=re.MULTILINE)  # on the same lines as before


def new_namespace(name: str) -> dict[str, Any]:
    """Return the namespace of a new module, in which cells run.

    It has built-in names of its own: a cell that replaces one, as `builtins.len`, changes what
    cells see, and no more.
    """
    own_builtins = sys.modules["builtins"] = ModuleType("builtins", builtins.__doc__)
    vars(own_builtins).update(vars(builtins))
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(
        __builtins__=own_builtins, display=lambda *_, **__: None, get_ipython=Mock()
    )
    return vars(module)


# what stands in for parts of abviz


def leave_out(rooms: Iterable[str]) -> None:
    """Put substitutes in the place of these rooms, and of all exercises, since they hold reference
    answers.
    """
    modules = {
        f"abviz.exercises.{path.stem}" for path in PACKAGE.glob("exercises/*.py")
    } - sys.modules.keys()
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
    """Take what is checked as an answer, unless it is named `answer`, as the wrong examples of the
    course are.
    """
    if answer is None:
        handed[str(name).replace("_", "-")] = given
    return True


def as_data(value: Any) -> Any:
    """Return an answer as plain data, a tree as nested lists in the long form, and "a function" for
    any function.
    """
    if callable(value):
        return "a function"
    try:
        return json.loads(json.dumps(value, default=_plain))
    except (
        Exception
    ):  # an object without data, a list that holds itself, a dictionary with pairs for keys
        return brief(value)


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that it does not know."""
    if isinstance(value, Tree):
        return {
            "children": as_lists(value, named=True),
            "to_move": "max" if value.root.is_max else "min",
        }
    return list(value) if isinstance(value, set | frozenset) else made_plain(value)
