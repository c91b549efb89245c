"""Stopping somebody's own function when its time is up, wherever it is then."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

BITE_AGAIN = 0.2  # seconds
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
        self.thread = ctypes.c_ulong(threading.get_ident())
        told = getattr(time, "pthread_getcpuclockid", None)
        self.clock = told(threading.get_ident()) if told else None
        self.begin, self.used = monotonic(), self._used()
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
                    self._wait()
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
        wait = self.seconds
        while not self.leash.acquire(timeout=wait) and not self.over:
            wait = self._left()
            if wait <= 0:
                self._bite()
                wait = BITE_AGAIN

    def _left(self) -> float:
        """Seconds that it has still to be given."""
        used, since = self._used(), monotonic() - self.begin
        if used is None or self.used is None or used - self.used < WAITS * since:
            return 0
        return min(self.seconds - (used - self.used), LENIENT * self.seconds - since)

    def _bite(self) -> None:
        with self.lock:
            if not self.over:
                self.say()
                self.bitten = self.bitten or monotonic()
                self._raise()

    def _wait(self) -> None:
        end = monotonic() + BITE_AGAIN
        while monotonic() < end:
            pass

    def _raise(self) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self.thread, ctypes.py_object(OutOfTime))


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
