"""Run an answer: a `Job` goes in, an `Observation` of plain data comes out.

Grading runs this part in another process, so it imports only errors and tree, and holds no
reference answer but the alpha-beta that some exercises hand out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count, groupby, islice
from math import inf
from typing import Any, TypeAlias

from abviz.errors import INTERRUPTS, NOT_WRITTEN, Number, brief, failure, plain
from abviz.tree import model

MOST_LOOKS = 20_000  # at the value of a node, in one run
MOST_PARTS = 2_000  # of what an answer returns, however nested
MOST_LEVELS = 30  # to which it is nested
LONGEST_TEXT = 1_000  # characters of a string in it

NO_FUNCTION = "the answer is "  # begins the problem of an answer that is not a function
RETURNED = "it returns "  # begins the problem of a value that is not plain data
STOPPED = "it was stopped after "  # begins the problem of a run that did not end


# Plain data: numbers, strings, None, and lists and dictionaries of them. What an answer returns is
# made plain, and what a process reports is.
Plain: TypeAlias = Any

# What a function is called with.
Arguments: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Job:
    """One run of an answer: plain data, so that grading can send it to a worker."""

    tree: Any  # a Tree; None where the arguments begin with a position

    # What comes after the root: a window, a guess and delta, a depth, a number of workers
    arguments: Arguments = ()

    how: str = "search"  # or "aspiration", "deepening", "order", or a key of ELSEWHERE


LAYER1 = "layer1"  # threads that search the moves of a position of checkers

ELSEWHERE = {  # the modules that run the other answers
    **dict.fromkeys(("threads", LAYER1), "rehearsal"),
    **dict.fromkeys(
        ("children", "end", "evaluate", "obstacle", "game", "cells", "pieces"), "game_runs"
    ),
}


@dataclass(frozen=True)
class Observation:
    """The behavior of an answer in one run."""

    value: Plain  # what it returned

    # The names of the nodes whose value was read, inner nodes too, in order; or the calls of the
    # `search` that it was handed
    leaves: tuple[Plain, ...] = ()

    problem: str = ""  # an exception in one line, or why it was stopped
    details: Plain = None  # of a runner


def observe(answer: object, job: Job) -> Observation:
    """Run the answer once, and note whose values it reads.

    Exceptions become the observation's problem; only interrupts and time limits pass.

    In place of leaves there is an entry for each call of the `search` that an answer is handed: for
    aspiration [α, β, value], for deepening [limit, line searched first].
    """
    try:
        return _observe(answer, job)
    except INTERRUPTS:
        raise
    except BaseException as error:  # an answer that fails as soon as it is looked at
        return Observation(None, problem=failure(error))


def _observe(answer: object, job: Job) -> Observation:
    if home := ELSEWHERE.get(job.how):
        return import_module(f"abviz.exercises.{home}").run(answer, job)  # type: ignore[no-any-return]

    function = as_function(answer)
    if function is None:
        return not_a_function(answer)

    log: list[str] = []
    root = Node(job.tree.root, log)
    if job.how in HANDED:
        calls: list[Any] = []
        search = partial(HANDED[job.how], calls=calls)
        value, problem = outcome(function, root, search, *job.arguments)
        return Observation(value, tuple(calls), problem)

    if job.how == "order":
        function = partial(_orders, function)
    value, problem = outcome(function, root, *job.arguments)
    leaves = tuple(name for name, _ in groupby(log))
    return Observation(value, leaves, problem)


def as_function(answer: object) -> Callable[..., object] | None:
    """Return the search that the answer is: a function, or a pair (max_value, min_value)."""
    if isinstance(answer, tuple | list) and len(answer) == 2 and all(map(callable, answer)):
        return lambda node, *bounds: answer[0 if node.is_max else 1](node, *bounds)
    return answer if callable(answer) else None


def not_a_function(answer: object) -> Observation:
    """Return what is observed of an answer that is no function, or is still to be filled in."""
    is_open = answer is None or answer is ...
    return Observation(None, problem=NOT_WRITTEN if is_open else f"{NO_FUNCTION}{brief(answer)}")


class TooLong(Exception):
    pass


class Node:
    """A node as an answer sees it.

    It has `name`, `is_leaf`, `value`, `is_max`, `children`, and nothing else. The log has the names
    of the nodes whose value was read.
    """

    __slots__ = ("_log", "_node", "children", "is_leaf", "is_max", "name")

    def __init__(self, node: model.Node, log: list[str]) -> None:
        self._node = node
        self._log = log

        self.name = node.name
        self.is_leaf = not node.children
        self.is_max = node.is_max

    def __getattr__(self, name: str) -> Any:
        if name != "children":
            raise AttributeError(f"'Node' object has no attribute {name!r}")

        # Made when they are first asked for: most nodes of a tree are cut off
        self.children = tuple([Node(child, self._log) for child in self._node.children])
        return self.children

    @property
    def value(self) -> Number | None:
        self._log.append(self.name)
        if len(self._log) > MOST_LOOKS:
            raise TooLong(f"it looked at the value of a node more than {MOST_LOOKS:,} times")
        return self._node.value

    __repr__ = model.Node.__repr__


def _orders(order: Callable[[Node], Any], root: Node) -> Plain:
    """Return the order of the children of each inner node: {name: [names]}."""
    nodes = [root]
    names = {}
    for node in nodes:
        children = order(node)
        if children is None:
            return None

        children = list(islice(children, MOST_PARTS))
        names[node.name] = [child.name for child in children]
        nodes += [child for child in node.children if not child.is_leaf]
    return names


def _search_window(node: Node, alpha: Number, beta: Number, *, calls: list[Plain]) -> Number:
    """Search fail-soft, and write down the window and the value."""
    low = _number(alpha, "alpha")
    high = _number(beta, "beta")
    value = fail_soft(node, low, high)
    calls.append([low, high, value])
    return value


def _search_to_depth(
    node: Node, depth: Number, line: Sequence[str] = (), *, calls: list[Plain]
) -> tuple[Number, list[str]]:
    """Search to the depth, and write down the limit and the line that is searched first."""
    limit = _number(depth, "limit")
    first = [str(name) for name in line]
    calls.append(made_plain([limit, first]))
    return to_depth(node, limit, first)


def _number(argument: object, name: str) -> Number:
    """Return an argument of `search` as an int or a float."""
    if (number := plain(argument)) is None:
        raise TypeError(f"search was called with {name} = {brief(argument)}; expected a number")
    return number


_search_window.__qualname__ = _search_to_depth.__qualname__ = "search"  # as errors name them
HANDED: dict[str, Callable[..., object]] = {
    "aspiration": _search_window,
    "deepening": _search_to_depth,
}


def fail_soft(node: Node | model.Node, alpha: Number, beta: Number) -> Number:
    """Return the value of a node by alpha-beta; outside the window it is a bound."""
    return to_depth(node, inf, (), alpha, beta)[0]


def to_depth(
    node: Any,  # one that an answer sees, or one of a tree
    depth: Number,
    line: Sequence[str] = (),
    alpha: Number = -inf,
    beta: Number = inf,
) -> tuple[Number, list[str]]:
    """Return the value of a node by alpha-beta to a depth, and its line.

    Nodes on the given line are searched first.
    """
    if node.is_leaf or depth == 0:
        return node.value or 0, []

    best: tuple[Number, list[str]] | None = None
    for child in sorted(node.children, key=lambda child: child.name not in line):
        value, below = to_depth(child, depth - 1, line, alpha, beta)
        if best is None or (value > best[0] if node.is_max else value < best[0]):
            best = value, [child.name, *below]

        if node.is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break

    assert best is not None  # an inner node has children
    return best


def outcome(function: Callable[..., object], *arguments: object) -> tuple[Plain, str]:
    """Return what the function returns, made plain, and its problem."""
    try:
        returned = function(*arguments)
    except INTERRUPTS:
        raise
    except TooLong as error:
        return None, str(error)
    except BaseException as error:
        return None, failure(error)

    try:
        return made_plain(returned), ""
    except INTERRUPTS:
        raise
    except BaseException:
        # A number too large for a float, an object whose own methods fail, a list in itself, ...
        return None, f"{RETURNED}{brief(returned)}"


def made_plain(value: object) -> Plain:
    """Return the value as numbers, strings, lists, dicts and None.

    Raises ValueError where it is something else or has too many parts, and whatever its own methods
    raise.
    """
    parts = count(1)

    def copied(value: object, level: int) -> Plain:
        if next(parts) > MOST_PARTS or level > MOST_LEVELS:
            raise ValueError

        if value is None:
            return None
        if isinstance(value, str):
            if len(text := str.__str__(value)) > LONGEST_TEXT:
                raise ValueError
            return text

        if isinstance(value, Mapping):
            return {copied(key, level + 1): copied(each, level + 1) for key, each in value.items()}
        if isinstance(value, tuple | list):
            return [copied(each, level + 1) for each in value]

        if (number := plain(value)) is None:
            raise ValueError
        return number

    if type(value) is int:  # nearly all values
        return plain(value)
    return copied(value, 0)
