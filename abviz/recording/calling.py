"""How somebody's own function is called: with the root, and with a window if it has parameters for α and β."""

import dis
import inspect
from collections.abc import Callable
from itertools import pairwise
from math import inf
from numbers import Real
from types import CodeType
from typing import Any

from abviz.errors import AbvizError, Number, brief, plain, quoted
from abviz.recording.naming import ALPHAS, BETAS, first

Window = tuple[Number, Number]

FULL: Window = (-inf, inf)
OTHER_THINGS = ("depth", "player", "turn", "maximi", "is_max")  # a parameter with this in its name is no bound
TAKES = "expected a function f(node) or f(node, alpha, beta)"


def name_of(function: Any) -> str:
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else type(function).__name__


def takes_bounds(function: Callable[..., Any], alpha: str | None = None, beta: str | None = None) -> bool:
    """Whether the function is handed α and β when it is recorded."""
    return bool(handed_on(function, alpha, beta))


def handed_on(
    function: Any, alpha: str | None, beta: str | None, window: Window = FULL
) -> dict[str, Number] | tuple[Number, ...]:
    """What the function is handed after the root: the bounds by place, by name, or nothing."""
    try:
        parameters = _parameters(function)
    except (TypeError, ValueError):
        raise AbvizError(
            f"cannot record {brief(function)}; expected a function f(node) or f(node, alpha, beta)"
        ) from None
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p not in places[:1]]
    if not places and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise AbvizError(f"{quoted(name_of(function))} takes no node; {TAKES}")
    lower = alpha if alpha in named else first(ALPHAS, named)
    upper = beta if beta in named else first(BETAS, named)
    bounds: dict[str, Number] | tuple[Number, ...] = ()
    handed = {p.name for p in places[:1]}
    by_place = [p.name for p in places[1:3]]
    # f(node, beta, alpha) as well: exercises call it by place, and what is shown is what it does there
    both = set(by_place) == {lower, upper}
    if both or (len(by_place) == 2 and not (lower and upper) and _may_be_bounds(*places[1:3])):
        bounds = window
        handed.update(by_place)
    elif lower and upper and lower != upper:
        bounds = dict(zip((lower, upper), window, strict=True))
        handed |= {lower, upper}
    elif _takes_any_two(function):
        bounds = window
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    lacking = [p.name for p in parameters if p.default is p.empty and p.kind not in several and p.name not in handed]
    if lacking:
        raise AbvizError(f"{quoted(name_of(function))} also needs {', '.join(lacking)}; {TAKES}")
    if not bounds and window != FULL:
        raise AbvizError(f"{quoted(name_of(function))} takes no window; expected a function f(node, alpha, beta)")
    return bounds


def _takes_any_two(function: Any) -> bool:
    """Whether it is f(node, *args), and makes two of these: low, high = args."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or code.co_argcount != 1 or not code.co_flags & inspect.CO_VARARGS:
        return False
    args = code.co_varnames[1 + code.co_kwonlyargcount]
    steps = pairwise(dis.get_instructions(code))
    return any(before.argval == args and (step.opname, step.arg) == ("UNPACK_SEQUENCE", 2) for before, step in steps)


def _parameters(function: Any) -> list[inspect.Parameter]:
    """Those that it is called with. One that takes *args has names for them within it, or hands them on."""
    own = list(inspect.signature(function).parameters.values())
    if not any(p.kind is p.VAR_POSITIONAL for p in own[:2]) or not inspect.isfunction(function):
        return own
    local = list(function.__code__.co_varnames[len(own) :])
    alpha, beta = first(ALPHAS, local), first(BETAS, local)
    if alpha and beta:
        by_name = [p for p in own if p.kind is p.KEYWORD_ONLY]
        by_place = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in ("node", alpha, beta)]
        return by_place + by_name
    around = inspect.getclosurevars(function).nonlocals.values()
    others = [value for value in around if inspect.isfunction(value) and value is not function]
    return _parameters(others[0]) if len(others) == 1 else own


def names_them_backwards(function: Any) -> bool:
    """Whether what it is handed as α has the name of a β, and the other way round: f(node, beta, alpha)."""
    try:
        second, third = [each.name.lower() for each in _parameters(function)][1:3]
    except (TypeError, ValueError):
        return False
    return second in BETAS and third in ALPHAS


def check_window(window: Any) -> Window:
    try:
        low, high = map(plain, window)
    except (TypeError, ValueError, OverflowError):
        low = high = None
    if low is None or high is None or not low < high:
        raise AbvizError(f"window is {brief(window)}; expected a pair of numbers (α, β), α < β")
    return low, high


def _may_be_bounds(lower: inspect.Parameter, upper: inspect.Parameter) -> bool:
    """Whether the second and third parameter, which have not both a usual name, may be α and β."""
    names = lower.name.lower(), upper.name.lower()
    if names[0] in BETAS or names[1] in ALPHAS or any(other in name for name in names for other in OTHER_THINGS):
        return False
    defaults = [p.default for p in (lower, upper) if p.default not in (p.empty, None)]
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in defaults)
