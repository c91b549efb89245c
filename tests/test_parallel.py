"""Searches on several real threads: value, move and counts, what is recorded, stopping, faults and bad input."""

import gc
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.engine.compiler import prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import new_work
from abviz.errors import Stopped
from abviz.games.rules import game
from abviz.parallel import STRATEGIES, Run, parallel_search, simulate, start
from abviz.parallel.checks import usual_workers
from abviz.parallel.deepening import Deepening
from tests import slow_search
from tests.slow_search import mazes, moves_of, tic_tac_toes

ALPHABETA = [name for name in STRATEGIES if name != "minimax"]


def cases() -> Iterator[tuple[Any, int]]:
    yield Checkers.start(), 9
    for position in slow_search.checkers(6, seed=51, most=50):
        yield position, 8
    for position in tic_tac_toes(4, seed=52):
        yield position, 9
    for position in mazes(12, seed=53):
        if moves_of(position):
            yield position, 8


def first_best(position: Any, depth: int) -> tuple[int | None, str | None]:
    result = search(position, depth, method="alphabeta")
    return result.value, result.move


@pytest.mark.parametrize("name", STRATEGIES)
def test_value_and_move_are_those_of_the_sequential_search_on_every_run(name: str) -> None:
    for position, depth in cases():
        expected = first_best(position, depth)
        for workers in (1, 2, 2, 5):
            run = parallel_search(position, depth, strategy=name, workers=workers)
            assert (run.value, run.move) == expected, (position, workers)
            check_record(run, position, depth, name, workers)


def check_record(run: Run, position: Any, depth: int, name: str, workers: int) -> None:
    assert (run.strategy, run.game, run.depth, run.workers) == (name, position.title, depth, workers)
    assert run.finished and run.clock == "seconds" and run.is_max == position.is_max()
    assert run.moves == tuple(position.moves()) and run.progress == 1
    assert len(run.cpu) == workers and run.nodes > sum(task.nodes for task in run.tasks) > 0
    for task in run.tasks:
        assert task.end is not None and 0 <= task.start <= task.end <= run.time
        assert task.path[:1] == (task.move,) and task.alpha < task.beta
        assert play(position, task.path) is not None
        for when, alpha, beta in task.learnt:
            assert task.start <= when <= task.end and (alpha, beta) != (task.alpha, task.beta)
            assert alpha >= task.alpha and beta <= task.beta
    for worker in range(workers):
        own = [task for task in run.tasks if task.worker == worker]
        assert all(before.end <= after.start for before, after in pairwise(own))  # type: ignore[operator]
    assert 0 <= run.idle <= 1 and sum(run.busy) <= workers * run.time


def play(position: Any, path: tuple[str, ...]) -> Any:
    for move in path:
        position = position.play(move)
    return position


@pytest.mark.parametrize("name", ALPHABETA)
def test_one_worker_without_polling_searches_the_nodes_of_the_sequential_search(name: str) -> None:
    """Where the root alone is divided; full windows search more."""
    for position, depth in cases():
        plain = search(position, depth, method="alphabeta")
        run = parallel_search(position, depth, strategy=name, workers=1, upper=1)
        if name == "root":
            assert run.nodes >= plain.nodes
        elif position.title == "Checkers" or name == "sequential":
            assert run.nodes == plain.nodes, position


def test_minimax_searches_the_same_nodes_however_many_workers_there_are() -> None:
    for position, depth in [(Checkers.start(), 6), (TicTacToe.start(), 9)]:
        nodes = search(position, depth, method="minimax").nodes
        assert {parallel_search(position, depth, strategy="minimax", workers=n).nodes for n in (1, 2, 3)} == {nodes}


def test_improved_searches_find_the_same_value_and_the_first_of_the_best_moves() -> None:
    for position, depth in cases():
        expected = first_best(position, depth)
        for name in ALPHABETA:
            for workers in (1, 2, 4):
                run = parallel_search(position, depth, strategy=name, method="improved", workers=workers)
                assert (run.value, run.move) == expected, (position, name, workers)
                assert run.method == "improved" and run.finished


def test_improved_searches_to_many_depths_with_a_table_of_their_own() -> None:
    for position in slow_search.checkers(8, seed=54, most=50):
        expected = first_best(position, 11)
        for _ in range(3):
            run = parallel_search(position, 11, method="improved")
            assert (run.value, run.move) == expected, position


def test_weights_are_used() -> None:
    position = Checkers.start()
    light = parallel_search(position, 7, weights={"men": 0, "advance": 50})
    assert light.value == search(position, 7, method="alphabeta", weights={"men": 0, "advance": 50}).value
    assert light.value != parallel_search(position, 7).value


# while it runs


def test_a_search_can_be_read_while_it_runs_and_stops_at_once() -> None:
    parallel_search(Checkers.start(), 4)
    running = start(Checkers.start(), 40, strategy="root", workers=3)
    before = running.record()
    while len(running.record().tasks) < 3:
        time.sleep(0.001)
    time.sleep(0.05)
    record = running.record()
    assert record.nodes > before.nodes and not record.finished and record.progress == 0 and record.time > 0.04
    assert [task.end for task in record.tasks] == [None] * 3 and {task.worker for task in record.tasks} == {0, 1, 2}
    begin = time.process_time()
    running.stop()
    result = running.result()
    assert time.process_time() - begin < 1  # of the processor (benchmarks/parallel.py measures it by the clock)
    assert not result.finished and running.done and all(task.end is not None for task in result.tasks)
    assert [task.value for task in result.tasks] == [None] * 3
    assert result == running.result() == running.record()


def test_stopped_before_it_has_begun() -> None:
    from abviz.parallel import Running

    running = Running(Checkers.start(), 30)
    running.stop()
    assert running.result().tasks == () and running.result().move is None


@pytest.mark.parametrize("kind", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_a_stop_while_it_compiles_is_answered_at_once(
    kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling, compiled = threading.Event(), threading.Event()

    def slow(*told: Any) -> Any:
        compiling.set()
        assert compiled.wait(60)
        return prepared(*told)

    monkeypatch.setattr("abviz.parallel.running.prepared", slow)
    executor = kind and kind(2)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(threading.enumerate())
    running = start(Checkers.start(), 30, executor=executor)
    assert compiling.wait(60)
    running.stop()
    run = running.result()
    assert running.done
    assert (run.finished, run.move, run.tasks) == (False, None, ())
    if executor:
        executor.shutdown()  # nothing is handed to it any more
    compiled.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
    assert running.result() is run and running.record() is run
    assert not list(tmp_path.iterdir())
    assert parallel_search(Checkers.start(), 5).finished


def test_a_thousand_runs_leave_no_thread_and_no_memory() -> None:
    for _ in range(50):
        parallel_search(Checkers.start(), 3, workers=2)
    gc.collect()
    process, threads = psutil.Process(), set(threading.enumerate())
    before = process.memory_info().rss
    for i in range(1000):
        running = start(Checkers.start(), 3 if i % 2 else 30, workers=2, strategy=ALPHABETA[i % len(ALPHABETA)])
        if i % 2 == 0:
            running.stop()
        running.result()
    gc.collect()
    assert set(threading.enumerate()) - threads <= {threading.main_thread()}
    assert process.memory_info().rss - before < 30e6


def test_a_move_of_the_upper_tree_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of many tasks is wanted while others wait."""
    named: list[int] = []
    name = TicTacToe.move_name

    def counted(self: TicTacToe, move: int) -> str:
        named.append(move)
        return name(self, move)

    monkeypatch.setattr(TicTacToe, "move_name", counted)
    run = simulate(TicTacToe.start(), 5, strategy="minimax", upper=4)
    assert len(run.tasks) > 1000 and len(named) < 1.5 * len(run.tasks)
    position = TicTacToe.start()
    for move in run.tasks[-1].path:
        assert move in position.moves()
        position = position.play(move)


def test_two_searches_side_by_side() -> None:
    expected = first_best(Checkers.start(), 9)
    runs = [start(Checkers.start(), 9, workers=2) for _ in range(4)]
    assert {(run.result().value, run.result().move) for run in runs} == {expected}


def test_a_pool_of_the_caller_s_own_stays_open() -> None:
    with ThreadPoolExecutor(1) as pool:  # fewer threads than workers: those that there are do it all
        run = parallel_search(Checkers.start(), 8, workers=3, executor=pool)
        assert (run.value, run.move) == first_best(Checkers.start(), 8)
        assert pool.submit(lambda: 5).result() == 5
        assert (run.executor, parallel_search(Checkers.start(), 4, executor=pool).workers) == ("threads", 1)


def test_an_interrupt_ends_it_and_the_next_run_works() -> None:
    parallel_search(Checkers.start(), 4)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    begin = time.process_time()
    with pytest.raises(Stopped):
        parallel_search(Checkers.start(), 40)
    assert time.process_time() - begin < 5
    timer.join()
    assert parallel_search(Checkers.start(), 6).finished
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("abviz")]


def test_python_ends_although_a_search_runs_still() -> None:
    code = """
from abviz import Checkers
from abviz.parallel import start
running = start(Checkers.start(), 60)
while not running.record().tasks:
    pass
print('end')
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


# faults


@game
class Trap(NamedTuple):
    """At one position, some moves down the second branch, the rule fails."""

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
def test_a_fault_in_one_task_reaches_the_caller_with_its_move(name: str) -> None:
    with pytest.raises(AbvizError, match=r"in the search of 1: a rule of Trap raised ValueError: the trap"):
        parallel_search(Trap(), 13, strategy=name, workers=2)
    assert parallel_search(Trap(), 12, strategy=name, workers=2).finished


@pytest.mark.parametrize("name", ["sequential", "polling", "young-brothers"])
def test_a_fault_in_a_simulated_task_reaches_the_caller_with_its_move(name: str) -> None:
    with pytest.raises(AbvizError, match=r"^in the search of 1: a rule of Trap raised ValueError: the trap$"):
        simulate(Trap(), 13, strategy=name)
    assert simulate(Trap(), 12, strategy=name).finished


def test_a_fault_cancels_the_other_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    parallel_search(Checkers.start(), 4)

    def failing(self: Any, task: Any, looked: Any) -> int:
        if task.path()[0] == moves_of(Checkers.start())[1]:
            time.sleep(0.1)
            raise MemoryError("none left")
        value = self.search(task.method, task.position, 40, task.window, 1)
        stopped.append(int(self.work.limit) == 0)
        return value

    monkeypatch.setattr("abviz.parallel.workers.Worker.run", failing)
    with pytest.raises(MemoryError) as problem:
        parallel_search(Checkers.start(), 40, strategy="root", workers=3)
    assert problem.value.__notes__ == [f"in the search of {Checkers.start().moves()[1]}"]
    assert stopped == [True, True]


def test_positions_with_one_move_and_few() -> None:
    one = next(position for position in mazes(500, seed=55) if len(moves_of(position)) == 1)
    for name in STRATEGIES:
        assert parallel_search(one, 6, strategy=name, workers=8).move == one.moves()[0]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"workers": 0}, "workers is 0; expected a whole number, 1 to 256"),
        ({"workers": 1000}, "workers is 1000; expected"),
        ({"workers": True}, "workers is True; expected"),
        ({"workers": 2.0}, "workers is 2.0; expected"),
        ({"depth": 0}, "depth is 0; expected"),
        ({"strategy": "roots"}, "unknown strategy 'roots': did you mean root"),
        ({"strategy": 3}, "unknown strategy 3"),
        ({"method": "minimax"}, 'expected strategy "minimax", which divides it'),
        ({"method": "best"}, "unknown method 'best': did you mean alphabeta?"),
        ({"threads": 2}, "unknown option 'threads'"),
        ({"method": "improved", "strategy": "minimax"}, "strategy minimax searches by minimax"),
        ({"upper": 0}, "upper is 0; expected"),
        ({"executor": 4}, "executor is 4; expected one of concurrent.futures"),
        ({"weights": {"man": 3}}, "unknown feature 'man'"),
        ({"position": TicTacToe.from_cells("xxxoo....")}, "the game is over"),
        ({"position": "11-15"}, "is no position of a game"),
    ],
)
def test_what_cannot_be_searched_is_told_in_one_line(told: dict[str, Any], message: str) -> None:
    before = threading.active_count()
    with pytest.raises(AbvizError) as problem:
        parallel_search(**({"position": Checkers.start(), "depth": 4} | told))
    assert message in str(problem.value) and "\n" not in str(problem.value)
    assert threading.active_count() == before


def test_more_threads_than_there_are_processors() -> None:
    run = parallel_search(Checkers.start(), 8, workers=40, strategy="root")
    assert (run.value, run.move) == first_best(Checkers.start(), 8)
    assert {task.worker for task in run.tasks} <= set(range(40))


# the lock


def test_the_plan_is_touched_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from abviz.parallel.plans import Plan

    inside: list[int] = []
    for name in ("take", "done"):
        plain = getattr(Plan, name)

        def watched(self: Any, *arguments: Any, plain: Any = plain) -> Any:
            inside.append(1)
            assert len(inside) == 1
            time.sleep(random.random() / 1000)
            try:
                return plain(self, *arguments)
            finally:
                inside.pop()

        monkeypatch.setattr(Plan, name, watched)
    run = parallel_search(Checkers.start(), 7, workers=6, strategy="young-brothers")
    assert (run.value, run.move) == first_best(Checkers.start(), 7)


def test_a_worker_that_waits_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting is not busy: the first move alone leaves the other workers without a task."""
    run = parallel_search(Checkers.start(), 12, workers=4, strategy="first-move")
    first = run.tasks[0]
    assert first.end is not None and min(task.start for task in run.tasks[1:]) >= first.end
    assert run.idle > 0 and run.makespan <= sum(run.cpu) and len(run.cpu) == 4


def test_a_pool_that_is_busy_is_not_waited_for() -> None:
    done = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(done.wait, 20)
        running = start(Checkers.start(), 40, executor=pool)
        running.stop()
        assert running.result().tasks == () and not done.is_set()
        assert parallel_search(Checkers.start(), 7, executor=pool).finished and not done.is_set()
        done.set()
        inside = pool.submit(parallel_search, Checkers.start(), 7, executor=pool)  # of which this is the only thread
        assert (inside.result(20).value, inside.result().move) == first_best(Checkers.start(), 7)


def test_a_pool_that_is_shut_down_in_the_middle_costs_no_answer() -> None:
    expected = first_best(Checkers.start(), 12)
    pool = ThreadPoolExecutor(1)
    running = start(Checkers.start(), 12, workers=3, executor=pool)
    while not running.record().tasks:
        pass
    pool.shutdown(wait=False, cancel_futures=True)
    assert (running.result().value, running.result().move) == expected


def test_a_pool_that_is_shut_down_after_it_took_one_worker_costs_no_answer() -> None:
    class TakesOne(ThreadPoolExecutor):
        def submit(self, *task: Any, **told: Any) -> Any:
            future = super().submit(*task, **told)
            self.shutdown(wait=False)
            return future

    run = parallel_search(Checkers.start(), 8, workers=3, executor=TakesOne(1))
    assert run.finished and (run.value, run.move) == first_best(Checkers.start(), 8)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
def test_a_signal_s_handler_may_stop_what_is_just_being_read() -> None:
    for _ in range(10):
        running = start(Checkers.start(), 14, upper=6)
        before = signal.signal(signal.SIGALRM, lambda *_, running=running: running.stop())
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            while not running.done:
                running.record()
        finally:
            signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
def test_an_interrupt_at_any_moment_leaves_nothing_running() -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for i in range(40):
            with pytest.raises(KeyboardInterrupt):  # it may come before the search has begun
                signal.setitimer(signal.ITIMER_REAL, 0.0002 * (i + 1))
                parallel_search(Checkers.start(), 30)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    end = time.monotonic() + 10
    while [thread for thread in threading.enumerate() if thread.name.startswith("abviz")]:
        assert time.monotonic() < end, threading.enumerate()
        time.sleep(0.05)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_is_forked_meanwhile_ends() -> None:
    running = start(Checkers.start(), 40)
    while not running.record().tasks:
        pass
    children = [get_context("fork").Process(target=abs, args=(1,)) for _ in range(20)]
    for child in children:
        child.start()
    for child in children:
        child.join(20)
        assert child.exitcode == 0
    running.stop()


def test_a_pool_that_is_closed_is_told_in_one_line() -> None:
    with ThreadPoolExecutor(2) as pool:
        pass
    with pytest.raises(AbvizError, match=r"^the executor takes no tasks \(.*\); expected one that is at work$"):
        parallel_search(Checkers.start(), 4, executor=pool)


def test_the_sequential_search_has_one_worker_unless_told() -> None:
    assert parallel_search(Checkers.start(), 4, strategy="sequential").workers == 1
    assert parallel_search(Checkers.start(), 4, strategy="sequential", workers=3).workers == 3


def test_only_runs_of_one_search_are_compared() -> None:
    run = parallel_search(Checkers.start(), 5)
    for other in (simulate(Checkers.start(), 5), parallel_search(Checkers.start(), 4), parallel_search(TicTacToe(), 5)):
        for compare in (run.speed_up, run.overhead):
            with pytest.raises(AbvizError, match=r"of one run is .*, of the other .*; expected the same"):
                compare(other)
    assert run.speed_up(run) == 1


def test_of_a_run_and_its_baseline() -> None:
    common: dict[str, Any] = dict(strategy="root", game="g", position="p", depth=1, method="alphabeta", is_max=True)
    common |= dict(moves=("a", "b"), clock="seconds", move="a", value=1, compiled=0.0, finished=True, tasks=())
    alone = Run(**common, workers=1, nodes=100, time=2.0, cpu=(2.0,))
    both = Run(**common, workers=2, nodes=150, time=1.0, cpu=(1.0, 0.5))
    assert both.speed_up(alone) == 2 and both.overhead(alone) == 0.5 and both.makespan == 1.0
    assert both.nodes_per_second == 150 and both.idle == 1 and both.to_dict()["cpu"] == (1.0, 0.5)


def test_progress_only_grows_and_ends_at_one() -> None:
    for told in ({"strategy": "young-brothers"}, {"strategy": "root"}, {"method": "improved"}):
        running = start(Checkers.start(), 13, **told)
        seen = [0.0]
        while not running.done:
            seen.append(running.record().progress)
        assert seen == sorted(seen) and seen[-1] <= 1 and len(set(seen)) > 2, told
        assert running.result().progress == 1


def test_as_many_workers_as_an_executor_has() -> None:
    with ProcessPoolExecutor(3) as pool:
        assert usual_workers(pool) == 3
    assert usual_workers(None) == usual_workers(object()) == 2


def test_no_move_is_told_with_the_value_of_another() -> None:
    """The improved search keeps the move of a depth that was not divided in the table; at depth 1 it keeps none."""
    plan = Deepening(STRATEGIES["sequential"], Checkers.start(), 8, None, new_table(2), new_work())
    task = plan.take()
    assert task is not None and task.path() == []
    plan.done(task, 5)
    assert plan.move is None and plan.root.bv == 5
