"""What the rules of a game use beside themselves: functions and values by their names, as they are now."""

import dis
from collections.abc import Iterable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any


def used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The names outside it that a function uses, and what they stand for; a built-in is told as None."""
    for name in _names(function.__code__):
        yield name, function.__globals__.get(name)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # nothing has been put there yet
            yield name, None


def reached(rules: Iterable[Any]) -> list[FunctionType]:
    """The rules, the functions that they call, the functions that those call, and so on."""
    found = [rule for rule in rules if isinstance(rule, FunctionType)]
    for function in found:
        found += [value for _, value in used(function) if isinstance(value, FunctionType) and value not in found]
    return found


def fingerprint(rules: Iterable[Any]) -> dict[str, Any]:
    """All that is used by name, in a form in which what has changed is not equal to what it was."""
    return {name: _as_it_is(value) for function in reached(rules) for name, value in used(function)}


@cache
def _names(code: CodeType) -> tuple[str, ...]:
    """The global names in it, found out once: every search of a student's game asks for them again."""
    instructions = (each for part in _codes(code) for each in dis.get_instructions(part))
    return tuple(dict.fromkeys(each.argval for each in instructions if each.opname == "LOAD_GLOBAL"))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code, and what stands within it: comprehensions, functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _as_it_is(value: Any) -> Any:
    if isinstance(value, FunctionType):
        return value.__code__
    if hasattr(value, "tobytes"):  # an array
        return value.dtype.str, value.shape, value.tobytes()
    return value if isinstance(value, int | float | str | tuple | bool | None) else type(value)
