"""A student's file in a process of its own: both ends of the connection, and what runs there.

The process of a hand-in runs its cells, and then its answers on the trees that the grader sends. It
judges nothing, holds no other hand-in, and has no reference answer but the alpha-beta that some
exercises hand out. Requests are pickles; replies are JSON lines, since nothing that runs there is
trusted. Its limits are those of `sandbox`.
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
from threading import Event, Thread
from time import monotonic
from types import ModuleType
from typing import IO, NamedTuple, NoReturn

from abviz import exercises
from abviz.course import RENAMED
from abviz.errors import AbvizError, brief, one_line

# The first three cannot be imported later
from abviz.exercises import game_runs, generator, rehearsal, supervisor  # noqa: F401
from abviz.exercises.observation import STOPPED, Job, Plain, made_plain, observe
from abviz.exercises.own_run import Recording, recorded
from abviz.exercises.reuse import SearchWatch
from abviz.exercises.sandbox import PACKAGE, limit_process
from abviz.recording.messages import RunMessage, message_of
from abviz.recording.time_limit import TICK, Limit
from abviz.tracing import algorithms
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists

ENDED = "its process ended"  # begins the problem of a run that ended it
USES = "it uses "  # begins the problem of an answer that runs a search of abviz
SECONDS_TO_START = 60.0  # for a process, even on a busy machine
LONGEST_MESSAGE = 1_000_000  # from a process, in bytes
SECONDS_TO_END = 15.0  # until a supervisor that does not end is killed
KEPT = "PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TZ"  # of the environment


class Problem(AbvizError):
    """The reason why a process ended, or was stopped."""


class WorkerProcess:
    """Runs one file in a process that executes a module of abviz.

    The file's folder goes with it, if that is its own.
    """

    def __init__(self, path: Path, module: str, *, own_folder: bool = False):
        self.path = path
        self.module = module
        self.own_folder = own_folder
        self.running = False
        self.interrupted = False

    def start_process(self) -> None:
        """Start a process that has received nothing yet."""
        self.copy = TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True)
        self.folder = self.copy.name
        self._copy_files()

        python = [sys.executable, "-I", "-X", "utf8"]
        script = [supervisor.__file__, str(PACKAGE.parent), self.module]
        self.process = Popen(
            python + script,
            cwd=self.folder,
            env=self._environment(),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )

        assert self.process.stdin and self.process.stdout
        self.requests: IO[bytes] = self.process.stdin
        self.replies: IO[bytes] = self.process.stdout

        # What it has sent before, such as a tree, is not sent again
        self.pickler = pickle.Pickler(self.requests)

        self.running = True
        if self.interrupted:
            raise AbvizError("it was interrupted")

    def _copy_files(self) -> None:
        """Copy the file, or its folder without what is hidden, to where the process runs."""
        if not self.own_folder:
            shutil.copy(self.path, self.folder)
            return
        shutil.copytree(
            self.path.parent,
            self.folder,
            symlinks=True,
            ignore=shutil.ignore_patterns(".*", "__pycache__", "__MACOSX"),
            dirs_exist_ok=True,
        )

    def _environment(self) -> dict[str, str]:
        """Return the variables of the environment that the process sees."""
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        folders = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), self.folder)
        return kept | folders | {"MPLBACKEND": "Agg"}

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

    def receive(self, number: int, seconds: float, request: object = None) -> Iterator[Plain]:
        """Send the request, if there is one, and yield the next replies.

        Raises Problem where the process ends instead. It is stopped if the replies take longer,
        without the time in which none is read, and closed if they are not all read: the next ones
        would be out of step.
        """
        limit = self.limit(seconds)
        is_done, is_stopped = Event(), Event()
        watch = Thread(target=self._end_in_time, args=(limit, is_done, is_stopped))
        watch.start()
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
                    problem = self._why_no_reply(line)
                    if is_stopped.is_set():
                        problem = f"{STOPPED}{seconds:g} seconds"
                    raise Problem(problem) from None
                with limit.paused():
                    yield reply
        except BaseException:
            self.close()
            raise
        finally:
            is_done.set()

    def limit(self, seconds: float) -> Limit:
        """Return a limit on the time of the process that begins now: these seconds by the clock."""
        return Limit(seconds, used=monotonic)

    def _end_in_time(self, limit: Limit, is_done: Event, is_stopped: Event) -> None:
        """End the process when the limit is over, unless all replies have been read before."""
        pause = limit.seconds
        while not is_done.wait(pause):
            if limit.is_over():
                is_stopped.set()
                self.end()
                return
            pause = TICK

    def _why_no_reply(self, line: bytes) -> str:
        """Return why this line, the last that was read, is no reply."""
        if line:
            return "it returned too large a value, or sent no result"

        # A process may have closed its end of the pipe only; then the timer ends it
        status = self.process.wait()
        return f"{ENDED} (exit status {status})"

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

# How a cell names the exercise that it answers
CHECKS = r"\bcheck\(\s*[\"']{1}[\"']"
DEFINES = r"^((def|class|from .*) {0}\b|{0} *=[^=])|" + CHECKS

# A magic, a command or a question of IPython, with the lines that continue it
MAGIC = r"^([ \t]*(?:\w+[ \t]*=[ \t]*)?)(?:[%!?]|[\w.]+\?)(?:.*\\\n)*.*"

# A cell that Colab exports as comments
COMMENTED = (
    r"^# Commented out IPython magic to ensure Python compatibility\.\n# %%.*\n((?:#.*\n?)+)"
)

# Rooms that search and take long to compile, and the grader's own
LEFT_OUT = "engine", "parallel", "timing", "grading", "play", "play.board"

# Not to be read: they are loaded, or left out
WITH_SEARCHES = "engine", "parallel", "exercises", "tracing/algorithms.py"

NOT_AVAILABLE = "is not available while a hand-in is graded"

# The parts of abviz that were called, although they are not there
calls: list[str] = []

# The answers that a cell hands to `check`, by exercise
handed: dict[str, object] = {}


class Handout(NamedTuple):
    """A notebook of the course, as it was handed out."""

    statements: frozenset[str]

    # Exercises whose names it uses for something else
    other_names: frozenset[str]

    def is_original_of(self, cells: list[Cell]) -> bool:
        """Return whether the hand-in has most of its statements."""
        return 2 * len(self.statements & {cell.text for cell in cells}) > len(self.statements)


class Start(NamedTuple):
    """What a worker receives first."""

    file: str
    names: list[str]  # of the exercises
    is_of_course: bool
    handouts: list[Handout]
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
        reason = str(error) if isinstance(error, AbvizError) else one_line(error)
        reply(f"it cannot be read as {kind}: {reason}")
        return
    reply([cell.title for cell in cells])

    session = Session(start, cells)
    for i, cell in enumerate(cells):
        session.run(cell, start.left_out.get(i, ""))
        reply(i)
    session.find_misspelled_names()
    reply([session.answers_as_data(), session.lost, session.notes])

    # A cell may show a search of abviz; an answer, from now on, has to be one of its own
    algorithms._run = Unavailable("a search of abviz", calls)  # type: ignore[assignment]
    while True:
        name, asked = requests.load()
        if isinstance(asked, Recording):
            reply(record_answer(session.answers[name], asked))
            continue
        for job in asked:
            reply(run_answer(session.answers[name], job, watch))


def record_answer(answer: object, recording: Recording) -> RunMessage | None:
    """Return the answer's own run; None where it can't be followed."""
    try:
        return message_of(recorded(answer, recording))
    except BaseException:
        return None


def run_answer(answer: object, job: Job, watch: SearchWatch) -> list[Plain]:
    """Return the reply on one run of an answer."""
    with watch.watching(job):
        run = observe(answer, job)

    problem = run.problem
    if used_here := used() or watch.used:
        problem = f"{USES}{used_here}; expected a search of its own"
    return [run.value, run.leaves, problem, run.details]


class Session:
    """The cells of a hand-in as they run, and what they leave.

    That is answers, and notes on what could not run.
    """

    def __init__(self, start: Start, cells: list[Cell]):
        self.is_of_course = start.is_of_course
        originals = [each for each in start.handouts if each.is_original_of(cells)]
        self.handed_out = {text for original in originals for text in original.statements}
        others = {name for original in originals for name in original.other_names}
        self.names = [name for name in start.names if self._may_answer(name, cells, others)]

        is_notebook = start.file.endswith(".ipynb")
        self.namespace = new_namespace("__main__" if is_notebook else "hand_in")

        # By exercise: its answer, or the note on the statement that would define it
        self.answers: dict[str, object] = {}
        self.lost: dict[str, str] = {}
        self.notes: list[str] = []

        # What the cells so far have named like an exercise, and handed to `check` under other names
        self._named: dict[str, object] = {}
        self._handed_under_other_names: dict[str, object] = {}

        # By place of a cell: the part of abviz that it has used and that is not there
        self._used: dict[str, str] = {}

    def _may_answer(self, exercise: str, cells: list[Cell], others: set[str]) -> bool:
        """Return whether what is named like the exercise is an answer.

        A notebook of the course may use such a name for something else, too.
        """
        if any(cell.checks(exercise) for cell in cells):
            return True
        if self.is_of_course:
            return False
        own = [cell for cell in cells if cell.text not in self.handed_out]
        return exercise not in others or any(cell.is_function(exercise) for cell in own)

    def run(self, cell: Cell, ended: str) -> None:
        """Run the cell, and take the answers that it defines.

        It is not run where it has ended an earlier process.
        """
        handed.clear()
        problem = ended or cell.run(self.namespace)

        used_here = used() or self._used.get(cell.place, "")
        self._used[cell.place] = used_here
        if problem and used_here:
            problem = f"{problem}; {used_here} {NOT_AVAILABLE}"

        if problem:
            self._leave_out(cell, problem, has_ended=bool(ended))
        self._take_answers()

    def _leave_out(self, cell: Cell, problem: str, has_ended: bool) -> None:
        note = f"{cell.title} was left out: {problem}"
        for name in self.names:
            if cell.defines(name) and name not in handed:
                self.lost.setdefault(name, note)

        # The course's own cells may use parts that are missing here, but they parse and they end.
        is_of_course = self.is_of_course or cell.text in self.handed_out
        if not is_of_course or has_ended or problem.startswith("SyntaxError"):
            self.notes.append(note)

    def _take_answers(self) -> None:
        """Take what the latest cell has named like an exercise, or handed to `check`."""
        before = self._named
        self._named = {}
        for name in self.names:
            found = [each for each in map(in_python, spellings(name)) if each in self.namespace]
            if not found or is_of_abviz(self.namespace[found[0]]):
                continue
            value = self.namespace[found[0]]
            self._named[name] = value
            if value is not before.get(name):
                self.answers[name] = value

        for name, value in handed.items():
            if name in self.names:
                self.answers[name] = value
            else:
                self._handed_under_other_names[in_python(name)] = value

    def find_misspelled_names(self) -> None:
        """Take alpha_beta or alphaBeta as the answer to alphabeta, and note it.

        That is where there is no other answer.
        """
        own = {
            name: value
            for name, value in self.namespace.items()
            if not isinstance(value, type | ModuleType) and not is_of_abviz(value)
        }
        own |= self._handed_under_other_names

        for exercise in set(self.names) - self.answers.keys():
            expected = in_python(exercise)
            alike = [name for name in own if _folded(name) == _folded(expected)]
            found = [name for name in alike if name != expected]
            note = f"found {' and '.join(sorted(found))}; the exercise asks for {expected}"

            if len(found) == 1:
                self.answers[exercise] = own[found[0]]
                self.notes.append(f"{note}. It is graded as {expected}.")
            elif found:
                self.lost.setdefault(exercise, note)

    def answers_as_data(self) -> dict[str, object]:
        return {name: as_data(answer) for name, answer in self.answers.items()}


def spellings(exercise: str) -> list[str]:
    """Return the names of an exercise: its own, then those that it had once."""
    return [exercise, *(old for old, new in RENAMED.items() if new == exercise)]


def in_python(exercise: str) -> str:
    """Return the name of an exercise as a name in Python."""
    return exercise.replace("-", "_")


def _folded(name: str) -> str:
    return name.replace("_", "").casefold()


def is_of_abviz(value: object) -> bool:
    """Return whether it is a function or a class of abviz, under whatever name."""
    if isinstance(value, Unavailable):  # as an answer it is refused when it is called
        return False
    return callable(value) and str(getattr(value, "__module__", "")).startswith("abviz.")


def connect() -> tuple[pickle.Unpickler, Callable[[object], None]]:
    """Return where requests are read and how replies are sent.

    Nothing else is read or printed from now on.
    """
    requests = pickle.Unpickler(os.fdopen(os.dup(0), "rb"))
    replies = os.fdopen(os.dup(1), "wb")
    for descriptor in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)

    def reply(message: object) -> None:
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

    def defines(self, exercise: str) -> bool:
        """Return whether it seems to define the answer to the exercise, or to check it."""
        return self._has(DEFINES, exercise)

    def is_function(self, exercise: str) -> bool:
        """Return whether it defines a function of the exercise's name."""
        return self._has(r"^def {0}\b", exercise)

    def checks(self, exercise: str) -> bool:
        """Return whether it seems to call `check` for the exercise."""
        return self._has(CHECKS, exercise)

    def _has(self, pattern: str, exercise: str) -> bool:
        filled_in = [pattern.format(in_python(name), name) for name in spellings(exercise)]
        return any(re.search(each, self.text, re.MULTILINE) for each in filled_in)

    def run(self, namespace: dict[str, object]) -> str:
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
    try:
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        texts = ["".join(cell["source"]) for cell in code]
    except (KeyError, TypeError):
        expected = "expected one of version 4, as Jupyter saves it"
        raise AbvizError(f"it has no cells, or others than a notebook; {expected}") from None

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
    """Return a cell as Python, with an empty list in place of what only IPython understands."""
    with suppress(SyntaxError):
        ast.parse(text)
        return text
    return re.sub(MAGIC, r"\1[]", text, flags=re.MULTILINE)


def _uncommented(match: re.Match[str]) -> str:
    """Return the rest of a cell that begins with a magic, which Colab exports as comments."""
    code = re.sub(r"^# ?", "", match[1], flags=re.MULTILINE)
    return f"\n\n{code}"  # on the same lines as before


def new_namespace(name: str) -> dict[str, object]:
    """Return the namespace of a new module, in which cells run.

    It has built-in names of its own: a cell that replaces one, as `builtins.len`, changes what
    cells see, and no more.
    """
    own_builtins = ModuleType("builtins", builtins.__doc__)
    vars(own_builtins).update(vars(builtins))
    sys.modules["builtins"] = own_builtins

    module = ModuleType(name)
    sys.modules[name] = module
    namespace = vars(module)
    namespace["__builtins__"] = own_builtins
    namespace["display"] = lambda *_, **__: None
    namespace["get_ipython"] = Unavailable("get_ipython", [])
    return namespace


# what stands in for parts of abviz


class Unavailable:
    """A part of abviz that is not there, or what it would return.

    It has every attribute and may be called, which its list of calls notes: a cell that only shows
    something does no harm. Whatever needs a value of it raises TypeError.
    """

    def __init__(self, name: str, calls: list[str]):
        self._name = name
        self._calls = calls

    def __repr__(self) -> str:
        return f"<{self._name}, which {NOT_AVAILABLE}>"

    def __getattr__(self, name: str) -> Unavailable:
        if name.startswith("__"):  # Python asks for these, say of a module
            raise AttributeError(f"{self._name} is not there, and has no {name}")
        return Unavailable(f"{self._name}.{name}", self._calls)

    def __call__(self, *_: object, **__: object) -> Unavailable:
        self._calls.append(self._name)
        return Unavailable(f"{self._name}()", self._calls)

    def __bool__(self) -> bool:
        return True

    def __format__(self, how: str) -> str:
        if how:
            self._refuse()
        return str(self)

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError(f"{self._name} is not there")

    __iter__ = __len__ = __getitem__ = __contains__ = _refuse
    __int__ = __float__ = __index__ = __neg__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = _refuse


def leave_out(rooms: Iterable[str]) -> None:
    """Put substitutes in the place of these rooms, and of all exercises.

    The exercises hold reference answers.
    """
    names = [f"abviz.exercises.{path.stem}" for path in PACKAGE.glob("exercises/*.py")]
    names = [name for name in names if name not in sys.modules]
    names += [f"abviz.{room}" for room in rooms]
    for name in names:
        sys.modules[name] = Unavailable(name, calls)  # type: ignore[assignment]
    exercises.EXERCISES = Unavailable("abviz.exercises.EXERCISES", calls)


def used() -> str:
    """Return the first substitute that was called since the last time, if any."""
    first = calls[0] if calls else ""
    calls.clear()
    return first


def _hand_over(name: object, given: object = None, *, answer: object = None) -> bool:
    """Take what is checked as an answer.

    An answer that is named `answer` is one of the wrong examples of the course.
    """
    if answer is None:
        hyphened = str(name).replace("_", "-")
        handed[RENAMED.get(hyphened, hyphened)] = given
    return True


def as_data(value: object) -> Plain:
    """Return an answer as plain data.

    A tree becomes nested lists in the long form, and any function "a function".
    """
    if callable(value):
        return "a function"
    try:
        return json.loads(json.dumps(value, default=_plain))
    except Exception:
        # An object without data, a list that holds itself, a dictionary with pairs for keys
        return brief(value)


def _plain(value: object) -> Plain:
    """Return what JSON has for a value that it does not know."""
    if isinstance(value, Tree):
        to_move = "max" if value.root.is_max else "min"
        return {"children": as_lists(value, named=True), "to_move": to_move}
    if isinstance(value, set | frozenset):
        return list(value)
    return made_plain(value)
