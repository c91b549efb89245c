"""The record of one search: its steps, its result, and how every node stood at each step."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from math import inf
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from abviz.errors import AbvizError, Number, as_json, brief, count, number, plain
from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tree.model import Node, Tree

T = TypeVar("T")
OF_GAME = ("hot", "weights")  # options of a game's position, for its to_tree
RECORDED = "recorded"  # a student's own function: it may search a node twice, or not at all, and cut anywhere


@dataclass(frozen=True, slots=True)
class Cut:
    """One cutoff: all the children that one node skipped at one moment."""

    kind: str  # "alpha" or "beta": by the bound that was hit, under every rule on names
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


@dataclass(frozen=True, slots=True)
class State:
    """The whole search at one step."""

    step: int
    event: Event | None  # what happened at this step (the first event of a cutoff); None at step 0
    at: str  # the node where it happened; the root at step 0
    nodes: dict[str, NodeState]
    line: tuple[str, ...]  # the best line so far, from the root; empty until a first move has been searched
    seen: int  # leaves read so far
    skipped: int  # leaves cut off so far


class Trace:
    """One search of one tree. `len(trace)` counts its steps, `trace[k]` is the State after the k-th (0: before it)."""

    def __init__(
        self,
        tree: Tree,
        events: Iterable[Event],
        *,
        search: str,  # "alphabeta", "minimax" or RECORDED
        rules: Rules,
        depth: int | None = None,
        options: dict[str, Any] | None = None,  # further arguments of the search; facts about a recorded run
    ):
        self.tree, self.search, self.rules, self.depth, self.options = tree, search, rules, depth, options or {}
        self.events: tuple[Event, ...] = tuple(events)
        self._history: _History | None = None

    @property
    def _read(self) -> "_History":
        if self._history is None:  # made when a step is first asked for: many traces are made for their value alone
            self._history = _History(self.tree, self.events, self.depth)
        return self._history

    def with_options(self, **more: Any) -> "Trace":
        """Return the same trace with more options."""
        options = self.options | more
        return Trace(self.tree, self.events, search=self.search, rules=self.rules, depth=self.depth, options=options)

    # its result

    @property
    def value(self) -> Number | None:
        """The value that the search returned; None where a recorded function returned no number."""
        if self.problem or not self.events:
            return self.options.get("returned")
        return self.events[-1].value

    @property
    def problem(self) -> str:
        """The error that ended a recorded function; "" if there was none."""
        return str(self.options.get("problem", ""))

    @property
    def has_bounds(self) -> bool:
        """Whether nodes have α and β: minimax has none, and a recorded function may have no variables for them."""
        if self.search != RECORDED:
            return self.search != "minimax"
        return any(event.alpha is not None or event.beta is not None for event in self.events)

    @property
    def best(self) -> str | None:
        """The best child of the root, by name; None where the root is a leaf."""
        return self.line[1] if len(self.line) > 1 else None

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation, from the root."""
        return self.line_at(len(self)) or (self.tree.root.name,)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The leaves that were read, in order (and the nodes at a depth limit)."""
        return tuple(event.node.name for event in self.events if event.kind == "leaf")

    @property
    def leaf_values(self) -> tuple[Number, ...]:
        return tuple(event.value for event in self.events if event.kind == "leaf" and event.value is not None)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        return self._read.cuts

    # its steps

    def __len__(self) -> int:
        return len(self._read.steps)

    def check_step(self, step: Any) -> int:
        """Return the step as an int, or raise AbvizError where there is no such step."""
        whole = isinstance(step, SupportsIndex) and not isinstance(step, bool)
        if not whole or not 0 <= index(step) <= len(self):
            raise AbvizError(f"step is {brief(step)}; expected 0 (before the search) to {len(self)} (its end)")
        return index(step)

    def __getitem__(self, step: int) -> State:
        step = self.check_step(step)
        nodes = {node.name: self.node_at(node, step) for node in self.tree.nodes}
        seen, skipped = self.leaves_at(step)
        events = self.events_at(step)
        at = self.where(step).name
        return State(step, events[0] if events else None, at, nodes, self.line_at(step), seen, skipped)

    def __iter__(self) -> Iterator[State]:
        return (self[step] for step in range(len(self) + 1))

    def events_at(self, step: int) -> tuple[Event, ...]:
        """Return the events of the step: one, or all the cut events of one cutoff; none at step 0."""
        if step == 0:
            return ()
        steps = self._read.steps
        end = steps[step] if step < len(steps) else len(self.events)
        return self.events[steps[step - 1] : end]

    def where(self, step: int) -> Node:
        """Return the node at which the step happens; at a cutoff, the one that cuts."""
        return self._read.places[step]

    def node_at(self, node: Node, step: int) -> NodeState:
        """Return the node's state at the step, as its latest event left it."""
        return _latest(self._read.states[node.index], step)

    def line_at(self, step: int, start: str | None = None) -> tuple[str, ...]:
        """Return the best line so far from a node, the root by default; empty until a move there has been searched."""
        line: list[str] = []
        node: Node | None = self.tree.root if start is None else self.tree[start]
        while node is not None:
            line.append(node.name)
            node = _latest(self._read.best[node.index], step)
        return tuple(line) if len(line) > 1 or self.tree[line[0]].is_leaf else ()

    def leaves_at(self, step: int) -> tuple[int, int]:
        """Return the number of leaves read and the number cut off, up to the step."""
        return self._read.counts[step]

    def frontier(self, node: Node) -> int:
        """Return how many leaves minimax reads below the node (nodes at the depth limit count as leaves)."""
        return self._read.frontier[node.index]

    def cut_at(self, step: int) -> Cut | None:
        """Return the cut that is made at the step; None where there is none."""
        return self._read.cut_at.get(step)

    def reached(self, event: Event) -> bool:
        """Return whether the cutoff test holds at the event: bv has reached the bound of the other player."""
        bound = event.beta if event.node.is_max else event.alpha
        return bound is not None and event.bv is not None and self.rules.reaches(event.bv, bound, event.node.is_max)

    def function_at(self, step: int) -> str:
        """Return the name of the function that runs at a step of a recorded search."""
        own = self.options["source"].function(self._read.steps[step - 1]) if step else ""
        return str(own or self.options["name"])

    def window(self, node: Node) -> tuple[Number | None, Number | None]:
        """Return the (α, β) that the node received."""
        return self._read.windows[node.index]

    # for machines and people

    def to_dict(self) -> dict[str, Any]:
        """Return the whole record, ready for JSON: infinities are the strings "inf" and "-inf"."""
        end = len(self)
        proven = {node.name: self.node_at(node, end) for node in self.tree.nodes}
        return {
            "value": as_json(self.value),
            "best": self.best,
            "line": list(self.line),
            "leaves": list(self.leaves),
            "leaf_values": [as_json(value) for value in self.leaf_values],
            "cuts": [
                {name: list(part) if isinstance(part, tuple) else as_json(part) for name, part in asdict(cut).items()}
                for cut in self.cuts
            ],
            "nodes": {name: {"low": as_json(n.low), "high": as_json(n.high)} for name, n in proven.items()},
            "events": [
                {name: event.node.name if name == "node" else as_json(part) for name, part in event._asdict().items()}
                for event in self.events
            ],
        }

    def __repr__(self) -> str:
        steps, cuts = count(len(self), "step"), count(len(self.cuts), "cut")
        return f"<Trace of {self.search}: value {number(self.value)}, {steps}, {cuts}>"

    def __str__(self) -> str:
        from abviz.tracing.narration import table

        return table(self)

    def _repr_svg_(self) -> str:
        from abviz.views.drawing import draw

        return draw(self)._repr_image_svg_xml()


def trace(
    tree: Any,
    *,
    search: Callable[..., Iterator[Event]] = alphabeta,
    rules: Rules = Rules(),
    depth: int | None = None,
    **options: Any,
) -> Trace:
    """Return the trace of a search; `options` are alphabeta's alpha and beta, or minimax's early_stop.

    A position of a game is searched `depth` moves deep, `trace(Checkers.start(), depth=3)`, with the options hot and
    weights of its `to_tree`.
    """
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    if search is not alphabeta and search is not minimax:
        hint = f"; watch({getattr(search, '__name__', 'search')}, tree) shows a search of your own"
        expected = f"expected alphabeta or minimax{hint if callable(search) else ''}"
        raise AbvizError(f"search is {brief(search)}; {expected}")
    legal = ("alpha", "beta") if search is alphabeta else ("early_stop",)
    of_game = {} if isinstance(tree, Tree) else {name: options.pop(name) for name in OF_GAME if name in options}
    for option, value in options.items():
        if option in Rules.__dataclass_fields__:
            raise AbvizError(f"{option} is one of the rules; expected rules=Rules({option}={brief(value)})")
        if option not in legal:
            raise AbvizError(f"{search.__name__} has no option {option}; expected {', '.join(legal)}")
    if not isinstance(tree, Tree):
        if isinstance(tree, type) or not callable(getattr(tree, "to_tree", None)):
            expected = "expected a Tree: load(name), or Tree(nested lists); or a position: Checkers.start()"
            raise AbvizError(f"asked to trace {brief(tree)}; {expected}")
        tree = tree.to_tree(depth, search=search, rules=rules, **options, **of_game)
    tree, depth = tree.to_search(search, rules, depth, options)
    events = search(tree, rules=rules, depth=depth, **options)
    plain_options = {option: plain(value) if search is alphabeta else value for option, value in options.items()}
    return Trace(tree, events, search=search.__name__, rules=rules, depth=depth, options=plain_options)


# how the steps are made


class _History:
    """One walk through the events, which notes everything that can be asked about the steps.

    `steps`, `places`, `counts` and `cut_at` are indexed by step, the others by the node's index in its tree.
    """

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
        last = self.places[-1]
        if self.now[last.index].state == "active":
            self._set(last, state="done" if last is self.returned else "open")
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
        for node in self.changed:
            steps, states = self.states[node]
            steps.append(step)
            states.append(self.now[node])
        self.changed.clear()

    def _set(self, node: Node, **changes: Any) -> None:
        self.now[node.index] = self.now[node.index]._replace(**changes)
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
        if event.node.value is not None:  # not event.value: what a student's function returns for a leaf proves nothing
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
        """Return whether the value is better than that of the best child so far; for runs that show no bv."""
        value, other = event.value, self.now[best.index].value if best else None
        if value is None or other is None:
            return False
        return value > other if event.node.is_max else value < other

    def _bound(self, event: Event) -> None:
        self.calls[-1].moved_by[event.kind] = self.returned
        self._set(event.node, state="active", alpha=event.alpha, beta=event.beta)

    _alpha = _beta = _bound

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
        bound = "beta" if node.is_max else "alpha"
        witness = next((call for call in reversed(self.calls) if call.moved_by.get(bound)), None)
        via = witness.moved_by[bound] if witness else None
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
        """Carry what a leaf proves up the tree, as far as it changes anything."""
        while node is not None:
            choose = max if node.is_max else min
            low = choose(self.now[child.index].low for child in node.children)
            high = choose(self.now[child.index].high for child in node.children)
            if (low, high) == self.now[node.index][-2:]:
                return
            self._set(node, low=low, high=high)
            node = self.tree.parent(node)


@dataclass(slots=True)
class _Call:
    """A call under way, and which child's return last changed its own α and β."""

    node: Node
    moved_by: dict[str, Node | None] = field(default_factory=dict)


def _group(events: tuple[Event, ...]) -> Iterator[tuple[int, list[Event]]]:
    """Yield the events of each step, with the index of the first: the cut events of one cutoff are one step."""
    for _, group in groupby(enumerate(events), lambda pair: -1 if pair[1].kind == "cut" else pair[0]):
        (index, first), *rest = group
        yield index, [first, *(event for _, event in rest)]


def _frontier(tree: Tree, depth: int | None) -> list[int]:
    """Return for each node how many leaves lie below it; a node at the depth limit counts as a leaf."""
    level = [0] * len(tree)
    leaves = [0] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            level[child.index] = level[node.index] + 1
    for node in reversed(tree.nodes):
        if folded := tree.folded(node):
            leaves[node.index] = folded.leaves
        elif node.is_leaf or level[node.index] == depth:
            leaves[node.index] = 1
        else:
            leaves[node.index] = sum(leaves[child.index] for child in node.children)
    return leaves


def _latest(history: tuple[list[int], list[T]], step: int) -> T:
    steps, entries = history
    return entries[bisect_right(steps, step) - 1]
