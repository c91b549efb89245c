"""From nested lists and mappings to the rows of a tree: checks, limits, and names for the nodes that have none."""

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

KINDS: dict[type, str] = {
    EllipsisType: "left open",
    bool: "true or false",
    str: "text",
    dict: "a mapping",
    list: "a list",
    type(None): "nothing",
}


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


@dataclass(frozen=True)
class Unfit:
    """A scalar of a file that is no value; an error describes it in these words."""

    description: str


TOO_LARGE = Unfit("a number beyond 1.8e308")


class BadTree(AbvizError):
    """Input that makes no tree: the problem, its path of child numbers from the root (None: no place), its line."""

    def __init__(self, problem: str, path: str | None, line: int | None = None):
        self.line = line
        super().__init__(problem if path is None else f"at {_shortened(path)}: {problem}")


class _Problem(Exception):
    """A problem whose place is not known yet; `key` is the key of the long form that it is about."""

    def __init__(self, text: str, key: str = ""):
        self.key = key
        super().__init__(text)


def _shortened(path: str) -> str:
    path = visible(path or "the root")
    return path if len(path) <= 60 else f"{path[:28]} … {path[-28:]}"


def read_rows(nested: Any, to_move: str = "max", root: str | None = None, line: int | None = None) -> list[Row]:
    """Return nested lists and mappings as rows, each parent before its children; refuse whatever makes no tree.

    Lists and mappings that were read from a file have an attribute `lines`, with the line of each of their items.
    """
    rows: list[Row] = []
    numbers: list[int] = []  # of each row, which child of its parent it is
    taken: set[str] = set()
    waiting: list[tuple[Any, Any, int, int, int, Any, int | None]] = [(nested, root, 0, 0, -1, to_move, line)]
    while waiting:
        spec, name, number, level, parent, player, line = waiting.pop()
        index = len(rows)
        try:
            if index == MOST_NODES:
                raise _Problem(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer")
            if level == MOST_LEVELS:
                raise _Problem(f"more than {MOST_LEVELS:,} levels (does the tree hold itself?); expected fewer")
            if name is not None:
                _check_name(name, taken)
            children, says, value = _open(spec)
            is_max = _is_max(player if says is None else says)
            rows.append(Row(name or "", is_max, value, parent))
            numbers.append(number)
            if children is None:
                continue
            _check_children(children)
        except _Problem as problem:
            if problem.key and problem.key in getattr(spec, "lines", ()):
                line = spec.lines[problem.key]
            del rows[index:], numbers[index:]
            raise BadTree(str(problem), _path(rows, numbers, parent, number), line) from None
        other = "min" if is_max else "max"
        lines = getattr(children, "lines", {})
        has_names = isinstance(children, Mapping)
        for place, key in reversed(list(enumerate(children if has_names else range(len(children))))):
            label = key if has_names else None
            waiting.append((children[key], label, place, level + 1, index, other, lines.get(key)))
    return with_names(rows)


def _path(rows: list[Row], numbers: list[int], parent: int, number: int) -> str:
    path = [number] if parent >= 0 else []
    while parent > 0:
        path.append(numbers[parent])
        parent = rows[parent].parent
    return ".".join(map(str, reversed(path)))


def _check_name(name: Any, taken: set[str]) -> None:
    if not isinstance(name, str) or not name:
        raise _Problem(f"the name is {'empty' if name == '' else _describe(name)}; expected text")
    if name in taken:
        raise _Problem(f"there is already a node named {brief(name)}; expected another name")
    taken.add(name)


def _open(spec: Any) -> tuple[Any, Any, Number | None]:
    """Return the children (None: a leaf), who moves if the long form says so, and the value."""
    if isinstance(spec, list):
        return spec, None, None
    if isinstance(spec, Mapping) and "children" in spec:
        for key in spec:
            if key not in ("children", "to_move", "value"):
                raise _Problem(f"{brief(key)} beside 'children'; expected only to_move and value there", key)
        children = spec["children"]
        if not _is_inner(children):
            raise _Problem(f"'children' is {_describe(children)}; expected a list or a mapping", "children")
        return children, spec.get("to_move"), _number(spec.get("value"))
    if _is_inner(spec):
        return spec, None, None
    return None, None, _number(spec)


def _is_inner(spec: Any) -> bool:
    return isinstance(spec, Mapping | Sequence) and not isinstance(spec, str | bytes | bytearray)


def _check_children(children: Any) -> None:
    if not children:
        raise _Problem("an inner node without children; expected at least one (a leaf is a number)")
    if len(children) > MOST_CHILDREN:
        raise _Problem(f"{len(children):,} children; expected at most {MOST_CHILDREN:,}")


def _is_max(to_move: Any) -> bool:
    if not isinstance(to_move, str) or to_move not in ("max", "min", "MAX", "MIN"):
        raise _Problem(f"to_move is {_describe(to_move)}; expected max or min", "to_move")
    return to_move in ("max", "MAX")


def check_value(value: Any, place: str) -> Number | None:
    """Return the value as an int or a float, or None where it is not known; `place` is what an error calls the node."""
    try:
        return _number(value)
    except _Problem as problem:
        raise BadTree(str(problem), place) from None


def _number(value: Any) -> Number | None:
    if value is None:
        return None
    try:
        result = plain(value)
    except OverflowError:
        raise _Problem(f"the value is {TOO_LARGE.description}; expected a smaller one", "value") from None
    if result is None:
        raise _Problem(f"the value is {_describe(value)}; expected a number, or null where it is not known", "value")
    return result


def _describe(spec: Any) -> str:
    if isinstance(spec, Unfit):
        return spec.description
    if isinstance(spec, float) and isnan(spec):
        return "not a number (NaN)"
    kind = next((kind for type_, kind in KINDS.items() if isinstance(spec, type_)), type(spec).__name__)
    return f"{kind} ({brief(spec)})"


# names


def with_names(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a name for each node that has none.

    Inner nodes (and the root) are A, B, C, … Z, AA, … level by level. A leaf is its parent's name in lower case and
    its place among all siblings, counted from 1: b1, b2; or PARENT:PLACE where that name is taken or its parent's name
    does not end in a letter. The names that the rows have come first: made names pass them over.
    """
    rows = list(rows)
    taken = {row.name for row in rows if row.name}
    if len(taken) == len(rows):
        return rows
    level, place, breadth = [0] * len(rows), [1] * len(rows), [0] * len(rows)
    for index, row in enumerate(rows[1:], 1):
        level[index] = level[row.parent] + 1
        breadth[row.parent] += 1
        place[index] = breadth[row.parent]
    letters = (name for name in _letters() if name not in taken)
    for index in sorted(range(len(rows)), key=level.__getitem__):  # stable: left to right within a level
        if rows[index].name:
            continue
        if breadth[index] or index == 0:
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
