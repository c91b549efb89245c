"""How values travel between the grader and a hand-in's process: as JSON, one message a line, and never as code.

None, True, False, text and numbers stand for themselves; all else is a list that begins with its kind.
"""

import reprlib
from collections.abc import Callable, Mapping
from math import isnan
from numbers import Integral, Real
from typing import Any

from abviz.errors import plain
from abviz.tree.model import Node, Tree

MOST_LETTERS = 1_000_000  # of one message
MOST_PARTS = 20_000  # of one value
DEEPEST = 40
LONGEST = 160  # letters of what stands for a value that cannot travel
SHORT = 300  # letters of an exception
LARGEST = 10**300

Encode = Callable[[Any], Any]  # what a side knows of its own: nodes and functions. None: it knows nothing of the value


class Strange:
    """Stands for a value of some other kind, and says what it looked like."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text


class TooMuch(ValueError):
    """A value is too large to travel."""


def encoded(value: Any, own: Encode) -> Any:
    """The value as it travels; TooMuch if it is too large, or holds itself."""
    return _Encoder(own).of(value, 0)


class _Encoder:
    def __init__(self, own: Encode):
        self.own = own
        self.parts = 0

    def of(self, value: Any, depth: int) -> Any:
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise TooMuch
        known = self.own(value)
        if known is not None:
            return known
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, Real):
            return _number(value)
        if value is ...:
            return ["..."]
        if isinstance(value, Tree):
            return ["tree", self._tree(value.root)]
        return self._several(value, depth + 1)

    def _several(self, value: Any, depth: int) -> Any:
        for kind, name in ((tuple, "tuple"), (list, "list"), (set | frozenset, "set")):
            if isinstance(value, kind):
                return [name, [self.of(each, depth) for each in value]]
        if isinstance(value, Mapping):
            return ["dict", [[self.of(key, depth), self.of(each, depth)] for key, each in value.items()]]
        return ["strange", _shown(value)]

    def _tree(self, node: Node) -> Any:
        """The long form of an inner node, with the names of its children."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise TooMuch
        if node.is_leaf:
            return node.value
        below = {child.name: self._tree(child) for child in node.children}
        named = any(child.name != _path_name(node, i) for i, child in enumerate(node.children))
        children = below if named else list(below.values())
        return {"children": children, "to_move": "max" if node.is_max else "min", "value": node.value}


def decoded(value: Any, own: Callable[[str, list[Any]], Any], depth: int = 0) -> Any:
    """The value of what has travelled; `own` makes nodes and functions of what their sender calls them."""
    if not isinstance(value, list):
        return value
    if depth > DEEPEST:
        raise TooMuch
    match value:
        case ["..."]:
            return ...
        case ["strange", str(text)]:
            return Strange(text)
        case ["tree", nested]:
            tree = Tree(nested, to_move=nested["to_move"]) if isinstance(nested, dict) else Tree(nested)
            return _not_deep(tree)
        case ["tuple", list(parts)]:
            return tuple(decoded(each, own, depth + 1) for each in parts)
        case ["list", list(parts)]:
            return [decoded(each, own, depth + 1) for each in parts]
        case ["set", list(parts)]:
            return {decoded(each, own, depth + 1) for each in parts}
        case ["dict", list(pairs)]:
            return {decoded(key, own, depth + 1): decoded(each, own, depth + 1) for key, each in pairs}
        case [str(kind), *rest]:
            return own(kind, rest)
    raise ValueError(f"no value: {value!r}")


def _not_deep(tree: Tree) -> Tree:
    """The tree, if reports can write it as nested lists."""
    levels: dict[int, int] = {}
    for node in reversed(tree.nodes):
        levels[node.index] = 1 + max((levels[child.index] for child in node.children), default=-1)
    if levels[0] > DEEPEST:
        raise TooMuch
    return tree


def _number(value: Real) -> Any:
    try:
        known = plain(value)
    except OverflowError:
        known = None
    if known is None:
        return (
            float("nan")
            if isnan(float(value) if not isinstance(value, Integral) else 0)
            else ["strange", "a number too large"]
        )
    return ["strange", "a number too large"] if isinstance(known, int) and abs(known) > LARGEST else known


def _path_name(node: Node, i: int) -> str:
    return str(i) if node.name == "root" else f"{node.name}.{i}"


def _shown(value: Any) -> str:
    try:
        return reprlib.repr(value)[:LONGEST]
    except Exception:
        return f"a {type(value).__name__}"


def text_of(error: BaseException) -> str:
    """What it says, if it can."""
    try:
        return str(error)[:SHORT]
    except Exception:
        return ""
