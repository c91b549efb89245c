"""One search on several workers.

Here are the strategies, the schedulers that carry them out, and the simulator.
"""

from abviz.parallel.executors import dask_executor, mpi_executor
from abviz.parallel.own_splits import measure_split
from abviz.parallel.records import Run, TaskRecord
from abviz.parallel.scheduler import ParallelSearch, line_of, parallel_search, start
from abviz.parallel.simulator import simulate
from abviz.parallel.strategies import STRATEGIES

__all__ = [
    "STRATEGIES",
    "ParallelSearch",
    "Run",
    "TaskRecord",
    "dask_executor",
    "line_of",
    "measure_split",
    "mpi_executor",
    "parallel_search",
    "simulate",
    "start",
]
