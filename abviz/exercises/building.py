"""Building exercises: a tree on which a search does what is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import AbvizError, brief, count, number, quoted
from abviz.exercises.reading_values import worth
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Tree

MOST_LEAVES = 64
DEEP_LEAVES = 5  # with fewer leaves no tree has a deep cut, if every move is a choice and the players take turns
PLIES = 3  # of the trees that are to be of one shape, with two moves everywhere
MOST_SAVED = 3  # of their 8 leaves: one order may read all of them, and none fewer than 4 + 2 − 1
HOW = "cutting on equality (≥, ≤)"
EXPECTED = "expected nested lists, such as [[3, 5], [2, 9]]"


@dataclass(frozen=True)
class Said:
    """What is to be said of a tree that was built; `missing` is "" where it is all that was asked for."""

    found: str
    missing: str = ""
    mistake: str | None = None
    points: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class BuildingExercise:
    """The answer is a tree, as nested lists or a Tree: two or more moves at every node, and the players take turns."""

    name: str
    asks: str
    judge: Callable[[Tree], Said]
    hints: tuple[str, ...]

    @property
    def stub(self) -> str:
        """What a student begins with."""
        return f"{self.name.replace('-', '_')} = None  # nested lists, such as [[3, 5], [2, 9]]"

    def check(self, answer: Any, seconds: float) -> Verdict:
        if answer is None or answer is ...:
            return self._said(NOT_YET, f"No tree is there; {EXPECTED}.")
        if not isinstance(answer, Tree | list | tuple | dict):
            return self._said(WRONG, f"The answer is {brief(answer)}, and is no tree; {EXPECTED}.")
        try:
            tree = answer if isinstance(answer, Tree) else Tree(answer)
        except AbvizError as problem:
            return self._said(WRONG, f"The answer is {brief(answer)}, and is no tree: {problem}.")
        unfit = _unfit(tree)
        if unfit:
            too_large = sum(1 for _ in tree.leaves()) > MOST_LEAVES
            return self._said(WRONG, unfit, tree=None if too_large else tree)
        said, run = self.judge(tree), trace(tree)
        if not said.missing:
            return self._said(RIGHT, said.found, None, tree, run, said.points)
        return self._said(WRONG, f"{said.found} {said.missing}", said.mistake, tree, run, said.points)

    def _said(
        self,
        status: str,
        told: str,
        mistake: str | None = None,
        tree: Tree | None = None,
        run: Trace | None = None,
        points: tuple[int, int] | None = None,
    ) -> Verdict:
        hints = () if status == RIGHT else self.hints
        return Verdict(self.name, status, told, mistake, tree, hints, run, len(run) if run else None, points)

    def __repr__(self) -> str:
        return f"{self.name}: {self.asks}\n\n{self.stub}"


def _unfit(tree: Tree) -> str:
    """Why no exercise wants such a tree; "" if nothing is wrong with it."""
    leaves = list(tree.leaves())
    if len(leaves) > MOST_LEAVES:
        return f"The tree has {len(leaves)} leaves; expected at most {MOST_LEAVES}."
    if not tree.root.children:
        return f"The tree is a single leaf, {number(tree.root.value)}; {EXPECTED}."
    for node in tree.nodes:
        if len(node.children) == 1:
            return f"Node {quoted(node.name)} has a single child; expected two or more moves to choose from."
        if any(child.children and child.is_max == node.is_max for child in node.children):
            return f"Below {quoted(node.name)} the same player moves again; expected that the players take turns."
    for leaf in leaves:
        if leaf.value is None or abs(leaf.value) == inf:
            return f"Leaf {quoted(leaf.name)} is {number(leaf.value)}; expected a finite number."
    return ""


def _cuts(run: Trace) -> str:
    return f"{len(run.leaves)} of {count(run.frontier(run.tree.root), 'leaf', 'leaves')} are read"


# nothing to cut


def judge_no_cut(tree: Tree) -> Said:
    run = trace(tree)
    shallow = next((leaf for leaf in tree.leaves() if len(tree.path(leaf)) <= PLIES), None)
    if shallow:
        moves = count(len(tree.path(shallow)) - 1, "move")
        return Said(
            f"Leaf {quoted(shallow.name)} lies {moves} below the root.", f"Expected {PLIES} or more everywhere."
        )
    if run.cuts:
        at = ", ".join(quoted(cut.at) for cut in run.cuts)
        found = f"Alpha-beta still cuts, at {at}: {_cuts(run)}."
        if not trace(tree, rules=Rules(strict=True)).cuts:
            found, mistake = f"{found} With > and < it would not.", "a cut on equality"
        elif not trace(tree, rules=Rules(right_to_left=True)).cuts:
            found, mistake = f"{found} At which end do the good moves stand?", "the wrong way round"
        else:
            mistake = None
        return Said(found, "Expected that nothing is skipped.", mistake)
    return Said(f"All {count(len(run.leaves), 'leaf', 'leaves')} are read.")


NO_CUT = BuildingExercise(
    "no-cut",
    f"Build a tree of {PLIES} or more plies in which alpha-beta, from left to right and {HOW}, skips nothing.",
    judge_no_cut,
    (
        "A cut needs a bound that has been set before. In which order of the moves is there none worth having?",
        "If each move of the root is better than the one before it, does α ever stop anything?",
        "The same holds at every node: let the worst move for the one who moves there come first.",
    ),
)


# a deep cut in the fewest leaves


def judge_deep_cut(tree: Tree) -> Said:
    run = trace(tree)
    leaves = run.frontier(tree.root)
    deep = next((cut for cut in run.cuts if cut.deep), None)
    if deep is None and run.cuts:
        cut = run.cuts[0]
        has = f"The cut at {quoted(cut.at)} is not deep"
        by = f": {quoted(cut.witness)} made it, the nearest of the other player's nodes above" if cut.witness else ""
        return Said(f"{has}{by}.", "Expected a bound from further up.", "a cut, but not a deep one")
    if deep is None:
        return Said("Nothing is cut in it.", "Expected a deep cut.", "no cut at all")
    found = f"The cut at {quoted(deep.at)} is deep, by the bound of {quoted(deep.witness or '')}, in {leaves} leaves."
    if leaves > DEEP_LEAVES:
        return Said(found, "It can be done with fewer.", "more leaves than needed", (DEEP_LEAVES, leaves))
    return Said(f"{found} Fewer are not enough.")


DEEP_CUT = BuildingExercise(
    "deep-cut",
    f"Build a tree with a deep cut ({HOW}), in as few leaves as it can be done.",
    judge_deep_cut,
    (
        "A deep cut at a MIN node is made by a MAX node that is at least three moves above it.",
        "That MAX node must have found its bound first: a move to the left, and it may be a leaf.",
        "Go down to the node that cuts by way of first children. Every node on the way needs another child: a leaf.",
    ),
)


# ≥ and > differ


def judge_equal_bounds(tree: Tree) -> Said:
    run, strict = trace(tree), trace(tree, rules=Rules(strict=True))
    if run.leaves != strict.leaves:
        return Said(
            f"Cutting on equality it reads {count(len(run.leaves), 'leaf', 'leaves')}, else {len(strict.leaves)}."
        )
    found = f"With ≥ and with > the same {count(len(run.leaves), 'leaf', 'leaves')} are read."
    values = [leaf.value for leaf in tree.leaves()]
    if len(set(values)) == len(values):
        return Said(found, "No two leaves are equal, so bv never equals a bound.", "no tie")
    missing = "Two leaves are equal, but no bv meets an equal bound with something left to skip."
    return Said(found, missing, "a tie that stops nothing")


EQUAL_BOUNDS = BuildingExercise(
    "equal-bounds",
    "Build a tree in which alpha-beta reads other leaves if it cuts on equality (≥, ≤) than if it does not (>, <).",
    judge_equal_bounds,
    (
        "The two searches differ where bv equals a bound, and nowhere else.",
        "Let the root find a value with its first move. What must the second move find, and when?",
        "Something must be left to skip when the two numbers meet.",
    ),
)


# tied moves that are not equally good


def judge_tied_moves(tree: Tree) -> Said:
    run = trace(tree)
    tied = [c for c in tree.root.children if run.node_at(c, len(run)).value == run.value]
    if len(tied) < 2:
        returned = f"Only {quoted(tied[0].name)} returns {number(run.value)} to the root."
        return Said(returned, "Expected two moves that return the best value.", "no tie at the root")
    values = worth(tree)
    for move in tied:
        true = values[move.name]
        if true != run.value:
            says = f"{quoted(move.name)} returns {number(run.value)} to the root, too, and is worth {number(true)}"
            return Said(f"{says}: what it returned was only a bound.")
    names = " and ".join(quoted(move.name) for move in tied)
    told = f"{names} return {number(run.value)}, and are worth that."
    return Said(told, "Expected one that is worth less to the player who moves.", "equally good indeed")


TIED_MOVES = BuildingExercise(
    "tied-moves",
    f"Build a tree in which two moves of the root return the same best value ({HOW}), and are not equally good.",
    judge_tied_moves,
    (
        "A value that comes from a node that was cut is only a bound.",
        "Let the second move be cut at the very moment when it is as good as the first.",
        "What stands behind the cut has not been read: it may be anything.",
    ),
)


# right to left


def judge_right_to_left(tree: Tree) -> Said:
    shape = all(len(tree.path(leaf)) == PLIES + 1 for leaf in tree.leaves())
    if not shape or any(node.children and len(node.children) != 2 for node in tree.nodes):
        leaves = count(sum(1 for _ in tree.leaves()), "leaf", "leaves")
        return Said(f"The tree has {leaves}, and not the shape.", f"Expected two moves everywhere, {PLIES} plies.")
    left, right = trace(tree), trace(tree, rules=Rules(right_to_left=True))
    saved = len(left.leaves) - len(right.leaves)
    found = f"From left to right {len(left.leaves)} leaves are read, from right to left {len(right.leaves)}."
    if saved == MOST_SAVED:
        return Said(f"{found} No tree of this shape saves more.", points=(saved, MOST_SAVED))
    mistake = "the wrong way round" if saved < 0 else None
    said = f"It saves {max(saved, 0)}; there is a tree that saves {MOST_SAVED}."
    return Said(found, said, mistake, (max(saved, 0), MOST_SAVED))


RIGHT_TO_LEFT = BuildingExercise(
    "right-to-left",
    f"Build a tree with two moves everywhere and {PLIES} plies, in which alpha-beta ({HOW}) saves as many leaves as "
    "possible by going from right to left.",
    judge_right_to_left,
    (
        "Alpha-beta saves most where the best move comes first. What comes first from right to left?",
        "How few leaves can be read in such a tree, and how many at most?",
        "Put the best move last at every node, for the one who moves there; each first move should be no help.",
    ),
)
