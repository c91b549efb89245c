"""What is done in another process, here or on another machine: plain functions, which are sent plain data."""

import os
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing import parent_process
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from abviz.engine.compiling import engine
from abviz.engine.preparing import new_work_for
from abviz.engine.switches import Switches
from abviz.games.scale import WIN
from abviz.parallel.lookout import looked_after
from abviz.parallel.notices import Notice, notice_of
from abviz.parallel.upper import Window
from abviz.parallel.workers import Worker


class Terms(NamedTuple):
    """What is the same for all errands of one run."""

    game: Any  # the class
    method: str
    polls: bool
    switches: Switches
    weights: tuple[int, ...]
    notices: str = ""  # the file in which workers of the same machine find news


class Errand(NamedTuple):
    """A task, as it travels. α and β are those of its start."""

    terms: Terms
    position: tuple[int, ...]
    depth: int
    window: Window
    ply: int
    worker: int
    number: int


class Answer(NamedTuple):
    """What comes back. Seconds, and not times of day: the clocks of two machines differ."""

    value: int
    nodes: int
    seconds: float
    cpu: float
    learnt: tuple[tuple[float, int, int], ...]  # seconds since the start, α, β
    whole: bool  # not told to stop
    process: int


class Sought:
    """The task at its destination. Its window is read from the notices, if they can be reached."""

    def __init__(self, errand: Errand, notice: Notice | None):
        self.position = errand.terms.game(*errand.position)
        self.method, self.polls = errand.terms.method, errand.terms.polls
        self.depth, self.ply, self.at_first, self.notice = errand.depth, errand.ply, errand.window, notice

    @property
    def window(self) -> Window:
        return (self.notice and self.notice.window) or self.at_first


_own = threading.local()  # a process may run errands in several threads


def get_ready(terms: Terms, position: tuple[int, ...], worker: int) -> int:
    """Load what is compiled, or compile it, before the clock starts. (Dask makes one of equal calls: `worker` differs.)

    The answer is the process.
    """
    stay_undisturbed()
    own_worker(terms, position)
    return os.getpid()


def stay_undisturbed() -> None:
    """An interrupt reaches all processes that the caller has started, and ends them: but it is meant for the caller."""
    if not parent_process():
        return
    if threading.current_thread() is threading.main_thread():
        _ignore_interrupts()
    elif dask := sys.modules.get("distributed"):
        with suppress(ValueError):  # no worker of Dask
            dask.get_worker().loop.add_callback(_ignore_interrupts)  # it is in the main thread, as tasks are not


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(errand: Errand) -> Answer:
    own = own_worker(errand.terms, errand.position)
    notice = notice_of(errand.terms.notices, errand.worker, errand.number)
    task: Any = Sought(errand, notice)
    own.go_on()
    begin, cpu, nodes = perf_counter(), thread_time(), own.nodes
    learnt: list[tuple[float, int, int]] = []

    def looked() -> None:
        window = task.window
        if window != (learnt[-1][1:] if learnt else errand.window):
            learnt.append((perf_counter() - begin, *window))

    with looked_after(own, notice):
        value = own.run(task, looked)
    spent, cpu = perf_counter() - begin, thread_time() - cpu
    whole = int(own.work.limit) != 0
    return Answer(value, own.nodes - nodes, spent, cpu, tuple(learnt), whole, os.getpid())


def own_worker(terms: Terms, position: tuple[int, ...]) -> Worker:
    """This thread's own, kept from one errand to the next."""
    same = (terms.game, terms.method, terms.switches, terms.weights)
    if getattr(_own, "terms", None) != same:
        made, work = engine(terms.game), new_work_for(terms.switches, list(terms.weights))
        window = () if terms.method == "minimax" else (-WIN, WIN)
        made.prepare(terms.method, terms.game(*position), 1, *window, work, 1)
        _own.terms, _own.worker = same, Worker(0, made, work)
    own: Worker = _own.worker
    return own
