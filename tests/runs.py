"""Made-up records of searches, for tests of charts, tables, files and the timing widget."""

from typing import Any

from hypothesis import strategies as st

from abviz.parallel.records import Run, TaskRecord

MOVES = ("9-13", "11-15", "12-16")
HOSTILE = ["<b>&\"'", "$5 < $6$", "=1+1", "'", "", "a,b;c\td\r\n", "α ‮", "\x1b[31m"]
names = st.text(max_size=12) | st.sampled_from(HOSTILE)
whole = st.integers(1 - 2**63, 2**63 - 1)
amounts = st.floats(0, 1e9) | st.integers(0, 10**9)


TASK = {
    "move": "9-13",
    "path": ("9-13",),
    "nodes": 10,
    "alpha": -(10**6),
    "beta": 10**6,
    "value": 3,
}
RUN = {
    **{
        "game": "checkers",
        "position": "B:W21:B1",
        "depth": 9,
        "method": "alphabeta",
        "is_max": True,
        "moves": MOVES,
    },
    **{"clock": "seconds", "move": "11-15", "value": 3, "nodes": 1000, "finished": True},
}


def make_task(
    worker: int = 0, start: float = 0.0, end: float | None = 1.0, **fields: Any
) -> TaskRecord:
    every: dict[str, Any] = TASK | {"worker": worker, "start": start, "end": end} | fields
    return TaskRecord(**every)


def make_run(strategy: str = "root", workers: int = 2, time: float = 1.0, **fields: Any) -> Run:
    tasks = tuple(make_task(worker, 0.0, time, move=MOVES[worker % 3]) for worker in range(workers))
    measured = {
        "strategy": strategy,
        "workers": workers,
        "time": time,
        "cpu": (time,) * workers,
        "tasks": tasks,
    }
    every: dict[str, Any] = RUN | measured | fields
    return Run(**every)


def sequential(time: float = 2.0, **fields: Any) -> Run:
    return make_run("sequential", 1, time, **fields)


@st.composite
def tasks(draw: st.DrawFn, workers: int) -> TaskRecord:
    start = draw(st.floats(0, 1e9))
    return TaskRecord(
        move=draw(names),
        path=tuple(draw(st.lists(names, max_size=3))),
        worker=draw(st.integers(0, workers - 1)),
        start=start,
        end=draw(st.none() | st.floats(start, 1e9)),
        nodes=draw(st.integers(0, 2**63 - 1)),
        alpha=draw(whole),
        beta=draw(whole),
        value=draw(st.none() | whole),
        learnt=tuple(draw(st.lists(st.tuples(amounts, whole, whole), max_size=2))),
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Any run that a file may hold, with hostile names."""
    workers = draw(st.integers(1, 4))
    searched = draw(st.lists(tasks(workers), max_size=3))
    return Run(
        **{
            name: draw(names)
            for name in (
                "strategy",
                "game",
                "position",
                "method",
                "executor",
                "settings",
                "weights",
            )
        },
        depth=draw(whole),
        workers=workers,
        is_max=draw(st.booleans()),
        moves=(*(task.move for task in searched), *draw(st.lists(names, max_size=2))),
        clock=draw(st.sampled_from(["seconds", "nodes"])),
        move=draw(st.none() | names),
        value=draw(st.none() | whole),
        nodes=draw(st.integers(0, 10**9)),
        time=draw(amounts),
        cpu=tuple(draw(st.just([]) | st.lists(amounts, min_size=workers, max_size=workers))),
        finished=draw(st.booleans()),
        tasks=tuple(searched),
    )
