"""Which calls of a program are the search of a node, decided when its run is over.

At its first call nobody can say what a function is for: `score(node, child)` only passes its child
on, and `search(parent, node)` may begin with the root in both places. The whole run shows it: a
call searches the smallest subtree among those it was handed that holds every leaf read in the call.

The log of a run has entries of five fields, in their order. `look` is what was seen of the
innermost call with a node before it, or () where nothing but leaves was handed to that call, in
which nothing that matters changes:

  call    nodes (None for a parameter that is no node), look, function, look at the new call
  read    leaf, look                                  its value is read
  return  value, look, f_lasti, is it a return        the innermost call returns, or an exception leaves it
"""

from itertools import combinations
from typing import Any

from abviz.recording.functions import Function
from abviz.tree.model import Node, Tree

Entry = tuple[Any, ...]
NO_LEAF = -1


class Call:
    """A call of a function that searches a node."""

    # The children that each call within touched, for the same node
    parts: list[list[int]] | None = None
    # Calls within do a part of the search each: it is one search, and begins here
    is_shared = False

    def __init__(self, function: Function, node: Node, outer: "Call | None"):
        self.function = function
        self.node = node
        self.outer = outer  # the search around it
        self.touched: list[int] = []  # the children that it called or read itself, by index


class Roles:
    """What every function does in the run. `calls` has, for every call in the log, the search that
    it is, or None.
    """

    def __init__(self, tree: Tree, log: list[Entry]):
        self.tree = tree
        self.parents = [
            parent.index if (parent := tree.parent(node)) else None for node in tree.nodes
        ]
        self.last = _last_below(tree)

        self._choose_parameters(log)
        self._see_what_functions_do(log)
        self.calls: list[Call | None] = []
        self.follows_moves = self._find_calls(log)

    def _choose_parameters(self, log: list[Entry]) -> None:
        """Find the leaves read during each call, and so the parameter of each function that is its
        node.
        """
        is_read = any(entry[0] == "read" for entry in log)
        # Of each call: the first and last leaf read in it, its function and nodes
        under_way: list[list[Any]] = []

        def end() -> None:
            first, last, function, nodes = under_way.pop()
            if last == NO_LEAF:
                return
            self._note(function, nodes, first, last)
            if under_way:
                around = under_way[-1]
                around[0] = min(around[0], first)
                around[1] = max(around[1], last)
            else:
                function.is_first = True

        for entry in log:
            kind = entry[0]
            if kind == "read":
                index = entry[1].index
                if under_way:
                    top = under_way[-1]
                    if index < top[0]:
                        top[0] = index
                    if index > top[1]:
                        top[1] = index
            elif kind == "return":
                end()
            elif is_read:
                under_way.append([len(self.last), NO_LEAF, entry[3], entry[1]])
            else:  # a search without a leaf case reads no value: what it is called with counts
                deepest = max(node.index for node in entry[1] if node)
                under_way.append([deepest, deepest, entry[3], entry[1]])
        while under_way:  # calls that an exception or a limit ended
            end()
        for function in {entry[3] for entry in log if entry[0] == "call"}:
            candidates = function.candidates or {}
            function.place = min(candidates, key=candidates.__getitem__, default=None)
            function.descends = not is_read

    def _note(
        self, function: Function, nodes: tuple[Node | None, ...], first: int, last: int
    ) -> None:
        """Drop the parameters below which not all of these leaves are; prefer the others by their
        size.
        """
        function.reads = True
        if function.candidates is None:
            function.candidates = dict.fromkeys(range(len(nodes)), 0)
        candidates = function.candidates
        for place in list(candidates):
            node = nodes[place]
            if node and node.index <= first and last <= self.last[node.index]:
                candidates[place] += self.last[node.index] - node.index
            else:
                del candidates[place]

    def _see_what_functions_do(self, log: list[Entry]) -> None:
        parents = self.parents
        under_way: list[tuple[Function | None, Function | None, int | None]] = [(None, None, None)]
        # of each call: its function; and the innermost function around that has a node, itself
        # included, and its node
        for entry in log:
            kind = entry[0]
            if kind == "return":
                function, *_ = under_way.pop()
                if entry[1] is not None and function:
                    function.returned = entry[1]
                continue

            outer, owner, above = under_way[-1]
            if kind == "read":
                if owner and parents[entry[1].index] == above:
                    owner.descends = True
                continue

            _, nodes, _, function, _ = entry
            node = None if function.place is None else nodes[function.place]
            if node and owner and parents[node.index] == above:
                owner.descends = True
            if outer and not (function.is_recursive and outer.is_recursive):
                around = [each for each, *_ in under_way]
                if function in around:
                    for each in around[around.index(function) :]:
                        each.is_recursive = True  # type: ignore[union-attr]
            under_way.append((function, function, node.index) if node else (function, owner, above))

    def _find_calls(self, log: list[Entry]) -> bool:
        """Find the calls that are searches. Return whether they follow the moves: every search and
        every read is that of a child of the search around it, or of the same node. Otherwise nobody
        knows whose a leaf is.
        """
        parents = self.parents
        functions = {entry[3] for entry in log if entry[0] == "call"}
        searching = {function for function in functions if function.searches}
        top: Call | None = None
        under_way: list[Call | None] = []
        follows = True
        for entry in log:
            kind = entry[0]
            if kind == "call":
                _, nodes, _, function, _ = entry
                node = nodes[function.place] if function in searching else None
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
            elif kind == "read":
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


def _end(call: Call) -> None:
    """Decide, at the end of a call, whether calls within have shared the search of its node."""
    parts = call.parts or []
    if parts:
        shares = [set(each) for each in [*parts, call.touched] if each]
        call.is_shared = len(shares) > 1 and all(
            one.isdisjoint(other) for one, other in combinations(shares, 2)
        )
    if call.outer and call.outer.node is call.node:
        touched = [index for part in [call.touched, *parts] for index in part]
        if touched:
            call.outer.parts = [*(call.outer.parts or ()), touched]


def _last_below(tree: Tree) -> list[int]:
    """Return for each node the index of the last node below it, its own at a leaf."""
    last = list(range(len(tree)))
    for node in reversed(tree.nodes):
        if node.children:
            last[node.index] = last[node.children[-1].index]
    return last
