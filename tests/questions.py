"""The questions that the page has to ask before a step (what is bv, does it cut, what is skipped?),
with their answers.

The page makes them from the same templates, in `questions.js`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from abviz.errors import number, short
from abviz.tracing.narration import cut_name, words
from abviz.tracing.templates import KINDS, TEXTS, fill
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.annotations import annotations_of
from abviz.tree.model import Node

CUTS, GOES_ON, RETURNS = range(3)  # the choices of the question whether the search cuts
# Nodes to choose from, as many as there are digits; more only where one node has more children
FEW = 9


@dataclass(frozen=True, slots=True)
class Question:
    """One question, asked before a step and answered by it."""

    step: int
    kind: str
    node: Node
    # Any of these choices; all of these nodes; or this number
    right: tuple[int, ...] | tuple[Node, ...] | str
    text: str
    choices: tuple[str, ...]  # empty where the answer is a number
    nodes: tuple[Node, ...]  # to choose from
    # Why each choice is right or not, or why the number or the nodes are; none gives away another
    # question before the same step
    reasons: tuple[str, ...]

    def reason(self, choice: int | None = None) -> str:
        """Return what is said to that choice, or else to what is right."""
        if choice is None and isinstance(self.right[0], int):
            choice = self.right[0]
        return self.reasons[choice or 0]


def kinds_of(trace: Trace) -> list[str]:
    """Return the kinds that make sense for the search, in the order in which they are asked."""
    if trace.search == RECORDED:
        return ["bv", "cut", "returned"]
    if trace.search == "minimax":
        return (
            ["bv", "cut", "skipped", "returned"]
            if trace.options.get("early_stop")
            else ["bv", "returned"]
        )
    kinds = list(KINDS)
    if trace.rules.test_first:  # the answer about α and β would give away whether the search cuts
        kinds[1:3] = ["cut", "bound"]
    return kinds


def questions_before(trace: Trace, step: int) -> tuple[Question, ...]:
    """Return the questions that the step answers, in the order in which they are asked; often there
    is none.
    """
    if trace.check_step(step) < 2:
        return ()
    ask = {
        "bv": _bv,
        "bound": _bound,
        "cut": _cut,
        "kind": _kind,
        "skipped": _skipped,
        "returned": _returned,
    }
    asked = (ask[kind](trace, step) for kind in kinds_of(trace))
    return tuple(question for question in asked if question is not None)


def name(trace: Trace, node: Node) -> str:
    return short(annotations_of(trace.tree).label(node))


def question(
    trace: Trace,
    step: int,
    kind: str,
    node: Node,
    right: Any,
    whys: Sequence[str],
    nodes: Any = (),
    **values: Any,
) -> Question:
    """Return the question with its texts filled in; `whys` are the names of its reasons."""
    form = TEXTS["questions"][kind]
    is_recorded = trace.search == RECORDED
    text = form["recorded"] if is_recorded and "recorded" in form else form["text"]
    values = words(trace, node) | {"node": name(trace, node)} | values

    choices = [fill(choice, values) for choice in form.get("choices", ())]
    if is_recorded:
        whys = [why or "recorded" for why in whys]
    reasons = tuple(fill(TEXTS["reasons"][why], values) for why in whys)
    if nodes:
        choices = [name(trace, each) for each in nodes]
    return Question(step, kind, node, right, fill(text, values), tuple(choices), nodes, reasons)


def _bv(trace: Trace, step: int) -> Question | None:
    event, child = trace.events_at(step)[0], trace.where(step - 1)
    from_child = (
        trace.events_at(step - 1)[0].kind in ("leaf", "exit")
        and trace.tree.parent(child) is event.node
    )
    if event.kind != "bv" or not from_child or event.bv is None or event.value is None:
        return None
    values = {
        "child": name(trace, child),
        "value": event.value,
        "before": trace.node_at(event.node, step - 1).bv,
    }
    why = "bv"
    if trace.search == RECORDED:
        pair = [values["before"], event.value]
        better = max if event.node.is_max else min
        is_kept = None not in pair and better(pair) == event.bv
        why = "recorded bv" if is_kept else ""
    return question(trace, step, "bv", event.node, number(event.bv), [why], **values)


def _bound(trace: Trace, step: int) -> Question | None:
    before, kind = trace.events_at(step - 1)[0], trace.events_at(step)[0].kind
    node, cuts_before = before.node, trace.rules.test_first and trace.reached(before)
    if before.kind != "bv" or cuts_before:
        return None
    bound = before.alpha if node.is_max else before.beta
    own, other, neither = (0, 1, 2) if node.is_max else (1, 0, 2)
    whys = {other: "bound other"}
    if kind in ("alpha", "beta"):
        right: tuple[int, ...] = (own,)
        whys |= {own: "bound moves", neither: "bound late"}
    elif before.bv == bound:
        right = (neither, own)  # "α becomes 3" is true as well where α is 3 already
        whys |= {own: "bound same", neither: "bound stays"}
    else:
        right = (neither,)
        whys |= {own: "bound stays, not own", neither: "bound stays"}
    in_order = [whys[choice] for choice in range(3)]
    return question(trace, step, "bound", node, right, in_order, bv=before.bv, limit=bound)


def _cut(trace: Trace, step: int) -> Question | None:
    before, event, cut = trace.events_at(step - 1)[0], trace.events_at(step)[0], trace.cut_at(step)
    node = before.node
    is_tested = before.kind == "bv" or (
        before.kind in ("alpha", "beta") and not trace.rules.test_first
    )
    if not is_tested or (event.kind in ("alpha", "beta") and not trace.rules.test_first):
        return None
    if trace.search == RECORDED:
        goes_on = event.kind in ("enter", "leaf") and trace.tree.parent(event.node) is node
        if before.bv is None or not (goes_on or (cut is not None and cut.at == node.name)):
            return None
        right = GOES_ON if goes_on else CUTS
        limit = before.beta if node.is_max else before.alpha
        whys = _recorded_whys(trace, step, goes_on=goes_on)
        return question(trace, step, "cut", node, (right,), whys, bv=before.bv, limit=limit)
    left = any(trace.node_at(child, step - 1).state == "waiting" for child in node.children)
    if not left and not trace.reached(before):
        return None
    right = CUTS if cut else GOES_ON if left else RETURNS
    values = {"bv": before.bv, "limit": before.beta if node.is_max else before.alpha}
    is_minimax = trace.search == "minimax"

    # The reasons for a cut do not name the bound: the kind of the cut may be asked next.
    if right == RETURNS:
        whys = ["back, not cut", "back, not on", "back"]
    elif right == GOES_ON:
        # At an infinite bound nobody holds the other player to anything yet.
        is_open = is_minimax or values["limit"] in (-inf, inf)
        whys = ["on, not cut", "on unbounded" if is_open else "on", "cut, not back"]
        if is_minimax:
            whys[CUTS] = "on, not cut unbounded"
    else:
        whys = ["cut by first bound", "cut, not on", "cut, not back"]
        if cut and cut.witness and cut.via:
            whys = ["cut", "cut, not on against a bound", "cut, not back"]
        if is_minimax:
            whys[CUTS] = "cut unbounded"
    return question(trace, step, "cut", node, (right,), whys, **values)


def _recorded_whys(trace: Trace, step: int, *, goes_on: bool) -> list[str]:
    """Return the reasons that the numbers and the calls of a recorded run show; "" for none."""
    before = trace.events_at(step - 1)[0]
    node = before.node
    limit = before.beta if node.is_max else before.alpha
    if not goes_on:
        return ["recorded cut" if trace.reached(before) else "", "recorded leaves", "cut, not back"]

    is_short = limit is not None and not trace.reached(before)
    left = any(trace.node_at(child, step - 1).state == "waiting" for child in node.children)
    return ["recorded short" if is_short else "", "recorded on", "cut, not back" if left else ""]


def _kind(trace: Trace, step: int) -> Question | None:
    cut = trace.cut_at(step)
    if cut is None:
        return None
    node, letter = trace.tree[cut.at], cut_name(trace, cut.kind)
    right = "αβ".index(letter)
    whys = ["kind by bound", "kind by bound, not own"]
    if trace.rules.name_by_node:
        whys = ["kind by node", "kind by node, not bound"]
    if right == 1:
        whys.reverse()
    return question(trace, step, "kind", node, (right,), whys, cut=TEXTS["cuts"][letter])


def _skipped(trace: Trace, step: int) -> Question | None:
    cut = trace.cut_at(step)
    if cut is None:
        return None
    tree, node = trace.tree, trace.tree[cut.at]
    above = tree.parent(node)
    beside = [
        each
        for each in (above.children if above else ())
        if trace.node_at(each, step).state == "waiting"
    ]
    nodes = (*node.children, *beside[: max(0, FEW - len(node.children))])
    right = tuple(tree[each] for each in cut.skipped)
    return question(trace, step, "skipped", node, right, ["skipped"], nodes)


def _returned(trace: Trace, step: int) -> Question | None:
    event = trace.events_at(step)[0]
    if event.kind != "exit" or event.value is None:
        return None
    why = "returned fail-hard" if trace.rules.fail_hard else "returned"
    if trace.search == RECORDED:
        why = "recorded returned" if event.bv == event.value else ""
    return question(trace, step, "returned", event.node, number(event.value), [why])
