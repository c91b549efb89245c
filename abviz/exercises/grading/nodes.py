"""The nodes that an answer is handed, within the process of the hand-in: what they are worth has to be asked for."""

from typing import Any, Protocol

MOST_LOOKS = 1_000  # that are told together


class Asks(Protocol):
    looks: list[int]

    def ask(self, *question: Any) -> Any: ...

    def many_looks(self) -> None: ...


class Node:
    """As a student knows it: `name`, `is_leaf`, `value`, `is_max`, `children`.

    Who moves and how many children there are is known from the start. A value may be, too; otherwise it is asked of the
    grader when it is first read. The looks before that travel along, in their order: i for the children of node i, ~i
    for its value.
    """

    __slots__ = ("_asks", "_below", "_known", "_number", "_value", "is_leaf", "is_max", "name")

    name: str
    is_leaf: bool
    is_max: bool
    _asks: Asks
    _number: int
    _value: Any
    _known: bool
    _below: tuple["Node", ...]

    def __init__(self, asks: Asks, number: int, name: str, is_max: bool, value: Any = ...):
        keep = object.__setattr__
        keep(self, "_asks", asks)
        keep(self, "_number", number)
        keep(self, "name", name)
        keep(self, "is_max", is_max)
        keep(self, "is_leaf", True)
        keep(self, "_below", ())
        keep(self, "_value", value)
        keep(self, "_known", value is not ...)

    @property
    def value(self) -> Any:
        if self._known:
            self._look(~self._number)
        else:
            object.__setattr__(self, "_value", self._asks.ask("value", self._number))
            object.__setattr__(self, "_known", True)
        return self._value

    @property
    def children(self) -> tuple["Node", ...]:
        self._look(self._number)
        return self._below

    def _look(self, what: int) -> None:
        self._asks.looks.append(what)
        if len(self._asks.looks) > MOST_LOOKS:
            self._asks.many_looks()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __repr__(self) -> str:
        return f"<{'MAX' if self.is_max else 'MIN'} node {self.name}>"


def grown(asks: Asks, first: int, rows: list[list[Any]]) -> list[Node]:
    """The nodes of a tree, numbered from `first` on. A row has the number of its parent's row, whether MAX moves, the
    name, and the value where that is told."""
    nodes = [Node(asks, first + i, name, is_max, *value) for i, (_, is_max, name, *value) in enumerate(rows)]
    below: list[list[Node]] = [[] for _ in rows]
    for node, (parent, *_) in zip(nodes[1:], rows[1:], strict=True):
        below[parent].append(node)
    for node, children in zip(nodes, below, strict=True):
        if children:
            object.__setattr__(node, "_below", tuple(children))
            object.__setattr__(node, "is_leaf", False)
    return nodes
