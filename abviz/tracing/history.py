"""How a search went, step by step: one walk through its events, in which all that can be asked of them is noted."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from abviz.errors import Number
from abviz.tracing.algorithms import Event
from abviz.tree.model import Node, Tree


@dataclass(frozen=True, slots=True)
class Cut:
    """One cutoff: all the children that one node skipped at one moment."""

    kind: str  # "alpha" or "beta": always by the bound that was hit, whatever people are shown
    at: str  # the node that cut
    alpha: Number | None  # its α, β and bv then
    beta: Number | None
    bv: Number | None
    skipped: tuple[str, ...]  # its children never searched, in the order of the search
    witness: str | None  # the ancestor at which the bound last strictly changed; None: it is still the search's first
    via: str | None  # the child of the witness whose return set the bound
    deep: bool  # the witness is not the nearest ancestor of the other kind
    saved: int  # leaves below the skipped children
    step: int


class NodeState(NamedTuple):
    """How one node stands at one step."""

    state: str = "waiting"  # waiting, active (the search is here), open (on the path to it), done or skipped
    alpha: Number | None = None
    beta: Number | None = None
    bv: Number | None = None
    value: Number | None = None  # what it returned, once it has
    low: Number = -inf  # what is proven: low ≤ minimax value ≤ high
    high: Number = inf


class History:
    """The walk. `steps`, `places`, `counts` and `cut_at` go by step, the others by the node's index in its tree."""

    def __init__(self, tree: Tree, events: tuple[Event, ...], depth: int | None):
        self.tree = tree
        size = len(tree)
        self.frontier = _frontier(tree, depth)
        self.steps: list[int] = []  # the index of each step's first event
        self.places: list[Node] = [tree.root]
        self.counts = [(0, 0)]
        self.cut_at: dict[int, Cut] = {}
        self.windows: list[tuple[Number | None, Number | None]] = [(None, None)] * size
        self.now = [NodeState()] * size
        self.states: list[tuple[list[int], list[NodeState]]] = [([0], [NodeState()]) for _ in range(size)]
        self.best: list[tuple[list[int], list[Node | None]]] = [([0], [None]) for _ in range(size)]
        self.calls: list[_Call] = []  # the calls under way, the root's first
        self.returned: Node | None = None  # the node that returned last
        self.changed: set[int] = set()
        for first, group in _group(events):
            self.steps.append(first)
            self._step(group)
        self.cuts = tuple(self.cut_at.values())

    def _step(self, events: list[Event]) -> None:
        event = events[0]
        seen, skipped = self.counts[-1]
        was = self.places[-1]
        if self.now[was.index].state == "active":
            self._set(was, state="done" if was is self.returned else "open")
        if event.kind == "cut":
            place = self.calls[-1].node
            self._cut(events)
            skipped += sum(self.frontier[e.node.index] for e in events)
        else:
            place = event.node
            getattr(self, f"_{event.kind}")(event)
            seen += event.kind == "leaf"
        self.places.append(place)
        self.counts.append((seen, skipped))
        step = len(self.steps)
        for index in self.changed:
            steps, states = self.states[index]
            steps.append(step)
            states.append(self.now[index])
        self.changed.clear()

    def _set(self, node: Node, **what: Any) -> None:
        self.now[node.index] = self.now[node.index]._replace(**what)
        self.changed.add(node.index)

    def _enter(self, event: Event) -> None:
        self.calls.append(_Call(event.node))
        self.windows[event.node.index] = event.alpha, event.beta
        self._set(event.node, state="active", alpha=event.alpha, beta=event.beta, bv=event.bv, value=None)

    def _leaf(self, event: Event) -> None:
        value = event.value
        self.windows[event.node.index] = event.alpha, event.beta
        state = "active" if self.calls else "done"  # a root that is a leaf: the search is over
        self._set(event.node, state=state, alpha=event.alpha, beta=event.beta, value=value)
        if event.node.value is not None:  # what a student's own function returns for a leaf proves nothing
            self._set(event.node, low=event.node.value, high=event.node.value)
        self.returned = event.node
        self._prove(self.tree.parent(event.node))

    def _bv(self, event: Event) -> None:
        node = event.node
        before = self.now[node.index].bv
        self._set(node, state="active", bv=event.bv)
        steps, best = self.best[node.index]
        if self.returned is None or self.tree.parent(self.returned) is not node:
            return  # a first value, before any child's
        improved = self._is_better(event, best[-1]) if event.bv is None else event.bv != before
        if improved or best[-1] is None:  # where none improves on the first bv, the first child stays best
            steps.append(len(self.steps))
            best.append(self.returned)

    def _is_better(self, event: Event, best: Node | None) -> bool:
        """Whether what is handed up is better than what that child handed up; for where nobody knows bv."""
        value, other = event.value, self.now[best.index].value if best else None
        if value is None or other is None:
            return False
        return value > other if event.node.is_max else value < other

    def _alpha(self, event: Event) -> None:
        self.calls[-1].raised_by = self.returned
        self._set(event.node, state="active", alpha=event.alpha)

    def _beta(self, event: Event) -> None:
        self.calls[-1].lowered_by = self.returned
        self._set(event.node, state="active", beta=event.beta)

    def _exit(self, event: Event) -> None:
        self.calls.pop()
        self.returned = event.node
        self._set(event.node, state="done", value=event.value)

    def _cut(self, events: list[Event]) -> None:
        node = self.calls[-1].node
        self._set(node, state="active")
        for event in events:
            for below in self.tree.below(event.node):
                self._set(below, state="skipped")
        witness = next((call for call in reversed(self.calls) if call.moved(node.is_max)), None)
        via = witness.moved(node.is_max) if witness else None
        nearest = next((call for call in reversed(self.calls) if call.node.is_max != node.is_max), None)
        first = events[0]
        self.cut_at[len(self.steps)] = Cut(
            kind="beta" if node.is_max else "alpha",
            at=node.name,
            alpha=first.alpha,
            beta=first.beta,
            bv=first.bv,
            skipped=tuple(event.node.name for event in events),
            witness=witness.node.name if witness else None,
            via=via.name if via else None,
            deep=witness is not None and witness is not nearest,
            saved=sum(self.frontier[event.node.index] for event in events),
            step=len(self.steps),
        )

    def _prove(self, node: Node | None) -> None:
        """Carry what a leaf proves up the tree, as far as it says anything new."""
        while node is not None:
            choose = max if node.is_max else min
            low = choose(self.now[child.index].low for child in node.children)
            high = choose(self.now[child.index].high for child in node.children)
            if (low, high) == self.now[node.index][-2:]:
                return
            self._set(node, low=low, high=high)
            node = self.tree.parent(node)


class _Call:
    """A call under way, and which child's return last changed its own α and β."""

    __slots__ = ("lowered_by", "node", "raised_by")

    def __init__(self, node: Node):
        self.node = node
        self.raised_by: Node | None = None
        self.lowered_by: Node | None = None

    def moved(self, beta: bool) -> Node | None:
        return self.lowered_by if beta else self.raised_by


def _group(events: tuple[Event, ...]) -> Iterator[tuple[int, list[Event]]]:
    """The events step by step: the cut events of one cutoff are one step."""
    index = 0
    while index < len(events):
        end = index + 1
        if events[index].kind == "cut":
            while end < len(events) and events[end].kind == "cut":
                end += 1
        yield index, list(events[index:end])
        index = end


def _frontier(tree: Tree, depth: int | None) -> list[int]:
    """For each node how many leaves lie below it; one at the depth limit is like a leaf."""
    level = [0] * len(tree)
    leaves = [0] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            level[child.index] = level[node.index] + 1
    for node in reversed(tree.nodes):
        ends = node.is_leaf or level[node.index] == depth
        folded = tree.folded(node)
        leaves[node.index] = (
            folded.leaves if folded else 1 if ends else sum(leaves[child.index] for child in node.children)
        )
    return leaves
