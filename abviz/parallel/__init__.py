"""One search on several workers: the strategies, what carries them out, and the simulator."""

from importlib import import_module
from typing import Any

_ROOMS = {
    "parallel_search": "running",
    "start": "running",
    "Running": "running",
    "Run": "records",
    "TaskRecord": "records",
    "STRATEGIES": "strategies",
    "simulate": "simulating",
    "dask_executor": "clusters",
    "mpi_executor": "clusters",
}
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:  # as at the front door: what is not asked for is not loaded
    if name not in _ROOMS:
        raise AttributeError(f"module 'abviz.parallel' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"abviz.parallel.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
