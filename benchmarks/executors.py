"""What it costs to hand a task out to a thread, to a process, to Dask and to MPI, all on this machine. And what it is
worth to hear of a better bound during a task, beside what it costs to ask for it. Wall-clock times, medians of runs."""

import json
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from statistics import median, quantiles
from time import perf_counter

from abviz import Checkers
from abviz.parallel import mpi_executor, parallel_search

RUNS = 40
TINY = 3  # moves ahead: tasks of some ten nodes
LARGE = 15
ROUNDS = 5
OPENED = "B:W32,31,30,29,28,27,26,25,24,21,19,17:B1,2,3,4,5,6,7,9,10,11,12,15"
HERE = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}


def main() -> None:
    print(f"{'µs a task':14}{'one under way':>24}{'two under way':>24}")
    with ThreadPoolExecutor(2) as executor:
        show("threads", costs(executor))
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        show("processes", costs(executor))
        gain = what_polling_saves(executor)
    asking = with_dask()
    if sys.platform != "win32":
        show("MPI", under_mpi())
    print(f"\nα read again during the tasks: {gain:+.1%} nodes to depth {LARGE}, two processes, {ROUNDS} runs")
    print(f"a Dask Variable: {asking * 1e6:.0f} µs to ask for it once")


def costs(executor: Executor) -> list[list[float]]:
    """Of one worker, then of two: of each run, the µs that a task took, most of which is not its search."""
    return [[cost(executor, workers) for _ in range(RUNS)] for workers in (1, 2)]


def cost(executor: Executor, workers: int) -> float:
    run = parallel_search(Checkers.from_fen(OPENED), TINY, strategy="root", workers=workers, executor=executor)
    return run.time / len(run.tasks) * 1e6


def show(name: str, found: list[list[float]]) -> None:
    print(f"{name:14}" + "".join(f"{spread(runs):>24}" for runs in found), flush=True)


def spread(runs: list[float]) -> str:
    low, _, high = quantiles(runs, n=4)
    return f"{median(runs):.0f} ({low:.0f} to {high:.0f})"


def what_polling_saves(executor: Executor) -> float:
    """In turns, since other programs decide which task ends first."""
    nodes: dict[str, list[int]] = {"shared": [], "polling": []}
    for _ in range(ROUNDS):
        for strategy, found in nodes.items():
            position = Checkers.from_fen(OPENED)
            found.append(parallel_search(position, LARGE, strategy=strategy, workers=2, executor=executor).nodes)
    return median(nodes["polling"]) / median(nodes["shared"]) - 1


def with_dask() -> float:
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as cluster, Client(cluster) as client:
        show("Dask", costs(client.get_executor(pure=False)))
        return median(client.submit(asked_for).result() for _ in range(ROUNDS))


def asked_for() -> float:
    """Seconds, on a worker."""
    from distributed import Variable

    bound = Variable("abviz-bound")
    bound.set(0)
    begin = perf_counter()
    for _ in range(50):
        bound.get()
    return (perf_counter() - begin) / 50


def under_mpi() -> list[list[float]]:
    command = [sys.executable, "-m", "abviz.parallel.mpi", "-n", "3", __file__]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: list[list[float]] = json.loads(ended.stdout)
    return found


if __name__ == "__main__":
    with mpi_executor() as executor:
        print(json.dumps(costs(executor)))
