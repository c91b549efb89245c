"""abviz: step through minimax and alpha-beta, and see every cut and its reason.

>>> from abviz import load, trace
>>> trace(load("figure-4.24")).value
4
"""

from importlib import import_module
from typing import Any

_ROOMS = {
    "AbvizError": "errors",
    "Tree": "tree.model",
    "load": "tree.files",
    "shipped": "tree.files",
    "Rules": "tracing.algorithms",
    "alphabeta": "tracing.algorithms",
    "minimax": "tracing.algorithms",
    "trace": "tracing.traces",
    "Trace": "tracing.traces",
    "record": "recording.recorder",
    "check": "exercises",
    "make_tree": "exercises.generator",
    "predict": "exercises.predictions",
    "check_up": "exercises.predictions",
    "draw": "views.drawing",
    "Stepper": "views.stepper",
    "watch": "views.stepper",
    "game": "games.rules",
    "Checkers": "games.checkers",
    "TicTacToe": "games.tic_tac_toe",
    "Abalone": "games.abalone",
    "search": "engine",
    "perft": "engine",
    "compare": "engine",
    "Switches": "engine",
    "Board": "play.board",
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
