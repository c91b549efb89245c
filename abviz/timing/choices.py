"""What a reader of the timing widget can choose from, and what is no choice."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown, visible
from abviz.games.checking import check_game
from abviz.games.scale import checked_depth
from abviz.parallel.records import Run
from abviz.timing.fitting import Misfit, sound
from abviz.timing.pooling import flat

MOST_THREADS = 256
CHOICES = ("position", "depth", "workers", "strategy")


class Choices:
    """The positions by their names, and the strategies with what each is in words."""

    def __init__(self, positions: Any) -> None:
        if not isinstance(positions, Mapping):
            positions = {"the start" if _is_start(positions) else "this position": positions}
        if not positions:
            raise AbvizError("there are no positions; expected at least one, such as Checkers.start()")
        self.positions = {visible(str(name)): position for name, position in positions.items()}
        for position in self.positions.values():
            check_game(position)
        self.names = {as_text(position): name for name, position in self.positions.items()}
        self.strategies = _strategies()

    def checked(self, name: str, value: Any) -> Any:
        checks: dict[str, Callable[[Any], Any]] = {
            "position": lambda value: _known("position", value, self.positions),
            "strategy": lambda value: _known("strategy", value, self.strategies),
            "depth": checked_depth,
            "workers": _checked_threads,
        }
        if name not in checks:
            raise unknown("choice", name, CHOICES)
        return checks[name](value)

    def name_of(self, run: Run) -> str:
        """What the position of a run is called here; of one that is not here, its game."""
        return self.names.get(run.position, run.game)

    def to_dict(self) -> dict[str, Any]:
        strategies = [[name, words] for name, words in self.strategies.items()]
        return {"positions": list(self.positions), "strategies": strategies}


def checked_runs(runs: Any) -> list[Run]:
    listed = flat([runs])
    for number, run in enumerate(listed, 1):
        try:
            sound(run)
        except Misfit as misfit:
            raise AbvizError(f"run {number} of runs: {misfit}") from None
    return listed


def checked_start(start: Any) -> Any:
    if start is not None and not callable(start):
        raise AbvizError(f"start is {brief(start)}; expected a function that begins a search, as abviz.parallel.start")
    return start


def usual_start() -> Callable[..., Any]:
    from abviz.parallel.running import start  # with it comes the compiler, which a picture of runs does not need

    return start


def checked_options(told: dict[str, Any], start: Any) -> dict[str, Any]:
    """What goes to the search: to one of somebody else's, whatever it takes."""
    if told and start is None:
        from abviz.parallel.running import OPTIONS

        for name in told:
            if name not in OPTIONS:
                raise unknown("option", name, dict.fromkeys(("runs", "start", *CHOICES, *OPTIONS)))
    return told


def check_numbers(numbers: Sequence[Any], runs: int) -> None:
    """Of the runs that are to be shown, as the table has them."""
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= runs:
            raise AbvizError(f"run {brief(number)} is not in the table, which has {count(runs, 'run')}")
    if len(numbers) > 2 or len(set(numbers)) < len(numbers):
        told = brief(list(numbers)).strip("[]")
        raise AbvizError(f"runs {told} are to be shown; expected two different ones at most")


def same_method(run: Run, told: Mapping[str, Any]) -> dict[str, str]:
    """What the sequential search is to be told, if the run is of another method than those of the widget."""
    method = "alphabeta" if run.method == "minimax" else run.method
    return {} if method == told.get("method", "alphabeta") else {"method": method}


def typed(name: str, value: Any) -> Any:
    """What came from the browser: numbers come as they were typed. What is no number is refused as any wrong choice."""
    text = value.strip() if isinstance(value, str) else ""
    is_number = text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 9
    return int(text) if name in ("depth", "workers") and is_number else value


def crowd(workers: int) -> str:
    """A word on more threads than there are cores."""
    cores = os.cpu_count() or 1
    if workers <= cores:
        return ""
    return f"{count(workers, 'thread')} on {count(cores, 'core')}: they take turns, and are no faster for it."


def is_alone(strategy: str) -> bool:
    """Whether it would leave every thread but one without work."""
    from abviz.parallel.strategies import STRATEGIES

    return STRATEGIES[strategy].alone


def as_text(position: Any) -> str:
    """As in the record of a run."""
    return str(getattr(position, "fen", None) or repr(position))


def _strategies() -> dict[str, str]:
    """Their names, and the first paragraph of the file of each."""
    from abviz.parallel.strategies import STRATEGIES

    words = {name: sys.modules[plan.__module__].__doc__ or "" for name, plan in STRATEGIES.items()}
    return {name: " ".join(text.split("\n\n")[0].split()) for name, text in words.items()}


def _is_start(position: Any) -> bool:
    start = getattr(type(position), "start", None)
    return callable(start) and position == start()


def _checked_threads(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_THREADS:
        raise AbvizError(f"workers is {brief(value)}; expected a whole number of threads, 1 to {MOST_THREADS}")
    return value


def _known(what: str, value: Any, legal: Mapping[str, Any]) -> str:
    if not isinstance(value, str) or value not in legal:
        raise unknown(what, value, legal)
    return value
