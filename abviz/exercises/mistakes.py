"""Known mistakes of minimax and alpha-beta: a search with a switch for each, and a table of names.

A wrong answer is compared with every row of an exercise's table, then with every pair of rows: its behaviour has the
name of a mistake only where value and leaves are the same, in order, on the whole sample of trees.
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
Faults = dict[str, Any]  # keyword arguments of an exercise's search
Table = dict[str, Faults | list[Faults]]  # name of a mistake → its faults, or several ways to make it
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
    hand_down: Callable[..., Bounds] = lambda alpha, beta, bv, above, is_max: (alpha, beta),
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
        children = (search(child, *hand_down(alpha, beta, bv, above, is_max), is_max) for child in order(node.children))
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
    """A known mistake, with its texts from searches.yaml."""

    name: str
    says: str  # continues "It looks as if"
    hint: str
    forms: tuple[Faults, ...] = ()  # ways to make it, which may behave differently


@cache
def texts() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "searches.yaml"), encoding="utf-8") as file:
        return yaml.load(file, yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader)


def known(exercise: str, name: str, *forms: Faults) -> Mistake:
    """Return the mistake of that name, as the exercise describes it, or else as another one does."""
    sections = [texts()[each]["mistakes"] for each in (exercise, "alphabeta", "best-move")]
    text = next(section[name] for section in sections if name in section)
    return Mistake(name, text["says"], text["hint"], forms)


def known_mistakes(exercise: str, table: Table) -> tuple[Mistake, ...]:
    return tuple(
        known(exercise, name, *(forms if isinstance(forms, list) else [forms])) for name, forms in table.items()
    )


def rows(table: Table, *names: str) -> Table:
    return {name: table[name] for name in names}


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake, list[Faults]]]:
    """Yield all pairs of mistakes that set different switches, the usual ones first, and the ways to make both."""
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        one, other = mistakes[i], mistakes[j]
        forms = [a | b for a in one.forms for b in other.forms if not (a.keys() & b.keys() or "instead" in a | b)]
        if forms:
            yield one, other, forms


def always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


def by_player(at_max: Callable[..., Any], at_min: Callable[..., Any]) -> Callable[..., Any]:
    """Return a switch that differs between the players. Whether MAX moves is the last argument of every switch."""
    return lambda *args: (at_max if args[-1] else at_min)(*args)


# tests that cut


def never(*_: Any) -> bool:
    return False


def beyond(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own > beta if is_max else own < alpha


def short_of(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return own <= beta if is_max else own >= alpha


CUTS: Table = {
    "strict": {"meets": beyond},
    "minimax": {"meets": never},
    "strict for one player": [{"meets": by_player(reached, beyond)}, {"meets": by_player(beyond, reached)}],
    "only MAX cuts": {"meets": by_player(reached, never)},
    "only MIN cuts": {"meets": by_player(never, reached)},
    "the test reversed": {"meets": short_of},
    "cuts too late": {"gather": list},
}


# values returned


def clamped(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(max(bv, alpha), beta)


def own_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return max(bv, alpha) if is_max else min(bv, beta)


def others_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(bv, beta) if is_max else max(bv, alpha)


def soft(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return bv


RETURNED: Table = {
    "its own bound returned": {"returned": own_bound},
    "the bound returned": {"returned": clamped},
    "the bound returned at a cut": {"returned": others_bound},
    "fail-hard for one player": [{"returned": by_player(clamped, soft)}, {"returned": by_player(soft, clamped)}],
    "one bound returned by both players": [
        {"returned": by_player(own_bound, lambda bv, alpha, beta, is_max: alpha)},
        {"returned": by_player(lambda bv, alpha, beta, is_max: beta, own_bound)},
    ],
}


# windows


def unmoved(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return alpha, beta


def assigned(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return (bv, beta) if is_max else (alpha, bv)


def last_assigned(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return assigned(alpha, beta, value, value, is_max)


def others_moved(alpha: Number, beta: Number, bv: Number, value: Number, is_max: bool) -> Bounds:
    return narrow(alpha, beta, bv, value, not is_max)


def full_at_root(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return (-inf, inf) if above is None else (alpha, beta)


def only_parents(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return (bv, inf) if is_max else (-inf, bv)


def bv_as_bound(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return (bv, beta) if is_max else (alpha, bv)


def swapped(alpha: Number, beta: Number, bv: Number, above: bool | None, is_max: bool) -> Bounds:
    return beta, alpha


WINDOWS: Table = {
    "the window never narrows": {"narrow": unmoved},
    "a full window for every child": {"hand_down": always((-inf, inf))},
    "a full window at every root move": {"hand_down": full_at_root},
    "only the parent's bound": {"hand_down": only_parents},
    "bv handed down for a bound": {"hand_down": bv_as_bound},
    "β never falls": {"narrow": by_player(narrow, unmoved)},
    "α never rises": {"narrow": by_player(unmoved, narrow)},
    "a bound assigned": [
        {"narrow": assigned},
        {"narrow": by_player(assigned, narrow)},
        {"narrow": by_player(narrow, assigned)},
    ],
    "the last child's value for a bound": {"narrow": last_assigned},
    "the other's bound moved": {"narrow": others_moved},
    "bounds kept": {"keep": lambda own, childs: childs},
    "one α for all": {"keep": lambda own, childs: (childs[0], own[1])},
    "α and β swapped in the call": {"hand_down": swapped},
}

# An answer f(node, beta, alpha) that tests α ≥ β returns after each first child: only its parameters give it away.
BACKWARDS: Table = {"α and β swapped": {"instead": lambda node, alpha, beta: searching()(node, beta, alpha)}}


# choices, which minimax can get wrong as well


def largest(bv: Number, value: Number, is_max: bool) -> Number:
    return max(bv, value)


def smallest(bv: Number, value: Number, is_max: bool) -> Number:
    return min(bv, value)


def starts(number: Number) -> list[Faults]:
    """Return the ways to begin with a finite number: at both players' nodes, or at one's."""
    at_max, at_min = by_player(always(number), always(inf)), by_player(always(-inf), always(number))
    return [{"start": always(number)}, {"start": at_max}, {"start": at_min}]


def by_value(children: Any) -> Any:
    return sorted(children, key=lambda child: child.value if child.is_leaf else inf)


CHOICES: Table = {
    "0 to begin with": starts(0),
    "−1 to begin with": starts(-1),
    "one start for both players": [{"start": always(-inf)}, {"start": always(inf)}],
    "MAX and MIN swapped": {"plays_max": lambda node, above: not node.is_max},
    "MAX and MIN swapped below the root": {"plays_max": lambda node, above: node.is_max == (above is None)},
    "always from MAX": {"plays_max": lambda node, above: not above},
    "MAX at every node": [
        {"plays_max": always(True)},
        {"choose": largest},
        {"choose": largest, "start": always(-inf)},
    ],
    "MIN at every node": [
        {"plays_max": always(False)},
        {"choose": smallest},
        {"choose": smallest, "start": always(inf)},
    ],
    "the last child's value": {"choose": lambda bv, value, is_max: value},
    "the first child only": {"order": lambda children: children[:1]},
    "one child early": {"order": lambda children: children[:-1] if len(children) > 1 else children},
    "right to left": {"order": lambda children: children[::-1]},
    "children sorted": {"order": by_value},
}


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
    def search(node: Any, *_: Number) -> Number:
        return leaf(node) if node.is_leaf else max(-search(child) for child in node.children)

    return search


def _as_negamax(kind: Callable[..., Search]) -> Table:
    leaves = (lambda leaf: leaf.value if leaf.is_max else -leaf.value), (lambda leaf: leaf.value)
    return {"negamax": [{"instead": kind(leaf)} for leaf in leaves]}


# The usual mistakes come first: an answer that behaves like two pairs has the name of the first.
ALPHABETA: Table = CUTS | RETURNED | WINDOWS | BACKWARDS | CHOICES | _as_negamax(_negamax)

MINIMAX: Table = {
    "it cuts": {"meets": reached},
    **{name: forms for name, forms in CHOICES.items() if name != "children sorted"},
    # An answer that sorts leaves by value reads them before it searches: the order of the search is not seen.
    "leaves first": {"order": lambda children: sorted(children, key=lambda child: not child.is_leaf)},
    **_as_negamax(_mover_minimax),
}
