"""An answer that is run, on a tree, in one of several ways; and what its runs tell beside being wrong."""

import dis
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from time import perf_counter
from types import CodeType
from typing import Any

from abviz.errors import AbvizError, Number, number, plain
from abviz.exercises.behaviour import Behaviour
from abviz.exercises.counterexamples import small_trees
from abviz.exercises.verdicts import mover, nested, written
from abviz.recording.calling import FULL, Window
from abviz.recording.recorder import record
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree

BEGIN_WITH = 3  # small trees
AGAIN, LATEST_AGAIN = 250, 50  # runs that are made a second time: of the first ones, and of the last
FEWEST_AGAIN = 20  # in all: where there are few runs, each is made several times, since chance need not show at once


def as_it_is(tree: Tree) -> Tree:
    return tree


@dataclass(frozen=True)
class Case:
    """One way to run an answer on a tree."""

    arguments: tuple[Any, ...] = ()  # what it is called with beside the root
    told: str = ""  # the same in words: " with the window (0, 1)"
    dressed: Callable[[Tree], Tree] = as_it_is  # the tree that it is called on, made from a plain one
    written: Callable[[Tree], str] = written  # that tree in words
    window: Window | None = None  # if that is what it is called with


def with_window(alpha: Number, beta: Number) -> Case:
    told = f" with the window ({number(alpha)}, {number(beta)})"
    return Case((alpha, beta), told, window=(alpha, beta))


class Tried:
    """The runs of one answer, in their order."""

    def __init__(self, function: Callable[..., Any], run: Callable[..., Behaviour]):
        self.function, self.run = function, run
        self.runs: list[tuple[Case, Tree, Behaviour]] = []
        self.under_way: tuple[Case, Tree] | None = None
        self.begun = self.since = perf_counter()

    def __call__(self, case: Case, plain: Tree) -> Behaviour:
        tree = case.dressed(plain)
        self.under_way, self.since = (case, tree), perf_counter()
        did = self.run(self.function, tree, *case.arguments)
        self.under_way = None
        self.runs.append((case, tree, did))
        return did

    def otherwise(self) -> tuple[Case, Tree, Behaviour, Behaviour] | None:
        """The first run that is another one when it is made again, and that one; None where all stay as they were."""
        runs = [*self.runs[:AGAIN], *self.runs[AGAIN:][-LATEST_AGAIN:]]
        for case, tree, before in runs * max(1, FEWEST_AGAIN // max(1, len(runs))):
            again = self.run(self.function, tree, *case.arguments)
            if _told(again) != _told(before):
                return case, tree, before, again
        return None

    def keeps_in_a_global(self, case: Case, tree: Tree) -> bool:
        """Whether what it does there depends on a number that it has left in a global variable itself."""
        before = self.run(self.function, tree, *case.arguments)
        for place, name in _stored(self.function):
            was = place[name]
            try:
                for other in (-inf, inf):
                    place[name] = other
                    if _told(self.run(self.function, tree, *case.arguments)) != _told(before):
                        return True
            finally:
                place[name] = was
        return False


def _stored(function: Callable[..., Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The global names to which the function, or one inside it, assigns a number."""
    code, place = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    waiting = [code] if isinstance(code, CodeType) else []
    while waiting:
        code = waiting.pop()
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        names = {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_GLOBAL"}
        yield from ((place, name) for name in sorted(names) if plain(place.get(name)) is not None)


def _told(run: Behaviour) -> tuple[Any, ...]:
    return run.value, run.leaves, bool(run.problem)  # the words of a problem may hold an address


def trees_to_begin_with() -> tuple[Tree, ...]:
    """The first ones for everybody; with MIN to move too, since only a part of a function may be written."""
    return *small_trees()[:BEGIN_WITH], MIN_MOVES


MIN_MOVES, LEAF = Tree([0, 1], to_move="min"), Tree(7)


def is_open(answer: Any) -> bool:
    """Whether it, or a part of it, is still to be filled in."""
    if isinstance(answer, tuple | list):
        return len(answer) < 2 or any(map(is_open, answer))
    return answer is None or answer is ...


def is_unwritten(tried: Tried, cases: tuple[Case, ...]) -> bool:
    for tree in trees_to_begin_with():
        for case in cases:
            try:
                run = tried(case, tree)
            except NotImplementedError:
                continue
            if run.value is not None or run.leaves or run.problem:
                return False
    return True


def start_words(tried: Tried, case: Case) -> str:
    """What is there of an answer that is not written yet."""
    try:
        run = tried.run(tried.function, LEAF, *case.arguments)
    except NotImplementedError:
        run = Behaviour(None, ())
    if run.value == LEAF.root.value and not run.problem:
        return "It returns the value of a leaf so far, and nothing for a node that has children."
    return "It returns nothing so far, and looks at no leaf."


def stopped(tried: Tried, seconds: float, late: bool) -> tuple[str, Tree | None]:
    """What is said of an answer that has not come to an end, and the tree on which it has not: where its time was up,
    only if most of that went by there, or there was none before."""
    now = perf_counter()
    if tried.under_way and (not late or not tried.runs or now - tried.since > (now - tried.begun) / 2):
        case, tree = tried.under_way
        return f"On {case.written(tree)}{case.told} it was stopped after {seconds:g} seconds.", tree
    runs = len(tried.runs)
    return f"It was stopped after {seconds:g} seconds, in which it was run {runs:,} times: why is it so slow?", None


def part_written(tried: Tried) -> str:
    """Of an answer that has said on the way that it is not written yet."""
    case, tree = tried.under_way or (Case(), None)
    run = recorded(tried.function, tree, case) if tree else None
    where = f": it raises NotImplementedError for {at(run.where(len(run)))}" if run and run.events else ""
    return f"On {case.written(tree)}{case.told} it is not written yet{where}." if tree else "It is not written yet."


def recorded(function: Callable[..., Any], tree: Tree, case: Case) -> Trace | None:
    """That run as it can be watched; None where it cannot."""
    try:
        return record(function, tree, seconds=1, window=case.window or FULL)
    except AbvizError:
        return None


def is_broken_off(run: Trace) -> bool:
    """Whether not all of it is known: it would have gone on."""
    return run.problem.startswith("it was stopped after")


def where_nothing(run: Trace | None) -> Node | None:
    """The first node for which it returns None, if that is known."""
    name = run.options.get("nothing") if run else None
    return run.tree[name] if run and name is not None else None


def at(node: Node) -> str:
    return f"the leaf {number(node.value)}" if node.is_leaf else f"{nested(node)}, where {mover(node)} is to move"
