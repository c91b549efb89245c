"""Somebody's threads on a stage, where each waits until it is told to go on: so every order can be tried, and again.

The function is handed a `search`. Its threads are stopped where they begin, where they call `search`, and, if a step
asks for it, before they write to a variable that others may read. Nothing is asked of the function for it.
"""

import ctypes
import dis
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from concurrent.futures import thread as pools
from dataclasses import dataclass, field
from functools import partial
from inspect import unwrap
from time import monotonic
from types import FrameType
from typing import Any

from abviz.errors import AbvizError, Number, brief, visible
from abviz.exercises.enlisting import enlisted
from abviz.exercises.steps import BEGIN, GO, PAUSE, Call, Rehearsal, Step
from abviz.recording.watchdog import settle
from abviz.tree.model import Node

LOOK_AGAIN, LOOK_SELDOM = 0.0003, 0.01  # seconds
# Seconds without a change, after which nobody is thought to move: if all seem to wait for others; if one may be
# computing; if one is about to move, and only has to get a processor. And without news, if only the function itself is
# busy, as one is that looks again and again whether its threads have ended.
STILL, STILL_BUSY, STILL_COMING, STILL_LOOKING = 0.001, 0.03, 0.5, 0.005
# These are seconds of looking: one look counts for so many at the most. While all programs stand still, or somebody has
# to wait for a processor, more may go by on the clock, and nobody had the time to move.
MOST_A_LOOK = 0.001
PATIENCE = 2.0  # seconds in which nothing happens, after which a function is given up
MOST_CALLS = 20  # of `search`, for each move
# Where a thread waits for others: the modules, and their functions.
WAITING, WAITS = {"threading", "concurrent", "queue"}, {"wait", "join", "_wait_for_tstate_lock", "get", "_worker"}
WRITES = {"STORE_DEREF", "STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR"}  # what another thread may read
LONG_MESSAGE = 160

ONE_AT_A_TIME = threading.Lock()  # the methods that are watched are the whole process's


def rehearse(
    function: Callable[..., Any],
    root: Node,
    steps: Iterable[Step],
    *more: Any,
    search: Callable[..., Number],
    windows: bool = False,
    seconds: float = 10.0,
) -> Rehearsal:
    """Call function(root, search, *more), and let its threads go on in the order told, and after that in their own.

    `windows` says whether its search is search(child, alpha, beta) or search(child).
    """
    with ONE_AT_A_TIME:
        stage = _Stage(root, search, monotonic() + seconds)
        handed = stage.searching_in_a_window() if windows else stage.searching()
        return stage.perform(partial(function, root, handed, *more), _file_of(function), list(steps))


@dataclass(eq=False)
class _Actor:
    """One of the function's threads."""

    thread: threading.Thread
    busy: bool = False  # with a task
    move: int | None = None  # that the task is about
    searched: bool = False  # as part of this task
    searching: bool = False
    known: tuple[int, ...] = ()  # as in Call
    held: str = ""  # BEGIN, GO or PAUSE: where it waits
    writes: int = 0  # to be reached before it stops, if any
    tasks: int = 0  # so far
    pooled: bool = False  # one of an executor's
    waking: bool = False  # let go, and not yet awake


@dataclass(eq=False)
class _Stage:
    root: Node
    search: Callable[..., Number]
    deadline: float
    news: threading.Condition = field(default_factory=threading.Condition)
    looked: float = 0.0  # when it was looked last
    clock: float = 0.0  # seconds of looking so far
    told: float = 0.0  # when there was news last, by that clock
    quiet: float = 0.0  # seconds spent on looking for more
    actors: dict[threading.Thread, _Actor] = field(default_factory=dict)  # in the order in which they were started
    futures: list[Future[Any]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    taken: list[tuple[str, _Actor, int, int | None]] = field(default_factory=list)  # what, whose, its task, the move
    problems: list[str] = field(default_factory=list)
    answer: Any = None
    problem: str = ""
    at_once: int = 0
    given_up: bool = False
    unwritten: bool = False
    done: bool = False
    early: bool = False
    over: bool = False
    unchanged: tuple[list[Any], float] = ([], 0.0)  # where every thread stands, and since when

    # what the function is handed

    def searching(self) -> Callable[..., Number]:
        def search(child: Node) -> Number:
            return self._searched(child, ())

        search.__qualname__ = "search"  # by which Python calls it, should an argument be missing or be one too many
        return search

    def searching_in_a_window(self) -> Callable[..., Number]:
        def search(child: Node, alpha: Number, beta: Number) -> Number:
            return self._searched(child, (alpha, beta))

        search.__qualname__ = "search"  # by which Python calls it, should an argument be missing
        return search

    def _searched(self, node: Node, window: tuple[Number, ...]) -> Number:
        move = next((i for i, child in enumerate(self.root.children) if child is node), None)
        if move is None:
            raise AbvizError(f"search was handed {brief(node)}; expected a child of the root")
        actor = self.actors.get(threading.current_thread())
        threaded = actor is not None and actor is not self.main
        if actor and threaded:
            actor.move, actor.searched, actor.searching = move, True, True
            self.at_once = max(self.at_once, sum(each.searching for each in self.actors.values()))
            self._hold(actor, GO)
            actor.searching = False
        value = self.search(node, *window)
        with self.news:
            known = actor.known if actor and threaded else tuple(self.ended)
            self.calls.append(Call(move, window, value, known, threaded))
            if not threaded:
                self.ended.append(move)
        if actor and actor.writes:
            self._follow(sys._getframe(2), actor)
        return value

    # in the threads of the function

    def is_ours(self) -> bool:
        return threading.current_thread() in self.actors and not self.over

    def enlist(self, thread: threading.Thread, pooled: bool) -> None:
        with self.news:
            self.actors[thread] = _Actor(thread, pooled=pooled)

    def queue(self, future: Future[Any]) -> None:
        self.futures.append(future)

    def perform_task(self, task: Callable[[], Any], hints: Iterable[Any]) -> Any:
        actor = self.actors.get(threading.current_thread())
        if actor is None or self.over:
            return task()
        with self.news:
            actor.busy, actor.searched, actor.move = True, False, self._meant(hints)
            actor.tasks += 1
        self._hold(actor, BEGIN)
        actor.known = tuple(self.ended)
        before = sys.gettrace()
        try:
            return task()
        except BaseException as error:
            self._note(actor, error)
            raise
        finally:
            actor.writes = 0
            sys.settrace(before)

    def end_task(self) -> None:
        actor = self.actors.get(threading.current_thread())
        if actor is None:
            return
        with self.news:
            actor.busy = False
            if actor.searched and actor.move is not None:
                self.ended.append(actor.move)
            self._tell()

    def _hold(self, actor: _Actor, where: str) -> None:
        with self.news:
            actor.held = where
            self._tell()
            while actor.held and not self.over:
                self.news.wait()
            actor.waking = False
        if self.over:
            raise SystemExit  # a thread may end so without a word

    def _tell(self) -> None:
        self.told, self.quiet = self.clock, 0.0
        self.news.notify_all()

    def _meant(self, hints: Iterable[Any]) -> int | None:
        """The move that a task is about, as far as its arguments tell."""
        for value in hints:
            for i, child in enumerate(self.root.children):
                if value is child or (type(value) is int and value == i):
                    return i
        return None

    def _note(self, actor: _Actor, error: BaseException) -> None:
        if not isinstance(error, SystemExit):
            who = "it" if actor.move is None else f"the thread of {self.root.children[actor.move].name}"
            self.problems.append(f"{who} raised {said(error)}")

    def _follow(self, frame: FrameType | None, actor: _Actor) -> None:
        """From here on look at what the thread writes."""

        def follow(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_code.co_filename != self.own_file:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode" and actor.writes and _operation(frame) in WRITES:
                actor.writes -= 1
                if not actor.writes:
                    self._hold(actor, PAUSE)
                    # Python (before 3.13) puts the variables, also those shared with other threads, back to what they
                    # were when it called us, unless they are looked at again.
                    frame.f_locals  # noqa: B018
            return follow

        while frame is not None and frame.f_code.co_filename == self.own_file:
            frame.f_trace = follow
            frame.f_trace_opcodes = True
            frame = frame.f_back
        sys.settrace(follow)

    # the thread that directs

    def perform(self, function: Callable[[], Any], own_file: str, steps: list[Step]) -> Rehearsal:
        # What a daemon starts is a daemon too: none of these threads keeps Python from ending.
        thread = threading.Thread(target=self._call, args=(function,), daemon=True)
        self.main = self.actors[thread] = _Actor(thread)
        self.own_file = own_file
        try:
            with enlisted(self):
                thread.start()
                self._direct(steps)
        finally:
            self._close()
        problem = self.problems[0] if self.problems and not self.given_up else self.problem
        calls, ended = tuple(self.calls), tuple(self.ended)
        threads = len(self.actors) - 1
        told = (self.at_once, threads, self.early, problem, self.given_up, self.unwritten)
        return Rehearsal(self.answer, calls, ended, self._steps(), *told)

    def _call(self, function: Callable[[], Any]) -> None:
        try:
            self.answer = function()
        except NotImplementedError:
            self.unwritten = True
        except RecursionError:
            self.problem = "it called itself without end"
        except BaseException as error:  # SystemExit is one
            self.problem = self.problem or f"it raised {said(error)}"
        finally:
            with self.news:
                self.done = True
                self.early = not self.over and (self._queued() or any(map(self._unsearched, self.actors.values())))
                self._tell()

    def _direct(self, steps: list[Step]) -> None:
        while True:
            self._settle()
            with self.news:
                waiting = [actor for actor in self.actors.values() if actor.held]
                if self.done and not waiting:
                    return
                if why := self._endless(waiting):
                    self.problem, self.given_up = why, True
                    return
                if waiting:
                    self._let_go(waiting, steps)
                else:
                    # Counted in looks and not by the clock: when all programs stand still, nobody is to blame.
                    self.quiet += LOOK_SELDOM
                    self.news.wait(LOOK_SELDOM)

    def _let_go(self, waiting: list[_Actor], steps: list[Step]) -> None:
        chosen = waiting[0]
        while steps:
            step = steps.pop(0)
            # A task that does not tell which move it is about may be the one.
            fit = [each for each in waiting if (each.held == BEGIN) == (step.what == BEGIN)]
            meant = [each for each in fit if each.move == step.move] or [each for each in fit if each.move is None]
            if meant:
                chosen = meant[0]
                chosen.writes = step.write if step.what == PAUSE and chosen.held == GO else 0
                break
        what = BEGIN if chosen.held == BEGIN else PAUSE if chosen.writes else GO
        self.taken.append((what, chosen, chosen.tasks, chosen.move))
        chosen.held, chosen.waking = "", True
        self._tell()

    def _steps(self) -> tuple[Step, ...]:
        """What happened; which move a task was about is sometimes known only when it has called `search`."""
        moves = {(id(actor), task): move for _, actor, task, move in self.taken if move is not None}
        told = [(what, moves.get((id(actor), task))) for what, actor, task, _ in self.taken]
        return tuple(Step(what, move) for what, move in told if move is not None)

    def _settle(self) -> None:
        """Wait until nobody moves: all wait to be told, or for each other."""
        while True:
            with self.news:
                moving = [each for each in self.actors.values() if not each.held and each.thread.is_alive()]
                frames = sys._current_frames()
                tops = [frames.get(each.thread.ident or 0) for each in moving]
                now = [(each, id(top), top.f_lasti if top else 0) for each, top in zip(moving, tops, strict=True)]
                if now != self.unchanged[0]:
                    self.unchanged = now, self.clock
                still = STILL_COMING if self._coming(moving) else STILL if all(map(_waits, tops)) else STILL_BUSY
                del frames, tops
                until = min(self.unchanged[1] + still, self.told + STILL_COMING)
                if moving == [self.main]:
                    until = min(until, self.told + (STILL_LOOKING if self.taken else STILL_BUSY))
                if not moving or self.clock > until or monotonic() > self.deadline:
                    return
                self.news.wait(LOOK_AGAIN)
                self._tick()

    def _tick(self) -> None:
        now = monotonic()
        self.clock += min(now - self.looked, MOST_A_LOOK)
        self.looked = now

    def _coming(self, moving: list[_Actor]) -> bool:
        """Whether one of them is about to begin, to go on or to end."""
        queued = self._queued()
        return any(
            each.waking or (not each.busy and (queued if each.pooled else each is not self.main)) for each in moving
        )

    def _queued(self) -> bool:
        """Whether there are tasks for which a pool has had no thread so far."""
        tasks = sum(each.busy for each in self.actors.values() if each.pooled)
        return sum(not future.done() for future in self.futures) > tasks

    def _unsearched(self, actor: _Actor) -> bool:
        """Whether a thread still searches, or has not begun. (One that has searched may have told its value by now.)"""
        fresh = actor.tasks == 0 and not actor.pooled and actor is not self.main
        return actor.searching or actor.held == BEGIN or fresh

    def _endless(self, waiting: list[_Actor]) -> str:
        """Why it is to be given up, if it is."""
        moves = [each.move for each in self.actors.values() if each.busy and not each.held and each.move is not None]
        who = f"the thread of {self.root.children[moves[0]].name}" if moves else "it"
        most = MOST_CALLS * len(self.root.children)
        if len(self.calls) > most:
            return f"it was stopped after {most} searches"
        if monotonic() > self.deadline:
            return f"{who} was stopped, since the time was up"
        if not waiting and self.quiet > PATIENCE:
            return f"{who} was given up: for {PATIENCE:g} seconds nothing happened"
        return ""

    def _close(self) -> None:
        """Nobody is held any more. Who does not end is told to, and does not keep Python from ending either."""
        with self.news:
            self.over = True
            self.news.notify_all()
        for _ in range(3 if self.given_up else 1):
            for actor in self._left():
                actor.thread.join(0.05 if self.given_up else 0)
                if actor.thread.is_alive() and actor.thread.ident:
                    ident = ctypes.c_ulong(actor.thread.ident)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(SystemExit))
        settle()
        for actor in self._left():
            getattr(pools, "_threads_queues", {}).pop(actor.thread, None)

    def _left(self) -> list[_Actor]:
        """Those that still do something; an idle thread of a pool ends with its pool."""
        return [each for each in self.actors.values() if each.thread.is_alive() and (each.busy or each is self.main)]


def _file_of(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    code = getattr(unwrap(function), "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return getattr(code, "co_filename", "")


def _waits(top: FrameType | None) -> bool:
    """Whether a thread seems to wait for another: it is within Python's own waiting, and is not just starting one."""
    if top is None or top.f_code.co_name not in WAITS:
        return False
    frame: FrameType | None = top
    while frame is not None and _in_machinery(frame):
        if frame.f_code.co_name == "start":
            return False
        frame = frame.f_back
    return _in_machinery(top)


def _in_machinery(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in WAITING


def _operation(frame: FrameType) -> str:
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]


def said(error: BaseException) -> str:
    """An exception in one short line."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = ""
    told = visible(": ".join(part for part in (type(error).__name__, message) if part))
    return told if len(told) <= LONG_MESSAGE else f"{told[: LONG_MESSAGE - 1]}…"
