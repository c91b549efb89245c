"""The nodes below each move of a root: the numbers that predict-speed-up gives, also where a hand-in is graded."""

from functools import cache
from typing import Any, NamedTuple


class RootCounts(NamedTuple):
    """Nodes that alpha-beta searches below each move of the root."""

    moves: tuple[str, ...]
    full: tuple[int, ...]  # each move with the full window, as root splitting does
    narrowed: tuple[int, ...]  # one after the other, with the window that the moves before have left

    @property
    def sequential(self) -> int:
        """The nodes of one worker, with alpha-beta as usual: the baseline."""
        return sum(self.narrowed)

    def __repr__(self) -> str:
        rows = zip(*self, strict=True)
        lines = [f"{'move':6} {'full':>9} {'narrowed':>9}", *(f"{move:6} {a:9,} {b:9,}" for move, a, b in rows)]
        return "\n".join([*lines, f"{'all':6} {sum(self.full):9,} {self.sequential:9,}"])


CELLS = "xo......."  # tic-tac-toe after a3 and b3
TIC_TAC_TOE = RootCounts(  # of these, to the end; simulated
    ("c3", "a2", "b2", "c2", "a1", "b1", "c1"),
    (346, 338, 410, 512, 149, 738, 272),
    (346, 257, 211, 49, 84, 46, 85),
)


@cache
def root_counts(position: Any = None, depth: int = 7) -> RootCounts:
    """Return the nodes below each move of a position: by default tic-tac-toe after a3 and b3, to its end."""
    if position is None and depth == 7:
        return TIC_TAC_TOE
    from abviz.games.tic_tac_toe import TicTacToe
    from abviz.parallel import simulate

    position = TicTacToe.from_cells(CELLS) if position is None else position
    full, narrowed = (simulate(position, depth, strategy=name, workers=1) for name in ("root", "sequential"))
    return RootCounts(full.moves, *(tuple(task.nodes for task in run.tasks) for run in (full, narrowed)))
