"""Nested lists and mappings, from Python or from a file, as the rows of a tree; its names, and the text of its file."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, product
from math import inf, isinf, nan
from string import ascii_uppercase
from typing import Any, NamedTuple

from abviz.errors import LONGEST, AbvizError, Number, brief, plain, quoted, short, unknown

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000
MOST_WRITTEN_LEVELS = 100
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
        super().__init__(problem if path is None else f"at {short(path, LONGEST) or 'the root'}: {problem}")


# what a file adds to Python's lists and mappings


class Plain(str):
    """A scalar of a file without quotes: as a name or a title it is text, as a value what YAML 1.2 says."""


class Item(NamedTuple):
    """A child, or an entry of a mapping."""

    name: Any
    content: Any
    line: int | None = None


class Group(list[Item]):
    """A list or mapping of a file, each entry with its line."""


def items(content: Any) -> list[Item] | None:
    """Return the items of a list or mapping of either origin; None for anything else."""
    if not isinstance(content, Mapping | list | tuple):
        return None
    if len(content) > MOST_CHILDREN:
        raise BadTree(f"{len(content):,} children; expected at most {MOST_CHILDREN:,}")
    if isinstance(content, Group):
        return content
    pairs = content.items() if isinstance(content, Mapping) else ((None, each) for each in content)
    return [Item(*pair) for pair in pairs]


def by_key(entries: list[Item], legal: Sequence[str], place: str | None = None) -> dict[str, Item]:
    """Return the entries of a mapping by their keys; refuse a key that is not legal, and one that comes twice."""
    result: dict[str, Item] = {}
    for item in entries:
        if not isinstance(item.name, str):
            raise BadTree(f"a key is {describe(item.name)}; expected {', '.join(legal)}", place, item.line)
        if item.name not in legal:
            raise BadTree(str(unknown("key", item.name, legal)), place, item.line)
        if item.name in result:
            raise BadTree(f"the key {item.name} is there twice; expected each key once", place, item.line)
        result[item.name] = item
    return result


INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}
WORDS |= {".inf": inf, "+.inf": inf, "-.inf": -inf, ".nan": nan}
WORDS |= {cased: WORDS[word] for word in tuple(WORDS) for cased in (word.upper(), word.title())}
WORDS |= {"Infinity": inf, "-Infinity": -inf, ".NaN": nan}  # the first two as the json module writes them


def resolve(text: str) -> Any:
    """Return what a scalar without quotes is by YAML 1.2's core schema: nothing, true or false, a number, or text."""
    if text in WORDS:
        return WORDS[text]
    if INTEGER.fullmatch(text) and len(text) < 1000:  # Python refuses to read thousands of digits
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    if FLOAT.fullmatch(text) and not isinf(float(text)):  # 1e400 is no win
        return float(text)
    return str(text)


# from nested lists to rows


def read_rows(nested: Any, to_move: Any = "max", root: Any = None, line: int | None = None) -> list[Row]:
    """Return nested lists and mappings as rows, each parent before its children; refuse whatever makes no tree."""
    rows: list[Row] = []
    taken: set[str] = set()
    waiting: list[tuple[Item, str, int, Any]] = [(Item(root, nested, line), "", -1, to_move)]
    while waiting:
        item, path, parent, player = waiting.pop()  # a path is ".1.0"
        try:
            if len(rows) == MOST_NODES:
                raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer")
            if path.count(".") == MOST_LEVELS:
                raise BadTree(f"more than {MOST_LEVELS:,} levels (does the tree hold itself?); expected fewer")
            _check_name(item.name, taken)
            children, is_max, value = _read(item.content, player)
        except BadTree as problem:
            raise BadTree(str(problem), path[1:], problem.line or item.line) from None
        other = "min" if is_max else "max"
        waiting += [(child, f"{path}.{n}", len(rows), other) for n, child in enumerate(children)][::-1]
        rows.append(Row(str(item.name or ""), is_max, value, parent))
    return with_names(rows)


def _check_name(name: Any, taken: set[str]) -> None:
    if name is None:
        return
    if not isinstance(name, str) or not name:
        raise BadTree(f"the name is {'empty' if name == '' else describe(name)}; expected text")
    if name in taken:
        raise BadTree(f"there is already a node named {brief(str(name))}; expected another name")
    taken.add(name)


def _read(content: Any, player: Any) -> tuple[list[Item], bool, Number | None]:
    """Return the children (none: a leaf), whether MAX is to move, and the value."""
    children, value, line = items(content), None, None
    if children is None:
        children, value = [], check_value(content)
    elif any(item.name == "children" for item in children):  # the long form
        entries = by_key(children, LONG_FORM)
        inner, to_move, static = (entries.get(key, Item(key, None)) for key in LONG_FORM)
        children = items(inner.content)
        if children is None:
            raise BadTree(f"'children' is {describe(inner.content)}; expected a list or a mapping", line=inner.line)
        value = check_value(static.content, line=static.line)
        if describe(to_move.content) != "nothing":
            player, line = to_move.content, to_move.line
    if not isinstance(player, str) or player not in PLAYERS:
        raise BadTree(f"to_move is {describe(player)}; expected max or min", line=line)
    if not children and items(content) is not None:
        raise BadTree("an inner node without children; expected at least one (a leaf is a number)")
    return children, player in ("max", "MAX"), value


def check_value(value: Any, place: str | None = None, line: int | None = None) -> Number | None:
    """Return the value as an int or a float, or None where it is not known; `place` is what an error calls the node."""
    if isinstance(value, Plain):
        value = resolve(value)
    if value is None:
        return None
    try:
        result = plain(value)
    except OverflowError:
        result = None
    if result is None:
        expected = "expected a number up to 1.8e308, .inf for a win, or null where it is not known"
        raise BadTree(f"the value is {describe(value)}; {expected}", place, line)
    return result


def describe(content: Any) -> str:
    """Return what an error calls a thing that does not belong there."""
    if isinstance(content, Plain):
        content = resolve(content)
    if content is None:
        return "nothing"
    if isinstance(content, Mapping | list | tuple):
        return "a list or a mapping"
    kind = {"str": "text", "bool": "true or false"}.get(type(content).__name__, type(content).__name__)
    return f"{kind} ({brief(content)})"


# names


def with_names(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with a name for each node that has none.

    Inner nodes (and the root) are A, B, C, … Z, AA, … level by level. A leaf is its parent's name in lower case and
    its place among all siblings, counted from 1: b1, b2; or PARENT:PLACE where that name is taken or its parent's name
    does not end in a letter. The names that the rows have come first: made names pass them over.
    """
    rows = list(rows)
    taken = {row.name for row in rows}
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


# a tree as nested lists, and as the text of a file


def has_own_names(tree: Any) -> bool:
    """Return whether the nodes have other names than those that a tree of nested lists gives them."""
    rows = tree.rows()
    return bool(with_names([row._replace(name="") for row in rows]) != rows)


def as_lists(tree: Any, named: bool = False, write: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return the tree as nested lists, or as mappings from names, its values as `write` returns them.

    A node where the same player moves again, or with a static value, takes the long form.
    """

    def content(node: Any, player: bool) -> Any:
        if node.is_leaf:
            return write(node.value)
        long_form: dict[str, Any] = {} if node.is_max == player else {"to_move": "max" if node.is_max else "min"}
        if node.value is not None:
            long_form["value"] = write(node.value)
        below: Any = [content(child, not node.is_max) for child in node.children]
        if named:
            below = {child.name: each for child, each in zip(node.children, below, strict=True)}
        is_long = long_form or (named and "children" in below)  # a node of that name needs the long form, too
        return {**long_form, "children": below} if is_long else below

    return content(tree.root, tree.root.is_max)


def write_yaml(tree: Any) -> str:
    """Return the text of a tree file, which loads to an equal tree."""
    import yaml  # when it is first needed: it takes a while

    class Dumper(yaml.SafeDumper):
        def represent_text(self, text: str) -> yaml.Node:  # quoted where it is not printable: line breaks got lost
            return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')

    Dumper.add_representer(str, Dumper.represent_text)
    for leaf in tree.leaves():
        path = tree.path(leaf)
        if len(path) > MOST_WRITTEN_LEVELS:  # the library's dumper calls itself at every level
            raise AbvizError(f"the tree has more than {MOST_WRITTEN_LEVELS} levels; expected fewer in a tree file")
        if len(path) > 1 and leaf.is_max == path[-2].is_max:
            problem = f"a tree file cannot say that the same player moves at {quoted(leaf.name)} and above it"
            raise AbvizError(f"{problem}; expected the other player at a leaf")
    root, is_named = tree.root, has_own_names(tree)
    head: dict[str, Any] = {"title": tree.title, "source": tree.source, "note": tree.note}
    head |= {"to_move": "max" if root.is_max else "min", "root": root.name if is_named else ""}
    if tree.notes:
        head["notes"] = dict(tree.notes)
    record = {key: text for key, text in head.items() if text} | {"tree": as_lists(tree, is_named)}
    return str(yaml.dump(record, Dumper=Dumper, default_flow_style=None, allow_unicode=True, sort_keys=False))
