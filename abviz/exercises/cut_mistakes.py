"""Known mistakes of alpha-beta: cuts that come too late or never, and bounds that are not the node's own."""

from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises.mistakes import (
    ASKING_BOUNDS,
    Bounds,
    Mistake,
    choose,
    cuts,
    mistake_with,
    never,
    searching,
    start,
    strict_at_max,
    strict_at_min,
    strictly,
)


def too_early(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv <= beta if is_max else bv >= alpha


def not_yet_met(alpha: Number, beta: Number, is_max: bool) -> bool:
    return alpha <= beta


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


def all_children_first(node: Any, alpha: Number, beta: Number) -> Number:
    if node.is_leaf:
        return node.value  # type: ignore[no-any-return]
    bv = start(node.is_max)
    for value in [all_children_first(child, alpha, beta) for child in node.children]:
        bv = choose(bv, value, node.is_max)
        if cuts(bv, alpha, beta, node.is_max):
            break
    return bv


def others_moved(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (alpha, min(beta, bv)) if is_max else (max(alpha, bv), beta)


def moving_the_others(node: Any, alpha: Number, beta: Number) -> Number:
    """It asks for the bound that it has moved itself."""
    if node.is_leaf:
        return node.value  # type: ignore[no-any-return]
    bv = start(node.is_max)
    for child in node.children:
        bv = choose(bv, moving_the_others(child, alpha, beta), node.is_max)
        if cuts(bv, alpha, beta, node.is_max):
            break
        alpha, beta = others_moved(alpha, beta, bv, node.is_max)
    return bv


def bv_for_bound(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return (bv, beta) if is_max else (alpha, bv)


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


CUTS = (
    mistake_with(
        "strict",
        "it cuts only when bv is strictly beyond the bound (>, <), and not when it equals it",
        "What could the other player gain here, if bv and the bound are the same number?",
        cuts=strictly,
    ),
    mistake_with(
        "strict for one player",
        "one player cuts when bv equals the bound, too (≥, ≤), and the other one only when it is beyond it (>, <)",
        "Put your two tests side by side. What does each of them do if bv and the bound are the same number?",
        {"cuts": strict_at_max},
        cuts=strict_at_min,
    ),
    mistake_with(
        "the test turned round",
        "it goes on where it should cut, and leaves where it should go on",
        "Write down α, β and bv after the first child of the root. Should the second child be searched, and is it?",
        {"cuts": never, "meets": not_yet_met},
        cuts=too_early,
    ),
    mistake_with(
        "minimax",
        "it never cuts: it reads every leaf, as minimax does",
        "When does a node know enough to leave the rest of its children alone?",
        reads_once=True,  # who has read all leaves, to put them in order, may well cut when it searches
        cuts=never,
    ),
    Mistake(
        "cuts too late",
        "all children of a node are searched before it is asked for the first time whether it may cut",
        "When has a node's second child been searched, and when do you look at what the first one has returned?",
        all_children_first,
    ),
    mistake_with(
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
    Mistake(
        "the other's bound moved",
        "a MAX node moves β, or a MIN node α, and not the bound that is its own",
        "Which of the two bounds says what MAX is assured of, and which what MIN is? Who can make each of them better?",
        searching(**ASKING_BOUNDS | {"narrow": others_moved}),
        also=(searching(narrow=others_moved), moving_the_others),
    ),
    mistake_with(
        "bv handed down for a bound",
        "a child is handed the bv of its parent for α (or for β), also where the bound from further up is better",
        "bv of a MAX node is −∞ before its first child. Is MAX assured of no more than that, there?",
        hand_down=bv_for_bound,
    ),
    mistake_with(
        "a full window at every root move",
        "every move of the root is searched with the full window, so nothing is learnt from one for the next",
        "What does the root know when it comes to its second move?",
        hand_down=full_at_root,
    ),
    mistake_with(
        "the bound returned",
        "a node returns its value clamped to the window (fail-hard), where the exercise asks for the value found",
        "What does a node know when its best value lies outside its window, and what does it return?",
        hand_up=lambda bv, alpha, beta: min(max(bv, alpha), beta),
    ),
)
