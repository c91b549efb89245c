"""Oracles for the engine: a search by the definition, the engine's own source as Python, and games
made for tests.
"""

import random
from collections import defaultdict
from collections.abc import Iterator
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

from abviz import Checkers, TicTacToe, alphabeta, minimax
from abviz.engine import improvements, plain, transposition_table
from abviz.engine.arrays import WORK
from abviz.games.definition import game
from abviz.games.rules import LAST, PROVEN
from abviz.games.rules import generated_moves as moves_of

WIN = 1_000_000  # written down once more, so that a changed engine is noticed


# by the definition


def static(position: Any, weights: dict[str, int] | None = None) -> int:
    weights = position.weights | (weights or {})
    features = position.features() if weights else ()
    return position.evaluate() + sum(
        weight * each for weight, each in zip(weights.values(), features, strict=True)
    )


def worth(position: Any, ply: int, weights: dict[str, int] | None = None) -> int:
    """Of a position where a search ends."""
    return position.value() * (WIN - ply) if position.over() else static(position, weights)


def is_leaf(position: Any, depth: int, hot: bool) -> bool:
    return position.over() or (depth <= 0 and not (hot and position.hot()))


def replies(position: Any, depth: int) -> tuple[list[int], bool]:
    """The moves that are searched, and whether the player may also do without: beyond the depth
    only captures are.
    """
    moves = moves_of(position)
    capturing = [move for move in moves if position.gain(move)]
    return (capturing, len(capturing) < len(moves)) if depth <= 0 and capturing else (moves, False)


def brute(
    position: Any,
    depth: int,
    *,
    hot: bool = True,
    ply: int = 0,
    weights: dict[str, int] | None = None,
) -> int:
    """Minimax by the definition: nothing is remembered and nothing left out."""
    if is_leaf(position, depth, hot):
        return worth(position, ply, weights)
    moves, may_stay = replies(position, depth)
    below = [
        brute(position.play(move), depth - 1, hot=hot, ply=ply + 1, weights=weights)
        for move in moves
    ]
    below += [static(position, weights)] * may_stay
    return max(below) if position.is_max() else min(below)


def solved(position: Any) -> int:
    """The value when the game is played to its end, by positions that are remembered: for games
    without repetition.
    """
    values: dict[Any, int] = {}

    def solve(position: Any) -> int:
        """As if it were the root."""
        if position not in values:
            if position.over():
                values[position] = position.value() * WIN
            else:
                below = [nearer(solve(position.play(move))) for move in moves_of(position)]
                values[position] = max(below) if position.is_max() else min(below)
        return values[position]

    def nearer(value: int) -> int:
        return value - (value > 0) + (value < 0)

    return solve(position)


# the searches of the course


class Teaching:
    """The engine's tree for `abviz.alphabeta` and `abviz.minimax`: a node is (position, plies,
    whether one stays).
    """

    def __init__(self, position: Any, depth: int, hot: bool):
        self.root, self.depth, self.hot = (position, 0, False), depth, hot

    def children(self, node: tuple[Any, int, bool]) -> list[tuple[Any, int, bool]]:
        position, ply, stays = node
        if stays or is_leaf(position, self.depth - ply, self.hot):
            return []
        moves, may_stay = replies(position, self.depth - ply)
        return [(position, ply, True)] * may_stay + [
            (position.play(move), ply + 1, False) for move in moves
        ]

    def value(self, node: tuple[Any, int, bool]) -> int:
        return worth(*node[:2])

    def is_max(self, node: tuple[Any, int, bool]) -> bool:
        return node[0].is_max()

    def searched(self, method: str) -> tuple[int, int, list[Any]]:
        """The value, the number of nodes, and the positions at the leaves in the order in which
        they are read.
        """
        events = list({"alphabeta": alphabeta, "minimax": minimax}[method](self))
        nodes = sum(event.kind in ("enter", "leaf") for event in events)
        return events[-1].value, nodes, [event.node[0] for event in events if event.kind == "leaf"]


# the engine's source as Python


class PlainWork(SimpleNamespace):
    """Stands in for the record of a search, with Python's ints: arrays are mappings."""

    def __init__(self, position: Any, **switched: int):
        arrays = {name for name in WORK.names if WORK[name].shape}
        super().__init__(**{name: defaultdict(int) if name in arrays else 0 for name in WORK.names})
        self.limit, self.last, self.following = 1 << 62, LAST, -1
        self.first = defaultdict(lambda: -1)
        self.weights = defaultdict(int, enumerate(position.weights.values()))
        vars(self).update(switched)


def plain_table(entries: int) -> list[SimpleNamespace]:
    return [SimpleNamespace(check=0, entry=0, move=0) for _ in range(entries)]


def as_python() -> SimpleNamespace:
    """Return the functions that the engine compiles, uncompiled, with the `leaves` that they read."""
    names = {**vars(plain), **vars(transposition_table), **vars(improvements)}
    for name, function in list(names.items()):
        if isinstance(function, FunctionType):
            names[name] = FunctionType(function.__code__, names, name)
    leaves: list[Any] = []

    def noting(function: Any) -> Any:
        return lambda state, other: leaves.append(state) or function(state, other)

    names |= {name: noting(names[name]) for name in ("estimate", "outcome")}
    return SimpleNamespace(
        leaves=leaves, **{name: value for name, value in names.items() if callable(value)}
    )


# games


@game
class Maze(NamedTuple):
    """A game made up by a hash: who moves, what is hot, who has won and what it is worth.

    Rooms are few, so each is reached in many ways; a player may move several times in a row.
    """

    seed: int
    floor: int
    room: int

    def noise(self, salt: int) -> int:
        mixed = (
            self.seed * 1009 + self.floor * 127 + self.room * 31 + salt * 7919 + 12345
        ) & 0xFFFFFFFF
        mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
        mixed = (mixed ^ mixed >> 12) * 0x297A2D39 & 0xFFFFFFFF
        return mixed ^ mixed >> 15

    def is_max(self) -> bool:
        return self.noise(1) % 2 == 0

    def over(self) -> bool:
        return self.floor >= 14 or (self.floor > 3 and self.noise(2) % 9 == 0)

    def value(self) -> int:
        return self.noise(3) % 3 - 1

    def moves(self, legal: Any) -> None:
        if not self.over():
            for i in range(1 + self.noise(4) % 5):
                legal.add(i)

    def play(self, move: int) -> "Maze":
        return Maze(self.seed, self.floor + 1, self.noise(10 + move) % 12)

    def evaluate(self) -> int:
        return self.noise(5) % 41 - 20 if self.seed % 2 else self.noise(5) % 2001 - 1000

    def hot(self) -> bool:
        return not self.over() and self.noise(6) % 4 == 0

    def gain(self, move: int) -> int:
        return self.noise(20 + move) % 3


# As a cell of a notebook has it. The player who takes the last stick wins.
STICKS = """
from typing import NamedTuple
from abviz import game

@game
class Sticks(NamedTuple):
    left: int = 7
    turn: int = 0

    def is_max(self):
        return self.turn == 0

    def over(self):
        return self.left == 0

    def value(self):
        return -1 if self.turn == 0 else 1

    def moves(self, legal):
        for n in range(1, 4):
            if n <= self.left:
                legal.add(n)

    def play(self, move):
        return Sticks(self.left - move, 1 - self.turn)
"""


def sticks(*changes: tuple[str, str], before: str = "", name: str = "Sticks") -> Any:
    """Return the game of the cell with changes."""
    text = before + STICKS
    for old, new in changes:
        assert old in text, f"nothing to change: {old}"
        text = text.replace(old, new)
    names: dict[str, Any] = {"__name__": "cell"}
    exec(text, names)
    return names[name]


Stairs = sticks()


# positions


def played(position: Any, rng: random.Random, plies: int) -> Any:
    """Return the position after so many random moves, or fewer where the game would end."""
    for _ in range(plies):
        after = position.play(rng.choice(moves_of(position)))
        if after.over():
            break
        position = after
    return position


def checkers(number: int, seed: int, most: int = 70) -> Iterator[Any]:
    rng = random.Random(seed)
    for _ in range(number):
        yield played(Checkers.start(), rng, rng.randrange(most))


def tic_tac_toes(number: int, seed: int) -> Iterator[Any]:
    rng = random.Random(seed)
    for _ in range(number):
        yield played(TicTacToe.start(), rng, rng.randrange(7))


def mazes(number: int, seed: int) -> Iterator[Any]:
    rng = random.Random(seed)
    for _ in range(number):
        yield Maze(rng.randrange(1 << 20), 0, rng.randrange(12))


def proven(value: int) -> bool:
    return abs(value) > PROVEN
