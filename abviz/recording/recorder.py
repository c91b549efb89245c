"""A student's own function, run on a tree and turned into a Trace: what it did, and what its variables held.

A profile function, which Python calls at every call and return, reads the variables of the frames and keeps a log;
unlike a trace function it takes nothing from coverage. The events are made from the log when they are first asked for.
"""

import dis
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from math import inf
from pathlib import Path
from textwrap import dedent
from threading import get_ident
from types import CodeType, FrameType
from typing import Any

from abviz.errors import AbvizError, Number, brief, one_line, plain, quoted
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.algorithms import Event, Rules, check_window
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Node, Tree

ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")  # the usual names, without underscores
BETAS = ("beta", "β", "b", "high", "hi", "upper")
BESTS = ("bv", "bestvalue", "bestval", "bestscore", "best", "maxeval", "mineval", "utval")
WEAK_BESTS = ("v", "value", "val", "score", "result", "res")  # where the function returns them, else a child's value
FULL = -inf, inf
CALLS_A_NODE, FEWEST_CALLS, MOST_CALLS = 50, 5_000, 100_000  # a search that deepens needs some 20
NOT_WRITTEN = "it is not written yet"
EXPECTED = "expected a function f(node) or f(node, alpha, beta)"
NOT_FOLLOWED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # they return at each `yield`
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
HERE = str(Path(__file__).parent)

Window = tuple[Number, Number]
Names = tuple[str | None, str | None, str | None]  # of the variables for α, β and the best value
Held = tuple[Number | None, Number | None, Number | None]  # what these variables held
NOTHING: Held = (None, None, None)


def record(
    function: Callable[..., Any],
    tree: Tree,
    *,
    alpha: str | None = None,
    beta: str | None = None,
    best: str | None = None,
    window: Window = FULL,
    negamax: bool | None = None,
    seconds: float = 5.0,
) -> Trace:
    """Run the function on the tree once and return what it did.

    It is called as f(root), or as f(root, α, β) where it has parameters for a window. Its variables for α, β and the
    best value have one of the usual names, or the names given here; where there is none, a dash is shown. The values of
    a negamax are turned to MAX's side: it is guessed from their signs at MIN nodes, or given. `trace.problem` says what
    went wrong: an exception, or a run that was stopped. It has `seconds`, and 50 calls for each node of the tree (at
    least 5,000 and at most 100,000).
    """
    if not isinstance(tree, Tree):
        raise AbvizError(f"asked to record on {brief(tree)}; expected a Tree: load(name), or Tree(nested lists)")
    if any(map(tree.folded, tree.nodes)):
        raise AbvizError("asked to record on a tree with folded parts; expected one with every node: fold=False")
    if not isinstance(seconds, int | float) or not seconds > 0:
        raise AbvizError(f"seconds is {brief(seconds)}; expected a number above 0")
    name = str(getattr(function, "__name__", type(function).__name__))
    arguments, named = _arguments(function, name, window, alpha, beta)
    log = _Log(tree, (alpha, beta, best))
    options = {"name": name, "window": window, "takes_window": bool(arguments or named)}
    options |= _run(log, lambda root: function(root, *arguments, **named), seconds)
    for variable in filter(None, (alpha, beta, best)):
        if not options["problem"] and not any(variable in each.variables for each in log.functions.values()):
            raise AbvizError(f"{name} has no variable {brief(variable)}; expected the name of one")
    return _Recording(log, negamax, options)


class _Recording(Trace):
    """A trace that makes its events when they are first asked for."""

    def __init__(self, log: "_Log", negamax: bool | None, options: dict[str, Any]):
        super().__init__(log.tree, (), search=RECORDED, rules=Rules())
        del self.events, self.options
        self._log, self._negamax, self._options = log, negamax, options

    @cached_property
    def _replay(self) -> "_Replay":
        return _Replay(self._log, self._negamax)

    @cached_property
    def events(self) -> tuple[Event, ...]:  # type: ignore[override]
        return tuple(self._replay.events)

    @cached_property
    def options(self) -> dict[str, Any]:  # type: ignore[override]
        replay, options = self._replay, self._options
        if replay.negamax and not self.tree.root.is_max:
            low, high = options["window"]
            options = options | {"window": (-high, -low), "returned": _minus(options["returned"])}
        more = {"source": replay.source, "nothing": replay.nothing, "skips_nodes": not replay.follows_moves}
        return options | {name: value for name, value in more.items() if value}


# how the function is called


def _arguments(
    function: Any, name: str, window: Any, alpha: str | None, beta: str | None
) -> tuple[tuple[Number, ...], dict[str, Number]]:
    """Return the arguments after the root: the bounds by place, by name, or none."""
    try:
        low, high = check_window(*window)
    except TypeError:
        raise AbvizError(f"window is {brief(window)}; expected a pair of numbers (α, β), α < β") from None
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise AbvizError(f"cannot record {brief(function)}; {EXPECTED}") from None
    parameters = signature.parameters.values()
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    names = [each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)][1:]
    of_alpha = alpha if alpha in names else _first_of(ALPHAS, names)
    of_beta = beta if beta in names else _first_of(BETAS, names)
    arguments: tuple[Number, ...] = ()
    named: dict[str, Number] = {}
    if of_alpha and of_beta and {of_alpha, of_beta} != {each.name for each in places[1:3]}:
        named = {of_alpha: low, of_beta: high}
    elif (of_alpha and of_beta) or sum(each.default is each.empty for each in places) == 3 or not places:
        arguments = low, high  # also f(node, beta, alpha), which exercises call by place, and f(*args)
    if not arguments and not named and window != FULL:
        raise AbvizError(f"{quoted(name)} takes no window; expected a function f(node, alpha, beta)")
    try:
        signature.bind(None, *arguments, **named)
    except TypeError as error:
        raise AbvizError(f"{quoted(name)} cannot be called: {error}; {EXPECTED}") from None
    return arguments, named


def _run(log: "_Log", function: Callable[[Any], Any], seconds: float) -> dict[str, Any]:
    """Run the function; return what it returned, whether there was more than a number, and what went wrong."""
    problem, value = "", None
    try:
        value = run_with_timeout(lambda: log.run(function), seconds)
        if value is None and sum(kind in ("call", "read") for kind, *_ in log.entries) < 2:
            problem = NOT_WRITTEN
    except TimeLimit:
        log.stopped = log.stopped or f"it was stopped after {seconds:g} seconds"
    except NotImplementedError:
        problem = NOT_WRITTEN
    except RecursionError:
        problem = "it called itself without end"
    except (Exception, SystemExit) as error:
        problem = f"it raised {one_line(error)}"
    if log.stopped:
        problem, value = log.stopped, None
    return {"problem": problem, "returned": as_number(value), "more": isinstance(value, (tuple, list))}


# while it runs


class HandedNode:
    """A node as a student's function gets it."""

    __slots__ = ("_log", "_node", "children", "is_leaf", "is_max", "name")

    def __init__(self, node: Node, children: tuple["HandedNode", ...], log: "_Log"):
        self.name, self.is_leaf, self.is_max, self.children = node.name, not children, node.is_max, children
        self._node, self._log = node, log

    @property
    def value(self) -> Number | None:
        if self.is_leaf and self._log.running:
            self._log.entries += (("read", self._node, get_ident()),)  # `append` would cost two calls of the profiler
        return self._node.value

    def __repr__(self) -> str:
        return repr(self._node)


HandedNode.__name__ = HandedNode.__qualname__ = "Node"  # as errors in a student's function name it


@dataclass(slots=True)
class _Function:
    """A function of the student's, and which of its variables are the node, α, β and the best value."""

    code: CodeType
    parameters: tuple[str, ...]  # none where its calls are not followed
    node: str = ""  # "": it has not been called with one
    alpha: str | None = None
    beta: str | None = None
    bests: tuple[str, ...] = ()  # at times one for MAX nodes and one for MIN nodes

    @property
    def variables(self) -> tuple[str, ...]:
        return self.code.co_varnames + self.code.co_cellvars + self.code.co_freevars

    def find_node(self, values: dict[str, Any], given: Names) -> HandedNode | None:
        """Return the node with which it is called. At the first one, find the variables."""
        for name in self.parameters:
            handed = values.get(name)
            if type(handed) is HandedNode:
                local = [*self.code.co_varnames, *self.code.co_cellvars]
                low, high = _first_of(ALPHAS, local), _first_of(BETAS, local)
                self.node, (self.alpha, self.beta, best) = name, given
                if low and high:
                    self.alpha, self.beta = self.alpha or low, self.beta or high
                usual = _all_of(BESTS, local) or _all_of(WEAK_BESTS, _returned(self.code))
                self.bests = (best,) if best else tuple(usual)
                return handed
        return None


def _first_of(names: tuple[str, ...], present: list[str]) -> str | None:
    return next(iter(_all_of(names, present)), None)


def _all_of(names: tuple[str, ...], present: list[str]) -> list[str]:
    lowered = {name.lower().replace("_", ""): name for name in reversed(present)}
    return [lowered[name] for name in names if name in lowered]


def _returned(code: CodeType) -> list[str]:
    """Return the variables that the function returns as they are."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return [str(step.argval) for step in loads if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))]


class _Log:
    """What happens in one run.

    The entries, in their order:
      call    node, function, α, β              a function is called with a node
      look    f_lasti, α, β, best               what the variables of the innermost of these calls hold
      read    leaf, thread                      its value is read
      return  value, f_lasti, is it a return    the innermost call returns, or an exception leaves it
    """

    def __init__(self, tree: Tree, given: Names):
        self.tree, self.given = tree, given
        self.entries: list[tuple[Any, ...]] = []
        self.functions: dict[int, _Function] = {}  # by id of their code, whose hash is slow
        self.running, self.thread = False, 0
        self.stopped = ""  # why

    def run(self, function: Callable[[Any], Any]) -> Any:
        """Call the function with the root; what it returns or raises."""
        handed: dict[int, HandedNode] = {}
        for node in reversed(self.tree.nodes):
            children = tuple([handed[child.index] for child in node.children])
            handed[node.index] = HandedNode(node, children, self)
        self.running, self.thread = True, get_ident()
        sys.setprofile(self._profiler())
        try:
            return function(handed[0])
        finally:
            sys.setprofile(None)
            self.running = False

    def _profiler(self) -> Callable[[FrameType, str, Any], None]:
        functions, write = self.functions, self.entries.append
        most = min(max(FEWEST_CALLS, CALLS_A_NODE * len(self.tree.nodes)), MOST_CALLS)
        stack: list[tuple[FrameType, _Function, bool]] = []  # the calls with a node, and whether it has children
        reads_value = HandedNode.value.fget.__code__  # type: ignore[attr-defined]
        calls = 0

        def look() -> None:
            frame, function, _ = stack[-1]
            get = frame.f_locals.get
            best = None
            for name in function.bests:
                best = get(name)
                if best is not None:
                    break
            if type(best) is list:  # it may hold other things later
                best = tuple(best)
            write(("look", frame.f_lasti, get(function.alpha), get(function.beta), best))  # type: ignore[arg-type]

        def profile(frame: FrameType, event: str, arg: Any) -> None:
            nonlocal calls
            if event == "call":
                calls += 1
                if calls > most:
                    self.stopped, self.running = f"it was stopped after {most:,} calls", False
                    raise TimeLimit
                code = frame.f_code
                function = functions.get(id(code)) or self._meet(code)
                if not function.parameters:
                    if code is reads_value and stack and stack[-1][2]:
                        look()
                    return
                values = frame.f_locals
                handed = values.get(function.node)
                if type(handed) is not HandedNode:
                    handed = function.find_node(values, self.given)
                if handed is None or handed._log is not self:
                    return
                if stack and stack[-1][2]:
                    look()
                get: Any = values.get
                write(("call", handed._node, function, get(function.alpha), get(function.beta)))
                stack.append((frame, function, not handed.is_leaf))
            elif event == "return" and stack and stack[-1][0] is frame:
                if stack[-1][2]:  # nothing that matters changes at a leaf
                    look()
                stack.pop()
                lasti = frame.f_lasti
                write(("return", arg, lasti, arg is not None or frame.f_code.co_code[lasti] in RETURNS))

        return profile

    def _meet(self, code: CodeType) -> _Function:
        is_followed = not code.co_flags & NOT_FOLLOWED and not code.co_filename.startswith(HERE)
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        function = _Function(code, parameters if is_followed and code.co_name != "__init__" else ())
        self.functions[id(code)] = function
        return function


# the log, read as the events of a search


@dataclass(slots=True)
class _Call:
    """A call with a node. The node is entered when the function first calls or reads a child."""

    node: Node
    function: _Function
    shown: Held  # as the latest event shows the variables
    latest: Held  # as they were when last looked at
    first: int  # the number of events before it
    lasti: int = 0
    entered: bool = False
    child: tuple[Node, Number | None, int] | None = None  # one that has returned, its value, the calling place
    searched: set[int] = field(default_factory=set)


# How far a function was (f_lasti); the line meant is the next that stores one of the variables, or the last that did.
Place = tuple[CodeType, int, tuple[str | None, ...], bool]


class _Replay:
    """The events of a run, and what else is known of it. Bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, log: _Log, negamax: bool | None):
        self.tree, entries = log.tree, log.entries
        while entries and (entries[-1][0] == "look" or (entries[-1][0] == "return" and not entries[-1][3])):
            entries.pop()  # left by an exception that ended the run
        self.events: list[Event] = []
        self.places: list[Place | None] = []
        self.nothing: str | None = None  # the first node for which None was returned
        self.calls: list[_Call] = []
        self.searching: set[CodeType] = {entries[0][2].code} if entries and entries[0][0] == "call" else set()
        self.follows_moves = True
        self._survey(entries, log.thread)
        self.negamax = self._is_negamax() if negamax is None else negamax
        if self.follows_moves:
            for kind, *entry in entries:
                getattr(self, f"_{kind}")(*entry)
            self._end()
        else:
            self._show_leaves(entries)
        codes = [each.code for each in log.functions.values() if each.code in self.searching]
        self.source = Source(codes, self.places)

    def _survey(self, entries: list[tuple[Any, ...]], thread: int) -> None:
        """Find the functions that search: those that call or read a child of their node. See whether every node is
        called or read from a call of its parent: not so with a stack of one's own, nodes in attributes, or threads."""
        stack: list[tuple[Node, CodeType]] = []
        self.of_min: list[tuple[Node, CodeType, Any]] = []  # what was returned for MIN nodes
        for kind, what, second, *_ in entries:
            if kind == "return":
                node, code = stack.pop()
                if not node.is_max:
                    self.of_min.append((node, code, what))
            elif kind != "look":
                if stack and self.tree.parent(what) is stack[-1][0]:
                    self.searching.add(stack[-1][1])
                elif not any(what is node for node, _ in stack) and (stack or what is not self.tree.root):
                    self.follows_moves = False
                if kind == "call":
                    stack.append((what, second.code))
                elif second != thread:
                    self.follows_moves = False

    def _is_negamax(self) -> bool:
        """Guess from what is returned for MIN nodes: the value of a leaf below, or its opposite."""
        votes = 0
        for node, code, result in self.of_min:
            value = as_number(result)
            if value and code in self.searching:
                leaves = {each.value for each in self.tree.below(node) if each.is_leaf}
                votes += (-value in leaves) - (value in leaves)
        return votes > 0

    def _show_leaves(self, entries: list[tuple[Any, ...]]) -> None:
        """Show only the leaves: without a call for every node, nobody knows whose the variables are."""
        self._emit("enter", self.tree.root, None)
        for kind, what, *_ in entries:
            if kind == "read" and self.events[-1].node is not what:
                self._emit("leaf", what, None, what.value)
        under_way = sum({"call": 1, "return": -1}.get(kind, 0) for kind, *_ in entries)
        if not under_way and entries[-1][0] == "return":
            self._emit("exit", self.tree.root, None, self._turned(self.tree.root, entries[-1][1]))

    # one method for each kind of entry

    def _call(self, node: Node, function: _Function, alpha: Any, beta: Any) -> None:
        top = self.calls[-1] if self.calls else None
        searches = function.code in self.searching
        if searches:
            self._parent(node)
        first = top.first if top and top.node is node and not searches else len(self.events)
        held = as_number(alpha), as_number(beta), None
        self.calls.append(_Call(node, function, held, held, first))

    def _look(self, lasti: int, alpha: Any, beta: Any, best: Any) -> None:
        self.calls[-1].lasti = lasti
        self.calls[-1].latest = as_number(alpha), as_number(beta), as_number(best)

    def _read(self, leaf: Node, thread: int) -> None:
        top = self.calls[-1]
        if self._ends_in(top, leaf) or (top.child and top.child[0] is leaf):
            return  # looked at again
        parent = self._parent(leaf)
        own = [call for call in self.calls if call.node is leaf and call.function.code in self.searching]
        self._emit("leaf", leaf, own[-1] if own else parent, leaf.value, self._place(top))
        if top is parent:
            self._receive(top, leaf, leaf.value)

    def _return(self, result: Any, lasti: int, is_return: bool) -> None:
        call = self.calls.pop()
        node, searches = call.node, call.function.code in self.searching
        value = self._turned(node, result)
        call.lasti = lasti
        if is_return and result is None and searches and self.nothing is None:
            self.nothing = node.name
        if self._ends_in(call, node) and not call.entered:
            last = self.events[-1].value
            if value is not None and not (self.negamax and value == _minus(last)):
                self.events[-1] = self.events[-1]._replace(value=value)
            elif is_return and result is None and searches:
                self.events[-1] = self.events[-1]._replace(value=None)
            if searches:
                self.places[-1] = self._place(call)
        elif call.entered or (searches and node.children):
            self._leave(call, value)
        elif searches:
            self._emit("leaf", node, call, value, self._place(call))
        if self.calls and self.calls[-1].node is not node and self._ends_in(call, node):
            self._receive(self.calls[-1], node, self.events[-1].value)

    def _end(self) -> None:
        """Show how far it came, where an exception or a limit has ended the run."""
        call = next((call for call in reversed(self.calls) if call.function.code in self.searching), None)
        if call and not call.entered and not self._ends_in(call, call.node):
            if call.node.children:
                self._settle(call)
            else:
                self._emit("leaf", call.node, call, None, self._place(call))

    # what they share

    def _parent(self, node: Node) -> _Call | None:
        """Return the call of the node's parent. It is entered now, and has answered what another child returned."""
        parent = next((call for call in reversed(self.calls) if call.node is not node), None)
        if parent:
            self._settle(parent)
        return parent

    def _ends_in(self, call: _Call, node: Node) -> bool:
        """Return whether the latest event is the end of the node's search, within this call."""
        return len(self.events) > call.first and self.events[-1][:2] in (("leaf", node), ("exit", node))

    def _receive(self, parent: _Call, child: Node, value: Number | None) -> None:
        parent.child = child, value, parent.lasti
        parent.searched.add(child.index)

    def _settle(self, call: _Call) -> None:
        """Before anything else happens at a node: it is entered, or has answered what a child returned."""
        function = call.function
        if not call.entered:
            call.entered = True
            call.shown = *call.shown[:2], call.latest[2]
            self._emit("enter", call.node, call, None, self._place(call, function.bests, before=True))
        alpha, beta, best = call.latest
        child, value, lasti = call.child or (None, None, call.lasti)
        call.lasti, at = lasti, call.lasti
        if child or best != call.shown[2]:
            call.shown = *call.shown[:2], best
            self._emit("bv", call.node, call, value, self._place(call, function.bests))
        if alpha != call.shown[0]:
            call.shown = alpha, *call.shown[1:]
            self._emit("alpha", call.node, call, None, self._place(call, (function.alpha,)))
        if beta != call.shown[1]:
            call.shown = call.latest
            self._emit("beta", call.node, call, None, self._place(call, (function.beta,)))
        call.lasti, call.child = at, None

    def _leave(self, call: _Call, value: Number | None) -> None:
        self._settle(call)
        if call.searched or value is not None:  # a function that is not written yet cuts nothing
            for child in call.node.children:
                if child.index not in call.searched:
                    self._emit("cut", child, call, None, self._place(call))
        self._emit("exit", call.node, call, value, self._place(call))

    def _turned(self, node: Node, result: Any) -> Number | None:
        value = as_number(result)
        return _minus(value) if self.negamax and not node.is_max else value

    def _place(self, call: _Call, names: tuple[str | None, ...] = (), before: bool = False) -> Place:
        return call.function.code, call.lasti, names, before

    def _emit(
        self, kind: str, node: Node, call: _Call | None, value: Number | None = None, place: Place | None = None
    ) -> None:
        alpha, beta, best = call.shown if call else NOTHING
        if call and self.negamax and not call.node.is_max:
            alpha, beta, best = _minus(beta), _minus(alpha), _minus(best)
            kind = {"alpha": "beta", "beta": "alpha"}.get(kind, kind)
        self.events.append(Event(kind, node, alpha, beta, None if kind == "leaf" else best, value))
        self.places.append(place)


def as_number(value: Any) -> Number | None:
    """Return the number that a variable holds or a function returns, also of a pair (value, move) or (move, value)."""
    if isinstance(value, tuple | list):
        numbers = [each for each in map(as_number, value) if each is not None] if len(value) > 1 else []
        return numbers[0] if len(numbers) == 1 else None
    try:
        return plain(value)
    except Exception:  # too large, or a number of the student's own that fails
        return None


def _minus(value: Number | None) -> Number | None:
    return None if value is None else -value


class Source:
    """The lines of the functions that search, in the order of the file, and which of them runs at each event."""

    def __init__(self, codes: Iterable[CodeType], places: list[Place | None]):
        self.places = places
        self.lines: list[str] = []  # none where Python has not kept the text
        self.offsets: dict[CodeType, int] = {}  # the number of a line in the file, less its index here
        file, end, offset = "", 0, 0
        for code in sorted(codes, key=lambda each: (each.co_filename, each.co_firstlineno)):
            filename, first = code.co_filename, code.co_firstlineno
            if filename != file or first >= end:  # else it lies within the function before
                text = _text(code)
                if not text:
                    continue
                self.lines += ["", *text] if self.lines else text
                file, end = filename, first + len(text)
                offset = end - len(self.lines)
            self.offsets[code] = offset

    @cached_property
    def running(self) -> list[int | None]:
        """The index of a line for each event."""
        return [_line(*place) - self.offsets[place[0]] if place and place[0] in self.offsets else None
                for place in self.places]  # fmt: skip


@lru_cache(maxsize=4096)
def _line(code: CodeType, lasti: int, names: tuple[str | None, ...], before: bool) -> int:
    steps = list(dis.get_instructions(code))
    stores = [step for step in steps if step.opname.startswith("STORE_") and _is_among(step.argval, names)]
    if before:
        steps = [step for step in stores if step.offset < lasti][-1:]
    else:
        steps = [step for step in stores if step.offset > lasti] or [step for step in steps if step.offset >= lasti]
    return (steps[0].positions.lineno if steps and steps[0].positions else None) or code.co_firstlineno


def _is_among(stored: Any, names: tuple[str | None, ...]) -> bool:
    return any(name in names for name in (stored if isinstance(stored, tuple) else (stored,)))


def _text(code: CodeType) -> list[str]:
    """Return the lines of a function, without what they share in front; none where there is no file, or no Python."""
    linecache.checkcache(code.co_filename)
    try:  # not getsourcelines: it asks every module that was ever imported
        lines = inspect.getblock(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :])
    except Exception:
        return []
    return dedent("".join(lines).expandtabs(4)).rstrip().split("\n") if lines else []
