"""What the rules of a game depend on: the functions that they call, and the global values that they use by name."""

import dis
from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any


def globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names outside it that a function uses, with their values; None for a built-in."""
    for name in _global_names(function.__code__):
        yield name, function.__globals__.get(name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # the cell is still empty
            yield name, None


def functions_reached(rules: Iterable[Any]) -> list[FunctionType]:
    """Return the rules, the functions that they call, the functions that those call, and so on."""
    reached = [rule for rule in rules if isinstance(rule, FunctionType)]
    for function in reached:
        called = dict.fromkeys(value for _, value in globals_of(function) if isinstance(value, FunctionType))
        reached += [each for each in called if each not in reached]
    return reached


def fingerprint(rules: Iterable[Any]) -> dict[str, Any]:
    """Return everything the rules use by name, in a form that compares unequal after a change."""
    return {name: _snapshot(value) for function in functions_reached(rules) for name, value in globals_of(function)}


@cache  # every search of a student's game asks again
def _global_names(code: CodeType) -> tuple[str, ...]:
    names = [each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"]
    nested = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return tuple(dict.fromkeys([*names, *(name for inner in nested for name in _global_names(inner))]))


def _snapshot(value: Any) -> Any:
    if isinstance(value, FunctionType):
        return value.__code__
    if hasattr(value, "tobytes"):  # an array
        return value.dtype.str, value.shape, value.tobytes()
    return value if isinstance(value, int | float | str | tuple | bool | None) else type(value)
