"""Which numbers of cuts and of leaves read go together on some tree of a shape: known without looking for the tree.

A search compares values and never computes with them. So of a node's value it counts only whether it lies below the
window (beyond the bound of the player who moves there, the floor), within, or above (beyond the opponent's, the roof),
and where these bounds come from. Each such plan of a search can be filled with leaves, if their range is wide enough
and, with >, no two values are equal.
"""

from functools import cache
from math import inf, prod

Range = tuple[float, float]  # both ends belong to it
Counts = dict[str, Range]  # by the names of Measures; ties, which are about values, are not among them
Outcomes = tuple[int, int, int]  # what can be counted where the value is below, within and above the window

LARGEST = 200_000
NONE, FAR, NEAR = 0, 1, 2  # a bound is still infinite; comes from above; was moved by the node itself


def can_hold(counts: Counts, depth: int, branching: tuple[int, int], max_moves: bool) -> bool:
    """Whether a search of some tree of that shape counts all this at once; `max_moves` at the root.

    True as well where there are so many combinations that only looking for the tree can tell.
    """
    if prod(_values(span) for span in counts.values()) > LARGEST:
        return True
    box = Box(counts)
    return bool(_search(box, depth, branching, max_moves) & box.wanted)


def extent(name: str, depth: int, branching: tuple[int, int], max_moves: bool, limit: int) -> tuple[int, int]:
    """The fewest and the most of something that a search can count, on a tree of at most so many leaves."""
    box = Box({name: (0, min(branching[1] ** depth, limit))})
    found = _search(box, depth, branching, max_moves)
    return (found & -found).bit_length() - 1, found.bit_length() - 1


class Box:
    """Sets of counts that occur together. A set is one number: every bit of it stands for one combination.

    Of what is wanted up to a number, larger counts are of no use and dropped; of what is wanted from a number on,
    larger ones count like that number.
    """

    def __init__(self, counts: Counts):
        self.stride: dict[str, int] = {}
        self._digits: list[tuple[int, bool, list[int]]] = []  # how far it counts, whether it stays there, its masks
        size = 1
        for name, span in counts.items():
            self.stride[name] = size
            size *= _values(span)
        self.wanted = ~0
        for name, (low, high) in counts.items():
            most = int(low if high == inf else high)
            masks = self._masks(self.stride[name], _values((low, high)), size)
            self._digits.append((most, high == inf, masks))
            self.wanted &= sum(masks[int(low) : most + 1])

    @staticmethod
    def _masks(stride: int, values: int, size: int) -> list[int]:
        """For each value of one count, all combinations with it."""
        block = (1 << stride) - 1
        first = sum(block << start for start in range(0, size, stride * values))
        return [first << (value * stride) for value in range(values)]

    def one(self, *names: str) -> int:
        """The set that holds only this: one of each, and none of the rest."""
        return self._kept(1 << sum(self.stride.get(name, 0) for name in names))

    def sums(self, some: int, others: int) -> int:
        """Each combination of the one set together with each of the other."""
        if some.bit_count() > others.bit_count():
            some, others = others, some
        found = 0
        while some:
            found |= others << ((some & -some).bit_length() - 1)
            some &= some - 1
        return self._kept(found)

    def _kept(self, combinations: int) -> int:
        for (most, stays, masks), stride in zip(self._digits, self.stride.values(), strict=True):
            for value in range(most + 1, len(masks)):
                beyond = combinations & masks[value]
                combinations ^= beyond
                if stays:
                    combinations |= beyond >> (value - most) * stride
        return combinations


def _values(span: Range) -> int:
    low, high = span
    return 2 * max(1, int(low if high == inf else high)) + 1  # room for the sum of two


def _search(box: Box, depth: int, branching: tuple[int, int], max_moves: bool) -> int:
    fewest, most = branching

    @cache
    def node(left: int, floor: bool, roof: int) -> Outcomes:
        """`left` moves above the leaves."""
        if left == 0:
            leaf = box.one("leaves_read")
            return (leaf if floor else 0, leaf, leaf if roof else 0)
        kind = "beta_cuts" if max_moves == ((depth - left) % 2 == 0) else "alpha_cuts"
        cut = box.one(kind, *["subtree_cuts"] * (left > 1), *["deep_cuts"] * (roof == FAR))
        last_child = box.one("last_child_cutoffs")
        below = within = above = 0
        so_far = {FAR if floor else NONE: box.one()}  # by where the floor comes from when the next child is searched
        for read in range(1, most + 1):
            then: dict[int, int] = {}
            for own, counts in so_far.items():
                # The opponent moves at the child: its floor is the roof here, and what it has above is below here.
                child_above, child_within, child_below = node(left - 1, roof != NONE, own)
                then[own] = then.get(own, 0) | box.sums(counts, child_below)
                then[NEAR] = then.get(NEAR, 0) | box.sums(counts, child_within)
                ended = box.sums(counts, child_above)
                above |= box.sums(ended, cut) if read < most else 0
                above |= box.sums(ended, last_child) if read >= fewest else 0
            so_far = then
            if read >= fewest:
                below |= so_far.get(FAR, 0)
                within |= so_far[NEAR]
        return below, within, above

    return node(depth, False, NONE)[1]
