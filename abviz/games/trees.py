"""A position of a game, searched to a small depth, as a tree: all that the search came to, and what it cut off folded.

The teaching search runs on the game itself, so nothing is made that it does not ask for. What it was at is then laid
out as a Tree; of a child that was skipped only its size is told ("✂ 37 nodes"). On that tree the same search does the
same again, step by step. Another search, or the same under other rules, may want what is folded: for it the tree is
laid out anew (`to_search`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from abviz.errors import AbvizError, Number, brief, count, visible
from abviz.games.checking import check_game
from abviz.games.rules import DEFAULTS, legal_moves
from abviz.games.scale import LAST, PROVEN, WIN, checked_depth, checked_weights
from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tree.model import Folded, Node, Tree
from abviz.tree.nested import MOST_NODES, Row, check_value

MOST_COUNTED = 200_000  # positions that are looked at to tell how much was skipped
BOARD_LINES, BOARD_COLUMNS = 24, 60  # of a board that a game draws in letters


@dataclass(frozen=True)
class Told:
    """What a tree is made of: the position, and the search that it is laid out for."""

    position: Any
    depth: int
    hot: bool = True  # captures are played out beyond the depth
    weights: tuple[int, ...] = ()
    fold: bool = True  # False: all is laid out, for any search
    search: Callable[..., Iterator[Event]] = alphabeta
    rules: Rules = Rules()
    options: Mapping[str, Any] = field(default_factory=dict)  # what else the search is told: its first window
    changed: Mapping[str, Number | None] = field(default_factory=dict)  # what-ifs: other values of leaves, by name


def game_tree(
    position: Any,
    depth: int,
    *,
    hot: bool = True,
    weights: Mapping[str, int] | None = None,
    fold: bool = True,
    search: Callable[..., Iterator[Event]] = alphabeta,
    rules: Rules = Rules(),
    **options: Any,
) -> "GameTree":
    """The tree that the search, so many moves deep, meets from the position on. `trace(position, depth=3)` is quicker.

    The values are the engine's: an estimate, or for a win 1,000,000 less the moves that lead to it. With `hot` a
    position with a capture to be made is searched on. A node's name is the moves that lead to it: "11-15 23-19".
    `fold=False` lays out every node down to the depth.
    """
    check_game(position)
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    if search is not alphabeta and search is not minimax:
        raise AbvizError(f"search is {brief(search)}; expected alphabeta or minimax")
    for name, switch in (("hot", hot), ("fold", fold)):
        if not isinstance(switch, bool):
            raise AbvizError(f"{name} is {brief(switch)}; expected True or False")
    told = Told(
        position, checked_depth(depth), hot, tuple(checked_weights(position, weights)), fold, search, rules, options
    )
    return GameTree._of(told)


class Place:
    """A position that the search may come to, and the moves that lead there."""

    __slots__ = ("below", "label", "name", "ply", "position")

    def __init__(self, position: Any, name: str = "root", label: str = "root", ply: int = 0):
        self.position, self.name, self.label, self.ply = position, name, label, ply
        self.below: list[Place] | None = None


class PositionGame:
    """The Game that a position is the root of, as the engine sees it: the same leaves, of the same worth."""

    def __init__(self, told: Told):
        self.told = told
        self.root = Place(told.position)
        self.names = {self.root.name}
        self.sizes: dict[tuple[Any, int], Folded] = {}

    def children(self, place: Place) -> list[Place]:
        if place.below is None:
            place.below = [] if self._ends(place.position, place.ply) else list(self._moves(place))
        return place.below

    def is_max(self, place: Place) -> bool:
        return bool(place.position.is_max())

    def value(self, place: Place) -> Number | None:
        if place.name in self.told.changed:
            return self.told.changed[place.name]
        position = place.position
        if position.over():
            return position.value() * (WIN - place.ply)  # type: ignore[no-any-return]
        if "features" in position.rules:
            pairs = zip(position.features(), self.told.weights, strict=True)
            estimate = sum(feature * weight for feature, weight in pairs)
        else:
            estimate = position.evaluate()
        if isinstance(estimate, bool) or not isinstance(estimate, int):
            raise AbvizError(f"evaluate of {position!r} is {brief(estimate)}; expected a whole number")
        return min(max(estimate, -PROVEN), PROVEN)

    def size(self, position: Any, ply: int) -> Folded:
        """How many nodes minimax would visit from a position on, itself among them, and how many leaves."""
        if (position, ply) not in self.sizes:
            below = []
            if not self._ends(position, ply):
                below = [self.size(position.play(move), ply + 1) for move in legal_moves(position)]
            nodes, leaves = 1 + sum(each.nodes for each in below), sum(each.leaves for each in below)
            self.sizes[position, ply] = Folded(nodes, leaves or 1)
            if len(self.sizes) > MOST_COUNTED:
                raise AbvizError(f"depth {self.told.depth} cuts off too much to be counted; expected a smaller depth")
        return self.sizes[position, ply]

    def _ends(self, position: Any, ply: int) -> bool:
        """Whether the depth is reached, and no capture to be played out."""
        return ply >= self.told.depth and (ply >= LAST or not (self.told.hot and position.hot()))

    def _moves(self, place: Place) -> Iterator[Place]:
        for move in legal_moves(place.position):
            label = place.position.move_name(move)
            name = label if place is self.root else f"{place.name} {label}"
            if name in self.names:
                raise AbvizError(f"two ways of moves are named {brief(name)}; expected move_name to tell moves apart")
            self.names.add(name)
            if len(self.names) > MOST_NODES:
                raise _TooLarge
            yield Place(place.position.play(move), name, label, place.ply + 1)


class _TooLarge(Exception):
    pass


class GameTree(Tree):
    """A Tree made from a position of a game. It also knows what stands on the board at each node."""

    __slots__ = ("_folded", "_places", "told")

    told: Told
    _places: tuple[Place, ...]
    _folded: dict[int, Folded]

    @classmethod
    def _of(cls, told: Told) -> "GameTree":
        try:
            return cls._laid_out(told)
        except _TooLarge:
            problem = f"{told.position.title} to depth {told.depth} comes to more than {MOST_NODES:,} nodes"
            fits = _deepest(told, MOST_NODES)
            advice = f"depth {fits} can be traced (a picture holds less)" if fits else "expected another position"
            raise AbvizError(f"{problem}; {advice}") from None

    @classmethod
    def _laid_out(cls, told: Told) -> "GameTree":
        game = PositionGame(told)
        searched = _searched(game) if told.fold else None
        rows: list[Row] = []
        places: list[Place] = []
        folded = {}
        waiting = [(game.root, -1)]
        while waiting:
            place, above = waiting.pop()
            is_known = searched is None or place.name in searched
            below = game.children(place) if is_known else []
            if not is_known:
                folded[len(rows)] = game.size(place.position, place.ply)
            value = game.value(place) if is_known and not below else None
            waiting += [(child, len(rows)) for child in reversed(below)]
            rows.append(Row(place.name, game.is_max(place), value, above))
            places.append(place)
        tree = cls.__new__(cls)
        position = told.position
        beyond = (
            "; captures are played out beyond it" if told.hot and position.rules["hot"] is not DEFAULTS["hot"] else ""
        )
        note = f"Searched {count(told.depth, 'move')} deep{beyond}."
        tree._fill(rows, f"{position.title}, depth {told.depth}", getattr(position, "fen", repr(position)), note)
        for name, what in (("told", told), ("_places", tuple(places)), ("_folded", folded)):
            object.__setattr__(tree, name, what)
        return tree

    # what the pictures and the sentences ask

    def label(self, node: Node) -> str:
        """The last move alone: how the search came there is seen."""
        return self._places[node.index].label

    def folded(self, node: Node) -> Folded | None:
        return self._folded.get(node.index)

    def ending(self, node: Node) -> str:
        position = self._places[node.index].position
        if not node.is_leaf or node.name in self.told.changed or not position.over():
            return ""
        result = position.value()
        return "a draw" if result == 0 else f"{'MAX' if result > 0 else 'MIN'} has won"

    def position(self, name: str) -> Any:
        """The position at the node of that name."""
        return self._places[self[name].index].position

    def boards(self, part: tuple[Node, ...]) -> dict[str, Any]:
        """What stands on the boards, in few letters: "checkers" has 32 (b and w men, B and W kings, "." nothing),
        "cells" nine, and "text" is the board as the game itself writes it. `turns` has a letter for each node: who
        moves, the first of the players or the second, or "-" where the game is over."""
        positions = [self._places[node.index].position for node in part]
        kind, write = next((kind, write) for kind, write in BOARDS.items() if kind in ("text", *_kinds(positions[0])))
        turns = "".join("-" if each.over() else "01"[not each.is_max()] for each in positions)
        players = [visible(str(name)) for name in getattr(self.told.position, "players", ("MAX", "MIN"))]
        return {"kind": kind, "players": players, "turns": turns, "of": [write(each) for each in positions]}

    def smaller(self, nodes: int, levels: int) -> str:
        fits = _deepest(self.told, nodes, levels)
        return f"depth={fits} fits; " if fits else ""

    # other trees

    def to_search(
        self, search: Callable[..., Iterator[Event]], rules: Rules, depth: int | None, options: dict[str, Any]
    ) -> tuple[Tree, int | None]:
        depth = self.told.depth if depth is None else checked_depth(depth)
        told = replace(self.told, search=search, rules=rules, options=options, depth=depth)
        same = told == self.told or (not told.fold and depth == self.told.depth)
        return (self if same else self._of(told)), None

    def with_value(self, name: str, value: Number | None) -> "GameTree":
        """The same but for the value of a leaf, searched anew: what was cut off may be searched now, and other cut."""
        node = self[name]
        if not node.is_leaf or self.folded(node):
            what = "was cut off" if node.is_leaf else "is no leaf"
            raise AbvizError(f"{visible(name)} {what} and has no value to be changed; expected a leaf that was read")
        return self._of(replace(self.told, changed={**self.told.changed, name: check_value(value, name)}))

    @classmethod
    def from_rows(cls, *rows: Any, **texts: Any) -> Any:
        """A tree of the same nodes with no game behind it, as `reordered` makes."""
        return Tree.from_rows(*rows, **texts)

    def _key(self) -> tuple[object, ...]:
        return *super()._key(), tuple(place.position for place in self._places)

    def __reduce__(self) -> Any:
        return GameTree._of, (self.told,)


def _searched(game: PositionGame) -> set[str]:
    told = game.told
    events = told.search(game, rules=told.rules, **told.options)
    return {event.node.name for event in events if event.kind in ("enter", "leaf")}


def _deepest(told: Told, nodes: int, levels: int = LAST) -> int:
    """How deep the same search can be told to look without meeting more than so many nodes; 0 if it cannot."""
    for depth in range(1, told.depth + 1):
        try:
            tree = GameTree._laid_out(replace(told, depth=depth))
        except (_TooLarge, AbvizError):
            return depth - 1
        if len(tree) > nodes or tree.levels > levels:
            return depth - 1
    return told.depth


# boards in few letters


def _kinds(position: Any) -> list[str]:
    return [kind for kind, has in (("checkers", "placement"), ("cells", "cells")) if hasattr(position, has)]


def _checkers(position: Any) -> str:
    placed = position.placement
    letters = {"b": placed.black_men, "B": placed.black_kings, "w": placed.white_men, "W": placed.white_kings}
    stands = {square: letter for letter, squares in letters.items() for square in squares}
    return "".join(stands.get(square, ".") for square in range(1, 33))


def _cells(position: Any) -> str:
    return str(position.cells)


def _text(position: Any) -> str:
    lines = str(position).splitlines()[:BOARD_LINES]
    return "\n".join(visible(line[:BOARD_COLUMNS]) for line in lines)


BOARDS: dict[str, Callable[[Any], str]] = {"checkers": _checkers, "cells": _cells, "text": _text}
