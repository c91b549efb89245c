"""The same down the line of first moves: while the first move is searched, its own later replies go side by side."""

from abviz.parallel.plans import Node
from abviz.parallel.strategies.first_move import FirstMove


class PvSplit(FirstMove):
    name = "pv-split"

    def divides(self, parent: Node, place: int) -> bool:
        return place == parent.order[0] and (parent.parent is None or self.divides(parent.parent, parent.place))
