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
from functools import lru_cache
from math import inf
from typing import Any

from abviz.errors import number
from abviz.exercises.constructions import Construction, Result
from abviz.exercises.observation import Job, observe
from abviz.exercises.function_exercise import Case
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

    Made from algorithm 1; changed: it calls itself for each child, where the listing reads a table of numbers.
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


PROVE_MARKER = Construction(
    "prove-marker",
    "Give a tree on which `minmax` returns a wrong value.",
    _refute(minmax),
    (
        "How does the program know that a node has not found a value yet?",
        "Which number stands for “no value yet”? Can it also be a value?",
        "Let a node find that number, and go on. What does the program take it for?",
    ),
    lambda tree: "",
    minimax,
)
PROVE_BREAK = Construction(
    "prove-break",
    "Give a tree on which `listed_minimax` returns a wrong value.",
    _refute(listed_minimax),
    (
        "How often does its loop run?",
        "Follow it at a node with two children. Which of them has a say in the value?",
    ),
    lambda tree: "",
    minimax,
)


# The programs mended, checked as the searches to write are.

MEND_MINIMAX = replace(
    WRITE_MINIMAX,
    name="mend-minimax",
    stub='''\
def mend_minimax(node):
    """Return the value of the node, by minimax: listed_minimax without its fault."""
    raise NotImplementedError("not written yet")
''',
    hints=(
        "How many leaves does it read, and how many should it?",
        "When does minimax know the value of a node: after which of its children?",
        "MAX and MIN have their own lines. Are both mended?",
    ),
)
MEND_ALPHABETA = replace(
    WRITE_ALPHABETA,
    name="mend-alphabeta",
    stub='''\
def mend_alphabeta(node, alpha, beta):
    """Return the value of the node, by alpha-beta: listed_alphabeta without its faults."""
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Which node does each call search next?",
        "Who moves at a node? Does the program ask the node?",
        "MAX and MIN have their own lines. Are both mended?",
    ),
)


@lru_cache(5_000)
def deepened(tree: Tree) -> Tree:
    """Return the tree with every leaf six forced moves further down."""

    def long_form(node: Node) -> Any:
        if not node.is_leaf:
            return {"children": [long_form(child) for child in node.children], "to_move": mover(node)}
        chain: Any = node.value
        for _ in range(6):
            chain = [chain]
        return chain

    return Tree(long_form(tree.root), to_move=mover(tree.root))


def mover(node: Node) -> str:
    return "max" if node.is_max else "min"


MEND_PRUNE = replace(
    BEST_MOVE,
    name="mend-prune",
    stub='''\
def mend_prune(root):
    """Return the name of the root's best child, by alpha-beta: prune without its faults.

    Read what alpha-beta reads: children from left to right, cutting when a value equals the bound (≥, ≤). Trees may
    have any depth, and values any size. Take the first of equally good children, and the first child where all of
    them lose (−∞ for MAX, ∞ for MIN).
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Follow α and β down from the root. Where do they change?",
        "The root has its own loop. What does it know when it comes to its second child?",
        "Which comparisons end a node early? What should they do when both sides are the same number?",
        "Which numbers stand in the program, and on which trees do they matter?",
    ),
    build=lambda **faults: lambda root: best_move_with(**faults)(root)[1],
    cases=(*BEST_MOVE.cases, Case(dress=deepened)),
    form=lambda value: value if isinstance(value, str) else None,
    form_words="the name of a child",
    show=repr,
    expected="a function that returns the name of a child",
)

PROGRAMS = (PROVE_BREAK, MEND_MINIMAX, MEND_ALPHABETA, PROVE_MARKER, MEND_PRUNE)
