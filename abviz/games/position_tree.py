"""A position of a game, searched to a small depth, as a tree.

It has the nodes of one search, with skipped parts folded.

The teaching search runs on the game itself, so only the positions it asks for are made. They are
then laid out as a Tree; a skipped child shows only the size of its part ("✂ 37 nodes"). The same
search on that tree does the same again, step by step. Another search, or other rules, may need what
is folded: for it the tree is laid out anew (`to_search`).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from abviz.errors import AbvizError, Number, count, quoted, visible
from abviz.games.boards import board_data, position_text
from abviz.games.rules import (
    DEFAULTS,
    PROVEN,
    WIN,
    Position,
    Weights,
    captures,
    checked_depth,
    checked_weights,
    legal_moves,
    static_value,
)
from abviz.games.validation import check_game
from abviz.tracing.algorithms import Rules, Search, alphabeta
from abviz.tracing.templates import fill
from abviz.tree.annotations import Annotations, Boards, Folded
from abviz.tree.model import Node, Tree
from abviz.tree.nested import MOST_NODES, PLAYER_NAMES, Row, check_players, check_value

STAYS = "stay"  # the label of the leaf of a player who need not capture
MOST_COUNTED = 200_000  # positions visited to count what was skipped
OF_SEARCH = ("alpha", "beta", "early_stop")
DRAW, WON = "a draw", "{winner:has|have} won"
ONE_LEAF = Folded(nodes=1, leaves=1)


# A tree is searched, laid out and counted, and searched once more. Typed, since positions of two
# games may be equal
@lru_cache(10_000, typed=True)
def known_moves(position: Position) -> tuple[int, ...]:
    """Return the legal moves, which are generated once for a position."""
    return tuple(legal_moves(position))


def game_tree(
    position: Position, depth: int, *, weights: Weights | None = None, **options: Any
) -> "GameTree":
    """Return the tree that a search visits from the position, `depth` moves deep.

    The values are the engine's: an estimate, or for a win 1,000,000 less the moves that lead to it.
    A node's name is the moves that lead to it: "11-15 23-19". The options are the fields of
    `PositionGame` and those of the search.
    """
    check_game(position)
    of_search = {name: options.pop(name) for name in OF_SEARCH if name in options}
    game = PositionGame(
        position,
        checked_depth(depth),
        weights=checked_weights(position, weights),
        options=of_search,
        **options,
    )
    return GameTree.of(game)


@dataclass(slots=True, eq=False)
class Place:
    """A position that the search may reach, by the path of moves that lead there."""

    position: Position
    path: tuple[str, ...] = ()
    # A leaf beyond the depth: the player captures nothing, and the estimate stands
    stays: bool = False
    children: "list[Place] | None" = None
    value: Number | None = None
    folded: Folded | None = None  # the size of what is skipped here

    @property
    def name(self) -> str:
        return " ".join(self.path) or "root"


@dataclass
class PositionGame:
    """A position as a Game for the teaching searches, with the engine's values.

    It also knows how its tree is laid out.
    """

    position: Position
    depth: int
    weights: list[int]
    hot: bool = True  # captures are played out beyond the depth
    fold: bool = True  # False: every node is laid out, for any search
    search: Search = alphabeta  # the one for which the tree is laid out
    rules: Rules = Rules()
    options: Mapping[str, object] = field(default_factory=dict)  # of the search: its first window
    # what-if values of leaves, by name
    changed: Mapping[str, Number | None] = field(default_factory=dict)
    evaluate: Callable[[Position], int] | None = None  # the value of a leaf, as if it were the root
    first: Sequence[str] = ()  # the line that is searched before other moves
    only: str = ""  # the one move of the root that is laid out; empty: all
    proven: Collection[Position] = ()  # positions whose value is known to be no estimate
    note: str = ""  # what is said about the values
    players: Sequence[str] = PLAYER_NAMES  # the names of MAX and MIN in sentences

    def __post_init__(self) -> None:
        self.players = check_players(self.players)
        self.root = Place(self.position)
        self.count = 1  # places made so far
        self._sizes: dict[tuple[Position, int], Folded] = {}

    # what a search asks

    def children(self, place: Place) -> list[Place]:
        if place.children is None:
            place.children = [] if place.stays else list(self._children(place))
        return place.children

    def is_max(self, place: Place) -> bool:
        return bool(place.position.is_max())

    def value(self, place: Place) -> Number | None:
        if place.name in self.changed:
            return self.changed[place.name]
        if place.value is None:
            place.value = self._value(place.position, len(place.path))
        return place.value

    # the tree

    def size_of(self, place: Place) -> Folded:
        """Return how many nodes and leaves minimax would visit from the place, itself included."""
        return ONE_LEAF if place.stays else self._size(place.position, len(place.path))

    def _size(self, position: Position, ply: int) -> Folded:
        known = self._sizes.get((position, ply))
        if known is not None:
            return known

        moves, may_stay = self._moves(position, ply)
        below = [self._size(position.play(move), ply + 1) for move in moves]
        if may_stay:
            below.append(ONE_LEAF)
        size = ONE_LEAF
        if below:
            size = Folded(
                nodes=1 + sum(each.nodes for each in below),
                leaves=sum(each.leaves for each in below),
            )

        self._sizes[position, ply] = size
        if len(self._sizes) > MOST_COUNTED:
            raise AbvizError(
                f"depth {self.depth} skips too much to be counted; expected a smaller depth"
            )
        return size

    def _value(self, position: Position, ply: int) -> Number:
        if position.over():
            return position.value() * (WIN - ply)
        if not self.evaluate:
            return static_value(position, self.weights)

        value = self.evaluate(position)
        if value > PROVEN:
            return value - ply
        if value < -PROVEN:
            return value + ply
        return value

    def _moves(self, position: Position, ply: int) -> tuple[list[int], bool]:
        """Return the moves to search, and whether the player may also stay: see `captures`."""
        if ply < self.depth:
            return list(known_moves(position)), False
        if not (self.hot and position.hot()):
            return [], False

        every = list(known_moves(position))
        moves = captures(position, every)
        return moves, len(moves) < len(every)

    def _children(self, place: Place) -> Iterator[Place]:
        path, position = place.path, place.position
        moves, may_stay = self._moves(position, len(path))
        if may_stay:
            yield Place(position, (*path, STAYS), stays=True)

        named = [(position.move_name(move), move) for move in moves]
        if self.only and not path:
            named = [(name, move) for name, move in named if name == self.only]

        is_on_line = path == tuple(self.first[: len(path)]) and len(path) < len(self.first)
        if is_on_line:
            next_of_line = self.first[len(path)]
            named.sort(key=lambda each: each[0] != next_of_line)

        self.count += len(named)
        if self.count > MOST_NODES:
            size = f"{position.title} to depth {self.depth} has more than {MOST_NODES:,} nodes"
            raise AbvizError(f"{size}; expected a smaller depth")
        for name, move in named:
            yield Place(position.play(move), (*path, name))


class GameAnnotations(Annotations):
    """What is known of the nodes of a game's tree: each is a position of the game."""

    win = WIN

    def __init__(self, game: PositionGame, places: list[Place]):
        self._game = game
        self._places = places
        self.player_names = check_players(game.players)

    def label(self, node: Node) -> str:
        """Return the last move alone: the picture shows the way to it."""
        path = self._places[node.index].path
        return path[-1] if path else node.name

    def folded(self, node: Node) -> Folded | None:
        return self._places[node.index].folded

    def ending(self, node: Node) -> str:
        position = self._places[node.index].position
        if node.name in self._game.changed or not position.over():
            return ""

        value = position.value()
        return fill(WON, {"winner": quoted(self.player_names[value < 0])}) if value else DRAW

    def is_estimate(self, node: Node) -> bool:
        was_read = node.is_leaf and node.value is not None and node.name not in self._game.changed
        if not was_read:
            return False

        position = self._places[node.index].position
        is_known = position.over() or position in self._game.proven
        return not is_known and self.plies_to_win(node.value) is None

    def boards(self) -> Boards:
        positions = [place.position for place in self._places]
        kinds, boards = zip(*map(board_data, positions), strict=True)
        return {
            "kind": kinds[0],
            "players": [visible(str(name)) for name in positions[0].players],
            "turns": "".join(map(_turn, positions)),
            "of": boards,
        }


def _turn(position: Position) -> str:
    if position.over():
        return "-"
    return "0" if position.is_max() else "1"


class GameTree(Tree):
    """A Tree made from a position of a game, with the position at each node."""

    game: PositionGame
    annotations: GameAnnotations
    _places: list[Place]

    @classmethod
    def of(cls, game: PositionGame) -> "GameTree":
        rows, places = _laid_out(game)
        names = {row.name for row in rows}
        if len(names) < len(rows):
            raise AbvizError(
                "two nodes have one name; "
                "expected a move_name of its own for each move, without spaces"
            )

        tree = cls.__new__(cls)
        tree._fill(
            rows,
            _title(game),
            source=position_text(game.position),
            note=_note(game),
            players=check_players(game.players),
        )
        tree.game = game
        tree.annotations = GameAnnotations(game, places)
        tree._places = places
        return tree

    def position(self, name: str) -> Position:
        """Return the position at the node of that name."""
        return self._places[self[name].index].position

    # other trees

    def to_search(
        self,
        search: Search,
        rules: Rules,
        depth: int | None,
        options: Mapping[str, object],
    ) -> "GameTree":
        """Return the tree of the nodes that such a search visits, which may need what is folded."""
        depth = self.game.depth if depth is None else checked_depth(depth)
        game = replace(self.game, search=search, rules=rules, options=options, depth=depth)

        has_every_node = not game.fold and depth == self.game.depth
        if has_every_node or game == self.game:
            return self
        return self.of(game)

    def with_value(self, name: str, value: Number | None) -> "GameTree":
        """Return the same tree but for one leaf, searched anew: other parts may be skipped now."""
        node = self[name]
        if not node.is_leaf or self.annotations.folded(node):
            raise AbvizError(
                f"{visible(name)} was skipped or is not a leaf; expected a leaf that was read"
            )

        changed = {**self.game.changed, name: check_value(value, name)}
        return self.of(replace(self.game, changed=changed))

    @classmethod
    def from_rows(cls, *rows: Any, **texts: Any) -> Any:
        """Return a plain tree of the same nodes, without a game behind it."""
        return Tree.from_rows(*rows, **texts)


def _laid_out(game: PositionGame) -> tuple[list[Row], list[Place]]:
    """Return the rows of the tree, and the place of each. What the search skips is folded."""
    visited = _visited(game) if game.fold else None
    rows: list[Row] = []
    places: list[Place] = []

    stack = [(game.root, -1)]
    while stack:
        place, parent = stack.pop()
        value: Number | None = None

        if visited is None or place.name in visited:
            children = game.children(place)
            stack += [(child, len(rows)) for child in reversed(children)]
            if not children:
                value = game.value(place)
        else:
            place.folded = game.size_of(place)

        rows.append(Row(place.name, game.is_max(place), value, parent))
        places.append(place)
    return rows, places


def _visited(game: PositionGame) -> set[str]:
    """Return the names of the nodes that the search visits."""
    events = game.search(game, rules=game.rules, **game.options)
    return {event.node.name for event in events if event.kind in ("enter", "leaf")}


def _title(game: PositionGame) -> str:
    """Return whose move it is and how deep the tree is: "Checkers: Black to move, 3 moves deep"."""
    position = game.position
    name = re.sub("(?<=[a-z])(?=[A-Z])", " ", position.title)  # TicTacToe

    is_named = tuple(game.players) != tuple(PLAYER_NAMES)
    players = game.players if is_named else position.players
    mover = players[0 if position.is_max() else 1]
    return f"{name}: {mover} to move, {count(game.depth, 'move')} deep"


def _note(game: PositionGame) -> str:
    note = f"Searched {count(game.depth, 'move')} deep"
    if game.hot and game.position.rules["hot"] is not DEFAULTS["hot"]:
        note += "; captures are played out beyond it"
    return f"{note}. {game.note}".strip()
