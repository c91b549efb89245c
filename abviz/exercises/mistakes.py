"""Known mistakes: wrong searches, each with its name, so that a student's can be told which of them it behaves like.

Most are the search below with one thing done differently. (It is written out here and not taken from
`abviz.algorithms`, because it has to be wrong in places where that one cannot be.)
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from abviz.game import Number

Bounds = tuple[Number, Number]


def order(children: Any) -> Any:
    return children


def plays_max(node: Any, depth: int) -> bool:
    return bool(node.is_max)


def start(is_max: bool) -> Number:
    return -inf if is_max else inf


def hand_down(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return alpha, beta


def cuts(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv >= beta if is_max else bv <= alpha


def narrow(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))


def hand_up(bv: Number, alpha: Number, beta: Number) -> Number:
    return bv


def returned(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return value


RIGHT: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (order, plays_max, start, hand_down, cuts, narrow, hand_up, returned)
}


def searching(**wrong: Callable[..., Any]) -> Callable[..., Any]:
    """Alpha-beta, but for what is told."""
    do = RIGHT | wrong

    def search(node: Any, alpha: Number, beta: Number, depth: int = 0) -> Number:
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        is_max = do["plays_max"](node, depth)
        bv = do["start"](is_max)
        window = alpha, beta
        for child in do["order"](node.children):
            low, high = do["hand_down"](alpha, beta, bv, is_max, depth)
            value = search(child, low, high, depth + 1)
            bv = max(bv, value) if is_max else min(bv, value)
            if do["cuts"](bv, *window, is_max):
                break
            alpha, beta = do["narrow"](alpha, beta, bv, is_max)
        return do["returned"](do["hand_up"](bv, *window), *window, is_max)  # type: ignore[no-any-return]

    return search


@dataclass(frozen=True)
class Mistake:
    """A wrong search: f(node, alpha, beta). It is told by its name; the hint does not give the answer away."""

    name: str
    says: str  # what it does
    hint: str
    function: Callable[..., Any]
    wrong: dict[str, Callable[..., Any]] = field(default_factory=dict)  # what of `searching` it does differently
    also: tuple[Callable[..., Any], ...] = ()  # other ways to make the same mistake, which do other things

    @property
    def forms(self) -> tuple[Callable[..., Any], ...]:
        return self.function, *self.also


def without_bounds(search: Callable[..., Any]) -> Callable[..., Any]:
    return lambda node: search(node, -inf, inf)


def _with(name: str, says: str, hint: str, **wrong: Callable[..., Any]) -> Mistake:
    return Mistake(name, says, hint, searching(**wrong), wrong)


def _as_minimax(mistake: Mistake) -> Mistake | None:
    """The same in a search that never cuts; None where it is about bounds."""
    if not mistake.wrong.keys() & {"order", "plays_max", "start"}:
        return None
    return replace(mistake, function=without_bounds(searching(**mistake.wrong | {"cuts": never})))


def strictly(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv > beta if is_max else bv < alpha


def never(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return False


def only_parents(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return (bv, inf) if is_max else (-inf, bv)


def full_at_root(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return (-inf, inf) if depth == 0 else (alpha, beta)


def kept(node: Any, alpha: Number, beta: Number) -> Number:
    """Bounds passed up and kept: a child's α and β become its parent's."""

    def search(node: Any, alpha: Number, beta: Number) -> tuple[Number, Number, Number]:
        if node.is_leaf:
            return node.value, alpha, beta
        bv = start(node.is_max)
        for child in node.children:
            value, alpha, beta = search(child, alpha, beta)
            bv = max(bv, value) if node.is_max else min(bv, value)
            alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
            if alpha >= beta:
                break
        return bv, alpha, beta

    return search(node, alpha, beta)[0]


def shared_alpha(node: Any, alpha: Number, beta: Number) -> Number:
    """One α for all nodes, never put back; β is handed down as it should be."""
    everywhere = alpha

    def search(node: Any, beta: Number) -> Number:
        nonlocal everywhere
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        bv = start(node.is_max)
        for child in node.children:
            value = search(child, beta)
            bv = max(bv, value) if node.is_max else min(bv, value)
            if node.is_max:
                everywhere = max(everywhere, bv)
            else:
                beta = min(beta, bv)
            if everywhere >= beta:
                break
        return bv

    return search(node, beta)


ALPHABETA = (
    _with(
        "strict",
        "it cuts only when bv is strictly beyond the bound (>, <), and not when it equals it",
        "What could the other player gain here, if bv and the bound are the same number?",
        cuts=strictly,
    ),
    _with(
        "minimax",
        "it never cuts: it reads every leaf, as minimax does",
        "When does a node know enough to leave the rest of its children alone?",
        cuts=never,
    ),
    _with(
        "only the parent's bound",
        "a node is handed no bound but that of its parent, so there are no deep cuts",
        "Look at the window of a node three moves down. Who, further up, has been assured of something already?",
        hand_down=only_parents,
    ),
    Mistake(
        "bounds kept",
        "the α and β of a child are kept by its parent after it has returned",
        "A bound holds on the path from the root. Is a child that has returned still on the path?",
        kept,
    ),
    Mistake(
        "one α for all",
        "there is one α for all nodes, which is never put back",
        "What should α be when the search comes to a node's next child?",
        shared_alpha,
    ),
    _with(
        "MAX and MIN swapped",
        "at every node MIN chooses where MAX should, and MAX where MIN should",
        "At a MAX node, does the largest or the smallest value come up?",
        plays_max=lambda node, depth: not node.is_max,
    ),
    _with(
        "MAX and MIN swapped below the root",
        "the root chooses rightly, but below it MAX and MIN are swapped",
        "Who moves after the first move? Follow one path down and name the player at each node.",
        plays_max=lambda node, depth: bool(node.is_max) == (depth == 0),
    ),
    _with(
        "always from MAX",
        "it takes the root for MAX's, and turns to the other player at every move, whoever is to move",
        "How does a node say whose move it is?",
        plays_max=lambda node, depth: depth % 2 == 0,
    ),
    _with(
        "one child early",
        "it leaves the last child of every node out",
        "How many children does the loop look at, if there are three?",
        order=lambda children: children[:-1] if len(children) > 1 else children,
    ),
    _with(
        "the first child only",
        "it returns as soon as a node's first child has returned",
        "How often does the loop run, if there are three children? Look at where your return stands.",
        order=lambda children: children[:1],
    ),
    _with(
        "children sorted",
        "it searches the leaves of a node in the order of their values, and not from left to right",
        "In which order does the exercise want the children?",
        order=lambda children: sorted(children, key=lambda child: child.value if child.is_leaf else inf),
    ),
    _with(
        "right to left",
        "it searches the children from right to left",
        "In which order does the exercise want the children?",
        order=lambda children: children[::-1],
    ),
    _with(
        "0 to begin with",
        "the best value begins with 0, which may be better than all children",
        "What is the best of no values at all? Try a tree in which every leaf is below 0, then one with all above.",
        start=lambda is_max: 0,
    ),
    _with(
        "−1 to begin with",
        "the best value begins with −1, which may be better than all children",
        "What is the best of no values at all? Try a tree whose leaves are −5 and −3.",
        start=lambda is_max: -1,
    ),
    _with(
        "the bound returned",
        "a node returns its value clamped to the window (fail-hard), where the exercise asks for the value found",
        "What does a node know when its best value lies outside its window, and what does it return?",
        hand_up=lambda bv, alpha, beta: min(max(bv, alpha), beta),
    ),
    _with(
        "a full window at every root move",
        "every move of the root is searched with the full window, so nothing is learnt from one for the next",
        "What does the root know when it comes to its second move?",
        hand_down=full_at_root,
    ),
)


# Those that a minimax can make as well, and one of its own.
MINIMAX = (
    *(mistake for mistake in (_as_minimax(each) for each in ALPHABETA) if mistake),
    Mistake(
        "it cuts",
        "it leaves children out as alpha-beta does, where minimax reads every leaf",
        "Minimax knows no bounds. Which leaves does it read?",
        without_bounds(searching()),
    ),
)
