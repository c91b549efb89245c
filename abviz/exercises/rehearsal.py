"""A rehearsal: run a function that starts threads with a `search` that blocks until a script releases it.

So every order in which searches can end is tried on purpose, with Thread and with executors alike. Nothing is patched:
whether a thread has left its task is read from its stack.
"""

import ctypes
import sys
import threading
from collections.abc import Callable
from concurrent.futures import thread as pools
from math import inf
from time import monotonic, sleep
from types import FrameType
from typing import Any

from abviz.errors import AbvizError, Number, brief, one_line
from abviz.exercises.observation import (
    NO_FUNCTION,
    NOT_WRITTEN,
    Job,
    Observation,
    fail_soft,
    is_open,
    made_plain,
)
from abviz.tree.model import Node

ARRIVE, END, SETTLE, GIVE_UP = 0.5, 0.3, 0.05, 2.0  # seconds to wait for an event, at most
LOOK = 0.0005  # seconds between two looks
MOST_CALLS = 20  # of `search`, for each move
POOLS = ("concurrent.futures.thread", "multiprocessing.pool")


def rehearse(answer: Any, job: Job) -> Observation:
    """Run answer(root, search) or, with workers, answer(root, search, workers), following a script.

    The job's arguments are (workers, order, width). Of the searches that wait, the first in `order`, a list of the
    moves' indices, is released next. `width` is how many to wait for before one is released; None: as many as come.
    The details are a dict: calls ([move, window, value, moves that had ended, whether in a thread of its own]), ended
    (moves, in order), at_once (the most searches under way), early (moves that had not ended when it answered),
    given_up.
    """
    if not callable(answer):
        return Observation(None, problem=NOT_WRITTEN if is_open(answer) else f"{NO_FUNCTION}{brief(answer)}")
    return _Stage(job).perform(answer)


class _Call:
    """One call of `search`: it waits at its gate."""

    def __init__(self, move: int, window: tuple[Number, ...], value: Number, known: list[int], threaded: bool):
        self.move, self.window, self.value, self.known, self.threaded = move, window, value, known, threaded
        self.gate = threading.Event()
        self.thread = threading.current_thread()
        self.task = _task_frame(sys._getframe(2))

    def stack(self) -> list[FrameType]:
        return _stack(sys._current_frames().get(self.thread.ident or 0))

    def has_ended(self) -> bool:
        """Return whether its thread is done with the task that called it."""
        return self.gate.is_set() and self.task not in self.stack()

    def rests(self) -> bool:
        """Return whether its thread waits for something else, perhaps for its next task."""
        stack = self.stack()
        waits = bool(stack) and stack[0].f_globals.get("__name__") in ("threading", "queue")
        return waits and all(frame.f_code is not _Stage.search.__code__ for frame in stack)


def _stack(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of a thread, the innermost first."""
    frames = []
    while frame:
        frames.append(frame)
        frame = frame.f_back
    return frames


def _task_frame(frame: FrameType) -> FrameType:
    """Return the outermost frame of the task: below those of the thread, and of the loop of a pool's worker."""
    frames = _stack(frame)
    while len(frames) > 1 and frames[-1].f_globals.get("__name__") == "threading":
        frames.pop()
    if len(frames) > 1 and frames[-1].f_globals.get("__name__") in POOLS:
        frames.pop()
    return frames[-1]


class _Stage:
    def __init__(self, job: Job):
        self.root = job.tree.root
        self.workers, order, width = job.arguments
        self.order = list(order)
        self.width: int = width or len(self.root.children)
        self.lock = threading.Lock()
        self.calls: list[_Call] = []
        self.ended: list[int] = []
        self.moves_in_time: list[int] = []  # released before it answered
        self.done = self.over = self.given_up = False
        self.answer: Any = None
        self.problem = ""
        self.at_once = 0

    def perform(self, answer: Callable[..., Any]) -> Observation:
        arguments = (self.root, self.search, self.workers)[: 3 if self.workers else 2]
        self.before = set(threading.enumerate())
        # What a daemon starts is a daemon too: none of these threads keeps Python from ending.
        self.main = threading.Thread(target=self._call, args=(answer, arguments), name="rehearsal", daemon=True)
        try:
            self.main.start()
            self._direct()
        finally:
            self._close()
        calls = [[call.move, list(call.window), call.value, call.known, call.threaded] for call in self.calls]
        early = []
        if len(self.calls) > len(self.moves_in_time) and not self.given_up:
            early = [move for move in range(len(self.root.children)) if move not in self.moves_in_time]
        details = {"calls": calls, "ended": self.ended, "at_once": self.at_once}
        details |= {"early": early, "given_up": self.given_up}
        try:
            value = made_plain(self.answer)
        except Exception:  # such as a child in place of its name
            value = brief(self.answer)
        return Observation(value, problem=self.problem, details=details)

    def search(self, child: Node, *window: Number) -> Number:
        """Return the value of a child of the root, once the script lets it."""
        move = next((i for i, each in enumerate(self.root.children) if each is child), None)
        if move is None:
            self.problem = f"search was called with {brief(child)}; expected a child of the root"
        elif len(window) != (2 if self.workers else 0):
            expected = "search(child, alpha, beta)" if self.workers else "search(child)"
            self.problem = f"search was called with {1 + len(window)} arguments; expected {expected}"
        if move is None or self.problem:
            raise AbvizError(self.problem)
        value = fail_soft(child, *(window or (-inf, inf)))
        with self.lock:
            me = threading.current_thread()
            ended = {call.move for call in self.calls if call.thread is me or call.has_ended()}
            call = _Call(move, window, value, [each for each in self.ended if each in ended], me is not self.main)
            self.calls.append(call)
        if len(self.calls) > MOST_CALLS * len(self.root.children):
            self.problem, self.given_up = f"it was stopped after {len(self.calls) - 1} searches", True
        if call.threaded:
            call.gate.wait()
        else:  # nothing else can be under way that it does not wait for
            call.gate.set()
            self.ended.append(move)
        if self.over or self.given_up:
            raise SystemExit  # which ends a thread without a word
        return value

    def _call(self, answer: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        problem = ""
        try:
            self.answer = answer(*arguments)
        except NotImplementedError:
            problem = NOT_WRITTEN
        except RecursionError:
            problem = "it called itself without end"
        except BaseException as error:  # SystemExit is one
            problem = f"it raised {one_line(error)}"
        self.problem = self.problem or problem
        self.moves_in_time = [call.move for call in self.calls if call.gate.is_set()]
        self.done = True

    def _direct(self) -> None:
        """Release one search after the other, each when its turn in the order has come and the one before has ended."""
        while not self.given_up:
            here = self._wait(self._all_here, ARRIVE)
            self._settle()
            waiting = self._waiting()
            if not waiting and self.done:
                missing = len(self.calls) < len(self.root.children) and not self.problem
                if not (missing and self._wait(lambda: bool(self._waiting()), END)):
                    return
            elif not waiting:
                if not self._wait(lambda: self.done or bool(self._waiting()), GIVE_UP) and not self.given_up:
                    self.problem, self.given_up = f"for {GIVE_UP:g} seconds nothing happened", True
            else:
                self.width = self.width if here else len(waiting)
                self.at_once = max(self.at_once, len(waiting))
                call = min(waiting, key=lambda each: self.order.index(each.move))
                self.ended.append(call.move)
                call.gate.set()
                self._wait(lambda: call.has_ended() or call.rests() or self._goes_on(call), END)  # noqa: B023
                self._settle()

    def _goes_on(self, call: _Call) -> bool:
        return any(each.thread is call.thread and not each.gate.is_set() for each in self.calls)

    def _waiting(self) -> list[_Call]:
        return [call for call in self.calls if not call.gate.is_set()]

    def _all_here(self) -> bool:
        left = len(self.root.children) - len(self.calls) + len(self._waiting())
        return self.done or len(self._waiting()) >= max(1, min(self.width, left))

    def _wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        deadline = monotonic() + seconds
        while not (result := condition()) and not self.given_up and monotonic() < deadline:
            sleep(LOOK)
        return result

    def _settle(self) -> None:
        """Wait until no thread has moved between two looks: one may be about to see what has ended."""
        before: list[Any] = []
        deadline = monotonic() + SETTLE
        while (now := self._places()) != before and monotonic() < deadline:
            before = now
            sleep(LOOK)

    def _places(self) -> list[Any]:
        """Return where each thread is."""
        frames = [sys._current_frames().get(thread.ident or 0) for thread in self._threads()]
        return [len(self.calls), *((frame, frame.f_lasti) for frame in frames if frame)]

    def _threads(self) -> list[threading.Thread]:
        return [self.main, *dict.fromkeys(call.thread for call in self.calls if call.threaded)]

    def _close(self) -> None:
        """Let everything go; what does not end by itself is ended, and does not keep Python from ending either."""
        self.over = True
        for call in self.calls:
            call.gate.set()
        for thread in () if self.done else self._threads():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
        for thread in () if self.done else set(threading.enumerate()) - self.before:
            getattr(pools, "_threads_queues", {}).pop(thread, None)
