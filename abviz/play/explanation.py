"""Why a move: the tree of a decision, with the values that the engine found below it."""

from collections.abc import Callable
from typing import Any

from abviz.engine.api import Result, Search
from abviz.errors import count
from abviz.games.position_tree import GameTree
from abviz.games.rules import legal_moves

WIDE = 400  # positions after two moves, from which on the tree shows one move
LIMITS = ("depth", "seconds", "nodes")


def explain(position: Any, run: Callable[[Search], Result] = Search.result, **options: Any) -> GameTree:
    """Return the tree of the moves and, if they are few, the answers to them; the engine searches on at its leaves.

    The options are those of `search`; `run` returns the result of each search that is needed, or raises. The tree is
    as deep, with what is below its leaves, as the search of the position was; the engine's own line comes first.
    """
    decision = Search(position, **options)
    result = run(decision)
    replies = sum(len(legal_moves(position.play(move))) for move in position.moves())
    plies = 1 if replies > WIDE else 2
    further = result.depth - plies
    plain = {name: option for name, option in options.items() if name not in LIMITS}

    def evaluate(leaf: Any) -> int:
        search = Search(leaf, further, **plain)
        search.table = decision.table  # it knows much of this already
        return run(search).value or 0

    shown = {"weights": options.get("weights"), "first": result.line}
    if further < 1:
        return position.to_tree(max(result.depth, 1), **shown)  # type: ignore[no-any-return]
    note = f"Each leaf has the value of a search {count(further, 'move')} deeper, from {position.players[0]}'s side."
    return position.to_tree(plies, hot=False, evaluate=evaluate, note=note, **shown)  # type: ignore[no-any-return]
