"""What a search does, as seen from outside: what it returns, and which leaves it reads, in which order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from abviz.game import Number
from abviz.text import plain
from abviz.tree import Node, Tree

MOST_LOOKS = 20_000  # at a node's children or value, in one run


@dataclass(frozen=True)
class Behaviour:
    value: Number | None  # what it returned; None if that was no number
    leaves: tuple[str, ...]  # in the order in which they were first read
    problem: str = ""  # an exception, told in a few words


class Seen:
    """A node as a student's function is handed it: `name`, `is_leaf`, `value`, `is_max`, `children`, and no more."""

    __slots__ = ("_below", "_log", "_node", "is_leaf", "is_max", "name")

    name: str
    is_leaf: bool
    is_max: bool
    _node: Node
    _log: "_Log"
    _below: tuple["Seen", ...] | None

    def __init__(self, node: Node, log: "_Log"):
        keep = object.__setattr__
        keep(self, "_node", node)
        keep(self, "_log", log)
        keep(self, "_below", None)
        keep(self, "name", node.name)
        keep(self, "is_leaf", node.is_leaf)
        keep(self, "is_max", node.is_max)

    @property
    def value(self) -> Number | None:
        self._log.look()
        if self.is_leaf:
            self._log.leaves[self.name] = None
        return self._node.value

    @property
    def children(self) -> tuple["Seen", ...]:
        self._log.look()
        below = self._below
        if below is None:
            below = tuple(Seen(child, self._log) for child in self._node.children)
            object.__setattr__(self, "_below", below)
        return below

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


class TooLong(Exception):
    pass


class _Log:
    def __init__(self) -> None:
        self.looks = 0
        self.leaves: dict[str, None] = {}

    def look(self) -> None:
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise TooLong(f"it looked at nodes more than {MOST_LOOKS:,} times")


def observe(function: Callable[..., Any], tree: Tree, *bounds: Number) -> Behaviour:
    """Run the function on the tree, as f(root, *bounds), and tell what it did. Exceptions are told, not raised."""
    log = _Log()
    try:
        value = function(Seen(tree.root, log), *bounds)
    except NotImplementedError:
        raise
    except RecursionError:
        return Behaviour(None, tuple(log.leaves), "it called itself without end")
    except Exception as error:
        return Behaviour(None, tuple(log.leaves), f"it raised {type(error).__name__}: {error}")
    return Behaviour(plain(value), tuple(log.leaves))
