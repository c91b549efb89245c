"""The timing widget without a browser: what it sends while a search runs, what it answers, what it leaves behind."""

import _thread
import copy
import gc
import json
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import Checkers, TicTacToe
from abviz.errors import AbvizError, Stopped
from abviz.parallel import STRATEGIES, parallel_search
from abviz.parallel.records import Run, TaskRecord
from abviz.timing import lanes, snapshots, table
from abviz.timing.pooling import Baselines
from abviz.timing.snapshots import HEADS, Bars
from abviz.timing.still import GREY, svg
from abviz.timing.values import told_value
from abviz.timing.widget import HERE, MOST_ROWS, NO_BASELINE, Timing

START = Checkers.start()
MOVES = tuple(START.moves())
WON = TicTacToe(x=0b000000111, o=0b000011000)


def a_task(place: int = 0, start: float = 0.0, end: float | None = 1.0, **told: Any) -> TaskRecord:
    usual = {"worker": 0, "nodes": 10, "alpha": -1_000_000, "beta": 1_000_000, "value": None if end is None else 5}
    move = MOVES[place]
    return TaskRecord(**{"move": move, "path": (move,), "start": start, "end": end} | usual | told)


def a_run(*tasks: TaskRecord, **told: Any) -> Run:
    usual: dict[str, Any] = {
        "strategy": "root",
        "game": START.title,
        "position": START.fen,
        "depth": 12,
        "workers": 2,
        "method": "alphabeta",
        "is_max": True,
        "moves": MOVES,
        "clock": "seconds",
        "move": MOVES[0],
        "value": 5,
        "nodes": sum(task.nodes for task in tasks),
        "time": max((task.end or task.start for task in tasks), default=1.0),
        "cpu": (0.5, 0.5),
        "compiled": 0.0,
        "finished": True,
    }
    return Run(**usual | {"tasks": tasks} | told)


class Running:
    """A search that goes as the test says."""

    def __init__(self, position: Any, depth: int, *, strategy: str, workers: int, **told: Any) -> None:
        self.told = {"position": position, "depth": depth, "strategy": strategy, "workers": workers, **told}
        self.now = a_run(
            strategy=strategy, depth=depth, workers=workers, finished=False, move=None, value=None, time=0.0
        )
        self.over = threading.Event()
        self.problem: BaseException | None = None

    @property
    def done(self) -> bool:
        return self.over.is_set()

    def record(self) -> Run:
        return self.now

    def grow(self, *tasks: TaskRecord, at: float) -> None:
        self.now = replace(self.now, tasks=tasks, time=at, nodes=sum(task.nodes for task in tasks))

    def end(self, **told: Any) -> None:
        self.now = replace(self.now, **({"finished": True, "move": MOVES[0], "value": 5, "time": 1.0} | told))
        self.over.set()

    def stop(self) -> None:
        self.over.set()

    def result(self) -> Run:
        assert self.over.wait(10)
        if self.problem:
            raise self.problem
        return self.now


class Comm:
    """What a widget sends to the browser."""

    kernel = "some kernel"
    comm_id = "abviz"

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any], *_: Any, **__: Any) -> None:
        self.messages.append(copy.deepcopy(data))

    def close(self, *_: Any, **__: Any) -> None:
        pass

    def on_msg(self, act: Any) -> None:
        self.heard = act

    @property
    def live(self) -> list[dict[str, Any]]:
        return [each["content"] for each in self.messages if each["method"] == "custom"]


class Told:
    """A widget whose searches go as the test says, and what it sends."""

    def __init__(self, *positions: Any, **told: Any) -> None:
        self.searches: list[Running] = []
        self.widget = Timing(*positions, start=self.start, **told)
        self.comm = Comm()
        self.widget.comm = self.comm

    def start(self, position: Any, depth: int, **told: Any) -> Running:
        self.searches.append(Running(position, depth, **told))
        return self.searches[-1]

    def ask(self, **what: Any) -> None:
        """As the browser does it."""
        self.widget._handle_custom_msg(what, [])

    def run(self, **ended: Any) -> Run:
        """One from its beginning to its end."""
        self.widget.run()
        self.searches[-1].end(**ended)
        return self.widget.wait()


@pytest.fixture
def told() -> Iterator[Told]:
    told = Told()
    yield told
    told.widget.close()
    assert not ours()


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("abviz")]


def eventually(is_so: Callable[[], Any]) -> None:
    end = time.monotonic() + 10
    while not is_so() and time.monotonic() < end:
        time.sleep(0.002)
    assert is_so()


# what is chosen


def test_it_offers_the_start_of_checkers_where_nothing_is_told(told: Told) -> None:
    widget = told.widget
    assert widget.offered["positions"] == ["the start"]
    assert [name for name, _ in widget.offered["strategies"]] == list(STRATEGIES)
    assert all(words.endswith(".") or words.endswith(":") for _, words in widget.offered["strategies"])
    told.run()
    assert told.searches[0].told["position"] == START


def test_positions_have_names() -> None:
    told = Told({"start": START, "noughts": TicTacToe.start()}, position="noughts", depth=9, workers=1, strategy="root")
    told.run()
    expected = {"position": TicTacToe.start(), "depth": 9, "workers": 1, "strategy": "root"}
    assert told.searches[0].told == expected
    told.widget.close()


def test_what_else_is_told_goes_to_the_search() -> None:
    told = Told(START, weights={"men": 120})
    told.run()
    assert told.searches[0].told["weights"] == {"men": 120}
    told.widget.close()


@pytest.mark.parametrize(
    "wrong, line",
    [
        ({"depth": 0}, "depth is 0; expected a whole number of moves, 1 to 99"),
        ({"depth": 2.5}, "depth is 2.5; expected a whole number of moves, 1 to 99"),
        ({"workers": 0}, "workers is 0; expected a whole number of threads, 1 to 256"),
        ({"workers": True}, "workers is True; expected a whole number of threads, 1 to 256"),
        ({"workers": 257}, "workers is 257; expected a whole number of threads, 1 to 256"),
        ({"strategy": "young-brother"}, "unknown strategy 'young-brother': did you mean young-brothers?"),
        ({"strategy": ["root"]}, "unknown strategy ['root']: there are sequential, minimax, root"),
        ({"position": "middle"}, "unknown position 'middle': there are the start"),
    ],
)
def test_wrong_choices_are_told_in_one_line(told: Told, wrong: dict[str, Any], line: str) -> None:
    with pytest.raises(AbvizError, match=f"^{re.escape(line)}"):
        Timing(**wrong)
    with pytest.raises(AbvizError, match=f"^{re.escape(line)}"):
        told.widget.run(**wrong)
    ((name, value),) = wrong.items()
    before = getattr(told.widget, name)
    with pytest.raises(AbvizError, match=f"^{re.escape(line)}"):
        setattr(told.widget, name, value)
    assert getattr(told.widget, name) == before
    assert told.searches == []


@pytest.mark.parametrize("positions", [{}, 7, {"one": "two"}, "B:W21:B1"])
def test_what_is_no_position_is_refused(positions: Any) -> None:
    with pytest.raises(AbvizError, match="expected"):
        Timing(positions)


def test_a_choice_that_there_is_not_is_refused(told: Told) -> None:
    with pytest.raises(AbvizError, match="unknown choice 'deep': did you mean depth"):
        told.widget.run(deep=3)


@pytest.mark.parametrize("typed", ["", "x", "1.5", "0", "-3", "1_0", "٣", "100", "9" * 5000, None, [], {"a": 1}])
def test_what_is_typed_into_a_field_of_numbers_is_checked(told: Told, typed: Any) -> None:
    told.ask(do="choose", chosen={"depth": typed})
    assert re.fullmatch("depth is .*; expected a whole number of moves, 1 to 99", told.widget.problem)
    told.ask(do="choose", chosen={"workers": typed})
    if typed != "100":
        assert re.fullmatch("workers is .*; expected a whole number of threads, 1 to 256", told.widget.problem)
    assert told.widget.depth == 16
    told.ask(do="run", chosen={"depth": typed})
    assert told.searches == []
    told.ask(do="choose", chosen={"depth": " 8 "})
    assert (told.widget.depth, told.widget.problem) == (8, "")


@pytest.mark.parametrize(
    "message",
    [
        *(None, [], "run", 7, {}, {"do": None}, {"do": []}, {"do": "sing"}),
        *(
            {"do": "show"},
            {"do": "show", "numbers": 1},
            {"do": "show", "numbers": [1]},
            {"do": "show", "numbers": [[]]},
        ),
        *({"do": "choose"}, {"do": "choose", "chosen": []}, {"do": "choose", "chosen": {"runs": 3}}),
        *({"do": "run", "chosen": {"position": {}}}, {"do": "measure"}, {"do": "stop"}, {"do": "hello"}),
    ],
)
def test_whatever_comes_from_a_browser_does_no_harm(told: Told, message: Any) -> None:
    told.widget._handle_custom_msg(message, [])
    assert told.widget.heard == 1
    assert told.searches == []
    assert told.run() in told.widget.runs


BIG = 10**5000


@pytest.mark.parametrize(
    "message, problem",
    [
        ({"do": "run", "chosen": {"self": 1}}, "unknown choice 'self'"),
        ({"do": "run", "chosen": {"chosen": 1, "x" * 10_000: 2}}, "unknown choice 'chosen'"),
        ({"do": "run", "chosen": {"depth": BIG}}, "depth is a number of some 5,001 digits; expected a whole number"),
        ({"do": "choose", "chosen": {"workers": [BIG]}}, "workers is [a number of some 5,001 digits]; expected"),
        ({"do": "choose", "chosen": {"strategy": "x" * 300_000}}, "unknown strategy 'xxx"),
        ({"do": "show", "numbers": [1] * 100_000}, "runs 1, 1, 1, 1, 1, 1, ... are to be shown; expected two"),
        ({"do": "show", "numbers": [BIG]}, "run a number of some 5,001 digits is not in the table"),
        ({"do": "show", "numbers": [["x" * 300_000] * 9]}, "run ['xxxx"),
        ({"do": [[[]]] * 9}, ""),
    ],
)
def test_junk_from_a_browser_is_a_problem_of_one_line(message: Any, problem: str) -> None:
    told = Told(runs=[a_run(a_task())])
    told.widget._handle_custom_msg(message, [])
    assert told.widget.problem.startswith(problem) and bool(told.widget.problem) == bool(problem)
    assert len(told.widget.problem) <= 300 and "\n" not in told.widget.problem
    assert told.searches == [] and told.widget.heard == 1
    told.widget.close()


def test_what_goes_wrong_in_an_answer_is_a_problem_of_one_line(told: Told) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("two\nlines " + "x" * 100_000)

    told.widget._start = fail
    told.ask(do="run", chosen={})
    assert told.widget.problem.startswith("RuntimeError: two␊lines xxx") and len(told.widget.problem) < 500
    with pytest.raises(RuntimeError):
        told.widget.run()
    told.widget._start = told.start
    assert told.run().finished


JUNK: dict[str, Any] = {
    "rows": [1, {"cells": 7}],
    "shown": [{"title": []}],
    "under_way": {},
    "tiles": [3],
    "offered": {},
    "says": 7,
    "heard": "x",
    "_esm": "alert(1)",
    "nonsense": None,
}


def test_a_page_sets_nothing_but_what_is_chosen(told: Told) -> None:
    told.run()
    before = told.widget.get_state()
    for state in (JUNK, *({name: junk} for name, junk in JUNK.items())):
        told.comm.heard({"content": {"data": {"method": "update", "state": state}}})
    assert told.widget.get_state() == before
    assert "young-brothers" in told.widget._still()["text/html"]
    told.comm.heard({"content": {"data": {"method": "update", "state": {"depth": 9, "rows": []}}}})
    assert (told.widget.depth, told.widget.problem) == (9, "")
    told.comm.heard({"content": {"data": {"method": "update", "state": {"depth": {"a": BIG}}}}})
    assert told.widget.depth == 9 and told.widget.problem.startswith("depth is {'a': a number of some")


def test_what_a_cell_sets_stops_neither_the_next_run_nor_the_picture(told: Told) -> None:
    told.run()
    told.widget.rows, told.widget.shown = [1], [{"no": "picture"}]
    assert "young-brothers" in told.widget._still()["text/html"]
    told.widget.run()
    told.widget.under_way = {}
    with pytest.raises(AbvizError, match="a search is running"):
        told.widget.run()
    told.ask(do="run", chosen={})
    assert len(told.searches) == 2
    told.searches[-1].end()
    assert told.widget.wait().finished and len(told.widget.rows) == 2


@pytest.mark.parametrize(
    "wrong, line",
    [
        ({"runs": [1]}, "1 is no run; expected what parallel_search, simulate or read_runs has given"),
        ({"runs": 5}, "5 is no run; expected"),
        ({"runs": "runs"}, "'r' is no run; expected"),
        ({"start": 5}, "start is 5; expected a function that begins a search, as abviz.parallel.start"),
        ({"nonsense": 1}, "unknown option 'nonsense': did you mean workers?"),
        ({"methods": "improved"}, "unknown option 'methods': did you mean method"),
        ({"depth": BIG}, "depth is a number of some 5,001 digits; expected"),
    ],
)
def test_what_a_widget_cannot_be_made_of_is_told_in_one_line(wrong: dict[str, Any], line: str) -> None:
    with pytest.raises(AbvizError) as problem:
        Timing(START, **wrong)
    assert str(problem.value).startswith(line) and "\n" not in str(problem.value) and len(str(problem.value)) < 300


def test_runs_that_contradict_themselves_are_refused() -> None:
    run = a_run(a_task(), a_task(move="1-5"))
    with pytest.raises(AbvizError, match=r"^run 2 of runs: task 2: move: '1-5' stands there; expected one of the"):
        Timing(START, runs=[a_run(a_task()), run])
    widget = Timing(START, runs=a_run(a_task()))
    with pytest.raises(AbvizError, match=r"^run a number of some 5,001 digits is not in the table, which has 1 run$"):
        widget.show(BIG)
    widget.close()


# a run


def test_a_search_whose_telling_fails_is_stopped(told: Told) -> None:
    """Nobody sees it any more: it would go on for hours."""
    said = told.comm.send

    def fail(data: dict[str, Any], *_: Any, **__: Any) -> None:
        if data["method"] == "custom":
            raise OSError("no room left")
        said(data)

    told.comm.send = fail  # type: ignore[method-assign]
    told.widget.run()
    (search,) = told.searches
    eventually(lambda: search.done and not told.widget.under_way)
    assert told.widget.problem == "OSError: no room left"
    with pytest.raises(OSError, match="no room left"):
        told.widget.wait()
    eventually(lambda: not ours())
    told.comm.send = said  # type: ignore[method-assign]
    assert told.run().finished and told.widget.problem == ""


def test_a_search_whose_beginning_cannot_be_told_is_stopped(told: Told) -> None:
    said = told.comm.send

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("no room left")

    told.comm.send = fail  # type: ignore[method-assign]
    with pytest.raises(OSError, match="no room left"):
        told.widget.run()
    assert told.searches[0].done and not ours()
    told.comm.send = said  # type: ignore[method-assign]
    assert told.run().finished


def test_a_run_is_told_from_its_beginning_to_its_end(told: Told) -> None:
    widget = told.widget
    told.ask(do="run", chosen={"position": "the start", "depth": "10", "workers": "2", "strategy": "shared"})
    (search,) = told.searches
    assert search.told == {"position": START, "depth": 10, "strategy": "shared", "workers": 2}
    assert widget.says.startswith("Running: shared, 2 threads, depth 10.")
    assert widget.under_way["number"] == 1 and widget.under_way["moves"] == list(MOVES)
    search.grow(a_task(0, 0.0, None), at=0.25)
    eventually(lambda: any(each["bars"] for each in told.comm.live))
    search.grow(a_task(0, 0.0, 0.5), a_task(1, 0.5, None, alpha=5, learnt=((0.6, 7, 1_000_000),)), at=0.75)
    eventually(lambda: len(told.comm.live[-1]["bars"]) == 0 and told.comm.live[-1]["time"] == 0.75)
    search.end()
    record = widget.wait()
    assert widget.runs == [record] and record.finished
    assert widget.under_way == {} and widget.says.startswith(f"Finished: {MOVES[0]}, value 5, in 1.00 s")
    assert [picture["number"] for picture in widget.shown] == [1]
    assert [row["number"] for row in widget.rows if row["shown"]] == [1]
    assert dict(zip(HEADS, widget.rows[0]["cells"], strict=True))["position"] == "the start"


def test_only_what_has_changed_is_sent(told: Told) -> None:
    told.widget.run()
    (search,) = told.searches
    tasks = [a_task(i % 7, i, i + 1, worker=i % 2) for i in range(50)]
    search.grow(*tasks, a_task(1, 50, None), at=51)
    eventually(lambda: any(each["bars"] for each in told.comm.live))
    count = len(told.comm.live)
    eventually(lambda: len(told.comm.live) > count + 3)
    assert sum(len(each["bars"]) for each in told.comm.live) == 51, "each once"
    assert all(each["bars"] == [] for each in told.comm.live[count:])
    assert len(json.dumps(told.comm.live[-1])) < 400
    told.ask(do="hello")
    assert len(told.comm.live[-1]["bars"]) == 51, "a new view wants all"
    told.widget.stop()


def test_a_page_is_told_some_four_times_a_second(told: Told) -> None:
    """More often would take more than 3 % of the search's time: benchmarks/live.py."""
    begin = time.monotonic()
    told.widget.run()
    eventually(lambda: len(told.comm.live) >= 5)
    told.widget.stop()
    assert time.monotonic() - begin > 0.8, "at a quarter of a second from one to the next"


def test_stop_stops_and_the_record_says_so(told: Told) -> None:
    told.widget.run()
    told.searches[0].grow(a_task(0, 0.0, 0.5), a_task(1, 0.5, 0.7, value=None), at=0.7)
    told.ask(do="stop")
    record = told.widget.wait()
    assert not record.finished
    cells = dict(zip(HEADS, told.widget.rows[0]["cells"], strict=True))
    assert (cells["value"], cells["speed-up"], cells["idle"]) == ("stopped", "—", "—")
    assert told.widget.says.startswith("Stopped after 0.70 s")
    assert [bar[8] for bar in told.widget.shown[0]["bars"]] == ["", "cancelled"]
    assert told.widget.hint == ""
    told.widget.stop()  # once more does nothing
    assert told.run().finished


def test_one_at_a_time(told: Told) -> None:
    told.widget.run()
    with pytest.raises(AbvizError, match="a search is running; expected its end, or stop"):
        told.widget.run()
    told.ask(do="run", chosen={})
    assert told.widget.problem.startswith("a search is running")
    assert len(told.searches) == 1


def test_more_threads_than_cores_are_allowed_and_said(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    told.ask(do="choose", chosen={"workers": "8"})
    assert told.widget.says == "8 threads on 2 cores: they take turns, and are no faster for it."
    told.widget.run()
    assert "8 threads on 2 cores" in told.widget.says
    assert told.searches[0].told["workers"] == 8


def test_the_sequential_search_has_one_thread(told: Told) -> None:
    told.widget.run(strategy="sequential", workers=8)
    assert told.searches[0].told["workers"] == 1
    assert told.widget.workers == 8
    assert "cores" not in told.widget.says


def test_a_problem_is_told_with_its_move(told: Told) -> None:
    told.widget.run()
    problem = ZeroDivisionError("division by zero")
    problem.add_note("in the search of 9-13")
    told.searches[0].problem = problem
    told.searches[0].over.set()
    with pytest.raises(ZeroDivisionError):
        told.widget.wait()
    assert told.widget.problem == "ZeroDivisionError: division by zero (in the search of 9-13)"
    assert told.widget.runs == [] and told.widget.under_way == {}
    assert told.run().finished
    assert told.widget.problem == ""


def test_a_search_that_cannot_start_is_told(told: Told) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AbvizError("the game is over in this position")

    told.widget._start = refuse
    with pytest.raises(AbvizError, match="the game is over"):
        told.widget.run()
    told.ask(do="run", chosen={})
    assert told.widget.problem == "the game is over in this position"
    assert told.widget.under_way == {}


def test_a_finished_game_is_refused() -> None:
    widget = Timing(WON)
    with pytest.raises(AbvizError, match="the game is over in this position"):
        widget.run()
    widget.close()


def test_closing_stops_the_run_and_its_thread() -> None:
    told = Told()
    told.widget.run()
    assert [thread.name for thread in ours()] == ["abviz timing"]
    told.widget.close()
    assert told.searches[0].done and not ours()


def test_an_interrupt_stops_the_run_and_the_next_one_works(told: Told) -> None:
    told.widget.run()
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(Stopped):
        told.widget.wait()
    timer.join()
    assert told.searches[0].done
    assert not told.widget.runs[-1].finished
    assert told.run().finished


def test_an_interrupt_before_it_is_watched_leaves_no_search_behind(told: Told) -> None:
    class Interrupted(Running):
        def record(self) -> Run:
            raise KeyboardInterrupt

    def begin(position: Any, depth: int, **options: Any) -> Running:
        told.searches.append(Interrupted(position, depth, **options))
        return told.searches[-1]

    told.widget._start = begin
    with pytest.raises(KeyboardInterrupt):
        told.widget.run()
    assert told.searches[0].done and not ours()
    told.widget._start = told.start
    assert told.run().finished and told.widget.runs[0].finished


def test_an_interrupt_tells_no_move_of_a_run_before(told: Told) -> None:
    told.run()
    told.widget.run()
    told.searches[-1].problem = ValueError("lost")
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(Stopped) as stopped:
        told.widget.wait()
    timer.join()
    assert str(stopped.value) == "" and len(told.widget.runs) == 1


def test_waiting_for_nothing_is_an_error(told: Told) -> None:
    with pytest.raises(AbvizError, match="nothing has been run yet"):
        told.widget.wait()


# the table


def test_a_speed_up_needs_the_sequential_search(told: Told) -> None:
    widget = told.widget
    told.run(time=2.0, nodes=1200, cpu=(1.0, 0.9))
    assert widget.hint == NO_BASELINE
    assert dict(widget.tiles)["speed-up"] == "—"
    told.ask(do="measure")
    told.searches[-1].end(time=3.0, nodes=1000, cpu=(2.0,))
    widget.wait()
    assert told.searches[-1].told == {"position": START, "depth": 16, "strategy": "sequential", "workers": 1}
    assert widget.strategy == "young-brothers", "what is chosen stays"
    tiles = dict(widget.tiles)
    assert [tiles[name] for name in ("run", "speed-up", "by CPU time", "overhead")] == [
        *("1", "1.50×", "2.00×", "+20%")
    ]
    assert widget.hint == ""
    assert [picture["number"] for picture in widget.shown] == [2, 1]
    assert widget.says == "Run 1 is 1.50 times as fast as run 2: 3.00 s / 2.00 s."
    rows = [dict(zip(HEADS, row["cells"], strict=True)) for row in widget.rows]
    assert [row["speed-up"] for row in rows] == ["1.50×", "1.00×"]
    told.run(depth=15)
    assert widget.rows[-1]["cells"][HEADS.index("speed-up")] == "—", "of another depth"


def test_the_median_of_the_sequential_runs_is_what_all_are_measured_by(told: Told) -> None:
    """In tile, table and comparison, as in abviz.timing.table: not the newest, which may have been disturbed."""
    for seconds in (3.0, 2.0, 4.0):
        told.widget.run(strategy="sequential")
        told.searches[-1].end(time=seconds, cpu=(seconds / 2,), nodes=1000)
        told.widget.wait()
    told.widget.run(strategy="root")
    told.searches[-1].end(time=2.0, cpu=(1.0, 0.5), nodes=1500)
    told.widget.wait()
    tiles = dict(told.widget.tiles)
    assert [tiles[name] for name in ("speed-up", "by CPU time", "overhead")] == ["1.50×", "1.50×", "+50%"]
    heads = [HEADS.index(name) for name in ("speed-up", "by CPU time", "overhead")]
    assert [told.widget.rows[-1]["cells"][place] for place in heads] == ["1.50×", "1.50×", "+50%"]
    shown = table(told.widget.runs)
    assert dict(zip(shown.head, shown.rows[-1], strict=True))["speed-up"] == "1.50"
    told.widget.show(3, 4)
    assert told.widget.says == (
        "Run 4 is 2.00 times as fast as run 3: 4.00 s / 2.00 s. "
        "(The speed-up is against the median of 3 sequential runs, 3.00 s.)"
    )


def test_what_by_cpu_time_is_stands_beside_the_table(told: Told) -> None:
    said = "CPU time of the busiest worker; waiting not counted, as if each had a core of its own"
    assert said in told.widget.offered["note"]
    assert "this.note.textContent = note" in (HERE / "timing.js").read_text(encoding="utf-8")
    assert said in " ".join((table.__doc__ or "").split()) and f'title="{said}"' in table(a_run()).html()
    assert said.partition(";")[2] in " ".join((Run.makespan.__doc__ or "").split())


def test_what_a_run_is_measured_by() -> None:
    sequential, minimax = a_run(strategy="sequential"), a_run(strategy="minimax", method="minimax")
    sequential = replace(sequential, workers=1)
    found = Baselines([sequential, minimax, replace(sequential, finished=False, depth=3)])
    assert minimax in found
    for change in (
        {"depth": 3},
        {"position": "another"},
        {"game": "other"},
        {"clock": "nodes"},
        {"method": "improved"},
    ):
        assert a_run(**change) not in found
    later = replace(sequential, time=9.0)
    assert Baselines([sequential, later]).times(minimax) == [sequential.time, later.time]


def test_two_runs_are_laid_one_over_the_other(told: Told) -> None:
    for seconds in (3.0, 1.0, 2.0):
        told.run(time=seconds)
    told.ask(do="show", numbers=[1, 3])
    assert [picture["time"] for picture in told.widget.shown] == [3.0, 2.0]
    assert [row["number"] for row in told.widget.rows if row["shown"]] == [1, 3]
    assert dict(told.widget.tiles)["run"] == "3"
    told.widget.problem = "something of before"
    told.ask(do="show", numbers=[])
    assert told.widget.problem == ""
    assert told.widget.shown == told.widget.tiles == []
    for wrong in ([1, 2, 3], [1, 1], [0], [4], [True], ["1"], [1.0], [-1]):
        told.ask(do="show", numbers=wrong)
        assert "expected two different ones" in told.widget.problem or "is not in the table" in told.widget.problem
        told.widget.problem = ""


@pytest.mark.parametrize("change", [{"depth": 3}, {"game": "Nim"}, {"position": "?"}, {"finished": False}])
def test_only_runs_of_the_same_are_compared(change: dict[str, Any]) -> None:
    one = a_run(a_task(), time=1.0)
    other = replace(one, time=2.0)
    none = Baselines([])
    assert snapshots.comparison([4, 5], [one, other], none) == "Run 4 is 2.00 times as fast as run 5: 2.00 s / 1.00 s."
    other = replace(other, **change)
    refused = "They cannot be compared: run 4 took 1.00 s, run 5 took 2.00 s."
    assert snapshots.comparison([4, 5], [one, other], none) == refused
    refused = "They cannot be compared: run 5 took 2.00 s, run 4 took 1.00 s."
    assert snapshots.comparison([5, 4], [other, one], none) == refused


def test_runs_of_others_can_be_handed_in() -> None:
    simulated = a_run(a_task(0, 0, 500), clock="nodes", time=500, game="Nim", position="3 4 5", strategy="sequential")
    told = Told(runs=[a_run(a_task()), simulated])
    assert [row["cells"][HEADS.index("position")] for row in told.widget.rows] == ["the start", "Nim"]
    told.widget.show(2)
    assert told.widget.shown[0]["took"] == "500 nodes"
    with pytest.raises(AbvizError, match="the position of run 2 is not among those"):
        told.widget.measure()
    told.widget.close()


def test_the_table_in_the_browser_has_an_end_and_the_list_has_none(told: Told) -> None:
    told.widget._runs = [a_run(a_task())] * 1000
    told.run()
    assert len(told.widget.runs) == 1001
    assert [row["number"] for row in told.widget.rows] == list(range(1002 - MOST_ROWS, 1002))


# bars


@st.composite
def grown(draw: st.DrawFn) -> list[Run]:
    """One run as it is seen from time to time."""
    tasks: list[TaskRecord] = []
    now = [0.0, 0.0]
    for _ in range(draw(st.integers(0, 30))):
        worker = draw(st.integers(0, 1))
        start = now[worker] + draw(st.sampled_from([0.0, 0.0001, 0.5]))
        end = start + draw(st.sampled_from([0.00001, 0.001, 1.0]))
        now[worker] = end
        tasks.append(a_task(draw(st.integers(0, 2)), start, end, worker=worker, nodes=draw(st.integers(0, 9))))
    tasks.sort(key=lambda task: task.start)
    seen = []
    for at in [*sorted(draw(st.lists(st.floats(0, max(now) + 0.1), max_size=5))), max(now)]:
        then = [task if task.end and task.end <= at else replace(task, end=None, value=None) for task in tasks]
        seen.append(a_run(*[task for task in then if task.start <= at], time=at, finished=at == max(now)))
    return seen


@settings(deadline=None)
@given(grown())
def test_the_changes_of_bars_add_up(seen: list[Run]) -> None:
    bars, browser = Bars(), {}
    for run in seen:
        for bar in bars.changes(run):
            browser[bar[0]] = bar
        open_ones = {number: bar for number, bar in browser.items() if bar[4] is None}
        assert len(open_ones) == sum(task.end is None for task in run.tasks)
    # what runs is counted when it ends: until then the browser has the count of its last news
    final = seen[-1]
    assert browser == dict(enumerate(bars.all))
    assert sum(bar[6] for bar in browser.values()) == sum(task.nodes for task in final.tasks)
    for worker in range(2):
        mine = [bar for bar in browser.values() if bar[1] == worker]
        assert all(one[4] <= other[3] + 1e-9 for one, other in pairwise(mine))
        tasks = [task for task in final.tasks if task.worker == worker]
        for task in tasks:
            assert any(
                final.moves[bar[2]] == task.move and bar[3] - 1e-5 <= task.start and (task.end or 0) <= bar[4] + 1e-5
                for bar in mine
            ), "each task lies in a bar of its move"


def test_ten_thousand_small_tasks_are_a_picture_that_can_be_sent() -> None:
    tasks = [a_task(i // 2000, i / 10_000, (i + 1) / 10_000, worker=i % 2) for i in range(10_000)]
    picture = snapshots.picture(a_run(*tasks, time=1.0), 1)
    assert len(picture["bars"]) <= 2 * (snapshots.FINE + 10)
    assert sum(bar[6] for bar in picture["bars"]) == 100_000
    assert len(json.dumps(picture)) < 100_000
    assert picture["bars"][0][5] == "× 13" or picture["bars"][0][5].startswith("× ")


def test_a_crowd_of_tasks_of_many_moves_is_a_picture_that_can_be_drawn() -> None:
    """A page would take half a minute over 20,000 bars, and each of them would be a tenth of a pixel wide."""
    tasks = [a_task(i % 7, i / 20_000, (i + 1) / 20_000, worker=i % 4) for i in range(20_000)]
    run = a_run(*tasks, time=1.0, workers=4, cpu=(0.5,) * 4)
    bars, browser = Bars(), {}
    for end in (5_000, 5_001, 20_000):
        for bar in bars.changes(replace(run, tasks=run.tasks[:end])):
            browser[bar[0]] = bar
    assert browser == dict(enumerate(bars.all))
    assert len(bars.all) < snapshots.CROWD + 2 * 4 * snapshots.COARSE
    assert sum(bar[6] for bar in bars.all) == 200_000
    together = [bar for bar in bars.all if bar[2] == snapshots.SEVERAL]
    assert together and all(bar[5].startswith("× ") and bar[7] == "" for bar in together)
    assert all(bar[2] == i % 7 for i, bar in enumerate(bars.all[:1000])), "only then"
    picture = snapshots.picture(run, 1)
    assert len(picture["bars"]) <= 2 * 4 * snapshots.COARSE, "when all is known, from its beginning to its end"
    assert sum(bar[6] for bar in picture["bars"]) == 200_000 and len(json.dumps(picture)) < 100_000
    assert svg([picture]).count(GREY) == len([bar for bar in picture["bars"] if bar[2] == snapshots.SEVERAL]) > 300


def test_bounds_are_those_of_the_side_that_shares_them() -> None:
    learnt = ((0.2, 7, 1_000_000), (0.4, 7, 30))
    task = a_task(alpha=-1_000_000, beta=1_000_000, learnt=learnt)
    bar = snapshots.picture(a_run(task), 1)["bars"][0]
    assert bar[9] == [[0.0, "α −∞"], [0.2, "α 7"], [0.4, "β 30"]]
    bar = snapshots.picture(a_run(task, is_max=False), 1)["bars"][0]
    assert bar[9][0] == [0.0, "β ∞"]


@pytest.mark.parametrize(
    "value, text",
    [
        *((None, ""), (0, "0"), (-12, "−12"), (999_000, "999000")),
        *((999_995, "MAX wins in 5 plies"), (-999_990, "MIN wins in 10 plies"), (999_999, "MAX wins in 1 ply")),
    ],
)
def test_values_as_people_read_them(value: int | None, text: str) -> None:
    assert told_value(a_task(value=value)) == text
    assert dict(snapshots.tiles(a_run(value=value), 1))["value"] == text or value is None


@pytest.mark.parametrize(
    "told, text",
    [
        ({"alpha": 4, "value": 5}, "5"),
        ({"alpha": 5, "value": 5}, "≤ 5"),
        ({"alpha": 6, "value": 5}, "≤ 5"),
        ({"beta": 5, "value": 5}, "≥ 5"),
        ({"beta": -3, "value": -2}, "≥ −2"),
        ({"value": 5, "learnt": ((0.1, 5, 1_000_000),)}, "≤ 5"),
        ({"alpha": 9, "value": 5, "learnt": ((0.1, 9, 10), (0.2, 4, 10))}, "5"),
        ({"beta": 999_990, "value": 999_995}, "≥ MAX wins in 5 plies"),
        ({"alpha": 5, "value": None}, ""),
    ],
)
def test_a_bound_is_told_as_one_wherever_a_task_has_a_value(told: dict[str, Any], text: str) -> None:
    run = a_run(a_task(**told))
    assert told_value(run.tasks[0]) == text
    picture = snapshots.picture(run, 1)
    assert picture["bars"][0][7] == text
    if text:
        assert f"{MOVES[0]} {text}" in svg([picture])
        assert f", {text if 'wins' in text else f'value {text}'}. Worker 2" in str(lanes(run))


def test_what_was_cancelled_is_seen_in_a_short_bar_too() -> None:
    tasks = [a_task(0, 0.0, 1.0, value=None), *(a_task(1, 1 + i / 1e4, 1 + (i + 1) / 1e4) for i in range(9))]
    tasks += [a_task(1, 1.0009, 1.001, value=None), a_task(1, 1.001, 1.0011), a_task(0, 1.5, 2.0)]
    picture = snapshots.picture(a_run(*tasks), 1)
    assert [(bar[5], bar[8]) for bar in picture["bars"]] == [
        *(("", "cancelled"), ("× 11", "1 of 11 cancelled"), ("", "")),
    ]
    assert svg([picture]).count("url(#gone)") == 2 and svg([picture]).count(">✕<") == 2


def test_lanes_and_widget_speak_one_language_of_signs() -> None:
    module, look = ((HERE / name).read_text(encoding="utf-8") for name in ("timing.js", "timing.css"))
    style = dict(re.findall(r"^\.(abviz-t-\S+(?:\[[^]]*\])?), .*\{([^}]*)\}", look, re.MULTILINE))
    tasks = (
        a_task(0, 0.0, 0.5, value=None, learnt=((0.2, 3, 9),)),
        a_task(1, 0.5, 0.7),
        a_task(2, 0.5, None, worker=1),
    )
    run = a_run(*tasks, time=1.0, finished=False)
    (axes,) = lanes(run).figure.axes
    hatched = [bar.get_hatch() for bar in axes.patches]
    assert hatched == ["////", None, None], "only what was cancelled"
    assert "repeating" in style['abviz-t-bar[data-state$="cancelled"]'] and look.count("repeating-linear") == 1
    assert "dashed" in style['abviz-t-bar[data-state="running"]'] and axes.patches[2].get_linestyle() == "--"
    assert '"abviz-t-read", "▼")' in module and "▸" not in look + module and "▼ a better bound read" in module
    legend = " ".join(text.get_text() for text in lanes(run).figure.legends[0].get_texts())
    for words in ("a better bound read", "still running", "cancelled", "idle", "the end of the run"):
        assert words in legend and words in module


def test_all_that_is_sent_is_json(told: Told) -> None:
    """Infinities would not be."""
    told.run()
    text = json.dumps(told.comm.messages, allow_nan=False)
    assert "Infinity" not in text
    json.dumps(told.widget.get_state(["shown", "rows", "tiles", "offered", "under_way"]), allow_nan=False)


def test_a_win_is_told_as_one(told: Told) -> None:
    told.run(value=-999_996, tasks=(a_task(alpha=-999_990, value=-999_996),))
    assert told.widget.says.startswith(f"Finished: {MOVES[0]}, MIN wins in 4 plies, in 1.00 s")
    assert told.widget.shown[0]["bars"][0][9] == [[0.0, "α MIN wins in 10 plies"]]


# the real search


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_every_strategy_runs_in_it(strategy: str) -> None:
    widget = Timing(depth=7, strategy=strategy)
    widget.run()
    record = widget.wait()
    wanted = parallel_search(START, 7, strategy="sequential", workers=1)
    assert (record.move, record.value, record.finished) == (wanted.move, wanted.value, True)
    assert sum(bar[6] for bar in widget.shown[0]["bars"]) == sum(task.nodes for task in record.tasks)
    widget.close()


@pytest.mark.parametrize("workers", [1, 3])
def test_an_improved_search_has_tasks_that_are_the_root_itself(workers: int) -> None:
    told = Told(depth=10, method="improved", workers=workers)
    told.widget._start = None
    told.widget.run()
    record = told.widget.wait()
    assert record.finished and record.method == "improved"
    (picture,) = told.widget.shown
    of_root = [task for task in record.tasks if not task.move]
    assert of_root and sum(bar[6] for bar in picture["bars"]) == sum(task.nodes for task in record.tasks)
    assert {bar[2] for bar in picture["bars"]} <= {snapshots.ROOT, *range(7)}
    assert sum(bar[6] for bar in picture["bars"] if bar[2] == snapshots.ROOT) == sum(task.nodes for task in of_root)
    assert told.widget.rows[0]["cells"][0] == "young-brothers, improved"
    assert picture["guessed"]
    json.dumps(told.comm.messages, allow_nan=False)
    told.widget.measure()
    sequential = told.widget.wait()
    assert (sequential.strategy, sequential.method) == ("sequential", "improved")
    assert dict(told.widget.tiles)["speed-up"] != "—"
    told.widget.close()


def test_a_task_of_the_root_itself_is_named_so() -> None:
    root = {"move": "", "path": ()}
    tasks = [a_task(0, 0.0, 0.4, **root), a_task(0, 0.4, 1.0)]
    tasks += [a_task(0, 0.0, 0.001, worker=1, **root), a_task(0, 0.001, 0.002, worker=1, **root)]
    tasks += [a_task(0, 0.002, 0.003, worker=1)]
    run = a_run(*tasks, method="improved")
    picture = snapshots.picture(run, 1)
    bars = [(bar[1], bar[2], bar[5]) for bar in picture["bars"]]
    assert bars == [(0, -1, ""), (0, 0, ""), (1, -1, "× 2"), (1, 0, "")], "and joined only with its like"
    assert picture["title"] == "root, improved, 2 threads, depth 12"
    drawn = svg([picture])
    assert ">the root 5<" in drawn and drawn.count('fill="#d5d8dc"') == 2
    (axes,) = lanes(run).figure.axes
    assert axes.texts[0].get_text().startswith("the root")
    assert "Worker 1, busy 100 %: the root from" in str(lanes(run)) and "root, improved, 2 workers" in str(lanes(run))
    assert snapshots.title(replace(run, method="alphabeta")) == "root, 2 threads, depth 12"


def test_a_run_of_another_method_is_measured_by_its_own(told: Told) -> None:
    told.widget._runs = [a_run(a_task(), method="improved")]
    told.widget.show(1)
    told.widget.measure()
    assert told.searches[0].told["method"] == "improved" and told.searches[0].told["strategy"] == "sequential"
    told.searches[0].end()
    told.widget.wait()
    told.run()
    told.widget.measure()
    assert "method" not in told.searches[2].told
    told.widget.stop()


def test_a_stop_of_the_real_search_takes_milliseconds() -> None:
    """Of the processor's time, from the click's message to the end of the threads; the quickest of some."""
    widget = Timing(depth=30)
    taken = []
    for _ in range(5):
        widget.run()
        time.sleep(0.15)
        begin = time.process_time()
        widget._handle_custom_msg({"do": "stop"}, [])
        record = widget.wait()
        taken.append(time.process_time() - begin)
        assert not record.finished
    assert min(taken) < 0.05
    widget.close()


def test_the_kernel_stays_usable() -> None:
    """Starting costs next to nothing, and Python goes on beside the search."""
    widget = Timing(depth=7)
    widget.run()
    widget.wait()
    begin = time.thread_time()
    widget.run(depth=30)
    assert time.thread_time() - begin < 0.5
    rounds = 0
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        rounds += 1
    assert rounds > 10_000
    widget.close()
    assert not ours()


def test_a_thousand_runs_leave_nothing_behind() -> None:
    told = Told(TicTacToe.start())
    kept: list[weakref.ref[Any]] = []

    def one() -> None:
        told.run(tasks=(a_task(),))
        kept.append(weakref.ref(told.searches.pop()))

    for _ in range(20):
        one()
    gc.collect()
    threads = threading.active_count()
    told.widget.comm = None
    for _ in range(1000):
        one()
    gc.collect()
    assert threading.active_count() == threads
    assert [each for each in kept[:-1] if each() is not None] == []
    assert len(told.widget.runs) == 1020
    told.widget.close()


def test_a_closed_widget_is_let_go() -> None:
    threads = threading.active_count()
    gone = []
    for _ in range(20):
        widget = Timing(depth=2)
        widget.run()
        widget.wait()
        widget.run(depth=30)
        gone.append(weakref.ref(widget))
        widget.close()
        del widget
    gc.collect()
    assert [each() for each in gone] == [None] * 20
    assert threading.active_count() == threads


# without a browser


class Still(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_saved_notebook_has_a_picture_and_a_table(told: Told) -> None:
    told.run(tasks=(a_task(0, 0, 0.5), a_task(1, 0.5, 1.0, worker=1)))
    bundle = told.widget._still()
    still = Still(bundle["text/html"])
    (image,) = [attributes for tag, attributes in still.tags if tag == "img"]
    assert "young-brothers, 2 threads, depth 16: 1.00 s" in (image["alt"] or "")
    drawn = ElementTree.fromstring(unquote((image["src"] or "").partition(",")[2]))
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "thread 2" in texts and f"{MOVES[0]} 5" in texts
    assert [attributes["scope"] for tag, attributes in still.tags if tag == "th"] == ["col"] * (len(HEADS) + 1) + [
        "row"
    ]
    words = [word.replace("\u00a0", " ").replace("\u2011", "-") for word in still.words]
    assert words == ["run", *HEADS, "1", *told.widget.rows[0]["cells"]]
    assert bundle["text/plain"].startswith("1  young-brothers  2  the start  16")


def test_names_of_others_are_text_in_the_picture_too() -> None:
    hostile = "<img src=x onerror=alert(1)>\"'&"
    run = a_run(replace(a_task(), move=hostile, path=(hostile,)), moves=(hostile,), move=hostile, game=hostile)
    told = Told({hostile: START}, runs=[replace(run, position=START.fen), replace(run, position="?")])
    told.widget.show(1, 2)
    still = Still(told.widget._still()["text/html"])
    assert {tag for tag, _ in still.tags} == {"div", "img", "table", "thead", "tbody", "tr", "th", "td"}
    assert all("onerror" not in attributes for _, attributes in still.tags)
    drawn = ElementTree.fromstring(svg(told.widget.shown))
    assert {element.tag.partition("}")[2] for element in drawn.iter()} == {"svg", "defs", "pattern", "rect", "text"}
    told.widget.close()


def test_nothing_run_is_said_in_the_notebook_too(told: Told) -> None:
    assert told.widget._still()["text/plain"] == "Nothing has been run yet."
    assert repr(told.widget) == "Timing(0 runs)"


def test_the_module_writes_text_and_never_markup() -> None:
    module = (HERE / "timing.js").read_text(encoding="utf-8")
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "</script"):
        assert way not in module
    assert len(module) < 30_000, "it is copied into every widget"
