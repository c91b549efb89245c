"""The timing widget: one search on several threads, watched while it runs, and the table of those that have been."""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from abviz.errors import AbvizError, Stopped, unknown
from abviz.games.checkers import Checkers
from abviz.games.checking import check_game
from abviz.games.scale import checked_depth
from abviz.parallel.records import Run
from abviz.text import brief, count, visible
from abviz.timing import snapshots
from abviz.timing.snapshots import HEADS, Bars
from abviz.timing.still import as_html

HERE = Path(__file__).parent
PAUSE = 0.1  # seconds from one look at a run to the next
MOST_THREADS = 256
MOST_ROWS = 200  # of the table in the browser; `runs` has them all
BOTH = 2  # so many runs can be laid one over the other


class Refused(AbvizError, traitlets.TraitError):
    """A value that a trait cannot have; traitlets puts back the one before."""


class Timing(anywidget.AnyWidget):
    """Run a search on several threads and watch it: Timing(), or Timing(position), Timing({"name": position, ...}).

    `position` (one of the names), `depth`, `workers` and `strategy` are what the next run takes; the reader chooses
    them in the browser, and they can be set here. `run()`, `stop()`, `measure()` and `show(1, 2)` do what the buttons
    do; `runs` are the records of all runs. What else is told goes to `abviz.parallel.start`: executor=..., weights=...
    """

    # As text: given the paths, anywidget would keep every widget in memory, also one that is closed.
    _esm = (HERE / "timing.js").read_text(encoding="utf-8")
    _css = (HERE / "timing.css").read_text(encoding="utf-8")
    position = traitlets.Any().tag(sync=True)  # of any kind, so that a wrong one is told in our words
    depth = traitlets.Any(16).tag(sync=True)
    workers = traitlets.Any(2).tag(sync=True)
    strategy = traitlets.Any("young-brothers").tag(sync=True)
    offered = traitlets.Dict().tag(sync=True)
    under_way = traitlets.Dict().tag(sync=True)  # of the run that is: what is known before its first task
    tiles: Any = traitlets.List().tag(sync=True)  # of the last result: names and texts
    hint = traitlets.Unicode("").tag(sync=True)  # why it has no speed-up
    rows: Any = traitlets.List().tag(sync=True)
    shown: Any = traitlets.List().tag(sync=True)  # the pictures of one run or two
    says = traitlets.Unicode("").tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    heard = traitlets.Int(0).tag(sync=True)  # how often the browser has been answered

    def __init__(self, positions: Any = None, *, start: Callable[..., Any] | None = None, runs: Any = (), **told: Any):
        self._positions = _named(Checkers.start() if positions is None else positions)
        self._strategies = _strategies()
        self._start = start
        chosen = {name: told.pop(name) for name in ("position", "depth", "workers", "strategy") if name in told}
        self._told = told
        self._runs: list[Run] = list(runs)
        self._chosen: list[int] = []  # the numbers of the runs that are shown
        self._running: Any = None
        self._bars = Bars()
        self._measured: int | None = None
        self._wake, self._ended = threading.Event(), threading.Event()
        self._ended.set()
        self._fault: BaseException | None = None
        self._lock = threading.RLock()  # whoever changes traits: the kernel's thread, or the one that watches a run
        self._place: Any = None  # of the picture in the notebook
        offered = {
            "positions": list(self._positions),
            "strategies": [[name, words] for name, words in self._strategies.items()],
            "cores": os.cpu_count() or 1,
            "heads": list(HEADS),
        }
        super().__init__(offered=offered, **({"position": next(iter(self._positions))} | chosen))
        self.rows = self._all_rows()
        self.on_msg(self._hear)

    @traitlets.validate("position")
    def _check_position(self, proposal: Any) -> str:
        return _known("position", proposal["value"], self._positions)

    @traitlets.validate("strategy")
    def _check_strategy(self, proposal: Any) -> str:
        return _known("strategy", proposal["value"], self._strategies)

    @traitlets.validate("depth")
    def _check_depth(self, proposal: Any) -> int:
        try:
            return checked_depth(proposal["value"])
        except AbvizError as problem:
            raise Refused(str(problem)) from None

    @traitlets.validate("workers")
    def _check_workers(self, proposal: Any) -> int:
        value = proposal["value"]
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_THREADS:
            raise Refused(f"threads are {brief(value)}; expected a whole number, 1 to {MOST_THREADS}")
        return value

    # from Python

    @property
    def runs(self) -> list[Run]:
        """The records of all runs, in the order of the table; those that were stopped too."""
        return list(self._runs)

    @property
    def is_running(self) -> bool:
        return not self._ended.is_set()

    def run(self, **chosen: Any) -> None:
        """Start a search in the background: run(), or run(depth=14, strategy="root"), which is then chosen."""
        with self._lock:
            self._check_free()
            for name, value in chosen.items():
                if name not in ("position", "depth", "workers", "strategy"):
                    raise unknown("choice", name, ["position", "depth", "workers", "strategy"])
                setattr(self, name, value)
            workers = 1 if _is_alone(self.strategy) else self.workers
            self._begin(self.position, self.depth, self.strategy, workers)

    def measure(self) -> None:
        """Run the sequential search of what was run last: its speed-up is then known."""
        with self._lock:
            self._check_free()
            if not self._runs:
                raise AbvizError("nothing has been run yet; expected run() before measure()")
            run = self._runs[-1]
            place = self._place_of(run)
            if place not in self._positions:
                raise AbvizError("the last run is of a position that is not among these; expected one of them")
            self._begin(place, run.depth, "sequential", 1, measured=len(self._runs))

    def stop(self) -> None:
        """Stop the search that is running, if there is one."""
        running = self._running
        if running is not None:
            running.stop()
            self._wake.set()

    def wait(self) -> Run:
        """Wait for the end of the search, and of showing it: its record. An interrupt stops the search."""
        try:
            while not self._ended.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
                pass
        except BaseException as interrupt:
            self.stop()
            self._ended.wait(1)
            if isinstance(interrupt, KeyboardInterrupt):
                raise Stopped("") from None
            raise
        if self._fault is not None:
            raise self._fault
        if not self._runs:
            raise AbvizError("nothing has been run yet; expected run() before wait()")
        return self._runs[-1]

    def show(self, *numbers: int) -> None:
        """Lay two runs one over the other, on the same time axis: show(1, 3), by their numbers in the table."""
        for number in numbers:
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(self._runs):
                raise AbvizError(f"run {brief(number)} is not in the table; expected 1 to {len(self._runs)}")
        if len(numbers) > BOTH or len(set(numbers)) < len(numbers):
            raise AbvizError(f"{len(numbers)} runs are to be shown; expected two different ones at most")
        with self._lock, self.hold_sync():
            self._chosen = list(numbers)
            self.shown = [snapshots.picture(self._runs[number - 1], number) for number in numbers]
            self.rows = self._all_rows()
            if len(numbers) == BOTH and not self.under_way:
                self.says = snapshots.comparison(self._chosen, [self._runs[number - 1] for number in numbers])

    def close(self) -> None:
        """Its run ends with it, and the thread that watches it."""
        self.stop()
        if not self._ended.wait(5):
            raise AbvizError("the search did not stop within 5 s")
        super().close()

    # while it runs

    def _check_free(self) -> None:
        if not self.under_way:
            self._ended.wait(5)  # the one before has been shown; its thread is about to end
        if self.is_running:
            raise AbvizError("a search is running; expected its end, or stop() before another")

    def _begin(self, place: str, depth: int, strategy: str, workers: int, *, measured: int | None = None) -> None:
        """`measured` is the number of the run whose speed-up is asked for."""
        begin = self._start or _start()
        self._running = begin(self._positions[place], depth, strategy=strategy, workers=workers, **self._told)
        run = self._running.record()
        self._measured = measured
        self._wake, self._fault, self._bars = threading.Event(), None, Bars()
        self._ended.clear()
        with self.hold_sync():
            self.problem = ""
            self.under_way = snapshots.heading(run, len(self._runs) + 1)
            self.says = f"Running: {snapshots.title(run)}.{self._crowd(workers)}"
            self.hint = ""
        threading.Thread(target=self._watch, args=(self._running, self._wake), name="abviz timing", daemon=True).start()

    def _watch(self, running: Any, wake: threading.Event) -> None:
        """Look at a run from time to time, and tell the browser what is new."""
        try:
            for pause in _pauses():
                if wake.wait(pause) or running.done:
                    break
                with self._lock:
                    self._tell(running.record())
            self._finish(running.result())
        except BaseException as problem:
            self._fail(problem)
        finally:
            self._running = None
            self._ended.set()

    def _tell(self, run: Run, *, anew: bool = False) -> None:
        changes = self._bars.changes(run)
        live = {
            "do": "live",
            "number": self.under_way.get("number"),
            "time": round(run.time, 4),
            "progress": round(run.progress, 3),
            "tiles": [text for _, text in snapshots.tiles(run)],
            "bars": self._bars.all if anew else changes,
        }
        self.send(live)

    def _finish(self, run: Run) -> None:
        with self._lock, self.hold_sync():
            self._runs.append(run)
            number = len(self._runs)
            self.says = snapshots.ending(run)
            self.under_way = {}
            if self._measured and run.finished:
                self._result(self._measured)
                self.show(self._measured, number)
            else:
                self._result(number)
                self.show(number)
        self._keep_still()

    def _result(self, number: int) -> None:
        run = self._runs[number - 1]
        baseline = self._baseline(run)
        self.tiles = snapshots.tiles(run, baseline, ended=True)
        self.hint = "" if baseline or not run.finished else NO_BASELINE

    def _fail(self, problem: BaseException) -> None:
        self._fault = problem
        notes = "".join(f" ({note})" for note in getattr(problem, "__notes__", ()))
        kind = "" if isinstance(problem, AbvizError) else f"{type(problem).__name__}: "
        with self._lock, self.hold_sync():
            self.problem = visible(f"{kind}{problem}{notes}")
            self.says = "The search ended with a problem."
            self.under_way = {}

    # the table

    def _baseline(self, run: Run) -> Run | None:
        """The newest sequential search of the same."""
        return next((other for other in reversed(self._runs) if snapshots.is_baseline(run, other)), None)

    def _all_rows(self) -> list[dict[str, Any]]:
        numbered = list(enumerate(self._runs, 1))[-MOST_ROWS:]
        return [
            {
                "number": number,
                "cells": snapshots.row(run, self._place_of(run), self._baseline(run)),
                "shown": number in self._chosen,
            }
            for number, run in numbered
        ]

    def _place_of(self, run: Run) -> str:
        """What the position of a run is called here."""
        named = (name for name, position in self._positions.items() if _as_text(position) == run.position)
        return next(named, run.game)

    def _crowd(self, workers: int) -> str:
        cores = os.cpu_count() or 1
        if workers <= cores:
            return ""
        return f" {count(workers, 'thread')} on {count(cores, 'core')}: they take turns, and gain nothing by that."

    # from the browser, where anything may come from

    def _hear(self, _: Any, told: Any, __: Any) -> None:
        told = told if isinstance(told, dict) else {}
        acts = {"run": self._asked_to_run, "stop": lambda told: self.stop(), "choose": self._asked_to_choose}
        acts |= {"measure": lambda told: self.measure(), "show": self._asked_to_show, "hello": self._asked_for_all}
        try:
            acts.get(str(told.get("do")), lambda told: None)(told)
        except AbvizError as problem:
            with self._lock:
                self.problem = str(problem)
        with self._lock:
            self.heard += 1

    def _asked_to_run(self, told: dict[str, Any]) -> None:
        with self._lock:
            self._choose(told.get("chosen"))
            self.run()

    def _asked_to_choose(self, told: dict[str, Any]) -> None:
        with self._lock, self.hold_sync():
            self._choose(told.get("chosen"))
            self.problem = ""
            if not self.is_running:
                self.says = self._crowd(self.workers).strip()

    def _choose(self, chosen: Any) -> None:
        for name, value in chosen.items() if isinstance(chosen, dict) else ():
            if name in ("depth", "workers"):
                setattr(self, name, _whole("threads" if name == "workers" else name, value))
            elif name in ("position", "strategy"):
                setattr(self, name, value)

    def _asked_to_show(self, told: dict[str, Any]) -> None:
        numbers = told.get("numbers")
        self.show(*(numbers if isinstance(numbers, list) else ()))
        self._keep_still()

    def _asked_for_all(self, told: dict[str, Any]) -> None:
        """A new view of the widget: of what runs, all."""
        with self._lock:
            running = self._running
            if self.under_way and running is not None:
                self._tell(running.record(), anew=True)

    # without a kernel, and for those who read text

    def _ipython_display_(self) -> None:
        """Two outputs: the widget, and the picture for where it cannot live, as in a saved notebook without a kernel.

        Beside a widget that lives the stylesheet hides the picture. It is drawn anew when a run ends.
        """
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        display({**(data or {}), "text/plain": repr(self)}, raw=True)  # type: ignore[no-untyped-call]
        self._place = display(self._still(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _still(self) -> dict[str, str]:
        if not self.rows:
            return {"text/plain": NOTHING, "text/html": f'<p class="abviz-timing-still">{NOTHING}</p>'}
        lines = ["  ".join([str(row["number"]), *row["cells"]]) for row in self.rows]
        return {"text/plain": "\n".join(lines), "text/html": as_html(self.shown, self.rows)}

    def _keep_still(self) -> None:
        if self._place is not None:
            self._place.update(self._still(), raw=True)

    def __repr__(self) -> str:
        return f"Timing({count(len(self._runs), 'run')})"


NOTHING = "Nothing has been run yet."
NO_BASELINE = "Speed-up and search overhead are measured against the sequential search of the same position and depth."


def _pauses() -> Iterator[float]:
    """Short ones at first, so that the end of a short search is seen at once."""
    pause = 0.005
    while True:
        yield pause
        pause = min(PAUSE, 1.5 * pause)


def _start() -> Callable[..., Any]:
    from abviz.parallel.running import start  # with it comes the compiler, which a picture of runs does not need

    return start


def _strategies() -> dict[str, str]:
    """Their names, and what each is in words: the first paragraph of its file."""
    from abviz.parallel.strategies import STRATEGIES

    words = {name: sys.modules[plan.__module__].__doc__ or "" for name, plan in STRATEGIES.items()}
    return {name: " ".join(text.split("\n\n")[0].split()) for name, text in words.items()}


def _is_alone(strategy: str) -> bool:
    """Whether it would leave every thread but one without work."""
    from abviz.parallel.strategies import STRATEGIES

    return STRATEGIES[strategy].alone


def _named(positions: Any) -> dict[str, Any]:
    if not isinstance(positions, Mapping):
        positions = {"the start" if _is_start(positions) else "this position": positions}
    if not positions:
        raise AbvizError("there are no positions; expected at least one, such as Checkers.start()")
    named = {visible(str(name)): position for name, position in positions.items()}
    for position in named.values():
        check_game(position)
    return named


def _is_start(position: Any) -> bool:
    start = getattr(type(position), "start", None)
    return callable(start) and position == start()


def _as_text(position: Any) -> str:
    return str(getattr(position, "fen", None) or repr(position))


def _known(what: str, value: Any, legal: Mapping[str, Any]) -> str:
    if not isinstance(value, str) or value not in legal:
        raise Refused(str(unknown(what, value, legal)))
    return value


def _whole(name: str, value: Any) -> int:
    """What somebody typed."""
    text = str(value).strip()
    if not (text.isascii() and text.removeprefix("-").isdigit()) or len(text) > 9:
        raise AbvizError(f"{name} cannot be {brief(text)}; expected a whole number")
    return int(text)
