"""The known mistakes of alpha-beta, and those of minimax."""

from collections.abc import Callable
from typing import Any

from abviz.errors import Number
from abviz.exercises.choice_mistakes import CHOICES
from abviz.exercises.cut_mistakes import CUTS
from abviz.exercises.mistakes import ASKING_BOUNDS, Mistake, never, searching, without_bounds
from abviz.exercises.window_mistakes import WINDOW

ALPHABETA = (*CUTS, *CHOICES, *WINDOW)


def _as_minimax(mistake: Mistake) -> Mistake:
    """The same in a search that never cuts."""
    wrongs = [wrong for wrong in mistake.wrongs if not wrong.keys() & ASKING_BOUNDS.keys()]
    function, *also = (without_bounds(searching(**wrong | {"cuts": never})) for wrong in wrongs)
    name, says = IN_MINIMAX.get(mistake.name, (mistake.name, mistake.says))
    return Mistake(name, says, mistake.hint, function, tuple(also))


IN_MINIMAX = {  # who sorts leaves by value reads them all before that: in which order they are searched is not seen
    "children sorted": ("leaves first", "it reads the leaves among a node's children before it searches the others"),
}


def _for_the_mover(leaf: Callable[[Any], Number]) -> Callable[..., Any]:
    def search(node: Any) -> Number:
        return leaf(node) if node.is_leaf else max(-search(child) for child in node.children)

    return search


MINIMAX = (
    *map(_as_minimax, CHOICES),
    Mistake(
        "it cuts",
        "it leaves children out as alpha-beta does, where minimax reads every leaf",
        "Minimax knows no bounds. Which leaves does it read?",
        without_bounds(searching()),
    ),
    Mistake(
        "negamax",
        "values are the mover's, as in negamax; the exercise wants MAX's, also where MIN moves",
        "Try a tree at whose root MIN moves. Whose value do you return?",
        _for_the_mover(lambda node: node.value),
        (_for_the_mover(lambda node: node.value if node.is_max else -node.value),),
    ),
)
