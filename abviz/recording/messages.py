"""A recorded run as plain data, which one process sends to another as JSON.

Grading records a student's function in the process of the hand-in. Nothing that comes from there is
trusted: `run_from` makes a trace only of what a recorder may have written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from abviz.errors import AbvizError, Number, in_one_line, plain, visible
from abviz.recording.functions import Window
from abviz.tracing.algorithms import Event, Rules
from abviz.tracing.traces import RECORDED, Options, Trace
from abviz.tree.model import Tree

MOST_EVENTS = 600  # of a run that is sent: a counterexample is small
MOST_LINES = 400  # of the source
LONGEST_LINE = 400  # characters
LONGEST_NAME = 100  # of a function
LONGEST_PROBLEM = 400

AT_A_LEAF = ("enter", "leaf")  # kinds of events that need no call around them
WITHIN_A_CALL = ("bv", "alpha", "beta", "cut", "exit")
FLAGS = ("takes_window", "only_by_name", "more", "negamax", "unsure_sign", "skips_nodes")


class RunMessage(TypedDict):
    """A recorded run. The node of an event is its place in the tree."""

    events: list[list[Any]]
    options: dict[str, Any]

    # The source of the functions that search; for each event the line that runs, the one that has
    # called its node, and the function that runs
    lines: list[str]
    running: list[int | None]
    calling: list[int | None]
    functions: list[str]


@dataclass(frozen=True)
class SentSource:
    """The source of a student's functions, as another process has sent it."""

    lines: list[str]
    running: list[int | None]
    calling: list[int | None]
    functions: list[str]

    def function(self, event: int) -> str:
        """Return the name of the function that runs at that event; "" for one without a name."""
        return self.functions[event]


def message_of(run: Trace) -> RunMessage | None:
    """Return a recorded run as plain data; None where it is too long."""
    if len(run.events) > MOST_EVENTS:
        return None

    source = run.options["source"]
    options: dict[str, Any] = {name: run.options.get(name, False) for name in FLAGS}
    options |= {
        "name": run.options["name"],
        "window": list(run.root_window),
        "problem": run.problem,
        "returned": run.options.get("returned"),
        "nothing": run.options.get("nothing", ""),
    }
    return RunMessage(
        events=[[each.kind, each.node.index, *each[2:]] for each in run.events],
        options=options,
        lines=source.lines,
        running=source.running,
        calling=source.calling,
        functions=[source.function(event) for event in range(len(run.events))],
    )


def run_from(message: object, tree: Tree) -> Trace:
    """Return the run of which this is the message; raise AbvizError where it can be none."""
    try:
        return _run_from(cast(RunMessage, message), tree)
    except AbvizError:
        raise
    except Exception:
        raise _not_a_run("something else") from None


def _run_from(message: RunMessage, tree: Tree) -> Trace:
    events = [_event(each, tree) for each in _sequence(message["events"], MOST_EVENTS)]
    _check_calls(events)

    options = _options(message["options"], tree)
    options["source"] = _source(message, len(events))

    run = Trace(tree, events, search=RECORDED, rules=Rules(), options=options)
    len(run)  # which folds the events
    return run


def _event(parts: Sequence[Any], tree: Tree) -> Event:
    kind, index, *numbers = parts
    is_known = kind in AT_A_LEAF or kind in WITHIN_A_CALL
    if not is_known or not _is_index(index, len(tree)) or len(numbers) != 4:
        raise _not_a_run("an event that none makes")
    return Event(str(kind), tree.nodes[index], *map(_number, numbers))


def _check_calls(events: Sequence[Event]) -> None:
    """Refuse events that belong to no call."""
    open_calls = 0
    for event in events:
        if event.kind in WITHIN_A_CALL and open_calls == 0:
            raise _not_a_run(f"{event.kind} outside of a call")

        if event.kind == "enter":
            open_calls += 1
        elif event.kind == "exit":
            open_calls -= 1


def _options(given: dict[str, Any], tree: Tree) -> Options:
    low, high = map(_number, given["window"])
    if low is None or high is None:
        raise _not_a_run("a window without bounds")
    window: Window = low, high

    flags = {name: True for name in FLAGS if given[name] is True}
    options: dict[str, Any] = {
        "takes_window": False,
        "only_by_name": False,
        "more": False,
        **flags,
        "name": _text(given["name"], LONGEST_NAME) or "function",
        "window": window,
        "problem": in_one_line(_text(given["problem"], LONGEST_PROBLEM)),
        "returned": _number(given["returned"]),
    }
    if given["nothing"] in tree:
        options["nothing"] = given["nothing"]
    return cast(Options, options)


def _source(message: RunMessage, events: int) -> SentSource:
    lines = [_text(each, LONGEST_LINE) for each in _sequence(message["lines"], MOST_LINES)]
    functions = [_text(each, LONGEST_NAME) for each in _sequence(message["functions"], events)]

    source = SentSource(
        lines=lines,
        running=_places(message["running"], len(lines), events),
        calling=_places(message["calling"], len(lines), events),
        functions=functions,
    )
    sizes = {len(source.running), len(source.calling), len(source.functions)}
    if sizes != {events}:
        raise _not_a_run("events without a place in the source")
    return source


def _places(given: object, lines: int, events: int) -> list[int | None]:
    """Return the indices of lines, or None, by event."""
    places = list(_sequence(given, events))
    if not all(each is None or _is_index(each, lines) for each in places):
        raise _not_a_run("a line that the source has not")
    return places


def _sequence(value: object, most: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise _not_a_run("too much")
    return value


def _is_index(value: object, size: int) -> bool:
    return type(value) is int and 0 <= value < size


def _number(value: object) -> Number | None:
    if value is not None and plain(value) is None:
        raise _not_a_run("what is no number")
    return plain(value)


def _text(value: object, most: int) -> str:
    if not isinstance(value, str):
        raise _not_a_run("what is no text")
    return visible(value[:most])


def _not_a_run(found: str) -> AbvizError:
    return AbvizError(f"a message with {found}; expected a recorded run")
