# mypy: allow-untyped-defs, allow-untyped-calls
"""Published programs with bugs, to be read, watched, proven wrong and fixed.

`minmax`, `prune` and `prune_tree` are ported from the C++ program alpha-beta.cpp on the web page
"alpha-beta-prune". `listed_minimax` and `listed_alphabeta` are made from algorithms 1 and 2 in
Sravya Mandadi, Tejashwini B. and Sanjan Vijayakumar, "Implementation of Sequential and Parallel
Alpha-Beta Pruning Algorithm", International Journal of Innovations in Engineering Research and
Technology 7(8), August 2020. The code is our own, and has no type annotations, as a student would
write it: `print(inspect.getsource(programs.minmax))` shows it, and `watch` follows it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf

from abviz.errors import number
from abviz.exercises.exercise import SWITCHES
from abviz.exercises.observation import Job, observe
from abviz.exercises.papers import Construction
from abviz.exercises.searches import BEST_MOVE, WRITE_ALPHABETA, WRITE_MINIMAX, Case, built
from abviz.exercises.verdict import RIGHT, WRONG, for_message
from abviz.tracing.algorithms import minimax
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree
from abviz.tree.nested import as_lists


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
    """Return the value of the node, as pruneTree() does.

    As there, an inner node without a value holds -1.
    """
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

    Made from algorithm 1; changed: it calls itself for each child, where the listing reads a table
    of numbers, and it asks the node who is to move.
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

    Made from algorithm 2; changed: it calls itself by its own name (the listing says minimax), and
    has no depth.
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


# Trees that prove a bug. Without its one bug each of these two programs is minimax.


def proves(program: Callable[..., object], full: Trace) -> tuple[str, str]:
    run = observe(program, Job(full.tree))
    returns = f"On {for_message(full.tree)} {program.__name__} returns {number(run.value)}"
    if run.value == full.value:
        return WRONG, f"{returns}, which is right. Expected a tree on which it is wrong."
    return RIGHT, f"{returns}; without its bug it returns {number(full.value)}."


# The programs fixed, checked as the searches to write are.


def deepened(tree: Tree) -> Tree:
    """Return the tree with six forced moves before each answer to a move of the root."""
    rows = [[[[[[[row]]]]]] for row in as_lists(tree)]
    return Tree(rows, to_move="max" if tree.root.is_max else "min")


def name_alone(best_move):
    """Return the search without the value that it returns."""
    return lambda root: best_move(root)[1]


PROGRAMS = (
    Construction(
        "prove-break", partial(proves, listed_minimax), minimax, any_tree=True, keeps=SWITCHES
    ),
    replace(WRITE_MINIMAX, name="fix-minimax"),
    replace(WRITE_ALPHABETA, name="fix-alphabeta"),
    Construction("prove-marker", partial(proves, minmax), minimax, any_tree=True, keeps=SWITCHES),
    replace(
        BEST_MOVE,
        name="fix-prune",
        shaped=name_alone,
        build=partial(built, BEST_MOVE.source, name_alone, {}),
        cases=(*BEST_MOVE.cases, Case(dress=deepened)),
    ),
)
