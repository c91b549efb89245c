"""The cost of handing a task to a thread, to a process, to Dask and to MPI, all on this machine.
Wall-clock times, medians of runs.
"""

import json
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles

from abviz import Checkers
from abviz.parallel import mpi_executor, parallel_search

RUNS = 40
TINY = 3  # moves ahead: tasks of some ten nodes
OPENED = "B:W32,31,30,29,28,27,26,25,24,21,19,17:B1,2,3,4,5,6,7,9,10,11,12,15"
HERE = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}


def main() -> None:
    print(f"{'µs a task':14}{'one under way':>24}{'two under way':>24}")
    with ThreadPoolExecutor(2) as executor:
        show("threads", costs(executor))
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        show("processes", costs(executor))
    with_dask()
    if sys.platform != "win32":
        show("MPI", under_mpi())


def costs(executor: Executor) -> list[list[float]]:
    """Of one worker, then of two: of each run, the µs that a task took, most of which is not its
    search.
    """
    return [[cost(executor, workers) for _ in range(RUNS)] for workers in (1, 2)]


def cost(executor: Executor, workers: int) -> float:
    run = parallel_search(
        Checkers.from_fen(OPENED), TINY, strategy="root", workers=workers, executor=executor
    )
    return run.time / len(run.tasks) * 1e6


def show(name: str, found: list[list[float]]) -> None:
    print(f"{name:14}" + "".join(f"{spread(runs):>24}" for runs in found), flush=True)


def spread(runs: list[float]) -> str:
    low, _, high = quantiles(runs, n=4)
    return f"{median(runs):.0f} ({low:.0f} to {high:.0f})"


def with_dask() -> None:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as cluster,
        Client(cluster) as client,
    ):
        show("Dask", costs(client.get_executor(pure=False)))


def under_mpi() -> list[list[float]]:
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", __file__]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: list[list[float]] = json.loads(ended.stdout)
    return found


if __name__ == "__main__":
    with mpi_executor() as executor:
        print(json.dumps(costs(executor)))
