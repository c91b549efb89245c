"""What a hand-in finds where abviz has something that searches, checks or draws.

A notebook that is handed in calls `check`, `trace` and `watch` on its way. None of it is needed to grade it, and all of
it could answer for the student. So of abviz a hand-in's process holds what is loaded before the hand-in (trees, and
how they are read); every other module is a stand-in whose names do nothing. While an answer runs they refuse.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from abviz.errors import AbvizError

ANSWERING = False  # an answer is running
CHECKED: dict[str, Any] = {}  # what the hand-in has called check with, by the exercise's name
ABSENT = "does nothing while a hand-in is graded; expected code of your own"


class StandIn:
    """It can be called, asked for attributes, gone through and reckoned with, and nothing comes of it."""

    def __init__(self, path: str):
        self.__dict__["path"] = path

    def __call__(self, *args: Any, **named: Any) -> Any:
        if ANSWERING:
            raise AbvizError(f"{self.path} {ABSENT}")
        if self.path.endswith(".check") and len(args) == 2 and isinstance(args[0], str):
            CHECKED[args[0]] = args[1]
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name.startswith("_repr_"):
            raise AttributeError(name)
        return StandIn(f"{self.path}.{name}")

    def __getitem__(self, key: Any) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def _same(self, *_: object) -> Any:
        return self

    def _no(self, *_: object) -> bool:
        return False

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _same
    __floordiv__ = __rfloordiv__ = __mod__ = __neg__ = __abs__ = __round__ = __or__ = __and__ = _same
    __lt__ = __le__ = __gt__ = __ge__ = _no

    def __format__(self, spec: str) -> str:
        return str(self)

    def __setattr__(self, name: str, value: Any) -> None:
        pass

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{self.path}, which {ABSENT}>"


# What IPython has put into every notebook.
OF_NOTEBOOKS = {"display": lambda *shown, **more: None, "get_ipython": StandIn("get_ipython")}


class _Module(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__name__}.{name}")


class _Finder(MetaPathFinder, Loader):
    """Stands before all finders, and makes a stand-in of every module of abviz that is not there yet."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] == "abviz" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def checker() -> dict[str, Any]:
    """The exercises, for an answer whose threads are rehearsed where they are. The hand-in cannot import them."""
    before = set(sys.modules)
    from abviz.exercises.checking import EXERCISES

    for name in set(sys.modules) - before:
        if name.partition(".")[0] == "abviz":
            module, (above, _, last) = sys.modules.pop(name), name.rpartition(".")
            if vars(sys.modules.get(above, sys)).get(last) is module:
                delattr(sys.modules[above], last)
    return dict(EXERCISES)


def put_up() -> None:
    sys.meta_path.insert(0, _Finder())


def answering(now: bool) -> None:
    global ANSWERING
    ANSWERING = now
