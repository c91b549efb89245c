"""A student's own function, run on a tree and turned into a Trace.

The function is not asked to do anything for it. The nodes that it is handed tell when their children or values are
asked for, and Python's own tracing tells when it is called, what its α, β and bv hold, and what it returns. First
all that is written down; then it is read as events.
"""

import ctypes
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf, isnan
from types import CodeType, FrameType
from typing import Any, NamedTuple

from abviz.algorithms import Event, Rules
from abviz.errors import AbvizError
from abviz.game import Number
from abviz.text import brief
from abviz.tracing import RECORDED, Trace
from abviz.tree import Node, Tree

Vars = tuple[
    Number | None, Number | None, Number | None
]  # α, β and the best value, as a function's variables hold them
NOTHING: Vars = (None, None, None)
MOST_CALLS = 100_000
MOST_SECONDS = 10.0
ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")
BETAS = ("beta", "β", "b", "high", "hi", "upper")
# In this order: many functions have both a `best` and a `value`, and then `value` is what a child has just returned.
BESTS = ("bv", "best", "best_value", "bestvalue", "best_val", "bestval", "best_score", "ut_val", "max_eval", "min_eval")
BESTS_TOO = ("v", "value", "val", "score", "result", "res", "m", "current")


class Watched:
    """A node as a student's function is handed it: `name`, `is_leaf`, `value`, `is_max`, `children`, and no more."""

    __slots__ = ("_log", "_node", "is_leaf", "is_max", "name")

    name: str
    is_leaf: bool
    is_max: bool
    _node: Node
    _log: "_Log"

    def __init__(self, node: Node, log: "_Log"):
        keep = object.__setattr__
        keep(self, "_node", node)
        keep(self, "_log", log)
        keep(self, "name", node.name)
        keep(self, "is_leaf", node.is_leaf)
        keep(self, "is_max", node.is_max)

    @property
    def value(self) -> Number | None:
        sys.settrace(None)  # our own calls need no watching, and are quicker without
        return self._log.note("read", self._node).value

    @property
    def children(self) -> tuple["Watched", ...]:
        sys.settrace(None)
        return self._log.note("open", self._node).below

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


class _Stopped(BaseException):
    """Not an Exception, so that a function's own `except` does not keep it running."""


class _Watchdog:
    """Raises _Stopped in this thread when the time is up, wherever it is then: in `while True: pass`, too."""

    def __init__(self, seconds: float):
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.over = False
        self.timer = threading.Timer(seconds, self._bite)
        self.timer.daemon = True

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.over = True
        self.timer.cancel()

    def _bite(self) -> None:
        with self.lock:
            if not self.over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(_Stopped))


def record(
    function: Callable[..., Any],
    tree: Tree,
    *,
    alpha: str | None = None,
    beta: str | None = None,
    best: str | None = None,
    calls: int = MOST_CALLS,
    seconds: float = MOST_SECONDS,
) -> Trace:
    """Run the function on the tree once and keep what it did.

    It is called as f(root), or as f(root, -inf, inf) if it takes three arguments. Its variables for α, β and the best
    value are found by their usual names, or told by keyword. Every view works on the trace; `trace.problem` says what
    went wrong, if anything: an exception, or `calls` or `seconds` used up.
    """
    log = _Log(tree, calls, seconds)
    bounded = _takes_bounds(function)
    names = _Names(alpha, beta, best, bounded)
    problem = log.run(function, (-inf, inf) if bounded else (), names)
    events = tuple(_Reader(log, names).events())
    name = getattr(function, "__name__", type(function).__name__)
    return Trace(tree, events, search=RECORDED, rules=Rules(), options={"name": name, "problem": problem})


def _takes_bounds(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise AbvizError(
            f"cannot record {brief(function)}; expected a function f(node) or f(node, alpha, beta)"
        ) from None
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = sum(p.default is p.empty for p in places)
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if not (places or several) or needed > 3:
        raise AbvizError(f"{brief(function)} takes {needed} arguments; expected f(node) or f(node, alpha, beta)")
    return len(places) >= 3


class _Names:
    """Which local variables of a function are its α, its β and its best value."""

    def __init__(self, alpha: str | None, beta: str | None, best: str | None, bounded: bool):
        self.told = (alpha, beta, best)
        self.bounded = bounded
        self.known: dict[CodeType, tuple[str | None, str | None, str | None]] = {}

    def of(self, code: CodeType, node_at: int) -> tuple[str | None, str | None, str | None]:
        if code not in self.known:
            parameters = code.co_varnames[: code.co_argcount]
            local = [*code.co_varnames, *code.co_cellvars]
            after = parameters[node_at + 1 : node_at + 3] if self.bounded else ()
            alpha = self.told[0] or _first(ALPHAS, local) or (after[0] if len(after) == 2 else None)
            beta = self.told[1] or _first(BETAS, local) or (after[1] if len(after) == 2 else None)
            if not self.bounded and not self.told[0]:
                alpha = beta = None
            best = self.told[2] or _first(BESTS, local) or _first(BESTS_TOO, local)
            self.known[code] = alpha, beta, best
        return self.known[code]


def _first(wanted: tuple[str, ...], there: list[str]) -> str | None:
    lowered = {name.lower(): name for name in reversed(there)}
    return next((lowered[name] for name in wanted if name in lowered), None)


# writing down what happens


class _Seen(NamedTuple):
    value: Number | None
    below: tuple[Watched, ...]


@dataclass(slots=True)
class _Entry:
    kind: str  # call, vars, return, read, open
    frame: int  # which frame (0: none)
    node: Node | None = None
    code: CodeType | None = None
    vars: Vars = NOTHING
    value: Any = None


class _Log:
    """What a run did, in the order in which it did it."""

    def __init__(self, tree: Tree, calls: int, seconds: float):
        self.tree, self.calls, self.seconds = tree, calls, seconds
        self.entries: list[_Entry] = []
        self.nodes: dict[int, Watched] = {}
        self.seen: dict[int, _Seen] = {}
        self.frames: list[tuple[FrameType, int, tuple[str | None, str | None, str | None]]] = []  # under way, numbered
        self.before: dict[int, Vars] = {}
        self.made = 0
        self.off = True

    def watched(self, node: Node) -> Watched:
        if node.index not in self.nodes:
            self.nodes[node.index] = Watched(node, self)
        return self.nodes[node.index]

    def note(self, kind: str, node: Node) -> "_Seen":
        """Write down that the node's value was read or its children asked for, and answer with both."""
        if node.index not in self.seen:
            self.seen[node.index] = _Seen(node.value, tuple(map(self.watched, node.children)))
        if not self.off:
            self._look()
            self.entries.append(_Entry(kind, 0, node))
            sys.settrace(self._on_call)
        return self.seen[node.index]

    def run(self, function: Callable[..., Any], bounds: tuple[Any, ...], names: _Names) -> str:
        """Call the function; the answer says what went wrong, if anything."""
        self.names = names
        before = sys.gettrace()
        watchdog = _Watchdog(self.seconds)
        self.off = False
        try:
            with watchdog:
                sys.settrace(self._on_call)
                function(self.watched(self.tree.root), *bounds)
            return ""
        except _Stopped as stop:
            return str(stop) or f"it was stopped after {self.seconds:g} seconds"
        except RecursionError:
            return "it called itself without end"
        except Exception as error:
            return f"it raised {type(error).__name__}: {error}"
        finally:
            sys.settrace(before)
            self.off = True
            self.frames.clear()

    def _on_call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename == __file__ or frame.f_globals.get("__name__", "").partition(".")[0] == "abviz":
            return None
        self.made += 1
        if self.made > self.calls:
            raise _Stopped(f"it was stopped after {self.calls:,} calls")
        node_at, node = self._node_of(frame)
        if node is None or code.co_name == "<lambda>":
            return None
        self._look()
        number = len(self.entries) + 1
        names = self.names.of(code, node_at)
        now = _values(frame, names)
        self.frames.append((frame, number, names))
        self.before[number] = now
        self.entries.append(_Entry("call", number, node, code, now))
        frame.f_trace_lines = False
        return self._on_return

    def _node_of(self, frame: FrameType) -> tuple[int, Node | None]:
        local = frame.f_locals
        for place, name in enumerate(frame.f_code.co_varnames[: frame.f_code.co_argcount]):
            if isinstance(local.get(name), Watched):
                return place, local[name]._node
        return 0, None

    def _on_return(self, frame: FrameType, event: str, value: Any) -> Any:
        if event == "return" and not self.off:
            self._look()
            _, number, _ = self.frames.pop()
            self.entries.append(_Entry("return", number, value=_number(value)))
        return self._on_return

    def _look(self) -> None:
        """What the variables of the innermost function hold; nothing that matters happens between two looks."""
        if self.frames:
            frame, number, names = self.frames[-1]
            now = _values(frame, names)
            if now != self.before[number]:
                self.before[number] = now
                self.entries.append(_Entry("vars", number, vars=now))


def _values(frame: FrameType, names: tuple[str | None, str | None, str | None]) -> Vars:
    local = frame.f_locals
    alpha, beta, best = names
    return (
        _number(local.get(alpha)) if alpha else None,
        _number(local.get(beta)) if beta else None,
        _number(local.get(best)) if best else None,
    )


def _number(value: Any) -> Number | None:
    """A value as a variable for α, β or the best may hold it; the first of a pair (value, move)."""
    if isinstance(value, tuple | list) and value:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        return None
    return value


# reading it as events


@dataclass(slots=True)
class _Call:
    """A search of one inner node that is under way."""

    node: Node
    frame: int | None  # None: there is no call of its own, the function keeps a stack itself
    vars: Vars
    entered: bool = False
    handed: tuple[Node, Number | None] | None = None  # what a child has returned, and bv has not yet answered
    searched: set[int] = field(default_factory=set)


class _Reader:
    """Turns the entries into events. Bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, log: _Log, names: _Names):
        self.tree, self.entries = log.tree, log.entries
        self.searches = _searches(log.entries)
        self.negamax = _is_negamax(log.entries)
        self.calls: list[_Call] = []
        self.frames: dict[int, Node] = {}  # every frame that has a node, and which
        self.leaf_calls: dict[int, Vars] = {}
        self.out: list[Event] = []

    def events(self) -> Iterator[Event]:
        for entry in self.entries:
            getattr(self, f"_{entry.kind}")(entry)
            yield from self.out
            self.out.clear()

    # one method for each kind of entry

    def _call(self, entry: _Entry) -> None:
        node = entry.node
        assert node is not None
        self.frames[entry.frame] = node
        if node.is_leaf:
            if not any(self.frames[frame] is node for frame in self.leaf_calls):  # a second function on the same leaf
                self.leaf_calls[entry.frame] = entry.vars
        elif entry.code in self.searches and not (self.calls and self.calls[-1].node is node):
            self._settle()
            self.calls.append(_Call(node, entry.frame, entry.vars))
        elif self.calls and self.calls[-1].node is node:  # a second function on the same node: now it has the variables
            self.calls[-1].vars = entry.vars

    def _vars(self, entry: _Entry) -> None:
        if entry.frame in self.leaf_calls or not self.calls or self.frames[entry.frame] is not self._owner():
            return
        call = self.calls[-1]
        if not call.entered:
            call.vars = entry.vars
            if entry.vars[2] is not None:
                self._enter(call)
            return
        # what one line changes at once is told one by one: first bv, then α, then β
        (alpha, beta, best), (alpha_now, beta_now, best_now) = call.vars, entry.vars
        if best_now != best:
            call.vars = alpha, beta, best_now
            self._bv(call)
        elif call.handed is not None:
            self._bv(call)
        if alpha_now != alpha:
            call.vars = alpha_now, beta, best_now
            self._bound("alpha", call)
        if beta_now != beta:
            call.vars = entry.vars
            self._bound("beta", call)

    def _read(self, entry: _Entry) -> None:
        node = entry.node
        assert node is not None
        if not node.is_leaf or any(self.frames[frame] is node for frame in self.leaf_calls) or not self.calls:
            if node.is_leaf and not self.calls and node is self.tree.root and not self.leaf_calls:
                self._leaf(node, None, node.value)
            return
        self._reach(node)
        call = self.calls[-1]
        if call.handed is None or call.handed[0] is not node:  # not the same value, looked at twice
            self._leaf(node, None, node.value)

    def _open(self, entry: _Entry) -> None:
        node = entry.node
        assert node is not None
        if self.calls and not node.is_leaf and node is not self.calls[-1].node and not self._is_called(node):
            self._reach(node)
            self._push_own(node)

    def _return(self, entry: _Entry) -> None:
        node = self.frames.pop(entry.frame)
        if entry.frame in self.leaf_calls:
            bounds = self.leaf_calls.pop(entry.frame)
            self._leaf(node, bounds, self._turned(node, entry.value))
            return
        if not any(call.frame == entry.frame for call in self.calls):
            return
        while self.calls[-1].frame != entry.frame:
            self._leave(None)
        self._leave(entry.value)

    # events

    def _owner(self) -> Node:
        """The node that the innermost function was called with."""
        return next(call.node for call in reversed(self.calls) if call.frame is not None)

    def _is_called(self, node: Node) -> bool:
        return any(each is node for each in self.frames.values())

    def _reach(self, node: Node) -> None:
        """Before a node that was not called is looked at: leave what does not lie above it, enter what does."""
        path = self.tree.path(node)[:-1]
        while self.calls[-1].frame is None and self.calls[-1].node not in path:
            self._leave(None)
        top = self.calls[-1].node
        if top in path:
            for above in path[path.index(top) + 1 :]:
                self._push_own(above)

    def _push_own(self, node: Node) -> None:
        self._settle()
        call = _Call(node, None, self.calls[-1].vars)
        self.calls.append(call)
        self._enter(call)

    def _event(self, kind: str, node: Node, at: _Call, value: Number | None = None) -> None:
        alpha, beta, best = at.vars
        if self.negamax and not at.node.is_max:
            alpha, beta, best = _minus(beta), _minus(alpha), _minus(best)
        self.out.append(Event(kind, node, alpha, beta, best, value))

    def _turned(self, node: Node, value: Number | None) -> Number | None:
        return _minus(value) if self.negamax and not node.is_max else value

    def _enter(self, call: _Call) -> None:
        call.entered = True
        self._event("enter", call.node, call)

    def _settle(self) -> None:
        """Before anything else happens at the innermost node: it is entered, and has answered what came up to it."""
        if not self.calls:
            return
        call = self.calls[-1]
        if not call.entered:
            self._enter(call)
        if call.handed is not None:
            self._bv(call)

    def _bv(self, call: _Call) -> None:
        value = call.handed[1] if call.handed else None
        call.handed = None
        self._event("bv", call.node, call, value)

    def _bound(self, kind: str, call: _Call) -> None:
        if self.negamax and not call.node.is_max:
            kind = {"alpha": "beta", "beta": "alpha"}[kind]
        self._event(kind, call.node, call)

    def _leaf(self, node: Node, bounds: Vars | None, value: Number | None) -> None:
        """A leaf was read, in a call of its own with its own bounds or by its parent."""
        self._settle()
        alpha, beta, _ = bounds or (self.calls[-1].vars if self.calls else NOTHING)
        whose = node if bounds or not self.calls else self.calls[-1].node
        if self.negamax and not whose.is_max:
            alpha, beta = _minus(beta), _minus(alpha)
        self.out.append(Event("leaf", node, alpha, beta, None, value))
        if self.calls:
            self.calls[-1].searched.add(node.index)
            self.calls[-1].handed = (node, value)

    def _leave(self, value: Number | None) -> None:
        self._settle()
        call = self.calls.pop()
        if call.frame is not None:  # a function that keeps a stack itself may come back
            for child in call.node.children:
                if child.index not in call.searched:
                    self._event("cut", child, call)
        value = self._turned(call.node, value)
        self._event("exit", call.node, call, value)
        if self.calls:
            self.calls[-1].searched.add(call.node.index)
            self.calls[-1].handed = (call.node, value)


def _searches(entries: list[_Entry]) -> set[CodeType]:
    """The functions that search: those that are called, directly or by way of others, within a call of their own.

    The outermost one belongs to them; a helper that is handed a node to look at does not.
    """
    path: list[tuple[int, CodeType]] = []
    found: set[CodeType] = set()
    for entry in entries:
        if entry.kind == "call" and entry.code is not None:
            codes = [code for _, code in path]
            if entry.code in codes:
                found.update(codes[codes.index(entry.code) :])
            path.append((entry.frame, entry.code))
            if len(path) == 1:
                found.add(entry.code)
        elif entry.kind == "return":
            while path and path.pop()[0] != entry.frame:
                pass
    return found


def _is_negamax(entries: list[_Entry]) -> bool:
    """Whether bounds and values are those of the player who moves: handed down turned round and swapped, and returned
    at MIN nodes with the sign changed. All signs of it are counted, since any may be missing in a small tree."""
    nodes: dict[int, Node] = {}
    path: list[int] = []
    now: dict[int, Vars] = {}
    turned = plain = 0
    for entry in entries:
        if entry.kind == "call" and entry.node is not None:
            alpha, beta, _ = entry.vars
            above = now[path[-1]] if path else NOTHING
            if None not in (alpha, beta, *above[:2]) and nodes[path[-1]] is not entry.node:
                there, round_ = above[:2], (_minus(above[1]), _minus(above[0]))
                turned += (alpha, beta) == round_ != there
                plain += (alpha, beta) == there != round_
            nodes[entry.frame], now[entry.frame] = entry.node, entry.vars
            path.append(entry.frame)
        elif entry.kind == "vars":
            if now[entry.frame][2] is None and not nodes[entry.frame].is_max:
                turned += entry.vars[2] == -inf
                plain += entry.vars[2] == inf
            now[entry.frame] = entry.vars
        elif entry.kind == "return":
            path.pop()
            node = nodes[entry.frame]
            if entry.value and not node.is_max and all(child.is_leaf for child in node.children):
                below = {child.value for child in node.children} or {node.value}
                turned += -entry.value in below and entry.value not in below
                plain += entry.value in below and -entry.value not in below
    return turned > plain


def _minus(value: Number | None) -> Number | None:
    return None if value is None else -value
