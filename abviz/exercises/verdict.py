"""The verdict on an answer: right, wrong or not written yet, and what a notebook shows of it."""

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from abviz.errors import LONGEST, AbvizError, count, number, short, visible
from abviz.images import image
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import Trace
from abviz.tree.files import parse
from abviz.tree.model import Node, Tree
from abviz.tree.nested import as_lists, has_own_names

if TYPE_CHECKING:
    from abviz.views.rendering import Picture

RIGHT = "right"
WRONG = "wrong"
NOT_YET = "not written yet"
NOT_CHECKED = "not checked"  # since this computer can't run it
SIGNS = {RIGHT: "✓", WRONG: "✗", NOT_YET: "…"}

LONGEST_TREE = 400  # characters of a tree in a message
MOST_NAMED = 8  # children in a summary


class Mark(NamedTuple):
    """A mark of practice as it was made: "bv A" is bv of A, and "cut f2" the cut of f2."""

    key: str
    answer: str  # "" for a cut
    is_right: bool


@dataclass(frozen=True)
class Verdict:
    """The verdict of `check`: true if the answer is right.

    A notebook shows the tree, and the hints one by one.
    """

    exercise: str
    status: str  # RIGHT, WRONG, NOT_YET or NOT_CHECKED
    message: str

    # The known mistake that the answer behaves like; two of them joined by ", and "
    mistake: str | None = None

    # The smallest tree on which the answer goes wrong
    tree: Tree | None = None

    # That of the known mistake first; then each gives away more than the one before
    hints: tuple[str, ...] = ()

    # The answer's own run on the tree, and the rules of the reference beside it
    trace: Trace | None = None
    rules: Rules | None = None

    # Right cells of all cells, in an exercise on paper
    points: tuple[int, int] | None = None

    # In practice: the marks that were made, and the id of the student whose result it is
    marks: tuple[Mark, ...] = ()
    student: str = ""

    # What only an instructor is to read, since it names another student
    private: str = ""

    # The position of checkers on which the answer goes wrong, as FEN, and its picture as SVG, with
    # the move that is missing or wrong
    position: str = ""
    board: str = ""

    # The name that the answer, a function, was defined with
    answer: str = ""

    # Whether the run is shown with the verdict, to be stepped through
    shows_run: bool = False

    def __bool__(self) -> bool:
        return self.status == RIGHT

    @property
    def title(self) -> str:
        """Return what stands first; how many marks are right says more than that not all are."""
        return f"{self.exercise}:" if self.marks else f"{self.exercise}: {self.status}."

    def __str__(self) -> str:
        sentences = [self.title, self.message]
        if self.trace and not self.shows_run:
            answer = self.answer or self.exercise.replace("-", "_")
            is_own = self.trace.search == "recorded"
            watched = "your own run on" if is_own else "the search of"
            sentences.append(
                f"To watch {watched} this tree, put this in a new cell: "
                f'`Stepper(check("{self.exercise}", {answer}).trace)`'
            )
        return " ".join(filter(None, sentences))

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        text = str(self).removeprefix(self.title)
        sign = SIGNS.get(self.status, "!")
        parts = [f"<p><strong>{sign} {say(self.title)}</strong>{say(text)}</p>"]
        if self.tree is not None:
            try:
                if self.marks:
                    parts.append(tree_image(marked(self.tree, self.marks), written(self.tree)))
                else:
                    parts.append(_picture(self.tree, self.trace))
            except AbvizError as problem:  # too large to be drawn
                parts.append(f"<p>{say(str(problem))}</p>")
        if self.board:
            parts.append(svg_image(self.board, self.position))
        for place, hint in enumerate(self.hints, 1):
            parts.append(f"<details><summary>Hint {place}</summary>{say(hint)}</details>")
        return {"text/plain": str(self), "text/html": "\n".join(parts)}


def _picture(tree: Tree, run: Trace | None) -> str:
    """Return the tree, or the run where it first differs from the reference.

    Below the run stands the sentence of that step.
    """
    from abviz.tracing.narration import sentence
    from abviz.views.drawing import draw

    if run is None:
        return tree_image(draw(tree), written(tree))
    step = run.options.get("parting", len(run))
    picture = draw(run, step)
    picture.attr(label="")  # the sentence stands below the tree, as text
    return f"{tree_image(picture, written(tree))}\n<p>{html.escape(sentence(run, step))}</p>"


LETTERS = {"alpha": "α", "beta": "β", "bv": "bv"}
LONGEST_ANSWER = 8


def marked(tree: Tree, marks: Iterable[Mark]) -> "Picture":
    """Return the tree with marks of practice, each with whether it is right."""
    from abviz.views.drawing import draw_filled_in

    texts: dict[tuple[str, str], str] = {}
    cuts: dict[str, str] = {}
    for key, answer, is_right in marks:
        sign = SIGNS[RIGHT if is_right else WRONG]
        kind, name = key.split(" ", 1)
        if kind == "cut":
            cuts[name] = sign
        else:
            texts[name, LETTERS[kind]] = f"{short(answer.strip(), LONGEST_ANSWER)} {sign}"
    return draw_filled_in(tree, texts, cuts)


def say(text: str) -> str:
    """Return the text as HTML, with what stands in backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))


def tree_image(picture: "Picture", alt: str) -> str:
    return svg_image(picture.themed(picture.pipe("svg", encoding="utf-8")), alt)


def svg_image(svg: str, alt: str) -> str:
    """Return the picture as HTML, no higher than a laptop shows.

    It scrolls where the page is too narrow.
    """
    style = "max-width: none; max-height: 65vh"
    return f'<div style="overflow-x: auto">{image(svg, alt, style)}</div>'


def written(tree: Tree) -> str:
    """Return the tree as nested lists with notes, so that it is read back.

    Where these would be read as another tree, it is JSON.
    """
    text = _with_notes(tree)
    if tree.root.is_leaf or _is_read_as(text, tree):
        return text

    content = {
        "to_move": "max" if tree.root.is_max else "min",
        "root": tree.root.name,
        "tree": as_lists(tree, named=True),
    }
    text = json.dumps(content, ensure_ascii=False)
    return text if visible(text) == text else json.dumps(content)


def _is_read_as(text: str, tree: Tree) -> bool:
    """Return whether the text is read as this tree, whatever the name of its root."""
    try:
        found = parse(text).rows()
    except AbvizError:
        return False

    root, *others = tree.rows()
    return found == [root._replace(name=found[0].name), *others]


def _with_notes(tree: Tree) -> str:
    """Return the tree as nested lists, with notes on what they cannot say.

    Names are there that are not the usual ones; the notes have the moves that are not in turn from
    MAX on, and static values.
    """
    again = []
    static = []
    for node in tree.nodes:
        for child in node.children:
            if child.is_leaf:
                continue
            if child.is_max == node.is_max:
                again.append(child.name)
            if child.value is not None:
                static.append(f"{number(child.value)} at {child.name}")

    notes = []
    if not tree.root.is_max:
        notes.append("MIN to move")
    if again:
        notes.append(f"the same player moves again at {', '.join(again)}")
    if static:
        notes.append(f"static values: {', '.join(static)}")

    lists = nested(tree.root, has_own_names(tree))
    return f"{lists} ({'; '.join(notes)})" if notes else lists


def for_message(tree: Tree) -> str:
    """Return the tree as a message has it: written, or its size and the root's first children."""
    text = written(tree)
    if len(text) <= LONGEST_TREE:
        return text

    children = []
    for child in tree.root.children[:MOST_NAMED]:
        value = f" = {number(child.value)}" if child.is_leaf else ""
        children.append(f"{short(child.name)}{value}")
    if len(tree.root.children) > MOST_NAMED:
        children.append("…")

    player = "MAX" if tree.root.is_max else "MIN"
    leaves = len(list(tree.leaves()))
    size = f"{count(len(tree), 'node')} and {count(leaves, 'leaf', 'leaves')}"
    root = f"{player} to move at {short(tree.root.name)}"
    return f"a tree of {size}, with {root} and the children {', '.join(children)}"


def nested(node: Node, named: bool = False) -> str:
    """Return the node and what is below it as nested lists, perhaps with the names."""
    if not node.children:
        return number(node.value)

    parts = []
    for child in node.children:
        below = nested(child, named)
        parts.append(f"{_readable(child.name)}: {below}" if named else below)
    return f"[{', '.join(parts)}]"


def _readable(name: str) -> str:
    """Return the name as it is read in a list: in quotes where it is not a plain word."""
    if re.fullmatch(r"\w+", name) and len(name) <= LONGEST:
        return name
    return json.dumps(name, ensure_ascii=visible(name) != name)
