"""Executors of `concurrent.futures`, whose workers are often processes: pools, Dask, MPI.

    parallel_search(position, 16, workers=8, executor=dask_executor("tcp://192.0.2.7:8786"))
    parallel_search(position, 16, workers=8, executor=mpi_executor())

The second in a script started with `mpiexec -n 9 python -m mpi4py.futures SCRIPT`. Both need
`pip install "abviz[cluster]"`.

α travels with each task, and no more tasks are out than there are workers, so that later tasks start with better
bounds. Sending a task costs about half a millisecond to a process of this machine or of MPI, and about ten to Dask:
there tasks should be large (benchmarks/executors.py).
"""

import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from functools import partial
from importlib import import_module
from multiprocessing import parent_process
from pickle import PicklingError
from queue import SimpleQueue
from time import thread_time
from typing import Any, TypeVar

from abviz.engine.compiler import engine, prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import new_work
from abviz.errors import AbvizError, one_line
from abviz.parallel.split_tree import Task, Window

T = TypeVar("T")
Terms = tuple[Any, str, list[int]]  # the same for all tasks of a run: the game's class, the method, the weights
Answer = tuple[int, int, float]  # value, nodes, CPU seconds
NOT_SENT = (PicklingError, AttributeError, ImportError, TypeError)


def load_worker(terms: Terms, root: tuple[int, ...], worker: int) -> int:
    """Load what is compiled, before the clock starts. (`worker` keeps Dask from taking equal calls for one.)"""
    game, method, weights = terms
    if parent_process() and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches every process, but only the caller answers it
    prepared(game(*root), method, new_work(None, weights), new_table(2))
    return worker


def search_task(terms: Terms, fields: tuple[int, ...], depth: int, window: Window, ply: int) -> Answer:
    """Search one task in a worker process."""
    game, method, weights = terms
    work, cpu = new_work(None, weights), thread_time()
    bounds = () if method == "minimax" else window
    value = int(getattr(engine(game), method)(game(*fields), depth, *bounds, work, ply))
    return value, int(work.nodes), thread_time() - cpu


class RemoteWorker:
    """Sends tasks to an executor, one at a time, and waits for the answers in a thread of its own.

    A task that has begun in another process is searched to its end, even when the search has been stopped; its nodes
    are counted when it has ended. Its time includes the way to the process and back.
    """

    def __init__(self, number: int, executor: Executor, terms: Terms):
        self.number, self.executor, self.terms = number, executor, terms
        self._future: Future[Answer] | None = None
        self._answers: SimpleQueue[Future[Answer] | None] = SimpleQueue()  # None: leave
        self._nodes = 0

    def nodes(self) -> int:
        return self._nodes

    def resume(self) -> None:
        """Do nothing: each task is sent on its own."""

    def stop(self) -> None:
        """Take the task back, unless it has begun."""
        if self._future:
            self._future.cancel()

    def leave(self) -> None:
        """Do not wait for the answer any longer."""
        self._answers.put(None)  # first: a future that is cancelled is an answer too
        self.stop()

    def run(self, task: Task, _: Callable[[], float]) -> tuple[int, float]:
        fields = tuple(map(int, task.position))
        part = self.terms, fields, task.depth, task.window, task.ply
        self._future = future = outcome(partial(self.executor.submit, search_task, *part))
        future.add_done_callback(self._answers.put)
        if self._answers.get() is None or (task.cancelled and future.cancelled()):
            future.cancel()
            return 0, 0.0
        value, nodes, cpu = outcome(future.result)
        self._nodes += nodes
        return value, cpu


def remote_workers(executor: Executor, number: int, terms: Terms, position: Any) -> list[RemoteWorker]:
    """Return workers that have loaded all they need. Each is busy loading, so the next call goes to another."""
    root = tuple(map(int, position))
    loads = [partial(executor.submit, load_worker, terms, root, worker) for worker in range(number)]
    futures = [outcome(load) for load in loads]
    try:
        return [RemoteWorker(outcome(future.result), executor, terms) for future in futures]
    except NOT_SENT as problem:
        expected = "expected a game, and abviz, that they can import"
        raise AbvizError(f"the workers cannot load {terms[0].__qualname__} ({one_line(problem)}); {expected}") from None


def outcome(call: Callable[[], T]) -> T:
    """Return what the call of an executor or of a future returns; raise AbvizError where a worker has gone."""
    try:
        return call()
    except Exception as problem:
        if isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__module__.startswith("distributed"):
            expected = "expected workers that stay until the search has ended"
            raise AbvizError(f"a worker was lost ({one_line(problem)}); {expected}") from None
        raise


def dask_executor(address: str, *, seconds: float = 5.0) -> Executor:
    """Return an executor on the Dask cluster whose scheduler has that address. Shutting it down leaves the cluster."""
    dask = _installed("distributed", "Dask")
    client = dask.Client(address, timeout=seconds, set_as_default=False)
    client.wait_for_workers(1, timeout=seconds)

    class DaskExecutor(dask.cfexecutor.ClientExecutor):  # type: ignore[misc, name-defined]
        def shutdown(self, wait: bool = True, **_: Any) -> None:
            super().shutdown(wait)
            client.close()

    executor: Executor = DaskExecutor(client, pure=False)  # a task searched again is not answered from the first time
    return executor


def mpi_executor() -> Executor:
    """Return an executor on the other processes of this MPI run: all but the first, which runs the script."""
    mpi, futures = _installed("mpi4py.MPI", "MPI"), _installed("mpi4py.futures", "MPI")
    if mpi.COMM_WORLD.Get_size() < 2:
        command = "`mpiexec -n 3 python -m mpi4py.futures SCRIPT`"
        raise AbvizError(f"this is no MPI run with workers; expected a script started with {command}")
    executor: Executor = futures.MPIPoolExecutor(backoff=0.0001)  # seconds; with mpi4py's own a task alone waits 4 ms
    return executor


def _installed(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except (ImportError, RuntimeError) as problem:  # RuntimeError: mpi4py is there, but no MPI
        expected = 'expected it: pip install "abviz[cluster]"'
        raise AbvizError(f"{name} is not installed here ({one_line(problem)}); {expected}") from None
