"""The exercises on paper: values, skipped leaves, bounds, cuts and what a search proves, read off a tree.

Each is a row of PAPERS: `fill` completes the form for any tree, `reason` explains a wrong entry, and a misreading is
`fill` with other options.
"""

from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from abviz.errors import AbvizError, brief, number, quoted
from abviz.exercises.constructions import CONSTRUCTIONS
from abviz.exercises.forms import Filled, PaperExercise, Place, Reason
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import player
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

# It holds every kind of cut, a tie, and a cutoff on a last child.
TREE = {
    "B": {"D": 5, "E": {"I": 9, "J": {"O": 9, "P": 10}}, "F": {"K": {"Q": 7, "R": 5}, "L": {"S": 11, "T": 12}}},
    "C": {"G": 8, "H": {"M": {"U": 11, "V": 3}, "N": {"W": 5, "X": 8}}},
}
paper_tree = partial(Tree, TREE, root="A", title="A tree to read")
textbook_tree = partial(load, "figure-4.24")


def inner(node: Node) -> list[Node]:
    """Return the inner nodes from there down, children before their parents."""
    return [*(each for child in node.children for each in inner(child)), node] if node.children else []


# values up a tree


def minimax_values(tree: Tree, swapped: bool = False) -> dict[str, Any]:
    """Return the value of every node by name; `swapped` lets each player choose for the other."""
    values: dict[str, Any] = {}
    for node in reversed(tree.nodes):  # children come after their parents
        choose = max if node.is_max != swapped else min
        values[node.name] = choose(values[each.name] for each in node.children) if node.children else node.value
    return values


def fill_values(tree: Tree, swapped: bool = False) -> Filled:
    values = minimax_values(tree, swapped)
    return {(node.name,): values[node.name] for node in inner(tree.root)}


def why_value(tree: Tree, place: Place, entry: Any) -> Reason:
    node, values = tree[place[0]], minimax_values(tree)
    below = ", ".join(number(values[child.name]) for child in node.children)
    return "value", {"node": node.name, "player": player(node), "below": below}


# skipped leaves

ROWS = {"equal": Rules(), "beyond": Rules(strict=True), "right to left": Rules(right_to_left=True)}


def fill_skipped(tree: Tree, strict: bool = False, read: bool = False) -> Filled:
    """Return the leaves skipped in each row; `strict` never cuts on equality, `read` lists the others."""
    filled: dict[Place, frozenset[str]] = {}
    for row, rules in ROWS.items():
        leaves = frozenset(trace(tree, rules=replace(rules, strict=rules.strict or strict)).leaves)
        filled[row,] = leaves if read else frozenset(leaf.name for leaf in tree.leaves()) - leaves
    return filled


def why_skipped(tree: Tree, place: Place, entry: Any) -> Reason:
    """Return where to look for the first leaf that is wrong: at the node that cuts, or at its parent."""
    run = trace(tree, rules=ROWS[place[0]])
    leaf = next(leaf for leaf in tree.leaves() if (leaf.name in entry) == (leaf.name in run.leaves))
    path = {node.name for node in tree.path(leaf)}
    cut = next((cut for cut in run.cuts if path.intersection(cut.skipped)), None)
    node = tree[cut.at] if cut else tree.path(leaf)[-2]
    return "look", {"node": node.name, "bound": "β" if node.is_max else "α"}


def parse_leaves(tree: Tree, entry: Any) -> frozenset[str]:
    expected = "expected a list of names of leaves"
    if not isinstance(entry, list | tuple | set | frozenset):
        raise AbvizError(f"is {brief(entry)}; {expected}")
    for name in entry:
        if not isinstance(name, str) or name not in tree or tree[name].children:
            raise AbvizError(f"has {brief(name)}, which is no leaf; {expected}")
    return frozenset(entry)


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


def fill_bounds(tree: Tree, marks: tuple[str, ...] = MARKS) -> Filled:
    """Return bv, α and β of the nodes from the root down to the one that cuts."""
    run, cut, _ = moment(tree)
    states = {node.name: run.node_at(node, cut.step - 1) for node in tree.path(tree[cut.at])}
    return {
        (name, mark): getattr(state, source)
        for name, state in states.items()
        for mark, source in zip(MARKS, marks, strict=True)
    }


def why_bound(tree: Tree, place: Place, entry: Any) -> Reason:
    name, mark = place
    node, (run, cut, _) = tree[name], moment(tree)
    parent = tree.parent(node)
    if mark != "bv":
        sign, mover = ("α", "MAX") if mark == "alpha" else ("β", "MIN")
        blanks = {"node": name, "sign": sign, "player": mover}
        return ("copy", blanks | {"parent": quoted(parent.name)}) if parent else ("root", blanks)
    back = [quoted(child.name) for child in node.children if run.node_at(child, cut.step - 1).state == "done"]
    blanks = {"node": name, "player": player(node), "children": " and ".join(back)}
    return "bv" if back else "first bv", blanks


def moment_in_words(tree: Tree) -> dict[str, str]:
    _, cut, child = moment(tree)
    return {"child": quoted(child.name), "node": quoted(cut.at)}


# names of cuts

NO_CUT = "no cut"
CUT_WORDS = {"alpha": "alpha", "beta": "beta", "α": "alpha", "β": "beta", "no": NO_CUT, "none": NO_CUT}
COLUMNS = ("by bound", "by node")


def fill_cuts(tree: Tree, columns: tuple[str, ...] = COLUMNS, last_children: bool = False) -> Filled:
    """Return both names of each cut; `last_children` also names a cutoff that skips nothing."""
    run = trace(tree)
    cutting = {cut.at for cut in run.cuts}
    if last_children:
        cutting = {event.node.name for event in run.events if event.kind == "exit" and run.reached(event)}
    return {
        (node.name, column): name if node.name in cutting else NO_CUT
        for node in inner(tree.root)
        for column, name in zip(columns, ("beta", "alpha") if node.is_max else ("alpha", "beta"), strict=True)
    }


def why_cut(tree: Tree, place: Place, entry: Any) -> Reason:
    name, column = place
    node, run = tree[name], trace(tree)
    cut = next((cut for cut in run.cuts if cut.at == name), None)
    if cut:
        return column, {"node": name, "player": player(node)}
    end = next((event for event in run.events if event.kind == "exit" and event.node is node), None)
    case = "skipped" if end is None else "last child" if run.reached(end) else "no cut"
    return case, {"node": name}


def parse_cut(tree: Tree, entry: Any) -> str:
    word = entry.strip().lower().removesuffix("cut").rstrip(" -") if isinstance(entry, str) else None
    if word not in CUT_WORDS:
        raise AbvizError(f'is {brief(entry)}; expected "alpha", "beta" or "no cut"')
    return CUT_WORDS[word]


# intervals proven when the search ends


def fill_proven(tree: Tree, exact: bool = False) -> Filled:
    """Return what is proven of each node; `exact` takes what a node returned for its value."""
    run = trace(tree)
    ends = {node.name: run.node_at(node, len(run)) for node in inner(tree.root)}
    return {
        (name, side): end.value if exact and end.value is not None else getattr(end, side)
        for name, end in ends.items()
        for side in ("low", "high")
    }


def why_proven(tree: Tree, place: Place, entry: Any) -> Reason:
    node = tree[place[0]]
    choice, end = "largest" if node.is_max else "smallest", "least" if place[1] == "low" else "most"
    return "proven", {"node": node.name, "player": player(node), "choice": choice, "end": end}


# when does a cut disappear?


def last_leaves(run: Trace) -> dict[str, Cut]:
    """Return the last leaf read before each cut that comes with the value of that leaf, and the cut."""
    cuts: dict[str, Cut] = {}
    for cut in run.cuts:
        cuts.setdefault(run.leaves[run.leaves_at(cut.step)[0] - 1], cut)
    return {leaf: cut for leaf, cut in cuts.items() if cut.witness is not None}


def fill_thresholds(tree: Tree, strict: bool = False) -> Filled:
    """Return the last value of each leaf with which there is a cut: the bound; `strict` steps just beyond it.

    From the leaf up to the node that cuts, each one is a last child, so the leaf's value alone decides.
    """
    cuts = last_leaves(trace(tree))
    if not cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    ends = {leaf: (cut.beta, 1) if tree[cut.at].is_max else (cut.alpha, -1) for leaf, cut in cuts.items()}
    return {(leaf,): (bound or 0) + step * strict for leaf, (bound, step) in ends.items()}


def why_threshold(tree: Tree, place: Place, entry: Any) -> Reason:
    node = tree[last_leaves(trace(tree))[place[0]].at]
    return "value", {"leaf": place[0], "node": node.name, "player": player(node)}


def leaves_in_words(tree: Tree) -> dict[str, str]:
    cuts = last_leaves(trace(tree)).items()
    return {"leaves": "; ".join(f"{quoted(leaf)}, after which {quoted(cut.at)} cuts" for leaf, cut in cuts)}


# the table, with the misreadings: the options of `fill` that make each

SKIPPED_WRONGLY = {"> for ≥": {"strict": True}, "the leaves read": {"read": True}}
BOUNDS_SWAPPED = {"alpha and beta swapped": {"marks": ("bv", "beta", "alpha")}}
CUTS_MISNAMED: dict[str, dict[str, Any]] = {
    "alpha and beta swapped": {"columns": COLUMNS[::-1]},
    "cut on the last child": {"last_children": True},
}
TAKEN_FOR_EXACT = {"taken for exact": {"exact": True}}
STRICT = {"> for ≥": {"strict": True}}
PAPERS = (
    PaperExercise("tree-values", textbook_tree, fill_values, why_value, {"MAX and MIN swapped": {"swapped": True}}),
    PaperExercise("skipped-leaves", paper_tree, fill_skipped, why_skipped, SKIPPED_WRONGLY, parse_leaves),
    PaperExercise("path-bounds", paper_tree, fill_bounds, why_bound, BOUNDS_SWAPPED, blanks=moment_in_words),
    PaperExercise("cut-names", paper_tree, fill_cuts, why_cut, CUTS_MISNAMED, parse_cut, default=(NO_CUT,)),
    PaperExercise("proven-values", paper_tree, fill_proven, why_proven, TAKEN_FOR_EXACT, default=(-inf, inf)),
    PaperExercise("cut-thresholds", textbook_tree, fill_thresholds, why_threshold, STRICT, blanks=leaves_in_words),
    *CONSTRUCTIONS,
)
