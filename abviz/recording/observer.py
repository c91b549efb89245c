"""What a student's function does, logged while it runs: calls with a node, leaves read, values returned.

A profile function, which Python calls at every call and return, reads the variables of the frames. That works in the
same way on every Python, and unlike a trace function it takes no lines from coverage.
"""

import dis
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from abviz.errors import Number
from abviz.recording.time_limit import TimeLimit
from abviz.tree.model import Node, Tree

ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")
BETAS = ("beta", "β", "b", "high", "hi", "upper")
BESTS = ("bv", "best_value", "bestvalue", "best_val", "bestval", "best_score", "best", "ut_val", "max_eval", "min_eval")
WEAK_BESTS = ("v", "value", "val", "score", "result", "res")  # or what a child has just returned
NOT_FOLLOWED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # they return at each `yield`
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
HERE = str(Path(__file__).parent)

# The log has entries of five fields:
#   CALL    node, Function, α, β                 a function is called with a node
#   LOOK    f_lasti, α, β, best                  what the innermost function's variables hold
#   READ    leaf                                 its value is read
#   RETURN  value, f_lasti                       the innermost function returns
#   UNWIND  None, f_lasti                        an exception leaves it
CALL, LOOK, READ, RETURN, UNWIND = range(5)
FIELDS = 5

Names = tuple[str | None, str | None, str | None]  # of the variables for α, β and the best value


@dataclass(slots=True)
class Function:
    """A student's function, and which of its variables are the node, α, β and the best value."""

    code: CodeType
    parameters: tuple[str, ...]
    node: str = ""  # "": it has not been called with one
    alpha: str | None = None
    beta: str | None = None
    bests: tuple[str, ...] = ()  # often one; two where MAX nodes and MIN nodes have one each

    def name_variables(self, node: str, given: Names, has_window: bool) -> None:
        """Find the variables: those with the names given, or the usual ones, or the parameters after the node."""
        self.node = node
        local = [*self.code.co_varnames, *self.code.co_cellvars]
        low, high = (first_of(usual, local if has_window else self.parameters) for usual in (ALPHAS, BETAS))
        if has_window and not (low and high):
            place = self.parameters.index(node) + 1
            low, high = (*self.parameters[place : place + 2], None, None)[:2]
        self.alpha, self.beta = (low, high) if low and high else (None, None)
        returned = _returned(self.code)
        strong = tuple(name for usual in BESTS for name in local if name.lower() == usual)
        weak = tuple(name for name in returned if name not in (node, self.alpha, self.beta))
        usual = first_of(WEAK_BESTS, local)
        self.bests = strong or weak or ((usual,) if usual and not returned else ())
        present = {*local, *self.code.co_freevars}
        if given[0] in present:
            self.alpha = given[0]
        if given[1] in present:
            self.beta = given[1]
        if given[2] is not None:
            self.bests = (given[2],) if given[2] in present else ()


def first_of(usual: tuple[str, ...], names: "list[str] | tuple[str, ...]") -> str | None:
    """Return the name that comes first among the usual ones."""
    lowered = {name.lower(): name for name in reversed(names)}
    return next((lowered[name] for name in usual if name in lowered), None)


def _returned(code: CodeType) -> list[str]:
    """Return the variables that the function returns as they are."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return list(dict.fromkeys(str(s.argval) for s in loads if s.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))))


class HandedNode:
    """A node as a student's function gets it: `name`, `is_leaf`, `value`, `is_max`, `children`."""

    __slots__ = ("_log", "_node", "is_leaf", "is_max", "name")

    _log: "Log"
    _node: Node
    is_leaf: bool
    is_max: bool
    name: str

    # The properties make no calls that they can do without: each would call the profile function.

    @property
    def value(self) -> Number | None:
        log, node = self._log, self._node
        if self.is_leaf and log.running:
            log.written += READ, node, None, None, None
        return node.value

    @property
    def children(self) -> "tuple[HandedNode, ...]":
        handed, node = self._log.handed, self._node
        if node.index not in handed:
            handed[node.index] = _hand(node.children, self._log)
        return handed[node.index]

    def __repr__(self) -> str:
        return repr(self._node)


HandedNode.__name__ = HandedNode.__qualname__ = "Node"  # as errors in a student's function name it


def _hand(nodes: tuple[Node, ...], log: "Log") -> tuple[HandedNode, ...]:
    handed: tuple[HandedNode, ...] = ()
    for node in nodes:
        one = HandedNode()
        one._node, one._log = node, log
        one.name, one.is_leaf, one.is_max = node.name, not node.children, node.is_max
        handed += (one,)
    return handed


class Log:
    """The log of one run, a flat list (tuples would cost the garbage collector time)."""

    def __init__(self, tree: Tree, calls: int, given: Names, has_window: bool):
        self.tree, self.calls, self.given, self.has_window = tree, calls, given, has_window
        self.written: list[Any] = []
        self.handed: dict[int, tuple[HandedNode, ...]] = {}  # the children of the nodes that have been asked for them
        self.functions: dict[int, Function | None] = {}  # by id of their code, whose hash is slow; None: not followed
        self.codes: list[CodeType] = []  # kept, so that their ids stay their own
        self.running = False
        self.stopped = ""  # why

    def entries(self) -> list[tuple[Any, ...]]:
        return list(zip(*[iter(self.written)] * FIELDS, strict=True))

    def run(self, function: Callable[..., Any], window: dict[str, Number] | tuple[Number, ...]) -> Any:
        """Return what the function returns for the root."""
        (root,) = _hand((self.tree.root,), self)
        named, placed = (window, ()) if isinstance(window, dict) else ({}, window)
        self.running = True
        sys.setprofile(self._profiler())
        try:
            return function(root, *placed, **named)
        finally:
            sys.setprofile(None)
            self.running = False

    def _profiler(self) -> Callable[[FrameType, str, Any], None]:
        functions, write, calls = self.functions, self.written.extend, self.calls
        frames: list[tuple[Any, ...]] = []  # of the calls with a node
        value_of_node = HandedNode.value.fget.__code__  # type: ignore[attr-defined]
        made = 0

        def look() -> None:
            if not self.running:  # the run was given up
                raise TimeLimit
            frame, _, alpha, beta, best, others = frames[-1]
            get = frame.f_locals.get
            held = get(best)
            for other in others:
                if held is None:
                    held = get(other)
            if type(held) is list:  # it may hold other things later
                held = tuple(held)
            write((LOOK, frame.f_lasti, get(alpha), get(beta), held))

        def profile(frame: FrameType, event: str, arg: Any) -> None:
            nonlocal made
            if event == "call":
                code = frame.f_code
                try:
                    function = functions[id(code)]
                except KeyError:
                    function = self._meet(code)
                if function is None:
                    if code is value_of_node and frames and frames[-1][1]:
                        look()
                    return
                made += 1
                if made > calls:
                    self.stopped = f"it was stopped after {calls:,} calls"
                    raise TimeLimit
                variables = frame.f_locals
                handed = variables.get(function.node)
                if type(handed) is not HandedNode:
                    handed = self._find_node(function, variables)
                if handed is None or handed._log is not self:
                    return
                if frames and frames[-1][1]:
                    look()
                node = handed._node
                alpha: Any = function.alpha
                beta: Any = function.beta
                write((CALL, node, function, variables.get(alpha), variables.get(beta)))
                best, *others = function.bests or (None,)
                frames.append((frame, node.children, alpha, beta, best, others))
            elif event == "return" and frames and frames[-1][0] is frame:
                if frames[-1][1]:  # nothing that matters changes at a leaf
                    look()
                frames.pop()
                lasti = frame.f_lasti
                unwound = arg is None and frame.f_code.co_code[lasti] not in RETURNS
                write((UNWIND if unwound else RETURN, arg, lasti, None, None))

        return profile

    def _meet(self, code: CodeType) -> Function | None:
        followed = not code.co_flags & NOT_FOLLOWED and not code.co_filename.startswith(HERE)
        places = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
        function = Function(code, code.co_varnames[:places]) if followed and code.co_name != "__init__" else None
        self.functions[id(code)] = function
        self.codes.append(code)
        return function

    def _find_node(self, function: Function, local: dict[str, Any]) -> HandedNode | None:
        """Find the node among the parameters, or first in *args."""
        for name in function.parameters:
            handed = local.get(name)
            if type(handed) is tuple and handed and name == function.parameters[-1]:
                handed = handed[0]
            if type(handed) is HandedNode:
                if not function.node:
                    function.name_variables(name, self.given, self.has_window)
                return handed
        return None
