"""Nodes that a function searches without a call for each of them: when it comes to them, and when it is done with them.

A function with a stack of its own says of neither. All is known once the run is over: it comes to a node when it first
looks at it or at anything below, and is done with it when it does so no more.
"""

import dis
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType

from abviz.recording.watching import Entry
from abviz.tree.model import Node, Tree

Span = tuple[int, int]  # the places of a first and a last entry


@dataclass
class Spans:
    """By the place of an entry: the nodes that are come to before it, outermost first, and how many end after it."""

    keeps_a_stack: bool = False  # what α, β and the best value hold is then of no node for certain
    begin: dict[int, list[Node]] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    searched: dict[int, set[int]] = field(default_factory=dict)  # of each node the children below which leaves are read


def spans(tree: Tree, entries: list[Entry], searches: set[CodeType], in_threads: bool) -> Spans:
    called = {what.index for kind, _, _, what, _, code in entries if kind == "call" and code in searches}
    opened = {what.index for kind, _, _, what, _, _ in entries if kind == "open" and what.children}
    keeps_a_stack = called <= {tree.root.index} and bool(opened or any(map(_has_a_while, searches)))
    keeps_a_stack = keeps_a_stack or in_threads  # where they are, nobody knows either
    if opened <= called and not keeps_a_stack:
        return Spans()
    found = Spans(keeps_a_stack)
    for looks in _by_search(tree, entries, searches, called):
        looks.tell(found)
    return found


class _Looks:
    """What one call looks at below its node, without calling for it: all looks, and those at leaves' values."""

    def __init__(self, tree: Tree, top: Node, called: set[int]):
        self.tree, self.top, self.called = tree, top, called
        self.looks: dict[int, list[int]] = {}
        self.reads: dict[int, list[int]] = {}

    def look(self, place: int, node: Node, searched: bool) -> None:
        path = self.tree.path(node)
        below = path[path.index(self.top) + 1 :] if self.top in path else []
        for each in below:
            if each.index not in self.called:
                self.looks.setdefault(each.index, []).append(place)
                if searched:
                    self.reads.setdefault(each.index, []).append(place)

    def tell(self, found: Spans) -> None:
        for index in self.reads:
            above = self.tree.parent(self.tree.nodes[index]) or self.top
            if above is self.top or above.index not in self.called:
                found.searched.setdefault(above.index, set()).add(index)
        # Who only looks at a node, as to sort by it, does not search it: leaves below it are read then.
        ways = (self.looks, self.reads) if found.keeps_a_stack else (self.reads,)
        for way in ways:
            places = {index: way[index] for index in self.reads}
            if self._one_after_the_other(places):
                for index in sorted(places):
                    if self.tree.nodes[index].children:
                        found.begin.setdefault(places[index][0], []).append(self.tree.nodes[index])
                        found.ends[places[index][-1]] = found.ends.get(places[index][-1], 0) + 1
                return

    def _one_after_the_other(self, places: dict[int, list[int]]) -> bool:
        """Whether no node is looked at before its brother is done with. Else nobody can say where the search is."""
        whole = [(each[0], each[-1], index) for index, each in places.items() if self.tree.nodes[index].children]
        single = [(each, each, i) for i in places if not self.tree.nodes[i].children for each in places[i]]
        last: dict[int, int] = {}
        for first, end, index in sorted(whole + single):
            parent = self.tree.parent(self.tree.nodes[index]) or self.top
            if first < last.get(parent.index, -1):
                return False
            last[parent.index] = end
        return True


def _by_search(tree: Tree, entries: list[Entry], searches: set[CodeType], called: set[int]) -> Iterable[_Looks]:
    """The looks of each call that searches. Those of a helper that it calls are its own."""
    done: list[_Looks] = []
    under_way: list[tuple[_Looks, Node]] = []  # a helper has the looks of the call that searches
    for place, (kind, _, _, what, _, code) in enumerate(entries):
        if kind == "return":
            looks, node = under_way.pop()
            if looks.top is node and under_way:
                under_way[-1][0].look(place, node, searched=True)
        elif kind == "call" and (code in searches or what is tree.root):
            if under_way:
                under_way[-1][0].look(place, what, searched=True)
            done.append(_Looks(tree, what, called))
            under_way.append((done[-1], what))
        elif kind != "vars" and under_way:
            looks = under_way[-1][0]
            looks.look(place, what, searched=kind != "open" and not what.children)
            if kind == "call":
                under_way.append((looks, what))
    return done


def _has_a_while(code: CodeType) -> bool:
    """Whether it jumps back to anything else than a `for`, and does not call itself."""
    steps = list(dis.get_instructions(code))
    at = {step.offset: step.opname for step in steps}
    back = [step.argval for step in steps if step.opcode in dis.hasjrel and step.argval <= step.offset]
    itself = code.co_name in (*code.co_names, *code.co_freevars)
    return not itself and any(at.get(target) not in ("FOR_ITER", "SEND") for target in back)
