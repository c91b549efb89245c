"""Known mistakes: one search with a switch for each fault, and the settings that make the faults of searches.yaml.

A wrong answer is compared with every mistake that its exercise names there, then with every pair of them. It has the
name of a mistake only where value and leaves are the same, in order, on the whole sample of trees.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import inf
from typing import Any

from abviz.errors import Number
from abviz.exercises.exercise import Mistake, texts

Bounds = tuple[Number, Number]
Line = tuple[str, ...]  # names of nodes, from the root's child down
Faults = dict[str, Any]  # keyword arguments of an exercise's search
Search = Callable[..., Any]


def better(value: Number, bv: Number, is_max: bool) -> bool:
    return value > bv if is_max else value < bv


def reached(own: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    """Return whether a MAX node's best value or α meets β, or a MIN node's best value or β meets α."""
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
    better: Callable[[Number, Number, bool], bool] = better,
    takes_first: Callable[[], bool] = lambda: True,  # whether the first child stands in the line until one is better
    meets: Callable[[Number, Number, Number, bool], bool] = reached,  # the test that cuts
    asks_bounds: bool = False,  # False: test bv, then update the bounds. True: update them, then test α ≥ β
    narrow: Callable[..., Bounds] = narrow,
    returned: Callable[[Number, Number, Number, bool], Number] = lambda bv, alpha, beta, is_max: bv,
    result: Callable[[Any, Number, Line], Any] = lambda root, value, line: value,
) -> Search:
    """Return alpha-beta, f(root, alpha, beta), or with a switch turned one of the ways to get it wrong."""

    def search(node: Any, alpha: Number, beta: Number, above: bool | None) -> tuple[Number, Line]:
        if node.is_leaf:
            return worth(node), ()
        window, is_max, line = (alpha, beta), plays_max(node, above), None
        bv = start(is_max)
        for child in order(node.children):
            value, below = search(child, *hand_down(alpha, beta, bv, above, is_max), is_max)
            value = turn(value)
            is_better = better(value, bv, is_max)
            if is_better or (line is None and takes_first()):
                line = (child.name, *below)
            if is_better:
                bv = value
            has_cut = not asks_bounds and meets(bv, alpha, beta, is_max)
            if not has_cut:
                alpha, beta = narrow(alpha, beta, bv, value, is_max)
                has_cut = asks_bounds and meets(alpha if is_max else beta, alpha, beta, is_max)
            if has_cut:
                break
        return returned(bv, *window, is_max), line or ()

    def from_root(root: Any, alpha: Number = -inf, beta: Number = inf) -> Any:
        return result(root, *search(root, alpha, beta, None))

    return from_root


def never(*_: Any) -> bool:
    return False


def as_good(value: Number, bv: Number, is_max: bool) -> bool:
    return value >= bv if is_max else value <= bv


def clamped(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return min(max(bv, alpha), beta)


# What a switch of the search can be set to: the right setting first, where a fault needs it.
SETTINGS: dict[str, dict[str, Callable[..., Any]]] = {
    "order": {"first only": lambda children: children[:1], "right to left": lambda children: children[::-1]},
    "plays_max": {
        "MAX": lambda node, above: node.is_max,
        "MIN": lambda node, above: not node.is_max,
        "always": lambda node, above: True,
        "as above": lambda node, above: node.is_max if above is None else above,
    },
    "worth": {
        "MAX's": lambda leaf: leaf.value,
        "mover's": lambda leaf: leaf.value if leaf.is_max else -leaf.value,
    },
    "start": {"zero": lambda is_max: 0, "infinity": lambda is_max: inf, "minus infinity": lambda is_max: -inf},
    "hand_down": {
        "unchanged": lambda alpha, beta, bv, above, is_max: (alpha, beta),
        "full": lambda alpha, beta, bv, above, is_max: (-inf, inf),
        "full at the root": lambda alpha, beta, bv, above, is_max: (-inf, inf) if above is None else (alpha, beta),
        "parent's": lambda alpha, beta, bv, above, is_max: (bv, inf) if is_max else (-inf, bv),
        "swapped": lambda alpha, beta, bv, above, is_max: (beta, alpha),
        "negated": lambda alpha, beta, bv, above, is_max: (-alpha, -beta),
        "negated and swapped": lambda alpha, beta, bv, above, is_max: (-beta, -alpha),
    },
    "turn": {"unchanged": lambda value: value, "negated": lambda value: -value},
    "better": {
        "as good": as_good,
        "larger": lambda value, bv, is_max: value > bv,
        "always": lambda value, bv, is_max: True,
    },
    "takes_first": {"never": never},
    "meets": {
        "reached": reached,
        "never": never,
        "beyond": lambda own, alpha, beta, is_max: own > beta if is_max else own < alpha,
        "short": lambda own, alpha, beta, is_max: own <= beta if is_max else own >= alpha,
        "beta reached": lambda own, alpha, beta, is_max: own >= beta,
    },
    "narrow": {
        "narrow": narrow,
        "unmoved": lambda alpha, beta, bv, value, is_max: (alpha, beta),
        "assigned": lambda alpha, beta, bv, value, is_max: (bv, beta) if is_max else (alpha, bv),
        "alpha raised": lambda alpha, beta, bv, value, is_max: (max(alpha, bv), beta),
    },
    "returned": {
        "bv": lambda bv, alpha, beta, is_max: bv,
        "alpha": lambda bv, alpha, beta, is_max: alpha,
        "beta": lambda bv, alpha, beta, is_max: beta,
        "clamped": clamped,
        "own bound": lambda bv, alpha, beta, is_max: max(bv, alpha) if is_max else min(bv, beta),
        "clamped at a cut": lambda bv, alpha, beta, is_max: min(bv, beta) if is_max else max(bv, alpha),
    },
    "result": {
        "leaf's name": lambda root, value, line: (value, line[-1] if line else None),
        "backwards": lambda root, value, line: (value, line[::-1]),
        "first move": lambda root, value, line: (value, line[:1]),
        "root in front": lambda root, value, line: (value, (root.name, *line)),
    },
}


def switches(names: Mapping[str, str | list[str]]) -> Faults:
    """Return the settings of these names as keyword arguments. Of two names the first is for MAX, the other for MIN."""

    def by_player(at_max: Callable[..., Any], at_min: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: (at_max if args[-1] else at_min)(*args)  # their last argument is whether MAX moves

    return {
        switch: SETTINGS[switch][name] if isinstance(name, str) else by_player(*(SETTINGS[switch][n] for n in name))
        for switch, name in names.items()
    }


def edited(exercise: str) -> Callable[..., Search]:
    """Return a builder of the reference of that exercise in searches.yaml. Its faults are edits: a part of the text,
    and what stands in its place."""

    @cache
    def build(**edits: str) -> Search:
        namespace: dict[str, Any] = {"inf": inf}
        text = texts()[exercise]["reference"]
        for old, new in edits.items():
            text = text.replace(old, new)
        exec(text, namespace)
        return namespace[exercise.replace("-", "_")]  # type: ignore[no-any-return]

    return build


def mistake(name: str, forms: Sequence[Faults] = ()) -> Mistake:
    """Return the mistake of that name, where no forms are given with those of searches.yaml."""
    text = texts()["mistakes"][name]
    return Mistake(name, text["says"], text["hint"], tuple(forms) or tuple(map(switches, text.get("faults", ()))))


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake, list[Faults]]]:
    """Yield all pairs of mistakes that set different switches, the usual ones first, and the ways to make both."""
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        one, other = mistakes[i], mistakes[j]
        if forms := [a | b for a in one.forms for b in other.forms if not a.keys() & b.keys()]:
            yield one, other, forms
