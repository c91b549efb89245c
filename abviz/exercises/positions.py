"""Exercises on positions: checkers as the student's own work, and what an evaluation may count.

The answer to an exercise on the rules of checkers is a class under `@checkers_game`. It is right
where the positions after its moves are those of the rules, in any order and however it writes its
moves.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import find_spec
from inspect import getsource
from math import inf
from typing import Any

from abviz.errors import brief, count, number
from abviz.exercises import checkers_rules
from abviz.exercises.checkers_rules import legal_moves, squares
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.game_runs import RULES
from abviz.exercises.judgement import (
    Difference,
    FunctionExercise,
    Run,
    Runs,
    edited,
    last_of,
    mistake,
    run_edited,
    with_edits,
)
from abviz.exercises.observation import Job, Observation, outcome
from abviz.exercises.verdict import Verdict
from abviz.games.checkers import BITS, BLACK_CROWNS, WHITE_CROWNS, Checkers, mask
from abviz.games.notation import CROWNED_ON
from abviz.games.student_checkers import FIELDS, ends_of, name_of
from abviz.games.tic_tac_toe import TicTacToe

OBSTACLE = "obstacle"  # how a job asks what keeps the engine from using the rules
STEPS = (
    "checkers-men",
    "checkers-kings",
    "checkers-jumps",
    "checkers-multiple-jumps",
    "checkers-crowning",
)

right_moves = lru_cache(10_000)(legal_moves)


def level(position: Checkers) -> int:
    """Return what the position asks of the rules: 0 men that step, 1 kings, 2 a jump, 3 a longer
    one, 4 crowning.
    """
    last_row, moves = CROWNED_ON["BW"[position.turn]], right_moves(position)
    if any(path[-1] in last_row and path[0] not in squares(position.kings) for path, *_ in moves):
        return 4
    most = max((len(move.taken) for move in moves), default=0)
    return 3 if most > 1 else 2 if most else 1 if position.kings else 0


def does_not_compile(cls: Any, rules: Sequence[str]) -> str:
    """Return why the engine cannot compile these rules, in words; "" where it can, and where there
    is no numba.
    """
    if find_spec("numba") is None:
        return ""
    from abviz.engine.compiler import problem_of

    return problem_of(cls.start(), rules)


@cache
def checkers_positions() -> list[Checkers]:
    """Return random positions and those of some games, the fewest pieces first."""
    found, chance = set[Checkers](), random.Random(1)
    for _ in range(3000):
        places = chance.sample(range(1, 33), chance.randint(1, 12))
        blacks, kings = (
            chance.randint(0, len(places)),
            chance.sample(places, chance.randint(0, len(places))),
        )
        black, white = mask(places[:blacks]), mask(places[blacks:])
        crowned = black & BLACK_CROWNS | white & WHITE_CROWNS  # a man on his last row is a king
        found.add(Checkers(black, white, mask(kings) | crowned, chance.randint(0, 1)))
    for row in texts()["positions"]:
        layer = {Checkers.from_fen(row["fen"])}
        for _ in range(row["plies"] + 1):
            found |= layer
            layer = {move.after for each in layer for move in right_moves(each)}
    return sorted(
        found,
        key=lambda each: ((each.black | each.white).bit_count(), each.kings.bit_count(), each),
    )


@dataclass(frozen=True, repr=False)
class PositionExercise(FunctionExercise):
    """An exercise whose answer has to be right on many positions: as it stands, a number to be
    counted there.
    """

    name: str
    how: str  # the answer is run: see `Job`

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Yield what the answer is tried on: each a position, and what else belongs to a run."""
        if self.how != "cells":
            yield from ((position,) for position in checkers_positions())
            return
        layer: set[Any] = {TicTacToe.start()}  # the positions with as many marks
        while layer:
            yield from ((position,) for position in sorted(layer))
            layer = {position.play(move) for position in layer for move in position.moves()}

    @cache  # noqa: B019  # a run is looked up by its job
    def trials(self) -> Sequence[Sequence[Job]]:
        """Return the positions; rules that are right there are then looked at as the engine will
        use them.
        """
        runs = [Job(None, arguments, self.how) for arguments in self.arguments()]
        return [runs, [Job(None, (self.how,), OBSTACLE)]] if self.how in RULES else [runs]

    def sample(self) -> Sequence[Job]:
        return [job for job in super().sample() if job.how != OBSTACLE]

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        return () if job.how == OBSTACLE else super().named_at_once(job, run)

    def difference(self, job: Job, run: Observation) -> Difference | None:
        if job.how == OBSTACLE and not run.problem:
            return Difference(f"{run.value}.") if run.value else None
        return super().difference(job, run)

    def build(self, **edits: str) -> Any:
        return edited(self.name, **edits)

    def where(self, job: Job, run: Observation) -> str:
        if job.how == OBSTACLE:
            return "The positions are right, but the engine cannot use the rules:"
        return f"On {job.arguments[0].fen}"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        return (
            None
            if run.value == right
            else Difference(f"it returns {brief(run.value)}; expected {number(right)}.")
        )

    def praise(self, runs: Runs) -> str:
        return f"It is right on {count(sum(job.how != OBSTACLE for job in runs), 'position')}."

    def with_own_run(self, verdict: Verdict, wrong: Run | None, answer: Any) -> Verdict:
        """Return the verdict; of rules that are right, with what keeps numba from compiling them."""
        if not verdict or self.how not in RULES:
            return verdict
        problem = does_not_compile(answer, RULES[self.how])
        return replace(verdict, message=f"{verdict.message} But {problem}.") if problem else verdict

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        if job.how == OBSTACLE:
            return {}
        return {"position": job.arguments[0].fen, "board": job.arguments[0].svg()}

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        """The mistakes of this exercise; of a step of the rules then those of the steps before."""
        before = STEPS[: STEPS.index(self.name)] if self.name in STEPS else ()
        return [
            mistake(name)
            for step in (self.name, *reversed(before))
            for name in texts()[step]["mistakes"]
        ]


class RulesExercise(PositionExercise):
    """What the rules say of a position, in words: whether the game is over, and who has won."""

    @staticmethod
    @cache
    def build(**edits: str) -> dict[str, Any]:  # type: ignore[override]
        """Return the names of the rules, with these edits."""
        return run_edited(getsource(checkers_rules), edits)

    def imitate(self, job: Job, /, **faults: str) -> Observation:
        value, problem = outcome(self.build(**faults)[self.how], *job.arguments)
        return self.read(job, Observation(value, problem=problem))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        return None if run.value == right else Difference(f"{run.value}; expected that {right}.")


class StepExercise(RulesExercise):
    """A step of the rules: the moves of a class, and the positions after them."""

    def arguments(self) -> Iterable[tuple[Checkers]]:
        return (
            (position,)
            for position in checkers_positions()
            if level(position) <= STEPS.index(self.name)
        )

    def smaller(self, job: Job) -> Iterator[Job]:
        if job.how == OBSTACLE:
            return
        (position,) = job.arguments
        for square in position.pieces:
            fewer = Checkers._make(
                [*(bits & ~BITS[square] for bits in position[:3]), position.turn]
            )
            if fewer[fewer.turn] and level(fewer) <= STEPS.index(self.name):
                yield Job(None, (fewer,), self.how)

    def read(self, job: Job, run: Observation) -> Observation:
        if job.how == OBSTACLE:
            return run
        return self._read_positions(run)

    def _read_positions(self, run: Observation) -> Observation:
        """Return the run with the set of positions; in the details, how often each is there."""
        made = Counter(Checkers(*after) for after in run.value or ())
        return run if run.problem else replace(run, value=frozenset(made), details=made)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position,), made, moves = job.arguments, run.details, right_moves(*job.arguments)
        right = Counter(move.after for move in moves)  # a jump may get there in several ways
        added = {
            ends_of(position, after): after
            for after in sorted(made.keys() - right.keys(), reverse=True)
        }
        for move in moves:
            name = name_of(position, move.after, move.path)
            times, other = made[move.after], added.get((move.path[0], move.path[-1]))
            if times > right[move.after]:
                return Difference(f"it adds {name} {times} times; expected once.")
            if times == 0 and other:  # the move is there, with another result
                field = next(
                    field for field in FIELDS if getattr(other, field) != getattr(move.after, field)
                )
                show = int if field == "turn" else squares
                found, expected = (
                    show(getattr(position, field)) for position in (other, move.after)
                )
                return Difference(f"after {name} {field} is {found}; expected {expected}.")
            if times == 0:
                return Difference(f"{name} is missing.")
        for ends, after in added.items():
            name = name_of(position, after, ends) or f"a move to {after.fen}"
            must = " A capture is compulsory." * any(move.taken for move in moves)
            return Difference(f"it adds {name}, which is not legal.{must}")
        return None


class EvaluationExercise(PositionExercise):
    """An evaluation that prefers men to nothing, kings to men, and no colour."""

    def arguments(self) -> Iterable[tuple[Checkers, ...]]:
        """Yield positions, each also with the colours swapped, with one white man less, and with a
        king for a man.
        """
        for position in checkers_positions():
            black, white, kings, turn = position
            men, others = squares(black & ~kings), squares(white & ~kings)
            if men and others and right_moves(position):
                swapped = [
                    mask(33 - square for square in squares(bits)) for bits in (white, black, kings)
                ]
                fewer, crowned = (
                    Checkers(black, white - BITS[others[0]], kings, turn),
                    kings | BITS[men[0]],
                )
                yield (
                    position,
                    Checkers._make([*swapped, 1 - turn]),
                    fewer,
                    Checkers(black, white, crowned, turn),
                )

    def behaves(self, job: Job, run: Observation, /, **faults: str) -> bool:
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
        value, turned, more, crowned = run.value
        if turned == -value and more > value and crowned > value:
            return None
        found = f"evaluate returns {number(value)}, with the colours swapped {number(turned)}"
        found += f", with one white man less {number(more)} and with a king for a black man {number(crowned)}"
        return Difference(
            f"{found}; expected {number(-value)} with the colours swapped, and more with the others."
        )


# Edits of the reference of alphabeta, which make it search positions
GAME = {
    "search(node, ": "search(node, depth, ",
    "search(child, ": "search(child, depth - 1, ",
    "node.is_leaf": "depth == 0 or node.over()",
    "node.is_max": "node.is_max()",
    "node.children": "[node.play(move) for move in node.moves()]",
    "node.value": "(1_000_000 * node.value() if node.over() else node.evaluate())",
}
WINDOWS = (-inf, inf), (-40, 60)
# Plies, and the step between the positions searched to that depth
DEPTHS = {1: 90, 2: 90, 3: 120, 4: 240}


class GameSearchExercise(PositionExercise):
    """Alpha-beta on positions of checkers, to a depth."""

    @staticmethod
    @cache
    def build(**edits: str) -> Callable[..., Any]:  # type: ignore[override]
        """Return the reference of alphabeta after these edits, made to search positions."""
        text = with_edits(texts()["alphabeta"]["reference"], edits)
        for of_tree, of_game in GAME.items():
            if of_tree not in edits:  # a mistake may have put something of a game there, or nothing
                text = text.replace(of_tree, of_game)
        return last_of(run_edited(text, {}))

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Return searches of positions with pieces of both colours: few pieces deep, more of them
        less deep.
        """
        good = [
            each for each in checkers_positions() if each.black and each.white and right_moves(each)
        ]
        every = [(each, depth) for depth, step in DEPTHS.items() for each in good[depth::step]]
        return [(*each, *window) for window in WINDOWS for each in every]

    def where(self, job: Job, run: Observation) -> str:
        position, depth, alpha, beta = job.arguments
        return f"On {position.fen}, {count(depth, 'move')} deep, with the window ({number(alpha)}, {number(beta)}),"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if run.value == right.value and run.leaves != right.leaves:
            found, expected = count(len(run.leaves), "position"), len(right.leaves)
            return Difference(
                f"it evaluates {found}; expected {expected}, in the order of the moves."
            )
        return super().compare(job, run)


POSITIONS = (
    PositionExercise("open-lines", "cells"),
    PositionExercise("advance", "pieces"),
    *(StepExercise(step, "children") for step in STEPS),
    RulesExercise("checkers-end", "end"),
    EvaluationExercise("checkers-evaluation", "evaluate"),
    GameSearchExercise("checkers-alphabeta", "game"),
)
