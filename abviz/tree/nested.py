"""Nested lists and mappings, checked and laid out as the rows of a tree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from math import isnan
from string import ascii_uppercase
from types import EllipsisType
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, plain, visible

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


@dataclass(frozen=True)
class Unfit:
    """What a reader of files found and could make no value of; wherever it stands, it is refused."""

    description: str


TOO_LARGE = Unfit("a number beyond 1.8e308")


class BadTree(AbvizError):
    """A tree that cannot be one. `place` holds the child numbers from the root to the fault, `key` the key at fault in
    the long form, `problem` what is wrong."""

    def __init__(self, problem: str, path: str, key: str = ""):
        self.problem, self.key = problem, key
        self.place = tuple(int(number) for number in path.split(".") if number.isdecimal())
        super().__init__(f"at {short_path(path)}: {problem}")


def short_path(path: str) -> str:
    path = visible(path)
    return path if len(path) <= 60 else f"{path[:28]} … {path[-28:]}"


def read_rows(nested: Any, to_move: str, root: str | None = None) -> list[Row]:
    """The nested lists and mappings as rows, each parent before its children; anything unfit is refused."""
    rows: list[Row] = []
    given: set[str] = set()
    first = "" if root is None else _name(root, "root", "root")
    waiting = [(nested, first, "root", 0, -1, _player(to_move, "root"))]
    while waiting:
        spec, name, path, level, parent, is_max = waiting.pop()
        index = len(rows)
        if index == MOST_NODES:
            raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer", path)
        if level == MOST_LEVELS:
            problem = f"the tree grows deeper than {MOST_LEVELS:,} levels (does it hold itself?); expected fewer"
            raise BadTree(problem, path)
        children, player, static = _open(spec, path)
        if player is not None:
            is_max = _player(player, path)
        if name:
            if name in given:
                raise BadTree(f"there is already a node named {brief(name)}; expected another name", path)
            given.add(name)
        rows.append(Row(name, is_max, static, parent))
        inner = _children(children, path) if children is not None else []
        for number, (label, child) in reversed(list(enumerate(inner))):
            at = f"{path}.{number}" if level else str(number)
            waiting.append((child, label, at, level + 1, index, not is_max))
    return with_names(rows)


def with_names(rows: Sequence[Row]) -> list[Row]:
    """The rows with a name for each that has none.

    Inner nodes are A, B, C, … Z, AA, … level by level; a leaf is its parent's name in lower case and its place among
    all siblings, counted from 1: b1, b2. A name that is taken is passed over; then a leaf is PARENT:PLACE.
    """
    rows = list(rows)
    taken = {row.name for row in rows if row.name}
    if len(taken) == len(rows):
        return rows
    level, place, below = [0] * len(rows), [1] * len(rows), [0] * len(rows)
    for index, row in enumerate(rows[1:], 1):
        level[index] = level[row.parent] + 1
        below[row.parent] += 1
        place[index] = below[row.parent]
    letters = (name for name in _letters() if name not in taken)
    for index in sorted(range(len(rows)), key=level.__getitem__):  # stable: left to right within a level
        if rows[index].name:
            continue
        if below[index] or index == 0:
            name = next(letters)
        else:
            parent = rows[rows[index].parent].name
            name = f"{parent.lower()}{place[index]}"
            if name in taken or not parent[-1].isalpha():
                name = f"{parent}:{place[index]}"
            while name in taken:
                name += "'"
        taken.add(name)
        rows[index] = rows[index]._replace(name=name)
    return rows


def _letters() -> Iterator[str]:
    return ("".join(letters) for length in count(1) for letters in product(ascii_uppercase, repeat=length))


def _open(spec: Any, path: str) -> tuple[Any, str | None, Number | None]:
    """The children of what stands in the place (None: a leaf), who moves if it says so, and its value."""
    if isinstance(spec, list):  # the rest is slower, and told by the same rules
        return spec, None, None
    if isinstance(spec, int):
        return None, None, check_value(spec, path)
    if isinstance(spec, Mapping) and "children" in spec:
        odd = [key for key in spec if key not in ("children", "to_move", "value")]
        if odd:
            raise BadTree(f"{brief(odd[0])} beside 'children'; expected only to_move and value there", path, odd[0])
        children = spec["children"]
        if not _is_inner(children):
            raise BadTree(f"'children' is {_describe(children)}; expected a list or a mapping", path, "children")
        return children, spec.get("to_move"), check_value(spec.get("value"), path)
    if _is_inner(spec):
        return spec, None, None
    return None, None, check_value(spec, path)


def _is_inner(spec: Any) -> bool:
    return isinstance(spec, Mapping | Sequence) and not isinstance(spec, str | bytes | bytearray)


def _children(spec: Any, path: str) -> list[tuple[str, Any]]:
    """The children with their names; "" where they have none."""
    if not spec:
        raise BadTree("an inner node without children; expected at least one (a leaf is a number)", path)
    if len(spec) > MOST_CHILDREN:
        raise BadTree(f"{len(spec):,} children; expected at most {MOST_CHILDREN:,}", path)
    if isinstance(spec, Mapping):
        return [(_name(name, path, "a child's name"), child) for name, child in spec.items()]
    return [("", child) for child in spec]


def _name(name: Any, path: str, whose: str) -> str:
    if not isinstance(name, str) or not name:
        raise BadTree(f"{whose} is {'empty' if name == '' else _describe(name)}; expected text", path, whose)
    return name


def _player(to_move: Any, path: str) -> bool:
    if to_move not in ("max", "min", "MAX", "MIN"):
        raise BadTree(f"to_move is {_describe(to_move)}; expected max or min", path, "to_move")
    return bool(to_move.lower() == "max")


def check_value(value: Any, path: str) -> Number | None:
    """The value as an int or a float; None where it is not known."""
    if value is None:
        return None
    try:
        known = plain(value)
    except OverflowError:
        raise BadTree(f"the value is {TOO_LARGE.description}; expected a smaller one", path, "value") from None
    if known is None:
        expected = "expected a number, or null where it is not known"
        raise BadTree(f"the value is {_describe(value)}; {expected}", path, "value")
    return known


def _describe(spec: Any) -> str:
    kinds = {
        EllipsisType: "left open",
        bool: "true or false",
        str: "text",
        dict: "a mapping",
        list: "a list",
        type(None): "nothing",
    }
    if isinstance(spec, Unfit):
        return spec.description
    if isinstance(spec, float) and isnan(spec):
        return "not a number (NaN)"
    return f"{kinds.get(type(spec), type(spec).__name__)} ({brief(spec)})"
