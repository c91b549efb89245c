"""The engine: one search, compiled for every game."""

from importlib import import_module
from typing import Any

_MODULES = {
    "search": "api",
    "Search": "api",
    "Result": "api",
    "Iteration": "api",
    "perft": "api",
    "Switches": "workspace",
    "Player": "players",
    "play": "players",
    "contest": "players",
    "Contest": "players",
    "compare": "comparison",
    "each_alone": "comparison",
    "without_each": "comparison",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:  # imported on first use, so that a first search does not wait for the others
    if name not in _MODULES:
        raise AttributeError(f"module 'abviz.engine' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"abviz.engine.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
