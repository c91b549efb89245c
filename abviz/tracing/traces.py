"""The record of one search: its steps, its result, and how every node stood at each step."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import inf
from typing import Any, NamedTuple, Protocol, TypedDict, TypeVar, runtime_checkable

from abviz.errors import AbvizError, Number, as_json, brief, count, plain
from abviz.tracing.algorithms import Event, Rules, Search, alphabeta, minimax
from abviz.tree.annotations import annotations_of
from abviz.tree.levels import UNKNOWN, listing
from abviz.tree.model import Node, Tree

T = TypeVar("T")

# Options of a game's position, for its `to_tree`.
OF_GAME = ("hot", "weights")
# A student's own function: it may search a node twice, or not at all, and cut anywhere.
RECORDED = "recorded"


class SourceLines(Protocol):
    """The source of a student's functions, and what of it runs at each event."""

    @property
    def lines(self) -> list[str]: ...

    @property
    def running(self) -> list[int | None]: ...

    @property
    def calling(self) -> list[int | None]: ...

    def function(self, event: int) -> str: ...


class Options(TypedDict, total=False):
    """Further arguments of a search, and what is known of a recorded run."""

    # The arguments of alphabeta and minimax.
    alpha: Number
    beta: Number
    early_stop: bool

    # A recorded run: how the function was called, and what came of it.
    name: str
    window: tuple[Number, Number]
    takes_window: bool
    only_by_name: bool  # it takes α and β, but only by name, so it was called without them
    returned: Number | None  # None: no number
    more: bool  # it returned a pair or a list, such as a value and a move
    problem: str  # what ended it; "" where nothing did
    source: SourceLines

    # What the whole run shows.
    negamax: bool
    unsure_sign: bool  # no value shows whether it negates what children return, as a negamax does
    skips_nodes: bool  # there is no call for every node, so only the leaves are known
    nothing: str  # the first node for which it returned None

    # Beside the reference.
    remark: tuple[int, str]  # a step, and a sentence that is added there
    parting: int  # the step at which the run first differs


class ValuesRecord(TypedDict):
    low: Number | str | None
    high: Number | str | None


class TraceRecord(TypedDict):
    """A trace ready for JSON: infinities are the strings "inf" and "-inf"."""

    value: Number | str | None
    best: str | None
    line: list[str]
    leaves: list[str]
    leaf_values: list[Number | str | None]
    cuts: list[dict[str, object]]  # the fields of `Cut`
    nodes: dict[str, ValuesRecord]  # what is proven of each node at the end
    events: list[dict[str, object]]  # the fields of `Event`, with the name of the node


@dataclass(frozen=True, slots=True)
class Cut:
    """One cutoff: all the children that one node skipped at one moment."""

    kind: str  # "alpha" or "beta": by the bound that was hit, under every rule on names
    at: str  # the node that cut

    # Its α, β and bv at that moment.
    alpha: Number | None
    beta: Number | None
    bv: Number | None

    skipped: tuple[str, ...]  # its children never searched, in the order of the search

    # The ancestor at which the bound last strictly changed; None: it is still the search's first,
    # or a recorded run has handed it to the node, or to one above, in place of its own.
    witness: str | None
    via: str | None  # the child of the witness whose return set the bound; None: no child's did
    deep: bool  # the witness is not the nearest ancestor of the other kind

    saved: int  # leaves below the skipped children
    step: int


class Bound(NamedTuple):
    """What is proven of the root where the returned value is not inside the search's window."""

    kind: str  # "at most" or "at least"
    value: Number
    limit: Number  # the α or β of the search's window that the returned value has reached


class NodeState(NamedTuple):
    """How one node stands at one step."""

    # Waiting, active (the search is here), open (on the path to it), done or skipped.
    state: str = "waiting"
    alpha: Number | None = None
    beta: Number | None = None
    bv: Number | None = None
    value: Number | None = None  # what it returned, once it has

    # What is proven: low ≤ minimax value ≤ high.
    low: Number = -inf
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
    """One search of one tree.

    `len(trace)` counts its steps, `trace[k]` is the State after the k-th (0: before the search).
    """

    def __init__(
        self,
        tree: Tree,
        events: Iterable[Event],
        *,
        search: str,  # "alphabeta", "minimax" or RECORDED
        rules: Rules,
        depth: int | None = None,
        options: Options | None = None,
    ):
        self.tree = tree
        self.events: tuple[Event, ...] = tuple(events)

        # How it was searched
        self.search = search
        self.rules = rules
        self.depth = depth
        self.options: Options = options or {}

    @cached_property
    def _history(self) -> "_History":
        # Made when a step is first asked for: many traces are made for their value alone.
        if self.search != RECORDED:
            return _History(self.tree, self.events, self.depth)

        can_guess = not self.options.get("unsure_sign", False)
        return _RunHistory(self.tree, self.events, self.depth, can_guess=can_guess)

    def with_options(self, more: Options) -> "Trace":
        """Return the same trace with more options."""
        return Trace(
            self.tree,
            self.events,
            search=self.search,
            rules=self.rules,
            depth=self.depth,
            options=self.options | more,
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
        return self.options.get("problem", "")

    @cached_property
    def has_bounds(self) -> bool:
        """Whether nodes have α and β.

        Minimax has none, and a recorded function may have no variables for them.
        """
        return any(event.alpha is not None or event.beta is not None for event in self.events)

    @property
    def root_window(self) -> tuple[Number, Number]:
        """The window (α, β) that the search was given: (−∞, ∞) by default."""
        if self.search == RECORDED:
            return self.options.get("window", (-inf, inf))
        return self.options.get("alpha", -inf), self.options.get("beta", inf)

    def is_inside_window(self, value: Number | None) -> bool:
        """Return whether α < value < β in the window of the search; an infinite bound is open.

        Only then is what the root returns its own value. Otherwise it is a bound, and a move that
        returned it may be worth anything beyond: there is no best move, and no line.
        """
        return _is_inside(value, *self.root_window)

    @property
    def bound(self) -> Bound | None:
        """What is proven of the root where its value is a bound.

        None where the value is the root's own, and for a recorded run.
        """
        if self.search == RECORDED or self.is_inside_window(self.value):
            return None

        alpha, beta = self.root_window
        end = self.node_at(self.tree.root, len(self))
        if alpha > -inf and self.value is not None and self.value <= alpha:
            return Bound(kind="at most", value=end.high, limit=alpha)
        return Bound(kind="at least", value=end.low, limit=beta)

    @property
    def best(self) -> str | None:
        """The best child of the root, by name.

        None where the root is a leaf, where its value is only a bound, and where a recorded run
        returned what no child did.
        """
        return self.line[1] if len(self.line) > 1 else None

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation, from the root.

        It is empty where the root's value is only a bound, and where a recorded run returned what
        no child did.
        """
        is_run = self.search == RECORDED
        if not self.is_inside_window(self.value) or (is_run and self.value is None):
            return ()

        line = self.line_at(len(self))
        return line or (() if is_run else (self.tree.root.name,))  # a root at the depth limit

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
        return tuple(self._history.cut_at.values())

    # its steps

    def __len__(self) -> int:
        return len(self._history.steps) - 1

    def check_step(self, step: object) -> int:
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
        seen, skipped = self.leaves_at(step)

        return State(
            step=step,
            event=event,
            at=self.where(step).name,
            nodes=nodes,
            line=self.line_at(step),
            seen=seen,
            skipped=skipped,
        )

    def __iter__(self) -> Iterator[State]:
        return (self[step] for step in range(len(self) + 1))

    def events_at(self, step: int) -> tuple[Event, ...]:
        """Return the events of the step: one, or all cut events of one cutoff; none at step 0."""
        return self._history.steps[step]

    def where(self, step: int) -> Node:
        """Return the node at which the step happens; at a cutoff, the one that cuts."""
        return self._history.places[step]

    def node_at(self, node: Node, step: int) -> NodeState:
        """Return the node's state at the step, as its latest event left it."""
        return _latest(self._history.states[node.index], step)

    def last_visit(self, node: Node, step: int) -> NodeState:
        """Return how the node stood when something last happened at it.

        What is proven of it then, its children have handed up to it. A node at which nothing ever
        happens, as in a recorded run of which only the leaves are known, stands as it is.
        """
        return self.node_at(node, self.last_visit_step(node, step))

    def last_visit_step(self, node: Node, step: int) -> int:
        """Return when something last happened at the node; the step itself if nothing ever does."""
        visits = self._history.visits[node.index]
        return step if len(visits) == 1 else visits[bisect_right(visits, step) - 1]

    def line_at(self, step: int, start: str | None = None) -> tuple[str, ...]:
        """Return the best line so far, from the root.

        It is empty while no move, or none inside the window, has been found. From another node it
        is the way by which that node's value came up, be it a value or a bound. A recorded run may
        search a node again: the line goes on as it was when the value came up.
        """
        if start is None and not self.is_inside_window(self._root_value_at(step)):
            return ()

        node = self.tree.root if start is None else self.tree[start]
        line = [node.name]
        while best := _latest(self._history.best[node.index], step):
            node, step = best.node, best.step
            line.append(node.name)

        has_move = len(line) > 1 or self.tree[line[0]].is_leaf
        return tuple(line) if has_move else ()

    def _root_value_at(self, step: int) -> Number | None:
        """Return what the root has returned, or what its best move so far has."""
        root = self.tree.root
        state = self.node_at(root, step)
        if state.value is not None:
            return state.value
        if state.bv is not None:
            return state.bv

        # A recorded run that shows no bv.
        best = _latest(self._history.best[root.index], step)
        return best.value if best else None

    def leaves_at(self, step: int) -> tuple[int, int]:
        """Return the number of leaves read and the number cut off, up to the step."""
        return self._history.counts[step]

    def frontier(self, node: Node) -> int:
        """Return how many leaves minimax reads below the node.

        Nodes at the depth limit count as leaves.
        """
        return self._history.frontier[node.index]

    def cut_at(self, step: int) -> Cut | None:
        """Return the cut that is made at the step; None where there is none."""
        return self._history.cut_at.get(step)

    def source_of_bound(self, cut: Cut) -> tuple[str, ...]:
        """Return the way by which the bound of a cut came up: from its `via` down to a leaf.

        It is empty where no child's return set the bound.
        """
        setter = self._history.setters.get(cut.step)
        if setter is None:
            return ()
        name = setter.node.name
        return self.line_at(setter.step, start=name) or (name,)

    def reached(self, event: Event) -> bool:
        """Return whether the cutoff test holds: bv has reached the bound of the other player."""
        bound = event.beta if event.node.is_max else event.alpha
        if bound is None or event.bv is None:
            return False
        return self.rules.reaches(event.bv, bound, event.node.is_max)

    def function_at(self, step: int) -> str:
        """Return the name of the function that runs at a step of a recorded search."""
        name = self.options["name"]
        if step == 0:
            return name

        events_before = sum(map(len, self._history.steps[:step]))
        return self.options["source"].function(events_before) or name

    def window(self, node: Node) -> tuple[Number | None, Number | None]:
        """Return the (α, β) that the node received."""
        return self._history.windows[node.index]

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

    def to_dict(self) -> TraceRecord:
        """Return the whole record, ready for JSON."""
        nodes: dict[str, ValuesRecord] = {}
        for node in self.tree.nodes:
            state = self.node_at(node, len(self))
            nodes[node.name] = {"low": as_json(state.low), "high": as_json(state.high)}

        return {
            "value": as_json(self.value),
            "best": self.best,
            "line": list(self.line),
            "leaves": list(self.leaves),
            "leaf_values": [as_json(value) for value in self.leaf_values],
            "cuts": [_plain(asdict(cut)) for cut in self.cuts],
            "nodes": nodes,
            "events": [
                _plain(event._asdict() | {"node": event.node.name}) for event in self.events
            ],
        }

    def __repr__(self) -> str:
        said = annotations_of(self.tree).said
        value = said(self.value)
        if bound := self.bound:
            result = f"returned {value} ({bound.kind} {said(bound.value)})"
        elif self.is_inside_window(self.value):
            result = f"value {value}"
        else:
            result = f"returned {value}"

        steps = count(len(self), "step")
        cuts = count(len(self.cuts), "cut")
        return f"<Trace of {self.search}: {result}, {steps}, {cuts}>"

    def __str__(self) -> str:
        from abviz.tracing.narration import table

        return table(self)

    def _repr_svg_(self) -> str:
        from abviz.views.drawing import draw

        return draw(self)._repr_image_svg_xml()

    def _repr_html_(self) -> str | None:
        from abviz.views.drawing import draw

        return draw(self)._repr_html_()


@runtime_checkable
class LaidOutForSearch(Protocol):
    """A tree with the nodes that one search needs, such as a game's: another needs other nodes."""

    def to_search(
        self, search: Search, rules: Rules, depth: int | None, options: Mapping[str, object]
    ) -> Tree:
        """Return the tree for that search, no deeper than its depth."""
        ...


def _plain(record: dict[str, Any]) -> dict[str, object]:
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
    **options: object,
) -> Trace:
    """Return the trace of a search.

    The options are alphabeta's alpha and beta, or minimax's early_stop. With a window (α, β) the
    value is the root's own only if α < value < β. Otherwise it is a bound, and the trace has no
    best move and no line.

    A position of a game is searched `depth` moves deep, `trace(Checkers.start(), depth=3)`, with
    the options hot and weights of its `to_tree`.
    """
    if search not in (alphabeta, minimax):
        expected = "expected alphabeta or minimax; watch(function, tree) shows a search of your own"
        raise AbvizError(f"search is {brief(search)}; {expected}")

    of_game: dict[str, object] = {}
    if not isinstance(tree, Tree):
        of_game = {name: options.pop(name) for name in OF_GAME if name in options}
    _check_options(search, options)

    if not isinstance(tree, Tree):
        if isinstance(tree, type) or not hasattr(tree, "to_tree"):
            expected = (
                "expected a Tree: load(name), or Tree(nested lists); "
                "or a position: Checkers.start()"
            )
            raise AbvizError(f"asked to trace {brief(tree)}; {expected}")
        tree = tree.to_tree(depth, search=search, rules=rules, **options, **of_game)
    if isinstance(tree, LaidOutForSearch):
        tree = tree.to_search(search, rules, depth, options)
        depth = None

    events = search(tree, rules=rules, depth=depth, **options)
    return Trace(
        tree,
        events,
        search=search.__name__,
        rules=rules,
        depth=depth,
        options=_plain_options(search, options),
    )


def _check_options(search: Search, options: Iterable[str]) -> None:
    """Raise AbvizError for an option that the search does not have."""
    legal = ("alpha", "beta") if search is alphabeta else ("early_stop",)
    for option in options:
        if option not in legal:
            expected = f"expected {', '.join(legal)}, or rules=Rules(…)"
            raise AbvizError(f"{search.__name__} has no option {option}; {expected}")


def _plain_options(search: Search, options: dict[str, object]) -> Options:
    """Return the options with bounds that every form of a trace can write."""
    plain_options: Any = options
    if search is alphabeta:
        plain_options = {name: plain(bound) for name, bound in options.items()}
    kept: Options = plain_options
    return kept


# how the steps are made


class _Return(NamedTuple):
    """What a child has returned."""

    node: Node
    value: Number | None
    step: int


@dataclass(slots=True, eq=False)
class _Call:
    """A call under way. Each of its bounds is its own: α and β of a child are copies."""

    node: Node
    entered: int  # the step

    # The bounds, "alpha" and "beta", that are not as received, and the child's return that last
    # changed each; None where none did.
    changed_by: dict[str, _Return | None] = field(default_factory=dict)

    # Of a recorded run: whether bv was shown as a child's value was taken in; both, if it varies
    shows_bv: set[bool] = field(default_factory=set)


class _History:
    """One walk through the events, which notes everything that can be asked about the steps.

    `steps`, `places`, `counts` and `cut_at` are indexed by step. The others are indexed by the
    node's index in its tree; `states` and `best` hold, for each node, the steps at which something
    changed and what it became, and `visits` the steps that happen at it.
    """

    def __init__(self, tree: Tree, events: tuple[Event, ...], depth: int | None):
        self.tree = tree

        self.steps: list[tuple[Event, ...]] = [()]  # the events of each
        self.places: list[Node] = [tree.root]
        self.counts = [(0, 0)]  # leaves read, and leaves cut off
        self.cut_at: dict[int, Cut] = {}
        self.setters: dict[int, _Return] = {}  # for each cut, the return that set the bound

        self.frontier = _frontier(tree, depth)
        self.windows: list[tuple[Number | None, Number | None]] = [(None, None) for _ in tree.nodes]
        self.states: list[tuple[list[int], list[NodeState]]] = [
            ([0], [NodeState()]) for _ in tree.nodes
        ]
        self.visits: list[list[int]] = [[0] for _ in tree.nodes]
        self.best: list[tuple[list[int], list[_Return | None]]] = [
            ([0], [None]) for _ in tree.nodes
        ]

        self.calls: list[_Call] = []  # under way, the root's first
        self.returned: _Return | None = None  # the last

        for group in _grouped(events):
            self.steps.append(group)
            self._step(group)

    @property
    def now(self) -> int:
        """The step that is being made."""
        return len(self.steps) - 1

    def _now(self, node: Node) -> NodeState:
        return self.states[node.index][1][-1]

    def _set(self, node: Node, **changes: Any) -> None:
        """Change the state of the node at this step."""
        steps, states = self.states[node.index]
        state = states[-1]._replace(**changes)

        if steps[-1] == self.now:
            states[-1] = state
        else:
            steps.append(self.now)
            states.append(state)

    def _step(self, events: tuple[Event, ...]) -> None:
        event = events[0]
        node: Node = event.node
        seen, skipped = self.counts[-1]

        last = self.places[-1]
        if self._now(last).state == "active":
            is_done = self.returned is not None and self.returned.node is last
            self._set(last, state="done" if is_done else "open")

        match event.kind:
            case "enter":
                self._enter(event)
            case "leaf":
                self._read(event)
                seen += 1
            case "bv":
                self._choose(event)
                self._set(node, state="active", bv=event.bv)
            case "alpha" | "beta":
                self._move(event)
                self._set(node, state="active", alpha=event.alpha, beta=event.beta)
            case "exit":
                self._leave(event)
            case "cut":
                node = self.calls[-1].node
                cut = self._cut(node, events)
                self.cut_at[cut.step] = cut
                skipped += cut.saved

        self.places.append(node)
        self.visits[node.index].append(self.now)
        self.counts.append((seen, skipped))

    def _enter(self, event: Event) -> None:
        node: Node = event.node
        self.calls.append(_Call(node, entered=self.now))
        self.windows[node.index] = event.alpha, event.beta
        self._set(
            node,
            state="active",
            alpha=event.alpha,
            beta=event.beta,
            bv=event.bv,
            value=None,
        )

    def _read(self, event: Event) -> None:
        """Note that a leaf was read, and what that proves."""
        leaf: Node = event.node
        self.windows[leaf.index] = event.alpha, event.beta
        self._set(
            leaf,
            state="active" if self.calls else "done",  # a root that is a leaf: the search is over
            alpha=event.alpha,
            beta=event.beta,
            value=event.value,
        )

        # Not event.value: what a student's function returns proves nothing.
        if leaf.value is not None:
            self._set(leaf, low=leaf.value, high=leaf.value)
        self.returned = _Return(leaf, event.value, self.now)
        self._prove(self.tree.parent(leaf))

    def _prove(self, node: Node | None) -> None:
        """Carry what a leaf proves up the tree, as far as it changes anything."""
        while node is not None:
            choose = max if node.is_max else min
            low = choose(self._now(child).low for child in node.children)
            high = choose(self._now(child).high for child in node.children)
            before = self._now(node)
            if (low, high) == (before.low, before.high):
                return

            self._set(node, low=low, high=high)
            node = self.tree.parent(node)

    def _leave(self, event: Event) -> None:
        self.calls.pop()
        self.returned = _Return(event.node, event.value, self.now)
        self._set(event.node, state="done", value=event.value)

    def _return_of_child(self, node: Node) -> _Return | None:
        """Return what was returned last, where a child of the node did."""
        last = self.returned
        return last if last is not None and self.tree.parent(last.node) is node else None

    def _best(self, node: Node) -> _Return | None:
        return self.best[node.index][1][-1]

    def _set_best(self, node: Node, best: _Return | None) -> None:
        steps, entries = self.best[node.index]
        if best is not entries[-1]:
            steps.append(self.now)
            entries.append(best)

    def _choose(self, event: Event) -> None:
        """Note the child that returned last where it is the best so far."""
        node: Node = event.node
        # Where none improves on the first bv, the first child stays best.
        if self._best(node) is None or event.bv != self._now(node).bv:
            self._set_best(node, self._return_of_child(node))

    def _move(self, event: Event) -> None:
        """Note what has moved a bound of the node."""
        call = self.calls[-1]
        kind = event.kind
        alpha, beta = self.windows[call.node.index]
        received = alpha if kind == "alpha" else beta

        if getattr(event, kind) == received:  # a recorded run may restore it
            call.changed_by.pop(kind, None)
        else:
            call.changed_by[kind] = self._setter(event)

    def _setter(self, event: Event) -> _Return | None:
        """Return the child's return that has moved the bound at the event."""
        return self._return_of_child(event.node)

    def _cut(self, node: Node, events: tuple[Event, ...]) -> Cut:
        """Mark what the node skips, and return the cut with the reason for it."""
        self._set(node, state="active")
        for event in events:
            for below in self.tree.below(event.node):
                self._set(below, state="skipped")

        kind = "beta" if node.is_max else "alpha"
        first = events[0]
        witness, setter = self._witness(kind, first)
        nearest = self._nearest_of_other_kind(node)
        if setter:
            self.setters[self.now] = setter

        return Cut(
            kind=kind,
            at=node.name,
            alpha=first.alpha,
            beta=first.beta,
            bv=first.bv,
            skipped=tuple(event.node.name for event in events),
            witness=witness.name if witness else None,
            via=setter.node.name if setter else None,
            deep=witness is not None and witness is not nearest,
            saved=sum(self.frontier[event.node.index] for event in events),
            step=self.now,
        )

    def _witness(self, kind: str, cut: Event) -> tuple[Node | None, _Return | None]:
        """Return the innermost call above at which the bound changed, and the return that set it.

        A recorded run may move a bound of the node itself, and may hand a child another window than
        its own: above that call, nothing is a reason for the cut.
        """
        bound = getattr(cut, kind)
        if bound is None or not self._is_hit(cut) or kind in self.calls[-1].changed_by:
            return None, None

        for call in reversed(self.calls):
            if getattr(self._now(call.node), kind) != bound:
                break
            if kind in call.changed_by:
                return call.node, call.changed_by[kind]
        return None, None

    def _is_hit(self, cut: Event) -> bool:
        """Return whether a bound is the reason for the cut."""
        return True

    def _nearest_of_other_kind(self, node: Node) -> Node | None:
        for call in reversed(self.calls):
            if call.node.is_max != node.is_max:
                return call.node
        return None


class _RunHistory(_History):
    """The walk through a recorded run, which may take any value, and may show no bv.

    A child is best only while the node holds the value that this child returned. Where no bv is
    shown, the child that is best for the player stands for it; what the node returns in the end
    tells whether it did. Where bv is shown at times, nothing is known.
    """

    def __init__(
        self, tree: Tree, events: tuple[Event, ...], depth: int | None, *, can_guess: bool
    ):
        # Where no bv is shown; not where it may negate what children return, or forget to.
        self.can_guess = can_guess
        super().__init__(tree, events, depth)

        for call in self.calls:  # an error, or the limit of time, has ended the run
            if False in call.shows_bv:
                self._doubt(call)

    def _enter(self, event: Event) -> None:
        super()._enter(event)
        self._set_best(event.node, None)  # a node that is searched again begins anew

    def _choose(self, event: Event) -> None:
        node: Node = event.node
        call = self.calls[-1]
        child = self._return_of_child(node)
        best = self._best(node)

        is_first = not call.shows_bv
        if child or best:
            call.shows_bv.add(event.bv is not None)
        if len(call.shows_bv) > 1:
            self._doubt(call)
        elif event.bv is None:
            if child and self.can_guess and self._is_better(node, child, best):
                self._set_best(node, child)
        else:
            if child and (is_first or event.bv != self._now(node).bv):
                best = child
            self._set_best(node, best if self._is_held(node, best, event.bv) else None)

    def _is_better(self, node: Node, child: _Return, best: _Return | None) -> bool:
        """Return whether a child's value is better for the node's player than the best so far."""
        if child.value is None or best is None or best.value is None:
            return child.value is not None
        return child.value > best.value if node.is_max else child.value < best.value

    def _is_held(self, node: Node, best: _Return | None, value: Number | None) -> bool:
        """Return whether the value that the node holds is that of its best child.

        At the root it is no bound either: a run may search the root in windows of its own.
        """
        if best is None or value is None or best.value != value:
            return False
        if node is not self.tree.root:
            return True

        alpha, beta = self.windows[node.index]
        return _is_inside(value, -inf if alpha is None else alpha, inf if beta is None else beta)

    def _leave(self, event: Event) -> None:
        node: Node = event.node
        call = self.calls[-1]
        if not self._is_held(node, self._best(node), event.value):
            self._doubt(call)
        super()._leave(event)

    def _doubt(self, call: _Call) -> None:
        """Let no child be best from now on; where bv was not shown, none has been in this call."""
        steps, best = self.best[call.node.index]
        if False in call.shows_bv:
            kept = bisect_right(steps, call.entered)
            del steps[kept:], best[kept:]
        self._set_best(call.node, None)

    def _setter(self, event: Event) -> _Return | None:
        child = super()._setter(event)
        return child if child and child.value == getattr(event, event.kind) else None

    def _is_hit(self, cut: Event) -> bool:
        """Return whether the window was empty, or bv or the latest value outside it."""
        alpha, beta = cut.alpha, cut.beta
        if alpha is not None and beta is not None and alpha >= beta:
            return True

        node = self.calls[-1].node
        child = self._return_of_child(node)
        for value in (cut.bv, child.value if child else None):
            if value is None:
                continue
            if node.is_max and beta is not None and value >= beta:
                return True
            if not node.is_max and alpha is not None and value <= alpha:
                return True
        return False


def _grouped(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield the events of each step: one alone, or all the cut events of one cutoff together."""
    cuts: list[Event] = []
    for event in events:
        if event.kind == "cut":
            cuts.append(event)
            continue

        if cuts:
            yield tuple(cuts)
            cuts = []
        yield (event,)
    if cuts:
        yield tuple(cuts)


def _frontier(tree: Tree, depth: int | None) -> list[int]:
    """Return for each node how many leaves lie below it.

    A node at the depth limit counts as a leaf.
    """
    level = [0 for _ in tree.nodes]
    for node in tree.nodes:
        for child in node.children:
            level[child.index] = level[node.index] + 1

    annotations = annotations_of(tree)
    leaves = [1 for _ in tree.nodes]
    for node in reversed(tree.nodes):
        if folded := annotations.folded(node):
            leaves[node.index] = folded.leaves
        elif node.children and level[node.index] != depth:
            leaves[node.index] = sum(leaves[child.index] for child in node.children)
    return leaves


def _is_inside(value: Number | None, alpha: Number, beta: Number) -> bool:
    is_above = alpha == -inf or (value is not None and value > alpha)
    is_below = beta == inf or (value is not None and value < beta)
    return is_above and is_below


def _latest(history: tuple[list[int], list[T]], step: int) -> T:
    steps, entries = history
    return entries[bisect_right(steps, step) - 1]
