"""The exercise on the line that both sides choose."""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises import stubs
from abviz.exercises.choosing import CASES, LAST_OF_EQUALS, Line, as_good, better, chosen, known, shown, value_and_line
from abviz.exercises.mistakes import Mistake, cuts, never, strictly
from abviz.exercises.searches import Exercise
from abviz.tracing.traces import trace


def best_line_with(
    better: Callable[[Number, Number, bool], bool] = better,
    cuts: Callable[..., bool] = cuts,
    joined: Callable[[Any, Line], Line] = lambda child, below: (child.name, *below),
    first: bool = True,  # whether the line takes the first child until there is a better one
    right_to_left: bool = False,
) -> Callable[..., Any]:
    """The line, but for what is told."""

    def search(node: Any, alpha: Number, beta: Number) -> tuple[Number, Line]:
        if node.is_leaf:
            return node.value, ()
        is_max, line = node.is_max, None
        bv, low, high = (-inf if is_max else inf), alpha, beta
        for child in node.children[::-1] if right_to_left else node.children:
            value, below = search(child, low, high)
            if better(value, bv, is_max) or (first and line is None):
                bv, line = value, joined(child, below)
            if cuts(bv, alpha, beta, is_max):
                break
            low, high = (max(low, bv), high) if is_max else (low, min(high, bv))
        return bv, line or ()

    return lambda root: search(root, -inf, inf)


def finished(change: Callable[[Any, Line], Line]) -> Callable[..., Any]:
    """The right line, and then something done to it."""

    def best_line(root: Any) -> tuple[Number, Line]:
        value, line = best_line_with()(root)
        return value, change(root, line)

    return best_line


def of_the_last(root: Any) -> tuple[Number, Line]:
    """The line of the child searched last, at every node."""
    line: list[Any] = []

    def search(node: Any, alpha: Number, beta: Number, depth: int) -> Number:
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        bv = -inf if node.is_max else inf
        for child in node.children:
            value = search(child, alpha, beta, depth + 1)
            line[depth:] = [child.name, *line[depth + 1 :]] if not child.is_leaf else [child.name]
            bv = max(bv, value) if node.is_max else min(bv, value)
            if cuts(bv, alpha, beta, node.is_max):
                break
            alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        return bv

    return search(root, -inf, inf, 0), tuple(line)


def one_line_for_all(root: Any) -> tuple[Number, Line]:
    """One list in which all nodes write: whoever finds something better puts its child before what stands there."""
    line: Line = ()

    def search(node: Any, alpha: Number, beta: Number) -> Number:
        nonlocal line
        if node.is_leaf:
            line = ()
            return node.value  # type: ignore[no-any-return]
        best = None
        for child in node.children:
            value = search(child, alpha, beta)
            if best is None or better(value, best, node.is_max):
                best, line = value, (child.name, *line)
            if cuts(best, alpha, beta, node.is_max):
                break
            alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        return best  # type: ignore[return-value]

    return search(root, -inf, inf), line


BEST_LINE = Exercise(
    "best-line",
    best_line_with(),
    CASES,
    (
        Mistake(*LAST_OF_EQUALS, best_line_with(better=as_good)),
        Mistake(
            "no line where all lose",
            "the line ends where no child is better than the worst there is",
            "Every child is lost. Which of them is better than what you begin with, and what is the line until then?",
            best_line_with(first=False),
        ),
        Mistake(
            "the line searched last",
            "the line is that of the child searched last, and not of the best one",
            "Two things are kept: the best value and the line to it. When does each of them change?",
            of_the_last,
        ),
        Mistake(
            "one line for all nodes",
            "there is one line for all nodes, in which a child that is no better leaves its traces",
            "A child is searched and turns out to be worse. What has its search done to the line you had?",
            one_line_for_all,
        ),
        Mistake(
            "backwards",
            "the line is written from the leaf up",
            "Read your line aloud, beginning with the move that is made first.",
            finished(lambda root, line: line[::-1]),
        ),
        Mistake(
            "only the first move",
            "the line ends after the first move",
            "A child knows how the game goes on from there. How do you hear of it?",
            finished(lambda root, line: line[:1]),
        ),
        Mistake(
            "the root in front",
            "the line begins with the node that is searched, and not with its child",
            "Count the moves from the root to the leaf, and the names in your line.",
            finished(lambda root, line: (root.name, *line)),
        ),
        Mistake(
            "the leaf left out",
            "the line ends one move before the leaf",
            "Count the moves from the root to the leaf, and the names in your line.",
            finished(lambda root, line: line[:-1]),
        ),
        known("minimax", best_line_with(cuts=never)),
        known("strict", best_line_with(cuts=strictly)),
        known("right to left", best_line_with(right_to_left=True)),
    ),
    (
        "What is the line of a leaf? And of a node whose children are leaves?",
        "A child returns its value and its line. What is put before that line, and when?",
        "The line changes when the best value does, and at no other time; a leaf's is empty.",
        "Try the tree [[−∞, −∞], −∞]: some move has to be made, at every node.",
    ),
    stubs.BEST_LINE,
    run=partial(chosen, form=value_and_line, expected="a pair (value, list of names)"),
    expected="a function that returns (value, list of names)",
    shown=shown,
    right_run=trace,
)
