"""Whoever is stopped has had its time, and is stopped whatever it does."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from abviz import watchdog
from abviz.watchdog import OutOfTime, within

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


@own_time
def test_but_no_more_than_some_times_as_long_by_the_clock(busy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LENIENT", 1.5)
    with pytest.raises(OutOfTime):
        within(0.5, computing(0.45))


@pytest.mark.parametrize("work", [computing(60), lambda: time.sleep(0.01) or within(0.2, lambda: time.sleep(60))])
def test_whoever_computes_or_waits_too_long_is_stopped(work: Callable[[], Any]) -> None:
    begin = time.monotonic()
    with pytest.raises(OutOfTime):
        within(1, work)
    assert time.monotonic() - begin < 30
