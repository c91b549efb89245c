"""The switches of a search, one for each improvement, and its workspace: all that it counts, learns
and writes down.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from abviz.errors import AbvizError, brief
from abviz.games.rules import LAST, MOST_FEATURES, WIDTH

# As plain alpha-beta
SAME_VALUE = ("captures", "killers", "history", "deepening", "table", "aspiration", "pvs")


@dataclass(frozen=True, kw_only=True)
class Switches:
    """The improvements that a search uses. The first seven keep the value of plain alpha-beta."""

    captures: bool = True  # sort moves by what they capture
    killers: bool = True  # then moves that have just cut at the same ply
    history: bool = True  # then by how often, and how far from the leaves, a move has cut anywhere
    # Search to depth 1, 2, 3 …, beginning with the line of the last iteration
    deepening: bool = True
    table: bool = True  # store the results of positions
    aspiration: bool = True  # begin with a narrow window around the expected value
    pvs: bool = True  # search later moves with a null window, again if one is better
    hot: bool = True  # play out captures before a position is evaluated: the search looks deeper
    reductions: bool = False  # search late quiet moves one move less deep: the value may be wrong
    beam: int = 0  # search only this many moves of a position (0: all): the value may be wrong

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name != "beam" and not (isinstance(value, int) and value in (0, 1)):
                raise AbvizError(f"{name} is {brief(value)}; expected True or False")
        if type(self.beam) is not int or self.beam < 0:
            raise AbvizError(f"beam is {brief(self.beam)}; expected a number of moves")

    @classmethod
    def none(cls, **changes: Any) -> "Switches":
        """Return all improvements off but for these; captures are still played out."""
        return cls(**dict.fromkeys(SAME_VALUE, False) | changes)


# the workspace

LINE = 128  # moves that a line can hold
HISTORY = 4096  # moves that the history tells apart
NO_MOVE, NO_LIMIT = -1, 1 << 62
COPIED = ("captures", "killers", "history", "table", "pvs", "reductions", "beam")  # switches

# One record rather than a dozen arrays, since it is passed as one pointer. Other threads may read
# it during a search.
WORK = np.dtype(
    [
        # The search gives up when `nodes` reaches it; set it to 0 to stop from outside
        ("limit", np.int64),
        ("nodes", np.int64),  # positions searched, leaves among them
        ("evaluations", np.int64),
        ("cutoffs", np.int64),
        ("hits", np.int64),  # positions answered from the table
        ("borrowed", np.int64),  # those of them whose stored value rests on an estimate
        # The switches, 0 or 1; but `last` is LAST if captures are played out, else 0, and `beam` is
        # a number of moves.
        ("last", np.int64),
        *((name, np.int64) for name in COPIED),
        ("weights", np.int64, (MOST_FEATURES,)),
        ("count", np.int64, (LAST + 2,)),  # the number of moves at each ply
        ("moves", np.int64, (LAST + 2, WIDTH)),
        ("scores", np.int64, (LAST + 2, WIDTH)),  # what the moves are sorted by, largest first
        ("killer", np.int64, (LAST + 2, 2)),  # the last two moves that cut at this ply
        # How often MIN's and MAX's moves have cut, by a hash of the move
        ("worth", np.int64, (2, HISTORY)),
        ("length", np.int64, (LAST + 3,)),
        ("line", np.int64, (LAST + 3, LINE)),  # from each ply on; at ply 0 the principal variation
        # The line of the previous iteration, to be searched first
        ("first", np.int64, (LAST + 3,)),
        ("following", np.int64),  # the ply up to which the search is on that line, or −1
    ]
)


def new_work(switches: Switches | None = None, weights: list[int] | None = None) -> Any:
    """Return a workspace without a limit, for a search with these switches (none) and weights.

    int(w.nodes) may be read at any time.
    """
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.limit = NO_LIMIT
    work.last = LAST if switches is None or switches.hot else 0
    work.first[:] = work.following = NO_MOVE
    for name in COPIED if switches else ():
        setattr(work, name, min(int(getattr(switches, name)), WIDTH))
    work.weights[: len(weights or ())] = weights or ()
    return work
