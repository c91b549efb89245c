"""The nodes that somebody's own function is handed: they tell when their children or values are asked for."""

import sys
from typing import TYPE_CHECKING, Any, TypeVar

from abviz.errors import Number
from abviz.tree.model import Node

if TYPE_CHECKING:
    from abviz.recording.watching import Log


class _Unsealed:
    """A node that is being made: of this class it can be changed, which is quicker than to get round the seal."""

    __slots__ = ("_below", "_log", "_node", "is_leaf", "is_max", "name")

    _node: Node
    _log: Any  # is told what is asked for
    _below: tuple[Any, ...]  # the children, once they have been asked for
    name: str
    is_leaf: bool
    is_max: bool


class Handed(_Unsealed):
    """A node as a student's function is handed it: `name`, `is_leaf`, `value`, `is_max`, `children`, and no more.

    `value` and `children` are properties of each kind, which tell its log.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a node cannot be changed (asked to delete {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


Kind = TypeVar("Kind", bound=Handed)


def handed_out(kind: type[Kind], nodes: tuple[Node, ...], log: Any) -> tuple[Kind, ...]:
    made: list[Any] = []
    for node in nodes:
        one = _Unsealed()
        one._node, one._log, one._below = node, log, ()
        one.name, one.is_leaf, one.is_max = node.name, not node.children, node.is_max
        one.__class__ = kind
        made.append(one)
    return tuple(made)


def below(node: Kind) -> tuple[Kind, ...]:
    """Its children, which are the same ones each time."""
    if not node._below and not node.is_leaf:
        object.__setattr__(node, "_below", handed_out(type(node), node._node.children, node._log))
    return node._below


class Watched(Handed):
    """One that may hand Python's tracing over and back."""

    __slots__ = ()

    _log: "Log"

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
        opened = self._below or below(self)
        self._log.note("open", self._node)
        return opened


Handed.__name__ = Handed.__qualname__ = "Node"  # as errors in somebody's function name it
Watched.__name__ = Watched.__qualname__ = "Node"
