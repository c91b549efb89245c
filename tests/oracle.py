"""Second opinions, slow and plain: each answers one question from scratch and shares no code with
what it judges.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from abviz import Rules, Tree
from abviz.tracing.algorithms import Event
from abviz.tracing.traces import Trace
from abviz.tree.model import Node


def minimax_value(node: Node, depth: float = inf) -> float:
    """Return the minimax value of the node, by the definition."""
    if node.is_leaf or depth == 0:
        return node.value
    values = [minimax_value(child, depth - 1) for child in node.children]
    return max(values) if node.is_max else min(values)


def levels(tree: Tree) -> dict[str, int]:
    """Return the distance of each node from the root, in moves."""
    result = {}

    def walk(node: Node, level: int) -> None:
        result[node.name] = level
        for child in node.children:
            walk(child, level + 1)

    walk(tree.root, 0)
    return result


def searched_leaves(node: Node, depth: float = inf) -> list[Node]:
    """Return the nodes where a full search would end, left to right."""
    if node.is_leaf or depth == 0:
        return [node]
    return [leaf for child in node.children for leaf in searched_leaves(child, depth - 1)]


@dataclass
class Log:
    """What a search did: rows of (kind, node name, α, β, bv, value)."""

    rows: list[tuple] = field(default_factory=list)
    value: float | None = None

    def __call__(self, *row) -> None:
        self.rows.append(row)


def alphabeta_log(
    tree: Tree, rules: Rules, depth: float | None = None, alpha=-inf, beta=inf
) -> Log:
    """Alpha-beta from the mover's side: `floor` is what the mover has, `roof` what the opponent
    will allow.
    """
    log = Log()

    def search(node, alpha, beta, left):
        if node.is_leaf or left == 0:
            log("leaf", node.name, alpha, beta, None, node.value)
            return node.value
        sign = 1 if node.is_max else -1
        floor, roof = sorted((sign * alpha, sign * beta))
        low, high = floor, roof
        best = -inf

        def note(kind, name=node.name, value=None):
            bounds = (floor, roof) if sign > 0 else (-roof, -floor)
            log(kind, name, *bounds, sign * best, value)

        note("enter")
        todo = list(node.children)
        if rules.right_to_left:
            todo.reverse()
        while todo:
            child = todo.pop(0)
            bounds = (floor, roof) if sign > 0 else (-roof, -floor)
            value = search(child, *bounds, left - 1)
            if sign * value > best:
                best = sign * value
            note("bv", value=value)
            over = best > roof or (best == roof and not rules.strict)
            if best > floor and not (rules.test_first and over):
                floor = best
                note("alpha" if sign > 0 else "beta")
            if over:
                for child in todo:
                    note("cut", child.name)
                todo = []
        returned = best
        if rules.fail_hard:
            returned = high if best > high else low if best < low else best
        note("exit", value=sign * returned)
        return sign * returned

    log.value = search(tree.root, alpha, beta, inf if depth is None else depth)
    return log


def minimax_log(tree: Tree, rules: Rules, depth: float | None = None, early_stop=False) -> Log:
    log = Log()

    def search(node, left):
        if node.is_leaf or left == 0:
            log("leaf", node.name, None, None, None, node.value)
            return node.value
        best, win = (-inf, inf) if node.is_max else (inf, -inf)
        log("enter", node.name, None, None, best, None)
        todo = list(node.children)
        if rules.right_to_left:
            todo.reverse()
        while todo:
            value = search(todo.pop(0), left - 1)
            if value > best if node.is_max else value < best:
                best = value
            log("bv", node.name, None, None, best, value)
            if early_stop and best == win:
                for child in todo:
                    log("cut", child.name, None, None, best, None)
                todo = []
        log("exit", node.name, None, None, best, best)
        return best

    log.value = search(tree.root, inf if depth is None else depth)
    return log


# Questions about a trace, answered from its events alone.


def groups(events: tuple[Event, ...]) -> list[list[Event]]:
    """The events of each step: neighbouring cuts of children of one node belong together."""
    steps: list[list[Event]] = []
    for event in events:
        if event.kind == "cut" and steps and steps[-1][0].kind == "cut":
            steps[-1].append(event)
        else:
            steps.append([event])
    return steps


@dataclass
class Standing:
    state: str = "waiting"
    alpha: float | None = None
    beta: float | None = None
    bv: float | None = None
    value: float | None = None
    low: float = -inf
    high: float = inf


def replay(trace: Trace, step: int) -> dict[str, Standing]:
    """How every node stands after the step, by doing all the events up to it, one by one."""
    tree = trace.tree
    nodes = {node.name: Standing() for node in tree.nodes}
    calls: list[str] = []
    leaf_before = None
    for events in groups(trace.events)[:step]:
        for event in events:
            name = event.node.name
            if leaf_before:
                nodes[leaf_before].state = "done"
                leaf_before = None
            if event.kind == "cut":
                for node in [event.node, *descendants(event.node)]:
                    nodes[node.name].state = "skipped"
                continue
            at = nodes[name]
            at.alpha, at.beta = event.alpha, event.beta
            if event.kind == "leaf":
                at.state, at.value, leaf_before = "active", event.value, name
                continue
            at.bv = event.bv
            if event.kind == "enter":
                calls.append(name)
            if event.kind == "exit":
                calls.pop()
                at.state, at.value = "done", event.value
    for name in calls:
        nodes[name].state = "open"
    happened = groups(trace.events)[step - 1][0] if step else None
    if calls and happened and happened.kind not in ("leaf", "exit"):
        nodes[calls[-1]].state = "active"
    if not calls and leaf_before:
        nodes[leaf_before].state = "done"
    for name, (low, high) in proven(trace, step).items():
        nodes[name].low, nodes[name].high = low, high
    return nodes


def descendants(node: Node) -> list[Node]:
    return [below for child in node.children for below in (child, *descendants(child))]


def events_to(trace: Trace, step: int) -> list[Event]:
    return [event for events in groups(trace.events)[:step] for event in events]


def proven(trace: Trace, step: int) -> dict[str, tuple[float, float]]:
    """What is proven of every node by the leaves read up to the step."""
    return _intervals(trace, step, lambda node, child: True)


def come_up(trace: Trace, step: int) -> dict[str, tuple[float, float]]:
    """What is proven of every node by what has been handed up to it."""
    handed = handed_up(trace, step)
    returned = {name: {child for child, _ in children} for name, children in handed.items()}
    return _intervals(trace, step, lambda node, child: child.name in returned[node.name])


def _intervals(
    trace: Trace, step: int, counts: Callable[[Node, Node], bool]
) -> dict[str, tuple[float, float]]:
    """What is proven of every node, where only some of a node's children count for it."""
    read = {
        event.node.name: event.value for event in events_to(trace, step) if event.kind == "leaf"
    }
    intervals = {}

    def walk(node: Node) -> tuple[float, float]:
        below = [
            interval if counts(node, child) else (-inf, inf)
            for child, interval in [(child, walk(child)) for child in node.children]
        ]
        if node.name in read:
            interval = read[node.name], read[node.name]
        elif not below:
            interval = -inf, inf
        else:
            choose = max if node.is_max else min
            interval = choose(low for low, _ in below), choose(high for _, high in below)
        intervals[node.name] = interval
        return interval

    walk(trace.tree.root)
    return intervals


def handed_up(trace: Trace, step: int) -> dict[str, list[tuple[str, float]]]:
    """What each node's children have handed it so far, in order."""
    handed: dict[str, list[tuple[str, float]]] = {node.name: [] for node in trace.tree.nodes}
    last = None
    for event in events_to(trace, step):
        if event.kind in ("leaf", "exit"):
            last = event.node.name
        if event.kind == "bv":
            handed[event.node.name].append((last, event.value))
    return handed


def is_exact(trace: Trace, value: float) -> bool:
    """Return whether the value of the root is no bound: strictly inside the search's window."""
    low, high = trace.options.get("alpha", -inf), trace.options.get("beta", inf)
    return (low == -inf or low < value) and (high == inf or value < high)


def narrowed(trace: Trace) -> bool:
    return (trace.options.get("alpha", -inf), trace.options.get("beta", inf)) != (-inf, inf)


def line(trace: Trace, step: int) -> tuple[str, ...]:
    """Down the children whose value was best; of equals the one searched first. None of a bound."""
    handed = handed_up(trace, step)
    path = [trace.tree.root]
    if path[0].is_leaf:
        return (
            (path[0].name,)
            if is_exact(trace, path[0].value) and (step or not narrowed(trace))
            else ()
        )
    if handed[path[0].name]:
        best = (max if path[0].is_max else min)(value for _, value in handed[path[0].name])
        if not is_exact(trace, best):
            return ()
    while handed[path[-1].name]:
        choose = max if path[-1].is_max else min
        best, _ = choose(handed[path[-1].name], key=lambda child: child[1])
        path.append(trace.tree[best])
    return tuple(node.name for node in path) if len(path) > 1 else ()


def ancestors(tree: Tree, name: str) -> list[Node]:
    """Return the nodes above, the parent first."""
    for node in tree.nodes:
        if any(child.name == name for child in node.children):
            return [node, *ancestors(tree, node.name)]
    return []


def witness(trace: Trace, step: int) -> tuple[str | None, str | None, bool]:
    """Of the cut at the step: where its bound last moved, which child's return moved it, and
    whether that is deep.
    """
    first = groups(trace.events)[step - 1][0]
    cutter, *above = ancestors(trace.tree, first.node.name)
    names = [node.name for node in above]
    bound = "beta" if cutter.is_max else "alpha"
    stood: dict[str, float] = {}
    at = via = last = None
    for event in events_to(trace, step - 1):
        name = event.node.name
        if event.kind in ("leaf", "exit"):
            last = name
        if event.kind == "cut" or name not in names:
            continue
        now = getattr(event, bound)
        if name in stood and stood[name] != now:
            at, via = name, last
        stood[name] = now
    nearest = next((node.name for node in above if node.is_max != cutter.is_max), None)
    return at, via, at is not None and at != nearest
