"""The process of a hand-in: it reads the hand-in, tells what is there, and runs answers when the grader calls them.

It judges nothing. What it says is that a function asked for this value, then for that one, and returned a number; the
grader knows which values it has given away, and compares.
"""

import inspect
import json
import os
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO

# What a hand-in may use of abviz is loaded here, before the stand-ins are put up.
from abviz import errors
from abviz.exercises.grading import seccomp, sources, standins, walls
from abviz.exercises.grading.nodes import Node, grown
from abviz.exercises.grading.wire import MOST_LETTERS, TooMuch, decoded, encoded, text_of
from abviz.tree import loading
from abviz.tree import model as tree

OPEN = (errors, loading, tree)
TOO_LARGE = ["strange", "a value too large to be read"]
MOST_LOOKS = 20_000  # in one run of an answer that is trusted
MOST_NAMES = 200  # told of those that a hand-in defines


class TooLong(Exception):
    pass


class FromGrader(Exception):
    """Stands for what went wrong at the grader's when it was asked: raised in the answer, under its own name."""


class Session:
    """The conversation with the grader, and what the two call by number."""

    def __init__(self, hears: BinaryIO, says: BinaryIO):
        self.hears, self.says = hears, says
        self.looks: list[int] = []
        self.trusted = False
        self.nodes: dict[int, Node] = {}
        self.functions: list[Callable[..., Any]] = []

    def begin(self) -> None:
        """The walls are up. They hold for the threads that start from now on, and would not for one that runs."""

    def say(self, *message: Any) -> None:
        told = json.dumps([*message, self.looks]).encode()
        self.looks.clear()
        if len(told) > MOST_LETTERS:
            raise TooMuch
        self.says.write(told + b"\n")
        self.says.flush()

    def hear(self) -> list[Any]:
        line = self.hears.readline()
        if not line:
            os._exit(0)
        heard: list[Any] = json.loads(line)
        return heard

    def ask(self, *question: Any) -> Any:
        """What the grader answers; before that it may call a function itself."""
        self.say(*question)
        while True:
            match self.hear():
                case ["call", number, arguments, trusted]:
                    self.call(number, arguments, trusted)
                case ["value", value]:
                    return decoded(value, self.known)
                case ["raise", kind, text]:
                    raise type(kind, (FromGrader,), {})(text)

    def many_looks(self) -> None:
        if not self.trusted:
            self.ask("looks")
        elif len(self.looks) > MOST_LOOKS:
            raise TooLong(f"it looked at nodes more than {MOST_LOOKS:,} times")

    def known(self, kind: str, rest: list[Any]) -> Any:
        if kind == "node":
            return self.nodes[rest[0]]
        if kind == "tree of nodes":
            first, rows = rest
            self.nodes.update(enumerate(grown(self, first, rows), first))
            return self.nodes[first]
        (number,) = rest
        return lambda *arguments: self.ask("ask", number, [encoded(each, self.own) for each in arguments])

    def own(self, value: Any) -> Any:
        if isinstance(value, Node):
            return ["node", value._number]
        if isinstance(value, standins.StandIn):
            return ["strange", repr(value)]
        if not callable(value):
            return None
        self.functions.append(value)
        return ["function", len(self.functions) - 1, *_described(value)]

    def call(self, number: int, arguments: list[Any], trusted: bool) -> None:
        """Run a function of the hand-in, and tell what came of it. One that is trusted asks for nothing meanwhile."""
        self.trusted = trusted
        before = standins.ANSWERING
        standins.answering(True)
        try:
            returned = self.functions[number](*(decoded(each, self.known) for each in arguments))
            answer = ["returned", encoded(returned, self.own)]
        except TooMuch:
            answer = ["returned", TOO_LARGE]
        except BaseException as error:
            answer = ["raised", type(error).__name__, text_of(error), isinstance(error, FromGrader)]
        finally:
            standins.answering(before)
        try:
            self.say(*answer)
        except TooMuch:
            self.say("returned", TOO_LARGE)
        if not before:
            self.nodes.clear()

    def answer(self, name: str, found: dict[str, Any]) -> None:
        self.functions.clear()
        value = found.get(name.replace("-", "_"), standins.CHECKED.get(name))
        try:
            self.say("answer", encoded(value, self.own))
        except TooMuch:
            self.say("answer", TOO_LARGE)


class SessionOfThreads(Session):
    """One in which several threads of an answer may ask at once, and the grader answers in an order that it chooses."""

    def __init__(self, hears: BinaryIO, says: BinaryIO):
        super().__init__(hears, says)
        self.lock, self.tickets = Lock(), count()
        self.waiting: dict[int, SimpleQueue[Any]] = {}
        self.orders: SimpleQueue[list[Any]] = SimpleQueue()

    def begin(self) -> None:
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            match super().hear():
                case ["told", ticket, value]:
                    self.waiting.pop(ticket).put(value)
                case order:
                    self.orders.put(order)

    def hear(self) -> list[Any]:
        return self.orders.get()

    def say(self, *message: Any) -> None:
        with self.lock:
            super().say(*message)

    def ask(self, *question: Any) -> Any:
        ticket, answer = next(self.tickets), SimpleQueue[Any]()
        self.waiting[ticket] = answer
        self.say("asked", ticket, *question)
        return decoded(answer.get(), self.known)

    def rehearse(self, exercise: Any, found: dict[str, Any], seconds: float) -> None:
        """What the exercise says of the answer here, where its threads are. The grader makes sure of it."""
        answer = found.get(exercise.name.replace("-", "_"), standins.CHECKED.get(exercise.name))
        try:
            verdict = exercise.check(answer, seconds)
        except Exception as error:
            self.say(
                "verdict", "error", f"It could not be rehearsed: {type(error).__name__}: {text_of(error)}", None, None
            )
            return
        tree = encoded(verdict.tree, self.own)
        self.say("verdict", verdict.status, verdict.message[: MOST_LETTERS // 4], verdict.mistake, tree)


def _described(function: Any) -> tuple[str, list[list[Any]]]:
    """The name of a function, and of each parameter its name, its kind and whether it may be left out."""
    try:
        parameters = inspect.signature(function).parameters.values()
        return str(getattr(function, "__name__", "")), [
            [each.name, int(each.kind), each.default is not each.empty] for each in parameters
        ]
    except Exception:
        return "", [["arguments", int(inspect.Parameter.VAR_POSITIONAL), False]]


def main() -> None:
    """Begin: the first line from the grader says what to read, and under which limits."""
    seccomp.end_with_parent()
    hears, says = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for number in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    told = json.loads(hears.readline())
    exercises = standins.checker() if told["rehearses"] else {}
    session = SessionOfThreads(hears, says) if told["rehearses"] else Session(hears, says)
    folder = Path(told["folder"])
    os.chdir(folder)
    sys.path[:] = [path for path in sys.path if path != told["house"]]
    sys.path.insert(0, str(folder))
    standins.put_up()
    closed, data = ([Path(each) for each in told[which]] for which in ("closed", "data"))
    session.say("ready", walls.put_up(folder, closed, told["megabytes"], data))
    session.begin()
    cells, unread = sources.cells(folder / told["file"])
    known = {told_name for name in told["names"] for told_name in (name, name.replace("-", "_"))}
    named = sources.names(cells)
    defined = named & known
    session.say("seen", sorted(defined), sorted(name for name in named - known if len(name) < 60)[:MOST_NAMES])
    found, problem = sources.run(cells, told["file"], told["module"])
    problem = unread or problem
    for name in known - defined:
        if isinstance(found.get(name), standins.StandIn):  # it came along with `from abviz import *`
            del found[name]
    names = [name for name in told["names"] if name.replace("-", "_") in found or name in standins.CHECKED]
    session.say("read", names, problem)
    while True:
        match session.hear():
            case ["answer", name]:
                session.answer(name, found)
            case ["call", number, arguments, trusted]:
                session.call(number, arguments, trusted)
            case ["rehearse", name, seconds] if isinstance(session, SessionOfThreads):
                session.rehearse(exercises[name], found, seconds)
