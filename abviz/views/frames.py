"""A trace as the frames that the browser shows: one picture, and what changes in it from step to step.

The browser knows no alpha-beta. All that it writes, marks or lights is worked out here, and at step k it shows of
every series below the latest entry up to k.
"""

from collections.abc import Iterable
from math import inf
from typing import Any

from abviz.errors import Number, machine, number, short, visible
from abviz.tracing.narration import counts, cut_name, player, proven, sentence
from abviz.tracing.pseudocode import forms, line_at, write_down
from abviz.tracing.questions import CHOICES, KINDS, Question, kinds_of, questions_before
from abviz.tracing.traces import RECORDED, Cut, NodeState, Trace
from abviz.tree.model import Node
from abviz.views.drawing import cut_above, folded_words, layout, letters, lit_nodes, node_sizes, readable

Frames = dict[str, Any]


def all_frames(trace: Trace, *, node: str | None = None, original: Trace | None = None) -> Frames:
    """All frames of a trace, ready for JSON; `node` shows only that part of the tree.

    Bounds are text as in `data-*` ("-inf", "3", ""). A series is a list of [step, entry ...] in the order of steps.
    `original` is the trace before a what-if: leaves that differ from it are marked.
    """
    part = readable(trace.tree, node)
    places = {each.index: i for i, each in enumerate(part)}  # the browser counts the nodes of the part from 0
    sizes = node_sizes(trace.tree, part, len(letters(trace)))
    size, centres = layout(part, sizes)
    steps = range(len(trace) + 1)
    return {
        "title": visible(trace.tree.title),
        "source": visible(trace.tree.source),
        "note": visible(trace.tree.note),
        "search": trace.search,
        "rules": rules_line(trace),
        "size": size,
        "nodes": [_node(trace, each, places, (*centres[each.index], *sizes[each.index]), original) for each in part],
        "folded": [places[each.index] for each in part if trace.tree.folded(each)],
        "boards": trace.tree.boards(part),
        "what_if": _what_if(trace, original),
        "letters": list(letters(trace)),
        "none": "—" if trace.search == RECORDED else "",  # beside a letter that has no number
        "range": _range(trace),
        "at": [_nearest(trace, trace.where(step), places) for step in steps],
        "says": [sentence(trace, step) for step in steps],
        "counts": _series((step, counts(trace, step)) for step in steps),
        "line": _series((step, _indices(trace, trace.line_at(step), places)) for step in steps),
        "lit": {cut.step: [cut.kind, _indices(trace, lit_nodes(trace, cut.step), places)] for cut in trace.cuts},
        "cuts": [[cut.step, cut.kind, _cut_name(trace, cut)] for cut in trace.cuts],
        "parting": trace.options.get("parting"),
        "drops": _drops(trace),
        "history": _history(trace, places),
        "forms": [_form(trace, form) for form in forms(trace)],
        "questions": _questions(trace, places),
    }


def rules_line(trace: Trace) -> str:
    """The rules in force, in one line; of somebody's own function what it is called."""
    if trace.search == RECORDED:
        return f"recorded: what the function {visible(trace.options['name'])} did"
    if trace.search == "minimax":
        order = "right to left" if trace.rules.right_to_left else "left to right"
        line = f"minimax · {order}" + (" · stops at ±∞" if trace.options.get("early_stop") else "")
    else:
        line = str(trace.rules)
    return line if trace.depth is None else f"{line} · depth {trace.depth}"


def _what_if(trace: Trace, original: Trace | None) -> str:
    """Which leaves are other than they were, and what has come of it; "" without a what-if."""
    nodes = trace.tree.nodes if original else ()
    changed = [f"{short(node.name)} = {number(node.value)}" for node in nodes if _was(node, trace, original)]
    if original is None or not changed:
        return ""
    leaves = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more changed" if len(changed) > 3 else "")
    now, before = number(trace.value), number(original.value)
    then = f"still returns {now}" if now == before else f"returns {now} and no longer {before}"
    return f"With {leaves} the search {then}."


def _cut_name(trace: Trace, cut: Cut) -> str:
    what = f"{cut_name(trace, cut.kind)}-cut" if trace.search == "alphabeta" else "stop"
    return f"{what} at {visible(cut.at)}"


def _node(
    trace: Trace, node: Node, places: dict[int, int], box: tuple[float, ...], original: Trace | None
) -> list[Any]:
    """[name, name as shown, player, parent, x, y, width, height, a leaf's value, its value before a what-if], and where
    the picture shortens the name all of it."""
    above = trace.tree.parent(node)
    value = (folded_words(trace.tree, node, cut=False) or number(node.value)) if node.is_leaf else None
    old = (_was(node, trace, original) or None) if node.is_leaf else None
    parent = -1 if above is None else places.get(above.index, -1)
    shown = short(trace.tree.label(node))
    whole = [] if shown == visible(node.name) else [visible(node.name)]
    return [node.name, shown, player(node), parent, *box, value, old, *whole]


def _was(node: Node, trace: Trace, original: Trace | None) -> str:
    """The value before a what-if; "" where it is the same. (What a game's tree folds may differ: that is no value.)"""
    if original is None or node.name not in original.tree or trace.tree.folded(node):
        return ""
    before = original.tree[node.name]
    return "" if before.value == node.value or original.tree.folded(before) else number(before.value)


def _nearest(trace: Trace, node: Node, places: dict[int, int]) -> int:
    """The node's place in the part that is shown; −1 where the search is elsewhere."""
    return places.get(node.index, -1)


def _indices(trace: Trace, names: Iterable[str], places: dict[int, int]) -> list[int]:
    return [places[i] for name in names if (i := trace.tree[name].index) in places]


def _series(entries: Iterable[tuple[int, Any]]) -> list[list[Any]]:
    """Only the entries that differ from the one before."""
    series: list[list[Any]] = []
    for step, entry in entries:
        if not series or series[-1][1] != entry:
            series.append([step, entry])
    return series


def _history(trace: Trace, places: dict[int, int]) -> list[list[list[Any]]]:
    """For each node its series of [step, state, α, β, bv, returned value, what is proven, kind of the cut above it].

    On the last edge of a cutoff there is room for the cut's name: there its letter follows the kind ("alpha α").
    """
    history: list[list[list[Any]]] = [[] for _ in places]
    for node, step, state in trace.changes():
        if node.index in places:
            history[places[node.index]].append([step, *_shown(trace, node, step, state)])
    return history


def _shown(trace: Trace, node: Node, step: int, state: NodeState) -> list[str]:
    cut = " ".join(cut_above(trace, node, step)).rstrip()
    row = [state.state, *map(machine, (state.alpha, state.beta, state.bv, state.value)), proven(state), cut]
    while not row[-1]:  # the browser takes what is missing at the end for ""
        row.pop()
    return row


def _drops(trace: Trace) -> dict[int, list[str]]:
    """Where the value that came up falls on the number line: step: [value, bv, zone, α, β].

    The zones are those of the window (α, β) that bv was tested against, and stand until the node is done with it.
    cut: bv has reached the other player's bound; update: it moves the node's own; ignore: neither.
    """
    drops: dict[int, list[str]] = {}
    for step in range(1, len(trace) + 1):
        event = trace.events_at(step)[0]
        if event.kind == "bv" and event.alpha is not None and event.beta is not None and event.bv is not None:
            is_max = event.node.is_max
            own, other = (event.alpha, event.beta) if is_max else (event.beta, event.alpha)
            moves = event.bv > own if is_max else event.bv < own
            zone = "cut" if trace.rules.reaches(event.bv, other, is_max) else "update" if moves else "ignore"
            drops[step] = [*map(machine, (event.value, event.bv)), zone, *map(machine, (event.alpha, event.beta))]
        elif event.kind in ("alpha", "beta", "cut") and step - 1 in drops:
            drops[step] = drops[step - 1]
    return drops


def _range(trace: Trace) -> list[Number]:
    """The least and the greatest finite value in the tree or of the search's window: the ends of the number line."""
    tree = trace.tree
    values = [node.value for node in tree.nodes if node.value is not None]
    # Beside a win, worth a million, the estimates of a game would all fall on one point: it lies beyond the ends.
    estimates = [node.value for node in tree.nodes if node.value is not None and not tree.ending(node)]
    if estimates and len(estimates) < len(values):
        values = [*estimates, min(estimates) - 1, max(estimates) + 1]
    values += [trace.options[bound] for bound in ("alpha", "beta") if bound in trace.options]
    finite = [value for value in values if abs(value) != inf] or [0]
    return [min(finite), max(finite)]


def _form(trace: Trace, form: Any) -> dict[str, Any]:
    lines = write_down(trace, form)
    return {
        "name": form.name,
        "title": form.title,
        "lines": [[line.indent, line.text] for line in lines],
        "at": [-1 if (at := line_at(trace, step, lines)) is None else at for step in range(len(trace) + 1)],
    }


def _questions(trace: Trace, places: dict[int, int]) -> dict[str, dict[str, Any]]:
    """For each kind, in the order in which they are asked before one step: what it is called, the forms of its words,
    and what is asked: [step, the node's place, right answer, reason, what fills {1}, {2} ...].

    A form is filled in the browser, so that the words of a long trace are sent once: with texts, and for a number with
    the name of the node in that place. A reason counts from 1; 0 is the sentence of the step.
    """
    of_kind: dict[str, list[Question]] = {kind: [] for kind in kinds_of(trace)}
    for step in range(len(trace) + 1):
        for question in questions_before(trace, step):
            if question.node.index in places:
                of_kind[question.kind].append(question)
    return {kind: _of_kind(kind, asked, places) for kind, asked in of_kind.items() if asked}


def _of_kind(kind: str, questions: list[Question], places: dict[int, int]) -> dict[str, Any]:
    reasons = list(dict.fromkeys(["", *(question.why for question in questions)]))

    def place(what: Any, question: Question) -> Any:
        """A node's place, or its name where it is not shown; what is no node stays as it is."""
        return places.get(what.index, question.name(what)) if isinstance(what, Node) else what

    def row(each: Question) -> list[Any]:
        right: Any = each.right if isinstance(each.right, str) else [place(answer, each) for answer in each.right]
        filled = [place(what, each) for what in each.filled]
        from_nodes = [[places[node.index] for node in each.nodes if node.index in places]] if each.nodes else []
        return [each.step, places[each.node.index], right, reasons.index(each.why), *filled, *from_nodes]

    return {
        "name": KINDS[kind],
        "text": questions[0].form,
        "choices": list(CHOICES.get(kind, ())),
        "reasons": reasons[1:],
        "asked": [row(question) for question in questions],
    }
