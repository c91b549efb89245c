"""What may be written in an exercise with pencil and paper: a number, one of some names, a list of names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import brief, number, plain

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


@dataclass(frozen=True)
class Kind:
    """What may be written in a slot: `read` makes a value of it, or None where it is nothing of the kind."""

    expected: str
    read: Callable[[Any], Any]
    shown: Callable[[Any], str] = str
    refused: Callable[[Any], str] = lambda wrote: f"is {brief(wrote)}"  # what is told of what it cannot read


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


def some_of(names: Iterable[str], noun: str, expected: str) -> Kind:
    """A list of names, in any order, each of which is one of a noun: "leaf"."""
    legal = frozenset(names)

    def read(wrote: Any) -> frozenset[str] | None:
        if not isinstance(wrote, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in wrote):
            return None
        return frozenset(wrote) if legal.issuperset(wrote) else None

    def refused(wrote: Any) -> str:
        listed = wrote if isinstance(wrote, list | tuple | set | frozenset) else ()
        strange = [each for each in listed if not isinstance(each, str) or each not in legal]
        return f"has {brief(strange[0])}, which is no {noun}" if strange else f"is {brief(wrote)}"

    return Kind(expected, read, refused=refused)
