"""Known mistakes: one search with a switch for each fault, and the table of faults that students make most.

A wrong answer is compared with every fault that its exercise names in searches.yaml, then with every pair of them. It
has the name of a mistake only where value and leaves are the same, in order, on the whole sample of trees.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf
from typing import Any

import yaml

from abviz.errors import Number

Bounds = tuple[Number, Number]
Line = tuple[str, ...]  # names of nodes, from the root's child down
Faults = dict[str, Any]  # keyword arguments of an exercise's search
Search = Callable[..., Any]


# the search, as it should be


def better(value: Number, bv: Number, is_max: bool) -> bool:
    return value > bv if is_max else value < bv


def reached(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own >= beta if is_max else own <= alpha


def narrow(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))


def searching(
    *,
    order: Callable[[Any], Any] = lambda children: children,
    plays_max: Callable[[Any, bool | None], bool] = lambda node, above: node.is_max,  # above: what its parent plays
    worth: Callable[[Any], Number] = lambda leaf: leaf.value,
    start: Callable[[bool], Number] = lambda is_max: -inf if is_max else inf,
    hand_down: Callable[..., Bounds] = lambda alpha, beta, bv, above, is_max: (alpha, beta),
    turn: Callable[[Number], Number] = lambda value: value,  # what a child's value is worth to its parent
    keep: Callable[[Bounds, Bounds], Bounds] = lambda own, childs: own,  # which bounds hold after a child returns
    better: Callable[[Number, Number, bool], bool] = better,
    follows: Callable[[Number, Number, bool], bool] | None = None,  # when the line changes, if not with the best value
    takes_first: bool = True,  # the first child stands in the line until there is a better one
    meets: Callable[[Number, Number, Number, bool], bool] = reached,  # the test that cuts
    asks_bounds: bool = False,  # False: test bv, then update the bounds. True: update them, then test α ≥ β
    narrow: Callable[..., Bounds] = narrow,
    returned: Callable[[Number, Number, Number, bool], Number] = lambda bv, alpha, beta, is_max: bv,
    result: Callable[[Any, Number, Line], Any] = lambda root, value, line: value,
    instead: Search | None = None,  # another search altogether
) -> Search:
    """Return alpha-beta, f(root, alpha, beta), or with a switch turned one of the ways to get it wrong."""
    childs: Bounds = -inf, inf  # the bounds of the node that has just returned

    def search(node: Any, alpha: Number, beta: Number, above: bool | None) -> tuple[Number, Line]:
        nonlocal childs
        childs = window = alpha, beta
        if node.is_leaf:
            return worth(node), ()
        is_max, line = plays_max(node, above), None
        bv = start(is_max)
        for child in order(node.children):
            value, below = search(child, *hand_down(alpha, beta, bv, above, is_max), is_max)
            value = turn(value)
            alpha, beta = keep((alpha, beta), childs)
            if (follows or better)(value, bv, is_max) or (takes_first and line is None):
                line = (child.name, *below)
            if better(value, bv, is_max):
                bv = value
            if not asks_bounds and meets(bv, alpha, beta, is_max):
                break
            alpha, beta = narrow(alpha, beta, bv, value, is_max)
            if asks_bounds and meets(alpha if is_max else beta, alpha, beta, is_max):
                break
        childs = alpha, beta
        return returned(bv, *window, is_max), line or ()

    def from_root(root: Any, alpha: Number = -inf, beta: Number = inf) -> Any:
        return result(root, *search(root, alpha, beta, None))

    return instead or from_root


# the switches


def always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


def by_player(at_max: Callable[..., Any], at_min: Callable[..., Any]) -> Callable[..., Any]:
    """Return a switch that differs between the players. Whether MAX moves is the last argument of every switch."""
    return lambda *args: (at_max if args[-1] else at_min)(*args)


def never(*_: Any) -> bool:
    return False


def beyond(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own > beta if is_max else own < alpha


def short_of(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own <= beta if is_max else own >= alpha


def reached_below_root(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own >= beta < inf if is_max else own <= alpha > -inf


def clamped(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(max(bv, alpha), beta)


def own_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return max(bv, alpha) if is_max else min(bv, beta)


def others_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(bv, beta) if is_max else max(bv, alpha)


def unmoved(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return alpha, beta


def assigned(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return (bv, beta) if is_max else (alpha, bv)


def only_parents(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return (bv, inf) if is_max else (-inf, bv)


def full_at_root(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return (-inf, inf) if above is None else (alpha, beta)


def swapped(alpha: Number, beta: Number, *_: Any) -> Bounds:
    return beta, alpha


def as_good(value: Number, bv: Number, is_max: bool) -> bool:
    return value >= bv if is_max else value <= bv


def larger(value: Number, bv: Number, is_max: bool) -> bool:
    return value > bv


def movers_value(leaf: Any) -> Number:
    return leaf.value if leaf.is_max else -leaf.value  # type: ignore[no-any-return]


def maxs_value(leaf: Any) -> Number:
    return leaf.value  # type: ignore[no-any-return]


def best_pair(root: Any) -> tuple[Number, str]:
    search = searching()
    return (max if root.is_max else min)((search(child), child.name) for child in root.children)


# Negamax is the same search where every node plays MAX, on numbers that change their sign at every move.
NEGAMAX: Faults = {
    "plays_max": always(True),
    "worth": movers_value,
    "turn": lambda value: -value,
    "hand_down": lambda alpha, beta, bv, above, is_max: (-beta, -alpha),
}

# The usual faults come first: an answer that behaves like two pairs has the name of the first. Where a mistake can be
# made in several ways that behave differently, each is a row of its list.
FAULTS: dict[str, list[Faults]] = {
    # when to cut
    "strict": [{"meets": beyond}],
    "minimax": [{"meets": never}],
    "it cuts": [{"meets": reached}],
    "only MAX cuts": [{"meets": by_player(reached, never)}],
    "only MIN cuts": [{"meets": by_player(never, reached)}],
    "the test reversed": [{"meets": short_of}],
    "the test of MAX in min_value": [{"meets": lambda own, alpha, beta, is_max: own >= beta, "asks_bounds": False}],
    # what to return
    "its own bound returned": [{"returned": own_bound}],
    "the bound returned": [{"returned": clamped}],
    "one bound returned by both players": [
        {"returned": by_player(own_bound, lambda bv, alpha, beta, is_max: alpha)},
        {"returned": by_player(lambda bv, alpha, beta, is_max: beta, own_bound)},
    ],
    "fail-soft": [{"returned": lambda bv, alpha, beta, is_max: bv}],
    "clamped where it cannot cut": [{"returned": own_bound}],
    "clamped where it cuts": [{"returned": others_bound}],
    "always a bound": [{"returned": lambda bv, alpha, beta, is_max: beta if bv >= beta else alpha}],
    # which window
    "a full window for every child": [{"hand_down": always((-inf, inf))}],
    "a full window at every root move": [{"hand_down": full_at_root}],
    "only the parent's bound": [{"hand_down": only_parents}],
    "β never falls": [{"narrow": by_player(narrow, unmoved)}],
    "α never rises": [{"narrow": by_player(unmoved, narrow)}],
    "α not raised": [{"narrow": unmoved, "asks_bounds": False}],
    "a bound assigned": [
        {"narrow": assigned},
        {"narrow": by_player(assigned, narrow)},
        {"narrow": by_player(narrow, assigned)},
    ],
    "the bound of MAX in min_value": [{"narrow": lambda alpha, beta, bv, value, is_max: (max(alpha, bv), beta)}],
    "bounds kept": [{"keep": lambda own, childs: childs}],
    "one α for all": [{"keep": lambda own, childs: (childs[0], own[1])}],
    "α and β swapped in the call": [{"hand_down": swapped}],
    # An answer f(node, beta, alpha) that tests α ≥ β returns after each first child: only its parameters give it away.
    "α and β swapped": [{"instead": lambda node, alpha, beta: searching()(node, beta, alpha)}],
    # which value
    "0 to begin with": [
        {"start": always(0)},
        {"start": by_player(always(0), always(inf))},
        {"start": by_player(always(-inf), always(0))},
    ],
    "one start for both players": [{"start": always(-inf)}, {"start": always(inf)}],
    "MAX and MIN swapped": [{"plays_max": lambda node, above: not node.is_max}],
    "always from MAX": [{"plays_max": lambda node, above: not above}],
    "MAX at every node": [
        {"plays_max": always(True)},
        {"better": larger},
        {"better": larger, "start": always(-inf)},
    ],
    "each calls itself": [{"plays_max": lambda node, above: node.is_max if above is None else above}],
    "the last child's value": [{"better": always(True)}],
    # which children
    "the first child only": [{"order": lambda children: children[:1]}],
    "right to left": [{"order": lambda children: children[::-1]}],
    "leaves first": [{"order": lambda children: sorted(children, key=lambda child: not child.is_leaf)}],
    # negamax
    "negamax": [NEGAMAX, NEGAMAX | {"worth": maxs_value}],
    "leaves from MAX's side": [{"worth": maxs_value}],
    "value not negated": [{"turn": lambda value: value}],
    "window not negated": [{"hand_down": lambda alpha, beta, bv, above, is_max: (alpha, beta)}],
    "window negated or swapped, not both": [
        {"hand_down": lambda alpha, beta, bv, above, is_max: (-alpha, -beta)},
        {"hand_down": swapped},
    ],
    "from MAX's side": [{"instead": searching()}],
    # which move, which line
    "the last of equals": [
        {"better": as_good},
        {"better": as_good, "meets": reached_below_root},
        {"better": as_good, "hand_down": full_at_root},
    ],
    "no move where all lose": [{"takes_first": False}],
    "the move searched last": [{"follows": always(True)}, {"follows": always(True), "meets": reached_below_root}],
    "the name decides": [{"instead": best_pair}],
    "the leaf's name": [{"result": lambda root, value, line: (value, line[-1] if line else None)}],
    "the worst move": [{"plays_max": lambda node, above: node.is_max == (above is not None)}],
    "no line where all lose": [{"takes_first": False}],
    "the line searched last": [{"follows": always(True)}],
    "backwards": [{"result": lambda root, value, line: (value, line[::-1])}],
    "only the first move": [{"result": lambda root, value, line: (value, line[:1])}],
    "the root in front": [{"result": lambda root, value, line: (value, (root.name, *line))}],
}


@dataclass(frozen=True)
class Mistake:
    """A known mistake, with its texts from searches.yaml."""

    name: str
    says: str  # continues "It looks as if"
    hint: str
    forms: tuple[Faults, ...] = ()  # ways to make it, which may behave differently


@cache
def texts() -> Any:
    """Return searches.yaml: the stub, the hints and the mistakes of each exercise, and the texts of the mistakes."""
    with open(os.path.join(os.path.dirname(__file__), "searches.yaml"), encoding="utf-8") as file:
        return yaml.load(file, yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader)


def mistake(name: str, forms: Sequence[Faults] = ()) -> Mistake:
    text = texts()["mistakes"][name]
    return Mistake(name, text["says"], text["hint"], tuple(forms))


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake, list[Faults]]]:
    """Yield all pairs of mistakes that set different switches, the usual ones first, and the ways to make both."""
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        one, other = mistakes[i], mistakes[j]
        forms = [a | b for a in one.forms for b in other.forms if not (a.keys() & b.keys() or "instead" in a | b)]
        if forms:
            yield one, other, forms
