"""The exercise on speed-up: from the nodes that each move of the root took, how much faster will several workers be?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from abviz.errors import brief, count, ljust, plain
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict

NAME = "predict-speed-up"
WORKERS = 3
TOLERANCE = 0.01
CELLS, DEPTH = "xo.......", 7  # tic-tac-toe after a3 and b3, searched to its end
KEYS = ("full", "narrowed")
EXPECTED = f'{{"full": a number, "narrowed": a number}}, for root_counts() and {WORKERS} workers'


@dataclass(frozen=True)
class RootCounts:
    """Nodes that alpha-beta searched below each move of the root."""

    position: str
    moves: tuple[str, ...]
    full: tuple[int, ...]  # each move with the full window, as root splitting does
    narrowed: tuple[int, ...]  # one after the other, with the window that the moves before have left

    @property
    def sequential(self) -> int:
        """What one worker searches, alpha-beta as usual: the baseline."""
        return sum(self.narrowed)

    def __str__(self) -> str:
        width = max(map(len, (*self.moves, "move", "all")))
        rows = zip((*self.moves, "all"), (*self.full, sum(self.full)), (*self.narrowed, self.sequential), strict=True)
        table = [f"{ljust(move, width)} {full:>9,} {narrowed:>9,}" for move, full, narrowed in rows]
        return "\n".join([f"{ljust('move', width)} {'full':>9} {'narrowed':>9}", *table])

    __repr__ = __str__


def root_counts(position: Any = None, depth: int = DEPTH) -> RootCounts:
    """Search a position (that of the exercise, unless told otherwise) and count, move by move."""
    from abviz.engine.preparing import new_work_for, prepared
    from abviz.engine.switches import Switches
    from abviz.engine.table import new_table
    from abviz.games.checking import check_game
    from abviz.games.scale import WIN, checked_depth, checked_weights
    from abviz.games.tic_tac_toe import TicTacToe

    position = TicTacToe.from_cells(CELLS) if position is None else position
    check_game(position)
    depth = checked_depth(depth)
    switches, weights = Switches.none(), checked_weights(position, None)
    alphabeta = prepared(position, "alphabeta", new_work_for(switches, weights), new_table(2)).alphabeta

    def searched(move: str, alpha: int, beta: int) -> tuple[int, int]:
        work = new_work_for(switches, weights)
        value = int(alphabeta(position.play(move), depth - 1, alpha, beta, work, 1))
        return value, int(work.nodes)

    alpha, beta = -WIN, WIN
    full, narrowed = [], []
    for move in position.moves():
        full.append(searched(move, -WIN, WIN)[1])
        value, nodes = searched(move, alpha, beta)
        narrowed.append(nodes)
        alpha, beta = (max(alpha, value), beta) if position.is_max() else (alpha, min(beta, value))
    return RootCounts(str(position), tuple(position.moves()), tuple(full), tuple(narrowed))


def makespan(nodes: Sequence[int], workers: int) -> int:
    """When the last worker ends, if each move in its turn goes to the worker that is free first."""
    ends = [0] * workers
    for each in nodes:
        ends[ends.index(min(ends))] += each
    return max(ends)


def speed_ups(counts: RootCounts, workers: int = WORKERS) -> tuple[float, float]:
    """Of root splitting with full windows, and if every move could have the window of the sequential search."""
    return counts.sequential / makespan(counts.full, workers), counts.sequential / makespan(counts.narrowed, workers)


@dataclass(frozen=True)
class Misjudged:
    """A known mistake: the two speed-ups that it arrives at."""

    name: str
    says: str
    hint: str
    predicts: Callable[[RootCounts, int], tuple[float, float]]


def _both(predict: Callable[[Sequence[int], int, int], float]) -> Callable[[RootCounts, int], tuple[float, float]]:
    """The same for both columns: predict(nodes of each move, those of the sequential search, workers)."""
    return lambda counts, workers: (
        predict(counts.full, counts.sequential, workers),
        predict(counts.narrowed, counts.sequential, workers),
    )


def _in_blocks(nodes: Sequence[int], workers: int) -> int:
    size = -(-len(nodes) // workers)
    return max(sum(nodes[i : i + size]) for i in range(0, len(nodes), size))


MISTAKES = (
    Misjudged(
        "as many times as workers",
        "you expect every worker to do an equal part, and no more work than one alone",
        "Add up the column of root splitting. Is it the work of the sequential search?",
        _both(lambda nodes, sequential, workers: float(workers)),
    ),
    Misjudged(
        "compared with itself",
        "you compare root splitting with its own work, done by one worker",
        "Which search would a person with one worker use?",
        _both(lambda nodes, sequential, workers: sum(nodes) / makespan(nodes, workers)),
    ),
    Misjudged(
        "perfect balance",
        "you divide the work into equal parts, though a move cannot be divided",
        "Deal the moves out one by one. Do all workers end together?",
        _both(lambda nodes, sequential, workers: sequential * workers / sum(nodes)),
    ),
    Misjudged(
        "a worker for each move",
        "you take the largest move alone, as if there were as many workers as moves",
        "How many moves does one worker search, one after the other?",
        _both(lambda nodes, sequential, workers: sequential / max(nodes)),
    ),
    Misjudged(
        "dealt out in turn",
        "you deal the moves out as cards, whoever is busy",
        "Who takes the fourth move: the one whose turn it is, or the one who is free?",
        _both(lambda nodes, sequential, workers: sequential / max(sum(nodes[i::workers]) for i in range(workers))),
    ),
    Misjudged(
        "dealt out in blocks",
        "you give each worker a block of moves beforehand",
        "When is it settled who searches the last move?",
        _both(lambda nodes, sequential, workers: sequential / _in_blocks(nodes, workers)),
    ),
    Misjudged(
        "the largest first",
        "you hand out the largest moves first, but nobody knows beforehand which those are",
        "In which order do the workers take the moves?",
        _both(lambda nodes, sequential, workers: sequential / makespan(sorted(nodes, reverse=True), workers)),
    ),
    Misjudged(
        "upside down",
        "you divide the time of many workers by that of one",
        "A search that takes half the time has a speed-up of 2.",
        _both(lambda nodes, sequential, workers: makespan(nodes, workers) / sequential),
    ),
    Misjudged(
        "the two exchanged",
        "each of the numbers stands where the other belongs",
        "Which of the two columns does a thread search that has learnt nothing from the others?",
        lambda counts, workers: (speed_ups(counts, workers)[1], speed_ups(counts, workers)[0]),
    ),
)

HINTS = (
    "Print root_counts(). Keep a tally for each worker, and let whoever has least take the next move.",
    "The workers are done when the last of them is. How many nodes has that one searched?",
    "Divide what one worker searches, with alpha-beta as usual, by what the last worker to end has searched.",
)


class PredictionExercise:
    """The answer is {"full": …, "narrowed": …}: two speed-ups on WORKERS workers, to within TOLERANCE."""

    name = NAME

    def check(self, answer: Any, seconds: float) -> Verdict:
        if answer is None or answer is ... or (isinstance(answer, Mapping) and _empty(answer)):
            return Verdict(NAME, NOT_YET, f"No number is there; expected {EXPECTED}. {HINTS[0]}", hints=HINTS)
        if not isinstance(answer, Mapping) or set(answer) != set(KEYS):
            return Verdict(NAME, WRONG, f"The answer is {brief(answer)}; expected {EXPECTED}.", hints=HINTS)
        given = [_number(answer[key]) for key in KEYS]
        for key, value in zip(KEYS, given, strict=True):
            if value is None:
                told = f"{key!r} is {brief(answer[key])}; expected a number, such as 1.25."
                return Verdict(NAME, WRONG, told, hints=HINTS)
        return self._verdict([value for value in given if value is not None])

    def _verdict(self, given: list[float]) -> Verdict:
        counts = _counts()
        right = speed_ups(counts)
        if _near(given, right):
            return Verdict(NAME, RIGHT, _praise(counts, right))
        off = [key for key, one, other in zip(KEYS, given, right, strict=True) if not _near([one], (other,))]
        said = " and ".join(f"{key!r} = {given[KEYS.index(key)]:.4g}" for key in off)
        told = f"With {count(WORKERS, 'worker')} {said} is not within {TOLERANCE:g} of what the counts give."
        mistake = next((each for each in MISTAKES if _near(given, each.predicts(counts, WORKERS))), None)
        if mistake is None:
            return Verdict(NAME, WRONG, told, hints=HINTS)
        told = f"{told} It looks as if {mistake.says}. {mistake.hint}"
        return Verdict(NAME, WRONG, told, mistake.name, hints=(mistake.hint, *HINTS))


def _praise(counts: RootCounts, right: tuple[float, float]) -> str:
    told = []
    for key, nodes, speed_up in zip(KEYS, (counts.full, counts.narrowed), right, strict=True):
        last = makespan(nodes, WORKERS)
        told.append(f"{key}: {sum(nodes):,} in all, and the last worker ends after {last:,}: × {speed_up:.2f}")
    alone = f"One worker alone, with alpha-beta as usual, searches {counts.sequential:,} nodes"
    return f"{alone}; {WORKERS} workers, {'; '.join(told)}."


@cache
def _counts() -> RootCounts:
    return root_counts()


def _empty(answer: Mapping[Any, Any]) -> bool:
    return all(value is None or value is ... for value in answer.values())


def _number(value: Any) -> float | None:
    try:
        known = plain(value)
    except OverflowError:
        return None
    return None if known is None else float(known)


def _near(given: Sequence[float], right: Sequence[float]) -> bool:
    return all(abs(one - other) <= TOLERANCE for one, other in zip(given, right, strict=True))


PREDICT_SPEED_UP = PredictionExercise()
