"""Compiling what a search needs, before its clock starts, and telling whoever waits for it."""

import sys
from time import perf_counter
from typing import Any, TextIO

from abviz.engine.agreeing import check_agreement
from abviz.engine.compiling import Engine, engine
from abviz.engine.switches import Switches
from abviz.engine.waiting import aside
from abviz.engine.work import TOO_MANY, new_work
from abviz.errors import AbvizError
from abviz.games.rules import WIDTH, ships
from abviz.games.scale import LAST, WIN


def prepared(position: Any, method: str, work: Any, table: Any) -> Engine:
    """The engine of the game, with what the method needs compiled."""
    needed: dict[str, tuple[Any, ...]] = {"alphabeta": (position, 1, -WIN, WIN, work, 1)}
    if method == "minimax":
        needed["minimax"] = (position, 1, work, 1)
    elif method == "improved":
        needed["improved"] = (position, 1, -WIN, WIN, work, table, 0)
    return compiled(position, needed)


def new_work_for(switches: Switches, weights: list[int]) -> Any:
    """A record for a search with these switches and weights."""
    work = new_work()
    work.last = LAST if switches.hot else 0
    for name in ("captures", "killers", "history", "presort", "table", "pvs", "reductions", "beam"):
        setattr(work, name, min(int(getattr(switches, name)), WIDTH))
    work.weights[: len(weights)] = weights
    return work


def compiled(position: Any, needed: dict[str, tuple[Any, ...]]) -> Engine:
    """The engine of the game, with functions compiled for such arguments: that takes seconds, the first time ever."""
    cls: Any = type(position)
    made = engine(cls)
    slow = [name for name in needed if not made.is_ready(name)]
    if not slow:
        _prepare(made, needed)
        return made
    tell(f"compiling {' and '.join(slow)} for {position.title} …")
    begin = perf_counter()
    aside(lambda: _prepare(made, needed))
    kept = "kept for next time" if made.folder else "kept until this Python ends"
    tell(f"compiled in {perf_counter() - begin:.1f} s, and {kept}")
    return made


def _prepare(made: Engine, needed: dict[str, tuple[Any, ...]]) -> None:
    for name, arguments in needed.items():
        made.prepare(name, *arguments)
    if not made.agrees and not ships(made.cls):
        check_agreement(made, made.cls)
        made.agrees = True


def tell(message: str) -> None:
    """A line for whoever waits: in a notebook among the output, elsewhere beside it."""
    print(message, file=for_notes(), flush=True)


def for_notes() -> TextIO:
    """Where a line for whoever waits is printed."""
    kernel = sys.modules.get("ipykernel.kernelapp")  # others import it too, and run no kernel
    return sys.stdout if kernel and kernel.IPKernelApp.initialized() else sys.stderr


def told_simply(problem: BaseException, position: Any) -> BaseException:
    """What came of a rule while it ran compiled, in one line."""
    if isinstance(problem, IndexError) and str(problem) == TOO_MANY:
        return AbvizError(f"{position.title} has a position with more than {WIDTH} moves; expected fewer")
    if isinstance(problem, AbvizError) or not isinstance(problem, Exception) or ships(type(position)):
        return problem
    if isinstance(problem, OverflowError):
        return AbvizError(f"a position of {position.title} has a number beyond 2⁶³ − 1; expected smaller ones")
    return AbvizError(f"a rule of {position.title} raised {type(problem).__name__}: {problem}")
