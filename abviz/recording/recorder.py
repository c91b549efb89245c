"""A student's own function, run on a tree and turned into a Trace: what it did, and what its
variables held.

A profile function, which Python calls at every call and return, reads the variables of the frames;
unlike a trace function it takes nothing from coverage.
"""

import dis
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from abviz.errors import NOT_WRITTEN, AbvizError, Number, brief, failure, quoted
from abviz.recording.functions import (
    FULL,
    HIGHS,
    LOWS,
    NOT_FOLLOWED,
    Function,
    Names,
    Window,
    all_of,
    as_number,
    minus,
)
from abviz.recording.negamax import Side, guess_side
from abviz.recording.replay import Replay
from abviz.recording.roles import Entry, Roles
from abviz.recording.source import Source
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.algorithms import Rules, check_window
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.annotations import has_folded_parts
from abviz.tree.model import Node, Tree

CALLS_A_NODE, FEWEST_CALLS, MOST_CALLS = 50, 5_000, 100_000  # a search that deepens needs some 20
EXPECTED = "expected a function f(node) or f(node, alpha, beta)"
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
HERE = str(Path(__file__).parent)


def record(
    function: Callable[..., Any],
    tree: Tree,
    *,
    alpha: str | None = None,
    beta: str | None = None,
    best: str | None = None,
    window: Window = FULL,
    negamax: bool | None = None,
    seconds: float = 5.0,
) -> Trace:
    """Run the function on the tree once and return what it did.

    It is called as f(root), or as f(root, α, β) where it has parameters for a window. Its variables
    for α, β and the best value have one of the usual names, or the names given here; where there is
    none, a dash is shown. The values of a negamax are turned to MAX's side: it is guessed from
    their signs at MIN nodes, or given; where the signs leave it open, a dash is shown.
    `trace.problem` says what went wrong: an exception, or a run that was stopped. It has `seconds`,
    and 50 calls for each node of the tree (at least 5,000 and at most 100,000).
    """
    if not isinstance(tree, Tree):
        raise AbvizError(
            f"asked to record on {brief(tree)}; expected a Tree: load(name), or Tree(nested lists)"
        )
    if has_folded_parts(tree):
        raise AbvizError(
            "asked to record on a tree with folded parts; expected one with every node: fold=False"
        )
    if not isinstance(seconds, int | float) or not seconds > 0:
        raise AbvizError(f"seconds is {brief(seconds)}; expected a number above 0")
    name = str(getattr(getattr(function, "func", function), "__name__", type(function).__name__))
    arguments = _arguments(function, name, window, (alpha, beta))
    recorder = Recorder(tree, (alpha, beta, best))
    problem, answer = recorder.run(lambda root: function(root, *arguments), seconds)
    recorder.running = False  # a function that could not be stopped may still run

    codes = [each.code for each in recorder.functions.values()]
    variables = {
        variable
        for code in codes
        for variable in code.co_varnames + code.co_cellvars + code.co_freevars
    }
    for variable in filter(None, (alpha, beta, best)):
        if not problem and variable not in variables:
            raise AbvizError(f"{name} has no variable {brief(variable)}; expected the name of one")

    options = {"name": name, "window": window, "takes_window": bool(arguments), "problem": problem}
    options |= {"returned": as_number(answer), "more": isinstance(answer, tuple | list)}
    return recorder.trace(options, answer, negamax)


def _arguments(
    function: Any, name: str, window: Any, bounds: tuple[str | None, ...]
) -> tuple[Number, ...]:
    """Return the arguments after the root: α and β, or none."""
    if not isinstance(window, tuple | list) or len(window) != 2:
        raise AbvizError(f"window is {brief(window)}; expected a pair of numbers (α, β), α < β")
    low_high = check_window(*window)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise AbvizError(f"cannot record {brief(function)}; {EXPECTED}") from None
    parameters = list(signature.parameters.values())
    names = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY][1:3]
    is_named = len(names) == 2 and all(
        each in bounds or all_of(LOWS + HIGHS, [each]) for each in names
    )
    takes_window = is_named or sum(each.default is each.empty for each in parameters) == 3
    if not takes_window and low_high != FULL:
        raise AbvizError(
            f"{quoted(name)} takes no window; expected a function f(node, alpha, beta)"
        )
    arguments = low_high if takes_window else ()
    try:
        signature.bind(None, *arguments)
    except TypeError as error:
        raise AbvizError(f"{quoted(name)} cannot be called: {error}; {EXPECTED}") from None
    return arguments


class HandedNode:
    """A node as a student's function gets it."""

    __slots__ = ("_node", "_parent", "_recorder", "children", "is_leaf", "is_max", "name")

    def __init__(self, node: Node, parent: Node | None, recorder: "Recorder"):
        self.name, self.is_leaf, self.is_max = node.name, not node.children, node.is_max
        # The parent handed would make a cycle
        self._node, self._parent, self._recorder = node, parent, recorder

    def __getattr__(self, name: str) -> Any:
        # Made when they are first asked for: most nodes of a tree are cut off
        if name != "children":
            raise AttributeError(f"'Node' object has no attribute {name!r}")
        self.children = tuple(
            [HandedNode(child, self._node, self._recorder) for child in self._node.children]
        )
        return self.children

    @property
    # Nothing is called in it, and no variable set: both would slow its profiling
    def value(self) -> Number | None:
        if self._recorder.seen is self:
            self._recorder.seen = None
        elif self.is_leaf and self._recorder.running:  # in another thread
            self._recorder.follows_moves = False
            self._recorder.log.append(("read", self._node, (), None, None))
        return self._node.value

    def __repr__(self) -> str:
        return repr(self._node)


HandedNode.__name__ = HandedNode.__qualname__ = "Node"  # as errors in a student's function name it
READS_VALUE: CodeType = HandedNode.value.fget.__code__  # type: ignore[attr-defined]


# A call under way that was handed a node: its frame, its function, and whether one of its nodes is
# no leaf, so that its variables matter.
OpenCall = tuple[FrameType | None, Function | None, bool]


class Recorder:
    """The run of a function, and the log of it, whose entries are described in `roles`."""

    def __init__(self, tree: Tree, given: Names):
        self.tree = tree
        self.given = given
        self.log: list[Entry] = []
        self.functions: dict[int, Function] = {}  # by id of their code, whose hash is slow
        self.running = False
        # As it is read in the thread of the run, which alone is profiled
        self.seen: HandedNode | None = None
        self.follows_moves = True  # no leaf was read in another thread
        self.stopped = ""  # why

    def run(self, function: Callable[[Any], Any], seconds: float) -> tuple[str, Any]:
        """Call the function with the root; return what went wrong, or "", and what it returned."""
        problem, answer = "", None
        try:
            answer = run_with_timeout(lambda: self._run(function), seconds)
            if answer is None and sum(kind in ("call", "read") for kind, *_ in self.log) < 2:
                problem = NOT_WRITTEN
        except TimeLimit:
            problem = f"it was stopped after {seconds:g} seconds"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            problem = failure(error)
        return (self.stopped, None) if self.stopped else (problem, answer)

    def _run(self, function: Callable[[Any], Any]) -> Any:
        root = HandedNode(self.tree.root, None, self)
        self.running = True
        sys.setprofile(self._profiler())
        try:
            return function(root)
        finally:
            sys.setprofile(None)
            self.running = False

    def _profiler(self) -> Callable[[FrameType, str, Any], None]:
        functions, write = self.functions, self.log.append
        most = min(max(FEWEST_CALLS, CALLS_A_NODE * len(self.tree.nodes)), MOST_CALLS)
        stack: list[OpenCall] = [(None, None, False)]
        calls = 0

        def profile(frame: FrameType, event: str, result: Any) -> None:
            if event == "call":
                code = frame.f_code
                if code is READS_VALUE:
                    on_read(frame.f_locals["self"])
                    return
                function = functions.get(id(code)) or self._meet(code)
                if function.parameters:
                    on_call(frame, function)
            elif event == "return" and frame is stack[-1][0]:
                on_return(frame, result)

        def on_call(frame: FrameType, function: Function) -> None:
            values = frame.f_locals
            nodes: list[Node | None] = [None] * len(function.parameters)
            has_node = has_inner = False
            for place, name in enumerate(function.parameters):
                handed = values.get(name)
                if type(handed) is HandedNode and handed._recorder is self:
                    nodes[place] = handed._node
                    has_node = True
                    if not handed.is_leaf:
                        has_inner = True
                        handed.children  # noqa: B018 -- made here, where nothing is profiled
            if not has_node:
                return

            count()
            if not function.is_named:
                function.find_names(self.given)
            write(("call", nodes, look(), function, variables(function, 0, values)))
            stack.append((frame, function, has_inner))

        def on_read(handed: HandedNode) -> None:
            if handed._recorder is not self:
                return
            count()
            if handed.is_leaf:
                self.seen = handed
                write(("read", handed._node, look(), None, None))

        def on_return(frame: FrameType, result: Any) -> None:
            lasti = frame.f_lasti
            is_return = result is not None or frame.f_code.co_code[lasti] in RETURNS
            write(("return", result, look(), lasti, is_return))
            stack.pop()

        def look() -> Any:
            """Return what the innermost call with a node holds now."""
            frame, function, has_inner = stack[-1]
            if not has_inner:
                return ()
            return variables(function, frame.f_lasti, frame.f_locals)  # type: ignore[arg-type, union-attr]

        def variables(function: Function, lasti: int, held: Any) -> Any:
            best = None
            for name in function.bests:
                best = held.get(name)
                if best is not None:
                    break
            if type(best) is list:  # it may hold other things later
                best = tuple(best)
            return lasti, held.get(function.alpha), held.get(function.beta), best

        def count() -> None:
            """Count the calls that concern a node: an import makes thousands of others."""
            nonlocal calls
            calls += 1
            if calls > most:
                self.stopped = f"it was stopped after {most:,} calls"
                self.running = False
                raise TimeLimit

        return profile

    def _meet(self, code: CodeType) -> Function:
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if (
            code.co_flags & NOT_FOLLOWED
            or code.co_filename.startswith(HERE)
            or code.co_name == "__init__"
        ):
            parameters = ()
        return self.functions.setdefault(id(code), Function(code, parameters))

    def trace(self, options: dict[str, Any], answer: Any, negamax: bool | None) -> Trace:
        log = self.log[:]
        while log and log[-1][0] == "return" and not log[-1][-1]:
            log.pop()  # left by an exception that ended the run

        roles = Roles(self.tree, log)
        roles.follows_moves = roles.follows_moves and self.follows_moves
        window = options["window"]
        facts = {"window": window, "is_answered": as_number(answer) is not None}
        side = Side.MOVER if negamax else Side.MAX
        replay = Replay(self.tree, log, roles, side=side, **facts)
        if negamax is None and (side := guess_side(replay.numbers)) is not Side.MAX:
            replay = Replay(self.tree, log, roles, side=side, **facts)
        replay.drop_other_variables()
        if not options["problem"]:
            replay.finish(answer)

        if side is Side.MOVER and not self.tree.root.is_max:
            low, high = window
            options |= {"window": (-high, -low), "returned": minus(options["returned"])}
        marks = {
            "negamax": side is Side.MOVER,
            "skips_nodes": not roles.follows_moves,
            "nothing": replay.nothing,
        }
        options |= {name: mark for name, mark in marks.items() if mark}
        searching = [each.code for each in self.functions.values() if each.searches]
        options["source"] = Source(searching, replay.places)
        return Trace(self.tree, replay.events, search=RECORDED, rules=Rules(), options=options)
