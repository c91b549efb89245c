"""What may be drawn as the best line of a recorded run: worked out from its events alone."""

from itertools import pairwise
from math import inf

from abviz.errors import Number
from abviz.tracing.algorithms import Event
from abviz.tracing.traces import Cut, Trace
from abviz.tree.model import Node


class Facts:
    """The events of a run, by step."""

    def __init__(self, run: Trace):
        self.run = run
        self.at = [run.events_at(step)[0] for step in range(1, len(run) + 1)]

    def of(self, node: Node, step: int) -> list[Event]:
        """Return what has happened at the node, since it was last entered."""
        return [event for event in self._visit(node, step)[:step] if event.node is node]

    def returns(self, child: Node, step: int) -> list[Number | None]:
        """Return what the child returned, while its parent was last under search."""
        parent = self.run.tree.parent(child)
        since = self._visit(parent, step)
        return [
            event.value
            for event in since[:step]
            if event.node is child and event.kind in ("leaf", "exit")
        ]

    def taken(self, node: Node, step: int) -> list[Number]:
        """Return the values of children that the node has taken in."""
        events = self.of(node, step)
        return [event.value for event in events if event.kind == "bv" and event.value is not None]

    def end(self, node: Node, step: int) -> int | None:
        """Return the step at which the search of the node ends; None if it never does."""
        for later in range(step, len(self.at) + 1):
            event = self.at[later - 1]
            if event.node is node and event.kind == "exit":
                return later
        return None

    def _visit(self, node: Node, step: int) -> list[Event]:
        """Return all events up to the step, with those before the node was last entered blank."""
        entered = max(
            (place for place in range(step) if self._enters(place, node)), default=len(self.at)
        )
        blank = Event("", None, None, None, None)
        return [blank if place < entered else event for place, event in enumerate(self.at)]

    def _enters(self, place: int, node: Node) -> bool:
        event = self.at[place]
        return event.kind == "enter" and event.node is node


def check_lines(run: Trace) -> None:
    """Assert that all that is drawn as a best line is what the run did."""
    facts = Facts(run)
    for step in range(1, len(run) + 1):
        check_line(facts, step, run.line_at(step))
        if cut := run.cut_at(step):
            check_argument(facts, step, cut)

    for name in run.line:
        assert run.node_at(run.tree[name], len(run)).value == run.value, run.line
    assert run.best == (run.line[1] if len(run.line) > 1 else None)


def check_line(facts: Facts, step: int, line: tuple[str, ...]) -> None:
    """Assert that each node on the line holds what the next one has returned to it."""
    tree = facts.run.tree
    for names in pairwise(line):
        node, child = (tree[name] for name in names)
        returned = facts.returns(child, step)
        assert returned, f"step {step}: {child.name} has returned nothing to {node.name}"

        value = returned[-1]
        assert value is not None, f"step {step}: {child.name} has returned no number"
        assert value == held(facts, node, step), f"step {step}: {node.name} holds another value"
        if node is tree.root:
            entered = facts.of(node, step)[0]
            assert entered.alpha in (None, -inf) or entered.alpha < value
            assert entered.beta in (None, inf) or value < entered.beta


def held(facts: Facts, node: Node, step: int) -> Number | None:
    """Return what the node has returned, or else its bv.

    Where a run shows no bv, the player's best value so far stands for it, if in the end the node
    returns the best of all.
    """
    last = facts.of(node, step)[-1]
    if last.kind == "exit":
        return last.value
    if last.bv is not None:
        return last.bv

    end = facts.end(node, step)
    if end is None:
        return None

    choose = max if node.is_max else min
    taken = facts.taken(node, end)
    is_best_of_all = taken and facts.at[end - 1].value == choose(taken)
    return choose(facts.taken(node, step)) if is_best_of_all else None


def check_argument(facts: Facts, step: int, cut: Cut) -> None:
    """Assert that what is drawn as the reason of a cut is one.

    The bound has been handed down from the witness, where the child has returned it.
    """
    tree = facts.run.tree
    if cut.witness is None:
        assert cut.via is None
        return

    witness = tree[cut.witness]
    path = tree.path(tree[cut.at])
    for node in path[path.index(witness) :]:
        latest = facts.of(node, step)[-1]
        assert getattr(latest, cut.kind) == getattr(cut, cut.kind), f"{node.name} has another"

    if cut.via is None:
        return
    via = tree[cut.via]
    assert tree.parent(via) is witness

    changes = [event for event in facts.of(witness, step) if event.kind == cut.kind]
    assert facts.returns(via, step)[-1] == getattr(changes[-1], cut.kind)
    check_line(facts, step, facts.run.line_at(step, start=cut.via))
