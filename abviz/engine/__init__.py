"""The engine: one search, compiled for every game."""

from abviz.engine.api import Result, Search, perft, search
from abviz.engine.comparison import compare, without_each
from abviz.engine.storage import is_compiled
from abviz.engine.workspace import Switches

__all__ = [
    "Result",
    "Search",
    "Switches",
    "compare",
    "is_compiled",
    "perft",
    "search",
    "without_each",
]
