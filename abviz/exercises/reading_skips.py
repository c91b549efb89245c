"""Reading exercise: which leaves alpha-beta skips, under which rules."""

from collections.abc import Callable, Iterator
from functools import partial

from abviz.exercises.filling import Misreading, Paper, PaperExercise, Question, Slot
from abviz.exercises.kinds import some_of
from abviz.exercises.reading_trees import KEPT, NO_DEEP_CUTS, reading_tree
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.model import Node, Tree

ROWS = {
    "equal": Rules(),
    "beyond": Rules(strict=True),
    "right to left": Rules(right_to_left=True),
}


def skipped_leaves(run: Trace) -> frozenset[str]:
    return frozenset(leaf.name for leaf in run.tree.leaves()) - set(run.leaves)


def cut_above(run: Trace, leaf: Node) -> Cut | None:
    """The cut that skips the leaf."""
    above = {node.name for node in run.tree.path(leaf)}
    return next((cut for cut in run.cuts if above.intersection(cut.skipped)), None)


def ask_skipped(tree: Tree) -> Question:
    leaves = [leaf.name for leaf in tree.leaves()]

    def why(run: Trace, leaf: Node) -> str:
        cut = cut_above(run, leaf)
        if cut is None:
            return f"{leaf.name} is read: the search comes to it before a cut could skip it."
        bound = "β" if tree[cut.at].is_max else "α"
        return f"{cut.at} cuts before the search comes to {leaf.name}: compare its bv with {bound} after each child."

    kind = some_of(leaves, "leaf", "a list of names of leaves")

    def slot(row: str, run: Trace) -> Slot:
        reasons = {leaf.name: why(run, leaf) for leaf in tree.leaves()}
        return Slot((row,), skipped_leaves(run), kind, reasons, nothing=False)

    asks = (
        "Which leaves does alpha-beta skip? “equal”: from left to right, it cuts when bv = bound, too (≥, ≤); “beyond”:"
        " the same, but it cuts only beyond the bound (>, <); “right to left”: as “equal”, from right to left."
    )
    return Question(asks, tuple(slot(row, trace(tree, rules=rules)) for row, rules in ROWS.items()))


def _skips(search: Callable[[Tree, Rules], Trace], tree: Tree) -> Iterator[Paper]:
    yield {(row,): skipped_leaves(search(tree, rules)) for row, rules in ROWS.items()}


def _rows_read_as(rows: dict[str, str], tree: Tree) -> Iterator[Paper]:
    """Some rows are taken for others."""
    yield {(row,): skipped_leaves(trace(tree, rules=ROWS[rows.get(row, row)])) for row in ROWS}


def _leaves_read(tree: Tree) -> Iterator[Paper]:
    yield {(row,): frozenset(trace(tree, rules=rules).leaves) for row, rules in ROWS.items()}


def _with_the_cutting_leaf(tree: Tree) -> Iterator[Paper]:
    def skips(run: Trace) -> frozenset[str]:
        return skipped_leaves(run) | {run.leaves[run.leaves_at(cut.step)[0] - 1] for cut in run.cuts}

    yield {(row,): skips(trace(tree, rules=rules)) for row, rules in ROWS.items()}


SKIPPED = PaperExercise(
    "skipped-leaves",
    ask_skipped,
    (
        Misreading(
            "> for ≥",
            "you never cut when bv equals the bound",
            "What could the other player gain here, if bv and the bound are the same number?",
            partial(_rows_read_as, {"equal": "beyond"}),
        ),
        Misreading(
            "≥ for >",
            "you always cut when bv equals the bound",
            "In the row “beyond”: what happens where the two numbers are the same?",
            partial(_rows_read_as, {"beyond": "equal"}),
        ),
        Misreading(
            "≥ and > exchanged",
            "the rows “equal” and “beyond” stand in each other's place",
            "Which of the two cuts more?",
            partial(_rows_read_as, {"equal": "beyond", "beyond": "equal"}),
        ),
        Misreading(
            "left to right every time",
            "you go from left to right every time",
            "In the row “right to left”, which child of the root comes first? And which leaf below it?",
            partial(_rows_read_as, {"right to left": "equal"}),
        ),
        Misreading(
            "the leaves read",
            "you have listed the leaves that are read",
            "A leaf is skipped where the search never looks at it.",
            _leaves_read,
        ),
        Misreading(
            "the leaf that cuts, too",
            "you count the leaf that made a cut among those that it skips",
            "How does the search know that it can cut, before it has read that leaf?",
            _with_the_cutting_leaf,
        ),
        Misreading(
            "only the parent's bound",
            "a node is stopped by no bound but that of its parent, so there are no deep cuts",
            "Look at the window of a node three moves down. Who, further up, has been assured of something already?",
            partial(_skips, NO_DEEP_CUTS),
        ),
        Misreading(
            "bounds kept",
            "the α and β of a child are kept by its parent after it has returned",
            "A bound holds on the path from the root. Is a child that has returned still on the path?",
            partial(_skips, KEPT),
        ),
    ),
    (
        "Write α and β beside each node as you come to it: they are copies of its parent's.",
        "At a MAX node compare bv with β, at a MIN node with α, each time that a child has returned.",
        "A cut skips all children that are left, and all leaves below them.",
    ),
    reading_tree,
)
