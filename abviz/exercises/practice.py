"""The result of practicing on a whole tree in the page, as it is handed in.

Every mark is judged again here.
"""

import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from abviz.errors import AbvizError, number
from abviz.exercises.verdict import LETTERS, RIGHT, WRONG, Mark, Verdict, for_message
from abviz.tracing.algorithms import SEARCHES, Rules
from abviz.tracing.templates import lettered
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import parse
from abviz.tree.model import Tree
from abviz.views.bundle import number_of

PRACTICE = "practice"  # as reports name it
FEW = 5  # as in sheet.js
BEGINS = re.compile(r'\s*\{\s*"abviz"\s*:\s*"practice"')  # as the page writes it
MOST_BYTES = 10_000_000

# By "bv A" and its like: what α, β and bv are. By "cut f2": whether its parent cuts the node off
Marks = dict[str, str | bool]

# What a mark begins with, and what it is of
KINDS = {**LETTERS, "cut": "cuts"}


# A result of practice, as the page writes it.
Content: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """A result of practice: of which search it is, and its marks, judged here."""

    run: Trace
    asked: tuple[str, ...]  # the marks that it is to make
    right: Marks  # every mark of the search
    made: tuple[Mark, ...]
    score: object  # as it states it itself; None where it states none

    # The student to whom the tree is assigned; "" where it is not assigned
    student: str
    name: str

    @property
    def due(self) -> list[str]:
        """The marks that are asked for, and are there."""
        return [key for key in self.asked if self.right[key]]

    @property
    def extra(self) -> int:
        """How many marks were made without being there."""
        return sum(not self.right[mark.key] for mark in self.made)

    @property
    def points(self) -> tuple[int, int]:
        """The marks that are right, and how many there are.

        One that was made without being there costs a point, or whoever marks everything would be
        right.
        """
        return max(0, sum(mark.is_right for mark in self.made) - self.extra), len(self.due)

    @property
    def asks_all(self) -> bool:
        return len(self.asked) == len(self.right)

    def verdict(self, remark: str = "") -> Verdict:
        """Return the verdict, with a remark at the end."""
        right, of = self.points
        made_right = sum(mark.is_right for mark in self.made)
        message = f"{made_right} of {of} marks are right"
        message += f", {self.extra} too many." if self.extra else "."
        message += f" By mark: {self.tally}."
        if self.score is not None and self.score != [right, of]:
            message += " The result states another score."
        wrong = [mark.key.split(" ", 1) for mark in self.made if not mark.is_right]
        if wrong:
            kind, place = wrong[0]
            message += f" The first wrong one is {lettered(LETTERS.get(kind, kind))} of {place}."
        return Verdict(
            "practice",
            RIGHT if right == of else WRONG,
            f"{message} {remark}".rstrip(),
            tree=self.run.tree,
            points=(right, of),
            marks=self.made,
            student=self.student,
        )

    @property
    def tally(self) -> str:
        """How many marks of each kind are right, and of how many: "bv 7 of 7, cuts 2 of 3"."""
        parts = []
        for kind, words in KINDS.items():
            due = [key for key in self.due if key.startswith(f"{kind} ")]
            right = sum(mark.is_right and mark.key.startswith(f"{kind} ") for mark in self.made)
            if due:
                parts.append(f"{lettered(words)} {right} of {len(due)}")
        return ", ".join(parts)


def text_of(data: bytes) -> str:
    """Return the text of a file, which an editor may have saved in UTF-8 or UTF-16."""
    return data.decode(json.detect_encoding(data))


def is_result(data: bytes) -> bool:
    """Return whether a file is meant as a result of practice: JSON that says so.

    It may be laid out in any way, and one that is cut off is one, too.
    """
    try:
        text = text_of(data)
        if BEGINS.match(text):
            return True
        content = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("abviz") == PRACTICE


def verify(text: str) -> Verdict:
    """Return the verdict on a result, with the points that its answers earn.

    Whatever score the result states, it is counted here.
    """
    result = read(text)
    return result.verdict(f"The tree: {for_message(result.run.tree)}.")


def read(text: str) -> Result:
    """Return the result in the text; raise AbvizError where it holds none."""
    try:
        content = json.loads(text)
        tree = parse(content["tree"], file="its tree")
        run = _run(tree, content)
        right = right_marks(run)
        made = _marks_made(content, right)
        student = content.get("student") or {}
        result = Result(
            run=run,
            asked=tuple(content["asked"]),
            right=right,
            made=made,
            score=content.get("score"),
            student=str(student.get("id", "")),
            name=str(student.get("name", "")),
        )
        is_empty = not result.due
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_empty = True
    if is_empty:
        expected = "the text that Result shows in practice mode"
        raise AbvizError(f"this is not a practice result; expected {expected}")
    return result


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


def _marks_made(content: Content, right: Marks) -> tuple[Mark, ...]:
    """Return the marks of a result.

    Raises ValueError where it does not ask for what the page asks for: every mark, or a few of
    those that are shown.
    """
    asked = set(content["asked"])
    shown = {key for key in right if right[key]}
    are_few = asked <= shown and len(asked) == min(FEW, len(shown))
    if asked != right.keys() and not are_few:
        raise ValueError

    made: dict[str, Mark] = {}
    for key, answer in content["answers"].items():
        if key in asked:
            made[key] = Mark(key, str(answer), _value(answer) == _value(right[key]))
    for key in content["cuts"]:
        if key in asked:
            made[key] = Mark(key, "", right[key] is True)
    return tuple(made.values())


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
