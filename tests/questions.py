"""The questions that the page has to ask before a step (what is bv, does it cut, what is skipped?),
with their answers.

The page makes them from the same templates, in `questions.js`.
"""

from dataclasses import dataclass
from typing import Any

from abviz.errors import number, short
from abviz.tracing.narration import cut_name, sentence, words
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
    reason: str  # why the answer is right, giving away no other question before the same step


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
    why: str = "",
    nodes: Any = (),
    **values: Any,
) -> Question:
    """Return the question with its texts filled in; `why` is the form of the reason, or "" for the
    step's sentence.
    """
    form = TEXTS["questions"][kind]
    text = form["recorded"] if trace.search == RECORDED and "recorded" in form else form["text"]
    values = words(trace, node) | {"node": name(trace, node)} | values
    choices = [fill(choice, values) for choice in form.get("choices", ())] or [
        name(trace, each) for each in nodes
    ]
    reason = fill(TEXTS["reasons"][why], values) if why else sentence(trace, step)
    return Question(step, kind, node, right, fill(text, values), tuple(choices), nodes, reason)


def _bv(trace: Trace, step: int) -> Question | None:
    event, child = trace.events_at(step)[0], trace.where(step - 1)
    from_child = (
        trace.events_at(step - 1)[0].kind in ("leaf", "exit")
        and trace.tree.parent(child) is event.node
    )
    if event.kind != "bv" or not from_child or event.bv is None or event.value is None:
        return None
    right, values = number(event.bv), {"child": name(trace, child), "value": event.value}
    return question(trace, step, "bv", event.node, right, **values)


def _bound(trace: Trace, step: int) -> Question | None:
    before, kind = trace.events_at(step - 1)[0], trace.events_at(step)[0].kind
    node, cuts_before = before.node, trace.rules.test_first and trace.reached(before)
    if before.kind != "bv" or cuts_before:
        return None
    bound = before.alpha if node.is_max else before.beta
    own, neither = (0 if node.is_max else 1), 2
    if kind in ("alpha", "beta"):
        return question(trace, step, "bound", node, (own,), bv=before.bv)
    # "α becomes 3" is true as well where α is 3 already
    right = (neither, own) if before.bv == bound else (neither,)
    return question(trace, step, "bound", node, right, "neither", bv=before.bv, limit=bound)


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
        return question(trace, step, "cut", node, (GOES_ON if goes_on else CUTS,), bv=before.bv)
    left = any(trace.node_at(child, step - 1).state == "waiting" for child in node.children)
    if not left and not trace.reached(before):
        return None
    right = CUTS if cut else GOES_ON if left else RETURNS
    values = {"bv": before.bv, "limit": before.beta if node.is_max else before.alpha}
    # The reason for a cut does not name the bound: the kind of the cut may be asked next.
    why = ("cut by first bound", "go on", "return")[right]
    if cut and cut.witness and cut.via:
        why = "cut"
        values |= {
            "witness": name(trace, trace.tree[cut.witness]),
            "via": name(trace, trace.tree[cut.via]),
        }
    if trace.search == "minimax":
        why = "cut unbounded" if cut else "go on unbounded"
    return question(trace, step, "cut", node, (right,), why, **values)


def _kind(trace: Trace, step: int) -> Question | None:
    cut = trace.cut_at(step)
    if cut is None:
        return None
    node, letter = trace.tree[cut.at], cut_name(trace, cut.kind)
    why = "kind by node" if trace.rules.name_by_node else "kind by bound"
    values = {
        "bv": cut.bv,
        "limit": cut.beta if node.is_max else cut.alpha,
        "cut": TEXTS["cuts"][letter],
    }
    return question(trace, step, "kind", node, ("αβ".index(letter),), why, **values)


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
    return question(
        trace, step, "skipped", node, tuple(tree[each] for each in cut.skipped), nodes=nodes
    )


def _returned(trace: Trace, step: int) -> Question | None:
    event = trace.events_at(step)[0]
    if event.kind != "exit" or event.value is None:
        return None
    return question(trace, step, "returned", event.node, number(event.value))
