"""The record of one search: its steps, its result, and how every node stood at each step."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from math import inf
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from abviz.errors import AbvizError, Number, as_json, brief, count, plain
from abviz.tracing.algorithms import Event, Rules, Search, alphabeta, minimax
from abviz.tree.annotations import annotations_of
from abviz.tree.levels import UNKNOWN, listing
from abviz.tree.model import Node, Tree

T = TypeVar("T")
OF_GAME = ("hot", "weights")  # options of a game's position, for its to_tree
# A student's own function: it may search a node twice, or not at all, and cut anywhere
RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class Cut:
    """One cutoff: all the children that one node skipped at one moment."""

    kind: str  # "alpha" or "beta": by the bound that was hit, under every rule on names
    at: str  # the node that cut
    alpha: Number | None  # its α, β and bv then
    beta: Number | None
    bv: Number | None
    skipped: tuple[str, ...]  # its children never searched, in the order of the search
    # The ancestor at which the bound last strictly changed; None: it is still the search's first
    witness: str | None
    via: str | None  # the child of the witness whose return set the bound
    deep: bool  # the witness is not the nearest ancestor of the other kind
    saved: int  # leaves below the skipped children
    step: int


class Bound(NamedTuple):
    """What a search has proven of the root where the value that it returns is not inside its
    window.
    """

    kind: str  # "at most" or "at least"
    value: Number
    limit: Number  # the α or β of the search's window that the returned value has reached


class NodeState(NamedTuple):
    """How one node stands at one step."""

    # Waiting, active (the search is here), open (on the path to it), done or skipped
    state: str = "waiting"
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
    line: tuple[str, ...]  # the best line so far, as `line_at` returns it
    seen: int  # leaves read so far
    skipped: int  # leaves cut off so far


class Trace:
    """One search of one tree. `len(trace)` counts its steps, `trace[k]` is the State after the k-th
    (0: before it).
    """

    def __init__(
        self,
        tree: Tree,
        events: Iterable[Event],
        *,
        search: str,  # "alphabeta", "minimax" or RECORDED
        rules: Rules,
        depth: int | None = None,
        # Further arguments of the search; facts about a recorded run
        options: dict[str, Any] | None = None,
    ):
        self.tree, self.search, self.rules, self.depth, self.options = (
            tree,
            search,
            rules,
            depth,
            options or {},
        )
        self.events: tuple[Event, ...] = tuple(events)

    @cached_property
    # Made when a step is first asked for: many traces are made for their value alone
    def _read(self) -> "_History":
        return _History(self.tree, self.events, self.depth)

    def with_options(self, **more: Any) -> "Trace":
        """Return the same trace with more options."""
        options = self.options | more
        return Trace(
            self.tree,
            self.events,
            search=self.search,
            rules=self.rules,
            depth=self.depth,
            options=options,
        )

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

    @cached_property
    def has_bounds(self) -> bool:
        """Whether nodes have α and β: minimax has none, and a recorded function may have no
        variables for them.
        """
        return any(event.alpha is not None or event.beta is not None for event in self.events)

    @property
    def root_window(self) -> tuple[Number, Number]:
        """The window (α, β) that the search was given: (−∞, ∞) unless told otherwise."""
        if self.search == RECORDED:
            low, high = self.options.get("window", (-inf, inf))
            return low, high
        return self.options.get("alpha", -inf), self.options.get("beta", inf)

    def is_inside_window(self, value: Number | None) -> bool:
        """Return whether α < value < β in the window of the search; an infinite bound is open.

        Only then is what the root returns its own value. Otherwise it is a bound, and a move that
        returned it may be worth anything beyond: there is no best move, and no line.
        """
        alpha, beta = self.root_window
        is_above = alpha == -inf or (value is not None and value > alpha)
        is_below = beta == inf or (value is not None and value < beta)
        return is_above and is_below

    @property
    def bound(self) -> Bound | None:
        """What is proven of the root where its value is a bound; None where it is the root's own,
        or a recorded run.
        """
        if self.search == RECORDED or self.is_inside_window(self.value):
            return None
        alpha, beta = self.root_window
        end = self.node_at(self.tree.root, len(self))
        is_low = alpha > -inf and self.value is not None and self.value <= alpha
        return Bound("at most", end.high, alpha) if is_low else Bound("at least", end.low, beta)

    @property
    def best(self) -> str | None:
        """The best child of the root, by name; None where the root is a leaf, or its value only a
        bound.
        """
        return self.line[1] if len(self.line) > 1 else None

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation, from the root; empty where the root's value is only a bound."""
        if not self.is_inside_window(self.value):
            return ()
        return self.line_at(len(self)) or (self.tree.root.name,)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The leaves that were read, in order (and the nodes at a depth limit)."""
        return tuple(event.node.name for event in self.events if event.kind == "leaf")

    @property
    def leaf_values(self) -> tuple[Number, ...]:
        return tuple(
            event.value for event in self.events if event.kind == "leaf" and event.value is not None
        )

    @property
    def cuts(self) -> tuple[Cut, ...]:
        return tuple(self._read.cut_at.values())

    # its steps

    def __len__(self) -> int:
        return len(self._read.steps) - 1

    def check_step(self, step: Any) -> int:
        """Return the step, or raise AbvizError where there is no such step."""
        if not isinstance(step, int) or not 0 <= step <= len(self):
            raise AbvizError(
                f"step is {brief(step)}; expected 0 (before the search) to {len(self)} (its end)"
            )
        return step

    def __getitem__(self, step: int) -> State:
        step = self.check_step(step)
        nodes = {node.name: self.node_at(node, step) for node in self.tree.nodes}
        event = self.events_at(step)[0] if step else None
        return State(
            step, event, self.where(step).name, nodes, self.line_at(step), *self.leaves_at(step)
        )

    def __iter__(self) -> Iterator[State]:
        return (self[step] for step in range(len(self) + 1))

    def events_at(self, step: int) -> tuple[Event, ...]:
        """Return the events of the step: one, or all the cut events of one cutoff; none at step 0."""
        return self._read.steps[step]

    def where(self, step: int) -> Node:
        """Return the node at which the step happens; at a cutoff, the one that cuts."""
        return self._read.places[step]

    def node_at(self, node: Node, step: int) -> NodeState:
        """Return the node's state at the step, as its latest event left it."""
        return _latest(self._read.states[node.index], step)

    def line_at(self, step: int, start: str | None = None) -> tuple[str, ...]:
        """Return the best line so far, from the root; empty while no move, or none inside the
        window, has been found.

        From another node it is the way by which that node's value came up, be it a value or a
        bound.
        """
        if start is None and not self.is_inside_window(self._root_value_at(step)):
            return ()
        line: list[str] = []
        node: Node | None = self.tree.root if start is None else self.tree[start]
        while node is not None:
            line.append(node.name)
            node = _latest(self._read.best[node.index], step)
        return tuple(line) if len(line) > 1 or self.tree[line[0]].is_leaf else ()

    def _root_value_at(self, step: int) -> Number | None:
        """Return what the root has returned, or what its best move so far has."""
        root = self.tree.root
        state = self.node_at(root, step)
        if state.value is not None:
            return state.value
        if state.bv is not None:
            return state.bv
        best = _latest(self._read.best[root.index], step)  # of a recorded run that shows no bv
        return self.node_at(best, step).value if best else None

    def leaves_at(self, step: int) -> tuple[int, int]:
        """Return the number of leaves read and the number cut off, up to the step."""
        return self._read.counts[step]

    def frontier(self, node: Node) -> int:
        """Return how many leaves minimax reads below the node (nodes at the depth limit count as
        leaves).
        """
        return self._read.frontier[node.index]

    def cut_at(self, step: int) -> Cut | None:
        """Return the cut that is made at the step; None where there is none."""
        return self._read.cut_at.get(step)

    def reached(self, event: Event) -> bool:
        """Return whether the cutoff test holds at the event: bv has reached the bound of the other
        player.
        """
        bound = event.beta if event.node.is_max else event.alpha
        return (
            bound is not None
            and event.bv is not None
            and self.rules.reaches(event.bv, bound, event.node.is_max)
        )

    def function_at(self, step: int) -> str:
        """Return the name of the function that runs at a step of a recorded search."""
        own = (
            self.options["source"].function(sum(map(len, self._read.steps[:step]))) if step else ""
        )
        return str(own or self.options["name"])

    def window(self, node: Node) -> tuple[Number | None, Number | None]:
        """Return the (α, β) that the node received."""
        return self._read.windows[node.index]

    # for machines and people

    def levels(self, step: int | None = None, *, unknown: Number | str = UNKNOWN) -> str:
        """Return a text with a line for each level, as of a step (by default the end).

        A leaf shows its value, an inner node what it has returned, and `unknown` until then.
        The default of −1 is that of the source, which it shares with a value of −1: "?" is safer.
        """
        at = len(self) if step is None else self.check_step(step)

        def value(node: Node) -> Number | None:
            return node.value if node.is_leaf else self.node_at(node, at).value

        return listing(self.tree.root, value, unknown)

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
            "cuts": [_plain(asdict(cut)) for cut in self.cuts],
            "nodes": {
                name: {"low": as_json(n.low), "high": as_json(n.high)} for name, n in proven.items()
            },
            "events": [
                _plain(event._asdict() | {"node": event.node.name}) for event in self.events
            ],
        }

    def __repr__(self) -> str:
        steps, cuts = count(len(self), "step"), count(len(self.cuts), "cut")
        said = annotations_of(self.tree).said
        if bound := self.bound:
            result = f"returned {said(self.value)} ({bound.kind} {said(bound.value)})"
        elif self.is_inside_window(self.value):
            result = f"value {said(self.value)}"
        else:
            result = f"returned {said(self.value)}"
        return f"<Trace of {self.search}: {result}, {steps}, {cuts}>"

    def __str__(self) -> str:
        from abviz.tracing.narration import table

        return table(self)

    def _repr_svg_(self) -> str:
        from abviz.views.drawing import draw

        return draw(self)._repr_image_svg_xml()


@runtime_checkable
class LaidOutForSearch(Protocol):
    """A tree with the nodes that one search needs, such as a game's: another needs other nodes."""

    def to_search(
        self, search: Search, rules: Rules, depth: int | None, options: Mapping[str, Any]
    ) -> Tree:
        """Return the tree for that search, no deeper than its depth."""
        ...


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(part) if isinstance(part, tuple) else as_json(part)
        for name, part in record.items()
    }


def trace(
    tree: Any,
    *,
    search: Search = alphabeta,
    rules: Rules = Rules(),
    depth: int | None = None,
    **options: Any,
) -> Trace:
    """Return the trace of a search; `options` are alphabeta's alpha and beta, or minimax's
    early_stop.

    With a window (α, β) the value is the root's own only if α < value < β. Otherwise it is a bound,
    and the trace has no best move and no line.

    A position of a game is searched `depth` moves deep, `trace(Checkers.start(), depth=3)`, with
    the options hot and weights of its `to_tree`.
    """
    if search not in (alphabeta, minimax):
        expected = "expected alphabeta or minimax; watch(function, tree) shows a search of your own"
        raise AbvizError(f"search is {brief(search)}; {expected}")
    legal = ("alpha", "beta") if search is alphabeta else ("early_stop",)
    of_game = {
        name: options.pop(name)
        for name in OF_GAME
        if name in options and not isinstance(tree, Tree)
    }
    for option in options:
        if option not in legal:
            expected = f"expected {', '.join(legal)}, or rules=Rules(…)"
            raise AbvizError(f"{search.__name__} has no option {option}; {expected}")
    if not isinstance(tree, Tree):
        if isinstance(tree, type) or not hasattr(tree, "to_tree"):
            expected = "expected a Tree: load(name), or Tree(nested lists); or a position: Checkers.start()"
            raise AbvizError(f"asked to trace {brief(tree)}; {expected}")
        tree = tree.to_tree(depth, search=search, rules=rules, **options, **of_game)
    if isinstance(tree, LaidOutForSearch):
        tree, depth = tree.to_search(search, rules, depth, options), None
    events = search(tree, rules=rules, depth=depth, **options)
    plain_options = {
        option: plain(value) if search is alphabeta else value for option, value in options.items()
    }
    return Trace(
        tree, events, search=search.__name__, rules=rules, depth=depth, options=plain_options
    )


# how the steps are made


class _History:
    """One walk through the events, which notes everything that can be asked about the steps.

    `steps`, `places`, `counts` and `cut_at` are indexed by step, the others by the node's index in
    its tree.
    """

    def __init__(self, tree: Tree, events: tuple[Event, ...], depth: int | None):
        self.tree = tree
        size = len(tree)
        self.frontier = _frontier(tree, depth)
        self.steps: list[tuple[Event, ...]] = [()]  # the events of each
        self.places: list[Node] = [tree.root]
        self.counts = [(0, 0)]
        self.cut_at: dict[int, Cut] = {}
        self.windows: list[tuple[Number | None, Number | None]] = [(None, None)] * size
        self.states: list[tuple[list[int], list[NodeState]]] = [
            ([0], [NodeState()]) for _ in range(size)
        ]
        self.best: list[tuple[list[int], list[Node | None]]] = [([0], [None]) for _ in range(size)]
        # Under way, the root's first: which child's return
        self.calls: list[tuple[Node, dict[str, Node | None]]] = []
        # Last changed the call's own α and β; and the node that returned last
        self.returned: Node | None = None
        for _, group in groupby(
            enumerate(events), lambda pair: -1 if pair[1].kind == "cut" else pair[0]
        ):
            self.steps.append(tuple(event for _, event in group))
            self._step(self.steps[-1])

    def _now(self, node: Node) -> NodeState:
        return self.states[node.index][1][-1]

    def _set(self, node: Node, **changes: Any) -> None:
        steps, states = self.states[node.index]
        state = states[-1]._replace(**changes)
        if steps[-1] == len(self.steps) - 1:
            states[-1] = state
        else:
            steps.append(len(self.steps) - 1)
            states.append(state)

    def _step(self, events: tuple[Event, ...]) -> None:
        event, node, last = events[0], events[0].node, self.places[-1]
        seen, skipped = self.counts[-1]
        if self._now(last).state == "active":
            self._set(last, state="done" if last is self.returned else "open")
        match event.kind:
            case "enter":
                self.calls.append((node, {}))
                self.windows[node.index] = event.alpha, event.beta
                self._set(
                    node,
                    state="active",
                    alpha=event.alpha,
                    beta=event.beta,
                    bv=event.bv,
                    value=None,
                )
            case "leaf":
                seen += 1
                self.windows[node.index] = event.alpha, event.beta
                # A root that is a leaf: the search is over
                state = "active" if self.calls else "done"
                self._set(node, state=state, alpha=event.alpha, beta=event.beta, value=event.value)
                # Not event.value: what a student's function returns proves nothing
                if node.value is not None:
                    self._set(node, low=node.value, high=node.value)
                self.returned = node
                self._prove(self.tree.parent(node))
            case "bv":
                self._choose(event)
                self._set(node, state="active", bv=event.bv)
            case "alpha" | "beta":
                self.calls[-1][1][event.kind] = self.returned
                self._set(node, state="active", alpha=event.alpha, beta=event.beta)
            case "exit":
                self.calls.pop()
                self.returned = node
                self._set(node, state="done", value=event.value)
            case "cut":
                node = self.calls[-1][0]
                cut = self._cut(events)
                skipped += cut.saved
        self.places.append(node)
        self.counts.append((seen, skipped))

    def _choose(self, event: Event) -> None:
        """Note the child that returned last where it is the best so far."""
        node: Node = event.node
        child, (steps, best) = self.returned, self.best[node.index]
        if child is None or self.tree.parent(child) is not node:
            return  # a first value, before any child's
        improved = event.bv != self._now(node).bv
        if event.bv is None and (former := best[-1]):  # a run that shows no bv
            value, other = event.value, self._now(former).value
            improved = (
                value is not None
                and other is not None
                and (value > other if node.is_max else value < other)
            )
        # Where none improves on the first bv, the first child stays best
        if improved or best[-1] is None:
            steps.append(len(self.steps) - 1)
            best.append(child)

    def _cut(self, events: tuple[Event, ...]) -> Cut:
        node, step, first = self.calls[-1][0], len(self.steps) - 1, events[0]
        self._set(node, state="active")
        for event in events:
            for below in self.tree.below(event.node):
                self._set(below, state="skipped")
        kind = "beta" if node.is_max else "alpha"
        moved = (
            (call, moved_by[kind]) for call, moved_by in reversed(self.calls) if moved_by.get(kind)
        )
        witness, via = next(moved, (None, None))
        nearest = next(
            (call for call, _ in reversed(self.calls) if call.is_max != node.is_max), None
        )
        names = tuple(event.node.name for event in events)
        saved = sum(self.frontier[event.node.index] for event in events)
        by, through = witness.name if witness else None, via.name if via else None
        is_deep = witness is not None and witness is not nearest
        bounds = first.alpha, first.beta, first.bv
        self.cut_at[step] = Cut(kind, node.name, *bounds, names, by, through, is_deep, saved, step)
        return self.cut_at[step]

    def _prove(self, node: Node | None) -> None:
        """Carry what a leaf proves up the tree, as far as it changes anything."""
        while node is not None:
            choose = max if node.is_max else min
            low = choose(self._now(child).low for child in node.children)
            high = choose(self._now(child).high for child in node.children)
            if (low, high) == self._now(node)[-2:]:
                return
            self._set(node, low=low, high=high)
            node = self.tree.parent(node)


def _frontier(tree: Tree, depth: int | None) -> list[int]:
    """Return for each node how many leaves lie below it; a node at the depth limit counts as a
    leaf.
    """
    annotations = annotations_of(tree)
    level, leaves = [0] * len(tree), [1] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            level[child.index] = level[node.index] + 1
    for node in reversed(tree.nodes):
        if folded := annotations.folded(node):
            leaves[node.index] = folded.leaves
        elif node.children and level[node.index] != depth:
            leaves[node.index] = sum(leaves[child.index] for child in node.children)
    return leaves


def _latest(history: tuple[list[int], list[T]], step: int) -> T:
    steps, entries = history
    return entries[bisect_right(steps, step) - 1]
