"""Reading exercises: the values that come up a tree, and what alpha-beta proves of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf

from abviz.errors import Number, number
from abviz.exercises.filling import Misreading, Paper, PaperExercise, Question, Slot
from abviz.exercises.kinds import NUMBER
from abviz.exercises.reading_trees import HOW, inner, known, reading_tree
from abviz.tracing.narration import player
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

# values up a tree


def worth(tree: Tree, plays_max: Callable[[Node, int], bool] = lambda node, depth: node.is_max) -> dict[str, Number]:
    """What every node is worth if that one says who chooses there."""
    found: dict[str, Number] = {}

    def value(node: Node, depth: int) -> Number:
        below = [value(child, depth + 1) for child in node.children]
        choose = max if plays_max(node, depth) else min
        found[node.name] = choose(below) if below else known(node)
        return found[node.name]

    value(tree.root, 0)
    return found


def ask_values(tree: Tree) -> Question:
    values = worth(tree)

    def why(node: Node) -> str:
        below = ", ".join(number(values[child.name]) for child in node.children)
        return f"{node.name} is a {player(node)} node: which of {below} comes up?"

    asks = "Minimax: what is every inner node worth, from MAX's side?"
    return Question(asks, tuple(Slot((n.name,), values[n.name], NUMBER, why(n)) for n in inner(tree)))


def _values(plays_max: Callable[[Node, int], bool], tree: Tree) -> Iterator[Paper]:
    values = worth(tree, plays_max)
    yield {(node.name,): values[node.name] for node in inner(tree)}


def _returned_values(tree: Tree) -> Iterator[Paper]:
    """What alpha-beta returned, where it came by."""
    run = trace(tree)
    values = worth(tree)
    returned = {node: run.node_at(node, len(run)).value for node in inner(tree)}
    yield {(n.name,): values[n.name] if value is None else value for n, value in returned.items()}


VALUES = PaperExercise(
    "tree-values",
    ask_values,
    (
        Misreading(
            "MAX and MIN swapped",
            "MIN chooses where MAX should, and MAX where MIN should",
            "A ▲ is MAX's move. Does MAX take the largest or the smallest?",
            partial(_values, lambda node, depth: not node.is_max),
        ),
        Misreading(
            "MAX and MIN swapped below the root",
            "the root chooses rightly, but below it MAX and MIN are swapped",
            "Whose move is it at the children of the root?",
            partial(_values, lambda node, depth: node.is_max == (depth == 0)),
        ),
        Misreading(
            "MAX everywhere",
            "MAX chooses at every node",
            "There may be a better value for MAX next to a small one. Who chooses there?",
            partial(_values, lambda node, depth: True),
        ),
        Misreading(
            "MIN everywhere",
            "MIN chooses at every node",
            "Who moves at the root?",
            partial(_values, lambda node, depth: False),
        ),
        Misreading(
            "bounds for values",
            "you have written what alpha-beta returns, which at a node that it cuts is only a bound",
            "Minimax skips nothing. What do the leaves say that alpha-beta would leave out?",
            _returned_values,
        ),
    ),
    (
        "Begin at the bottom: which nodes have nothing but leaves below them?",
        "▲ is MAX, ▼ is MIN. Each takes the best of its children for the one who moves there.",
        "Values are MAX's all the way up: nothing changes its sign.",
    ),
    partial(load, "figure-4.24"),
)


# what is proven when the search ends


def ask_proven(tree: Tree) -> Question:
    run = trace(tree)
    end = run[len(run)].nodes

    def slots(node: Node) -> tuple[Slot, Slot]:
        choose = "largest" if node.is_max else "smallest"
        below = f"{node.name} is a {player(node)} node: take the {choose} of what its children are worth"
        low, high = (
            Slot((node.name, side), getattr(end[node.name], side), NUMBER, "", no_end)
            for side, no_end in (("low", -inf), ("high", inf))
        )
        least = f"{below} at least; a leaf that was read is worth its value, and of what was skipped nothing is known."
        return replace(low, why=least), replace(high, why=least.replace("at least", "at most"))

    asks = (
        f"{HOW} When it has ended, what do the leaves that it read prove of every inner node? Each is worth `low` at "
        'least and `high` at most: the same number where its value is known, -float("inf") and float("inf") where '
        "nothing is."
    )
    return Question(asks, tuple(slot for node in inner(tree) for slot in slots(node)))


Interval = tuple[Number, Number]


def _intervals(read_as: Callable[[Trace, Node], Interval], tree: Tree) -> Iterator[Paper]:
    run = trace(tree)
    intervals = {node.name: read_as(run, node) for node in inner(tree)}
    yield {(name, side): each[i] for name, each in intervals.items() for i, side in enumerate(("low", "high"))}


def _taken_for_exact(run: Trace, node: Node) -> Interval:
    state = run.node_at(node, len(run))
    return (state.low, state.high) if state.value is None else (state.value, state.value)


def _turned_around(run: Trace, node: Node) -> Interval:
    state = run.node_at(node, len(run))
    if (state.low == -inf) == (state.high == inf):
        return state.low, state.high
    return (-inf, state.low) if state.high == inf else (state.high, inf)


def _true_value(run: Trace, node: Node) -> Interval:
    value = worth(run.tree)[node.name]
    return value, value


def _last_window(run: Trace, node: Node) -> Interval:
    """α and β as the node ended with them."""
    state = run.node_at(node, len(run))
    return (-inf, inf) if state.alpha is None or state.beta is None else (state.alpha, state.beta)


PROVEN = PaperExercise(
    "proven-values",
    ask_proven,
    (
        Misreading(
            "taken for exact",
            "you take what a node returns for its value, also where something below it was skipped",
            "What could the skipped leaves still do to the value of a node that was cut?",
            partial(_intervals, _taken_for_exact),
        ),
        Misreading(
            "the wrong way round",
            "“at least” and “at most” are exchanged at the nodes that were cut",
            "A MAX node has found a 7 and looks no further. Can it be worth less? Can it be worth more?",
            partial(_intervals, _turned_around),
        ),
        Misreading(
            "as if all were read",
            "you use leaves that the search has skipped",
            "What would somebody know who has seen only the leaves that were read?",
            partial(_intervals, _true_value),
        ),
        Misreading(
            "the window",
            "you take α and β of a node for what is known of it",
            "α and β say what is assured elsewhere on the path. What do the node's own leaves say?",
            partial(_intervals, _last_window),
        ),
    ),
    (
        "First find the leaves that are read. What is proven of a node whose leaves are all read?",
        "If a MAX node has one child worth 7 and others that nobody knows, what is the least that it is worth?",
        "Go up from the leaves: the lows by themselves, and the highs by themselves.",
    ),
    reading_tree,
)
