"""The exercise on negamax: every number is that of the player who moves."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises import stubs
from abviz.exercises.mistakes import Bounds, Mistake, searching
from abviz.exercises.searches import Exercise
from abviz.exercises.writing import CASES, take_turns, taken
from abviz.tracing.traces import trace


def from_the_mover(search: Callable[..., Any]) -> Callable[..., Any]:
    """A search from MAX's side as one from the side of the player who moves at the root."""

    def turned(node: Any, alpha: Number, beta: Number) -> Any:
        return search(node, alpha, beta) if node.is_max else -search(node, -beta, -alpha)

    return turned


def negamax_with(
    worth: Callable[[Any], Number] = lambda node: node.value if node.is_max else -node.value,
    handed: Callable[..., Bounds] = lambda alpha, beta, window: (-beta, -alpha),
    taken_back: Callable[[Number], Number] = lambda value: -value,
    better: Callable[..., Number] = lambda node, best, value: max(best, value),
    reached: Callable[[Number, Number], Number] = lambda best, alpha: best,
) -> Callable[..., Any]:
    """Negamax, but for what is told."""

    def search(node: Any, alpha: Number, beta: Number) -> Number:
        if node.is_leaf:
            return worth(node)
        best, window = -inf, (alpha, beta)
        for child in node.children:
            best = better(node, best, taken_back(search(child, *handed(alpha, beta, window))))
            if reached(best, alpha) >= beta:
                break
            alpha = max(alpha, best)
        return best

    return search


ALSO = "strict", "minimax", "right to left", "one child early", "the bound returned", "its own bound returned"

NEGAMAX = Exercise(
    "negamax",
    from_the_mover(searching()),
    CASES,
    (
        Mistake(
            "leaves from MAX's side",
            "a leaf's value is returned as it stands, from MAX's side, whoever is to move there",
            "Values are MAX's. Who is to move at the leaf, and what is it worth to that player?",
            negamax_with(worth=lambda node: node.value),
        ),
        Mistake(
            "leaves from MIN's side",
            "leaves where MAX is to move have their sign changed, and the others not",
            "Values are MAX's. At which leaves does the player to move see them the other way round?",
            negamax_with(worth=lambda node: -node.value if node.is_max else node.value),
        ),
        Mistake(
            "value not turned",
            "what a child returns is taken as it is, although it is worth that to the other player",
            "A child returns what it is worth to the player who moves there. What is that worth to you?",
            negamax_with(taken_back=lambda value: value),
        ),
        Mistake(
            "window not turned",
            "a child is handed α and β as its parent has them",
            "You are sure of α. To the other player, is that a lower or an upper bound, and on what number?",
            negamax_with(handed=lambda alpha, beta, window: (alpha, beta)),
        ),
        Mistake(
            "window turned but not swapped",
            "a child is handed (−α, −β), in which the larger number comes first",
            "Write the window (2, 5) down as the other player sees it: which number is the lower one?",
            negamax_with(handed=lambda alpha, beta, window: (-alpha, -beta)),
        ),
        Mistake(
            "window swapped but not turned",
            "a child is handed (β, α), each with its old sign",
            "Write the window (2, 5) down as the other player sees it: what signs have the two numbers?",
            negamax_with(handed=lambda alpha, beta, window: (beta, alpha)),
        ),
        Mistake(  # with the test α ≥ β both of them return after the first child, and nobody can tell which it is
            "window turned or swapped, and not both",
            "a child is handed a window in which the larger number comes first: (−α, −β), or (β, α)",
            "Write the window (2, 5) down as the other player sees it: which number comes first, and with which sign?",
            negamax_with(handed=lambda alpha, beta, window: (beta, alpha), reached=max),
        ),
        Mistake(
            "α not handed on",
            "children are handed the α with which their parent began, and not what it has found since",
            "After the first child you are sure of something. Where does the second child hear of it?",
            negamax_with(handed=lambda alpha, beta, window: (-beta, -window[0])),
        ),
        Mistake(
            "MIN minimises",
            "at MIN nodes the least is taken, although every value there is MIN's own",
            "If each value is what the player to move gets out of it, which one does that player want?",
            negamax_with(
                better=lambda node, best, value: max(best, value) if node.is_max or best == -inf else min(best, value)
            ),
        ),
        Mistake(
            "from MAX's side",
            "it returns what the root is worth to MAX, where MIN is to move as well",
            "Call it on a tree in which MIN moves first. For whom should a high number be good?",
            searching(),
        ),
        *(
            replace(mistake, function=from_the_mover(mistake.function), also=tuple(map(from_the_mover, mistake.also)))
            for mistake in taken(ALSO)
        ),
        *taken(("always from MAX",)),
        Mistake(
            "0 to begin with",
            "the best value begins with 0, which may be better than all children",
            "What is the best of no values at all? Try a tree whose leaves are all bad for the player to move.",
            from_the_mover(searching(start=lambda is_max: 0)),
        ),
    ),
    (
        "Every number is said by the player to move: value, α, β and what is returned. Write that beside each.",
        "What is good for one player is as bad for the other: where a number passes from one to the other, it turns.",
        "Three things pass between a node and its child: α, β and the value. How does each change on the way?",
        "A leaf is the only place where a number of MAX's comes in. Who is to move there?",
    ),
    stubs.NEGAMAX,
    fits=take_turns,
    right_run=trace,
)
