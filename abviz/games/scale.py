"""What all searches of games measure with: depths, values, and the weights of features."""

from collections.abc import Mapping
from typing import Any

from abviz.errors import AbvizError, brief, count, number, unknown

DEEPEST = 99  # moves that a search may be asked to look ahead
LAST = 255  # plies from the root, after which no capture is played out
WIN = 1_000_000  # what a win at the root is worth; a ply later it is worth 1 less
PROVEN = WIN - 1000  # beyond ±PROVEN a value is a win or a loss, and not an estimate
WEIGHTS = 16  # features that a game can have
HEAVIEST = 10_000


def checked_depth(depth: Any) -> int:
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= DEEPEST:
        raise AbvizError(f"depth is {brief(depth)}; expected a whole number of moves, 1 to {DEEPEST}")
    return depth


def checked_weights(position: Any, told: Any) -> list[int]:
    """The weights of the game's features, in their order: those that are told, and the usual ones."""
    if told is not None and not isinstance(told, Mapping):
        raise AbvizError(f"weights is {brief(told)}; expected a mapping of features to whole numbers")
    usual = dict(position.weights) if "features" in position.rules else {}
    weights = usual | dict(told or {})
    for name, weight in weights.items():
        if name not in usual:
            raise unknown("feature", name, usual)
        if isinstance(weight, bool) or not isinstance(weight, int) or abs(weight) > HEAVIEST:
            raise AbvizError(f"the weight of {name} is {brief(weight)}; expected a whole number within ±{HEAVIEST:,}")
    return list(weights.values())


def worth(value: int, players: tuple[str, str] = ("MAX", "MIN")) -> str:
    """A value as people read it: a number, or who wins and in how many plies."""
    if abs(value) <= PROVEN:
        return number(value)
    return f"{players[value < 0]} wins in {count(WIN - abs(value), 'ply', 'plies')}"
