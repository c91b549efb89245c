"""What runs the searches: numba's compiled code, or Python itself where numba is not installed.

The source of the searches is the same, and so are their moves, values and counts. Compiled, a
search is some 300 times quicker, and other threads run beside it. Python itself also searches the
last moves of a game, while the compiled code has not been loaded: that would take longer.
"""

import sys
from collections.abc import Callable
from typing import Protocol

from abviz.engine import improvements, plain
from abviz.engine.storage import is_compiled
from abviz.engine.workspace import Table, Workspace
from abviz.errors import AbvizError
from abviz.games.rules import Position, generated_moves, ships

NEAR_END = 400  # positions: Python searches them in a fraction of a second


class Searches(Protocol):
    """The searches of one game, called with a position."""

    @property
    def perft(self) -> Callable[..., int]: ...

    @property
    def perft_unique(self) -> Callable[..., int]: ...

    @property
    def minimax(self) -> Callable[..., int]: ...

    @property
    def alphabeta(self) -> Callable[..., int]: ...

    @property
    def improved(self) -> Callable[..., int]: ...


class Interpreted:
    """The searches of every game: Python finds a position's rules by itself."""

    perft = staticmethod(plain.perft)
    perft_unique = staticmethod(plain.perft_unique)
    minimax = staticmethod(plain.minimax)
    alphabeta = staticmethod(plain.alphabeta)
    improved = staticmethod(improvements.improved)


def suits_python(position: Position, method: str) -> bool:
    """Return whether Python has searched the rest of the game before compiled code is ready.

    A student's own game is always compiled, which checks its rules.
    """
    if not is_compiled():
        return True
    return ships(type(position)) and not _is_loaded(position, method) and _is_near_end(position)


def _is_loaded(position: Position, method: str) -> bool:
    compiler = sys.modules.get("abviz.engine.compiler")  # to import it takes long, too
    return compiler is not None and compiler.is_loaded(position, method)


def _is_near_end(position: Position) -> bool:
    """Return whether few positions can still arise."""
    waiting = [position]
    count = 0
    while waiting and count + len(waiting) <= NEAR_END:
        each = waiting.pop()
        count += 1
        if not each.over():
            waiting += [each.play(move) for move in generated_moves(each)]
    return not waiting


def prepared(position: Position, method: str, work: Workspace, table: Table | None) -> Searches:
    """Return the searches of the position's game, ready for what the method needs."""
    if is_compiled():
        from abviz.engine import compiler  # which imports numba

        return compiler.prepared(position, method, work, table)

    return Interpreted()


def explained(problem: BaseException, position: Position) -> BaseException:
    """Return an exception of a student's rules as an AbvizError of one line."""
    if isinstance(problem, AbvizError) or ships(type(position)):
        return problem
    return AbvizError(f"a rule of {position.title} raised {type(problem).__name__}: {problem}")
