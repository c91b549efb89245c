"""The exercises on threads: split-root, race, predict-speed-up and share-alpha.

An answer is rehearsed on small trees, its searches released in every order (see `rehearsal`), so that the verdict is
the same every time. A correct value is not enough: each move must be searched once, in a thread of its own, with
several searches under way; the answer must wait for all of them, and α must be passed on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from math import inf
from threading import Thread
from typing import Any

from abviz.errors import AbvizError, Number, brief, count, ljust, number, plain
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, Job, Observation, fail_soft, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, nested
from abviz.tree.model import Tree

Ask = Callable[[Sequence[Job]], list[Observation]]

RETRIES = 3  # before a wrong answer is left without the name of its mistake


@dataclass(frozen=True)
class Case:
    """A tree, and the order in which the searches of its moves end."""

    tree: Tree
    order: tuple[int, ...]
    workers: int = 0  # 0: a thread for each move

    def job(self, width: int | None) -> Job:
        return Job(self.tree, (self.workers, self.order, width), "threads")


def cases(rows: Sequence[Any], workers: int = 0) -> list[Case]:
    """Return each tree with MAX to move, and its mirror image with MIN to move, with orders of its moves."""

    def negated(value: Any) -> Any:
        return [negated(each) for each in value] if isinstance(value, list) else -value

    result = []
    for row in rows:
        orders = list(permutations(range(len(row)))) if len(row) < 4 else [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)]
        for to_move, values in (("max", row), ("min", negated(row))):
            tree = Tree(dict(zip("ABCD", values, strict=False)), to_move=to_move)
            result += [Case(tree, order, workers) for order in orders]
    return result


class Rehearsal:
    """A case, and what an answer did in it."""

    def __init__(self, case: Case, seen: Observation):
        self.case, self.answer, self.problem = case, seen.value, seen.problem
        details = seen.details or {"calls": [], "ended": [], "at_once": 0, "early": [], "given_up": False}
        self.calls: list[list[Any]] = details["calls"]  # move, window, value, moves that had ended, whether in a thread
        self.ended: list[int] = details["ended"]
        self.early: list[int] = details["early"]  # moves that had not ended when it answered
        self.at_once: int = details["at_once"]
        self.given_up: bool = details["given_up"]
        self.is_max = case.tree.root.is_max
        children = case.tree.root.children
        self.names = [child.name for child in children]
        self.values = [fail_soft(child, -inf, inf) for child in children]
        self.searched = sorted(call[0] for call in self.calls)
        self.each_once = self.searched == list(range(len(self.names)))
        self.threaded = all(call[-1] for call in self.calls)
        self.expected = self.result(self.first_best(self.values))

    def result(self, move: int) -> list[Any]:
        return [self.names[move], self.values[move]]

    def first_best(self, values: Sequence[Number]) -> int:
        return values.index(max(values) if self.is_max else min(values))

    def gaps(self) -> dict[int, Number]:
        """Return by how much the window of a move is wider than the best value known when its search began."""
        values = {move: value for move, _, value, *_ in self.calls}
        known = [(move, window, [values[each] for each in ended]) for move, window, _, ended, _ in self.calls if ended]
        return {
            move: max(values) - window[0] if self.is_max else window[1] - min(values)
            for move, window, values in known
            if window
        }

    def complaint(self) -> str:
        """Return what is wrong, or nothing."""
        if self.given_up or (self.problem and not self.early):
            return self.problem
        if self.early:
            return f"{self.problem or f'it answers {_shown(self.answer)}'}, before its threads have ended"
        if not self.threaded:
            return "it searches in the thread that called it"
        if not self.each_once:
            names = ", ".join(self.names[move] for move in self.searched) or "no move"
            return f"it searches {names}; expected each of {', '.join(self.names)} once"
        if self.case.workers and self.at_once > self.case.workers:
            return f"{self.at_once} searches are under way at once; expected at most {self.case.workers}, the workers"
        if self.answer != self.expected:
            return f"it returns {_shown(self.answer)}; expected {_shown(self.expected)}"
        for move, window, _, ended, _ in self.calls:
            if self.gaps().get(move, 0) > 1:  # one less leaves room for a tie
                known = ", ".join(f"{self.names[each]} = {number(self.values[each])}" for each in ended)
                bounds = f"{number(window[0])}, {number(window[1])}"
                return f"{self.names[move]} is searched with the window ({bounds}), although {known} had ended"
        return ""

    def story(self) -> str:
        """Return the tree and the order of events, in words."""
        values = ", ".join(f"{child.name} = {nested(child)}" for child in self.case.tree.root.children)
        order = ", then ".join(self.names[move] for move in self.ended[:12])
        ends = f" (the searches end in the order {order})" if order else ""
        return f"With {values} and {'MAX' if self.is_max else 'MIN'} to move{ends}"


def _shown(answer: Any) -> str:
    return brief(tuple(answer) if isinstance(answer, list) else answer)


# Known mistakes: how each is seen in the rehearsals, and a hint that does not give the answer away. Tried in this
# order; the first that is seen is named.


Runs = Sequence[Rehearsal]
Mistakes = dict[str, tuple[Callable[[Runs], bool], str]]


def _last_joined(runs: Runs) -> bool:
    early = [run for run in runs if run.early]
    return bool(early) and not any(len(run.names) - 1 in run.early for run in early)


def _late_binding(runs: Runs) -> bool:
    return any(len(set(run.searched)) < len(run.names) <= len(run.searched) for run in runs)


def _one_by_one(runs: Runs) -> bool:
    return not any(run.problem or not run.calls or run.at_once > 1 for run in runs)


def _full_windows(runs: Runs) -> bool:
    gaps = [gap for run in runs for gap in run.gaps().values()]
    return bool(gaps) and min(gaps) == inf


def _returns(result: Callable[[Rehearsal], Any]) -> Callable[[Runs], bool]:
    """Return whether the answer is always this one."""
    return lambda runs: all(run.each_once and run.answer == result(run) for run in runs)


def _in_order_of_ending(run: Rehearsal) -> list[Any]:
    """The results are in the order of ending, the moves in their own."""
    return [run.names[run.first_best([run.values[move] for move in run.ended])], run.expected[1]]


def _best_to_end_first(run: Rehearsal) -> list[Any]:
    return run.result(next(move for move in run.ended if run.values[move] == run.expected[1]))


STRUCTURE: Mistakes = {
    "only the last thread joined": (
        _last_joined,
        "The thread that starts last need not end last. Which others do you wait for?",
    ),
    "no join": (
        lambda runs: any(run.early for run in runs),
        "A thread that has been started runs on by itself. When do you know that it has ended?",
    ),
    "no threads": (
        lambda runs: not all(run.threaded for run in runs),
        "What is your thread given as its target: a function, or what one has already returned?",
    ),
    "same variable for all threads": (
        _late_binding,
        "What does your loop's variable hold when a thread first reads it?",
    ),
    "one after the other": (_one_by_one, "How many of your threads are under way while the first one searches?"),
}
SHARING: Mistakes = {
    "a thread for each move": (
        lambda runs: any(run.at_once > run.case.workers for run in runs),
        "A task that starts with all others can learn nothing. How many may run together?",
    ),
    "full window for every move": (
        _full_windows,
        "When is your α read: when a task is submitted, or begins? Where is it raised?",
    ),
}
CHOICE: Mistakes = {
    "MAX assumed at the root": (
        _returns(lambda run: run.result(run.values.index(max(run.values)))),
        "Who moves at the root, and how does the root say so?",
    ),
    "last one to finish wins": (
        _returns(lambda run: run.result(run.ended[-1])),
        "What happens to the result of a thread when another one ends?",
    ),
    "results in the order of finishing": (
        _returns(_in_order_of_ending),
        "Which move does your first result belong to, if the last thread ends first?",
    ),
    "tie decided by who finished first": (
        _returns(_best_to_end_first),
        "Which of two equal moves does the sequential search return, and what decides it in yours?",
    ),
}


@dataclass(frozen=True)
class ThreadExercise:
    """An exercise that asks for a function of (root, search), or of (root, search, workers)."""

    name: str
    stub: str
    cases: list[Case]
    mistakes: Mistakes
    hints: tuple[str, ...]
    is_data = False

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(lambda jobs: [observe(answer, job) for job in jobs])

    def judge(self, ask: Ask) -> Verdict:
        verdict = self._judge(ask)
        for _ in range(RETRIES):  # on a busy machine one rehearsal may have gone another way
            if verdict.tree is None or verdict.mistake:
                break
            verdict = self._judge(ask)
        return verdict

    def _judge(self, ask: Ask) -> Verdict:
        runs: list[Rehearsal] = []
        width = None  # how many searches come at once: the first rehearsal finds it
        for case in self.cases:
            runs.append(run := Rehearsal(case, ask([case.job(width)])[0]))
            width = max(width or 1, run.at_once)
            if run.problem or not run.each_once or (width == 1 and len(runs) > 12):
                break
        problem = runs[0].problem or ("" if runs[0].answer else "it returns nothing so far")
        if not runs[0].calls and (problem != runs[0].problem or problem.startswith((NOT_WRITTEN, NO_FUNCTION))):
            message = f"{problem[0].upper()}{problem[1:]}. {self.hints[0]}"
            return Verdict(self.name, NOT_YET, message, hints=self.hints)
        wrong = next((run for run in runs if run.complaint()), None)
        if wrong is None and width != 1:
            return Verdict(self.name, RIGHT, f"It is right in {len(runs)} rehearsals, whichever thread ends first.")
        message = "In every rehearsal its searches come one after the other; expected several at once."
        if wrong is not None:
            message = f"{wrong.story()} {wrong.complaint()}."
        tree = (wrong or runs[0]).case.tree
        for name, (is_seen, hint) in self.mistakes.items():
            if not runs[-1].given_up and is_seen(runs):
                message = f"{message} A known mistake: {name}. {hint}"
                return Verdict(self.name, WRONG, message, name, tree, (hint, *self.hints))
        return Verdict(self.name, WRONG, message, None, tree, self.hints)


SPLIT_ROOT = ThreadExercise(
    "split-root",
    "def my_split_root(root, search):\n    return None  # yours comes here: return name, value\n",
    cases([[1, 2, 2], [0, 1], [1, 0], [1, 1], [0, 1, 2], [2, 0, 1], [[3, 5], [4, 6], [4, 9], [2, 7]]]),
    STRUCTURE | CHOICE,
    (
        "A thread for each child of the root: what does it have to know, and where does it leave what it finds?",
        "A list as long as the root has children, in which every thread has a place of its own, needs no lock.",
        "Start all threads in one loop, wait for each in a second one, and only then look at the list.",
    ),
)
SHARE_ALPHA = ThreadExercise(
    "share-alpha",
    "def my_share_alpha(root, search, workers):\n    return None  # yours comes here: return name, value\n",
    cases([[2, 0, 1, 1], [1, 2, 2], [[1, 0], [1, 2]], [[1, 2], [1, 3]], [[1, 2], [0, 3]], [0, 1, -1]], workers=2),
    STRUCTURE | SHARING | CHOICE,
    (
        "Begin with your split root and a pool of `workers` threads: it hands each the next move.",
        "What all tasks share is the best value so far: read when a task begins, made better when one ends.",
        "Who is to move at the root says which of the two bounds is shared, and what better means.",
        "Think of a move that begins late and is as good as the best one after it: how low must α be to see that?",
    ),
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
    tree = tree if isinstance(tree, Tree) else Tree(tree)
    names = [child.name for child in tree.root.children]
    if not 1 <= len(names) <= 12:
        raise AbvizError(f"the tree has {count(len(names), 'move')} at its root; expected 1 to 12, as in [3, 5]")
    if any(leaf.value is None for leaf in tree.leaves()):
        raise AbvizError("the tree has a leaf without a value; expected a number at each")
    if not isinstance(order, list | tuple) or sorted(map(str, order)) != sorted(names):
        raise AbvizError(f"the order is {brief(order)}; expected each of {names} once, the first to end first")
    case = Case(tree, tuple(names.index(str(name)) for name in order))
    return Rehearsal(case, observe(function, case.job(len(order))))


class Race:
    """The answer is (tree, order of ending) on which `hurried_split_root` is wrong, or the function, mended."""

    name = "race"
    stub = "my_race = None  # yours comes here: (tree, order)\n"
    is_data = True
    hints = (
        "Read what a thread does before its search, and what after it. What may have changed in between?",
        "All threads begin before one of them ends: what does each hold for the best move so far?",
        "Follow two threads with a pencil, and write down the shared variable each time that one of them ends.",
    )
    expected = 'expected a tree and an order, such as ([3, 5], ["a1", "a2"]), or the function, mended'

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        if not callable(answer):
            return self.judge(answer)
        return self.judge_function(lambda jobs: [observe(answer, job) for job in jobs])

    def judge_function(self, ask: Ask) -> Verdict:
        """Judge the mended function."""
        verdict = SPLIT_ROOT.judge(ask)
        if verdict.status == NOT_YET:
            return self._verdict(NOT_YET, f"It returns nothing so far. {self.hints[0]}")
        own = [hint for hint in verdict.hints if hint not in SPLIT_ROOT.hints]
        return replace(verdict, exercise=self.name, hints=() if verdict else (*own, *self.hints))

    def judge(self, answer: Any) -> Verdict:
        parts = answer if isinstance(answer, tuple | list) else [answer]
        if all(part is None or part is ... for part in parts):
            return self._verdict(NOT_YET, f"The answer is {brief(answer)}; {self.expected}. {self.hints[0]}")
        if len(parts) != 2:
            return self._verdict(WRONG, f"The answer is {brief(answer)}; {self.expected}.")
        try:
            run = _in_order(hurried_split_root, *parts)
        except AbvizError as error:
            return self._verdict(WRONG, f"{str(error)[0].upper()}{str(error)[1:]}.")
        message, best = f"{run.story()} it returns {_shown(run.answer)}", run.expected
        if run.answer == best:
            return self._verdict(WRONG, f"{message}, which is right. {self.hints[1]}", run.case.tree)
        message += f", and the best is {_shown(best)}. What {best[0]} had found was overwritten."
        return Verdict(self.name, RIGHT, message, tree=run.case.tree)

    def _verdict(self, status: str, message: str, tree: Tree | None = None) -> Verdict:
        return Verdict(self.name, status, message, tree=tree, hints=self.hints)


# predict-speed-up


WORKERS = 3
TOLERANCE = 0.01


@dataclass(frozen=True)
class RootCounts:
    """Nodes that alpha-beta searches below each move of the root."""

    moves: tuple[str, ...]
    full: tuple[int, ...]  # each move with the full window, as root splitting does
    narrowed: tuple[int, ...]  # one after the other, with the window that the moves before have left

    @property
    def sequential(self) -> int:
        """The nodes of one worker, with alpha-beta as usual: the baseline."""
        return sum(self.narrowed)

    def speed_up(self, nodes: Sequence[int], workers: int = WORKERS) -> float:
        return self.sequential / makespan(nodes, workers)

    def __str__(self) -> str:
        width = max(map(len, (*self.moves, "move", "all")))
        rows = zip((*self.moves, "all"), (*self.full, sum(self.full)), (*self.narrowed, self.sequential), strict=True)
        table = [f"{ljust(move, width)} {full:>9,} {narrowed:>9,}" for move, full, narrowed in rows]
        return "\n".join([f"{ljust('move', width)} {'full':>9} {'narrowed':>9}", *table])

    __repr__ = __str__


def root_counts(position: Any = None, depth: int = 7) -> RootCounts:
    """Return the nodes below each move of a position: by default tic-tac-toe after a3 and b3, to its end."""
    from abviz.games.tic_tac_toe import TicTacToe
    from abviz.parallel import simulate

    position = TicTacToe.from_cells("xo.......") if position is None else position
    full, narrowed = (simulate(position, depth, strategy=name, workers=1) for name in ("root", "sequential"))
    nodes = [tuple(task.nodes for task in run.tasks) for run in (full, narrowed)]
    return RootCounts(full.moves, nodes[0], nodes[1])


def makespan(nodes: Sequence[int], workers: int) -> int:
    """Return when the last worker ends, if each move in its turn goes to the worker that is free first."""
    ends = [0] * workers
    for each in nodes:
        ends[ends.index(min(ends))] += each
    return max(ends)


# Known mistakes: the speed-up that each gives, from the moves' nodes and those of the sequential search, and a hint.
MISJUDGED: dict[str, tuple[Callable[[Sequence[int], int], float], str]] = {
    "as many times as workers": (
        lambda nodes, sequential: WORKERS,
        "Add up the column of root splitting. Is it the work of the sequential search?",
    ),
    "compared with itself": (
        lambda nodes, sequential: sum(nodes) / makespan(nodes, WORKERS),
        "Which search would a person with one worker use?",
    ),
    "perfect balance": (
        lambda nodes, sequential: sequential * WORKERS / sum(nodes),
        "Deal the moves out one by one. Do all workers end together?",
    ),
}


class PredictSpeedUp:
    """The answer is {"full": …, "narrowed": …}: two speed-ups on WORKERS workers, to within TOLERANCE."""

    name = "predict-speed-up"
    stub = 'my_speed_ups = {"full": None, "narrowed": None}  # yours come here\n'
    is_data = True
    hints = (
        "Print root_counts(). Keep a tally for each worker, and let whoever has least take the next move.",
        "The workers are done when the last of them is. How many nodes has that one searched?",
        "Divide what one worker searches, with alpha-beta as usual, by what the last worker to end has searched.",
    )
    expected = f'expected {{"full": a number, "narrowed": a number}}, for root_counts() and {WORKERS} workers'

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(answer)

    def judge(self, answer: Any) -> Verdict:
        values = list(answer.values()) if isinstance(answer, Mapping) else [answer]
        if all(value is None or value is ... for value in values):
            return Verdict(
                self.name, NOT_YET, f"No number is there; {self.expected}. {self.hints[0]}", hints=self.hints
            )
        if not isinstance(answer, Mapping) or set(answer) != {"full", "narrowed"} or None in map(_float, values):
            message = f"The answer is {brief(answer)}; {self.expected}."
            return Verdict(self.name, WRONG, message, hints=self.hints)
        given, counts = (_float(answer["full"]), _float(answer["narrowed"])), _default_counts()
        columns = (counts.full, counts.narrowed)
        if _near(given, [counts.speed_up(nodes) for nodes in columns]):
            ends = " and ".join(f"{makespan(nodes, WORKERS):,} (× {counts.speed_up(nodes):.2f})" for nodes in columns)
            message = f"One worker alone searches {counts.sequential:,} nodes; the last of {WORKERS} ends after {ends}."
            return Verdict(self.name, RIGHT, message)
        message = f"With {WORKERS} workers that is not within {TOLERANCE:g} of what the counts give."
        for name, (guess, hint) in MISJUDGED.items():
            if _near(given, [guess(nodes, counts.sequential) for nodes in columns]):
                message = f"{message} A known mistake: {name}. {hint}"
                return Verdict(self.name, WRONG, message, name, hints=(hint, *self.hints))
        return Verdict(self.name, WRONG, message, hints=self.hints)


@cache
def _default_counts() -> RootCounts:
    return root_counts()


def _float(value: Any) -> float | None:
    try:
        result = plain(value)
        return None if result is None else float(result)
    except OverflowError:
        return None


def _near(given: Sequence[float | None], right: Sequence[float]) -> bool:
    return all(one is not None and abs(one - other) <= TOLERANCE for one, other in zip(given, right, strict=True))


RACE, PREDICT_SPEED_UP = Race(), PredictSpeedUp()
THREADS = (SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA)
