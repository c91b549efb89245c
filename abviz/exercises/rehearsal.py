"""A rehearsal: run a function that starts threads with a `search` that blocks until a script lets
it return.

So every order in which searches can end is tried on purpose, with Thread and with executors alike,
and nothing is patched. One search returns at a time, once every thread waits in another one or has
ended. A thread may do neither, as in a pool or at a lock: then the next search returns once nothing
has changed for a while. On a slow computer a rehearsal may depart from its script, but the record
says what happened.

Grading runs this module in another process, so it holds no reference answer; it has the numbers of
predict-speed-up.
"""

import dis
import threading
from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from time import monotonic, sleep
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, one_line, plain
from abviz.exercises.observation import LAYER1, Job, Observation, fail_soft, not_a_function, outcome
from abviz.games.checkers import Checkers
from abviz.recording.time_limit import TimeLimit, raise_in, run_with_timeout, settle
from abviz.tree.model import Node

LOOK = 0.0005  # seconds between two looks at the threads
# Looks in a row that find nothing changed, until a thread goes on although another is still at work
PAUSE = 40
LONG_PAUSE = 200  # such looks, until a single search is taken for all that there will be
SECONDS = 5.0  # until an answer is ended
HELD = "held"  # in place of `interleaved`: the last search takes much longer than all others
HOLD = 1.2  # seconds that it takes then


def run(answer: Any, job: Job) -> Observation:
    """Run answer(root, search) or, with workers, answer(root, search, workers), following a script.

    The job's arguments are (workers, order, interleaved): the indices of the moves in the order in
    which their searches return. If `interleaved`, the first thread that compares the value that it
    got is held until another search has returned: without a lock, one of the two updates is lost.

    The details of the observation are the calls of `search` (each its move, its window, the values
    that it can know, and whether it is in a thread of its own), the moves in the order in which
    their searches returned, the most searches under way at once, how many had returned when the
    answer did, and the variables of `shared_in_loops`.
    """
    return rehearse(answer, job)[0]


def rehearse(answer: Any, job: Job) -> tuple[Observation, BaseException | None]:
    """Run the answer, as `run` does, and return with its behavior what a thread of it has raised,
    if anything.
    """
    if not callable(answer):
        return not_a_function(answer), None
    stage = _CheckersStage(job) if job.how == LAYER1 else _Stage(job)
    hook, threading.excepthook = threading.excepthook, stage.note_error
    try:
        value, problem = run_with_timeout(lambda: stage.perform(answer), SECONDS)
    except TimeLimit:
        value, problem = None, f"it does not end, and was stopped after {SECONDS:g} seconds"
        stage.in_time = len(stage.ended)
        for thread in stage.at_work():
            raise_in(thread, SystemExit)
        settle()
    finally:
        stage.is_over = True
        threading.excepthook = hook

    shared = sorted({name for code in all_code(answer) for name in shared_in_loops(code)})
    details = [
        stage.calls,
        [move for _, move, _ in stage.ended],
        stage.at_once,
        stage.in_time,
        shared,
    ]
    run = Observation(
        value, tuple(call[0] for call in stage.calls), stage.problem or problem, details
    )
    return run, stage.raised


def all_code(answer: Any) -> list[CodeType]:
    """Return the code of a function, of the functions inside, and of those of the same file that it
    names.
    """
    functions, codes = [answer], list[CodeType]()
    for function in functions:
        if not isinstance(function, FunctionType) or function.__globals__ is not answer.__globals__:
            continue
        constants: list[Any] = [function.__code__]
        for code in constants:
            if isinstance(code, CodeType) and code not in codes:
                codes.append(code)
                constants += code.co_consts
                functions += [function.__globals__.get(name) for name in code.co_names]
    return codes


def shared_in_loops(code: CodeType) -> Iterator[str]:
    """Yield the variables that a loop assigns and a function inside reads: when it runs, the loop
    may have gone on.
    """
    instructions = list(dis.get_instructions(code))
    loops = [(each.argval, each.offset) for each in instructions if "JUMP_BACKWARD" in each.opname]
    for each in instructions:
        is_in_a_loop = any(begin <= each.offset <= end for begin, end in loops)
        if is_in_a_loop and each.opname == "STORE_DEREF" and each.argval in code.co_cellvars:
            yield str(each.argval)


class _Stage:
    def __init__(self, job: Job):
        self.root, self.moves = job.tree.root, job.tree.root.children
        self.workers, self.order, mode = job.arguments[:3]
        self.is_interleaved = mode is True
        self.is_held = mode == HELD
        self.has_answered = False
        self.others = set(threading.enumerate())
        self.calls: list[Any] = []
        self.waiting: dict[threading.Thread, int] = {}  # the moves that are searched
        # At a comparison; how many searches had returned then
        self.held: dict[threading.Thread, int] = {}
        self.ended: list[tuple[threading.Thread, int, Number]] = []
        self.at_once = self.in_time = 0
        self.problem, self.is_over = "", False
        self.raised: BaseException | None = None  # by a thread of the answer

    def perform(self, answer: Callable[..., Any]) -> tuple[Any, str]:
        """Return what the answer returns and its problem, after all searches have ended."""
        self.main = threading.current_thread()
        result = outcome(answer, *self.arguments())
        self.has_answered = True
        self.in_time = len(self.ended)
        self._wait_for_turn()
        return result

    def arguments(self) -> tuple[Any, ...]:
        """Return what the answer is called with."""
        return (self.root, self.search, self.workers) if self.workers else (self.root, self.search)

    def note_error(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value:
            self.raised = self.raised or args.exc_value
            self.problem = self.problem or f"a thread raised {one_line(args.exc_value)}"

    def search(self, child: Node, *window: Number) -> Number:
        """Return the value of a child of the root, once the script lets it."""
        bounds = [bound for bound in map(plain, window) if bound is not None]
        if child not in self.moves or not len(bounds) == len(window) == (2 if self.workers else 0):
            expected = (
                "a child of the root, alpha and beta" if self.workers else "a child of the root"
            )
            self.problem = f"search was called with {', '.join(map(brief, (child, *window)))}; expected {expected}"
            raise AbvizError(self.problem)
        return self.value_of(self.moves.index(child), bounds)

    def value_of(self, move: int, bounds: list[Number]) -> Number:
        """Return the value of the move of that place, once the script lets it."""
        me, at_work = threading.current_thread(), self.at_work()
        value = fail_soft(self.moves[move], *(bounds or (-inf, inf)))
        # The value of another thread is known for certain if that has ended or searches again.
        known = [each for thread, _, each in [*self.ended] if thread is me or thread not in at_work]
        self.calls.append([move, bounds, known, me is not self.main])
        self.waiting[me] = move
        self._wait_for_turn()
        if self.is_held and len(self.ended) == len(self.moves) - 1:
            self._outlast()
        self.at_once = max(self.at_once, len(self.waiting))
        self.ended.append((me, move, value))
        del self.waiting[me]
        return _noticed(value, cache(self._hold)) if self.is_interleaved else value

    def _outlast(self) -> None:
        """Hold the last search back: an answer that only waits for a while returns before it does."""
        end = monotonic() + HOLD
        while monotonic() < end and not (self.has_answered or self.is_over):
            sleep(LOOK)

    def _hold(self) -> None:
        if self.waiting and not self.held:
            self.held[threading.current_thread()] = len(self.ended)
            self._wait_for_turn()
            self.held.clear()

    def _wait_for_turn(self) -> None:
        """Return when this thread is next, and all others wait or nothing has changed for a while."""
        before, looks = None, 0
        while True:
            sleep(LOOK)
            if self.is_over:
                raise SystemExit  # which ends a thread without a message
            # Before `at_work`, so that a thread that ends now still counts as at work
            following = self._following()
            now = len(self.calls), len(self.ended), len(self.held), self.at_work()
            looks = looks + 1 if now == before else 0
            before, left = now, len(self.moves) - len(self.ended)
            are_all_here = len(self.waiting) >= min(self.workers or left, left) and not now[-1]
            pause = (
                0
                if are_all_here
                else LONG_PAUSE
                if len(self.waiting) == 1 < left and not self.held
                else PAUSE
            )
            if following is threading.current_thread() and looks >= pause:
                return

    def _following(self) -> threading.Thread:
        waiting = dict(self.waiting)
        for thread, before in dict(self.held).items():
            if len(self.ended) > before or not waiting:
                return thread
        return min(waiting, key=lambda thread: self.order.index(waiting[thread]), default=self.main)

    def at_work(self) -> set[threading.Thread]:
        """Return the threads that the answer has started and that do not wait in a search."""
        return set(threading.enumerate()) - self.others - {self.main, *dict(self.waiting)}


class _CheckersStage(_Stage):
    """A stage for layer1(position, depth, search), whose position is one of checkers.

    Its moves and their values are those of the job's tree.
    """

    def __init__(self, job: Job):
        super().__init__(job)
        *_, fen, self.depth, self.is_staggered = job.arguments
        self.position = Checkers.from_fen(fen)
        self.after = {self.position.play(move.name): place for place, move in enumerate(self.moves)}

    def arguments(self) -> tuple[Any, ...]:
        position = _Gated(*self.position)
        position.stage = self
        return position, self.depth, self.search

    def search(self, after: Any, depth: Any, alpha: Any, beta: Any) -> Number:  # type: ignore[override]
        """Return the value of the position after a move, once the script lets it."""
        place = self.after.get(after) if isinstance(after, Checkers) else None
        bounds = [bound for bound in map(plain, (alpha, beta)) if bound is not None]
        if place is None or depth != self.depth - 1 or len(bounds) < 2:
            shown = after.fen if isinstance(after, Checkers) else brief(after)
            found = ", ".join([shown, *map(brief, (depth, alpha, beta))])
            expected = f"position.play(move), {self.depth - 1} (depth - 1), -inf, inf"
            self.problem = f"search was called with {found}; expected {expected}"
            raise AbvizError(self.problem)
        return self.value_of(place, bounds)

    def let_play(self) -> None:
        """In a staggered rehearsal, hold back the third thread until a search has returned: it may
        use its value.
        """
        me = threading.current_thread()
        if not self.is_staggered or me is self.main or len(self.calls) < 2:
            return
        while not self.ended and not self.is_over:
            sleep(LOOK)


class _Gated(Checkers):
    """A position that asks the stage before it plays a move."""

    stage: _CheckersStage

    def play(self, move: Any) -> Any:
        self.stage.let_play()
        return Checkers(*self).play(move)


def _noticed(value: Number, notice: Callable[[], Any]) -> Number:
    """Return the number as one that calls `notice` whenever it is compared."""

    def noticed(compare: Any) -> Any:
        return lambda self, other: (notice(), compare(self, other))[1]

    methods = {
        name: noticed(getattr(int, name)) for name in ("__lt__", "__le__", "__gt__", "__ge__")
    }
    return type("Score", (int,), methods)(value)  # type: ignore[no-any-return]


# the numbers that predict-speed-up gives


class RootCounts(NamedTuple):
    """Nodes that alpha-beta searches below each move of the root."""

    moves: tuple[str, ...]
    full: tuple[int, ...]  # each move with the full window, as root splitting does
    # As the sequential search does, with the window that the moves before have left
    narrowed: tuple[int, ...]

    def __repr__(self) -> str:
        rows = [self._fields, *zip(*self, strict=True), ("all", sum(self.full), sum(self.narrowed))]
        return "\n".join(f"{move:6} {full:>9} {narrowed:>9}" for move, full, narrowed in rows)


TIC_TAC_TOE = RootCounts(  # tic-tac-toe after a3 and b3, to the end; simulated
    ("c3", "a2", "b2", "c2", "a1", "b1", "c1"),
    (346, 338, 410, 512, 149, 738, 272),
    (346, 257, 211, 49, 84, 46, 85),
)


def root_counts(position: Any = None, depth: int = 7) -> RootCounts:
    """Return the nodes below each move of a position; without one, those of tic-tac-toe after a3
    and b3, to its end.
    """
    if position is None:
        return TIC_TAC_TOE
    from abviz.parallel import simulate

    full, narrowed = (
        simulate(position, depth, strategy=name, workers=1) for name in ("root", "sequential")
    )
    return RootCounts(
        full.moves, *(tuple(task.nodes for task in run.tasks) for run in (full, narrowed))
    )
