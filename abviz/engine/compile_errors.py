"""What may go wrong when the rules of a student's game are compiled: errors in one line, and different answers."""

import re
from collections.abc import Iterable
from linecache import getline
from pathlib import PurePath
from types import FunctionType
from typing import Any

from abviz.engine.workspace import new_work
from abviz.errors import AbvizError, visible
from abviz.games.rules import generated_moves, static_value
from abviz.games.validation import tried_positions, without_addresses

MOST = 100  # positions on which compiled rules are compared with Python's
LENGTH = 120
PLACE = re.compile(r'File "([^"]*)", line (\d+)| Raised from (.*) \((\d+)\)')
# Lines in which numba reports how it came to the error, and not the error.
NOISE = re.compile(
    r"Failed in|- |There are|Overload|With arg|Rejected|TypingError|Unsupp|No match|None$|During|raised|<source|\^"
)


def one_line(problem: Exception, title: str, functions: Iterable[FunctionType]) -> str:
    """Return numba's error in one line, with the first of these functions that it mentions, and the place there."""
    text = without_addresses(re.sub(r".\[\d+m", "", str(problem)))
    functions = list(functions)
    for place in PLACE.finditer(text):
        file, line = place[1] or place[3], int(place[2] or place[4])
        for function in functions:
            code = function.__code__
            lines = [number for _, _, number in code.co_lines() if number]
            # numba abbreviates the path of a file: its name has to do.
            if PurePath(file).name == PurePath(code.co_filename).name and min(lines) <= line <= max(lines):
                source = getline(code.co_filename, line).strip()
                at = f"line {line} ({_shortened(source)})" if source else f"line {line}"
                return f"{code.co_name} of {title} does not compile, {at}: {_reason(text[: place.start()], problem)}"
    return f"the rules of {title} do not compile: {_reason(text, problem)}"


def _reason(text: str, problem: Exception) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not NOISE.match(line)] or lines[:1]
    reason = lines[-1] if lines else type(problem).__name__
    return _shortened(f"numba knows no {reason[4:]}" if reason.startswith(">>> ") else reason)


def _shortened(text: str) -> str:
    return visible(text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…")


def check_agreement(engine: Any, cls: Any) -> None:
    """Raise an AbvizError where compiled rules, in 64 bits, answer differently than in Python, which has no limit."""
    weights = list(cls.weights.values())
    work = new_work(weights=weights)
    for position in tried_positions(cls)[:MOST]:
        moves = generated_moves(position)
        worth = position.value() if position.over() else static_value(position, weights)
        rule = "value" if position.over() else "features" if weights else "evaluate"
        rules = ("moves", "over", "is_max", "hot", rule, "key")
        expected = (len(moves), position.over(), position.is_max(), position.hot(), worth, position.key())
        answers = list(zip(rules, expected, engine.answers(position, work), strict=True))
        answers += [("moves", move, int(work.moves[0, i])) for i, move in enumerate(moves)]
        for move in moves:
            gain = int(engine.successor(position, move, work))
            child = tuple(int(field) for field in work.scores[0, : len(position)])
            answers += [("play", tuple(position.play(move)), child), ("gain", position.gain(move), gain)]
        for rule, python, compiled in answers:
            if python != compiled:
                differs = f"{rule} of {position!r} is {python} in Python and {compiled} compiled, in 64 bits"
                raise AbvizError(f"{differs}; expected rules that stay below 2⁶³ and shift by less than 64")
