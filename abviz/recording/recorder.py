"""A student's own function, run on a tree and turned into a Trace: what it did, and what its variables held.

A profile function, which Python calls at every call and return, reads the variables of the frames; unlike a trace
function it takes nothing from coverage.
"""

import dis
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from math import inf
from pathlib import Path
from textwrap import dedent
from types import CodeType, FrameType
from typing import Any

from abviz.errors import NOT_WRITTEN, AbvizError, Number, brief, failure, plain, quoted
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.algorithms import Event, Rules, check_window
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Node, Tree

ALPHAS, BETAS = ("alpha", "α", "alfa"), ("beta", "β")  # the usual names, without underscores
LOWS, HIGHS = (*ALPHAS, "a", "low", "lo", "lower"), (*BETAS, "b", "high", "hi", "upper")  # of parameters
BESTS = ("bv", "bestvalue", "bestval", "bestscore", "best", "maxeval", "mineval", "utval")
WEAK_BESTS = ("v", "value", "val", "score", "result", "res")  # where the function returns them, else a child's value
FULL = -inf, inf
CALLS_A_NODE, FEWEST_CALLS, MOST_CALLS = 50, 5_000, 100_000  # a search that deepens needs some 20
VOTES = 10  # returned values, or windows handed down, that are looked at for their sign
EXPECTED = "expected a function f(node) or f(node, alpha, beta)"
NOT_FOLLOWED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR  # they return at each `yield`
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
MAKE = tuple.__new__  # of an Event: half the time of calling it
HERE = str(Path(__file__).parent)

Window = tuple[Number, Number]
Names = tuple[str | None, str | None, str | None]  # of the variables for α, β and the best value
Held = tuple[Number | None, Number | None, Number | None]  # what these variables held
Look = tuple[int, Any, Any, Any]  # how far a function was (its f_lasti), and what these variables held
Place = tuple[CodeType, int]  # a function, and how far it was


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

    It is called as f(root), or as f(root, α, β) where it has parameters for a window. Its variables for α, β and the
    best value have one of the usual names, or the names given here; where there is none, a dash is shown. The values of
    a negamax are turned to MAX's side: it is guessed from their signs at MIN nodes, or given. `trace.problem` says what
    went wrong: an exception, or a run that was stopped. It has `seconds`, and 50 calls for each node of the tree (at
    least 5,000 and at most 100,000).
    """
    if not isinstance(tree, Tree):
        raise AbvizError(f"asked to record on {brief(tree)}; expected a Tree: load(name), or Tree(nested lists)")
    if type(tree) is not Tree and any(map(tree.folded, tree.nodes)):
        raise AbvizError("asked to record on a tree with folded parts; expected one with every node: fold=False")
    if not isinstance(seconds, int | float) or not seconds > 0:
        raise AbvizError(f"seconds is {brief(seconds)}; expected a number above 0")
    name = str(getattr(getattr(function, "func", function), "__name__", type(function).__name__))
    arguments = _arguments(function, name, window, (alpha, beta))
    recorder = _Recorder(tree, (alpha, beta, best))
    problem, answer = recorder.run(lambda root: function(root, *arguments), seconds)
    codes = [each.code for each in recorder.functions.values()]
    variables = {variable for code in codes for variable in code.co_varnames + code.co_cellvars + code.co_freevars}
    for variable in filter(None, (alpha, beta, best)):
        if not problem and variable not in variables:
            raise AbvizError(f"{name} has no variable {brief(variable)}; expected the name of one")
    options = {"name": name, "window": window, "takes_window": bool(arguments), "problem": problem}
    options |= {"returned": as_number(answer), "more": isinstance(answer, tuple | list)}
    recorder.running = False  # a function that could not be stopped may still run
    return recorder.trace(options, negamax)


def _arguments(function: Any, name: str, window: Any, bounds: tuple[str | None, ...]) -> tuple[Number, ...]:
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
    is_named = len(names) == 2 and all(each in bounds or _all_of(LOWS + HIGHS, [each]) for each in names)
    takes_window = is_named or sum(each.default is each.empty for each in parameters) == 3
    if not takes_window and low_high != FULL:
        raise AbvizError(f"{quoted(name)} takes no window; expected a function f(node, alpha, beta)")
    arguments = low_high if takes_window else ()
    try:
        signature.bind(None, *arguments)
    except TypeError as error:
        raise AbvizError(f"{quoted(name)} cannot be called: {error}; {EXPECTED}") from None
    return arguments


class HandedNode:
    """A node as a student's function gets it."""

    __slots__ = ("_node", "_parent", "_recorder", "children", "is_leaf", "is_max", "name")

    def __init__(self, node: Node, parent: Node | None, recorder: "_Recorder"):
        self.name, self.is_leaf, self.is_max = node.name, not node.children, node.is_max
        self._node, self._parent, self._recorder = node, parent, recorder  # the parent handed would make a cycle

    def __getattr__(self, name: str) -> Any:
        if name != "children":  # made when they are first asked for: most nodes of a tree are cut off
            raise AttributeError(f"'Node' object has no attribute {name!r}")
        self.children = tuple([HandedNode(child, self._node, self._recorder) for child in self._node.children])
        return self.children

    @property
    def value(self) -> Number | None:  # nothing is called in it, and no variable set: both would slow its profiling
        if self._recorder.seen is self:
            self._recorder.seen = None
        elif self.is_leaf and self._recorder.running:  # in another thread
            self._recorder.follows_moves = False
            self._recorder.log += (("read", self._node, (), None, None),)
        return self._node.value

    def __repr__(self) -> str:
        return repr(self._node)


HandedNode.__name__ = HandedNode.__qualname__ = "Node"  # as errors in a student's function name it
READS_VALUE: CodeType = HandedNode.value.fget.__code__  # type: ignore[attr-defined]


@dataclass(slots=True, eq=False)
class _Function:
    """A function of the student's, and which of its variables are the node, α, β and the best value."""

    code: CodeType
    parameters: tuple[str, ...]  # none where its calls are not followed
    node: str = ""  # "": it has not been called with one
    alpha: str | None = None
    beta: str | None = None
    bests: tuple[str, ...] = ()  # at times one for MAX nodes and one for MIN nodes
    is_first: bool = False
    descends: bool = False  # it has called or read a child of its node
    reads: bool = False  # a value was read in a call of it
    recursive: bool = False
    returned: Any = None  # the last that it returned, but None

    @property
    def searches(self) -> bool:
        """Whether its calls are those of a search, and not of a helper that sorts or prints nodes, say."""
        if self.is_first or not (self.descends and self.reads):
            return self.is_first
        return self.recursive or self.returned is None or as_number(self.returned) is not None

    def find_node(self, values: Any, given: Names) -> Any:
        """Return the node with which it is called. At the first one, find the variables."""
        for name in self.parameters:
            if type(handed := values.get(name)) is HandedNode:
                local = [*self.code.co_varnames, *self.code.co_cellvars]
                lows, highs = _all_of(LOWS, self.parameters), _all_of(HIGHS, self.parameters)
                if not (lows and highs):
                    lows, highs = _all_of(ALPHAS, local), _all_of(BETAS, local)
                self.node, (self.alpha, self.beta, best) = name, given
                if lows and highs:
                    self.alpha, self.beta = self.alpha or lows[0], self.beta or highs[0]
                bests = [best] if best else _all_of(BESTS, local) or _all_of(WEAK_BESTS, _returned(self.code))
                self.bests = tuple(bests)
                return handed
        return None


def _all_of(names: tuple[str, ...], present: Sequence[str]) -> list[str]:
    lowered = {name.lower().replace("_", ""): name for name in reversed(present)}
    return [lowered[name] for name in names if name in lowered]


@lru_cache
def _returned(code: CodeType) -> list[str]:
    """Return the variables that the function returns as they are."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "CACHE"]
    loads = [step for step, after in pairwise(steps) if after.opname == "RETURN_VALUE"]
    return [str(step.argval) for step in loads if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))]


class _Recorder:
    """The run of a function, and the log of it.

    The log has entries of five fields, in their order; `look` is what was seen of the innermost call with a node before
    it, or () where that node is a leaf, in which nothing that matters changes:
      call    node, look, function, look at it        a function is called with a node
      read    leaf, look                              its value is read
      return  value, look, f_lasti, is it a return    the innermost call returns, or an exception leaves it
    """

    def __init__(self, tree: Tree, given: Names):
        self.tree, self.given = tree, given
        self.log: list[tuple[Any, ...]] = []
        self.functions: dict[int, _Function] = {}  # by id of their code, whose hash is slow
        self.running = False
        self.seen: HandedNode | None = None  # as it is read in the thread of the run, which alone is profiled
        self.follows_moves = True  # every node is called or read from a call of its parent, or of the same node
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
        stack: list[Any] = [(None, None, None)]  # of each call with a node: its frame, its function and the node
        calls = 0

        def profile(frame: FrameType, event: str, result: Any) -> None:
            nonlocal calls
            function = handed = None
            if event == "call":
                code = frame.f_code
                if code is READS_VALUE:
                    handed = frame.f_locals["self"]
                else:
                    function = functions.get(id(code)) or self._meet(code)
                    if not function.parameters:
                        return
                    values: Any = frame.f_locals
                    handed = values.get(function.node)
                    if type(handed) is not HandedNode:
                        handed = function.find_node(values, self.given)
                if handed is None or handed._recorder is not self:
                    return
                calls += 1  # of those that concern a node: an import makes thousands of others
                if calls > most:
                    self.stopped, self.running = f"it was stopped after {most:,} calls", False
                    raise TimeLimit
            elif event != "return" or frame is not stack[-1][0]:
                return
            top, of_top, above = stack[-1]
            look: Any = ()
            if of_top and not above.is_leaf:
                held: Any = top.f_locals
                best = None
                for name in of_top.bests:
                    best = held.get(name)
                    if best is not None:
                        break
                if type(best) is list:  # it may hold other things later
                    best = tuple(best)
                look = top.f_lasti, held.get(of_top.alpha), held.get(of_top.beta), best
            if handed is None:
                stack.pop()
                lasti = frame.f_lasti
                write(("return", result, look, lasti, result is not None or frame.f_code.co_code[lasti] in RETURNS))
                if result is not None:
                    of_top.returned = result
                if of_top.reads and stack[-1][1]:
                    stack[-1][1].reads = True
                return
            if not of_top:
                self.follows_moves &= handed._node is self.tree.root
            elif handed._parent is above._node:
                of_top.descends = True
            elif handed is not above:
                self.follows_moves &= any(handed is each for _, _, each in stack)
            if function is None:
                if handed.is_leaf:
                    self.seen = handed
                    if of_top:
                        of_top.reads = True
                    write(("read", handed._node, look, None, None))
                return
            if not of_top:
                function.is_first = True
            elif not (function.recursive and of_top.recursive):
                around = [each for _, each, _ in stack]
                for each in around[around.index(function) :] if function in around else ():
                    each.recursive = True
            own = 0, values.get(function.alpha), values.get(function.beta), None
            write(("call", handed._node, look, function, own))
            stack.append((frame, function, handed))
            if not handed.is_leaf:
                handed.children  # noqa: B018 -- made here, where nothing is profiled

        return profile

    def _meet(self, code: CodeType) -> _Function:
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if code.co_flags & NOT_FOLLOWED or code.co_filename.startswith(HERE) or code.co_name == "__init__":
            parameters = ()
        return self.functions.setdefault(id(code), _Function(code, parameters))

    def trace(self, options: dict[str, Any], negamax: bool | None) -> Trace:
        log, functions = self.log[:], list(self.functions.values())
        while log and log[-1][0] == "return" and not log[-1][-1]:
            log.pop()  # left by an exception that ended the run
        if not any(kind == "read" for kind, *_ in log):  # a search without a leaf case reads no value
            for function in functions:
                function.descends = function.reads = bool(function.node)
        searching = {function for function in functions if function.searches}
        replay = _Replay(self, log, searching, bool(negamax))
        if negamax is None and replay.seems_negamax():
            negamax, replay = True, _Replay(self, log, searching, True)
        if negamax and not self.tree.root.is_max:
            low, high = options["window"]
            options |= {"window": (-high, -low), "returned": _minus(options["returned"])}
        marks = {"negamax": negamax, "skips_nodes": not self.follows_moves, "nothing": replay.nothing}
        options |= {name: mark for name, mark in marks.items() if mark}
        options["source"] = Source([each.code for each in searching], replay.places)
        return Trace(self.tree, replay.events, search=RECORDED, rules=Rules(), options=options)


class _Call:
    """A call of a function that searches. Its node is entered when it first calls or reads a child."""

    entered = False
    resumes = False  # it goes on with the children of its node, as the call around it has begun
    resumed = False  # a call within it has done so
    ended: Node | None = None  # the node whose search has ended since: its own, in a call within, or a child

    def __init__(self, node: Node, code: CodeType, outer: "_Call | None", look: Look, shown: Held):
        self.node, self.code, self.outer = node, code, outer
        self.look = self.seen = look  # the latest, and the one that the latest event shows
        self.shown = shown  # its numbers
        self.searched: list[Node] = []


class _Replay:
    """The log, read as the events of a search; bounds and values of a negamax are turned to MAX's side."""

    def __init__(self, run: _Recorder, log: list[tuple[Any, ...]], searching: set[_Function], negamax: bool):
        self.tree, self.negamax = run.tree, negamax
        self.nothing: str | None = None  # the first node for which None was returned
        self.read_by_parent: set[Node] = set()  # leaves, not in a call of their own
        self.top: _Call | None = None  # the innermost call under way of a function that searches
        self.events: list[Event] = []
        self.places: list[Place | None] = []
        (self._show_moves if run.follows_moves else self._show_leaves)(log, searching)

    def _show_leaves(self, log: list[tuple[Any, ...]], _: Any) -> None:
        """Show only the leaves: without a call for every node, nobody knows whose the variables are."""
        root = self.tree.root
        self._write(None, "enter", root, None, None, None, None)
        for kind, what, *_ in log:
            if kind == "read" and self.events[-1].node is not what:
                self._write(None, "leaf", what, None, None, None, what.value)
        if log[-1][0] == "return":
            value = as_number(log[-1][1])
            value = _minus(value) if self.negamax and not root.is_max else value
            self._write(None, "exit", root, None, None, None, value)

    def _show_moves(self, log: list[tuple[Any, ...]], searching: set[_Function]) -> None:
        calls: list[_Call | None] = [None]  # None: of a helper, which is handed a node and searches nothing
        for kind, what, look, second, third in log:
            if look and (call := calls[-1]):
                call.look = look
            if kind == "call":
                calls.append(self._call(what, second.code, third) if second in searching else None)
            elif kind == "read":
                self._read(what)
            elif call := calls.pop():
                self._return(call, as_number(what), second, third and what is None)
        last = self.top
        if last and not last.entered and not last.ended:  # an exception or a limit ended the run
            if last.node.children:
                self._settle(last)
            else:
                self._write((last.code, 0), "leaf", last.node, *last.shown, None)

    def seems_negamax(self) -> bool:
        """Return whether α and β change places and signs on their way down, and what is returned for MIN nodes is the
        opposite of the value of a leaf below; where that decides nothing, whether best values become the opposites of
        what children return."""
        windows: dict[Node | None, Any] = {}  # of each node, as its latest event shows it
        bests: dict[Node, Any] = {}
        handed_down, handed_up, returned = 0, 0, []
        for kind, node, alpha, beta, best, value in self.events:
            above = self.tree.parent(node)
            low, high = window = windows.get(above, FULL)
            is_call = kind in ("enter", "leaf") and node not in self.read_by_parent
            if is_call and above and above.is_max != node.is_max and window != FULL and None not in window:
                handed_down += ((alpha, beta) == (-high, -low)) - ((alpha, beta) == (low, high))
            if kind == "bv" and value and best is not None and best != bests.get(node):
                handed_up += (best == -value) - (best == value)
            bests[node] = best
            if value and not node.is_max and (kind == "exit" or (kind == "leaf" and is_call)):
                leaves = {each.value for each in self.tree.below(node) if each.is_leaf}
                returned.append((-value in leaves) - (value in leaves))
            windows[node] = alpha, beta
            if len(returned) >= VOTES and abs(handed_down) >= VOTES:
                break
        if handed_down > 0:  # an alpha-beta may hand them down so by mistake
            return not returned or max(returned) >= 0
        return handed_down == 0 and (sum(returned) or handed_up) > 0

    def _call(self, node: Node, code: CodeType, look: Look) -> _Call:
        outer = self.top
        if outer and (outer.node is not node or outer.entered):
            self._settle(outer)
        if outer and not self.negamax and look[1] is outer.seen[1] and look[2] is outer.seen[2]:
            shown: Held = outer.shown[0], outer.shown[1], None
        else:
            shown = self._numbers(node, *look[1:])
        self.top = call = _Call(node, code, outer, look, shown)
        if outer and outer.node is node and outer.entered:
            call.resumes = call.entered = True
            call.shown, call.searched = outer.shown, outer.searched
        return call

    def _read(self, leaf: Node) -> None:
        top = self.top
        if not top or top.ended is leaf:
            return  # looked at again
        if top.node is not leaf:
            self._settle(top)
            top.searched.append(leaf)
            self.read_by_parent.add(leaf)
        alpha, beta, _ = top.shown
        self._write((top.code, top.look[0]), "leaf", leaf, alpha, beta, None, leaf.value)
        top.ended = leaf

    def _return(self, call: _Call, value: Number | None, lasti: int, is_nothing: bool) -> None:
        node, place, outer = call.node, (call.code, lasti), call.outer
        if self.negamax and not node.is_max and not (call.ended is node and value == self.events[-1].value):
            value = _minus(value)  # but not where a call within has, and this one returns it from MAX's side
        if is_nothing and self.nothing is None:
            self.nothing = node.name
        if call.ended is node and not call.entered:
            if value != self.events[-1].value and (value is not None or is_nothing):
                self.events[-1] = self.events[-1]._replace(value=value)
            self.places[-1] = place
        elif node.children:
            if not call.resumed:
                self._settle(call)
            if call.resumes and outer:
                outer.shown, outer.resumed = call.shown, True
            else:
                if call.searched or value is not None:  # a function that is not written yet cuts nothing
                    for child in node.children:
                        if child not in call.searched:
                            self._write(place, "cut", child, *call.shown, None)
                self._write(place, "exit", node, *call.shown, value)
        else:
            alpha, beta, _ = call.shown
            self._write(place, "leaf", node, alpha, beta, None, value)
        self.top = outer
        if outer:
            outer.ended = node
            if outer.node is not node:
                outer.searched.append(node)

    def _settle(self, call: _Call) -> None:
        """Before anything else happens at a node: it is entered, or has answered what a child returned."""
        node, look, seen = call.node, call.look, call.seen
        alpha, beta, best = old_alpha, old_beta, old_best = call.shown
        if look[1] is not seen[1] or look[2] is not seen[2] or look[3] is not seen[3]:
            alpha, beta, best = call.shown = self._numbers(node, look[1], look[2], look[3])
        answers = call.ended and call.ended is not node
        place = call.code, (seen if answers else look)[0]
        call.seen, call.ended = look, None
        if not call.entered:
            call.entered = True
            self._write(place, "enter", node, old_alpha, old_beta, best, None)
        elif answers or best != old_best:
            value = self.events[-1].value if answers else None
            self._write(place, "bv", node, old_alpha, old_beta, best, value)
        if alpha != old_alpha:
            self._write(place, "alpha", node, alpha, old_beta, best, None)
        if beta != old_beta:
            self._write(place, "beta", node, alpha, beta, best, None)

    def _write(self, place: Place | None, *event: Any) -> None:
        self.events.append(MAKE(Event, event))
        self.places.append(place)

    def _numbers(self, node: Node, alpha: Any, beta: Any, best: Any) -> Held:
        if self.negamax and not node.is_max:
            return _minus(as_number(beta)), _minus(as_number(alpha)), _minus(as_number(best))
        return as_number(alpha), as_number(beta), as_number(best)


def as_number(value: Any) -> Number | None:
    """Return the number that a variable holds or a function returns, also of a pair (value, move) or (move, value)."""
    kind = type(value)  # the first line serves nearly all
    if value is None or (kind is int and -(10**15) < value < 10**15) or (kind is float and value in FULL):
        return value  # type: ignore[no-any-return]
    if isinstance(value, tuple | list):
        numbers = [each for each in map(as_number, value) if each is not None] if len(value) > 1 else []
        return numbers[0] if len(numbers) == 1 else None
    try:
        return plain(value)
    except Exception:  # too large, or a number of the student's own that fails
        return None


def _minus(value: Number | None) -> Number | None:
    return None if value is None else -value


class Source:
    """The lines of the functions that search, in the order of the file, and which of them runs at each event."""

    def __init__(self, codes: Iterable[CodeType], places: list[Place | None]):
        self.codes, self.places = codes, places

    @cached_property
    def _text(self) -> dict[tuple[str, int], str]:
        """Each line by its file and number; none where Python has not kept it."""
        text: dict[tuple[str, int], str] = {}
        for code in sorted(self.codes, key=lambda each: (each.co_filename, each.co_firstlineno)):
            file, first = code.co_filename, code.co_firstlineno
            if (file, first) not in text:  # else it lies within the function before
                try:
                    lines, _ = inspect.getsourcelines(code)
                except Exception:  # there is no file, or no Python in it
                    continue
                if text:
                    text[file, -first] = ""
                block = dedent("".join(lines).expandtabs(4)).rstrip().split("\n")
                text |= {(file, number): line for number, line in enumerate(block, first)}
        return text

    def function(self, event: int) -> str:
        """Return the name of the function that runs at that event; "" where it has none of its own."""
        place = self.places[event]
        name = place[0].co_name if place else ""
        return name if name.isidentifier() and name[:2] != "__" else ""

    @property
    def lines(self) -> list[str]:
        return list(self._text.values())

    @cached_property
    def running(self) -> list[int | None]:
        """The index of a line for each event."""
        index = {line: i for i, line in enumerate(self._text)}
        lines = {}
        for code, lasti in filter(None, set(self.places)):
            line, *_ = next(islice(code.co_positions(), lasti // 2, None))
            lines[code, lasti] = index.get((code.co_filename, line or code.co_firstlineno))
        return [lines[place] if place else None for place in self.places]
