"""The engine: one search, compiled for every game."""

from importlib import import_module
from typing import Any

_ROOMS = {
    "search": "searching",
    "Search": "searching",
    "Result": "results",
    "Iteration": "results",
    "Switches": "switches",
    "perft": "counting",
    "Player": "playing",
    "play": "playing",
    "contest": "playing",
    "Contest": "playing",
    "compare": "comparing",
    "each_alone": "comparing",
    "without_each": "comparing",
}
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:  # as at the front door: a first search does not wait for what it does not need
    if name not in _ROOMS:
        raise AttributeError(f"module 'abviz.engine' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"abviz.engine.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
