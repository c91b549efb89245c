"""A rehearsal: run a function that starts threads, with a `search` that follows a script.

A search blocks until the script lets it return. So every order in which searches can end is tried
on purpose, with Thread and with executors alike, and nothing is patched. One search returns at a
time, once every other thread waits in a search or has ended. A thread may do neither, as in a pool
or at a lock: then the next search returns once nothing has changed for a while. On a slow computer
a rehearsal may depart from its script, but the record says what happened.

Grading runs this module in another process, so it holds no reference answer; it has the numbers of
predict-speed-up.
"""

import dis
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import inf
from time import monotonic, sleep
from types import CodeType, FunctionType
from typing import NamedTuple

from abviz.capabilities import require_threads
from abviz.errors import AbvizError, Number, brief, one_line, plain
from abviz.exercises.observation import (
    LAYER1,
    Job,
    Observation,
    Plain,
    fail_soft,
    not_a_function,
    outcome,
)
from abviz.games.checkers import Checkers
from abviz.games.rules import AnyPosition
from abviz.recording.time_limit import TimeLimit, raise_in, run_with_timeout, settle
from abviz.tree.model import Node

LOOK = 0.0005  # seconds between two looks at the threads
# Looks in a row that find nothing changed, until a thread goes on although another is still at work
PAUSE = 40
LONG_PAUSE = 200  # such looks, until a single search is taken for all that there will be
SECONDS = 5.0  # until an answer is ended
HOLD = 1.2  # seconds that the last search takes where it is held


class Script(NamedTuple):
    """What a rehearsal follows: the arguments of its job."""

    workers: int  # 0 where the exercise sets no number
    order: Sequence[int]  # the moves, by their places, in the order in which their searches return

    # Whether the first thread that compares the value that it got is held until another search has
    # returned: without a lock, one of the two updates is lost
    interleaved: bool

    # Whether the last search takes much longer than all others: an answer that only waits for a
    # while returns before it does
    held: bool = False

    # Of layer1: the position of checkers, the depth, and whether the third thread is held back
    # until a search has returned
    fen: str = ""
    depth: int = 0
    staggered: bool = False


class Call(NamedTuple):
    """A call of `search`."""

    move: int  # its place
    window: Sequence[Number]  # α and β; empty where it has none
    known: Sequence[Number]  # the values that it can know
    is_in_thread: bool  # and not in the one that called the answer


class Details(NamedTuple):
    """What is observed in a rehearsal, apart from the value."""

    calls: Sequence[Call] = ()
    ended: Sequence[int] = ()  # the moves, in the order in which their searches returned
    at_once: int = 0  # the most searches under way at once
    in_time: int = 0  # how many had returned when the answer did
    shared: Sequence[str] = ()  # the variables of `shared_in_loops`


def run(answer: object, job: Job) -> Observation:
    """Run answer(root, search), answer(root, search, workers) or layer1(position, depth, search).

    The job's arguments are a `Script`; the details of the observation are `Details`.
    """
    return rehearse(answer, job)[0]


def rehearse(answer: object, job: Job) -> tuple[Observation, BaseException | None]:
    """Run the answer, as `run` does, and return what a thread of it has raised, too."""
    if not callable(answer):
        return not_a_function(answer), None

    require_threads("a rehearsal")
    stage = _CheckersStage(job) if job.how == LAYER1 else _Stage(job)
    hook = threading.excepthook
    threading.excepthook = stage.note_error
    try:
        value, problem = run_with_timeout(lambda: stage.perform(answer), SECONDS)
    except TimeLimit:
        value = None
        problem = f"it does not end, and was stopped after {SECONDS:g} seconds"
        stage.in_time = len(stage.ended)
        for thread in stage.at_work():
            raise_in(thread, SystemExit)
        settle()
    finally:
        stage.is_over = True
        threading.excepthook = hook

    details = Details(
        calls=stage.calls,
        ended=[move for _, move, _ in stage.ended],
        at_once=stage.at_once,
        in_time=stage.in_time,
        shared=sorted({name for code in all_code(answer) for name in shared_in_loops(code)}),
    )
    searched = tuple(call.move for call in stage.calls)
    observation = Observation(value, searched, stage.problem or problem, details)
    return observation, stage.raised


def all_code(answer: object) -> list[CodeType]:
    """Return the code of a function, and of those inside or in the same file that it names."""
    codes: list[CodeType] = []
    if not isinstance(answer, FunctionType):
        return codes

    functions: list[object] = [answer]
    for function in functions:
        if not isinstance(function, FunctionType) or function.__globals__ is not answer.__globals__:
            continue

        constants: list[object] = [function.__code__]
        for code in constants:
            if isinstance(code, CodeType) and code not in codes:
                codes.append(code)
                constants += code.co_consts
                functions += [function.__globals__.get(name) for name in code.co_names]
    return codes


def shared_in_loops(code: CodeType) -> Iterator[str]:
    """Yield the variables that a loop assigns and a function inside reads.

    When the function runs, the loop may have gone on.
    """
    instructions = list(dis.get_instructions(code))
    loops = [(each.argval, each.offset) for each in instructions if "JUMP_BACKWARD" in each.opname]
    for each in instructions:
        is_in_a_loop = any(begin <= each.offset <= end for begin, end in loops)
        if is_in_a_loop and each.opname == "STORE_DEREF" and each.argval in code.co_cellvars:
            yield str(each.argval)


class _Stage:
    """The searches of an answer, and whose turn it is to return."""

    def __init__(self, job: Job):
        self.script = Script(*job.arguments)
        self.root: Node = job.tree.root
        self.moves = self.root.children

        # The threads that are not the answer's
        self.others = set(threading.enumerate())

        # By thread: the move that it searches; and, of one that is held at a comparison, how many
        # searches had returned then
        self.waiting: dict[threading.Thread, int] = {}
        self.held: dict[threading.Thread, int] = {}

        # What is observed; of each search that has returned its thread, its move and its value
        self.calls: list[Call] = []
        self.ended: list[tuple[threading.Thread, int, Number]] = []
        self.at_once = 0
        self.in_time = 0
        self.problem = ""
        self.raised: BaseException | None = None  # by a thread of the answer

        self.has_answered = False
        self.is_over = False

    def perform(self, answer: Callable[..., object]) -> tuple[Plain, str]:
        """Return what the answer returns and its problem, after all searches have ended."""
        self.main = threading.current_thread()
        result = outcome(answer, *self.arguments())
        self.has_answered = True
        self.in_time = len(self.ended)
        self._wait_for_turn()
        return result

    def arguments(self) -> tuple[object, ...]:
        """Return what the answer is called with."""
        if self.script.workers:
            return self.root, self.search, self.script.workers
        return self.root, self.search

    def note_error(self, args: threading.ExceptHookArgs) -> None:
        """Note what a thread has raised, if it is the first."""
        if args.exc_value:
            self.raised = self.raised or args.exc_value
            self.problem = self.problem or f"a thread raised {one_line(args.exc_value)}"

    def search(self, child: Node, *window: Number) -> Number:
        """Return the value of a child of the root, once the script lets it."""
        bounds = [bound for bound in map(plain, window) if bound is not None]
        expected, expected_bounds = "a child of the root", 0
        if self.script.workers:
            expected, expected_bounds = "a child of the root, alpha and beta", 2

        are_bounds_right = len(bounds) == len(window) == expected_bounds
        if child not in self.moves or not are_bounds_right:
            raise self.wrong_call((child, *window), expected)
        return self.value_of(self.moves.index(child), bounds)

    def wrong_call(self, arguments: Sequence[object], expected: str) -> AbvizError:
        """Return the error of a call of `search` with these arguments, and note it."""
        found = ", ".join(
            each.fen if isinstance(each, Checkers) else brief(each) for each in arguments
        )
        self.problem = f"search was called with {found}; expected {expected}"
        return AbvizError(self.problem)

    def value_of(self, move: int, bounds: list[Number]) -> Number:
        """Return the value of the move of that place, once the script lets it."""
        me = threading.current_thread()
        at_work = self.at_work()
        value = fail_soft(self.moves[move], *(bounds or (-inf, inf)))

        # The value of another thread is known for certain if that has ended or searches again
        known = [each for thread, _, each in [*self.ended] if thread is me or thread not in at_work]
        self.calls.append(
            Call(move=move, window=bounds, known=known, is_in_thread=me is not self.main)
        )

        self.waiting[me] = move
        self._wait_for_turn()
        if self.script.held and len(self.ended) == len(self.moves) - 1:
            self._outlast()
        self.at_once = max(self.at_once, len(self.waiting))
        self.ended.append((me, move, value))
        del self.waiting[me]

        if self.script.interleaved:
            return _noticed(value, cache(self._hold))
        return value

    def _outlast(self) -> None:
        """Hold the last search back, until the answer has returned or a while has passed."""
        end = monotonic() + HOLD
        while monotonic() < end and not (self.has_answered or self.is_over):
            sleep(LOOK)

    def _hold(self) -> None:
        """Hold the first thread that compares its value, until another search has returned."""
        if self.waiting and not self.held:
            self.held[threading.current_thread()] = len(self.ended)
            self._wait_for_turn()
            self.held.clear()

    def _wait_for_turn(self) -> None:
        """Return when this thread is next, and all others wait or nothing changes for a while."""
        before = None
        looks = 0
        while True:
            sleep(LOOK)
            if self.is_over:
                raise SystemExit  # which ends a thread without a message

            # Before `at_work`, so that a thread that ends now still counts as at work
            following = self._following()
            now = len(self.calls), len(self.ended), len(self.held), self.at_work()
            *_, at_work = now

            looks = looks + 1 if now == before else 0
            before = now

            is_next = following is threading.current_thread()
            if is_next and looks >= self._pause(are_at_work=bool(at_work)):
                return

    def _pause(self, are_at_work: bool) -> int:
        """Return after how many looks without a change the next thread goes on."""
        left = len(self.moves) - len(self.ended)
        expected = min(self.script.workers or left, left)
        if len(self.waiting) >= expected and not are_at_work:
            return 0

        is_alone = len(self.waiting) == 1 < left and not self.held
        return LONG_PAUSE if is_alone else PAUSE

    def _following(self) -> threading.Thread:
        """Return the thread that goes on next."""
        waiting = dict(self.waiting)
        for thread, before in dict(self.held).items():
            if len(self.ended) > before or not waiting:
                return thread

        def turn(thread: threading.Thread) -> int:
            return self.script.order.index(waiting[thread])

        return min(waiting, key=turn, default=self.main)

    def at_work(self) -> set[threading.Thread]:
        """Return the threads that the answer has started and that do not wait in a search."""
        return set(threading.enumerate()) - self.others - {self.main, *dict(self.waiting)}


class _CheckersStage(_Stage):
    """A stage for layer1(position, depth, search), whose position is one of checkers.

    Its moves and their values are those of the job's tree.
    """

    def __init__(self, job: Job):
        super().__init__(job)
        self.position = Checkers.from_fen(self.script.fen)
        self.after = {self.position.play(move.name): place for place, move in enumerate(self.moves)}

    def arguments(self) -> tuple[object, ...]:
        position = _Gated(*self.position)
        position.stage = self
        return position, self.script.depth, self.search

    def search(  # type: ignore[override]
        self, after: object, depth: object, alpha: object, beta: object
    ) -> Number:
        """Return the value of the position after a move, once the script lets it."""
        place = self.after.get(after) if isinstance(after, Checkers) else None
        bounds = [bound for bound in map(plain, (alpha, beta)) if bound is not None]
        below = self.script.depth - 1
        if place is None or depth != below or len(bounds) < 2:
            expected = f"position.play(move), {below} (depth - 1), -inf, inf"
            raise self.wrong_call((after, depth, alpha, beta), expected)
        return self.value_of(place, bounds)

    def let_play(self) -> None:
        """In a staggered rehearsal, hold back the third thread until a search has returned.

        So it may use its value.
        """
        is_main = threading.current_thread() is self.main
        if not self.script.staggered or is_main or len(self.calls) < 2:
            return
        while not self.ended and not self.is_over:
            sleep(LOOK)


class _Gated(Checkers):
    """A position that asks the stage before it plays a move."""

    stage: _CheckersStage

    def play(self, move: int) -> Checkers:
        self.stage.let_play()
        return Checkers(*self).play(move)


Comparison = Callable[[int, int], bool]


def _noticed(value: Number, notice: Callable[[], object]) -> Number:
    """Return the number as one that calls `notice` whenever it is compared."""

    def noticed(compare: Comparison) -> Comparison:
        def method(self: int, other: int) -> bool:
            notice()
            return compare(self, other)

        return method

    comparisons = "__lt__", "__le__", "__gt__", "__ge__"
    methods = {name: noticed(getattr(int, name)) for name in comparisons}
    score: Number = type("Score", (int,), methods)(value)
    return score


# the numbers that predict-speed-up gives


class RootCounts(NamedTuple):
    """Nodes that alpha-beta searches below each move of the root."""

    moves: tuple[str, ...]

    # Each move with the full window, as root splitting searches it; or, as the sequential search
    # does, with the window that the moves before have left
    full: tuple[int, ...]
    narrowed: tuple[int, ...]

    def __repr__(self) -> str:
        rows = [self._fields, *zip(*self, strict=True), ("all", sum(self.full), sum(self.narrowed))]
        return "\n".join(f"{move:6} {full:>9} {narrowed:>9}" for move, full, narrowed in rows)


# Tic-tac-toe after a3 and b3, to the end; simulated
TIC_TAC_TOE = RootCounts(
    moves=("c3", "a2", "b2", "c2", "a1", "b1", "c1"),
    full=(346, 338, 410, 512, 149, 738, 272),
    narrowed=(346, 257, 211, 49, 84, 46, 85),
)


def root_counts(position: AnyPosition = None, depth: int = 7) -> RootCounts:
    """Return the nodes below each move of a position.

    Without a position, they are those of tic-tac-toe after a3 and b3, to its end.
    """
    if position is None:
        return TIC_TAC_TOE

    from abviz.parallel import simulate

    full = simulate(position, depth, strategy="root", workers=1)
    narrowed = simulate(position, depth, strategy="sequential", workers=1)
    return RootCounts(
        moves=full.moves,
        full=tuple(task.nodes for task in full.tasks),
        narrowed=tuple(task.nodes for task in narrowed.tasks),
    )
