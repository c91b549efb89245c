"""How a game is defined: `@game` on a NamedTuple of whole numbers. `rules` lists the rules."""

from collections.abc import Mapping
from functools import partial
from operator import index
from types import FunctionType
from typing import Any, SupportsIndex

from abviz.errors import AbvizError, brief
from abviz.games.boards import picture_of
from abviz.games.position_tree import GameTree, game_tree
from abviz.games.rules import (
    DEFAULTS,
    NEEDED,
    MoveList,
    Players,
    Position,
    check_possible,
    legal_moves,
)

_generations: dict[str, int] = {}  # how many games of each name have been defined


def game(
    cls: Any = None,
    *,
    weights: dict[str, int] | None = None,
    players: Players = ("MAX", "MIN"),
    patience: int | None = None,
) -> Any:
    """Turn a NamedTuple with rules into a game: `@game`, or `@game(weights={...})` for features.

    `players` are the names of MAX and MIN. After `patience` plies without progress a match is a
    draw. Positions also get what people ask for: `.moves()` returns the names of the legal moves,
    `.play(name)` makes one, and `.to_tree(depth)` returns the game tree. (Called as rules, `moves`
    and `play` are as the class defines them.)
    """
    if cls is None:
        return partial(game, weights=weights, players=players, patience=patience)
    _check_class(cls, has_weights=bool(weights))

    title = cls.__name__
    rules = DEFAULTS | _own_rules(cls)
    for name, rule in rules.items():
        setattr(cls, name, rule)

    cls.title = title
    cls.rules = rules
    cls.weights = weights or {}
    cls.players = players
    cls.patience = patience

    cls.moves = _moves
    cls.play = _play
    cls.to_tree = _to_tree
    cls.__repr__ = _repr
    cls._repr_mimebundle_ = _mimebundle

    # The compiler tells classes apart by name alone: a cell that runs again must not keep the rules
    # of its first run. With the space, no other class has this name.
    _generations[title] = _generations.get(title, 0) + 1
    if _generations[title] > 1:
        cls.__name__ = f"{title} {_generations[title]}"
    return cls


def _check_class(cls: type, *, has_weights: bool) -> None:
    title = cls.__name__
    if not hasattr(cls, "_fields"):
        raise AbvizError(f"@game decorates {title}; expected a class {title}(NamedTuple)")

    methods = vars(cls)
    for rule in NEEDED:
        if not isinstance(methods.get(rule), FunctionType):
            expected = f"expected the rules {', '.join(NEEDED)}"
            raise AbvizError(f"{title} has no method {rule}; {expected}")

    if ("features" in methods) != has_weights:
        raise AbvizError(
            f"{title} needs features and @game(weights={{name: number}}); expected both or neither"
        )


def _own_rules(cls: type) -> dict[str, FunctionType]:
    return {
        name: rule
        for name, rule in vars(cls).items()
        if isinstance(rule, FunctionType) and not name.startswith("__")
    }


# what a position gets, for people


def _moves(self: Position, legal: MoveList | None = None) -> list[str] | None:
    """Return the names of the legal moves. (As a rule, with `legal`: add the moves to it.)"""
    if legal is not None:
        self.rules["moves"](self, legal)
        return None

    check_possible(self)
    return [self.move_name(move) for move in legal_moves(self)]


def _play(self: Position, move: str | SupportsIndex) -> Position:
    """Return the position after a legal move, given by name. (As a rule: given by number.)"""
    if isinstance(move, str):
        move = self.find_move(move)
    elif not isinstance(move, int):
        try:
            move = index(move)  # a number of numpy
        except TypeError:
            raise AbvizError(
                f"the move is {brief(move)}; expected its name or its number"
            ) from None

    child: Position = self.rules["play"](self, move)
    return child


def _to_tree(self: Position, depth: int, **options: Any) -> GameTree:
    """Return the tree of the game from this position on: see `position_tree.game_tree`."""
    check_possible(self)
    return game_tree(self, depth, **options)


def _repr(self: Position) -> str:
    fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{self.title}({', '.join(fields)})"


def _mimebundle(self: Position, **_: object) -> Mapping[str, str]:
    """Return what a notebook shows: the picture of a position, where it has one, and its text."""
    return {"text/plain": str(self), **picture_of(self)}
