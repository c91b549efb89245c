"""The result of practising on a whole tree in the page, as it is handed in: every mark is judged again here."""

import json
from decimal import Decimal, InvalidOperation
from typing import Any

from abviz.errors import AbvizError, number
from abviz.exercises.verdict import RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.views.bundle import number_of

BEGINS = '{"abviz":"practice"'  # as the page writes it

KINDS = (("alpha", "beta", "bv", "cut"), ("bv", "cut"), ("cut",))  # what the page asks for: see worksheet.js
FEW = 5  # or this many marks of any kind

Marks = dict[str, str | bool]  # "bv A": what is right there, or ""; "cut f2": whether its parent cuts the node off


def verify(text: str) -> Verdict:
    """Return the verdict on a result, with the points that its answers earn, whatever score it states."""
    try:
        content = json.loads(text)
        tree = parse(content["tree"], file="its tree")
        window = {name: number_of(content[name]) for name in ("alpha", "beta", "early_stop") if name in content}
        options = {"rules": Rules(**content["rules"]), "depth": content.get("depth"), **window}
        right = right_marks(trace(tree, search=SEARCHES[content["search"]], **options))
        asked, answers, cuts, stated = (content[name] for name in ("asked", "answers", "cuts", "score"))
        made = {key: _value(answer) == _value(right[key]) for key, answer in answers.items() if key in asked}
        made |= {key: right[key] is True for key in cuts if key in asked}
    except AbvizError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise AbvizError(
            "this is no result of practice; expected the text that Result shows in practice mode"
        ) from None
    shown = {key for key, mark in right.items() if mark}
    kinds = [{key for key in right if key.split()[0] in kind} for kind in KINDS]
    if set(asked) not in kinds and not (shown.issuperset(asked) and len(set(asked)) == min(FEW, len(shown)) > 0):
        raise AbvizError("this is no result of practice; expected the marks that practice asks for")
    points = sum(made.values()), len(made.keys() | shown.intersection(asked))
    message = f"{points[0]} of {points[1]} marks are right."
    if list(points) != stated:
        message += " The result states another score."
    wrong = next((key for key, is_right in made.items() if not is_right), None)
    if wrong:
        message += f" The first wrong one is {wrong.replace(' ', ' of ', 1)}."
    return Verdict("practice", RIGHT if points[0] == points[1] else WRONG, message, tree=tree, points=points)


def right_marks(run: Trace) -> Marks:
    """Return every mark of the finished search: α, β and bv as it leaves each node, "" where it never enters one.

    Nodes at or below the depth limit have no α, β and bv to mark.
    """
    letters = ("bv",) if run.search == "minimax" else ("alpha", "beta", "bv")
    ends = {node.name: run.node_at(node, len(run)) for node in run.tree.nodes}
    marks: Marks = {}
    for node in run.tree.nodes:
        state, parent = ends[node.name], run.tree.parent(node)
        has_bounds = node.children and (run.depth is None or len(run.tree.path(node)) <= run.depth)
        for letter in letters if has_bounds else ():
            marks[f"{letter} {node.name}"] = number(getattr(state, letter)) if state.state == "done" else ""
        if parent:
            marks[f"cut {node.name}"] = state.state == "skipped" and ends[parent.name].state != "skipped"
    return marks


def _value(text: Any) -> Decimal:
    """Return the number that was typed, or that a picture shows; one that equals nothing for any other text."""
    try:
        return Decimal(str(text).strip().replace("−", "-").replace(",", ".").replace("∞", "inf"))
    except InvalidOperation:
        return Decimal("nan")
