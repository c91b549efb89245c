"""The games: checkers (also a student's own), tic-tac-toe, Abalone; rules, boards, trees."""

from typing import Any

from abviz.games.abalone import Abalone
from abviz.games.checkers import Checkers
from abviz.games.definition import game
from abviz.games.rules import generated_moves, legal_moves
from abviz.games.student_checkers import checkers_game
from abviz.games.tic_tac_toe import TicTacToe

GAMES: dict[str, Any] = {"checkers": Checkers, "tic-tac-toe": TicTacToe, "abalone": Abalone}
__all__ = [
    "GAMES",
    "Abalone",
    "Checkers",
    "TicTacToe",
    "checkers_game",
    "game",
    "generated_moves",
    "legal_moves",
]
