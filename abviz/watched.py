"""The nodes that somebody's own function is handed: they tell when their children or values are asked for."""

import sys
from typing import TYPE_CHECKING, Any

from abviz.game import Number
from abviz.tree import Node

if TYPE_CHECKING:
    from abviz.watching import Log


class _Unsealed:
    """A Watched that is being made: of this class it can be changed, which is quicker than to get round the seal."""

    __slots__ = ("_below", "_log", "_node", "is_leaf", "is_max", "name")

    _node: Node
    _log: "Log"
    _below: tuple["Watched", ...]  # the children, once they have been asked for
    name: str
    is_leaf: bool
    is_max: bool


class Watched(_Unsealed):
    """A node as a student's function is handed it: `name`, `is_leaf`, `value`, `is_max`, `children`, and no more."""

    __slots__ = ()

    @property
    def value(self) -> Number | None:
        if self._log.leaf is self._node:  # a function looks at the leaf that it was handed
            return self._node.value
        if not self._log.off:
            sys.settrace(None)  # our own calls need no watching, and are quicker without
        self._log.note("read", self._node)
        return self._node.value

    @property
    def children(self) -> tuple["Watched", ...]:
        if not self._log.off:
            sys.settrace(None)
        below = self._below or _open(self)
        self._log.note("open", self._node)
        return below

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


Watched.__name__ = Watched.__qualname__ = "Node"  # as errors in somebody's function name it


def _open(node: Watched) -> tuple[Watched, ...]:
    below = handed_out(node._node.children, node._log)
    object.__setattr__(node, "_below", below)
    return below


def handed_out(nodes: tuple[Node, ...], log: "Log") -> tuple[Watched, ...]:
    made: list[Any] = []
    for node in nodes:
        one = _Unsealed()
        one._node, one._log, one._below = node, log, ()
        one.name, one.is_leaf, one.is_max = node.name, not node.children, node.is_max
        one.__class__ = Watched
        made.append(one)
    return tuple(made)
