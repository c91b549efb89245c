"""The exercises on threads: split-root, race, predict-speed-up and share-alpha.

An answer is rehearsed on small trees, its searches released in every order (see `rehearsal`), so that the verdict is
the same every time. The answer alone is not enough: each move is searched once, in a thread, with several searches
under way; all of them are waited for, and α is passed on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from math import inf
from threading import Thread
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, count, ljust, number, plain
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, Job, Observation, observe
from abviz.exercises.rehearsal import search_value
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, nested
from abviz.tree.model import Tree

LONG_STORY = 12  # moves, after which it is cut
Ask = Callable[[Sequence[Job]], list[Observation]]


@dataclass(frozen=True)
class Case:
    """A tree, the order in which its moves end, and what else the script asks for (see `rehearsal.rehearse`)."""

    tree: Tree
    order: tuple[int, ...]
    workers: int = 0  # 0: a thread for each move
    hold: bool = False
    pause: int | None = None

    def job(self, width: int | None) -> Job:
        script = {"order": self.order, "width": width, "hold": self.hold, "pause": self.pause}
        return Job(self.tree, (self.workers, script), "threads")


class Call(NamedTuple):
    """One call of `search`."""

    move: int
    window: list[Number]
    value: Number
    known: list[int]  # the moves that had ended by then
    threaded: bool


class Rehearsal:
    """A case, and what an answer did in it."""

    def __init__(self, case: Case, seen: Observation):
        self.case, self.answer, self.problem = case, seen.value, seen.problem
        details = seen.details or {"calls": [], "ended": [], "at_once": 0}
        self.ended: list[int] = list(details["ended"])
        self.at_once: int = details["at_once"]
        self.threads, self.early, self.given_up = (bool(details.get(name)) for name in ("threads", "early", "given_up"))
        self.calls = [Call(*call) for call in details["calls"]]
        self.root = case.tree.root
        self.is_max = self.root.is_max
        self.names = [child.name for child in self.root.children]
        self.values = {call.move: call.value for call in self.calls}
        self.searched = sorted(call.move for call in self.calls)
        self.each_once = self.searched == list(range(len(self.names)))

    @property
    def expected(self) -> list[Any]:
        values = [search_value(child, -inf, inf) for child in self.root.children]
        best = first_best(values, self.is_max)
        return [self.names[best], values[best]]

    def takes(self, move: int) -> bool:
        return bool(self.answer == [self.names[move], self.values[move]])

    def better(self, value: Number) -> Number:
        """Return the value as the player at the root sees it: the more the better."""
        return value if self.is_max else -value

    def alpha(self, call: Call) -> Number:
        """Return the bound that the moves share, α or β, as the player at the root sees it."""
        return call.window[0] if self.is_max else -call.window[1]

    def best_known(self, call: Call) -> int:
        return max(call.known, key=lambda move: self.better(self.values[move]))

    def too_wide(self, call: Call) -> bool:
        """Return whether a search knew less than had been found when it began; one less leaves room for a tie."""
        return bool(call.known) and self.alpha(call) < self.better(self.values[self.best_known(call)]) - 1

    def complaint(self) -> str:
        """Return what is wrong, or nothing."""
        expected = self.expected
        if self.given_up or (self.problem and not self.early):
            return self.problem
        if self.early:
            return f"{self.problem or f'it answers {brief(self.answer)}'}, before its threads have ended"
        if not all(call.threaded for call in self.calls):
            return "it searches in the thread that called it"
        if not self.each_once:
            names = ", ".join(self.names[move] for move in self.searched) or "no move"
            return f"it searches {names}; expected each of {', '.join(self.names)} once"
        if self.case.workers and self.at_once > self.case.workers:
            return f"{self.at_once} searches are under way at once; expected at most {self.case.workers}, the workers"
        if self.answer != expected:
            return f"it returns {brief(_shown(self.answer))}; expected {tuple(expected)}"
        for call in self.calls if self.case.workers else ():
            if self.too_wide(call):
                bound, best = ("α", "β")[not self.is_max], self.best_known(call)
                window = f"{bound} = {number(call.window[not self.is_max])}"
                ended = f"{self.names[best]} had ended with {number(self.values[best])}"
                return f"{self.names[call.move]} is searched with {window}, although {ended}"
        return ""

    def story(self) -> str:
        """Return the tree and the order of events, in words."""
        values = ", ".join(f"{child.name} = {nested(child)}" for child in self.root.children)
        order = ", then ".join(self.names[move] for move in self.ended[:LONG_STORY])
        order += " …" if len(self.ended) > LONG_STORY else ""
        pause = "" if self.case.pause is None else f", {self.names[self.case.pause]} interrupted before it writes"
        ends = f" (the searches end in the order {order}{pause})" if order else ""
        return f"With {values} and {'MAX' if self.is_max else 'MIN'} to move{ends}"


def _shown(answer: Any) -> Any:
    return tuple(answer) if isinstance(answer, list) else answer


def first_best(values: Sequence[Number], is_max: bool) -> int:
    return values.index(max(values) if is_max else min(values))


# the cases


def _for_both(values: Sequence[Any]) -> Iterator[Tree]:
    """Yield the tree with MAX to move, and its mirror image with MIN to move."""

    def negated(value: Any) -> Any:
        return [negated(each) for each in value] if isinstance(value, list) else -value

    for to_move, own in (("max", values), ("min", [negated(value) for value in values])):
        yield Tree(dict(zip("ABCDE", own, strict=False)), to_move=to_move)


def _orders(tree: Tree) -> list[tuple[int, ...]]:
    moves = len(tree.root.children)
    return list(permutations(range(moves))) if moves < 4 else [(3, 2, 1, 0), (2, 1, 3, 0), (1, 3, 0, 2)]


def _pauses(values: Sequence[Any], order: tuple[int, ...], workers: int = 0) -> Iterator[Case]:
    """Yield cases where one thread, about to write, is overtaken by a better one: without a lock that one is lost."""
    for tree in _for_both(values):
        yield Case(tree, order, workers, pause=order[1])


@cache
def splitting() -> list[Case]:
    rows: list[list[Any]] = [[1, 2, 2], [0, 1], [1, 0], [1, 1], [-2, -1], [0, 1, 2], [2, 0, 1], [2, 2, 1]]
    trees = [tree for values in rows for tree in _for_both(values)]
    trees.append(next(_for_both([[3, 5], [4, 6], [4, 9], [2, 7]])))
    return [*(Case(tree, order) for tree in trees for order in _orders(tree)), *_pauses([0, 2, 1], (0, 2, 1))]


@cache
def sharing() -> list[Case]:
    rows: list[list[Any]] = [[2, 0, 1, 1], [1, 2, 2], [[1, 0], [1, 2]], [[1, 2], [1, 3]], [[1, 2], [0, 3]], [0, 1, -1]]
    trees = [tree for values in rows for tree in _for_both(values)]
    cases = [
        Case(tree, order, 2) for tree in trees for order in ((0, 1, 2, 3)[: len(tree.root.children)], *_orders(tree))
    ]
    cases += [Case(tree, tuple(range(len(tree.root.children))), 2, hold=True) for tree in trees]
    return [*cases, *_pauses([0, 1, 2, -1, -1], (0, 1, 2, 3, 4), 2)]


# known mistakes: how each is seen in the rehearsals


Seen = Callable[[Sequence[Rehearsal]], bool]


def _ever(rule: Callable[[Rehearsal], bool]) -> Seen:
    return lambda runs: any(map(rule, runs))


def _always(rule: Callable[[Rehearsal], bool]) -> Seen:
    """In every rehearsal but those that stop a thread in the middle."""
    return lambda runs: all(run.each_once and rule(run) for run in runs if run.case.pause is None)


def _takes(choose: Callable[[Rehearsal], int]) -> Seen:
    """Whether the answer is always the move chosen like this, with its value."""
    return _always(lambda run: len(run.ended) == len(run.names) and run.takes(choose(run)))


def _best(run: Rehearsal) -> int:
    return first_best([run.values[move] for move in range(len(run.names))], run.is_max)


def _worst(run: Rehearsal) -> int:
    return first_best([run.values[move] for move in range(len(run.names))], not run.is_max)


def _tied(run: Rehearsal) -> list[int]:
    """The best moves, in the order in which they ended."""
    return [move for move in run.ended if run.values[move] == run.values[_best(run)]]


def _place_of_ending(run: Rehearsal) -> bool:
    values = [run.values[move] for move in run.ended]
    place = first_best(values, run.is_max)
    return bool(run.answer == [run.names[place], values[place]])


def _shaped(shape: Callable[[int, str, Number], Any]) -> Seen:
    """Whether the answer is always the best move and its value in another form: shape(index, name, value)."""
    return _always(lambda run: bool(run.answer == shape(_best(run), run.names[_best(run)], run.values[_best(run)])))


def _informed(runs: Sequence[Rehearsal]) -> list[tuple[Rehearsal, Call]]:
    return [(run, call) for run in runs for call in run.calls if call.known and call.window]


def _never_narrows(runs: Sequence[Rehearsal]) -> bool:
    alphas = {run.alpha(call) for run, call in _informed(runs)}
    return len(alphas) == 1 and max(alphas) < -100


def _lowered(runs: Sequence[Rehearsal]) -> bool:
    """α was, each time, what the last move to end made of it."""
    gaps = [
        run.better(run.values[call.known[-1]]) - run.alpha(call)
        for run, call in _informed([run for run in runs if run.case.pause is None])
    ]
    return bool(gaps) and all(0 <= gap <= 1 for gap in gaps)


def _no_room_for_ties(runs: Sequence[Rehearsal]) -> bool:
    """α was the value of a later move."""
    if any(run.too_wide(call) for run in runs for call in run.calls):
        return False
    best = [(run, call, run.best_known(call)) for run, call in _informed(runs)]
    return any(move > call.move and run.alpha(call) == run.better(run.values[move]) for run, call, move in best)


def _beta_forgotten(runs: Sequence[Rehearsal]) -> bool:
    alphas = {is_max: [run.alpha(call) for run, call in _informed(runs) if run.is_max == is_max] for is_max in (0, 1)}
    return bool(alphas[0] and alphas[1]) and max(alphas[1]) > -inf and max(alphas[0]) == -inf


def _only_when_paused(runs: Sequence[Rehearsal]) -> bool:
    return not any(run.complaint() for run in runs if run.case.pause is None)


# Tried in this order; the first that is seen is named.
STRUCTURE: dict[str, Seen] = {
    "no join": _ever(lambda run: run.early),
    "no threads": lambda runs: any(run.calls for run in runs) and not any(run.threads for run in runs),
    "called, not handed over": _ever(lambda run: not all(call.threaded for call in run.calls)),
    "same variable for all threads": _ever(lambda run: len(set(run.searched)) < len(run.names) <= len(run.searched)),
    "a move searched again": _ever(lambda run: len(set(run.searched)) == len(run.names) < len(run.searched)),
    "one after the other": lambda runs: not any(run.problem or not run.calls or run.at_once > 1 for run in runs),
}
FORM: dict[str, Seen] = {
    "value and name exchanged": _shaped(lambda move, name, value: [value, name]),
    "an index for the name": _shaped(lambda move, name, value: [move, value]),
    "the child for its name": _shaped(lambda move, name, value: [{"child": name}, value]),
    "one of the two is missing": lambda runs: (
        _shaped(lambda move, name, value: value)(runs) or _shaped(lambda move, name, value: name)(runs)
    ),
}
CHOICE: dict[str, Seen] = {
    "MAX assumed at the root": _takes(lambda run: _best(run) if run.is_max else _worst(run)),
    "MAX and MIN swapped": _takes(_worst),
    "last one to finish wins": _takes(lambda run: run.ended[-1]),
    "first one to finish wins": _takes(lambda run: run.ended[0]),
    "results in the order of finishing": _always(_place_of_ending),
    "tie decided by who finished first": _takes(lambda run: _tied(run)[0]),
    "tie decided by who finished last": _takes(lambda run: _tied(run)[-1]),
    "tie to the last move": _takes(lambda run: max(_tied(run))),
}
SHARING: dict[str, Seen] = {
    "a thread for each move": _ever(lambda run: run.at_once > run.case.workers),
    "full window for every move": _never_narrows,
    "α lowered again": _lowered,
    "no room for a tie": _no_room_for_ties,
}
FORGOTTEN: dict[str, Seen] = {"β forgotten where MIN is to move": _beta_forgotten}
LOST: dict[str, Seen] = {"an update is lost": _only_when_paused}

TIE = "Two moves are equally good: which one does the sequential search return, and what decides it in yours?"
# None of them gives the answer away.
HINTS = {
    "no join": "A thread that has been started runs on by itself. When do you know that it has ended?",
    "no threads": "A Thread is given a function as its target, and its arguments as args: which searches one child?",
    "called, not handed over": "What is your thread given as its target: a function, or what one has already returned?",
    "same variable for all threads": "What does your loop's variable hold when a thread first reads it?",
    "a move searched again": "Where could a thread leave the value of its move, so that it need not be searched again?",
    "one after the other": "How many of your threads are under way while the first one searches?",
    "value and name exchanged": "Read once more in which order the two are asked for.",
    "an index for the name": "What does a child of the root have besides its place in the list?",
    "the child for its name": "What does a child of the root have that can be printed?",
    "one of the two is missing": "Two things are asked for: which child is best, and what it is worth.",
    "MAX assumed at the root": "Who moves at the root, and how does the root say so?",
    "MAX and MIN swapped": "Which value does MAX want?",
    "last one to finish wins": "What happens to the result of a thread when another one ends?",
    "first one to finish wins": "What if a thread that ends later has found something better?",
    "results in the order of finishing": "Which move does your first result belong to, if the last thread ends first?",
    "tie decided by who finished first": TIE,
    "tie decided by who finished last": TIE,
    "tie to the last move": "Two moves are equally good: which one does the sequential search return?",
    "a thread for each move": "A task that starts with all others can learn nothing. How many may run together?",
    "full window for every move": "When is your α read: when a task is submitted, or begins? Where is it raised?",
    "α lowered again": "What should become of α when a move turns out worse than the best so far?",
    "no room for a tie": "A search returns α itself. Is the move worth that much, or at most that much?",
    "β forgotten where MIN is to move": "With MIN at the root, which bound says that a move must stay below the best?",
    "an update is lost": "Between reading a shared variable and writing it another thread may run. What keeps it out?",
}


@dataclass(frozen=True)
class ThreadExercise:
    """An exercise that asks for a function of (root, search), or of (root, search, workers)."""

    name: str
    stub: str
    cases: Callable[[], list[Case]]
    faults: dict[str, Seen]
    hints: tuple[str, ...]
    is_data = False

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(lambda jobs: [observe(answer, job) for job in jobs])

    def judge(self, ask: Ask) -> Verdict:
        runs = list(self._rehearse(ask))
        first = runs[0]
        is_open = first.answer is None and not first.problem
        if not first.calls and (is_open or first.problem == NOT_WRITTEN or first.problem.startswith(NO_FUNCTION)):
            message = f"{first.problem or 'it returns nothing so far'}. {self.hints[0]}"
            return Verdict(self.name, NOT_YET, f"{message[0].upper()}{message[1:]}", hints=self.hints)
        verdict = self._verdict(runs)
        if verdict or verdict.mistake or runs[-1].given_up:
            return verdict
        again = self._verdict(list(self._rehearse(ask)))  # on a busy machine one rehearsal may have gone another way
        return again if again.mistake else verdict

    def _rehearse(self, ask: Ask) -> Iterator[Rehearsal]:
        """Yield the rehearsals, up to one that makes the others useless."""
        width = None  # how many searches come at once: the first rehearsal finds it
        for place, case in enumerate(self.cases()):
            run = Rehearsal(case, ask([case.job(width)])[0])
            width = max(width or 1, run.at_once)
            yield run
            if run.problem or not run.each_once or (width == 1 and place == 12):
                return

    def _verdict(self, runs: list[Rehearsal]) -> Verdict:
        wrong = next((run for run in runs if run.complaint()), None)
        if wrong is None and any(run.at_once > 1 for run in runs):
            return Verdict(self.name, RIGHT, f"It is right in {len(runs)} rehearsals, whichever thread ends first.")
        message = "In every rehearsal its searches come one after the other; expected several at once."
        if wrong is not None:
            message = f"{wrong.story()} {wrong.complaint()}."
        tree = (wrong or runs[0]).case.tree
        mistake = None if runs[-1].given_up else next((name for name, seen in self.faults.items() if seen(runs)), None)
        if mistake is None:
            return Verdict(self.name, WRONG, message, None, tree, self.hints)
        message = f"{message} A known mistake: {mistake}. {HINTS[mistake]}"
        return Verdict(self.name, WRONG, message, mistake, tree, (HINTS[mistake], *self.hints))


SPLIT_ROOT = ThreadExercise(
    "split-root",
    "def my_split_root(root, search):\n    return None  # yours comes here: return name, value\n",
    splitting,
    STRUCTURE | FORM | CHOICE | LOST,
    (
        "A thread for each child of the root: what does it have to know, and where does it leave what it finds?",
        "A list as long as the root has children, in which every thread has a place of its own, needs no lock.",
        "Start all threads in one loop, wait for each in a second one, and only then look at the list.",
    ),
)
SHARE_ALPHA = ThreadExercise(
    "share-alpha",
    "def my_share_alpha(root, search, workers):\n    return None  # yours comes here: return name, value\n",
    sharing,
    STRUCTURE | FORM | SHARING | CHOICE | FORGOTTEN | LOST,
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
    return _shown(_in_order(function, _ordered(tree, order)).answer)


def _in_order(function: Any, case: Case) -> Rehearsal:
    return Rehearsal(case, observe(function, case.job(len(case.order))))


def _ordered(tree: Any, order: Any) -> Case:
    tree = tree if isinstance(tree, Tree) else Tree(tree)
    names = [child.name for child in tree.root.children]
    if not 1 <= len(names) <= 12:
        raise AbvizError(f"the tree has {count(len(names), 'move')} at its root; expected 1 to 12, as in [3, 5]")
    if any(leaf.value is None for leaf in tree.leaves()):
        raise AbvizError("the tree has a leaf without a value; expected a number at each")
    given = [str(name) for name in order] if isinstance(order, list | tuple) else []
    if sorted(given) != sorted(names):
        raise AbvizError(f"the order is {brief(order)}; expected each of {names} once, the first to end first")
    return Case(tree, tuple(names.index(name) for name in given))


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
            case = _ordered(*parts)
        except AbvizError as error:
            return self._verdict(WRONG, f"{str(error)[0].upper()}{str(error)[1:]}.")
        run = _in_order(hurried_split_root, case)
        message, best = f"{run.story()} it returns {_shown(run.answer)}", run.expected[0]
        if run.answer != run.expected:
            message += f", and the best is {tuple(run.expected)}. What {best} had found was overwritten."
            return Verdict(self.name, RIGHT, message, tree=case.tree)
        message, mistake, hint = f"{message}, which is right", None, self.hints[1]
        if len(case.order) > 1 and run.names[case.order[-1]] == best:
            mistake, hint = "the best move ends last", "Which thread has the last word, and what has it compared?"
            message = f"{message}: {mistake}"
        return self._verdict(WRONG, f"{message}. {hint}", mistake, case.tree)

    def _verdict(self, status: str, message: str, mistake: str | None = None, tree: Tree | None = None) -> Verdict:
        return Verdict(self.name, status, message, mistake, tree, self.hints)


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


def speed_ups(counts: RootCounts, workers: int = WORKERS) -> tuple[float, float]:
    """Return those of root splitting with full windows, and with the windows of the sequential search."""
    return counts.sequential / makespan(counts.full, workers), counts.sequential / makespan(counts.narrowed, workers)


def _longest_turn(nodes: Sequence[int], workers: int) -> int:
    return max(sum(nodes[worker::workers]) for worker in range(workers))


Guess = Callable[[Sequence[int], int, int], float]  # from the moves' nodes, those of the sequential search, the workers
MISJUDGED: dict[str, Guess] = {
    "as many times as workers": lambda nodes, sequential, workers: workers,
    "compared with itself": lambda nodes, sequential, workers: sum(nodes) / makespan(nodes, workers),
    "perfect balance": lambda nodes, sequential, workers: sequential * workers / sum(nodes),
    "a worker for each move": lambda nodes, sequential, workers: sequential / max(nodes),
    "dealt out in turn": lambda nodes, sequential, workers: sequential / _longest_turn(nodes, workers),
    "upside down": lambda nodes, sequential, workers: makespan(nodes, workers) / sequential,
}
EXCHANGED = "the two exchanged"
MISJUDGED_HINTS = {
    "as many times as workers": "Add up the column of root splitting. Is it the work of the sequential search?",
    "compared with itself": "Which search would a person with one worker use?",
    "perfect balance": "Deal the moves out one by one. Do all workers end together?",
    "a worker for each move": "How many moves does one worker search, one after the other?",
    "dealt out in turn": "Who takes the fourth move: the one whose turn it is, or the one who is free?",
    "upside down": "A search that takes half the time has a speed-up of 2.",
    EXCHANGED: "Which of the two columns does a thread search that has learnt nothing from the others?",
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
    keys = ("full", "narrowed")
    expected = f'expected {{"full": a number, "narrowed": a number}}, for root_counts() and {WORKERS} workers'

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(answer)

    def judge(self, answer: Any) -> Verdict:
        values = list(answer.values()) if isinstance(answer, Mapping) else [answer]
        if all(value is None or value is ... for value in values):
            return self._verdict(NOT_YET, f"No number is there; {self.expected}. {self.hints[0]}")
        if not isinstance(answer, Mapping) or set(answer) != set(self.keys):
            return self._verdict(WRONG, f"The answer is {brief(answer)}; {self.expected}.")
        given = {key: _float(answer[key]) for key in self.keys}
        for key, value in given.items():
            if value is None:
                return self._verdict(WRONG, f"{key!r} is {brief(answer[key])}; expected a number, such as 1.25.")
        counts = _default_counts()
        mine, right = [value or 0.0 for value in given.values()], speed_ups(counts)
        if _near(mine, right):
            return Verdict(self.name, RIGHT, _explained(counts, right))
        off = [
            f"{key!r} = {one:.4g}"
            for key, one, its in zip(self.keys, mine, right, strict=True)
            if not _near([one], [its])
        ]
        message = f"With {WORKERS} workers {' and '.join(off)} is not within {TOLERANCE:g} of what the counts give."
        columns = (counts.full, counts.narrowed)
        guesses = {
            name: [guess(nodes, counts.sequential, WORKERS) for nodes in columns] for name, guess in MISJUDGED.items()
        } | {EXCHANGED: list(right[::-1])}
        for name, guessed in guesses.items():
            if _near(mine, guessed):
                hint = MISJUDGED_HINTS[name]
                return self._verdict(WRONG, f"{message} A known mistake: {name}. {hint}", name, hint)
        return self._verdict(WRONG, message)

    def _verdict(self, status: str, message: str, mistake: str | None = None, *hints: str) -> Verdict:
        return Verdict(self.name, status, message, mistake, hints=(*hints, *self.hints))


@cache
def _default_counts() -> RootCounts:
    return root_counts()


def _explained(counts: RootCounts, right: tuple[float, float]) -> str:
    parts = []
    for key, nodes, speed_up in zip(PredictSpeedUp.keys, (counts.full, counts.narrowed), right, strict=True):
        last = makespan(nodes, WORKERS)
        parts.append(f"{key}: {sum(nodes):,} in all, and the last worker ends after {last:,}: × {speed_up:.2f}")
    alone = f"One worker alone, with alpha-beta as usual, searches {counts.sequential:,} nodes"
    return f"{alone}; {WORKERS} workers, {'; '.join(parts)}."


def _float(value: Any) -> float | None:
    try:
        result = plain(value)
    except OverflowError:
        return None
    return None if result is None else float(result)


def _near(given: Sequence[float], right: Sequence[float]) -> bool:
    return all(abs(one - other) <= TOLERANCE for one, other in zip(given, right, strict=True))


RACE, PREDICT_SPEED_UP = Race(), PredictSpeedUp()
THREADS = (SPLIT_ROOT, RACE, PREDICT_SPEED_UP, SHARE_ALPHA)
