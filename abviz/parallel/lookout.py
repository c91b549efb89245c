"""One thread that reads the notices for whatever this process is searching: compiled code does not stop to read."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

from abviz.parallel.notices import Notice
from abviz.parallel.workers import Worker

PAUSE = 0.01  # seconds from one look to the next
PATIENCE = 100  # looks without a search, after which the thread ends

_lock = threading.Lock()
_searching: dict[Worker, tuple[Notice, int]] = {}  # the notice, and the worker's nodes before
_thread: threading.Thread | None = None


@contextmanager
def looked_after(worker: Worker, notice: Notice | None) -> Iterator[None]:
    """While it lasts, the worker is stopped when its task is no longer wanted, and its count of nodes is shown."""
    if notice is None:
        yield
        return
    with _lock:
        _searching[worker] = notice, worker.nodes
        _begin()
    try:
        yield
    finally:
        with _lock:  # from here on it is not stopped any more: the next task is another
            del _searching[worker]


def _forget() -> None:
    """In a process that has just been forked: what was under way, and who held the lock, is the other's."""
    global _lock, _thread
    _lock, _thread = threading.Lock(), None
    _searching.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _begin() -> None:
    global _thread
    if _thread is None or not _thread.is_alive():  # a process that has been forked has the variable, but not the thread
        _thread = threading.Thread(target=_look_out, name="abviz lookout", daemon=True)
        _thread.start()


def _look_out() -> None:
    global _thread
    patience = PATIENCE
    while True:
        sleep(PAUSE)
        with _lock:
            for worker, (notice, before) in _searching.items():
                notice.show(worker.nodes - before)
                if not notice.stands:
                    worker.stop()
            patience = PATIENCE if _searching else patience - 1
            if not patience:
                _thread = None
                return
