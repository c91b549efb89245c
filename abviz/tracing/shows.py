"""How much of a search is shown: the levels, the steps of each, and the numbers at a node."""

from abviz.errors import unknown
from abviz.tracing.traces import Trace

# From the values alone to everything; each level shows what the ones before it do.
SHOWS = ("values", "bv", "bounds", "all")
DEFAULT_SHOW = "bounds"

# The kinds of event that change what a level shows; every kind does at the levels not named here.
_OF_VALUES = ("enter", "leaf", "exit", "cut")
_KINDS = {
    "values": _OF_VALUES,
    "bv": (*_OF_VALUES, "bv"),
}


def check_show(show: object) -> str:
    """Return the level, or raise AbvizError where there is no such level."""
    if not isinstance(show, str) or show not in SHOWS:
        raise unknown("level for show", show, SHOWS)
    return show


def shown_steps(trace: Trace, show: str) -> list[int]:
    """Return the steps that change what the level shows; the first and the last always do."""
    kinds = _KINDS.get(check_show(show))
    last = len(trace)
    if kinds is None:
        return list(range(last + 1))

    steps = [0]
    for step in range(1, last + 1):
        if step == last or trace.events_at(step)[0].kind in kinds:
            steps.append(step)
    return steps


def letters_shown(trace: Trace, show: str) -> list[str]:
    """Return which of α, β and bv the level shows at a node."""
    if check_show(show) == "values":
        return []
    if show == "bv" or not trace.has_bounds:
        return ["bv"]
    return ["α", "β", "bv"]
