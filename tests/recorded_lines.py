"""What may be drawn as the best line of a recorded run: worked out from its events alone."""

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

    def returns(self, child: Node, step: int) -> dict[int, Number | None]:
        """Return, by step, what the child returned while its parent was last under search."""
        since = self._visit(self.run.tree.parent(child), step)
        return {
            place + 1: event.value
            for place, event in enumerate(since[:step])
            if event.node is child and event.kind in ("leaf", "exit")
        }

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
        line = run.line_at(step)
        assert is_held(facts, step, line), f"step {step}: {line}"
        if line:
            check_root(facts, step, line)
        if cut := run.cut_at(step):
            check_argument(facts, step, cut)

    if run.line:
        assert held(facts, run.tree.root, len(run)) == run.value
    assert run.line in ((), run.line_at(len(run)))
    assert run.best == (run.line[1] if len(run.line) > 1 else None)


def is_held(facts: Facts, step: int, line: tuple[str, ...]) -> bool:
    """Return whether each node on the line holds what the next one has returned to it.

    A node that is searched again counts as it stood when it returned that.
    """
    if len(line) < 2:
        return True

    node, child = (facts.run.tree[name] for name in line[:2])
    value = held(facts, node, step)
    return value is not None and any(
        returned == value and is_held(facts, at, line[1:])
        for at, returned in facts.returns(child, step).items()
    )


def check_root(facts: Facts, step: int, line: tuple[str, ...]) -> None:
    """Assert that the value of the line is no bound of the root's own window."""
    root = facts.run.tree.root
    if root.is_leaf:
        return
    entered = facts.of(root, step)[0]
    value = held(facts, root, step)
    assert entered.alpha in (None, -inf) or entered.alpha < value, line
    assert entered.beta in (None, inf) or value < entered.beta, line


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

    The bound, which was hit, has been handed down from an ancestor, where the child has returned
    it.
    """
    tree = facts.run.tree
    if cut.witness is None:
        assert cut.via is None
        assert not cut.deep
        assert not facts.run.source_of_bound(cut)
        return

    at, witness = tree[cut.at], tree[cut.witness]
    assert witness in tree.path(at)[:-1]
    assert is_hit(facts, step, cut)

    # From the witness down, each node holds the bound; below it, as it was entered with it.
    bound = getattr(cut, cut.kind)
    for node in tree.path(at)[tree.path(at).index(witness) :]:
        entered, *_, latest = facts.of(node, step) * 2
        assert getattr(latest, cut.kind) == bound, f"{node.name} has another bound"
        assert (getattr(entered, cut.kind) == bound) is (node is not witness), node.name

    if cut.via is not None:
        line = facts.run.source_of_bound(cut)
        via = tree[cut.via]
        assert tree.parent(via) is witness
        assert line[0] == cut.via
        assert any(
            returned == bound and is_held(facts, at, line)
            for at, returned in facts.returns(via, step).items()
        ), f"{cut.via} has not returned {bound} by {line}"


def is_hit(facts: Facts, step: int, cut: Cut) -> bool:
    """Return whether a cutoff test can have held: of α and β, of bv, or of the latest value."""
    if None not in (cut.alpha, cut.beta) and cut.alpha >= cut.beta:
        return True

    node = facts.run.tree[cut.at]
    latest = [event.value for event in facts.of(node, step) if event.kind == "bv"][-1:]
    values = [value for value in (cut.bv, *latest) if value is not None]
    if node.is_max:
        return any(value >= cut.beta for value in values)
    return any(value <= cut.alpha for value in values)
