"""A position of a game, searched to a small depth, as a tree: the nodes of one search, with skipped
parts folded.

The teaching search runs on the game itself, so only the positions it asks for are made. They are
then laid out as a Tree; a skipped child shows only the size of its part ("✂ 37 nodes"). The same
search on that tree does the same again, step by step. Another search, or other rules, may need what
is folded: for it the tree is laid out anew (`to_search`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from abviz.errors import AbvizError, Number, count, visible
from abviz.games.boards import board_data, position_text
from abviz.games.rules import (
    DEFAULTS,
    PROVEN,
    WIN,
    captures,
    checked_depth,
    checked_weights,
    legal_moves,
    static_value,
)
from abviz.games.validation import check_game
from abviz.tracing.algorithms import Event, Rules, alphabeta
from abviz.tree.model import Folded, Node, Tree
from abviz.tree.nested import MOST_NODES, Row, check_value

STAYS = "stay"  # the label of the leaf of a player who need not capture
MOST_COUNTED = 200_000  # positions visited to count what was skipped
OF_SEARCH = ("alpha", "beta", "early_stop")


def game_tree(
    position: Any, depth: int, *, weights: Mapping[str, int] | None = None, **options: Any
) -> "GameTree":
    """Return the tree that a search visits from the position, `depth` moves deep.

    The values are the engine's: an estimate, or for a win 1,000,000 less the moves that lead to it.
    A node's name is the moves that lead to it: "11-15 23-19". The options are the fields of
    `PositionGame` and those of the search.
    """
    check_game(position)
    of_search = {name: options.pop(name) for name in OF_SEARCH if name in options}
    numbers = checked_weights(position, weights)
    return GameTree.of(
        PositionGame(position, checked_depth(depth), numbers, options=of_search, **options)
    )


@dataclass(slots=True, eq=False)
class Place:
    """A position that the search may reach, by the path of moves that lead there."""

    position: Any
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
    """A position as a Game for the teaching searches, with the engine's values, and how its tree is
    laid out.
    """

    position: Any
    depth: int
    weights: list[int]
    hot: bool = True  # captures are played out beyond the depth
    fold: bool = True  # False: every node is laid out, for any search
    search: Callable[..., Iterator[Event]] = alphabeta  # the one for which the tree is laid out
    rules: Rules = Rules()
    options: Mapping[str, Any] = field(default_factory=dict)  # of the search: its first window
    # what-if values of leaves, by name
    changed: Mapping[str, Number | None] = field(default_factory=dict)
    evaluate: Callable[[Any], int] | None = None  # the value of a leaf, as if it were the root
    first: Sequence[str] = ()  # the line that is searched before other moves
    only: str = ""  # the one move of the root that is laid out; empty: all
    proven: Collection[Any] = ()  # positions whose value is known to be no estimate
    note: str = ""  # what is said about the values

    def __post_init__(self) -> None:
        self.root = Place(self.position)
        self.count = 1  # places made so far
        self.sizes: dict[tuple[Any, int], Folded] = {}

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

    def size(self, position: Any, ply: int) -> Folded:
        """Return how many nodes and leaves minimax would visit from the position, itself included."""
        if (position, ply) not in self.sizes:
            moves, may_stay = self._moves(position, ply)
            below = [Folded(1, 1)] * may_stay + [
                self.size(position.play(move), ply + 1) for move in moves
            ]
            leaves = sum(each.leaves for each in below) or 1
            self.sizes[position, ply] = Folded(1 + sum(each.nodes for each in below), leaves)
            if len(self.sizes) > MOST_COUNTED:
                raise AbvizError(
                    f"depth {self.depth} skips too much to be counted; expected a smaller depth"
                )
        return self.sizes[position, ply]

    def _value(self, position: Any, ply: int) -> Number:
        if position.over():
            return position.value() * (WIN - ply)  # type: ignore[no-any-return]
        if not self.evaluate:
            return static_value(position, self.weights)
        value = self.evaluate(position)
        return value - ply if value > PROVEN else value + ply if value < -PROVEN else value

    def _moves(self, position: Any, ply: int) -> tuple[list[int], bool]:
        """Return the moves that are searched, and whether the player may also stay: see `captures`."""
        if ply < self.depth:
            return legal_moves(position), False
        if not (self.hot and position.hot()):
            return [], False
        every = legal_moves(position)
        moves = captures(position, every)
        return moves, len(moves) < len(every)

    def _children(self, place: Place) -> Iterator[Place]:
        path, position = place.path, place.position
        moves, may_stay = self._moves(position, len(path))
        if may_stay:
            yield Place(position, (*path, STAYS), stays=True)
        named = [(position.move_name(move), move) for move in moves]
        if self.only and not path:
            named = [each for each in named if each[0] == self.only]
        if path == tuple(self.first[: len(path)]):  # the next move of the line comes first
            named.sort(key=lambda each: each[0] not in self.first[len(path) : len(path) + 1])
        self.count += len(named)
        if self.count > MOST_NODES:
            size = f"{position.title} to depth {self.depth} has more than {MOST_NODES:,} nodes"
            raise AbvizError(f"{size}; expected a smaller depth")
        for label, move in named:
            yield Place(position.play(move), (*path, label))


class GameTree(Tree):
    """A Tree made from a position of a game, with the position at each node."""

    __slots__ = ("_places", "game")

    win = WIN
    game: PositionGame
    _places: list[Place]

    @classmethod
    def of(cls, game: PositionGame) -> "GameTree":
        visited: set[str] | None = None
        if game.fold:
            events = game.search(game, rules=game.rules, **game.options)
            visited = {event.node.name for event in events if event.kind in ("enter", "leaf")}
        rows: list[Row] = []
        places: list[Place] = []
        stack = [(game.root, -1)]
        while stack:
            place, parent = stack.pop()
            shown = visited is None or place.name in visited
            children = game.children(place) if shown else []
            if not shown:
                place.folded = (
                    Folded(1, 1) if place.stays else game.size(place.position, len(place.path))
                )
            stack += [(child, len(rows)) for child in reversed(children)]
            leaf_value = game.value(place) if shown and not children else None
            rows.append(Row(place.name, game.is_max(place), leaf_value, parent))
            places.append(place)
        if len({place.name for place in places}) < len(places):
            raise AbvizError(
                "two nodes have one name; expected a move_name of its own for each move, without spaces"
            )
        tree = cls.__new__(cls)
        position, plays_out = (
            game.position,
            game.hot and game.position.rules["hot"] is not DEFAULTS["hot"],
        )
        note = f"Searched {count(game.depth, 'move')} deep{'; captures are played out beyond it' * plays_out}."
        title, source = f"{position.title}, depth {game.depth}", position_text(position)
        tree._fill(rows, title, source, f"{note} {game.note}".strip())
        object.__setattr__(tree, "game", game)
        object.__setattr__(tree, "_places", places)
        return tree

    # for pictures and sentences

    def label(self, node: Node) -> str:
        """Return the last move alone: the picture shows the way to it."""
        return self._places[node.index].path[-1] if node.index else node.name

    def folded(self, node: Node) -> Folded | None:
        return self._places[node.index].folded

    def ending(self, node: Node) -> str:
        position = self._places[node.index].position
        if node.name in self.game.changed or not position.over():
            return ""
        return {0: "a draw", 1: "MAX has won", -1: "MIN has won"}[position.value()]

    def is_estimate(self, node: Node) -> bool:
        position = self._places[node.index].position
        is_read = node.is_leaf and node.value is not None and node.name not in self.game.changed
        return is_read and not (
            position.over() or position in self.game.proven or self._is_win(node.value)
        )

    def position(self, name: str) -> Any:
        """Return the position at the node of that name."""
        return self._places[self[name].index].position

    def boards(self) -> dict[str, Any]:
        """Return the boards of the nodes: their kind, and what stands on each (see `board_data`).
        `turns` has a letter for each node: the player to move, 0 or 1, or "-" where the game is
        over.
        """
        positions = [place.position for place in self._places]
        kinds, boards = zip(*map(board_data, positions), strict=True)
        turns = "".join("-" if each.over() else "01"[not each.is_max()] for each in positions)
        players = [visible(str(name)) for name in positions[0].players]
        return {"kind": kinds[0], "players": players, "turns": turns, "of": boards}

    # other trees

    def to_search(
        self,
        search: Callable[..., Iterator[Event]],
        rules: Rules,
        depth: int | None,
        options: dict[str, Any],
    ) -> tuple[Tree, int | None]:
        depth = self.game.depth if depth is None else checked_depth(depth)
        game = replace(self.game, search=search, rules=rules, options=options, depth=depth)
        same = game == self.game or (not game.fold and depth == self.game.depth)
        return (self if same else self.of(game)), None

    def with_value(self, name: str, value: Number | None) -> "GameTree":
        """Return the same tree but for one leaf, searched anew: other parts may be skipped now."""
        if not self[name].is_leaf or self.folded(self[name]):
            raise AbvizError(
                f"{visible(name)} was skipped or is no leaf; expected a leaf that was read"
            )
        changed = {**self.game.changed, name: check_value(value, name)}
        return self.of(replace(self.game, changed=changed))

    @classmethod
    def from_rows(cls, *rows: Any, **texts: Any) -> Any:
        """Return a plain tree of the same nodes, without a game behind it."""
        return Tree.from_rows(*rows, **texts)
