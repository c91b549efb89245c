"""Exercises on positions: checkers as the student's own work, and what an evaluation may count.

The answer to an exercise on the rules of checkers is a class under `@checkers_game`. It is right where the positions
after its moves are those of the rules, in any order and however it writes its moves.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from inspect import getsource
from itertools import product
from math import inf
from typing import Any, NamedTuple

from abviz.errors import brief, count, number, plain
from abviz.exercises import checkers_rules
from abviz.exercises.checkers_rules import Move, bit, level, positions, right_moves
from abviz.exercises.exercise import Mistake, texts
from abviz.exercises.game_runs import SeenPosition
from abviz.exercises.judgement import Difference, FunctionExercise, Runs, edited, mistake, run_edited
from abviz.exercises.observation import Job, Observation
from abviz.games.boards import board_svg, tic_tac_toe_svg
from abviz.games.checkers import Checkers
from abviz.games.notation import MOST_PIECES
from abviz.games.rules import WIN, legal_moves
from abviz.games.student_checkers import Fields, as_checkers, ends_of, fields_of, name_of, squares
from abviz.games.tic_tac_toe import TicTacToe

ENDLESS = "too many moves"  # part of the problem of a mistake that has no end
STEPS = ("checkers-men", "checkers-kings", "checkers-jumps", "checkers-multiple-jumps", "checkers-crowning")
PERFT = 5  # plies that are counted

source = cache(getsource)  # which parses the whole file


class PositionExercise(FunctionExercise):
    """An exercise whose answer has to be right on many positions."""

    how: str  # the answer is run: see `Job`

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Return what the answer is tried on: each a position, and what else belongs to a run."""
        return ((position,) for position in positions())

    @cache  # noqa: B019  # a run is looked up by its job
    def trials(self) -> Sequence[Sequence[Job]]:
        return [[Job(None, arguments, self.how) for arguments in self.arguments()]]

    def named_at_once(self, job: Job, run: Observation) -> Sequence[Mistake] | None:
        return None if ENDLESS in run.problem else super().named_at_once(job, run)

    def place(self, job: Job) -> str:
        """Return the position as text."""
        position = job.arguments[0]
        if isinstance(position, str):  # the cells of tic-tac-toe
            return " ".join(position[start : start + 3] for start in (0, 3, 6))
        return as_checkers(position).fen

    def where(self, job: Job, run: Observation) -> str:
        return f"On {self.place(job)}"

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job).value
        found = brief(run.value) if plain(run.value) is None else number(run.value)
        return None if run.value == right else Difference(f"it returns {found}; expected {number(right)}.")

    def praise(self, runs: Runs) -> str:
        return f"It is right on {count(len(runs), 'position')}."

    def shown(self, job: Job, difference: Difference, runs: Runs) -> dict[str, Any]:
        """Return the position and its picture, with the squares of the move outlined."""
        position = job.arguments[0]
        if isinstance(position, str):
            board = tic_tac_toe_svg(position)
        else:
            board = board_svg("BW"[position[3]], as_checkers(position).pieces, last=difference.path)
        return {"position": self.place(job), "board": board}

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        return [mistake(name) for name in self.texts["mistakes"]]


# the rules


@cache
def rules_with(**edits: str) -> dict[str, Any]:
    """Return the functions of the rules, with these edits."""
    functions = (getattr(checkers_rules, name) for name in ("neighbour", "legal_moves", "position_after", "ending"))
    return run_edited("\n\n".join(map(source, functions)), edits, vars(checkers_rules))


@dataclass(frozen=True, repr=False)
class RulesExercise(PositionExercise):
    """A step of the rules: the moves of a class, and the positions after them."""

    name: str
    how = "children"

    @property
    def level(self) -> int:
        return STEPS.index(self.name)

    def arguments(self) -> Iterable[tuple[Fields]]:
        return ((position,) for position, asks in positions().items() if asks <= self.level)

    @property
    def mistakes(self) -> Sequence[Mistake]:  # type: ignore[override]
        """The mistakes of this step, then those of the steps before."""
        steps = reversed(STEPS[: self.level + 1])
        return [mistake(name) for step in steps for name in texts()[step]["mistakes"]]

    def smaller(self, job: Job) -> Iterator[Job]:
        ((black, white, kings, turn),) = job.arguments
        for square in squares(black | white):
            others = ~bit(square)
            fewer = black & others, white & others, kings & others, turn
            if fewer[turn] and level(fewer) <= self.level:
                yield Job(None, (fewer,), self.how)

    def read(self, job: Job, run: Observation) -> Observation:
        """Return the run with the set of positions; in the details, how often each is there."""
        made = Counter(map(tuple, run.value or ()))
        return run if run.problem else replace(run, value=frozenset(made), details=made)

    def imitate(self, job: Job, **faults: Any) -> Observation:
        try:
            return Observation(frozenset(move.after for move in rules_with(**faults)["legal_moves"](*job.arguments)))
        except RecursionError:
            return Observation(None, problem=ENDLESS)

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position,), made, moves = job.arguments, run.details, right_moves(*job.arguments)
        right = Counter(move.after for move in moves)  # a jump may get there in several ways
        added = sorted(made.keys() - right.keys(), key=lambda after: (not ends_of(position, after), after))
        for after, move in product(added, moves):
            # a move of the rules, with another result
            if move.after not in made and ends_of(position, after) == (move.path[0], move.path[-1]):
                result = f"{_written(after)}; expected {_written(move.after)}"
                return Difference(f"{move.name} leads to {result}.", move.path)
        if added:
            ends = ends_of(position, added[0])
            name = name_of(position, added[0], ends) if ends else f"a move to {_written(added[0])}"
            must = " A capture is compulsory." * any(move.taken for move in moves)
            return Difference(f"it adds {name}, which is not legal.{must}", ends)
        for move in moves:
            times = made[move.after]
            if times == 0:
                return Difference(f"{move.name} is missing.", move.path)
            if times > right[move.after]:
                return Difference(f"it adds {move.name} {times} times; expected once.", move.path)
        return None

    def praise(self, runs: Runs) -> str:
        if self.name != STEPS[-1]:
            return super().praise(runs)
        children = {job.arguments[0]: run.details for job, run in runs.items()}

        def perft(position: Fields, depth: int) -> int:
            below = children[position]
            return below.total() if depth == 1 else sum(perft(child, depth - 1) for child in below.elements())

        start = fields_of(Checkers.start())
        counts = ", ".join(number(perft(start, depth)) for depth in range(1, PERFT + 1))
        return f"{super().praise(runs)[:-1]}; perft from the start is {counts}."


def _written(position: Fields) -> str:
    """Return the position as FEN, and what a FEN cannot say of it."""
    black, white, kings, _ = position
    strays = [("both colours", black & white), ("a bit of kings and no piece", kings & ~(black | white))]
    return as_checkers(position).fen + "".join(f" ({words} on {squares(bits)[0]})" for words, bits in strays if bits)


class EndExercise(PositionExercise):
    """When the game is over, and who has won."""

    name, how = "checkers-end", "end"

    def imitate(self, job: Job, **faults: Any) -> Observation:
        return Observation(rules_with(**faults)["ending"](*job.arguments))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position,), given = job.arguments, run.value
        over, value = self.right(job).value
        if given[0] != over:
            move = next(iter(right_moves(position)), Move((), (), position))
            reason = f"{('Black', 'White')[position[3]]} has {move.name or 'no move'}"
            return Difference(f"over returns {bool(given[0])}; expected {bool(over)}: {reason}.", move.path)
        if given[1] != value:
            return Difference(f"value returns {brief(given[1])}; expected {number(value)}.")
        return None


# the evaluation


class EvaluationExercise(PositionExercise):
    """An evaluation that prefers men to nothing, kings to men, and no colour."""

    name, how = "checkers-evaluation", "evaluate"

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Yield positions, each also with the colours swapped, with one more black man, and with a king for a man."""
        for position in positions():
            black, white, kings, turn = position
            men, free = squares(black & ~kings), squares(~(black | white) & 0x0FFFFFFF)
            if men and white and free and black.bit_count() < MOST_PIECES and right_moves(position):
                swapped = [sum(bit(33 - square) for square in squares(bits)) for bits in (white, black, kings)]
                with_man, with_king = (black | bit(free[0]), white, kings), (black, white, kings | bit(men[0]))
                yield position, (*swapped, 1 - turn), (*with_man, turn), (*with_king, turn)

    def behaves(self, job: Job, run: Observation, **faults: Any) -> bool:
        if run.problem:
            return False
        value, turned, more, crowned = run.value
        holds: dict[str, bool] = {
            "one number for all": value == turned == more == crowned,
            "the side to move": value == turned,
            "better for White": value == -turned and more < value,
            "a king as a man": more > value == crowned,
            "kings left out": more > value > crowned,
        }
        return holds[faults["fault"]]

    def compare(self, job: Job, run: Observation) -> Difference | None:
        (position, swapped, with_man, with_king), (value, turned, more, crowned) = job.arguments, run.value
        if turned != -value:
            where = f"the same with the colours swapped, {as_checkers(swapped).fen}"
            return Difference(f"evaluate returns {number(value)}, and {number(turned)} on {where}; expected {-value}.")
        richer = (more, with_man, "one more man"), (crowned, with_king, "a king for a man")
        for other, after, words in richer:
            if other <= value:
                changed = squares(after[0] & ~position[0] | after[2] & ~position[2])
                where = f"where Black has {words} on {changed[0]}"
                found = f"evaluate returns {number(value)}, and {number(other)} {where}"
                return Difference(f"{found}; expected more there.", tuple(changed))
        return None


# alpha-beta


class Node(NamedTuple):
    """A position as a node of a tree, for the search that shows the known mistakes. Some of them are edits of it."""

    position: SeenPosition
    depth: int

    @property
    def is_leaf(self) -> bool:
        return self.depth == 0 or self.position.over()

    @property
    def is_max(self) -> bool:
        return self.position.is_max()

    @property
    def value(self) -> int:
        is_over = self.position.over()
        return WIN * self.position.value() if is_over else self.position.evaluate()

    @property
    def children(self) -> list["Node"]:
        return [Node(self.position.play(move), self.depth - 1) for move in self.position.moves()]


WINDOWS = (-inf, inf), (-40, 60)
DEPTHS = {1: 90, 2: 90, 3: 120, 4: 240}  # plies, and the step between the positions searched to that depth


class GameSearchExercise(PositionExercise):
    """Alpha-beta on positions of checkers, to a depth."""

    name, how = "checkers-alphabeta", "game"

    @staticmethod
    @cache
    def build(**edits: str) -> Any:  # type: ignore[override]
        search, node = edited("alphabeta", **edits), run_edited(source(Node), edits, globals())["Node"]
        return lambda position, depth, *window: search(node(position, depth), *window)

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Return searches of positions with pieces of both colours: few pieces deep, more of them less deep."""
        good = [each for each in positions() if each[0] and each[1] and right_moves(each)]
        every = [(each, depth) for depth, step in DEPTHS.items() for each in good[depth::step]]
        return [(*each, *window) for window in WINDOWS for each in every]

    def where(self, job: Job, run: Observation) -> str:
        _, depth, *window = job.arguments
        alpha, beta = map(number, window)
        return f"On {self.place(job)}, {count(depth, 'move')} deep, with the window ({alpha}, {beta}),"

    def read(self, job: Job, run: Observation) -> Observation:
        return replace(run, leaves=tuple(dict.fromkeys(run.leaves)))

    def compare(self, job: Job, run: Observation) -> Difference | None:
        right = self.right(job)
        if run.value != right.value or run.leaves == right.leaves:
            return super().compare(job, run)
        wrong = next((leaf for leaf in run.leaves if leaf not in right.leaves), "")
        detail = f", such as {wrong}" if wrong else ""
        return Difference(f"it evaluates {count(len(run.leaves), 'position')}{detail}; expected {len(right.leaves)}.")


# what an evaluation may count


@dataclass(frozen=True, repr=False)
class FeatureExercise(PositionExercise):
    """A number of a position: what MAX has of something, less what MIN has."""

    name: str
    how: str

    def arguments(self) -> Iterable[tuple[Any, ...]]:
        """Yield the positions of checkers, or all of tic-tac-toe that can be reached."""
        if self.how == "pieces":
            yield from super().arguments()
            return
        layer = {TicTacToe.start(): None}  # the positions with as many marks
        while layer:
            yield from ((position.cells,) for position in layer)
            layer = {position.play(move): None for position in layer for move in legal_moves(position)}

    def build(self, **edits: str) -> Any:
        return edited(self.name, **edits)


POSITIONS = (
    *(FeatureExercise("open-lines", "cells"), FeatureExercise("advance", "pieces"), *map(RulesExercise, STEPS)),
    *(EndExercise(), EvaluationExercise(), GameSearchExercise()),
)
