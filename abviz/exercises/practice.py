"""The result of practising on a whole tree in the page, as it is handed in: every mark is judged again here."""

import json
import re
from math import inf
from typing import Any

from abviz.errors import AbvizError, Number, brief, number, plain
from abviz.exercises.verdict import RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.views.bundle import number_of

NAME = "practice"
BEGINS = '{"abviz":"practice"'  # as the page writes it
EXPECTED = "expected the text that Result shows in practice mode"

ASKED = (("alpha", "beta", "bv", "cut"), ("bv", "cut"), ("cut",))  # what the page asks for: see worksheet.js
FEW = 5  # or this many marks of any kind

Marks = dict[str, Any]  # "bv A": what is right there; "cut f2": whether its parent cuts the node off


def verify(text: str) -> Verdict:
    """Return the verdict on a result, with the points that its answers earn, whatever score it states."""
    try:
        content = json.loads(text)
        tree = parse(content["tree"], file="its tree")
        more = {name: number_of(content[name]) for name in ("alpha", "beta", "early_stop") if name in content}
        options = {"rules": Rules(**content["rules"]), "depth": content.get("depth"), **more}
        run = trace(tree, search=SEARCHES[content["search"]], **options)
        answers, cuts, stated = dict(content["answers"]), list(content["cuts"]), content["score"]
        marks = asked_marks(right_marks(run), content["asked"])
        made = {key: _number(answer) == marks[key] for key, answer in answers.items() if key in marks}
        made |= {key: marks[key] for key in cuts if key in marks}
    except AbvizError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise AbvizError(f"this is no result of practice; {EXPECTED}") from None
    total = [key for key, right in marks.items() if key in made or right not in (False, "")]
    points = sum(made.values()), len(total)
    message = f"{points[0]} of {points[1]} marks are right."
    if list(points) != stated:
        message += f" The result states another score: {brief(stated)}."
    wrong = next((key for key, is_right in made.items() if not is_right), None)
    if wrong:
        letter, _, name = wrong.partition(" ")
        message += f" The first wrong one is {letter} of {name}."
    return Verdict(NAME, RIGHT if points[0] == points[1] else WRONG, message, tree=tree, points=points)


def asked_marks(right: Marks, asked: Any) -> Marks:
    """Return the marks that are asked for: all, those of a kind, or a few; the page asks for no others."""
    by_kind = [{key for key in right if key.split()[0] in kinds} for kinds in ASKED]
    few = {key for key in asked if right.get(key, "") not in (False, "")}
    shown = sum(mark not in (False, "") for mark in right.values())
    if set(asked) not in by_kind and not len(few) == len(set(asked)) == min(FEW, shown) > 0:
        raise AbvizError(f"this is no result of practice: it asks for other marks than practice does; {EXPECTED}")
    return {key: mark for key, mark in right.items() if key in asked}


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


def _number(text: Any) -> str:
    """Return the number that was typed, as pictures write it; something else as it is."""
    typed = str(text).strip().replace("−", "-").replace("–", "-").replace(",", ".").replace("∞", "inf")
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", typed, re.ASCII | re.IGNORECASE):
        return typed  # float() reads more than the page does: 1_0, nan, digits of other scripts
    try:
        value: Number | None = int(typed) if typed.lstrip("+-").isdecimal() else plain(float(typed))
    except ValueError:
        return typed
    too_large = value in (inf, -inf) and "inf" not in typed.lower()
    return typed if too_large else number(value)
