"""What was written down of a run of somebody's own function, read as events."""

from dataclasses import dataclass, field
from functools import partial
from types import CodeType
from typing import Any

from abviz.errors import Number
from abviz.recording.held import NOTHING, Vars
from abviz.recording.naming import Names
from abviz.recording.own_stacks import spans
from abviz.recording.seeming import lookers, no_best, no_window, searching, visitors, without
from abviz.recording.source import Place
from abviz.recording.turning import for_the_mover, minus, turns_numbers
from abviz.recording.watching import Log
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node

Window = tuple[Number | None, Number | None]


@dataclass(slots=True)
class _Call:
    """A search of one inner node that is under way."""

    node: Node
    frame: int | None  # None: there is no call of its own, the function keeps a stack itself
    vars: Vars
    whose: int | None  # the frame whose variables these are: that of the innermost function called with the node
    entered: bool = False
    handed: tuple[Node, Number | None] | None = None  # what a child has returned, and bv has not yet answered
    searched: set[int] = field(default_factory=set)


_made_event = partial(tuple.__new__, Event)  # as Event(...), and three times as quick


class Reader:
    """Turns the entries into events. Bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, log: Log, names: Names):
        self.tree, self.entries = log.tree, log.entries()
        self.unwound, self.gave_none = log.unwound, log.gave_none
        self.nothing: Node | None = None  # the first for which None was returned
        self.visitors = visitors(self.entries) if log.returned is not None else set()
        self.searches = searching(self.entries, set(names.known)) - self.visitors
        self.visitors |= lookers(self.entries, self.searches)
        self.spans = spans(log.tree, self.entries, self.searches, log.in_threads)
        self.keeps_a_stack = self.spans.keeps_a_stack
        turns = any(turns_numbers(each.code) for each in log.codes.values() if each.parameters is not None)
        self.movers = for_the_mover(self.entries, self.keeps_a_stack) if turns else set()
        doubted = no_best(self.entries, names, self.movers), no_window(self.entries, names)
        if any(doubted):
            self.entries = list(without(self.entries, *doubted))
        self.calls: list[_Call] = []
        self.frames: dict[int, Node] = {}  # every frame that has a node, and which
        self.codes: dict[int | None, CodeType | None] = {}  # of every frame
        self.helping: set[int] = set()  # the frames of visitors, and of helpers that search nothing
        self.returned: tuple[Node, Number | None, int] | None = None  # by the function that has returned last
        # by node: the variables, the place that called, and whose they are
        self.leaf_calls: dict[int, tuple[Vars, Place | None, int]] = {}
        self.waiting: Vars | None = None
        self.out: list[Event] = []
        self.place: Place | None = None  # where the innermost function of the search is
        self.places: list[Place | None] = []  # where it was at each event

    def events(self) -> list[Event]:
        read = {kind: getattr(self, f"_{kind}") for kind in ("call", "vars", "read", "return")}
        read["open"] = lambda *_: None
        running: list[CodeType | None] = []  # None: a function that does not search
        returned: Node | None = None  # the node of a function that has returned just now
        for place, (kind, frame, at, what, now, code) in enumerate(self.entries):
            for own in self.spans.begin.get(place, ()):
                self._push_own(own)
            node = self.frames[frame] if kind == "return" else None
            # a function that hands on what another one has returned for the same node leaves the line to that one
            if running and running[-1] is not None and (node is None or node is not returned):
                self.place = running[-1], at
            returned = node
            read[kind](frame, what, NOTHING if self.keeps_a_stack else now, code)
            for _ in range(self.spans.ends.get(place, 0)):
                self._leave(None)
            if code is not None:
                running.append(code if code in self.searches else None)
            elif kind == "return":
                running.pop()
        return self.out

    # one method for each kind of entry

    def _call(self, frame: int, node: Node, now: Vars, code: CodeType | None) -> None:
        self.frames[frame], self.codes[frame] = node, code
        if code in self.visitors or (node.children and code not in self.searches):
            self.helping.add(frame)
        elif not node.children:
            outer = self._leaf_call(node)
            if outer is None:
                self.leaf_calls[frame] = now, self.place, frame
            elif now != NOTHING:  # a second function on the same leaf: now it has the variables
                self.leaf_calls[outer] = now, self.leaf_calls[outer][1], frame
        elif self.calls and self.calls[-1].node is node:  # a second function of the search: now it has the variables
            self.calls[-1].vars, self.calls[-1].whose = now, frame
        else:
            self._settle()
            searched = set(self.spans.searched.get(node.index, ()))
            self.calls.append(_Call(node, frame, now, frame, searched=searched))

    def _vars(self, frame: int, _: None, now: Vars, __: None) -> None:
        if frame in self.leaf_calls or not self.calls or self.frames[frame] is not self._owner():
            return
        call = self.calls[-1]
        if call.frame is None:  # told once the search is back at the node whose they are
            self.waiting = now
        elif call.whose == frame:
            self._changed(call, now)

    def _changed(self, call: _Call, now: Vars) -> None:
        if not call.entered:
            call.vars = now
            if now[2] is not None:
                self._enter(call)
            return
        # what one line changes at once is told one by one: first bv, then α, then β
        (alpha, beta, best), (alpha_now, beta_now, best_now) = call.vars, now
        if best_now != best:
            call.vars = alpha, beta, best_now
            self._bv(call)
        elif call.handed is not None:
            self._bv(call)
        if alpha_now != alpha:
            call.vars = alpha_now, beta, best_now
            self._bound("alpha", call)
        if beta_now != beta:
            call.vars = now
            self._bound("beta", call)

    def _read(self, _: int, node: Node, *__: Any) -> None:
        if node.children or self._leaf_call(node) or not self.calls:
            if not node.children and not self.calls and node is self.tree.root and not self.leaf_calls:
                self._leaf(node, None, node.value)
            return
        call = self.calls[-1]
        if call.handed is None or call.handed[0] is not node:  # not the same value, looked at twice
            self._leaf(node, None, node.value)

    def _return(self, frame: int, value: Number | None, *_: Any) -> None:
        node = self.frames.pop(frame)
        if frame in self.helping:
            return
        value = self._for_max(frame, node, value)
        of_a_search = frame in self.leaf_calls or any(call.frame == frame for call in self.calls)
        if of_a_search and frame in self.gave_none and self.nothing is None:
            self.nothing = node
        if frame in self.leaf_calls:
            bounds, caller, whose = self.leaf_calls.pop(frame)
            place, self.place = self.place, caller
            self._settle()
            self.place = place
            self._leaf(node, self._window(node, whose, bounds), value)
        elif of_a_search:
            while self.calls[-1].frame != frame:
                self._leave(None)
            if frame in self.unwound:
                if not self.calls[-1].entered:
                    self._enter(self.calls[-1])
                self.calls.pop()
            else:
                self._leave(value)

    # events

    def _owner(self) -> Node:
        """The node that the innermost function was called with."""
        innermost = self.calls[-1]
        if innermost.frame is not None:
            return innermost.node
        return next(call.node for call in reversed(self.calls) if call.frame is not None)

    def _leaf_call(self, leaf: Node) -> int | None:
        """The call of its own for this leaf that is under way."""
        return next((frame for frame in self.leaf_calls if self.frames[frame] is leaf), None)

    def _push_own(self, node: Node) -> None:
        """A node that is searched without a call: what the variables hold is of another one."""
        self._settle()
        call = _Call(node, None, NOTHING, None, searched=set(self.spans.searched.get(node.index, ())))
        self.calls.append(call)
        self._enter(call)

    def _event(self, kind: str, node: Node, at: _Call, value: Number | None = None) -> None:
        alpha, beta, best = at.vars
        if self.movers and self._turns(at.node, at.whose):
            alpha, beta, best = minus(beta), minus(alpha), minus(best)
        self._tell(kind, node, alpha, beta, best, value)

    def _tell(self, *event: Any) -> None:
        self.out.append(_made_event(event))
        self.places.append(self.place)

    def _turns(self, node: Node, frame: int | None) -> bool:
        """Whether what that function says of the node is not from MAX's side."""
        return not node.is_max and self.codes.get(frame) in self.movers

    def _window(self, node: Node, frame: int | None, now: Vars) -> Window:
        return (minus(now[1]), minus(now[0])) if self._turns(node, frame) else now[:2]

    def _for_max(self, frame: int, node: Node, value: Number | None) -> Number | None:
        """What the function returns, from MAX's side. One that has it from another function for the same node, and may
        have turned it round for whoever called, speaks for the same as that one."""
        before = self.returned
        if before is None or before[0] is not node or not self.frames or before[1] not in (value, minus(value)):
            before = node, value, frame
        self.returned = before
        return minus(before[1]) if self._turns(node, before[2]) else before[1]

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
        if self.keeps_a_stack:  # when it takes in what, nobody knows
            return
        self._event("bv", call.node, call, value)

    def _bound(self, kind: str, call: _Call) -> None:
        if self._turns(call.node, call.whose):
            kind = {"alpha": "beta", "beta": "alpha"}[kind]
        self._event(kind, call.node, call)

    def _leaf(self, node: Node, window: Window | None, value: Number | None) -> None:
        """A leaf was read, in a call of its own with its own bounds or by its parent."""
        self._settle()
        if window is None:
            call = self.calls[-1] if self.calls else None
            window = self._window(call.node, call.whose, call.vars) if call else (None, None)
        self._tell("leaf", node, *window, None, value)
        if self.calls:
            self.calls[-1].searched.add(node.index)
            self.calls[-1].handed = (node, value)

    def _leave(self, value: Number | None) -> None:
        self._settle()
        call = self.calls.pop()
        if call.searched or value is not None:  # what is not written yet cuts nothing
            for child in call.node.children:
                if child.index not in call.searched:
                    self._event("cut", child, call)
        self._event("exit", call.node, call, value)
        if self.calls:
            self.calls[-1].searched.add(call.node.index)
            self.calls[-1].handed = (call.node, value)
            if self.waiting is not None and self.calls[-1].frame is not None:
                now, self.waiting = self.waiting, None
                self._changed(self.calls[-1], now)
