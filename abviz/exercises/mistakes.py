"""Known mistakes of minimax and alpha-beta: a search with a switch for each, and a table of names.

A wrong answer is compared with every row of an exercise's table, then with every pair of rows: its behaviour has the
name of a mistake only where value and leaves are the same, in order, on the whole sample of trees.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any

from abviz.errors import Number

Bounds = tuple[Number, Number]
Faults = dict[str, Any]  # keyword arguments of an exercise's search
Search = Callable[..., Any]


# the search, as it should be


def best_of(bv: Number, value: Number, is_max: bool) -> Number:
    return max(bv, value) if is_max else min(bv, value)


def reached(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own >= beta if is_max else own <= alpha


def narrow(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))


def searching(
    *,
    order: Callable[[Any], Any] = lambda children: children,
    plays_max: Callable[[Any, bool | None], bool] = lambda node, above: node.is_max,  # above: what its parent plays
    start: Callable[[bool], Number] = lambda is_max: -inf if is_max else inf,
    hand_down: Callable[..., Bounds] = lambda alpha, beta, bv, is_max, above: (alpha, beta),
    gather: Callable[[Iterator[Number]], Any] = iter,  # the children's values, one at a time or all at once
    keep: Callable[[Bounds, Bounds], Bounds] = lambda own, childs: own,  # which bounds hold after a child returns
    choose: Callable[[Number, Number, bool], Number] = best_of,
    meets: Callable[[Number, Number, Number, bool], bool] = reached,  # the test that cuts
    asks_bounds: bool = False,  # False: test bv, then update the bounds. True: update them, then test α ≥ β
    narrow: Callable[..., Bounds] = narrow,
    returned: Callable[[Number, Number, Number, bool], Number] = lambda bv, alpha, beta, is_max: bv,
    instead: Search | None = None,  # another search altogether
) -> Search:
    """Return alpha-beta, f(node, alpha, beta), or with a switch turned one of the ways to get it wrong."""
    if instead:
        return instead
    left: Bounds = -inf, inf  # the bounds of the node that has just returned

    def search(node: Any, alpha: Number, beta: Number, above: bool | None = None) -> Number:
        nonlocal left
        left = window = alpha, beta
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        is_max = plays_max(node, above)
        bv = start(is_max)
        children = (search(child, *hand_down(alpha, beta, bv, is_max, above), is_max) for child in order(node.children))
        for value in gather(children):
            alpha, beta = keep((alpha, beta), left)
            bv = choose(bv, value, is_max)
            if not asks_bounds and meets(bv, alpha, beta, is_max):
                break
            alpha, beta = narrow(alpha, beta, bv, value, is_max)
            if asks_bounds and meets(alpha if is_max else beta, alpha, beta, is_max):
                break
        left = alpha, beta
        return returned(bv, *window, is_max)

    return search


def without_bounds(search: Search) -> Search:
    return lambda node: search(node, -inf, inf)


def minimax_with(**faults: Any) -> Search:
    return without_bounds(searching(**{"meets": never} | faults))


# the table


@dataclass(frozen=True)
class Mistake:
    """A known mistake: `says` continues "It looks as if"; the hint does not give the answer away."""

    name: str
    says: str
    hint: str
    forms: tuple[Faults, ...]  # several ways to make it, which behave differently
    reads_once: bool = False  # whether the name is wrong for an answer that reads a leaf again


def mistake(name: str, says: str, hint: str, *forms: Faults, reads_once: bool = False, **faults: Any) -> Mistake:
    """Return a row: the faults of its usual form by keyword, other forms before them."""
    return Mistake(name, says, hint, ((faults,) if faults else ()) + forms, reads_once)


def pair(one: Mistake, other: Mistake) -> Mistake | None:
    """Return both mistakes at once; None where no form of one leaves the switches of the other alone."""
    forms = [
        a | b
        for a in one.forms
        for b in other.forms
        if not a.keys() & b.keys() and "instead" not in a.keys() | b.keys()
    ]
    if not forms:
        return None
    return Mistake(f"{one.name}, and {other.name}", f"{one.says}, and {other.says}", one.hint, tuple(forms))


def pairs(mistakes: Sequence[Mistake]) -> list[tuple[Mistake, Mistake, Mistake]]:
    """Return every pair that can be made, the usual mistakes first: the pair, and its two rows."""
    ranked = sorted(combinations(range(len(mistakes)), 2), key=sum)
    rows = [(pair(mistakes[i], mistakes[j]), mistakes[i], mistakes[j]) for i, j in ranked]
    return [(both, one, other) for both, one, other in rows if both]


def named(mistakes: Sequence[Mistake], *names: str) -> tuple[Mistake, ...]:
    by_name = {each.name: each for each in mistakes}
    return tuple(by_name[name] for name in names)


# tests that cut


def never(*_: Any) -> bool:
    return False


def beyond(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own > beta if is_max else own < alpha


def short_of(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own <= beta if is_max else own >= alpha


def _one_player(at_max: Callable[..., bool], at_min: Callable[..., bool]) -> Callable[..., bool]:
    return lambda own, alpha, beta, is_max: (at_max if is_max else at_min)(own, alpha, beta, is_max)


STRICT = mistake(
    "strict",
    "it cuts only where bv is beyond the bound (>, <), not where it equals it",
    "What could the other player still gain here if bv and the bound are the same number?",
    meets=beyond,
)
NEVER_CUTS = mistake(
    "minimax",
    "it never cuts and reads every leaf, as minimax does",
    "When does a node know enough to leave the rest of its children alone?",
    reads_once=True,  # an answer that reads all leaves to sort them may well cut afterwards
    meets=never,
)

CUTS = (
    STRICT,
    NEVER_CUTS,
    mistake(
        "strict for one player",
        "one player cuts where bv equals the bound (≥, ≤) and the other only where it is beyond it (>, <)",
        "Compare your two tests. What does each of them do if bv and the bound are the same number?",
        {"meets": _one_player(beyond, reached)},
        meets=_one_player(reached, beyond),
    ),
    mistake(
        "only MAX cuts",
        "a MIN node never cuts",
        "When has a MIN node seen enough?",
        meets=_one_player(reached, never),
    ),
    mistake(
        "only MIN cuts",
        "a MAX node never cuts",
        "When has a MAX node seen enough?",
        meets=_one_player(never, reached),
    ),
    mistake(
        "the test reversed",
        "it continues where it should cut, and cuts where it should continue",
        "Write down α, β and bv after the first child of the root. Should the second child be searched, and is it?",
        meets=short_of,
    ),
    mistake(
        "cuts too late",
        "it searches all children of a node before it first tests for a cut",
        "Which children of the node have been searched by the time you look at what the first one returned?",
        gather=list,
    ),
)


# values returned


def clamped(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(max(bv, alpha), beta)


def own_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return max(bv, alpha) if is_max else min(bv, beta)


def others_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(bv, beta) if is_max else max(bv, alpha)


OUTSIDE = "A node's best value lies outside its window. What does the exercise ask it to return?"

RETURNED = (
    mistake(
        "its own bound returned",
        "a MAX node returns α where its best value is less, and a MIN node β where its best value is more",
        OUTSIDE,
        returned=own_bound,
    ),
    mistake(
        "the bound returned",
        "a node returns its best value clamped to the window (fail-hard) where the exercise asks for the value itself",
        OUTSIDE,
        returned=clamped,
    ),
    mistake(
        "the bound returned at a cut",
        "a node that cuts returns the bound it has reached",
        OUTSIDE,
        returned=others_bound,
    ),
    mistake(
        "fail-hard for one player",
        "only one player's nodes clamp what they return to the window",
        OUTSIDE,
        {"returned": lambda bv, alpha, beta, is_max: bv if is_max else clamped(bv, alpha, beta, is_max)},
        returned=lambda bv, alpha, beta, is_max: clamped(bv, alpha, beta, is_max) if is_max else bv,
    ),
    mistake(
        "one bound returned by both players",
        "every node returns α (or every node returns β), whoever moves there",
        "Which bound does a MAX node move, and which a MIN node? Which of them holds what the node has found?",
        {"returned": lambda bv, alpha, beta, is_max: beta if is_max else min(bv, beta)},
        returned=lambda bv, alpha, beta, is_max: max(bv, alpha) if is_max else alpha,
    ),
)


# windows


def _moved(at_max: Callable[..., Bounds] | None, at_min: Callable[..., Bounds] | None) -> Faults:
    """Return the fault of moving bounds so: at_max(alpha, beta, bv, value), as it should be for None."""

    def moved(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
        own = at_max if is_max else at_min
        return own(alpha, beta, bv, value) if own else narrow(alpha, beta, bv, value, is_max)

    return {"narrow": moved}


def _unmoved(alpha: Number, beta: Number, bv: Number, value: Number) -> Bounds:
    return alpha, beta


def _alpha_assigned(alpha: Number, beta: Number, bv: Number, value: Number) -> Bounds:
    return bv, beta


def _beta_assigned(alpha: Number, beta: Number, bv: Number, value: Number) -> Bounds:
    return alpha, bv


WINDOWS = (
    mistake(
        "the window never narrows",
        "α and β are handed down but no node ever moves one of them",
        "A MAX node has found a move worth 3. Which of the two numbers that its next child receives can now change?",
        _moved(_unmoved, _unmoved),
    ),
    mistake(
        "a full window for every child",
        "every child is searched with the window (−∞, ∞), whatever its parent knows",
        "A node has α and β, and its child asks for an α and a β. What do you pass?",
        hand_down=lambda *_: (-inf, inf),
    ),
    mistake(
        "a full window at every root move",
        "every move of the root is searched with the full window, so nothing learned from one helps the next",
        "What does the root know when it comes to its second move?",
        hand_down=lambda alpha, beta, bv, is_max, above: (-inf, inf) if above is None else (alpha, beta),
    ),
    mistake(
        "only the parent's bound",
        "a node receives no bound but its parent's, so there are no deep cuts",
        "Look at the window of a node three moves down. Who, further up, is already assured of something?",
        hand_down=lambda alpha, beta, bv, is_max, above: (bv, inf) if is_max else (-inf, bv),
    ),
    mistake(
        "bv handed down for a bound",
        "a child receives its parent's bv as α (or β), also where the bound from further up is better",
        "The bv of a MAX node is −∞ before its first child. Is MAX assured of no more than that there?",
        hand_down=lambda alpha, beta, bv, is_max, above: (bv, beta) if is_max else (alpha, bv),
    ),
    mistake(
        "β never falls",
        "α rises at MAX nodes but β never changes",
        "Which bound says what MIN is assured of, and at which nodes does it move?",
        _moved(None, _unmoved),
    ),
    mistake(
        "α never rises",
        "β falls at MIN nodes but α never changes",
        "Which bound says what MAX is assured of, and at which nodes does it move?",
        _moved(_unmoved, None),
    ),
    mistake(
        "a bound assigned",
        "α becomes bv (or β does) even where that moves it back",
        "α comes from further up and bv is worse than α. Has what was assured up there been lost?",
        _moved(_alpha_assigned, _beta_assigned),
        _moved(_alpha_assigned, None),
        _moved(None, _beta_assigned),
    ),
    mistake(
        "the last child's value for a bound",
        "α or β becomes what the last child returned, not the best so far",
        "Two children of a MAX node are worth 5 and then 2. What is MAX assured of?",
        _moved(lambda alpha, beta, bv, value: (value, beta), lambda alpha, beta, bv, value: (alpha, value)),
    ),
    mistake(
        "the other's bound moved",
        "a MAX node moves β, or a MIN node α, instead of its own bound",
        "Which bound says what MAX is assured of, and which what MIN is? Who can improve each of them?",
        _moved(
            lambda alpha, beta, bv, value: (alpha, min(beta, bv)),
            lambda alpha, beta, bv, value: (max(alpha, bv), beta),
        ),
    ),
    mistake(
        "bounds kept",
        "a parent keeps the α and β of its child after the child has returned",
        "A bound holds on the path from the root. Is a child that has returned still on the path?",
        keep=lambda own, childs: childs,
    ),
    mistake(
        "one α for all",
        "there is a single α for all nodes, which is never restored",
        "What should α be when the search comes to a node's next child?",
        keep=lambda own, childs: (childs[0], own[1]),
    ),
    mistake(
        "α and β swapped in the call",
        "a node passes its children β in the place of α, and α in the place of β",
        "In which order does your function take its bounds, and in which order does it pass them to itself?",
        hand_down=lambda alpha, beta, bv, is_max, above: (beta, alpha),
    ),
)

# An answer f(node, beta, alpha) that tests α ≥ β returns after each first child: only its parameters give it away.
BACKWARDS = mistake(
    "α and β swapped",
    "it takes what it receives as α for β, and the other way round: it is called as f(node, α, β), by place",
    "Are your parameters in the order of the call? If so: with which of them does a MAX node compare bv?",
    instead=lambda node, alpha, beta: searching()(node, beta, alpha),
)


# choices, which minimax can get wrong as well

WHO_MOVES = "Whose move is it at this node, which value does that player want, and does your variable get it?"
NOTHING_YET = "What is the best of no values at all for MAX: what is every child better than? And for MIN?"

CHOICES = (
    mistake(
        "0 to begin with",
        "the best value begins with 0, which may be better than all children",
        "What is the best of no values at all? Try a tree in which every leaf is below 0, then one with all above.",
        {"start": lambda is_max: 0 if is_max else inf},
        {"start": lambda is_max: -inf if is_max else 0},
        start=lambda is_max: 0,
    ),
    mistake(
        "−1 to begin with",
        "the best value begins with −1, which may be better than all children",
        "What is the best of no values at all? Try a tree whose leaves are −5 and −3.",
        {"start": lambda is_max: -1 if is_max else inf},
        {"start": lambda is_max: -inf if is_max else -1},
        start=lambda is_max: -1,
    ),
    mistake(
        "one start for both players",
        "the best value begins with the same number at MAX nodes and at MIN nodes",
        NOTHING_YET,
        {"start": lambda is_max: inf},
        start=lambda is_max: -inf,
    ),
    mistake(
        "MAX and MIN swapped",
        "MIN chooses at every node where MAX should, and MAX where MIN should",
        "At a MAX node, does the largest or the smallest value come up?",
        plays_max=lambda node, above: not node.is_max,
    ),
    mistake(
        "MAX and MIN swapped below the root",
        "the root chooses correctly, but below it MAX and MIN are swapped",
        "Who moves after the first move? Follow one path down and name the player at each node.",
        plays_max=lambda node, above: node.is_max == (above is None),
    ),
    mistake(
        "always from MAX",
        "it assumes that MAX moves at the root and that the players take turns, whoever is to move",
        "How does a node say whose move it is?",
        plays_max=lambda node, above: not above,
    ),
    mistake(
        "MAX at every node",
        "every node takes the largest value, also where MIN moves",
        WHO_MOVES,
        {"choose": lambda bv, value, is_max: max(bv, value)},
        {"choose": lambda bv, value, is_max: max(bv, value), "start": lambda is_max: -inf},
        plays_max=lambda node, above: True,
    ),
    mistake(
        "MIN at every node",
        "every node takes the smallest value, also where MAX moves",
        WHO_MOVES,
        {"choose": lambda bv, value, is_max: min(bv, value)},
        {"choose": lambda bv, value, is_max: min(bv, value), "start": lambda is_max: inf},
        plays_max=lambda node, above: False,
    ),
    mistake(
        "the last child's value",
        "a node returns what the child searched last returned, better or not",
        "Two children of a MAX node are worth 5 and then 2. What should it return, and what does it return?",
        choose=lambda bv, value, is_max: value,
    ),
    mistake(
        "the first child only",
        "it returns as soon as a node's first child has returned",
        "How often does the loop run if there are three children? Look where your return stands.",
        order=lambda children: children[:1],
    ),
    mistake(
        "one child early",
        "it leaves out the last child of every node",
        "How many children does the loop visit if there are three?",
        order=lambda children: children[:-1] if len(children) > 1 else children,
    ),
    mistake(
        "right to left",
        "it searches the children from right to left",
        "In which order does the exercise ask for the children?",
        order=lambda children: children[::-1],
    ),
    mistake(
        "children sorted",
        "it searches the leaves of a node in the order of their values, not from left to right",
        "In which order does the exercise ask for the children?",
        order=lambda children: sorted(children, key=lambda child: child.value if child.is_leaf else inf),
    ),
)

# Right on trees of small numbers: recognised by the tree on which it fails.
FINITE = mistake(
    "a number for ∞",
    "a number stands for ∞, and a leaf lies beyond it",
    "A tree may hold any number. Which one is smaller than all of them?",
    start=lambda is_max: -1000 if is_max else 1000,
)


def _negamax(leaf: Callable[[Any], Number]) -> Search:
    def search(node: Any, alpha: Number, beta: Number) -> Number:
        if node.is_leaf:
            return leaf(node)
        bv = -inf
        for child in node.children:
            bv = max(bv, -search(child, -beta, -alpha))
            alpha = max(alpha, bv)
            if alpha >= beta:
                break
        return bv

    return search


def _mover_minimax(leaf: Callable[[Any], Number]) -> Search:
    def search(node: Any) -> Number:
        return leaf(node) if node.is_leaf else max(-search(child) for child in node.children)

    return search


def _as_negamax(kind: Callable[..., Search]) -> Mistake:
    return mistake(
        "negamax",
        "values are the mover's, as in negamax, where the exercise asks for MAX's, also where MIN moves",
        "Try a tree at whose root MIN moves. Whose value do you return?",
        {"instead": kind(lambda node: node.value if node.is_max else -node.value)},
        {"instead": kind(lambda node: node.value)},
    )


ALPHABETA = (*CUTS, *RETURNED, *WINDOWS, BACKWARDS, *CHOICES, _as_negamax(_negamax))

MINIMAX = (
    mistake(
        "it cuts",
        "it skips children as alpha-beta does, where minimax reads every leaf",
        "Minimax has no bounds. Which leaves does it read?",
        meets=reached,
    ),
    *CHOICES[:-1],
    mistake(  # an answer that sorts leaves by value reads them before it searches: the order of the search is not seen
        "leaves first",
        "it reads the leaves among a node's children before it searches the others",
        "In which order does the exercise ask for the children?",
        order=lambda children: sorted(children, key=lambda child: not child.is_leaf),
    ),
    _as_negamax(_mover_minimax),
)
