"""Whoever is stopped has had its time, and is stopped whatever it does."""

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import pytest

from abviz import load, trace, watchdog
from abviz.recording.recorder import record
from abviz.recording.watchdog import OutOfTime, within

own_time = pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"), reason="this system does not tell what time a thread has had"
)


@pytest.fixture
def busy() -> Iterator[None]:
    """Two more threads want to compute all the time."""
    over = threading.Event()

    def spin() -> None:
        while not over.is_set():
            pass

    threads = [threading.Thread(target=spin) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield
    over.set()
    for thread in threads:
        thread.join()


def computing(seconds: float) -> Callable[[], str]:
    def work() -> str:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass
        return "done"

    return work


@own_time
def test_a_function_has_its_time_also_on_a_busy_machine(busy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LENIENT", 40)
    begin = time.monotonic()
    assert within(0.5, computing(0.3)) == "done"
    assert time.monotonic() - begin > 0.5, "or the test says nothing"
    assert within(0.5, computing(0.3)) == "done", "what the thread did before is not of its time"


@own_time
def test_but_no_more_than_some_times_as_long_by_the_clock(busy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LENIENT", 1.5)
    with pytest.raises(OutOfTime):
        within(0.5, computing(0.45))


@own_time
def test_what_its_work_has_done_by_others_is_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LENIENT", 1000)

    def in_parts() -> None:
        for _ in range(6):
            computing(0.03)()
            within(60, computing(0.3))

    with pytest.raises(OutOfTime):
        within(0.3, in_parts)


@pytest.mark.parametrize("work", [computing(60), lambda: time.sleep(0.01) or within(0.2, lambda: time.sleep(60))])
def test_whoever_computes_or_waits_too_long_is_stopped(work: Callable[[], Any]) -> None:
    begin = time.monotonic()
    with pytest.raises(OutOfTime):
        within(1, work)
    assert time.monotonic() - begin < 30


def alphabeta(node: Any, alpha: float, beta: float) -> float:
    if node.is_leaf:
        return float(node.value)
    best = -(2.0**40) if node.is_max else 2.0**40
    for child in node.children:
        found = alphabeta(child, alpha, beta)
        best = max(best, found) if node.is_max else min(best, found)
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def test_one_that_sleeps_on_keeps_no_other_run_waiting() -> None:
    wakes, sleepers = threading.Event(), []

    def sleep() -> None:
        sleepers.append(threading.current_thread())
        wakes.wait(25)

    with pytest.raises(OutOfTime):
        within(0.2, sleep)
    tree = load("worked-example")
    for _ in range(50):
        assert record(alphabeta, tree).leaves == trace(tree).leaves
    assert within(5, threading.current_thread) not in sleepers
    wakes.set()
    end = time.monotonic() + 20
    while not set(sleepers) <= set(watchdog._Thread.free):  # what came there in its sleep is over
        assert time.monotonic() < end
    watchdog._Thread.free[:] = sleepers
    for _ in range(50):
        assert within(5, threading.current_thread) in sleepers


def test_one_thread_does_it_all_and_keeps_nothing_of_what_was_done() -> None:
    setting = ContextVar("setting", default="usual")

    def changes() -> threading.Thread:
        setting.set("changed")
        sys.setprofile(lambda *_: None)
        sys.settrace(lambda *_: None)
        return threading.current_thread()

    threads = {within(5, changes) for _ in range(20)}
    assert len(threads) == 1
    assert within(5, lambda: (setting.get(), sys.getprofile(), sys.gettrace())) == ("usual", None, None)
    token = setting.set("the caller's")
    assert within(5, setting.get) == "the caller's"
    setting.reset(token)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_is_forked_has_threads_of_its_own() -> None:
    lines = "import os; from abviz.recording.watchdog import within; within(5, int); child = os.fork(); print(within(5, lambda: 3))"
    told = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, timeout=60)
    assert (told.stdout.split(), told.returncode) == (["3", "3"], 0)


@pytest.fixture
def asleep() -> Iterator[threading.Thread]:
    wakes = threading.Event()
    thread = threading.Thread(target=wakes.wait)
    thread.start()
    yield thread
    wakes.set()
    thread.join()


class Woken(BaseException):
    pass


@pytest.fixture
def on_its_way(asleep: threading.Thread) -> Iterator[Callable[[], None]]:
    """An exception is on its way to a thread that sleeps."""
    ident = ctypes.c_ulong(asleep.ident or 0)
    yield lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Woken)) and None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, None)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_what_is_on_its_way_to_somebody_else_keeps_no_run_waiting(on_its_way: Callable[[], None], when: str) -> None:
    told = iter([on_its_way])

    def searching(node: Any) -> float:
        for tell in told:
            tell()
        return float(node.value) if node.is_leaf else max(map(searching, node.children))

    if when == "before":
        next(told)()
    run = record(searching, load("worked-example"), seconds=5)
    assert run.problem == "" and run.value == 9


def test_who_catches_what_should_stop_it_at_every_level_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    over = threading.Event()

    def searching(node: Any, alpha: float, beta: float) -> None:
        while not over.is_set():
            with suppress(BaseException):
                searching(node, alpha, beta)

    run = record(searching, load("figure-4.24"), seconds=0.3)
    assert run.problem == "it was stopped after 0.3 seconds" and run.value is None
    over.set()
    assert record(alphabeta, load("figure-4.24")).value == 4
