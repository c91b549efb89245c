"""Playing games: matches and their PDN, players that search, the championship, tuned weights."""

from importlib import import_module
from typing import Any

from abviz.capabilities import require

_HOMES = {"League": "league", "Match": "match", "Player": "match", "read_matches": "match"}
_HOMES |= {"Score": "tuning", "Tuning": "tuning", "tune": "tuning", "weights_match": "tuning"}
_NEEDS = {"league": ("numpy", "matplotlib", "rich"), "tuning": ("numpy", "matplotlib")}
__all__ = list(_HOMES)


# On first use: the processes of a league need none of them, nor numba
def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in _NEEDS.get(_HOMES[name], ()):
        require(package, name)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
