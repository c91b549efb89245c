"""More known mistakes of alpha-beta: windows that are handed on wrongly, and bounds that are returned for values."""

from collections.abc import Callable
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises.mistakes import ASKING_BOUNDS, Bounds, Mistake, mistake_with, never, searching, start

# windows


def unmoved(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return alpha, beta


def assigned(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (bv, beta) if is_max else (alpha, bv)


def only_alpha(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, beta)


def only_beta(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (alpha, beta) if is_max else (alpha, min(beta, bv))


def alpha_assigned(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (bv, beta) if is_max else (alpha, min(beta, bv))


def beta_assigned(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, bv)


def full(*_: Any) -> Bounds:
    return -inf, inf


def at_max(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return is_max and bv >= beta


def at_min(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return not is_max and bv <= alpha


def met_at_max(alpha: Number, beta: Number, is_max: bool) -> bool:
    return is_max and alpha >= beta


def met_at_min(alpha: Number, beta: Number, is_max: bool) -> bool:
    return not is_max and alpha >= beta


def following(node: Any, alpha: Number, beta: Number) -> Number:
    """α and β are what the child searched last has returned."""
    if node.is_leaf:
        return node.value  # type: ignore[no-any-return]
    bv = start(node.is_max)
    for child in node.children:
        value = following(child, alpha, beta)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (value, beta) if node.is_max else (alpha, value)
        if alpha >= beta:
            break
    return bv


def crosswise(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return beta, alpha


def changing_places(node: Any, alpha: Number, beta: Number) -> Number:
    return searching()(node, beta, alpha)  # type: ignore[no-any-return]


# values


def own_bound(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return max(value, alpha) if is_max else min(value, beta)


def others_bound(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(value, beta) if is_max else max(value, alpha)


def always_alpha(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return max(value, alpha) if is_max else alpha


def always_beta(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return beta if is_max else min(value, beta)


def hard_at_max(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(max(value, alpha), beta) if is_max else value


def hard_at_min(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return value if is_max else min(max(value, alpha), beta)


def negamax(node: Any, alpha: Number, beta: Number) -> Number:
    if node.is_leaf:
        return node.value if node.is_max else -node.value  # type: ignore[no-any-return]
    return _from_the_mover(negamax, node, alpha, beta)


def leaves_unturned(node: Any, alpha: Number, beta: Number) -> Number:
    if node.is_leaf:
        return node.value  # type: ignore[no-any-return]
    return _from_the_mover(leaves_unturned, node, alpha, beta)


def _from_the_mover(search: Callable[..., Number], node: Any, alpha: Number, beta: Number) -> Number:
    bv = -inf
    for child in node.children:
        bv = max(bv, -search(child, -beta, -alpha))
        alpha = max(alpha, bv)
        if alpha >= beta:
            break
    return bv


# With the test α ≥ β every node returns after its first child, as in another mistake: only the names tell them apart.
BACKWARDS = Mistake(
    "α and β change places",
    "what it is handed as α it takes for β, and the other way round: it is called as f(node, α, β), by place",
    "Do your parameters stand in the order in which it is called? If so: with which does a MAX node compare bv?",
    changing_places,
)

FAIL_HARD_HINT = "A node's best value lies outside its window. What does the exercise want it to return?"

WINDOW = (
    mistake_with(
        "the window never narrows",
        "α and β are handed down, but no node ever moves one of them",
        "A MAX node has found a move worth 3. Which of the two numbers that its next child is handed can now change?",
        narrow=unmoved,
    ),
    mistake_with(
        "a full window for every child",
        "every child is searched with the window (−∞, ∞), whatever its parent knows",
        "A node has α and β, and a child asks for an α and a β. What does yours hand it?",
        hand_down=full,
    ),
    mistake_with(
        "a bound assigned",
        "α becomes bv (or β does) even where that moves it back",
        "α comes from further up, and bv is worse than it. Is what was assured up there gone?",
        {"narrow": alpha_assigned},
        {"narrow": beta_assigned},
        narrow=assigned,
    ),
    Mistake(
        "the last child's value for a bound",
        "α or β becomes what the last child has returned, and not the best so far",
        "Two children of a MAX node are worth 5 and then 2. What is MAX assured of?",
        following,
    ),
    mistake_with(
        "β never falls",
        "α rises at MAX nodes, but β stays what it was",
        "Which bound says what MIN is assured of, and at which nodes does it move?",
        ASKING_BOUNDS | {"narrow": only_alpha},
        narrow=only_alpha,
    ),
    mistake_with(
        "α never rises",
        "β falls at MIN nodes, but α stays what it was",
        "Which bound says what MAX is assured of, and at which nodes does it move?",
        ASKING_BOUNDS | {"narrow": only_beta},
        narrow=only_beta,
    ),
    mistake_with(
        "only MAX cuts",
        "a MIN node never cuts",
        "When has a MIN node seen enough?",
        {"cuts": never, "meets": met_at_max},
        cuts=at_max,
    ),
    mistake_with(
        "only MIN cuts",
        "a MAX node never cuts",
        "When has a MAX node seen enough?",
        {"cuts": never, "meets": met_at_min},
        cuts=at_min,
    ),
    BACKWARDS,
    mistake_with(
        "α and β change places in the call",
        "a node hands its children β where α should stand, and α where β should stand",
        "In which order does your function take its bounds, and in which order does it hand them to itself?",
        ASKING_BOUNDS | {"hand_down": crosswise},
        hand_down=crosswise,
    ),
    mistake_with(
        "its own bound returned",
        "a MAX node returns α where bv is less, and a MIN node β where bv is more",
        FAIL_HARD_HINT,
        returned=own_bound,
    ),
    mistake_with(
        "one bound returned by both players",
        "every node returns α (or every node β), whoever moves there",
        "Which of the two bounds does a MIN node move, and which a MAX node? Which of them holds what it has found?",
        {"returned": always_beta},
        returned=always_alpha,
    ),
    mistake_with(
        "the bound returned at a cut",
        "a node that cuts returns the bound that it has reached",
        FAIL_HARD_HINT,
        returned=others_bound,
    ),
    mistake_with(
        "fail-hard at MAX", "only MAX nodes clamp what they return to the window", FAIL_HARD_HINT, returned=hard_at_max
    ),
    mistake_with(
        "fail-hard at MIN", "only MIN nodes clamp what they return to the window", FAIL_HARD_HINT, returned=hard_at_min
    ),
    Mistake(
        "negamax",
        "values are the mover's, as in negamax; the exercise wants MAX's, also where MIN moves",
        "Try a tree at whose root MIN moves. Whose value do you return?",
        negamax,
        also=(leaves_unturned,),
    ),
)
