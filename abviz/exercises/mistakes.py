"""Known mistakes: wrong searches, each with its name, so that a student's can be told which of them it behaves like.

Most are the search below with one thing done differently. (It is written out here and not taken from
`abviz.tracing.algorithms`, because it has to be wrong in places where that one cannot be.) Where the code is wrong, bv ≥ β and
α ≥ β are two tests: both ways to write a mistake have its one name.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import Number

Bounds = tuple[Number, Number]


def order(children: Any) -> Any:
    return children


def plays_max(node: Any, depth: int) -> bool:
    return bool(node.is_max)


def start(is_max: bool) -> Number:
    return -inf if is_max else inf


def choose(bv: Number, value: Number, is_max: bool) -> Number:
    return max(bv, value) if is_max else min(bv, value)


def hand_down(alpha: Number, beta: Number, bv: Number, is_max: bool, depth: int) -> Bounds:
    return alpha, beta


def cuts(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv >= beta if is_max else bv <= alpha


def meets(alpha: Number, beta: Number, is_max: bool) -> bool:
    """Whether it ends since its bounds, as they have just been moved, have met: `cuts` has told that already."""
    return False


def narrow(alpha: Number, beta: Number, bv: Number, is_max: bool) -> Bounds:
    return (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))


def hand_up(bv: Number, alpha: Number, beta: Number) -> Number:
    return bv


def returned(value: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return value


RIGHT: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (order, plays_max, start, hand_down, choose, cuts, narrow, meets, hand_up, returned)
}


def strictly(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv > beta if is_max else bv < alpha


def strict_at_min(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv >= beta if is_max else bv < alpha


def strict_at_max(bv: Number, alpha: Number, beta: Number, is_max: bool) -> bool:
    return bv > beta if is_max else bv <= alpha


def never(*_: Any) -> bool:
    return False


def crossed(alpha: Number, beta: Number, is_max: bool) -> bool:
    return alpha >= beta


ASKING_BOUNDS: dict[str, Callable[..., Any]] = {"cuts": never, "meets": crossed}


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
            bv = do["choose"](bv, value, is_max)
            if do["cuts"](bv, *window, is_max):
                break
            alpha, beta = do["narrow"](alpha, beta, bv, is_max)
            if do["meets"](alpha, beta, is_max):
                break
        return do["returned"](do["hand_up"](bv, *window), *window, is_max)  # type: ignore[no-any-return]

    return search


@dataclass(frozen=True)
class Mistake:
    """A wrong search: f(node, alpha, beta). It is told by its name; the hint does not give the answer away."""

    name: str
    says: str  # what it does
    hint: str
    function: Callable[..., Any]
    also: tuple[Callable[..., Any], ...] = ()  # other ways to make the same mistake, which do other things
    wrongs: tuple[dict[str, Callable[..., Any]], ...] = ()  # what each of these does differently from `searching`
    reads_once: bool = False  # whether it is no name for what comes back to a leaf

    @property
    def forms(self) -> tuple[Callable[..., Any], ...]:
        return self.function, *self.also


def mistake_with(
    name: str, says: str, hint: str, *also: dict[str, Callable[..., Any]], reads_once: bool = False, **wrong: Any
) -> Mistake:
    """One or several ways to do something differently in `searching`."""
    forms = [searching(**each) for each in (wrong, *also)]
    return Mistake(name, says, hint, forms[0], tuple(forms[1:]), (wrong, *also), reads_once)


def without_bounds(search: Callable[..., Any]) -> Callable[..., Any]:
    return lambda node: search(node, -inf, inf)
