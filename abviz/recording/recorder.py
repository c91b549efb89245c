"""A student's own function as a Trace: what it did on a tree, and what its variables held.

A profile function, which Python calls at every call and return, reads the variables of the frames;
unlike a trace function it takes nothing from coverage.
"""

import dis
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from abviz.errors import NOT_WRITTEN, RAISED, AbvizError, Number, brief, failure, quoted
from abviz.recording.functions import (
    ALPHAS,
    BETAS,
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
from abviz.recording.negamax import Side, guess_side, shows_sign
from abviz.recording.replay import Replay
from abviz.recording.roles import Entry, Look, NoLook, Roles
from abviz.recording.source import Place, Source, places_of
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.algorithms import Rules, check_window
from abviz.tracing.traces import RECORDED, Options, Trace
from abviz.tree.annotations import has_folded_parts
from abviz.tree.model import Node, Tree

# The limit of a run; a search that deepens needs some 20 calls a node.
CALLS_A_NODE = 50
FEWEST_CALLS = 5_000
MOST_CALLS = 100_000

EXPECTED = "expected a function f(node) or f(node, alpha, beta)"
RETURNS = [dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap]
HERE = str(Path(__file__).parent)
POSITIONAL = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD


def record(
    function: Callable[..., object],
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
    none, a dash is shown.

    The values of a negamax are turned to MAX's side: it is guessed from their signs at MIN nodes,
    or given; where the signs leave it open, a dash is shown.

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

    # A partial function has the name of the function in it.
    named = getattr(function, "func", function)
    name = str(getattr(named, "__name__", type(function).__name__))
    arguments = _arguments(function, name, window, (alpha, beta))
    takes_anything = _takes_anything(function)

    recorder = Recorder(tree, (alpha, beta, best))
    problem, answer = recorder.run(lambda root: function(root, *arguments), seconds)
    recorder.running = False  # a function that could not be stopped may still run

    # One that hands its arguments on to a search without bounds fails at once.
    if takes_anything and arguments == FULL and problem.startswith(RAISED) and not recorder.reads:
        without = Recorder(tree, (alpha, beta, best))
        its_problem, its_answer = without.run(function, seconds)
        without.running = False
        if not its_problem:
            recorder, problem, answer = without, its_problem, its_answer
            arguments = ()

    if not problem:
        variables = recorder.variables()
        for variable in (alpha, beta, best):
            if variable and variable not in variables:
                expected = "expected the name of one"
                raise AbvizError(f"{name} has no variable {brief(variable)}; {expected}")

    takes_window = bool(arguments) and not (takes_anything and not _names_a_window(function))
    options: Options = {
        "name": name,
        "window": window,
        "takes_window": takes_window,
        "only_by_name": not arguments and _asks_for_a_window_by_name(function),
        "problem": problem,
        "returned": as_number(answer),
        "more": isinstance(answer, tuple | list),
    }
    return recorder.trace(options, answer, negamax)


def _arguments(
    function: Callable[..., object], name: str, window: object, bounds: tuple[str | None, ...]
) -> tuple[Number, ...]:
    """Return the arguments after the root: α and β, or none."""
    if not isinstance(window, tuple | list) or len(window) != 2:
        raise AbvizError(f"window is {brief(window)}; expected a pair of numbers (α, β), α < β")
    low_high = check_window(*window)

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise AbvizError(f"cannot record {brief(function)}; {EXPECTED}") from None

    takes_window = _takes_window(signature, bounds) or _takes_anything(function)
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


def _takes_window(signature: inspect.Signature, bounds: tuple[str | None, ...]) -> bool:
    """Return whether the second and third parameter are α and β, by their names or their number."""
    parameters = list(signature.parameters.values())
    names = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY][1:3]

    is_named = len(names) == 2
    for name in names:
        is_named = is_named and (name in bounds or bool(all_of(LOWS + HIGHS, [name])))

    needed = [each for each in parameters if each.default is each.empty]
    return is_named or len(needed) == 3


def _takes_anything(function: Any) -> bool:
    """Return whether α and β may be handed to the `*args` of a function.

    What it does with them, nobody knows.
    """
    parameters = inspect.signature(function).parameters.values()
    before = [each.name for each in parameters if each.kind in POSITIONAL][1:]
    is_open = len(before) < 2 and all(all_of(LOWS, [name]) for name in before)
    return is_open and any(each.kind is each.VAR_POSITIONAL for each in parameters)


def _asks_for_a_window_by_name(function: Any) -> bool:
    """Return whether the function takes α and β, and only by name.

    Then they can't be handed to it as to a search.
    """
    if isinstance(function, partial):  # it has a window already
        return False
    parameters = inspect.signature(function).parameters.values()
    by_name = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    if all_of(LOWS, by_name) and all_of(HIGHS, by_name):
        return True
    return any(each.kind is each.VAR_KEYWORD for each in parameters) and _names_a_window(function)


def _names_a_window(function: Any) -> bool:
    """Return whether a function has α and β among its variables, or as keywords or keys."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False

    names = [*code.co_varnames, *code.co_cellvars]
    for constant in code.co_consts:
        parts = constant if isinstance(constant, tuple) else (constant,)
        names += [part for part in parts if isinstance(part, str)]
    return bool(all_of(ALPHAS, names) and all_of(BETAS, names))


class HandedNode:
    """A node as a student's function gets it."""

    __slots__ = ("_node", "_parent", "_recorder", "children", "is_leaf", "is_max", "name")

    def __init__(self, node: Node, parent: Node | None, recorder: "Recorder"):
        self.name = node.name
        self.is_leaf = not node.children
        self.is_max = node.is_max

        self._node = node
        self._parent = parent  # the tree's own node: a handed one would make a cycle
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        if name != "children":
            raise AttributeError(f"'Node' object has no attribute {name!r}")

        # Made when they are first asked for: most nodes of a tree are cut off.
        self.children = tuple(
            [HandedNode(child, self._node, self._recorder) for child in self._node.children]
        )
        return self.children

    @property
    def value(self) -> Number | None:
        # Nothing is called here, and no variable set: both would slow its profiling.
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
        # The node that is being read in the thread of the run, which alone is profiled.
        self.seen: HandedNode | None = None
        self.follows_moves = True  # no leaf was read in another thread
        self.stopped = ""  # why

        # The places that an exception went through, the innermost last, if one ended the run
        self.raised_at: list[Place] = []

    @property
    def reads(self) -> bool:
        """Whether the run has read a leaf."""
        return any(entry[0] == "read" for entry in self.log)

    def run(self, function: Callable[[Any], object], seconds: float) -> tuple[str, object]:
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
            self.raised_at = places_of(error)
        return (self.stopped, None) if self.stopped else (problem, answer)

    def _run(self, function: Callable[[Any], object]) -> object:
        root = HandedNode(self.tree.root, None, self)
        self.running = True
        sys.setprofile(self._profiler())
        try:
            return function(root)
        finally:
            sys.setprofile(None)
            self.running = False

    def _profiler(self) -> Callable[[FrameType, str, object], None]:
        """Return the function that Python calls at every call and return of the run.

        It and the functions in it are the hottest of the recorder. What they share are variables of
        this call, since attributes would be slower.
        """
        functions = self.functions
        write = self.log.append
        stack: list[OpenCall] = [(None, None, False)]

        # The calls that concern a node are counted: an import makes thousands of others.
        calls = count(1)
        most = min(max(FEWEST_CALLS, CALLS_A_NODE * len(self.tree.nodes)), MOST_CALLS)

        def profile(frame: FrameType, event: str, result: object) -> None:
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

            if next(calls) > most:
                self._stop(most)
            if not function.is_named:
                function.find_names(self.given)
            write(("call", nodes, look(), function, held_by(function, 0, values)))
            stack.append((frame, function, has_inner))

        def on_read(handed: HandedNode) -> None:
            if handed._recorder is not self:
                return

            if next(calls) > most:
                self._stop(most)
            if handed.is_leaf:
                self.seen = handed
                write(("read", handed._node, look(), None, None))

        def on_return(frame: FrameType, result: object) -> None:
            lasti = frame.f_lasti
            # An exception that leaves the function returns None, too, but not by such a statement.
            is_return = result is not None or frame.f_code.co_code[lasti] in RETURNS
            write(("return", result, look(), lasti, is_return))
            stack.pop()

        def look() -> Look | NoLook:
            """Return what the innermost call with a node holds now."""
            frame, function, has_inner = stack[-1]
            if not has_inner:
                return ()
            return held_by(function, frame.f_lasti, frame.f_locals)  # type: ignore[arg-type, union-attr]

        def held_by(function: Function, lasti: int, values: Mapping[str, object]) -> Look:
            best = None
            for name in function.bests:
                best = values.get(name)
                if best is not None:
                    break
            if type(best) is list:  # it may hold other things later
                best = tuple(best)
            return lasti, values.get(function.alpha), values.get(function.beta), best  # type: ignore[arg-type]

        return profile

    def _stop(self, most: int) -> None:
        self.stopped = f"it was stopped after {most:,} calls"
        self.running = False
        raise TimeLimit

    def _meet(self, code: CodeType) -> Function:
        """Return the function of a code that is called for the first time."""
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        is_ours = code.co_filename.startswith(HERE)
        if is_ours or code.co_flags & NOT_FOLLOWED or code.co_name == "__init__":
            parameters = ()
        return self.functions.setdefault(id(code), Function(code, parameters))

    def variables(self) -> set[str]:
        """Return the names of the variables of all functions that were called."""
        names: set[str] = set()
        for function in self.functions.values():
            code = function.code
            names.update(code.co_varnames, code.co_cellvars, code.co_freevars)
        return names

    def trace(self, options: Options, answer: object, negamax: bool | None) -> Trace:
        """Return the run as a trace; `options` is what is known of it already."""
        log = self.log[:]
        while log and log[-1][0] == "return" and not log[-1][-1]:
            log.pop()  # left by an exception that ended the run

        roles = Roles(self.tree, log)
        roles.follows_moves = roles.follows_moves and self.follows_moves

        def replayed(side: Side) -> Replay:
            return Replay(
                self.tree,
                log,
                roles,
                side=side,
                window=options["window"],
                is_answered=as_number(answer) is not None,
            )

        as_held = replayed(Side.MAX)  # with the numbers of the program's variables
        side = Side.MOVER if negamax else Side.MAX
        if negamax is None:
            side = guess_side(as_held.numbers)
        replay = as_held if side is Side.MAX else replayed(side)

        replay.drop_other_variables()
        if not options["problem"]:
            replay.finish(answer)

        searching = [each.code for each in self.functions.values() if each.searches]
        source = Source(searching, replay.places, replay.callers, raised_at=self.raised_at)
        options = options | {"source": source}
        if side is Side.MOVER:
            options["negamax"] = True
            if not self.tree.root.is_max:
                low, high = options["window"]
                options["window"] = -high, -low
                options["returned"] = minus(options["returned"])
        if not shows_sign(as_held.numbers, side):
            options["unsure_sign"] = True
        if not roles.follows_moves:
            options["skips_nodes"] = True
        if replay.nothing:
            options["nothing"] = replay.nothing

        return Trace(self.tree, replay.events, search=RECORDED, rules=Rules(), options=options)
