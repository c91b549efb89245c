"""The engine: one search, compiled for every game."""

from abviz.engine.api import Iteration, Result, Search, perft, search
from abviz.engine.comparison import compare, each_alone, without_each
from abviz.engine.players import Contest, Player, contest, play
from abviz.engine.workspace import Switches

__all__ = ["Contest", "Iteration", "Player", "Result", "Search", "Switches"]
__all__ += ["compare", "contest", "each_alone", "perft", "play", "search", "without_each"]
