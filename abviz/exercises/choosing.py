"""The exercises that ask for a choice: the best move, and the line that both sides choose."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, isinf
from typing import Any

from abviz.exercises import stubs
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.dressing import with_wins
from abviz.exercises.mistakes import Mistake, cuts, never, searching, strictly
from abviz.exercises.searches import Case, Exercise
from abviz.game import Number
from abviz.text import number, plain
from abviz.tracing import trace
from abviz.tree import Tree

# The second is of games that are won or lost: there all children may be as bad as can be.
CASES = (Case(), Case(dressed=with_wins))

ALPHA_BETA = searching()
Line = tuple[str, ...]


def value_and_name(returned: Any) -> tuple[Number, str] | None:
    value, name = returned if isinstance(returned, tuple | list) and len(returned) == 2 else (None, None)
    return None if plain(value) is None or not isinstance(name, str) else (plain(value), name)  # type: ignore[return-value]


def value_and_line(returned: Any) -> tuple[Number, Line] | None:
    value, line = returned if isinstance(returned, tuple | list) and len(returned) == 2 else (None, None)
    if plain(value) is None or not isinstance(line, tuple | list) or not all(isinstance(name, str) for name in line):
        return None
    return plain(value), tuple(line)  # type: ignore[return-value]


def chosen(function: Callable[..., Any], tree: Tree, *, form: Callable[[Any], Any], expected: str) -> Behaviour:
    """What it chooses; and what it reads, but where a win may end the search at the root, or may not."""
    run = observe(function, tree, form=form, expected=expected)
    return replace(run, leaves=()) if any(isinf(leaf.value or 0) for leaf in tree.leaves()) else run


def shown(choice: tuple[Number, Any]) -> str:
    value, move = choice
    return f"({number(value)}, {list(move) if isinstance(move, tuple) else repr(move)})"


def better(value: Number, best: Number, is_max: bool) -> bool:
    return value > best if is_max else value < best


def as_good(value: Number, best: Number, is_max: bool) -> bool:
    return value >= best if is_max else value <= best


# the best move


def best_move_with(
    search: Callable[..., Number] = ALPHA_BETA,
    better: Callable[[Number, Number, bool], bool] = better,
    plays_max: Callable[[Any], bool] = lambda node: node.is_max,
    first: Callable[[Any], Any] = lambda root: root.children[0].name,  # the name while nothing is known
    narrows: bool = True,
    right_to_left: bool = False,
    named: Callable[[Any, Any], Any] = lambda root, child: child.name,
) -> Callable[..., Any]:
    """The best move, but for what is told."""

    def best_move(root: Any) -> tuple[Number, Any]:
        is_max, alpha, beta = plays_max(root), -inf, inf
        best, name = (-inf if is_max else inf), first(root)
        for child in root.children[::-1] if right_to_left else root.children:
            value = search(child, alpha, beta)
            if better(value, best, is_max):
                best, name = value, named(root, child)
            if narrows:
                alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        return best, name

    return best_move


def last_searched(root: Any) -> tuple[Number, str]:
    return searching()(root, -inf, inf), root.children[-1].name


LAST_OF_EQUALS = (
    "the last of equals",
    "of children that seem equally good it takes the last",
    "A child that is searched late may return a bound. What do you know of it if that is as good as the best so far?",
)

BEST_MOVE = Exercise(
    "best-move",
    best_move_with(),
    CASES,
    (
        Mistake(*LAST_OF_EQUALS, best_move_with(better=as_good)),
        Mistake(
            "no move where all lose",
            "it has no move where no child is better than the worst there is",
            "Every child is lost. Which of them is better than what you begin with, and what is the name until then?",
            best_move_with(first=lambda root: None),
        ),
        Mistake(
            "the move searched last",
            "the name is that of the child searched last, and not of the best one",
            "Two things are kept: the best value and whose it is. When does each of them change?",
            last_searched,
        ),
        Mistake(
            "the root's own name",
            "the name is that of the root",
            "A move leads somewhere. Where does the best one lead?",
            best_move_with(named=lambda root, child: root.name, first=lambda root: root.name),
        ),
        Mistake(
            "the largest, whoever moves",
            "it takes the largest value also where MIN is to move",
            "Try a tree in which MIN moves first. Which child does MIN want?",
            best_move_with(plays_max=lambda node: True),
        ),
        Mistake(
            "the worst move",
            "it takes the child that is worst for the player to move",
            "At a MAX node, which child is the best, the largest or the smallest?",
            best_move_with(plays_max=lambda node: not node.is_max),
        ),
        Mistake(
            "a full window for every move",
            "every move of the root is searched with the full window, so nothing is learnt from one for the next",
            "What does the root know when it comes to its second move?",
            best_move_with(narrows=False),
        ),
        Mistake(
            "minimax",
            "it never cuts: it reads every leaf, as minimax does",
            "When does a node know enough to leave the rest of its children alone?",
            best_move_with(searching(cuts=never)),
        ),
        Mistake(
            "strict",
            "it cuts only when bv is strictly beyond the bound (>, <), and not when it equals it",
            "What could the other player gain here, if bv and the bound are the same number?",
            best_move_with(searching(cuts=strictly)),
        ),
        Mistake(
            "right to left",
            "it searches the moves of the root from right to left",
            "In which order does the exercise want the children?",
            best_move_with(right_to_left=True, first=lambda root: root.children[-1].name),
        ),
    ),
    (
        "The root does what every node does, and keeps one thing more. What?",
        "When the best value changes, the name changes with it, and at no other time.",
        "Write down value and name before the first child is searched, after it, and after one that is just as good.",
        "Try the tree [−∞, −∞]: some move has to be made.",
    ),
    stubs.BEST_MOVE,
    run=partial(chosen, form=value_and_name, expected="a pair (value, name of a child)"),
    expected="a function that returns (value, name)",
    shown=shown,
    right_run=trace,
)

# the line


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
        Mistake(
            "minimax",
            "it never cuts: it reads every leaf, as minimax does",
            "When does a node know enough to leave the rest of its children alone?",
            best_line_with(cuts=never),
        ),
        Mistake(
            "strict",
            "it cuts only when bv is strictly beyond the bound (>, <), and not when it equals it",
            "What could the other player gain here, if bv and the bound are the same number?",
            best_line_with(cuts=strictly),
        ),
        Mistake(
            "right to left",
            "it searches the children from right to left",
            "In which order does the exercise want the children?",
            best_line_with(right_to_left=True),
        ),
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
