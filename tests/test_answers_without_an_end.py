"""Answers that come to no end, or return nothing: what is said of them is true, and little is recorded for it."""

from math import inf

import pytest

from abviz import Tree, check, record, watch
from abviz.exercises import trying
from abviz.exercises.behaviour import MOST_LOOKS
from abviz.recording.recorder import FEWEST_CALLS
from abviz.tracing.narration import sentence


@pytest.fixture
def recordings(monkeypatch):
    """All that is recorded meanwhile."""
    made = []

    def recording(*told, **options):
        made.append(record(*told, **options))
        return made[-1]

    monkeypatch.setattr(trying, "record", recording)
    return made


def without_next(node):
    if node.is_leaf:
        return node.value
    i = 0
    best = -inf if node.is_max else inf
    while i < len(node.children):
        value = without_next(node.children[i])
        best = max(best, value) if node.is_max else min(best, value)
    return best


def without_next_and_with_bounds(node, alpha, beta):
    if node.is_leaf:
        return node.value
    i = 0
    best = -inf if node.is_max else inf
    while i < len(node.children):
        value = without_next_and_with_bounds(node.children[i], alpha, beta)
        best = max(best, value) if node.is_max else min(best, value)
    return best


@pytest.mark.parametrize(
    ("exercise", "answer", "window"),
    [("minimax", without_next, ""), ("alphabeta", without_next_and_with_bounds, " with the window (−∞, ∞)")],
)
def test_a_forgotten_step_of_a_loop_is_seen_on_its_tree_and_recorded_once(exercise, answer, window, recordings):
    said = check(exercise, answer)
    assert said.status == "wrong" and said.tree is not None
    assert said.message == f"On [−1, 0]{window} it looked at nodes more than {MOST_LOOKS:,} times."
    (run,) = recordings
    assert run.problem == f"it was stopped after {FEWEST_CALLS:,} calls" and len(run) <= 2 * FEWEST_CALLS + 2
    assert "reads leaf 0 (−1) again, where the reference reads leaf 1 (0)" in sentence(said.trace, said.step)


def test_the_call_that_shows_such_a_run_has_an_end_as_well():
    said = check("minimax", without_next)
    assert said.to_watch == "watch(without_next, Tree([-1, 0]))"
    shown = eval(said.to_watch, {"watch": watch, "Tree": Tree, "without_next": without_next})
    assert (shown.step, shown.trace.problem) == (said.step, said.trace.problem)


def slow_and_wrong_in_the_end(node):
    for _ in range(FEWEST_CALLS // 2):
        same(node)
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(map(slow_and_wrong_in_the_end, node.children)) + 1


def same(node):
    return node


def test_where_the_recording_ends_is_not_said_to_be_where_the_run_does(recordings):
    said = check("minimax", slow_and_wrong_in_the_end)
    assert "it returns 1; expected 0." in said.message
    assert recordings[0].problem.startswith("it was stopped") and said.trace is None and said.to_watch == ""


def nothing_for_leaves(node):
    if node.is_leaf:
        node.value  # noqa: B018 – that it is not returned is the mistake
        return None
    first, *_ = map(nothing_for_leaves, node.children)
    return first


def nothing_for_min(node):
    if node.is_leaf:
        return node.value
    if node.is_max:
        values = [nothing_for_min(child) for child in node.children]
        return None if None in values else max(values)
    for child in node.children:
        nothing_for_min(child)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (nothing_for_leaves, "On [−1, 0] it returns None; expected 0. It returns None for the leaf −1."),
        (nothing_for_min, "it returns None; expected 0. It returns None for [0, 1], where MIN is to move."),
    ],
)
def test_what_is_expected_is_said_of_the_tree_and_not_of_the_node_for_which_nothing_is_returned(answer, told):
    assert check("minimax", answer).message.endswith(told)
