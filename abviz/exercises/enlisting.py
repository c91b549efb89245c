"""Taking note of every thread and task that somebody's function starts, while it runs."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol


class Troupe(Protocol):
    """Who takes note."""

    def is_ours(self) -> bool:
        """Whether the current thread belongs to the function."""

    def enlist(self, thread: threading.Thread, pooled: bool) -> None:
        """The function is about to start this thread, of its own or of a pool."""

    def perform_task(self, task: Callable[[], Any], hints: Iterable[Any]) -> Any:
        """What a thread does in place of the task that it was given; the hints are what the task was given."""

    def end_task(self) -> None:
        """The result of the current thread's task has been stored."""

    def queue(self, future: Future[Any]) -> None:
        """A pool has been handed a task."""


@contextmanager
def enlisted(troupe: Troupe) -> Iterator[None]:
    """Until it ends, whatever the function's threads start is enlisted; other threads are left alone."""
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit
    in_pools = threading.local()

    def watched_start(thread: threading.Thread) -> None:
        if troupe.is_ours():
            pooled = getattr(in_pools, "submitting", False)
            troupe.enlist(thread, pooled)
            if not pooled:
                task = partial(_whole_thread, troupe, thread.run, _within(vars(thread).values()))
                thread.run = task  # type: ignore[method-assign]
        start(thread)

    def watched_submit(
        pool: ThreadPoolExecutor, function: Callable[..., Any], /, *args: Any, **named: Any
    ) -> Future[Any]:
        if not troupe.is_ours():
            return submit(pool, function, *args, **named)
        task = partial(function, *args, **named)
        in_pools.submitting = True
        try:
            future = submit(pool, troupe.perform_task, task, _within((args, named, function)))
        finally:
            in_pools.submitting = False
        troupe.queue(future)
        future.add_done_callback(lambda _: troupe.end_task())
        return future

    threading.Thread.start = watched_start  # type: ignore[method-assign, assignment]
    ThreadPoolExecutor.submit = watched_submit  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        threading.Thread.start = start  # type: ignore[method-assign]
        ThreadPoolExecutor.submit = submit  # type: ignore[method-assign]


def _whole_thread(troupe: Troupe, run: Callable[[], Any], hints: Iterable[Any]) -> None:
    try:
        troupe.perform_task(run, hints)
    except BaseException:
        pass  # it has been noted
    finally:
        troupe.end_task()


def _within(values: Iterable[Any]) -> list[Any]:
    """What is in these, and in tuples and mappings among them, and the defaults of functions."""
    found: list[Any] = []
    for value in values:
        found += [value, *(getattr(value, "__defaults__", None) or ())]
        found += value if isinstance(value, tuple) else value.values() if isinstance(value, dict) else ()
    return found
