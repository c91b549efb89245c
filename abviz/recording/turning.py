"""Which functions speak for the player who moves, as a negamax does, and which always for MAX."""

import dis
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import inf
from types import CodeType

from abviz.errors import Number
from abviz.recording.held import Vars
from abviz.recording.watching import Entry
from abviz.tree.model import Node

# What may be a sign, and how much it weighs: each counts once, however often it is seen. Any one may be a mistake.
WINDOW, RETURNED, LEAF = "window", "which child's value is returned", "leaf"
SIDES, SEEN, HINTS = "each side begins with its ∞", "a child's value in a variable", "MIN's least, or its best"
WEIGHTS = {WINDOW: 2, RETURNED: 2, LEAF: 2, SIDES: 3, SEEN: 1, HINTS: 1}


@dataclass(slots=True)
class _Call:
    code: CodeType | None
    node: Node
    now: Vars
    low: bool = False  # the best value of a MIN node began with −∞
    handed_by: CodeType | None = None  # another function, which has handed it its own window as it is
    hands_on: bool = False  # its node to another one
    received: list[tuple["_Call", Number]] = field(default_factory=list)  # of the other player's nodes


class _Votes:
    """Signs that a function speaks for the mover, less those that it does not."""

    def __init__(self) -> None:
        # by function; None: signs of two functions, and of neither alone
        self.of: defaultdict[CodeType | None, Counter[str]] = defaultdict(Counter)
        self.opposites: set[tuple[CodeType | None, CodeType | None]] = set()  # who turns round what it hands on to whom
        self.begins: set[tuple[CodeType | None, bool, Number | None]] = set()  # at MAX's nodes or not, and with what

    def window(self, caller: _Call, callee: _Call) -> None:
        """Whether α and β are handed down turned round and swapped."""
        there, here = caller.now[:2], callee.now[:2]
        if None in there or None in here:
            return
        round_ = minus(there[1]), minus(there[0])
        if callee.node is not caller.node:
            same = here == there != round_
            of = callee.code if caller.code is callee.code else None
            self.of[of][WINDOW] += (here == round_ != there) - same
            callee.handed_by = caller.code if same and of is None else None
            return
        caller.hands_on = True
        if here == round_ != there and not callee.node.is_max:
            self.opposites.add((caller.code, callee.code))

    def variables(self, call: _Call, now: Vars) -> None:
        """With which best value a node begins, and what a child's value changes it to."""
        best, before = now[2], call.now[2]
        if before is None:
            self.begins.add((call.code, call.node.is_max, best))
            if not call.node.is_max:
                self.of[call.code][HINTS] -= best == inf
                call.low = call.low or best == -inf
        if best != before and call.received:
            self._passed(SEEN, call, best, call.received[-1:])
        call.now = now

    def _passed(self, kind: str, call: _Call, value: Number | None, received: list[tuple[_Call, Number]]) -> None:
        """Whether the value comes from one received, with its sign changed. That is a sign of who plays the MIN node:
        at a MAX node it makes no difference who speaks."""
        for child, number in received if value else ():
            of = call.code if child.node.is_max else child.code
            self.of[of][kind] += (value == -number) - (value == number)

    def value(self, call: _Call, value: Number | None) -> None:
        if call.handed_by and not call.hands_on:  # neither of the two has turned the window, and nobody in between
            self.of[call.handed_by][WINDOW] -= 1
            self.of[call.code][WINDOW] -= 1
        if value is None:
            return
        # with the least of −∞ and the others the best would be −∞ still
        self.of[call.code][HINTS] += call.low and value != -inf
        numbers = {number for _, number in call.received}
        if not {-number for number in numbers} & numbers:
            self._passed(RETURNED, call, value, call.received)
        if call.node.is_max or not value:
            return
        if numbers:
            self.of[call.code][HINTS] += (-value == min(numbers)) - (value == min(numbers))
        elif not any(child.children for child in call.node.children):
            below = {child.value for child in call.node.children} or {call.node.value}
            self.of[call.code][LEAF] += (-value in below) - (value in below)

    def handed_on(self, outer: _Call, inner: CodeType | None, value: Number | None, returned: Number | None) -> None:
        """What is returned for a node by one function that has it from another one."""
        if value and returned == -value and not outer.node.is_max:
            self.opposites.add((outer.code, inner))

    def weight(self, code: CodeType | None) -> int:
        if {(code, True, -inf), (code, False, inf)} <= self.begins:
            self.of[code][SIDES] = -1
        return sum(WEIGHTS[kind] * ((count > 0) - (count < 0)) for kind, count in self.of[code].items())

    def decided(self, codes: Collection[CodeType]) -> set[CodeType]:
        """A function without a sign of its own is the opposite of the one that it hands nodes on to, or as all are.
        Where the numbers of a tree tell next to nothing, as 2 and −2, there has to be a minus sign in the code."""
        mostly, signs = sum(map(self.weight, list(self.of))), any(map(negates, codes))
        weights = {code: self.weight(code) or mostly for code in codes}
        found = {code for code, weight in weights.items() if weight > WEIGHTS[HINTS] or (weight >= 0 and signs)}
        for outer, inner in self.opposites:
            if outer in weights and inner in weights and not self.weight(outer):
                found = found - {outer} if inner in found else found | {outer}
        return found


def for_the_mover(entries: Iterable[Entry], keeps_a_stack: bool) -> set[CodeType]:
    """Those whose bounds and values are of the player who moves: handed down turned round and swapped, and returned at
    MIN nodes with the sign changed. All signs of it are weighed, since any may be missing in a small tree. (The
    variables of a function with a stack of its own are of many nodes, and no sign.)"""
    votes, codes = _Votes(), set()
    path: list[_Call] = []
    before: tuple[Node | None, CodeType | None, Number | None] = None, None, None  # who has returned just now
    for kind, _, _, what, now, code in entries:
        if kind == "call":
            if code is not None:
                codes.add(code)
            called = _Call(code, what, now)
            if path:
                votes.window(path[-1], called)
            path.append(called)
        elif kind == "vars" and not keeps_a_stack:
            votes.variables(path[-1], now)
        elif kind == "return":
            call = path.pop()
            if before[0] is call.node:
                votes.handed_on(call, before[1], before[2], what)
            votes.value(call, what)
            if path and what and before[0] is not call.node and path[-1].node.is_max != call.node.is_max:
                path[-1].received.append((call, what))
            before = call.node, call.code, what
    return votes.decided(codes)


@lru_cache(maxsize=256)
def turns_numbers(code: CodeType) -> bool:
    """Whether it can change the sign of a number, be it in a part of its own: −x, x · y, x − y, neg(x). One that cannot
    speaks for nobody but MAX, whatever its numbers look like."""
    steps, parts = _steps(code)
    return (
        negates(code)
        or any(step.argval in ("neg", "negative") for step in steps)
        or any(step.opname == "BINARY_OP" and step.argrepr.rstrip("=") in "*-" for step in steps)
        or any(map(turns_numbers, parts))
    )


@lru_cache(maxsize=256)
def negates(code: CodeType) -> bool:
    """Whether it says −x somewhere. (−inf is a number of its own.)"""
    steps, parts = _steps(code)
    signs = (before for before, step in pairwise(steps) if step.opname == "UNARY_NEGATIVE")
    return any(not _is_fixed(before) for before in signs) or any(map(negates, parts))


def _steps(code: CodeType) -> tuple[list[dis.Instruction], list[CodeType]]:
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PRECALL", "CALL")]
    return steps, [part for part in code.co_consts if isinstance(part, CodeType)]


def _is_fixed(operand: dis.Instruction) -> bool:
    """As in −inf, −math.inf, −INFINITY and −float("inf")."""
    is_text = operand.opname == "LOAD_CONST" and isinstance(operand.argval, str)
    return is_text or (operand.opname != "LOAD_CONST" and "inf" in str(operand.argval).lower())


def minus(value: Number | None) -> Number | None:
    return None if value is None else -value
