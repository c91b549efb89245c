"""A rehearsal: run a function that starts threads with a `search` that blocks until a script releases it.

So every order in which searches can end is tried on purpose, with Thread and with executors alike. Nothing is patched:
whether a thread waits is read from its stack. On a slow computer a rehearsal may depart from its script, but the record
tells what happened.
"""

import gc
import sys
import threading
from collections.abc import Callable
from math import inf
from threading import Event
from time import sleep
from types import FrameType
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, one_line, plain
from abviz.exercises.observation import NOT_WRITTEN, Job, Observation, fail_soft, made_plain, not_a_function
from abviz.recording.time_limit import raise_in, settle
from abviz.tree.model import Node

LOOK = 0.0005  # seconds between two looks at the threads
STEADY = 3  # looks in a row that find all threads waiting, until the script goes on
PATIENCE = 300  # looks until it goes on although some thread is still at work
GIVE_UP = 4_000  # looks until it ends an answer that neither searches nor returns
MOST_CALLS = 20  # of `search`, for each move
WAITING = {"threading", "queue", "selectors", "multiprocessing.pool", "multiprocessing.connection"}
WAITING |= {"concurrent.futures._base", "concurrent.futures.thread"}


class Record(NamedTuple):
    """The events of a rehearsal as plain data: the details of its observation."""

    calls: list[Any]  # of `search`: move, window, value, moves whose value it can know, whether in a thread of its own
    ended: list[int]  # moves, in the order in which their searches were released
    at_once: int  # the most searches under way
    early: list[int]  # moves that had not ended when it answered


def rehearse(answer: Any, job: Job) -> Observation:
    """Run answer(root, search) or, with workers, answer(root, search, workers), following a script.

    The job's arguments are (workers, order, interleaved). Of the searches that wait, the first in `order`, a list of
    the moves' indices, is released next. If `interleaved`, its thread is held again when it first compares the value
    that it got, until another search has been released: without a lock, one of the two updates is lost.
    """
    return _Stage(job).perform(answer) if callable(answer) else not_a_function(answer)


class _Call:
    """One call of `search`. Its thread waits until it is released, and may be held until it is resumed."""

    def __init__(self, move: int, record: list[Any]):
        self.move, self.record, self.thread = move, record, threading.current_thread()
        self.released, self.resumed = Event(), Event()


def _reported(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def method(self: "Score", other: Any) -> bool:
        self.on_compare()
        return compare(self, other)

    return method


class Score(int):
    """The value of a search: a number that reports when it is compared."""

    on_compare: Callable[[], None]
    __lt__, __le__ = _reported(int.__lt__), _reported(int.__le__)
    __gt__, __ge__ = _reported(int.__gt__), _reported(int.__ge__)


class _Stage:
    def __init__(self, job: Job):
        self.moves = job.tree.root.children
        self.workers, self.order, self.is_interleaved = job.arguments
        self.arguments = (job.tree.root, self.search, self.workers)[: 3 if self.workers else 2]
        self.lock = threading.Lock()
        self.calls: list[_Call] = []
        self.ended: list[int] = []
        self.in_time: list[int] = []  # moves that had ended when it answered
        self.finished: list[int] = []  # moves whose threads had gone on as far as they could when all last waited
        self.opened = self.passed = 0  # gates opened by the script, and passed by threads
        self.to_hold: _Call | None = None  # the call whose thread is held at its first comparison
        self.held: _Call | None = None
        self.at_once = self.steady = 0
        self.places: Any = None
        self.answer: Any = None
        self.problem = ""
        self.is_done = self.is_over = False

    def perform(self, answer: Callable[..., Any]) -> Observation:
        self.before, collects = set(threading.enumerate()), gc.isenabled()
        gc.disable()  # Python 3.11 locks up where a collection that runs a __del__ begins within sys._current_frames
        # What a daemon starts is a daemon too: none of these threads keeps Python from ending.
        self.main = threading.Thread(target=self._call, args=(answer,), name="rehearsal", daemon=True)
        try:
            self.main.start()
            self._direct()
            is_early = not self.is_over and len(self.calls) > len(self.in_time)
        finally:
            self._close()
            if collects:
                gc.enable()
        try:
            value = made_plain(self.answer)
        except Exception:  # such as a child in place of its name
            value = brief(self.answer)
        early = [move for move in range(len(self.moves)) if is_early and move not in self.in_time]
        record = Record([call.record for call in self.calls], self.ended, self.at_once, early)
        return Observation(value, problem=self.problem, details=record)

    # in the threads of the answer

    def _call(self, answer: Callable[..., Any]) -> None:
        problem = ""
        try:
            self.answer = answer(*self.arguments)
        except BaseException as error:  # SystemExit is one
            problem = NOT_WRITTEN if isinstance(error, NotImplementedError) else f"it raised {one_line(error)}"
        self.problem = self.problem or problem
        self.in_time, self.is_done = self.ended[:], True

    def search(self, child: Node, *window: Number) -> Number:
        """Return the value of a child of the root, once the script lets it."""
        bounds = [bound for bound in map(plain, window) if bound is not None]
        if child not in self.moves or not len(bounds) == len(window) == (2 if self.workers else 0):
            expected = "a child of the root, alpha and beta" if self.workers else "a child of the root"
            self.problem = f"search was called with {', '.join(map(brief, (child, *window)))}; expected {expected}"
            raise AbvizError(self.problem)
        move, value = self.moves.index(child), fail_soft(child, *(bounds or (-inf, inf)))
        me = threading.current_thread()
        with self.lock:
            aware_of = {*self.finished, *(call.move for call in self.calls if call.thread is me)}
            self.calls.append(call := _Call(move, [move, bounds, value, sorted(aware_of), me is not self.main]))
        if len(self.calls) > MOST_CALLS * len(self.moves):
            self.problem, self.is_over = f"it was stopped after {len(self.calls) - 1} searches", True
        elif me is not self.main:
            self._wait_at(call.released)
        else:  # nothing else can be under way that it does not wait for
            call.released.set()
            self.ended.append(move)
        if self.is_over:
            raise SystemExit  # which ends a thread without a message
        if not isinstance(value, int):
            return value
        score = Score(value)
        score.on_compare = self._hold
        return score

    def _hold(self) -> None:
        call = self.to_hold
        if call and call.thread is threading.current_thread():
            self.to_hold, self.held = None, call
            self._wait_at(call.resumed)

    def _wait_at(self, gate: Event) -> None:
        gate.wait()
        with self.lock:
            self.passed += 1

    # in the thread of the script

    def _direct(self) -> None:
        """Release one search after the other in the order of the script, each when all threads wait."""
        while not self.is_over:
            self.steady = 0
            if _look(self._is_steady, PATIENCE):
                # while one is held, others may wait for its lock: those whose threads search again do not
                waits = {call.thread: call for call in self.calls}.values() if self.held else ()
                self.finished = [call.move for call in self.calls if call.released.is_set() and call not in waits]
            held, self.to_hold = self.held, None
            waiting = self._waiting()
            self.at_once = max(self.at_once, len(waiting))
            if held and (not waiting or self.ended[-1] != held.move):
                self.held = None
                self._open(held.resumed)
            elif waiting:
                call = min(waiting, key=lambda each: self.order.index(each.move))
                self.to_hold = call if self.is_interleaved and len(waiting) > 1 and not held else None
                self.ended.append(call.move)
                self._open(call.released)
            elif self.is_done:
                return
            elif not _look(lambda: self.is_done or bool(self._waiting()), GIVE_UP):
                self.problem, self.is_over = "it does not end, although each search that it called has returned", True

    def _open(self, gate: Event) -> None:
        self.opened += 1
        gate.set()

    def _waiting(self) -> list[_Call]:
        return [call for call in self.calls if not call.released.is_set()]

    def _is_steady(self) -> bool:
        """Return whether each thread has waited in the same place at the last looks."""
        frames = sys._current_frames()
        threads = set(threading.enumerate()) - self.before
        if len({call.move for call in self.calls}) == len(self.moves):
            threads.discard(self.main)  # it has nothing more to search
        waiting = [frame for frame in (frames.get(each.ident or 0) for each in threads) if frame and _waits(frame)]
        places = len(self.calls), {(frame, frame.f_lasti) for frame in waiting}
        are_all = self.opened == self.passed and len(waiting) == len(threads)
        self.steady = self.steady + 1 if are_all and places == self.places else 0
        self.places = places
        return self.steady == STEADY

    def _close(self) -> None:
        """Let everything go, and end what still runs."""
        self.is_over = True
        for call in self.calls:
            call.released.set()
            call.resumed.set()
        left = set() if self.is_done else set(threading.enumerate()) - self.before
        for thread in left:
            raise_in(thread, SystemExit)
        if left:
            settle()


def _look(condition: Callable[[], bool], looks: int) -> bool:
    """Return whether the condition comes true within that number of looks."""
    for _ in range(looks):
        if condition():
            return True
        sleep(LOOK)
    return False


def _waits(frame: FrameType | None) -> bool:
    """Return whether a thread waits inside Python's own modules: not one that begins, or that is starting another."""
    calls = []
    while frame and frame.f_globals.get("__name__") in WAITING:
        calls.append(frame.f_code.co_name)
        frame = frame.f_back
    return bool(calls) and calls[0] not in ("_bootstrap", "_bootstrap_inner", "run") and "start" not in calls
