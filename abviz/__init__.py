"""abviz: step through minimax and alpha-beta, and see every cut and its reason.

>>> from abviz import load, trace
>>> trace(load("figure-4.24")).value
4
"""

from importlib import import_module
from typing import Any

_ROOMS = {
    "errors": ["AbvizError"],
    "tree.model": ["Tree"],
    "tree.files": ["load", "shipped"],
    "tracing.algorithms": ["Rules", "alphabeta", "minimax"],
    "tracing.traces": ["trace", "Trace"],
    "recording.recorder": ["record"],
    "exercises": ["check"],
    "exercises.generator": ["make_tree"],
    "exercises.predictions": ["predict", "check_up"],
    "views.drawing": ["draw"],
    "views.stepper": ["Stepper", "watch"],
    "games.definition": ["game"],
    "games.checkers": ["Checkers"],
    "games.tic_tac_toe": ["TicTacToe"],
    "games.abalone": ["Abalone"],
    "engine": ["search", "perft", "compare", "Switches"],
    "play.board": ["Board"],
}
__all__ = [name for names in _ROOMS.values() for name in names]


# A room is entered when it is first asked for: `import abviz` costs nothing
def __getattr__(name: str) -> Any:
    room = next((room for room, names in _ROOMS.items() if name in names), None)
    if room is None:
        raise AttributeError(
            f"module 'abviz' has no attribute {name!r}; it has {', '.join(__all__)}"
        )
    globals()[name] = getattr(import_module(f"abviz.{room}"), name)
    return globals()[name]


def __dir__() -> list[str]:
    return __all__
