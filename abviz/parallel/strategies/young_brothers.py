"""Young brothers wait: at every node of the upper tree the first child alone, then its brothers side by side.

If a brother cuts, the others are no longer needed: they are cancelled.
"""

from abviz.parallel.plans import Node
from abviz.parallel.strategies.first_move import FirstMove


class YoungBrothers(FirstMove):
    name = "young-brothers"

    def divides(self, parent: Node, place: int) -> bool:
        return True
