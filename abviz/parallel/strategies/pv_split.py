"""The same down the line of first moves: while the first move is searched, its own later replies go side by side."""

from abviz.parallel.strategies.first_move import FirstMove
from abviz.parallel.upper import Node


class PvSplit(FirstMove):
    name = "pv-split"
    upper = 4
    upper_improved = 3

    def divides(self, parent: Node, place: int) -> bool:
        return super().divides(parent, place) and parent.leads(place)
