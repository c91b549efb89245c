"""The searches to write, each with its reference. Texts and names of mistakes are in searches.yaml."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isinf
from operator import ge, gt, le, lt
from typing import Any

from abviz.errors import Number, brief, count, number
from abviz.exercises.counterexamples import revalued
from abviz.exercises.mistakes import Line, Search, clamped, never, searching, switches
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.search_exercise import WINDOWS, Case, SearchExercise, exercise, first_readings, takes_turns
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Tree


def with_defaults(**defaults: Any) -> Callable[..., Search]:
    """Return a builder of searches with these switches, where faults do not turn them."""
    return lambda **faults: searching(**defaults | faults)


# values

NEGAMAX = {"plays_max": "always", "worth": "mover's", "turn": "negated", "hand_down": "negated and swapped"}

minimax_with = with_defaults(meets=never)
minimax_value = minimax_with()

WRITE_MINIMAX = exercise(
    "minimax", build=minimax_with, bases=({},), right_run=partial(trace, search=algorithms.minimax)
)
WRITE_ALPHABETA = exercise("alphabeta", build=searching, cases=WINDOWS, right_run=trace)
TWO_FUNCTIONS = exercise("two-functions", build=searching, cases=WINDOWS, right_run=trace, fits=takes_turns)
FAIL_HARD = exercise(
    "fail-hard",
    build=with_defaults(returned=clamped),
    cases=WINDOWS,
    right_run=partial(trace, rules=Rules(fail_hard=True)),
)
NEGAMAX_EXERCISE = exercise(
    "negamax", build=with_defaults(**switches(NEGAMAX)), cases=WINDOWS, right_run=trace, fits=takes_turns
)


# moves and lines


def value_and_name(value: Any) -> tuple[Number, str] | None:
    match value:
        case [int() | float(), str()]:
            return value[0], value[1]
    return None


def value_and_line(value: Any) -> tuple[Number, Line] | None:
    match value:
        case [int() | float(), [*names]] if all(isinstance(name, str) for name in names):
            return value[0], tuple(names)
    return None


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    has_wins = any(isinf(leaf.value or 0) for leaf in tree.leaves())
    return replace(run, leaves=()) if has_wins else first_readings(tree, run)


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

BEST_MOVE = exercise("best-move", build=best_move_with, form=value_and_name, **CHOICES)
BEST_LINE = exercise("best-line", build=best_line_with, form=value_and_line, **CHOICES)


# iterative deepening


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5)


def line_first(line: Line, children: Sequence[Any]) -> list[Any]:
    """Return the children with the one on the line in front. A name stands for one node, so any place on it will do."""
    return sorted(children, key=lambda child: child.name not in line)


def deepening_with(
    *,
    limits: Callable[[int], Sequence[int]] = lambda depth: range(1, depth + 1),
    known: Callable[[Line], Line] = lambda line: line,  # what a pass uses of the line before
    **faults: Any,
) -> Search:
    def deepening(root: Any, depth: int) -> list[tuple[Number, Line]]:
        passes: list[tuple[Number, Line]] = []
        for limit in limits(depth):
            line = known(passes[-1][1]) if passes else ()
            passes.append(best_line_with(order=partial(line_first, line), depth=limit, **faults)(root))
        return passes

    return deepening


def passes(value: Any) -> tuple[Any, ...] | None:
    each = tuple(map(value_and_line, value)) if isinstance(value, list) else (None,)
    return None if None in each else each


def values_read(tree: Tree, run: Observation) -> tuple[str, str]:
    return "reads the values of", f"the nodes {', '.join(run.leaves)}" if run.leaves else "no node"


DEEPENING = exercise(
    "deepening",
    {
        "left to right in every pass": [{"known": lambda line: ()}],
        "the line first at the root only": [{"known": lambda line: line[:1]}],
        "only the last pass": [{"limits": lambda depth: [depth]}],
        "one pass too few": [{"limits": lambda depth: range(1, depth)}],
    },
    build=deepening_with,
    # with two passes first: a fault shows on a small tree, and so does what the second pass makes of the first
    cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
    settle=lambda tree, run: run,  # every value that is read counts, in every pass
    form=passes,
    show=lambda several: f"[{', '.join(map(show_choice, several))}]",
    describe=values_read,
)


# aspiration

UNPROVEN = "unproven"


def aspiration_with(
    *, low: Callable[[Number, Number], bool] = le, high: Callable[[Number, Number], bool] = ge
) -> Search:
    """Return aspiration with at most one more search, or with a test that gets it wrong."""

    def aspiration(root: Any, search: Any, guess: Number, delta: Number) -> Any:
        alpha, beta = guess - delta, guess + delta
        value = search(root, alpha, beta)
        if low(value, alpha):
            return search(root, -inf, beta)
        return search(root, alpha, inf) if high(value, beta) else value

    return aspiration


def what_is_proven(tree: Tree, run: Observation) -> Observation:
    """Keep of the searches the first window, and whether the value is proven in the end. Widening bit by bit or all at
    once are both right."""
    searches = run.details or ()
    kept: list[Any] = [(low, high) for low, high, _ in searches[:1]]
    least = max((value for low, _, value in searches if value > low), default=-inf)
    most = min((value for _, high, value in searches if value < high), default=inf)
    if least < most and run.value is not None:
        kept.append(UNPROVEN)
    return replace(run, leaves=tuple(kept))


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
    },
    build=aspiration_with,
    how="aspiration",
    cases=(Case((0, 2)), Case((3, 1)), Case((0, 2), with_wins)),
    bases=({},),
    settle=what_is_proven,
    describe=windows,
)


# the best order of the children
#
# To be sure of the value v of the root, a search needs one proof that it is at least v and one that it is at most v.
# The two share one leaf, the end of the line. Where each proof is smallest is decided node by node.


def proof(node: Any, value: Number, at_least: bool) -> Number:
    """Return in how few leaves a node's value is seen to be at least (or at most) `value`; inf where it is not."""
    if node.is_leaf:
        return 1 if (node.value >= value if at_least else node.value <= value) else inf
    costs = [proof(child, value, at_least) for child in node.children]
    return min(costs) if node.is_max == at_least else sum(costs)  # what the other player chooses has to be in all


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its value."""
    order = run.value
    if order is None:
        return replace(run, leaves=())
    for parent, names in order.items():
        children = [child.name for child in tree[parent].children] if parent in tree else None
        if children is None or sorted(map(str, names)) != sorted(children):
            expected = f"each of {children} once" if children else "the name of an inner node"
            where = f"it orders the children of {brief(parent)} as {brief(list(names))}"
            return Observation(None, problem=f"{where}; expected {expected}")
    arranged = tree.reordered(lambda node: [tree[name] for name in order.get(node.name, ())] or list(node.children))
    return Observation(len(observe(searching(), Job(arranged, (-inf, inf))).leaves))


def names_by_node(value: Any) -> Mapping[str, Sequence[str]] | None:
    is_order = isinstance(value, Mapping) and all(isinstance(names, list | tuple) for names in value.values())
    return value if is_order else None


def order_with(*, key: Callable[[Any, Number, bool], Number] = proof) -> Search:
    """Return a function that sorts every node's children by key(child, value of the root, is_max of the node)."""

    def best_order(root: Any) -> dict[str, list[str]]:
        order, nodes, value = {}, [root], minimax_value(root)
        for node in nodes:
            ranked = sorted(node.children, key=lambda child: key(child, value, node.is_max))
            order[node.name] = [child.name for child in ranked]
            nodes += [child for child in node.children if not child.is_leaf]
        return order

    return best_order


BEST_ORDER = exercise(
    "best-order",
    {
        "as they stand": [{"key": lambda child, value, is_max: 0}],
        "best first": [{"key": lambda child, value, is_max: minimax_value(child) * (-1 if is_max else 1)}],
        "largest first": [{"key": lambda child, value, is_max: -minimax_value(child)}],
    },
    build=order_with,
    bases=({},),
    form=names_by_node,
    settle=leaves_in_order,
    show=lambda leaves: f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}",
)

SEARCHES: tuple[SearchExercise, ...] = (
    *(WRITE_MINIMAX, TWO_FUNCTIONS, WRITE_ALPHABETA, BEST_MOVE, BEST_LINE, FAIL_HARD, NEGAMAX_EXERCISE),
    *(ASPIRATION, DEEPENING, BEST_ORDER),
)
