"""Stopping somebody's own function when its time is up, wherever it is then."""

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from time import monotonic
from typing import ClassVar, TypeVar

TICKS = 20  # in which the time is counted
BITE_AGAIN, GRIP = 0.2, 0.05  # seconds from one bite to the next, and how long it holds on
PATIENCE = 1.0  # seconds, for a function that catches what should stop it
LENIENT = 3  # times its seconds, that a function may take on a machine that has little time for it
WAITS = 0.05  # of the time: a function that computes for less than that waits for something

WATCHED = threading.local()  # by: the watchdog of this thread

T = TypeVar("T")


class OutOfTime(BaseException):
    """Not an Exception, so that a function's own `except` does not keep it running."""

    late = True  # whether the function has had its time, and was not ended by something else


class _Thread(threading.Thread):
    """Does one piece of work after the other. To begin a thread for each would take longer than most of them do."""

    free: ClassVar[list["_Thread"]] = []  # those that wait for the next piece

    def __init__(self) -> None:
        super().__init__(name="within a time", daemon=True)
        self.pieces: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while True:
            self.pieces.get()()


if hasattr(os, "register_at_fork"):  # the child process has none of these threads
    os.register_at_fork(after_in_child=_Thread.free.clear)


def within(seconds: float, work: Callable[[], T], say: Callable[[], None] = lambda: None) -> T:
    """What `work` returns or raises, done in another thread; OutOfTime after so many seconds, which `say` is told.

    Some functions cannot be stopped: `while True:` round a bare `except:` swallows whatever is raised. Their thread is
    left to itself then, and whoever waits here goes on. An interrupt comes through at once.
    """
    told: list[T] = []
    problems: list[BaseException] = []
    watchdog = Watchdog(seconds, say)
    settings = copy_context()  # of whoever calls, such as the precision of decimals; what it changes there is its own
    if outer := getattr(WATCHED, "by", None):  # what is done here is a part of its work
        outer.inner.append(watchdog)

    def run() -> None:
        try:
            with watchdog:
                told.append(settings.run(work))
        except BaseException as problem:
            problems.append(problem)
        finally:
            watchdog.stop()
            sys.setprofile(None)
            _Thread.free.append(thread)
            watchdog.away.set()

    try:
        thread = _Thread.free.pop()
    except IndexError:
        thread = _Thread()
    thread.pieces.put(run)
    stays = False
    try:
        stays = watchdog.watch(thread, PATIENCE)
    finally:
        if not stays:  # as where somebody interrupts: the function is bitten all the same
            watchdog.seconds = 0
            threading.Thread(target=watchdog.watch, args=(thread,), daemon=True).start()
    if not stays:
        raise OutOfTime
    watchdog.away.wait()
    if problems:
        raise problems[0]
    return told[0]


class Watchdog:
    """Raises OutOfTime in a thread when its time is up, wherever it is then: in `while True: pass`, too.

    It does so again and again until it is told to stop, since a bare `except:` may swallow the first ones. The time is
    the thread's own where the system tells it, with that of the threads in which `within` does a part of its work: a
    busy machine does not make a function wrong.
    """

    def __init__(self, seconds: float, say: Callable[[], None]):
        self.seconds, self.say = seconds, say
        self.lock, self.leash = threading.Lock(), threading.Lock()
        self.leash.acquire()
        self.away = threading.Event()
        self.here = self.over = self.calm = False
        self.bitten: float | None = None  # when it was first
        self.clock: int | None = None
        self.begun = 0.0  # what the clock showed then
        self.had: float | None = None  # seconds of processor time, once it is over
        self.inner: list[Watchdog] = []  # of other threads, for which this one waits

    # in the thread that is watched

    def __enter__(self) -> None:
        settle()
        clock_of = getattr(time, "pthread_getcpuclockid", None)
        self.clock = clock_of(threading.get_ident()) if clock_of else None
        self.begun = self._own_time() or 0.0
        WATCHED.by = self
        self.here = True

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """After this nothing is raised any more: what is on its way is waited for here."""
        sys.settrace(None)
        while not self.calm:
            try:
                with self.lock:
                    if not self.over:
                        self.had = self._own_time()
                        self.over = True
                        self.leash.release()
                while self.bitten:  # again, since what runs in between, as gc's callbacks, may swallow it
                    raise_in(threading.get_ident())
                    _wait()
                self.calm = True
            except OutOfTime:
                self.calm = self.over

    # in the one that watches

    def watch(self, thread: threading.Thread, patience: float = float("inf")) -> bool:
        """Whether it has come to an end: False where it has not, so many seconds after it was bitten first."""
        tick, since = self.seconds / TICKS, 0.0
        while not self.leash.acquire(timeout=tick):
            since += tick  # and not the clock: while a machine stands still nobody has any time
            if self.bitten and monotonic() > self.bitten + patience:
                return False
            if self.bitten or (since >= self.seconds and self._has_had_its_time(since)):
                self._bite(thread)
                if self.leash.acquire(timeout=GRIP):
                    return True
                self._let_go(thread)
                tick = BITE_AGAIN
            else:
                settle()
        return True

    def _has_had_its_time(self, since: float) -> bool:
        used = self._used()
        if used is None or used < WAITS * since:
            return True
        return used >= self.seconds or since >= LENIENT * self.seconds

    def _used(self) -> float | None:
        """Seconds of processor time that the work has had; None where the system does not tell."""
        own = self._own_time() if self.had is None else self.had
        return None if own is None else own + sum(each._used() or 0.0 for each in self.inner)

    def _own_time(self) -> float | None:
        try:
            return None if self.clock is None else time.clock_gettime(self.clock) - self.begun
        except OSError:  # the thread has ended
            return None

    def _bite(self, thread: threading.Thread) -> None:
        with self.lock:
            if self.here and not self.over:
                self.say()
                self.bitten = self.bitten or monotonic()
                raise_in(thread.ident)

    def _let_go(self, thread: threading.Thread) -> None:
        """One that sleeps cannot take it now."""
        with self.lock:
            if not self.over:
                raise_in(thread.ident, None)
                settle()


def settle() -> None:
    """Python 3.11 stands still where it traces a call in any thread while an exception is on its way to one, which may
    sleep, or have ended. That there is one stays noted until some thread has taken one: this one does."""
    try:
        while True:
            raise_in(threading.get_ident())
            _wait()
    except OutOfTime:
        return
    except BaseException:  # an interrupt has come first
        try:  # noqa: SIM105  (suppress would be called first, and it come there)
            _wait()
        except OutOfTime:
            pass
        raise


def _wait() -> None:
    end = monotonic() + BITE_AGAIN
    while monotonic() < end:
        pass


def raise_in(ident: int | None, problem: type[BaseException] | None = OutOfTime) -> None:
    """Raise it in that thread as soon as it runs, or none of what is on its way there."""
    told = None if problem is None else ctypes.py_object(problem)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident or 0), told)
