"""A worker: it searches the tasks that it is handed, with compiled code and a record that nobody else writes to."""

from collections.abc import Callable, Generator
from typing import Any

from abviz.engine.lines import found
from abviz.engine.work import field
from abviz.games.scale import WIN
from abviz.parallel.upper import Task, Window, closed

NO_LIMIT = 1 << 62


class Worker:
    """`engine` has the searches, compiled for the game; `work` is this worker's own; `table` is everybody's."""

    def __init__(self, number: int, engine: Any, work: Any, table: Any = None):
        self.number, self.engine, self.work, self.table = number, engine, work, table
        self._nodes, self._limit = field(work, "nodes"), field(work, "limit")

    @property
    def nodes(self) -> int:
        """All that it has searched so far, to be read at any time."""
        return int(self._nodes[0])

    def stop(self) -> None:
        """Called from elsewhere: what it searches now ends at once, and its value is of no use."""
        self._limit[0] = 0

    def go_on(self) -> None:
        self._limit[0] = NO_LIMIT

    def run(self, task: Task, looked: Callable[[], None]) -> int:
        """The value of the task. `looked` is called whenever its window has been read again."""
        pieces = self.pieces(task, looked)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return int(end.value)

    def pieces(self, task: Task, looked: Callable[[], None]) -> Generator[None, None, int]:
        """The same in pieces, between which other workers may find better bounds (in the simulator: do find them)."""
        moves = found(task.position) if task.polls and task.depth > 0 else []
        if not moves:
            yield
            return self.whole(task)
        self._nodes[0] += 1
        is_max = task.position.is_max()
        bv = -WIN if is_max else WIN
        for move in moves:
            yield
            looked()
            alpha, beta = task.window
            window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
            if window[0] >= window[1]:
                break
            child = task.position.play(move)
            value = self.search(task.method, child, task.depth - 1, window, task.ply + 1)
            bv = max(bv, value) if is_max else min(bv, value)
        return bv

    def whole(self, task: Task) -> int:
        alpha, beta = task.window
        if task.method == "improved" and not task.eldest:
            asked = closed((alpha, beta), task.parent.is_max)
            value = self.search(task.method, task.position, task.depth, asked, task.ply)
            if not alpha < value < beta:
                return value
        return self.search(task.method, task.position, task.depth, task.window, task.ply)

    def search(self, method: str, position: Any, depth: int, window: Window, ply: int) -> int:
        if method == "minimax":
            return int(self.engine.minimax(position, depth, self.work, ply))
        if method == "alphabeta":
            return int(self.engine.alphabeta(position, depth, *window, self.work, ply))
        return int(self.engine.improved(position, depth, *window, self.work, self.table, ply))
