"""What is known of a tree's nodes beyond the tree itself, as where they are positions of a game.

A plain tree has no annotations. A tree that has some keeps them in its attribute `annotations`, and
whatever describes a tree, in words or in a picture, asks `annotations_of(tree)`.
"""

from typing import NamedTuple, TypedDict

from abviz.errors import Number, number, quoted
from abviz.tree.model import Node, Tree
from abviz.tree.nested import PLAYER_NAMES

MOST_PLIES = 1000  # of a win in a game: smaller values are estimates


class Folded(NamedTuple):
    """The size of a part of a game that the search skips, and that is not laid out."""

    nodes: int  # its topmost node included
    leaves: int


class Boards(TypedDict):
    """The boards at the nodes of a tree, for the browser."""

    kind: str  # "checkers", "cells", "marbles" or "text"
    players: list[str]
    turns: str  # a letter for each node: the player to move, 0 or 1, or "-" at the end of a game
    of: tuple[str, ...]  # what stands on the board of each node


class Annotations:
    """The answers for a plain tree, whose nodes are names and whose values are only numbers."""

    # What a win at the root counts, and 1 less for each ply; 0 where values are only numbers
    win = 0
    player_names = PLAYER_NAMES  # of MAX and MIN, in sentences

    def label(self, node: Node) -> str:
        """Return the name as a picture shows it."""
        return node.name

    def folded(self, node: Node) -> Folded | None:
        """Return the size of what is folded at a leaf; None at an ordinary leaf."""
        return None

    def ending(self, node: Node) -> str:
        """Return how the game ended at a leaf; "" where it did not."""
        return ""

    def is_estimate(self, node: Node) -> bool:
        """Return whether the value of a leaf is an estimate: the game goes on there."""
        return False

    def boards(self) -> Boards | None:
        """Return the boards at the nodes; None where there are none."""
        return None

    # values as text

    def number(self, value: Number | None) -> str:
        """Return a value as pictures write it: 3, or for a win in a game "MAX wins in 2"."""
        plies = self.plies_to_win(value)
        if value is None or plies is None:
            return number(value)

        winner = _winner(value)
        return f"{winner} wins in {plies}" if plies else f"{winner} has won"

    def said(self, value: Number | None) -> str:
        """Return a value as sentences write it: 3, or for a win in a game "a win for MAX in 2"."""
        plies = self.plies_to_win(value)
        if value is None or plies is None:
            return number(value)

        winner = quoted(self.player_names[value < 0])
        return f"a win for {winner} in {plies}" if plies else f"a win for {winner}"

    def plies_to_win(self, value: Number | None) -> int | None:
        """Return how many plies the win takes that the value stands for; None for other values."""
        if not self.win or not isinstance(value, int):
            return None

        plies = self.win - abs(value)
        return plies if 0 <= plies < MOST_PLIES else None


def _winner(value: Number) -> str:
    return "MAX" if value > 0 else "MIN"


NONE = Annotations()


def annotations_of(tree: Tree) -> Annotations:
    """Return the annotations of a tree; those of a plain tree say nothing."""
    annotations: Annotations = getattr(tree, "annotations", NONE)
    return annotations


def has_folded_parts(tree: Tree) -> bool:
    annotations = annotations_of(tree)
    if annotations is NONE:
        return False
    return any(annotations.folded(node) for node in tree.nodes)
