"""Who searched what, and when: written while a plan is carried out, and read as a `Run` at any time."""

from typing import Any

from abviz.parallel.plans import AnyPlan
from abviz.parallel.records import THREADS, Run, TaskRecord
from abviz.parallel.upper import Task, Window


class Entry:
    """A task in the hands of a worker. `count.nodes` is what the worker has searched, if it can be read as it grows."""

    def __init__(self, task: Task, worker: int, start: float, count: Any = None):
        self.task, self.worker, self.start, self.count = task, worker, start, count
        self.window: Window = task.window
        self.before = count.nodes if count else 0
        self.learnt: list[tuple[float, int, int]] = []
        self.end: float | None = None
        self.value: int | None = None
        self._nodes = 0
        self._names: tuple[str, ...] = ()

    @property
    def nodes(self) -> int:
        return self._nodes if self.end is not None or self.count is None else self.count.nodes - self.before

    def learn(self, time: float) -> None:
        """The worker has read the window again."""
        alpha, beta = self.task.window
        if (alpha, beta) != (self.learnt[-1][1:] if self.learnt else self.window):
            self.learnt.append((time, alpha, beta))

    def close(self, time: float, nodes: int, value: int) -> None:
        self._nodes = nodes
        self.value = None if self.task.cancelled else value
        self.end = time  # last: whoever sees it sees the rest

    def record(self) -> TaskRecord:
        self._names = self._names or self.task.names
        (alpha, beta), nodes = self.window, self.nodes
        return TaskRecord(
            move=self._names[0] if self._names else "",
            path=self._names,
            worker=self.worker,
            start=self.start,
            end=self.end,
            nodes=nodes,
            alpha=alpha,
            beta=beta,
            value=self.value,
            learnt=tuple(self.learnt),
        )


class Logbook:
    """The entries of one run, and what else its record tells."""

    def __init__(self, position: Any, depth: int, workers: int, plan: AnyPlan, clock: str):
        self.position, self.depth, self.workers, self.plan, self.clock = position, depth, workers, plan, clock
        self.method = plan.method
        self.executor = THREADS
        self.compiled = self.progress = 0.0
        self.cpu = [0.0] * workers
        self.entries: list[Entry] = []
        self.moves = tuple(position.move_name(move) for move in plan.root.moves)

    def begin(self, task: Task, worker: int, time: float, count: Any = None) -> Entry:
        entry = Entry(task, worker, time, count)
        self.entries.append(entry)
        return entry

    def run(self, time: float, plan: AnyPlan) -> Run:
        """What is known at that time. `plan` is the one under way."""
        entries = list(self.entries)
        best = plan.move
        self.progress = max(self.progress, plan.progress)  # what is searched again does not take it back
        return Run(
            strategy=plan.name,
            game=self.position.title,
            position=as_text(self.position),
            depth=self.depth,
            workers=self.workers,
            method=self.method,
            is_max=plan.root.is_max,
            moves=self.moves,
            clock=self.clock,
            move=None if best is None else self.position.move_name(best),
            value=None if best is None else plan.root.bv,
            nodes=plan.nodes + sum(entry.nodes for entry in entries),
            time=time,
            cpu=tuple(self.cpu),
            compiled=self.compiled,
            finished=plan.finished,
            executor=self.executor,
            progress=self.progress,
            tasks=tuple(entry.record() for entry in entries),
        )


def as_text(position: Any) -> str:
    """A FEN where the game has one, else the position as it shows itself."""
    return str(getattr(position, "fen", None) or repr(position))
