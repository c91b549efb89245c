"""measure_split: a student's root split gives the answer of ours, and its record says what it did."""

import threading
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe
from abviz.parallel import Run, measure_split, parallel_search, simulate
from abviz.timing import Timing, lanes, table

DEPTH = 7


def layer1(position: Any, depth: int, search: Any) -> str:
    moves = position.moves()
    values = [0] * len(moves)

    def thread_move(index: int) -> None:
        values[index] = search(position.play(moves[index]), depth - 1, -inf, inf)

    threads = [threading.Thread(target=thread_move, args=(index,)) for index in range(len(moves))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    best = max(values) if position.is_max() else min(values)
    return moves[values.index(best)]


def pooled(position: Any, depth: int, search: Any) -> str:
    """The same on two threads."""
    moves = position.moves()
    with ThreadPoolExecutor(2) as pool:
        values = list(
            pool.map(lambda move: search(position.play(move), depth - 1, -inf, inf), moves)
        )
    best = max(values) if position.is_max() else min(values)
    return moves[values.index(best)]


POSITIONS = {
    "start": Checkers.start(),
    "White to move": Checkers.start().play("11-15"),
    "compulsory capture": Checkers.start().play("11-15").play("22-18"),
    "tic-tac-toe": TicTacToe.start(),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_answer_and_the_nodes_are_those_of_root_splitting(name: str) -> None:
    position = POSITIONS[name]
    ours = parallel_search(position, DEPTH, strategy="root", workers=2)
    for function in (layer1, pooled):
        run = measure_split(function, position, DEPTH)
        assert (run.move, run.value) == (ours.move, ours.value)
        assert run.problem == ours.problem
        assert run.moves == ours.moves
        assert run.nodes == ours.nodes - 1  # ours counts the root, too
        assert {task.move: task.nodes for task in run.tasks} == {
            task.move: task.nodes for task in ours.tasks
        }


def test_a_thread_is_a_worker() -> None:
    one_each = measure_split(layer1, Checkers.start(), DEPTH)
    assert one_each.workers == len(one_each.tasks) == 7
    assert {task.worker for task in one_each.tasks} == set(range(7))
    assert one_each.strategy == "layer1" and one_each.finished

    in_pool = measure_split(pooled, Checkers.start(), DEPTH)
    assert in_pool.workers <= 2 and len(in_pool.tasks) == 7

    for run in (one_each, in_pool):
        assert len(run.cpu) == run.workers
        for task in run.tasks:
            assert task.end is not None and 0 <= task.start <= task.end <= run.time


def test_runs_are_drawn_compared_and_shown_by_the_widget() -> None:
    position = Checkers.start()
    mine = measure_split(layer1, position, DEPTH)
    ours = [parallel_search(position, DEPTH, strategy=name) for name in ("sequential", "root")]
    assert "layer1" in str(table(*ours, mine))
    assert "speed-up" in str(table(*ours, mine))
    assert "layer1" in lanes(mine).caption

    timing = Timing(position, depth=DEPTH)
    timing.run(strategy="sequential")
    timing.wait()
    timing.add(mine)
    assert [run.strategy for run in timing.runs] == ["sequential", "layer1"]
    assert "layer1" in timing._table.value and "layer1" in timing._lanes.svg
    timing.add(simulate(position, DEPTH, strategy="root"))
    assert len(timing.runs) == 3
    with pytest.raises(AbvizError, match="expected a run"):
        timing.add("layer1")  # type: ignore[arg-type]
    timing.close()


def test_a_position_that_is_over_below_the_root_counts_as_in_the_engine() -> None:
    almost = Checkers.from_fen("B:W18:B15,14")
    run: Run = measure_split(layer1, almost, DEPTH)
    ours = parallel_search(almost, DEPTH, strategy="sequential")
    assert (run.move, run.value) == (ours.move, ours.value)


BAD: dict[str, Any] = {
    "expected a function layer1": "layer1",
    "the function returned 'x'; expected one of 9-13": lambda p, d, s: "x",
    "the function returned None; expected one of": lambda p, d, s: None,
    "expected search(position.play(move), depth - 1, -inf, inf)": lambda p, d, s: s(
        p, d, -inf, inf
    ),
    "the window has 'a'": lambda p, d, s: s(p.play(p.moves()[0]), d - 1, "a", inf),
}


@pytest.mark.parametrize("message", BAD)
def test_what_is_no_split_is_refused_in_one_line(message: str) -> None:
    with pytest.raises(AbvizError) as error:
        measure_split(BAD[message], Checkers.start(), DEPTH)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_threads_that_are_not_joined_are_stopped() -> None:
    """Without the stop, such a search would run on for minutes after the function has returned."""
    begun: list[threading.Thread] = []

    def hasty(position: Any, depth: int, search: Any) -> Any:
        after = position.play(position.moves()[0])
        thread = threading.Thread(target=search, args=(after, 40, -inf, inf), daemon=True)
        begun.append(thread)
        thread.start()
        return position.moves()[0]

    run = measure_split(hasty, Checkers.start(), 41)
    begun[0].join(60)
    assert not begun[0].is_alive()
    assert run.value is None
