"""The simulator: the same each time, true to the plans, and in agreement with real threads."""

import _thread
import threading
import time
from itertools import pairwise
from statistics import median
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.errors import Stopped
from abviz.parallel import STRATEGIES, Run, parallel_search, simulate, simulating
from tests import slow_search
from tests.slow_search import mazes, moves_of

POSITIONS = [Checkers.start(), *slow_search.checkers(5, seed=61, most=30)]
HANDED = 0.0005  # seconds: in less than that a worker has not waited, but been handed a task
ALPHABETA = [name for name in STRATEGIES if name != "minimax"]


@pytest.mark.parametrize("name", STRATEGIES)
def test_it_is_the_same_each_time_and_finds_value_and_move(name: str) -> None:
    for position in [*POSITIONS, TicTacToe.start(), *mazes(8, seed=62)]:
        if not moves_of(position):
            continue
        result = search(position, 7, method="alphabeta")
        for workers in (1, 2, 3, 16, 64):
            run = simulate(position, 7, strategy=name, workers=workers, handing=50)
            assert run == simulate(position, 7, strategy=name, workers=workers, handing=50)
            assert (run.value, run.move) == (result.value, result.move), (position, workers)
            check_schedule(run, 50)


def check_schedule(run: Run, handing: int) -> None:
    """Every worker does one thing at a time; what it is paid for is what it searched."""
    assert run.clock == "nodes" and run.finished
    for worker in range(run.workers):
        own = [task for task in run.tasks if task.worker == worker and task.end is not None]
        assert all(before.end <= after.start for before, after in pairwise(own))  # type: ignore[operator]
        assert run.cpu[worker] == sum(task.nodes for task in own)
        for task in own:
            assert task.end is not None
            cancelled = task.value is None
            assert task.nodes == max(0, task.end - task.start - handing) if not cancelled else task.nodes >= 0
    assert run.time == max(task.end for task in run.tasks if task.end is not None)
    assert run.nodes >= sum(run.cpu)


@pytest.mark.parametrize("name", ["sequential", "shared", "first-move", "minimax"])
def test_one_worker_takes_as_many_nodes_as_the_sequential_search(name: str) -> None:
    for position in POSITIONS:
        method = "minimax" if name == "minimax" else "alphabeta"
        nodes = search(position, 6, method=method).nodes
        run = simulate(position, 6, strategy=name, workers=1)
        assert run.nodes == nodes and run.time == nodes - 1  # the root is in no task
        handed = simulate(position, 6, strategy=name, workers=1, handing=1000)
        assert handed.time == run.time + 1000 * len(run.moves)


@pytest.mark.parametrize("name", ALPHABETA)
def test_one_worker_searches_what_one_real_worker_does(name: str) -> None:
    for position in POSITIONS:
        real = parallel_search(position, 7, strategy=name, workers=1)
        assert simulate(position, 7, strategy=name, workers=1).nodes == real.nodes


def test_minimax_with_a_worker_for_each_move_takes_as_long_as_the_longest() -> None:
    run = simulate(Checkers.start(), 6, strategy="minimax", workers=7)
    assert run.time == max(task.nodes for task in run.tasks) and len(run.tasks) == 7


def test_more_workers_than_tasks_are_idle() -> None:
    eight, many = (simulate(Checkers.start(), 7, strategy="root", workers=n) for n in (7, 64))
    assert eight.time == many.time and many.idle > eight.idle
    assert simulate(Checkers.start(), 9, strategy="young-brothers", workers=64).time < many.time * 20


def node_clock(run: Run) -> float:
    """How long a run on one or two threads took, in nodes, whatever else the machine was busy with: a worker's time is
    the nodes that it searched, and while it waited those that the other searched. (Both have the same: the mean.)"""
    waited = 0.0
    for worker in range(run.workers):
        own = [task for task in run.tasks if task.worker == worker]
        ends = [0.0, *(task.end or 0.0 for task in own)]
        starts = [*(task.start for task in own), run.time]
        gaps = [(end, start) for end, start in zip(ends, starts, strict=True) if start - end > HANDED]
        for other in run.tasks:
            if other.worker != worker and other.end is not None and other.end > other.start:
                shared = sum(max(0.0, min(start, other.end) - max(end, other.start)) for end, start in gaps)
                waited += other.nodes * shared / (other.end - other.start)
    return (sum(task.nodes for task in run.tasks) + waited) / run.workers


EVEN = 1.1


def unevenness(run: Run) -> float:
    """How much slower one thread was than the other, because the machine had something else to do on its core: then
    their schedule is not that of two equal workers."""
    spent = [sum((t.end or 0.0) - t.start for t in run.tasks if t.worker == worker) for worker in range(run.workers)]
    searched = [sum(t.nodes for t in run.tasks if t.worker == worker) for worker in range(run.workers)]
    rates = [nodes / seconds for nodes, seconds in zip(searched, spent, strict=True) if seconds]
    return max(rates) / min(rates)


def lateness(run: Run) -> float:
    """For what part of the run a thread had something to do and was not let go on: since its last task, or since one
    of another thread ended and this one could begin, whichever was later."""
    late = 0.0
    for worker in range(run.workers):
        free = 0.0
        for task in sorted((task for task in run.tasks if task.worker == worker), key=lambda task: task.start):
            ended = [t.end for t in run.tasks if t.worker != worker and t.end is not None and t.end <= task.start]
            late += task.start - max(free, *ended, 0.0)
            free = task.end or task.start
    return late / run.time


def disturbance(run: Run) -> float:
    return max(unevenness(run), 1 + lateness(run))


@pytest.mark.parametrize("name", ALPHABETA)
def test_it_agrees_with_two_real_threads_within_a_tenth(name: str) -> None:
    simulated = real = 0.0
    nodes = [0.0, 0.0]
    workers = 1 if name == "sequential" else 2
    for position in POSITIONS[:4]:
        run = simulate(position, 12, strategy=name, workers=workers)
        runs: list[Run] = []
        while len(runs) < 5 or (len(runs) < 100 and disturbance(runs[2]) > EVEN):
            runs.append(parallel_search(position, 12, strategy=name, workers=workers))
            runs.sort(key=disturbance)
        runs = runs[:3]
        simulated += run.time
        real += median(map(node_clock, runs))
        nodes[0] += run.nodes
        nodes[1] += median(each.nodes for each in runs)
    assert nodes[1] == pytest.approx(nodes[0], rel=0.1)
    assert real == pytest.approx(simulated, rel=0.1)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"handing": -1}, "handing is -1; expected a number of nodes, 0 or more"),
        ({"handing": 1.5}, "handing is 1.5; expected"),
        ({"handing": 10**400}, "0; expected a number of nodes, 0 or more, 1,000,000,000 at most"),
        ({"handing": 10**5000}, "handing is a number of some 5,001 digits; expected"),
        ({"workers": 0}, "workers is 0; expected a whole number, 1 to 256"),
        ({"strategy": "lazy"}, "unknown strategy 'lazy'"),
        ({"depth": "6"}, "depth is '6'; expected"),
    ],
)
def test_what_cannot_be_simulated_is_told_in_one_line(told: dict[str, Any], message: str) -> None:
    with pytest.raises(AbvizError) as problem:
        simulate(Checkers.start(), **({"depth": 4} | told))
    assert message in str(problem.value) and "\n" not in str(problem.value)


def test_an_interrupt_ends_it_in_the_middle_of_a_subtree() -> None:
    """A search of hours; what was broken off is not taken for known."""
    for strategy in ("sequential", "polling"):
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        begin = time.monotonic()
        with pytest.raises(Stopped):
            simulate(Checkers.start(), 30, strategy=strategy)
        assert time.monotonic() - begin < 20
        timer.join()
    assert all(depth < 29 for _, _, _, depth, _, _ in simulating._known), "nothing of them was finished"
    end = time.monotonic() + 3
    while any(thread.name == "abviz" for thread in threading.enumerate()) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(thread.name == "abviz" for thread in threading.enumerate()), "it does not go on unseen"


def test_what_is_known_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "MOST_KNOWN", 3)
    run = simulate(Checkers.start(), 6, workers=3)
    assert len(simulating._known) <= 3
    monkeypatch.undo()
    assert run == simulate(Checkers.start(), 6, workers=3) == simulate(Checkers.start(), 6, workers=3)
