"""Reading exercise: α, β and bv on the path, at a given moment of the search."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from abviz.errors import AbvizError, quoted
from abviz.exercises.filling import Misreading, Paper, PaperExercise, Question, Slot
from abviz.exercises.kinds import NUMBER
from abviz.exercises.misreading import begun_at_bound, followed
from abviz.exercises.reading_trees import HOW, NO_DEEP_CUTS, reading_tree
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import player
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Node, Tree

LETTERS = ("bv", "alpha", "beta")


class Moment(NamedTuple):
    """The child has handed its value up, and the node has taken it into bv and its own bound."""

    node: Node
    child: Node

    def step(self, run: Trace) -> int | None:
        """When it comes in a search of the tree; None if it never does."""
        for step in range(1, len(run) + 1):
            event = run.events_at(step)[0]
            if event.kind == "bv" and event.node is self.node and run.where(step - 1) is self.child:
                return step + (run.events_at(step + 1)[0].kind in ("alpha", "beta"))
        return None


def read_at(run: Trace, step: int | None, moment: Moment) -> Paper | None:
    """α, β and bv of the nodes on the path, from the root to the node of the moment."""
    if step is None:
        return None
    path = run.tree.path(moment.node)
    return {(node.name, letter): getattr(run.node_at(node, step), letter) for node in path for letter in LETTERS}


@lru_cache(16)
def chosen_moment(tree: Tree) -> Moment:
    """That of the cuts at which most misunderstandings show."""
    run = trace(tree)
    moments = [Moment(tree[cut.at], _child_before(run, cut.step)) for cut in run.cuts]
    if not moments:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")

    def shown(moment: Moment) -> int:
        right = read_at(run, moment.step(run), moment)
        wrong = [paper for papers in WRONG_AT.values() for paper in papers(tree, moment) if paper != right]
        return len({tuple(paper.items()) for paper in wrong})

    return max(moments, key=shown)


def _child_before(run: Trace, step: int) -> Node:
    """The child that has returned last before the step."""
    return next(run.where(at - 1) for at in range(step, 0, -1) if run.events_at(at)[0].kind == "bv")


def ask_bounds(tree: Tree) -> Question:
    moment = chosen_moment(tree)
    run = trace(tree)
    now = moment.step(run)
    assert now is not None
    right = read_at(run, now, moment) or {}
    names = {node.name: node for node in tree.path(moment.node)}
    asks = (
        f"{HOW} {quoted(moment.child.name)} has just handed its value up to {quoted(moment.node.name)}, which has "
        f"updated bv and then its own bound, and has not cut yet. What are bv, α and β of the nodes from the root down "
        f"to {quoted(moment.node.name)}?"
    )
    slots = (Slot(place, value, NUMBER, _why(run, names[place[0]], place[1], now)) for place, value in right.items())
    return Question(asks, tuple(slots))


def _why(run: Trace, node: Node, letter: str, now: int) -> str:
    """Where it comes from; not the number itself, by which the right answer would be told."""
    name, who = quoted(node.name), player(node)
    if letter == "bv":
        back = [quoted(child.name) for child in node.children if run.node_at(child, now).state == "done"]
        if not back:
            return f"No child has returned to {name} yet, and bv begins at the worst that {who} could get."
        return f"bv: {name} takes the best for {who} of what has come back, from {' and '.join(back)}."
    parent = run.tree.parent(node)
    given = f"{name} got a copy of that of {quoted(parent.name)}" if parent else "the search began with the full window"
    sign, mover, side = ("α", "MAX", 0) if letter == "alpha" else ("β", "MIN", 1)
    if who != mover:
        return f"{sign}: {given}, and only {mover} moves {sign}."
    moved = run.window(node)[side] != getattr(run.node_at(node, now), letter)
    return f"{sign}: {given}, and bv has {'' if moved else 'not '}passed it since."


# misunderstandings

Papers = Callable[[Tree, Moment], Iterator[Paper]]


def _in(search: Callable[[Tree], Trace], tree: Tree, moment: Moment) -> Iterator[Paper]:
    run = search(tree)
    paper = read_at(run, moment.step(run), moment)
    if paper:
        yield paper


def _one_behind(tree: Tree, moment: Moment) -> Iterator[Paper]:
    """The node has not taken in yet what the child hands up."""
    run = trace(tree)
    now = moment.step(run) or 0
    before = next(step for step in range(now, 0, -1) if run.events_at(step)[0].kind == "bv") - 1
    yield read_at(run, before, moment) or {}


def _exchanged(tree: Tree, moment: Moment) -> Iterator[Paper]:
    other = {"alpha": "beta", "beta": "alpha", "bv": "bv"}
    run = trace(tree)
    right = read_at(run, moment.step(run), moment) or {}
    yield {place: right[place[0], other[place[1]]] for place in right}


def _never_put_back(tree: Tree, moment: Moment) -> Iterator[Paper]:
    """One α and one β for all nodes, as far as they have come by then."""
    run = trace(tree)
    now = moment.step(run)
    reached = [state for _, step, state in run.changes() if now is not None and step <= now]
    alpha = max(state.alpha for state in reached if state.alpha is not None)
    beta = min(state.beta for state in reached if state.beta is not None)
    shared = {"alpha": alpha, "beta": beta}
    yield {place: shared.get(place[1], value) for place, value in (read_at(run, now, moment) or {}).items()}


WRONG_AT: dict[str, Papers] = {
    "the bound before the update": partial(_in, partial(trace, rules=Rules(test_first=True))),
    "one child behind": _one_behind,
    "alpha and beta swapped": _exchanged,
    "only the parent's bound": partial(_in, NO_DEEP_CUTS),
    "bounds kept": _never_put_back,
    "bv begins with the bound": partial(_in, partial(followed, begin=begun_at_bound)),
}


def _misreading(name: str, says: str, hint: str) -> Misreading:
    return Misreading(name, says, hint, lambda tree: WRONG_AT[name](tree, chosen_moment(tree)))


BOUNDS = PaperExercise(
    "path-bounds",
    ask_bounds,
    (
        _misreading(
            "the bound before the update",
            "the node that is about to cut still has its bound from before the update",
            "Under these rules the update comes first, and then the test. What does the node's own bound become?",
        ),
        _misreading(
            "one child behind",
            "the value of the last child has not been taken in yet",
            "What does the node do with the value as soon as its child has returned?",
        ),
        _misreading(
            "alpha and beta swapped",
            "α and β are swapped",
            "α is what MAX is assured of. Which of the two does a MAX node raise?",
        ),
        _misreading(
            "only the parent's bound",
            "a node gets nothing but what its parent has found itself",
            "A node's window is a copy of its parent's. What did the parent get from further up?",
        ),
        _misreading(
            "bounds kept",
            "α and β stay as they were at nodes that have returned",
            "A bound holds on the path from the root. Is a child that has returned still on the path?",
        ),
        _misreading(
            "bv begins with the bound",
            "bv begins with the node's own bound, and not with the worst value",
            "bv is what has been found below this node. What is it before the first child has returned?",
        ),
    ),
    (
        "Start at the root with −∞ and ∞, and write down every change, not only the last.",
        "On the way down a window is copied. On the way up only a value comes back, and no bound.",
        "A MAX node moves α, when bv passes it; a MIN node moves β.",
    ),
    reading_tree,
)
