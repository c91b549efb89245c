"""Searches that run in the background: the base class of `Search` and of the parallel searches.

Python delivers an interrupt (Ctrl+C, the notebook's stop button) only between two steps of the main
thread. Compiled code is one long step, so it runs in a thread of its own while the main thread
waits.
"""

import atexit
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, Generic, Self, TypeVar
from weakref import WeakSet

from abviz.errors import Stopped

T = TypeVar("T")
POLL = 0.1  # seconds; a wait without a timeout would not be interrupted on every system


class BackgroundSearch(Generic[T]):
    """One search in a daemon thread: `start()` it, `stop()` it, take its `result()`.

    `work()` returns the result; `interrupt()` makes it return soon, or calls `_finish` at once; it
    is called under the lock, perhaps before `work`.
    """

    def __init__(self, work: Callable[[], T], interrupt: Callable[[], None]) -> None:
        self._work = work
        self._interrupt = interrupt
        # A signal handler may stop what its own thread is just starting
        self._lock = threading.RLock()
        self._future: Future[T] = Future()
        self._started = False
        self._stopped = False

    def start(self) -> Self:
        """Begin the search, unless it has begun; returns at once.

        Where no thread can be started, as in a browser, it returns when the search has ended.
        """
        with self._lock:
            if self._started:
                return self
            self._started = True
            _begun.add(self)

        try:
            threading.Thread(target=self._run, name="abviz search", daemon=True).start()
        except RuntimeError:
            self._run()
        return self

    def stop(self) -> None:
        """End the search now. Its result is what it has found so far."""
        with self._lock:
            self._stopped = True
            if not self.done:
                self._interrupt()

    @property
    def done(self) -> bool:
        return self._future.done()

    def result(self) -> T:
        """Wait for the end and return the result.

        An interrupt stops the search and raises `Stopped`.
        """
        try:
            self.start()
            while not self.done:
                wait([self._future], POLL)
            return self._future.result()  # an interrupt may also have come to where it ran
        except KeyboardInterrupt:
            self.stop()
            wait([self._future], 1)
            raise Stopped(self._summary()) from None

    def _summary(self) -> str:
        """Return, in a few words, what had been found when an interrupt came."""
        return ""

    def _finish(self, result: T) -> None:
        """Set the result, unless there is one."""
        with self._lock:
            if not self.done:
                self._future.set_result(result)

    def _run(self) -> None:
        try:
            self._finish(self._work())
        except BaseException as problem:
            with self._lock:
                if not self.done:
                    self._future.set_exception(problem)
        # Bound methods: a search would keep itself, and its table, alive
        del self._work, self._interrupt


def run_interruptible(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """Return what `work()` returns, run in a thread of its own.

    An interrupt calls `stop` and raises `Stopped`.
    """
    return BackgroundSearch(work, stop).result()


_begun: WeakSet[BackgroundSearch[Any]] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """Stop what still runs when Python ends.

    Otherwise a thread would come back to an interpreter that is gone.
    """
    for search in list(_begun):
        search.stop()
