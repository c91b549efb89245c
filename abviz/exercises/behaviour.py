"""What a search does, as seen from outside: what it returns, and which leaves it reads, in which order."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from abviz.errors import Number, brief, plain
from abviz.recording.watchdog import OutOfTime
from abviz.recording.watched import Handed, below, handed_out
from abviz.recording.watching import message
from abviz.tree.model import Node, Tree

MOST_LOOKS = 20_000  # at a node's children or value, in one run


@dataclass(frozen=True)
class Behaviour:
    value: Any  # what it returned; None if that was not what is asked for
    leaves: tuple[Any, ...]  # in the order in which they were first read
    problem: str = ""  # an exception, told in a few words
    again: bool = field(default=False, compare=False)  # whether it came back to a leaf that it had read before
    details: tuple[Any, ...] = field(default=(), compare=False)  # what else there is to tell


class Seen(Handed):
    """One whose looks are counted."""

    __slots__ = ()

    _log: "_Log"

    @property
    def value(self) -> Number | None:
        self._log.read(self._node)
        return self._node.value

    @property
    def children(self) -> tuple["Seen", ...]:
        self._log.look()
        if not self.is_leaf:
            self._log.moved = True
        return self._below or below(self)


Seen.__name__ = Seen.__qualname__ = "Node"  # as errors in somebody's function name it


class TooLong(Exception):
    pass


class _Log:
    def __init__(self) -> None:
        self.looks = 0
        self.values: list[Node] = []  # whose values were read; what reads one twice on the spot has read it once
        self.moved = False  # whether children were asked for since the last of these

    def look(self) -> None:
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise TooLong(f"it looked at nodes more than {MOST_LOOKS:,} times")

    def read(self, node: Node) -> None:
        self.look()
        if self.moved or not self.values or self.values[-1] is not node:
            self.values.append(node)
        self.moved = False

    def leaves(self) -> tuple[str, ...]:
        return tuple([node.name for node in self.values if not node.children])


def observe(
    function: Callable[..., Any],
    tree: Tree,
    *arguments: Any,
    form: Callable[[Any], Any] = plain,
    expected: str = "a number",
    every_value: bool = False,
) -> Behaviour:
    """Run the function on the tree, as f(root, *arguments), and tell what it did. Exceptions are told, not raised.

    `form` makes of what it returns what is compared, or None if it is not what was expected. With `every_value` what
    is read are values of inner nodes too, and each as often as it is read.
    """
    log = _Log()
    value, problem = None, ""
    try:
        (root,) = handed_out(Seen, (tree.root,), log)
        returned = function(root, *arguments)
    except (NotImplementedError, OutOfTime, KeyboardInterrupt):
        raise
    except RecursionError:
        problem = "it called itself without end"
    except BaseException as error:  # SystemExit is one
        # by name: from a hand-in's process comes one of another class that is called so
        problem = str(error) if type(error).__name__ == TooLong.__name__ else f"it raised {message(error)}"
    else:
        value = _formed(form, returned)
        if value is None and returned is not None and returned is not ...:
            problem = f"it returns {brief(returned)}; expected {expected}"
    leaves = log.leaves()
    first = tuple(dict.fromkeys(leaves))
    read = tuple(node.name for node in log.values) if every_value else first
    return Behaviour(value, read, problem, len(first) < len(leaves))


def _formed(form: Callable[[Any], Any], returned: Any) -> Any:
    try:
        return form(returned)
    except Exception:  # a number too large for a float, or one of their own that fails
        return None
