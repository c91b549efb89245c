"""The searches to write, each with its reference. Texts and names of mistakes are in searches.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf, isinf
from string import ascii_lowercase
from typing import Any

from abviz.errors import Number, brief, count, number
from abviz.exercises.counterexamples import long_form, revalued
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.search_exercise import WINDOWS, Case, SearchExercise, exercise, first_readings, takes_turns
from abviz.recording.recorder import record
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Node, Tree
from abviz.tree.nested import with_names

# values

WRITE_MINIMAX = exercise("minimax", bases=({},), right_run=partial(trace, search=algorithms.minimax))
WRITE_ALPHABETA = exercise("alphabeta", cases=WINDOWS, right_run=trace)
TWO_FUNCTIONS = exercise("two-functions", cases=WINDOWS, right_run=trace, fits=takes_turns)
FAIL_HARD = exercise("fail-hard", cases=WINDOWS, right_run=partial(trace, rules=Rules(fail_hard=True)))
NEGAMAX = exercise("negamax", cases=WINDOWS, right_run=trace, fits=takes_turns)


# moves and lines


def value_and_moves(value: Any) -> tuple[Number, str | tuple[str, ...]] | None:
    """Return the pair of a value and a name, or of a value and a line."""
    match value:
        case [int() | float(), str()]:
            return value[0], value[1]
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
    "form": value_and_moves,
    "settle": without_leaves_of_wins,
    "show": show_choice,
    "right_run": trace,
}

BEST_MOVE = exercise("best-move", **CHOICES)
BEST_LINE = exercise("best-line", **CHOICES)


# iterative deepening


def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5)


def passes(value: Any) -> tuple[Any, ...] | None:
    each = tuple(map(value_and_moves, value)) if isinstance(value, list) else (None,)
    return None if None in each else each


def with_calls(tree: Tree, run: Observation) -> Observation:
    """Compare the calls of the search in place of the leaves."""
    return replace(run, leaves=tuple(f"{limit} {line}" for limit, line in run.details or ()))


def limits_and_lines(tree: Tree, run: Observation) -> tuple[str, str]:
    calls = [f"{limit} deep" + f" with {', '.join(line)} first" * bool(line) for limit, line in run.details or ()]
    return "searches", "; ".join(calls) or "nothing"


DEEPENING = exercise(
    "deepening",
    how="deepening",
    # with two passes first: a fault shows on a small tree, and so does what the second pass makes of the first
    cases=tuple(Case((depth,), with_static_values) for depth in (2, 1, 3, 4)),
    settle=with_calls,
    form=passes,
    show=lambda several: f"[{', '.join(map(show_choice, several))}]",
    describe=limits_and_lines,
    bases=({},),
)


# killer moves


def named_by_moves(tree: Tree) -> Tree:
    """Return the tree with its nodes named after the moves that lead to them, as "a c", like the tree of a game. Not
    every move is legal at every node: below some of them the first is a, below others b."""
    names = {tree.root: "root"}
    for node in tree.nodes:
        above, skipped = names[node].removeprefix("root").split(), names[node][-1] in "bdf"
        for child, move in zip(node.children, ascii_lowercase[skipped:], strict=False):
            names[child] = " ".join((*above, move))
    return renamed(tree, names)


def renamed(tree: Tree, names: Mapping[Node, str]) -> Tree:
    """Return the tree with these names; a node without one gets the name that it has by default."""
    rows = [row._replace(name=names.get(node, "")) for node, row in zip(tree.nodes, tree.rows(), strict=True)]
    return Tree.from_rows(with_names(rows))


def leaf_readings(tree: Tree, run: Observation) -> Observation:
    """Return the run with each reading of a leaf, also where it is read once more."""
    return replace(run, leaves=tuple(name for name in run.leaves if tree[name].is_leaf))


KILLER: SearchExercise = exercise(
    "killer",
    named=named_by_moves,
    settle=leaf_readings,
    cases=(Case((-inf, inf)),),
    right_run=lambda tree: record(KILLER.build(), tree),
    bases=({},),
)


# a transposition table


def with_copies(tree: Tree) -> Tree:
    """Return the tree with some leaves replaced by a copy of an inner node that does not lie above them."""

    def copied(node: Node) -> Any:
        if not node.is_leaf:
            return long_form(node, list(map(copied, node.children)))
        parts = [each for each in tree.nodes[1 : node.index] if each.children and each.is_max == node.is_max]
        parts = [each for each in parts if node not in tree.below(each)]
        chosen = (node.index + len(tree)) % (len(parts) + 1)
        return long_form(parts[chosen - 1]) if chosen else node.value

    return Tree(copied(tree.root))


def named_by_position(tree: Tree) -> Tree:
    """Return the tree with names that say where inner nodes stand for the same position: B, B' and B''."""
    names, first = dict[Node, str](), dict[str, str]()
    for node in tree.nodes:
        if node.children:
            name = first.setdefault(repr(long_form(node)), node.name)
            while name in names.values():
                name += "'"
            names[node] = name
    return renamed(tree, names)


TABLE: SearchExercise = exercise(
    "table",
    named=named_by_position,
    cases=(Case((-inf, inf), with_copies),),
    right_run=lambda tree: record(TABLE.build(), tree),
    bases=({},),
)


# aspiration

UNPROVEN = "unproven"


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
    how="aspiration",
    cases=(Case((0, 2)), Case((3, 1)), Case((0, 2), with_wins)),
    settle=what_is_proven,
    describe=windows,
    bases=({},),
)


# the best order of the children


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its value."""
    run = with_all_children(tree, run)
    if run.value is None:
        return run
    arranged = tree.reordered(lambda node: [tree[name] for name in run.value.get(node.name, ())] or list(node.children))
    return Observation(len(observe(WRITE_ALPHABETA.build(), Job(arranged, (-inf, inf))).leaves))


def with_all_children(tree: Tree, run: Observation) -> Observation:
    """Return the run, with a problem where its value does not order all children of a node."""
    for parent, names in (run.value or {}).items():
        children = [child.name for child in tree[parent].children] if parent in tree else None
        if children is None or sorted(map(str, names)) != sorted(children):
            expected = f"each of {children} once" if children else "the name of an inner node"
            where = f"it orders the children of {brief(parent)} as {brief(list(names))}"
            return Observation(None, problem=f"{where}; expected {expected}")
    return replace(run, leaves=())


def names_by_node(value: Any) -> Mapping[str, Sequence[str]] | None:
    is_order = isinstance(value, Mapping) and all(isinstance(names, list | tuple) for names in value.values())
    return value if is_order else None


BEST_ORDER = exercise(
    "best-order",
    form=names_by_node,
    settle=leaves_in_order,
    show=lambda leaves: f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}",
    bases=({},),
)

# an order by what is known beforehand


def show_order(order: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{', '.join(names)} at {parent}" for parent, names in order.items())


ORDER = exercise(
    "order",
    how="order",
    cases=(Case(dress=with_static_values),),
    bases=({},),
    form=names_by_node,
    settle=with_all_children,
    show=show_order,
)

SEARCHES: tuple[SearchExercise, ...] = (
    *(WRITE_MINIMAX, TWO_FUNCTIONS, WRITE_ALPHABETA, BEST_MOVE, BEST_LINE, FAIL_HARD, NEGAMAX),
    *(ORDER, KILLER, TABLE, ASPIRATION, DEEPENING, BEST_ORDER),
)
