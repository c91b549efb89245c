"""A rehearsal: run a function that starts threads with a `search` that blocks until a script releases it.

So every order in which searches can end is tried on purpose, with Thread and with executors alike, and nothing is
patched. The script goes on when each thread waits for it or has ended; where one does neither, since it waits in a pool
or for a lock, when nothing has changed for a while. On a slow computer a rehearsal may depart from its script, but the
record tells what happened.

Grading runs this module in another process, so it holds no reference answer; it has the numbers of predict-speed-up.
"""

import threading
from collections.abc import Callable
from functools import cache, partial
from math import inf
from time import sleep
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, one_line, plain
from abviz.exercises.observation import Job, Observation, fail_soft, not_a_function, outcome
from abviz.recording.time_limit import raise_in, settle
from abviz.tree.model import Node

LOOK = 0.0005  # seconds between two looks at the threads
PAUSE = 40  # looks in a row that find nothing changed, until the script goes on although some thread is still at work
LONG_PAUSE = 200  # such looks, until it takes a single search for all that there will be
GIVE_UP = 4_000  # such looks until it ends an answer that neither searches nor returns
MOST_CALLS = 20  # of `search`, for each move


class Record(NamedTuple):
    """The events of a rehearsal as plain data: the details of its observation."""

    calls: list[Any]  # of `search`: move, window, value, moves whose value it can know, whether in a thread of its own
    ended: list[int]  # moves, in the order in which their searches were released
    at_once: int  # the most searches under way
    in_time: int  # how many searches had ended when it answered


def run(answer: Any, job: Job) -> Observation:
    """Run answer(root, search) or, with workers, answer(root, search, workers), following a script.

    The job's arguments are (workers, order, interleaved). Of the searches that wait, the first in `order`, a list of
    the moves' indices, is released next. If `interleaved`, its thread is held again when it first compares the value
    that it got, until another search has been released: without a lock, one of the two updates is lost.
    """
    return _Stage(job).perform(answer) if callable(answer) else not_a_function(answer)


class _Gate(threading.Event):
    """A thread waits here until the script lets it go on."""

    def __init__(self, move: int, record: Any = None):
        super().__init__()
        self.move, self.record, self.thread = move, record, threading.current_thread()


def _reported(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def method(self: "_Score", other: Any) -> bool:
        report, self.report = self.report, lambda: None
        report()
        return compare(self, other)

    return method


class _Score(int):
    """The value of a search: a number that reports when it is first compared."""

    report: Callable[[], None]
    __lt__, __le__ = _reported(int.__lt__), _reported(int.__le__)
    __gt__, __ge__ = _reported(int.__gt__), _reported(int.__ge__)


class _Stage:
    def __init__(self, job: Job):
        self.moves = job.tree.root.children
        self.workers, self.order, self.is_interleaved = job.arguments
        self.arguments = (job.tree.root, self.search, self.workers)[: 3 if self.workers else 2]
        self.calls: list[_Gate] = []  # of `search`
        self.held: list[_Gate] = []  # at a comparison
        self.ended: list[int] = []
        self.at_once = self.in_time = 0
        self.value: Any = None
        self.problem = ""
        self.is_over = False

    def perform(self, answer: Callable[..., Any]) -> Observation:
        self.others = set(threading.enumerate())
        # What a daemon starts is a daemon too: none of these threads keeps Python from ending.
        self.main = threading.Thread(target=self._answer, args=(answer,), name="rehearsal", daemon=True)
        hook, threading.excepthook = threading.excepthook, self._note_error
        try:
            self.main.start()
            self._direct()
        finally:
            self._close()
            threading.excepthook = hook
        record = Record([call.record for call in self.calls], self.ended, self.at_once, self.in_time)
        return Observation(self.value, tuple(call.move for call in self.calls), self.problem, record)

    # in the threads of the answer

    def _answer(self, answer: Callable[..., Any]) -> None:
        self.value, problem = outcome(answer, *self.arguments)
        self.problem = self.problem or problem

    def _note_error(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value:
            self.problem = self.problem or f"a thread raised {one_line(args.exc_value)}"

    def search(self, child: Node, *window: Number) -> Number:
        """Return the value of a child of the root, once the script lets it."""
        bounds = [bound for bound in map(plain, window) if bound is not None]
        if child not in self.moves or not len(bounds) == len(window) == (2 if self.workers else 0):
            expected = "a child of the root, alpha and beta" if self.workers else "a child of the root"
            self.problem = f"search was called with {', '.join(map(brief, (child, *window)))}; expected {expected}"
            raise AbvizError(self.problem)
        move, value = self.moves.index(child), fail_soft(child, *(bounds or (-inf, inf)))
        me, calls = threading.current_thread(), [*self.calls]  # as they are now: other threads add to them
        last = {call.thread: call for call in calls}
        # A thread that has ended or searches again has done what it does with a value.
        known = {each.move for each in calls if each is not last[each.thread] or not each.thread.is_alive()}
        known |= {each.move for each in calls if each.thread is me}
        self._wait(self.calls, _Gate(move, [move, bounds, value, sorted(known), me is not self.main]))
        if not self.is_interleaved:
            return value
        score = _Score(value)
        score.report = partial(self._hold, move)
        return score

    def _hold(self, move: int) -> None:
        if self._waiting() and not self.held:
            self._wait(self.held, _Gate(move))

    def _wait(self, gates: list[_Gate], gate: _Gate) -> None:
        gates.append(gate)
        if not self.is_over:
            gate.wait()
        if self.is_over:
            raise SystemExit  # which ends a thread without a message

    # in the thread of the script

    def _direct(self) -> None:
        """Open one gate after the other, each when all threads wait."""
        before, looks = None, 0
        while len(self.ended) <= MOST_CALLS * len(self.moves):
            sleep(LOOK)
            waiting, at_work, is_done = self._waiting(), self._at_work(), not self.main.is_alive()
            now = len(self.calls), len(self.ended), len(self.held), is_done, at_work
            looks = looks + 1 if now == before else 0
            before, left = now, len(self.moves) - len(self.ended)
            are_all = not at_work and len(waiting) >= min(self.workers or left, left)
            pause = LONG_PAUSE if len(waiting) == 1 < left and not self.held else PAUSE
            if looks < pause and not are_all:
                continue
            self.at_once = max(self.at_once, len(waiting))
            if self.held and (not waiting or self.ended[-1] != self.held[0].move):
                self.held.pop(0).set()
            elif waiting:
                call = min(waiting, key=lambda each: self.order.index(each.move))
                self.ended.append(call.move)
                self.in_time += not is_done
                call.set()
            elif is_done:
                return
            elif looks > GIVE_UP:
                self.problem = "it does not end, although each search that it called has returned"
                return
        self.problem = f"it was stopped after {len(self.ended) - 1} searches"

    def _waiting(self) -> list[_Gate]:
        return [call for call in self.calls if not call.is_set()]

    def _at_work(self) -> set[threading.Thread]:
        """Return the threads that the answer has started and that do not wait for the script."""
        at_gates = {gate.thread for gate in (*self._waiting(), *self.held)}
        return set(threading.enumerate()) - self.others - at_gates - {self.main}

    def _close(self) -> None:
        """Let everything go, and end what still runs."""
        self.is_over = True
        for gate in (*self.calls, *self.held):
            gate.set()
        if self.main.is_alive():
            for thread in set(threading.enumerate()) - self.others:
                raise_in(thread, SystemExit)
            settle()


# the numbers that predict-speed-up gives


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
