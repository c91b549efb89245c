"""Run a student's rules, a search or an evaluation on one position.

A job goes in, an `Observation` comes out. Grading runs this part in another process, so it holds no
reference answer.
"""

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace

from abviz.errors import brief
from abviz.exercises.observation import Job, Observation, not_a_function, outcome
from abviz.games.checkers import WEIGHTS, Checkers
from abviz.games.obstacles import obstacle
from abviz.games.rules import (
    AnyPosition,
    Position,
    is_game,
    legal_moves,
    new_move_list,
    static_value,
)
from abviz.games.student_checkers import FIELDS, as_checkers, fields_of


def run(answer: object, job: Job) -> Observation:
    """Run the answer on the job's positions; after that of a "game" come the depth, alpha and beta.

    The argument of an "obstacle" is what was asked of the same rules before.
    """
    if job.how in ASKS or job.how == "obstacle":
        return _run_rules(answer, job)

    if not callable(answer) or isinstance(answer, type):
        return not_a_function(answer)
    position, *more = job.arguments
    log: dict[str, None] = {}
    seen = _seen(position, log) if job.how == "game" else _only(position, job.how)
    value, problem = outcome(answer, seen, *more)
    return Observation(value, tuple(log), problem)


def _only(position: Checkers, name: str) -> SimpleNamespace:
    """Return the position with nothing but that field."""
    return SimpleNamespace(**{name: getattr(position, name)})


def _run_rules(answer: object, job: Job) -> Observation:
    """Return what the rules of a class say of the job's positions."""
    if not is_game(answer) or answer._fields != FIELDS:
        return not_a_function(answer)

    if job.how == "obstacle":
        (asked,) = job.arguments
        value, problem = outcome(obstacle, answer, RULES[asked])
        return Observation(value, problem=problem)

    positions = [answer._make(fields_of(each)) for each in job.arguments]
    value, problem = outcome(ASKS[job.how], *positions)
    return Observation(value, problem=problem)


def _children(position: AnyPosition) -> list[Checkers]:
    """Return the position after each move that the rules add."""
    legal = new_move_list()
    position.rules["moves"](position, legal)
    children = [position.rules["play"](position, move) for move in legal.listed()]

    for child in children:
        is_position = (
            isinstance(child, type(position))
            and all(0 <= each < 1 << 32 for each in child)
            and child.turn <= 1
        )
        if not is_position:
            expected = "a position, with 32 bits a field and turn 0 or 1"
            raise TypeError(f"play returned {brief(child)}; expected {expected}")
    return [as_checkers(child) for child in children]


def _end(position: Position) -> str:
    """Return what `over` returns, and where the game is over `value`, in words."""
    over = position.rules["over"](position)
    if not over:
        return f"over returns {brief(over)}"
    value = position.rules["value"](position)
    return f"over returns {brief(over)} and value returns {brief(value)}"


def _estimate(position: Position) -> int:
    """Return what `evaluate` adds up to, with the weights of the features."""
    value = position.rules["evaluate"](position)
    if type(value) is not int:
        raise TypeError(f"evaluate returned {brief(value)}; expected a whole number")
    return static_value(position, list(position.weights.values()))


ASKS: dict[str, Callable[..., object]] = {
    "children": _children,
    "end": _end,
    "evaluate": lambda *each: list(map(_estimate, each)),
}

# The rules that they call
RULES = {
    "children": ("moves", "play"),
    "end": ("over", "value"),
    "evaluate": ("evaluate", "features"),
}


@lru_cache(20_000)
def _played(position: Checkers) -> dict[str, Checkers]:
    """Return the position after each move, by the move's name."""
    return {position.move_name(move): position.play(move) for move in legal_moves(position)}


def _seen(position: Checkers, log: dict[str, None]) -> SimpleNamespace:
    """Return the position as a search sees it, with the rules of `@game`.

    The log notes which positions are evaluated.
    """

    def noted(number: Callable[[], int]) -> int:
        log[position.fen] = None
        return number()

    def evaluate() -> int:
        return static_value(position, list(WEIGHTS.values()))

    return SimpleNamespace(
        is_max=position.is_max,
        over=position.over,
        value=lambda: noted(position.value),
        evaluate=lambda: noted(evaluate),
        moves=lambda: list(_played(position)),
        play=lambda move: _seen(_played(position)[move], log),
    )
