"""Watching somebody's own function search a tree, and writing down what it does.

The function is not asked to do anything for it. The nodes that it is handed tell when their children or values are
asked for, and Python's own tracing tells when it is called, what its α, β and best value hold, and what it returns.
"""

import ctypes
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from types import CodeType, FrameType
from typing import Any, NamedTuple

from abviz.game import Number
from abviz.tree import Node, Tree

# α, β and the best value, as a function's variables hold them
Vars = tuple[Number | None, Number | None, Number | None]
NOTHING: Vars = (None, None, None)
ALPHAS = ("alpha", "α", "a", "low", "lo", "lower", "alfa")
BETAS = ("beta", "β", "b", "high", "hi", "upper")
# In this order: many functions have both a `best` and a `value`, and then `value` is what a child has just returned.
BESTS = ("bv", "best", "best_value", "bestvalue", "best_val", "bestval", "best_score", "ut_val", "max_eval", "min_eval")
BESTS_TOO = ("v", "value", "val", "score", "result", "res", "m", "current")


class Watched:
    """A node as a student's function is handed it: `name`, `is_leaf`, `value`, `is_max`, `children`, and no more."""

    __slots__ = ("_log", "_node", "is_leaf", "is_max", "name")

    name: str
    is_leaf: bool
    is_max: bool
    _node: Node
    _log: "Log"

    def __init__(self, node: Node, log: "Log"):
        keep = object.__setattr__
        keep(self, "_node", node)
        keep(self, "_log", log)
        keep(self, "name", node.name)
        keep(self, "is_leaf", node.is_leaf)
        keep(self, "is_max", node.is_max)

    @property
    def value(self) -> Number | None:
        sys.settrace(None)  # our own calls need no watching, and are quicker without
        return self._log.note("read", self._node).value

    @property
    def children(self) -> tuple["Watched", ...]:
        sys.settrace(None)
        return self._log.note("open", self._node).below

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a node cannot be changed (asked to set {name!r})")

    def __repr__(self) -> str:
        return repr(self._node)


class _Stopped(BaseException):
    """Not an Exception, so that a function's own `except` does not keep it running."""


class _Watchdog:
    """Raises _Stopped in this thread when the time is up, wherever it is then: in `while True: pass`, too."""

    def __init__(self, seconds: float):
        self.thread = threading.get_ident()
        self.lock = threading.Lock()
        self.over = False
        self.timer = threading.Timer(seconds, self._bite)
        self.timer.daemon = True

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.over = True
        self.timer.cancel()

    def _bite(self) -> None:
        with self.lock:
            if not self.over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(_Stopped))


class Names:
    """Which local variables of a function are its α, its β and its best value."""

    def __init__(self, alpha: str | None, beta: str | None, best: str | None, bounded: bool):
        self.told = (alpha, beta, best)
        self.bounded = bounded
        self.known: dict[CodeType, tuple[str | None, str | None, str | None]] = {}

    def of(self, code: CodeType, node_at: int) -> tuple[str | None, str | None, str | None]:
        if code not in self.known:
            parameters = code.co_varnames[: code.co_argcount]
            local = [*code.co_varnames, *code.co_cellvars]
            after = parameters[node_at + 1 : node_at + 3] if self.bounded else ()
            alpha = self.told[0] or _first(ALPHAS, local) or (after[0] if len(after) == 2 else None)
            beta = self.told[1] or _first(BETAS, local) or (after[1] if len(after) == 2 else None)
            if not self.bounded and not self.told[0]:
                alpha = beta = None
            best = self.told[2] or _first(BESTS, local) or _first(BESTS_TOO, local)
            self.known[code] = alpha, beta, best
        return self.known[code]


def _first(wanted: tuple[str, ...], there: list[str]) -> str | None:
    lowered = {name.lower(): name for name in reversed(there)}
    return next((lowered[name] for name in wanted if name in lowered), None)


class _Seen(NamedTuple):
    value: Number | None
    below: tuple[Watched, ...]


@dataclass(slots=True)
class Entry:
    kind: str  # call, vars, return, read, open
    frame: int  # which frame (0: none)
    node: Node | None = None
    code: CodeType | None = None
    vars: Vars = NOTHING
    value: Any = None


class Log:
    """What a run did, in the order in which it did it."""

    def __init__(self, tree: Tree, calls: int, seconds: float):
        self.tree, self.calls, self.seconds = tree, calls, seconds
        self.entries: list[Entry] = []
        self.nodes: dict[int, Watched] = {}
        self.seen: dict[int, _Seen] = {}
        self.frames: list[tuple[FrameType, int, tuple[str | None, str | None, str | None]]] = []  # under way, numbered
        self.before: dict[int, Vars] = {}
        self.made = 0
        self.off = True

    def watched(self, node: Node) -> Watched:
        if node.index not in self.nodes:
            self.nodes[node.index] = Watched(node, self)
        return self.nodes[node.index]

    def note(self, kind: str, node: Node) -> "_Seen":
        """Write down that the node's value was read or its children asked for, and answer with both."""
        if node.index not in self.seen:
            self.seen[node.index] = _Seen(node.value, tuple(map(self.watched, node.children)))
        if not self.off:
            self._look()
            self.entries.append(Entry(kind, 0, node))
            sys.settrace(self._on_call)
        return self.seen[node.index]

    def run(self, function: Callable[..., Any], bounds: tuple[Any, ...], names: Names) -> str:
        """Call the function; the answer says what went wrong, if anything."""
        self.names = names
        before = sys.gettrace()
        watchdog = _Watchdog(self.seconds)
        self.off = False
        try:
            with watchdog:
                sys.settrace(self._on_call)
                function(self.watched(self.tree.root), *bounds)
            return ""
        except _Stopped as stop:
            return str(stop) or f"it was stopped after {self.seconds:g} seconds"
        except RecursionError:
            return "it called itself without end"
        except Exception as error:
            return f"it raised {type(error).__name__}: {error}"
        finally:
            sys.settrace(before)
            self.off = True
            self.frames.clear()

    def _on_call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename == __file__ or frame.f_globals.get("__name__", "").partition(".")[0] == "abviz":
            return None
        self.made += 1
        if self.made > self.calls:
            raise _Stopped(f"it was stopped after {self.calls:,} calls")
        node_at, node = self._node_of(frame)
        if node is None or code.co_name == "<lambda>":
            return None
        self._look()
        number = len(self.entries) + 1
        names = self.names.of(code, node_at)
        now = _values(frame, names)
        self.frames.append((frame, number, names))
        self.before[number] = now
        self.entries.append(Entry("call", number, node, code, now))
        frame.f_trace_lines = False
        return self._on_return

    def _node_of(self, frame: FrameType) -> tuple[int, Node | None]:
        local = frame.f_locals
        for place, name in enumerate(frame.f_code.co_varnames[: frame.f_code.co_argcount]):
            if isinstance(local.get(name), Watched):
                return place, local[name]._node
        return 0, None

    def _on_return(self, frame: FrameType, event: str, value: Any) -> Any:
        if event == "return" and not self.off:
            self._look()
            _, number, _ = self.frames.pop()
            self.entries.append(Entry("return", number, value=_number(value)))
        return self._on_return

    def _look(self) -> None:
        """What the variables of the innermost function hold; nothing that matters happens between two looks."""
        if self.frames:
            frame, number, names = self.frames[-1]
            now = _values(frame, names)
            if now != self.before[number]:
                self.before[number] = now
                self.entries.append(Entry("vars", number, vars=now))


def _values(frame: FrameType, names: tuple[str | None, str | None, str | None]) -> Vars:
    local = frame.f_locals
    alpha, beta, best = names
    return (
        _number(local.get(alpha)) if alpha else None,
        _number(local.get(beta)) if beta else None,
        _number(local.get(best)) if best else None,
    )


def _number(value: Any) -> Number | None:
    """A value as a variable for α, β or the best may hold it; the first of a pair (value, move)."""
    if isinstance(value, tuple) and value:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        return None
    return value
