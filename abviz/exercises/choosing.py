"""The exercise on the best move, and what it shares with those that ask for a line."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, isinf
from typing import Any

from abviz.errors import Number, number, plain
from abviz.exercises import stubs
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.dressing import with_wins
from abviz.exercises.known_mistakes import ALPHABETA
from abviz.exercises.mistakes import ASKING_BOUNDS, Mistake, cuts, narrow, never, searching, start, strictly
from abviz.exercises.searches import Case, Exercise
from abviz.tracing.traces import trace
from abviz.tree.model import Tree

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


def best_move_with(
    search: Callable[..., Number] = ALPHA_BETA,
    better: Callable[[Number, Number, bool], bool] = better,
    plays_max: Callable[[Any], bool] = lambda node: node.is_max,
    first: Callable[[Any], Any] = lambda root: root.children[0].name,  # the name while nothing is known
    narrows: bool = True,
    stops: bool = False,  # where the window of the root is closed
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
                alpha, beta = narrow(alpha, beta, best, is_max)
            if stops and alpha >= beta:
                break
        return best, name

    return best_move


def known(name: str, function: Callable[..., Any]) -> Mistake:
    """A mistake of alpha-beta, made in another search."""
    return replace(next(each for each in ALPHABETA if each.name == name), function=function, also=())


def last_searched(root: Any) -> tuple[Number, str]:
    return searching()(root, -inf, inf), root.children[-1].name


def the_leaf(first: bool) -> Callable[..., Any]:
    """The name is handed up unchanged from the leaf; where all lose, from the first one or from none."""

    def search(node: Any, alpha: Number, beta: Number) -> tuple[Number, str | None]:
        if node.is_leaf:
            return node.value, node.name
        bv, name = start(node.is_max), None
        for child in node.children:
            value, below = search(child, *narrow(alpha, beta, bv, node.is_max))
            if better(value, bv, node.is_max) or (first and name is None):
                bv, name = value, below
            if cuts(bv, alpha, beta, node.is_max):
                break
        return bv, name

    return lambda root: search(root, -inf, inf)


def one_name_for_all(root: Any) -> tuple[Number, str | None]:
    """One name, which every node writes into that finds something better."""
    name: str | None = None

    def search(node: Any, alpha: Number, beta: Number) -> Number:
        nonlocal name
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        bv = start(node.is_max)
        for child in node.children:
            value = search(child, *narrow(alpha, beta, bv, node.is_max))
            if better(value, bv, node.is_max):
                bv, name = value, child.name
            if cuts(bv, alpha, beta, node.is_max):
                break
        return bv

    return search(root, -inf, inf), name


def best_of_pairs(root: Any) -> tuple[Number, str]:
    """max (or min) of (value, name): of equal values it compares the names."""
    return (max if root.is_max else min)((ALPHA_BETA(child, -inf, inf), child.name) for child in root.children)


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
        # Once a win closes the root's window, what a search returns depends on how it tests, and whether it goes on.
        Mistake(
            *LAST_OF_EQUALS,
            best_move_with(better=as_good),
            also=(
                best_move_with(searching(**ASKING_BOUNDS), better=as_good),
                best_move_with(better=as_good, stops=True),
                best_move_with(better=as_good, narrows=False),
                best_move_with(better=as_good, plays_max=lambda node: True),
                best_move_with(searching(**ASKING_BOUNDS), better=as_good, plays_max=lambda node: True),
            ),
        ),
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
            "the name decides",
            "pairs (value, name) are compared whole, so that of equally good children the name decides",
            "What does Python compare in two pairs whose values are the same?",
            best_of_pairs,
        ),
        Mistake(
            "the leaf's name",
            "the name is that of the leaf that the value comes from, and not of a child of the root",
            "Your search hands a name up from node to node. Whose name should the root return?",
            the_leaf(first=False),
            also=(the_leaf(first=True),),
        ),
        Mistake(
            "one name for all nodes",
            "there is one name for all nodes, and nodes further down write over it",
            "Who writes the name down: the root alone, or every node that finds something better?",
            one_name_for_all,
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
        known("minimax", best_move_with(searching(cuts=never))),
        known("strict", best_move_with(searching(cuts=strictly))),
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
    run=partial(chosen, form=value_and_name, expected="a pair (value, name of a child), as (3, '0')"),
    expected="a function that returns (value, name)",
    shown=shown,
    right_run=trace,
)
