"""The exercises on threads: split-root, race, predict-speed-up, share-alpha and layer1.

An answer is rehearsed on small trees, its searches released in every order (see `rehearsal`), so
that the verdict is the same every time. A correct value is not enough: each move must be searched
once, in a thread of its own, with several searches under way; the answer must wait for all of them,
and α must be passed on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import inf
from operator import itemgetter
from threading import Thread
from typing import Any, ClassVar

from abviz.errors import AbvizError, brief, number
from abviz.exercises.exercise import SECONDS, DataExercise, Mistake
from abviz.exercises.judgement import (
    Difference,
    Faults,
    FunctionExercise,
    Judgement,
    Run,
    Runs,
    mistake,
)
from abviz.exercises.observation import LAYER1, RETURNED, Job, Observation, fail_soft, observe
from abviz.exercises.papers import PaperExercise, parse_tree
from abviz.exercises.rehearsal import HELD, rehearse, root_counts
from abviz.exercises.verdict import RIGHT, WRONG, Verdict, nested
from abviz.games.checkers import Checkers
from abviz.games.rules import WIN
from abviz.recording.time_limit import TimeLimit
from abviz.tree.model import Tree

WORKERS = 3  # in predict-speed-up


def jobs(
    row: Sequence[Any],
    *orders: Sequence[int],
    workers: int = 0,
    interleaved: bool = False,
    held: bool = False,
) -> list[Job]:
    """Return the tree with MAX to move and its mirror image with MIN to move, in these orders of
    ending or in all.
    """

    def negated(value: Any) -> Any:
        return [negated(each) for each in value] if isinstance(value, list) else -value

    rows = {"max": row, "min": negated(row)}
    trees = [
        Tree(dict(zip("ABCDE", values, strict=False)), to_move=player)
        for player, values in rows.items()
    ]
    every = orders or tuple(permutations(range(len(row))))
    mode = HELD if held else interleaved
    return [Job(tree, (workers, order, mode), "threads") for tree in trees for order in every]


class Rehearsal:
    """The behavior of an answer on a tree, when its searches end in the order of a script."""

    def __init__(self, job: Job, seen: Observation):
        self.tree, self.is_max = job.tree, job.tree.root.is_max
        self.workers, _, mode = job.arguments[:3]
        self.is_interleaved = mode is True
        self.answer, self.problem = (
            tuple(seen.value) if isinstance(seen.value, list) else seen.value,
            seen.problem,
        )
        self.position = job.arguments[3] if job.how == LAYER1 else ""  # of checkers, as FEN
        details: tuple[list[Any], list[int], int, int, list[str]] = seen.details or (
            [],
            [],
            0,
            0,
            [],
        )
        self.calls, self.ended, self.at_once, self.in_time, self.shared = details
        moves = job.tree.root.children
        self.results: list[Any] = [(move.name, fail_soft(move, -inf, inf)) for move in moves]
        self.names = [name for name, _ in self.results]
        self.expected = self.answered(self.best(self.results))
        # What the searches have returned: in a window, it may be only a bound.
        windows = {call[0]: call[1] or (-inf, inf) for call in self.calls}
        self.returned = [
            (move.name, fail_soft(move, *windows.get(number, (-inf, inf))))
            for number, move in enumerate(moves)
        ]
        self.fault, self.mistake = self._fault()

    def best(self, results: Iterable[Any]) -> Any:
        """Return the first of the best results; each is a move and its value."""
        return (max if self.is_max else min)(results, key=itemgetter(1), default=None)

    def answered(self, result: Any) -> Any:
        """Return what the exercise asks for of a move and its value."""
        return result[0] if self.position and result else result

    def _fault(self) -> tuple[str, str]:
        """Return what is wrong, and the known mistake; "" for none, CHOICE where other runs have to
        tell.
        """
        names, answer, expected = (
            self.names,
            f"it returns {brief(self.answer)}",
            f"; expected {brief(self.expected)}",
        )
        searched = sorted(call[0] for call in self.calls)
        others = ", ".join(names[move] for move in searched) or "no move"
        others = f"it searches {others}; expected each of {', '.join(names)} once"

        if len(self.ended) > self.in_time:
            return f"{self.problem or answer}, before its threads have ended", "no join"
        if self._is_late(searched):
            return others, LATE
        if self.problem:
            is_late = (
                bool(self.shared) and "TypeError" in self.problem and "NoneType" in self.problem
            )
            return self.problem + expected * self.problem.startswith(
                RETURNED
            ), LATE if is_late else ""
        if not all(call[-1] for call in self.calls):
            return "it searches in the thread that called it", "no threads"
        if searched != list(range(len(names))):
            return others, ""
        if self.at_once < 2 < len(names):  # of two moves, one alone may give α to the other
            return (
                "its searches come one after the other; expected several at once",
                "one after the other",
            )
        if 0 < self.workers < self.at_once:
            many = f"{self.at_once} searches are under way at once; expected at most {self.workers}, the workers"
            return many, "a thread for each move"
        if self.answer != self.expected:
            return answer + expected, "no lock" if self.is_interleaved else CHOICE

        for move, (low, high), *_ in self.calls if self.position else ():
            if not (low <= -WIN and high >= WIN):
                words = f"{names[move]} is searched with the window ({number(low)}, {number(high)})"
                is_shared = len({tuple(call[1]) for call in self.calls}) > 1
                known = "a shared window" if is_shared else ""
                return f"{words}; expected (−∞, ∞) in each thread", known

        for move, (low, high), known, _ in self.calls if self.workers else ():
            best = self.best(enumerate(known))  # of the values that this search could know
            gap = 0 if best is None else best[1] - low if self.is_max else high - best[1]
            if gap > 1:  # one less leaves room for a tie
                words = f"{names[move]} is searched with the window ({number(low)}, {number(high)})"
                full = (
                    "no lock"
                    if self.is_interleaved
                    else "full window for every move"
                    if gap == inf
                    else ""
                )
                return f"{words}, although a search has returned {number(best[1])}", full
        return "", ""

    def _is_late(self, searched: Sequence[int]) -> bool:
        """Return whether the last move takes the place of others, and a loop's variable is shared."""
        last = len(self.names) - 1
        is_last_repeated = searched.count(last) > 1 and len(set(searched)) <= last
        return is_last_repeated and len(searched) > last and bool(self.shared)

    def choose(self, way: str) -> Any:
        """Return the answer of a known mistake in the choice of the move, after the same searches."""
        if not self.ended:
            return None
        as_ended = [self.returned[move] for move in self.ended]
        values = [value for _, value in as_ended]
        ways: dict[str, Callable[[], Any]] = {
            "by the bounds": lambda: self.best(self.returned),
            "first to end": lambda: self.best(as_ended),
            "last to end": lambda: self.best(as_ended[::-1]),
            "last in order": lambda: self.best(self.returned[::-1]),
            "newest": lambda: as_ended[-1],
            "largest": lambda: max(self.returned, key=itemgetter(1)),
            "as stored": lambda: self.best(zip(self.names, values, strict=False)),
            "last place": lambda: (self.names[-1], values[-1]) if self.shared else None,
        }
        return self.answered(ways[way]())

    def story(self) -> str:
        """Return the tree and the order of events, in words."""
        values = ", ".join(f"{child.name} = {nested(child)}" for child in self.tree.root.children)
        order = ", then ".join(self.names[move] for move in self.ended)
        ends = f" (the searches end in the order {order})" if order else ""
        player = "MAX" if self.is_max else "MIN"
        if self.position:
            player, at = "Black" if self.is_max else "White", f"In {self.position}, with"
        else:
            at = "With"
        return f"{at} {values} and {player} to move{ends}"


LATE = "same variable for all threads"
CHOICE = "a choice"
# Known mistakes that show in the choice of the move, and the ways of `Rehearsal.choose`
CHOICES = {
    "no room for ties": ("by the bounds",),
    "tie decided by the order of finishing": ("first to end", "last to end"),
    "last of equal moves": ("last in order",),
    "last one to finish wins": ("newest",),
    "MAX assumed at the root": ("largest",),
    "results in the order of finishing": ("as stored",),
    LATE: ("last place",),
}


@dataclass(frozen=True, eq=False, repr=False)
class ThreadExercise(FunctionExercise):
    """An exercise that asks for a function of (root, search), (root, search, workers) or (position,
    depth, search).
    """

    name: str
    jobs: list[Job]
    batch: ClassVar[int] = 1  # a rehearsal that is given up takes seconds
    repeated: ClassVar[int] = 0  # on a busy computer it may go another way

    def trials(self) -> Sequence[Sequence[Job]]:
        return [self.jobs]

    def sample(self) -> Sequence[Job]:
        return [job for job in self.jobs if not job.arguments[2]]

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        return [mistake(name, [{"way": way} for way in ways]) for name, ways in CHOICES.items()]

    def read(self, job: Job, run: Observation) -> Observation:
        return replace(run, details=Rehearsal(job, run))

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        known = run.details.mistake
        if known == CHOICE:
            return None
        return [mistake(known)] if known else []

    def behaves(self, job: Job, run: Observation, /, **faults: str) -> bool:
        rehearsal = run.details
        return bool(rehearsal.is_interleaved or rehearsal.answer == rehearsal.choose(faults["way"]))

    def explains(self, log: Sequence[Run], faults: Faults) -> bool:
        """Return whether the mistake does the same in all these runs but one: a busy computer may
        hold up a thread.
        """
        return sum(not self.behaves(*each, **faults) for each in log) <= 1

    def difference(self, job: Job, run: Observation) -> Difference | None:
        return Difference(f"{run.details.fault}.") if run.details.fault else None

    def where(self, job: Job, run: Observation) -> str:
        return str(run.details.story())

    def praise(self, runs: Runs) -> str:
        return f"It is right in {len(runs)} rehearsals, whichever thread ends first."

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        # Each ends by itself
        return Judgement(self, lambda jobs: (observe(answer, job) for job in jobs)).verdict()


SPLIT_ROOT = ThreadExercise(
    "split-root",
    [
        # Without ties, so that other mistakes are not taken for one
        *jobs([2, 0, 1], (1, 2, 0), (2, 1, 0), (0, 1, 2)),
        *jobs([1, 2, 2]),
        *jobs([[3, 5], [4, 6], [4, 9], [2, 7]], (1, 3, 0, 2)),
        *jobs([0, 1, 2], (0, 1, 2), (0, 2, 1), interleaved=True),
        # One is enough: it takes a second
        *jobs([0, 1, 2], (0, 1, 2), held=True)[:1],
    ],
)
SHARE_ALPHA = ThreadExercise(
    "share-alpha",
    [
        *jobs([2, 0, 1, 1], (0, 1, 2, 3), (1, 3, 0, 2), workers=2),
        *jobs([1, 2, 2], workers=2),
        # α at or above the best so far: a worse move, searched later, returns as much
        *jobs([[1, 0], [1, 0], [1, 2]], (2, 1, 0), (2, 0, 1), workers=2),
        *jobs([[1, 3], [1, 3], [2, 0]], (0, 1, 2), (1, 0, 2), workers=2),
        *(
            job
            for row in ([[1, 0], [1, 2]], [[1, 2], [1, 3]], [[1, 2], [0, 3]])
            for job in jobs(row, workers=2)
        ),
        *jobs([0, 1, 2, 0, 0], (0, 1, 2, 3, 4), workers=2, interleaved=True),
        *jobs([0, 1, 2], (0, 1, 2), workers=2, held=True)[:1],
    ],
)

# layer1: three moves for each side, and the values that the searches return

BLACK_TO_MOVE, WHITE_TO_MOVE = "B:W32:B1,4", "W:W29,32:B1"
LAYER1_DEPTH = 6


def layer1_jobs(
    values: Sequence[int],
    *orders: Sequence[int],
    interleaved: bool = False,
    held: bool = False,
    staggered: bool = False,
) -> list[Job]:
    """Return the positions, with these values of Black's moves, negated for White, in these orders
    of ending.
    """
    made = []
    for fen, sign, to_move in ((BLACK_TO_MOVE, 1, "max"), (WHITE_TO_MOVE, -1, "min")):
        position: Any = Checkers.from_fen(fen)
        moves = position.moves()
        worth = {move: sign * value for move, value in zip(moves, values, strict=True)}
        tree = Tree(worth, to_move=to_move)
        for order in orders or permutations(range(len(moves))):
            mode = HELD if held else interleaved
            made.append(Job(tree, (0, order, mode, fen, LAYER1_DEPTH, staggered), LAYER1))
    return made


LAYER1_EXERCISE = ThreadExercise(
    LAYER1,
    [
        *layer1_jobs([2, 0, 1], (1, 2, 0), (2, 1, 0), (0, 1, 2)),
        *layer1_jobs([1, 2, 2]),
        *layer1_jobs([2, 2, 1], (1, 0, 2), (2, 1, 0)),
        *layer1_jobs([0, 1, 2], (0, 1, 2), (0, 2, 1), interleaved=True),
        *layer1_jobs([1, 0, 2], (0, 1, 2), (1, 0, 2), staggered=True),
        *layer1_jobs([0, 1, 2], (0, 1, 2), held=True)[:1],
    ],
)


# race


def hurried_split_root(root: Any, search: Any) -> Any:
    """Search each move in a thread, and return the best. It has passed every test so far."""
    best: Any = None

    def search_move(child: Any) -> None:
        nonlocal best
        before = best
        value = search(child)
        if before is None or (value > before[1] if root.is_max else value < before[1]):
            best = child.name, value

    threads = [Thread(target=search_move, args=(child,)) for child in root.children]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return best


def in_order(function: Any, tree: Any, order: Sequence[Any]) -> Any:
    """Return what a function of (root, search) returns if all its threads begin, and then end in
    this order.

    Raises what the function raises, or else what one of its threads has raised.

    >>> in_order(hurried_split_root, [3, 5], ["a2", "a1"])
    ('a1', 3)
    """
    returned: list[Any] = []
    raised: list[BaseException] = []

    def watched(*arguments: Any) -> Any:
        try:
            returned.append(function(*arguments))
        except BaseException as problem:
            raised.append(problem)
            raise
        return returned[0]

    job = _in_order(tree, order)
    if not callable(function):
        raise AbvizError(f"The function is {brief(function)}; expected one of (root, search)")
    run, raised_in_thread = rehearse(watched, job)
    if raised and not isinstance(raised[0], TimeLimit):
        raise raised[0]
    if raised_in_thread is not None:
        raise raised_in_thread
    if not returned:
        raise AbvizError(f"{getattr(function, '__name__', brief(function))}: {run.problem}")
    return returned[0]


def _in_order(tree: Any, order: Any) -> Job:
    tree = parse_tree(tree)
    names = [child.name for child in tree.root.children]
    if not isinstance(order, list | tuple) or sorted(map(str, order)) != sorted(names):
        raise AbvizError(
            f"The order is {brief(order)}; expected each of {names} once, the first to end first"
        )
    return Job(tree, (0, [names.index(str(name)) for name in order], False), "threads")


class Race(DataExercise):
    """The answer is (tree, order of ending) on which `hurried_split_root` is wrong."""

    name = "race"

    def mark(self, answer: Any) -> Verdict:
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            expected = 'expected a tree and an order, such as ([3, 5], ["a1", "a2"])'
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")
        job = _in_order(*answer)
        run = Rehearsal(job, observe(hurried_split_root, job))
        message = (
            f"{run.story()} it returns {brief(run.answer)}, and the best is {brief(run.expected)}."
        )
        if run.answer == run.expected:
            return self.verdict(WRONG, f"{message} {self.hints[1]}", tree=run.tree)
        return self.verdict(
            RIGHT, f"{message} The result of {run.expected[0]} was overwritten.", tree=run.tree
        )


# predict-speed-up


def makespan(nodes: Sequence[int]) -> int:
    """Return when the last of WORKERS ends, if each move in its turn goes to the worker that is
    free first.
    """
    ends = [0] * WORKERS
    for each in nodes:
        ends[ends.index(min(ends))] += each
    return max(ends)


COUNTS = root_counts()
SEQUENTIAL = sum(COUNTS.narrowed)
# The right one, and those of the known mistakes
SPEED_UPS: dict[str, Callable[[Sequence[int]], float]] = {
    "right": lambda nodes: SEQUENTIAL / makespan(nodes),
    "as many times as workers": lambda nodes: WORKERS,
    "compared with itself": lambda nodes: sum(nodes) / makespan(nodes),
    "perfect balance": lambda nodes: SEQUENTIAL * WORKERS / sum(nodes),
}

RACE = Race()
PREDICT_SPEED_UP = PaperExercise(
    "predict-speed-up",
    lambda: Tree(dict(zip(COUNTS.moves, COUNTS.full, strict=True))),
    lambda tree, taken="right": {
        (name,): SPEED_UPS[taken](getattr(COUNTS, name)) for name in ("full", "narrowed")
    },
)
THREADS = (SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA, LAYER1_EXERCISE)
