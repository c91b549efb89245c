"""Searches by other processes: a pool, Dask and MPI for real, what is lost on the way, what is not
there.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from abviz import AbvizError, Checkers, search
from abviz.parallel import STRATEGIES, Run, dask_executor, parallel_search, start
from tests.test_parallel import Trap, until

OPENED = Checkers.start().play("11-15").play("23-19").play("8-11")
KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
LOCAL = (
    {"HYDRA_LAUNCHER": "fork", "HYDRA_IFACE": "lo", "UCX_NET_DEVICES": "lo"}
    if sys.platform == "linux"
    else {}
)


@cache
def expected(depth: int) -> tuple[str | None, int | None]:
    result = search(OPENED, depth, method="alphabeta")
    return result.move, result.value


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = __import__("distributed")
    here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, **here
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def dask(cluster: Any) -> Iterator[Executor]:
    with dask_executor(cluster.scheduler_address) as executor:
        yield executor


@pytest.fixture(params=["pool", "at once", pytest.param("dask", marks=pytest.mark.slow)])
def executor(request: pytest.FixtureRequest) -> Executor:
    result: Executor = (
        AtOnce() if request.param == "at once" else request.getfixturevalue(request.param)
    )
    return result


class AtOnce(Executor):
    """Runs each task when it is submitted."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **options))
        except BaseException as problem:
            future.set_exception(problem)
        return future


def check_run(run: Run, strategy: str, depth: int) -> None:
    assert run.finished and (run.move, run.value) == expected(depth), strategy
    assert run.strategy == strategy and run.nodes > sum(task.nodes for task in run.tasks) > 0
    for task in run.tasks:
        assert task.end is not None and 0 <= task.start <= task.end <= run.time


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_processes_find_what_the_sequential_search_finds(executor: Executor, strategy: str) -> None:
    run = parallel_search(OPENED, 8, strategy=strategy, executor=executor)
    check_run(run, strategy, 8)
    assert (run.executor, run.workers) == (
        type(executor).__name__,
        1 if strategy == "sequential" else 2,
    )


def test_no_more_tasks_are_out_than_workers_and_later_ones_know_more(
    pool: ProcessPoolExecutor,
) -> None:
    run = parallel_search(OPENED, 10, strategy="shared", workers=2, executor=pool)
    for task in run.tasks:
        assert sum(each.start <= task.start < (each.end or 0) for each in run.tasks) <= 2
    first = run.tasks[0]
    assert all((task.alpha, task.beta) != (first.alpha, first.beta) for task in run.tasks[2:])


def test_a_stop_does_not_wait_for_the_processes(pool: ProcessPoolExecutor) -> None:
    running = start(OPENED, 14, strategy="root", executor=pool)
    until(lambda: running.record().tasks)
    running.stop()
    assert not running.result().finished
    # Once they are free again
    check_run(parallel_search(OPENED, 8, strategy="root", executor=pool), "root", 8)


def test_an_exception_in_one_task_is_one_of_the_search() -> None:
    with pytest.raises(AbvizError, match=r"^a rule of Trap raised ValueError: the trap"):
        parallel_search(Trap(), 13, strategy="root", executor=AtOnce())


def test_a_lost_process_is_an_error() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        running = start(OPENED, 40, strategy="root", executor=pool)
        until(lambda: running.record().tasks)
        os.kill(next(iter(pool._processes)), KILL)
        with pytest.raises(BrokenProcessPool):
            running.result()


# Dask


@pytest.mark.slow
def test_a_dask_worker_that_is_killed_costs_time_and_not_the_answer(
    cluster: Any, dask: Executor
) -> None:
    processes = dask.submit(os.getpid).result()
    running = start(OPENED, 15, strategy="root", executor=dask)
    until(lambda: len(running.record().tasks) > 2)
    os.kill(processes, KILL)
    run = running.result()
    assert run.finished and (run.move, run.value) == expected(15)


# MPI

SCRIPT = """
import json, sys, time
from abviz import Checkers
from abviz.parallel import STRATEGIES, mpi_executor, parallel_search, start

if __name__ == "__main__":
    position = Checkers.from_fen(sys.argv[1])
    with mpi_executor() as executor:
        running = start(position, 14, strategy="root", executor=executor)
        while not running.record().tasks:
            time.sleep(0.01)
        running.stop()
        assert not running.result().finished
        for strategy in STRATEGIES:
            run = parallel_search(position, 8, strategy=strategy, executor=executor)
            print(json.dumps([run.strategy, run.move, run.value]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no MPICH for Windows")
def test_mpi_finds_what_the_sequential_search_finds(tmp_path: Path) -> None:
    """Also after a search that was stopped."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", script, OPENED.fen]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | LOCAL, timeout=120
    )
    lines = [json.dumps([strategy, *expected(8)]) for strategy in STRATEGIES]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, lines, "")


def test_a_script_outside_mpi() -> None:
    command = [sys.executable, "-c", "from abviz.parallel import mpi_executor; mpi_executor()"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | LOCAL, timeout=60
    )
    expected = "abviz.errors.AbvizError: there are no MPI workers; expected a script started with"
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith(expected)
