"""Evaluations to write: the open lines of tic-tac-toe, on every position that can be reached."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from abviz.errors import brief, count, number, plain
from abviz.exercises.checkers_exercises import Difference, PositionExercise
from abviz.exercises.exercise import Mistake
from abviz.exercises.game_runs import CellsJob
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

    @property
    def mistakes(self) -> list[Mistake]:
        texts = self.texts["mistakes"]
        return [Mistake(name, **texts[name], forms=({"evaluate": way},)) for name, way in MISTAKES.items()]

    @property
    def jobs(self) -> Sequence[Any]:
        return [CellsJob(cells) for cells in positions()]

    def behaves(self, job: Any, given: Any, **form: Any) -> bool:
        return bool(given == form["evaluate"](job.cells))

    def difference(self, job: Any, given: Any) -> Difference | None:
        if given == positions()[job.cells]:
            return None
        found = brief(given) if plain(given) is None else number(given)
        lines = [f"{count(lines_of(job.cells, player, is_open), 'line')} for {player}" for player in "xo"]
        return Difference(f"it returns {found}; expected {number(positions()[job.cells])} ({' less '.join(lines)}).")

    def board(self, job: Any, path: Any) -> str:
        return tic_tac_toe_svg(job.cells)


EVALUATIONS = (OpenLines(),)
