"""Whether a program is a negamax: at MIN nodes it holds and returns the opposite numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from math import inf

from abviz.errors import Number
from abviz.recording.functions import FULL, minus
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node, Tree

ENOUGH = 10  # facts that speak for MAX's side, and none against it

Bounds = tuple[Number | None, Number | None]

# Whether a number is as it should be in a search from MAX's side, and in a negamax
Fact = tuple[bool, bool]


class Side(Enum):
    """From whose side a program holds its numbers at MIN nodes."""

    MAX = "MAX's"
    MOVER = "the mover's"  # a negamax
    UNKNOWN = "unknown"

    def number(self, node: Node, value: Number | None) -> Number | None:
        """Return the number from MAX's side; None where that is not known."""
        if node.is_max or self is Side.MAX or not value:
            return value
        return -value if self is Side.MOVER else None

    def window(self, node: Node, low: Number | None, high: Number | None) -> Bounds:
        """Return α and β from MAX's side; None where they are not known."""
        if node.is_max or self is Side.MAX:
            return low, high

        opposite = minus(high), minus(low)
        if self is Side.MOVER:
            return opposite
        return (low, high) if (low, high) == opposite else (None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """The numbers of a run, as its variables held them and its calls returned them."""

    tree: Tree
    events: list[Event]
    read_by_parent: set[Node]  # leaves, not in a call of their own
    replaced: set[int]  # events of a value that a call around has replaced


def guess_side(run: Numbers) -> Side:
    """Return from whose side the numbers of a run are.

    A negamax is one only where something speaks for it and nothing against it.
    """
    for_max = for_mover = 0
    for is_usual, is_negamax in _facts(run):
        for_max += is_usual and not is_negamax
        for_mover += is_negamax and not is_usual
        if for_max == ENOUGH and not for_mover:
            break

    if for_max or for_mover:
        if not for_max:
            return Side.MOVER
        return Side.MAX if for_max >= for_mover else Side.UNKNOWN
    return _guess_by_leaves(run)


def _guess_by_leaves(run: Numbers) -> Side:
    """Return the side from which the values of MIN nodes are those of leaves below.

    It is asked where nothing else is known.
    """
    usual = negamax = 0
    for event in run.events:
        if event.kind == "exit" and event.value and not event.node.is_max:
            leaves = {each.value for each in run.tree.below(event.node) if each.is_leaf}
            usual += event.value in leaves
            negamax += -event.value in leaves

    if usual and not negamax:
        return Side.MAX
    if negamax and not usual:
        return Side.MOVER
    return Side.UNKNOWN


@dataclass(slots=True, eq=False)
class _Open:
    """A node under search."""

    node: Node
    window: Bounds  # as it entered it
    now: Bounds
    best: Number | None = None
    usual: list[Number | None] = field(default_factory=list)  # what its children returned
    negamax: list[Number | None] = field(default_factory=list)  # the same, if it is a negamax


def _facts(run: Numbers) -> Iterator[Fact]:
    """Yield what tells the two sides apart, at MIN nodes or next to them.

    These are values, windows and best values.
    """
    nodes: list[_Open] = []
    for place, event in enumerate(run.events):
        kind, node, *_ = event

        if kind == "enter":
            if nodes:
                yield from _of_window(nodes[-1], event)
            window = event.alpha, event.beta
            nodes.append(_Open(node, window, window, event.bv))
            if event.bv == inf and not node.is_max:
                yield True, False

        elif kind == "leaf":
            is_call = node not in run.read_by_parent
            if is_call and nodes:
                yield from _of_window(nodes[-1], event)
            if is_call and event.value and not node.is_max:
                yield event.value == node.value, -event.value == node.value
            if nodes:
                _answer(nodes[-1], node, event.value, is_call)

        elif kind == "cut" or not nodes:
            continue

        elif kind == "exit":
            top = nodes.pop()
            if place not in run.replaced:
                yield from _of_value(top, event)
            if nodes:
                _answer(nodes[-1], node, event.value, True)

        else:  # bv, alpha, beta
            top = nodes[-1]
            top.now = event.alpha, event.beta
            if kind == "bv":
                yield from _of_best(top, event)


def shows_sign(run: Numbers, side: Side) -> bool:
    """Return whether a node returned what it can't have with the other sign before its children's.

    A negamax that has forgotten its minus returns the largest number that a child has returned.
    """
    nodes: list[_Open] = []
    for place, event in enumerate(run.events):
        if event.kind == "enter":
            window = event.alpha, event.beta
            nodes.append(_Open(event.node, window, window, event.bv))
        elif event.kind == "leaf" and nodes:
            _answer(nodes[-1], event.node, event.value, event.node not in run.read_by_parent)
        elif event.kind == "exit" and nodes:
            top = nodes.pop()
            if place not in run.replaced and _has_sign(top, event, side):
                return True
            if nodes:
                _answer(nodes[-1], event.node, event.value, True)
    return False


def _has_sign(top: _Open, event: Event, side: Side) -> bool:
    fact = next(_of_value(top, event), None)
    if fact is None:
        return False

    is_usual, is_negamax = fact
    if side is Side.MAX:
        return is_usual and not is_negamax

    largest = max(value for value in top.usual if value is not None)
    return side is Side.MOVER and is_negamax and event.value != largest


def _answer(above: _Open, child: Node, value: Number | None, is_call: bool) -> None:
    above.usual.append(value)
    above.negamax.append(Side.MOVER.number(child, value) if is_call else value)


def _of_window(above: _Open, event: Event) -> Iterator[Fact]:
    """A child of the other player receives the window as it is, or turned."""
    low, high = above.now
    if low is None or high is None or above.node.is_max == event.node.is_max or above.now == FULL:
        return

    window = event.alpha, event.beta
    yield window == (low, high), window == (-high, -low)


def _of_value(top: _Open, event: Event) -> Iterator[Fact]:
    """A node returns the best of its children's values, or a bound of its window."""
    value = event.value
    if value is None or value in top.window or not top.usual or None in top.usual:
        return

    choose = max if top.node.is_max else min
    turned = Side.MOVER.number(top.node, value)
    yield value == choose(top.usual), turned == choose(top.negamax)  # type: ignore[type-var]


def _of_best(top: _Open, event: Event) -> Iterator[Fact]:
    """A best value that changes becomes what a child has returned."""
    best = event.bv
    before = top.best
    top.best = best
    if best is None or best == before:
        return

    turned = Side.MOVER.number(top.node, best)
    yield best in top.usual, turned in top.negamax
