"""Answers that are called here and run in the hand-in's process.

An answer comes as a value, or as a function that can be called like any other: `Exercise.check` sees no difference.
What the function reads of a node is asked for here, of the node that the exercise has handed out. So what was read is
known here, and not believed.

With `trusting` the values travel along with a tree, and what the answer says that it has read is believed: many times
as quick, for a first look, since calls that are likely to come next are sent ahead. Nobody is better off for lying
then: what seems right is looked at again.
"""

import inspect
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from abviz.errors import visible
from abviz.exercises.grading.ahead import Ahead, Unasked, orders
from abviz.exercises.grading.process import Process
from abviz.exercises.grading.wire import SHORT, Strange, decoded, encoded
from abviz.exercises.searches import Exercise
from abviz.tree.model import Node

MOST_SHAPES = 20_000
MOST_AFTER = 1_000  # questions of an answer that something was raised in
AS_THEY_ARE = {"NotImplementedError": NotImplementedError, "RecursionError": RecursionError}


class Answers:
    """The answers of a hand-in."""

    def __init__(self, process: Process):
        self.process = process
        self.trusting = False
        self._asked_for = ""
        self._lost = False  # a call was given up in the middle
        self._ahead = Ahead(process)
        self.forget()

    def __getitem__(self, name: str) -> Any:
        """The answer to that exercise. It has all its time from now on."""
        self._asked_for = name
        try:
            if self.process.gone or self._lost:
                raise Unasked
            self._ahead.let_go()
        except Unasked:
            self._start_again()
        self.process.wind_up()
        return self._answer()

    def trust(self, exercise: Exercise) -> None:
        """Believe what the answer to this exercise says that it has read."""
        self.trusting, self._ahead.orders = True, orders(exercise)

    def _start_again(self) -> None:
        self.process.end()
        self.process.start()
        self._lost = False
        self._ahead.sent.clear()
        self.forget()

    def _answer(self) -> Any:
        self.process.say("answer", self._asked_for)
        (value,) = self.process.expect("answer", 1)
        return self.made(value)

    def call(self, number: int, arguments: tuple[Any, ...]) -> Any:
        """Run a function of the hand-in, and serve what it asks for until it returns or raises."""
        outermost = not self._given
        try:
            if self._lost:
                raise Unasked
            self.begin(number, arguments, outermost)
        except Unasked:
            self._start_again()
            self._answer()
            self.begin(number, arguments, outermost)
        try:
            return self._serve()
        finally:
            if outermost:
                self.forget()

    def begin(self, number: int, arguments: tuple[Any, ...], outermost: bool = False) -> None:
        sent = [encoded(each, self._own) for each in arguments]
        self._lost = True
        root = getattr(arguments[0], "_node", None) if arguments else None
        if self.trusting and outermost and isinstance(root, Node) and not self._functions:
            self._ahead.call(number, root, sent[1:], SHAPES.text)
        else:
            self._ahead.let_go()
            self.process.say("call", number, sent, self.trusting)

    def _serve(self) -> Any:
        raised: Exception | None = None
        after = 0
        while True:
            kind, *rest, looks = self.process.hear()
            ended = _has_ended(kind, rest)
            after += raised is not None
            if after > MOST_AFTER:
                self.process.give_up("it went on asking after it was told to end")
            self._lost = not ended
            try:
                self.replay(looks)
                if kind == "returned":
                    return self.made(rest[0])
                answer = None if ended else self._asked(kind, rest)
            except Exception as error:  # of the exercise's own: the answer hears of it first
                if ended:
                    raise
                raised = error
                self.process.say("raise", type(error).__name__, str(error))
                continue
            if ended:
                raise _error(rest, raised)
            self.process.say("value", encoded(answer, self._own))

    def _asked(self, kind: str, rest: list[Any]) -> Any:
        match kind, rest:
            case "value", [number]:
                return self._node(number).value
            case "ask", [int(number), list(arguments)] if 0 <= number < len(self._functions):
                return self._functions[number](*map(self.made, arguments))
            case "looks", []:
                return None
        self.process.give_up("it asked for what there is not")

    # nodes and functions, which the two sides call by number

    def forget(self) -> None:
        """Nodes and functions are those of one outermost call."""
        self._given: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}
        self._below: list[list[int]] = []
        self._functions: list[Callable[..., Any]] = []

    def _own(self, value: Any) -> Any:
        node = getattr(value, "_node", value)
        if isinstance(node, Node):
            number = self._numbers.get(id(value))
            return ["node", number] if number is not None else self._hand_out(value, node)
        if not callable(value):
            return None
        self._functions.append(value)
        return ["function", len(self._functions) - 1]

    def _hand_out(self, value: Any, node: Node) -> Any:
        rows, below = SHAPES.of(node, self.trusting)
        first = len(self._below)
        self._below += [[first + child for child in children] for children in below] if first else below
        self._keep(first, value)
        return ["tree of nodes", first, rows]

    def _keep(self, number: int, node: Any) -> None:
        self._given[number] = node
        self._numbers[id(node)] = number

    def _node(self, number: Any) -> Any:
        if not isinstance(number, int) or number not in self._given:
            self.process.give_up("it asked for a node that it was not given")
        return self._given[number]

    def replay(self, looks: list[int]) -> None:
        """Look at the nodes as the answer has done, for whoever keeps a record of it."""
        given, numbers, below = self._given, self._numbers, self._below
        for look in looks:
            if isinstance(look, int) and look < 0:
                self._node(~look).value  # noqa: B018
            else:
                for number, child in zip(below[look], self._node(look).children, strict=True):
                    given[number] = child
                    numbers[id(child)] = number

    def made(self, value: Any) -> Any:
        """The value of what it has sent."""
        try:
            return decoded(value, self._known)
        except Exception:  # whatever it is that was sent
            return Strange("a value that cannot be read")

    def _known(self, kind: str, rest: list[Any]) -> Any:
        if kind == "node":
            return self._given[rest[0]]
        number, name, parameters = rest
        return _proxy(self, number, name, parameters)


def _has_ended(kind: str, rest: list[Any]) -> bool:
    match kind, rest:
        case ("returned", [_]) | ("raised", [str(), str(), bool()]):
            return True
    return False


def _error(rest: list[Any], raised: Exception | None) -> Exception:
    """What the answer has raised, under its own name; or what was raised here and has come back."""
    kind, text, ours = rest
    if ours and raised is not None and type(raised).__name__ == kind:
        return raised
    name = visible(kind[:60])
    made: Exception = AS_THEY_ARE.get(name, type(name, (Exception,), {}))(text[:SHORT])
    return made


def _proxy(answers: Answers, number: int, name: str, parameters: list[list[Any]]) -> Callable[..., Any]:
    def answer(*arguments: Any) -> Any:
        return answers.call(number, arguments)

    answer.__name__ = str(name)
    answer.__dict__["number"] = number
    with suppress(Exception):
        answer.__signature__ = inspect.Signature(list(map(_parameter, parameters)))  # type: ignore[attr-defined]
    return answer


def _parameter(told: list[Any]) -> inspect.Parameter:
    name, kind, may_be_left_out = told
    default = None if may_be_left_out else inspect.Parameter.empty
    return inspect.Parameter(name, inspect._ParameterKind(kind), default=default)


class _Shapes:
    """Trees as they are handed to an answer, kept since one is handed out several times, and to many answers."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, bool], tuple[Node, list[list[Any]], list[list[int]]]] = {}
        self.texts: dict[int, tuple[Node, bytes]] = {}

    def of(self, root: Node, with_values: bool) -> tuple[list[list[Any]], list[list[int]]]:
        """The rows (see `nodes.grown`), and of each the rows of its children."""
        key = id(root), with_values
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MOST_SHAPES:
                self.known.clear()
            found = self.known[key] = (root, *_shape(root, with_values))
        return found[1:]

    def text(self, root: Node) -> bytes:
        """What stands for the tree in a message where it is the first that is handed out, with its values."""
        found = self.texts.get(id(root))
        if found is None:
            if len(self.texts) >= MOST_SHAPES:
                self.texts.clear()
            told = ["tree of nodes", 0, self.of(root, True)[0]]
            found = self.texts[id(root)] = root, json.dumps(told).encode()
        return found[1]


SHAPES = _Shapes()


def _shape(root: Node, with_values: bool) -> tuple[list[list[Any]], list[list[int]]]:
    rows: list[list[Any]] = []
    below: list[list[int]] = []
    waiting = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            below[parent].append(len(rows))
        waiting += [(child, len(rows)) for child in reversed(node.children)]
        rows.append([parent, node.is_max, node.name, *([node.value] if with_values else [])])
        below.append([])
    return rows, below
