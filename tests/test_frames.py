"""The number line of the page: where the value that came up falls, against what the search does next."""

from math import inf

import pytest
from hypothesis import given, settings

from abviz import Tree, trace
from abviz.tracing.traces import Trace
from abviz.views.frames import all_frames
from tests import oracle, strategies


def value_of(text: str) -> float | None:
    """Read a number of `data-*`: "-inf", "3", "" for none."""
    return float(text) if text else None


@settings(max_examples=strategies.FEWER)
@given(strategies.traces(narrow=True))
def test_what_came_up_falls_where_the_rules_say(searched: Trace) -> None:
    drops = all_frames(searched)["drops"]
    steps = oracle.groups(searched.events)
    for k, (event, *_) in enumerate(steps, 1):
        if event.kind != "bv":
            stands = event.kind in ("alpha", "beta", "cut")
            assert drops.get(k) == (drops[k - 1] if stands else None)
            continue
        value, bv, zone, alpha, beta = drops[k]
        assert [*map(value_of, (value, bv, alpha, beta))] == [event.value, event.bv, event.alpha, event.beta]
        node = event.node
        after = [e for events in steps[k:] for e in events]
        # what the node does next: the events up to the next child's, or to its own end
        own = []
        for later in after:
            if later.node is not node and not (later.kind == "cut" and later.node in node.children):
                break
            own.append(later)
        kinds = {later.kind for later in own}
        is_last = "exit" in kinds and "cut" not in kinds
        bound = event.beta if node.is_max else event.alpha
        beyond = event.bv > bound if node.is_max else event.bv < bound
        is_cut = beyond or (event.bv == bound and not searched.rules.strict)
        assert (zone == "cut") == is_cut
        if not is_last:
            assert ("cut" in kinds) == (zone == "cut")
        if zone == "update":
            assert own[0].kind == ("alpha" if node.is_max else "beta")
        if zone == "ignore":
            assert not kinds & {"alpha", "beta", "cut"}


@pytest.mark.parametrize(
    ("searched", "expected"),
    [
        (trace(Tree([[inf, -2], [-inf, 9.5]])), [-2, 9.5]),
        (trace(Tree([[inf], [-inf]])), [0, 0]),
        (trace(Tree([[1, 2], [0, None]])), [0, 2]),
        (trace(Tree([[3, 9], [0, 2]]), alpha=-1000, beta=1000), [-1000, 1000]),
    ],
)
def test_the_number_line_is_finite_and_holds_the_window(searched: Trace, expected: list[float]) -> None:
    assert all_frames(searched)["range"] == expected
