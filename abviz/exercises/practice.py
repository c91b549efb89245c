"""The result of practicing on a whole tree in the page, as it is handed in.

Every mark is judged again here.
"""

import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from abviz.errors import AbvizError, number
from abviz.exercises.verdict import RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.tree.model import Tree
from abviz.views.bundle import number_of

FEW = 5  # as in sheet.js
BEGINS = '{"abviz":"practice"'  # as the page writes it

# By "bv A" and its like: what α, β and bv are. By "cut f2": whether its parent cuts the node off
Marks = dict[str, str | bool]


def verify(text: str) -> Verdict:
    """Return the verdict on a result, with the points that its answers earn.

    Whatever score the result states, it is counted here.
    """
    try:
        content = json.loads(text)
        tree = parse(content["tree"], file="its tree")
        right = right_marks(_run(tree, content))
        made = _marks_made(content, right)

        # Of the marks that are asked for: those that are there. One that was made without being
        # there costs a point, or whoever marks everything would be right.
        due = [key for key in content["asked"] if right[key]]
        extra = [key for key in made if not right[key]]
        points = max(0, sum(made.values()) - len(extra)), len(due)
        has_other_score = list(points) != content["score"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        points = 0, 0
    if not points[1]:
        expected = "the text that Result shows in practice mode"
        raise AbvizError(f"this is not a practice result; expected {expected}")

    message = f"{sum(made.values())} of {points[1]} marks are right"
    message += f", {len(extra)} too many." if extra else "."
    if has_other_score:
        message += " The result states another score."
    wrong = [key.replace(" ", " of ", 1) for key, is_right in made.items() if not is_right]
    if wrong:
        message += f" The first wrong one is {wrong[0]}."

    status = RIGHT if points[0] == points[1] else WRONG
    return Verdict("practice", status, message, tree=tree, points=points)


# A result of practice, as the page writes it.
Content: TypeAlias = dict[str, Any]


def _run(tree: Tree, content: Content) -> Trace:
    """Return the search that the result is of."""
    options: dict[str, Any] = {
        "rules": Rules(**content["rules"]),
        "depth": content.get("depth"),
    }
    for name in ("alpha", "beta", "early_stop"):
        if name in content:
            options[name] = number_of(content[name])
    return trace(tree, search=SEARCHES[content["search"]], **options)


def _marks_made(content: Content, right: Marks) -> dict[str, bool]:
    """Return the marks of a result, and whether they are right.

    Raises ValueError where it does not ask for what the page asks for: every mark, or a few of
    those that are shown.
    """
    asked = set(content["asked"])
    shown = {key for key in right if right[key]}
    are_few = asked <= shown and len(asked) == min(FEW, len(shown))
    if asked != right.keys() and not are_few:
        raise ValueError

    made: dict[str, bool] = {}
    for key, answer in content["answers"].items():
        if key in asked:
            made[key] = _value(answer) == _value(right[key])
    for key in content["cuts"]:
        if key in asked:
            made[key] = right[key] is True
    return made


def right_marks(run: Trace) -> Marks:
    """Return every mark of the finished search.

    α, β and bv are those with which it leaves a node above the depth limit, "" where it never
    enters one.
    """
    letters = ("bv",) if run.search == "minimax" else ("alpha", "beta", "bv")
    skipped = {name for cut in run.cuts for name in cut.skipped}
    marks: Marks = {}
    for node in run.tree.nodes:
        state = run.node_at(node, len(run))
        is_searched = run.depth is None or len(run.tree.path(node)) <= run.depth
        if node.children and is_searched:
            for letter in letters:
                value = number(getattr(state, letter))
                marks[f"{letter} {node.name}"] = value if state.state == "done" else ""
        if node is not run.tree.root:
            marks[f"cut {node.name}"] = node.name in skipped
    return marks


def _value(text: object) -> Decimal:
    """Return the number that was typed, or that a picture shows.

    For any other text it is one that equals nothing.
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
