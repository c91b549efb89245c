"""The strategies: how each splits the tree into tasks, and what a task knows when it starts.

A plan knows nothing of threads, processes or clocks. A scheduler calls `take()` when a worker is
free and `done(task, value)` when a task has ended, one call at a time. In whatever order tasks end,
the plan ends with the value and the move of the strategy "sequential".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

from abviz.engine.api import ASPIRATION
from abviz.engine.improvements import remember, score
from abviz.engine.storage import from_python
from abviz.engine.transposition_table import AT_LEAST, AT_MOST, EXACT, recall, store
from abviz.engine.workspace import Table, Workspace
from abviz.errors import AbvizError, brief, unknown
from abviz.games.boards import position_text
from abviz.games.rules import PROVEN, WIN, Position, checked_depth, generated_moves
from abviz.games.validation import check_game
from abviz.parallel.granularity import Granularity, Sizes
from abviz.parallel.records import MOST, Run, RunFields
from abviz.parallel.split_tree import FULL, Node, Task, Window


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """Which nodes are split into tasks, and which tasks may run at the same time.

    It also says which bounds a task starts with.
    """

    name: str
    method: str = "alphabeta"  # what searches a task

    # When tasks run, and with which bounds
    shares: bool = True  # a task starts with the bounds found before it
    polls: bool = False  # and reads them again while it runs
    alone: bool = False  # one task at a time
    first_alone: bool = False  # at every split node, the first child ends before its siblings begin

    # Plies from the root whose moves become tasks: fewer for the improved search, whose later moves
    # are too small to split
    upper: int = 1
    upper_improved: int = 1

    # Below the root, split only nodes on the line of first moves; or split more plies on that line:
    # at the beginning there is nothing else to do
    on_line_only: bool = False
    deeper_on_line: int = 0

    # Prefer a node where a cut, which wastes the tasks under way, is unlikely
    avoids_waste: bool = False

    # Split deeper, down to MOST_UPPER, while a worker finds nothing to do
    on_demand: bool = False

    # Unless `upper` is given, split what is large enough, however deep: see granularity.py
    by_size: bool = False


_ALL = (
    # One root move after the other, as one worker does it: the baseline of all others.
    Strategy(name="sequential", alone=True),
    # Minimax with a task for each root move: without bounds, splitting loses nothing.
    Strategy(name="minimax", method="minimax", shares=False),
    # A task for each root move, each with the full window. A bad move is searched to its end
    # although a good one has been found already.
    Strategy(name="root", shares=False),
    # A task for each root move, which starts with the best value so far as its α.
    Strategy(name="shared"),
    # As shared; a task also reads α again each time it is back at its first ply.
    Strategy(name="polling", polls=True),
    # The first move alone, then the others at the same time: none of them starts without an α.
    Strategy(name="first-move", first_alone=True),
    # First-move at every node on the line of first moves: below the first move, its replies are
    # tasks as well.
    Strategy(name="pv-split", first_alone=True, upper=4, upper_improved=3, on_line_only=True),
    # Young brothers wait: at every split node the first child alone, then its brothers at the same
    # time. If a brother cuts, the others are no longer needed: they are cancelled.
    Strategy(
        name="young-brothers",
        first_alone=True,
        polls=True,
        upper=3,
        deeper_on_line=2,
        avoids_waste=True,
    ),
    # Dynamic tree splitting: as young-brothers, but a worker without a task is a reason to split
    # what is handed out next, at any depth. In the paper the workers are peers; here they are with
    # every strategy.
    Strategy(
        name="dynamic",
        first_alone=True,
        polls=True,
        upper=3,
        deeper_on_line=2,
        avoids_waste=True,
        on_demand=True,
    ),
    # As young-brothers, but with the tasks as large as the price of handing one out requires, and
    # no more of them than keep all workers busy. A search that is too small for that is left to one
    # worker.
    Strategy(
        name="adaptive",
        first_alone=True,
        polls=True,
        upper=3,
        deeper_on_line=2,
        avoids_waste=True,
        by_size=True,
    ),
)
STRATEGIES = {strategy.name: strategy for strategy in _ALL}
USUAL = "adaptive"
UNLIKELY = 2  # children that have not cut; after these, the next will hardly cut either

# Of what is split on demand: plies of the tree, and the depth of the smallest part
MOST_UPPER = 7
LEAST = 4


def plan_for(position: Position, depth: int, strategy: str, upper: int | None) -> "Plan":
    """Return the plan of a search; bad input raises an AbvizError."""
    check_game(position)
    if position.over():
        raise AbvizError(
            "the game is over in this position; expected one with a move to search for"
        )
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        raise unknown("strategy", strategy, STRATEGIES)
    upper = None if upper is None else checked_count("upper", upper)
    return Plan(STRATEGIES[strategy], position, checked_depth(depth), upper)


def checked_count(name: str, value: object) -> int:
    if type(value) is not int or not 1 <= value <= MOST:
        raise AbvizError(f"{name} is {brief(value)}; expected a whole number, 1 to {MOST}")
    return value


class Plan:
    """The tree above the tasks, split by a strategy."""

    def __init__(
        self,
        strategy: Strategy,
        position: Position,
        depth: int,
        upper: int | None = None,
        window: Window = FULL,
        memory: "Memory | None" = None,
        before: "Plan | None" = None,
    ):
        self.strategy = strategy
        self.memory = memory
        self.method = "improved" if memory else strategy.method
        self.polls = strategy.polls and not memory

        self.upper = upper or (strategy.upper_improved if memory else strategy.upper)
        self.is_upper_given = upper is not None
        self.granularity: Granularity | None = None  # where the strategy splits by size

        self.play = position.rules["play"]
        self.nodes: int = before.nodes if before else 0  # of the upper tree
        self.root = self._node(generated_moves(position), position, depth, window)

        # What is known of the root so far
        self.answer: Node = before.answer if before else self.root
        self.finished = False
        self._waiting = False  # the last worker that asked for a task got none

    @property
    def needs_sizes(self) -> bool:
        return self.strategy.by_size and not self.is_upper_given

    @property
    def alone(self) -> bool:
        """Whether one worker searches all tasks, one after the other."""
        return self.strategy.alone or (self.granularity is not None and self.granularity.alone)

    def fit(self, sizes: Sizes, workers: int, handing: int) -> None:
        """Split by these sizes. Called before the first task is taken."""
        root = self.root
        self.granularity = Granularity(sizes, root.depth, len(root.moves), workers, handing)

    def record(
        self, tasks: list[Task], workers: int, time: float, **fields: Unpack[RunFields]
    ) -> Run:
        """Return the record of the tasks that have begun, as of that time."""
        position = self.root.position
        move = value = None
        answer = self.answer
        if answer.best is not None:
            move = position.move_name(answer.moves[answer.best])
            value = answer.bv

        cpu = [
            sum(task.cpu for task in tasks if task.worker == worker) for worker in range(workers)
        ]
        return Run(
            strategy=self.strategy.name,
            game=position.title,
            position=position_text(position),
            workers=workers,
            method=self.method,
            is_max=self.root.is_max,
            moves=tuple(map(position.move_name, self.root.moves)),
            move=move,
            value=value,
            nodes=self.nodes + sum(task.nodes for task in tasks),
            time=time,
            cpu=tuple(cpu),
            finished=self.finished,
            tasks=tuple(task.record() for task in tasks),
            split="" if self.granularity is None else self.granularity.reason,
            **fields,
        )

    def take(self) -> Task | None:
        """Return the next task; None while there is none to hand out."""
        node = None if self.finished else self._choose(self._offers(self.root))
        task = self._begin(node) if node else None
        self._waiting = task is None
        return task

    def _choose(self, offers: Iterator[Node]) -> Node | None:
        """Return the node whose next child is handed out."""
        if not self.strategy.avoids_waste:
            return next(offers, None)

        def safety(node: Node) -> tuple[bool, int]:
            nothing_to_waste = not node.open
            return nothing_to_waste, min(node.ended, UNLIKELY)

        return max(offers, key=safety, default=None)

    def done(self, task: Task, value: int) -> None:
        """Take in the value of a task that has ended."""
        if task.cancelled:
            return

        task.searched = task.nodes
        self._return(task, value)
        while node := self._narrow(self.root):
            self._cut(node)
            self._return(node, node.bv)

        self.finished = self.root.ended == len(self.root.moves) or self.root.is_cut
        if self.finished:
            self._cut(self.root)
            if self.memory:
                self.memory.remember(self.root)  # the next iteration begins with its best move

    def _size(self, parent: Node, place: int) -> float:
        """Return the nodes to expect below that child; 0 where nothing is known."""
        if self.granularity is None or self.granularity.alone:
            return 0.0
        if not parent.is_leftmost(parent.order[0]):
            return parent.size / len(parent.moves)

        sizes = self.granularity.sizes
        first = sizes.of(parent.depth - 1)
        if place == parent.order[0]:
            return first
        expected = (sizes.of(parent.depth) - first) / max(1, len(parent.moves) - 1)
        brothers = (parent.searched - first) / max(1, parent.ended - 1)  # those that have ended
        return max(0.0, expected, brothers)

    def _splits(self, parent: Node, place: int, size: float) -> bool:
        """Return whether that child may be split in its turn, and not be one task."""
        if self.granularity:
            return self.granularity.may_split(size, len(parent.moves))
        ply = parent.ply + 1
        if self.strategy.on_demand and self._waiting and ply < MOST_UPPER and parent.depth > LEAST:
            return True
        if parent.is_leftmost(place):
            return ply < self.upper + self.strategy.deeper_on_line
        return ply < self.upper and not self.strategy.on_line_only

    def _node(
        self,
        moves: list[int],
        position: Position,
        depth: int,
        window: Window,
        parent: Node | None = None,
        place: int = 0,
    ) -> Node:
        self.nodes += 1
        node = Node(moves, position, depth, window, parent, place)
        if self.memory:
            self.memory.sort(node)
        return node

    def _offers(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that have a child to hand out."""
        for child in node.open:
            if isinstance(child, Node):
                yield from self._offers(child)

        if node.begun == len(node.order):
            return
        waits_for_task = self.alone and node.open
        waits_for_first = self.strategy.first_alone and node.begun and not node.ended
        if not waits_for_task and not waits_for_first:
            yield node

    def _inside(self, node: Node, place: int) -> Window:
        return node.narrowed(place) if self.strategy.shares else node.window

    def _begin(self, node: Node) -> Task:
        """Hand out the next child of the node: a task, or the first task below it."""
        place = node.order[node.begun]
        node.begun += 1
        position = self.play(node.position, node.moves[place])
        depth = node.depth - 1
        part = position, depth, self._inside(node, place), node, place
        size = self._size(node, place)

        moves = generated_moves(position) if depth and self._splits(node, place, size) else []
        if moves and self.granularity:
            is_first = node.is_leftmost(place)
            if not self.granularity.splits(size, len(moves), is_first):
                moves = []

        child = self._node(moves, *part) if moves else Task(self._polls(node, size), *part)
        child.size = size
        node.open.append(child)
        return child if isinstance(child, Task) else self._begin(child)

    def _polls(self, parent: Node, size: float) -> bool:
        """Return whether a task of this size reads better bounds while it runs."""
        if self.granularity:
            return self.polls and self.granularity.polls(size, len(parent.moves))
        return self.polls

    def _return(self, child: Node | Task, value: int) -> None:
        """Take the value of a child into its parent, and so on up where that has ended too."""
        node = child.parent
        assert node is not None  # the root is no child
        if self.memory and isinstance(child, Node):
            self.memory.remember(child)

        node.open.remove(child)
        node.ended += 1
        node.searched += child.searched
        granularity = self.granularity
        if granularity and not self.alone and not self.memory and node.is_leftmost(child.place):
            # From now on, better estimates
            granularity.sizes.note(child.depth, child.searched)

        if node.is_better(value, child.place):
            node.bv, node.best = value, child.place
        if node.parent and node.ended == len(node.moves):
            self._return(node, node.bv)

    def _narrow(self, node: Node) -> Node | None:
        """Narrow the windows of all that is under way.

        Returns a node that is cut by a bound found here or elsewhere; None if there is none.
        """
        for child in node.open:
            child.window = self._inside(node, child.place)
            if isinstance(child, Node) and (cut := child if child.is_cut else self._narrow(child)):
                return cut
        return None

    def _cut(self, node: Node) -> None:
        """Cancel the tasks under way below a node."""
        for child in node.open:
            if isinstance(child, Node):
                self._cut(child)
            else:
                child.cancelled = True
                child.stop()


# The improved search: iterative deepening over one transposition table. All workers read and write
# the table without a lock: an entry that two have written at once fails its check and is ignored.


def deepening(
    strategy: Strategy, position: Position, depth: int, upper: int | None, memory: "Memory"
) -> Iterator[Plan]:
    """Yield plans to one depth after the other, each when the one before has finished."""
    plan: Plan | None = None
    reached = 0
    bv = WIN  # so the first window is the full one
    is_won = False
    while not (plan and plan.root.first_wins):
        if not is_won:
            reached += 1

        windows = [FULL]
        if abs(bv) < PROVEN:
            windows = [(bv - ASPIRATION, bv + ASPIRATION), FULL]
        for window in windows:
            plan = Plan(strategy, position, reached, upper, window, memory, plan)
            # To find the first of equal moves costs something, and matters only at the end.
            plan.root.first_wins = is_won or reached == depth
            yield plan
            if window[0] < plan.root.bv < window[1]:
                break

        assert plan is not None
        bv = plan.root.bv
        plan.answer = plan.root
        is_won = WIN - abs(bv) <= reached  # a win is proven: nothing is deeper


class Memory:
    """The transposition table and one worker's killers and history, as the upper tree uses them."""

    def __init__(self, table: Table, work: Workspace):
        self.table = from_python(table)
        self.work = work

    def sort(self, node: Node) -> None:
        """Put the table's move first, the others as the search sorts them.

        Ties stay in their order.
        """
        best = int(recall(self.table, node.position.key(), 0, 0, 0, node.ply)[2])

        def priority(place: int) -> tuple[bool, int]:
            move = node.moves[place]
            return move == best, int(score(node.position, self.work, node.ply, move, node.is_max))

        node.order = sorted(range(len(node.moves)), key=priority, reverse=True)

    def remember(self, node: Node) -> None:
        """Store a node that has been searched, or cut."""
        if node.best is None:
            return

        move = node.moves[node.best]
        if node.is_cut:
            remember(self.work, node.ply, node.depth, move, node.is_max)

        alpha, beta = node.window
        if node.bv <= alpha:
            kind = AT_MOST
        elif node.bv >= beta:
            kind = AT_LEAST
        else:
            kind = EXACT
        store(self.table, node.position.key(), node.depth, node.bv, kind, move, node.ply, True)
