"""The vocabulary, and what a search needs to know of a game: three questions."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

Number = int | float
Node = TypeVar("Node")


class Game(Protocol[Node]):
    """A two-player game of perfect information, as the searches see it. Values are from MAX's side."""

    @property
    def root(self) -> Node:
        """Where a search starts unless it is told otherwise."""

    def children(self, node: Node, /) -> Sequence[Node]:
        """The nodes one move on, left to right; none where the game is over."""

    def value(self, node: Node, /) -> Number | None:
        """What the node is worth without searching further: a leaf's value, an inner node's static value;
        None where it is not known."""

    def is_max(self, node: Node, /) -> bool:
        """True where MAX is to move, False where MIN is."""
