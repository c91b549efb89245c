"""Which functions speak for the player who moves, as a negamax does, and which always for MAX."""

import dis
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from types import CodeType

from abviz.game import Number
from abviz.tree import Node
from abviz.watching import Entry, Vars


@dataclass(slots=True)
class _Call:
    code: CodeType | None
    node: Node
    now: Vars
    low: bool = False  # the best value of a MIN node began with −∞
    handed_by: CodeType | None = None  # another function, which has handed it its own window as it is
    hands_on: bool = False  # its node to another one


class _Votes:
    """Signs that a function speaks for the mover, less those that it does not."""

    def __init__(self) -> None:
        self.of: Counter[CodeType | None] = Counter()  # None: a sign of two functions, and of neither alone
        self.opposites: set[tuple[CodeType | None, CodeType | None]] = set()  # who turns round what it hands on to whom

    def window(self, caller: _Call, callee: _Call) -> None:
        """Whether α and β are handed down turned round and swapped."""
        there, here = caller.now[:2], callee.now[:2]
        if None in there or None in here:
            return
        round_ = minus(there[1]), minus(there[0])
        if callee.node is not caller.node:
            same = here == there != round_
            of = callee.code if caller.code is callee.code else None
            self.of[of] += (here == round_ != there) - same
            callee.handed_by = caller.code if same and of is None else None
            return
        caller.hands_on = True
        if here == round_ != there and not callee.node.is_max:
            self.opposites.add((caller.code, callee.code))

    def start(self, call: _Call, now: Vars) -> None:
        """With which best value a MIN node begins."""
        if call.now[2] is None and not call.node.is_max:
            self.of[call.code] -= now[2] == inf
            call.low = call.low or now[2] == -inf
        call.now = now

    def value(self, call: _Call, value: Number | None) -> None:
        if call.handed_by and not call.hands_on:  # neither of the two has turned the window, and nobody in between
            self.of[call.handed_by] -= 1
            self.of[call.code] -= 1
        if value is None:
            return
        # with the least of −∞ and the others the best would be −∞ still
        self.of[call.code] += call.low and value != -inf
        if value and not call.node.is_max and not any(child.children for child in call.node.children):
            below = {child.value for child in call.node.children} or {call.node.value}
            self.of[call.code] += (-value in below) - (value in below)

    def handed_on(self, outer: _Call, inner: CodeType | None, value: Number | None, returned: Number | None) -> None:
        """What is returned for a node by one function that has it from another one."""
        if value and returned == -value and not outer.node.is_max:
            self.opposites.add((outer.code, inner))

    def decided(self, codes: Iterable[CodeType]) -> set[CodeType]:
        """A function without a sign of its own is the opposite of the one that it hands nodes on to, or as all are."""
        mostly = self.of.total() > 0
        found = {code for code in codes if (self.of[code] > 0 if self.of[code] else mostly)}
        turned = {outer for outer, inner in self.opposites if inner in found and not self.of[outer]}
        return {code for code in found if code not in turned}


def for_the_mover(entries: Iterable[Entry], keeps_a_stack: bool) -> set[CodeType]:
    """Those whose bounds and values are of the player who moves: handed down turned round and swapped, and returned at
    MIN nodes with the sign changed. All signs of it are counted, since any may be missing in a small tree. (The
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
            votes.start(path[-1], now)
        elif kind == "return":
            call = path.pop()
            if before[0] is call.node:
                votes.handed_on(call, before[1], before[2], what)
            votes.value(call, what)
            before = call.node, call.code, what
    return votes.decided(codes)


@lru_cache(maxsize=256)
def turns_numbers(code: CodeType) -> bool:
    """Whether it can change the sign of a number, be it in a part of its own: −x, x · y, x − y, neg(x). One that cannot
    speaks for nobody but MAX, whatever its numbers look like. (−inf is a number of its own.)"""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PRECALL", "CALL")]
    for before, step in pairwise(steps):
        if step.opname == "UNARY_NEGATIVE" and not _is_fixed(before):
            return True
        if (step.opname == "BINARY_OP" and step.argrepr.rstrip("=") in "*-") or step.argval in ("neg", "negative"):
            return True
    return any(turns_numbers(part) for part in code.co_consts if isinstance(part, CodeType))


def _is_fixed(operand: dis.Instruction) -> bool:
    """As in −inf, −math.inf, −INFINITY and −float("inf")."""
    is_text = operand.opname == "LOAD_CONST" and isinstance(operand.argval, str)
    return is_text or (operand.opname != "LOAD_CONST" and "inf" in str(operand.argval).lower())


def minus(value: Number | None) -> Number | None:
    return None if value is None else -value
