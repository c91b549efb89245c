# mypy: allow-untyped-defs, allow-untyped-calls
"""Published programs with faults, to be read, watched, proven wrong and mended.

`minmax`, `prune` and `prune_tree` are ported from the C++ program alpha-beta.cpp on the web page "alpha-beta-prune".
`listed_minimax` and `listed_alphabeta` are made from algorithms 1 and 2 in Sravya Mandadi, Tejashwini B. and Sanjan
Vijayakumar, "Implementation of Sequential and Parallel Alpha-Beta Pruning Algorithm", International Journal of
Innovations in Engineering Research and Technology 7(8), August 2020. The code is our own, and has no type annotations,
as a student would write it: `print(inspect.getsource(programs.minmax))` shows it, and `watch` follows it.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from abviz.errors import number
from abviz.exercises.constructions import Construction, Result
from abviz.exercises.forms import texts
from abviz.exercises.observation import Job, observe
from abviz.exercises.search_exercise import Case, SearchExercise
from abviz.exercises.searches import BEST_MOVE, WRITE_ALPHABETA, WRITE_MINIMAX, best_move_with
from abviz.exercises.verdict import written
from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import trace
from abviz.tree.model import Node, Tree


def minmax(node):
    """Return the value of the node, by minimax. A port of minmax() in alpha-beta.cpp."""
    if node.is_leaf:
        return node.value
    result = -1
    for child in node.children:
        value = minmax(child)
        if result == -1:
            result = value
        elif node.is_max:
            if value > result:
                result = value
        elif value < result:
            result = value
    return result


def prune(root):
    """Return the root's best child, by alpha-beta. A port of prune() in alpha-beta.cpp."""
    best, best_value = None, -1000 if root.is_max else 1000
    for child in root.children:
        value = prune_tree(child, -1000, 1000, 0)
        if (root.is_max and value > best_value) or (not root.is_max and value < best_value):
            best, best_value = child, value
    return best


def prune_tree(node, alpha, beta, level):
    """Return the value of the node. A port of pruneTree(); an inner node without a value holds -1, as there."""
    if node.is_leaf or level == 5:
        return -1 if node.value is None else node.value
    result = alpha if node.is_max else beta
    for child in node.children:
        value = prune_tree(child, alpha, beta, level + 1)
        if node.is_max:
            if value > beta:
                return value
            if value > result:
                result = value
        else:
            if value < alpha:
                return value
            if value < result:
                result = value
    return result


def listed_minimax(node):
    """Return the value of the node, by minimax.

    Made from algorithm 1; changed: it calls itself for each child, where the listing reads a table of numbers, and
    it asks the node who is to move.
    """
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        if node.is_max:
            best = max(best, listed_minimax(child))
            break
        else:
            best = min(best, listed_minimax(child))
            break
    return best


def listed_alphabeta(node, alpha, beta, is_max=True):
    """Return the value of the node, by alpha-beta.

    Made from algorithm 2; changed: it calls itself by its own name (the listing says minimax), and has no depth.
    """
    if node.is_leaf:
        return node.value
    if is_max:
        best = -inf
        for child in node.children:
            value = listed_alphabeta(node, alpha, beta, False)
            best = max(best, value)
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    else:
        best = inf
        for child in node.children:
            value = listed_alphabeta(node, alpha, beta, True)
            best = min(best, value)
            beta = min(beta, best)
            if beta <= alpha:
                break
        return best


# Trees that prove a fault. Without its one fault each of these two programs is minimax.


def _refute(program: Callable[..., Any]) -> Callable[[Tree], Result]:
    def examine(tree: Tree) -> Result:
        run, value = observe(program, Job(tree)), trace(tree, search=minimax).value
        if run.problem:
            return Result(f"On {written(tree)}: {run.problem}.", "Expected a tree of fewer levels.")
        returns = f"On {written(tree)} {program.__name__} returns {number(run.value)}"
        if run.value == value:
            return Result(f"{returns}, which is right.", "Expected a tree on which it is wrong.", "no fault shows")
        return Result(f"{returns}; without its fault it returns {number(value)}.")

    return examine


PROVE_MARKER = Construction("prove-marker", _refute(minmax), lambda tree: "", minimax)
PROVE_BREAK = Construction("prove-break", _refute(listed_minimax), lambda tree: "", minimax)


# The programs mended, checked as the searches to write are.


def _mend(like: SearchExercise, name: str, **other: Any) -> SearchExercise:
    return replace(like, name=name, stub=texts(name)["stub"], hints=tuple(texts(name)["hints"]), **other)


def deepened(tree: Tree) -> Tree:
    """Return the tree with its first leaf six forced moves further down."""
    chain: Any = next(tree.leaves()).value
    for _ in range(6):
        chain = [chain]

    def long_form(node: Node, is_first: bool) -> Any:
        if node.is_leaf:
            return chain if is_first else node.value
        children = [long_form(child, is_first and place == 0) for place, child in enumerate(node.children)]
        return {"children": children, "to_move": "max" if node.is_max else "min"}

    return Tree(long_form(tree.root, True), to_move="max" if tree.root.is_max else "min")


MEND_MINIMAX = _mend(WRITE_MINIMAX, "mend-minimax")
MEND_ALPHABETA = _mend(WRITE_ALPHABETA, "mend-alphabeta")
MEND_PRUNE = _mend(
    BEST_MOVE,
    "mend-prune",
    build=lambda **faults: lambda root: best_move_with(**faults)(root)[1],
    cases=(*BEST_MOVE.cases, Case(dress=deepened)),
    form=lambda value: value if isinstance(value, str) else None,
    form_words="the name of a child",
    show=repr,
    expected="a function that returns the name of a child",
)
PROGRAMS = (PROVE_BREAK, MEND_MINIMAX, MEND_ALPHABETA, PROVE_MARKER, MEND_PRUNE)
