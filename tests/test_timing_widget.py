"""The timing widget in the kernel: its controls, its runs, and what it sends to the browser."""

import re
import threading
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe
from abviz.parallel import parallel_search
from abviz.timing import Timing

START = TicTacToe.start()
WAIT = 120  # seconds that nothing takes, on any machine


@pytest.fixture
def timing() -> Any:
    widget = Timing(START, depth=6)
    yield widget
    widget.close()


def status(widget: Timing) -> str:
    text = re.fullmatch(r'<span role="alert">(.*)</span>', widget._status.value)
    assert text
    return text[1]


def shown(widget: Timing) -> list[str]:
    """Return the names of the runs in the picture."""
    return re.findall(r'class="heading"[^>]*>(.*?) ·', widget._lanes.svg)


@pytest.mark.parametrize("method", ["alphabeta", "improved"])
def test_runs_are_measured_listed_and_compared(timing: Timing, method: str) -> None:
    timing.run(strategy="young-brothers", method=method)
    run = timing.wait()
    timing.run(strategy="sequential")
    one = timing.wait()
    expected = parallel_search(TicTacToe.start(), 6, strategy="sequential", workers=1)
    assert timing.runs == [run, one]
    assert {(each.move, each.value, each.method) for each in timing.runs} == {
        (expected.move, expected.value, method)
    }
    assert (run.workers, one.workers) == (2, 1)
    assert status(timing).startswith("Finished: ")
    alone = "sequential, " + "improved, " * (method == "improved") + "1 worker"
    assert shown(timing) == [alone]
    timing._compared.value = 1
    assert shown(timing) == [
        alone,
        alone.replace("sequential", "young-brothers").replace("1 worker", "2 workers"),
    ]
    assert f">{one.time / run.time:.2f}<" in timing._table.value
    assert timing._table.value.count("<tr>") == 3


def test_a_search_is_watched_and_stopped_while_the_kernel_is_free() -> None:
    timing = Timing(Checkers.start(), depth=40, workers=2, strategy="shared")
    drawn = threading.Event()
    timing._lanes.observe(
        lambda change: 'class="bar running"' in change["new"] and drawn.set(), "svg"
    )
    timing.run()
    assert drawn.wait(WAIT)
    with pytest.raises(AbvizError, match=r"a search is running; expected stop\(\) or wait\(\)"):
        timing.run()
    timing.stop()
    assert not timing.wait().finished
    assert status(timing).startswith("Stopped: ")
    assert "not finished" in timing._table.value
    timing.run(depth=3)  # and the next one works
    assert timing.wait().finished
    timing.close()


def test_stop_is_off_where_nothing_runs() -> None:
    timing = Timing(Checkers.start(), depth=40)
    assert timing._stop.disabled
    timing.run()
    assert not timing._stop.disabled and timing._lanes.is_running
    timing._stop.click()
    assert not timing.wait().finished
    assert timing._stop.disabled and not timing._lanes.is_running

    timing.run(depth=2)
    timing.wait()
    assert timing._stop.disabled
    timing._controls["method"].value = "improved"
    timing._controls["strategy"].value = "minimax"
    timing._press_run()  # refused
    assert timing._stop.disabled
    timing.close()


def test_closing_stops_the_search() -> None:
    timing = Timing(depth=40)
    timing.run()
    search = timing._search
    timing.close()
    assert not search.result().finished


def test_a_failed_search_is_a_line_in_the_widget(timing: Timing) -> None:
    over = TicTacToe.start()
    while not over.over():
        over = over.play(over.find_move(over.moves()[0]))
    done = Timing(over)
    done._press_run()  # as the button does
    assert status(done).startswith("the game is over in this position")
    timing.run(strategy="minimax", method="alphabeta")
    assert timing.wait().finished
    timing._controls["method"].value = "improved"
    timing._press_run()
    assert status(timing).startswith("method improved with strategy minimax")
    timing.run(strategy="root", method="alphabeta")
    timing.wait()
    assert status(timing).startswith("Finished: ")


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"depth": 200}, "depth is 200; expected a value that its control offers"),
        ({"depth": "nine"}, "depth is 'nine'; expected a value that its control offers"),
        ({"strategy": "rot"}, "strategy is 'rot'; expected a value that its control offers"),
        ({"dept": 3}, "unknown option 'dept': did you mean depth"),
    ],
)
def test_wrong_choices_are_refused_in_one_line(
    timing: Timing, wrong: dict[str, Any], problem: str
) -> None:
    for make in (timing.run, lambda **choices: Timing(START, **choices)):
        with pytest.raises(AbvizError, match="^" + re.escape(problem)):
            make(**wrong)
    assert timing.runs == []
