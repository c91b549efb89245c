"""The record of one search: what it found, which steps it took, and how every node stood at each of them."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from operator import index
from typing import Any, SupportsIndex, TypeVar

from abviz.errors import AbvizError, Number, as_json, brief, count, number, plain
from abviz.tracing.algorithms import Event, Rules, alphabeta, minimax
from abviz.tracing.history import Cut, History, NodeState
from abviz.tree.model import Node, Tree

__all__ = ["Cut", "NodeState", "State", "Trace", "trace"]

T = TypeVar("T")
OF_GAME = ("hot", "weights")  # what a game's position can be told besides
RECORDED = "recorded"  # somebody's own function: it may search a node twice, or not at all, and cut where it should not


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
        search: str,  # "alphabeta", "minimax", or RECORDED
        rules: Rules,
        depth: int | None = None,
        options: dict[str, Any] | None = None,  # what else the search was told
    ):
        self.tree, self.search, self.rules, self.depth, self.options = tree, search, rules, depth, options or {}
        self.events: tuple[Event, ...] = tuple(events)
        self._history: History | None = None

    @property
    def _read(self) -> History:
        if self._history is None:  # only now: recording is quick, and not everybody looks at the steps
            self._history = History(self.tree, self.events, self.depth)
        return self._history

    def with_options(self, **told: Any) -> "Trace":
        return Trace(
            self.tree, self.events, search=self.search, rules=self.rules, depth=self.depth, options=self.options | told
        )

    # what the search found

    @property
    def value(self) -> Number | None:
        """What the search returned; None where a recorded function returned no number."""
        if self.problem or not self.events:
            return self.options.get("returned")
        return self.events[-1].value

    @property
    def problem(self) -> str:
        """What went wrong in a recorded function; "" if nothing did."""
        return str(self.options.get("problem", ""))

    @property
    def best(self) -> str | None:
        """The root's best move, the name of a child; None where the root is a leaf."""
        return self.line[1] if len(self.line) > 1 else None

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation, from the root."""
        return self.line_at(len(self)) or (self.tree.root.name,)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The leaves read, in order (and the nodes at a depth limit)."""
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
        """The events of one step: one, or all the cut events of one cutoff; none at step 0."""
        if step == 0:
            return ()
        steps = self._read.steps
        end = steps[step] if step < len(steps) else len(self.events)
        return self.events[steps[step - 1] : end]

    def first_event(self, step: int) -> int:
        """The place in `events` of the first one of a step, from step 1 on."""
        return self._read.steps[step - 1]

    def where(self, step: int) -> Node:
        """The node at which the step happens; at a cutoff the one that cuts."""
        return self._read.places[step]

    def node_at(self, node: Node, step: int) -> NodeState:
        """How the node stands at the step: as its latest event up to then left it."""
        return _latest(self._read.states[node.index], step)

    def changes(self) -> Iterator[tuple[Node, int, NodeState]]:
        """Every change of every node, from step 0 on."""
        for node, (steps, states) in zip(self.tree.nodes, self._read.states, strict=True):
            for step, state in zip(steps, states, strict=True):
                yield node, step, state

    def line_at(self, step: int, start: str | None = None) -> tuple[str, ...]:
        """The best line so far, from the root or another node on; empty until a first move there has been searched."""
        line: list[str] = []
        node: Node | None = self.tree.root if start is None else self.tree[start]
        while node is not None:
            line.append(node.name)
            node = _latest(self._read.best[node.index], step)
        return tuple(line) if len(line) > 1 or self.tree[line[0]].is_leaf else ()

    def leaves_at(self, step: int) -> tuple[int, int]:
        """How many leaves have been read and how many cut off, up to the step."""
        return self._read.counts[step]

    def frontier(self, node: Node) -> int:
        """How many leaves minimax would read below the node (nodes at the depth limit are read like leaves)."""
        return self._read.frontier[node.index]

    def cut_at(self, step: int) -> Cut | None:
        """The cut that is made at this very step."""
        return self._read.cut_at.get(step)

    def reached(self, event: Event) -> bool:
        """Whether the cutoff test holds at the event: bv has reached the bound of the other player."""
        bound = event.beta if event.node.is_max else event.alpha
        return bound is not None and event.bv is not None and self.rules.reaches(event.bv, bound, event.node.is_max)

    def window(self, node: Node) -> tuple[Number | None, Number | None]:
        """The (α, β) that the node received."""
        return self._read.windows[node.index]

    # for machines and people

    def to_dict(self) -> dict[str, Any]:
        """The whole record, ready for JSON: infinities are the strings "inf" and "-inf"."""
        end = len(self)
        proven = {node.name: self.node_at(node, end) for node in self.tree.nodes}
        return {
            "value": as_json(self.value),
            "best": self.best,
            "line": list(self.line),
            "leaves": list(self.leaves),
            "leaf_values": [as_json(value) for value in self.leaf_values],
            "cuts": [_plain(cut) for cut in self.cuts],
            "nodes": {name: {"low": as_json(n.low), "high": as_json(n.high)} for name, n in proven.items()},
            "events": [
                {field: as_json(getattr(event, field)) for field in event._fields} | {"node": event.node.name}
                for event in self.events
            ],
        }

    def __repr__(self) -> str:
        steps, cuts = count(len(self), "step"), count(len(self.cuts), "cut")
        return f"<Trace of {self.search}: value {number(self.value)}, {steps}, {cuts}>"

    def __str__(self) -> str:
        from abviz.tracing.narration import table

        return table(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from abviz.views.drawing import mimebundle

        return mimebundle(self)


def trace(
    tree: Any,
    *,
    search: Callable[..., Iterator[Event]] = alphabeta,
    rules: Rules = Rules(),
    depth: int | None = None,
    **options: Any,
) -> Trace:
    """Search the tree and keep the record; `options` are alphabeta's alpha and beta, or minimax's early_stop.

    A position of a game is searched `depth` moves deep: trace(Checkers.start(), depth=3). It has the options of
    `abviz.games.trees.game_tree` as well: hot and weights.
    """
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    if search is not alphabeta and search is not minimax:
        name = getattr(search, "__name__", "search")
        own = f"; watch({name}, tree) shows one of your own" if callable(search) else ""
        raise AbvizError(f"search is {brief(search)}; expected alphabeta or minimax{own}")
    legal = ("alpha", "beta") if search is alphabeta else ("early_stop",)
    of_game = {} if isinstance(tree, Tree) else {name: options.pop(name) for name in OF_GAME if name in options}
    switches = [rule.name for rule in fields(Rules)]
    for option, value in options.items():
        if option in switches:
            raise AbvizError(f"{option} is one of the rules; expected rules=Rules({option}={brief(value)})")
        if option not in legal:
            raise AbvizError(f"{search.__name__} has no option {option}; expected {', '.join(legal)}")
    if not isinstance(tree, Tree):
        tree = _of_position(tree, depth, search=search, rules=rules, **options, **of_game)
    tree, depth = tree.to_search(search, rules, depth, options)
    events = search(tree, rules=rules, depth=depth, **options)
    told = {option: plain(value) if search is alphabeta else value for option, value in options.items()}
    return Trace(tree, events, search=search.__name__, rules=rules, depth=depth, options=told)


def _of_position(position: Any, depth: Any, **told: Any) -> Tree:
    from abviz.games.rules import is_game
    from abviz.games.trees import game_tree

    if is_game(type(position)):
        return game_tree(position, depth, **told)
    expected = "expected a Tree: load(name), or Tree(nested lists); or a position: Checkers.start()"
    raise AbvizError(f"asked to trace {brief(position)}; {expected}")


def _latest(history: tuple[list[int], list[T]], step: int) -> T:
    steps, what = history
    return what[bisect_right(steps, step) - 1]


def _plain(cut: Cut) -> dict[str, Any]:
    record = {field: getattr(cut, field) for field in cut.__dataclass_fields__}
    bounds = {field: as_json(record[field]) for field in ("alpha", "beta", "bv")}
    return record | bounds | {"skipped": list(cut.skipped)}
