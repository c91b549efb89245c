"""Nested lists and mappings, from Python or from a file, as the rows of a tree; and the names of unnamed nodes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from math import inf, isinf, isnan, nan
from string import ascii_uppercase
from types import EllipsisType
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, plain, visible

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000
PLAYERS = ("max", "min", "MAX", "MIN")
LONG_FORM = ("children", "to_move", "value")


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


class BadTree(AbvizError):
    """Input that makes no tree: the problem, its path of child numbers from the root (None: no place), its line."""

    def __init__(self, problem: str, path: str | None = None, line: int | None = None):
        self.line = line
        path = path and visible(path)
        if path and len(path) > 60:
            path = f"{path[:28]} … {path[-28:]}"
        super().__init__(problem if path is None else f"at {path or 'the root'}: {problem}")


# what a file adds to Python's lists and mappings


class Plain(str):
    """A scalar of a file without quotes: as a name or a title it is text, as a value what YAML 1.2 says."""


@dataclass(frozen=True)
class Unfit:
    """Something in a file that is neither a value nor a name; an error describes it in these words."""

    description: str


TOO_LARGE = Unfit("a number beyond 1.8e308")


@dataclass(eq=False)
class Group:
    """A list or mapping of a file, each entry with its line; keys and values of a mapping take turns."""

    is_mapping: bool
    entries: list[tuple[Any, int | None]] = field(default_factory=list)


class Item(NamedTuple):
    """A child, or an entry of the long form."""

    name: Any
    content: Any
    line: int | None = None


def items(spec: Any) -> list[Item] | None:
    """Return the items of a list or mapping of either origin; None for anything else."""
    if isinstance(spec, Group):
        entries = spec.entries
        if not spec.is_mapping:
            return [Item(None, content, line) for content, line in entries]
        return [Item(key, value, line) for (key, line), (value, _) in zip(entries[::2], entries[1::2], strict=True)]
    if isinstance(spec, str | bytes | bytearray) or not isinstance(spec, Mapping | Sequence):
        return None
    if len(spec) > MOST_CHILDREN:
        raise BadTree(f"{len(spec):,} children; expected at most {MOST_CHILDREN:,}")
    return [Item(*pair) for pair in spec.items()] if isinstance(spec, Mapping) else [Item(None, each) for each in spec]


_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS |= {f"{sign}{word}": inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")}
_WORDS |= {f"-{word}": -inf for word in (".inf", ".Inf", ".INF")} | dict.fromkeys((".nan", ".NaN", ".NAN"), nan)
_WORDS |= {"Infinity": inf, "-Infinity": -inf}  # as the json module writes them


def resolve(text: str) -> Any:
    """Return what a scalar without quotes is by YAML 1.2's core schema: nothing, true or false, a number, or text."""
    if text in _WORDS:
        return _WORDS[text]
    text = str(text)
    if len(text) > 400:
        is_number = _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)
        return Unfit(f"a number of {len(text):,} characters") if is_number else text
    if _INTEGER.fullmatch(text):
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    if _FLOAT.fullmatch(text):
        value = float(text)
        return TOO_LARGE if isinf(value) else value  # 1e400 is no win
    if text.strip("+-").casefold() in ("inf", "infinity", "∞"):
        return Unfit(f"text ({brief(text)}, where a win is written .inf)")
    return text


# from nested lists to rows


def read_rows(nested: Any, to_move: Any = "max", root: Any = None, line: int | None = None) -> list[Row]:
    """Return nested lists and mappings as rows, each parent before its children; refuse whatever makes no tree."""
    rows: list[Row] = []
    numbers: list[int] = []  # of each row, which child of its parent it is
    taken: set[str] = set()
    waiting: list[tuple[Item, int, int, int, Any]] = [(Item(root, nested, line), 0, 0, -1, to_move)]
    while waiting:
        item, number, level, parent, player = waiting.pop()
        index = len(rows)
        try:
            if index == MOST_NODES:
                raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer")
            if level == MOST_LEVELS:
                raise BadTree(f"more than {MOST_LEVELS:,} levels (does the tree hold itself?); expected fewer")
            if item.name is not None:
                _check_name(item.name, taken)
            children, is_max, value = _read(item.content, player)
        except BadTree as problem:
            place = _path(rows, numbers, parent, number)
            raise BadTree(str(problem), place, problem.line or item.line) from None
        rows.append(Row(str(item.name or ""), is_max, value, parent))
        numbers.append(number)
        other = "min" if is_max else "max"
        waiting += [(child, n, level + 1, index, other) for n, child in reversed(list(enumerate(children)))]
    return with_names(rows)


def _path(rows: list[Row], numbers: list[int], parent: int, number: int) -> str:
    path = [number] if parent >= 0 else []
    while parent > 0:
        path.append(numbers[parent])
        parent = rows[parent].parent
    return ".".join(map(str, reversed(path)))


def _check_name(name: Any, taken: set[str]) -> None:
    if not isinstance(name, str) or not name:
        raise BadTree(f"the name is {'empty' if name == '' else describe(name)}; expected text")
    if name in taken:
        raise BadTree(f"there is already a node named {brief(str(name))}; expected another name")
    taken.add(name)


def _read(spec: Any, player: Any) -> tuple[list[Item], bool, Number | None]:
    """Return the children (none: a leaf), whether MAX is to move, and the value."""
    children, value, line = items(spec), None, None
    if children is None:
        value = _number(spec)
    elif "children" in (entries := {item.name: item for item in children}):  # the long form
        for item in children:
            if item.name not in LONG_FORM or item is not entries[item.name]:
                beside = f"{brief(str(item.name))} beside 'children'"
                raise BadTree(f"{beside}; expected only to_move and value there, each once", line=item.line)
        content, to_move, static = (entries.get(key, Item(key, None)) for key in LONG_FORM)
        if (children := items(content.content)) is None:
            raise BadTree(f"'children' is {describe(content.content)}; expected a list or a mapping", line=content.line)
        value = _number(static.content, static.line)
        if describe(to_move.content) != "nothing":
            player, line = to_move.content, to_move.line
    if not isinstance(player, str) or player not in PLAYERS:
        raise BadTree(f"to_move is {describe(player)}; expected max or min", line=line)
    if children is not None and not children:
        raise BadTree("an inner node without children; expected at least one (a leaf is a number)")
    if len(children or ()) > MOST_CHILDREN:
        raise BadTree(f"{len(children or ()):,} children; expected at most {MOST_CHILDREN:,}")
    return children or [], player in ("max", "MAX"), value


def check_value(value: Any, place: str) -> Number | None:
    """Return the value as an int or a float, or None where it is not known; `place` is what an error calls the node."""
    try:
        return _number(value)
    except BadTree as problem:
        raise BadTree(str(problem), place) from None


def _number(value: Any, line: int | None = None) -> Number | None:
    if isinstance(value, Plain):
        value = resolve(value)
    if value is None:
        return None
    try:
        result = plain(value)
    except OverflowError:
        raise BadTree(f"the value is {TOO_LARGE.description}; expected a smaller one", line=line) from None
    if result is None:
        expected = "expected a number, or null where it is not known"
        raise BadTree(f"the value is {describe(value)}; {expected}", line=line)
    return result


def describe(spec: Any) -> str:
    """Return what an error calls a thing that does not belong there."""
    if isinstance(spec, Plain):
        spec = resolve(spec)
    if spec is None:
        return "nothing"
    if isinstance(spec, Unfit):
        return spec.description
    if isinstance(spec, Group):
        return "a mapping" if spec.is_mapping else "a list"
    if isinstance(spec, float) and isnan(spec):
        return "not a number (NaN)"
    kinds = {EllipsisType: "left open", bool: "true or false", str: "text", Mapping: "a mapping", list: "a list"}
    kind = next((kind for type_, kind in kinds.items() if isinstance(spec, type_)), type(spec).__name__)
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
