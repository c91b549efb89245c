"""The games: what a game is, checkers, tic-tac-toe and Abalone, their notation, boards and trees."""

from typing import Any

from abviz.games.abalone import Abalone
from abviz.games.checkers import Checkers
from abviz.games.rules import game, generated_moves, legal_moves
from abviz.games.tic_tac_toe import TicTacToe

GAMES: dict[str, Any] = {"checkers": Checkers, "tic-tac-toe": TicTacToe, "abalone": Abalone}
__all__ = ["GAMES", "Abalone", "Checkers", "TicTacToe", "game", "generated_moves", "legal_moves"]
