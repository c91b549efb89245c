"""A student's own function, run on a tree and turned into a Trace."""

import inspect
from collections.abc import Callable
from functools import partial
from math import inf
from numbers import Integral, Real
from traceback import walk_tb
from types import CodeType
from typing import Any

from abviz.errors import AbvizError, Number, brief, plain, quoted, visible
from abviz.recording.observer import ALPHAS, BETAS, Log, first_of
from abviz.recording.replay import Replay, as_number, minus
from abviz.recording.time_limit import TimeLimit, run_with_timeout
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Tree

Window = tuple[Number, Number]

FULL: Window = (-inf, inf)
CALLS_A_NODE, FEWEST_CALLS, MOST_CALLS = 50, 5_000, 100_000  # a search that deepens needs some 20
SECONDS, DAY = 5.0, 24 * 60 * 60.0
LONGEST_MESSAGE = 160  # letters of an exception
NOT_WRITTEN = "it is not written yet"
NO_BOUND = ("depth", "player", "turn", "maximi", "is_max")  # a parameter with this in its name is no bound


def record(
    function: Callable[..., Any],
    tree: Tree,
    *,
    alpha: str | None = None,
    beta: str | None = None,
    best: str | None = None,
    window: Window = FULL,
    negamax: bool | None = None,
    calls: int | None = None,
    seconds: float = SECONDS,
) -> Trace:
    """Run the function on the tree once and return what it did.

    It is called as f(root), or as f(root, α, β) where it has parameters for a window. Its variables for α, β and the
    best value have one of the usual names, or the names given here. A negamax, whose values are turned to MAX's side,
    is recognized by its signs, or given. `trace.problem` says what went wrong: an exception, or `calls` (by default 50
    for each node, but 5,000 to 100,000; it may look at nodes four times as often) or `seconds` used up.
    """
    if not isinstance(tree, Tree):
        raise AbvizError(f"asked to record on {brief(tree)}; expected a Tree: load(name), or Tree(nested lists)")
    if any(map(tree.folded, tree.nodes)):
        raise AbvizError("asked to record on a tree with folded parts; expected one with every node: fold=False")
    if calls is None:
        calls = min(max(FEWEST_CALLS, CALLS_A_NODE * len(tree.nodes)), MOST_CALLS)
    window = _check(window, calls, seconds, negamax, alpha=alpha, beta=beta, best=best)
    bounds = _window_arguments(function, alpha, beta, window)
    log = Log(tree, calls, (alpha, beta, best), bool(bounds))
    options: dict[str, Any] = {"name": _name(function), "window": window, "takes_window": bool(bounds)}
    options |= _run(log, function, bounds, seconds)
    for name in filter(None, (alpha, beta, best)):
        known = any(name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars) for code in log.codes)
        if not known and not options["problem"]:
            raise AbvizError(f"{options['name']} has no variable {brief(name)}; expected the name of one")
    return _Recording(log, _code(function), negamax, options)


class _Recording(Trace):
    """A trace that reads the log when its events are first asked for: recording is quick."""

    def __init__(self, log: Log, own: CodeType | None, negamax: bool | None, options: dict[str, Any]):
        super().__init__(log.tree, (), search=RECORDED, rules=Rules(), options=options)
        del self.events, self.options
        self._unread = log, own, negamax, options

    def __getattr__(self, name: str) -> Any:
        if name not in ("events", "options") or "_unread" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        log, own, negamax, options = self.__dict__.pop("_unread")
        replay = Replay(log, own, negamax)
        self.events = tuple(replay.events)
        if replay.negamax and not self.tree.root.is_max:
            low, high = options["window"]
            options = options | {"window": (-high, -low), "returned": minus(options["returned"])}
        more = {"source": replay.source, "nothing": replay.nothing, "skips_nodes": replay.skips_nodes}
        self.options = options | {what: value for what, value in more.items() if value}
        return getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        return {"events": self.events, "options": self.options, **self.__dict__}


def _run(log: Log, function: Callable[..., Any], bounds: Any, seconds: float) -> dict[str, Any]:
    """Run the function; return what it returned, whether there was more than a number, and what went wrong."""
    problem, value = "", None
    try:
        value = run_with_timeout(lambda: log.run(function, bounds), float(seconds))
        if value is None and not log.looks:
            problem = NOT_WRITTEN
    except TimeLimit:  # a run that goes on, since it swallows every exception, meets the limit when it looks at nodes
        log.stopped = log.stopped or f"it was stopped after {seconds:g} seconds"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit is one
        own = _code(function)
        problem = describe(error, own.co_filename if own else "")
    if log.stopped:
        problem, value = log.stopped, None
    return {"problem": problem, "returned": as_number(value), "more": isinstance(value, (tuple, list))}


def describe(error: BaseException, filename: str) -> str:
    """Return what became of a student's function, in one line with the number of the last line reached in its file."""
    if isinstance(error, RecursionError):
        return "it called itself without end"
    if isinstance(error, NotImplementedError):
        return NOT_WRITTEN
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    message = visible(": ".join(part for part in (type(error).__name__, text) if part))
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[: LONGEST_MESSAGE - 1]}…"
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == filename]
    return f"it raised {message} (line {lines[-1]})" if lines else f"it raised {message}"


# how the function is called


def _name(function: Any) -> str:
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def _code(function: Any) -> CodeType | None:
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = function.func
    if not inspect.isroutine(function):
        function = type(function).__call__
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _window_arguments(
    function: Any, alpha: str | None, beta: str | None, window: Window
) -> dict[str, Number] | tuple[Number, ...]:
    """Return the arguments after the root: the bounds by place, by name, or none."""
    expected = "expected a function f(node) or f(node, alpha, beta)"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise AbvizError(f"cannot record {brief(function)}; {expected}") from None
    parameters = list(signature.parameters.values())
    names = [p.name for p in parameters[1:] if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    placed = [p for p in parameters[1:3] if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    lower = alpha if alpha in names else first_of(ALPHAS, names)
    upper = beta if beta in names else first_of(BETAS, names)
    bounds: dict[str, Number] | tuple[Number, ...] = ()
    if lower and upper and {lower, upper} != {p.name for p in placed}:
        bounds = {lower: window[0], upper: window[1]}
    elif len(placed) == 2 and ((lower and upper) or all(map(_may_be_bound, placed))):
        bounds = window  # also f(node, beta, alpha), which exercises call by place
    elif any(p.kind is p.VAR_POSITIONAL for p in parameters[:2]) and _names_bounds(function):
        bounds = window
    if not bounds and window != FULL:
        raise AbvizError(f"{quoted(_name(function))} takes no window; expected a function f(node, alpha, beta)")
    try:
        signature.bind(None, **bounds) if isinstance(bounds, dict) else signature.bind(None, *bounds)
    except TypeError as error:
        raise AbvizError(f"{quoted(_name(function))} cannot be called: {error}; {expected}") from None
    return bounds


def _may_be_bound(parameter: inspect.Parameter) -> bool:
    default, name = parameter.default, parameter.name.lower()
    is_number = isinstance(default, Real) and not isinstance(default, bool)
    return (default in (parameter.empty, None) or is_number) and not any(other in name for other in NO_BOUND)


def _names_bounds(function: Any) -> bool:
    """Return whether f(*args), or a function that it wraps, has variables for α and β."""
    enclosed = inspect.getclosurevars(function).nonlocals.values() if inspect.isfunction(function) else ()
    codes = [code for each in (function, *enclosed) if callable(each) and (code := _code(each))]
    return any(first_of(ALPHAS, [*code.co_varnames]) and first_of(BETAS, [*code.co_varnames]) for code in codes)


def _check(window: Any, calls: Any, seconds: Any, negamax: Any, **variables: Any) -> Window:
    if isinstance(calls, bool) or not isinstance(calls, Integral) or calls < 1:
        raise AbvizError(f"calls is {brief(calls)}; expected a whole number from 1 on")
    if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 < float(seconds) <= DAY:
        raise AbvizError(f"seconds is {brief(seconds)}; expected a number above 0, at most {DAY:,.0f}")
    if negamax not in (True, False, None):
        raise AbvizError(f"negamax is {brief(negamax)}; expected True, False, or None for a guess")
    for which, name in variables.items():
        if name is not None and not (isinstance(name, str) and name.isidentifier()):
            raise AbvizError(f"{which} is {brief(name)}; expected the name of a variable")
    try:
        low, high = map(plain, window)
    except (TypeError, ValueError, OverflowError):
        low = high = None
    if low is None or high is None or not low < high:
        raise AbvizError(f"window is {brief(window)}; expected a pair of numbers (α, β), α < β")
    return low, high
