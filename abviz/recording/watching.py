"""Watching somebody's own function search a tree, and writing down what it does.

The function is not asked to do anything for it. The nodes that it is handed tell when their children or values are
asked for, and Python's own tracing tells when it is called, what its α, β and best value hold, and what it returns.
"""

import dis
import inspect
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import get_ident
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

from abviz.errors import Number, visible
from abviz.recording.held import NOTHING, Frame, Vars, as_number
from abviz.recording.naming import Named, Names
from abviz.recording.watchdog import OutOfTime, within
from abviz.recording.watched import Watched, handed_out
from abviz.tree.model import Node, Tree

NOT_WRITTEN = "it is not written yet"
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
MOST_UNWOUND = 2_000  # frames that an exception leaves on its way out, of which is known that it did
LOOKS_A_CALL = 4  # at nodes that a function may do, on an average
LONG_MESSAGE = 160  # letters of somebody's error message, beyond which it is cut

# What happened (call, vars, return, read or open), in which frame (0: none), how far that was (`f_lasti`; at a call the
# frame that calls), the node or what was returned, what the variables held, and of a call the code that was called.
Entry = tuple[str, int, int, Any, Vars, CodeType | None]


class Log:
    """What a run did, in the order in which it did it."""

    def __init__(self, tree: Tree, calls: int, seconds: float):
        self.tree, self.calls, self.seconds = tree, calls, seconds
        self.written: list[Any] = []  # the entries, flat: tuples that are kept cost Python's garbage collector time
        self.frames: list[Frame] = []  # under way
        self.codes: dict[int, _Code] = {}  # by id, since the hash of code is slow
        self.leaf: Node | None = None  # that the innermost function was handed
        self.made = 0
        self.off = True
        self.looks = 0  # at any node's value or children
        self.thread = 0  # that of the run, as long as it lasts: others are not followed
        self.in_threads = False  # whether any of those looks at a node
        self.why = ""  # it was stopped
        self.returned: Number | None = None
        self.more = False  # whether it returned something beside that number, such as a move
        self.own: CodeType | None = None
        self.thrown: deque[tuple[int, FrameType]] = deque(maxlen=MOST_UNWOUND)  # the latest that an exception left
        self.unwound: set[int] = set()  # those of which nobody caught it
        self.gave_none: set[int] = set()  # those that have returned None

    def entries(self) -> list[Entry]:
        return list(zip(*[iter(self.written)] * 6, strict=True))

    def note(self, kind: str, node: Node) -> None:
        """Write down that the node's value was read or its children asked for."""
        if self.looks == LOOKS_A_CALL * self.calls and not self.off:
            self._stop(f"it was stopped after it had looked at nodes {self.looks:,} times")
        if self.why and self.thread:
            sys.settrace(self._on_call)
            raise OutOfTime
        if self.off:
            other = getattr(sys.gettrace(), "__self__", None)
            if isinstance(other, Log) and other.tree is self.tree:  # the function keeps nodes from run to run
                other.note(kind, node)
            return
        self.looks += 1
        if get_ident() != self.thread:  # nobody knows by which function
            self.in_threads = True
            self.written.extend((kind, 0, 0, node, NOTHING, None))
            return
        if self.frames:
            innermost = self.frames[-1]
            at = innermost.frame.f_lasti
            if innermost.node is node:  # a function looks at the node that it was handed: that says nothing new
                innermost.opened = at
            else:
                self._look(innermost)
                self.written.extend((kind, innermost.number, at, node, NOTHING, None))
        else:
            self.written.extend((kind, 0, 0, node, NOTHING, None))
        sys.settrace(self._on_call)

    def run(self, function: Callable[..., Any], bounds: dict[str, Number] | tuple[Number, ...], names: Names) -> str:
        """Call the function; the answer says what went wrong, if anything."""
        self.names, self.own = names, _own_code(function)
        problem = ""
        self.off = False
        try:
            problem = within(self.seconds, lambda: self._call(function, bounds), self._time_is_up)
        except OutOfTime:
            pass
        finally:
            self.off = True
            self.frames.clear()
            self.thrown.clear()
        if self.why:
            self.returned = None
        elif not problem and not names.known:
            return "none of its calls could be followed"
        if not problem and self.gave_none and not self.looks:
            problem = NOT_WRITTEN
        return self.why or problem

    def _call(self, function: Callable[..., Any], bounds: dict[str, Number] | tuple[Number, ...]) -> str:
        (root,) = handed_out(Watched, (self.tree.root,), self)
        self.thread = get_ident()
        try:
            sys.settrace(self._on_call)
            value = function(root, **bounds) if isinstance(bounds, dict) else function(root, *bounds)
            sys.settrace(None)
            self.returned, self.more = as_number(value), isinstance(value, (tuple, list))
            return ""
        except (OutOfTime, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit is one
            sys.settrace(None)
            unwound = {id(frame) for frame, _ in walk_tb(error.__traceback__)}
            self.unwound = {number for number, frame in self.thrown if id(frame) in unwound}
            return came_to(error)
        finally:
            self.thread = 0

    def _time_is_up(self) -> None:
        self._stop(f"it was stopped after {self.seconds:g} seconds")

    def _stop(self, why: str) -> None:
        self.why, self.off, self.leaf = self.why or why, True, None

    def _on_call(self, frame: FrameType, event: str, _: Any) -> Any:
        if self.off:
            return None
        known = self.codes.get(id(frame.f_code)) or self._meet(frame)
        if known.parameters is None:
            return None
        self.made += 1
        if self.made > self.calls:
            self._stop(f"it was stopped after {self.calls:,} calls")
            raise OutOfTime
        local = frame.f_locals
        for place, name in enumerate(known.parameters):  # noqa: B007
            handed = local.get(name)
            if isinstance(handed, Watched):
                break
        else:
            place, handed = self._among_others(known.code, local)
            if handed is None:
                return None
        if handed._log is not self and handed._log.tree is not self.tree:  # kept from another tree
            return None
        names = known.names
        if names is None:
            names = known.names = self.names.of(known.code, place)
        at, outer = 0, None
        if self.frames:
            outer = self.frames[-1]
            self._look(outer)
            at = outer.frame.f_lasti
        node, number = handed._node, self.made
        entered = Frame(frame, number, node, names, outer)
        entered.changed(local)
        self.frames.append(entered)
        self.leaf = node if entered.on_leaf else None
        self.written.extend(("call", number, at, node, entered.now, known.code))
        frame.f_trace_lines = False
        return self._on_return

    def _meet(self, frame: FrameType) -> "_Code":
        code = frame.f_code
        known = self.codes[id(code)] = _Code(code, self._parameters(frame))
        return known

    def _parameters(self, frame: FrameType) -> tuple[str, ...] | None:
        """Those that may hold a node; None for our own code and constructors, which are not followed."""
        code = frame.f_code
        module = str(frame.f_globals.get("__name__")).partition(".")[0]
        if module == "abviz" or code.co_name == "__init__":
            return None
        if code.co_name == "<lambda>" and code is not self.own:
            return ()
        return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def _among_others(self, code: CodeType, local: dict[str, Any]) -> tuple[int, Watched | None]:
        """The first node in *args, and its place; only of the function itself, as those that pass *args on to it are
        many."""
        named = code.co_argcount + code.co_kwonlyargcount
        if code is self.own and code.co_flags & inspect.CO_VARARGS:
            for place, argument in enumerate(local.get(code.co_varnames[named], ()), named):
                if isinstance(argument, Watched):
                    return place, argument
        return 0, None

    def _on_return(self, frame: FrameType, event: str, value: Any) -> Any:
        if self.why:  # a handler that catches the stop is left at its first line, before it can try again
            if event == "line":
                raise OutOfTime
            frame.f_trace_lines = event == "exception"
        if event == "return" and not self.off:
            innermost = self.frames.pop()
            self.leaf = None
            if not innermost.on_leaf:
                self._look(innermost)
            if value is None:
                if frame.f_code.co_code[frame.f_lasti] in RETURNS:
                    self.gave_none.add(innermost.number)
                else:
                    self.thrown.append((innermost.number, frame))
            self.written.extend(("return", innermost.number, frame.f_lasti, as_number(value), NOTHING, None))
        return self._on_return

    def _look(self, innermost: "Frame") -> None:
        """What the variables of the innermost function hold; nothing that matters happens between two looks."""
        frame = innermost.frame
        if not innermost.on_leaf and innermost.changed(frame.f_locals):
            at = innermost.opened or frame.f_lasti
            self.written.extend(("vars", innermost.number, at, None, innermost.now, None))
        innermost.opened = 0


class _Code:
    """The code of a function, and what is known of it."""

    __slots__ = ("code", "names", "parameters")

    def __init__(self, code: CodeType, parameters: tuple[str, ...] | None):
        self.code = code  # kept, so that its id stays its own
        self.parameters = parameters  # None: it is not followed
        self.names: Named | None = None  # of its variables, once it was called with a node


def came_to(error: BaseException) -> str:
    """What somebody's function came to."""
    if isinstance(error, RecursionError):
        return "it called itself without end"
    return NOT_WRITTEN if isinstance(error, NotImplementedError) else f"it raised {message(error)}"


def message(error: BaseException) -> str:
    """An exception in one short line."""
    try:
        said = " ".join(str(error).split())
    except Exception:
        said = ""
    told = visible(": ".join(part for part in (type(error).__name__, said) if part))
    return told if len(told) <= LONG_MESSAGE else f"{told[: LONG_MESSAGE - 1]}…"


def _own_code(function: Any) -> CodeType | None:
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = function.func
    if not inspect.isroutine(function):
        function = type(function).__call__
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None
