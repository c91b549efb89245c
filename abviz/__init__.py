"""abviz: step through minimax and alpha-beta, and see every cut and its reason.

>>> from abviz import load, trace
>>> trace(load("figure-4.24")).value
4
"""

from importlib import import_module
from typing import Any

_ROOMS = {
    "AbvizError": "errors",
    "Game": "game",
    "Tree": "tree",
    "load": "loading",
    "shipped": "loading",
    "Rules": "algorithms",
    "alphabeta": "algorithms",
    "minimax": "algorithms",
    "trace": "tracing",
    "Trace": "tracing",
    "record": "recording",
    "check": "exercises.checking",
    "make_tree": "exercises.making",
    "draw": "drawing",
    "Stepper": "stepper",
    "watch": "stepper.beside",
    "Checkers": "games.checkers",
    "TicTacToe": "games.tic_tac_toe",
    "search": "engine",
    "Switches": "engine",
}
__all__ = list(_ROOMS)


def __getattr__(name: str) -> Any:  # a room is entered when it is first asked for: `import abviz` costs nothing
    if name not in _ROOMS:
        raise AttributeError(f"module 'abviz' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(import_module(f"abviz.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
