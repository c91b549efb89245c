"""Evaluations to write: the open lines of tic-tac-toe, on every position that can be reached."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from abviz.errors import brief, count, number, plain
from abviz.exercises.checkers_exercises import PositionExercise
from abviz.exercises.exercise import Mistake
from abviz.exercises.judgement import Difference
from abviz.exercises.observation import Job, Observation
from abviz.games.boards import tic_tac_toe_svg
from abviz.games.rules import legal_moves
from abviz.games.tic_tac_toe import TicTacToe

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def lines_of(cells: str, player: str, is_counted: Callable[[str, str], bool], most: int = len(LINES)) -> int:
    """Return how many of the first lines are counted, given their cells and the player."""
    return sum(is_counted("".join(cells[place] for place in line), player) for line in LINES[:most])


def is_open(line: str, player: str) -> bool:
    return set(line) <= {player, "."}


def open_lines(cells: str, is_counted: Callable[[str, str], bool] = is_open, most: int = len(LINES)) -> int:
    return lines_of(cells, "x", is_counted, most) - lines_of(cells, "o", is_counted, most)


MISTAKES: dict[str, Callable[[str], int]] = {
    "o's lines not subtracted": lambda cells: lines_of(cells, "x", is_open),
    "from o's side": lambda cells: -open_lines(cells),
    "only full lines": lambda cells: open_lines(cells, lambda line, player: line == 3 * player),
    "only empty lines": lambda cells: open_lines(cells, lambda line, player: line == "..."),
    "the diagonals forgotten": lambda cells: open_lines(cells, most=6),
    "only rows": lambda cells: open_lines(cells, most=3),
    "for the player to move": lambda cells: open_lines(cells) * (1 if cells.count(".") % 2 else -1),
}


@cache
def positions() -> dict[str, int]:
    """Return the cells of every position that can be reached, those with the fewest marks first, and its evaluation."""
    found = {TicTacToe.start(): None}
    for position in (waiting := list(found)):  # it grows
        children = dict.fromkeys(position.play(move) for move in legal_moves(position))
        waiting += [child for child in children if child not in found]
        found |= children
    return {position.cells: position.evaluate() for position in found}


class OpenLines(PositionExercise):
    """The evaluation of tic-tac-toe by open lines."""

    name = "open-lines"

    @staticmethod
    def build(evaluate: Callable[[str], int] = open_lines) -> Any:
        return lambda position: evaluate(position.cells)

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        texts = self.texts["mistakes"]
        return [Mistake(name, **texts[name], forms=({"evaluate": way},)) for name, way in MISTAKES.items()]

    def trials(self) -> Sequence[Sequence[Job]]:
        return [_jobs()]

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (cells,) = job.arguments
        right = positions()[cells]
        if run.value == right:
            return None
        found = brief(run.value) if plain(run.value) is None else number(run.value)
        lines = [f"{count(lines_of(cells, player, is_open), 'line')} for {player}" for player in "xo"]
        return Difference(f"it returns {found}; expected {number(right)} ({' less '.join(lines)}).")

    def place(self, job: Job) -> str:
        (cells,) = job.arguments
        return " ".join(cells[start : start + 3] for start in (0, 3, 6))

    def board(self, job: Job, path: tuple[int, ...]) -> str:
        return tic_tac_toe_svg(job.arguments[0])


@cache
def _jobs() -> tuple[Job, ...]:
    return tuple(Job(None, (cells,), "cells") for cells in positions())


EVALUATIONS = (OpenLines(),)
