"""Executors whose workers are processes, here or on other machines: process pools, Dask, MPI.

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
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from importlib import import_module
from multiprocessing import parent_process
from pickle import PicklingError
from queue import SimpleQueue
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from abviz.engine.compiler import engine, prepared
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import Switches, new_work
from abviz.errors import AbvizError, brief
from abviz.parallel.records import Recorder, TaskLog
from abviz.parallel.split_tree import Task, Window
from abviz.parallel.strategies import MOST, Plan

WORKERS = 2
INSTALL = 'pip install "abviz[cluster]"'
NOT_SENT = (PicklingError, AttributeError, ImportError, TypeError)
LOST = ("KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError")  # Dask's own exceptions


class SearchTerms(NamedTuple):
    """What is the same for all tasks of one run."""

    game: Any  # the class
    method: str
    switches: Switches
    weights: tuple[int, ...]


Answer = tuple[int, int, float, float]  # value, nodes, seconds, CPU seconds: the clocks of two machines differ


def load_worker(terms: SearchTerms, position: tuple[int, ...], worker: int) -> int:
    """Load what is compiled, before the clock starts. (`worker` keeps Dask from taking equal calls for one.)"""
    if parent_process() and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches every process, and is meant for the caller
    prepared(terms.game(*position), terms.method, new_work(terms.switches, list(terms.weights)), new_table(2))
    return worker


def search_task(terms: SearchTerms, fields: tuple[int, ...], depth: int, window: Window, ply: int) -> Answer:
    """Search one task in a worker process."""
    work = new_work(terms.switches, list(terms.weights))
    bounds = () if terms.method == "minimax" else window
    begin, cpu = perf_counter(), thread_time()
    value = int(getattr(engine(terms.game), terms.method)(terms.game(*fields), depth, *bounds, work, ply))
    return value, int(work.nodes), perf_counter() - begin, thread_time() - cpu


class ExecutorScheduler:
    """Sends tasks to an executor, one at a time to each worker, and collects the answers.

    A task that has begun in another process is searched to its end, even when the search has been stopped; its nodes
    are counted when it has ended.
    """

    def __init__(self, plan: Plan, recorder: Recorder, terms: SearchTerms, workers: int, lock: Any):
        self.plan, self.recorder, self.terms, self.lock = plan, recorder, terms, lock
        self.free = list(range(workers))
        self.logs: dict[Future[Answer], TaskLog] = {}
        self.ended: SimpleQueue[Future[Answer] | None] = SimpleQueue()
        self.stopped = False
        self.begin = perf_counter()

    def time(self) -> float:
        return perf_counter() - self.begin

    def run(self, executor: Executor) -> None:
        """Return when the plan is finished or stopped. An exception in one task ends all and is raised here."""
        self.executor = executor
        try:
            self._load_workers()
            self.begin = perf_counter()
            while not (self.stopped or self.plan.finished):
                self._hand_out()
                if future := self.ended.get():
                    self._receive(future)
        finally:
            for future, log in self.logs.items():
                future.cancel()
                log.close(self.time(), 0, None)

    def stop(self) -> None:
        self.stopped = True
        self.ended.put(None)

    def _load_workers(self) -> None:
        """Each worker is busy with loading for a while, so the next call goes to another."""
        begin = perf_counter()
        root = tuple(map(int, self.plan.root.position))
        futures = [self._submit(load_worker, self.terms, root, worker) for worker in self.free]
        while not self.stopped and wait(futures, 0.1).not_done:
            pass
        for future in futures:
            if not future.done():
                future.cancel()
            elif problem := _problem(future):
                raise self._not_loaded(problem)
        self.recorder.compiled += perf_counter() - begin

    def _not_loaded(self, problem: BaseException) -> BaseException:
        if not isinstance(problem, NOT_SENT):
            return _explained(problem)
        game = self.terms.game.__qualname__
        return AbvizError(
            f"the workers cannot load {game} ({problem}); expected a game, and abviz, that they can import"
        )

    def _submit(self, function: Any, *arguments: Any) -> "Future[Any]":
        try:
            return self.executor.submit(function, *arguments)
        except BrokenExecutor as problem:
            raise _explained(problem) from None
        except (RuntimeError, ValueError) as problem:
            raise AbvizError(f"the executor takes no tasks ({problem}); expected one that is at work") from None

    def _hand_out(self) -> None:
        while True:
            with self.lock:
                task = self.plan.take() if self.free and not self.stopped else None
                if task is None:
                    return
                worker = self.free.pop(0)
                log = self.recorder.begin(task, worker, self.time())
            fields = tuple(map(int, task.position))
            # Not under the lock: some executors run it at once.
            future = self._submit(search_task, self.terms, fields, task.depth, task.window, task.ply)
            with self.lock:
                self.logs[future] = log
            future.add_done_callback(self.ended.put)

    def _receive(self, future: "Future[Answer]") -> None:
        with self.lock:
            log = self.logs.pop(future)
            task, now = log.task, self.time()
            self.free = sorted([*self.free, log.worker])
            if problem := _problem(future):
                log.close(now, 0, None)
                if task.cancelled or self.stopped:
                    return
                raise _explained(problem, task)
            value, nodes, seconds, cpu = future.result()
            log.start = max(log.start, now - seconds)
            self.recorder.cpu[log.worker] += cpu
            task.cancelled |= self.stopped
            log.close(now, nodes, value)
            self.plan.done(task, value)
            for other, its_log in self.logs.items():
                if its_log.task.cancelled:
                    other.cancel()


def _problem(future: "Future[Any]") -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


def _explained(problem: BaseException, task: Task | None = None) -> BaseException:
    if isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ in LOST:
        reason = (str(problem) or type(problem).__name__).partition("\n")[0]
        problem = AbvizError(f"a worker was lost ({reason}); expected workers that stay until the search has ended")
    return task.explained(problem) if task else problem


def worker_count(executor: Any) -> int:
    """Return how many workers an executor says that it has: a pool's threads or processes, MPI's, Dask's threads."""
    try:
        count = sum(executor._client.nthreads().values()) if hasattr(executor, "_client") else None
    except (OSError, RuntimeError) as problem:
        raise AbvizError(f"the executor's cluster does not answer ({problem}); expected one at work") from None
    count = count or getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return min(count, MOST) if isinstance(count, int) else WORKERS


def dask_executor(address: str, *, seconds: float = 5.0) -> Executor:
    """Return an executor on the Dask cluster whose scheduler has that address. Shutting it down leaves the cluster."""
    dask = _installed("distributed", "Dask")
    expected = "expected one that `dask scheduler` has started, with at least one `dask worker`"
    try:
        if not isinstance(address, str):  # else Dask would start a cluster of its own
            raise TypeError("not an address")
        client = dask.Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        reason = (str(problem) or type(problem).__name__).partition("\n")[0]
        raise AbvizError(f"no Dask scheduler answers at {brief(address)} ({reason}); {expected}") from None
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        client.close()
        raise AbvizError(f"the Dask scheduler at {brief(address)} has no workers; {expected}") from None

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
        reason = str(problem).partition("\n")[0]
        raise AbvizError(f"{name} is not installed here ({reason}); expected it: {INSTALL}") from None
