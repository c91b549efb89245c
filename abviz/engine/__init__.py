"""The engine: one search, compiled for every game."""

from abviz.engine.comparing import compare, each_alone, without_each
from abviz.engine.counting import perft
from abviz.engine.playing import Contest, Player, contest, play
from abviz.engine.results import Iteration, Result
from abviz.engine.searching import Search, search
from abviz.engine.switches import Switches

__all__ = [
    "Contest",
    "Iteration",
    "Player",
    "Result",
    "Search",
    "Switches",
    "compare",
    "contest",
    "each_alone",
    "perft",
    "play",
    "search",
    "without_each",
]
