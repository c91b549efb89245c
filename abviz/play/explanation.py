"""Why a move: what each legal move is worth, the reply that refutes it, and the tree behind it.

The tree of a decision has the moves and, if they are few, the answers to them; its leaves have the
values of a search by the engine, as deep below them as the decision was. What is said of a move
follows from the leaves that were read, and is true of the values of that search.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, Unpack, cast

from abviz.engine.api import Result, Search, SearchOptions
from abviz.errors import Number, count
from abviz.games.position_tree import STAYS, GameTree, game_tree
from abviz.games.rules import PROVEN, AnyPosition, Players, Position, legal_moves, worth
from abviz.play.match import PlayerOptions
from abviz.tracing.narration import several
from abviz.tracing.traces import Trace, trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node

WIDE = 400  # positions after two moves, from which on the tree of a decision shows one move
LIMITS = ("depth", "seconds", "nodes")

EQUAL, AT_LEAST, AT_MOST = "=", "≥", "≤"


@dataclass(frozen=True)
class MoveAnswer:
    """What a search knows of one legal move.

    The move is worth exactly `value` (sign "="), at least ("≥") or at most that ("≤"), from MAX's
    side. The sign is "" where the search did not look at the move, or left its value open.
    """

    move: str
    sign: str = ""
    value: int | None = None
    proven: bool = False  # the value follows from ends of the game alone
    reply: str = ""  # the opponent's move that holds the value to this; "" where none is known

    def in_words(self, players: Players) -> str:
        """Return the value as players say it: "= 3", "≤ 1", or "x wins in 3 plies"."""
        if self.value is None:
            return "not known"
        if abs(self.value) <= PROVEN:
            return f"{self.sign} {worth(self.value, players)}"

        win = worth(self.value, players)
        if self.sign == EQUAL:
            return win

        # The sooner a win, the farther from 0 is its value
        may_be_sooner = (self.sign == AT_LEAST) == (self.value > 0)
        return f"{win} or sooner" if may_be_sooner else f"at best {win}"

    def sentence(self, players: Players) -> str:
        """Return what is known in a sentence, without the full stop: "c3 is worth 1 or less"."""
        if self.value is None:
            return f"What {self.move} is worth is not known"
        if abs(self.value) > PROVEN:
            return f"With {self.move}, {self.in_words(players)}"

        more = {EQUAL: "", AT_LEAST: " or more", AT_MOST: " or less"}[self.sign]
        return f"{self.move} is worth {worth(self.value, players)}{more}"


@dataclass(frozen=True)
class Decision:
    """A search of a position, as the tree of its moves."""

    position: Position
    result: Result
    tree: GameTree

    # The engine's own answer to a move that is a leaf of the tree, by the position after the move
    replies: dict[Position, str] = field(default_factory=dict)

    @cached_property
    def trace(self) -> Trace:
        """Alpha-beta on the tree."""
        return trace(self.tree)

    @cached_property
    def _was_read(self) -> frozenset[str]:
        return frozenset(self.trace.leaves)

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves, in the order of the rules."""
        return tuple(self.position.move_name(move) for move in legal_moves(self.position))

    def answers(self) -> list[MoveAnswer]:
        """Return what is known of every legal move, the best for the player to move first."""
        laid_out = {child.name: child for child in self.tree.root.children}
        answers = [
            self._answer(laid_out[move]) if move in laid_out else MoveAnswer(move)
            for move in self.moves
        ]
        return sorted(answers, key=self._rank)

    @property
    def best(self) -> str:
        """The move that the search has chosen."""
        return str(self.trace.best or self.result.move)

    def _rank(self, answer: MoveAnswer) -> tuple[bool, bool, float]:
        """Order moves: the best, then what is known, the better first."""
        value = answer.value or 0
        gain = value if self.position.is_max() else -value
        return answer.move != self.best, answer.value is None, -gain

    def _answer(self, child: Node) -> MoveAnswer:
        """Return what the leaves that were read say of a move."""
        low, high = self._proven(child)
        if low == high:
            sign, value = EQUAL, low
        elif high < inf and self.position.is_max():
            sign, value = AT_MOST, high
        elif low > -inf and not self.position.is_max():
            sign, value = AT_LEAST, low
        else:
            return MoveAnswer(child.name)

        refutation = self._refutation(child, value)
        decisive = child if sign == EQUAL or refutation is None else refutation
        return MoveAnswer(
            child.name,
            sign,
            int(value),
            proven=self._is_proven(decisive, value),
            reply=self._reply(child, refutation),
        )

    def _is_proven(self, node: Node, value: Number) -> bool:
        """Return whether the value, which leaves below the node make, is known to be no estimate.

        A win is proven: what an estimate may hide is a win that takes longer.
        """
        if not self.result.exact:
            return False
        return abs(value) > PROVEN or not any(map(self._is_estimate, self._read(node)))

    def _refutation(self, child: Node, value: Number) -> Node | None:
        """Return the opponent's move that alone holds the value to this, or None."""
        if child.is_max == self.tree.root.is_max:
            return None
        for reply in child.children:
            low, high = self._proven(reply)
            if value == (low if child.is_max else high):
                return reply
        return None

    def _reply(self, child: Node, refutation: Node | None) -> str:
        if refutation is None:
            return self.replies.get(self.tree.position(child.name), "")
        move = refutation.name.split()[-1]
        return "" if move == STAYS else move

    def _proven(self, node: Node) -> tuple[Number, Number]:
        state = self.trace.node_at(node, len(self.trace))
        return state.low, state.high

    def _read(self, node: Node) -> Iterable[Node]:
        """Yield the leaves below the node that were read."""
        return (leaf for leaf in self.tree.below(node) if leaf.name in self._was_read)

    def _is_estimate(self, leaf: Node) -> bool:
        return annotations_of(self.tree).is_estimate(leaf)

    def summary(self, move: str) -> str:
        """Return why the move is good or bad, in a sentence or two."""
        answers = {answer.move: answer for answer in self.answers()}
        players = self.position.players
        mover = players[not self.position.is_max()]
        opponent = players[self.position.is_max()]

        answer = answers[move]
        best = answers[self.best]
        if len(answers) == 1:
            return f"{move} is the only legal move."
        if answer.value is None:
            return f"{answer.sentence(players)}. {best.sentence(players)}."

        text = answer.sentence(players)
        if answer.reply:
            text += f": {opponent} replies {answer.reply}"
        if answer.sign != EQUAL or answer.value != best.value:
            return f"{text}. {best.sentence(players)}."

        has_all = all(each.value is not None for each in answers.values())
        return f"{text}. No move is better for {mover}." if has_all else f"{text}."

    # what the stepper shows of it

    def part(self, move: str) -> str | None:
        """Return the node whose part of the tree explains the move; None for the whole tree."""
        is_laid_out = any(child.name == move for child in self.tree.root.children)
        if is_laid_out and not self.tree[move].is_leaf:
            return move
        return None

    def decisive_step(self, move: str) -> int:
        """Return the step at which the search is done with the move: its cut, or its return.

        That is the end of the search where it did not look at the move.
        """
        for cut in self.trace.cuts:
            if cut.at == move:
                return cut.step

        for step in range(1, len(self.trace) + 1):
            event = self.trace.events_at(step)[0]
            if event.kind in ("exit", "leaf") and event.node.name == move:
                return step
        return len(self.trace)


def decide(
    position: AnyPosition,
    run: Callable[[Search], Result] = Search.result,
    **options: Unpack[PlayerOptions],
) -> Decision:
    """Return the decision of a search with these options, which are those of `search`.

    `run` returns the result of each search that is needed, or raises. The tree is as deep, with
    what is below its leaves, as the search of the position was; the engine's own line comes first.
    Where it has found a win, it stopped there, and the tree has that move alone.
    """
    decision = Search(position, **options)
    result = run(decision)
    after = [position.play(move) for move in position.moves()]
    plies = 1 if sum(len(legal_moves(each)) for each in after) > WIDE else 2
    further = result.depth - plies
    plain = cast(
        SearchOptions, {name: each for name, each in options.items() if name not in LIMITS}
    )

    proven: set[Position] = set()
    replies: dict[Position, str] = {}

    def evaluate(leaf: Position) -> int:
        search = Search(leaf, further, **plain)
        search.table = decision.table  # it knows much of this already
        found = run(search)
        if found.proven:
            proven.add(leaf)
        if found.move is not None and leaf.is_max() != position.is_max():
            replies[leaf] = found.move
        return found.value or 0

    shown: dict[str, Any] = {
        "weights": options.get("weights"),
        "first": result.line,
        "proven": proven,
    }
    notes = []
    if _has_won(position, result):
        others = [move for move in position.moves() if move != result.move]
        shown["only"] = result.move
        if others:
            notes.append(
                f"The search stopped as soon as it found this win. Not searched: {several(others)}."
            )

    if further < 1:
        tree = game_tree(position, max(result.depth, 1), note=" ".join(notes), **shown)
        return Decision(position, result, tree)

    notes.append(
        f"Each leaf has the value of a search {count(further, 'move')} deeper, "
        f"from {position.players[0]}'s side."
    )
    tree = game_tree(position, plies, hot=False, evaluate=evaluate, note=" ".join(notes), **shown)
    return Decision(position, result, tree, replies)


def explain(
    position: AnyPosition,
    run: Callable[[Search], Result] = Search.result,
    **options: Unpack[PlayerOptions],
) -> GameTree:
    """Return the tree of a decision: see `decide`."""
    return decide(position, run, **options).tree


def _has_won(position: Position, result: Result) -> bool:
    """Return whether the player to move has a proven win, at which the search stops."""
    return result.wins_in is not None and (result.wins_in > 0) == position.is_max()
