"""The exercises on threads: split-root, race, predict-speed-up and share-alpha.

An answer is rehearsed on small trees, its searches released in every order (see `rehearsal`), so that the verdict is
the same every time. A correct value is not enough: each move must be searched once, in a thread of its own, with
several searches under way; the answer must wait for all of them, and α must be passed on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import inf
from threading import Thread
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, number
from abviz.exercises.constructions import parse_tree
from abviz.exercises.exercise import SECONDS, DataExercise, Exercise, Mistake, texts
from abviz.exercises.forms import Filled, PaperExercise
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, Job, Observation, fail_soft, observe
from abviz.exercises.rehearsal import Record
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, nested
from abviz.tree.model import Tree

SEVERAL = 4  # rehearsals, after which an answer that searches one move after the other is not tried further
WORKERS = 3  # in predict-speed-up
TOLERANCE = 0.01  # of a predicted speed-up


def jobs(row: Sequence[Any], *orders: Sequence[int], workers: int = 0, interleaved: bool = False) -> list[Job]:
    """Return the tree with MAX to move and its mirror image with MIN to move, in these orders of ending or in all."""

    def negated(value: Any) -> Any:
        return [negated(each) for each in value] if isinstance(value, list) else -value

    result = []
    for to_move, values in (("max", row), ("min", negated(row))):
        tree = Tree(dict(zip("ABCDE", values, strict=False)), to_move=to_move)
        for order in orders or permutations(range(len(row))):
            result.append(Job(tree, (workers, order, interleaved), "threads"))
    return result


class Rehearsal:
    """The behaviour of an answer on a tree, when its searches end in the order of a script."""

    def __init__(self, job: Job, seen: Observation):
        self.tree, self.answer, self.problem = job.tree, seen.value, seen.problem
        self.workers, _, self.is_interleaved = job.arguments
        self.record = Record(*(seen.details or ([], [], 0, [])))
        moves, self.is_max = job.tree.root.children, job.tree.root.is_max
        self.names = [move.name for move in moves]
        self.values = [fail_soft(move, -inf, inf) for move in moves]
        self.results: list[Any] = list(map(list, zip(self.names, self.values, strict=True)))
        self.expected = self.results[self.values.index(max(self.values) if self.is_max else min(self.values))]
        self.searched = sorted(call[0] for call in self.record.calls)
        self.each_once = self.searched == list(range(len(self.names)))

    def gaps(self) -> list[tuple[Number, str]]:
        """Return how much wider than needed each window is, if its search could know a value; and that in words."""
        result = []
        returned = {move: value for move, _, value, *_ in self.record.calls}
        for move, window, _, finished, _ in self.record.calls if self.workers else ():
            if finished:
                values = [returned[each] for each in finished]
                best = max(values) if self.is_max else min(values)
                words = f"{self.names[move]} is searched with the window ({number(window[0])}, {number(window[1])})"
                gap = best - window[0] if self.is_max else window[1] - best
                result.append((gap, f"{words}, although a search has returned {number(best)}"))
        return result

    def fault(self) -> tuple[str, str]:
        """Return what is wrong, and the known mistake if this rehearsal shows it by itself; "" where there is none."""
        record = self.record
        if record.early:
            mistake = "no join" if len(self.names) - 1 in record.early else "only the last thread joined"
            return f"{self.problem or f'it answers {_shown(self.answer)}'}, before its threads have ended", mistake
        if self.problem:
            return self.problem, ""
        if not all(is_threaded for *_, is_threaded in record.calls):
            return "it searches in the thread that called it", "no threads"
        if not self.each_once:
            names = ", ".join(self.names[move] for move in self.searched) or "no move"
            is_late = len(set(self.searched)) < len(self.names) <= len(self.searched)
            message = f"it searches {names}; expected each of {', '.join(self.names)} once"
            return message, "same variable for all threads" if is_late else ""
        if self.workers and record.at_once > self.workers:
            message = f"{record.at_once} searches are under way at once; expected at most {self.workers}, the workers"
            return message, "a thread for each move"
        message = next((words for gap, words in self.gaps() if gap > 1), "")  # one less leaves room for a tie
        if self.answer != self.expected:
            message = f"it returns {_shown(self.answer)}; expected {_shown(self.expected)}"
        return message, "no lock" if message and self.is_interleaved else ""

    def story(self) -> str:
        """Return the tree and the order of events, in words."""
        values = ", ".join(f"{child.name} = {nested(child)}" for child in self.tree.root.children)
        order = ", then ".join(self.names[move] for move in self.record.ended)
        ends = f" (the searches end in the order {order})" if order else ""
        return f"With {values} and {'MAX' if self.is_max else 'MIN'} to move{ends}"


def _shown(answer: Any) -> str:
    return brief(tuple(answer) if isinstance(answer, list) else answer)


# known mistakes that only several rehearsals show

Runs = Sequence[Rehearsal]


def _returns(result: Callable[[Rehearsal], Any]) -> Callable[[Runs], bool]:
    """Return whether the answer is always this one."""
    return lambda runs: all(run.each_once and run.answer == result(run) for run in runs)


def _one_by_one(runs: Runs) -> bool:
    return not any(run.problem or not run.record.calls or run.record.at_once > 1 for run in runs)


def _results_as_they_end(run: Rehearsal) -> Any:
    """Return the best value, and the move in its place if values stand in the order of ending."""
    values = [run.values[move] for move in run.record.ended]
    return [run.names[values.index(run.expected[1])], run.expected[1]]


def _tie_by_ending(runs: Runs) -> bool:
    """Return whether each wrong answer is as good as the first best move, and right in another order."""
    right = {id(run.tree) for run in runs if run.answer == run.expected}
    wrong = [run for run in runs if run.answer != run.expected]
    ties = [run.answer in run.results and run.answer[1] == run.expected[1] and id(run.tree) in right for run in wrong]
    return bool(ties) and all(ties)


MISTAKES: dict[str, Callable[[Runs], bool]] = {  # the first that is seen is named
    "one after the other": _one_by_one,
    "full window for every move": lambda runs: min((gap for run in runs for gap, _ in run.gaps()), default=0) == inf,
    "MAX assumed at the root": _returns(lambda run: run.results[run.values.index(max(run.values))]),
    "last one to finish wins": _returns(lambda run: run.results[run.record.ended[-1]]),
    "results in the order of finishing": _returns(_results_as_they_end),
    "tie decided by the order of finishing": _tie_by_ending,
}


@dataclass(frozen=True, eq=False, repr=False)
class ThreadExercise(Exercise):
    """An exercise that asks for a function of (root, search), or of (root, search, workers)."""

    name: str
    jobs: list[Job]

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        return self.judge(lambda jobs: [observe(answer, job) for job in jobs])

    def judge(self, answer: Callable[[Sequence[Job]], list[Observation]]) -> Verdict:
        runs: list[Rehearsal] = []
        for job in self.jobs:
            if job.arguments[-1] and any(run.fault()[0] for run in runs):
                break  # interleaving is for answers that pass all other rehearsals
            runs.append(run := Rehearsal(job, answer([job])[0]))
            if run.problem or not run.each_once or (len(runs) == SEVERAL and _one_by_one(runs)):
                break
        first = runs[0]
        is_open = first.problem.startswith((NOT_WRITTEN, NO_FUNCTION)) or not (first.problem or first.answer)
        if is_open and not first.record.calls:
            problem = first.problem or "it returns nothing so far"
            return self.verdict(NOT_YET, f"{problem[0].upper()}{problem[1:]}. {self.hints[0]}")
        wrong = next((run for run in runs if run.fault()[0]), None)
        if not wrong and not _one_by_one(runs):
            return self.verdict(RIGHT, f"It is right in {len(runs)} rehearsals, whichever thread ends first.")
        message, name = "In every rehearsal its searches come one after the other; expected several at once.", ""
        if wrong:
            words, name = wrong.fault()
            message = f"{wrong.story()} {words}."
        if not name and not runs[-1].problem:
            name = next((name for name, is_seen in MISTAKES.items() if is_seen(runs)), "")
        mistakes = [Mistake(name, **texts()["thread mistakes"][name])] if name else []
        return self.verdict(WRONG, message, mistakes, tree=(wrong or first).tree)


SPLIT_ROOT = ThreadExercise(
    "split-root",
    [
        *jobs([1, 2, 2]),
        *jobs([2, 0, 1], (1, 2, 0), (2, 1, 0), (0, 1, 2)),
        *jobs([[3, 5], [4, 6], [4, 9], [2, 7]], (1, 3, 0, 2)),
        *jobs([0, 1, 2], (0, 1, 2), (0, 2, 1), interleaved=True),
    ],
)
SHARE_ALPHA = ThreadExercise(
    "share-alpha",
    [
        *jobs([2, 0, 1, 1], (0, 1, 2, 3), (1, 3, 0, 2), workers=2),
        *jobs([1, 2, 2], workers=2),
        *(job for row in ([[1, 0], [1, 2]], [[1, 2], [1, 3]], [[1, 2], [0, 3]]) for job in jobs(row, workers=2)),
        *jobs([0, 1, 2, 0, 0], (0, 1, 2, 3, 4), workers=2, interleaved=True),
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
    """Return what a function of (root, search) returns if all its threads begin, and then end in this order.

    >>> in_order(hurried_split_root, [3, 5], ["a2", "a1"])
    ('a1', 3)
    """
    answer = _in_order(function, tree, order).answer
    return tuple(answer) if isinstance(answer, list) else answer


def _in_order(function: Any, tree: Any, order: Any) -> Rehearsal:
    tree = parse_tree(tree)
    names = [child.name for child in tree.root.children]
    if not isinstance(order, list | tuple) or sorted(map(str, order)) != sorted(names):
        raise AbvizError(f"The order is {brief(order)}; expected each of {names} once, the first to end first")
    job = Job(tree, (0, [names.index(str(name)) for name in order], False), "threads")
    return Rehearsal(job, observe(function, job))


class Race(DataExercise):
    """The answer is (tree, order of ending) on which `hurried_split_root` is wrong."""

    name = "race"

    def mark(self, answer: Any) -> Verdict:
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            example = 'such as ([3, 5], ["a1", "a2"])'
            raise AbvizError(f"The answer is {brief(answer)}; expected a tree and an order, {example}")
        run = _in_order(hurried_split_root, *answer)
        message, best = f"{run.story()} it returns {_shown(run.answer)}", run.expected
        if run.answer == best:
            return self.verdict(WRONG, f"{message}, which is right. {self.hints[1]}", tree=run.tree)
        message += f", and the best is {_shown(best)}. The result of {best[0]} was overwritten."
        return self.verdict(RIGHT, message, tree=run.tree)


# predict-speed-up


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


@cache
def root_counts(position: Any = None, depth: int = 7) -> RootCounts:
    """Return the nodes below each move of a position: by default tic-tac-toe after a3 and b3, to its end."""
    from abviz.games.tic_tac_toe import TicTacToe
    from abviz.parallel import simulate

    position = TicTacToe.from_cells("xo.......") if position is None else position
    full, narrowed = (simulate(position, depth, strategy=name, workers=1) for name in ("root", "sequential"))
    return RootCounts(full.moves, *(tuple(task.nodes for task in run.tasks) for run in (full, narrowed)))


def makespan(nodes: Sequence[int]) -> int:
    """Return when the last of WORKERS ends, if each move in its turn goes to the worker that is free first."""
    ends = [0] * WORKERS
    for each in nodes:
        ends[ends.index(min(ends))] += each
    return max(ends)


SPEED_UPS: dict[str, Callable[[Sequence[int], int], float]] = {  # the right one, and those of the known mistakes
    "right": lambda nodes, sequential: sequential / makespan(nodes),
    "as many times as workers": lambda nodes, sequential: WORKERS,
    "compared with itself": lambda nodes, sequential: sum(nodes) / makespan(nodes),
    "perfect balance": lambda nodes, sequential: sequential * WORKERS / sum(nodes),
}


def moves_tree() -> Tree:
    """Return the moves with the nodes below each, as root splitting searches them."""
    counts = root_counts()
    return Tree(dict(zip(counts.moves, counts.full, strict=True)))


def fill_speed_ups(tree: Tree, taken: str = "right") -> Filled:
    counts = root_counts()
    return {(name,): SPEED_UPS[taken](getattr(counts, name), counts.sequential) for name in ("full", "narrowed")}


RACE = Race()
PREDICT_SPEED_UP = PaperExercise(
    "predict-speed-up",
    moves_tree,
    fill_speed_ups,
    lambda tree, place, entry: ("count", {}),
    {name: {"taken": name} for name in SPEED_UPS if name != "right"},
    tolerance=TOLERANCE,
)
THREADS = (SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA)
