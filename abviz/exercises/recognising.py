"""Which known mistake a wrong search makes."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from abviz.exercises.choice_mistakes import FINITE
from abviz.exercises.counterexamples import TRIED, far_trees, is_far, min_begins, random_trees, small_trees
from abviz.exercises.mistakes import Mistake
from abviz.exercises.trying import Case
from abviz.exercises.window_mistakes import BACKWARDS
from abviz.recording.calling import names_them_backwards
from abviz.tree.model import Tree

if TYPE_CHECKING:
    from abviz.exercises.searches import Exercise

SAMPLE = 250  # trees of each kind on which an answer is compared with a known mistake
MIN_BEGINS = 60  # small ones at whose root MIN moves, beside these: what the root returns is hidden further down


def mistake_of(exercise: "Exercise", function: Callable[..., Any], tree: Tree, case: Case) -> Mistake | None:
    """The mistake that it makes, if there is a name for it."""
    if case.window and names_them_backwards(function):
        return BACKWARDS
    if is_far(tree):  # on all others it is right
        return FINITE if _stops_at_a_number(exercise, function, tree, case) else None
    return _known(exercise, function)


def _known(exercise: "Exercise", function: Callable[..., Any]) -> Mistake | None:
    """The known mistake that does the same as the answer on every tree tried."""
    trees = sample(exercise)
    mine = cache(lambda place: exercise.runs(function, trees[place]))
    for mistake in exercise.mistakes:
        for form in mistake.forms:
            if all(mine(place) == exercise.runs(form, tree) for place, tree in enumerate(trees)):
                again = mistake.reads_once and any(run.again for place in range(len(trees)) for run in mine(place))
                return None if again else mistake
    return None


def _stops_at_a_number(exercise: "Exercise", function: Callable[..., Any], tree: Tree, case: Case) -> bool:
    """Whether it returns the same on the tree and on the two of its shape whose leaves are furthest away."""
    like = [far for far in far_trees() if (len(far), far.root.is_max) == (len(tree), tree.root.is_max)]
    first, *others = (
        exercise.run(function, each, *case.arguments).value for each in (tree, *map(case.dressed, like[-2:]))
    )
    return first is not None and others == [first, first]


def sample(exercise: "Exercise") -> list[Tree]:
    """The trees on which an answer is compared with known mistakes."""
    trees = (*small_trees()[:SAMPLE], *random_trees(TRIED)[:SAMPLE], *min_begins(MIN_BEGINS))
    return [tree for tree in trees if exercise.fits(tree)]
