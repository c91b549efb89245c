"""What is measured of a search on several workers: `Run`, which charts and widgets read."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NotRequired, TypedDict

from abviz.errors import AbvizError, count
from abviz.games.rules import worth

# What a run's clock counts
SECONDS = "seconds"
NODES = "nodes"

MOST = 256  # workers, and plies of the upper tree


def in_words(options: Mapping[str, object] | None) -> str:
    """Return the options that are given, with their values."""
    return ", ".join(f"{name} {value}" for name, value in (options or {}).items() if value)


@dataclass(frozen=True, kw_only=True)
class TaskRecord:
    """One subtree that one worker searched.

    Times are in the units of the run's clock, since its start.
    """

    move: str  # of the root
    path: tuple[str, ...]  # the moves from the root to the position searched
    worker: int  # 0 is the first
    start: float
    end: float | None  # None while it runs
    nodes: int  # positions searched
    alpha: int  # the window when it started
    beta: int
    value: int | None  # None while it runs, and if cancelled; outside the window it is a bound
    # Better bounds that it read while it ran: time, α, β
    learnt: tuple[tuple[float, int, int], ...] = ()


class RunFields(TypedDict):
    """What a run has from its search, not from the tasks: the fields of `Run` of these names."""

    depth: int
    clock: str
    settings: NotRequired[str]
    weights: NotRequired[str]
    executor: NotRequired[str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Run:
    """One search of a position, and how its workers spent their time."""

    strategy: str
    game: str  # the title of the game, "checkers"
    position: str  # as text: a FEN where the game has one
    depth: int
    workers: int
    method: str  # what searches a subtree: "alphabeta", "minimax" or "improved"
    is_max: bool  # whether MAX is to move at the root: then workers share α, else β
    moves: tuple[str, ...]  # of the root, in their order
    clock: str  # "seconds", or "nodes" where it was simulated
    move: str | None  # the best; None where none is known yet
    value: int | None
    nodes: int  # in all, those above the tasks too
    time: float  # from the start to the end, or to now
    cpu: tuple[float, ...]  # processor seconds of each worker; nodes where it was simulated
    finished: bool
    tasks: tuple[TaskRecord, ...]  # in order of their start
    executor: str = "threads"  # "threads", or the class of another executor
    settings: str = ""  # "upper 4, handing 800": options of the split that were given
    weights: str = ""  # "men 120": those of the evaluation that were given
    split: str = ""  # which tasks the strategy "adaptive" made, and why, in one line

    @property
    def problem(self) -> tuple[object, ...]:
        """What was searched, and by which clock: only runs that agree in this can be compared."""
        return self.game, self.position, self.depth, self.weights, self.clock

    @property
    def idle(self) -> float:
        """The part of all workers' time without a task, 0 to 1."""
        if not self.time:
            return 0.0

        busy = 0.0
        for task in self.tasks:
            end = self.time if task.end is None else task.end
            busy += end - task.start
        return max(0.0, 1 - busy / (self.workers * self.time))

    @property
    def makespan(self) -> float:
        """Processor time of the busiest worker.

        It is the run's time if every worker has a core to itself.
        """
        return max(self.cpu, default=0.0)

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.time if self.clock == SECONDS and self.time else 0.0

    def speed_up(self, baseline: "Run") -> float:
        """Return how many times faster than the baseline it was, by its clock."""
        self._check_against(baseline)
        return baseline.time / self.time if self.time else 0.0

    def overhead(self, baseline: "Run") -> float:
        """Return the nodes searched beyond those of the baseline: 0.5 is half as many again."""
        self._check_against(baseline)
        return self.nodes / baseline.nodes - 1 if baseline.nodes else 0.0

    def _check_against(self, baseline: "Run") -> None:
        if self.problem != baseline.problem or not (self.finished and baseline.finished):
            raise AbvizError(
                "cannot compare; "
                "expected finished runs of the same position, depth, weights and clock"
            )

    def __str__(self) -> str:
        best = "no move yet"
        if self.move is not None and self.value is not None:
            best = f"{self.move}  value {worth(self.value)}"

        workers = count(self.workers, "worker")
        how = f"depth {self.depth}, {self.method}, {self.strategy}, {workers}"
        if not self.finished:
            how += ", not finished"

        time = f"{self.time:,.0f} nodes' time"
        if self.clock == SECONDS:
            time = f"{self.time * 1000:,.1f} ms"

        text = f"{best}  ({how})\n{count(self.nodes, 'node')} in {time}, {self.idle:.0%} idle"
        return f"{text}\n{self.split}" if self.split else text

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from abviz.timing import lanes

        return {**lanes(self)._repr_mimebundle_(), "text/plain": str(self)}

    def to_dict(self) -> dict[str, object]:
        """Return plain data, for JSON."""
        return asdict(self)
