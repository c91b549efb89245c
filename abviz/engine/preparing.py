"""Compiling what a search needs, before its clock starts, and telling whoever waits for it."""

import sys
from time import perf_counter
from typing import Any

from abviz.engine.compiling import Engine, engine
from abviz.engine.work import TOO_MANY
from abviz.errors import AbvizError
from abviz.games.rules import WIDTH, ships
from abviz.games.scale import WIN


def prepared(position: Any, method: str, work: Any, table: Any) -> Engine:
    """The engine of the game, with what the method needs compiled."""
    needed: dict[str, tuple[Any, ...]] = {"alphabeta": (position, 1, -WIN, WIN, work, 1)}
    if method == "minimax":
        needed["minimax"] = (position, 1, work, 1)
    elif method == "improved":
        needed["improved"] = (position, 1, -WIN, WIN, work, table, 0)
    return compiled(position, needed)


def compiled(position: Any, needed: dict[str, tuple[Any, ...]]) -> Engine:
    """The engine of the game, with functions compiled for such arguments: that takes seconds, the first time ever."""
    cls: Any = type(position)
    made = engine(cls)
    slow = [name for name in needed if not made.is_ready(name)]
    if slow:
        tell(f"compiling the search of {position.title} …")
    begin = perf_counter()
    for name, arguments in needed.items():
        made.prepare(name, *arguments)
    if slow:
        tell(f"compiled in {perf_counter() - begin:.1f} s; from now on it answers at once")
    return made


def tell(message: str) -> None:
    """A line for whoever waits: in a notebook among the output, elsewhere beside it."""
    print(message, file=sys.stdout if "ipykernel" in sys.modules else sys.stderr, flush=True)


def told_simply(problem: BaseException, position: Any) -> BaseException:
    """What came of a rule while it ran compiled, in one line."""
    if isinstance(problem, IndexError) and str(problem) == TOO_MANY:
        return AbvizError(f"{position.title} has a position with more than {WIDTH} moves; expected fewer")
    if isinstance(problem, AbvizError) or not isinstance(problem, Exception) or ships(type(position)):
        return problem
    return AbvizError(f"a rule of {position.title} raised {type(problem).__name__}: {problem}")
