"""The exercises on paper: values, skipped leaves, bounds, cuts and what a search proves, read off a tree."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from abviz.errors import AbvizError, Number, brief, number, quoted
from abviz.exercises.constructions import CONSTRUCTIONS
from abviz.exercises.forms import (
    Cell,
    Filled,
    PaperExercise,
    Place,
    Question,
    number_cell,
    parse_leaves,
    texts,
)
from abviz.exercises.mistakes import Faults, beyond, searching
from abviz.exercises.observation import Job, observe
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import player
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

HOW = "Alpha-beta from left to right; it also cuts when bv equals the bound (≥, ≤), and returns bv (fail-soft)."
# It holds every kind of cut, a tie, and a cutoff on a last child.
TREE = {
    "B": {"D": 5, "E": {"I": 9, "J": {"O": 9, "P": 10}}, "F": {"K": {"Q": 7, "R": 5}, "L": {"S": 11, "T": 12}}},
    "C": {"G": 8, "H": {"M": {"U": 11, "V": 3}, "N": {"W": 5, "X": 8}}},
}


def paper_tree() -> Tree:
    return Tree(TREE, root="A", title="A tree to read")


def inner(tree: Tree) -> list[Node]:
    """Return the inner nodes, children before their parents."""

    def bottom_up(node: Node) -> Iterator[Node]:
        for child in node.children:
            yield from bottom_up(child)
        if node.children:
            yield node

    return list(bottom_up(tree.root))


def minimax_values(tree: Tree, is_max: Callable[[Node], bool] = lambda node: node.is_max) -> dict[str, Number]:
    """Return the value of every node by name, where `is_max` says who chooses at a node."""
    values: dict[str, Number] = {}
    for node in reversed(tree.nodes):  # children come after their parents
        if node.children:
            below = [values[child.name] for child in node.children]
            values[node.name] = max(below) if is_max(node) else min(below)
        elif node.value is None:
            raise AbvizError(f"the value of leaf {quoted(node.name)} is not known; expected a number there")
        else:
            values[node.name] = node.value
    return values


# values up a tree


def ask_values(tree: Tree) -> Question:
    values = minimax_values(tree)

    def why(node: Node) -> str:
        below = ", ".join(number(values[child.name]) for child in node.children)
        return f"{node.name} is a {player(node)} node: which of {below} comes up?"

    return Question(
        texts("tree-values")["text"],
        tuple(number_cell((node.name,), values[node.name], why(node)) for node in inner(tree)),
    )


def _swapped_values(tree: Tree) -> Filled:
    values = minimax_values(tree, lambda node: not node.is_max)
    return {(node.name,): values[node.name] for node in inner(tree)}


TREE_VALUES = PaperExercise(
    "tree-values", partial(load, "figure-4.24"), ask_values, {"MAX and MIN swapped": _swapped_values}
)


# skipped leaves

ROWS = {"equal": Rules(), "beyond": Rules(strict=True), "right to left": Rules(right_to_left=True)}


def skipped_leaves(tree: Tree, read: Iterable[str]) -> frozenset[str]:
    return frozenset(leaf.name for leaf in tree.leaves()) - set(read)


def ask_skipped(tree: Tree) -> Question:
    def why(run: Trace, leaf: Node) -> str:
        above = {node.name for node in tree.path(leaf)}
        cut = next((cut for cut in run.cuts if above.intersection(cut.skipped)), None)
        if cut is None:
            return f"{leaf.name} is read: no cut comes before it that could skip it."
        bound = "β" if tree[cut.at].is_max else "α"
        return f"{cut.at} cuts before the search comes to {leaf.name}: compare its bv with {bound} after each child."

    def cell(row: str, rules: Rules) -> Cell:
        run = trace(tree, rules=rules)
        reasons = {leaf.name: why(run, leaf) for leaf in tree.leaves()}
        return Cell((row,), skipped_leaves(tree, run.leaves), parse_leaves(tree), reasons, default=False)

    text = texts("skipped-leaves")["text"]
    return Question(text, tuple(cell(row, rules) for row, rules in ROWS.items()))


def _skips_handed_up(tree: Tree) -> Filled:
    switches: tuple[Faults, ...] = {}, {"meets": beyond}, {"order": lambda children: children[::-1]}
    searches = (searching(keep=lambda own, childs: childs, **switch) for switch in switches)
    runs = (observe(search, Job(tree, (-inf, inf))) for search in searches)
    return {(row,): skipped_leaves(tree, run.leaves) for row, run in zip(ROWS, runs, strict=True)}


def _never_on_equality(tree: Tree) -> Filled:
    return {
        (row,): skipped_leaves(tree, trace(tree, rules=replace(rules, strict=True)).leaves)
        for row, rules in ROWS.items()
    }


def _leaves_read(tree: Tree) -> Filled:
    return {(row,): frozenset(trace(tree, rules=rules).leaves) for row, rules in ROWS.items()}


SKIPPED_LEAVES = PaperExercise(
    "skipped-leaves",
    paper_tree,
    ask_skipped,
    {"> for ≥": _never_on_equality, "the leaves read": _leaves_read, "bound handed up": _skips_handed_up},
)


# bounds on the path

MARKS = ("bv", "alpha", "beta")


def moment(tree: Tree) -> tuple[Trace, Cut, Node]:
    """Return the search, its deepest cut and the child that has returned last before it."""
    run = trace(tree)
    if not run.cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    cut = max(run.cuts, key=lambda cut: len(tree.path(tree[cut.at])))
    updated = next(step for step in range(cut.step, 0, -1) if run.events_at(step)[0].kind == "bv")
    return run, cut, run.where(updated - 1)


def _marks(run: Trace, cut: Cut, step: int) -> Filled:
    """Return α, β and bv of the nodes from the root down to the one that cuts."""
    path = run.tree.path(run.tree[cut.at])
    return {(node.name, mark): getattr(run.node_at(node, step), mark) for node in path for mark in MARKS}


def ask_bounds(tree: Tree) -> Question:
    run, cut, child = moment(tree)
    text = texts("path-bounds")["text"].format(how=HOW, child=quoted(child.name), node=quoted(cut.at))
    step = cut.step - 1
    marks = _marks(run, cut, step).items()
    return Question(text, tuple(number_cell(place, mark, _why_mark(run, place, step)) for place, mark in marks))


def _why_mark(run: Trace, place: Place, step: int) -> str:
    """Return where the number comes from, but not the number, which would give the answer away."""
    name, letter = place
    node = run.tree[name]
    if letter == "bv":
        back = [quoted(child.name) for child in node.children if run.node_at(child, step).state == "done"]
        if not back:
            return f"No child has returned to {name} yet, and bv begins at the worst that {player(node)} could get."
        return f"bv: {name} takes the best for {player(node)} of what has come back, from {' and '.join(back)}."
    parent = run.tree.parent(node)
    given = f"{name} got a copy of that of {quoted(parent.name)}" if parent else "the search began with the full window"
    sign, mover, side = ("α", "MAX", 0) if letter == "alpha" else ("β", "MIN", 1)
    if player(node) != mover:
        return f"{sign}: {given}, and only {mover} moves {sign}."
    moved = run.window(node)[side] != getattr(run.node_at(node, step), letter)
    return f"{sign}: {given}, and bv has {'' if moved else 'not '}passed it since."


def _marks_swapped(tree: Tree) -> Filled:
    run, cut, _ = moment(tree)
    other = {"alpha": "beta", "beta": "alpha", "bv": "bv"}
    right = _marks(run, cut, cut.step - 1)
    return {(name, mark): right[name, other[mark]] for name, mark in right}


def _marks_handed_up(tree: Tree) -> Filled:
    """Fill in one α and one β for all nodes, as far as they have come by then."""
    run, cut, _ = moment(tree)
    reached = [state for _, step, state in run.changes() if step < cut.step]
    alpha = max(state.alpha for state in reached if state.alpha is not None)
    beta = min(state.beta for state in reached if state.beta is not None)
    return {
        (name, mark): {"alpha": alpha, "beta": beta}.get(mark, right)
        for (name, mark), right in _marks(run, cut, cut.step - 1).items()
    }


def _marks_foreseen(tree: Tree) -> Filled:
    """Fill in bounds to which every ancestor has added its final value."""
    run, cut, _ = moment(tree)
    form, final = dict(_marks(run, cut, cut.step - 1)), minimax_values(tree)
    path = tree.path(tree[cut.at])
    for depth, node in enumerate(path, 1):
        values = [(each.is_max, final[each.name]) for each in path[:depth] if each.name != cut.at]
        form[node.name, "alpha"] = max([form[node.name, "alpha"], *(value for is_max, value in values if is_max)])
        form[node.name, "beta"] = min([form[node.name, "beta"], *(value for is_max, value in values if not is_max)])
    return form


PATH_BOUNDS = PaperExercise(
    "path-bounds",
    paper_tree,
    ask_bounds,
    {
        "alpha and beta swapped": _marks_swapped,
        "bound handed up": _marks_handed_up,
        "bound before it exists": _marks_foreseen,
    },
)


# names of cuts

NO_CUT = "no cut"
CUT_WORDS = {"alpha": "alpha", "beta": "beta", "α": "alpha", "β": "beta", "no": NO_CUT, "none": NO_CUT}


def parse_cut(entry: Any) -> str:
    word = entry.strip().lower().removesuffix("cut").rstrip(" -") if isinstance(entry, str) else None
    if word not in CUT_WORDS:
        raise AbvizError(f'is {brief(entry)}; expected "alpha", "beta" or "no cut"')
    return CUT_WORDS[word]


def ask_cuts(tree: Tree) -> Question:
    run = trace(tree)
    cuts = {cut.at: cut for cut in run.cuts}
    right = _cut_names(tree, _kinds(run))

    def cell(node: Node, column: str) -> Cell:
        cut = cuts.get(node.name)
        why = _why_cut(node, cut, column) if cut else _why_no_cut(run, node)
        return Cell((node.name, column), right[node.name, column], parse_cut, why, NO_CUT)

    text = texts("cut-names")["text"].format(how=HOW)
    return Question(text, tuple(cell(node, column) for node in inner(tree) for column in ("by bound", "by node")))


def _why_cut(node: Node, cut: Cut, column: str) -> str:
    skips = f"{cut.at} is a {player(node)} node, and skips {' and '.join(cut.skipped)}."
    if column == "by node":
        return f"{skips} By the node, only the player who moves there counts."
    return f"{skips} By the bound: which of the two can the bv of a {player(node)} node run into?"


def _why_no_cut(run: Trace, node: Node) -> str:
    left = [event for event in run.events if event.kind == "exit" and event.node is node]
    if not left:
        return f"{node.name} is skipped with all below it: where nothing is searched, nothing is cut."
    if run.reached(left[0]):
        return f"The last child of {node.name} has returned when its bv meets the bound: nothing is left to skip."
    return f"All children of {node.name} are searched, and bv does not meet the other player's bound on the way."


OTHER = {"alpha": "beta", "beta": "alpha", NO_CUT: NO_CUT}


def _kinds(run: Trace) -> dict[str, str]:
    return {cut.at: cut.kind for cut in run.cuts}


def _cut_names(tree: Tree, kinds: Mapping[str, str]) -> dict[Place, str]:
    """Return the form for cuts whose names by the bound are these."""
    names = {node.name: kinds.get(node.name, NO_CUT) for node in inner(tree)}
    by_bound: dict[Place, str] = {(name, "by bound"): cut for name, cut in names.items()}
    return by_bound | {(name, "by node"): OTHER[cut] for name, cut in names.items()}


def _names_swapped(tree: Tree) -> Filled:
    return _cut_names(tree, {name: OTHER[kind] for name, kind in _kinds(trace(tree)).items()})


def _with_last_children(tree: Tree) -> Filled:
    run = trace(tree)
    met = [event.node for event in run.events if event.kind == "exit" and run.reached(event)]
    return _cut_names(tree, {node.name: "beta" if node.is_max else "alpha" for node in met})


CUT_NAMES = PaperExercise(
    "cut-names",
    paper_tree,
    ask_cuts,
    {
        "alpha and beta swapped": _names_swapped,
        "cut on the last child": _with_last_children,
        "> for ≥": lambda tree: _cut_names(tree, _kinds(trace(tree, rules=Rules(strict=True)))),
    },
)


# what is proven when the search ends


def ask_proven(tree: Tree) -> Question:
    run = trace(tree)

    def cell(node: Node, side: str) -> Cell:
        choose = "largest" if node.is_max else "smallest"
        end = "least" if side == "low" else "most"
        why = (
            f"{node.name} is a {player(node)} node: take the {choose} of what its children are worth at {end}; "
            "a leaf that was read is worth its value, and nothing is known of what was skipped."
        )
        right = getattr(run.node_at(node, len(run)), side)
        return number_cell((node.name, side), right, why, -inf if side == "low" else inf)

    text = texts("proven-values")["text"].format(how=HOW)
    return Question(text, tuple(cell(node, side) for node in inner(tree) for side in ("low", "high")))


def _taken_for_exact(tree: Tree) -> Filled:
    """Fill in what each node returned."""
    run = trace(tree)
    states = {node.name: run.node_at(node, len(run)) for node in inner(tree)}
    return {
        (name, side): getattr(state, side) if state.value is None else state.value
        for name, state in states.items()
        for side in ("low", "high")
    }


PROVEN_VALUES = PaperExercise("proven-values", paper_tree, ask_proven, {"taken for exact": _taken_for_exact})


# when does a cut disappear?


def last_leaves(run: Trace) -> dict[str, Cut]:
    """Return the last leaf read before each cut that comes with the value of that leaf, and the cut."""
    cuts: dict[str, Cut] = {}
    for cut in run.cuts:
        cuts.setdefault(run.leaves[run.leaves_at(cut.step)[0] - 1], cut)
    return {leaf: cut for leaf, cut in cuts.items() if cut.witness is not None}


def threshold(tree: Tree, cut: Cut) -> Number:
    """Return the last value of the leaf with which the node still cuts: the bound that it meets.

    From the leaf up to the node that cuts, each one is a last child, so the leaf's value alone decides.
    """
    bound = cut.beta if tree[cut.at].is_max else cut.alpha
    assert bound is not None
    return bound


def ask_thresholds(tree: Tree) -> Question:
    cuts = last_leaves(trace(tree))
    if not cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    leaves = "; ".join(f"{quoted(leaf)}, after which {quoted(cut.at)} cuts" for leaf, cut in cuts.items())
    text = texts("cut-thresholds")["text"].format(how=HOW, leaves=leaves)
    return Question(text, tuple(_threshold_cell(tree, leaf, cut) for leaf, cut in cuts.items()))


def _threshold_cell(tree: Tree, leaf: str, cut: Cut) -> Cell:
    right, goes_up = threshold(tree, cut), tree[cut.at].is_max

    def why(value: Any) -> str:
        if value < right if goes_up else value > right:
            return f"With {leaf} = {number(value)} there is no cut right after it."
        further = "lower" if goes_up else "higher"
        return f"{leaf} can go {further} than {number(value)}, and there is still a cut right after it."

    return number_cell((leaf,), right, why)


def _ends(end: Callable[[Trace, str, Cut], Number | None], tree: Tree) -> Filled:
    run = trace(tree)
    return {(leaf,): end(run, leaf, cut) for leaf, cut in last_leaves(run).items()}


def _first_beyond(run: Trace, leaf: str, cut: Cut) -> Number:
    return threshold(run.tree, cut) + (1 if run.tree[cut.at].is_max else -1)


def _other_bound(run: Trace, leaf: str, cut: Cut) -> Number | None:
    alpha, beta = run.window(run.tree[cut.at])
    return alpha if run.tree[cut.at].is_max else beta


CUT_THRESHOLDS = PaperExercise(
    "cut-thresholds",
    partial(load, "figure-4.24"),
    ask_thresholds,
    {"> for ≥": partial(_ends, _first_beyond), "alpha and beta swapped": partial(_ends, _other_bound)},
)

PAPERS = (TREE_VALUES, SKIPPED_LEAVES, PATH_BOUNDS, CUT_NAMES, PROVEN_VALUES, CUT_THRESHOLDS, *CONSTRUCTIONS)

# Exercises of earlier versions: name -> successor.
WITHDRAWN = {
    "cut-witness": "deep-cut",
    "standing-still": "cut-thresholds",
    "equal-bounds": "skipped-leaves",
    "right-to-left": "no-cut",
    "prove-call": "mend-alphabeta",
    "prove-no-value": "prove-marker",
    "prove-root": "mend-prune",
    "prove-window": "mend-prune",
    "prove-depth": "mend-prune",
    "prove-strict": "mend-prune",
    "mend-search": "mend-prune",
}
