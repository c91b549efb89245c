"""A search in words: one sentence for every step, the steps as a table, a tree level by level."""

from collections.abc import Mapping, Sequence
from math import inf

from abviz.errors import Number, columns, count, ljust, number, quoted, visible
from abviz.tracing.algorithms import Event
from abviz.tracing.traces import RECORDED, Cut, NodeState, Trace
from abviz.tree.model import Node, Tree

MOST_NAMES = 6  # of the skipped nodes, in one sentence


def sentence(trace: Trace, step: int) -> str:
    """Return what changed at the step, and why, with the numbers; and the remark that a recorded run may have there."""
    text = _sentence(trace, trace.check_step(step))
    at, remark = trace.options.get("remark", (None, ""))
    return f"{text} {remark}" if at == step else text


def _sentence(trace: Trace, step: int) -> str:
    events = trace.events_at(step)
    if not events:
        return _before(trace)
    cut = trace.cut_at(step)
    if cut is not None:
        return _left(cut) if trace.search == RECORDED else _cut(trace, cut)
    if trace.search == RECORDED:
        text = _recorded(trace, step, events[0])
        return f"{text[:-1]}; {trace.problem}." if trace.problem and step == len(trace) else text
    says = {"enter": _enter, "leaf": _leaf, "bv": _bv, "alpha": _bound, "beta": _bound, "exit": _exit}
    return says[events[0].kind](trace, step, events[0])


def player(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def proven(node: NodeState) -> str:
    """Return what is proven of a node's value: "= 3", "≥ 3", "≤ 3", "3 … 5", or "" for nothing."""
    if node.low == node.high:
        return f"= {number(node.low)}"
    if node.low == -inf:
        return "" if node.high == inf else f"≤ {number(node.high)}"
    return f"≥ {number(node.low)}" if node.high == inf else f"{number(node.low)} … {number(node.high)}"


def cut_name(trace: Trace, kind: str) -> str:
    """Return the Greek letter by which people call a cut, under the rule on names."""
    by_bound = kind == "alpha"
    return "α" if by_bound != trace.rules.name_by_node else "β"


def _before(trace: Trace) -> str:
    root = trace.tree.root
    leaves = count(trace.frontier(root), "leaf", "leaves")
    down = "" if trace.depth is None else f", down to depth {trace.depth},"
    return f"Before the search: {player(root)} is to move at {quoted(root.name)}, and the tree{down} has {leaves}."


def _enter(trace: Trace, step: int, event: Event) -> str:
    name = f"{player(event.node)} node {quoted(event.node.name)}"
    start = f"bv starts at {number(event.bv)}, the worst value for {player(event.node)}"
    if event.alpha is None:
        return f"The search enters {name}; {start}."
    window = f"α = {number(event.alpha)}, β = {number(event.beta)}"
    parent = trace.tree.parent(event.node)
    whose = "the window" if parent is None else f"its own copy of {quoted(parent.name)}’s window,"
    return f"The search enters {name} with {whose} {window}; {start}."


def _leaf(trace: Trace, step: int, event: Event) -> str:
    name = quoted(event.node.name)
    if ending := trace.tree.ending(event.node):
        return f"Leaf {name} is read: the game is over, {ending}, and the value is {number(event.value)}."
    if event.node.is_leaf:
        return f"Leaf {name} is read: its value is {number(event.value)}."
    return f"{name} is at the depth limit: its static value {number(event.value)} stands for everything below it."


def _bv(trace: Trace, step: int, event: Event) -> str:
    node, child = event.node, trace.where(step - 1)
    before = trace.node_at(node, step - 1).bv
    value = f"{number(event.value)} from {quoted(child.name)}{_bound_only(trace, child, step, event.value)}"
    better = "higher" if node.is_max else "lower"
    says = f"not {better}" if event.bv == before else better
    becomes = "stays" if event.bv == before else "becomes"
    return f"{quoted(node.name)} receives {value}: {says} than {number(before)}, so bv {becomes} {number(event.bv)}."


def _bound_only(trace: Trace, child: Node, step: int, value: Number | None) -> str:
    """Return what is proven instead, where a returned value is not the child's own."""
    state = trace.node_at(child, step)
    if state.low == state.high == value:
        return ""
    interval = proven(state).removeprefix("= ")
    return f" (a bound: its value is {interval})" if interval else " (a bound: nothing is proven about its value)"


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
    skipped = several([quoted(trace.tree.label(trace.tree[name])) for name in cut.skipped])
    rest = f"{skipped} {'is' if len(cut.skipped) == 1 else 'are'} skipped, {count(cut.saved, 'leaf', 'leaves')} saved"
    at = quoted(cut.at)
    if bound is None:  # minimax's early stop
        return f"bv of {at} is {number(cut.bv)}, and nothing is better for {player(node)}: {rest}."
    name = f"{'Deep ' if cut.deep else ''}{cut_name(trace, cut.kind)}-cut at {at}"
    test = _test(trace, node, cut)
    if cut.witness is None or cut.via is None:
        beyond = f", and no value is {'higher' if node.is_max else 'lower'}" if abs(bound) == inf else ""
        return f"{name}: {test}; the search itself started with {letter} = {number(bound)}{beyond}; {rest}."
    holder = player(trace.tree[cut.witness])
    here = f"{number(cut.bv)} or {'more' if node.is_max else 'less'}"
    why = f"{holder} already has {number(bound)} at {quoted(cut.witness)}, from {quoted(cut.via)}"
    return f"{name}: {test}; {why}, and has no reason to come here for {here}; {rest}."


def _exit(trace: Trace, step: int, event: Event) -> str:
    node = event.node
    says = f"{quoted(node.name)} returns {number(event.value)}"
    if event.value != event.bv:
        window = " to ".join(map(number, trace.window(node)))
        says += f", not bv = {number(event.bv)}: fail-hard keeps the value within the node’s window, {window}"
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
    return f"{says}; back at {quoted(parent.name)}, its own α and β apply again: {own}."


def _no_cut(trace: Trace, step: int, event: Event) -> str:
    """The cutoff test can hold after the last child: nothing is left to skip, and so it is no cut."""
    if not trace.reached(event) or any(trace.node_at(child, step).state == "skipped" for child in event.node.children):
        return ""
    return f"; {_test(trace, event.node, event)} held only after the last child, when there was nothing left to cut"


def _test(trace: Trace, node: Node, at: Event | Cut) -> str:
    """Return the cutoff test at the node, in numbers: "bv = 7 ≥ β = 5"."""
    if node.is_max:
        return f"bv = {number(at.bv)} {'>' if trace.rules.strict else '≥'} β = {number(at.beta)}"
    return f"bv = {number(at.bv)} {'<' if trace.rules.strict else '≤'} α = {number(at.alpha)}"


def _exact(trace: Trace) -> bool:
    """Return whether the search found the root's value; with a narrow window it may have found only a bound."""
    root = trace.node_at(trace.tree.root, len(trace))
    return root.low == root.high == trace.value


def _path(trace: Trace, names: Sequence[str]) -> str:
    shown = [quoted(trace.tree.label(trace.tree[name])) for name in names]
    return " → ".join([*shown[:6], "…", *shown[-3:]] if len(shown) > 10 else shown)


def several(names: Sequence[str]) -> str:
    """Return the names in a row; of many, the first and how many more there are."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


# a student's own function: what it did and what its variables held, with no word on whether that is right


def _recorded(trace: Trace, step: int, event: Event) -> str:
    name, function = quoted(event.node.name), quoted(trace.options["name"])
    before = trace.node_at(event.node, step - 1)
    if event.kind == "enter":
        return f"{function} is called at {player(event.node)} node {name} with {_variables(event)}."
    if event.kind == "leaf":
        if event.value is None and trace.problem and step == len(trace) and "nothing" not in trace.options:
            return f"{function} reaches leaf {name}, whose value is {number(event.node.value)}."  # and no further
        differs = "" if event.value == event.node.value else f", and {_held(event.value)} is returned for it"
        return f"Leaf {name} is read: its value is {number(event.node.value)}{differs}."
    if event.kind in ("alpha", "beta"):
        letter, was, now = ("α", before.alpha, event.alpha) if event.kind == "alpha" else ("β", before.beta, event.beta)
        return f"{letter} of {name} goes from {_held(was)} to {_held(now)}."
    if event.kind == "bv":
        child = trace.where(step - 1)
        moves = f"goes from {_held(before.bv)} to {_held(event.bv)}"
        if event.bv == before.bv:
            moves = "is not known" if event.bv is None else f"stays {_held(event.bv)}"
        if trace.tree.parent(child) is not event.node:
            return f"The best value of {name} {moves}."
        return f"{name} receives {_held(event.value)} from {quoted(child.name)}; its best value {moves}."
    parent = trace.tree.parent(event.node)
    if parent is not None:
        return f"{name} returns {_held(event.value)} to {quoted(parent.name)}."
    reads, leaves = trace.leaves_at(step)[0], trace.frontier(event.node)
    of = f"of {count(leaves, 'leaf', 'leaves')}" if reads <= leaves else f"reads of {count(leaves, 'leaf', 'leaves')}"
    return f"{name} returns {_held(event.value)}, and the run ends after {reads:,} {of}."


def _left(cut: Cut) -> str:
    names = several([quoted(name) for name in cut.skipped])
    leaves = count(cut.saved, "leaf", "leaves")
    return f"{quoted(cut.at)} is left with {_variables(cut)}: {names} not searched, {leaves} not read."


def _variables(at: Event | Cut) -> str:
    return f"α = {_held(at.alpha)}, β = {_held(at.beta)}, best value = {_held(at.bv)}"


def _held(value: Number | None) -> str:
    """Return what a variable holds; a dash for a function that has no such variable."""
    return "—" if value is None else number(value)


# texts of many lines


def table(trace: Trace) -> str:
    """Return all steps as text: number, node, α, β, bv, and the sentence."""
    rows: list[tuple[str, ...]] = [("step", "node", "α", "β", "bv", "")]
    for step in range(len(trace) + 1):
        node = trace.where(step)
        state = trace.node_at(node, step)
        name = f"{'▲' if node.is_max else '▼'} {quoted(node.name)}"
        blank = step == 0 or (node.is_leaf and state.alpha is None)
        bounds = ["" if blank or value is None else number(value) for value in (state.alpha, state.beta, state.bv)]
        rows.append((str(step), name, *bounds, sentence(trace, step)))
    widths = [max(columns(row[i]) for row in rows) for i in range(5)]
    lines = []
    for row in rows:
        cells = [row[0].rjust(widths[0]), ljust(row[1], widths[1])]
        cells += [" " * (widths[i] - columns(row[i])) + row[i] for i in (2, 3, 4)]
        lines.append("  ".join([*cells, row[5]]).rstrip())
    title = visible(trace.tree.title)
    return "\n".join([*([title] if title else []), *lines, summary(trace)])


def summary(trace: Trace) -> str:
    """Return the result in one line."""
    rest = f"{counts(trace, len(trace))}; {count(len(trace.cuts), 'cut')}."
    if trace.search == RECORDED:
        return f"{quoted(trace.options['name'])} returned {_held(trace.value)}; {trace.problem or rest}"
    if not _exact(trace):
        bound = _bound_only(trace, trace.tree.root, len(trace), trace.value)
        return f"returned {number(trace.value)}{bound}; {rest}"
    best = f", best {quoted(trace.best)}" if trace.best is not None else ""
    return f"value {number(trace.value)}{best}, line {_path(trace, trace.line)}; {rest}"


def counts(trace: Trace, step: int) -> str:
    """Return how many leaves were read, and what share was saved of those that the search has passed."""
    seen, skipped = trace.leaves_at(step)
    passed = seen + skipped
    if trace.search == RECORDED:  # leaves that a student's function leaves out are not saved: it may need them
        return f"{count(seen, 'leaf', 'leaves')} read, {skipped:,} left out"
    of = f"all {passed:,}" if passed == trace.frontier(trace.tree.root) else f"the {passed:,} so far"
    share = f" ({round(100 * skipped / passed)} % of {of})" if skipped else ""
    return f"{count(seen, 'leaf', 'leaves')} read, {skipped:,} skipped{share}"


def by_level(tree: Tree, values: Mapping[str, Number] | None = None) -> str:
    """Return the tree level by level, as `alpha-beta.cpp` prints it: NAME=VALUE(MaxNode2), the number of children last.

    An inner node's value is "?" unless it is in `values` or the node has a static one.
    """
    values = values or {}
    level: tuple[Node, ...] = (tree.root,)
    lines = []
    while level:
        lines.append(", ".join(_data(node, values.get(node.name, node.value)) for node in level))
        level = tuple(child for node in level for child in node.children)
    return "\n".join(lines)


def _data(node: Node, value: Number | None) -> str:
    return f"{quoted(node.name)}={number(value)}({player(node).capitalize()}Node{len(node.children)})"
