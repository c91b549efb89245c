"""Whether the rules of a student's game say the same compiled as in Python, where numbers have no end."""

from typing import Any

from abviz.engine.work import new_work
from abviz.errors import AbvizError
from abviz.games.checking import tried
from abviz.games.rules import Found
from abviz.games.scale import PROVEN

MOST = 100  # positions that are compared


def check_agreement(engine: Any, cls: Any) -> None:
    """Raise an AbvizError that names the rule and the position where the two differ."""
    work = new_work()
    work.weights[: len(cls.weights)] = list(cls.weights.values())
    for position in tried(cls)[:MOST]:
        found = Found()
        position.moves(found)
        told = ("moves", "over", "is_max", "hot", _worth(position), "key")
        in_python = (len(found), position.over(), position.is_max(), position.hot(), _value(position), position.key())
        for rule, expected, got in zip(told, in_python, engine.answers(position, work), strict=True):
            _compare(rule, position, int(expected), int(got))
        for i, move in enumerate(found):
            _compare("moves", position, move, int(work.moves[0, i]))
            gain = int(engine.successor(position, move, work))
            child = tuple(int(field) for field in work.scores[0, : len(position)])
            _compare("play", position, tuple(position.play(move)), child)
            _compare("gain", position, position.gain(move), gain)


def _worth(position: Any) -> str:
    return "value" if position.over() else "features" if "features" in position.rules else "evaluate"


def _value(position: Any) -> int:
    if position.over():
        return int(position.value())
    if "features" in position.rules:
        pairs = zip(position.features(), position.weights.values(), strict=True)
        return int(min(max(sum(value * weight for value, weight in pairs), -PROVEN), PROVEN))
    return int(position.evaluate())


def _compare(rule: str, position: Any, in_python: Any, compiled: Any) -> None:
    if in_python != compiled:
        differs = f"{rule} of {position!r} is {in_python} in Python and {compiled} compiled, where numbers have 64 bits"
        raise AbvizError(f"{differs}; expected rules that stay below 2⁶³ and shift by less than 64")
