"""A strategy on more workers than there are processors.

Its schedule is played through by a clock that counts nodes.

The subtrees are really searched, one after another; only that they are searched at the same time is
simulated.
"""

import heapq
from collections.abc import Generator, Hashable
from functools import partial

from abviz.engine.api import USUAL_DEPTH
from abviz.engine.backend import prepared
from abviz.engine.background import run_interruptible
from abviz.engine.storage import new_table, new_work
from abviz.errors import AbvizError, Stopped, brief
from abviz.games.rules import AnyPosition, Position, checked_weights
from abviz.parallel.granularity import HANDING, Sizes, counted_sizes
from abviz.parallel.records import NODES, Run, in_words
from abviz.parallel.scheduler import Worker
from abviz.parallel.split_tree import Task, Window
from abviz.parallel.strategies import USUAL, Plan, checked_count, plan_for

_cache: dict[Hashable, tuple[int, int]] = {}  # value and nodes of subtrees: strategies share many


def simulate(
    position: AnyPosition,
    depth: int = USUAL_DEPTH,
    *,
    strategy: str = USUAL,
    workers: int = 2,
    upper: int | None = None,
    handing: int = HANDING,
) -> Run:
    """Return the run of that strategy, with times counted in nodes.

    It is the same each time.

    `handing` is the cost of handing a task out, in nodes: an engine that searches 40 million nodes
    a second searches 800, the usual price, in 20 µs. The strategy "adaptive" makes its tasks as
    large as this price requires. An interrupt ends the simulation.
    """
    plan = plan_for(position, depth, strategy, upper)
    checked_count("workers", workers)
    if type(handing) is not int or handing < 0:
        raise AbvizError(f"handing is {brief(handing)}; expected a number of nodes, 0 or more")

    work = new_work(None, checked_weights(position, None))
    engine = prepared(position, plan.method, work, new_table(2))
    searcher = CachingWorker(0, engine, plan.method, work, None)

    play = partial(play_through, plan, searcher, workers, handing)
    tasks, time = run_interruptible(play, searcher.stop)
    settings = in_words({"upper": upper, "handing": handing})
    return plan.record(tasks, workers, time, depth=depth, clock=NODES, settings=settings)


def fit(plan: Plan, searcher: Worker, workers: int, handing: int) -> int:
    """Let a plan that splits by size know the sizes; return the nodes that it took to count."""
    if not plan.needs_sizes:
        return 0

    root = plan.root
    sizes = Sizes()
    if workers > 1:
        sizes = counted_sizes(searcher.nodes_to(root.position), root.depth)
    plan.fit(sizes, workers, handing)

    plan.nodes += searcher.nodes()
    return searcher.nodes()


def play_through(
    plan: Plan, searcher: Worker, workers: int, handing: int
) -> tuple[list[Task], int]:
    """Return the tasks in order of their start, and the time of the end.

    Events come in the order of their time: a worker begins a piece of its task, or has finished the
    task. At equal times the lowest worker comes first, then the older event.
    """
    time = fit(plan, searcher, workers, handing)
    tasks: list[Task] = []
    busy: dict[int, Task] = {}  # by worker

    # A heap of events: the time, the worker, a count of events, the task, the rest of its pieces,
    # and at the end of the task its value
    events: list[tuple[int, int, int, Task, Generator[None, None, int], int | None]] = []
    count = 0

    def schedule(cost: int, task: Task, pieces: Generator[None, None, int]) -> None:
        """Search one piece; its end is an event."""
        nonlocal count
        before = searcher.nodes()
        value = None
        try:
            next(pieces)
        except StopIteration as end:
            value = int(end.value)

        count += 1
        end_of_piece = time + cost + searcher.nodes() - before
        heapq.heappush(events, (end_of_piece, task.worker, count, task, pieces, value))

    def clock() -> float:
        return time

    def end(task: Task, value: int | None) -> None:
        nodes = max(0, time - int(task.start) - handing)
        task.close(time, nodes, value, nodes)
        del busy[task.worker]

    while not plan.finished:
        while len(busy) < workers and (task := plan.take()):
            task.begin(min(set(range(workers)) - set(busy)), time)
            busy[task.worker] = task
            tasks.append(task)
            schedule(handing, task, searcher.pieces(task, clock))  # up to its first search

        time, _, _, task, pieces, value = heapq.heappop(events)
        if task.end is not None:
            continue  # it has been cancelled
        if value is None:
            schedule(0, task, pieces)
            continue

        end(task, value)
        plan.done(task, value)
        for other in [other for other in busy.values() if other.cancelled]:
            end(other, None)

    return tasks, time


class CachingWorker(Worker):
    """The one worker that really searches, and remembers what it has searched."""

    def search(self, position: Position, depth: int, window: Window, ply: int) -> int:
        key = (self.engine, self.method, position, depth, window, ply)
        before = self.nodes()
        if key not in _cache:
            value = super().search(position, depth, window, ply)
            if not self._limit[0]:
                raise Stopped
            _cache[key] = value, self.nodes() - before

        value, nodes = _cache[key]
        self._nodes[0] = before + nodes
        return value
