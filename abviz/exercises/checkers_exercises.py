"""Checkers as the student's own work: the rules step by step, an evaluation, and alpha-beta on top.

The answer to an exercise on rules is a class under `@checkers_game`. It is right where the positions after its moves
are those of the rules, in any order and however it writes its moves. A wrong answer is compared with the known
mistakes; the position on which it fails is made as small as possible, and drawn.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf
from typing import Any, NamedTuple

from abviz.errors import brief, count, number, plain
from abviz.exercises.checkers_rules import Path, bit, legal_moves, level, moves_by_result, positions
from abviz.exercises.exercise import SECONDS, Exercise, Mistake, texts
from abviz.exercises.game_runs import PositionJob, SeenPosition
from abviz.exercises.mistakes import mistake as search_mistake
from abviz.exercises.mistakes import searching
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, STOPPED, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.games.boards import board_svg
from abviz.games.checkers import Checkers
from abviz.games.notation import MOST_PIECES
from abviz.games.rules import WIN
from abviz.games.student_checkers import START, Fields, ends_of, fen_of, fields_of, name_of, pieces_of, squares
from abviz.recording.time_limit import TimeLimit, run_with_timeout

ENDLESS = "it called itself without end", "too many moves", STOPPED  # parts of the problem of an endless mistake
STEPS = ("checkers-men", "checkers-kings", "checkers-jumps", "checkers-multiple-jumps", "checkers-crowning")
SAMPLE = 200  # positions on which an answer is compared with the known mistakes
BATCH = 50  # positions asked for at once
PERFT = 5  # plies that are counted

Ask = Callable[[Sequence[PositionJob]], Iterable[Observation]]
Runs = dict[PositionJob, Any]  # what an answer gave
Log = list[tuple[PositionJob, Observation]]


class Difference(NamedTuple):
    """What is wrong with an answer on a position, and the squares of the move to be outlined there."""

    message: str
    path: Path = ()


class PositionExercise(Exercise):
    """An exercise whose answer has to be right on many positions."""

    @property
    @abstractmethod
    def jobs(self) -> Sequence[PositionJob]:
        """The questions, in order of size."""

    @abstractmethod
    def difference(self, job: PositionJob, given: Any) -> Difference | None:
        """Return what is wrong with what an answer gave, if anything."""

    @abstractmethod
    def behaves(self, job: PositionJob, given: Any, **form: Any) -> bool:
        """Return whether that form of a mistake gives the same, or raise RecursionError where it is endless."""

    def given(self, run: Observation) -> Any:
        """Return what is compared of a run; None where it has a problem."""
        return run.value

    def smaller(self, job: PositionJob) -> Iterator[PositionJob]:
        """Yield the same question about smaller positions."""
        return iter(())

    def where(self, job: PositionJob) -> str:
        return job.place

    def praise(self, runs: Runs) -> str:
        return f"It is right on {count(len(runs), 'position')}."

    def board(self, job: PositionJob, path: Path) -> str:
        """Return a picture of the position, with the squares of the path outlined."""
        return board_svg("BW"[job.position[3]], pieces_of(job.position), last=path)

    @property
    def mistakes(self) -> list[Mistake]:
        return [_mistake(name) for name in self.texts["mistakes"]]

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        tried = list(self.jobs[:1])  # made here, as it takes a while the first time
        log: Log = []

        def ask(jobs: Sequence[PositionJob]) -> Iterator[Observation]:
            for job in jobs:
                tried.append(job)
                log.append((job, observe(answer, job)))
                yield log[-1][1]

        try:
            return run_with_timeout(lambda: self.judge(ask), seconds)
        except TimeLimit:
            return self.stopped(tried[-1], f"{STOPPED}{seconds:g} seconds", log)

    def judge(self, answer: Ask) -> Verdict:
        runs: Runs = {}
        for job, run in _asked(answer, self.jobs):
            if run.problem.startswith(NO_FUNCTION):
                found = run.problem.removeprefix(NO_FUNCTION)
                return self.verdict(WRONG, f"The answer is {found}; expected {self.texts['expected']}.")
            if run.problem == NOT_WRITTEN:
                return self.verdict(NOT_YET, f"It is not written yet; expected {self.texts['expected']}.")
            if self._difference(job, run):
                return self._judge_wrong(job, run, answer, runs)
            runs[job] = self.given(run)
        return self.verdict(RIGHT, self.praise(runs))

    def stopped(self, job: PositionJob, problem: str, log: Log) -> Verdict:
        """Return the verdict on an answer that was stopped on this position, after these runs."""
        wrong = [(each, run) for each, run in log if self._difference(each, run)]
        job, run = wrong[0] if wrong else (job, Observation(None, problem=problem))
        return self._wrong(job, run, {each: self.given(run) for each, run in log})

    def _difference(self, job: PositionJob, run: Observation) -> Difference | None:
        return Difference(f"{run.problem}.") if run.problem else self.difference(job, self.given(run))

    def _judge_wrong(self, job: PositionJob, run: Observation, answer: Ask, runs: Runs) -> Verdict:
        """Return the verdict on an answer that is wrong on this position, and right in these runs."""
        if _is_endless(run):
            return self._wrong(job, run, runs)
        candidates = self.smaller(job)
        while other := next(candidates, None):
            (again,) = answer([other])
            if self._difference(other, again):
                job, run, candidates = other, again, self.smaller(other)
        sample = [] if run.problem else self.jobs[:: max(1, len(self.jobs) // SAMPLE)]
        runs |= {each: self.given(again) for each, again in _asked(answer, sample)}
        return self._wrong(job, run, runs)

    def _wrong(self, job: PositionJob, run: Observation, runs: Runs) -> Verdict:
        found = self._difference(job, run) or Difference("")
        can_be_named = not run.problem or _is_endless(run)
        mistake = self._mistake({job: self.given(run)} | runs) if can_be_named else None
        message, mistakes = f"On {self.where(job)} {found.message}", [mistake] if mistake else []
        board = self.board(job, found.path)
        return self.verdict(WRONG, message, mistakes, position=job.place, board=board)

    def _mistake(self, runs: Runs) -> Mistake | None:
        """Return the first known mistake that behaves as the answer does in all of these runs."""

        def behaves(form: dict[str, Any], job: PositionJob, given: Any) -> bool:
            try:
                return self.behaves(job, given, **form)
            except RecursionError:
                return given is None

        forms = ((mistake, form) for mistake in self.mistakes for form in mistake.forms)
        return next((mistake for mistake, form in forms if all(behaves(form, *run) for run in runs.items())), None)


def _asked(answer: Ask, jobs: Sequence[PositionJob]) -> Iterator[tuple[PositionJob, Observation]]:
    for at in range(0, len(jobs), BATCH):
        batch = jobs[at : at + BATCH]
        yield from zip(batch, answer(batch), strict=False)


def _is_endless(run: Observation) -> bool:
    return any(part in run.problem for part in ENDLESS)


def _mistake(name: str) -> Mistake:
    """Return a mistake of checkers.yaml, or one of searches.yaml."""
    rows = texts()["checkers mistakes"]
    if name not in rows:
        return search_mistake(name)
    forms = rows[name].get("forms", [name])
    return Mistake(name, rows[name]["says"], rows[name]["hint"], tuple({"fault": form} for form in forms))


@cache
def _jobs(question: str, most: int = len(STEPS)) -> tuple[PositionJob, ...]:
    return tuple(PositionJob(question, position) for position, asks in positions().items() if asks <= most)


# the rules


@dataclass(frozen=True, repr=False)
class RulesExercise(PositionExercise):
    """A step of the rules: the moves of a class, and the positions after them."""

    name: str

    @property
    def level(self) -> int:
        return STEPS.index(self.name)

    @property
    def jobs(self) -> Sequence[PositionJob]:
        return _jobs("children", self.level)

    @property
    def mistakes(self) -> list[Mistake]:
        """The mistakes of this step, then those of the steps before."""
        steps = reversed(STEPS[: self.level + 1])
        return [_mistake(name) for step in steps for name in texts()[step]["mistakes"]]

    def smaller(self, job: PositionJob) -> Iterator[PositionJob]:
        pieces, turn = pieces_of(job.position), job.position[3]
        for square in pieces:
            fewer = fields_of("BW"[turn], {each: pieces[each] for each in pieces if each != square})
            if fewer[turn] and level(fewer) <= self.level:
                yield PositionJob("children", fewer)

    def given(self, run: Observation) -> Any:
        return None if run.problem else [tuple(child) for child in run.value]

    def behaves(self, job: PositionJob, given: Any, **form: Any) -> bool:
        children = {move.after for move in legal_moves(job.position, form["fault"])}
        return given is not None and children == set(given)

    def difference(self, job: PositionJob, given: Any) -> Difference | None:
        position, right, made = job.position, moves_by_result(job.position), Counter(given)
        added, missing = sorted(made.keys() - right.keys()), sorted(right.keys() - made.keys())
        added.sort(key=lambda after: not ends_of(position, after))
        for after in added:
            ends = ends_of(position, after)
            for meant in missing:
                path = right[meant][0].path
                if ends == (path[0], path[-1]):  # a move of the rules, with another result
                    name = name_of(position, meant, path)
                    return Difference(f"{name} leads to {_written(after)}; expected {_written(meant)}.", path)
        captures = any(moves[0].taken for moves in right.values())
        for after in added:
            ends = ends_of(position, after)
            name = name_of(position, after, ends) if ends else f"a move to {_written(after)}"
            must = " A capture is compulsory." if captures else ""
            return Difference(f"it adds {name}, which is not legal.{must}", ends)
        for after in missing:
            path = right[after][0].path
            return Difference(f"{name_of(position, after, path)} is missing.", path)
        for after, times in made.items():
            if times > len(right[after]):
                path = right[after][0].path
                return Difference(f"it adds {name_of(position, after, path)} {times} times; expected once.", path)
        return None

    def praise(self, runs: Runs) -> str:
        if self.name != STEPS[-1]:
            return super().praise(runs)
        children = {job.position: given for job, given in runs.items()}

        def perft(position: Fields, depth: int) -> int:
            below = children[position]
            return len(below) if depth == 1 else sum(perft(child, depth - 1) for child in below)

        counts = ", ".join(number(perft(START, depth)) for depth in range(1, PERFT + 1))
        return f"{super().praise(runs)[:-1]}; perft from the start is {counts}."


def _written(position: Fields) -> str:
    """Return the position as FEN, and what a FEN cannot say of it."""
    black, white, kings, _ = position
    strays = [("both colours", black & white), ("a bit of kings and no piece", kings & ~(black | white))]
    return fen_of(position) + "".join(f" ({words} on {squares(bits)[0]})" for words, bits in strays if bits)


class EndExercise(PositionExercise):
    """When the game is over, and who has won."""

    name = "checkers-end"

    @property
    def jobs(self) -> Sequence[PositionJob]:
        return _jobs("end")

    def behaves(self, job: PositionJob, given: Any, **form: Any) -> bool:
        return bool(given == _end(job.position, form["fault"]))

    def difference(self, job: PositionJob, given: Any) -> Difference | None:
        position, (over, value) = job.position, _end(job.position)
        moves = legal_moves(position)
        if given[0] != over:
            name, path = (name_of(position, moves[0].after, moves[0].path), moves[0].path) if moves else ("no move", ())
            reason = f"{('Black', 'White')[position[3]]} has {name}"
            return Difference(f"over returns {bool(given[0])}; expected {bool(over)}: {reason}.", path)
        if given[1] != value:
            return Difference(f"value returns {brief(given[1])}; expected {number(value)}.")
        return None


def _end(position: Fields, fault: str = "") -> list[Any]:
    """Return whether the game is over, 0 or 1, and if so its value."""
    turn, moves = position[3], legal_moves(position)
    over = not moves
    if fault == "only a side without pieces has lost":
        over = not position[turn]
    if fault == "captures forgotten at the end":
        over = all(move.taken for move in moves)
    value = 2 * turn - 1
    if fault == "the winner has lost":
        value = -value
    if fault == "a blocked side draws" and position[turn]:
        value = 0
    return [int(over), value if over else None]


# the evaluation


class EvaluationExercise(PositionExercise):
    """An evaluation that prefers men to nothing, kings to men, and no colour."""

    name = "checkers-evaluation"

    @property
    def jobs(self) -> Sequence[PositionJob]:
        return _evaluations()

    def behaves(self, job: PositionJob, given: Any, **form: Any) -> bool:
        if given is None:
            return False
        value, turned, more, crowned = given
        holds: dict[str, bool] = {
            "one number for all": value == turned == more == crowned,
            "the side to move": value == turned,
            "better for White": value == -turned and more < value,
            "a king as a man": more > value == crowned,
            "kings left out": more > value > crowned,
        }
        return holds[form["fault"]]

    def difference(self, job: PositionJob, given: Any) -> Difference | None:
        value, turned, more, crowned = given
        if turned != -value:
            where = f"the same with the colours swapped, {fen_of(job.others[0])}"
            return Difference(f"evaluate returns {number(value)}, and {number(turned)} on {where}; expected {-value}.")
        richer = (more, job.others[1], "one more man"), (crowned, job.others[2], "a king for a man")
        for other, after, words in richer:
            if other <= value:
                changed = squares(after[0] & ~job.position[0] | after[2] & ~job.position[2])
                where = f"where Black has {words} on {changed[0]}"
                found = f"evaluate returns {number(value)}, and {number(other)} {where}"
                return Difference(f"{found}; expected more there.", tuple(changed))
        return None


COLOURS_SWAPPED = str.maketrans("bBwW", "wWbB")


@cache
def _evaluations() -> tuple[PositionJob, ...]:
    """Return positions, each also with the colours swapped, with one more black man, and with a king for a man."""
    jobs = []
    for position in positions():
        black, white, kings, turn = position
        men, free = squares(black & ~kings), squares(~(black | white) & 0x0FFFFFFF)
        if men and white and free and black.bit_count() < MOST_PIECES and legal_moves(position):
            pieces = {33 - square: piece.translate(COLOURS_SWAPPED) for square, piece in pieces_of(position).items()}
            others = (
                fields_of("WB"[turn], pieces),
                (black | bit(free[0]), white, kings, turn),
                (black, white, kings | bit(men[0]), turn),
            )
            jobs.append(PositionJob("evaluate", position, others))
    return tuple(jobs)


# alpha-beta


class Node(NamedTuple):
    """A position as a node of a tree, for the search that shows the known mistakes."""

    position: SeenPosition
    depth: int
    name: str = ""
    fault: str = ""

    @property
    def is_leaf(self) -> bool:
        return self.depth == 0 or (self.position.over() and self.fault != "over is not asked")

    @property
    def is_max(self) -> bool:
        return self.position.is_max()

    @property
    def value(self) -> int:
        if not self.position.over() or self.fault == "the end is evaluated":
            return self.position.evaluate()
        return self.position.value() * (1 if self.fault == "a win counts 1" else WIN)

    @property
    def children(self) -> list["Node"]:
        moves = self.position.moves()
        return [Node(self.position.play(move), self.depth - 1, move, self.fault) for move in moves]


WINDOWS = (-inf, inf), (-40, 60)
DEPTHS = {1: 90, 2: 90, 3: 120, 4: 240}  # plies, and the step between the positions searched to that depth


class GameSearchExercise(PositionExercise):
    """Alpha-beta on positions of checkers, to a depth."""

    name = "checkers-alphabeta"

    def where(self, job: PositionJob) -> str:
        alpha, beta = map(number, job.window)
        return f"{job.place}, {count(job.depth, 'move')} deep, with the window ({alpha}, {beta}),"

    @property
    def jobs(self) -> Sequence[PositionJob]:
        return _searches()

    def given(self, run: Observation) -> Any:
        return None if run.problem else (run.value, tuple(dict.fromkeys(run.leaves)))

    def behaves(self, job: PositionJob, given: Any, fault: str = "", **faults: Any) -> bool:
        return given is not None and given == _searched(job, fault, **faults)

    def difference(self, job: PositionJob, given: Any) -> Difference | None:
        (value, leaves), (best, needed) = given, _right_search(job)
        if value != best:
            shown = brief(value) if plain(value) is None else number(value)
            return Difference(f"it returns {shown}; expected {number(best)}.")
        if leaves != needed:
            wrong = next((leaf for leaf in leaves if leaf not in needed), "")
            detail = f", such as {wrong}" if wrong else ""
            return Difference(f"it evaluates {count(len(leaves), 'position')}{detail}; expected {len(needed)}.")
        return None


def _searched(job: PositionJob, fault: str = "", **faults: Any) -> Any:
    """Return the value, and the positions that are evaluated, in order."""
    log: list[str] = []
    depth = job.depth + {"one move too deep": 1, "one move short": -1}.get(fault, 0)
    position = SeenPosition(Checkers.from_fen(job.place), log)
    value = searching(**faults)(Node(position, depth, fault=fault), *job.window)
    return value, tuple(dict.fromkeys(log))


_right_search = lru_cache(1000)(_searched)


@cache
def _searches() -> tuple[PositionJob, ...]:
    """Return searches of positions with pieces of both colours: few pieces deep, more of them less deep."""
    good = [each for each in positions() if each[0] and each[1] and legal_moves(each)]
    chosen = [(window, depth, each) for window in WINDOWS for depth in DEPTHS for each in good[depth :: DEPTHS[depth]]]
    return tuple(PositionJob("search", each, depth=depth, window=window) for window, depth, each in chosen)


CHECKERS = (*map(RulesExercise, STEPS), EndExercise(), EvaluationExercise(), GameSearchExercise())
