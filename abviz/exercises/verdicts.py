"""What `check` says of an answer."""

from dataclasses import dataclass
from typing import Any, Protocol

from abviz.tree import Tree

RIGHT, WRONG, NOT_YET = "right", "wrong", "not written yet"


@dataclass(frozen=True)
class Verdict:
    """What `check` says. It is true where the answer is right; in a notebook it shows the tree."""

    exercise: str
    status: str  # "right", "wrong" or "not written yet"
    message: str
    mistake: str | None = None  # the name of the known mistake that it behaves like
    tree: Tree | None = None  # the smallest on which it goes wrong
    hints: tuple[str, ...] = ()  # each says more than the one before, and none gives the answer away

    def __bool__(self) -> bool:
        return self.status == RIGHT

    def __str__(self) -> str:
        return f"{self.exercise}: {self.status}. {self.message}"

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": str(self)}
        if self.tree is None:
            return bundle
        from abviz.drawing import draw

        return bundle | {"image/svg+xml": draw(self.tree).pipe("svg").decode()}


class Checked(Protocol):
    """An exercise, of whatever kind."""

    @property
    def name(self) -> str: ...

    def check(self, answer: Any, seconds: float) -> Verdict:
        """What is to be said of the answer, after so many seconds at the most."""
