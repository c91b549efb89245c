"""The functions of a student's program: which of their variables may be α, β and the best value."""

import dis
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from types import CodeType
from typing import Any

from abviz.errors import Number, plain

ALPHAS = ("alpha", "α", "alfa")  # the usual names, without underscores
BETAS = ("beta", "β")
LOWS = (*ALPHAS, "a", "low", "lo", "lower")  # of parameters
HIGHS = (*BETAS, "b", "high", "hi", "upper")

BESTS = ("bv", "bestvalue", "bestval", "bestscore", "best", "maxeval", "mineval", "utval")
PAIR = ("maxeval", "mineval")  # one for MAX nodes and one for MIN nodes
WEAK_BESTS = ("v", "value", "val", "score", "result", "res")  # where the function returns them

FULL = -inf, inf

# Functions whose calls are not followed, since they return at each `yield`
NOT_FOLLOWED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

Window = tuple[Number, Number]
Names = tuple[str | None, str | None, str | None]  # of the variables for α, β and the best value


@dataclass(slots=True, eq=False)
class Function:
    """A function of the student's, and what the whole run shows of it."""

    code: CodeType
    parameters: tuple[str, ...]  # none where its calls are not followed

    # the names of its variables, found at its first call with a node
    is_named: bool = False
    alpha: str | None = None
    beta: str | None = None
    bests: tuple[str, ...] = ()
    has_weak_bounds: bool = False  # named a and b, or low and high, which may be anything
    has_weak_best: bool = False  # named value, say, which may be the value of the latest child

    # found when the run is over: the parameters that may be its node, by their place, with the
    # sizes of their subtrees
    candidates: dict[int, int] | None = None
    place: int | None = None  # of the parameter that is its node
    is_first: bool = False  # nothing that has a node has called it
    descends: bool = False  # it has called or read a child of its node
    reads: bool = False  # a leaf was read in a call of it
    is_recursive: bool = False
    returned: object = None  # the last that it returned, but None

    @property
    def searches(self) -> bool:
        """Whether its calls are those of a search.

        A helper that sorts or prints nodes, say, is none.
        """
        if self.place is None or not self.reads:
            return False
        if self.is_first:
            return True
        if not self.descends:
            return False
        return self.is_recursive or self.returned is None or as_number(self.returned) is not None

    def find_names(self, given: Names) -> None:
        """Find the names of its variables; those that are given come first."""
        self.is_named = True
        alpha, beta, best = given
        local = [*self.code.co_varnames, *self.code.co_cellvars]

        lows = all_of(LOWS, self.parameters)
        highs = all_of(HIGHS, self.parameters)
        if not (lows and highs):
            lows = all_of(ALPHAS, local)
            highs = all_of(BETAS, local)

        self.alpha, self.beta = alpha, beta
        if lows and highs:
            self.alpha = alpha or lows[0]
            self.beta = beta or highs[0]
            is_usual = all_of(ALPHAS, [self.alpha]) and all_of(BETAS, [self.beta])
            self.has_weak_bounds = not (is_usual or alpha or beta)

        if best:
            self.bests = (best,)
        elif strong := all_of(BESTS, local):
            is_pair = strong[0] in all_of(PAIR, local)
            self.bests = tuple(strong) if is_pair else (strong[0],)
        else:
            self.bests = tuple(all_of(WEAK_BESTS, _returned(self.code))[:1])
            self.has_weak_best = True


def all_of(names: tuple[str, ...], present: Sequence[str]) -> list[str]:
    """Return those present that have one of the names, in the order of the names."""
    lowered = {name.lower().replace("_", ""): name for name in reversed(present)}
    return [lowered[name] for name in names if name in lowered]


@lru_cache
def _returned(code: CodeType) -> list[str]:
    """Return the variables that the function returns as they are."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return [
        str(step.argval) for step in loads if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
    ]


def as_number(value: Any) -> Number | None:
    """Return the number that a variable holds or a function returns.

    Of a pair (value, move) or (move, value) it is the value; of what is nested deeper, None.
    """
    # Nearly all values are one of these three
    kind = type(value)
    if (
        value is None
        or (kind is int and -(10**15) < value < 10**15)
        or (kind is float and value in (-inf, inf))
    ):
        return value  # type: ignore[no-any-return]

    if isinstance(value, tuple | list):
        return _number_of_pair(value)
    return _single_number(value)


def _number_of_pair(value: Sequence[Any]) -> Number | None:
    """Return the number of a pair in which the other is none: a name, None, the names of a line.

    A part with lists or numbers in it makes the pair something else: a tree, say.
    """
    if len(value) != 2 or any(_is_nested(part) for part in value):
        return None

    numbers = [each for each in map(_single_number, value) if each is not None]
    return numbers[0] if len(numbers) == 1 else None


def _is_nested(part: object) -> bool:
    if not isinstance(part, tuple | list):
        return False
    return any(isinstance(each, tuple | list) or _single_number(each) is not None for each in part)


def _single_number(value: object) -> Number | None:
    try:
        return plain(value)
    except Exception:  # too large, or a number of the student's own that fails
        return None


def minus(value: Number | None) -> Number | None:
    return None if value is None else -value
