"""A function that takes too long is stopped whatever it does, and nothing of that is left behind."""

import sys
import threading
import time
from contextlib import suppress
from contextvars import ContextVar

import pytest

from abviz.errors import AbvizError
from abviz.recording import time_limit
from abviz.recording.time_limit import Limit, TimeLimit, run_with_timeout

LONG = 600  # seconds: what would last that long has been stopped


def swallow() -> None:
    while True:
        with suppress(Exception):
            while True:
                pass


def sleep() -> None:
    for _ in range(LONG * 100):
        time.sleep(0.01)


@pytest.mark.parametrize("work", [swallow, sleep, lambda: run_with_timeout(sleep, LONG)])
def test_what_takes_too_long_is_stopped(work):
    with pytest.raises(TimeLimit):
        run_with_timeout(work, 0.2)
    assert sum(range(10**6)) > 0, "nothing is raised here afterwards"


def test_what_ends_in_time_returns_or_raises():
    setting = ContextVar("setting", default="usual")
    setting.set("the caller's")

    def changes() -> str:
        before = setting.get()
        setting.set("changed")
        sys.setprofile(lambda *_: None)
        return before

    assert run_with_timeout(changes, LONG) == "the caller's" == setting.get()
    assert sys.getprofile() is None or "coverage" in sys.modules
    for error in (ValueError, SystemExit, KeyboardInterrupt, TimeLimit):
        with pytest.raises(error):
            run_with_timeout(lambda error=error: (_ for _ in ()).throw(error), LONG)


def test_work_that_swallows_everything_is_abandoned():
    over, threads = threading.Event(), []

    def stubborn() -> None:
        threads.append(threading.current_thread())
        while not over.is_set():
            try:
                while not over.is_set():
                    pass
            except:  # noqa: E722
                pass

    with pytest.raises(TimeLimit):
        run_with_timeout(stubborn, 0.1)
    assert run_with_timeout(lambda: 3, LONG) == 3
    over.set()
    threads[0].join(LONG)
    assert threads[0].daemon and not threads[0].is_alive()


def test_no_exception_stays_on_its_way_while_calls_are_profiled():
    woken = threading.Event()
    with pytest.raises(TimeLimit):
        run_with_timeout(lambda: woken.wait(LONG), 0.1)  # it sleeps, and takes nothing
    sys.setprofile(lambda *_: None)
    try:
        assert sorted(range(1000), key=lambda n: -n)[0] == 999
    finally:
        sys.setprofile(None)
        woken.set()


def test_without_threads_loops_are_watched_or_the_reason_is_said(monkeypatch):
    """A browser starts no thread. tests/test_pyodide.py has more of what is stopped there."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    if sys.version_info < (3, 12):
        with pytest.raises(AbvizError, match="no thread can be started here"):
            run_with_timeout(swallow, 0.2)
        return

    with pytest.raises(TimeLimit):
        run_with_timeout(swallow, 0.2)
    assert run_with_timeout(lambda: 3, LONG) == 3


@pytest.mark.parametrize(
    ("elapsed", "used", "is_over"),
    [
        (0.9, 0.9, False),
        (1.0, 1.0, True),
        (3.0, 0.9, False),  # the machine is busy
        (3.0, 1.0, True),
        (1.0, 0.04, True),  # it waits for something
        (11.9, 0.9, False),
        (12.0, 0.9, True),  # a machine can't be as busy as that
        (3.0, 8.0, True),  # several processors
    ],
)
@pytest.mark.parametrize("pause", [0.0, 50.0])
def test_a_limit_counts_what_the_work_gets_and_no_pause(monkeypatch, elapsed, used, is_over, pause):
    now = 100.0
    monkeypatch.setattr(time_limit, "monotonic", lambda: now)
    seconds_used = 7.0
    limit = Limit(1.0, used=lambda: seconds_used)
    with limit.paused():
        now += pause
        assert not limit.is_over()
    now += elapsed
    seconds_used += used
    assert limit.is_over() == is_over


@pytest.mark.parametrize(("since_last_reply", "is_over"), [(0.9, False), (1.0, True)])
def test_work_that_replies_is_not_waiting(monkeypatch, since_last_reply, is_over) -> None:
    """Whoever reads its replies may have waited for a processor."""
    now = 100.0
    monkeypatch.setattr(time_limit, "monotonic", lambda: now)
    limit = Limit(1.0, used=lambda: 0.0)
    now += 3
    with limit.paused():
        pass
    now += since_last_reply
    assert limit.is_over() == is_over
