"""Stopping somebody's own function when its time is up, wherever it is then."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import TypeVar

TICKS = 20  # in which the time is counted
BITE_AGAIN, GRIP = 0.2, 0.05  # seconds from one bite to the next, and how long it holds on
PATIENCE = 1.0  # seconds, for a function that catches what should stop it
LENIENT = 3  # times its seconds, that a function may take on a machine that has little time for it
WAITS = 0.05  # of the time: a function that computes for less than that waits for something

T = TypeVar("T")


class OutOfTime(BaseException):
    """Not an Exception, so that a function's own `except` does not keep it running."""


class Watchdog:
    """Raises OutOfTime in this thread when the time is up, wherever it is then: in `while True: pass`, too.

    It does so again and again until it is told to stop, since a bare `except:` may swallow the first ones. The time is
    the thread's own where the system tells it: a busy machine does not make a function wrong.
    """

    def __init__(self, seconds: float, say: Callable[[], None] = lambda: None):
        self.seconds, self.say = seconds, say
        self.lock, self.leash = threading.Lock(), threading.Lock()
        self.over = self.calm = False
        self.bitten: float | None = None  # when it was first

    def __enter__(self) -> None:
        settle()
        self.thread = ctypes.c_ulong(threading.get_ident())
        told = getattr(time, "pthread_getcpuclockid", None)
        self.clock = told(threading.get_ident()) if told else None
        self.used = self._used()
        self.leash.acquire()
        threading.Thread(target=self._watch, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """After this nothing is raised any more: what is on its way is waited for here."""
        sys.settrace(None)
        while not self.calm:
            try:
                with self.lock:
                    if not self.over:
                        self.over = True
                        self.leash.release()
                while self.bitten:  # again, since what runs in between, as gc's callbacks, may swallow it
                    self._raise()
                    _wait()
                self.calm = True
            except OutOfTime:
                self.calm = self.over

    def _used(self) -> float | None:
        """Seconds of processor time that the thread has had; None where the system does not tell."""
        try:
            return None if self.clock is None else time.clock_gettime(self.clock)
        except OSError:  # the thread has ended
            return None

    def _watch(self) -> None:
        tick, since = self.seconds / TICKS, 0.0
        while not self.leash.acquire(timeout=tick) and not self.over:
            since += tick  # and not the clock: while a machine stands still nobody has any time
            if not self.bitten:
                settle()
            if self.bitten or (since >= self.seconds and self._has_had_its_time(since)):
                self._bite()
                if self.leash.acquire(timeout=GRIP):
                    return
                self._let_go()
                tick = BITE_AGAIN

    def _has_had_its_time(self, since: float) -> bool:
        used = self._used()
        if used is None or self.used is None or used - self.used < WAITS * since:
            return True
        return used - self.used >= self.seconds or since >= LENIENT * self.seconds

    def _bite(self) -> None:
        with self.lock:
            if not self.over:
                self.say()
                self.bitten = self.bitten or monotonic()
                self._raise()

    def _let_go(self) -> None:
        """One that sleeps cannot take it now."""
        with self.lock:
            if not self.over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(self.thread, None)
                settle()

    def _raise(self) -> None:
        raise_in(self.thread)


def raise_in(thread: ctypes.c_ulong) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))


def settle() -> None:
    """Python 3.11 stands still where it traces a call in any thread while an exception is on its way to one, which may
    sleep, or have ended. That there is one stays noted until some thread has taken one: this one does."""
    with suppress(OutOfTime):
        while True:
            raise_in(ctypes.c_ulong(threading.get_ident()))
            _wait()


def _wait() -> None:
    end = monotonic() + BITE_AGAIN
    while monotonic() < end:
        pass


def within(seconds: float, work: Callable[[], T]) -> T:
    """What `work` returns or raises, done in a thread of its own; OutOfTime after so many seconds.

    Some functions cannot be stopped: `while True:` round a bare `except:` swallows whatever is raised. Their thread is
    left to itself then, and whoever waits here goes on. An interrupt comes through at once.
    """
    told: list[T] = []
    problems: list[BaseException] = []
    done = threading.Event()
    watchdog = Watchdog(seconds)

    def run() -> None:
        try:
            with watchdog:
                told.append(work())
        except BaseException as problem:
            problems.append(problem)
        finally:
            watchdog.stop()
            done.set()

    threading.Thread(target=run, name="abviz check", daemon=True).start()
    while not done.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
        if watchdog.bitten and monotonic() > watchdog.bitten + PATIENCE:
            raise OutOfTime
    if problems:
        raise problems[0]
    return told[0]
