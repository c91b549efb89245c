"""The games: what a game is, checkers and tic-tac-toe, their notation, boards, matches and trees."""

from importlib import import_module
from typing import Any

_MODULES = {
    "game": "rules",
    "legal_moves": "rules",
    "generated_moves": "rules",
    "Checkers": "checkers",
    "TicTacToe": "tic_tac_toe",
    "Match": "match",
    "read_matches": "match",
    "GameTree": "position_tree",
    "game_tree": "position_tree",
}
__all__ = ["GAMES", *_MODULES]


def __getattr__(name: str) -> Any:  # imported on first use, so that a search does not wait for pictures and notation
    if name == "GAMES":
        return {"checkers": __getattr__("Checkers"), "tic-tac-toe": __getattr__("TicTacToe")}
    if name not in _MODULES:
        raise AttributeError(f"module 'abviz.games' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"abviz.games.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
