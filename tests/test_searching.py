"""`search` as a person calls it: the same answer each time, limits, stopping, known results, and what it refuses."""

import inspect
import json
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from abviz import AbvizError, Checkers, Switches, TicTacToe, search
from abviz.engine import Result, Search
from abviz.engine.table import ENTRY
from abviz.errors import Stopped
from abviz.games.scale import DEEPEST
from tests import slow_search
from tests.slow_search import Maze, Stairs, mazes
from tests.test_improving import check_line

HOUSE = Path(__file__).resolve().parents[1]
KNOWN = yaml.safe_load((HOUSE / "tests/data/perft_checkers.yaml").read_text("utf-8"))["results"]


def told(result: Result) -> tuple[Any, ...]:
    """All that does not depend on the clock."""
    iterations = [(each.depth, each.value, each.line, each.nodes) for each in result.iterations]
    counts = (result.nodes, result.evaluations, result.cutoffs, result.hits)
    return result.move, result.value, result.line, result.depth, result.finished, counts, iterations


# the same each time


def test_results_do_not_vary_from_run_to_run() -> None:
    rng = random.Random(31)
    asked = [(position, rng.randint(5, 8)) for position in [*slow_search.checkers(12, seed=31), *mazes(12, seed=31)]]
    first = [told(search(*each)) for each in asked]
    others = list(enumerate(asked))
    rng.shuffle(others)
    assert [told(search(*each)) == first[i] for i, each in others] == [True] * len(asked)


def test_searches_in_several_threads_do_not_touch_each_other() -> None:
    asked = [(position, 8) for position in [Checkers.start(), *slow_search.checkers(7, seed=32)]]
    alone = [told(search(*each)) for each in asked]
    together = [Search(*each).start() for each in asked * 3]
    assert [told(each.result()) for each in together] == alone * 3


def test_a_first_search_in_several_threads_at_once_is_compiled_and_right() -> None:
    code = """
import threading
from abviz import TicTacToe, search
found = []
def run():
    found.append(search(TicTacToe.start(), 9).nodes)
threads = [threading.Thread(target=run) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), len(set(found)))
"""
    ran = subprocess.run([sys.executable, "-c", code], cwd=HOUSE, capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout) == (0, "4 1\n"), ran.stderr


# limits


@pytest.mark.parametrize("nodes", [1, 2, 10, 100, 1_000, 10_000, 100_000])
def test_a_limit_of_nodes_gives_the_deepest_finished_result(nodes: int) -> None:
    for position in [Checkers.start(), *slow_search.checkers(3, seed=33), next(mazes(1, seed=33))]:
        full = search(position, 11)
        result = search(position, 11, nodes=nodes)
        done = max((each.depth for each in full.iterations if each.nodes < nodes), default=1)
        assert result.depth == max(done, 1)
        assert result.finished == (done == full.depth and full.nodes < nodes)
        assert [told(result)[-1]] == [told(full)[-1][: result.depth]]
        same = search(position, result.depth)
        assert (result.move, result.value, result.line) == (same.move, same.value, same.line)
        assert result.nodes <= max(nodes, full.iterations[0].nodes) + DEEPEST


@pytest.mark.parametrize(
    "limit", [{"nodes": 10**9}, {"nodes": 2**80}, {"seconds": 1e300}, {"seconds": float("inf")}, {"beam": 2**80}]
)
def test_a_limit_that_is_not_reached_changes_nothing(limit: dict[str, Any]) -> None:
    assert told(search(Checkers.start(), 7, **limit)) == told(search(Checkers.start(), 7))


@pytest.mark.parametrize("seconds", [0.001, 0.1])
def test_a_limit_of_seconds_ends_the_search_near_it(seconds: float) -> None:
    search(Checkers.start(), 4)
    begin, spent = time.perf_counter(), time.process_time()
    result = search(Checkers.start(), DEEPEST, seconds=seconds)
    assert seconds <= time.perf_counter() - begin
    assert time.process_time() - spent < seconds + 2  # a busy machine may take longer
    assert not result.finished and result.depth >= 1
    check_line(result)
    if seconds > 0.01:
        assert result.depth >= 5


def test_stop_ends_the_search_with_what_was_finished() -> None:
    begun = Search(Checkers.start(), DEEPEST).start()
    while len(begun.iterations) < 6:
        time.sleep(0.001)
    begun.stop()
    result = begun.result()
    assert not result.finished and 6 <= result.depth < DEEPEST
    same = search(Checkers.start(), result.depth)
    assert (result.move, result.value, result.line) == (same.move, same.value, same.line)
    assert "stopped there" in str(result)


def test_a_search_that_is_stopped_at_once_says_so() -> None:
    begun = Search(Checkers.start(), DEEPEST)
    begun.stop()
    result = begun.start().result()
    assert (result.move, result.value, result.line, result.depth, result.finished) == (None, None, (), 0, False)
    assert "stopped before anything was found" in str(result)
    assert json.loads(json.dumps(result.to_dict()))["move"] is None


@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
def test_a_plain_search_can_be_stopped_too(method: str) -> None:
    begun = Search(Checkers.start(), 40, method=method).start()
    while begun.nodes < 10_000:
        time.sleep(0.001)
    begun.stop()
    result = begun.result()
    assert (result.move, result.value, result.finished) == (None, None, False)


def test_stopping_a_finished_search_leaves_its_result() -> None:
    begun = Search(Checkers.start(), 5).start()
    result = begun.result()
    begun.stop()
    assert begun.result() is result and result.finished and begun.done


def test_its_counters_move_while_it_runs() -> None:
    begun = Search(Checkers.start(), DEEPEST).start()
    seen = []
    while len(seen) < 5:
        seen.append(begun.nodes)
        time.sleep(0.02)
    assert not begun.done
    begun.stop()
    assert begun.result().nodes >= seen[-1]
    assert seen == sorted(set(seen)) and seen[-1] > 10_000


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_an_interrupt_stops_the_search_and_the_next_one_works() -> None:
    code = """
import threading, time
from abviz import Checkers, search
search(Checkers.start(), 3)
try:
    print("ready", flush=True)
    search(Checkers.start(), 99)
except KeyboardInterrupt:
    begin = time.perf_counter()
    while any(thread.name == "abviz search" for thread in threading.enumerate()):
        assert time.perf_counter() - begin < 10
    print("stopped", flush=True)
print(search(Checkers.start(), 6).depth)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=HOUSE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "stopped\n6\n"), err


# memory


def test_a_thousand_searches_leave_nothing_behind() -> None:
    def resident() -> int:
        pages = Path("/proc/self/statm")
        if pages.exists():
            return int(pages.read_text().split()[1]) * resource.getpagesize()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def hundred() -> None:
        for _ in range(100):
            search(TicTacToe.start(), 3, megabytes=4, seconds=60)

    hundred()
    threads, before = threading.active_count(), resident()
    for _ in range(10):
        hundred()
    assert resident() - before < 20e6  # a single table of each search would be 4,000 MB
    deadline = time.perf_counter() + 10
    while threading.active_count() > threads:
        assert time.perf_counter() < deadline, threading.enumerate()


@pytest.mark.parametrize("megabytes", [0.001, 0.1, 1, 5, 32, 33.5])
def test_the_table_takes_what_it_is_given(megabytes: float) -> None:
    table = Search(Checkers.start(), 4, megabytes=megabytes).table
    assert megabytes * 1e6 / 2 < table.nbytes <= megabytes * 1e6
    assert len(table) & (len(table) - 1) == 0 and table.dtype == ENTRY


def test_a_search_without_a_table_has_none_to_speak_of() -> None:
    assert Search(Checkers.start(), 4, table=False, megabytes=100).table.nbytes < 100
    assert Search(Checkers.start(), 4, method="alphabeta", megabytes=100).table.nbytes < 100


def test_a_table_that_does_not_fit_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(entries: int) -> Any:
        raise MemoryError

    monkeypatch.setattr("abviz.engine.searching.new_table", full)
    refused(lambda: Search(Checkers.start(), 4, megabytes=4096), "megabytes is 4096", "memory")


# known results


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["fen"])
def test_what_is_known_of_a_position_is_found(known: dict[str, Any]) -> None:
    position = Checkers.from_fen(known["fen"])
    result = search(position, known["depth"])
    check_line(result)
    if "best" in known:
        assert [result.move] == known["best"]
        others = [
            search(position.play(name), known["depth"] - 1).value for name in position.moves() if name != result.move
        ]
        assert all(result.value < value for value in others), "white is MIN"
    if known.get("winner") == "W":
        assert result.wins_in < 0 and -result.wins_in <= known["depth"]


def test_the_win_of_three_kings_is_proved_at_every_step_of_its_line() -> None:
    position = Checkers.from_fen("W:WK22,K23,K24:BK31,K32")
    result = search(position, 17)
    for ply, name in enumerate(result.line):
        left = -result.wins_in - ply
        assert search(position, left).wins_in == -left
        position = position.play(name)
    assert position.over()


# what can be asked for


def test_the_signature_says_what_there_is() -> None:
    parameters = inspect.signature(Search).parameters
    assert [parameters[name].default for name in ("depth", "method", "megabytes")] == [None, "improved", 32]
    assert Search(Checkers.start()).depth == 12 and Search(Checkers.start(), seconds=1).depth == DEEPEST


def test_switches_are_told_by_name_or_together() -> None:
    position = Checkers.start()
    by_name = search(position, 6, table=False, pvs=False)
    assert told(search(position, 6, switches=Switches(table=False, pvs=False))) == told(by_name)
    assert told(search(position, 6, switches=Switches(table=False), pvs=False)) == told(by_name)
    assert Search(position, 6, switches=Switches(beam=3), table=False).switches == Switches(beam=3, table=False)


def test_the_depth_is_the_end_of_the_game_where_that_comes_first() -> None:
    result = search(TicTacToe.from_cells("x.o .x. o.."), 50)
    assert result.finished and len(result.line) == result.wins_in == 1
    assert search(Stairs(5), DEEPEST).wins_in == 3


def test_results_that_are_not_taken_hold_nothing_up() -> None:
    for _ in range(20):
        Search(Checkers.start(), 6).start()
    assert search(Checkers.start(), 6).finished


def test_a_result_can_be_asked_for_at_once() -> None:
    assert Search(Checkers.start(), 5).result().value == search(Checkers.start(), 5).value


def test_a_search_that_is_started_twice_runs_once() -> None:
    begun = Search(Checkers.start(), 7).start()
    assert begun.start() is begun
    assert told(begun.result()) == told(search(Checkers.start(), 7))


# bad input


def refused(call: Any, *said: str) -> None:
    with pytest.raises(AbvizError) as raised:
        call()
    message = str(raised.value)
    assert "\n" not in message and len(message) < 300, message
    for part in said:
        assert part in message, message


@pytest.mark.parametrize("depth", [0, -1, 100, 200, True, "3", 2.0, float("nan")])
def test_a_wrong_depth(depth: Any) -> None:
    refused(lambda: search(Checkers.start(), depth), "depth is", "expected a whole number of moves, 1 to 99")


class NoGame(tuple):
    pass


@pytest.mark.parametrize("position", [None, "start", 3, [], (1, 2), Checkers, Switches(), NoGame(), object()])
def test_something_that_is_no_position(position: Any) -> None:
    refused(lambda: search(position), "no position of a game", "expected one, such as Checkers.start()")


@pytest.mark.parametrize(
    "position",
    [
        Checkers.from_fen("W:W13:B6,9"),
        Checkers.from_fen("W:W:B6,9"),
        TicTacToe.from_cells("xxx oo. ..."),
        TicTacToe.from_cells("xox xxo oxo"),
        Stairs(0),
    ],
)
def test_a_finished_game(position: Any) -> None:
    refused(lambda: search(position, 4), "the game is over")


@pytest.mark.parametrize(
    "position, said",
    [
        (TicTacToe("x", 0), "x of a TicTacToe is 'x'"),
        (TicTacToe(-1, 0), "x of a TicTacToe is −1"),
        (TicTacToe(0, 2**63), "o of a TicTacToe is 9223372036854775808"),
        (TicTacToe(True, 0), "x of a TicTacToe is True"),
        (Checkers(turn=1.0), "turn of a Checkers is 1.0"),
        (Checkers(kings=None), "kings of a Checkers is None"),
        (Maze(0, 0, 2**64), "room of a Maze is"),
        (Maze(0, [], 0), "floor of a Maze is []"),
    ],
)
def test_a_position_of_wrong_numbers(position: Any, said: str) -> None:
    refused(lambda: search(position, 4), said.replace("−", "-"), "expected a whole number from 0 to 2⁶³ − 1")


@pytest.mark.parametrize(
    "told, said",
    [
        ({"nodes": 0}, "nodes is 0; expected a whole number above 0"),
        ({"nodes": -5}, "nodes is -5"),
        ({"nodes": 1.5}, "nodes is 1.5"),
        ({"nodes": True}, "nodes is True"),
        ({"nodes": "many"}, "nodes is 'many'"),
        ({"seconds": 0}, "seconds is 0; expected a number above 0"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"seconds": "1"}, "seconds is '1'"),
        ({"seconds": True}, "seconds is True"),
        ({"megabytes": 0}, "megabytes is 0; expected a number from 0.001 to 65536"),
        ({"megabytes": -1}, "megabytes is -1"),
        ({"megabytes": 1e6}, "megabytes is 1000000.0"),
        ({"megabytes": float("nan")}, "megabytes is nan"),
        ({"megabytes": "32"}, "megabytes is '32'"),
        ({"megabytes": None}, "megabytes is None"),
        ({"weights": {"mens": 100}}, "unknown feature 'mens': did you mean men"),
        ({"weights": {"men": 1.5}}, "the weight of men is 1.5; expected a whole number within ±10,000"),
        ({"weights": {"men": True}}, "the weight of men is True"),
        ({"weights": {"men": 10_001}}, "the weight of men is 10001"),
        ({"weights": {"men": "high"}}, "the weight of men is 'high'"),
        ({"weights": {3: 100}}, "unknown feature 3"),
        ({"weights": [1, 2]}, "weights is [1, 2]; expected a mapping"),
        ({"method": "alpha"}, "unknown method 'alpha': did you mean alphabeta?"),
        ({"method": None}, "unknown method None"),
        ({"method": ["improved"]}, "unknown method"),
        ({"switches": {"table": False}}, "switches is {'table': False}; expected Switches(...)"),
        ({"switches": False}, "switches is False"),
        ({"tables": False}, "unknown switch 'tables': did you mean table"),
        ({"table": 0}, "table is 0; expected True or False"),
        ({"pvs": None}, "pvs is None"),
        ({"beam": True}, "beam is True; expected how many moves to keep, or 0 for all"),
        ({"beam": -1}, "beam is -1"),
        ({"hot": "yes"}, "hot is 'yes'"),
        ({"method": "minimax", "table": False}, "method minimax has no switches but hot"),
        ({"method": "alphabeta", "switches": Switches()}, "method alphabeta has no switches but hot"),
        ({"method": "alphabeta", "nodes": 100}, "a limit of nodes or seconds needs deepening"),
        ({"deepening": False, "seconds": 1}, "a limit of nodes or seconds needs deepening"),
    ],
)
def test_something_wrong_that_is_told(told: dict[str, Any], said: str) -> None:
    refused(lambda: search(Checkers.start(), 4, **told), said)


def test_weights_of_a_game_without_features() -> None:
    refused(lambda: search(TicTacToe.start(), 4, weights={"men": 1}), "unknown feature 'men': there are none")


def test_a_problem_in_the_thread_of_the_search_reaches_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Search, "_search", broken)
    with pytest.raises(RuntimeError, match="broken"):
        search(Checkers.start(), 4)


def test_nothing_is_printed_where_all_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    search(Checkers.start(), 4)
    capfd.readouterr()
    search(Checkers.start(), 4, seconds=1e300)
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_tells_what_had_been_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(event: threading.Event, timeout: float | None = None) -> bool:
        monkeypatch.undo()
        while run.nodes < 100_000:
            time.sleep(0.001)
        raise KeyboardInterrupt

    run = Search(Checkers.start(), 60).start()
    monkeypatch.setattr(threading.Event, "wait", interrupted)
    with pytest.raises(Stopped) as stopped:
        run.result()
    (line,) = stopped.value._render_traceback_()
    assert line.startswith("stopped; found so far: ") and "stopped there)" in line
    assert Stopped("")._render_traceback_() == ["stopped"]
    assert search(Checkers.start(), 4).finished
