"""The size of tasks: what the strategy "adaptive" splits, and what it leaves to one worker.

To hand a task out costs as much time as searching some hundred nodes. Thousands of small tasks cost
more than the search itself; few large ones leave workers idle at the end. So a node is split only
where both are true:

    it is a large part of the search    more than 1 / (PARTS · workers) of its nodes
    its tasks are worth their price     on average, at least WORTH times the cost of handing one out

Where the tasks of the root itself are not worth their price, one worker searches them all. The
sizes are estimates. A quick search counts the nodes to small depths, and their growth tells what to
expect of larger ones; the tasks on the line of first moves, which end before all others, improve
the estimate.
"""

from collections.abc import Callable

HANDING = 800  # nodes that a thread could search while a task is handed out: 20 to 40 µs
HANDING_TO_PROCESS = 20_000  # and half a millisecond, to a worker in another process
PARTS = 32  # for each worker

# What a task must be worth, in times the price of handing it out. For two workers it is most: where
# threads wait for each other, the price is up to three times as high. Eight and more would have
# nothing else to do.
WORTH = 12
WORTH_LEAST = 3

# Of that, on the line of first moves, where the other workers have nothing else to do
WORTH_AT_FIRST = 0.5

# The same for the tasks of the root: below it, one worker searches them all
WORTH_OF_ALL = 4

# The same for each move of a task that polls: to read better bounds there means playing the move in
# Python
POLLING_WORTH = 4

# Nodes that may be spent on the estimate in any case; and at most, if they are only a small part of
# the search. That takes a few tenths of a millisecond.
COUNTED = 1_000
COUNTED_MOST = 8_000
COUNTED_PART = 0.01


class Sizes:
    """How many nodes the search of a position takes, by its depth.

    A size is counted, or expected by the growth of those counted.
    """

    def __init__(self) -> None:
        self.counted = {0: 1}

    def note(self, depth: int, nodes: int) -> None:
        self.counted[depth] = max(1, nodes)

    @property
    def growth(self) -> float:
        """The factor from one depth to the next, over two or more: odd and even depths differ."""
        last = max(self.counted)
        before = max((depth for depth in self.counted if depth <= last - 2), default=0)
        if last == 0:
            return 1.0

        factor = self.counted[last] / self.counted[before]
        return max(1.0, float(factor ** (1 / (last - before))))

    def of(self, depth: int) -> float:
        """Return the nodes to expect of a search to this depth."""
        if depth in self.counted:
            return self.counted[depth]
        known = max(each for each in self.counted if each < depth)
        return float(self.counted[known] * self.growth ** (depth - known))


def counted_sizes(nodes_to: Callable[[int], int], depth: int) -> Sizes:
    """Return the sizes for a search to this depth.

    `nodes_to` searches to a smaller one, and returns the nodes it took.
    """
    sizes = Sizes()
    spent = 0

    for small in range(1, depth):
        limit = max(COUNTED, min(COUNTED_MOST, COUNTED_PART * sizes.of(depth)))
        if small > 2 and spent + sizes.of(small) > limit:
            break
        nodes = nodes_to(small)
        sizes.note(small, nodes)
        spent += nodes

    return sizes


class Granularity:
    """Which parts of one search are split, by their sizes."""

    def __init__(self, sizes: Sizes, depth: int, moves: int, workers: int, handing: int):
        self.sizes = sizes
        self.depth = depth
        self.workers = workers
        self.handing = handing
        self.smallest = max(WORTH_LEAST, 2 * WORTH / workers) * handing  # of tasks, on average

        smallest_at_root = min(WORTH_OF_ALL * handing, self.smallest)
        self.alone = workers == 1 or self.whole < moves * smallest_at_root

        # By what is expected at the beginning; better estimates come later
        self.reason = self._reason()

    @property
    def whole(self) -> float:
        return self.sizes.of(self.depth)

    @property
    def largest(self) -> float:
        """The largest task; a larger part is split, if its tasks are worth it."""
        return self.whole / (PARTS * self.workers)

    def may_split(self, size: float, moves: int) -> bool:
        """Return whether a part is likely enough to be split to generate its moves.

        Until then, their number is a guess.
        """
        return not self.alone and size > self.largest and size >= moves * self.smallest / 2

    def splits(self, size: float, moves: int, is_first: bool) -> bool:
        """Return whether the tasks below a part, one for each move, are worth their price."""
        smallest = WORTH_AT_FIRST * self.smallest if is_first else self.smallest
        return size > self.largest and size >= moves * smallest

    def polls(self, size: float, moves: int) -> bool:
        """Return whether a task of that many moves is worth polling.

        A task that polls reads better bounds while it runs.
        """
        return not self.alone and size >= moves * POLLING_WORTH * self.handing

    def _reason(self) -> str:
        if self.workers == 1:
            return "one worker: nothing is split"

        expected = f"about {rounded(self.whole)} nodes"
        if self.alone:
            return f"{expected}: too few to split, so one worker searches them all"
        return (
            f"{expected}: split into tasks of {rounded(self.smallest)} or more, "
            f"as long as a part has more than {rounded(self.largest)}"
        )


def rounded(nodes: float) -> str:
    """Return an estimate with two digits that count: "7,500,000"."""
    whole = round(nodes)
    return f"{round(whole, 2 - len(str(whole))):,}"
