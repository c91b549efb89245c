"""The exercise on iterative deepening: one move deeper in each pass, and the line of the pass before comes first."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any

from abviz.errors import Number, number
from abviz.exercises import stubs
from abviz.exercises.behaviour import Behaviour, observe
from abviz.exercises.choosing import Line, as_good, better, known, value_and_line
from abviz.exercises.choosing import shown as shown_pass
from abviz.exercises.counterexamples import smallest_trees
from abviz.exercises.dressing import with_static_values
from abviz.exercises.mistakes import Bounds, Mistake, cuts, never, strictly
from abviz.exercises.searches import Case, Exercise
from abviz.exercises.verdicts import written
from abviz.tree.model import Tree

Pass = tuple[Number, Line]

DEPTHS = 2, 1, 3, 4  # in two passes a fault is seen that is small, and shows what the second one makes of the first


def passes(returned: Any) -> tuple[Pass, ...] | None:
    each = tuple(map(value_and_line, returned)) if isinstance(returned, tuple | list) else (None,)
    return None if None in each else each  # type: ignore[return-value]


def shown(several: Sequence[Pass]) -> str:
    return f"[{', '.join(map(shown_pass, several))}]"


def values_read(tree: Tree, run: Behaviour) -> str:
    return f"reads the values of {'the nodes ' + ', '.join(run.leaves) if run.leaves else 'no node'}"


def to_depth(depth: int) -> Case:
    return Case((depth,), f" with depth = {depth}", with_static_values, with_static)


def with_static(tree: Tree) -> str:
    """The tree in words, and the static values at inner nodes. The root's is never read."""
    static = [f"{number(node.value)} at {node.name}" for node in tree.nodes[1:] if not node.is_leaf]
    return f"{written(tree)} (static values: {', '.join(static)})" if static else written(tree)


def line_first(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> list[Any]:
    """The next node of the line first, where the search is still on it; the others as they are."""
    return sorted(children, key=lambda child: not (on_line and child.name in line))


def deepening_with(
    order: Callable[..., Sequence[Any]] = line_first,
    limits: Callable[[int], Sequence[int]] = lambda depth: range(1, depth + 1),
    window: Callable[[list[Pass]], Bounds] = lambda before: (-inf, inf),
    line_of: Callable[[list[Pass]], Line] = lambda before: before[-1][1] if before else (),
    static: Callable[[Any], Number] = lambda node: node.value,
    better: Callable[[Number, Number, bool], bool] = better,
    cuts: Callable[..., bool] = cuts,
) -> Callable[..., Any]:
    """Iterative deepening, but for what is told."""

    def search(node: Any, alpha: Number, beta: Number, left: int, line: Line, depth: int, on_line: bool) -> Pass:
        if node.is_leaf:
            return node.value, ()
        if left == 0:
            return static(node), ()
        is_max, best = node.is_max, None
        bv, low, high = (-inf if is_max else inf), alpha, beta
        for child in order(node.children, line, depth, on_line):
            on = on_line and child.name in line
            value, below = search(child, low, high, left - 1, line, depth + 1, on)
            if best is None or better(value, bv, is_max):
                bv, best = value, (child.name, *below)
            if cuts(bv, alpha, beta, is_max):
                break
            low, high = (max(low, bv), high) if is_max else (low, min(high, bv))
        return bv, best or ()

    def deepened(root: Any, depth: int) -> list[Pass]:
        found: list[Pass] = []
        for limit in limits(depth):
            found.append(search(root, *window(found), limit, line_of(found), 0, True))
        return found

    return deepened


def unordered(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    return children


def first_at_the_root(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    return line_first(children, line, depth, on_line and depth == 0)


def swapped(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    """The line's child and the first one change places."""
    turned = list(children)
    for place, child in enumerate(children):
        if on_line and child.name in line:
            turned[0], turned[place] = child, turned[0]
    return turned


def line_only(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    return [child for child in children if on_line and child.name in line] or children


def line_last(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    return line_first(children, line, depth, on_line)[::-1] if on_line and line else children


def right_to_left(children: Sequence[Any], line: Line, depth: int, on_line: bool) -> Sequence[Any]:
    return line_first(children[::-1], line, depth, on_line)


def value_kept(before: list[Pass]) -> Bounds:
    return (before[-1][0] if before else -inf), inf


DEEPENING = Exercise(
    "deepening",
    deepening_with(),
    tuple(map(to_depth, DEPTHS)),
    (
        Mistake(
            "left to right in every pass",
            "every pass goes from left to right, and what the pass before has found is not used",
            "What do you know about the best move before the second pass begins?",
            deepening_with(unordered),
        ),
        Mistake(
            "the line first at the root only",
            "the best move of the pass before comes first, and below it the rest of the line does not",
            "The line has more than one move. At which nodes can the others be of use?",
            deepening_with(first_at_the_root),
        ),
        Mistake(
            "the first line for ever",
            "the line of the first pass comes first in all of them",
            "After which pass is the line that you search first known, and is there a later one?",
            deepening_with(line_of=lambda before: before[0][1] if before else ()),
        ),
        Mistake(
            "swapped to the front",
            "the line's child and the first one change places, so that the others do not keep their order",
            "Three children a, b, c, and c is on the line. In which order do you search them?",
            deepening_with(swapped),
        ),
        Mistake(
            "only the line",
            "where there is a line nothing else is searched",
            "The line was best one move ago. Is it certain that it still is?",
            deepening_with(line_only),
        ),
        Mistake(
            "the line last",
            "the nodes of the line are searched after all others",
            "A good move narrows the window for those that come after it. When should it come?",
            deepening_with(line_last),
        ),
        Mistake(
            "only the last pass",
            "there is one search, with the whole depth, and no pass before it",
            "How many pairs should there be if depth is 3, and where does the first line come from?",
            deepening_with(limits=lambda depth: [depth]),
        ),
        Mistake(
            "one pass too few",
            "the passes end one short of the depth",
            "Which is the last limit that your loop comes to, if depth is 3?",
            deepening_with(limits=lambda depth: range(1, depth)),
        ),
        Mistake(
            "one move too deep",
            "every pass goes one move deeper than its limit says",
            "With the limit 1, whose values are read: those of the root's children, or of their children?",
            deepening_with(limits=lambda depth: range(2, depth + 2)),
        ),
        Mistake(
            "a pass of depth 0",
            "there is a pass before the first, with the limit 0",
            "Which is the first limit that the exercise asks for?",
            deepening_with(limits=lambda depth: range(depth + 1)),
        ),
        Mistake(
            "0 at the limit",
            "an inner node at the depth limit is worth 0, and not its static value",
            "The search ends at a node that is no leaf. What does the node say that it is worth?",
            deepening_with(static=lambda node: 0),
        ),
        Mistake(
            "the value of one pass as α of the next",
            "the value of a pass becomes the α of the next one, although one move deeper it may be less",
            "One move deeper the value may be anything. What is MAX assured of, when a pass begins?",
            deepening_with(window=value_kept),
        ),
        Mistake(
            "the last of equals",
            "of children that seem equally good the line takes the last",
            "A child that is searched late may return a bound. What do you know of it if that is as good as the best?",
            deepening_with(better=as_good),
        ),
        Mistake(
            "minimax",
            "no pass ever cuts",
            "When does a node know enough to leave the rest of its children alone?",
            deepening_with(cuts=never),
        ),
        known("strict", deepening_with(cuts=strictly)),
        Mistake(
            "right to left",
            "the children that are not on the line are searched from right to left",
            "In which order does the exercise want the other children?",
            deepening_with(right_to_left),
        ),
    ),
    (
        "Write one pass first: your search for the best line, which counts the moves that are left.",
        "A pass needs the limit and the line of the pass before. What does the first pass get for a line?",
        "A node is on the line if its parent is, and if it is the line's next node. Who can tell it so?",
        "Bringing one child to the front must leave the others as they stand: in which order, if the last is brought?",
    ),
    stubs.DEEPENING,
    small=smallest_trees,
    run=partial(observe, form=passes, expected="a list of pairs (value, list of names)", every_value=True),
    expected="a function f(root, depth)",
    shown=shown,
    done=values_read,
)
