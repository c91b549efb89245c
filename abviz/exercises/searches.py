"""The searches to write, each with its reference. Texts and names of mistakes are in searches.yaml."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isinf
from operator import ge, gt, le, lt
from typing import Any

from abviz.errors import Number, brief, count, number
from abviz.exercises.counterexamples import revalued, smallest_trees
from abviz.exercises.mistakes import (
    FAULTS,
    NEGAMAX,
    Faults,
    Line,
    Search,
    clamped,
    mistake,
    never,
    searching,
    texts,
)
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.search_exercise import WINDOWS, Case, SearchExercise, takes_turns
from abviz.exercises.verdict import written
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Tree

WINDOWED: dict[str, Any] = {"cases": WINDOWS, "words": " with the window ({}, {})"}


def exercise(name: str, faults: Mapping[str, list[Faults]] = FAULTS, **options: Any) -> SearchExercise:
    """Return an exercise with its texts and mistakes. Faults are keyword arguments to `build`."""
    own = texts()[name]
    mistakes = tuple(mistake(each, faults[each] if each in faults else FAULTS[each]) for each in own["mistakes"])
    return SearchExercise(name, own["stub"], tuple(own["hints"]), mistakes, **options)


def with_defaults(**defaults: Any) -> Callable[..., Search]:
    """Return a builder of searches with these switches, where faults do not turn them."""
    return lambda **faults: searching(**defaults | faults)


# values

minimax_with = with_defaults(meets=never)

WRITE_MINIMAX = exercise(
    "minimax", build=minimax_with, bases=({},), right_run=partial(trace, search=algorithms.minimax)
)
WRITE_ALPHABETA = exercise("alphabeta", build=searching, right_run=trace, **WINDOWED)
TWO_FUNCTIONS = exercise(
    "two-functions",
    build=searching,
    fits=takes_turns,
    expected="a pair of functions (max_value, min_value)",
    right_run=trace,
    **WINDOWED,
)
FAIL_HARD = exercise(
    "fail-hard",
    build=with_defaults(returned=clamped),
    right_run=partial(trace, rules=Rules(fail_hard=True)),
    **WINDOWED,
)
NEGAMAX_EXERCISE = exercise("negamax", build=with_defaults(**NEGAMAX), fits=takes_turns, right_run=trace, **WINDOWED)


# moves and lines


def value_and(form: Callable[[Any], Any]) -> Callable[[Any], tuple[Number, Any] | None]:
    """Return a function that reads a pair of a value and what `form` reads: a name or a line."""

    def pair(value: Any) -> tuple[Number, Any] | None:
        if not isinstance(value, list | tuple) or len(value) != 2 or not isinstance(value[0], int | float):
            return None
        second = form(value[1])
        return None if second is None else (value[0], second)

    return pair


def name(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def line(value: Any) -> Line | None:
    return tuple(value) if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value) else None


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    return replace(run, leaves=(), details=None) if any(isinf(leaf.value or 0) for leaf in tree.leaves()) else run


def show_choice(choice: tuple[Number, Any]) -> str:
    value, move = choice
    return f"({number(value)}, {list(move) if isinstance(move, tuple) else repr(move)})"


def with_wins(tree: Tree) -> Tree:
    """Return the tree as a game: won by MAX (∞), won by MIN (−∞) or drawn (0)."""
    return revalued(tree, lambda node: inf if node.value and node.value > 0 else -inf if node.value else node.value)


CHOICES: dict[str, Any] = {
    "cases": (Case(), Case(dress=with_wins)),
    "settle": without_leaves_of_wins,
    "show": show_choice,
    "right_run": trace,
}

best_move_with = with_defaults(result=lambda root, value, line: (value, line[0] if line else None))
best_line_with = with_defaults(result=lambda root, value, line: (value, line))

BEST_MOVE = exercise(
    "best-move",
    build=best_move_with,
    form=value_and(name),
    form_words="a pair (value, name of a child), as (3, 'B')",
    expected="a function that returns (value, name)",
    **CHOICES,
)
BEST_LINE = exercise(
    "best-line",
    build=best_line_with,
    form=value_and(line),
    form_words="a pair (value, list of names)",
    expected="a function that returns (value, list of names)",
    **CHOICES,
)


# iterative deepening


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5)


def written_with_static(tree: Tree) -> str:
    """Return the tree in words, with the static values. The root's is never read."""
    static = [f"{number(node.value)} at {node.name}" for node in tree.nodes[1:] if not node.is_leaf]
    return f"{written(tree)} (static values: {', '.join(static)})" if static else written(tree)


Arrange = Callable[[list[Any], Line, bool], list[Any]]


def line_first(children: list[Any], line: Line, is_root: bool) -> list[Any]:
    return sorted(children, key=lambda child: child.name not in line)


class LimitedNode:
    """A node of a tree that ends at a depth limit, with the nodes of a line before their siblings."""

    def __init__(self, node: Any, limit: int, line: Line, arrange: Arrange, is_root: bool = True):
        self.node, self.limit, self.line, self.arrange, self.is_root = node, limit, line, arrange, is_root
        self.name, self.is_max, self.is_leaf = node.name, node.is_max, node.is_leaf or limit == 0

    @property
    def value(self) -> Number:
        return self.node.value  # type: ignore[no-any-return]

    @property
    def children(self) -> "list[LimitedNode]":
        children = list(self.node.children)
        arranged = self.arrange(children, self.line, self.is_root) if self.line else children
        lines = [self.line if child.name in self.line else () for child in arranged]
        return [
            LimitedNode(child, self.limit - 1, line, self.arrange, False)
            for child, line in zip(arranged, lines, strict=True)
        ]


def deepening_with(
    *,
    limits: Callable[[int], Sequence[int]] = lambda depth: range(1, depth + 1),
    arrange: Arrange = line_first,
    **faults: Any,
) -> Search:
    search = best_line_with(**faults)

    def deepening(root: Any, depth: int) -> list[tuple[Number, Line]]:
        passes: list[tuple[Number, Line]] = []
        for limit in limits(depth):
            line = passes[-1][1] if passes else ()
            passes.append(search(LimitedNode(root, limit, line, arrange)))
        return passes

    return deepening


def swapped_to_front(children: list[Any], line: Line, is_root: bool) -> list[Any]:
    place = next((place for place, child in enumerate(children) if child.name in line), 0)
    children[0], children[place] = children[place], children[0]
    return children


def passes(value: Any) -> tuple[Any, ...] | None:
    each = tuple(map(value_and(line), value)) if isinstance(value, list | tuple) else (None,)
    return None if None in each else each


DEEPENING = exercise(
    "deepening",
    {
        "left to right in every pass": [{"arrange": lambda children, line, is_root: children}],
        "the line first at the root only": [
            {"arrange": lambda children, line, is_root: line_first(children, line, is_root) if is_root else children}
        ],
        "swapped to the front": [{"arrange": swapped_to_front}],
        "only the last pass": [{"limits": lambda depth: [depth]}],
        "one pass too few": [{"limits": lambda depth: range(1, depth)}],
    },
    build=deepening_with,
    # with two passes first: a fault shows on a small tree, and so does what the second pass makes of the first
    cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
    words=" with depth = {}",
    trees=smallest_trees,
    far=False,
    how="values",
    form=passes,
    form_words="a list of pairs (value, list of names)",
    show=lambda several: f"[{', '.join(map(show_choice, several))}]",
    written=written_with_static,
    describe=lambda tree, run: (
        "reads the values of",
        f"the nodes {', '.join(run.leaves)}" if run.leaves else "no node",
    ),
    expected="a function f(root, depth)",
)


# aspiration

WIDER, IDLE, UNPROVEN = "wider", "idle", "unproven"


def aspiration_with(
    *,
    low: Callable[[Number, Number], bool] = le,
    high: Callable[[Number, Number], bool] = ge,
    inside: Callable[[Any, Number], Number] = lambda again, value: value,  # what is done with a value in the window
    instead: Search | None = None,
) -> Search:
    """Return aspiration with at most one more search, or with a switch turned a way to get it wrong."""

    def aspiration(root: Any, search: Any, guess: Number, delta: Number) -> Number:
        alpha, beta = guess - delta, guess + delta
        value: Number = search(root, alpha, beta)
        if low(value, alpha):
            return search(root, -inf, beta)  # type: ignore[no-any-return]
        if high(value, beta):
            return search(root, alpha, inf)  # type: ignore[no-any-return]
        return inside(lambda: search(root, -inf, inf), value)

    return instead or aspiration


def until_inside(root: Any, search: Any, guess: Number, delta: Number) -> Number:
    """Widen the window until the value lies between the bounds, which ±∞ never does."""
    alpha, beta = guess - delta, guess + delta
    while True:
        value: Number = search(root, alpha, beta)
        if alpha < value < beta:
            return value
        delta *= 2
        alpha, beta = (guess - delta, beta) if value <= alpha else (alpha, guess + delta)


def kinds_of_searches(tree: Tree, run: Observation) -> Observation:
    """Keep of the searches the first window, whether each later one could find anything new, and whether the value is
    proven in the end. Widening bit by bit or all at once are both right."""
    kinds: list[Any] = []
    least, most = -inf, inf  # the value lies between these
    for low, high, value in run.details or ():
        kind: Any = WIDER if low < most and high > least and least < most else IDLE
        if not kinds:
            kinds = [(low, high)]
        elif kinds[-1] != kind and not (least == most and isinf(least)):  # a win may be searched again, or not
            kinds.append(kind)
        if value > low:
            least = max(least, value if isinf(value) else min(value, high))
        if value < high:
            most = min(most, value if isinf(value) else max(value, low))
    if least < most and run.value is not None:
        kinds.append(UNPROVEN)
    return replace(run, leaves=tuple(kinds))


def windows(tree: Tree, run: Observation) -> tuple[str, str]:
    listed = ", ".join(f"({number(low)}, {number(high)})" for low, high, _ in run.details or ()) or "no window"
    return "searches with", listed + (", and then does not know the value" if UNPROVEN in run.leaves else "")


ASPIRATION = exercise(
    "aspiration",
    {
        "no second search": [{"low": never, "high": never}],
        "a bound taken for the value": [{"low": lt, "high": gt}],
        "fails low unseen": [{"low": never}],
        "fails high unseen": [{"high": never}],
        "endless at a win": [{"instead": until_inside}],
        "the full window always": [{"inside": lambda again, value: again()}],
    },
    build=aspiration_with,
    cases=(Case((0, 2)), Case((3, 1)), Case((0, 2), with_wins)),
    words=" with guess = {} and delta = {}",
    bases=({},),
    trees=smallest_trees,
    far=False,
    how="aspiration",
    settle=kinds_of_searches,
    describe=windows,
    expected="a function f(root, search, guess, delta)",
)


# the best order of the children
#
# To be sure of the value v of the root, a search needs one proof that it is at least v and one that it is at most v.
# The two share one leaf, the end of the line. Where each proof is smallest is decided node by node.

VALUE = minimax_with()


def is_enough(node: Any, value: Number, at_least: bool) -> bool:
    return VALUE(node) >= value if at_least else VALUE(node) <= value  # type: ignore[no-any-return]


def proof(node: Any, value: Number, at_least: bool) -> int:
    """Return in how few leaves a node's value is seen to be at least (or at most) `value`, which is true of it."""
    if node.is_leaf:
        return 1
    if node.is_max != at_least:  # the other player chooses: it has to be proven of every child
        return sum(proof(child, value, at_least) for child in node.children)
    return min(proof(child, value, at_least) for child in node.children if is_enough(child, value, at_least))


def fewest_leaves(tree: Tree) -> int:
    """Return how many leaves alpha-beta reads in the best order of the children. Leaves are finite."""
    value = VALUE(tree.root)
    return proof(tree.root, value, True) + proof(tree.root, value, False) - 1


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its value."""
    order = run.value
    if order is None:
        return replace(run, leaves=())
    for parent, names in order.items():
        where = f"it orders the children of {brief(parent)}"
        if parent not in tree or (tree[parent].is_leaf and names):
            return Observation(None, problem=f"{where}; expected the name of an inner node")
        children = [child.name for child in tree[parent].children]
        if sorted(map(str, names)) != sorted(children):
            return Observation(None, problem=f"{where} as {brief(list(names))}; expected each of {children} once")
    arranged = tree.reordered(lambda node: [tree[name] for name in order.get(node.name, ())] or list(node.children))
    return Observation(len(observe(searching(), Job(arranged, (-inf, inf))).leaves))


def names_by_node(value: Any) -> Mapping[str, Sequence[str]] | None:
    is_order = isinstance(value, Mapping) and all(isinstance(names, list | tuple) for names in value.values())
    return value if is_order else None


def by_cost(value: Number, child: Any, is_max: bool) -> Number:
    return proof(child, value, is_max) if is_enough(child, value, is_max) else inf


def best_first(value: Number, child: Any, is_max: bool) -> Number:
    return -VALUE(child) if is_max else VALUE(child)  # type: ignore[no-any-return]


def order_with(*, key: Callable[[Any, Any, bool], Number] = by_cost, below: bool = True) -> Search:
    """Return a function that sorts every node's children by key(value of the root, child, is_max)."""

    def best_order(root: Any) -> dict[str, list[str]]:
        order, nodes, value = {}, [root], VALUE(root)
        for node in nodes:
            ranked = sorted(node.children, key=lambda child: key(value, child, node.is_max))
            order[node.name] = [child.name for child in ranked]
            nodes += [child for child in node.children if not child.is_leaf and below]
        return order

    return best_order


BEST_ORDER = exercise(
    "best-order",
    {
        "as they stand": [{"key": lambda value, child, is_max: 0}],
        "best first": [{"key": best_first}],
        "worst first": [{"key": lambda value, child, is_max: -best_first(value, child, is_max)}],
        "largest first": [{"key": lambda value, child, is_max: -VALUE(child)}],
        "only the root's children": [{"key": best_first, "below": False}],
    },
    build=order_with,
    bases=({},),
    trees=smallest_trees,
    form=names_by_node,
    form_words="a dictionary {name: [names of its children]}",
    settle=leaves_in_order,
    show=lambda leaves: f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}",
    expected="a function that returns a dictionary",
)

SEARCHES: tuple[SearchExercise, ...] = (
    *(WRITE_MINIMAX, TWO_FUNCTIONS, WRITE_ALPHABETA, BEST_MOVE, BEST_LINE, FAIL_HARD, NEGAMAX_EXERCISE),
    *(ASPIRATION, DEEPENING, BEST_ORDER),
)
