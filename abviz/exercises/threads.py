"""The exercises on threads: split-root, race, predict-speed-up, share-alpha and layer1.

An answer is rehearsed on small trees, its searches released in every order (see `rehearsal`), so
that the verdict is the same every time. A correct value is not enough: each move must be searched
once, in a thread of its own, with several searches under way. The answer must wait for all of them,
and α must be passed on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import inf
from threading import Thread
from typing import Any, ClassVar, NamedTuple

from abviz.errors import AbvizError, Number, brief, number
from abviz.exercises.exercise import SECONDS, SWITCHES, DataExercise, Mistake
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
from abviz.exercises.papers import Filled, PaperExercise, parse_tree
from abviz.exercises.rehearsal import Call, Details, Script, rehearse, root_counts
from abviz.exercises.verdict import RIGHT, WRONG, Verdict, nested
from abviz.games.checkers import Checkers
from abviz.games.rules import WIN, AnyPosition
from abviz.recording.time_limit import TimeLimit
from abviz.tree.model import Node, Tree

WORKERS = 3  # in predict-speed-up


# The value of a leaf, or those of the children of a node.
Nested = int | list["Nested"]


def jobs(
    row: list[Nested],
    *orders: Sequence[int],
    workers: int = 0,
    interleaved: bool = False,
    held: bool = False,
) -> list[Job]:
    """Return the tree with MAX to move and its mirror image with MIN to move.

    Both are rehearsed in these orders of ending, or in all.
    """

    def negated(values: list[Nested]) -> list[Nested]:
        return [negated(each) if isinstance(each, list) else -each for each in values]

    jobs = []
    for to_move, values in (("max", row), ("min", negated(row))):
        tree = Tree(dict(zip("ABCDE", values, strict=False)), to_move=to_move)
        for order in orders or permutations(range(len(row))):
            script = Script(workers=workers, order=order, interleaved=interleaved, held=held)
            jobs.append(Job(tree, script, "threads"))
    return jobs


class Fault(NamedTuple):
    """What is wrong with an answer in a rehearsal."""

    message: str

    # The name of a known mistake; CHOICE where other runs have to tell; "" where it has no name
    mistake: str = ""


Result = tuple[str, Number]  # a move and its value


class Rehearsal:
    """The behavior of an answer on a tree, when its searches end in the order of a script."""

    def __init__(self, job: Job, seen: Observation):
        script = Script(*job.arguments)
        self.tree: Tree = job.tree
        self.is_max = self.tree.root.is_max
        self.workers = script.workers
        self.is_interleaved = script.interleaved
        self.position = script.fen  # of checkers; "" for a tree

        # What the answer has done
        self.answer = tuple(seen.value) if isinstance(seen.value, list) else seen.value
        self.problem = seen.problem
        self.seen = Details(*(seen.details or ()))
        self.calls = [Call(*call) for call in self.seen.calls]

        # What it should return
        moves = self.tree.root.children
        self.names = [move.name for move in moves]
        results: list[Result] = [(move.name, fail_soft(move, -inf, inf)) for move in moves]
        self.expected = self.answered(self.best(results))

        # What its searches have returned: in a window, it may be only a bound
        windows = {call.move: call.window or (-inf, inf) for call in self.calls}
        self.returned: list[Result] = []
        for place, move in enumerate(moves):
            alpha, beta = windows.get(place, (-inf, inf))
            self.returned.append((move.name, fail_soft(move, alpha, beta)))

        self.fault = self._fault()

    def best(self, results: Iterable[Result]) -> Result | None:
        """Return the first of the best results."""
        best = max if self.is_max else min
        return best(results, key=value_of, default=None)

    def answered(self, result: Result | None) -> Result | str | None:
        """Return what the exercise asks for of a move and its value."""
        return result[0] if self.position and result else result

    def _fault(self) -> Fault | None:
        """Return what is wrong, if anything: the first of these that is."""
        return (
            self._fault_of_ending()
            or self._fault_of_searches()
            or self._fault_of_answer()
            or self._fault_of_windows()
        )

    def _fault_of_ending(self) -> Fault | None:
        """Return what is wrong with the way in which the answer ends."""
        returns = f"it returns {brief(self.answer)}"
        if len(self.seen.ended) > self.seen.in_time:
            return Fault(f"{self.problem or returns}, before its threads have ended", "no join")

        if self._is_late():
            return Fault(self._other_searches(), LATE)
        if not self.problem:
            return None

        message = self.problem
        if message.startswith(RETURNED):
            message = f"{message}; expected {brief(self.expected)}"
        has_called_none = "TypeError" in message and "NoneType" in message
        return Fault(message, LATE if self.seen.shared and has_called_none else "")

    def _fault_of_searches(self) -> Fault | None:
        """Return what is wrong with the searches: which there are, and in which threads."""
        if not all(call.is_in_thread for call in self.calls):
            return Fault("it searches in the thread that called it", "no threads")

        if self._searched() != list(range(len(self.names))):
            return Fault(self._other_searches())

        at_once = self.seen.at_once
        if at_once < 2 < len(self.names):  # of two moves, one alone may give α to the other
            message = "its searches come one after the other; expected several at once"
            return Fault(message, "one after the other")

        if 0 < self.workers < at_once:
            found = f"{at_once} searches are under way at once"
            message = f"{found}; expected at most {self.workers}, the workers"
            return Fault(message, "a thread for each move")
        return None

    def _fault_of_answer(self) -> Fault | None:
        """Return what is wrong with the value that the answer returns."""
        if self.answer == self.expected:
            return None
        message = f"it returns {brief(self.answer)}; expected {brief(self.expected)}"
        return Fault(message, "no lock" if self.is_interleaved else CHOICE)

    def _fault_of_windows(self) -> Fault | None:
        """Return what is wrong with the windows of the searches, where they have one."""
        for call in self.calls if self.position else ():
            low, high = call.window
            if low > -WIN or high < WIN:
                message = f"{self._with_window(call)}; expected (−∞, ∞) in each thread"
                is_shared = len({tuple(each.window) for each in self.calls}) > 1
                return Fault(message, "a shared window" if is_shared else "")

        for call in self.calls if self.workers else ():
            best = self._best_known(call)
            if best is None:
                continue
            low, high = call.window
            gap = best - low if self.is_max else high - best
            if gap <= 1:  # one less leaves room for a tie
                continue

            name = ""
            if self.is_interleaved:
                name = "no lock"
            elif gap == inf:
                name = "full window for every move"
            found = f"although a search has returned {number(best)}"
            return Fault(f"{self._with_window(call)}, {found}", name)
        return None

    def _searched(self) -> list[int]:
        return sorted(call.move for call in self.calls)

    def _other_searches(self) -> str:
        """Return which moves are searched, and which are expected."""
        searched = ", ".join(self.names[move] for move in self._searched())
        return f"it searches {searched or 'no move'}; expected each of {', '.join(self.names)} once"

    def _with_window(self, call: Call) -> str:
        low, high = map(number, call.window)
        return f"{self.names[call.move]} is searched with the window ({low}, {high})"

    def _best_known(self, call: Call) -> Number | None:
        """Return the best of the values that a search could know when it began."""
        best = max if self.is_max else min
        return best(call.known, default=None)

    def _is_late(self) -> bool:
        """Return whether the last move replaces others, and a loop's variable is shared."""
        searched = self._searched()
        last = len(self.names) - 1
        is_last_repeated = searched.count(last) > 1 and len(set(searched)) <= last
        return is_last_repeated and len(searched) > last and bool(self.seen.shared)

    def choose(self, way: str) -> Result | str | None:
        """Return the answer of a known mistake in the choice of the move.

        The searches are the same.
        """
        if not self.seen.ended:
            return None

        as_ended = [self.returned[move] for move in self.seen.ended]
        values = [value for _, value in as_ended]
        chosen: Result | None = None
        match way:
            case "by the bounds":
                chosen = self.best(self.returned)
            case "first to end":
                chosen = self.best(as_ended)
            case "last to end":
                chosen = self.best(reversed(as_ended))
            case "last in order":
                chosen = self.best(reversed(self.returned))
            case "newest":
                chosen = as_ended[-1]
            case "largest":
                chosen = max(self.returned, key=value_of)
            case "as stored":
                chosen = self.best(zip(self.names, values, strict=False))
            case "last place":
                if self.seen.shared:
                    chosen = self.names[-1], values[-1]
            case _:
                raise ValueError(f"there is no way {way!r} to choose a move")
        return self.answered(chosen)

    def story(self) -> str:
        """Return the tree and the order of events, in words."""
        values = ", ".join(f"{child.name} = {nested(child)}" for child in self.tree.root.children)
        order = ", then ".join(self.names[move] for move in self.seen.ended)
        ends = f" (the searches end in the order {order})" if order else ""

        if self.position:
            player = "Black" if self.is_max else "White"
            return f"In {self.position}, with {values} and {player} to move{ends}"

        player = "MAX" if self.is_max else "MIN"
        return f"With {values} and {player} to move{ends}"


def value_of(result: Result) -> Number:
    _, value = result
    return value


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
    """An exercise that asks for a function with threads.

    It is called with (root, search), (root, search, workers) or (position, depth, search).
    """

    name: str
    jobs: list[Job]
    needs_threads: ClassVar[bool] = True
    batch: ClassVar[int] = 1  # a rehearsal that is given up takes seconds
    repeated: ClassVar[int] = 0  # on a busy computer it may go another way

    def trials(self) -> Sequence[Sequence[Job]]:
        return [self.jobs]

    def sample(self) -> Sequence[Job]:
        sample = []
        for job in self.jobs:
            script = Script(*job.arguments)
            if not script.interleaved and not script.held:
                sample.append(job)
        return sample

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        return [mistake(name, [{"way": way} for way in ways]) for name, ways in CHOICES.items()]

    def read(self, job: Job, run: Observation) -> Observation:
        return replace(run, details=Rehearsal(job, run))

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        fault = run.details.fault
        if fault and fault.mistake == CHOICE:
            return None
        return [mistake(fault.mistake)] if fault and fault.mistake else []

    def behaves(self, job: Job, run: Observation, /, **faults: str) -> bool:
        rehearsal = run.details
        return bool(rehearsal.is_interleaved or rehearsal.answer == rehearsal.choose(faults["way"]))

    def explains(self, log: Sequence[Run], faults: Faults) -> bool:
        """Return whether the mistake does the same in all these runs but one.

        A busy computer may hold up a thread.
        """
        others = sum(not self.behaves(*each, **faults) for each in log)
        return others <= 1

    def difference(self, job: Job, run: Observation) -> Difference | None:
        fault = run.details.fault
        return Difference(f"{fault.message}.") if fault else None

    def where(self, job: Job, run: Observation) -> str:
        rehearsal: Rehearsal = run.details
        return rehearsal.story()

    def praise(self, runs: Runs) -> str:
        return f"It is right in {len(runs)} rehearsals, whichever thread ends first."

    def check(self, answer: object, seconds: float = SECONDS) -> Verdict:
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
        *jobs([[1, 0], [1, 2]], workers=2),
        *jobs([[1, 2], [1, 3]], workers=2),
        *jobs([[1, 2], [0, 3]], workers=2),
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
    """Return the positions, with these values of Black's moves, negated for White.

    Both are rehearsed in these orders of ending, or in all.
    """
    jobs = []
    for fen, sign, to_move in ((BLACK_TO_MOVE, 1, "max"), (WHITE_TO_MOVE, -1, "min")):
        position: AnyPosition = Checkers.from_fen(fen)
        moves = position.moves()
        worth = {move: sign * value for move, value in zip(moves, values, strict=True)}
        tree = Tree(worth, to_move=to_move)
        for order in orders or permutations(range(len(moves))):
            script = Script(
                workers=0,
                order=order,
                interleaved=interleaved,
                held=held,
                fen=fen,
                depth=LAYER1_DEPTH,
                staggered=staggered,
            )
            jobs.append(Job(tree, script, LAYER1))
    return jobs


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


def hurried_split_root(root: Node, search: Callable[[Node], Number]) -> Result | None:
    """Search each move in a thread, and return the best. It has passed every test so far."""
    best: Result | None = None

    def search_move(child: Node) -> None:
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


def in_order(function: Any, tree: object, order: object) -> object:
    """Return what a function of (root, search) returns if its threads end in this order.

    All of them begin before the first one ends. Raises what the function raises, or else what one
    of its threads has raised.

    >>> in_order(hurried_split_root, [3, 5], ["a2", "a1"])
    ('a1', 3)
    """
    returned: list[object] = []
    raised: list[BaseException] = []

    def watched(*arguments: object) -> object:
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


def _in_order(answer: object, order: object) -> Job:
    tree = parse_tree(answer)
    names = [child.name for child in tree.root.children]
    if not isinstance(order, list | tuple) or sorted(map(str, order)) != sorted(names):
        expected = f"each of {names} once, the first to end first"
        raise AbvizError(f"The order is {brief(order)}; expected {expected}")

    places = [names.index(str(name)) for name in order]
    return Job(tree, Script(workers=0, order=places, interleaved=False), "threads")


class Race(DataExercise):
    """The answer is (tree, order of ending) on which `hurried_split_root` is wrong."""

    name = "race"
    needs_threads = True

    def mark(self, answer: object) -> Verdict:
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            expected = 'expected a tree and an order, such as ([3, 5], ["a1", "a2"])'
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")

        job = _in_order(*answer)
        run = Rehearsal(job, observe(hurried_split_root, job))
        returns = f"it returns {brief(run.answer)}, and the best is {brief(run.expected)}"
        message = f"{run.story()} {returns}."

        if run.expected is None or run.answer == run.expected:
            return self.verdict(WRONG, f"{message} {self.hints[1]}", tree=run.tree)

        overwritten = f"The result of {run.expected[0]} was overwritten."
        return self.verdict(RIGHT, f"{message} {overwritten}", tree=run.tree)


# predict-speed-up


def makespan(nodes: Sequence[int]) -> int:
    """Return when the last of WORKERS ends.

    Each move in its turn goes to the worker that is free first.
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


def fill_speed_ups(tree: Tree, misread: str = "right") -> Filled:
    """Return the speed-up with each kind of window."""
    speed_up = SPEED_UPS[misread]
    return {("full",): speed_up(COUNTS.full), ("narrowed",): speed_up(COUNTS.narrowed)}


PREDICT_SPEED_UP = PaperExercise(
    name="predict-speed-up",
    make=lambda: Tree(dict(zip(COUNTS.moves, COUNTS.full, strict=True))),
    fill=fill_speed_ups,
    keeps=SWITCHES,
)
THREADS = (SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA, LAYER1_EXERCISE)
