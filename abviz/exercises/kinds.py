"""What may be written in an exercise with pencil and paper: a number, one of some names, a list of names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.text import number, plain

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


@dataclass(frozen=True)
class Kind:
    """What may be written in a slot: `read` makes a value of it, or None where it is nothing of the kind."""

    expected: str
    read: Callable[[Any], Any]
    shown: Callable[[Any], str] = str


def as_number(wrote: Any) -> Any:
    if isinstance(wrote, str):
        return INFINITIES.get(wrote.strip())
    try:
        return plain(wrote)
    except OverflowError:
        return None


NUMBER = Kind('a number, or float("inf") or -float("inf")', as_number, number)


def one_of(names: Iterable[str], expected: str) -> Kind:
    legal = tuple(names)
    return Kind(expected, lambda wrote: wrote if isinstance(wrote, str) and wrote in legal else None)


def some_of(names: Iterable[str], expected: str) -> Kind:
    """A list of names, in any order."""
    legal = frozenset(names)

    def read(wrote: Any) -> frozenset[str] | None:
        if not isinstance(wrote, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in wrote):
            return None
        return frozenset(wrote) if legal.issuperset(wrote) else None

    return Kind(expected, read)
