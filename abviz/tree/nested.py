"""Nested lists and mappings, from Python or from a file, as the rows of a tree; names; a tree as lists."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, product
from string import ascii_uppercase
from typing import Any, NamedTuple

from abviz.errors import LONGEST, AbvizError, Number, brief, plain, short, unknown

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000
TOO_LARGE = f"the tree grows beyond {MOST_NODES:,} nodes or {MOST_LEVELS:,} levels; expected fewer"
PLAYERS = {"max": True, "min": False, "MAX": True, "MIN": False}


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


class Text(str):
    """A scalar of a file: as a name or a title it is the text as written, as a value what YAML 1.2 says."""

    value: Any


class BadTree(AbvizError):
    """Input that makes no tree. In a file it is on the line of the first of the things that is there."""

    def __init__(self, problem: str, *things: Any):
        super().__init__(problem)
        self.things = things


# from nested lists to rows


def read_rows(nested: Any, to_move: Any = "max", root: Any = None) -> list[Row]:
    """Return nested lists and mappings as rows, each parent before its children; refuse whatever makes no tree."""
    rows: list[Row] = []
    taken = set()
    waiting = [(root, nested, "", -1, to_move)]
    while waiting:
        name, content, path, parent, player = waiting.pop()  # a path is ".1.0"
        try:
            if len(rows) == MOST_NODES or path.count(".") == MOST_LEVELS:  # as where a list holds itself
                raise BadTree(TOO_LARGE)
            if name is not None and not (isinstance(name, str) and name):
                raise BadTree(f"the name is {describe(name)}; expected text that is not empty", name)
            if name in taken:
                raise BadTree(f"there is already a node named {brief(str(name))}; expected another name", name)
            children, is_max, value = _read(content, player)
        except BadTree as problem:
            message = f"at {short(path[1:], LONGEST) or 'the root'}: {problem}"
            raise BadTree(message, *problem.things, name, content) from None
        other = "min" if is_max else "max"
        waiting += [(*child, f"{path}.{n}", len(rows), other) for n, child in enumerate(children)][::-1]
        taken |= {name} - {None}
        rows.append(Row(str(name or ""), is_max, value, parent))
    return with_names(rows)


def _read(content: Any, player: Any) -> tuple[list[tuple[Any, Any]], bool, Number | None]:
    """Return the names and contents of the children (none: a leaf), whether MAX is to move, and the value."""
    is_inner = isinstance(content, Mapping | list | tuple)
    is_long = isinstance(content, Mapping) and "children" in content
    form = content if is_long else {"children" if is_inner else "value": content}
    check_keys(form, ("children", "to_move", "value"))
    children, player = form.get("children", ()), form.get("to_move", player)
    if not isinstance(player, str) or player not in PLAYERS:
        raise BadTree(f"to_move is {describe(player)}; expected max or min", player)
    if is_inner and not (isinstance(children, Mapping | list | tuple) and 0 < len(children) <= MOST_CHILDREN):
        expected = f"expected a list or a mapping of 1 to {MOST_CHILDREN:,} (a leaf is a number)"
        raise BadTree(f"the children are {describe(children)}; {expected}", children)
    pairs = children.items() if isinstance(children, Mapping) else [(None, each) for each in children]
    return list(pairs), PLAYERS[player], check_value(form.get("value"))


def check_keys(content: Mapping[Any, Any], legal: Sequence[str]) -> None:
    """Raise BadTree where a mapping has a key that is not legal."""
    for key in content:
        if key not in legal:
            raise BadTree(str(unknown("key", key, legal)), key)


def as_value(content: Any) -> Any:
    """Return what a scalar of either origin stands for where a value is expected."""
    return content.value if isinstance(content, Text) else content


def check_value(value: Any, place: str = "") -> Number | None:
    """Return the value as an int or a float, or None where it is not known; `place` is what an error calls the node."""
    try:
        result = plain(as_value(value))
    except OverflowError:
        result = None
    if result is None and as_value(value) is not None:
        where = f"at {short(place, LONGEST)}: " if place else ""
        expected = "expected a number up to 1.8e308 without quotes, .inf for a win, or null where it is not known"
        raise BadTree(f"{where}the value is {describe(value)}; {expected}", value)
    return result


def describe(content: Any) -> str:
    """Return what an error calls a thing that does not belong there."""
    if isinstance(content, Mapping | list | tuple):
        return "a mapping" if isinstance(content, Mapping) else "a list"
    return "nothing" if as_value(content) is None else brief(content)


# names


def with_names(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a name for each node that has none.

    Inner nodes (and the root) are A, B, C, … Z, AA, … level by level. A leaf is its parent's name in lower case and
    its place among all siblings, counted from 1: b1, b2; or PARENT:PLACE where that name is taken or its parent's name
    does not end in a letter. The names that the rows have come first: made names pass them over.
    """
    names, below = [row.name for row in rows], [list[int]() for _ in rows]
    for index, row in enumerate(rows[1:], 1):
        below[row.parent].append(index)
    taken = set(names)
    letters = ("".join(each) for length in count(1) for each in product(ascii_uppercase, repeat=length))
    level_by_level = [0]
    for index in level_by_level:
        parent = names[index] = names[index] or next(name for name in letters if name not in taken)
        for place, child in enumerate(below[index], 1):
            level_by_level.append(child)
            if not names[child] and not below[child]:
                name = f"{parent.lower()}{place}"
                if name in taken or not parent[-1].isalpha():
                    name = f"{parent}:{place}"
                while name in taken:
                    name += "'"
                names[child] = name
                taken.add(name)
    return [row._replace(name=name) for row, name in zip(rows, names, strict=True)]


# a tree as nested lists


def has_own_names(tree: Any) -> bool:
    """Return whether the nodes have other names than those that a tree of nested lists gives them."""
    rows = tree.rows()
    return bool(with_names([row._replace(name="") for row in rows]) != rows)


def as_lists(tree: Any, named: bool = False, write: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return the tree as nested lists, or as mappings from names, its values as `write` returns them.

    A node where the same player moves again, or with a static value, takes the long form.
    """
    made: dict[str, Any] = {}
    for node in reversed(tree.nodes):  # so that what is below a node is made before it
        above, below = tree.parent(node), {child.name: made[child.name] for child in node.children}
        is_again = above and above.is_max == node.is_max
        extras: dict[str, Any] = {"to_move": "max" if node.is_max else "min"} if is_again else {}
        if node.value is not None:
            extras["value"] = write(node.value)
        inside: Any = below if named else list(below.values())
        is_long = extras or "children" in inside  # a node of that name needs the long form, too
        made[node.name] = write(node.value) if node.is_leaf else {**extras, "children": inside} if is_long else inside
    return made[tree.root.name]
