"""Checkers as the student's own work: the rules step by step, an evaluation, and alpha-beta on top.

The answer to an exercise on rules is a class under `@checkers_game`. It is right where the positions after its moves
are those of the rules, in any order and however it writes its moves. The small generator here makes them, and with a
`fault` those of a known mistake.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

from abviz.errors import count, number
from abviz.exercises.exercise import SECONDS, Exercise, Mistake, texts
from abviz.exercises.game_runs import PositionJob
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, STOPPED, Observation, observe
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.games.boards import board_svg
from abviz.games.notation import CROWNED_ON, Pieces, read_fen
from abviz.games.student_checkers import START, Fields, ends_of, fen_of, fields_of, name_of, pieces_of, squares
from abviz.recording.time_limit import TimeLimit, run_with_timeout

Path = tuple[int, ...]
Way = tuple[int, int]  # rows towards White's side (or back), columns to the right (or left)
DOWN, UP = ((1, -1), (1, 1)), ((-1, -1), (-1, 1))
LONGEST = 40  # squares of one jump, which nothing but a mistake without an end reaches
ENDLESS = "it called itself without end", "too many moves", STOPPED  # parts of the problem of such a mistake
STEPS = ("checkers-men", "checkers-kings", "checkers-jumps", "checkers-multiple-jumps", "checkers-crowning")
TANGLES, PLACEMENTS, PLIES_OF_PERFT = 600, 600, 4
SAMPLE = 400  # positions on which an answer is compared with the known mistakes
BATCH = 200  # positions asked for at once

# the rules


class Move(NamedTuple):
    """A legal move: the squares where the piece stands, those of what it takes, and the position after it."""

    path: Path
    taken: Path
    after: Fields


def neighbour(square: int, way: Way, fault: str = "") -> int:
    """Return the next square that way, 0 beyond the edge."""
    (row, place), (down, right) = divmod(square - 1, 4), way
    # The squares below are 4 and 5 away from those of rows 0, 2, 4 and 6, and 3 and 4 away from those of the others.
    to = square + 4 * down + (min(right, 0) if row % 2 else max(right, 0))
    if fault == "the same shifts in every row":
        to = square + down * (4 if right < 0 else 5)
    column = 2 * place + 1 - row % 2
    is_on_board = 0 <= column + right < 8 or fault in ("the same shifts in every row", "round the edge")
    return to if is_on_board and 1 <= to <= 32 else 0


def ways_of(turn: int, is_king: bool) -> tuple[Way, ...]:
    return DOWN + UP if is_king else (DOWN, UP)[turn]


def legal_moves(position: Fields, fault: str = "") -> list[Move]:
    """Return the legal moves, or what they are by the known mistake of that name.

    Raises RecursionError where the mistake has no end.
    """
    pieces, turn = pieces_of(position), position[3]
    own, others = squares(position[turn]), squares(position[1 - turn])
    targets = own if fault == "its own pieces jumped" else others
    last_row = CROWNED_ON["BW"[turn]]
    steps: list[Move] = []
    jumps: list[Move] = []

    def jump(path: Path, taken: Path, is_king: bool, in_the_way: Collection[int]) -> None:
        if len(path) > LONGEST:
            raise RecursionError
        before = len(jumps)
        all_ways = (is_king and fault != "a king captures forwards only") or fault == "a man captures backwards"
        if taken and path[-1] in last_row and fault in ("a crowned man jumps on", "a man jumps on from the last row"):
            all_ways = is_king = True
        for way in ways_of(mover, all_ways):
            over = neighbour(path[-1], way, fault)
            to = neighbour(over, way, fault) if over in targets else 0
            if to and to not in in_the_way and (over not in taken or fault == "a piece taken twice"):
                jump((*path, to), (*taken, over), is_king, in_the_way)
                if taken and fault == "the first way only":
                    break
        if taken and fault == "a jump stops half-way":
            del jumps[before:]
        if taken and (len(jumps) == before or fault == "a jump may stop half-way"):
            jumps.append(Move(path, taken, position_after(position, path, taken, fault)))

    mover = 1 - turn if fault == "the colours swapped" else 0 if fault == "White moves as Black does" else turn
    for square in own:
        is_king = pieces[square].isupper()
        in_the_way = pieces.keys() - ({square} if fault != "its own square in the way" else set())
        jump((square,), (), is_king, () if fault == "a jump onto a piece" else in_the_way)
        all_ways = (is_king and fault != "a king steps forwards only") or fault == "a man steps backwards"
        for way in ways_of(mover, all_ways):
            to = neighbour(square, way, fault)
            while to and (to not in pieces or (fault == "a step onto its own piece" and to in own)):
                steps.append(Move((square, to), (), position_after(position, (square, to), (), fault)))
                to = neighbour(to, way) if is_king and fault == "a king steps far" else 0
    if fault == "a capture is optional":
        return jumps + steps
    if fault == "the longest capture only":
        jumps = [each for each in jumps if len(each.taken) == max(len(each.taken) for each in jumps)]
    return jumps or steps


def position_after(position: Fields, path: Path, taken: Path, fault: str = "") -> Fields:
    """Return the position after a move along this path."""
    turn, kings, last_row = position[3], position[2], CROWNED_ON["BW"[position[3]]]
    start, end = 1 << path[0] - 1, 1 << path[-1] - 1
    captured = 0 if fault == "the captured piece stays" else sum(1 << square - 1 for square in set(taken))
    own = position[turn] & ~(0 if fault == "the piece stays where it was" else start) & ~captured | end
    other = position[1 - turn] & ~captured
    was_king, ends_there = bool(kings & start), path[-1] in last_row
    is_king = (
        was_king
        or ends_there
        or (fault == "a crowned man jumps on" and bool(taken) and bool({*path[1:]} & {*last_row}))
    )
    if fault == "the crown is lost" or (fault == "a man without a crown" and not was_king):
        is_king = False
    if fault == "crowned by a step only" and taken:
        is_king = was_king
    if fault == "a king uncrowned" and was_king and ends_there:
        is_king = False
    kings &= ~(0 if fault == "the crown stays behind" else start)
    kings &= ~(0 if fault == "the captured crown stays" else captured)
    if fault != "the crown stays behind" or not was_king:
        kings |= end if is_king else 0
    turn = turn if fault == "the same side again" else 1 - turn
    return (own, other, kings, turn) if position[3] == 0 else (other, own, kings, turn)


# the positions on which an answer is tried


@lru_cache(10_000)
def moves_by_result(position: Fields) -> dict[Fields, list[Move]]:
    """Return the legal moves by the position after them: a jump may get there in several ways."""
    right: dict[Fields, list[Move]] = {}
    for move in legal_moves(position):
        right.setdefault(move.after, []).append(move)
    return right


def level(position: Fields) -> int:
    """Return which of STEPS is the first that has all that may be played there."""
    moves, pieces, last_row = (
        list(chain(*moves_by_result(position).values())),
        pieces_of(position),
        CROWNED_ON["BW"[position[3]]],
    )
    if any(move.path[-1] in last_row and pieces[move.path[0]].islower() for move in moves):
        return 4
    most = max((len(move.taken) for move in moves), default=0)
    return 3 if most > 1 else 2 if most else 1 if position[2] else 0


@cache
def positions() -> tuple[tuple[Fields, int], ...]:
    """Return positions with their levels, those of the fewest pieces first."""
    found = {START, *_pairs(), *_tangles(), *_placements()}
    for row in texts()["perft"]:
        found |= set(_within(_fields(row["fen"]), PLIES_OF_PERFT if row["fen"].endswith("12") else 2))
    ordered = sorted(found, key=lambda each: ((each[0] | each[1]).bit_count(), each[2].bit_count(), each))
    return tuple((each, level(each)) for each in ordered)


def _fields(fen: str) -> Fields:
    return fields_of(*read_fen(fen))


def _within(position: Fields, plies: int) -> Iterator[Fields]:
    yield position
    layer = {position}
    for _ in range(plies):
        layer = {move.after for each in layer for move in legal_moves(each)}
        yield from layer


def _pairs() -> Iterator[Fields]:
    """Yield each piece alone on each square, and with another one next to it, which may have a third one behind it."""
    for square in range(1, 33):
        for piece in "bwBW":
            yield from _set_up({square: piece})
            for way in DOWN + UP:
                over = neighbour(square, way)
                to = neighbour(over, way) if over else 0
                for other in "bwBW" if over else "":
                    yield from _set_up({square: piece, over: other})
                    for third in "bw" if to else "":
                        yield from _set_up({square: piece, over: other, to: third})


def _set_up(pieces: Pieces, turn: str = "") -> Iterator[Fields]:
    """Yield the position, unless a man stands where he would have been crowned; by default the first piece moves."""
    if not any(piece.islower() and square in CROWNED_ON[piece.upper()] for square, piece in pieces.items()):
        yield fields_of(turn or next(iter(pieces.values())).upper(), pieces)


def _tangles() -> Iterator[Fields]:
    """Yield positions with one to three pieces among others that stand a row and a column apart: long captures."""
    chance = random.Random(1)
    for _ in range(TANGLES):
        own, other = chance.choice(("bw", "wb"))
        rows = chance.choice(((1, 3, 5), (2, 4, 6)))
        posts = [
            each
            for each in range(1, 33)
            if (each - 1) // 4 in rows and neighbour(each, (1, 1)) and neighbour(each, (1, -1))
        ]
        enemies = chance.sample(posts, chance.randint(2, len(posts)))
        movers = chance.sample([each for each in range(1, 33) if each not in posts], chance.randint(1, 3))
        pieces = dict.fromkeys(movers, own) | dict.fromkeys(enemies, other)
        pieces = {each: piece.upper() if chance.random() < 0.5 else piece for each, piece in pieces.items()}
        yield from _set_up(pieces, own.upper())


def _placements() -> Iterator[Fields]:
    """Yield positions with 3 to 12 pieces anywhere."""
    chance = random.Random(2)
    for _ in range(PLACEMENTS):
        where = chance.sample(range(1, 33), chance.randint(3, 12))
        kings = chance.choice((0, 0, 0.3, 0.6))
        pieces = {each: chance.choice("bw") for each in where}
        pieces = {each: piece.upper() if chance.random() < kings else piece for each, piece in pieces.items()}
        pieces = {each: piece.upper() if each in CROWNED_ON[piece.upper()] else piece for each, piece in pieces.items()}
        yield from _set_up(pieces, chance.choice("BW"))


# the exercises


class Difference(NamedTuple):
    """What is wrong with an answer on a position."""

    message: str  # continues "On B:W18:B14 "
    path: Path = ()  # the squares of the move to be outlined
    mistake: str = ""  # the known mistake that it shows, where one position is enough to tell


Ask = Callable[[Sequence[PositionJob]], Iterable[Observation]]


class PositionExercise(Exercise):
    """An exercise whose answer has to be right on many positions."""

    expected: str  # of the answer

    def jobs(self) -> Sequence[PositionJob]:
        """Return the questions, in order of size."""
        raise NotImplementedError

    def difference(self, job: PositionJob, value: Any) -> Difference | None:
        """Return what is wrong with the value that an answer gave, if anything."""
        raise NotImplementedError

    def by_mistake(self, job: PositionJob, form: str) -> Any:
        """Return what an answer with this mistake gives, made `comparable`, or raise RecursionError."""
        raise NotImplementedError

    def smaller(self, job: PositionJob) -> Iterator[PositionJob]:
        """Yield the same question about smaller positions."""
        return iter(())

    def praise(self, runs: dict[PositionJob, Any]) -> str:
        return f"On {count(len(runs), 'position')} it does what it should."

    def comparable(self, value: Any) -> Any:
        return value

    @property
    def mistakes(self) -> list[Mistake]:
        rows = texts()["rule mistakes"]
        return [mistake_of(name, rows) for name in self.texts["mistakes"]]

    def check(self, answer: Any, seconds: float = SECONDS) -> Verdict:
        tried: list[PositionJob] = []

        def ask(jobs: Sequence[PositionJob]) -> Iterator[Observation]:
            for job in jobs:
                tried.append(job)
                yield observe(answer, job)

        try:
            return run_with_timeout(lambda: self.judge(ask), seconds)
        except TimeLimit:
            problem = f"{STOPPED}{seconds:g} seconds"
            return self._wrong(
                tried[-1], Difference(f"{problem}."), self._named(tried[-1], Observation(None, problem=problem), {})
            )

    def judge(self, answer: Ask) -> Verdict:
        jobs, runs = list(self.jobs()), dict[PositionJob, Any]()
        for at in range(0, len(jobs), BATCH):
            batch = jobs[at : at + BATCH]
            for job, run in zip(batch, answer(batch), strict=False):
                if run.problem.startswith(NO_FUNCTION):
                    message = f"The answer is {run.problem[len(NO_FUNCTION) :]}; expected {self.expected}."
                    return self.verdict(WRONG, message)
                if run.problem == NOT_WRITTEN or (self.is_open(run) and not runs):
                    return self.verdict(NOT_YET, f"It is not written yet; expected {self.expected}.")
                if found := self._difference(job, run):
                    return self._judge_wrong(job, run, found, answer, runs)
                runs[job] = run.value
        return self.verdict(RIGHT, self.praise(runs))

    def is_open(self, run: Observation) -> bool:
        return False

    def _difference(self, job: PositionJob, run: Observation) -> Difference | None:
        return Difference(f"{run.problem}.") if run.problem else self.difference(job, run.value)

    def _judge_wrong(
        self, job: PositionJob, run: Observation, found: Difference, answer: Ask, runs: dict[PositionJob, Any]
    ) -> Verdict:
        if not any(part in run.problem for part in ENDLESS):
            shrinking = True
            while shrinking:
                shrinking = False
                for other in self.smaller(job):
                    (again,) = answer([other])
                    if wrong := self._difference(other, again):
                        job, run, found, shrinking = other, again, wrong, True
                        break
            jobs = list(self.jobs())
            more = jobs[:: max(1, len(jobs) // SAMPLE)] if not run.problem else []
            for other, again in zip(more, answer(more), strict=False):
                runs[other] = again.value
        return self._wrong(job, found, self._named(job, run, runs))

    def _named(self, job: PositionJob, run: Observation, runs: dict[PositionJob, Any]) -> Mistake | None:
        """Return the known mistake that does the same on this position and in all these runs."""

        def agrees(form: str, job: PositionJob, value: Any) -> bool:
            try:
                return bool(self.by_mistake(job, form) == self.comparable(value))
            except RecursionError:
                return value is None

        if run.problem and not any(part in run.problem for part in ENDLESS):
            return None
        asked = {job: run.value} | runs
        for mistake in self.mistakes:
            for form in mistake.forms:
                if all(agrees(form["fault"], *each) for each in asked.items()):
                    return mistake
        return None

    def _wrong(self, job: PositionJob, found: Difference, mistake: Mistake | None) -> Verdict:
        position = job.position
        board = board_svg("BW"[position[3]], pieces_of(position), last=found.path)
        mistakes = [mistake] if mistake else []
        return self.verdict(WRONG, f"On {self.where(job)} {found.message}", mistakes, position=job.place, board=board)

    def where(self, job: PositionJob) -> str:
        return job.place


def mistake_of(name: str, rows: dict[str, Any]) -> Mistake:
    row = rows[name]
    return Mistake(name, row["says"], row["hint"], tuple({"fault": form} for form in row.get("forms", [name])))


@dataclass(frozen=True, repr=False)
class RulesExercise(PositionExercise):
    """An exercise that asks for the moves of a class under `@checkers_game`, and for the positions after them."""

    name: str
    expected = "a class under @checkers_game"

    @property
    def mistakes(self) -> list[Mistake]:
        """Those of this step, then those of the steps before."""
        rows, steps = texts(), STEPS[: STEPS.index(self.name) + 1]
        return [mistake_of(name, rows["rule mistakes"]) for step in reversed(steps) for name in rows[step]["mistakes"]]

    def jobs(self) -> Sequence[PositionJob]:
        return _jobs("children", STEPS.index(self.name))

    def smaller(self, job: PositionJob) -> Iterator[PositionJob]:
        position = job.position
        pieces = pieces_of(position)
        for square in pieces:
            fewer = fields_of("BW"[position[3]], {each: piece for each, piece in pieces.items() if each != square})
            if fewer[position[3]] and level(fewer) <= STEPS.index(self.name):
                yield PositionJob("children", fewer)

    def comparable(self, value: Any) -> Any:
        return None if value is None else {tuple(each) for each in value}

    def by_mistake(self, job: PositionJob, form: str) -> Any:
        return {move.after for move in legal_moves(job.position, form)}

    def difference(self, job: PositionJob, value: Any) -> Difference | None:
        position = job.position
        right = moves_by_result(position)
        made = Counter(map(tuple, value))
        missing, added = right.keys() - made.keys(), made.keys() - right.keys()
        for after in sorted(added):
            path = ends_of(position, after)
            # A move of the rules, with another result?
            for meant in sorted(missing):
                if path and path == (right[meant][0].path[0], right[meant][0].path[-1]):
                    name = name_of(position, meant, right[meant][0].path)
                    return Difference(f"{name} leads to {written(after)}; expected {written(meant)}.", path)
        must = " A capture is compulsory." if any(moves[0].taken for moves in right.values()) else ""
        for after in sorted(added, key=lambda each: (not ends_of(position, each), each)):
            path = ends_of(position, after)
            name = name_of(position, after, path) if path else f"a move to {written(after)}"
            return Difference(f"it adds {name}, which is not legal.{must}", path)
        for after in sorted(missing):
            path = right[after][0].path
            return Difference(f"{name_of(position, after, path)} is missing.", path)
        for after, times in made.items():
            if times > len(right[after]):
                path = right[after][0].path
                return Difference(f"it adds {name_of(position, after, path)} {times} times; expected once.", path)
        return None

    def praise(self, runs: dict[PositionJob, Any]) -> str:
        if self.name != STEPS[-1]:
            return f"On {count(len(runs), 'position')} it has the moves that it should have."
        children = {job.position: [tuple(each) for each in value] for job, value in runs.items()}

        def perft(position: Fields, depth: int) -> int:
            below = children[position]
            return len(below) if depth == 1 else sum(perft(child, depth - 1) for child in below)

        counts = ", ".join(number(perft(START, depth)) for depth in range(1, PLIES_OF_PERFT + 2))
        return (
            f"On {count(len(runs), 'position')} it has the moves that it should have; perft from the start: {counts}."
        )


@cache
def _jobs(question: str, most: int) -> tuple[PositionJob, ...]:
    return tuple(PositionJob(question, position) for position, step in positions() if step <= most)


def written(position: Fields) -> str:
    """Return the position as FEN, and what it cannot hold: kings where nothing stands, two pieces on one square."""
    black, white, kings, _ = position
    strays = [(black & white, "both colours on"), (kings & ~(black | white), "and nothing under a crown on")]
    notes = [f" ({words} {', '.join(map(str, squares(bits)))})" for bits, words in strays if bits]
    return fen_of(position) + "".join(notes)


CHECKERS: tuple[Exercise, ...] = tuple(map(RulesExercise, STEPS))
