"""Where searches keep what they count and learn: in numpy's records, or in Python's dictionaries.

Compiled searches need the former. The latter are for Python itself, where numba is not installed.
numpy is imported when a search begins, since it is slow to load.
"""

from functools import cache
from importlib.util import find_spec
from typing import Any, cast

from abviz.engine.interpreted import PlainTable, PlainWork
from abviz.engine.workspace import (
    COPIED,
    NO_LIMIT,
    NO_MOVE,
    Switches,
    Table,
    Workspace,
    follow,
)
from abviz.games.rules import LAST, WIDTH


@cache
def is_compiled() -> bool:
    """Return whether searches are compiled here."""
    return find_spec("numba") is not None


def new_work(
    switches: Switches | None = None,
    weights: list[int] | None = None,
    *,
    for_python: bool = False,
) -> Workspace:
    """Return a Workspace without a limit, for a search with these switches (none) and weights.

    Its numbers are numpy's, unless it is for a search that Python runs: take int(w.nodes).
    """
    work = PlainWork() if for_python or not is_compiled() else _compiled_work()
    work.limit = NO_LIMIT
    follow(work, [])
    work.following = NO_MOVE

    work.last = LAST if switches is None or switches.hot else 0
    if switches:
        for name in COPIED:
            setattr(work, name, min(int(getattr(switches, name)), WIDTH))

    in_use = work.weights
    for i, weight in enumerate(weights or []):
        in_use[i] = weight
    return work


def _compiled_work() -> Workspace:
    from abviz.engine.arrays import empty_work

    return cast(Workspace, empty_work())


def new_table(entries: int, *, for_python: bool = False) -> Table:
    """Return an empty table; `entries` is a power of two."""
    if for_python or not is_compiled():
        return PlainTable(entries)

    from abviz.engine.arrays import empty_table

    return cast(Table, empty_table(entries))


def from_python(table: Table) -> Table:
    """Return the table for use by Python itself: numpy's entries have attributes only in a view."""
    if isinstance(table, PlainTable):
        return table

    import numpy as np

    array: Any = table
    return cast(Table, array.view(np.recarray))
