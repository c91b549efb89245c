"""The workspace of a search: one record with all that it counts, learns and writes down."""

from typing import Any

import numpy as np

from abviz.engine.switches import Switches
from abviz.games.rules import LAST, MOST_FEATURES, WIDTH

LINE = 128  # moves that a line can hold
HISTORY = 4096  # moves that the history tells apart
NO_MOVE = -1

# One record rather than a dozen arrays, since it is passed as one pointer. Other threads may read it during a search.
WORK = np.dtype(
    [
        ("limit", np.int64),  # the search gives up when `nodes` reaches it; set it to 0 to stop from outside
        ("nodes", np.int64),  # positions searched, leaves among them
        ("evaluations", np.int64),
        ("cutoffs", np.int64),
        ("hits", np.int64),  # positions answered from the table
        ("again", np.int64),  # searches repeated with an open window
        # The switches, 0 or 1; but `last` is LAST if captures are played out, else 0, and `beam` is a number of moves.
        ("last", np.int64),
        ("captures", np.int64),
        ("killers", np.int64),
        ("history", np.int64),
        ("presort", np.int64),
        ("table", np.int64),
        ("pvs", np.int64),
        ("reductions", np.int64),
        ("beam", np.int64),
        ("weights", np.int64, (MOST_FEATURES,)),
        ("count", np.int64, (LAST + 2,)),  # the number of moves at each ply
        ("moves", np.int64, (LAST + 2, WIDTH)),
        ("scores", np.int64, (LAST + 2, WIDTH)),  # what the moves are sorted by, largest first
        ("killer", np.int64, (LAST + 2, 2)),  # the last two moves that cut at this ply
        ("worth", np.int64, (2, HISTORY)),  # how often MIN's and MAX's moves have cut, by a hash of the move
        ("length", np.int64, (LAST + 3,)),
        ("line", np.int64, (LAST + 3, LINE)),  # from each ply on; at ply 0 the principal variation
        ("first", np.int64, (LAST + 3,)),  # the line of the previous iteration, to be searched first
        ("following", np.int64),  # the ply up to which the search is on that line, or −1
    ]
)


def new_work(switches: Switches | None = None, weights: list[int] | None = None) -> Any:
    """Return a workspace without a limit, for a search with these switches (none) and weights.

    int(w.nodes) may be read at any time.
    """
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.limit = 1 << 62
    work.last = LAST if switches is None or switches.hot else 0
    work.first[:] = work.following = NO_MOVE
    for name in ("captures", "killers", "history", "presort", "table", "pvs", "reductions", "beam") if switches else ():
        setattr(work, name, min(int(getattr(switches, name)), WIDTH))
    work.weights[: len(weights or ())] = weights or ()
    return work


def field(work: Any, name: str) -> Any:
    """Return one field as an array of one number, for frequent reading: `work.nodes` takes thirty times as long."""
    return work.base[name]
