"""A time limit for functions that may never return."""

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from time import monotonic, process_time
from types import CodeType
from typing import Any, TypeVar

from abviz.errors import HERE, AbvizError
from abviz.errors import TimeLimit as TimeLimit

TICK = 0.05  # seconds between two looks at the clock
PATIENCE = 1.0  # seconds in which work that swallows every exception is interrupted again and again
IDLE = 0.05  # of a processor: work that uses less is waiting for something

# Where other processes use the processor, work may take this many times its seconds by the clock
BUSY_MACHINE = 12

# Without threads: loops and calls between two looks at the clock, and the numbers that tools of
# sys.monitoring may have
EVENTS = 256
FREE_TOOLS = (4, 3, 5)

# Code that ends whatever an answer is, and runs so often that watching it would take long: its
# loops go over trees, runs and values of abviz's own, never over what an answer has made. Each
# module of abviz has the beginnings of the names of its functions; "" is all of them.
UNWATCHED: dict[str, str | tuple[str, ...]] = {
    "errors.py": "plain",
    "exercises/judgement.py": "",
    "exercises/observation.py": (
        "Node.",
        "as_function",
        "made_plain",
        "observe",
        "_observe",
        "outcome",
    ),
    "exercises/searches.py": "",
    "exercises/trial_trees.py": "",
    "tree/model.py": "",
    "tree/nested.py": "with_names",
}
ABVIZ, _ = HERE

T = TypeVar("T")


def run_with_timeout(work: Callable[[], T], seconds: float) -> T:
    """Return what `work()` returns, or raise what it raises.

    After that many seconds, raise TimeLimit.

    The work runs in a thread of its own, in a copy of the caller's context. Work that swallows
    every exception cannot be stopped: after a second of attempts its thread, a daemon, is
    abandoned. The seconds are those that the process gets from a busy machine. An interrupt of the
    caller stops the work too.

    Where no thread can be started, as in a browser, the work runs here and is stopped at its next
    loop or call. One long step of compiled code cannot be stopped.
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
    limit = Limit(seconds)
    try:
        thread.start()
    except RuntimeError:
        return _run_here(lambda: context.run(work), limit)

    try:
        while thread.is_alive() and not limit.is_over():
            thread.join(min(TICK, seconds))
    finally:
        _interrupt(thread)

    if results:
        return results[0]
    raise errors[0] if errors else TimeLimit


class Limit:
    """Seconds that begin now. Of a busy machine they are those that the work gets.

    `used()` returns the seconds of a processor that the work has had: those of this process, unless
    it runs elsewhere.
    """

    def __init__(self, seconds: float, used: Callable[[], float] = process_time) -> None:
        self.seconds = seconds
        self.used = used
        self.start = monotonic()
        self.start_of_use = used()

        # Since when the clock stands still, and when it last went on
        self.start_of_pause: float | None = None
        self.end_of_pause = self.start

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock for a while."""
        self.start_of_pause = monotonic()
        try:
            yield
        finally:
            self.end_of_pause = monotonic()
            self.start += self.end_of_pause - self.start_of_pause
            self.start_of_pause = None

    def is_over(self) -> bool:
        if self.start_of_pause is not None:
            return False

        now = monotonic()
        elapsed = now - self.start
        if elapsed < self.seconds:
            return False

        # Work that was heard of lately is not waiting: whoever reads its replies may have been late
        is_silent = now - self.end_of_pause >= self.seconds
        used = self.used() - self.start_of_use
        is_waiting = is_silent and used < IDLE * elapsed
        return is_waiting or used >= self.seconds or elapsed >= BUSY_MACHINE * self.seconds


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


# Without threads: Python calls us where a loop goes back and where a function begins

# The limits that run, the outermost first
_limits: list[Limit] = []


def _run_here(work: Callable[[], T], limit: Limit) -> T:
    """Return what the work returns; raise TimeLimit when this limit, or one around it, is over."""
    _limits.append(limit)
    try:
        # The outermost call looks at the clock for all of them
        return work() if len(_limits) > 1 else _run_watched(work)
    finally:
        _limits.pop()


if sys.version_info >= (3, 12):

    def _run_watched(work: Callable[[], T]) -> T:
        monitoring = sys.monitoring
        events = monitoring.events
        tool = next(free for free in FREE_TOOLS if monitoring.get_tool(free) is None)
        monitoring.use_tool_id(tool, "abviz time limit")
        look = _look()

        # DISABLE is for this place in the code, from now on
        def on_call(code: CodeType, _: int) -> object:
            return look() if _is_watched(code) else monitoring.DISABLE

        def on_jump(code: CodeType, start: int, end: int) -> object:
            is_loop = end <= start  # "while True: pass" goes back to where it is
            return look() if is_loop and _is_watched(code) else monitoring.DISABLE

        try:
            monitoring.register_callback(tool, events.PY_START, on_call)
            monitoring.register_callback(tool, events.JUMP, on_jump)
            monitoring.set_events(tool, events.PY_START | events.JUMP)
            return work()
        finally:
            # First, and not in a context manager: its own calls would be stopped too
            monitoring.set_events(tool, 0)
            monitoring.register_callback(tool, events.PY_START, None)
            monitoring.register_callback(tool, events.JUMP, None)
            monitoring.free_tool_id(tool)

else:

    def _run_watched(work: Callable[[], T]) -> T:
        expected = "expected Python 3.12 or newer, where a time limit needs no thread"
        raise AbvizError(f"no thread can be started here; {expected}")


def _is_watched(code: CodeType) -> bool:
    """Return whether this code may go on without end."""
    file = code.co_filename
    if not file.startswith(ABVIZ):
        return True
    unwatched = UNWATCHED.get(file.removeprefix(ABVIZ))
    return unwatched is None or not code.co_qualname.startswith(unwatched)


def _look() -> Callable[[], None]:
    """Return what is called at each event, and raises TimeLimit once a limit is over.

    Work may catch it and go on, so it is raised again, sooner each time: at first there is room for
    the work to clean up, in the end every loop and call of it is left.
    """
    left = room = EVENTS

    def look() -> None:
        nonlocal left, room
        left -= 1
        if left > 0:
            return

        if any(limit.is_over() for limit in _limits):
            room = left = max(1, room // 2)
            raise TimeLimit
        left = room = EVENTS

    return look
