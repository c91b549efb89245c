"""Executors of `concurrent.futures`, whose workers are often processes: pools, Dask, MPI.

    parallel_search(position, 16, workers=8, executor=dask_executor("tcp://192.0.2.7:8786"))
    parallel_search(position, 16, workers=8, executor=mpi_executor())

The second in a script started with `mpiexec -n 9 python -m mpi4py.futures SCRIPT`. Both need `pip
install "abviz[cluster]"`. The processes import the game, so it is in a module, not in a notebook.

α travels with each task, and no more tasks are out than there are workers, so that later tasks
start with better bounds. Sending a task costs about half a millisecond to a process of this machine
or of MPI, and about ten to Dask: there tasks should be large (benchmarks/executors.py).
"""

from collections.abc import Callable
from concurrent.futures import Executor
from importlib import import_module

from abviz.capabilities import thread_time
from abviz.engine.backend import prepared
from abviz.engine.storage import new_table, new_work
from abviz.errors import AbvizError
from abviz.games.rules import GameClass
from abviz.parallel.split_tree import Task, Window

# The same for all tasks of a run: the game's class, the method, the weights
Terms = tuple[GameClass, str, list[int]]


def search_task(
    terms: Terms, fields: tuple[int, ...], depth: int, window: Window, ply: int
) -> tuple[int, int, float]:
    """Search one task in a worker process.

    Returns its value, its nodes and the CPU seconds that it took.
    """
    game, method, weights = terms
    position = game._make(fields)
    work = new_work(None, weights)
    engine = prepared(position, method, work, new_table(2))

    start = thread_time()
    if method == "minimax":
        value = engine.minimax(position, depth, work, ply)
    else:
        value = getattr(engine, method)(position, depth, *window, work, ply)
    return int(value), int(work.nodes), thread_time() - start


class RemoteWorker:
    """Sends tasks to an executor, one at a time.

    A task that has begun in another process is searched to its end, even when the search has been
    stopped; its nodes are counted when it has ended. Its time includes the way to the process and
    back.
    """

    def __init__(self, number: int, executor: Executor, terms: Terms):
        self.number = number
        self.executor = executor
        self.terms = terms
        self._nodes = 0

    def nodes(self) -> int:
        return self._nodes

    def stop(self) -> None:
        """Do nothing: another process cannot be interrupted."""

    resume = stop

    def run(self, task: Task, _: Callable[[], float]) -> tuple[int, float]:
        fields = tuple(map(int, task.position))
        future = self.executor.submit(
            search_task, self.terms, fields, task.depth, task.window, task.ply
        )
        value, nodes, cpu = future.result()
        self._nodes += nodes
        return value, cpu


def dask_executor(address: str) -> Executor:
    """Return an executor on the Dask cluster whose scheduler has that address.

    Shutting it down leaves the cluster running.
    """
    distributed = import_module("distributed")
    client = distributed.Client(address, timeout=5, set_as_default=False)
    client.wait_for_workers(1, timeout=5)
    # A task searched again is not answered from the first time
    executor: Executor = client.get_executor(pure=False)
    return executor


def mpi_executor() -> Executor:
    """Return an executor on the other processes of this MPI run.

    These are all but the first, which runs the script.
    """
    from mpi4py import MPI
    from mpi4py.futures import MPIPoolExecutor

    if MPI.COMM_WORLD.Get_size() < 2:
        command = "`mpiexec -n 3 python -m mpi4py.futures SCRIPT`"
        raise AbvizError(f"there are no MPI workers; expected a script started with {command}")

    # The pause between two looks, in seconds: with mpi4py's own, one task alone waits 4 ms
    executor: Executor = MPIPoolExecutor(backoff=0.0001)
    return executor
