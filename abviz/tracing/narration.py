"""A search in words: one sentence for every step, the steps as a table, a tree level by level.

The sentences are templates; this module chooses one and fills it in.
"""

from collections.abc import Callable, Sequence
from math import inf

from abviz.errors import Number, columns, number, quoted, visible
from abviz.tracing.algorithms import Event
from abviz.tracing.shows import DEFAULT_SHOW, check_show
from abviz.tracing.templates import RECORDED_TEXTS, TEXTS, Blank, fill, is_you, lettered
from abviz.tracing.traces import RECORDED, Cut, NodeState, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node

# The templates by their names.
SENTENCES: dict[str, str] = TEXTS["sentences"]
PARTS: dict[str, str] = TEXTS["parts"]
OF_RECORDED: dict[str, str] = RECORDED_TEXTS["sentences"]

# By level, the templates of sentences that name no bound.
PLAIN: dict[str, dict[str, str]] = TEXTS["plain"]
PLAIN_OF_RECORDED: dict[str, dict[str, str]] = RECORDED_TEXTS["plain"]
RESULTS: dict[str, str] = TEXTS["results"]

MOST_NAMES = 6  # of the skipped nodes, in one sentence

# The name of a template, and what fills it in.
Form = tuple[str, dict[str, Blank]]


def narrate(trace: Trace, step: int, show: str = DEFAULT_SHOW) -> str:
    """Return what the page says at the step: before the search it invites to press Next."""
    if step == 0 and trace.search != RECORDED:
        return _write(SENTENCES["invitation"], trace, trace.tree.root)
    return sentence(trace, step, show)


def sentence(trace: Trace, step: int, show: str = DEFAULT_SHOW) -> str:
    """Return what changed at the step, and why, with the numbers that the level shows.

    It ends in the remark that a recorded run may have at the step.
    """
    events = trace.events_at(trace.check_step(step))
    cut = trace.cut_at(step)
    node = trace.where(step)
    is_plain = check_show(show) in PLAIN

    if not events:
        text = _before(trace)
    elif trace.search == RECORDED:
        form, values = _recorded(trace, step, events[0], cut)
        templates = OF_RECORDED | (PLAIN_OF_RECORDED[show] if is_plain else {})
        text = _write(templates[form], trace, node, **values)
        if trace.problem and cut is None and step == len(trace):
            text = f"{text[:-1]}; {trace.problem}."
    else:
        form, values = _cut(trace, cut) if cut else _searched(trace, step, events[0])
        templates = SENTENCES
        if is_plain:
            templates = SENTENCES | PLAIN[show]
            form = _plain_form(trace, step, form, show)
            values |= _plain_values(trace, step, cut)
        text = _write(templates[form], trace, node, **values)

    at, remark = trace.options.get("remark", (None, ""))
    return f"{text} {remark}" if at == step else text


def player(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def words(trace: Trace, node: Node) -> dict[str, str]:
    """Return the templates' words for the players, and for the bounds and directions of the one
    who moves at the node.
    """
    players = TEXTS["players"]
    kind = player(node)
    chosen: dict[str, str] = dict(players[kind])
    if trace.rules.strict:
        chosen |= players[f"{kind} strict"]

    highest, lowest = map(quoted, trace.tree.players)
    mover, other = (highest, lowest) if node.is_max else (lowest, highest)
    return chosen | {
        "player": mover,
        "opponent": other,
        "max": highest,
        "min": lowest,
        "Player": _at_the_start(mover),
        "Opponent": _at_the_start(other),
        "Max": _at_the_start(highest),
    }


def _at_the_start(name: str) -> str:
    """Return the player's name as a sentence begins with it: a player o stays o."""
    return name.capitalize() if is_you(name) else name


def proven(node: NodeState, say: Callable[[Number], str] = number) -> str:
    """Return what is proven of a node's value: "= 3", "≥ 3", "≤ 3", "3 … 5", or "" for nothing."""
    if node.low == node.high:
        return f"= {say(node.low)}"
    if node.low == -inf and node.high == inf:
        return ""

    if node.low == -inf:
        return f"≤ {say(node.high)}"
    if node.high == inf:
        return f"≥ {say(node.low)}"
    return f"{say(node.low)} … {say(node.high)}"


def proven_beside(
    trace: Trace, node: Node, step: int, say: Callable[[Number], str] = number
) -> str:
    """Return what stands beside the name of a node: what is proven of its value.

    A recorded run may have returned something else. Then it is what the run returned, and nothing
    at a node above that has not returned yet: it got a number that is not the child's value.
    """
    state = trace.last_visit(node, step)
    if trace.search != RECORDED or node.is_leaf:
        return proven(state, say)

    if _returned_another(trace, node, step):
        value = trace.node_at(node, step).value
        return "" if value is None else say(value)

    at = trace.last_visit_step(node, step)
    is_done = trace.node_at(node, step).value is not None
    if not is_done and any(_returned_another(trace, child, at) for child in node.children):
        return ""
    return proven(state, say)


def _returned_another(trace: Trace, node: Node, step: int) -> bool:
    """Return whether a recorded run returned a number that is no end of what is proven."""
    value, state = trace.node_at(node, step).value, trace.last_visit(node, step)
    return value is not None and value not in (state.low, state.high)


def cut_name(trace: Trace, kind: str) -> str:
    """Return the Greek letter by which people call a cut, under the rule on names."""
    by_bound = kind == "alpha"
    return "α" if by_bound != trace.rules.name_by_node else "β"


def _write(template: str, trace: Trace, node: Node, **values: Blank) -> str:
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


def _searched(trace: Trace, step: int, event: Event) -> Form:
    match event.kind:
        case "enter":
            return _enter(trace, event)
        case "leaf":
            return _leaf(trace, event)
        case "bv":
            return _best_value(trace, step, event)
        case "exit":
            return _exit(trace, step, event)
        case kind:  # alpha or beta
            before = getattr(trace.node_at(event.node, step - 1), kind)
            after = getattr(event, kind)
            is_win = annotations_of(trace.tree).plies_to_win(after) is not None
            values: dict[str, Blank] = {"bv": event.bv, "before": before, "after": after}
            return "bound win" if is_win else "bound", values


def _enter(trace: Trace, event: Event) -> Form:
    parent = trace.tree.parent(event.node)
    values: dict[str, Blank] = {
        "parent": quoted(parent.name) if parent else None,
        **_bounds(event),
    }
    form = "enter" if parent else "enter root"
    return form if event.alpha is not None else f"{form} unbounded", values


def _leaf(trace: Trace, event: Event) -> Form:
    node: Node = event.node
    annotations = annotations_of(trace.tree)
    ending = annotations.ending(node)
    values: dict[str, Blank] = {"ending": ending, "value": event.value}

    if annotations.is_estimate(node):
        return "leaf estimated", values
    if ending:
        return "leaf ending", values
    return "leaf" if node.is_leaf else "leaf at limit", values


def _best_value(trace: Trace, step: int, event: Event) -> Form:
    child = trace.where(step - 1)
    before = trace.node_at(event.node, step - 1)
    values: dict[str, Blank] = {
        "value": event.value,
        "child": quoted(child.name),
        "before": before.bv,
        "bv": event.bv,
        "remark": _bound_only(trace, child, step, event.value),
    }
    return "bv same" if event.bv == before.bv else "bv better", values


def _bound_only(trace: Trace, node: Node, step: int, value: Number | None) -> str:
    """Return what is proven instead, where a returned value is not the node's own."""
    state = trace.node_at(node, step)
    if state.low == state.high == value:
        return ""

    interval = proven(state, annotations_of(trace.tree).said).removeprefix("= ")
    values = {"of": quoted(node.name), "interval": interval}
    return fill(PARTS["interval" if interval else "nothing proven"], values)


def _cut(trace: Trace, cut: Cut) -> Form:
    node = trace.tree[cut.at]
    limit = cut.beta if node.is_max else cut.alpha
    skipped = several(_labels(trace, cut.skipped))
    values: dict[str, Blank] = {
        "bv": cut.bv,
        "limit": limit,
        "rest": fill(PARTS["rest"], {"skipped": skipped, "saved": cut.saved}),
    }
    if limit is None:  # minimax's early stop
        return "cut unbounded", values

    values["letter"] = cut_name(trace, cut.kind)
    values["test"] = _test(trace, node, cut)
    if cut.witness is None or cut.via is None:
        return "cut by infinity" if abs(limit) == inf else "cut by first bound", values

    values["witness"] = quoted(cut.witness)
    values["via"] = quoted(cut.via)
    return "cut deep" if cut.deep else "cut", values


def _exit(trace: Trace, step: int, event: Event) -> Form:
    node: Node = event.node
    parent = trace.tree.parent(node)
    if parent is None:
        return _exit_root(trace, step, event)

    remark = _clamped(trace, event) or _bound_only(trace, node, step, event.value)
    values: dict[str, Blank] = {
        "value": event.value,
        "remark": remark + _late(trace, step, event, "late"),
        "parent": quoted(parent.name),
        **_bounds(trace.node_at(parent, step)),
    }
    return "exit unbounded" if event.alpha is None else "exit", values


def _exit_root(trace: Trace, step: int, event: Event) -> Form:
    read, _ = trace.leaves_at(step)
    values: dict[str, Blank] = {
        "value": event.value,
        "remark": _clamped(trace, event) + _root_bound(trace),
        "late": _late(trace, step, event, "late at root"),
        "read": f"{read:,}",
        "leaves": trace.frontier(event.node),
    }
    if trace.bound:
        return "exit root with bound", values
    return "exit root", values | {"line": _path(trace, trace.line_at(step))}


def _clamped(trace: Trace, event: Event) -> str:
    """Return that a fail-hard search clamps what the node returns; "" where it does not."""
    if event.value == event.bv:
        return ""

    alpha, beta = trace.window(event.node)
    values: dict[str, Blank] = {"bv": event.bv, "alpha": alpha, "beta": beta}
    return _write(PARTS["clamped"], trace, event.node, **values)


def _root_bound(trace: Trace) -> str:
    """Return what is proven of the root, and why no more, where the search returns a bound.

    Return "" elsewhere.
    """
    bound = trace.bound
    if bound is None:
        return ""

    values = {"value": bound.value, "limit": bound.limit}
    return fill(PARTS[bound.kind], values, annotations_of(trace.tree).said)


def _late(trace: Trace, step: int, event: Event, form: str) -> str:
    """Return that the cutoff test holds after the last child; "" where it does not.

    Nothing is left to skip then, and so it is no cut.
    """
    if not trace.reached(event):
        return ""
    if any(trace.node_at(child, step).state == "skipped" for child in event.node.children):
        return ""
    return _write(PARTS[form], trace, event.node, test=_test(trace, event.node, event))


def _test(trace: Trace, node: Node, at: Event | Cut) -> str:
    """Return the cutoff test at the node, in numbers: "bv = 7 ≥ β = 5"."""
    limit = at.beta if node.is_max else at.alpha
    return _write(PARTS["test"], trace, node, bv=at.bv, limit=limit)


def _bounds(at: Event | Cut | NodeState) -> dict[str, Number | None]:
    return {"alpha": at.alpha, "beta": at.beta, "bv": at.bv}


def _path(trace: Trace, names: Sequence[str]) -> str:
    shown = _labels(trace, names)
    if len(shown) > 10:
        shown = [*shown[:6], "…", *shown[-3:]]
    return " → ".join(shown)


def _labels(trace: Trace, names: Sequence[str]) -> list[str]:
    """Return the names as pictures show them."""
    label = annotations_of(trace.tree).label
    return [quoted(label(trace.tree[name])) for name in names]


def several(names: Sequence[str]) -> str:
    """Return the names in a row; of many, the first and how many more there are."""
    shown = ", ".join(names[:MOST_NAMES])
    others = len(names) - MOST_NAMES
    if others <= 0:
        return shown
    return fill(PARTS["and more"], {"names": shown, "others": others})


# the levels that name no α and no β


def _plain_form(trace: Trace, step: int, form: str, show: str) -> str:
    node = trace.where(step)
    if form == "cut deep":
        form = "cut"
    if form == "exit unbounded":
        form = "exit"
    if show == "bv":
        return form

    if form in ("cut", "cut by first bound"):
        return f"{form} at {player(node)}"
    if form == "exit":
        state = trace.node_at(node, step)
        if not state.low == state.high == state.value:
            return "exit bound"
        return "exit by move" if _move(trace, step) else "exit exact"
    return form


def _plain_values(trace: Trace, step: int, cut: Cut | None) -> dict[str, Blank]:
    """Return what fills in the plain templates beside the values of the others."""
    node = trace.where(step)
    if cut:
        limit = cut.beta if node.is_max else cut.alpha
        is_win = annotations_of(trace.tree).plies_to_win(limit) is not None
        that_limit = limit if is_win else fill(PARTS["that number"], {"value": limit})
        return {"that_limit": that_limit, "others": _others(trace, node, cut)}

    event = trace.events_at(step)[0]
    if event.kind == "bv":
        return {"so": _so_worth(trace, node, step)}
    if event.kind != "exit":
        return {}
    return {
        "move": _move(trace, step),
        "worth": _worth(trace, node, step),
        "remark": _bound_only(trace, node, step, event.value),
    }


def _others(trace: Trace, node: Node, cut: Cut) -> str:
    """Return that the children not searched are skipped: "the other reply is skipped"."""
    left = len(cut.skipped)
    which = "other" if len(node.children) == left + 1 else "remaining"

    above = trace.tree.parent(node)
    is_reply = above is not None and above.is_max != node.is_max
    one, many = ("reply", "replies") if is_reply else ("move", "moves")
    return PARTS[f"the {which} {one if left == 1 else many}"]


def _move(trace: Trace, step: int) -> str:
    """Return the child that is proven to be worth what the node returns; "" where none is."""
    node = trace.where(step)
    value = trace.node_at(node, step).value
    line = trace.line_at(step, node.name)
    if len(line) < 2:
        return ""

    child = trace.node_at(trace.tree[line[1]], step)
    return _labels(trace, line[1:2])[0] if child.low == child.high == value else ""


def _worth(trace: Trace, node: Node, step: int) -> str:
    """Return what is proven of a node's value: ": it is worth at least 3"; "" for nothing."""
    state = trace.node_at(node, step)
    if state.low == -inf and state.high == inf:
        return ""
    form = _worth_form(state)
    values = {"interval": state.low, "low": state.low, "high": state.high}
    return fill(PARTS[form], values, annotations_of(trace.tree).said)


def _worth_form(state: NodeState) -> str:
    if state.low == state.high:
        return "is worth"
    if state.low == -inf:
        return "worth at most"
    if state.high == inf:
        return "worth at least"
    return "worth between"


def _so_worth(trace: Trace, node: Node, step: int) -> str:
    """Return what has just been proven of a node's value by what came up to it; "" for nothing."""
    state, before = trace.last_visit(node, step), trace.last_visit(node, step - 1)
    ends = (state.low, state.high)
    plies = annotations_of(trace.tree).plies_to_win
    if ends == (before.low, before.high) or any(plies(end) is not None for end in ends):
        return ""
    values: dict[str, Blank] = {"node": quoted(node.name), "low": state.low, "high": state.high}
    return fill(PARTS[f"so {_worth_form(state)}"], values)


# a student's own function: what it did, with no word on whether that is right


def _recorded(trace: Trace, step: int, event: Event, cut: Cut | None) -> Form:
    values: dict[str, Blank] = {"function": quoted(trace.function_at(step)), "value": event.value}
    match event.kind:
        case "enter":
            return "enter", values | {"variables": _variables(trace, event), "bv": event.bv}
        case "leaf":
            return _recorded_leaf(trace, step, event, values)
        case "alpha" | "beta" as kind:
            before = trace.node_at(event.node, step - 1)
            return "bound", values | {
                "own": "α" if kind == "alpha" else "β",  # a wrong function may change the other one
                "before": getattr(before, kind),
                "after": getattr(event, kind),
            }
        case "bv":
            return _recorded_best_value(trace, step, event, values)
        case "cut":
            assert cut
            return "cut", values | {
                "skipped": several([quoted(name) for name in cut.skipped]),
                "saved": cut.saved,
                "variables": _variables(trace, cut),
                "bv": cut.bv,
            }

    if parent := trace.tree.parent(event.node):
        return "exit", values | {"parent": quoted(parent.name)}
    read, _ = trace.leaves_at(step)
    return "exit root", values | {"read": read, "leaves": trace.frontier(event.node)}


def _recorded_leaf(trace: Trace, step: int, event: Event, values: dict[str, Blank]) -> Form:
    leaf: Node = event.node
    values |= {
        "value": annotations_of(trace.tree).said(leaf.value),
        "returned": event.value,
    }
    is_end = event.value is None and trace.problem and step == len(trace)
    if is_end and "nothing" not in trace.options:
        return "leaf unread", values
    return "leaf" if event.value == leaf.value else "leaf changed", values


def _recorded_best_value(trace: Trace, step: int, event: Event, values: dict[str, Blank]) -> Form:
    child = trace.where(step - 1)
    before = trace.node_at(event.node, step - 1)
    values |= {"child": quoted(child.name), "bv": event.bv, "before": before.bv}

    if event.bv != before.bv:
        moves = "changes"
    elif event.bv is None:
        moves = "is unknown"
    else:
        moves = "stays"
    values["moves"] = fill(OF_RECORDED[moves], values, annotations_of(trace.tree).said)

    is_of_child = trace.tree.parent(child) is event.node
    return "bv" if is_of_child else "bv without child", values


def _variables(trace: Trace, at: Event | Cut) -> str:
    template = OF_RECORDED["variables" if trace.has_bounds else "variable"]
    return fill(template, _bounds(at), annotations_of(trace.tree).said)


# texts of many lines


def table(trace: Trace) -> str:
    """Return all steps as text: number, node, α, β, bv, and the sentence."""
    say = annotations_of(trace.tree).number
    rows: list[tuple[str, ...]] = [("step", "node", "α", "β", lettered("bv"), "")]
    for step in range(len(trace) + 1):
        node = trace.where(step)
        state = trace.node_at(node, step)
        name = f"{'▲' if node.is_max else '▼'} {quoted(node.name)}"
        bounds = ["" if each is None else say(each) for each in _bounds(state).values()]
        rows.append((str(step), name, *bounds, sentence(trace, step)))

    widths = [max(columns(row[i]) for row in rows) for i in range(5)]
    lines = []
    for *cells, text in rows:
        spaces = []
        for cell, width in zip(cells, widths, strict=True):
            spaces.append(" " * (width - columns(cell)))

        aligned = [space + cell for space, cell in zip(spaces, cells, strict=True)]
        aligned[1] = cells[1] + spaces[1]  # the name, to the left
        lines.append("  ".join([*aligned, text]).rstrip())

    if title := visible(trace.tree.title):
        lines.insert(0, title)
    return "\n".join([*lines, summary(trace)])


def summary(trace: Trace) -> str:
    """Return the result in one line."""
    annotations = annotations_of(trace.tree)
    values: dict[str, Blank] = {
        "value": trace.value,
        "counts": counts(trace, len(trace)),
        "cuts": len(trace.cuts),
    }
    if trace.search == RECORDED:
        values |= {"function": quoted(trace.options["name"]), "problem": trace.problem}
        form = "recorded"
        if trace.problem:
            form = "recorded problem"
        elif trace.options.get("skips_nodes"):
            form = "recorded leaves"
        return fill(RESULTS[form], values, annotations.number)

    values["remark"] = _root_bound(trace)
    if trace.bound:
        return fill(RESULTS["bound"], values, annotations.said)

    values |= {"line": _path(trace, trace.line), "best": trace.best and quoted(trace.best)}
    form = "leaf" if trace.best is None else "exact"
    return fill(RESULTS[form], values, annotations.said)


def counts(trace: Trace, step: int) -> str:
    """Return how many leaves were read, and what share was saved of those passed so far."""
    seen, skipped = trace.leaves_at(step)
    passed = seen + skipped

    if trace.options.get("skips_nodes"):  # a recorded run of which only the leaves are known
        form = "leaves read"
    elif trace.search == RECORDED:
        # What a student's function leaves out is not saved: it may need it.
        form = "read and left out"
    elif not skipped:
        form = "read"
    elif passed == trace.frontier(trace.tree.root):
        form = "read and saved"
    else:
        form = "read and saved so far"

    values: dict[str, Blank] = {
        "seen": seen,
        "skipped": f"{skipped:,}",
        "share": round(100 * skipped / passed) if skipped else 0,
        "passed": f"{passed:,}",
    }
    return fill(RESULTS[form], values)
