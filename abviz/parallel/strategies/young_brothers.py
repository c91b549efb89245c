"""Young brothers wait: at every node of the upper tree the first child alone, then its brothers side by side.

If a brother cuts, the others are no longer needed: they are cancelled.
"""

from collections.abc import Iterator

from abviz.parallel.strategies.first_move import FirstMove
from abviz.parallel.upper import Node, Window

DEEPER = 2  # plies by which the line of first moves is divided further: there is nothing else to do at the beginning
LIKELY = 2  # children that have not cut; where so many were searched, the next will hardly cut either


class YoungBrothers(FirstMove):
    name = "young-brothers"
    polls = True
    upper = 3

    def divides(self, parent: Node, place: int) -> bool:
        return super().divides(parent, place) or (parent.ply + 1 < self.upper + DEEPER and parent.leads(place))

    def choose(self, offers: Iterator[tuple[Node, Window]]) -> tuple[Node, Window] | None:
        """Where nobody is at work nothing is lost; then where a cut, which would make the task useless, is unlikely."""
        return max(offers, key=lambda offer: (not offer[0].open, min(offer[0].ended, LIKELY)), default=None)
