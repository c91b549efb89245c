"""Programs with faults: as students are shown them, and again with faults that can be mended one by one.

The faults were found in the wild. `faulty_search` has those of the C++ program alpha-beta.cpp on the page
"alpha-beta-prune"; `listed_minimax` and `listed_alphabeta` have those of the first two listings in Sravya Mandadi,
Tejashwini B. and Sanjan Vijayakumar, "Implementation of Sequential and Parallel Alpha-Beta Pruning Algorithm",
International Journal of Innovations in Engineering Research and Technology 7(8), August 2020. The code is our own.
"""

import ast
import inspect
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import CodeType
from typing import Any

from abviz.errors import Number
from abviz.exercises.mistakes import cuts, narrow, never, searching, start, strictly, without_bounds
from abviz.tree.model import Tree

MAX, MIN = True, False

Place = tuple[str, bool]  # what is wrong, and at whose nodes
Left = frozenset[Place]  # where a program is not mended yet

# as they are shown


def faulty_search(root: Any) -> Any:
    """The value of the root, by alpha-beta."""

    def prune(node: Any, alpha: Number, beta: Number, level: int) -> Any:
        if node.is_leaf:
            return node.value
        if level == 3:
            return -1
        result = -1
        for child in node.children:
            value = prune(child, alpha, beta, level + 1)
            if node.is_max:
                if value > beta:
                    return value
                if result == -1 or value > result:
                    result = value
            else:
                if value < alpha:
                    return value
                if result == -1 or value < result:
                    result = value
        return result

    result = -1
    for child in root.children:
        value = prune(child, -inf, inf, 1)
        better = value > result if root.is_max else value < result
        if result == -1 or better:
            result = value
    return result


def listed_minimax(node: Any) -> Any:
    """The value of the node, by minimax."""
    if node.is_leaf:
        return node.value
    if node.is_max:
        best = -inf
        for child in node.children:
            best = max(best, listed_minimax(child))
            break
    else:
        best = inf
        for child in node.children:
            best = min(best, listed_minimax(child))
            break
    return best


minimax = without_bounds(searching(cuts=never))


def listed_alphabeta(node: Any, alpha: Number, beta: Number) -> Any:
    """The value of the node, by alpha-beta. (Here `minimax` is a right one.)"""
    if node.is_leaf:
        return node.value
    if node.is_max:
        best = -inf
        for child in node.children:
            best = max(best, minimax(child))
            alpha = max(alpha, best)
            if beta <= alpha:
                break
    else:
        best = inf
        for child in node.children:
            best = min(best, minimax(child))
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best


def source(program: Callable[..., Any]) -> str:
    """The program as a student would write it, without types: it runs wherever it is copied to."""
    read = ast.parse(inspect.getsource(program))
    for node in ast.walk(read):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(read)


def typed(program: Callable[..., Any]) -> CodeType:
    """Its source, to be executed: as if it were typed there, so that `watch` can follow it and show its lines."""
    text, file = source(program), f"<{program.__name__}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    return compile(text, file, "exec")


# the same with faults only where they are left


def search_with(left: Left) -> Callable[[Any], Any]:
    def search(node: Any, alpha: Number, beta: Number, level: int) -> Any:
        if node.is_leaf:
            return node.value

        def faulty(what: str) -> bool:
            return (what, node.is_max) in left

        if level == 3 and faulty("depth"):
            return -1
        no_value = -1 if faulty("no value" if level else "no value at the root") else None
        bv = no_value
        for child in node.children:
            value = search(child, alpha, beta, level + 1)
            bv = value if bv == no_value else max(bv, value) if node.is_max else min(bv, value)
            if (strictly if faulty("strict") else cuts)(bv, alpha, beta, node.is_max):
                break
            if not faulty("window" if level else "window at the root"):
                alpha, beta = narrow(alpha, beta, bv, node.is_max)
        return bv

    return lambda root: search(root, -inf, inf, 0)


def minimax_with(left: Left) -> Callable[[Any], Any]:
    def search(node: Any) -> Any:
        if node.is_leaf:
            return node.value
        children = node.children[:1] if ("break", node.is_max) in left else node.children
        values = map(search, children)
        return max(values) if node.is_max else min(values)

    return search


def alphabeta_with(left: Left) -> Callable[..., Any]:
    def search(node: Any, alpha: Number, beta: Number) -> Any:
        if node.is_leaf:
            return node.value
        bv = start(node.is_max)
        for child in node.children:
            value = minimax(child) if ("call", node.is_max) in left else search(child, alpha, beta)
            bv = max(bv, value) if node.is_max else min(bv, value)
            if cuts(bv, alpha, beta, node.is_max):
                break
            alpha, beta = narrow(alpha, beta, bv, node.is_max)
        return bv

    return search


# what is wrong in them


@dataclass(frozen=True)
class Fault:
    """One fault, and a tree for each of its places, on which a program goes wrong if it is left there, and not
    otherwise, whatever else is wrong in the program."""

    probes: dict[Place, Tree]

    @property
    def places(self) -> Left:
        return frozenset(self.probes)


@dataclass(frozen=True)
class Program:
    built: Callable[[Left], Callable[..., Any]]
    faults: dict[str, Fault]

    @property
    def probes(self) -> dict[Place, Tree]:
        return {place: tree for fault in self.faults.values() for place, tree in fault.probes.items()}

    @property
    def places(self) -> Left:
        return frozenset(self.probes)


def two_places(what: str, at_max: Tree, at_min: Tree) -> dict[Place, Tree]:
    return {(what, MAX): at_max, (what, MIN): at_min}


def min_to_move(*children: Any) -> Tree:
    return Tree(list(children), to_move="min")


# As nothing moves a bound in the whole program, "strict" shows only where a value is infinite.
SEARCH = Program(
    search_with,
    {
        "window": Fault(two_places("window", min_to_move([5, [2, 9]]), Tree([[3, [5, 9]]]))),
        "no value": Fault(
            two_places("no value", min_to_move([-1, -5]), Tree([[-1, 5]]))
            | two_places("no value at the root", Tree([-1, -5]), min_to_move(-1, 5))
        ),
        "strict": Fault(two_places("strict", min_to_move([inf, 3]), Tree([[-inf, 3]]))),
        "depth": Fault(two_places("depth", min_to_move([[[7, 8]]]), Tree([[[[7, 8]]]]))),
        "root": Fault(two_places("window at the root", Tree([[3, 5], [2, 9]]), min_to_move([3, 1], [4, 0]))),
    },
)
MINIMAX = Program(minimax_with, {"break": Fault(two_places("break", Tree([1, 2]), min_to_move(2, 1)))})
ALPHABETA = Program(
    alphabeta_with, {"call": Fault(two_places("call", Tree([[3, 5], [2, 9]]), min_to_move([3, 1], [4, 0])))}
)
