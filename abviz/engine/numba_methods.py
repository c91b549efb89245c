"""Methods of NamedTuples in compiled code. All that reaches into numba's internals is here.

numba compiles functions that call each other and reads the fields of a NamedTuple, but it knows no
methods on one. Here it learns to look a method up in the class of the position. That uses parts of
numba that no release promises to keep: the templates of attributes, the type of all NamedTuples,
the registry of lowered calls, `appdirs`. It holds for numba 0.62 to 0.68, and pyproject.toml allows
no other.
"""

import inspect
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Protocol, TypeAlias, cast

import numba

from abviz.errors import AbvizError

try:
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
    from numba.extending import overload
    from numba.misc.appdirs import AppDirs

    config: Any = numba.core.config
    types: Any = numba.core.types
    named_tuple: Any = types.BaseNamedTuple
    lower: Any = numba.core.imputils.lower_builtin
except (ImportError, AttributeError) as problem:
    raise AbvizError(
        f"numba {numba.__version__} lacks an internal part that the engine uses ({problem}); "
        "expected numba 0.62 to 0.68"
    ) from None

# The options of compiling, by name. Which there are depends on numba's version.
Options: TypeAlias = Any

# The wrapper for calls from Python takes a quarter of the time of compiling, and most functions are
# only called within.
INTERNAL: Options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_taught: set[str | FunctionType] = (
    set()
)  # the methods' names and the functions that numba has learnt


class PositionType(Protocol):
    """What numba makes of the class of a position."""

    instance_class: type


class Dispatcher(Protocol):
    """A search that numba compiles, when it is first called with arguments of some types."""

    signatures: Sequence[object]  # for which it is compiled

    def compile(self, signature: tuple[object, ...], /) -> object: ...

    def __call__(self, *arguments: object) -> int: ...


def compiled(
    function: FunctionType, folder: Path | None, *, from_python: bool, checked: bool
) -> Dispatcher:
    """Return the dispatcher of a function, cached in the folder.

    It can be called `from_python`; `checked` means with checks of array bounds.
    """
    options: Options = {"nogil": True, "boundscheck": checked or None, **_options(function)}
    options["no_cpython_wrapper"] = not from_python

    # Numba reads CACHE_DIR twice: were it reset between, it would make a relative folder
    with global_compiler_lock:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder or "")
        try:
            made = numba.njit(function, cache=folder is not None, **options)
            return cast(Dispatcher, made)
        finally:
            config.CACHE_DIR = before


def user_cache_folder() -> Path:
    """Return the folder for abviz in the user's caches, where numba too would keep its own."""
    return Path(AppDirs("abviz", appauthor=False).user_cache_dir)  # type: ignore[no-untyped-call]


def teach_method(name: str, rule: FunctionType) -> None:
    """Let compiled code call methods of this name, and the functions that this rule calls."""
    _teach_functions_of(rule)
    if name not in _taught:
        _taught.add(name)
        lower((Methods.key, name), Methods.key, types.VarArg(types.Any))(partial(_call, name))


def _teach_functions_of(caller: FunctionType) -> None:
    """Let compiled code call the functions that this one calls, those that they call, and so on."""
    for name in _names(caller.__code__):
        function = caller.__globals__.get(name)
        if isinstance(function, FunctionType) and function not in _taught:
            _taught.add(function)
            _teach_function(function)
            _teach_functions_of(function)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@infer_getattr
class Methods(AttributeTemplate):
    """How compiled code finds the methods of a position: by its class, not by their names alone."""

    key = named_tuple

    def generic_resolve(self, position: PositionType, name: str) -> object:  # type: ignore[override]
        if _method(position, name) is None:
            return None

        class Method(AbstractTemplate):
            key = (Methods.key, name)

            def generic(self, arguments: tuple[object, ...], named: object) -> object:
                return (
                    _method(position, name)
                    .get_call_type(self.context, (position, *arguments), named)
                    .as_method()
                )

        return types.BoundFunction(Method, position)


def _call(name: str, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    call = context.get_function(_method(signature.args[0], name), signature)
    context.add_linking_libs(call.libs)
    return call(builder, arguments)


def _method(position: PositionType, name: str) -> Any:
    """Return the type of the compiled method of a position, None if its class has none."""
    cls = position.instance_class
    rule = getattr(cls, "rules", vars(cls)).get(name)
    if not isinstance(rule, FunctionType) or name not in _taught:
        return None
    return types.Dispatcher(method(rule))


@cache
def method(rule: FunctionType) -> Dispatcher:
    """Return the dispatcher of a rule."""
    return cast(Dispatcher, numba.njit(rule, **_options(rule)))


def _options(function: FunctionType) -> Options:
    """Return the options of compiling: all functions are inlined, but for recursive ones."""
    return {"forceinline": function.__name__ not in function.__code__.co_names, **INTERNAL}


def _teach_function(function: FunctionType) -> None:
    def implementation(*arguments: object) -> FunctionType:
        return function

    implementation.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    overload(function, strict=False, jit_options=_options(function))(implementation)
