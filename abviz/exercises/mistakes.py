"""Known mistakes: edits of the reference of an exercise, which are in the data files with it.

A wrong answer is compared with every mistake that its exercise names there, then with every pair of them. It has the
name of a mistake only where value and leaves are the same, in order, on the whole sample of trees.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import inf
from typing import Any

from abviz.exercises.exercise import Mistake, texts

Faults = dict[str, Any]  # keyword arguments of the function that builds the reference
BOUNDS_FIRST = {"own = bv": "own = alpha if is_max else beta"}  # the other way to write alpha-beta: test α ≥ β


@cache
def edited(exercise: str) -> Callable[..., Callable[..., Any]]:
    """Return a function that builds the reference of that exercise, from its text. Its keyword arguments are edits: a
    part of the text, and what stands in its place."""
    row = texts()[exercise]

    @cache
    def build(**edits: str) -> Callable[..., Any]:
        names = run_edited(row["reference"], row.get("edited", {}) | edits, {"inf": inf})
        return list(names.values())[-1]  # type: ignore[no-any-return]

    return build


def run_edited(text: str, edits: Mapping[str, str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the program after it has run with these edits, and with these names at the beginning."""
    for old, new in edits.items():
        text = text.replace(old, new)
    namespace = dict(names)
    exec(text, namespace)
    return namespace


def mistake(name: str, forms: Sequence[Faults] = ()) -> Mistake:
    """Return the mistake of that name, where no forms are given with those of the data files."""
    text = texts()["mistakes"][name]
    return Mistake(name, text["says"], text["hint"], tuple(forms or text.get("faults", ())))


def pairs(mistakes: Sequence[Mistake]) -> Iterator[tuple[tuple[Mistake, Mistake], list[Faults]]]:
    """Yield all pairs of mistakes that edit different parts, the usual ones first, and the ways to make both."""
    for i, j in sorted(combinations(range(len(mistakes)), 2), key=sum):
        one, other = mistakes[i], mistakes[j]
        if forms := [a | b for a in one.forms for b in other.forms if not a.keys() & b.keys()]:
            yield (one, other), forms
