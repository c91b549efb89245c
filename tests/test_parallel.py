"""Searches on real threads: value, move and nodes, the record, stopping, exceptions and bad input."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.engine.compiler import prepared
from abviz.errors import Stopped
from abviz.games.definition import game
from abviz.parallel import (
    STRATEGIES,
    ParallelSearch,
    Run,
    line_of,
    parallel_search,
    simulate,
    start,
)
from abviz.parallel.strategies import Plan, deepening
from tests import slow_search
from tests.slow_search import mazes, moves_of, tic_tac_toes

ALPHABETA = [name for name in STRATEGIES if name != "minimax"]
START = Checkers.start()


def cases() -> Iterator[tuple[Any, int]]:
    yield START, 9
    for position in slow_search.checkers(3, seed=51, most=50):
        yield position, 8
    for position in tic_tac_toes(2, seed=52):
        yield position, 9
    for position in mazes(6, seed=53):
        if moves_of(position):
            yield position, 8


def first_best(position: Any, depth: int) -> tuple[int | None, str | None]:
    result = search(position, depth, method="alphabeta")
    return result.value, result.move


def until(condition: Any, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


# value, move and nodes


@pytest.mark.parametrize("name", STRATEGIES)
def test_value_and_move_are_those_of_the_sequential_search(name: str) -> None:
    for position, depth in cases():
        expected = first_best(position, depth)
        for workers in (1, 2, 5):
            run = parallel_search(position, depth, strategy=name, workers=workers)
            assert (run.value, run.move) == expected, (position, workers)
            check_record(run, position, depth, name, workers)


def check_record(run: Run, position: Any, depth: int, name: str, workers: int) -> None:
    assert (run.strategy, run.game, run.depth, run.workers) == (
        name,
        position.title,
        depth,
        workers,
    )
    assert run.finished and run.clock == "seconds" and run.is_max == position.is_max()
    assert run.moves == tuple(position.moves())
    assert len(run.cpu) == workers and run.nodes > sum(task.nodes for task in run.tasks) > 0
    for task in run.tasks:
        assert task.end is not None and 0 <= task.start <= task.end <= run.time
        assert task.path[:1] == (task.move,) and task.alpha < task.beta
        after = position
        for move in task.path:
            after = after.play(move)
        for when, alpha, beta in task.learnt:
            assert task.start <= when <= task.end and (alpha, beta) != (task.alpha, task.beta)
            assert alpha >= task.alpha and beta <= task.beta
    for worker in range(workers):
        own = [task for task in run.tasks if task.worker == worker]
        assert all(before.end <= after.start for before, after in pairwise(own))  # type: ignore[operator]
    assert 0 <= run.idle <= 1


@pytest.mark.parametrize("name", ALPHABETA)
def test_one_worker_searches_the_nodes_of_the_sequential_search(name: str) -> None:
    for position, depth in cases():
        plain = search(position, depth, method="alphabeta")
        run = parallel_search(position, depth, strategy=name, workers=1, upper=1)
        if name == "root":
            assert run.nodes >= plain.nodes
        elif position.title == "Checkers" or name == "sequential":
            assert run.nodes == plain.nodes, position


def test_minimax_searches_the_same_nodes_with_any_number_of_workers() -> None:
    for position, depth in [(START, 6), (TicTacToe.start(), 9)]:
        nodes = search(position, depth, method="minimax").nodes
        assert {
            parallel_search(position, depth, strategy="minimax", workers=n).nodes for n in (1, 2, 3)
        } == {nodes}


@pytest.mark.slow
def test_improved_searches_find_the_first_of_the_best_moves() -> None:
    for position, depth in list(cases())[::2]:
        expected = first_best(position, depth)
        for name in ("first-move", "pv-split", "young-brothers", "sequential"):
            for workers, upper in ((2, None), (4, 3)):
                run = parallel_search(
                    position, depth, strategy=name, method="improved", workers=workers, upper=upper
                )
                assert (run.value, run.move) == expected, (position, name, workers)
                assert run.method == "improved" and run.finished


@pytest.mark.parametrize("workers", [1, 2])
def test_each_iteration_begins_with_the_best_move_of_the_last(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[Plan] = []

    def collected(*arguments: Any) -> Iterator[Plan]:
        for plan in deepening(*arguments):
            plans.append(plan)
            yield plan

    monkeypatch.setattr("abviz.parallel.scheduler.deepening", collected)
    for position, depth in cases():
        plans.clear()
        parallel_search(position, depth, method="improved", workers=workers)
        assert all(after.root.order[0] == before.root.best for before, after in pairwise(plans)), (
            position
        )


def test_weights_and_the_line() -> None:
    weights = {"men": 0, "advance": 50}
    run = parallel_search(START, 7, weights=weights)
    result = search(START, 7, method="alphabeta", weights=weights)
    assert run.value == result.value != parallel_search(START, 7).value
    assert (
        line_of(START, run, weights) == result.line
        and line_of(START, replace(run, move=None, value=None)) == ()
    )


def test_one_thread_at_a_time_changes_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    for name in ("take", "done"):
        original = getattr(Plan, name)

        def watched(self: Any, *arguments: Any, original: Any = original) -> Any:
            inside.append(1)
            assert len(inside) == 1
            time.sleep(random.random() / 1000)
            try:
                return original(self, *arguments)
            finally:
                inside.pop()

        monkeypatch.setattr(Plan, name, watched)
    run = parallel_search(START, 7, workers=6, strategy="young-brothers")
    assert (run.value, run.move) == first_best(START, 7)


# while it runs


def test_a_search_can_be_read_while_it_runs_and_stops() -> None:
    running = start(START, 40, strategy="root", workers=3)
    until(lambda: len(running.record().tasks) == 3 and running.record().nodes > 100_000)
    record = running.record()
    assert not record.finished and record.time > 0
    assert sorted((task.worker, task.end) for task in record.tasks) == [
        (0, None),
        (1, None),
        (2, None),
    ]
    running.stop()
    result = running.result()
    assert not result.finished and running.done
    assert all(task.end is not None and task.value is None for task in result.tasks)
    assert result == running.result() == running.record() and "not finished" in str(result)


def test_stopped_before_it_has_begun() -> None:
    running = ParallelSearch(START, 30)
    # As from a signal handler, which runs in the main thread while that holds the lock
    with running._lock:
        running.stop()
    assert running.result().tasks == () and running.result().move is None


def test_a_stop_while_it_compiles_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling, compiled = threading.Event(), threading.Event()
    before = {*threading.enumerate()}  # a test of the time limit may have left one that never ends

    def slow(*arguments: Any) -> Any:
        compiling.set()
        assert compiled.wait(60)
        return prepared(*arguments)

    monkeypatch.setattr("abviz.parallel.scheduler.prepared", slow)
    running = start(START, 30)
    assert compiling.wait(60)
    running.stop()
    run = running.result()
    assert (run.finished, run.move, run.tasks) == (False, None, ())
    compiled.set()
    until(
        lambda: (
            not [
                thread
                for thread in {*threading.enumerate()} - before
                if thread.name.startswith("abviz")
            ]
        )
    )
    assert running.record() is run


@pytest.mark.parametrize("run", [parallel_search, simulate])
def test_an_interrupt_ends_it_and_the_next_run_works(run: Any) -> None:
    before = {*threading.enumerate()}
    run(START, 3)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(Stopped):
        run(START, 40, strategy="root")
    timer.join()
    assert run(START, 6).finished
    until(
        lambda: (
            not [
                thread
                for thread in {*threading.enumerate()} - before
                if thread.name.startswith("abviz")
            ]
        )
    )


def test_python_ends_while_a_search_runs() -> None:
    code = """
from abviz import Checkers
from abviz.parallel import start
running = start(Checkers.start(), 60)
while not running.record().tasks:
    pass
print('end')
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


# pools


def test_a_pool_of_the_caller() -> None:
    # Fewer threads than workers: those that there are do it all
    with ThreadPoolExecutor(1) as pool:
        run = parallel_search(START, 8, workers=3, executor=pool)
        assert (run.value, run.move) == first_best(START, 8)
        assert run.executor == "ThreadPoolExecutor"
        assert pool.submit(lambda: 5).result() == 5
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown"):
        parallel_search(START, 4, executor=pool)


# exceptions and bad input


@game
class Trap(NamedTuple):
    """At one position, some moves down the second branch, a rule fails."""

    path: int = 1

    def is_max(self) -> bool:
        return True

    def over(self) -> bool:
        return self.path >= 1 << 18

    def value(self) -> int:
        return 0

    def moves(self, found: Any) -> None:
        if not self.over():
            found.add(0)
            found.add(1)

    def play(self, move: int) -> "Trap":
        return Trap(self.path * 2 + move)

    def evaluate(self) -> int:
        if self.path == 0b11010101010101:
            raise ValueError("the trap")
        return self.path % 7


@pytest.mark.parametrize("name", ["root", "young-brothers", "sequential"])
def test_an_exception_in_one_task_is_one_of_the_search(name: str) -> None:
    with pytest.raises(AbvizError, match=r"^a rule of Trap raised ValueError: the trap$"):
        parallel_search(Trap(), 13, strategy=name)
    assert parallel_search(Trap(), 12, strategy=name).finished


def test_an_exception_in_one_task_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    all_run = threading.Barrier(3)

    def failing(self: Any, task: Any, on_poll: Any) -> int:
        all_run.wait(60)
        if task.names[0] == START.moves()[1]:
            raise MemoryError("none left")
        self.search(task.position, 40, task.window, 1)
        stopped.append(int(self.work.limit) == 0)
        return 0

    monkeypatch.setattr("abviz.parallel.scheduler.Worker.run", failing)
    with pytest.raises(MemoryError, match="none left"):
        parallel_search(START, 40, strategy="root", workers=3)
    until(lambda: stopped == [True, True])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers is 0; expected a whole number, 1 to 256"),
        ({"depth": 0}, "depth is 0; expected"),
        ({"strategy": "roots"}, "unknown strategy 'roots': did you mean root"),
        (
            {"method": "minimax"},
            "method minimax with strategy adaptive; expected minimax for both, or for neither",
        ),
        ({"method": "best"}, "unknown method 'best': there are improved, alphabeta, minimax"),
        (
            {"method": "improved", "strategy": "minimax"},
            "method improved with strategy minimax; expected minimax",
        ),
        ({"weights": {"man": 3}}, "unknown feature 'man'"),
        ({"position": TicTacToe.from_cells("xxxoo....")}, "the game is over"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    before = threading.active_count()
    with pytest.raises(AbvizError) as problem:
        parallel_search(**({"position": START, "depth": 4} | options))
    assert message in str(problem.value) and "\n" not in str(problem.value)
    assert threading.active_count() == before


# the record


def test_a_run_and_its_baseline() -> None:
    base = simulate(START, 7, strategy="sequential", workers=1)
    run = simulate(START, 7, strategy="root", workers=2)
    assert (
        run.speed_up(base) == base.time / run.time
        and run.overhead(base) == run.nodes / base.nodes - 1 > 0
    )
    assert run.makespan == max(run.cpu) and run.nodes_per_second == 0
    assert run.to_dict()["tasks"][0]["move"] == START.moves()[0] and run.to_dict().keys() >= {
        "strategy",
        "cpu",
    }
    for other in (simulate(START, 6), parallel_search(START, 7), replace(base, finished=False)):
        with pytest.raises(AbvizError, match="cannot compare; expected finished runs of the same"):
            run.speed_up(other)
