"""A position of a game, searched to a small depth, as a tree: the nodes of one search, with skipped parts folded.

The teaching search runs on the game itself, so only the positions it asks for are made. They are then laid out as a
Tree; a skipped child shows only the size of its part ("✂ 37 nodes"). The same search on that tree does the same again,
step by step. Another search, or other rules, may need what is folded: for it the tree is laid out anew (`to_search`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from abviz.errors import AbvizError, Number, brief, count, visible
from abviz.games.boards import board_data, position_text
from abviz.games.rules import (
    DEFAULTS,
    LAST,
    PROVEN,
    WIN,
    captures,
    checked_depth,
    checked_weights,
    legal_moves,
    static_value,
)
from abviz.games.validation import check_game
from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tree.model import Folded, Node, Tree
from abviz.tree.nested import MOST_NODES, Row, check_value

STAYS = "stay"  # the label of the leaf of a player who need not capture
MOST_COUNTED = 200_000  # positions visited to count what was skipped


def game_tree(
    position: Any,
    depth: int,
    *,
    hot: bool = True,
    weights: Mapping[str, int] | None = None,
    fold: bool = True,
    search: Callable[..., Iterator[Event]] = alphabeta,
    rules: Rules = Rules(),
    evaluate: Callable[[Any], int] | None = None,
    first: Sequence[str] = (),
    note: str = "",
    **options: Any,
) -> "GameTree":
    """Return the tree that the search visits from the position, `depth` moves deep.

    The values are the engine's: an estimate, or for a win 1,000,000 less the moves that lead to it. With `hot`,
    captures are played out beyond the depth. A node's name is the moves that lead to it: "11-15 23-19".
    `fold=False` lays out every node down to the depth. `evaluate(position)` gives the leaves other values, such as
    those of a deeper search; a win in it is as the engine counts it from there. `first` is a line of moves to be
    searched before the others.
    """
    check_game(position)
    if search not in (alphabeta, minimax):
        raise AbvizError(f"search is {brief(search)}; expected alphabeta or minimax")
    numbers = tuple(checked_weights(position, weights))
    game = PositionGame(position, checked_depth(depth), hot, numbers, fold, search, rules, options)
    return GameTree.of(replace(game, evaluate=evaluate, first=tuple(first), note=note))


@dataclass(slots=True, eq=False)
class Place:
    """A position that the search may reach, and the moves that lead there."""

    position: Any
    name: str = "root"
    label: str = "root"
    ply: int = 0
    children: "list[Place] | None" = None
    folded: Folded | None = None  # the size of what is skipped here
    stays: bool = False  # a leaf beyond the depth: the player captures nothing, and the estimate stands


@dataclass
class PositionGame:
    """A position as a Game for the teaching searches, with the engine's values, and how its tree is laid out."""

    position: Any
    depth: int
    hot: bool = True  # captures are played out beyond the depth
    weights: tuple[int, ...] = ()
    fold: bool = True  # False: every node is laid out, for any search
    search: Callable[..., Iterator[Event]] = alphabeta  # the one for which the tree is laid out
    rules: Rules = Rules()
    options: Mapping[str, Any] = field(default_factory=dict)  # of the search: its first window
    changed: Mapping[str, Number | None] = field(default_factory=dict)  # what-if values of leaves, by name
    evaluate: Callable[[Any], int] | None = None  # the value of a leaf, as if it were the root
    first: tuple[str, ...] = ()  # the line that is searched before other moves
    note: str = ""  # what is said about the values

    def __post_init__(self) -> None:
        self.root = Place(self.position)
        self.count = 1  # places made so far
        self.sizes: dict[tuple[Any, int], Folded] = {}
        self.values: dict[Any, int] = {}

    def children(self, place: Place) -> list[Place]:
        if place.children is None:
            ends = place.stays or self._ends(place.position, place.ply)
            place.children = [] if ends else list(self._children(place))
        return place.children

    def is_max(self, place: Place) -> bool:
        return bool(place.position.is_max())

    def value(self, place: Place) -> Number | None:
        if place.name in self.changed:
            return self.changed[place.name]
        if place.position.over():
            return place.position.value() * (WIN - place.ply)  # type: ignore[no-any-return]
        if self.evaluate:
            if place.position not in self.values:
                self.values[place.position] = self.evaluate(place.position)
            value = self.values[place.position]
            return value - place.ply if value > PROVEN else value + place.ply if value < -PROVEN else value
        return static_value(place.position, self.weights)

    def size(self, position: Any, ply: int) -> Folded:
        """Return how many nodes and leaves minimax would visit from the position, itself included."""
        if (position, ply) not in self.sizes:
            moves, may_stay = ([], False) if self._ends(position, ply) else self._moves(position, ply)
            below = [Folded(1, 1)] * may_stay + [self.size(position.play(move), ply + 1) for move in moves]
            leaves = sum(each.leaves for each in below) or 1
            self.sizes[position, ply] = Folded(1 + sum(each.nodes for each in below), leaves)
            if len(self.sizes) > MOST_COUNTED:
                raise AbvizError(f"depth {self.depth} skips too much to be counted; expected a smaller depth")
        return self.sizes[position, ply]

    def _ends(self, position: Any, ply: int) -> bool:
        return ply >= self.depth and (ply >= LAST or not (self.hot and position.hot()))

    def _moves(self, position: Any, ply: int) -> tuple[list[int], bool]:
        """Return the moves that are searched, and whether the player may also stay: see `captures`."""
        every = legal_moves(position)
        moves = captures(position, every) if ply >= self.depth else every
        return moves, len(moves) < len(every)

    def _children(self, place: Place) -> Iterator[Place]:
        moves, may_stay = self._moves(place.position, place.ply)
        if may_stay:
            yield Place(place.position, f"{place.name} {STAYS}", STAYS, place.ply, stays=True)
        named = [(place.position.move_name(move), move) for move in moves]
        line = self.first
        if place.ply < len(line) and place.name in ("root", " ".join(line[: place.ply])):
            named.sort(key=lambda each: each[0] != line[place.ply])
        for label, move in named:
            name = label if place is self.root else f"{place.name} {label}"
            self.count += 1
            if self.count > MOST_NODES:
                size = f"{self.position.title} to depth {self.depth} has more than {MOST_NODES:,} nodes"
                raise AbvizError(f"{size}; expected a smaller depth")
            yield Place(place.position.play(move), name, label, place.ply + 1)


class GameTree(Tree):
    """A Tree made from a position of a game, with the position at each node."""

    __slots__ = ("_places", "game")

    game: PositionGame
    _places: tuple[Place, ...]

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
            place.folded = None if shown else game.size(place.position, place.ply)
            stack += [(child, len(rows)) for child in reversed(children)]
            leaf_value = game.value(place) if shown and not children else None
            rows.append(Row(place.name, game.is_max(place), leaf_value, parent))
            places.append(place)
        if len({place.name for place in places}) < len(places):
            raise AbvizError("two nodes have one name; expected a move_name without spaces")
        tree = cls.__new__(cls)
        position, plays_out = game.position, game.hot and game.position.rules["hot"] is not DEFAULTS["hot"]
        note = f"Searched {count(game.depth, 'move')} deep{'; captures are played out beyond it' * plays_out}."
        note = f"{note} {game.note}".strip()
        source = position_text(position)
        tree._fill(rows, f"{position.title}, depth {game.depth}", source, note)
        object.__setattr__(tree, "game", replace(game))  # without all that was counted
        object.__setattr__(tree, "_places", tuple(places))
        return tree

    # for pictures and sentences

    def label(self, node: Node) -> str:
        """Return the last move alone: the picture shows the way to it."""
        return self._places[node.index].label

    def folded(self, node: Node) -> Folded | None:
        return self._places[node.index].folded

    def ending(self, node: Node) -> str:
        position = self._places[node.index].position
        if node.name in self.game.changed or not position.over():
            return ""
        return {0: "a draw", 1: "MAX has won", -1: "MIN has won"}[position.value()]

    def position(self, name: str) -> Any:
        """Return the position at the node of that name."""
        return self._places[self[name].index].position

    def boards(self, part: tuple[Node, ...]) -> dict[str, Any]:
        """Return the boards of these nodes: their kind, and what stands on each (see `board_data`). `turns` has a
        letter for each node: the player to move, 0 or 1, or "-" where the game is over."""
        positions = [self._places[node.index].position for node in part]
        kinds, boards = zip(*map(board_data, positions), strict=True)
        turns = "".join("-" if each.over() else "01"[not each.is_max()] for each in positions)
        players = [visible(str(name)) for name in positions[0].players]
        return {"kind": kinds[0], "players": players, "turns": turns, "of": boards}

    # other trees

    def to_search(
        self, search: Callable[..., Iterator[Event]], rules: Rules, depth: int | None, options: dict[str, Any]
    ) -> tuple[Tree, int | None]:
        depth = self.game.depth if depth is None else checked_depth(depth)
        game = replace(self.game, search=search, rules=rules, options=options, depth=depth)
        same = game == self.game or (not game.fold and depth == self.game.depth)
        return (self if same else self.of(game)), None

    def with_value(self, name: str, value: Number | None) -> "GameTree":
        """Return the same tree but for one leaf, searched anew: other parts may be skipped now."""
        if not self[name].is_leaf or self.folded(self[name]):
            raise AbvizError(f"{visible(name)} was skipped or is no leaf; expected a leaf that was read")
        changed = {**self.game.changed, name: check_value(value, name)}
        return self.of(replace(self.game, changed=changed))

    @classmethod
    def from_rows(cls, *rows: Any, **texts: Any) -> Any:
        """Return a plain tree of the same nodes, without a game behind it, as `reordered` makes."""
        return Tree.from_rows(*rows, **texts)

    def _key(self) -> tuple[object, ...]:
        return *super()._key(), tuple(place.position for place in self._places)

    def __reduce__(self) -> Any:
        return GameTree.of, (self.game,)
