"""What a search works on: one record with all that it counts, learns and writes down."""

from typing import Any, NamedTuple

import numpy as np

from abviz.games.rules import WIDTH
from abviz.games.scale import LAST, WEIGHTS

LINE = 128  # moves that a line can hold
HISTORY = 4096  # moves that are told apart by what they have cut
NO_MOVE = -1
TOO_MANY = "too many moves"

# One record and not a dozen arrays, because it is handed on as one pointer. Others may read it while a search runs.
WORK = np.dtype(
    [
        # The search gives up when it has counted so many nodes. To stop it from outside, set it to 0.
        ("limit", np.int64),
        ("nodes", np.int64),  # positions searched, leaves among them
        ("evaluations", np.int64),
        ("cutoffs", np.int64),
        ("hits", np.int64),  # positions answered from the table
        ("again", np.int64),  # searches with an open window after one with a closed window
        # The switches, 0 or 1; but `last` is LAST or 0 (captures are played out or not), and `beam` how many are kept.
        ("last", np.int64),
        ("captures", np.int64),
        ("killers", np.int64),
        ("history", np.int64),
        ("presort", np.int64),
        ("table", np.int64),
        ("pvs", np.int64),
        ("reductions", np.int64),
        ("beam", np.int64),
        # What it knows, and where it writes.
        ("weights", np.int64, (WEIGHTS,)),
        ("count", np.int64, (LAST + 2,)),  # how many moves at each ply
        ("moves", np.int64, (LAST + 2, WIDTH)),
        ("scores", np.int64, (LAST + 2, WIDTH)),  # what the moves are sorted by, largest first
        ("killer", np.int64, (LAST + 2, 2)),  # the last two moves that cut at this ply
        ("worth", np.int64, (2, HISTORY)),  # of MIN's moves and MAX's, by a hash of the move: how they have cut before
        ("length", np.int64, (LAST + 3,)),
        ("line", np.int64, (LAST + 3, LINE)),  # from each ply on; at ply 0 the principal variation
        ("first", np.int64, (LAST + 3,)),  # the line of the search before this one, to be searched first
        ("following", np.int64),  # the ply up to which the search is on that line, or −1
    ]
)


def new_work() -> Any:
    """A record of zeros without a limit. int(w.nodes) may be read at any time."""
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.limit = 1 << 62
    work.last = LAST
    work.first[:] = work.following = -1
    return work


def field(work: Any, name: str) -> Any:
    """One field as an array of one number, for whoever asks often: `work.nodes` takes thirty times as long."""
    return work.base[name]


class Row(NamedTuple):
    """The moves at one ply: what `moves(found)` writes on in compiled code."""

    w: Any
    ply: int

    def add(self, move: int) -> None:
        n = self.w.count[self.ply]
        if n >= WIDTH:
            raise IndexError(TOO_MANY)
        if move < 0:
            raise ValueError("moves() found a number below 0")
        self.w.moves[self.ply, n] = move
        self.w.count[self.ply] = n + 1

    def size(self) -> int:
        return self.w.count[self.ply]  # type: ignore[no-any-return]

    def at(self, i: int) -> int:
        return self.w.moves[self.ply, i]  # type: ignore[no-any-return]

    def change(self, i: int, move: int) -> None:
        self.w.moves[self.ply, i] = move
