"""A search in words: one sentence for every step, the steps as a table, a tree level by level."""

from collections.abc import Mapping, Sequence
from math import inf

from abviz.errors import Number, columns, count, ljust, number, quoted, visible
from abviz.tracing.algorithms import Event
from abviz.tracing.traces import RECORDED, Cut, NodeState, Trace
from abviz.tree.model import Node, Tree


def sentence(trace: Trace, step: int) -> str:
    """What changed at the step, and why, with the numbers; and what a recorded run is to be told there besides."""
    told = _sentence(trace, trace.check_step(step))
    at, remark = trace.options.get("remark", (None, ""))
    return f"{told} {remark}" if at == step else told


def _sentence(trace: Trace, step: int) -> str:
    events = trace.events_at(step)
    if not events:
        return _before(trace)
    cut = trace.cut_at(step)
    if cut is not None:
        return _cut(trace, cut) if trace.search != RECORDED else _left(cut)
    if trace.search == RECORDED:
        told = _recorded(trace, step, events[0])
        return f"{told[:-1]}; {trace.problem}." if trace.problem and step == len(trace) else told
    says = {"enter": _enter, "leaf": _leaf, "bv": _bv, "alpha": _bound, "beta": _bound, "exit": _exit}
    return says[events[0].kind](trace, step, events[0])


def player(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def proven(node: NodeState) -> str:
    """What is proven of a node's value: "= 3", "≥ 3", "≤ 3", "3 … 5", or nothing yet."""
    if node.low == node.high:
        return f"= {number(node.low)}"
    if node.low == -inf:
        return "" if node.high == inf else f"≤ {number(node.high)}"
    return f"≥ {number(node.low)}" if node.high == inf else f"{number(node.low)} … {number(node.high)}"


def cut_name(trace: Trace, kind: str) -> str:
    """The Greek letter that people read on a cut, by the rule on names."""
    by_bound = kind == "alpha"
    return "α" if by_bound != trace.rules.name_by_node else "β"


def _before(trace: Trace) -> str:
    root = trace.tree.root
    leaves = count(trace.frontier(root), "leaf", "leaves")
    down = "" if trace.depth is None else f", down to depth {trace.depth},"
    return f"Before the search: {player(root)} is to move at {quoted(root.name)}, and the tree{down} has {leaves}."


def _enter(trace: Trace, step: int, event: Event) -> str:
    name = f"{player(event.node)} node {quoted(event.node.name)}"
    worst = f"bv starts at {number(event.bv)}, the worst that {player(event.node)} could get"
    if event.alpha is None:
        return f"The search enters {name}; {worst}."
    window = f"α = {number(event.alpha)}, β = {number(event.beta)}"
    parent = trace.tree.parent(event.node)
    if parent is None:
        return f"The search enters {name} with the window {window}; {worst}."
    return f"The search enters {name}, which gets {quoted(parent.name)}’s window as its own copy, {window}; {worst}."


def _leaf(trace: Trace, step: int, event: Event) -> str:
    name = quoted(event.node.name)
    if ending := trace.tree.ending(event.node):
        return f"Leaf {name} is read: the game is over, {ending}, and it is worth {number(event.value)}."
    if event.node.is_leaf:
        return f"Leaf {name} is read: it is worth {number(event.value)}."
    return f"{name} lies at the depth limit: its static value {number(event.value)} stands for all that is below it."


def _bv(trace: Trace, step: int, event: Event) -> str:
    node, child = event.node, trace.where(step - 1)
    before = trace.node_at(node, step - 1).bv
    handed = f"{quoted(child.name)} hands up {number(event.value)}{_bound_only(trace, child, step, event.value)}"
    better = "higher" if node.is_max else "lower"
    now = f"bv of {quoted(node.name)}"
    if event.bv == before:
        return f"{handed}: not {better} than {number(before)}, so the {now} stays {number(before)}."
    return f"{handed}: {better} than {number(before)}, so the {now} becomes {number(event.bv)}."


def _bound_only(trace: Trace, child: Node, step: int, value: Number | None) -> str:
    """A returned value that is not the child's own: say what is proven instead."""
    state = trace.node_at(child, step)
    if state.low == state.high == value:
        return ""
    return f" (a bound: {_known(state)})"


def _known(state: NodeState) -> str:
    known = proven(state).removeprefix("= ")
    return f"its value is {known}" if known else "nothing is proven of its value"


def _bound(trace: Trace, step: int, event: Event) -> str:
    is_alpha = event.kind == "alpha"
    letter, moves, side = ("α", "rises", "above") if is_alpha else ("β", "falls", "below")
    before = trace.node_at(event.node, step - 1)
    old = before.alpha if is_alpha else before.beta
    new = event.alpha if is_alpha else event.beta
    assured = f"{player(event.node)} is now assured of at {'least' if is_alpha else 'most'} {number(new)} here"
    return (
        f"bv = {number(event.bv)} is {side} {letter} = {number(old)}, so {letter} of {quoted(event.node.name)} "
        f"{moves} to {number(new)}: {assured}."
    )


def _cut(trace: Trace, cut: Cut) -> str:
    node = trace.tree[cut.at]
    letter, bound = ("β", cut.beta) if node.is_max else ("α", cut.alpha)
    skipped = ", ".join(_labels(trace, cut.skipped[:6]))
    if len(cut.skipped) > 6:
        skipped += f" and {len(cut.skipped) - 6} more"
    rest = f"{skipped} {'is' if len(cut.skipped) == 1 else 'are'} skipped, {count(cut.saved, 'leaf', 'leaves')} saved"
    at = quoted(cut.at)
    if bound is None:  # minimax's early stop
        return f"bv of {at} is {number(cut.bv)}, and nothing can be better for {player(node)}: {rest}."
    name = f"{'Deep ' if cut.deep else ''}{cut_name(trace, cut.kind)}-cut at {at}"
    test = _test(trace, node, cut)
    if cut.witness is None or cut.via is None:
        why = (
            f"{letter} is still the search’s first bound, which nothing can pass"
            if abs(bound) == inf
            else (f"{letter} is the bound that the search was given")
        )
        return f"{name}: {test}; {why}; {rest}."
    holder = player(trace.tree[cut.witness])
    here = f"{number(cut.bv)} or {'more' if node.is_max else 'less'}"
    why = f"{holder} already has {number(bound)} at {quoted(cut.witness)}, from {quoted(cut.via)}"
    return f"{name}: {test}; {why}, and has no reason to come here for {here}; {rest}."


def _exit(trace: Trace, step: int, event: Event) -> str:
    node = event.node
    says = f"{quoted(node.name)} returns {number(event.value)}"
    if event.value != event.bv:
        window = " to ".join(map(number, trace.window(node)))
        says += f", not bv = {number(event.bv)}: fail-hard keeps to the window it was given, {window}"
    else:
        says += _bound_only(trace, node, step, event.value)
    says += _no_cut(trace, step, event)
    parent = trace.tree.parent(node)
    if parent is None:
        read = f"{trace.leaves_at(step)[0]:,} of {count(trace.frontier(node), 'leaf', 'leaves')}"
        line = f"; the line is {_path(trace, trace.line_at(step))}" if _exact(trace) else ""
        return f"{says}, and the search ends after {read}{line}."
    if event.alpha is None:
        return f"{says}."
    above = trace.node_at(parent, step)
    own = f"α = {number(above.alpha)}, β = {number(above.beta)}"
    return f"{says}; back at {quoted(parent.name)}, α and β are its own again: {own}."


def _no_cut(trace: Trace, step: int, event: Event) -> str:
    """The cutoff test can hold after the last child: nothing is left to skip, and so it is no cut."""
    if not trace.reached(event) or any(trace.node_at(child, step).state == "skipped" for child in event.node.children):
        return ""
    return f"; {_test(trace, event.node, event)} came with the last child, which leaves nothing to cut"


def _test(trace: Trace, node: Node, at: Event | Cut) -> str:
    """The cutoff test at the node, in numbers: "bv = 7 ≥ β = 5"."""
    if node.is_max:
        return f"bv = {number(at.bv)} {'>' if trace.rules.strict else '≥'} β = {number(at.beta)}"
    return f"bv = {number(at.bv)} {'<' if trace.rules.strict else '≤'} α = {number(at.alpha)}"


def _exact(trace: Trace) -> bool:
    """Whether the search found the value of the root; with a window of its own it may have found a bound only."""
    root = trace.node_at(trace.tree.root, len(trace))
    return root.low == root.high == trace.value


def _path(trace: Trace, names: Sequence[str]) -> str:
    shown = _labels(trace, names)
    return " → ".join([*shown[:6], "…", *shown[-3:]] if len(shown) > 10 else shown)


def _labels(trace: Trace, names: Sequence[str]) -> list[str]:
    """The names where the nodes above them are told as well: in a game the moves alone."""
    return [quoted(trace.tree.label(trace.tree[name])) for name in names]


# a student's own function: what it did and what its variables held, with no word on whether that is right


def _recorded(trace: Trace, step: int, event: Event) -> str:
    name, function = quoted(event.node.name), quoted(trace.options["name"])
    before = trace.node_at(event.node, step - 1)
    if event.kind == "enter":
        holds = ", ".join(f"{letter} = {_held(value)}" for letter, value in _variables(event))
        return f"{function} comes to {player(event.node)} node {name} with {holds}."
    if event.kind == "leaf":
        if event.value is None and trace.problem and step == len(trace) and "nothing" not in trace.options:
            return f"{function} comes to leaf {name}, which is worth {number(event.node.value)}."  # and no further
        differs = "" if event.value == event.node.value else f", and {_held(event.value)} is returned for it"
        return f"Leaf {name} is read: it is worth {number(event.node.value)}{differs}."
    if event.kind in ("alpha", "beta"):
        letter, was, now = ("α", before.alpha, event.alpha) if event.kind == "alpha" else ("β", before.beta, event.beta)
        return f"{letter} of {name} goes from {_held(was)} to {_held(now)}."
    if event.kind == "bv":
        child = trace.where(step - 1)
        stays, to = event.bv == before.bv, _held(event.bv)
        moves = f"stays {to}" if stays else f"goes from {_held(before.bv)} to {to}"
        moves = "is not known" if event.bv is None and before.bv is None else moves
        if trace.tree.parent(child) is not event.node:
            return f"The best value of {name} {moves}."
        return f"{quoted(child.name)} hands up {_held(event.value)} to {name}, whose best value {moves}."
    parent = trace.tree.parent(event.node)
    if parent is not None:
        return f"{name} returns {_held(event.value)} to {quoted(parent.name)}."
    reads, leaves = trace.leaves_at(step)[0], trace.frontier(event.node)
    of = f"of {count(leaves, 'leaf', 'leaves')}" if reads <= leaves else f"reads of {count(leaves, 'leaf', 'leaves')}"
    read = f"{reads:,} {of}"
    return f"{name} returns {_held(event.value)}, and the run ends after {read}."


def _left(cut: Cut) -> str:
    names = ", ".join(quoted(name) for name in cut.skipped[:6])
    if len(cut.skipped) > 6:
        names += f" and {len(cut.skipped) - 6} more"
    holds = ", ".join(f"{letter} = {_held(value)}" for letter, value in _variables(cut))
    return (
        f"{quoted(cut.at)} is left with {holds}: {names} not searched, {count(cut.saved, 'leaf', 'leaves')} not read."
    )


def _variables(at: Event | Cut) -> tuple[tuple[str, Number | None], ...]:
    return ("α", at.alpha), ("β", at.beta), ("best value", at.bv)


def _held(value: Number | None) -> str:
    """What a variable holds; a function that has no such variable shows a dash."""
    return "—" if value is None else number(value)


# texts of many lines


def table(trace: Trace) -> str:
    """All steps as text: number, node, α, β, bv, and the sentence."""
    head = ("step", "node", "α", "β", "bv", "")
    rows = [head]
    for step in range(len(trace) + 1):
        node = trace.where(step)
        state = trace.node_at(node, step)
        name = f"{'▲' if node.is_max else '▼'} {quoted(node.name)}"
        blank = step == 0 or (node.is_leaf and state.alpha is None)
        bounds = ("", "", "") if blank else (_cell(state.alpha), _cell(state.beta), _cell(state.bv))
        rows.append((str(step), name, *bounds, sentence(trace, step)))
    widths = [max(columns(row[i]) for row in rows) for i in range(5)]
    lines = []
    for row in rows:
        cells = [row[0].rjust(widths[0]), ljust(row[1], widths[1])]
        cells += [" " * (widths[i] - columns(row[i])) + row[i] for i in (2, 3, 4)]
        lines.append("  ".join([*cells, row[5]]).rstrip())
    title = visible(trace.tree.title)
    return "\n".join([*([title] if title else []), *lines, summary(trace)])


def _cell(value: Number | None) -> str:
    return "" if value is None else number(value)


def summary(trace: Trace) -> str:
    """The result in one line."""
    rest = f"{counts(trace, len(trace))}; {count(len(trace.cuts), 'cut')}."
    if trace.search == RECORDED:
        return f"{quoted(trace.options['name'])} returned {_held(trace.value)}; {trace.problem or rest}"
    if not _exact(trace):
        bound = _bound_only(trace, trace.tree.root, len(trace), trace.value)
        return f"returned {number(trace.value)}{bound}; {rest}"
    best = f", best {quoted(trace.best)}" if trace.best is not None else ""
    return f"value {number(trace.value)}{best}, line {_path(trace, trace.line)}; {rest}"


def counts(trace: Trace, step: int) -> str:
    """How many leaves were read, and what share was saved of those that the search has passed."""
    seen, skipped = trace.leaves_at(step)
    passed = seen + skipped
    if trace.search == RECORDED:  # what somebody's own function leaves out it need not have saved
        return f"{count(seen, 'leaf', 'leaves')} read, {skipped:,} left out"
    of = f"all {passed:,}" if passed == trace.frontier(trace.tree.root) else f"the {passed:,} so far"
    share = f" ({round(100 * skipped / passed)} % of {of})" if skipped else ""
    return f"{count(seen, 'leaf', 'leaves')} read, {skipped:,} skipped{share}"


def by_level(tree: Tree, values: Mapping[str, Number] | None = None) -> str:
    """The tree level by level, as the program `alpha-beta.cpp` prints it: NAME=VALUE(MaxNode2), the number that of the
    children. An inner node's value is "?" unless it has a static one or `values` tells it."""
    values = values or {}
    level: tuple[Node, ...] = (tree.root,)
    lines = []
    while level:
        lines.append(", ".join(_data(node, values.get(node.name, node.value)) for node in level))
        level = tuple(child for node in level for child in node.children)
    return "\n".join(lines)


def _data(node: Node, value: Number | None) -> str:
    return f"{quoted(node.name)}={number(value)}({player(node).capitalize()}Node{len(node.children)})"
