"""Which calls of a program are the search of a node, decided when its run is over.

At its first call nobody can say what a function is for: `score(node, child)` only passes its child
on, and `search(parent, node)` may begin with the root in both places. The whole run shows it: a
call searches the smallest subtree among those it was handed that holds every leaf read in the call.

The log of a run has entries of five fields, in their order. `look` is what was seen of the
innermost call with a node before the entry. It is () where nothing but leaves was handed to that
call, in which nothing that matters changes.

  call    nodes (None for a parameter that is no node), look, function, look at the new call
  read    leaf, look                        its value is read
  return  value, look, f_lasti, is it a return
                                            the innermost call returns, or an exception leaves it
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Literal

from abviz.recording.functions import Function
from abviz.tree.model import Node, Tree

# How far a function was (its f_lasti), and what its variables for α, β and the best value held.
# What a student's variables hold may be anything.
Look = tuple[int, Any, Any, Any]
NoLook = tuple[()]

CallEntry = tuple[Literal["call"], list[Node | None], Look | NoLook, Function, Look]
ReadEntry = tuple[Literal["read"], Node, Look | NoLook, None, None]
ReturnEntry = tuple[Literal["return"], Any, Look | NoLook, int, bool]
Entry = CallEntry | ReadEntry | ReturnEntry

NO_LEAF = -1


class Call:
    """A call of a function that searches a node."""

    # The children that each call within touched, for the same node.
    parts: list[list[int]] | None = None
    # Calls within do a part of the search each: it is one search, and begins here.
    is_shared = False

    def __init__(self, function: Function, node: Node, outer: "Call | None"):
        self.function = function
        self.node = node
        self.outer = outer  # the search around it
        self.touched: list[int] = []  # the children that it called or read itself, by index


class _OpenCall:
    """A call under way, and the first and the last of the leaves that have been read in it."""

    __slots__ = ("first", "function", "last", "nodes")

    def __init__(self, function: Function, nodes: list[Node | None], first: int, last: int):
        self.function = function
        self.nodes = nodes
        self.first = first
        self.last = last

    def include(self, first: int, last: int) -> None:
        """Take in leaves that were read in the call."""
        if first < self.first:
            self.first = first
        if last > self.last:
            self.last = last


class Roles:
    """What every function does in the run.

    `calls` has, for every call in the log, the search that it is, or None. The log is walked three
    times, because each walk needs what the one before has found of the whole run: which parameter
    is a function's node, then which functions go down the tree, then which calls are searches.
    """

    def __init__(self, tree: Tree, log: list[Entry]):
        self.tree = tree
        self.last = _last_below(tree)
        self.parents: list[int | None] = []
        for node in tree.nodes:
            parent = tree.parent(node)
            self.parents.append(parent.index if parent else None)

        self._choose_parameters(log)
        self._see_who_descends(log)
        self.calls: list[Call | None] = []
        self.follows_moves = self._find_calls(log)

    # which parameter of a function is its node

    def _choose_parameters(self, log: list[Entry]) -> None:
        """Find the leaves read during each call, and so the parameter that is a function's node.

        Note, too, what needs no node: which functions are recursive, and what they return.
        """
        is_read = any(entry[0] == "read" for entry in log)
        functions: set[Function] = set()
        under_way: list[_OpenCall] = []

        for entry in log:
            if entry[0] == "read":
                if under_way:
                    leaf = entry[1].index
                    under_way[-1].include(leaf, leaf)

            elif entry[0] == "return":
                if entry[1] is not None:
                    under_way[-1].function.returned = entry[1]
                self._close(under_way)

            else:
                _, nodes, _, function, _ = entry
                functions.add(function)
                _note_recursion(function, under_way)
                first, last = len(self.last), NO_LEAF
                if not is_read:
                    # A search without a leaf case reads no value: what it is called with counts.
                    first = last = max(node.index for node in nodes if node)
                under_way.append(_OpenCall(function, nodes, first, last))

        while under_way:  # calls that an exception or a limit ended
            self._close(under_way)

        for function in functions:
            sizes = function.candidates or {}
            function.place = min(sizes, key=sizes.__getitem__, default=None)
            function.descends = not is_read

    def _close(self, under_way: list[_OpenCall]) -> None:
        call = under_way.pop()
        if call.last == NO_LEAF:
            return

        self._keep_candidates(call)
        if under_way:
            under_way[-1].include(call.first, call.last)
        else:
            call.function.is_first = True

    def _keep_candidates(self, call: _OpenCall) -> None:
        """Drop parameters that don't hold all leaves read in the call; add up the others' sizes."""
        function = call.function
        function.reads = True
        if function.candidates is None:
            function.candidates = dict.fromkeys(range(len(call.nodes)), 0)

        for place in list(function.candidates):
            node = call.nodes[place]
            if node and node.index <= call.first and call.last <= self.last[node.index]:
                function.candidates[place] += self.last[node.index] - node.index
            else:
                del function.candidates[place]

    # which functions go down the tree

    def _see_who_descends(self, log: list[Entry]) -> None:
        """Note the functions that call or read a child of their node."""
        parents = self.parents
        # Of each call, the innermost function around that has a node, itself included; its node.
        owner: Function | None = None
        above: int | None = None
        under_way: list[tuple[Function | None, int | None]] = []

        for entry in log:
            if entry[0] == "return":
                owner, above = under_way.pop()

            elif entry[0] == "read":
                if owner and parents[entry[1].index] == above:
                    owner.descends = True

            else:
                _, nodes, _, function, _ = entry
                under_way.append((owner, above))
                node = None if function.place is None else nodes[function.place]
                if node:
                    if owner and parents[node.index] == above:
                        owner.descends = True
                    owner, above = function, node.index

    # which calls are searches

    def _find_calls(self, log: list[Entry]) -> bool:
        """Find the calls that are searches, and return whether they follow the moves.

        They do where every search and every read is that of a child of the search around it, or of
        the same node. Otherwise nobody knows whose a leaf is.
        """
        parents = self.parents
        functions = {entry[3] for entry in log if entry[0] == "call"}
        searching = {function for function in functions if function.searches}

        top: Call | None = None
        under_way: list[Call | None] = []
        follows = True

        for entry in log:
            if entry[0] == "call":
                _, nodes, _, function, _ = entry
                node = None
                if function in searching and function.place is not None:
                    node = nodes[function.place]

                call = None
                if node:
                    if top is None:
                        follows = follows and node is self.tree.root
                    elif node is not top.node:
                        follows = follows and parents[node.index] == top.node.index
                        top.touched.append(node.index)
                    call = top = Call(function, node, top)
                under_way.append(call)
                self.calls.append(call)

            elif entry[0] == "read":
                leaf = entry[1]
                if top is None:
                    follows = False
                elif leaf is not top.node:
                    follows = follows and parents[leaf.index] == top.node.index
                    top.touched.append(leaf.index)

            elif call := under_way.pop():
                _end(call)
                top = call.outer

        while top:
            _end(top)
            top = top.outer
        return follows


def _note_recursion(function: Function, under_way: list[_OpenCall]) -> None:
    """Note that a function which is called again while it runs is recursive, and those between."""
    if not under_way or (function.is_recursive and under_way[-1].function.is_recursive):
        return

    around = [call.function for call in under_way]
    if function in around:
        for each in around[around.index(function) :]:
            each.is_recursive = True


def _end(call: Call) -> None:
    """Decide, at the end of a call, whether calls within have shared the search of its node."""
    parts = call.parts or []
    if parts:
        shares = [set(part) for part in [*parts, call.touched] if part]
        call.is_shared = len(shares) > 1 and _are_disjoint(shares)

    outer = call.outer
    if outer and outer.node is call.node:
        touched = [index for part in [call.touched, *parts] for index in part]
        if touched:
            outer.parts = [*(outer.parts or ()), touched]


def _are_disjoint(shares: Iterable[set[int]]) -> bool:
    return all(one.isdisjoint(other) for one, other in combinations(shares, 2))


def _last_below(tree: Tree) -> list[int]:
    """Return for each node the index of the last node below it, its own at a leaf."""
    last = list(range(len(tree)))
    for node in reversed(tree.nodes):
        if node.children:
            last[node.index] = last[node.children[-1].index]
    return last
