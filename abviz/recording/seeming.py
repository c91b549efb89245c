"""What functions and variables turn out to be once the whole run is known: which functions search, and which variable
only seems to be the best value."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType

from abviz.errors import Number
from abviz.recording.held import Vars
from abviz.recording.naming import BESTS_TOO, Names, puts_elsewhere
from abviz.recording.turning import minus
from abviz.recording.watching import Entry
from abviz.tree.model import Node


def searching(entries: list[Entry], codes_called: set[CodeType]) -> set[CodeType]:
    """The functions that search: those that are called, directly or by way of others, within a call of their own.

    The outermost one belongs to them; a helper that is handed a node to look at does not.
    """
    frames: list[int] = []
    codes: list[CodeType] = []
    found: set[CodeType] = set()
    for kind, frame, _, _, _, code in entries:
        if kind == "call" and code is not None:
            if code in codes:
                found.update(codes[codes.index(code) :])
            frames.append(frame)
            codes.append(code)
            if len(frames) == 1:
                found.add(code)
            if found == codes_called:
                break
        elif kind == "return" and frame in frames:
            del frames[frames.index(frame) :], codes[len(frames) :]
    return found


def visitors(entries: Iterable[Entry]) -> set[CodeType]:
    """Helpers that search a node by way of another function and keep what it returns to themselves: visit(child), which
    changes variables of the function round it. What they return is no value of a node."""
    under_way: list[tuple[CodeType | None, Node]] = []
    giving: set[CodeType | None] = set()
    keeping: set[CodeType] = set()
    before: tuple[Node, bool] | None = None  # whose function has returned just now, and whether it was a number
    for kind, _, _, what, _, code in entries:
        if kind == "call":
            under_way.append((code, what))
        elif kind == "return":
            by, node = under_way.pop()
            if what is not None:
                giving.add(by)
            elif by is not None and before == (node, True):
                keeping.add(by)
            before = node, what is not None
    return keeping - giving


def lookers(entries: Iterable[Entry], searches: set[CodeType]) -> set[CodeType]:
    """Helpers that only look at a leaf before it is searched, as is_terminal(child) or a key to sort children by: the
    function round them calls another one for the leaf as well, or reads its value itself."""
    ways: dict[tuple[int, int], list[CodeType | None]] = {}  # by caller and leaf: who was called, None: it was read
    under_way: list[tuple[int, Node | None]] = [(0, None)]
    for kind, frame, _, what, _, code in entries:
        if kind == "return":
            under_way.pop()
        elif kind in ("call", "read"):
            caller, node = under_way[-1]
            if not what.children and what is not node:
                ways.setdefault((caller, what.index), []).append(code)
            if kind == "call":
                under_way.append((frame, what))
    found: set[CodeType] = set()
    for each in ways.values():
        known = [code for code in each if code is None or code in searches] or each[-1:]
        found |= {code for code in each if code is not None and code not in known and not _reads(code)}
    return found


def _reads(code: CodeType) -> bool:
    """Whether it may read the value of a node that it is handed."""
    return "value" in code.co_names


@dataclass(slots=True)
class _Kept:
    """A call under way: what the variable for its best value held, and what its children have returned."""

    code: CodeType
    node: Node
    best: Number | None
    found: list[Number] = field(default_factory=list)
    steps: set[bool] = field(default_factory=set)  # once a child has returned: whether it rose, whether it fell

    def speaks_for_max(self, movers: set[CodeType]) -> bool:
        return self.node.is_max or self.code not in movers


def no_best(entries: Iterable[Entry], names: Names, movers: set[CodeType]) -> set[CodeType]:
    """The functions of which the variable taken for the best value is something else: `value` that holds what the last
    child has returned, `m` that counts, a best that changes its sign when it is returned."""
    told = names.told[2] is not None
    weak = {code for code, (_, _, best, _) in names.known.items() if best and best.lower() in BESTS_TOO and not told}
    found: set[CodeType] = set()
    # who has a node searched by another function, and who goes on to children: the best value is one of the latter's
    handing_on: set[CodeType] = set()
    going_on: set[CodeType] = set()
    under_way: list[_Kept] = []
    for kind, _, _, what, now, code in entries:
        if kind == "call" and code is not None:
            under_way.append(_Kept(code, what, now[2]))
        elif kind == "return":
            kept = under_way.pop()
            if not told and _seems_so_only(kept, what, kept.code in weak, kept.speaks_for_max(movers)):
                found.add(kept.code)
            if under_way and under_way[-1].node is kept.node:
                under_way[-1].found.clear()  # the search of the node went on there
                handing_on.add(under_way[-1].code)
            elif under_way:
                going_on.add(under_way[-1].code)
                turns = under_way[-1].speaks_for_max(movers) != kept.speaks_for_max(movers)
                if what is not None:
                    under_way[-1].found.append(-what if turns else what)
        elif kind == "vars":
            kept = under_way[-1]
            if kept.found and kept.best is not None and now[2] is not None and now[2] != kept.best:
                kept.steps.add(now[2] > kept.best)
            kept.best = now[2]
        elif under_way and kind == "read" and not what.children:
            kept = under_way[-1]
            going_on.add(kept.code)
            kept.found.append(what.value if kept.speaks_for_max(movers) else -what.value)
    return found if told else found | (handing_on - going_on)


def _seems_so_only(kept: _Kept, returned: Number | None, weak: bool, for_max: bool) -> bool:
    if not kept.node.children or kept.best is None or returned is None or not kept.found:
        return False
    best = (max if kept.node.is_max or not for_max else min)(kept.found)
    if kept.best in (returned, best):
        return weak and len(kept.steps) == 2
    return weak or -kept.best in (returned, best)


def no_window(entries: Iterable[Entry], names: Names) -> set[CodeType]:
    """The functions that put α and β somewhere else, where they move: self.alpha, or `lower`. The parameters stay as
    they were, and are not what is handed down."""
    stays = {
        code
        for code, (alpha, beta, *_) in names.known.items()
        if alpha and beta and not any(names.told[:2]) and puts_elsewhere(code, alpha) and puts_elsewhere(code, beta)
    }
    if not stays:
        return stays
    by_itself: dict[CodeType | None, bool] = {}  # whether it always hands down what the parameters hold
    path: list[tuple[CodeType | None, Node, Vars]] = []
    for kind, _, _, what, now, code in entries:
        if kind == "call":
            if path and path[-1][1] is not what:
                caller, _, (alpha, beta, _) = path[-1]
                same = now[:2] in ((alpha, beta), (minus(beta), minus(alpha)))
                by_itself[caller] = by_itself.get(caller, True) and same
            path.append((code, what, now))
        elif kind == "return":
            path.pop()
    return {code for code in stays if not by_itself.get(code)}


def without(entries: Iterable[Entry], best_of: set[CodeType], window_of: set[CodeType]) -> Iterator[Entry]:
    """The same, but that nobody knows the best value, or the window, of these functions."""
    running: list[CodeType | None] = []
    for entry in entries:
        kind, frame, at, what, now, code = entry
        if kind == "call":
            running.append(code)
        if kind in ("call", "vars"):
            window = (None, None) if running[-1] in window_of else now[:2]
            best = None if running[-1] in best_of else now[2]
            entry = kind, frame, at, what, (*window, best), code
        if kind == "return":
            running.pop()
        yield entry
