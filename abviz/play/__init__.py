"""Playing games: matches and their PDN, players that search for every move, contests, and the championship."""

from importlib import import_module
from typing import Any

_HOMES = {"Contest": "contests", "Player": "contests", "contest": "contests", "play": "contests"}
_HOMES |= {"League": "league", "Match": "match", "read_matches": "match"}
__all__ = ["Contest", "League", "Match", "Player", "contest", "play", "read_matches"]


def __getattr__(name: str) -> Any:  # on first use: the processes of a league need none of them, nor numba
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
