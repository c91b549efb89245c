"""A search in words: one sentence for every step, the steps as a table, a tree level by level.

The sentences are templates; this module chooses one and fills it in.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from abviz.errors import Number, columns, number, quoted, visible
from abviz.tracing.algorithms import Event
from abviz.tracing.templates import TEXTS, fill
from abviz.tracing.traces import RECORDED, Cut, NodeState, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node

SENTENCES, PARTS, OF_RECORDED, RESULTS = (
    TEXTS[key] for key in ("sentences", "parts", "recorded", "results")
)
MOST_NAMES = 6  # of the skipped nodes, in one sentence


def sentence(trace: Trace, step: int) -> str:
    """Return what changed at the step, and why, with the numbers; and the remark that a recorded
    run may have there.
    """
    events, cut = trace.events_at(trace.check_step(step)), trace.cut_at(step)
    if not events:
        text = _before(trace)
    elif trace.search == RECORDED:
        form, values = _recorded(trace, step, events[0], cut)
        text = _write(OF_RECORDED[form], trace, trace.where(step), **values)
        is_end = cut is None and step == len(trace)
        text = f"{text[:-1]}; {trace.problem}." if trace.problem and is_end else text
    else:
        form, values = _cut(trace, cut) if cut else _searched(trace, step, events[0])
        text = _write(SENTENCES[form], trace, trace.where(step), **values)
    at, remark = trace.options.get("remark", (None, ""))
    return f"{text} {remark}" if at == step else text


def player(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def words(trace: Trace, node: Node) -> dict[str, str]:
    """Return what the templates call the bounds and directions of the player who is to move at the
    node.
    """
    players, name = TEXTS["players"], player(node)
    chosen: dict[str, str] = players[name] | (
        players[f"{name} strict"] if trace.rules.strict else {}
    )
    return chosen


def proven(node: NodeState, say: Callable[[Number], str] = number) -> str:
    """Return what is proven of a node's value: "= 3", "≥ 3", "≤ 3", "3 … 5", or "" for nothing."""
    if node.low == node.high:
        return f"= {say(node.low)}"
    if node.low == -inf:
        return "" if node.high == inf else f"≤ {say(node.high)}"
    return f"≥ {say(node.low)}" if node.high == inf else f"{say(node.low)} … {say(node.high)}"


def cut_name(trace: Trace, kind: str) -> str:
    """Return the Greek letter by which people call a cut, under the rule on names."""
    by_bound = kind == "alpha"
    return "α" if by_bound != trace.rules.name_by_node else "β"


def _write(template: str, trace: Trace, node: Node, **values: Any) -> str:
    return fill(
        template,
        words(trace, node) | {"node": quoted(node.name)} | values,
        annotations_of(trace.tree).said,
    )


def _before(trace: Trace) -> str:
    root = trace.tree.root
    template = SENTENCES["before" if trace.depth is None else "before to depth"]
    text = _write(template, trace, root, depth=trace.depth, leaves=trace.frontier(root))
    return f"{text} {OF_RECORDED['negamax']}" if "negamax" in trace.options else text


Form = tuple[str, dict[str, Any]]  # the name of a template, and what fills it in


def _searched(trace: Trace, step: int, event: Event) -> Form:
    node, parent, before = (
        event.node,
        trace.tree.parent(event.node),
        trace.node_at(event.node, step - 1),
    )
    match event.kind:
        case "enter":
            form = "enter unbounded" if event.alpha is None else "enter" if parent else "enter root"
            return form, {"parent": parent and quoted(parent.name), **_bounds(event)}
        case "leaf":
            ending = annotations_of(trace.tree).ending(node)
            form = "leaf ending" if ending else "leaf" if node.is_leaf else "leaf at limit"
            if annotations_of(trace.tree).is_estimate(node):
                form = "leaf estimated"
            return form, {"ending": ending, "value": event.value}
        case "bv":
            child = trace.where(step - 1)
            values = {
                "value": event.value,
                "child": quoted(child.name),
                "before": before.bv,
                "bv": event.bv,
            }
            values["remark"] = _bound_only(trace, child, step, event.value)
            return "bv same" if event.bv == before.bv else "bv better", values
        case "exit":
            return _exit(trace, step, event)
        case kind:  # alpha or beta
            return "bound", {
                "bv": event.bv,
                "before": getattr(before, kind),
                "after": getattr(event, kind),
            }


def _bound_only(trace: Trace, node: Node, step: int, value: Number | None) -> str:
    """Return what is proven instead, where a returned value is not the node's own."""
    state = trace.node_at(node, step)
    if state.low == state.high == value:
        return ""
    interval = proven(state, annotations_of(trace.tree).said).removeprefix("= ")
    return fill(PARTS["interval" if interval else "nothing proven"], {"interval": interval})


def _cut(trace: Trace, cut: Cut) -> Form:
    node = trace.tree[cut.at]
    limit = cut.beta if node.is_max else cut.alpha
    skipped = several(_labels(trace, cut.skipped))
    rest = PARTS["one skipped" if len(cut.skipped) == 1 else "several skipped"]
    values = {
        "bv": cut.bv,
        "limit": limit,
        "rest": fill(rest, {"skipped": skipped, "saved": cut.saved}),
    }
    if limit is None:  # minimax's early stop
        return "cut unbounded", values
    values |= {"letter": cut_name(trace, cut.kind), "test": _test(trace, node, cut)}
    if cut.witness is None or cut.via is None:
        return "cut by infinity" if abs(limit) == inf else "cut by first bound", values
    return "cut deep" if cut.deep else "cut", values | {
        "witness": quoted(cut.witness),
        "via": quoted(cut.via),
    }


def _exit(trace: Trace, step: int, event: Event) -> Form:
    node, parent = event.node, trace.tree.parent(event.node)
    is_clamped = event.value != event.bv
    remark = ""
    if is_clamped:
        alpha, beta = trace.window(node)
        remark = fill(
            PARTS["clamped"],
            {"bv": event.bv, "alpha": alpha, "beta": beta},
            annotations_of(trace.tree).said,
        )
    if parent is None:
        remark += _root_bound(trace)
    elif not is_clamped:
        remark = _bound_only(trace, node, step, event.value)
    values: dict[str, Any] = {"value": event.value, "remark": remark + _late(trace, step, event)}
    if parent is None:
        values |= {"read": f"{trace.leaves_at(step)[0]:,}", "leaves": trace.frontier(node)}
        if trace.bound:
            return "exit root with bound", values
        return "exit root", values | {"line": _path(trace, trace.line_at(step))}
    values |= {"parent": quoted(parent.name), **_bounds(trace.node_at(parent, step))}
    return "exit unbounded" if event.alpha is None else "exit", values


def _root_bound(trace: Trace) -> str:
    """Return what is proven of the root, and why no more, where the search returns a bound; ""
    elsewhere.
    """
    bound = trace.bound
    if bound is None:
        return ""
    return fill(
        PARTS[bound.kind],
        {"value": bound.value, "limit": bound.limit},
        annotations_of(trace.tree).said,
    )


def _late(trace: Trace, step: int, event: Event) -> str:
    """The cutoff test can hold after the last child: nothing is left to skip, and so it is no cut."""
    if not trace.reached(event) or any(
        trace.node_at(child, step).state == "skipped" for child in event.node.children
    ):
        return ""
    return fill(PARTS["late"], {"test": _test(trace, event.node, event)})


def _test(trace: Trace, node: Node, at: Event | Cut) -> str:
    """Return the cutoff test at the node, in numbers: "bv = 7 ≥ β = 5"."""
    return _write(PARTS["test"], trace, node, bv=at.bv, limit=at.beta if node.is_max else at.alpha)


def _bounds(at: Event | Cut | NodeState) -> dict[str, Number | None]:
    return {"alpha": at.alpha, "beta": at.beta, "bv": at.bv}


def _path(trace: Trace, names: Sequence[str]) -> str:
    shown = _labels(trace, names)
    return " → ".join([*shown[:6], "…", *shown[-3:]] if len(shown) > 10 else shown)


def _labels(trace: Trace, names: Sequence[str]) -> list[str]:
    """Return the names as pictures show them."""
    label = annotations_of(trace.tree).label
    return [quoted(label(trace.tree[name])) for name in names]


def several(names: Sequence[str]) -> str:
    """Return the names in a row; of many, the first and how many more there are."""
    shown, others = ", ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES
    return fill(PARTS["and more"], {"names": shown, "others": others}) if others > 0 else shown


# a student's own function: what it did and what its variables held, with no word on whether that is
# right


def _recorded(trace: Trace, step: int, event: Event, cut: Cut | None) -> Form:
    node, parent, before = (
        event.node,
        trace.tree.parent(event.node),
        trace.node_at(event.node, step - 1),
    )
    values: dict[str, Any] = {"function": quoted(trace.function_at(step)), "value": event.value}
    match event.kind:
        case "enter":
            return "enter", values | {"variables": _variables(trace, event)}
        case "leaf":
            values |= {
                "value": annotations_of(trace.tree).said(node.value),
                "returned": event.value,
            }
            is_end = event.value is None and trace.problem and step == len(trace)
            if is_end and "nothing" not in trace.options:
                return "leaf unread", values
            return "leaf" if event.value == node.value else "leaf changed", values
        case "alpha" | "beta" as kind:
            own = "α" if kind == "alpha" else "β"  # a faulty function may change the other one
            return "bound", {
                "own": own,
                "before": getattr(before, kind),
                "after": getattr(event, kind),
            }
        case "bv":
            child = trace.where(step - 1)
            moves = (
                "changes"
                if event.bv != before.bv
                else "is unknown"
                if event.bv is None
                else "stays"
            )
            values |= {"child": quoted(child.name), "bv": event.bv, "before": before.bv}
            values["moves"] = fill(OF_RECORDED[moves], values, annotations_of(trace.tree).said)
            return "bv" if trace.tree.parent(child) is node else "bv without child", values
        case "cut":
            assert cut
            skipped = several([quoted(name) for name in cut.skipped])
            return "cut", {
                "skipped": skipped,
                "saved": cut.saved,
                "variables": _variables(trace, cut),
            }
    if parent:
        return "exit", values | {"parent": quoted(parent.name)}
    return "exit root", values | {"read": trace.leaves_at(step)[0], "leaves": trace.frontier(node)}


def _variables(trace: Trace, at: Event | Cut) -> str:
    return fill(
        OF_RECORDED["variables" if trace.has_bounds else "variable"],
        _bounds(at),
        annotations_of(trace.tree).said,
    )


# texts of many lines


def table(trace: Trace) -> str:
    """Return all steps as text: number, node, α, β, bv, and the sentence."""
    rows: list[tuple[str, ...]] = [("step", "node", "α", "β", "bv", "")]
    for step in range(len(trace) + 1):
        node = trace.where(step)
        state = trace.node_at(node, step)
        name = f"{'▲' if node.is_max else '▼'} {quoted(node.name)}"
        bounds = [
            "" if value is None else annotations_of(trace.tree).number(value)
            for value in _bounds(state).values()
        ]
        rows.append((str(step), name, *bounds, sentence(trace, step)))
    widths = [max(columns(row[i]) for row in rows) for i in range(5)]
    lines = []
    for row in rows:
        spaces = [
            " " * (width - columns(cell)) for width, cell in zip(widths, row[:5], strict=True)
        ]
        bounds = [spaces[i] + row[i] for i in (2, 3, 4)]
        lines.append("  ".join([spaces[0] + row[0], row[1] + spaces[1], *bounds, row[5]]).rstrip())
    title = visible(trace.tree.title)
    return "\n".join([*([title] if title else []), *lines, summary(trace)])


def summary(trace: Trace) -> str:
    """Return the result in one line."""
    values: dict[str, Any] = {
        "value": trace.value,
        "counts": counts(trace, len(trace)),
        "cuts": len(trace.cuts),
    }
    if trace.search == RECORDED:
        values |= {"function": quoted(trace.options["name"]), "problem": trace.problem}
        ending = (
            " problem" if trace.problem else " leaves" if trace.options.get("skips_nodes") else ""
        )
        return fill(RESULTS[f"recorded{ending}"], values, annotations_of(trace.tree).number)
    values["remark"] = _root_bound(trace)
    if trace.bound:
        return fill(RESULTS["bound"], values, annotations_of(trace.tree).said)
    values |= {"line": _path(trace, trace.line), "best": trace.best and quoted(trace.best)}
    return fill(
        RESULTS["leaf" if trace.best is None else "exact"], values, annotations_of(trace.tree).said
    )


def counts(trace: Trace, step: int) -> str:
    """Return how many leaves were read, and what share was saved of those that the search has
    passed.
    """
    seen, skipped = trace.leaves_at(step)
    passed = seen + skipped
    if trace.options.get("skips_nodes"):  # a recorded run of which only the leaves are known
        form = "leaves read"
    elif (
        trace.search == RECORDED
    ):  # leaves that a student's function leaves out are not saved: it may need them
        form = "read and left out"
    elif not skipped:
        form = "read"
    else:
        form = (
            "read and saved"
            if passed == trace.frontier(trace.tree.root)
            else "read and saved so far"
        )
    share = round(100 * skipped / passed) if skipped else 0
    return fill(
        RESULTS[form],
        {"seen": seen, "skipped": f"{skipped:,}", "share": share, "passed": f"{passed:,}"},
    )
