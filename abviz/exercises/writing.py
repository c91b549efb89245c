"""The exercises that ask for the value of a tree: minimax, alpha-beta in one function and in two, fail-hard."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises import stubs
from abviz.exercises.known_mistakes import ALPHABETA, MINIMAX
from abviz.exercises.mistakes import Mistake, never, searching, without_bounds
from abviz.exercises.searches import Case, Exercise, with_window
from abviz.exercises.window_mistakes import others_bound, own_bound
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Tree

CASES = (with_window(-inf, inf), with_window(0, 1), with_window(-2, 3))


WRITE_MINIMAX = Exercise(
    "minimax",
    without_bounds(searching(cuts=never)),
    (Case(),),
    MINIMAX,
    (
        "What is the value of a leaf? And of a node whose children are leaves?",
        "The same question is asked at every node. Who can answer it for a child?",
        "Values are MAX's. Which of its children's values comes up to a MAX node, and which to a MIN node?",
    ),
    stubs.MINIMAX,
    right_run=partial(trace, search=algorithms.minimax),
)

WRITE_ALPHABETA = Exercise(
    "alphabeta",
    searching(),
    CASES,
    ALPHABETA,
    (
        "Begin with your minimax, and let α and β only go down with it. Nothing changes so far.",
        "Which of the two bounds can a MAX node move, when, and who is the next to hear of it?",
        "When is the rest of a node's children of no interest to the player who moved there?",
        "α and β belong to the path from the root: what a node changes is for its own later children.",
    ),
    stubs.ALPHABETA,
    right_run=trace,
)


def taken(names: tuple[str, ...], **wrong: Callable[..., Any]) -> tuple[Mistake, ...]:
    """Mistakes of alpha-beta, with one more thing done differently."""
    mistakes = {each.name: each for each in ALPHABETA}
    if not wrong:
        return tuple(mistakes[name] for name in names)
    taken = []
    for name in names:
        function, *also = (searching(**wrong | each) for each in mistakes[name].wrongs)
        taken.append(replace(mistakes[name], function=function, also=tuple(also)))
    return tuple(taken)


def take_turns(tree: Tree) -> bool:
    return all(child.is_max != node.is_max for node in tree.nodes for child in node.children)


# two functions


def one_of_two(answer: Any) -> Callable[..., Any] | None:
    """The search that a pair (max_value, min_value) is, or the outer function that calls the two."""
    if callable(answer):
        return answer  # type: ignore[no-any-return]
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not all(map(callable, answer)):
        return None
    max_value, min_value = answer

    def begins_with(root: Any) -> Callable[..., Any]:
        return max_value if root.is_max else min_value  # type: ignore[no-any-return]

    def two_functions(node: Any, alpha: Number, beta: Number) -> Any:
        return begins_with(node)(node, alpha, beta)

    two_functions.begins_with = begins_with  # type: ignore[attr-defined]
    return two_functions


def each_calls_itself(node: Any, alpha: Number, beta: Number) -> Any:
    return searching(plays_max=lambda _, depth: node.is_max)(node, alpha, beta)


TWO_FUNCTIONS = Exercise(
    "two-functions",
    searching(),
    CASES,
    (
        Mistake(
            "each calls itself",
            "max_value calls max_value and min_value calls min_value, so that one player makes all moves",
            "Whose move is it at a child of a MAX node?",
            each_calls_itself,
        ),
        Mistake(
            "min_value calls itself",
            "below a MIN node MIN makes all moves",
            "Whose move is it at a child of a MIN node? Compare the calls in your two functions.",
            searching(plays_max=lambda node, depth: node.is_max and depth == 0),
        ),
        Mistake(
            "max_value calls itself",
            "below a MAX node MAX makes all moves",
            "Whose move is it at a child of a MAX node? Compare the calls in your two functions.",
            searching(plays_max=lambda node, depth: node.is_max or depth > 0),
        ),
        Mistake(
            "no window handed on",
            "every child is searched with the window (−∞, ∞), whatever its parent knows",
            "A node has α and β, and a child asks for an α and a β. What does yours hand it?",
            searching(hand_down=lambda *_: (-inf, inf)),
        ),
        Mistake(
            "the test of MAX in min_value",
            "min_value ends when bv ≥ β, as max_value does",
            "At which bound may MIN stop: what has MAX been assured of, further up?",
            searching(cuts=lambda bv, alpha, beta, is_max: bv >= beta),
        ),
        Mistake(
            "the start of MAX in min_value",
            "the best value of min_value begins with −∞, as that of max_value does",
            "What is the worst that can happen to MIN? That is what it has before it has seen any child.",
            searching(start=lambda is_max: -inf),
        ),
        Mistake(
            "the bound of MAX in min_value",
            "min_value raises α, as max_value does, and β never falls",
            "Which of the two bounds says what MIN is assured of, and in which direction can it move?",
            searching(narrow=lambda alpha, beta, bv, is_max: (max(alpha, bv), beta)),
        ),
        *taken(
            (
                *("strict", "strict for one player", "minimax", "only the parent's bound", "bounds kept"),
                *("the other's bound moved", "β never falls", "α never rises", "MAX and MIN swapped"),
                *("one child early", "right to left", "0 to begin with", "−1 to begin with"),
                *("the bound returned", "its own bound returned"),
            )
        ),
    ),
    (
        "Write max_value alone first, and let it read leaves only: no bounds, no min_value.",
        "min_value is max_value in a mirror. Put the two side by side: what has turned round in each line?",
        "α and β go down unchanged but for what a node has found itself. Which of the two can a MAX node move?",
        "The test in each function asks about the bound that the other player holds.",
    ),
    stubs.TWO_FUNCTIONS,
    fits=take_turns,
    function=one_of_two,
    expected="a pair of functions (max_value, min_value)",
    right_run=trace,
)

# fail-hard


def clamped(bv: Number, alpha: Number, beta: Number) -> Number:
    return min(max(bv, alpha), beta)


def at_its_own_end(node: Any, alpha: Number, beta: Number) -> Any:
    value = searching()(node, alpha, beta)
    return max(value, alpha) if node.is_max else min(value, beta)


def at_the_others_end(node: Any, alpha: Number, beta: Number) -> Any:
    value = searching()(node, alpha, beta)
    return min(value, beta) if node.is_max else max(value, alpha)


def at_the_wrong_end(bv: Number, alpha: Number, beta: Number) -> Number:
    return beta if bv <= alpha else alpha if bv >= beta else bv


FAIL_HARD = Exercise(
    "fail-hard",
    searching(hand_up=clamped),
    CASES,
    (
        Mistake(
            "fail-soft",
            "a node returns the best value it has found, also where that lies outside its window",
            "Your search is called with the window (0, 1). Which numbers may a fail-hard search return then?",
            searching(),
        ),
        Mistake(
            "clamped where it cannot cut",
            "values that do not reach up to the node's own bound are clamped, and those that cut are not",
            "A value can leave the window at two ends. What does yours return when it cuts?",
            at_its_own_end,
            also=(searching(returned=own_bound),),
        ),
        Mistake(
            "clamped where it cuts",
            "values that cut are clamped, and those that fall short of the node's own bound are not",
            "A value can leave the window at two ends. What does yours return when no child is good enough?",
            at_the_others_end,
            also=(searching(returned=others_bound),),
        ),
        Mistake(
            "the wrong bound",
            "a value beyond one bound is answered with the other one",
            "bv lies below α. Which number in the window is nearest to it?",
            searching(hand_up=at_the_wrong_end),
        ),
        Mistake(
            "always a bound",
            "a value inside the window is answered with a bound as well",
            "bv lies between α and β. What is known of the node's value then?",
            searching(hand_up=lambda bv, alpha, beta: beta if bv >= beta else alpha),
        ),
        *taken(
            (
                *("strict", "minimax", "only the parent's bound", "MAX and MIN swapped"),
                *("one child early", "right to left", "0 to begin with"),
            ),
            hand_up=clamped,
        ),
    ),
    (
        "Fail-hard and fail-soft read the same leaves. Only what a node hands up may differ.",
        "A fail-hard search never returns a number outside the window that it was called with.",
        "α or β may have moved since the node was entered. Which window counts?",
    ),
    stubs.FAIL_HARD,
    right_run=partial(trace, rules=Rules(fail_hard=True)),
)
