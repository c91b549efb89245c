"""The workspace and the table of compiled searches, as numpy's records."""

import numpy as np
import numpy.typing as npt

from abviz.engine.workspace import COPIED, HISTORY, LINE
from abviz.games.rules import LAST, MOST_FEATURES, WIDTH

# A Workspace. One record rather than a dozen arrays, since it is passed as one pointer.
WORK = np.dtype(
    [
        *((name, np.int64) for name in ("limit", "nodes", "evaluations", "cutoffs")),
        *((name, np.int64) for name in ("hits", "borrowed")),
        ("last", np.int64),
        *((name, np.int64) for name in COPIED),
        ("weights", np.int64, (MOST_FEATURES,)),
        ("count", np.int64, (LAST + 2,)),
        ("moves", np.int64, (LAST + 2, WIDTH)),
        ("scores", np.int64, (LAST + 2, WIDTH)),
        ("killer", np.int64, (LAST + 2, 2)),
        ("worth", np.int64, (2, HISTORY)),
        ("length", np.int64, (LAST + 3,)),
        ("line", np.int64, (LAST + 3, LINE)),
        ("first", np.int64, (LAST + 3,)),
        ("following", np.int64),
    ]
)

# An Entry of a transposition table
ENTRY = np.dtype([("check", np.int64), ("entry", np.int64), ("move", np.int64)])


def empty_work() -> np.record:
    """Return a Workspace of zeros. int(w.nodes) may be read at any time."""
    work: np.record = np.zeros(1, WORK).view(np.recarray)[0]
    return work


def empty_table(entries: int) -> npt.NDArray[np.void]:
    return np.zeros(entries, ENTRY)
