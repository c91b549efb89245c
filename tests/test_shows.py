"""The levels of detail: which steps each shows, and which numbers of a node."""

import pytest
from hypothesis import given

from abviz import load, minimax, record, trace
from abviz.errors import AbvizError
from abviz.tracing.shows import SHOWS, letters_shown, shown_steps
from abviz.tracing.traces import Trace
from tests import strategies
from tests.solutions import writing

FIELDS = {"values": ["value"], "bv": ["value", "bv"]}


def numbers(searched: Trace, step: int, show: str) -> list[object]:
    """Return the numbers that the level shows at the step, and which nodes are skipped."""
    shown: list[object] = []
    for node in searched.tree.nodes:
        state = searched.node_at(node, step)
        shown.append(state.state == "skipped")
        shown += [getattr(state, field) for field in FIELDS[show]]
    return shown


def test_the_steps_of_the_worked_example():
    searched = trace(load("worked-example"))
    steps = {show: shown_steps(searched, show) for show in SHOWS}
    counted = {show: len(each) - 1 for show, each in steps.items()}
    assert counted == {"values": 29, "bv": 45, "bounds": 55, "all": 55}
    assert steps["values"][:8] == [0, 1, 2, 3, 4, 7, 10, 13]


@given(strategies.traces(narrow=True, plain=True))
def test_a_step_that_is_passed_over_changes_nothing_that_is_shown(searched):
    every_step = list(range(len(searched) + 1))
    for show in SHOWS:
        steps = shown_steps(searched, show)
        assert steps == sorted(set(steps))
        assert {0, len(searched)} <= set(steps)
        if show not in FIELDS:
            assert steps == every_step

        for step in set(every_step) - set(steps):
            assert numbers(searched, step, show) == numbers(searched, step - 1, show)


def test_a_recorded_run_goes_by_the_kind_of_event():
    run = record(writing.alphabeta, load("worked-example"))
    steps = shown_steps(run, "values")
    kinds = {run.events_at(step)[0].kind for step in steps[1:-1]}
    assert kinds <= {"enter", "leaf", "exit", "cut"}
    assert 0 < len(steps) < len(run)


def test_the_numbers_at_a_node():
    searched = trace(load("worked-example"))
    expected = [[], ["bv"], ["α", "β", "bv"], ["α", "β", "bv"]]
    assert [letters_shown(searched, show) for show in SHOWS] == expected

    searched = trace(load("worked-example"), search=minimax)
    assert [letters_shown(searched, show) for show in SHOWS] == [[], ["bv"], ["bv"], ["bv"]]


@pytest.mark.parametrize("show", ["bound", "ALL", "", None, 3])
def test_an_unknown_level_is_refused_with_the_legal_ones(show):
    with pytest.raises(AbvizError) as refused:
        shown_steps(trace(load("worked-example")), show)
    message = str(refused.value)
    assert message.startswith("unknown level for show") and "\n" not in message
    assert "bounds" in message
