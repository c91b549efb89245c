"""The log of a student's run, read as the events of a search."""

import dis
import inspect
import linecache
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from textwrap import dedent
from types import CodeType
from typing import Any, NamedTuple

from abviz.errors import Number, plain
from abviz.recording.observer import CALL, LOOK, READ, RETURN, UNWIND, Function, Log
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node, Tree

Entry = tuple[Any, ...]
Vars = tuple[Number | None, Number | None, Number | None]  # what α, β and the best value held
Place = tuple[CodeType, int]  # how far a function was (f_lasti)
NONE: Vars = (None, None, None)


@dataclass(slots=True)
class _Call:
    """A call with a node. Its node is entered when the function first calls or reads a child."""

    node: Node
    function: Function
    vars: Vars  # as the latest event shows them
    latest: Vars  # as they were when last read
    first: int  # the index of the first event that is its own or of a call within it for the same node
    lasti: int = 0
    entered: bool = False
    pending: tuple[Node, Number | None, int] | None = None  # a child that has returned, its value, the calling place
    searched: set[int] = field(default_factory=set)


class Source(NamedTuple):
    """The functions that search: their lines in the order of the file, and which of them runs at each event."""

    lines: list[str]  # none where Python has not kept the text
    running: list[int | None]


class Replay:
    """The events of a run, and what else is known of it. Bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, log: Log, own: CodeType | None, negamax: bool | None):
        self.tree = log.tree
        entries = log.entries()
        while entries and entries[-1][0] in (UNWIND, LOOK):  # left by an exception that ended the run
            entries.pop()
        searching, self.follows_moves = _searching(self.tree, entries)
        self.searching = searching | ({own} if own else set())
        codes = [function.code for function in log.functions.values() if function]
        self.negamax = _is_negamax(entries, self.searching, codes) if negamax is None else negamax
        self.nothing: str | None = None  # the first node for which None was returned
        self.events: list[Event] = []
        self.places: list[int | None] = []
        self.lines = _Lines(code for code in codes if code in self.searching)
        self.calls: list[_Call] = []
        if self.follows_moves:
            for entry in entries:
                self._entry(*entry)
            self._end()
        else:
            self._leaves(entries)
        self.source = Source(self.lines.text, self.places)

    def _leaves(self, entries: list[Entry]) -> None:
        """Show only the leaves: without a call for every node, nobody knows whose the variables are."""
        root = self.tree.root
        self._emit("enter", root, None)
        for kind, what, *_ in entries:
            if kind == READ and self.events[-1].node is not what:
                self._emit("leaf", what, None, what.value)
        under_way = sum((kind == CALL) - (kind in (RETURN, UNWIND)) for kind, *_ in entries)
        if not under_way and entries[-1][0] == RETURN:
            self._emit("exit", root, None, self._turned(root, as_number(entries[-1][1])))

    def _entry(self, kind: int, what: Any, second: Any, third: Any, fourth: Any) -> None:
        if kind == CALL:
            held = as_number(third), as_number(fourth), None
            searches, top = second.code in self.searching, self.calls[-1] if self.calls else None
            if searches:
                self._parent(what)
            first = top.first if top and top.node is what and not searches else len(self.events)
            self.calls.append(_Call(what, second, held, held, first))
        elif kind == LOOK:
            call = self.calls[-1]
            call.lasti, call.latest = what, (as_number(second), as_number(third), as_number(fourth))
        elif kind == READ:
            self._read(what)
        else:
            self._return(what, second, kind == RETURN)

    def _parent(self, node: Node) -> _Call | None:
        """Return the call of the node's parent, which is entered now, and has answered what another child returned."""
        parent = next((call for call in reversed(self.calls) if call.node is not node), None)
        if parent:
            self._settle(parent)
        return parent

    def _read(self, leaf: Node) -> None:
        top = self.calls[-1]
        if top.node is leaf and self._shows(top):
            return  # looked at again
        if top.pending and top.pending[0] is leaf:
            return
        parent = self._parent(leaf)
        within = (call for call in reversed(self.calls) if call.node is leaf and self._has_bounds(call))
        shown = next(within, parent)
        self._emit("leaf", leaf, shown, leaf.value, self.lines.at(top.function.code, top.lasti))
        if top is parent:
            self._receive(parent, leaf, leaf.value)

    def _return(self, result: Any, lasti: int, is_return: bool) -> None:
        call = self.calls.pop()
        node, code, searches = call.node, call.function.code, call.function.code in self.searching
        value = self._turned(node, as_number(result))
        call.lasti, place = lasti, self.lines.at(code, lasti)
        if is_return and result is None and searches and self.nothing is None:
            self.nothing = node.name
        if call.entered:
            self._leave(call, value, place)
        elif self._shows(call):
            turned = self.negamax and value is not None and value == -(self.events[-1].value or 0)
            if not turned and (value is not None or (searches and is_return)):
                self.events[-1] = self.events[-1]._replace(value=value)
            if searches and not node.children:
                self.places[-1] = place
        elif searches and node.children:
            self._enter(call)
            self._leave(call, value, place)
        elif searches:
            self._emit("leaf", node, call, value, place)
        if self.calls and self.calls[-1].node is not node and self._shows(call):
            self._receive(self.calls[-1], node, self.events[-1].value)

    def _receive(self, parent: _Call, child: Node, value: Number | None) -> None:
        parent.pending = child, value, parent.lasti
        parent.searched.add(child.index)

    def _end(self) -> None:
        """Show how far it came, where an exception or a limit has ended the run."""
        call = next((call for call in reversed(self.calls) if call.function.code in self.searching), None)
        if call is None:
            return
        place = self.lines.at(call.function.code, call.lasti)
        if call.node.children:
            if not call.entered and not self._shows(call):
                self._enter(call)
        elif self._shows(call):
            self.events[-1] = self.events[-1]._replace(value=None)
        else:
            self._emit("leaf", call.node, call, None, place)

    # what is known of a call

    def _shows(self, call: _Call) -> bool:
        """Return whether the latest event is the end of the node's search, within this call."""
        return len(self.events) > call.first and self.events[-1][:2] in (("leaf", call.node), ("exit", call.node))

    def _has_bounds(self, call: _Call) -> bool:
        return call.function.alpha is not None and call.function.code in self.searching

    def _turned(self, node: Node, value: Number | None) -> Number | None:
        return -value if value is not None and self.negamax and not node.is_max else value

    # events

    def _enter(self, call: _Call) -> None:
        call.entered = True
        alpha, beta, best = (now if held is None else held for held, now in zip(call.vars, call.latest, strict=True))
        call.vars = alpha, beta, best
        line = self.lines.storing(call.function.code, call.lasti, call.function.bests, before=True)
        self._emit("enter", call.node, call, None, line)

    def _settle(self, call: _Call) -> None:
        """Before anything else happens at a node: it is entered, or has answered what a child returned."""
        if not call.entered:
            self._enter(call)
        alpha, beta, best = call.latest
        child, value, lasti = call.pending or (None, None, call.lasti)
        function = call.function
        changes: list[tuple[str, Vars, Number | None, tuple[str | None, ...]]] = []
        if child or best != call.vars[2]:
            changes.append(("bv", (*call.vars[:2], best), value, function.bests))
        if alpha != call.vars[0]:
            changes.append(("alpha", (alpha, call.vars[1], best), None, (function.alpha,)))
        if beta != call.vars[1]:
            changes.append(("beta", call.latest, None, (function.beta,)))
        for kind, call.vars, received, names in changes:
            self._emit(kind, call.node, call, received, self.lines.storing(function.code, lasti, names))
        call.pending = None

    def _leave(self, call: _Call, value: Number | None, place: int | None) -> None:
        self._settle(call)
        if call.searched or value is not None:  # a function that is not written yet cuts nothing
            for child in call.node.children:
                if child.index not in call.searched:
                    self._emit("cut", child, call, None, place)
        self._emit("exit", call.node, call, value, place)

    def _emit(
        self, kind: str, node: Node, call: _Call | None, value: Number | None = None, line: int | None = None
    ) -> None:
        alpha, beta, best = call.vars if call else NONE
        if call and self.negamax and not call.node.is_max:
            alpha, beta, best = minus(beta), minus(alpha), minus(best)
            kind = {"alpha": "beta", "beta": "alpha"}.get(kind, kind)
        self.events.append(Event(kind, node, alpha, beta, None if kind == "leaf" else best, value))
        self.places.append(line)


def _searching(tree: Tree, entries: list[Entry]) -> tuple[set[CodeType], bool]:
    """Return the functions that search, which call or read a child of their node, and whether every node is called or
    read from a call of its parent: not so with a stack of one's own, nodes kept in attributes, or threads."""
    stack: list[tuple[Node, CodeType]] = []
    searching, follows_moves = set(), True
    for kind, what, function, *_ in entries:
        if kind in (CALL, READ):
            node, code = stack[-1] if stack else (None, None)
            if code and tree.parent(what) is node:
                searching.add(code)
            elif not any(what is other for other, _ in stack) and (stack or kind == READ or what is not tree.root):
                follows_moves = False
        if kind == CALL:
            stack.append((what, function.code))
        elif kind in (RETURN, UNWIND):
            stack.pop()
    return searching, follows_moves


def _is_negamax(entries: list[Entry], searching: set[CodeType], codes: list[CodeType]) -> bool:
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


def _negates(code: CodeType) -> bool:
    """Return whether it says −x somewhere, other than −inf."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PRECALL", "CALL")]
    operands = [before for before, step in pairwise(steps) if step.opname == "UNARY_NEGATIVE"]
    return any("inf" not in str(operand.argval).lower() for operand in operands)


def as_number(value: Any) -> Number | None:
    """Return the number that a variable holds or a function returns, also of a pair (value, move) or (move, value)."""
    if isinstance(value, (tuple, list)):
        numbers = [each for each in map(_plain, value) if each is not None] if len(value) > 1 else []
        return numbers[0] if len(numbers) == 1 else None
    return None if value is None else _plain(value)


def _plain(value: Any) -> Number | None:
    try:
        return plain(value)
    except Exception:  # too large, or a number of the student's own that fails
        return None


def minus(value: Number | None) -> Number | None:
    return None if value is None else -value


class _Lines:
    """The text of functions, in the order of the file, and which line runs."""

    def __init__(self, codes: Iterable[CodeType]):
        self.text: list[str] = []
        self.offsets: dict[CodeType, int] = {}  # the number of a line in the file, less its index here
        file, end, offset = "", 0, 0
        for code in sorted(codes, key=lambda each: (each.co_filename, each.co_firstlineno)):
            filename, first = code.co_filename, code.co_firstlineno
            if filename != file or first >= end:  # else it lies within the function before
                text = _text(filename, code)
                if text is None:
                    continue
                self.text += ["", *text] if self.text else text
                file, end = filename, first + len(text)
                offset = first - (len(self.text) - len(text))
            self.offsets[code] = offset

    def at(self, code: CodeType, lasti: int) -> int | None:
        """Return the index of the line that runs."""
        offset = self.offsets.get(code)
        return None if offset is None else _numbers(code)[lasti // 2] - offset

    def storing(self, code: CodeType, lasti: int, names: tuple[str | None, ...], *, before: bool = False) -> int | None:
        """Return the index of the line that stores the variable next, or of the one that stored it last."""
        stores = [at for name in names for at in _stores(code, name)]
        if before:
            return self.at(code, max((at for at in stores if at < lasti), default=0))
        return self.at(code, min((at for at in stores if at > lasti), default=lasti))


@lru_cache(maxsize=256)
def _numbers(code: CodeType) -> list[int]:
    return [line or code.co_firstlineno for line, *_ in code.co_positions()]


@lru_cache(maxsize=256)
def _stores(code: CodeType, name: str | None) -> list[int]:
    steps = [step for step in dis.get_instructions(code) if step.opname.startswith("STORE_")]
    return [s.offset for s in steps if name in (s.argval if isinstance(s.argval, tuple) else (s.argval,))]


@lru_cache(maxsize=64)
def _text(filename: str, code: CodeType) -> list[str] | None:
    """Return the lines, without what they share in front; the name of the file tells equal code apart."""
    linecache.checkcache(filename)
    try:  # not getsourcelines: it asks every module that was ever imported
        lines = inspect.getblock(linecache.getlines(filename)[code.co_firstlineno - 1 :])
    except Exception:  # there is no file, or what it holds now is no Python
        return None
    return dedent("".join(lines).expandtabs(4)).rstrip().split("\n") if lines else None
