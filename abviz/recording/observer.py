"""What a student's function does, written down while it runs: calls with a node, leaves read, values returned.

A profile function, which Python calls at every call and return, reads the variables of the frames. That works on every
Python in the same way, and unlike a trace function it takes nothing from coverage.
"""

import dis
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import local
from types import CodeType, FrameType
from typing import Any

from abviz.errors import Number
from abviz.recording.time_limit import TimeLimit
from abviz.tree.model import Node, Tree

ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")
BETAS = ("beta", "β", "b", "high", "hi", "upper")
BESTS = ("bv", "best_value", "bestvalue", "best_val", "bestval", "best_score", "best", "ut_val", "max_eval", "min_eval")
WEAK_BESTS = ("v", "value", "val", "score", "result", "res")  # or what a child has just returned
LOOKS = 4  # at nodes, for each call that is allowed
NOT_FOLLOWED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # they return at each `yield`
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
HERE = str(Path(__file__).parent)

# The log has entries of five fields:
#   CALL    node, Function, α, β                 a function is called with a node
#   LOOK    f_lasti, α, β, best                  what the innermost function's variables hold
#   READ    leaf, whether by the run's thread    its value is read
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
    best: str | None = None
    other_best: str | None = None  # where there is one at MAX nodes and one at MIN nodes

    def name_variables(self, node: str, given: Names, has_window: bool) -> None:
        """Find the variables: those with the names given, or the usual ones, or the parameters after the node."""
        self.node = node
        local = [*self.code.co_varnames, *self.code.co_cellvars]
        low, high = (first_of(each, [*self.parameters]) for each in (ALPHAS, BETAS))
        if not (low and high) and has_window:
            place = self.parameters.index(node) + 1
            after = (*self.parameters[place : place + 2], None, None)
            low, high = first_of(ALPHAS, local) or after[0], first_of(BETAS, local) or after[1]
        present = {*local, *self.code.co_freevars}
        self.alpha = given[0] if given[0] in present else low if high else None
        self.beta = given[1] if given[1] in present else high if low else None
        if given[2] is not None:
            self.best = given[2] if given[2] in present else None
            return
        returned = [name for name in _returned(self.code) if name not in (self.alpha, self.beta, node)]
        strong = [name for name in returned if name.lower() in BESTS]
        usual = first_of(BESTS, local) or (None if _returned(self.code) else first_of(WEAK_BESTS, local))
        names = strong or returned or ([usual] if usual else [])
        self.best, self.other_best = (names[0] if names else None), (names[1] if len(names) > 1 else None)


def first_of(names: tuple[str, ...], present: list[str]) -> str | None:
    lowered = {name.lower(): name for name in reversed(present)}
    return next((lowered[name] for name in names if name in lowered), None)


@lru_cache(maxsize=64)
def _returned(code: CodeType) -> list[str]:
    """Return the variables that the function returns as they are, in the order of its lines."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return list(dict.fromkeys(str(s.argval) for s in loads if s.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))))


class _Unsealed:
    """A node that is being made: it can still be changed."""

    __slots__ = ("_below", "_log", "_node", "is_leaf", "is_max", "name")

    _below: tuple[Any, ...]
    _log: "Log"
    _node: Node
    is_leaf: bool
    is_max: bool
    name: str


class HandedNode(_Unsealed):
    """A node as a student's function gets it: `name`, `is_leaf`, `value`, `is_max`, `children`; nothing can be set."""

    __slots__ = ()

    # The properties call nothing but at a limit, since the profile function sees each call.

    @property
    def value(self) -> Number | None:
        log, node = self._log, self._node
        if log.running:
            log.looks += 1
            if log.looks > log.most_looks or log.stopped:
                log.stop_looking()
            if self.is_leaf:
                log.written += READ, node, log.thread.own, None, None
        return node.value

    @property
    def children(self) -> "tuple[HandedNode, ...]":
        log = self._log
        if log.running:
            log.looks += 1
            if log.looks > log.most_looks or log.stopped:
                log.stop_looking()
        if not self._below and not self.is_leaf:
            one: Any
            made: tuple[HandedNode, ...] = ()
            for node in self._node.children:
                one = _Unsealed()
                one._node, one._log, one._below = node, log, ()
                one.name, one.is_leaf, one.is_max = node.name, not node.children, node.is_max
                one.__class__ = HandedNode
                made += (one,)
            object.__setattr__(self, "_below", made)
        return self._below

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a node cannot be changed (asked to delete {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


HandedNode.__name__ = HandedNode.__qualname__ = "Node"  # as errors in a student's function name it


class _Thread(local):
    own = False  # True in the thread of the run


class Log:
    """The log of one run, a flat list (tuples would cost the garbage collector time), and what limits the run."""

    def __init__(self, tree: Tree, calls: int, given: Names, has_window: bool):
        self.tree, self.calls, self.given, self.has_window = tree, calls, given, has_window
        self.most_looks, self.looks = LOOKS * calls, 0
        self.written: list[Any] = []
        self.functions: dict[int, Function | None] = {}  # by id of their code, whose hash is slow; None: not followed
        self.codes: list[CodeType] = []  # kept, so that their ids stay their own
        self.running, self.thread = False, _Thread()
        self.stopped = ""  # why

    def entries(self) -> list[tuple[Any, ...]]:
        return list(zip(*[iter(self.written)] * FIELDS, strict=True))

    def run(self, function: Callable[..., Any], window: dict[str, Number] | tuple[Number, ...]) -> Any:
        """Call the function with the root; what it returns or raises."""
        root: Any = _Unsealed()
        root._node, root._log, root._below = self.tree.root, self, ()
        root.name, root.is_leaf, root.is_max = self.tree.root.name, self.tree.root.is_leaf, self.tree.root.is_max
        root.__class__ = HandedNode
        named, placed = (window, ()) if isinstance(window, dict) else ({}, window)
        self.thread.own = self.running = True
        sys.setprofile(self._profiler())
        try:
            return function(root, *placed, **named)
        finally:
            sys.setprofile(None)
            self.running = False

    def stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        raise TimeLimit

    def stop_looking(self) -> None:
        if self.thread.own:
            self.stop(f"it was stopped after it had looked at nodes {self.most_looks:,} times")

    def _profiler(self) -> Callable[[FrameType, str, Any], None]:
        functions, write, calls = self.functions, self.written.extend, self.calls
        frames: list[tuple[Any, ...]] = []  # of the calls with a node
        looks_at_value = HandedNode.value.fget.__code__  # type: ignore[attr-defined]
        made = 0

        def look() -> None:
            frame, _, alpha, beta, best, other_best = frames[-1]
            get = frame.f_locals.get
            held = get(best)
            if held is None and other_best:
                held = get(other_best)
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
                    if code is looks_at_value and frames and frames[-1][1]:
                        look()
                    return
                made += 1
                if made > calls:
                    self.stop(f"it was stopped after {calls:,} calls")
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
                frames.append((frame, node.children, alpha, beta, function.best, function.other_best))
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
