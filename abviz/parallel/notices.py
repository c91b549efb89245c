"""News for workers in other processes of this machine, while they search: a small file that all have in memory.

A task's window may narrow while it runs, and a task may be no longer wanted. Workers on other machines do not find the
file: they have the window that came with the task, and finish what they have begun.
"""

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from abviz.parallel.upper import Window

TASK, ALPHA, BETA, NODES = range(4)  # what a notice tells, each in eight bytes
SIZE = 4
NOTHING = -1


class Notices:
    """The caller's side: one notice for each worker."""

    def __init__(self, workers: int):
        handle, self.path = tempfile.mkstemp(prefix="abviz-")
        os.write(handle, bytes(workers * SIZE * 8))
        os.close(handle)
        self.all = _mapped(self.path)
        self.all[:, TASK] = NOTHING

    def put_up(self, worker: int, number: int, window: Window) -> "Notice":
        notice = self.all[worker]
        notice[ALPHA], notice[BETA] = window
        notice[NODES] = 0
        notice[TASK] = number  # last: with it the rest holds
        return Notice(notice, number)

    def narrow(self, worker: int, window: Window) -> None:
        self.all[worker, ALPHA], self.all[worker, BETA] = window

    def take_down(self, worker: int) -> None:
        self.all[worker, TASK] = NOTHING

    def take_all_down(self) -> None:
        self.all[:, TASK] = NOTHING

    def close(self, busy: "Sequence[Future[Any]]") -> None:
        """Take all down. The file stays until these have ended: who has not begun yet must find that it need not."""
        self.take_all_down()
        self.busy = busy
        self._remove()
        for future in busy:
            future.add_done_callback(self._remove)

    def _remove(self, _: "Future[Any] | None" = None) -> None:
        if all(future.done() for future in self.busy):
            with suppress(OSError):  # Windows keeps a file that a worker still reads
                os.unlink(self.path)


class Notice:
    """One notice, as the worker reads it; and its count of nodes, which the worker writes and the caller reads."""

    def __init__(self, told: Any, number: int):
        self.told, self.number = told, number

    @property
    def stands(self) -> bool:
        return int(self.told[TASK]) == self.number

    @property
    def window(self) -> Window | None:
        window = int(self.told[ALPHA]), int(self.told[BETA])
        return window if self.stands else None

    @property
    def nodes(self) -> int:
        return int(self.told[NODES])

    def show(self, nodes: int) -> None:
        self.told[NODES] = nodes


def notice_of(path: str, worker: int, number: int) -> Notice | None:
    """None on a machine that does not have the file, and when it has been taken away."""
    try:
        return Notice(_open(path)[worker], number)
    except OSError:
        return None


def _mapped(path: str) -> Any:
    return np.asarray(np.memmap(path, np.int64, "r+")).reshape(-1, SIZE)


_open = lru_cache(4)(_mapped)
