"""A time limit for functions that may never return."""

import ctypes
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from time import monotonic, process_time
from typing import Any, TypeVar

from abviz.errors import TimeLimit as TimeLimit

TICK = 0.05  # seconds between two looks at the clock
PATIENCE = 1.0  # seconds in which work that swallows every exception is interrupted again and again
IDLE = 0.05  # of a processor: work that uses less is waiting for something

# Where other processes use the processor, work may take this many times its seconds by the clock
BUSY_MACHINE = 12

T = TypeVar("T")


def run_with_timeout(work: Callable[[], T], seconds: float) -> T:
    """Return what `work()` returns, or raise what it raises.

    After that many seconds, raise TimeLimit.

    The work runs in a thread of its own, in a copy of the caller's context. Work that swallows
    every exception cannot be stopped: after a second of attempts its thread, a daemon, is
    abandoned. The seconds are those that the process gets from a busy machine. An interrupt of the
    caller stops the work too.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    context = copy_context()

    def run() -> None:
        with suppress(TimeLimit):  # one that arrives when the work is done
            try:
                results.append(context.run(work))
            except BaseException as error:
                errors.append(error)

    thread = threading.Thread(target=run, name="abviz time limit", daemon=True)
    start = monotonic()
    start_of_use = process_time()
    thread.start()
    try:
        while thread.is_alive():
            elapsed = monotonic() - start
            used = process_time() - start_of_use
            if _is_over(seconds, elapsed, used):
                break
            thread.join(min(TICK, seconds))
    finally:
        _interrupt(thread)

    if results:
        return results[0]
    raise errors[0] if errors else TimeLimit


def _is_over(seconds: float, elapsed: float, used: float) -> bool:
    if elapsed < seconds:
        return False
    is_waiting = used < IDLE * elapsed
    return is_waiting or used >= seconds or elapsed >= BUSY_MACHINE * seconds


def _interrupt(thread: threading.Thread) -> None:
    """Raise TimeLimit in the thread again and again, until it has ended or patience has."""
    end = monotonic() + PATIENCE
    while thread.is_alive() and monotonic() < end:
        raise_in(thread, TimeLimit)
        thread.join(TICK)

        # A thread that sleeps cannot take it now, and later it would be a surprise
        raise_in(thread, None)
        settle()
        thread.join(TICK)


def raise_in(thread: threading.Thread, error: type[BaseException] | None) -> None:
    """Raise the error in that thread as soon as it runs; None withdraws it.

    Call `settle` after the last one.
    """
    argument: Any = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), argument)


def settle() -> None:
    """Take an exception here.

    In Python 3.11, calls that are traced or profiled stand still in every thread from the moment an
    exception is raised in some thread until a thread has taken one.
    """
    if sys.version_info >= (3, 12):
        return

    with suppress(TimeLimit):
        raise_in(threading.current_thread(), TimeLimit)
        end = monotonic() + 1
        while monotonic() < end:
            pass
