"""Exercises on positions: checkers as the student's own work, and what an evaluation may count.

The answer to an exercise on the rules of checkers is a class under `@checkers_game`. It is right where the positions
after its moves are those of the rules, in any order and however it writes its moves.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from inspect import getsource
from itertools import product, zip_longest
from math import inf
from typing import Any

from abviz.errors import brief, count, number, plain
from abviz.exercises import checkers_rules
from abviz.exercises.checkers_rules import legal_moves, squares
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.judgement import Difference, FunctionExercise, Runs
from abviz.exercises.mistakes import edited, mistake, run_edited
from abviz.exercises.observation import Job, Observation, outcome
from abviz.games.checkers import BITS, BLACK_CROWNS, BOARD, WHITE_CROWNS, Checkers, mask
from abviz.games.notation import CROWNED_ON
from abviz.games.student_checkers import FIELDS, ends_of, name_of
from abviz.games.tic_tac_toe import TicTacToe

STEPS = ("checkers-men", "checkers-kings", "checkers-jumps", "checkers-multiple-jumps", "checkers-crowning")
PERFT = 5  # plies that are counted
SAMPLES = 3000  # random positions

right_moves = lru_cache(10_000)(legal_moves)


# the positions on which an answer is tried


def level(position: Checkers) -> int:
    """Return what the position asks of the rules: 0 men that step, 1 kings, 2 a jump, 3 a longer one, 4 crowning."""
    last_row, moves = CROWNED_ON["BW"[position.turn]], right_moves(position)
    if any(path[-1] in last_row and path[0] not in squares(position.kings) for path, *_ in moves):
        return 4
    most = max((len(move.taken) for move in moves), default=0)
    return 3 if most > 1 else 2 if most else 1 if position.kings else 0


@cache
def checkers_positions() -> dict[Checkers, int]:
    """Return positions with their levels, those of the fewest pieces first."""
    found = {*_samples()}
    for row in texts()["positions"]:
        layer = {Checkers.from_fen(row["fen"])}
        for _ in range(row["plies"] + 1):
            found |= layer
            layer = {move.after for each in layer for move in right_moves(each)}
    ordered = sorted(found, key=lambda each: ((each.black | each.white).bit_count(), each.kings.bit_count(), each))
    return {each: level(each) for each in ordered}


def _samples() -> Iterator[Checkers]:
    """Yield random positions. A man on his last row has been crowned."""
    chance = random.Random(1)
    for _ in range(SAMPLES):
        places = chance.sample(range(1, 33), chance.randint(1, 12))
        blacks, kings = chance.randint(0, len(places)), chance.sample(places, chance.randint(0, len(places)))
        black, white = mask(places[:blacks]), mask(places[blacks:])
        crowned = black & BLACK_CROWNS | white & WHITE_CROWNS
        yield Checkers(black, white, mask(kings) | crowned, chance.randint(0, 1))


# the exercises


@dataclass(frozen=True, repr=False)
class PositionExercise(FunctionExercise):
    """An exercise whose answer has to be right on many positions: as it stands, a number to be counted there."""

    name: str
    how: str  # the answer is run: see `Job`

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Yield what the answer is tried on: each a position, and what else belongs to a run."""
        if self.how == "pieces":
            yield from ((position,) for position in checkers_positions())
            return
        layer: set[Any] = {TicTacToe.start()}  # the positions with as many marks
        while layer:
            yield from ((position,) for position in sorted(layer))
            layer = {position.play(move) for position in layer for move in position.moves()}

    @cache  # noqa: B019  # a run is looked up by its job
    def trials(self) -> Sequence[Sequence[Job]]:
        return [[Job(None, arguments, self.how) for arguments in self.arguments()]]

    def build(self, **edits: str) -> Any:
        return edited(self.name)(**edits)

    def where(self, job: Job, run: Observation) -> str:
        return f"On {job.arguments[0].fen}"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        found = brief(run.value) if plain(run.value) is None else number(run.value)
        return None if run.value == right else Difference(f"it returns {found}; expected {number(right)}.")

    def praise(self, runs: Runs) -> str:
        return f"It is right on {count(len(runs), 'position')}."

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        """Return the position and its picture."""
        return {"position": job.arguments[0].fen, "board": job.arguments[0].svg()}

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        """The mistakes of this exercise; of a step of the rules then those of the steps before."""
        before = STEPS[: STEPS.index(self.name)] if self.name in STEPS else ()
        return [mistake(name) for step in (self.name, *reversed(before)) for name in texts()[step]["mistakes"]]


# the rules


@cache
def rules_with(**edits: str) -> dict[str, Any]:
    """Return the names of the rules, with these edits."""
    return run_edited(getsource(checkers_rules), edits, {})


class RulesExercise(PositionExercise):
    """A step of the rules: the moves of a class, and the positions after them."""

    def arguments(self) -> Iterable[tuple[Checkers]]:
        level = STEPS.index(self.name)
        return ((position,) for position, asks in checkers_positions().items() if asks <= level)

    def smaller(self, job: Job) -> Iterator[Job]:
        (position,) = job.arguments
        for square in position.pieces:
            fewer = position._replace(**{name: getattr(position, name) & ~BITS[square] for name in FIELDS[:3]})
            if fewer[fewer.turn] and level(fewer) <= STEPS.index(self.name):
                yield Job(None, (fewer,), self.how)

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with the set of positions; in the details, how often each is there."""
        made = Counter(map(tuple, run.value or ()))
        return run if run.problem else replace(run, value=frozenset(made), details=made)

    def imitate(self, job: Job, **faults: Any) -> Observation:
        value, problem = outcome(rules_with(**faults)[self.how], *job.arguments)
        return self.read(job, Observation(value, problem=problem))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position,), made, moves = job.arguments, run.details, right_moves(*job.arguments)
        right = Counter(move.after for move in moves)  # a jump may get there in several ways
        added = sorted(Checkers(*after) for after in made.keys() - right.keys())
        added.sort(key=lambda after: not ends_of(position, after))
        for after, move in product(added, moves):  # is it a move of the rules, with another result?
            if move.after not in made and ends_of(position, after) == (move.path[0], move.path[-1]):
                places = zip(FIELDS, after, move.after, strict=True)
                name, found, expected = next(each for each in places if each[1] != each[2])
                if name != "turn":
                    return Difference(f"after {move.name} {name} holds {squares(found)}; expected {squares(expected)}.")
                return Difference(f"after {move.name} turn is {found}; expected {expected}.")
        if added:
            ends = ends_of(position, added[0])
            name = name_of(position, added[0], ends) or f"a move to {added[0].fen}"
            must = " A capture is compulsory." * any(move.taken for move in moves)
            return Difference(f"it adds {name}, which is not legal.{must}")
        for move in moves:
            times = made[move.after]
            if times == 0:
                return Difference(f"{move.name} is missing.")
            if times > right[move.after]:
                return Difference(f"it adds {move.name} {times} times; expected once.")
        return None

    def praise(self, runs: Runs) -> str:
        if self.name != STEPS[-1]:
            return super().praise(runs)
        children = {job.arguments[0]: run.details for job, run in runs.items()}
        layer: list[Any] = [Checkers.start()]
        perft = []
        for _ in range(PERFT):
            layer = [child for position in layer for child in children[position].elements()]
            perft.append(number(len(layer)))
        return f"{super().praise(runs)[:-1]}; perft from the start is {', '.join(perft)}."


class EndExercise(PositionExercise):
    """When the game is over, and who has won."""

    def arguments(self) -> Iterable[tuple[Checkers]]:
        return ((position,) for position in checkers_positions())

    def imitate(self, job: Job, **faults: Any) -> Observation:
        return Observation(rules_with(**faults)[self.how](*job.arguments))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        return None if run.value == right else Difference(f"{run.value}; expected that {right}.")


# the evaluation


class EvaluationExercise(PositionExercise):
    """An evaluation that prefers men to nothing, kings to men, and no colour."""

    def arguments(self) -> Iterable[tuple[Checkers, ...]]:
        """Yield positions, each also with the colours swapped, with one more black man, and with a king for a man."""
        for position in checkers_positions():
            black, white, kings, turn = position
            men, free = squares(black & ~kings), squares(BOARD & ~BLACK_CROWNS & ~(black | white))
            if men and white and free and right_moves(position):
                turned = (mask(33 - square for square in squares(bits)) for bits in (white, black, kings))
                swapped = dict(zip(FIELDS, (*turned, 1 - turn), strict=True))
                changes = swapped, {"black": black | BITS[free[0]]}, {"kings": kings | BITS[men[0]]}
                yield position, *(position._replace(**change) for change in changes)

    def behaves(self, job: Job, run: Observation, **faults: Any) -> bool:
        if run.problem:
            return False
        value, turned, more, crowned = run.value
        holds = {
            "one number for all": value == turned == more == crowned,
            "the side to move": value == turned,
            "better for White": value == -turned and more < value,
            "a king as a man": more > value == crowned,
            "kings left out": more > value > crowned,
        }
        return bool(holds[faults["fault"]])

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (_, swapped, with_man, with_king), (value, turned, more, crowned) = job.arguments, run.value
        for is_right, change, other, position, expected in (
            (turned == -value, "with the colours swapped", turned, swapped, number(-value)),
            (more > value, "with one more black man", more, with_man, "more"),
            (crowned > value, "with a black king for a man", crowned, with_king, "more"),
        ):
            if not is_right:
                found = f"evaluate returns {number(value)}, and {number(other)} {change}, on {position.fen}"
                return Difference(f"{found}; expected {expected} there.")
        return None


# alpha-beta


GAME = {  # edits of the reference of alphabeta, which make it search positions
    "search(node, ": "search(node, depth, ",
    "search(child, ": "search(child, depth - 1, ",
    "node.is_leaf": "depth == 0 or node.over()",
    "node.is_max": "node.is_max()",
    "node.children": "[node.play(move) for move in node.moves()]",
    "node.value": "(1_000_000 * node.value() if node.over() else node.evaluate())",
}
WINDOWS = (-inf, inf), (-40, 60)
DEPTHS = {1: 90, 2: 90, 3: 120, 4: 240}  # plies, and the step between the positions searched to that depth


class GameSearchExercise(PositionExercise):
    """Alpha-beta on positions of checkers, to a depth."""

    def build(self, **edits: str) -> Any:
        return edited("alphabeta")(**edits, **{old: new for old, new in GAME.items() if old not in edits})

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Return searches of positions with pieces of both colours: few pieces deep, more of them less deep."""
        good = [each for each in checkers_positions() if each.black and each.white and right_moves(each)]
        every = [(each, depth) for depth, step in DEPTHS.items() for each in good[depth::step]]
        return [(*each, *window) for window in WINDOWS for each in every]

    def where(self, job: Job, run: Observation) -> str:
        position, depth, alpha, beta = job.arguments
        return f"On {position.fen}, {count(depth, 'move')} deep, with the window ({number(alpha)}, {number(beta)}),"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        for place, (found, leaf) in enumerate(zip_longest(run.leaves, right.leaves), 1):
            if run.value == right.value and found != leaf:
                found, leaf = found or "missing", leaf or f"{count(place - 1, 'position')} in all"
                return Difference(f"number {place} of the positions that it evaluates is {found}; expected {leaf}.")
        return super().compare(job, run)


POSITIONS = (
    PositionExercise("open-lines", "cells"),
    PositionExercise("advance", "pieces"),
    *(RulesExercise(step, "children") for step in STEPS),
    EndExercise("checkers-end", "end"),
    EvaluationExercise("checkers-evaluation", "evaluate"),
    GameSearchExercise("checkers-alphabeta", "game"),
)
