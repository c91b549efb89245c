"""The simulator: the same each time, true to the strategies, and with the figures that notebook 06
tells.
"""

from itertools import pairwise
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.exercises.rehearsal import TIC_TAC_TOE, root_counts
from abviz.parallel import STRATEGIES, Run, parallel_search, simulate
from abviz.parallel.granularity import HANDING
from tests import slow_search
from tests.slow_search import mazes, moves_of

START, TTT = Checkers.start(), TicTacToe.start()
POSITIONS = [START, *slow_search.checkers(5, seed=61, most=30)]
ALPHABETA = [name for name in STRATEGIES if name != "minimax"]


@pytest.mark.parametrize("name", STRATEGIES)
def test_it_is_deterministic_and_finds_value_and_move(name: str) -> None:
    for position in [*POSITIONS, TTT, *mazes(8, seed=62)]:
        if not moves_of(position):
            continue
        result = search(position, 7, method="alphabeta")
        for workers in (1, 3, 16):
            run = simulate(position, 7, strategy=name, workers=workers, handing=50)
            assert run == simulate(position, 7, strategy=name, workers=workers, handing=50)
            assert (run.value, run.move) == (result.value, result.move), (position, workers)
            check_schedule(run, 50)


def check_schedule(run: Run, handing: int) -> None:
    """Every worker does one thing at a time, and its time is what it searched."""
    assert run.clock == "nodes" and run.finished
    for worker in range(run.workers):
        own = [task for task in run.tasks if task.worker == worker and task.end is not None]
        assert all(before.end <= after.start for before, after in pairwise(own))  # type: ignore[operator]
        assert run.cpu[worker] == sum(task.nodes for task in own)
        for task in own:
            assert task.value is None or task.nodes == max(
                0, (task.end or 0) - task.start - handing
            )
    assert run.time == max(task.end for task in run.tasks if task.end is not None)
    assert run.nodes >= sum(run.cpu)


@pytest.mark.parametrize("name", ["sequential", "shared", "first-move", "minimax"])
def test_one_worker_takes_the_nodes_of_the_sequential_search(name: str) -> None:
    for position in POSITIONS:
        nodes = search(position, 6, method="minimax" if name == "minimax" else "alphabeta").nodes
        run = simulate(position, 6, strategy=name, workers=1, handing=0)
        assert run.nodes == nodes and run.time == nodes - 1  # the root is in no task
        priced = simulate(position, 6, strategy=name, workers=1, handing=1000)
        assert priced.time == run.time + 1000 * len(run.moves)


@pytest.mark.parametrize(
    ("strategy", "workers", "speed_up", "overhead"),
    [
        ("root", 2, 0.99, 99),
        ("shared", 2, 1.5, 28),
        ("shared", 8, 2.38, 99),
        ("polling", 8, 3.24, 48),
        ("first-move", 2, 1.35, 9),
        ("pv-split", 2, 1.65, 10),
        ("young-brothers", 2, 1.79, 7),
        ("root", 64, 2.38, 99),
        ("young-brothers", 64, 6.03, 65),
        ("dynamic", 64, 6.54, 53),
    ],
)
def test_the_figures_of_the_notebook(
    strategy: str, workers: int, speed_up: float, overhead: int
) -> None:
    sequential = simulate(START, 11, strategy="sequential", workers=1, handing=0)
    run = simulate(START, 11, strategy=strategy, workers=workers, handing=0)
    assert (round(run.speed_up(sequential), 2), round(100 * run.overhead(sequential))) == (
        speed_up,
        overhead,
    )
    assert (run.move, run.value) == ("12-16", 2)


def test_minimax_is_split_at_no_cost_and_alphabeta_is_not() -> None:
    for baseline, strategy, expected in (
        ("minimax", "minimax", [1, 1.87, 2.93, 8.61]),
        ("sequential", "root", [0.61]),
    ):
        one = simulate(TTT, 9, strategy=baseline, workers=1, handing=0)
        numbers = (1, 2, 3, 9)[: len(expected)]
        runs = [
            simulate(TTT, 9, strategy=strategy, workers=workers, handing=0) for workers in numbers
        ]
        assert [round(run.speed_up(one), 2) for run in runs] == expected
        assert len({run.nodes for run in runs}) == 1


def test_every_task_has_its_usual_price() -> None:
    free = simulate(START, 7, strategy="root", workers=1, handing=0)
    priced = simulate(START, 7, strategy="root", workers=1)
    assert priced.time == free.time + HANDING * len(START.moves())
    assert priced.settings == f"handing {HANDING}" and free.settings == ""


def test_root_counts_are_those_of_the_searches() -> None:
    assert root_counts() == root_counts(TicTacToe.from_cells("xo.......")) == TIC_TAC_TOE
    counts = root_counts(START, 11)
    assert sum(counts.narrowed) == search(START, 11, method="alphabeta").nodes - 1
    assert (
        sum(counts.full)
        == sum(search(START.play(m), 10, method="alphabeta").nodes for m in START.moves())
        == 2_220_253
    )
    assert counts.full[0] == counts.narrowed[0] and all(
        map(int.__gt__, counts.full[1:], counts.narrowed[1:])
    )


def test_it_agrees_with_a_real_thread_in_every_bound() -> None:
    """What the tasks of one worker start with, and what they read while they run."""
    for name in ("polling", "young-brothers", "pv-split"):
        real = parallel_search(START, 9, strategy=name, workers=1)
        run = simulate(START, 9, strategy=name, workers=1)
        bounds = [
            [
                (task.path, task.alpha, task.beta, task.value, [each[1:] for each in task.learnt])
                for task in each.tasks
            ]
            for each in (real, run)
        ]
        assert bounds[0] == bounds[1]


@pytest.mark.parametrize(
    ("name", "value", "most"), [("upper", 0, "1 to 256"), ("workers", 300, "1 to 256")]
)
def test_bad_input(name: str, value: int, most: str) -> None:
    with pytest.raises(AbvizError, match=rf"^{name} is {value}; expected a whole number, {most}$"):
        simulate(START, 4, **{name: value})


@pytest.mark.parametrize("handing", [-1, 0.5, float("nan"), float("inf"), "x", None, True])
def test_a_price_that_is_no_number_of_nodes_is_refused(handing: Any) -> None:
    with pytest.raises(AbvizError, match=r"handing is .*; expected a number of nodes, 0 or more"):
        simulate(TicTacToe.start(), 4, handing=handing)
