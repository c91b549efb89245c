"""Nested lists and mappings, checked and laid out as the rows of a tree."""

from collections.abc import Mapping, Sequence
from math import inf, isnan
from numbers import Real
from typing import Any, NamedTuple

from abviz.errors import AbvizError
from abviz.game import Number

MOST_NODES = 20_000
MOST_LEVELS = 1_000
MOST_CHILDREN = 1_000


class Row(NamedTuple):
    """A node before it is one: what it holds, and the index of its parent (−1 for the root)."""

    name: str
    is_max: bool
    value: Number | None
    parent: int


class BadTree(AbvizError):
    """What cannot be a tree: the `problem`, and its `place`, the child numbers from the root."""

    def __init__(self, problem: str, place: tuple[int, ...], path: str):
        self.path = path if len(path) <= 60 else f"{path[:28]} … {path[-28:]}"
        self.problem, self.place = problem, place
        super().__init__(f"at {self.path}: {problem}")


def read_rows(nested: Any, to_move: str, root: str) -> list[Row]:
    """The nested lists and mappings as rows, each parent before its children; anything unfit is refused."""
    rows: list[Row] = []
    paths: list[str] = []
    names: dict[str, int] = {}
    first = (nested, _name(root, (), "the root"), (), -1, _player(to_move, (), "root"))
    waiting: list[tuple[Any, str, tuple[int, ...], int, bool]] = [first]
    while waiting:
        spec, name, place, parent, is_max = waiting.pop()
        path = ".".join(map(str, place)) or "root"
        index = len(rows)
        if index == MOST_NODES:
            raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes", place, path)
        if len(place) == MOST_LEVELS:
            raise BadTree(f"the tree grows deeper than {MOST_LEVELS:,} levels (does it hold itself?)", place, path)
        children, mover, static = _open(spec, place, path)
        if mover is not None:
            is_max = _player(mover, place, path)
        if name in names:
            raise BadTree(f"there is already a node named {name!r}", place, path)
        names[name] = index
        rows.append(Row(name, is_max, static, parent))
        paths.append(path)
        inner = _children(children, place, path) if children is not None else []
        for number_, (label, child) in reversed(list(enumerate(inner))):
            at = (*place, number_)
            waiting.append((child, label or ".".join(map(str, at)), at, index, not is_max))
    for index, path in enumerate(paths):
        if names.get(path, index) != index:
            place = tuple(map(int, paths[names[path]].split(".")))
            problem = f"the name {path!r} is the path name of another node"
            raise BadTree(problem, place, paths[names[path]])
    return rows


def _open(spec: Any, place: tuple[int, ...], path: str) -> tuple[Any, str | None, Number | None]:
    """The children of what stands in the place (None: a leaf), who moves if it says so, and its value."""
    if isinstance(spec, Mapping) and "children" in spec:
        odd = [key for key in spec if key not in ("children", "to_move", "value")]
        if odd:
            raise BadTree(f"{odd[0]!r} beside 'children'; expected only to_move and value there", place, path)
        children = spec["children"]
        if not _is_inner(children):
            raise BadTree(f"'children' is {_describe(children)}; expected a list or a mapping", place, path)
        return children, spec.get("to_move"), check_value(spec.get("value"), place, path)
    if _is_inner(spec):
        return spec, None, None
    return None, None, check_value(spec, place, path)


def _is_inner(spec: Any) -> bool:
    return isinstance(spec, Mapping | Sequence) and not isinstance(spec, str | bytes)


def _children(spec: Any, place: tuple[int, ...], path: str) -> list[tuple[str, Any]]:
    """The children with their names; "" where they have none."""
    if not spec:
        raise BadTree("an inner node without children; expected at least one (a leaf is a number)", place, path)
    if len(spec) > MOST_CHILDREN:
        raise BadTree(f"{len(spec):,} children; expected at most {MOST_CHILDREN:,}", place, path)
    if isinstance(spec, Mapping):
        return [(_name(name, (*place, i), path), child) for i, (name, child) in enumerate(spec.items())]
    return [("", child) for child in spec]


def _name(name: Any, place: tuple[int, ...], path: str) -> str:
    if not isinstance(name, str) or not name:
        raise BadTree(f"a child's name is {_describe(name)}; expected text", place, path)
    return name


def _player(to_move: Any, place: tuple[int, ...], path: str) -> bool:
    if to_move not in ("max", "min"):
        raise BadTree(f"to_move is {_describe(to_move)}; expected max or min", place, path)
    return bool(to_move == "max")


def check_value(value: Any, place: tuple[int, ...], path: str) -> Number | None:
    """The value as an int or a float; None where it is not known."""
    if value is None:
        return None
    if isinstance(value, Real) and not (value is True or value is False) and not isnan(value):
        real: Any = value
        return float(real) if real in (inf, -inf) or real % 1 else int(real)
    raise BadTree(f"the value is {_describe(value)}; expected a number, or null where it is not known", place, path)


def _describe(spec: Any) -> str:
    kinds = {bool: "true or false", str: "text", dict: "a mapping", list: "a list", type(None): "nothing"}
    if isinstance(spec, float) and isnan(spec):
        return "not a number (NaN)"
    shown = repr(spec)
    if len(shown) > 40:
        shown = shown[:37] + "..."
    return f"{kinds.get(type(spec), type(spec).__name__)} ({shown})"
