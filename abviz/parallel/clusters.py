"""Executors whose workers are processes of a cluster: what `parallel_search(..., executor=...)` can be handed.

    parallel_search(position, 16, workers=8, executor=dask_executor("tcp://192.0.2.7:8786"))
    parallel_search(position, 16, workers=8, executor=mpi_executor())     in a script that runs under MPI

A cluster that is not there is told in one line. Both need `pip install "abviz[cluster]"`.

To hand a task to a process of this machine, or to MPI's, takes about half a millisecond, to Dask's about ten: there the
tasks should be large ones (benchmarks/executors.py). On other machines a worker does not hear of better bounds while it
searches, nor that its task is no longer wanted.
"""

import asyncio
import os
import re
from concurrent.futures import Executor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from abviz.engine.waiting import aside
from abviz.errors import AbvizError, brief

PATIENCE = 5.0  # seconds in which a scheduler must answer, and have a worker
BACKOFF = 0.0001  # seconds between two looks for a message: with mpi4py's own a task alone waits 4 ms, and so 0.5
INSTALL = 'pip install "abviz[cluster]"'


def dask_executor(address: str, *, seconds: float = PATIENCE) -> Executor:
    """The workers of the Dask cluster whose scheduler has that address. To shut it down leaves the cluster at work."""
    try:
        dask: Any = import_module("distributed")
    except ImportError as problem:
        raise AbvizError(f"Dask is not installed here ({problem}); expected it: {INSTALL}") from None

    class DaskExecutor(dask.cfexecutor.ClientExecutor):  # type: ignore[misc]
        def shutdown(self, wait: bool = True, **_: Any) -> None:
            super().shutdown(wait)
            client.close()

    async def ask() -> None:
        scheduler = dask.rpc(address, timeout=seconds)
        try:
            await asyncio.wait_for(scheduler.identity(), seconds)
        finally:
            await scheduler.close_rpc()

    expected = "expected one that `dask scheduler` has started, with at least one `dask worker`"
    try:
        aside(lambda: asyncio.run(ask()))  # first, since a Client that cannot connect complains for long
        client = dask.Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TypeError, MemoryError) as problem:  # Memory: what a web server says, taken for a size
        raise AbvizError(f"no Dask scheduler answers at {brief(address)} ({first_line(problem)}); {expected}") from None
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        client.close()
        raise AbvizError(f"the Dask scheduler at {brief(address)} has no workers; {expected}") from None
    executor: Executor = DaskExecutor(client, pure=False)  # no answer is kept for a task that is searched again
    return executor


def mpi_executor() -> Executor:
    """The other processes of this MPI run: all but the first, which runs the script."""
    try:
        mpi, futures = import_module("mpi4py.MPI"), import_module("mpi4py.futures._core")
    except (ImportError, RuntimeError) as problem:  # RuntimeError: mpi4py is there, but no MPI
        raise AbvizError(f"MPI is not installed here ({first_line(problem)}); expected it: {INSTALL}") from None
    if mpi.COMM_WORLD.Get_size() < 2 or futures.SharedPool is None:
        raise AbvizError("this is no MPI run with workers; expected `python -m abviz.parallel.mpi -n 3 SCRIPT`")
    leave_nothing_behind()
    executor: Executor = import_module("mpi4py.futures").MPIPoolExecutor(backoff=BACKOFF)
    return executor


def leave_nothing_behind() -> None:
    """MPICH removes the file of its shared memory in the end, but not if a process dies. All have it open by now."""
    maps = Path("/proc/self/maps")
    for name in set(re.findall(r"/dev/shm/mpich_shm_\w+", maps.read_text())) if maps.exists() else ():
        with suppress(OSError):
            os.unlink(name)


def first_line(problem: BaseException) -> str:
    return (str(problem) or type(problem).__name__).partition("\n")[0]
