"""What `check` says of an answer."""

import html
import re
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from abviz.errors import number
from abviz.tracing.traces import Trace
from abviz.tree.model import Node, Tree

RIGHT, WRONG, NOT_YET = "right", "wrong", "not written yet"
SIGNS = {RIGHT: "✓", WRONG: "✗", NOT_YET: "…"}


@dataclass(frozen=True)
class Verdict:
    """What `check` says. It is true where the answer is right; a notebook shows the tree, and the hints one by one."""

    exercise: str
    status: str  # "right", "wrong" or "not written yet"
    message: str
    mistake: str | None = None  # the name of the known mistake that it behaves like
    tree: Tree | None = None  # the smallest on which it goes wrong
    hints: tuple[str, ...] = ()  # of a known mistake; then each says more than the one before
    trace: Trace | None = None  # the answer's own run on that tree
    step: int | None = None  # of that run: where it parts from the reference
    points: tuple[int, int] | None = None  # right cells of all cells, or marks, where it is filled in
    printed: str = ""  # by the answer, while it was run on that tree
    to_watch: str = ""  # the call that shows that run in the stepper

    def __bool__(self) -> bool:
        return self.status == RIGHT

    def __str__(self) -> str:
        told = f" To see it run: {self.to_watch}" if self.to_watch else ""
        return f"{self.exercise}: {self.status}. {self.message}{told}"

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": "\n".join(self._parts())}

    def _parts(self) -> list[str]:
        said = html.escape(f"{SIGNS[self.status]} {self.exercise}: {self.status}.")
        parts = [f"<p><strong>{said}</strong> {html.escape(self.message)}</p>"]
        if self.tree is not None:
            parts.append(self._picture(self.tree))
        if self.printed:
            printed = f"<pre>{html.escape(self.printed)}</pre>"
            parts.append(f"<details><summary>What it printed on this tree</summary>{printed}</details>")
        if self.to_watch:
            parts.append(f"<p>To see it run: <code>{html.escape(self.to_watch)}</code></p>")
        for place, hint in enumerate(self.hints, 1):
            parts.append(f"<details><summary>Hint {place}</summary>{html.escape(hint)}</details>")
        return parts

    def _picture(self, tree: Tree) -> str:
        from abviz.tracing.narration import sentence
        from abviz.views.drawing import draw

        run = self.trace
        if run is None:
            return as_image(draw(tree), written(tree))
        picture = draw(run, self.step)
        picture.attr(label="")  # what is said below the tree is said as text, which goes with the page
        said = sentence(run, len(run) if self.step is None else self.step)
        return f"{as_image(picture, written(tree))}\n<p>{html.escape(said)}</p>"


def as_image(picture: Any, shows: str) -> str:
    """A drawing as a part of a page, and in words what is on it. It shrinks to half its size where the page is narrow;
    one that is wider still can be scrolled."""
    svg = picture.pipe("svg").decode()
    width = re.search(r'<svg[^>]* width="([\d.]+)pt"', svg)
    least = f"max(100%, {float(width[1]) / 2:.0f}pt)" if width else "100%"
    image = f'<img style="max-width: {least}" alt="{html.escape(shows)}" src="data:image/svg+xml,{quote(svg)}">'
    return f'<div style="overflow-x: auto">{image}</div>'


def written(tree: Tree) -> str:
    """The tree as nested lists, and who moves where if the players do not take turns from MAX on."""
    again = [
        child.name for node in tree.nodes for child in node.children if child.children and mover(child) == mover(node)
    ]
    first = [] if tree.root.is_max else ["MIN to move"]
    twice = [f"the same player moves again at {', '.join(again)}"] if again else []
    told = "; ".join(first + twice)
    return nested(tree.root) + (f" ({told})" if told else "")


def nested(node: Node) -> str:
    return f"[{', '.join(map(nested, node.children))}]" if node.children else number(node.value)


def as_lists(tree: Tree) -> Any:
    """The tree as nested lists; a node where the same player moves again in the long form, {"to_move", "children"}."""

    def lists(node: Node, is_max: bool) -> Any:
        if not node.children:
            return node.value
        children = [lists(child, not node.is_max) for child in node.children]
        return children if node.is_max == is_max else {"to_move": mover(node).lower(), "children": children}

    return lists(tree.root, tree.root.is_max)


def mover(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def in_python(tree: Tree) -> str:
    """The call that makes the tree."""
    told = "" if tree.root.is_max else ', to_move="min"'
    return f"Tree({as_lists(tree)}{told})"


class Checked(Protocol):
    """An exercise, of whatever kind."""

    @property
    def name(self) -> str: ...

    def check(self, answer: Any, seconds: float) -> Verdict:
        """What is to be said of the answer, after so many seconds at the most."""
