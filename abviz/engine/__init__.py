"""The engine: one search, compiled for every game."""

from abviz.engine.results import Iteration, Result
from abviz.engine.searching import Search, search
from abviz.engine.switches import Switches

__all__ = ["Iteration", "Result", "Search", "Switches", "search"]
