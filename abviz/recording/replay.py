"""The log of a student's run, read as the events of a search."""

import dis
import inspect
import linecache
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from numbers import Integral, Real
from textwrap import dedent
from types import CodeType
from typing import Any

from abviz.errors import Number
from abviz.recording.observer import CALL, LOOK, READ, RETURN, UNWIND, Function, Log
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node, Tree

Vars = tuple[Number | None, Number | None, Number | None]  # what α, β and the best value held
# How far a function was (f_lasti); the line meant is that where the variable is stored next (1) or was last (-1).
Place = tuple[CodeType, int, str | None, int]
NONE: Vars = (None, None, None)


@dataclass(slots=True)
class _Visit:
    """The search of one node, by the innermost function called with it."""

    node: Node
    function: Function
    vars: Vars  # as the latest event tells them
    latest: Vars  # as they were when last looked at
    lasti: int = 0
    entered: bool = False
    ended: bool = False
    pending: tuple[Node, Number | None, int] | None = None  # a child that has returned, its value, the calling place
    searched: set[int] = field(default_factory=set)


class Replay:
    """The events of a run, and what else is known of it. Bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, log: Log, own: CodeType | None, negamax: bool | None):
        self.tree = log.tree
        entries = log.entries()
        while entries and entries[-1][0] in (UNWIND, LOOK):  # left by an exception that ended the run
            entries.pop()
        self.searching, self.returning = _searching(self.tree, entries, own)
        called = {entry[1].index for entry in entries if entry[0] == CALL and entry[2].code in self.searching}
        reads = [(entry[1], entry[2]) for entry in entries if entry[0] == READ]
        looked_at = [*(leaf for leaf, _ in reads), *(self.tree.nodes[index] for index in called)]
        parents = {parent.index for node in looked_at if (parent := self.tree.parent(node))}
        # Without calls for the nodes above the leaves, or in other threads, nobody knows whose the variables are.
        self.keeps_a_stack = not all(own for _, own in reads) or (called <= {0} and not parents <= {0})
        self.skips_nodes = not parents <= called  # there is no call for the node above one that is searched
        codes = [function.code for function in log.functions.values() if function]
        self.negamax = _is_negamax(entries, self.searching, codes) if negamax is None else negamax
        self.nothing: str | None = None  # the first node for which None was returned
        self.events: list[Event] = []
        self.places: list[Place | None] = []
        self.visits: list[_Visit] = []
        self.frames: list[tuple[Function, _Visit | None]] = []  # None: a helper that does not search the node
        for entry in entries:
            self._entry(*entry)
        for visit in self.visits:  # where an exception or a limit has ended the run
            if not visit.node.children:
                self._emit("leaf", visit.node, visit, None)
            elif not visit.entered:
                self._enter(visit)
        self.source = Source((code for code in codes if code in self.searching), self.places)

    def _entry(self, kind: int, what: Any, second: Any, third: Any, fourth: Any) -> None:
        if kind == CALL:
            self._call(what, second, (as_number(third), as_number(fourth), None))
        elif kind == LOOK:
            function, visit = self.frames[-1]
            if visit and visit.function is function and not visit.ended:
                visit.lasti = what
                if not self.keeps_a_stack:
                    visit.latest = as_number(second), as_number(third), as_number(fourth)
        elif kind == READ:
            self._read(what)
        else:
            function, visit = self.frames.pop()
            if visit:
                self._return(visit, function, as_number(what), second, kind == RETURN and what is None)

    def _call(self, node: Node, function: Function, held: Vars) -> None:
        searches = function.code in self.searching or not self.frames
        visit = None
        held = NONE if self.keeps_a_stack else held
        if searches or (not node.children and function.alpha):
            top = self.visits[-1] if self.visits else None
            if top and top.node is node and not top.entered:  # wrapped, or one function for MAX and one for MIN
                visit = top
                if node.children or function.alpha:
                    visit.function, visit.vars, visit.latest = function, held, held
            else:
                visit = _Visit(node, function, held, held)
                if top:
                    self._settle(top)
                self.visits.append(visit)
        self.frames.append((function, visit))

    def _read(self, leaf: Node) -> None:
        visit = self.visits[-1] if self.visits else None
        if visit and visit.node is leaf and not visit.ended:
            return  # it tells when it returns
        if visit and visit.pending and visit.pending[0] is leaf:
            return  # the same value, looked at again
        if visit:
            self._settle(visit)
        own = visit and self.tree.parent(leaf) is visit.node and not self.keeps_a_stack
        self._emit("leaf", leaf, visit if own else None, leaf.value)
        if visit:
            visit.searched.update(node.index for node in self.tree.path(leaf))
            visit.pending = (leaf, leaf.value, visit.lasti) if own else None

    def _return(self, visit: _Visit, function: Function, value: Number | None, lasti: int, gave_none: bool) -> None:
        node = visit.node
        if self.negamax and not node.is_max:
            value = None if value is None else -value
        if visit.ended:  # by a function that this one had called for the same node
            self._correct(node, value)
            return
        if gave_none and function.code in self.returning and self.nothing is None:
            self.nothing = node.name
        if gave_none and not node.children and function.code not in self.returning:
            value = node.value  # a helper that keeps the value to itself
        visit.lasti = lasti
        self.visits.pop()
        visit.ended = True
        if node.children:
            self._settle(visit)
            if not self.keeps_a_stack and (visit.searched or value is not None):  # a stub cuts nothing
                for child in node.children:
                    if child.index not in visit.searched:
                        self._emit("cut", child, visit)
        self._emit("exit" if node.children else "leaf", node, visit, value)
        if self.visits and self.visits[-1].node is not node:
            outer = self.visits[-1]
            outer.searched.update(each.index for each in self.tree.path(node))
            outer.pending = None if self.keeps_a_stack else (node, value, outer.lasti)

    def _correct(self, node: Node, value: Number | None) -> None:
        """Note the value that an outer function of the same node has made of it; only turned, it is its caller's."""
        last = self.events[-1]
        if value is None or last.node is not node or (self.negamax and last.value == -value):
            return
        self.events[-1] = last._replace(value=value)
        if self.visits and self.visits[-1].pending:
            self.visits[-1].pending = node, value, self.visits[-1].pending[2]

    # events

    def _settle(self, visit: _Visit) -> None:
        """Before anything else happens at a node: it is entered, or has answered what a child returned."""
        if not visit.entered:
            self._enter(visit)
        alpha, beta, best = visit.latest
        at, visit.lasti = visit.lasti, visit.pending[2] if visit.pending else visit.lasti
        if visit.pending or best != visit.vars[2]:
            visit.vars = *visit.vars[:2], best
            value = visit.pending[1] if visit.pending else None
            self._emit("bv", visit.node, visit, value, visit.function.best, 1)
        if alpha != visit.vars[0]:
            visit.vars = alpha, *visit.vars[1:]
            self._emit("alpha", visit.node, visit, None, visit.function.alpha, 1)
        if beta != visit.vars[1]:
            visit.vars = visit.latest
            self._emit("beta", visit.node, visit, None, visit.function.beta, 1)
        visit.lasti, visit.pending = at, None

    def _enter(self, visit: _Visit) -> None:
        visit.entered = True
        visit.vars = *visit.vars[:2], visit.latest[2]
        self._emit("enter", visit.node, visit, None, visit.function.best, -1)

    def _emit(
        self, kind: str, node: Node, visit: _Visit | None, value: Number | None = None,
        stored: str | None = None, where: int = 0,
    ) -> None:  # fmt: skip
        alpha, beta, best = visit.vars if visit else NONE
        if visit and self.negamax and not visit.node.is_max:
            alpha, beta, best = minus(beta), minus(alpha), minus(best)
            kind = {"alpha": "beta", "beta": "alpha"}.get(kind, kind)
        self.events.append(Event(kind, node, alpha, beta, None if kind == "leaf" else best, value))
        self.places.append((visit.function.code, visit.lasti, stored, where) if visit else None)


def _searching(
    tree: Tree, entries: Iterable[tuple[Any, ...]], own: CodeType | None
) -> tuple[set[CodeType], set[CodeType]]:
    """Return the functions that search, and those that return numbers.

    A function searches when it is called within a call of its own, or when it looks at a node's children for another
    function that has not done so: one for MAX and one for MIN may both be called only once.
    """
    stack: list[_Call] = []
    under_way: Counter[CodeType] = Counter()
    searching, returning = ({own}, {own}) if own else (set(), set())
    for kind, what, function, *_ in entries:
        if kind in (CALL, READ) and stack and tree.parent(what) is stack[-1].node:
            stack[-1].opened = True
        if kind == CALL:
            code = function.code
            if under_way[code]:
                for other in reversed(stack):
                    searching.add(other.code)
                    if other.code is code:
                        break
            stack.append(_Call(code, what))
            under_way[code] += 1
        elif kind in (RETURN, UNWIND):
            call = stack.pop()
            under_way[call.code] -= 1
            if as_number(what) is None:
                continue
            returning.add(call.code)
            if call.opened and stack and stack[-1].node is call.node and not stack[-1].opened:
                stack[-1].opened = True
                searching.add(call.code)
    return searching, returning


@dataclass(slots=True)
class _Call:
    code: CodeType
    node: Node
    opened: bool = False  # one of the node's children has been called or read


def _is_negamax(entries: Iterable[tuple[Any, ...]], searching: set[CodeType], codes: list[CodeType]) -> bool:
    """Guess from the sign of what is returned for MIN leaves, and for MIN nodes right above leaves; where that does not
    tell, from a minus sign in the code."""
    votes = 0
    stack: list[tuple[Node, CodeType]] = []
    for kind, what, function, *_ in entries:
        if kind == CALL:
            stack.append((what, function.code))
        elif kind in (RETURN, UNWIND):
            node, code = stack.pop()
            value = as_number(what)
            if value and not node.is_max and code in searching and not any(child.children for child in node.children):
                right = {child.value for child in node.children} or {node.value}
                votes += (-value in right) - (value in right)
    return votes > 0 or (votes == 0 and any(map(_negates, codes)))


@lru_cache(maxsize=256)
def _negates(code: CodeType) -> bool:
    """Return whether it says −x somewhere, other than −inf."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PRECALL", "CALL")]
    operands = [before for before, step in pairwise(steps) if step.opname == "UNARY_NEGATIVE"]
    return any("inf" not in str(operand.argval).lower() for operand in operands)


def as_number(value: Any) -> Number | None:
    """Return the number that a variable holds or a function returns, also of a pair (value, move) or (move, value)."""
    kind = type(value)
    if kind is int or (kind is float and value == value):
        return value if -1e300 < value < 1e300 or kind is float else None
    if kind is tuple or (kind is list and len(value) == 2):
        numbers = [each for each in map(_alone, value) if each is not None]
        return numbers[0] if len(numbers) == 1 else None
    return None if value is None else _alone(value)


def _alone(value: Any) -> Number | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        real = float(value)
        return None if real != real else int(value) if isinstance(value, Integral) else real
    except Exception:  # too large, or a number of the student's own that fails
        return None


def minus(value: Number | None) -> Number | None:
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
                text = _text(filename, code)
                if text is None:
                    continue
                self.lines += ["", *text] if self.lines else text
                file, end = filename, first + len(text)
                offset = first - (len(self.lines) - len(text))
            self.offsets[code] = offset

    @cached_property
    def running(self) -> list[int | None]:
        return [self._index(place) for place in self.places]

    def _index(self, place: Place | None) -> int | None:
        if place is None or place[0] not in self.offsets:
            return None
        line = _line(*place)
        return None if line is None else line - self.offsets[place[0]]

    def __getstate__(self) -> dict[str, Any]:
        return {"lines": self.lines, "running": self.running}  # code cannot be pickled


@lru_cache(maxsize=4096)
def _line(code: CodeType, lasti: int, stored: str | None, where: int) -> int | None:
    stores = [step.offset for step in dis.get_instructions(code) if stored and _stores(step, stored)]
    after, before = [each for each in stores if each > lasti], [each for each in stores if each < lasti]
    found = after[:1] if where > 0 else before[-1:]
    if where < 0 and not found:
        return code.co_firstlineno
    return [line for line, *_ in code.co_positions()][(found[0] if found else lasti) // 2]


def _stores(step: dis.Instruction, name: str) -> bool:
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    return step.opname.startswith("STORE_") and name in names


@lru_cache(maxsize=64)
def _text(filename: str, code: CodeType) -> list[str] | None:
    """Return the lines, without what they share in front; the name of the file tells equal code apart."""
    linecache.checkcache(filename)
    try:  # not getsourcelines: it asks every module that was ever imported
        lines = inspect.getblock(linecache.getlines(filename)[code.co_firstlineno - 1 :])
    except Exception:  # there is no file, or what it holds now is no Python
        return None
    return dedent("".join(lines).expandtabs(4)).rstrip().split("\n") if lines else None
