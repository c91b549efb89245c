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
from typing import Any, Self

from abviz.errors import brief, count, number
from abviz.exercises import checkers_rules
from abviz.exercises.checkers_rules import legal_moves, squares
from abviz.exercises.course_rules import edits_under, mistakes_under
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.game_runs import RULES
from abviz.exercises.judgement import (
    Difference,
    FunctionExercise,
    Names,
    Run,
    Runs,
    edited,
    last_of,
    mistake,
    run_edited,
    with_edits,
)
from abviz.exercises.observation import Arguments, Job, Observation, outcome
from abviz.exercises.verdict import Verdict
from abviz.games.checkers import BITS, BLACK_CROWNS, WHITE_CROWNS, Checkers, mask
from abviz.games.notation import CROWNED_ON
from abviz.games.rules import legal_moves as move_numbers
from abviz.games.student_checkers import FIELDS, ends_of, name_of
from abviz.games.tic_tac_toe import TicTacToe
from abviz.tracing.algorithms import Rules

OBSTACLE = "obstacle"  # how a job asks what keeps the engine from using the rules
STEPS = (
    "checkers-men",
    "checkers-kings",
    "checkers-jumps",
    "checkers-multiple-jumps",
    "checkers-crowning",
)

RANDOM_POSITIONS = 3000

right_moves = lru_cache(10_000)(legal_moves)


def level(position: Checkers) -> int:
    """Return what the position asks of the rules.

    It is 0 for men that step, 1 for kings, 2 for a jump, 3 for a longer one and 4 for crowning.
    """
    moves = right_moves(position)

    last_row = CROWNED_ON["BW"[position.turn]]
    kings = squares(position.kings)
    if any(move.path[-1] in last_row and move.path[0] not in kings for move in moves):
        return 4

    longest = max((len(move.taken) for move in moves), default=0)
    if longest:
        return min(longest, 2) + 1
    return 1 if position.kings else 0


def does_not_compile(cls: Any, rules: Sequence[str]) -> str:
    """Return why the engine cannot compile these rules, in words; "" where it can.

    Without numba nothing is compiled.
    """
    if find_spec("numba") is None:
        return ""
    from abviz.engine.compiler import problem_of

    return problem_of(cls.start(), rules)


@cache
def checkers_positions() -> list[Checkers]:
    """Return random positions and those of some games, the fewest pieces first."""
    chance = random.Random(1)
    positions = {_random_position(chance) for _ in range(RANDOM_POSITIONS)}

    for row in texts()["positions"]:
        layer = {Checkers.from_fen(row["fen"])}
        for _ in range(row["plies"] + 1):
            positions |= layer
            layer = {move.after for each in layer for move in right_moves(each)}

    def size(position: Checkers) -> tuple[int, int, Checkers]:
        pieces = position.black | position.white
        return pieces.bit_count(), position.kings.bit_count(), position

    return sorted(positions, key=size)


def _random_position(chance: random.Random) -> Checkers:
    places = chance.sample(range(1, 33), chance.randint(1, 12))
    blacks = chance.randint(0, len(places))
    kings = chance.sample(places, chance.randint(0, len(places)))

    black = mask(places[:blacks])
    white = mask(places[blacks:])
    crowned = black & BLACK_CROWNS | white & WHITE_CROWNS  # a man on his last row is a king
    return Checkers(
        black=black,
        white=white,
        kings=mask(kings) | crowned,
        turn=chance.randint(0, 1),
    )


def tic_tac_toe_positions() -> Iterator[TicTacToe]:
    """Yield all positions, the fewest marks first."""
    layer = {TicTacToe.start()}  # those with as many marks
    while layer:
        yield from sorted(layer)
        layer = {position.play(move) for position in layer for move in move_numbers(position)}


@dataclass(frozen=True, repr=False)
class PositionExercise(FunctionExercise):
    """An exercise whose answer has to be right on many positions.

    As it stands, the answer is a number to be counted there.
    """

    name: str
    how: str  # the answer is run: see `Job`

    def arguments(self) -> Iterable[Arguments]:
        """Yield what the answer is tried on: each a position, and what else belongs to a run."""
        positions = tic_tac_toe_positions() if self.how == "cells" else checkers_positions()
        for position in positions:
            yield (position,)

    @cache  # noqa: B019  # a run is looked up by its job
    def trials(self) -> Sequence[Sequence[Job]]:
        """Return the positions.

        Rules that are right there are then looked at as the engine will use them.
        """
        runs = [Job(None, arguments, self.how) for arguments in self.arguments()]
        if self.how not in RULES:
            return [runs]
        return [runs, [Job(None, (self.how,), OBSTACLE)]]

    def sample(self) -> Sequence[Job]:
        return [job for job in super().sample() if job.how != OBSTACLE]

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        return () if job.how == OBSTACLE else super().named_at_once(job, run)

    def difference(self, job: Job, run: Observation) -> Difference | None:
        if job.how == OBSTACLE and not run.problem:
            return Difference(f"{run.value}.") if run.value else None
        return super().difference(job, run)

    def build(self, **edits: str) -> object:
        return edited(self.name, **edits)

    def where(self, job: Job, run: Observation) -> str:
        if job.how == OBSTACLE:
            return "The positions are right, but the engine cannot use the rules:"
        return f"On {job.arguments[0].fen}"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        if run.value == right:
            return None
        return Difference(f"it returns {brief(run.value)}; expected {number(right)}.")

    def praise(self, runs: Runs) -> str:
        positions = sum(job.how != OBSTACLE for job in runs)
        return f"It is right on {count(positions, 'position')}."

    def with_own_run(self, verdict: Verdict, wrong: Run | None, answer: object) -> Verdict:
        """Return the verdict; of right rules, with what keeps numba from compiling them."""
        if not verdict or self.how not in RULES:
            return verdict

        problem = does_not_compile(answer, RULES[self.how])
        if not problem:
            return verdict
        return replace(verdict, message=f"{verdict.message} But {problem}.")

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, object]:
        if job.how == OBSTACLE:
            return {}
        position = job.arguments[0]
        return {"position": position.fen, "board": position.svg()}

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        """The mistakes of this exercise; of a step of the rules then those of the steps before."""
        before = STEPS[: STEPS.index(self.name)] if self.name in STEPS else ()

        names: list[str] = []
        for step in (self.name, *reversed(before)):
            names += texts()[step]["mistakes"]
        return list(map(mistake, names))


class RulesExercise(PositionExercise):
    """What the rules say of a position, in words: whether the game is over, and who has won."""

    @staticmethod
    @cache
    def build(**edits: str) -> Names:  # type: ignore[override]
        """Return the names of the rules, with these edits."""
        return run_edited(getsource(checkers_rules), edits)

    @lru_cache(20_000)  # noqa: B019
    def imitate(self, job: Job, /, **faults: str) -> Observation:
        value, problem = outcome(self.build(**faults)[self.how], *job.arguments)
        return self.read(job, Observation(value, problem=problem))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        if run.value == right:
            return None
        return Difference(f"{run.value}; expected that {right}.")


def without(position: Checkers, square: int) -> Checkers:
    """Return the position without the piece on that square."""
    others = ~BITS[square]
    return Checkers(
        black=position.black & others,
        white=position.white & others,
        kings=position.kings & others,
        turn=position.turn,
    )


class StepExercise(RulesExercise):
    """A step of the rules: the moves of a class, and the positions after them."""

    def belongs(self, position: Checkers) -> bool:
        """Return whether the position asks no more of the rules than this step and those before."""
        return level(position) <= STEPS.index(self.name)

    def arguments(self) -> Iterable[tuple[Checkers]]:
        for position in checkers_positions():
            if self.belongs(position):
                yield (position,)

    def smaller(self, job: Job) -> Iterator[Job]:
        if job.how == OBSTACLE:
            return
        (position,) = job.arguments
        for square in position.pieces:
            fewer = without(position, square)
            if fewer[fewer.turn] and self.belongs(fewer):
                yield Job(None, (fewer,), self.how)

    def read(self, job: Job, run: Observation) -> Observation:
        if job.how == OBSTACLE:
            return run
        return self._read_positions(run)

    def _read_positions(self, run: Observation) -> Observation:
        """Return the run with the set of positions; in the details, how often each is there."""
        if run.problem:
            return run
        made = Counter(Checkers(*after) for after in run.value or ())
        return replace(run, value=frozenset(made), details=made)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position,) = job.arguments
        made: Counter[Checkers] = run.details
        moves = right_moves(position)
        right = Counter(move.after for move in moves)  # a jump may get there in several ways

        # Positions that should not be there, by the squares where a piece has left and arrived
        added = {
            ends_of(position, after): after
            for after in sorted(made.keys() - right.keys(), reverse=True)
        }

        for move in moves:
            name = name_of(position, move.after, move.path)
            times = made[move.after]
            if times > right[move.after]:
                return Difference(f"it adds {name} {times} times; expected once.")
            if times:
                continue

            other = added.get((move.path[0], move.path[-1]))
            if other:
                return self._other_result(name, other, move.after)
            return Difference(f"{name} is missing.")

        for ends, after in added.items():
            name = name_of(position, after, ends) or f"a move to {after.fen}"
            message = f"it adds {name}, which is not legal."
            if any(move.taken for move in moves):
                message += " A capture is compulsory."
            return Difference(message)
        return None

    def _other_result(self, name: str, made: Checkers, right: Checkers) -> Difference:
        """Return the first field in which the position after a move differs."""
        differing = (field for field in FIELDS if getattr(made, field) != getattr(right, field))
        field = next(differing)

        show = int if field == "turn" else squares
        found = show(getattr(made, field))
        expected = show(getattr(right, field))
        return Difference(f"after {name} {field} is {found}; expected {expected}.")


def with_colors_swapped(position: Checkers) -> Checkers:
    """Return the position as it is from the other side of the board."""

    def turned(bits: int) -> int:
        return mask(33 - square for square in squares(bits))

    return Checkers(
        black=turned(position.white),
        white=turned(position.black),
        kings=turned(position.kings),
        turn=1 - position.turn,
    )


class EvaluationExercise(PositionExercise):
    """An evaluation that prefers men to nothing, kings to men, and no color."""

    def arguments(self) -> Iterable[tuple[Checkers, ...]]:
        """Yield positions, each with three others.

        These have the colors swapped, one white man less, and a king for a black man.
        """
        for position in checkers_positions():
            black_men = squares(position.black & ~position.kings)
            white_men = squares(position.white & ~position.kings)
            if not black_men or not white_men or not right_moves(position):
                continue

            fewer = without(position, white_men[0])
            crowned = position._replace(kings=position.kings | BITS[black_men[0]])
            yield position, with_colors_swapped(position), fewer, crowned

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

        found = (
            f"evaluate returns {number(value)}, with the colors swapped {number(turned)}, "
            f"with one white man less {number(more)} "
            f"and with a king for a black man {number(crowned)}"
        )
        expected = f"{number(-value)} with the colors swapped, and more with the others"
        return Difference(f"{found}; expected {expected}.")


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


@cache
def game_search(**edits: str) -> Callable[..., object]:
    """Return the reference of alphabeta after these edits, made to search positions."""
    text = with_edits(texts()["alphabeta"]["reference"], edits)
    for of_tree, of_game in GAME.items():
        if of_tree not in edits:  # a mistake may have put something of a game there, or nothing
            text = text.replace(of_tree, of_game)
    return last_of(run_edited(text, {}))


@dataclass(frozen=True, repr=False)
class GameSearchExercise(PositionExercise):
    """Alpha-beta on positions of checkers, to a depth."""

    rules: Rules = Rules()
    keeps: Sequence[str] = ("right_to_left",)  # moves have an order, and no left and right

    def under(self, rules: Rules) -> Self:
        followed = self.followed(rules)
        return self if followed == self.rules else replace(self, rules=followed)

    def build(self, **edits: str) -> Callable[..., object]:
        return game_search(**edits_under("alphabeta", self.rules) | edits)

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        return mistakes_under(super().mistakes, "alphabeta", self.rules)

    def arguments(self) -> Iterable[Arguments]:
        """Yield searches of positions with pieces of both colors.

        Positions of few pieces are searched deep, those of more pieces less deep.
        """
        good = []
        for position in checkers_positions():
            if position.black and position.white and right_moves(position):
                good.append(position)

        for window in WINDOWS:
            for depth, step in DEPTHS.items():
                for position in good[depth::step]:
                    yield position, depth, *window

    def where(self, job: Job, run: Observation) -> str:
        position, depth, alpha, beta = job.arguments
        window = f"({number(alpha)}, {number(beta)})"
        return f"On {position.fen}, {count(depth, 'move')} deep, with the window {window},"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if run.value != right.value or run.leaves == right.leaves:
            return super().compare(job, run)

        found = count(len(run.leaves), "position")
        expected = len(right.leaves)
        return Difference(f"it evaluates {found}; expected {expected}, in the order of the moves.")


POSITIONS = (
    PositionExercise("open-lines", "cells"),
    PositionExercise("advance", "pieces"),
    *(StepExercise(step, "children") for step in STEPS),
    RulesExercise("checkers-end", "end"),
    EvaluationExercise("checkers-evaluation", "evaluate"),
    GameSearchExercise("checkers-alphabeta", "game"),
)
