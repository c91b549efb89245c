"""What the variables of a call under way hold for α, β and the best value."""

from numbers import Integral, Real
from types import FrameType
from typing import Any

from abviz.errors import Number
from abviz.recording.naming import Named
from abviz.tree.model import Node

USUAL = 1 << 53  # whole numbers below this are floats as well

# α, β and the best value, as a function's variables hold them
Vars = tuple[Number | None, Number | None, Number | None]
NOTHING: Vars = (None, None, None)


class Frame:
    """A call under way, and what its variables for α, β and the best value held when last looked at."""

    __slots__ = ("frame", "names", "node", "now", "number", "objects", "on_leaf", "opened")

    def __init__(self, frame: FrameType, number: int, node: Node, names: Named, outer: "Frame | None"):
        self.frame, self.number, self.node, self.names = frame, number, node, names
        self.on_leaf = not node.children  # there nothing changes that matters
        self.opened = 0  # where it has looked at its own node since its variables were looked at
        # at first those of the call around it: α and β are mostly handed on as they are
        self.objects: tuple[Any, Any, Any] = outer.objects if outer else NOTHING
        self.now: Vars = outer.now if outer else NOTHING

    def changed(self, local: dict[str, Any]) -> bool:
        """Look again. The same three objects, as mostly, hold the same numbers."""
        get, names, before = local.get, self.names, self.objects
        alpha, beta, best = get(names[0]), get(names[1]), get(names[2])  # type: ignore[arg-type]
        if best is None and names[3]:
            best = get(names[3])
        if alpha is before[0] and beta is before[1] and best is before[2]:
            return False
        # a list may hold other things when it is looked at again
        self.objects, held = (alpha, beta, object() if isinstance(best, list) else best), self.now
        self.now = (
            held[0] if alpha is before[0] else as_number(alpha),
            held[1] if beta is before[1] else as_number(beta),
            held[2] if best is before[2] else None if best is None else as_number(best),
        )
        return held != self.now


def as_number(value: Any) -> Number | None:
    """A value as a variable for α, β or the best may hold it; of a pair (value, move) or (move, value) the number."""
    kind = type(value)
    if (kind is int and -USUAL < value < USUAL) or (kind is float and value == value):  # else it is slow to tell
        return value  # type: ignore[no-any-return]
    if value is None:
        return None
    if isinstance(value, tuple) or (isinstance(value, list) and len(value) == 2):  # longer ones gather all values
        numbers = [each for each in map(_alone, value) if each is not None]
        return numbers[0] if len(numbers) == 1 else None
    return _alone(value)


def _alone(value: Any) -> Number | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        real = float(value)
        return None if real != real else int(value) if isinstance(value, Integral) else real
    except Exception:  # too large, or a number of their own that fails
        return None
