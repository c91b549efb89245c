"""`measure_split(function, position, depth)`: measure a root split that a student wrote.

The function is handed a `search`, which is compiled and lets go of Python's lock, and which writes
down who searched what and when.
"""

import threading
from collections.abc import Callable
from math import inf
from time import perf_counter

from abviz.capabilities import thread_time
from abviz.engine.backend import prepared
from abviz.engine.storage import new_table, new_work
from abviz.engine.workspace import NO_LIMIT, Workspace
from abviz.errors import AbvizError, Number, brief, plain
from abviz.games.boards import position_text
from abviz.games.rules import WIN, AnyPosition, Position, checked_depth, checked_weights
from abviz.games.validation import check_game
from abviz.parallel.records import SECONDS, Run, TaskRecord

METHOD = "alphabeta"

# A function of a position, a depth and a search, which returns the name of a move.
Layer1 = Callable[[AnyPosition, int, Callable[..., int]], str]


def measure_split(function: Layer1, position: AnyPosition, depth: int) -> Run:
    """Call function(position, depth, search) once and return the record of the run.

    `search(after, depth - 1, alpha, beta)` returns the value of the position after a move, by plain
    alpha-beta. The function returns the name of a move. An interrupt ends all searches.
    """
    if not callable(function):
        raise AbvizError(
            f"asked to measure {brief(function)}; "
            "expected a function layer1(position, depth, search)"
        )
    checked_depth(depth)
    check_game(position)
    split = _Split(position)

    begin = split.begin = perf_counter()
    try:
        answer = function(position, depth, split.search)
    except BaseException:
        split.stop()
        raise
    time = perf_counter() - begin
    split.stop()

    if answer not in split.moves:
        expected = ", ".join(split.moves)
        raise AbvizError(f"the function returned {brief(answer)}; expected one of {expected}")

    tasks = tuple(sorted(split.tasks, key=lambda task: task.start))
    value = next((task.value for task in tasks if task.move == answer), None)
    return Run(
        strategy=str(getattr(function, "__name__", type(function).__name__)),
        game=position.title,
        position=position_text(position),
        depth=depth,
        workers=max(len(split.workers), 1),
        method=METHOD,
        is_max=bool(position.is_max()),
        moves=tuple(split.moves),
        clock=SECONDS,
        move=answer,
        value=value,
        nodes=sum(task.nodes for task in tasks),
        time=time,
        cpu=tuple(split.cpu[worker] for worker in sorted(split.cpu)) or (0.0,),
        finished=True,
        tasks=tasks,
    )


class _Split:
    """The searches that one function makes, each noted as a task of the thread it runs in."""

    def __init__(self, position: Position):
        self.moves = {move: position.play(move) for move in position.moves()}
        self.weights = checked_weights(position, None)
        self.table = new_table(2)
        self.engine = prepared(position, METHOD, new_work(None, self.weights), self.table)

        self.begin = 0.0
        self.stopped = False
        self.tasks: list[TaskRecord] = []
        self.workers: dict[threading.Thread, int] = {}
        self.cpu: dict[int, float] = {}
        self.running: list[Workspace] = []
        self.lock = threading.Lock()

    def search(self, after: Position, depth: int, alpha: Number, beta: Number) -> int:
        """Return the value of a position after one move, searched `depth` moves deep."""
        move = next((name for name, each in self.moves.items() if each == after), None)
        window = [_bound(alpha), _bound(beta)]
        if move is None or type(depth) is not int or depth < 0 or not window[0] < window[1]:
            asked = f"search({brief(after)}, {brief(depth)}, {brief(alpha)}, {brief(beta)})"
            expected = "expected search(position.play(move), depth - 1, -inf, inf)"
            raise AbvizError(f"{asked}; {expected}")

        work = new_work(None, self.weights)
        with self.lock:
            me = self.workers.setdefault(threading.current_thread(), len(self.workers))
            self.running.append(work)
            work.limit = 0 if self.stopped else NO_LIMIT

        start = perf_counter()
        cpu = thread_time()
        value = int(self.engine.alphabeta(after, depth, *window, work, 1))
        end = perf_counter()

        with self.lock:
            self.running.remove(work)
            self.cpu[me] = self.cpu.get(me, 0.0) + thread_time() - cpu
            self.tasks.append(
                TaskRecord(
                    move=move,
                    path=(move,),
                    worker=me,
                    start=start - self.begin,
                    end=end - self.begin,
                    nodes=int(work.nodes),
                    alpha=window[0],
                    beta=window[1],
                    value=value,
                )
            )
        return value

    def stop(self) -> None:
        """End what still runs, in threads that the function did not join."""
        with self.lock:
            self.stopped = True
            for work in self.running:
                work.limit = 0


def _bound(value: object) -> int:
    """Return a bound of the window as the engine has it: ±∞ is a won or lost game."""
    known = plain(value)
    if known is None:
        raise AbvizError(f"the window has {brief(value)}; expected a number, such as -inf")
    if known in (inf, -inf):
        return WIN if known > 0 else -WIN
    return max(-WIN, min(int(known), WIN))
