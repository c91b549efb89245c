"""A rehearsal: a function that starts threads is run with a `search` that waits until a script releases it.

So every order in which searches can end is tried on purpose, with Thread and with executors alike. New threads get a
profile function, which reports when a task begins and ends; nothing is patched. The record is plain data.
"""

import ctypes
import dis
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import thread as pools
from dataclasses import dataclass
from functools import partial
from inspect import unwrap
from math import inf
from types import FrameType
from typing import Any

from abviz.errors import AbvizError, Number, brief
from abviz.exercises.observation import NO_FUNCTION, NOT_WRITTEN, Job, Observation, is_open, made_plain, one_line
from abviz.tree.model import Node

ARRIVE, END, GIVE_UP = 0.5, 0.3, 2.0  # seconds to wait for an event, at most; a right answer seldom waits so long
REST = 0.05
RESTS = {"wait", "_wait_for_tstate_lock", "join", "get", "sleep"}  # where a thread waits for others
MOST_CALLS = 20  # of `search`, for each move
MACHINERY = {threading.__file__, pools.__file__}

_one_at_a_time = threading.Lock()


def search_value(node: Node, alpha: Number, beta: Number) -> Number:
    """Return what `search` returns: alpha-beta, fail-soft."""
    if not node.children:
        return node.value or 0
    values: list[Number] = []
    for child in node.children:
        values.append(search_value(child, alpha, beta))
        alpha, beta = (max(alpha, values[-1]), beta) if node.is_max else (alpha, min(beta, values[-1]))
        if alpha >= beta:
            break
    return max(values) if node.is_max else min(values)


def rehearse(answer: Any, job: Job) -> Observation:
    """Run answer(root, search) or, with workers, answer(root, search, workers), following a script.

    The job's arguments are (workers, script); the script is a dict of
        order  the moves' indices: of the searches that wait, the first in this order is released next
        width  how many searches to wait for before one is released; None: as many as come
        hold   whether the first task is held back before it begins, until another move has ended
        pause  a move whose value, when it is first compared, waits until the next move has ended; or None
    The details are a dict: calls ([move, window, value, moves that had ended, whether in a thread of its own]), ended
    (moves, in order), at_once (the most searches under way), threads (whether any was made), early (whether it answered
    before its searches had ended), given_up.
    """
    if not callable(answer):
        return Observation(None, problem=NOT_WRITTEN if is_open(answer) else f"{NO_FUNCTION}{brief(answer)}")
    with _one_at_a_time:
        return _Stage(job).perform(answer)


@dataclass(eq=False)
class _Call:
    """One call of `search`."""

    move: int
    window: tuple[Number, ...]
    known: list[int]
    thread: int  # its ident
    threaded: bool
    value: Number = 0
    released: bool = False
    ended: bool = False
    pause: str = ""  # "next" comparison; "now"; "over"


class _PausedInt(int):
    """A value that waits when it is compared: between reading a shared variable and writing it."""

    call: _Call
    stage: "_Stage"


def _pausing(name: str) -> Any:
    def compare(self: _PausedInt, other: Any) -> Any:
        if self.call.pause == "next":
            self.stage.pause(self.call)
        return getattr(int, name)(self, other)

    return compare


for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
    setattr(_PausedInt, _name, _pausing(_name))
_PausedInt.__hash__ = int.__hash__  # type: ignore[method-assign]


class _Stage:
    def __init__(self, job: Job):
        self.root = job.tree.root
        self.workers, script = job.arguments
        self.order, self.pause_at = list(script["order"]), script["pause"]
        self.width = script["width"] or len(self.root.children)
        self.news = threading.Condition()
        self.calls: list[_Call] = []
        self.ended: list[int] = []
        self.frames: dict[int, FrameType] = {}  # of the task that each thread is busy with
        self.own_threads: set[int] = set()
        self.held: int | None = None
        self.hold = script["hold"]
        self.main_rests = self.done = self.over = self.early = self.given_up = False
        self.answer: Any = None
        self.problem = ""
        self.at_once = 0

    # what the function is given

    def search(self, child: Node, window: tuple[Number, ...]) -> Number:
        move = next((i for i, each in enumerate(self.root.children) if each is child), None)
        if move is None:
            raise AbvizError(f"search was called with {brief(child)}; expected a child of the root")
        thread = threading.get_ident()
        call = _Call(move, window, [], thread, thread != self.main.ident)
        value = call.value = search_value(child, *(window or (-inf, inf)))
        with self.news:
            self._end(thread)
            call.known = list(self.ended)
            self.calls.append(call)
            self.early |= self.done
            if len(self.calls) > MOST_CALLS * len(self.root.children):
                self.problem = f"it was stopped after {len(self.calls) - 1} searches"
                self.given_up = self.over = True
            if not call.threaded:  # nothing else can be under way that it does not wait for
                call.released = call.ended = True
                self.ended.append(move)
            elif sys.getprofile() != self.report:  # a thread that is older than this run
                sys.setprofile(self.report)
                self.frames[thread] = _task_frame(sys._getframe(2))
            self.at_once = max(self.at_once, sum(each.threaded and not each.released for each in self.calls))
            self.news.notify_all()
            self._block_until(lambda: call.released)
        if call.threaded and move == self.pause_at and isinstance(value, int):
            call.pause = "next"
            value = _PausedInt(value)
            value.call, value.stage = call, self
        return value

    # what happens in the function's threads

    def report(self, frame: FrameType, event: str, arg: Any) -> None:
        """The profile function of the answer's threads."""
        if self.over:
            sys.setprofile(None)
            if self.given_up:
                raise SystemExit
            return
        thread, code = threading.get_ident(), frame.f_code  # at its end a thread has no name any more, but an ident
        if thread == self.main.ident:
            if {code.co_name, getattr(arg, "__name__", "")} & RESTS and event != "call" and not _starts_thread(frame):
                self.rest(event == "c_call")
        elif event == "call" and thread not in self.frames:
            if code.co_filename == self.own_file or code is self.search_code:
                self.begin_task(thread, frame)
        elif event == "return" and self.frames.get(thread) is frame:
            self.end_task(thread)
        elif (event, code.co_name, code.co_filename) == ("call", "get", queue.__file__) or (
            event == "c_call" and isinstance(getattr(arg, "__self__", None), queue.SimpleQueue)
        ):
            self.ask_for_more(thread)

    def begin_task(self, thread: int, frame: FrameType) -> None:
        with self.news:
            self.own_threads.add(thread)
            self.frames[thread] = _task_frame(frame)
            if self.hold:
                self.hold, self.held = False, thread
                self.news.notify_all()
                self._block_until(lambda: self.held is None)

    def rest(self, rests: bool) -> None:
        """Note whether the thread of the function itself waits for something."""
        with self.news:
            self.main_rests = rests
            self.news.notify_all()

    def end_task(self, thread: int) -> None:
        with self.news:
            self._end(thread)
            self.frames.pop(thread, None)

    def ask_for_more(self, thread: int) -> None:
        """A thread that takes the next item from a queue is done with the one before."""
        with self.news:
            self._end(thread)

    def pause(self, call: _Call) -> None:
        with self.news:
            if threading.get_ident() == call.thread and not call.ended:
                call.pause = "now"
                self.news.notify_all()
                self._block_until(lambda: call.pause == "over")

    def _end(self, thread: int) -> None:
        for call in self.calls:
            if call.thread == thread and call.released and not call.ended:
                call.ended = True
                self.ended.append(call.move)
                self.news.notify_all()

    def _block_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            if self.over:
                raise SystemExit  # a thread may end like this without a word
            self.news.wait()

    def _raised(self, args: Any) -> None:
        """Note an exception in a thread of the function, which would be printed and forgotten."""
        ident = args.thread.ident if args.thread else None
        if ident not in self.own_threads:
            threading.__excepthook__(args)
        elif not self.over:
            moves = [self.root.children[call.move].name for call in self.calls if call.thread == ident]
            who = f"the thread of {moves[-1]}" if moves else "a thread"
            self.problem = f"{who} raised {one_line(args.exc_value)}"

    # the thread that directs

    def perform(self, answer: Callable[..., Any]) -> Observation:
        handed: Any = (
            (lambda child, alpha, beta: self.search(child, (alpha, beta)))
            if self.workers
            else (lambda child: self.search(child, ()))
        )
        handed.__name__ = handed.__qualname__ = "search"  # as errors name it
        self.own_file, self.search_code = _own_file(answer), handed.__code__
        arguments = (self.root, handed, self.workers)[: 3 if self.workers else 2]
        before, hooks = _threads_made(), (threading.getprofile(), threading.excepthook)
        threading.excepthook = self._raised
        # What a daemon starts is a daemon too: none of these threads keeps Python from ending.
        self.main = threading.Thread(target=self._call, args=(answer, arguments), name="rehearsal", daemon=True)
        try:
            self.main.start()
            with self.news:
                self._direct()
        finally:
            threading.setprofile(hooks[0])
            threading.excepthook = hooks[1]
            self._close()
        threads = any(call.threaded for call in self.calls) or _threads_made() - before > 1
        calls = [[call.move, list(call.window), call.value, call.known, call.threaded] for call in self.calls]
        details = {"calls": calls, "ended": self.ended, "at_once": self.at_once, "threads": threads}
        details |= {"early": self.early, "given_up": self.given_up}
        return Observation(self._plain_answer(), problem=self.problem, details=details)

    def _plain_answer(self) -> Any:
        parts = self.answer if isinstance(self.answer, tuple | list) else [self.answer]
        named = [{"child": part.name} if isinstance(part, Node) else part for part in parts]
        try:
            return made_plain(named if isinstance(self.answer, tuple | list) else named[0])
        except Exception:
            return brief(self.answer)

    def _call(self, answer: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        threading.setprofile(self.report)
        sys.setprofile(self.report)
        error: BaseException | None = None
        try:
            self.answer = answer(*arguments)
        except BaseException as raised:  # SystemExit is one
            error = raised
        sys.setprofile(None)
        with self.news:
            self.done = True
            self.early = not self.over and (self.held is not None or bool(self._waiting()))
            if self.problem:
                pass
            elif isinstance(error, NotImplementedError):
                self.problem = NOT_WRITTEN
            elif isinstance(error, RecursionError):
                self.problem = "it called itself without end"
            elif error is not None and not self.over:
                self.problem = f"it raised {one_line(error)}"
            self.news.notify_all()

    def _direct(self) -> None:
        """Release one search after the other, each when its turn in the order has come and the one before has ended."""
        while not self.over:
            here = self._wait(self._all_here, ARRIVE)
            waiting = self._waiting()
            paused = [each for each in self.calls if each.pause == "now"]
            if not waiting and (self._let_in() or self._resume(paused)):
                continue
            if not waiting:
                missing = len({call.move for call in self.calls}) < len(self.root.children)
                if self.done and not (missing and self._wait(lambda: bool(self._waiting()), END)):
                    return
                if not self.done and not self._wait(lambda: self.done or bool(self._waiting()), GIVE_UP):
                    self.problem, self.given_up, self.over = f"for {GIVE_UP:g} seconds nothing happened", True, True
                continue
            if not here:
                self.width = len(waiting)
            self._wait(lambda: self.main_rests or self.done, REST)  # it may be about to look which searches have ended
            call = min(waiting, key=lambda each: self.order.index(each.move))
            call.released = True
            self.news.notify_all()
            ended = self._wait(lambda: call.ended or call.pause == "now", END)  # noqa: B023
            if self._resume(paused):
                self._wait(lambda: call.ended, END)  # noqa: B023
            elif not ended:
                self._end(call.thread)
            self._let_in()

    def _resume(self, paused: list[_Call]) -> bool:
        for call in paused:
            call.pause = "over"
            self.news.notify_all()
            self._wait(lambda: call.ended, END)  # noqa: B023
        return bool(paused)

    def _all_here(self) -> bool:
        left = len(self.root.children) - sum(call.released for call in self.calls)
        absent = sum(call.pause == "now" for call in self.calls) + (self.held is not None)
        return self.done or len(self._waiting()) >= max(1, min(self.width - absent, left - (self.held is not None)))

    def _let_in(self) -> bool:
        """Let the task go on that was held back."""
        held, self.held = self.held, None
        self.news.notify_all()
        return held is not None

    def _waiting(self) -> list[_Call]:
        return [call for call in self.calls if not call.released]

    def _wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        return self.news.wait_for(condition, seconds)

    def _close(self) -> None:
        """Let everything go; what does not end of itself is ended, and does not keep Python from ending either."""
        with self.news:
            self.over = True
            self.news.notify_all()
        if not self.given_up:
            return
        threads = {self.main.ident or 0, *self.own_threads, *(call.thread for call in self.calls)}
        for thread in threading.enumerate():
            frame = sys._current_frames().get(thread.ident or 0)
            if thread.ident not in threads or thread is threading.current_thread() or frame is None:
                continue
            # Not a thread that is in a call, perhaps of a lock: an exception that waits there makes every other
            # thread with a profile function spin (Python 3.11). It ends when the call returns.
            if not dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith(("CALL", "PRECALL", "BEFORE_WITH")):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
            thread.join(0.05)
            getattr(pools, "_threads_queues", {}).pop(thread, None)


def _starts_thread(frame: FrameType | None) -> bool:
    while frame and frame.f_code.co_filename == threading.__file__:
        if frame.f_code.co_name == "start":
            return True
        frame = frame.f_back
    return False


def _task_frame(frame: FrameType) -> FrameType:
    """Return the outermost frame of the task: that of the executor, where there is one, which sets the result."""
    while (back := frame.f_back) and frame.f_code.co_filename not in MACHINERY:
        if back.f_code.co_name == "_bootstrap_inner":  # at whose end the thread is no longer known
            break
        frame = back
    while frame.f_back and frame.f_back.f_code.co_name == "run" and frame.f_back.f_code.co_filename == pools.__file__:
        frame = frame.f_back
    return frame


def _own_file(answer: Any) -> str:
    while isinstance(answer, partial):
        answer = answer.func
    code = getattr(unwrap(answer), "__code__", None) or getattr(type(answer).__call__, "__code__", None)
    return getattr(code, "co_filename", "")


def _threads_made() -> int:
    """Return the number in the name that Python gives to the next thread."""
    return int(threading.Thread().name.rpartition("-")[2])
