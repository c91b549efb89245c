"""An answer's own run on the tree where it goes wrong, recorded to be stepped through."""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from abviz.recording.functions import Window
from abviz.recording.recorder import record
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

SECONDS = 1.0


class Recording(NamedTuple):
    """How an answer is recorded: plain data, so that grading can ask a worker for it."""

    tree: Tree
    window: Window

    # Whether it returns values from the side of the player who moves; None where its signs tell
    negamax: bool | None


def recorded(answer: Any, recording: Recording) -> Trace:
    """Return the answer's run; the answer is a search, or a pair (max_value, min_value)."""
    if isinstance(answer, tuple | list):
        answer = answer[0 if recording.tree.root.is_max else 1]

    return record(
        cast(Callable[..., object], answer),
        recording.tree,
        seconds=SECONDS,
        window=recording.window,
        negamax=recording.negamax,
    )
