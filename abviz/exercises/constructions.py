"""Exercises that ask for a tree on which alpha-beta does what the exercise says."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import AbvizError, brief, count, number, quoted
from abviz.exercises.forms import texts
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import Rules, alphabeta, minimax
from abviz.tracing.traces import trace
from abviz.tree.model import Tree

MOST_LEAVES = 64
MOST_NODES = 300
DEEP_LEAVES = 5  # no tree of fewer leaves has a deep cut, if every move is a choice and the players take turns
PLIES = 3  # the least depth of a tree without cuts: with two moves to a leaf it would be too easy
EXPECTED = "expected nested lists, such as [[3, 5], [2, 9]]"


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
    unknown = next((leaf for leaf in tree.leaves() if leaf.value is None), None)
    if unknown:
        raise AbvizError(f"Leaf {quoted(unknown.name)} has no value; expected a number")
    return tree


@dataclass(frozen=True)
class Result:
    """What happens on a tree; `missing` is "" where that is all the exercise asks for."""

    message: str
    missing: str = ""
    mistake: str | None = None
    points: tuple[int, int] | None = None


def problem_of(tree: Tree) -> str:
    """Return what a construction does not accept in the tree; "" if it does accept it."""
    leaves = list(tree.leaves())
    if len(leaves) > MOST_LEAVES:
        return f"The tree has {len(leaves)} leaves; expected at most {MOST_LEAVES}."
    for node in tree.nodes:
        if len(node.children) == 1:
            return f"Node {quoted(node.name)} has a single child; expected two or more moves to choose from."
        if any(child.children and child.is_max == node.is_max for child in node.children):
            return f"Below {quoted(node.name)} the same player moves again; expected that the players take turns."
    for leaf in leaves:
        if leaf.value in (-inf, inf):
            return f"Leaf {quoted(leaf.name)} is {number(leaf.value)}; expected a finite number."
    return ""


@dataclass(frozen=True, eq=False)
class Construction:
    """An exercise whose answer is a tree, as nested lists or a Tree."""

    name: str
    examine: Callable[[Tree], Result]
    problem: Callable[[Tree], str] = problem_of
    search: Callable[..., Any] = alphabeta  # whose end the picture shows
    is_data = True

    @property
    def text(self) -> str:
        return str(texts(self.name)["text"])

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(texts(self.name)["hints"])

    @property
    def stub(self) -> str:
        return f"{self.name.replace('-', '_')} = None  # nested lists, such as [[3, 5], [2, 9]]"

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(answer)

    def judge(self, answer: Any) -> Verdict:
        if answer is None or answer is ...:
            return Verdict(self.name, NOT_YET, f"No tree is there; {EXPECTED}.", hints=self.hints)
        try:
            tree = parse_tree(answer)
        except AbvizError as error:
            return Verdict(self.name, WRONG, f"{error}.", hints=self.hints)
        if problem := self.problem(tree):
            return Verdict(self.name, WRONG, problem, tree=tree, hints=self.hints)
        result, run = self.examine(tree), trace(tree, search=self.search)
        status, hints = (WRONG, self.hints) if result.missing else (RIGHT, ())
        message = f"{result.message} {result.missing}".rstrip()
        return Verdict(self.name, status, message, result.mistake, tree, hints, run, len(run), result.points)

    def __repr__(self) -> str:
        return f"{self.name}: {self.text}\n\n{self.stub}"


def examine_no_cut(tree: Tree) -> Result:
    run = trace(tree)
    shallow = next((leaf for leaf in tree.leaves() if len(tree.path(leaf)) <= PLIES), None)
    if shallow:
        moves = count(len(tree.path(shallow)) - 1, "move")
        return Result(
            f"Leaf {quoted(shallow.name)} lies {moves} below the root.", f"Expected {PLIES} or more everywhere."
        )
    if not run.cuts:
        return Result(f"All {count(len(run.leaves), 'leaf', 'leaves')} are read.")
    at = ", ".join(quoted(cut.at) for cut in run.cuts)
    leaves = count(run.frontier(tree.root), "leaf", "leaves")
    does, mistake = f"Alpha-beta still cuts, at {at}: {len(run.leaves)} of {leaves} are read.", None
    if not trace(tree, rules=Rules(strict=True)).cuts:
        does, mistake = f"{does} With > and < it would not.", "a cut on equality"
    elif not trace(tree, rules=Rules(right_to_left=True)).cuts:
        does, mistake = f"{does} From right to left it would not.", "the wrong way round"
    return Result(does, "Expected that nothing is skipped.", mistake)


def examine_deep_cut(tree: Tree) -> Result:
    run = trace(tree)
    leaves = run.frontier(tree.root)
    deep = next((cut for cut in run.cuts if cut.deep), None)
    if deep is None and run.cuts:
        cut = run.cuts[0]
        by = f": its bound is from {quoted(cut.witness)}, the other player's nearest node above" if cut.witness else ""
        return Result(
            f"The cut at {quoted(cut.at)} is not deep{by}.",
            "Expected a bound from further up.",
            "a cut, but not a deep one",
        )
    if deep is None:
        return Result("Nothing is cut in it.", "Expected a deep cut.", "no cut at all")
    does = f"The cut at {quoted(deep.at)} is deep, by the bound of {quoted(deep.witness or '')}, in {leaves} leaves."
    if leaves > DEEP_LEAVES:
        return Result(does, "It can be done with fewer.", "more leaves than needed", (DEEP_LEAVES, leaves))
    return Result(f"{does} Fewer are not enough.")


def examine_tied_moves(tree: Tree) -> Result:
    run = trace(tree)
    tied = [child for child in tree.root.children if run.node_at(child, len(run)).value == run.value]
    if len(tied) < 2:
        returned = f"Only {quoted(tied[0].name)} returns {number(run.value)} to the root."
        return Result(returned, "Expected two moves that return the best value.", "no tie at the root")
    full = trace(tree, search=minimax)
    for move in tied:
        value = full.node_at(move, len(full)).value
        if value != run.value:
            both = f"{quoted(move.name)} also returns {number(run.value)} to the root, and is worth {number(value)}"
            return Result(f"{both}: what it returned was only a bound.")
    names = " and ".join(quoted(move.name) for move in tied)
    does = f"{names} return {number(run.value)}, and are worth that."
    return Result(does, "Expected one that is worth less to the player who moves.", "truly equal")


CONSTRUCTIONS = (
    Construction("no-cut", examine_no_cut),
    Construction("tied-moves", examine_tied_moves),
    Construction("deep-cut", examine_deep_cut),
)
