"""A time limit for functions that may never return."""

import ctypes
import threading
from collections.abc import Callable
from contextvars import copy_context
from time import monotonic, process_time
from typing import Any, TypeVar

TICK = 0.05  # seconds between two looks at the clock
PATIENCE = 1.0  # seconds for which work that swallows every exception is interrupted again and again
BUSY_MACHINE = 4  # times its seconds that work may take where other processes use the processor
IDLE = 0.05  # of a processor: work that uses less is waiting for something

T = TypeVar("T")


class TimeLimit(BaseException):
    """The time is up. Not an Exception, so that `except Exception` in the work does not keep it running."""


def run_with_timeout(work: Callable[[], T], seconds: float) -> T:
    """Return what `work()` returns or raise what it raises; raise TimeLimit after that many seconds.

    The work runs in a thread of its own, in a copy of the caller's context; an interrupt of the caller stops it too.
    Where it swallows every exception, its thread, a daemon, is abandoned after a second of attempts.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    context = copy_context()

    def run() -> None:
        try:
            try:
                results.append(context.run(work))
            except BaseException as error:
                errors.append(error)
        except TimeLimit:  # just after the work has ended
            pass

    def is_over() -> bool:
        elapsed, used = monotonic() - start, process_time() - start_used
        waits = used < IDLE * elapsed
        return elapsed >= seconds and (waits or used >= seconds or elapsed >= BUSY_MACHINE * seconds)

    thread = threading.Thread(target=run, name="abviz time limit", daemon=True)
    start, start_used = monotonic(), process_time()
    thread.start()
    try:
        while thread.is_alive() and not is_over():
            thread.join(min(TICK, seconds))
    finally:
        if thread.is_alive():
            _interrupt(thread)
    if results:
        return results[0]
    raise errors[0] if errors else TimeLimit


def _interrupt(thread: threading.Thread) -> None:
    end = monotonic() + PATIENCE
    while thread.is_alive() and monotonic() < end:
        _raise_in(thread.ident, TimeLimit)
        thread.join(TICK)
    _raise_in(thread.ident, None)  # a thread that sleeps has not taken it
    try:  # in Python 3.11 profiled calls hang, in any thread, until some thread has taken an exception
        _raise_in(threading.get_ident(), TimeLimit)
        while True:
            pass
    except TimeLimit:
        pass


def _raise_in(ident: int | None, error: type[BaseException] | None) -> None:
    """Raise the error in that thread as soon as it runs; None withdraws it."""
    what: Any = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident or 0), what)
