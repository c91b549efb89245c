"""One search on several workers: the strategies, the schedulers that carry them out, and the simulator."""

from importlib import import_module
from typing import Any

_MODULES = {
    "parallel_search": "scheduler",
    "start": "scheduler",
    "line_of": "scheduler",
    "ParallelSearch": "scheduler",
    "Run": "records",
    "TaskRecord": "records",
    "STRATEGIES": "strategies",
    "simulate": "simulator",
    "dask_executor": "executors",
    "mpi_executor": "executors",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:  # loaded on first use, as at the front door
    if name not in _MODULES:
        raise AttributeError(f"module 'abviz.parallel' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"abviz.parallel.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
