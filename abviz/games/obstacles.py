"""What the engine cannot do with the rules of a student's game, found without compiling them.

Listed is only what never compiles, so that nothing is refused that would run. The rest shows when
it is compiled.
"""

import dis
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from abviz.games.rules import DEFAULTS, FOR_PYTHON, NEEDED, GameClass, MoveList

COMPILED = tuple(name for name in (*NEEDED, *DEFAULTS) if name not in FOR_PYTHON)
# Names that a list of moves, a tuple or a number has too
OF_OTHERS = {*dir(MoveList), *dir(tuple), *dir(int)}

NEEDS_LOOP = "the engine needs a loop"
NEEDS_NUMBERS = "the engine needs numbers, tuples, loops and functions"
OPERATIONS = {
    "STORE_GLOBAL": (
        "assigns a global variable; "
        "the engine needs a variable of the rule, or a field of the position"
    ),
    "IMPORT_NAME": "imports a module; the engine needs the import outside the class",
    "BEFORE_WITH": f"has a with statement; {NEEDS_NUMBERS}",
    "LOAD_BUILD_CLASS": f"defines a class; {NEEDS_NUMBERS}",
}
FUNCTIONS = dict.fromkeys(("any", "all", "reversed"), NEEDS_LOOP) | {
    "bin": "the engine needs popcount of abviz.games.rules, to count bits",
    "print": "the engine needs rules without output",
}
METHODS = {
    "bit_count": "the engine needs popcount of abviz.games.rules",
    "bit_length": "the engine needs a loop, or popcount of abviz.games.rules",
    "_replace": "the engine needs the class, called with all its fields",
    "_asdict": NEEDS_NUMBERS,
}


class Step(NamedTuple):
    """One instruction of a function, and its line."""

    operation: str
    argument: Any  # as `dis` gives it: a name, a constant, a pair of names
    line: int

    @property
    def is_attribute(self) -> bool:
        return self.operation in ("LOAD_ATTR", "LOAD_METHOD")

    def loads(self, variable: str) -> bool:
        """Return whether the last thing that it loads is this variable."""
        last = self.argument[-1] if isinstance(self.argument, tuple) else self.argument
        return self.operation.startswith("LOAD_FAST") and bool(last == variable)


def obstacle(cls: GameClass, rules: Iterable[str] = COMPILED) -> str:
    """Return what keeps the engine from using these rules of a game, and its line; "" for nothing.

    Looked at are the rules of the class itself, and the functions that they call in the same file.
    """
    own = {name: rule for name, rule in cls.rules.items() if DEFAULTS.get(name) is not rule}
    file = cls.rules["moves"].__globals__
    calls: dict[FunctionType, dict[FunctionType, int]] = {}

    functions = [own[name] for name in rules if name in own]
    for function in functions:
        if function in calls or function.__globals__ is not file:
            continue
        if found := _obstacle_in(function, cls):
            return f"{function.__name__} {found}"
        calls[function] = _calls(function, own)
        functions += calls[function]

    return _circle(calls)


def _obstacle_in(function: FunctionType, cls: GameClass) -> str:
    for code in _codes(function.__code__):
        steps = list(_steps(code))
        if code.co_name == "<genexpr>":
            return f"has a generator expression; {NEEDS_LOOP} (line {steps[0].line})"

        line = _line_of_own_name(code, steps)
        if code is not function.__code__ and line:
            inside = f"has a function inside, {code.co_name}, that calls itself"
            return f"{inside}; {NEEDS_LOOP} (line {line})"

        for before, each in _pairs(steps):
            found = _obstacle_at(each, function) or _member(before, each, function, cls)
            if found:
                return f"{found} (line {each.line})"
    return ""


def _line_of_own_name(code: CodeType, steps: list[Step]) -> int:
    """Return the line where a function inside another names itself; 0 where it does not."""
    for each in steps:
        if each.operation == "LOAD_DEREF" and each.argument == code.co_name:
            return each.line
    return 0


def _pairs(steps: list[Step]) -> Iterator[tuple[Step, Step]]:
    """Yield each step with the one before it."""
    before = Step(operation="", argument=None, line=0)
    for step in steps:
        yield before, step
        before = step


def _obstacle_at(step: Step, function: FunctionType) -> str:
    name = step.argument
    if step.operation in OPERATIONS:
        return OPERATIONS[step.operation]
    if step.is_attribute and name in METHODS:
        return f"calls {name}; {METHODS[name]}"

    if step.operation == "LOAD_GLOBAL":
        value = function.__globals__.get(name)
        if value is None and name in FUNCTIONS:
            return f"calls {name}; {FUNCTIONS[name]}"
        if isinstance(value, list | dict | set):
            return (
                f"uses {name}, a {type(value).__name__} outside the rules; the engine needs a tuple"
            )
    return ""


def _member(before: Step, step: Step, function: FunctionType, cls: GameClass) -> str:
    """Return the use of a member of the position that is neither a field nor a rule."""
    if not step.is_attribute or not before.loads(_position(function)):
        return ""
    name = str(step.argument)
    is_known = name in cls._fields or name in cls.rules or hasattr(tuple, name)
    if is_known or not hasattr(cls, name):
        return ""
    return f"uses {name}; the engine needs fields, methods with self, and numbers outside the class"


def _position(function: FunctionType) -> str:
    """Return the name of the first parameter: self."""
    return "".join(function.__code__.co_varnames[:1])


def _calls(function: FunctionType, own: dict[str, FunctionType]) -> dict[FunctionType, int]:
    """Return the own rules and the functions that this one names, each with its first line."""
    position = _position(function)
    found: dict[FunctionType, int] = {}
    for code in _codes(function.__code__):
        for before, each in _pairs(list(_steps(code))):
            called = None
            if each.operation == "LOAD_GLOBAL":
                called = function.__globals__.get(each.argument)
            elif each.is_attribute:
                may_be_rule = before.loads(position) or each.argument not in OF_OTHERS
                called = own.get(each.argument) if may_be_rule else None

            if isinstance(called, FunctionType):
                found.setdefault(called, each.line)
    return found


def _circle(calls: dict[FunctionType, dict[FunctionType, int]]) -> str:
    """Return which function calls itself, alone or by way of others, in words."""
    for first in calls:
        ways: list[tuple[FunctionType, list[str], int]] = [
            (called, [], line) for called, line in calls[first].items()
        ]
        seen = set(calls[first])
        for name, through, line in ways:
            if name is first:
                others = f" through {' and '.join(through)}" if through else ""
                return f"{first.__name__} calls itself{others}; {NEEDS_LOOP} (line {line})"

            for called in calls.get(name, ()):
                if called not in seen:
                    seen.add(called)
                    ways.append((called, [*through, name.__name__], line))
    return ""


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and of all functions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _steps(code: CodeType) -> Iterator[Step]:
    line = code.co_firstlineno
    for each in dis.get_instructions(code):
        if each.positions and each.positions.lineno:
            line = each.positions.lineno
        if each.opname not in ("RESUME", "NOP", "CACHE", "EXTENDED_ARG"):
            yield Step(each.opname, each.argval, line)
