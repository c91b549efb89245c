"""Waiting for compiled code, or for the compiler: an interrupt does not come through while this thread runs it."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def aside(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """What `work` returns or raises, done in a thread of its own. An interrupt calls `stop` and is raised at once."""
    told: list[T] = []
    problems: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            told.append(work())
        except BaseException as problem:
            problems.append(problem)
        finally:
            done.set()

    threading.Thread(target=run, name="abviz", daemon=True).start()
    try:
        while not done.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
            pass
    except BaseException:
        stop()
        raise
    if problems:
        raise problems[0]
    return told[0]
