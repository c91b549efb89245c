"""Run a student's rules, a search or an evaluation on one position: a job goes in, an `Observation`
comes out.

Grading runs this part in another process, so it holds no reference answer.
"""

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from abviz.errors import brief
from abviz.exercises.observation import Job, Observation, not_a_function, outcome
from abviz.games.checkers import WEIGHTS, Checkers
from abviz.games.obstacles import obstacle
from abviz.games.rules import is_game, legal_moves, new_move_list, static_value
from abviz.games.student_checkers import FIELDS, as_checkers, fields_of


def run(answer: Any, job: Job) -> Observation:
    """Run the answer on the job's positions; after that of a "game" come the depth, alpha and beta.

    The argument of an "obstacle" is what was asked of the same rules before.
    """
    position, *more = job.arguments
    if job.how in ASKS or job.how == "obstacle":
        if not is_game(answer) or answer._fields != FIELDS:
            return not_a_function(answer)
        if job.how == "obstacle":
            value, problem = outcome(obstacle, answer, RULES[position])
            return Observation(value, problem=problem)
        value, problem = outcome(
            ASKS[job.how], *(answer(*fields_of(each)) for each in job.arguments)
        )
        return Observation(value, problem=problem)
    if not callable(answer) or isinstance(answer, type):
        return not_a_function(answer)
    log: dict[str, None] = {}
    seen = (
        _seen(position, log)
        if job.how == "game"
        else SimpleNamespace(**{job.how: getattr(position, job.how)})
    )
    value, problem = outcome(answer, seen, *more)
    return Observation(value, tuple(log), problem)


def _children(position: Any) -> list[Checkers]:
    """Return the position after each move that the rules add."""
    position.rules["moves"](position, legal := new_move_list())
    children = [position.rules["play"](position, move) for move in legal.listed()]
    for child in children:
        if (
            not isinstance(child, type(position))
            or not all(0 <= each < 1 << 32 for each in child)
            or child.turn > 1
        ):
            raise TypeError(
                f"play returned {brief(child)}; expected a position, with 32 bits a field and turn 0 or 1"
            )
    return [as_checkers(child) for child in children]


def _end(position: Any) -> str:
    over = position.rules["over"](position)
    value = f" and value returns {brief(position.rules['value'](position))}" if over else ""
    return f"over returns {brief(over)}{value}"


def _estimate(position: Any) -> Any:
    value = position.rules["evaluate"](position)
    if type(value) is not int:
        raise TypeError(f"evaluate returned {brief(value)}; expected a whole number")
    return static_value(position, list(position.weights.values()))


ASKS: dict[str, Any] = {
    "children": _children,
    "end": _end,
    "evaluate": lambda *each: list(map(_estimate, each)),
}

RULES = {
    "children": ("moves", "play"),
    "end": ("over", "value"),
    "evaluate": ("evaluate", "features"),
}  # that they call


@lru_cache(20_000)
def _played(position: Checkers) -> dict[str, Checkers]:
    return {position.move_name(move): position.play(move) for move in legal_moves(position)}


def _seen(position: Checkers, log: dict[str, None]) -> SimpleNamespace:
    """Return the position as a search sees it, with the rules of `@game`; the log notes which ones
    are evaluated.
    """

    def noted(number: Callable[[], int]) -> int:
        log[position.fen] = None
        return number()

    return SimpleNamespace(
        is_max=position.is_max,
        over=position.over,
        value=lambda: noted(position.value),
        evaluate=lambda: noted(lambda: static_value(position, list(WEIGHTS.values()))),
        moves=lambda: list(_played(position)),
        play=lambda move: _seen(_played(position)[move], log),
    )
