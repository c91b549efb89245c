"""Exercises that ask for a tree on which alpha-beta does what the exercise says."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import AbvizError, brief, count, number, quoted
from abviz.exercises.exercise import DataExercise
from abviz.exercises.verdict import RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import alphabeta, minimax
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Tree

MOST_NODES = 300
DEEP_LEAVES = 5  # no tree of fewer leaves has a deep cut, if every move is a choice and the players take turns
PLIES = 3  # the least depth of a tree without cuts: with two moves to a leaf it would be too easy
EXPECTED = "expected nested lists, such as [[3, 5], [2, 9]]"


@dataclass(frozen=True)
class Result:
    """The outcome of a search of the tree; `missing` is "" if the exercise asks for no more."""

    message: str
    missing: str = ""
    mistake: str | None = None
    points: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Construction(DataExercise):
    """An exercise whose answer is a tree, as nested lists or a Tree."""

    name: str
    examine: Callable[[Trace], Result]
    search: Callable[..., Any] = alphabeta  # its trace is examined, and the picture shows its end
    any_tree: bool = False  # whether single moves, infinite leaves and two moves in a row are allowed

    @property
    def stub(self) -> str:
        return f"{self.name.replace('-', '_')} = None  # nested lists, such as [[3, 5], [2, 9]]"

    def mark(self, answer: Any) -> Verdict:
        tree = parse_tree(answer)
        if not self.any_tree:
            ensure_choices(tree)
        run = trace(tree, search=self.search)
        result = self.examine(run)
        status, message = WRONG if result.missing else RIGHT, f"{result.message} {result.missing}".rstrip()
        return self.verdict(status, message, tree=tree, trace=run, mistake=result.mistake, points=result.points)


def parse_tree(answer: Any) -> Tree:
    """Return the answer as a tree of at least one move; raise AbvizError where it is none."""
    if not isinstance(answer, Tree | list | tuple | dict):
        raise AbvizError(f"The answer is {brief(answer)}, and is no tree; {EXPECTED}")
    try:
        tree = answer if isinstance(answer, Tree) else Tree(answer)
    except AbvizError as error:
        raise AbvizError(f"The answer is {brief(answer)}, and is no tree: {error}") from None
    if not tree.root.children:
        raise AbvizError(f"The tree is a single leaf, {number(tree.root.value)}; {EXPECTED}")
    if len(tree) > MOST_NODES:
        raise AbvizError(f"The tree has {len(tree):,} nodes; expected at most {MOST_NODES}")
    for leaf in tree.leaves():
        if leaf.value is None:
            raise AbvizError(f"Leaf {quoted(leaf.name)} has no value; expected a number")
    return tree


def ensure_choices(tree: Tree) -> None:
    """Raise AbvizError for a tree in which a move is forced, a player moves twice or a leaf is ±∞."""
    for node in tree.nodes:
        name = quoted(node.name)
        if len(node.children) == 1:
            raise AbvizError(f"Node {name} has a single child; expected two or more moves to choose from")
        if any(child.children and child.is_max == node.is_max for child in node.children):
            raise AbvizError(f"The same player moves again below {name}; expected the players to take turns")
        if node.is_leaf and node.value in (-inf, inf):
            raise AbvizError(f"Leaf {name} is {number(node.value)}; expected a finite number")


def no_cut(run: Trace) -> Result:
    tree = run.tree
    shallow = next((leaf for leaf in tree.leaves() if len(tree.path(leaf)) <= PLIES), None)
    if shallow:
        moves = count(len(tree.path(shallow)) - 1, "move")
        where = f"Leaf {quoted(shallow.name)} lies {moves} below the root."
        return Result(where, f"Expected {PLIES} or more everywhere.")
    if not run.cuts:
        return Result(f"All {count(len(run.leaves), 'leaf', 'leaves')} are read.")
    at, leaves = ", ".join(quoted(cut.at) for cut in run.cuts), run.frontier(tree.root)
    return Result(f"Alpha-beta cuts at {at}, and reads {len(run.leaves)} of {leaves} leaves.", "Expected no cut.")


def deep_cut(run: Trace) -> Result:
    if not run.cuts:
        return Result("Nothing is cut in it.", "Expected a deep cut.", "no cut at all")
    leaves = run.frontier(run.tree.root)
    deep = next((cut for cut in run.cuts if cut.deep), None)
    if deep is None:
        cut = run.cuts[0]
        by = f": its bound is from {quoted(cut.witness)}, the other player's nearest node above" if cut.witness else ""
        shallow = f"The cut at {quoted(cut.at)} is not deep{by}."
        return Result(shallow, "Expected a bound from further up.", "a cut, but not a deep one")
    does = f"The cut at {quoted(deep.at)} is deep, by the bound of {quoted(deep.witness or '')}, in {leaves} leaves."
    if leaves > DEEP_LEAVES:
        return Result(does, "It can be done with fewer.", "more leaves than needed", (DEEP_LEAVES, leaves))
    return Result(f"{does} Fewer are not enough.")


def tied_moves(run: Trace) -> Result:
    tied = [child for child in run.tree.root.children if run.node_at(child, len(run)).value == run.value]
    if len(tied) < 2:
        only = f"Only {quoted(tied[0].name)} returns {number(run.value)} to the root."
        return Result(only, "Expected two moves that return the best value.", "no tie at the root")
    full = trace(run.tree, search=minimax)
    for move in tied:
        value = full.node_at(move, len(full)).value
        if value != run.value:
            both = f"{quoted(move.name)} also returns {number(run.value)} to the root, and is worth {number(value)}"
            return Result(f"{both}: what it returned was only a bound.")
    does = f"{' and '.join(quoted(move.name) for move in tied)} return {number(run.value)}, and are worth that."
    return Result(does, "Expected one that is worth less to the player who moves.", "truly equal")


CONSTRUCTIONS = (
    Construction("no-cut", no_cut),
    Construction("tied-moves", tied_moves),
    Construction("deep-cut", deep_cut),
)
