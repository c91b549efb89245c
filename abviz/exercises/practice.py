"""The result of practising on a whole tree in the page, as it is handed in: every mark is judged
again here.
"""

import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from abviz.errors import AbvizError, number
from abviz.exercises.verdict import RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.views.bundle import number_of

FEW = 5  # as in worksheet.js
BEGINS = '{"abviz":"practice"'  # as the page writes it


def verify(text: str) -> Verdict:
    """Return the verdict on a result, with the points that its answers earn, whatever score it
    states.
    """
    try:
        content = json.loads(text)
        tree = parse(content["tree"], file="its tree")
        window = {
            name: number_of(content[name])
            for name in ("alpha", "beta", "early_stop")
            if name in content
        }
        options = {"rules": Rules(**content["rules"]), "depth": content.get("depth"), **window}
        right = right_marks(trace(tree, search=SEARCHES[content["search"]], **options))
        asked, answers, cuts, stated = (
            content[name] for name in ("asked", "answers", "cuts", "score")
        )
        shown = {key for key in right if right[key]}
        if {*asked} != right.keys() and not (
            {*asked} <= shown and len({*asked}) == min(FEW, len(shown))
        ):
            raise ValueError  # the page asks for every mark, or for a few of those that are shown
        made = {
            key: _value(answer) == _value(right[key])
            for key, answer in answers.items()
            if key in asked
        }
        made |= {key: right[key] is True for key in cuts if key in asked}
        points = sum(made.values()), len(made.keys() | {key for key in asked if right[key]})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        points = 0, 0
    if not points[1]:
        raise AbvizError(
            "this is no result of practice; expected the text that Result shows in practice mode"
        )
    message = f"{points[0]} of {points[1]} marks are right."
    if list(points) != stated:
        message += " The result states another score."
    wrong = [key.replace(" ", " of ", 1) for key, is_right in made.items() if not is_right]
    if wrong:
        message += f" The first wrong one is {wrong[0]}."
    return Verdict(
        "practice", RIGHT if points[0] == points[1] else WRONG, message, tree=tree, points=points
    )


def right_marks(run: Trace) -> dict[str, str | bool]:
    """Return every mark of the finished search: "bv A" and its like are α, β and bv as it leaves a
    node above the depth limit, "" where it never enters one; "cut f2" is whether its parent cuts
    the node off.
    """
    letters = ("bv",) if run.search == "minimax" else ("alpha", "beta", "bv")
    skipped = {name for cut in run.cuts for name in cut.skipped}
    marks: dict[str, str | bool] = {}
    for node in run.tree.nodes:
        state = run.node_at(node, len(run))
        if node.children and (run.depth is None or len(run.tree.path(node)) <= run.depth):
            values = {letter: number(getattr(state, letter)) for letter in letters}
            marks |= {
                f"{letter} {node.name}": values[letter] if state.state == "done" else ""
                for letter in letters
            }
        if node is not run.tree.root:
            marks[f"cut {node.name}"] = node.name in skipped
    return marks


def _value(text: Any) -> Decimal:
    """Return the number that was typed, or that a picture shows; one that equals nothing for any
    other text.
    """
    # 1,000 may be a thousand, or one: as in the page
    if re.fullmatch(r"\D?[1-9]\d{0,2},\d{3}", str(text).strip()):
        return Decimal("nan")
    try:
        value = Decimal(str(text).strip().replace("−", "-").replace(",", ".").replace("∞", "inf"))
        # A signaling one would raise where it is compared
        return Decimal("nan") if value.is_nan() else value
    except InvalidOperation:
        return Decimal("nan")
